/*
 * What the model cannot know. In modes that are not exact an event and a change (a write, or
 * another state) that are near each other have no one right order. Then the counts of the thread
 * are in doubt, until quiet writes of the counters and of the flags. docs/design/check.md, "Ways to
 * agree".
 */
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

#define CYCLES (UINT64_C(1) << 31)
#define INSTRUCTIONS (UINT64_C(1) << 32)

static struct doubt *doubt_of(struct pmuv3_check *check, unsigned thread) {
  return &check->doubts[thread];
}

static bool is_blind(const struct pmuv3_check *check) {
  return check->event_slack != 0 || check->change_slack != 0;
}

static unsigned longest_window(const struct pmuv3_check *check) {
  const unsigned reads = (unsigned)(check->reads.max - check->reads.min);
  const unsigned visible = (unsigned)(check->visible.max - check->visible.min);
  return reads > visible ? reads : visible;
}

static void doubt_all(struct doubt *doubt) {
  doubt->counters = doubt->flags = EVERY_COUNTER;
}

/* ---- Events ---- */

void pmuv3_quiet_event(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  if (!is_blind(check)) return;
  doubt->last_event = t + 1;
  if (doubt->last_change && t + 1 - doubt->last_change <= check->change_slack) doubt_all(doubt);
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

void pmuv3_quiet_state(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  if (is_blind(check)) change(check, thread, t);
}

/* Counters that a write sets to a known value. */
static uint64_t counters_written(const struct write *write) {
  const struct pmuv3_device_register *reg = write->reg;
  const uint64_t events = (UINT64_C(1) << PMUV3_MAX_COUNTERS) - 1;
  if (reg->is_page || reg->half == PMUV3_HIGH) return 0;
  switch (reg->reg) {
    case PMUV3_PMCR:
      return (write->data & PMUV3_MASK(PMCR, P) ? events : 0) |
             (write->data & PMUV3_MASK(PMCR, C) ? CYCLES : 0);
    case PMUV3_PMZR:
      return write->data & EVERY_COUNTER;
    case PMUV3_PMCCNTR:
      return reg->half == PMUV3_WHOLE ? CYCLES : 0;
    case PMUV3_PMICNTR:
      return reg->half == PMUV3_WHOLE ? INSTRUCTIONS : 0;
    default:
      break;
  }
  if (reg->reg < PMUV3_PMEVCNTR || reg->reg >= PMUV3_PMEVCNTR + PMUV3_MAX_COUNTERS) return 0;
  return UINT64_C(1) << (reg->reg - PMUV3_PMEVCNTR);
}

/* The high half of a counter of 32 bits is 0, so the low half is all of it. */
static bool is_whole(const struct pmuv3_check *check, const struct pmuv3_device_register *reg) {
  return reg->half == PMUV3_WHOLE ||
         pmuv3_register_mask(&check->device->params, reg->reg) >> 32 == 0;
}

static void settle_counters(struct pmuv3_check *check, struct doubt *doubt, uint64_t t,
                            uint64_t counters) {
  doubt->recent = (t < doubt->recent_until ? doubt->recent : 0) | (doubt->counters & counters);
  doubt->recent_until = t + 1 + longest_window(check);
  doubt->counters &= ~counters;
  doubt->cyclic &= ~counters;
  for (uint64_t left = counters; left; left &= left - 1)
    doubt->boundaries[__builtin_ctzll(left)] = 1;
}

/* A flag is known again if nothing can raise it about now. */
static void settle_flags(struct doubt *doubt, const struct write *write) {
  const uint64_t data = write->reg->half == PMUV3_HIGH ? write->data << 32 : write->data;
  const uint16_t reg = write->reg->reg;
  if (write->reg->is_page) return;
  if (reg == PMUV3_PMOVSCLR || reg == PMUV3_PMOVSSET || reg == PMUV3_PMOVSR)
    doubt->flags &= ~(data & ~doubt->counters & ~doubt->cyclic);
}

void pmuv3_quiet_write(struct pmuv3_check *check, uint64_t t, const struct write *write) {
  const unsigned thread = write->reg->thread;
  struct doubt *doubt = doubt_of(check, thread);
  if (!is_blind(check)) return;
  if (!write->reg->is_page && write->reg->reg == PMUV3_PMSWINC) {
    pmuv3_quiet_event(check, thread, t);
    return;
  }
  if (!change(check, thread, t)) return;
  uint64_t counters = counters_written(write);
  if (!is_whole(check, write->reg) && write->reg->reg != PMUV3_PMCR) counters = 0;
  settle_counters(check, doubt, t, counters);
  settle_flags(doubt, write);
}

/* ---- Cycles ---- */

static uint64_t counted(const struct pmuv3_thread *thread) {
  uint64_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint64_t)(thread->values.V[pmuv3_lane(n)] != 0) << n;
  return counters;
}

/* Doubt spreads: a flag follows its counter, an odd counter its CHAIN, all a flag that freezes. */
static void spread(struct doubt *doubt, const struct pmuv3_thread *thread) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  doubt->flags |= doubt->counters | doubt->cyclic;
  doubt->counters |= (doubt->flags << 1) & decoded->chain & UINT64_C(0xAAAAAAAA);
  if (doubt->flags & (decoded->freezes[0] | decoded->freezes[1])) doubt_all(doubt);
}

void pmuv3_quiet_cycle(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  const struct pmuv3_thread *model = &check->pmu.thread[thread];
  if (!is_blind(check)) return;
  if (check->change_slack != 0 && doubt->last_event != t + 1) {
    doubt->cyclic |= counted(model);
    if (model->state.cycles != doubt->before_cycles) doubt->cyclic |= CYCLES;
  }
  doubt->before_cycles = model->state.cycles;
  if (doubt->counters | doubt->flags | doubt->cyclic) spread(doubt, model);
}

/* Flip-flops of events may stop with the clock. So a stopped clock brings an event no further away,
 * and what it counted may show only after the stop. */
void pmuv3_quiet_pause(struct pmuv3_check *check, unsigned thread, uint64_t t) {
  struct doubt *doubt = doubt_of(check, thread);
  if (!is_blind(check) || !doubt->last_event) return;
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
  return check->doubts[thread].flags;
}

uint64_t pmuv3_quiet_tolerance(const struct pmuv3_check *check, unsigned thread, unsigned n) {
  const struct doubt *doubt = &check->doubts[thread];
  if (!(doubt->cyclic >> n & 1)) return 0;
  return (uint64_t)doubt->boundaries[n] * check->change_slack;
}
