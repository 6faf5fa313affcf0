// An adapter from a platform's own extension of the payload to pmuv3_access_extension: who
// accesses, in which state. It goes between an initiator or bus and a register socket of the PMU.
//
//   pmuv3_adapter<64> adapter("adapter", [](const tlm::tlm_generic_payload &payload,
//                                           pmuv3_access_extension &how) {
//     const auto *core = payload.get_extension<CoreExtension>();
//     how.thread = core ? core->number : 0;
//     how.checked = core != nullptr;
//   });
//   bus.port.bind(adapter.in);
//   adapter.out.bind(pmu.registers);
#ifndef PMUV3_ADAPTER_H
#define PMUV3_ADAPTER_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <systemc>
#include <utility>

#include "tlm_wrapper/pmuv3_tlm.h"

template <unsigned width>
class pmuv3_adapter : public sc_core::sc_module {
 public:
  using Translate =
      std::function<void(const tlm::tlm_generic_payload &payload, pmuv3_access_extension &how)>;

  tlm_utils::simple_target_socket<pmuv3_adapter, width> in{"in"};
  tlm_utils::simple_initiator_socket<pmuv3_adapter, width> out{"out"};

  // `translate` gets an extension as if there were none. After the access, `ended` may take its
  // result to the payload.
  pmuv3_adapter(const sc_core::sc_module_name &name, Translate translate, Translate ended = {})
      : sc_module(name), translate_(std::move(translate)), ended_(std::move(ended)) {
    in.register_b_transport(this, &pmuv3_adapter::b_transport);
    in.register_transport_dbg(this, &pmuv3_adapter::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
    translated(payload, [&] { out->b_transport(payload, delay); });
  }

  unsigned transport_dbg(tlm::tlm_generic_payload &payload) {
    unsigned done = 0;
    translated(payload, [&] { done = out->transport_dbg(payload); });
    return done;
  }

  // While this object lives, the payload has the extension. SystemC ends a process that waits in an
  // access by an exception, which destroys the object, too.
  class Given {
   public:
    Given(tlm::tlm_generic_payload &payload, pmuv3_access_extension *how)
        : payload_(payload), before_(payload.set_extension(how)) {}
    Given(const Given &) = delete;
    Given &operator=(const Given &) = delete;
    ~Given() { payload_.set_extension(before_); }

   private:
    tlm::tlm_generic_payload &payload_;
    pmuv3_access_extension *const before_;
  };

  // The payload has its own extension again when the access has ended.
  template <class Access>
  void translated(tlm::tlm_generic_payload &payload, Access access) {
    pmuv3_access_extension how;
    translate_(payload, how);
    {
      const Given given(payload, &how);
      access();
    }
    if (ended_) ended_(payload, how);
  }

  const Translate translate_, ended_;
};

#endif
