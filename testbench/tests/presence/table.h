// presence.txt, read: registers, their fields and words, and under which parameters they are there.
#ifndef PMUV3_PRESENCE_TABLE_H
#define PMUV3_PRESENCE_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

#include "pmuv3/params.h"

namespace pmuv3::presence {

enum class Kind { kRw, kW1s, kW1c, kRo, kWo, kHw, kValue };

struct Field {
  std::string name;
  unsigned msb, lsb;
  Kind kind;
  std::string limit;  // the parameter that says how many of the low bits there are, or ""
  uint64_t value;     // of kValue
  std::string condition, otherwise;

  uint64_t Mask() const;                                   // in place
  uint64_t Implemented(const pmuv3_params &params) const;  // of these the bits within the limit
};

struct Word {
  std::string layout;  // EXT32, EXT64
  unsigned offset, stride;
  bool high;    // [63:32]
  bool locked;  // the Double Lock blocks it
  std::string condition;
};

struct Register {
  std::string view, name, access;  // a64, a32, ext; a <n> in the name; RW, RO, WO
  std::string written;             // when some Exception level may write it
  std::string condition, unchecked, otherwise, place;
  bool modelled = true;
  std::vector<Field> fields;  // the modelled ones
  std::vector<Word> words;

  bool Indexed() const { return name.find("<n>") != std::string::npos; }
  std::string Name(unsigned n) const;  // with n for <n>
};

// Reads the table. What is wrong with it is a failure of the test, in words.
std::vector<Register> ReadTable(const char *file);

// Whether a condition holds for the register of counter n.
bool Holds(const std::string &condition, const pmuv3_params &params, unsigned n);

}  // namespace pmuv3::presence

#endif
