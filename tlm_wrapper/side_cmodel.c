/* The C model as a side. */
#include <stdlib.h>
#include <string.h>

#include "pmuv3/pmuv3.h"
#include "tlm_wrapper/side.h"

struct cmodel_side {
  struct pmuv3_side side;
  struct pmuv3 pmu;
  uint32_t syndrome[PMUV3_MAX_THREADS]; /* of each thread's last checked access */
};

static struct pmuv3 *pmu_of(struct pmuv3_side *side) {
  return &((struct cmodel_side *)side)->pmu;
}

static void cmodel_reset(struct pmuv3_side *side) {
  pmuv3_reset(pmu_of(side));
}

static void cmodel_set_pe(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe) {
  pmuv3_set_pe(pmu_of(side), thread, pe);
}

static enum pmuv3_access cmodel_write(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                      uint64_t value) {
  return pmuv3_write(pmu_of(side), thread, reg, value);
}

static enum pmuv3_access cmodel_read(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                     uint64_t *value) {
  return pmuv3_read(pmu_of(side), thread, reg, value);
}

/* An access that is not done has changed nothing, so it still ends as it did. */
static enum pmuv3_result note_syndrome(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                       bool writes, enum pmuv3_result result) {
  struct pmuv3_trap trap = {0};
  if (result != PMUV3_DONE) pmuv3_trap_of(pmu_of(side), thread, reg, writes, &trap);
  ((struct cmodel_side *)side)->syndrome[thread] = pmuv3_syndrome(result, trap);
  return result;
}

static enum pmuv3_result cmodel_msr(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                    uint64_t value) {
  return note_syndrome(side, thread, reg, true, pmuv3_msr(pmu_of(side), thread, reg, value));
}

static enum pmuv3_result cmodel_mrs(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                                    uint64_t *value) {
  return note_syndrome(side, thread, reg, false, pmuv3_mrs(pmu_of(side), thread, reg, value));
}

static uint32_t cmodel_syndrome(struct pmuv3_side *side, unsigned thread) {
  return ((struct cmodel_side *)side)->syndrome[thread];
}

static bool cmodel_external_write(struct pmuv3_side *side, unsigned thread,
                                  enum pmuv3_security_state ss, uint16_t offset, uint32_t value) {
  return pmuv3_external_write(pmu_of(side), thread, ss, offset, value);
}

static bool cmodel_external_read(struct pmuv3_side *side, unsigned thread,
                                 enum pmuv3_security_state ss, uint16_t offset, uint32_t *value) {
  return pmuv3_external_read(pmu_of(side), thread, ss, offset, value);
}

static void cmodel_cycle(struct pmuv3_side *side, const struct pmuv3_cycle *cycle) {
  pmuv3_tick(pmu_of(side), cycle);
}

static struct pmuv3_ends cmodel_written(struct pmuv3_side *side) {
  return pmuv3_written(pmu_of(side));
}

static void cmodel_probe(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe) {
  pmuv3_probe(pmu_of(side), thread, probe);
}

static struct pmuv3_outputs cmodel_outputs(struct pmuv3_side *side, unsigned thread) {
  return pmuv3_outputs(pmu_of(side), thread);
}

static void cmodel_repeat(struct pmuv3_side *side, const struct pmuv3_cycle *cycle,
                          uint64_t cycles) {
  pmuv3_repeat(pmu_of(side), cycle, cycles);
}

static uint64_t cmodel_repeat_to_overflow(struct pmuv3_side *side, const struct pmuv3_cycle *cycle,
                                          uint64_t cycles) {
  return pmuv3_repeat_to_overflow(pmu_of(side), cycle, cycles);
}

static uint64_t cmodel_next_overflow(struct pmuv3_side *side, uint64_t cycles,
                                     const struct pmuv3_rate rates[], unsigned num_rates) {
  return pmuv3_next_overflow(pmu_of(side), cycles, rates, num_rates);
}

/* struct pmuv3 is aligned for vector registers, and aligned_alloc wants a multiple of that. */
static struct cmodel_side *allocate(void) {
  const size_t align = _Alignof(struct cmodel_side);
  return aligned_alloc(align, (sizeof(struct cmodel_side) + align - 1) / align * align);
}

static struct pmuv3_side *cmodel_clone(const struct pmuv3_side *side) {
  struct cmodel_side *self = allocate();
  if (!self) return NULL;
  *self = *(const struct cmodel_side *)side;
  return &self->side;
}

static bool cmodel_depends(const struct pmuv3_side *side, unsigned thread) {
  return pmuv3_depends(&((const struct cmodel_side *)side)->pmu, thread);
}

static void cmodel_cold_reset(struct pmuv3_side *side) {
  struct pmuv3 *pmu = pmu_of(side);
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  memcpy(pe, pmu->pe, sizeof pe);
  pmuv3_init(pmu, &pmu->params);
  for (unsigned t = 0; t < pmu->params.threads; t++) pmuv3_set_pe(pmu, t, &pe[t]);
}

/* The model's bytes come after the syndromes. */
static size_t cmodel_save(const struct pmuv3_side *side, void *buffer, size_t size) {
  const struct cmodel_side *self = (const struct cmodel_side *)side;
  const size_t before = sizeof self->syndrome;
  const size_t needed = before + pmuv3_save(&self->pmu, NULL, 0);
  if (size < needed) return needed;
  memcpy(buffer, self->syndrome, before);
  pmuv3_save(&self->pmu, (char *)buffer + before, size - before);
  return needed;
}

static const char *cmodel_restore(struct pmuv3_side *side, const void *buffer, size_t size) {
  struct cmodel_side *self = (struct cmodel_side *)side;
  const size_t before = sizeof self->syndrome;
  if (size < before) return pmuv3_restore(&self->pmu, buffer, 0);
  const char *wrong = pmuv3_restore(&self->pmu, (const char *)buffer + before, size - before);
  if (!wrong) memcpy(self->syndrome, buffer, before);
  return wrong;
}

static void cmodel_destroy(struct pmuv3_side *side) {
  free(side);
}

static const struct pmuv3_side_ops cmodel_ops = {
    .name = "cmodel",
    .reset = cmodel_reset,
    .set_pe = cmodel_set_pe,
    .write = cmodel_write,
    .read = cmodel_read,
    .msr = cmodel_msr,
    .mrs = cmodel_mrs,
    .syndrome = cmodel_syndrome,
    .external_write = cmodel_external_write,
    .external_read = cmodel_external_read,
    .cycle = cmodel_cycle,
    .written = cmodel_written,
    .probe = cmodel_probe,
    .outputs = cmodel_outputs,
    .destroy = cmodel_destroy,
    .repeat = cmodel_repeat,
    .next_overflow = cmodel_next_overflow,
    .clone = cmodel_clone,
    .depends = cmodel_depends,
    .repeat_to_overflow = cmodel_repeat_to_overflow,
    .save = cmodel_save,
    .restore = cmodel_restore,
    .cold_reset = cmodel_cold_reset,
};

struct pmuv3_side *pmuv3_side_cmodel(const struct pmuv3_params *params) {
  if (pmuv3_params_wrong(params)) return NULL;
  struct cmodel_side *self = allocate();
  if (!self) return NULL;
  self->side = (struct pmuv3_side){.ops = &cmodel_ops, .params = *params};
  pmuv3_init(&self->pmu, params);
  memset(self->syndrome, 0, sizeof self->syndrome);
  return &self->side;
}
