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

/* Reduces threads, counters and events to what the loaded library has: to one event of each kind
 * first if that is asked for, then to those from a row on, as far as there are inputs. The row is
 * `first` modulo the number of rows; behind the last row comes the first one. */
void pmuv3_mutants_clip(struct pmuv3_params *params, bool of_each_kind, uint64_t first);

#endif
