#include "testbench/cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* argp's own messages take several lines: it is told to be silent about errors. */
void pmuv3_cli_parse(const struct argp *argp, const char *name, int argc, char **argv,
                     void *input) {
  int next = argc;
  program = name;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    argp_help(argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, argv[0]);
    exit(0);
  }
  if (argp_parse(argp, argc, argv, ARGP_NO_ERRS, &next, input) != 0)
    pmuv3_cli_unusable("unusable option '%s'; see ./pmuv3 help", argv[next > 1 ? next - 1 : 0]);
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
