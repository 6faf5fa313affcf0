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

static const char *read_number(const char *key, const char *value, uint64_t most,
                               uint64_t *number) {
  if (!value) value = "1";
  if (is_number(value, number) && *number <= most) return NULL;
  return wrong("%s is \"%.40s\"; expected a number from 0 to %llu", key, value,
               (unsigned long long)most);
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

bool explore_event_find(const char *name, const struct pmuv3_params *params,
                        const struct pmt_header *header, uint16_t *number) {
  char known[PMUV3_EVENT_NAME_SIZE];
  uint64_t given;
  for (unsigned e = 0; e < params->events.num; e++) {
    *number = params->events.event[e].number;
    if (strcasecmp(name, pmuv3_event_name(*number, known)) == 0) return true;
  }
  for (unsigned c = 0; c < header->num_columns; c++) {
    *number = header->columns[c].event;
    if (strcasecmp(name, header->columns[c].name) == 0) return true;
  }
  for (size_t a = 0; a < sizeof aliases / sizeof *aliases; a++) {
    *number = aliases[a].number;
    if (strcmp(name, aliases[a].name) == 0) return true;
  }
  if (!is_raw(name, &given) && !is_number(name, &given)) return false;
  *number = (uint16_t)given;
  return given <= UINT16_MAX;
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
  if (!explore_event_find(spec->event, params, header, &spec->number))
    return wrong("unknown event \"%.60s\"; expected a mnemonic, a name of perf or a number",
                 spec->event);
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

static const char *read_term(struct explore_spec *spec, char *term,
                             const struct pmuv3_params *params) {
  char *value = strchr(term, '=');
  if (value) *value++ = '\0';
  const uint64_t most_threshold = (UINT64_C(1) << params->th_width) - 1;
  unsigned ignored;
  if (strcmp(term, "threshold") == 0) {
    spec->has_threshold = true;
    return read_range(term, value, most_threshold, &spec->threshold);
  }
  if (strcmp(term, "threshold_compare") == 0) return read_small(term, value, 3, &spec->compare);
  if (strcmp(term, "threshold_count") == 0) return read_small(term, value, 1, &spec->count);
  if (strcmp(term, "edge") == 0) return read_small(term, value, 1, &spec->edge);
  if (strcmp(term, "mt") == 0) return read_small(term, value, 1, &spec->mt);
  if (strcmp(term, "link") == 0) return read_link(value, &spec->link);
  if (strcmp(term, "period") == 0) return read_number(term, value, INT32_MAX, &spec->period);
  if (strcmp(term, "skid") == 0) return read_number(term, value, INT32_MAX, &spec->skid);
  if (strcmp(term, "long") == 0) return read_small(term, value, 1, &ignored); /* all are long */
  if (strcmp(term, "name") == 0 || strcmp(term, "event") == 0) {
    if (!value || !*value) return wrong("%s needs a value", term);
    snprintf(strcmp(term, "name") == 0 ? spec->name : spec->event, EXPLORE_NAME_SIZE, "%s", value);
    return NULL;
  }
  return wrong(
      "unknown term \"%.40s\"; expected event, threshold, threshold_compare, "
      "threshold_count, edge, link, mt, period, skid or name",
      term);
}

static const char *read_terms(struct explore_spec *spec, char *terms,
                              const struct pmuv3_params *params) {
  for (char *term = terms, *next; term && *term; term = next) {
    next = strchr(term, ',');
    if (next) *next++ = '\0';
    const char *why = read_term(spec, term, params);
    if (why) return why;
  }
  return NULL;
}

static const char *read_modifiers(struct explore_spec *spec, const char *letters) {
  for (; *letters; letters++) {
    if (*letters == 'u')
      spec->user = true;
    else if (*letters == 'k')
      spec->kernel = true;
    else if (*letters == 'h')
      spec->hypervisor = true;
    else
      return wrong("unknown modifier \"%c\"; expected u (EL0), k (EL1) or h (EL2)", *letters);
  }
  return NULL;
}

static const char *fixed_wrong(const struct explore_spec *spec) {
  const bool has_terms = spec->has_threshold || spec->compare || spec->count || spec->edge ||
                         spec->link || spec->mt || spec->user || spec->kernel || spec->hypervisor;
  if (spec->bit == EXPLORE_BITS || !has_terms) return NULL;
  return wrong("pmccntr and pmicntr take no term but name, and no modifier");
}

static const char *sampling_wrong(const struct explore_spec *spec) {
  if (spec->skid != 0 && spec->period == 0) return wrong("skid needs a period");
  if (spec->period != 0 && spec->bit != EXPLORE_BITS)
    return wrong("only an event counter can have a period");
  return NULL;
}

/* EVENT[:MODIFIERS], EVENT/TERMS/[MODIFIERS], PMU/event=EVENT,TERMS/[MODIFIERS]. */
const char *explore_spec_read(struct explore_spec *spec, char *text,
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
    modifiers = end[1] == ':' ? end + 1 : end;
  }
  if (modifiers && *modifiers == ':') *modifiers = '\0';
  snprintf(spec->event, sizeof spec->event, "%s", text);
  const char *why = terms ? read_terms(spec, terms, params) : NULL;
  if (!why && modifiers) why = read_modifiers(spec, modifiers + 1);
  if (!why) why = find_event(spec, params, header);
  if (!why) why = fixed_wrong(spec);
  return why ? why : sampling_wrong(spec);
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
  const uint64_t TC =
      spec->has_threshold || spec->edge || spec->link ? spec->compare << 1 | spec->count : 0;
  return (spec->number & UINT64_C(0xFFFF)) | FIELD(TC, TC) | FIELD(spec->edge, TE) |
         FIELD(spec->link, TLC) | FIELD(threshold, TH) | FIELD(spec->mt, MT) |
         FIELD(!all && !spec->user, U) | FIELD(!all && !spec->kernel, P) |
         FIELD(all || spec->hypervisor, NSH);
}
