// The measurements, with Google Benchmark. An iteration is a lap: the same stimulus from the first
// to the last item. The PMU keeps its state from lap to lap.
#include "testbench/signoff/bench/measure.h"

#include <cstdio>
#include <memory>
#include <systemc>
#include <vector>

#include "testbench/cosim/run/driver.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/random.h"
#include "testbench/signoff/bench/collector.h"
#include "tlm_wrapper/pmuv3_tlm.h"
#include "tlm_wrapper/side_rtl.h"

namespace {

constexpr uint64_t kLapCycles = 8192;
constexpr uint64_t kSeed = 1;
constexpr uint32_t kXSeed = 1;

using Random = std::unique_ptr<pmuv3_random, decltype(&pmuv3_random_destroy)>;
using Side = std::unique_ptr<pmuv3_side, decltype(&pmuv3_side_destroy)>;

// Items that set each thread's state to the first state of a stimulus.
std::vector<pmuv3_item> FirstStates(const pmuv3_params &params) {
  std::vector<pmuv3_item> states(params.threads);
  for (unsigned t = 0; t < params.threads; t++) {
    states[t].kind = PMUV3_ITEM_PE;
    states[t].thread = static_cast<uint8_t>(t);
    states[t].pe = PMUV3_PE_RESET;
  }
  return states;
}

// The stimulus of a lap, generated beforehand. A lap begins with the threads' states, since another
// lap may have changed them, and ends with a cycle.
class Lap {
 public:
  explicit Lap(const pmuv3_params &params) : items_(FirstStates(params)) {
    Random random(pmuv3_random_create(&params, kSeed), pmuv3_random_destroy);
    for (uint64_t cycles = 0; cycles < kLapCycles;) {
      const pmuv3_item *item = pmuv3_random_next(random.get());
      items_.push_back(*item);
      if (item->kind != PMUV3_ITEM_CYCLE) continue;
      cycles++;
      const pmuv3_occurrence *first = item->cycle.occurrences;
      occurrences_.insert(occurrences_.end(), first, first + item->cycle.num_occurrences);
    }
    Attach();
  }

  const std::vector<pmuv3_item> &items() const { return items_; }

 private:
  // Sets the pointers to occurrences. The vectors must not grow afterwards.
  void Attach() {
    const pmuv3_occurrence *next = occurrences_.data();
    for (pmuv3_item &item : items_) {
      if (item.kind != PMUV3_ITEM_CYCLE) continue;
      item.cycle.occurrences = next;
      next += item.cycle.num_occurrences;
    }
  }

  std::vector<pmuv3_item> items_;
  std::vector<pmuv3_occurrence> occurrences_;
};

void CountCycles(benchmark::State &state) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kLapCycles));
}

// ---- One side alone ----

void WriteExternal(pmuv3_side *side, const pmuv3_external &access) {
  pmuv3_side_external_write(side, access.thread, static_cast<pmuv3_security_state>(access.ss),
                            access.offset, access.value);
}

void ReadExternal(pmuv3_side *side, const pmuv3_external &access) {
  uint32_t value;
  pmuv3_side_external_read(side, access.thread, static_cast<pmuv3_security_state>(access.ss),
                           access.offset, &value);
}

void RunOn(pmuv3_side *side, const Lap &lap) {
  uint64_t value;
  for (const pmuv3_item &item : lap.items()) {
    switch (item.kind) {
      case PMUV3_ITEM_WRITE:
      case PMUV3_ITEM_REFUSED_WRITE:
        pmuv3_side_write(side, item.thread, item.access.reg, item.access.value);
        break;
      case PMUV3_ITEM_READ:
      case PMUV3_ITEM_REFUSED_READ:
        pmuv3_side_read(side, item.thread, item.access.reg, &value);
        break;
      case PMUV3_ITEM_MSR:
        pmuv3_side_msr(side, item.thread, item.access.reg, item.access.value);
        break;
      case PMUV3_ITEM_MRS:
        pmuv3_side_mrs(side, item.thread, item.access.reg, &value);
        break;
      case PMUV3_ITEM_EXTERNAL_WRITE:
        WriteExternal(side, item.external);
        break;
      case PMUV3_ITEM_EXTERNAL_READ:
        ReadExternal(side, item.external);
        break;
      case PMUV3_ITEM_RESET:
        pmuv3_side_reset(side);
        break;
      case PMUV3_ITEM_PE:
        pmuv3_side_set_pe(side, item.thread, &item.pe);
        break;
      default:
        pmuv3_side_cycle(side, &item.cycle);
    }
  }
}

void MeasureSide(benchmark::State &state, const Lap &lap, pmuv3_side *side) {
  for (auto _ : state) RunOn(side, lap);
  CountCycles(state);
}

// ---- Lockstep in the TLM module ----

// The TLM module and its environment, as in `pmuv3 run`.
class Bench {
 public:
  Bench(const pmuv3_params &params, const Lap &lap)
      : lap_(lap),
        random_(pmuv3_random_create(&params, kSeed), pmuv3_random_destroy),
        states_(FirstStates(params)),
        lockstep_(pmuv3_side_lockstep(pmuv3_side_cmodel(&params), pmuv3_side_rtl(&params, kXSeed))),
        spy_(new pmuv3::Spy(lockstep_)),
        pmu_("pmu", spy_),
        driver_("driver", pmu_, *spy_, lockstep_, period_, [this] { return Next(); }),
        irq_("irq", params.threads) {
    pmu_.clk(clock_);
    pmu_.irq(irq_);
    driver_.registers.bind(pmu_.registers);
    driver_.external.bind(pmu_.external);
    driver_.events.bind(pmu_.events);
  }

  void Measure(benchmark::State &state, bool generated) {
    generates_ = generated;
    next_ = 0;
    uint64_t before = pmuv3_lockstep_cycles(lockstep_);
    for (auto _ : state) sc_core::sc_start(static_cast<double>(kLapCycles) * period_);
    state.SetItemsProcessed(static_cast<int64_t>(pmuv3_lockstep_cycles(lockstep_) - before));
    // A lockstep that diverged compares no more, so its speed would be wrong.
    if (const char *wrong = pmuv3_lockstep_wrong(lockstep_)) state.SkipWithError(wrong);
    if (pmuv3_lockstep_divergence(lockstep_)) state.SkipWithError("the sides diverged");
  }

 private:
  // The next item: of the lap, or generated.
  const pmuv3_item *Next() {
    if (generates_) return Generate();
    if (next_ == lap_.items().size()) next_ = 0;
    return &lap_.items()[next_++];
  }

  // The generator continues from its last states. A lap may have changed these.
  const pmuv3_item *Generate() {
    if (next_ < states_.size()) return &states_[next_++];
    const pmuv3_item *item = pmuv3_random_next(random_.get());
    if (item->kind == PMUV3_ITEM_PE) states_[item->thread] = *item;
    return item;
  }

  const sc_core::sc_time period_{1, sc_core::SC_NS};
  const Lap &lap_;
  size_t next_ = 0;
  bool generates_ = false;
  Random random_;
  std::vector<pmuv3_item> states_;  // each thread's state in the generator
  pmuv3_side *lockstep_;            // owned by the spy
  pmuv3::Spy *spy_;                 // owned by the TLM module
  pmuv3_tlm pmu_;
  pmuv3::Driver driver_;
  sc_core::sc_clock clock_{"clock", period_, 0.5, period_};
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_;
};

// ---- Results ----

constexpr const char *kNames[PMUV3_BENCH_NUM_SUBJECTS] = {"cmodel", "rtl", "lockstep", "generated"};

}  // namespace

// The SystemC kernel's own main does not run, but the library needs this symbol.
int sc_main(int, char **) {
  return 0;
}

void pmuv3_bench_measure(const pmuv3_params *params, const pmuv3_bench_options *options,
                         pmuv3_bench_row *row) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  const Lap lap(*params);
  Side cmodel(pmuv3_side_cmodel(params), pmuv3_side_destroy);
  Side rtl(pmuv3_side_rtl(params, kXSeed), pmuv3_side_destroy);
  Bench bench(*params, lap);

  InitializeBenchmark(*options);
  benchmark::RegisterBenchmark(kNames[PMUV3_BENCH_CMODEL], MeasureSide, lap, cmodel.get());
  benchmark::RegisterBenchmark(kNames[PMUV3_BENCH_RTL], MeasureSide, lap, rtl.get());
  for (bool generated : {false, true})
    benchmark::RegisterBenchmark(
        kNames[generated ? PMUV3_BENCH_GENERATED : PMUV3_BENCH_LOCKSTEP],
        [&bench, generated](benchmark::State &state) { bench.Measure(state, generated); });
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::snprintf(row->error, sizeof row->error, "%s", collector.error().c_str());
  for (int s = 0; s < PMUV3_BENCH_NUM_SUBJECTS && collector.error().empty(); s++)
    row->rates[s] = collector.RateOf(kNames[s]);
}
