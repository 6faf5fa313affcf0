/*
 * How many cycles it takes to cover all that can be: the built-in configurations in turn, on the C
 * model alone (a lockstep of two of them: coverage is of what was observed, which is the same),
 * with stimulus that is biased toward open bins or without.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/shrink/play.h"
#include "testbench/cosim/stimulus/prng.h"
#include "testbench/cosim/stimulus/random.h"
#include "testbench/signoff/coverage/bias.h"
#include "testbench/signoff/coverage/coverage.h"

struct options {
  uint64_t seeds;
  uint64_t rounds;
  uint64_t cycles;
  bool biased;
  bool holes;
};

enum { OPT_SEEDS = 0x100, OPT_ROUNDS, OPT_CYCLES, OPT_BIAS, OPT_HOLES };

static const struct argp_option argp_options[] = {
    {"seeds", OPT_SEEDS, "N", 0, "so many seeds, from 1 on (default 3)", 0},
    {"rounds", OPT_ROUNDS, "N", 0, "at most so many rounds of all configurations (default 200)", 0},
    {"cycles", OPT_CYCLES, "N", 0, "of a configuration in a round (default 10000)", 0},
    {"bias", OPT_BIAS, 0, 0, "prefer what earlier rounds left open", 0},
    {"holes", OPT_HOLES, 0, 0, "list what stays open", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_SEEDS:
      options->seeds = pmuv3_cli_number("--seeds", arg, 1, UINT32_MAX);
      return 0;
    case OPT_ROUNDS:
      options->rounds = pmuv3_cli_number("--rounds", arg, 1, UINT32_MAX);
      return 0;
    case OPT_CYCLES:
      options->cycles = pmuv3_cli_number("--cycles", arg, 1, UINT32_MAX);
      return 0;
    case OPT_BIAS:
      options->biased = true;
      return 0;
    case OPT_HOLES:
      options->holes = true;
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see --help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* The bins that at least one configuration can reach. */
static bool *find_goals(void) {
  const size_t num_bins = pmuv3_coverage_num_bins();
  bool *goals = calloc(num_bins, sizeof *goals);
  if (!goals) pmuv3_cli_no_verdict("out of memory");
  for (unsigned i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const struct pmuv3_params params = pmuv3_configuration_params(i);
    for (size_t bin = 0; bin < num_bins; bin++)
      goals[bin] |= pmuv3_coverage_reachable(bin, &params);
  }
  return goals;
}

static size_t count_open(const bool *goals, const uint64_t *hits, bool list) {
  size_t open = 0;
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    if (!goals[bin] || hits[bin]) continue;
    if (list) printf("%s\n", pmuv3_coverage_name(bin));
    open++;
  }
  return open;
}

static void run(const struct pmuv3_params *params, uint64_t seed, uint64_t cycles,
                const struct pmuv3_bias *bias, uint64_t *hits) {
  struct pmuv3_side *side =
      pmuv3_side_lockstep(pmuv3_side_cmodel(params), pmuv3_side_cmodel(params));
  struct pmuv3_collector *collector = pmuv3_collector_create(params, hits);
  struct pmuv3_random *random = pmuv3_random_create(params, seed);
  if (!side || !collector || !random) pmuv3_cli_no_verdict("out of memory");
  if (bias) pmuv3_random_bias(random, bias);
  pmuv3_lockstep_observe(side, collector);
  while (pmuv3_lockstep_cycles(side) < cycles && !pmuv3_lockstep_wrong(side))
    pmuv3_play_item(side, pmuv3_random_next(random));
  if (pmuv3_lockstep_wrong(side)) pmuv3_cli_no_verdict("%s", pmuv3_lockstep_wrong(side));
  pmuv3_side_destroy(side);
  pmuv3_collector_destroy(collector);
  pmuv3_random_destroy(random);
}

/* One round. The bias prefers bins that the rounds before left open. */
static void run_round(const struct options *options, uint64_t *state, uint64_t *hits) {
  struct pmuv3_bias biases[PMUV3_NUM_CONFIGURATIONS];
  for (unsigned i = 0; options->biased && i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const struct pmuv3_params params = pmuv3_configuration_params(i);
    biases[i] = pmuv3_coverage_bias(&params, hits);
  }
  for (unsigned i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const struct pmuv3_params params = pmuv3_configuration_params(i);
    run(&params, pmuv3_splitmix64(state), options->cycles, options->biased ? &biases[i] : NULL,
        hits);
  }
}

static void close_coverage(const struct options *options, uint64_t seed, const bool *goals) {
  uint64_t *hits = calloc(pmuv3_coverage_num_bins(), sizeof *hits);
  if (!hits) pmuv3_cli_no_verdict("out of memory");
  uint64_t state = seed, round = 0;
  size_t open = count_open(goals, hits, false);
  while (open > 0 && round < options->rounds) {
    run_round(options, &state, hits);
    round++;
    open = count_open(goals, hits, false);
    printf("seed %" PRIu64 " cycles %" PRIu64 " open %zu\n", seed,
           round * options->cycles * PMUV3_NUM_CONFIGURATIONS, open);
    fflush(stdout);
  }
  if (options->holes) count_open(goals, hits, true);
  free(hits);
}

int main(int argc, char **argv) {
  static const struct argp argp = {
      .options = argp_options, .parser = parse, .doc = "Cycles until all is covered."};
  struct options options = {.seeds = 3, .rounds = 200, .cycles = 10000};
  pmuv3_cli_parse(&argp, "pmuv3-closure", argc, argv, &options);
  bool *goals = find_goals();
  for (uint64_t seed = 1; seed <= options.seeds; seed++) close_coverage(&options, seed, goals);
  free(goals);
  return 0;
}
