/* Observes a lockstep, and counts hits of bins. */
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/scoreboard/observer.h"
#include "testbench/signoff/coverage/bins.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/coverage/crosses.h"
#include "testbench/signoff/coverage/ends.h"
#include "testbench/signoff/coverage/sample.h"

struct pmuv3_collector {
  struct pmuv3_observer observer;
  struct pmuv3_params params;
  uint64_t *hits;
  struct cross_hits crosses;
  struct ends ends;
  struct thread threads[PMUV3_MAX_THREADS];
  uint16_t values[PMUV3_MAX_EVENTS]; /* see struct occurred_events */
  uint16_t rows[PMUV3_MAX_OCCURRENCES];
  struct pmuv3_event_rows by_number; /* of params.events */
};

static struct pmuv3_collector *collector_of(struct pmuv3_observer *observer) {
  return (struct pmuv3_collector *)observer;
}

/* ---- Bins of rules ---- */

static void hit_cycle(uint64_t *hits, const struct sample *s, const struct settings *c,
                      const struct pmuv3_params *p) {
#define PMUV3_COVER_CYCLE(rule, bin, when) *hits++ += (when) != 0;
#include "testbench/signoff/coverage/coverpoints.def"
}

static void hit_group(uint64_t *hits, const struct sample *s, const struct settings *c,
                      const struct pmuv3_params *p) {
#define PMUV3_COVER_GROUP(rule, bin, when) *hits++ += (when) != 0;
#include "testbench/signoff/coverage/coverpoints.def"
}

static void hit_access(uint64_t *hits, const struct access *a, const struct settings *c,
                       const struct pmuv3_params *p) {
#define PMUV3_COVER_ACCESS(rule, bin, when) *hits++ += (when) != 0;
#include "testbench/signoff/coverage/coverpoints.def"
}

static void hit_cycles(struct pmuv3_collector *self, const struct sample *samples) {
  for (unsigned t = 0; t < self->params.threads; t++) {
    const struct sample *s = &samples[t];
    hit_cycle(&self->hits[FIRST_OF_CYCLE], s, s->c, s->p);
    if (self->params.threads > 1) hit_group(&self->hits[FIRST_OF_GROUP], s, s->c, s->p);
  }
}

/* ---- The shadow ---- */

/* D13.6-7, D13.6-8 */
static bool is_mt_disabled(const struct pmuv3_collector *self, unsigned thread) {
  const struct pmuv3_probe *now = &self->threads[thread].now;
  if (!has(&self->params, MTPMU)) return false;
  if (self->params.el3) return !PMUV3_GET(now->mdcr_el3, MDCR_EL3, MTPME);
  return self->params.el2 && !PMUV3_GET(now->mdcr_el2, MDCR_EL2, MTPME);
}

/* Effective MT, and what follows from it. */
static void group(struct pmuv3_collector *self) {
  const unsigned threads = self->params.threads;
  bool any_disabled = false;
  for (unsigned t = 0; t < threads; t++) any_disabled |= is_mt_disabled(self, t);
  for (unsigned t = 0; t < threads; t++) {
    struct settings *c = &self->threads[t].c;
    const bool disabled = self->params.k_mtpme_group ? any_disabled : is_mt_disabled(self, t);
    c->grouped = threads > 1 && !disabled ? c->mt & ~c->chain : 0;
    c->mt_chain = threads > 1 && !disabled ? c->mt & c->chain : 0;
    c->attributable_only = c->own | (c->shared & ~(self->params.k_shared_other ? c->grouped : 0));
  }
}

static void take(struct pmuv3_collector *self, unsigned thread, const struct pmuv3_probe *probe) {
  struct thread *of = &self->threads[thread];
  of->now = *probe;
  pmuv3_settings_update(&of->c, &self->params, probe);
  group(self);
}

static void observe_start(struct pmuv3_observer *observer,
                          const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct pmuv3_collector *self = collector_of(observer);
  for (unsigned t = 0; t < self->params.threads; t++) {
    self->threads[t].pe = pe[t];
    take(self, t, &probes[t]);
  }
}

static void observe_reset(struct pmuv3_observer *observer,
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct pmuv3_collector *self = collector_of(observer);
  for (unsigned t = 0; t < self->params.threads; t++) {
    struct thread *thread = &self->threads[t];
    thread->ct_before_reset = (thread->ct_before & thread->was_allowed) != 0;
    thread->after_reset = true;
    thread->swi = thread->swi_twice = thread->was_allowed = thread->ct_before = 0;
    thread->gap_after_ct = thread->retyped_threshold = thread->retyped_event = thread->disabled = 0;
    take(self, t, &probes[t]);
  }
}

static void observe_set_pe(struct pmuv3_observer *observer, unsigned thread,
                           const struct pmuv3_pe *pe) {
  collector_of(observer)->threads[thread].pe = *pe;
}

/* Event counters that an effective write to PMSWINC reaches (SWI-2, SWI-3). */
static uint32_t incremented(const struct access *a) {
  if (a->reg != PMUV3_PMSWINC || !a->writes || !a->done || a->pe->halted) return 0;
  const uint32_t beyond = a->checked ? a->beyond : a->c->r3;
  const bool masked = a->checked && a->uen && !a->sw;
  return a->bits & ~beyond & (masked ? (uint32_t)a->before->pmuacr : UINT32_MAX);
}

static void note_increments(struct thread *thread, uint32_t counters) {
  thread->swi_twice |= thread->swi & counters;
  thread->swi |= counters;
}

/* Notes register changes whose effect the next cycle shows. */
static void note_changes(struct thread *thread, const struct pmuv3_probe *probe) {
  const uint64_t threshold = PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) |
                             PMUV3_MASK(PMEVTYPER, TH) | PMUV3_MASK(PMEVTYPER, TLC);
  for (uint32_t left = thread->c.all; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctz(left);
    const uint64_t changed = thread->c.type[n] ^ probe->evtyper[n];
    if (changed & threshold) thread->retyped_threshold |= left & -left;
    if (changed & 0xFFFF) thread->retyped_event |= left & -left;
  }
  thread->disabled |= thread->c.cnten & ~probe->cnten;
}

/* Finds the reason why a checked access was refused. */
static void find_cause(struct pmuv3_collector *self, const struct thread *thread,
                       const struct pmuv3_observed *observed, struct access *access) {
  if (access->done || !access->checked) return;
  access->by_counter =
      access->n < PMUV3_MAX_COUNTERS && pmuv3_ends_done_in_r1(&self->ends, thread, observed);
  access->by_user =
      access->pe->el == 0 && pmuv3_ends_done_if_permitted(&self->ends, thread, observed);
  pmuv3_ends_find_trap(&self->ends, thread, observed, access);
}

static void observe_access(struct pmuv3_observer *observer, const struct pmuv3_observed *access,
                           const struct pmuv3_probe *probe) {
  struct pmuv3_collector *self = collector_of(observer);
  struct thread *thread = &self->threads[access->thread];
  struct access a = pmuv3_access_sample(&self->params, thread, access);
  find_cause(self, thread, access, &a);
  hit_access(&self->hits[FIRST_OF_ACCESS], &a, a.c, a.p);
  pmuv3_crosses_access(&self->crosses, &a);
  note_increments(thread, incremented(&a));
  if (!probe) return;
  note_changes(thread, probe);
  take(self, access->thread, probe);
}

/* The writes in the clock of a cycle that take effect: a bit for each thread, and the external
 * write. */
struct inline_writes {
  uint8_t done;
  bool external_done;
};

/* Samples the writes in the clock of a cycle, with the state at their start. A PMSWINC write counts
 * in this cycle. */
static struct inline_writes look_at_writes(struct pmuv3_collector *self,
                                           const struct pmuv3_cycle *cycle) {
  struct inline_writes writes = {0};
  for (unsigned t = 0; t < self->params.threads; t++) {
    const struct pmuv3_write *write = &cycle->write[t];
    struct pmuv3_observed observed = {.thread = t,
                                      .writes = true,
                                      .checked = write->checked,
                                      .reg = write->reg,
                                      .value = write->value};
    if (!(cycle->has_write >> t & 1)) continue;
    if (!pmuv3_ends_done(&self->ends, &self->threads[t], &observed)) continue;
    writes.done |= (uint8_t)(1u << t);
    observed.result = write->checked ? (unsigned)PMUV3_DONE : (unsigned)PMUV3_ACCESS_OK;
    const struct access a = pmuv3_access_sample(&self->params, &self->threads[t], &observed);
    note_increments(&self->threads[t], incremented(&a));
  }
  const struct pmuv3_external *external = &cycle->external;
  const struct pmuv3_observed observed = {.thread = external->thread,
                                          .writes = true,
                                          .external = true,
                                          .ss = (uint8_t)external->ss,
                                          .offset = external->offset,
                                          .value = external->value};
  writes.external_done = cycle->has_external &&
                         pmuv3_ends_done(&self->ends, &self->threads[external->thread], &observed);
  return writes;
}

static void look_forward(struct thread *thread, const struct pmuv3_probe *probe) {
  thread->gap_after_ct = thread->was_allowed & thread->ct_before & ~probe->allowed;
  thread->was_allowed = probe->allowed;
  thread->ct_before = probe->CT;
  thread->swi = thread->swi_twice = 0;
  thread->retyped_threshold = thread->retyped_event = thread->disabled = 0;
  thread->after_reset = false;
}

static void observe_cycle(struct pmuv3_observer *observer, const struct pmuv3_cycle *cycle,
                          const struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  struct pmuv3_collector *self = collector_of(observer);
  struct sample samples[PMUV3_MAX_THREADS];
  struct inline_writes writes = {0};
  if (cycle->has_write || cycle->has_external) writes = look_at_writes(self, cycle);
  /* A wrong cycle is not observed, so each event has a row. */
  for (unsigned o = 0; o < cycle->num_occurrences; o++)
    self->rows[o] = (uint16_t)(self->by_number.place[cycle->occurrences[o].event] - 1);
  pmuv3_sample(&self->params, self->threads, cycle, self->rows, probes, samples);
  for (unsigned t = 0; t < self->params.threads; t++) {
    samples[t].write_done = writes.done >> t & 1;
    samples[t].external_done = writes.external_done && cycle->external.thread == t;
  }
  hit_cycles(self, samples);
  pmuv3_crosses_cycle(&self->crosses, &self->params, self->threads, cycle,
                      &(struct occurred_events){self->rows, self->values}, samples);
  for (unsigned t = 0; t < self->params.threads; t++) {
    struct thread *thread = &self->threads[t];
    look_forward(thread, &probes[t]);
    if (cycle->has_write || cycle->has_external) {
      note_changes(thread, &probes[t]);
      take(self, t, &probes[t]);
    } else {
      thread->now = probes[t];
    }
  }
}

/* ---- Creation and destruction ---- */

struct pmuv3_collector *pmuv3_collector_create(const struct pmuv3_params *params, uint64_t *hits) {
  struct pmuv3_collector *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->observer = (struct pmuv3_observer){.start = observe_start,
                                           .reset = observe_reset,
                                           .set_pe = observe_set_pe,
                                           .access = observe_access,
                                           .cycle = observe_cycle};
  self->params = *params;
  pmuv3_events_rows(&self->params.events, &self->by_number);
  self->hits = hits;
  for (unsigned row = 0; row < params->events.num; row++) {
    unsigned value = 0;
    while (value < NUM_EVENTS && pmuv3_event_of_value(value) != params->events.event[row].number)
      value++;
    self->values[row] = (uint16_t)value;
  }
  pmuv3_ends_init(&self->ends, params);
  for (unsigned i = 0; i < NUM_CROSSES; i++)
    self->crosses.of[i] = &hits[pmuv3_cross_first((enum cross)i)];
  return self;
}

void pmuv3_collector_destroy(struct pmuv3_collector *collector) {
  free(collector);
}

struct pmuv3_observer *pmuv3_collector_observer(struct pmuv3_collector *collector) {
  return &collector->observer;
}
