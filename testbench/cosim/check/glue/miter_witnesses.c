/* Of the miter: planted defects, and what must be reached, else a proof says nothing. */
#include <inttypes.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/glue/miter_internal.h"

/* ---- Planted defects ---- */

/* Defects that the proof must refute: one of each input and each output. The wire planted_NAME_OF
 * is 1 if the defect is planted, and `when` it shows. `use` gets them in their order, from 1; 0:
 * the device cannot have this defect. */
struct defects {
  const struct miter *m;
  void (*use)(const struct miter *m, unsigned number, const char *wire, const char *when,
              const char *text);
  unsigned count;
};

/* `text` is NULL if the device cannot have the defect. */
static void add(struct defects *defects, const char *name, size_t of, const char *when,
                const char *text) {
  char wire[40], shows[80] = "";
  snprintf(wire, sizeof wire, "planted_%s_%zu", name, of);
  if (when) snprintf(shows, sizeof shows, " && %s_%zu", when, of);
  defects->use(defects->m, text ? ++defects->count : 0, wire, shows, text);
}

static bool can_read(const struct pmuv3_device *device, unsigned port) {
  for (size_t r = 0; r < device->num_registers; r++)
    if (device->registers[r].port == port && device->registers[r].read) return true;
  return false;
}

/* A read that waits for a pin. */
static bool can_hang(const struct pmuv3_device *device, unsigned port) {
  return can_read(device, port) &&
         (device->ports[port].has_ready || device->ports[port].has_response);
}

/* How many clocks an answer in the clock that comes first is too early: rtl/ has the value as many
 * clocks after the request as reads have latency. */
static unsigned earliness(const struct pmuv3_device *device, unsigned port) {
  const unsigned soonest = device->ports[port].is_apb;
  const unsigned latency = miter_latency(device, PMUV3_LATENCY_READ);
  const bool waits = can_hang(device, port) && miter_waits(&device->ports[port]);
  return waits && latency > soonest ? latency - soonest : 0;
}

static bool has_two_registers(const struct pmuv3_device *device, unsigned port) {
  unsigned count = 0;
  for (size_t r = 0; r < device->num_registers; r++) count += device->registers[r].port == port;
  return count > 1;
}

/* The value of the read before is still on its way when the next read is answered. */
static bool can_be_stale(const struct pmuv3_device *device, unsigned port) {
  return earliness(device, port) > miter_quiet_clocks(device, port) &&
         has_two_registers(device, port);
}

static void add_of_pins(struct defects *defects) {
  const struct pmuv3_device *device = defects->m->device;
  char name[128], text[160];
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    pmuv3_pin_text(pin, name, sizeof name);
    snprintf(text, sizeof text, "%s does not count", name);
    if (pin->role == PMUV3_ROLE_EVENT) add(defects, "event", pin->index, NULL, text);
    snprintf(text, sizeof text, "%s is inverted", name);
    if (miter_is_compared(pin)) add(defects, "pin", p, NULL, text);
  }
}

static void add_of_port(struct defects *defects, unsigned p) {
  const struct pmuv3_device *device = defects->m->device;
  const struct pmuv3_device_port *port = &device->ports[p];
  const bool reads = can_read(device, p);
  static const struct {
    const char *name, *when, *text;
  } rows[] = {{"write", NULL, "does not write"},
              {"value", NULL, "reads inverted values"},
              {"error", "answered", "ends reads wrongly"},
              {"fault", "ends_write", "ends writes wrongly"},
              {"early", "early", "answers too early"},
              {"stale", "stale", "answers with the last value"},
              {"hang", "hangs", "never answers"}};
  const bool is_there[] = {port->can_write,          reads,
                           reads && port->has_error, miter_compares_fault(port),
                           earliness(device, p) > 0, can_be_stale(device, p),
                           can_hang(device, p)};
  char text[80];
  for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    snprintf(text, sizeof text, "port %u %s", p, rows[r].text);
    add(defects, rows[r].name, p, rows[r].when, is_there[r] ? text : NULL);
  }
}

static unsigned each_defect(const struct miter *m,
                            void (*use)(const struct miter *, unsigned, const char *, const char *,
                                        const char *)) {
  struct defects defects = {m, use, 0};
  add_of_pins(&defects);
  for (unsigned p = 0; p < m->device->num_ports; p++) add_of_port(&defects, p);
  return defects.count;
}

static void print_plant(const struct miter *m, unsigned number, const char *wire, const char *when,
                        const char *text) {
  (void)when;
  (void)text;
  if (number)
    fprintf(m->out, "  wire %s = plant == %u;\n", wire, number);
  else
    fprintf(m->out, "  wire %s = 0;\n", wire);
}

void miter_print_plants(const struct miter *m) {
  fprintf(m->out,
          "  wire [15:0] plant;\n"
          "  pmuv3_plant planted (.clk(clk), .reset(reset), .any(any_plant), .plant(plant));\n");
  each_defect(m, print_plant);
}

/* ---- What must be reached ---- */

static void print_refutation(const struct miter *m, unsigned number, const char *wire,
                             const char *when, const char *text) {
  if (number)
    fprintf(m->out, "  assign reached[%u] = differs && %s%s; // defect: %s\n", number - 1, wire,
            when, text);
}

static bool is_output(const struct pmuv3_pin *pin) {
  return miter_is_compared(pin) && miter_is_port_pin(pin);
}

static unsigned print_pins(const struct miter *m, unsigned count) {
  const struct pmuv3_device *device = m->device;
  char text[128];
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    pmuv3_pin_text(pin, text, sizeof text);
    if (pin->role == PMUV3_ROLE_STATE)
      fprintf(m->out,
              "  assign reached[%u] = plant == 0 && d_%zu != %" PRIu64 "; // another value of %s\n",
              count++, p, miter_on_pin(m, p, &device->pe[pin->thread]), text);
    if (is_output(pin))
      fprintf(m->out,
              "  assign reached[%u] = plant == 0 && aged_%zu && |expected_%zu; // %s is 1\n",
              count++, p, p, text);
  }
  return count;
}

static unsigned print_reads(const struct miter *m, unsigned count) {
  const struct pmuv3_device *device = m->device;
  char name[40];
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const unsigned data = device->ports[reg->port].width;
    const unsigned address = miter_width_of(m, PMUV3_ROLE_ADDRESS, reg->port);
    if (!reg->read) continue;
    fprintf(m->out,
            "  assign reached[%u] = plant == 0 && compares_%u && sample_%u[%u:%u] == %u'h%" PRIx64
            "; // a read of %s\n",
            count++, reg->port, reg->port, data + address - 1, data, address, reg->address,
            pmuv3_device_register_name(reg, name));
  }
  return count;
}

/* Each comparison, and the refutation of each planted defect. */
void miter_print_witnesses(const struct miter *m) {
  fprintf(m->out, "\n  // ---- What must be reached ----\n");
  const unsigned defects = each_defect(m, print_refutation);
  print_reads(m, print_pins(m, defects));
}

static void use_none(const struct miter *m, unsigned number, const char *wire, const char *when,
                     const char *text) {
  (void)m;
  (void)number;
  (void)wire;
  (void)when;
  (void)text;
}

unsigned miter_num_witnesses(const struct miter *m) {
  unsigned count = each_defect(m, use_none);
  for (size_t p = 0; p < m->device->num_pins; p++)
    count += m->device->pins[p].role == PMUV3_ROLE_STATE || is_output(&m->device->pins[p]);
  for (size_t r = 0; r < m->device->num_registers; r++) count += m->device->registers[r].read != 0;
  return count;
}
