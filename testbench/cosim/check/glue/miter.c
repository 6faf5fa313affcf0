/* Prints the miter of a device and rtl/. */
#include "testbench/cosim/check/glue/miter.h"

#include <string.h>

#include "testbench/cosim/check/glue/miter_internal.h"

unsigned miter_larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

unsigned miter_latency(const struct pmuv3_device *device, enum pmuv3_latency kind) {
  return device->latency[kind].min;
}

/* ---- What cannot be proved ---- */

int miter_port_of_thread(const struct pmuv3_device *device, unsigned thread) {
  for (unsigned p = 0; p < device->num_ports; p++)
    if (device->ports[p].thread == thread) return (int)p;
  return NONE;
}

bool miter_waits(const struct pmuv3_device_port *port) {
  return port->is_apb || port->has_response;
}

const char *miter_refused(const struct pmuv3_device *device) {
  if (device->mode != PMUV3_MODE_EXACT) return "needs mode exact";
  if (device->num_initials) return "does not know \"initial\"";
  for (size_t r = 0; r < device->num_registers; r++) {
    if (device->registers[r].is_unknown) return "does not know \"unknown\"";
    const char *why = miter_cannot_keep(device, &device->registers[r]);
    if (why) return why;
  }
  for (size_t p = 0; p < device->num_pins; p++) {
    if (device->pins[p].role == PMUV3_ROLE_OTHER) return "does not know \"other\"";
    if (device->pins[p].role == PMUV3_ROLE_CLOCK && device->pins[p].msb >= 0)
      return "needs a clock that is a port of its own";
    if (device->pins[p].role == PMUV3_ROLE_SEEN_V) return "does not know \"visible V\"";
  }
  if (!pmuv3_device_debugger_is_aligned(device))
    return "needs events of a debugger as late as states";
  unsigned pages = 0;
  for (unsigned p = 0; p < device->num_ports; p++) {
    const struct pmuv3_device_port *port = &device->ports[p];
    bool has_page = false;
    if (miter_port_of_thread(device, port->thread) != (int)p)
      return "knows one port of a thread; this thread has two";
    for (size_t r = 0; r < device->num_registers; r++) {
      const struct pmuv3_device_register *reg = &device->registers[r];
      if (reg->port == p && reg->thread != port->thread)
        return "needs each register at a port of its thread";
      has_page |= reg->port == p && reg->is_page;
    }
    pages += has_page;
    if (!miter_waits(port) && port->response < miter_latency(device, PMUV3_LATENCY_READ))
      return "needs a response that comes no sooner than the latency of a read";
  }
  return pages > 1 ? "knows one port with words of the page" : NULL;
}

/* As many clocks as the bench begins with. */
unsigned miter_num_inputs(const struct pmuv3_device *device) {
  unsigned count = 0;
  for (unsigned e = 0; e < device->params.events.num; e++)
    count += device->params.events.event[e].event_class != PMUV3_EVENT_CLASS_SELF;
  return miter_larger(count, 1);
}

unsigned miter_lanes(const struct pmuv3_device *device) {
  return miter_larger(device->params.counters, 1);
}

static void print_names(FILE *out, const struct pmuv3_device *device, enum pmuv3_role role) {
  for (size_t p = 0; p < device->num_pins; p++) {
    if (device->pins[p].role != role) continue;
    fprintf(out, " %s", device->pins[p].name);
    if (role == PMUV3_ROLE_RESET) fprintf(out, " %s", device->pins[p].value ? "high" : "low");
  }
}

void miter_print_facts(FILE *out, const struct pmuv3_device *device) {
  fprintf(out, "%u %u %u %u", device->params.threads, device->params.counters,
          miter_num_inputs(device), pmuv3_device_reset_clocks(device));
  print_names(out, device, PMUV3_ROLE_CLOCK);
  print_names(out, device, PMUV3_ROLE_RESET);
  fprintf(out, "\n");
}

/* ---- Names ---- */

const struct pmuv3_pin *miter_find_pin(const struct miter *m, enum pmuv3_role role, unsigned index,
                                       size_t *at) {
  for (size_t p = 0; p < m->device->num_pins; p++) {
    if (m->device->pins[p].role != role || m->device->pins[p].index != index) continue;
    *at = p;
    return &m->device->pins[p];
  }
  return NULL;
}

/* Inputs of the miter. Those of ports come from drivers. */
bool miter_traces(const struct pmuv3_pin *pin) {
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_EVENT:
    case PMUV3_ROLE_STATE:
    case PMUV3_ROLE_CLOCK_ENABLE:
      return true;
    default:
      return false;
  }
}

bool miter_is_port_pin(const struct pmuv3_pin *pin) {
  return !pmuv3_role_is_internal((enum pmuv3_role)pin->role);
}

unsigned miter_width_of(const struct miter *m, enum pmuv3_role role, unsigned index) {
  size_t p = 0;
  return miter_find_pin(m, role, index, &p) ? m->pins[p].width : 1;
}

/* ---- The miter ---- */

bool miter_print(FILE *out, const struct pmuv3_device *device, const char *top,
                 const struct miter_pin *pins) {
  const struct miter miter = {out, device, top, pins};
  for (unsigned t = 0; t < device->params.threads; t++)
    if (miter_has_too_many_states(&miter, t)) return false;
  fprintf(out, "// Written by pmuv3-check-glue.\n");
  miter_print_uncovered(&miter);
  miter_print_inputs(&miter);
  miter_print_trace(&miter, true);
  for (size_t p = 0; p < device->num_pins; p++)
    if (!miter_is_port_pin(&device->pins[p]) && miter_is_compared(&device->pins[p]))
      fprintf(out, "  input wire [%u:0] s_%zu,\n", pins[p].width - 1, p);
  fprintf(out,
          "  output wire differs,\n  output wire [%u:0] hints,\n  output wire [%u:0] reached\n);\n",
          17 * device->params.threads * miter_lanes(device) - 1,
          miter_larger(miter_num_witnesses(&miter), 1) - 1);
  miter_print_plants(&miter);
  miter_print_device(&miter);
  miter_print_cycle(&miter);
  miter_print_states_valid(&miter);
  miter_print_drivers(&miter);
  for (unsigned t = 0; t < device->params.threads; t++) miter_print_states(&miter, t);
  miter_print_probes(&miter);
  for (unsigned p = 0; p < device->num_ports; p++) miter_print_port(&miter, p);
  miter_print_events(&miter);
  miter_print_rtl(&miter);
  for (unsigned p = 0; p < device->num_ports; p++) miter_print_answers(&miter, p);
  miter_print_comparisons(&miter);
  miter_print_hints(&miter);
  miter_print_trace(&miter, false);
  miter_print_witnesses(&miter);
  fprintf(out, "endmodule\n");
  return true;
}
