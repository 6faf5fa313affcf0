/* The bins that an implementation can reach, from unreachable.def. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/signoff/coverage/bins.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/coverage/sample.h"

/* ---- Features of an implementation ---- */

static bool has_mt(const struct pmuv3_params *p) {
  return has(p, MTPMU) || p->k_mt_legacy;
}

static bool has_group(const struct pmuv3_params *p) {
  return p->threads > 1 && has_mt(p) && p->counters > 0;
}

static bool has_hpmd(const struct pmuv3_params *p) {
  return p->el2 && has(p, PMUv3p1);
}

static bool can_prohibit(const struct pmuv3_params *p) {
  return p->el3 || has_hpmd(p);
}

static bool has_links(const struct pmuv3_params *p) {
  return has(p, TH2) && p->counters > 1;
}

static bool has_two_ranges(const struct pmuv3_params *p) {
  return p->counters > 1 && (p->el2 || has(p, EXTPMN));
}

/* Event counters with 64 bits, and so LP and HLP. */
static bool has_wide(const struct pmuv3_params *p) {
  return has(p, PMUv3p5) && p->aa64;
}

static bool has_page(const struct pmuv3_params *p) {
  return has(p, EXT32) || has(p, EXT64);
}

/* ---- Events of an implementation that evtCount can hold ---- */

/* The set has an event of this class and attribution. */
static bool has_kind(const struct pmuv3_params *p, unsigned class, unsigned attribution) {
  for (unsigned e = 0; e < p->events.num; e++) {
    const struct pmuv3_event *event = &p->events.event[e];
    if (event->event_class == class && event->attribution == attribution &&
        pmuv3_event_fits(p, event))
      return true;
  }
  return false;
}

static bool has_class(const struct pmuv3_params *p, unsigned class) {
  bool has = false;
  for (unsigned a = 0; a < PMUV3_NUM_EVENT_ATTRIBUTIONS; a++) has |= has_kind(p, class, a);
  return has;
}

/* Of COUNT events: others have only occurrences of the current state. */
static bool has_attribution(const struct pmuv3_params *p, unsigned attribution) {
  return has_kind(p, PMUV3_EVENT_CLASS_COUNT, attribution);
}

/* Unattributable occurrences of these can count: `core` and `memory` of K-UNATTR-*. Those of SHARED
 * events can with MT = 1 alone (MT-SHARED-1), those of OWN events never (D13.4-9). */
static bool has_unattr_core(const struct pmuv3_params *p) {
  return has_attribution(p, PMUV3_EVENT_ATTRIBUTION_CORE) ||
         has_attribution(p, PMUV3_EVENT_ATTRIBUTION_TRACE);
}

static bool has_unattr_memory(const struct pmuv3_params *p) {
  return has_attribution(p, PMUV3_EVENT_ATTRIBUTION_MEMORY) ||
         (has_group(p) && p->k_shared_other && has_attribution(p, PMUV3_EVENT_ATTRIBUTION_SHARED));
}

static bool has_event(const struct pmuv3_params *p, uint16_t number) {
  const struct pmuv3_event *event = pmuv3_events_find(&p->events, number);
  return event && pmuv3_event_fits(p, event);
}

/* The largest VB: the most for each origin that counts, for each thread that counts. */
static unsigned widest_count(const struct pmuv3_params *p) {
  unsigned most = 0;
  for (unsigned e = 0; e < p->events.num; e++) {
    const struct pmuv3_event *event = &p->events.event[e];
    const bool is_wider = event->event_class == PMUV3_EVENT_CLASS_COUNT && event->most > most;
    if (is_wider && pmuv3_event_fits(p, event)) most = event->most;
  }
  return 3 * most * (has_group(p) ? p->threads : 1);
}

static bool has_aa32(const struct pmuv3_params *p) {
  return pmuv3_can_aa32(p, 0);
}

static bool el1_can_aa32(const struct pmuv3_params *p) {
  return pmuv3_can_aa32(p, 1);
}

static bool el3_can_aa32(const struct pmuv3_params *p) {
  return pmuv3_can_aa32(p, 3);
}

static bool highest_can_aa32(const struct pmuv3_params *p) {
  return pmuv3_can_aa32(p, p->el3 ? 3 : p->el2 ? 2 : 1);
}

/* ---- By name ---- */

/* The rows of the list. */
enum {
  NUM_ROWS = 0
#define PMUV3_UNREACHABLE(pattern, where, why) +1
#include "testbench/signoff/coverage/unreachable.def"
};

static const struct {
  const char *pattern, *why;
} rows[] = {
#define PMUV3_UNREACHABLE(pattern, where, why) {pattern, why},
#include "testbench/signoff/coverage/unreachable.def"
};

static void find_rows(const struct pmuv3_params *p, bool holds[NUM_ROWS]) {
  const bool where[] = {
#define PMUV3_UNREACHABLE(pattern, where, why) (where),
#include "testbench/signoff/coverage/unreachable.def"
  };
  memcpy(holds, where, sizeof where);
}

/* Names and patterns do not change, so each match is computed once. */
static bool matches(size_t bin, unsigned row) {
  static unsigned char *known; /* 0: unknown, 1: no, 2: yes */
  if (!known) known = calloc(pmuv3_coverage_num_bins(), NUM_ROWS);
  if (!known) abort();
  unsigned char *answer = &known[bin * NUM_ROWS + row];
  if (!*answer) *answer = fnmatch(rows[row].pattern, pmuv3_coverage_name(bin), 0) == 0 ? 2 : 1;
  return *answer == 2;
}

/* ---- Cells of crosses: values in order of their axes ---- */

static bool no_such_threshold(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned tc = v[0], te = v[1], tlc = v[2], odd = v[3], ct = v[4], ce = v[5], cp = v[6];
  const unsigned edges[4] = {0, ct && !cp, ct != cp, ct && !cp};
  if (p->counters <= odd || (tc && !has(p, TH)) || (te && !has(p, EDGE))) return true;
  if (tlc && (!odd || !has(p, TH2))) return true;
  return ce != edges[tc & 3];
}

static bool no_such_comparison(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned position = v[1], th_class = v[2]; /* v[0], the relation, does not matter */
  const unsigned largest = (1u << p->th_width) - 1, widest = widest_count(p);
  enum { TH_0, TH_1, TH_BETWEEN, TH_LARGEST };
  if (p->counters == 0 || !has(p, TH)) return true;
  if ((th_class == TH_1 && largest == 1) || (th_class == TH_BETWEEN && largest <= 2)) return true;
  /* The lowest TH of each class gives the largest VB - TH, the highest TH the smallest. */
  const unsigned lowest[] = {0, 1, 2, largest};
  const unsigned highest[] = {0, 1, largest - 1, largest};
  if (position < 2) return highest[th_class] < 2 - position;
  return lowest[th_class] + position - 2 > widest;
}

static bool no_such_pair(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned link = v[0], te = v[1], even = v[2], ranges = v[4];
  enum { OFF, RANGE_OFF, FROZEN, PROHIBITED };
  enum { SAME, R1_AND_R2, R2_AND_R3, R1_AND_R3 };
  if (!has_links(p) || (link == 0 && te)) return true;
  if (ranges == SAME && (even == RANGE_OFF || even == FROZEN)) return true;
  if (ranges == R1_AND_R2 && !p->el2) return true;
  if (ranges == R2_AND_R3 && !(p->el2 && has(p, EXTPMN))) return true;
  if (ranges == R1_AND_R3 && !has(p, EXTPMN)) return true;
  if (even == FROZEN && !has(p, PMUv3p7)) return true;
  return even == PROHIBITED && !can_prohibit(p);
}

/* The Exception level and Security state of the axis CONTEXT. */
static unsigned el_of(unsigned context) {
  return context == 9 ? 3 : context / 3;
}

static unsigned ss_of(const struct pmuv3_params *p, unsigned context) {
  return context == 9 ? pmuv3_el3_state(p) : context % 3;
}

/* Whether a thread can be there, with EL1 and EL3 in these Execution states (I-12). */
static bool can_be_at(const struct pmuv3_params *p, unsigned context, bool a32el1, bool a32el3) {
  const struct pmuv3_pe pe = {.el = (uint8_t)el_of(context),
                              .ss = (uint8_t)ss_of(p, context),
                              .a32el1 = a32el1,
                              .a32el3 = a32el3};
  return pmuv3_pe_wrong(p, &pe) == NULL;
}

static bool no_such_context(const struct pmuv3_params *p, unsigned context) {
  return !can_be_at(p, context, false, false);
}

/* The Execution states of EL3 that matter, as a set. Without EL3, AArch64 stands for all. */
static unsigned el3_states(const struct pmuv3_params *p, unsigned context) {
  const bool aa32 = p->el3 && el3_can_aa32(p) && can_be_at(p, context, false, true);
  return p->aa64 ? 1u | (unsigned)aa32 << 1 : 2u;
}

static bool has_filter_bit(const struct pmuv3_params *p, unsigned bit) {
  return (pmuv3_register_mask(p, PMUV3_PMCCFILTR) & pmuv3_filter_masks[bit]) != 0;
}

/* Whether some setting of the other bits gives the outcome, with EL3 in either Execution state. */
static bool is_filter_possible(const struct pmuv3_params *p, unsigned context, unsigned bit,
                               unsigned value, unsigned counts) {
  for (unsigned setting = 0; setting < 1u << NUM_FILTER_BITS; setting++) {
    struct filter filter = {0};
    bool exists = (setting >> bit & 1) == value;
    for (unsigned b = 0; b < NUM_FILTER_BITS; b++) {
      filter.bit[b] = setting >> b & 1;
      exists = exists && (!filter.bit[b] || has_filter_bit(p, b));
    }
    for (unsigned aa32 = 0; exists && aa32 < 2; aa32++) {
      if (!(el3_states(p, context) >> aa32 & 1)) continue;
      if ((pmuv3_filtered_by_el(&filter, aa32, el_of(context), ss_of(p, context)) & 1) != counts)
        return true;
    }
  }
  return false;
}

static bool no_such_filter(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return no_such_context(p, v[0]) || !is_filter_possible(p, v[0], v[1], v[2], v[3]);
}

static bool no_such_event_filter(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return p->counters == 0 || no_such_filter(v, p);
}

static bool no_such_instruction_filter(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return !has(p, ICNTR) || no_such_filter(v, p);
}

/* The controls that prohibit, and the thread's state that matters to them. */
struct prohibiting {
  unsigned spme, mpmx, hpmd;
};

static bool has_controls(const struct pmuv3_params *p, struct prohibiting controls) {
  if (controls.spme && !p->el3) return false;
  if (controls.mpmx && !(p->el3 && p->aa64 && has(p, PMUv3p7))) return false;
  return !controls.hpmd || has_hpmd(p);
}

/* Whether some state of the thread gives this outcome in a range. `ranges` is a set. */
static bool is_outcome_possible(const struct pmuv3_params *p, struct prohibiting controls,
                                unsigned context, uint32_t range, unsigned counts) {
  for (unsigned state = 0; state < 16; state++) {
    struct thread thread = {0};
    thread.pe.a32el1 = state & 1;
    thread.pe.a32el3 = state >> 1 & 1;
    thread.pe.snid = state >> 2 & 1;
    thread.c.suniden = state >> 3;
    if (thread.c.suniden && !el1_can_aa32(p)) continue;
    if (!can_be_at(p, context, thread.pe.a32el1, thread.pe.a32el3)) continue;
    thread.c.r1 = 1;
    thread.c.r2 = 2;
    thread.c.spme = controls.spme;
    thread.c.mpmx = controls.mpmx;
    thread.c.hpmd = controls.hpmd;
    const struct judgement judgement =
        pmuv3_judge(p, &thread, &thread.pe, el_of(context), ss_of(p, context));
    if (((judgement.prohibited & range) == 0) == counts) return true;
  }
  return false;
}

static bool no_such_prohibition(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const struct prohibiting controls = {v[1], v[2], v[3]};
  if (p->counters == 0 || (v[0] == 1 && !p->el2) || (v[0] == 2 && !has(p, EXTPMN))) return true;
  return no_such_context(p, v[4]) || !has_controls(p, controls) ||
         !is_outcome_possible(p, controls, v[4], 1u << v[0], v[5]);
}

/* D.4, RGKPZH: the counter's own prohibitions, and with DP = 1 those of range R1. */
static bool no_such_cycle_prohibition(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned dp = v[0], sccd = v[1], hccd = v[2], mccd = v[3], context = v[4], counts = v[5];
  if (no_such_context(p, context)) return true;
  if (dp && !(pmuv3_register_mask(p, PMUV3_PMCR) & PMUV3_MASK(PMCR, DP))) return true;
  if (sccd && !(p->el3 && has(p, PMUv3p5))) return true;
  if (hccd && !(p->el2 && has(p, PMUv3p5))) return true;
  if (mccd && !(p->el3 && p->aa64 && has(p, PMUv3p7))) return true;
  const unsigned el = el_of(context);
  const bool secure = p->el3 && (ss_of(p, context) == PMUV3_S || el == 3);
  const bool own = (sccd && secure) || (hccd && el == 2);
  const bool at_el3 = mccd && el == 3;
  if (own || (at_el3 && !el3_can_aa32(p))) return counts;
  if (!counts && at_el3) return false;
  bool possible = counts && !dp;
  for (unsigned i = 0; i < 8 && dp; i++) {
    const struct prohibiting controls = {i & 1, i >> 1 & 1, i >> 2};
    possible |= has_controls(p, controls) && is_outcome_possible(p, controls, context, 1, counts);
  }
  return !possible;
}

/* D.4, RCSRMB */
static bool no_such_instruction_prohibition(const unsigned v[MAX_AXES],
                                            const struct pmuv3_params *p) {
  const struct prohibiting controls = {v[0], v[1], v[2]};
  const unsigned context = v[3], counts = v[4], el = el_of(context);
  if (!has(p, ICNTR) || no_such_context(p, context) || !has_controls(p, controls)) return true;
  const bool secure = p->el3 && el < 3 && ss_of(p, context) == PMUV3_S;
  for (unsigned aa32 = 0; aa32 < 2; aa32++) {
    if (!(el3_states(p, context) >> aa32 & 1)) continue;
    const bool spme = controls.spme && !aa32, mpmx = controls.mpmx && !aa32;
    const bool prohibited =
        (el == 3 && !(spme && !mpmx)) || (secure && !(spme || mpmx)) || (el == 2 && controls.hpmd);
    if (prohibited != counts) return false;
  }
  return true;
}

static bool no_such_enable(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned range = v[0], hpme = v[3], epme = v[4];
  if (p->counters == 0 || (range == 1 && !p->el2) || (range == 2 && !has(p, EXTPMN))) return true;
  return (hpme && !p->el2) || (epme && !has(p, EXTPMN));
}

static bool no_such_collision(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned write = v[0], interface = v[1], meets = v[2];
  enum { SWINC = 7, MDCR_EL2 = 11, MDCR_EL3 = 12, EXTERNAL = 2, FREEZE = 3, OTHER = 4 };
  if (interface == EXTERNAL && (write == SWINC || write == MDCR_EL2 || write == MDCR_EL3))
    return true;
  if ((interface == EXTERNAL || meets == OTHER) && !has_page(p)) return true;
  return (meets == FREEZE - 1 || meets == FREEZE) && !has(p, PMUv3p7);
}

static bool no_such_overflow(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned counter = v[0], is_64 = v[1], from_63 = v[2];
  enum { R1, R2, R3, C, F0 };
  if (counter == C) return !is_64 && !has_aa32(p);
  if (counter == F0) return !has(p, ICNTR) || !is_64;
  if (p->counters == 0 || (counter == R2 && !p->el2) || (counter == R3 && !has(p, EXTPMN)))
    return true;
  if (!has_wide(p)) return from_63 || is_64;
  return counter == R3 && !is_64;
}

static bool no_such_states(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return v[0] + 2 != p->threads || v[1] + v[2] + v[3] > p->threads;
}

static bool no_such_contexts(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return !has_group(p) || no_such_context(p, v[0]) || no_such_context(p, v[1]);
}

static bool no_such_event(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned class = v[0], attribution = v[1], origin = v[2], counts = v[3];
  if (p->counters == 0 || !has_kind(p, class, attribution)) return true;
  if (class == PMUV3_EVENT_CLASS_SELF) return origin != PMUV3_CURRENT; /* SW_INCR */
  if (origin == PMUV3_DEBUGGER) return counts;
  /* SHARED is reachable only with MT = 1, which the cross leaves out. */
  if (origin == PMUV3_UNATTRIBUTABLE && counts &&
      (attribution == PMUV3_EVENT_ATTRIBUTION_SHARED || attribution == PMUV3_EVENT_ATTRIBUTION_OWN))
    return true;
  return class != PMUV3_EVENT_CLASS_COUNT && origin != PMUV3_CURRENT;
}

static bool no_such_exact_event(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const struct pmuv3_event *event = pmuv3_events_find(&p->events, pmuv3_exact_event_of_value(v[0]));
  if (p->counters == 0 || !event || !pmuv3_event_fits(p, event)) return true;
  if (!(event->traits & PMUV3_EVENT_TRAIT_EXACT) || event->event_class != PMUV3_EVENT_CLASS_COUNT)
    return true;
  return v[1] >= 2 && !can_prohibit(p);
}

/* An odd counter counts CHAIN. A capture makes PMU_SNAPSHOT (I-14). */
static bool never_counted(const struct pmuv3_event *event, const struct pmuv3_params *p) {
  if (event && event->number == PMUV3_EVENT_PMU_SNAPSHOT && !has(p, SS)) return true;
  return !event || !pmuv3_event_fits(p, event) ||
         p->counters < (event->number == PMUV3_EVENT_CHAIN ? 2 : 1);
}

static bool no_such_counted(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return never_counted(pmuv3_events_find(&p->events, pmuv3_event_of_value(v[0])), p);
}

static bool no_such_row(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return never_counted(v[0] < p->events.num ? &p->events.event[v[0]] : NULL, p);
}

/* Fields of MDCR_EL3, MDCR_EL2 and PMECR_EL1. */
static bool no_such_fields(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return (v[0] && !p->el3) || (v[1] && !p->el2);
}

static bool no_such_pmee(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const bool never_off = p->el2 && !p->el3, never_on = !p->el2;
  return !has(p, EBEP) || no_such_fields(v, p) || (v[3] ? never_on : never_off);
}

static bool no_such_pmsse(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  return !has(p, SS) || no_such_fields(v, p);
}

/* Table D13-11 gives the accesses that are refused. Other accesses may be refused for other
 * reasons. */
static bool no_such_reach(const unsigned v[MAX_AXES], const struct pmuv3_params *p) {
  const unsigned of = v[0], el = v[1], el2_on = v[2], done = v[3];
  enum { R1, R2, R3, NOT_IMPLEMENTED };
  if ((el == 2 && !(p->el2 && el2_on)) || (el == 3 && !p->el3)) return true;
  if (el2_on ? !p->el2 : p->el2 && !p->el3) return true;
  if (of == NOT_IMPLEMENTED) return done || p->counters == PMUV3_MAX_COUNTERS;
  if (p->counters == 0 || (of == R2 && !p->el2) || (of == R3 && !has(p, EXTPMN))) return true;
  return done && (of == R3 || (of == R2 && el <= 1 && el2_on));
}

/* ---- Both ---- */

static const char *impossible(size_t bin, const struct pmuv3_params *p) {
  unsigned values[MAX_AXES];
  enum cross cross;
  if (!pmuv3_cross_of(bin, &cross, values)) return NULL;
#define PMUV3_IMPOSSIBLE(id, function, why) \
  if (cross == CROSS_##id && function(values, p)) return why;
#include "testbench/signoff/coverage/unreachable.def"
  (void)p;
  return NULL;
}

const char *pmuv3_coverage_unreachable(size_t bin, const struct pmuv3_params *params) {
  bool holds[NUM_ROWS];
  find_rows(params, holds);
  for (unsigned row = 0; row < NUM_ROWS; row++)
    if (holds[row] && matches(bin, row)) return rows[row].why;
  return impossible(bin, params);
}

bool pmuv3_coverage_reachable(size_t bin, const struct pmuv3_params *params) {
  return pmuv3_coverage_unreachable(bin, params) == NULL;
}

const char *pmuv3_coverage_excused(const char *rule) {
#define PMUV3_NO_COVERPOINT(of, why) \
  if (strcmp(rule, of) == 0) return why;
#include "testbench/signoff/coverage/unreachable.def"
  return NULL;
}
