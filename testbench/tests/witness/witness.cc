#include "testbench/tests/witness/witness.h"

namespace pmuv3::witness {
namespace {

constexpr uint64_t kF0 = UINT64_C(1) << 32;
constexpr uint64_t kC = UINT64_C(1) << 31;
constexpr uint64_t kP = kC - 1;

// Bits of PMUSERENR_EL0 and of fgt that the reach of an access goes by.
constexpr uint64_t kSw = 1 << 1, kCr = 1 << 2, kEr = 1 << 3, kUen = 1 << 4, kIr = 1 << 5;
constexpr uint64_t kFgtReadIcfiltr = 1 << 0, kFgtWriteIcfiltr = 1 << 1, kFgtWriteIcntr = 1 << 3;

bool Bit(uint64_t value, unsigned bit) {
  return (value >> bit & 1) != 0;
}

bool Traps(Control control, const State &s) {
  return Bit(s.mdcr_el3, control.bit) == control.traps;
}

// EL3 is there and uses AArch64.
bool El3Aa64(const State &s) {
  return s.params->el3 && !s.aa32[3];
}

// UEN and TID are RES0 before PMUv3p9.
uint64_t UserBits(const State &s) {
  return s.Has(PMUV3_FEATURE_PMUv3p9) ? s.pmuserenr : s.pmuserenr & 0xf;
}

// ---- Presence

bool Holds(Presence presence, const State &s, unsigned n) {
  switch (presence) {
    case Presence::kAlways:
      return true;
    case Presence::kEl3:
      return s.params->el3;
    case Presence::kSel2:
      return s.params->el2 && s.Has(PMUV3_FEATURE_SEL2);
    case Presence::kAa32El1:
      return s.highest_aa32 >= 1;
    case Presence::kAa32El2:
      return s.params->el2 && s.highest_aa32 >= 2;
    case Presence::kAa32El3:
      return s.params->el3 && s.highest_aa32 >= 3;
    // Without EL3, the Security state that the thread is in is the only one.
    case Presence::kSecureEl1Aa32:
      return s.highest_aa32 >= 1 && (s.params->el3 || s.secure);
    case Presence::kCounter:
      return n < s.epmn;
    case Presence::kSelected:
      return s.sel < s.epmn;
    case Presence::kSelectedOr31:
      return s.sel < s.epmn || s.sel == 31;
    case Presence::kEbepOrSs:
      return s.Has(PMUV3_FEATURE_EBEP) || s.Has(PMUV3_FEATURE_SS);
    case Presence::kPmuv3p1:
      return s.Has(PMUV3_FEATURE_PMUv3p1);
    case Presence::kPmuv3p4:
      return s.Has(PMUV3_FEATURE_PMUv3p4);
    case Presence::kPmuv3p9:
      return s.Has(PMUV3_FEATURE_PMUv3p9);
    case Presence::kSs:
      return s.Has(PMUV3_FEATURE_SS);
    case Presence::kSebep:
      return s.Has(PMUV3_FEATURE_SEBEP);
    case Presence::kIcntr:
      return s.Has(PMUV3_FEATURE_ICNTR);
  }
  return false;
}

bool Present(const Accessor &accessor, const State &s, unsigned n) {
  if (accessor.Aa32() != s.now_aa32) return false;
  for (const Presence presence : accessor.present)
    if (!Holds(presence, s, n)) return false;
  return true;
}

// ---- Ends

constexpr uint8_t kClass[] = {0x18, 0x18, 0x03, 0x03, 0x04, 0x04};  // by Instruction

// The ISS of an instruction with Rt and Rt2 of 0. In AArch32 it is unconditional: CV 1, COND 0xE.
uint32_t Syndrome(const Accessor &accessor, uint16_t reg) {
  const uint32_t op0 = reg >> 14, op1 = reg >> 11 & 7, crn = reg >> 7 & 15, crm = reg >> 3 & 15;
  const uint32_t op2 = reg & 7, read = accessor.Writes() ? 0 : 1;
  const uint32_t unconditional = 1u << 24 | 0xeu << 20;
  switch (accessor.instruction) {
    case Instruction::kMrs:
    case Instruction::kMsr:
      return op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | crm << 1 | read;
    case Instruction::kMrc:
    case Instruction::kMcr:
      return unconditional | op2 << 17 | op1 << 14 | crn << 10 | crm << 1 | read;
    default:
      return unconditional | op1 << 16 | crm << 1 | read;
  }
}

Decision Undefined(const Check *check) {
  return {PMUV3_UNDEFINED, 0, 0, 0, 0, check};
}

Decision Trap(unsigned el, const Accessor &accessor, uint16_t reg, const Check *check) {
  const auto result = static_cast<pmuv3_result>(PMUV3_TRAP_EL1 + el - 1);
  return {result,
          static_cast<uint8_t>(el),
          kClass[static_cast<int>(accessor.instruction)],
          Syndrome(accessor, reg),
          0,
          check};
}

// The end of an access that EL1 in AArch32 refuses EL0.
Decision RefusedByAa32(const State &s, const Accessor &accessor, uint16_t reg, const Check *check) {
  if (!s.el2_enabled || !s.tge) return Undefined(check);
  Decision trap = Trap(2, accessor, reg, check);
  if (s.aa32[2]) trap.ec = 0, trap.iss = 0;
  return trap;
}

Decision End(const Check &check, const State &s, const Accessor &accessor, uint16_t reg) {
  switch (check.op) {
    case Op::kUndef:
    case Op::kSdd:
    case Op::kSecure:
    case Op::kEel2:
    case Op::kNs:
    case Op::kSdisable:
      return Undefined(&check);
    case Op::kUser:
    case Op::kUser64:
    case Op::kBar:
    case Op::kBar64:
      return Trap(s.el2_enabled && s.tge ? 2 : 1, accessor, reg, &check);
    case Op::kUser32:
    case Op::kBar32:
      return RefusedByAa32(s, accessor, reg, &check);
    case Op::kEl3:
      return s.halted && s.sdd ? Undefined(&check) : Trap(3, accessor, reg, &check);
    case Op::kSecure3:
    case Op::kFgwte3:
      return Trap(3, accessor, reg, &check);
    default:
      return Trap(2, accessor, reg, &check);
  }
}

// ---- Reach

uint64_t EventCounters(const State &s) {
  return (UINT64_C(1) << s.Accessible()) - 1;
}

// Traps of the instruction counter's own registers that hide F0 in those of all counters.
bool HidesF0(const State &s, uint64_t fgt) {
  if (s.params->el3 && s.el != 3 && !Bit(s.mdcr_el3, 7)) return true;  // EnPM2
  return s.el2_enabled && s.el < 2 && !(s.e2h && s.tge) && (s.fgt & fgt) != 0;
}

uint64_t Visible(const State &s) {
  uint64_t mask = EventCounters(s) | kC;
  const bool f0 = s.Has(PMUV3_FEATURE_ICNTR) && !s.now_aa32;
  if (f0 && (s.el != 0 || (s.pmuserenr & kUen))) mask |= kF0;
  return s.UserAccess() ? mask & s.pmuacr : mask;
}

uint64_t Readable(const State &s) {
  const uint64_t mask = Visible(s);
  return HidesF0(s, kFgtReadIcfiltr) ? mask & ~kF0 : mask;
}

uint64_t Writable(const State &s, uint64_t fgt) {
  uint64_t mask = Visible(s);
  if (s.UserAccess()) {
    if (s.pmuserenr & kIr) mask &= ~kF0;
    if (s.pmuserenr & kCr) mask &= ~kC;
    if (s.pmuserenr & kEr) mask &= ~kP;
  }
  return HidesF0(s, fgt) ? mask & ~kF0 : mask;
}

uint64_t Incrementable(const State &s) {
  const uint64_t mask = EventCounters(s);
  return s.UserAccess() && !(s.pmuserenr & kSw) ? mask & s.pmuacr : mask;
}

// The counter that a register of one counter is of, as its bit of PMUACR.
unsigned CounterBit(Which which, const State &s, unsigned n) {
  switch (which) {
    case Which::kC:
      return 31;
    case Which::kF0:
      return 32;
    case Which::kSel:
      return s.sel;
    default:
      return n;
  }
}

uint64_t UserReach(const Path &path, const State &s, unsigned n, bool writes) {
  if (!s.UserAccess()) return ~UINT64_C(0);
  const unsigned bit = CounterBit(path.which, s, n);
  const uint64_t read_only = path.which == Which::kSel && bit == 31 ? kCr : path.read_only;
  const bool hidden = !Bit(s.pmuacr, bit) || (writes && (s.pmuserenr & read_only));
  return hidden ? 0 : ~UINT64_C(0);
}

uint64_t ReachOf(const Path &path, const State &s, unsigned n, bool writes) {
  switch (path.reach) {
    case Reach::kUen:
      return UserReach(path, s, n, writes);
    case Reach::kBits:
      return writes ? Writable(s, kFgtWriteIcfiltr) : Readable(s);
    case Reach::kZero:
      return Writable(s, kFgtWriteIcntr);
    case Reach::kSwinc:
      return Incrementable(s);
    case Reach::kEvents:
      return ~(kP & ~EventCounters(s));
    case Reach::kPmcr:
      return EventCounters(s);
    default:
      return ~UINT64_C(0);
  }
}

}  // namespace

bool State::UserAccess() const {
  return Has(PMUV3_FEATURE_PMUv3p9) && el == 0 && !aa32[1] && (pmuserenr & kUen) != 0;
}

bool Bites(const Check &check, const State &s, unsigned n) {
  const bool in_host = s.el == 0 && s.InHost();
  switch (check.op) {
    case Op::kUndef:
      return true;
    case Op::kSdd:
      return s.sdd_first && s.halted && s.sdd && El3Aa64(s) && Traps(check.control, s);
    case Op::kUser:
      return (UserBits(s) & check.bits) == 0;
    case Op::kUser64:
      return !s.aa32[1] && (UserBits(s) & check.bits) == 0;
    case Op::kUser32:
      return s.aa32[1] && (UserBits(s) & check.bits) == 0;
    case Op::kBar:
      return (UserBits(s) & check.bits) != 0;
    case Op::kBar64:
      return !s.aa32[1] && (UserBits(s) & check.bits) != 0;
    case Op::kBar32:
      return s.aa32[1] && (UserBits(s) & check.bits) != 0;
    case Op::kFgt:
      return s.el2_enabled && !s.aa32[1] && !in_host && (s.fgt & check.bits) != 0;
    case Op::kHstr9:
      return s.el2_enabled && !in_host && s.hstr_t9;
    case Op::kHstr1:
      return s.el2_enabled && s.hstr_t1;
    case Op::kTpm2:
      return s.el2_enabled && Bit(s.mdcr_el2, 6);
    case Op::kTpmcr2:
      return s.el2_enabled && Bit(s.mdcr_el2, 5);
    case Op::kHpmn:
      return s.el2_enabled && n != 31 && n >= s.Accessible();
    case Op::kNv:
      return s.el2_enabled && s.nv;
    case Op::kTdeTda2:
      return s.el2_enabled && !s.aa32[2] && s.tde_tda;
    case Op::kSecure:
      return !s.secure;
    case Op::kSecure2:
      return s.el2_enabled && !s.aa32[2] && s.secure;
    case Op::kSecure3:
      return El3Aa64(s) && s.secure;
    case Op::kEel2:
      return !s.eel2;
    case Op::kNs:
      return !s.ns;
    case Op::kEl3:
      return El3Aa64(s) && Traps(check.control, s);
    case Op::kFgwte3:
      return s.fgwte3;
    case Op::kSdisable:
      return s.sdisable;
  }
  return false;
}

Decision Decide(const Accessor &accessor, const State &s, uint16_t reg, unsigned n) {
  if (!Present(accessor, s, n)) return Undefined(nullptr);
  const Path &path = accessor.at[s.el];
  const unsigned counter = accessor.indexed ? n : s.sel;
  for (const Check &check : path.checks)
    if (Bites(check, s, counter)) return End(check, s, accessor, reg);
  return {PMUV3_DONE, 0, 0, 0, ReachOf(path, s, counter, accessor.Writes()), nullptr};
}

}  // namespace pmuv3::witness
