#include "testbench/scoreboard/lockstep.h"

#include <stdlib.h>
#include <string.h>

struct lockstep {
  struct pmuv3_side side;
  struct pmuv3_side *cmodel;
  struct pmuv3_side *rtl;
  uint64_t cycles;
  uint64_t comparisons;
  uint64_t comparisons_per_thread; /* and cycle */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  bool diverged;
  struct pmuv3_divergence divergence;
};

static struct lockstep *lockstep_of(struct pmuv3_side *side) {
  return (struct lockstep *)side;
}

static uint64_t count_comparisons(const struct pmuv3_params *params) {
  uint64_t per_counter = 0;
  uint64_t globals = 0;
#define PMUV3_PROBE_BITS(field, name) per_counter++;
#define PMUV3_PROBE_LANES(field, name) per_counter++;
#define PMUV3_PROBE_COUNTERS(field, name) per_counter++;
#define PMUV3_PROBE_GLOBAL(field, name) globals++;
#include "pmuv3/probe.def"
  return params->counters * per_counter + globals;
}

/* A divergence of a thread, now. */
static void diverge(struct lockstep *self, unsigned thread) {
  self->diverged = true;
  self->divergence.cycle = self->cycles;
  self->divergence.thread = thread;
  memcpy(self->divergence.pe, self->pe, sizeof self->pe);
}

/* Equal bytes are equal values; only a difference is looked at in detail. */
static void compare_thread(struct lockstep *self, unsigned thread) {
  struct pmuv3_probe cmodel, rtl;
  pmuv3_side_probe(self->cmodel, thread, &cmodel);
  pmuv3_side_probe(self->rtl, thread, &rtl);
  self->comparisons += self->comparisons_per_thread;
  if (memcmp(&cmodel, &rtl, sizeof cmodel) == 0) return;
  if (pmuv3_divergence_find(&self->divergence, &cmodel, &rtl)) diverge(self, thread);
}

static void compare(struct lockstep *self) {
  for (unsigned t = 0; t < self->side.params.threads && !self->diverged; t++)
    compare_thread(self, t);
}

static void lockstep_reset(struct pmuv3_side *side) {
  struct lockstep *self = lockstep_of(side);
  pmuv3_side_reset(self->cmodel);
  pmuv3_side_reset(self->rtl);
  compare(self);
}

/* Nothing of a PMU changes before the next cycle. */
static void lockstep_set_pe(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe) {
  struct lockstep *self = lockstep_of(side);
  self->pe[thread] = *pe;
  pmuv3_side_set_pe(self->cmodel, thread, pe);
  pmuv3_side_set_pe(self->rtl, thread, pe);
}

/* Both sides must answer an access alike. It belongs to the cycle that is about to come. */
static void compare_access(struct lockstep *self, unsigned thread, uint16_t reg, uint64_t cmodel,
                           uint64_t rtl) {
  self->comparisons++;
  if (cmodel == rtl || self->diverged) return;
  self->divergence = (struct pmuv3_divergence){.counter = -1, .cmodel = cmodel, .rtl = rtl};
  pmuv3_register_name(reg, self->divergence.signal);
  pmuv3_side_probe(self->cmodel, thread, &self->divergence.cmodel_probe);
  pmuv3_side_probe(self->rtl, thread, &self->divergence.rtl_probe);
  diverge(self, thread);
}

static enum pmuv3_access lockstep_write(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                        uint64_t value) {
  struct lockstep *self = lockstep_of(side);
  enum pmuv3_access cmodel = pmuv3_side_write(self->cmodel, thread, reg, value);
  enum pmuv3_access rtl = pmuv3_side_write(self->rtl, thread, reg, value);
  compare_access(self, thread, reg, cmodel, rtl);
  return cmodel;
}

static enum pmuv3_access lockstep_read(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                       uint64_t *value) {
  struct lockstep *self = lockstep_of(side);
  uint64_t rtl_value;
  enum pmuv3_access cmodel = pmuv3_side_read(self->cmodel, thread, reg, value);
  enum pmuv3_access rtl = pmuv3_side_read(self->rtl, thread, reg, &rtl_value);
  compare_access(self, thread, reg, cmodel, rtl);
  compare_access(self, thread, reg, *value, rtl_value);
  return cmodel;
}

static void lockstep_cycle(struct pmuv3_side *side, const struct pmuv3_cycle *cycle) {
  struct lockstep *self = lockstep_of(side);
  pmuv3_side_cycle(self->cmodel, cycle);
  pmuv3_side_cycle(self->rtl, cycle);
  compare(self);
  self->cycles++;
}

static void lockstep_probe(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe) {
  pmuv3_side_probe(lockstep_of(side)->cmodel, thread, probe);
}

static bool lockstep_irq(struct pmuv3_side *side, unsigned thread) {
  return pmuv3_side_irq(lockstep_of(side)->cmodel, thread);
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
    .cycle = lockstep_cycle,
    .probe = lockstep_probe,
    .irq = lockstep_irq,
    .destroy = lockstep_destroy,
};

struct pmuv3_side *pmuv3_side_lockstep(struct pmuv3_side *cmodel, struct pmuv3_side *rtl) {
  struct lockstep *self = cmodel && rtl ? calloc(1, sizeof *self) : NULL;
  if (!self) {
    pmuv3_side_destroy(cmodel);
    pmuv3_side_destroy(rtl);
    return NULL;
  }
  self->side = (struct pmuv3_side){.ops = &lockstep_ops, .params = cmodel->params};
  self->cmodel = cmodel;
  self->rtl = rtl;
  for (int t = 0; t < PMUV3_MAX_THREADS; t++) self->pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  self->comparisons_per_thread = count_comparisons(&cmodel->params);
  compare(self);
  return &self->side;
}

const struct pmuv3_divergence *pmuv3_lockstep_divergence(const struct pmuv3_side *lockstep) {
  const struct lockstep *self = (const struct lockstep *)lockstep;
  return self->diverged ? &self->divergence : NULL;
}

uint64_t pmuv3_lockstep_comparisons(const struct pmuv3_side *lockstep) {
  return ((const struct lockstep *)lockstep)->comparisons;
}

uint64_t pmuv3_lockstep_cycles(const struct pmuv3_side *lockstep) {
  return ((const struct lockstep *)lockstep)->cycles;
}
