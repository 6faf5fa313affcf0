/* Registers: what they show that follows from the parameters alone. */
#include "internal.h"

static uint64_t pmmir(const struct pmuv3_params *params) {
  const unsigned edge = pmuv3_has(params, PMUV3_FEATURE_TH2)    ? 2
                        : pmuv3_has(params, PMUV3_FEATURE_EDGE) ? 1
                                                                : 0;
  const unsigned th_width = pmuv3_has(params, PMUV3_FEATURE_TH) ? params->th_width : 0;
  if (!pmuv3_has(params, PMUV3_FEATURE_PMUv3p4)) return 0;
  return PMUV3_PUT(pmuv3_has(params, PMUV3_FEATURE_SME), PMMIR, SME) |
         PMUV3_PUT(edge, PMMIR, EDGE) | PMUV3_PUT(th_width, PMMIR, THWIDTH) |
         PMUV3_PUT(params->bus_width, PMMIR, BUS_WIDTH) |
         PMUV3_PUT(params->bus_slots, PMMIR, BUS_SLOTS) | PMUV3_PUT(params->slots, PMMIR, SLOTS);
}

/* IMP is RAZ with PMUv3p7. IDCODE is RES0 where IMP is 0. */
static uint64_t pmcr_identity(const struct pmuv3_params *params) {
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p7) || params->imp == 0) return 0;
  return PMUV3_PUT(params->imp, PMCR, IMP) | PMUV3_PUT(params->idcode, PMCR, IDCODE);
}

/* PMCEID<i>_EL0: the events from 0x20 * i in [31:0], those from 0x4000 + 0x20 * i in [63:32]. */
static uint64_t pmceid(const struct pmuv3_params *params, unsigned i) {
  uint64_t id = 0;
  for (unsigned e = 0; e < params->events.num; e++) {
    const struct pmuv3_event *event = &params->events.event[e];
    const unsigned number = event->number;
    const unsigned offset = number % 0x4000 - 0x20 * i;
    if (number < 0x8000 && offset < 0x20 && pmuv3_event_fits(params, event))
      id |= UINT64_C(1) << (offset + (number >= 0x4000 ? 32 : 0));
  }
  return id;
}

static uint16_t contexts(const struct pmuv3_params *params) {
  uint16_t map = 0;
  for (unsigned el = 0; el <= 3; el++)
    for (unsigned ss = PMUV3_NS; ss <= PMUV3_RT; ss++)
      if (!pmuv3_context_wrong(params, el, ss)) map |= (uint16_t)PMUV3_CONTEXT(el, ss);
  return map;
}

void pmuv3_registers_identify(struct pmuv3 *pmu) {
  const bool wide = pmuv3_has(&pmu->params, PMUV3_FEATURE_PMUv3p5) && pmu->params.aa64;
  pmu->identity.pmcr = pmcr_identity(&pmu->params);
  pmu->identity.pmmir = pmmir(&pmu->params);
  pmu->identity.width = wide ? UINT64_MAX : UINT32_MAX;
  for (unsigned i = 0; i < 2; i++) pmu->identity.pmceid[i] = pmceid(&pmu->params, i);
  pmu->identity.contexts = contexts(&pmu->params);
  pmuv3_register_identify(&pmu->params, pmu->identity.presence);
}
