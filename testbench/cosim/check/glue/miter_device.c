/* Of the miter: the device, what drives its pins, and what a counterexample shows of them. */
#include "testbench/cosim/check/glue/miter_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- The device ---- */

void miter_print_inputs(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out,
          "module pmuv3_miter (\n  input wire clk,\n  input wire reset,\n"
          "  input wire [15:0] any_plant,\n");
  for (size_t p = 0; p < device->num_pins; p++)
    if (miter_traces(&device->pins[p]))
      fprintf(m->out, "  input wire [%u:0] pin_%zu,\n", m->pins[p].width - 1, p);
  for (unsigned p = 0; p < device->num_ports; p++) {
    fprintf(m->out, "  input wire start_%u,\n  input wire stray_%u,\n  input wire write_%u,\n", p,
            p, p);
    fprintf(m->out, "  input wire [%u:0] address_%u,\n",
            miter_width_of(m, PMUV3_ROLE_ADDRESS, p) - 1, p);
    fprintf(m->out, "  input wire [%u:0] data_%u,\n", device->ports[p].width - 1u, p);
  }
}

/* The first pin that has bits of the same port of the device. */
static size_t first_of_port(const struct pmuv3_device *device, size_t pin) {
  size_t p = 0;
  while (!miter_is_port_pin(&device->pins[p]) ||
         strcmp(device->pins[p].name, device->pins[pin].name) != 0)
    p++;
  return p;
}

void miter_print_device(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  FILE *out = m->out;
  fprintf(out, "\n  // ---- The device: d_N is pin N of the description ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!miter_is_port_pin(&device->pins[p])) continue;
    fprintf(out, "  wire [%u:0] d_%zu;\n", m->pins[p].width - 1, p);
    if (first_of_port(device, p) == p)
      fprintf(out, "  wire [%u:0] port_%zu;\n", m->pins[p].port_width - 1, p);
  }
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (!miter_is_port_pin(pin)) continue;
    const size_t first = first_of_port(device, p);
    const unsigned lsb = m->pins[p].lsb, msb = lsb + m->pins[p].width - 1;
    if (pmuv3_role_is_input((enum pmuv3_role)pin->role))
      fprintf(out, "  assign port_%zu[%u:%u] = d_%zu;\n", first, msb, lsb, p);
    else
      fprintf(out, "  assign d_%zu = port_%zu[%u:%u];\n", p, first, msb, lsb);
  }
  fprintf(out, "  pmuv3_device_under_proof dut (");
  const char *between = "";
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!miter_is_port_pin(&device->pins[p]) || first_of_port(device, p) != p) continue;
    fprintf(out, "%s.%s(port_%zu)", between, device->pins[p].name, p);
    between = ", ";
  }
  fprintf(out, ");\n");
}

/* ---- What drives the device ---- */

/* A debugger operates on halted threads alone. */
static void print_halted(const struct miter *m, unsigned threads) {
  for (size_t p = 0; p < m->device->num_pins; p++) {
    const struct pmuv3_pin *pin = &m->device->pins[p];
    if (pin->role != PMUV3_ROLE_STATE || pin->index != PMUV3_STATE_halted) continue;
    if ((threads >> pin->thread & 1) == 0) continue;
    fprintf(m->out, " || !(0");
    for (unsigned v = 0; v < pin->num_values; v++)
      if (pin->to[v]) fprintf(m->out, " || d_%zu == %u", p, pin->from[v]);
    if (pin->num_values == 0) fprintf(m->out, " || d_%zu == 1", p);
    fprintf(m->out, ")");
  }
}

/* Pins of one event do not count more together than can occur in a cycle. */
static void print_excess(const struct miter *m, unsigned source) {
  const struct pmuv3_device *device = m->device;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    if (event->source != source || !event->adds_up) continue;
    fprintf(m->out, " || 16'd0");
    for (size_t o = 0; o < device->num_events; o++) {
      const struct pmuv3_device_event *other = &device->events[o];
      size_t p = 0;
      if (!pmuv3_device_is_same_event(other, event)) continue;
      miter_find_pin(m, PMUV3_ROLE_EVENT, other->source, &p);
      fprintf(m->out, " + pin_%zu", p);
    }
    fprintf(m->out, " > 16'd%u", pmuv3_device_most_together(device, e));
  }
}

static void print_event_driver(const struct miter *m, size_t p) {
  const unsigned max = pmuv3_device_event_most(m->device, m->device->pins[p].index);
  fprintf(m->out, "  assign d_%zu = reset", p);
  print_halted(m, pmuv3_device_debugged(m->device, m->device->pins[p].index));
  print_excess(m, m->device->pins[p].index);
  if (max >= (1u << m->pins[p].width) - 1)
    fprintf(m->out, " ? 0 : pin_%zu;\n", p);
  else
    fprintf(m->out, " ? 0 : pin_%zu > %u ? %u : pin_%zu;\n", p, max, max, p);
}

void miter_print_drivers(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out, "\n  // ---- Drivers ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    switch ((enum pmuv3_role)pin->role) {
      case PMUV3_ROLE_CLOCK:
        fprintf(m->out, "  assign d_%zu = clk;\n", p);
        break;
      case PMUV3_ROLE_RESET:
        fprintf(m->out, "  assign d_%zu = reset ? %" PRIu64 " : %" PRIu64 ";\n", p, pin->value,
                1 - pin->value);
        break;
      case PMUV3_ROLE_TIE:
        fprintf(m->out, "  assign d_%zu = 64'h%" PRIx64 ";\n", p, pin->value);
        break;
      case PMUV3_ROLE_CLOCK_ENABLE:
        fprintf(m->out, "  assign d_%zu = reset || pin_%zu;\n", p, p);
        break;
      case PMUV3_ROLE_EVENT:
        print_event_driver(m, p);
        break;
      default:
        break;
    }
  }
}

/* ---- What a counterexample shows ---- */

/* Declares t_0, t_1... or assigns them. */
void miter_print_trace(const struct miter *m, bool declares) {
  static const struct {
    const char *format;
    enum pmuv3_role role; /* whose width it has */
  } of_port[] = {{"request_%1$u && !enable_%1$u", PMUV3_ROLE_REQUEST},
                 {"pin_write_%1$u", PMUV3_ROLE_REQUEST},
                 {"pin_address_%1$u", PMUV3_ROLE_ADDRESS},
                 {"pin_data_%1$u", PMUV3_ROLE_DATA},
                 {"!request_%1$u && enable_%1$u", PMUV3_ROLE_REQUEST}};
  const struct pmuv3_device *device = m->device;
  unsigned t = 0;
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!miter_traces(&device->pins[p])) continue;
    if (declares)
      fprintf(m->out, "  output wire [%u:0] t_%u,\n", m->pins[p].width - 1, t);
    else
      fprintf(m->out, "  assign t_%u = d_%zu;\n", t, p);
    t++;
  }
  for (unsigned p = 0; p < device->num_ports; p++)
    for (unsigned o = 0; o < sizeof of_port / sizeof of_port[0]; o++, t++) {
      if (declares) {
        fprintf(m->out, "  output wire [%u:0] t_%u,\n",
                (of_port[o].role == PMUV3_ROLE_DATA ? device->ports[p].width
                                                    : miter_width_of(m, of_port[o].role, p)) -
                    1,
                t);
        continue;
      }
      fprintf(m->out, "  assign t_%u = ", t);
      fprintf(m->out, of_port[o].format, p);
      fprintf(m->out, ";\n");
    }
}
