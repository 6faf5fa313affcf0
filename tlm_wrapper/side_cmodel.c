/* The C model as a side. */
#include <stdlib.h>

#include "pmuv3/pmuv3.h"
#include "tlm_wrapper/side.h"

struct cmodel_side {
  struct pmuv3_side side;
  struct pmuv3 pmu;
};

static struct pmuv3 *pmu_of(struct pmuv3_side *side) {
  return &((struct cmodel_side *)side)->pmu;
}

static void cmodel_reset(struct pmuv3_side *side) {
  pmuv3_reset(pmu_of(side));
}

static enum pmuv3_access cmodel_write(struct pmuv3_side *side, uint16_t reg, uint64_t value) {
  return pmuv3_write(pmu_of(side), reg, value);
}

static enum pmuv3_access cmodel_read(struct pmuv3_side *side, uint16_t reg, uint64_t *value) {
  return pmuv3_read(pmu_of(side), reg, value);
}

static void cmodel_cycle(struct pmuv3_side *side, const struct pmuv3_cycle *cycle) {
  pmuv3_tick(pmu_of(side), cycle);
}

static void cmodel_probe(struct pmuv3_side *side, struct pmuv3_probe *probe) {
  pmuv3_probe(pmu_of(side), probe);
}

static bool cmodel_irq(struct pmuv3_side *side) {
  return pmuv3_irq(pmu_of(side));
}

static void cmodel_destroy(struct pmuv3_side *side) {
  free(side);
}

static const struct pmuv3_side_ops cmodel_ops = {
    .name = "cmodel",
    .reset = cmodel_reset,
    .write = cmodel_write,
    .read = cmodel_read,
    .cycle = cmodel_cycle,
    .probe = cmodel_probe,
    .irq = cmodel_irq,
    .destroy = cmodel_destroy,
};

struct pmuv3_side *pmuv3_side_cmodel(const struct pmuv3_params *params) {
  /* struct pmuv3 is aligned for vector registers, and aligned_alloc wants a multiple of that. */
  size_t align = _Alignof(struct cmodel_side);
  struct cmodel_side *self = aligned_alloc(align, (sizeof *self + align - 1) / align * align);
  if (!self) return NULL;
  self->side = (struct pmuv3_side){.ops = &cmodel_ops, .params = *params};
  pmuv3_init(&self->pmu, params);
  return &self->side;
}
