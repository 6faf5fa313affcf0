/*
 * One clock of the RTL, done by the C model: what the proof runs on terms. The
 * C model is called as everybody calls it; nothing of it is written again.
 */
#ifndef PMUV3_PROVE_STEP_H
#define PMUV3_PROVE_STEP_H

#include "pmuv3/pmuv3.h"

/* An access of a thread's System register port. Not both of write and read. */
struct step_access {
  bool write;
  bool read;
  bool checked;
  uint16_t reg;
  uint64_t value;
};

/* The access phase of an APB transfer, in a clock with PCLKEN. */
struct step_transfer {
  bool select;
  bool write;
  uint8_t page; /* the thread, if there is one */
  uint8_t ss;   /* enum pmuv3_security_state: the physical address space */
  uint16_t offset;
  uint8_t strobes;
  uint32_t value;
};

/* The rows of the set of events that the proof speaks of (model_events.h). */
enum { STEP_EVENTS = 8 };

struct step_inputs {
  bool cycle;                      /* a Processor cycle */
  bool capture[PMUV3_MAX_THREADS]; /* with it, a request from outside */
  struct pmuv3_context other[PMUV3_MAX_THREADS];
  uint8_t count[STEP_EVENTS][PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS];
  struct step_access access[PMUV3_MAX_THREADS];
  struct step_transfer transfer;
};

/* What is seen in the clock, before the edge that ends it. */
struct step_answers {
  bool error[PMUV3_MAX_THREADS];        /* of an access that is not checked */
  uint8_t result[PMUV3_MAX_THREADS];    /* enum pmuv3_result of one that is */
  uint32_t syndrome[PMUV3_MAX_THREADS]; /* likewise: pmuv3_syndrome */
  uint64_t value[PMUV3_MAX_THREADS];    /* read */
  bool ready;                           /* the transfer ends with this clock */
  bool transfer_error;
  bool transfer_writes; /* a thread's page, with this clock */
  uint32_t word;        /* read */
};

/* Whether an implementation may have these parameters (pmuv3_params_wrong). The set of events is
 * legal by construction. */
bool step_legal_params(const struct pmuv3_params *params);

/* Whether the contract of pmuv3.h holds: the threads' states, their other contexts and the counts
 * are such as they may be, and a port has no two accesses. */
bool step_legal_inputs(const struct pmuv3 *pmu, const struct step_inputs *inputs);

/* Everything in *pmu that follows from the rest of it: params, pe, registers and state. */
void step_decode(struct pmuv3 *pmu);

/* The implemented bits of a register (pmuv3_register_mask). */
uint64_t step_mask(const struct pmuv3 *pmu, uint16_t reg);

/* The clock: what is seen in it, and the edge that ends it. */
void step_answer(const struct pmuv3 *pmu, const struct step_inputs *inputs,
                 struct step_answers *answers);
void step_clock(struct pmuv3 *pmu, const struct step_inputs *inputs);

/* A cycle in which a thread writes PMSWINC while its page writes PMOVSCLR, or otherwise PMCNTENCLR
 * and PMCNTENSET, with the values of the inputs. The page waits for the clock after: pmuv3_tick()
 * does both; or the cycle and that clock one after the other. Requests to capture are of the cycle.
 * step_wait tells whether the page's write fails.
 */
void step_both(const struct step_inputs *inputs, unsigned t, uint16_t reg,
               struct pmuv3_cycle *cycle);
bool step_wait(struct pmuv3 *pmu, const struct step_inputs *inputs, unsigned t, uint16_t reg,
               bool at_once);

#endif
