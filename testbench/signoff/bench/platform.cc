// The time of a platform's calls.
#include "testbench/signoff/bench/platform.h"

#include <cstdio>
#include <string>

#include "testbench/signoff/bench/calls.h"
#include "testbench/signoff/bench/collector.h"

namespace {

void Measure(benchmark::State &state, pmuv3::Core *core, pmuv3_bench_call call) {
  for (auto _ : state) core->Call(call);
  if (core->is_refused) state.SkipWithError("an access was refused");
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

}  // namespace

const char *pmuv3_bench_call_name(pmuv3_bench_call call) {
  static const char *const names[PMUV3_BENCH_NUM_CALLS] = {"read",
                                                           "write",
                                                           "checked read",
                                                           "checked write",
                                                           "advance 1,000,000 cycles",
                                                           "run 1,000 cycles with events"};
  return names[call];
}

void pmuv3_bench_measure_platform(const pmuv3_bench_options *options,
                                  pmuv3_bench_platform *platform) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  pmuv3::Platform calls;
  InitializeBenchmark(*options);
  for (int c = 0; c < PMUV3_BENCH_NUM_CALLS; c++) {
    const auto call = static_cast<pmuv3_bench_call>(c);
    benchmark::RegisterBenchmark(("nothing" + std::to_string(c)).c_str(), Measure,
                                 &calls.of_nothing, call);
    benchmark::RegisterBenchmark(("module" + std::to_string(c)).c_str(), Measure, &calls.of_module,
                                 call);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  std::snprintf(platform->error, sizeof platform->error, "%s", collector.error().c_str());
  for (int c = 0; c < PMUV3_BENCH_NUM_CALLS && collector.error().empty(); c++) {
    platform->nothing[c] = collector.RateOf("nothing" + std::to_string(c));
    platform->module[c] = collector.RateOf("module" + std::to_string(c));
  }
}
