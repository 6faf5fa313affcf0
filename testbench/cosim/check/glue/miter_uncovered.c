/* What a proof does not cover. docs/design/check.md lists the same. */
#include <string.h>

#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/glue/miter_internal.h"

/* ---- Resets ---- */

static unsigned reset_pins(const struct miter *m, bool is_warm) {
  unsigned count = 0;
  for (size_t p = 0; p < m->device->num_pins; p++)
    count += m->device->pins[p].role == PMUV3_ROLE_RESET && m->device->pins[p].index == is_warm;
  return count;
}

static bool has_warm_reset(const struct miter *m) {
  return reset_pins(m, true) > 0;
}

static bool has_reset(const struct miter *m) {
  return reset_pins(m, false) + reset_pins(m, true) > 0;
}

static bool has_several_resets(const struct miter *m) {
  return reset_pins(m, false) + reset_pins(m, true) > 1;
}

static bool has_reset_and_enable(const struct miter *m) {
  return has_reset(m) && m->device->has_clock_enable;
}

static bool has_late_states(const struct miter *m) {
  return has_reset(m) && pmuv3_device_state_clocks(m->device) > 0;
}

/* ---- Ports ---- */

static bool has_waiting_reads(const struct miter *m) {
  for (unsigned p = 0; p < m->device->num_ports; p++)
    if (m->device->ports[p].has_response && m->device->ports[p].outstanding > 1) return true;
  return false;
}

static bool has_waits_and_enable(const struct miter *m) {
  for (unsigned p = 0; p < m->device->num_ports; p++)
    if (m->device->ports[p].has_ready || m->device->ports[p].has_response)
      return m->device->has_clock_enable;
  return false;
}

static bool has_quiet_clocks(const struct miter *m) {
  for (unsigned p = 0; p < m->device->num_ports; p++)
    if (miter_quiet_clocks(m->device, p) > 0) return true;
  return false;
}

static bool has_response(const struct miter *m) {
  for (unsigned p = 0; p < m->device->num_ports; p++)
    if (m->device->ports[p].has_response) return true;
  return false;
}

static bool has_uncompared_faults(const struct miter *m) {
  for (unsigned p = 0; p < m->device->num_ports; p++) {
    const struct pmuv3_device_port *port = &m->device->ports[p];
    if (port->can_write && port->has_error && !miter_compares_fault(port)) return true;
  }
  return false;
}

/* Accesses that do nothing may fail in one device, and end well in another. */
static bool has_reads_without_value(const struct miter *m) {
  for (size_t r = 0; r < m->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &m->device->registers[r];
    if (m->device->ports[reg->port].has_error && !reg->is_read) return true;
  }
  return false;
}

static bool has_writes_without_bits(const struct miter *m) {
  for (size_t r = 0; r < m->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &m->device->registers[r];
    if (miter_compares_fault(&m->device->ports[reg->port]) && !reg->is_written) return true;
  }
  return false;
}

/* ---- Registers ---- */

static bool has_hpmn(const struct miter *m) {
  for (size_t r = 0; r < m->device->num_registers; r++)
    if (profile_sets_hpmn(&m->device->registers[r])) return true;
  return false;
}

static bool selects_absent_cycles(const struct miter *m) {
  for (size_t r = 0; m->device->has_no_cycles && r < m->device->num_registers; r++)
    if (profile_selects(&m->device->registers[r])) return true;
  return false;
}

static bool has_absent_fields(const struct miter *m) {
  return m->device->num_absent_fields > 0;
}

static bool has_absent_events(const struct miter *m) {
  return m->device->num_absent_events > 0;
}

/* ---- Pins ---- */

static bool has_tie(const struct miter *m) {
  return pmuv3_device_has(m->device, PMUV3_ROLE_TIE);
}

/* The most that a pin can say of an event. */
static unsigned most_of_pin(const struct miter *m, size_t p) {
  return (1u << m->pins[p].width) - 1;
}

/* Whether the pins of an event that add up can say more than a cycle can have. The driver then
 * drives 0 (miter_device.c, print_excess). */
static bool exceeds_together(const struct miter *m, size_t event) {
  const struct pmuv3_device *device = m->device;
  unsigned sum = 0;
  if (!device->events[event].adds_up) return false;
  for (size_t e = 0; e < device->num_events; e++) {
    size_t p = 0;
    if (!pmuv3_device_is_same_event(&device->events[e], &device->events[event])) continue;
    if (miter_find_pin(m, PMUV3_ROLE_EVENT, device->events[e].source, &p)) sum += most_of_pin(m, p);
  }
  return sum > pmuv3_device_most_together(device, event);
}

static bool limits_events(const struct miter *m) {
  for (size_t p = 0; p < m->device->num_pins; p++) {
    const struct pmuv3_pin *pin = &m->device->pins[p];
    if (pin->role == PMUV3_ROLE_EVENT &&
        pmuv3_device_event_most(m->device, pin->index) < most_of_pin(m, p))
      return true;
  }
  for (size_t e = 0; e < m->device->num_events; e++)
    if (exceeds_together(m, e)) return true;
  return false;
}

/* How many values of a state's pin say something. */
static unsigned values_that_say(const struct pmuv3_pin *pin) {
  return pin->num_values ? pin->num_values : pin->index <= PMUV3_STATE_ss ? 4 : 2;
}

static bool has_empty_values(const struct miter *m) {
  for (size_t p = 0; p < m->device->num_pins; p++)
    if (m->device->pins[p].role == PMUV3_ROLE_STATE &&
        (m->pins[p].width > 7 || values_that_say(&m->device->pins[p]) < 1u << m->pins[p].width))
      return true;
  return false;
}

static bool has_equal_values(const struct miter *m) {
  for (size_t p = 0; p < m->device->num_pins; p++) {
    const struct pmuv3_pin *pin = &m->device->pins[p];
    if (pin->role != PMUV3_ROLE_STATE) continue;
    for (unsigned v = 1; v < pin->num_values; v++)
      if (memchr(pin->to, pin->to[v], v)) return true;
  }
  return false;
}

/* ---- The list ---- */

static bool always(const struct miter *m) {
  (void)m;
  return true;
}

static const struct {
  bool (*is_there)(const struct miter *m);
  const char *text;
} uncovered[] = {
    {has_waiting_reads, "requests while a read of the port waits for its answer"},
    {has_waits_and_enable, "how long accesses wait while the clock enable is low"},
    {has_quiet_clocks,
     "accesses of a port that follow each other so soon that their latencies matter"},
    {has_late_states, "accesses in the first `latency state` Processor cycles after a reset"},
    {has_warm_reset, "Warm resets"},
    {has_reset, "resets that are shorter than the one that the proof begins with"},
    {has_several_resets, "a reset by some of several pins"},
    {has_reset_and_enable, "resets while the clock enable is low"},
    {has_reset, "events, requests and changes of the state in a clock with a reset"},
    {has_hpmn, "reserved values of HPMN"},
    {selects_absent_cycles, "PMSELR that selects the cycle counter, with `absent cycles`"},
    {has_absent_fields, "other values of `absent` fields"},
    {has_absent_events, "counters that select an `absent` event"},
    {limits_events, "more occurrences of an event than a cycle can have, or than `max=`"},
    {has_tie, "other values of pins of `tie` lines"},
    {has_empty_values, "values of a pin that say no state"},
    {has_equal_values, "of several values of a pin that say the same state, all but the first"},
    {has_response, "answers that nobody asked for"},
    {has_uncompared_faults, "whether writes of a port with a response pin failed"},
    {has_reads_without_value, "how reads end of a register that has no value"},
    {has_writes_without_bits, "how writes end of a register of which no bit is written"},
    {always, "states that no pin can say"},
    {always, "registers that no line names, and bits outside `read=` or `write=`"},
    {always, "outputs that no line names"},
    {always, "counters and flags without a `visible` line, while nobody reads them"},
#define PMUV3_LIMIT(text) {always, text},
#include "testbench/cosim/check/bench/limits.def"
};

void miter_print_uncovered(const struct miter *m) {
  for (size_t u = 0; u < sizeof uncovered / sizeof uncovered[0]; u++)
    if (uncovered[u].is_there(m)) fprintf(m->out, "// uncovered: %s\n", uncovered[u].text);
}
