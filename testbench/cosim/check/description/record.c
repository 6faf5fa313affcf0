/* Records: from pins, and to pins. */
#include "pmuv3/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EVENT_COUNTERS UINT64_C(0x7FFFFFFF)

/* Where events of origin `other` occur at first: pins can say it. */
static void start_others(struct pmuv3_record *record, const struct pmuv3_device *device) {
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role == PMUV3_ROLE_OTHER && pin->num_values > 0 &&
        !memchr(pin->to, 0, pin->num_values))
      pmuv3_record_set(record, pin, pin->from[0]);
  }
}

void pmuv3_record_init(struct pmuv3_record *record, const struct pmuv3_device *device) {
  memset(record, 0, sizeof *record);
  record->clock = true;
  record->was_reset = !pmuv3_device_has(device, PMUV3_ROLE_RESET);
  for (unsigned p = 0; p < PMUV3_DEVICE_MAX_PORTS; p++) record->port[p].ready = true;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) record->thread[t].state = device->pe[t];
  start_others(record, device);
  pmuv3_record_begin(record, device);
}

void pmuv3_record_begin(struct pmuv3_record *record, const struct pmuv3_device *device) {
  record->reset = PMUV3_NO_RESET;
  for (unsigned p = 0; p < PMUV3_DEVICE_MAX_PORTS; p++)
    record->port[p].knows_value = record->port[p].knows_error = true;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
    struct pmuv3_record_thread *thread = &record->thread[t];
    thread->seen = device->seen[t];
    thread->counters_seen = device->counters_seen[t];
    thread->flags_seen = device->flags_seen[t];
    thread->V_seen = device->V_seen[t];
  }
}

/* What a pin with these bits X does not show. */
static void hide(struct pmuv3_record *record, const struct pmuv3_pin *pin, uint64_t unknown) {
  struct pmuv3_record_thread *thread = &record->thread[pin->thread];
  struct pmuv3_record_port *port = &record->port[pin->index % PMUV3_DEVICE_MAX_PORTS];
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_IRQ:
      thread->seen &= (uint8_t)~PMUV3_SEEN_IRQ;
      return;
    case PMUV3_ROLE_CTI:
      thread->seen &= (uint8_t)~PMUV3_SEEN_CTI;
      return;
    case PMUV3_ROLE_EXCEPTION:
      thread->seen &= (uint8_t)~PMUV3_SEEN_EXCEPTION;
      return;
    case PMUV3_ROLE_VALUE:
      port->knows_value = false;
      return;
    case PMUV3_ROLE_ERROR:
      port->knows_error = false;
      return;
    case PMUV3_ROLE_SEEN_COUNTER:
      thread->counters_seen &= ~(UINT64_C(1) << pin->index);
      return;
    case PMUV3_ROLE_SEEN_OVERFLOW:
      thread->flags_seen &= ~(unknown & EVENT_COUNTERS);
      return;
    case PMUV3_ROLE_SEEN_FLAG:
      thread->flags_seen &= ~(UINT64_C(1) << pin->index);
      return;
    case PMUV3_ROLE_SEEN_V:
      thread->V_seen &= ~(UINT32_C(1) << pin->index);
      return;
    default:
      return;
  }
}

void pmuv3_record_unknown(struct pmuv3_record *record, const struct pmuv3_pin *pin) {
  hide(record, pin, UINT64_MAX);
}

/* A state's value from its pin's, and back. A value that the map lacks becomes the first. */
static uint64_t mapped(const struct pmuv3_pin *pin, const uint8_t *from, const uint8_t *to,
                       uint64_t value) {
  if (pin->num_values == 0) return value;
  for (unsigned v = 0; v < pin->num_values; v++)
    if (from[v] == value) return to[v];
  return to[0];
}

void pmuv3_state_set(struct pmuv3_pe *pe, enum pmuv3_state_key key, uint64_t value) {
  switch (key) {
#define PMUV3_PE_NUMBER(name, bits, text)               \
  case PMUV3_STATE_##name:                              \
    pe->name = (uint8_t)(value & ((1u << (bits)) - 1)); \
    return;
#define PMUV3_PE_FLAG(name, text) \
  case PMUV3_STATE_##name:        \
    pe->name = value != 0;        \
    return;
#include "pmuv3/pe.def"
    case PMUV3_NUM_STATE_KEYS:
      return;
  }
}

uint64_t pmuv3_state_get(const struct pmuv3_pe *pe, enum pmuv3_state_key key) {
  switch (key) {
#define PMUV3_PE_NUMBER(name, bits, text) \
  case PMUV3_STATE_##name:                \
    return pe->name;
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
#include "pmuv3/pe.def"
    case PMUV3_NUM_STATE_KEYS:
      break;
  }
  return 0;
}

void pmuv3_record_set(struct pmuv3_record *record, const struct pmuv3_pin *pin, uint64_t value) {
  struct pmuv3_record_thread *thread = &record->thread[pin->thread];
  struct pmuv3_record_port *port = &record->port[pin->index % PMUV3_DEVICE_MAX_PORTS];
  const unsigned index = pin->index;
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_RESET: {
      const uint8_t kind = index == 1 ? PMUV3_WARM_RESET : PMUV3_COLD_RESET;
      if (value == pin->value && kind > record->reset) record->reset = kind;
      return;
    }
    case PMUV3_ROLE_CLOCK_ENABLE:
      record->clock = value == pin->value;
      return;
    case PMUV3_ROLE_EVENT:
      record->count[index] = (uint8_t)value;
      return;
    case PMUV3_ROLE_STATE:
      pmuv3_state_set(&thread->state, index, mapped(pin, pin->from, pin->to, value));
      return;
    case PMUV3_ROLE_OTHER:
      value = mapped(pin, pin->from, pin->to, value);
      if (index == 0)
        thread->other.el = value & 3;
      else
        thread->other.ss = value & 3;
      return;
    case PMUV3_ROLE_IRQ:
      thread->irq = value == pin->value;
      return;
    case PMUV3_ROLE_CTI:
      thread->cti = value == pin->value;
      return;
    case PMUV3_ROLE_EXCEPTION:
      thread->exception = (uint8_t)value;
      return;
    case PMUV3_ROLE_REQUEST:
      port->request = value != 0;
      return;
    case PMUV3_ROLE_ENABLE:
      port->enable = value != 0;
      return;
    case PMUV3_ROLE_READY:
      port->ready = value != 0;
      return;
    case PMUV3_ROLE_WRITE:
      port->write = value != 0;
      return;
    case PMUV3_ROLE_ADDRESS:
      port->address = value;
      return;
    case PMUV3_ROLE_DATA:
      port->data = value;
      return;
    case PMUV3_ROLE_RESPONSE:
      port->response = value != 0;
      return;
    case PMUV3_ROLE_VALUE:
      port->value = value;
      return;
    case PMUV3_ROLE_ERROR:
      port->error = value != 0;
      return;
    case PMUV3_ROLE_SEEN_COUNTER:
      thread->counter[index] = value;
      return;
    case PMUV3_ROLE_SEEN_OVERFLOW:
      thread->overflow = (thread->overflow & ~EVENT_COUNTERS) | (value & EVENT_COUNTERS);
      return;
    case PMUV3_ROLE_SEEN_FLAG:
      thread->overflow &= ~(UINT64_C(1) << index);
      thread->overflow |= (uint64_t)(value != 0) << index;
      return;
    case PMUV3_ROLE_SEEN_V:
      thread->V[index] = (uint16_t)value;
      return;
    case PMUV3_ROLE_CLOCK:
    case PMUV3_ROLE_TIE:
    case PMUV3_NUM_ROLES:
      return;
  }
}

/* ---- All pins of a clock ---- */

/* Whether the pin's line gives the value a meaning. */
static bool has_meaning(const struct pmuv3_pin *pin, uint64_t value) {
  if (pin->role == PMUV3_ROLE_TIE) return value == pin->value;
  for (unsigned v = 0; v < pin->num_values; v++)
    if (pin->from[v] == value) return true;
  return pin->num_values == 0;
}

/* A debugger operates on halted threads alone. */
static bool is_on_running_thread(const struct pmuv3_record *record,
                                 const struct pmuv3_device *device, const struct pmuv3_pin *pin,
                                 uint64_t value) {
  const unsigned threads = value ? pmuv3_device_debugged(device, pin->index) : 0;
  if (threads == 0 || !pmuv3_device_debugger_is_aligned(device)) return false;
  for (unsigned t = 0; t < device->params.threads; t++)
    if ((threads >> t & 1) != 0 && !record->thread[t].state.halted) return true;
  return false;
}

/* More occurrences on all pins of the event than a cycle can have. */
static bool is_excess(const struct pmuv3_record *record, const struct pmuv3_device *device,
                      const struct pmuv3_pin *pin) {
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].source == pin->index && pmuv3_device_excess(device, e, record->count) > 0)
      return true;
  return false;
}

/* Whether the event can occur so often in a cycle, and the value is one of the state's. */
static bool is_legal(const struct pmuv3_record *record, const struct pmuv3_device *device,
                     const struct pmuv3_pin *pin, uint64_t value) {
  const struct pmuv3_record_thread *thread = &record->thread[pin->thread];
  if (pin->role == PMUV3_ROLE_EVENT) /* each can occur once */
    return !is_on_running_thread(record, device, pin, value) && !is_excess(record, device, pin) &&
           (value <= 1 || value <= pmuv3_device_event_most(device, pin->index));
  if (pin->role == PMUV3_ROLE_OTHER)
    return !pmuv3_context_wrong(&device->params, thread->other.el, thread->other.ss);
  return pin->role != PMUV3_ROLE_STATE || pin->num_values > 0 ||
         pmuv3_state_get(&thread->state, pin->index) == value;
}

/* A pin of a thread whose pins make a state that no PE has. */
static const struct pmuv3_pin *find_wrong_state(const struct pmuv3_record *record,
                                                const struct pmuv3_device *device) {
  unsigned seen = 0; /* threads */
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role != PMUV3_ROLE_STATE || (seen >> pin->thread & 1) != 0) continue;
    seen |= 1u << pin->thread;
    if (pmuv3_pe_wrong(&device->params, &record->thread[pin->thread].state)) return pin;
  }
  return NULL;
}

const char *pmuv3_record_wrong(const struct pmuv3_pin *pin, uint64_t value, uint64_t unknown,
                               char *buf, size_t size) {
  if (unknown)
    snprintf(buf, size, "is X");
  else if (pin->role == PMUV3_ROLE_TIE)
    snprintf(buf, size, "is 0x%" PRIx64 ", but its line says 0x%" PRIx64, value, pin->value);
  else if (!has_meaning(pin, value))
    snprintf(buf, size, "is 0x%" PRIx64 ", which its line does not name", value);
  else if (pin->role == PMUV3_ROLE_EVENT)
    snprintf(buf, size, "is 0x%" PRIx64 ", which cannot occur in this cycle", value);
  else
    snprintf(buf, size, "is 0x%" PRIx64 ": no PE has the state that the pins make", value);
  return buf;
}

/* Whether an event of the pin meets the clock enable of an earlier clock. */
static bool is_early(const struct pmuv3_device *device, unsigned event) {
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].source == event &&
        device->events[e].latency < device->latency[PMUV3_LATENCY_CLOCK].max)
      return true;
  return false;
}

/* Whether a read waits for an answer of this clock. */
static bool has_read(const struct pmuv3_record *record, const struct pmuv3_device *device,
                     unsigned p) {
  return record->reads[p] > 0 ||
         (!record->port[p].write && pmuv3_record_accepts(&device->ports[p], &record->port[p]));
}

/* Whether what the device and its port do in this clock depends on the pin. */
static bool is_looked_at(const struct pmuv3_record *record, const struct pmuv3_device *device,
                         const struct pmuv3_pin *pin) {
  const unsigned p = pin->index % PMUV3_DEVICE_MAX_PORTS;
  const struct pmuv3_record_port *pins = &record->port[p];
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_CLOCK_ENABLE:
    case PMUV3_ROLE_TIE:
    case PMUV3_ROLE_STATE:
    case PMUV3_ROLE_OTHER:
    case PMUV3_ROLE_REQUEST:
      return true;
    case PMUV3_ROLE_EVENT:
      return record->clock || is_early(device, pin->index);
    case PMUV3_ROLE_ENABLE:
    case PMUV3_ROLE_READY:
      return pins->request;
    case PMUV3_ROLE_WRITE:
    case PMUV3_ROLE_ADDRESS:
      return pmuv3_record_accepts(&device->ports[p], pins);
    case PMUV3_ROLE_DATA:
      return pins->write && pmuv3_record_accepts(&device->ports[p], pins);
    case PMUV3_ROLE_RESPONSE:
      return has_read(record, device, p);
    case PMUV3_ROLE_CLOCK:
    case PMUV3_ROLE_RESET:
      return false; /* whoever makes the records judges them */
    case PMUV3_ROLE_IRQ:
    case PMUV3_ROLE_CTI:
    case PMUV3_ROLE_EXCEPTION:
    case PMUV3_ROLE_VALUE:
    case PMUV3_ROLE_ERROR:
    case PMUV3_ROLE_SEEN_COUNTER:
    case PMUV3_ROLE_SEEN_OVERFLOW:
    case PMUV3_ROLE_SEEN_FLAG:
    case PMUV3_ROLE_SEEN_V:
    case PMUV3_NUM_ROLES:
      break; /* pmuv3_record_unknown */
  }
  return false;
}

/* Reads that wait after this clock. */
static void count_reads(struct pmuv3_record *record, const struct pmuv3_device *device) {
  for (unsigned p = 0; p < device->num_ports; p++) {
    const struct pmuv3_device_port *port = &device->ports[p];
    const struct pmuv3_record_port *pins = &record->port[p];
    if (!port->has_response || record->reset != PMUV3_NO_RESET) {
      record->reads[p] = 0;
      continue;
    }
    record->reads[p] += !pins->write && pmuv3_record_accepts(port, pins);
    record->reads[p] -= record->reads[p] > 0 && pins->response;
  }
}

static const struct pmuv3_pin *find_wrong(const struct pmuv3_record *record,
                                          const struct pmuv3_device *device, const uint64_t *values,
                                          const uint64_t *unknown) {
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (!is_looked_at(record, device, pin)) continue;
    if (unknown[p] || !has_meaning(pin, values[p]) || !is_legal(record, device, pin, values[p]))
      return pin;
  }
  return find_wrong_state(record, device);
}

/* Whether what the device holds is known from this clock on. */
static bool is_first_reset(const struct pmuv3_record *record, const struct pmuv3_device *device) {
  return record->reset == PMUV3_COLD_RESET ||
         (record->reset == PMUV3_WARM_RESET && !pmuv3_device_has_reset(device, false));
}

const struct pmuv3_pin *pmuv3_record_pins(struct pmuv3_record *record,
                                          const struct pmuv3_device *device, const uint64_t *values,
                                          const uint64_t *unknown) {
  bool is_doubtful = false;
  pmuv3_record_begin(record, device);
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    const bool is_unknown_reset = pin->role == PMUV3_ROLE_RESET && unknown[p];
    is_doubtful |= is_unknown_reset;
    if (is_unknown_reset) continue; /* perhaps it is none: it cannot be the first */
    pmuv3_record_set(record, pin, values[p] & ~unknown[p]);
    if (unknown[p]) hide(record, pin, unknown[p]);
  }
  if (is_first_reset(record, device)) record->was_reset = true;
  const struct pmuv3_pin *wrong = find_wrong(record, device, values, unknown);
  if (is_doubtful || !record->was_reset) record->reset = PMUV3_COLD_RESET;
  count_reads(record, device);
  return record->reset == PMUV3_NO_RESET ? wrong : NULL;
}

uint64_t pmuv3_record_get(const struct pmuv3_record *record, const struct pmuv3_pin *pin) {
  const struct pmuv3_record_thread *thread = &record->thread[pin->thread];
  const struct pmuv3_record_port *port = &record->port[pin->index % PMUV3_DEVICE_MAX_PORTS];
  const unsigned index = pin->index;
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_RESET: {
      const uint8_t kind = index == 1 ? PMUV3_WARM_RESET : PMUV3_COLD_RESET;
      return record->reset >= kind ? pin->value : !pin->value; /* a Cold one asserts both (D1.6) */
    }
    case PMUV3_ROLE_CLOCK_ENABLE:
      return record->clock ? pin->value : !pin->value;
    case PMUV3_ROLE_TIE:
      return pin->value;
    case PMUV3_ROLE_EVENT:
      return record->count[index];
    case PMUV3_ROLE_STATE:
      return mapped(pin, pin->to, pin->from, pmuv3_state_get(&thread->state, index));
    case PMUV3_ROLE_OTHER:
      return mapped(pin, pin->to, pin->from, index == 0 ? thread->other.el : thread->other.ss);
    case PMUV3_ROLE_REQUEST:
      return port->request;
    case PMUV3_ROLE_ENABLE:
      return port->enable;
    case PMUV3_ROLE_WRITE:
      return port->write;
    case PMUV3_ROLE_ADDRESS:
      return port->address;
    case PMUV3_ROLE_DATA:
      return port->data;
    default:
      return 0;
  }
}
