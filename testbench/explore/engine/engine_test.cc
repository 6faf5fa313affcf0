// The engine against libpmuv3: random stimulus, recorded as a trace and as actions, counted by the
// engine and ticked on the C model. Both must have the same state after any number of cycles.
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, as C may
#include "testbench/explore/engine/engine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/cosim/stimulus/prng.h"
#include "testbench/cosim/stimulus/random.h"

namespace {

using Key = std::tuple<uint16_t, uint8_t, uint8_t>;  // event, thread, origin

struct Cycle {
  std::vector<std::pair<uint8_t, pmuv3_pe>> states;  // from this cycle on
  std::vector<std::vector<explore_action>> actions;  // of each PMU
  std::vector<pmuv3_occurrence> occurrences;
};

struct Case {
  pmuv3_params params;
  uint64_t seed;
  unsigned pmus;
  unsigned calm;  // one of so many actions and changes of state is kept
  uint64_t cycles;
  std::vector<explore_action> setup = {};  // before the engine has the PMU
};

// How a case's stimulus is made: of a generator for the trace and the first PMU, and one for each
// other PMU.
class Recording {
 public:
  explicit Recording(const Case &given) : given_(given) {
    pmuv3_prng_seed(&prng_, given.seed);
    for (unsigned p = 0; p < given.pmus; p++)
      generators_.emplace_back(pmuv3_random_create(&given.params, given.seed + 1000 * p),
                               pmuv3_random_destroy);
    for (uint64_t c = 0; c < given.cycles; c++) {
      phase_ = c % kPhase;
      Add();
    }
  }

  // What a test wrote itself.
  Recording(const Case &given, std::vector<Cycle> cycles)
      : given_(given), cycles_(std::move(cycles)) {}

  const std::vector<Cycle> &cycles() const { return cycles_; }

  // The columns that the recorded occurrences need.
  std::vector<pmt_column> Columns() const {
    std::set<Key> keys;
    for (const Cycle &cycle : cycles_)
      for (const pmuv3_occurrence &o : cycle.occurrences) keys.emplace(o.event, o.thread, o.origin);
    std::vector<pmt_column> columns;
    for (const Key &key : keys) {
      pmt_column column = {};
      column.event = std::get<0>(key);
      column.thread = std::get<1>(key);
      column.origin = std::get<2>(key);
      const pmuv3_event *event = pmuv3_event_of_architecture(column.event);
      for (unsigned most = event ? event->most : UINT8_MAX; most; most >>= 1) column.width++;
      const char *mnemonic = pmuv3_event_mnemonic(column.event);
      const std::string name = mnemonic ? mnemonic : "IMP_" + std::to_string(column.event);
      snprintf(column.name, sizeof column.name, "%s", name.c_str());
      columns.push_back(column);
    }
    return columns;
  }

 private:
  // A phase begins with cycles in which everything that the generators do is kept.
  static constexpr uint64_t kPhase = 6000, kBusy = 80;

  bool IsKept() { return phase_ < kBusy || pmuv3_prng_below(&prng_, given_.calm) == 0; }

  void Add() {
    Cycle cycle;
    cycle.actions.resize(given_.pmus);
    for (unsigned p = 0; p < given_.pmus; p++) {
      const pmuv3_item *item;
      while ((item = pmuv3_random_next(generators_[p].get()))->kind != PMUV3_ITEM_CYCLE)
        Note(&cycle, p, *item);
      if (p == 0) NoteOccurrences(&cycle, item->cycle);
      NoteClocked(&cycle, p, item->cycle);
    }
    cycles_.push_back(cycle);
  }

  void Note(Cycle *cycle, unsigned p, const pmuv3_item &item) {
    explore_action action = {};
    action.cycle = cycles_.size();
    action.thread = item.thread;
    switch (item.kind) {
      case PMUV3_ITEM_PE:
        if (p == 0 && IsKept()) cycle->states.emplace_back(item.thread, item.pe);
        return;
      case PMUV3_ITEM_WRITE:
      case PMUV3_ITEM_REFUSED_WRITE:
        action.kind = EXPLORE_WRITE;
        action.write = item.access;
        break;
      case PMUV3_ITEM_MSR:
        action.kind = EXPLORE_MSR;
        action.write = item.access;
        break;
      case PMUV3_ITEM_EXTERNAL_WRITE:
        action.kind = EXPLORE_EXTERNAL;
        action.external = item.external;
        break;
      case PMUV3_ITEM_RESET:
        action.kind = EXPLORE_RESET;
        break;
      default:
        return;
    }
    if (IsKept()) cycle->actions[p].push_back(action);
  }

  void NoteClocked(Cycle *cycle, unsigned p, const pmuv3_cycle &given) {
    if ((given.has_write == 0 && !given.has_external) || !IsKept()) return;
    explore_action action = {};
    action.cycle = cycles_.size();
    action.kind = EXPLORE_CLOCKED;
    action.clocked = given;
    action.clocked.occurrences = nullptr;
    action.clocked.num_occurrences = 0;
    memset(action.clocked.other, 0, sizeof action.clocked.other);
    cycle->actions[p].push_back(action);
  }

  void NoteOccurrences(Cycle *cycle, const pmuv3_cycle &given) {
    for (unsigned o = 0; o < given.num_occurrences; o++) {
      const pmuv3_occurrence &occurrence = given.occurrences[o];
      if ((occurrence.origin == PMUV3_CURRENT || occurrence.origin == PMUV3_UNATTRIBUTABLE) &&
          occurrence.count != 0 && HasColumn(occurrence))
        cycle->occurrences.push_back(occurrence);
    }
  }

  bool HasColumn(const pmuv3_occurrence &o) {
    if (keys_.size() >= 200 && !keys_.count(Key(o.event, o.thread, o.origin))) return false;
    keys_[Key(o.event, o.thread, o.origin)] = true;
    return true;
  }

  const Case given_;
  uint64_t phase_ = 0;
  pmuv3_prng prng_;
  std::vector<std::unique_ptr<pmuv3_random, decltype(&pmuv3_random_destroy)>> generators_;
  std::vector<Cycle> cycles_;
  std::map<Key, bool> keys_;
};

// libpmuv3, ticked.
struct Reference {
  pmuv3 pmu;
  explore_counts counts = {};

  void Do(const explore_action &action) {
    switch (action.kind) {
      case EXPLORE_WRITE:
        pmuv3_write(&pmu, action.thread, action.write.reg, action.write.value);
        break;
      case EXPLORE_MSR:
        pmuv3_msr(&pmu, action.thread, action.write.reg, action.write.value);
        break;
      case EXPLORE_EXTERNAL:
        pmuv3_external_write(&pmu, action.external.thread,
                             static_cast<pmuv3_security_state>(action.external.ss),
                             action.external.offset, action.external.value);
        break;
      case EXPLORE_RESET:
        pmuv3_reset(&pmu);
        break;
      case EXPLORE_CLOCKED:
        break;
    }
  }

  void Tick(const Cycle &cycle, const std::vector<explore_action> &actions) {
    pmuv3_cycle given = {};
    for (const auto &[thread, pe] : cycle.states) pmuv3_set_pe(&pmu, thread, &pe);
    for (const explore_action &action : actions) {
      Do(action);
      if (action.kind == EXPLORE_CLOCKED) given = action.clocked;
    }
    given.occurrences = cycle.occurrences.data();
    given.num_occurrences = static_cast<uint16_t>(cycle.occurrences.size());
    const Fixed before = FixedOf(pmu);
    if (given.has_write != 0 || given.has_external) CountFixed(before, FixedWithoutWrites(given));
    pmuv3_tick(&pmu, &given);
    if (given.has_write == 0 && !given.has_external) CountFixed(before, FixedOf(pmu));
    for (unsigned t = 0; t < pmu.params.threads; t++)
      for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
        counts.counted[t][n] += pmu.thread[t].values.V[pmuv3_lane(n)];
        counts.overflows[t][n] += pmu.thread[t].values.carry[pmuv3_lane(n)] != 0;
      }
  }

 private:
  // The cycle counters and the instruction counters. `top` is their highest bit, as it is before
  // the cycle (PMCR.LC).
  struct Fixed {
    uint64_t value[PMUV3_MAX_THREADS][2], top[PMUV3_MAX_THREADS][2];
  };

  static Fixed FixedOf(const pmuv3 &pmu) {
    Fixed fixed = {};
    for (unsigned t = 0; t < pmu.params.threads; t++) {
      fixed.value[t][0] = pmu.thread[t].state.cycles;
      fixed.value[t][1] = pmu.thread[t].state.instructions;
      fixed.top[t][0] = pmu.thread[t].cycle_config.top;
      fixed.top[t][1] = UINT64_C(1) << 63;
    }
    return fixed;
  }

  // A write in the clock of a cycle hides what a counter adds in it.
  Fixed FixedWithoutWrites(const pmuv3_cycle &given) const {
    auto copy = std::make_unique<pmuv3>(pmu);
    pmuv3_cycle cycle = {};
    cycle.occurrences = given.occurrences;
    cycle.num_occurrences = given.num_occurrences;
    pmuv3_tick(copy.get(), &cycle);
    return FixedOf(*copy);
  }

  void CountFixed(const Fixed &before, const Fixed &after) {
    for (unsigned t = 0; t < pmu.params.threads; t++)
      for (unsigned i = 0; i < 2; i++) {
        const uint64_t from = before.value[t][i], to = after.value[t][i];
        const unsigned bit = i == 0 ? EXPLORE_CYCLES : EXPLORE_INSTRUCTIONS;
        counts.counted[t][bit] += to - from;
        counts.overflows[t][bit] += (from & ~to & before.top[t][i]) != 0;
      }
  }
};

#define EXPECT_SAME(member) \
  if (memcmp(&a.member, &b.member, sizeof a.member) != 0) return #member

// The first difference between two PMUs. "": there is none.
std::string Difference(const pmuv3_thread &a, const pmuv3_thread &b) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    const unsigned i = pmuv3_lane(n);
    if (a.state.value[i] != b.state.value[i]) return "value of counter " + std::to_string(n);
    if (a.state.CP[i] != b.state.CP[i]) return "CP of counter " + std::to_string(n);
  }
  EXPECT_SAME(registers.overflow);
  EXPECT_SAME(state.cycles);
  EXPECT_SAME(state.divider);
  EXPECT_SAME(state.instructions);
  EXPECT_SAME(state.pending);
  EXPECT_SAME(state.waiting);
  EXPECT_SAME(registers);
  EXPECT_SAME(saved);
  return "";
}

std::string CountsDifference(const explore_counts &a, const explore_counts &b, unsigned threads) {
  for (unsigned t = 0; t < threads; t++)
    for (unsigned n = 0; n < EXPLORE_BITS; n++) {
      if (a.counted[t][n] != b.counted[t][n])
        return "what counter " + std::to_string(n) + " counted";
      if (a.overflows[t][n] != b.overflows[t][n])
        return "overflows of counter " + std::to_string(n);
    }
  return "";
}

class TraceFile {
 public:
  TraceFile(const Recording &recording, unsigned threads) : columns_(recording.Columns()) {
    pmt_header header = {};
    header.block_cycles = 8192;
    header.threads = static_cast<uint16_t>(threads);
    header.num_columns = static_cast<uint16_t>(columns_.size());
    header.columns = columns_.data();
    header.generator = header.command = header.core = "";
    std::map<Key, unsigned> place;
    for (unsigned c = 0; c < columns_.size(); c++)
      place[Key(columns_[c].event, columns_[c].thread, columns_[c].origin)] = c;
    FILE *file = fopen(path_.c_str(), "wb");
    const char *why = nullptr;
    pmt_writer *writer = pmt_writer_open(file, &header, &why);
    EXPECT_NE(writer, nullptr) << why;
    for (const Cycle &cycle : recording.cycles()) {
      for (const auto &[thread, pe] : cycle.states) pmt_writer_state(writer, thread, &pe);
      for (const pmuv3_occurrence &o : cycle.occurrences)
        pmt_writer_add(writer, place[Key(o.event, o.thread, o.origin)], o.count);
      pmt_writer_next(writer);
    }
    why = pmt_writer_close(writer);
    EXPECT_EQ(why, nullptr) << why;
    fclose(file);
    char error[256];
    reader = pmt_reader_open(path_.c_str(), error, sizeof error);
    EXPECT_NE(reader, nullptr) << error;
    block = pmt_block_new(reader);
  }
  ~TraceFile() {
    pmt_block_free(block);
    pmt_reader_close(reader);
    unlink(path_.c_str());
  }

  pmt_reader *reader;
  pmt_block *block;

 private:
  const std::string path_ = testing::TempDir() + "engine." + std::to_string(getpid()) + ".pmt";
  std::vector<pmt_column> columns_;
};

const explore_kernels *Kernels(uint64_t seed) {
  unsigned num = 0;
  while (explore_kernels_all()[num]) num++;
  return explore_kernels_all()[seed % num];
}

// Ranges of all lengths; one of four goes to the end of the block.
uint32_t NextEnd(pmuv3_prng *prng, uint32_t from, uint32_t end) {
  if (pmuv3_prng_chance(prng, 64)) return end;
  const uint32_t most = 1u << pmuv3_prng_below(prng, 14);
  return std::min(from + 1 + pmuv3_prng_below(prng, most), end);
}

bool HasAction(const Cycle &cycle) {
  for (const auto &actions : cycle.actions)
    if (!actions.empty()) return true;
  return false;
}

// Behind the first cycle from `from` on in which something is done; at most `end`.
uint32_t EndBehindAction(const std::vector<Cycle> &cycles, uint64_t first, uint32_t from,
                         uint32_t end) {
  while (from + 1 < end && !HasAction(cycles[first + from])) from++;
  return from + 1;
}

// Counts a case in both ways. `ticked` and `cycles` say how much the engine left to the C model.
void Compare(const Case &given, const Recording &recording, uint64_t *ticked, uint64_t *cycles) {
  TraceFile file(recording, given.params.threads);
  explore_engine *engine = explore_engine_new(pmt_reader_header(file.reader), Kernels(given.seed));
  std::vector<explore_pmu *> pmus;
  std::vector<Reference> references(given.pmus);
  for (unsigned p = 0; p < given.pmus; p++) {
    ASSERT_EQ(pmuv3_init(&references[p].pmu, &given.params), nullptr);
    for (const explore_action &action : given.setup) references[p].Do(action);
    pmus.push_back(explore_engine_add(engine, &references[p].pmu));
    for (const Cycle &cycle : recording.cycles())
      for (const explore_action &action : cycle.actions[p])
        ASSERT_TRUE(explore_pmu_act(pmus[p], &action));
  }
  pmuv3_prng prng;
  pmuv3_prng_seed(&prng, given.seed ^ 99);
  for (uint64_t b = 0; b < pmt_reader_blocks(file.reader); b++) {
    char error[256];
    ASSERT_TRUE(pmt_reader_read(file.reader, b, nullptr, file.block, error, sizeof error)) << error;
    for (uint32_t from = 0; from < file.block->cycles;) {
      uint32_t to = NextEnd(&prng, from, file.block->cycles);
      if (pmuv3_prng_chance(&prng, 64))
        to = EndBehindAction(recording.cycles(), file.block->first, from, to);
      ASSERT_TRUE(explore_engine_run(engine, file.block, from, to));
      for (unsigned p = 0; p < given.pmus; p++) {
        for (uint32_t c = from; c < to; c++) {
          const Cycle &cycle = recording.cycles()[file.block->first + c];
          references[p].Tick(cycle, cycle.actions[p]);
        }
        std::string what;
        for (unsigned t = 0; what.empty() && t < given.params.threads; t++)
          what = Difference(pmus[p]->pmu.thread[t], references[p].pmu.thread[t]);
        if (what.empty())
          what = CountsDifference(pmus[p]->counts, references[p].counts, given.params.threads);
        ASSERT_EQ(what, "") << "PMU " << p << ", cycles " << file.block->first + from << " to "
                            << file.block->first + to << ", seed " << given.seed;
      }
      from = to;
    }
  }
  *cycles += recording.cycles().size() * given.pmus;
  for (const explore_pmu *pmu : pmus)
    for (const uint64_t some : pmu->ticked) *ticked += some;
  explore_engine_free(engine);
}

unsigned Cases(unsigned otherwise) {
  const char *given = getenv("PMUV3_EXPLORE_CASES");
  return given ? static_cast<unsigned>(atoi(given)) : otherwise;
}

// Every feature that parameters can have, several numbers of counters and threads.
Case AnyCase(uint64_t seed, unsigned calm) {
  pmuv3_prng prng;
  pmuv3_prng_seed(&prng, seed);
  Case made = {pmuv3_params_default(), seed, 1 + pmuv3_prng_below(&prng, 3), calm,
               2000 + pmuv3_prng_below(&prng, 18000)};
  made.params.counters =
      static_cast<uint8_t>(pmuv3_prng_chance(&prng, 128) ? 31 : pmuv3_prng_below(&prng, 32));
  made.params.threads =
      static_cast<uint8_t>(pmuv3_prng_chance(&prng, 160) ? 1 : 1 + pmuv3_prng_below(&prng, 4));
  made.params.k_restc = pmuv3_prng_chance(&prng, 128);
  made.params.k_shared_other = pmuv3_prng_chance(&prng, 128);
  made.params.k_unattr_filter = static_cast<uint8_t>(pmuv3_prng_below(&prng, 4));
  made.params.k_unattr_prohib = static_cast<uint8_t>(pmuv3_prng_below(&prng, 4));
  made.params.k_unattr_debug = static_cast<uint8_t>(pmuv3_prng_below(&prng, 4));
  for (const unsigned feature : {PMUV3_FEATURE_SS, PMUV3_FEATURE_SPE, PMUV3_FEATURE_EXT64,
                                 PMUV3_FEATURE_EXTPMN, PMUV3_FEATURE_DPFZS})
    if (pmuv3_prng_chance(&prng, 64)) made.params.features |= 1u << feature;
  if (pmuv3_prng_chance(&prng, 64))
    made.params.features &= ~(1u << pmuv3_prng_below(&prng, PMUV3_NUM_FEATURES));
  // Counters have 32 bits before PMUv3p5. No feature that implies PMUv3p5 may stay.
  if (pmuv3_prng_chance(&prng, 48))
    for (const unsigned feature :
         {PMUV3_FEATURE_PMUv3p5, PMUV3_FEATURE_PMUv3p7, PMUV3_FEATURE_PMUv3p8,
          PMUV3_FEATURE_PMUv3p9, PMUV3_FEATURE_ICNTR, PMUV3_FEATURE_SS, PMUV3_FEATURE_FGWTE3,
          PMUV3_FEATURE_SPE, PMUV3_FEATURE_DPFZS})
      made.params.features &= ~(1u << feature);
  EXPECT_EQ(pmuv3_params_complete(&made.params), nullptr);
  return made;
}

void RunAll(unsigned cases, unsigned calm, uint64_t first_seed, double *share) {
  uint64_t ticked = 0, cycles = 0;
  for (unsigned i = 0; i < cases; i++) {
    // Every other case is far calmer: whole chunks are counted at once.
    const Case made = AnyCase(first_seed + i, i % 2 == 0 ? calm : calm * 100);
    Compare(made, Recording(made), &ticked, &cycles);
    if (testing::Test::HasFatalFailure()) return;
  }
  *share = static_cast<double>(ticked) / static_cast<double>(cycles);
  testing::Test::RecordProperty("cycles", std::to_string(cycles));
}

// Something is done to the PMUs in most cycles.
TEST(EngineTest, EqualsTheModelUnderDenseActions) {
  double ticked = 0;
  RunAll(Cases(6), 1, 1, &ticked);
}

// Actions are rare, as in a trace of a program: planes decide most cycles.
TEST(EngineTest, EqualsTheModelUnderRareActions) {
  double ticked = 0;
  RunAll(Cases(24), 1000, 10001, &ticked);
  EXPECT_LT(ticked, 0.5);
  printf("ticked: %.3f\n", ticked);
}

explore_action Write(uint64_t cycle, uint16_t reg, uint64_t value) {
  explore_action action = {};
  action.cycle = cycle;
  action.kind = EXPLORE_WRITE;
  action.write.reg = reg;
  action.write.value = value;
  return action;
}

// The freeze on SPE events holds the cycle counter only with DPFZS; the freeze on overflow holds it
// where PMCR.DP is 1. So the second freeze matters though the first already holds the range.
TEST(EngineTest, AFreezeOnOverflowJoinsThatOfSpe) {
  Case given = {pmuv3_params_default(), 1, 1, 1, 0};
  given.params.features |= 1u << PMUV3_FEATURE_SPE;
  ASSERT_EQ(pmuv3_params_complete(&given.params), nullptr);
  pmuv3 pmu;
  ASSERT_EQ(pmuv3_init(&pmu, &given.params), nullptr);
  pmuv3_pe pe = pmu.pe[0];
  pe.spe = 1;
  const uint64_t pmcr =
      PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, DP) | PMUV3_MASK(PMCR, FZO) | PMUV3_MASK(PMCR, FZS);
  std::vector<Cycle> cycles(5000);
  for (Cycle &cycle : cycles) cycle.actions.resize(1);
  cycles[0].states.emplace_back(0, pe);
  cycles[0].occurrences = {{0x0008, 1, 0, PMUV3_CURRENT}};
  cycles[0].actions[0] = {Write(0, PMUV3_PMCR, pmcr),
                          Write(0, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C))};
  cycles[1000].actions[0] = {Write(1000, PMUV3_PMOVSSET, 1)};
  uint64_t ticked = 0, counted = 0;
  Compare(given, Recording(given, cycles), &ticked, &counted);
}

// Software increments that waited when the engine got the PMU count in the first cycle.
TEST(EngineTest, WaitingIncrementsCount) {
  Case given = {pmuv3_params_default(), 1, 2, 1, 0};
  ASSERT_EQ(pmuv3_params_complete(&given.params), nullptr);
  given.setup = {Write(0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_SW_INCR), Write(0, PMUV3_PMCNTENSET, 1),
                 Write(0, PMUV3_PMCR, PMUV3_MASK(PMCR, E)), Write(0, PMUV3_PMSWINC, 1)};
  std::vector<Cycle> cycles(5000);
  for (Cycle &cycle : cycles) cycle.actions.resize(2);
  cycles[0].occurrences = {{0x0008, 1, 0, PMUV3_CURRENT}};
  uint64_t ticked = 0, counted = 0;
  Compare(given, Recording(given, cycles), &ticked, &counted);
}

}  // namespace
