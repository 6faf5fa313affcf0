// In which states a counter counts by its filter, as rules.md D.1 to D.3 print it, typed as data:
// nothing here is computed, and nothing of either implementation is in it.
#ifndef PMUV3_FILTER_TABLES_H
#define PMUV3_FILTER_TABLES_H

#include <string>
#include <vector>

namespace pmuv3::exhaustive::filter {

// The bits of a filter, in PMEVTYPER<n>_EL0, PMCCFILTR_EL0 and PMICFILTR_EL0 alike; and what else
// stands in conditions.
enum Bit { kP, kU, kNsk, kNsu, kNsh, kM, kSh, kRlk, kRlu, kRlh, kBits, kIs0 = kBits, kIs1 };
constexpr int kPlaces[kBits] = {31, 30, 29, 28, 27, 26, 24, 22, 21, 20};

// D.1: what must be there for a bit to be effective; else it is 0.
struct Effective {
  Bit bit;
  std::string needs;  // of EL2, EL3, SEL2, RME, and EL3 using AArch64 (H-14)
};

// D.2, by encoding: a state counts iff `bit` is, or is not, `other`.
struct Counts {
  std::string state;
  Bit bit;
  bool is;
  Bit other;
};

// D.3: what is filtered by VS, in Non-streaming and in Streaming mode.
struct Sve {
  const char *vs;
  bool non_streaming, streaming;
};

struct Tables {
  std::vector<Effective> effective = {
      {kP, "xxxxx"}, {kU, "xxxxx"},  {kNsk, "x1xxx"}, {kNsu, "x1xxx"}, {kNsh, "1xxxx"},
      {kM, "x1xx1"}, {kSh, "x11xx"}, {kRlk, "xxx1x"}, {kRlu, "xxx1x"}, {kRlh, "xxx1x"},
  };

  std::vector<Counts> counts = {
      {"NS EL0", kU, true, kNsu},     // U == NSU
      {"S EL0", kU, true, kIs0},      // U == 0
      {"RL EL0", kU, true, kRlu},     // U == RLU
      {"NS EL1", kP, true, kNsk},     // P == NSK
      {"S EL1", kP, true, kIs0},      // P == 0
      {"RL EL1", kP, true, kRlk},     // P == RLK
      {"NS EL2", kNsh, true, kIs1},   // NSH == 1
      {"S EL2", kNsh, false, kSh},    // NSH != SH
      {"RL EL2", kNsh, false, kRlh},  // NSH != RLH
      {"S EL3", kP, true, kM},        // P == M
      {"RT EL3", kP, true, kM},       // P == M
  };

  // VS = 0b11 is as K-VS-RES says; without PMUv3_SME every VS is as 0b00.
  std::vector<Sve> sve = {
      {"00", false, false},
      {"01", false, true},
      {"10", true, false},
      {"both", true, true},
  };
};

}  // namespace pmuv3::exhaustive::filter

#endif
