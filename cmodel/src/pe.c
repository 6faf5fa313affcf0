/* Threads' states: checks that the architecture allows a state (formats.md section 2). */
#include "internal.h"

#define PMUV3_PE_MASK(name, bits, text) \
  _Static_assert((bits) == PMUV3_NUM_FGT, "a bit for each fine-grained trap");
#include "pmuv3/pe.def"

enum pmuv3_security_state pmuv3_el3_state(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_RME) ? PMUV3_RT : PMUV3_S;
}

const char *pmuv3_context_wrong(const struct pmuv3_params *params, unsigned el, unsigned ss) {
  const bool rme = pmuv3_has(params, PMUV3_FEATURE_RME);
  if (el > 3) return "el must be 0..3";
  if (ss > PMUV3_RT) return "ss must be NS, S, RL or RT";
  if (el == 2 && !params->el2) return "el=2 needs EL2";
  if (el == 3 && !params->el3) return "el=3 needs EL3";
  if (el == 3 && ss != pmuv3_el3_state(params))
    return rme ? "el=3 is in ss=RT, with RME" : "el=3 is in ss=S, without RME";
  if (el != 3 && ss == PMUV3_RT) return "ss=RT is at el=3 alone";
  if (ss == PMUV3_RL && !rme) return "ss=RL needs RME";
  if (el == 2 && ss == PMUV3_S && !pmuv3_has(params, PMUV3_FEATURE_SEL2))
    return "el=2 in ss=S needs SEL2";
  return NULL;
}

/* Whether a thread is in Secure state, and Secure EL2 is enabled. */
static bool is_secure_el2_enabled(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  return pe->el != 3 && pe->ss == PMUV3_S && pmuv3_has(params, PMUV3_FEATURE_SEL2) &&
         pmuv3_el2_enabled(params, pe);
}

/* Specification I-2: an Exception level uses AArch32 only if it can. */
static const char *aarch32_missing(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (pe->a32el3 && !pmuv3_can_aa32(params, 3)) return "a32el3=1 needs AArch32 at EL3 (param aa32)";
  if (pe->a32el2 && !pmuv3_can_aa32(params, 2)) return "a32el2=1 needs AArch32 at EL2 (param aa32)";
  if (pe->a32el1 && !pmuv3_can_aa32(params, 1)) return "a32el1=1 needs AArch32 at EL1 (param aa32)";
  if (pe->aa32 && !pmuv3_can_aa32(params, pe->el))
    return "aa32=1 needs AArch32 at the thread's el (param aa32)";
  return NULL;
}

/* Specification I-12: the current Execution state is that of the current Exception level. All
 * levels below a level in AArch32 use AArch32. Under an EL3 in AArch32 there is no Secure EL1 or
 * EL2. Secure EL2 uses AArch64. */
static const char *aarch32_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  const bool el3_aa32 = params->el3 && (pe->a32el3 || !params->aa64);
  const bool between = pe->el == 1 || pe->el == 2;
  if (pe->a32el2 && !pe->a32el1 && !pe->a32el3) return "a32el2=1 needs a32el1=1";
  if (pe->a32el2 && is_secure_el2_enabled(params, pe)) return "Secure EL2 uses AArch64: a32el2=0";
  if (el3_aa32 && between && pe->ss == PMUV3_S)
    return "el=1 and el=2 in ss=S need an EL3 in AArch64";
  if (!params->aa64 || el3_aa32 || !pe->aa32) return NULL;
  if (pe->el == 3) return "aa32=1 at el=3 needs a32el3=1";
  return between && !pe->a32el1 ? "aa32=1 above el=0 needs a32el1=1" : NULL;
}

const char *pmuv3_pe_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (pe->fgt >> PMUV3_NUM_FGT != 0) return "fgt has a bit of no trap";
  if (pe->a32el3 && !params->el3) return "a32el3=1 needs EL3";
  if (pe->a32el2 && !params->el2) return "a32el2=1 needs EL2";
  if (pe->fgwte3 && !pmuv3_has(params, PMUV3_FEATURE_FGWTE3)) return "fgwte3=1 needs FGWTE3";
  if (pe->sm && pe->aa32) return "sm=1 needs aa32=0";
  const char *wrong = pmuv3_context_wrong(params, pe->el, pe->ss);
  if (!wrong) wrong = aarch32_missing(params, pe);
  return wrong ? wrong : aarch32_wrong(params, pe);
}

/* At EL3, the Security state below EL3 decides, and eel2 describes that state. Below EL3, eel2 has
 * no effect if EL3 uses AArch32 (IsSecureEL2Enabled). */
bool pmuv3_el2_enabled(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (!params->el2) return false;
  if (pe->el == 2 || !params->el3) return true;
  if (pe->ss == PMUV3_NS || pe->ss == PMUV3_RL) return true;
  return pe->eel2 && (pe->el == 3 || (pmuv3_has(params, PMUV3_FEATURE_SEL2) && !pe->a32el3));
}
