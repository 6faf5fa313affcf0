#include "testbench/tests/witness/counting.h"

namespace pmuv3::witness {
namespace {

// old_value<64:ovflw> != new_value<64:ovflw>. new_value is the sum without its bit 64, which is 1
// if the sum is less than a summand.
bool Differ(uint64_t old_value, uint64_t new_value, unsigned ovflw) {
  return new_value < old_value || (ovflw == 32 && old_value >> 32 != new_value >> 32);
}

}  // namespace

// ---- Departures

const std::vector<std::string> &Departures() {
  static const std::vector<std::string> departures = {
      "CYC-3",     "H-2 off",   "H-2 stopped",  "H-5",        "H-14 M",   "H-14 MPMX",
      "H-14 MCCD", "H-17 SPME", "H-17 SUNIDEN", "I-15 CHAIN", "I-15 SPE",
  };
  return departures;
}

bool Counting::Departs(std::string_view departure) const {
  return undone != departure && undone != departure.substr(0, departure.find(' '));
}

// ---- What several functions ask

// GetPMUCounterRange. The function of Machine knows only event counters.
PMUCounterRange Counting::RangeOf(unsigned idx) const {
  if (Is("GetPMUCounterRange: a fixed counter", idx >= kCycleCounterId)) return PMUCounterRange_R1;
  return GetPMUCounterRange(idx);
}

uint64_t Counting::FilterOf(unsigned idx) const {
  switch (idx) {
    case kInstructionCounterId:
      return pmicfiltr;
    case kCycleCounterId:
      return pmccfiltr;
    default:
      return pmevtyper[idx];
  }
}

bool Counting::IsSecureOrEL3(std::string_view ss, std::string_view el) const {
  return Is(ss, pe.ss == PMUV3_S) || Is(el, pe.el == 3);
}

// IMPLEMENTATION DEFINED: the implemented events with the trait SYNC.
bool Counting::IsSupportingPMUSynchronousMode(uint64_t pmuevent) const {
  for (unsigned row = 0; row < params->events.num; row++)
    if (params->events.event[row].number == pmuevent)
      return (params->events.event[row].traits & PMUV3_EVENT_TRAIT_SYNC) != 0;
  return false;
}

bool Counting::PMUExceptionIsEnabled() const {
  unsigned target = 0;
  return PMUExceptionEnabled(&target);
}

// ---- CountPMUEvents: enables

bool Counting::GlobalEn(PMUCounterRange counter_range) const {
  switch (counter_range) {
    case PMUCounterRange_R1:
      return Is("CountPMUEvents: PMCR_EL0.E", PMUV3_GET(pmcr, PMCR, E) == 1);
    case PMUCounterRange_R2:
      return Is("CountPMUEvents: MDCR_EL2.HPME", PMUV3_GET(mdcr_el2, MDCR_EL2, HPME) == 1);
    default:
      return Is("CountPMUEvents: PMCCR.EPME", Bit(pmccr, 7));
  }
}

bool Counting::CounterEn(unsigned idx) const {
  const bool is_set = Bit(pmcnten, idx);
  const bool counter_en =
      idx == kInstructionCounterId ? Is("CountPMUEvents: PMCNTENSET_EL0.F0", is_set)
      : idx == kCycleCounterId     ? Is("CountPMUEvents: PMCNTENSET_EL0.C", is_set)
                                   : Is("CountPMUEvents: PMCNTENSET_EL0<idx>", is_set);
  // H-20: fixed counters have no PMEVTYPER. The pseudocode asks for one: it is their filter then.
  // PMCCFILTR has no SYNC, and the event of PMICFILTR supports it (D14.7).
  const uint64_t type = FilterOf(idx);
  if (Is("CountPMUEvents: FEAT_SEBEP", Has(PMUV3_FEATURE_SEBEP)) &&
      Is("CountPMUEvents: SYNC == 1", PMUV3_GET(type, PMEVTYPER, SYNC) == 1) &&
      !Is("CountPMUEvents: IsSupportingPMUSynchronousMode",
          IsSupportingPMUSynchronousMode(type & 0xFFFF)))
    return false;
  return counter_en;
}

// ---- CountPMUEvents: prohibited

// Secure state, or EL3.
bool Counting::SecureProhibited(unsigned idx) const {
  const bool is_instruction = idx == kInstructionCounterId;
  bool prohibited;
  if (!Is("CountPMUEvents: SPME: ELUsingAArch32(EL3)", aa32[3])) {
    prohibited =
        Is("CountPMUEvents: MDCR_EL3.SPME == 0", PMUV3_GET(mdcr_el3, MDCR_EL3, SPME) == 0) &&
        (!Is("CountPMUEvents: SPME: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7)) ||
         Is("CountPMUEvents: SPME: MDCR_EL3.MPMX == 0", PMUV3_GET(mdcr_el3, MDCR_EL3, MPMX) == 0));
  } else {
    prohibited = Is("CountPMUEvents: SDCR.SPME == 0", PMUV3_GET(mdcr_el3, MDCR_EL3, SPME) == 0);
    // H-17: SDCR.SPME does not allow the instruction counter.
    if (is_instruction && Departs("H-17 SPME")) prohibited = true;
  }
  // H-17: SUNIDEN does not allow the instruction counter.
  if (is_instruction && Departs("H-17 SUNIDEN")) return prohibited;
  if (prohibited && Is("CountPMUEvents: SUNIDEN: PSTATE.EL == EL0", pe.el == 0)) {
    const bool suniden = PMUV3_GET(sder, SDER32_EL3, SUNIDEN) == 1;
    if (Is("CountPMUEvents: SUNIDEN: ELUsingAArch32(EL3)", aa32[3]))
      prohibited = Is("CountPMUEvents: SDER.SUNIDEN == 0", !suniden);
    else if (Is("CountPMUEvents: SUNIDEN: ELUsingAArch32(EL1)", aa32[1]))
      prohibited = Is("CountPMUEvents: SDER32_EL3.SUNIDEN == 0", !suniden);
  }
  return prohibited;
}

bool Counting::Prohibited(unsigned idx, PMUCounterRange counter_range) const {
  const bool is_r1 = counter_range == PMUCounterRange_R1;
  const bool is_r3 = counter_range == PMUCounterRange_R3;
  bool prohibited = false;
  if (Is("CountPMUEvents: SPME: HaveEL(EL3)", params->el3) &&
      IsSecureOrEL3("CountPMUEvents: SPME: ss == SS_Secure",
                    "CountPMUEvents: SPME: PSTATE.EL == EL3") &&
      Is("CountPMUEvents: SPME: counter_range != R3", !is_r3))
    prohibited = SecureProhibited(idx);

  // H-14: MPMX does not act if EL3 uses AArch32.
  const bool have_mpmx = Departs("H-14 MPMX") ? !aa32[3] : params->aa64;
  if (!prohibited && Is("CountPMUEvents: MPMX: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7)) &&
      Is("CountPMUEvents: MPMX: PSTATE.EL == EL3", pe.el == 3) &&
      Is("CountPMUEvents: MPMX: HaveAArch64()", have_mpmx) &&
      Is("CountPMUEvents: MPMX: counter_range != R3", !is_r3))
    prohibited =
        Is("CountPMUEvents: MDCR_EL3.MPMX == 1", PMUV3_GET(mdcr_el3, MDCR_EL3, MPMX) == 1) &&
        (Is("CountPMUEvents: MPMX: MDCR_EL3.SPME == 0", PMUV3_GET(mdcr_el3, MDCR_EL3, SPME) == 0) ||
         Is("CountPMUEvents: MPMX: counter_range == R1", is_r1));

  if (!prohibited && Is("CountPMUEvents: HPMD: PSTATE.EL == EL2", pe.el == 2) &&
      Is("CountPMUEvents: HPMD: FEAT_PMUv3p1", Has(PMUV3_FEATURE_PMUv3p1)) &&
      Is("CountPMUEvents: HPMD: counter_range == R1", is_r1))
    prohibited = Is("CountPMUEvents: MDCR_EL2.HPMD == 1", PMUV3_GET(mdcr_el2, MDCR_EL2, HPMD) == 1);

  if (prohibited && !Is("CountPMUEvents: FEAT_Debugv8p2", params->debugv8p2))
    prohibited = !Is("CountPMUEvents: ExternalSecureNoninvasiveDebugEnabled()", pe.snid);
  return prohibited;
}

// What prohibits cycle counting alone, whatever DP is.
bool Counting::CyclesProhibited() const {
  // H-14: MCCD does not act if EL3 uses AArch32.
  const bool have_mccd = Departs("H-14 MCCD") ? !aa32[3] : params->aa64;
  bool prohibited = false;
  if (Is("CountPMUEvents: FEAT_PMUv3p5", Has(PMUV3_FEATURE_PMUv3p5))) {
    if (Is("CountPMUEvents: SCCD: HaveEL(EL3)", params->el3) &&
        IsSecureOrEL3("CountPMUEvents: SCCD: ss == SS_Secure",
                      "CountPMUEvents: SCCD: PSTATE.EL == EL3") &&
        Is("CountPMUEvents: MDCR_EL3.SCCD == 1", PMUV3_GET(mdcr_el3, MDCR_EL3, SCCD) == 1))
      prohibited = true;
    if (Is("CountPMUEvents: HCCD: PSTATE.EL == EL2", pe.el == 2) &&
        Is("CountPMUEvents: MDCR_EL2.HCCD == 1", PMUV3_GET(mdcr_el2, MDCR_EL2, HCCD) == 1))
      prohibited = true;
  }
  if (Is("CountPMUEvents: MCCD: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7)) &&
      Is("CountPMUEvents: MCCD: PSTATE.EL == EL3", pe.el == 3) &&
      Is("CountPMUEvents: MCCD: HaveAArch64()", have_mccd) &&
      Is("CountPMUEvents: MDCR_EL3.MCCD == 1", PMUV3_GET(mdcr_el3, MDCR_EL3, MCCD) == 1))
    prohibited = true;
  return prohibited;
}

// ---- CountPMUEvents: frozen

// FEAT_SPEv1p2 is the feature SPE. pe.spe is PMBLIMITR_EL1.<E,PMFZ> == '11' and
// SPEProfilingStopped().
bool Counting::SPEFreezeOnEvent(unsigned idx) const {
  if (!Is("SPEFreezeOnEvent: FEAT_SPEv1p2", Has(PMUV3_FEATURE_SPE)) ||
      !Is("SPEFreezeOnEvent: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7)))
    return false;
  // I-15: it does not act if the highest Exception level uses AArch32.
  const unsigned highest = params->el3 ? 3 : params->el2 ? 2 : 1;
  if (aa32[highest] && Departs("I-15 SPE")) return false;
  if (Is("SPEFreezeOnEvent: idx == CYCLE_COUNTER_ID", idx == kCycleCounterId) &&
      !Is("SPEFreezeOnEvent: FEAT_SPE_DPFZS", Has(PMUV3_FEATURE_DPFZS)))
    return false;
  const bool freeze = Is("SPEFreezeOnEvent: freeze_on_event && stopped", pe.spe);
  switch (RangeOf(idx)) {
    case PMUCounterRange_R1:
      return freeze && Is("SPEFreezeOnEvent: PMCR_EL0.FZS == 1", PMUV3_GET(pmcr, PMCR, FZS) == 1);
    case PMUCounterRange_R2:
      return freeze && Is("SPEFreezeOnEvent: MDCR_EL2.HPMFZS == 1",
                          PMUV3_GET(mdcr_el2, MDCR_EL2, HPMFZS) == 1);
    default:
      return Is("SPEFreezeOnEvent: R3", false);
  }
}

bool Counting::Frozen(unsigned idx, PMUCounterRange counter_range) const {
  if (!Is("CountPMUEvents: frozen: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7))) return false;
  bool fz = false;  // R3
  if (counter_range == PMUCounterRange_R1)
    fz = Is("CountPMUEvents: PMCR_EL0.FZO", PMUV3_GET(pmcr, PMCR, FZO) == 1);
  if (counter_range == PMUCounterRange_R2)
    fz = Is("CountPMUEvents: MDCR_EL2.HPMFZO", PMUV3_GET(mdcr_el2, MDCR_EL2, HPMFZO) == 1);
  const bool frozen =
      fz && Is("CountPMUEvents: ShouldPMUFreeze(counter_range)", ShouldPMUFreeze(counter_range));
  return frozen || SPEFreezeOnEvent(idx);
}

// ---- CountPMUEvents: filtered

bool Counting::Filtered(unsigned idx) const {
  const uint64_t filter = FilterOf(idx);
  const bool has_rme = Has(PMUV3_FEATURE_RME);
  const bool p = Bit(filter, 31), u = Bit(filter, 30);
  const bool nsk = Is("CountPMUEvents: nsk: HaveEL(EL3)", params->el3) && Bit(filter, 29);
  const bool nsu = Is("CountPMUEvents: nsu: HaveEL(EL3)", params->el3) && Bit(filter, 28);
  const bool nsh = Is("CountPMUEvents: nsh: HaveEL(EL2)", params->el2) && Bit(filter, 27);
  const bool m = Is("CountPMUEvents: m: HaveEL(EL3)", params->el3) &&
                 Is("CountPMUEvents: m: HaveAArch64()", params->aa64) && Bit(filter, 26);
  const bool sh = Is("CountPMUEvents: sh: HaveEL(EL3)", params->el3) &&
                  Is("CountPMUEvents: sh: FEAT_SEL2", Has(PMUV3_FEATURE_SEL2)) && Bit(filter, 24);
  const bool rlk = Is("CountPMUEvents: rlk: FEAT_RME", has_rme) && Bit(filter, 22);
  const bool rlu = Is("CountPMUEvents: rlu: FEAT_RME", has_rme) && Bit(filter, 21);
  const bool rlh = Is("CountPMUEvents: rlh: FEAT_RME", has_rme) && Bit(filter, 20);
  switch (pe.el) {
    case 0:
      if (pe.ss == PMUV3_NS) return Is("CountPMUEvents: EL0: NonSecure: u != nsu", u != nsu);
      if (pe.ss == PMUV3_S) return Is("CountPMUEvents: EL0: Secure: u == 1", u);
      return Is("CountPMUEvents: EL0: Realm: u != rlu", u != rlu);
    case 1:
      if (pe.ss == PMUV3_NS) return Is("CountPMUEvents: EL1: NonSecure: p != nsk", p != nsk);
      if (pe.ss == PMUV3_S) return Is("CountPMUEvents: EL1: Secure: p == 1", p);
      return Is("CountPMUEvents: EL1: Realm: p != rlk", p != rlk);
    case 2:
      if (pe.ss == PMUV3_NS) return Is("CountPMUEvents: EL2: NonSecure: nsh == 0", !nsh);
      if (pe.ss == PMUV3_S) return Is("CountPMUEvents: EL2: Secure: nsh == sh", nsh == sh);
      return Is("CountPMUEvents: EL2: Realm: nsh == rlh", nsh == rlh);
    default:
      // H-14: M does not act if EL3 uses AArch32.
      if (Is("CountPMUEvents: EL3: HaveAArch64()", Departs("H-14 M") ? !aa32[3] : params->aa64))
        return Is("CountPMUEvents: EL3: m != p", m != p);
      return Is("CountPMUEvents: EL3: p == 1", p);
  }
}

// Where FEAT_PMUv3_SME is implemented. VS has the same place in each filter.
bool Counting::StreamingModeFiltered(unsigned idx) const {
  const bool is_streaming_mode = Is("CountPMUEvents: PSTATE.SM == 1", pe.sm);
  auto vs = static_cast<unsigned>(PMUV3_GET(FilterOf(idx), PMEVTYPER, VS));
  if (Is("CountPMUEvents: vs == 11", vs == 3)) {
    // K-VS-RES: the reserved value acts as the value 00, 01 or 10, or filters in both modes.
    if (params->k_vs_res == 3) return true;
    vs = params->k_vs_res;
  }
  return (is_streaming_mode && Is("CountPMUEvents: vs<0> == 1", Bit(vs, 0))) ||
         (!is_streaming_mode && Is("CountPMUEvents: vs<1> == 1", Bit(vs, 1)));
}

// ---- CountPMUEvents

bool Counting::CountPMUEvents(unsigned idx) const {
  const bool debug = Is("CountPMUEvents: Halted()", pe.halted);
  const PMUCounterRange counter_range = RangeOf(idx);
  bool enabled = GlobalEn(counter_range) && CounterEn(idx);
  bool prohibited = Prohibited(idx, counter_range);
  bool frozen = Frozen(idx, counter_range);
  if ((prohibited || frozen) &&
      Is("CountPMUEvents: DP: idx == CYCLE_COUNTER_ID", idx == kCycleCounterId)) {
    enabled = enabled && Is("CountPMUEvents: PMCR_EL0.DP == 0", PMUV3_GET(pmcr, PMCR, DP) == 0);
    prohibited = false;
    frozen = false;
  }
  if (Is("CountPMUEvents: CCD: idx == CYCLE_COUNTER_ID", idx == kCycleCounterId) &&
      CyclesProhibited())
    prohibited = true;
  bool filtered = Filtered(idx);
  if (Is("CountPMUEvents: FEAT_PMUv3_SME", Has(PMUV3_FEATURE_SME)))
    filtered = filtered || StreamingModeFiltered(idx);
  return !debug && enabled && !prohibited && !filtered && !frozen;
}

// ---- PMUCountValue

// TC stays as it is. K-RESTC: a reserved value disables the function, or acts as the same TC with
// TE = 0 and TLC = 00.
Counting::Constraint Counting::ReservedPMUThreshold(unsigned n, unsigned tc, bool *te,
                                                    unsigned *tlc) const {
  bool reserved = false;
  if (Is("ReservedPMUThreshold: FEAT_PMUv3_EDGE", Has(PMUV3_FEATURE_EDGE))) {
    if (Is("ReservedPMUThreshold: edge: te == 1", *te) &&
        Is("ReservedPMUThreshold: tc<1:0> == 00", (tc & 3) == 0))
      reserved = true;
  } else {
    *te = false;
  }
  if (Is("ReservedPMUThreshold: FEAT_PMUv3_TH2", Has(PMUV3_FEATURE_TH2)) &&
      Is("ReservedPMUThreshold: n MOD 2 == 1", n % 2 == 1)) {
    if (Is("ReservedPMUThreshold: tlc == 11", *tlc == 3)) reserved = true;
    if (Is("ReservedPMUThreshold: link: te == 1", *te)) {
      if (Is("ReservedPMUThreshold: tlc == 01", *tlc == 1)) reserved = true;
    } else if (Is("ReservedPMUThreshold: tc<0> == 1", (tc & 1) == 1) &&
               Is("ReservedPMUThreshold: tlc == 10", *tlc == 2)) {
      reserved = true;
    }
  } else {
    *tlc = 0;
  }
  if (!reserved) return Constraint_NONE;
  if (Is("ReservedPMUThreshold: Constraint_DISABLED", params->k_restc == 0))
    return Constraint_DISABLED;
  *te = false;
  *tlc = 0;
  return Constraint_UNKNOWN;
}

// Ct.
bool Counting::ThresholdCondition(unsigned tc, unsigned Vb, unsigned TH) const {
  if (Is("PMUCountValue: tc<2:1> == 00", tc >> 1 == 0))
    return Is("PMUCountValue: Vb != TH", Vb != TH);
  if (Is("PMUCountValue: tc<2:1> == 01", tc >> 1 == 1))
    return Is("PMUCountValue: Vb == TH", Vb == TH);
  if (Is("PMUCountValue: tc<2:1> == 10", tc >> 1 == 2))
    return Is("PMUCountValue: Vb >= TH", Vb >= TH);
  return Is("PMUCountValue: Vb < TH", Vb < TH);
}

// Ve.
unsigned Counting::EdgeValue(unsigned tc, unsigned tlc, bool Cp, bool Ct, unsigned Vm) const {
  const bool Ce = Is("PMUCountValue: tc<1:0> == 10", (tc & 3) == 2)
                      ? Is("PMUCountValue: Cp != Ct", Cp != Ct)
                      : Is("PMUCountValue: !Cp && Ct", !Cp && Ct);
  if (Is("PMUCountValue: edge: tlc == 00", tlc == 0)) return Ce ? 1 : 0;
  return Ce ? Vm : 0;  // 10
}

// Vt.
unsigned Counting::ThresholdValue(unsigned tc, unsigned tlc, bool Ct, unsigned Vb,
                                  unsigned Vm) const {
  const unsigned controls = (tc & 1) << 2 | tlc;
  if (Is("PMUCountValue: tc<0>:tlc == 0 00", controls == 0)) return Ct ? Vb : 0;
  if (Is("PMUCountValue: tc<0>:tlc == 0 01", controls == 1)) return Ct ? Vb : Vm;
  if (Is("PMUCountValue: tc<0>:tlc == 0 10", controls == 2)) return Ct ? Vm : 0;
  if (Is("PMUCountValue: tc<0>:tlc == 1 00", controls == 4)) return Ct ? 1 : 0;
  return Ct ? 1 : Vm;  // 1 01
}

unsigned Counting::PMUCountValue(unsigned n, unsigned Vb, unsigned Vm) {
  if (!Is("PMUCountValue: FEAT_PMUv3_TH", Has(PMUV3_FEATURE_TH)) ||
      !Is("PMUCountValue: HaveAArch64()", params->aa64))
    return Vb;
  const auto TH = static_cast<unsigned>(PMUV3_GET(pmevtyper[n], PMEVTYPER, TH));
  const auto tc = static_cast<unsigned>(PMUV3_GET(pmevtyper[n], PMEVTYPER, TC));
  bool te = false;
  if (Is("PMUCountValue: FEAT_PMUv3_EDGE", Has(PMUV3_FEATURE_EDGE)))
    te = PMUV3_GET(pmevtyper[n], PMEVTYPER, TE) == 1;
  unsigned tlc = 0;
  if (Is("PMUCountValue: FEAT_PMUv3_TH2", Has(PMUV3_FEATURE_TH2)) &&
      Is("PMUCountValue: n MOD 2 == 1", n % 2 == 1))
    tlc = static_cast<unsigned>(PMUV3_GET(pmevtyper[n], PMEVTYPER, TLC));

  const bool Cp = PMULastThresholdValue[n];
  const bool Ct = ThresholdCondition(tc, Vb, TH);
  // H-2: the last value follows Ct if the function is off or reserved, too.
  if (Departs("H-2 off")) PMULastThresholdValue[n] = Ct;
  if (ReservedPMUThreshold(n, tc, &te, &tlc) == Constraint_DISABLED) return Vb;
  if (Is("PMUCountValue: disabled: tc == 000", tc == 0) &&
      Is("PMUCountValue: disabled: TH == 0", TH == 0) &&
      Is("PMUCountValue: disabled: te == 0", !te) &&
      Is("PMUCountValue: disabled: tlc == 00", tlc == 0))
    return Vb;
  PMULastThresholdValue[n] = Ct;
  return Is("PMUCountValue: te == 1", te) ? EdgeValue(tc, tlc, Cp, Ct, Vm)
                                          : ThresholdValue(tc, tlc, Ct, Vb, Vm);
}

// CYC-3: a new flag freezes from the next cycle on. In the pseudocode it freezes the counters that
// come after it in the cycle.
void Counting::Overflow(unsigned idx) {
  (Departs("CYC-3") ? new_flags : pmovs) |= UINT64_C(1) << idx;
}

// ---- Event counters

// lp, where the counters have 64 bits.
bool Counting::EffectiveLP(unsigned idx) const {
  if (Is("IncrementEventCounter: pmuexception_enabled", PMUExceptionIsEnabled())) return true;
  switch (GetPMUCounterRange(idx)) {
    case PMUCounterRange_R1:
      return Is("IncrementEventCounter: PMCR_EL0.LP", PMUV3_GET(pmcr, PMCR, LP) == 1);
    case PMUCounterRange_R2:
      return Is("IncrementEventCounter: MDCR_EL2.HLP", PMUV3_GET(mdcr_el2, MDCR_EL2, HLP) == 1);
    default:
      return Is("IncrementEventCounter: lp of R3", true);
  }
}

// The check for the CHAIN event from an even counter that overflows.
bool Counting::Chains(unsigned idx, bool lp) const {
  if (!Is("IncrementEventCounter: CHAIN: idx<0> == 0", idx % 2 == 0)) return false;
  if (!Is("IncrementEventCounter: CHAIN: idx + 1 < NUM_PMU_COUNTERS", idx + 1 < params->counters))
    return false;
  if (!Is("IncrementEventCounter: CHAIN: lp == 0", !lp)) return false;
  const PMUCounterRange range = GetPMUCounterRange(idx);
  // I-15: an even counter of the third range raises no CHAIN, whatever lp is.
  if (range == PMUCounterRange_R3 && Departs("I-15 CHAIN")) return false;
  return Is("IncrementEventCounter: CHAIN: same range", range == GetPMUCounterRange(idx + 1)) ||
         Is("IncrementEventCounter: CHAIN: Unpredictable_COUNT_CHAIN", false);  // K-CHAIN-SPLIT
}

// AArch64.IncrementEventCounter. Without AArch64, event counters have 32 bits.
unsigned Counting::IncrementEventCounter(unsigned idx, unsigned increment_in, unsigned Vm) {
  const uint64_t old_value = pmevcntr[idx];
  const unsigned increment = PMUCountValue(idx, increment_in, Vm);
  const uint64_t new_value = old_value + increment;
  bool lp = false;
  if (Is("IncrementEventCounter: FEAT_PMUv3p5", Has(PMUV3_FEATURE_PMUv3p5)) &&
      Is("IncrementEventCounter: HaveAArch64()", params->aa64)) {
    pmevcntr[idx] = new_value;
    lp = EffectiveLP(idx);
  } else {
    pmevcntr[idx] = new_value & 0xFFFFFFFF;
  }
  const unsigned ovflw = lp ? 64 : 32;
  if (Is("IncrementEventCounter: overflow", Differ(old_value, new_value, ovflw))) {
    Overflow(idx);
    if (Chains(idx, lp)) PMUEvent(PMUV3_EVENT_CHAIN, 1, idx + 1);
  }
  return increment;
}

// ---- Fixed counters

void Counting::IncrementInstructionCounter(unsigned increment) {
  if (!CountPMUEvents(kInstructionCounterId)) return;
  const uint64_t old_value = pmicntr;
  const uint64_t new_value = old_value + increment;
  pmicntr = new_value;
  // The effective value of PMCR_EL0.LP is 1 for the instruction counter.
  if (Is("IncrementInstructionCounter: overflow", Differ(old_value, new_value, 64)))
    Overflow(kInstructionCounterId);
}

bool Counting::HasElapsed64Cycles() {
  divider = (divider + 1) % 64;
  return Is("HasElapsed64Cycles", divider == 0);
}

// AArch64.IncrementCycleCounter. HaveAArch32(): EL0 can use AArch32 if any Exception level can.
void Counting::IncrementCycleCounter() {
  if (!CountPMUEvents(kCycleCounterId)) return;
  bool d = Is("IncrementCycleCounter: PMCR_EL0.D", PMUV3_GET(pmcr, PMCR, D) == 1);
  bool lc = Is("IncrementCycleCounter: PMCR_EL0.LC", PMUV3_GET(pmcr, PMCR, LC) == 1);
  if (Is("IncrementCycleCounter: lc_enabled", PMUExceptionIsEnabled())) lc = true;
  if (Is("IncrementCycleCounter: D: lc == 1", lc)) d = false;
  if (d && !HasElapsed64Cycles()) return;
  const uint64_t old_value = pmccntr;
  const uint64_t new_value = old_value + 1;
  pmccntr = new_value;
  const unsigned ovflw = Is("IncrementCycleCounter: HaveAArch32()", pmuv3_can_aa32(params, 0)) &&
                                 Is("IncrementCycleCounter: ovflw: lc == 0", !lc)
                             ? 32
                             : 64;
  if (Is("IncrementCycleCounter: overflow", Differ(old_value, new_value, ovflw)))
    Overflow(kCycleCounterId);
}

// ---- Events and cycles

void Counting::PMUEvent(uint16_t pmuevent, unsigned increment) {
  for (unsigned idx = 0; idx < params->counters; idx++) PMUEvent(pmuevent, increment, idx);
  if (Is("PMUEvent: HaveAArch64()", params->aa64) &&
      Is("PMUEvent: FEAT_PMUv3_ICNTR", Has(PMUV3_FEATURE_ICNTR)) &&
      Is("PMUEvent: INST_RETIRED", pmuevent == PMUV3_EVENT_INST_RETIRED))
    IncrementInstructionCounter(increment);
}

void Counting::PMUEvent(uint16_t pmuevent, unsigned increment, unsigned idx) {
  if (idx >= PMUV3_MAX_COUNTERS) return;  // CHAIN, by a mistake in the witness
  if (Is("PMUEvent: evtCount == pmuevent", (pmevtyper[idx] & 0xFFFF) == pmuevent))
    PMUEventAccumulator[idx] += increment;
}

// D13.6: MT of a counter, in a PE that is one of several threads. Without EL3 and EL2 nothing
// disables it.
bool Counting::EffectiveMT(unsigned idx) const {
  if (!Is("MT: PMEVTYPER.MT", PMUV3_GET(pmevtyper[idx], PMEVTYPER, MT) == 1) ||
      !Is("MT: several threads", params->threads > 1) ||
      !Is("MT: FEAT_MTPMU", Has(PMUV3_FEATURE_MTPMU)))
    return false;
  if (Is("MT: HaveEL(EL3)", params->el3))
    return Is("MT: MDCR_EL3.MTPME", PMUV3_GET(mdcr_el3, MDCR_EL3, MTPME) == 1);
  return !Is("MT: HaveEL(EL2)", params->el2) ||
         Is("MT: MDCR_EL2.MTPME", PMUV3_GET(mdcr_el2, MDCR_EL2, MTPME) == 1);
}

// The Level 1 data cache is not shared with other PEs, and the caches beyond it are. A write-back
// for a requestor outside the PE does not count in a shared cache, and counts in another one.
// "Clean" write-backs are some of these. An allocation must be Attributable. The line of a victim
// is allocated for an access of the PE. Other events of a shared cache must be Attributable with MT
// = 0; with MT = 1 that is K-SHARED-OTHER.
bool Counting::CountsUnattributable(uint16_t pmuevent, bool mt) const {
  switch (pmuevent) {
    case kL1dCacheWb:
      return !Is("L1D_CACHE_WB: the cache is shared", false);
    case kL1dCacheWbClean:
      return !Is("L1D_CACHE_WB_CLEAN: the cache is shared", false);
    case kL2dCacheWb:
      return !Is("L2D_CACHE_WB: the cache is shared", true);
    case kL2dCacheWbClean:
      return !Is("L2D_CACHE_WB_CLEAN: the cache is shared", true);
    case kL3dCacheWb:
      return !Is("L3D_CACHE_WB: the cache is shared", true);
    case kL3dCacheWbClean:
      return !Is("L3D_CACHE_WB_CLEAN: the cache is shared", true);
    case kL1dCacheAllocate:
      return Is("L1D_CACHE_ALLOCATE: Attributable", false);
    case kL2dCacheAllocate:
      return Is("L2D_CACHE_ALLOCATE: Attributable", false);
    case kL3dCacheAllocate:
      return Is("L3D_CACHE_ALLOCATE: Attributable", false);
    case kL1dCacheWbVictim:
      return Is("L1D_CACHE_WB_VICTIM: for an access of the PE", false);
    case kL2dCacheWbVictim:
      return Is("L2D_CACHE_WB_VICTIM: for an access of the PE", false);
    case kL3dCacheWbVictim:
      return Is("L3D_CACHE_WB_VICTIM: for an access of the PE", false);
    default:
      return Is("L2D_CACHE: MT", mt) && Is("L2D_CACHE: all events", params->k_shared_other == 1);
  }
}

void Counting::UnattributableEvent(uint16_t pmuevent, unsigned increment) {
  for (unsigned idx = 0; idx < params->counters; idx++)
    if (CountsUnattributable(pmuevent, EffectiveMT(idx))) PMUEvent(pmuevent, increment, idx);
}

void Counting::PMUSwIncrement(uint64_t sw_incr) {
  for (unsigned idx = 0; idx < EffectiveEPMN(); idx++)
    if (Is("PMUSwIncrement: sw_incr<idx> == 1", Bit(sw_incr, idx)))
      PMUEvent(PMUV3_EVENT_SW_INCR, 1, idx);
}

// AArch64.PMUCycle.
void Counting::PMUCycle() {
  PMUEvent(PMUV3_EVENT_CPU_CYCLES, 1);
  unsigned Vm = 0;
  for (unsigned idx = 0; idx < params->counters; idx++) {
    if (CountPMUEvents(idx)) {
      const unsigned accumulated = PMUEventAccumulator[idx];
      if (Is("PMUCycle: idx MOD 2 == 0", idx % 2 == 0)) Vm = 0;
      Vm = IncrementEventCounter(idx, accumulated, Vm);
    } else {
      // H-5: the value of an even counter that does not count is 0.
      if (idx % 2 == 0 && Departs("H-5")) Vm = 0;
      // H-2: so is the last value of the threshold condition.
      if (Departs("H-2 stopped")) PMULastThresholdValue[idx] = false;
    }
    PMUEventAccumulator[idx] = 0;
  }
  IncrementCycleCounter();
  pmovs |= new_flags;
  new_flags = 0;
}

}  // namespace pmuv3::witness
