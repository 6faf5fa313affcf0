// The RTL as Verilator has it, behind one interface for every size.
#ifndef PMUV3_PROVE_NETLIST_CHECK_RTL_H
#define PMUV3_PROVE_NETLIST_CHECK_RTL_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace pmuv3::prove {

// A value, least significant word first.
using Words = std::vector<uint64_t>;

// A port. Verilator makes it a word of 8 to 64 bits, or an array of 32-bit words.
struct Pin {
  const char *name;
  void *at;
  size_t bytes;

  // What Verilator's pin has beyond the value is 0.
  void Put(const Words &value) const {
    std::memset(at, 0, bytes);
    std::memcpy(at, value.data(), std::min(bytes, 8 * value.size()));
  }
  Words Get() const {
    Words value((bytes + 7) / 8);
    std::memcpy(value.data(), at, bytes);
    return value;
  }
};

class Rtl {
 public:
  virtual ~Rtl() = default;
  virtual void Eval() = 0;
  const std::vector<Pin> &inputs() const { return inputs_; }
  const std::vector<Pin> &outputs() const { return outputs_; }

 protected:
  std::vector<Pin> inputs_, outputs_;
};

// A size that there is a Verilated model of. `make` takes the seed of the model's initial values.
struct Size {
  const char *name;
  unsigned threads, counters;
  std::unique_ptr<Rtl> (*make)(uint64_t seed);
};

// The size of this name. NULL: there is no model of it.
const Size *FindSize(const char *name);

}  // namespace pmuv3::prove

#endif
