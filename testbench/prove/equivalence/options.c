#include "testbench/prove/equivalence/options.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"

enum {
  OPT_BITCODE = 0x100,
  OPT_NETLISTS,
  OPT_JSON,
  OPT_OUT,
  OPT_KEEP,
  OPT_ONLY,
  OPT_AMONG,
  OPT_PROVED,
  OPT_SET,
  OPT_MUTANTS,
  OPT_THEOREM,
  OPT_SIZE,
  OPT_STOP,
  OPT_EXECUTE_ALL,
  OPT_SECONDS,
  OPT_PATIENCE,
  OPT_SEED,
  OPT_PART,
  OPT_SHARD_CASES,
  OPT_SHARDS,
  OPT_SHARD,
  OPT_MERGE,
  OPT_CHECK_ARGUMENTS
};

static const struct argp_option options[] = {
    {"theorem", OPT_THEOREM, "NAME", 0, "equivalence, interference or both (default)", 0},
    {"set", OPT_SET, "SET", 0, "ci, standard (default), large or all", 0},
    {"size", OPT_SIZE, "TxC[+A]", PMUV3_CLI_REPEATS,
     "only T threads with C counters (and A threads elaborated, but not implemented); may be "
     "repeated",
     0},
    {"only", OPT_ONLY, "TEXT", PMUV3_CLI_REPEATS,
     "only cases and places with TEXT in their names; may be repeated", 0},
    {"among", OPT_AMONG, "TEXT", PMUV3_CLI_REPEATS, "like --only, but TEXT need not be in any name",
     0},
    {"stop", OPT_STOP, NULL, 0, "stop at the first case or place that is not proved", 0},
    {"execute-all", OPT_EXECUTE_ALL, NULL, 0,
     "execute every call of the C model in each case: slower, and the questions are the same", 0},
    {"seconds", OPT_SECONDS, "S", 0, "seconds for a query, of each solver (default 20)", 0},
    {"patience", OPT_PATIENCE, "S", 0,
     "seconds for a query that was not answered in that time (default 300)", 0},
    {"seed", OPT_SEED, "N", 0,
     "choose the questions of which z3 and cvc5 are asked, too (default 1)", 0},
    {"json", OPT_JSON, "FILE", 0, "write the result to FILE", 0},
    {"out", OPT_OUT, "DIR", 0, "write counterexamples to DIR (default refuted)", 0},
    {"keep", OPT_KEEP, "DIR", 0, "write every query to DIR", 0},
    {"proved", OPT_PROVED, "FILE", 0,
     "the proof cache: proved checks are not asked again, and new ones are added (default: none)",
     0},
    {"mutants", OPT_MUTANTS, "N", 0,
     "prove that each of N mutants behind a selector does the same as the C model", 0},
    {"part", OPT_PART, "K/N", 0, "only the K-th of N parts of the cases and places of each size",
     0},
    {"shard-cases", OPT_SHARD_CASES, "N", 0, "cases of a size in a shard (default 20)", 0},
    {"shards", OPT_SHARDS, 0, 0, "list the shards (docs/design/farm.md)", 0},
    {"shard", OPT_SHARD, "FILE", 0, "be a shard: write the result to FILE, to be merged", 0},
    {"merge", OPT_MERGE, "DIR", 0, "report what the files of shards in DIR say", 0},
    {"jobs", 'j', "N", 0, "N cases or questions side by side (default: one a processor)", 0},
    {"bitcode", OPT_BITCODE, "FILE", 0, "the C model, as LLVM bitcode", 0},
    {"netlists", OPT_NETLISTS, "DIR", 0, "the RTL, as DIR/THREADS_COUNTERS.btor", 0},
    {"circuits", OPT_NETLISTS, "DIR", OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
    {"check-arguments", OPT_CHECK_ARGUMENTS, 0, OPTION_HIDDEN, 0, 0},
    {0},
};

static enum case_set set_of(const char *text) {
  for (int s = 0; s < CASE_SETS; s++)
    if (strcmp(text, case_set_name((enum case_set)s)) == 0) return (enum case_set)s;
  pmuv3_cli_unusable("--set takes ci, standard, large or all, not '%s'", text);
}

static enum theorems theorems_of(const char *text) {
  if (strcmp(text, "equivalence") == 0) return EQUIVALENCE;
  if (strcmp(text, "interference") == 0) return INTERFERENCE;
  if (strcmp(text, "both") == 0) return BOTH_THEOREMS;
  pmuv3_cli_unusable("--theorem takes equivalence, interference or both, not '%s'", text);
}

static void add_size(struct prove_options *prove, unsigned threads, unsigned counters,
                     unsigned absent) {
  for (unsigned s = 0; s < prove->num_sizes; s++)
    if (prove->sizes[s].threads == threads && prove->sizes[s].counters == counters &&
        prove->sizes[s].absent == absent)
      pmuv3_cli_unusable("--size: a size is given twice");
  if (prove->num_sizes == MAX_SIZES) pmuv3_cli_unusable("too many --size");
  prove->sizes[prove->num_sizes++] = (struct size){threads, counters, absent};
}
static void add_interference(struct prove_options *prove, unsigned threads, unsigned counters) {
  if (prove->num_interference == MAX_SIZES) pmuv3_cli_unusable("too many --size");
  prove->interference[prove->num_interference++] = (struct size){threads, counters, 0};
}

static void add_only(struct prove_options *prove, const char *text, bool must_match) {
  if (prove->num_only == MAX_ONLY) pmuv3_cli_unusable("too many --only");
  prove->must_match[prove->num_only] = must_match;
  prove->only[prove->num_only++] = text;
}

static void parse_size(struct prove_options *prove, char *text) {
  char *counters = strchr(text, 'x');
  if (counters == NULL) pmuv3_cli_unusable("--size takes THREADSxCOUNTERS, not '%s'", text);
  *counters++ = '\0';
  char *absent = strchr(counters, '+');
  if (absent != NULL) *absent++ = '\0';
  const unsigned threads = (unsigned)pmuv3_cli_number("--size", text, 1, PMUV3_MAX_THREADS);
  const unsigned number = (unsigned)pmuv3_cli_number("--size", counters, 0, PMUV3_MAX_COUNTERS);
  const unsigned more =
      absent == NULL ? 0
                     : (unsigned)pmuv3_cli_number("--size", absent, 1, PMUV3_MAX_THREADS - threads);
  add_size(prove, threads, number, more);
  /* Only counters can be kept from others, and only threads that are there observe them. */
  if (more == 0 && number != 0) add_interference(prove, threads, number);
}

static void parse_part(struct prove_options *prove, char *text) {
  char *parts = strchr(text, '/');
  if (parts == NULL) pmuv3_cli_unusable("--part takes K/N, not '%s'", text);
  *parts++ = '\0';
  prove->parts = (unsigned)pmuv3_cli_number("--part", parts, 1, UINT16_MAX);
  prove->part = (unsigned)pmuv3_cli_number("--part", text, 1, prove->parts);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct prove_options *prove = state->input;
  switch (key) {
    case OPT_SET:
      prove->set = set_of(arg);
      return 0;
    case OPT_THEOREM:
      prove->theorems = theorems_of(arg);
      return 0;
    case OPT_SIZE:
      parse_size(prove, arg);
      return 0;
    case OPT_ONLY:
    case OPT_AMONG:
      add_only(prove, arg, key == OPT_ONLY);
      return 0;
    case OPT_EXECUTE_ALL:
      prove->execute_all = true;
      return 0;
    case OPT_STOP:
      prove->stop = true;
      return 0;
    case OPT_SECONDS:
      prove->seconds = (double)pmuv3_cli_number("--seconds", arg, 1, UINT32_MAX);
      return 0;
    case OPT_PATIENCE:
      prove->patience = (double)pmuv3_cli_number("--patience", arg, 1, UINT32_MAX);
      return 0;
    case OPT_PART:
      parse_part(prove, arg);
      return 0;
    case OPT_SHARD_CASES:
      prove->shard_cases = (unsigned)pmuv3_cli_number("--shard-cases", arg, 1, UINT16_MAX);
      return 0;
    case OPT_SHARDS:
      pmuv3_shards_set(&prove->shards, PMUV3_SHARDS_LIST, NULL);
      return 0;
    case OPT_SHARD:
      pmuv3_shards_set(&prove->shards, PMUV3_SHARDS_ONE, arg);
      return 0;
    case OPT_MERGE:
      pmuv3_shards_set(&prove->shards, PMUV3_SHARDS_MERGE, arg);
      return 0;
    case OPT_SEED:
      prove->sample.seed = pmuv3_cli_number("--seed", arg, 0, UINT64_MAX);
      return 0;
    case OPT_JSON:
      prove->json = arg;
      return 0;
    case OPT_OUT:
      prove->out = arg;
      return 0;
    case OPT_PROVED:
      prove->proved = arg;
      return 0;
    case OPT_KEEP:
      prove->keep = arg;
      return 0;
    case OPT_MUTANTS:
      prove->mutants = (unsigned)pmuv3_cli_number("--mutants", arg, 1, UINT16_MAX);
      return 0;
    case OPT_CHECK_ARGUMENTS:
      prove->checks_arguments = true;
      return 0;
    case 'j':
      prove->jobs = (unsigned)pmuv3_cli_number("--jobs", arg, 1, PMUV3_MAX_JOBS);
      return 0;
    case OPT_BITCODE:
      prove->bitcode = arg;
      return 0;
    case OPT_NETLISTS:
      prove->netlists = arg;
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static void add_sizes_of(struct prove_options *prove) {
  add_size(prove, 1, 2, 0);
  if (prove->set == CASES_CI) return;
  add_size(prove, 1, 31, 0); /* before those that take less time */
  if (prove->set != CASES_STANDARD) add_size(prove, 2, 2, 0);
  if (prove->set == CASES_LARGE) add_size(prove, 3, 1, 0);
  add_size(prove, 2, 1, 0);
  add_size(prove, 2, 1, 1);
  add_size(prove, 1, 0, 0);
  add_size(prove, 1, 1, 0);
  add_size(prove, 1, 3, 0);
  add_size(prove, 1, 1, 1);
}
static void add_sizes_of_interference(struct prove_options *prove) {
  add_interference(prove, 1, 2);
  if (prove->set != CASES_CI) add_interference(prove, 2, 1);
}

static void add_standard_sizes(struct prove_options *prove) {
  add_sizes_of(prove);
  add_sizes_of_interference(prove);
}

char *prove_netlist_of(const struct prove_options *prove, struct size size) {
  char *file;
  if (asprintf(&file, "%s/%u_%u.btor", prove->netlists, size.threads + size.absent, size.counters) <
      0)
    pmuv3_cli_no_verdict("out of memory");
  return file;
}

/* The questions of an earlier proof would be taken for this one's. */
static void check_empty(const char *option, const char *path) {
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder && (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      pmuv3_cli_unusable("%s: '%s' has files in it: expected a new or an empty folder", option,
                         path);
  if (folder) closedir(folder);
}

/* Only the equivalence asks for mutants. */
static void choose_theorems(struct prove_options *prove) {
  if (prove->mutants == 0) return;
  if (pmuv3_cli_given("theorem") && prove->theorems != EQUIVALENCE)
    pmuv3_cli_unusable("--mutants takes no other --theorem than equivalence");
  prove->theorems = EQUIVALENCE;
}

/* Of all sizes, before the first of them is proved. */
static void check_inputs(const struct prove_options *prove) {
  pmuv3_cli_check_input("--bitcode", prove->bitcode);
  for (unsigned s = 0; s < prove->num_sizes && prove->mutants == 0; s++) {
    char *file = prove_netlist_of(prove, prove->sizes[s]);
    pmuv3_cli_check_input("--netlists", file);
    free(file);
  }
}

static void check_outputs(const struct prove_options *prove) {
  static const char *const none[] = {NULL};
  if (prove->shards.mode == PMUV3_SHARDS_ONE) pmuv3_cli_check_file("--shard", prove->shards.path);
  pmuv3_cli_check_output("--json", prove->json);
  pmuv3_cli_check_file("--proved", prove->proved);
  pmuv3_cli_check_folder("--out", prove->out, none);
  if (prove->keep == NULL) return;
  pmuv3_cli_check_folder("--keep", prove->keep, none);
  check_empty("--keep", prove->keep);
}

/* Shards know nothing of each other, and their file has no room for more than reports. */
static void check_mode(const struct prove_options *prove) {
  const struct {
    const char *option;
    bool is_given;
  } others[] = {{"--stop", prove->stop},
                {"--keep", prove->keep != NULL},
                {"--proved", prove->proved != NULL},
                {"--mutants", prove->mutants > 0},
                {"--json", prove->shards.mode == PMUV3_SHARDS_ONE && prove->json != NULL},
                {"--part", prove->shards.mode != PMUV3_SHARDS_ONE && prove->parts > 1}};
  for (size_t o = 0; prove->shards.mode != PMUV3_SHARDS_NONE && o < sizeof others / sizeof *others;
       o++)
    if (others[o].is_given) pmuv3_cli_unusable("%s does not go with shards", others[o].option);
  if (prove->shards.mode == PMUV3_SHARDS_NONE && pmuv3_cli_given("shard-cases"))
    pmuv3_cli_unusable("--shard-cases needs --shards");
  if (prove->shards.mode == PMUV3_SHARDS_ONE && prove->num_sizes + prove->num_interference != 1)
    pmuv3_cli_unusable("--shard takes one theorem and one --size");
}

struct prove_options prove_options(int argc, char **argv) {
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .doc =
          "Proves that the C model and the RTL are equal, and non-interference.\v"
          "Exit status: 0 everything is proved, 1 something is not, 2 unusable arguments, input "
          "or output, 3 no verdict."};
  struct prove_options prove = {
      .set = CASES_STANDARD,
      .theorems = BOTH_THEOREMS,
      .out = "refuted",
      .seconds = 20,
      .patience = 300,
      .sample = {.one_in = 100, .seed = 1},
      .shard_cases = 20,
      .part = 1,
      .parts = 1,
      .jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
  };
  pmuv3_cli_parse(&argp, "pmuv3 prove", argc, argv, &prove);
  choose_theorems(&prove);
  const bool needs_netlists = prove.theorems != INTERFERENCE && prove.mutants == 0;
  if (prove.bitcode == NULL || (prove.netlists == NULL && needs_netlists))
    pmuv3_cli_unusable("--bitcode and --netlists are needed; ./pmuv3 prove gives them");
  if (prove.set == CASES_CI) prove.sample.one_in = 1;
  if (prove.num_sizes == 0) add_standard_sizes(&prove);
  if ((prove.theorems & EQUIVALENCE) == 0) prove.num_sizes = 0;
  if ((prove.theorems & INTERFERENCE) == 0) prove.num_interference = 0;
  if (prove.num_sizes + prove.num_interference == 0)
    pmuv3_cli_unusable("--theorem interference asks nothing of a size without counters, or with +");
  check_mode(&prove);
  if (!prove.checks_arguments) check_inputs(&prove);
  check_outputs(&prove);
  if (prove.checks_arguments) exit(0);
  return prove;
}

bool prove_is_whole(const struct prove_options *prove) {
  return prove->num_only == 0 && prove->parts == 1 && prove->mutants == 0;
}

enum case_set prove_set_of(const struct prove_options *prove, struct size size) {
  const bool is_small = size.threads == 1 && size.counters <= 3;
  const bool is_medium =
      size.threads == 1 || (size.threads + size.absent == 2 && size.counters == 1);
  switch (prove->set) {
    case CASES_STANDARD:
      return is_small ? CASES_STANDARD : CASES_CI;
    case CASES_LARGE:
      return is_medium ? CASES_STANDARD : CASES_CI;
    default:
      return prove->set;
  }
}
