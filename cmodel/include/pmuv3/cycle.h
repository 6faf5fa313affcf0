/*
 * The inputs of one Processor cycle, and the values that can be seen of it. Plain data: the model,
 * the sides, and everything that drives or compares them share it.
 */
#ifndef PMUV3_CYCLE_H
#define PMUV3_CYCLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lanes of an array of counters. Lane 31 is unused and always 0. */
#define PMUV3_LANES 32

/* Security states. Only EL3 is in Root. */
enum pmuv3_security_state { PMUV3_NS, PMUV3_S, PMUV3_RL, PMUV3_RT };

/*
 * State of a thread (specification A.2): the rows of pe.def. It holds from one Processor cycle to
 * the next. If the state changes within a cycle, the contexts of the cycle's occurrences say so.
 */
struct pmuv3_pe {
#define PMUV3_PE_NUMBER(name, bits, text) uint8_t name;
#define PMUV3_PE_MASK(name, bits, text) uint64_t name;
#define PMUV3_PE_FLAG(name, text) bool name;
#include "pmuv3/pe.def"
};

/* The bits of pmuv3_pe.fgt: fine-grained traps to EL2 that are in effect (pe.def). */
enum pmuv3_fgt_bit {
#define PMUV3_FGT(id, bit, text) PMUV3_FGT_BIT_##id = bit,
#include "pmuv3/pe.def"
  PMUV3_NUM_FGT
};
#define PMUV3_FGT_MASK(id) (UINT64_C(1) << PMUV3_FGT_BIT_##id)

/* The state after reset: EL1, Non-secure, active, and nothing else. */
#define PMUV3_PE_RESET                                                                       \
  {                                                                                          \
    1, PMUV3_NS, false, false, true, false, false, false, false, false, false, false, false, \
        false, false, false, false, false, false, false, false, false, false, 0              \
  }

/* Whether two states are the same. The struct has padding, so unequal bytes decide nothing. */
static inline bool pmuv3_pe_equal(const struct pmuv3_pe *a, const struct pmuv3_pe *b) {
  if (memcmp(a, b, sizeof *a) == 0) return true;
#define PMUV3_PE_NUMBER(name, bits, text) \
  if (a->name != b->name) return false;
#define PMUV3_PE_FLAG(name, text) PMUV3_PE_NUMBER(name, 1, text)
#define PMUV3_PE_MASK(name, bits, text) PMUV3_PE_NUMBER(name, bits, text)
#include "pmuv3/pe.def"
  return true;
}

/*
 * pmuv3_pe_wrong says in words why the parameters do not have a state. NULL: they have it.
 * pmuv3_context_wrong does the same for only an Exception level and a Security state.
 * pmuv3_el3_state gives the Security state of EL3: Root with RME, else Secure.
 */
const char *pmuv3_pe_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe);
const char *pmuv3_context_wrong(const struct pmuv3_params *params, unsigned el, unsigned ss);
enum pmuv3_security_state pmuv3_el3_state(const struct pmuv3_params *params);

/* Whether the current Exception level uses AArch32. */
bool pmuv3_pe_is_aa32(const struct pmuv3_params *params, const struct pmuv3_pe *pe);

/* EL2Enabled(): EL2 is implemented, and enabled in this state of a thread. */
bool pmuv3_el2_enabled(const struct pmuv3_params *params, const struct pmuv3_pe *pe);

/* The origin of an occurrence: whose it is, and where it is judged (specification A.4). */
enum pmuv3_origin {
  PMUV3_CURRENT,        /* Attributable to the thread, in its current state */
  PMUV3_OTHER,          /* Attributable to the thread, in its other context of this cycle */
  PMUV3_UNATTRIBUTABLE, /* caused by another agent; arrives at the thread's PMU */
  PMUV3_DEBUGGER,       /* of an operation that a debugger issued to the halted thread */
  PMUV3_NUM_ORIGINS
};

/* Whether an event can have an origin. COUNT events can have each. STALL, SECOND, CONDITION and
 * SLOTS events are CURRENT or DEBUGGER. SELF events are never presented. */
bool pmuv3_event_has(const struct pmuv3_event *event, unsigned origin);

/*
 * `count` occurrences of an event in this cycle. They are architecturally executed: whoever
 * presents events presents nothing speculative (D13.7-14).
 */
struct pmuv3_occurrence {
  uint16_t event; /* its number: 0x0008, or PMUV3_EVENT_INST_RETIRED */
  uint8_t count;  /* 0..most of the event */
  uint8_t thread; /* the thread that caused it, or at whose PMU it arrives */
  uint8_t origin; /* enum pmuv3_origin */
};

/*
 * A thread's other context in a cycle: where the thread was before its state changed. `related`:
 * the thread's Unattributable occurrences of this cycle are related to activity in this context
 * (D13.6-12..14).
 */
struct pmuv3_context {
  uint8_t el;
  uint8_t ss;
  bool related;
};

/* A System register write. reg is an encoding. */
struct pmuv3_write {
  uint16_t reg;
  bool checked; /* the thread's state judges it, as pmuv3_msr; else it has the highest rights */
  uint64_t value;
};

/* A write of a word in the external view of a thread's PMU (pmuv3_external_write). */
struct pmuv3_external {
  uint8_t thread;
  uint8_t ss;      /* enum pmuv3_security_state: the physical address space of the access */
  uint16_t offset; /* in the page of the thread, a multiple of 4 */
  uint32_t value;
};

/* One Processor cycle: its occurrences, and the register writes in the same clock. Each thread can
 * have one System register write (formats.md section 4). There can be one external write. */
struct pmuv3_cycle {
  const struct pmuv3_occurrence *occurrences;
  uint16_t num_occurrences;
  uint8_t has_write; /* bit t: write[t] takes place */
  bool has_external;
  uint8_t capture; /* bit t: a request from outside to capture the counters of thread t (D13.9) */
  struct pmuv3_write write[PMUV3_MAX_THREADS];
  struct pmuv3_external external;
  struct pmuv3_context other[PMUV3_MAX_THREADS]; /* for threads with OTHER or related occurrences */
};

/* A cycle with the same occurrences and contexts, without what happens only once. */
static inline struct pmuv3_cycle pmuv3_cycle_again(const struct pmuv3_cycle *cycle) {
  struct pmuv3_cycle again = *cycle;
  again.has_write = 0;
  again.has_external = false;
  again.capture = 0;
  return again;
}

/*
 * pmuv3_cycle_wrong says in words what is wrong with a cycle of threads in these states. NULL:
 * nothing. pmuv3_occurrence_wrong does the same for one occurrence: its thread, event, origin and
 * count. `event` is the row of its event (pmuv3_events_find), or NULL.
 * pmuv3_cycle_wrong_by_rows is for a caller that checks many cycles: it looks events up in rows of
 * params->events (pmuv3_events_rows). Without rows (NULL) it is pmuv3_cycle_wrong.
 *
 * Callers must not pass a wrong cycle to a PMU, but every side survives one:
 * - An occurrence counts nothing if its event does not exist or is made by the PMU itself, or if
 *   its thread, origin or context does not exist.
 * - A write of something that does not exist has no effect.
 * - The count is unspecified, and may differ between sides, if an event is listed twice, occurs
 *   more often than its `most`, or has an origin that it cannot have.
 */
const char *pmuv3_cycle_wrong(const struct pmuv3_params *params,
                              const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                              const struct pmuv3_cycle *cycle);
const char *pmuv3_cycle_wrong_by_rows(const struct pmuv3_params *params,
                                      const struct pmuv3_event_rows *rows,
                                      const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                                      const struct pmuv3_cycle *cycle);
const char *pmuv3_occurrence_wrong(const struct pmuv3_params *params,
                                   const struct pmuv3_event *event,
                                   const struct pmuv3_occurrence *occurrence);

/* How the writes in the clock of a cycle ended. Without a write: as if it were done. An unchecked
 * write of an unknown register is UNDEFINED, too. */
struct pmuv3_ends {
  uint8_t result[PMUV3_MAX_THREADS]; /* enum pmuv3_result of each thread's System register write */
  uint32_t syndrome[PMUV3_MAX_THREADS]; /* pmuv3_syndrome of each that is checked */
  bool external_error;
};

/* The most occurrences of a cycle: each event, thread and origin once. */
#define PMUV3_MAX_OCCURRENCES (PMUV3_MAX_EVENTS * PMUV3_NUM_ORIGINS * PMUV3_MAX_THREADS)

/*
 * Everything that can be seen of a thread's PMU: every readable register as it is now, and the
 * values of every counter in the last Processor cycle, from `allowed` to V. CP is the value that
 * the cycle used. Values beyond the implemented counters are 0. After a reset VB to V are 0.
 */
struct pmuv3_probe {
#define PMUV3_PROBE_COUNTERS(field, name, owner) uint64_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
#define PMUV3_PROBE_GLOBAL(field, name, owner) uint64_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_BITS(field, name, owner) uint32_t field;
#include "pmuv3/probe.def"
#define PMUV3_PROBE_LANES(field, name, owner) uint16_t field[PMUV3_LANES];
#include "pmuv3/probe.def"
};

/* The outputs of a thread's PMU, by the functions that give one each: pmuv3_irq, pmuv3_cti, ... */
struct pmuv3_outputs {
#define PMUV3_PROBE_OUTPUT(field, name, owner) uint64_t field;
#include "pmuv3/probe.def"
};

#ifdef __cplusplus
}
#endif

#endif
