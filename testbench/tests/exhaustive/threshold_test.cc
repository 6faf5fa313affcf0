// Every {TC, TE, TLC, CP, parity, feature level, K-RESTC} with every TH in 0..7, VB in 0..15 and
// V[n-1] in {0, 1, 5, 15}, against the specification's tables (threshold_tables.h).
//
// What a side does is observed once; judging it by a set of tables comes after. So the check can be
// tried itself: with any one entry of the tables changed it must fail.
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <utility>

#include "testbench/tests/exhaustive/changes.h"
#include "testbench/tests/exhaustive/threshold_reader.h"
#include "testbench/tests/unit/side_test.h"

namespace pmuv3::exhaustive::threshold {
namespace {

constexpr int kLevels = 4, kRestcs = 2, kParities = 2, kTes = 2, kTlcs = 4, kTcs = 8, kCps = 2;
constexpr int kThs = 8, kVbs = 16;
constexpr std::array<int, 4> kLinks = {0, 1, 5, 15};
constexpr int kCombinations =
    kLevels * kRestcs * kParities * kTes * kTlcs * kTcs * kCps * kThs * kVbs * int{kLinks.size()};
static_assert(kCombinations == 1048576);

// The observed values of counter n in the cycle.
struct Observation {
  Combination combination;  // the intended combination
  bool allowed;
  int cp, vb, link;  // observed inputs
  Values values;
  uint64_t increment;
};

// Whether the observed inputs are the intended ones.
bool AsMeant(const Observation &seen) {
  return seen.allowed && seen.cp == seen.combination.cp && seen.vb == seen.combination.vb &&
         seen.link == seen.combination.link;
}

// Whether the counter's values are those of the tables.
bool Holds(const Reader &reader, const Observation &seen) {
  const Values expected = reader.Read(seen.combination);
  return seen.values == expected && seen.increment == static_cast<uint64_t>(expected.v);
}

// The index of a combination.
int IndexOf(const Combination &c) {
  int link = 0;
  while (kLinks[link] != c.link) link++;
  int index = c.level;
  index = index * kRestcs + c.restc;
  index = index * kParities + c.odd;
  index = index * kTes + c.te;
  index = index * kTlcs + c.tlc;
  index = index * kTcs + c.tc;
  index = index * kThs + c.th;
  index = index * kCps + c.cp;
  index = index * kVbs + c.vb;
  return index * static_cast<int>(kLinks.size()) + link;
}

// Drives a side through all combinations. Counters with TH = 0..7 run in parallel. The even
// neighbour of each counts an event of its own without a threshold, which gives V[n-1].
class Observer {
 public:
  using Visitor = std::function<void(const Observation &)>;

  Observer(const Implementation &implementation, Visitor visit)
      : implementation_(implementation), visit_(std::move(visit)) {}

  void Run() {
    for (int level = 0; level < kLevels; level++)
      for (int restc = 0; restc < kRestcs; restc++)
        for (int odd = 0; odd < kParities; odd++) RunSide(level, restc, odd);
  }

 private:
  static constexpr pmuv3_event_number kOwn = PMUV3_EVENT_L1D_CACHE;
  static constexpr pmuv3_event_number kNeighbours = PMUV3_EVENT_INST_RETIRED;

  void RunSide(int level, int restc, int odd) {
    const pmuv3_params params = Params(std::string("counters=17 features=") +
                                       Tables().levels[level].features + " K-RESTC=" + "ab"[restc]);
    side_ = implementation_.create(&params);
    ASSERT_NE(side_, nullptr);
    for (int n = 0; n < params.counters; n++) Write(PMUV3_PMEVTYPERn(n), Type(kNeighbours));
    Write(PMUV3_PMCNTENSET, 0x1FFFF);
    Write(PMUV3_PMCR, 1);
    for (int te = 0; te < kTes; te++)
      for (int tlc = 0; tlc < kTlcs; tlc++)
        for (int tc = 0; tc < kTcs; tc++)
          for (int cp = 0; cp < kCps; cp++)
            for (int vb = 0; vb < kVbs; vb++)
              for (int link : kLinks) Observe({level, restc, odd, te, tlc, tc, 0, cp, vb, link});
    pmuv3_side_destroy(side_);
  }

  // The counter with this TH.
  static int CounterOf(const Combination &c, int th) { return c.odd ? 2 * th + 1 : 2 * th + 2; }

  // Observes one combination with every TH.
  void Observe(Combination c) {
    for (int th = 0; th < kThs; th++) Write(PMUV3_PMEVTYPERn(CounterOf(c, th)), Type(kOwn));
    Cycle(c.cp, 0);  // without a threshold, CT is VB != 0; CP keeps it over register writes
    const pmuv3_probe before = Probe();

    for (int th = 0; th < kThs; th++)
      Write(PMUV3_PMEVTYPERn(CounterOf(c, th)), Type(kOwn).Tc(c.tc).Te(c.te).Tlc(c.tlc).Th(th));
    Cycle(c.vb, c.link);
    const pmuv3_probe probe = Probe();

    for (c.th = 0; c.th < kThs; c.th++) {
      const int n = CounterOf(c, c.th);
      Observation seen;
      seen.combination = c;
      seen.allowed = Bit(probe.allowed, n);
      seen.cp = Bit(probe.CP, n);
      seen.vb = probe.VB[n];
      seen.link = probe.V[n - 1];
      seen.values = {Bit(probe.CT, n), Bit(probe.CE, n), probe.VT[n], probe.VE[n], probe.V[n]};
      seen.increment = probe.value[n] - before.value[n];
      visit_(seen);
    }
  }

  void Write(uint16_t reg, uint64_t value) {
    EXPECT_EQ(pmuv3_side_write(side_, 0, reg, value), PMUV3_ACCESS_OK);
  }

  void Cycle(int own, int neighbours) {
    const pmuv3_occurrence occurrences[] = {
        {kOwn, static_cast<uint8_t>(own), 0, PMUV3_CURRENT},
        {kNeighbours, static_cast<uint8_t>(neighbours), 0, PMUV3_CURRENT}};
    pmuv3_cycle cycle = {};
    cycle.occurrences = occurrences;
    cycle.num_occurrences = 2;
    pmuv3_side_cycle(side_, &cycle);
  }

  pmuv3_probe Probe() {
    pmuv3_probe probe;
    pmuv3_side_probe(side_, 0, &probe);
    return probe;
  }

  const Implementation &implementation_;
  Visitor visit_;
  pmuv3_side *side_ = nullptr;
};

class ExhaustiveThresholdTest : public ::testing::TestWithParam<Implementation> {};
PMUV3_ON_BOTH_SIDES(ExhaustiveThresholdTest);

TEST_P(ExhaustiveThresholdTest, EveryCombination) {
  const Reader reader((Tables()));
  std::vector<bool> checked(kCombinations);
  int failures = 0;
  Observer(GetParam(), [&](const Observation &seen) {
    checked[IndexOf(seen.combination)] = true;
    if (AsMeant(seen) && Holds(reader, seen)) return;
    if (failures++ > 0) return;  // report only the first failure
    ADD_FAILURE() << seen.combination << "\n  expected " << reader.Read(seen.combination)
                  << "\n  observed " << seen.values << " increment=" << seen.increment
                  << " with allowed=" << seen.allowed << " CP=" << seen.cp << " VB=" << seen.vb
                  << " V[n-1]=" << seen.link;
  }).Run();
  const auto combinations = std::count(checked.begin(), checked.end(), true);
  std::cout << combinations << " combinations checked, " << failures << " failed\n";
  EXPECT_EQ(combinations, kCombinations);
  EXPECT_EQ(failures, 0);
}

// ---- Tests of the tables and of the check ----

// B.4.1 and ILQXJZ cover all settings: each setting is in one permitted row, or reserved.
TEST(ExhaustiveThresholdTables, EverySettingHasItsRow) {
  const Tables tables;
  for (int linked = 0; linked < 2; linked++)
    for (int te = 0; te < kTes; te++)
      for (int tlc = 0; tlc < (linked ? kTlcs : 1); tlc++)
        for (int tc = 0; tc < kTcs; tc++) {
          SCOPED_TRACE(::testing::Message()
                       << "linked=" << linked << " TE=" << te << " TLC=" << tlc << " TC=" << tc);
          const Setting setting = {linked, te, tlc, tc};
          const bool reserved = Reader::Count(tables.reserved, setting) > 0;
          EXPECT_EQ(Reader::Count(tables.permitted, setting), reserved ? 0 : 1);
          EXPECT_EQ(Reader::Count(tables.restc_a, setting), 1);
          EXPECT_EQ(Reader::Count(tables.restc_b, setting), 1);
          EXPECT_EQ(Reader::Count(tables.vt, setting), 1);
          EXPECT_EQ(Reader::Count(tables.ve, setting), 1);
        }
}

// Changes every entry to each other value, and shortens every list of settings.
Changes<Tables> AllChanges() {
  Changes<Tables> changes;
  changes.Flip("levels", &Tables::levels, {&Level::tc_th, &Level::te, &Level::tlc});
  changes.Flip("relations", &Tables::relations,
               {&Relation::below, &Relation::equal, &Relation::above});
  changes.Flip("edges", &Tables::edges,
               {&Edge::cp0_ct0, &Edge::cp0_ct1, &Edge::cp1_ct0, &Edge::cp1_ct1});
  for (auto rows :
       {&Tables::permitted, &Tables::restc_a, &Tables::restc_b, &Tables::vt, &Tables::ve}) {
    for (Term Row::*entry : {&Row::if_true, &Row::if_false})
      changes.Replace("cells", rows, entry, {Term::kZero, Term::kOne, Term::kBase, Term::kLink});
    changes.Drop("rows", rows);
  }
  changes.Drop("reserved", &Tables::reserved);
  Tables swapped;
  std::swap(swapped.restc_a, swapped.restc_b);
  changes.Add("K-RESTC a and b swapped", swapped);
  return changes;
}

// TE Effective without PMUv3_TH: TC = 0 with TE = 1 would be reserved, and V is VB in both cases.
const char kUnseen[] = "levels row 0 flag 1";

TEST(ExhaustiveThresholdTables, EveryChangeOfThemIsFound) {
  std::vector<Observation> observations;
  observations.reserve(kCombinations);
  Observer(kImplementations[0], [&](const Observation &seen) {
    observations.push_back(seen);
  }).Run();
  const Changes<Tables> changes = AllChanges();
  for (const Change<Tables> &change : changes.all()) {
    const Reader reader(change.changed);
    const auto failure =
        std::find_if(observations.begin(), observations.end(),
                     [&](const Observation &seen) { return !Holds(reader, seen); });
    EXPECT_EQ(failure != observations.end(), change.what != kUnseen) << change.what;
  }
  std::cout << changes.all().size() << " changes of the tables, one at a time\n";
}

}  // namespace
}  // namespace pmuv3::exhaustive::threshold
