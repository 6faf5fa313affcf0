// Threads with times of their own: cores that run ahead of each other, by random quanta, against
// the same stimulus in one side, cycle by cycle. All platforms are in one SystemC simulation.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "testbench/cosim/stimulus/random.h"
#include "testbench/tests/unit/bent_side.h"
#include "tlm_wrapper/pmuv3_tlm.h"
extern "C" {
#include "testbench/cosim/run/configurations.h"
}

namespace {

using sc_core::sc_time;
const sc_time kPeriod(4, sc_core::SC_NS);

// ---- The stimulus ----

// An item, with its occurrences, in the cycle before which or in which it is. With `cycles` above 1
// it is a block of so many cycles at these rates.
struct Item {
  pmuv3_item item;
  std::vector<pmuv3_occurrence> occurrences;
  uint64_t at;
  uint64_t cycles = 1;
  std::vector<pmuv3_rate> rates;
};

struct Stimulus {
  pmuv3_params params;
  uint64_t cycles;                                  // of all items, at least those asked for
  std::vector<Item> items;                          // of each boundary the external ones last
  std::vector<std::vector<uint64_t>> values;        // of each item: how it ended, and what it read
  std::vector<std::vector<pmuv3_outputs>> outputs;  // before each cycle, of each thread
  std::vector<pmuv3_probe> probes;                  // at the end
};

bool IsExternal(const Item &item) {
  return item.item.kind == PMUV3_ITEM_EXTERNAL_WRITE || item.item.kind == PMUV3_ITEM_EXTERNAL_READ;
}

bool IsUsed(const pmuv3_item &item, bool external) {
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
    case PMUV3_ITEM_READ:
    case PMUV3_ITEM_PE:
    case PMUV3_ITEM_MSR:
    case PMUV3_ITEM_MRS:
    case PMUV3_ITEM_CYCLE:
      return true;
    case PMUV3_ITEM_EXTERNAL_READ:
    case PMUV3_ITEM_EXTERNAL_WRITE:
      return external;
    default:
      return false;
  }
}

// What an item does to a side.
std::vector<uint64_t> Apply(pmuv3_side *side, const Item &with) {
  const pmuv3_item &item = with.item;
  uint64_t value = 0;
  uint32_t word = item.external.value;
  uint64_t result = 0;
  const auto space = static_cast<pmuv3_security_state>(item.external.ss);
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
      pmuv3_side_write(side, item.thread, item.access.reg, item.access.value);
      break;
    case PMUV3_ITEM_READ:
      pmuv3_side_read(side, item.thread, item.access.reg, &value);
      break;
    case PMUV3_ITEM_MSR:
      result = pmuv3_side_msr(side, item.thread, item.access.reg, item.access.value);
      break;
    case PMUV3_ITEM_MRS:
      result = pmuv3_side_mrs(side, item.thread, item.access.reg, &value);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_side_set_pe(side, item.thread, &item.pe);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      result =
          pmuv3_side_external_write(side, item.external.thread, space, item.external.offset, word);
      break;
    case PMUV3_ITEM_EXTERNAL_READ:
      result =
          pmuv3_side_external_read(side, item.external.thread, space, item.external.offset, &word);
      value = word;
      break;
    default:
      break;
  }
  return {result, value};
}

// Brings a counter of a thread near an overflow.
Item NearOverflow(const pmuv3_params &params, unsigned thread, uint64_t at) {
  Item with = {{}, {}, at, 1, {}};
  with.item.kind = PMUV3_ITEM_WRITE;
  with.item.thread = static_cast<uint8_t>(thread);
  const uint64_t n = at / 5 % (params.counters + 1u);
  with.item.access.reg =
      static_cast<uint16_t>(n == params.counters ? +PMUV3_PMCCNTR : PMUV3_PMEVCNTRn(n));
  with.item.access.value = -(at % 37);
  return with;
}

// A block after a cycle, of the same events but those of a context that has passed.
Item BlockAfter(const Item &with, uint64_t cycles) {
  Item block = {with.item, {}, with.at + 1, cycles, {}};
  const pmuv3_context nowhere[PMUV3_MAX_THREADS] = {};
  pmuv3_cycle &cycle = block.item.cycle;
  cycle = pmuv3_cycle_again(&cycle);
  std::copy_n(nowhere, PMUV3_MAX_THREADS, cycle.other);
  for (const pmuv3_occurrence &each : with.occurrences)
    if (each.origin != PMUV3_OTHER)
      block.rates.push_back({each.event, each.thread, each.origin,
                             (each.count * cycles * (each.event % 7 + 1) + 6) / 7});
  return block;
}

// The occurrences of cycle `c` of an item.
std::vector<pmuv3_occurrence> OccurrencesOf(const Item &with, uint64_t c) {
  std::vector<pmuv3_occurrence> now = with.occurrences;
  for (const pmuv3_rate &rate : with.rates)
    now.push_back({rate.event,
                   static_cast<uint8_t>(rate.total / with.cycles + (c < rate.total % with.cycles)),
                   rate.thread, rate.origin});
  return now;
}

// Makes the cycles of an item. Returns how a write in them ended, or in which cycle of a block the
// counters of each thread overflow first.
std::vector<uint64_t> MakeCycles(pmuv3_side *side, const Item &with, Stimulus *made) {
  const unsigned threads = side->params.threads;
  std::vector<uint64_t> overflow(threads);
  for (uint64_t c = 0; c < with.cycles; c++) {
    std::vector<pmuv3_outputs> outputs;
    for (unsigned t = 0; t < threads; t++) outputs.push_back(pmuv3_side_outputs(side, t));
    made->outputs.push_back(outputs);
    const std::vector<pmuv3_occurrence> occurrences = OccurrencesOf(with, c);
    pmuv3_cycle cycle = with.item.cycle;
    cycle.occurrences = occurrences.data();
    cycle.num_occurrences = static_cast<uint16_t>(occurrences.size());
    pmuv3_side_cycle(side, &cycle);
    for (unsigned t = 0; t < threads; t++)
      if (overflow[t] == 0 && pmuv3_side_outputs(side, t).pulses != 0) overflow[t] = c + 1;
  }
  if (with.cycles > 1) return overflow;
  const pmuv3_ends ends = pmuv3_side_written(side);
  return {ends.result, ends.result + PMUV3_MAX_THREADS};
}

// A random stimulus, and what it does cycle by cycle.
Stimulus MakeStimulus(const pmuv3_params &params, uint64_t seed, uint64_t cycles, bool external) {
  Stimulus made = {params, cycles, {}, {}, {}, {}};
  pmuv3_random *random = pmuv3_random_create(&params, seed);
  for (uint64_t at = 0; at < cycles;) {
    const pmuv3_item &item = *pmuv3_random_next(random);
    if (!IsUsed(item, external)) continue;
    Item with = {item, {}, at, 1, {}};
    if (item.kind == PMUV3_ITEM_CYCLE) {
      with.occurrences.assign(item.cycle.occurrences,
                              item.cycle.occurrences + item.cycle.num_occurrences);
      with.item.cycle.has_external = false;
      at++;
    }
    made.items.push_back(with);
    if (item.kind != PMUV3_ITEM_CYCLE || at % 5 != 0) continue;
    for (unsigned t = 0; t < params.threads; t++) made.items.push_back(NearOverflow(params, t, at));
    made.items.push_back(BlockAfter(with, 2 + at % 47));
    at += made.items.back().cycles;
  }
  made.cycles = made.items.back().at + made.items.back().cycles;
  pmuv3_random_destroy(random);
  std::stable_sort(made.items.begin(), made.items.end(), [](const Item &a, const Item &b) {
    const auto order = [](const Item &item) {
      return item.item.kind == PMUV3_ITEM_CYCLE ? 2 : IsExternal(item) ? 1 : 0;
    };
    return a.at != b.at ? a.at < b.at : order(a) < order(b);
  });

  pmuv3_side *side = pmuv3_side_cmodel(&params);
  for (Item &with : made.items) {
    const bool passes = with.item.kind == PMUV3_ITEM_CYCLE;
    made.values.push_back(passes ? MakeCycles(side, with, &made) : Apply(side, with));
  }
  made.probes.resize(params.threads);
  for (unsigned t = 0; t < params.threads; t++) pmuv3_side_probe(side, t, &made.probes[t]);
  pmuv3_side_destroy(side);
  return made;
}

// ---- A platform ----

// A core that runs ahead by up to so many cycles.
class Core : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_thread_if> thread{"thread"};
  uint64_t accesses = 0, waits = 0, overflows = 0;

  Core(const sc_core::sc_module_name &name, const Stimulus &stimulus, unsigned number,
       uint64_t quantum, bool compares, bool tells_idle)
      : sc_module(name),
        stimulus_(stimulus),
        number_(number),
        quantum_(quantum),
        compares_(compares),
        tells_idle_(tells_idle),
        random_(number * 7 + quantum) {
    SC_HAS_PROCESS(Core);
    SC_THREAD(Run);
  }

 private:
  void Run() {
    DrawQuantum();
    for (size_t i = 0; i < stimulus_.items.size(); i++) {
      const Item &item = stimulus_.items[i];
      if (IsExternal(item)) continue;
      At(item.at);
      if (item.cycles > 1)
        Block(item, stimulus_.values[i]);
      else if (item.item.kind == PMUV3_ITEM_CYCLE)
        Cycle(item, stimulus_.values[i]);
      else if (item.item.thread == number_)
        Between(item, stimulus_.values[i]);
    }
    At(stimulus_.cycles);
    EXPECT_STREQ(thread->run(0, {}, delay_), nullptr);
  }

  void DrawQuantum() {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    end_ = now_ + 1 + (random_ >> 33) % quantum_;
  }

  // Goes on to a cycle, and synchronizes at the end of a quantum.
  void At(uint64_t cycle) {
    now_ = cycle;
    if (now_ >= end_) {
      sc_core::wait(now_ * kPeriod - sc_core::sc_time_stamp());
      DrawQuantum();
    }
    delay_ = now_ * kPeriod - sc_core::sc_time_stamp();
  }

  void Cycle(const Item &item, const std::vector<uint64_t> &values) {
    const pmuv3_cycle &cycle = item.item.cycle;
    const pmuv3_context &other = cycle.other[number_];
    bool told = cycle.capture >> number_ & 1, has_other = other.related;
    for (const pmuv3_occurrence &each : item.occurrences)
      has_other |= each.thread == number_ && each.origin == PMUV3_OTHER;
    if (has_other) {
      EXPECT_STREQ(thread->in_context(other, delay_), nullptr);
    }
    for (const pmuv3_occurrence &each : item.occurrences) {
      if (each.thread != number_) continue;
      EXPECT_STREQ(thread->occur(each, delay_), nullptr) << each.event;
      told = true;
    }
    if (cycle.capture >> number_ & 1) {
      EXPECT_STREQ(thread->capture(delay_), nullptr);
    }
    if (cycle.has_write >> number_ & 1) {
      const pmuv3_write &write = cycle.write[number_];
      Access(tlm::TLM_WRITE_COMMAND, write.reg, write.value, write.checked, true);
      At(now_ + 1);
      EXPECT_STREQ(thread->run(0, {}, delay_), nullptr);
      if (compares_ && thread->written()) {
        EXPECT_EQ(*thread->written(), values[number_]);
      }
      return;
    }
    if (!told && !has_other && tells_idle_) {
      EXPECT_STREQ(thread->run(1, {}, delay_), nullptr);
    }
  }

  void Block(const Item &with, const std::vector<uint64_t> &overflow) {
    std::vector<pmuv3_rate> own;
    for (const pmuv3_rate &rate : with.rates)
      if (rate.thread == number_) own.push_back(rate);
    if (with.at % 2 == 0 && compares_) {
      const std::optional<uint64_t> next = thread->next_overflow(with.cycles, own, delay_);
      EXPECT_EQ(next.value_or(overflow[number_]), overflow[number_]) << "cycle " << with.at;
      overflows += next && *next > 1;
    }
    EXPECT_STREQ(thread->run(with.cycles, own, delay_), nullptr) << "cycle " << with.at;
  }

  void Between(const Item &with, const std::vector<uint64_t> &values) {
    const pmuv3_item &item = with.item;
    if (item.kind == PMUV3_ITEM_PE) {
      SetPe(item.pe, with.at % 3);
      return;
    }
    const bool writes = item.kind == PMUV3_ITEM_WRITE || item.kind == PMUV3_ITEM_MSR;
    const bool checked = item.kind == PMUV3_ITEM_MSR || item.kind == PMUV3_ITEM_MRS;
    const uint64_t value = Access(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                  item.access.reg, writes ? item.access.value : 0, checked, false);
    if (!compares_) return;
    if (checked) {
      EXPECT_EQ(how_.result, values[0]) << "cycle " << with.at;
    }
    if (!writes) {
      EXPECT_EQ(value, values[1]) << "cycle " << with.at << " register " << item.access.reg;
    }
  }

  // Alone, or with an access that does nothing else: a read, or a write of what is there.
  void SetPe(const pmuv3_pe &pe, uint64_t way) {
    if (way == 0) {
      EXPECT_STREQ(thread->set_pe(pe, delay_), nullptr);
      return;
    }
    uint64_t value = 0;
    if (way == 2) value = Access(tlm::TLM_READ_COMMAND, PMUV3_PMUSERENR, 0, false, false);
    how_.state = pe;
    Access(way == 1 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, PMUV3_PMUSERENR, value, false,
           false);
    how_.state.reset();
  }

  uint64_t Access(tlm::tlm_command command, uint16_t reg, uint64_t value, bool checked,
                  bool with_clock) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(pmuv3_tlm::address_of(reg));
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    how_.checked = checked;
    how_.with_clock = with_clock;
    payload.set_extension(&how_);
    const sc_time before = sc_core::sc_time_stamp();
    registers->b_transport(payload, delay_);
    payload.clear_extension(&how_);
    accesses++;
    waits += sc_core::sc_time_stamp() != before;
    delay_ = now_ * kPeriod - sc_core::sc_time_stamp();
    if (!checked) {
      EXPECT_TRUE(payload.is_response_ok()) << payload.get_response_string();
    }
    return value;
  }

  const Stimulus &stimulus_;
  const unsigned number_;
  const uint64_t quantum_;
  const bool compares_, tells_idle_;
  uint64_t random_, now_ = 0, end_ = 0;
  sc_time delay_;
  pmuv3_access_extension how_;
};

std::string Text(const pmuv3_outputs &of) {
  return "irq " + std::to_string(of.irq) + " cti " + std::to_string(of.cti) + " halt " +
         std::to_string(of.halt) + " exception " + std::to_string(of.exception) + " brbe " +
         std::to_string(of.brbe) + " pulses " + std::to_string(of.pulses);
}

// The PMUs, cores, a debugger, and whoever looks at the outputs.
class Platform : public sc_core::sc_module {
 public:
  Platform(const sc_core::sc_module_name &name, const Stimulus &stimulus, pmuv3_side *side,
           uint64_t quantum, bool external)
      : sc_module(name), stimulus_(stimulus), pmu_("pmu", side) {
    const unsigned threads = stimulus.params.threads;
    pmu_.irq(irq_);
    pmu_.cti(cti_);
    pmu_.exception(exception_);
    pmu_.halt(halt_);
    pmu_.brbe(brbe_);
    pmu_.pulses(pulses_);
    debug_.bind(pmu_.external);
    for (unsigned t = 0; t < threads; t++) {
      cores_.push_back(std::make_unique<Core>(("core" + std::to_string(t)).c_str(), stimulus, t,
                                              quantum, !external, quantum % 2 == 1));
      cores_[t]->registers.bind(pmu_.thread_registers[t]);
      cores_[t]->thread.bind(pmu_.threads[t]);
    }
    EXPECT_STREQ(pmu_.decouple(kPeriod), nullptr);
    SC_HAS_PROCESS(Platform);
    SC_THREAD(Debug);
    SC_THREAD(Watch);
  }
  bool ended = false;
  uint64_t accesses() const { return Sum(&Core::accesses); }
  uint64_t waits() const { return Sum(&Core::waits); }
  uint64_t overflows() const { return Sum(&Core::overflows); }

 private:
  uint64_t Sum(uint64_t Core::*of) const {
    uint64_t sum = 0;
    for (const auto &core : cores_) sum += core.get()->*of;
    return sum;
  }

  void Debug() {
    for (size_t i = 0; i < stimulus_.items.size(); i++) {
      const Item &item = stimulus_.items[i];
      if (!IsExternal(item)) continue;
      sc_core::wait((item.at + 0.5) * kPeriod - sc_core::sc_time_stamp());
      External(item, stimulus_.values[i]);
    }
  }

  void External(const Item &with, const std::vector<uint64_t> &values) {
    const pmuv3_external &access = with.item.external;
    const bool reads = with.item.kind == PMUV3_ITEM_EXTERNAL_READ;
    uint32_t word = reads ? 0 : access.value;
    pmuv3_access_extension how;
    how.space = access.ss;
    tlm::tlm_generic_payload payload;
    payload.set_command(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(pmuv3_tlm::page_of(access.thread) + access.offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_extension(&how);
    sc_time delay;
    debug_->b_transport(payload, delay);
    payload.clear_extension(&how);
    EXPECT_EQ(payload.is_response_ok(), values[0] != 0);
    if (reads) {
      EXPECT_EQ(word, values[1]) << "offset " << access.offset;
    }
  }

  // Late in each cycle, when all that is before the cycle is done.
  void Watch() {
    for (uint64_t at = 0; at < stimulus_.cycles; at++) {
      sc_core::wait((at + 0.75) * kPeriod - sc_core::sc_time_stamp());
      for (unsigned t = 0; t < stimulus_.params.threads; t++) {
        const pmuv3_outputs now = {irq_[t].read(),  cti_[t].read(),  exception_[t].read(),
                                   halt_[t].read(), brbe_[t].read(), pulses_[t].read()};
        EXPECT_EQ(Text(now), Text(stimulus_.outputs[at][t]))
            << name() << " cycle " << at << " thread " << t;
      }
      if (::testing::Test::HasFailure()) return sc_core::sc_stop();
    }
    sc_core::wait(kPeriod);
    pmuv3_side *side = pmu_.side();
    for (unsigned t = 0; t < stimulus_.params.threads; t++) {
      pmuv3_probe probe;
      pmuv3_side_probe(side, t, &probe);
      // Cycles have gone on: what only the last one has is not there. All registers are compared.
      EXPECT_EQ(std::memcmp(&probe, &stimulus_.probes[t], sizeof probe), 0) << "thread " << t;
    }
    ended = true;
  }

  const Stimulus &stimulus_;
  pmuv3_tlm pmu_;
  std::vector<std::unique_ptr<Core>> cores_;
  tlm_utils::simple_initiator_socket<Platform, 32> debug_{"debug"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_{"irq", stimulus_.params.threads};
  sc_core::sc_vector<sc_core::sc_signal<bool>> cti_{"cti", stimulus_.params.threads};
  sc_core::sc_vector<sc_core::sc_signal<unsigned>> exception_{"exception",
                                                              stimulus_.params.threads};
  sc_core::sc_vector<sc_core::sc_signal<bool>> halt_{"halt", stimulus_.params.threads};
  sc_core::sc_vector<sc_core::sc_signal<unsigned>> brbe_{"brbe", stimulus_.params.threads};
  sc_core::sc_vector<sc_core::sc_signal<uint64_t>> pulses_{"pulses", stimulus_.params.threads};
};

// What all cores of the platforms did.
struct Sums {
  uint64_t accesses = 0, waits = 0, overflows = 0;
};

// All configurations with several threads, and these quanta.
Sums RunPlatforms(bool external, bool copies, uint64_t cycles) {
  std::vector<std::unique_ptr<Stimulus>> stimuli;
  std::vector<std::unique_ptr<Platform>> platforms;
  uint64_t last = 0;
  for (size_t c = 0; c < PMUV3_NUM_CONFIGURATIONS; c++) {
    const pmuv3_params params = pmuv3_configuration_params(c);
    if (params.threads == 1) continue;
    stimuli.push_back(std::make_unique<Stimulus>(MakeStimulus(params, 100 + c, cycles, external)));
    last = std::max(last, stimuli.back()->cycles);
    for (const uint64_t quantum : {1, 16, 301}) {
      const std::string name = "p" + std::to_string(c) + "_" + std::to_string(quantum);
      pmuv3_side *side = copies ? pmuv3_side_cmodel(&params) : NewBentSide(params);
      platforms.push_back(
          std::make_unique<Platform>(name.c_str(), *stimuli.back(), side, quantum, external));
    }
  }
  EXPECT_GE(stimuli.size(), 4u);
  sc_core::sc_start((static_cast<double>(last) + 2) * kPeriod);
  Sums sums;
  for (const auto &platform : platforms) {
    EXPECT_TRUE(platform->ended) << platform->name();
    sums.accesses += platform->accesses();
    sums.waits += platform->waits();
    sums.overflows += platform->overflows();
  }
  return sums;
}

TEST(DecoupledTest, EqualsLockstep) {
  const Sums sums = RunPlatforms(false, true, 2000);
  EXPECT_GT(sums.waits, 0u) << "MT = 1";
  EXPECT_LT(sums.waits, sums.accesses) << "no MT = 1";
  EXPECT_GT(sums.overflows, 20u) << "within a block";
}

TEST(DecoupledTest, EqualsLockstepWithADebugger) {
  RunPlatforms(true, true, 2000);
}

TEST(DecoupledTest, EqualsLockstepInASideWithoutCopies) {
  RunPlatforms(true, false, 500);
}

// ---- What cores tell, one call after the other ----

// Two threads that count instructions and cycles, in cycles of 4 ns.
class TellTest : public ::testing::Test {
 protected:
  static pmuv3_params Params() {
    pmuv3_params params = pmuv3_params_default();
    params.threads = 2;
    params.features |= 1u << PMUV3_FEATURE_EXT64 | 1u << PMUV3_FEATURE_Debugv8p9;
    EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
    return params;
  }
  TellTest() {
    pmu_.irq(irq_);
    pmu_.halt(halt_);
    for (unsigned t = 0; t < 2; t++) {
      pmuv3_side_write(pmu_.side(), t, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
      pmuv3_side_write(pmu_.side(), t, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
      pmuv3_side_write(pmu_.side(), t, PMUV3_PMINTENSET, 1);
      pmuv3_side_write(pmu_.side(), t, PMUV3_PMCR, PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, E));
      socket_[t].bind(pmu_.thread_registers[t]);
    }
    EXPECT_STREQ(pmu_.decouple(kPeriod), nullptr);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  pmuv3_thread_if &Thread(unsigned t) { return *pmu_.threads[t].operator->(); }
  static std::vector<pmuv3_rate> Instructions(unsigned thread, uint64_t total) {
    return {{PMUV3_EVENT_INST_RETIRED, static_cast<uint8_t>(thread), PMUV3_CURRENT, total}};
  }
  pmuv3_occurrence Instruction(unsigned thread) {
    return {PMUV3_EVENT_INST_RETIRED, 1, static_cast<uint8_t>(thread), PMUV3_CURRENT};
  }

  // An access at so many cycles from now. No process waits here, so it must not have to.
  tlm::tlm_response_status Access(unsigned thread, tlm::tlm_command command, uint16_t reg,
                                  uint64_t *value, uint64_t at, bool is_foreign = false,
                                  bool with_clock = false,
                                  const std::optional<pmuv3_pe> &state = std::nullopt,
                                  bool checked = false) {
    pmuv3_access_extension how;
    how.state = state;
    how.checked = checked;
    how.is_foreign = is_foreign;
    how.with_clock = with_clock;
    return AccessAfter(static_cast<double>(at) * kPeriod, thread, command, reg, value, how);
  }
  tlm::tlm_response_status AccessAfter(sc_time delay, unsigned thread, tlm::tlm_command command,
                                       uint16_t reg, uint64_t *value, pmuv3_access_extension how) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(pmuv3_tlm::address_of(reg));
    payload.set_data_ptr(reinterpret_cast<unsigned char *>(value));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    payload.set_extension(&how);
    socket_[thread]->b_transport(payload, delay);
    payload.clear_extension(&how);
    return payload.get_response_status();
  }
  void Write(unsigned thread, uint16_t reg, uint64_t value) {
    EXPECT_EQ(Access(thread, tlm::TLM_WRITE_COMMAND, reg, &value, 0), tlm::TLM_OK_RESPONSE);
  }
  uint64_t Read(unsigned thread, uint16_t reg, uint64_t at) {
    uint64_t value = 0;
    EXPECT_EQ(Access(thread, tlm::TLM_READ_COMMAND, reg, &value, at), tlm::TLM_OK_RESPONSE);
    return value;
  }

  const pmuv3_params params_ = Params();
  pmuv3_tlm pmu_{"pmu", pmuv3_side_cmodel(&params_)};
  struct Initiators : sc_core::sc_module {
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<Initiators, 64>> socket{"socket", 2};
    explicit Initiators(const sc_core::sc_module_name &name) : sc_module(name) {}
  } initiators_{"initiators"};
  decltype(initiators_.socket) &socket_ = initiators_.socket;
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq_{"irq", 2};
  sc_core::sc_vector<sc_core::sc_signal<bool>> halt_{"halt", 2};
};

// Nothing else shows it: the time goes on without another call.
TEST_F(TellTest, AReadThatBringsAStateShowsItsOutputs) {
  pmuv3_pe halting = PMUV3_PE_RESET;
  halting.pme = true;
  Write(0, PMUV3_PMOVSSET, 1);
  sc_core::sc_start(kPeriod);
  EXPECT_FALSE(halt_[0].read()) << "EDECR.PME = 0";
  uint64_t value;
  EXPECT_EQ(Access(0, tlm::TLM_READ_COMMAND, PMUV3_PMCR, &value, 0, false, false, halting),
            tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(kPeriod);
  EXPECT_TRUE(halt_[0].read());
}

TEST_F(TellTest, AThreadReadsItsOwnTime) {
  EXPECT_STREQ(Thread(0).run(1000, Instructions(0, 2500), sc_core::SC_ZERO_TIME), nullptr);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTR, 1000), 1000u);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 1000), 2500u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTR, 0), 0u) << "thread 1 is where it was";
  EXPECT_STREQ(Thread(1).run(300, Instructions(1, 3), sc_core::SC_ZERO_TIME), nullptr);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTR, 300), 300u);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(0), 300), 3u);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTR, 1001), 1001u) << "an access tells the cycles before it";
}

TEST_F(TellTest, TimeEnds) {
  const std::string never = "time ends before that";
  EXPECT_EQ(Thread(0).run(UINT64_MAX, {}, 10 * kPeriod), never);
  EXPECT_EQ(Thread(0).run(10, {}, sc_core::sc_max_time() - 5 * kPeriod), never);
  EXPECT_STREQ(Thread(0).run(5, {}, 9 * kPeriod), nullptr) << "nothing was told";
  EXPECT_STREQ(Thread(0).run(5, {}, 9 * kPeriod), "late: the thread has told this cycle already");
  sc_core::sc_start(kPeriod);
  EXPECT_EQ(Thread(0).capture(sc_core::sc_max_time()), never);
}

// Its cycle would wrap, and be one of the past or of now.
TEST_F(TellTest, AnAccessBehindTheEndOfTimeIsRefused) {
  sc_core::sc_start(kPeriod);
  const uint64_t before = Read(0, PMUV3_PMEVCNTRn(0), 0);
  pmuv3_access_extension foreign;
  foreign.is_foreign = true;
  for (const pmuv3_access_extension &how : {pmuv3_access_extension(), foreign}) {
    uint64_t value = before + 7;
    EXPECT_EQ(AccessAfter(sc_core::sc_max_time(), 0, tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0),
                          &value, how),
              tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 0), before);
  EXPECT_STREQ(Thread(0).run(5, {}, kPeriod), nullptr) << "nothing was told";
}

TEST_F(TellTest, WhatIsLateIsRefused) {
  const sc_time at = 50 * kPeriod;
  EXPECT_STREQ(Thread(0).run(100, {}, sc_core::SC_ZERO_TIME), nullptr);
  const std::string late = "late: the thread has told this cycle already";
  EXPECT_EQ(Thread(0).occur(Instruction(0), at), late);
  EXPECT_EQ(Thread(0).notify(PMUV3_EVENT_INST_RETIRED, 1, {1, PMUV3_NS, false}, at), late);
  EXPECT_EQ(Thread(0).in_context({0, PMUV3_NS, false}, at), late);
  EXPECT_EQ(Thread(0).set_pe(PMUV3_PE_RESET, at), late);
  EXPECT_EQ(Thread(0).capture(at), late);
  EXPECT_EQ(Thread(0).run(100, {}, at), late);
  EXPECT_EQ(Thread(0).next_overflow(100, {}, at), std::nullopt);
  uint64_t value = 7;
  EXPECT_EQ(Access(0, tlm::TLM_READ_COMMAND, PMUV3_PMCCNTR, &value, 50),
            tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), &value, 50),
            tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_STREQ(Thread(1).occur(Instruction(1), at), nullptr) << "thread 1 is not there yet";
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 100), 0u);
  EXPECT_EQ(Read(1, PMUV3_PMEVCNTRn(0), 51), 1u);
}

TEST_F(TellTest, WhatElseIsRefused) {
  const sc_time now;
  EXPECT_STREQ(Thread(0).occur(Instruction(1), now), "the event is another thread's");
  EXPECT_STREQ(Thread(0).run(10, Instructions(1, 1), now), "the event is another thread's");
  EXPECT_STREQ(Thread(0).run(1, Instructions(0, 256), now),
               "event 0x0008: it cannot occur so often in a cycle");
  EXPECT_STREQ(Thread(0).occur(Instruction(0), now), nullptr);
  EXPECT_STREQ(Thread(0).run(1, {}, now), "something waits for the cycle under way");
  EXPECT_STREQ(Thread(0).run(0, {}, kPeriod), nullptr) << "the cycle has passed";
  EXPECT_STREQ(pmu_.events->advance(1), "each thread has a time of its own");
  EXPECT_STREQ(pmu_.events->occur(Instruction(0)), "each thread has a time of its own");
  EXPECT_STREQ(pmu_.decouple(kPeriod), "each thread has a time of its own");
}

// What is refused tells the cycles before it, so what comes before them is late.
TEST_F(TellTest, WhatIsRefusedTellsTheCyclesBefore) {
  const std::string late = "late: the thread has told this cycle already";
  EXPECT_NE(Thread(0).run(10, Instructions(1, 1), 5 * kPeriod), nullptr);
  EXPECT_EQ(Thread(0).occur(Instruction(0), 4 * kPeriod), late);
  pmuv3_pe no_state = PMUV3_PE_RESET;
  no_state.el = 9;
  EXPECT_NE(Thread(0).set_pe(no_state, 10 * kPeriod), nullptr);
  EXPECT_EQ(Thread(0).occur(Instruction(0), 9 * kPeriod), late);
  EXPECT_NE(Thread(0).occur(Instruction(1), 15 * kPeriod), nullptr);
  EXPECT_EQ(Thread(0).occur(Instruction(0), 14 * kPeriod), late);
  EXPECT_STREQ(Thread(0).occur(Instruction(0), 15 * kPeriod), nullptr);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 16), 1u);
}

// Another agent sees the time of all threads, and what it writes holds from then on.
TEST_F(TellTest, OtherAgentsAccessNow) {
  EXPECT_STREQ(Thread(0).run(1000, {}, sc_core::SC_ZERO_TIME), nullptr);
  EXPECT_STREQ(Thread(1).run(1000, {}, sc_core::SC_ZERO_TIME), nullptr);
  sc_core::sc_start(400 * kPeriod);
  uint64_t value = 0;
  EXPECT_EQ(Access(0, tlm::TLM_READ_COMMAND, PMUV3_PMCCNTR, &value, 0, true), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 400u);
  value = 1000000;
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMCCNTR, &value, 0, true),
            tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Read(0, PMUV3_PMCCNTR, 600), 1000600u);
  EXPECT_EQ(Read(1, PMUV3_PMCCNTR, 600), 1000u);
}

// The interrupt comes in the middle of a quantum, and to a core that sleeps.
TEST_F(TellTest, InterruptsComeAtTheirTime) {
  uint64_t value = 0xFFFFFFFF - 99;
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMEVCNTRn(0), &value, 0), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(Thread(0).next_overflow(1000, Instructions(0, 1000), sc_core::SC_ZERO_TIME), 100u);
  EXPECT_STREQ(Thread(0).run(1000, Instructions(0, 1000), sc_core::SC_ZERO_TIME), nullptr);
  sc_core::sc_start(100 * kPeriod - sc_time(1, sc_core::SC_NS));
  EXPECT_FALSE(irq_[0].read());
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_TRUE(irq_[0].read());
  EXPECT_FALSE(irq_[1].read());
}

TEST_F(TellTest, SleepersAreInterrupted) {
  uint64_t value = ~uint64_t{0} - 9999;
  EXPECT_EQ(Access(1, tlm::TLM_WRITE_COMMAND, PMUV3_PMCCNTR, &value, 0), tlm::TLM_OK_RESPONSE);
  value = PMUV3_MASK(PMCNTENSET, C);
  EXPECT_EQ(Access(1, tlm::TLM_WRITE_COMMAND, PMUV3_PMINTENSET, &value, 0), tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(10000 * kPeriod - sc_time(1, sc_core::SC_NS));
  EXPECT_FALSE(irq_[1].read());
  sc_core::sc_start(2, sc_core::SC_NS);
  EXPECT_TRUE(irq_[1].read());
}

TEST_F(TellTest, ResetDropsWhatIsAhead) {
  EXPECT_STREQ(Thread(0).run(1000, {}, sc_core::SC_ZERO_TIME), nullptr);
  sc_core::sc_start(10 * kPeriod);
  pmu_.reset();
  EXPECT_EQ(Read(0, PMUV3_PMCNTENSET, 0), 0u) << "from its cycle 10 on";
  EXPECT_EQ(Read(1, PMUV3_PMCNTENSET, 20), 0u);
}

// A state of a time that has not come is dropped: the thread is at EL1, where it was. So what it
// notifies of EL0 is of EL0, which the counter excludes.
TEST_F(TellTest, ResetDropsTheStateThatIsAhead) {
  pmuv3_pe el0 = PMUV3_PE_RESET;
  el0.el = 0;
  EXPECT_STREQ(Thread(0).set_pe(el0, 500 * kPeriod), nullptr);
  sc_core::sc_start(10 * kPeriod);
  pmu_.reset();
  Write(0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED | PMUV3_MASK(PMEVTYPER, U));
  Write(0, PMUV3_PMCNTENSET, 1);
  Write(0, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
  const auto notify = [this](uint8_t el) {
    EXPECT_STREQ(
        Thread(0).notify(PMUV3_EVENT_INST_RETIRED, 3, {el, PMUV3_NS, false}, sc_core::SC_ZERO_TIME),
        nullptr);
    sc_core::sc_start(kPeriod);
  };
  notify(0);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 0), 0u);
  notify(1);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 0), 3u);
}

// A thread's last write with the clock is the last whose time has come.
TEST_F(TellTest, ResetDropsTheWriteThatIsAhead) {
  uint64_t value = 0;
  const auto write = [this, &value](unsigned thread, uint16_t reg, uint64_t at) {
    EXPECT_EQ(
        Access(thread, tlm::TLM_WRITE_COMMAND, reg, &value, at, false, true, std::nullopt, true),
        tlm::TLM_OK_RESPONSE);
  };
  write(0, PMUV3_MDCR_EL3, 0);
  sc_core::sc_start(10 * kPeriod);
  EXPECT_EQ(Thread(0).written(), PMUV3_UNDEFINED) << "at EL1";
  for (unsigned t = 0; t < 2; t++) {
    write(t, PMUV3_PMCNTENSET, 500);
    EXPECT_STREQ(Thread(t).run(0, {}, 600 * kPeriod), nullptr);
    EXPECT_EQ(Thread(t).written(), PMUV3_DONE);
  }
  pmu_.reset();
  EXPECT_EQ(Thread(0).written(), PMUV3_UNDEFINED);
  EXPECT_EQ(Thread(1).written(), std::nullopt);

  write(0, PMUV3_PMCNTENSET, 100);
  EXPECT_EQ(Thread(0).written(), std::nullopt) << "its cycle is under way";
  pmu_.reset();
  EXPECT_EQ(Thread(0).written(), PMUV3_UNDEFINED);
}

TEST_F(TellTest, SaveAndRestoreKeepHowAWriteEnded) {
  uint64_t value = 0;
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMCCNTR, &value, 0, false, true),
            tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(10 * kPeriod);
  EXPECT_EQ(Thread(0).written(), PMUV3_DONE);
  EXPECT_STREQ(pmu_.restore(pmu_.save()), nullptr);
  EXPECT_EQ(Thread(0).written(), PMUV3_DONE);
  EXPECT_FALSE(Thread(1).written());
}

// As for a thread without a time of its own (TlmTest), and they are saved.
TEST_F(TellTest, ContextsAndStatesOfACycle) {
  const char *const waits = "software increments wait for the cycle";
  pmuv3_pe user = PMUV3_PE_RESET, kernel = PMUV3_PE_RESET;
  user.el = 0;
  kernel.el = 1;
  user.ss = kernel.ss = PMUV3_NS;
  Write(0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED | PMUV3_MASK(PMEVTYPER, U));
  Write(0, PMUV3_PMEVTYPERn(1), PMUV3_MASK(PMEVTYPER, U));
  Write(0, PMUV3_PMCNTENSET, 2);
  EXPECT_STREQ(Thread(0).set_pe(kernel, kPeriod), nullptr);
  EXPECT_STREQ(Thread(0).notify(PMUV3_EVENT_INST_RETIRED, 5, {1, PMUV3_NS, false}, kPeriod),
               nullptr);
  EXPECT_STREQ(Thread(0).set_pe(user, kPeriod), nullptr);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(0), 2), 5u);

  uint64_t value = 2;
  EXPECT_STREQ(Thread(0).set_pe(kernel, 3 * kPeriod), nullptr);
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, &value, 3), tlm::TLM_OK_RESPONSE);
  EXPECT_STREQ(Thread(0).set_pe(user, 3 * kPeriod), waits);
  EXPECT_STREQ(Thread(0).set_pe(user, 4 * kPeriod), nullptr);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(1), 5), 1u);

  sc_core::sc_start(10 * kPeriod);
  EXPECT_STREQ(Thread(0).set_pe(kernel, sc_time()), nullptr);
  Write(0, PMUV3_PMSWINC, 2);
  pmu_.side();
  const std::vector<unsigned char> bytes = pmu_.save();
  ASSERT_STREQ(pmu_.restore(bytes), nullptr);
  EXPECT_STREQ(Thread(0).set_pe(user, sc_time()), waits);
  EXPECT_STREQ(Thread(0).run(0, {}, sc_time()), nullptr);
  EXPECT_STREQ(Thread(0).set_pe(user, sc_time()), waits) << "no cycle passed";
  EXPECT_STREQ(Thread(0).run(1, {}, sc_time()), nullptr);
  EXPECT_STREQ(Thread(0).set_pe(user, kPeriod), nullptr);
  EXPECT_EQ(Read(0, PMUV3_PMEVCNTRn(1), 2), 2u);

  // Another agent writes now, and the thread is ahead.
  EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, &value, 0, true),
            tlm::TLM_OK_RESPONSE);
  EXPECT_STREQ(Thread(0).set_pe(kernel, 2 * kPeriod), nullptr);
}

// In a thread's own time, too, an increment that the write does not reach is nothing to wait for.
TEST_F(TellTest, NothingThatIsOutOfReachWaits) {
  pmuv3_pe user = PMUV3_PE_RESET, kernel = PMUV3_PE_RESET;
  user.el = 0;
  Write(0, PMUV3_MDCR_EL2, 1);  // HPMN
  // Whether the thread can leave EL1 in its cycle `at`, after this write there.
  const auto leaves = [&](uint64_t at, uint64_t counters) {
    const sc_time delay = static_cast<double>(at) * kPeriod;
    EXPECT_STREQ(Thread(0).set_pe(kernel, delay), nullptr);
    EXPECT_EQ(Access(0, tlm::TLM_WRITE_COMMAND, PMUV3_PMSWINC, &counters, at, false, false,
                     std::nullopt, true),
              tlm::TLM_OK_RESPONSE);
    return Thread(0).set_pe(user, delay) == nullptr;
  };
  EXPECT_TRUE(leaves(1, 0x3E));
  EXPECT_FALSE(leaves(2, 0x01));
  EXPECT_TRUE(leaves(3, 0x3E)) << "another cycle";
}

// A module with a clock of its own, which the PMU inside is bound to.
struct Cluster : sc_core::sc_module {
  Cluster(const sc_core::sc_module_name &name, const pmuv3_params &params)
      : sc_module(name), pmu("pmu", pmuv3_side_cmodel(&params)) {
    pmu.clk(clk);
  }
  sc_core::sc_in<bool> clk{"clk"};
  pmuv3_tlm pmu;
};

// Before the simulation starts, too.
TEST(DecoupleTest, AClockAloneMakesCycles) {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  sc_core::sc_clock clock("clock", kPeriod);
  Cluster cluster("cluster", params);
  pmuv3_tlm alone("alone", pmuv3_side_cmodel(&params));
  cluster.clk(clock);
  alone.clk(clock);
  const auto expect_clocked = [](pmuv3_tlm &pmu) {
    EXPECT_STREQ(pmu.events->advance(1), "the clock makes the cycles");
    EXPECT_STREQ(pmu.events->run(1, {}), "the clock makes the cycles");
    EXPECT_STREQ(pmu.decouple(kPeriod), "the clock makes the cycles");
  };
  for (pmuv3_tlm *pmu : {&cluster.pmu, &alone}) expect_clocked(*pmu);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (pmuv3_tlm *pmu : {&cluster.pmu, &alone}) expect_clocked(*pmu);
}

TEST(DecoupleTest, AClockThatIsBoundLaterIsAnError) {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  sc_core::sc_clock clock("clock", kPeriod);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  EXPECT_STREQ(pmu.decouple(kPeriod), nullptr);
  pmu.clk(clock);
  EXPECT_THROW(sc_core::sc_start(sc_core::SC_ZERO_TIME), sc_core::sc_report);
}

TEST(DecoupleTest, WhatItRefuses) {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
  EXPECT_STREQ(pmu.decouple(sc_core::SC_ZERO_TIME), "a cycle takes time");
  EXPECT_STREQ(pmu.threads[0]->run(1, {}, sc_core::SC_ZERO_TIME),
               "the threads have no times of their own (decouple)");
  EXPECT_STREQ(pmu.events->capture(0), nullptr);
  EXPECT_STREQ(pmu.decouple(kPeriod), "something waits for the cycle under way");
}

}  // namespace

int sc_main(int, char **) {
  return 0;
}
