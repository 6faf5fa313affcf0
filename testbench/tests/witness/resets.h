// What each field holds after a reset: the lines of resets.txt. Its head says what the words mean.
#ifndef PMUV3_WITNESS_RESETS_H
#define PMUV3_WITNESS_RESETS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {

class Resets;

// All of these are so, or not so.
struct Condition {
  using Fact = bool (*)(const Resets &);
  std::vector<std::pair<Fact, bool>> facts;

  bool Holds(const Resets &resets) const;
};

// A line of resets.txt.
struct Field {
  enum View { kMrs, kMrc, kExternal };
  struct Outcome {
    enum Kind { kNumber, kNum, kKept, kUnknown } kind;
    uint64_t number;
    Condition condition;
    std::string name;  // "PMCR_EL0.FZS[32] Warm AA32:0"
  };
  std::string name, reg;  // "PMCR_EL0.FZS[32]", "PMCR_EL0"
  View view;
  unsigned msb, lsb;
  Condition needs;
  std::vector<Outcome> cold, warm;

  uint64_t Of(uint64_t value) const { return value >> lsb & ~UINT64_C(0) >> (63 - msb + lsb); }
};

// The fields of resets.txt. An error in the file throws std::runtime_error.
const std::vector<Field> &Fields();

// Decides what a thread's fields hold after a reset. pmccr is that of after the reset.
class Resets : public Machine {
 public:
  bool Has(pmuv3_feature feature) const { return Machine::Has(feature); }
  bool CanAa32(unsigned el) const { return pmuv3_can_aa32(params, el); }

  // How many of the field's register the view reaches, by n.
  unsigned NumberOf(const Field &field) const;

  // What decides about the field after the reset.
  const Field::Outcome &After(const Field &field, bool cold) const;

  // What the field then holds. The outcome is not kUnknown.
  uint64_t Value(const Field &field, const Field::Outcome &outcome, uint64_t before) const;
};

}  // namespace pmuv3::witness

#endif
