// Who hears of an overflow, and which captures are taken, in random states: both sides against the
// manual's pseudocode (pseudocode.h).
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include <gtest/gtest.h>

#include <sstream>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/trial.h"

namespace pmuv3::witness {
namespace {

constexpr uint64_t kInstRetired = 0x0008, kPmuSnapshot = 0x8127;

// A state in which nothing is filtered or prohibited: Non-secure EL1.
pmuv3_pe Counting() {
  return PMUV3_PE_RESET;
}

class ConsumersTrial : public Trial {
 public:
  using Trial::Trial;

 private:
  // Captures and the exception are rare among the features.
  void Adapt(pmuv3_params *params) override {
    if (!random_.OneIn(2)) return;
    params->features |= 1u << PMUV3_FEATURE_SS | 1u << PMUV3_FEATURE_SEBEP |
                        1u << PMUV3_FEATURE_ICNTR | 1u << PMUV3_FEATURE_EXT64 |
                        1u << PMUV3_FEATURE_Debugv8p9;
    params->features &= ~(1u << PMUV3_FEATURE_EXT32);
    params->aa64 = 1;
  }

  void CompareState() override {
    NewState();
    CompareLevels();
    CompareCapture();
  }

  void NewState() {
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
    machine_ = Machine{};
    ReadMachine(pe_, &machine_);
  }

  std::string Text() const override {
    std::ostringstream text;
    text << std::hex << "PMOVS 0x" << machine_.pmovs << " PMINTEN 0x" << machine_.pminten
         << " PMCR 0x" << machine_.pmcr << " MDCR_EL2 0x" << machine_.mdcr_el2 << " MDCR_EL3 0x"
         << machine_.mdcr_el3 << " PMECR 0x" << machine_.pmecr << " PMCCR 0x" << machine_.pmccr
         << " at EL" << int{pe_.el};
    return text.str();
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

  pmuv3_pe pe_{};
  Machine machine_{};
};

class ConsumersTest : public ::testing::TestWithParam<Implementation> {};

TEST_P(ConsumersTest, PseudocodeSaysTheSame) {
  const bool rtl = GetParam().name == std::string("Rtl");
  ConsumersTrial trial(GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1), rtl ? 8 : 31);
  trial.Run(FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 10000 : 50000), false);
  for (const auto &[what, text] : trial.differences()) ADD_FAILURE() << what << ' ' << text;
}
PMUV3_ON_BOTH_SIDES(ConsumersTest);

TEST(ConsumersWitnessTest, SeesEveryMistake) {
  ExpectEachMistakeIsSeen<ConsumersTrial>(31, 20000, 40, {});
}

}  // namespace
}  // namespace pmuv3::witness
