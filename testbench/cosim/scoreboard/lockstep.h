/*
 * The scoreboard: a side made of two sides. The lockstep gives every input to both sides. After
 * every cycle, the lockstep compares everything that can be observed. The lockstep also compares
 * every answer: the value of a read, the result of an access, the level of an output. The lockstep
 * masks nothing, and copies nothing from one side to the other. If the RTL postpones what follows
 * an input, the comparison waits with it until the next input; the divergence is the same.
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
 * A lockstep of two sides with the same parameters. The lockstep owns both sides. Reads and probes
 * return the first side's values. After a divergence, the lockstep still drives both sides,
 * compares no more and keeps the first divergence. Returns NULL if a side is NULL, if the
 * parameters differ, or if memory runs out; then the sides are destroyed.
 */
struct pmuv3_side *pmuv3_side_lockstep(struct pmuv3_side *cmodel, struct pmuv3_side *rtl);

/*
 * The first divergence; NULL while the sides are equal. An RTL that postpones its work
 * (pmuv3_side_postpones) has to catch up for it. pmuv3_lockstep_noticed does not wait: it gives the
 * same divergence, at the latest an input later.
 */
const struct pmuv3_divergence *pmuv3_lockstep_divergence(struct pmuv3_side *lockstep);
const struct pmuv3_divergence *pmuv3_lockstep_noticed(const struct pmuv3_side *lockstep);

/*
 * The error of the first wrong cycle (pmuv3_cycle_wrong). NULL: no cycle was wrong. The sides do
 * not get a wrong cycle, and the cycle is not counted: a run with a wrong cycle has no verdict.
 */
const char *pmuv3_lockstep_wrong(const struct pmuv3_side *lockstep);

/* Values compared so far, of all threads. The RTL catches up for this, too. */
uint64_t pmuv3_lockstep_comparisons(struct pmuv3_side *lockstep);

/* Processor cycles so far. After a divergence neither number grows. */
uint64_t pmuv3_lockstep_cycles(const struct pmuv3_side *lockstep);

/* Sets the observer of all later inputs. NULL: no observer. The observer must outlive the lockstep,
 * or be removed from it. */
void pmuv3_lockstep_set_observer(struct pmuv3_side *lockstep, struct pmuv3_observer *observer);

#ifdef __cplusplus
}
#endif

#endif
