#define _GNU_SOURCE
#include "testbench/prove/equivalence/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/file.h"

/* FOLDER/NAME.END, in a folder that is made. The caller frees it; the folder's path is freed here.
 */
static char *below(char *folder, const char *name, const char *end) {
  char *path = NULL;
  size_t size;
  FILE *out = open_memstream(&path, &size);
  if (!out) abort();
  mkdir(folder, 0777);
  fprintf(out, "%s/", folder);
  for (const char *c = name; *c; c++)
    fprintf(out, *c <= ' ' || *c > '~' || *c == '/' || *c == '%' ? "%%%02X" : "%c",
            (unsigned char)*c);
  fputs(end, out);
  if (fclose(out) != 0) abort();
  free(folder);
  return path;
}

static char *copy_of(const char *text) {
  char *copy = strdup(text);
  if (!copy) abort();
  return copy;
}

/* The first name that is free. */
static char *file_of(const struct keep_place *place, const char *name) {
  char *folder = below(below(copy_of(place->folder), place->size, ""), place->of, "");
  char *file = below(copy_of(folder), name, ".smt2");
  char end[32];
  for (unsigned number = 2; access(file, F_OK) == 0; number++) {
    free(file);
    snprintf(end, sizeof end, "-%u.smt2", number);
    file = below(copy_of(folder), name, end);
  }
  free(folder);
  return file;
}

struct text {
  const char *text;
  size_t size;
};

static bool write_text(FILE *out, const void *context) {
  const struct text *text = context;
  return fwrite(text->text, 1, text->size, out) == text->size;
}

bool keep_query(const char *name, const char *text, size_t size, void *with) {
  char *file = file_of(with, name);
  const char *why = pmuv3_file_write(file, PMUV3_FILE_OWN, write_text, &(struct text){text, size});
  if (why) fprintf(stderr, "pmuv3 prove: cannot write %s: %s\n", file, why);
  free(file);
  return !why;
}
