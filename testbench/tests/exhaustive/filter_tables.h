// The states in which a counter counts by its filter, as rules.md D.1 to D.3 print them, typed as
// data. The tables compute nothing, and contain nothing of either implementation.
#ifndef PMUV3_FILTER_TABLES_H
#define PMUV3_FILTER_TABLES_H

#include <string>
#include <vector>

namespace pmuv3::exhaustive::filter {

// The bits of a filter, in the same places in PMEVTYPER<n>_EL0, PMCCFILTR_EL0 and PMICFILTR_EL0;
// and the constants of conditions.
enum Bit { kP, kU, kNsk, kNsu, kNsh, kM, kSh, kRlk, kRlu, kRlh, kBits, kIs0 = kBits, kIs1 };
constexpr int kPlaces[kBits] = {31, 30, 29, 28, 27, 26, 24, 22, 21, 20};

// D.1: the features that a bit needs. Without them the bit is 0.
struct Effective {
  Bit bit;
  std::string needs;  // of EL2, EL3, SEL2, RME, and EL3 in AArch64 (H-14)
};

// D.2, by encoding: a state counts if `bit` equals, or differs from, `other`.
struct Counts {
  std::string state;
  Bit bit;
  bool is;
  Bit other;
};

// D.3: whether VS filters Non-streaming mode, and Streaming mode.
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

  // VS = 0b11 behaves as K-VS-RES gives. Without PMUv3_SME every VS behaves as 0b00.
  std::vector<Sve> sve = {
      {"00", false, false},
      {"01", false, true},
      {"10", true, false},
      {"both", true, true},
  };
};

}  // namespace pmuv3::exhaustive::filter

#endif
