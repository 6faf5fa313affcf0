// Who hears of an overflow, and which captures are taken, in random states: both sides against the
// manual's pseudocode (pseudocode.h).
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/comparison.h"
#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {
namespace {

constexpr uint16_t kPmccr = 0xE58;
constexpr uint64_t kInstRetired = 0x0008, kPmuSnapshot = 0x8127;

// A state in which nothing is filtered or prohibited: Non-secure EL1.
pmuv3_pe Counting() {
  return PMUV3_PE_RESET;
}

class Trial {
 public:
  Trial(CreateSide create, uint64_t seed, unsigned most_counters)
      : create_(create), random_(seed), most_counters_(most_counters) {}

  // A mistake in the witness.
  void Mistake(const std::string &check) { mistake_ = check; }

  void Run(uint64_t states, bool to_first) {
    for (uint64_t state = 0; state < states && !(to_first && !differences_.empty()); state++) {
      if (state % 20 == 0) NewImplementation();
      NewState();
      CompareLevels();
      CompareFreeze();
      CompareCapture();
    }
  }

  // The first difference of each kind.
  const std::map<std::string, std::string> &differences() const { return differences_; }
  const std::set<std::string> &checks() const { return checks_; }

 private:
  void NewImplementation() {
    params_ = RandomParams(&random_, most_counters_);
    // Captures and the exception are rare among the features.
    if (random_.OneIn(2)) {
      params_.features |= 1u << PMUV3_FEATURE_SS | 1u << PMUV3_FEATURE_SEBEP |
                          1u << PMUV3_FEATURE_ICNTR | 1u << PMUV3_FEATURE_EXT64 |
                          1u << PMUV3_FEATURE_Debugv8p9;
      params_.features &= ~(1u << PMUV3_FEATURE_EXT32);
      params_.aa64 = 1;
      if (pmuv3_params_complete(&params_)) params_ = RandomParams(&random_, most_counters_);
    }
    side_.reset(create_(&params_));
  }

  // Bits of which about one in 2 * `n` is 1.
  uint64_t Sparse(unsigned n) {
    uint64_t bits = random_.Next();
    for (; n > 1; n /= 2) bits &= random_.Next();
    return bits;
  }

  void NewState() {
    pmuv3_side_reset(side_.get());
    pe_ = RandomPe(&random_, params_);
    pe_.dlk = false;
    const pmuv3_pe open = Counting();
    pmuv3_side_set_pe(side_.get(), 0, &open);
    WritePmccr(31);  // all counters are in reach
    for (unsigned n = 0; n < params_.counters; n++)
      Write(PMUV3_PMEVTYPERn(n), kInstRetired | (random_.Next() & PMUV3_MASK(PMEVTYPER, SYNC)));
    Write(PMUV3_PMICFILTR, random_.Next() & PMUV3_MASK(PMICFILTR, SYNC));
    Write(PMUV3_MDCR_EL3, random_.Next());
    Write(PMUV3_MDCR_EL2, random_.Next());
    Write(PMUV3_PMECR, random_.Next());
    Write(PMUV3_PMCNTENSET, random_.Next());
    Write(PMUV3_PMINTENSET, random_.Next());
    Write(PMUV3_PMOVSSET, random_.OneIn(4) ? 0 : Sparse(16));
    Write(PMUV3_PMCR, random_.Next() & (PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, FZO)));
    WritePmccr(random_.Below(32) | random_.Below(2) << 7);
    pmuv3_side_set_pe(side_.get(), 0, &pe_);
    ReadMachine();
  }

  // EPMN and EPME. Only the most secure access reaches PMCCR; the others change nothing.
  void WritePmccr(uint32_t value) {
    for (int ss = PMUV3_NS; ss <= PMUV3_RT; ss++)
      pmuv3_side_external_write(side_.get(), 0, static_cast<pmuv3_security_state>(ss), kPmccr,
                                value);
  }

  void Write(uint16_t reg, uint64_t value) { pmuv3_side_write(side_.get(), 0, reg, value); }
  uint64_t Read(uint16_t reg) {
    uint64_t value = 0;
    pmuv3_side_read(side_.get(), 0, reg, &value);
    return value;
  }

  void ReadMachine() {
    pmuv3_probe probe;
    pmuv3_side_probe(side_.get(), 0, &probe);
    machine_ = Machine{};
    machine_.params = &params_;
    machine_.pe = pe_;
    machine_.pmcr = Read(PMUV3_PMCR);
    machine_.mdcr_el2 = Read(PMUV3_MDCR_EL2);
    machine_.mdcr_el3 = Read(PMUV3_MDCR_EL3);
    machine_.pmecr = Read(PMUV3_PMECR);
    machine_.pmcnten = uint64_t{probe.fixed_cnten} << 31 | probe.cnten;
    machine_.pminten = uint64_t{probe.fixed_inten} << 31 | probe.inten;
    machine_.pmovs = uint64_t{probe.fixed_overflow} << 31 | probe.overflow;
    machine_.pmicfiltr = Read(PMUV3_PMICFILTR);
    machine_.pmccr = probe.pmccr;
    for (unsigned n = 0; n < params_.counters; n++) machine_.pmevtyper[n] = probe.evtyper[n];
    const State state = StateOf(params_, pe_, ReadControls(side_.get()), 0);
    machine_.el2_enabled = state.el2_enabled;
    for (unsigned el = 0; el < 4; el++) machine_.aa32[el] = state.aa32[el];
    machine_.mistake = mistake_;
    machine_.checks = &checks_;
  }

  void Same(const std::string &what, uint64_t is, uint64_t expected) {
    if (is == expected || differences_.count(what)) return;
    std::ostringstream text;
    text << std::hex << "is 0x" << is << ", expected 0x" << expected << " with PMOVS 0x"
         << machine_.pmovs << " PMINTEN 0x" << machine_.pminten << " PMCR 0x" << machine_.pmcr
         << " MDCR_EL2 0x" << machine_.mdcr_el2 << " MDCR_EL3 0x" << machine_.mdcr_el3
         << " PMECR 0x" << machine_.pmecr << " PMCCR 0x" << machine_.pmccr << " at EL"
         << int{pe_.el};
    differences_[what] = text.str();
  }

  void CompareLevels() {
    const Machine &m = machine_;
    pmuv3_side *side = side_.get();
    const bool trigger = m.PMUOverflowTrigger();
    Same("CTI", pmuv3_side_outputs(side, 0).cti, trigger);
    Same("PMUIRQ", pmuv3_side_outputs(side, 0).irq, trigger && m.PMUInterruptEnabled());
    Same("halt", pmuv3_side_outputs(side, 0).halt, m.CheckPMUHalt());

    // Where an exception is synchronous is no part of this function.
    unsigned target = 0;
    const bool takes = m.TakesPMUException(&target);
    const unsigned exception = pmuv3_side_outputs(side, 0).exception;
    Same("exception", exception & 1, takes);
    if (takes) Same("its target", exception >> 2, target);

    const unsigned brbe = pmuv3_side_outputs(side, 0).brbe;
    Same("BRBE, bits", brbe & ~3u, 0);
    for (unsigned fzp = 0; fzp < 4; fzp++) {
      const unsigned included = params_.el2 ? fzp : 3;
      Same("BRBE freeze", (brbe & included) != 0, m.ShouldBRBEFreeze(fzp & 1, fzp >> 1 & 1));
    }
  }

  // Which counters may count in a cycle, in a state that neither filters nor prohibits.
  void CompareFreeze() {
    pmuv3_pe pe = Counting();
    if (pmuv3_pe_wrong(&params_, &pe)) return;
    pmuv3_side_set_pe(side_.get(), 0, &pe);
    Cycle(false);
    pmuv3_probe probe;
    pmuv3_side_probe(side_.get(), 0, &probe);
    for (unsigned n = 0; n < params_.counters; n++)
      Same("counting", probe.allowed >> n & 1,
           machine_.IsEnabled(n, true) && !machine_.IsFrozen(n));
    pmuv3_side_set_pe(side_.get(), 0, &pe_);
  }

  void Cycle(bool capture) {
    pmuv3_cycle cycle = {};
    cycle.capture = capture;
    pmuv3_side_cycle(side_.get(), &cycle);
  }

  // A write of PMSSCR.SS, or a request: what it saves, and PMSSCR.NC. Then comes PMU_SNAPSHOT.
  void CompareCapture() {
    pmuv3_probe before, after;
    Write(PMUV3_PMCR, 0);
    Write(PMUV3_PMCCNTR, random_.Next());
    pmuv3_side_probe(side_.get(), 0, &before);
    if (random_.OneIn(2))
      Write(PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
    else
      Cycle(true);
    pmuv3_side_probe(side_.get(), 0, &after);
    const bool allowed = machine_.PMUCaptureEventAllowed();
    const bool enabled = machine_.PMUCaptureEventEnabled();
    const uint64_t nc = allowed ? 0 : enabled ? PMUV3_MASK(PMSSCR, NC) : before.pmsscr;
    Same("PMSSCR", after.pmsscr, nc);
    Same("PMCCNTSVR", after.pmccntsvr, allowed ? after.pmccntr : before.pmccntsvr);
    CompareEvent(allowed);
  }

  void CompareEvent(bool captured) {
    const pmuv3_pe pe = Counting();
    if (params_.counters == 0 || pmuv3_pe_wrong(&params_, &pe)) return;
    if (!pmuv3_has(&params_, PMUV3_FEATURE_PMUv3p1)) return;  // evtCount has 10 bits
    pmuv3_side_set_pe(side_.get(), 0, &pe);
    WritePmccr(31);
    Write(PMUV3_MDCR_EL2, params_.counters);
    Write(PMUV3_PMEVTYPERn(0), kPmuSnapshot);
    Write(PMUV3_PMCNTENSET, 1);
    Write(PMUV3_PMOVSCLR, ~UINT64_C(0));
    Write(PMUV3_PMCR, PMUV3_MASK(PMCR, E));
    pmuv3_probe probe;
    Cycle(false);
    pmuv3_side_probe(side_.get(), 0, &probe);
    Same("PMU_SNAPSHOT", probe.VB[0], captured);
  }

  CreateSide create_;
  Random random_;
  unsigned most_counters_;
  std::string mistake_;
  pmuv3_params params_{};
  Side side_;
  pmuv3_pe pe_{};
  Machine machine_{};
  std::set<std::string> checks_;
  std::map<std::string, std::string> differences_;
};

uint64_t FromEnvironment(const char *name, uint64_t otherwise) {
  const char *value = getenv(name);
  return value ? strtoull(value, nullptr, 0) : otherwise;
}

class ConsumersTest : public ::testing::TestWithParam<Implementation> {};

TEST_P(ConsumersTest, PseudocodeSaysTheSame) {
  const bool rtl = GetParam().name == std::string("Rtl");
  Trial trial(GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1), rtl ? 8 : 31);
  trial.Run(FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 10000 : 50000), false);
  for (const auto &[what, text] : trial.differences()) ADD_FAILURE() << what << ' ' << text;
}
PMUV3_ON_BOTH_SIDES(ConsumersTest);

// Each check matters: the comparison sees a witness that has one of them the wrong way round.
TEST(ConsumersWitnessTest, SeesEveryMistake) {
  constexpr uint64_t kStates = 20000;
  Trial right(pmuv3_side_cmodel, 2, 31);
  right.Run(kStates, false);
  EXPECT_TRUE(right.differences().empty());
  EXPECT_GE(right.checks().size(), 40u);
  // Where E of a range is 0, its counters do not count, frozen or not.
  const std::string equivalent = "Freeze: check_e";
  for (const std::string &check : right.checks()) {
    Trial wrong(pmuv3_side_cmodel, 2, 31);
    wrong.Mistake(check);
    wrong.Run(kStates, true);
    EXPECT_EQ(wrong.differences().empty(), check == equivalent) << check;
  }
}

}  // namespace
}  // namespace pmuv3::witness
