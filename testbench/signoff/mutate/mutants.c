#define _GNU_SOURCE
#include "testbench/signoff/mutate/mutants.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/text.h"
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

/* First the events on which others depend, then one of each kind, then the rest. */
static bool is_next(int pass, const struct pmuv3_events *events, const struct pmuv3_event *event) {
  const bool is_needed =
      event->number == PMUV3_EVENT_INST_RETIRED || event->number == PMUV3_EVENT_STALL_BACKEND;
  return pass == 0 ? is_needed : pass == 2 || !has_kind(events, event);
}

/* The events of a set that has at most so many inputs. SELF events have none. */
static void clip_events(struct pmuv3_events *events, unsigned inputs, bool of_each_kind,
                        uint64_t first) {
  const struct pmuv3_events all = *events;
  *events = pmuv3_events_smallest();
  const unsigned most = events->num + inputs;
  for (int pass = 0; pass < 3; pass++)
    for (unsigned e = 0; e < all.num && events->num < most && (pass != 1 || of_each_kind); e++) {
      const struct pmuv3_event *event = &all.event[(first + e) % all.num];
      if (is_next(pass, events, event)) pmuv3_events_add(events, *event);
    }
}

void pmuv3_mutants_clip(struct pmuv3_params *params, bool of_each_kind, uint64_t first) {
  if (max_threads && params->threads > *max_threads) params->threads = (uint8_t)*max_threads;
  if (max_counters && params->counters > *max_counters) params->counters = (uint8_t)*max_counters;
  if (max_events) clip_events(&params->events, *max_events, of_each_kind, first);
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
  return (mutated_cmodel ? mutated_cmodel : __real_pmuv3_side_cmodel)(params);
}
