#define _GNU_SOURCE
#include "testbench/cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *program = "pmuv3";

void pmuv3_cli_unusable(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(PMUV3_UNUSABLE);
}

static bool is_option(const struct argp_option *option, const char *word) {
  const size_t length = strcspn(word, "=");
  for (; option->name; option++) {
    if (word[0] == '-' && word[1] == option->key && word[1] != '-') return true;
    if (strncmp(word, "--", 2) == 0 && strncmp(option->name, word + 2, length - 2) == 0)
      return true;
  }
  return false;
}

/* The word that argp could not use: the first unknown option, else the last word, which lacks its
 * value. */
static const char *culprit(const struct argp *argp, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-' && !is_option(argp->options, argv[i])) return argv[i];
  return argv[argc - 1];
}

static void help(const struct argp *argp, char *name) {
  argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
  exit(0);
}

/* argp's own messages take several lines: it is told to be silent, and help is given here. */
void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv,
                     void *input) {
  program = name;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) help(argp, (char *)name);
  if (argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input) != 0)
    pmuv3_cli_unusable("unusable option '%s'; see ./pmuv3 help", culprit(argp, argc, argv));
}

void pmuv3_cli_check_output(const char *option, const char *path) {
  if (!path) return;
  char copy[4096];
  struct stat status;
  snprintf(copy, sizeof copy, "%s", path);
  const bool exists = stat(path, &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) errno = EISDIR;
  if (!*path || strlen(path) >= sizeof copy || (exists && S_ISDIR(status.st_mode)) ||
      access(exists ? path : dirname(copy), W_OK) != 0)
    pmuv3_cli_unusable("%s: cannot write '%s': %s", option, path, strerror(errno));
}

void pmuv3_cli_write(const char *option, const char *path,
                     bool (*write)(FILE *out, const void *context), const void *context) {
  struct stat status;
  char temporary[4096];
  const bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  snprintf(temporary, sizeof temporary, special ? "%s" : "%s.tmp", path);
  FILE *out = fopen(temporary, "w");
  const bool written = out && write(out, context) && !ferror(out);
  if (!out || fclose(out) != 0 || !written || (!special && rename(temporary, path) != 0))
    pmuv3_cli_unusable("%s: cannot write '%s': %s", option, path, strerror(errno));
}

uint64_t pmuv3_cli_number(const char *option, const char *text, uint64_t min, uint64_t max) {
  char *end;
  errno = 0;
  const int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
  const unsigned long long value = strtoull(text, &end, base);
  if (errno || !isdigit((unsigned char)*text) || *end || value < min || value > max)
    pmuv3_cli_unusable("%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, min,
                       max, text);
  return value;
}
