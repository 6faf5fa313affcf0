/*
 * The failure capsule: all that is needed of a divergence, in one folder
 * (docs/reference/failure_report.md):
 *
 *   chain.txt     the causal chain, for a person
 *   window.svg    the window as a timing diagram
 *   window.fst    the RTL in the window, where waves can be had; window.gtkw is its view
 *   capsule.json  the chain, how to reproduce it, configuration, seeds, versions
 *
 * beside the stimulus, which is there already.
 */
#ifndef PMUV3_CAPSULE_H
#define PMUV3_CAPSULE_H

#include "testbench/cosim/failure_report/chain.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_capsule {
  const char *folder;         /* which exists */
  const char *stimulus;       /* name in it of the stimulus that is observed */
  uint32_t x_seed;            /* of the RTL's initial values */
  const char *command;        /* that found it; NULL: not known */
  const uint64_t *seed;       /* of the run that found it; NULL: not known */
  pmuv3_make_sides *make;     /* NULL: pmuv3_make_cmodel_rtl */
  bool has_wave;              /* set: there is an FST */
  enum pmuv3_stage points_to; /* set: the stage that the chain points to */
  const char *why;            /* set, where it is not written: why, in words */
};

/* Names of files in the folder, which NULL ends: those of a capsule beside stimulus.stim, which it
 * is of; and all that `run` leaves there. */
extern const char *const pmuv3_capsule_files[], *const pmuv3_failure_files[];

/* What another divergence left in a folder is not of this one: removes the files of these names.
 * Anything but a regular file stays. */
void pmuv3_capsule_remove(const char *folder, const char *const *names);

enum pmuv3_encapsulated { PMUV3_ENCAPSULATED, PMUV3_NOT_DIVERGED, PMUV3_NOT_WRITTEN };

/*
 * Makes it. The FST is made by the entry point, whose path the variable PMUV3 of
 * the environment has; without that there is none. PMUV3_NOT_DIVERGED: the sides do
 * not differ, and nothing is written. PMUV3_NOT_WRITTEN: see `why`.
 */
enum pmuv3_encapsulated pmuv3_capsule_make(struct pmuv3_capsule *capsule);

/* Writes capsule.json's object. */
bool pmuv3_capsule_write_json(FILE *out, const struct pmuv3_capsule *capsule,
                              const struct pmuv3_chain *chain);

#ifdef __cplusplus
}
#endif

#endif
