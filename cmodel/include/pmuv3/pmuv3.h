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
 *   const char *wrong = pmuv3_params_complete(&params);
 *   if (!wrong) wrong = pmuv3_init(&pmu, &params);
 *   pmuv3_write(&pmu, 0, PMUV3_PMEVTYPERn(0), 0x0008);
 *   pmuv3_write(&pmu, 0, PMUV3_PMCNTENSET, 1);
 *   pmuv3_write(&pmu, 0, PMUV3_PMCR, 1);
 *   struct pmuv3_occurrence occurs = {.event = PMUV3_EVENT_INST_RETIRED, .count = 4};
 *   struct pmuv3_cycle cycle = {.occurrences = &occurs, .num_occurrences = 1};
 *   pmuv3_tick(&pmu, &cycle);
 *   uint64_t count;
 *   pmuv3_read(&pmu, 0, PMUV3_PMEVCNTRn(0), &count);
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
 * Makes the PMUs of these parameters as they are after a Cold reset; threads are in
 * the state PMUV3_PE_RESET. Returns NULL, or what is wrong with the parameters
 * (pmuv3_params_wrong): *pmu then has the default parameters.
 */
const char *pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params);

/*
 * Warm reset of all threads' PMUs: what the architecture resets to UNKNOWN
 * becomes 0, waiting software increments are dropped. What a Cold reset alone
 * resets keeps its value: MTPME, PMCCR, MDCR_EL2.PMSSE, MDCR_EL3.PMSSE,
 * PMECR_EL1.SSE; the Software Lock, which is not the core's, too. With EXTPMN
 * that is likewise all counters and what is saved of them, PMEVTYPER<n>_EL0
 * (without SS, but for TC, TE and TH), PMCCFILTR_EL0, PMICFILTR_EL0, and PMCNTEN,
 * PMINTEN and PMOVS but for F0. States of threads are not the PMU's and stay.
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
 * highest implemented Exception level, which reach all but the counters of an
 * external agent (EXTPMN). RES0, read-only and unimplemented counters' bits are
 * ignored. PMSWINC_EL0 waits for the next cycle; a counter holds at most 255
 * waiting increments, further ones are lost; in Debug state it counts nothing.
 */
enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);

/* Reads a register, without side effects. *value is 0 unless PMUV3_ACCESS_OK. */
enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                             uint64_t *value);

/*
 * MSR and MRS, or MCR and MRC: accesses between two Processor cycles that are
 * judged by the thread's state (D13.11, the accessors in D24.5): AArch64
 * registers are there in AArch64 state, AArch32 ones in AArch32 state. An access
 * that is not PMUV3_DONE has no effect and reads 0; one that is may reach only a
 * part of the register.
 */
enum pmuv3_result pmuv3_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);
enum pmuv3_result pmuv3_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                            uint64_t *value);

/*
 * A word in the external view of a thread's PMU, between two Processor cycles
 * (I3.1, external.def): `ss` is the physical address space of the access, offset
 * a multiple of 4 below 0x1000. False: an error response; no effect, and *value
 * is 0. Reads have no side effects.
 */
bool pmuv3_external_write(struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                          uint16_t offset, uint32_t value);
bool pmuv3_external_read(const struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                         uint16_t offset, uint32_t *value);

/*
 * One Processor cycle: counts what occurs in it with the registers as they are,
 * then applies the writes of that same clock: they win over the increment of the
 * same counter, and no overflow is lost (formats.md section 4). A thread's
 * external write waits for the clock after it when a System register write of
 * that thread is there, too: flags that the cycle raised are then set before it.
 * A write that pmuv3_register_writable refuses has no effect. Nothing may be wrong with the cycle
 * (pmuv3_cycle_wrong), which is not checked here.
 */
void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

/* How the writes in the clock of the last Processor cycle ended. */
struct pmuv3_ends pmuv3_written(const struct pmuv3 *pmu);

/* PMUIRQ of a thread, level (D13.3-1); deasserted where the PMU Profiling exception is enabled. */
bool pmuv3_irq(const struct pmuv3 *pmu, unsigned thread);

/* The overflow trigger to a thread's CTI, level: PMUIRQ as if PMEE were not there (D13.3-2). */
bool pmuv3_cti(const struct pmuv3 *pmu, unsigned thread);

/*
 * The PMU Profiling exception of a thread (EBEP), level: bit 0: a counter without
 * SYNC has one pending, bit 1: an enabled counter in synchronous mode has (SEBEP),
 * as far as it is enabled and not masked; bits [3:2] the Exception level that takes
 * it. 0: none.
 */
unsigned pmuv3_exception(const struct pmuv3 *pmu, unsigned thread);

/* Everything that can be seen of a thread's PMU, see struct pmuv3_probe. */
void pmuv3_probe(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_probe *probe);

#ifdef __cplusplus
}
#endif

#endif
