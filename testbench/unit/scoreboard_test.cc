// The scoreboard must go red: one of its two sides is bent in one bit of one
// signal, from one cycle on, and it has to say so, there.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "testbench/scoreboard/lockstep.h"

namespace {

// A C model that lies.
struct BentSide : pmuv3_side {
  pmuv3_side *honest;
  uint64_t cycle = 0;
  std::function<void(uint64_t, pmuv3_probe *)> bend_probe;
  std::function<void(uint16_t, uint64_t *)> bend_read;
};

BentSide &Of(pmuv3_side *side) {
  return *static_cast<BentSide *>(side);
}

const pmuv3_side_ops kBentOps = {
    "bent",
    [](pmuv3_side *side) { pmuv3_side_reset(Of(side).honest); },
    [](pmuv3_side *side, uint16_t reg, uint64_t value) {
      return pmuv3_side_write(Of(side).honest, reg, value);
    },
    [](pmuv3_side *side, uint16_t reg, uint64_t *value) {
      pmuv3_access access = pmuv3_side_read(Of(side).honest, reg, value);
      if (Of(side).bend_read) Of(side).bend_read(reg, value);
      return access;
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) {
      Of(side).cycle++;
      pmuv3_side_cycle(Of(side).honest, cycle);
    },
    [](pmuv3_side *side, pmuv3_probe *probe) {
      pmuv3_side_probe(Of(side).honest, probe);
      if (Of(side).bend_probe && Of(side).cycle > 0) Of(side).bend_probe(Of(side).cycle - 1, probe);
    },
    [](pmuv3_side *side) { return pmuv3_side_irq(Of(side).honest); },
    [](pmuv3_side *side) {
      pmuv3_side_destroy(Of(side).honest);
      delete &Of(side);
    },
};

class ScoreboardTest : public ::testing::Test {
 protected:
  ScoreboardTest() : params_(pmuv3_params_default()) {
    params_.counters = 31;
    pmuv3_params_complete(&params_);
    bent_ = new BentSide;
    bent_->ops = &kBentOps;
    bent_->params = params_;
    bent_->honest = pmuv3_side_cmodel(&params_);
    lockstep_ = pmuv3_side_lockstep(pmuv3_side_cmodel(&params_), bent_);
  }
  ~ScoreboardTest() override { pmuv3_side_destroy(lockstep_); }

  void Cycles(int cycles) {
    const pmuv3_cycle nothing = {};
    for (int i = 0; i < cycles; i++) pmuv3_side_cycle(lockstep_, &nothing);
  }

  void ExpectDivergence(uint64_t cycle, int counter, const char *signal) {
    const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep_);
    ASSERT_NE(divergence, nullptr) << signal;
    EXPECT_EQ(divergence->cycle, cycle);
    EXPECT_EQ(divergence->counter, counter);
    EXPECT_STREQ(divergence->signal, signal);
    EXPECT_NE(divergence->cmodel, divergence->rtl);
  }

  pmuv3_params params_;
  BentSide *bent_;
  pmuv3_side *lockstep_;
};

TEST_F(ScoreboardTest, EqualSidesStayGreenAndAreCounted) {
  Cycles(10);
  uint64_t value;
  pmuv3_side_read(lockstep_, PMUV3_PMCR, &value);
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 10u);
  // 13 signals a counter and 6 registers, at creation and after every cycle; a read's answer and
  // value.
  EXPECT_EQ(pmuv3_lockstep_comparisons(lockstep_), 11u * (31 * 13 + 6) + 2);
}

#define SIGNAL_TEST(field, name, counter, expression)            \
  TEST_F(ScoreboardTest, Sees_##field) {                         \
    bent_->bend_probe = [](uint64_t cycle, pmuv3_probe *probe) { \
      if (cycle == 7) expression;                                \
    };                                                           \
    Cycles(7);                                                   \
    EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);    \
    Cycles(3);                                                   \
    ExpectDivergence(7, counter, name);                          \
  }
#define PMUV3_PROBE_BITS(field, name) \
  SIGNAL_TEST(field, name, 30, probe->field ^= UINT32_C(1) << 30)
#define PMUV3_PROBE_LANES(field, name) SIGNAL_TEST(field, name, 17, probe->field[17] ^= 0x8000)
#define PMUV3_PROBE_COUNTERS(field, name) \
  SIGNAL_TEST(field, name, 0, probe->field[0] ^= UINT64_C(1) << 63)
#define PMUV3_PROBE_GLOBAL(field, name) SIGNAL_TEST(field, name, -1, probe->field ^= 1)
#include "pmuv3/probe.def"

TEST_F(ScoreboardTest, SeesLanesThatAreNotImplemented) {
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->V[31] = 1; };
  Cycles(1);
  ExpectDivergence(0, 31, "V");
}

TEST_F(ScoreboardTest, NamesTheFirstInDataFlow) {
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) {
    probe->V[4] = 1;
    probe->CT |= 1u << 4;
    probe->VB[5] = 1;
  };
  Cycles(1);
  ExpectDivergence(0, 4, "CT");
}

TEST_F(ScoreboardTest, SeesReads) {
  bent_->bend_read = [](uint16_t reg, uint64_t *value) { *value ^= reg == PMUV3_PMOVSCLR; };
  uint64_t value;
  Cycles(3);
  pmuv3_side_read(lockstep_, PMUV3_PMCR, &value);
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  pmuv3_side_read(lockstep_, PMUV3_PMOVSCLR, &value);
  ExpectDivergence(3, -1, "PMOVSCLR_EL0");
}

TEST_F(ScoreboardTest, KeepsTheFirst) {
  bent_->bend_probe = [](uint64_t cycle, pmuv3_probe *probe) {
    if (cycle >= 2) probe->irq ^= cycle;
  };
  Cycles(10);
  ExpectDivergence(2, -1, "PMUIRQ");
}

}  // namespace
