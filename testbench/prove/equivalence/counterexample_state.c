#include "testbench/prove/equivalence/counterexample_file.h"

#include <inttypes.h>
#include <string.h>

/* ---- From a reset to the state: what cycles leave behind ---- */

/* The divider counts cycles, and the cycle counter does not before it has 64. */
static void make_divider(struct file *file, unsigned t, uint8_t divider) {
  if (divider == 0) return;
  file_put_write(file, t, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C));
  file_put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, D));
  file_put_idle(file, divider);
  file_put_write(file, t, PMUV3_PMCR, 0);
  file_put_write(file, t, PMUV3_PMCNTENCLR, PMUV3_MASK(PMCNTENSET, C));
}

/* Where CP is to be 1. */
static uint64_t crossed(const struct pmuv3 *pmu, unsigned t) {
  uint64_t counters = 0;
  for (unsigned n = 0; n < pmu->params.counters; n++)
    counters |= (uint64_t)(pmu->thread[t].state.CP[pmuv3_lane(n)] & 1) << n;
  return counters;
}

/* A cycle in which the counters that are enabled count CPU_CYCLES, which is more than a TH of 0. */
static void make_CP(struct file *file, const struct clock *clock) {
  uint64_t any = 0;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    const uint64_t counters = crossed(&clock->before, t);
    any |= counters;
    if (counters == 0) continue;
    for (unsigned n = 0; n < file->now.params.counters; n++)
      if ((counters >> n & 1) != 0) file_put_write(file, t, PMUV3_PMEVTYPERn(n), 0x0011);
    file_put_write(file, t, PMUV3_PMCNTENSET, counters);
    file_put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
  }
  if (any == 0) return;
  file_put_idle(file, 1);
  for (unsigned t = 0; t < file->now.params.threads; t++) file_set(file, t, PMUV3_PMCR, 0);
  for (unsigned t = 0; t < file->now.params.threads; t++)
    file_set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, 0);
}

/* ---- What was saved ---- */

/* Table D13-10, of all Exception levels. */
enum { PROHIBITED = 2, ALLOWED = 3 };

static void control_captures(struct file *file, unsigned t, uint64_t control) {
  const struct pmuv3_registers *registers = &file->now.thread[t].registers;
  file_set(file, t, PMUV3_MDCR_EL3,
           (registers->mdcr_el3 & ~PMUV3_MASK(MDCR_EL3, PMSSE)) |
               (file->now.params.el3 ? control << PMUV3_MDCR_EL3_PMSSE_LSB : 0));
  file_set(file, t, PMUV3_MDCR_EL2,
           (registers->mdcr_el2 & ~PMUV3_MASK(MDCR_EL2, PMSSE)) |
               (file->now.params.el2 ? control << PMUV3_MDCR_EL2_PMSSE_LSB : 0));
  file_set(file, t, PMUV3_PMECR, control << PMUV3_PMECR_SSE_LSB);
}

static bool is_saved(const struct pmuv3_saved *is, const struct pmuv3_saved *wanted) {
  return memcmp(is, wanted, sizeof *is) == 0;
}

/* A capture, and what it saved: on both sides. */
static void put_capture(struct file *file, unsigned t) {
  const struct pmuv3_params *params = &file->now.params;
  control_captures(file, t, ALLOWED);
  file_put_write(file, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  for (unsigned n = 0; n < params->counters; n++) file_put_expect(file, t, PMUV3_PMEVCNTSVRn(n));
  file_put_expect(file, t, PMUV3_PMCCNTSVR);
  if (pmuv3_has(params, PMUV3_FEATURE_ICNTR)) file_put_expect(file, t, PMUV3_PMICNTSVR);
}

/* Captures what the counters are to have saved; then one that is prohibited says so. After it, a
 * PMU_SNAPSHOT waits. */
static void make_saved(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_thread *is = &file->now.thread[t];
  const uint64_t nc = wanted->registers.pmsscr;
  if (is->registers.pmsscr == nc && is_saved(&is->saved, &wanted->saved) && !wanted->state.captured)
    return;
  for (unsigned n = 0; n < file->now.params.counters; n++)
    file_set(file, t, PMUV3_PMEVCNTRn(n), wanted->saved.value[n]);
  file_set(file, t, PMUV3_PMCCNTR, wanted->saved.cycles);
  file_set(file, t, PMUV3_PMICNTR, wanted->saved.instructions);
  put_capture(file, t);
  if (nc == 0) return;
  control_captures(file, t, PROHIBITED);
  file_put_write(file, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
}

/* A cycle in which no PMU_SNAPSHOT is counted. */
static void drop_captures(struct file *file) {
  bool any = false;
  for (unsigned t = 0; t < file->now.params.threads; t++) any |= file->now.thread[t].state.captured;
  if (any) file_put_idle(file, 1);
}

/* ---- Registers ---- */

static void make_counters(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    file_set(file, t, PMUV3_PMEVTYPERn(n), wanted->registers.evtyper[n]);
    file_set(file, t, PMUV3_PMEVCNTRn(n), wanted->state.value[pmuv3_lane(n)]);
  }
  file_set(file, t, PMUV3_PMCCNTR, wanted->state.cycles);
  file_set(file, t, PMUV3_PMICNTR, wanted->state.instructions);
}

/* In an order in which none changes another one; what enables is last. */
static void make_registers(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_registers *registers = &wanted->registers;
  uint64_t pmicfiltr;
  make_counters(file, t, wanted);
#define PMUV3_HELD(id, member) file_set(file, t, PMUV3_##id, registers->member);
#include "pmuv3/registers.def"
  pmuv3_read(&file->now, t, PMUV3_PMICFILTR, &pmicfiltr);
  file_set(file, t, PMUV3_PMICFILTR,
           registers->pmicfiltr | (pmicfiltr & PMUV3_MASK(PMICFILTR, evtCount)));
  file_set(file, t, PMUV3_PMUACR, registers->pmuacr);
  file_set_bits(file, t, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, registers->overflow);
  file_set_bits(file, t, PMUV3_PMINTENSET, PMUV3_PMINTENCLR, registers->inten);
  file_set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, registers->cnten);
  file_set(file, t, PMUV3_MDCR_EL2, registers->mdcr_el2);
  uint64_t pmcr;
  pmuv3_read(&file->now, t, PMUV3_PMCR, &pmcr);
  file_set(file, t, PMUV3_PMCR, registers->pmcr | (pmcr & PMUV3_MASK(PMCR, N)));
}

static void make_lock(struct file *file, unsigned t, bool locked) {
  if (file->now.thread[t].registers.locked == locked) return;
  file_put_external(file, t, OFFSET_PMLAR, locked ? 0 : 0xC5ACCE55);
}

void state_make_pmccr(struct file *file, unsigned t, uint64_t pmccr) {
  if (file->now.thread[t].registers.pmccr != pmccr) file_put_external(file, t, OFFSET_PMCCR, pmccr);
}

/* ---- The last clocks: software increments, a snapshot, states ---- */

/* Increments are to wait, and can: they are made in the state in which they are counted. */
static bool has_increments(const struct clock *clock, unsigned t) {
  return clock_has_increments(clock, t) && !clock->before.pe[t].halted;
}

static void make_increments(struct file *file, unsigned t, const struct pmuv3_state *wanted) {
  for (unsigned made = 0; made < UINT8_MAX; made++) {
    uint64_t counters = 0;
    for (unsigned n = 0; n < file->now.params.counters; n++)
      counters |= (uint64_t)(wanted->pending[pmuv3_lane(n)] > made) << n;
    if (counters == 0) return;
    file_put_write(file, t, PMUV3_PMSWINC, counters);
  }
}

/* Whether a capture in the last clock leaves the state as it is to be. */
static bool captures_last(const struct clock *clock, unsigned t) {
  struct pmuv3 then = clock->before;
  struct pmuv3_thread *thread = &then.thread[t];
  if (!clock->copying[t]) return false;
  if (!has_increments(clock, t)) then.pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  step_decode(&then);
  thread->registers.pmsscr = PMUV3_MASK(PMSSCR, NC);
  memset(&thread->saved, 0, sizeof thread->saved);
  pmuv3_write(&then, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  return thread->registers.pmsscr == clock->before.thread[t].registers.pmsscr &&
         is_saved(&thread->saved, &clock->before.thread[t].saved);
}

/* The thread whose snapshot is taken in the last clock, that of the access rather than another;
 * none: PMUV3_MAX_THREADS. */
static unsigned last_capture(const struct clock *clock, const struct model_case *which) {
  const unsigned threads = clock->before.params.threads;
  if (which->thread < threads && captures_last(clock, which->thread)) return which->thread;
  for (unsigned t = 0; t < threads; t++)
    if (captures_last(clock, t)) return t;
  return PMUV3_MAX_THREADS;
}

/* PMCCR takes no increments from counters of range R3, but cannot be written behind a Double Lock.
 */
static bool is_pmccr_last(const struct clock *clock, unsigned t) {
  return has_increments(clock, t) && !clock->before.pe[t].dlk;
}

/* A change of state is no clock. */
static void make_last(struct file *file, const struct clock *clock, unsigned capture) {
  const struct pmuv3 *wanted = &clock->before;
  const unsigned threads = wanted->params.threads;
  for (unsigned t = 0; t < threads; t++)
    if (!is_pmccr_last(clock, t)) state_make_pmccr(file, t, wanted->thread[t].registers.pmccr);
  for (unsigned t = 0; t < threads; t++) {
    if (!has_increments(clock, t)) continue;
    file_put_pe(file, t, &wanted->pe[t]);
    make_increments(file, t, &wanted->thread[t].state);
  }
  for (unsigned t = 0; t < threads; t++)
    if (is_pmccr_last(clock, t)) state_make_pmccr(file, t, wanted->thread[t].registers.pmccr);
  if (capture < threads) file_put_write(file, capture, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  for (unsigned t = 0; t < threads; t++) file_put_pe(file, t, &wanted->pe[t]);
}

/* ---- Where it is not that state ---- */

static void compare(struct file *file, unsigned t, const char *name, uint64_t wanted, uint64_t is) {
  if (wanted == is) return;
  file_differs(file, "thread %u: %s is 0x%" PRIx64 ", not 0x%" PRIx64, t, name, is, wanted);
}

static void compare_counter(struct file *file, unsigned t, unsigned n, const char *name,
                            uint64_t wanted, uint64_t is) {
  char text[40];
  snprintf(text, sizeof text, "%s of counter %u", name, n);
  compare(file, t, text, wanted, is);
}

static void compare_registers(struct file *file, unsigned t, const struct pmuv3_registers *wanted,
                              const struct pmuv3_registers *is) {
#define REGISTER(member, id) compare(file, t, #id, wanted->member, is->member);
#include "testbench/prove/equivalence/state_registers.def"
  compare(file, t, "PMSSCR", wanted->pmsscr, is->pmsscr);
  compare(file, t, "PMCCR", wanted->pmccr, is->pmccr);
  compare(file, t, "the Software Lock", wanted->locked, is->locked);
}

static void compare_thread(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_thread *is = &file->now.thread[t];
  compare_registers(file, t, &wanted->registers, &is->registers);
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    const unsigned lane = pmuv3_lane(n);
#define COMPARE(name, place) compare_counter(file, t, n, name, wanted->place, is->place);
    COMPARE("PMEVTYPER", registers.evtyper[n])
    COMPARE("the value", state.value[lane])
    COMPARE("CP", state.CP[lane])
    COMPARE("waiting increments", state.pending[lane])
    COMPARE("the saved value", saved.value[n])
#undef COMPARE
  }
  compare(file, t, "PMCCNTR", wanted->state.cycles, is->state.cycles);
  compare(file, t, "the divider", wanted->state.divider, is->state.divider);
  compare(file, t, "a PMU_SNAPSHOT that waits", wanted->state.captured, is->state.captured);
  compare(file, t, "PMICNTR", wanted->state.instructions, is->state.instructions);
  compare(file, t, "PMCCNTSVR", wanted->saved.cycles, is->saved.cycles);
  compare(file, t, "PMICNTSVR", wanted->saved.instructions, is->saved.instructions);
}

static void compare_state(struct file *file, const struct clock *clock, unsigned capture) {
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    compare_thread(file, t, &clock->before.thread[t]);
    if (clock->copying[t] && (t != capture || clock->inputs.transfer.select))
      file_differs(file, "thread %u: its snapshot was not taken in the clock before", t);
  }
}

void state_make(struct file *file, struct clock *clock, const struct model_case *which) {
  const unsigned threads = clock->before.params.threads;
  const unsigned capture = last_capture(clock, which);
  for (unsigned t = 0; t < threads; t++)
    make_divider(file, t, clock->before.thread[t].state.divider);
  for (unsigned t = 0; t < threads; t++)
    if (t != capture && !clock->before.thread[t].state.captured)
      make_saved(file, t, &clock->before.thread[t]);
  make_CP(file, clock);
  drop_captures(file);
  for (unsigned t = 0; t < threads; t++) {
    const struct pmuv3_thread *wanted = &clock->before.thread[t];
    if (t != capture && wanted->state.captured) make_saved(file, t, wanted);
    make_registers(file, t, wanted);
    make_lock(file, t, wanted->registers.locked);
  }
  make_last(file, clock, capture);
  compare_state(file, clock, capture);
}
