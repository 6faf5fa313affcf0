/* pmuv3-derive rtl: the probe's macros in rtl/pmuv3_pkg.sv. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "derive.h"

/* A row of probe.def: so many bits for each thread, or for each of a thread's counters. */
struct row {
  const char *field;
  unsigned width;
  bool per_counter;
  const char *owner;
};

#define PMUV3_PROBE_BITS(field, name, owner) {#field, 1, true, #owner},
#define PMUV3_PROBE_LANES(field, name, owner) {#field, 16, true, #owner},
#define PMUV3_PROBE_COUNTERS(field, name, owner) {#field, 64, true, #owner},
#define PMUV3_PROBE_GLOBAL(field, name, owner) {#field, 64, false, #owner},
#define PMUV3_PROBE_FIXED(field, name, owner) {#field, 2, false, #owner},
#define PMUV3_PROBE_STATIC(field, name, owner) /* a side reads the register, once */
#define PMUV3_PROBE_OUTPUT(field, name, owner) /* has a port of its own */
static const struct row rows[] = {
#include "pmuv3/probe.def"
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

/* Whether it is a register of 64 bits that pmuv3_registers puts out. */
static bool is_in_regs(const struct row *row) {
  return row->width == 64 && !row->per_counter && strcmp(row->owner, "REGISTERS") == 0;
}

/* Fields of counters may be upper case, ports are not: probe_vb_o. */
static void print_port(const struct row *row) {
  printf("probe_");
  for (const char *c = row->field; *c; c++) putchar(tolower((unsigned char)*c));
  printf("_o");
}

static void print_width(const struct row *row) {
  if (row->width != 1) printf("%u%s", row->width, row->per_counter ? "*" : "");
  if (row->per_counter) printf("(Lanes)");
}

static const char *end_of_row(size_t r) {
  return r + 1 < NUM_ROWS ? ", \\\n" : "\n\n";
}

static void print_ports(void) {
  printf("`define PMUV3_PROBE_PORTS(NumThreads, Lanes) \\\n");
  for (size_t r = 0; r < NUM_ROWS; r++) {
    printf("  output logic [");
    print_width(&rows[r]);
    printf("*(NumThreads)-1:0] ");
    print_port(&rows[r]);
    printf("%s", end_of_row(r));
  }
}

static void print_connections(void) {
  printf("`define PMUV3_PROBE_CONNECT(t, Lanes) \\\n");
  for (size_t r = 0; r < NUM_ROWS; r++) {
    printf("  .");
    print_port(&rows[r]);
    printf("(");
    print_port(&rows[r]);
    printf("[");
    print_width(&rows[r]);
    printf("*(t)+:");
    print_width(&rows[r]);
    printf("])%s", end_of_row(r));
  }
}

static void print_regs(void) {
  printf("`define PMUV3_REGS_MEMBERS");
  for (size_t r = 0; r < NUM_ROWS; r++)
    if (is_in_regs(&rows[r])) printf(" \\\n  logic [63:0] %s;", rows[r].field);
  printf("\n\n`define PMUV3_PROBE_REGS(regs)");
  for (size_t r = 0; r < NUM_ROWS; r++)
    if (is_in_regs(&rows[r]))
      printf(" \\\n  assign probe_%s_o = regs.%s;", rows[r].field, rows[r].field);
  printf("\n\n");
}

void derive_rtl_probe(void) {
  printf(
      "// Values that the scoreboard compares: a port for each row of probe.def, of all threads,\n"
      "// thread 0 lowest. Of counters, thread t's counter n is at Lanes*t+n.\n"
      "//   PMUV3_PROBE_PORTS    the ports of NumThreads threads\n"
      "//   PMUV3_PROBE_CONNECT  thread t's ports, connected to those of all threads\n"
      "//   PMUV3_REGS_MEMBERS   the registers that pmuv3_registers owns, as members of regs_t\n"
      "//   PMUV3_PROBE_REGS     drives their ports\n");
  print_ports();
  print_connections();
  print_regs();
}
