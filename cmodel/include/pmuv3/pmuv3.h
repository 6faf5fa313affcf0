/*
 * libpmuv3: the cycle-accurate C model of the PMUv3 counters of one processor
 * with 1 to 4 threads, each of which has a PMU of its own.
 *
 *   occurrences -> attribution -> filter -> threshold -> counter -> overflow
 *                        registers and states configure all of them
 *
 * A struct, init, reset, tick. Nothing is allocated, printed or hidden: copy
 * the struct to snapshot the model.
 *
 *   struct pmuv3_params params = pmuv3_params_default();
 *   struct pmuv3 pmu;
 *   pmuv3_init(&pmu, &params);
 *   pmuv3_write(&pmu, 0, PMUV3_PMEVTYPERn(0), 0x0008);
 *   pmuv3_write(&pmu, 0, PMUV3_PMCNTENSET, 1);
 *   pmuv3_write(&pmu, 0, PMUV3_PMCR, 1);
 *   struct pmuv3_occurrence occurs = {.event = PMUV3_EVENT_INST_RETIRED, .count = 4};
 *   struct pmuv3_cycle cycle = {.occurrences = &occurs, .num_occurrences = 1};
 *   pmuv3_tick(&pmu, &cycle);
 *
 * `thread` is everywhere below params.threads.
 */
#ifndef PMUV3_PMUV3_H
#define PMUV3_PMUV3_H

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"
#include "pmuv3/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the PMUs of these parameters, which must be complete
 * (pmuv3_params_complete), as they are after a Cold reset; threads are in the
 * state PMUV3_PE_RESET.
 */
void pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params);

/*
 * Warm reset of all threads' PMUs: what the architecture resets to UNKNOWN
 * becomes 0, waiting software increments are dropped, MTPME keeps its value.
 * States of threads are not the PMU's and stay.
 */
void pmuv3_reset(struct pmuv3 *pmu);

/*
 * State of a thread from now on, between two Processor cycles. It must be one
 * that the parameters have (pmuv3_pe_wrong). Software increments that wait are
 * judged by the state in the cycle that counts them: let it be that in which
 * they were made.
 */
void pmuv3_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe);

/*
 * A register write between two Processor cycles, with the rights of the
 * highest implemented Exception level. RES0, read-only and unimplemented
 * counters' bits are ignored. PMSWINC_EL0 waits for the next cycle; a counter
 * holds at most 255 waiting increments, further ones are lost; in Debug state
 * it counts nothing.
 */
enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);

/* Reads a register, without side effects. *value is 0 unless PMUV3_ACCESS_OK. */
enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                             uint64_t *value);

/*
 * One Processor cycle: counts what occurs in it with the registers as they are,
 * then applies the writes of that same clock: they win over the increment of the
 * same counter, and no overflow is lost (formats.md section 4).
 * A write that pmuv3_register_writable refuses has no effect.
 */
void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

/* PMUIRQ of a thread, level (D13.3-1). */
bool pmuv3_irq(const struct pmuv3 *pmu, unsigned thread);

/* Everything that can be seen of a thread's PMU, see struct pmuv3_probe. */
void pmuv3_probe(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_probe *probe);

#ifdef __cplusplus
}
#endif

#endif
