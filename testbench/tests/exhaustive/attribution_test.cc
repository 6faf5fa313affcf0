// Whose events a counter counts: every way to an Effective MT, every case of Table D13-3 with every
// setting of its choices, and every pair of contexts with every choice on them, against the
// specification's tables (attribution_tables.h).
//
// What a side does is observed once, and then judged: by the tables, with which all must hold, and
// by the tables with one entry changed, with which something must not.
#include "testbench/tests/exhaustive/attribution_tables.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "testbench/tests/exhaustive/changes.h"
#include "testbench/tests/exhaustive/states.h"

namespace pmuv3::exhaustive::attribution {
namespace {

// All of them hold; of those that do not, the first is said. `Judge` reads Tables.
template <typename Judge, typename Observation>
void ExpectAllHold(const std::vector<Observation> &all) {
  const Judge judge{};
  int failures = 0;
  for (const Observation &seen : all)
    if (!judge.Holds(seen) && failures++ == 0) ADD_FAILURE() << judge.Describe(seen);
  std::cout << all.size() << " combinations checked, " << failures << " failed\n";
  EXPECT_EQ(failures, 0);
}

// With one entry of the tables changed something does not hold, but for these changes.
template <typename Judge, typename Tables, typename Observation>
void ExpectEveryChangeIsFound(const Changes<Tables> &changes, const std::vector<Observation> &all,
                              const std::set<std::string> &unseen = {}) {
  for (const Change<Tables> &change : changes.all()) {
    const Judge judge(change.changed);
    const bool found = !std::all_of(all.begin(), all.end(),
                                    [&](const Observation &seen) { return judge.Holds(seen); });
    EXPECT_EQ(found, unseen.count(change.what) == 0) << change.what;
  }
  std::cout << changes.all().size() << " changes of the tables, one at a time\n";
}

// ---- Effective MT ----

struct MtCase {
  bool el3, el2;
  int threads;
  bool mtpmu, legacy_rw, group;
  unsigned mtpme[2];  // of the counting and of the last thread: MDCR_EL3's, MDCR_EL2's
  bool mt;
};

struct MtObservation {
  MtCase c;
  int others;  // an event of the last thread was counted
  int cycles;  // CPU_CYCLES was counted while the counting thread was not active
};

class MtJudge {
 public:
  explicit MtJudge(const MtTables &tables = {}) : tables_(tables) {}

  bool Holds(const MtObservation &seen) const {
    const int expected = Effective(seen.c);
    return (seen.c.threads == 1 || seen.others == expected) && seen.cycles == expected;
  }

  ::testing::Message Describe(const MtObservation &seen) const {
    const MtCase &c = seen.c;
    return ::testing::Message() << "el3=" << c.el3 << " el2=" << c.el2 << " threads=" << c.threads
                                << " MTPMU=" << c.mtpmu << " K-MT-LEGACY=rw: " << c.legacy_rw
                                << " K-MTPME-GROUP=group: " << c.group << " MTPME " << c.mtpme[0]
                                << " and the last thread's " << c.mtpme[1] << " MT=" << c.mt
                                << "\n  expected " << Effective(c) << "\n  observed others "
                                << seen.others << " CPU_CYCLES " << seen.cycles;
  }

 private:
  bool Effective(const MtCase &c) const {
    const unsigned key = (c.threads > 1) << 6 | c.mtpmu << 5 | c.legacy_rw << 4 | Is(0, c) << 3 |
                         Is(1, c) << 2 | c.group << 1 | c.mt;
    bool yes = false;
    for (const EffectiveMt &row : tables_.mt) yes |= row.yes && Fits(row.when, key);
    return yes;
  }

  // FEAT_MTPMU is disabled in that thread.
  bool Is(int which, const MtCase &c) const {
    bool yes = false;
    for (const Disabled &row : tables_.disabled)
      yes |= row.yes && Fits(row.when, c.el3 << 3 | c.el2 << 2 | c.mtpme[which]);
    return yes;
  }

  MtTables tables_;
};

class ExhaustiveMtTest : public SideTest {
 protected:
  void Observe(const MtCase &c) {
    const unsigned last = static_cast<unsigned>(c.threads) - 1;
    WriteMtpme(0, c.mtpme[0]);
    if (last > 0) WriteMtpme(last, c.mtpme[1]);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Mt(c.mt));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CPU_CYCLES).Mt(c.mt));
    Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).On(last)});
    all_.push_back({c, Probe().VB[0], Probe().VB[1]});
  }

  void WriteMtpme(unsigned thread, unsigned mtpme) {
    Write(thread, PMUV3_MDCR_EL3, uint64_t{mtpme >> 1} << PMUV3_MDCR_EL3_MTPME_LSB);
    Write(thread, PMUV3_MDCR_EL2, uint64_t{mtpme & 1} << PMUV3_MDCR_EL2_MTPME_LSB | 2);
  }

  std::vector<MtObservation> all_;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveMtTest);

TEST_P(ExhaustiveMtTest, EveryWayToEffectiveMt) {
  for (bool el3 : {false, true})
    for (bool el2 : {false, true})
      for (int threads : {1, 2, 4})
        for (const auto &[mtpmu, rw] : {std::pair(false, false), {false, true}, {true, false}})
          for (bool group : {false, true}) {
            Build(std::string("counters=2 el3=") + "01"[el3] + " el2=" + "01"[el2] + " threads=" +
                  std::to_string(threads) + " features=" + (mtpmu ? "MTPMU" : "none") +
                  " K-MT-LEGACY=" + (rw ? "rw" : "res0") +
                  " K-MTPME-GROUP=" + (group ? "group" : "self"));
            SetPe(Pe().Active(false));
            Enable(0x3);
            for (unsigned mtpme = 0; mtpme < 16; mtpme++)
              for (bool mt : {false, true})
                Observe({el3, el2, threads, mtpmu, rw, group, {mtpme >> 2, mtpme & 3}, mt});
          }
  EXPECT_EQ(all_.size(), 2u * 2 * 3 * 3 * 2 * 16 * 2);
  ExpectAllHold<MtJudge>(all_);

  Changes<MtTables> changes;
  changes.Flip("disabled", &MtTables::disabled, {&Disabled::yes});
  changes.Flip("MT", &MtTables::mt, {&EffectiveMt::yes});
  ExpectEveryChangeIsFound<MtJudge>(changes, all_);
}

// ---- Table D13-3 ----

constexpr int kAttributionsCount = 5;
constexpr pmuv3_event_number kEvents[kAttributionsCount] = {
    PMUV3_EVENT_INST_RETIRED, PMUV3_EVENT_L1D_CACHE, PMUV3_EVENT_L2D_CACHE,
    PMUV3_EVENT_L2D_CACHE_WB, PMUV3_EVENT_TRCEXTOUT0};
constexpr const char *kAttributions[kAttributionsCount] = {"core", "memory", "shared", "own",
                                                           "trace"};

// The choices of Table D13-3: those of a class are 0..3.
struct Choices {
  int unattr_filter, unattr_prohib, unattr_debug;
  bool nonel_count, nonss_count, late_count, shared_all, self_debug_count;
};

constexpr int kChoiceSets = 4 * 4 * 4 * 2 * 2 * 2 * 2 * 2;

Choices ChoicesOf(int set) {
  return {set & 3,
          set >> 2 & 3,
          set >> 4 & 3,
          (set >> 6 & 1) != 0,
          (set >> 7 & 1) != 0,
          (set >> 8 & 1) != 0,
          (set >> 9 & 1) != 0,
          (set >> 10 & 1) != 0};
}

// A case of the table; `when` as in Refusal.
struct Case {
  uint16_t choices;
  uint8_t origin, attribution, when;
};

struct CaseObservation {
  Case c;
  int8_t count;  // what was counted of kCount
};
constexpr int kCount = 3;

class CaseJudge {
 public:
  explicit CaseJudge(const OccurrenceTables &tables = {}) : rows_(tables.refusals) {}

  bool Holds(const CaseObservation &seen) const {
    return seen.count == (Counts(seen.c) ? kCount : 0);
  }

  ::testing::Message Describe(const CaseObservation &seen) const {
    const Case &c = seen.c;
    const Choices choices = ChoicesOf(c.choices);
    return ::testing::Message() << "origin " << int{c.origin} << " attribution "
                                << kAttributions[c.attribution] << " sibling=" << (c.when >> 5 & 1)
                                << " MT=" << (c.when >> 4 & 1) << " halted=" << (c.when >> 3 & 1)
                                << " source halted=" << (c.when >> 2 & 1)
                                << " prohibited=" << (c.when >> 1 & 1)
                                << " filtered=" << (c.when & 1) << "\n  K-UNATTR-FILTER "
                                << choices.unattr_filter << " K-UNATTR-PROHIB "
                                << choices.unattr_prohib << " K-UNATTR-DEBUG "
                                << choices.unattr_debug << " K-ATTR-NONEL-FILTER "
                                << choices.nonel_count << " K-ATTR-NONSS-PROHIB "
                                << choices.nonss_count << " K-DEBUG-LATE " << choices.late_count
                                << " K-SHARED-OTHER " << choices.shared_all << " K-MT-SELF-DEBUG "
                                << choices.self_debug_count << "\n  expected "
                                << (Counts(c) ? kCount : 0) << "\n  observed " << int{seen.count};
  }

 private:
  bool Counts(const Case &c) const {
    for (const Refusal &row : rows_)
      if (row.origins[c.origin] != '0' && row.attributions[c.attribution] != '0' &&
          Fits(row.when, c.when) && !Yields(row.unless, c))
        return false;
    return true;
  }

  static bool Yields(Unless unless, const Case &c) {
    const Choices choices = ChoicesOf(c.choices);
    const bool memory = c.attribution == 1 || c.attribution == 2;  // the class of the event
    switch (unless) {
      case Unless::kNever:
        return false;
      case Unless::kUnattrFilter:
        return !(choices.unattr_filter >> memory & 1);
      case Unless::kUnattrProhib:
        return choices.unattr_prohib >> memory & 1;
      case Unless::kUnattrDebug:
        return choices.unattr_debug >> memory & 1;
      case Unless::kAttrNonelFilter:
        return choices.nonel_count;
      case Unless::kAttrNonssProhib:
        return choices.nonss_count;
      case Unless::kDebugLate:
        return choices.late_count;
      case Unless::kSharedOther:
        return choices.shared_all;
      case Unless::kMtSelfDebug:
        return choices.self_debug_count;
    }
    return false;
  }

  std::vector<Refusal> rows_;
};

class ExhaustiveOccurrenceTest : public SideTest {
 protected:
  // The counters of thread 0: each attribution, MT and filter.
  static constexpr int kCounters = kAttributionsCount * 2 * 2;
  static int AttributionOf(int n) { return n % kAttributionsCount; }
  static int MtOf(int n) { return n / kAttributionsCount & 1; }
  static int IsFiltered(int n) { return n / kAttributionsCount >> 1; }

  // All cases with one set of choices.
  void ObserveCases(int set) {
    Prepare(set);
    for (bool prohibited : {false, true}) {
      // Event counters of the first range are prohibited in EL2, and filtered there by NSH = 0.
      Write(PMUV3_MDCR_EL2, uint64_t{prohibited} << PMUV3_MDCR_EL2_HPMD_LSB | kCounters);
      for (bool sibling : {false, true})
        for (bool halted : {false, true})
          for (bool source_halted : {false, true}) {
            if (!sibling && source_halted != halted) continue;
            for (auto origin : {PMUV3_CURRENT, PMUV3_OTHER, PMUV3_UNATTRIBUTABLE, PMUV3_DEBUGGER}) {
              if (origin == PMUV3_DEBUGGER && !source_halted) continue;
              Observe(set, origin, sibling, halted, source_halted, prohibited);
            }
          }
    }
  }

  void Prepare(int set) {
    const char *const classes[] = {"none", "core", "memory", "all"};
    const char *const counts[] = {"drop", "count"};
    const Choices c = ChoicesOf(set);
    Build("counters=" + std::to_string(kCounters) +
          " threads=2 features=MTPMU,PMUv3p9 K-UNATTR-FILTER=" + classes[c.unattr_filter] +
          " K-UNATTR-PROHIB=" + classes[c.unattr_prohib] + " K-UNATTR-DEBUG=" +
          classes[c.unattr_debug] + " K-ATTR-NONEL-FILTER=" + counts[c.nonel_count] +
          " K-ATTR-NONSS-PROHIB=" + counts[c.nonss_count] + " K-DEBUG-LATE=" +
          counts[c.late_count] + " K-SHARED-OTHER=" + (c.shared_all ? "all" : "attributable") +
          " K-MT-SELF-DEBUG=" + counts[c.self_debug_count]);
    for (int n = 0; n < kCounters; n++)
      Write(PMUV3_PMEVTYPERn(n), Type(kEvents[AttributionOf(n)]).Mt(MtOf(n)).Nsh(!IsFiltered(n)));
    Enable((1 << kCounters) - 1);
  }

  void Observe(int set, pmuv3_origin origin, bool sibling, bool halted, bool source_halted,
               bool prohibited) {
    const unsigned source = sibling;
    // The state that decides is EL2, and whatever else there is is EL1.
    const bool unattributable = origin == PMUV3_UNATTRIBUTABLE;
    const bool own_decides = unattributable || (origin == PMUV3_CURRENT && !sibling);
    SetPe(0, Pe().El(own_decides ? 2 : 1).Halted(halted));
    SetPe(1, Pe().El(origin == PMUV3_CURRENT && sibling ? 2 : 1).Halted(sibling && source_halted));
    Occurrence occurrences[kAttributionsCount] = {{kEvents[0], kCount},
                                                  {kEvents[1], kCount},
                                                  {kEvents[2], kCount},
                                                  {kEvents[3], kCount},
                                                  {kEvents[4], kCount}};
    for (Occurrence &occurrence : occurrences) {
      occurrence.On(source);
      if (origin == PMUV3_OTHER) occurrence.In(2, PMUV3_NS);
      if (origin == PMUV3_UNATTRIBUTABLE) occurrence.Unattributable();
      if (origin == PMUV3_DEBUGGER) occurrence.Debugger();
    }
    Cycle({occurrences[0], occurrences[1], occurrences[2], occurrences[3], occurrences[4]});
    const pmuv3_probe probe = Probe();
    for (int n = 0; n < kCounters; n++) {
      const int when = sibling << 5 | MtOf(n) << 4 | halted << 3 | source_halted << 2 |
                       prohibited << 1 | IsFiltered(n);
      all_.push_back({{static_cast<uint16_t>(set), static_cast<uint8_t>(origin),
                       static_cast<uint8_t>(AttributionOf(n)), static_cast<uint8_t>(when)},
                      static_cast<int8_t>(probe.VB[n])});
    }
  }

  std::vector<CaseObservation> all_;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveOccurrenceTest);

// Changes that refuse, or let another row refuse, what is refused anyway.
std::set<std::string> RefusedAnyway() {
  std::set<std::string> changes = {
      "origins row 0 digit 3 is 0", "when row 1 digit 3 is 1",   // operations of a debugger
      "when row 2 digit 4 is x",                                 // prohibited and filtered
      "when row 8 digit 2 is x",    "when row 10 digit 5 is 0",  // halted and filtered
      "when row 7 digit 1 is 1",    "when row 12 digit 0 is 0",  // of a sibling, with MT = 0
      "when row 13 digit 1 is x",                                // shared, with MT = 0
  };
  for (int row = 2; row < 15; row++)
    changes.insert("origins row " + std::to_string(row) + " digit 3 is 1");
  for (int row : {3, 5})  // rows 2 and 4 refuse these attributions whatever the choices
    for (int digit : {0, 1, 2, 3})
      changes.insert("attributions row " + std::to_string(row) + " digit " + std::to_string(digit) +
                     " is 1");
  for (int row = 8; row < 14; row++)  // row 14 refuses what is Unattributable of own
    changes.insert("attributions row " + std::to_string(row) + " digit 3 is " +
                   (row < 12 ? "0" : "1"));
  return changes;
}

TEST_P(ExhaustiveOccurrenceTest, TableD13_3) {
  for (int set = kChoiceSets - 1; set >= 0; set--) ObserveCases(set);
  // Own: three origins, and the debugger's where halted; a sibling's likewise, halted or not.
  EXPECT_EQ(all_.size(), size_t{kChoiceSets} * 2 * (2 * 3 + 1 + 4 * 3 + 2) * kCounters);
  ExpectAllHold<CaseJudge>(all_);

  Changes<OccurrenceTables> changes;
  changes.Drop("refusals", &OccurrenceTables::refusals);
  changes.Redraw("origins", &OccurrenceTables::refusals, &Refusal::origins, "01");
  changes.Redraw("attributions", &OccurrenceTables::refusals, &Refusal::attributions, "01");
  changes.Redraw("when", &OccurrenceTables::refusals, &Refusal::when, "01x");
  changes.Replace("unless", &OccurrenceTables::refusals, &Refusal::unless,
                  {Unless::kNever, Unless::kUnattrFilter, Unless::kUnattrProhib,
                   Unless::kUnattrDebug, Unless::kAttrNonelFilter, Unless::kAttrNonssProhib,
                   Unless::kDebugLate, Unless::kSharedOther, Unless::kMtSelfDebug});
  ExpectEveryChangeIsFound<CaseJudge>(changes, all_, RefusedAnyway());
}

// ---- Contexts ----

constexpr unsigned kStatesOfAll = 10;  // of an implementation that has all: without S EL3

const State &StateOf(unsigned i) {
  return i == 9 ? kStates[10] : kStates[i];
}

struct ContextCase {
  uint8_t choices;   // K-UNATTR-PROHIB: all, and below it, in the order of Choice, three UNATTR and
                     // three ATTR: permit
  uint8_t controls;  // SPME, MPMX, HPMD
  uint8_t current, context;  // indices of StateOf
};

// Of each occurrence in the context 1 was counted, of each related to it 16.
struct ContextObservation {
  ContextCase c;
  uint8_t counts[4];  // by {range, MT}
  uint8_t instructions;
};

class ContextJudge {
 public:
  explicit ContextJudge(const ContextTables &tables = {}) : tables_(tables) {}

  bool Holds(const ContextObservation &seen) const {
    for (int n = 0; n < 4; n++)
      if (seen.counts[n] != Expected(seen.c, n)) return false;
    return seen.instructions == ExpectedInstructions(seen.c);
  }

  ::testing::Message Describe(const ContextObservation &seen) const {
    ::testing::Message text;
    text << "in " << StateOf(seen.c.current).name << ", context " << StateOf(seen.c.context).name
         << ", {SPME, MPMX, HPMD} " << int{seen.c.controls} << ", choices " << int{seen.c.choices};
    for (int n = 0; n < 4; n++)
      text << "\n  R" << (n >> 1) + 1 << " MT=" << (n & 1) << " expected " << Expected(seen.c, n)
           << " observed " << int{seen.counts[n]};
    text << "\n  instructions expected " << ExpectedInstructions(seen.c) << " observed "
         << int{seen.instructions};
    return text;
  }

 private:
  int Expected(const ContextCase &c, int n) const {
    const bool attributable = !RefusesAttributable(c, n);
    const bool related = CountsUnattributable(c, n) && !RefusesRelated(c, n);
    return attributable + 16 * related;
  }

  int ExpectedInstructions(const ContextCase &c) const {
    const bool attributable = !ProhibitsInstructions(c, c.context);
    const bool here = !ProhibitsInstructions(c, c.current) || CountsProhibited(c);
    return attributable + 16 * (attributable && here);
  }

  // D.6/4d, and D13.6-12 to -14: a part prohibits it, and its choice does not permit it.
  bool RefusesAttributable(const ContextCase &c, int n) const {
    for (const Part &part : tables_.parts)
      if (Prohibits(part, c, c.context, n) &&
          !(Decides(part, c, n) && (c.choices >> part.choice & 1)))
        return true;
    return false;
  }

  // D.6, 3: the counting thread's own state decides.
  bool CountsUnattributable(const ContextCase &c, int n) const {
    for (const Part &part : tables_.parts)
      if (Prohibits(part, c, c.current, n)) return CountsProhibited(c);
    return true;
  }

  // D13.6-12 to -14: a choice decides, and refuses it.
  bool RefusesRelated(const ContextCase &c, int n) const {
    for (const Part &part : tables_.parts)
      if (Prohibits(part, c, c.context, n) && Decides(part, c, n) &&
          !(c.choices >> kChoices >> part.choice & 1))
        return true;
    return false;
  }

  static bool CountsProhibited(const ContextCase &c) { return c.choices >> 2 * kChoices & 1; }

  static bool Prohibits(const Part &part, const ContextCase &c, unsigned state, int n) {
    return Fits(part.when, c.controls) && part.states[state] != '0' && (n >> 1 ? part.r2 : part.r1);
  }

  static bool Decides(const Part &part, const ContextCase &c, int n) {
    const bool mt = n & 1;
    return !mt && part.decides[c.current] != '0';
  }

  bool ProhibitsInstructions(const ContextCase &c, unsigned state) const {
    for (const InstructionPart &part : tables_.instruction)
      if (Fits(part.when, c.controls) && part.states[state] != '0') return true;
    return false;
  }

  ContextTables tables_;
};

class ExhaustiveContextTest : public SideTest {
 protected:
  void Prepare(unsigned choices) {
    const char *const names[] = {"K-NS-COUNT-S-ATTR",     "K-LO-COUNT-EL2-ATTR",
                                 "K-LO-COUNT-SSEL-ATTR",  "K-NS-COUNT-S-UNATTR",
                                 "K-LO-COUNT-EL2-UNATTR", "K-LO-COUNT-SSEL-UNATTR"};
    std::string settings = "counters=4 threads=2";
    for (int i = 0; i < 2 * kChoices; i++)
      settings += std::string(" ") + names[i] + (choices >> i & 1 ? "=permit" : "=refuse");
    settings += std::string(" K-UNATTR-PROHIB=") + (choices >> 2 * kChoices ? "all" : "none");
    Build(settings);
    // Filters count everywhere.
    for (int n = 0; n < 4; n++)
      Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Mt(n & 1).Nsh());
    Write(PMUV3_PMICFILTR, Type().Nsh());
    Enable(UINT64_C(0x10000000F));
  }

  // Counters 0 and 1 in the first range, 2 and 3 in the second.
  void Program(unsigned controls) {
    Write(PMUV3_MDCR_EL3, uint64_t{controls >> 2 & 1} << PMUV3_MDCR_EL3_SPME_LSB |
                              uint64_t{controls >> 1 & 1} << PMUV3_MDCR_EL3_MPMX_LSB |
                              PMUV3_MASK(MDCR_EL3, MTPME));
    Write(PMUV3_MDCR_EL2, uint64_t{controls & 1} << PMUV3_MDCR_EL2_HPMD_LSB | 0x82);
  }

  void Observe(const ContextCase &c) {
    const State &current = StateOf(c.current), &context = StateOf(c.context);
    SetPe(Pe(current.el, current.ss));
    const uint64_t before = Probe().pmicntr;
    Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 1).In(context.el, context.ss),
           Occurrence(PMUV3_EVENT_INST_RETIRED, 16).RelatedTo(context.el, context.ss)});
    const pmuv3_probe probe = Probe();
    ContextObservation seen = {c, {}, static_cast<uint8_t>(probe.pmicntr - before)};
    for (int n = 0; n < 4; n++) seen.counts[n] = static_cast<uint8_t>(probe.VB[n]);
    all_.push_back(seen);
  }

  std::vector<ContextObservation> all_;
};
PMUV3_ON_BOTH_SIDES(ExhaustiveContextTest);

TEST_P(ExhaustiveContextTest, EveryPairOfContextsAndChoice) {
  for (unsigned choices = 0; choices < 1 << (2 * kChoices + 1); choices++) {
    Prepare(choices);
    for (unsigned controls = 0; controls < 8; controls++) {
      Program(controls);
      for (unsigned current = 0; current < kStatesOfAll; current++)
        for (unsigned context = 0; context < kStatesOfAll; context++)
          if (context != current)
            Observe({static_cast<uint8_t>(choices), static_cast<uint8_t>(controls),
                     static_cast<uint8_t>(current), static_cast<uint8_t>(context)});
    }
  }
  EXPECT_EQ(all_.size(), 128u * 8 * 10 * 9);
  ExpectAllHold<ContextJudge>(all_);

  Changes<ContextTables> changes;
  changes.Redraw("parts", &ContextTables::parts, &Part::when, "01x");
  changes.Redraw("states", &ContextTables::parts, &Part::states, "01");
  changes.Flip("ranges", &ContextTables::parts, {&Part::r1, &Part::r2});
  changes.Replace("choices", &ContextTables::parts, &Part::choice,
                  {kNsCountS, kLoCountEl2, kLoCountSsel});
  changes.Redraw("decides", &ContextTables::parts, &Part::decides, "01");
  changes.Redraw("instruction", &ContextTables::instruction, &InstructionPart::when, "01x");
  changes.Redraw("instruction's states", &ContextTables::instruction, &InstructionPart::states,
                 "01");
  ExpectEveryChangeIsFound<ContextJudge>(
      changes, all_,
      {"parts row 2 digit 0 is x",  // row 3 says the same of R1
       "decides row 2 digit 9 is 1",
       "decides row 3 digit 9 is 1"});  // EL3 is no other context of EL3
}

}  // namespace
}  // namespace pmuv3::exhaustive::attribution
