#include <stdio.h>
#include <stdlib.h>

#include "testbench/prove/equivalence/map.h"
#include "testbench/prove/equivalence/prover_internal.h"

/* Cuts of a counter whose sum is cut: grouped, eligible, the sum, the maps. */
enum { SUM_CUTS = 3 + PMUV3_MAX_THREADS * MODEL_MAPS };
/* The choices of the classes of Unattributable events. */
enum { CLASSES = 3 };
/* The most preferences of all threads, and of one thread. */
enum { PREFERENCES_OF_ALL = 3 + PMUV3_NUM_FEATURES + 1 + CLASSES + 2, PREFERENCES = 5 };

static void define(struct prover *prover, term condition) {
  prover->definitions[prover->num_definitions++] = condition;
}

static void define_cut(struct prover *prover, term any, term driven) {
  define(prover, term_eq(any, term_extract(driven, 0, term_width(any))));
}

static void define_sum(struct prover *prover, unsigned t, unsigned n) {
  const struct model *model = prover->model;
  define_cut(prover, model->groups[t][n].any, model->groups[t][n].driven);
  define_cut(prover, model->eligible[t][n].any, model->eligible[t][n].driven);
  define_cut(prover, model->sums[t][n].any, model->sums[t][n].driven);
  for (unsigned source = 0; source < model->size.threads; source++)
    for (unsigned m = 0; m < MODEL_MAPS; m++)
      define_cut(prover, model->maps[t][n][source][m].any, model->maps[t][n][source][m].driven);
}

/* Defines each cut variable as the term that drives it: a counterexample is then one of the whole
 * clock. */
static void define_cuts(struct prover *prover) {
  const struct model *model = prover->model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < model->size.counters; n++) {
      for (int c = 0; c < CUTS; c++)
        define_cut(prover, model->cuts[t][n][c].any, model->cuts[t][n][c].driven);
      if (model_has_sums(model->size)) define_sum(prover, t, n);
    }
  }
}

/* A bit of a thread's state, or of the parameters. A bit that this case lacks is 0. */
static term bit_of(const struct prover *prover, const char *name, unsigned t) {
  char text[48];
  snprintf(text, sizeof text, name, t);
  const term variable = model_variable(prover->model, text);
  return variable == TERM_NONE ? TERM_FALSE : variable;
}

/* No occurrence has this origin or a later one. */
static term occurs_none(const struct thread_inputs *thread, unsigned from) {
  term none = TERM_TRUE;
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    for (unsigned o = from; o < PMUV3_NUM_ORIGINS; o++) {
      const term count = thread->count[e][o];
      if (count != TERM_NONE) none = term_and(none, term_not(term_any(count)));
    }
  }
  return none;
}

/* Beside an access the APB has no transfer; or a write of a word to the page of a thread that is
 * written in a cycle, which then waits. */
static term transfer_may_be(const struct model *model) {
  const struct model_inputs *inputs = &model->inputs;
  const struct model_case *which = &model->which;
  const term none = term_not(inputs->select);
  if (which->access == MODEL_TRANSFER) return TERM_TRUE;
  if (which->access != MODEL_WRITE || !which->cycle) return none;
  const term is_word = term_and(term_eq(inputs->strobes, term_const(4, 15)),
                                term_eq(term_extract(inputs->offset, 0, 2), term_const(2, 0)));
  const term is_of_thread = term_eq(inputs->page, term_const(2, which->thread));
  return term_or(none, term_and(inputs->transfer_write, term_and(is_word, is_of_thread)));
}

/* If it ended too soon, the enables would be lost. */
static term transfer_shows(const struct model *model) {
  enum { OFFSET_PMCNTENSET = 0xC00 };
  const struct model_inputs *inputs = &model->inputs;
  if (model->which.access == MODEL_TRANSFER) return TERM_TRUE;
  const term enables = term_and(term_eq(inputs->offset, term_const(12, OFFSET_PMCNTENSET)),
                                term_eq(inputs->word, term_const(32, UINT32_MAX)));
  return term_or(term_not(inputs->select), enables);
}

static void prefer(struct prover *prover, term condition) {
  prover->definitions[prover->num_preferred++] = condition;
}

/* A stimulus file cannot have: any other transfer beside an access; an occurrence outside a
 * Processor cycle; another context that equals the thread's own; a debugger's occurrence while the
 * thread is not halted; snid where the PMU does not read it; an occurrence in a thread that is not
 * implemented; traits that D14.7 forbids. */
static void define_preferred(struct prover *prover) {
  enum { CONTEXT = 4 }; /* bits of {ss, el} */
  const struct model *model = prover->model;
  prover->num_preferred = prover->num_definitions;
  prefer(prover, map_absent_rest(model));
  prefer(prover, model_events_may_be(model));
  prefer(prover, transfer_may_be(model));
  for (unsigned t = 0; t < model->size.threads; t++) {
    const struct thread_inputs *thread = &model->inputs.thread[t];
    const term here = term_extract(thread->pe, 0, CONTEXT);
    const term there = term_extract(thread->other, 0, CONTEXT);
    prefer(prover, term_not(term_eq(here, there)));
    prefer(prover,
           term_or(bit_of(prover, "t%u.pe.halted", t), occurs_none(thread, PMUV3_DEBUGGER)));
    if (!model->which.cycle) prefer(prover, occurs_none(thread, 0));
    prefer(prover,
           term_not(term_and(bit_of(prover, "debugv8p2", t), bit_of(prover, "t%u.pe.snid", t))));
  }
}

/* Every feature and the Slots events: more of a wrong value is then visible. The page has only one
 * layout. */
static void define_rich(struct prover *prover) {
  prover->num_rich = prover->num_preferred;
#define PMUV3_FEATURE(id, implies, dflt, text)                                                \
  if (PMUV3_FEATURE_##id != PMUV3_FEATURE_EXT32 && PMUV3_FEATURE_##id != PMUV3_FEATURE_EXT64) \
    prover->definitions[prover->num_rich++] = model_variable(prover->model, "FEAT_" #id);
#include "pmuv3/params.def"
  prover->definitions[prover->num_rich++] = term_any(model_variable(prover->model, "slots"));
}

/* The choices treat only events of the memory system as Unattributable, so classes of events
 * differ. A transfer that waits shows whether it did. No software increment waits: a stimulus file
 * would first have to make one wait. */
static void define_apart(struct prover *prover) {
  static const char *const classes[] = {"k_unattr_filter", "k_unattr_prohib", "k_unattr_debug"};
  enum { MEMORY = 2 };
  const struct model *model = prover->model;
  prover->num_apart = prover->num_rich;
  for (int c = 0; c < CLASSES; c++)
    prover->definitions[prover->num_apart++] =
        term_eq(model_variable(model, classes[c]), term_const(2, MEMORY));
  prover->definitions[prover->num_apart++] = model_variable(model, "k_shared_other");
  prover->definitions[prover->num_apart++] = transfer_shows(model);
  for (unsigned t = 0; t < model->size.threads; t++)
    prover->definitions[prover->num_apart++] = term_not(model->now[t].waiting);
}

void prover_define_whole(struct prover *prover) {
  const struct model *model = prover->model;
  const size_t room = model->num_assumptions + model->num_particulars +
                      (CUTS + SUM_CUTS) * PMUV3_MAX_THREADS * PMUV3_MAX_COUNTERS +
                      PREFERENCES_OF_ALL + PREFERENCES * PMUV3_MAX_THREADS;
  prover->definitions = malloc(room * sizeof *prover->definitions);
  if (prover->definitions == NULL) abort();
  prover->num_definitions = 0;
  for (size_t a = 0; a < model->num_assumptions; a++) define(prover, model->assumptions[a]);
  for (size_t p = 0; p < model->num_particulars; p++) define(prover, model->particulars[p]);
  if (model->cut_at == MODEL_CUT_SUMS && model->which.cycle) define_cuts(prover);
  define_preferred(prover);
  define_rich(prover);
  define_apart(prover);
}

/* The counter of this assertion selects the event, and the assertion fails. */
static term shows_in(const struct prover *prover, const struct assertion *assertion,
                     const struct selection *selection) {
  const term selected = prover_selected_event(assertion);
  const struct claimed claimed = prover_claimed(assertion),
                       of_event = prover_replaced(
                           &claimed, selection_values(prover->model, selection, selected));
  return term_and(selection_is(prover->model, selection, selected), term_not(of_event.condition));
}

/* A wrong part of a sum over threads is visible in a counter of one of these events, which differ
 * in their attribution. */
static term shows(struct prover *prover) {
  static const struct selection selections[] = {
      {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_MEMORY},
      {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_SHARED},
      {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_OWN},
      {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_TRACE},
      {MODEL_INST_RETIRED, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE},
      {MODEL_CPU_CYCLES, PMUV3_EVENT_CLASS_SELF, ANY_ATTRIBUTION},
      {MODEL_CHAIN, PMUV3_EVENT_CLASS_SELF, ANY_ATTRIBUTION}};
  term any = TERM_FALSE;
  for (size_t a = 0; a < prover->theorem->num_assertions; a++) {
    const struct assertion *assertion = &prover->theorem->assertions[a];
    for (size_t s = 0; assertion->is_whole_sum && s < sizeof selections / sizeof *selections; s++)
      any = term_or(any, shows_in(prover, assertion, &selections[s]));
  }
  return any;
}

void prover_ask_whole(struct question *question) {
  struct prover *prover = question->prover;
  question->query.condition = question->whole;
  question->query.assumptions = prover->definitions;
  const size_t numbers[] = {[APART] = prover->num_apart,
                            [RICH] = prover->num_rich,
                            [PREFERRED] = prover->num_preferred,
                            [LAST] = prover->num_definitions};
  question->query.num_assumptions = numbers[prover->round];
  if (prover->round == LAST || !question->assertion->is_of_part) return;
  if (prover->shows == TERM_NONE) prover->shows = shows(prover);
  question->query.condition = term_or(question->whole, term_not(prover->shows));
}
