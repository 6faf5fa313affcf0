/*
 * The set of events that the proof speaks of. Four rows are the PMU's own. The others have an
 * input: INST_RETIRED and STALL_BACKEND, which the PMU knows by their numbers, and two events of
 * any class. Traits of a row with an input are any, too, and so are attributions, but for
 * INST_RETIRED. The rows are in order of their numbers; from 0x4005 on they need the evtCount of
 * PMUv3p1.
 */
#ifndef PMUV3_PROVE_MODEL_EVENTS_H
#define PMUV3_PROVE_MODEL_EVENTS_H

#include <assert.h>

#include "engine/term/term.h"
#include "testbench/prove/equivalence/step.h"

struct model;
struct term_map;

enum model_event {
  MODEL_SW_INCR,
  MODEL_EVENT_0004,
  MODEL_INST_RETIRED,
  MODEL_CPU_CYCLES,
  MODEL_CHAIN,
  MODEL_STALL_BACKEND,
  MODEL_EVENT_4005,
  MODEL_PMU_SNAPSHOT,
  MODEL_EVENTS
};
static_assert((int)MODEL_EVENTS == (int)STEP_EVENTS, "the inputs of a clock have these rows");

/* A row of the set, as terms: 3, 3 and 2 bits. */
struct event_terms {
  term event_class, attribution, traits;
};

uint16_t model_event_number(unsigned row);
/* The mnemonic, or the number of an event of any class. */
const char *model_event_name(unsigned row);
/* Whether the PMU makes the event. */
bool model_event_is_self(unsigned row);
/* Whether its occurrences are attributable to CORE alone. */
bool model_event_is_core(unsigned row);
/* Whether a row may have a class. */
bool model_event_may_be(unsigned row, unsigned event_class);
/* The traits of a row, changed to those that D14.7 lets an implementation have. */
uint8_t model_event_traits(unsigned row, uint8_t traits, bool sebep);
/* Bits of a count that may occur so; 0: the event cannot. Of an event of any class: of COUNT. */
uint32_t model_event_bits(unsigned row, unsigned origin);
/* The variable of a count, of a copy of the model ("" or "b."). */
term model_event_count(const char *copy, unsigned thread, unsigned row, unsigned origin);

/* The rows of a set, of variables that the model has from then on. */
void model_events_make(struct model *model);

/* Whether D14.7 lets an implementation with SEBEP have the rows' traits. The theorem does not need
 * it, a stimulus file does. */
term model_events_may_be(const struct model *model);

/* ---- What a counter selects ---- */

/* A row, as one of its classes, with one attribution or any; or no event that is implemented. */
enum { SELECTS_NONE = MODEL_EVENTS, ANY_ATTRIBUTION = PMUV3_NUM_EVENT_ATTRIBUTIONS };
struct selection {
  unsigned row, event_class, attribution;
};

/* All of them, of any attribution; SELECTS_NONE is the last. */
enum { SELECTIONS_MAX = MODEL_EVENTS * PMUV3_NUM_EVENT_CLASSES + 1 };
size_t model_selections(struct selection selections[SELECTIONS_MAX]);

/* "INST_RETIRED", "0x0004 as SLOTS", "no event". */
enum { SELECTION_NAME = 64 };
void selection_name(const struct selection *selection, char name[SELECTION_NAME]);

/* What the variables are when a counter selects this. `selected` is the variable of its evtCount.
 */
struct term_map *selection_values(const struct model *model, const struct selection *selection,
                                  term selected);

/* Whether the counter selects this. */
term selection_is(const struct model *model, const struct selection *selection, term selected);

/* The names that all events have which are counted alike: what is proved of one is proved of all.
 * Of both copies of the model. */
struct term_map *selection_names(const struct model *model, const struct selection *selection);

/* A term with such replacements, which it frees. */
term selection_replaced(term a, struct term_map *map);

#endif
