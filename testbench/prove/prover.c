#include "testbench/prove/prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A query, and what became of it. */
struct question {
  struct query query;
  char *name;
  const struct assertion *assertion;
  term given; /* it is asked for */
  enum answer answer;
};

/* Of one theorem; solve() calls back without it. */
static struct {
  const struct model *model;
  const struct prover_options *options;
  struct tally *tally;
  struct question *questions;
  size_t num_questions;
  bool is_last;      /* what is not proved now is a shortfall */
  term *definitions; /* all that the model assumes, and what the cut values are */
  size_t num_definitions;
} run;

/* ---- What was proved before ---- */

static struct digest digest_of(term condition) {
  return digest_question(condition, run.model->assumptions, run.model->num_assumptions);
}

static bool is_proved(term condition) {
  return library_has(run.options->library, digest_of(condition));
}

/* ---- Questions ---- */

/* If it is not proved, the one that asked first says so. */
static bool is_asked(term condition) {
  for (size_t q = 0; q < run.num_questions; q++)
    if (run.questions[q].query.condition == condition) return true;
  return false;
}

static void ask(const struct assertion *assertion, const char *suffix, term condition, term given) {
  if (term_is_true(condition)) {
    run.tally->by_structure++;
    return;
  }
  if (is_proved(condition) || is_asked(condition)) {
    run.tally->by_memory++;
    return;
  }
  run.questions = realloc(run.questions, (run.num_questions + 1) * sizeof *run.questions);
  const size_t size = strlen(assertion->name) + strlen(suffix) + 1;
  char *name = malloc(size);
  if (run.questions == NULL || name == NULL) abort();
  snprintf(name, size, "%s%s", assertion->name, suffix);
  struct question *question = &run.questions[run.num_questions++];
  *question = (struct question){
      .name = name, .assertion = assertion, .given = given, .answer = ANSWER_UNKNOWN};
  question->query = (struct query){.name = name,
                                   .condition = condition,
                                   .assumptions = run.model->assumptions,
                                   .num_assumptions = run.model->num_assumptions};
}

/* The number that a counter's PMEVTYPER selects, which is a variable of its own. */
static term selected_event(const struct assertion *assertion) {
  char name[48];
  snprintf(name, sizeof name, "t%d.evtCount%d", assertion->thread, assertion->counter);
  return term_var(16, name);
}

static term number_of(unsigned event) {
  return term_const(16, pmuv3_event_number((enum pmuv3_event)event));
}

/* How often the event occurs, by names that all events of its width have: what is proved of one is
 * proved of all that are counted alike. */
static void rename_counts(struct term_map *map, unsigned event) {
  for (unsigned t = 0; t < run.model->size.threads; t++) {
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      const term count = run.model->inputs.thread[t].count[event][o];
      if (count == TERM_NONE) continue;
      const bool is_flag = pmuv3_event_limit((enum pmuv3_event)event) == 1;
      char name[32];
      snprintf(name, sizeof name, "t%u.event.%s.%u", t, is_flag ? "flag" : "count", o);
      term_map_put(map, count, term_zext(term_var(is_flag ? 1 : 8, name), 8));
    }
  }
}

/* For each event; and for whatever number is none: then no comparison with one holds. The
 * assumptions, which are about the number too, are not changed: that makes them weaker. */
static void ask_by_event(const struct assertion *assertion, term condition, term given) {
  const term selected = selected_event(assertion);
  struct term_map *none = term_map_new();
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    struct term_map *map = term_map_new(), *names = term_map_new();
    const term is_selected = term_eq(selected, number_of(e));
    term_map_put(map, selected, number_of(e));
    rename_counts(names, e);
    char suffix[32];
    snprintf(suffix, sizeof suffix, ", %s", pmuv3_event_mnemonic((enum pmuv3_event)e));
    ask(assertion, suffix, term_replace(term_replace(condition, map), names),
        term_and(given, is_selected));
    term_map_free(names);
    term_map_free(map);
    term_map_put(none, is_selected, TERM_FALSE);
  }
  ask(assertion, ", no event", term_replace(condition, none), given);
  term_map_free(none);
}

static void ask_part(const struct assertion *assertion, const char *suffix, term condition,
                     term given) {
  if (assertion->counter >= 0 && !term_is_true(condition) && !is_proved(condition))
    ask_by_event(assertion, condition, given);
  else
    ask(assertion, suffix, condition, given);
}

/* Of PMXEVTYPER_EL0 and PMXEVCNTR_EL0, for each register that PMSELR_EL0 makes of it. */
static void ask_by_selection(const struct assertion *assertion) {
  char name[32];
  snprintf(name, sizeof name, "t%u.registers.pmselr", run.model->which.thread);
  const term pmselr = model_variable(run.model, name), condition = assertion->condition;
  const term sel = term_extract(pmselr, 0, 5), rest = term_extract(pmselr, 5, 59);
  for (unsigned n = 0; n <= PMUV3_MAX_COUNTERS; n++) {
    struct term_map *map = term_map_new();
    term_map_put(map, pmselr, term_concat(rest, term_const(5, n)));
    char suffix[32];
    snprintf(suffix, sizeof suffix, ", SEL %u", n);
    const term of_n = term_replace(condition, map);
    ask_part(assertion, suffix, of_n, term_eq(sel, term_const(5, n)));
    term_map_free(map);
    if (of_n == condition) return; /* it is the same for all */
  }
}

static bool is_selected(const struct model_case *which) {
  return (which->access == MODEL_READ || which->access == MODEL_WRITE) && !which->is_unknown &&
         model_is_selected(which->place);
}

static void ask_all(const struct theorem *theorem) {
  for (size_t a = 0; a < theorem->num_assertions; a++) {
    const struct assertion *assertion = &theorem->assertions[a];
    if (is_selected(&run.model->which) && !term_is_true(assertion->condition) &&
        !is_proved(assertion->condition))
      ask_by_selection(assertion);
    else
      ask_part(assertion, "", assertion->condition, TERM_TRUE);
  }
}

/* ---- Answers ---- */

static uint64_t value_of(const char *variable, void *with) {
  const struct result *result = with;
  const term named = model_variable(run.model, variable);
  uint64_t words[2] = {0};
  if (model_fixes(run.model, variable, words)) return words[0];
  if (named != TERM_NONE) result->value(named, words, result->model);
  return words[0];
}

static void fall_short(const struct question *question, const struct result *result) {
  struct tally *tally = run.tally;
  tally->refuted += result->answer == ANSWER_REFUTED;
  tally->unknown += result->answer == ANSWER_UNKNOWN;
  tally->disagreed += result->answer == ANSWER_DISAGREE;
  struct result values = *result;
  const struct shortfall shortfall = {question->name, result->answer, result->trouble,
                                      result->answer == ANSWER_REFUTED ? value_of : NULL, &values};
  run.options->failed(&shortfall, run.model);
}

static void done(const struct query *query, const struct result *result) {
  struct question *question = query->with;
  question->answer = result->answer;
  run.tally->solver_seconds += result->seconds[0] + result->seconds[1];
  run.options->answered(question->name, result);
  if (result->answer == ANSWER_PROVED) {
    run.tally->by_solvers++;
    if (query->assumptions == run.model->assumptions)
      library_add(run.options->library, digest_of(query->condition));
  } else if (run.is_last) {
    fall_short(question, result);
  }
}

/* ---- Once more ---- */

static void define(term condition) {
  run.definitions[run.num_definitions++] = condition;
}

/* With what the cut values are: then a counterexample is one of the whole clock. */
static void define_all(void) {
  const struct model *model = run.model;
  const size_t room = model->num_assumptions + model->num_particulars +
                      CUTS * PMUV3_MAX_THREADS * PMUV3_MAX_COUNTERS + 1;
  run.definitions = malloc(room * sizeof *run.definitions);
  if (run.definitions == NULL) abort();
  run.num_definitions = 0;
  for (size_t a = 0; a < model->num_assumptions; a++) define(model->assumptions[a]);
  for (size_t p = 0; p < model->num_particulars; p++) define(model->particulars[p]);
  if (!model->is_cut || !model->which.cycle) return;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < model->size.counters; n++) {
      for (int c = 0; c < CUTS; c++) {
        const struct model_cut *cut = &model->cuts[t][n][c];
        define(term_eq(cut->any, term_extract(cut->driven, 0, term_width(cut->any))));
      }
    }
  }
}

/* A refuted question again, with all of that, of the variables as they are called. */
static void ask_whole(struct question *question) {
  question->query.condition = term_implies(question->given, question->assertion->condition);
  question->query.assumptions = run.definitions;
  question->query.num_assumptions = run.num_definitions;
}

/* The questions that are not proved. */
static bool solve_open(double seconds, bool is_last) {
  struct query *open = malloc((run.num_questions + 1) * sizeof *open);
  if (open == NULL) abort();
  size_t num_open = 0;
  for (size_t q = 0; q < run.num_questions; q++) {
    struct question *question = &run.questions[q];
    if (question->answer == ANSWER_PROVED) continue;
    if (question->answer == ANSWER_REFUTED) ask_whole(question);
    open[num_open] = question->query;
    open[num_open++].with = question;
  }
  struct solver_options options = run.options->solver;
  options.seconds = seconds;
  run.is_last = is_last;
  const bool ran = num_open == 0 || solve(open, num_open, &options, done);
  free(open);
  return ran;
}

bool prover_run(const struct theorem *theorem, const struct model *model,
                const struct prover_options *options, struct tally *tally) {
  *tally = (struct tally){.assertions = theorem->num_assertions};
  run.model = model;
  run.options = options;
  run.tally = tally;
  run.num_questions = 0;
  ask_all(theorem);
  define_all();
  const bool ran =
      solve_open(options->solver.seconds, false) && solve_open(options->patience, true);
  for (size_t q = 0; q < run.num_questions; q++) free(run.questions[q].name);
  free(run.definitions);
  return ran;
}

void tally_add(struct tally *sum, const struct tally *tally) {
  sum->assertions += tally->assertions;
  sum->by_structure += tally->by_structure;
  sum->by_memory += tally->by_memory;
  sum->by_solvers += tally->by_solvers;
  sum->refuted += tally->refuted;
  sum->unknown += tally->unknown;
  sum->disagreed += tally->disagreed;
  sum->solver_seconds += tally->solver_seconds;
}

/* A proof of nothing is none. */
bool tally_is_proved(const struct tally *tally) {
  return tally->assertions > 0 && tally->by_structure + tally->by_memory + tally->by_solvers > 0 &&
         tally->refuted + tally->unknown + tally->disagreed == 0;
}
