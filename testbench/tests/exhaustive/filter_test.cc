// Every value of a filter's ten bits in every state of every implementation, and every VS, for an
// event counter, the cycle counter and the instruction counter, against the specification's tables
// (filter_tables.h).
//
// What a side does is observed once, and then judged: by the tables, with which all must hold, and
// by the tables with one entry changed, with which something must not.
#include "testbench/tests/exhaustive/filter_tables.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "testbench/tests/exhaustive/changes.h"
#include "testbench/tests/exhaustive/states.h"

namespace pmuv3::exhaustive::filter {
namespace {

constexpr unsigned kValues = 1 << kBits;

// The value of a register in which bit i of `value` sets Bit i.
uint64_t InPlace(unsigned value) {
  uint64_t reg = 0;
  for (int bit = 0; bit < kBits; bit++) reg |= uint64_t{value >> bit & 1} << kPlaces[bit];
  return reg;
}

struct Combination {
  const Presence *presence;
  bool a32el3;  // EL3 of the counting thread uses AArch32
  const State *state;
  unsigned value;
};

std::ostream &operator<<(std::ostream &out, const Combination &c) {
  return out << c.presence->Settings("") << " a32el3=" << c.a32el3 << " in " << c.state->name
             << " filter " << std::hex << InPlace(c.value) << std::dec;
}

// Counting was allowed but nothing counted, or the reverse.
constexpr int kNotAllowed = 2;

// The increment of each kind of counter by one occurrence or cycle; -1: it cannot be observed.
struct Observation {
  Combination combination;
  int event = -1, cycle = -1, instruction = -1;
};

class Reader {
 public:
  explicit Reader(const Tables &tables) : tables_(tables) {}

  bool Counts(const Combination &c) const {
    for (const filter::Counts &row : tables_.counts)
      if (row.state == c.state->name) return (Get(row.bit, c) == Get(row.other, c)) == row.is;
    return false;
  }

 private:
  int Get(Bit bit, const Combination &c) const {
    if (bit >= kBits) return bit == kIs1;
    const Presence &has = *c.presence;
    const bool el3_aa64 = has.aa64 && !c.a32el3;
    const unsigned there = has.el2 << 4 | has.el3 << 3 | has.sel2 << 2 | has.rme << 1 | el3_aa64;
    return Fits(tables_.effective[bit].needs, there) && (c.value >> bit & 1);
  }

  Tables tables_;
};

bool Holds(const Reader &reader, const Observation &seen) {
  const int expected = reader.Counts(seen.combination);
  for (int count : {seen.event, seen.cycle, seen.instruction})
    if (count >= 0 && count != expected) return false;
  return true;
}

class ExhaustiveFilterTest : public SideTest {
 protected:
  // Observes thread 0 counting the last of `threads` threads, in every combination.
  std::vector<Observation> ObserveAll(unsigned threads) {
    std::vector<Observation> all;
    source_ = threads - 1;
    for (const Presence &presence : kPresences)
      for (bool a32el3 : {false, true}) {
        if (a32el3 && !presence.el3) continue;
        Prepare(presence, a32el3, threads);
        for (unsigned value = 0; value < kValues; value++) {
          Program(value);
          for (const State &state : kStates)
            if (presence.Has(state)) all.push_back(Observe({&presence, a32el3, &state, value}));
        }
      }
    return all;
  }

  // Prohibits nothing, and makes everything count. 31 counters take turns. Each keeps its last
  // filter.
  void Prepare(const Presence &presence, bool a32el3, unsigned threads) {
    Build("counters=31 threads=" + std::to_string(threads) + " " +
          presence.Settings("MTPMU,ICNTR"));
    if (threads > 1) SetPe(0, Pe().A32El3(a32el3));
    Write(PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, SPME) | PMUV3_MASK(MDCR_EL3, MTPME));
    const bool instructions = pmuv3_has(&params(), PMUV3_FEATURE_ICNTR);
    Write(PMUV3_PMCNTENSET, uint64_t{instructions} << 32 | 0xFFFFFFFF);
    Write(PMUV3_PMCR, 1);
  }

  void Program(unsigned value) {
    Write(PMUV3_PMEVTYPERn(value % 31),
          Type(PMUV3_EVENT_INST_RETIRED).Mt(source_ > 0) | InPlace(value));
    Write(PMUV3_PMCCFILTR, InPlace(value));
    if (pmuv3_has(&params(), PMUV3_FEATURE_ICNTR)) Write(PMUV3_PMICFILTR, InPlace(value));
  }

  Observation Observe(const Combination &c) {
    const bool own = source_ == 0;
    SetPe(source_, Pe(c.state->el, c.state->ss).A32El3(own && c.a32el3));
    const pmuv3_probe before = Probe();
    Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(source_)});
    const pmuv3_probe probe = Probe();
    const unsigned n = c.value % 31;
    Observation seen = {c};
    seen.event = static_cast<int>(probe.value[n] - before.value[n]);
    if (own && pmuv3::Bit(probe.allowed, static_cast<int>(n)) != seen.event)
      seen.event = kNotAllowed;
    if (own) seen.cycle = static_cast<int>(probe.pmccntr - before.pmccntr);
    if (own && ShowsInstructions(c))
      seen.instruction = static_cast<int>(probe.pmicntr - before.pmicntr);
    return seen;
  }

  // RCSRMB: with EL3 in AArch32, counting instructions in Secure state and at EL3 is prohibited.
  static bool ShowsInstructions(const Combination &c) {
    if (!c.presence->aa64) return false;
    return !c.a32el3 || (c.state->ss != PMUV3_S && c.state->ss != PMUV3_RT);
  }

  unsigned source_ = 0;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveFilterTest);

void ExpectAllHold(const std::vector<Observation> &all) {
  const Reader reader((Tables()));
  int failures = 0;
  for (const Observation &seen : all) {
    if (Holds(reader, seen) || failures++ > 0) continue;  // report only the first failure
    ADD_FAILURE() << seen.combination << "\n  expected " << reader.Counts(seen.combination)
                  << "\n  observed event counter " << seen.event << ", cycle counter " << seen.cycle
                  << ", instruction counter " << seen.instruction;
  }
  std::cout << all.size() << " combinations checked, " << failures << " failed\n";
  EXPECT_EQ(failures, 0);
}

// Changes that no state shows: the states that use the bit need the same feature.
const std::set<std::string> kUnseen = {
    "needs row 4 digit 0 is x",                              // NSH needs EL2, as EL2 does
    "needs row 5 digit 1 is x",                              // M needs EL3, as EL3 does
    "needs row 6 digit 2 is x", "needs row 6 digit 0 is 1",  // SH needs SEL2, which needs EL2
    "needs row 7 digit 3 is x", "needs row 7 digit 1 is 1",  // RLK needs RME, which needs EL3
    "needs row 8 digit 3 is x", "needs row 8 digit 1 is 1",  // RLU: the same
    "needs row 9 digit 3 is x", "needs row 9 digit 1 is 1",  // RLH: the same
    "needs row 9 digit 0 is 1",                              // RL EL2 needs EL2
};

void ExpectEveryChangeIsFound(const std::vector<Observation> &all) {
  Changes<Tables> changes;
  const Bit bits[] = {kP, kU, kNsk, kNsu, kNsh, kM, kSh, kRlk, kRlu, kRlh};
  const Bit others[] = {kP, kU, kNsk, kNsu, kNsh, kM, kSh, kRlk, kRlu, kRlh, kIs0, kIs1};
  changes.Redraw("needs", &Tables::effective, &Effective::needs, "x1");
  changes.Replace("bits", &Tables::counts, &Counts::bit, bits);
  changes.Replace("others", &Tables::counts, &Counts::other, others);
  changes.Flip("relations", &Tables::counts, {&Counts::is});
  changes.Drop("states", &Tables::counts);
  for (const Change<Tables> &change : changes.all()) {
    const Reader reader(change.changed);
    const bool found = !std::all_of(all.begin(), all.end(),
                                    [&](const Observation &seen) { return Holds(reader, seen); });
    EXPECT_EQ(found, kUnseen.count(change.what) == 0) << change.what;
  }
  std::cout << changes.all().size() << " changes of the tables, one at a time\n";
}

// States by presence, with EL3 in AArch64 and in AArch32, times the values of the bits.
constexpr size_t kCombinations = size_t{103 + 31} * kValues;

// D13.7-2: the state of the counting thread.
TEST_P(ExhaustiveFilterTest, EveryFilterAndState) {
  const std::vector<Observation> all = ObserveAll(1);
  EXPECT_EQ(all.size(), kCombinations);
  ExpectAllHold(all);
  ExpectEveryChangeIsFound(all);
}

// D13.7-3, EX-D13-3: with MT = 1, the state of the sibling that caused the event decides. EL3's
// Execution state is the counting thread's.
TEST_P(ExhaustiveFilterTest, EveryFilterAndStateOfASibling) {
  const std::vector<Observation> all = ObserveAll(2);
  EXPECT_EQ(all.size(), kCombinations);
  ExpectAllHold(all);
}

// ---- D.3: VS ----

struct SveCombination {
  bool sme;
  int k_vs_res, vs;
  bool streaming, p;
};

bool SveCounts(const Tables &tables, const SveCombination &c) {
  const int row = !c.sme ? 0 : c.vs == 0b11 ? c.k_vs_res : c.vs;
  return !(c.streaming ? tables.sve[row].streaming : tables.sve[row].non_streaming) && !c.p;
}

struct SveObservation {
  SveCombination combination;
  int event, cycle, instruction, siblings;
};

bool Holds(const Tables &tables, const SveObservation &seen) {
  const int expected = SveCounts(tables, seen.combination);
  return seen.event == expected && seen.cycle == expected && seen.instruction == expected &&
         seen.siblings == expected;
}

class ExhaustiveSveFilterTest : public SideTest {
 protected:
  // Thread 0 is in this mode. Thread 1 is in the other mode and counts its events with MT = 1.
  void ObserveModes(const SveCombination &c) {
    const uint64_t filter = Type().Vs(c.vs).P(c.p);
    const uint64_t type = Type(PMUV3_EVENT_INST_RETIRED) | filter;
    Write(0, PMUV3_PMEVTYPERn(0), type);
    Write(1, PMUV3_PMEVTYPERn(0), type | Type().Mt());
    Write(0, PMUV3_PMCCFILTR, filter);
    Write(0, PMUV3_PMICFILTR, filter);
    for (unsigned thread : {0, 1}) {
      Write(thread, PMUV3_PMCNTENSET, UINT64_C(0x180000001));
      Write(thread, PMUV3_PMCR, 1);
    }
    for (bool aa32 : {false, true}) {
      if (aa32 && c.streaming) continue;
      SetPe(0, Pe().Sm(c.streaming).Aa32(aa32));
      SetPe(1, Pe().Sm(!c.streaming));
      const pmuv3_probe before = Probe();
      Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
      const pmuv3_probe probe = Probe();
      all_.push_back({c, probe.VB[0], static_cast<int>(probe.pmccntr - before.pmccntr),
                      static_cast<int>(probe.pmicntr - before.pmicntr), Probe(1).VB[0]});
    }
  }

  std::vector<SveObservation> all_;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveSveFilterTest);

TEST_P(ExhaustiveSveFilterTest, EveryVsAndMode) {
  const char *const words[] = {"00", "01", "10", "both"};
  for (bool sme : {false, true})
    for (int k_vs_res = 0; k_vs_res < 4; k_vs_res++) {
      Build(std::string("counters=1 threads=2 features=MTPMU,ICNTR") + (sme ? ",SME" : "") +
            " K-VS-RES=" + words[k_vs_res]);
      for (int vs = 0; vs < 4; vs++)
        for (bool streaming : {false, true})
          for (bool p : {false, true}) ObserveModes({sme, k_vs_res, vs, streaming, p});
    }
  EXPECT_EQ(all_.size(), 2u * 4 * 4 * 3 * 2);  // three modes: AArch32 has no Streaming mode

  for (const SveObservation &seen : all_)
    EXPECT_TRUE(Holds(Tables(), seen))
        << "SME=" << seen.combination.sme << " K-VS-RES=" << words[seen.combination.k_vs_res]
        << " VS=" << seen.combination.vs << " SM=" << seen.combination.streaming
        << " P=" << seen.combination.p << ": event counter " << seen.event << ", cycle counter "
        << seen.cycle << ", instruction counter " << seen.instruction << ", sibling's "
        << seen.siblings;

  Changes<Tables> changes;
  changes.Flip("VS", &Tables::sve, {&Sve::non_streaming, &Sve::streaming});
  for (const Change<Tables> &change : changes.all())
    EXPECT_FALSE(std::all_of(all_.begin(), all_.end(), [&](const SveObservation &seen) {
      return Holds(change.changed, seen);
    })) << change.what;
}

}  // namespace
}  // namespace pmuv3::exhaustive::filter
