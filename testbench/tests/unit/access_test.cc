// access: the results of accesses that the thread's state decides, and their reach (D13.11, Tables
// D13-11 and D13-12, the accessors of the registers). Every register in every state, against a
// table of permissions and traps.
#include <cstring>
#include <set>
#include <utility>

#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t Field(int bit) {
  return UINT64_C(1) << bit;
}

// PMUSERENR_EL0. UEN is treated as 0 if EL1 uses AArch32.
constexpr unsigned kEn = 1, kSw = 2, kCr = 4, kEr = 8, kUen = 16, kTid = 64;

// MDCR_EL2 and MDCR_EL3.
constexpr uint64_t kTpm = Field(6), kTpmcr = Field(5), kEnPm2 = Field(7), kEnPmss = Field(44);

// The traps of a register.
enum Traps : unsigned {
  kNone = 0,
  kByTpm = 1,     // MDCR_EL2.TPM, MDCR_EL3.TPM
  kByTpmcr = 2,   // MDCR_EL2.TPMCR
  kByEnPm2 = 4,   // MDCR_EL3.EnPM2
  kByEnPmss = 8,  // MDCR_EL3.EnPMSS
};

enum Way { kReadWrite, kReadOnly, kWriteOnly };

// The bits of PMUSERENR_EL0 that allow access at EL0. kUndefined: none does, and EL0 gets
// UNDEFINED.
constexpr unsigned kUndefined = 0x100, kAlways = 0x200;

struct Register {
  int reg;   // the AArch64 register
  int view;  // the AArch32 view, 0: none
  Way way;
  unsigned read_by, write_by;  // at EL0: any of these bits,
  unsigned not_with;           // and none of these bits
  unsigned traps;
  int n;  // the event counter of the register, -1: none
};

constexpr unsigned kU = kEn | kUen;  // Table D13-12: most registers

const Register kRegisters[] = {
    {PMUV3_PMCR, PMUV3_PMCR_AA32, kReadWrite, kEn, kEn, kUen, kByTpm | kByTpmcr, -1},
    {PMUV3_PMCNTENSET, PMUV3_PMCNTENSET_AA32, kReadWrite, kU, kU, 0, kByTpm, -1},
    {PMUV3_PMCNTENCLR, PMUV3_PMCNTENCLR_AA32, kReadWrite, kU, kU, 0, kByTpm, -1},
    {PMUV3_PMOVSCLR, PMUV3_PMOVSR, kReadWrite, kU, kU, 0, kByTpm, -1},
    {PMUV3_PMOVSSET, PMUV3_PMOVSSET_AA32, kReadWrite, kU, kU, 0, kByTpm, -1},
    {PMUV3_PMSWINC, PMUV3_PMSWINC_AA32, kWriteOnly, 0, kU | kSw, 0, kByTpm, -1},
    {PMUV3_PMSELR, PMUV3_PMSELR_AA32, kReadWrite, kU | kEr, kU | kEr, 0, kByTpm, -1},
    {PMUV3_PMCEID0, PMUV3_PMCEID0_AA32, kReadOnly, kU, 0, kTid, kByTpm, -1},
    {PMUV3_PMCEID1, PMUV3_PMCEID1_AA32, kReadOnly, kU, 0, kTid, kByTpm, -1},
    {PMUV3_PMCEID0, PMUV3_PMCEID2, kReadOnly, kU, 0, kTid, kByTpm, -1},
    {PMUV3_PMCEID1, PMUV3_PMCEID3, kReadOnly, kU, 0, kTid, kByTpm, -1},
    {PMUV3_PMCCNTR, PMUV3_PMCCNTR_AA32, kReadWrite, kU | kCr, kU, 0, kByTpm, -1},
    {PMUV3_PMCCFILTR, PMUV3_PMCCFILTR_AA32, kReadWrite, kU, kU, 0, kByTpm, -1},
    {PMUV3_PMZR, 0, kWriteOnly, 0, kU, 0, kByTpm, -1},
    {PMUV3_PMUSERENR, PMUV3_PMUSERENR_AA32, kReadWrite, kAlways, kUndefined, 0, kByTpm, -1},
    {PMUV3_PMINTENSET, PMUV3_PMINTENSET_AA32, kReadWrite, kUndefined, kUndefined, 0, kByTpm, -1},
    {PMUV3_PMINTENCLR, PMUV3_PMINTENCLR_AA32, kReadWrite, kUndefined, kUndefined, 0, kByTpm, -1},
    {PMUV3_PMMIR, PMUV3_PMMIR_AA32, kReadOnly, kUndefined, kUndefined, 0, kByTpm, -1},
    {PMUV3_PMICNTR, 0, kReadWrite, kUen, kUen, 0, kByTpm | kByEnPm2, -1},
    {PMUV3_PMICFILTR, 0, kReadWrite, kUen, kUen, 0, kByTpm | kByEnPm2, -1},
    {PMUV3_PMUACR, 0, kReadWrite, kUndefined, kUndefined, 0, kByTpm | kByEnPm2, -1},
    {PMUV3_PMECR, 0, kReadWrite, kUndefined, kUndefined, 0, kByTpm | kByEnPm2, -1},
    {PMUV3_PMIAR, 0, kReadWrite, kUndefined, kUndefined, 0, kByTpm | kByEnPm2, -1},
    {PMUV3_PMSSCR, 0, kReadWrite, kUndefined, kUndefined, 0, kByEnPmss, -1},
    {PMUV3_PMCCNTSVR, 0, kReadOnly, kUndefined, kUndefined, 0, kByEnPmss, -1},
    {PMUV3_PMICNTSVR, 0, kReadOnly, kUndefined, kUndefined, 0, kByEnPmss, -1},
    // A counter in R1, a counter in R2, a counter that is not implemented.
    {PMUV3_PMEVCNTRn(0), PMUV3_PMEVCNTRn_AA32(0), kReadWrite, kU | kEr, kU, 0, kByTpm, 0},
    {PMUV3_PMEVCNTRn(1), PMUV3_PMEVCNTRn_AA32(1), kReadWrite, kU | kEr, kU, 0, kByTpm, 1},
    {PMUV3_PMEVCNTRn(2), PMUV3_PMEVCNTRn_AA32(2), kReadWrite, kU | kEr, kU, 0, kByTpm, 2},
    {PMUV3_PMEVTYPERn(0), PMUV3_PMEVTYPERn_AA32(0), kReadWrite, kU, kU, 0, kByTpm, 0},
    {PMUV3_PMEVTYPERn(1), PMUV3_PMEVTYPERn_AA32(1), kReadWrite, kU, kU, 0, kByTpm, 1},
    {PMUV3_PMEVTYPERn(2), PMUV3_PMEVTYPERn_AA32(2), kReadWrite, kU, kU, 0, kByTpm, 2},
    {PMUV3_PMEVCNTSVRn(0), 0, kReadOnly, kUndefined, kUndefined, 0, kByEnPmss, 0},
    {PMUV3_PMEVCNTSVRn(1), 0, kReadOnly, kUndefined, kUndefined, 0, kByEnPmss, 1},
    {PMUV3_PMEVCNTSVRn(2), 0, kReadOnly, kUndefined, kUndefined, 0, kByEnPmss, 2},
};
constexpr int kCounters = 2, kHpmn = 1;

// A register has a row above, but for those that PMSELR selects, and those of EL2 and EL3 alone.
TEST(AccessTableTest, HasEveryRegister) {
  std::set<int> here = {PMUV3_PMXEVTYPER, PMUV3_PMXEVCNTR, PMUV3_MDCR_EL2, PMUV3_MDCR_EL3,
                        PMUV3_SDER32_EL3};
  for (const Register &r : kRegisters) here.insert(r.reg);
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  EXPECT_EQ(here.count(PMUV3_##id), 1u) << name;
#include "pmuv3/registers.def"
}

// The state that decides an access.
struct State {
  pmuv3_pe pe;
  bool el2_enabled;  // EL2Enabled()
  bool aarch32;      // the thread is in AArch32 state
  bool el1_aarch32;  // EL1 uses AArch32
  bool el3_traps;    // EL3 exists and uses AArch64
  uint64_t mdcr_el2, mdcr_el3;
  unsigned pmuserenr;
};

bool Allowed(const Register &r, bool write, const State &state) {
  const unsigned ones = state.el1_aarch32 ? state.pmuserenr & ~kUen : state.pmuserenr;
  const unsigned by = write ? r.write_by : r.read_by;
  return by == kAlways || (ones & by && !(ones & r.not_with));
}

bool TrappedToEl2(const Register &r, const State &state) {
  if (!state.el2_enabled || state.pe.el > 1) return false;
  return (r.traps & kByTpm && state.mdcr_el2 & kTpm) ||
         (r.traps & kByTpmcr && state.mdcr_el2 & kTpmcr) || r.n >= kHpmn;
}

bool TrappedToEl3(const Register &r, const State &state) {
  if (!state.el3_traps || state.pe.el == 3) return false;
  return (r.traps & kByTpm && state.mdcr_el3 & kTpm) ||
         (r.traps & kByEnPm2 && !(state.mdcr_el3 & kEnPm2)) ||
         (r.traps & kByEnPmss && !(state.mdcr_el3 & kEnPmss));
}

pmuv3_result Expected(const Register &r, bool write, const State &state) {
  if (r.n >= kCounters || (state.aarch32 && !r.view)) return PMUV3_UNDEFINED;
  if (write ? r.way == kReadOnly : r.way == kWriteOnly) return PMUV3_UNDEFINED;
  if (state.pe.el == 0) {
    if ((write ? r.write_by : r.read_by) == kUndefined) return PMUV3_UNDEFINED;
    if (!Allowed(r, write, state)) {
      if (state.el2_enabled && state.pe.tge) return PMUV3_TRAP_EL2;
      return state.el1_aarch32 && state.aarch32 ? PMUV3_UNDEFINED : PMUV3_TRAP_EL1;
    }
  }
  if (TrappedToEl2(r, state)) return PMUV3_TRAP_EL2;
  if (TrappedToEl3(r, state)) return PMUV3_TRAP_EL3;
  return PMUV3_DONE;
}

class AccessTest : public SideTest {
 protected:
  // Reads and writes every register in this state. Sets the state's controls first. Writes write
  // the old value, so that no write affects later accesses.
  void CheckAll(const State &state) {
    SetPe(state.pe);
    Write(PMUV3_MDCR_EL2, state.mdcr_el2 | kHpmn);
    Write(PMUV3_MDCR_EL3, state.mdcr_el3);
    Write(PMUV3_PMUSERENR, state.pmuserenr);
    for (const Register &r : kRegisters) {
      const uint16_t reg = state.aarch32 && r.view ? r.view : r.reg;
      for (const bool write : {false, true}) {
        uint64_t value = 0x5A;
        const pmuv3_result result =
            write ? Msr(reg,
                        reg == PMUV3_PMUSERENR || reg == PMUV3_PMUSERENR_AA32 ? state.pmuserenr : 0)
                  : TryMrs(reg, &value);
        const pmuv3_result expected = Expected(r, write, state);
        if (result == expected && (write || result == PMUV3_DONE || value == 0)) continue;
        char name[24];
        ADD_FAILURE() << (write ? "msr " : "mrs ") << pmuv3_register_name(reg, name) << " is "
                      << result << " and not " << expected << ", reads " << value << std::hex
                      << ": el" << int{state.pe.el} << " ss " << int{state.pe.ss} << " EL2 enabled "
                      << state.el2_enabled << " TGE " << state.pe.tge << " MDCR_EL2 "
                      << state.mdcr_el2 << " MDCR_EL3 " << state.mdcr_el3 << " PMUSERENR "
                      << state.pmuserenr;
      }
    }
  }

  // Every setting of the traps. At EL0 every PMUSERENR, elsewhere PMUSERENR = 0 and all ones.
  void CheckTraps(State state) {
    for (unsigned traps = 0; traps < 32; traps++) {
      state.mdcr_el2 = (Bit(traps, 0) ? kTpm : 0) | (Bit(traps, 1) ? kTpmcr : 0);
      state.mdcr_el3 =
          (Bit(traps, 2) ? kTpm : 0) | (Bit(traps, 3) ? kEnPm2 : 0) | (Bit(traps, 4) ? kEnPmss : 0);
      for (unsigned pmuserenr = 0; pmuserenr < 128; pmuserenr += state.pe.el == 0 ? 1 : 127) {
        state.pmuserenr = pmuserenr;
        CheckAll(state);
        if (HasFailure()) return;  // one failing state is enough to report
      }
    }
  }
};
PMUV3_ON_BOTH_SIDES(AccessTest);

State InAArch64(unsigned el, pmuv3_security_state ss, bool el2_enabled) {
  State state = {};
  state.pe = Pe(el, ss);
  state.el2_enabled = el2_enabled;
  state.el3_traps = true;
  return state;
}

// Non-secure state at each Exception level: EL2 is enabled.
TEST_P(AccessTest, NonSecure) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2,SS");
  for (unsigned el = 0; el < 3; el++) CheckTraps(InAArch64(el, PMUV3_NS, true));
}

TEST_P(AccessTest, El3) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2,SS");
  CheckTraps(InAArch64(3, PMUV3_S, false));
}

// With TGE, a refused access from EL0 traps to EL2, whatever E2H is.
TEST_P(AccessTest, Tge) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2,SS");
  State state = InAArch64(0, PMUV3_NS, true);
  state.pe.tge = true;
  CheckTraps(state);
  state.pe.e2h = true;
  CheckTraps(state);
}

// Secure state: EL2 is enabled by EEL2, with SEL2.
TEST_P(AccessTest, Secure) {
  for (const bool eel2 : {false, true}) {
    Build("counters=2 features=ICNTR,SEBEP,SEL2,SS");
    for (unsigned el = 0; el < 2; el++) {
      State state = InAArch64(el, PMUV3_S, eel2);
      state.pe.eel2 = eel2;
      CheckTraps(state);
    }
  }
}

TEST_P(AccessTest, SecureWithoutSel2) {
  Build("counters=2 features=ICNTR,SEBEP,SS");
  State state = InAArch64(1, PMUV3_S, false);
  state.pe.eel2 = true;
  CheckTraps(state);
}

TEST_P(AccessTest, Realm) {
  Build("counters=2 features=ICNTR,SEBEP,RME,SS");
  for (unsigned el = 0; el < 3; el++) CheckTraps(InAArch64(el, PMUV3_RL, true));
}

TEST_P(AccessTest, WithoutEl3) {
  Build("counters=2 el3=0 features=ICNTR,SEBEP,SS");
  for (unsigned el = 0; el < 3; el++) {
    State state = InAArch64(el, PMUV3_NS, true);
    state.el3_traps = false;
    CheckTraps(state);
  }
}

TEST_P(AccessTest, WithoutEl2) {
  Build("counters=2 el2=0 features=ICNTR,SEBEP,SS");
  for (unsigned el = 0; el < 2; el++) CheckTraps(InAArch64(el, PMUV3_NS, false));
}

// EL0 in AArch32 below EL1 in AArch64: PMUSERENR_EL0 has UEN and TID, and traps go to EL1.
TEST_P(AccessTest, AArch32At0) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2");
  State state = InAArch64(0, PMUV3_NS, true);
  state.aarch32 = state.pe.aa32 = true;
  CheckTraps(state);
}

// EL1 in AArch32: UEN is treated as 0, and refused accesses from EL0 are UNDEFINED.
TEST_P(AccessTest, AArch32At1) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2");
  for (unsigned el = 0; el < 2; el++) {
    State state = InAArch64(el, PMUV3_NS, true);
    state.aarch32 = state.pe.aa32 = state.el1_aarch32 = state.pe.a32el1 = true;
    CheckTraps(state);
    state.pe.aa32 = false;  // EL0 follows EL1
    CheckTraps(state);
  }
}

// EL3 in AArch32: MDCR_EL3 traps nothing. EEL2 enables EL2 only at EL3, where EEL2 is SCR.NS.
TEST_P(AccessTest, AArch32At3) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2");
  for (unsigned el = 0; el < 3; el++) {
    State state = InAArch64(el, PMUV3_NS, true);
    state.aarch32 = state.pe.aa32 = state.el1_aarch32 = state.pe.a32el3 = true;
    state.el3_traps = false;
    CheckTraps(state);
    state.pe.aa32 = false;
    CheckTraps(state);
  }
  for (unsigned el : {0u, 1u, 3u}) {
    State state = InAArch64(el, PMUV3_S, el == 3);
    state.aarch32 = state.el1_aarch32 = state.pe.a32el3 = state.pe.eel2 = true;
    state.el3_traps = false;
    CheckTraps(state);
  }
}

// Debug state, the OS Lock and the OS Double Lock make no difference.
TEST_P(AccessTest, DebugState) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2,SS");
  State state = InAArch64(1, PMUV3_NS, true);
  state.pe.halted = state.pe.oslk = state.pe.dlk = true;
  CheckTraps(state);
}

// E.8: in AArch64 state AArch32 registers are UNDEFINED, and the other way round.
TEST_P(AccessTest, OtherState) {
  Build("counters=2 features=ICNTR,SEBEP,SEL2");
  Write(PMUV3_MDCR_EL3, kEnPm2);
  for (const Register &r : kRegisters) {
    uint64_t value;
    SetPe(Pe());
    EXPECT_EQ(r.view ? TryMrs(r.view, &value) : PMUV3_UNDEFINED, PMUV3_UNDEFINED) << r.view;
    SetPe(Pe().A32El1().Aa32());
    EXPECT_EQ(TryMrs(r.reg, &value), PMUV3_UNDEFINED) << r.reg;
    EXPECT_EQ(Msr(r.reg, 0), PMUV3_UNDEFINED) << r.reg;
  }
}

// PMXEVCNTR_EL0 and PMXEVTYPER_EL0 behave as the register of the counter that SEL selects. With SEL
// = 31, PMXEVTYPER_EL0 is PMCCFILTR_EL0, and PMXEVCNTR_EL0 is UNDEFINED (K-PMXEVCNTR31).
TEST_P(AccessTest, Selected) {
  Build("counters=2 features=ICNTR,SEL2");
  for (unsigned el = 0; el < 4; el++)
    for (unsigned setting = 0; setting < 8; setting++) {
      const bool tpm = Bit(setting, 0), en = Bit(setting, 1), er = Bit(setting, 2);
      SetPe(Pe(el, el == 3 ? PMUV3_S : PMUV3_NS));
      Write(PMUV3_MDCR_EL2, (tpm ? kTpm : 0) | kHpmn);
      Write(PMUV3_PMUSERENR, (en ? kEn : 0) | (er ? kEr : 0));
      for (unsigned sel = 0; sel < 32; sel++) {
        SCOPED_TRACE(::testing::Message() << "el" << el << " TPM " << tpm << " EN " << en << " ER "
                                          << er << " SEL " << sel);
        Write(PMUV3_PMSELR, sel);
        const bool traps = el < 2 && (tpm || (sel >= kHpmn && sel != 31));
        const pmuv3_result when_allowed = traps ? PMUV3_TRAP_EL2 : PMUV3_DONE;
        const pmuv3_result of_type = el == 0 && !en ? PMUV3_TRAP_EL1 : when_allowed;
        const pmuv3_result of_count = el == 0 && !en && !er ? PMUV3_TRAP_EL1 : when_allowed;
        const bool undefined = sel >= kCounters;
        uint64_t value;
        EXPECT_EQ(TryMrs(PMUV3_PMXEVTYPER, &value),
                  undefined && sel != 31 ? PMUV3_UNDEFINED : of_type);
        EXPECT_EQ(Msr(PMUV3_PMXEVTYPER, 0), undefined && sel != 31 ? PMUV3_UNDEFINED : of_type);
        EXPECT_EQ(TryMrs(PMUV3_PMXEVCNTR, &value), undefined ? PMUV3_UNDEFINED : of_count);
        EXPECT_EQ(Msr(PMUV3_PMXEVCNTR, 0), undefined ? PMUV3_UNDEFINED : of_type);
      }
    }
}

// MDCR_EL2 at EL2 and EL3, MDCR_EL3 and SDER32_EL3 at EL3. Nothing traps these accesses.
TEST_P(AccessTest, ControlsOfEl2AndEl3) {
  struct {
    const char *settings;
    unsigned el;
    pmuv3_result mdcr_el2, mdcr_el3;
  } const cases[] = {
      {"", 0, PMUV3_UNDEFINED, PMUV3_UNDEFINED},      {"", 1, PMUV3_UNDEFINED, PMUV3_UNDEFINED},
      {"", 2, PMUV3_DONE, PMUV3_UNDEFINED},           {"", 3, PMUV3_DONE, PMUV3_DONE},
      {"el2=0", 1, PMUV3_UNDEFINED, PMUV3_UNDEFINED}, {"el2=0", 3, PMUV3_DONE, PMUV3_DONE},
      {"el3=0", 1, PMUV3_UNDEFINED, PMUV3_UNDEFINED}, {"el3=0", 2, PMUV3_DONE, PMUV3_UNDEFINED},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.settings << " el" << c.el);
    Build(c.settings);
    Write(PMUV3_MDCR_EL2, kTpm | kTpmcr);
    Write(PMUV3_MDCR_EL3, kTpm);
    SetPe(Pe(c.el, c.el == 3 ? PMUV3_RT : PMUV3_NS));
    uint64_t value;
    EXPECT_EQ(TryMrs(PMUV3_MDCR_EL2, &value), c.mdcr_el2);
    EXPECT_EQ(TryMrs(PMUV3_MDCR_EL3, &value), c.mdcr_el3);
    EXPECT_EQ(TryMrs(PMUV3_SDER32_EL3, &value), c.mdcr_el3);
    EXPECT_EQ(Msr(PMUV3_SDER32_EL3, 0), c.mdcr_el3);
    EXPECT_EQ(Msr(PMUV3_MDCR_EL2, kHpmn), c.mdcr_el2);
    EXPECT_EQ(Msr(PMUV3_MDCR_EL3, 0), c.mdcr_el3);
  }
}

// The AArch32 views HDCR, SDCR and SDER (G8.3.32, G8.3.35, G8.3.36).
TEST_P(AccessTest, ViewsOfControls) {
  constexpr pmuv3_result kNo = PMUV3_UNDEFINED, kDone = PMUV3_DONE;
  struct {
    const char *settings;
    pmuv3_pe pe;
    pmuv3_result hdcr, sdcr, sder;
  } const cases[] = {
      {"features=SEL2", Pe(3, PMUV3_S).A32El3(), kNo, kDone, kDone},
      {"features=SEL2", Pe(3, PMUV3_S).A32El3().Eel2(), kDone, kDone, kDone},
      {"features=SEL2", Pe(2, PMUV3_NS).A32El3(), kDone, kNo, kNo},
      {"features=SEL2", Pe(2, PMUV3_NS).Aa32(), kDone, kNo, kNo},
      {"features=SEL2", Pe(2, PMUV3_NS).A32El1().A32El2(), kDone, kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_S).A32El3(), kNo, kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_S).A32El3().Eel2(), kNo, kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_NS).A32El3(), kNo, kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_S).A32El1(), kNo, PMUV3_TRAP_EL3, kDone},
      {"features=SEL2", Pe(1, PMUV3_S).A32El1().Eel2(), kNo, PMUV3_TRAP_EL2, kDone},
      {"features=TH", Pe(1, PMUV3_S).A32El1().Eel2(), kNo, PMUV3_TRAP_EL3, kDone},
      {"features=SEL2", Pe(1, PMUV3_NS).A32El1(), kNo, kNo, kNo},
      {"features=SEL2", Pe(0, PMUV3_S).A32El1().Eel2(), kNo, kNo, kNo},
      {"features=SEL2", Pe(0, PMUV3_S).A32El3(), kNo, kNo, kNo},
      {"features=RME", Pe(1, PMUV3_RL).A32El1(), kNo, kNo, kNo},
      {"el2=0", Pe(3, PMUV3_RT).A32El3(), kNo, kDone, kDone},
      {"el2=0", Pe(3, PMUV3_RT).A32El3().Eel2(), kNo, kDone, kDone},
      {"el2=0", Pe(1, PMUV3_S).A32El1(), kNo, PMUV3_TRAP_EL3, kDone},
      {"el3=0", Pe(2, PMUV3_NS).Aa32(), kDone, kNo, kNo},
      {"el3=0", Pe(1, PMUV3_S).A32El1(), kNo, kNo, kDone},
      {"el2=0 el3=0", Pe(1, PMUV3_S).A32El1(), kNo, kNo, kDone},
      {"el2=0 el3=0 aa64=0", Pe(1, PMUV3_S), kNo, kNo, kDone},
      {"el3=0", Pe(1, PMUV3_NS).A32El1(), kNo, kNo, kNo},
      // I-2: SDCR needs AArch32 at EL3, and HDCR at EL2.
      {"features=SEL2 aa32=el2", Pe(1, PMUV3_S).A32El1(), kNo, kNo, kDone},
      {"features=SEL2 aa32=el2", Pe(2, PMUV3_NS).Aa32(), kDone, kNo, kNo},
      {"features=SEL2 aa32=el1", Pe(1, PMUV3_S).A32El1().Eel2(), kNo, kNo, kDone},
      {"features=SEL2 aa32=el0", Pe(0, PMUV3_S).Aa32(), kNo, kNo, kNo},
      {"aa64=0", Pe(3, PMUV3_S), kNo, kDone, kDone},
      {"aa64=0", Pe(3, PMUV3_S).Eel2(), kDone, kDone, kDone},
      {"aa64=0", Pe(2, PMUV3_NS), kDone, kNo, kNo},
      {"aa64=0", Pe(1, PMUV3_S), kNo, kNo, kNo},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << c.settings << " el" << int{c.pe.el} << " ss " << int{c.pe.ss} << " a32el3 "
                 << c.pe.a32el3 << " a32el1 " << c.pe.a32el1 << " EEL2 " << c.pe.eel2);
    Build(c.settings);
    Write(PMUV3_MDCR_EL2, kTpm | kTpmcr | kHpmn);
    Write(PMUV3_MDCR_EL3, kTpm);
    SetPe(c.pe);
    const std::pair<uint16_t, pmuv3_result> views[] = {
        {PMUV3_HDCR, c.hdcr}, {PMUV3_SDCR, c.sdcr}, {PMUV3_SDER, c.sder}};
    for (const auto &[view, result] : views) {
      uint64_t value;
      EXPECT_EQ(TryMrs(view, &value), result) << "mrs " << std::hex << view;
      EXPECT_EQ(Msr(view, 0), result) << "msr " << std::hex << view;
    }
  }
}

// SDER32_EL3 controls an EL1 in AArch32, which SS excludes.
TEST_P(AccessTest, NoSder32WithoutAArch32AtEl1) {
  for (const char *settings : {"features=SS", "features=none aa32=el0", "features=none aa32=none"})
    for (unsigned el = 0; el < 4; el++) {
      SCOPED_TRACE(::testing::Message() << settings << " el" << el);
      Build(settings);
      SetPe(Pe(el, el == 3 ? PMUV3_S : PMUV3_NS));
      uint64_t value;
      EXPECT_EQ(TryMrs(PMUV3_SDER32_EL3, &value), PMUV3_UNDEFINED);
      EXPECT_EQ(Msr(PMUV3_SDER32_EL3, 2), PMUV3_UNDEFINED);
    }
}

// ---- Reach ----

constexpr uint64_t kC = Field(31), kF0 = Field(32);

// Table D13-12, UEN = 1: PMUACR gives a counter. ER, CR and IR make the counter read-only. Every
// setting of the bits of one event counter, C and F0, in the registers with a bit for each counter.
TEST_P(AccessTest, ReachAt0) {
  Build("counters=2 features=ICNTR");
  Write(PMUV3_MDCR_EL3, kEnPm2);
  SetPe(Pe(0, PMUV3_NS));
  const uint64_t all = kF0 | kC | 0x3;
  for (unsigned setting = 0; setting < 64; setting++) {
    const uint64_t pmuacr =
        (Bit(setting, 0) ? 0x2 : 0) | (Bit(setting, 1) ? kC : 0) | (Bit(setting, 2) ? kF0 : 0);
    const bool er = Bit(setting, 3), cr = Bit(setting, 4), ir = Bit(setting, 5);
    const uint64_t writable = pmuacr & ~((er ? 0x3 : 0) | (cr ? kC : 0) | (ir ? kF0 : 0));
    SCOPED_TRACE(::testing::Message() << std::hex << "PMUACR " << pmuacr << " ER " << er << " CR "
                                      << cr << " IR " << ir);
    Write(PMUV3_PMUACR, pmuacr);
    Write(PMUV3_PMUSERENR, kUen | (er ? kEr : 0) | (cr ? kCr : 0) | (ir ? 0x20 : 0));
    for (const auto &[set, clear] : {std::pair{PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR},
                                     std::pair{PMUV3_PMOVSSET, PMUV3_PMOVSCLR}}) {
      Write(clear, all);
      EXPECT_EQ(Msr(set, all), PMUV3_DONE);
      EXPECT_EQ(Read(set), writable);
      Write(set, all);
      EXPECT_EQ(Mrs(set), pmuacr);
      EXPECT_EQ(Mrs(clear), pmuacr);
      EXPECT_EQ(Msr(clear, all), PMUV3_DONE);
      EXPECT_EQ(Read(set), all & ~writable);
    }
    // PMZR, and the registers of each counter.
    const uint16_t counters[] = {PMUV3_PMEVCNTRn(0), PMUV3_PMEVCNTRn(1), PMUV3_PMCCNTR,
                                 PMUV3_PMICNTR};
    const uint64_t bits[] = {0x1, 0x2, kC, kF0};
    for (const uint16_t counter : counters) Write(counter, 0x55);
    EXPECT_EQ(Msr(PMUV3_PMZR, all), PMUV3_DONE);
    for (int i = 0; i < 4; i++) {
      EXPECT_EQ(Read(counters[i]), writable & bits[i] ? 0u : 0x55u);
      Write(counters[i], 0x66);
      EXPECT_EQ(Mrs(counters[i]), pmuacr & bits[i] ? 0x66u : 0u);
      EXPECT_EQ(Msr(counters[i], 0x77), PMUV3_DONE);
      EXPECT_EQ(Read(counters[i]), writable & bits[i] ? 0x77u : 0x66u);
    }
    const uint16_t types[] = {PMUV3_PMEVTYPERn(0), PMUV3_PMEVTYPERn(1), PMUV3_PMCCFILTR,
                              PMUV3_PMICFILTR};
    const uint64_t u = Field(30), p = Field(31);
    for (int i = 0; i < 4; i++) {
      const uint64_t event = i == 3 ? 8 : 0;  // PMICFILTR.evtCount
      Write(types[i], u);
      EXPECT_EQ(Mrs(types[i]), pmuacr & bits[i] ? u | event : 0);
      EXPECT_EQ(Msr(types[i], p), PMUV3_DONE);
      EXPECT_EQ(Read(types[i]), (writable & bits[i] ? p : u) | event);
    }
  }
}

// PMXEVTYPER_EL0 with SEL = 31 is PMCCFILTR_EL0 at EL0, too: PMUACR.C and CR decide, ER does not.
TEST_P(AccessTest, SelectedCycleFilterAt0) {
  Build("counters=2 features=PMUv3p9,HPMN0");
  Write(PMUV3_MDCR_EL2, 0);  // HPMN
  Write(PMUV3_PMSELR, 31);
  SetPe(Pe(0, PMUV3_NS));
  for (unsigned setting = 0; setting < 16; setting++) {
    const bool c = Bit(setting, 0), p = Bit(setting, 1), cr = Bit(setting, 2), er = Bit(setting, 3);
    SCOPED_TRACE(setting);
    Write(PMUV3_PMUACR, (c ? kC : 0) | (p ? 0x3 : 0));
    Write(PMUV3_PMUSERENR, kUen | (cr ? kCr : 0) | (er ? kEr : 0));
    Write(PMUV3_PMCCFILTR, Field(30));
    EXPECT_EQ(Mrs(PMUV3_PMXEVTYPER), c ? Field(30) : 0);
    EXPECT_EQ(Msr(PMUV3_PMXEVTYPER, Field(31)), PMUV3_DONE);
    EXPECT_EQ(Read(PMUV3_PMCCFILTR), c && !cr ? Field(31) : Field(30));
  }
}

// E.5: F0 is out of reach below EL3 with EnPM2 = 0, at EL0 without UEN, and with fine-grained traps
// at EL1 and EL0.
TEST_P(AccessTest, ReachOfF0) {
  for (unsigned el = 0; el < 4; el++)
    for (unsigned setting = 0; setting < 128; setting++) {
      const bool en_pm2 = Bit(setting, 0), uen = Bit(setting, 1), host = Bit(setting, 2);
      const unsigned fgt = setting >> 3;
      if (setting == 0) Build("counters=2 features=ICNTR");
      SCOPED_TRACE(::testing::Message() << "el" << el << " EnPM2 " << en_pm2 << " UEN " << uen
                                        << " host " << host << " fgt " << fgt);
      SetPe(Pe(el, el == 3 ? PMUV3_S : PMUV3_NS).Tge(host && el == 0).E2h(host).Fgt(fgt));
      Write(PMUV3_MDCR_EL3, en_pm2 ? kEnPm2 : 0);
      Write(PMUV3_PMUSERENR, kEn | (uen ? kUen : 0));
      Write(PMUV3_PMUACR, kF0 | 0x1);
      const bool there = el == 3 || (en_pm2 && (el > 0 || uen));
      const bool trapped = el == 1 || (el == 0 && !host);
      const bool readable = there && !(trapped && fgt & PMUV3_FGT_MASK(PMICFILTR_READ));
      const bool writable = there && !(trapped && fgt & PMUV3_FGT_MASK(PMICFILTR_WRITE));
      const bool zeroable = there && !(trapped && fgt & PMUV3_FGT_MASK(PMICNTR_WRITE));
      for (const auto &[set, clear] : {std::pair{PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR},
                                       std::pair{PMUV3_PMINTENSET, PMUV3_PMINTENCLR},
                                       std::pair{PMUV3_PMOVSSET, PMUV3_PMOVSCLR}}) {
        if (el == 0 && set == PMUV3_PMINTENSET) continue;  // UNDEFINED
        Write(clear, kF0 | 0x1);
        EXPECT_EQ(Msr(set, kF0 | 0x1), PMUV3_DONE);
        EXPECT_EQ(Read(set), (writable ? kF0 : 0) | 0x1);
        Write(set, kF0 | 0x1);
        EXPECT_EQ(Mrs(clear), (readable ? kF0 : 0) | 0x1);
        EXPECT_EQ(Msr(clear, kF0 | 0x1), PMUV3_DONE);
        EXPECT_EQ(Read(set), writable ? 0 : kF0);
      }
      Write(PMUV3_PMICNTR, 5);
      EXPECT_EQ(Msr(PMUV3_PMZR, kF0), PMUV3_DONE);
      EXPECT_EQ(Read(PMUV3_PMICNTR), zeroable ? 0u : 5u);
    }
}

// Table D13-11: the counters in reach at each Exception level, for every HPMN.
TEST_P(AccessTest, ReachByHpmn) {
  Build("counters=6 features=SEL2,HPMN0,PMUv3p9");
  Write(PMUV3_MDCR_EL3, kEnPm2);
  Write(PMUV3_PMUSERENR, kEn);
  for (unsigned hpmn = 0; hpmn <= 6; hpmn++)
    for (unsigned el = 0; el < 4; el++)
      for (const bool enabled : {false, true}) {
        if (!enabled && el == 2) continue;
        SCOPED_TRACE(::testing::Message() << "HPMN " << hpmn << " el" << el << " EL2 " << enabled);
        SetPe(Pe(el, enabled && el < 3 ? PMUV3_NS : PMUV3_S));
        Write(PMUV3_MDCR_EL2, hpmn);
        const unsigned n = enabled && el < 2 ? hpmn : 6;
        const uint64_t reached = (1u << n) - 1;
        EXPECT_EQ(Mrs(PMUV3_PMCR) >> 11, n);
        Write(PMUV3_PMCNTENCLR, 0x3F);
        EXPECT_EQ(Msr(PMUV3_PMCNTENSET, 0x3F), PMUV3_DONE);
        EXPECT_EQ(Read(PMUV3_PMCNTENSET), reached);
        Write(PMUV3_PMOVSSET, 0x3F);
        EXPECT_EQ(Mrs(PMUV3_PMOVSCLR), reached);
        if (el) {
          Write(PMUV3_PMUACR, 0x3F);
          EXPECT_EQ(Mrs(PMUV3_PMUACR), reached);
          EXPECT_EQ(Msr(PMUV3_PMUACR, 0), PMUV3_DONE);
          EXPECT_EQ(Read(PMUV3_PMUACR), 0x3F & ~reached);
        }
        for (unsigned i = 0; i < 6; i++) {
          Write(PMUV3_PMEVCNTRn(i), 7);
          uint64_t value;
          EXPECT_EQ(TryMrs(PMUV3_PMEVCNTRn(i), &value), i < n ? PMUV3_DONE : PMUV3_TRAP_EL2);
          EXPECT_EQ(value, i < n ? 7u : 0u);
        }
        EXPECT_EQ(Msr(PMUV3_PMCR, 0b10), PMUV3_DONE);
        for (unsigned i = 0; i < 6; i++) EXPECT_EQ(Counter(static_cast<int>(i)), i < n ? 0u : 7u);
      }
}

// An access with a result other than DONE changes nothing.
TEST_P(AccessTest, NoEffect) {
  Write(PMUV3_PMCNTENSET, 0x5);
  Write(PMUV3_PMEVCNTRn(0), 0x1234);
  Write(PMUV3_MDCR_EL2, kTpm | 6);
  const pmuv3_probe before = Probe();
  for (const Register &r : kRegisters)
    EXPECT_NE(Msr(r.reg, ~UINT64_C(0)), PMUV3_DONE) << std::hex << r.reg;
  const pmuv3_probe after = Probe();
  EXPECT_EQ(std::memcmp(&before, &after, sizeof before), 0);
  Cycle();
  EXPECT_EQ(Read(PMUV3_PMEVCNTRn(0)), 0x1234u);
}

}  // namespace
}  // namespace pmuv3
