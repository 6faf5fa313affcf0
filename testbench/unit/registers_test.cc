// registers: encodings, layouts, reset values and accesses, typed from the
// architecture's tables.
#include "testbench/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t kOnes = ~UINT64_C(0);

// ---- Names and encodings ----

struct Name {
  const char *name;
  int op0, op1, crn, crm, op2;
};

constexpr Name kNames[] = {
    {"PMCR_EL0", 3, 3, 9, 12, 0},         {"PMCNTENSET_EL0", 3, 3, 9, 12, 1},
    {"PMCNTENCLR_EL0", 3, 3, 9, 12, 2},   {"PMOVSCLR_EL0", 3, 3, 9, 12, 3},
    {"PMSWINC_EL0", 3, 3, 9, 12, 4},      {"PMCEID0_EL0", 3, 3, 9, 12, 6},
    {"PMCEID1_EL0", 3, 3, 9, 12, 7},      {"PMINTENSET_EL1", 3, 0, 9, 14, 1},
    {"PMINTENCLR_EL1", 3, 0, 9, 14, 2},   {"PMOVSSET_EL0", 3, 3, 9, 14, 3},
    {"PMMIR_EL1", 3, 0, 9, 14, 6},        {"MDCR_EL2", 3, 4, 1, 1, 1},
    {"PMEVCNTR0_EL0", 3, 3, 14, 8, 0},    {"PMEVCNTR7_EL0", 3, 3, 14, 8, 7},
    {"PMEVCNTR8_EL0", 3, 3, 14, 9, 0},    {"PMEVCNTR30_EL0", 3, 3, 14, 11, 6},
    {"PMEVTYPER0_EL0", 3, 3, 14, 12, 0},  {"PMEVTYPER15_EL0", 3, 3, 14, 13, 7},
    {"PMEVTYPER16_EL0", 3, 3, 14, 14, 0}, {"PMEVTYPER30_EL0", 3, 3, 14, 15, 6},
};

TEST(RegisterNamesTest, Encodings) {
  for (const Name &n : kNames) {
    const int encoding = n.op0 << 14 | n.op1 << 11 | n.crn << 7 | n.crm << 3 | n.op2;
    uint16_t reg = 0;
    EXPECT_TRUE(pmuv3_register_find(n.name, &reg)) << n.name;
    EXPECT_EQ(reg, encoding) << n.name;
    char name[24];
    EXPECT_STREQ(pmuv3_register_name(static_cast<uint16_t>(encoding), name), n.name);
  }
}

TEST(RegisterNamesTest, NoSuchName) {
  uint16_t reg;
  for (const char *name : {"", "PMCR", "PMCR_EL00", "pmcr_el0", "PMEVCNTR_EL0", "PMEVCNTR31_EL0",
                           "PMEVCNTR00_EL0", "PMEVCNTR%u_EL0", "PMEVCNTR-1_EL0", "PMEVCNTR1_EL1",
                           "PMEVCNTR1_EL0x", "PMEVTYPER", "PMEVTYPER99999999999_EL0", " PMCR_EL0"})
    EXPECT_FALSE(pmuv3_register_find(name, &reg)) << name;
}

TEST(RegisterNamesTest, NoSuchEncoding) {
  char name[24];
  EXPECT_STREQ(pmuv3_register_name(0x0000, name), "0x0000");
  EXPECT_STREQ(pmuv3_register_name(0xFFFF, name), "0xFFFF");
  EXPECT_STREQ(pmuv3_register_name(PMUV3_PMEVCNTRn(31), name), "0xDF5F");
  EXPECT_STREQ(pmuv3_register_name(PMUV3_PMCR + 0x100, name), "0xDDE0");
}

// Something is said of every outcome, and nothing twice.
TEST(RegisterNamesTest, AccessText) {
  EXPECT_STREQ(pmuv3_access_text(PMUV3_ACCESS_OK), "ok");
  EXPECT_STREQ(pmuv3_access_text(PMUV3_ACCESS_UNKNOWN), "unknown register");
  EXPECT_STRNE(pmuv3_access_text(PMUV3_ACCESS_READ_ONLY), "");
  EXPECT_STRNE(pmuv3_access_text(PMUV3_ACCESS_READ_ONLY),
               pmuv3_access_text(PMUV3_ACCESS_WRITE_ONLY));
}

// ---- Layouts (E.1, E.3 - E.7): the fields that a write changes ----

struct Layout {
  const char *settings;
  uint16_t reg;
  uint64_t writable;
};

constexpr uint64_t kTc = UINT64_C(0b111) << 61, kTe = UINT64_C(1) << 60;
constexpr uint64_t kTlc = UINT64_C(0b11) << 54, kTh = UINT64_C(0xFFF) << 32, kMt = 1 << 25;

const Layout kLayouts[] = {
    {"", PMUV3_PMCR, 0x81},
    {"features=PMUv3p4", PMUV3_PMCR, 0x01},
    {"", PMUV3_PMCNTENSET, 0x3F},
    {"counters=31", PMUV3_PMCNTENSET, 0x7FFFFFFF},
    {"counters=1", PMUV3_PMCNTENSET, 0x1},
    {"counters=0", PMUV3_PMCNTENSET, 0x0},
    {"", PMUV3_PMINTENSET, 0x3F},
    {"counters=31", PMUV3_PMINTENSET, 0x7FFFFFFF},
    {"", PMUV3_PMOVSSET, 0x3F},
    {"counters=31", PMUV3_PMOVSSET, 0x7FFFFFFF},
    {"", PMUV3_MDCR_EL2, 1 << 26 | 0x9F},
    {"el3=0", PMUV3_MDCR_EL2, 1 << 28 | 1 << 26 | 0x9F},
    {"el3=0 features=PMUv3p9", PMUV3_MDCR_EL2, 1 << 26 | 0x9F},
    {"features=PMUv3p4", PMUV3_MDCR_EL2, 0x9F},
    {"el2=0", PMUV3_MDCR_EL2, 0},
    {"el2=0 el3=0", PMUV3_MDCR_EL2, 0},
    {"", PMUV3_PMEVCNTRn(0), kOnes},
    {"counters=31", PMUV3_PMEVCNTRn(30), kOnes},
    {"features=PMUv3p4", PMUV3_PMEVCNTRn(0), 0xFFFFFFFF},
    {"", PMUV3_PMEVTYPERn(0), kTc | kTe | kTh | kMt | 0xFFFF},
    {"", PMUV3_PMEVTYPERn(1), kTc | kTe | kTlc | kTh | kMt | 0xFFFF},
    {"counters=31", PMUV3_PMEVTYPERn(29), kTc | kTe | kTlc | kTh | kMt | 0xFFFF},
    {"counters=31", PMUV3_PMEVTYPERn(30), kTc | kTe | kTh | kMt | 0xFFFF},
    {"features=none", PMUV3_PMEVTYPERn(0), 0x3FF},
    {"features=none", PMUV3_PMEVTYPERn(1), 0x3FF},
    {"features=TH", PMUV3_PMEVTYPERn(1), kTc | kTh | 0x3FF},
    {"features=EDGE", PMUV3_PMEVTYPERn(1), kTc | kTe | kTh | 0x3FF},
    {"features=TH2", PMUV3_PMEVTYPERn(0), kTc | kTe | kTh | 0x3FF},
    {"features=TH2", PMUV3_PMEVTYPERn(1), kTc | kTe | kTlc | kTh | 0x3FF},
    {"features=PMUv3p1", PMUV3_PMEVTYPERn(1), 0xFFFF},
    {"features=MTPMU", PMUV3_PMEVTYPERn(1), kMt | 0x3FF},
    {"features=TH th_width=1", PMUV3_PMEVTYPERn(0), kTc | UINT64_C(0x001) << 32 | 0x3FF},
    {"features=TH th_width=7", PMUV3_PMEVTYPERn(0), kTc | UINT64_C(0x07F) << 32 | 0x3FF},
    {"features=TH th_width=11", PMUV3_PMEVTYPERn(0), kTc | UINT64_C(0x7FF) << 32 | 0x3FF},
};

class RegistersTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(RegistersTest);

// What a read shows besides the fields that a write changes.
uint64_t ReadOnlyPart(const pmuv3_params &params, uint16_t reg) {
  return reg == PMUV3_PMCR ? static_cast<uint64_t>(params.counters) << 11 : 0;
}

// The register that takes bits out again, or the register itself.
uint16_t ClearedBy(uint16_t reg) {
  switch (reg) {
    case PMUV3_PMCNTENSET:
      return PMUV3_PMCNTENCLR;
    case PMUV3_PMINTENSET:
      return PMUV3_PMINTENCLR;
    case PMUV3_PMOVSSET:
      return PMUV3_PMOVSCLR;
    default:
      return reg;
  }
}

TEST_P(RegistersTest, Layouts) {
  for (const Layout &layout : kLayouts) {
    char name[24];
    SCOPED_TRACE(::testing::Message()
                 << layout.settings << " " << pmuv3_register_name(layout.reg, name));
    Build(layout.settings);
    const uint64_t fixed = ReadOnlyPart(params(), layout.reg);
    const uint16_t clear = ClearedBy(layout.reg);
    Write(layout.reg, kOnes);
    EXPECT_EQ(Read(layout.reg), fixed | layout.writable);
    EXPECT_EQ(Read(clear), fixed | layout.writable);
    Write(clear, clear == layout.reg ? 0 : kOnes);
    EXPECT_EQ(Read(layout.reg), fixed);
    // The same by a write in the clock of a cycle, which counts nothing as nothing is enabled.
    if (layout.reg == PMUV3_PMCNTENSET || layout.reg == PMUV3_PMCR) continue;
    CycleWriting(layout.reg, kOnes);
    EXPECT_EQ(Read(layout.reg), fixed | layout.writable);
  }
}

// Each bit on its own, where it lands.
TEST_P(RegistersTest, EachBit) {
  for (const Layout &layout : kLayouts) {
    char name[24];
    SCOPED_TRACE(::testing::Message()
                 << layout.settings << " " << pmuv3_register_name(layout.reg, name));
    if (ClearedBy(layout.reg) != layout.reg) continue;
    Build(layout.settings);
    const uint64_t fixed = ReadOnlyPart(params(), layout.reg);
    for (int bit = 0; bit < 64; bit++) {
      Write(layout.reg, UINT64_C(1) << bit);
      EXPECT_EQ(Read(layout.reg), fixed | (layout.writable & UINT64_C(1) << bit)) << bit;
    }
  }
}

TEST(RegisterMaskTest, Layouts) {
  for (const Layout &layout : kLayouts) {
    const pmuv3_params params = Params(layout.settings);
    const uint64_t mask = pmuv3_register_mask(&params, layout.reg);
    // PMCR.P changes the counters when written.
    EXPECT_EQ(mask & ~(layout.reg == PMUV3_PMCR ? UINT64_C(0b10) : 0), layout.writable)
        << layout.settings << " " << std::hex << layout.reg;
  }
  const pmuv3_params params = Params();
  EXPECT_EQ(pmuv3_register_mask(&params, 0), 0u);
  EXPECT_EQ(pmuv3_register_mask(&params, PMUV3_PMCEID0), 0u);
}

// W1S and W1C: zeros change nothing, and each pair is a register of its own.
TEST_P(RegistersTest, SetAndClear) {
  const uint16_t set[] = {PMUV3_PMCNTENSET, PMUV3_PMINTENSET, PMUV3_PMOVSSET};
  for (int i = 0; i < 3; i++) {
    Build();
    Write(set[i], 0x15);
    Write(set[i], 0x02);
    EXPECT_EQ(Read(set[i]), 0x17u);
    Write(ClearedBy(set[i]), 0x06);
    EXPECT_EQ(Read(set[i]), 0x11u);
    EXPECT_EQ(Read(ClearedBy(set[i])), 0x11u);
    for (int other = 0; other < 3; other++) EXPECT_EQ(Read(set[other]), other == i ? 0x11u : 0u);
  }
}

// 31 counters and 31 types, each in its own place.
TEST_P(RegistersTest, IndexedRegistersAreDistinct) {
  Build("counters=31");
  for (int n = 0; n < 31; n++) {
    Write(PMUV3_PMEVCNTRn(n), UINT64_C(0xABCD00000000) + n);
    Write(PMUV3_PMEVTYPERn(n), 0x100 + n);
  }
  const pmuv3_probe probe = Probe();
  for (int n = 0; n < 31; n++) {
    EXPECT_EQ(Counter(n), UINT64_C(0xABCD00000000) + n);
    EXPECT_EQ(probe.value[n], UINT64_C(0xABCD00000000) + n);
    EXPECT_EQ(Read(PMUV3_PMEVTYPERn(n)), static_cast<uint64_t>(0x100 + n));
    EXPECT_EQ(probe.evtyper[n], static_cast<uint64_t>(0x100 + n));
  }
}

// ---- Read-only values ----

TEST_P(RegistersTest, ReadOnlyValues) {
  struct {
    const char *settings;
    uint16_t reg;
    uint64_t value;
  } const cases[] = {
      {"", PMUV3_PMCR, 6 << 11},
      {"counters=31", PMUV3_PMCR, 31 << 11},
      {"counters=0", PMUV3_PMCR, 0},
      {"", PMUV3_PMMIR, 0x12C00008},
      {"slots=255 th_width=1", PMUV3_PMMIR, 0x121000FF},
      {"features=PMUv3p4 slots=0", PMUV3_PMMIR, 0},
      {"features=TH,PMUv3p4 th_width=5", PMUV3_PMMIR, 0x00500008},
      {"features=EDGE,PMUv3p4", PMUV3_PMMIR, 0x01C00008},
      {"features=TH2,PMUv3p4", PMUV3_PMMIR, 0x02C00008},
      {"features=SME,PMUv3p4", PMUV3_PMMIR, 0x10000008},
      {"", PMUV3_PMCEID0, 0x50070F11},
      {"", PMUV3_PMCEID1, 0xF0000018},
      {"features=none", PMUV3_PMCEID0, 0x50070F11},
      {"features=none", PMUV3_PMCEID1, 0xF0000018},
      {"", PMUV3_MDCR_EL2, 6},
      {"counters=31", PMUV3_MDCR_EL2, 31},
      {"el3=0", PMUV3_MDCR_EL2, 1 << 28 | 6},
      {"el3=0 features=PMUv3p9", PMUV3_MDCR_EL2, 6},
      {"el2=0", PMUV3_MDCR_EL2, 0},
      {"el2=0 el3=0", PMUV3_MDCR_EL2, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.settings << " " << std::hex << c.reg);
    Build(c.settings);
    EXPECT_EQ(Read(c.reg), c.value);
  }
}

// ---- Accesses ----

constexpr uint16_t kPmselr = PMUV3_SYSREG(3, 3, 9, 12, 5);  // not modelled

TEST_P(RegistersTest, Accesses) {
  struct {
    const char *settings;
    int reg;
    pmuv3_access read, write;
  } const cases[] = {
      {"", PMUV3_PMCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMOVSCLR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMSWINC, PMUV3_ACCESS_WRITE_ONLY, PMUV3_ACCESS_OK},
      {"", PMUV3_PMCEID0, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"", PMUV3_PMCEID1, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"", PMUV3_PMMIR, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=PMUv3p4", PMUV3_PMMIR, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=PMUv3p1", PMUV3_PMMIR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"el2=0", PMUV3_MDCR_EL2, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVCNTRn(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVCNTRn(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMEVTYPERn(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVTYPERn(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"counters=0", PMUV3_PMEVCNTRn(0), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"counters=31", PMUV3_PMEVCNTRn(30), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"counters=31", PMUV3_PMEVCNTRn(31), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", kPmselr, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", 0x0000, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", 0xFFFF, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.settings << " " << std::hex << c.reg);
    Build(c.settings);
    const uint16_t reg = static_cast<uint16_t>(c.reg);
    uint64_t value = 0x5A;
    EXPECT_EQ(TryRead(reg, &value), c.read);
    if (c.read != PMUV3_ACCESS_OK) {
      EXPECT_EQ(value, 0u);
    }
    EXPECT_EQ(TryWrite(reg, 0), c.write);
    EXPECT_EQ(pmuv3_register_readable(&params(), reg), c.read);
    EXPECT_EQ(pmuv3_register_writable(&params(), reg), c.write);
  }
}

// A refused write changes nothing at all, between cycles or in the clock of one.
TEST_P(RegistersTest, RefusedWritesChangeNothing) {
  for (int reg : {0x0000, 0xFFFF, +PMUV3_PMCEID0, +PMUV3_PMMIR, +kPmselr, +PMUV3_PMEVCNTRn(6),
                  +PMUV3_PMEVTYPERn(6), +PMUV3_PMEVTYPERn(31)}) {
    EXPECT_NE(TryWrite(static_cast<uint16_t>(reg), kOnes), PMUV3_ACCESS_OK);
    CycleWriting(static_cast<uint16_t>(reg), kOnes);
  }
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(probe.pmcr, 6u << 11);
  EXPECT_EQ(probe.mdcr_el2, 6u);
  EXPECT_EQ(probe.cnten | probe.inten | probe.overflow, 0u);
  for (int n = 0; n < PMUV3_LANES; n++) {
    EXPECT_EQ(probe.value[n], 0u);
    EXPECT_EQ(probe.evtyper[n], 0u);
  }
}

// The probe shows every register as a read does.
TEST_P(RegistersTest, ProbeShowsRegisters) {
  Build("counters=4 el3=0");
  Write(PMUV3_PMCR, 0x81);
  Write(PMUV3_MDCR_EL2, 0x4000082);
  Write(PMUV3_PMCNTENSET, 0x5);
  Write(PMUV3_PMINTENSET, 0x6);
  Write(PMUV3_PMOVSSET, 0xC);
  Write(PMUV3_PMEVTYPERn(3), Type(PMUV3_EVENT_STALL).Tc(5).Tlc(1).Th(9));
  Write(PMUV3_PMEVCNTRn(3), 0x123456789ABCDEF0);
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(probe.pmcr, 0x2081u);
  EXPECT_EQ(probe.mdcr_el2, 0x4000082u);
  EXPECT_EQ(probe.cnten, 0x5u);
  EXPECT_EQ(probe.inten, 0x6u);
  EXPECT_EQ(probe.overflow, 0xCu);
  EXPECT_EQ(probe.evtyper[3], 0xA04000090000003Cu);
  EXPECT_EQ(probe.value[3], 0x123456789ABCDEF0u);
  EXPECT_EQ(probe.pmmir, 0x12C00008u);
  EXPECT_EQ(probe.pmceid0, 0x50070F11u);
  EXPECT_EQ(probe.pmceid1, 0xF0000018u);
}

// ---- What this model does not have yet ----

struct Later {
  const char *field;
  int reg, msb, lsb;
  const char *present;  // parameters with which the field is there
  const char *absent;   // and with which it is RES0; nullptr: never
};

constexpr Later kLater[] = {
    {"FZO", PMUV3_PMCR, 9, 9, "features=PMUv3p7", "features=PMUv3p5"},
    {"LC", PMUV3_PMCR, 6, 6, "", nullptr},
    {"DP", PMUV3_PMCR, 5, 5, "", nullptr},
    {"D", PMUV3_PMCR, 3, 3, "", nullptr},
    {"C", PMUV3_PMCR, 2, 2, "", nullptr},
    {"F0", PMUV3_PMCNTENSET, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMCNTENSET, 31, 31, "", nullptr},
    {"F0", PMUV3_PMCNTENCLR, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMCNTENCLR, 31, 31, "counters=31", nullptr},
    {"F0", PMUV3_PMOVSCLR, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMOVSCLR, 31, 31, "", nullptr},
    {"F0", PMUV3_PMOVSSET, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMOVSSET, 31, 31, "counters=0", nullptr},
    {"F0", PMUV3_PMINTENSET, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMINTENSET, 31, 31, "", nullptr},
    {"F0", PMUV3_PMINTENCLR, 32, 32, "features=ICNTR", "features=PMUv3p9"},
    {"C", PMUV3_PMINTENCLR, 31, 31, "", nullptr},
    {"PMEE", PMUV3_MDCR_EL2, 41, 40, "features=SEBEP", "features=PMUv3p9"},
    {"HPMFZO", PMUV3_MDCR_EL2, 29, 29, "features=PMUv3p7", "features=PMUv3p5"},
    {"HCCD", PMUV3_MDCR_EL2, 23, 23, "features=PMUv3p5", "features=PMUv3p4"},
    {"HPMD", PMUV3_MDCR_EL2, 17, 17, "features=PMUv3p1", "features=none"},
    {"TPM", PMUV3_MDCR_EL2, 6, 6, "el3=0", "el2=0"},
    {"TPMCR", PMUV3_MDCR_EL2, 5, 5, "", "el2=0"},
    {"SYNC", PMUV3_PMEVTYPERn(0), 58, 58, "features=SEBEP", "features=TH2,PMUv3p9"},
    {"VS", PMUV3_PMEVTYPERn(0), 57, 56, "features=SME", "features=TH2,PMUv3p9"},
    {"P", PMUV3_PMEVTYPERn(0), 31, 31, "features=none el2=0 el3=0", nullptr},
    {"U", PMUV3_PMEVTYPERn(5), 30, 30, "features=none el2=0 el3=0", nullptr},
    {"NSK", PMUV3_PMEVTYPERn(1), 29, 29, "el2=0", "el3=0"},
    {"NSU", PMUV3_PMEVTYPERn(2), 28, 28, "el2=0", "el3=0"},
    {"NSH", PMUV3_PMEVTYPERn(3), 27, 27, "el3=0", "el2=0"},
    {"M", PMUV3_PMEVTYPERn(4), 26, 26, "features=none", "el3=0"},
    {"SH", PMUV3_PMEVTYPERn(0), 24, 24, "features=SEL2", "features=RME"},
    {"SH", PMUV3_PMEVTYPERn(0), 24, 24, "features=SEL2", "features=SEL2 el3=0"},
    {"SH", PMUV3_PMEVTYPERn(0), 24, 24, "features=SEL2", "features=SEL2 el2=0"},
    {"RLK", PMUV3_PMEVTYPERn(0), 22, 22, "features=RME", "features=SEL2"},
    {"RLU", PMUV3_PMEVTYPERn(1), 21, 21, "features=RME", "features=RME el3=0"},
    {"RLH", PMUV3_PMEVTYPERn(0), 20, 20, "features=RME", "features=none"},
};

TEST(RegisterUnsupportedTest, LaterFields) {
  for (const Later &later : kLater) {
    SCOPED_TRACE(later.field);
    const uint16_t reg = static_cast<uint16_t>(later.reg);
    for (int bit = later.lsb; bit <= later.msb; bit++) {
      const uint64_t value = UINT64_C(1) << bit;
      pmuv3_params params = Params(later.present);
      EXPECT_STREQ(pmuv3_register_unsupported(&params, reg, value), later.field);
      if (!later.absent) continue;
      params = Params(later.absent);
      EXPECT_EQ(pmuv3_register_unsupported(&params, reg, value), nullptr) << later.absent;
    }
  }
}

// Everything else is modelled, or RES0 and ignored.
TEST(RegisterUnsupportedTest, NothingElse) {
  const pmuv3_params params = Params();
  for (int reg = 0; reg <= 0xFFFF; reg++) {
    uint64_t later = 0;
    const bool is_type = reg >= PMUV3_PMEVTYPERn(0) && reg < PMUV3_PMEVTYPERn(6);
    for (const Later &field : kLater)
      if (field.reg == reg || (is_type && field.reg >= PMUV3_PMEVTYPERn(0)))
        later |= (UINT64_C(2) << field.msb) - (UINT64_C(1) << field.lsb);
    EXPECT_EQ(pmuv3_register_unsupported(&params, static_cast<uint16_t>(reg), ~later), nullptr)
        << std::hex << reg;
  }
}

}  // namespace
}  // namespace pmuv3
