#include "testbench/signoff/coverage/crosses.h"

#include <string.h>

unsigned pmuv3_context_value(unsigned el, unsigned ss) {
  return el == 3 ? 9 : 3 * el + ss;
}

static unsigned at(unsigned cell, unsigned size, unsigned value) {
  return cell * size + value;
}

/* ---- What an allowed counter adds ---- */

static void threshold(const struct cross_hits *hits, const struct sample *s, unsigned n) {
  const uint64_t type = s->c->type[n];
  unsigned cell = (unsigned)PMUV3_GET(type, PMEVTYPER, TC);
  cell = at(cell, VALUES_OF_TE, (unsigned)PMUV3_GET(type, PMEVTYPER, TE));
  cell = at(cell, VALUES_OF_TLC, (unsigned)PMUV3_GET(type, PMEVTYPER, TLC));
  cell = at(cell, VALUES_OF_PARITY, n % 2);
  cell = at(cell, VALUES_OF_CT, s->ct >> n & 1);
  cell = at(cell, VALUES_OF_CE, s->ce >> n & 1);
  hits->of[CROSS_THRESHOLD][at(cell, VALUES_OF_CP, s->cp >> n & 1)]++;
}

static void comparison(const struct cross_hits *hits, const struct sample *s, unsigned n) {
  const uint64_t type = s->c->type[n];
  const int th = (int)PMUV3_GET(type, PMEVTYPER, TH);
  const int above = s->after->VB[n] - th;
  const unsigned position = above < -1 ? 0 : above > 1 ? 4 : (unsigned)(above + 2);
  const bool largest = s->c->th_largest >> n & 1;
  unsigned cell = (unsigned)PMUV3_GET(type, PMEVTYPER, TC) >> 1;
  cell = at(cell, VALUES_OF_POSITION, position);
  hits->of[CROSS_COMPARISON][at(cell, VALUES_OF_TH, largest ? 3 : th > 1 ? 2 : (unsigned)th)]++;
}

/* The reason why the even counter of a pair does not count, or its V. */
static unsigned state_of_even(const struct sample *s, unsigned n) {
  const uint32_t bit = UINT32_C(1) << n;
  enum { OFF, RANGE_OFF, FROZEN, PROHIBITED, FILTERED, V_0, V_1, V_MORE };
  if (s->allowed & bit) return s->after->V[n] > 1 ? V_MORE : V_0 + s->after->V[n];
  if (s->c->cnten & ~s->c->global & bit) return RANGE_OFF;
  if (~s->on & bit) return OFF;
  if (s->frozen & bit) return FROZEN;
  return s->prohibited & bit ? PROHIBITED : FILTERED;
}

static unsigned ranges_of_pair(const struct settings *c, uint32_t odd) {
  const uint32_t even = odd >> 1;
  enum { SAME, R1_AND_R2, R2_AND_R3, R1_AND_R3 };
  if (even & c->r1) return odd & c->r1 ? SAME : odd & c->r2 ? R1_AND_R2 : R1_AND_R3;
  if (even & c->r2) return odd & c->r2 ? SAME : R2_AND_R3;
  return SAME;
}

static void pair(const struct cross_hits *hits, const struct sample *s, unsigned n) {
  const uint32_t odd = UINT32_C(1) << n;
  unsigned cell = s->c->link_true & odd ? 1 : 0;
  cell = at(cell, VALUES_OF_TE, s->c->te & odd ? 1 : 0);
  cell = at(cell, VALUES_OF_EVEN, state_of_even(s, n - 1));
  cell = at(cell, VALUES_OF_CONDITION, s->condition & odd ? 1 : 0);
  hits->of[CROSS_PAIRS][at(cell, VALUES_OF_PAIR, ranges_of_pair(s->c, odd))]++;
}

static void values(const struct cross_hits *hits, const struct sample *s) {
  const uint32_t links = (s->c->link_false | s->c->link_true) & ~s->c->reserved;
  for (uint32_t left = s->allowed; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctz(left);
    threshold(hits, s, n);
    if (~s->c->plain >> n & 1) comparison(hits, s, n);
    if ((links >> n & 1) && !s->halted) pair(hits, s, n);
  }
}

/* ---- Contexts in which a counter may count ---- */

/* Counters for which only the thread's state decides whether they may count. */
static uint32_t decided_by_state(const struct sample *s) {
  const uint32_t unfiltered = s->p->k_chain_filter ? s->c->chain : 0;
  return s->running & ~s->c->grouped & ~s->oth & ~s->unattr & ~s->c->trace & ~unfiltered;
}

/* `counters` and `count` are masks. A bin is hit once, whatever the number of its counters. */
static void filter(uint64_t *bins, unsigned context, const struct filter *filter, uint32_t counters,
                   uint32_t count) {
  uint64_t *bin = &bins[context * VALUES_OF_BIT * VALUES_OF_VALUE * VALUES_OF_OUTCOME];
  const uint32_t outcomes[VALUES_OF_OUTCOME] = {counters & ~count, counters & count};
  for (unsigned bit = 0; bit < VALUES_OF_BIT; bit++)
    for (unsigned value = 0; value < VALUES_OF_VALUE; value++) {
      const uint32_t has_value = value ? filter->bit[bit] : ~filter->bit[bit];
      for (unsigned outcome = 0; outcome < VALUES_OF_OUTCOME; outcome++)
        *bin++ += (outcomes[outcome] & has_value) != 0;
    }
}

static bool is_cycle_decided(const struct sample *s) {
  return s->cc_on && !s->cc_divides && !s->written && (s->c->cycle_filter.vs[0] & 1);
}

static bool is_instruction_decided(const struct sample *s) {
  return s->ic_on && s->retired && !s->retired_otherwise && !s->written &&
         (s->c->instruction_filter.vs[0] & 1);
}

static void filters(const struct cross_hits *hits, const struct sample *s, unsigned context) {
  const uint32_t counters = decided_by_state(s) & ~s->prohibited & s->c->vs[0];
  if (counters) filter(hits->of[CROSS_EVENT_FILTER], context, &s->c->filter, counters, s->allowed);
  if (is_cycle_decided(s) && !s->cc_dp && !s->cc_sccd && !s->cc_hccd && !s->cc_mccd)
    filter(hits->of[CROSS_CYCLE_FILTER], context, &s->c->cycle_filter, 1, s->cc_counted);
  if (is_instruction_decided(s) && !s->ic_prohibited)
    filter(hits->of[CROSS_INSTRUCTION_FILTER], context, &s->c->instruction_filter, 1,
           s->ic_counted);
}

static void event_prohibitions(uint64_t *bins, const struct sample *s, unsigned context) {
  const uint32_t counters = decided_by_state(s) & ~s->filtered;
  const uint32_t ranges[VALUES_OF_RANGE] = {s->c->r1, s->c->r2, s->c->r3};
  for (unsigned range = 0; range < VALUES_OF_RANGE; range++) {
    unsigned cell = at(range, VALUES_OF_SPME, s->c->spme);
    cell = at(cell, VALUES_OF_MPMX, s->c->mpmx);
    cell = at(cell, VALUES_OF_HPMD, s->c->hpmd);
    cell = at(cell, VALUES_OF_CONTEXT, context) * VALUES_OF_OUTCOME;
    bins[cell] += (counters & ranges[range] & ~s->allowed) != 0;
    bins[cell + 1] += (counters & ranges[range] & s->allowed) != 0;
  }
}

static void cycle_prohibition(uint64_t *bins, const struct sample *s, unsigned context) {
  const struct pmuv3_probe *r = s->before;
  unsigned cell = (unsigned)PMUV3_GET(r->pmcr, PMCR, DP);
  cell = at(cell, VALUES_OF_SCCD, (unsigned)PMUV3_GET(r->mdcr_el3, MDCR_EL3, SCCD));
  cell = at(cell, VALUES_OF_HCCD, (unsigned)PMUV3_GET(r->mdcr_el2, MDCR_EL2, HCCD));
  cell = at(cell, VALUES_OF_MCCD, (unsigned)PMUV3_GET(r->mdcr_el3, MDCR_EL3, MCCD));
  cell = at(cell, VALUES_OF_CONTEXT, context);
  bins[at(cell, VALUES_OF_OUTCOME, s->cc_counted)]++;
}

static void instruction_prohibition(uint64_t *bins, const struct sample *s, unsigned context) {
  unsigned cell = s->c->spme;
  cell = at(cell, VALUES_OF_MPMX, s->c->mpmx);
  cell = at(cell, VALUES_OF_HPMD, s->c->hpmd);
  cell = at(cell, VALUES_OF_CONTEXT, context);
  bins[at(cell, VALUES_OF_OUTCOME, s->ic_counted)]++;
}

static void prohibitions(const struct cross_hits *hits, const struct sample *s, unsigned context) {
  event_prohibitions(hits->of[CROSS_PROHIBITION], s, context);
  if (is_cycle_decided(s) && !s->cc_filtered && !s->fzo_r1 && !s->cc_spe)
    cycle_prohibition(hits->of[CROSS_CYCLE_PROHIBITION], s, context);
  if (is_instruction_decided(s) && !s->ic_filtered)
    instruction_prohibition(hits->of[CROSS_INSTRUCTION_PROHIBITION], s, context);
}

/* Table D13-4, for counters whose event occurs. */
static void enables(uint64_t *bins, const struct sample *s) {
  const uint32_t ranges[VALUES_OF_RANGE] = {s->c->r1, s->c->r2, s->c->r3};
  for (unsigned range = 0; range < VALUES_OF_RANGE; range++)
    for (unsigned en = 0; en < VALUES_OF_EN; en++) {
      unsigned cell = at(range, VALUES_OF_EN, en);
      cell = at(cell, VALUES_OF_E, s->c->enabled_r1);
      cell = at(cell, VALUES_OF_HPME, s->c->enabled_r2);
      cell = at(cell, VALUES_OF_EPME, s->c->enabled_r3);
      bins[cell] += (s->own & ranges[range] & (en ? s->c->cnten : ~s->c->cnten)) != 0;
    }
}

/* ---- Writes in the clock of a cycle ---- */

enum write {
  WRITES_COUNT,
  WRITES_TYPE,
  WRITES_CNTENSET,
  WRITES_CNTENCLR,
  WRITES_OVSSET,
  WRITES_OVSCLR,
  WRITES_INTEN,
  WRITES_SWINC,
  WRITES_ZR,
  WRITES_PMCR_P,
  WRITES_PMCR,
  WRITES_MDCR_EL2,
  WRITES_MDCR_EL3,
  WRITES_CCNTR,
  WRITES_ICNTR,
  WRITES_FIXED_FILTER,
  WRITES_NOTHING
};

static enum write kind_of(uint16_t reg, uint64_t value) {
  switch (reg) {
    case PMUV3_PMEVCNTR:
      return WRITES_COUNT;
    case PMUV3_PMEVTYPER:
      return WRITES_TYPE;
    case PMUV3_PMCNTENSET:
      return WRITES_CNTENSET;
    case PMUV3_PMCNTENCLR:
      return WRITES_CNTENCLR;
    case PMUV3_PMOVSSET:
      return WRITES_OVSSET;
    case PMUV3_PMOVSCLR:
      return WRITES_OVSCLR;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return WRITES_INTEN;
    case PMUV3_PMSWINC:
      return WRITES_SWINC;
    case PMUV3_PMZR:
      return WRITES_ZR;
    case PMUV3_PMCR:
      return value & PMUV3_MASK(PMCR, P) ? WRITES_PMCR_P : WRITES_PMCR;
    case PMUV3_MDCR_EL2:
      return WRITES_MDCR_EL2;
    case PMUV3_MDCR_EL3:
      return WRITES_MDCR_EL3;
    case PMUV3_PMCCNTR:
      return WRITES_CCNTR;
    case PMUV3_PMICNTR:
      return WRITES_ICNTR;
    case PMUV3_PMCCFILTR:
    case PMUV3_PMICFILTR:
      return WRITES_FIXED_FILTER;
    default:
      return WRITES_NOTHING;
  }
}

/* The counters that PMUACR and PMUSERENR let EL0 write (Table D13-12). */
static uint64_t permitted(const struct access *a) {
  if (!a->checked || !a->uen) return UINT64_MAX;
  if (a->reg == PMUV3_PMSWINC) return a->sw ? UINT64_MAX : a->before->pmuacr;
  const uint64_t read_only = (a->er ? PMUV3_MASK(PMUACR, P) : 0) |
                             (a->cr ? PMUV3_MASK(PMUACR, C) : 0) |
                             (a->ir ? PMUV3_MASK(PMUACR, F0) : 0);
  return a->before->pmuacr & ~read_only;
}

/* The event counters that a write reaches. Only the most secure agent reaches range R3. */
static uint32_t reached(const struct access *a) {
  if (a->external) return a->most_secure ? a->c->all : ~a->c->r3;
  return ~(a->checked ? a->beyond : a->c->r3) & (uint32_t)permitted(a);
}

static bool is_fixed_reached(const struct access *a) {
  switch (a->reg) {
    case PMUV3_PMCCNTR:
    case PMUV3_PMCCFILTR:
      return permitted(a) & PMUV3_MASK(PMUACR, C);
    default:
      return permitted(a) & PMUV3_MASK(PMUACR, F0);
  }
}

/* The event counters that a write concerns. */
static uint32_t written_counters(const struct access *a, enum write kind) {
  if (a->counter) return a->counter & reached(a);
  if (a->is_of_bits) return a->bits & reached(a);
  switch (kind) {
    case WRITES_PMCR_P:
    case WRITES_PMCR:
      return a->c->r1;
    case WRITES_MDCR_EL2:
    case WRITES_MDCR_EL3:
      return a->c->all;
    default:
      return 0;
  }
}

/* A fixed counter in the clock of a write: whether it counts and overflows, without the write. */
struct fixed {
  bool event, overflow, frozen;
};

/* Whether the cycle counter counts, and whether it overflows. */
static struct fixed cycle_counter(const struct sample *s) {
  const uint64_t next = s->before->pmccntr + 1;
  const bool counts = s->cc_on && !s->cc_filtered && !s->cc_dp && !s->cc_sccd && !s->cc_hccd &&
                      !s->cc_mccd && !s->cc_divides;
  const bool dp = PMUV3_GET(s->before->pmcr, PMCR, DP);
  return (struct fixed){.event = counts,
                        .overflow = counts && (s->cc_lc ? next == 0 : (uint32_t)next == 0),
                        .frozen = s->cc_on && dp && s->fzo_r1};
}

static struct fixed instruction_counter(const struct sample *s) {
  const uint64_t value = s->before->pmicntr;
  const bool counts = s->ic_free && s->retired;
  return (struct fixed){.event = counts,
                        .overflow = counts && value + s->retired < value,
                        .frozen = s->ic_enabled && s->fzo_r1};
}

static struct fixed fixed_of(const struct sample *s, uint16_t reg) {
  const bool is_cycles = reg == PMUV3_PMCCNTR || reg == PMUV3_PMCCFILTR;
  return is_cycles ? cycle_counter(s) : instruction_counter(s);
}

/* Counters in ranges that freeze because of this cycle's overflows. */
static uint32_t begins_to_freeze(const struct sample *s) {
  const uint32_t raised = s->overflow & ~s->c->sync;
  const bool r1 = PMUV3_GET(s->before->pmcr, PMCR, FZO) && !s->fzo_r1 && (raised & s->c->r1);
  const bool r2 =
      PMUV3_GET(s->before->mdcr_el2, MDCR_EL2, HPMFZO) && !s->fzo_r2 && (raised & s->c->r2);
  return (r1 ? s->c->r1 : 0) | (r2 ? s->c->r2 : 0);
}

static void collision(uint64_t *bins, const struct sample *s, const struct access *a,
                      unsigned interface, bool other) {
  const enum write kind = kind_of(a->reg, a->value);
  if (kind == WRITES_NOTHING) return;
  const bool is_fixed = kind >= WRITES_CCNTR;
  if (is_fixed && !is_fixed_reached(a)) return;
  const struct fixed fixed = is_fixed ? fixed_of(s, a->reg) : (struct fixed){0};
  const uint32_t counters = written_counters(a, kind);
  uint64_t *bin = &bins[at(kind, VALUES_OF_INTERFACE, interface) * VALUES_OF_MEETS];
  bin[0] += fixed.event || (counters & (s->v | (s->swi & s->own)));
  bin[1] += fixed.overflow || (counters & s->overflow);
  bin[2] += fixed.frozen || (counters & s->on & s->frozen);
  bin[3] +=
      is_fixed ? (begins_to_freeze(s) & s->c->r1) != 0 : (counters & begins_to_freeze(s)) != 0;
  bin[4] += other;
}

static void collisions(const struct cross_hits *hits, const struct thread *threads,
                       const struct pmuv3_cycle *cycle, const struct sample *s, unsigned t) {
  const bool has_write = s->write_done, has_external = s->external_done;
  if (has_write) {
    const struct pmuv3_write *write = &cycle->write[t];
    const struct access a = pmuv3_access_sample(s->p, &threads[t],
                                                &(struct pmuv3_observed){.thread = t,
                                                                         .writes = true,
                                                                         .checked = write->checked,
                                                                         .reg = write->reg,
                                                                         .value = write->value});
    collision(hits->of[CROSS_COLLISION], s, &a, write->checked, has_external);
  }
  if (has_external) {
    const struct pmuv3_external *write = &cycle->external;
    const struct access a = pmuv3_access_sample(s->p, &threads[t],
                                                &(struct pmuv3_observed){.thread = t,
                                                                         .writes = true,
                                                                         .external = true,
                                                                         .ss = write->ss,
                                                                         .offset = write->offset,
                                                                         .value = write->value});
    collision(hits->of[CROSS_COLLISION], s, &a, 2, has_write);
  }
}

/* ---- Overflows ---- */

static void overflow(uint64_t *bins, unsigned counter, bool is_64, bool from_63, bool flag) {
  unsigned cell = at(counter, VALUES_OF_WIDTH, is_64);
  cell = at(cell, VALUES_OF_CARRY, from_63);
  bins[at(cell, VALUES_OF_FLAG, flag)]++;
}

static void overflows(uint64_t *bins, const struct sample *s) {
  for (uint32_t left = s->carry31; left; left &= left - 1) {
    const uint32_t bit = left & -left;
    const unsigned range = bit & s->c->r1 ? 0 : bit & s->c->r2 ? 1 : 2;
    overflow(bins, range, s->lp & bit, s->carry63 & bit, s->flags & bit);
  }
  const uint64_t flags = s->before->fixed_overflow;
  if (s->cc_carry31) overflow(bins, 3, s->cc_lc, s->after->pmccntr == 0, flags & FIXED_C);
  if (s->ic_carry31) overflow(bins, 4, true, s->ic_overflow, flags & FIXED_F0);
}

/* ---- Threads ---- */

_Static_assert(VALUES_OF_THREADS == PMUV3_MAX_THREADS - 1, "2 threads to the most");
_Static_assert(VALUES_OF_RUNNING == PMUV3_MAX_THREADS + 1 &&
                   VALUES_OF_HALTED == PMUV3_MAX_THREADS + 1 &&
                   VALUES_OF_WFX == PMUV3_MAX_THREADS + 1,
               "no thread to all");

static void states(uint64_t *bins, const struct pmuv3_params *p, const struct thread *threads) {
  unsigned running = 0, halted = 0, wfx = 0;
  for (unsigned t = 0; t < p->threads; t++) {
    const struct pmuv3_pe *pe = &threads[t].pe;
    halted += pe->halted;
    wfx += !pe->halted && pe->wfx;
    running += !pe->halted && !pe->wfx && pe->active;
  }
  unsigned cell = at(p->threads - 2u, VALUES_OF_RUNNING, running);
  cell = at(cell, VALUES_OF_HALTED, halted);
  bins[at(cell, VALUES_OF_WFX, wfx)]++;
}

static void contexts(uint64_t *bins, const struct pmuv3_params *p, const struct thread *threads,
                     const struct sample *s, unsigned t, unsigned context) {
  if (!(s->on & s->c->grouped)) return;
  for (unsigned i = 0; i < p->threads; i++)
    if (i != t)
      bins[at(context, VALUES_OF_SIBLING,
              pmuv3_context_value(threads[i].pe.el, threads[i].pe.ss))]++;
}

/* ---- Occurrences ---- */

static unsigned event_cell(const struct pmuv3_params *p, unsigned row, unsigned origin) {
  const struct pmuv3_event *event = &p->events.event[row];
  return at(at(event->event_class, VALUES_OF_ATTRIBUTION, event->attribution), VALUES_OF_ORIGIN,
            origin) *
         VALUES_OF_OUTCOME;
}

/* An event that occurred in only one way shows whether occurrences of that way count. */
static void events(uint64_t *bins, const struct pmuv3_params *p, const struct pmuv3_cycle *cycle,
                   const uint16_t *rows, const struct sample *samples) {
  uint8_t ways[PMUV3_MAX_EVENTS][PMUV3_MAX_THREADS];
  for (unsigned o = 0; o < cycle->num_occurrences; o++) memset(ways[rows[o]], 0, sizeof ways[0]);
  for (unsigned o = 0; o < cycle->num_occurrences; o++)
    if (cycle->occurrences[o].count != 0) ways[rows[o]][cycle->occurrences[o].thread]++;
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    const struct sample *s = &samples[occurrence->thread];
    if (occurrence->count == 0 || ways[rows[o]][occurrence->thread] > 1) continue;
    const uint32_t counters = s->c->sel[rows[o]] & s->on & ~s->frozen & ~s->c->grouped;
    uint64_t *bin = &bins[event_cell(p, rows[o], occurrence->origin)];
    bin[0] += (counters & ~s->vb) != 0;
    bin[1] += (counters & s->vb) != 0;
  }
}

/* B.3.1: the context of an exact event, and the thread's context now. */
static void exact(uint64_t *bins, const struct pmuv3_cycle *cycle, const uint16_t *rows,
                  const struct sample *samples) {
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    const struct sample *s = &samples[occurrence->thread];
    const uint32_t counters = s->c->sel[rows[o]] & s->c->exact & s->running;
    if (occurrence->origin != PMUV3_OTHER || occurrence->count == 0 || !counters) continue;
    unsigned event = 0;
    while (event < NUM_EXACT_EVENTS && pmuv3_exact_event_of_value(event) != occurrence->event)
      event++;
    if (event == NUM_EXACT_EVENTS) continue; /* not one of the table's */
    const struct judgement *source = &s->other;
    const uint32_t here = counters & ~source->filtered & ~source->prohibited;
    uint64_t *bin = &bins[event * VALUES_OF_SITUATION];
    bin[0] += (here & s->filtered & ~s->prohibited) != 0;
    bin[1] += (counters & source->filtered & ~source->prohibited & s->free) != 0;
    bin[2] += (counters & ~source->filtered & source->prohibited & s->free) != 0;
    bin[3] += (here & s->prohibited & ~s->filtered) != 0;
  }
}

/* Software increments: SW_INCR has no occurrence. */
static void increments(uint64_t *bins, const struct pmuv3_params *p, const struct sample *s) {
  const uint32_t counters = s->swi & s->c->swincr & s->on & ~s->frozen & ~s->c->grouped;
  const unsigned row = pmuv3_events_index(&p->events, PMUV3_EVENT_SW_INCR);
  uint64_t *bin = &bins[event_cell(p, row, PMUV3_CURRENT)];
  bin[0] += (counters & ~s->vb) != 0;
  bin[1] += (counters & s->vb) != 0;
}

/* The events that counters count. */
static void counted(const struct cross_hits *hits, const struct sample *s,
                    const uint16_t values[PMUV3_MAX_EVENTS]) {
  for (uint32_t left = s->vb & ~s->c->none; left; left &= left - 1) {
    const unsigned row = s->c->event[__builtin_ctz(left)];
    hits->of[CROSS_ROWS][row]++;
    if (values[row] < NUM_EVENTS) hits->of[CROSS_EACH][values[row]]++;
  }
}

/* ---- A cycle, an access ---- */

static void profiling(uint64_t *bins, const struct sample *s) {
  unsigned cell = (unsigned)PMUV3_GET(s->before->mdcr_el3, MDCR_EL3, PMEE);
  cell = at(cell, VALUES_OF_EL2_FIELD, (unsigned)PMUV3_GET(s->before->mdcr_el2, MDCR_EL2, PMEE));
  cell = at(cell, VALUES_OF_EL1_FIELD, (unsigned)PMUV3_GET(s->before->pmecr, PMECR, PMEE));
  bins[at(cell, VALUES_OF_EL2_STATE, pmuv3_el2_enabled(s->p, s->pe))]++;
}

void pmuv3_crosses_cycle(const struct cross_hits *hits, const struct pmuv3_params *params,
                         const struct thread *threads, const struct pmuv3_cycle *cycle,
                         const struct occurred_events *occurred, const struct sample *samples) {
  for (unsigned t = 0; t < params->threads; t++) {
    const struct sample *s = &samples[t];
    const unsigned context = pmuv3_context_value(s->pe->el, s->pe->ss);
    values(hits, s);
    filters(hits, s, context);
    prohibitions(hits, s, context);
    enables(hits->of[CROSS_ENABLES], s);
    collisions(hits, threads, cycle, s, t);
    overflows(hits->of[CROSS_OVERFLOW], s);
    if (s->swi) increments(hits->of[CROSS_EVENTS], params, s);
    counted(hits, s, occurred->values);
    if (has(params, EBEP) && s->after->cti) profiling(hits->of[CROSS_PMEE], s);
    if (params->threads > 1) contexts(hits->of[CROSS_CONTEXTS], params, threads, s, t, context);
  }
  events(hits->of[CROSS_EVENTS], params, cycle, occurred->rows, samples);
  exact(hits->of[CROSS_EXACT], cycle, occurred->rows, samples);
  if (params->threads > 1) states(hits->of[CROSS_STATES], params, threads);
}

/* Table D13-11 */
static bool is_out_of_reach(const struct access *a) {
  return !a->counter || (a->counter & a->beyond);
}

static void reach(uint64_t *bins, const struct access *a) {
  enum { NOT_IMPLEMENTED = 3 };
  if (!a->checked || a->n >= PMUV3_MAX_COUNTERS) return;
  if (a->reg != PMUV3_PMEVCNTR && a->reg != PMUV3_PMEVTYPER) return;
  unsigned cell = a->counter & a->c->r1   ? 0
                  : a->counter & a->c->r2 ? 1
                  : a->counter            ? 2
                                          : NOT_IMPLEMENTED;
  cell = at(cell, VALUES_OF_EL, a->pe->el);
  cell = at(cell, VALUES_OF_EL2_STATE, a->el2_enabled);
  if (!a->done && is_out_of_reach(a) && !a->by_counter) return; /* refused for another reason */
  bins[at(cell, VALUES_OF_END, a->done)]++;
}

static void capture(uint64_t *bins, const struct access *a) {
  unsigned cell = (unsigned)PMUV3_GET(a->before->mdcr_el3, MDCR_EL3, PMSSE);
  cell = at(cell, VALUES_OF_EL2_FIELD, (unsigned)PMUV3_GET(a->before->mdcr_el2, MDCR_EL2, PMSSE));
  bins[at(cell, VALUES_OF_EL1_FIELD, (unsigned)PMUV3_GET(a->before->pmecr, PMECR, SSE))]++;
}

void pmuv3_crosses_access(const struct cross_hits *hits, const struct access *access) {
  reach(hits->of[CROSS_REACH], access);
  if (access->captures) capture(hits->of[CROSS_PMSSE], access);
}
