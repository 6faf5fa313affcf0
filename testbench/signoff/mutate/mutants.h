/* The mutants of one side: their list, and the library that has all of them behind a selector. */
#ifndef PMUV3_MUTANTS_H
#define PMUV3_MUTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "pmuv3/params.h"

struct pmuv3_mutant {
  unsigned number; /* the selector's */
  char *name;
  char *module; /* RTL module or C file */
  char *place;  /* file:line, as far as it is known */
  char *change; /* what it does, readable */
};

struct pmuv3_mutants {
  struct pmuv3_mutant *list;
  size_t num;
};

/*
 * Reads a list: a line a mutant, its five fields with a tab between. NULL, or what is wrong, in
 * words. What it allocates is never freed.
 */
const char *pmuv3_mutants_read(struct pmuv3_mutants *mutants, const char *path);

/*
 * Loads a library of mutants, which from now on stands for the side whose constructor it exports
 * (pmuv3_side_rtl or pmuv3_side_cmodel). Selects none. NULL, or what is wrong, in words.
 */
const char *pmuv3_mutants_load(const char *path);

/* The mutant that sides created from now on have, in this process; 0: none. */
void pmuv3_mutants_select(unsigned number);

/* Whether a mutant of the C model kept another state, at the end of its simulation, than the model
 * without the mutant does after the same inputs. What is kept is what pmuv3_save saves. */
bool pmuv3_mutants_keep_other_state(void);

/* Reduces threads and counters to what the loaded library has. */
void pmuv3_mutants_clip(struct pmuv3_params *params);

/* Whether the loaded library has fewer inputs of events than sets have events. */
bool pmuv3_mutants_limit_events(void);

enum pmuv3_clip {
  PMUV3_CLIP_TO_KINDS, /* one of each kind first */
  PMUV3_CLIP_TO_ROWS,  /* the rows from `first` on, modulo their number */
  /* Numbers beside each other, from number `first` modulo 128 of those in PMCEID0 and PMCEID1 on.
   * With a `first` of 128 or more the numbers are 5 or 7 apart. */
  PMUV3_CLIP_TO_NUMBERS,
  /* Some numbers of the low halves of PMCEID0 and PMCEID1, the others of the high halves. `first`
   * says from which on in each half, and how many are of the low one. */
  PMUV3_CLIP_TO_BOTH_HALVES,
};

/* Of a library that limits them: reduces the events to as many as the loaded library has inputs
 * for. Kinds have no `first`: it is 0. */
void pmuv3_mutants_clip_events(struct pmuv3_params *params, enum pmuv3_clip clip, uint64_t first);

#endif
