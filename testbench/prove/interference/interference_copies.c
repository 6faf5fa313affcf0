#include "testbench/prove/interference/interference_copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define is rules_is

/* ---- The places ---- */

static const struct {
  const char *name;
  bool is_filtered;
} places[PLACES] = {
    [SECURE] = {"Secure", false},
    [EL3] = {"EL3 without RME", false},
    [ROOT] = {"Root", false},
    [EL2] = {"EL2", false},
    [REALM] = {"Realm, filtered", true},
    [ANYWHERE] = {"any context, filtered", true},
    [SIBLINGS] = {"siblings, without MT", false},
};

const char *place_name(enum place place) {
  return places[place].name;
}
bool place_is_filtered(enum place place) {
  return places[place].is_filtered;
}
bool place_is_there(enum place place, struct size size) {
  return place != SIBLINGS || size.threads > 1;
}

term view_is_in_place(const struct view *view, const struct context *of) {
  const term at_el3 = is(of->el, 3);
  const term has_rme = rules_has(view->observer.model, PMUV3_FEATURE_RME);
  switch (view->place) {
    case SECURE:
      return term_and(is(of->ss, PMUV3_S), NOT(at_el3));
    case EL3:
      return term_and(at_el3, NOT(has_rme));
    case ROOT:
      return term_and(at_el3, has_rme);
    case EL2:
      return is(of->el, 2);
    case REALM:
      return is(of->ss, PMUV3_RL);
    case SIBLINGS:
      return term_const(1, of->thread != view->observer.thread);
    default:
      return TERM_TRUE;
  }
}

/* What happens in this context must not be seen. */
static term is_hidden(const struct view *view, const struct context *of) {
  const term in_place = view_is_in_place(view, of);
  if (view->lies_open) return in_place;
  if (view->observer.kind == SOFTWARE) return TERM_FALSE; /* it looks at counters */
  if (view->is_access)
    return term_or(rules_prohibited(&view->observer, of), rules_filtered(&view->observer, of));
  if (view->place == SIBLINGS) return term_and(in_place, NOT(rules_grouped(&view->observer)));
  return term_and(in_place, places[view->place].is_filtered
                                ? rules_filtered(&view->observer, of)
                                : rules_prohibited(&view->observer, of));
}

term view_hides_current(const struct view *view, unsigned thread) {
  const struct context of = rules_current(view->observer.model, thread);
  return is_hidden(view, &of);
}
term view_hides_other(const struct view *view, unsigned thread) {
  const struct context of = rules_other(view->observer.model, thread);
  return is_hidden(view, &of);
}

static term is_related(const struct view *view, unsigned thread) {
  return rules_variable(view->observer.model, "t%u.other.related", thread);
}

/* The parts of the prohibition of the observer's other context that the thread is outside of. With
 * MT = 0, choices are about them (D13.6-12..14). */
static struct prohibition prohibition_outside(const struct observer *observer) {
  const struct context now = rules_current(observer->model, observer->thread);
  const struct context of = rules_other(observer->model, observer->thread);
  const struct prohibition by = rules_prohibition(observer, &of);
  const term may = NOT(rules_grouped(observer));
  return (struct prohibition){
      .secure = ALL(may, by.secure, is(now.ss, PMUV3_NS)),
      .el3 = ALL(may, by.el3, NOT(is(now.el, 3))),
      .el2 = ALL(may, by.el2, NOT(is(now.el, 2))),
  };
}

/* D.6, 3: an event counter judges Unattributable occurrences by the thread's own state, whatever
 * they are related to. Besides, only a choice of D13.6-12..14 can refuse them. The instruction
 * counter never counts what is related to a context that RCSRMB prohibits. */
term view_hides_related(const struct view *view, unsigned thread) {
  const struct observer *observer = &view->observer;
  const term hides = term_and(is_related(view, thread), view_hides_other(view, thread));
  if (place_is_filtered(view->place)) return TERM_FALSE;
  if (view->lies_open || observer->kind != COUNTER) return hides;
  if (thread != observer->thread) return TERM_FALSE;
  const struct prohibition outside = prohibition_outside(observer);
  return term_and(hides, ANY(outside.secure, outside.el3, outside.el2));
}

/* ---- The second copy ---- */

/* A variable that may be another one in the second copy where `when`. */
static void vary(struct view *view, term variable, term when) {
  if (variable == TERM_NONE || term_is_false(when)) return;
  char name[128];
  snprintf(name, sizeof name, "b.%s", term_name(variable));
  const term varied = term_var(term_width(variable), name);
  term_map_put(view->to_b, variable, term_ite(when, varied, variable));
}
static void vary_pe(struct view *view, unsigned t, const char *name, term when) {
  vary(view, rules_pe(view->observer.model, t, name), when);
}

/* Unattributable occurrences that are related to it; or that arrive while it happens. A filter
 * judges by the thread's own state alone. */
static term hides_unattributable(const struct view *view, unsigned t) {
  if (view->place == SIBLINGS) return view_hides_current(view, t);
  const term while_there = t == view->observer.thread ? view_hides_current(view, t) : TERM_FALSE;
  return term_or(while_there, view_hides_related(view, t));
}

/* A debugger's operations are never counted. */
static void vary_counts(struct view *view, unsigned t) {
  const term when[] = {view_hides_current(view, t), view_hides_other(view, t),
                       hides_unattributable(view, t), TERM_TRUE};
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
      if (model_event_bits(e, o) != 0) vary(view, model_event_count("", t, e, o), when[o]);
}

/* Where in the place the thread is: not to be seen, except where it is seen by what the thread
 * itself may see. For the PMU Profiling exception, which it masks and routes; and any two contexts
 * may differ in whether EL2 is enabled, which that exception's controls depend on. */
static bool may_move(const struct view *view, unsigned t) {
  return t != view->observer.thread ||
         (view->observer.kind != INTERRUPTS && view->place != ANYWHERE);
}

/* The state that the thread is in; software increments and captures that wait. In the cycle in
 * which it comes from elsewhere, whether that is counted may depend on where it came to: by the
 * choices of D13.6-12..14, and as Streaming mode and Debug state are of both. */
static void vary_state(struct view *view, unsigned t) {
  const struct model *model = view->observer.model;
  const term here = view_hides_current(view, t), there = view_hides_other(view, t);
  const term stays = term_and(here, there);
  vary_pe(view, t, "wfx", here);
  vary_pe(view, t, "active", here);
  vary_pe(view, t, "aa32", here);
  vary_pe(view, t, "sm", stays);
  if (t != view->observer.thread) vary_pe(view, t, "halted", stays);
  if (may_move(view, t)) {
    /* What is related to it may count, so a choice about where it happens may be seen. */
    const term seen = term_and(is_related(view, t), NOT(hides_unattributable(view, t)));
    vary_pe(view, t, "el", stays);
    vary_pe(view, t, "ss", stays);
    vary(view, rules_other(model, t).el, term_and(there, NOT(seen)));
    vary(view, rules_other(model, t).ss, term_and(there, NOT(seen)));
  }
  vary(view, rules_variable(model, "t%u.state.waiting", t), here);
  vary(view, rules_variable(model, "t%u.state.captured", t), here);
  if (t != view->observer.thread) vary(view, rules_variable(model, "t%u.capture", t), TERM_TRUE);
  for (unsigned m = 0; m < model->size.counters; m++)
    vary(view, rules_variable(model, "t%u.pending%u", t, m), here);
}

term view_sees_more(const struct view *view, unsigned t, unsigned m) {
  const struct observer *observer = &view->observer;
  if (t != observer->thread) return TERM_TRUE;
  if (observer->kind == SOFTWARE) return NOT(rules_reached(observer, m));
  if (observer->kind != COUNTER) return NOT(rules_in_r1(observer, m));
  if (m == observer->n) return TERM_FALSE;
  return term_ite(rules_in_r1(observer, observer->n), NOT(rules_in_r1(observer, m)),
                  term_and(rules_in_r2(observer, observer->n), rules_in_r3(observer, m)));
}

static bool counts_cycles(const struct view *view) {
  return view->observer.kind == CYCLES || view->observer.kind == SOFTWARE;
}

/* Flags of a thread's counters that may be others: a bit each, where `when`. */
static term flags_that_vary(const struct view *view, unsigned t) {
  const bool is_self = t == view->observer.thread;
  term flags = term_const(64, 0);
  for (unsigned m = 0; m < view->observer.model->size.counters; m++) {
    const term bit = term_const(64, UINT64_C(1) << m);
    flags = term_or(flags, term_ite(view_sees_more(view, t, m), bit, term_const(64, 0)));
  }
  if (!is_self || !counts_cycles(view)) flags = term_or(flags, term_const(64, PMUV3_BIT_C));
  return is_self ? flags : term_or(flags, term_const(64, PMUV3_BIT_F0));
}

static void vary_flags(struct view *view, unsigned t) {
  const term overflow = rules_variable(view->observer.model, "t%u.registers.overflow", t);
  if (overflow == TERM_NONE) return;
  char name[64];
  snprintf(name, sizeof name, "b.%s", term_name(overflow));
  const term flags = flags_that_vary(view, t), varied = term_var(64, name);
  term_map_put(view->to_b, overflow,
               term_or(term_and(overflow, term_not(flags)), term_and(varied, flags)));
}

/* Counters that see more. Nobody counts cycles with the cycle counter but itself. */
static void vary_counters(struct view *view, unsigned t) {
  const struct model *model = view->observer.model;
  const bool is_self = t == view->observer.thread;
  for (unsigned m = 0; m < model->size.counters; m++) {
    const term when = view_sees_more(view, t, m);
    vary(view, rules_variable(model, "t%u.state.value%u", t, m), when);
    vary(view, rules_variable(model, "t%u.svr%u", t, m), when);
    vary(view, rules_variable(model, "t%u.CP%u", t, m), when);
  }
  if (!is_self || !counts_cycles(view)) {
    vary(view, rules_variable(model, "t%u.state.cycles", t), TERM_TRUE);
    vary(view, rules_variable(model, "t%u.state.divider", t), TERM_TRUE);
  }
  if (!is_self) vary(view, rules_variable(model, "t%u.state.instructions", t), TERM_TRUE);
  vary_flags(view, t);
}

/* What counters count that the observer does not depend on: whatever it may be. Its own, if the
 * cuts are not defined, is the same in both copies. */
static void vary_cuts(struct view *view) {
  const struct model *model = view->observer.model;
  for (unsigned t = 0; t < model->size.threads; t++)
    for (unsigned m = 0; m < model->size.counters; m++)
      for (int c = 0; c < CUTS; c++)
        vary(view, model->cuts[t][m][c].any,
             view->is_whole ? TERM_TRUE : view_sees_more(view, t, m));
}

/* ---- Assumptions ---- */

term view_in_b(const struct view *view, term a) {
  return term_replace(a, view->to_b);
}
term view_same(const struct view *view, term a) {
  return term_eq(a, view_in_b(view, a));
}

static term flag_same(const struct view *view, unsigned bit) {
  const struct model *model = view->observer.model;
  const unsigned t = view->observer.thread;
  return term_and(view_same(view, term_extract(model->next[t].overflow, bit, 1)),
                  view_same(view, term_extract(model->answers.pulses[t], bit, 1)));
}
term view_next_same(const struct view *view) {
  const unsigned n = view->observer.n;
  const struct thread_state *next = &view->observer.model->next[view->observer.thread];
  switch (view->observer.kind) {
    case COUNTER:
      return ALL(view_same(view, next->value[n]), view_same(view, next->CP[n]),
                 view_same(view, next->pending[n]), view_same(view, next->saved[n]),
                 flag_same(view, n));
    case CYCLES:
      return ALL(view_same(view, next->cycles), view_same(view, next->divider),
                 view_same(view, next->saved_cycles), flag_same(view, PMUV3_PMCNTENSET_C_LSB));
    case INSTRUCTIONS:
      return ALL(view_same(view, next->instructions), view_same(view, next->saved_instructions),
                 flag_same(view, PMUV3_PMCNTENSET_F0_LSB));
    default:
      abort(); /* it has no counter */
  }
}

void view_assume(struct view *view, term condition) {
  if (term_is_true(condition)) return;
  view->assumptions =
      realloc(view->assumptions, (view->num_assumptions + 1) * sizeof *view->assumptions);
  if (view->assumptions == NULL) abort();
  view->assumptions[view->num_assumptions++] = condition;
}
static void assume_of_both(struct view *view, term condition) {
  const term of_b = view_in_b(view, condition);
  view_assume(view, condition);
  if (of_b != condition) view_assume(view, of_b);
}

term view_of_event(const struct view *view, const struct selection *selection, term a) {
  const struct observer *observer = &view->observer;
  const term selected =
      rules_variable(observer->model, "t%u.evtCount%u", observer->thread, observer->n);
  return selection_replaced(a, selection_values(observer->model, selection, selected));
}

static term is_defined(const struct model_cut *cut) {
  return term_eq(cut->any, term_extract(cut->driven, 0, term_width(cut->any)));
}
static void define_cuts(struct view *view, const struct selection *selection) {
  const struct observer *observer = &view->observer;
  for (int c = 0; c < CUTS; c++) {
    const struct model_cut *cut = &observer->model->cuts[observer->thread][observer->n][c];
    assume_of_both(view, view_of_event(view, selection, is_defined(cut)));
  }
}

/* There is no Secure EL2 while it is disabled, or below an EL3 in AArch32. */
static term is_possible(const struct view *view, unsigned t) {
  const struct model *model = view->observer.model;
  const struct context of = rules_current(model, t);
  return term_implies(term_and(is(of.el, 2), is(of.ss, PMUV3_S)),
                      term_and(rules_pe(model, t, "eel2"), NOT(rules_pe(model, t, "a32el3"))));
}

/* ---- Made ---- */

struct view view_new(const struct observer *observer, enum place place, unsigned sources) {
  return (struct view){
      .observer = *observer, .place = place, .sources = sources, .of_memory = true};
}

void view_set_attribution(struct view *view, unsigned attribution) {
  view->of_memory = attribution == PMUV3_EVENT_ATTRIBUTION_MEMORY ||
                    attribution == PMUV3_EVENT_ATTRIBUTION_SHARED;
  view->is_traced = attribution == PMUV3_EVENT_ATTRIBUTION_TRACE;
}

/* What is hidden in the one copy is in the other. */
static void assume_alike(struct view *view, unsigned t) {
  const term here = view_hides_current(view, t), there = view_hides_other(view, t);
  const term unattributable = hides_unattributable(view, t);
  view_assume(view, term_implies(here, view_in_b(view, here)));
  view_assume(view, term_implies(there, view_in_b(view, there)));
  view_assume(view, term_implies(unattributable, view_in_b(view, unattributable)));
  assume_of_both(view, is_possible(view, t));
}

void view_make(struct view *view, const struct selection *selection) {
  const struct observer *observer = &view->observer;
  const struct model *model = observer->model;
  view->to_b = term_map_new();
  for (unsigned t = 0; t < model->size.threads; t++) {
    if ((view->sources >> t & 1) == 0) continue;
    vary_counts(view, t);
    vary_state(view, t);
    vary_counters(view, t);
  }
  vary_cuts(view);
  for (size_t a = 0; a < model->num_assumptions; a++) assume_of_both(view, model->assumptions[a]);
  for (unsigned t = 0; t < model->size.threads; t++) assume_alike(view, t);
  if (observer->kind == COUNTER)
    view_assume(view, term_ult(term_const(5, observer->n), rules_param(model, "counters")));
  if (view->is_whole) define_cuts(view, selection);
}

void view_free(struct view *view) {
  if (view->to_b != NULL) term_map_free(view->to_b);
  free(view->assumptions);
}

/* ---- Permitted leaks ---- */

static term param(const struct view *view, const char *field) {
  return rules_param(view->observer.model, field);
}

/* A choice that is made for each class of events. */
static term is_chosen(const struct view *view, const char *choice) {
  return term_extract(param(view, choice), view->of_memory ? 1 : 0, 1);
}

/* D13.6-12..14: choices waive all that prohibits the thread's other context. */
static term leaks_attributable(const struct view *view) {
  const struct observer *observer = &view->observer;
  const struct context of = rules_other(observer->model, observer->thread);
  const struct prohibition by = rules_prohibition(observer, &of);
  const struct prohibition outside = prohibition_outside(observer);
  const term by_secure = ALL(by.secure, NOT(ALL(outside.secure, param(view, "k_ns_count_s_attr"))));
  const term by_el2 = ALL(by.el2, NOT(ALL(outside.el2, param(view, "k_lo_count_el2_attr"))));
  const term by_el3 = ALL(by.el3, NOT(ALL(outside.el3, param(view, "k_lo_count_ssel_attr"))));
  return ALL(view_hides_other(view, observer->thread), NOT(rules_grouped(observer)),
             NOT(ANY(by_secure, by_el2, by_el3)));
}

/* D13.6-12..14: no choice refuses what is related to the thread's other context. */
static term leaks_related(const struct view *view) {
  const struct prohibition outside = prohibition_outside(&view->observer);
  const term by_secure = ALL(outside.secure, NOT(param(view, "k_ns_count_s_unattr")));
  const term by_el2 = ALL(outside.el2, NOT(param(view, "k_lo_count_el2_unattr")));
  const term by_el3 = ALL(outside.el3, NOT(param(view, "k_lo_count_ssel_unattr")));
  return ALL(view_hides_related(view, view->observer.thread), NOT(ANY(by_secure, by_el2, by_el3)));
}

/* D13.4-T2..T4, of what arrives while the thread is there. */
static term is_halted(const struct view *view) {
  return rules_pe(view->observer.model, view->observer.thread, "halted");
}
static term is_live(const struct view *view) {
  return term_and(view_hides_current(view, view->observer.thread), NOT(is_halted(view)));
}
static term prohibits_current(const struct view *view) {
  const struct context of = rules_current(view->observer.model, view->observer.thread);
  return rules_prohibited(&view->observer, &of);
}
static term leaks_while_prohibited(const struct view *view) {
  return ALL(is_live(view), prohibits_current(view), is_chosen(view, "k_unattr_prohib"));
}
static term leaks_while_filtered(const struct view *view) {
  return ALL(is_live(view), NOT(prohibits_current(view)), NOT(is_chosen(view, "k_unattr_filter")));
}
static term leaks_while_halted(const struct view *view) {
  return ALL(view_hides_current(view, view->observer.thread), is_halted(view),
             is_chosen(view, "k_unattr_debug"));
}

static term leaks_traced_prohibited(const struct view *view) {
  return term_and(term_const(1, view->is_traced), param(view, "k_attr_nonss_prohib"));
}
static term leaks_traced_filtered(const struct view *view) {
  return term_and(term_const(1, view->is_traced), param(view, "k_attr_nonel_filter"));
}

enum { OF_PROHIBITED = 1, OF_FILTERED = 2, OF_BOTH = 3 };
#define EL3_STATES (PLACE_BIT(EL3) | PLACE_BIT(ROOT))
#define SECURE_STATES (PLACE_BIT(SECURE) | PLACE_BIT(EL3)) /* not Root */

const struct leak leaks[] = {
    {"K-UNATTR-PROHIB", "k_unattr_prohib", 0, OF_BOTH, ~0u, false, false, leaks_while_prohibited},
    {"K-UNATTR-FILTER", "k_unattr_filter", 3, OF_FILTERED, ~0u, false, false, leaks_while_filtered},
    {"K-UNATTR-DEBUG", "k_unattr_debug", 0, OF_PROHIBITED, ~0u, false, true, leaks_while_halted},
    {"K-ATTR-NONSS-PROHIB", "k_attr_nonss_prohib", 0, OF_BOTH, ~0u, true, true,
     leaks_traced_prohibited},
    {"K-ATTR-NONEL-FILTER", "k_attr_nonel_filter", 0, OF_FILTERED, ~0u, true, true,
     leaks_traced_filtered},
    {"K-NS-COUNT-S-ATTR", "k_ns_count_s_attr", 0, OF_PROHIBITED, SECURE_STATES, false, true,
     leaks_attributable},
    {"K-NS-COUNT-S-UNATTR", "k_ns_count_s_unattr", 0, OF_PROHIBITED, SECURE_STATES, false, true,
     leaks_related},
    {"K-LO-COUNT-EL2-ATTR", "k_lo_count_el2_attr", 0, OF_PROHIBITED, PLACE_BIT(EL2), false, true,
     leaks_attributable},
    {"K-LO-COUNT-EL2-UNATTR", "k_lo_count_el2_unattr", 0, OF_PROHIBITED, PLACE_BIT(EL2), false,
     true, leaks_related},
    {"K-LO-COUNT-SSEL-ATTR", "k_lo_count_ssel_attr", 0, OF_PROHIBITED, EL3_STATES, false, true,
     leaks_attributable},
    {"K-LO-COUNT-SSEL-UNATTR", "k_lo_count_ssel_unattr", 0, OF_PROHIBITED, EL3_STATES, false, true,
     leaks_related},
};
const size_t num_leaks = RULES_LENGTH(leaks);

bool leak_concerns(const struct leak *leak, const struct view *view) {
  const unsigned how = place_is_filtered(view->place) ? OF_FILTERED : OF_PROHIBITED;
  if (view->place == SIBLINGS || (leak->how & how) == 0) return false;
  return view->observer.kind == COUNTER ||
         (view->observer.kind == INSTRUCTIONS && !leak->counters_alone);
}

term view_nothing_leaks(const struct view *view) {
  term nothing = TERM_TRUE;
  for (size_t l = 0; l < num_leaks; l++) {
    if (!leak_concerns(&leaks[l], view)) continue;
    const term when = leaks[l].when(view);
    nothing = ALL(nothing, NOT(when), NOT(view_in_b(view, when)));
  }
  return nothing;
}
