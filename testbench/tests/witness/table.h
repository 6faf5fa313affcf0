// Reads accessors.txt: who may access which register. Its head says what the words mean.
#ifndef PMUV3_WITNESS_TABLE_H
#define PMUV3_WITNESS_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

namespace pmuv3::witness {

enum class Instruction { kMrs, kMsr, kMrc, kMcr, kMrrc, kMcrr };

enum class Op {
  kUndef,
  kSdd,
  kUser,
  kUser64,
  kUser32,
  kBar,
  kBar64,
  kBar32,
  kFgt,
  kHstr9,
  kHstr1,
  kTpm2,
  kTpmcr2,
  kHpmn,
  kNv,
  kTdeTda2,
  kSecure,
  kSecure2,
  kSecure3,
  kEel2,
  kNs,
  kEl3,
  kFgwte3,
  kSdisable
};

// A control of EL3: a bit of MDCR_EL3, and the value that traps.
struct Control {
  unsigned bit;
  bool traps;
};

struct Check {
  std::string text;
  Op op;
  uint64_t bits = 0;  // kUser..., kBar...: bits of PMUSERENR. kFgt: a bit of fgt
  Control control{};  // kSdd, kEl3
};

enum class Presence {
  kAlways,
  kEl3,
  kSel2,
  kAa32El1,
  kAa32El2,
  kAa32El3,
  kSecureEl1Aa32,
  kCounter,
  kSelected,
  kSelectedOr31,
  kEbepOrSs,
  kPmuv3p1,
  kPmuv3p4,
  kPmuv3p9,
  kSs,
  kSebep,
  kIcntr
};

enum class Reach { kWhole, kUen, kBits, kZero, kSwinc, kEvents, kPmcr };

// The counter of a register of one counter.
enum class Which { kC, kF0, kP, kSel };

// What an access at one Exception level goes through.
struct Path {
  std::vector<Check> checks;
  Reach reach = Reach::kWhole;
  Which which = Which::kC;  // kUen
  uint64_t read_only = 0;   // kUen: a bit of PMUSERENR
};

struct Accessor {
  std::string name;  // with <n>, if indexed
  bool indexed;
  Instruction instruction;
  std::vector<Presence> present;
  Path at[4];

  bool Writes() const;
  bool Aa32() const;
};

// Reads the table. Throws std::runtime_error with file and line.
std::vector<Accessor> ReadTable(const std::string &file);

// A check from its text, as in a row of an instruction that writes or reads. Throws likewise.
Check ParseCheck(const std::string &text, bool writes);

}  // namespace pmuv3::witness

#endif
