#include "testbench/tests/check/synthetic.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <set>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, legal in C
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop
#include "testbench/cosim/check/bench/dut.h"

Synthetic synthetic;

Device ReadDevice(const std::string &text, std::string *error) {
  char buf[600] = "";
  FILE *in = fmemopen(const_cast<char *>(text.data()), text.size(), "r");
  Device device(pmuv3_device_read(in, "test.pmu", buf, sizeof buf));
  fclose(in);
  *error = buf;
  return device;
}

namespace {

// A shift register: what was put in `latency` pushes ago.
template <typename T>
class Delay {
 public:
  explicit Delay(unsigned latency, T fill = T()) : latency_(latency), values_(latency, fill) {}
  T Push(const T &value) {
    values_.push_back(value);
    T front = values_.front();
    values_.pop_front();
    return front;
  }
  T Peek() const { return values_.front(); }

 private:
  unsigned latency_;
  std::deque<T> values_;
};

struct Write {
  size_t reg = SIZE_MAX;
  uint64_t data = 0;
};
struct Read {
  size_t reg;
  uint64_t sample, answer;  // clocks
  uint64_t value;
};

constexpr uint64_t kAll = ~UINT64_C(0), kOdd = 0xA;  // event counters

// A device without delays: the C model, with all that a description can have.
class Plain {
 public:
  explicit Plain(const pmuv3_device *device) : device_(device) { Reset(PMUV3_COLD_RESET); }

  void Reset(unsigned kind) {
    const pmuv3 before = pmu_;
    if (kind == PMUV3_WARM_RESET)
      pmuv3_reset(&pmu_);
    else
      pmuv3_init(&pmu_, &device_->params);
    for (unsigned t = 0; t < device_->params.threads; t++) {
      pmuv3_set_pe(&pmu_, t, &device_->pe[t]);
      late_[t] = device_->pe[t];
      late_[t].el = 0;  // whatever it had before
      if (synthetic.forgets_reset)
        memcpy(pmu_.thread[t].state.value, before.thread[t].state.value,
               sizeof before.thread[t].state.value);
    }
  }

  void Clock(pmuv3_record *record) {
    // The state of this clock judges its accesses.
    for (unsigned t = 0; t < device_->params.threads; t++) {
      pmuv3_set_pe(&pmu_, t, synthetic.unreset_states ? &late_[t] : &record->thread[t].state);
      late_[t] = record->thread[t].state;
    }
    for (unsigned t = 0; t < device_->params.threads; t++) Show(t, &record->thread[t]);
    pmuv3_cycle cycle = {};
    pmuv3_occurrence occurrences[PMUV3_DEVICE_MAX_EVENTS];
    cycle.occurrences = occurrences;
    for (unsigned e = 0; e < device_->num_events; e++) {
      const pmuv3_device_event &event = device_->events[e];
      const bool skips = synthetic.skips_thread_1 && event.thread + 1u == device_->params.threads;
      const bool is_lost = skips && ++events_ % 500 == 0;
      if (!record->count[e] || is_lost) continue;
      synthetic.operations += event.origin == PMUV3_DEBUGGER;
      const bool is_running = !record->thread[event.thread].state.halted;
      const bool is_current =
          synthetic.counts_debugger && is_running && event.origin == PMUV3_DEBUGGER;
      occurrences[cycle.num_occurrences++] = {event.number, record->count[e], event.thread,
                                              is_current ? uint8_t{PMUV3_CURRENT} : event.origin};
    }
    for (unsigned p = 0; p < device_->num_ports; p++) Access(p, &record->port[p], &cycle);
    for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) cycle.other[t] = record->thread[t].other;
    // A write fails in its own clock, so try it on a copy.
    if (cycle.has_write || cycle.has_external) {
      pmuv3 copy = pmu_;
      pmuv3_tick(&copy, &cycle);
      const pmuv3_ends ends = pmuv3_written(&copy);
      for (unsigned p = 0; p < device_->num_ports; p++)
        if (writes_[p]) record->port[p].error = Fails(p, ends);
    }
    if (record->clock) {
      pmuv3_tick(&pmu_, &cycle);
      for (unsigned t = 0; t < device_->params.threads; t++)
        for (unsigned n = 0; n < device_->params.counters; n++)
          record->thread[t].V[n] = pmu_.thread[t].values.V[pmuv3_lane(n)];
    }
  }

 private:
  void Show(unsigned t, pmuv3_record_thread *pins) {
    pins->irq = pmuv3_irq(&pmu_, t);
    pins->cti = pmuv3_cti(&pmu_, t);
    pins->exception = static_cast<uint8_t>(pmuv3_exception(&pmu_, t));
    pins->overflow = pmu_.thread[t].registers.overflow;
    for (unsigned n = 0; n < device_->params.counters; n++)
      pins->counter[n] = pmu_.thread[t].state.value[pmuv3_lane(n)];
    pins->counter[31] = pmu_.thread[t].state.cycles;
  }

  bool Fails(unsigned p, const pmuv3_ends &ends) const {
    if (synthetic.never_fails) return false;
    const pmuv3_device_register &reg = *writes_[p];
    const bool fails = reg.is_page ? ends.external_error : ends.result[reg.thread] != PMUV3_DONE;
    return fails != (synthetic.ends_increments_wrongly && reg.reg == PMUV3_PMSWINC);
  }

  void Access(unsigned p, pmuv3_record_port *port, pmuv3_cycle *cycle) {
    const pmuv3_device_port &kind = device_->ports[p];
    writes_[p] = nullptr;
    port->error = false;
    if (!port->request || (kind.is_apb && !port->enable)) return;
    const pmuv3_device_register &reg =
        device_->registers[pmuv3_device_find(device_, p, port->address)];
    const auto ss = static_cast<pmuv3_security_state>(kind.ss);
    if (port->write) {
      writes_[p] = &reg;
      uint64_t data = port->data & reg.write;
      const bool is_reserved =
          reg.reg == PMUV3_MDCR_EL2 && (data & PMUV3_MASK(MDCR_EL2, HPMN)) == 0;
      if (synthetic.reserves_hpmn_0 && is_reserved) data |= device_->params.counters;
      if (reg.is_page) {
        cycle->has_external = true;
        cycle->external = {reg.thread, kind.ss, reg.offset, static_cast<uint32_t>(data)};
      } else {
        cycle->has_write |= static_cast<uint8_t>(1 << reg.thread);
        cycle->write[reg.thread] = {reg.reg, kind.is_checked, data};
      }
      return;
    }
    uint32_t word = 0;
    bool failed = false;
    if (reg.is_page) {
      failed = !pmuv3_external_read(&pmu_, reg.thread, ss, reg.offset, &word);
      port->value = reg.offset == synthetic.wrong_word ? word ^ 1 : word;
    } else if (kind.is_checked) {
      failed = pmuv3_mrs(&pmu_, reg.thread, reg.reg, &port->value) != PMUV3_DONE;
    } else {
      pmuv3_read(&pmu_, reg.thread, reg.reg, &port->value);
    }
    port->error = failed && !synthetic.never_fails;
  }

  const pmuv3_device *device_;
  pmuv3 pmu_ = {};
  const pmuv3_device_register *writes_[PMUV3_DEVICE_MAX_PORTS] = {};
  uint64_t events_ = 0;
  pmuv3_pe late_[PMUV3_MAX_THREADS];
};

}  // namespace

struct pmuv3_dut {
  explicit pmuv3_dut(const pmuv3_device *d) : device(d), plain(d) { Reset(PMUV3_COLD_RESET); }

  const pmuv3_device *device;
  Plain plain;
  Synthetic kind = synthetic;
  pmuv3 pmu = {};
  uint64_t now = 0, seen_events = 0;
  uint64_t flags = 0;
  std::vector<uint8_t> none = std::vector<uint8_t>(PMUV3_DEVICE_MAX_EVENTS, 0);
  Delay<std::vector<uint8_t>> events{kind.event, none};
  Delay<std::vector<uint8_t>> held_events{kind.event_held, none};
  Delay<pmuv3_pe> states{kind.state, device->pe[0]}, held_states{kind.state_held, device->pe[0]};
  Delay<bool> clocks{kind.clock, false};
  Delay<Write> increments{kind.swinc}, writes{kind.write};
  Delay<uint64_t> raised{kind.flag}, raised_odd{kind.flag + kind.odd_flags};
  Delay<bool> irqs{kind.interrupt};
  std::deque<Read> reads;

  void Reset(unsigned reset) {
    pmuv3 before = pmu;
    pmuv3_init(&pmu, &device->params);
    if (kind.forgets_reset)
      memcpy(pmu.thread[0].state.value, before.thread[0].state.value,
             sizeof before.thread[0].state.value);
    pmuv3_set_pe(&pmu, 0, &device->pe[0]);
    flags = 0;
    events = Delay<std::vector<uint8_t>>(kind.event, none);
    held_events = Delay<std::vector<uint8_t>>(kind.event_held, none);
    states = Delay<pmuv3_pe>(kind.state, device->pe[0]);
    held_states = Delay<pmuv3_pe>(kind.state_held, device->pe[0]);
    clocks = Delay<bool>(kind.clock, false);
    increments = writes = Delay<Write>(0);
    increments = Delay<Write>(kind.swinc);
    writes = Delay<Write>(kind.write);
    raised = Delay<uint64_t>(kind.flag);
    raised_odd = Delay<uint64_t>(kind.flag + kind.odd_flags);
    irqs = Delay<bool>(kind.interrupt);
    if (!(reset == PMUV3_WARM_RESET ? kind.keeps_reads : kind.keeps_reads_cold)) reads.clear();
  }

  uint64_t Whole(const pmuv3_device_register &reg) const {
    uint64_t value;
    if (reg.reg == PMUV3_PMOVSCLR || reg.reg == PMUV3_PMOVSSET) return flags;
    pmuv3_read(&pmu, 0, reg.reg, &value);
    return value;
  }

  uint64_t Value(size_t r) const {
    const pmuv3_device_register &reg = device->registers[r];
    const uint64_t value = Whole(reg);
    const uint64_t junk = kind.has_junk_above ? UINT64_C(0xDEADBEEF00000000) : 0;
    return reg.half == PMUV3_HIGH  ? value >> 32 | junk
           : reg.half == PMUV3_LOW ? static_cast<uint32_t>(value) | junk
                                   : value;
  }

  bool Irq() const {
    uint64_t inten, pmcr;
    pmuv3_read(&pmu, 0, PMUV3_PMINTENSET, &inten);
    pmuv3_read(&pmu, 0, PMUV3_PMCR, &pmcr);
    return (flags & inten) != 0 && (pmcr & 1) != 0;
  }

  void DoWrite(const Write &write) {
    if (write.reg == SIZE_MAX) return;
    const pmuv3_device_register &reg = device->registers[write.reg];
    uint64_t value = write.data & reg.write, old;
    if (reg.half == PMUV3_HIGH) value <<= 32;
    pmuv3_read(&pmu, 0, reg.reg, &old);
    const bool keeps =
        reg.reg >= PMUV3_PMEVCNTR || reg.reg == PMUV3_PMCCNTR || reg.reg == PMUV3_PMCCNTR64;
    if (keeps && reg.half == PMUV3_HIGH) value |= old & UINT32_MAX;
    if (keeps && reg.half == PMUV3_LOW) value |= old & ~static_cast<uint64_t>(UINT32_MAX);
    if (reg.reg == PMUV3_PMOVSCLR)
      flags &= ~value;
    else if (reg.reg == PMUV3_PMOVSSET)
      flags |= value & pmuv3_register_mask(&device->params, PMUV3_PMOVSSET);
    else
      pmuv3_write(&pmu, 0, reg.reg, value);
  }

  // Loses or doubles an occurrence now and then.
  unsigned Spoilt(unsigned count) {
    if (count == 0) return 0;
    seen_events++;
    if (kind.drop_every && seen_events % kind.drop_every == 0) return count - 1;
    if (kind.double_every && seen_events % kind.double_every == 0) return count + 1;
    return count;
  }

  uint64_t Tick(const std::vector<uint8_t> &counts) {
    pmuv3_occurrence occurrences[PMUV3_DEVICE_MAX_EVENTS];
    pmuv3_cycle cycle = {};
    uint64_t wrapped;
    std::set<unsigned> counted;
    cycle.occurrences = occurrences;
    for (unsigned e = 0; e < device->num_events; e++) {
      const bool is_any = device->events[e].is_any && !kind.adds_up;
      const unsigned occurred = counts[device->events[e].source];
      const unsigned count = Spoilt(is_any ? occurred != 0 : occurred);
      if (count == 0 || (is_any && !counted.insert(device->events[e].number).second)) continue;
      pmuv3_occurrence &o = occurrences[cycle.num_occurrences++];
      o = {};
      o.event = device->events[e].number;
      o.count = static_cast<uint8_t>(count);
      const bool is_operation = device->events[e].origin == PMUV3_DEBUGGER;
      o.origin = is_operation && pmu.pe[0].halted ? PMUV3_DEBUGGER : PMUV3_CURRENT;
      synthetic.operations += is_operation && !pmu.pe[0].halted;
    }
    const uint64_t cycles_before = pmu.thread[0].state.cycles;
    pmuv3_tick(&pmu, &cycle);
    uint64_t &cycles = pmu.thread[0].state.cycles;
    if (kind.loses_carry) cycles = (cycles_before & ~uint64_t{UINT32_MAX}) | uint32_t(cycles);
    pmuv3_read(&pmu, 0, PMUV3_PMOVSSET, &wrapped);
    pmuv3_write(&pmu, 0, PMUV3_PMOVSCLR, kAll);
    for (unsigned n = 0; kind.loses_cycle_flags && n < device->params.counters; n++)
      if (pmu.thread[0].config.event[pmuv3_lane(n)] == PMUV3_EVENT_CPU_CYCLES)
        wrapped &= ~(UINT64_C(1) << n);
    return wrapped & ~kind.lost_flags;
  }

  bool IsReady() const { return now % kind.ready_every == 0; }

  void Outputs(pmuv3_record *record) {
    pmuv3_record_port &port = record->port[0];
    record->thread[0].irq = irqs.Push(Irq() && !kind.swallows_irq);
    record->thread[0].overflow = flags;
    for (unsigned n = 0; n < device->params.counters; n++)
      record->thread[0].counter[n] = pmu.thread[0].state.value[pmuv3_lane(n)];
    const bool stands = kind.port_stops && !record->clock;
    port.ready = IsReady() && !stands;
    port.response = false;
    port.value = 0xDEAD;
    if (port.request && port.ready && !port.write) {
      const size_t reg = pmuv3_device_find(device, 0, port.address);
      const uint64_t answer = now + kind.response;
      const bool is_later = kind.late_from != 0 && now >= kind.late_from;
      reads.push_back({reg, answer - kind.read + is_later, answer, 0});
    }
    for (Read &read : reads) read.sample += stands, read.answer += stands;
    for (Read &read : reads)
      if (read.sample == now) read.value = Value(read.reg);
    const bool is_silent = synthetic.silent_from && now >= synthetic.silent_from;
    if (!reads.empty() && reads.front().answer == now && !is_silent) {
      port.response = true;
      port.value = reads.front().value;
      reads.pop_front();
    }
  }

  void Edge(const pmuv3_record &record) {
    const pmuv3_record_port &port = record.port[0];
    Write increment, write;
    if (port.request && port.ready && port.write) {
      const Write accepted = {pmuv3_device_find(device, 0, port.address), port.data};
      const bool is_increment = device->registers[accepted.reg].reg == PMUV3_PMSWINC;
      (is_increment ? increment : write) = accepted;
    }
    const std::vector<uint8_t> counts(record.count, record.count + PMUV3_DEVICE_MAX_EVENTS);
    const bool is_cycle = clocks.Push(record.clock);
    const pmuv3_pe state = states.Push(record.thread[0].state);
    const pmuv3_pe pe = kind.state_held ? held_states.Peek() : state;
    pmuv3_set_pe(&pmu, 0, &pe);
    DoWrite(increments.Push(increment));
    const std::vector<uint8_t> occurred = events.Push(counts);
    const uint64_t wrapped = is_cycle ? Tick(held_events.Push(occurred)) : 0;
    if (is_cycle) held_states.Push(state);
    if (!is_cycle && kind.loses_held) held_events.Push(none);
    DoWrite(writes.Push(write));
    if (is_cycle || !kind.flag_held)
      flags |= raised.Push(wrapped & ~kOdd) | raised_odd.Push(wrapped & kOdd);
    now++;
  }
};

extern "C" {

pmuv3_dut *pmuv3_dut_create(const pmuv3_device *device, uint32_t) {
  return new pmuv3_dut(device);
}

void pmuv3_dut_destroy(pmuv3_dut *dut) {
  delete dut;
}

void pmuv3_dut_clock(pmuv3_dut *dut, pmuv3_record *record) {
  if (dut->kind.is_plain) {
    if (record->reset)
      dut->plain.Reset(record->reset);
    else
      dut->plain.Clock(record);
    return;
  }
  if (record->reset) {
    dut->Reset(record->reset);
    dut->now++;
    return;
  }
  dut->Outputs(record);
  dut->Edge(*record);
}

unsigned pmuv3_dut_width(size_t) {
  return synthetic.width;
}

bool pmuv3_dut_wave(pmuv3_dut *, const char *) {
  return false;
}
}

std::string DeviceText(const std::string &lines, const std::string &port) {
  return "pmuv3-device 1\n"
         "param counters=4 el2=0 el3=0 features=PMUv3p1\n"
         "clock clk\n"
         "reset rst high\n"
         "event 0x0008 retired\n"
         "event 0x0010 missed\n"
         "event 0x0023 stalled\n"
         "state el level 0=0 1=1\n"
         "irq irq\n"
         "port csr request=req write=we address=addr data=wdata value=rdata width=32 " +
         port +
         "\n"
         "register 0 PMCR_EL0 write=0x47\n"
         "register 4 PMCNTENSET_EL0\n"
         "register 8 PMCNTENCLR_EL0\n"
         "register 12 PMOVSCLR_EL0\n"
         "register 16 PMOVSSET_EL0\n"
         "register 20 PMINTENSET_EL1\n"
         "register 24 PMINTENCLR_EL1\n"
         "register 28 PMSWINC_EL0\n"
         "registers 64 PMEVCNTR%u_EL0\n"
         "registers 128 PMEVTYPER%u_EL0\n"
         "register 192 PMCCNTR_EL0.low\n"
         "register 196 PMCCNTR_EL0.high\n" +
         lines;
}
