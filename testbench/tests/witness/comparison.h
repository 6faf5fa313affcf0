// Compares a side with the witness: every access in random states.
#ifndef PMUV3_WITNESS_COMPARISON_H
#define PMUV3_WITNESS_COMPARISON_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbench/tests/witness/states.h"

namespace pmuv3::witness {

using CreateSide = pmuv3_side *(*)(const pmuv3_params *);

struct SideDeleter {
  void operator()(pmuv3_side *side) const { pmuv3_side_destroy(side); }
};
using Side = std::unique_ptr<pmuv3_side, SideDeleter>;

// Differences of one kind: the accesses that show it, how often, and the first.
struct Difference {
  std::set<std::string> accesses;
  uint64_t count = 0;
  std::string example;
};

class Comparison {
 public:
  // The table must outlive the comparison.
  Comparison(const std::vector<Accessor> &table, CreateSide create, uint64_t seed,
             unsigned most_counters);

  // Compares in so many states, of implementations with so many states each.
  void Run(uint64_t states, uint64_t states_of_each);

  // The same, up to the first difference. Whether there is one.
  bool FindsDifference(uint64_t states, uint64_t states_of_each);

  uint64_t accesses() const { return accesses_; }
  const std::map<std::string, Difference> &differences() const { return differences_; }

 private:
  struct Access {
    const Accessor *accessor;
    uint16_t reg;  // the encoding, with n = 0
  };

  void RunState(bool of_new_implementation);
  void NewImplementation();
  void SetEpmn();
  void FillRegisters();
  void NewState();
  void TryReads();
  void TryWrites();
  void TryRead(const Access &access, unsigned n);
  void TryWrite(const Access &access, unsigned n);
  void WriteTwin(const Accessor &accessor, uint16_t reg, uint64_t value, uint64_t reach);
  void EndState();
  void AddWrite(pmuv3_cycle *cycle, pmuv3_cycle *twin_cycle);
  void CompareWritten();
  uint64_t Value(const Accessor &accessor);
  void ForEachCounter(const Access &access,
                      const std::function<void(const Access &, unsigned)> &try_one);
  void CompareSyndrome(const Accessor &accessor, uint16_t reg, const Decision &decision);
  std::string At(const std::string &kind) const;
  bool SameEnd(const Accessor &accessor, uint16_t reg, pmuv3_result result,
               const Decision &decision);
  void Report(const std::string &kind, const std::string &access, const std::string &detail);

  const std::vector<Accessor> &table_;
  CreateSide create_;
  Random random_;
  unsigned most_counters_;
  std::vector<Access> reads_, writes_;

  pmuv3_params params_{};
  Side side_;
  Side twin_;  // a C model that gets the writes that the witness lets through, unchecked
  State state_{};
  struct {
    const Accessor *accessor;
    uint16_t reg;
    Decision decision;
  } in_clock_{};  // the write in the clock of the state's cycle
  unsigned epmn_ = 0;

  uint64_t accesses_ = 0;
  std::map<std::string, Difference> differences_;
};

// The table with a row for the direction that a register lacks, which is UNDEFINED.
std::vector<Accessor> WithMissingDirections(std::vector<Accessor> table);

}  // namespace pmuv3::witness

#endif
