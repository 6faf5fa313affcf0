#include "testbench/signoff/bench/options.h"

#include <errno.h>
#include <stdlib.h>

#include "testbench/cosim/cli/cli.h"

enum { OPT_REPETITIONS = 0x100, OPT_MIN_TIME, OPT_JSON };

static const struct argp_option options[] = {
    {"repetitions", OPT_REPETITIONS, "N", 0, "of every measurement, interleaved (default 9)", 0},
    {"min-time", OPT_MIN_TIME, "SECONDS", 0, "of a repetition (default 0.2)", 0},
    {"json", OPT_JSON, "FILE", 0, "write the result to FILE", 0},
    {0},
};

static double number(const char *option, const char *text, double min, double max) {
  char *end;
  errno = 0;
  double value = strtod(text, &end);
  if (errno || end == text || *end || !(value >= min && value <= max))
    pmuv3_cli_unusable("%s takes a number from %g to %g, not '%s'", option, min, max, text);
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct pmuv3_bench_options *bench = state->input;
  switch (key) {
    case OPT_REPETITIONS:
      bench->repetitions = (unsigned)pmuv3_cli_number("--repetitions", arg, 1, 1000);
      return 0;
    case OPT_MIN_TIME:
      bench->min_time = number("--min-time", arg, 0.001, 1000);
      return 0;
    case OPT_JSON:
      bench->json = arg;
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

struct pmuv3_bench_options pmuv3_bench_parse(int argc, char **argv) {
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .doc =
                                       "Speed of the C model, of the Verilated RTL and of both in "
                                       "lockstep, on the same stimulus.\v"
                                       "Exit status: 0 measured, 1 the sides diverged, 2 unusable "
                                       "arguments or output, 3 a measurement died."};
  struct pmuv3_bench_options bench = {.repetitions = 9, .min_time = 0.2};
  pmuv3_cli_parse(&argp, "pmuv3 bench", argc, argv, &bench);
  pmuv3_cli_check_output("--json", bench.json);
  return bench;
}
