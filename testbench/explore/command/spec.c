#include "testbench/explore/command/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "testbench/cosim/stimulus/events_text.h"

__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...) {
  static _Thread_local char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

/* ---- Numbers and ranges ---- */

static bool is_number(const char *text, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
  return isdigit((unsigned char)*text) && errno == 0 && *end == '\0';
}

static const char *read_from(uint64_t least, const char *key, const char *value, uint64_t most,
                             uint64_t *number) {
  if (!value) value = "1";
  if (is_number(value, number) && *number >= least && *number <= most) return NULL;
  return wrong("%s is \"%.40s\"; expected a number from %llu to %llu", key, value,
               (unsigned long long)least, (unsigned long long)most);
}

static const char *read_number(const char *key, const char *value, uint64_t most,
                               uint64_t *number) {
  return read_from(0, key, value, most, number);
}

static const char *read_small(const char *key, const char *value, unsigned most, unsigned *number) {
  uint64_t given;
  const char *why = read_number(key, value, most, &given);
  if (!why) *number = (unsigned)given;
  return why;
}

/* FIRST..LAST, or one number. */
static const char *read_range(const char *key, char *value, uint64_t most,
                              struct explore_range *range) {
  char *dots = value ? strstr(value, "..") : NULL;
  if (dots) *dots = '\0';
  const char *why = read_number(key, value, most, &range->first);
  if (!why) why = dots ? read_number(key, dots + 2, most, &range->last) : NULL;
  if (why) return why;
  if (!dots) range->last = range->first;
  return range->first <= range->last ? NULL : wrong("%s: the range is empty", key);
}

/* ---- Events ---- */

/* perf's names for events of the architecture. */
static const struct {
  const char *name;
  uint16_t number;
} aliases[] = {
    {"cpu-cycles", PMUV3_EVENT_CPU_CYCLES},
    {"instructions", PMUV3_EVENT_INST_RETIRED},
    {"branches", PMUV3_EVENT_BR_RETIRED},
    {"branch-instructions", PMUV3_EVENT_BR_RETIRED},
    {"branch-misses", PMUV3_EVENT_BR_MIS_PRED_RETIRED},
    {"cache-references", PMUV3_EVENT_L1D_CACHE},
    {"cache-misses", PMUV3_EVENT_L1D_CACHE_REFILL},
    {"bus-cycles", PMUV3_EVENT_BUS_CYCLES},
    {"stalled-cycles-frontend", PMUV3_EVENT_STALL_FRONTEND},
    {"stalled-cycles-backend", PMUV3_EVENT_STALL_BACKEND},
};

/* perf's raw events: r and hexadecimal digits. */
static bool is_raw(const char *name, uint64_t *number) {
  char *end;
  if (name[0] != 'r' || !isxdigit((unsigned char)name[1])) return false;
  *number = strtoull(name + 1, &end, 16);
  return *end == '\0';
}

/* The events that a name may stand for. */
struct meanings {
  unsigned num;
  uint64_t events[2]; /* two that differ are enough */
};

static void add_meaning(struct meanings *meanings, uint64_t event) {
  const bool is_known = meanings->num > 0 && meanings->events[meanings->num - 1] == event;
  if (!is_known && meanings->num < 2) meanings->events[meanings->num++] = event;
}

static struct meanings find_meanings(const char *name, const struct pmuv3_params *params,
                                     const struct pmt_header *header) {
  struct meanings meanings = {0};
  char known[PMUV3_EVENT_NAME_SIZE];
  uint64_t given;
  if (is_number(name, &given) || is_raw(name, &given)) add_meaning(&meanings, given);
  for (unsigned e = 0; e < params->events.num; e++) {
    const uint16_t number = params->events.event[e].number;
    if (strcasecmp(name, pmuv3_event_name(number, known)) == 0) add_meaning(&meanings, number);
  }
  for (unsigned c = 0; c < header->num_columns; c++)
    if (strcasecmp(name, header->columns[c].name) == 0)
      add_meaning(&meanings, header->columns[c].event);
  for (size_t a = 0; a < sizeof aliases / sizeof *aliases; a++)
    if (strcmp(name, aliases[a].name) == 0) add_meaning(&meanings, aliases[a].number);
  return meanings;
}

const char *explore_event_find(const char *name, const struct pmuv3_params *params,
                               const struct pmt_header *header, uint16_t *number) {
  const struct meanings meanings = find_meanings(name, params, header);
  if (meanings.num == 0 || meanings.events[0] > UINT16_MAX)
    return wrong("unknown event \"%.60s\"; expected a mnemonic, a name of perf or a number", name);
  if (meanings.num > 1)
    return wrong("\"%.60s\" is event 0x%04llX and event 0x%04llX; expected a number", name,
                 (unsigned long long)meanings.events[0], (unsigned long long)meanings.events[1]);
  *number = (uint16_t)meanings.events[0];
  return NULL;
}

static bool has_column(const struct pmt_header *header, uint16_t event, unsigned thread) {
  for (unsigned c = 0; c < header->num_columns; c++)
    if (header->columns[c].event == event && header->columns[c].thread == thread) return true;
  return false;
}

/* Whether a counter with MT = 1 counts what occurs on other threads, too. */
static bool is_grouped(bool mt, const struct pmuv3_params *params,
                       const struct pmt_header *header) {
  const uint64_t mask = pmuv3_register_mask(params, PMUV3_PMEVTYPERn(0));
  return mt && header->threads > 1 && PMUV3_GET(mask, PMEVTYPER, MT) != 0;
}

/* The PMU makes events of class SELF itself. A second condition counts on all threads in cycles in
 * which they all stall (D14.4-d). */
const char *explore_event_untraced(uint16_t event, bool mt, unsigned thread,
                                   const struct pmuv3_params *params,
                                   const struct pmt_header *header) {
  const struct pmuv3_event *row = pmuv3_events_find(&params->events, event);
  const bool grouped = is_grouped(mt, params, header);
  const bool is_second = grouped && row && row->event_class == PMUV3_EVENT_CLASS_SECOND;
  if (row && row->event_class == PMUV3_EVENT_CLASS_SELF) return NULL;
  for (unsigned t = 0; t < header->threads; t++) {
    if (t != thread && !grouped) continue;
    if (!has_column(header, event, t))
      return wrong("the trace has no column of event 0x%04X of thread %u", event, t);
    if (is_second && !has_column(header, PMUV3_EVENT_STALL_BACKEND, t))
      return wrong(
          "the trace has no column of event 0x%04X of thread %u, which event 0x%04X needs "
          "with mt",
          PMUV3_EVENT_STALL_BACKEND, t, event);
  }
  return NULL;
}

static const char *find_event(struct explore_spec *spec, const struct pmuv3_params *params,
                              const struct pmt_header *header) {
  if (strcasecmp(spec->event, "pmccntr") == 0) {
    spec->bit = EXPLORE_CYCLES;
    return NULL;
  }
  if (strcasecmp(spec->event, "pmicntr") == 0) {
    spec->bit = EXPLORE_INSTRUCTIONS;
    return NULL;
  }
  const char *why = explore_event_find(spec->event, params, header, &spec->number);
  if (why) return why;
  if (pmuv3_events_find(&params->events, spec->number)) return NULL;
  return wrong("event 0x%04X is not implemented with these parameters", spec->number);
}

/* ---- Terms ---- */

static const char *read_link(const char *value, unsigned *link) {
  static const char *const words[] = {"false", "true"};
  for (unsigned w = 0; w < 2; w++) {
    if (!value || strcmp(value, words[w]) != 0) continue;
    *link = w + 1; /* TLC */
    return NULL;
  }
  return wrong("link is \"%.40s\"; expected true or false", value ? value : "");
}

enum term { THRESHOLD, COMPARE, COUNT, EDGE, LINK, MT, PERIOD, SKID, LONG, NAME, EVENT, NUM_TERMS };
static const char *const term_names[NUM_TERMS] = {
    [THRESHOLD] = "threshold",
    [COMPARE] = "threshold_compare",
    [COUNT] = "threshold_count",
    [EDGE] = "edge",
    [LINK] = "link",
    [MT] = "mt",
    [PERIOD] = "period",
    [SKID] = "skid",
    [LONG] = "long",
    [NAME] = "name",
    [EVENT] = "event",
};

static bool has_term(const struct explore_spec *spec, enum term term) {
  return (spec->given >> term & 1) != 0;
}

/* Of a term that is given twice only the last would count. */
static const char *take_term(struct explore_spec *spec, const char *name, enum term *term) {
  unsigned t = 0;
  while (t < NUM_TERMS && strcmp(name, term_names[t]) != 0) t++;
  *term = (enum term)t;
  if (t == NUM_TERMS)
    return wrong(
        "unknown term \"%.40s\"; expected event, threshold, threshold_compare, "
        "threshold_count, edge, link, mt, period, skid or name",
        name);
  if (has_term(spec, *term)) return wrong("%s is given twice; expected it once", name);
  spec->given |= 1u << t;
  return NULL;
}

static const char *read_text(const char *key, const char *value, char text[EXPLORE_NAME_SIZE]) {
  if (!value || !*value) return wrong("%s needs a value", key);
  snprintf(text, EXPLORE_NAME_SIZE, "%s", value);
  return NULL;
}

static const char *read_term(struct explore_spec *spec, char *key,
                             const struct pmuv3_params *params) {
  char *value = strchr(key, '=');
  if (value) *value++ = '\0';
  unsigned ignored;
  enum term term;
  const char *why = take_term(spec, key, &term);
  if (why) return why;
  switch (term) {
    case THRESHOLD:
      return read_range(key, value, (UINT64_C(1) << params->th_width) - 1, &spec->threshold);
    case COMPARE:
      return read_small(key, value, 3, &spec->compare);
    case COUNT:
      return read_small(key, value, 1, &spec->count);
    case EDGE:
      return read_small(key, value, 1, &spec->edge);
    case LINK:
      return read_link(value, &spec->link);
    case MT:
      return read_small(key, value, 1, &spec->mt);
    case PERIOD:
      return read_from(1, key, value, INT32_MAX, &spec->period);
    case SKID:
      return read_number(key, value, INT32_MAX, &spec->skid);
    case NAME:
      return read_text(key, value, spec->name);
    case EVENT:
      return read_text(key, value, spec->event);
    default: /* all counters are long */
      return read_small(key, value, 1, &ignored);
  }
}

static const char *read_terms(struct explore_spec *spec, char *terms,
                              const struct pmuv3_params *params) {
  for (char *term = terms, *next; term; term = next) {
    next = strchr(term, ',');
    if (next) *next++ = '\0';
    if (!*term) return "expected a term behind the slash, and before and behind each comma";
    const char *why = read_term(spec, term, params);
    if (why) return why;
  }
  return NULL;
}

static const char *read_modifiers(struct explore_spec *spec, const char *letters) {
  static const char known[] = "ukh";
  bool *const flags[] = {&spec->user, &spec->kernel, &spec->hypervisor};
  if (!*letters) return "expected a modifier: u (EL0), k (EL1) or h (EL2)";
  for (; *letters; letters++) {
    const char *found = strchr(known, *letters);
    if (!found)
      return wrong("unknown modifier \"%c\"; expected u (EL0), k (EL1) or h (EL2)", *letters);
    bool *flag = flags[found - known];
    if (*flag) return wrong("modifier \"%c\" is given twice; expected it once", *letters);
    *flag = true;
  }
  return NULL;
}

static const char *fixed_wrong(const struct explore_spec *spec) {
  const bool has_terms = (spec->given & ~(1u << NAME | 1u << EVENT)) != 0 || spec->user ||
                         spec->kernel || spec->hypervisor;
  if (spec->bit == EXPLORE_BITS || !has_terms) return NULL;
  return wrong("pmccntr and pmicntr take no term but name, and no modifier");
}

/* TC is the condition of a threshold, of edges and of links. */
static bool has_condition(const struct explore_spec *spec) {
  return has_term(spec, THRESHOLD) || spec->edge || spec->link;
}

static const char *condition_wrong(const struct explore_spec *spec) {
  if (has_condition(spec) || (!has_term(spec, COMPARE) && !has_term(spec, COUNT))) return NULL;
  return wrong("threshold_compare and threshold_count need threshold, edge or link");
}

static const char *sampling_wrong(const struct explore_spec *spec) {
  if (spec->skid != 0 && spec->period == 0) return wrong("skid needs a period");
  if (spec->period != 0 && spec->bit != EXPLORE_BITS)
    return wrong("only an event counter can have a period");
  return NULL;
}

/* What is before the slash is a PMU's name if event= is a term. */
static const char *name_wrong(const struct explore_spec *spec, const char *name,
                              const struct pmuv3_params *params, const struct pmt_header *header) {
  uint16_t number;
  if (!has_term(spec, EVENT) || explore_event_find(name, params, header, &number)) return NULL;
  return wrong("event= beside the event \"%.60s\"; expected one of both", name);
}

/* EVENT[:MODIFIERS], EVENT/TERMS/[MODIFIERS], PMU/event=EVENT,TERMS/[MODIFIERS]. */
const char *explore_spec_read(struct explore_spec *spec, char *text, unsigned thread,
                              const struct pmuv3_params *params, const struct pmt_header *header) {
  *spec = (struct explore_spec){.bit = EXPLORE_BITS};
  char *slash = strchr(text, '/'), *modifiers = strchr(text, ':');
  char *terms = NULL;
  if (slash) {
    *slash = '\0';
    terms = slash + 1;
    char *end = strrchr(terms, '/');
    if (!end) return wrong("the terms do not end: expected a second /");
    *end = '\0';
    modifiers = end[1] == ':' ? end + 1 : end[1] ? end : NULL;
  }
  if (modifiers && *modifiers == ':') *modifiers = '\0';
  snprintf(spec->event, sizeof spec->event, "%s", text);
  const char *why = terms ? read_terms(spec, terms, params) : NULL;
  if (!why) why = name_wrong(spec, text, params, header);
  if (!why && modifiers) why = read_modifiers(spec, modifiers + 1);
  if (!why) why = find_event(spec, params, header);
  if (!why) why = sampling_wrong(spec);
  if (!why) why = fixed_wrong(spec);
  if (!why) why = condition_wrong(spec);
  if (why || spec->bit == EXPLORE_CYCLES) return why;
  const uint16_t event =
      spec->bit == EXPLORE_INSTRUCTIONS ? PMUV3_EVENT_INST_RETIRED : spec->number;
  return explore_event_untraced(event, spec->mt, thread, params, header);
}

/* ---- PMEVTYPER ---- */

static uint64_t field(uint64_t value, unsigned lsb) {
  return value << lsb;
}
#define FIELD(value, name) field(value, PMUV3_PMEVTYPER_##name##_LSB)

/* threshold_compare and threshold_count are TC, as in perf's driver. Without modifiers all
 * Exception levels below EL3 count. */
uint64_t explore_spec_type(const struct explore_spec *spec, uint64_t threshold) {
  const bool all = !spec->user && !spec->kernel && !spec->hypervisor;
  const uint64_t TC = has_condition(spec) ? spec->compare << 1 | spec->count : 0;
  return (spec->number & UINT64_C(0xFFFF)) | FIELD(TC, TC) | FIELD(spec->edge, TE) |
         FIELD(spec->link, TLC) | FIELD(threshold, TH) | FIELD(spec->mt, MT) |
         FIELD(!all && !spec->user, U) | FIELD(!all && !spec->kernel, P) |
         FIELD(all || spec->hypervisor, NSH);
}
