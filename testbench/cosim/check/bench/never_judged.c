/* What the latencies of a description leave to the core: no comparison shows it. */
#include "testbench/cosim/check/bench/judged.h"
#include "testbench/cosim/check/bench/never.h"

struct speaker {
  const struct outcome *outcome;
  never_sayer *say;
  void *context;
};

/* ---- States ---- */

static void say_judged(void *context, const struct judged *judged) {
  const struct speaker *speaker = context;
  const bool has_rules = *judged->rules != '\0';
  char what[200], why[200];
  snprintf(what, sizeof what, "%s by the state of their own clock%s%s%s", judged->what,
           has_rules ? " (" : "", judged->rules, has_rules ? ")" : "");
  snprintf(why, sizeof why, "the latencies let %s judge them", judged->by);
  speaker->say(speaker->context, &(struct never){"state", what, why});
}

/* ---- Reads behind writes ---- */

/* Whether a register is written with this latency. */
static bool has_writes(const struct pmuv3_device *device, enum pmuv3_latency kind) {
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const bool is_increment = profile_class(reg) == CLASS_INCREMENT && !reg->is_page;
    if (reg->is_written && is_increment == (kind == PMUV3_LATENCY_SWINC)) return true;
  }
  return false;
}

static bool has_reads(const struct pmuv3_device *device, unsigned port) {
  for (size_t r = 0; r < device->num_registers; r++)
    if (device->registers[r].port == port && device->registers[r].read != 0) return true;
  return false;
}

/* In how many clocks behind a write a read may come too early. With a response pin, the read may
 * show what was so when it was taken, and nothing earlier. APB takes no two accesses in a row. */
static int clocks_behind(const struct pmuv3_device *device, const struct pmuv3_device_port *port,
                         enum pmuv3_latency kind) {
  const int write = device->latency[kind].max, read = device->latency[PMUV3_LATENCY_READ].max;
  const int clocks = port->has_response ? write : write + read - port->response;
  return clocks == 1 && port->is_apb && device->num_ports == 1 ? 0 : clocks;
}

static void say_early(const struct speaker *speaker, unsigned p, enum pmuv3_latency kind) {
  const struct pmuv3_device *device = speaker->outcome->device;
  const struct pmuv3_device_port *port = &device->ports[p];
  const int clocks = clocks_behind(device, port, kind);
  char what[120];
  if (clocks <= 0 || !has_writes(device, kind) || !has_reads(device, p)) return;
  snprintf(what, sizeof what, "whether reads through port %u show a write%s %s%d clock%s before", p,
           kind == PMUV3_LATENCY_SWINC ? " of PMSWINC" : "", clocks == 1 ? "" : "1 to ", clocks,
           clocks == 1 ? "" : "s");
  speaker->say(speaker->context,
               &(struct never){"port", what, "the latencies let them show what was before it"});
}

void never_judged(const struct outcome *outcome, never_sayer *sayer, void *context) {
  struct speaker speaker = {outcome, sayer, context};
  judged_by_others(outcome->device, say_judged, &speaker);
  for (unsigned p = 0; p < outcome->device->num_ports; p++) {
    say_early(&speaker, p, PMUV3_LATENCY_WRITE);
    say_early(&speaker, p, PMUV3_LATENCY_SWINC);
  }
}
