/*
 * The scoreboard: a side made of two sides. Whatever is done to it is done to
 * both, and after every cycle everything that can be seen of them is compared, and
 * so is every answer: what a read gives, how an access ends, an output's level.
 * Nothing is masked, nothing is copied from one to the other.
 */
#ifndef PMUV3_LOCKSTEP_H
#define PMUV3_LOCKSTEP_H

#include "testbench/cosim/scoreboard/divergence.h"
#include "testbench/cosim/scoreboard/observer.h"
#include "tlm_wrapper/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A lockstep of two sides of the same parameters; it owns both. Reads and
 * probes give the first side's values. Once diverged it goes on driving both,
 * compares no more and keeps the first divergence. NULL when either is NULL,
 * their parameters differ, or out of memory; the sides are destroyed then.
 */
struct pmuv3_side *pmuv3_side_lockstep(struct pmuv3_side *cmodel, struct pmuv3_side *rtl);

/* The first divergence; NULL while the sides are equal. */
const struct pmuv3_divergence *pmuv3_lockstep_divergence(const struct pmuv3_side *lockstep);

/*
 * What is wrong with the first cycle that was (pmuv3_cycle_wrong); NULL while there was none. A
 * wrong cycle is not given to the sides and does not count as one: what comes of it is no verdict.
 */
const char *pmuv3_lockstep_wrong(const struct pmuv3_side *lockstep);

/* Values compared between the two sides so far, of all threads, and Processor cycles so far. */
uint64_t pmuv3_lockstep_comparisons(const struct pmuv3_side *lockstep);
uint64_t pmuv3_lockstep_cycles(const struct pmuv3_side *lockstep);

/* Who is told what is done to the sides from now on; NULL: nobody. The observer must outlive the
 * lockstep or be taken off it. */
void pmuv3_lockstep_set_observer(struct pmuv3_side *lockstep, struct pmuv3_observer *observer);

#ifdef __cplusplus
}
#endif

#endif
