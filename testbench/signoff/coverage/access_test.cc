// The sample of an access: which fine-grained traps name its register.
#include <gtest/gtest.h>

#include <memory>

#include "testbench/tests/unit/register_rows.h"
#include "tlm_wrapper/side.h"
extern "C" {
#include "testbench/signoff/coverage/sample.h"
}

namespace {

class AccessTest : public ::testing::Test {
 protected:
  // EL1 may do everything that EL2 does not trap.
  AccessTest() {
    params_ = pmuv3_params_default();
    EXPECT_STREQ(pmuv3_params_set(&params_, "features", "PMUv3p9,ICNTR,SEBEP,SS"), nullptr);
    EXPECT_STREQ(pmuv3_params_complete(&params_), nullptr);
    side_ = pmuv3_side_cmodel(&params_);
    pmuv3_side_write(side_, 0, PMUV3_PMSELR, 0);
    pmuv3_side_write(side_, 0, PMUV3_MDCR_EL3,
                     PMUV3_MASK(MDCR_EL3, EnPM2) | PMUV3_MASK(MDCR_EL3, EnPMSS));
    thread_->pe = PMUV3_PE_RESET;
  }
  ~AccessTest() override { pmuv3_side_destroy(side_); }

  // Whether EL2 traps the access on the C model, with these fine-grained traps in effect.
  bool IsTrapped(uint16_t reg, bool writes, uint64_t fgt) {
    uint64_t value;
    thread_->pe.fgt = fgt;
    pmuv3_side_set_pe(side_, 0, &thread_->pe);
    return (writes ? pmuv3_side_msr(side_, 0, reg, 0) : pmuv3_side_mrs(side_, 0, reg, &value)) ==
           PMUV3_TRAP_EL2;
  }

  // The traps in effect that name the register.
  uint64_t Named(uint16_t reg, bool writes) {
    pmuv3_observed observed = {};
    observed.reg = reg;
    observed.writes = writes;
    observed.checked = true;
    return pmuv3_access_sample(&params_, thread_.get(), &observed).fgt;
  }

  bool Exists(uint16_t reg, bool writes) {
    return (writes ? pmuv3_register_writable(&params_, reg)
                   : pmuv3_register_readable(&params_, reg)) == PMUV3_ACCESS_OK;
  }

  pmuv3_params params_;
  pmuv3_side *side_;
  std::unique_ptr<struct thread> thread_ = std::make_unique<struct thread>();
};

// Each trap is named by the registers that it traps, and by no other register. EL1 reaches the
// registers with op1 up to 3.
TEST_F(AccessTest, FineGrainedTrapsOfARegister) {
  uint64_t seen = 0;
  for (const pmuv3::RegisterRow &row : pmuv3::kRegisterRows) {
    if ((row.reg >> 11 & 7) > 3) continue;
    for (const bool writes : {false, true}) {
      if (!Exists(row.reg, writes)) continue;
      for (unsigned bit = 0; bit < PMUV3_NUM_FGT; bit++) {
        const uint64_t trap = uint64_t{1} << bit;
        const bool is_trapped = IsTrapped(row.reg, writes, trap);
        EXPECT_EQ(Named(row.reg, writes), is_trapped ? trap : 0) << row.name << " " << bit;
        if (is_trapped) seen |= trap;
      }
    }
  }
  EXPECT_EQ(seen, (uint64_t{1} << PMUV3_NUM_FGT) - 1);
}

// PMSELR selects PMCCFILTR, and the trap is that of PMEVTYPER.
TEST_F(AccessTest, FineGrainedTrapsOfASelectedRegister) {
  thread_->now.pmselr = 31;
  thread_->pe.fgt = PMUV3_FGT_MASK(PMEVTYPER_READ) | PMUV3_FGT_MASK(PMCCFILTR_READ);
  EXPECT_EQ(Named(PMUV3_PMXEVTYPER, false), PMUV3_FGT_MASK(PMEVTYPER_READ));
}

}  // namespace
