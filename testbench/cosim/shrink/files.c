#define _GNU_SOURCE
#include "testbench/cosim/shrink/files.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/lines.h"

char *pmuv3_shrink_read(const char *path, size_t *size, const char **why) {
  FILE *in = pmuv3_file_open(path, why);
  if (!in) return NULL;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  char piece[65536];
  /* The file may be endless: memory is not. */
  bool is_kept = true;
  for (size_t length; is_kept && (length = fread(piece, 1, sizeof piece, in)) > 0;)
    is_kept = fwrite(piece, 1, length, builder.out) == length && fflush(builder.out) == 0;
  const int error = ferror(in) ? errno : 0;
  fclose(in);
  char *text = pmuv3_builder_take(&builder);
  if (size) *size = builder.size;
  if (!error && !text) *why = strerror(ENOMEM);
  if (!error) return text;
  *why = strerror(error);
  free(text);
  return NULL;
}

static bool write_text(FILE *out, const void *shrunk) {
  return fputs(((const struct pmuv3_shrunk *)shrunk)->text, out) >= 0;
}

/* The contents of the GoogleTest. */
struct test {
  const struct pmuv3_shrunk *shrunk;
  const char *path;
  uint32_t x_seed;
};

static void print_test(FILE *out, const struct pmuv3_shrunk *shrunk, const char *name,
                       uint32_t x_seed) {
  fprintf(out,
          "// Made by ./pmuv3 shrink: it fails as long as the C model and the RTL differ here.\n"
          "#include <gtest/gtest.h>\n\n"
          "#include \"testbench/cosim/shrink/play.h\"\n\n"
          "TEST(Shrunk, %s) {\n"
          "  char message[8192];\n"
          "  EXPECT_TRUE(pmuv3_play_text(R\"(%s)\",\n"
          "                              %" PRIu32
          ", message, sizeof message))\n"
          "      << message;\n"
          "}\n",
          name, shrunk->text, x_seed);
}

/* A test's name from a path. Only letters and digits stay. */
static void name_test(char *name, size_t size, const char *path) {
  const char *base = strrchr(path, '/');
  size_t length = 0;
  for (const char *c = base ? base + 1 : path; *c && *c != '.' && length + 1 < size; c++)
    if (isalnum((unsigned char)*c)) name[length++] = *c;
  name[length] = '\0';
}

static bool write_test(FILE *out, const void *context) {
  const struct test *test = context;
  char name[64] = "T"; /* a test's name begins with a letter */
  name_test(name + 1, sizeof name - 1, test->path);
  print_test(out, test->shrunk, isalpha((unsigned char)name[1]) ? name + 1 : name, test->x_seed);
  return true;
}

const char *pmuv3_shrink_save(const struct pmuv3_shrunk *shrunk, const char *path,
                              enum pmuv3_file_kind kind) {
  return pmuv3_file_write(path, kind, write_text, shrunk);
}

const char *pmuv3_shrink_save_test(const struct pmuv3_shrunk *shrunk, const char *test,
                                   enum pmuv3_file_kind kind, uint32_t x_seed) {
  if (!test) return NULL;
  return pmuv3_file_write(test, kind, write_test, &(struct test){shrunk, test, x_seed});
}
