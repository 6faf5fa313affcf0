#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {
namespace {

unsigned Field(uint64_t value, unsigned msb, unsigned lsb) {
  return static_cast<unsigned>(value >> lsb & ((UINT64_C(1) << (msb - lsb + 1)) - 1));
}

}  // namespace

bool Machine::Is(std::string_view name, bool condition) const {
  if (checks) checks->emplace(name);
  return condition != (name == mistake);
}

// ---- Ranges

unsigned Machine::EffectiveEPMN() const {
  const unsigned epmn = Field(pmccr, 4, 0);
  if (!Has(PMUV3_FEATURE_EXTPMN) || epmn > params->counters) return params->counters;
  return epmn;  // K-EPMN-RES: a reserved value acts as the number of counters
}

unsigned Machine::EffectiveHPMN() const {
  const unsigned counters = EffectiveEPMN();
  if (!params->el2) return counters;
  const unsigned hpmn = Field(mdcr_el2, 4, 0);
  if (hpmn > counters || (!Has(PMUV3_FEATURE_HPMN0) && hpmn == 0)) return counters;  // K-HPMN-RES
  return hpmn;
}

PMUCounterRange Machine::GetPMUCounterRange(unsigned idx) const {
  if (idx < EffectiveHPMN()) return PMUCounterRange_R1;
  return idx < EffectiveEPMN() ? PMUCounterRange_R2 : PMUCounterRange_R3;
}

bool Machine::GlobalEnable(unsigned idx) const {
  switch (GetPMUCounterRange(idx)) {
    case PMUCounterRange_R1:
      return Bit(pmcr, 0);  // E
    case PMUCounterRange_R2:
      return Bit(mdcr_el2, 7);  // HPME
    default:
      return Bit(pmccr, 7);  // EPME
  }
}

// ---- The overflow condition

bool Machine::CheckPMUOverflowCondition(PMUOverflowCondition reason, bool include_r1,
                                        bool include_r2, bool include_r3) const {
  bool check_e = false, check_inten = false, exclude_cyc = false, exclude_sync = false;
  std::string of;
  switch (reason) {
    case PMUOverflowCondition_PMUException:
      of = "PMUException";
      check_e = true;
      check_inten = true;
      exclude_cyc = false;
      exclude_sync = Has(PMUV3_FEATURE_SEBEP);
      break;
    case PMUOverflowCondition_BRBEFreeze:
      of = "BRBEFreeze";
      check_e = false;
      check_inten = false;
      exclude_cyc = true;
      exclude_sync = Has(PMUV3_FEATURE_SEBEP);
      break;
    case PMUOverflowCondition_Freeze:
      of = "Freeze";
      check_e = false;
      check_inten = false;
      exclude_cyc = true;
      exclude_sync = Has(PMUV3_FEATURE_SEBEP);
      break;
    case PMUOverflowCondition_IRQ:
    case PMUOverflowCondition_EDBGRQ:
      of = reason == PMUOverflowCondition_IRQ ? "IRQ" : "EDBGRQ";
      check_e = true;
      check_inten = true;
      exclude_cyc = false;
      exclude_sync = false;
      break;
  }
  check_e = Is(of + ": check_e", check_e);
  check_inten = Is(of + ": check_inten", check_inten);
  exclude_cyc = Is(of + ": exclude_cyc", exclude_cyc);
  exclude_sync = Is(of + ": exclude_sync", exclude_sync);

  uint64_t ovsf = pmovs & ((UINT64_C(1) << 33) - 1);
  const uint64_t cycle = UINT64_C(1) << kCycleCounterId;
  const uint64_t instruction = UINT64_C(1) << kInstructionCounterId;
  if (!Has(PMUV3_FEATURE_ICNTR)) ovsf &= ~instruction;
  for (unsigned idx = params->counters; idx < kCycleCounterId; idx++) ovsf &= ~(UINT64_C(1) << idx);
  for (unsigned idx = 0; idx < params->counters; idx++) {
    const uint64_t flag = UINT64_C(1) << idx;
    const PMUCounterRange range = GetPMUCounterRange(idx);
    const bool is_included = range == PMUCounterRange_R1   ? Is("include_r1", include_r1)
                             : range == PMUCounterRange_R2 ? Is("include_r2", include_r2)
                                                           : Is("include_r3", include_r3);
    if (!is_included) ovsf &= ~flag;
    if (exclude_sync && Bit(pmevtyper[idx], 58)) ovsf &= ~flag;  // SYNC
    if (check_e && !GlobalEnable(idx)) ovsf &= ~flag;
  }
  if (exclude_cyc || !Is("include_r1 of the cycle counter", include_r1)) ovsf &= ~cycle;
  if (check_e && !Bit(pmcr, 0)) ovsf &= ~cycle;
  if (params->aa64 && Has(PMUV3_FEATURE_ICNTR)) {
    if (!Is("include_r1 of the instruction counter", include_r1)) ovsf &= ~instruction;
    if (exclude_sync && Bit(pmicfiltr, 58)) ovsf &= ~instruction;  // SYNC
    if (check_e && !Bit(pmcr, 0)) ovsf &= ~instruction;
  }
  if (check_inten) ovsf &= pminten;
  return ovsf != 0;
}

// ---- Interrupt and exception

bool Machine::PMUOverflowTrigger() const {
  return CheckPMUOverflowCondition(PMUOverflowCondition_IRQ, true, true, true);
}

// K-PMEE-RES: reserved values disable both the interrupt and the exception.
unsigned Machine::EffectivePMEE(unsigned el, bool for_interrupt) const {
  const unsigned val = el == 1   ? Field(pmecr, 1, 0)
                       : el == 2 ? Field(mdcr_el2, 41, 40)
                                 : Field(mdcr_el3, 41, 40);
  if (val == 2 || (el == 1 && val == 1)) return for_interrupt ? 3 : 0;
  return val;
}

bool Machine::PMUInterruptEnabled() const {
  if (!Has(PMUV3_FEATURE_EBEP)) return true;
  if (params->el3 && EffectivePMEE(3, true) != 1) return EffectivePMEE(3, true) == 0;
  if (el2_enabled && EffectivePMEE(2, true) != 1) return EffectivePMEE(2, true) == 0;
  return EffectivePMEE(1, true) == 0;
}

bool Machine::PMUExceptionEnabled(unsigned *target_el) const {
  if (!Has(PMUV3_FEATURE_EBEP)) return false;
  *target_el = 3;
  if (params->el3 && EffectivePMEE(3, false) != 1) return EffectivePMEE(3, false) == 3;
  *target_el = 2;
  if (el2_enabled && EffectivePMEE(2, false) != 1) return EffectivePMEE(2, false) == 3;
  *target_el = el2_enabled && pe.tge ? 2 : 1;
  return EffectivePMEE(1, false) == 3;
}

bool Machine::PMUExceptionMasked(unsigned target_el) const {
  if (pe.halted) return true;
  if (target_el < pe.el) return true;
  if (pe.el == 2 && target_el == 2 && EffectivePMEE(2, false) != 3) return true;
  return target_el == pe.el && (!Bit(pmecr, 2) || pe.pm);  // KPME
}

bool Machine::TakesPMUException(unsigned *target_el) const {
  if (!PMUExceptionEnabled(target_el) || PMUExceptionMasked(*target_el)) return false;
  return CheckPMUOverflowCondition(PMUOverflowCondition_PMUException, true, true, true);
}

// ---- Halt and BRBE

bool Machine::CheckPMUHalt() const {
  if (!Is("FEAT_Debugv8p9", Has(PMUV3_FEATURE_Debugv8p9))) return false;
  if (!Is("FEAT_PMUv3p9", Has(PMUV3_FEATURE_PMUv3p9))) return false;
  const bool pmuhalt = CheckPMUOverflowCondition(PMUOverflowCondition_EDBGRQ, true, true, true);
  return pmuhalt && Is("EDECR.PME", pe.pme);
}

bool Machine::ShouldBRBEFreeze(bool fzp1, bool fzp2) const {
  const bool include_r3 = Is("ShouldBRBEFreeze: include_r3", false);
  const bool have_el2 = Is("ShouldBRBEFreeze: HaveEL(EL2)", params->el2);
  const bool include_r1 = !have_el2 || Is("BRBCR_EL1.FZP", fzp1);
  const bool include_r2 = !have_el2 || Is("BRBCR_EL2.FZP", fzp2);
  return CheckPMUOverflowCondition(PMUOverflowCondition_BRBEFreeze, include_r1, include_r2,
                                   include_r3);
}

// ---- Freeze

bool Machine::ShouldPMUFreeze(PMUCounterRange range) const {
  if (range == PMUCounterRange_R3) return false;
  return CheckPMUOverflowCondition(PMUOverflowCondition_Freeze, range == PMUCounterRange_R1,
                                   range == PMUCounterRange_R2, false);
}

// ---- Captures

bool Machine::PMUCaptureEventEnabled() const {
  if (!Is("FEAT_PMUv3_SS", Has(PMUV3_FEATURE_SS)) || !params->aa64) return false;
  const unsigned el3 = Field(mdcr_el3, 31, 30), el2 = Field(mdcr_el2, 31, 30);
  if (params->el3 && Is("enabled: MDCR_EL3.PMSSE != 01", el3 != 1))
    return Is("enabled: MDCR_EL3.PMSSE == 1x", el3 >= 2);
  if (params->el2 && aa32[2]) return false;
  if (params->el2 && Is("enabled: MDCR_EL2.PMSSE != 01", el2 != 1))
    return Is("enabled: MDCR_EL2.PMSSE == 1x", el2 >= 2);
  if (aa32[1]) return false;
  unsigned el1 = Field(pmecr, 4, 3);
  if (el1 == 1) el1 = 0;  // K-SSE-RES: disabled
  return Is("enabled: PMECR_EL1.SSE == 1x", el1 >= 2);
}

bool Machine::PMUCaptureEventAllowed() const {
  if (!Has(PMUV3_FEATURE_SS) || !params->aa64) return false;
  if (!PMUCaptureEventEnabled() || Is("OSLockStatus()", pe.oslk)) return false;
  if (Is("Halted()", pe.halted)) return false;  // RTSYTY, by K-SS-DEBUG
  const unsigned el3 = Field(mdcr_el3, 31, 30), el2 = Field(mdcr_el2, 31, 30);
  if (params->el3 && Is("allowed: MDCR_EL3.PMSSE != 01", el3 != 1))
    return Is("allowed: MDCR_EL3.PMSSE == 11", el3 == 3);
  if (params->el2 && Is("allowed: MDCR_EL2.PMSSE != 01", el2 != 1))
    return Is("allowed: MDCR_EL2.PMSSE == 11", el2 == 3);
  return Is("allowed: PMECR_EL1.SSE == 11", Field(pmecr, 4, 3) == 3);
}

}  // namespace pmuv3::witness
