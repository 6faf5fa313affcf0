// Google Benchmark as `pmuv3 bench` uses it: repetitions interleaved, a median of each measurement.
#ifndef PMUV3_BENCH_COLLECTOR_H
#define PMUV3_BENCH_COLLECTOR_H

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "testbench/signoff/bench/measure.h"
#include "testbench/signoff/bench/options.h"

// Collects the rate of every repetition, by the name of its measurement.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context &) override { return true; }

  void ReportRuns(const std::vector<Run> &runs) override {
    for (const Run &run : runs) {
      if (run.error_occurred) error_ = run.error_message;
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      rates_[run.run_name.function_name].push_back(run.counters.at("items_per_second"));
    }
  }

  // Empty: no error.
  const std::string &error() const { return error_; }

  // Items per second of processor time. Of a measurement without an error.
  pmuv3_bench_rate RateOf(const std::string &name) {
    std::vector<double> &rates = rates_.at(name);
    std::sort(rates.begin(), rates.end());
    const double median = (rates[(rates.size() - 1) / 2] + rates[rates.size() / 2]) / 2;
    return {median, rates.front(), rates.back()};
  }

 private:
  std::map<std::string, std::vector<double>> rates_;
  std::string error_;
};

inline void InitializeBenchmark(const pmuv3_bench_options &options) {
  std::vector<std::string> words = {
      "pmuv3-bench", "--benchmark_enable_random_interleaving=true",
      "--benchmark_repetitions=" + std::to_string(options.repetitions),
      "--benchmark_min_time=" + std::to_string(options.min_time)};
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
}

#endif
