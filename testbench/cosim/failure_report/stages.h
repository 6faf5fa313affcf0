/*
 * The stages of the datapath, what can be seen of each, and the register fields
 * that each goes by.
 */
#ifndef PMUV3_STAGES_H
#define PMUV3_STAGES_H

#include <stddef.h>

#include "pmuv3/cycle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order in which one depends on another; those up to OVERFLOW are of one event counter. */
enum pmuv3_stage {
  PMUV3_STAGE_EVENT, /* what comes in: the same for both sides */
  PMUV3_STAGE_FILTER,
  PMUV3_STAGE_ATTRIBUTION,
  PMUV3_STAGE_THRESHOLD,
  PMUV3_STAGE_EDGE,
  PMUV3_STAGE_LINK,
  PMUV3_STAGE_INCREMENT,
  PMUV3_STAGE_OVERFLOW,
  PMUV3_STAGE_CYCLE_COUNTER,
  PMUV3_STAGE_INSTRUCTION_COUNTER,
  PMUV3_STAGE_ACCESS,
  PMUV3_STAGE_EXTERNAL,
  PMUV3_STAGE_REGISTERS,
  PMUV3_STAGE_SNAPSHOT,
  PMUV3_STAGE_EXCEPTION,
  PMUV3_NUM_STAGES
};

const char *pmuv3_stage_name(enum pmuv3_stage stage);

/* Each member of struct pmuv3_probe, in the order of probe.def. */
enum pmuv3_signal {
#define PMUV3_PROBE_BITS(field, name, owner) PMUV3_SIGNAL_##field,
#define PMUV3_PROBE_LANES(field, name, owner) PMUV3_SIGNAL_##field,
#define PMUV3_PROBE_COUNTERS(field, name, owner) PMUV3_SIGNAL_##field,
#define PMUV3_PROBE_GLOBAL(field, name, owner) PMUV3_SIGNAL_##field,
#include "pmuv3/probe.def"
  PMUV3_NUM_SIGNALS
};

const char *pmuv3_signal_name(enum pmuv3_signal signal);

/* The stage whose output it is; of a register that of its owner. */
enum pmuv3_stage pmuv3_signal_stage(enum pmuv3_signal signal);

/* Whether each event counter has one; whether it is one bit then. */
bool pmuv3_signal_is_of_counter(enum pmuv3_signal signal);
bool pmuv3_signal_is_bit(enum pmuv3_signal signal);

/* Its value in a probe, of a counter if each has one. */
uint64_t pmuv3_signal_value(enum pmuv3_signal signal, const struct pmuv3_probe *probe, int counter);

/* A field of a register that a stage goes by. */
struct pmuv3_input {
  enum pmuv3_stage stage;
  enum pmuv3_signal signal; /* the register */
  const char *name;
  int msb; /* -1: the bit of the counter */
  int lsb;
};

extern const struct pmuv3_input pmuv3_inputs[];
extern const size_t pmuv3_num_inputs;

/* The field's value in a probe, of a counter if the register is of one. */
uint64_t pmuv3_input_value(const struct pmuv3_input *input, const struct pmuv3_probe *probe,
                           int counter);

#ifdef __cplusplus
}
#endif

#endif
