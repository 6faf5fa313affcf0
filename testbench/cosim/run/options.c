#define _GNU_SOURCE
#include "testbench/cosim/run/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/run/failure.h"
#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/param_lines.h"

enum {
  OPT_CYCLES = 0x100,
  OPT_SEED,
  OPT_CORE,
  OPT_COUNTERS,
  OPT_THREADS,
  OPT_FEATURES,
  OPT_PARAM,
  OPT_EVENTS,
  OPT_JSON,
  OPT_WAVE,
  OPT_OUT,
  OPT_NO_SHRINK
};

static const struct argp_option options[] = {
    {"cycles", OPT_CYCLES, "N", 0, "Processor cycles in all (default 5000000)", 0},
    {"seed", OPT_SEED, "S", 0, "seed of the stimulus (default 1)", 0},
    {"core", OPT_CORE, "NAME", 0, "one configuration: a core's preset (docs/reference/cores.md)",
     0},
    {"counters", OPT_COUNTERS, "K", 0, "one configuration: K event counters, 0..31", 0},
    {"threads", OPT_THREADS, "T", 0, "one configuration: T threads, 1..4", 0},
    {"features", OPT_FEATURES, "LIST", 0, "one configuration: its features, or none", 0},
    {"param", OPT_PARAM, "NAME=VALUE", PMUV3_CLI_REPEATS,
     "one configuration: any parameter (docs/reference/parameters.md)", 0},
    {"events", OPT_EVENTS, "FILE", 0, "one configuration: its events (docs/reference/formats.md)",
     0},
    {"json", OPT_JSON, "FILE", 0, "write the result to FILE", 0},
    {"wave", OPT_WAVE, "OUT.fst", 0, "write an FST of the RTL; one configuration", 0},
    {"out", OPT_OUT, "DIR", 0, "keep what is needed of a divergence in DIR (default divergence)",
     0},
    {"no-shrink", OPT_NO_SHRINK, 0, 0, "do not shrink the stimulus of a divergence", 0},
    {"jobs", 'j', "N", 0, "run N co-simulations side by side (default: one a processor)", 0},
    {0},
};

static void note_parameter(struct pmuv3_run_options *run, const char *name, const char *value) {
  static struct pmuv3_params_given given;
  const char *twice = pmuv3_param_note(&given, name, value);
  if (twice) pmuv3_cli_unusable("%s", twice);
  run->configured = true;
}

static void configure(struct pmuv3_run_options *run, const char *name, const char *value) {
  note_parameter(run, name, value);
  const char *error = pmuv3_param_set(&run->params, name, value);
  if (error) pmuv3_cli_unusable("%s", error);
}

/* A core comes first, as what follows overrides its preset. Errors in the file have its name and
 * line. */
static void configure_core(struct pmuv3_run_options *run, const char *value) {
  if (run->configured) pmuv3_cli_unusable("the core comes before the parameters that override it");
  char path[PATH_MAX], error[PATH_MAX + 512];
  const char *why = pmuv3_core_path(path, sizeof path, value, "");
  if (why) pmuv3_cli_unusable("%s", why);
  FILE *in = pmuv3_events_open(path, &why);
  if (!in) pmuv3_cli_unusable("--core '%s': cannot open it: %s", value, why);
  if (!pmuv3_core_read(&run->params, in, path, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    exit(PMUV3_UNUSABLE);
  }
  fclose(in);
  run->core = value;
  run->configured = true;
}

/* Errors in the file have its name and line. */
static void configure_events(struct pmuv3_run_options *run, const char *file) {
  char error[PATH_MAX + 512];
  const char *why;
  note_parameter(run, "events", file);
  FILE *in = pmuv3_events_open(file, &why);
  if (!in) pmuv3_cli_unusable("--events: cannot open '%s': %s", file, why);
  if (!pmuv3_events_read(&run->params.events, in, file, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    exit(PMUV3_UNUSABLE);
  }
  fclose(in);
}

static void configure_pair(struct pmuv3_run_options *run, char *pair) {
  char *value = strchr(pair, '=');
  if (!value) pmuv3_cli_unusable("--param takes NAME=VALUE, not '%s'", pair);
  *value++ = '\0';
  if (strcmp(pair, "core") == 0)
    configure_core(run, value);
  else if (strcmp(pair, "events") == 0 && strcmp(value, "none") != 0)
    configure_events(run, value);
  else
    configure(run, pair, value);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct pmuv3_run_options *run = state->input;
  switch (key) {
    case OPT_CYCLES:
      run->cycles = pmuv3_cli_number("--cycles", arg, 1, UINT64_MAX / 100);
      return 0;
    case OPT_SEED:
      run->seed = pmuv3_cli_number("--seed", arg, 0, UINT64_MAX);
      return 0;
    case 'j':
      run->jobs = (unsigned)pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_JSON:
      run->json = arg;
      return 0;
    case OPT_WAVE:
      run->wave = arg;
      return 0;
    case OPT_OUT:
      run->out = arg;
      return 0;
    case OPT_NO_SHRINK:
      run->shrinks = false;
      return 0;
    case OPT_CORE:
      configure_core(run, arg);
      return 0;
    case OPT_COUNTERS:
      configure(run, "counters", arg);
      return 0;
    case OPT_THREADS:
      configure(run, "threads", arg);
      return 0;
    case OPT_FEATURES:
      configure(run, "features", arg);
      return 0;
    case OPT_PARAM:
      configure_pair(run, arg);
      return 0;
    case OPT_EVENTS:
      configure_events(run, arg);
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

struct pmuv3_run_options pmuv3_run_options(int argc, char **argv) {
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .doc =
                                       "Randomized lockstep co-simulation of the C model and "
                                       "the RTL through the TLM module.\v"
                                       "Exit status: 0 equivalent, 1 diverged, 2 unusable "
                                       "arguments or output, 3 no verdict."};
  struct pmuv3_run_options run = {
      .cycles = 5000000,
      .seed = 1,
      .out = "divergence",
      .shrinks = true,
      .jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
      .params = pmuv3_params_default(),
  };
  pmuv3_cli_parse(&argp, "pmuv3 run", argc, argv, &run);
  pmuv3_cli_check_output("--json", run.json);
  pmuv3_cli_check_file("--wave", run.wave);
  pmuv3_cli_check_folder("--out", run.out, pmuv3_failure_files);
  if (run.wave && !run.configured)
    pmuv3_cli_unusable(
        "--wave takes one configuration: give --core, --counters, --threads, --features, "
        "--events or --param");
  if (run.wave && pmuv3_cli_given("jobs") && run.jobs > 1)
    pmuv3_cli_unusable("--wave shows one co-simulation, so --jobs is 1, not %u", run.jobs);
  if (!run.configured && run.cycles < PMUV3_NUM_CONFIGURATIONS)
    pmuv3_cli_unusable(
        "--cycles: %d configurations take a cycle each; give %d or more, or name one "
        "configuration",
        PMUV3_NUM_CONFIGURATIONS, PMUV3_NUM_CONFIGURATIONS);
  const char *impossible = pmuv3_params_complete(&run.params);
  if (impossible) pmuv3_cli_unusable("%s", impossible);
  return run;
}
