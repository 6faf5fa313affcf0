#define _GNU_SOURCE
#include "testbench/shrink/files.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/shrink/lines.h"

char *pmuv3_shrink_read(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  char piece[65536];
  for (size_t size; (size = fread(piece, 1, sizeof piece, in)) > 0;)
    fwrite(piece, 1, size, builder.out);
  const int error = ferror(in) ? errno : 0;
  fclose(in);
  char *text = pmuv3_builder_take(&builder);
  if (!error) return text;
  free(text);
  errno = error;
  return NULL;
}

static bool close_written(FILE *out) {
  const bool good = !ferror(out);
  return fclose(out) == 0 && good;
}

static bool save_text(const struct pmuv3_shrunk *shrunk, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) return false;
  fputs(shrunk->text, out);
  return close_written(out);
}

static void write_test(FILE *out, const struct pmuv3_shrunk *shrunk, const char *name,
                       uint32_t x_seed) {
  fprintf(out,
          "// Made by ./pmuv3 shrink: it fails as long as the C model and the RTL differ here.\n"
          "#include <gtest/gtest.h>\n\n"
          "#include \"testbench/shrink/play.h\"\n\n"
          "TEST(Shrunk, %s) {\n"
          "  char message[8192];\n"
          "  EXPECT_TRUE(pmuv3_play_text(R\"(%s)\",\n"
          "                              %" PRIu32
          ", message, sizeof message))\n"
          "      << message;\n"
          "}\n",
          name, shrunk->text, x_seed);
}

/* A test's name from a path: what is no letter or digit is left out. */
static void name_test(char *name, size_t size, const char *path) {
  const char *base = strrchr(path, '/');
  size_t length = 0;
  for (const char *c = base ? base + 1 : path; *c && *c != '.' && length + 1 < size; c++)
    if (isalnum((unsigned char)*c)) name[length++] = *c;
  name[length] = '\0';
}

static bool save_test(const struct pmuv3_shrunk *shrunk, const char *path, uint32_t x_seed) {
  FILE *out = fopen(path, "w");
  if (!out) return false;
  char name[64] = "T"; /* a name does not begin with a digit */
  name_test(name + 1, sizeof name - 1, path);
  write_test(out, shrunk, isdigit((unsigned char)name[1]) ? name : name + 1, x_seed);
  return close_written(out);
}

bool pmuv3_shrink_save(const struct pmuv3_shrunk *shrunk, const char *path, const char *test,
                       uint32_t x_seed) {
  return save_text(shrunk, path) && (!test || save_test(shrunk, test, x_seed));
}
