/* What the generated glue uses: bits of a Verilated model's signals. */
#ifndef PMUV3_CHECK_GLUE_DUT_H
#define PMUV3_CHECK_GLUE_DUT_H

#include <cstring>

#include "testbench/cosim/check/bench/dut.h"
#include "verilated.h"

/* `width` bits of a signal from `lsb`. */
template <typename Signal>
static inline uint64_t get(const Signal &signal, unsigned lsb, unsigned width) {
  const uint64_t mask = width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
  return static_cast<uint64_t>(signal) >> lsb & mask;
}

template <std::size_t Words>
static inline uint64_t get(const VlWide<Words> &signal, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned b = 0; b < width && b < 64; b++) {
    const unsigned at = lsb + b;
    value |= static_cast<uint64_t>(signal[at / 32] >> at % 32 & 1) << b;
  }
  return value;
}

template <typename Signal>
static inline void put(Signal &signal, unsigned signal_width, unsigned lsb, unsigned width,
                       uint64_t value) {
  const uint64_t mask = width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
  if (width == signal_width)
    signal = static_cast<Signal>(value & mask);
  else
    signal = static_cast<Signal>((signal & ~(mask << lsb)) | (value & mask) << lsb);
}

template <std::size_t Words>
static inline void put(VlWide<Words> &signal, unsigned, unsigned lsb, unsigned width,
                       uint64_t value) {
  for (unsigned b = 0; b < width; b++) {
    const unsigned at = lsb + b;
    const EData bit = b < 64 ? static_cast<EData>(value >> b & 1) : 0;
    signal[at / 32] = (signal[at / 32] & ~(EData{1} << at % 32)) | bit << at % 32;
  }
}

#endif
