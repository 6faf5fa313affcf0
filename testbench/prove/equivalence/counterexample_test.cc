// counterexample: counterexamples of random states, inputs and cases, as files that the reader
// takes. Up to their clock they bring the C model into that very state, and their clock does what
// the clock of the proof does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/cosim/stimulus/prng.h"
#include "testbench/cosim/stimulus/stimulus.h"

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "pmuv3/pmuv3.h"
#include "testbench/prove/equivalence/counterexample.h"
}
#pragma GCC diagnostic pop

namespace {

constexpr unsigned kRuns = 1000;

// ---- Values of variables ----

// A legal assignment of the model's variables. What is not given is random, by its name.
class Values {
 public:
  Values(uint64_t seed, size size) : size_(size), seed_(seed) {
    pmuv3_prng_seed(&prng_, seed);
    do {
      MakeParams();
    } while (!step_legal_params(&params));
    for (unsigned t = 0; t < size_.threads; t++) {
      do {
        pe[t] = MakePe(t, "pe");
      } while (pmuv3_pe_wrong(&params, &pe[t]) != nullptr);
      do {
        Give(Of(t, "other.el"), Any(4));
        Give(Of(t, "other.ss"), Any(4));
      } while (pmuv3_context_wrong(&params, static_cast<unsigned>(Get(Of(t, "other.el"))),
                                   static_cast<unsigned>(Get(Of(t, "other.ss")))) != nullptr);
    }
  }

  static std::string Of(unsigned t, const std::string &name) {
    return "t" + std::to_string(t) + "." + name;
  }
  static std::string Of(unsigned t, const std::string &name, unsigned n) {
    return Of(t, name) + std::to_string(n);
  }

  void Give(const std::string &name, uint64_t value) { given_[name] = value; }
  uint64_t Get(const std::string &name) const {
    const auto found = given_.find(name);
    if (found != given_.end()) return found->second;
    uint64_t hash = seed_ * 0x9E3779B97F4A7C15;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 32) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
  }
  bool IsSet(const std::string &name) const { return (Get(name) & 1) != 0; }
  // A capture in the clock before leaves a PMU_SNAPSHOT that waits.
  void GiveCapture(unsigned t, bool captures) {
    Give(Of(t, "copying"), captures);
    Give(Of(t, "state.captured"), captures);
    if (captures) Give(Of(t, "state.waiting"), 1);
  }
  bool Has(pmuv3_feature feature) const { return pmuv3_has(&params, feature); }

  uint64_t Any(uint32_t below) { return pmuv3_prng_below(&prng_, below); }

  // A thread's state, "pe"; or that which it changes to, "next".
  pmuv3_pe MakePe(unsigned t, const std::string &which) {
    pmuv3_pe made;
    made.el = static_cast<uint8_t>(Any(4));
    made.ss = static_cast<uint8_t>(Any(4));
    made.fgt = Any(16) | Any(16) << (PMUV3_NUM_FGT - 4);
    Give(Of(t, which + ".el"), made.el);
    Give(Of(t, which + ".ss"), made.ss);
    Give(Of(t, which + ".fgt"), made.fgt);
#define PMUV3_PE_FLAG(name, text) \
  made.name = Any(2) != 0;        \
  Give(Of(t, which + "." #name), made.name);
#include "pmuv3/pe.def"
    return made;
  }

  pmuv3_params params = {};
  pmuv3_pe pe[PMUV3_MAX_THREADS] = {};

 private:
  void MakeParams() {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  params.name = static_cast<uint8_t>((min) + Any((max) - (min) + 1));
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  params.name = (Any(UINT32_MAX) << 32 | Any(UINT32_MAX)) & (mask);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  params.id = static_cast<uint8_t>(Any(Words(values)));
#include "pmuv3/params.def"
    params.threads = static_cast<uint8_t>(size_.threads);
    params.counters = static_cast<uint8_t>(Any(size_.counters + 1));
    params.features = static_cast<uint32_t>(Any(1u << PMUV3_NUM_FEATURES));
    if (Any(2) != 0) params.debugv8p2 = 1;
    if (Any(2) != 0) params.k_mt_legacy = 0;
    MakeEvents();
    if (pmuv3_params_complete(&params) != nullptr) return;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) Give(#name, params.name);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) Give(#id, params.id);
#include "pmuv3/params.def"
#define PMUV3_FEATURE(id, implies, dflt, text) Give("FEAT_" #id, Has(PMUV3_FEATURE_##id));
#include "pmuv3/params.def"
    // Without AArch32 nothing divides cycles, and no file could bring the divider there (I-2).
    for (unsigned t = 0; t < size_.threads && !pmuv3_can_aa32(&params, 0); t++)
      Give(Of(t, "state.divider"), 0);
    for (unsigned t = 0; t < size_.threads; t++) GiveCapture(t, IsSet(Of(t, "copying")));
  }

  // The number of words of a choice.
  static uint32_t Words(const std::string &values) {
    return static_cast<uint32_t>(1 + std::count(values.begin(), values.end(), '|'));
  }

  // Rows that an implementation may have.
  void MakeEvents() {
    params.events.num = MODEL_EVENTS;
    for (unsigned e = 0; e < MODEL_EVENTS; e++) {
      pmuv3_event &event = params.events.event[e];
      event = *pmuv3_event_of_architecture(model_event_number(e));
      if (model_event_is_self(e)) continue;
      if (model_event_may_be(e, PMUV3_EVENT_CLASS_SLOTS))
        event.event_class = static_cast<uint8_t>(PMUV3_EVENT_CLASS_COUNT + Any(5));
      const bool counts = event.event_class == PMUV3_EVENT_CLASS_COUNT ||
                          event.event_class == PMUV3_EVENT_CLASS_SLOTS;
      if (!model_event_is_core(e))
        event.attribution = static_cast<uint8_t>(Any(event.event_class == PMUV3_EVENT_CLASS_COUNT
                                                         ? PMUV3_NUM_EVENT_ATTRIBUTIONS
                                                         : PMUV3_EVENT_ATTRIBUTION_TRACE));
      event.traits = static_cast<uint8_t>(Any(4));
      // D14.7: stalls are never synchronous, and with SEBEP INST_RETIRED always is.
      if (event.number == PMUV3_EVENT_STALL_BACKEND || event.number == 0x4005)
        event.traits &= static_cast<uint8_t>(~PMUV3_EVENT_TRAIT_SYNC);
      if (event.number == PMUV3_EVENT_INST_RETIRED) event.traits |= PMUV3_EVENT_TRAIT_SYNC;
      event.most = counts ? UINT8_MAX : 1;
      const std::string name = model_event_name(e);
      Give(name + ".class", event.event_class);
      Give(name + ".attribution", event.attribution);
      Give(name + ".traits", event.traits);
    }
  }

  size size_;
  uint64_t seed_;
  pmuv3_prng prng_;
  std::map<std::string, uint64_t> given_;
};

uint64_t ValueOf(const char *variable, void *with) {
  return static_cast<const Values *>(with)->Get(variable);
}

// ---- States ----

using State = std::vector<std::pair<std::string, uint64_t>>;

// Everything that is not derived, by name.
State StateOf(const pmuv3 &pmu) {
  State state;
  for (unsigned t = 0; t < pmu.params.threads; t++) {
    const pmuv3_thread &thread = pmu.thread[t];
    const auto add = [&](const std::string &name, uint64_t value) {
      state.emplace_back(Values::Of(t, name), value);
    };
#define ADD(place) add(#place, thread.place);
#define REGISTER(member, id) ADD(registers.member)
#include "testbench/prove/equivalence/state_registers.def"
    ADD(registers.pmsscr)
    ADD(registers.pmccr)
    ADD(registers.locked)
    ADD(state.cycles)
    ADD(state.divider)
    ADD(state.captured)
    ADD(state.instructions)
    ADD(saved.cycles)
    ADD(saved.instructions)
#undef ADD
    for (unsigned n = 0; n < pmu.params.counters; n++) {
      add("evtyper" + std::to_string(n), thread.registers.evtyper[n]);
      add("value" + std::to_string(n), thread.state.value[pmuv3_lane(n)]);
      add("CP" + std::to_string(n), thread.state.CP[pmuv3_lane(n)]);
      add("pending" + std::to_string(n), thread.state.pending[pmuv3_lane(n)]);
      add("saved" + std::to_string(n), thread.saved.value[n]);
    }
  }
  return state;
}

// The state that the variables say, as model_state.c has it.
struct Wanted {
  pmuv3 pmu;
  bool copying[PMUV3_MAX_THREADS] = {};
};

uint64_t If(bool condition, uint64_t value) {
  return condition ? value : 0;
}

void GetRegisters(const Values &values, unsigned t, pmuv3_registers *registers) {
  const auto get = [&](const char *name) { return values.Get(Values::Of(t, name)); };
#define REGISTER(member, id) \
  registers->member = get("registers." #member) & pmuv3_register_mask(&values.params, PMUV3_##id);
#include "testbench/prove/equivalence/state_registers.def"
  registers->pmcr &= ~UINT64_C(6);  // P and C read 0
  registers->pmsscr = If(values.Has(PMUV3_FEATURE_SS), get("registers.pmsscr") & UINT64_C(1) << 32);
  registers->pmccr = If(values.Has(PMUV3_FEATURE_EXTPMN), get("registers.pmccr") & 0x19F);
  const bool lock = values.Has(PMUV3_FEATURE_EXT32) && values.params.k_software_lock == 0;
  registers->locked = If(lock, get("registers.locked") & 1) != 0;
}

void GetThread(const Values &values, unsigned t, Wanted *wanted) {
  pmuv3_thread &thread = wanted->pmu.thread[t];
  const uint64_t width = wanted->pmu.identity.width;
  const bool ss = values.Has(PMUV3_FEATURE_SS), icntr = values.Has(PMUV3_FEATURE_ICNTR);
  const auto get = [&](const char *name) { return values.Get(Values::Of(t, name)); };
  const auto get_n = [&](const char *name, unsigned n) {
    return values.Get(Values::Of(t, name, n));
  };
  GetRegisters(values, t, &thread.registers);
  wanted->copying[t] = ss && (get("copying") & 1) != 0;
  thread.state.cycles = get("state.cycles");
  thread.state.divider = get("state.divider") & 63;
  thread.state.captured = ss && (get("state.captured") & get("state.waiting") & 1) != 0;
  thread.state.waiting = thread.state.captured;
  thread.state.instructions = If(icntr, get("state.instructions"));
  thread.saved.cycles = If(ss, get("saved.cycles"));
  thread.saved.instructions = If(ss && icntr, get("saved.instructions"));
  for (unsigned n = 0; n < values.params.counters; n++) {
    thread.registers.evtyper[n] = (get_n("PMEVTYPER", n) << 16 | (get_n("evtCount", n) & 0xFFFF)) &
                                  pmuv3_register_mask(&values.params, PMUV3_PMEVTYPERn(n));
    thread.state.value[pmuv3_lane(n)] = get_n("state.value", n) & width;
    thread.state.CP[pmuv3_lane(n)] = (get_n("CP", n) & 1) != 0 ? 0xFFFF : 0;
    thread.state.pending[pmuv3_lane(n)] =
        static_cast<uint16_t>(If((get("state.waiting") & 1) != 0, get_n("pending", n) & 0xFF));
    thread.state.waiting |= thread.state.pending[pmuv3_lane(n)] != 0;
    thread.saved.value[n] = If(ss, get_n("svr", n) & width);
  }
  if (!wanted->copying[t]) return;
  thread.saved.cycles = thread.state.cycles;
  thread.saved.instructions = thread.state.instructions;
  for (unsigned n = 0; n < values.params.counters; n++)
    thread.saved.value[n] = thread.state.value[pmuv3_lane(n)];
}

Wanted GetWanted(const Values &values) {
  Wanted wanted;
  pmuv3_init(&wanted.pmu, &values.params);
  for (unsigned t = 0; t < values.params.threads; t++) {
    wanted.pmu.pe[t] = values.pe[t];
    GetThread(values, t, &wanted);
  }
  step_decode(&wanted.pmu);
  return wanted;
}

// ---- Inputs ----

step_inputs GetInputs(const Values &values, const model_case &which) {
  static const char *const kOrigins[] = {"current", "other", "unattributable", "debugger"};
  step_inputs inputs = {};
  inputs.cycle = which.cycle;
  for (unsigned t = 0; t < values.params.threads; t++) {
    const auto get = [&](const std::string &name) { return values.Get(Values::Of(t, name)); };
    inputs.other[t] = {static_cast<uint8_t>(get("other.el")), static_cast<uint8_t>(get("other.ss")),
                       (get("other.related") & 1) != 0};
    for (unsigned e = 0; e < MODEL_EVENTS; e++) {
      const pmuv3_event &event = values.params.events.event[e];
      for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
        if (pmuv3_event_has(&event, o))
          inputs.count[e][t][o] = static_cast<uint8_t>(
              get(std::string(model_event_name(e)) + "." + kOrigins[o]) & event.most);
    }
    inputs.capture[t] = which.cycle && (get("capture") & 1) != 0;
    const bool accessed = which.thread == t;
    inputs.access[t] = {which.access == MODEL_WRITE && accessed,
                        which.access == MODEL_READ && accessed, (get("checked") & 1) != 0,
                        which.place, get("wdata")};
  }
  if (which.access == MODEL_TRANSFER)
    inputs.transfer = {true,
                       values.IsSet("apb.write"),
                       static_cast<uint8_t>(which.thread),
                       static_cast<uint8_t>(values.Get("apb.space") & 3),
                       which.place,
                       static_cast<uint8_t>(values.Get("apb.strobes") & 15),
                       static_cast<uint32_t>(values.Get("apb.wdata"))};
  return inputs;
}

// A register that there is, mostly; or any encoding.
uint16_t AnyRegister(Values *values) {
  static const uint16_t kRegisters[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
  };
  if (values->Any(4) == 0) return static_cast<uint16_t>(values->Any(0x10000));
  return kRegisters[values->Any(sizeof kRegisters / sizeof *kRegisters)];
}

model_case AnyCase(Values *values) {
  model_case which = {};
  which.cycle = values->Any(2) != 0;
  which.access = static_cast<model_access>(values->Any(4));
  which.thread = static_cast<unsigned>(values->Any(values->params.threads));
  if (which.access == MODEL_TRANSFER)
    which.place =
        static_cast<uint16_t>(values->Any(0x1000) & (values->Any(4) == 0 ? 0xFFF : 0xFFC));
  else
    which.place = AnyRegister(values);
  return which;
}

// ---- Files ----

// What a line does to the C model; what an expectation says must hold.
void Apply(const pmuv3_item &item, pmuv3 *pmu) {
  const pmuv3_cycle nothing = {};
  const auto ss = static_cast<pmuv3_security_state>(item.external.ss);
  uint64_t value;
  uint32_t word;
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
      EXPECT_EQ(pmuv3_write(pmu, item.thread, item.access.reg, item.access.value), PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_EXPECT:
      EXPECT_EQ(pmuv3_read(pmu, item.thread, item.access.reg, &value), PMUV3_ACCESS_OK);
      EXPECT_EQ(value, item.access.value);
      break;
    case PMUV3_ITEM_CYCLE:
      pmuv3_tick(pmu, &item.cycle);
      break;
    case PMUV3_ITEM_IDLE:
      for (uint64_t i = 0; i < item.idle; i++) pmuv3_tick(pmu, &nothing);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      EXPECT_NE(pmuv3_write(pmu, item.thread, item.access.reg, item.access.value), PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      EXPECT_NE(pmuv3_read(pmu, item.thread, item.access.reg, &value), PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_set_pe(pmu, item.thread, &item.pe);
      break;
    case PMUV3_ITEM_RESET:
      pmuv3_reset(pmu);
      break;
    case PMUV3_ITEM_MSR:
      EXPECT_EQ(pmuv3_msr(pmu, item.thread, item.access.reg, item.access.value), item.result);
      break;
    case PMUV3_ITEM_MRS:
      EXPECT_EQ(pmuv3_mrs(pmu, item.thread, item.access.reg, &value), item.result);
      EXPECT_TRUE(!item.has_value || value == item.access.value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      EXPECT_TRUE(pmuv3_external_write(pmu, item.thread, ss, item.external.offset,
                                       item.external.value) != item.result ||
                  !item.has_result);
      break;
    case PMUV3_ITEM_EXTERNAL_READ:
      EXPECT_EQ(pmuv3_external_read(pmu, item.thread, ss, item.external.offset, &word),
                item.result == 0);
      EXPECT_TRUE(!item.has_value || word == item.external.value);
      break;
    default:
      ADD_FAILURE() << "a line of kind " << item.kind;
      break;
  }
}

// A counterexample, written and run: the C model before the clock and after it.
class Replay {
 public:
  Replay(Values *values, size size, const model_case &which, const char *claim = "a claim") {
    const counterexample counterexample = {claim, size, which, ValueOf, values};
    char *text = nullptr;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    result_ = counterexample_write(out, &counterexample);
    std::fclose(out);
    text_ = text;
    std::free(text);
    Keep();
    Run(values->params);
  }

  counterexample_result result() const { return result_; }
  const std::string &text() const { return text_; }
  const pmuv3 &before() const { return before_; }
  const pmuv3 &after() const { return after_; }
  bool IsCaptured(unsigned t) const { return captured_ >> t & 1; }

  // Whether what comes after the clock shows that another state was left behind.
  bool Shows(pmuv3 other) const {
    pmuv3 pmu = after_;
    bool shown = false;
    const uint32_t from = LineOf("# What it left behind:");
    Read([&](const pmuv3_item &item) {
      if (item.line < from || shown) return;
      if (item.kind == PMUV3_ITEM_EXPECT) {
        uint64_t read;
        shown = pmuv3_read(&other, item.thread, item.access.reg, &read) != PMUV3_ACCESS_OK ||
                read != item.access.value;
        return;
      }
      const pmuv3_cycle nothing = {};
      const pmuv3_cycle &cycle = item.kind == PMUV3_ITEM_CYCLE ? item.cycle : nothing;
      uint64_t cycles = item.kind == PMUV3_ITEM_CYCLE ? 1 : 0;
      if (item.kind == PMUV3_ITEM_IDLE) cycles = item.idle;
      if (cycles == 0) {
        Apply(item, &pmu);
        Apply(item, &other);
      }
      for (; cycles > 0 && !shown; cycles--) {
        pmuv3_tick(&pmu, &cycle);
        pmuv3_tick(&other, &cycle);
        shown = !IsSame(pmu, other);
      }
    });
    return shown;
  }

 private:
  // What the lockstep compares after a cycle.
  static bool IsSame(const pmuv3 &pmu, const pmuv3 &other) {
    bool same = true;
    for (unsigned t = 0; t < pmu.params.threads; t++) {
      struct pmuv3_probe probe, other_probe;
      pmuv3_probe(&pmu, t, &probe);
      pmuv3_probe(&other, t, &other_probe);
      same = same && std::memcmp(&probe, &other_probe, sizeof probe) == 0;
    }
    return same;
  }

  // Files to be replayed on both sides, when PMUV3_COUNTEREXAMPLES says where.
  void Keep() const {
    static unsigned number = 0;
    const char *folder = std::getenv("PMUV3_COUNTEREXAMPLES");
    if (folder == nullptr) return;
    FILE *out =
        std::fopen((std::string(folder) + "/" + std::to_string(number++) + ".stim").c_str(), "w");
    std::fputs(text_.c_str(), out);
    std::fclose(out);
  }

  // The line that a comment is in.
  uint32_t LineOf(const char *comment) const {
    const size_t at = text_.find(comment);
    EXPECT_NE(at, std::string::npos) << comment;
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++) line += text_[i] == '\n';
    return line;
  }

  // Does something for every line.
  template <class Do>
  void Read(Do do_item) const {
    pmuv3_stimulus stimulus;
    char error[256] = "";
    std::string text = text_;
    FILE *in = fmemopen(text.data(), text.size(), "r");
    const bool good =
        pmuv3_stimulus_read(&stimulus, in, "counterexample.stim", error, sizeof error);
    std::fclose(in);
    ASSERT_TRUE(good) << error << "\n" << text_;
    for (size_t i = 0; i < stimulus.num_items; i++) do_item(stimulus.items[i]);
    pmuv3_stimulus_free(&stimulus);
  }

  void Run(const pmuv3_params &params) {
    const uint32_t clock = LineOf("# The clock:"), end = LineOf("# What it left behind:");
    pmuv3 pmu;
    pmuv3_init(&pmu, &params);
    before_ = after_ = pmu;
    Read([&](const pmuv3_item &item) {
      Apply(item, &pmu);
      if (item.line < clock) NoteCapture(item);
      if (item.line < clock) before_ = pmu;
      if (item.line < end) after_ = pmu;
    });
  }

  // The thread that captures in the last clock so far.
  void NoteCapture(const pmuv3_item &item) {
    if (item.kind == PMUV3_ITEM_PE) return;
    captured_ =
        item.kind == PMUV3_ITEM_WRITE && item.access.reg == PMUV3_PMSSCR ? 1u << item.thread : 0;
  }

  std::string text_;
  counterexample_result result_ = COUNTEREXAMPLE_UNUSABLE;
  unsigned captured_ = 0;
  pmuv3 before_, after_;
};

size AnySize(uint64_t seed) {
  static const size kSizes[] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {1, 4, 0},
                                {2, 2, 0}, {2, 8, 0}, {4, 2, 0}, {1, 31, 0}};
  return kSizes[seed % (sizeof kSizes / sizeof *kSizes)];
}

// ---- What cannot be brought about ----

bool IsWaiting(const Wanted &wanted, unsigned t, unsigned from) {
  for (unsigned n = from; n < wanted.pmu.params.counters; n++)
    if (wanted.pmu.thread[t].state.pending[pmuv3_lane(n)] != 0) return true;
  return false;
}

// A halted thread makes no increments; counters are not given away behind a Double Lock.
bool IsReachable(const Wanted &wanted, unsigned t) {
  const pmuv3_pe &pe = wanted.pmu.pe[t];
  if (pe.halted && IsWaiting(wanted, t, 0)) return false;
  return !pe.dlk || !IsWaiting(wanted, t, wanted.pmu.thread[t].decoded.epmn);
}

// The controls allow captures (table D13-10), and so does the state, that may be another one unless
// increments wait.
bool IsCapturable(const Wanted &wanted, unsigned t) {
  const pmuv3_registers &registers = wanted.pmu.thread[t].registers;
  uint64_t control = PMUV3_GET(registers.pmecr, PMECR, SSE);
  if (wanted.pmu.params.el2 && PMUV3_GET(registers.mdcr_el2, MDCR_EL2, PMSSE) != 1)
    control = PMUV3_GET(registers.mdcr_el2, MDCR_EL2, PMSSE);
  if (wanted.pmu.params.el3 && PMUV3_GET(registers.mdcr_el3, MDCR_EL3, PMSSE) != 1)
    control = PMUV3_GET(registers.mdcr_el3, MDCR_EL3, PMSSE);
  return control == 3 && registers.pmsscr == 0 &&
         !(wanted.pmu.pe[t].oslk && !wanted.pmu.pe[t].halted && IsWaiting(wanted, t, 0));
}

// ---- Tests ----

// Of any assignment: what is reached exactly is all but what is listed.
TEST(CounterexampleTest, AnyState) {
  unsigned exact = 0, with_snapshots = 0;
  for (uint64_t seed = 1; seed <= kRuns && !HasFailure(); seed++) {
    const size size = AnySize(seed);
    Values values(seed, size);
    const model_case which = AnyCase(&values);
    const Replay replay(&values, size, which);
    const Wanted wanted = GetWanted(values);
    bool reachable = true, copying = false, taken = false;
    for (unsigned t = 0; t < size.threads; t++) {
      reachable = reachable && IsReachable(wanted, t);
      copying = copying || wanted.copying[t];
      taken = taken || replay.IsCaptured(t);
    }
    for (unsigned t = 0; t < size.threads; t++)
      EXPECT_TRUE(taken || !wanted.copying[t] || !IsCapturable(wanted, t))
          << "seed " << seed << ", thread " << t;
    const bool equal = StateOf(wanted.pmu) == StateOf(replay.before());
    EXPECT_TRUE(reachable || !equal) << "seed " << seed;
    EXPECT_TRUE(equal || !reachable || copying) << "seed " << seed;
    exact += equal;
    with_snapshots += equal && copying;
  }
  EXPECT_GT(with_snapshots, 10u);
  RecordProperty("states", static_cast<int>(kRuns));
  RecordProperty("exact", static_cast<int>(exact));
  RecordProperty("exact_with_snapshots", static_cast<int>(with_snapshots));
}

// Takes out of an assignment what cannot be brought about, or had in a file.
void MakeLegal(Values *values, const model_case &which) {
  for (unsigned t = 0; t < values->params.threads; t++) {
    const auto give = [&](const std::string &name, uint64_t value) {
      values->Give(Values::Of(t, name), value);
    };
    pmuv3_pe *pe = &values->pe[t];
    if (pe->halted || pe->dlk) give("state.waiting", 0);
    if (values->params.debugv8p2) give("pe.snid", pe->snid = false);
    values->GiveCapture(t, false);
    for (unsigned e = 0; e < MODEL_EVENTS; e++) {
      const pmuv3_event &event = values->params.events.event[e];
      const std::string name = model_event_name(e);
      if (!pe->halted) give(name + ".debugger", 0);
      if (values->Get(Values::Of(t, "other.el")) == pe->el) give(name + ".other", 0);
      if (pmuv3_event_fits(&values->params, &event)) continue;
      for (const char *origin : {".current", ".other", ".unattributable", ".debugger"})
        give(name + origin, 0);
    }
  }
  values->Give("apb.psel", 0);
  values->Give("apb.strobes", 15);
  if (which.cycle) values->Give("apb.write", 1);
  if (pmuv3_register_bits(which.place) == 32)
    values->Give(Values::Of(which.thread, "wdata"), values->Any(UINT32_MAX));
}

// Files have no reads in a cycle, nor external accesses of parts of two words, nor clocks of
// unchecked writes that must be refused.
bool IsInFiles(const Values &values, const model_case &which) {
  if (which.access == MODEL_READ) return !which.cycle;
  if (which.access == MODEL_TRANSFER) return !which.cycle || which.place % 4 == 0;
  return which.access != MODEL_WRITE || values.IsSet(Values::Of(which.thread, "checked")) ||
         pmuv3_register_writable(&values.params, which.place) == PMUV3_ACCESS_OK;
}

// Random states count nothing, mostly: makes it one in which counters count what occurs.
void MakeCounting(Values *values) {
  constexpr uint64_t kFilters = 0xFDFF;                  // of [31:16], but for MT
  constexpr uint64_t kModes = UINT64_C(7) << (56 - 16);  // SYNC and VS
  constexpr uint64_t kSpme = 1 << 17, kHpmd = 1 << 17;
  for (unsigned t = 0; t < values->params.threads; t++) {
    const auto give = [&](const std::string &name, uint64_t set, uint64_t clear) {
      values->Give(Values::Of(t, name), (values->Get(Values::Of(t, name)) & ~clear) | set);
    };
    give("registers.pmcr", 1, 0);
    give("registers.cnten", UINT64_MAX, 0);
    give("registers.overflow", 0, UINT64_MAX);
    give("registers.mdcr_el3", kSpme, 0);
    give("registers.mdcr_el2", 0, kHpmd);
    for (unsigned n = 0; n < values->params.counters; n++) {
      values->Give(Values::Of(t, "evtCount", n), model_event_number(values->Any(MODEL_EVENTS)));
      give("PMEVTYPER" + std::to_string(n), 0, kFilters | kModes);
    }
  }
}

// Of what there can be, state and clock are exactly those of the proof.
TEST(CounterexampleTest, LegalClock) {
  unsigned exact = 0;
  for (uint64_t seed = 1; seed <= kRuns && !HasFailure(); seed++) {
    const size size = AnySize(seed / 8);
    Values values(seed, size);
    model_case which = AnyCase(&values);
    while (!IsInFiles(values, which)) which = AnyCase(&values);
    MakeLegal(&values, which);
    if (values.Any(4) != 0) MakeCounting(&values);
    const Replay replay(&values, size, which);
    Wanted wanted = GetWanted(values);
    const step_inputs inputs = GetInputs(values, which);
    EXPECT_EQ(StateOf(wanted.pmu), StateOf(replay.before())) << "seed " << seed;
    step_clock(&wanted.pmu, &inputs);
    // But for an increment of a counter of which 255 wait, which is lost anyway.
    EXPECT_EQ(StateOf(wanted.pmu), StateOf(replay.after())) << "seed " << seed;
    exact += replay.result() == COUNTEREXAMPLE_EXACT;
    EXPECT_TRUE(replay.result() == COUNTEREXAMPLE_EXACT ||
                replay.text().find("of which 255 wait") != std::string::npos)
        << replay.text();
  }
  EXPECT_GE(exact, kRuns * 99 / 100);
}

// What a clock leaves behind shows, whatever of it is another one.
TEST(CounterexampleTest, Differences) {
  const size size = {2, 4, 0};
  unsigned shown = 0;
  for (uint64_t seed = 1; seed <= kRuns / 4 && !HasFailure(); seed++) {
    Values values(seed, size);
    model_case which = AnyCase(&values);
    while (!IsInFiles(values, which)) which = AnyCase(&values);
    MakeLegal(&values, which);
    if (values.Any(2) != 0) MakeCounting(&values);
    const Replay replay(&values, size, which);
    const auto shows = [&](const char *what, const auto &change) {
      pmuv3 other = replay.after();
      change(&other, &other.thread[values.Any(2)]);
      step_decode(&other);
      EXPECT_TRUE(replay.Shows(other)) << "seed " << seed << ": " << what << "\n" << replay.text();
      shown++;
    };
    if (pmuv3_can_aa32(&values.params, 0))  // else nothing is divided
      shows("divider", [](pmuv3 *, pmuv3_thread *thread) { thread->state.divider ^= 32; });
    shows("PMCCNTR", [](pmuv3 *, pmuv3_thread *thread) { thread->state.cycles ^= 1; });
    shows("flag", [](pmuv3 *, pmuv3_thread *thread) {
      thread->registers.overflow ^= PMUV3_MASK(PMOVSSET, C);
    });
    shows("PMUSERENR", [](pmuv3 *, pmuv3_thread *thread) { thread->registers.pmuserenr ^= 1; });
    if (values.params.counters == 0) continue;
    shows("CP", [](pmuv3 *, pmuv3_thread *thread) { thread->state.CP[0] ^= 0xFFFF; });
    shows("value", [](pmuv3 *, pmuv3_thread *thread) { thread->state.value[0] ^= 1 << 31; });
    if (which.access != MODEL_WRITE || which.place != PMUV3_PMSWINC) continue;
    shows("increments", [](pmuv3 *, pmuv3_thread *thread) {
      thread->state.pending[0] ^= 1;
      thread->state.waiting = true;
    });
  }
  EXPECT_GT(shown, kRuns);  // some of each
}

// A snapshot in the clock before, of a thread whose increments wait.
TEST(CounterexampleTest, Snapshot) {
  const size size = {1, 2, 0};
  unsigned captured = 0;
  for (uint64_t seed = 1; seed <= 4 * kRuns && !HasFailure(); seed++) {
    Values values(seed, size);
    if (!values.Has(PMUV3_FEATURE_SS)) continue;
    const model_case which = {true, MODEL_NO_ACCESS, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0};
    MakeLegal(&values, which);
    values.GiveCapture(0, true);
    values.Give("t0.registers.pmsscr", 0);
    values.Give("t0.registers.mdcr_el3", values.Get("t0.registers.mdcr_el3") | UINT64_C(3) << 30);
    values.Give("t0.registers.mdcr_el2", values.Get("t0.registers.mdcr_el2") | UINT64_C(3) << 30);
    values.Give("t0.registers.pmecr", values.Get("t0.registers.pmecr") | UINT64_C(3) << 3);
    // A file changes no state while something waits.
    if (values.pe[0].oslk || values.pe[0].halted || values.pe[0].dlk) continue;
    const Replay replay(&values, size, which);
    EXPECT_EQ(replay.result(), COUNTEREXAMPLE_EXACT) << replay.text();
    EXPECT_TRUE(replay.IsCaptured(0)) << replay.text();
    EXPECT_EQ(StateOf(GetWanted(values).pmu), StateOf(replay.before()));
    captured++;
  }
  EXPECT_GT(captured, 50u);
}

// Resets, changes of a thread's state and what takes two clocks are no clocks: they are written as
// what they are. No software increments wait while a state changes, which files do not have.
TEST(CounterexampleTest, NoClock) {
  unsigned dropped = 0;
  for (uint64_t seed = 1; seed <= 4 * kRuns && !HasFailure(); seed++) {
    const size size = AnySize(seed);
    Values values(seed, size);
    const unsigned t = static_cast<unsigned>(values.Any(size.threads));
    MakeLegal(&values, {false, MODEL_NO_ACCESS, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0});
    const pmuv3_pe next = values.MakePe(t, "next");
    if (pmuv3_pe_wrong(&values.params, &next) != nullptr) continue;
    if (values.params.debugv8p2 && next.snid) continue;
    for (const model_access access : {MODEL_RESET, MODEL_COLD_RESET, MODEL_SET_PE, MODEL_WAIT}) {
      const uint16_t place = seed % 2 == 0 ? PMUV3_PMCNTENCLR : PMUV3_PMSWINC;
      const model_case which = {false, access, t, place, false, MODEL_NO_PAGE, 0};
      Replay replay(&values, size, which);
      pmuv3 pmu = GetWanted(values).pmu;
      if (access == MODEL_RESET) pmuv3_reset(&pmu);
      if (access == MODEL_COLD_RESET) pmuv3_init(&pmu, &values.params);
      pmuv3_state *state = &pmu.thread[t].state;
      const bool drops =
          access == MODEL_SET_PE && state->waiting && !pmuv3_pe_equal(&next, &pmu.pe[t]);
      if (drops) std::memset(state->pending, 0, sizeof state->pending);
      if (drops) state->waiting = false;
      dropped += drops;
      if (access == MODEL_SET_PE) pmuv3_set_pe(&pmu, t, &next);
      step_inputs inputs = GetInputs(values, which);
      inputs.transfer.ss = values.Get("apb.space") & 3;
      inputs.transfer.value = static_cast<uint32_t>(values.Get("apb.wdata"));
      if (access == MODEL_WAIT) step_wait(&pmu, &inputs, t, place, false);
      EXPECT_EQ(StateOf(pmu), StateOf(replay.after())) << "seed " << seed << replay.text();
      EXPECT_EQ(replay.result() == COUNTEREXAMPLE_EXACT, !drops) << replay.text();
    }
  }
  EXPECT_GT(dropped, 0u);
}

// The result of a checked write in a cycle is not compared, so it is written before, where it is.
TEST(CounterexampleTest, ResultInQuestion) {
  const size size = {1, 2, 0};
  model_case which = {true, MODEL_WRITE, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0};
  which.place = PMUV3_PMCR;
  for (const char *claim : {"t0 value read", "t0 result of an access"}) {
    Values values(1, size);
    MakeLegal(&values, which);
    values.Give("t0.checked", 1);
    const Replay replay(&values, size, which, claim);
    const std::string clock = replay.text().substr(replay.text().find("# The clock:"));
    const bool is_before = clock.find("\nmsr PMCR_EL0") < clock.find("\ncycle");
    EXPECT_EQ(is_before, std::string(claim) == "t0 result of an access") << clock;
    EXPECT_NE(clock.find("msr:PMCR_EL0="), std::string::npos) << clock;
  }
}

// Nothing is given: what does not matter may be 0. Without AArch64 each Exception level uses
// AArch32.
TEST(CounterexampleTest, NoValues) {
  const counterexample counterexample = {
      nullptr,
      {1, 2, 0},
      {true, MODEL_NO_ACCESS, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0},
      [](const char *variable, void *) {
        return static_cast<uint64_t>(std::strcmp(variable, "aa32") == 0 ? PMUV3_AA32_EL3 : 0);
      },
      nullptr};
  FILE *out = std::tmpfile();
  EXPECT_EQ(counterexample_write(out, &counterexample), COUNTEREXAMPLE_EXACT);
  std::fclose(out);
}

// D14.7: traits that there cannot be, which the theorem has all the same. The file has others, and
// says so.
TEST(CounterexampleTest, Traits) {
  const size size = {1, 2, 0};
  const model_case which = {true, MODEL_NO_ACCESS, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0};
  const struct {
    std::string event;
    uint64_t traits;
    bool sebep, differs;
  } cases[] = {
      {"STALL_BACKEND", PMUV3_EVENT_TRAIT_SYNC, false, true},
      {"0x4005", PMUV3_EVENT_TRAIT_SYNC, false, true},
      {"0x0004", PMUV3_EVENT_TRAIT_SYNC, true, false},
      {"INST_RETIRED", PMUV3_EVENT_TRAIT_NONE, true, true},
      {"INST_RETIRED", PMUV3_EVENT_TRAIT_NONE, false, false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.event);
    uint64_t seed = 1;
    while (Values(seed, size).Has(PMUV3_FEATURE_SEBEP) != c.sebep) seed++;
    Values values(seed, size);
    MakeLegal(&values, which);
    values.Give(c.event + ".traits", c.traits);
    const Replay replay(&values, size, which);
    EXPECT_EQ(replay.result(), c.differs ? COUNTEREXAMPLE_NEAR : COUNTEREXAMPLE_EXACT);
    EXPECT_EQ(replay.text().find("\n# Differs: " + c.event) != std::string::npos, c.differs)
        << replay.text();
  }
}

// Parameters that there cannot be.
TEST(CounterexampleTest, NoImplementation) {
  const counterexample counterexample = {
      nullptr,
      {1, 2, 0},
      {true, MODEL_NO_ACCESS, 0, MODEL_NO_PSEL, false, MODEL_NO_PAGE, 0},
      [](const char *name, void *) { return uint64_t{std::strncmp(name, "FEAT_EXT", 8) == 0}; },
      nullptr};
  FILE *out = std::tmpfile();
  EXPECT_EQ(counterexample_write(out, &counterexample), COUNTEREXAMPLE_UNUSABLE);
  EXPECT_EQ(std::ftell(out), 0);
  std::fclose(out);
}

}  // namespace
