/* What others ask of a device. */
#include "pmuv3/device.h"

#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"

void pmuv3_device_free(struct pmuv3_device *device) {
  if (!device) return;
  for (size_t p = 0; p < device->num_pins; p++) free(device->pins[p].name);
  free(device->pins);
  free(device->registers);
  free(device->initials);
  free(device->top);
  free(device->file);
  free(device);
}

/* ---- Latencies that are not known exactly ---- */

static unsigned span(const struct pmuv3_device *device, enum pmuv3_latency latency) {
  return (unsigned)(device->latency[latency].max - device->latency[latency].min);
}

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

unsigned pmuv3_device_event_slack(const struct pmuv3_device *device) {
  if (device->mode != PMUV3_MODE_WITHIN) return 0;
  return larger(span(device, PMUV3_LATENCY_EVENT), span(device, PMUV3_LATENCY_SWINC)) +
         span(device, PMUV3_LATENCY_FLAG);
}

unsigned pmuv3_device_change_slack(const struct pmuv3_device *device) {
  if (device->mode != PMUV3_MODE_WITHIN) return 0;
  return larger(larger(span(device, PMUV3_LATENCY_WRITE), span(device, PMUV3_LATENCY_STATE)),
                span(device, PMUV3_LATENCY_CLOCK));
}

enum pmuv3_latency pmuv3_device_too_late(const struct pmuv3_device *device) {
  const unsigned slack =
      larger(pmuv3_device_event_slack(device), pmuv3_device_change_slack(device));
  unsigned l = PMUV3_LATENCY_FLAG + 1;
  while (l < PMUV3_NUM_LATENCIES && device->latency[l].max + slack <= PMUV3_DEVICE_MAX_WINDOW) l++;
  return (enum pmuv3_latency)l;
}

unsigned pmuv3_device_quiet_clocks(const struct pmuv3_device *device) {
  unsigned sum = 0, longest = 0, slack = 0;
  if (device->mode == PMUV3_MODE_EXACT) return 0;
  for (unsigned l = 0; l <= PMUV3_LATENCY_FLAG; l++) {
    sum += device->latency[l].max;
    longest = larger(longest, device->latency[l].max);
    slack += span(device, (enum pmuv3_latency)l);
  }
  if (device->mode == PMUV3_MODE_SETTLED) return device->settle + 1 + longest;
  return slack ? sum + 2 : 0;
}

const char *pmuv3_device_set_mode(struct pmuv3_device *device, enum pmuv3_mode mode) {
  const enum pmuv3_mode before = device->mode;
  for (unsigned l = 0; mode == PMUV3_MODE_EXACT && l < PMUV3_NUM_LATENCIES; l++)
    if (span(device, (enum pmuv3_latency)l) > 0)
      return "mode exact needs exact latencies, not A..B";
  device->mode = mode;
  if (pmuv3_device_too_late(device) == PMUV3_NUM_LATENCIES) return NULL;
  device->mode = before;
  return "with the ranges of the inputs, an output may be too late for mode within";
}

/* ---- Registers, pins ---- */

size_t pmuv3_device_find(const struct pmuv3_device *device, unsigned port, uint64_t address) {
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    if (reg->address == address && reg->port == port) return r;
  }
  return device->num_registers;
}

const char *pmuv3_device_register_name(const struct pmuv3_device_register *reg, char buf[40]) {
  static const char *const halves[] = {"", ".low", ".high"};
  char name[24];
  if (reg->is_page)
    snprintf(buf, 40, "page.0x%03X", reg->offset);
  else
    snprintf(buf, 40, "%s%s", pmuv3_register_name(reg->reg, name),
             halves[reg->names_half ? reg->half : PMUV3_WHOLE]);
  return buf;
}

bool pmuv3_device_clears(uint16_t reg) {
  switch (pmuv3_device_viewed(reg)) {
    case PMUV3_PMCNTENCLR:
    case PMUV3_PMINTENCLR:
    case PMUV3_PMOVSCLR:
      return true;
    default:
      return false;
  }
}

bool pmuv3_device_shows_flags(uint16_t reg) {
  const uint16_t viewed = pmuv3_device_viewed(reg);
  return viewed == PMUV3_PMOVSCLR || viewed == PMUV3_PMOVSSET;
}

bool pmuv3_device_acts_by_ones(uint16_t reg) {
  switch (pmuv3_device_viewed(reg)) {
    case PMUV3_PMCNTENSET:
    case PMUV3_PMINTENSET:
    case PMUV3_PMOVSSET:
    case PMUV3_PMSWINC:
    case PMUV3_PMZR:
    case PMUV3_PMSSCR:
      return true;
    default:
      return pmuv3_device_clears(reg);
  }
}

const char *pmuv3_pin_text(const struct pmuv3_pin *pin, char *buf, size_t size) {
  if (pin->msb < 0)
    snprintf(buf, size, "%s", pin->name);
  else if (pin->msb == pin->lsb)
    snprintf(buf, size, "%s[%d]", pin->name, pin->msb);
  else
    snprintf(buf, size, "%s[%d:%d]", pin->name, pin->msb, pin->lsb);
  return buf;
}

const char *pmuv3_latency_name(enum pmuv3_latency latency) {
  static const char *const names[] = {"event", "state",     "clock", "swinc",  "write",
                                      "flag",  "interrupt", "read",  "visible"};
  return names[latency];
}

const char *pmuv3_mode_name(enum pmuv3_mode mode) {
  static const char *const names[] = {"exact", "within", "settled"};
  return names[mode];
}

const char *pmuv3_state_key_name(enum pmuv3_state_key key) {
  static const char *const names[] = {
#define PMUV3_PE_NUMBER(name, bits, text) #name,
#define PMUV3_PE_FLAG(name, text) #name,
#include "pmuv3/pe.def"
  };
  return names[key];
}

const char *pmuv3_role_name(enum pmuv3_role role) {
  static const char *const names[] = {"clock",        "reset",    "clock_enable",
                                      "tie",          "event",    "state",
                                      "other",        "irq",      "cti",
                                      "exception",    "request",  "enable",
                                      "ready",        "write",    "address",
                                      "data",         "response", "value",
                                      "error",        "visible",  "visible overflow",
                                      "visible flag", "visible V"};
  return names[role];
}

bool pmuv3_role_is_input(enum pmuv3_role role) {
  switch (role) {
    case PMUV3_ROLE_CLOCK:
    case PMUV3_ROLE_RESET:
    case PMUV3_ROLE_CLOCK_ENABLE:
    case PMUV3_ROLE_TIE:
    case PMUV3_ROLE_EVENT:
    case PMUV3_ROLE_STATE:
    case PMUV3_ROLE_OTHER:
    case PMUV3_ROLE_REQUEST:
    case PMUV3_ROLE_ENABLE:
    case PMUV3_ROLE_WRITE:
    case PMUV3_ROLE_ADDRESS:
    case PMUV3_ROLE_DATA:
      return true;
    default:
      return false;
  }
}

bool pmuv3_device_has(const struct pmuv3_device *device, enum pmuv3_role role) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == role) return true;
  return false;
}

/* The event's number, and what its line says. Of a line with |, any value of a pin is one
 * occurrence, so max= alone limits it. */
static unsigned event_most(const struct pmuv3_device *device,
                           const struct pmuv3_device_event *event) {
  const unsigned most = pmuv3_events_find(&device->params.events, event->number)->most;
  if (event->max != 0 && (event->is_any || event->max < most)) return event->max;
  return event->is_any ? UINT8_MAX : most;
}

bool pmuv3_device_has_reset(const struct pmuv3_device *device, bool is_warm) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_RESET && device->pins[p].index == is_warm) return true;
  return false;
}

unsigned pmuv3_device_cycles(const struct pmuv3_device *device, enum pmuv3_latency kind,
                             unsigned latency) {
  const unsigned enable = device->latency[PMUV3_LATENCY_CLOCK].min;
  return device->stops[kind] && latency > enable ? latency - enable : 0;
}

bool pmuv3_device_is_same_event(const struct pmuv3_device_event *a,
                                const struct pmuv3_device_event *b) {
  return a->number == b->number && a->thread == b->thread && a->origin == b->origin;
}

unsigned pmuv3_device_event_pins(const struct pmuv3_device *device, size_t event,
                                 bool *have_one_latency) {
  unsigned pins = 0;
  *have_one_latency = true;
  for (size_t e = 0; e < device->num_events; e++) {
    if (!pmuv3_device_is_same_event(&device->events[e], &device->events[event])) continue;
    pins++;
    *have_one_latency &= device->events[e].latency == device->events[event].latency;
  }
  return pins;
}

unsigned pmuv3_device_most_together(const struct pmuv3_device *device, size_t event) {
  return pmuv3_events_find(&device->params.events, device->events[event].number)->most;
}

unsigned pmuv3_device_excess(const struct pmuv3_device *device, size_t event,
                             const uint8_t count[PMUV3_DEVICE_MAX_EVENTS]) {
  const struct pmuv3_device_event *of = &device->events[event];
  if (!of->adds_up) return 0;
  const unsigned most = pmuv3_device_most_together(device, event);
  unsigned sum = 0;
  for (size_t e = 0; e < device->num_events; e++)
    if (pmuv3_device_is_same_event(&device->events[e], of)) sum += count[device->events[e].source];
  return sum > most ? sum - most : 0;
}

unsigned pmuv3_device_debugged(const struct pmuv3_device *device, size_t event) {
  unsigned threads = 0;
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].source == event && device->events[e].origin == PMUV3_DEBUGGER)
      threads |= 1u << device->events[e].thread;
  return threads;
}

unsigned pmuv3_device_state_clocks(const struct pmuv3_device *device) {
  return pmuv3_device_has(device, PMUV3_ROLE_STATE) ? device->latency[PMUV3_LATENCY_STATE].max : 0;
}

bool pmuv3_device_can_halt(const struct pmuv3_device *device, unsigned thread) {
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role == PMUV3_ROLE_STATE && pin->thread == thread && pin->index == PMUV3_STATE_halted)
      return pin->num_values == 0 || memchr(pin->to, 1, pin->num_values);
  }
  return false;
}

bool pmuv3_device_debugger_is_aligned(const struct pmuv3_device *device) {
  const unsigned latency = device->latency[PMUV3_LATENCY_STATE].min;
  const unsigned cycles = pmuv3_device_cycles(device, PMUV3_LATENCY_STATE, latency);
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    if (event->origin != PMUV3_DEBUGGER || !pmuv3_device_can_halt(device, event->thread)) continue;
    if (device->mode != PMUV3_MODE_EXACT || event->latency != latency ||
        pmuv3_device_cycles(device, PMUV3_LATENCY_EVENT, latency) != cycles)
      return false;
  }
  return true;
}

unsigned pmuv3_device_reset_clocks(const struct pmuv3_device *device) {
  unsigned longest = 0;
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (device->latency[l].max > longest) longest = device->latency[l].max;
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].latency > longest) longest = device->events[e].latency;
  return longest + 4;
}

unsigned pmuv3_device_event_most(const struct pmuv3_device *device, size_t event) {
  unsigned least = UINT8_MAX;
  for (size_t e = 0; e < device->num_events; e++) {
    if (device->events[e].source != device->events[event].source) continue;
    const unsigned most = event_most(device, &device->events[e]);
    if (most < least) least = most;
  }
  return least;
}

bool pmuv3_role_is_internal(enum pmuv3_role role) {
  return role >= PMUV3_ROLE_SEEN_COUNTER;
}
