// Plays stimulus into the TLM module, as a core would: registers by b_transport, events by their
// interface, on the SystemC clock.
#ifndef PMUV3_DRIVER_H
#define PMUV3_DRIVER_H

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <functional>
#include <systemc>

#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"
#include "tlm_wrapper/pmuv3_tlm.h"

namespace pmuv3 {

// Stands between the TLM module and the lockstep, and records what arrives. The driver compares
// this with its stimulus: both sides are behind the module, so the lockstep cannot see the module's
// errors.
class Spy : public pmuv3_side {
 public:
  explicit Spy(pmuv3_side *inner) : pmuv3_side{&kOps, inner->params}, inner_(inner) {}

  // The last access, with its value, and with the result and the syndrome of a checked access.
  bool Saw(unsigned thread, const pmuv3_write &access) const;
  bool Saw(unsigned thread, const pmuv3_write &access, pmuv3_result result,
           uint32_t syndrome) const;
  bool Saw(const pmuv3_external &access, bool done) const;
  bool Saw(unsigned thread, const pmuv3_pe &pe) const;
  bool Saw(const pmuv3_cycle &cycle) const;

 private:
  static Spy &Of(pmuv3_side *side) { return *static_cast<Spy *>(side); }
  static const pmuv3_side_ops kOps;

  void Keep(unsigned thread, const pmuv3_write &access) {
    access_thread_ = thread;
    access_ = access;
  }

  void Keep(unsigned thread, pmuv3_security_state ss, uint16_t offset, uint32_t value, bool done) {
    external_ = {static_cast<uint8_t>(thread), static_cast<uint8_t>(ss), offset, value};
    external_done_ = done;
  }

  void Keep(const pmuv3_cycle &cycle) {
    cycle_ = cycle;
    std::copy_n(cycle.occurrences, cycle.num_occurrences, occurrences_);
  }

  pmuv3_side *inner_;
  unsigned access_thread_ = 0;
  pmuv3_write access_ = {};
  pmuv3_result result_ = PMUV3_DONE;
  uint32_t syndrome_ = 0;
  pmuv3_external external_ = {};
  bool external_done_ = false;
  pmuv3_pe pe_[PMUV3_MAX_THREADS] = {};
  pmuv3_cycle cycle_ = {};
  pmuv3_occurrence occurrences_[PMUV3_MAX_OCCURRENCES] = {};
};

// Plays the items that `next` gives until `next` gives NULL, then stops the simulation. An item
// that the TLM module changes on its way to the lockstep is a fatal error.
class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver, 64> registers{"registers"};
  tlm_utils::simple_initiator_socket<Driver, 32> external{"external"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};

  Driver(const sc_core::sc_module_name &name, pmuv3_tlm &pmu, const Spy &spy, pmuv3_side *lockstep,
         sc_core::sc_time period, std::function<const pmuv3_item *()> next);

 private:
  void drive();
  void play(const pmuv3_item &item);
  void cycle(const pmuv3_cycle &cycle);
  void contexts(const pmuv3_cycle &cycle);
  void access(tlm::tlm_command command, const pmuv3_item &item, bool legal);
  void checked_access(tlm::tlm_command command, const pmuv3_item &item);
  void external_access(tlm::tlm_command command, const pmuv3_item &item);
  void unaligned_access(tlm::tlm_command command, const pmuv3_external &access);
  void transport(tlm::tlm_command command, unsigned thread, const pmuv3_write &write,
                 bool with_clock);
  void transport_external(tlm::tlm_command command, const pmuv3_external &access, bool with_clock);
  void prepare(tlm::tlm_command command, uint64_t address, void *data, unsigned length);
  void require(bool holds, const char *otherwise);

  pmuv3_tlm &pmu_;
  const Spy &spy_;
  pmuv3_side *lockstep_;
  const sc_core::sc_time period_;
  std::function<const pmuv3_item *()> next_;
  tlm::tlm_generic_payload payload_;
  uint64_t value_ = 0;
  uint32_t word_ = 0;
  pmuv3_access_extension extension_;
};

}  // namespace pmuv3

#endif
