// traps: what sends an access to an Exception level, in which order, and with which syndrome
// (I-3 to I-9). The tables are typed from the accessors in D24.3, D24.5, G8.3 and G8.4.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t Field(int bit) {
  return UINT64_C(1) << bit;
}

constexpr uint64_t kTpm = Field(6), kTpmcr = Field(5), kEnPm2 = Field(7), kEnPmss = Field(44);
constexpr uint64_t kEn = 1, kUen = 16;
constexpr uint64_t kAllFgt = Field(36) - 1;

// Bits of fgt: HDFGRTR_EL2, HDFGWTR_EL2, HDFGRTR2_EL2 and HDFGWTR2_EL2.
constexpr int kNever = -1;

struct Row {
  uint16_t reg, view;  // view 0: there is none
  int read, write;     // the fine-grained traps; kNever: there is none
  bool el0;            // EL0 may access the register
  uint64_t pmuserenr;  // with this
  bool c9;             // HSTR.T9 traps the view
};

constexpr uint16_t Reg(int reg) {
  return static_cast<uint16_t>(reg);
}

const Row kRows[] = {
    {PMUV3_PMICFILTR, 0, 0, 1, true, kUen, false},
    {PMUV3_PMICNTR, 0, 2, 3, true, kUen, false},
    {PMUV3_PMEVCNTRn(0), PMUV3_PMEVCNTRn_AA32(0), 4, 5, true, kEn, false},
    {PMUV3_PMXEVCNTR, PMUV3_PMXEVCNTR_AA32, 4, 5, true, kEn, true},
    {PMUV3_PMEVTYPERn(0), PMUV3_PMEVTYPERn_AA32(0), 6, 7, true, kEn, false},
    {PMUV3_PMXEVTYPER, PMUV3_PMXEVTYPER_AA32, 6, 7, true, kEn, true},
    {Reg(PMUV3_PMCCFILTR), Reg(PMUV3_PMCCFILTR_AA32), 8, 9, true, kEn, false},
    {PMUV3_PMCCNTR, PMUV3_PMCCNTR_AA32, 10, 11, true, kEn, true},
    {PMUV3_PMCCNTR, PMUV3_PMCCNTR64, 10, 11, true, kEn, true},
    {PMUV3_PMCNTENSET, PMUV3_PMCNTENSET_AA32, 12, 13, true, kEn, true},
    {PMUV3_PMCNTENCLR, PMUV3_PMCNTENCLR_AA32, 12, 13, true, kEn, true},
    {PMUV3_PMINTENSET, PMUV3_PMINTENSET_AA32, 14, 15, false, 0, true},
    {PMUV3_PMINTENCLR, PMUV3_PMINTENCLR_AA32, 14, 15, false, 0, true},
    {PMUV3_PMOVSSET, PMUV3_PMOVSSET_AA32, 16, 17, true, kEn, true},
    {PMUV3_PMOVSCLR, PMUV3_PMOVSR, 16, 17, true, kEn, true},
    {PMUV3_PMSELR, PMUV3_PMSELR_AA32, 18, 19, true, kEn, true},
    {PMUV3_PMUACR, 0, 20, 21, false, 0, false},
    {PMUV3_PMECR, 0, 22, 23, false, 0, false},
    {PMUV3_PMIAR, 0, 24, 25, false, 0, false},
    {PMUV3_PMSSCR, 0, 26, 27, false, 0, false},
    {PMUV3_PMCEID0, PMUV3_PMCEID0_AA32, 28, kNever, true, kEn, true},
    {PMUV3_PMCEID1, PMUV3_PMCEID1_AA32, 28, kNever, true, kEn, true},
    {PMUV3_PMCEID0, PMUV3_PMCEID2, 28, kNever, true, kEn, true},
    {PMUV3_PMCEID1, PMUV3_PMCEID3, 28, kNever, true, kEn, true},
    {PMUV3_PMMIR, PMUV3_PMMIR_AA32, 29, kNever, false, 0, true},
    {PMUV3_PMUSERENR, PMUV3_PMUSERENR_AA32, 30, 31, true, kEn, true},
    {PMUV3_PMEVCNTSVRn(0), 0, 32, kNever, false, 0, false},
    {PMUV3_PMCCNTSVR, 0, 32, kNever, false, 0, false},
    {PMUV3_PMICNTSVR, 0, 32, kNever, false, 0, false},
    {PMUV3_PMCR, PMUV3_PMCR_AA32, kNever, 33, true, kEn, true},
    {PMUV3_PMSWINC, PMUV3_PMSWINC_AA32, kNever, 34, true, kEn, true},
    {PMUV3_PMZR, 0, kNever, 35, true, kEn, false},
};

class TrapsTest : public SideTest {
 protected:
  // EL3 traps nothing, EL2 nothing but by HPMN, and EL0 may access what it ever may.
  void Open(const Row &row) {
    Write(PMUV3_MDCR_EL3, kEnPm2 | kEnPmss);
    Write(PMUV3_PMUSERENR, row.pmuserenr);
  }

  pmuv3_result Access(uint16_t reg, bool write, uint64_t value = 0) {
    return write ? Msr(reg, value) : TryMrs(reg, &value);
  }

  uint32_t Syndrome() { return pmuv3_side_syndrome(side(), 0); }

  // Every access that exists in this state, each with every trap alone: the one of the access traps
  // it to EL2 if `in_effect`.
  void CheckFineGrained(Pe pe, bool in_effect) {
    const bool at_el0 = pmuv3_pe(pe).el == 0, aa32 = pmuv3_pe(pe).aa32;
    for (const Row &row : kRows) {
      if ((at_el0 && !row.el0) || (aa32 && !row.view)) continue;
      Open(row);
      for (const bool write : {false, true}) {
        if (at_el0 && write && row.reg == PMUV3_PMUSERENR) continue;
        const uint16_t reg = aa32 ? row.view : row.reg;
        SetPe(pe.Fgt(0));
        const pmuv3_result before = Access(reg, write, row.pmuserenr);
        for (int bit = 0; bit < 36; bit++) {
          SetPe(pe.Fgt(Field(bit)));
          const bool traps = in_effect && bit == (write ? row.write : row.read);
          char name[24];
          EXPECT_EQ(Access(reg, write, row.pmuserenr), traps ? PMUV3_TRAP_EL2 : before)
              << (write ? "msr " : "mrs ") << pmuv3_register_name(reg, name) << " bit " << bit;
        }
      }
    }
  }
};
PMUV3_ON_BOTH_SIDES(TrapsTest);

constexpr char kSettings[] = "counters=2 features=ICNTR,SEBEP,SEL2,SS,RME";
constexpr char kSettings32[] = "counters=2 features=ICNTR,SEBEP,SEL2,RME";

TEST_P(TrapsTest, FineGrained) {
  Build(kSettings);
  CheckFineGrained(Pe(1, PMUV3_NS), true);
  CheckFineGrained(Pe(0, PMUV3_NS), true);
  CheckFineGrained(Pe(0, PMUV3_RL).E2h(), true);
  CheckFineGrained(Pe(0, PMUV3_S).Eel2(), true);
  CheckFineGrained(Pe(0, PMUV3_NS).Aa32(), true);
  CheckFineGrained(Pe(1, PMUV3_NS).E2h().Tge(), true);  // not EL0
}

TEST_P(TrapsTest, FineGrainedNotInEffect) {
  Build(kSettings);
  CheckFineGrained(Pe(0, PMUV3_NS).E2h().Tge(), false);
  CheckFineGrained(Pe(0, PMUV3_NS).E2h().Tge().Aa32(), false);
  CheckFineGrained(Pe(1, PMUV3_S), false);
  CheckFineGrained(Pe(2, PMUV3_NS), false);
  CheckFineGrained(Pe(3, PMUV3_RT), false);
  Build("counters=2 el2=0 features=ICNTR,SEBEP,SS");
  CheckFineGrained(Pe(1, PMUV3_NS), false);
}

// They exist only while EL1 uses AArch64.
TEST_P(TrapsTest, FineGrainedWithEl1InAArch32) {
  Build(kSettings32);
  CheckFineGrained(Pe(0, PMUV3_NS).A32El1().Aa32(), false);
  CheckFineGrained(Pe(1, PMUV3_NS).A32El1().Aa32(), false);
  CheckFineGrained(Pe(0, PMUV3_NS).A32El1().A32El2().Aa32(), false);
}

// PMXEVTYPER_EL0 has the trap of PMEVTYPERn_EL0 also where it is PMCCFILTR_EL0.
TEST_P(TrapsTest, FineGrainedSelected) {
  Build(kSettings);
  Write(PMUV3_PMSELR, 31);
  SetPe(Pe(1, PMUV3_NS).Fgt(Field(6) | Field(7)));
  EXPECT_EQ(Access(PMUV3_PMXEVTYPER, false), PMUV3_TRAP_EL2);
  EXPECT_EQ(Access(PMUV3_PMXEVTYPER, true), PMUV3_TRAP_EL2);
  SetPe(Pe(1, PMUV3_NS).Fgt(kAllFgt & ~(Field(6) | Field(7))));
  EXPECT_EQ(Access(PMUV3_PMXEVTYPER, false), PMUV3_DONE);
  EXPECT_EQ(Access(PMUV3_PMXEVTYPER, true), PMUV3_DONE);
}

// The order of the checks: a counter that is not there, PMUSERENR_EL0, traps to EL2, to EL3.
TEST_P(TrapsTest, Order) {
  Build(kSettings);
  Write(PMUV3_MDCR_EL3, kTpm);
  Write(PMUV3_PMUSERENR, 0);
  SetPe(Pe(0, PMUV3_NS).Fgt(kAllFgt));
  EXPECT_EQ(Access(PMUV3_PMEVCNTRn(2), false), PMUV3_UNDEFINED);
  EXPECT_EQ(Access(PMUV3_PMCCNTR, false), PMUV3_TRAP_EL1);
  SetPe(Pe(0, PMUV3_NS).Fgt(kAllFgt).Tge());
  EXPECT_EQ(Access(PMUV3_PMCCNTR, false), PMUV3_TRAP_EL2);
  SetPe(Pe(1, PMUV3_NS).Fgt(kAllFgt));
  EXPECT_EQ(Access(PMUV3_PMEVCNTRn(2), false), PMUV3_UNDEFINED);
  EXPECT_EQ(Access(PMUV3_PMCCNTR, false), PMUV3_TRAP_EL2);
  SetPe(Pe(1, PMUV3_NS));
  EXPECT_EQ(Access(PMUV3_PMCCNTR, false), PMUV3_TRAP_EL3);
}

// HSTR.T9 traps AArch32 registers of c9 from EL1 and EL0, and from EL0 in a host not.
TEST_P(TrapsTest, Hstr) {
  Build(kSettings32);
  const struct {
    Pe pe;
    bool in_effect;
  } cases[] = {
      {Pe(1, PMUV3_NS).A32El1().Aa32(), true},
      {Pe(0, PMUV3_NS).A32El1().Aa32(), true},
      {Pe(0, PMUV3_NS).Aa32(), true},
      {Pe(0, PMUV3_S).Eel2().Aa32(), true},
      {Pe(0, PMUV3_S).Aa32(), false},
      {Pe(0, PMUV3_NS).Aa32().E2h().Tge(), false},
      {Pe(0, PMUV3_NS).Aa32().E2h(), true},
      {Pe(1, PMUV3_NS).A32El1().A32El2().Aa32(), true},
      {Pe(0, PMUV3_NS).A32El1().A32El2().Aa32(), true},
      {Pe(0, PMUV3_NS).A32El1().A32El2().Aa32().E2h().Tge(), true},
      {Pe(0, PMUV3_NS).A32El3(), true},
      {Pe(2, PMUV3_NS).A32El1().A32El2().Aa32(), false},
      {Pe(3, PMUV3_RT).A32El3(), false},
  };
  for (const auto &c : cases) {
    const pmuv3_pe pe = c.pe;
    for (const Row &row : kRows) {
      if (!row.view || (pe.el == 0 && !row.el0)) continue;
      Open(row);
      for (const bool write : {false, true}) {
        if (pe.el == 0 && write && row.reg == PMUV3_PMUSERENR) continue;
        SetPe(pe);
        const pmuv3_result before = Access(row.view, write, row.pmuserenr);
        SetPe(Pe(c.pe).Hstr());
        const bool traps = c.in_effect && row.c9 && before != PMUV3_UNDEFINED;
        char name[24];
        EXPECT_EQ(Access(row.view, write, row.pmuserenr), traps ? PMUV3_TRAP_EL2 : before)
            << (write ? "mcr " : "mrc ") << pmuv3_register_name(row.view, name) << " el"
            << int{pe.el} << " a32el1 " << pe.a32el1 << " a32el2 " << pe.a32el2;
      }
    }
  }
  for (unsigned el : {0u, 1u}) {  // not AArch64 registers
    SetPe(Pe(el, PMUV3_NS).Hstr());
    Write(PMUV3_PMUSERENR, kEn);
    EXPECT_EQ(Access(PMUV3_PMCCNTR, false), PMUV3_DONE);
  }
}

// I-7, I-6: HCR_EL2.NV makes MDCR_EL2, and SDER32_EL2 in Secure state, trap from EL1 to EL2.
TEST_P(TrapsTest, NvAndSder32El2) {
  constexpr pmuv3_result kNo = PMUV3_UNDEFINED, kDone = PMUV3_DONE, kEl2 = PMUV3_TRAP_EL2;
  struct {
    const char *settings;
    Pe pe;
    pmuv3_result mdcr_el2, sder32_el2;
  } const cases[] = {
      {"features=SEL2", Pe(0, PMUV3_NS).Nv(), kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_NS), kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_NS).Nv(), kEl2, kNo},
      {"features=SEL2", Pe(1, PMUV3_S).Nv(), kNo, kNo},
      {"features=SEL2", Pe(1, PMUV3_S).Eel2().Nv(), kEl2, kEl2},
      {"features=SEL2", Pe(1, PMUV3_S).Eel2(), kNo, kNo},
      {"features=SEL2", Pe(2, PMUV3_NS).Nv(), kDone, kNo},
      {"features=SEL2", Pe(2, PMUV3_S).Eel2(), kDone, kDone},
      {"features=SEL2", Pe(3, PMUV3_S), kDone, kNo},
      {"features=SEL2", Pe(3, PMUV3_S).Eel2(), kDone, kDone},
      {"features=SEL2", Pe(1, PMUV3_NS).Nv().A32El1().Aa32(), kNo, kNo},
      {"features=TH", Pe(1, PMUV3_S).Eel2().Nv(), kNo, kNo},
      {"features=TH", Pe(3, PMUV3_S).Eel2(), kDone, kNo},
      {"features=SEL2 aa32=el0", Pe(1, PMUV3_S).Eel2().Nv(), kEl2, kNo},
      {"features=SEL2 aa32=el0", Pe(3, PMUV3_S).Eel2(), kDone, kNo},
      {"features=SEL2 el2=0", Pe(1, PMUV3_NS).Nv(), kNo, kNo},
      {"features=SEL2 el2=0", Pe(3, PMUV3_S).Eel2(), kDone, kNo},
  };
  for (const auto &c : cases) {
    const pmuv3_pe pe = c.pe;
    SCOPED_TRACE(::testing::Message() << c.settings << " el" << int{pe.el} << " ss " << int{pe.ss}
                                      << " nv " << pe.nv << " EEL2 " << pe.eel2);
    Build(c.settings);
    Write(PMUV3_MDCR_EL3, kTpm);
    Write(PMUV3_MDCR_EL2, kTpm);
    SetPe(pe);
    for (const bool write : {false, true}) {
      EXPECT_EQ(Access(PMUV3_MDCR_EL2, write, kTpm), c.mdcr_el2);
      EXPECT_EQ(Access(PMUV3_SDER32_EL2, write), c.sder32_el2);
    }
    EXPECT_EQ(Access(PMUV3_MDCR_EL3, false), pe.el == 3 ? kDone : kNo);
  }
}

// I-6: SDER32_EL2 is SDER32_EL3 by another name.
TEST_P(TrapsTest, Sder32El2IsSder32El3) {
  Build("features=SEL2");
  SetPe(Pe(2, PMUV3_S).Eel2());
  EXPECT_EQ(Msr(PMUV3_SDER32_EL2, ~UINT64_C(0)), PMUV3_DONE);
  EXPECT_EQ(Read(PMUV3_SDER32_EL3), 2u);
  EXPECT_EQ(Mrs(PMUV3_SDER32_EL2), 2u);
  EXPECT_EQ(Read(PMUV3_SDER32_EL2), 2u);
  Write(PMUV3_SDER32_EL2, 0);
  EXPECT_EQ(Read(PMUV3_SDER32_EL3), 0u);
}

// I-8: FGWTE3_EL3 traps EL3's writes of MDCR_EL3, and no reads.
TEST_P(TrapsTest, Fgwte3) {
  Build("features=FGWTE3");
  SetPe(Pe(3, PMUV3_S).Fgwte3());
  EXPECT_EQ(Msr(PMUV3_MDCR_EL3, kTpm), PMUV3_TRAP_EL3);
  EXPECT_EQ(Read(PMUV3_MDCR_EL3), 0u);
  EXPECT_EQ(Mrs(PMUV3_MDCR_EL3), 0u);
  EXPECT_EQ(Msr(PMUV3_MDCR_EL2, 0), PMUV3_DONE);
  EXPECT_EQ(Msr(PMUV3_SDER32_EL3, 0), PMUV3_DONE);
  SetPe(Pe(3, PMUV3_S).Fgwte3().Halted().Sdd());
  EXPECT_EQ(Msr(PMUV3_MDCR_EL3, kTpm), PMUV3_TRAP_EL3);
  SetPe(Pe(2, PMUV3_NS).Fgwte3());
  EXPECT_EQ(Msr(PMUV3_MDCR_EL3, kTpm), PMUV3_UNDEFINED);
}

// I-9: in Debug state with SDD = 1, TPM, EnPM2 and EnPMSS make an access UNDEFINED: where the trap
// to EL3 would be taken, or before the other checks.
TEST_P(TrapsTest, Sdd) {
  const struct {
    uint16_t reg;
    uint64_t mdcr_el3;
  } controls[] = {
      {PMUV3_PMCCNTR, kTpm | kEnPm2 | kEnPmss}, {PMUV3_PMUACR, kEnPmss}, {PMUV3_PMSSCR, kEnPm2}};
  for (const bool first : {false, true}) {
    Build(std::string(kSettings) + " K-SDD-PRIORITY=" + (first ? "first" : "late"));
    for (const auto &c : controls)
      for (unsigned setting = 0; setting < 16; setting++) {
        const bool halted = Bit(setting, 0), sdd = Bit(setting, 1), fgt = Bit(setting, 2);
        const bool traps = Bit(setting, 3), forbidden = halted && sdd && traps;
        SCOPED_TRACE(::testing::Message()
                     << std::hex << c.reg << " first " << first << " setting " << setting);
        Write(PMUV3_MDCR_EL3, traps ? c.mdcr_el3 : kEnPm2 | kEnPmss);
        for (unsigned el : {1u, 2u}) {
          SetPe(Pe(el, PMUV3_NS).Halted(halted).Sdd(sdd).Fgt(fgt ? kAllFgt : 0));
          const pmuv3_result at_el3 = forbidden ? PMUV3_UNDEFINED
                                      : traps   ? PMUV3_TRAP_EL3
                                                : PMUV3_DONE;
          const bool to_el2 = el == 1 && fgt && !(first && forbidden);
          EXPECT_EQ(Access(c.reg, true), to_el2 ? PMUV3_TRAP_EL2 : at_el3) << el;
        }
        SetPe(Pe(3, PMUV3_RT).Halted(halted).Sdd(sdd));
        EXPECT_EQ(Access(c.reg, true), PMUV3_DONE);
      }
    // What PMUSERENR_EL0 refuses.
    Write(PMUV3_MDCR_EL3, kTpm | kEnPm2 | kEnPmss);
    SetPe(Pe(0, PMUV3_NS).Halted().Sdd());
    EXPECT_EQ(Access(PMUV3_PMCCNTR, true), first ? PMUV3_UNDEFINED : PMUV3_TRAP_EL1);
    SetPe(Pe(0, PMUV3_NS).Aa32().Halted().Sdd().Tge());
    EXPECT_EQ(Access(PMUV3_PMSELR, true), PMUV3_UNDEFINED);
  }
}

// MDCR_EL3 traps nothing while EL3 uses AArch32. SDCR traps to EL3 also with SDD = 1.
TEST_P(TrapsTest, SddAndAArch32) {
  Build("features=RME K-SDD-PRIORITY=first");
  Write(PMUV3_MDCR_EL3, kTpm);
  SetPe(Pe(1, PMUV3_NS).A32El3().Halted().Sdd());
  EXPECT_EQ(Access(PMUV3_PMCCNTR64, true), PMUV3_DONE);
  SetPe(Pe(1, PMUV3_S).A32El1().Aa32().Halted().Sdd());
  EXPECT_EQ(Access(PMUV3_SDCR, false), PMUV3_TRAP_EL3);
  EXPECT_EQ(Access(PMUV3_PMCCNTR64, true), PMUV3_UNDEFINED);
}

// I-5: MRRC and MCRR of PMCCNTR have all 64 bits, and PMUSERENR_EL0's checks of MRC and MCR.
TEST_P(TrapsTest, Pmccntr64) {
  Build(kSettings32);
  constexpr uint64_t kValue = 0x123456789ABCDEF0;
  SetPe(Pe(1, PMUV3_NS).A32El1().Aa32());
  EXPECT_EQ(Msr(PMUV3_PMCCNTR64, kValue), PMUV3_DONE);
  EXPECT_EQ(Read(PMUV3_PMCCNTR), kValue);
  EXPECT_EQ(Mrs(PMUV3_PMCCNTR64), kValue);
  EXPECT_EQ(Mrs(PMUV3_PMCCNTR_AA32), kValue & UINT32_MAX);
  for (unsigned pmuserenr = 0; pmuserenr < 32; pmuserenr++)
    for (const bool el1_aa32 : {false, true}) {
      SetPe(Pe(0, PMUV3_NS).Aa32().A32El1(el1_aa32));
      Write(PMUV3_PMUSERENR, pmuserenr);
      Write(PMUV3_PMUACR, Field(31));
      const bool en = pmuserenr & 1, cr = pmuserenr & 4, uen = pmuserenr & 16 && !el1_aa32;
      const pmuv3_result refused = el1_aa32 ? PMUV3_UNDEFINED : PMUV3_TRAP_EL1;
      Write(PMUV3_PMCCNTR, kValue);
      EXPECT_EQ(Access(PMUV3_PMCCNTR64, false), en || uen || cr ? PMUV3_DONE : refused);
      EXPECT_EQ(Access(PMUV3_PMCCNTR64, true), en || uen ? PMUV3_DONE : refused);
      EXPECT_EQ(Read(PMUV3_PMCCNTR), (en || uen) && !(uen && cr) ? 0 : kValue) << pmuserenr;
      Write(PMUV3_PMUACR, 0);
      Write(PMUV3_PMCCNTR, kValue);
      if (en || uen || cr) {
        EXPECT_EQ(Mrs(PMUV3_PMCCNTR64), uen ? 0 : kValue) << pmuserenr;
      }
    }
  SetPe(Pe(1, PMUV3_NS));
  EXPECT_EQ(Access(PMUV3_PMCCNTR64, false), PMUV3_UNDEFINED);
}

// I-4: the syndrome as ESR_ELx has it. EC [31:26], IL [25], ISS [24:0] with Rt = 0.
constexpr uint32_t kMsr = 0x18u << 26 | 1u << 25, kMcr = 0x03u << 26 | 1u << 25;
constexpr uint32_t kMcrr = 0x04u << 26 | 1u << 25, kUnknown = 1u << 25;

TEST_P(TrapsTest, Syndromes) {
  const Pe el1(1, PMUV3_NS), secure(1, PMUV3_S), at0_32 = Pe(0, PMUV3_NS).Aa32();
  const Pe el1_32 = Pe(1, PMUV3_NS).A32El1().Aa32();
  const Pe el2_32 = Pe(0, PMUV3_NS).A32El1().A32El2().Aa32();
  struct {
    Pe pe;
    uint64_t mdcr_el2, mdcr_el3;
    int reg;
    pmuv3_result result;
    uint32_t read, write;
  } const cases[] = {
      {el1, kTpm, 0, PMUV3_PMCR, PMUV3_TRAP_EL2, kMsr | 0x30E419, kMsr | 0x30E418},
      {el1, kTpmcr, 0, PMUV3_PMCR, PMUV3_TRAP_EL2, kMsr | 0x30E419, kMsr | 0x30E418},
      {el1, 0, kTpm, PMUV3_PMINTENSET, PMUV3_TRAP_EL3, kMsr | 0x32241D, kMsr | 0x32241C},
      {el1, 0, 0, PMUV3_PMUACR, PMUV3_TRAP_EL3, kMsr | 0x38241D, kMsr | 0x38241C},
      {el1, 0, kEnPm2, PMUV3_PMCNTENSET, PMUV3_DONE, 0, 0},
      {el1, 0, kEnPm2, PMUV3_MDCR_EL2, PMUV3_UNDEFINED, kUnknown, kUnknown},
      {Pe(el1).Nv(), 0, 0, PMUV3_MDCR_EL2, PMUV3_TRAP_EL2, kMsr | 0x330403, kMsr | 0x330402},
      {Pe(secure).Eel2().Nv(), 0, 0, PMUV3_SDER32_EL2, PMUV3_TRAP_EL2, kMsr | 0x330407,
       kMsr | 0x330406},
      {Pe(0, PMUV3_NS), 0, 0, PMUV3_PMCCFILTR, PMUV3_TRAP_EL1, kMsr | 0x3EF81F, kMsr | 0x3EF81E},
      {Pe(0, PMUV3_NS).Tge(), 0, 0, PMUV3_PMCCFILTR, PMUV3_TRAP_EL2, kMsr | 0x3EF81F,
       kMsr | 0x3EF81E},
      {el1_32, kTpm, 0, PMUV3_PMCR_AA32, PMUV3_TRAP_EL2, kMcr | 0x1E02419, kMcr | 0x1E02418},
      {el1_32, 0, kTpm, PMUV3_PMCCFILTR_AA32, PMUV3_TRAP_EL3, kMcr | 0x1EE381F, kMcr | 0x1EE381E},
      {el1_32, kTpm, 0, PMUV3_PMCCNTR64, PMUV3_TRAP_EL2, kMcrr | 0x1E00013, kMcrr | 0x1E00012},
      {Pe(el1_32).Hstr(), 0, 0, PMUV3_PMCCNTR64, PMUV3_TRAP_EL2, kMcrr | 0x1E00013,
       kMcrr | 0x1E00012},
      {Pe(secure).A32El1().Aa32(), 0, 0, PMUV3_SDCR, PMUV3_TRAP_EL3, kMcr | 0x1E20407,
       kMcr | 0x1E20406},
      {at0_32, 0, 0, PMUV3_PMCCNTR64, PMUV3_TRAP_EL1, kMcrr | 0x1E00013, kMcrr | 0x1E00012},
      {at0_32, 0, 0, PMUV3_PMSELR_AA32, PMUV3_TRAP_EL1, kMcr | 0x1EA2419, kMcr | 0x1EA2418},
      {Pe(at0_32).A32El1(), 0, 0, PMUV3_PMSELR_AA32, PMUV3_UNDEFINED, kUnknown, kUnknown},
      {Pe(at0_32).A32El1().Tge(), 0, 0, PMUV3_PMSELR_AA32, PMUV3_TRAP_EL2, kMcr | 0x1EA2419,
       kMcr | 0x1EA2418},
      {el2_32, 0, 0, PMUV3_PMSELR_AA32, PMUV3_UNDEFINED, kUnknown, kUnknown},
      {Pe(el2_32).Tge(), 0, 0, PMUV3_PMSELR_AA32, PMUV3_TRAP_EL2, kUnknown, kUnknown},
      {Pe(el2_32).Tge(), 0, 0, PMUV3_PMCCNTR64, PMUV3_TRAP_EL2, kUnknown, kUnknown},
      {Pe(1, PMUV3_NS).A32El1().A32El2().Aa32().Tge(), kTpm, 0, PMUV3_PMSELR_AA32, PMUV3_TRAP_EL2,
       kMcr | 0x1EA2419, kMcr | 0x1EA2418},
      {Pe(1, PMUV3_NS).Halted().Sdd(), 0, kTpm, PMUV3_PMCR, PMUV3_UNDEFINED, kUnknown, kUnknown},
  };
  Build("counters=2 features=SEL2,PMUv3p9");
  for (const auto &c : cases) {
    const uint16_t reg = Reg(c.reg);
    char name[24];
    SCOPED_TRACE(::testing::Message()
                 << pmuv3_register_name(reg, name) << " row " << &c - &cases[0]);
    Write(PMUV3_MDCR_EL2, c.mdcr_el2 | 2);
    Write(PMUV3_MDCR_EL3, c.mdcr_el3);
    SetPe(c.pe);
    EXPECT_EQ(Access(reg, false), c.result);
    EXPECT_EQ(Syndrome(), c.read) << std::hex << Syndrome();
    EXPECT_EQ(Access(reg, true), c.result);
    EXPECT_EQ(Syndrome(), c.write) << std::hex << Syndrome();
    CycleWriting({InlineWrite{0, reg, 0, true}});
    EXPECT_EQ(pmuv3_side_written(side()).result[0], c.result);
    EXPECT_EQ(pmuv3_side_written(side()).syndrome[0], c.write);
  }
}

TEST_P(TrapsTest, SyndromeOfSavedCounter) {
  Build("counters=6 features=SS");
  SetPe(Pe(1, PMUV3_NS));
  EXPECT_EQ(Access(PMUV3_PMEVCNTSVRn(0), false), PMUV3_TRAP_EL3);
  EXPECT_EQ(Syndrome(), kMsr | 0x203811);
  EXPECT_EQ(Access(PMUV3_PMEVCNTSVRn(5), false), PMUV3_TRAP_EL3);
  EXPECT_EQ(Syndrome(), kMsr | 0x2A3811);
}

TEST_P(TrapsTest, SyndromeOfFgwte3) {
  Build("features=FGWTE3");
  SetPe(Pe(3, PMUV3_S).Fgwte3());
  EXPECT_EQ(Msr(PMUV3_MDCR_EL3, 0), PMUV3_TRAP_EL3);
  EXPECT_EQ(Syndrome(), kMsr | 0x338406);
}

}  // namespace
}  // namespace pmuv3
