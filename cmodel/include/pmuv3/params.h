/*
 * Parameters of an implementation: its sizes, its features, and the choices that the architecture
 * leaves open. params.def is their source.
 */
#ifndef PMUV3_PARAMS_H
#define PMUV3_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuv3/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The architecture allows at most this many event counters (D13.1). */
#define PMUV3_MAX_COUNTERS 31

/* The model has at most this many threads of one processor. */
#define PMUV3_MAX_THREADS 4

/* Position of each feature in pmuv3_params.features. */
enum pmuv3_feature {
#define PMUV3_FEATURE(id, implies, dflt, text) PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  PMUV3_NUM_FEATURES
};

/* The values of pmuv3_params.aa32: no Exception level can use AArch32, or this one and all below.
 */
enum pmuv3_aa32 { PMUV3_AA32_NONE, PMUV3_AA32_EL0, PMUV3_AA32_EL1, PMUV3_AA32_EL2, PMUV3_AA32_EL3 };

/*
 * One implementation. A parameter is a number as in a `param` line (formats.md section 2). A choice
 * is the index of its word in params.def. `features` has a bit for each enum pmuv3_feature.
 * `events` are the implemented events (I-13).
 */
struct pmuv3_params {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) uint8_t name;
#define PMUV3_IDENTITY(name, dflt, mask, bits, text)
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) uint8_t id;
#include "pmuv3/params.def"
  uint32_t features;
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) uint64_t name;
#include "pmuv3/params.def"
  struct pmuv3_events events; /* last: what a tick reads lies together */
};

/* The default of every parameter, feature and choice, and all events of events.def. */
struct pmuv3_params pmuv3_params_default(void);

/*
 * Sets one parameter, choice or `features` (a comma-separated list, or `none`) by its name in a
 * stimulus file. Returns NULL, or says in words what is wrong; then *params is unchanged. The words
 * last until the thread's next call.
 */
const char *pmuv3_params_set(struct pmuv3_params *params, const char *name, const char *value);

/*
 * Completes params. Call it after the last pmuv3_params_set and before use. A second call changes
 * nothing. Returns the answer of pmuv3_params_wrong.
 *
 * It adds the features that features imply. EXTPMN brings EXT64 unless EXT32 is present, and HPMN0
 * with EL2. counters = 0 with EL2 brings HPMN0. It drops the features that these parameters cannot
 * have:
 * - without EL2: SEL2 and HPMN0
 * - without EL3: RME and FGWTE3
 * - without Debugv8p2: Debugv8p9
 * - without AArch64: TH, EDGE, TH2, SME, ICNTR, RME, SEL2, EBEP, SEBEP, SS, SPE, DPFZS, EXTPMN and
 *   FGWTE3
 *
 * It reduces aa32 to the highest Exception level that is implemented, and to el0 with SS. Without
 * AArch64 it makes aa32 el3.
 */
const char *pmuv3_params_complete(struct pmuv3_params *params);

/*
 * Says in words what is wrong with params, until the thread's next call. NULL: nothing. Every
 * function that makes a PMU refuses wrong parameters:
 * - a number or a choice out of range, or an identification value with bits that are RES0
 * - an unknown feature, or features or aa32 that pmuv3_params_complete would change
 * - K-MT-LEGACY = rw with MTPMU or PMUv3p7, which came after it
 * - debugv8p2 = 0 with a feature of Armv8.4 or later
 * - EXT32 with EXT64
 * - a set of events that pmuv3_events_wrong refuses
 * - ICNTR without INST_RETIRED, the event that PMICNTR_EL0 counts
 * - SEBEP with an event that has SYNC in events.def, but not in this set (K-SYNC-EVENTS)
 * Some implications of A2.2 and A2.3 are not checked, so that features can be tried apart:
 * docs/reference/parameters.md lists them.
 */
const char *pmuv3_params_wrong(const struct pmuv3_params *params);

/* A digest of bytes, FNV-1a of 64 bits. It finds changes by mistake, not by intent. */
uint64_t pmuv3_digest(const void *bytes, size_t size);

/* A number that differs, as good as surely, for different parameters; these may be wrong. */
uint64_t pmuv3_params_digest(const struct pmuv3_params *params);

/* Whether a feature is present. */
static inline bool pmuv3_has(const struct pmuv3_params *params, enum pmuv3_feature feature) {
  return (params->features >> feature & 1) != 0;
}

/* Whether the external view has a Software Lock: K-SOFTWARE-LOCK, with EXT32 (E.9/PMLAR). */
static inline bool pmuv3_has_software_lock(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_EXT32) && params->k_software_lock == 0;
}

/* Whether an Exception level can use AArch32. The levels below it can, too. */
static inline bool pmuv3_can_aa32(const struct pmuv3_params *params, unsigned el) {
  return params->aa32 >= PMUV3_AA32_EL0 + el;
}

/* The name of a feature as in `features=`: "PMUv3p5". NULL: it is none. */
const char *pmuv3_feature_name(enum pmuv3_feature feature);

#ifdef __cplusplus
}
#endif

#endif
