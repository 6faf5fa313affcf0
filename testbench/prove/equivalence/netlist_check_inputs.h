// Random inputs of the RTL's ports, chosen so that counters count and accesses take effect.
#ifndef PMUV3_PROVE_NETLIST_CHECK_INPUTS_H
#define PMUV3_PROVE_NETLIST_CHECK_INPUTS_H

#include <string>

#include "testbench/cosim/stimulus/prng.h"
#include "testbench/prove/equivalence/netlist_check_rtl.h"

namespace pmuv3::prove {

class Random {
 public:
  explicit Random(uint64_t seed) { pmuv3_prng_seed(&prng_, seed); }

  uint64_t Bits() { return pmuv3_prng_next(&prng_); }
  unsigned Below(unsigned n) { return pmuv3_prng_below(&prng_, n); }
  bool Chance(unsigned of_256) { return pmuv3_prng_chance(&prng_, of_256); }
  bool Is(unsigned n) { return Below(n) == 0; }

  Words Of(unsigned width) {
    Words words((width + 63) / 64);
    for (uint64_t &word : words) word = Bits();
    if (width % 64) words.back() &= ~UINT64_C(0) >> (64 - width % 64);
    return words;
  }

 private:
  pmuv3_prng prng_;
};

class Inputs {
 public:
  Inputs(const Size &size, uint64_t seed) : size_(size), random_(seed) {}

  // A configuration, which is static between two resets. Any bits will do, but not more threads or
  // counters than the size has.
  Words Configuration(unsigned width);

  // A row for each event that has an input: a number that is not taken yet, or none; any class,
  // attribution and traits.
  Words Events(unsigned width);

  // The next value of a port.
  Words Of(const std::string &name, unsigned width);

  Random &random() { return random_; }

 private:
  Words Each(unsigned width, uint64_t (Inputs::*value)());
  bool IsCycle();
  uint64_t Some(const std::string &name);
  uint64_t Register();
  uint64_t Data();
  uint64_t Offset();
  Words Occurrences(unsigned width);
  Words States(unsigned width);

  const Size &size_;
  Random random_;
  unsigned cycle_share_ = 240;  // of 256 clocks
};

}  // namespace pmuv3::prove

#endif
