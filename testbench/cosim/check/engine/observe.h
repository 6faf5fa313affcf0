/*
 * An observer of the checker's C model, for coverage. The observer sees what the model does, with
 * the delays of the description. It sees nothing of the device but its inputs.
 */
#ifndef PMUV3_CHECK_ENGINE_OBSERVE_H
#define PMUV3_CHECK_ENGINE_OBSERVE_H

#include "pmuv3/check.h"
#include "testbench/cosim/scoreboard/observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The observer gets what happens from now on. NULL: nobody observes. */
void pmuv3_check_observe(struct pmuv3_check *check, struct pmuv3_observer *observer);

/* Whether a counter, of whatever thread, counted occurrences of an event's own pin in the cycle
 * that the observer gets: the counter counted in this cycle, and neither the origin of the
 * occurrences nor a filter kept them from it. */
bool pmuv3_check_counted(const struct pmuv3_check *check, size_t event);

#ifdef __cplusplus
}
#endif

#endif
