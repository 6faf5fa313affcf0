// The third witness of accesses: decides an access from the rows of accessors.txt.
#ifndef PMUV3_WITNESS_H
#define PMUV3_WITNESS_H

#include <cstdint>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"
#include "testbench/tests/witness/table.h"

namespace pmuv3::witness {

// Everything that decides an access. Names of inputs are those of the manual.
struct State {
  const pmuv3_params *params;
  int highest_aa32;  // the highest Exception level that can use AArch32; -1: none
  bool sdd_first;    // EL3SDDUndefPriority(), where EL3SDDUndef()

  unsigned el;
  bool now_aa32;  // the current Exception level uses AArch32
  bool aa32[4];   // the Exception level uses AArch32
  bool secure;
  bool el2_enabled;
  bool eel2, ns;  // SCR_EL3.EEL2; SCR.NS
  bool tge, e2h, nv, hstr_t9;
  bool halted, sdd;
  bool fgwte3;
  uint64_t fgt;

  // Registers.
  uint64_t pmuserenr, pmuacr, mdcr_el2, mdcr_el3;
  unsigned sel;   // PMSELR.SEL
  unsigned epmn;  // the Effective value of PMCCR.EPMN
  unsigned hpmn;  // the Effective value of MDCR_EL2.HPMN

  // The core's controls, which this project has not: always 0.
  bool hstr_t1 = false, tde_tda = false, sdisable = false;

  bool Has(pmuv3_feature feature) const { return pmuv3_has(params, feature); }
  unsigned Accessible() const { return el < 2 && el2_enabled ? hpmn : epmn; }
  bool InHost() const { return el2_enabled && !aa32[2] && e2h && tge; }
  bool UserAccess() const;  // UEN is in effect
};

// How an access ends, and with PMUV3_DONE the bits of the register that it reaches. For PMCR: the
// event counters that N shows and P resets.
struct Decision {
  pmuv3_result result;
  uint8_t el;  // that takes the trap, or 0
  uint8_t ec;
  uint32_t iss;  // without Rt and Rt2
  uint64_t reach;
  const Check *check;  // that ended the access, or NULL

  // As ESR_ELx[31:0] has it: {EC, IL, ISS}. 0 if the access is done.
  uint32_t Syndrome() const {
    return result == PMUV3_DONE ? 0 : uint32_t{ec} << 26 | UINT32_C(1) << 25 | iss;
  }
};

// `reg` is the encoding; `n` the counter of an indexed register.
Decision Decide(const Accessor &accessor, const State &state, uint16_t reg, unsigned n);

// Whether a check ends an access.
bool Bites(const Check &check, const State &state, unsigned n);

}  // namespace pmuv3::witness

#endif
