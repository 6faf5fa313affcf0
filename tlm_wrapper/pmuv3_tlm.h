// The PMUs of a processor's threads as a SystemC module with TLM-2.0 sockets, around any side: the
// C model, the RTL, or a lockstep of both (docs/reference/tlm.md).
//
//   pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
//   pmu.clk(clock);                        // every rising edge is one Processor cycle
//   pmu.cti(cti_signals);                  // a vector of ports, one a thread, all at once
//   pmu.irq[0](irq_signal);                // or one of them: PMUIRQ of thread 0, level
//   core.registers.bind(pmu.registers);    // System registers
//   debugger.socket.bind(pmu.external);    // the external view
//   core.pmu_events.bind(pmu.events);      // sc_port<pmuv3_event_if>
//
// A platform may leave any port or socket unbound.
//
// Registers. The address of a register is its System register encoding times 8
// (pmuv3_tlm::address_of). An access has 8 bytes, or is a burst of them. Reads of a half, and
// accesses of AArch32 registers, have 4 bytes. In the external view thread t's page is at address
// 0x1000 * t (pmuv3_tlm::page_of). An access there has 4 bytes, or is a burst of them.
//
// Time. b_transport waits for the delay that it is given. Then the access takes place, between two
// Processor cycles. A write that carries the pmuv3_access_extension with `with_clock` set waits for
// the next rising edge and meets the counting there (formats.md section 4).
//
// Events. An event that is told through pmuv3_event_if between two rising edges belongs to the
// cycle that ends at the second edge. States of threads stay until they change.
//
// Decoupled cores. After decouple(period) each thread has a time of its own, and tells of it
// through `threads`. What each access waits for: docs/reference/tlm.md.
//
// At an edge. A process that the edge wakes acts after the edge. A process that was waiting for
// that time acts before the edge, until the clock has risen.
#ifndef PMUV3_TLM_H
#define PMUV3_TLM_H

#if __cplusplus < 201703L
#error "pmuv3_tlm.h needs C++17 or later: -std=c++17"
#endif

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "tlm_wrapper/open_cycle.h"
#include "tlm_wrapper/side.h"

class pmuv3_decoupled;

// The events and states of the cycle under way. Each call returns NULL, or says in words what is
// wrong: the parameters do not have it, or the cycle cannot hold it. Then the call has no effect.
class pmuv3_event_if : public virtual sc_core::sc_interface {
 public:
  // Sets the state of a thread, from the cycle under way on. While a debugger's operations of this
  // cycle wait, the thread stays halted. While software increments wait for this cycle, the state
  // must not change: they belong to it. What `notify` told stays in the context that it names. A
  // change that would need a third context in the cycle is refused.
  virtual const char *set_pe(unsigned thread, const pmuv3_pe &pe) = 0;

  // Sets a thread's other context, one for each cycle: where the thread was before its state
  // changed. Occurrences of origin PMUV3_OTHER were in it. `related`: its Unattributable ones are
  // related to it.
  virtual const char *in_context(unsigned thread, const pmuv3_context &context) = 0;

  // Adds occurrences of an event. Counts of the same event, thread and origin add up to at most
  // `most` of the event. Those of origin PMUV3_DEBUGGER are of a halted thread.
  virtual const char *occur(const pmuv3_occurrence &occurrence) = 0;

  // The loosely-timed form of both: adds occurrences that the thread caused in that context. The
  // context is that of the thread's state, or its other one of this cycle. The state may change
  // before or after.
  virtual const char *notify(uint16_t event, unsigned count, unsigned thread,
                             const pmuv3_context &context) = 0;

  // Asks to capture the counters of a thread, in the cycle under way (pmuv3_tick).
  virtual const char *capture(unsigned thread) = 0;

  // How the thread's last write with the clock ended, as its edge judged it; nothing until then. A
  // write that a reset drops is none.
  // external_written: whether the last external write with the clock was done.
  virtual std::optional<pmuv3_result> written(unsigned thread) = 0;
  virtual std::optional<bool> external_written() = 0;

  // Makes Processor cycles pass, in a platform without a clock. The first of them has the events
  // that were told before.
  virtual const char *advance(uint64_t cycles) = 0;

  // Likewise, with events that occur so often in all these cycles (pmuv3_run). What was told before
  // is in a cycle before them: advance first.
  virtual const char *run(uint64_t cycles, const std::vector<pmuv3_rate> &rates) = 0;

  // The first cycle, as run would make them, in which a counter of any thread overflows: 1 is the
  // next cycle. 0: none overflows. Nothing: the rates are wrong, the side cannot tell, or what was
  // told before waits for its cycle.
  virtual std::optional<uint64_t> next_overflow(uint64_t cycles,
                                                const std::vector<pmuv3_rate> &rates) = 0;

  // Notifies `event` at the end of that cycle, if each takes `period` from now on, or cancels its
  // notification if there is no such cycle, or none before the end of sc_time. It makes no cycles
  // pass: whoever waits runs them then.
  virtual const char *notify_overflow(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                                      const sc_core::sc_time &period, sc_core::sc_event &event) = 0;
};

// The events and states of a thread with a time of its own (pmuv3_tlm::decouple). `delay` is the
// local time of the thread's core, from now on, as in b_transport. It says in which cycle of the
// thread something is. A call whose cycle the thread has told already is refused as late. What is
// refused for another reason has no effect, but the cycles before it are told, unless time ends
// before that.
class pmuv3_thread_if : public virtual sc_core::sc_interface {
 public:
  // As in pmuv3_event_if, in the cycle of that time.
  virtual const char *set_pe(const pmuv3_pe &pe, const sc_core::sc_time &delay) = 0;
  virtual const char *in_context(const pmuv3_context &context, const sc_core::sc_time &delay) = 0;
  virtual const char *occur(const pmuv3_occurrence &occurrence, const sc_core::sc_time &delay) = 0;
  virtual const char *notify(uint16_t event, unsigned count, const pmuv3_context &context,
                             const sc_core::sc_time &delay) = 0;
  virtual const char *capture(const sc_core::sc_time &delay) = 0;
  virtual std::optional<pmuv3_result> written() = 0;

  // The thread's cycles from that time on have passed, with events that occur so often in all of
  // them together. The rates are the thread's own. Refused if time ends before them.
  virtual const char *run(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                          const sc_core::sc_time &delay) = 0;

  // The first of these cycles in which a counter of the thread overflows: 1 is the first one. 0:
  // none does. Nothing: the rates are wrong, the side cannot tell, or the thread's counters count
  // for other threads. The cycles before are told, as by every other call.
  virtual std::optional<uint64_t> next_overflow(uint64_t cycles,
                                                const std::vector<pmuv3_rate> &rates,
                                                const sc_core::sc_time &delay) = 0;
};

// What the generic payload cannot say about an access. Without the extension, an access is thread
// 0's, at once, with the highest rights; in the external view it is Non-secure.
struct pmuv3_access_extension : tlm::tlm_extension<pmuv3_access_extension> {
  // For a System register: the thread that it belongs to; whether the thread's state judges the
  // access, as it judges MSR and MRS; the thread's state from now on (set_pe), set before the
  // access.
  unsigned thread = 0;
  bool checked = false;
  std::optional<pmuv3_pe> state;

  // Where threads have times of their own: whether another agent than the thread's core accesses
  // the System register, in the time of all threads.
  bool is_foreign = false;

  // For the external view: the physical address space.
  unsigned space = PMUV3_NS;  // enum pmuv3_security_state

  // For a write: it takes place in the clock of the next Processor cycle. In a cycle each thread
  // can have one such write, and the external view one.
  bool with_clock = false;

  // Out: how a checked access ended, and its syndrome (pmuv3_syndrome). For a write with the clock,
  // pmuv3_event_if::written says how it ended.
  pmuv3_result result = PMUV3_DONE;
  uint32_t syndrome = 0;

  tlm::tlm_extension_base *clone() const override { return new pmuv3_access_extension(*this); }
  void copy_from(const tlm::tlm_extension_base &from) override {
    *this = static_cast<const pmuv3_access_extension &>(from);
  }
};

class pmuv3_tlm : public sc_core::sc_module, private pmuv3_event_if {
 public:
  template <class Value>
  using in = sc_core::sc_port<sc_core::sc_signal_in_if<Value>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  template <class Value>
  using out =
      sc_core::sc_port<sc_core::sc_signal_inout_if<Value>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  in<bool> clk{"clk"};
  in<bool> warm_reset{"warm_reset"}, cold_reset{"cold_reset"};  // active while 1
  sc_core::sc_vector<out<bool>> irq;                            // PMUIRQ, one a thread
  sc_core::sc_vector<out<bool>> cti;            // overflow trigger to the thread's CTI
  sc_core::sc_vector<out<unsigned>> exception;  // PMU Profiling exception: see pmuv3_exception
  sc_core::sc_vector<out<bool>> halt;           // the request to halt: see pmuv3_halt
  sc_core::sc_vector<out<unsigned>> brbe;       // what freezes the BRBE: see pmuv3_brbe
  sc_core::sc_vector<out<uint64_t>> pulses;     // counters that overflowed: see pmuv3_pulses
  sc_core::sc_export<pmuv3_event_if> events{"events"};
  sc_core::sc_vector<sc_core::sc_export<pmuv3_thread_if>> threads;  // after decouple
  template <unsigned width>
  using register_socket = tlm_utils::simple_target_socket_tagged_optional<pmuv3_tlm, width>;

  register_socket<64> registers{"registers"};                // the extension says the thread
  register_socket<32> registers32{"registers32"};            // likewise, for a bus of 32 bits
  sc_core::sc_vector<register_socket<64>> thread_registers;  // one a thread
  tlm_utils::simple_target_socket_optional<pmuv3_tlm, 32> external{"external"};

  // Takes ownership of the side. SystemC reports an error if it is NULL or its parameters are
  // wrong.
  pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side);

  // The C model with parameters of a platform: the defaults, with the external view (EXT64).
  explicit pmuv3_tlm(const sc_core::sc_module_name &name);
  static pmuv3_params platform_params();
  ~pmuv3_tlm() override;

  // Addresses of a register by its encoding, and of a thread's page in the external view.
  static constexpr uint64_t address_of(uint16_t reg) { return uint64_t{reg} * 8; }
  static constexpr uint64_t page_of(unsigned thread) { return uint64_t{thread} * kPage; }

  // Traces every counter of every thread: NAME.counter<n>_<thread>, NAME.cycles_<thread>,
  // NAME.instructions_<thread>. Values are those after the last cycle or access; in threads with
  // times of their own, those of when the module last looked.
  friend void sc_trace(sc_core::sc_trace_file *file, pmuv3_tlm &pmu, const std::string &name);

  // The side inside, as it is now, for inspection. The module keeps its ownership.
  pmuv3_side *side();

  // Warm reset, now. It drops what waits for the next edge, and what threads have told of a later
  // time.
  void reset();

  // Cold reset, now. States of threads stay.
  void reset_cold();

  // The state of the side and of the cycle under way, as bytes; none if the side cannot be saved,
  // or if threads have told of a later time. `restore` returns NULL, or says in words why it
  // refuses: see pmuv3_restore. Then nothing has changed.
  std::vector<unsigned char> save();
  const char *restore(const std::vector<unsigned char> &bytes);

  // From now on each thread has a time of its own, in cycles of this period, and the cores tell of
  // it through `threads`. Returns NULL, or says in words what is wrong: a clock makes the cycles,
  // the period is 0, or something waits for the cycle under way. A clock that is bound later is an
  // error of "/pmuv3/tlm" at the end of elaboration.
  const char *decouple(const sc_core::sc_time &period);

 private:
  static constexpr unsigned kPage = 0x1000;
  static constexpr int kAnyThread = -1;  // the extension says it

  // The part of an access that goes to one register.
  struct Beat {
    bool is_write;
    uint64_t address;
    unsigned char *data;
    unsigned bytes;
    bool takes_state;  // sets the extension's state before the access
  };
  struct Thread;
  using Face = tlm::tlm_response_status (pmuv3_tlm::*)(const Beat &, pmuv3_access_extension &);

  const char *set_pe(unsigned thread, const pmuv3_pe &pe) override;
  const char *in_context(unsigned thread, const pmuv3_context &context) override;
  const char *occur(const pmuv3_occurrence &occurrence) override;
  const char *notify(uint16_t event, unsigned count, unsigned thread,
                     const pmuv3_context &context) override;
  const char *capture(unsigned thread) override;
  std::optional<pmuv3_result> written(unsigned thread) override;
  std::optional<bool> external_written() override;
  const char *advance(uint64_t cycles) override;
  const char *run(uint64_t cycles, const std::vector<pmuv3_rate> &rates) override;
  std::optional<uint64_t> next_overflow(uint64_t cycles,
                                        const std::vector<pmuv3_rate> &rates) override;
  const char *notify_overflow(uint64_t cycles, const std::vector<pmuv3_rate> &rates,
                              const sc_core::sc_time &period, sc_core::sc_event &event) override;
  const char *wrong_with(uint64_t cycles, const std::vector<pmuv3_rate> &rates) const;

  void registers_b_transport(int thread, tlm::tlm_generic_payload &payload,
                             sc_core::sc_time &delay);
  void external_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  unsigned registers_dbg(int thread, tlm::tlm_generic_payload &payload);
  unsigned external_dbg(tlm::tlm_generic_payload &payload);
  tlm::tlm_response_status debug_read(tlm::tlm_generic_payload &payload, Face face, unsigned unit,
                                      pmuv3_access_extension &how, unsigned *done);
  tlm::tlm_response_status debug_write(tlm::tlm_generic_payload &payload, Face face,
                                       pmuv3_access_extension &how, unsigned *done);
  unsigned look(tlm::tlm_generic_payload &payload, int thread, Face face, unsigned unit);
  bool is_late(const pmuv3_access_extension &how, const sc_core::sc_time &delay) const;
  bool begin(const pmuv3_access_extension &how, sc_core::sc_time &delay);
  void begin_together(sc_core::sc_time &delay);
  void begin_now();
  template <Face face>
  tlm::tlm_response_status access(tlm::tlm_generic_payload &payload, pmuv3_access_extension &how,
                                  unsigned bytes, bool takes_state);
  tlm::tlm_response_status beats(const tlm::tlm_generic_payload &payload,
                                 pmuv3_access_extension &how, Face face, unsigned bytes,
                                 bool takes_state);

  const char *take_state(const pmuv3_access_extension &how);
  void wrote(unsigned thread, const struct pmuv3_write &write);
  tlm::tlm_response_status registers_beat(const Beat &beat, pmuv3_access_extension &how);
  tlm::tlm_response_status place_of(const Beat &beat, const pmuv3_access_extension &how) const;
  tlm::tlm_response_status read(uint16_t reg, uint64_t *value, pmuv3_access_extension &how);
  tlm::tlm_response_status write(uint16_t reg, uint64_t value, pmuv3_access_extension &how);
  tlm::tlm_response_status write_with_clock(uint16_t reg, uint64_t value,
                                            const pmuv3_access_extension &how);
  tlm::tlm_response_status external_beat(const Beat &beat, pmuv3_access_extension &how);
  tlm::tlm_response_status external_with_clock(const pmuv3_external &write);

  pmuv3_open_cycle &open_cycle(unsigned thread);
  bool has_thread(uint64_t thread) const { return thread < side_->params.threads; }
  void end_of_elaboration() override;
  // Until the end of elaboration, size() does not count a clock that comes through another port.
  bool is_clocked() { return clk.bind_count() != 0; }
  void meet_edge() {
    if (clock_) meet_clock();
  }
  void meet_clock();
  void meet_reset();
  void sample();
  void end_cycle();
  void update_outputs();
  void compare_outputs();
  void drive_outputs();
  static bool is_never(const sc_core::sc_time &delay);
  uint64_t cycle_at(const sc_core::sc_time &delay) const;
  uint64_t last_cycle() const;
  void reach_now();
  void meet_change();
  void plan_change();

  pmuv3_side *side_;
  pmuv3_side *accessed_;  // side_, or the copy of it in which a thread is ahead
  const sc_core::sc_signal_in_if<bool> *clock_ = nullptr;  // what clk is bound to
  sc_dt::uint64 edge_ = ~sc_dt::uint64{0};                 // delta cycle of its last rising edge
  pmuv3_open_cycle cycle_;  // the cycle under way, unless threads have times of their own
  std::optional<pmuv3_result> written_[PMUV3_MAX_THREADS];
  std::optional<bool> external_written_;
  struct pmuv3_outputs outputs_[PMUV3_MAX_THREADS] = {};
  sc_core::sc_event outputs_changed_;

  std::vector<uint64_t> traced_;  // counters, cycles and instructions of each thread, if any

  // Threads with times of their own.
  std::vector<std::unique_ptr<Thread>> cores_;
  std::unique_ptr<pmuv3_decoupled> decoupled_;
  sc_core::sc_time period_, origin_;  // of their cycles
  uint64_t access_at_ = 0;            // the cycle of the access under way
  sc_core::sc_time *access_delay_ = nullptr;
  sc_core::sc_event change_, look_;
};

#endif
