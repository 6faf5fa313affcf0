#include "testbench/cosim/shrink/arguments.h"

#include <errno.h>
#include <stdlib.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/shrink/files.h"
#include "testbench/cosim/shrink/form.h"

enum { OPT_SECONDS = 0x1000, OPT_X_SEED };

struct pmuv3_shrink_arguments pmuv3_shrink_arguments_default(void) {
  return (struct pmuv3_shrink_arguments){.options = {.x_seed = 1, .seconds = 60}};
}

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct pmuv3_shrink_arguments *arguments = state->input;
  switch (key) {
    case OPT_SECONDS:
      arguments->options.seconds = (double)pmuv3_cli_number("--seconds", arg, 1, 1000000);
      return 0;
    case OPT_X_SEED:
      arguments->options.x_seed = (uint32_t)pmuv3_cli_number("--x-seed", arg, 1, INT32_MAX);
      return 0;
    case ARGP_KEY_ARG:
      if (arguments->file) pmuv3_cli_unusable("'%s' is a second FILE; give one FILE", arg);
      arguments->file = arg;
      return 0;
    case ARGP_KEY_NO_ARGS:
      pmuv3_cli_unusable("a stimulus FILE is missing; see ./pmuv3 help");
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"seconds", OPT_SECONDS, "N", 0, "shrink for N seconds at most (default 60)", 0},
    {"x-seed", OPT_X_SEED, "N", 0, "seed of the RTL's random initial values (default 1)", 0},
    {0},
};

const struct argp pmuv3_shrink_argp = {.options = options, .parser = parse_argument};

static _Noreturn void end(int status, const char *error) {
  fprintf(stderr, "%s\n", error);
  exit(status);
}

char *pmuv3_shrink_read_stimulus(struct pmuv3_stimulus *stimulus, const char *file) {
  char error[4096 + 512]; /* a path and an error message */
  char *name = pmuv3_cli_shown(file);
  size_t size;
  const char *why;
  char *text = pmuv3_shrink_read(file, &size, &why); /* read once, since the file may be a pipe */
  if (!text) {
    snprintf(error, sizeof error, "%s:1: cannot be read: %s; expected a stimulus file", name, why);
    end(PMUV3_UNUSABLE, error);
  }
  FILE *in = fmemopen(text, size, "r");
  if (!in) pmuv3_cli_no_verdict("out of memory");
  errno = 0;
  if (!pmuv3_stimulus_read(stimulus, in, file, error, sizeof error))
    end(errno == ENOMEM ? PMUV3_NO_VERDICT : PMUV3_UNUSABLE, error);
  free(name);
  fclose(in);

  char *alone = pmuv3_form_alone(text, &stimulus->params);
  free(text);
  return alone;
}
