// Tables with one mistake, to show that the comparison would see it.
#ifndef PMUV3_WITNESS_MUTANTS_H
#define PMUV3_WITNESS_MUTANTS_H

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "testbench/tests/witness/states.h"

namespace pmuv3::witness {

// A row with one check less, or with two neighbours swapped, at one Exception level.
struct Mutant {
  std::string text;
  Op op;            // the check that is missing, or that comes too late
  bool equivalent;  // no state can tell the mutant from the row
  bool on_sides;    // a side has the register, and the inputs of the checks
  unsigned el;
  Accessor original, accessor;
};

// All of a table's.
std::vector<Mutant> Mutants(const std::vector<Accessor> &table);

// Rows of which EL0 or EL1 reaches more than it may, by the name of the reach.
std::map<std::string, std::vector<Mutant>> ReachMutants(const std::vector<Accessor> &table);

// Those that a side can show, by the kind of check.
std::map<Op, std::vector<Mutant>> OnSides(const std::vector<Mutant> &mutants);

// Random states with every input of the witness.
class Pool {
 public:
  Pool(uint64_t seed, unsigned size);
  bool TellsApart(const Mutant &mutant) const;

 private:
  std::deque<pmuv3_params> params_;
  std::vector<State> states_;
};

}  // namespace pmuv3::witness

#endif
