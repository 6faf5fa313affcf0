// Sets of parameters for the tests of what is present when.
#ifndef PMUV3_PRESENCE_SETS_H
#define PMUV3_PRESENCE_SETS_H

#include <string>
#include <vector>

namespace pmuv3::presence {

// Whether the parameters are possible. Impossible ones are no failure.
bool Possible(const std::string &settings);

// Every feature alone, and all features but one; every level of PMUv3 with each of the pages. Some
// of the sets are not possible.
std::vector<std::string> Boundaries();

// So many possible sets, always the same ones.
std::vector<std::string> RandomSets(unsigned number);

}  // namespace pmuv3::presence

#endif
