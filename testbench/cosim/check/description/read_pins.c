/* Pins: clocks, events, states, outputs and internals. */
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/description/internal.h"

static bool add(struct description *d, enum pmuv3_role role, unsigned index, uint64_t value) {
  const char *text = pmuv3_description_word(d, "a pin");
  return text && pmuv3_description_add_pin(d, text,
                                           (struct pmuv3_pin){.role = (uint8_t)role,
                                                              .thread = (uint8_t)d->thread,
                                                              .index = (uint8_t)index,
                                                              .value = value});
}

static struct pmuv3_pin *last_pin(struct description *d) {
  return &d->device->pins[d->device->num_pins - 1];
}

static bool once(struct description *d, enum pmuv3_role role, unsigned index) {
  return pmuv3_description_once(d, pmuv3_role_name(role), &d->pin_line[d->thread][role][index]);
}

/* Likewise, of a pin that can stand once. */
static bool add_once(struct description *d, enum pmuv3_role role, unsigned index, uint64_t value) {
  return once(d, role, index) && add(d, role, index, value);
}

bool pmuv3_description_clock(struct description *d) {
  d->has_clock = true;
  return add_once(d, PMUV3_ROLE_CLOCK, 0, 1) && pmuv3_description_end(d);
}

bool pmuv3_description_reset(struct description *d) {
  if (!add(d, PMUV3_ROLE_RESET, 0, 1)) return false;
  const char *level = pmuv3_description_word(d, "low or high");
  if (!level) return false;
  if (strcmp(level, "low") != 0 && strcmp(level, "high") != 0)
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is no level; expected low or high", level);
  last_pin(d)->value = level[0] == 'h';
  const char *warm = pmuv3_lex_word(&d->lex);
  if (!warm) return true;
  if (strcmp(warm, "warm") != 0)
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is no kind of reset; expected warm or nothing",
                           warm);
  last_pin(d)->index = 1;
  d->warm_line = d->lex.line;
  return pmuv3_description_end(d);
}

/* `low` at the end of a line. */
static bool read_level(struct description *d) {
  const char *word = pmuv3_lex_word(&d->lex);
  if (!word) return true;
  if (strcmp(word, "low") != 0)
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is too much; expected low or nothing", word);
  last_pin(d)->value = 0;
  return pmuv3_description_end(d);
}

bool pmuv3_description_clock_enable(struct description *d) {
  d->device->has_clock_enable = true;
  if (!add_once(d, PMUV3_ROLE_CLOCK_ENABLE, 0, 1)) return false;
  bool *stops = d->device->stops;
  stops[PMUV3_LATENCY_EVENT] = true;
  for (char *word; (word = pmuv3_lex_word(&d->lex));) {
    const bool is_state = strcmp(word, "state") == 0;
    if (!is_state && strcmp(word, "flag") != 0)
      return pmuv3_lex_error(&d->lex, "\"%.40s\" is too much; expected state, flag or nothing",
                             word);
    bool *held = &stops[is_state ? PMUV3_LATENCY_STATE : PMUV3_LATENCY_FLAG];
    if (!pmuv3_description_word_once(d, word, held)) return false;
  }
  return true;
}

bool pmuv3_description_tie(struct description *d) {
  uint64_t value;
  if (!add(d, PMUV3_ROLE_TIE, 0, 0) ||
      !pmuv3_description_number(d, "the value", UINT64_MAX, &value))
    return false;
  last_pin(d)->value = value;
  return pmuv3_description_end(d);
}

/* ---- Events ---- */

/* The words of an event that were given. */
struct given_words {
  bool max, latency, origin;
};

static const struct {
  const char *word;
  uint8_t origin;
} origins[] = {
    {"other", PMUV3_OTHER}, {"unattributable", PMUV3_UNATTRIBUTABLE}, {"debugger", PMUV3_DEBUGGER}};

static bool read_origin(struct description *d, struct pmuv3_device_event *event, const char *word,
                        bool *given) {
  for (unsigned o = 0; o < sizeof origins / sizeof origins[0]; o++) {
    if (strcmp(word, origins[o].word) != 0) continue;
    event->origin = origins[o].origin;
    return pmuv3_description_word_once(d, "the origin", given);
  }
  return pmuv3_lex_error(&d->lex,
                         "\"%.40s\" is nothing of an event; expected max=N, latency=N, other, "
                         "unattributable or debugger",
                         word);
}

static bool read_event_word(struct description *d, struct pmuv3_device_event *event,
                            struct given_words *given, char *word) {
  uint64_t number;
  char *value;
  if ((value = pmuv3_description_key(word, "max"))) {
    if (!pmuv3_description_word_once(d, "max", &given->max) ||
        !pmuv3_description_value(d, "max", value, 255, &number))
      return false;
    if (number == 0) return pmuv3_lex_error(&d->lex, "max is 0; expected at least 1");
    event->max = (uint8_t)number;
  } else if ((value = pmuv3_description_key(word, "latency"))) {
    if (!pmuv3_description_word_once(d, "latency", &given->latency) ||
        !pmuv3_description_value(d, "latency", value, PMUV3_DEVICE_MAX_LATENCY, &number))
      return false;
    event->latency = (uint8_t)number;
  } else {
    return read_origin(d, event, word, &given->origin);
  }
  return true;
}

/* A preset, or else the architecture, knows the event's row. An event that neither knows is one
 * that a core counts. */
static const char *implement(struct description *d, uint16_t number) {
  struct pmuv3_device *device = d->device;
  const struct pmuv3_event *known = pmuv3_events_find(&d->core_events, number);
  if (!known) known = pmuv3_event_of_architecture(number);
  const struct pmuv3_event counted = {
      .number = number, .event_class = PMUV3_EVENT_CLASS_COUNT, .most = UINT8_MAX};
  return pmuv3_events_add(&device->params.events, known ? *known : counted);
}

/* The event that a pin of this name carries already, or NULL. */
static const struct pmuv3_pin *find_event_pin(const struct pmuv3_device *device, const char *text) {
  char name[128];
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_EVENT &&
        strcmp(pmuv3_pin_text(&device->pins[p], name, sizeof name), text) == 0)
      return &device->pins[p];
  return NULL;
}

/* Pins of a line with `|` are one event: no other line and no pin can add to it. */
static bool check_alone(struct description *d, const struct pmuv3_device_event *event,
                        size_t first_of_line, const char *text) {
  for (size_t e = 0; e < d->device->num_events; e++) {
    const struct pmuv3_device_event *other = &d->device->events[e];
    if (!pmuv3_device_is_same_event(other, event)) continue;
    if (other->source == event->source)
      return pmuv3_lex_error(&d->lex, "pin \"%.60s\" is of event 0x%04X already", text,
                             event->number);
    if (e < first_of_line && (event->is_any || other->is_any))
      return pmuv3_lex_error(&d->lex, "event 0x%04X has another line; with | expected one line",
                             event->number);
  }
  return true;
}

static bool add_event(struct description *d, const char *text, struct pmuv3_device_event event,
                      size_t first_of_line) {
  struct pmuv3_device *device = d->device;
  if (device->num_events == PMUV3_DEVICE_MAX_EVENTS)
    return pmuv3_lex_error(&d->lex, "too many events; expected at most %d",
                           PMUV3_DEVICE_MAX_EVENTS);
  const struct pmuv3_pin *before = find_event_pin(device, text);
  event.source = before ? before->index : (uint8_t)device->num_events;
  if (!check_alone(d, &event, first_of_line, text)) return false;
  if (!before && !pmuv3_description_add_pin(
                     d, text,
                     (struct pmuv3_pin){
                         .role = PMUV3_ROLE_EVENT, .thread = event.thread, .index = event.source}))
    return false;
  d->event_line[device->num_events] = d->lex.line;
  device->events[device->num_events++] = event;
  return true;
}

/* PIN, PIN|PIN... or PIN+PIN... */
static bool add_events(struct description *d, char *pins, struct pmuv3_device_event event) {
  const size_t first = d->device->num_events;
  event.is_any = strchr(pins, '|') != NULL;
  for (char *next = pins; pins; pins = next) {
    next = strpbrk(pins, event.is_any ? "|" : "+");
    if (next) *next++ = '\0';
    if (!add_event(d, pins, event, first)) return false;
  }
  return true;
}

/* UINT8_MAX: the latency of all events, which a later line may give. */
bool pmuv3_description_event(struct description *d) {
  struct pmuv3_device *device = d->device;
  uint64_t number;
  if (!pmuv3_description_number(d, "the event's number", UINT16_MAX, &number)) return false;
  struct pmuv3_device_event event = {
      .number = (uint16_t)number, .thread = (uint8_t)d->thread, .latency = UINT8_MAX};
  char *pins = pmuv3_description_word(d, "a pin");
  if (!pins) return false;
  struct given_words given = {0};
  for (char *word; (word = pmuv3_lex_word(&d->lex));)
    if (!read_event_word(d, &event, &given, word)) return false;
  const struct pmuv3_occurrence occurrence = {
      .event = event.number, .count = event.max, .thread = event.thread, .origin = event.origin};
  const char *wrong = implement(d, event.number);
  if (wrong) return pmuv3_lex_error(&d->lex, "%s", wrong);
  wrong = pmuv3_occurrence_wrong(
      &device->params, pmuv3_events_find(&device->params.events, event.number), &occurrence);
  if (wrong) return pmuv3_lex_error(&d->lex, "event 0x%04X: %s", event.number, wrong);
  return add_events(d, pins, event);
}

/* ---- States ---- */

/* A value of a key: NS, S, RL, RT of ss, else a number. */
static bool state_value(struct description *d, unsigned key, const char *text, uint8_t *value) {
  uint64_t number;
  if (key == PMUV3_STATE_ss) return pmuv3_description_security_state(d, text, value);
  const uint64_t max = key == PMUV3_STATE_el ? 3 : 1;
  if (!pmuv3_description_value(d, "the state", text, max, &number)) return false;
  *value = (uint8_t)number;
  return true;
}

/* Whether a thread can have this value in some Exception level and Security state. */
static bool check_state(struct description *d, unsigned key, uint8_t value) {
  const char *wrong = NULL;
  for (uint8_t context = 0; context < 16; context++) {
    struct pmuv3_pe pe = PMUV3_PE_RESET;
    pe.el = context >> 2;
    pe.ss = context & 3;
    pmuv3_state_set(&pe, (enum pmuv3_state_key)key, value);
    const char *wrong_here = pmuv3_pe_wrong(&d->device->params, &pe);
    if (!wrong_here) return true;
    if (!wrong) wrong = wrong_here;
  }
  return pmuv3_lex_error(&d->lex, "%s", wrong);
}

/* A pin without a map carries a key of AArch32 only if there is something to carry. */
static bool check_aarch32(struct description *d, unsigned key) {
  return (key != PMUV3_STATE_aa32 && key != PMUV3_STATE_a32el1 && key != PMUV3_STATE_a32el3) ||
         check_state(d, key, 1);
}

void pmuv3_description_start_states(struct description *d) {
  for (size_t p = 0; p < d->device->num_pins; p++) {
    const struct pmuv3_pin *pin = &d->device->pins[p];
    struct pmuv3_pe *pe = &d->device->pe[pin->thread];
    const enum pmuv3_state_key key = (enum pmuv3_state_key)pin->index;
    if (pin->role != PMUV3_ROLE_STATE || pin->num_values == 0 ||
        memchr(pin->to, (int)pmuv3_state_get(pe, key), pin->num_values))
      continue;
    pmuv3_state_set(pe, key, pin->to[0]);
    d->start_line[pin->thread] = pin->line;
  }
}

bool pmuv3_description_check_states(struct description *d) {
  const struct pmuv3_device *device = d->device;
  bool has_pin[PMUV3_MAX_THREADS] = {false};
  for (size_t p = 0; p < device->num_pins; p++)
    has_pin[device->pins[p].thread] |= device->pins[p].role == PMUV3_ROLE_STATE;
  for (unsigned t = 0; t < device->params.threads; t++) {
    const bool is_checked = !has_pin[t] || d->start_line[t];
    const char *wrong = is_checked ? pmuv3_pe_wrong(&device->params, &device->pe[t]) : NULL;
    if (wrong && d->start_line[t]) d->lex.line = d->start_line[t];
    if (wrong) return pmuv3_lex_error(&d->lex, "the states of thread %u: %s", t, wrong);
  }
  return true;
}

static bool read_map(struct description *d, struct pmuv3_pin *pin, unsigned key) {
  for (char *word; (word = pmuv3_lex_word(&d->lex));) {
    char *to = strchr(word, '=');
    uint64_t from;
    if (!to) return pmuv3_lex_error(&d->lex, "\"%.40s\": expected FROM=TO", word);
    *to++ = '\0';
    if (pin->num_values == PMUV3_DEVICE_MAX_VALUES)
      return pmuv3_lex_error(&d->lex, "too many values; expected at most %d",
                             PMUV3_DEVICE_MAX_VALUES);
    if (!pmuv3_description_value(d, "the pin's value", word, UINT8_MAX, &from) ||
        !state_value(d, key, to, &pin->to[pin->num_values]) ||
        !check_state(d, key, pin->to[pin->num_values]))
      return false;
    if (memchr(pin->from, (int)from, pin->num_values))
      return pmuv3_lex_error(&d->lex, "the pin's value %u is given twice", (unsigned)from);
    pin->from[pin->num_values++] = (uint8_t)from;
  }
  return true;
}

static bool read_key(struct description *d, unsigned *key) {
  const char *name = pmuv3_description_word(d, "a key of the state");
  if (!name) return false;
  for (*key = 0; *key < PMUV3_NUM_STATE_KEYS; (*key)++)
    if (strcmp(name, pmuv3_state_key_name((enum pmuv3_state_key) * key)) == 0) return true;
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is no key of a state; expected el, ss, halted, ...",
                         name);
}

static bool is_constant(unsigned key, const char *text) {
  uint8_t ss;
  return (text[0] >= '0' && text[0] <= '9') ||
         (key == PMUV3_STATE_ss && pmuv3_description_is_security_state(text, &ss));
}

bool pmuv3_description_state(struct description *d) {
  unsigned key;
  if (!read_key(d, &key) || !once(d, PMUV3_ROLE_STATE, key)) return false;
  const char *text = pmuv3_description_word(d, "a value or a pin");
  if (!text) return false;
  if (is_constant(key, text)) {
    uint8_t value;
    if (!state_value(d, key, text, &value) || !pmuv3_description_end(d)) return false;
    if (!check_state(d, key, value)) return false;
    pmuv3_state_set(&d->device->pe[d->thread], (enum pmuv3_state_key)key, value);
    return true;
  }
  return check_aarch32(d, key) &&
         pmuv3_description_add_pin(
             d, text,
             (struct pmuv3_pin){
                 .role = PMUV3_ROLE_STATE, .thread = (uint8_t)d->thread, .index = (uint8_t)key}) &&
         read_map(d, last_pin(d), key);
}

bool pmuv3_description_other(struct description *d) {
  const char *name = pmuv3_description_word(d, "el or ss");
  if (!name) return false;
  const bool is_ss = strcmp(name, "ss") == 0;
  if (!is_ss && strcmp(name, "el") != 0)
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is nothing of a context; expected el or ss", name);
  return add_once(d, PMUV3_ROLE_OTHER, is_ss, 0) &&
         read_map(d, last_pin(d), is_ss ? PMUV3_STATE_ss : PMUV3_STATE_el);
}

/* ---- Outputs ---- */

bool pmuv3_description_irq(struct description *d) {
  d->device->seen[d->thread] |= PMUV3_SEEN_IRQ;
  return add_once(d, PMUV3_ROLE_IRQ, 0, 1) && read_level(d);
}

bool pmuv3_description_cti(struct description *d) {
  d->device->seen[d->thread] |= PMUV3_SEEN_CTI;
  return add_once(d, PMUV3_ROLE_CTI, 0, 1) && read_level(d);
}

bool pmuv3_description_exception(struct description *d) {
  d->device->seen[d->thread] |= PMUV3_SEEN_EXCEPTION;
  return add_once(d, PMUV3_ROLE_EXCEPTION, 0, 0) && pmuv3_description_end(d);
}

static bool has_counter(const struct pmuv3_params *params, uint64_t n) {
  return n < params->counters || n == 31 || (n == 32 && pmuv3_has(params, PMUV3_FEATURE_ICNTR));
}

static bool read_visible_counter(struct description *d, enum pmuv3_role role) {
  uint64_t n;
  if (!pmuv3_description_number(d, "the counter's number", 32, &n)) return false;
  if (!has_counter(&d->device->params, n) || (role == PMUV3_ROLE_SEEN_V && n > 30))
    return pmuv3_lex_error(&d->lex, "there is no counter %u", (unsigned)n);
  if (role == PMUV3_ROLE_SEEN_FLAG) {
    d->device->flags_seen[d->thread] |= UINT64_C(1) << n;
    d->device->seen[d->thread] |= PMUV3_SEEN_OVERFLOW;
  } else if (role == PMUV3_ROLE_SEEN_COUNTER) {
    d->device->counters_seen[d->thread] |= UINT64_C(1) << n;
    d->device->seen[d->thread] |= PMUV3_SEEN_COUNTERS;
  } else {
    d->device->V_seen[d->thread] |= UINT32_C(1) << n;
    d->device->seen[d->thread] |= PMUV3_SEEN_V;
  }
  return add_once(d, role, (unsigned)n, 0) && pmuv3_description_end(d);
}

/* All flags are a pin, or a flag is, but not both. */
static bool read_visible_overflow(struct description *d) {
  const unsigned counters = d->device->params.counters;
  d->device->seen[d->thread] |= PMUV3_SEEN_OVERFLOW;
  d->device->flags_seen[d->thread] |= (UINT64_C(1) << counters) - 1;
  for (unsigned n = 0; n < counters; n++)
    if (!once(d, PMUV3_ROLE_SEEN_FLAG, n)) return false;
  return add_once(d, PMUV3_ROLE_SEEN_OVERFLOW, 0, 0) && pmuv3_description_end(d);
}

bool pmuv3_description_visible(struct description *d) {
  const char *what = pmuv3_description_word(d, "counter, overflow, flag or V");
  if (!what) return false;
  if (strcmp(what, "counter") == 0) return read_visible_counter(d, PMUV3_ROLE_SEEN_COUNTER);
  if (strcmp(what, "V") == 0) return read_visible_counter(d, PMUV3_ROLE_SEEN_V);
  if (strcmp(what, "flag") == 0) return read_visible_counter(d, PMUV3_ROLE_SEEN_FLAG);
  if (strcmp(what, "overflow") == 0) return read_visible_overflow(d);
  return pmuv3_lex_error(
      &d->lex, "\"%.40s\" is nothing that can be visible; expected counter, overflow, flag or V",
      what);
}
