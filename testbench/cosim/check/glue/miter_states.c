/* Of the miter: the states that pins can say, and what rtl/ takes them for. */
#include "testbench/cosim/check/glue/miter_internal.h"

#include <inttypes.h>
#include <string.h>

#include "pmuv3/pmuv3.h"
#include "pmuv3/record.h"

/* ---- Values of pins ---- */

enum { MAX_STATES = 4096 };

/* The values of a state pin that exist. */
static unsigned values_of(const struct miter *m, size_t p,
                          uint8_t values[PMUV3_DEVICE_MAX_VALUES]) {
  const struct pmuv3_pin *pin = &m->device->pins[p];
  unsigned count = 0;
  if (pin->num_values) {
    memcpy(values, pin->to, pin->num_values);
    return pin->num_values;
  }
  const unsigned max = pin->index <= PMUV3_STATE_ss ? 4 : 2;
  for (; count < max && (m->pins[p].width > 7 || count < 1u << m->pins[p].width); count++)
    values[count] = (uint8_t)count;
  return count;
}

uint64_t miter_on_pin(const struct miter *m, size_t p, const struct pmuv3_pe *pe) {
  struct pmuv3_record record;
  pmuv3_record_init(&record, m->device);
  record.thread[m->device->pins[p].thread].state = *pe;
  return pmuv3_record_get(&record, &m->device->pins[p]);
}

/* Prints all states that pins can say and that exist. */
static void print_legal_states(const struct miter *m, unsigned thread, const size_t *pins,
                               unsigned num_pins) {
  unsigned place[PMUV3_NUM_STATE_KEYS] = {0};
  uint8_t values[PMUV3_NUM_STATE_KEYS][PMUV3_DEVICE_MAX_VALUES];
  unsigned count[PMUV3_NUM_STATE_KEYS];
  for (unsigned s = 0; s < num_pins; s++) count[s] = values_of(m, pins[s], values[s]);
  for (bool more = true; more;) {
    struct pmuv3_pe pe = m->device->pe[thread];
    for (unsigned s = 0; s < num_pins; s++)
      pmuv3_state_set(&pe, m->device->pins[pins[s]].index, values[s][place[s]]);
    if (!pmuv3_pe_wrong(&m->device->params, &pe)) {
      fprintf(m->out, "\n      || (1");
      for (unsigned s = 0; s < num_pins; s++)
        fprintf(m->out, " && pin_%zu == %" PRIu64, pins[s], miter_on_pin(m, pins[s], &pe));
      fprintf(m->out, ")");
    }
    unsigned s = 0;
    while (s < num_pins && ++place[s] == count[s]) place[s++] = 0;
    more = s < num_pins;
  }
}

static unsigned state_pins(const struct miter *m, unsigned thread,
                           size_t pins[PMUV3_NUM_STATE_KEYS]) {
  unsigned count = 0;
  for (size_t p = 0; p < m->device->num_pins; p++)
    if (m->device->pins[p].role == PMUV3_ROLE_STATE && m->device->pins[p].thread == thread)
      pins[count++] = p;
  return count;
}

bool miter_has_too_many_states(const struct miter *m, unsigned thread) {
  size_t pins[PMUV3_NUM_STATE_KEYS];
  uint8_t values[PMUV3_DEVICE_MAX_VALUES];
  const unsigned count = state_pins(m, thread, pins);
  uint64_t states = 1;
  for (unsigned s = 0; s < count && states <= MAX_STATES; s++)
    states *= values_of(m, pins[s], values);
  return states > MAX_STATES;
}

/* The state of a thread after a reset, and without a pin: rtl/ itself says where in pe_t a member
 * is. */
static void print_constants(const struct miter *m, unsigned thread) {
  const struct pmuv3_pe *pe = &m->device->pe[thread];
#define PMUV3_PE_NUMBER(name, bits, text)                                        \
  fprintf(m->out, "  assign reset_pe_%u." #name " = 64'h%" PRIx64 ";\n", thread, \
          (uint64_t)pe->name);
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
#define PMUV3_PE_MASK(name, bits, text) PMUV3_PE_NUMBER(name, bits, text)
#include "pmuv3/pe.def"
}

static void print_mapped(const struct miter *m, size_t p) {
  const struct pmuv3_pin *pin = &m->device->pins[p];
  for (unsigned v = 0; v < pin->num_values; v++)
    fprintf(m->out, "d_%zu == %u ? %u : ", p, pin->from[v], pin->to[v]);
  if (pin->num_values)
    fprintf(m->out, "%u", pin->to[0]);
  else
    fprintf(m->out, "d_%zu", p);
}

/* A delay after a reset has 0, which is the state of a reset. */
static void print_delay(const struct miter *m, unsigned thread) {
  const unsigned t = thread, latency = miter_latency(m->device, PMUV3_LATENCY_STATE);
  const unsigned cycles = pmuv3_device_cycles(m->device, PMUV3_LATENCY_STATE, latency);
  fprintf(m->out,
          "  wire [$bits(pe_%u)-1:0] early_change_%u, late_change_%u;\n"
          "  pmuv3_delay #($bits(pe_%u), %u) delay_pe_%u (clk, reset, pe_%u ^ reset_pe_%u, "
          "early_change_%u);\n"
          "  pmuv3_held #($bits(pe_%u), %u) held_pe_%u (clk, reset, cycle, early_change_%u, "
          "late_change_%u);\n"
          "  wire [$bits(pe_%u)-1:0] late_pe_%u = late_change_%u ^ reset_pe_%u;\n",
          t, t, t, t, latency - cycles, t, t, t, t, t, cycles, t, t, t, t, t, t, t);
}

void miter_print_states(const struct miter *m, unsigned thread) {
  const struct pmuv3_pe *reset = &m->device->pe[thread];
  size_t pins[PMUV3_NUM_STATE_KEYS];
  const unsigned count = state_pins(m, thread, pins);
  FILE *out = m->out;
  fprintf(out, "\n  // ---- The states of thread %u ----\n", thread);
  fprintf(out, "  pmuv3_pkg::pe_t pe_%u, reset_pe_%u;\n", thread, thread);
  print_constants(m, thread);
  fprintf(out, "  wire legal_%u = 0", thread);
  print_legal_states(m, thread, pins, count);
  fprintf(out, ";\n  always @* begin\n    pe_%u = reset_pe_%u;\n", thread, thread);
  for (unsigned s = 0; s < count; s++) {
    const enum pmuv3_state_key key = m->device->pins[pins[s]].index;
    fprintf(out, "    pe_%u.%s = ", thread, pmuv3_state_key_name(key));
    print_mapped(m, pins[s]);
    fprintf(out, ";\n");
  }
  fprintf(out, "  end\n");
  for (unsigned s = 0; s < count; s++)
    fprintf(out, "  assign d_%zu = !reset && legal_%u ? pin_%zu : %" PRIu64 ";\n", pins[s], thread,
            pins[s], miter_on_pin(m, pins[s], reset));
  print_delay(m, thread);
}
