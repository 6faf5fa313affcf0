// Reads presence.txt: registers, their fields and words, and the parameters with which they exist.
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
  std::string limit;  // the parameter that limits the number of low bits, or ""
  uint64_t value;     // the value, for kValue
  std::string condition, otherwise;

  uint64_t Mask() const;                                   // in place
  uint64_t Implemented(const pmuv3_params &params) const;  // the bits within the limit
};

struct Word {
  std::string layout;  // EXT32, EXT64
  unsigned offset, stride;
  bool high;    // [63:32]
  bool locked;  // the Double Lock blocks the word
  std::string condition;
};

struct Register {
  std::string view, name, access;  // a64, a32, ext; name with <n>; RW, RO, WO
  std::string written;             // condition: some Exception level may write the register
  std::string condition, unchecked, otherwise, place;
  bool modelled = true;
  std::vector<Field> fields;  // the modelled fields
  std::vector<Word> words;

  bool Indexed() const { return name.find("<n>") != std::string::npos; }
  std::string Name(unsigned n) const;  // the name with n instead of <n>
};

// Reads the table. An error in the table is a failure of the test, with a message.
std::vector<Register> ReadTable(const char *file);

// Whether a condition holds for counter n's register.
bool Holds(const std::string &condition, const pmuv3_params &params, unsigned n);

}  // namespace pmuv3::presence

#endif
