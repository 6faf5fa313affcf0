// Checks the netlist that the proof is about against Verilator: the same random inputs clock by
// clock, every output in every clock. The netlist's state is only ever what its own next values
// made of it, from random states and a reset. What Verilog leaves open (inputs "x!...") is random
// in the netlist.
//
//   netlist_check [--seed N] [--clocks N] SIZE FILE.btor
//
// FILE is of elaborate.sh --define PMUV3_PROBE, with SIZE's THREADS_COUNTERS. Exit status: 0 equal,
// 1 not, 2 unusable arguments or file.
#include <Vpmuv3_1_31.h>
#include <Vpmuv3_1_8.h>
#include <Vpmuv3_2_31.h>
#include <Vpmuv3_4_31.h>
#include <Vpmuv3_4_8.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pmuv3/events.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"
#include "testbench/cosim/stimulus/prng.h"

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "engine/netlist/netlist.h"
}
#pragma GCC diagnostic pop

namespace pmuv3::prove {
namespace {

using Words = std::vector<uint64_t>;

constexpr int kUnusable = 2;  // exit status

// ---- Verilator's side ----

// A port, whatever Verilator makes of its width: words of 8 to 64 bits, or an array of 32 bits.
struct Pin {
  const char *name;
  void *at;
  size_t bytes;

  void Put(const Words &value) const { std::memcpy(at, value.data(), bytes); }
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

template <class Model>
class Verilated : public Rtl {
 public:
  explicit Verilated(uint64_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed >> 33 | 1));
    model_ = std::make_unique<Model>(&context_);
#define PIN(name) Pin{#name, &model_->name, sizeof model_->name}
    inputs_ = {PIN(clk_i),       PIN(rst_ni),     PIN(rst_cold_ni),   PIN(cfg_i),
               PIN(cycle_i),     PIN(pe_i),       PIN(other_i),       PIN(occurrence_i),
               PIN(reg_write_i), PIN(reg_read_i), PIN(reg_checked_i), PIN(reg_addr_i),
               PIN(reg_wdata_i), PIN(pclken_i),   PIN(psel_i),        PIN(penable_i),
               PIN(pwrite_i),    PIN(paddr_i),    PIN(pnse_i),        PIN(pprot_i),
               PIN(pwdata_i),    PIN(pstrb_i)};
    outputs_ = {
        PIN(reg_rdata_o),   PIN(reg_error_o),     PIN(reg_result_o),    PIN(prdata_o),
        PIN(pready_o),      PIN(pslverr_o),       PIN(irq_o),           PIN(cti_o),
        PIN(exception_o),   PIN(probe_allowed_o), PIN(probe_ct_o),      PIN(probe_cp_o),
        PIN(probe_ce_o),    PIN(probe_vb_o),      PIN(probe_vt_o),      PIN(probe_ve_o),
        PIN(probe_v_o),     PIN(probe_value_o),   PIN(probe_evtyper_o), PIN(probe_overflow_o),
        PIN(probe_cnten_o), PIN(probe_inten_o),   PIN(probe_svr_o)};
#define PMUV3_PROBE_GLOBAL(field, name, owner) outputs_.push_back(PIN(probe_##field##_o));
#define PMUV3_PROBE_OUTPUT(field, name, owner)  // among those above
#include "pmuv3/probe.def"
#undef PIN
  }
  ~Verilated() override {
    model_->final();
  }
  void Eval() override {
    model_->eval();
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
};

struct Size {
  const char *name;
  unsigned threads, counters;
  std::unique_ptr<Rtl> (*make)(uint64_t seed);
};

template <class Model>
std::unique_ptr<Rtl> Make(uint64_t seed) {
  return std::make_unique<Verilated<Model>>(seed);
}

const Size kSizes[] = {{"1_8", 1, 8, Make<Vpmuv3_1_8>},
                       {"1_31", 1, 31, Make<Vpmuv3_1_31>},
                       {"2_31", 2, 31, Make<Vpmuv3_2_31>},
                       {"4_8", 4, 8, Make<Vpmuv3_4_8>},
                       {"4_31", 4, 31, Make<Vpmuv3_4_31>}};

// ---- Random inputs ----

class Random {
 public:
  explicit Random(uint64_t seed) { pmuv3_prng_seed(&prng_, seed); }

  uint64_t Bits() { return pmuv3_prng_next(&prng_); }
  unsigned Below(unsigned n) { return pmuv3_prng_below(&prng_, n); }
  bool Chance(unsigned of_256) { return pmuv3_prng_chance(&prng_, of_256); }
  bool Is(unsigned n) { return Below(n) == 0; }

  Words Of(unsigned width) {
    Words words((width + 63) / 64);
    for (uint64_t &word : words) word = Bits();
    if (width % 64) words.back() &= ~UINT64_C(0) >> (64 - width % 64);
    return words;
  }

 private:
  pmuv3_prng prng_;
};

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
#include "pmuv3/registers.def"
};

// Those that a rare write would leave what they control unseen.
const uint16_t kFavourites[] = {PMUV3_PMCR, PMUV3_PMSSCR, PMUV3_PMSWINC, PMUV3_MDCR_EL3};

constexpr uint16_t kPmlar = 0xFB0;
constexpr uint32_t kPmlarKey = 0xC5ACCE55;

const uint16_t kEvents[] = {
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) number,
#include "pmuv3/events.def"
};

// 0xFFFF where a layout has none.
const uint16_t kOffsets[] = {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, ...) lo32, hi32, off64,
#include "pmuv3/external.def"
};

class Inputs {
 public:
  Inputs(const Size &size, uint64_t seed) : size_(size), random_(seed) {}

  // The configuration, which is static: once for each reset. Any bits do, but not more threads or
  // counters than there are.
  Words Configuration(unsigned width) {
    Words words = random_.Of(width);
    if (random_.Is(3)) PutBits(words, 0, PMUV3_NUM_FEATURES, ~UINT64_C(0));
    PutBits(words, width - 5, 5,
            size_.counters - (random_.Is(2) ? 0 : random_.Below(size_.counters + 1)));
    PutBits(words, width - 8, 3, 1 + random_.Below(size_.threads));
    return words;
  }

  Words Of(const std::string &name, unsigned width) {
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

  Random &random() { return random_; }

 private:
  Words Each(unsigned width, uint64_t (Inputs::*value)()) {
    Words words((width * size_.threads + 63) / 64);
    for (unsigned t = 0; t < size_.threads; t++) PutBits(words, width * t, width, (this->*value)());
    return words;
  }

  // Processor cycles come close together or far apart.
  bool IsCycle() {
    if (random_.Is(50)) cycle_share_ = random_.Is(3) ? 16 : 240;
    return random_.Chance(cycle_share_);
  }

  // Each thread writes mostly, and is checked now and then.
  uint64_t Some(const std::string &name) {
    uint64_t threads = random_.Bits();
    const uint64_t others = random_.Bits();
    threads = name == "reg_write_i" ? threads | others : threads & others;
    return threads & ~(~UINT64_C(0) << size_.threads);
  }

  uint64_t Register() {
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

  static uint64_t WithNumber(uint16_t reg, unsigned n) {
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

  // As registers of any kind have a use for.
  uint64_t Data() {
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

  uint64_t Offset() {
    if (random_.Is(16)) return random_.Bits() & 0xFFF;
    if (random_.Is(16)) return kPmlar;
    return kOffsets[random_.Below(std::size(kOffsets))] +
           4 * (random_.Is(4) ? random_.Below(64) : 0);
  }

  // Mostly none.
  Words Occurrences(unsigned width) {
    Words words((width + 63) / 64);
    const unsigned share = random_.Is(2) ? 16 : 128;
    for (unsigned lsb = 0; lsb < width; lsb += 8)
      if (random_.Chance(share)) PutBits(words, lsb, 8, random_.Is(4) ? random_.Bits() : 1);
    return words;
  }

  // Debug state and locks, which stop most of what there is, only now and then.
  Words States(unsigned width) {
    Words words = random_.Of(width);
    for (unsigned t = 0; t < size_.threads; t++)
      if (!random_.Is(4))
        for (unsigned bit : {5u, 17u, 18u}) PutBits(words, kPeBits * t + bit, 1, 0);
    return words;
  }

  static constexpr unsigned kPeBits = 23;

  const Size &size_;
  Random random_;
  unsigned cycle_share_ = 240;  // of 256 clocks
};

// ---- The netlist's side ----

bool IsOpen(const char *name) {
  return std::strncmp(name, "x!", 2) == 0;
}

class Netlist {
 public:
  explicit Netlist(const char *file) : netlist_(netlist_read(file, "", nullptr, nullptr)) {
    if (!netlist_) std::exit(kUnusable);
  }
  ~Netlist() {
    term_values_free(values_);
    netlist_free(netlist_);
  }
  const netlist &get() const { return *netlist_; }

  void Set(term variable, const Words &value) { now_[variable] = value; }

  // Values of this clock: with the states, and the inputs as they are set since.
  void Settle() {
    term_values_free(values_);
    values_ = term_values_new(&Netlist::Value, this);
  }

  Words Get(term of) const {
    const uint64_t *words = term_value(values_, of);
    return Words(words, words + (term_width(of) + 63) / 64);
  }

  void Clock() {
    std::vector<Words> next;
    for (size_t i = 0; i < netlist_->num_states; i++) next.push_back(Get(netlist_->states[i].next));
    for (size_t i = 0; i < netlist_->num_states; i++) Become(netlist_->states[i], next[i]);
  }

  // Bits of states, and those of them that were both 0 and 1 after the edges.
  unsigned bits() const {
    unsigned bits = 0;
    for (size_t i = 0; i < netlist_->num_states; i++) bits += term_width(netlist_->states[i].value);
    return bits;
  }
  unsigned bits_seen() const {
    unsigned bits = 0;
    for (const auto &[state, seen] : seen_)
      for (size_t i = 0; i < seen.zeros.size(); i++)
        bits += static_cast<unsigned>(__builtin_popcountll(seen.zeros[i] & seen.ones[i]));
    return bits;
  }

 private:
  struct Seen {
    Words zeros, ones;
  };

  static void Value(term variable, uint64_t *words, void *with) {
    const Words &value = static_cast<Netlist *>(with)->now_.at(variable);
    std::copy(value.begin(), value.end(), words);
  }

  void Become(const struct netlist_state &state, const Words &value) {
    now_[state.value] = value;
    Seen &seen = seen_[state.value];
    seen.zeros.resize(value.size());
    seen.ones.resize(value.size());
    for (size_t i = 0; i < value.size(); i++) {
      seen.zeros[i] |= ~value[i];
      seen.ones[i] |= value[i];
    }
  }

  netlist *netlist_;
  term_values *values_ = nullptr;
  std::map<term, Words> now_;
  std::map<term, Seen> seen_;
};

// ---- Both ----

struct Options {
  uint64_t seed = 1, clocks = 1000;
  const Size *size = nullptr;
  const char *file = nullptr;
};

class Check {
 public:
  explicit Check(const Options &options)
      : options_(options),
        rtl_(options.size->make(options.seed)),
        netlist_(options.file),
        inputs_(*options.size, options.seed) {
    ExpectTheSamePorts();
  }

  // Exit status.
  int Run() {
    for (clock_ = 0; clock_ < options_.clocks; clock_++) {
      if (clock_ % kClocksOfAConfiguration == 0) Configure();
      SetInputs();
      Put("clk_i", {0});
      rtl_->Eval();
      netlist_.Settle();
      if (!AreEqual()) return 1;
      netlist_.Clock();
      Put("clk_i", {1});
      rtl_->Eval();
    }
    std::printf("%s: %" PRIu64 " clocks, seed %" PRIu64 ": %" PRIu64
                " outputs equal; %u of %u bits of state were both 0 and 1\n",
                options_.file, options_.clocks, options_.seed, compared_, netlist_.bits_seen(),
                netlist_.bits());
    return 0;
  }

 private:
  static constexpr uint64_t kClocksOfAConfiguration = 100;

  [[noreturn]] void Unusable(const char *name, const char *what) const {
    std::fprintf(stderr, "netlist_check: %s: %s: %s\n", options_.file, name, what);
    std::exit(kUnusable);
  }

  void ExpectTheSamePorts() const {
    const netlist &netlist = netlist_.get();
    size_t inputs = 0;
    for (size_t i = 0; i < netlist.num_inputs; i++) inputs += !IsOpen(netlist.inputs[i].name);
    if (inputs != rtl_->inputs().size()) Unusable("inputs", "other ones than Verilator's");
    if (netlist.num_outputs != rtl_->outputs().size())
      Unusable("outputs", "other ones than Verilator's");
    for (const Pin &pin : rtl_->inputs()) ExpectPort(pin, netlist_input(&netlist, pin.name));
    for (const Pin &pin : rtl_->outputs()) ExpectPort(pin, netlist_output(&netlist, pin.name));
  }

  void ExpectPort(const Pin &pin, const netlist_signal *signal) const {
    if (!signal) Unusable(pin.name, "no such port");
    const size_t bits = term_width(signal->value);
    if (bits > 8 * pin.bytes || (bits > 64 && bits + 32 <= 8 * pin.bytes))
      Unusable(pin.name, "its width is not Verilator's");
  }

  void Put(const char *name, const Words &value) {
    netlist_.Set(netlist_input(&netlist_.get(), name)->value, value);
    for (const Pin &pin : rtl_->inputs())
      if (!std::strcmp(pin.name, name)) pin.Put(value);
  }

  unsigned WidthOf(const char *input) const {
    return term_width(netlist_input(&netlist_.get(), input)->value);
  }

  // Another configuration, out of reset: its change alone must not be an edge of a reset. Then a
  // Cold reset for a clock, from states that are random in the netlist.
  void Configure() {
    Put("rst_ni", {1});
    Put("rst_cold_ni", {1});
    rtl_->Eval();
    Put("cfg_i", inputs_.Configuration(WidthOf("cfg_i")));
    rtl_->Eval();
    for (size_t i = 0; i < netlist_.get().num_states; i++) {
      const term state = netlist_.get().states[i].value;
      netlist_.Set(state, inputs_.random().Of(term_width(state)));
    }
  }

  void SetInputs() {
    for (size_t i = 0; i < netlist_.get().num_inputs; i++) {
      const netlist_signal &input = netlist_.get().inputs[i];
      if (IsOpen(input.name))
        netlist_.Set(input.value, inputs_.random().Of(term_width(input.value)));
      else if (!IsApart(input.name))
        Put(input.name, inputs_.Of(input.name, term_width(input.value)));
    }
    const bool cold = clock_ % kClocksOfAConfiguration == 0 || inputs_.random().Is(400);
    Put("rst_cold_ni", {!cold});
    Put("rst_ni", {!cold && !inputs_.random().Is(200)});
  }

  static bool IsApart(const std::string &input) {
    return input == "clk_i" || input == "cfg_i" || input == "rst_ni" || input == "rst_cold_ni";
  }

  bool AreEqual() {
    for (const Pin &pin : rtl_->outputs()) {
      const Words netlist = netlist_.Get(netlist_output(&netlist_.get(), pin.name)->value);
      const Words verilated = pin.Get();
      compared_++;
      if (netlist == verilated) continue;
      std::fprintf(stderr, "%s: clock %" PRIu64 " of seed %" PRIu64 ": %s: ", options_.file, clock_,
                   options_.seed, pin.name);
      Print(netlist);
      std::fputs(", Verilator has ", stderr);
      Print(verilated);
      std::fputc('\n', stderr);
      return false;
    }
    return true;
  }

  static void Print(const Words &value) {
    std::fputs("0x", stderr);
    for (size_t i = value.size(); i-- > 0;) std::fprintf(stderr, "%016" PRIx64, value[i]);
  }

  const Options options_;
  std::unique_ptr<Rtl> rtl_;
  Netlist netlist_;
  Inputs inputs_;
  uint64_t clock_ = 0, compared_ = 0;
};

// ---- The command line ----

[[noreturn]] void Unusable(const char *argument, const char *what) {
  std::fprintf(stderr, "netlist_check: %s: %s\n", argument, what);
  std::exit(kUnusable);
}

uint64_t NumberOf(const char *text) {
  char *end;
  errno = 0;
  const uint64_t number = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno) Unusable(text, "expected a number");
  return number;
}

const Size *SizeOf(const char *name) {
  for (const Size &size : kSizes)
    if (!std::strcmp(size.name, name)) return &size;
  Unusable(name, "unknown size, expected 1_8, 1_31, 2_31, 4_8 or 4_31");
}

Options Parse(int argc, char **argv) {
  Options options;
  int i = 1;
  for (; i + 1 < argc && !std::strncmp(argv[i], "--", 2); i += 2) {
    if (!std::strcmp(argv[i], "--seed"))
      options.seed = NumberOf(argv[i + 1]);
    else if (!std::strcmp(argv[i], "--clocks"))
      options.clocks = NumberOf(argv[i + 1]);
    else
      Unusable(argv[i], "unknown option, expected --seed N or --clocks N");
  }
  if (argc - i != 2) Unusable("arguments", "expected [--seed N] [--clocks N] SIZE FILE.btor");
  options.size = SizeOf(argv[i]);
  options.file = argv[i + 1];
  return options;
}

}  // namespace
}  // namespace pmuv3::prove

int main(int argc, char **argv) {
  return pmuv3::prove::Check(pmuv3::prove::Parse(argc, argv)).Run();
}
