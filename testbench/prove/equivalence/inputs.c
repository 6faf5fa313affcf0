#include "testbench/prove/equivalence/inputs.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/cli/text.h"

enum { DIGITS = 2 * SHA256_DIGEST_SIZE };

static void finish(struct sha256_ctx *hash, char digits[DIGITS + 1]) {
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(hash, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++) snprintf(&digits[2 * i], 3, "%02x", digest[i]);
}

static bool has_digest(const char *path, const char *expected) {
  struct sha256_ctx hash;
  uint8_t part[BUFSIZ];
  char digits[DIGITS + 1];
  size_t size;
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) return false;
  sha256_init(&hash);
  while ((size = fread(part, 1, sizeof part, in)) > 0) sha256_update(&hash, size, part);
  const bool is_read = !ferror(in);
  fclose(in);
  finish(&hash, digits);
  return is_read && strncmp(digits, expected, DIGITS) == 0;
}

/* A file of text; the caller frees it. NULL: it cannot be read. */
static char *read_text(const char *path) {
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (!in) return NULL;
  char *text = pmuv3_text_all(in);
  fclose(in);
  return text;
}

/* The list of digests that pmuv3_source is the digest of: the times in it are not part of that. */
static bool is_of_program(const char *list) {
  struct sha256_ctx hash;
  char digits[DIGITS + 1];
  sha256_init(&hash);
  for (const char *line = list; *line;) {
    const size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
    if (strncmp(line, "time ", 5) != 0) sha256_update(&hash, whole, (const uint8_t *)line);
    line += whole;
  }
  finish(&hash, digits);
  return strncmp(digits, pmuv3_source, strlen(pmuv3_source)) == 0;
}

static bool has_line(const char *list, const char *line) {
  const size_t length = strlen(line);
  for (const char *at = list; (at = strstr(at, line)) != NULL; at++)
    if ((at == list || at[-1] == '\n') && (at[length] == '\n' || at[length] == '\0')) return true;
  return false;
}

/* The first line has the file's own digest, the others those of sources. */
static bool are_in(const char *list, const char *file, char *lines) {
  char *rest, *line = strtok_r(lines, "\n", &rest);
  if (!line || !has_digest(file, line)) return false;
  size_t num = 0;
  while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
    if (!has_line(list, line)) return false;
    num++;
  }
  return num > 0;
}

/* FOLDER/NAME; the caller frees it. */
static char *path_of(const char *folder, const char *name) {
  char *path;
  if (asprintf(&path, "%s/%s", folder, name) < 0) pmuv3_cli_no_verdict("out of memory");
  return path;
}

static bool is_path(const char *path, const char *folder, const char *name) {
  char *expected = path_of(folder, name);
  const bool is = strcmp(path, expected) == 0;
  free(expected);
  return is;
}

static char *read_list(const char *build) {
  char *path = path_of(build, "source.list"), *list = read_text(path);
  free(path);
  return list;
}

static bool is_made_of(const char *list, const char *file) {
  char *path, *lines;
  if (asprintf(&path, "%s.sources", file) < 0) pmuv3_cli_no_verdict("out of memory");
  lines = read_text(path);
  const bool is_of_list = lines && are_in(list, file, lines);
  free(lines);
  free(path);
  return is_of_list;
}

static bool are_made_of(const char *list, const struct prove_options *options) {
  bool are = is_made_of(list, options->bitcode);
  for (unsigned s = 0; are && options->netlists && s < options->num_sizes; s++) {
    char *file = prove_netlist_of(options, options->sizes[s]);
    are = is_made_of(list, file);
    free(file);
  }
  return are;
}

bool prove_inputs_are_of_sources(const struct prove_options *options, const char *build) {
  if (!is_path(options->bitcode, build, "prove/pmuv3_ub.bc")) return false;
  if (options->netlists && !is_path(options->netlists, build, "prove")) return false;
  char *list = read_list(build);
  const bool are = list && is_of_program(list) && are_made_of(list, options);
  free(list);
  return are;
}
