#include "testbench/cosim/check/bench/judged.h"

#include <stdarg.h>
#include <stdlib.h>

struct speaker {
  const struct pmuv3_device *device;
  judged_sayer *say;
  void *context;
};

/* How long an input takes, in clocks. The last `cycles` of them are Processor cycles. */
struct delay {
  int min, max;
  unsigned cycles;
};

/* By how much the state that judges is later than the input's own. */
struct distance {
  int first, last;
  bool in_cycles; /* Processor cycles, not clocks */
  int if_stopped; /* with a stopped clock: 1 later, -1 earlier, 0 neither */
};

enum { TEXT = 120 };

/* ---- Words ---- */

static const char *words_of(struct distance distance, char buf[TEXT]) {
  const int first = distance.first, last = distance.last;
  const int most = abs(first) > abs(last) ? abs(first) : abs(last);
  const bool is_later = last > 0 || (last == 0 && first == 0);
  const char *const side = is_later ? "later" : "earlier";
  const char *const more = distance.if_stopped ? ", or more where the clock stops" : "";
  char unit[20];
  snprintf(unit, sizeof unit, "%s%s", distance.in_cycles ? "Processor cycle" : "clock",
           most == 1 ? "" : "s");
  if (first == 0 && last == 0)
    snprintf(buf, TEXT, "%s state where the clock stops",
             distance.if_stopped > 0 ? "a later" : "an earlier");
  else if (first == last)
    snprintf(buf, TEXT, "the state %d %s %s%s", most, unit, side, more);
  else if (first < 0 && last > 0)
    snprintf(buf, TEXT, "a state from %d earlier to %d %s later%s", -first, last, unit, more);
  else
    snprintf(buf, TEXT, "a state %d to %d %s %s%s", is_later ? first : -last, most, unit, side,
             more);
  return buf;
}

/* `format` makes the inputs. */
__attribute__((format(printf, 4, 5))) static void say(const struct speaker *speaker, const char *by,
                                                      const char *rules, const char *format, ...) {
  char what[TEXT];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof what, format, values);
  va_end(values);
  speaker->say(speaker->context, &(struct judged){what, rules, by});
}

/* ---- Delays ---- */

static struct delay delay_of(const struct pmuv3_device *device, enum pmuv3_latency kind,
                             unsigned latency) {
  const struct pmuv3_range range = device->latency[kind];
  return (struct delay){(int)latency, (int)latency + range.max - range.min,
                        pmuv3_device_cycles(device, kind, latency)};
}

static struct delay whole_delay(const struct pmuv3_device *device, enum pmuv3_latency kind) {
  return delay_of(device, kind, device->latency[kind].min);
}

static struct distance distance_of(const struct speaker *speaker, struct delay input) {
  const struct delay state = whole_delay(speaker->device, PMUV3_LATENCY_STATE);
  struct distance distance = {input.min - state.max, input.max - state.min, false, 0};
  if (input.cycles > 0 && state.cycles > 0)
    distance.in_cycles = true;
  else
    distance.if_stopped = (input.cycles > 0) - (state.cycles > 0);
  return distance;
}

/* Whether it is the state of the input's own clock, in any case. */
static bool is_own(struct distance distance) {
  return distance.first == 0 && distance.last == 0 && distance.if_stopped == 0;
}

/* ---- What counts ---- */

/* The filters look at the state only for events of the thread itself. */
static bool is_filtered(const struct pmuv3_device_event *event) {
  return event->origin == PMUV3_CURRENT;
}

static bool have_one_latency(const struct pmuv3_device *device) {
  const struct pmuv3_device_event *first = NULL;
  for (size_t e = 0; e < device->num_events; e++) {
    if (!is_filtered(&device->events[e])) continue;
    if (!first) first = &device->events[e];
    if (device->events[e].latency != first->latency) return false;
  }
  return true;
}

static void say_events(const struct speaker *speaker) {
  static const char rules[] = "D13.7-10, D13.7-11";
  const struct pmuv3_device *device = speaker->device;
  const bool is_one = have_one_latency(device);
  char by[TEXT];
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    const struct distance distance =
        distance_of(speaker, delay_of(device, PMUV3_LATENCY_EVENT, event->latency));
    if (!is_filtered(event) || is_own(distance)) continue;
    if (is_one) {
      say(speaker, words_of(distance, by), rules, "events");
      return;
    }
    say(speaker, words_of(distance, by), rules, "occurrences of event 0x%04X of thread %u",
        event->number, event->thread);
  }
}

/* The clock enable says which clocks are Processor cycles. Flip-flops of states that stop with the
 * clock count them. */
static void say_cycles(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->device;
  struct distance distance = distance_of(speaker, whole_delay(device, PMUV3_LATENCY_CLOCK));
  char by[TEXT];
  distance.in_cycles = distance.if_stopped != 0;
  distance.if_stopped = 0;
  if (device->has_clock_enable && !is_own(distance))
    say(speaker, words_of(distance, by), "CYC-7", "Processor cycles");
}

static bool is_increment(const struct pmuv3_device_register *reg, bool is_page) {
  return pmuv3_device_viewed(reg->reg) == PMUV3_PMSWINC && reg->is_page == is_page;
}

/* A word of the page is late as all other writes. */
static void say_increments(const struct speaker *speaker, bool is_page) {
  const struct pmuv3_device *device = speaker->device;
  const enum pmuv3_latency kind = is_page ? PMUV3_LATENCY_WRITE : PMUV3_LATENCY_SWINC;
  const struct distance distance = distance_of(speaker, whole_delay(device, kind));
  char by[TEXT];
  bool any = false;
  for (size_t r = 0; r < device->num_registers; r++)
    any |= is_increment(&device->registers[r], is_page);
  if (any && !is_own(distance))
    say(speaker, words_of(distance, by), "D13.7-13", "software increments%s",
        is_page ? " through the page" : "");
}

/* ---- Accesses ---- */

/* Whether the state decides which accesses through a port are done. */
static bool is_judged(const struct pmuv3_device *device, unsigned port) {
  for (size_t r = 0; r < device->num_registers; r++)
    if (device->registers[r].port == port && device->registers[r].is_page) return true;
  return device->ports[port].is_checked;
}

/* The state that judges a read is as late as what the read shows. */
static void say_reads(const struct speaker *speaker, unsigned p, const char *rules) {
  const struct pmuv3_device_port *port = &speaker->device->ports[p];
  const struct pmuv3_range read = speaker->device->latency[PMUV3_LATENCY_READ];
  const struct pmuv3_range state = speaker->device->latency[PMUV3_LATENCY_STATE];
  const struct distance distance =
      distance_of(speaker, (struct delay){port->response - read.max, port->response - read.min, 0});
  char by[TEXT];
  if (port->has_response) {
    const unsigned clocks = (unsigned)(read.min + state.min);
    snprintf(by, sizeof by, "the state %u clock%s before the answer", clocks,
             clocks == 1 ? "" : "s");
    say(speaker, by, rules, "reads through port %u", p);
  } else if (!is_own(distance)) {
    say(speaker, words_of(distance, by), rules, "reads through port %u", p);
  }
}

static void say_accesses(const struct speaker *speaker, unsigned p) {
  const struct pmuv3_device *device = speaker->device;
  const char *const rules = device->ports[p].is_checked ? "table D13-12" : "";
  const struct distance distance = distance_of(speaker, whole_delay(device, PMUV3_LATENCY_WRITE));
  char by[TEXT];
  if (!is_judged(device, p)) return;
  if (device->ports[p].can_write && !is_own(distance))
    say(speaker, words_of(distance, by), rules, "writes through port %u", p);
  say_reads(speaker, p, rules);
}

/* EDECR.PME judges nothing that goes into a device. */
static bool has_states(const struct pmuv3_device *device) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_STATE && device->pins[p].index != PMUV3_STATE_pme)
      return true;
  return false;
}

void judged_by_others(const struct pmuv3_device *device, judged_sayer *sayer, void *context) {
  const struct speaker speaker = {device, sayer, context};
  if (!has_states(device)) return;
  say_events(&speaker);
  say_cycles(&speaker);
  say_increments(&speaker, false);
  say_increments(&speaker, true);
  for (unsigned p = 0; p < device->num_ports; p++) say_accesses(&speaker, p);
}
