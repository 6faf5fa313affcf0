/* The file of a description: its head, its lines, and arrays that grow. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/description/internal.h"
#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/param_lines.h"

/* ---- Words of a line ---- */

char *pmuv3_description_word(struct description *d, const char *what) {
  return pmuv3_lex_need(&d->lex, what);
}

bool pmuv3_description_end(struct description *d) {
  return pmuv3_lex_end(&d->lex);
}

bool pmuv3_description_value(struct description *d, const char *what, const char *text,
                             uint64_t max, uint64_t *number) {
  if (!pmuv3_lex_number(&d->lex, what, text, number)) return false;
  return *number <= max || pmuv3_lex_error(&d->lex, "%s is %.40s; expected at most %llu", what,
                                           text, (unsigned long long)max);
}

bool pmuv3_description_number(struct description *d, const char *what, uint64_t max,
                              uint64_t *number) {
  const char *word = pmuv3_description_word(d, what);
  return word && pmuv3_description_value(d, what, word, max, number);
}

char *pmuv3_description_key(char *word, const char *key) {
  const size_t length = strlen(key);
  return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

bool pmuv3_description_once(struct description *d, const char *name, uint32_t *line) {
  if (*line)
    return pmuv3_lex_error(&d->lex, "%s is in line %u, too; expected it once", name,
                           (unsigned)*line);
  *line = d->lex.line;
  return true;
}

bool pmuv3_description_word_once(struct description *d, const char *word, bool *given) {
  return pmuv3_lex_once(&d->lex, word, given);
}

bool pmuv3_description_is_security_state(const char *name, uint8_t *ss) {
  static const char *const names[] = {"NS", "S", "RL", "RT"};
  for (*ss = 0; *ss < 4; ++*ss)
    if (strcmp(name, names[*ss]) == 0) return true;
  return false;
}

bool pmuv3_description_security_state(struct description *d, const char *name, uint8_t *ss) {
  if (pmuv3_description_is_security_state(name, ss)) return true;
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is no Security state; expected NS, S, RL or RT", name);
}

/* ---- Arrays ---- */

/* Room for one more element; every power of two the array doubles. */
static bool grow(struct description *d, void **array, size_t count, size_t size) {
  if ((count & (count - 1)) != 0) return true;
  void *grown = realloc(*array, (count ? 2 * count : 1) * size);
  if (!grown) return pmuv3_lex_error(&d->lex, "out of memory");
  *array = grown;
  return true;
}

/* NAME, NAME[BIT] or NAME[MSB:LSB]. */
static bool parse_pin(struct description *d, const char *text, struct pmuv3_pin *pin,
                      size_t *length) {
  const char *bracket = strrchr(text, '[');
  int msb, lsb, end = 0;
  *length = strlen(text);
  pin->msb = pin->lsb = -1;
  if (strcspn(text, "[") == 0 || strchr(text, '='))
    return pmuv3_lex_error(&d->lex,
                           "\"%.60s\" is no pin; expected NAME, NAME[BIT] or NAME[MSB:LSB]", text);
  /* Internals can have indexes within their path. */
  if (!bracket || (text[*length - 1] != ']' && strchr(bracket, '.'))) return true;
  if (sscanf(bracket, "[%4d:%4d]%n", &msb, &lsb, &end) != 2 || bracket + end != text + *length) {
    end = 0;
    if (sscanf(bracket, "[%4d]%n", &msb, &end) != 1 || bracket + end != text + *length) msb = -1;
    lsb = msb;
  }
  if (lsb < 0 || msb < lsb || msb - lsb > 63)
    return pmuv3_lex_error(&d->lex, "\"%.60s\": expected [BIT], or [MSB:LSB] of at most 64 bits",
                           text);
  pin->msb = (int16_t)msb;
  pin->lsb = (int16_t)lsb;
  *length = (size_t)(bracket - text);
  return true;
}

/* Bits of one input cannot have two drivers. */
static bool check_twice(struct description *d, const struct pmuv3_pin *pin) {
  const struct pmuv3_device *device = d->device;
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *other = &device->pins[p];
    const bool overlap =
        pin->msb < 0 || other->msb < 0 || (pin->msb >= other->lsb && other->msb >= pin->lsb);
    if (overlap && strcmp(pin->name, other->name) == 0 &&
        (pmuv3_role_is_input((enum pmuv3_role)pin->role) ||
         pmuv3_role_is_input((enum pmuv3_role)other->role)))
      return pmuv3_lex_error(&d->lex, "pin \"%.60s\" is in line %u, too", pin->name,
                             (unsigned)other->line);
  }
  return true;
}

bool pmuv3_description_add_pin(struct description *d, const char *text, struct pmuv3_pin pin) {
  struct pmuv3_device *device = d->device;
  size_t length;
  if (!parse_pin(d, text, &pin, &length)) return false;
  pin.name = strndup(text, length);
  pin.line = d->lex.line;
  if (!pin.name) return pmuv3_lex_error(&d->lex, "out of memory");
  if (!check_twice(d, &pin) ||
      !grow(d, (void **)&device->pins, device->num_pins, sizeof *device->pins)) {
    free(pin.name);
    return false;
  }
  device->pins[device->num_pins++] = pin;
  return true;
}

bool pmuv3_description_add_register(struct description *d, struct pmuv3_device_register reg) {
  struct pmuv3_device *device = d->device;
  reg.line = d->lex.line;
  const size_t before = pmuv3_device_find(device, reg.port, reg.address);
  if (before < device->num_registers) {
    struct pmuv3_device_register *old = &device->registers[before];
    if (!old->is_page)
      return pmuv3_lex_error(&d->lex, "address 0x%llx is in line %u, too",
                             (unsigned long long)reg.address, (unsigned)old->line);
    *old = reg; /* a line of its own is more exact than `page` */
    return true;
  }
  if (!grow(d, (void **)&device->registers, device->num_registers, sizeof *device->registers))
    return false;
  device->registers[device->num_registers++] = reg;
  return true;
}

bool pmuv3_description_add_initial(struct description *d, struct pmuv3_device_initial initial) {
  struct pmuv3_device *device = d->device;
  if (!grow(d, (void **)&device->initials, device->num_initials, sizeof *device->initials))
    return false;
  device->initials[device->num_initials++] = initial;
  return true;
}

/* ---- Lines that are of no part ---- */

/* A core's preset comes first, as other parameters override it. */
static bool read_one_param(struct description *d, const char *name, const char *value) {
  struct pmuv3_params *params = &d->device->params;
  if (strcmp(name, "core") != 0) {
    if (!pmuv3_param_is_new(&d->params_seen, name))
      return pmuv3_lex_error(&d->lex, "%s is given twice; expected it once", name);
    const char *wrong = pmuv3_params_set(params, name, value);
    return !wrong || pmuv3_lex_error(&d->lex, "%s", wrong);
  }
  if (d->any_param)
    return pmuv3_lex_error(&d->lex, "core= after other parameters; expected it before them");
  if (!pmuv3_core_read_value(params, value, &d->lex)) return false;
  d->core_events = params->events;
  return true;
}

static bool read_param(struct description *d) {
  if (d->params_done)
    return pmuv3_lex_error(&d->lex, "param comes too late; expected it before all other lines");
  for (char *word; (word = pmuv3_lex_word(&d->lex));) {
    char *value = strchr(word, '=');
    if (!value)
      return pmuv3_lex_error(&d->lex, "\"%.40s\" is no parameter; expected NAME=VALUE", word);
    *value++ = '\0';
    if (!read_one_param(d, word, value)) return false;
    d->any_param = true;
  }
  return true;
}

static bool read_top(struct description *d) {
  const char *word = pmuv3_description_word(d, "the name of the top module");
  if (!word || !pmuv3_description_once(d, "top", &d->top_line)) return false;
  d->device->top = strdup(word);
  return d->device->top ? pmuv3_description_end(d) : pmuv3_lex_error(&d->lex, "out of memory");
}

static bool find_latency(struct description *d, const char *kind, unsigned *latency) {
  for (*latency = 0; *latency < PMUV3_NUM_LATENCIES; (*latency)++)
    if (strcmp(kind, pmuv3_latency_name((enum pmuv3_latency) * latency)) == 0) return true;
  return pmuv3_lex_error(&d->lex,
                         "\"%.40s\" is no latency; expected event, state, clock, swinc, write, "
                         "flag, interrupt, read or visible",
                         kind);
}

/* N or A..B. */
static bool read_latency_range(struct description *d, unsigned latency) {
  char *word = pmuv3_description_word(d, "a number of clocks, or A..B");
  if (!word) return false;
  char *dots = strstr(word, "..");
  uint64_t min, max;
  if (dots) *dots = '\0';
  if (!pmuv3_description_value(d, "the latency", word, PMUV3_DEVICE_MAX_LATENCY, &min))
    return false;
  max = min;
  if (dots && !pmuv3_description_value(d, "the latency", dots + 2, PMUV3_DEVICE_MAX_LATENCY, &max))
    return false;
  if (max < min) return pmuv3_lex_error(&d->lex, "A..B: expected A of at most B");
  d->device->has_range[latency] = dots != NULL;
  d->device->latency[latency] = (struct pmuv3_range){(uint8_t)min, (uint8_t)max};
  return true;
}

static bool read_latencies(struct description *d) {
  const char *kind = pmuv3_description_word(d, "a kind of latency");
  if (!kind) return false;
  for (; kind; kind = pmuv3_lex_word(&d->lex)) {
    unsigned latency;
    if (!find_latency(d, kind, &latency) ||
        !pmuv3_description_once(d, "the latency", &d->latency_line[latency]) ||
        !read_latency_range(d, latency))
      return false;
  }
  return true;
}

static bool read_mode(struct description *d) {
  const char *word = pmuv3_description_word(d, "exact, within or settled");
  if (!word || !pmuv3_description_once(d, "mode", &d->mode_line)) return false;
  for (unsigned m = PMUV3_MODE_EXACT; m <= PMUV3_MODE_SETTLED; m++) {
    if (strcmp(word, pmuv3_mode_name((enum pmuv3_mode)m)) != 0) continue;
    d->device->mode = (enum pmuv3_mode)m;
    return pmuv3_description_end(d);
  }
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is no mode; expected exact, within or settled", word);
}

static bool read_settle(struct description *d) {
  uint64_t clocks;
  if (!pmuv3_description_once(d, "settle", &d->settle_line)) return false;
  if (!pmuv3_description_number(d, "settle", PMUV3_DEVICE_MAX_LATENCY, &clocks)) return false;
  d->device->settle = (uint8_t)clocks;
  return pmuv3_description_end(d);
}

/* ---- The file ---- */

static const struct line {
  const char *word;
  bool has_thread;
  bool (*read)(struct description *d);
} lines[] = {
    {"param", false, read_param},
    {"top", false, read_top},
    {"clock", false, pmuv3_description_clock},
    {"reset", false, pmuv3_description_reset},
    {"clock_enable", false, pmuv3_description_clock_enable},
    {"tie", false, pmuv3_description_tie},
    {"event", true, pmuv3_description_event},
    {"other", true, pmuv3_description_other},
    {"state", true, pmuv3_description_state},
    {"irq", true, pmuv3_description_irq},
    {"cti", true, pmuv3_description_cti},
    {"exception", true, pmuv3_description_exception},
    {"visible", true, pmuv3_description_visible},
    {"port", true, pmuv3_description_port},
    {"register", true, pmuv3_description_register},
    {"registers", true, pmuv3_description_registers},
    {"page", true, pmuv3_description_page},
    {"absent", false, pmuv3_description_absent},
    {"initial", true, pmuv3_description_initial},
    {"unknown", true, pmuv3_description_unknown},
    {"latency", false, read_latencies},
    {"mode", false, read_mode},
    {"settle", false, read_settle},
};

static bool read_thread(struct description *d, const char *text) {
  uint64_t thread;
  if (!pmuv3_description_value(d, "the thread", text, UINT64_MAX, &thread)) return false;
  if (thread >= d->device->params.threads)
    return pmuv3_lex_error(&d->lex, "there is no thread %.10s; expected one below threads=%u", text,
                           d->device->params.threads);
  d->thread = (unsigned)thread;
  return true;
}

/* The device implements the PMU's own events, and those that an `event` line will add. */
static bool complete_params(struct description *d) {
  if (d->params_done) return true;
  d->params_done = true;
  const char *wrong = pmuv3_params_complete(&d->device->params);
  d->device->params.events = pmuv3_events_smallest();
  return !wrong || pmuv3_lex_error(&d->lex, "%s", wrong);
}

static bool read_line(struct description *d, char *word) {
  char *at = strchr(word, '@');
  d->thread = 0;
  if (at) *at++ = '\0';
  for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
    if (strcmp(word, lines[l].word) != 0) continue;
    if (at && !lines[l].has_thread)
      return pmuv3_lex_error(&d->lex, "%s is of all threads; expected no @%.10s", word, at);
    if (lines[l].read != read_param && !complete_params(d)) return false;
    return (!at || read_thread(d, at)) && lines[l].read(d);
  }
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is no item of a description", word);
}

/* The counters of an external agent go on in a Warm reset. The checker's model stands still there.
 */
static bool check_warm(struct description *d) {
  if (!d->warm_line || !pmuv3_has(&d->device->params, PMUV3_FEATURE_EXTPMN)) return true;
  d->lex.line = d->warm_line;
  return pmuv3_lex_error(&d->lex,
                         "with EXTPMN counters count in a Warm reset, which is not checked; "
                         "tie the pin");
}

/* What follows from other lines. */
static void complete_events(struct pmuv3_device *device) {
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].latency == UINT8_MAX)
      device->events[e].latency = device->latency[PMUV3_LATENCY_EVENT].min;
  for (size_t e = 0; e < device->num_events; e++) {
    struct pmuv3_device_event *event = &device->events[e];
    bool have_one_latency;
    const bool has_others = pmuv3_device_event_pins(device, e, &have_one_latency) > 1;
    event->adds_up = has_others && have_one_latency && !event->is_any &&
                     pmuv3_device_most_together(device, e) > 1;
  }
}

/* A thread has one context in a cycle: its events of origin `other` come in the same one. */
static bool check_others(struct description *d) {
  const struct pmuv3_device *device = d->device;
  const struct pmuv3_device_event *first[PMUV3_MAX_THREADS] = {NULL};
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    if (event->origin != PMUV3_OTHER) continue;
    if (!first[event->thread]) first[event->thread] = event;
    if (first[event->thread]->latency == event->latency) continue;
    d->lex.line = d->event_line[e];
    return pmuv3_lex_error(&d->lex,
                           "events of origin other have one context in a cycle; expected one "
                           "latency, not %u of event 0x%04X and %u of event 0x%04X",
                           first[event->thread]->latency, first[event->thread]->number,
                           event->latency, event->number);
  }
  return true;
}

/* A debugger operates on halted threads alone. */
static bool check_debuggers(struct description *d) {
  const struct pmuv3_device *device = d->device;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    if (event->origin != PMUV3_DEBUGGER || device->pe[event->thread].halted ||
        pmuv3_device_can_halt(device, event->thread))
      continue;
    d->lex.line = d->event_line[e];
    return pmuv3_lex_error(&d->lex,
                           "event 0x%04X of a debugger: thread %u is never halted; expected a line "
                           "`state halted`",
                           event->number, event->thread);
  }
  return true;
}

/* Without a pin each clock is a Processor cycle. Nothing is late. */
static bool check_clock_latency(struct description *d) {
  const struct pmuv3_device *device = d->device;
  if (device->has_clock_enable || device->latency[PMUV3_LATENCY_CLOCK].max == 0) return true;
  d->lex.line = d->latency_line[PMUV3_LATENCY_CLOCK];
  return pmuv3_lex_error(&d->lex, "latency clock needs a line clock_enable");
}

/* What can only be said after the last line. */
static bool check_whole(struct description *d) {
  struct pmuv3_device *device = d->device;
  if (!complete_params(d)) return false;
  if (!d->has_clock) return pmuv3_lex_error(&d->lex, "the description has no clock");
  if (device->num_ports == 0) return pmuv3_lex_error(&d->lex, "the description has no port");
  if (device->num_registers == 0)
    return pmuv3_lex_error(&d->lex, "the description has no register");
  const char *wrong = pmuv3_params_wrong(&device->params);
  if (wrong) return pmuv3_lex_error(&d->lex, "%s", wrong);
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++) {
    if (device->mode != PMUV3_MODE_EXACT || device->latency[l].min == device->latency[l].max)
      continue;
    d->lex.line = d->latency_line[l];
    return pmuv3_lex_error(&d->lex, "mode exact needs an exact latency; expected N, not A..B");
  }
  const enum pmuv3_latency late = pmuv3_device_too_late(device);
  if (late < PMUV3_NUM_LATENCIES) {
    d->lex.line = d->latency_line[late] ? d->latency_line[late] : d->mode_line;
    return pmuv3_lex_error(&d->lex, "with the ranges of the inputs, %s may be later than %u clocks",
                           pmuv3_latency_name(late), PMUV3_DEVICE_MAX_WINDOW);
  }
  pmuv3_description_start_states(d);
  if (!check_warm(d) || !check_clock_latency(d) || !pmuv3_description_check_absent_events(d) ||
      !pmuv3_description_check_states(d) || !pmuv3_description_check_initials(d) ||
      !pmuv3_description_check_unknown(d))
    return false;
  complete_events(device);
  if (!check_others(d) || !check_debuggers(d)) return false;
  pmuv3_description_leave_out_absent(d);
  pmuv3_description_find_kept(d);
  return true;
}

static bool read_all(struct description *d) {
  if (!pmuv3_lex_head(&d->lex, "pmuv3-device", "a description of a device")) return false;
  while (pmuv3_lex_line(&d->lex)) {
    char *word = pmuv3_lex_word(&d->lex);
    if (word && !read_line(d, word)) return false;
  }
  return check_whole(d);
}

static struct pmuv3_device *new_device(const char *name) {
  static const struct pmuv3_pe reset = PMUV3_PE_RESET;
  struct pmuv3_device *device = calloc(1, sizeof *device);
  if (!device) return NULL;
  device->params = pmuv3_params_default();
  device->settle = 8;
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) device->pe[t] = reset;
  device->file = strdup(name);
  if (device->file) return device;
  free(device);
  return NULL;
}

struct pmuv3_device *pmuv3_device_read(FILE *in, const char *name, char *error, size_t error_size) {
  struct description d = {.device = new_device(name)};
  const bool opened = pmuv3_lex_open(&d.lex, in, name, error, error_size);
  if (!d.device) pmuv3_lex_error(&d.lex, "out of memory");
  const bool good = opened && d.device && read_all(&d);
  pmuv3_lex_close(&d.lex);
  if (good) return d.device;
  pmuv3_device_free(d.device);
  return NULL;
}
