#include "testbench/prove/equivalence/prover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/map.h"

/* A query, and what became of it. */
struct question {
  struct query query;
  char *name;
  const struct assertion *assertion;
  term whole; /* of all that share it: for what it is asked, the assertion */
  enum answer answer;
  bool is_final; /* the answer: it is not asked again */
};

/* Every question is asked as it is, with patience if it is not answered then. What is refuted is
 * asked of the whole clock, where no value is free that is driven, for a counterexample: of an
 * implementation that tells most events apart, in which nothing waits; of one with every feature;
 * of one that a stimulus file can have; at last of any. */
enum round { PLAIN, PATIENT, APART, RICH, PREFERRED, LAST };

/* Of one theorem; solve() calls back without it. */
static struct {
  const struct theorem *theorem;
  const struct model *model;
  const struct prover_options *options;
  struct tally *tally;
  struct question *questions;
  size_t num_questions;
  size_t from, to; /* the questions that are asked now */
  enum round round;
  term *definitions; /* all that the model assumes, and what the cut values are */
  size_t num_definitions;
  size_t num_preferred; /* and what a stimulus file cannot have otherwise */
  size_t num_rich;      /* and with every feature */
  size_t num_apart;     /* and choices that tell events apart, and nothing waits */
  term shows;           /* that sums over threads show; TERM_NONE: not made yet */
} run;

/* ---- What was proved before ---- */

static struct digest digest_of(term condition) {
  return digest_question(condition, run.model->assumptions, run.model->num_assumptions);
}

static bool is_proved(term condition) {
  return proof_cache_has(run.options->cache, digest_of(condition));
}

/* ---- Questions ---- */

/* If it is not proved, it is told of the one that asked first alone. Asked of the whole clock, it
 * is of all of them. */
static bool is_asked(term condition, term whole) {
  for (size_t q = 0; q < run.num_questions; q++) {
    struct question *question = &run.questions[q];
    if (question->query.condition != condition) continue;
    question->whole = term_and(question->whole, whole);
    return true;
  }
  return false;
}

static void ask(const struct assertion *assertion, const char *suffix, term condition, term given) {
  if (term_is_true(condition)) {
    run.tally->by_structure++;
    return;
  }
  const term whole = term_implies(given, assertion->condition);
  if (is_proved(condition) || is_asked(condition, whole)) {
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
      .name = name, .assertion = assertion, .whole = whole, .answer = ANSWER_UNKNOWN};
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
  return term_const(16, pmuv3_event_number((enum pmuv3_event_index)event));
}

/* How often the event occurs, by names that all events of its width have: what is proved of one is
 * proved of all that are counted alike. */
static void rename_counts(struct term_map *map, unsigned event) {
  for (unsigned t = 0; t < run.model->size.threads; t++) {
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      const term count = run.model->inputs.thread[t].count[event][o];
      if (count == TERM_NONE) continue;
      const bool is_flag = pmuv3_event_limit((enum pmuv3_event_index)event) == 1;
      char name[32];
      snprintf(name, sizeof name, "t%u.event.%s.%u", t, is_flag ? "flag" : "count", o);
      term_map_put(map, count, term_zext(term_var(is_flag ? 1 : 8, name), 8));
    }
  }
}

static enum events kind_of(enum pmuv3_event_index event) {
  if (event == PMUV3_INDEX_CPU_CYCLES || event == PMUV3_INDEX_CHAIN) return EVENTS_OWN;
  return pmuv3_event_class_of(event) == PMUV3_EVENT_CLASS_COUNT ? EVENTS_COUNT : EVENTS_COMBINED;
}

static bool is_about(const struct assertion *assertion, enum events kind) {
  return assertion->events == EVENTS_ALL || assertion->events == kind;
}

/* Sides are compared when they are what they are in the end: that shows more. */
struct claimed {
  term condition, sides[2];
};

static struct claimed replaced(const struct claimed *claimed, struct term_map *map) {
  if (claimed->sides[0] == TERM_NONE)
    return (struct claimed){.condition = term_replace(claimed->condition, map)};
  const term a = term_replace(claimed->sides[0], map), b = term_replace(claimed->sides[1], map);
  return (struct claimed){term_eq(a, b), {a, b}};
}

/* A variable by whose values a question is split; TERM_NONE: it is not cut. */
static term split_by(const struct assertion *assertion, const char *variable) {
  char name[48];
  snprintf(name, sizeof name, "t%d.cut.%s%d", assertion->thread, variable, assertion->counter);
  return model_variable(run.model, name);
}

struct search {
  term variable;
  bool is_found;
};

static void look_at(term a, void *with) {
  struct search *search = with;
  search->is_found = search->is_found || a == search->variable;
}

static bool depends_on(term condition, term variable) {
  struct search search = {variable, false};
  if (variable != TERM_NONE) term_walk(&condition, 1, look_at, &search);
  return search.is_found;
}

/* For each value of a variable that the question depends on, of which there are few. */
static void ask_by_values(const struct assertion *assertion, const char *suffix,
                          const struct claimed *claimed, term given, const char *const *variables) {
  if (*variables == NULL || term_is_true(claimed->condition)) {
    ask(assertion, suffix, claimed->condition, given);
    return;
  }
  const term variable = split_by(assertion, *variables);
  if (!depends_on(claimed->condition, variable)) {
    ask_by_values(assertion, suffix, claimed, given, variables + 1);
    return;
  }
  for (unsigned v = 0; v < 1u << term_width(variable); v++) {
    const term value = term_const(term_width(variable), v);
    struct term_map *map = term_map_new();
    term_map_put(map, variable, value);
    const struct claimed of_one = replaced(claimed, map);
    term_map_free(map);
    char text[96];
    snprintf(text, sizeof text, "%s, %s %u", suffix, *variables, v);
    ask_by_values(assertion, text, &of_one, term_and(given, term_eq(variable, value)),
                  variables + 1);
  }
}

/* Whether the counter is grouped or not and which threads are eligible, where that is cut. */
static void ask_by_sources(const struct assertion *assertion, const char *event,
                           const struct claimed *claimed, term given) {
  static const char *const variables[] = {"grouped", "eligible", NULL};
  char suffix[48];
  snprintf(suffix, sizeof suffix, ", %s", event);
  ask_by_values(assertion, suffix, claimed, given, variables);
}

/* For each event; and for whatever number is none: then no comparison with one holds. The
 * assumptions, which are about the number too, are not changed: that makes them weaker. */
static void ask_by_event(const struct assertion *assertion, const struct claimed *claimed) {
  const term selected = selected_event(assertion);
  term others = TERM_TRUE;
  struct term_map *none = term_map_new();
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    const term is_selected = term_eq(selected, number_of(e));
    term_map_put(none, is_selected, TERM_FALSE);
    others = term_and(others, term_not(is_selected));
    if (!is_about(assertion, kind_of((enum pmuv3_event_index)e))) continue;
    struct term_map *map = term_map_new(), *names = term_map_new();
    term_map_put(map, selected, number_of(e));
    rename_counts(names, e);
    const struct claimed selecting = replaced(claimed, map), of_event = replaced(&selecting, names);
    ask_by_sources(assertion, pmuv3_event_mnemonic((enum pmuv3_event_index)e), &of_event,
                   is_selected);
    term_map_free(names);
    term_map_free(map);
  }
  if (is_about(assertion, EVENTS_COMBINED)) {
    const struct claimed of_none = replaced(claimed, none);
    ask_by_sources(assertion, "no event", &of_none, others);
  }
  term_map_free(none);
}

static struct claimed claimed_by(const struct assertion *assertion) {
  return (struct claimed){assertion->condition, {assertion->sides[0], assertion->sides[1]}};
}

static void ask_assertion(const struct assertion *assertion) {
  const struct claimed claimed = claimed_by(assertion);
  const term condition = claimed.condition;
  if (assertion->counter >= 0 && !term_is_true(condition) && !is_proved(condition))
    ask_by_event(assertion, &claimed);
  else
    ask(assertion, "", condition, TERM_TRUE);
}

static void ask_all(const struct theorem *theorem) {
  for (size_t a = 0; a < theorem->num_assertions; a++) ask_assertion(&theorem->assertions[a]);
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

/* What is refuted with free cuts may hold of the whole clock, unless they stay free. */
static bool is_final(enum answer answer) {
  if (run.round > PATIENT) return true;
  return answer == ANSWER_REFUTED ? run.options->cuts_stay_free : run.round == PATIENT;
}

static void proved(struct question *question) {
  question->answer = ANSWER_PROVED;
  question->is_final = true;
  run.tally->by_solvers++;
  if (question->query.assumptions == run.model->assumptions)
    proof_cache_add(run.options->cache, digest_of(question->query.condition));
}

static void done(const struct query *query, const struct result *result) {
  struct question *question = query->with;
  run.tally->solver_seconds += result->seconds[0] + result->seconds[1];
  run.options->answered(question->name, result);
  if (run.round > PATIENT && run.round < LAST && result->answer != ANSWER_REFUTED) return;
  question->answer = result->answer;
  question->is_final = is_final(result->answer);
  if (result->answer == ANSWER_PROVED) {
    proved(question);
  } else if (question->is_final) {
    fall_short(question, result);
  }
}

/* ---- Once more ---- */

/* Of a counter whose sum is cut: grouped, eligible, the sum; the maps. */
enum { SUM_CUTS = 3 + PMUV3_MAX_THREADS * MODEL_MAPS };
/* Classes of events that are chosen: the choices. */
enum { CLASSES = 3 };
/* What is preferred: of all threads, and of one. */
enum { PREFERENCES_OF_ALL = 1 + PMUV3_NUM_FEATURES + 1 + CLASSES + 1, PREFERENCES = 5 };

static void define(term condition) {
  run.definitions[run.num_definitions++] = condition;
}

static void define_cut(term any, term driven) {
  define(term_eq(any, term_extract(driven, 0, term_width(any))));
}

static void define_sum(unsigned t, unsigned n) {
  const struct model *model = run.model;
  define_cut(model->groups[t][n].any, model->groups[t][n].driven);
  define_cut(model->eligible[t][n].any, model->eligible[t][n].driven);
  define_cut(model->sums[t][n].any, model->sums[t][n].driven);
  for (unsigned source = 0; source < model->size.threads; source++)
    for (unsigned m = 0; m < MODEL_MAPS; m++)
      define_cut(model->maps[t][n][source][m].any, model->maps[t][n][source][m].driven);
}

/* What the cut values are: then a counterexample is one of the whole clock. */
static void define_cuts(void) {
  const struct model *model = run.model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < model->size.counters; n++) {
      for (int c = 0; c < CUTS; c++)
        define_cut(model->cuts[t][n][c].any, model->cuts[t][n][c].driven);
      if (model_has_sums(model->size)) define_sum(t, n);
    }
  }
}

/* A bit of a thread's state, or of the parameters; what is not in this case is 0. */
static term bit_of(const char *name, unsigned t) {
  char text[48];
  snprintf(text, sizeof text, name, t);
  const term variable = model_variable(run.model, text);
  return variable == TERM_NONE ? TERM_FALSE : variable;
}

/* Nothing occurs from this origin on. */
static term occurs_none(const struct thread_inputs *thread, unsigned from) {
  term none = TERM_TRUE;
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    for (unsigned o = from; o < PMUV3_NUM_ORIGINS; o++) {
      const term count = thread->count[e][o];
      if (count != TERM_NONE) none = term_and(none, term_not(term_any(count)));
    }
  }
  return none;
}

static void prefer(term condition) {
  run.definitions[run.num_preferred++] = condition;
}

/* A stimulus file has no occurrences but in Processor cycles, of another context that is the
 * thread's own, of a debugger while the thread is not halted, and no snid where that is not read.
 * Nothing occurs in a thread that is not implemented. */
static void define_preferred(void) {
  enum { CONTEXT = 4 }; /* bits of {ss, el} */
  const struct model *model = run.model;
  run.num_preferred = run.num_definitions;
  prefer(map_absent_rest(model));
  for (unsigned t = 0; t < model->size.threads; t++) {
    const struct thread_inputs *thread = &model->inputs.thread[t];
    const term here = term_extract(thread->pe, 0, CONTEXT);
    const term there = term_extract(thread->other, 0, CONTEXT);
    prefer(term_not(term_eq(here, there)));
    prefer(term_or(bit_of("t%u.pe.halted", t), occurs_none(thread, PMUV3_DEBUGGER)));
    if (!model->which.cycle) prefer(occurs_none(thread, 0));
    prefer(term_not(term_and(bit_of("debugv8p2", t), bit_of("t%u.pe.snid", t))));
  }
}

/* What is there shows, if it is another one: every feature, and events of slots. The page has one
 * layout. */
static void define_rich(void) {
  run.num_rich = run.num_preferred;
#define PMUV3_FEATURE(id, implies, dflt, text)                                                \
  if (PMUV3_FEATURE_##id != PMUV3_FEATURE_EXT32 && PMUV3_FEATURE_##id != PMUV3_FEATURE_EXT64) \
    run.definitions[run.num_rich++] = model_variable(run.model, "FEAT_" #id);
#include "pmuv3/params.def"
  run.definitions[run.num_rich++] = term_any(model_variable(run.model, "slots"));
}

/* Events of the memory system alone are what the classes of Unattributable ones are chosen as; and
 * no software increment waits, which would have to be shown first. */
static void define_apart(void) {
  static const char *const classes[] = {"k_unattr_filter", "k_unattr_prohib", "k_unattr_debug"};
  enum { MEMORY = 2 };
  const struct model *model = run.model;
  run.num_apart = run.num_rich;
  for (int c = 0; c < CLASSES; c++)
    run.definitions[run.num_apart++] =
        term_eq(model_variable(model, classes[c]), term_const(2, MEMORY));
  run.definitions[run.num_apart++] = model_variable(model, "k_shared_other");
  for (unsigned t = 0; t < model->size.threads; t++)
    run.definitions[run.num_apart++] = term_not(model->now[t].waiting);
}

static void define_all(void) {
  const struct model *model = run.model;
  const size_t room = model->num_assumptions + model->num_particulars +
                      (CUTS + SUM_CUTS) * PMUV3_MAX_THREADS * PMUV3_MAX_COUNTERS +
                      PREFERENCES_OF_ALL + PREFERENCES * PMUV3_MAX_THREADS;
  run.definitions = malloc(room * sizeof *run.definitions);
  if (run.definitions == NULL) abort();
  run.num_definitions = 0;
  for (size_t a = 0; a < model->num_assumptions; a++) define(model->assumptions[a]);
  for (size_t p = 0; p < model->num_particulars; p++) define(model->particulars[p]);
  if (model->cut_at == MODEL_CUT_SUMS && model->which.cycle) define_cuts();
  define_preferred();
  define_rich();
  define_apart();
}

/* Whether a counter of this event counts another value, or whether it counts. */
static term shows_in(const struct assertion *assertion, unsigned event) {
  const term selected = selected_event(assertion);
  const struct claimed claimed = claimed_by(assertion);
  struct term_map *map = term_map_new();
  term_map_put(map, selected, number_of(event));
  const struct claimed of_event = replaced(&claimed, map);
  term_map_free(map);
  return term_and(term_eq(selected, number_of(event)), term_not(of_event.condition));
}

/* Another part of a sum over threads is best one that shows: in a counter of one of these events,
 * which differ in what is attributed. */
static term shows(void) {
  static const enum pmuv3_event_index events[] = {PMUV3_INDEX_L1D_CACHE,  PMUV3_INDEX_L2D_CACHE,
                                                  PMUV3_INDEX_TRCEXTOUT0, PMUV3_INDEX_INST_RETIRED,
                                                  PMUV3_INDEX_CPU_CYCLES, PMUV3_INDEX_CHAIN};
  term any = TERM_FALSE;
  for (size_t a = 0; a < run.theorem->num_assertions; a++) {
    const struct assertion *assertion = &run.theorem->assertions[a];
    for (size_t e = 0; assertion->is_whole_sum && e < sizeof events / sizeof *events; e++)
      any = term_or(any, shows_in(assertion, events[e]));
  }
  return any;
}

/* A refuted question again, with all of that, of the variables as they are called. */
static void ask_whole(struct question *question) {
  question->query.condition = question->whole;
  question->query.assumptions = run.definitions;
  const size_t numbers[] = {[APART] = run.num_apart,
                            [RICH] = run.num_rich,
                            [PREFERRED] = run.num_preferred,
                            [LAST] = run.num_definitions};
  question->query.num_assumptions = numbers[run.round];
  if (run.round == LAST || !question->assertion->is_of_part) return;
  if (run.shows == TERM_NONE) run.shows = shows();
  question->query.condition = term_or(question->whole, term_not(run.shows));
}

/* Those with the answer that they have so far. */
static size_t collect(struct query *queries, enum answer answer) {
  size_t number = 0;
  for (size_t q = run.from; q < run.to; q++) {
    struct question *question = &run.questions[q];
    if (question->is_final || question->answer != answer) continue;
    if (answer == ANSWER_REFUTED) ask_whole(question);
    queries[number] = question->query;
    queries[number++].with = question;
  }
  return number;
}

static bool fell_short(void) {
  return run.tally->refuted + run.tally->unknown + run.tally->disagreed > 0;
}

static bool is_enough(void) {
  return run.options->stop && fell_short();
}

static bool ask_solvers(enum round round, enum answer answer, double seconds) {
  struct query *queries = malloc((run.num_questions + 1) * sizeof *queries);
  if (queries == NULL) abort();
  run.round = round;
  struct solver_options options = run.options->solver;
  options.seconds = seconds;
  const bool ran = is_enough() || solve(queries, collect(queries, answer), &options, done);
  free(queries);
  return ran;
}

static bool ask_whole_clocks(void) {
  return ask_solvers(APART, ANSWER_REFUTED, run.options->solver.seconds) &&
         ask_solvers(RICH, ANSWER_REFUTED, run.options->solver.seconds) &&
         ask_solvers(PREFERRED, ANSWER_REFUTED, run.options->solver.seconds) &&
         ask_solvers(LAST, ANSWER_REFUTED, run.options->patience);
}

/* Of what is left, one by one, if the first that falls short is enough. */
static bool ask_in_steps(void) {
  const size_t step = run.options->stop ? 1 : run.num_questions;
  bool ran = true;
  for (run.from = 0; ran && run.from < run.num_questions && !is_enough(); run.from += step) {
    run.to = run.from + step;
    ran = ask_solvers(PLAIN, ANSWER_UNKNOWN, run.options->solver.seconds) && ask_whole_clocks();
  }
  return ran;
}

/* Whoever keeps the queries wants each by itself. */
static bool is_for_session(void) {
  return run.num_questions > 1 && run.options->solver.keep == NULL;
}

/* Seconds that a question may take in a session. */
static double each_in_session(void) {
  static const double most = 0.5;
  const double limit = run.options->solver.seconds;
  return limit > 0 && limit < most ? limit : most;
}

static struct query_set all_questions(void) {
  term *conditions = malloc(run.num_questions * sizeof *conditions);
  if (conditions == NULL) abort();
  for (size_t q = 0; q < run.num_questions; q++) conditions[q] = run.questions[q].query.condition;
  return (struct query_set){run.model->assumptions, run.model->num_assumptions, conditions,
                            run.num_questions};
}

/* If one that falls short is enough, the first of which that is likely is asked before the others.
 */
static bool ask_likely(void) {
  if (!run.options->stop || !is_for_session()) return true;
  const struct query_set set = all_questions();
  double seconds;
  size_t likely;
  const bool ran = solve_until_refuted(&set, each_in_session(), &likely, &seconds);
  free((void *)set.conditions);
  run.tally->solver_seconds += seconds;
  if (!ran || likely == run.num_questions) return ran;
  run.from = likely;
  run.to = likely + 1;
  return ask_solvers(PLAIN, ANSWER_UNKNOWN, run.options->solver.seconds) && ask_whole_clocks();
}

/* Most are answered at once, and what takes time is that a solver reads the assumptions: first all
 * in one session. */
static bool ask_together(void) {
  if (!is_for_session()) return true;
  const struct query_set set = all_questions();
  bool *are_proved = malloc(run.num_questions * sizeof *are_proved);
  double seconds;
  if (are_proved == NULL) abort();
  const bool ran = solve_together(&set, each_in_session(), are_proved, &seconds);
  for (size_t q = 0; ran && q < run.num_questions; q++)
    if (are_proved[q] && run.questions[q].answer != ANSWER_PROVED) proved(&run.questions[q]);
  run.tally->solver_seconds += seconds;
  free(are_proved);
  free((void *)set.conditions);
  return ran;
}

static bool ask_and_again(void) {
  const double patience = run.options->patience;
  if (!ask_likely()) return false;
  if (is_enough()) return true;
  if (!ask_together() || !ask_in_steps()) return false;
  run.from = 0;
  run.to = run.num_questions;
  return ask_solvers(PATIENT, ANSWER_UNKNOWN, patience) &&
         ask_solvers(PATIENT, ANSWER_DISAGREE, patience) && ask_whole_clocks();
}

/* What was asked event by event is proved as a whole, if nothing took more than the model assumes:
 * another case then need not take it apart again. */
static bool is_all_proved_plainly(void) {
  for (size_t q = 0; q < run.num_questions; q++)
    if (run.questions[q].answer != ANSWER_PROVED ||
        run.questions[q].query.assumptions != run.model->assumptions)
      return false;
  return true;
}
static void keep_wholes(const struct theorem *theorem) {
  if (!is_all_proved_plainly()) return;
  for (size_t a = 0; a < theorem->num_assertions; a++) {
    const struct assertion *assertion = &theorem->assertions[a];
    const term condition = assertion->condition;
    if (assertion->counter >= 0 && assertion->events == EVENTS_ALL && !term_is_true(condition) &&
        !is_proved(condition))
      proof_cache_add(run.options->cache, digest_of(condition));
  }
}

/* Whatever way they were asked. */
static bool is_all_answered(void) {
  if (is_enough()) return true;
  for (size_t q = 0; q < run.num_questions; q++)
    if (!run.questions[q].is_final) return false;
  return true;
}

bool prover_run(const struct theorem *theorem, const struct model *model,
                const struct prover_options *options, struct tally *tally) {
  *tally = (struct tally){.assertions = theorem->num_assertions};
  run.theorem = theorem;
  run.model = model;
  run.options = options;
  run.tally = tally;
  run.num_questions = 0;
  run.shows = TERM_NONE;
  ask_all(theorem);
  define_all();
  const bool ran = ask_and_again();
  if (ran && !is_all_answered()) abort();
  if (ran) keep_wholes(theorem);
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
