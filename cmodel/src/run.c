/*
 * Run: many Processor cycles at once, exactly as ticks make them.
 *
 * A cycle follows from its inputs, the configuration, the flags, CP, what waits and the counters.
 * A counter's value decides only its own carry. So a cycle with the inputs of the last one adds
 * what the last one added, if the last one left everything but the counters as it found it, and
 * until a counter overflows. Those cycles are one multiplication.
 */
#include <string.h>

#include "internal.h"
#include "pmuv3/pmuv3.h"

/* What a tick overwrites and a step needs. */
struct before {
  uint64_t cycles, instructions;
  uint8_t divider;
  bool waiting;
};

static void note(const struct pmuv3 *pmu, struct before before[PMUV3_MAX_THREADS]) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    const struct pmuv3_thread *thread = &pmu->thread[t];
    before[t] = (struct before){.cycles = thread->state.cycles,
                                .instructions = thread->state.instructions,
                                .divider = thread->state.divider,
                                .waiting = thread->state.waiting};
  }
}

/* Whether the last cycle left everything but the counters as it found it. */
static bool is_steady(const struct pmuv3_thread *thread, const struct before *before) {
  return thread->values.pulses == 0 && !before->waiting && !thread->state.waiting &&
         memcmp(thread->state.CP, thread->values.CP, sizeof thread->state.CP) == 0;
}

static bool all_steady(const struct pmuv3 *pmu, const struct before before[PMUV3_MAX_THREADS]) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (!is_steady(&pmu->thread[t], &before[t])) return false;
  return true;
}

static bool any_pulse(const struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (pmu->thread[t].values.pulses != 0) return true;
  return false;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* How often `step` can be added before the bit `top` has a carry out; UINT64_MAX if that is more
 * than `most`, which takes no division. */
static uint64_t additions(uint64_t value, uint64_t top, uint64_t step, uint64_t most) {
  const uint64_t room = ~value & (2 * top - 1);
  if (step == 0 || ((step | most) <= UINT32_MAX && step * most <= room)) return UINT64_MAX;
  return room / step;
}

/* With the divider, the counter counts in the cycles in which the divider becomes 0. */
static uint64_t cycles_of_cycle_counter(const struct pmuv3_thread *thread,
                                        const struct before *before) {
  const struct pmuv3_state *state = &thread->state;
  const uint64_t room = additions(state->cycles, thread->cycle_config.top, 1, UINT64_MAX);
  if (thread->cycle_config.divides)
    return state->divider == before->divider ? UINT64_MAX : 64 * room + 63 - state->divider;
  return state->cycles == before->cycles ? UINT64_MAX : room;
}

/* In how many cycles like the last one, up to `most`, no counter of the thread overflows. */
static uint64_t quiet_cycles(const struct pmuv3_thread *thread, const struct before *before,
                             uint64_t most) {
  const uint64_t instructions = thread->state.instructions;
  const uint64_t step = instructions - before->instructions;
  uint64_t quiet = least(most, cycles_of_cycle_counter(thread, before));
  quiet = least(quiet, additions(instructions, UINT64_C(1) << 63, step, quiet));
  for (unsigned i = 0; i < PMUV3_LANES; i++)
    quiet = least(quiet, additions(thread->state.value[i], thread->config.top[i],
                                   thread->values.V[i], quiet));
  return quiet;
}

/* Counts so many further cycles like the last one. None of them overflows. */
static void add(struct pmuv3_thread *thread, uint64_t width, const struct before *before,
                uint64_t cycles) {
  struct pmuv3_state *state = &thread->state;
  for (unsigned i = 0; i < PMUV3_LANES; i++)
    state->value[i] = (state->value[i] + cycles * thread->values.V[i]) & width;
  state->instructions += cycles * (state->instructions - before->instructions);
  if (!thread->cycle_config.divides) {
    state->cycles += cycles * (state->cycles - before->cycles);
  } else if (state->divider != before->divider) {
    state->cycles += cycles / 64 + (state->divider + cycles % 64) / 64;
    state->divider = (uint8_t)((state->divider + cycles) % 64);
  }
}

/* Counts at most so many further cycles like the last one, all without an overflow. Returns how
 * many. */
static uint64_t skip(struct pmuv3 *pmu, const struct before before[PMUV3_MAX_THREADS],
                     uint64_t most) {
  uint64_t quiet = most;
  if (!all_steady(pmu, before)) return 0;
  for (unsigned t = 0; t < pmu->params.threads; t++)
    quiet = quiet_cycles(&pmu->thread[t], &before[t], quiet);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    add(&pmu->thread[t], pmu->identity.width, &before[t], quiet);
  return quiet;
}

/* Runs up to so many cycles, or to the first overflow. Returns how many. */
static uint64_t repeat(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, uint64_t cycles,
                       bool to_overflow) {
  const struct pmuv3_cycle same = pmuv3_cycle_again(cycle);
  struct before before[PMUV3_MAX_THREADS];
  uint64_t done = 0;
  while (done < cycles) {
    note(pmu, before);
    pmuv3_tick(pmu, done == 0 ? cycle : &same);
    done++;
    if (to_overflow && any_pulse(pmu)) break;
    /* The first cycle may have had writes. */
    if (done > 1) done += skip(pmu, before, cycles - done);
  }
  return done;
}

void pmuv3_repeat(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, uint64_t cycles) {
  repeat(pmu, cycle, cycles, false);
}

uint64_t pmuv3_repeat_to_overflow(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle,
                                  uint64_t cycles) {
  return repeat(pmu, cycle, cycles, true);
}

/* ---- Events in all cycles of a run together ---- */

uint64_t pmuv3_rates_cycle(uint64_t done, uint64_t cycles, const struct pmuv3_rate rates[],
                           unsigned num_rates, struct pmuv3_occurrence occurrences[]) {
  uint64_t end = cycles;
  for (unsigned r = 0; r < num_rates; r++) {
    const struct pmuv3_rate *rate = &rates[r];
    const uint64_t more = rate->total % cycles; /* the cycles with one more */
    if (more > done) end = least(end, more);
    occurrences[r] =
        (struct pmuv3_occurrence){.event = rate->event,
                                  .count = (uint8_t)(rate->total / cycles + (more > done)),
                                  .thread = rate->thread,
                                  .origin = rate->origin};
  }
  return end - done;
}

static const char *rate_wrong(const struct pmuv3_rate *rate, uint64_t cycles) {
  if (rate->origin == PMUV3_OTHER)
    return pmuv3_error("event 0x%04X: a run has no other context", rate->event);
  if (cycles == 0 && rate->total > 0)
    return pmuv3_error("event 0x%04X: it cannot occur in 0 cycles", rate->event);
  if (rate->total > 0 && (rate->total - 1) / cycles >= UINT8_MAX)
    return pmuv3_error("event 0x%04X: it cannot occur so often in a cycle", rate->event);
  return NULL;
}

/* The first cycle has the most occurrences. A run of 0 cycles has none, and the rates are checked
 * as those of one cycle. */
const char *pmuv3_rates_wrong(const struct pmuv3_params *params,
                              const struct pmuv3_pe pe[PMUV3_MAX_THREADS], uint64_t cycles,
                              const struct pmuv3_rate rates[], unsigned num_rates) {
  struct pmuv3_occurrence occurrences[PMUV3_MAX_OCCURRENCES];
  const struct pmuv3_cycle first = {.occurrences = occurrences,
                                    .num_occurrences = (uint16_t)num_rates};
  if (num_rates > PMUV3_MAX_OCCURRENCES)
    return pmuv3_error("%u rates; expected at most %u", num_rates, PMUV3_MAX_OCCURRENCES);
  for (unsigned r = 0; r < num_rates; r++) {
    const char *wrong = rate_wrong(&rates[r], cycles);
    if (wrong) return wrong;
  }
  pmuv3_rates_cycle(0, cycles == 0 ? 1 : cycles, rates, num_rates, occurrences);
  return pmuv3_cycle_wrong(params, pe, &first);
}

/* Runs up to so many cycles, or to the first overflow. Returns how many. */
static uint64_t run(struct pmuv3 *pmu, uint64_t cycles, const struct pmuv3_rate rates[],
                    unsigned num_rates, bool to_overflow) {
  struct pmuv3_occurrence occurrences[PMUV3_MAX_OCCURRENCES];
  const struct pmuv3_cycle cycle = {.occurrences = occurrences,
                                    .num_occurrences = (uint16_t)num_rates};
  uint64_t done = 0;
  while (done < cycles) {
    const uint64_t alike = pmuv3_rates_cycle(done, cycles, rates, num_rates, occurrences);
    done += repeat(pmu, &cycle, alike, to_overflow);
    if (to_overflow && any_pulse(pmu)) break;
  }
  return done;
}

const char *pmuv3_run(struct pmuv3 *pmu, uint64_t cycles, const struct pmuv3_rate rates[],
                      unsigned num_rates) {
  const char *wrong = pmuv3_rates_wrong(&pmu->params, pmu->pe, cycles, rates, num_rates);
  if (!wrong) run(pmu, cycles, rates, num_rates, false);
  return wrong;
}

uint64_t pmuv3_next_overflow(const struct pmuv3 *pmu, uint64_t cycles,
                             const struct pmuv3_rate rates[], unsigned num_rates) {
  struct pmuv3 copy = *pmu;
  if (cycles == 0 || pmuv3_rates_wrong(&pmu->params, pmu->pe, cycles, rates, num_rates)) return 0;
  const uint64_t ran = run(&copy, cycles, rates, num_rates, true);
  return any_pulse(&copy) ? ran : 0;
}
