/*
 * `pmuv3 prove`: the C model equals the RTL, and lets nothing through from where
 * counting is prohibited (docs/design/proof.md). Cases of a size that begin alike are
 * a group, and a process: terms are never freed. Each case is a process that starts
 * from that beginning. What no access matters to is proved first. A few groups are
 * side by side, so that no processor waits for the last case of one.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/cache/digest.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/prove/equivalence/cases.h"
#include "testbench/prove/equivalence/counterexample.h"
#include "testbench/prove/equivalence/crew.h"
#include "testbench/prove/equivalence/keep.h"
#include "testbench/prove/equivalence/mutants.h"
#include "testbench/prove/equivalence/options.h"
#include "testbench/prove/equivalence/prover.h"
#include "testbench/prove/equivalence/report.h"
#include "testbench/prove/equivalence/shards.h"
#include "testbench/prove/interference/interference_access.h"

enum { SLOW_SECONDS = 5 }; /* of a query, all solvers: worth a line */
enum { MAX_GROUPS = 4 };   /* side by side: each needs memory */

/* A size while it is proved. */
struct job {
  const struct prove_options *options;
  struct proof_cache *cache; /* of what is proved */
  const struct crew_shared *shared;
  unsigned index;
  struct size size;
  struct netlist *netlist;
  struct cases cases;
  struct model *beginning; /* of the cases that are being proved */
  int report;              /* where messages are written to */
};

/* A report, on its way. At most PIPE_BUF, so that it arrives whole. */
struct message {
  bool is_place;
  union {
    struct case_report of_case;
    struct place_report of_place;
  };
};
_Static_assert(sizeof(struct message) <= PIPE_BUF, "arrives whole");

_Noreturn static void stop(const char *what) {
  pmuv3_cli_no_verdict("%s: %s", what, strerror(errno));
}

/* ---- A case ---- */

enum { MAX_COUNTEREXAMPLES = 16 }; /* of a case: they differ in what shows of them */

static struct case_report *reported; /* the case that is being proved */
static const struct job *at_work;
static unsigned counterexamples;

/* A refuted theorem is refuted, even if its counterexample cannot be kept. */
static void cannot_keep(const char *path, const char *why) {
  pmuv3_cli_warn("--out: cannot write '%s': %s", path, why);
}

/* The counterexample, as a stimulus file; whether there is one. */
static bool write_counterexample(const struct shortfall *shortfall, const struct model *model,
                                 const char *of_case) {
  char path[PATH_MAX];
  char size[SIZE_NAME];
  const char *why;
  snprintf(path, sizeof path, "%s/%s_%s_%s.stim", at_work->options->out,
           size_name(model->size, size), of_case, shortfall->name);
  for (char *c = path + strlen(at_work->options->out) + 1; *c != '\0'; c++)
    if (strchr(" ,:/<>[]", *c) != NULL) *c = '_';
  mkdir(at_work->options->out, 0777);
  struct pmuv3_file *file = pmuv3_file_begin(path, PMUV3_FILE_OWN, &why);
  if (file == NULL) {
    cannot_keep(path, why);
    return false;
  }
  const struct counterexample counterexample = {shortfall->name, model->size, model->which,
                                                shortfall->value, shortfall->with};
  const enum counterexample_result result =
      counterexample_write(pmuv3_file_stream(file), &counterexample);
  if (result == COUNTEREXAMPLE_UNUSABLE) {
    pmuv3_file_drop(file);
    return false;
  }
  why = pmuv3_file_end(file);
  if (why != NULL) {
    cannot_keep(path, why);
    return false;
  }
  printf("  %s%s\n", path, result == COUNTEREXAMPLE_NEAR ? " (not quite the counterexample)" : "");
  return true;
}

static void print_seconds(const struct result *result) {
  printf("cadical %.1f s, z3 %.1f s, cvc5 %.1f s\n", result->seconds[0], result->seconds[1],
         result->seconds[2]);
}

/* Progress, where it is slow. */
static void answered(const char *name, const struct result *result) {
  if (result_seconds(result) < SLOW_SECONDS) return;
  char of_case[CASE_NAME_SIZE];
  case_name(&reported->which, of_case, sizeof of_case);
  printf("  %s: %s: ", of_case, name);
  print_seconds(result);
  fflush(stdout);
}

static const char *answer_name(enum answer answer) {
  static const char *const names[] = {"proved", "refuted", "unknown", "the solvers disagree"};
  return names[answer];
}

static void failed(const struct shortfall *shortfall, const struct model *model) {
  char name[CASE_NAME_SIZE], size[SIZE_NAME];
  case_name(&reported->which, name, sizeof name);
  printf("%s, %s: %s: %s%s%s\n", size_name(model->size, size), name, shortfall->name,
         answer_name(shortfall->answer), shortfall->trouble != NULL ? ": " : "",
         shortfall->trouble != NULL ? shortfall->trouble : "");
  const bool is_of_rtl = at_work->options->mutants == 0;
  if (is_of_rtl && shortfall->value != NULL && counterexamples < MAX_COUNTEREXAMPLES)
    counterexamples += write_counterexample(shortfall, model, name);
  fflush(stdout);
  if (reported->shortfall[0] == '\0')
    snprintf(reported->shortfall, sizeof reported->shortfall, "%s: %s", shortfall->name,
             answer_name(shortfall->answer));
}

static bool make_theorem(const struct job *job, const struct model *model,
                         struct theorem *theorem) {
  if (job->options->mutants == 0) return theorem_make(theorem, model, job->netlist);
  return mutants_make(theorem, model, job->options->mutants);
}

static struct solver_options solver_options(const struct prove_options *options, unsigned jobs,
                                            struct keep_place *place) {
  return (struct solver_options){.jobs = jobs,
                                 .seconds = options->seconds,
                                 .keep = options->keep != NULL ? keep_query : NULL,
                                 .keep_with = place,
                                 .doubts = sample_has,
                                 .doubts_with = (void *)&options->sample};
}

static struct case_report prove_case(const struct job *job, const struct model_case *which,
                                     unsigned solver_jobs) {
  const double start = pmuv3_now();
  struct case_report report = {.size = job->index, .which = *which};
  struct model *model = job->beginning;
  struct theorem theorem;
  model_finish(model, which);
  char size[SIZE_NAME], name[CASE_NAME_SIZE];
  case_name(which, name, sizeof name);
  struct keep_place place = {job->options->keep, size_name(job->size, size), name};
  const bool is_of_rtl = job->options->mutants == 0;
  if (is_of_rtl && interference_is_claimed(which, job->size)) interference_claim_access(model);
  if (!make_theorem(job, model, &theorem)) exit(CREW_UNUSABLE);
  const struct prover_options options = {
      .cache = job->cache,
      .stop = job->options->stop,
      .cuts_stay_free = job->options->mutants > 0,
      .solver = solver_options(job->options, solver_jobs, &place),
      .patience = job->options->patience,
      .answered = answered,
      .failed = failed,
  };
  reported = &report;
  at_work = job;
  report.state_bits = theorem.state_bits;
  report.input_bits = theorem.input_bits;
  report.registers = theorem.num_states;
  report.inputs = theorem.num_inputs;
  report.assumptions = model->num_assumptions + model->num_particulars;
  report.instructions = model->steps;
  report.model_seconds = pmuv3_now() - start;
  if (!prover_run(&theorem, model, &options, &report.tally)) exit(CREW_UNUSABLE);
  report.seconds = pmuv3_now() - start;
  theorem_free(&theorem);
  return report;
}

/* ---- Side by side ---- */

/* Whether more is to be proved. */
static void send(const struct job *job, const struct message *message, bool is_proved) {
  if (write(job->report, message, sizeof *message) != sizeof *message) stop("a process");
  if (job->options->stop && !is_proved) *job->shared->stops = true;
}

/* In a process of its own, from the beginning of its group: its questions are the same, whatever
 * else is proved. */
static _Noreturn void be_case(const struct job *job, const struct model_case *which,
                              unsigned solver_jobs) {
  const struct message message = {.of_case = prove_case(job, which, solver_jobs)};
  send(job, &message, report_is_case_proved(&message.of_case));
  exit(CREW_DONE);
}

static bool is_no_access(const struct model_case *which) {
  return which->access == MODEL_NO_ACCESS;
}

/* Those without an access come first, one after the other, each with all solvers. Then the other
 * groups of the size may begin: they would ask the same. */
static enum crew_end prove_side_by_side(const struct job *job, size_t first, size_t last) {
  struct crew crew = crew_new(job->shared, 0);
  const struct model_case *cases = job->cases.cases;
  for (; first < last && is_no_access(&cases[first]); first++) {
    if (crew_fork(&crew) == CREW_CHILD) be_case(job, &cases[first], job->options->jobs);
    crew_wait(&crew);
  }
  crew_begun(job->shared, job->index);
  for (; first < last; first++)
    if (crew_fork(&crew) == CREW_CHILD) be_case(job, &cases[first], 1);
  return crew_wait(&crew);
}

/* The first from there on that does not begin alike. */
static size_t end_of_group(const struct job *job, size_t first) {
  const struct model_case *cases = job->cases.cases;
  size_t last = first;
  while (last < job->cases.num_cases && model_begin_alike(&cases[first], &cases[last])) last++;
  return last;
}

/* What all cases of a group have in common is executed here, before they part. It is of always the
 * same cases, so that those that are proved start from the same terms, whichever they are. */
static void rehearse(const struct job *job, const struct model_case *first) {
  struct model_case which = {.access = MODEL_NO_ACCESS};
  if (first->access == MODEL_TRANSFER)
    which = (struct model_case){.access = MODEL_TRANSFER, .layout = first->layout};
  for (int cycle = 1; cycle >= 0; cycle--) {
    which.cycle = cycle;
    model_rehearse(job->beginning, &which);
  }
  digest_all();
}

static bool read_netlist(struct job *job) {
  char *file = prove_netlist_of(job->options, job->size);
  job->netlist = netlist_read(file, "rtl.", theorem_is_cut, &job->size);
  free(file);
  return job->netlist != NULL;
}

/* Also in a process of its own. */
static _Noreturn void be_group(struct job *job, size_t first, size_t last) {
  const bool may_begin = first == 0 || crew_await(job->shared, job->index);
  if (!may_begin || !crew_work(job->shared)) exit(CREW_DONE);
  if (job->options->mutants == 0 && !read_netlist(job)) exit(CREW_UNUSABLE);
  job->beginning =
      model_begin(job->options->bitcode, job->size, &job->cases.cases[first], MODEL_CUT_SUMS);
  if (job->beginning == NULL) exit(CREW_UNUSABLE);
  if (!job->options->execute_all) rehearse(job, &job->cases.cases[first]);
  crew_rest(job->shared);
  exit((int)prove_side_by_side(job, first, last));
}

static bool is_named(const struct job *job, const char *name) {
  const struct prove_options *options = job->options;
  for (unsigned o = 0; o < options->num_only; o++)
    if (strstr(name, options->only[o]) != NULL) return true;
  return options->num_only == 0;
}
static bool is_wanted(const struct job *job, const struct model_case *which) {
  char name[CASE_NAME_SIZE];
  case_name(which, name, sizeof name);
  return is_named(job, name);
}

/* Whether number `n` of `number` is in the part that is asked for. Neighbours are in one part, as
 * they begin alike. */
static bool is_in_part(const struct job *job, size_t n, size_t number) {
  return n * job->options->parts / number + 1 == job->options->part;
}

static size_t keep_cases(struct job *job, size_t number,
                         bool (*keeps)(const struct job *job, size_t c, size_t number)) {
  size_t kept = 0;
  for (size_t c = 0; c < number; c++)
    if (keeps(job, c, number)) job->cases.cases[kept++] = job->cases.cases[c];
  return kept;
}
static bool is_case_wanted(const struct job *job, size_t c, size_t number) {
  (void)number;
  return is_wanted(job, &job->cases.cases[c]);
}

static void choose_cases(struct job *job) {
  job->cases = cases_of(job->size, prove_set_of(job->options, job->size));
  const size_t wanted = keep_cases(job, job->cases.num_cases, is_case_wanted);
  job->cases.num_cases = keep_cases(job, wanted, is_in_part);
}

/* The group of this number of a size, if there is one. */
static bool start_group(struct job *job, unsigned group, struct crew *groups) {
  choose_cases(job);
  size_t first = 0;
  for (unsigned g = 0; g < group && first < job->cases.num_cases; g++)
    first = end_of_group(job, first);
  const bool is_there = first < job->cases.num_cases;
  if (is_there && crew_fork(groups) == CREW_CHILD) be_group(job, first, end_of_group(job, first));
  cases_free(&job->cases);
  return is_there;
}

/* The first of each size, then the second ones: those wait for the first. */
static void start_groups(struct job *job, struct crew *groups) {
  bool is_any = true;
  for (unsigned group = 0; is_any; group++) {
    is_any = false;
    for (job->index = 0; job->index < job->options->num_sizes; job->index++) {
      job->size = job->options->sizes[job->index];
      is_any |= start_group(job, group, groups);
    }
  }
}

/* ---- Non-interference ---- */

/* CI takes one place: the questions of the others are of the same kind. With siblings that are
 * counted too they take long. */
static bool is_in_set(enum case_set set, struct size size, enum place place) {
  if (set == CASES_CI) return place == SECURE;
  return set == CASES_ALL || size.threads == 1 || place == SIBLINGS;
}
static bool is_place_chosen(const struct job *job, enum place place) {
  return place_is_there(place, job->size) && is_named(job, place_name(place)) &&
         is_in_set(job->options->set, job->size, place);
}
static bool is_place_wanted(const struct job *job, enum place place) {
  size_t before = 0, number = 0;
  for (int p = 0; p < PLACES; p++) {
    if (!is_place_chosen(job, (enum place)p)) continue;
    before += p < (int)place;
    number++;
  }
  return is_place_chosen(job, place) && is_in_part(job, before, number);
}

static void answered_of_place(const char *name, const struct result *result) {
  if (result_seconds(result) < SLOW_SECONDS) return;
  printf("  %s: ", name);
  print_seconds(result);
  fflush(stdout);
}

static void failed_of_place(const char *name, bool must_fail, const struct result *result) {
  printf("%s: %s%s%s%s\n", name, answer_name(result->answer),
         must_fail ? ", and must be refuted" : "", result->trouble != NULL ? ": " : "",
         result->trouble != NULL ? result->trouble : "");
  fflush(stdout);
}

static struct place_report prove_place(const struct job *job, const struct model *model,
                                       enum place place) {
  const double start = pmuv3_now();
  char size[SIZE_NAME];
  struct keep_place kept = {job->options->keep, size_name(job->size, size), place_name(place)};
  const struct place_options options = {
      .solver = solver_options(job->options, job->options->jobs, &kept),
      .patience = job->options->patience,
      .answered = answered_of_place,
      .failed = failed_of_place,
  };
  struct place_report report = {.size = job->index};
  if (!place_prove(model, place, &options, &report)) exit(CREW_UNUSABLE);
  report.seconds = pmuv3_now() - start;
  return report;
}

/* In a process of its own. */
static _Noreturn void be_place(const struct job *job, enum place place) {
  if (!crew_work(job->shared)) exit(CREW_DONE);
  const struct model *model =
      model_new(job->options->bitcode, job->size, &interference_case, MODEL_CUT_STAGES);
  if (model == NULL) exit(CREW_UNUSABLE);
  const struct message message = {.is_place = true, .of_place = prove_place(job, model, place)};
  send(job, &message, place_is_proved(&message.of_place));
  crew_rest(job->shared);
  exit(CREW_DONE);
}

static void start_places(const struct job *job, struct crew *groups) {
  for (int p = 0; p < PLACES; p++)
    if (is_place_wanted(job, (enum place)p) && crew_fork(groups) == CREW_CHILD)
      be_place(job, (enum place)p);
}

/* ---- All sizes ---- */

static size_t num_wanted(const struct prove_options *options, struct size size) {
  struct job job = {.options = options, .size = size};
  choose_cases(&job);
  cases_free(&job.cases);
  return job.cases.num_cases;
}

static size_t num_places_of(const struct prove_options *options, struct size size) {
  const struct job job = {.options = options, .size = size};
  size_t number = 0;
  for (int p = 0; p < PLACES; p++) number += is_place_wanted(&job, (enum place)p);
  return number;
}

static void expect_cases(const struct prove_options *options, unsigned s, struct report *report) {
  struct job job = {.options = options, .size = options->sizes[s]};
  choose_cases(&job);
  report_expect(report, s, &job.cases);
  cases_free(&job.cases);
}

static void expect_places(const struct prove_options *options, unsigned s, struct report *report) {
  const struct job job = {.options = options, .size = options->interference[s]};
  for (int p = 0; p < PLACES; p++)
    if (is_place_wanted(&job, (enum place)p)) report_expect_place(report, s, (enum place)p);
}

static size_t num_places_wanted(const struct prove_options *options) {
  size_t number = 0;
  for (unsigned s = 0; s < options->num_interference; s++)
    number += num_places_of(options, options->interference[s]);
  return number;
}

static void expect_all(const struct prove_options *options, struct report *report) {
  for (unsigned s = 0; s < options->num_sizes; s++) expect_cases(options, s, report);
  for (unsigned s = 0; s < options->num_interference; s++) expect_places(options, s, report);
}

/* Starts all groups and places, in a process that has no other children. */
static _Noreturn void be_foreman(const struct prove_options *options, struct proof_cache *cache,
                                 int report) {
  const struct crew_shared shared = crew_share(options->jobs);
  struct crew groups = crew_new(&shared, options->jobs < MAX_GROUPS ? options->jobs : MAX_GROUPS);
  struct job job = {.options = options, .cache = cache, .shared = &shared, .report = report};
  for (job.index = 0; job.index < options->num_interference; job.index++) {
    job.size = options->interference[job.index];
    start_places(&job, &groups);
  }
  start_groups(&job, &groups);
  exit((int)crew_wait(&groups));
}

static bool read_all(int from, struct report *report) {
  struct message one;
  ssize_t size;
  while ((size = read(from, &one, sizeof one)) == sizeof one) {
    if (one.is_place)
      report_add_place(report, &one.of_place);
    else
      report_add(report, &one.of_case);
  }
  return size == 0;
}

/* Whether everything ran, proved or not. */
static enum crew_end run_all(const struct prove_options *options, struct proof_cache *cache,
                             struct report *report) {
  int ends[2];
  if (pipe(ends) != 0) stop("a pipe");
  const pid_t pid = crew_fork_one();
  if (pid == 0) {
    close(ends[0]);
    be_foreman(options, cache, ends[1]);
  }
  close(ends[1]);
  const bool is_read = read_all(ends[0], report);
  close(ends[0]);
  const enum crew_end end = crew_wait_for_one(pid);
  return end == CREW_DONE && !is_read ? CREW_NO_VERDICT : end;
}

/* Something must be asked for, or nothing would be proved in the end. */
static bool is_anything_wanted(const struct prove_options *options) {
  for (unsigned s = 0; s < options->num_sizes; s++)
    if (num_wanted(options, options->sizes[s]) > 0) return true;
  return num_places_wanted(options) > 0;
}

/* A misspelt --only beside a good one would be left out unseen. What a good one matches may be in
 * other parts. */
static void check_wanted(const struct prove_options *options) {
  struct prove_options whole = *options;
  whole.part = whole.parts = 1;
  for (unsigned o = 0; o < options->num_only; o++) {
    struct prove_options alone = whole;
    alone.only[0] = options->only[o];
    alone.num_only = 1;
    if (options->must_match[o] && !is_anything_wanted(&alone))
      pmuv3_cli_unusable("no case and no place matches --size, --theorem and --only '%s'",
                         options->only[o]);
  }
  if (!is_anything_wanted(&whole))
    pmuv3_cli_unusable("no case and no place matches --size, --theorem and --among");
  if (!is_anything_wanted(options))
    pmuv3_cli_unusable("--part: no case and no place is in part %u of %u", options->part,
                       options->parts);
}

/* ---- Shards ---- */

static int list_shards(const struct prove_options *options) {
  size_t num_cases[MAX_SIZES], num_places[MAX_SIZES];
  for (unsigned s = 0; s < options->num_sizes; s++)
    num_cases[s] = num_wanted(options, options->sizes[s]);
  for (unsigned s = 0; s < options->num_interference; s++)
    num_places[s] = num_places_of(options, options->interference[s]);
  shards_list(options, num_cases, num_places);
  return 0;
}

/* The exit status. */
static int end_with(struct report *report) {
  const size_t missing = report_missing(report);
  const bool has_verdict = report_has_verdict(report), is_proved = report_end(report);
  if (!has_verdict) pmuv3_cli_no_verdict("%zu cases and places are missing", missing);
  return is_proved ? 0 : 1;
}

static int merge_shards(const struct prove_options *options) {
  struct report *report = report_new(options);
  expect_all(options, report);
  shards_merge(options, report);
  return end_with(report);
}

static int prove(const struct prove_options *options) {
  struct proof_cache *cache = proof_cache_open(options->proved);
  if (cache == NULL) return PMUV3_UNUSABLE;
  struct report *report = report_new(options);
  expect_all(options, report);
  const enum crew_end end = run_all(options, cache, report);
  if (end != CREW_DONE) return (int)end;
  if (options->shards.mode == PMUV3_SHARDS_NONE) return end_with(report);
  shards_write(options, report); /* the verdicts are in the file */
  return 0;
}

int main(int argc, char **argv) {
  const struct prove_options options = prove_options(argc, argv);
  check_wanted(&options);
  if (options.shards.mode == PMUV3_SHARDS_LIST) return list_shards(&options);
  pmuv3_cli_name_result(options.json, "\"proved\"", pmuv3_cli_no_result_json);
  if (options.shards.mode == PMUV3_SHARDS_MERGE) return merge_shards(&options);
  return prove(&options);
}
