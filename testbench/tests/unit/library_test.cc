// Interfaces of libpmuv3 that a side does not have.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, legal in C
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop

namespace {

// pmuv3_init with illegal parameters gives a PMU with the default parameters.
TEST(LibraryTest, InitRefusesWhatIsWrong) {
  pmuv3_params params = pmuv3_params_default();
  params.threads = 5;
  params.counters = 40;
  auto pmu = std::make_unique<struct pmuv3>();
  EXPECT_NE(pmuv3_init(pmu.get(), &params), nullptr);
  EXPECT_EQ(pmu->params.threads, 1);
  EXPECT_EQ(pmu->params.counters, 6);
  const pmuv3_cycle nothing = {};
  pmuv3_tick(pmu.get(), &nothing);
  params = pmuv3_params_default();
  EXPECT_EQ(pmuv3_init(pmu.get(), &params), nullptr);
}

// A Cold reset: a PMU is made again with the parameters that it has.
TEST(LibraryTest, InitTakesItsOwnParameters) {
  pmuv3_params params = pmuv3_params_default();
  params.threads = 2;
  params.counters = 3;
  auto pmu = std::make_unique<struct pmuv3>(), fresh = std::make_unique<struct pmuv3>();
  ASSERT_EQ(pmuv3_init(fresh.get(), &params), nullptr);
  *pmu = *fresh;
  pmuv3_write(pmu.get(), 1, PMUV3_PMCCNTR, 5);
  EXPECT_EQ(pmuv3_init(pmu.get(), &pmu->params), nullptr);
  EXPECT_EQ(std::memcmp(pmu.get(), fresh.get(), sizeof *pmu), 0);
  // Wrong ones, too, are looked at before anything is overwritten.
  pmu->params.threads = 5;
  EXPECT_NE(pmuv3_init(pmu.get(), &pmu->params), nullptr);
  EXPECT_EQ(pmu->params.threads, pmuv3_params_default().threads);
}

// E.9/PMLAR: a write that the Software Lock ignores gets no error response, so the library says
// which ones these are.
TEST(LibraryTest, WritesThatTheSoftwareLockIgnores) {
  for (const char *features : {"EXT32,EXTPMN", "EXT64,EXTPMN"}) {
    pmuv3_params params = pmuv3_params_default();
    ASSERT_EQ(pmuv3_params_set(&params, "features", features), nullptr);
    ASSERT_EQ(pmuv3_params_set(&params, "threads", "2"), nullptr);
    ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
    auto pmu = std::make_unique<struct pmuv3>();
    ASSERT_EQ(pmuv3_init(pmu.get(), &params), nullptr);
    const bool has_lock = features[4] == '2';  // 0: a register, 0xFCC: PMDEVTYPE
    for (const uint16_t offset : {0x000, 0xFCC})
      EXPECT_EQ(pmuv3_external_locked(pmu.get(), 0, offset), has_lock) << features << offset;
    for (const uint16_t offset : {0xFB0, 0xE58, 0x3F0, 0x002, 0x1000})  // PMLAR, PMCCR, no word
      EXPECT_FALSE(pmuv3_external_locked(pmu.get(), 0, offset)) << features << offset;
    EXPECT_TRUE(pmuv3_external_write(pmu.get(), 0, PMUV3_NS, 0xFB0, 0xC5ACCE55));
    EXPECT_FALSE(pmuv3_external_locked(pmu.get(), 0, 0));
    EXPECT_EQ(pmuv3_external_locked(pmu.get(), 1, 0), has_lock);
    EXPECT_FALSE(pmuv3_external_locked(pmu.get(), 2, 0));
  }
}

// Specification I-12, every state: the current Execution state is that of the current level. All
// levels below a level in AArch32 use AArch32. Only an EL3 in AArch64 has Secure EL1 and EL2 below
// it. Secure EL2 uses AArch64. I-2: an Exception level uses AArch32 only if the parameter says that
// it can.
TEST(LibraryTest, ExecutionStates) {
  for (unsigned bits = 0; bits < 5u << 11; bits++) {
    pmuv3_params params = pmuv3_params_default();
    params.aa64 = bits & 1;
    params.el3 = bits >> 1 & 1;
    params.aa32 = static_cast<uint8_t>(bits >> 11);  // none, el0, el1, el2, el3
    ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.aa32 = bits >> 2 & 1;
    pe.a32el1 = bits >> 3 & 1;
    pe.a32el3 = bits >> 4 & 1;
    pe.el = bits >> 5 & 3;
    pe.ss = bits >> 7 & 3;
    pe.a32el2 = bits >> 9 & 1;
    pe.eel2 = bits >> 10 & 1;
    if (pmuv3_context_wrong(&params, pe.el, pe.ss) || (pe.a32el3 && !params.el3)) continue;
    const bool el3_aa32 = params.el3 && (pe.a32el3 || !params.aa64);
    const bool uses_aa32[] = {true, pe.a32el1, pe.a32el1, el3_aa32};
    const bool all_aa32 = !params.aa64 || el3_aa32;
    const bool secure = el3_aa32 && pe.ss == PMUV3_S && (pe.el == 1 || pe.el == 2);
    const bool contradicts = pe.aa32 && !all_aa32 && !uses_aa32[pe.el];
    const bool cannot = (pe.aa32 && params.aa32 < pe.el + 1) || (pe.a32el1 && params.aa32 < 2) ||
                        (pe.a32el2 && params.aa32 < 3) || (pe.a32el3 && params.aa32 < 4);
    const bool lonely = pe.a32el2 && !pe.a32el1 && !pe.a32el3;
    const bool secure_el2 = pe.a32el2 && params.aa64 && pe.ss == PMUV3_S && pe.el != 3 &&
                            (pe.el == 2 || !params.el3 || (pe.eel2 && !pe.a32el3));
    const bool wrong = secure || contradicts || cannot || lonely || secure_el2;
    EXPECT_EQ(pmuv3_pe_wrong(&params, &pe) != nullptr, wrong) << bits;
    // D.3: in AArch32 state SM is 0.
    const bool is_aa32[] = {pe.aa32 || pe.a32el1, pe.a32el1, pe.aa32 || pe.a32el2, false};
    pe.sm = true;
    EXPECT_EQ(pmuv3_pe_wrong(&params, &pe) != nullptr, wrong || all_aa32 || is_aa32[pe.el]) << bits;
  }
}

TEST(LibraryTest, KeysNeedTheirFeatures) {
  const struct {
    const char *name, *value;
    bool pmuv3_pe::*key;
  } cases[] = {{"el2", "0", &pmuv3_pe::a32el2},
               {"aa32", "el1", &pmuv3_pe::a32el2},
               {"features", "none", &pmuv3_pe::fgwte3}};
  for (const auto &c : cases) {
    pmuv3_params params = pmuv3_params_default();
    params.features |= 1u << PMUV3_FEATURE_FGWTE3;
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.a32el1 = pe.*c.key = true;
    EXPECT_EQ(pmuv3_pe_wrong(&params, &pe), nullptr) << c.name;
    ASSERT_EQ(pmuv3_params_set(&params, c.name, c.value), nullptr);
    ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
    EXPECT_NE(pmuv3_pe_wrong(&params, &pe), nullptr) << c.name;
  }
}

// pmuv3_trap_of says how an access would end, and does nothing (I-4).
TEST(LibraryTest, TrapOf) {
  const pmuv3_params params = pmuv3_params_default();
  auto pmu = std::make_unique<pmuv3>();
  ASSERT_EQ(pmuv3_init(pmu.get(), &params), nullptr);
  pmuv3_write(pmu.get(), 0, PMUV3_MDCR_EL2, 1 << 6 | 6);  // TPM
  pmuv3_write(pmu.get(), 0, PMUV3_PMUSERENR, 0x40);
  const auto before = std::make_unique<pmuv3>(*pmu);
  pmuv3_trap trap;
  EXPECT_EQ(pmuv3_trap_of(pmu.get(), 0, PMUV3_PMUSERENR, true, &trap), PMUV3_TRAP_EL2);
  EXPECT_EQ(trap.el, 2);
  EXPECT_EQ(trap.ec, 0x18);
  EXPECT_EQ(trap.iss, 0x30E41Cu);
  EXPECT_EQ(pmuv3_syndrome(PMUV3_TRAP_EL2, trap), 0x6230E41Cu);
  EXPECT_EQ(pmuv3_trap_of(pmu.get(), 0, PMUV3_MDCR_EL3, false, &trap), PMUV3_UNDEFINED);
  EXPECT_EQ(trap.el | trap.ec | trap.iss, 0u);
  EXPECT_EQ(pmuv3_syndrome(PMUV3_UNDEFINED, trap), 0x02000000u);
  pmuv3_pe pe = pmu->pe[0];
  pe.el = 2;
  pmuv3_set_pe(pmu.get(), 0, &pe);
  EXPECT_EQ(pmuv3_trap_of(pmu.get(), 0, PMUV3_PMUSERENR, true, &trap), PMUV3_DONE);
  EXPECT_EQ(trap.el | trap.ec | trap.iss, 0u);
  EXPECT_EQ(pmuv3_syndrome(PMUV3_DONE, trap), 0u);
  pmuv3_set_pe(pmu.get(), 0, &before->pe[0]);
  EXPECT_EQ(std::memcmp(pmu.get(), before.get(), sizeof *pmu), 0);
}

TEST(LibraryTest, FineGrainedTraps) {
  const pmuv3_params params = pmuv3_params_default();
  pmuv3_pe pe = PMUV3_PE_RESET;
  for (unsigned bit = 0; bit < 64; bit++) {
    pe.fgt = UINT64_C(1) << bit;
    EXPECT_EQ(pmuv3_pe_wrong(&params, &pe) == nullptr, bit < 36) << bit;
  }
}

}  // namespace
