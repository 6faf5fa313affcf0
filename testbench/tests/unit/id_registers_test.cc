// ID registers: the PMU's fields, with values as D24.2.80, D24.2.81, D24.2.99 and D24.2.100 have
// them.
#include "pmuv3/id_registers.h"

#include <gtest/gtest.h>

#include <string>

namespace pmuv3 {
namespace {

pmuv3_params Params(const std::string &features, const char *aa32 = "el3",
                    const char *legacy = "res0") {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_EQ(pmuv3_params_set(&params, "features", features.c_str()), nullptr);
  EXPECT_EQ(pmuv3_params_set(&params, "aa32", aa32), nullptr);
  EXPECT_EQ(pmuv3_params_set(&params, "K-MT-LEGACY", legacy), nullptr);
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  return params;
}

uint64_t Value(const pmuv3_params &params, pmuv3_id_register reg) {
  return pmuv3_id_of(&params, reg).value;
}

uint64_t Mask(const pmuv3_params &params, pmuv3_id_register reg) {
  return pmuv3_id_of(&params, reg).mask;
}

TEST(IdRegistersTest, Versions) {
  const struct {
    const char *features;
    uint64_t pmuver, perfmon;
  } versions[] = {{"none", 0b0001, 0b0011},    {"PMUv3p1", 0b0100, 0b0100},
                  {"PMUv3p4", 0b0101, 0b0101}, {"PMUv3p5", 0b0110, 0b0110},
                  {"PMUv3p7", 0b0111, 0b0111}, {"PMUv3p8", 0b1000, 0b1000},
                  {"PMUv3p9", 0b1001, 0b1001}};
  for (const auto &version : versions) {
    const pmuv3_params params = Params(version.features);
    EXPECT_EQ(Value(params, PMUV3_ID_AA64DFR0) >> 8 & 15, version.pmuver) << version.features;
    EXPECT_EQ(Value(params, PMUV3_ID_DFR0), version.perfmon << 24) << version.features;
  }
}

TEST(IdRegistersTest, Masks) {
  const pmuv3_params params = Params("PMUv3p5");
  EXPECT_EQ(Mask(params, PMUV3_ID_AA64DFR0), 0xF00F00000F0F0F00);
  EXPECT_EQ(Mask(params, PMUV3_ID_AA64DFR1), 0x00FF00F000000000);
  EXPECT_EQ(Mask(params, PMUV3_ID_DFR0), 0x0F000000u);
  EXPECT_EQ(Mask(params, PMUV3_ID_DFR1), 0xFFu);
}

// Each feature alone, beside the version that it brings.
TEST(IdRegistersTest, Features) {
  const uint64_t none = 0b1111, p9 = none << 48 | 0b1001 << 8, p7 = none << 48 | 0b0111 << 8;
  EXPECT_EQ(Value(Params("SS"), PMUV3_ID_AA64DFR0), p9 | 1 << 16);
  EXPECT_EQ(Value(Params("ICNTR"), PMUV3_ID_AA64DFR0), p9);
  EXPECT_EQ(Value(Params("ICNTR"), PMUV3_ID_AA64DFR1), uint64_t{1} << 36);
  EXPECT_EQ(Value(Params("EBEP,PMUv3p9"), PMUV3_ID_AA64DFR1), uint64_t{1} << 48);
  EXPECT_EQ(Value(Params("SEBEP,PMUv3p9"), PMUV3_ID_AA64DFR1), uint64_t{1} << 48);
  EXPECT_EQ(Value(Params("SEBEP,PMUv3p9"), PMUV3_ID_AA64DFR0), p9 | 1 << 24);
  EXPECT_EQ(Value(Params("DPFZS"), PMUV3_ID_AA64DFR1), uint64_t{1} << 52);
  EXPECT_EQ(Value(Params("HPMN0,PMUv3p7"), PMUV3_ID_AA64DFR0), p7 | uint64_t{1} << 60);
  EXPECT_EQ(Value(Params("HPMN0,PMUv3p7"), PMUV3_ID_DFR1), 1 << 4 | none);
}

// 0b0001 with FEAT_MTPMU. Without it 0b1111 is RES0, and 0b0000, which is not permitted from
// Armv8.6 on, does not tell.
TEST(IdRegistersTest, Mtpmu) {
  EXPECT_EQ(Value(Params("MTPMU,PMUv3p5"), PMUV3_ID_DFR1), 0b0001u);
  EXPECT_EQ(Value(Params("MTPMU,PMUv3p5"), PMUV3_ID_AA64DFR0), uint64_t{1} << 48 | 6 << 8);
  EXPECT_EQ(Value(Params("PMUv3p5"), PMUV3_ID_DFR1), 0b0000u);
  EXPECT_EQ(Value(Params("PMUv3p5", "el3", "rw"), PMUV3_ID_DFR1), 0b0000u);
  EXPECT_EQ(Value(Params("PMUv3p7"), PMUV3_ID_DFR1), 0b1111u);
}

// AArch32 ID registers are UNKNOWN without AArch32, and AArch64 ID registers are not there without
// AArch64.
TEST(IdRegistersTest, ExecutionStates) {
  EXPECT_EQ(Mask(Params("PMUv3p5", "none"), PMUV3_ID_DFR0), 0u);
  EXPECT_EQ(Value(Params("PMUv3p5", "none"), PMUV3_ID_DFR0), 0u);
  EXPECT_EQ(Mask(Params("PMUv3p5", "none"), PMUV3_ID_DFR1), 0u);
  EXPECT_NE(Mask(Params("PMUv3p5", "none"), PMUV3_ID_AA64DFR0), 0u);
  EXPECT_NE(Mask(Params("PMUv3p5", "el0"), PMUV3_ID_DFR0), 0u);
  pmuv3_params params = Params("PMUv3p5");
  params.aa64 = 0;
  ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
  EXPECT_EQ(Mask(params, PMUV3_ID_AA64DFR0), 0u);
  EXPECT_EQ(Mask(params, PMUV3_ID_AA64DFR1), 0u);
  EXPECT_NE(Mask(params, PMUV3_ID_DFR0), 0u);
}

TEST(IdRegistersTest, Names) {
  EXPECT_STREQ(pmuv3_id_register_name(PMUV3_ID_AA64DFR1), "ID_AA64DFR1_EL1");
  EXPECT_STREQ(pmuv3_id_register_name(PMUV3_ID_DFR1), "ID_DFR1_EL1");
  unsigned fields = 0;
  while (pmuv3_id_register_field(fields)) fields++;
  EXPECT_EQ(fields, 11u);
  EXPECT_STREQ(pmuv3_id_register_field(0)->name, "PMUVer");
  EXPECT_EQ(pmuv3_id_register_field(0)->lsb, 8u);
}

}  // namespace
}  // namespace pmuv3
