#include "testbench/prove/equivalence/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "testbench/cosim/cli/file.h"

static char *file_of(const char *directory, const char *name) {
  char *file = NULL;
  size_t size;
  FILE *out = open_memstream(&file, &size);
  if (!out) abort();
  fprintf(out, "%s/", directory);
  for (const char *c = name; *c; c++)
    fprintf(out, *c <= ' ' || *c > '~' || *c == '/' || *c == '%' ? "%%%02X" : "%c",
            (unsigned char)*c);
  fputs(".smt2", out);
  if (fclose(out) != 0) abort();
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

bool keep_in_directory(const char *name, const char *text, size_t size, void *with) {
  const char *directory = with;
  mkdir(directory, 0777);
  char *file = file_of(directory, name);
  const char *why = pmuv3_file_write(file, PMUV3_FILE_OWN, write_text, &(struct text){text, size});
  if (why) fprintf(stderr, "pmuv3 prove: cannot write %s: %s\n", file, why);
  free(file);
  return !why;
}
