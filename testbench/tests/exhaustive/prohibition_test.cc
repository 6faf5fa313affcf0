// Every state of every implementation with every control that prohibits counting, for event
// counters of both ranges, the cycle counter and the instruction counter, against the
// specification's tables (prohibition_tables.h).
//
// What a side does is observed once, and then judged: by the tables, with which all must hold, and
// by the tables with one entry changed, with which something must not.
#include "testbench/tests/exhaustive/prohibition_tables.h"

#include <algorithm>
#include <iostream>

#include "testbench/tests/exhaustive/changes.h"
#include "testbench/tests/exhaustive/states.h"

namespace pmuv3::exhaustive::prohibition {
namespace {

// The versions with different prohibitions. The last has the instruction counter.
const char *const kVersions[] = {"", "PMUv3p1", "PMUv3p4", "PMUv3p5", "PMUv3p7", "ICNTR"};
constexpr int kOldVersions = 2;  // versions that exist without Debugv8p2

// Controls in registers of the counting thread, a bit each.
enum Control { kSpme, kMpmx, kHpmd, kSuniden, kDp, kSccd, kHccd, kMccd, kControls };
constexpr unsigned kSiblingControls = 1 << kDp;  // without the cycle counter's controls
constexpr unsigned kAllControls = 1 << kControls;

struct Combination {
  const Presence *presence;
  int version;
  bool debugv8p2;
  unsigned controls;
  bool a32el3, snid;  // EL3 in AArch32, SNID: of the counting thread
  const State *state;
  bool el1_aa32;  // EL1 uses AArch32 in the occurrence's thread, perhaps because EL3 does

  unsigned Get(Control control) const { return controls >> control & 1; }
  unsigned Get(Control first, Control second) const { return Get(first) << 1 | Get(second); }
};

std::ostream &operator<<(std::ostream &out, const Combination &c) {
  return out << c.presence->Settings(kVersions[c.version]) << " debugv8p2=" << c.debugv8p2 << " in "
             << c.state->name << " a32el3=" << c.a32el3 << " EL1 in AArch32: " << c.el1_aa32
             << " SNID=" << c.snid << " SPME=" << c.Get(kSpme) << " MPMX=" << c.Get(kMpmx)
             << " HPMD=" << c.Get(kHpmd) << " SUNIDEN=" << c.Get(kSuniden) << " DP=" << c.Get(kDp)
             << " SCCD=" << c.Get(kSccd) << " HCCD=" << c.Get(kHccd) << " MCCD=" << c.Get(kMccd);
}

// Counting was allowed but nothing counted, or the reverse.
constexpr int kNotAllowed = 2;

// Whether each counter is prohibited; -1: not observable, or not in the tables.
struct Prohibited {
  int r1 = -1, r2 = -1, cycle = -1, instruction = -1;
};

std::ostream &operator<<(std::ostream &out, const Prohibited &p) {
  return out << "R1 " << p.r1 << ", R2 " << p.r2 << ", cycle counter " << p.cycle
             << ", instruction counter " << p.instruction;
}

struct Observation {
  Combination combination;
  Prohibited prohibited;
};

class Reader {
 public:
  explicit Reader(const Tables &tables) : t_(tables) {}

  Prohibited Read(const Combination &c) const {
    const bool el3 = c.state->el == 3, el2 = c.state->el == 2;
    const bool secure = c.presence->el3 && !el3 && c.state->ss == PMUV3_S;
    const unsigned el3_aa64 = c.presence->el3 && c.presence->aa64 && !c.a32el3;
    const unsigned security = c.Get(kSpme, kMpmx);

    bool r1 = false, r2 = false, instruction = false, cycle = false;
    if (secure || el3) {
      const Result *result = Only(t_.results, [&](const Result &row) {
        return Fits(row.when, security) && Fits(row.el3_aa64, el3_aa64) && Is(row.versions, c);
      });
      const Instruction *of_instruction = Only(t_.instruction, [&](const Instruction &row) {
        return Fits(row.when, security) && Fits(row.el3_aa64, el3_aa64);
      });
      if (!result || !of_instruction) return {};
      const bool lifted = secure && c.state->el == 0 &&
                          Yes(t_.relief_secure_el0, c.el1_aa32 << 1 | c.Get(kSuniden));
      r1 = !lifted && (el3 ? result->el3_r1 : result->secure_r1);
      r2 = !lifted && (el3 ? result->el3_r2 : result->secure_r2);
      instruction = el3 ? of_instruction->el3 : of_instruction->secure;
    }
    if (el2) {
      const El2 *of_el2 = Only(t_.el2, [&](const El2 &row) {
        return Fits(row.when, c.Get(kHpmd)) && Is(row.versions, c);
      });
      if (!of_el2) return {};
      r1 |= of_el2->r1;
      r2 |= of_el2->r2;
      instruction |= Yes(t_.instruction_el2, c.Get(kHpmd));
    }
    if (Yes(t_.relief, c.debugv8p2 << 1 | c.snid)) r1 = r2 = false;
    cycle = r1 && Yes(t_.cycle_dp, c.Get(kDp));
    const unsigned disables = c.Get(kSccd, kHccd) << 1 | c.Get(kMccd);
    for (const Cycle &row : t_.cycle)
      if (Fits(row.when, disables) && Fits(row.el3_aa64, el3_aa64) && Is(row.versions, c))
        cycle |= (secure && row.secure) || (el2 && row.el2) || (el3 && row.el3);
    return {r1, r2, cycle, instruction};
  }

 private:
  static bool Is(const std::string &versions, const Combination &c) {
    return versions[c.version] != '0';
  }

  template <typename Row, typename Matches>
  static const Row *Only(const std::vector<Row> &rows, Matches matches) {
    const Row *only = nullptr;
    for (const Row &row : rows) {
      if (!matches(row)) continue;
      if (only) return nullptr;
      only = &row;
    }
    return only;
  }

  static bool Yes(const std::vector<Answer> &answers, unsigned value) {
    bool yes = false;
    for (const Answer &answer : answers) yes |= Fits(answer.when, value) && answer.yes;
    return yes;
  }

  Tables t_;
};

bool Holds(const Reader &reader, const Observation &seen) {
  const Prohibited expected = reader.Read(seen.combination);
  return seen.prohibited.r1 == expected.r1 &&
         (seen.prohibited.r2 < 0 || seen.prohibited.r2 == expected.r2) &&
         (seen.prohibited.cycle < 0 || seen.prohibited.cycle == expected.cycle) &&
         (seen.prohibited.instruction < 0 || seen.prohibited.instruction == expected.instruction);
}

class ExhaustiveProhibitionTest : public SideTest {
 protected:
  // Observes thread 0 counting the last of `threads` threads, in every combination.
  void ObserveAll(unsigned threads) {
    source_ = threads - 1;
    for (bool debugv8p2 : {true, false})
      for (const Presence &presence : kPresences) {
        if (!debugv8p2 && (presence.sel2 || presence.rme)) continue;  // these features are newer
        for (int version = 0; version < (debugv8p2 ? 6 : kOldVersions); version++) {
          Prepare(presence, version, debugv8p2, threads);
          const unsigned controls = source_ == 0 ? kAllControls : kSiblingControls;
          for (unsigned value = 0; value < controls; value++) {
            Program(0, value);
            if (source_ > 0) Program(source_, ~value);
            ObserveStates({&presence, version, debugv8p2, value, false, false, nullptr, false});
          }
        }
      }
  }

  // A counter in each range, with filters that exclude nothing.
  void Prepare(const Presence &presence, int version, bool debugv8p2, unsigned threads) {
    std::string features = kVersions[version];
    const bool mtpmu = threads > 1 && version >= 4;  // older versions can have MT without MTPMU
    if (mtpmu) features += ",MTPMU";
    Build("counters=2 threads=" + std::to_string(threads) + " debugv8p2=" + "01"[debugv8p2] +
          (threads > 1 && !mtpmu ? " K-MT-LEGACY=rw " : " ") + presence.Settings(features));
    const uint64_t everywhere = Type().Nsh();
    const uint64_t mt = Type().Mt(threads > 1);
    for (int n : {0, 1})
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED) | everywhere | mt);
    Write(PMUV3_PMCCFILTR, everywhere);
    const bool instructions = pmuv3_has(&params(), PMUV3_FEATURE_ICNTR);
    if (instructions) Write(PMUV3_PMICFILTR, everywhere);
    Write(PMUV3_PMCNTENSET, uint64_t{instructions} << 32 | 0x80000003);
  }

  void Program(unsigned thread, unsigned controls) {
    const auto bit = [controls](Control control, int place) {
      return uint64_t{controls >> control & 1} << place;
    };
    Write(thread, PMUV3_MDCR_EL3,
          bit(kMpmx, 35) | bit(kMccd, 34) | UINT64_C(1) << 28 | bit(kSccd, 23) | bit(kSpme, 17));
    Write(thread, PMUV3_MDCR_EL2, UINT64_C(1) << 28 | bit(kHccd, 23) | bit(kHpmd, 17) | 0x81);
    Write(thread, PMUV3_SDER32_EL3, bit(kSuniden, 1));
    Write(thread, PMUV3_PMCR, bit(kDp, 5) | 1);
  }

  // All states with these controls. The source is in the state. If the source is a sibling, EL3 of
  // the counting thread may use the other Execution state.
  void ObserveStates(Combination c) {
    const bool own = source_ == 0;
    for (unsigned keys = 0; keys < 16; keys++) {
      const bool a32el1 = keys & 1, source_a32el3 = keys & (own ? 2 : 4);
      c.a32el3 = keys & 2;
      c.snid = keys & 8;
      c.el1_aa32 = a32el1 || source_a32el3 || !c.presence->aa64;
      if (own && (keys & 4)) continue;
      if (!c.presence->el3 && (c.a32el3 || source_a32el3)) continue;
      if (c.debugv8p2 && c.snid) continue;
      if (!own) SetPe(0, Pe().A32El3(c.a32el3).Snid(c.snid));
      for (const State &state : kStates) {
        if (!c.presence->Has(state)) continue;
        c.state = &state;
        SetPe(source_, Pe(state.el, state.ss)
                           .A32El1(a32el1)
                           .A32El3(source_a32el3)
                           .Snid(own ? c.snid : !c.debugv8p2 && !c.snid));
        Observe(c);
      }
    }
  }

  void Observe(const Combination &c) {
    const bool own = source_ == 0;
    const pmuv3_probe before = Probe();
    Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(source_)});
    const pmuv3_probe probe = Probe();
    Prohibited seen;
    seen.r1 = probe.value[0] == before.value[0];
    seen.r2 = probe.value[1] == before.value[1];
    const uint32_t counted = static_cast<uint32_t>(!seen.r2 << 1 | !seen.r1);
    if (own && probe.allowed != counted) seen.r1 = kNotAllowed;
    if (!c.presence->el2) seen.r2 = -1;  // only one range exists
    if (own) seen.cycle = probe.pmccntr == before.pmccntr;
    if (own && pmuv3_has(&params(), PMUV3_FEATURE_ICNTR))
      seen.instruction = probe.pmicntr == before.pmicntr;
    all_.push_back({c, seen});
  }

  unsigned source_ = 0;
  std::vector<Observation> all_;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveProhibitionTest);

void ExpectAllHold(const std::vector<Observation> &all) {
  const Reader reader((Tables()));
  int failures = 0;
  for (const Observation &seen : all) {
    if (Holds(reader, seen) || failures++ > 0) continue;  // report only the first failure
    ADD_FAILURE() << seen.combination
                  << "\n  expected prohibited: " << reader.Read(seen.combination) << "\n  observed "
                  << seen.prohibited;
  }
  std::cout << all.size() << " combinations checked, " << failures << " failed\n";
  EXPECT_EQ(failures, 0);
}

// MCCD matters only if SCCD is 0, since SCCD also disables the cycle counter at EL3.
const char kUnseen[] = "cycle row 2 digit 0 is 0";

void ExpectEveryChangeIsFound(const std::vector<Observation> &all) {
  Changes<Tables> changes;
  changes.Redraw("results", &Tables::results, &Result::when, "01x");
  changes.Redraw("results' EL3", &Tables::results, &Result::el3_aa64, "01x");
  changes.Redraw("results' versions", &Tables::results, &Result::versions, "01");
  changes.Flip("results", &Tables::results,
               {&Result::secure_r1, &Result::secure_r2, &Result::el3_r1, &Result::el3_r2});
  changes.Redraw("EL2", &Tables::el2, &El2::when, "01x");
  changes.Redraw("EL2's versions", &Tables::el2, &El2::versions, "01");
  changes.Flip("EL2", &Tables::el2, {&El2::r1, &El2::r2});
  changes.Redraw("instruction", &Tables::instruction, &Instruction::when, "01x");
  changes.Redraw("instruction's EL3", &Tables::instruction, &Instruction::el3_aa64, "01x");
  changes.Flip("instruction", &Tables::instruction, {&Instruction::secure, &Instruction::el3});
  changes.Redraw("cycle", &Tables::cycle, &Cycle::when, "01x");
  changes.Redraw("cycle's EL3", &Tables::cycle, &Cycle::el3_aa64, "01x");
  changes.Redraw("cycle's versions", &Tables::cycle, &Cycle::versions, "01");
  changes.Flip("cycle", &Tables::cycle, {&Cycle::secure, &Cycle::el2, &Cycle::el3});
  for (auto answers :
       {&Tables::instruction_el2, &Tables::cycle_dp, &Tables::relief_secure_el0, &Tables::relief})
    changes.Flip("answer", answers, {&Answer::yes});
  for (const Change<Tables> &change : changes.all()) {
    const Reader reader(change.changed);
    const bool found = !std::all_of(all.begin(), all.end(),
                                    [&](const Observation &seen) { return Holds(reader, seen); });
    EXPECT_EQ(found, change.what != kUnseen) << change.what;
  }
  std::cout << changes.all().size() << " changes of the tables, one at a time\n";
}

// States with both Execution states of EL1 and EL3, over presences, times versions and controls.
// The same without Debugv8p2, with and without SNID.
constexpr size_t kCombinations =
    size_t{206 + 62} * 6 * kAllControls + size_t{62 + 62} * 2 * kOldVersions * kAllControls;

TEST_P(ExhaustiveProhibitionTest, EveryStateAndControl) {
  ObserveAll(1);
  EXPECT_EQ(all_.size(), kCombinations);
  ExpectAllHold(all_);
  ExpectEveryChangeIsFound(all_);
}

// The same, with EL3 of the counting thread in either Execution state.
constexpr size_t kSiblingCombinations = size_t{382 + 106} * 6 * kSiblingControls +
                                        size_t{106 + 106} * 2 * kOldVersions * kSiblingControls;

// D13.6-10, D13.6-11, K-MT-A32CFG: with MT = 1, the counting thread's controls decide about the
// sibling's state.
TEST_P(ExhaustiveProhibitionTest, EveryStateOfASiblingAndControl) {
  ObserveAll(2);
  EXPECT_EQ(all_.size(), kSiblingCombinations);
  ExpectAllHold(all_);
}

}  // namespace
}  // namespace pmuv3::exhaustive::prohibition
