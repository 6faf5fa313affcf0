// The cycles of a run, piece by piece: cycles that have the same occurrences by the run's rates.
#ifndef PMUV3_SPREAD_H
#define PMUV3_SPREAD_H

#include <vector>

#include "pmuv3/run.h"

class pmuv3_spread {
 public:
  // Of a run of so many cycles, with rates that pmuv3_rates_wrong has passed. They must outlive it.
  pmuv3_spread(uint64_t cycles, const std::vector<pmuv3_rate> &rates)
      : cycles_(cycles), rates_(rates), occurrences_(rates.size()) {
    cycle_.occurrences = occurrences_.data();
    cycle_.num_occurrences = static_cast<uint16_t>(rates.size());
  }
  pmuv3_spread(const pmuv3_spread &) = delete;
  pmuv3_spread &operator=(const pmuv3_spread &) = delete;

  // Goes to cycle `done` of the run. Returns how many cycles from there on are alike.
  uint64_t from(uint64_t done) {
    return pmuv3_rates_cycle(done, cycles_, rates_.data(), static_cast<unsigned>(rates_.size()),
                             occurrences_.data());
  }
  const pmuv3_cycle &cycle() const { return cycle_; }
  const std::vector<pmuv3_occurrence> &occurrences() const { return occurrences_; }

 private:
  const uint64_t cycles_;
  const std::vector<pmuv3_rate> &rates_;
  std::vector<pmuv3_occurrence> occurrences_;
  pmuv3_cycle cycle_ = {};
};

#endif
