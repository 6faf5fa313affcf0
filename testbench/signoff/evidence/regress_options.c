#define _GNU_SOURCE
#include "testbench/signoff/evidence/regress_options.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/database_files.h"
#include "testbench/signoff/evidence/regression.h"

enum {
  OPT_CONFIGURATIONS = 0x100,
  OPT_SEEDS,
  OPT_FIRST_SEED,
  OPT_CYCLES,
  OPT_TIME,
  OPT_DATABASE,
  OPT_JUNIT,
  OPT_OUT,
  OPT_NO_SHRINK,
  OPT_SHARD_SEEDS,
  OPT_SHARDS,
  OPT_SHARD,
  OPT_MERGE
};

enum { SHARD_CYCLES = 1000000 }; /* of a shard: some seconds */

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

static const struct argp_option options[] = {
    {"configurations", OPT_CONFIGURATIONS, "NAME,...", 0,
     "these configurations, as run names them (default: all)", 0},
    {"seeds", OPT_SEEDS, "N", 0,
     "seeds of each configuration (default " TEXT(PMUV3_REGRESSION_SEEDS) "; with --time, no end)",
     0},
    {"first-seed", OPT_FIRST_SEED, "S", 0, "the first of them (default 1)", 0},
    {"cycles", OPT_CYCLES, "N", 0,
     "Processor cycles of a task (default " TEXT(PMUV3_REGRESSION_CYCLES) ")", 0},
    {"time", OPT_TIME, "SECONDS", 0, "start no task after that (default: no limit)", 0},
    {"jobs", 'j', "N", 0, "run N tasks side by side (default: one a processor)", 0},
    {"db", OPT_DATABASE, "FILE", 0,
     "the evidence database (default build/evidence.db, in release alone)", 0},
    {"junit", OPT_JUNIT, "FILE", 0, "write the results to FILE, as JUnit XML", 0},
    {"out", OPT_OUT, "DIR", 0, "keep divergences in folders of DIR (default divergences)", 0},
    {"no-shrink", OPT_NO_SHRINK, 0, 0, "do not shrink the stimuli of divergences", 0},
    {"shard-seeds", OPT_SHARD_SEEDS, "N", 0,
     "seeds of a configuration in a shard (default: as many as have a million cycles)", 0},
    {"shards", OPT_SHARDS, 0, 0, "list the shards that have no result (docs/design/farm.md)", 0},
    {"shard", OPT_SHARD, "FILE", 0, "be a shard: write the results to FILE, not to a database", 0},
    {"merge", OPT_MERGE, "DIR", 0, "merge the files of shards in DIR, report, and run nothing", 0},
    {0},
};

/* Chooses the configuration whose whole name is next in the list. A name may contain commas.
 * Returns the rest of the list. */
static const char *choose_next(struct pmuv3_regress_options *regress, const char *list) {
  for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++) {
    const size_t length = strlen(pmuv3_configurations[i].name);
    if (strncmp(list, pmuv3_configurations[i].name, length) != 0) continue;
    if (list[length] != '\0' && list[length] != ',') continue;
    regress->configurations[i] = true;
    return list + length;
  }
  pmuv3_cli_unusable("--configurations: no configuration is named '%s'", list);
}

static void choose(struct pmuv3_regress_options *regress, const char *list) {
  memset(regress->configurations, false, sizeof regress->configurations);
  for (const char *end; *(end = choose_next(regress, list)); list = end + 1) continue;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct pmuv3_regress_options *regress = state->input;
  switch (key) {
    case OPT_CONFIGURATIONS:
      choose(regress, arg);
      return 0;
    case OPT_SEEDS:
      regress->num_seeds = pmuv3_cli_number("--seeds", arg, 1, PMUV3_SEEDS_WITHOUT_END - 1);
      return 0;
    case OPT_FIRST_SEED:
      regress->first_seed = pmuv3_cli_number("--first-seed", arg, 0, UINT32_MAX);
      return 0;
    case OPT_CYCLES:
      regress->cycles = pmuv3_cli_number("--cycles", arg, 1, UINT32_MAX);
      return 0;
    case OPT_TIME:
      regress->seconds = (double)pmuv3_cli_number("--time", arg, 1, UINT32_MAX);
      return 0;
    case 'j':
      regress->jobs = (unsigned)pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_DATABASE:
      regress->database = arg;
      return 0;
    case OPT_JUNIT:
      regress->junit = arg;
      return 0;
    case OPT_OUT:
      regress->out = arg;
      return 0;
    case OPT_NO_SHRINK:
      regress->shrinks = false;
      return 0;
    case OPT_SHARD_SEEDS:
      regress->shard_seeds = pmuv3_cli_number("--shard-seeds", arg, 1, UINT32_MAX);
      return 0;
    case OPT_SHARDS:
      pmuv3_shards_set(&regress->shards, PMUV3_SHARDS_LIST, NULL);
      return 0;
    case OPT_SHARD:
      pmuv3_shards_set(&regress->shards, PMUV3_SHARDS_ONE, arg);
      return 0;
    case OPT_MERGE:
      pmuv3_shards_set(&regress->shards, PMUV3_SHARDS_MERGE, arg);
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* Shards are merged into evidence, which is of release. */
static void check_preset(const struct pmuv3_regress_options *regress) {
  if (pmuv3_preset_is_release()) return;
  if (regress->shards.mode != PMUV3_SHARDS_NONE)
    pmuv3_cli_unusable("a build of the preset %s has no shards", pmuv3_preset);
  if (!regress->database)
    pmuv3_cli_unusable("a build of the preset %s needs --db: build/evidence.db is of release",
                       pmuv3_preset);
}

/* A shard has no database, and its database is checked when it is merged. */
static void check_outputs(const struct pmuv3_regress_options *regress) {
  if (regress->shards.mode == PMUV3_SHARDS_ONE)
    pmuv3_cli_check_file("--shard", regress->shards.path);
  else
    pmuv3_database_check("--db", regress->database);
  if (regress->junit) pmuv3_database_check_apart("--junit", regress->junit);
  pmuv3_database_check_apart("--out", regress->out);
  pmuv3_cli_check_output("--junit", regress->junit);
  pmuv3_cli_check_folder("--out", regress->out, (const char *const[]){NULL});
}

static void check_mode(const struct pmuv3_regress_options *regress) {
  if (regress->shards.mode == PMUV3_SHARDS_NONE) {
    if (regress->shard_seeds) pmuv3_cli_unusable("--shard-seeds needs --shards");
    return;
  }
  if (!isinf(regress->seconds)) pmuv3_cli_unusable("--time: shards have no time in common");
  if (regress->shards.mode == PMUV3_SHARDS_ONE && regress->junit)
    pmuv3_cli_unusable("--junit: a shard has no report; its results are merged");
}

struct pmuv3_regress_options pmuv3_regress_options(int argc, char **argv) {
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .doc =
                                       "Many seeds of every configuration in lockstep, each a "
                                       "task. The results are in the evidence database; what "
                                       "is there already is not run again.\v"
                                       "Exit status: 0 equivalent, 1 something diverged, 2 "
                                       "unusable arguments or output, 3 no verdict: nothing "
                                       "diverged, but something crashed or nothing was run."};
  struct pmuv3_regress_options regress = {
      .first_seed = 1,
      .cycles = PMUV3_REGRESSION_CYCLES,
      .seconds = INFINITY,
      .jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
      .database = pmuv3_preset_is_release() ? "build/evidence.db" : NULL,
      .out = "divergences",
      .shrinks = true,
  };
  memset(regress.configurations, true, sizeof regress.configurations);
  pmuv3_cli_parse(&argp, "pmuv3 regress", argc, argv, &regress);
  check_mode(&regress);
  check_preset(&regress);
  check_outputs(&regress);
  if (!regress.shard_seeds)
    regress.shard_seeds = regress.cycles < SHARD_CYCLES ? SHARD_CYCLES / regress.cycles : 1;
  if (!regress.num_seeds)
    regress.num_seeds = isinf(regress.seconds) ? PMUV3_REGRESSION_SEEDS : PMUV3_SEEDS_WITHOUT_END;
  return regress;
}
