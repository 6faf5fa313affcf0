// The states of a thread, and the features that they need (specification A.2, formats.md section
// 2), typed as data.
#ifndef PMUV3_STATES_H
#define PMUV3_STATES_H

#include <string>
#include <utility>

#include "testbench/tests/unit/side_test.h"

namespace pmuv3::exhaustive {

// Whether a value fits a pattern of digits, most significant first. x: any digit.
inline bool Fits(const std::string &pattern, unsigned value) {
  for (size_t i = 0; i < pattern.size(); i++) {
    const char digit = (value >> (pattern.size() - 1 - i) & 1) ? '1' : '0';
    if (pattern[i] != 'x' && pattern[i] != digit) return false;
  }
  return true;
}

struct State {
  const char *name;
  unsigned el;
  pmuv3_security_state ss;
  const char *needs;  // of EL2, EL3, SEL2, RME
};

constexpr State kStates[] = {
    {"NS EL0", 0, PMUV3_NS, "xxxx"}, {"S EL0", 0, PMUV3_S, "xxxx"},
    {"RL EL0", 0, PMUV3_RL, "xxx1"}, {"NS EL1", 1, PMUV3_NS, "xxxx"},
    {"S EL1", 1, PMUV3_S, "xxxx"},   {"RL EL1", 1, PMUV3_RL, "xxx1"},
    {"NS EL2", 2, PMUV3_NS, "1xxx"}, {"S EL2", 2, PMUV3_S, "1x1x"},
    {"RL EL2", 2, PMUV3_RL, "1xx1"}, {"S EL3", 3, PMUV3_S, "x1x0"},
    {"RT EL3", 3, PMUV3_RT, "x1x1"},
};

// Properties of an implementation that decide which states exist. SEL2 needs EL2, RME needs EL3,
// and both need AArch64.
struct Presence {
  bool el2, el3, sel2, rme, aa64;

  bool Has(const State &state) const {
    return Fits(state.needs, static_cast<unsigned>(el2 << 3 | el3 << 2 | sel2 << 1 | rme));
  }

  // The `param` words, with additional features ("" or "TH,SME").
  std::string Settings(std::string features) const {
    for (const auto &[present, name] : {std::pair(sel2, "SEL2"), std::pair(rme, "RME")})
      if (present) features += std::string(features.empty() ? "" : ",") + name;
    return std::string("el2=") + "01"[el2] + " el3=" + "01"[el3] + " aa64=" + "01"[aa64] +
           " features=" + (features.empty() ? "none" : features);
  }
};

constexpr Presence kPresences[] = {
    {true, true, true, true, true},      {true, true, false, true, true},
    {true, true, true, false, true},     {true, true, false, false, true},
    {false, true, false, true, true},    {false, true, false, false, true},
    {true, false, true, false, true},    {true, false, false, false, true},
    {false, false, false, false, true},  {true, true, false, false, false},
    {false, true, false, false, false},  {true, false, false, false, false},
    {false, false, false, false, false},
};

}  // namespace pmuv3::exhaustive

#endif
