#include "testbench/prove/equivalence/netlist_check_inputs.h"

#include <iterator>

#include "pmuv3/events.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

namespace pmuv3::prove {
namespace {

void PutBits(Words &words, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    const uint64_t bit = UINT64_C(1) << (lsb + i) % 64;
    uint64_t &word = words[(lsb + i) / 64];
    word = value >> i & 1 ? word | bit : word & ~bit;
  }
}

const uint16_t kRegisters[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
};

// Registers that need frequent writes, so that what they control is seen.
const uint16_t kFavourites[] = {PMUV3_PMCR, PMUV3_PMSSCR, PMUV3_PMSWINC, PMUV3_MDCR_EL3};

constexpr uint16_t kPmlar = 0xFB0;
constexpr uint32_t kPmlarKey = 0xC5ACCE55;

// What a counter may select, with or without an input.
const uint16_t kEvents[] = {0x0000, 0x0004, 0x0008, 0x0011, 0x001E, 0x0024, 0x4005, 0x8127};
constexpr unsigned kEventBits = 23;

// 0xFFFF: the layout has no such word.
const uint16_t kOffsets[] = {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, ...) lo32, hi32, off64,
#include "pmuv3/external.def"
};

constexpr unsigned kPeBits = 0
#define PMUV3_PE_NUMBER(name, bits, text) +(bits)
#define PMUV3_PE_MASK(name, bits, text) +(bits)
#define PMUV3_PE_FLAG(name, text) +1
#include "pmuv3/pe.def"
    ;

uint64_t WithNumber(uint16_t reg, unsigned n) {
  switch (reg) {
    case PMUV3_PMEVCNTR:
    case PMUV3_PMEVTYPER:
    case PMUV3_PMEVCNTSVR:
    case PMUV3_PMEVCNTR_AA32:
    case PMUV3_PMEVTYPER_AA32:
      return reg + n;
    default:
      return reg;
  }
}

}  // namespace

Words Inputs::Configuration(unsigned width) {
  Words words = random_.Of(width);
  if (random_.Is(3)) PutBits(words, 0, PMUV3_NUM_FEATURES, ~UINT64_C(0));
  PutBits(words, width - 5, 5,
          size_.counters - (random_.Is(2) ? 0 : random_.Below(size_.counters + 1)));
  PutBits(words, width - 8, 3, 1 + random_.Below(size_.threads));
  return words;
}

Words Inputs::Events(unsigned width) {
  Words words = random_.Of(width);
  unsigned next = 1;
  for (unsigned lsb = 0; lsb < width; lsb += kEventBits) {
    if (random_.Is(8)) next++;
    PutBits(words, lsb, 16, next < std::size(kEvents) ? kEvents[next++] : 0);
    if (random_.Is(8)) PutBits(words, lsb, kEventBits, 0);
  }
  return words;
}

Words Inputs::Of(const std::string &name, unsigned width) {
  if (name == "occurrence_i") return Occurrences(width);
  if (name == "pe_i") return States(width);
  if (name == "reg_addr_i") return Each(16, &Inputs::Register);
  if (name == "reg_wdata_i") return Each(64, &Inputs::Data);
  if (name == "paddr_i") return {Offset() | UINT64_C(4096) * random_.Below(size_.threads)};
  if (name == "pwdata_i") return {random_.Is(4) ? kPmlarKey : Data() & UINT32_MAX};
  if (name == "pstrb_i" && !random_.Is(4)) return {0b1111};
  if (name == "pclken_i" || name == "psel_i" || name == "penable_i") return {!random_.Is(4)};
  if (name == "reg_write_i" || name == "reg_checked_i") return {Some(name)};
  if (name == "cycle_i") return {IsCycle()};
  return random_.Of(width);
}

Words Inputs::Each(unsigned width, uint64_t (Inputs::*value)()) {
  Words words((width * size_.threads + 63) / 64);
  for (unsigned t = 0; t < size_.threads; t++) PutBits(words, width * t, width, (this->*value)());
  return words;
}

// Processor cycles come close together or far apart.
bool Inputs::IsCycle() {
  if (random_.Is(50)) cycle_share_ = random_.Is(3) ? 16 : 240;
  return random_.Chance(cycle_share_);
}

// Each thread mostly writes, and rarely makes a checked access.
uint64_t Inputs::Some(const std::string &name) {
  uint64_t threads = random_.Bits();
  const uint64_t others = random_.Bits();
  threads = name == "reg_write_i" ? threads | others : threads & others;
  return threads & ~(~UINT64_C(0) << size_.threads);
}

uint64_t Inputs::Register() {
  const unsigned n = random_.Below(size_.counters + 1);
  switch (random_.Below(8)) {
    case 0:
      return random_.Is(4) ? random_.Bits() & UINT16_MAX : uint64_t{PMUV3_PMCNTENSET};
    case 1:
      return kFavourites[random_.Below(std::size(kFavourites))];
    case 2:
      return PMUV3_PMEVCNTRn(n);
    case 3:
      return PMUV3_PMEVTYPERn(n);
    default:
      return WithNumber(kRegisters[random_.Below(std::size(kRegisters))], n);
  }
}

// Data that registers of any kind can use.
uint64_t Inputs::Data() {
  const uint64_t event = kEvents[random_.Below(std::size(kEvents))];
  switch (random_.Below(6)) {
    case 0:
      return ~UINT64_C(0);
    case 1:
      return random_.Bits() & random_.Bits() & random_.Bits();
    case 2:
      return event;
    case 3:
      return event | (random_.Bits() & ~UINT64_C(0xFFFF));
    case 4:
      return random_.Bits() | ~UINT64_C(0xFF);  // a counter near its overflow
    default:
      return random_.Bits();
  }
}

uint64_t Inputs::Offset() {
  if (random_.Is(16)) return random_.Bits() & 0xFFF;
  if (random_.Is(16)) return kPmlar;
  return kOffsets[random_.Below(std::size(kOffsets))] + 4 * (random_.Is(4) ? random_.Below(64) : 0);
}

// Mostly no occurrences.
Words Inputs::Occurrences(unsigned width) {
  Words words((width + 63) / 64);
  const unsigned share = random_.Is(2) ? 16 : 128;
  for (unsigned lsb = 0; lsb < width; lsb += 8)
    if (random_.Chance(share)) PutBits(words, lsb, 8, random_.Is(4) ? random_.Bits() : 1);
  return words;
}

// Debug state and locks are rare, since they stop most counting and accesses.
Words Inputs::States(unsigned width) {
  Words words = random_.Of(width);
  for (unsigned t = 0; t < size_.threads; t++)
    if (!random_.Is(4))
      for (unsigned bit : {5u, 17u, 18u}) PutBits(words, kPeBits * t + bit, 1, 0);
  return words;
}

}  // namespace pmuv3::prove
