/* pmuv3 shrink: the smallest stimulus file on which the C model and the RTL still differ. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cli/cli.h"
#include "testbench/shrink/files.h"
#include "testbench/stimulus/stimulus.h"

struct arguments {
  const char *file;
  const char *out; /* NULL: FILE with .min.stim */
  const char *test;
  struct pmuv3_shrink_options options;
};

enum { OPT_SECONDS = 0x100, OPT_TEST, OPT_SAME, OPT_X_SEED };

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct arguments *arguments = state->input;
  switch (key) {
    case 'o':
      arguments->out = arg;
      return 0;
    case OPT_SECONDS:
      arguments->options.seconds = (double)pmuv3_cli_number("--seconds", arg, 1, 1000000);
      return 0;
    case OPT_TEST:
      arguments->test = arg;
      return 0;
    case OPT_SAME:
      arguments->options.same = true;
      return 0;
    case OPT_X_SEED:
      arguments->options.x_seed = (uint32_t)pmuv3_cli_number("--x-seed", arg, 1, INT32_MAX);
      return 0;
    case ARGP_KEY_ARG:
      if (arguments->file) pmuv3_cli_unusable("'%s' is a second FILE; one is expected", arg);
      arguments->file = arg;
      return 0;
    case ARGP_KEY_NO_ARGS:
      pmuv3_cli_unusable("a stimulus FILE is missing; see ./pmuv3 help");
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct arguments parse_arguments(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"out", 'o', "OUT", 0, "write the smallest file to OUT (default FILE as *.min.stim)", 0},
      {"seconds", OPT_SECONDS, "N", 0, "try for N seconds at most (default 60)", 0},
      {"test", OPT_TEST, "OUT.cc", 0, "write a GoogleTest with it, too", 0},
      {"same", OPT_SAME, 0, 0, "the first divergence stays one of the same signal", 0},
      {"x-seed", OPT_X_SEED, "N", 0, "seed of the RTL's random initial values (default 1)", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse_argument,
      .args_doc = "FILE",
      .doc =
          "Shrinks a stimulus file on which the C model and the RTL differ (docs/shrink.md).\v"
          "Exit status: 0 they do not differ, and nothing is written; 1 they differ, and the "
          "smallest file is written; 2 unusable arguments or input.",
  };
  struct arguments arguments = {.options = {.x_seed = 1, .seconds = 60}};
  pmuv3_cli_parse(&argp, "pmuv3 shrink", argc, argv, &arguments);
  return arguments;
}

/* The file beside FILE whose name ends in .min.stim instead of .stim. */
static const char *default_out(const char *file) {
  static char out[4096];
  size_t length = strlen(file);
  if (length > 5 && strcmp(file + length - 5, ".stim") == 0) length -= 5;
  if (snprintf(out, sizeof out, "%.*s.min.stim", (int)length, file) >= (int)sizeof out)
    pmuv3_cli_unusable("the name of FILE is too long; -o OUT is expected");
  return out;
}

static _Noreturn void unusable_input(const char *error) {
  fprintf(stderr, "%s\n", error);
  exit(PMUV3_UNUSABLE);
}

/* Its text, when it is a stimulus file. */
static char *read_stimulus(const char *name) {
  char error[4096 + 512]; /* a path and what is wrong */
  struct pmuv3_stimulus stimulus;
  FILE *in = fopen(name, "rb");
  char *text = in ? pmuv3_shrink_read(name) : NULL;
  if (!text) {
    snprintf(error, sizeof error, "%s:1: cannot be read: %s; expected a stimulus file", name,
             strerror(errno));
    unusable_input(error);
  }
  if (!pmuv3_stimulus_read(&stimulus, in, name, error, sizeof error)) unusable_input(error);
  fclose(in);
  pmuv3_stimulus_free(&stimulus);
  return text;
}

static void print_shrunk(const struct pmuv3_shrunk *shrunk, const struct arguments *arguments) {
  printf("%s: %zu lines\n%s: %zu lines, after %u tries in %.1f s%s\n", arguments->file,
         shrunk->lines_before, arguments->out, shrunk->lines_after, shrunk->tries, shrunk->seconds,
         shrunk->in_time ? "" : "; out of time, so it may be larger than need be");
  pmuv3_divergence_print(stdout, &shrunk->divergence);
}

int main(int argc, char **argv) {
  struct arguments arguments = parse_arguments(argc, argv);
  char *text = read_stimulus(arguments.file);
  if (!arguments.out) arguments.out = default_out(arguments.file);
  pmuv3_cli_check_output("-o", arguments.out);
  pmuv3_cli_check_output("--test", arguments.test);

  struct pmuv3_shrunk shrunk;
  const bool diverged = pmuv3_shrink(&shrunk, text, &arguments.options);
  free(text);
  if (!diverged) {
    printf("%s: no divergence, so nothing to shrink\n", arguments.file);
    return 0;
  }
  if (!pmuv3_shrink_save(&shrunk, arguments.out, arguments.test, arguments.options.x_seed))
    pmuv3_cli_unusable("cannot write what was shrunk: %s", strerror(errno));
  print_shrunk(&shrunk, &arguments);
  free(shrunk.text);
  return 1;
}
