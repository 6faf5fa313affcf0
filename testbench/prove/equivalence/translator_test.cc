// The whole translator: a clock of the C model as terms (model.h), against the same clock as it is
// compiled. States, inputs and parameters are drawn at random; what is after the clock, what is
// answered in it and what is in between must be the same, and nothing that is claimed may fail.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/equivalence/cases.h"
#include "testbench/prove/equivalence/model.h"
#include "testbench/prove/equivalence/step.h"
}
#pragma GCC diagnostic pop

namespace {

constexpr int kClocks = 40;  // of a case

// Other cases than always: PMUV3_TRANSLATOR_SEED; and more of them: PMUV3_TRANSLATOR_CASES.
uint64_t Option(const char *name, uint64_t otherwise) {
  const char *value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 0);
}

struct Free {
  void operator()(struct model *model) const { model_free(model); }
  void operator()(struct term_values *values) const { term_values_free(values); }
};
using Model = std::unique_ptr<struct model, Free>;

// ---- Values at random ----

class Random {
 public:
  explicit Random(uint64_t seed) : next_(seed) {}

  uint64_t Word() { return next_(); }
  uint64_t Below(uint64_t limit) { return next_() % limit; }
  bool OneIn(uint64_t number) { return Below(number) == 0; }

  // Of a register, a counter or a number that goes in.
  uint64_t Mixed() {
    const uint64_t word = Word();
    switch (Below(8)) {
      case 0:
        return 0;
      case 1:
        return UINT64_MAX;
      case 2:
        return word & Word() & Word();
      case 3:
        return word | Word() | Word();
      case 4:
        return word & 7;
      case 5:
        return -(word & 7);
      case 6:
        return uint64_t{1} << (word & 63);
      default:
        return word;
    }
  }

 private:
  std::mt19937_64 next_;
};

// ---- An assignment that is legal, mostly ----

using Assignment = std::map<std::string, uint64_t>;

// Parameters of a size, that are in range and complete.
struct pmuv3_params DrawParams(struct size size, Random &random) {
  struct pmuv3_params params;
  const char *wrong;
  do {
    params = {};
    params.events = pmuv3_events_default();
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  params.name = static_cast<uint8_t>((min) + random.Below((max) - (min) + 1));
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) params.name = random.Word() & (mask);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  params.id = static_cast<uint8_t>(random.Below(uint64_t{1} << (bits)));
#include "pmuv3/params.def"
    params.threads = static_cast<uint8_t>(size.threads);
    params.counters =
        static_cast<uint8_t>(random.OneIn(4) ? random.Below(size.counters + 1) : size.counters);
    if (params.aa64 == 0) params.aa64 = !random.OneIn(4);
    params.features =
        static_cast<uint32_t>(random.OneIn(2) ? random.Word() : random.Word() | random.Word());
    params.features &= (UINT32_C(1) << PMUV3_NUM_FEATURES) - 1;
    wrong = pmuv3_params_complete(&params);
  } while (wrong != nullptr || !step_legal_params(&params));
  return params;
}

struct pmuv3_pe DrawPe(const struct pmuv3_params &params, Random &random) {
  struct pmuv3_pe pe;
  do {
    pe = {};
#define PMUV3_PE_NUMBER(name, width, text) \
  pe.name = static_cast<uint8_t>(random.Below(uint64_t{1} << (width)));
#define PMUV3_PE_MASK(name, width, text) pe.name = random.Word() >> (64 - (width));
#define PMUV3_PE_FLAG(name, text) pe.name = random.OneIn(4);
#include "pmuv3/pe.def"
  } while (pmuv3_pe_wrong(&params, &pe) != nullptr);
  return pe;
}

std::pair<unsigned, unsigned> DrawContext(const struct pmuv3_params &params, Random &random) {
  unsigned el, ss;
  do {
    el = static_cast<unsigned>(random.Below(4));
    ss = static_cast<unsigned>(random.Below(4));
  } while (pmuv3_context_wrong(&params, el, ss) != nullptr);
  return {el, ss};
}

// What the events of event counters are selected by: one that there is, mostly.
uint64_t DrawEvent(const struct pmuv3_params &params, unsigned counter, Random &random) {
  struct pmuv3 pmu = {};
  pmu.params = params;
  const uint64_t bits = step_mask(&pmu, PMUV3_PMEVTYPERn(counter)) & 0xFFFF;
  const auto event = static_cast<unsigned>(random.Below(MODEL_EVENTS));
  return (random.OneIn(8) ? random.Word() : model_event_number(event)) & bits;
}

void AssignParams(const struct pmuv3_params &params, Assignment &assignment) {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) assignment[#name] = params.name;
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) assignment[#id] = params.id;
#define PMUV3_FEATURE(id, implies, dflt, text) \
  assignment["FEAT_" #id] = pmuv3_has(&params, PMUV3_FEATURE_##id);
#include "pmuv3/params.def"
}

// How often an event of a class can occur; the proof does not have it, as a tick does not read it.
uint8_t MostOf(unsigned event_class) {
  switch (event_class) {
    case PMUV3_EVENT_CLASS_SELF:
      return 0;
    case PMUV3_EVENT_CLASS_COUNT:
    case PMUV3_EVENT_CLASS_SLOTS:
      return UINT8_MAX;
    default:
      return 1;
  }
}

unsigned ClassOf(unsigned e, const Assignment &assignment) {
  const auto found = assignment.find(std::string(model_event_name(e)) + ".class");
  if (found != assignment.end()) return static_cast<unsigned>(found->second);
  return pmuv3_event_of_architecture(model_event_number(e))->event_class;
}

// Classes, attributions and traits that an implementation may have.
void AssignEvents(const struct pmuv3_params &params, Random &random, Assignment &assignment) {
  const bool sebep = pmuv3_has(&params, PMUV3_FEATURE_SEBEP);
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const std::string name = model_event_name(e);
    if (model_event_may_be(e, PMUV3_EVENT_CLASS_SLOTS))
      assignment[name + ".class"] = PMUV3_EVENT_CLASS_COUNT + random.Below(5);
    const bool counts = ClassOf(e, assignment) == PMUV3_EVENT_CLASS_COUNT;
    assignment[name + ".attribution"] =
        random.Below(counts ? PMUV3_NUM_EVENT_ATTRIBUTIONS : PMUV3_EVENT_ATTRIBUTION_TRACE);
    const auto traits = static_cast<uint8_t>(random.Below(4));
    assignment[name + ".traits"] = model_event_traits(e, traits, sebep);
  }
}

// Counts that the classes may have.
void AssignCounts(const struct model &model, unsigned t, Random &random, Assignment &assignment) {
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const auto event_class = static_cast<uint8_t>(ClassOf(e, assignment));
    const struct pmuv3_event event = {0, event_class, 0, 0, 0};
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
      if (model.inputs.thread[t].count[e][o] != TERM_NONE)
        assignment[term_name(model_event_count("", t, e, o))] =
            pmuv3_event_has(&event, o) ? random.Below(MostOf(event_class) + 1u) : 0;
  }
}

void AssignPe(const struct pmuv3_pe &pe, const std::string &of, Assignment &assignment) {
#define PMUV3_PE_NUMBER(name, width, text) assignment[of + #name] = pe.name;
#define PMUV3_PE_MASK(name, width, text) assignment[of + #name] = pe.name;
#define PMUV3_PE_FLAG(name, text) assignment[of + #name] = pe.name;
#include "pmuv3/pe.def"
}

// The high bits of a register that no case is of.
void AssignUnknownRegister(const struct model &model, Random &random, Assignment &assignment) {
  const std::string name = "t" + std::to_string(model.which.thread) + ".reg_high";
  const term variable = model_variable(&model, name.c_str());
  const uint32_t width = term_width(variable);
  uint64_t high;
  do {
    high = random.Below(uint64_t{1} << width);
  } while (model_knows_register(static_cast<uint16_t>(high << (16 - width))));
  assignment[name] = high;
}

// What is not in it may be anything.
Assignment DrawAssignment(const struct model &model, Random &random) {
  Assignment assignment;
  const struct pmuv3_params params = DrawParams(model.size, random);
  AssignParams(params, assignment);
  AssignEvents(params, random, assignment);
  for (unsigned t = 0; t < model.size.threads; t++) {
    const std::string thread = "t" + std::to_string(t) + ".";
    AssignCounts(model, t, random, assignment);
    AssignPe(DrawPe(params, random), thread + "pe.", assignment);
    if (model.which.access == MODEL_SET_PE)
      AssignPe(DrawPe(params, random), thread + "next.", assignment);
    const auto [el, ss] = DrawContext(params, random);
    assignment[thread + "other.el"] = el;
    assignment[thread + "other.ss"] = ss;
    for (unsigned n = 0; n < model.size.counters; n++)
      assignment[thread + "evtCount" + std::to_string(n)] = DrawEvent(params, n, random);
  }
  if (model.which.is_unknown) AssignUnknownRegister(model, random, assignment);
  return assignment;
}

// ---- Values of terms ----

class Values {
 public:
  Values(Assignment assignment, Random &random)
      : assignment_(std::move(assignment)), random_(random) {
    values_.reset(term_values_new(Value, this));
  }
  Values(const Values &) = delete;
  Values &operator=(const Values &) = delete;

  uint64_t Of(term a) const { return *term_value(values_.get(), a); }

 private:
  static void Value(term variable, uint64_t *words, void *with) {
    auto *values = static_cast<Values *>(with);
    const auto found = values->assignment_.find(term_name(variable));
    for (uint32_t word = 0; word < (term_width(variable) + 63) / 64; word++)
      words[word] = found != values->assignment_.end() ? found->second : values->random_.Mixed();
  }

  const Assignment assignment_;
  Random &random_;
  std::unique_ptr<struct term_values, Free> values_;
};

// ---- Places ----

// Everything that both the terms and the struct have of a thread's state, by name.
template <typename Thread, typename Visit>
void ForEachPlace(const struct thread_state &state, Thread &thread, const Visit &visit) {
  auto &registers = thread.registers;
#define REGISTER(member, id) visit(#member, state.member, registers.member);
#include "testbench/prove/equivalence/state_registers.def"
  visit("pmsscr", state.pmsscr, registers.pmsscr);
  visit("pmccr", state.pmccr, registers.pmccr);
  visit("locked", state.locked, registers.locked);
  visit("cycles", state.cycles, thread.state.cycles);
  visit("instructions", state.instructions, thread.state.instructions);
  visit("waiting", state.waiting, thread.state.waiting);
  visit("captured", state.captured, thread.state.captured);
  visit("divider", state.divider, thread.state.divider);
  visit("saved_cycles", state.saved_cycles, thread.saved.cycles);
  visit("saved_instructions", state.saved_instructions, thread.saved.instructions);
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    const std::string number = std::to_string(n);
    const unsigned lane = pmuv3_lane(n);
    visit("evtyper" + number, state.evtyper[n], registers.evtyper[n]);
    visit("value" + number, state.value[n], thread.state.value[lane]);
    visit("CP" + number, state.CP[n], thread.state.CP[lane]);
    visit("pending" + number, state.pending[n], thread.state.pending[lane]);
    visit("saved" + number, state.saved[n], thread.saved.value[n]);
  }
}

template <typename LaneValues, typename Visit>
void ForEachValue(const struct lane_values &terms, LaneValues &values, unsigned n,
                  const Visit &visit) {
  const unsigned lane = pmuv3_lane(n);
  const std::string number = std::to_string(n);
  visit("allowed" + number, terms.allowed, values.allowed[lane]);
  visit("VB" + number, terms.VB, values.VB[lane]);
  visit("CT" + number, terms.CT, values.CT[lane]);
  visit("CP in the cycle" + number, terms.CP, values.CP[lane]);
  visit("CE" + number, terms.CE, values.CE[lane]);
  visit("VT" + number, terms.VT, values.VT[lane]);
  visit("VE" + number, terms.VE, values.VE[lane]);
  visit("V" + number, terms.V, values.V[lane]);
}

// ---- The clock, compiled ----

// As in pe_t of pmuv3_pkg.sv, from the bottom.
struct pmuv3_pe Unpacked(uint64_t bits) {
  const auto take = [&](unsigned width) {
    const uint64_t value = bits & ((UINT64_C(1) << width) - 1);
    bits >>= width;
    return value;
  };
  struct pmuv3_pe pe = {};
#define PMUV3_PE_NUMBER(name, width, text) pe.name = static_cast<uint8_t>(take(width));
#define PMUV3_PE_MASK(name, width, text) pe.name = take(width);
#define PMUV3_PE_FLAG(name, text) pe.name = take(1) != 0;
#include "pmuv3/pe.def"
  return pe;
}

class Clock {
 public:
  Clock(const struct model &model, const Values &values) : model_(model), values_(values) {
    FillParams();
    for (unsigned t = 0; t < Threads(); t++) FillThread(t);
    FillTransfer();
  }

  // Whether its parameters, inputs and selected events are such as an implementation may have.
  bool IsLegal() const {
    bool selected = true;
    for (unsigned t = 0; t < Threads(); t++)
      for (unsigned n = 0; n < model_.size.counters; n++)
        selected &= (pmu_.thread[t].registers.evtyper[n] & 0xFFFF &
                     ~step_mask(&pmu_, PMUV3_PMEVTYPERn(n))) == 0;
    return selected && pmu_.params.counters <= model_.size.counters &&
           pmuv3_params_wrong(&pmu_.params) == nullptr && step_legal_inputs(&pmu_, &inputs_);
  }

  void Run() {
    step_decode(&pmu_);
    const struct pmuv3_params params = pmu_.params;
    switch (model_.which.access) {
      case MODEL_RESET:
        pmuv3_reset(&pmu_);
        return;
      case MODEL_COLD_RESET:
        pmuv3_init(&pmu_, &params);
        return;
      case MODEL_WAIT:
        step_wait(&pmu_, &inputs_, model_.which.thread, model_.which.place, true);
        return;
      case MODEL_SET_PE:
        SetPe(model_.which.thread);
        return;
      default:
        Answer();
        step_clock(&pmu_, &inputs_);
        return;
    }
  }

  struct pmuv3 &pmu() {
    return pmu_;
  }
  struct step_answers &answers() {
    return answers_;
  }

  // Where the terms and what was run differ, by name.
  std::vector<std::string> Differences() const {
    std::vector<std::string> names;
    const auto compare = [&](const std::string &name, term of, uint64_t run) {
      if (values_.Of(of) != run) names.push_back(name);
    };
    for (unsigned t = 0; t < Threads(); t++) {
      ForEachPlace(model_.next[t], pmu_.thread[t], compare);
      if (model_is_clock(&model_.which)) CompareAnswers(t, compare);
      for (unsigned n = 0; model_.which.cycle && n < model_.size.counters; n++)
        ForEachValue(model_.values[t][n], pmu_.thread[t].values, n, compare);
    }
    if (!model_is_clock(&model_.which)) return names;
    compare("ready", model_.answers.ready, answers_.ready);
    compare("transfer_error", model_.answers.transfer_error, answers_.transfer_error);
    compare("word", model_.answers.word, answers_.word);
    return names;
  }

 private:
  unsigned Threads() const { return model_.size.threads; }

  void Answer() {
    step_answer(&pmu_, &inputs_, &answers_);
    for (unsigned t = 0; t < Threads(); t++) {
      irq_[t] = pmuv3_irq(&pmu_, t);
      cti_[t] = pmuv3_cti(&pmu_, t);
      exception_[t] = pmuv3_exception(&pmu_, t);
      halt_[t] = pmuv3_halt(&pmu_, t);
      brbe_[t] = pmuv3_brbe(&pmu_, t);
    }
  }

  void SetPe(unsigned t) {
    const auto next = [&](const char *name) {
      const std::string variable = "t" + std::to_string(t) + ".next." + name;
      return values_.Of(model_variable(&model_, variable.c_str()));
    };
    struct pmuv3_pe pe = {};
#define PMUV3_PE_NUMBER(name, width, text) pe.name = static_cast<uint8_t>(next(#name));
#define PMUV3_PE_FLAG(name, text) pe.name = next(#name) != 0;
#define PMUV3_PE_MASK(name, width, text) pe.name = next(#name);
#include "pmuv3/pe.def"
    pmuv3_set_pe(&pmu_, t, &pe);
  }

  template <typename Compare>
  void CompareAnswers(unsigned t, const Compare &compare) const {
    const struct model_answers &terms = model_.answers;
    compare("error", terms.error[t], answers_.error[t]);
    compare("result", terms.result[t], answers_.result[t]);
    compare("syndrome", terms.syndrome[t], answers_.syndrome[t]);
    compare("read value", terms.value[t], answers_.value[t]);
    compare("irq", terms.irq[t], irq_[t]);
    compare("cti", terms.cti[t], cti_[t]);
    compare("exception", terms.exception[t], exception_[t]);
    compare("halt", terms.halt[t], halt_[t]);
    compare("brbe", terms.brbe[t], brbe_[t]);
    if (model_.which.cycle) compare("pulses", terms.pulses[t], pmuv3_pulses(&pmu_, t));
  }

  void FillParams() {
    unsigned number = 0;
    const auto next = [&] { return values_.Of(model_.params[number++]); };
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  pmu_.params.name = static_cast<uint8_t>(next());
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) pmu_.params.name = next();
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  pmu_.params.id = static_cast<uint8_t>(next());
#include "pmuv3/params.def"
    pmu_.params.features = static_cast<uint32_t>(values_.Of(model_.features));
    pmu_.params.events.num = MODEL_EVENTS;
    for (unsigned e = 0; e < MODEL_EVENTS; e++) {
      const struct event_terms &terms = model_.events[e];
      const auto event_class = static_cast<uint8_t>(values_.Of(terms.event_class));
      pmu_.params.events.event[e] = {
          model_event_number(e), event_class, static_cast<uint8_t>(values_.Of(terms.attribution)),
          static_cast<uint8_t>(values_.Of(terms.traits)), MostOf(event_class)};
    }
  }

  void FillThread(unsigned t) {
    const struct thread_inputs &terms = model_.inputs.thread[t];
    pmu_.pe[t] = Unpacked(values_.Of(terms.pe));
    const uint64_t other = values_.Of(terms.other);
    inputs_.other[t] = {static_cast<uint8_t>(other & 3), static_cast<uint8_t>(other >> 2 & 3),
                        (other >> 4 & 1) != 0};
    inputs_.capture[t] = values_.Of(terms.capture) != 0;
    for (unsigned e = 0; e < MODEL_EVENTS; e++)
      for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
        if (terms.count[e][o] != TERM_NONE)
          inputs_.count[e][t][o] = static_cast<uint8_t>(values_.Of(terms.count[e][o]));
    inputs_.access[t] = {values_.Of(terms.write) != 0, values_.Of(terms.read) != 0,
                         values_.Of(terms.checked) != 0,
                         static_cast<uint16_t>(values_.Of(terms.reg)), values_.Of(terms.value)};
    ForEachPlace(model_.now[t], pmu_.thread[t], [&](const std::string &, term of, auto &place) {
      place = static_cast<std::remove_reference_t<decltype(place)>>(values_.Of(of));
    });
  }

  void FillTransfer() {
    const struct model_inputs &terms = model_.inputs;
    inputs_.cycle = model_.which.cycle;
    inputs_.transfer = {values_.Of(terms.select) != 0,
                        values_.Of(terms.transfer_write) != 0,
                        static_cast<uint8_t>(values_.Of(terms.page)),
                        static_cast<uint8_t>(values_.Of(terms.space)),
                        static_cast<uint16_t>(values_.Of(terms.offset)),
                        static_cast<uint8_t>(values_.Of(terms.strobes)),
                        static_cast<uint32_t>(values_.Of(terms.word))};
  }

  const struct model &model_;
  const Values &values_;
  struct pmuv3 pmu_ = {};
  struct step_inputs inputs_ = {};
  struct step_answers answers_ = {};
  bool irq_[PMUV3_MAX_THREADS] = {}, cti_[PMUV3_MAX_THREADS] = {};
  unsigned exception_[PMUV3_MAX_THREADS] = {}, brbe_[PMUV3_MAX_THREADS] = {};
  bool halt_[PMUV3_MAX_THREADS] = {};
};

bool IsAssumed(const struct model &model, const Values &values) {
  for (size_t a = 0; a < model.num_assumptions; a++)
    if (values.Of(model.assumptions[a]) == 0) return false;
  return true;
}

// The theorem has traits that D14.7 forbids, too (model_events.h).
bool ArePermitted(const struct model &model, const Values &values) {
  const bool sebep = values.Of(model_variable(&model, "FEAT_SEBEP")) != 0;
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const auto traits = static_cast<uint8_t>(values.Of(model.events[e].traits));
    if (!model_event_is_self(e) && model_event_traits(e, traits, sebep) != traits) return false;
  }
  return true;
}

std::vector<std::string> FailedClaims(const struct model &model, const Values &values) {
  std::vector<std::string> names;
  for (size_t c = 0; c < model.num_claims; c++)
    if (values.Of(model.claims[c].condition) == 0) names.push_back(model.claims[c].name);
  return names;
}

// ---- Cases ----

// As the C model is proved, and with traps where something undefined happens. Parameters have as
// many bits as the size asks for: in one process they are of as many counters as the same bits
// count.
struct Code {
  const char *name, *bitcode;
  unsigned threads, counters;
};
void PrintTo(const Code &code, std::ostream *out) {
  *out << code.name;
}
constexpr char kPlain[] = PMUV3_MODEL_BITCODE, kTraps[] = PMUV3_MODEL_UB_BITCODE;
constexpr Code kCodes[] = {{"Plain1x0", kPlain, 1, 0},
                           {"Plain1x2", kPlain, 1, 2},
                           {"Plain1x3", kPlain, 1, 3},
                           {"Plain2x2", kPlain, 2, 2},
                           {"Traps1x2", kTraps, 1, 2}};

std::string NameOf(const struct model_case &which) {
  char text[80];
  case_name(&which, text, sizeof text);
  return text;
}

Model NewModel(const Code &code, const struct model_case &which) {
  Model model(model_new(code.bitcode, {code.threads, code.counters, 0}, &which, MODEL_CUT_NOWHERE));
  if (model == nullptr) std::abort();
  return model;
}

struct model_case WriteInCycle(uint16_t reg) {
  struct model_case which = {};
  which.cycle = true;
  which.access = MODEL_WRITE;
  which.place = reg;
  return which;
}

// Of each kind of access some, in clocks that are Processor cycles and that are none.
std::vector<struct model_case> DrawCases(struct size size, Random &random) {
  struct cases all = cases_of(size, CASES_STANDARD);
  std::map<std::pair<int, bool>, std::vector<struct model_case>> kinds;
  for (size_t c = 0; c < all.num_cases; c++)
    kinds[{all.cases[c].access, all.cases[c].cycle}].push_back(all.cases[c]);
  cases_free(&all);
  std::vector<struct model_case> drawn;
  for (const auto &[kind, cases] : kinds)
    for (uint64_t n = Option("PMUV3_TRANSLATOR_CASES", 1); n > 0; n--)
      drawn.push_back(cases[random.Below(cases.size())]);
  return drawn;
}

// What clocks did, so that it is seen that they did something.
struct Effects {
  int counted, changed, refused, done;
};

// Memory that a child leaves what it has to say in.
class Shared {
 public:
  Shared()
      : effects_(static_cast<Effects *>(mmap(nullptr, sizeof(Effects), PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Shared() { munmap(effects_, sizeof(Effects)); }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  Effects *operator->() const { return effects_; }

 private:
  Effects *effects_;
};

int Failures() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

// Each model in a process of its own, as it is proved: terms stay, and a machine that has others
// before it is slower and finds other ways.
void InChild(const std::function<void()> &run) {
  const int before = Failures();
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    run();
    std::fflush(stdout);
    _exit(Failures() > before ? 1 : 0);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

class TranslatorTest : public ::testing::TestWithParam<Code> {
 protected:
  static struct size Size() { return {GetParam().threads, GetParam().counters, 0}; }

  void CompareClock(const struct model &model) {
    const Values values(DrawAssignment(model, random_), random_);
    ASSERT_TRUE(IsAssumed(model, values));
    Clock clock(model, values);
    ASSERT_TRUE(clock.IsLegal());
    const struct pmuv3 before = clock.pmu();
    clock.Run();
    EXPECT_EQ(clock.Differences(), std::vector<std::string>());
    EXPECT_EQ(FailedClaims(model, values), std::vector<std::string>());
    Note(model, before, clock);
  }

  // Of an assignment that is legal, one variable is changed.
  void CompareAssumptions() {
    const Model model = NewModel(GetParam(), WriteInCycle(PMUV3_PMCR));
    int num_legal = 0, num_illegal = 0;
    for (int clock = 0; clock < 5 * kClocks; clock++) {
      Assignment assignment = DrawAssignment(*model, random_);
      auto changed = assignment.begin();
      std::advance(changed, random_.Below(assignment.size()));
      changed->second = random_.Word();
      const Values values(assignment, random_);
      const bool legal = Clock(*model, values).IsLegal();
      const bool expected = IsAssumed(*model, values) && ArePermitted(*model, values);
      EXPECT_EQ(expected, legal) << changed->first;
      (legal ? num_legal : num_illegal)++;
    }
    EXPECT_GT(num_legal, kClocks);
    EXPECT_GT(num_illegal, kClocks / 2);
  }

  void Note(const struct model &model, const struct pmuv3 &before, Clock &clock) {
    for (unsigned t = 0; t < Size().threads; t++) {
      const struct pmuv3_thread &then = before.thread[t], &now = clock.pmu().thread[t];
      effects_->counted += std::memcmp(&then.state, &now.state, sizeof now.state) != 0;
      effects_->changed += std::memcmp(&then.registers, &now.registers, sizeof now.registers) != 0;
    }
    if (model.which.access == MODEL_NO_ACCESS || !model_is_clock(&model.which)) return;
    bool refused = clock.answers().transfer_error;
    for (unsigned t = 0; t < Size().threads; t++)
      refused |= clock.answers().error[t] || clock.answers().result[t] != 0;
    (refused ? effects_->refused : effects_->done)++;
  }

  Random random_{Option("PMUV3_TRANSLATOR_SEED", 1)};
  Shared effects_;
};

std::string CodeName(const ::testing::TestParamInfo<Code> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Prove, TranslatorTest, ::testing::ValuesIn(kCodes), CodeName);

TEST_P(TranslatorTest, ClocksAreTheSame) {
  for (const struct model_case &which : DrawCases(Size(), random_)) {
    SCOPED_TRACE(NameOf(which));
    const uint64_t seed = random_.Word();
    InChild([&] {
      random_ = Random(seed);
      const Model model = NewModel(GetParam(), which);
      const int before = Failures();
      for (int clock = 0; clock < kClocks && Failures() == before; clock++) CompareClock(*model);
    });
  }
  EXPECT_GT(effects_->counted, 0);
  EXPECT_GT(effects_->changed, 0);
  EXPECT_GT(effects_->refused, 0);
  EXPECT_GT(effects_->done, 0);
}

TEST_P(TranslatorTest, WhatIsAssumedIsTheContract) {
  InChild([&] { CompareAssumptions(); });
}

// ---- The test itself ----

class TranslatorSelfTest : public ::testing::Test {
 protected:
  static constexpr Code kCode = {"", kPlain, 1, 2};

  // A clock in which the increments that wait are counted, if any.
  TranslatorSelfTest()
      : model_(NewModel(kCode, WriteInCycle(PMUV3_PMOVSSET))),
        values_(DrawAssignment(*model_, random_), random_),
        clock_(*model_, values_) {}

  template <typename T>
  static void Flip(T &place) {
    place = static_cast<T>(place ^ 1);
  }

  // That it is the one difference when it is changed, and none when it is changed back.
  template <typename T>
  void ExpectCompared(const std::string &name, T &place) {
    Flip(place);
    EXPECT_EQ(clock_.Differences(), std::vector<std::string>{name});
    Flip(place);
    EXPECT_EQ(clock_.Differences(), std::vector<std::string>());
  }

  Random random_{7};
  Model model_;
  Values values_;
  Clock clock_;
};

TEST_F(TranslatorSelfTest, EveryPlaceIsCompared) {
  clock_.Run();
  const auto expect = [&](const std::string &name, term, auto &place) {
    ExpectCompared(name, place);
  };
  struct pmuv3_thread &thread = clock_.pmu().thread[0];
  ForEachPlace(model_->next[0], thread, expect);
  for (unsigned n = 0; n < 2; n++) ForEachValue(model_->values[0][n], thread.values, n, expect);
  struct step_answers &answers = clock_.answers();
  ExpectCompared("error", answers.error[0]);
  ExpectCompared("result", answers.result[0]);
  ExpectCompared("read value", answers.value[0]);
  ExpectCompared("ready", answers.ready);
  ExpectCompared("transfer_error", answers.transfer_error);
  ExpectCompared("word", answers.word);
}

// A state that is not the one of the terms does not go on as they do.
TEST_F(TranslatorSelfTest, AChangedStateIsSeen) {
  int seen = 0;
  for (int number = 0; number < kClocks; number++) {
    const Values values(DrawAssignment(*model_, random_), random_);
    Clock clock(*model_, values);
    struct pmuv3_thread &thread = clock.pmu().thread[0];
    thread.registers.pmcr ^= 1;
    thread.registers.cnten = ~thread.registers.cnten;
    clock.Run();
    const std::vector<std::string> differences = clock.Differences();
    for (const std::string &name : differences) seen += name != "pmcr" && name != "cnten";
  }
  EXPECT_GT(seen, 0);
}

TEST_F(TranslatorSelfTest, AClaimThatFailsIsSeen) {
  EXPECT_EQ(FailedClaims(*model_, values_), std::vector<std::string>());
  struct claim &claim = model_->claims[0];
  claim.condition = term_not(claim.condition);
  EXPECT_EQ(FailedClaims(*model_, values_), std::vector<std::string>{claim.name});
}

}  // namespace
