// The scoreboard must detect an error. One of its two sides falsifies one bit of one signal of one
// thread from one cycle on. The scoreboard must report this place.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/tests/unit/bent_side.h"
#include "tlm_wrapper/side_rtl.h"

namespace {

// The parameter: whether the side that falsifies postpones its work.
class ScoreboardTest : public ::testing::TestWithParam<bool> {
 protected:
  ScoreboardTest() { Build(4); }
  ~ScoreboardTest() override { pmuv3_side_destroy(lockstep_); }

  // 31 counters. Thread `bent` is falsified.
  void Build(uint8_t threads, unsigned bent = 0) {
    pmuv3_side_destroy(lockstep_);
    params_ = pmuv3_params_default();
    params_.threads = threads;
    params_.counters = 31;
    pmuv3_params_complete(&params_);
    bent_ = NewBentSide(params_);
    bent_->thread = bent;
    if (GetParam()) bent_->ops = &kPostponingOps;
    lockstep_ = pmuv3_side_lockstep(pmuv3_side_cmodel(&params_), bent_);
  }

  void Cycles(int cycles) {
    const pmuv3_cycle nothing = {};
    for (int i = 0; i < cycles; i++) pmuv3_side_cycle(lockstep_, &nothing);
  }

  void ExpectDivergence(uint64_t cycle, unsigned thread, int counter, const char *signal) {
    const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep_);
    ASSERT_NE(divergence, nullptr) << signal;
    EXPECT_EQ(divergence->cycle, cycle);
    EXPECT_EQ(divergence->thread, thread);
    EXPECT_EQ(divergence->counter, counter);
    EXPECT_STREQ(divergence->signal, signal);
    EXPECT_NE(divergence->cmodel, divergence->rtl);
  }

  // The report of the divergence for a person.
  std::string Explanation() {
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pmuv3_divergence_print(out, pmuv3_lockstep_divergence(lockstep_));
    pmuv3_divergence_explain(out, pmuv3_lockstep_divergence(lockstep_), &params_);
    std::fclose(out);
    const std::string explanation(text, size);
    std::free(text);
    return explanation;
  }

  pmuv3_params params_ = {};
  BentSide *bent_ = nullptr;
  pmuv3_side *lockstep_ = nullptr;
};

TEST_P(ScoreboardTest, EqualSidesStayGreenAndAreCounted) {
  for (uint8_t threads = 1; threads <= PMUV3_MAX_THREADS; threads++) {
    Build(threads);
    Cycles(10);
    uint64_t value;
    pmuv3_side_read(lockstep_, threads - 1, PMUV3_PMCR, &value);
    EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
    EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 10u);
    // 14 signals of each counter and 30 registers and outputs of each thread, at creation and after
    // every cycle; and a read's result and value.
    EXPECT_EQ(pmuv3_lockstep_comparisons(lockstep_), 11u * threads * (31 * 14 + 30) + 2);
  }
}

// Sides with different parameters differ by design, so a comparison would mean nothing.
TEST_P(ScoreboardTest, DifferentParametersAreRefused) {
  const pmuv3_params one = pmuv3_params_default();
  pmuv3_params counters = one, choice = one, features = one, events = one;
  counters.counters++;
  choice.k_restc = 1;
  features.features |= UINT32_C(1) << PMUV3_FEATURE_EXT32;
  events.events.num--;
  for (const pmuv3_params &other : {counters, choice, features, events})
    EXPECT_EQ(pmuv3_side_lockstep(pmuv3_side_cmodel(&one), pmuv3_side_cmodel(&other)), nullptr);
  EXPECT_EQ(pmuv3_side_lockstep(pmuv3_side_cmodel(&one), nullptr), nullptr);
}

// I-4: the exception that ends a checked access is compared, too.
TEST_P(ScoreboardTest, Syndromes) {
  for (const bool write : {false, true}) {
    Build(4, 2);
    uint64_t value = 0;
    const auto access = [&] {
      if (write)
        pmuv3_side_msr(lockstep_, 2, PMUV3_PMCNTENSET, 0);
      else
        pmuv3_side_mrs(lockstep_, 2, PMUV3_PMCNTENSET, &value);
    };
    access();
    EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
    bent_->bends_syndromes = true;
    access();
    ExpectDivergence(0, 2, -1,
                     write ? "syndrome of msr PMCNTENSET_EL0" : "syndrome of mrs PMCNTENSET_EL0");
  }
}

// The result of a write in the clock of a cycle shows only in the answer.
TEST_P(ScoreboardTest, EndsOfWritesInTheClock) {
  Build(4, 2);
  pmuv3_cycle cycle = {};
  cycle.has_write = 1 << 2;
  cycle.write[2] = {PMUV3_PMCNTENSET, true, 0};
  pmuv3_side_cycle(lockstep_, &cycle);
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  bent_->bends_results = true;
  pmuv3_side_cycle(lockstep_, &cycle);
  ExpectDivergence(1, 2, -1, "result of msr PMCNTENSET_EL0");
  Build(4, 2);
  bent_->bends_syndromes = true;
  pmuv3_side_cycle(lockstep_, &cycle);
  ExpectDivergence(0, 2, -1, "syndrome of msr PMCNTENSET_EL0");
  Build(4, 2);
  bent_->bends_results = true;
  cycle.write[2].checked = false;
  pmuv3_side_cycle(lockstep_, &cycle);
  ExpectDivergence(0, 2, -1, "result of write PMCNTENSET_EL0");
  Build(4, 2);
  bent_->bends_results = true;
  cycle = {};
  cycle.has_external = true;
  cycle.external = {1, PMUV3_S, 0xC00, 0};
  pmuv3_side_cycle(lockstep_, &cycle);
  ExpectDivergence(0, 1, -1, "result of extw 0xc00");
}

// The sides need not agree on a wrong cycle, so no verdict follows from it.
TEST_P(ScoreboardTest, WrongCyclesAreToldAndNotGiven) {
  Cycles(2);
  EXPECT_EQ(pmuv3_lockstep_wrong(lockstep_), nullptr);
  const pmuv3_occurrence occurrences[] = {{0x0008, 1, 0, PMUV3_CURRENT},
                                          {0x0008, 1, 0, PMUV3_CURRENT}};
  pmuv3_cycle cycle = {};
  cycle.occurrences = occurrences;
  cycle.num_occurrences = 2;
  bent_->bend_probe = [](uint64_t number, pmuv3_probe *probe) { probe->VB[0] += number == 2; };
  pmuv3_side_cycle(lockstep_, &cycle);
  EXPECT_STREQ(pmuv3_lockstep_wrong(lockstep_), "the event is listed twice");
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 2u);
  cycle.has_external = true;
  cycle.external = {200, 0, 0, 0};
  cycle.num_occurrences = 1;
  pmuv3_side_cycle(lockstep_, &cycle);
  EXPECT_STREQ(pmuv3_lockstep_wrong(lockstep_), "the event is listed twice") << "the first";
  Cycles(1);
  ExpectDivergence(2, 0, 0, "VB");
}

// What is compared first is reported, also where another comparison is made first.
TEST_P(ScoreboardTest, ProbesComeBeforeResults) {
  pmuv3_cycle cycle = {};
  cycle.has_write = 1;
  cycle.write[0] = {PMUV3_PMCNTENSET, true, 0};
  bent_->bends_results = true;
  bent_->bend_probe = [](uint64_t number, pmuv3_probe *probe) { probe->VB[0] += number == 0; };
  pmuv3_side_cycle(lockstep_, &cycle);
  ExpectDivergence(0, 0, 0, "VB");
}

// A divergence of the last cycle is noticed with the next input, and that input is not counted.
TEST_P(ScoreboardTest, NoticesOneInputLater) {
  bent_->bend_probe = [](uint64_t number, pmuv3_probe *probe) { probe->VB[3] += number == 4; };
  Cycles(5);
  EXPECT_EQ(pmuv3_lockstep_noticed(lockstep_) == nullptr, GetParam());
  Cycles(1);
  EXPECT_NE(pmuv3_lockstep_noticed(lockstep_), nullptr);
  EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 5u);
  EXPECT_EQ(pmuv3_lockstep_comparisons(lockstep_), 5u * 4 * (31 * 14 + 30) + (31 * 14 + 30));
  ExpectDivergence(4, 0, 3, "VB");
}

// Cycles of random bytes, and the largest legal part of each.
class AnyCycle {
 public:
  explicit AnyCycle(const pmuv3_params &params) : params_(params) {}

  const pmuv3_cycle &Any() {
    list_.resize(Below(20));
    for (pmuv3_occurrence &one : list_)
      one = {Event(), static_cast<uint8_t>(Below(2) ? 1 : random_()), Small(2), Small(4)};
    cycle_ = {};
    cycle_.has_write = static_cast<uint8_t>(Below(4) ? random_() & 3 : random_());
    for (pmuv3_write &write : cycle_.write)
      write = {Register(), Below(2) == 0, Below(2) ? Event() : random_()};
    cycle_.has_external = Below(4) == 0;
    cycle_.external = {Small(2), Small(4), static_cast<uint16_t>(Below(0x400) * 4 + !Below(16)),
                       static_cast<uint32_t>(random_())};
    for (pmuv3_context &other : cycle_.other) other = {Small(4), Small(4), Below(2) == 0};
    return With(list_);
  }

  const pmuv3_cycle &Right() {
    std::vector<pmuv3_occurrence> right;
    if (With(right), Wrong()) cycle_.has_write = 0;
    if (Wrong()) cycle_.has_external = false;
    for (const pmuv3_occurrence &one : list_) {
      right.push_back(one);
      if (With(right), Wrong()) right.pop_back();
    }
    list_ = right;
    return With(list_);
  }

  const char *Wrong() const { return pmuv3_cycle_wrong(&params_, pe_, &cycle_); }

 private:
  uint32_t Below(unsigned n) { return static_cast<uint32_t>(random_() % n); }
  uint8_t Small(unsigned n) { return static_cast<uint8_t>(Below(16) ? Below(n) : random_()); }
  uint16_t Event() {
    const pmuv3_event &event = params_.events.event[Below(params_.events.num)];
    return static_cast<uint16_t>(Below(8) ? event.number : random_());
  }
  uint16_t Register() {
    const auto n = static_cast<int>(Below(10));
    return Below(2) ? PMUV3_PMEVTYPERn(n) : static_cast<uint16_t>(random_());
  }
  const pmuv3_cycle &With(const std::vector<pmuv3_occurrence> &list) {
    cycle_.occurrences = list.data();
    cycle_.num_occurrences = static_cast<uint16_t>(list.size());
    return cycle_;
  }

  pmuv3_params params_;
  pmuv3_pe pe_[PMUV3_MAX_THREADS] = {PMUV3_PE_RESET, PMUV3_PE_RESET};
  std::mt19937_64 random_{1};
  std::vector<pmuv3_occurrence> list_;
  pmuv3_cycle cycle_ = {};
};

// In any legal cycle both sides agree. A wrong cycle is reported, and does no harm to either side.
TEST(AnyCycleTest, SidesAgree) {
  constexpr int kCycles = 20000;
  pmuv3_params params = pmuv3_params_default();
  params.threads = 2;
  params.counters = 8;
  params.features |= UINT32_C(1) << PMUV3_FEATURE_EXT64;
  ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_side *lockstep =
      pmuv3_side_lockstep(pmuv3_side_cmodel(&params), pmuv3_side_rtl(&params, 1));
  pmuv3_side *const apart[] = {pmuv3_side_cmodel(&params), pmuv3_side_rtl(&params, 1)};
  for (pmuv3_side *side : {lockstep, apart[0], apart[1]}) {
    for (unsigned t = 0; t < 2; t++) {
      pmuv3_side_write(side, t, PMUV3_PMCNTENSET, ~UINT64_C(0));
      pmuv3_side_write(side, t, PMUV3_PMCR, 1);
    }
  }
  AnyCycle any(params);
  int wrong = 0, occurrences = 0, writes = 0;
  for (int i = 0; i < kCycles && !pmuv3_lockstep_noticed(lockstep); i++) {
    const pmuv3_cycle &cycle = any.Any();
    wrong += any.Wrong() != nullptr;
    for (pmuv3_side *side : apart) pmuv3_side_cycle(side, &cycle);
    pmuv3_side_cycle(lockstep, &any.Right());
    occurrences += cycle.num_occurrences;
    writes += cycle.has_write != 0;
  }
  const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep);
  EXPECT_EQ(divergence, nullptr) << divergence->cycle << " " << divergence->thread << " "
                                 << divergence->counter << " " << divergence->signal;
  EXPECT_EQ(pmuv3_lockstep_wrong(lockstep), nullptr);
  EXPECT_GT(wrong, kCycles / 2);
  EXPECT_GT(occurrences, kCycles);
  EXPECT_GT(writes, kCycles / 10);
  for (pmuv3_side *side : {lockstep, apart[0], apart[1]}) pmuv3_side_destroy(side);
}

// What the RTL keeps is what a probe of the same RTL gives, whatever comes after.
TEST(KeepTest, IsTheProbeBefore) {
  pmuv3_params params = pmuv3_params_default();
  params.threads = 2;
  params.counters = 8;
  params.features |= UINT32_C(1) << PMUV3_FEATURE_EXT64;
  ASSERT_EQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_side *const kept = pmuv3_side_rtl(&params, 1), *const probed = pmuv3_side_rtl(&params, 1);
  ASSERT_TRUE(pmuv3_side_postpones(kept));
  pmuv3_probe before[PMUV3_MAX_THREADS] = {}, probes[PMUV3_MAX_THREADS];
  pmuv3_side_keep(kept, before);
  std::mt19937 random(1);
  const auto both = [&](const std::function<void(pmuv3_side *)> &input) {
    for (unsigned t = 0; t < params.threads; t++) pmuv3_side_probe(probed, t, &probes[t]);
    for (pmuv3_side *side : {kept, probed}) input(side);
  };
  for (unsigned t = 0; t < params.threads; t++)
    both([&](auto *side) { pmuv3_side_write(side, t, PMUV3_PMCNTENSET, ~UINT64_C(0)); });
  AnyCycle any(params);
  for (int i = 0; i < 20000; i++) {
    const unsigned thread = random() % 2;
    const uint64_t value = random() % 4 ? random() : UINT64_MAX - random() % 4;
    const uint16_t regs[] = {PMUV3_PMEVCNTR, PMUV3_PMEVTYPER, PMUV3_PMOVSSET, PMUV3_PMCR};
    const auto reg = static_cast<uint16_t>(regs[random() % 4]);
    const auto offset = static_cast<uint16_t>(random() % 0x410 * 4);  // some are in no page
    any.Any();
    const pmuv3_cycle &cycle = any.Right();
    uint64_t wide;
    uint32_t word;
    switch (random() % 8) {
      case 0:
        both([&](auto *side) { pmuv3_side_write(side, thread, reg, value); });
        break;
      case 1:
        both([&](auto *side) { pmuv3_side_read(side, thread, reg, &wide); });
        break;
      case 2:
        both([&](auto *side) { pmuv3_side_msr(side, thread, reg, value); });
        break;
      case 3:
        both([&](auto *side) {
          pmuv3_side_external_write(side, thread, PMUV3_NS, offset, static_cast<uint32_t>(value));
        });
        break;
      case 4:
        both([&](auto *side) { pmuv3_side_external_read(side, thread, PMUV3_NS, offset, &word); });
        break;
      default:
        both([&](auto *side) { pmuv3_side_cycle(side, &cycle); });
    }
    for (unsigned t = 0; t < params.threads; t++)
      ASSERT_EQ(std::memcmp(&before[t], &probes[t], sizeof *probes), 0) << i << " " << t;
  }
  for (pmuv3_side *side : {kept, probed}) pmuv3_side_destroy(side);
}

#define SIGNAL_TEST(field, name, counter, expression)              \
  TEST_P(ScoreboardTest, Sees_##field) {                           \
    for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {             \
      Build(PMUV3_MAX_THREADS, t);                                 \
      bent_->bend_probe = [](uint64_t cycle, pmuv3_probe *probe) { \
        if (cycle == 7) expression;                                \
      };                                                           \
      Cycles(7);                                                   \
      EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);    \
      Cycles(3);                                                   \
      ExpectDivergence(7, t, counter, name);                       \
    }                                                              \
  }
#define PMUV3_PROBE_BITS(field, name, owner) \
  SIGNAL_TEST(field, name, 30, probe->field ^= UINT32_C(1) << 30)
#define PMUV3_PROBE_LANES(field, name, owner) \
  SIGNAL_TEST(field, name, 17, probe->field[17] ^= 0x8000)
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  SIGNAL_TEST(field, name, 0, probe->field[0] ^= UINT64_C(1) << 63)
#define PMUV3_PROBE_GLOBAL(field, name, owner) SIGNAL_TEST(field, name, -1, probe->field ^= 1)
#include "pmuv3/probe.def"

TEST_P(ScoreboardTest, SeesLanesThatAreNotImplemented) {
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->V[31] = 1; };
  Cycles(1);
  ExpectDivergence(0, 0, 31, "V");
}

TEST_P(ScoreboardTest, NamesTheFirstInDataFlow) {
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) {
    probe->V[4] = 1;
    probe->CT |= 1u << 4;
    probe->VB[5] = 1;
  };
  Cycles(1);
  ExpectDivergence(0, 0, 4, "CT");
}

TEST_P(ScoreboardTest, SeesReads) {
  Build(4, 2);
  bent_->bend_read = [](uint16_t reg, uint64_t *value) { *value ^= reg == PMUV3_PMOVSCLR; };
  uint64_t value;
  Cycles(3);
  pmuv3_side_read(lockstep_, 2, PMUV3_PMCR, &value);
  pmuv3_side_read(lockstep_, 1, PMUV3_PMOVSCLR, &value);
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  pmuv3_side_read(lockstep_, 2, PMUV3_PMOVSCLR, &value);
  ExpectDivergence(3, 2, -1, "PMOVSCLR_EL0");
}

// The result of an access is not taken for the value of the register, which may differ, too.
TEST_P(ScoreboardTest, SeesResults) {
  uint64_t value;
  uint32_t word;
  const struct {
    std::function<void()> access;
    const char *signal;
  } cases[] = {
      {[&] { pmuv3_side_write(lockstep_, 2, PMUV3_PMCR, 1); }, "result of write PMCR_EL0"},
      {[&] { pmuv3_side_read(lockstep_, 2, PMUV3_PMCR, &value); }, "result of read PMCR_EL0"},
      {[&] { pmuv3_side_msr(lockstep_, 2, PMUV3_PMCR, 1); }, "result of msr PMCR_EL0"},
      {[&] { pmuv3_side_mrs(lockstep_, 2, PMUV3_PMCR, &value); }, "result of mrs PMCR_EL0"},
      {[&] { pmuv3_side_external_write(lockstep_, 2, PMUV3_RT, 0xE04, 1); },
       "result of extw 0xe04"},
      {[&] { pmuv3_side_external_read(lockstep_, 2, PMUV3_RT, 0x4, &word); },
       "result of extr 0x004"},
  };
  for (const auto &c : cases) {
    Build(4, 2);
    c.access();
    EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
    bent_->refuses = bent_->bends_results = true;
    Cycles(3);
    c.access();
    ExpectDivergence(3, 2, -1, c.signal);
  }
}

TEST_P(ScoreboardTest, SeesReadsThatAreJudged) {
  Build(4, 1);
  uint64_t value;
  bent_->bends_values = true;
  pmuv3_side_mrs(lockstep_, 0, PMUV3_PMCR, &value);
  EXPECT_EQ(pmuv3_lockstep_divergence(lockstep_), nullptr);
  pmuv3_side_mrs(lockstep_, 1, PMUV3_PMCNTENSET, &value);
  ExpectDivergence(0, 1, -1, "mrs PMCNTENSET_EL0");

  Build(4, 1);
  uint32_t word;
  bent_->bends_values = true;
  pmuv3_side_external_read(lockstep_, 1, PMUV3_NS, 0xE00, &word);
  ExpectDivergence(0, 1, -1, "extr 0xe00");
}

TEST_P(ScoreboardTest, SeesOutputs) {
  for (const std::string name :
       {"PMUIRQ", "CTI", "PMU exception", "halt request", "BRBE freeze", "overflow pulses"}) {
    Build(4, 3);
    bent_->bend_output = [name](const char *output) { return name == output ? 1u : 0u; };
    for (unsigned t = 0; t < 4; t++) pmuv3_side_outputs(lockstep_, t);
    ExpectDivergence(0, 3, -1, name.c_str());
  }
}

TEST_P(ScoreboardTest, KeepsTheFirst) {
  bent_->bend_probe = [](uint64_t cycle, pmuv3_probe *probe) {
    if (cycle >= 2) probe->irq ^= cycle;
  };
  Cycles(10);
  ExpectDivergence(2, 0, -1, "PMUIRQ");
  const uint64_t comparisons = pmuv3_lockstep_comparisons(lockstep_);
  EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 3u);
  pmuv3_side_outputs(lockstep_, 0);
  Cycles(1);
  EXPECT_EQ(pmuv3_lockstep_comparisons(lockstep_), comparisons);
  EXPECT_EQ(pmuv3_lockstep_cycles(lockstep_), 3u);
}

// A state goes to both sides, and a divergence reports it.
TEST_P(ScoreboardTest, PassesStatesOn) {
  Build(3, 1);
  pmuv3_pe pe = {};
  pe.el = 2;
  pe.halted = true;
  pmuv3_side_set_pe(lockstep_, 1, &pe);
  EXPECT_EQ(bent_->pe[1].el, 2);
  EXPECT_TRUE(bent_->pe[1].halted);
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->V[3] = 1; };
  Cycles(1);
  ExpectDivergence(0, 1, 3, "V");
  const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep_);
  EXPECT_EQ(divergence->pe[0].el, 1);
  EXPECT_TRUE(divergence->pe[0].active);
  EXPECT_EQ(divergence->pe[1].el, 2);
  EXPECT_TRUE(divergence->pe[1].halted);
}

TEST_P(ScoreboardTest, Explains) {
  Build(2, 1);
  pmuv3_pe pe = {};
  pe.el = 2;
  pe.ss = PMUV3_S;
  pe.active = true;
  pmuv3_side_set_pe(lockstep_, 1, &pe);
  pmuv3_side_write(lockstep_, 1, PMUV3_PMEVTYPERn(3), 0x8200000082000008);  // TC, VS, P, MT
  pmuv3_side_write(lockstep_, 1, PMUV3_MDCR_EL3, uint64_t{1} << 17);        // SPME
  pmuv3_side_write(lockstep_, 1, PMUV3_PMCR, 1 << 9 | 1);                   // FZO, E
  bent_->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->VE[3] = 5; };
  Cycles(1);
  const std::string explanation = Explanation();
  for (const char *part :
       {"diverged at cycle 0, thread 1, counter 3, VE: cmodel 0x0, rtl 0x5\n",
        "pe 0 el=1 ss=NS sm=0 halted=0 active=1", "pe 1 el=2 ss=S sm=0 halted=0 active=1",
        "PMCR.FZO=1 MDCR_EL2.HPMFZO=0", "MDCR_EL3.SPME=1 MDCR_EL3.MPMX=0", "SDER32_EL3.SUNIDEN=0",
        "MDCR_EL3.MTPME=0", "counter 3: event 0x0008 INST_RETIRED\n", "TC=100 TE=0 TLC=00 TH=0",
        "MT=1 P=1 U=0", "VS=10", "counter 2: event"})
    EXPECT_NE(explanation.find(part), std::string::npos) << part << "\nnot in\n" << explanation;
}

INSTANTIATE_TEST_SUITE_P(Rtl, ScoreboardTest, ::testing::Bool(),
                         [](const auto &how) { return how.param ? "Postpones" : "IsPrompt"; });

}  // namespace
