/* Of the miter: ports, whose accesses both the device and rtl/ get, and the answers. */
#include "testbench/cosim/check/glue/miter_internal.h"

#include <inttypes.h>

#include "testbench/cosim/check/bench/profile.h"

/* ---- Ports ---- */

static bool is_increment(const struct pmuv3_device_register *reg) {
  return !reg->is_page && profile_class(reg) == CLASS_INCREMENT;
}

/* What an address is: {a register's, rtl/ takes a write, rtl/ says how a read ends, increment,
 * page, halves, code, write, read}. */
static void print_map(const struct miter *m, unsigned port) {
  const struct pmuv3_device *device = m->device;
  const unsigned width = miter_width_of(m, PMUV3_ROLE_ADDRESS, port);
  fprintf(m->out, "  function [150:0] map_%u(input [%u:0] address);\n    case (address)\n", port,
          width - 1);
  for (size_t r = 0; r < device->num_registers; r++) {
    static const char *const halves[] = {"11", "01", "10"};
    const struct pmuv3_device_register *reg = &device->registers[r];
    if (reg->port != port) continue;
    fprintf(m->out,
            "      %u'h%" PRIx64
            ": map_%u = {1'b1, 1'b%d, 1'b%d, 1'b%d, 1'b%d, 2'b%s, 16'h%x, "
            "64'h%" PRIx64 ", 64'h%" PRIx64 "};\n",
            width, reg->address, port, reg->is_written, reg->is_read, is_increment(reg),
            reg->is_page, reg->is_page ? "11" : halves[reg->half],
            reg->is_page ? reg->offset : reg->reg, reg->write, reg->read);
  }
  fprintf(m->out, "      default: map_%u = 0;\n    endcase\n  endfunction\n", port);
}

/* The condition of a write of the register with data that a bar has. */
static void print_bar(const struct miter *m, const struct pmuv3_device_register *reg,
                      const struct profile_bar *bar) {
  static const char *const than[] = {[BAR_BELOW] = "<", [BAR_EQUAL] = "==", [BAR_ABOVE] = ">"};
  fprintf(m->out, "\n      || address_%u == %u'h%" PRIx64 " && (data_%u[15:0] & 16'h%x) %s %u",
          reg->port, miter_width_of(m, PMUV3_ROLE_ADDRESS, reg->port), reg->address, reg->port,
          (unsigned)bar->bits, than[bar->than], bar->number);
}

/* A write that no stimulus has. */
static void print_barred(const struct miter *m, unsigned port) {
  const struct pmuv3_device *device = m->device;
  struct profile_bar bars[PROFILE_MAX_BARS];
  fprintf(m->out, "  wire barred_%u = 0", port);
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const unsigned count = reg->port == port ? profile_bars(device, reg, bars) : 0;
    for (unsigned b = 0; b < count; b++) print_bar(m, reg, &bars[b]);
  }
  fprintf(m->out, ";\n");
}

unsigned miter_quiet_clocks(const struct pmuv3_device *device, unsigned p) {
  const struct pmuv3_device_port *port = &device->ports[p];
  const unsigned write = miter_latency(device, PMUV3_LATENCY_WRITE);
  const unsigned increment = miter_latency(device, PMUV3_LATENCY_SWINC);
  const unsigned last = miter_larger(write, increment);
  if (miter_waits(port)) return last;
  const unsigned read = port->response - miter_latency(device, PMUV3_LATENCY_READ);
  const unsigned first = write < increment ? write : increment;
  return miter_larger(last, read) - (first < read ? first : read);
}

static void print_pin_or(const struct miter *m, enum pmuv3_role role, unsigned port,
                         const char *without) {
  size_t p;
  if (miter_find_pin(m, role, port, &p))
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
                {PMUV3_ROLE_WRITE, "pin_write"},
                {PMUV3_ROLE_ADDRESS, "pin_address"},
                {PMUV3_ROLE_DATA, "pin_data"}};
  size_t p;
  for (size_t d = 0; d < sizeof driven / sizeof driven[0]; d++)
    if (miter_find_pin(m, driven[d].role, port, &p))
      fprintf(m->out, "  assign d_%zu = %s_%u;\n", p, driven[d].value, port);
}

/* What ends a read: a pin. If a defect is planted into it, the read never ends, or too early. */
static void print_end(const struct miter *m, const char *name, enum pmuv3_role role, unsigned p,
                      bool has_defects) {
  fprintf(m->out, "  wire %s_%u = ", name, p);
  if (has_defects)
    fprintf(m->out,
            "!(planted_hang_%u && !is_write_%u) && ((planted_early_%u || planted_stale_%u) && "
            "!is_write_%u || ",
            p, p, p, p, p);
  print_pin_or(m, role, p, "1'b1");
  fprintf(m->out, has_defects ? ");\n" : ";\n");
}

static void print_port_driver(const struct miter *m, unsigned p) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned address = miter_width_of(m, PMUV3_ROLE_ADDRESS, p), data = port->width;
  FILE *out = m->out;
  print_map(m, p);
  fprintf(out, "  wire [150:0] wanted_%u = map_%u(address_%u);\n", p, p, p);
  print_barred(m, p);
  fprintf(out,
          "  wire start_known_%u = start_%u && states_valid && wanted_%u[150] && "
          "!(write_%u && (%d || barred_%u));\n",
          p, p, p, p, !port->can_write, p);
  fprintf(out, "  wire request_%u, enable_%u, accepted_%u, waits_%u, is_write_%u;\n", p, p, p, p,
          p);
  fprintf(out, "  wire [%u:0] at_%u;\n  wire [%u:0] written_%u;\n  wire [5:0] waited_%u;\n",
          address - 1, p, data - 1, p, p);
  fprintf(out, "  wire pin_write_%u;\n  wire [%u:0] pin_address_%u;\n  wire [%u:0] pin_data_%u;\n",
          p, address - 1, p, data - 1, p);
  print_end(m, "ready", PMUV3_ROLE_READY, p, port->has_ready);
  print_end(m, "response", PMUV3_ROLE_RESPONSE, p, port->has_response);
  fprintf(out,
          "  pmuv3_driver #(.APB(%d), .WAITS(%d), .QUIET(%u), .WIDTH(%u)) driver_%u (.clk(clk), "
          ".reset(reset),\n    .start(start_known_%u), .stray(stray_%u), .what({write_%u, "
          "address_%u, data_%u}), .cycle(enabled), "
          ".hurries(planted_hang_%u), .ready(ready_%u), .response(response_%u),\n    "
          ".request(request_%u), .enable(enable_%u), .access({is_write_%u, at_%u, "
          "written_%u}),\n    .pins({pin_write_%u, pin_address_%u, pin_data_%u}), "
          ".accepted(accepted_%u), .waits(waits_%u), .waited(waited_%u));\n",
          port->is_apb, port->has_response, miter_quiet_clocks(m->device, p), 1 + address + data, p,
          p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p);
  print_port_pins(m, p);
}

/* Delays `{valid, address, data}` of writes. */
static void print_write(const struct miter *m, unsigned p, const char *name, const char *of,
                        unsigned clocks) {
  const unsigned width = 65 + miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  fprintf(m->out,
          "  wire [%u:0] %s_%u;\n"
          "  pmuv3_delay #(%u, %u) delay_%s_%u (clk, reset, {accepted_%u && is_write_%u && "
          "map_at_%u[149] && %s !planted_write_%u, at_%u, laid_%u}, %s_%u);\n"
          "  wire does_%s_%u = %s_%u[%u];\n",
          width - 1, name, p, width, clocks, name, p, p, p, p, of, p, p, p, name, p, name, p, name,
          p, width - 1);
}

/* Accesses of rtl/: writes and reads at their clocks. */
static void print_accesses(const struct miter *m, unsigned p) {
  const struct pmuv3_device *device = m->device;
  const struct pmuv3_device_port *port = &device->ports[p];
  const unsigned address = miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  char increments[80], others[80], acts[80];
  FILE *out = m->out;
  fprintf(out,
          "  wire [150:0] map_at_%u = map_%u(at_%u);\n"
          "  wire [63:0] bits_%u = written_%u & map_at_%u[127:64];\n"
          "  wire [63:0] laid_%u = map_at_%u[145:144] == 2'b10 ? bits_%u << 32 : bits_%u;\n",
          p, p, p, p, p, p, p, p, p, p);
  snprintf(increments, sizeof increments, "map_at_%u[147] &&", p);
  snprintf(others, sizeof others, "!map_at_%u[147] &&", p);
  print_write(m, p, "increment", increments, miter_latency(device, PMUV3_LATENCY_SWINC));
  print_write(m, p, "change", others, miter_latency(device, PMUV3_LATENCY_WRITE));
  fprintf(out, "  wire [%u:0] read_%u;\n", address, p);
  if (miter_waits(port))
    fprintf(out, "  assign read_%u = {(request_%u || waits_%u) && !is_write_%u, at_%u};\n", p, p, p,
            p, p);
  else
    fprintf(out,
            "  pmuv3_delay #(%u, %u) delay_read_%u (clk, reset, {accepted_%u && !is_write_%u, "
            "at_%u}, read_%u);\n",
            address + 1, port->response - miter_latency(device, PMUV3_LATENCY_READ), p, p, p, p, p);
  fprintf(out,
          "  wire [150:0] map_read_%u = map_%u(read_%u[%u:0]);\n"
          "  wire [%u:0] acts_%u = does_increment_%u ? increment_%u : change_%u;\n"
          "  wire [150:0] map_acts_%u = map_%u(acts_%u[%u:64]);\n"
          "  wire does_write_%u = does_increment_%u || does_change_%u;\n"
          "  wire does_read_%u = read_%u[%u] && !does_write_%u;\n"
          "  wire [18:0] reg_%u = does_write_%u ? map_acts_%u[146:128] : map_read_%u[146:128];\n"
          "  wire page_%u = reg_%u[18];\n",
          p, p, p, address - 1, address + 64, p, p, p, p, p, p, p, address + 63, p, p, p, p, p,
          address, p, p, p, p, p, p, p);
  snprintf(acts, sizeof acts, "acts_%u[%u:64]", p, address + 63);
  miter_print_kept(m, p, acts);
  fprintf(out, "  wire [63:0] puts_%u = acts_%u[63:0] | kept_%u;\n", p, p, p);
}

/* What rtl/ answers to a read. */
static void print_sample(const struct miter *m, unsigned p) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned address = miter_width_of(m, PMUV3_ROLE_ADDRESS, p), thread = port->thread;
  const unsigned data = port->width, reads = miter_latency(m->device, PMUV3_LATENCY_READ);
  FILE *out = m->out;
  fprintf(out,
          "  wire [63:0] whole_%u = page_%u ? {32'b0, prdata} : rdata[%u+:64];\n"
          "  wire [63:0] half_%u = reg_%u[17:16] == 2'b10 ? whole_%u >> 32 : "
          "reg_%u[17:16] == 2'b01 ? whole_%u & 64'hFFFFFFFF : whole_%u;\n",
          p, p, 64 * thread, p, p, p, p, p, p);
  if (port->is_checked)
    fprintf(out, "  wire fails_%u = page_%u ? pslverr : result[%u+:3] != 0;\n", p, p, 3 * thread);
  else
    fprintf(out, "  wire fails_%u = page_%u && pslverr;\n", p, p);
  fprintf(out,
          "  wire [%u:0] sample_%u;  // {valid, fails, address, value}\n"
          "  pmuv3_delay #(%u, %u) delay_sample_%u (clk, reset, {does_read_%u, fails_%u, "
          "read_%u[%u:0], half_%u[%u:0]}, sample_%u);\n",
          data + address + 1, p, data + address + 2, reads, p, p, p, p, address - 1, p, data - 1,
          p);
}

/* When the device answers a read. An answer is early if rtl/ has no value of this read yet: none,
 * or one of the read before (stale). What counts is the address, as in simulation: the value that
 * the register had `latency read` clocks before is right, whichever read asked for it. */
static void print_answered(const struct miter *m, unsigned p) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned data = port->width, fails = data + miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  const unsigned valid = fails + 1;
  FILE *out = m->out;
  if (!miter_waits(port)) { /* the answer comes with the value */
    fprintf(out, "  wire answered_%u = sample_%u[%u], early_%u = 0, stale_%u = 0;\n", p, p, valid,
            p, p);
    return;
  }
  fprintf(out, "  wire answered_%u = ", p);
  if (port->is_apb)
    fprintf(out, "accepted_%u && !is_write_%u;\n", p, p);
  else
    fprintf(out, "waits_%u && response_%u;\n", p, p);
  fprintf(out,
          "  wire early_%u = answered_%u && !(sample_%u[%u] && sample_%u[%u:%u] == at_%u);\n"
          "  wire stale_%u = early_%u && sample_%u[%u];\n",
          p, p, p, valid, p, fails - 1, data, p, p, p, p, valid);
}

static void print_value(const struct miter *m, unsigned p) {
  const unsigned data = m->device->ports[p].width;
  const unsigned fails = data + miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  size_t value = 0;
  miter_find_pin(m, PMUV3_ROLE_VALUE, p, &value);
  fprintf(m->out,
          "  wire [150:0] map_sample_%u = map_%u(sample_%u[%u:%u]);\n"
          "  wire compares_%u = answered_%u && !early_%u && !sample_%u[%u];\n"
          "  wire differs_value_%u = compares_%u && |((d_%zu ^ {%u{planted_value_%u}} ^ "
          "sample_%u[%u:0]) & map_sample_%u[%u:0]);\n",
          p, p, p, fails - 1, data, p, p, p, p, fails, p, p, value, data, p, p, data - 1, p,
          data - 1);
}

bool miter_compares_fault(const struct pmuv3_device_port *port) {
  return port->can_write && port->has_error && !port->has_response;
}

/* How writes end: rtl/ writes later than the device answers, or sooner. */
static void print_fault(const struct miter *m, unsigned p, const char *name, const char *unless,
                        enum pmuv3_latency kind) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned latency = miter_latency(m->device, kind);
  const unsigned later = miter_larger(port->response, latency);
  size_t error = 0;
  miter_find_pin(m, PMUV3_ROLE_ERROR, p, &error);
  fprintf(m->out,
          "  wire ends_%s_%u, expected_%s_%u, fault_%s_%u;\n"
          "  pmuv3_delay #(2, %u) delay_expected_%s_%u (clk, reset, {does_%s_%u%s, fails_%u}, "
          "{ends_%s_%u, expected_%s_%u});\n"
          "  pmuv3_delay #(1, %u) delay_fault_%s_%u (clk, reset, d_%zu, fault_%s_%u);\n"
          "  wire differs_%s_%u = ends_%s_%u && (fault_%s_%u ^ planted_fault_%u) != "
          "expected_%s_%u;\n",
          name, p, name, p, name, p, later - latency, name, p, name, p, unless, p, name, p, name, p,
          later - port->response, name, p, error, name, p, name, p, name, p, name, p, p, name, p);
}

/* How reads end, and writes. Of two writes that would act at once, rtl/ does the increment. */
static void print_errors(const struct miter *m, unsigned p) {
  const struct pmuv3_device_port *port = &m->device->ports[p];
  const unsigned fails = port->width + miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  char unless[40];
  size_t error = 0;
  if (miter_find_pin(m, PMUV3_ROLE_ERROR, p, &error))
    fprintf(m->out,
            "  wire differs_error_%u = answered_%u && map_sample_%u[148] && (d_%zu ^ "
            "planted_error_%u) != sample_%u[%u];\n",
            p, p, p, error, p, p, fails);
  else
    fprintf(m->out, "  wire differs_error_%u = 0;\n", p);
  if (!miter_compares_fault(port)) {
    fprintf(m->out, "  wire differs_fault_%u = 0;\n", p);
    return;
  }
  snprintf(unless, sizeof unless, " && !does_increment_%u", p);
  print_fault(m, p, "change", unless, PMUV3_LATENCY_WRITE);
  print_fault(m, p, "increment", "", PMUV3_LATENCY_SWINC);
  fprintf(m->out,
          "  wire ends_write_%u = ends_change_%u || ends_increment_%u;\n"
          "  wire differs_fault_%u = differs_change_%u || differs_increment_%u;\n",
          p, p, p, p, p, p);
}

/* What rtl/ answers, and whether the device answers the same. */
void miter_print_answers(const struct miter *m, unsigned p) {
  fprintf(m->out, "\n  // ---- Answers of port %u ----\n", p);
  print_sample(m, p);
  print_answered(m, p);
  print_value(m, p);
  print_errors(m, p);
  fprintf(m->out, "  wire hangs_%u = &waited_%u;\n", p, p);
}

void miter_print_port(const struct miter *m, unsigned p) {
  fprintf(m->out, "\n  // ---- Port %u ----\n", p);
  print_port_driver(m, p);
  print_accesses(m, p);
}
