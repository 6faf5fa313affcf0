// What the examples share: an access through an initiator socket.
#ifndef PMUV3_EXAMPLE_BUS_H
#define PMUV3_EXAMPLE_BUS_H

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "tlm_wrapper/pmuv3_tlm.h"

// Writes a value, or reads one. An access that fails ends the simulation.
template <class Socket, class Value>
void transport(Socket &socket, tlm::tlm_command command, uint64_t address, Value &value,
               pmuv3_access_extension how, sc_core::sc_time &delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  payload.set_extension(&how);
  socket->b_transport(payload, delay);
  payload.clear_extension(&how);
  if (!payload.is_response_ok())
    SC_REPORT_FATAL("/platform", payload.get_response_string().c_str());
}

#endif
