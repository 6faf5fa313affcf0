#define _GNU_SOURCE
#include <argz.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/check/bench/emit.h"
#include "testbench/cosim/check/bench/evidence.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/cli/cli.h"

/* The database keeps seeds in integers with a sign. */
#define LAST_SEED ((uint64_t)INT64_MAX)

enum { DEFAULT_CLOCKS = 5000000, RECORDED_CLOCKS = 20000 };

enum {
  OPT_CYCLES = 0x100,
  OPT_SEED,
  OPT_JSON,
  OPT_JUNIT,
  OPT_OUT,
  OPT_REPLAY,
  OPT_WAVE,
  OPT_MODE,
  OPT_NO_SHRINK,
  OPT_CALIBRATE,
  OPT_EMIT,
  OPT_MODULE,
  OPT_SECONDS,
  OPT_DATABASE,
  OPT_PAGE,
  OPT_SOURCE,
  OPT_SOURCES,
  OPT_RECORDED,
  OPT_SCOPE,
  OPT_INPUT,
  OPT_READS,
  OPT_SEEDS,
  OPT_SHARD_SEEDS,
  OPT_SHARDS,
  OPT_SHARD,
  OPT_MERGE,
  OPT_AGAIN,
  OPT_UNREAD,
  OPT_DIFFERS,
  OPT_VARIANT,
  OPT_DESCRIPTION,
  OPT_DEVICE
};

const char *const divergence_files[] = {"stimulus.check", "minimal.check", "divergence.txt",
                                        "counterexample.check", NULL};

static const struct argp_option options[] = {
    {"cycles", OPT_CYCLES, "N", 0,
     "clocks in all (default 5000000; with --calibrate and --emit 20000)", 0},
    {"seed", OPT_SEED, "S", 0, "seed of the stimulus (default 1)", 0},
    {"seeds", OPT_SEEDS, "N", 0, "N seeds from that on, each a run that is recorded", 0},
    {"jobs", 'j', "N", 0, "N processes side by side (default: one a processor)", 0},
    {"mode", OPT_MODE, "MODE", 0, "exact, within or settled, instead of the description's", 0},
    {"json", OPT_JSON, "FILE", 0, "write the result to FILE", 0},
    {"junit", OPT_JUNIT, "FILE", 0, "write the result to FILE, as JUnit XML", 0},
    {"out", OPT_OUT, "DIR", 0, "keep the files of a divergence in DIR (default divergence-check)",
     0},
    {"replay", OPT_REPLAY, "FILE", 0, "run one stimulus file instead", 0},
    {"wave", OPT_WAVE, "OUT.fst", 0, "with --replay: write the device's signals", 0},
    {"calibrate", OPT_CALIBRATE, 0, 0, "find the device's latencies", 0},
    {"recorded", OPT_RECORDED, "FILE", 0, "check a VCD or an FST instead of RTL", 0},
    {"scope", OPT_SCOPE, "PATH", 0, "with --recorded: the device's instance, as tb.dut", 0},
    {"emit", OPT_EMIT, "DIR", 0, "write a monitor and a player for other simulators", 0},
    {"no-shrink", OPT_NO_SHRINK, 0, 0, "do not shrink the stimulus of a divergence", 0},
    {"seconds", OPT_SECONDS, "N", 0, "shrink for N seconds at most (default 60)", 0},
    {"db", OPT_DATABASE, "FILE", 0,
     "record the run in this evidence database (default build/check/evidence.db)", 0},
    {"page", OPT_PAGE, "FILE", 0, "write a page of all recorded runs of this device", 0},
    {"source", OPT_SOURCE, "DIGEST", OPTION_HIDDEN,
     "of the device's sources; none: there is no evidence", 0},
    {"sources", OPT_SOURCES, "LIST", OPTION_HIDDEN,
     "the device's sources, as sha256sum --check reads them", 0},
    {"module", OPT_MODULE, "TOP", OPTION_HIDDEN, "the device's top module", 0},
    {"input", OPT_INPUT, "FILE", OPTION_HIDDEN | PMUV3_CLI_REPEATS, "Verilator reads FILE", 0},
    {"reads", OPT_READS, "FILE", OPTION_HIDDEN | PMUV3_CLI_REPEATS, "the device reads FILE", 0},
    {"again", OPT_AGAIN, "WORDS", OPTION_HIDDEN, "what a second simulator compared", 0},
    {"unread", OPT_UNREAD, "WHY", OPTION_HIDDEN, "why a second simulator compared nothing", 0},
    {"differs", OPT_DIFFERS, "WORDS", OPTION_HIDDEN, "how it diverged in a second simulator", 0},
    {"variant", OPT_VARIANT, "FILE", OPTION_HIDDEN, "RTL that has other text without VERILATOR", 0},
    {"shard-seeds", OPT_SHARD_SEEDS, "N", 0, "seeds of a shard (default 1)", 0},
    {"shards", OPT_SHARDS, 0, 0, "list the shards that have no result (docs/design/farm.md)", 0},
    {"shard", OPT_SHARD, "FILE", 0, "be a shard: write the results to FILE, not to a database", 0},
    {"merge", OPT_MERGE, "DIR", 0, "merge the files of shards in DIR, report, and run nothing", 0},
    {"description", OPT_DESCRIPTION, "FILE", OPTION_HIDDEN, "DESCRIPTION, of a shard", 0},
    {"device", OPT_DEVICE, "WORD", OPTION_HIDDEN | PMUV3_CLI_REPEATS, "a word of RTL, of a shard",
     0},
    {0},
};

/* NULL ends the words. */
static void add_word(struct options *o, char *word) {
  static size_t number;
  o->device = reallocarray(o->device, number + 2, sizeof *o->device);
  if (!o->device) pmuv3_cli_no_verdict("out of memory");
  o->device[number++] = word;
  o->device[number] = NULL;
}

static int64_t newer(int64_t time, const struct stat *file) {
  const int64_t changed = file->st_ctim.tv_sec * INT64_C(1000000000) + file->st_ctim.tv_nsec;
  return changed > time ? changed : time;
}

/* A link may have another target for a while. */
int64_t options_last_change(const struct options *o) {
  int64_t last = 0;
  struct stat file;
  for (const char *path = NULL; (path = argz_next(o->reads, o->reads_length, path));) {
    if (stat(path, &file) == 0) last = newer(last, &file);
    if (lstat(path, &file) == 0) last = newer(last, &file);
  }
  return last;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *o = state->input;
  switch (key) {
    case OPT_CYCLES:
      o->cycles = pmuv3_cli_number("--cycles", arg, 1, UINT64_MAX / 1000);
      return 0;
    case OPT_SEED:
      o->seed = pmuv3_cli_number("--seed", arg, 0, LAST_SEED);
      o->has_seed = true;
      return 0;
    case 'j':
      o->jobs = (unsigned)pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_MODE:
      o->mode = arg;
      return 0;
    case OPT_JSON:
      o->json = arg;
      return 0;
    case OPT_JUNIT:
      o->junit = arg;
      return 0;
    case OPT_OUT:
      o->out = arg;
      return 0;
    case OPT_REPLAY:
      o->replay = arg;
      return 0;
    case OPT_WAVE:
      o->wave = arg;
      return 0;
    case OPT_CALIBRATE:
      o->calibrates = true;
      return 0;
    case OPT_EMIT:
      o->emit = arg;
      return 0;
    case OPT_RECORDED:
      o->recorded = arg;
      return 0;
    case OPT_SCOPE:
      o->scope = arg;
      return 0;
    case OPT_MODULE:
      o->module = arg;
      return 0;
    case OPT_DATABASE:
      o->names_database = o->database != NULL; /* the first is the default */
      o->database = arg;
      return 0;
    case OPT_PAGE:
      o->page = arg;
      return 0;
    case OPT_SOURCE:
      o->source = arg;
      return 0;
    case OPT_SOURCES:
      o->sources = arg;
      return 0;
    case OPT_NO_SHRINK:
      o->shrinks = false;
      return 0;
    case OPT_SECONDS:
      o->seconds = (double)pmuv3_cli_number("--seconds", arg, 1, 1000000);
      return 0;
    case OPT_INPUT:
      pmuv3_cli_note_input(arg);
      return 0;
    case OPT_READS:
      pmuv3_cli_note_input(arg);
      if (argz_add(&o->reads, &o->reads_length, arg) != 0) pmuv3_cli_no_verdict("out of memory");
      o->last_change = options_last_change(o);
      return 0;
    case OPT_SEEDS:
      o->num_seeds = pmuv3_cli_number("--seeds", arg, 1, 1000000);
      return 0;
    case OPT_SHARD_SEEDS:
      o->shard_seeds = pmuv3_cli_number("--shard-seeds", arg, 1, 1000000);
      return 0;
    case OPT_SHARDS:
      pmuv3_shards_set(&o->shards, PMUV3_SHARDS_LIST, NULL);
      return 0;
    case OPT_SHARD:
      pmuv3_shards_set(&o->shards, PMUV3_SHARDS_ONE, arg);
      return 0;
    case OPT_MERGE:
      pmuv3_shards_set(&o->shards, PMUV3_SHARDS_MERGE, arg);
      return 0;
    case OPT_AGAIN:
      o->again = arg;
      return 0;
    case OPT_UNREAD:
      o->unread = arg;
      return 0;
    case OPT_DIFFERS:
      o->differs = arg;
      return 0;
    case OPT_VARIANT:
      o->variant = arg;
      return 0;
    case OPT_DESCRIPTION:
      o->description = arg;
      return 0;
    case OPT_DEVICE:
      add_word(o, arg);
      return 0;
    case ARGP_KEY_ARGS:
      o->description = state->argv[state->next];
      o->device = &state->argv[state->next + 1];
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static bool is_mode(const char *name) {
  for (unsigned m = PMUV3_MODE_EXACT; m <= PMUV3_MODE_SETTLED; m++)
    if (strcmp(name, pmuv3_mode_name((enum pmuv3_mode)m)) == 0) return true;
  return false;
}

/* What drives a device is of no use for a recording. */
static void expect_recorded(const struct options *o) {
  if (!o->recorded) {
    if (o->scope) pmuv3_cli_unusable("--scope needs --recorded");
    return;
  }
  if (o->device && *o->device)
    pmuv3_cli_unusable("--recorded takes no RTL, but '%s' is given", *o->device);
  if (o->replay || o->wave || o->emit || o->jobs || o->out || !o->shrinks || o->seconds > 0)
    pmuv3_cli_unusable(
        "--recorded takes no --replay, --wave, --emit, --jobs, --out, --no-shrink or --seconds");
  if (o->has_seed || (o->cycles && !o->calibrates))
    pmuv3_cli_unusable("--recorded takes no --seed, and --cycles only with --calibrate");
  pmuv3_cli_check_input("--recorded", o->recorded);
}

/* A campaign of seeds is what is recorded of them. */
static void expect_seeds(const struct options *o) {
  const bool splits = o->shards.mode != PMUV3_SHARDS_NONE;
  if (!o->num_seeds && (splits || o->shard_seeds))
    pmuv3_cli_unusable("shards are of many seeds: --seeds is missing");
  if (!splits && o->shard_seeds)
    pmuv3_cli_unusable("--shard-seeds needs --slurm, --shards or --merge");
  if (!o->num_seeds) return;
  if (o->replay || o->recorded || o->emit || o->calibrates)
    pmuv3_cli_unusable("--seeds takes no --replay, --recorded, --emit or --calibrate");
  if (o->seed > UINT32_MAX) pmuv3_cli_unusable("--seeds takes a --seed below 2^32");
  if (!o->database && o->shards.mode != PMUV3_SHARDS_ONE)
    pmuv3_cli_unusable("--seeds: these runs cannot be recorded");
  if (o->shards.mode == PMUV3_SHARDS_ONE && (o->json || o->junit || o->page))
    pmuv3_cli_unusable("--shard takes no --json, --junit or --page: its results are merged");
}

struct options options_parse(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "DESCRIPTION RTL...",
      .doc =
          "Checks a device against the C model (docs/reference/check.md).\v"
          "Exit status: 0 equivalent, 1 diverged, 2 unusable arguments, input or output, 3 no "
          "verdict."};
  struct options o = {.seed = 1, .shrinks = true};
  pmuv3_cli_parse(&argp, "pmuv3 check", argc, argv, &o);
  if (!o.description) pmuv3_cli_unusable("a description is missing; see ./pmuv3 help");
  expect_recorded(&o);
  if (o.calibrates && (o.emit || o.wave || o.mode || o.junit))
    pmuv3_cli_unusable("--calibrate takes no --emit, --wave, --mode or --junit");
  if (o.emit && (o.wave || o.mode || o.json || o.junit))
    pmuv3_cli_unusable("--emit takes no --wave, --mode, --json or --junit");
  const bool records = o.calibrates || o.emit;
  if (records && (o.jobs || o.out || !o.shrinks || o.seconds > 0))
    pmuv3_cli_unusable("%s takes no --jobs, --out, --no-shrink or --seconds",
                       o.emit ? "--emit" : "--calibrate");
  const char *unrecorded = o.recorded     ? "--recorded"
                           : o.replay     ? "--replay"
                           : o.emit       ? "--emit"
                           : o.calibrates ? "--calibrate"
                                          : NULL;
  if (unrecorded && (o.page || o.names_database))
    pmuv3_cli_unusable("%s takes no %s: it is no evidence", unrecorded, o.page ? "--page" : "--db");
  if (o.replay && (o.has_seed || o.cycles || o.jobs || o.out || !o.shrinks || o.seconds > 0))
    pmuv3_cli_unusable(
        "--replay takes no --seed, --cycles, --jobs, --out, --no-shrink or --seconds");
  if (o.page && !o.database) pmuv3_cli_unusable("--page needs --db");
  const bool is_known = !o.source || strcmp(o.source, "none") != 0;
  if (unrecorded || !is_known || o.shards.mode == PMUV3_SHARDS_ONE) o.database = NULL;
  expect_seeds(&o);
  if (o.shard_seeds == 0) o.shard_seeds = 1;
  if (o.jobs == 0) o.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
  if (!o.out) o.out = "divergence-check"; /* `run` has `divergence` */
  if (o.seconds == 0) o.seconds = 60;
  if (o.cycles == 0) o.cycles = records ? RECORDED_CLOCKS : DEFAULT_CLOCKS;
  if (records && o.cycles > MAX_RECORDED_CLOCKS)
    pmuv3_cli_unusable("--cycles: a recording has at most %d clocks", MAX_RECORDED_CLOCKS);
  if (o.mode && !is_mode(o.mode))
    pmuv3_cli_unusable("--mode takes exact, within or settled, not '%s'", o.mode);
  if (o.wave && !o.replay) pmuv3_cli_unusable("--wave needs --replay");
  pmuv3_cli_check_input("the description", o.description);
  if (o.replay) pmuv3_cli_check_input("--replay", o.replay);
  pmuv3_cli_check_output("--json", o.json);
  pmuv3_cli_check_output("--junit", o.junit);
  pmuv3_cli_check_file("--wave", o.wave);
  pmuv3_cli_check_file("--page", o.page);
  if (o.database) evidence_check(o.database);
  if (o.shards.mode == PMUV3_SHARDS_ONE) pmuv3_cli_check_file("--shard", o.shards.path);
  if (o.emit) pmuv3_cli_check_folder("--emit", o.emit, emit_files);
  if (!o.replay && !o.recorded && !records)
    pmuv3_cli_check_folder("--out", o.out, divergence_files);
  return o;
}
