// The prohibitions of counting, as rules.md D.4 prints them, typed as data. The tables compute
// nothing, and contain nothing of either implementation. In each table except `cycle`, exactly one
// row fits a case. In a pattern, x is any digit.
#ifndef PMUV3_PROHIBITION_TABLES_H
#define PMUV3_PROHIBITION_TABLES_H

#include <string>
#include <vector>

namespace pmuv3::exhaustive::prohibition {

// The result table: event counters in Secure EL0 to EL2 and in EL3, by range.
struct Result {
  std::string when;      // SPME, MPMX
  std::string el3_aa64;  // EL3 uses AArch64
  std::string versions;  // no PMUv3p1, p1, p4, p5, p7, p9
  bool secure_r1, secure_r2, el3_r1, el3_r2;
};

// Event counters at EL2, in any Security state.
struct El2 {
  std::string when;      // HPMD
  std::string versions;  // as above
  bool r1, r2;
};

// The instruction counter (RCSRMB).
struct Instruction {
  std::string when;      // SPME, MPMX
  std::string el3_aa64;  // EL3 uses AArch64
  bool secure, el3;
};

// The cycle counter: the bits that disable it.
struct Cycle {
  std::string when;      // SCCD, HCCD, MCCD
  std::string el3_aa64;  // EL3 uses AArch64
  std::string versions;  // as above
  bool secure, el2, el3;
};

// Any other yes or no.
struct Answer {
  std::string when;
  bool yes;
};

struct Tables {
  std::vector<Result> results = {
      {"00", "1", "000011", true, true, true, true},
      {"10", "1", "000011", false, false, false, false},
      {"01", "1", "000011", false, false, true, true},
      {"11", "1", "000011", false, false, true, false},
      // PMUv3p7 added MPMX. MPMX does not control an EL3 in AArch32 (H-14).
      {"0x", "1", "111100", true, true, true, true},
      {"1x", "1", "111100", false, false, false, false},
      {"0x", "0", "111111", true, true, true, true},
      {"1x", "0", "111111", false, false, false, false},
  };

  // PMUv3p1 added HPMD.
  std::vector<El2> el2 = {
      {"x", "100000", false, false},
      {"0", "011111", false, false},
      {"1", "011111", true, false},
  };

  std::vector<Instruction> instruction = {
      {"00", "1", true, true},  {"10", "1", false, false},
      {"01", "1", false, true}, {"11", "1", false, true},  // H-16
      {"xx", "0", true, true},                             // H-17
  };

  // HPMD prohibits the instruction counter at EL2.
  std::vector<Answer> instruction_el2 = {{"0", false}, {"1", true}};

  // PMUv3p5 added SCCD and HCCD. PMUv3p7 added MCCD, which needs EL3 in AArch64.
  std::vector<Cycle> cycle = {
      {"1xx", "x", "000111", true, false, true},
      {"x1x", "x", "000111", false, true, false},
      {"xx1", "1", "000011", false, false, true},
  };

  // DP: the cycle counter stops if event counters of the first range are prohibited (RGKPZH).
  std::vector<Answer> cycle_dp = {{"0", false}, {"1", true}};

  // EL1 uses AArch32, SUNIDEN: Secure EL0 is not prohibited for event counters.
  std::vector<Answer> relief_secure_el0 = {
      {"00", false}, {"01", false}, {"10", false}, {"11", true}};

  // Debugv8p2, SNID: nothing is prohibited for event counters (H-15).
  std::vector<Answer> relief = {{"00", false}, {"01", true}, {"10", false}};
};

}  // namespace pmuv3::exhaustive::prohibition

#endif
