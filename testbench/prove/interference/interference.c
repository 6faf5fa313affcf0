#include "testbench/prove/interference/interference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "testbench/prove/equivalence/text.h"

#define is rules_is

const struct model_case interference_case = {
    .cycle = true, .access = MODEL_NO_ACCESS, .place = MODEL_NO_PSEL};

/* All that is made, of a place. */
struct making {
  const struct model *model;
  enum place place;
  struct interference *all;
  size_t number;
};

/* The name is freed with the rest. */
static void add(struct making *making, const struct view *view, char *name, bool must_fail,
                term condition) {
  making->all = realloc(making->all, (making->number + 1) * sizeof *making->all);
  term *assumptions = malloc((view->num_assumptions + 1) * sizeof *assumptions);
  if (making->all == NULL || assumptions == NULL) abort();
  memcpy(assumptions, view->assumptions, view->num_assumptions * sizeof *assumptions);
  making->all[making->number++] =
      (struct interference){name, must_fail, condition, assumptions, view->num_assumptions};
}

/* "t0 counter 1", and of which thread's doings if there are several. */
static char *name_of(const struct view *view) {
  static const char *const kinds[] = {[CYCLES] = "cycle counter",
                                      [INSTRUCTIONS] = "instruction counter",
                                      [INTERRUPTS] = "interrupts"};
  const struct observer *observer = &view->observer;
  char *source = NULL;
  if (observer->model->size.threads > 1)
    source = text_format(" of t%d", __builtin_ctz(view->sources));
  char *name =
      observer->kind == COUNTER
          ? text_format("t%u counter %u%s", observer->thread, observer->n, source ? source : "")
          : text_format("t%u %s%s", observer->thread, kinds[observer->kind], source ? source : "");
  free(source);
  return name;
}
static void add_of(struct making *making, const struct view *view, const char *suffix,
                   term condition) {
  char *name = name_of(view);
  add(making, view, text_format("%s%s", name, suffix), false, condition);
  free(name);
}

/* ---- An event counter ---- */

/* Of a counter whose MT is this. */
static term with_mt(const struct observer *observer, unsigned mt, term a) {
  const term high =
      rules_variable(observer->model, "t%u.PMEVTYPER%u", observer->thread, observer->n);
  const uint32_t at = PMUV3_PMEVTYPER_MT_LSB - 16, above = at + 1;
  struct term_map *map = term_map_new();
  term_map_put(map, high,
               term_concat(term_extract(high, above, term_width(high) - above),
                           term_concat(term_const(1, mt), term_extract(high, 0, at))));
  const term result = term_replace(a, map);
  term_map_free(map);
  return result;
}

static bool is_made(const struct making *making, size_t first, term condition) {
  for (size_t i = first; i < making->number; i++)
    if (making->all[i].condition == condition) return true;
  return false;
}

/* What it counts in a cycle, of an event or none; what is proved of one is proved of those alike.
 */
static void add_counted(struct making *making, struct view *view, const struct selection *selection,
                        size_t first) {
  const struct observer *observer = &view->observer;
  const struct model_cut *cuts = observer->model->cuts[observer->thread][observer->n];
  view_set_attribution(view, selection->attribution);
  const term VB = view_of_event(view, selection, cuts[CUT_VB].driven);
  const term allowed = view_of_event(view, selection, cuts[CUT_ALLOWED].driven);
  const term condition = term_implies(view_of_event(view, selection, view_nothing_leaks(view)),
                                      term_and(view_same(view, VB), view_same(view, allowed)));
  char event[SELECTION_NAME];
  selection_name(selection, event);
  const unsigned last_mt = observer->model->size.threads > 1;
  for (unsigned mt = 0; mt <= last_mt; mt++) {
    const term of_mt = last_mt ? with_mt(observer, mt, condition) : condition;
    const term question = selection_replaced(of_mt, selection_names(observer->model, selection));
    if (is_made(making, first, question)) continue;
    char *suffix = text_format(", %s%s", event, !last_mt ? "" : mt ? ", MT" : ", no MT");
    add_of(making, view, suffix, question);
    free(suffix);
  }
}

/* Attributable to what decides the choices. What the PMU makes and INST_RETIRED
 * are of CORE, the first; only COUNT is of TRACE, the last. */
static void add_attributed(struct making *making, struct view *view, struct selection selection,
                           size_t first) {
  const bool is_core = selection.row == SELECTS_NONE || model_event_is_core(selection.row);
  const unsigned number = is_core ? 1
                          : selection.event_class == PMUV3_EVENT_CLASS_COUNT
                              ? PMUV3_NUM_EVENT_ATTRIBUTIONS
                              : PMUV3_EVENT_ATTRIBUTION_TRACE;
  for (unsigned a = 0; a < number; a++) {
    selection.attribution = a;
    add_counted(making, view, &selection, first);
  }
}
_Static_assert(PMUV3_EVENT_ATTRIBUTION_CORE == 0 &&
                   PMUV3_EVENT_ATTRIBUTION_TRACE == PMUV3_NUM_EVENT_ATTRIBUTIONS - 1,
               "add_attributed: the first and the last");

/* What becomes of that: there is no way from a counter that sees more to this one. */
static void add_made(struct making *making, const struct view *view) {
  const struct observer *observer = &view->observer;
  const term V = observer->model->cuts[observer->thread][observer->n][CUT_V].driven;
  add_of(making, view, ", value and flag", term_and(view_same(view, V), view_next_same(view)));
}

static void add_counter(struct making *making, struct view *view) {
  view_make(view, NULL);
  const size_t first = making->number;
  struct selection selections[SELECTIONS_MAX];
  const size_t number = model_selections(selections);
  for (size_t s = 0; s < number; s++) add_attributed(making, view, selections[s], first);
  add_made(making, view);
}

/* ---- The others ---- */

static void add_cycles(struct making *making, struct view *view) {
  view_make(view, NULL);
  add_of(making, view, "", view_next_same(view));
}

static void add_instructions(struct making *making, struct view *view) {
  view_set_attribution(view, PMUV3_EVENT_ATTRIBUTION_CORE);
  view_make(view, NULL);
  add_of(making, view, "", term_implies(view_nothing_leaks(view), view_next_same(view)));
}

/* Nobody hears of the counters that see more: their interrupts are theirs. What freezes the BRBE
 * for the first range is not enabled, and yet says nothing of them. */
static void add_interrupts(struct making *making, struct view *view) {
  const unsigned t = view->observer.thread;
  const struct model *model = view->observer.model;
  const term inten = model->now[t].inten;
  view_make(view, NULL);
  for (unsigned m = 0; m < model->size.counters; m++)
    view_assume(view, term_implies(view_sees_more(view, t, m), NOT(term_extract(inten, m, 1))));
  view_assume(view, NOT(term_extract(inten, PMUV3_PMCNTENSET_C_LSB, 1)));
  add_of(making, view, "",
         ALL(view_same(view, model->answers.irq[t]), view_same(view, model->answers.cti[t]),
             view_same(view, model->answers.exception[t]), view_same(view, model->answers.halt[t]),
             view_same(view, term_extract(model->answers.brbe[t], 0, 1))));
}

/* ---- What holds ---- */

/* Copies that differ in several threads are a chain of copies that differ in one. Those between are
 * such copies too. */
static void add_chain(struct making *making, const struct observer *observer) {
  const unsigned threads = observer->model->size.threads;
  struct view whole = view_new(observer, making->place, (1u << threads) - 1);
  view_make(&whole, NULL);
  term condition = TERM_TRUE;
  for (unsigned k = 1; k < threads; k++) {
    struct view part = view_new(observer, making->place, (1u << k) - 1);
    view_make(&part, NULL);
    condition = ALL(condition, rules_all(part.assumptions, part.num_assumptions),
                    term_implies(view_nothing_leaks(&whole), view_nothing_leaks(&part)));
    view_free(&part);
  }
  whole.sources = 1;
  char *name = name_of(&whole);
  add(making, &whole, text_format("%s, then the others", name), false, condition);
  free(name);
  view_free(&whole);
}

static void add_holding(struct making *making, const struct observer *observer) {
  static void (*const adds[])(struct making *, struct view *) = {
      [COUNTER] = add_counter,
      [CYCLES] = add_cycles,
      [INSTRUCTIONS] = add_instructions,
      [INTERRUPTS] = add_interrupts,
  };
  const unsigned threads = observer->model->size.threads;
  for (unsigned s = 0; s < threads; s++) {
    if (making->place == SIBLINGS && s == observer->thread) continue;
    struct view view = view_new(observer, making->place, 1u << s);
    adds[observer->kind](making, &view);
    view_free(&view);
  }
  if (threads > 1) add_chain(making, observer);
}

/* ---- What must fail ---- */

/* One implementation, and a thread whose counters all count, are enough to fail. */
static const struct pin {
  const char *name;
  uint64_t value;
} pins[] = {
    {"th_width", 12},
    {"slots", 8},
    {"el2", 1},
    {"el3", 1},
    {"aa64", 1},
    {"aa32", PMUV3_AA32_EL3},
    {"debugv8p2", 1},
    {"FEAT_TH", 0},
    {"FEAT_EDGE", 0},
    {"FEAT_TH2", 0},
    {"FEAT_SME", 0},
    {"FEAT_EBEP", 0},
    {"FEAT_SEBEP", 0},
    {"FEAT_SS", 0},
    {"FEAT_SPE", 0},
    {"FEAT_DPFZS", 0},
    {"FEAT_PMUv3p9", 1},
    {"FEAT_ICNTR", 1},
    {"FEAT_MTPMU", 1},
    {"FEAT_SEL2", 1},
    {"FEAT_EXTPMN", 1},
    {"FEAT_EXT64", 1},
    {"t0.registers.pmcr", PMUV3_MASK(PMCR, E)},
    {"t0.registers.cnten", UINT64_MAX},
    {"t0.registers.overflow", 0},
    {"t0.state.value0", 0},
    {"t0.state.instructions", 0},
};

static struct view failing_new(const struct making *making, enum kind kind, unsigned source) {
  const struct observer observer = {making->model, 0, kind, 0};
  return view_new(&observer, making->place, 1u << source);
}

/* Events that fail: of the PE, of the memory system, of a trace unit. */
static const struct selection retired = {MODEL_INST_RETIRED, PMUV3_EVENT_CLASS_COUNT,
                                         PMUV3_EVENT_ATTRIBUTION_CORE};
static const struct selection of_memory = {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT,
                                           PMUV3_EVENT_ATTRIBUTION_MEMORY};
static const struct selection traced = {MODEL_EVENT_0004, PMUV3_EVENT_CLASS_COUNT,
                                        PMUV3_EVENT_ATTRIBUTION_TRACE};

/* Thread 0's counter 0 counts this event, whole. */
static void failing_make(struct view *view, const struct selection *selection) {
  const struct model *model = view->observer.model;
  view->is_whole = view->observer.kind == COUNTER;
  view_set_attribution(view, selection->attribution);
  view_make(view, selection);
  for (size_t p = 0; p < RULES_LENGTH(pins); p++)
    view_assume(view, is(rules_variable(model, "%s", pins[p].name), pins[p].value));
  view_assume(view, is(rules_param(model, "counters"), model->size.counters));
  if (view->observer.kind == COUNTER)
    view_assume(view, selection_is(model, selection, rules_variable(model, "t0.evtCount0")));
}

static void add_failing_same(struct making *making, const struct view *view, char *name) {
  const term value = view->observer.model->next[0].value[0];
  const bool counts = view->observer.kind == COUNTER;
  add(making, view, name, true, counts ? view_same(view, value) : view_next_same(view));
}

/* All other choices let nothing pass. */
static void assume_choices(struct view *view, const struct leak *leaking) {
  for (size_t l = 0; l < num_leaks; l++)
    if (leaking == NULL || strcmp(leaks[l].param, leaking->param) != 0)
      view_assume(view, is(rules_param(view->observer.model, leaks[l].param), leaks[l].quiet));
}

static void add_leak(struct making *making, const struct leak *leak, enum kind kind) {
  struct view view = failing_new(making, kind, 0);
  if (leak_concerns(leak, &view) && (leak->shown & PLACE_BIT(making->place)) != 0) {
    failing_make(&view, kind == INSTRUCTIONS ? &retired : leak->traced ? &traced : &of_memory);
    assume_choices(&view, leak);
    view_assume(&view, leak->when(&view));
    add_failing_same(
        making, &view,
        text_format("%s leaks by %s", kind == COUNTER ? "a counter" : "the instruction counter",
                    leak->choice));
  }
  view_free(&view);
}

/* In a range that the controls do not reach, while they prohibit R1. */
static void add_range(struct making *making, bool external) {
  struct view view = failing_new(making, COUNTER, 0);
  view.lies_open = true;
  failing_make(&view, &retired);
  const struct observer *observer = &view.observer;
  const struct context of = rules_current(making->model, 0);
  const struct prohibition by = rules_prohibition_r1(observer, &of);
  assume_choices(&view, NULL);
  view_assume(&view, term_and(view_is_in_place(&view, &of), ANY(by.secure, by.el3, by.el2)));
  view_assume(&view, external ? rules_in_r3(observer, 0) : rules_in_r2(observer, 0));
  add_failing_same(
      making, &view,
      text_format("a counter of %s counts it", external ? "the external range" : "EL2's range"));
  view_free(&view);
}

/* D.6/3d: a prohibition is not against Unattributable occurrences that are related to the place.
 * They count where no choice of D13.6-12..14 is about them: with MT = 1, and, if they are related
 * to Secure state, in Realm state. */
static void add_related(struct making *making) {
  if (making->model->size.threads == 1 && making->place != SECURE) return;
  struct view view = failing_new(making, COUNTER, 0);
  view.lies_open = true;
  failing_make(&view, &of_memory);
  const struct observer *observer = &view.observer;
  const struct context of = rules_current(making->model, 0);
  const struct context other = rules_other(making->model, 0);
  assume_choices(&view, NULL);
  view_assume(&view, term_and(view_hides_related(&view, 0), rules_prohibited(observer, &other)));
  view_assume(&view, NOT(ANY(view_is_in_place(&view, &of), rules_prohibited(observer, &of),
                             rules_filtered(observer, &of))));
  add_failing_same(making, &view, text_format("a counter counts what is related to it"));
  view_free(&view);
}

/* Where nothing prohibits or filters it: in the thread itself, or a sibling of its group. */
static void add_open(struct making *making, enum kind kind, unsigned source) {
  struct view view = failing_new(making, kind, source);
  view.lies_open = true;
  failing_make(&view, &retired);
  const struct context of = rules_current(making->model, source);
  const struct context other = rules_other(making->model, source);
  assume_choices(&view, NULL);
  view_assume(&view, ALL(view_is_in_place(&view, &of), NOT(rules_prohibited(&view.observer, &of)),
                         NOT(rules_filtered(&view.observer, &of))));
  if (making->place != SIBLINGS) view_assume(&view, NOT(view_is_in_place(&view, &other)));
  add_failing_same(making, &view,
                   text_format("without control %s counts t%u",
                               kind == COUNTER ? "a counter" : "the instruction counter", source));
  view_free(&view);
}

/* The assumptions can be met: the thread is there, was there, or a sibling is. */
static void add_met(struct making *making, unsigned source, bool now, const char *what) {
  struct view view = failing_new(making, COUNTER, source);
  view_make(&view, NULL);
  view_set_attribution(&view, PMUV3_EVENT_ATTRIBUTION_CORE);
  view_assume(&view, view_nothing_leaks(&view));
  const term here = view_hides_current(&view, source), there = view_hides_other(&view, source);
  view_assume(&view, now ? here : term_and(there, NOT(here)));
  if (source != 0 && making->place != SIBLINGS)
    view_assume(&view, term_and(rules_grouped(&view.observer), NOT(view_hides_current(&view, 0))));
  add(making, &view, text_format("%s", what), true, TERM_FALSE);
  view_free(&view);
}

static void add_failing_leaks(struct making *making) {
  for (size_t l = 0; l < num_leaks; l++) {
    if (making->model->size.counters > 0) add_leak(making, &leaks[l], COUNTER);
    add_leak(making, &leaks[l], INSTRUCTIONS);
  }
}
static void add_failing_opens(struct making *making) {
  const bool is_of_siblings = making->place == SIBLINGS;
  if (making->place == ANYWHERE) return;
  if (!is_of_siblings) add_open(making, INSTRUCTIONS, 0);
  for (unsigned t = is_of_siblings; t < making->model->size.threads; t++)
    add_open(making, COUNTER, t);
}

static void add_failing(struct making *making) {
  const enum place place = making->place;
  add_failing_leaks(making);
  if (making->model->size.counters == 0) return;
  if (place != SIBLINGS) {
    add_met(making, 0, true, "the thread is there");
    add_met(making, 0, false, "the thread was there");
  }
  if (making->model->size.threads > 1) add_met(making, 1, true, "a sibling is there");
  add_failing_opens(making);
  if (place_is_filtered(place) || place == SIBLINGS) return;
  add_range(making, true);
  if (place != SECURE) add_range(making, false);
  add_related(making);
}

/* ---- All of it ---- */

size_t interference_make(const struct model *model, enum place place, struct interference **all) {
  struct making making = {model, place, NULL, 0};
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < model->size.counters; n++)
      add_holding(&making, &(struct observer){model, t, COUNTER, n});
    add_holding(&making, &(struct observer){model, t, CYCLES, 0});
    add_holding(&making, &(struct observer){model, t, INSTRUCTIONS, 0});
    if (!place_is_filtered(place))
      add_holding(&making, &(struct observer){model, t, INTERRUPTS, 0});
  }
  add_failing(&making);
  *all = making.all;
  return making.number;
}

void interference_free(struct interference *all, size_t number) {
  for (size_t i = 0; i < number; i++) {
    free(all[i].name);
    free(all[i].assumptions);
  }
  free(all);
}
