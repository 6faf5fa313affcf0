/* What no comparison reached, and why. */
#include "testbench/cosim/check/bench/never.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "pmuv3/record.h"
#include "pmuv3/registers.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/dut.h"
#include "testbench/cosim/check/bench/run.h"

struct speaker {
  const struct outcome *outcome;
  const struct pmuv3_device *device;
  never_sayer *say;
  void *context;
};

/* Whether `check` drove the device, and did so at random. */
static bool is_driven(const struct speaker *speaker) {
  return !speaker->outcome->options->recorded;
}

static bool is_random(const struct speaker *speaker) {
  return is_driven(speaker) && !speaker->outcome->options->replay;
}

/* `format` makes what was never compared. */
__attribute__((format(printf, 4, 5))) static void say(const struct speaker *speaker,
                                                      const char *kind, const char *why,
                                                      const char *format, ...) {
  char what[400];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof what, format, values);
  va_end(values);
  speaker->say(speaker->context, &(struct never){kind, what, why});
}

/* Whether the register is at another place, too. */
static bool has_two_places(const struct pmuv3_device *device,
                           const struct pmuv3_device_register *reg) {
  char name[40], other_name[40];
  pmuv3_device_register_name(reg, name);
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *other = &device->registers[r];
    if (other != reg && other->thread == reg->thread &&
        strcmp(name, pmuv3_device_register_name(other, other_name)) == 0)
      return true;
  }
  return false;
}

const char *never_name_of(const struct pmuv3_device *device,
                          const struct pmuv3_device_register *reg, char buf[NEVER_NAME_SIZE]) {
  char name[40], place[40] = "", thread[24] = "";
  if (has_two_places(device, reg))
    snprintf(place, sizeof place, " at 0x%" PRIX64 " of port %u", reg->address, reg->port);
  if (device->params.threads > 1) snprintf(thread, sizeof thread, " of thread %u", reg->thread);
  snprintf(buf, NEVER_NAME_SIZE, "%s%s%s", pmuv3_device_register_name(reg, name), place, thread);
  return buf;
}

/* ---- Registers and their bits ---- */

/* Whether a read gives a value: not of PMSWINC and its like. */
static bool is_readable(const struct pmuv3_device *device,
                        const struct pmuv3_device_register *reg) {
  return reg->is_page || pmuv3_register_readable(&device->params, reg->reg) == PMUV3_ACCESS_OK;
}

/* Why nothing shows what writes do. NULL: some were done, or none can do anything. */
static const char *why_unwritten(const struct speaker *speaker, size_t r) {
  const struct pmuv3_device_register *reg = &speaker->device->registers[r];
  const struct pmuv3_check_register *counts = &speaker->outcome->totals.registers[r];
  if (reg->write == 0 || !speaker->device->ports[reg->port].can_write || counts->writes > 0)
    return NULL;
  if (counts->ignored > 0)
    return counts->refused > 0 ? "each write refused, or ignored: Software Lock"
                               : "each write ignored: Software Lock";
  return counts->refused > 0 ? "each write refused" : "never written";
}

static const char *why_no_value(const struct speaker *speaker, size_t r) {
  const struct pmuv3_device_register *reg = &speaker->device->registers[r];
  if (reg->read == 0 && reg->write == 0) return "neither read nor written, by its masks";
  if (reg->read == 0)
    return is_readable(speaker->device, reg) ? "`read=0`: no bit of what is read" : NULL;
  const struct pmuv3_check_register *counts = &speaker->outcome->totals.registers[r];
  if (counts->reads > 0) return NULL;
  return counts->doubts > 0 ? "in doubt each time" : "no value was read";
}

/* Reads alone show what a register has when nobody writes it. */
static void say_accesses(const struct speaker *speaker, size_t r, const char *name) {
  const char *const why = why_no_value(speaker, r);
  const char *const unwritten = why_unwritten(speaker, r);
  const bool is_write_only = speaker->device->registers[r].read == 0;
  char both[120];
  if (why) {
    snprintf(both, sizeof both, "%s%s%s", why, unwritten ? ", and " : "",
             unwritten ? unwritten : "");
    say(speaker, "register", both, "%s", name);
  } else if (unwritten) {
    say(speaker, "register", unwritten, "%s%s", is_write_only ? "" : "what writes do in ", name);
  }
}

static void say_registers(const struct speaker *speaker) {
  char name[NEVER_NAME_SIZE];
  for (size_t r = 0; r < speaker->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &speaker->device->registers[r];
    never_name_of(speaker->device, reg, name);
    say_accesses(speaker, r, name);
    if (reg->is_unknown) say(speaker, "register", "`unknown`", "what a reset leaves in %s", name);
    if (profile_sets_hpmn(reg) && is_random(speaker))
      say(speaker, "register", "CONSTRAINED UNPREDICTABLE", "reserved values of HPMN in %s", name);
  }
  say(speaker, "register", "no `register` line", "registers that the description does not name");
}

/* The model starts with what the device has, right or wrong. */
static void say_initials(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  for (size_t i = 0; i < device->num_initials; i++) {
    const struct pmuv3_device_initial *initial = &device->initials[i];
    char why[48], name[24], thread[24] = "";
    snprintf(why, sizeof why, "`initial` says 0x%" PRIX64, initial->value);
    if (device->params.threads > 1)
      snprintf(thread, sizeof thread, " of thread %u", initial->thread);
    say(speaker, "register", why, "what a reset leaves in %s%s",
        pmuv3_register_name(initial->reg, name), thread);
  }
}

/* What the parameters have, and the device lacks. */
static void say_absent(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  if (device->has_no_cycles) say(speaker, "register", "`absent cycles`", "the cycle counter");
  for (size_t f = 0; f < device->num_absent_fields; f++)
    say(speaker, "bits", "`absent`", "%s.%s", device->absent_fields[f].reg,
        device->absent_fields[f].field);
}

/* Whoever says that bits cannot be written is believed, right or wrong. */
static void say_masks(const struct speaker *speaker) {
  char name[NEVER_NAME_SIZE];
  for (size_t r = 0; r < speaker->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &speaker->device->registers[r];
    const struct pmuv3_device_port *port = &speaker->device->ports[reg->port];
    const uint64_t all = port->width == 32 ? UINT32_MAX : UINT64_MAX;
    if (reg->read == 0 && reg->write == 0) continue;
    never_name_of(speaker->device, reg, name);
    if (reg->read != 0 && reg->read != all)
      say(speaker, "bits", "outside `read=`", "%s, bits 0x%" PRIX64 " of what is read", name,
          all & ~reg->read);
    if (reg->unwritten != 0 && port->can_write)
      say(speaker, "bits", "outside `write=`", "%s, bits 0x%" PRIX64, name, reg->unwritten);
  }
}

/* ---- Outputs ---- */

/* Why nothing was compared at a place (pmuv3_check_place). NULL: something was. */
static const char *why_none(const struct speaker *speaker, enum pmuv3_compared what, unsigned of,
                            unsigned counter) {
  const struct pmuv3_check_counts *counts = &speaker->outcome->totals.counts;
  const size_t place = pmuv3_check_place(what, of, counter);
  if (counts->compared_at[place] > 0) return NULL;
  if (counts->uncertain_at[place] > 0)
    return counts->unknown_at[place] > 0 ? "X, or in doubt, each time" : "in doubt each time";
  if (counts->unknown_at[place] > 0) return "X in each clock";
  return what == PMUV3_COMPARED_ERROR ? "no access ended" : "too few clocks";
}

static bool any_sees(const struct pmuv3_device *device, unsigned seen) {
  for (unsigned t = 0; t < device->params.threads; t++)
    if (device->seen[t] & seen) return true;
  return false;
}

/* "thread 1: ", or "" if there are no others. */
enum { THREAD_SIZE = 16 };
static const char *of_thread(const struct speaker *speaker, unsigned thread,
                             char buf[THREAD_SIZE]) {
  buf[0] = '\0';
  if (speaker->device->params.threads > 1) snprintf(buf, THREAD_SIZE, "thread %u: ", thread);
  return buf;
}

/* Ports of which nothing says how accesses end. */
static void say_errors(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  const char *const no_pin = "no `error` pin";
  if (!pmuv3_device_has(device, PMUV3_ROLE_ERROR)) {
    say(speaker, "output", no_pin, "how accesses end");
    return;
  }
  for (unsigned p = 0; p < device->num_ports; p++) {
    const char *why =
        device->ports[p].has_error ? why_none(speaker, PMUV3_COMPARED_ERROR, p, 0) : no_pin;
    if (!why) continue;
    if (device->num_ports > 1)
      say(speaker, "output", why, "how accesses of port %u end", p);
    else
      say(speaker, "output", why, "how accesses end");
  }
}

static void say_outputs(const struct speaker *speaker) {
  static const struct {
    enum pmuv3_compared what;
    unsigned seen;
    const char *text, *no_line;
  } outputs[] = {
      {PMUV3_COMPARED_IRQ, PMUV3_SEEN_IRQ, "the interrupt", "no `irq` line"},
      {PMUV3_COMPARED_CTI, PMUV3_SEEN_CTI, "the CTI trigger", "no `cti` line"},
      {PMUV3_COMPARED_EXCEPTION, PMUV3_SEEN_EXCEPTION, "the PMU Profiling exception",
       "no `exception` line"},
  };
  const struct pmuv3_device *device = speaker->device;
  char thread[THREAD_SIZE];
  for (size_t o = 0; o < sizeof outputs / sizeof outputs[0]; o++) {
    const unsigned seen = outputs[o].seen;
    if (!any_sees(device, seen)) {
      say(speaker, "output", outputs[o].no_line, "%s", outputs[o].text);
      continue;
    }
    for (unsigned t = 0; t < device->params.threads; t++) {
      const char *why =
          device->seen[t] & seen ? why_none(speaker, outputs[o].what, t, 0) : outputs[o].no_line;
      if (why) say(speaker, "output", why, "%s%s", of_thread(speaker, t, thread), outputs[o].text);
    }
  }
  say_errors(speaker);
}

/* Of a recording it is not known which signals are ports. */
static void say_unnamed(const struct speaker *speaker) {
  const struct pmuv3_dut_bits *bits = speaker->outcome->profile->unnamed;
  if (!bits)
    say(speaker, "output", "no line names them", "outputs that the description does not name");
  for (; bits && bits->name; bits++) {
    if (bits->is_whole)
      say(speaker, "output", "no line names it", "%s", bits->name);
    else if (bits->msb == bits->lsb)
      say(speaker, "output", "no line names it", "bit [%d] of %s", bits->lsb, bits->name);
    else
      say(speaker, "output", "no line names them", "bits [%d:%d] of %s", bits->msb, bits->lsb,
          bits->name);
  }
}

/* ---- What no line of a description can say ---- */

static void say_beyond_lines(const struct speaker *speaker) {
  const struct pmuv3_params *params = &speaker->device->params;
  const bool has_checked_port = speaker->outcome->profile->has_checked_port;
  const char *why = "no line of a description can say it";
  if (pmuv3_has(params, PMUV3_FEATURE_PMUv3p9) && pmuv3_has(params, PMUV3_FEATURE_Debugv8p9))
    say(speaker, "output", why, "the request to halt (EDECR.PME)");
  say(speaker, "output", why, "what freezes BRBE");
  say(speaker, "output", why, "pulses of overflows");
  if (pmuv3_has(params, PMUV3_FEATURE_SS))
    say(speaker, "input", why, "captures that a pin requests");
  if (!has_checked_port) return;
  say(speaker, "output", why, "the Exception level that a trap goes to, and its syndrome");
  if (params->el2 && params->aa64) say(speaker, "state", why, "fine-grained traps");
}

/* ---- Internals ---- */

struct internal {
  enum pmuv3_compared what;
  unsigned seen;
  const char *all, *while_all; /* of all counters, or of several */
  const char *one, *while_one;
  const char *no_line;
};

static uint64_t all_counters(const struct pmuv3_device *device, enum pmuv3_compared what) {
  const uint64_t event_counters = (UINT64_C(1) << device->params.counters) - 1;
  if (what == PMUV3_COMPARED_V) return event_counters;
  return event_counters | (device->has_no_cycles ? 0 : PMUV3_MASK(PMCNTENSET, C)) |
         (pmuv3_has(&device->params, PMUV3_FEATURE_ICNTR) ? PMUV3_MASK(PMCNTENSET, F0) : 0);
}

static uint64_t visible_counters(const struct pmuv3_device *device, unsigned t,
                                 enum pmuv3_compared what) {
  if (what == PMUV3_COMPARED_V) return device->V_seen[t];
  return what == PMUV3_COMPARED_OVERFLOW ? device->flags_seen[t] : device->counters_seen[t];
}

/* The counters of a thread that nothing shows while nobody reads them, by number unless it is all
 * of them. */
static void say_invisible(const struct speaker *speaker, unsigned t,
                          const struct internal *internal) {
  const uint64_t all = all_counters(speaker->device, internal->what);
  const uint64_t invisible = all & ~visible_counters(speaker->device, t, internal->what);
  char thread[THREAD_SIZE], numbers[4 * 33] = "";
  size_t length = 0;
  if (!invisible) return;
  for (unsigned n = 0; invisible != all && n < 33; n++)
    if (invisible >> n & 1)
      length += (size_t)snprintf(numbers + length, sizeof numbers - length, " %u", n);
  say(speaker, "output", internal->no_line, "%s%s%s%s", of_thread(speaker, t, thread),
      internal->all, numbers, internal->while_all);
}

/* Counters that are visible, and were not compared. Each has a row, since modes differ. */
static void say_unseen(const struct speaker *speaker, unsigned t, const struct internal *internal) {
  const uint64_t visible = visible_counters(speaker->device, t, internal->what);
  char thread[THREAD_SIZE];
  for (uint64_t left = visible; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    const char *why = why_none(speaker, internal->what, t, n);
    if (why)
      say(speaker, "output", why, "%s%s %u%s", of_thread(speaker, t, thread), internal->one, n,
          internal->while_one);
  }
}

static void say_internals(const struct speaker *speaker) {
  static const struct internal internals[] = {
      {PMUV3_COMPARED_COUNTER, PMUV3_SEEN_COUNTERS, "counters", " while nobody reads them",
       "counter", " while nobody reads it", "no `visible counter` line"},
      {PMUV3_COMPARED_OVERFLOW, PMUV3_SEEN_OVERFLOW, "flags", " while nobody reads them", "flag",
       " while nobody reads it", "no `visible overflow` line"},
      {PMUV3_COMPARED_V, PMUV3_SEEN_V, "V of counters", "", "V of counter", "",
       "no `visible V` line"},
  };
  for (size_t i = 0; i < sizeof internals / sizeof internals[0]; i++) {
    const struct internal *internal = &internals[i];
    if (!any_sees(speaker->device, internal->seen)) {
      say(speaker, "output", internal->no_line, "%s%s", internal->all, internal->while_all);
      continue;
    }
    for (unsigned t = 0; t < speaker->device->params.threads; t++) {
      say_invisible(speaker, t, internal);
      say_unseen(speaker, t, internal);
    }
  }
}

/* ---- Outputs that stay 0 ---- */

/* An output that is always 0 was compared, and says little. */
static void say_still(const struct speaker *speaker) {
  static const struct {
    unsigned seen;
    const char *text;
  } outputs[PMUV3_CHECK_OUTPUTS] = {
      {PMUV3_SEEN_IRQ, "the interrupt, asserted"},
      {PMUV3_SEEN_CTI, "the CTI trigger, asserted"},
      {PMUV3_SEEN_EXCEPTION, "the PMU Profiling exception, asserted"}};
  const struct pmuv3_check_counts *counts = &speaker->outcome->totals.counts;
  for (unsigned t = 0; t < speaker->device->params.threads; t++)
    for (unsigned o = 0; o < PMUV3_CHECK_OUTPUTS; o++)
      if ((speaker->device->seen[t] & outputs[o].seen) && counts->asserted[t][o] == 0)
        say(speaker, "output", "no comparison saw it", "thread %u: %s", t, outputs[o].text);
}

/* ---- Events ---- */

/* Whether an earlier pin is of the same event. */
static bool is_told(const struct pmuv3_device *device, size_t event) {
  for (size_t e = 0; e < event; e++)
    if (pmuv3_device_is_same_event(&device->events[e], &device->events[event])) return true;
  return false;
}

/* Whether a thread's event has several pins, of whatever origin. */
static bool has_several_pins(const struct pmuv3_device *device, size_t event) {
  unsigned pins = 0;
  for (size_t e = 0; e < device->num_events; e++)
    pins += device->events[e].number == device->events[event].number &&
            device->events[e].thread == device->events[event].thread;
  return pins > 1;
}

/* Which of an event's pins it is, if there are several. */
static const char *pin_of(const struct pmuv3_device *device, size_t event, char buf[140]) {
  char text[128];
  buf[0] = '\0';
  if (!has_several_pins(device, event)) return buf;
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_EVENT &&
        device->pins[p].index == device->events[event].source)
      snprintf(buf, 140, " on %s", pmuv3_pin_text(&device->pins[p], text, sizeof text));
  return buf;
}

static void say_uncounted(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  char pin[140];
  for (size_t e = 0; e < device->num_events; e++)
    if (speaker->outcome->totals.reached[cover_of_event(e)] == 0)
      say(speaker, "event", "no counter counted it in an observed clock",
          "event 0x%04X of thread %u%s", device->events[e].number, device->events[e].thread,
          pin_of(device, e, pin));
}

static void say_events(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  const struct profile *profile = speaker->outcome->profile;
  for (size_t e = 0; e < device->num_absent_events; e++)
    say(speaker, "event", "`absent`", "event 0x%04X", device->absent_events[e]);
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    const unsigned max = profile->max[event->source];
    if (profile->is_limited[event->source])
      say(speaker, "event", event->max == max ? "`max=`" : "it occurs no more often",
          "more than %u of event 0x%04X of thread %u in a clock", max, event->number,
          event->thread);
  }
  for (size_t e = 0; e < device->num_events; e++)
    if (pmuv3_device_excess(device, e, profile->max) > 0 && !is_told(device, e))
      say(speaker, "event", "it occurs no more often",
          "more than %u of event 0x%04X of thread %u in a clock, of all its pins",
          pmuv3_device_most_together(device, e), device->events[e].number,
          device->events[e].thread);
  say_uncounted(speaker);
}

/* ---- Ports ---- */

/* Accesses that do nothing may fail in one device, and end well in another. */
static void say_ends(const struct speaker *speaker) {
  char name[NEVER_NAME_SIZE];
  for (size_t r = 0; r < speaker->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &speaker->device->registers[r];
    const struct pmuv3_device_port *port = &speaker->device->ports[reg->port];
    if (!port->has_error) continue;
    never_name_of(speaker->device, reg, name);
    if (!reg->is_read) say(speaker, "port", "it has no value", "how reads of %s end", name);
    if (!reg->is_written && port->can_write && !port->has_response)
      say(speaker, "port", "no bit of it is written", "how writes of %s end", name);
  }
}

static void say_ports(const struct speaker *speaker) {
  for (unsigned p = 0; p < speaker->device->num_ports; p++) {
    const struct pmuv3_device_port *port = &speaker->device->ports[p];
    if (speaker->device->has_clock_enable && (port->has_ready || port->has_response))
      say(speaker, "port", "Processor cycles alone count",
          "how long accesses of port %u wait while the clock enable is low", p);
    if (port->has_response)
      say(speaker, "port", "the response pin may be 1 without a read that waits",
          "answers of port %u that nobody asked for", p);
    if (port->has_response && port->has_error && port->can_write)
      say(speaker, "port", "only reads have a response", "whether writes of port %u failed", p);
  }
}

/* ---- Inputs ---- */

/* A mistake that only a longer time shows. */
static void say_lengths(const struct speaker *speaker) {
  const char *why = "random stimulus makes none";
  if (speaker->device->has_clock_enable)
    say(speaker, "input", why, "more than %u clocks with the clock enable low", LONGEST_STOP);
  say(speaker, "input", why, "more than %u clocks without a reset", TASK_CLOCKS);
  say(speaker, "input", why, "more than %u clocks with the same events or without an access",
      LONGEST_STRETCH);
}

/* What is only said to be so where latencies are exact, or nothing else happens around an access.
 */
static void say_mode(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  const unsigned quiet = pmuv3_device_quiet_clocks(device);
  char why[40];
  snprintf(why, sizeof why, "not in this mode for %u clocks", quiet);
  if (quiet > 0) {
    say(speaker, "input", why, "events around a write or a change of the state");
    say(speaker, "input", why, "accesses around a write or a change of the state");
  }
  if (device->mode != PMUV3_MODE_EXACT && device->has_clock_enable)
    say(speaker, "input", "not in this mode",
        "events near a clock in which the clock enable is low");
  if (device->mode != PMUV3_MODE_SETTLED) return;
  say(speaker, "input", why, "accesses around a read");
  say(speaker, "input", "not in this mode", "pins that change in the clock after a request");
  if (device->has_clock_enable)
    say(speaker, "input", "not in this mode", "accesses while the clock enable is low");
}

/* The checker takes them from a recording, but nothing is known of the counts then. */
static void say_doubts(const struct speaker *speaker) {
  if (pmuv3_device_quiet_clocks(speaker->device) > 0)
    say(speaker, "input", "in doubt in this mode",
        "events around a write or a change of the state");
}

static void say_resets(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  unsigned pins[2] = {0};
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_RESET) pins[device->pins[p].index]++;
  if (pins[0] + pins[1] == 0) return;
  if (is_random(speaker))
    say(speaker, "input", "random stimulus makes none", "resets of less than %u clocks",
        pmuv3_device_reset_clocks(device));
  say(speaker, "input", "stimulus has none",
      "events, requests and changes of the state in a clock with a reset");
  if (device->has_clock_enable)
    say(speaker, "input", "stimulus has none", "resets while the clock enable is low");
  const unsigned state = pmuv3_device_state_clocks(device);
  if (state > 0)
    say(speaker, "input", "stimulus has none", "accesses in the first %u clock%s after a reset",
        state, state == 1 ? "" : "s");
  if (pins[0] > 0 && pins[1] > 0) {
    say(speaker, "input", "stimulus has none", "a Cold reset without a Warm one");
    say(speaker, "input", "the master may go on", "a Warm reset in the middle of an access");
  }
  if (device->mode != PMUV3_MODE_EXACT)
    say(speaker, "input", "not in this mode",
        "a reset in the middle of a write or a change of the state");
  if (device->mode == PMUV3_MODE_SETTLED)
    say(speaker, "input", "not in this mode", "a reset in the middle of a read");
  if (pins[0] > 1 || pins[1] > 1)
    say(speaker, "input", "all pins of a kind are asserted together", "a reset by one of the pins");
}

static void say_inputs(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  char text[128];
  if (device->has_clock_enable && speaker->outcome->totals.counts.stopped == 0)
    say(speaker, "input", "no clock had it low", "the clock enable, low");
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_TIE)
      say(speaker, "input", "`tie`", "other values of %s",
          pmuv3_pin_text(&device->pins[p], text, sizeof text));
  if (!is_driven(speaker)) {
    say_doubts(speaker);
    return;
  }
  say_resets(speaker);
  if (is_random(speaker)) say_lengths(speaker);
  say_mode(speaker);
}

/* ---- Contexts ---- */

static void say_contexts(const struct speaker *speaker) {
  static const char *const names[] = {"el", "ss"};
  bool has_events[PMUV3_MAX_THREADS] = {false};
  for (size_t e = 0; e < speaker->device->num_events; e++)
    has_events[speaker->device->events[e].thread] |=
        speaker->device->events[e].origin == PMUV3_OTHER;
  for (unsigned t = 0; t < speaker->device->params.threads; t++)
    for (unsigned key = 0; has_events[t] && key < 2; key++)
      if (speaker->outcome->profile->others[t][key].num_values == 0)
        say(speaker, "context", "constant: no `other` line has a pin",
            "other %s of events of origin `other` of thread %u", names[key], t);
}

/* ---- States ---- */

static bool has_pin(const struct profile *profile, unsigned thread, unsigned key) {
  for (unsigned s = 0; s < profile->num_states; s++)
    if (profile->states[s].thread == thread && profile->states[s].key == key) return true;
  return false;
}

static void say_constants(const struct speaker *speaker, unsigned t) {
  char keys[300] = "", thread[THREAD_SIZE];
  for (unsigned key = 0; key < PMUV3_NUM_STATE_KEYS; key++) {
    const size_t length = strlen(keys);
    if (has_pin(speaker->outcome->profile, t, key)) continue;
    snprintf(keys + length, sizeof keys - length, "%s%s", length ? " " : "",
             pmuv3_state_key_name((enum pmuv3_state_key)key));
  }
  if (*keys)
    say(speaker, "state", "constant: no `state` line has a pin", "%sother states of %s",
        of_thread(speaker, t, thread), keys);
}

/* Of several values that say the same, the pin has the first. */
static void say_other_values(const struct speaker *speaker, const struct pmuv3_pin *pin) {
  for (unsigned v = 0; v < pin->num_values; v++) {
    unsigned first = 0;
    while (pin->to[first] != pin->to[v]) first++;
    if (first < v)
      say(speaker, "state", "another value says the same", "value %u of %s", pin->from[v],
          pin->name);
  }
}

/* EDECR.PME decides on the request to halt alone. */
static void say_pme(const struct speaker *speaker) {
  for (unsigned t = 0; t < speaker->device->params.threads; t++)
    if (has_pin(speaker->outcome->profile, t, PMUV3_STATE_pme))
      say(speaker, "state", "nothing that is compared depends on it", "pme of thread %u", t);
}

static void say_states(const struct speaker *speaker) {
  const struct profile *profile = speaker->outcome->profile;
  for (unsigned t = 0; t < speaker->device->params.threads; t++) say_constants(speaker, t);
  for (unsigned s = 0; s < profile->num_states; s++)
    if (profile->states[s].is_limited)
      say(speaker, "state", "no state has them", "larger values of the pin of %s of thread %u",
          pmuv3_state_key_name((enum pmuv3_state_key)profile->states[s].key),
          profile->states[s].thread);
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    for (unsigned v = 0; v < state->num_values; v++)
      if (speaker->outcome->totals.reached[cover_of_state(speaker->device, state->thread,
                                                          state->key, state->values[v])] == 0)
        say(speaker, "state", "never entered in an observed clock", "%s %u of thread %u",
            pmuv3_state_key_name((enum pmuv3_state_key)state->key), state->values[v],
            state->thread);
  }
  for (size_t p = 0; p < speaker->device->num_pins; p++)
    if (speaker->device->pins[p].role == PMUV3_ROLE_STATE && is_driven(speaker))
      say_other_values(speaker, &speaker->device->pins[p]);
}

/* ---- Latencies ---- */

static void say_latencies(const struct speaker *speaker) {
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    const char *why = never_latency(speaker->outcome, (enum pmuv3_latency)l);
    if (why) say(speaker, "latency", why, "latency %s", pmuv3_latency_name((enum pmuv3_latency)l));
  }
}

/* ---- Limits ---- */

/* What Verilator alone reads. */
static void say_simulators(const struct speaker *speaker) {
  const struct options *options = speaker->outcome->options;
  if (options->variant)
    say(speaker, "simulator", options->variant, "the RTL without Verilator's own macros");
  if (options->unread)
    say(speaker, "simulator", options->unread, "the RTL as a second simulator reads it");
}

static void say_limits(const struct speaker *speaker) {
  static const char *const limits[] = {
#define PMUV3_LIMIT(text) text,
#include "testbench/cosim/check/bench/limits.def"
  };
  for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
    say(speaker, "limit", "`check` compares it of no device", "%s", limits[l]);
}

void never_compared(const struct outcome *outcome, never_sayer *sayer, void *context) {
  const struct speaker speaker = {outcome, outcome->device, sayer, context};
  say_registers(&speaker);
  say_initials(&speaker);
  say_absent(&speaker);
  say_masks(&speaker);
  say_outputs(&speaker);
  say_unnamed(&speaker);
  say_beyond_lines(&speaker);
  say_internals(&speaker);
  say_still(&speaker);
  say_inputs(&speaker);
  say_ports(&speaker);
  say_ends(&speaker);
  say_events(&speaker);
  say_contexts(&speaker);
  say_states(&speaker);
  say_pme(&speaker);
  say_latencies(&speaker);
  never_flags(outcome, sayer, context);
  never_judged(outcome, sayer, context);
  say_simulators(&speaker);
  say_limits(&speaker);
}
