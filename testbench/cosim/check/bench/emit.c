#include "testbench/cosim/check/bench/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/player.h"
#include "testbench/cosim/check/dpi/bits.h"

const char *const emit_files[] = {"pmuv3_monitor.sv", "pmuv3_player.sv", "pmuv3_player.hex", NULL};

static bool is_written(FILE *out) {
  return fflush(out) == 0 && !ferror(out);
}

static const struct pmuv3_pin *clock_of(const struct pmuv3_device *device) {
  const struct pmuv3_pin *pin = device->pins;
  while (pin->role != PMUV3_ROLE_CLOCK) pin++;
  return pin;
}

/* Within a string literal. */
static void print_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (iscntrl((unsigned char)*text))
      fprintf(out, "\\%03o", (unsigned char)*text);
    else
      fprintf(out, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
  }
}

/* ---- The monitor ---- */

/* Statements: the library compares the top module and the names with the description as it is then.
 * Widths are those of the instance. */
static void print_names(FILE *out, const struct emitted *emitted) {
  const struct pmuv3_device *device = emitted->device;
  char name[300];
  fprintf(out, "    pins = \"");
  print_text(out, device->top ? device->top : "-");
  for (size_t p = 0; p < device->num_pins; p++) {
    fprintf(out, "%s\n    pins = $sformatf(\"%%s %%0d:%%s\", pins, Widths[%zu+:32], \"",
            p ? "\");" : "\";", 32 * p);
    print_text(out, pmuv3_pin_text(&device->pins[p], name, sizeof name));
  }
  fprintf(out, "\");\n");
}

/* The whole signal of a pin, and its width in the device that was checked. Returns whether the pin
 * is only some of its bits. */
static bool find_whole(const struct emitted *emitted, size_t p, char name[300], unsigned *width) {
  const struct pmuv3_pin *pin = &emitted->device->pins[p];
  int msb, lsb;
  emitted->range(p, &msb, &lsb);
  if (pin->msb < 0 || msb < lsb) {
    pmuv3_pin_text(pin, name, 300);
    *width = emitted->width(p);
    return false;
  }
  snprintf(name, 300, "%s", pin->name);
  *width = (unsigned)(msb - lsb + 1);
  return true;
}

static bool is_internal(const struct emitted *emitted, size_t p) {
  return pmuv3_role_is_internal((enum pmuv3_role)emitted->device->pins[p].role);
}

/* Bits are shifted out of the whole value: its range may begin at any index, from either end, or it
 * may be an array of packed ones. Verilator 5.006 shifts in the width of the outer cast, unless
 * there is an inner one. */
static void print_pin(FILE *out, const struct emitted *emitted, size_t p) {
  char name[300];
  unsigned width;
  int msb, lsb;
  emitted->range(p, &msb, &lsb);
  if (find_whole(emitted, p, name, &width))
    fprintf(out, "%u'(%u'(%s) >> %d)", emitted->width(p), width, name,
            emitted->device->pins[p].lsb - lsb);
  else if (is_internal(emitted, p))
    fprintf(out, "%u'(%s)", width, name);
  else
    fputs(name, out);
}

/* Its width in an instance, whose parameters may be others. 0: not all of the pin's bits are known
 * to be there. The width of an internal cannot be asked for here: no hierarchical name is constant
 * (IEEE 1800-2017, 11.2.1). */
static void print_width(FILE *out, const struct emitted *emitted, size_t p) {
  char name[300];
  unsigned width;
  const bool has_bits = find_whole(emitted, p, name, &width);
  if (is_internal(emitted, p))
    fprintf(out, "32'd%u", emitted->width(p));
  else if (has_bits)
    fprintf(out, "($bits(%s) == %u ? 32'd%u : 32'd0)", name, width, emitted->width(p));
  else
    fprintf(out, "32'($bits(%s))", name);
}

/* Whether each internal has the width that it had. */
static void print_fits(FILE *out, const struct emitted *emitted) {
  char name[300];
  unsigned width;
  fprintf(out, "1'b1");
  for (size_t p = 0; p < emitted->device->num_pins; p++) {
    if (!is_internal(emitted, p)) continue;
    find_whole(emitted, p, name, &width);
    fprintf(out, " &&\n    $bits(%s) == %u", name, width);
  }
}

/* Of each pin, the first lowest, or last in a sum. */
static void print_each(FILE *out, const struct emitted *emitted, const char *between,
                       void (*print)(FILE *, const struct emitted *, size_t)) {
  for (size_t p = emitted->device->num_pins; p-- > 0;) {
    fprintf(out, "\n    ");
    print(out, emitted, p);
    fputs(p ? between : "", out);
  }
}

bool emit_monitor(FILE *out, const void *context) {
  const struct emitted *emitted = context;
  const struct pmuv3_device *device = emitted->device;
  fprintf(out,
          "// Made by `pmuv3 check --emit`: checks each %s against the C model.\n"
          "// Pins are sampled before each rising edge of the clock. docs/howto/simulators.md\n"
          "module pmuv3_monitor_%s #(\n"
          "  parameter int unsigned Width = 1,  // of all pins\n"
          "  parameter bit [%zu:0] Widths = '0  // of each, in 32 bits\n"
          ") (\n"
          "  input wire             clk_i,\n"
          "  input wire             fits_i,  // each internal has its width\n"
          "  input wire [Width-1:0] pins_i   // of the description, the first lowest\n"
          ");\n"
          "  import \"DPI-C\" function chandle pmuv3_dpi_open(string description, string pins);\n"
          "  import \"DPI-C\" function void pmuv3_dpi_pins(chandle checker_, int unsigned lsb,\n"
          "                                             input logic [%d:0] pins);\n"
          "  import \"DPI-C\" function bit pmuv3_dpi_clock(chandle checker_);\n"
          "  import \"DPI-C\" function void pmuv3_dpi_lose_clock(chandle checker_);\n"
          "  import \"DPI-C\" function bit pmuv3_dpi_end(chandle checker_);\n"
          "  import \"DPI-C\" function string pmuv3_dpi_words(chandle checker_);\n"
          "  import \"DPI-C\" function void pmuv3_dpi_close(chandle checker_);\n\n"
          "  chandle handle;\n"
          "  string  description, pins;\n"
          "  bit     checks;\n\n"
          "  // +pmuv3=FILE names the description if it is somewhere else now; where there are "
          "several\n"
          "  // modules, +pmuv3_MODULE=FILE.\n"
          "  initial begin\n"
          "    if (!$value$plusargs(\"pmuv3_%s=%%s\", description) &&\n"
          "        !$value$plusargs(\"pmuv3=%%s\", description)) description = ",
          emitted->module, emitted->module, 32 * device->num_pins - 1, PMUV3_DPI_BITS - 1,
          emitted->module);
  fputc('"', out);
  print_text(out, emitted->description);
  fprintf(out, "\";\n");
  print_names(out, emitted);
  fprintf(out,
          "    handle = pmuv3_dpi_open(description, pins);\n"
          "    checks = handle != null;\n"
          "    if (!checks) $fatal(1, \"pmuv3: %%s\", pmuv3_dpi_words(handle));\n"
          "  end\n\n"
          "  // The clock was 0 or 1 and is X.\n"
          "  task lose_clock;\n"
          "    checks = 1'b0;\n"
          "    pmuv3_dpi_lose_clock(handle);\n"
          "    $display(\"pmuv3: %%s\", pmuv3_dpi_words(handle));\n"
          "  endtask\n\n"
          "  always @(negedge clk_i)\n"
          "    if (checks && $isunknown(clk_i)) begin\n"
          "      lose_clock();\n"
          "      $error(\"pmuv3: %%m is not equivalent\");\n"
          "    end\n\n"
          "  always @(posedge clk_i) begin\n"
          "    if (checks && $isunknown(clk_i)) begin\n"
          "      lose_clock();\n"
          "      $error(\"pmuv3: %%m is not equivalent\");\n"
          "    end\n"
          "    if (checks && !fits_i) begin\n"
          "      checks = 1'b0;\n"
          "      $fatal(1, \"pmuv3: an internal has another width than when "
          "the monitor was made\");\n"
          "    end\n"
          "    if (checks) begin\n"
          "      for (int unsigned lsb = 0; lsb < Width; lsb += %d)\n"
          "        pmuv3_dpi_pins(handle, lsb, %d'($sampled(pins_i) >> lsb));\n"
          "      if (!pmuv3_dpi_clock(handle)) begin\n"
          "        checks = 1'b0;\n"
          "        $display(\"pmuv3: %%s\", pmuv3_dpi_words(handle));\n"
          "        $error(\"pmuv3: %%m is not equivalent\");\n"
          "      end\n"
          "    end\n"
          "  end\n\n"
          "  final begin\n"
          "    if (checks) begin\n"
          "      checks = pmuv3_dpi_end(handle);\n"
          "      $display(\"pmuv3: %%s\", pmuv3_dpi_words(handle));\n"
          "      if (!checks) $error(\"pmuv3: %%m is not equivalent\");\n"
          "    end\n"
          "    pmuv3_dpi_close(handle);\n"
          "  end\n"
          "endmodule\n\n"
          "bind %s pmuv3_monitor_%s #(\n"
          "  .Width (",
          PMUV3_DPI_BITS, PMUV3_DPI_BITS, emitted->module, emitted->module);
  print_each(out, emitted, " +", print_width);
  fprintf(out, "),\n  .Widths({");
  print_each(out, emitted, ",", print_width);
  fprintf(out, "})\n) u_pmuv3_monitor (\n  .clk_i (");
  print_pin(out, emitted, (size_t)(clock_of(device) - device->pins));
  fprintf(out, "),\n  .fits_i(");
  print_fits(out, emitted);
  fprintf(out, "),\n  .pins_i({");
  print_each(out, emitted, ",", print_pin);
  fprintf(out, "})\n);\n");
  return is_written(out);
}

/* ---- The player ---- */

/* The clock is the bench's own. */
static bool is_driven(const struct pmuv3_pin *pin) {
  return pin->role != PMUV3_ROLE_CLOCK && pmuv3_role_is_input((enum pmuv3_role)pin->role);
}

static unsigned inputs_width(const struct emitted *emitted) {
  unsigned width = 0;
  for (size_t p = 0; p < emitted->device->num_pins; p++)
    if (is_driven(&emitted->device->pins[p])) width += emitted->width(p);
  return width;
}

/* A clock that is a bit of a port is driven with the rest of the port. */
static bool is_of_vector(const struct pmuv3_pin *pin) {
  return is_driven(pin) || (pin->role == PMUV3_ROLE_CLOCK && pin->msb >= 0);
}

/* The first pin of a port of the module: several pins may be bits of one port. */
static bool is_first_of_port(const struct pmuv3_device *device, size_t pin) {
  for (size_t p = 0; p < pin; p++)
    if (is_of_vector(&device->pins[p]) && strcmp(device->pins[p].name, device->pins[pin].name) == 0)
      return false;
  return is_of_vector(&device->pins[pin]);
}

static unsigned lsb_of_inputs(const struct emitted *emitted, size_t pin) {
  unsigned lsb = 0;
  for (size_t p = 0; p < pin; p++)
    if (is_driven(&emitted->device->pins[p])) lsb += emitted->width(p);
  return lsb;
}

/* The pin that has this bit of a port; num_pins: none, or the bit is not the pin's highest. */
static size_t pin_from(const struct emitted *emitted, const char *port, int bit) {
  const struct pmuv3_device *device = emitted->device;
  int msb, lsb;
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (!is_of_vector(pin) || strcmp(pin->name, port) != 0) continue;
    emitted->range(p, &msb, &lsb);
    if (bit == (pin->msb < 0 ? msb : pin->msb)) return p;
  }
  return device->num_pins;
}

/* One assignment for the whole port: a device may have a clock or a reset among its bits, which
 * must not have a glitch. Bits that no pin has are 0. */
static void print_vector(FILE *out, const struct emitted *emitted, size_t port) {
  const struct pmuv3_device *device = emitted->device;
  const char *name = device->pins[port].name;
  int msb, lsb;
  emitted->range(port, &msb, &lsb);
  fprintf(out, "  wire [%d:%d] %s = {", msb, lsb, name);
  for (int bit = msb; bit >= lsb;) {
    const size_t p = pin_from(emitted, name, bit);
    const unsigned width = p < device->num_pins ? emitted->width(p) : 1;
    if (bit < msb) fprintf(out, ", ");
    if (p == device->num_pins)
      fprintf(out, "1'b0");
    else if (!is_driven(&device->pins[p]))
      fprintf(out, "pmuv3_clock");
    else
      fprintf(out, "pmuv3_inputs[%u+:%u]", lsb_of_inputs(emitted, p), width);
    bit -= (int)width;
  }
  fprintf(out, "};\n");
}

/* -GNAME=VALUE. Of several with one name Verilator takes the last. */
static bool is_parameter(char *const *word) {
  const char *equals = strchr(*word, '=');
  if (strncmp(*word, "-G", 2) != 0 || !equals) return false;
  for (char *const *later = word + 1; *later; later++)
    if (strncmp(*later, *word, (size_t)(equals - *word) + 1) == 0) return false;
  return true;
}

/* What C has as a number, Verilator takes for an int, unless that is 0: 010 is 8, 0xFFFFFFFF is -1.
 */
static void print_value(FILE *out, const char *value) {
  char *end;
  const int32_t number = (int32_t)strtoll(value, &end, 0);
  if (number != 0 && *end == '\0')
    fprintf(out, "%" PRId32, number);
  else
    fputs(value, out);
}

/* The instance has the parameters of the device that was checked. A netlist has none. */
static void print_parameters(FILE *out, const struct emitted *emitted) {
  const char *before = "`ifndef PMUV3_NETLIST #(";
  for (char *const *word = emitted->words; word && *word; word++) {
    if (!is_parameter(word)) continue;
    const char *equals = strchr(*word, '=');
    fprintf(out, "%s.%.*s(", before, (int)(equals - *word - 2), *word + 2);
    print_value(out, equals + 1);
    fputc(')', out);
    before = ", ";
  }
  if (*before == ',') fprintf(out, ") `endif ");
}

static void print_ports(FILE *out, const struct emitted *emitted) {
  const struct pmuv3_device *device = emitted->device;
  const struct pmuv3_pin *clock = clock_of(device);
  const char *between = "";
  for (size_t p = 0; p < device->num_pins; p++)
    if (is_first_of_port(device, p)) print_vector(out, emitted, p);
  fprintf(out, "\n  %s ", emitted->module);
  print_parameters(out, emitted);
  fprintf(out, "dut (");
  if (!is_of_vector(clock)) {
    fprintf(out, "\n    .%s(pmuv3_clock)", clock->name);
    between = ",";
  }
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!is_first_of_port(device, p)) continue;
    fprintf(out, "%s\n    .%s(%s)", between, device->pins[p].name, device->pins[p].name);
    between = ",";
  }
  fprintf(out, "\n  );\n");
}

bool emit_player(FILE *out, const void *context) {
  const struct emitted *emitted = context;
  fprintf(out,
          "// Made by `pmuv3 check --emit`: plays recorded inputs on %s.\n"
          "`timescale 1ns / 1ps\n"
          "module pmuv3_player;\n"
          "  logic pmuv3_clock = 1'b0;\n"
          "  logic [%u:0] pmuv3_inputs;\n"
          "  logic [%u:0] pmuv3_recorded[0:%zu];\n",
          emitted->module, inputs_width(emitted) - 1, inputs_width(emitted) - 1,
          emitted->recording->count);
  print_ports(out, emitted);
  fprintf(
      out,
      "\n  string pmuv3_file;\n"
      "  initial begin\n"
      "    if (!$value$plusargs(\"inputs=%%s\", pmuv3_file)) pmuv3_file = \"pmuv3_player.hex\";\n"
      "    $readmemh(pmuv3_file, pmuv3_recorded);\n"
      "    pmuv3_inputs = pmuv3_recorded[0];  // no reset: the first one begins with an edge\n"
      "    #5;\n"
      "    for (int unsigned c = 1; c <= %zu; c++) begin\n"
      "      pmuv3_inputs = pmuv3_recorded[c];\n"
      "      #5 pmuv3_clock = 1'b1;\n"
      "      #5 pmuv3_clock = 1'b0;\n"
      "    end\n"
      "    $finish;\n"
      "  end\n"
      "endmodule\n",
      emitted->recording->count);
  return is_written(out);
}

enum { MAX_INPUTS = 64 * 256 };

static void put(uint8_t *bits, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned b = 0; b < width; b++)
    if (value >> b & 1) bits[(lsb + b) / 4] |= (uint8_t)(1u << (lsb + b) % 4);
}

static void print_inputs(FILE *out, const struct emitted *emitted,
                         const struct pmuv3_record *record) {
  const struct pmuv3_device *device = emitted->device;
  const unsigned digits = (inputs_width(emitted) + 3) / 4;
  static uint8_t of[MAX_INPUTS / 4];
  unsigned lsb = 0;
  memset(of, 0, digits);
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!is_driven(&device->pins[p])) continue;
    put(of, lsb, emitted->width(p), pmuv3_record_get(record, &device->pins[p]));
    lsb += emitted->width(p);
  }
  for (unsigned d = digits; d-- > 0;) fprintf(out, "%x", of[d]);
  fputc('\n', out);
}

/* A clock a line, in hexadecimal digits, behind what the pins have before the first clock. */
bool emit_inputs(FILE *out, const void *context) {
  const struct emitted *emitted = context;
  const struct recording *recording = emitted->recording;
  if (inputs_width(emitted) > MAX_INPUTS) return false;
  struct pmuv3_record before = recording->records[0];
  before.reset = PMUV3_NO_RESET;
  print_inputs(out, emitted, &before);
  for (size_t r = 0; r < recording->count; r++) print_inputs(out, emitted, &recording->records[r]);
  return is_written(out);
}
