/* Threshold: derives V from VB by threshold, edge and link (D13.8). */
#include "internal.h"

/* The reserved combinations of ILQXJZ. */
static bool reserved(unsigned TC, bool TE, unsigned TLC) {
  return TLC == 3 ||                           /* /2 */
         ((TC & 1) != 0 && !TE && TLC == 2) || /* /3 */
         (TE && TLC == 1) ||                   /* /4 */
         ((TC & 3) == 0 && TE);                /* /5 */
}

/* Fields that are not present are RES0 in PMEVTYPER<n>_EL0, so all fields hold Effective values
 * (C.0). */
void pmuv3_threshold_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n) {
  struct pmuv3_config *config = &pmu->thread[thread].config;
  const unsigned i = pmuv3_lane(n);
  const uint64_t evtyper = pmu->thread[thread].registers.evtyper[n];
  const unsigned TC = (unsigned)PMUV3_GET(evtyper, PMEVTYPER, TC);
  const bool TE = PMUV3_GET(evtyper, PMEVTYPER, TE) != 0;
  const unsigned TLC = (unsigned)PMUV3_GET(evtyper, PMEVTYPER, TLC);
  const bool is_reserved = reserved(TC, TE, TLC);
  config->TH[i] = (uint16_t)PMUV3_GET(evtyper, PMEVTYPER, TH);
  for (unsigned bit = 0; bit < 3; bit++) config->TC[bit][i] = all_if(pmuv3_bit(TC, bit));
  config->link_true[i] = all_if(TLC == 2);
  config->link_false[i] = all_if(TLC == 1);
  config->adds_VE[i] = all_if(!is_reserved && TE);
  config->adds_VB[i] = all_if(is_reserved && pmu->params.k_restc == 0);
  config->adds_own[i] = all_if(is_reserved && pmu->params.k_restc == 1);
}

/*
 * If counting is not allowed, all values are 0, even if 0 meets the condition (H-26). CP is then 0
 * in the next cycle (RJJRJQ). If threshold counting is disabled (TC, TH and TLC are 0), VT is VB
 * (RHVGCV, H-1).
 */
PMUV3_STEP
void pmuv3_threshold(const struct pmuv3_config *restrict config, size_t first,
                     const uint16_t links[restrict PMUV3_PAIRS], struct pmuv3_state *restrict state,
                     struct pmuv3_values *restrict values) {
  for (size_t pair = 0; pair < PMUV3_PAIRS; pair++) {
    const size_t i = first + pair;
    const uint16_t allowed = values->allowed[i];
    const uint16_t TC2 = config->TC[2][i], TC1 = config->TC[1][i], TC0 = config->TC[0][i];
    const uint16_t TH = config->TH[i];
    const uint16_t VB = values->VB[i];
    const uint16_t CP = state->CP[i];
    const uint16_t link = links[pair];

    /* RWXVGN: !=, >=, and their negations */
    const uint16_t CT = allowed & (pick(TC2, all_if(VB >= TH), all_if(VB != TH)) ^ TC1);
    /* RNXPYM: one edge, or both edges */
    const uint16_t CE = allowed & pick(TC0, CT & ~CP, (CT ^ CP) & TC1);

    /* RXFGYS, RYKFCB */
    const uint16_t own = pick(TC0, 1, VB);
    const uint16_t if_true = pick(config->link_true[i], link, own);
    const uint16_t if_false = config->link_false[i] & link;
    const uint16_t VT = allowed & pick(CT, if_true, if_false);
    /* RFLGYG, RBGDTJ */
    const uint16_t VE = CE & pick(config->link_true[i], link, 1);

    /* RHBWBB, and K-RESTC */
    uint16_t V = VT;
    V = pick(config->adds_VE[i], VE, V);
    V = pick(config->adds_VB[i], VB, V);
    V = pick(config->adds_own[i], CT & own, V);

    values->CT[i] = CT;
    values->CP[i] = CP;
    values->CE[i] = CE;
    values->VT[i] = VT;
    values->VE[i] = VE;
    values->V[i] = V;
    state->CP[i] = CT;
  }
}
