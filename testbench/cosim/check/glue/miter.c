/* Prints the miter of a device and rtl/. */
#include "testbench/cosim/check/glue/miter.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "pmuv3/pmuv3.h"
#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/profile.h"

enum { NONE = -1, MAX_STATES = 4096 };

struct miter {
  FILE *out;
  const struct pmuv3_device *device;
  const char *top;
  const struct miter_pin *pins;
};

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static unsigned latency(const struct pmuv3_device *device, enum pmuv3_latency kind) {
  return device->latency[kind].min;
}

/* ---- What cannot be proved ---- */

static int port_of_thread(const struct pmuv3_device *device, unsigned thread) {
  for (unsigned p = 0; p < device->num_ports; p++)
    if (device->ports[p].thread == thread) return (int)p;
  return NONE;
}

static bool waits(const struct pmuv3_device_port *port) {
  return port->is_apb || port->has_response;
}

const char *miter_refused(const struct pmuv3_device *device) {
  if (device->mode != PMUV3_MODE_EXACT) return "needs mode exact";
  if (device->num_initials) return "does not know \"initial\"";
  for (size_t p = 0; p < device->num_pins; p++) {
    if (device->pins[p].role == PMUV3_ROLE_OTHER) return "does not know \"other\"";
    if (device->pins[p].role == PMUV3_ROLE_CLOCK && device->pins[p].msb >= 0)
      return "needs a clock that is a port of its own";
    if (device->pins[p].role == PMUV3_ROLE_SEEN_V) return "does not know \"visible V\"";
  }
  unsigned pages = 0;
  for (unsigned p = 0; p < device->num_ports; p++) {
    const struct pmuv3_device_port *port = &device->ports[p];
    bool has_page = false;
    if (port_of_thread(device, port->thread) != (int)p)
      return "knows one port of a thread; this thread has two";
    for (size_t r = 0; r < device->num_registers; r++)
      has_page |= device->registers[r].port == p && device->registers[r].is_page;
    pages += has_page;
    if (!waits(port) && port->response < latency(device, PMUV3_LATENCY_READ))
      return "needs a response that comes no sooner than the latency of a read";
  }
  return pages > 1 ? "knows one port with words of the page" : NULL;
}

/* As many clocks as the bench begins with. */
static unsigned reset_clocks(const struct pmuv3_device *device) {
  unsigned longest = 0;
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    longest = larger(longest, device->latency[l].max);
  for (size_t e = 0; e < device->num_events; e++)
    longest = larger(longest, device->events[e].latency);
  return longest + 4;
}

static unsigned num_inputs(const struct pmuv3_device *device) {
  unsigned count = 0;
  for (unsigned e = 0; e < device->params.events.num; e++)
    count += device->params.events.event[e].event_class != PMUV3_EVENT_CLASS_SELF;
  return count;
}

static void print_names(FILE *out, const struct pmuv3_device *device, enum pmuv3_role role) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == role) fprintf(out, " %s", device->pins[p].name);
}

void miter_print_facts(FILE *out, const struct pmuv3_device *device) {
  fprintf(out, "%u %u %u %u", device->params.threads, device->params.counters,
          larger(num_inputs(device), 1), reset_clocks(device));
  print_names(out, device, PMUV3_ROLE_CLOCK);
  print_names(out, device, PMUV3_ROLE_RESET);
  fprintf(out, "\n");
}

/* ---- Names ---- */

static const struct pmuv3_pin *find_pin(const struct miter *m, enum pmuv3_role role, unsigned index,
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

static bool is_port_pin(const struct pmuv3_pin *pin) {
  return !pmuv3_role_is_internal((enum pmuv3_role)pin->role);
}

/* The first pin that has bits of the same port of the device. */
static size_t first_of_port(const struct pmuv3_device *device, size_t pin) {
  size_t p = 0;
  while (!is_port_pin(&device->pins[p]) ||
         strcmp(device->pins[p].name, device->pins[pin].name) != 0)
    p++;
  return p;
}

static unsigned width_of(const struct miter *m, enum pmuv3_role role, unsigned index) {
  size_t p = 0;
  return find_pin(m, role, index, &p) ? m->pins[p].width : 1;
}

/* ---- The device ---- */

static void print_inputs(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out,
          "module pmuv3_miter (\n  input wire clk,\n  input wire reset,\n"
          "  input wire [7:0] any_plant,\n");
  for (size_t p = 0; p < device->num_pins; p++)
    if (miter_traces(&device->pins[p]))
      fprintf(m->out, "  input wire [%u:0] pin_%zu,\n", m->pins[p].width - 1, p);
  for (unsigned p = 0; p < device->num_ports; p++) {
    fprintf(m->out, "  input wire start_%u,\n  input wire write_%u,\n", p, p);
    fprintf(m->out, "  input wire [%u:0] address_%u,\n", width_of(m, PMUV3_ROLE_ADDRESS, p) - 1, p);
    fprintf(m->out, "  input wire [%u:0] data_%u,\n", device->ports[p].width - 1u, p);
  }
}

static void print_device(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  FILE *out = m->out;
  fprintf(out, "\n  // ---- The device: d_N is pin N of the description ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!is_port_pin(&device->pins[p])) continue;
    fprintf(out, "  wire [%u:0] d_%zu;\n", m->pins[p].width - 1, p);
    if (first_of_port(device, p) == p)
      fprintf(out, "  wire [%u:0] port_%zu;\n", m->pins[p].port_width - 1, p);
  }
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (!is_port_pin(pin)) continue;
    const size_t first = first_of_port(device, p);
    const unsigned lsb = m->pins[p].lsb, msb = lsb + m->pins[p].width - 1;
    if (pmuv3_role_is_input((enum pmuv3_role)pin->role))
      fprintf(out, "  assign port_%zu[%u:%u] = d_%zu;\n", first, msb, lsb, p);
    else
      fprintf(out, "  assign d_%zu = port_%zu[%u:%u];\n", p, first, msb, lsb);
  }
  fprintf(out, "  %s dut (", m->top);
  const char *between = "";
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!is_port_pin(&device->pins[p]) || first_of_port(device, p) != p) continue;
    fprintf(out, "%s.%s(port_%zu)", between, device->pins[p].name, p);
    between = ", ";
  }
  fprintf(out, ");\n");
}

/* ---- Defects that are planted into the miter's own model ---- */

static void print_plants(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  unsigned plant = 0;
  fprintf(m->out,
          "  wire [7:0] plant;\n"
          "  pmuv3_plant planted (.clk(clk), .reset(reset), .any(any_plant), "
          ".plant(plant));\n");
  for (size_t e = 0; e < device->num_events; e++)
    fprintf(m->out, "  wire planted_event_%zu = plant == %u;\n", e, ++plant);
  for (unsigned p = 0; p < device->num_ports; p++)
    fprintf(m->out, "  wire planted_write_%u = plant == %u;\n", p, ++plant);
}

/* ---- What drives the device ---- */

static void print_event_driver(const struct miter *m, size_t p) {
  const struct pmuv3_device_event *event = &m->device->events[m->device->pins[p].index];
  unsigned max = pmuv3_events_find(&m->device->params.events, event->number)->most;
  if (event->max && event->max < max) max = event->max;
  if (max >= (1u << m->pins[p].width) - 1)
    fprintf(m->out, "  assign d_%zu = reset ? 0 : pin_%zu;\n", p, p);
  else
    fprintf(m->out, "  assign d_%zu = reset ? 0 : pin_%zu > %u ? %u : pin_%zu;\n", p, p, max, max,
            p);
}

static void print_drivers(const struct miter *m) {
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

/* ---- States ---- */

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

static uint64_t on_pin(const struct miter *m, size_t p, const struct pmuv3_pe *pe) {
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
        fprintf(m->out, " && pin_%zu == %" PRIu64, pins[s], on_pin(m, pins[s], &pe));
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

static bool has_too_many_states(const struct miter *m, unsigned thread) {
  size_t pins[PMUV3_NUM_STATE_KEYS];
  uint8_t values[PMUV3_DEVICE_MAX_VALUES];
  const unsigned count = state_pins(m, thread, pins);
  uint64_t states = 1;
  for (unsigned s = 0; s < count && states <= MAX_STATES; s++)
    states *= values_of(m, pins[s], values);
  return states > MAX_STATES;
}

/* Bits of pe_t, the packed state of rtl/. */
static uint64_t packed(const struct pmuv3_pe *pe) {
  uint64_t packed = 0;
  unsigned lsb = 0;
#define PMUV3_PE_NUMBER(name, bits, text) packed |= (uint64_t)pe->name << lsb, lsb += (bits);
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
#define PMUV3_PE_MASK(name, bits, text) PMUV3_PE_NUMBER(name, bits, text)
#include "pmuv3/pe.def"
  return packed;
}

static unsigned pe_width(void) {
  unsigned width = 0;
#define PMUV3_PE_NUMBER(name, bits, text) width += (bits);
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
#define PMUV3_PE_MASK(name, bits, text) PMUV3_PE_NUMBER(name, bits, text)
#include "pmuv3/pe.def"
  return width;
}

static void place_key(enum pmuv3_state_key key, unsigned *lsb, unsigned *width) {
  unsigned at = 0;
#define PMUV3_PE_NUMBER(name, bits, text)                    \
  if (key == PMUV3_STATE_##name) *lsb = at, *width = (bits); \
  at += (bits);
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
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

static void print_states(const struct miter *m, unsigned thread) {
  const struct pmuv3_pe *reset = &m->device->pe[thread];
  size_t pins[PMUV3_NUM_STATE_KEYS];
  const unsigned count = state_pins(m, thread, pins);
  FILE *out = m->out;
  fprintf(out, "\n  // ---- The states of thread %u ----\n", thread);
  fprintf(out, "  reg [%u:0] pe_%u;\n  wire legal_%u = 0", pe_width() - 1, thread, thread);
  print_legal_states(m, thread, pins, count);
  fprintf(out, ";\n  always @* begin\n    pe_%u = %u'h%" PRIx64 ";\n", thread, pe_width(),
          packed(reset));
  for (unsigned s = 0; s < count; s++) {
    unsigned lsb = 0, width = 1;
    place_key(m->device->pins[pins[s]].index, &lsb, &width);
    fprintf(out, "    pe_%u[%u:%u] = ", thread, lsb + width - 1, lsb);
    print_mapped(m, pins[s]);
    fprintf(out, ";\n");
  }
  fprintf(out, "  end\n");
  for (unsigned s = 0; s < count; s++)
    fprintf(out, "  assign d_%zu = !reset && legal_%u ? pin_%zu : %" PRIu64 ";\n", pins[s], thread,
            pins[s], on_pin(m, pins[s], reset));
  fprintf(out,
          "  wire [%u:0] late_pe_%u;\n"
          "  pmuv3_delay #(%u, %u, %u'h%" PRIx64 ") delay_pe_%u (clk, reset, pe_%u, late_pe_%u);\n",
          pe_width() - 1, thread, pe_width(), latency(m->device, PMUV3_LATENCY_STATE), pe_width(),
          packed(reset), thread, thread, thread);
}

/* ---- Ports ---- */

static bool is_increment(const struct pmuv3_device_register *reg) {
  return !reg->is_page && profile_class(reg) == CLASS_INCREMENT;
}

/* What an address is: {writable, readable, increment, selects an event, page, halves, code, write,
 * read}. */
static void print_map(const struct miter *m, unsigned port) {
  const struct pmuv3_device *device = m->device;
  const unsigned width = width_of(m, PMUV3_ROLE_ADDRESS, port);
  fprintf(m->out, "  function [150:0] map_%u(input [%u:0] address);\n    case (address)\n", port,
          width - 1);
  for (size_t r = 0; r < device->num_registers; r++) {
    static const char *const halves[] = {"11", "01", "10"};
    const struct pmuv3_device_register *reg = &device->registers[r];
    if (reg->port != port) continue;
    fprintf(m->out,
            "      %u'h%" PRIx64
            ": map_%u = {1'b%d, 1'b%d, 1'b%d, 1'b%d, 1'b%d, 2'b%s, 16'h%x, "
            "64'h%" PRIx64 ", 64'h%" PRIx64 "};\n",
            width, reg->address, port, reg->write != 0 && device->ports[port].can_write,
            reg->read != 0, is_increment(reg),
            profile_class(reg) == CLASS_TYPE && reg->half != PMUV3_HIGH, reg->is_page,
            reg->is_page ? "11" : halves[reg->half], reg->is_page ? reg->offset : reg->reg,
            reg->write, reg->read);
  }
  fprintf(m->out, "      default: map_%u = 0;\n    endcase\n  endfunction\n", port);
}

/* A write that selects an event that the device does not have. */
static void print_absent(const struct miter *m, unsigned port) {
  const bool is_short = !pmuv3_has(&m->device->params, PMUV3_FEATURE_PMUv3p1);
  fprintf(m->out, "  wire absent_%u = 0", port);
  for (size_t e = 0; e < m->device->num_absent_events; e++)
    fprintf(m->out, " || data_%u[%u:0] == %u", port, is_short ? 9 : 15,
            m->device->absent_events[e]);
  fprintf(m->out, ";\n");
}

/* How many clocks lie between accesses, so that rtl/ has one in each clock. */
static unsigned quiet_clocks(const struct pmuv3_device *device, unsigned p) {
  const struct pmuv3_device_port *port = &device->ports[p];
  const unsigned write = latency(device, PMUV3_LATENCY_WRITE);
  const unsigned increment = latency(device, PMUV3_LATENCY_SWINC);
  const unsigned last = larger(write, increment);
  if (waits(port)) return last;
  const unsigned read = port->response - latency(device, PMUV3_LATENCY_READ);
  const unsigned first = write < increment ? write : increment;
  return larger(last, read) - (first < read ? first : read);
}

static void print_pin_or(const struct miter *m, enum pmuv3_role role, unsigned port,
                         const char *without) {
  size_t p;
  if (find_pin(m, role, port, &p))
    fprintf(m->out, "d_%zu", p);
  else
    fputs(without, m->out);
}

static void print_port_pins(const struct miter *m, unsigned port) {
  static const struct {
    enum pmuv3_role role;
    const char *value;
  } driven[] = {{PMUV3_ROLE_REQUEST, "request"},
                {PMUV3_ROLE_ENABLE, "enable"},
                {PMUV3_ROLE_WRITE, "is_write"},
                {PMUV3_ROLE_ADDRESS, "at"},
                {PMUV3_ROLE_DATA, "written"}};
  size_t p;
  for (size_t d = 0; d < sizeof driven / sizeof driven[0]; d++)
    if (find_pin(m, driven[d].role, port, &p))
      fprintf(m->out, "  assign d_%zu = %s_%u;\n", p, driven[d].value, port);
}

static void print_port_driver(const struct miter *m, unsigned p) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned address = width_of(m, PMUV3_ROLE_ADDRESS, p), data = port->width;
  FILE *out = m->out;
  print_map(m, p);
  print_absent(m, p);
  fprintf(out,
          "  wire [150:0] wanted_%u = map_%u(address_%u);\n"
          "  wire start_known_%u = start_%u && (write_%u ? wanted_%u[150] && !(wanted_%u[147] && "
          "absent_%u) : wanted_%u[149]);\n",
          p, p, p, p, p, p, p, p, p, p);
  fprintf(out, "  wire request_%u, enable_%u, accepted_%u, waits_%u, is_write_%u;\n", p, p, p, p,
          p);
  fprintf(out, "  wire [%u:0] at_%u;\n  wire [%u:0] written_%u;\n  wire [5:0] waited_%u;\n",
          address - 1, p, data - 1, p, p);
  fprintf(out,
          "  pmuv3_driver #(.APB(%d), .WAITS(%d), .QUIET(%u), .WIDTH(%u)) driver_%u (.clk(clk), "
          ".reset(reset),\n    .start(start_known_%u), .what({write_%u, address_%u, data_%u}), "
          ".ready(",
          port->is_apb, port->has_response, quiet_clocks(m->device, p), 1 + address + data, p, p, p,
          p, p);
  print_pin_or(m, PMUV3_ROLE_READY, p, "1'b1");
  fprintf(out, "), .response(");
  print_pin_or(m, PMUV3_ROLE_RESPONSE, p, "1'b1");
  fprintf(out,
          "),\n    .request(request_%u), .enable(enable_%u), .access({is_write_%u, at_%u, "
          "written_%u}),\n    .accepted(accepted_%u), .waits(waits_%u), .waited(waited_%u));\n",
          p, p, p, p, p, p, p, p);
  print_port_pins(m, p);
}

/* Delays `{valid, page, halves, code, data}` of writes. */
static void print_write(const struct miter *m, unsigned p, const char *name, const char *of,
                        unsigned clocks) {
  fprintf(m->out,
          "  wire [83:0] %s_%u;\n"
          "  pmuv3_delay #(84, %u) delay_%s_%u (clk, reset, {accepted_%u && is_write_%u && %s "
          "!planted_write_%u, map_at_%u[146:128], laid_%u}, %s_%u);\n",
          name, p, clocks, name, p, p, p, of, p, p, p, name, p);
}

/* Accesses of rtl/: writes and reads at their clocks. */
static void print_accesses(const struct miter *m, unsigned p) {
  const struct pmuv3_device *device = m->device;
  const struct pmuv3_device_port *port = &device->ports[p];
  const unsigned address = width_of(m, PMUV3_ROLE_ADDRESS, p);
  char increments[80], others[80];
  FILE *out = m->out;
  fprintf(out,
          "  wire [150:0] map_at_%u = map_%u(at_%u);\n"
          "  wire [63:0] bits_%u = written_%u & map_at_%u[127:64];\n"
          "  wire [63:0] laid_%u = map_at_%u[145:144] == 2'b10 ? bits_%u << 32 : bits_%u;\n",
          p, p, p, p, p, p, p, p, p, p);
  snprintf(increments, sizeof increments, "map_at_%u[148] &&", p);
  snprintf(others, sizeof others, "!map_at_%u[148] &&", p);
  print_write(m, p, "increment", increments, latency(device, PMUV3_LATENCY_SWINC));
  print_write(m, p, "change", others, latency(device, PMUV3_LATENCY_WRITE));
  fprintf(out, "  wire [%u:0] read_%u;\n", address, p);
  if (waits(port))
    fprintf(out, "  assign read_%u = {(request_%u || waits_%u) && !is_write_%u, at_%u};\n", p, p, p,
            p, p);
  else
    fprintf(out,
            "  pmuv3_delay #(%u, %u) delay_read_%u (clk, reset, {accepted_%u && !is_write_%u, "
            "at_%u}, read_%u);\n",
            address + 1, port->response - latency(device, PMUV3_LATENCY_READ), p, p, p, p, p);
  fprintf(out,
          "  wire [150:0] map_read_%u = map_%u(read_%u[%u:0]);\n"
          "  wire [83:0] acts_%u = increment_%u[83] ? increment_%u : change_%u;\n"
          "  wire does_write_%u = acts_%u[83];\n"
          "  wire does_read_%u = read_%u[%u] && !does_write_%u;\n"
          "  wire [18:0] reg_%u = does_write_%u ? acts_%u[82:64] : map_read_%u[146:128];\n"
          "  wire page_%u = reg_%u[18];\n",
          p, p, p, address - 1, p, p, p, p, p, p, p, p, address, p, p, p, p, p, p, p);
}

/* What rtl/ answers, and whether the device answers the same. */
static void print_answers(const struct miter *m, unsigned p) {
  const struct pmuv3_device *device = m->device;
  const struct pmuv3_device_port *port = &device->ports[p];
  const unsigned address = width_of(m, PMUV3_ROLE_ADDRESS, p), thread = port->thread;
  const unsigned data = port->width, reads = latency(device, PMUV3_LATENCY_READ);
  size_t value = 0, error = 0;
  FILE *out = m->out;
  find_pin(m, PMUV3_ROLE_VALUE, p, &value);
  fprintf(out, "\n  // ---- Answers of port %u ----\n", p);
  fprintf(out,
          "  wire [63:0] whole_%u = page_%u ? {32'b0, prdata} : rdata[%u+:64];\n"
          "  wire [%u:0] half_%u = reg_%u[17:16] == 2'b10 ? whole_%u >> 32 : whole_%u;\n",
          p, p, 64 * thread, data - 1, p, p, p, p);
  if (port->is_checked)
    fprintf(out, "  wire fails_%u = page_%u ? pslverr : result[%u+:3] != 0;\n", p, p, 3 * thread);
  else
    fprintf(out, "  wire fails_%u = page_%u && pslverr;\n", p, p);
  fprintf(out,
          "  wire [%u:0] sample_%u;  // {valid, fails, address, value}\n"
          "  pmuv3_delay #(%u, %u) delay_sample_%u (clk, reset, {does_read_%u, fails_%u, "
          "read_%u[%u:0], half_%u}, sample_%u);\n",
          data + address + 1, p, data + address + 2, reads, p, p, p, p, address - 1, p, p);
  fprintf(out, "  wire answered_%u = ", p);
  if (port->is_apb)
    fprintf(out, "accepted_%u && !is_write_%u;\n", p, p);
  else if (port->has_response) {
    fprintf(out, "waits_%u && ", p);
    print_pin_or(m, PMUV3_ROLE_RESPONSE, p, "1'b1");
    fprintf(out, ";\n");
  } else
    fprintf(out, "sample_%u[%u];\n", p, data + address + 1);
  fprintf(out,
          "  wire [150:0] map_sample_%u = map_%u(sample_%u[%u:%u]);\n"
          "  wire early_%u = answered_%u && !sample_%u[%u];\n"
          "  wire compares_%u = answered_%u && !early_%u && !sample_%u[%u];\n"
          "  wire differs_value_%u = compares_%u && |((d_%zu ^ sample_%u[%u:0]) & "
          "map_sample_%u[%u:0]);\n",
          p, p, p, data + address - 1, data, p, p, p, data + address + 1, p, p, p, p,
          data + address, p, p, value, p, data - 1, p, data - 1);
  fprintf(out, "  wire differs_error_%u = ", p);
  if (find_pin(m, PMUV3_ROLE_ERROR, p, &error))
    fprintf(out, "answered_%u && d_%zu != sample_%u[%u]", p, error, p, data + address);
  else
    fprintf(out, "0");
  if (port->has_error && !port->has_response) {
    const unsigned writes = latency(device, PMUV3_LATENCY_WRITE);
    const unsigned later = larger(port->response, writes);
    fprintf(out,
            " || failed_%u[1] && failed_%u[0] != late_error_%u;\n"
            "  wire [1:0] failed_%u;\n  wire late_error_%u;\n"
            "  pmuv3_delay #(2, %u) delay_failed_%u (clk, reset, {change_%u[83] && "
            "!increment_%u[83], fails_%u}, failed_%u);\n"
            "  pmuv3_delay #(1, %u) delay_error_%u (clk, reset, d_%zu, late_error_%u)",
            p, p, p, p, p, later - writes, p, p, p, p, p, later - port->response, p, error, p);
  }
  fprintf(out, ";\n  wire hangs_%u = &waited_%u;\n", p, p);
}

static void print_port(const struct miter *m, unsigned p) {
  fprintf(m->out, "\n  // ---- Port %u ----\n", p);
  print_port_driver(m, p);
  print_accesses(m, p);
}

/* ---- Events ---- */

static void print_late_events(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  size_t enable = 0;
  const bool has_enable = find_pin(m, PMUV3_ROLE_CLOCK_ENABLE, 0, &enable) != NULL;
  char gate[40] = "1'b1";
  if (has_enable) snprintf(gate, sizeof gate, "d_%zu", enable);
  fprintf(m->out, "\n  // ---- Events ----\n  wire cycle;\n");
  fprintf(m->out, "  pmuv3_delay #(1, %u) delay_cycle (clk, reset, %s, cycle);\n",
          latency(device, PMUV3_LATENCY_CLOCK), gate);
  for (size_t p = 0; p < device->num_pins; p++) {
    if (device->pins[p].role != PMUV3_ROLE_EVENT) continue;
    fprintf(m->out,
            "  wire [%u:0] late_%zu;\n"
            "  pmuv3_delay #(%u, %u) delay_event_%zu (clk, reset, %s && !planted_event_%u ? d_%zu "
            ": %u'd0, late_%zu);\n",
            m->pins[p].width - 1, p, m->pins[p].width,
            device->events[device->pins[p].index].latency, p, gate, device->pins[p].index, p,
            m->pins[p].width, p);
  }
}

/* The occurrences of an event on a thread, of one origin: the sum of its pins, at most `most`. */
static void print_sum(const struct miter *m, const struct pmuv3_event *event, unsigned thread,
                      unsigned origin, unsigned lsb) {
  const struct pmuv3_device *device = m->device;
  bool any = false;
  for (size_t p = 0; p < device->num_pins; p++) {
    if (device->pins[p].role != PMUV3_ROLE_EVENT) continue;
    const struct pmuv3_device_event *of = &device->events[device->pins[p].index];
    if (of->number != event->number || of->thread != thread || of->origin != origin) continue;
    if (any)
      fprintf(m->out, " + late_%zu", p);
    else
      fprintf(m->out, "  wire [15:0] sum_%u = late_%zu", lsb, p);
    any = true;
  }
  if (any)
    fprintf(m->out, ";\n  assign occurrence[%u+:8] = sum_%u > %u ? %u : sum_%u;\n", lsb, lsb,
            event->most, event->most, lsb);
  else
    fprintf(m->out, "  assign occurrence[%u+:8] = 0;\n", lsb);
}

static void print_events(const struct miter *m) {
  const struct pmuv3_events *events = &m->device->params.events;
  const unsigned threads = m->device->params.threads, count = num_inputs(m->device);
  unsigned row = 0;
  print_late_events(m);
  fprintf(m->out, "  wire [%u:0] occurrence;\n  wire [%u:0] events;\n",
          32 * threads * larger(count, 1) - 1, 22 * larger(count, 1) - 1);
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if (event->event_class == PMUV3_EVENT_CLASS_SELF) continue;
    const unsigned sync = (event->traits & PMUV3_EVENT_TRAIT_SYNC) != 0;
    fprintf(m->out, "  assign events[%u+:22] = {1'd%u, 2'd%u, 3'd%u, 16'h%x};\n", 22 * row, sync,
            event->attribution, event->event_class, event->number);
    for (unsigned t = 0; t < threads; t++)
      for (unsigned origin = 0; origin < 4; origin++)
        print_sum(m, event, t, origin, 32 * (threads * row + t) + 8 * origin);
    row++;
  }
  if (row == 0) fprintf(m->out, "  assign events = 0;\n  assign occurrence = 0;\n");
}

/* ---- rtl/ ---- */

static void print_lower(FILE *out, const char *name) {
  for (; *name; name++) fputc(tolower((unsigned char)*name), out);
}

static void print_configuration(const struct miter *m) {
  const struct pmuv3_params *params = &m->device->params;
  fprintf(m->out, "\n  // ---- rtl/ ----\n  pmuv3_pkg::config_t cfg;\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  fprintf(m->out, "  assign cfg." #name " = 64'h%" PRIx64 ";\n", (uint64_t)params->name);
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  fprintf(m->out, "  assign cfg." #id " = %u;\n", params->id);
#include "pmuv3/params.def"
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    fprintf(m->out, "  assign cfg.feat_");
    print_lower(m->out, pmuv3_feature_name((enum pmuv3_feature)f));
    fprintf(m->out, " = %d;\n", pmuv3_has(params, (enum pmuv3_feature)f));
  }
}

/* A concatenation of a value of each thread, thread 0 lowest. `format` takes the port, or the
 * thread if `by_port` is false. */
static void print_threads(const struct miter *m, const char *format, bool by_port,
                          const char *without) {
  fputc('{', m->out);
  for (unsigned t = m->device->params.threads; t-- > 0;) {
    const int port = port_of_thread(m->device, t);
    if (by_port && port == NONE)
      fputs(without, m->out);
    else
      fprintf(m->out, format, by_port ? (unsigned)port : t);
    if (t) fputs(", ", m->out);
  }
  fputc('}', m->out);
}

static void print_concat(const struct miter *m, const char *name, const char *format,
                         const char *without) {
  fprintf(m->out, ",\n    .%s(", name);
  print_threads(m, format, true, without);
  fprintf(m->out, ")");
}

static bool has_page(const struct pmuv3_device *device, unsigned port) {
  for (size_t r = 0; r < device->num_registers; r++)
    if (device->registers[r].port == port && device->registers[r].is_page) return true;
  return false;
}

/* Accesses of the page. rtl/ wants {pnse, pprot[1]} for an address space. */
static void print_page(const struct miter *m) {
  static const unsigned spaces[] = {1, 0, 3, 2}; /* NS, S, RL, RT */
  const struct pmuv3_device *device = m->device;
  unsigned p = 0;
  while (p < device->num_ports && !has_page(device, p)) p++;
  if (p == device->num_ports) {
    fprintf(m->out,
            ",\n    .psel_i(1'b0), .penable_i(1'b0), .pwrite_i(1'b0), .paddr_i(14'b0), "
            ".pnse_i(1'b0), .pprot_i(3'b0), .pwdata_i(32'b0)");
    return;
  }
  const unsigned space = spaces[device->ports[p].ss & 3];
  fprintf(m->out,
          ",\n    .psel_i(page_%u && (does_write_%u || does_read_%u)), .penable_i(1'b1), "
          ".pwrite_i(does_write_%u), .paddr_i({2'd%u, reg_%u[11:0]}), .pnse_i(1'b%u), "
          ".pprot_i({1'b0, 1'b%u, 1'b0}), .pwdata_i(acts_%u[31:0])",
          p, p, p, p, device->ports[p].thread, p, space >> 1, space & 1, p);
}

static void each_raised(const struct miter *m,
                        void (*print)(const struct miter *, const char *, unsigned)) {
  char name[120];
  unsigned number = 0;
  for (unsigned t = 0; t < m->device->params.threads; t++) {
    for (unsigned n = 0; n < larger(m->device->params.counters, 1); n++) {
      snprintf(name, sizeof name, "g_thread[%u].u_thread.g_lane[%u].u_overflow.raised", t, n);
      print(m, name, number++);
    }
    snprintf(name, sizeof name, "g_thread[%u].u_thread.u_cycle_counter.raised", t);
    print(m, name, number++);
    snprintf(name, sizeof name, "g_thread[%u].u_thread.u_instruction_counter.raised", t);
    print(m, name, number++);
  }
}

static void print_raised_pin(const struct miter *m, const char *name, unsigned number) {
  fprintf(m->out, ",\n    .\\%s (raised_%u), .\\%s.i (late_raised_%u)", name, number, name, number);
}

static void print_raised_delay(const struct miter *m, const char *name, unsigned number) {
  (void)name;
  fprintf(m->out,
          "  wire raised_%u, late_raised_%u;\n"
          "  pmuv3_delay #(1, %u) delay_raised_%u (clk, reset, raised_%u, late_raised_%u);\n",
          number, number, latency(m->device, PMUV3_LATENCY_FLAG), number, number, number);
}

static void print_rtl(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  const unsigned threads = device->params.threads, lanes = larger(device->params.counters, 1);
  FILE *out = m->out;
  print_configuration(m);
  fprintf(out,
          "  wire [%u:0] rdata;\n  wire [%u:0] result;\n  wire [31:0] prdata;\n  wire pslverr;\n",
          64 * threads - 1, 3 * threads - 1);
  fprintf(out, "  wire [%u:0] irq, cti;\n  wire [%u:0] exception;\n", threads - 1, 4 * threads - 1);
  fprintf(out,
          "  wire [%u:0] value, evtyper;\n  wire [%u:0] cycles, instructions;\n  wire [%u:0] "
          "overflow;\n"
          "  wire [%u:0] fixed;\n",
          64 * threads * lanes - 1, 64 * threads - 1, threads * lanes - 1, 2 * threads - 1);
  each_raised(m, print_raised_delay);
  fprintf(out,
          "  pmuv3 rtl (.clk_i(clk), .rst_ni(!reset), .rst_cold_ni(!reset), .cfg_i(cfg), "
          ".events_i(events), .cycle_i(cycle),\n    .pe_i(");
  print_threads(m, "late_pe_%u", false, "");
  fprintf(out,
          "), .other_i(%u'b0), .occurrence_i(occurrence), .pclken_i(1'b1), .pstrb_i(4'b1111), "
          ".capture_i(%u'b0)",
          5 * threads, threads);
  print_concat(m, "reg_write_i", "!page_%1$u && does_write_%1$u", "1'b0");
  print_concat(m, "reg_read_i", "!page_%1$u && does_read_%1$u", "1'b0");
  fprintf(out, ",\n    .reg_checked_i({");
  for (unsigned t = threads; t-- > 0;) {
    const int port = port_of_thread(device, t);
    fprintf(out, "1'b%d%s", port != NONE && device->ports[port].is_checked, t ? ", " : "");
  }
  fprintf(out, "})");
  print_concat(m, "reg_addr_i", "reg_%u[15:0]", "16'b0");
  print_concat(m, "reg_wdata_i", "acts_%u[63:0]", "64'b0");
  print_page(m);
  fprintf(out,
          ",\n    .reg_rdata_o(rdata), .reg_result_o(result), .prdata_o(prdata), "
          ".pslverr_o(pslverr), .irq_o(irq), .cti_o(cti), .exception_o(exception)");
  fprintf(out,
          ",\n    .probe_value_o(value), .probe_evtyper_o(evtyper), .probe_overflow_o(overflow), "
          ".probe_pmccntr_o(cycles), "
          ".probe_pmicntr_o(instructions), .probe_fixed_overflow_o(fixed)");
  for (unsigned t = 0; t < threads; t++) {
    const int port = port_of_thread(device, t);
    fprintf(out, ",\n    .\\g_thread[%u].u_thread.u_access.halves (", t);
    if (port == NONE)
      fprintf(out, "2'b11)");
    else
      fprintf(out, "does_write_%d ? reg_%d[17:16] : 2'b11)", port, port);
  }
  each_raised(m, print_raised_pin);
  fprintf(out, ");\n");
}

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
  print_output(m, p, of, latency(m->device, PMUV3_LATENCY_INTERRUPT));
  fprintf(m->out, "  wire differs_%zu = aged_%zu && (%sd_%zu) != expected_%zu;\n", p, p,
          width == 1 && pin->value == 0 ? "!" : "", p, p);
}

/* Internals: s_N is the signal that the description shows. */
static void print_internal(const struct miter *m, size_t p) {
  const struct pmuv3_pin *pin = &m->device->pins[p];
  const unsigned t = pin->thread, n = pin->index, lanes = larger(m->device->params.counters, 1);
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
  print_output(m, p, of, latency(m->device, PMUV3_LATENCY_VISIBLE));
  fprintf(m->out, "  wire differs_%zu = aged_%zu && s_%zu != expected_%zu;\n", p, p, p, p);
}

static bool is_compared(const struct pmuv3_pin *pin) {
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

static void print_comparisons(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out, "\n  // ---- Comparisons ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role == PMUV3_ROLE_IRQ) print_interrupt(m, p, "irq", 1);
    if (pin->role == PMUV3_ROLE_CTI) print_interrupt(m, p, "cti", 1);
    if (pin->role == PMUV3_ROLE_EXCEPTION) print_interrupt(m, p, "exception", 4);
    if (is_compared(pin) && !is_port_pin(pin)) print_internal(m, p);
  }
  fprintf(m->out, "  assign differs = !reset && (0");
  for (size_t p = 0; p < device->num_pins; p++)
    if (is_compared(&device->pins[p])) fprintf(m->out, " || differs_%zu", p);
  for (unsigned p = 0; p < device->num_ports; p++)
    fprintf(m->out, " || early_%u || hangs_%u || differs_value_%u || differs_error_%u", p, p, p, p);
  fprintf(m->out, ");\n");
}

/* ---- Hints ---- */

/* What rtl/ keeps of each counter's event, from the number. Equal nodes on both sides become one,
 * so these nodes save the search an invariant. Nothing is assumed of them. */
static void print_hints(const struct miter *m) {
  const struct pmuv3_events *events = &m->device->params.events;
  const unsigned lanes = larger(m->device->params.counters, 1);
  static const struct {
    uint16_t number;
    unsigned index, sync;
  } own[] = {{PMUV3_EVENT_SW_INCR, 0, 1},
             {PMUV3_EVENT_CPU_CYCLES, 1, 0},
             {PMUV3_EVENT_CHAIN, 2, 0},
             {PMUV3_EVENT_PMU_SNAPSHOT, 3, 0}};
  unsigned row = 0;
  fprintf(m->out, "  function [14:0] hint(input [15:0] number);\n    case (number)\n");
  for (unsigned e = 0; e < sizeof own / sizeof own[0]; e++)
    fprintf(m->out, "      16'h%x: hint = {1'd%u, 1'd%u, 2'd0, 3'd0, 8'd%u};\n", own[e].number,
            own[e].index == 2, own[e].sync, own[e].index);
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if (event->event_class == PMUV3_EVENT_CLASS_SELF) continue;
    fprintf(m->out, "      16'h%x: hint = {1'd0, 1'd%d, 2'd%u, 3'd%u, 8'd%u};\n", event->number,
            (event->traits & PMUV3_EVENT_TRAIT_SYNC) != 0, event->attribution, event->event_class,
            row++);
  }
  fprintf(m->out, "      default: hint = 4;\n    endcase\n  endfunction\n");
  for (unsigned n = 0; n < lanes * m->device->params.threads; n++) {
    fprintf(m->out, "  wire [14:0] hint_%u = hint(evtyper[%u+:16]);\n", n, 64 * n);
    fprintf(m->out, "  assign hints[%u+:17] = {hint_%u[12:11] == 3, |hint_%u[12:11], hint_%u};\n",
            17 * n, n, n, n);
  }
}

/* ---- What a counterexample shows ---- */

/* Declares t_0, t_1... or assigns them. */
static void print_trace(const struct miter *m, bool declares) {
  static const struct {
    const char *format;
    enum pmuv3_role role; /* whose width it has */
  } of_port[] = {{"request_%1$u && !enable_%1$u", PMUV3_ROLE_REQUEST},
                 {"is_write_%1$u", PMUV3_ROLE_REQUEST},
                 {"at_%1$u", PMUV3_ROLE_ADDRESS},
                 {"written_%1$u", PMUV3_ROLE_DATA}};
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
                                                    : width_of(m, of_port[o].role, p)) -
                    1,
                t);
        continue;
      }
      fprintf(m->out, "  assign t_%u = ", t);
      fprintf(m->out, of_port[o].format, p);
      fprintf(m->out, ";\n");
    }
}

/* ---- What must be reached ---- */

/* What must be reached, else the proof says nothing of it: each comparison, and the refutation of
 * each defect that is planted into the miter's own model. */
static void print_witnesses(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  unsigned count = 0;
  char text[128], name[40];
  FILE *out = m->out;
  fprintf(out, "\n  // ---- What must be reached ----\n");
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    pmuv3_pin_text(pin, text, sizeof text);
    if (pin->role == PMUV3_ROLE_EVENT)
      fprintf(out,
              "  assign reached[%u] = differs && planted_event_%u; // defect: %s does not count\n",
              count++, pin->index, text);
    if (pin->role == PMUV3_ROLE_STATE)
      fprintf(out,
              "  assign reached[%u] = plant == 0 && d_%zu != %" PRIu64 "; // another value of %s\n",
              count++, p, on_pin(m, p, &device->pe[pin->thread]), text);
    if (is_compared(pin) && is_port_pin(pin))
      fprintf(out, "  assign reached[%u] = plant == 0 && aged_%zu && |expected_%zu; // %s is 1\n",
              count++, p, p, text);
  }
  for (unsigned p = 0; p < device->num_ports; p++)
    if (device->ports[p].can_write)
      fprintf(
          out,
          "  assign reached[%u] = differs && planted_write_%u; // defect: port %u does not write\n",
          count++, p, p);
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const unsigned data = device->ports[reg->port].width;
    const unsigned address = width_of(m, PMUV3_ROLE_ADDRESS, reg->port);
    if (!reg->read) continue;
    fprintf(out,
            "  assign reached[%u] = plant == 0 && compares_%u && sample_%u[%u:%u] == %u'h%" PRIx64
            "; // a read of %s\n",
            count++, reg->port, reg->port, data + address - 1, data, address, reg->address,
            pmuv3_device_register_name(reg, name));
  }
}

static unsigned num_witnesses(const struct pmuv3_device *device) {
  unsigned count = 0;
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    count += pin->role == PMUV3_ROLE_EVENT || pin->role == PMUV3_ROLE_STATE ||
             (is_compared(pin) && is_port_pin(pin));
  }
  for (unsigned p = 0; p < device->num_ports; p++) count += device->ports[p].can_write;
  for (size_t r = 0; r < device->num_registers; r++) count += device->registers[r].read != 0;
  return count;
}

bool miter_print(FILE *out, const struct pmuv3_device *device, const char *top,
                 const struct miter_pin *pins) {
  const struct miter miter = {out, device, top, pins};
  for (unsigned t = 0; t < device->params.threads; t++)
    if (has_too_many_states(&miter, t)) return false;
  fprintf(out, "// Written by pmuv3-check-glue.\n");
  print_inputs(&miter);
  print_trace(&miter, true);
  for (size_t p = 0; p < device->num_pins; p++)
    if (!is_port_pin(&device->pins[p]) && is_compared(&device->pins[p]))
      fprintf(out, "  input wire [%u:0] s_%zu,\n", pins[p].width - 1, p);
  fprintf(out,
          "  output wire differs,\n  output wire [%u:0] hints,\n  output wire [%u:0] reached\n);\n",
          17 * device->params.threads * larger(device->params.counters, 1) - 1,
          larger(num_witnesses(device), 1) - 1);
  print_plants(&miter);
  print_device(&miter);
  print_drivers(&miter);
  for (unsigned t = 0; t < device->params.threads; t++) print_states(&miter, t);
  for (unsigned p = 0; p < device->num_ports; p++) print_port(&miter, p);
  print_events(&miter);
  print_rtl(&miter);
  for (unsigned p = 0; p < device->num_ports; p++) print_answers(&miter, p);
  print_comparisons(&miter);
  print_hints(&miter);
  print_trace(&miter, false);
  print_witnesses(&miter);
  fprintf(out, "endmodule\n");
  return true;
}
