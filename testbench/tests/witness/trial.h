// Compares a side with pseudocode of the manual (pseudocode.h), in random states.
#ifndef PMUV3_WITNESS_TRIAL_H
#define PMUV3_WITNESS_TRIAL_H

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "testbench/tests/witness/comparison.h"
#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {

class Trial {
 public:
  Trial(CreateSide create, uint64_t seed, unsigned most_counters)
      : random_(seed), create_(create), most_counters_(most_counters) {}
  virtual ~Trial() = default;

  // A mistake in the witness: the check that it has the wrong way round.
  void Mistake(const std::string &check) { mistake_ = check; }

  // Compares in so many states, or up to the first difference.
  void Run(uint64_t states, bool to_first);

  // The first difference of each kind.
  const std::map<std::string, std::string> &differences() const { return differences_; }
  // Notes the checks that the witness makes.
  void NoteChecks() { notes_ = true; }
  const std::set<std::string> &checks() const { return checks_; }

 protected:
  // Makes often what is rare among random parameters, and matters here.
  virtual void Adapt(pmuv3_params *params) = 0;

  static unsigned Mask(pmuv3_feature feature) { return 1u << feature; }
  // Adds the feature to one of `n` implementations.
  void AddOneIn(unsigned n, pmuv3_feature feature, pmuv3_params *params);
  // A multi-threaded extension of before Armv8.6, where one can be.
  void ChooseLegacyMt(pmuv3_params *params);

  // Draws a state of the implementation, and compares.
  virtual void CompareState() = 0;

  // What the witness's state is, for a message.
  virtual std::string Text() const = 0;

  // Notes a difference, if there is one.
  void Same(const std::string &what, uint64_t is, uint64_t expected);

  // Unchecked accesses of thread 0.
  void Write(uint16_t reg, uint64_t value) { pmuv3_side_write(side_.get(), 0, reg, value); }
  uint64_t Read(uint16_t reg);
  // EPMN and EPME. Only the most secure access reaches PMCCR; the others change nothing.
  void WritePmccr(uint32_t value);
  // Random values in counters, of which WritePmccr has put all in reach. Captures of them all.
  void WriteCounters();
  void Capture();

  // The registers of thread 0 in a state.
  void ReadMachine(const pmuv3_pe &pe, Machine *machine);

  // Bits of which about one in 2 * `n` is 1.
  uint64_t Sparse(unsigned n);

  Random random_;
  pmuv3_params params_{};
  Side side_;

 private:
  void NewImplementation();

  CreateSide create_;
  unsigned most_counters_;
  std::string mistake_;
  bool notes_ = false;
  std::set<std::string> checks_;
  std::map<std::string, std::string> differences_;
};

// Each check matters: the comparison sees a witness that has one of them the wrong way round,
// except those that no state can tell apart. At least so many checks are expected.
template <class SomeTrial>
void ExpectEachMistakeIsSeen(unsigned most_counters, uint64_t states, size_t least_checks,
                             const std::set<std::string> &equivalent) {
  SomeTrial right(pmuv3_side_cmodel, 2, most_counters);
  right.NoteChecks();
  right.Run(states, false);
  EXPECT_TRUE(right.differences().empty());
  EXPECT_GE(right.checks().size(), least_checks);
  for (const std::string &check : right.checks()) {
    SomeTrial wrong(pmuv3_side_cmodel, 2, most_counters);
    wrong.Mistake(check);
    wrong.Run(states, true);
    EXPECT_EQ(wrong.differences().empty(), equivalent.count(check) == 1) << check;
  }
}

// A number from the environment, where it makes a campaign of the fast test.
uint64_t FromEnvironment(const char *name, uint64_t otherwise);

}  // namespace pmuv3::witness

#endif
