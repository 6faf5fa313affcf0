// Functional coverage must see each situation, must see nothing else, and must have a coverpoint
// for every rule.
#include "testbench/signoff/coverage/coverage.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/random.h"
#include "testbench/signoff/coverage/bias.h"

namespace {

using Names = std::set<std::string>;

// ---- An observed lockstep ----

pmuv3_params Params(std::initializer_list<std::pair<const char *, const char *>> settings) {
  pmuv3_params params = pmuv3_params_default();
  for (auto [name, value] : settings) EXPECT_EQ(pmuv3_params_set(&params, name, value), nullptr);
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  return params;
}

class Watched {
 public:
  explicit Watched(const pmuv3_params &params)
      : params_(params),
        hits_(pmuv3_coverage_num_bins()),
        side_(pmuv3_side_lockstep(pmuv3_side_cmodel(&params), pmuv3_side_cmodel(&params))),
        collector_(pmuv3_collector_create(&params, hits_.data())) {
    pmuv3_lockstep_observe(side_, collector_);
  }
  ~Watched() {
    pmuv3_side_destroy(side_);
    pmuv3_collector_destroy(collector_);
  }

  pmuv3_side *side() { return side_; }
  void Write(uint16_t reg, uint64_t value) { pmuv3_side_write(side_, 0, reg, value); }
  void State(const pmuv3_pe &pe, unsigned thread = 0) { pmuv3_side_set_pe(side_, thread, &pe); }

  // One Processor cycle with these occurrences.
  void Cycle(std::vector<pmuv3_occurrence> occurrences = {}, pmuv3_cycle cycle = {}) {
    cycle.occurrences = occurrences.data();
    cycle.num_occurrences = static_cast<uint16_t>(occurrences.size());
    pmuv3_side_cycle(side_, &cycle);
  }

  // The bins that were hit since the last call.
  Names Hit() {
    Names names;
    for (size_t bin = 0; bin < hits_.size(); bin++) {
      if (hits_[bin]) names.insert(pmuv3_coverage_name(bin));
      EXPECT_FALSE(hits_[bin] && !pmuv3_coverage_reachable(bin, &params_))
          << pmuv3_coverage_name(bin);
      hits_[bin] = 0;
    }
    return names;
  }

 private:
  pmuv3_params params_;
  std::vector<uint64_t> hits_;
  pmuv3_side *side_;
  pmuv3_collector *collector_;
};

// The bins of one coverpoint.
Names Of(const std::string &coverpoint, const Names &names) {
  Names of;
  for (const std::string &name : names)
    if (name.substr(0, name.rfind('.')) == coverpoint) of.insert(name.substr(name.rfind('.') + 1));
  return of;
}

pmuv3_occurrence Of(pmuv3_event_number event, unsigned count, pmuv3_origin origin = PMUV3_CURRENT) {
  return {static_cast<uint16_t>(event), static_cast<uint8_t>(count), 0,
          static_cast<uint8_t>(origin)};
}

constexpr uint64_t kRetired = 0x0008;

// Counter 0 counts retired instructions.
void Count(Watched &watched, uint64_t type = kRetired, unsigned counter = 0) {
  watched.Write(PMUV3_PMEVTYPERn(counter), type);
  watched.Write(PMUV3_PMCNTENSET, uint64_t{1} << counter);
  watched.Write(PMUV3_PMCR, 1);
  watched.Hit();
}

// ---- Names ----

TEST(CoverageTest, NamesAreDifferent) {
  Names names;
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const std::string name = pmuv3_coverage_name(bin);
    EXPECT_NE(name.find('.'), std::string::npos) << name;
    EXPECT_EQ(name.find(' '), std::string::npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_GT(names.size(), 5000u);
}

Names Coverpoints() {
  Names coverpoints;
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const std::string name = pmuv3_coverage_name(bin);
    coverpoints.insert(name.substr(0, name.rfind('.')));
  }
  return coverpoints;
}

// The MUST rules of sections B, C and G without a coverpoint and without a reason for that.
Names Uncovered(std::istream &rules) {
  const Names coverpoints = Coverpoints();
  Names uncovered;
  char section = ' ';
  for (std::string line; std::getline(rules, line);) {
    if (line.rfind("# ---- ", 0) == 0) section = line[7];
    std::istringstream words(line.substr(0, line.find('#')));
    std::string rule, of_class, mark;
    if (!(words >> rule >> of_class >> mark)) continue;
    const bool concerned = section == 'B' || section == 'C' || section == 'G';
    if (!concerned || of_class.find("MUST") == std::string::npos) continue;
    if (coverpoints.count(rule) == 0 && !pmuv3_coverage_excused(rule.c_str()))
      uncovered.insert(rule);
  }
  return uncovered;
}

TEST(CoverageTest, EveryRuleHasACoverpoint) {
  std::ifstream rules(PMUV3_RULES);
  ASSERT_TRUE(rules.is_open());
  EXPECT_EQ(Uncovered(rules), Names{});
}

TEST(CoverageTest, ARuleWithoutACoverpointIsSeen) {
  std::istringstream rules(
      "# ---- B.1: one ----\nRNEWLY MUST behaviour\nRNOTED NOTE behaviour\n"
      "# ---- E: registers ----\nRELSEW MUST behaviour\n"
      "# ---- G.1: another ----\nRGROWN MUST/CU behaviour\n");
  EXPECT_EQ(Uncovered(rules), (Names{"RGROWN", "RNEWLY"}));
}

TEST(CoverageTest, WhatIsExcusedHasNone) {
  const Names coverpoints = Coverpoints();
  for (const std::string &coverpoint : coverpoints)
    EXPECT_EQ(pmuv3_coverage_excused(coverpoint.c_str()), nullptr) << coverpoint;
}

TEST(CoverageTest, EveryValueOfEveryChoiceHasABin) {
  Names bins;
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++)
    bins.insert(pmuv3_coverage_name(bin));
  const std::pair<std::string, std::string> choices[] = {
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) {name, values},
#include "pmuv3/params.def"
  };
  for (const auto &[name, values] : choices) {
    std::istringstream words(values);
    for (std::string word; std::getline(words, word, '|');)
      EXPECT_EQ(bins.count(name + "." + word), 1u) << name << " " << word;
  }
}

// ---- Hits ----

TEST(CoverageTest, NothingBeforeACycle) {
  Watched watched(Params({}));
  EXPECT_EQ(watched.Hit(), Names{});
}

TEST(CoverageTest, OwnOccurrence) {
  Watched watched(Params({}));
  Count(watched);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 3)});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("D13.4-1", hit), Names{"own"});
  EXPECT_EQ(Of("D13.4-T1", hit), Names{"Attributable"});
  EXPECT_EQ(Of("D13.4-2", hit), Names{});
  EXPECT_EQ(Of("RJJRJQ/VB", hit), Names{"many"});
  EXPECT_EQ(Of("event", hit), Names{"COUNT,CORE,current,counts"});
  EXPECT_EQ(Of("event_counted", hit), Names{"INST_RETIRED"});
  EXPECT_EQ(Of("event_row_counted", hit), Names{"row_8"});
  EXPECT_EQ(Of("threshold", hit), Names{"TC=000,TE=0,TLC=00,even,CT=1,CE=0,CP=0"});
  EXPECT_EQ(Of("comparison", hit), Names{});  // there is no threshold
}

TEST(CoverageTest, Threshold) {
  Watched watched(Params({}));
  Count(watched, uint64_t{5} << 61 | uint64_t{1} << 60 | uint64_t{3} << 32 | kRetired); /* >= 3 */
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 2)});
  EXPECT_EQ(Of("RNXPYM", watched.Hit()), Names{});
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 3)});
  Names hit = watched.Hit();
  EXPECT_EQ(Of("RNXPYM", hit), Names{"becomes"});
  EXPECT_EQ(Of("D13-8/F", hit), Names{"true"});
  EXPECT_EQ(Of("C.1", hit), Names{"equal"});
  EXPECT_EQ(Of("threshold", hit), Names{"TC=101,TE=1,TLC=00,even,CT=1,CE=1,CP=0"});
  EXPECT_EQ(Of("comparison", hit), Names{"at_least,VB=TH,TH_between"});
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 4)});
  hit = watched.Hit();
  EXPECT_EQ(Of("RNXPYM", hit), Names{"stays"});
  EXPECT_EQ(Of("C.1", hit), Names{"above_by_1"});
}

TEST(CoverageTest, Linked) {
  Watched watched(Params({}));
  Count(watched, kRetired, 0);
  Count(watched, uint64_t{1} << 54 | 0x0004, 1); /* TLC = 01, TC = 000: V[0] where no L1D_CACHE */
  watched.Write(PMUV3_PMCNTENSET, 3);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 7)});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("D13-5/C", hit), Names{"false"});
  EXPECT_EQ(Of("RXFGYS", hit), Names{"false_link"});
  EXPECT_EQ(Of("pair", hit), Names{"TLC=01,TE=0,V>1,false,same_range"});
}

TEST(CoverageTest, Filtered) {
  Watched watched(Params({}));
  Count(watched, uint64_t{1} << 31 | kRetired); /* P: not at Non-secure EL1 */
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("D13.4-T2", hit), Names{"Attributable"});
  EXPECT_EQ(Of("D13.4-T3", hit), Names{});
  const Names bins = Of("filter-event_counter", hit);
  EXPECT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins.count("NS_EL1,P,1,does_not_count"), 1u);
}

TEST(CoverageTest, ProhibitedInSecureState) {
  Watched watched(Params({}));
  Count(watched);
  pmuv3_pe pe = PMUV3_PE_RESET;
  pe.ss = PMUV3_S;
  watched.State(pe);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  Names hit = watched.Hit();
  EXPECT_EQ(Of("RJDWFF", hit), Names{"Secure"});
  EXPECT_EQ(Of("prohibition-event_counter", hit),
            Names{"R1,SPME=0,MPMX=0,HPMD=0,S_EL1,does_not_count"});
  watched.Write(PMUV3_MDCR_EL3, uint64_t{1} << 17 | uint64_t{1} << 28);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  hit = watched.Hit();
  EXPECT_EQ(Of("RJDWFF", hit), Names{});
  EXPECT_EQ(Of("prohibition-event_counter", hit), Names{"R1,SPME=1,MPMX=0,HPMD=0,S_EL1,counts"});
}

TEST(CoverageTest, OverflowAndChain) {
  Watched watched(Params({}));
  Count(watched);
  Count(watched, 0x001E, 1);
  watched.Write(PMUV3_PMCNTENSET, 3);
  watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
  watched.Hit();
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 2)});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("overflow", hit), Names{"R1,32_bits,from_31,flag=0"});
  EXPECT_EQ(Of("CHAIN-2", hit), Names{"raised"});
  EXPECT_EQ(Of("CYC-5", hit), Names{"overshoot"});
}

TEST(CoverageTest, CollisionOfAWriteWithAnOverflow) {
  Watched watched(Params({}));
  Count(watched);
  watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
  watched.Hit();
  pmuv3_cycle cycle = {};
  cycle.has_write = 1;
  cycle.write[0] = {PMUV3_PMOVSCLR, false, 1};
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)}, cycle);
  EXPECT_EQ(Of("collision", watched.Hit()),
            (Names{"PMOVSCLR,System_register,event", "PMOVSCLR,System_register,overflow"}));
}

// C.0/LP: without PMUv3p5 counters overflow at bit 31, in range R3 and with the PMU Profiling
// exception, too.
TEST(CoverageTest, OverflowsOfCountersOf32Bits) {
  constexpr uint16_t kPmccr = 0xE58;
  constexpr uint32_t kEpme = 1 << 7; /* and EPMN = 0: all counters are in R3 */
  const auto hit = [](const char *features, uint64_t mdcr_el3, bool in_r3) {
    Watched watched(Params({{"features", features}}));
    Count(watched);
    watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
    watched.Write(PMUV3_MDCR_EL3, mdcr_el3);
    if (in_r3) {
      EXPECT_TRUE(pmuv3_side_external_write(watched.side(), 0, PMUV3_S, kPmccr, kEpme));
    }
    watched.Hit();
    watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
    return Of("overflow", watched.Hit());
  };
  EXPECT_EQ(hit("EXTPMN", 0, true), Names{"R3,32_bits,from_31,flag=0"});
  EXPECT_EQ(hit("EBEP", PMUV3_MASK(MDCR_EL3, PMEE), false), Names{"R1,32_bits,from_31,flag=0"});
  EXPECT_EQ(hit("EBEP,PMUv3p5", PMUV3_MASK(MDCR_EL3, PMEE), false),
            Names{"R1,64_bits,from_31,flag=0"});
}

TEST(CoverageTest, SoftwareIncrements) {
  Watched watched(Params({}));
  Count(watched, 0);
  watched.Write(PMUV3_PMSWINC, 1);
  watched.Write(PMUV3_PMSWINC, 1);
  watched.Cycle();
  Names hit = watched.Hit();
  EXPECT_EQ(Of("D13.7-15", hit), Names{"two_writes"});
  EXPECT_EQ(Of("D13.7-14", hit), Names{"counted"});
  watched.Cycle();
  EXPECT_EQ(Of("D13.7-14", watched.Hit()), Names{"none_written"});
}

TEST(CoverageTest, ExactEventWhereItOccurred) {
  Watched watched(Params({}));
  Count(watched, uint64_t{1} << 31 | 0x0009); /* EXC_TAKEN, not at EL1 */
  pmuv3_cycle cycle = {};
  cycle.other[0] = {0, PMUV3_NS, false};
  watched.Cycle({Of(PMUV3_EVENT_EXC_TAKEN, 1, PMUV3_OTHER)}, cycle);
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("B.3.1/EXC_TAKEN", hit), Names{"counted_at_the_source,filtered_at_the_target"});
  EXPECT_EQ(Of("D13.7-11", hit), Names{"from_EL0_counted_above"});
}

// K-VS-RES: VS = 11 filters the cycle counter and the instruction counter, too.
TEST(CoverageTest, ReservedVsOfTheCycleCounter) {
  const auto met = [](const char *as) {
    Watched watched(Params({{"K-VS-RES", as}}));
    pmuv3_cycle cycle = {};
    cycle.has_write = 1;
    cycle.write[0] = {PMUV3_PMCCNTR, false, 1};
    watched.Write(PMUV3_PMCCFILTR, PMUV3_MASK(PMCCFILTR, VS));
    watched.Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C));
    watched.Write(PMUV3_PMCR, 1);
    watched.Hit();
    watched.Cycle({}, cycle);
    return Of("collision", watched.Hit());
  };
  EXPECT_EQ(met("00"), Names{"PMCCNTR,System_register,event"});
  EXPECT_EQ(met("both"), Names{});
}

// PMICNTR may count what retired in another context, and nothing of the thread's state.
TEST(CoverageTest, InstructionsOfAnotherContext) {
  Watched watched(Params({}));
  pmuv3_pe el3 = PMUV3_PE_RESET;
  el3.el = 3;
  el3.ss = PMUV3_RT;
  watched.Write(PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, F0));
  watched.Write(PMUV3_PMCR, 1);
  watched.State(el3);
  watched.Hit();
  pmuv3_cycle cycle = {};
  cycle.other[0] = {1, PMUV3_NS, false};
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 2), Of(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_OTHER)},
                cycle);
  Names hit = watched.Hit();
  EXPECT_EQ(Of("RCSRMB", hit), Names{"EL3"});
  EXPECT_EQ(Of("CYC-6", hit), Names{});
  watched.Write(PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, SPME) | PMUV3_MASK(MDCR_EL3, MTPME));
  watched.Hit();
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 2)});
  hit = watched.Hit();
  EXPECT_EQ(Of("RCSRMB", hit), Names{"EL3_allowed"});
  EXPECT_EQ(Of("CYC-6", hit), Names{"several_instructions"});
}

// MT-SHARED-1: an Unattributable occurrence of a shared structure counts nowhere with MT = 0, so no
// choice about its state decides.
TEST(CoverageTest, UnattributableOfASharedStructure) {
  const auto hit = [](const pmuv3_params &params, pmuv3_event_number event, bool related = false) {
    Watched watched(params);
    Count(watched, PMUV3_MASK(PMEVTYPER, P) | PMUV3_MASK(PMEVTYPER, MT) | event);
    pmuv3_cycle cycle = {};
    cycle.other[0] = {3, PMUV3_RT, related};
    watched.Cycle({Of(event, 1, PMUV3_UNATTRIBUTABLE)}, cycle);
    return Of("K-UNATTR-FILTER", watched.Hit());
  };
  EXPECT_EQ(hit(Params({}), PMUV3_EVENT_L1D_CACHE), Names{"all"});
  EXPECT_EQ(hit(Params({}), PMUV3_EVENT_L1D_CACHE, true), Names{}); /* EL3 is prohibited */
  EXPECT_EQ(hit(Params({}), PMUV3_EVENT_L2D_CACHE), Names{});
  EXPECT_EQ(hit(Params({{"threads", "2"}}), PMUV3_EVENT_L2D_CACHE), Names{});
  EXPECT_EQ(hit(Params({{"threads", "2"}, {"K-SHARED-OTHER", "all"}}), PMUV3_EVENT_L2D_CACHE),
            Names{"all"});
}

// C.5/sum: both parts are in the sum. A large part alone is no sum.
TEST(CoverageTest, SumOfPartsThatCount) {
  const auto hit = [](pmuv3_event_number event, pmuv3_origin origin, uint8_t el) {
    Watched watched(Params({}));
    Count(watched, PMUV3_MASK(PMEVTYPER, U) | event);
    pmuv3_cycle cycle = {};
    cycle.other[0] = {el, PMUV3_NS, false};
    watched.Cycle({Of(event, 2), Of(event, 1, origin)}, cycle);
    return Of("C.5/sum", watched.Hit());
  };
  EXPECT_EQ(hit(PMUV3_EVENT_L1D_CACHE, PMUV3_OTHER, 1), Names{"of_two_contexts"});
  EXPECT_EQ(hit(PMUV3_EVENT_L1D_CACHE, PMUV3_OTHER, 0), Names{}); /* filtered */
  EXPECT_EQ(hit(PMUV3_EVENT_L1D_CACHE, PMUV3_UNATTRIBUTABLE, 1), Names{"of_two_classes"});
  EXPECT_EQ(hit(PMUV3_EVENT_L2D_CACHE, PMUV3_UNATTRIBUTABLE, 1), Names{}); /* MT-SHARED-1 */
}

// CHAIN-2: an overflow of 64 bits raises no CHAIN, with a next counter or without.
TEST(CoverageTest, NoNextCounter) {
  const auto hit = [](uint64_t pmcr, uint64_t value) {
    Watched watched(Params({{"counters", "1"}}));
    Count(watched);
    watched.Write(PMUV3_PMCR, PMUV3_MASK(PMCR, E) | pmcr);
    watched.Write(PMUV3_PMEVCNTR, value);
    watched.Hit();
    watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
    return Of("CHAIN-2", watched.Hit());
  };
  EXPECT_EQ(hit(0, UINT32_MAX), Names{"no_next_counter"});
  EXPECT_EQ(hit(PMUV3_MASK(PMCR, LP), UINT64_MAX), Names{});
}

// An Unattributable occurrence that never counts, beside one in another context that does.
TEST(CoverageTest, UnattributableBesideAnotherContext) {
  const auto hit = [](std::vector<pmuv3_occurrence> occurrences) {
    Watched watched(Params({}));
    Count(watched, PMUV3_EVENT_L2D_CACHE);
    pmuv3_cycle cycle = {};
    cycle.other[0] = {1, PMUV3_NS, false};
    watched.Cycle(occurrences, cycle);
    return Of("D13.4-T1", watched.Hit());
  };
  const pmuv3_occurrence other = Of(PMUV3_EVENT_L2D_CACHE, 1, PMUV3_OTHER);
  EXPECT_EQ(hit({other, Of(PMUV3_EVENT_L2D_CACHE, 1, PMUV3_UNATTRIBUTABLE)}), Names{});
  Watched watched(Params({}));
  Count(watched);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_UNATTRIBUTABLE)});
  EXPECT_EQ(Of("D13.4-T1", watched.Hit()), Names{"Unattributable"});
}

// A filtered instruction beside an Unattributable one that counts.
TEST(CoverageTest, AtRetirementWithAnException) {
  Watched watched(Params({{"K-UNATTR-FILTER", "none"}}));
  const std::vector<pmuv3_occurrence> occurrences = {
      Of(PMUV3_EVENT_INST_RETIRED, 1), Of(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_UNATTRIBUTABLE),
      Of(PMUV3_EVENT_EXC_TAKEN, 1)};
  Count(watched, PMUV3_MASK(PMEVTYPER, SYNC) | PMUV3_MASK(PMEVTYPER, U) | kRetired);
  watched.Cycle(occurrences);
  EXPECT_EQ(Of("D13.7-12", watched.Hit()), Names{"at_retirement_with_an_exception"});
  pmuv3_pe el0 = PMUV3_PE_RESET;
  el0.el = 0;
  watched.State(el0);
  watched.Cycle(occurrences);
  EXPECT_EQ(Of("D13.7-12", watched.Hit()), Names{});
}

// TH-CYCLE: VB = 0 of a stall that is not on all threads is no cycle without an occurrence.
TEST(CoverageTest, WithoutAnOccurrence) {
  const auto hit = [](uint64_t mt) {
    Watched watched(Params({{"threads", "2"}}));
    Count(watched,
          uint64_t{7} << 61 | uint64_t{1} << 32 | mt | PMUV3_EVENT_STALL_BACKEND); /* < 1 */
    watched.Cycle(mt ? std::vector<pmuv3_occurrence>{Of(PMUV3_EVENT_STALL_BACKEND, 1)}
                     : std::vector<pmuv3_occurrence>{});
    return Of("TH-CYCLE", watched.Hit());
  };
  EXPECT_EQ(hit(0), Names{"without_an_occurrence"});
  EXPECT_EQ(hit(PMUV3_MASK(PMEVTYPER, MT)), Names{});
}

// K-CHAIN-FILTER = ignore also allows a filtered counter to count.
TEST(CoverageTest, AllowedByAnOccurrence) {
  Watched watched(Params({{"K-CHAIN-FILTER", "ignore"}}));
  Count(watched);
  Count(watched, PMUV3_MASK(PMEVTYPER, P) | PMUV3_EVENT_CHAIN, 1);
  watched.Write(PMUV3_PMCNTENSET, 3);
  watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
  watched.Hit();
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  Names hit = watched.Hit();
  EXPECT_EQ(Of("K-CHAIN-FILTER", hit), Names{"ignore"});
  EXPECT_EQ(Of("C.5/allowed", hit), Names{});
  watched.Write(PMUV3_PMEVTYPER, PMUV3_MASK(PMEVTYPER, P) | kRetired);
  pmuv3_cycle cycle = {};
  cycle.other[0] = {0, PMUV3_NS, false};
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_OTHER)}, cycle);
  hit = watched.Hit();
  EXPECT_EQ(Of("C.5/allowed", hit).count("by_an_occurrence"), 1u);
}

// The flag of a counter in synchronous mode does not freeze BRBE. That of PMICNTR does.
TEST(CoverageTest, BrbeBesideASynchronousFlag) {
  Watched watched(Params({}));
  watched.Write(PMUV3_PMEVTYPER, PMUV3_MASK(PMEVTYPER, SYNC) | kRetired);
  watched.Write(PMUV3_PMOVSSET, PMUV3_MASK(PMOVSSET, F0) | 1);
  watched.Hit();
  watched.Cycle();
  EXPECT_EQ(Of("I-11", watched.Hit()),
            (Names{"instruction_counter_alone", "without_the_interrupt"}));
}

struct Profiled {
  uint64_t el3, el2, pmecr;  // PMEE; PMECR has KPME, too
  uint8_t el;
  bool tge, pm, halted;
  Names masked;
};

// The flag of counter 0 would make the exception, whose PMEE and state these are.
void Profile(Watched &watched, const pmuv3_params &params, const Profiled &profiled) {
  pmuv3_pe pe = PMUV3_PE_RESET;
  pe.el = profiled.el;
  pe.ss = PMUV3_NS;
  pe.tge = profiled.tge;
  pe.pm = profiled.pm;
  pe.halted = profiled.halted;
  watched.Write(PMUV3_MDCR_EL3, profiled.el3 << PMUV3_MDCR_EL3_PMEE_LSB);
  watched.Write(PMUV3_MDCR_EL2, profiled.el2 << PMUV3_MDCR_EL2_PMEE_LSB | params.counters);
  watched.Write(PMUV3_PMECR, profiled.pmecr);
  watched.Write(PMUV3_PMOVSSET, 1);
  watched.Write(PMUV3_PMINTENSET, 3);
  watched.Write(PMUV3_PMCR, 1);
  watched.State(pe);
  watched.Hit();
}

// RKBPMJ: what masks an exception decides only where nothing else masks it.
TEST(CoverageTest, ExceptionsMaskedByOneCause) {
  const pmuv3_params params = Params({});
  const Profiled all[] = {
      {1, 1, 7, 2, true, false, false, {"masked_at_EL2"}},
      {1, 1, 3, 2, true, false, false, {}},
      {1, 1, 7, 2, true, true, false, {}},
      {1, 1, 7, 2, true, false, true, {}},
      {1, 3, 4, 2, false, true, false, {"masked_at_the_target_PM"}},
      {1, 3, 0, 2, false, false, false, {"masked_at_the_target_KPME"}},
      {1, 3, 0, 2, false, true, false, {}},
      {1, 3, 0, 2, false, false, true, {}},
      {1, 3, 4, 2, false, false, true, {"masked_in_Debug_state"}},
      {3, 0, 0, 1, false, true, true, {"masked_in_Debug_state"}},
      {1, 1, 3, 2, false, true, false, {"masked_above_the_target"}},
      {1, 1, 3, 2, false, true, true, {}},
      {1, 3, 4, 2, false, false, false, {}},
  };
  for (const Profiled &profiled : all) {
    Watched watched(params);
    Profile(watched, params, profiled);
    watched.Cycle();
    Names masked;
    for (const std::string &name : Of("RGWLVY,RSCBDZ,RKBPMJ", watched.Hit()))
      if (name.rfind("masked", 0) == 0) masked.insert(name);
    EXPECT_EQ(masked, profiled.masked) << &profiled - all;
    // Nor does a mask decide about a flag that makes no exception anyway.
    watched.Write(PMUV3_PMEVTYPER, PMUV3_MASK(PMEVTYPER, SYNC) | kRetired);
    watched.Cycle();
    for (const std::string &name : Of("RGWLVY,RSCBDZ,RKBPMJ", watched.Hit()))
      EXPECT_NE(name.rfind("masked", 0), 0u) << &profiled - all;
  }
}

// RNZLVW, RSSVKV, IVQXCB: what keeps a flag from an exception decides only where there is none.
TEST(CoverageTest, NoExceptionWithoutAMask) {
  const pmuv3_params params = Params({});
  constexpr uint64_t kSync = PMUV3_MASK(PMEVTYPER, SYNC);
  Watched watched(params);
  Profile(watched, params, {3, 0, 0, 1, false, false, false, {}});
  const auto bins = [&watched] {
    watched.Cycle();
    const Names hit = watched.Hit();
    Names of_rules;
    for (const char *name : {"RNZLVW", "RSSVKV", "IVQXCB"})
      for (const std::string &bin : Of(name, hit)) of_rules.insert(bin);
    return of_rules;
  };
  watched.Write(PMUV3_PMEVTYPER, kSync | kRetired);
  EXPECT_EQ(bins(), Names{"counter_disabled"});
  watched.Write(PMUV3_PMOVSSET, 2);  // another flag makes the exception
  EXPECT_EQ(bins(), Names{});
  watched.Write(PMUV3_PMOVSCLR, 2);
  watched.Write(PMUV3_PMEVTYPER, kSync | PMUV3_EVENT_CPU_CYCLES);
  EXPECT_EQ(bins(), Names{});  // neither enabled nor synchronous
  watched.Write(PMUV3_PMCNTENSET, 1);
  EXPECT_EQ(bins(), Names{"event_is_not_synchronous"});
  watched.Write(PMUV3_PMCR, 0);
  EXPECT_EQ(bins(), Names{});
  watched.Write(PMUV3_PMEVTYPER, kRetired);
  EXPECT_EQ(bins(), Names{"exception"});
  pmuv3_pe halted = PMUV3_PE_RESET;
  halted.halted = true;
  watched.State(halted);
  EXPECT_EQ(bins(), Names{});
}

// In Debug state the even counter of a pair does not count, whatever its filter is.
TEST(CoverageTest, LinkedInDebugState) {
  Watched watched(Params({{"K-UNATTR-DEBUG", "all"}}));
  pmuv3_pe halted = PMUV3_PE_RESET;
  halted.halted = true;
  Count(watched);
  Count(watched, uint64_t{1} << 54 | PMUV3_EVENT_L1D_CACHE, 1);
  watched.State(halted);
  watched.Cycle({Of(PMUV3_EVENT_L1D_CACHE, 1, PMUV3_UNATTRIBUTABLE)});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("D13-5/C", hit), Names{"true"});
  EXPECT_EQ(Of("pair", hit), Names{});
}

// Where counting is prohibited, no filter decides.
TEST(CoverageTest, ReservedVs) {
  Watched watched(Params({}));
  Count(watched, PMUV3_MASK(PMEVTYPER, VS) | kRetired);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  EXPECT_EQ(Of("K-VS-RES", watched.Hit()), Names{"00"});
  pmuv3_pe secure = PMUV3_PE_RESET;
  secure.ss = PMUV3_S;
  watched.State(secure);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
  EXPECT_EQ(Of("K-VS-RES", watched.Hit()), Names{});
}

// Choices that do not need siblings.
TEST(CoverageTest, ChoicesOfOneThread) {
  Watched watched(Params({}));
  Count(watched, PMUV3_EVENT_STALL_BACKEND);
  pmuv3_pe idle = PMUV3_PE_RESET;
  idle.active = false;
  watched.State(idle);
  watched.Cycle({Of(PMUV3_EVENT_STALL_BACKEND, 1)});
  EXPECT_EQ(Of("K-STALL-CYCLES", watched.Hit()), Names{"presented"});
}

TEST(CoverageTest, SiblingCounted) {
  Watched watched(Params({{"threads", "2"}}));
  Count(watched, uint64_t{1} << 25 | kRetired);
  pmuv3_occurrence sibling = Of(PMUV3_EVENT_INST_RETIRED, 4);
  sibling.thread = 1;
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 3), sibling});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("D13.6-1", hit), Names{"self_and_sibling"});
  EXPECT_EQ(Of("thread_and_sibling", hit), Names{"NS_EL1,sibling_NS_EL1"});
  EXPECT_EQ(Of("threads", hit), Names{"2_threads,2_running,0_halted,0_in_WFx"});
}

pmuv3_occurrence On(unsigned thread, pmuv3_event_number event, unsigned count = 1) {
  pmuv3_occurrence occurrence = Of(event, count);
  occurrence.thread = static_cast<uint8_t>(thread);
  return occurrence;
}

// Bins of D14.4 in a cycle of two threads at these Exception levels. Counter 0 of the first counts
// the event with MT = 1, and not at EL0.
Names OfGroup(pmuv3_event_number event, std::pair<unsigned, unsigned> els,
              const std::vector<pmuv3_occurrence> &occurrences, bool wfx = false) {
  Watched watched(Params({{"threads", "2"}}));
  for (unsigned t = 0; t < 2; t++) {
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.el = static_cast<uint8_t>(t == 0 ? els.first : els.second);
    pe.wfx = wfx;
    watched.State(pe, t);
  }
  Count(watched, PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, MT) | event);
  watched.Cycle(occurrences);
  const Names hit = watched.Hit();
  Names of;
  for (const char *rule : {"D14.4-d", "D14.4-e", "D14.4-f"}) of.merge(Of(rule, hit));
  return of;
}

// The value 0 of a group's event says neither that a thread lacks the event nor why.
TEST(CoverageTest, StallsOfThreadsThatMayCount) {
  const std::vector<pmuv3_occurrence> one = {On(0, PMUV3_EVENT_STALL_BACKEND)},
                                      both = {On(0, PMUV3_EVENT_STALL_BACKEND),
                                              On(1, PMUV3_EVENT_STALL_BACKEND)};
  const auto hit = [](std::pair<unsigned, unsigned> els,
                      const std::vector<pmuv3_occurrence> &occurrences, bool wfx = false) {
    return OfGroup(PMUV3_EVENT_STALL_BACKEND, els, occurrences, wfx);
  };
  EXPECT_EQ(hit({1, 1}, one), Names{"stall_on_some"});
  EXPECT_EQ(hit({1, 1}, both), Names{"stall_on_all"});
  EXPECT_EQ(hit({0, 0}, both), Names{});
  EXPECT_EQ(hit({1, 0}, one), Names{}); /* thread 1 is not asked */
  EXPECT_EQ(hit({1, 1}, both, true), Names{"all_in_WFx"});
}

TEST(CoverageTest, SecondConditionsOfThreadsThatMayCount) {
  const auto hit = [](std::pair<unsigned, unsigned> els,
                      const std::vector<pmuv3_occurrence> &occurrences) {
    return OfGroup(PMUV3_EVENT_STALL_BACKEND_MEM, els, occurrences);
  };
  const pmuv3_occurrence second = On(0, PMUV3_EVENT_STALL_BACKEND_MEM);
  EXPECT_EQ(hit({1, 1}, {second}), Names{"second_without_stall_on_all"});
  EXPECT_EQ(hit({0, 0}, {second}), Names{});
  EXPECT_EQ(
      hit({1, 1}, {second, On(0, PMUV3_EVENT_STALL_BACKEND), On(1, PMUV3_EVENT_STALL_BACKEND)}),
      Names{"second_on_any"});
}

TEST(CoverageTest, ConditionsOfThreadsThatMayCount) {
  const std::vector<pmuv3_occurrence> both = {On(0, PMUV3_EVENT_BUS_CYCLES),
                                              On(1, PMUV3_EVENT_BUS_CYCLES)};
  EXPECT_EQ(OfGroup(PMUV3_EVENT_BUS_CYCLES, {1, 1}, both), Names{"on_several"});
  EXPECT_EQ(OfGroup(PMUV3_EVENT_BUS_CYCLES, {0, 1}, both), Names{"on_one"});
}

TEST(CoverageTest, SlotsOfThreadsThatMayCount) {
  const auto hit = [](std::pair<unsigned, unsigned> els,
                      const std::vector<pmuv3_occurrence> &occurrences) {
    return OfGroup(PMUV3_EVENT_STALL_SLOT, els, occurrences);
  };
  const pmuv3_occurrence few = On(0, PMUV3_EVENT_STALL_SLOT, 3);
  EXPECT_EQ(hit({1, 1}, {few}), Names{"slots_some_thread_uses"});
  EXPECT_EQ(hit({0, 0}, {few}), Names{});
  EXPECT_EQ(hit({1, 1}, {few, On(1, PMUV3_EVENT_STALL_SLOT, 8)}), Names{"slots_no_thread_uses"});
}

// A filtered thread counts where a sibling may, and not because of its own other context.
TEST(CoverageTest, AllowedByASibling) {
  pmuv3_pe el0 = PMUV3_PE_RESET;
  el0.el = 0;
  pmuv3_cycle cycle = {};
  cycle.other[0] = {1, PMUV3_NS, false};
  Watched watched(Params({{"threads", "2"}}));
  watched.State(el0);
  Count(watched, PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, MT) | kRetired);
  watched.Cycle();
  EXPECT_EQ(Of("C.5/allowed", watched.Hit()), Names{"by_a_sibling"});
  watched.State(el0, 1);
  watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_OTHER)}, cycle);
  EXPECT_EQ(Of("C.5/allowed", watched.Hit()), Names{});
}

TEST(CoverageTest, AccessesAsTheyEnd) {
  Watched watched(Params({{"counters", "4"}}));
  watched.Write(PMUV3_MDCR_EL2, 2); /* HPMN */
  watched.Hit();
  pmuv3_side_msr(watched.side(), 0, PMUV3_PMEVCNTRn(1), 0);
  EXPECT_EQ(Of("D13-11", watched.Hit()), Names{"R1,EL1,EL2_on,done"});
  pmuv3_side_msr(watched.side(), 0, PMUV3_PMEVCNTRn(2), 0);
  EXPECT_EQ(Of("D13-11", watched.Hit()), Names{"R2,EL1,EL2_on,refused"});
  uint64_t value;
  pmuv3_side_mrs(watched.side(), 0, PMUV3_PMCR, &value);
  EXPECT_EQ(Of("RNNBYQ", watched.Hit()), Names{"guest"});
}

// A refused write in the clock of an overflow does not collide. Bits of counters out of reach do
// not collide either.
TEST(CoverageTest, CollisionsOfRefusedWritesAreNone) {
  pmuv3_cycle checked = {}, external = {};
  checked.has_write = 1;
  checked.write[0] = {PMUV3_PMOVSCLR, true, 1};
  external.has_external = true;
  external.external = {0, PMUV3_RT, 0xC80, 1};
  const auto collisions = [](const pmuv3_pe &pe, const pmuv3_cycle &cycle, uint64_t pmuserenr) {
    Watched watched(Params({{"counters", "4"}, {"features", "RME,PMUv3p9,EXT64"}}));
    Count(watched);
    watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
    watched.Write(PMUV3_PMUSERENR, pmuserenr);
    watched.State(pe);
    watched.Hit();
    watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)}, cycle);
    return Of("collision", watched.Hit());
  };
  pmuv3_pe el1 = PMUV3_PE_RESET, el0 = PMUV3_PE_RESET, locked = PMUV3_PE_RESET;
  el0.el = 0;
  locked.dlk = true;
  EXPECT_EQ(collisions(el1, checked, 0),
            (Names{"PMOVSCLR,checked,event", "PMOVSCLR,checked,overflow"}));
  EXPECT_EQ(collisions(el0, checked, 0), Names{});
  EXPECT_EQ(collisions(el0, checked, 0x10), Names{}); /* UEN, and PMUACR = 0 */
  EXPECT_EQ(collisions(el1, external, 0),
            (Names{"PMOVSCLR,external,event", "PMOVSCLR,external,overflow"}));
  EXPECT_EQ(collisions(locked, external, 0), Names{});
}

// The management registers, which nothing blocks, hit no bin.
TEST(CoverageTest, DoubleLock) {
  constexpr uint16_t kPmcntenset = 0xC00, kPmlar = 0xFB0;
  const auto hit = [](bool dlk, bool halted, uint16_t offset) {
    Watched watched(Params({{"features", "EXT32"}}));
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.dlk = dlk;
    pe.halted = halted;
    watched.State(pe);
    pmuv3_side_external_write(watched.side(), 0, PMUV3_S, offset, 1);
    return Of("I3-1/DLK", watched.Hit());
  };
  EXPECT_EQ(hit(true, false, kPmcntenset), Names{"blocked"});
  EXPECT_EQ(hit(true, true, kPmcntenset), Names{"Debug_state"});
  EXPECT_EQ(hit(false, true, kPmcntenset), Names{});
  EXPECT_EQ(hit(true, false, kPmlar), Names{});
  EXPECT_EQ(hit(true, true, kPmlar), Names{});
}

TEST(CoverageTest, ACheckedIncrementInTheClock) {
  Watched watched(Params({}));
  pmuv3_cycle cycle = {};
  cycle.has_write = 1;
  cycle.write[0] = {PMUV3_PMSWINC, true, 1};
  Count(watched, 0);
  watched.Cycle({}, cycle);
  EXPECT_EQ(Of("D13.7-14", watched.Hit()), Names{"counted"});
  pmuv3_pe el0 = PMUV3_PE_RESET;
  el0.el = 0;
  watched.State(el0);
  watched.Cycle({}, cycle);
  EXPECT_EQ(Of("D13.7-14", watched.Hit()), Names{"none_written"});
}

// An access that is refused for another reason does not hit the rule's bins.
TEST(CoverageTest, RefusedByTheRange) {
  constexpr uint64_t kTpm = 1 << 6;
  const auto refused = [](uint64_t mdcr_el2, unsigned counter, unsigned el) {
    Watched watched(Params({{"counters", "4"}}));
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.el = static_cast<uint8_t>(el);
    watched.Write(PMUV3_MDCR_EL2, mdcr_el2);
    watched.State(pe);
    watched.Hit();
    pmuv3_side_msr(watched.side(), 0, static_cast<uint16_t>(PMUV3_PMEVCNTRn(counter)), 0);
    Names hit = watched.Hit(), of;
    for (const char *coverpoint : {"D13-11", "D13-11/R2-on", "D13-11/none", "ISBQGJ", "RSRPKH"})
      for (const std::string &bin : Of(coverpoint, hit))
        of.insert(std::string(coverpoint) + "." + bin);
    return of;
  };
  EXPECT_EQ(refused(2, 2, 1), (Names{"D13-11.R2,EL1,EL2_on,refused", "D13-11/R2-on.EL1",
                                     "ISBQGJ.R2_from_EL1_refused", "RSRPKH.of_EL2"}));
  EXPECT_EQ(refused(2 | kTpm, 2, 1), Names{});
  EXPECT_EQ(refused(2, 2, 0), Names{}); /* EL0 without EN */
  EXPECT_EQ(refused(4, 5, 1), (Names{"D13-11.not_implemented,EL1,EL2_on,refused",
                                     "D13-11/none.not_implemented", "RSRPKH.not_implemented"}));
  EXPECT_EQ(refused(4 | kTpm, 5, 1), Names{});
  EXPECT_EQ(refused(4, 5, 0), Names{});
}

TEST(CoverageTest, RefusedByPMUSERENR) {
  const auto refused = [](uint64_t mdcr_el2, uint64_t pmuserenr, uint16_t reg) {
    Watched watched(Params({{"counters", "4"}}));
    pmuv3_pe el0 = PMUV3_PE_RESET;
    el0.el = 0;
    watched.Write(PMUV3_MDCR_EL2, mdcr_el2);
    watched.Write(PMUV3_PMUSERENR, pmuserenr);
    watched.State(el0);
    watched.Hit();
    pmuv3_side_msr(watched.side(), 0, reg, 0);
    const Names hit = watched.Hit();
    Names of = Of("D13-12", hit);
    of.merge(Of("IDXSHB,IKPPZZ", hit));
    return of;
  };
  constexpr uint64_t kTpm = 1 << 6, kHpmn = 4, kEr = 8, kUen = 16;
  EXPECT_EQ(refused(kHpmn, 0, PMUV3_PMEVCNTR), Names{"EN_0"});
  EXPECT_EQ(refused(kHpmn, kEr, PMUV3_PMEVCNTR), (Names{"EN_0", "ER_does_not_write"}));
  EXPECT_EQ(refused(kHpmn | kTpm, kEr, PMUV3_PMEVCNTR), Names{});
  EXPECT_EQ(refused(kHpmn, kUen, PMUV3_PMCR), Names{"PMCR_with_UEN"});
  EXPECT_EQ(refused(kHpmn | kTpm, kUen, PMUV3_PMCR), Names{});
}

// A fine-grained trap of another register, or of the other direction, decides nothing.
TEST(CoverageTest, TrapsOfAnotherRegister) {
  constexpr uint64_t kTpm = 1 << 6, kEn = 1;
  constexpr uint64_t kOther = PMUV3_FGT_MASK(PMSELR_WRITE), kOwn = PMUV3_FGT_MASK(PMCCNTR_WRITE);
  const auto hits = [](pmuv3_pe pe, uint64_t fgt, uint16_t reg, uint64_t pmuserenr,
                       uint64_t mdcr_el2 = 4) {
    Watched watched(Params({{"counters", "4"}, {"features", "ICNTR"}}));
    pe.fgt = fgt;
    watched.Write(PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, EnPM2));
    watched.Write(PMUV3_MDCR_EL2, mdcr_el2);
    watched.Write(PMUV3_PMUSERENR, pmuserenr);
    watched.State(pe);
    watched.Hit();
    pmuv3_side_msr(watched.side(), 0, reg, 0);
    const Names hit = watched.Hit();
    Names of = Of("I-3", hit);
    of.merge(Of("IFZHQW,IGZYQM,IMVYJY", hit));
    return of;
  };
  pmuv3_pe el0 = PMUV3_PE_RESET, host = PMUV3_PE_RESET, el1 = PMUV3_PE_RESET;
  el0.el = host.el = 0;
  host.e2h = host.tge = true;
  EXPECT_EQ(hits(host, kOther, PMUV3_PMCCNTR, kEn), Names{});
  EXPECT_EQ(hits(host, kOwn, PMUV3_PMCCNTR, kEn), Names{"not_finely_trapped_host"});
  EXPECT_EQ(hits(host, PMUV3_FGT_MASK(PMCCNTR_READ), PMUV3_PMCCNTR, kEn), Names{});

  EXPECT_EQ(hits(el0, kOther, PMUV3_PMCCNTR, 0), Names{});
  EXPECT_EQ(hits(el0, kOwn, PMUV3_PMCCNTR, 0), Names{"PMUSERENR_before_EL2"});

  const Names trapped = {"trapped_to_EL2"};
  EXPECT_EQ(hits(el1, kOther, PMUV3_PMICNTR, 0, 4 | kTpm), trapped);
  EXPECT_EQ(hits(el1, PMUV3_FGT_MASK(PMICNTR_WRITE), PMUV3_PMICNTR, 0),
            (Names{"trapped_to_EL2", "finely_trapped", "finely_trapped_PMICNTR_WRITE"}));

  pmuv3_pe aa32 = el1;
  aa32.aa32 = aa32.a32el1 = true;
  EXPECT_EQ(hits(aa32, kOther, PMUV3_PMCCNTR_AA32, 0), Names{});
  EXPECT_EQ(hits(aa32, kOwn, PMUV3_PMCCNTR_AA32, 0), Names{"not_finely_trapped_EL1_in_AArch32"});
}

// The bins that a read hits by the order in which EL2, EL3 and SDD refuse it.
Names Order(const pmuv3_pe &pe, uint64_t mdcr_el2, uint64_t mdcr_el3, uint16_t reg,
            const char *features = "SS,PMUv3p9") {
  Watched watched(Params({{"features", features}}));
  watched.Write(PMUV3_MDCR_EL2, mdcr_el2);
  watched.Write(PMUV3_MDCR_EL3, mdcr_el3);
  watched.State(pe);
  watched.Hit();
  uint64_t value;
  pmuv3_side_mrs(watched.side(), 0, reg, &value);
  const Names hit = watched.Hit();
  Names of = Of("I-9", hit);
  of.merge(Of("K-SDD-PRIORITY", hit));
  if (hit.count("I-3.EL2_before_EL3")) of.insert("EL2_before_EL3");
  return of;
}

constexpr uint64_t kTpm2 = PMUV3_MASK(MDCR_EL2, TPM), kTpm3 = PMUV3_MASK(MDCR_EL3, TPM),
                   kEnPm2 = PMUV3_MASK(MDCR_EL3, EnPM2), kEnPmss = PMUV3_MASK(MDCR_EL3, EnPMSS);

// The order of EL2 and EL3 decides only if both would trap the access. NV and SDCR are of one
// level.
TEST(CoverageTest, EL2BeforeEL3) {
  pmuv3_pe el1 = PMUV3_PE_RESET, nv = PMUV3_PE_RESET, fine = PMUV3_PE_RESET, sdcr = PMUV3_PE_RESET;
  nv.nv = true;
  fine.fgt = PMUV3_FGT_MASK(PMSSCR_READ);
  sdcr.ss = PMUV3_S;
  sdcr.eel2 = sdcr.aa32 = sdcr.a32el1 = true;
  const Names decides = {"EL2_before_EL3"};
  EXPECT_EQ(Order(el1, kTpm2, kTpm3, PMUV3_PMCCNTR), decides);
  EXPECT_EQ(Order(el1, kTpm2, 0, PMUV3_PMCCNTR), Names{});
  EXPECT_EQ(Order(el1, 0, kTpm3, PMUV3_PMCCNTR), Names{});
  EXPECT_EQ(Order(nv, kTpm2, kTpm3, PMUV3_MDCR_EL2), Names{});
  EXPECT_EQ(Order(fine, kTpm2, kTpm3 | kEnPmss, PMUV3_PMSSCR), Names{});
  EXPECT_EQ(Order(fine, kTpm2, kTpm3, PMUV3_PMSSCR), decides);
  EXPECT_EQ(Order(sdcr, kTpm2, kTpm3, PMUV3_SDCR, "SEL2"), Names{});
}

// The order of EL2 and SDD decides only if EL3 would trap the access.
TEST(CoverageTest, EL2BeforeSDD) {
  pmuv3_pe el1 = PMUV3_PE_RESET;
  el1.halted = el1.sdd = true;
  pmuv3_pe nv = el1, fine = el1;
  nv.nv = true;
  fine.fgt = PMUV3_FGT_MASK(PMSSCR_READ);
  const Names late = {"EL2_before_EL3", "late"};
  EXPECT_EQ(Order(el1, kTpm2, kTpm3, PMUV3_PMCCNTR), late);
  EXPECT_EQ(Order(el1, kTpm2, 0, PMUV3_PMCCNTR), Names{});
  EXPECT_EQ(Order(nv, kTpm2, kTpm3, PMUV3_MDCR_EL2), Names{});
  EXPECT_EQ(Order(fine, kTpm2, kTpm3 | kEnPmss, PMUV3_PMSSCR), Names{});
  EXPECT_EQ(Order(fine, kTpm2, kTpm3, PMUV3_PMSSCR), late);
}

// What SDD makes UNDEFINED, by the field of MDCR_EL3 that would trap the access.
TEST(CoverageTest, UndefinedBySDD) {
  pmuv3_pe el1 = PMUV3_PE_RESET;
  el1.halted = el1.sdd = true;
  EXPECT_EQ(Order(el1, 0, kTpm3, PMUV3_PMCCNTR), Names{"TPM"});
  EXPECT_EQ(Order(el1, 0, kTpm3, PMUV3_PMSSCR), Names{"EnPMSS"});
  EXPECT_EQ(Order(el1, 0, kTpm3 | kEnPmss, PMUV3_PMSSCR), Names{});
  EXPECT_EQ(Order(el1, 0, 0, PMUV3_PMUACR), Names{"EnPM2"});
  EXPECT_EQ(Order(el1, 0, kTpm3 | kEnPm2, PMUV3_PMUACR), Names{"TPM"});
  EXPECT_EQ(Order(el1, 0, kTpm3, PMUV3_PMUACR), Names{}); /* either field alone would trap it */
}

TEST(CoverageTest, IncrementsOfASiblingAlone) {
  Watched watched(Params({{"threads", "2"}}));
  Count(watched, uint64_t{1} << 25);
  pmuv3_side_write(watched.side(), 1, PMUV3_PMSWINC, 1);
  watched.Cycle();
  EXPECT_EQ(Of("MT-SWINCR", watched.Hit()), Names{"of_a_sibling"});
  pmuv3_side_write(watched.side(), 1, PMUV3_PMSWINC, 1);
  watched.Write(PMUV3_PMSWINC, 1);
  watched.Cycle();
  EXPECT_EQ(Of("MT-SWINCR", watched.Hit()), Names{"of_both"});
}

// Two increments of the thread are not one of each.
TEST(CoverageTest, IncrementsBesideThoseOfAFilteredSibling) {
  Watched watched(Params({{"threads", "2"}}));
  pmuv3_pe el0 = PMUV3_PE_RESET;
  el0.el = 0;
  watched.State(el0, 1);
  Count(watched, PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, MT));
  for (unsigned thread : {0u, 0u, 1u}) pmuv3_side_write(watched.side(), thread, PMUV3_PMSWINC, 1);
  watched.Cycle();
  EXPECT_EQ(Of("MT-SWINCR", watched.Hit()), Names{});
}

// CHAIN ignores MT. With MT disabled, this cannot be observed.
TEST(CoverageTest, ChainWithMt) {
  Watched watched(Params({{"threads", "2"}}));
  Count(watched);
  Count(watched, uint64_t{1} << 25 | 0x001E, 1);
  watched.Write(PMUV3_PMCNTENSET, 3);
  const auto overflow = [&] {
    watched.Write(PMUV3_PMEVCNTR, UINT32_MAX);
    watched.Hit();
    watched.Cycle({Of(PMUV3_EVENT_INST_RETIRED, 1)});
    return Of("MT-CHAIN", watched.Hit());
  };
  EXPECT_EQ(overflow(), Names{"own_overflows"});
  watched.Write(PMUV3_MDCR_EL3, 0); /* MTPME */
  EXPECT_EQ(overflow(), Names{});
}

TEST(CoverageTest, AThreadInDebugStateIsNotAwake) {
  Watched watched(Params({{"threads", "2"}}));
  Count(watched, uint64_t{1} << 25 | 0x0011); /* CPU_CYCLES */
  watched.Cycle();
  EXPECT_EQ(Of("D14.4-c", watched.Hit()), Names{"some_awake"});
  pmuv3_pe halted = PMUV3_PE_RESET;
  halted.halted = true;
  watched.State(halted, 1);
  watched.Cycle();
  EXPECT_EQ(Of("D14.4-c", watched.Hit()), Names{});
}

// I-2: LC = 0 and D = 1 are written in vain.
TEST(CoverageTest, WithoutAArch32) {
  for (const char *aa32 : {"none", "el0"}) {
    Watched watched(Params({{"aa32", aa32}}));
    watched.Hit();
    watched.Write(PMUV3_PMCR, PMUV3_MASK(PMCR, D));
    EXPECT_EQ(Of("I-2", watched.Hit()), (std::string(aa32) == "none")
                                            ? (Names{"no_AArch32_D_RES0", "no_AArch32_LC_RES1"})
                                            : Names{});
  }
}

TEST(CoverageTest, NothingAfterADivergence) {
  const pmuv3_params params = Params({}), other = Params({{"K-RESTC", "b"}});
  std::vector<uint64_t> hits(pmuv3_coverage_num_bins());
  pmuv3_side *wrong = pmuv3_side_cmodel(&other);
  wrong->params = params;
  pmuv3_side *side = pmuv3_side_lockstep(pmuv3_side_cmodel(&params), wrong);
  pmuv3_collector *collector = pmuv3_collector_create(&params, hits.data());
  pmuv3_side_write(side, 0, PMUV3_PMEVTYPER, uint64_t{1} << 60 | uint64_t{2} << 32 | kRetired);
  pmuv3_side_write(side, 0, PMUV3_PMCNTENSET, 1);
  pmuv3_side_write(side, 0, PMUV3_PMCR, 1);
  pmuv3_lockstep_observe(side, collector);
  const pmuv3_occurrence occurrence = Of(PMUV3_EVENT_INST_RETIRED, 2);
  pmuv3_cycle cycle = {};
  pmuv3_side_cycle(side, &cycle);
  const std::vector<uint64_t> before = hits;
  cycle.occurrences = &occurrence;
  cycle.num_occurrences = 1;
  for (int i = 0; i < 4; i++) pmuv3_side_cycle(side, &cycle);
  EXPECT_NE(pmuv3_lockstep_divergence(side), nullptr);
  EXPECT_EQ(hits, before);
  pmuv3_side_destroy(side);
  pmuv3_collector_destroy(collector);
}

// ---- Unreachable bins ----

size_t BinOf(const std::string &name) {
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++)
    if (name == pmuv3_coverage_name(bin)) return bin;
  ADD_FAILURE() << name;
  return 0;
}

TEST(CoverageTest, UnreachableByParameters) {
  const pmuv3_params all = Params({{"threads", "2"}}), none = Params({{"features", "none"}});
  for (const char *name :
       {"D13.6-1.self_and_sibling", "RHXHZC.TLC_01",
        "threshold.TC=001,TE=0,TLC=01,odd,CT=1,CE=1,CP=0", "comparison.not_equal,VB=TH,TH=0",
        "filter-event_counter.RL_EL0,RLU,1,counts"}) {
    EXPECT_EQ(pmuv3_coverage_unreachable(BinOf(name), &all), nullptr) << name;
    EXPECT_NE(pmuv3_coverage_unreachable(BinOf(name), &none), nullptr) << name;
  }
}

TEST(CoverageTest, UnreachableWithoutSlots) {
  const pmuv3_params some = Params({{"threads", "2"}});
  const pmuv3_params none = Params({{"threads", "2"}, {"slots", "0"}});
  const size_t bin = BinOf("D14.4-f.slots_some_thread_uses");
  EXPECT_TRUE(pmuv3_coverage_reachable(bin, &some));
  EXPECT_FALSE(pmuv3_coverage_reachable(bin, &none));
}

TEST(CoverageTest, UnreachableByTheRules) {
  const pmuv3_params all = Params({});
  for (const char *name : {"threshold.TC=001,TE=0,TLC=00,even,CT=1,CE=0,CP=0", /* C.2 */
                           "filter-event_counter.S_EL0,U,1,counts",            /* D.2 */
                           "prohibition-event_counter.R1,SPME=1,MPMX=0,HPMD=1,NS_EL2,counts",
                           "event.COUNT,CORE,debugger,counts"})
    EXPECT_NE(pmuv3_coverage_unreachable(BinOf(name), &all), nullptr) << name;
}

// I-12: under an EL3 in AArch32 there is no Secure EL1.
TEST(CoverageTest, NoSecureEl1UnderAnEl3InAArch32) {
  const pmuv3_params all = Params({}), aa32 = Params({{"aa64", "0"}});
  for (const std::string cross :
       {"filter-event_counter.%,P,0,counts", "filter-cycle_counter.%,P,0,counts",
        "prohibition-event_counter.R1,SPME=1,MPMX=0,HPMD=0,%,counts",
        "prohibition-cycle_counter.DP=0,SCCD=0,HCCD=0,MCCD=0,%,counts"}) {
    const size_t at = cross.find('%');
    const std::string secure = std::string(cross).replace(at, 1, "S_EL1");
    const std::string non_secure = std::string(cross).replace(at, 1, "NS_EL1");
    EXPECT_TRUE(pmuv3_coverage_reachable(BinOf(secure), &all)) << secure;
    EXPECT_FALSE(pmuv3_coverage_reachable(BinOf(secure), &aa32)) << secure;
    EXPECT_TRUE(pmuv3_coverage_reachable(BinOf(non_secure), &aa32)) << non_secure;
  }
}

// I-13: bins of events follow from the set.
TEST(CoverageTest, UnreachableByTheSet) {
  pmuv3_params all = Params({}), few = Params({{"features", "PMUv3p1"}});
  few.events = pmuv3_events_smallest();
  const pmuv3_event imp = {0xC0C0, PMUV3_EVENT_CLASS_SLOTS, PMUV3_EVENT_ATTRIBUTION_SHARED, 0, 9};
  ASSERT_EQ(pmuv3_events_add(&few.events, imp), nullptr);
  const struct {
    const char *name;
    bool in_all, in_few;
  } cases[] = {
      {"event_counted.SW_INCR", true, true},
      {"event_counted.L1D_CACHE", true, false},
      {"event_row_counted.row_3", true, false}, /* L1D_CACHE_REFILL; PMU_SNAPSHOT */
      {"event_row_counted.row_4", true, true},  /* L1D_CACHE; 0xC0C0 */
      {"event_row_counted.row_5", true, false},
      {"event_row_counted.row_255", false, false},
      {"event.COUNT,MEMORY,Unattributable,counts", true, false},
      {"event.SLOTS,SHARED,current,counts", false, true},
      {"event.SLOTS,SHARED,other_context,counts", false, false},
      {"B.3.1/EXC_TAKEN.counted_at_the_source,filtered_at_the_target", true, false},
      {"D13.4-9.bus_access_of_another_agent", true, false},
      {"event.COUNT,OWN,Unattributable,does_not_count", true, false},
      {"event.COUNT,OWN,Unattributable,counts", false, false},
      {"D13.4-9.OWN_MT_0_Unattributable", true, false},
      {"K-UNATTR-FILTER.all", true, false},
      {"K-UNATTR-DEBUG.none", true, false},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(pmuv3_coverage_reachable(BinOf(c.name), &all), c.in_all) << c.name;
    EXPECT_EQ(pmuv3_coverage_reachable(BinOf(c.name), &few), c.in_few) << c.name;
  }
}

// I-14: only captures make PMU_SNAPSHOT.
TEST(CoverageTest, NoPmuSnapshotWithoutSnapshots) {
  const pmuv3_params with = Params({{"features", "SS"}}), without = Params({});
  const size_t bin = BinOf("event_counted.PMU_SNAPSHOT");
  EXPECT_TRUE(pmuv3_coverage_reachable(bin, &with));
  EXPECT_FALSE(pmuv3_coverage_reachable(bin, &without));
}

// An event of the set counts in its row; one that events.def does not have has no other bin.
TEST(CoverageTest, CountedRow) {
  pmuv3_params params = Params({});
  const pmuv3_event imp = {0x00C5, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 9};
  ASSERT_EQ(pmuv3_events_add(&params.events, imp), nullptr);
  const unsigned row = pmuv3_events_index(&params.events, 0x00C5);
  Watched watched(params);
  Count(watched);
  watched.Write(PMUV3_PMEVTYPERn(0), 0x00C5);
  watched.Hit();
  watched.Cycle({{0x00C5, 3, 0, PMUV3_CURRENT}});
  const Names hit = watched.Hit();
  EXPECT_EQ(Of("event_counted", hit), Names{});
  EXPECT_EQ(Of("event_row_counted", hit), Names{"row_" + std::to_string(row)});
}

// Some implementation can reach every bin, or the rules exclude the bin in all implementations.
TEST(CoverageTest, EveryRuleBinIsReachableSomewhere) {
  const std::vector<pmuv3_params> params = {
      Params({{"counters", "7"},
              {"threads", "2"},
              {"features", "TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,SS,DPFZS,EXTPMN"}}),
      Params({{"counters", "4"},
              {"threads", "2"},
              {"features", "TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,SPE,EXTPMN,EXT32"},
              {"th_width", "4"}}),
      Params({{"counters", "4"}, {"threads", "2"}, {"el3", "0"}}),
      Params(
          {{"counters", "4"}, {"threads", "2"}, {"el2", "0"}, {"features", "EBEP,EXTPMN,PMUv3p9"}}),
      Params({{"counters", "4"},
              {"threads", "2"},
              {"features", "none"},
              {"K-MT-LEGACY", "rw"},
              {"debugv8p2", "0"}}),
      Params({{"counters", "4"}, {"threads", "2"}, {"features", "PMUv3p1"}}),
      Params({{"counters", "4"}, {"threads", "2"}, {"aa64", "0"}}),
      Params({{"counters", "4"}, {"aa32", "none"}}),
      Params({{"counters", "4"}, {"aa32", "el0"}}),
      Params({{"counters", "4"}, {"aa32", "el1"}}),
      Params({{"counters", "4"}, {"aa32", "el2"}}),
      Params({{"counters", "4"}, {"el3", "0"}, {"features", "SPE"}}),
      Params({{"counters", "4"}, {"el3", "0"}, {"el2", "0"}, {"features", "SPE"}}),
      Params({{"counters", "4"}, {"features", "EDGE,PMUv3p5,Debugv8p9"}}),
      Params({{"counters", "4"}, {"features", "TH,PMUv3p5"}}),
      Params({{"counters", "4"}, {"features", "FGWTE3"}}),
      Params({{"counters", "4"}, {"threads", "2"}, {"K-SHARED-OTHER", "all"}}),
      Params({{"counters", "0"}}),
  };
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    const std::string name = pmuv3_coverage_name(bin);
    if (name.rfind("K-", 0) == 0 || name.find(',', name.rfind('.')) != std::string::npos) continue;
    bool reachable = false;
    for (const pmuv3_params &p : params) reachable |= pmuv3_coverage_reachable(bin, &p);
    const std::string coverpoint = name.substr(0, name.rfind('.'));
    const bool is_cross = coverpoint == "overflow" || coverpoint == "event_row_counted" ||
                          coverpoint.rfind("B.3.1", 0) == 0;
    EXPECT_TRUE(reachable || is_cross) << name;
  }
}

// ---- The bias of the stimulus ----

// The items of a stream, as a stimulus file has them; every state is one that there is.
std::string Items(const pmuv3_params &params, const pmuv3_bias *bias, int count) {
  std::unique_ptr<pmuv3_random, decltype(&pmuv3_random_destroy)> random(
      pmuv3_random_create(&params, 7), pmuv3_random_destroy);
  if (bias) pmuv3_random_bias(random.get(), bias);
  char *text = nullptr;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  for (int i = 0; i < count; i++) {
    const pmuv3_item *item = pmuv3_random_next(random.get());
    if (item->kind == PMUV3_ITEM_PE) {
      EXPECT_EQ(pmuv3_pe_wrong(&params, &item->pe), nullptr);
    }
    pmuv3_stimulus_write_item(out, item);
  }
  fclose(out);
  std::string items(text, length);
  free(text);
  return items;
}

TEST(BiasTest, WithoutWeightsTheStreamIsThatOfTheSeed) {
  const pmuv3_params params = Params({{"threads", "2"}});
  const pmuv3_bias none = {};
  EXPECT_EQ(Items(params, nullptr, 20000), Items(params, &none, 20000));
}

TEST(BiasTest, TheSameWeightsGiveTheSameStream) {
  for (const char *features : {"none", "TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,SS,DPFZS,EXTPMN"})
    for (int sequence = 0; sequence < PMUV3_NUM_SEQUENCES; sequence++) {
      const pmuv3_params params = Params({{"threads", "3"}, {"features", features}});
      pmuv3_bias bias = {};
      bias.weights[sequence] = 3;
      const std::string items = Items(params, &bias, 20000);
      EXPECT_EQ(items, Items(params, &bias, 20000));
      EXPECT_NE(items, Items(params, nullptr, 20000));
    }
}

TEST(BiasTest, OpenBinsGiveTheWeights) {
  const pmuv3_params params = Params({});
  std::vector<uint64_t> hits(pmuv3_coverage_num_bins());
  EXPECT_GT(pmuv3_coverage_bias(&params, hits.data()).weights[PMUV3_SEQUENCE_PAIRS], 0u);
  EXPECT_EQ(pmuv3_coverage_bias(&params, hits.data()).weights[PMUV3_SEQUENCE_STATES],
            0u); /* 1 thread */
  for (uint64_t &hit : hits) hit = 1;
  hits[BinOf("D13-4.R1,EN=1,E=1,HPME=0,EPME=0")] = 0;
  const pmuv3_bias bias = pmuv3_coverage_bias(&params, hits.data());
  for (int sequence = 0; sequence < PMUV3_NUM_SEQUENCES; sequence++)
    EXPECT_EQ(bias.weights[sequence], sequence == PMUV3_SEQUENCE_ENABLES ? 1u : 0u) << sequence;
}

}  // namespace
