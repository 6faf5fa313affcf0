/*
 * What goes into one Processor cycle and what is seen of it: plain data shared
 * by the model, the sides and everything that drives or compares them.
 */
#ifndef PMUV3_CYCLE_H
#define PMUV3_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters with room for all 31; lane 31 is unused and always 0. */
#define PMUV3_LANES 32

/* Security states, in which Root goes with EL3 alone. */
enum pmuv3_security_state { PMUV3_NS, PMUV3_S, PMUV3_RL, PMUV3_RT };

/*
 * State of a thread (rules.md A.2). It holds from one Processor cycle to the
 * next; what changes within a cycle is in the contexts of its occurrences.
 */
struct pmuv3_pe {
  uint8_t el;  /* Exception level, 0..3 */
  uint8_t ss;  /* enum pmuv3_security_state */
  bool sm;     /* Streaming SVE mode */
  bool halted; /* Debug state */
  bool active; /* the thread may issue in this Processor cycle (D14.4-a) */
  bool wfx;    /* in WFI or WFE */
  bool aa32;   /* the current Exception level uses AArch32; nothing depends on it (K-VS-A32) */
  bool a32el1; /* EL1 uses AArch32 */
  bool a32el3; /* EL3 uses AArch32, and so does all below it */
  bool snid;   /* ExternalSecureNoninvasiveDebugEnabled; matters without Debugv8p2 alone */
};

/* As after reset: EL1, Non-secure, active, and nothing else. */
#define PMUV3_PE_RESET \
  { 1, PMUV3_NS, false, false, true, false, false, false, false, false }

/*
 * What is wrong with a state for these parameters, in words; NULL: they have it.
 * pmuv3_context_wrong: likewise of the Exception level and Security state alone.
 * pmuv3_el3_state: the Security state of EL3, Root with RME and else Secure.
 */
const char *pmuv3_pe_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe);
const char *pmuv3_context_wrong(const struct pmuv3_params *params, unsigned el, unsigned ss);
enum pmuv3_security_state pmuv3_el3_state(const struct pmuv3_params *params);

/* How an occurrence came about (rules.md A.4). */
enum pmuv3_origin {
  PMUV3_CURRENT,        /* Attributable to the thread, in its current state */
  PMUV3_OTHER,          /* Attributable to the thread, in its other context of this cycle */
  PMUV3_UNATTRIBUTABLE, /* of another agent; arrives at the thread's PMU */
  PMUV3_DEBUGGER,       /* of an operation that a debugger issued to the halted thread */
  PMUV3_NUM_ORIGINS
};

/*
 * `count` occurrences of an event in this cycle. Architecturally executed: nothing speculative is
 * presented (D13.7-14). STALL, SECOND, CONDITION and SLOTS events are CURRENT or DEBUGGER.
 */
struct pmuv3_occurrence {
  uint8_t event;  /* enum pmuv3_event, not of class SELF */
  uint8_t count;  /* 0..pmuv3_event_limit */
  uint8_t thread; /* that caused it, or at whose PMU it arrives */
  uint8_t origin; /* enum pmuv3_origin */
};

/*
 * A thread's other context in a cycle: where it was before its state changed.
 * `related`: the thread's Unattributable occurrences of this cycle are related to activity in it
 * (D13.6-12..14).
 */
struct pmuv3_context {
  uint8_t el;
  uint8_t ss;
  bool related;
};

/* A register write; reg is a System register encoding. */
struct pmuv3_write {
  uint16_t reg;
  uint64_t value;
};

/* One Processor cycle: what occurs in it, and register writes in that same clock, one a thread
 * (formats.md section 4). */
struct pmuv3_cycle {
  const struct pmuv3_occurrence *occurrences; /* an event, thread and origin at most once */
  uint16_t num_occurrences;
  uint8_t has_write; /* bit t: thread t's is there */
  struct pmuv3_write write[PMUV3_MAX_THREADS];
  struct pmuv3_context other[PMUV3_MAX_THREADS]; /* of threads with OTHER occurrences, or related */
};

/* The most occurrences of a cycle. */
#define PMUV3_MAX_OCCURRENCES (PMUV3_NUM_EVENTS * PMUV3_NUM_ORIGINS * PMUV3_MAX_THREADS)

/*
 * A thread's PMU: the last Processor cycle's values of every counter (allowed .. V: in the
 * cycle; CP as used in it) and every readable register as it is now. All zero
 * beyond the implemented counters; after a reset VB..V are 0.
 */
struct pmuv3_probe {
#define PMUV3_PROBE_COUNTERS(field, name) uint64_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
#define PMUV3_PROBE_GLOBAL(field, name) uint64_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_BITS(field, name) uint32_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_LANES(field, name) uint16_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
};

#ifdef __cplusplus
}
#endif

#endif
