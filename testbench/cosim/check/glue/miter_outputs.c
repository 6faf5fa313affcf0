/* Of the miter: comparisons of outputs and internals. */
#include "testbench/cosim/check/glue/miter_internal.h"

#include <string.h>

/* ---- Comparisons ---- */

/* An output of rtl/, late, against a pin. */
static void print_output(const struct miter *m, size_t p, const char *of, unsigned clocks) {
  fprintf(m->out,
          "  wire [%u:0] expected_%zu;\n  wire aged_%zu;\n"
          "  pmuv3_delay #(%u, %u) delay_expected_%zu (clk, reset, %s, expected_%zu);\n"
          "  pmuv3_delay #(1, %u) delay_aged_%zu (clk, reset, 1'b1, aged_%zu);\n",
          m->pins[p].width - 1, p, p, m->pins[p].width, clocks, p, of, p, clocks, p, p);
}

static void print_interrupt(const struct miter *m, size_t p, const char *name, unsigned width) {
  const struct pmuv3_pin *pin = &m->device->pins[p];
  char of[80];
  snprintf(of, sizeof of, "%s[%u+:%u]", name, width * pin->thread, width);
  print_output(m, p, of, miter_latency(m->device, PMUV3_LATENCY_INTERRUPT));
  fprintf(m->out,
          "  wire differs_%zu = aged_%zu && (%sd_%zu ^ {%u{planted_pin_%zu}}) != expected_%zu;\n",
          p, p, width == 1 && pin->value == 0 ? "!" : "", p, m->pins[p].width, p, p);
}

/* Internals: s_N is the signal that the description shows. */
static void print_internal(const struct miter *m, size_t p) {
  const struct pmuv3_pin *pin = &m->device->pins[p];
  const unsigned t = pin->thread, n = pin->index, lanes = miter_lanes(m->device);
  char of[80];
  if (pin->role == PMUV3_ROLE_SEEN_COUNTER && n < 31)
    snprintf(of, sizeof of, "value[%u+:%u]", 64 * (lanes * t + n), m->pins[p].width);
  else if (pin->role == PMUV3_ROLE_SEEN_COUNTER)
    snprintf(of, sizeof of, "%s[%u+:%u]", n == 31 ? "cycles" : "instructions", 64 * t,
             m->pins[p].width);
  else if (pin->role == PMUV3_ROLE_SEEN_OVERFLOW)
    snprintf(of, sizeof of, "overflow[%u+:%u]", lanes * t, m->device->params.counters);
  else if (n < 31)
    snprintf(of, sizeof of, "overflow[%u]", lanes * t + n);
  else
    snprintf(of, sizeof of, "fixed[%u]", 2 * t + (n == 32));
  fprintf(m->out, "// see s_%zu dut.%s", p, pin->name);
  const bool names_element = pin->name[strlen(pin->name) - 1] == ']';
  if (m->pins[p].is_element && !names_element)
    fprintf(m->out, "[%d]\n", pin->msb);
  else
    fprintf(m->out, "[%u:%u]\n", m->pins[p].lsb + m->pins[p].width - 1, m->pins[p].lsb);
  print_output(m, p, of, miter_latency(m->device, PMUV3_LATENCY_VISIBLE));
  fprintf(m->out,
          "  wire differs_%zu = aged_%zu && (s_%zu ^ {%u{planted_pin_%zu}}) != expected_%zu;\n", p,
          p, p, m->pins[p].width, p, p);
}

bool miter_is_compared(const struct pmuv3_pin *pin) {
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_IRQ:
    case PMUV3_ROLE_CTI:
    case PMUV3_ROLE_EXCEPTION:
    case PMUV3_ROLE_SEEN_COUNTER:
    case PMUV3_ROLE_SEEN_OVERFLOW:
    case PMUV3_ROLE_SEEN_FLAG:
      return true;
    default:
      return false;
  }
}

void miter_print_comparisons(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out, "\n  // ---- Comparisons ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role == PMUV3_ROLE_IRQ) print_interrupt(m, p, "irq", 1);
    if (pin->role == PMUV3_ROLE_CTI) print_interrupt(m, p, "cti", 1);
    if (pin->role == PMUV3_ROLE_EXCEPTION) print_interrupt(m, p, "exception", 4);
    if (miter_is_compared(pin) && !miter_is_port_pin(pin)) print_internal(m, p);
  }
  fprintf(m->out, "  assign differs = !reset && (0");
  for (size_t p = 0; p < device->num_pins; p++)
    if (miter_is_compared(&device->pins[p])) fprintf(m->out, " || differs_%zu", p);
  for (unsigned p = 0; p < device->num_ports; p++)
    fprintf(m->out,
            " || early_%u || hangs_%u || differs_value_%u || differs_error_%u || differs_fault_%u",
            p, p, p, p, p);
  fprintf(m->out, ");\n");
}
