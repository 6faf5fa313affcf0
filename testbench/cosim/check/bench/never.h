/* What no comparison reached: the honest part of a report. */
#ifndef PMUV3_CHECK_NEVER_H
#define PMUV3_CHECK_NEVER_H

#include "testbench/cosim/check/bench/run.h"

#ifdef __cplusplus
extern "C" {
#endif

struct never {
  const char *kind; /* "register", "bits", ... */
  const char *what;
  const char *why; /* or "" */
};
typedef void never_sayer(void *context, const struct never *never);

/* Calls `say` with each thing that was never compared. */
void never_compared(const struct outcome *outcome, never_sayer *say, void *context);

/*
 * The same of several modes: an outcome for each; NULL: no run had the mode. in_all: what no run
 * compared; otherwise what one mode compared, and another did not. Where modes differ, `why` names
 * them.
 */
void never_in_modes(const struct outcome *const by_mode[NUM_MODES], bool in_all, never_sayer *say,
                    void *context);

/* Parts of never_compared: what wraps leave, and what latencies leave to the core. */
void never_flags(const struct outcome *outcome, never_sayer *say, void *context);
void never_judged(const struct outcome *outcome, never_sayer *say, void *context);

/* Why nothing shows a latency to the clock. NULL: comparisons depend on it. */
const char *never_latency(const struct outcome *outcome, enum pmuv3_latency latency);

/* A register, of which thread it is if there are several, and where it is if another place has it,
 * too. Returns buf. */
enum { NEVER_NAME_SIZE = 100 };
const char *never_name_of(const struct pmuv3_device *device,
                          const struct pmuv3_device_register *reg, char buf[NEVER_NAME_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
