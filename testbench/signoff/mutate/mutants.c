#define _GNU_SOURCE
#include "testbench/signoff/mutate/mutants.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/text.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "tlm_wrapper/side_rtl.h"

/* ---- The list ---- */

/* The next field of a line, behind which *rest is; NULL: there is none. */
static char *field(char **rest) {
  char *text = strsep(rest, "\t");
  return text && *text ? strdup(text) : NULL;
}

static bool read_mutant(struct pmuv3_mutant *mutant, char *line) {
  char *rest = line, *end;
  const char *number = strsep(&rest, "\t");
  mutant->number = (unsigned)strtoul(number, &end, 10);
  mutant->name = field(&rest);
  mutant->module = field(&rest);
  mutant->place = field(&rest);
  mutant->change = field(&rest);
  return end != number && !*end && mutant->number > 0 && mutant->name && mutant->module &&
         mutant->place && mutant->change && !rest;
}

static const char *add(struct pmuv3_mutants *mutants, char *line) {
  const size_t size = sizeof *mutants->list * (mutants->num + 1);
  struct pmuv3_mutant *list = realloc(mutants->list, size);
  if (!list) return "out of memory";
  mutants->list = list;
  if (!read_mutant(&list[mutants->num], line)) return "a line that is no mutant";
  mutants->num++;
  return NULL;
}

const char *pmuv3_mutants_read(struct pmuv3_mutants *mutants, const char *path) {
  *mutants = (struct pmuv3_mutants){0};
  const char *error;
  FILE *in = pmuv3_file_open(path, &error);
  if (!in) return error;
  static struct pmuv3_lines lines;
  lines = (struct pmuv3_lines){.in = in};
  while (!error && pmuv3_lines_next(&lines)) error = add(mutants, lines.line);
  if (*lines.wrong) error = lines.wrong;
  pmuv3_lines_free(&lines);
  fclose(in);
  return error || mutants->num > 0 ? error : "no mutant in it";
}

/* ---- The library ---- */

typedef struct pmuv3_side *rtl_constructor(const struct pmuv3_params *params, uint32_t x_seed);
typedef struct pmuv3_side *cmodel_constructor(const struct pmuv3_params *params);

/* Of the library; NULL where it has none of them. */
static rtl_constructor *mutated_rtl;
static cmodel_constructor *mutated_cmodel;
static int *selector;
static const unsigned *max_threads, *max_counters, *max_events;

const char *pmuv3_mutants_load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  *(void **)&mutated_rtl = dlsym(library, "pmuv3_side_rtl");
  *(void **)&mutated_cmodel = dlsym(library, "pmuv3_side_cmodel");
  selector = dlsym(library, "pmuv3_mutant");
  max_threads = dlsym(library, "pmuv3_mutant_threads");
  max_counters = dlsym(library, "pmuv3_mutant_counters");
  max_events = dlsym(library, "pmuv3_mutant_events");
  if (!selector || (!mutated_rtl && !mutated_cmodel)) return "no library of mutants";
  pmuv3_mutants_select(0);
  return NULL;
}

void pmuv3_mutants_select(unsigned number) {
  *selector = (int)number;
}

/* Whether a set has an event of the same class, attribution and traits. */
static bool has_kind(const struct pmuv3_events *events, const struct pmuv3_event *event) {
  for (unsigned e = 0; e < events->num; e++) {
    const struct pmuv3_event *other = &events->event[e];
    if (other->event_class == event->event_class && other->attribution == event->attribution &&
        other->traits == event->traits)
      return true;
  }
  return false;
}

/* PMCEID0 and PMCEID1 show 64 numbers from 0 on in their low halves, and from here on in their high
 * halves. */
#define HIGH_NUMBERS 0x4000

/* A set that is being made smaller: no more than `most`, of `all`. SELF events have no input. */
struct clipped {
  const struct pmuv3_events *all;
  struct pmuv3_events events;
  unsigned most;
};

static struct clipped clipped_from(const struct pmuv3_events *all) {
  const struct pmuv3_events smallest = pmuv3_events_smallest();
  return (struct clipped){all, smallest, smallest.num + *max_events};
}

static void add_event(struct clipped *clipped, const struct pmuv3_event *event) {
  if (clipped->events.num < clipped->most) pmuv3_events_add(&clipped->events, *event);
}

static void add_needed(struct clipped *clipped) {
  for (unsigned e = 0; e < clipped->all->num; e++)
    if (pmuv3_configuration_needs(&clipped->all->event[e]))
      add_event(clipped, &clipped->all->event[e]);
}

/* The instruction counter needs INST_RETIRED. */
static void add_retired(struct clipped *clipped) {
  const struct pmuv3_event *retired = pmuv3_events_find(clipped->all, PMUV3_EVENT_INST_RETIRED);
  if (retired) add_event(clipped, retired);
}

static void add_kinds(struct clipped *clipped) {
  for (unsigned e = 0; e < clipped->all->num; e++)
    if (!has_kind(&clipped->events, &clipped->all->event[e]))
      add_event(clipped, &clipped->all->event[e]);
}

/* From a row on, beside each other or some apart; behind the last row comes the first one. */
static void add_rows(struct clipped *clipped, uint64_t first) {
  static const uint8_t steps[] = {1, 7, 31};
  const unsigned num = clipped->all->num, step = steps[first % sizeof steps];
  for (unsigned e = 0; e < num; e++)
    add_event(clipped, &clipped->all->event[(first % num + e * step) % num]);
}

/* An event of a number that the set lacks. With SEBEP it must have the architecture's SYNC. */
static struct pmuv3_event made_up(uint16_t number) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  return (struct pmuv3_event){.number = number,
                              .event_class = PMUV3_EVENT_CLASS_COUNT,
                              .attribution = PMUV3_EVENT_ATTRIBUTION_CORE,
                              .traits = row ? row->traits & PMUV3_EVENT_TRAIT_SYNC : 0,
                              .most = UINT8_MAX};
}

/* Numbers `step` apart, until there are `most` events. Where a number has no event, one is made up.
 * What needs another event is left out. */
static void add_series(struct clipped *clipped, uint16_t from, uint8_t step, unsigned most) {
  for (uint16_t number = from; clipped->events.num < most; number += step) {
    const struct pmuv3_event new_one = made_up(number);
    const struct pmuv3_event *event = pmuv3_events_find(clipped->all, number);
    if (!event) event = &new_one;
    if (event->event_class != PMUV3_EVENT_CLASS_SECOND) add_event(clipped, event);
  }
}

/* Numbers beside each other, or some apart, from one of PMCEID0 and PMCEID1 on. */
static void add_numbers(struct clipped *clipped, uint64_t first) {
  static const uint8_t steps[] = {1, 5, 7};
  const uint16_t from = (uint16_t)((first & 64 ? HIGH_NUMBERS : 0) + first % 64);
  add_series(clipped, from, steps[first / 128 % sizeof steps], clipped->most);
}

/* Some numbers of the low half of PMCEID0 and PMCEID1, and the others of the high half. */
static void add_both_halves(struct clipped *clipped, uint64_t first) {
  const unsigned num_inputs = *max_events, low = 1 + (unsigned)(first * 7 % (num_inputs - 1));
  add_series(clipped, first % 64, 1, clipped->most - num_inputs + low);
  add_series(clipped, (uint16_t)(HIGH_NUMBERS + first % 64), 1, clipped->most);
}

bool pmuv3_mutants_limit_events(void) {
  return max_events != NULL;
}

void pmuv3_mutants_clip(struct pmuv3_params *params) {
  if (max_threads && params->threads > *max_threads) params->threads = (uint8_t)*max_threads;
  if (max_counters && params->counters > *max_counters) params->counters = (uint8_t)*max_counters;
}

void pmuv3_mutants_clip_events(struct pmuv3_params *params, enum pmuv3_clip clip, uint64_t first) {
  const struct pmuv3_events all = params->events;
  struct clipped clipped = clipped_from(&all);
  if (clip == PMUV3_CLIP_TO_NUMBERS) {
    if (pmuv3_has(params, PMUV3_FEATURE_ICNTR)) add_retired(&clipped);
    add_numbers(&clipped, first);
  } else if (clip == PMUV3_CLIP_TO_BOTH_HALVES) {
    if (pmuv3_has(params, PMUV3_FEATURE_ICNTR)) add_retired(&clipped);
    add_both_halves(&clipped, first);
  } else {
    add_needed(&clipped);
    if (clip == PMUV3_CLIP_TO_KINDS) add_kinds(&clipped);
    add_rows(&clipped, first);
  }
  params->events = clipped.events;
}

/* ---- What a mutant keeps ----
 *
 * A mutant of the C model runs beside the model without it, whose inputs are the same. What it
 * keeps is what pmuv3_save saves. */

static struct pmuv3_side *mutant_side, *sound_side;
static bool keeps_other_state;

static void compare_kept(void) {
  const size_t size = pmuv3_side_save(sound_side, NULL, 0);
  void *kept = malloc(size), *expected = malloc(size);
  if (!kept || !expected) _exit(PMUV3_NO_VERDICT);
  pmuv3_side_save(sound_side, expected, size);
  keeps_other_state |=
      pmuv3_side_save(mutant_side, kept, size) != size || memcmp(kept, expected, size) != 0;
  free(kept);
  free(expected);
}

static void (*destroy_both)(struct pmuv3_side *side);

static void compare_and_destroy(struct pmuv3_side *side) {
  compare_kept();
  destroy_both(side);
}

/* Both as one side, which shows the mutant's values. */
static struct pmuv3_side *beside_the_model(struct pmuv3_side *mutant, struct pmuv3_side *sound) {
  static struct pmuv3_side_ops ops;
  struct pmuv3_side *both = pmuv3_side_lockstep(mutant, sound);
  if (!both) return NULL;
  mutant_side = mutant;
  sound_side = sound;
  ops = *both->ops;
  destroy_both = ops.destroy;
  ops.destroy = compare_and_destroy;
  both->ops = &ops;
  return both;
}

bool pmuv3_mutants_keep_other_state(void) {
  return keeps_other_state;
}

/* ---- In its stead ----
 *
 * The program is linked with --wrap of the two constructors: whoever creates a side gets the
 * library's, if it has it. */

rtl_constructor __wrap_pmuv3_side_rtl, __real_pmuv3_side_rtl;
cmodel_constructor __wrap_pmuv3_side_cmodel, __real_pmuv3_side_cmodel;

struct pmuv3_side *__wrap_pmuv3_side_rtl(const struct pmuv3_params *params, uint32_t x_seed) {
  return (mutated_rtl ? mutated_rtl : __real_pmuv3_side_rtl)(params, x_seed);
}

struct pmuv3_side *__wrap_pmuv3_side_cmodel(const struct pmuv3_params *params) {
  if (!mutated_cmodel) return __real_pmuv3_side_cmodel(params);
  return beside_the_model(mutated_cmodel(params), __real_pmuv3_side_cmodel(params));
}
