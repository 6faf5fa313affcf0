/*
 * What the model cannot know. In modes that are not exact an event and a change (a write, or
 * another state) that are near each other have no one right order. Then the counts of the thread
 * are in doubt, until quiet writes of the counters and of the flags. docs/design/check.md, "Ways to
 * agree".
 */
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

#define CYCLES (UINT64_C(1) << 31)

enum { SPARE = 2 }; /* counts beyond the tolerance, and clocks beyond the latencies, at a wrap */

static struct doubt *doubt_of(struct pmuv3_check *check, unsigned thread) {
  return &check->doubts[thread];
}

static bool is_blind(const struct pmuv3_check *check) {
  return check->event_slack != 0 || check->change_slack != 0;
}

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned longest_window(const struct pmuv3_check *check) {
  const unsigned reads = (unsigned)(check->reads.max - check->reads.min);
  const unsigned visible = (unsigned)(check->visible.max - check->visible.min);
  return larger(reads, visible);
}

static void doubt_counters(struct doubt *doubt, uint64_t counters) {
  doubt->counters |= counters;
  doubt->known_low &= ~counters;
  doubt->known_high &= ~counters;
}

/* What a capture saved is in doubt, too: it may have come about now. */
static void doubt_all(struct doubt *doubt) {
  doubt_counters(doubt, EVERY_COUNTER);
  doubt->flags = EVERY_COUNTER;
  doubt->saved = EVERY_COUNTER;
}

/* Doubt spreads: a flag follows its counter, an odd counter its CHAIN, all a flag that freezes. */
static void spread(struct doubt *doubt, const struct pmuv3_thread *thread) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  doubt->flags |= doubt->counters;
  const uint64_t flags = doubt->flags | doubt->wrapping;
  doubt_counters(doubt, (flags << 1) & decoded->chain & UINT64_C(0xAAAAAAAA));
  if (flags & (decoded->freezes[0] | decoded->freezes[1])) doubt_all(doubt);
}

/* ---- Events ---- */

/* It may count in every thread (MT). */
void pmuv3_quiet_event(struct pmuv3_check *check, uint64_t t) {
  if (!is_blind(check)) return;
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    struct doubt *doubt = doubt_of(check, thread);
    doubt->last_event = t + 1;
    if (doubt->last_change && t + 1 - doubt->last_change <= check->change_slack) doubt_all(doubt);
  }
}

/* ---- Flags of counters that may be off ---- */

/* How long some output may still show the flags as before. */
static unsigned longest_flag_window(const struct pmuv3_check *check) {
  const unsigned interrupts = (unsigned)(check->interrupts.max - check->interrupts.min);
  return larger(longest_window(check), interrupts);
}

/* How long after a wrap some output may still show the flag as before it. */
static unsigned longest_rise(const struct pmuv3_check *check) {
  return longest_flag_window(check) + check->device->latency[PMUV3_LATENCY_FLAG].max +
         check->event_slack + check->change_slack + SPARE;
}

/* The flag of a counter that may be off is in doubt while the counter is near a wrap. Away from the
 * wrap the device's counter has wrapped if the model's has. */
static void note_near(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  const uint64_t pulses = pmuv3_pulses(&check->pmu, thread);
  for (uint64_t left = doubt->cyclic | doubt->unmet; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    if (!(pulses >> n & 1) && !pmuv3_quiet_is_near_wrap(check, thread, n)) continue;
    doubt->wrapping |= UINT64_C(1) << n;
    doubt->near[n] = t;
  }
  for (uint64_t left = doubt->wrapping; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    if (t - doubt->near[n] > longest_rise(check)) doubt->wrapping &= ~(UINT64_C(1) << n);
  }
}

/* Nobody knows whether these counters wrapped before they were changed. */
static void doubt_wraps(struct doubt *doubt, uint64_t counters) {
  doubt->flags |= doubt->wrapping & counters;
  doubt->wrapping &= ~counters;
}

/* Where a counter overflows is a matter of controls, and of the state. */
static void note_wide(struct doubt *doubt, uint64_t wide) {
  doubt_wraps(doubt, wide ^ doubt->before_wide);
  doubt->before_wide = wide;
}

/* ---- Changes ---- */

static bool change(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  doubt->last_change = t + 1;
  for (unsigned n = 0; n < ALL_COUNTERS; n++) doubt->boundaries[n]++;
  const bool is_quiet = !doubt->last_event || t + 1 - doubt->last_event > check->event_slack;
  if (!is_quiet) doubt_all(doubt);
  return is_quiet;
}

/* Flags that rose a moment ago: nobody knows whether before the change. */
static void doubt_recent_flags(const struct pmuv3_check *check, struct doubt *doubt, uint64_t t) {
  if (doubt->last_overflow && t + 1 - doubt->last_overflow <= check->event_slack)
    doubt->flags |= doubt->overflows;
}

/* A thread's state may matter to counters of every thread (MT). */
void pmuv3_quiet_state(struct pmuv3_check *check, uint64_t t) {
  if (!is_blind(check)) return;
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    change(check, thread, t);
    doubt_recent_flags(check, doubt_of(check, thread), t);
  }
}

/* What a write does to counters and flags. */
struct written {
  uint64_t low, high; /* counters of which it sets a half to a known value */
  uint64_t flags;     /* likewise */
  uint64_t overflow;  /* the flags after it */
  uint64_t captured;  /* counters that it saves */
};

/* Every bit of a thread's counters and flags becomes another one. */
static void invert(struct pmuv3 *pmu, unsigned thread) {
  struct pmuv3_thread *of = &pmu->thread[thread];
  for (unsigned n = 0; n < pmu->params.counters; n++)
    of->state.value[pmuv3_lane(n)] ^=
        pmuv3_register_mask(&pmu->params, (uint16_t)(PMUV3_PMEVCNTR + n));
  of->state.cycles = ~of->state.cycles;
  of->state.instructions = ~of->state.instructions;
  of->registers.overflow ^= EVERY_COUNTER;
}

static uint64_t wide_counters(const struct pmuv3_check *check) {
  const uint64_t event_counters = (UINT64_C(1) << PMUV3_MAX_COUNTERS) - 1;
  return check->pmu.identity.width == UINT64_MAX ? EVERY_COUNTER : EVERY_COUNTER & ~event_counters;
}

/* Does the write in two models whose counters and flags differ in every bit. What is the same
 * afterwards, the write has set; what only now is another, it has captured. A write that is refused
 * sets nothing. */
static struct written written_by(const struct pmuv3_check *check, const struct write *write) {
  const unsigned thread = write->reg->thread;
  struct pmuv3 one = check->pmu, other = check->pmu;
  struct written written = {0};
  invert(&other, thread);
  pmuv3_model_write(check, &one, write);
  pmuv3_model_write(check, &other, write);
  for (unsigned n = 0; n < ALL_COUNTERS; n++) {
    const uint64_t differ =
        pmuv3_model_counter(&one, thread, n) ^ pmuv3_model_counter(&other, thread, n);
    written.low |= (uint64_t)((uint32_t)differ == 0) << n;
    written.high |= (uint64_t)(differ >> 32 == 0) << n;
    written.captured |=
        (uint64_t)(pmuv3_model_saved(&one, thread, n) != pmuv3_model_saved(&other, thread, n)) << n;
  }
  written.overflow = one.thread[thread].registers.overflow;
  written.flags = EVERY_COUNTER & ~(written.overflow ^ other.thread[thread].registers.overflow);
  return written;
}

/* Two writes may set the halves of a counter, one after the other. */
static void settle_counters(struct pmuv3_check *check, struct doubt *doubt, uint64_t t,
                            const struct written *written) {
  doubt->known_low |= written->low;
  doubt->known_high |= written->high;
  const uint64_t counters = written->low & written->high;
  const uint64_t settled = counters | (doubt->known_low & doubt->known_high);
  doubt->recent = (t < doubt->recent_until ? doubt->recent : 0) | (doubt->counters & settled);
  doubt->recent_until = t + 1 + longest_window(check);
  doubt->counters &= ~settled;
  doubt->cyclic &= ~counters;
  doubt->unmet &= ~counters;
  for (uint64_t left = counters; left; left &= left - 1)
    doubt->boundaries[__builtin_ctzll(left)] = 1;
}

/* A flag is known again if nothing can raise it about now. */
static void settle_flags(const struct pmuv3_check *check, struct doubt *doubt, uint64_t t,
                         uint64_t flags) {
  const uint64_t settled = doubt->flags & flags & ~doubt->counters & ~doubt->wrapping;
  doubt->recent_flags = (t < doubt->recent_flags_until ? doubt->recent_flags : 0) | settled;
  doubt->recent_flags_until = t + 1 + longest_flag_window(check);
  doubt->flags &= ~settled;
}

/* A capture saves what is not known of a counter, too, whatever is written to the counter later. */
static void capture(const struct pmuv3_check *check, unsigned thread, struct doubt *doubt,
                    uint64_t captured) {
  spread(doubt, &check->pmu.thread[thread]);
  doubt->saved = (doubt->saved & ~captured) | (doubt->counters & captured);
  for (uint64_t left = captured; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    doubt->saved_tolerance[n] = pmuv3_quiet_tolerance(check, thread, n);
  }
}

void pmuv3_quiet_write(struct pmuv3_check *check, uint64_t t, const struct write *write) {
  const unsigned thread = write->reg->thread;
  struct doubt *doubt = doubt_of(check, thread);
  if (!is_blind(check)) return;
  if (pmuv3_model_is_increment(write->reg)) {
    pmuv3_quiet_event(check, t);
    return;
  }
  if (!change(check, thread, t)) return;
  const struct written written = written_by(check, write);
  const uint64_t high = written.high & wide_counters(check);
  note_near(check, thread, t);
  /* A carry into the half that is not written may come before the write, or after it. */
  doubt_counters(doubt, doubt->wrapping & wide_counters(check) & (written.low ^ high));
  settle_counters(check, doubt, t, &written);
  doubt->before_flags = written.overflow;
  settle_flags(check, doubt, t, written.flags);
  doubt_wraps(doubt, written.low | high | written.flags);
  doubt_recent_flags(check, doubt, t);
  if (written.captured) capture(check, thread, doubt, written.captured);
}

/* ---- Cycles ---- */

static uint64_t counted(const struct pmuv3_thread *thread) {
  uint64_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint64_t)(thread->values.V[pmuv3_lane(n)] != 0) << n;
  return counters;
}

/* Counters whose event no pin carries. */
static uint64_t of_self(const struct pmuv3_thread *thread) {
  uint64_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint64_t)(thread->config.event_class[pmuv3_lane(n)] == PMUV3_EVENT_CLASS_SELF)
                << n;
  return counters;
}

/* What counts in a clock without an event. */
static void note_counts(const struct pmuv3_check *check, struct doubt *doubt,
                        const struct pmuv3_thread *model) {
  const uint64_t counters = counted(model);
  const bool has_cycle = model->state.cycles != doubt->before_cycles;
  if (check->event_slack != 0 && counters) doubt->unmet |= counters & ~of_self(model);
  if (check->change_slack != 0) doubt->cyclic |= counters | (has_cycle ? CYCLES : 0);
}

/* A flag that rises near a write is in doubt: nobody knows which came first. So are the counters
 * that it freezes. It may be 1 already: a write that clears it comes before the second time, or
 * after it. */
static void note_flags(struct pmuv3_check *check, unsigned thread, uint64_t t, uint64_t overflows) {
  struct doubt *doubt = doubt_of(check, thread);
  const struct pmuv3_thread *model = &check->pmu.thread[thread];
  const uint64_t risen =
      overflows | check->rise[thread] | (model->registers.overflow & ~doubt->before_flags);
  doubt->before_flags = model->registers.overflow;
  if (risen == 0 || check->event_slack == 0) return;
  if (t - doubt->last_overflow >= check->event_slack) doubt->overflows = 0;
  doubt->overflows |= risen;
  doubt->last_overflow = t + 1;
  if (doubt->last_change && t + 1 - doubt->last_change <= check->change_slack)
    doubt->flags |= risen;
  if (risen & (model->decoded.freezes[0] | model->decoded.freezes[1])) doubt_all(doubt);
}

void pmuv3_quiet_cycle(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  const struct pmuv3_thread *model = &check->pmu.thread[thread];
  if (!is_blind(check)) return;
  if (doubt->last_event != t + 1) note_counts(check, doubt, model);
  doubt->before_cycles = model->state.cycles;
  note_near(check, thread, t);
  note_wide(doubt, pmuv3_model_wide(&check->pmu, thread));
  note_flags(check, thread, t, pmuv3_pulses(&check->pmu, thread));
  if (doubt->counters | doubt->flags | doubt->wrapping) spread(doubt, model);
}

/* Flip-flops of events may stop with the clock. So a stopped clock brings an event no further away,
 * and what it counted may show only after the stop. */
void pmuv3_quiet_pause(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  if (!is_blind(check)) return;
  if (check->is_stop_unsure) doubt->last_change = t + 1;
  for (uint64_t left = doubt->wrapping; left; left &= left - 1)
    doubt->near[__builtin_ctzll(left)] = t;
  note_flags(check, thread, t, 0);
  if (!doubt->last_event) return;
  if (t + 1 - doubt->last_event > check->event_slack) return;
  doubt_all(doubt);
  doubt->last_event++;
}

void pmuv3_quiet_reset(struct pmuv3_check *check) {
  memset(check->doubts, 0, sizeof check->doubts);
}

/* ---- What others ask ---- */

uint64_t pmuv3_quiet_counters(const struct pmuv3_check *check, unsigned thread, uint64_t t) {
  const struct doubt *doubt = &check->doubts[thread];
  return doubt->counters | (t < doubt->recent_until ? doubt->recent : 0);
}

uint64_t pmuv3_quiet_flags(const struct pmuv3_check *check, unsigned thread) {
  const struct doubt *doubt = &check->doubts[thread];
  const bool is_recent = check->model < doubt->recent_flags_until;
  return doubt->flags | doubt->wrapping | (is_recent ? doubt->recent_flags : 0);
}

static bool is_near_wrap(uint64_t count, uint64_t tolerance) {
  const uint64_t off = tolerance + SPARE, low = (uint32_t)count;
  return off > UINT32_MAX || low < off || low + off > UINT32_MAX;
}

bool pmuv3_quiet_is_near_wrap(const struct pmuv3_check *check, unsigned thread, unsigned n) {
  return is_near_wrap(pmuv3_model_counter(&check->pmu, thread, n),
                      pmuv3_quiet_tolerance(check, thread, n));
}

uint64_t pmuv3_quiet_tolerance(const struct pmuv3_check *check, unsigned thread, unsigned n) {
  const struct doubt *doubt = &check->doubts[thread];
  const uint64_t by_changes = (uint64_t)doubt->boundaries[n] * check->change_slack;
  return (doubt->cyclic >> n & 1 ? by_changes : 0) +
         (doubt->unmet >> n & 1 ? check->event_slack : 0u);
}

uint64_t pmuv3_quiet_saved(const struct pmuv3_check *check, unsigned thread) {
  return check->doubts[thread].saved;
}

bool pmuv3_quiet_is_saved_near_wrap(const struct pmuv3_check *check, unsigned thread, unsigned n) {
  return is_near_wrap(pmuv3_model_saved(&check->pmu, thread, n),
                      pmuv3_quiet_saved_tolerance(check, thread, n));
}

uint64_t pmuv3_quiet_saved_tolerance(const struct pmuv3_check *check, unsigned thread, unsigned n) {
  return check->doubts[thread].saved_tolerance[n];
}
