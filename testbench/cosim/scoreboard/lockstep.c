#include "testbench/cosim/scoreboard/lockstep.h"

#include <stdlib.h>
#include <string.h>

/* What is compared: nothing, the outputs, which change with a state and a write, too, or all. */
enum values { NOTHING, OUTPUTS, ALL };

struct lockstep {
  struct pmuv3_side side;
  struct pmuv3_side *cmodel;
  struct pmuv3_side *rtl;
  uint64_t cycles;
  uint64_t comparisons;
  uint64_t comparisons_per_thread; /* in each cycle */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  const char *wrong; /* the error of the first wrong cycle */
  bool diverged;
  struct pmuv3_divergence divergence;
  struct pmuv3_probe probes[PMUV3_MAX_THREADS]; /* of the C model, after the last input */
  struct pmuv3_probe before[PMUV3_MAX_THREADS]; /* of an RTL that postpones (pmuv3_side_keep) */
  enum values due;                              /* to compare when the RTL has caught up */
  uint64_t due_cycle;
  struct pmuv3_observer *observer; /* or NULL */
  struct pmuv3_event_rows rows;    /* of params.events */
};

static struct lockstep *lockstep_of(struct pmuv3_side *side) {
  return (struct lockstep *)side;
}

static uint64_t count_comparisons(const struct pmuv3_params *params) {
  uint64_t per_counter = 0;
  uint64_t globals = 0;
#define PMUV3_PROBE_BITS(field, name, owner) per_counter++;
#define PMUV3_PROBE_LANES(field, name, owner) per_counter++;
#define PMUV3_PROBE_COUNTERS(field, name, owner) per_counter++;
#define PMUV3_PROBE_GLOBAL(field, name, owner) globals++;
#include "pmuv3/probe.def"
  return params->counters * per_counter + globals;
}

/* Notes a divergence of a thread at a cycle. */
static void diverge(struct lockstep *self, uint64_t cycle, unsigned thread) {
  self->diverged = true;
  self->divergence.cycle = cycle;
  self->divergence.thread = thread;
  memcpy(self->divergence.pe, self->pe, sizeof self->pe);
}

/* Makes a divergence of a signal that belongs to no counter. */
static void diverge_in(struct lockstep *self, uint64_t cycle, unsigned thread, const char *signal,
                       uint64_t cmodel, uint64_t rtl) {
  self->divergence.counter = -1;
  self->divergence.cmodel = cmodel;
  self->divergence.rtl = rtl;
  snprintf(self->divergence.signal, sizeof self->divergence.signal, "%s", signal);
  diverge(self, cycle, thread);
}

/* ---- Probes. An RTL that postpones is compared when it has caught up, with the next input ---- */

/* Equal bytes are equal values, so only different probes are searched. */
static void compare_all(struct lockstep *self, unsigned thread, const struct pmuv3_probe *rtl) {
  const struct pmuv3_probe *cmodel = &self->probes[thread];
  self->comparisons += self->comparisons_per_thread;
  if (memcmp(cmodel, rtl, sizeof *rtl) == 0) return;
  if (pmuv3_divergence_find(&self->divergence, cmodel, rtl)) diverge(self, self->due_cycle, thread);
}

static void compare_outputs(struct lockstep *self, unsigned thread, const struct pmuv3_probe *rtl) {
  const struct pmuv3_probe *cmodel = &self->probes[thread];
#define PMUV3_PROBE_OUTPUT(field, name, owner)        \
  self->comparisons++;                                \
  if (cmodel->field != rtl->field && !self->diverged) \
    diverge_in(self, self->due_cycle, thread, name, cmodel->field, rtl->field);
#include "pmuv3/probe.def"
  if (!self->diverged) return;
  self->divergence.cmodel_probe = *cmodel;
  self->divergence.rtl_probe = *rtl;
}

/* Makes the comparison that is due, with the RTL's probes. */
static void meet(struct lockstep *self) {
  const enum values due = self->due;
  self->due = NOTHING;
  for (unsigned t = 0; due != NOTHING && t < self->side.params.threads && !self->diverged; t++)
    (due == ALL ? compare_all : compare_outputs)(self, t, &self->before[t]);
}

/* The same, without a next input. */
static void settle(struct lockstep *self) {
  for (unsigned t = 0; self->due != NOTHING && t < self->side.params.threads; t++)
    pmuv3_side_probe(self->rtl, t, &self->before[t]);
  meet(self);
}

static void compare(struct lockstep *self, enum values values) {
  for (unsigned t = 0; t < self->side.params.threads; t++)
    pmuv3_side_probe(self->cmodel, t, &self->probes[t]);
  self->due = self->diverged ? NOTHING : values;
  self->due_cycle = self->cycles;
  if (!pmuv3_side_postpones(self->rtl)) settle(self);
}

/* Whether there is an observer, and the sides have not diverged. */
static bool is_observed(const struct lockstep *self) {
  return self->observer && !self->diverged;
}

static void lockstep_reset(struct pmuv3_side *side) {
  struct lockstep *self = lockstep_of(side);
  settle(self);
  pmuv3_side_reset(self->cmodel);
  pmuv3_side_reset(self->rtl);
  compare(self, ALL);
  settle(self);
  if (is_observed(self)) self->observer->reset(self->observer, self->probes);
}

static void lockstep_cold_reset(struct pmuv3_side *side) {
  struct lockstep *self = lockstep_of(side);
  settle(self);
  pmuv3_side_cold_reset(self->cmodel);
  pmuv3_side_cold_reset(self->rtl);
  compare(self, ALL);
  settle(self);
}

/* ---- Answers: both sides must give the same. They belong to the cycle that is about to come ----
 */

/* Counts a comparison. Returns whether it is the first difference: what is due comes first. */
static bool differs(struct lockstep *self, uint64_t cmodel, uint64_t rtl) {
  if (self->diverged) return false;
  self->comparisons++;
  if (cmodel == rtl) return false;
  settle(self);
  return !self->diverged;
}

static void diverge_now(struct lockstep *self, unsigned thread, const char *signal, uint64_t cmodel,
                        uint64_t rtl) {
  pmuv3_side_probe(self->cmodel, thread, &self->divergence.cmodel_probe);
  pmuv3_side_probe(self->rtl, thread, &self->divergence.rtl_probe);
  diverge_in(self, self->cycles, thread, signal, cmodel, rtl);
}

/* ---- Outputs. A comparison that is due has them, and the RTL need not catch up ---- */
static struct pmuv3_outputs lockstep_outputs(struct pmuv3_side *side, unsigned thread) {
  struct lockstep *self = lockstep_of(side);
  const struct pmuv3_outputs cmodel = pmuv3_side_outputs(self->cmodel, thread);
  const bool is_due = self->due != NOTHING;
  const struct pmuv3_outputs rtl = is_due ? cmodel : pmuv3_side_outputs(self->rtl, thread);
#define PMUV3_PROBE_OUTPUT(field, name, owner) \
  if (differs(self, cmodel.field, rtl.field))  \
    diverge_now(self, thread, name, cmodel.field, rtl.field);
#include "pmuv3/probe.def"
  return cmodel;
}

static void lockstep_set_pe(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe) {
  struct lockstep *self = lockstep_of(side);
  settle(self);
  self->pe[thread] = *pe;
  pmuv3_side_set_pe(self->cmodel, thread, pe);
  pmuv3_side_set_pe(self->rtl, thread, pe);
  compare(self, OUTPUTS);
  if (is_observed(self)) self->observer->set_pe(self->observer, thread, pe);
}

/* ---- Accesses ---- */

/* A divergence of an answer has the register's name, with `before` in front. */
static void compare_access(struct lockstep *self, unsigned thread, const char *before, uint16_t reg,
                           uint64_t cmodel, uint64_t rtl) {
  if (!differs(self, cmodel, rtl)) return;
  char name[24], signal[sizeof self->divergence.signal];
  snprintf(signal, sizeof signal, "%s%s", before, pmuv3_register_name(reg, name));
  diverge_now(self, thread, signal, cmodel, rtl);
}

static void compare_external(struct lockstep *self, unsigned thread, const char *before,
                             uint16_t offset, uint64_t cmodel, uint64_t rtl) {
  if (!differs(self, cmodel, rtl)) return;
  char signal[sizeof self->divergence.signal];
  snprintf(signal, sizeof signal, "%s0x%03x", before, (unsigned)offset);
  diverge_now(self, thread, signal, cmodel, rtl);
}

static void observe_access(struct lockstep *self, const struct pmuv3_observed *access) {
  if (!is_observed(self)) return;
  const struct pmuv3_probe *probe = access->writes ? &self->probes[access->thread] : NULL;
  self->observer->access(self->observer, access, probe);
}

static enum pmuv3_access lockstep_write(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                        uint64_t value) {
  struct lockstep *self = lockstep_of(side);
  enum pmuv3_access cmodel = pmuv3_side_write(self->cmodel, thread, reg, value);
  enum pmuv3_access rtl = pmuv3_side_write(self->rtl, thread, reg, value);
  meet(self);
  compare_access(self, thread, "result of write ", reg, cmodel, rtl);
  compare(self, OUTPUTS);
  observe_access(
      self, &(struct pmuv3_observed){
                .thread = thread, .writes = true, .reg = reg, .value = value, .result = cmodel});
  return cmodel;
}

static enum pmuv3_access lockstep_read(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                       uint64_t *value) {
  struct lockstep *self = lockstep_of(side);
  uint64_t rtl_value;
  enum pmuv3_access cmodel = pmuv3_side_read(self->cmodel, thread, reg, value);
  enum pmuv3_access rtl = pmuv3_side_read(self->rtl, thread, reg, &rtl_value);
  meet(self);
  compare_access(self, thread, "result of read ", reg, cmodel, rtl);
  compare_access(self, thread, "", reg, *value, rtl_value);
  observe_access(self, &(struct pmuv3_observed){
                           .thread = thread, .reg = reg, .value = *value, .result = cmodel});
  return cmodel;
}

/* Compares the syndromes of the last checked access, and gives the syndrome. */
static uint32_t compare_syndrome(struct lockstep *self, unsigned thread, const char *before,
                                 uint16_t reg) {
  const uint32_t cmodel = pmuv3_side_syndrome(self->cmodel, thread);
  compare_access(self, thread, before, reg, cmodel, pmuv3_side_syndrome(self->rtl, thread));
  return cmodel;
}

static enum pmuv3_result lockstep_msr(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                      uint64_t value) {
  struct lockstep *self = lockstep_of(side);
  enum pmuv3_result cmodel = pmuv3_side_msr(self->cmodel, thread, reg, value);
  enum pmuv3_result rtl = pmuv3_side_msr(self->rtl, thread, reg, value);
  meet(self);
  compare_access(self, thread, "result of msr ", reg, cmodel, rtl);
  const uint32_t syndrome = compare_syndrome(self, thread, "syndrome of msr ", reg);
  compare(self, OUTPUTS);
  observe_access(self, &(struct pmuv3_observed){.thread = thread,
                                                .writes = true,
                                                .checked = true,
                                                .reg = reg,
                                                .value = value,
                                                .result = cmodel,
                                                .syndrome = syndrome});
  return cmodel;
}

static enum pmuv3_result lockstep_mrs(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                      uint64_t *value) {
  struct lockstep *self = lockstep_of(side);
  uint64_t rtl_value;
  enum pmuv3_result cmodel = pmuv3_side_mrs(self->cmodel, thread, reg, value);
  enum pmuv3_result rtl = pmuv3_side_mrs(self->rtl, thread, reg, &rtl_value);
  meet(self);
  compare_access(self, thread, "result of mrs ", reg, cmodel, rtl);
  const uint32_t syndrome = compare_syndrome(self, thread, "syndrome of mrs ", reg);
  compare_access(self, thread, "mrs ", reg, *value, rtl_value);
  observe_access(self, &(struct pmuv3_observed){.thread = thread,
                                                .checked = true,
                                                .reg = reg,
                                                .value = *value,
                                                .result = cmodel,
                                                .syndrome = syndrome});
  return cmodel;
}

static uint32_t lockstep_syndrome(struct pmuv3_side *side, unsigned thread) {
  return pmuv3_side_syndrome(lockstep_of(side)->cmodel, thread);
}

static bool lockstep_external_write(struct pmuv3_side *side, unsigned thread,
                                    enum pmuv3_security_state ss, uint16_t offset, uint32_t value) {
  struct lockstep *self = lockstep_of(side);
  bool cmodel = pmuv3_side_external_write(self->cmodel, thread, ss, offset, value);
  bool rtl = pmuv3_side_external_write(self->rtl, thread, ss, offset, value);
  meet(self);
  compare_external(self, thread, "result of extw ", offset, cmodel, rtl);
  compare(self, OUTPUTS);
  observe_access(self, &(struct pmuv3_observed){.thread = thread,
                                                .writes = true,
                                                .external = true,
                                                .ss = (uint8_t)ss,
                                                .offset = offset,
                                                .value = value,
                                                .result = cmodel});
  return cmodel;
}

static bool lockstep_external_read(struct pmuv3_side *side, unsigned thread,
                                   enum pmuv3_security_state ss, uint16_t offset, uint32_t *value) {
  struct lockstep *self = lockstep_of(side);
  uint32_t rtl_value;
  bool cmodel = pmuv3_side_external_read(self->cmodel, thread, ss, offset, value);
  bool rtl = pmuv3_side_external_read(self->rtl, thread, ss, offset, &rtl_value);
  meet(self);
  compare_external(self, thread, "result of extr ", offset, cmodel, rtl);
  compare_external(self, thread, "extr ", offset, *value, rtl_value);
  observe_access(self, &(struct pmuv3_observed){.thread = thread,
                                                .external = true,
                                                .ss = (uint8_t)ss,
                                                .offset = offset,
                                                .value = *value,
                                                .result = cmodel});
  return cmodel;
}

/* ---- The rest of the side ---- */

/* Compares the results of the writes in the clock of the cycle. */
static void compare_ends(struct lockstep *self, const struct pmuv3_cycle *cycle) {
  if (!cycle->has_write && !cycle->has_external) return;
  const struct pmuv3_ends cmodel = pmuv3_side_written(self->cmodel);
  const struct pmuv3_ends rtl = pmuv3_side_written(self->rtl);
  for (unsigned t = 0; t < self->side.params.threads; t++)
    if (cycle->has_write >> t & 1) {
      compare_access(self, t, cycle->write[t].checked ? "result of msr " : "result of write ",
                     cycle->write[t].reg, cmodel.result[t], rtl.result[t]);
      compare_access(self, t, "syndrome of msr ", cycle->write[t].reg, cmodel.syndrome[t],
                     rtl.syndrome[t]);
    }
  if (cycle->has_external)
    compare_external(self, cycle->external.thread, "result of extw ", cycle->external.offset,
                     cmodel.external_error, rtl.external_error);
}

static struct pmuv3_ends lockstep_written(struct pmuv3_side *side) {
  return pmuv3_side_written(lockstep_of(side)->cmodel);
}

static void lockstep_cycle(struct pmuv3_side *side, const struct pmuv3_cycle *cycle) {
  struct lockstep *self = lockstep_of(side);
  const char *wrong = pmuv3_cycle_wrong_by_rows(&side->params, &self->rows, self->pe, cycle);
  if (!self->wrong) self->wrong = wrong;
  if (wrong) return;
  pmuv3_side_cycle(self->cmodel, cycle);
  pmuv3_side_cycle(self->rtl, cycle);
  meet(self);
  const bool is_compared = !self->diverged;
  compare(self, ALL);
  compare_ends(self, cycle);
  self->cycles += is_compared;
  if (is_observed(self)) self->observer->cycle(self->observer, cycle, self->probes);
}

static void lockstep_probe(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe) {
  pmuv3_side_probe(lockstep_of(side)->cmodel, thread, probe);
}

/* Cycles are made and compared one by one; the C model alone can look ahead. */
static uint64_t lockstep_next_overflow(struct pmuv3_side *side, uint64_t cycles,
                                       const struct pmuv3_rate rates[], unsigned num_rates) {
  return pmuv3_side_next_overflow(lockstep_of(side)->cmodel, cycles, rates, num_rates);
}

static void lockstep_destroy(struct pmuv3_side *side) {
  pmuv3_side_destroy(lockstep_of(side)->cmodel);
  pmuv3_side_destroy(lockstep_of(side)->rtl);
  free(side);
}

static const struct pmuv3_side_ops lockstep_ops = {
    .name = "both",
    .reset = lockstep_reset,
    .set_pe = lockstep_set_pe,
    .write = lockstep_write,
    .read = lockstep_read,
    .msr = lockstep_msr,
    .mrs = lockstep_mrs,
    .syndrome = lockstep_syndrome,
    .external_write = lockstep_external_write,
    .external_read = lockstep_external_read,
    .cycle = lockstep_cycle,
    .written = lockstep_written,
    .probe = lockstep_probe,
    .outputs = lockstep_outputs,
    .destroy = lockstep_destroy,
    .next_overflow = lockstep_next_overflow,
    .cold_reset = lockstep_cold_reset,
};

struct pmuv3_side *pmuv3_side_lockstep(struct pmuv3_side *cmodel, struct pmuv3_side *rtl) {
  const bool fit =
      cmodel && rtl && pmuv3_params_digest(&cmodel->params) == pmuv3_params_digest(&rtl->params);
  struct lockstep *self = fit ? calloc(1, sizeof *self) : NULL;
  if (!self) {
    pmuv3_side_destroy(cmodel);
    pmuv3_side_destroy(rtl);
    return NULL;
  }
  self->side = (struct pmuv3_side){.ops = &lockstep_ops, .params = cmodel->params};
  self->cmodel = cmodel;
  self->rtl = rtl;
  for (int t = 0; t < PMUV3_MAX_THREADS; t++) self->pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  pmuv3_events_rows(&self->side.params.events, &self->rows);
  self->comparisons_per_thread = count_comparisons(&cmodel->params);
  if (pmuv3_side_postpones(rtl)) pmuv3_side_keep(rtl, self->before);
  compare(self, ALL);
  settle(self);
  return &self->side;
}

const struct pmuv3_divergence *pmuv3_lockstep_divergence(struct pmuv3_side *lockstep) {
  settle(lockstep_of(lockstep));
  return pmuv3_lockstep_noticed(lockstep);
}

const struct pmuv3_divergence *pmuv3_lockstep_noticed(const struct pmuv3_side *lockstep) {
  const struct lockstep *self = (const struct lockstep *)lockstep;
  return self->diverged ? &self->divergence : NULL;
}

const char *pmuv3_lockstep_wrong(const struct pmuv3_side *lockstep) {
  return ((const struct lockstep *)lockstep)->wrong;
}

uint64_t pmuv3_lockstep_comparisons(struct pmuv3_side *lockstep) {
  settle(lockstep_of(lockstep));
  return lockstep_of(lockstep)->comparisons;
}

uint64_t pmuv3_lockstep_cycles(const struct pmuv3_side *lockstep) {
  return ((const struct lockstep *)lockstep)->cycles;
}

void pmuv3_lockstep_set_observer(struct pmuv3_side *lockstep, struct pmuv3_observer *observer) {
  struct lockstep *self = lockstep_of(lockstep);
  self->observer = observer;
  if (!observer) return;
  for (unsigned t = 0; t < self->side.params.threads; t++)
    pmuv3_side_probe(self->cmodel, t, &self->probes[t]);
  observer->start(observer, self->pe, self->probes);
}
