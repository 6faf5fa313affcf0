// Checks the netlist that the proof uses against Verilator: the same random inputs clock by clock,
// and every output in every clock. The netlist's state follows only from its own next values, from
// random states and a reset. Undefined values of Verilog (inputs "x!...") are random in the
// netlist.
//
//   netlist_check [--seed N] [--clocks N] SIZE FILE.btor
//
// SIZE is THREADS_COUNTERS. elaborate.sh --define PMUV3_PROBE makes FILE. Exit status: 0 equal,
// 1 different, 2 unusable arguments or file.
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/prove/equivalence/netlist_check_inputs.h"
#include "testbench/prove/equivalence/netlist_check_rtl.h"

// In C a struct and a function may share a name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "engine/netlist/netlist.h"
}
#pragma GCC diagnostic pop

namespace pmuv3::prove {
namespace {

constexpr int kUnusable = 2;  // exit status

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

  // Computes the values of this clock from the states and the inputs.
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

  // The number of bits of state, and of those that were both 0 and 1 after some edge.
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
    if (inputs != rtl_->inputs().size()) Unusable("inputs", "differ from Verilator's");
    if (netlist.num_outputs != rtl_->outputs().size())
      Unusable("outputs", "differ from Verilator's");
    for (const Pin &pin : rtl_->inputs()) ExpectPort(pin, netlist_input(&netlist, pin.name));
    for (const Pin &pin : rtl_->outputs()) ExpectPort(pin, netlist_output(&netlist, pin.name));
  }

  // Verilator's model has more events, without rows.
  static bool IsOfEvents(const std::string &input) {
    return input == "events_i" || input == "occurrence_i";
  }

  void ExpectPort(const Pin &pin, const netlist_signal *signal) const {
    if (!signal) Unusable(pin.name, "no such port");
    const size_t bits = term_width(signal->value);
    const bool is_wider = bits > 64 && bits + 32 <= 8 * pin.bytes;
    if (bits > 8 * pin.bytes || (is_wider && !IsOfEvents(pin.name)))
      Unusable(pin.name, "its width differs from Verilator's");
  }

  void Put(const char *name, const Words &value) {
    netlist_.Set(netlist_input(&netlist_.get(), name)->value, value);
    for (const Pin &pin : rtl_->inputs())
      if (!std::strcmp(pin.name, name)) pin.Put(value);
  }

  unsigned WidthOf(const char *input) const {
    return term_width(netlist_input(&netlist_.get(), input)->value);
  }

  // Changes the configuration out of reset, as the change must not be an edge of a reset. The next
  // clock is a Cold reset, from states that are random in the netlist.
  void Configure() {
    Put("rst_ni", {1});
    Put("rst_cold_ni", {1});
    rtl_->Eval();
    Put("cfg_i", inputs_.Configuration(WidthOf("cfg_i")));
    Put("events_i", inputs_.Events(WidthOf("events_i")));
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
    return input == "clk_i" || input == "cfg_i" || input == "events_i" || input == "rst_ni" ||
           input == "rst_cold_ni";
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
  if (const Size *size = FindSize(name)) return size;
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
