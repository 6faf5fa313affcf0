// The PMUs of a processor's threads as a SystemC module with TLM-2.0 sockets,
// around any side: the C model, the RTL, or a lockstep of both (docs/reference/tlm.md).
//
//   pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
//   pmu.clk(clock);                        // every rising edge is one Processor cycle
//   pmu.cti(cti_signals);                  // a vector of ports, one a thread, all at once
//   pmu.irq[0](irq_signal);                // or one of them: PMUIRQ of thread 0, level
//   core.registers.bind(pmu.registers);    // System registers
//   debugger.socket.bind(pmu.external);    // the external view
//   core.pmu_events.bind(pmu.events);      // sc_port<pmuv3_event_if>
//
// Whatever a platform has no use for stays unbound.
//
// Registers. The address of a register is its System register encoding times 8
// (pmuv3_tlm::address_of). Accesses are of 8 bytes, and bursts of them; of 4 bytes for
// reads of a half and for AArch32 registers. In the external view thread t's page is
// at address 0x1000 * t (pmuv3_tlm::page_of); accesses are of 4 bytes, and bursts of them.
//
// Time. b_transport waits for the delay that it is given, and then the access
// takes place, between two Processor cycles. A write that carries the
// pmuv3_access_extension with `with_clock` set waits for the next rising edge and
// meets the counting there (formats.md section 4).
//
// Events. What is told through pmuv3_event_if between two rising edges belongs
// to the cycle that ends at the second. States of threads stay until they change.
//
// At an edge. What a process does that runs because of the edge comes after it; what one does
// that runs because of the time comes before it, until the clock has risen.
#ifndef PMUV3_TLM_H
#define PMUV3_TLM_H

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <optional>
#include <systemc>

#include "tlm_wrapper/side.h"

// Input for what happens in the cycle that is under way. Each call returns NULL, or what is wrong
// with it in words (nothing is done then): what the parameters do not have, or the cycle cannot
// hold.
class pmuv3_event_if : public virtual sc_core::sc_interface {
 public:
  // The state of a thread, from the cycle under way on.
  virtual const char *set_pe(unsigned thread, const pmuv3_pe &pe) = 0;

  // A thread's other context, one a cycle: where it was before its state changed. Occurrences of
  // origin PMUV3_OTHER were in it; `related` makes its Unattributable ones related to it.
  virtual const char *in_context(unsigned thread, const pmuv3_context &context) = 0;

  // So many more occurrences of an event. Counts of the same event, thread and origin add up to at
  // most pmuv3_event_limit.
  virtual const char *occur(const pmuv3_occurrence &occurrence) = 0;

  // The loosely-timed form of the two: so many more occurrences, caused by the thread in that
  // context, be it that of its state or its other one of this cycle.
  virtual const char *notify(uint16_t event, unsigned count, unsigned thread,
                             const pmuv3_context &context) = 0;

  // How the thread's last write with the clock ended, as its edge judged it; nothing until then.
  // Of the external view: whether it was done.
  virtual std::optional<pmuv3_result> written(unsigned thread) = 0;
  virtual std::optional<bool> external_written() = 0;

  // So many Processor cycles pass, in a platform without a clock; what was told before is in the
  // first of them.
  virtual const char *advance(uint64_t cycles) = 0;
};

// What an access is besides its generic payload. Without it: thread 0's, at once, with the highest
// rights; in the external view Non-secure.
struct pmuv3_access_extension : tlm::tlm_extension<pmuv3_access_extension> {
  // Of a System register: whose it is; whether the access is judged by the thread's state, as MSR
  // and MRS are; the thread's state from now on (set_pe), before the access.
  unsigned thread = 0;
  bool checked = false;
  std::optional<pmuv3_pe> state;

  // Of the external view: the physical address space.
  unsigned space = PMUV3_NS;  // enum pmuv3_security_state

  // Of a write: in the clock of the next Processor cycle; one a thread, and one of the external
  // view.
  bool with_clock = false;

  // Out: what became of a checked access that was made. Of a write with the clock
  // pmuv3_event_if::written says it.
  pmuv3_result result = PMUV3_DONE;

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
  sc_core::sc_vector<out<bool>> irq;            // PMUIRQ, one a thread
  sc_core::sc_vector<out<bool>> cti;            // overflow trigger to the thread's CTI
  sc_core::sc_vector<out<unsigned>> exception;  // PMU Profiling exception: see pmuv3_exception
  sc_core::sc_export<pmuv3_event_if> events{"events"};
  tlm_utils::simple_target_socket_optional<pmuv3_tlm, 64> registers{"registers"};
  tlm_utils::simple_target_socket_optional<pmuv3_tlm, 32> external{"external"};

  // Takes the side over. SystemC reports an error when it is NULL, or its parameters are wrong.
  pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side);
  ~pmuv3_tlm() override;

  // Address of a register by its System register encoding; of a thread's page in the external view.
  static constexpr uint64_t address_of(uint16_t reg) { return uint64_t{reg} * 8; }
  static constexpr uint64_t page_of(unsigned thread) { return uint64_t{thread} * kPage; }

  // The side inside, for looking; it stays the module's.
  pmuv3_side *side() { return side_; }

  // Warm reset, now; what waits for the next edge is dropped.
  void reset();

 private:
  static constexpr unsigned kPage = 0x1000;

  // Of an access, what one register takes.
  struct Beat {
    bool is_write;
    uint64_t address;
    unsigned char *data;
    unsigned bytes;
    bool takes_state;  // over from the extension, before it
  };
  using Face = tlm::tlm_response_status (pmuv3_tlm::*)(const Beat &, pmuv3_access_extension &);

  const char *set_pe(unsigned thread, const pmuv3_pe &pe) override;
  const char *in_context(unsigned thread, const pmuv3_context &context) override;
  const char *occur(const pmuv3_occurrence &occurrence) override;
  const char *notify(uint16_t event, unsigned count, unsigned thread,
                     const pmuv3_context &context) override;
  std::optional<pmuv3_result> written(unsigned thread) override;
  std::optional<bool> external_written() override;
  const char *advance(uint64_t cycles) override;
  const char *wrong_with(const pmuv3_occurrence &occurrence) const;
  uint16_t &place(const pmuv3_occurrence &occurrence);

  void registers_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  void external_b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  unsigned registers_dbg(tlm::tlm_generic_payload &payload);
  unsigned external_dbg(tlm::tlm_generic_payload &payload);
  unsigned look(tlm::tlm_generic_payload &payload, Face face, unsigned bytes);
  tlm::tlm_response_status access(tlm::tlm_generic_payload &payload, Face face, unsigned bytes,
                                  bool takes_state);

  tlm::tlm_response_status registers_beat(const Beat &beat, pmuv3_access_extension &how);
  tlm::tlm_response_status place_of(const Beat &beat, const pmuv3_access_extension &how) const;
  tlm::tlm_response_status read(uint16_t reg, uint64_t *value, pmuv3_access_extension &how);
  tlm::tlm_response_status write(uint16_t reg, uint64_t value, pmuv3_access_extension &how);
  tlm::tlm_response_status write_with_clock(uint16_t reg, uint64_t value,
                                            const pmuv3_access_extension &how);
  tlm::tlm_response_status external_beat(const Beat &beat, pmuv3_access_extension &how);
  tlm::tlm_response_status external_with_clock(const pmuv3_external &write);

  bool has_thread(uint64_t thread) const { return thread < side_->params.threads; }
  void end_of_elaboration() override;
  void meet_edge();
  void end_cycle();
  void start_cycle();
  void update_outputs();
  void drive_outputs();

  pmuv3_side *side_;
  const sc_core::sc_signal_in_if<bool> *clock_ = nullptr;  // what clk is bound to
  sc_dt::uint64 edge_ = ~sc_dt::uint64{0};                 // delta cycle of its last rising edge
  pmuv3_pe pe_[PMUV3_MAX_THREADS];
  pmuv3_cycle cycle_ = {};   // under way
  uint8_t has_context_ = 0;  // of it; bit t: thread t has one
  pmuv3_occurrence occurrences_[PMUV3_MAX_OCCURRENCES] = {};
  // Where in occurrences_ those of an event, thread and origin are; 0: nowhere, else one more. By
  // enum pmuv3_event_index.
  uint16_t place_[PMUV3_NUM_EVENTS][PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS] = {};
  std::optional<pmuv3_result> written_[PMUV3_MAX_THREADS];
  std::optional<bool> external_written_;
  uint8_t outputs_[PMUV3_MAX_THREADS] = {};  // of each thread: irq, cti << 1, exception << 2
  sc_core::sc_event outputs_changed_;
};

#endif
