// The PMUs of a processor's threads as a SystemC module with a TLM-2.0 register
// socket, around any side: the C model, the RTL, or a lockstep of both.
//
//   pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
//   pmu.clk(clock);                      // every rising edge is one Processor cycle
//   pmu.irq(irq_signals);                // PMUIRQ of each thread, level; or pmu.irq[0](irq_signal)
//   initiator.socket.bind(pmu.registers);
//   core.pmu_events.bind(pmu.events);    // sc_port<pmuv3_event_if>
//
// Registers. The address of a register is its System register encoding times
// 8 (pmuv3_tlm::address_of); accesses are 8 bytes wide, in host byte order,
// without byte enables, and have the rights of the highest Exception level. They
// are thread 0's unless the pmuv3_access_extension names another thread.
// An access takes place when b_transport is called: between two Processor
// cycles. A write that carries the pmuv3_access_extension with `with_clock` set
// waits for the next rising edge and meets the counting there (formats.md
// section 4). b_transport takes no time and leaves the delay as it is.
//
// Events. What is told through pmuv3_event_if between two rising edges belongs
// to the cycle that ends at the second. States of threads stay until they change.
#ifndef PMUV3_TLM_H
#define PMUV3_TLM_H

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
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
};

// What an access is besides its generic payload.
struct pmuv3_access_extension : tlm::tlm_extension<pmuv3_access_extension> {
  unsigned thread = 0;      // whose register it is
  bool with_clock = false;  // a write in the clock of the next Processor cycle, one a thread

  tlm::tlm_extension_base *clone() const override { return new pmuv3_access_extension(*this); }
  void copy_from(const tlm::tlm_extension_base &from) override {
    *this = static_cast<const pmuv3_access_extension &>(from);
  }
};

class pmuv3_tlm : public sc_core::sc_module, private pmuv3_event_if {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_vector<sc_core::sc_out<bool>> irq;  // one a thread
  sc_core::sc_export<pmuv3_event_if> events{"events"};
  tlm_utils::simple_target_socket<pmuv3_tlm, 64> registers{"registers"};

  // Takes the side over. SystemC reports an error when it is NULL.
  pmuv3_tlm(const sc_core::sc_module_name &name, pmuv3_side *side);
  ~pmuv3_tlm() override;

  // Address of a register by its System register encoding.
  static constexpr uint64_t address_of(uint16_t reg) { return uint64_t{reg} * 8; }

  // The side inside, for looking; it stays the module's.
  pmuv3_side *side() { return side_; }

  // Warm reset, now; what waits for the next edge is dropped.
  void reset();

 private:
  const char *set_pe(unsigned thread, const pmuv3_pe &pe) override;
  const char *in_context(unsigned thread, const pmuv3_context &context) override;
  const char *occur(const pmuv3_occurrence &occurrence) override;
  const char *wrong_with(const pmuv3_occurrence &occurrence) const;
  void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  unsigned transport_dbg(tlm::tlm_generic_payload &payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload &payload, unsigned thread,
                                  bool with_clock);
  tlm::tlm_response_status write(unsigned thread, const pmuv3_write &write);
  tlm::tlm_response_status write_with_clock(unsigned thread, const pmuv3_write &write);
  bool has_thread(unsigned thread) const { return thread < side_->params.threads; }
  void start_cycle();
  void on_clock();
  void drive_irq();
  void update_irq();

  pmuv3_side *side_;
  pmuv3_cycle cycle_ = {};   // under way
  uint8_t has_context_ = 0;  // of it; bit t: thread t has one
  pmuv3_occurrence occurrences_[PMUV3_MAX_OCCURRENCES] = {};
  // Where in occurrences_ those of an event, thread and origin are; 0: nowhere, else one more.
  uint16_t place_[PMUV3_NUM_EVENTS][PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS] = {};
  unsigned irq_levels_ = 0;  // a bit a thread
  sc_core::sc_event irq_changed_;
};

#endif
