// What every counter counts, in random cycles: both sides against the manual's pseudocode
// (counting.h).
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include "testbench/tests/witness/counting.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <vector>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/trial.h"

namespace pmuv3::witness {
namespace {

constexpr uint16_t kSwIncr = 0x0000, kInstRetired = 0x0008, kCpuCycles = 0x0011, kBrPred = 0x0012,
                   kChain = 0x001E, kStallBackend = 0x0024;
// Events that occur, beside those of caches. SW_INCR, CPU_CYCLES and CHAIN follow from something
// else.
constexpr uint16_t kPresented[] = {kInstRetired, kBrPred, kStallBackend};

constexpr uint64_t kFilter =
    PMUV3_MASK(PMEVTYPER, P) | PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, NSK) |
    PMUV3_MASK(PMEVTYPER, NSU) | PMUV3_MASK(PMEVTYPER, NSH) | PMUV3_MASK(PMEVTYPER, M) |
    PMUV3_MASK(PMEVTYPER, SH) | PMUV3_MASK(PMEVTYPER, RLK) | PMUV3_MASK(PMEVTYPER, RLU) |
    PMUV3_MASK(PMEVTYPER, RLH) | PMUV3_MASK(PMEVTYPER, VS) | PMUV3_MASK(PMEVTYPER, SYNC);
constexpr uint64_t kThreshold =
    PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) | PMUV3_MASK(PMEVTYPER, TLC);
// All of PMCR but what zeroes counters.
constexpr uint64_t kPmcr = PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, D) | PMUV3_MASK(PMCR, DP) |
                           PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, LP) | PMUV3_MASK(PMCR, FZO) |
                           PMUV3_MASK(PMCR, FZS);

class CountingTrial : public Trial {
 public:
  using Trial::Trial;

  // A place where the witness follows the manual against the rules.
  void Undo(const std::string &departure) { undone_ = departure; }

 private:
  // Thresholds and the instruction counter are rare among the features, and choices and
  // FEAT_Debugv8p2 are not random otherwise.
  void Adapt(pmuv3_params *params) override {
    if (random_.OneIn(2)) params->features |= 1u << PMUV3_FEATURE_TH2;
    if (random_.OneIn(3)) {
      params->features |=
          1u << PMUV3_FEATURE_ICNTR | 1u << PMUV3_FEATURE_SEBEP | 1u << PMUV3_FEATURE_SPE;
      params->aa64 = 1;
    }
    if (random_.OneIn(2)) {
      params->threads = 2;
      params->features |= 1u << PMUV3_FEATURE_MTPMU;
      params->k_shared_other = random_.OneIn(2);
    }
    if (random_.OneIn(8)) {
      params->debugv8p2 = 0;
      params->features &= 1u << PMUV3_FEATURE_PMUv3p1;
    }
    params->k_restc = random_.OneIn(2);
    params->k_vs_res = static_cast<uint8_t>(random_.Below(4));
    params->th_width = static_cast<uint8_t>(1 + random_.Below(12));
  }

  void CompareState() override {
    constexpr unsigned kCycles = 8;
    // With EXTPMN a Warm reset keeps the divider of PMCCNTR, which no register shows.
    pmuv3_side_cold_reset(side_.get());
    NewRegisters();
    machine_ = Counting{};
    machine_.undone = undone_;
    ReadCounters();
    for (unsigned cycle = 0; cycle < kCycles; cycle++) {
      if (random_.OneIn(4) && params_.counters > 0)
        Write(PMUV3_PMEVTYPERn(random_.Below(params_.counters)), Evtyper());
      if (cycle == 0 || random_.OneIn(3)) NewPe();
      ReadMachine(pe_, &machine_);
      if (random_.OneIn(cycle == 0 ? 4 : 8)) Increment();
      Cycle();
      Compare();
    }
  }

  // ---- Registers ----

  void NewRegisters() {
    const pmuv3_pe open = PMUV3_PE_RESET;
    if (!pmuv3_pe_wrong(&params_, &open)) pmuv3_side_set_pe(side_.get(), 0, &open);
    HaltSibling();
    WritePmccr(31);  // all counters are in reach
    for (unsigned n = 0; n < params_.counters; n++) {
      Write(PMUV3_PMEVTYPERn(n), Evtyper());
      Write(PMUV3_PMEVCNTRn(n), NearOverflow());
    }
    Write(PMUV3_PMCCNTR, NearOverflow());
    Write(PMUV3_PMICNTR, NearOverflow());
    Write(PMUV3_PMCCFILTR, Filter());
    Write(PMUV3_PMICFILTR, Filter());
    Write(PMUV3_MDCR_EL3, random_.Next());
    Write(PMUV3_MDCR_EL2, random_.Next());
    Write(PMUV3_SDER32_EL3, random_.Next());
    Write(PMUV3_PMECR, random_.Next());
    Write(PMUV3_PMCNTENSET, random_.Next() | random_.Next());
    Write(PMUV3_PMINTENSET, random_.Next());
    Write(PMUV3_PMOVSSET, random_.OneIn(2) ? 0 : Sparse(16));
    Write(PMUV3_PMCR, (random_.Next() & kPmcr) | !random_.OneIn(4));
    WritePmccr(random_.Below(32) | random_.Below(2) << 7);
  }

  // Nothing is eligible in the other thread. So with MT = 1 only thread 0 counts, too, and what the
  // pseudocode does not have: Unattributable events.
  void HaltSibling() {
    if (params_.threads == 1) return;
    pmuv3_pe sibling = RandomPe(&random_, params_);
    sibling.halted = true;
    pmuv3_side_set_pe(side_.get(), 1, &sibling);
  }

  uint64_t Filter() { return random_.OneIn(2) ? 0 : Sparse(4) & kFilter; }

  uint64_t Evtyper() {
    static constexpr uint16_t events[] = {kSwIncr, kInstRetired,  kCpuCycles, kBrPred,
                                          kChain,  kStallBackend, kChain,     0x7FFF};
    const uint64_t th = random_.OneIn(2) ? 0 : random_.Below(6);
    const uint64_t threshold = random_.OneIn(3) ? 0 : random_.Next() & kThreshold;
    const uint64_t mt = random_.OneIn(2) ? PMUV3_MASK(PMEVTYPER, MT) : 0;
    const uint64_t event = random_.OneIn(3) ? kCacheEvents[random_.Below(std::size(kCacheEvents))]
                                            : events[random_.Below(8)];
    return Filter() | threshold | mt | th << PMUV3_PMEVTYPER_TH_LSB | event;
  }

  uint64_t NearOverflow() {
    const uint64_t of_32_bits = (random_.Next() << 32) - 1 - random_.Below(12);
    return random_.OneIn(4)   ? random_.Next()
           : random_.OneIn(2) ? ~uint64_t{random_.Below(12)}
                              : of_32_bits;
  }

  void ReadCounters() {
    pmuv3_probe probe;
    pmuv3_side_probe(side_.get(), 0, &probe);
    for (unsigned n = 0; n < params_.counters; n++) machine_.pmevcntr[n] = probe.value[n];
    machine_.pmccntr = probe.pmccntr;
    machine_.pmicntr = probe.pmicntr;
    machine_.pmccfiltr = probe.pmccfiltr;
    machine_.sder = probe.sder;
  }

  // ---- A cycle ----

  void NewPe() {
    pe_ = RandomPe(&random_, params_);
    pe_.dlk = false;
    pe_.wfx = false;
    if (pe_.el == 2) pe_.aa32 = false;  // what EL2 uses follows a32el2 (formats.md)
    pmuv3_side_set_pe(side_.get(), 0, &pe_);
  }

  void Increment() {
    const uint64_t counters = random_.Next();
    Write(PMUV3_PMSWINC, counters);
    machine_.PMUSwIncrement(counters);
  }

  void Cycle() {
    std::vector<pmuv3_occurrence> occurrences;
    for (const uint16_t event : kPresented) {
      if (random_.OneIn(3)) continue;
      // At most one a cycle of an event that stalls.
      const unsigned count = event == kStallBackend ? 1 : random_.Below(7);
      occurrences.push_back({event, static_cast<uint8_t>(count), 0, PMUV3_CURRENT});
      machine_.PMUEvent(event, count);
    }
    for (const uint16_t event : kCacheEvents) {
      if (!random_.OneIn(4)) continue;
      const unsigned own = random_.Below(3), unattributable = 1 + random_.Below(3);
      occurrences.push_back({event, static_cast<uint8_t>(own), 0, PMUV3_CURRENT});
      occurrences.push_back({event, static_cast<uint8_t>(unattributable), 0, PMUV3_UNATTRIBUTABLE});
      machine_.PMUEvent(event, own);
      machine_.UnattributableEvent(event, unattributable);
    }
    pmuv3_cycle cycle = {};
    cycle.occurrences = occurrences.data();
    cycle.num_occurrences = static_cast<uint16_t>(occurrences.size());
    pmuv3_side_cycle(side_.get(), &cycle);
    machine_.PMUCycle();
  }

  void Compare() {
    pmuv3_probe probe;
    pmuv3_side_probe(side_.get(), 0, &probe);
    for (at_ = 0; at_ < params_.counters; at_++)
      Same("PMEVCNTR", probe.value[at_], machine_.pmevcntr[at_]);
    Same("PMCCNTR", probe.pmccntr, machine_.pmccntr);
    Same("PMICNTR", probe.pmicntr, machine_.pmicntr);
    Same("PMOVS", uint64_t{probe.fixed_overflow} << 31 | probe.overflow, machine_.pmovs);
  }

  std::string Text() const override {
    std::ostringstream text;
    text << std::hex << "PMCR 0x" << machine_.pmcr << " MDCR_EL2 0x" << machine_.mdcr_el2
         << " MDCR_EL3 0x" << machine_.mdcr_el3 << " PMOVS 0x" << machine_.pmovs << " PMCCR 0x"
         << machine_.pmccr << " at EL" << int{machine_.pe.el} << ", Security state "
         << int{machine_.pe.ss};
    if (at_ < params_.counters)
      text << ", counter 0x" << at_ << " of 0x" << int{params_.counters} << " with PMEVTYPER 0x"
           << machine_.pmevtyper[at_] << ", the one before 0x"
           << machine_.pmevtyper[at_ ? at_ - 1 : 0];
    return text.str();
  }

  std::string undone_;
  pmuv3_pe pe_{};
  Counting machine_{};
  unsigned at_ = 0;  // the counter that is compared
};

class CountingTest : public ::testing::TestWithParam<Implementation> {};

TEST_P(CountingTest, PseudocodeCountsTheSame) {
  const bool rtl = GetParam().name == std::string("Rtl");
  CountingTrial trial(GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1), rtl ? 8 : 31);
  trial.Run(FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 5000 : 20000), false);
  for (const auto &[what, text] : trial.differences()) ADD_FAILURE() << what << ' ' << text;
}
PMUV3_ON_BOTH_SIDES(CountingTest);

TEST(CountingWitnessTest, SeesEveryMistake) {
  // Where E of a range is 0, its counters do not count, frozen or not. TE without TC is reserved.
  ExpectEachMistakeIsSeen<CountingTrial>(31, 20000, 60,
                                         {"Freeze: check_e", "PMUCountValue: disabled: te == 0"});
}

// Where the rules contradict the pseudocode, the sides follow the rules, and it matters.
TEST(CountingWitnessTest, SeesEveryDeparture) {
  constexpr uint64_t kStates = 200000;
  for (const std::string &departure : Departures()) {
    CountingTrial manual(pmuv3_side_cmodel, 3, 31);
    manual.Undo(departure);
    manual.Run(kStates, true);
    EXPECT_FALSE(manual.differences().empty()) << departure;
  }
}

}  // namespace
}  // namespace pmuv3::witness
