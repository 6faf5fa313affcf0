// The PMU as a SystemC module with a TLM-2.0 register socket, around any side:
// the C model, the RTL, or a lockstep of both.
//
//   pmuv3_tlm pmu("pmu", pmuv3_side_cmodel(&params));
//   pmu.clk(clock);                      // every rising edge is one Processor cycle
//   pmu.irq(irq_signal);                 // PMUIRQ, level
//   initiator.socket.bind(pmu.registers);
//   core.pmu_events.bind(pmu.events);    // sc_port<pmuv3_event_if>
//
// Registers. The address of a register is its System register encoding times
// 8 (pmuv3_tlm::address_of); accesses are 8 bytes wide, in host byte order,
// without byte enables, and have the rights of the highest Exception level.
// An access takes place when b_transport is called: between two Processor
// cycles. A write that carries the pmuv3_access_extension with `with_clock` set
// waits for the next rising edge and meets the counting there (formats.md
// section 4). b_transport takes no time and leaves the delay as it is.
//
// Events. What `occur` is told between two rising edges belongs to the cycle
// that ends at the second.
#ifndef PMUV3_TLM_H
#define PMUV3_TLM_H

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>

#include "tlm_wrapper/side.h"

// Input for the events of the cycle that is under way.
class pmuv3_event_if : public virtual sc_core::sc_interface {
 public:
  // `count` more occurrences of an event; counts of one event in one cycle add
  // up. False, and nothing added, when the event is made by the PMU itself or
  // the sum goes beyond pmuv3_event_limit.
  virtual bool occur(pmuv3_event event, uint8_t count) = 0;
};

// What an access is besides its generic payload.
struct pmuv3_access_extension : tlm::tlm_extension<pmuv3_access_extension> {
  bool with_clock = false;  // a write in the clock of the next Processor cycle, one a clock

  tlm::tlm_extension_base *clone() const override { return new pmuv3_access_extension(*this); }
  void copy_from(const tlm::tlm_extension_base &from) override {
    *this = static_cast<const pmuv3_access_extension &>(from);
  }
};

class pmuv3_tlm : public sc_core::sc_module, private pmuv3_event_if {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_out<bool> irq{"irq"};
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
  bool occur(pmuv3_event event, uint8_t count) override;
  void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  unsigned transport_dbg(tlm::tlm_generic_payload &payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload &payload, bool with_clock);
  tlm::tlm_response_status write(uint16_t reg, uint64_t value);
  tlm::tlm_response_status write_with_clock(uint16_t reg, uint64_t value);
  void on_clock();
  void drive_irq();
  void update_irq();

  pmuv3_side *side_;
  pmuv3_occurrence occurrences_[PMUV3_NUM_EVENTS] = {};  // of the cycle under way
  pmuv3_cycle cycle_ = {};
  bool irq_level_ = false;
  sc_core::sc_event irq_changed_;
};

#endif
