#include "testbench/prove/equivalence/model_events.h"

#include <stdio.h>
#include <stdlib.h>

#include "testbench/prove/equivalence/model_run.h"

enum {
  INPUT_CLASSES = 1u << PMUV3_EVENT_CLASS_COUNT | 1u << PMUV3_EVENT_CLASS_STALL |
                  1u << PMUV3_EVENT_CLASS_SECOND | 1u << PMUV3_EVENT_CLASS_CONDITION |
                  1u << PMUV3_EVENT_CLASS_SLOTS,
  CLASS_BITS = 3,
  ATTRIBUTION_BITS = 3,
  TRAIT_BITS = 2,
};
_Static_assert(PMUV3_NUM_EVENT_CLASSES == 6, "INPUT_CLASSES");
_Static_assert(PMUV3_EVENT_ATTRIBUTION_TRACE == PMUV3_NUM_EVENT_ATTRIBUTIONS - 1, "last_of");

static const struct {
  uint16_t number;
  const char *name;
  unsigned classes; /* that it may have, a bit each */
  unsigned traits;  /* of SELF events */
} rows[MODEL_EVENTS] = {
    [MODEL_SW_INCR] = {PMUV3_EVENT_SW_INCR, "SW_INCR", 1u << PMUV3_EVENT_CLASS_SELF,
                       PMUV3_EVENT_TRAIT_EXACT | PMUV3_EVENT_TRAIT_SYNC},
    [MODEL_EVENT_0004] = {0x0004, "0x0004", INPUT_CLASSES, 0},
    [MODEL_INST_RETIRED] = {PMUV3_EVENT_INST_RETIRED, "INST_RETIRED", 1u << PMUV3_EVENT_CLASS_COUNT,
                            0},
    [MODEL_CPU_CYCLES] = {PMUV3_EVENT_CPU_CYCLES, "CPU_CYCLES", 1u << PMUV3_EVENT_CLASS_SELF,
                          PMUV3_EVENT_TRAIT_NONE},
    [MODEL_CHAIN] = {PMUV3_EVENT_CHAIN, "CHAIN", 1u << PMUV3_EVENT_CLASS_SELF,
                     PMUV3_EVENT_TRAIT_NONE},
    [MODEL_STALL_BACKEND] = {PMUV3_EVENT_STALL_BACKEND, "STALL_BACKEND",
                             1u << PMUV3_EVENT_CLASS_STALL, 0},
    [MODEL_EVENT_4005] = {0x4005, "0x4005", INPUT_CLASSES, 0},
    [MODEL_PMU_SNAPSHOT] = {PMUV3_EVENT_PMU_SNAPSHOT, "PMU_SNAPSHOT", 1u << PMUV3_EVENT_CLASS_SELF,
                            PMUV3_EVENT_TRAIT_NONE},
};

uint16_t model_event_number(unsigned row) {
  return rows[row].number;
}

const char *model_event_name(unsigned row) {
  return rows[row].name;
}

bool model_event_may_be(unsigned row, unsigned event_class) {
  return (rows[row].classes >> event_class & 1) != 0;
}

uint8_t model_event_traits(unsigned row, uint8_t traits, bool sebep) {
  const uint16_t number = rows[row].number;
  if (pmuv3_event_is_never_sync(number)) return traits & (uint8_t)~PMUV3_EVENT_TRAIT_SYNC;
  if (sebep && pmuv3_event_is_sync_with_sebep(number)) return traits | PMUV3_EVENT_TRAIT_SYNC;
  return traits;
}

bool model_event_is_self(unsigned row) {
  return model_event_may_be(row, PMUV3_EVENT_CLASS_SELF);
}

bool model_event_is_core(unsigned row) {
  return model_event_is_self(row) || row == MODEL_INST_RETIRED;
}

/* Whether the class is not free. */
static bool is_fixed(unsigned row) {
  return rows[row].classes != INPUT_CLASSES;
}

/* ---- What occurs ---- */

/* Bits of a count of an event of some class (pmuv3_event_has). */
static uint32_t bits_of(unsigned event_class, unsigned origin) {
  const bool is_current = origin == PMUV3_CURRENT || origin == PMUV3_DEBUGGER;
  switch (event_class) {
    case PMUV3_EVENT_CLASS_SELF:
      return 0;
    case PMUV3_EVENT_CLASS_COUNT:
      return 8;
    case PMUV3_EVENT_CLASS_SLOTS:
      return is_current ? 8 : 0;
    default:
      return is_current ? 1 : 0;
  }
}

static unsigned widest_class(unsigned row) {
  for (unsigned c = 0; c < PMUV3_NUM_EVENT_CLASSES; c++)
    if (model_event_may_be(row, c)) return c;
  abort();
}

uint32_t model_event_bits(unsigned row, unsigned origin) {
  return bits_of(widest_class(row), origin);
}

static const char *const origins[PMUV3_NUM_ORIGINS] = {
    [PMUV3_CURRENT] = "current",
    [PMUV3_OTHER] = "other",
    [PMUV3_UNATTRIBUTABLE] = "unattributable",
    [PMUV3_DEBUGGER] = "debugger",
};

term model_event_count(const char *copy, unsigned thread, unsigned row, unsigned origin) {
  char name[64];
  snprintf(name, sizeof name, "%st%u.%s.%s", copy, thread, rows[row].name, origins[origin]);
  return term_var(model_event_bits(row, origin), name);
}

/* ---- The rows ---- */

static term is(term a, uint64_t value) {
  return term_eq(a, constant(term_width(a), value));
}

/* The last attribution that a class can have: only COUNT can be of TRACE (pmuv3_events_wrong). */
static term last_of(term event_class) {
  return term_ite(is(event_class, PMUV3_EVENT_CLASS_COUNT),
                  constant(ATTRIBUTION_BITS, PMUV3_EVENT_ATTRIBUTION_TRACE),
                  constant(ATTRIBUTION_BITS, PMUV3_EVENT_ATTRIBUTION_TRACE - 1));
}

static void make_row(struct model *model, unsigned row) {
  const char *name = rows[row].name;
  const term event_class = is_fixed(row) ? constant(CLASS_BITS, widest_class(row))
                                         : run_variable(model, CLASS_BITS, "%s.class", name);
  if (!is_fixed(row)) {
    run_assume(model, term_ule(constant(CLASS_BITS, PMUV3_EVENT_CLASS_COUNT), event_class));
    run_assume(model, term_ule(event_class, constant(CLASS_BITS, PMUV3_EVENT_CLASS_SLOTS)));
  }
  const bool is_self = model_event_is_self(row), is_core = model_event_is_core(row);
  model->events[row] = (struct event_terms){
      .event_class = event_class,
      .attribution = is_core ? constant(ATTRIBUTION_BITS, PMUV3_EVENT_ATTRIBUTION_CORE)
                             : run_variable(model, ATTRIBUTION_BITS, "%s.attribution", name),
      .traits = is_self ? constant(TRAIT_BITS, rows[row].traits)
                        : run_variable(model, TRAIT_BITS, "%s.traits", name),
  };
  run_assume(model, term_ule(model->events[row].attribution, last_of(event_class)));
}

void model_events_make(struct model *model) {
  for (unsigned row = 0; row < MODEL_EVENTS; row++) make_row(model, row);
}

term model_events_may_be(const struct model *model) {
  term may_be = TERM_TRUE;
  for (unsigned row = 0; row < MODEL_EVENTS; row++) {
    const uint16_t number = rows[row].number;
    const term sync =
        term_any(term_and(model->events[row].traits, constant(TRAIT_BITS, PMUV3_EVENT_TRAIT_SYNC)));
    if (pmuv3_event_is_never_sync(number)) may_be = term_and(may_be, term_not(sync));
    if (pmuv3_event_is_sync_with_sebep(number)) may_be = term_and(may_be, sync);
  }
  return may_be;
}

/* ---- What a counter selects ---- */

size_t model_selections(struct selection selections[SELECTIONS_MAX]) {
  size_t number = 0;
  for (unsigned row = 0; row < MODEL_EVENTS; row++)
    for (unsigned c = 0; c < PMUV3_NUM_EVENT_CLASSES; c++)
      if (model_event_may_be(row, c))
        selections[number++] = (struct selection){row, c, ANY_ATTRIBUTION};
  selections[number++] = (struct selection){SELECTS_NONE, PMUV3_EVENT_CLASS_SELF, ANY_ATTRIBUTION};
  return number;
}

void selection_name(const struct selection *selection, char name[SELECTION_NAME]) {
  const char *event = selection->row == SELECTS_NONE ? "no event" : rows[selection->row].name;
  const bool of_any = selection->attribution == ANY_ATTRIBUTION;
  const bool is_free = selection->row != SELECTS_NONE && !is_fixed(selection->row);
  snprintf(name, SELECTION_NAME, "%s%s%s%s%s", event, is_free ? " as " : "",
           is_free ? pmuv3_event_class_name(selection->event_class) : "", of_any ? "" : " of ",
           of_any ? "" : pmuv3_event_attribution_name(selection->attribution));
}

static term has_number(term selected, unsigned row) {
  return is(selected, rows[row].number);
}

/* No comparison with an event holds. */
static void put_none(struct term_map *map, term selected) {
  for (unsigned row = 0; row < MODEL_EVENTS; row++)
    term_map_put(map, has_number(selected, row), TERM_FALSE);
}

static void put_row(struct term_map *map, const struct model *model,
                    const struct selection *selection, term selected) {
  const unsigned row = selection->row;
  const struct event_terms *event = &model->events[row];
  term_map_put(map, selected, constant(16, rows[row].number));
  if (!is_fixed(row))
    term_map_put(map, event->event_class, constant(CLASS_BITS, selection->event_class));
  if (selection->attribution != ANY_ATTRIBUTION && !model_event_is_core(row))
    term_map_put(map, event->attribution, constant(ATTRIBUTION_BITS, selection->attribution));
}

struct term_map *selection_values(const struct model *model, const struct selection *selection,
                                  term selected) {
  struct term_map *map = term_map_new();
  if (selection->row == SELECTS_NONE)
    put_none(map, selected);
  else
    put_row(map, model, selection, selected);
  return map;
}

term selection_is(const struct model *model, const struct selection *selection, term selected) {
  const unsigned row = selection->row;
  term selects = TERM_TRUE;
  if (row == SELECTS_NONE) {
    for (unsigned e = 0; e < MODEL_EVENTS; e++)
      selects = term_and(selects, term_not(has_number(selected, e)));
    return selects;
  }
  const struct event_terms *event = &model->events[row];
  selects = term_and(has_number(selected, row), is(event->event_class, selection->event_class));
  if (selection->attribution == ANY_ATTRIBUTION) return selects;
  return term_and(selects, is(event->attribution, selection->attribution));
}

/* A count by the name that all events of the class have. What the class cannot have is 0. */
static void rename_count(struct term_map *map, const struct selection *selection, const char *copy,
                         unsigned t, unsigned o) {
  const uint32_t had = model_event_bits(selection->row, o);
  const uint32_t bits = bits_of(selection->event_class, o);
  if (had == 0) return;
  char name[64];
  snprintf(name, sizeof name, "%st%u.event.%s%u", copy, t, origins[o], bits);
  term_map_put(map, model_event_count(copy, t, selection->row, o),
               bits == 0 ? constant(had, 0) : zext(term_var(bits, name), had));
}

/* Any attribution that the class can have. */
static term renamed_attribution(const struct selection *selection) {
  const term any = term_var(ATTRIBUTION_BITS, "event.attribution");
  const term event_class = constant(CLASS_BITS, selection->event_class);
  return term_ite(term_ule(any, last_of(event_class)), any,
                  constant(ATTRIBUTION_BITS, PMUV3_EVENT_ATTRIBUTION_CORE));
}

struct term_map *selection_names(const struct model *model, const struct selection *selection) {
  struct term_map *map = term_map_new();
  if (selection->row == SELECTS_NONE || model_event_is_self(selection->row)) return map;
  const struct event_terms *event = &model->events[selection->row];
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      rename_count(map, selection, "", t, o);
      rename_count(map, selection, "b.", t, o);
    }
  }
  if (!model_event_is_core(selection->row))
    term_map_put(map, event->attribution, renamed_attribution(selection));
  term_map_put(map, event->traits, term_var(TRAIT_BITS, "event.traits"));
  return map;
}

term selection_replaced(term a, struct term_map *map) {
  const term result = term_replace(a, map);
  term_map_free(map);
  return result;
}
