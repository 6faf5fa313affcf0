/* libpmuv3: the public functions, and the order of the stages in a cycle. */
#include "pmuv3/pmuv3.h"

#include <string.h>

#include "internal.h"

const char *pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  const char *wrong = pmuv3_params_wrong(params);
  /* A copy: the parameters may be those in *pmu, which is overwritten. */
  const struct pmuv3_params copy = wrong ? pmuv3_params_default() : *params;
  pmuv3_make(pmu, &copy);
  return wrong;
}

void pmuv3_make(struct pmuv3 *pmu, const struct pmuv3_params *params) {
  memset(pmu, 0, sizeof *pmu);
  pmu->params = *params;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) pmu->pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  pmuv3_registers_identify(pmu);
  pmuv3_registers_cold_reset(pmu);
}

static void reset_counters(struct pmuv3_thread *thread) {
  memset(thread->state.value, 0, sizeof thread->state.value);
  thread->state.cycles = 0;
  thread->state.divider = 0;
  thread->state.instructions = 0;
  memset(&thread->saved, 0, sizeof thread->saved);
}

/* Resets the state that one cycle leaves to the next, except the counters. */
static void reset_cycle(struct pmuv3_thread *thread) {
  memset(thread->state.CP, 0, sizeof thread->state.CP);
  pmuv3_attribution_consume(&thread->state);
  memset(&thread->values, 0, sizeof thread->values);
}

/* With EXTPMN only a Cold reset resets the counters, since an external agent may own counters. */
void pmuv3_reset(struct pmuv3 *pmu) {
  const bool extpmn = pmuv3_has(&pmu->params, PMUV3_FEATURE_EXTPMN);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    reset_cycle(&pmu->thread[t]);
    if (!extpmn) reset_counters(&pmu->thread[t]);
  }
  pmuv3_registers_reset(pmu);
}

void pmuv3_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe) {
  pmuv3_registers_set_pe(pmu, thread, pe);
}

/* Runs the stages from VB to the event counters. Returns the counters that overflowed. */
static uint32_t count_events(const struct pmuv3 *pmu, struct pmuv3_thread *thread,
                             const bool frozen[2]) {
  static const uint16_t no_links[PMUV3_PAIRS] = {0};
  const size_t even = 0, odd = PMUV3_PAIRS;
  const struct pmuv3_config *config = &thread->config;
  struct pmuv3_state *state = &thread->state;
  struct pmuv3_values *values = &thread->values;
  const uint64_t width = pmu->identity.width;
  uint16_t running[PMUV3_LANES];
  pmuv3_filter(config, frozen, running);
  pmuv3_attribution_allow(config, running, values);

  pmuv3_threshold(config, even, no_links, state, values);
  const bool even_carry = pmuv3_counter(config, width, even, state, values);
  if (even_carry)
    pmuv3_overflow_chain(config, pmu->params.k_chain_filter ? running : values->allowed, values);

  pmuv3_threshold(config, odd, &values->V[even], state, values);
  const bool odd_carry = pmuv3_counter(config, width, odd, state, values);
  return even_carry || odd_carry ? pmuv3_overflow(values) : 0;
}

/* Runs one Processor cycle in a thread's PMU. Returns the counters that overflowed. Every freeze
 * follows from the flags at the start of the cycle (CYC-3). */
static uint64_t count(struct pmuv3 *pmu, unsigned t, const struct pmuv3_cycle *cycle,
                      const struct pmuv3_contexts *contexts) {
  struct pmuv3_thread *thread = &pmu->thread[t];
  const uint64_t running = thread->decoded.running;
  const struct pmuv3_pe *pe = &pmu->pe[t];
  const struct pmuv3_freeze freeze_r1 = pmuv3_filter_freeze(thread, pe, PMUV3_R1);
  const struct pmuv3_freeze freeze_r2 = pmuv3_filter_freeze(thread, pe, PMUV3_R2);
  const bool frozen[2] = {pmuv3_is_frozen(freeze_r1), pmuv3_is_frozen(freeze_r2)};
  pmuv3_attribution(pmu, t, cycle, contexts, &thread->values);
  uint64_t overflow = count_events(pmu, thread, frozen);
  if ((running & PMUV3_BIT_C) != 0 &&
      pmuv3_cycle_counter(&thread->cycle_config, pe, freeze_r1, &thread->state))
    overflow |= PMUV3_BIT_C;
  if ((running & PMUV3_BIT_F0) != 0 &&
      pmuv3_instruction_counter(pmu, t, cycle, contexts, frozen[PMUV3_R1], &thread->state))
    overflow |= PMUV3_BIT_F0;
  return overflow;
}

/* Whether a thread writes a System register, and whether the write goes to PMSWINC. */
static bool writes(const struct pmuv3_cycle *cycle, unsigned thread) {
  return pmuv3_bit(cycle->has_write, thread);
}
static bool increments(const struct pmuv3_cycle *cycle, unsigned thread) {
  return writes(cycle, thread) && pmuv3_register_viewed(cycle->write[thread].reg) == PMUV3_PMSWINC;
}

static enum pmuv3_result judge(const struct pmuv3 *pmu, unsigned thread,
                               const struct pmuv3_write *write, struct pmuv3_reach *reach,
                               struct pmuv3_trap *trap) {
  const struct pmuv3_register reg = pmuv3_register_decode(write->reg);
  if (write->checked) return pmuv3_access(pmu, thread, reg, true, reach, trap);
  const bool exists = pmuv3_register_access(pmu, reg, true) == PMUV3_ACCESS_OK;
  *reach = pmuv3_access_highest(pmu, thread);
  return exists ? PMUV3_DONE : PMUV3_UNDEFINED;
}

/* Whether a thread's write takes effect, and the write's reach. Keeps the result for
 * pmuv3_written. */
static bool is_done(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, unsigned thread,
                    struct pmuv3_reach *reach) {
  const struct pmuv3_write *write = &cycle->write[thread];
  struct pmuv3_trap trap = {0};
  const enum pmuv3_result result = judge(pmu, thread, write, reach, &trap);
  pmu->ends.result[thread] = (uint8_t)result;
  if (write->checked) pmu->ends.syndrome[thread] = pmuv3_syndrome(result, trap);
  return result == PMUV3_DONE;
}

/* Increments of this cycle do not wait, so the limit of waiting increments is one higher. */
static void increment(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, unsigned thread) {
  const struct pmuv3_write *write = &cycle->write[thread];
  struct pmuv3_reach reach;
  if (is_done(pmu, cycle, thread, &reach))
    pmuv3_attribution_increment(pmu, thread, (uint32_t)(write->value & reach.counters),
                                PMUV3_MAX_PENDING + 1);
}

static void apply(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, unsigned thread) {
  const struct pmuv3_write *write = &cycle->write[thread];
  struct pmuv3_reach reach;
  if (!increments(cycle, thread) && is_done(pmu, cycle, thread, &reach))
    pmuv3_registers_write(pmu, thread, pmuv3_register_decode(write->reg), write->value, &reach);
}

static void apply_external(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const struct pmuv3_external *write = &cycle->external;
  pmu->ends.external_error = !pmuv3_external_write(
      pmu, write->thread, (enum pmuv3_security_state)write->ss, write->offset, write->value);
}

/* The capture that a request from outside makes of a thread's counters. */
static enum pmuv3_capture requested(const struct pmuv3 *pmu, const struct pmuv3_cycle *cycle,
                                    unsigned thread) {
  return pmuv3_bit(cycle->capture, thread) ? pmuv3_snapshot_judge(pmu, thread)
                                           : PMUV3_CAPTURE_DISABLED;
}

/* Whether the external write waits for a System register write of the same thread. */
static bool external_waits(const struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const unsigned thread = cycle->external.thread;
  return cycle->has_external && thread < pmu->params.threads && writes(cycle, thread);
}

uint64_t pmuv3_pulses(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->thread[thread].values.pulses;
}

bool pmuv3_depends(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->params.threads > 1 && pmu->thread[thread].decoded.mt != 0;
}

struct pmuv3_ends pmuv3_written(const struct pmuv3 *pmu) {
  return pmu->ends;
}

void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle) {
  const unsigned threads = pmu->params.threads;
  pmu->ends = (struct pmuv3_ends){.external_error = cycle->has_external};
  for (unsigned t = 0; t < threads; t++) {
    if (increments(cycle, t)) increment(pmu, cycle, t);
  }
  struct pmuv3_contexts contexts;
  pmuv3_attribution_contexts(pmu, cycle, &contexts);
  for (unsigned t = 0; t < threads; t++)
    pmu->thread[t].values.pulses = count(pmu, t, cycle, &contexts);
  /* A write overrides the counting of the cycle. New overflow flags override the write. */
  for (unsigned t = 0; t < threads; t++) {
    pmuv3_attribution_consume(&pmu->thread[t].state);
    const enum pmuv3_capture capture = requested(pmu, cycle, t);
    if (writes(cycle, t))
      apply(pmu, cycle, t);
    else if (cycle->has_external && cycle->external.thread == t)
      apply_external(pmu, cycle);
    pmu->thread[t].registers.overflow |= pmu->thread[t].values.pulses;
    pmuv3_snapshot_end(pmu, t, capture);
  }
  if (external_waits(pmu, cycle)) apply_external(pmu, cycle);
}

/* Copies lanes to the probe's field of the same name, in the order of the counters. */
#define IN_ORDER(field, from)                                            \
  for (int pair = 0; pair < PMUV3_PAIRS; pair++) {                       \
    probe->field[2 * pair] = thread->from.field[pair];                   \
    probe->field[2 * pair + 1] = thread->from.field[PMUV3_PAIRS + pair]; \
  }
#define AS_MASK(field, from) probe->field = pmuv3_mask(thread->from.field)

/* The event counters' bits of PMCNTEN, PMINTEN and PMOVS; and the bits {F0, C}. */
static uint32_t of_counters(uint64_t bits) {
  return (uint32_t)(bits & PMUV3_MASK(PMCNTENSET, P));
}
static uint64_t of_fixed(uint64_t bits) {
  return bits >> PMUV3_PMCNTENSET_C_LSB;
}

/* What PMUV3_PROBE_GLOBAL and its like show: a value for each row of probe.def, by the field's
 * name. */
static void probe_globals(const struct pmuv3 *restrict pmu, unsigned t,
                          const struct pmuv3_reach *reach, struct pmuv3_probe *restrict probe) {
  const struct pmuv3_thread *thread = &pmu->thread[t];
  const struct pmuv3_registers *registers = &thread->registers;
  const bool icntr = pmuv3_has(&pmu->params, PMUV3_FEATURE_ICNTR);
  const bool ss = pmuv3_has(&pmu->params, PMUV3_FEATURE_SS);
#define PMUV3_HELD(id, member) const uint64_t member = registers->member;
#include "pmuv3/registers.def"
  const uint64_t pmcr = pmuv3_registers_value(pmu, t, PMUV3_PMCR, 0, reach);
  const uint64_t mdcr_el2 = pmuv3_registers_value(pmu, t, PMUV3_MDCR_EL2, 0, reach);
  const uint64_t pmicfiltr = icntr ? pmuv3_registers_value(pmu, t, PMUV3_PMICFILTR, 0, reach) : 0;
  const uint64_t pmccntr = thread->state.cycles;
  const uint64_t pmicntr = thread->state.instructions;
  const uint64_t fixed_overflow = of_fixed(registers->overflow);
  const uint64_t fixed_cnten = of_fixed(registers->cnten);
  const uint64_t fixed_inten = of_fixed(registers->inten);
  const uint64_t pmmir = pmu->identity.pmmir;
  const uint64_t pmceid0 = pmu->identity.pmceid[0];
  const uint64_t pmceid1 = pmu->identity.pmceid[1];
  const struct pmuv3_outputs outputs = pmuv3_outputs(pmu, t);
#define PMUV3_PROBE_OUTPUT(field, name, owner) const uint64_t field = outputs.field;
#include "pmuv3/probe.def"
  const uint64_t pmuacr = registers->pmuacr;
  const uint64_t pmsscr = registers->pmsscr;
  const uint64_t pmccr = registers->pmccr;
  const uint64_t pmlsr = pmuv3_pmlsr(&pmu->params, registers->locked);
  const uint64_t pmccntsvr = ss ? thread->saved.cycles : 0;
  const uint64_t pmicntsvr = ss ? thread->saved.instructions : 0;
#define PMUV3_PROBE_GLOBAL(field, name, owner) probe->field = field;
#include "pmuv3/probe.def"
}

PMUV3_STEP
void pmuv3_probe(const struct pmuv3 *restrict pmu, unsigned t, struct pmuv3_probe *restrict probe) {
  const struct pmuv3_thread *thread = &pmu->thread[t];
  const struct pmuv3_registers *registers = &thread->registers;
  const struct pmuv3_reach reach = {.n = thread->decoded.epmn}; /* for PMCR_EL0.N alone */
  memset(probe, 0, sizeof *probe);
  AS_MASK(allowed, values);
  IN_ORDER(VB, values);
  AS_MASK(CT, values);
  AS_MASK(CP, values);
  AS_MASK(CE, values);
  IN_ORDER(VT, values);
  IN_ORDER(VE, values);
  IN_ORDER(V, values);
  IN_ORDER(value, state);
  probe->overflow = of_counters(registers->overflow);
  memcpy(probe->evtyper, registers->evtyper, sizeof probe->evtyper);
  probe->cnten = of_counters(registers->cnten);
  probe->inten = of_counters(registers->inten);
  if (pmuv3_has(&pmu->params, PMUV3_FEATURE_SS))
    memcpy(probe->svr, thread->saved.value, sizeof probe->svr);
  probe_globals(pmu, t, &reach, probe);
}
