/* Of the miter: rtl/ behind the delays of the description. */
#include "testbench/cosim/check/glue/miter_internal.h"

#include <ctype.h>
#include <inttypes.h>

#include "pmuv3/pmuv3.h"

/* The clock enable, as its pin says; and as it acts. */
void miter_print_cycle(const struct miter *m) {
  size_t enable = 0;
  fprintf(m->out, "\n  // ---- The core's clock ----\n");
  if (miter_find_pin(m, PMUV3_ROLE_CLOCK_ENABLE, 0, &enable))
    fprintf(m->out, "  wire enabled = d_%zu;\n", enable);
  else
    fprintf(m->out, "  wire enabled = 1'b1;\n");
  fprintf(m->out,
          "  wire cycle;\n  pmuv3_delay #(1, %u) delay_cycle (clk, reset, enabled, cycle);\n",
          miter_latency(m->device, PMUV3_LATENCY_CLOCK));
}

/* Flip-flops of states may have another reset than the PE, or none: nothing is accessed until each
 * has what its pin carried after the reset. The bench waits for as many Processor cycles. */
void miter_print_states_valid(const struct miter *m) {
  fprintf(m->out,
          "  wire states_valid;\n"
          "  pmuv3_held #(1, %u) held_valid (clk, reset, enabled, 1'b1, states_valid);\n",
          pmuv3_device_state_clocks(m->device));
}

/* ---- Events ---- */

static void print_late_events(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  fprintf(m->out, "\n  // ---- Events ----\n");
  for (size_t e = 0; e < device->num_events; e++) {
    size_t p = 0;
    miter_find_pin(m, PMUV3_ROLE_EVENT, device->events[e].source, &p);
    const unsigned width = m->pins[p].width, latency = device->events[e].latency;
    const unsigned cycles = pmuv3_device_cycles(device, PMUV3_LATENCY_EVENT, latency);
    fprintf(
        m->out,
        "  wire [%u:0] gate_%zu, late_%zu;\n"
        "  pmuv3_delay #(%u, %u) delay_event_%zu (clk, reset, planted_event_%u ? %u'd0 : d_%zu, "
        "gate_%zu);\n"
        "  pmuv3_held #(%u, %u) held_event_%zu (clk, reset, cycle, gate_%zu, late_%zu);\n",
        width - 1, e, e, width, latency - cycles, e, device->events[e].source, width, p, e, width,
        cycles, e, e, e);
  }
}

/* The occurrences of an event on a thread, of one origin: the sum of its pins, at most `most`. */
static void print_sum(const struct miter *m, const struct pmuv3_event *event, unsigned thread,
                      unsigned origin, unsigned lsb) {
  const struct pmuv3_device *device = m->device;
  bool any = false;
  unsigned most = event->most;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *of = &device->events[e];
    if (of->number != event->number || of->thread != thread || of->origin != origin) continue;
    if (any)
      fprintf(m->out, " + late_%zu", e);
    else
      fprintf(m->out, "  wire [15:0] sum_%u = late_%zu", lsb, e);
    any = true;
    if (of->is_any) most = 1;
  }
  if (any)
    fprintf(m->out, ";\n  assign occurrence[%u+:8] = sum_%u > %u ? %u : sum_%u;\n", lsb, lsb, most,
            most, lsb);
  else
    fprintf(m->out, "  assign occurrence[%u+:8] = 0;\n", lsb);
}

void miter_print_events(const struct miter *m) {
  const struct pmuv3_events *events = &m->device->params.events;
  const unsigned threads = m->device->params.threads, count = miter_num_inputs(m->device);
  unsigned row = 0;
  print_late_events(m);
  fprintf(m->out, "  wire [%u:0] occurrence;\n  wire [%u:0] events;\n", 32 * threads * count - 1,
          23 * count - 1);
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if (event->event_class == PMUV3_EVENT_CLASS_SELF) continue;
    const unsigned sync = (event->traits & PMUV3_EVENT_TRAIT_SYNC) != 0;
    fprintf(m->out, "  assign events[%u+:23] = {1'd%u, 3'd%u, 3'd%u, 16'h%x};\n", 23 * row, sync,
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
    const int port = miter_port_of_thread(m->device, t);
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
          ".pprot_i({1'b0, 1'b%u, 1'b0}), .pwdata_i(puts_%u[31:0])",
          p, p, p, p, device->ports[p].thread, p, space >> 1, space & 1, p);
}

static void each_raised(const struct miter *m,
                        void (*print)(const struct miter *, const char *, unsigned)) {
  char name[120];
  unsigned number = 0;
  for (unsigned t = 0; t < m->device->params.threads; t++) {
    for (unsigned n = 0; n < miter_lanes(m->device); n++) {
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

/* Held flags rise in a Processor cycle: the last flip-flop holds what it has while the clock stops.
 */
static void print_raised_delay(const struct miter *m, const char *name, unsigned number) {
  const char *const cycle = m->device->stops[PMUV3_LATENCY_FLAG] ? "cycle" : "1'b1";
  (void)name;
  fprintf(m->out,
          "  wire raised_%u, held_raised_%u;\n"
          "  pmuv3_held #(1, %u) hold_raised_%u (clk, reset, %s, raised_%u, held_raised_%u);\n"
          "  wire late_raised_%u = %s && held_raised_%u;\n",
          number, number, miter_latency(m->device, PMUV3_LATENCY_FLAG), number, cycle, number,
          number, number, cycle, number);
}

void miter_print_rtl(const struct miter *m) {
  const struct pmuv3_device *device = m->device;
  const unsigned threads = device->params.threads, lanes = miter_lanes(device);
  FILE *out = m->out;
  print_configuration(m);
  fprintf(out,
          "  wire [%u:0] rdata;\n  wire [%u:0] result;\n  wire [31:0] prdata;\n  wire pslverr;\n",
          64 * threads - 1, 3 * threads - 1);
  fprintf(out, "  wire [%u:0] irq, cti;\n  wire [%u:0] exception;\n", threads - 1, 4 * threads - 1);
  fprintf(out, "  wire [%u:0] value;\n  wire [%u:0] cycles, instructions;\n",
          64 * threads * lanes - 1, 64 * threads - 1);
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
    const int port = miter_port_of_thread(device, t);
    fprintf(out, "1'b%d%s", port != NONE && device->ports[port].is_checked, t ? ", " : "");
  }
  fprintf(out, "})");
  print_concat(m, "reg_addr_i", "reg_%u[15:0]", "16'b0");
  print_concat(m, "reg_wdata_i", "puts_%u", "64'b0");
  print_page(m);
  fprintf(out,
          ",\n    .reg_rdata_o(rdata), .reg_result_o(result), .prdata_o(prdata), "
          ".pslverr_o(pslverr), .irq_o(irq), .cti_o(cti), .exception_o(exception)");
  fprintf(out,
          ",\n    .probe_value_o(value), .probe_pmccntr_o(cycles), .probe_pmicntr_o(instructions)");
  miter_print_probe_pins(m);
  for (unsigned t = 0; t < threads; t++) {
    const int port = miter_port_of_thread(device, t);
    fprintf(out, ",\n    .\\g_thread[%u].u_thread.u_access.halves (", t);
    if (port == NONE)
      fprintf(out, "2'b11)");
    else
      fprintf(out, "does_write_%d ? reg_%d[17:16] : 2'b11)", port, port);
  }
  each_raised(m, print_raised_pin);
  fprintf(out, ");\n");
}

/* ---- Hints ---- */

/* What rtl/ keeps of each counter's event, from the number. Equal nodes on both sides become one,
 * so these nodes save the search an invariant. Nothing is assumed of them. */
void miter_print_hints(const struct miter *m) {
  const struct pmuv3_events *events = &m->device->params.events;
  const unsigned lanes = miter_lanes(m->device);
  static const struct {
    uint16_t number;
    unsigned index, sync;
  } own[] = {{PMUV3_EVENT_SW_INCR, 0, 1},
             {PMUV3_EVENT_CPU_CYCLES, 1, 0},
             {PMUV3_EVENT_CHAIN, 2, 0},
             {PMUV3_EVENT_PMU_SNAPSHOT, 3, 0}};
  unsigned row = 0;
  fprintf(m->out, "  function [16:0] hint(input [15:0] number);\n    case (number)\n");
  for (unsigned e = 0; e < sizeof own / sizeof own[0]; e++)
    fprintf(m->out, "      16'h%x: hint = {1'd%u, 1'd%u, 4'd0, 3'd0, 8'd%u};\n", own[e].number,
            own[e].index == 2, own[e].sync, own[e].index);
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *event = &events->event[e];
    if (event->event_class == PMUV3_EVENT_CLASS_SELF) continue;
    const unsigned attribution = event->attribution;
    const bool is_shared = attribution == PMUV3_EVENT_ATTRIBUTION_SHARED;
    fprintf(m->out,
            "      16'h%x: hint = {1'd0, 1'd%d, 1'd%d, 1'd%d, 1'd%d, 1'd%d, 3'd%u, 8'd%u};\n",
            event->number, (event->traits & PMUV3_EVENT_TRAIT_SYNC) != 0,
            attribution == PMUV3_EVENT_ATTRIBUTION_MEMORY || is_shared, is_shared,
            attribution == PMUV3_EVENT_ATTRIBUTION_OWN,
            attribution == PMUV3_EVENT_ATTRIBUTION_TRACE, event->event_class, row++);
  }
  fprintf(m->out, "      default: hint = 4;\n    endcase\n  endfunction\n");
  for (unsigned n = 0; n < lanes * m->device->params.threads; n++)
    fprintf(m->out, "  assign hints[%u+:17] = hint(evtyper[%u+:16]);\n", 17 * n, 64 * n);
}
