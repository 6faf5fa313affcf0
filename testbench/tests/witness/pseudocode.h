// Who hears of an overflow, and which captures are taken: functions of the manual's pseudocode,
// typed from J1.1 and J1.3 of DDI 0487 M.a.a. Names, and the order of the checks, are those there.
#ifndef PMUV3_WITNESS_PSEUDOCODE_H
#define PMUV3_WITNESS_PSEUDOCODE_H

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

namespace pmuv3::witness {

// CYCLE_COUNTER_ID and INSTRUCTION_COUNTER_ID, also their bits in PMCNTEN and the like.
constexpr unsigned kCycleCounterId = 31, kInstructionCounterId = 32;

inline bool Bit(uint64_t value, unsigned at) {
  return (value >> at & 1) != 0;
}

enum PMUOverflowCondition {
  PMUOverflowCondition_PMUException,
  PMUOverflowCondition_BRBEFreeze,
  PMUOverflowCondition_Freeze,
  PMUOverflowCondition_IRQ,
  PMUOverflowCondition_EDBGRQ
};
enum PMUCounterRange { PMUCounterRange_R1, PMUCounterRange_R2, PMUCounterRange_R3 };

// What the functions read, of one thread.
class Machine {
 public:
  const pmuv3_params *params;
  pmuv3_pe pe;
  bool el2_enabled;  // EL2Enabled()
  bool aa32[4];      // ELUsingAArch32()
  uint64_t pmcr, mdcr_el2, mdcr_el3, pmecr, pmcnten, pminten, pmovs, pmicfiltr, pmccr;
  uint64_t pmevtyper[PMUV3_MAX_COUNTERS];

  // A check that is turned round, to test the test. The functions note each check that they make.
  std::string mistake;
  std::set<std::string> *checks = nullptr;

  bool CheckPMUOverflowCondition(PMUOverflowCondition reason, bool include_r1, bool include_r2,
                                 bool include_r3) const;

  // CheckForPMUOverflow: the levels of the CTI's trigger and of PMUIRQ.
  bool PMUOverflowTrigger() const;
  bool PMUInterruptEnabled() const;

  // CheckForPMUException, where PSTATE.PPEND is 0. The target is that of an enabled exception.
  bool PMUExceptionEnabled(unsigned *target_el) const;
  bool PMUExceptionMasked(unsigned target_el) const;
  bool TakesPMUException(unsigned *target_el) const;

  // CheckPMUHalt, up to ExternalDebugRequest().
  bool CheckPMUHalt() const;

  // Where BranchRecordAllowed(). The arguments are BRBCR_EL1.FZP and BRBCR_EL2.FZP.
  bool ShouldBRBEFreeze(bool fzp1, bool fzp2) const;

  bool PMUCaptureEventEnabled() const;
  bool PMUCaptureEventAllowed() const;

 protected:
  bool Has(pmuv3_feature feature) const { return pmuv3_has(params, feature); }
  // A check of the pseudocode, by a name.
  bool Is(std::string_view name, bool condition) const;
  unsigned EffectiveEPMN() const;
  unsigned EffectiveHPMN() const;
  PMUCounterRange GetPMUCounterRange(unsigned idx) const;
  bool GlobalEnable(unsigned idx) const;
  unsigned EffectivePMEE(unsigned el, bool for_interrupt) const;
  bool ShouldPMUFreeze(PMUCounterRange range) const;
};

}  // namespace pmuv3::witness

#endif
