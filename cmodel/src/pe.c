/* Threads' states: what follows from one. */
#include "internal.h"

#define PMUV3_PE_MASK(name, bits, text) \
  _Static_assert((bits) == PMUV3_NUM_FGT, "a bit for each fine-grained trap");
#include "pmuv3/pe.def"

enum pmuv3_security_state pmuv3_el3_state(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_RME) ? PMUV3_RT : PMUV3_S;
}

/* All levels below a level in AArch32 use AArch32, too. */
bool pmuv3_pe_is_aa32(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  return !params->aa64 || pe->aa32 || pe->a32el3 || (pe->el <= 2 && pe->a32el2) ||
         (pe->el <= 1 && pe->a32el1);
}

/* At EL3, the Security state below EL3 decides, and eel2 describes that state. Below EL3, eel2 has
 * no effect if EL3 uses AArch32 (IsSecureEL2Enabled). */
bool pmuv3_el2_enabled(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (!params->el2) return false;
  if (pe->el == 2 || !params->el3) return true;
  if (pe->ss == PMUV3_NS || pe->ss == PMUV3_RL) return true;
  return pe->eel2 && (pe->el == 3 || (pmuv3_has(params, PMUV3_FEATURE_SEL2) && !pe->a32el3));
}
