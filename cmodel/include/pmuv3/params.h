/*
 * Parameters of an implementation: what is elaborated, which features are
 * present, how the architecture's choices are made. From params.def.
 */
#ifndef PMUV3_PARAMS_H
#define PMUV3_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most event counters that the architecture allows (D13.1). */
#define PMUV3_MAX_COUNTERS 31

/* The most threads of one multithreaded processor that are modelled. */
#define PMUV3_MAX_THREADS 4

/* Position of each feature in pmuv3_params.features. */
enum pmuv3_feature {
#define PMUV3_FEATURE(id, implies, dflt, text) PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  PMUV3_NUM_FEATURES
};

/*
 * One implementation. Numbers as in formats.md `param`; features a bit per
 * enum pmuv3_feature; a choice the index of its word in params.def.
 */
struct pmuv3_params {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) uint8_t name;
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) uint8_t id;
#include "pmuv3/params.def"
  uint32_t features;
};

/* The default of every parameter, feature and choice. */
struct pmuv3_params pmuv3_params_default(void);

/*
 * Sets one parameter, choice or `features` (a comma separated list, or `none`)
 * by its name in a stimulus file. Returns NULL, or what is wrong with it in
 * words (until the thread's next call); *params is unchanged then.
 */
const char *pmuv3_params_set(struct pmuv3_params *params, const char *name, const char *value);

/*
 * Completes params: adds what features imply and drops what cannot be there
 * (SEL2 and HPMN0 without EL2, RME without EL3; TH, EDGE, TH2, SME, ICNTR, RME,
 * SEL2, EBEP, SEBEP, SS, SPE, DPFZS and EXTPMN without AArch64; counters = 0 with
 * EL2 brings HPMN0; EXTPMN brings EXT64 unless EXT32 is there, and HPMN0 with
 * EL2). Call it after the last pmuv3_params_set and before use. Idempotent.
 *
 * Returns what pmuv3_params_wrong says then.
 */
const char *pmuv3_params_complete(struct pmuv3_params *params);

/*
 * What is wrong with params, in words (until the thread's next call); NULL: an
 * implementation may have them. Everything that makes a PMU refuses what is wrong:
 * a number or a choice out of range, an unknown feature, features that are not
 * complete; K-MT-LEGACY = rw with MTPMU or PMUv3p7, which came after it;
 * debugv8p2 = 0 with a feature of Armv8.4 or later; EXT32 with EXT64.
 */
const char *pmuv3_params_wrong(const struct pmuv3_params *params);

/* Whether a feature is present. */
static inline bool pmuv3_has(const struct pmuv3_params *params, enum pmuv3_feature feature) {
  return (params->features >> feature & 1) != 0;
}

/* The name of a feature as in `features=`, e.g. "PMUv3p5". */
const char *pmuv3_feature_name(enum pmuv3_feature feature);

#ifdef __cplusplus
}
#endif

#endif
