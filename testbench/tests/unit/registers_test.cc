// registers: encodings, layouts, reset values and accesses, typed from the
// architecture's tables.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbench/tests/unit/register_rows.h"
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint64_t kOnes = ~UINT64_C(0);

// ---- Names and encodings ----

struct Name {
  const char *name;
  int op0, op1, crn, crm, op2;
};

constexpr Name kNames[] = {
    {"PMCR_EL0", 3, 3, 9, 12, 0},
    {"PMCNTENSET_EL0", 3, 3, 9, 12, 1},
    {"PMCNTENCLR_EL0", 3, 3, 9, 12, 2},
    {"PMOVSCLR_EL0", 3, 3, 9, 12, 3},
    {"PMSWINC_EL0", 3, 3, 9, 12, 4},
    {"PMCEID0_EL0", 3, 3, 9, 12, 6},
    {"PMCEID1_EL0", 3, 3, 9, 12, 7},
    {"PMINTENSET_EL1", 3, 0, 9, 14, 1},
    {"PMINTENCLR_EL1", 3, 0, 9, 14, 2},
    {"PMSELR_EL0", 3, 3, 9, 12, 5},
    {"PMXEVTYPER_EL0", 3, 3, 9, 13, 1},
    {"PMXEVCNTR_EL0", 3, 3, 9, 13, 2},
    {"PMZR_EL0", 3, 3, 9, 13, 4},
    {"PMUSERENR_EL0", 3, 3, 9, 14, 0},
    {"PMOVSSET_EL0", 3, 3, 9, 14, 3},
    {"PMSSCR_EL1", 3, 0, 9, 13, 3},
    {"PMUACR_EL1", 3, 0, 9, 14, 4},
    {"PMECR_EL1", 3, 0, 9, 14, 5},
    {"PMIAR_EL1", 3, 0, 9, 14, 7},
    {"PMEVCNTSVR0_EL1", 2, 0, 14, 8, 0},
    {"PMEVCNTSVR30_EL1", 2, 0, 14, 11, 6},
    {"PMCCNTSVR_EL1", 2, 0, 14, 11, 7},
    {"PMICNTSVR_EL1", 2, 0, 14, 12, 0},
    {"PMMIR_EL1", 3, 0, 9, 14, 6},
    {"MDCR_EL2", 3, 4, 1, 1, 1},
    {"MDCR_EL3", 3, 6, 1, 3, 1},
    {"SDER32_EL3", 3, 6, 1, 1, 1},
    {"PMCCNTR_EL0", 3, 3, 9, 13, 0},
    {"PMCCFILTR_EL0", 3, 3, 14, 15, 7},
    {"PMICNTR_EL0", 3, 3, 9, 4, 0},
    {"PMICFILTR_EL0", 3, 3, 9, 6, 0},
    {"PMEVCNTR0_EL0", 3, 3, 14, 8, 0},
    {"PMEVCNTR7_EL0", 3, 3, 14, 8, 7},
    {"PMEVCNTR8_EL0", 3, 3, 14, 9, 0},
    {"PMEVCNTR30_EL0", 3, 3, 14, 11, 6},
    {"PMEVTYPER0_EL0", 3, 3, 14, 12, 0},
    {"PMEVTYPER15_EL0", 3, 3, 14, 13, 7},
    {"PMEVTYPER16_EL0", 3, 3, 14, 14, 0},
    {"PMEVTYPER30_EL0", 3, 3, 14, 15, 6},
    {"SDER32_EL2", 3, 4, 1, 3, 1},
    // AArch32: {coproc 0b1111, opc1, CRn, CRm, opc2}, with op0 = 0.
    {"PMCR", 0, 0, 9, 12, 0},
    {"PMCNTENSET", 0, 0, 9, 12, 1},
    {"PMCNTENCLR", 0, 0, 9, 12, 2},
    {"PMOVSR", 0, 0, 9, 12, 3},
    {"PMSWINC", 0, 0, 9, 12, 4},
    {"PMSELR", 0, 0, 9, 12, 5},
    {"PMCEID0", 0, 0, 9, 12, 6},
    {"PMCEID1", 0, 0, 9, 12, 7},
    {"PMCCNTR", 0, 0, 9, 13, 0},
    {"PMCCNTR64", 0, 0, 9, 9, 0},  // MRRC and MCRR: {coproc 0b1111, opc1 0, CRm 9}
    {"PMXEVTYPER", 0, 0, 9, 13, 1},
    {"PMXEVCNTR", 0, 0, 9, 13, 2},
    {"PMUSERENR", 0, 0, 9, 14, 0},
    {"PMINTENSET", 0, 0, 9, 14, 1},
    {"PMINTENCLR", 0, 0, 9, 14, 2},
    {"PMOVSSET", 0, 0, 9, 14, 3},
    {"PMCEID2", 0, 0, 9, 14, 4},
    {"PMCEID3", 0, 0, 9, 14, 5},
    {"PMMIR", 0, 0, 9, 14, 6},
    {"PMEVCNTR0", 0, 0, 14, 8, 0},
    {"PMEVCNTR30", 0, 0, 14, 11, 6},
    {"PMCCFILTR", 0, 0, 14, 15, 7},
    {"HDCR", 0, 4, 1, 1, 1},
    {"SDCR", 0, 0, 1, 3, 1},
    {"SDER", 0, 0, 1, 1, 1},
    {"PMEVTYPER0", 0, 0, 14, 12, 0},
    {"PMEVTYPER9", 0, 0, 14, 13, 1},
    {"PMEVTYPER30", 0, 0, 14, 15, 6},
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

// A register has a row above, or its encoding was typed but once.
TEST(RegisterNamesTest, HaveEveryRegister) {
  std::set<std::string> typed;
  for (const Name &n : kNames) typed.insert(n.name);
  char name[24];
#define PMUV3_REGISTER(id, text, op0, op1, crn, crm, op2, access, present, words) \
  EXPECT_EQ(typed.count(pmuv3_register_name(PMUV3_##id, name)), 1u) << name;
#define PMUV3_VIEW(id, text, of, opc1, crn, crm, opc2, lsb, mask, present, words) \
  EXPECT_EQ(typed.count(pmuv3_register_name(PMUV3_##id, name)), 1u) << name;
#define PMUV3_ALIAS(id, text, of, op0, op1, crn, crm, op2, present, words) \
  EXPECT_EQ(typed.count(pmuv3_register_name(PMUV3_##id, name)), 1u) << name;
#include "pmuv3/registers.def"
}

TEST(RegisterNamesTest, NoSuchName) {
  uint16_t reg;
  for (const char *name : {"",
                           "PMCR_EL1",
                           "PMCR_EL00",
                           "PMOVSCLR",
                           "PMZR",
                           "PMUACR",
                           "PMSELR_EL1",
                           "PMEVCNTSVR0",
                           "PMEVCNTSVR31_EL1",
                           "PMCCR",
                           "pmcr_el0",
                           "PMEVCNTR_EL0",
                           "PMEVCNTR31_EL0",
                           "PMEVCNTR00_EL0",
                           "PMEVCNTR%u_EL0",
                           "PMEVCNTR-1_EL0",
                           "PMEVCNTR1_EL1",
                           "PMEVCNTR1_EL0x",
                           "PMEVTYPER",
                           "PMEVTYPER99999999999_EL0",
                           " PMCR_EL0",
                           "PMEVTYPER31",
                           "PMEVTYPER31_EL0",
                           "PMEVTYPER00",
                           "PMEVTYPER%u",
                           "SDCR_EL3",
                           "PMCCFILTR_EL1",
                           "MDCR_EL1",
                           "SDER32",
                           "PMICFILTR"})
    EXPECT_FALSE(pmuv3_register_find(name, &reg)) << name;
}

TEST(RegisterNamesTest, NoSuchEncoding) {
  char name[24];
  EXPECT_STREQ(pmuv3_register_name(0x0000, name), "0x0000");
  EXPECT_STREQ(pmuv3_register_name(0xFFFF, name), "0xFFFF");
  EXPECT_STREQ(pmuv3_register_name(PMUV3_PMEVCNTRn(31), name), "0xDF5F");
  EXPECT_STREQ(pmuv3_register_name(PMUV3_PMCR + 0x100, name), "0xDDE0");
}

// Every result has a text, and no two results have the same.
TEST(RegisterNamesTest, AccessText) {
  EXPECT_STREQ(pmuv3_access_text(PMUV3_ACCESS_OK), "ok");
  EXPECT_STREQ(pmuv3_access_text(PMUV3_ACCESS_UNKNOWN), "unknown register");
  EXPECT_STRNE(pmuv3_access_text(PMUV3_ACCESS_READ_ONLY), "");
  EXPECT_STRNE(pmuv3_access_text(PMUV3_ACCESS_READ_ONLY),
               pmuv3_access_text(PMUV3_ACCESS_WRITE_ONLY));
}

// ---- Layouts (E.1 - E.7): the fields that a write changes ----

struct Layout {
  const char *settings;
  uint16_t reg;
  uint64_t writable;
};

constexpr uint64_t Field(int msb, int lsb) {
  return kOnes >> (63 - msb + lsb) << lsb;
}
constexpr uint64_t Field(int bit) {
  return Field(bit, bit);
}

// Fields of PMEVTYPER<n>_EL0, PMCCFILTR_EL0 and PMICFILTR_EL0.
constexpr uint64_t kTc = Field(63, 61), kTe = Field(60), kSync = Field(58), kVs = Field(57, 56);
constexpr uint64_t kTlc = Field(55, 54), kTh = Field(43, 32);
constexpr uint64_t kPU = Field(31, 30), kNskNsu = Field(29, 28), kNsh = Field(27), kM = Field(26);
constexpr uint64_t kMt = Field(25), kSh = Field(24), kRl = Field(22, 20);
constexpr uint64_t kEvt = Field(9, 0), kEvtHi = Field(15, 10);
constexpr uint64_t kFilter = kPU | kNskNsu | kNsh | kM;  // with EL2, EL3 and AArch64

const Layout kLayouts[] = {
    // E.3
    {"", PMUV3_PMCR, Field(9) | Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=PMUv3p5", PMUV3_PMCR, Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=PMUv3p4", PMUV3_PMCR, Field(6) | Field(5) | Field(3) | Field(0)},
    {"aa64=0", PMUV3_PMCR, Field(9) | Field(6) | Field(5) | Field(3) | Field(0)},
    // DP, with EL3, or EL2 and PMUv3p1, or PMUv3p7
    {"features=none", PMUV3_PMCR, Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=none el2=0", PMUV3_PMCR, Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=none el3=0", PMUV3_PMCR, Field(6) | Field(3) | Field(0)},
    {"features=PMUv3p1 el3=0", PMUV3_PMCR, Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=PMUv3p4 el2=0 el3=0", PMUV3_PMCR, Field(6) | Field(3) | Field(0)},
    {"features=PMUv3p7 el2=0 el3=0", PMUV3_PMCR,
     Field(9) | Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=SPE", PMUV3_PMCR,
     Field(32) | Field(9) | Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=DPFZS", PMUV3_PMCR,
     Field(32) | Field(9) | Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"features=SPE aa64=0", PMUV3_PMCR, Field(9) | Field(6) | Field(5) | Field(3) | Field(0)},
    // LC is RES1 and D is RES0 without AArch32 (I-2)
    {"aa32=none", PMUV3_PMCR, Field(9) | Field(7) | Field(5) | Field(0)},
    {"aa32=el0", PMUV3_PMCR, Field(9) | Field(7) | Field(6) | Field(5) | Field(3) | Field(0)},
    {"aa32=el1", PMUV3_SDER32_EL3, Field(1)},
    // E.5
    {"", PMUV3_PMUACR, Field(32) | Field(31) | 0x3F},
    {"features=PMUv3p9", PMUV3_PMUACR, Field(31) | 0x3F},
    {"counters=31", PMUV3_PMUACR, Field(32, 0)},
    {"counters=0", PMUV3_PMUACR, Field(32) | Field(31)},
    {"", PMUV3_PMCNTENSET, Field(32) | Field(31) | 0x3F},
    {"features=PMUv3p9", PMUV3_PMCNTENSET, Field(31) | 0x3F},
    {"aa64=0", PMUV3_PMCNTENSET, Field(31) | 0x3F},
    {"counters=31", PMUV3_PMCNTENSET, Field(32, 0)},
    {"counters=1", PMUV3_PMCNTENSET, Field(32) | Field(31) | 0x1},
    {"counters=0", PMUV3_PMCNTENSET, Field(32) | Field(31)},
    {"", PMUV3_PMINTENSET, Field(32) | Field(31) | 0x3F},
    {"features=PMUv3p9", PMUV3_PMINTENSET, Field(31) | 0x3F},
    {"counters=31", PMUV3_PMINTENSET, Field(32, 0)},
    {"counters=0", PMUV3_PMINTENSET, Field(32) | Field(31)},
    {"", PMUV3_PMOVSSET, Field(32) | Field(31) | 0x3F},
    {"features=PMUv3p9", PMUV3_PMOVSSET, Field(31) | 0x3F},
    {"counters=31", PMUV3_PMOVSSET, Field(32, 0)},
    {"counters=0", PMUV3_PMOVSSET, Field(32) | Field(31)},
    // E.7
    {"", PMUV3_MDCR_EL2,
     Field(41, 40) | Field(29) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"el3=0", PMUV3_MDCR_EL2,
     Field(41, 40) | Field(29, 28) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"el3=0 features=PMUv3p9", PMUV3_MDCR_EL2,
     Field(29) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"aa64=0", PMUV3_MDCR_EL2, Field(29) | Field(23) | Field(17) | Field(7, 0)},
    {"features=PMUv3p7", PMUV3_MDCR_EL2,
     Field(29) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"features=PMUv3p5", PMUV3_MDCR_EL2, Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"features=PMUv3p4", PMUV3_MDCR_EL2, Field(17) | Field(7, 0)},
    {"features=PMUv3p1", PMUV3_MDCR_EL2, Field(17) | Field(7, 0)},
    {"features=none", PMUV3_MDCR_EL2, Field(7, 0)},
    {"features=EBEP", PMUV3_MDCR_EL2, Field(41, 40) | Field(7, 0)},
    {"features=SPE", PMUV3_MDCR_EL2,
     Field(36) | Field(29) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"features=SS", PMUV3_MDCR_EL2,
     Field(31, 29) | Field(26) | Field(23) | Field(17) | Field(7, 0)},
    {"features=SS,SPE,EBEP el2=0", PMUV3_MDCR_EL2, 0},
    {"el2=0", PMUV3_MDCR_EL2, 0},
    {"el2=0 el3=0", PMUV3_MDCR_EL2, 0},
    {"", PMUV3_MDCR_EL3,
     Field(41, 40) | Field(35, 34) | Field(28) | Field(23) | Field(17) | Field(7, 6)},
    {"el2=0", PMUV3_MDCR_EL3,
     Field(41, 40) | Field(35, 34) | Field(28) | Field(23) | Field(17) | Field(7, 6)},
    {"aa64=0", PMUV3_MDCR_EL3, Field(28) | Field(23) | Field(17)},
    {"features=PMUv3p9", PMUV3_MDCR_EL3, Field(35, 34) | Field(23) | Field(17) | Field(7, 6)},
    {"features=PMUv3p8", PMUV3_MDCR_EL3, Field(35, 34) | Field(23) | Field(17) | Field(6)},
    {"features=PMUv3p7", PMUV3_MDCR_EL3, Field(35, 34) | Field(23) | Field(17) | Field(6)},
    {"features=PMUv3p5", PMUV3_MDCR_EL3, Field(23) | Field(17) | Field(6)},
    {"features=PMUv3p4,MTPMU", PMUV3_MDCR_EL3, Field(28) | Field(17) | Field(6)},
    {"features=SEBEP", PMUV3_MDCR_EL3, Field(41, 40) | Field(17) | Field(7, 6)},
    {"features=none", PMUV3_MDCR_EL3, Field(17) | Field(6)},
    {"features=SS", PMUV3_MDCR_EL3,
     Field(46, 44) | Field(35, 34) | Field(31, 30) | Field(23) | Field(17) | Field(7, 6)},
    {"features=EXT32", PMUV3_MDCR_EL3, Field(21) | Field(17) | Field(6)},
    {"features=EXT64", PMUV3_MDCR_EL3, Field(21) | Field(17) | Field(6)},
    {"features=EXT64,RME", PMUV3_MDCR_EL3, Field(21) | Field(17) | Field(6) | Field(2)},
    {"features=EXTPMN", PMUV3_MDCR_EL3, Field(21) | Field(17) | Field(6)},
    {"features=RME", PMUV3_MDCR_EL3, Field(17) | Field(6)},
    {"features=SS,EBEP,EXT64 el3=0", PMUV3_MDCR_EL3, 0},
    {"el3=0", PMUV3_MDCR_EL3, 0},
    {"", PMUV3_SDER32_EL3, Field(1)},
    {"features=none", PMUV3_SDER32_EL3, Field(1)},
    {"el3=0", PMUV3_SDER32_EL3, 0},
    // E.6
    {"", PMUV3_PMSELR, Field(4, 0)},
    {"features=none", PMUV3_PMSELR, Field(4, 0)},
    {"", PMUV3_PMUSERENR, Field(6, 0)},
    {"features=PMUv3p9", PMUV3_PMUSERENR, Field(6) | Field(4, 0)},
    {"features=PMUv3p8", PMUV3_PMUSERENR, Field(3, 0)},
    {"features=none", PMUV3_PMUSERENR, Field(3, 0)},
    {"aa64=0", PMUV3_PMUSERENR, Field(6) | Field(3, 0)},
    {"", PMUV3_PMECR, Field(2, 0)},
    {"features=SS", PMUV3_PMECR, Field(4, 3)},
    {"features=SS,EBEP", PMUV3_PMECR, Field(4, 0)},
    {"", PMUV3_PMIAR, Field(63, 2)},
    {"", PMUV3_PMCCNTR, kOnes},
    {"features=none", PMUV3_PMCCNTR, kOnes},
    {"", PMUV3_PMICNTR, kOnes},
    {"", PMUV3_PMEVCNTRn(0), kOnes},
    {"counters=31", PMUV3_PMEVCNTRn(30), kOnes},
    {"features=PMUv3p4", PMUV3_PMEVCNTRn(0), Field(31, 0)},
    {"aa64=0", PMUV3_PMEVCNTRn(0), Field(31, 0)},
    // E.2
    {"", PMUV3_PMCCFILTR, kVs | kFilter | kSh | kRl},
    {"features=none", PMUV3_PMCCFILTR, kFilter},
    {"features=none el3=0", PMUV3_PMCCFILTR, kPU | kNsh},
    {"features=none el2=0", PMUV3_PMCCFILTR, kPU | kNskNsu | kM},
    {"features=none el2=0 el3=0", PMUV3_PMCCFILTR, kPU},
    {"aa64=0", PMUV3_PMCCFILTR, kPU | kNskNsu | kNsh},
    {"features=SME", PMUV3_PMCCFILTR, kVs | kFilter},
    {"features=SEL2", PMUV3_PMCCFILTR, kFilter | kSh},
    {"features=SEL2 el3=0", PMUV3_PMCCFILTR, kPU | kNsh},
    {"features=SEL2 el2=0", PMUV3_PMCCFILTR, kPU | kNskNsu | kM},
    {"features=RME", PMUV3_PMCCFILTR, kFilter | kRl},
    {"features=RME el2=0", PMUV3_PMCCFILTR, kPU | kNskNsu | kM | kRl},
    {"features=RME el3=0", PMUV3_PMCCFILTR, kPU | kNsh},
    {"", PMUV3_PMICFILTR, kSync | kVs | kFilter | kSh | kRl},
    {"features=ICNTR", PMUV3_PMICFILTR, kFilter},
    {"features=ICNTR,SEBEP", PMUV3_PMICFILTR, kSync | kFilter},
    {"features=ICNTR,SME", PMUV3_PMICFILTR, kVs | kFilter},
    {"features=ICNTR,SEL2 el3=0", PMUV3_PMICFILTR, kPU | kNsh},
    {"features=ICNTR,SEL2,RME", PMUV3_PMICFILTR, kFilter | kSh | kRl},
    {"features=ICNTR el2=0 el3=0", PMUV3_PMICFILTR, kPU},
    // E.1
    {"", PMUV3_PMEVTYPERn(0),
     kTc | kTe | kSync | kVs | kTh | kFilter | kMt | kSh | kRl | kEvtHi | kEvt},
    {"", PMUV3_PMEVTYPERn(1),
     kTc | kTe | kSync | kVs | kTlc | kTh | kFilter | kMt | kSh | kRl | kEvtHi | kEvt},
    {"counters=31", PMUV3_PMEVTYPERn(29),
     kTc | kTe | kSync | kVs | kTlc | kTh | kFilter | kMt | kSh | kRl | kEvtHi | kEvt},
    {"counters=31", PMUV3_PMEVTYPERn(30),
     kTc | kTe | kSync | kVs | kTh | kFilter | kMt | kSh | kRl | kEvtHi | kEvt},
    {"aa64=0", PMUV3_PMEVTYPERn(1), kPU | kNskNsu | kNsh | kMt | kEvtHi | kEvt},
    {"features=none", PMUV3_PMEVTYPERn(0), kFilter | kEvt},
    {"features=none", PMUV3_PMEVTYPERn(1), kFilter | kEvt},
    {"features=none el3=0", PMUV3_PMEVTYPERn(0), kPU | kNsh | kEvt},
    {"features=none el2=0", PMUV3_PMEVTYPERn(0), kPU | kNskNsu | kM | kEvt},
    {"features=none el2=0 el3=0", PMUV3_PMEVTYPERn(0), kPU | kEvt},
    {"features=none aa64=0", PMUV3_PMEVTYPERn(0), kPU | kNskNsu | kNsh | kEvt},
    {"features=TH", PMUV3_PMEVTYPERn(1), kTc | kTh | kFilter | kEvt},
    {"features=EDGE", PMUV3_PMEVTYPERn(1), kTc | kTe | kTh | kFilter | kEvt},
    {"features=TH2", PMUV3_PMEVTYPERn(0), kTc | kTe | kTh | kFilter | kEvt},
    {"features=TH2", PMUV3_PMEVTYPERn(1), kTc | kTe | kTlc | kTh | kFilter | kEvt},
    {"features=PMUv3p1", PMUV3_PMEVTYPERn(1), kFilter | kEvtHi | kEvt},
    {"features=MTPMU", PMUV3_PMEVTYPERn(1), kFilter | kMt | kEvt},
    {"features=none K-MT-LEGACY=rw", PMUV3_PMEVTYPERn(1), kFilter | kMt | kEvt},
    {"features=SEBEP", PMUV3_PMEVTYPERn(0), kSync | kFilter | kEvt},
    {"features=SME", PMUV3_PMEVTYPERn(0), kVs | kFilter | kEvt},
    {"features=SEL2", PMUV3_PMEVTYPERn(0), kFilter | kSh | kEvt},
    {"features=SEL2 el3=0", PMUV3_PMEVTYPERn(0), kPU | kNsh | kEvt},
    {"features=SEL2 el2=0", PMUV3_PMEVTYPERn(0), kPU | kNskNsu | kM | kEvt},
    {"features=RME", PMUV3_PMEVTYPERn(0), kFilter | kRl | kEvt},
    {"features=RME el3=0", PMUV3_PMEVTYPERn(0), kPU | kNsh | kEvt},
    {"features=RME el2=0", PMUV3_PMEVTYPERn(0), kPU | kNskNsu | kM | kRl | kEvt},
    {"features=TH th_width=1", PMUV3_PMEVTYPERn(0), kTc | Field(32) | kFilter | kEvt},
    {"features=TH th_width=7", PMUV3_PMEVTYPERn(0), kTc | Field(38, 32) | kFilter | kEvt},
    {"features=TH th_width=11", PMUV3_PMEVTYPERn(0), kTc | Field(42, 32) | kFilter | kEvt},
};

// A register, and its value if a Warm reset follows a write of all ones.
struct AfterReset {
  int reg;
  uint64_t after;
};

class RegistersTest : public SideTest {
 protected:
  void CheckReset(const std::string &settings, const std::vector<AfterReset> &registers) {
    SCOPED_TRACE(settings);
    Build(settings);
    for (const AfterReset &r : registers) TryWrite(static_cast<uint16_t>(r.reg), kOnes);
    Reset();
    for (const AfterReset &r : registers) {
      char name[24];
      const uint16_t reg = static_cast<uint16_t>(r.reg);
      EXPECT_EQ(Read(reg), r.after) << pmuv3_register_name(reg, name);
    }
  }
};

// A register without storage reads 0 on either side, and is equal.
TEST_P(RegistersTest, EveryRegisterKeepsSomething) {
  std::map<std::string, uint64_t> read;
  for (const char *settings :
       {"counters=31 features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SS,DPFZS,EXTPMN",
        "counters=31 features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SPE"}) {
    Build(settings);
    for (int pass = 0; pass < 2; pass++) {
      for (const RegisterRow &of : kRegisterRows) {
        uint64_t before, after;
        if (of.access != RW || TryRead(of.reg, &before) != PMUV3_ACCESS_OK) continue;
        Write(of.reg, of.reg == PMUV3_PMSELR ? 30 : UINT64_MAX);  // a counter that is there
        TryRead(of.reg, &after);
        read[of.name] |= before | after;  // one that clears shows what another one set
      }
    }
  }
  for (const auto &[name, value] : read) EXPECT_NE(value, 0u) << name;
}

// A register without a reset would keep on one side what it resets to 0 on the other, or on both.
TEST_P(RegistersTest, EveryHeldRegisterResets) {
  const struct {
    const char *name;
    uint16_t reg;
  } registers[] = {
#define PMUV3_HELD(id, member) {#id, PMUV3_##id},
#include "pmuv3/registers.def"
  };
  for (const char *settings : {"features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SS",
                               "features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SPE"}) {
    for (const auto &of : registers) {
      uint64_t before, after;
      Build(settings);
      if (TryWrite(of.reg, UINT64_MAX) != PMUV3_ACCESS_OK) continue;
      TryRead(of.reg, &before);
      Reset();
      TryRead(of.reg, &after);
      EXPECT_TRUE(before == 0 || after != before) << of.name;
    }
  }
}

PMUV3_ON_BOTH_SIDES(RegistersTest);

// The bits that a read shows in addition to the written fields.
uint64_t ReadOnlyPart(const pmuv3_params &params, uint16_t reg) {
  if (reg == PMUV3_PMICFILTR) return 0x0008;  // evtCount
  if (reg != PMUV3_PMCR) return 0;
  const bool no_aarch32 = params.aa32 == 0;  // LC is RES1
  return uint64_t{params.counters} << 11 | uint64_t{no_aarch32} << 6;
}

// The register that clears the bits of this one, or the register itself.
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
    // The same by a write in the clock of a cycle. Nothing counts, since no counter is enabled.
    if (layout.reg == PMUV3_PMCNTENSET || layout.reg == PMUV3_PMCR) continue;
    CycleWriting(layout.reg, kOnes);
    EXPECT_EQ(Read(layout.reg), fixed | layout.writable);
  }
}

// Writes each bit alone.
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

TEST(RegisterMaskTest, LayoutsHaveEveryHeldRegister) {
  std::set<uint16_t> typed;
  for (const Layout &layout : kLayouts) typed.insert(layout.reg);
#define PMUV3_HELD(id, member) EXPECT_EQ(typed.count(PMUV3_##id), 1u) << #id;
#include "pmuv3/registers.def"
}

TEST(RegisterMaskTest, Layouts) {
  for (const Layout &layout : kLayouts) {
    const pmuv3_params params = Params(layout.settings);
    const uint64_t mask = pmuv3_register_mask(&params, layout.reg);
    // A write of PMCR.C or P changes counters.
    EXPECT_EQ(mask & ~(layout.reg == PMUV3_PMCR ? UINT64_C(0b110) : 0), layout.writable)
        << layout.settings << " " << std::hex << layout.reg;
  }
  const pmuv3_params params = Params();
  EXPECT_EQ(pmuv3_register_mask(&params, 0), 0u);
  EXPECT_EQ(pmuv3_register_mask(&params, PMUV3_PMCEID0), 0u);
}

// W1S and W1C: zeros change nothing. Each pair is one register.
TEST_P(RegistersTest, SetAndClear) {
  const uint16_t set[] = {PMUV3_PMCNTENSET, PMUV3_PMINTENSET, PMUV3_PMOVSSET};
  for (int i = 0; i < 3; i++) {
    Build();
    Write(set[i], 0x080000015);
    Write(set[i], 0x100000002);
    EXPECT_EQ(Read(set[i]), 0x180000017u);
    Write(ClearedBy(set[i]), 0x080000006);
    EXPECT_EQ(Read(set[i]), 0x100000011u);
    Write(set[i], 0x080000000);
    Write(ClearedBy(set[i]), 0x100000000);
    EXPECT_EQ(Read(ClearedBy(set[i])), 0x080000011u);
    for (int other = 0; other < 3; other++)
      EXPECT_EQ(Read(set[other]), other == i ? 0x080000011u : 0u);
  }
}

// 31 counters and 31 types are distinct registers.
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
      {"aa64=0", PMUV3_PMMIR, 0x00000008},
      {"bus_slots=255", PMUV3_PMMIR, 0x12C0FF08},
      {"bus_width=3", PMUV3_PMMIR, 0x12C30008},
      {"features=PMUv3p4 slots=1 bus_slots=165 bus_width=12", PMUV3_PMMIR, 0x000CA501},
      // 0x00-0x1F; 0x4000-0x4006, 0x4009-0x400C, 0x400E, 0x4010-0x4013, 0x4018-0x401B
      {"", PMUV3_PMCEID0, 0x0F0F5E7FFFFFFFFF},
      {"", PMUV3_PMCEID1, 0x77FFFFFFFF},  // 0x20-0x3F; 0x4020-0x4022, 0x4024-0x4026
      {"features=PMUv3p1", PMUV3_PMCEID0, 0x0F0F5E7FFFFFFFFF},
      {"features=none", PMUV3_PMCEID0, 0xFFFFFFFF},
      {"features=none", PMUV3_PMCEID1, 0xFFFFFFFF},
      {"", PMUV3_PMICFILTR, 0x0008},
      {"", PMUV3_MDCR_EL3, 1 << 28},
      {"el2=0", PMUV3_MDCR_EL3, 1 << 28},
      {"features=PMUv3p9", PMUV3_MDCR_EL3, 0},
      {"el3=0", PMUV3_MDCR_EL3, 0},
      {"", PMUV3_SDER32_EL3, 0},
      {"", PMUV3_PMCCFILTR, 0},
      {"", PMUV3_MDCR_EL2, 6},
      {"counters=31", PMUV3_MDCR_EL2, 31},
      {"el3=0", PMUV3_MDCR_EL2, 1 << 28 | 6},
      {"el3=0 features=PMUv3p9", PMUV3_MDCR_EL2, 6},
      {"el2=0", PMUV3_MDCR_EL2, 0},
      {"el2=0 el3=0", PMUV3_MDCR_EL2, 0},
      {"features=SS", PMUV3_PMSSCR, UINT64_C(1) << 32},  // NC
      {"features=SS", PMUV3_PMCCNTSVR, 0},
      {"features=SS,ICNTR", PMUV3_PMICNTSVR, 0},
      {"features=SS", PMUV3_PMEVCNTSVRn(0), 0},
      {"", PMUV3_PMCR_AA32, 6 << 11},
      {"", PMUV3_PMCEID0_AA32, 0xFFFFFFFF},
      {"", PMUV3_PMCEID1_AA32, 0xFFFFFFFF},
      {"", PMUV3_PMCEID2, 0x0F0F5E7F},
      {"", PMUV3_PMCEID3, 0x77},
      {"", PMUV3_PMMIR_AA32, 0x02C00008},  // without SME
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.settings << " " << std::hex << c.reg);
    Build(c.settings);
    EXPECT_EQ(Read(c.reg), c.value);
  }
}

// IMP is RAZ with PMUv3p7. IDCODE is RES0 where IMP is 0. Both are read-only.
TEST_P(RegistersTest, PmcrIdentification) {
  const struct {
    const char *settings;
    uint64_t reads;
  } cases[] = {
      {"features=PMUv3p5", 0},
      {"features=PMUv3p5 imp=0x41", 0x41000000},
      {"features=PMUv3p5 imp=0x41 idcode=0x5A", 0x415A0000},
      {"features=PMUv3p5 idcode=0x5A", 0},
      {"features=none imp=0xFF idcode=0xFF", 0xFFFF0000},
      {"features=PMUv3p7 imp=0x41 idcode=0x5A", 0},
      {"imp=0x41 idcode=0x5A", 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.settings);
    Build(c.settings);
    for (const uint64_t written : {UINT64_C(0), UINT64_C(0xFFFFFFFF)}) {
      Write(PMUV3_PMCR, written);
      EXPECT_EQ(Read(PMUV3_PMCR) & 0xFFFF0000, c.reads);
      EXPECT_EQ(Read(PMUV3_PMCR_AA32) & 0xFFFF0000, c.reads);
      EXPECT_EQ(Mrs(PMUV3_PMCR) & 0xFFFF0000, c.reads);
      EXPECT_EQ(Probe().pmcr & 0xFFFF0000, c.reads);
    }
  }
}

// ---- Accesses ----

constexpr uint16_t kSpmselr = PMUV3_SYSREG(2, 3, 9, 12, 5);  // SPMSELR_EL0 belongs to another PMU

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
      {"el3=0", PMUV3_MDCR_EL3, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"el3=0", PMUV3_SDER32_EL3, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=SS", PMUV3_SDER32_EL3, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_SDER, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa64=0 features=SS", PMUV3_SDER, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=SS", PMUV3_SDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_HDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMINTENSET_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMINTENCLR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMMIR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMSELR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=none", PMUV3_PMXEVTYPER, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"counters=0", PMUV3_PMXEVCNTR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMUSERENR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMZR, PMUV3_ACCESS_WRITE_ONLY, PMUV3_ACCESS_OK},
      {"features=PMUv3p8", PMUV3_PMZR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMUACR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=PMUv3p8", PMUV3_PMUACR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa64=0", PMUV3_PMUACR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=EBEP", PMUV3_PMECR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=SS", PMUV3_PMECR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=PMUv3p9", PMUV3_PMECR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SEBEP", PMUV3_PMIAR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=EBEP", PMUV3_PMIAR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMSSCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMSSCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMCCNTSVR, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"", PMUV3_PMCCNTSVR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS,ICNTR", PMUV3_PMICNTSVR, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=SS", PMUV3_PMICNTSVR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=SS", PMUV3_PMEVCNTSVRn(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=SS", PMUV3_PMEVCNTSVRn(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa64=0 features=SS,SEBEP", PMUV3_PMSSCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa64=0 features=SS,SEBEP", PMUV3_PMECR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMCR_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMSWINC_AA32, PMUV3_ACCESS_WRITE_ONLY, PMUV3_ACCESS_OK},
      {"", PMUV3_PMCEID0_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"", PMUV3_PMCEID3, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=PMUv3p1", PMUV3_PMCEID2, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=none", PMUV3_PMCEID2, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=none", PMUV3_PMCEID3, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=none", PMUV3_PMCEID1_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"features=PMUv3p1", PMUV3_PMMIR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMEVCNTRn_AA32(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVCNTRn_AA32(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMCCNTR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"counters=0", PMUV3_PMCCFILTR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=ICNTR", PMUV3_PMICNTR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=PMUv3p9", PMUV3_PMICNTR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"features=ICNTR", PMUV3_PMICFILTR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"features=PMUv3p9", PMUV3_PMICFILTR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa64=0", PMUV3_PMICFILTR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_HDCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"el2=0", PMUV3_HDCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"el2=0 el3=0", PMUV3_HDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"el3=0", PMUV3_SDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"el2=0 el3=0", PMUV3_SDER, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa64=0 el3=0", PMUV3_SDCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      // I-2: what each Exception level in AArch32 brings
      {"aa32=el2", PMUV3_SDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el2", PMUV3_HDCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el1", PMUV3_HDCR, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el1", PMUV3_SDER, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el1", PMUV3_SDER32_EL3, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el1", PMUV3_PMMIR_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"aa32=el1", PMUV3_PMINTENSET_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el1", PMUV3_PMINTENCLR_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el0", PMUV3_SDER, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el0", PMUV3_SDER32_EL3, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el0", PMUV3_PMMIR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el0", PMUV3_PMINTENSET_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el0", PMUV3_PMINTENCLR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=el0", PMUV3_PMCR_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"aa32=el0", PMUV3_PMCEID2, PMUV3_ACCESS_OK, PMUV3_ACCESS_READ_ONLY},
      {"aa32=none", PMUV3_PMCR_AA32, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=none", PMUV3_PMCEID2, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=none", PMUV3_PMEVCNTRn_AA32(0), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=none", PMUV3_PMEVTYPERn_AA32(5), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"aa32=none", PMUV3_PMCR, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"counters=0", PMUV3_PMCCFILTR_AA32, PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVTYPERn_AA32(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVTYPERn_AA32(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMEVCNTRn(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVCNTRn(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", PMUV3_PMEVTYPERn(5), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"", PMUV3_PMEVTYPERn(6), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"counters=0", PMUV3_PMEVCNTRn(0), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"counters=31", PMUV3_PMEVCNTRn(30), PMUV3_ACCESS_OK, PMUV3_ACCESS_OK},
      {"counters=31", PMUV3_PMEVCNTRn(31), PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
      {"", kSpmselr, PMUV3_ACCESS_UNKNOWN, PMUV3_ACCESS_UNKNOWN},
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

// A refused write changes nothing, between cycles and in the clock of a cycle.
TEST_P(RegistersTest, RefusedWritesChangeNothing) {
  for (int reg : {0x0000, 0xFFFF, +PMUV3_PMCEID0, +PMUV3_PMMIR, +kSpmselr, +PMUV3_PMEVCNTRn(6),
                  +PMUV3_PMEVTYPERn(6), +PMUV3_PMEVTYPERn_AA32(6)}) {
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

// The probe shows every register's read value.
TEST_P(RegistersTest, ProbeShowsRegisters) {
  Build("counters=4");
  Write(PMUV3_PMCR, 0x2E1);
  Write(PMUV3_MDCR_EL2, 0x24000082);
  Write(PMUV3_MDCR_EL3, 0xC00020080);
  Write(PMUV3_SDER32_EL3, 0x2);
  Write(PMUV3_PMCCFILTR, 0x0200000088000000);
  Write(PMUV3_PMICFILTR, 0x0500000044000000);
  Write(PMUV3_PMCCNTR, 0xFEDCBA9876543210);
  Write(PMUV3_PMICNTR, 0x0123456789ABCDEF);
  Write(PMUV3_PMCNTENSET, 0x080000005);
  Write(PMUV3_PMINTENSET, 0x100000006);
  Write(PMUV3_PMOVSSET, 0x18000000C);
  Write(PMUV3_PMEVTYPERn(3), Type(PMUV3_EVENT_STALL).Tc(5).Tlc(1).Th(9).Vs(2).P().Rlh());
  Write(PMUV3_PMEVCNTRn(3), 0x123456789ABCDEF0);
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(probe.pmcr, 0x22E1u);
  EXPECT_EQ(probe.mdcr_el2, 0x24000082u);
  EXPECT_EQ(probe.mdcr_el3, 0xC00020080u);
  EXPECT_EQ(probe.sder, 0x2u);
  EXPECT_EQ(probe.pmccfiltr, 0x0200000088000000u);
  EXPECT_EQ(probe.pmicfiltr, 0x0500000044000008u);
  EXPECT_EQ(probe.pmccntr, 0xFEDCBA9876543210u);
  EXPECT_EQ(probe.pmicntr, 0x0123456789ABCDEFu);
  EXPECT_EQ(probe.cnten, 0x5u);
  EXPECT_EQ(probe.inten, 0x6u);
  EXPECT_EQ(probe.overflow, 0xCu);
  EXPECT_EQ(probe.fixed_cnten, 0b01u);  // {F0, C}
  EXPECT_EQ(probe.fixed_inten, 0b10u);
  EXPECT_EQ(probe.fixed_overflow, 0b11u);
  EXPECT_EQ(probe.evtyper[3], 0xA24000098010003Cu);
  EXPECT_EQ(probe.value[3], 0x123456789ABCDEF0u);
  EXPECT_EQ(probe.pmmir, 0x12C00008u);
  EXPECT_EQ(probe.pmceid0, 0x0F0F5E7FFFFFFFFFu);
  EXPECT_EQ(probe.pmceid1, 0x77FFFFFFFFu);
}

// The same for registers of selection, rights, profiling and snapshots.
TEST_P(RegistersTest, ProbeShowsLaterRegisters) {
  Build("counters=4 features=ICNTR,SEBEP,SS,EXTPMN,EXT32");
  Write(PMUV3_PMSELR, 0x13);
  Write(PMUV3_PMUSERENR, 0x2A);
  Write(PMUV3_PMUACR, 0x100000005);
  Write(PMUV3_PMECR, 0x1D);
  Write(PMUV3_PMIAR, 0x123456789ABCDEF4);
  Write(PMUV3_MDCR_EL3, UINT64_C(0b11) << 30);  // PMSSE
  Write(PMUV3_PMEVCNTRn(2), 0x222);
  Write(PMUV3_PMCCNTR, 0x333);
  Write(PMUV3_PMICNTR, 0x444);
  EXPECT_EQ(Probe().pmsscr, Field(32));  // NC
  Write(PMUV3_PMSSCR, 1);
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(probe.pmselr, 0x13u);
  EXPECT_EQ(probe.pmuserenr, 0x2Au);
  EXPECT_EQ(probe.pmuacr, 0x100000005u);
  EXPECT_EQ(probe.pmecr, 0x1Du);
  EXPECT_EQ(probe.pmiar, 0x123456789ABCDEF4u);
  EXPECT_EQ(probe.pmsscr, 0u);
  EXPECT_EQ(probe.svr[2], 0x222u);
  EXPECT_EQ(probe.svr[1], 0u);
  EXPECT_EQ(probe.pmccntsvr, 0x333u);
  EXPECT_EQ(probe.pmicntsvr, 0x444u);
  EXPECT_EQ(probe.pmccr, 4u);     // EPMN
  EXPECT_EQ(probe.pmlsr, 0b11u);  // SLK, SLI
}

// The probe shows 0 for registers that are not implemented.
TEST_P(RegistersTest, ProbeWithoutThem) {
  Build("counters=0 el2=0 el3=0 features=none");
  const pmuv3_probe probe = Probe();
  EXPECT_EQ(probe.mdcr_el2, 0u);
  EXPECT_EQ(probe.mdcr_el3, 0u);
  EXPECT_EQ(probe.sder, 0u);
  EXPECT_EQ(probe.pmicfiltr, 0u);
  EXPECT_EQ(probe.pmicntr, 0u);
  EXPECT_EQ(probe.pmmir, 0u);
  EXPECT_EQ(probe.pmuacr | probe.pmecr | probe.pmiar | probe.pmsscr, 0u);
  EXPECT_EQ(probe.pmccr | probe.pmlsr | probe.pmccntsvr | probe.pmicntsvr, 0u);
}

// ---- AArch32 views of [31:0] (E.1, E.2, E.7, H-29) ----

struct View {
  const char *settings;
  uint16_t reg, of;
  uint64_t mask;  // implemented bits of the view
};

constexpr uint64_t kTypeView = kPU | kNskNsu | kNsh | kMt | Field(21) | kEvtHi | kEvt;
constexpr uint64_t kCycleFilterView = kPU | kNskNsu | kNsh | Field(21);

const View kViews[] = {
    {"", PMUV3_PMEVTYPERn_AA32(1), PMUV3_PMEVTYPERn(1), kTypeView},
    {"counters=31", PMUV3_PMEVTYPERn_AA32(30), PMUV3_PMEVTYPERn(30), kTypeView},
    {"features=none el2=0", PMUV3_PMEVTYPERn_AA32(0), PMUV3_PMEVTYPERn(0), kTypeView},
    {"aa64=0", PMUV3_PMEVTYPERn_AA32(0), PMUV3_PMEVTYPERn(0), kTypeView},
    {"", PMUV3_PMSELR_AA32, PMUV3_PMSELR, Field(31, 0)},
    {"", PMUV3_PMUSERENR_AA32, PMUV3_PMUSERENR, Field(6) | Field(3, 0)},
    {"", PMUV3_PMCCNTR_AA32, PMUV3_PMCCNTR, Field(31, 0)},
    {"", PMUV3_PMEVCNTRn_AA32(2), PMUV3_PMEVCNTRn(2), Field(31, 0)},
    {"features=none", PMUV3_PMEVCNTRn_AA32(2), PMUV3_PMEVCNTRn(2), Field(31, 0)},
    {"", PMUV3_PMCCFILTR_AA32, PMUV3_PMCCFILTR, kCycleFilterView},
    {"aa64=0 el3=0", PMUV3_PMCCFILTR_AA32, PMUV3_PMCCFILTR, kCycleFilterView},
    {"", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(31, 0)},
    {"features=SPE,EBEP", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(29, 0)},
    {"features=PMUv3p9,EBEP,EXT64,RME,MTPMU", PMUV3_SDCR, PMUV3_MDCR_EL3, 0x10A20000},
    {"el2=0", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(31, 0)},
    {"aa64=0 el3=0", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(31, 0)},
    {"", PMUV3_SDCR, PMUV3_MDCR_EL3, 0x10A20000},
    {"aa64=0 el3=0", PMUV3_SDCR, PMUV3_MDCR_EL3, 0x10A20000},
    {"el3=0", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(31, 0)},
    {"", PMUV3_SDER, PMUV3_SDER32_EL3, Field(31, 0)},
    // K14.7, RES0 only in some contexts: K-A32-RES0=keep
    {"K-A32-RES0=keep", PMUV3_PMEVTYPERn_AA32(1), PMUV3_PMEVTYPERn(1), Field(31, 0)},
    {"K-A32-RES0=keep", PMUV3_PMUSERENR_AA32, PMUV3_PMUSERENR, Field(31, 0)},
    {"K-A32-RES0=keep", PMUV3_PMCCFILTR_AA32, PMUV3_PMCCFILTR, Field(31, 0)},
    {"K-A32-RES0=keep", PMUV3_HDCR, PMUV3_MDCR_EL2, Field(31, 0)},
    {"K-A32-RES0=keep", PMUV3_SDCR, PMUV3_MDCR_EL3, 0x10A20000},
};

// A read shows the view's bits. A write replaces [31:0], with 0 in bits outside the view.
TEST_P(RegistersTest, Views) {
  for (const View &view : kViews) {
    char name[24];
    SCOPED_TRACE(::testing::Message()
                 << view.settings << " " << pmuv3_register_name(view.reg, name));
    Build(view.settings);
    Write(view.of, kOnes);
    const uint64_t all = Read(view.of), high = all & Field(63, 32);
    EXPECT_EQ(Read(view.reg), all & view.mask);
    Write(view.reg, kOnes);
    EXPECT_EQ(Read(view.of), high | (all & view.mask));
    Write(view.reg, 0);
    EXPECT_EQ(Read(view.of), high);
    Write(view.of, 0);
    Write(view.reg, kOnes);  // the view does not affect the upper half
    EXPECT_EQ(Read(view.of), all & view.mask);
    Write(view.of, kOnes);
    CycleWriting(view.reg, 0);
    EXPECT_EQ(Read(view.of), high);
    EXPECT_EQ(pmuv3_register_mask(&params(), view.reg), all & view.mask);
  }
}

TEST_P(RegistersTest, EachBitOfViews) {
  for (const View &view : kViews) {
    char name[24];
    SCOPED_TRACE(::testing::Message()
                 << view.settings << " " << pmuv3_register_name(view.reg, name));
    Build(view.settings);
    const uint64_t writable = pmuv3_register_mask(&params(), view.of);
    for (int bit = 0; bit < 32; bit++) {
      Write(view.reg, Field(bit));
      EXPECT_EQ(Read(view.of), writable & view.mask & Field(bit)) << bit;
      EXPECT_EQ(Read(view.reg), writable & view.mask & Field(bit)) << bit;
    }
  }
}

TEST(RegisterBitsTest, Views) {
  EXPECT_EQ(pmuv3_register_bits(PMUV3_PMCR), 64u);
  EXPECT_EQ(pmuv3_register_bits(PMUV3_PMEVTYPERn(30)), 64u);
  for (const View &view : kViews) EXPECT_EQ(pmuv3_register_bits(view.reg), 32u);
  EXPECT_EQ(pmuv3_register_bits(PMUV3_PMCCNTR64), 64u);
  EXPECT_EQ(pmuv3_register_bits(PMUV3_SDER32_EL2), 64u);
}

// I-5, I-6: PMCCNTR by MRRC and MCRR, and the other name of SDER32_EL3.
TEST_P(RegistersTest, WholeRegisters) {
  Build("features=SEL2");
  for (const auto &[reg, of, mask] :
       {std::tuple{PMUV3_PMCCNTR64, PMUV3_PMCCNTR, ~UINT64_C(0)},
        std::tuple{PMUV3_SDER32_EL2, PMUV3_SDER32_EL3, UINT64_C(2)}}) {
    Write(reg, kOnes);
    EXPECT_EQ(Read(of), mask);
    EXPECT_EQ(Read(reg), mask);
    Write(of, 0x1234567800000002);
    EXPECT_EQ(Read(reg), 0x1234567800000002 & mask);
    CycleWriting(reg, 0);
    EXPECT_EQ(Read(of), 0u);
    EXPECT_EQ(pmuv3_register_mask(&params(), reg), mask);
  }
  const struct {
    const char *settings;
    bool pmccntr64, sder32_el2;
  } cases[] = {{"features=SEL2", true, true},
               {"features=none", true, false},
               {"features=SEL2 el2=0", true, false},
               {"features=SEL2 aa32=el0", true, false},
               {"features=SEL2 aa32=none", false, false},
               {"aa64=0", true, false}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.settings);
    Build(c.settings);
    uint64_t value;
    EXPECT_EQ(TryRead(PMUV3_PMCCNTR64, &value) == PMUV3_ACCESS_OK, c.pmccntr64);
    EXPECT_EQ(TryRead(PMUV3_SDER32_EL2, &value) == PMUV3_ACCESS_OK, c.sder32_el2);
    EXPECT_EQ(TryWrite(PMUV3_PMCCNTR64, 0) == PMUV3_ACCESS_OK, c.pmccntr64);
    EXPECT_EQ(TryWrite(PMUV3_SDER32_EL2, 0) == PMUV3_ACCESS_OK, c.sder32_el2);
  }
}

// ---- Selection (E.6) ----

// PMXEVTYPER and PMXEVCNTR access the register of the counter that SEL selects. Without such a
// counter they are RAZ/WI.
TEST_P(RegistersTest, Selected) {
  Build("counters=5");
  for (int n = 0; n < 5; n++) {
    Write(PMUV3_PMEVCNTRn(n), 0x100 + n);
    Write(PMUV3_PMEVTYPERn(n), 0x200 + n);
  }
  Write(PMUV3_PMCCFILTR, Field(30));
  for (int sel = 0; sel < 32; sel++) {
    SCOPED_TRACE(sel);
    Write(PMUV3_PMSELR, sel);
    const uint64_t type = sel < 5 ? 0x200 + sel : sel == 31 ? Field(30) : 0;
    const uint64_t count = sel < 5 ? 0x100 + sel : 0;
    EXPECT_EQ(Read(PMUV3_PMXEVTYPER), type);
    EXPECT_EQ(Read(PMUV3_PMXEVTYPER_AA32), type);
    EXPECT_EQ(Read(PMUV3_PMXEVCNTR), count);
    EXPECT_EQ(Read(PMUV3_PMXEVCNTR_AA32), count);
    Write(PMUV3_PMXEVTYPER, Field(31));
    Write(PMUV3_PMXEVCNTR, 7);
    EXPECT_EQ(Read(PMUV3_PMXEVTYPER), sel < 5 || sel == 31 ? Field(31) : 0);
    EXPECT_EQ(Read(PMUV3_PMXEVCNTR), sel < 5 ? 7u : 0u);
    for (int n = 0; n < 5; n++) {
      EXPECT_EQ(Counter(n), n == sel ? 7u : 0x100u + n);
      EXPECT_EQ(Read(PMUV3_PMEVTYPERn(n)), n == sel ? Field(31) : 0x200u + n);
    }
    EXPECT_EQ(Read(PMUV3_PMCCFILTR), sel == 31 ? Field(31) : Field(30));
    Write(PMUV3_PMXEVTYPER, type);
    Write(PMUV3_PMXEVCNTR, count);
  }
}

// ---- PMZR (E.5, D13.5-1) ----

TEST_P(RegistersTest, ZeroesWithMask) {
  Build("counters=31");
  for (int bit = 0; bit < 64; bit++) {
    for (int n = 0; n < 31; n++) Write(PMUV3_PMEVCNTRn(n), kOnes);
    Write(PMUV3_PMCCNTR, kOnes);
    Write(PMUV3_PMICNTR, kOnes);
    Write(PMUV3_PMOVSSET, kOnes);
    Write(PMUV3_PMZR, Field(bit));
    for (int n = 0; n < 31; n++) EXPECT_EQ(Counter(n), n == bit ? 0 : kOnes) << bit;
    EXPECT_EQ(Read(PMUV3_PMCCNTR), bit == 31 ? 0 : kOnes) << bit;
    EXPECT_EQ(Read(PMUV3_PMICNTR), bit == 32 ? 0 : kOnes) << bit;
    EXPECT_EQ(Read(PMUV3_PMOVSSET), Field(32, 0)) << bit;
  }
}

// ---- Resets (E) ----

// A Warm reset zeroes everything except the state of a Cold reset, and sets HPMN and NC.
TEST_P(RegistersTest, WarmReset) {
  CheckReset("counters=4 features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,SS,DPFZS,EXT64",
             {
                 {PMUV3_PMSELR, 0},         {PMUV3_PMUSERENR, 0},
                 {PMUV3_PMUACR, 0},         {PMUV3_PMECR, Field(4, 3)},
                 {PMUV3_PMIAR, 0},          {PMUV3_PMCCFILTR, 0},
                 {PMUV3_PMICFILTR, 0x0008}, {PMUV3_PMCNTENSET, 0},
                 {PMUV3_PMINTENSET, 0},     {PMUV3_PMOVSSET, 0},
                 {PMUV3_PMCCNTR, 0},        {PMUV3_PMICNTR, 0},
                 {PMUV3_PMEVCNTRn(3), 0},   {PMUV3_PMEVTYPERn(3), 0},
                 {PMUV3_PMCR, 4 << 11},     {PMUV3_MDCR_EL2, Field(31, 30) | 4},
                 {PMUV3_PMSSCR, Field(32)}, {PMUV3_MDCR_EL3, Field(31, 30) | Field(28)},
                 {PMUV3_PMCCNTSVR, 0},      {PMUV3_PMEVCNTSVRn(3), 0},
                 {PMUV3_PMICNTSVR, 0},
             });
  CheckReset("counters=4",
             {{PMUV3_SDER32_EL3, 0}, {PMUV3_MDCR_EL2, 4}, {PMUV3_MDCR_EL3, Field(28)}});
}

// With EXTPMN a Warm reset keeps the state of a Cold reset: counters, their enables, flags and
// filters. It resets F0, and resets TC, TE and TH if EL1 can use AArch32.
TEST_P(RegistersTest, WarmResetWithAgent) {
  constexpr uint64_t kCounters = Field(31) | 0xF;
  constexpr uint64_t kKept = kSync | kVs | kTlc | kFilter | kMt | kSh | kRl | kEvtHi | kEvt;
  constexpr uint64_t kFilterKept = kVs | kFilter | kSh | kRl;
  const std::string features = "counters=4 features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,EXTPMN";
  const std::vector<AfterReset> kept = {
      {PMUV3_PMCCFILTR, kFilterKept},
      {PMUV3_PMICFILTR, kSync | kFilterKept | 0x0008},
      {PMUV3_PMCNTENSET, kCounters},
      {PMUV3_PMINTENSET, kCounters},
      {PMUV3_PMOVSSET, kCounters},
      {PMUV3_PMCCNTR, kOnes},
      {PMUV3_PMICNTR, kOnes},
      {PMUV3_PMEVCNTRn(0), kOnes},
      {PMUV3_PMEVCNTRn(3), kOnes},
      {PMUV3_PMSELR, 0},
      {PMUV3_PMUSERENR, 0},
      {PMUV3_PMUACR, 0},
      {PMUV3_PMIAR, 0},
      {PMUV3_MDCR_EL2, 4},
  };
  CheckReset(features, kept);
  CheckReset(features, {{PMUV3_PMEVTYPERn(0), kKept & ~kTlc},
                        {PMUV3_PMEVTYPERn(3), kKept},
                        {PMUV3_PMECR, 0},
                        {PMUV3_SDER32_EL3, 0},
                        {PMUV3_MDCR_EL3, Field(28)}});
  CheckReset(features + ",SS", {{PMUV3_PMEVTYPERn(0), kTc | kTe | kTh | (kKept & ~kTlc)},
                                {PMUV3_PMEVTYPERn(3), kTc | kTe | kTh | kKept},
                                {PMUV3_PMECR, Field(4, 3)},
                                {PMUV3_MDCR_EL2, Field(31, 30) | 4},
                                {PMUV3_MDCR_EL3, Field(31, 30) | Field(28)}});
}

// A Warm reset resets all of PMCR, and sets PMSSCR.NC. The saved values reset to 0, but not with
// EXTPMN.
TEST_P(RegistersTest, WarmResetOfSavedValues) {
  for (const bool agent : {false, true}) {
    SCOPED_TRACE(agent);
    Build(std::string("counters=2 features=ICNTR,SS,EXT64") + (agent ? ",EXTPMN" : ""));
    Write(PMUV3_MDCR_EL3, UINT64_C(0b11) << 30);
    Write(PMUV3_PMEVCNTRn(1), 0x11);
    Write(PMUV3_PMCCNTR, 0x22);
    Write(PMUV3_PMICNTR, 0x33);
    Write(PMUV3_PMCR, 0x2E9);
    Write(PMUV3_PMSSCR, 1);
    EXPECT_EQ(Read(PMUV3_PMSSCR), 0u) << "a capture was allowed";
    Reset();
    EXPECT_EQ(Read(PMUV3_PMSSCR), Field(32));
    EXPECT_EQ(Read(PMUV3_PMCR), 2u << 11);
    EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(1)), agent ? 0x11u : 0u);
    EXPECT_EQ(Read(PMUV3_PMCCNTSVR), agent ? 0x22u : 0u);
    EXPECT_EQ(Read(PMUV3_PMICNTSVR), agent ? 0x33u : 0u);
  }
}

}  // namespace
}  // namespace pmuv3
