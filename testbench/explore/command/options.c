#define _GNU_SOURCE
#include "testbench/explore/command/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/param_lines.h"
#include "testbench/explore/command/ask.h"
#include "testbench/explore/command/plot.h"

enum {
  OPT_CONFIG = 0x100,
  OPT_ASK,
  OPT_EVENT,
  OPT_INTERVAL,
  OPT_PERIOD,
  OPT_CSV,
  OPT_JSON,
  OPT_PLOT,
  OPT_CHECK,
  OPT_VERIFY,
  OPT_SEED,
  OPT_CORE,
  OPT_PARAM,
  OPT_VECTORS,
  OPT_SHARD_PMUS,
  OPT_PMUS,
  OPT_SHARDS,
  OPT_SHARD,
  OPT_MERGE,
};

static const struct argp_option options[] = {
    {"config", OPT_CONFIG, "FILE", 0, "the counters (docs/reference/explore.md)", 0},
    {"ask", OPT_ASK, "QUESTION", 0,
     "width, episodes, coincide, topdown, multiplex or bias, instead of --config", 0},
    {"event", OPT_EVENT, "EVENT", 0, "the event that the question is about", 0},
    {"interval", OPT_INTERVAL, "N", 0, "cycles of an interval (default: 1000 intervals)", 0},
    {"period", OPT_PERIOD, "N", 0, "occurrences between two samples of --ask bias", 0},
    {"csv", OPT_CSV, "FILE", 0, "write what was counted in each interval, or the question's table",
     0},
    {"json", OPT_JSON, "FILE", 0, "write the results to FILE", 0},
    {"plot", OPT_PLOT, "FILE", 0, "draw a plot, .svg or .png", 0},
    {"check", OPT_CHECK, "N", 0, "replay N random windows on the C model and on the RTL", 0},
    {"verify", OPT_VERIFY, 0, 0, "first check every byte of the trace, also of other columns", 0},
    {"seed", OPT_SEED, "S", 0, "seed of the windows (default 1)", 0},
    {"core", OPT_CORE, "NAME", 0, "parameters: a core's preset (docs/reference/cores.md)", 0},
    {"param", OPT_PARAM, "NAME=VALUE", PMUV3_CLI_REPEATS,
     "any parameter (docs/reference/parameters.md)", 0},
    {"vectors", OPT_VECTORS, "SET", 0, "avx512, avx2 or none (default: the best that there is)", 0},
    {"jobs", 'j', "N", 0, "threads of the computer (default: one a processor)", 0},
    {"shard-pmus", OPT_SHARD_PMUS, "N", 0, "PMUs of a shard (default 4)", 0},
    {"shards", OPT_SHARDS, 0, 0, "list the shards (docs/design/farm.md)", 0},
    {"shard", OPT_SHARD, "FILE", 0, "be a shard: write what was counted to FILE", 0},
    {"pmus", OPT_PMUS, "FIRST-LAST", 0, "with --shard: these PMUs of the configuration", 0},
    {"merge", OPT_MERGE, "DIR", 0, "take what was counted from the files of shards in DIR", 0},
    {0},
};

static bool any_param; /* a preset is one, too */

static void note_param(const char *name, const char *value) {
  static struct pmuv3_params_given already;
  const char *twice = pmuv3_param_note(&already, name, value);
  if (twice) pmuv3_cli_unusable("%s", twice);
  any_param = true;
}

/* A preset takes the place of all parameters. */
static void set_core(struct explore_options *given, const char *name) {
  if (any_param) pmuv3_cli_unusable("a core comes before every other parameter, and once");
  any_param = true;
  const char *why = pmuv3_core_set(&given->params, name);
  if (why) pmuv3_cli_unusable("%s", why);
  given->has_slots = true;
}

static void set_param(struct explore_options *given, char *pair) {
  char *value = strchr(pair, '=');
  if (!value) pmuv3_cli_unusable("--param takes NAME=VALUE, not '%s'", pair);
  *value++ = '\0';
  if (strcmp(pair, "threads") == 0)
    pmuv3_cli_unusable("--param threads: the trace says how many threads there are");
  if (strcmp(pair, "core") == 0) {
    set_core(given, value);
    return;
  }
  note_param(pair, value);
  const char *why = pmuv3_param_set(&given->params, pair, value);
  if (why) pmuv3_cli_unusable("%s", why);
  if (strcmp(pair, "slots") == 0) given->has_slots = true;
}

/* A shard is given the same options. */
static void note_word(struct explore_options *given, const char *option, const char *value) {
  static char *all;
  char *before = all, *quoted = pmuv3_cli_quoted(value);
  if (asprintf(&all, "%s --%s %s", given->words, option, quoted) < 0)
    pmuv3_cli_no_verdict("out of memory");
  free(quoted);
  free(before);
  given->words = all;
}

static void set_pmus(struct explore_options *given, char *range) {
  char *last = strchr(range, '-');
  if (!last) pmuv3_cli_unusable("--pmus takes FIRST-LAST, not '%s'", range);
  *last++ = '\0';
  given->first_pmu = (unsigned)pmuv3_cli_number("--pmus", range, 1, UINT16_MAX);
  given->last = (unsigned)pmuv3_cli_number("--pmus", last, given->first_pmu, UINT16_MAX);
}

static const struct explore_kernels *find_kernels(const char *name) {
  static const char *const sets[][2] = {{"avx512", "AVX-512"}, {"avx2", "AVX2"}, {"none", "none"}};
  for (unsigned s = 0; s < 3; s++) {
    if (strcmp(name, sets[s][0]) != 0) continue;
    for (const struct explore_kernels *const *k = explore_kernels_all(); *k; k++)
      if (strcmp((*k)->name, sets[s][1]) == 0) return *k;
    pmuv3_cli_unusable("--vectors: this processor does not have %s", name);
  }
  pmuv3_cli_unusable("--vectors takes avx512, avx2 or none, not '%s'", name);
}

/* An option that has nothing to do would have no effect, silently. */
static void check_needs(void) {
  static const struct {
    const char *option, *needed, *otherwise;
  } needs[] = {
      {"event", "ask", NULL},     {"period", "ask", NULL},       {"check", "config", NULL},
      {"seed", "check", NULL},    {"interval", "config", "ask"}, {"csv", "config", "ask"},
      {"json", "config", "ask"},  {"plot", "config", "ask"},     {"core", "config", "ask"},
      {"param", "config", "ask"}, {"vectors", "config", "ask"},  {"jobs", "config", "ask"}};
  for (size_t n = 0; n < sizeof needs / sizeof *needs; n++) {
    const char *needed = needs[n].needed, *otherwise = needs[n].otherwise;
    if (!pmuv3_cli_given(needs[n].option) || pmuv3_cli_given(needed)) continue;
    if (!otherwise) pmuv3_cli_unusable("--%s needs --%s", needs[n].option, needed);
    if (!pmuv3_cli_given(otherwise))
      pmuv3_cli_unusable("--%s needs --%s or --%s", needs[n].option, needed, otherwise);
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct explore_options *given = state->input;
  switch (key) {
    case OPT_CONFIG:
      given->config = arg;
      return 0;
    case OPT_ASK:
      if (!explore_question_find(arg)) pmuv3_cli_unusable("--ask: unknown question '%s'", arg);
      given->ask = arg;
      return 0;
    case OPT_EVENT:
      given->event = arg;
      return 0;
    case OPT_INTERVAL:
      given->interval = pmuv3_cli_number("--interval", arg, 64, UINT64_MAX / 2);
      return 0;
    case OPT_PERIOD:
      given->period = pmuv3_cli_number("--period", arg, 1, INT32_MAX);
      return 0;
    case OPT_CSV:
      given->csv = arg;
      return 0;
    case OPT_JSON:
      given->json = arg;
      return 0;
    case OPT_PLOT:
      given->plot = arg;
      return 0;
    case OPT_CHECK:
      given->check = (unsigned)pmuv3_cli_number("--check", arg, 1, 1000000);
      return 0;
    case OPT_VERIFY:
      given->verifies = true;
      return 0;
    case OPT_SEED:
      given->seed = pmuv3_cli_number("--seed", arg, 0, UINT64_MAX);
      return 0;
    case OPT_CORE:
      note_word(given, "core", arg);
      set_core(given, arg);
      return 0;
    case OPT_PARAM:
      note_word(given, "param", arg);
      set_param(given, arg);
      return 0;
    case OPT_VECTORS:
      note_word(given, "vectors", arg);
      given->kernels = find_kernels(arg);
      return 0;
    case 'j':
      given->jobs = (unsigned)pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_SHARD_PMUS:
      given->shard_pmus = (unsigned)pmuv3_cli_number("--shard-pmus", arg, 1, UINT16_MAX);
      return 0;
    case OPT_PMUS:
      set_pmus(given, arg);
      return 0;
    case OPT_SHARDS:
      pmuv3_shards_set(&given->shards, PMUV3_SHARDS_LIST, NULL);
      return 0;
    case OPT_SHARD:
      pmuv3_shards_set(&given->shards, PMUV3_SHARDS_ONE, arg);
      return 0;
    case OPT_MERGE:
      pmuv3_shards_set(&given->shards, PMUV3_SHARDS_MERGE, arg);
      return 0;
    case ARGP_KEY_ARG:
      if (given->trace) pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
      given->trace = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static void check_shards(const struct explore_options *given) {
  const bool is_shard = given->shards.mode == PMUV3_SHARDS_ONE;
  if (is_shard != (given->last != 0)) pmuv3_cli_unusable("--shard and --pmus go together");
  const bool is_split = given->shards.mode != PMUV3_SHARDS_NONE;
  if (!is_split && pmuv3_cli_given("shard-pmus")) pmuv3_cli_unusable("--shard-pmus needs --shards");
  if (!is_split) return;
  if (!given->config) pmuv3_cli_unusable("shards are PMUs: --config is missing");
  if (given->verifies || given->check)
    pmuv3_cli_unusable("--verify and --check do not go with shards");
  if (!is_shard) return;
  if (given->csv || given->json || given->plot)
    pmuv3_cli_unusable("--shard takes no --csv, --json or --plot: its counts are merged");
  pmuv3_cli_check_file("--shard", given->shards.path);
}

/* The reader reads at any place in the trace, and so takes no pipe. */
static void check_trace(const char *path) {
  struct stat status;
  pmuv3_cli_check_input("TRACE", path);
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    pmuv3_cli_unusable("TRACE: cannot read '%s': not a regular file", path);
}

static void check(const struct explore_options *given) {
  if (!given->trace) pmuv3_cli_unusable("expected a trace; see ./pmuv3 help");
  if (given->config && given->ask) pmuv3_cli_unusable("expected --config or --ask, one of both");
  if (!given->config && !given->ask && !given->verifies)
    pmuv3_cli_unusable("expected --config or --ask, one of both");
  check_needs();
  if (given->ask) explore_ask_check(given);
  check_trace(given->trace);
  if (given->config) pmuv3_cli_check_input("--config", given->config);
  pmuv3_cli_check_output("--csv", given->csv);
  pmuv3_cli_check_output("--json", given->json);
  explore_plot_check(given->plot);
  check_shards(given);
}

struct explore_options explore_options_parse(int argc, char **argv) {
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "TRACE",
                                   .doc = "What these counters count in a trace."};
  struct explore_options given = {
      .seed = 1, .kernels = explore_kernels_best(), .shard_pmus = 4, .words = ""};
  given.params = pmuv3_params_default();
  given.params.counters = PMUV3_MAX_COUNTERS;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  given.jobs = processors > 1 ? (unsigned)processors : 1;
  pmuv3_cli_parse(&argp, "pmuv3 explore", argc, argv, &given);
  check(&given);
  return given;
}
