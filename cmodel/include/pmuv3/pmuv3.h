/*
 * libpmuv3: the cycle-accurate C model of the PMUv3 counters of one processor with 1 to 4 threads.
 * Each thread has a PMU of its own.
 *
 *   occurrences -> attribution -> filter -> threshold -> counter -> overflow
 *                        registers and states configure all of them
 *
 * The model is one struct with functions: init, reset, tick. It allocates, prints and hides
 * nothing. Copy the struct to snapshot the model.
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
 * Every `thread` must be below params.threads.
 */
#ifndef PMUV3_PMUV3_H
#define PMUV3_PMUV3_H

#include <stddef.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"
#include "pmuv3/run.h"
#include "pmuv3/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the PMUs as they are after a Cold reset. The threads are in the state PMUV3_PE_RESET.
 * Returns NULL, or the answer of pmuv3_params_wrong: then *pmu has the default parameters.
 * With &pmu->params as the parameters it is a Cold reset.
 */
const char *pmuv3_init(struct pmuv3 *pmu, const struct pmuv3_params *params);

/*
 * Warm reset of all threads' PMUs. Fields that the architecture resets to UNKNOWN become 0. Waiting
 * software increments and a waiting PMU_SNAPSHOT are dropped. The states of threads are not the
 * PMU's, and stay.
 *
 * Values that only a Cold reset resets stay:
 * - MTPME, PMCCR, MDCR_EL2.PMSSE, MDCR_EL3.PMSSE, PMECR_EL1.SSE, and the Software Lock, which is
 *   not the core's
 * - with EXTPMN: all counters, the cycle counter's divider and saved values, PMCCFILTR_EL0,
 *   PMICFILTR_EL0, PMEVTYPER<n>_EL0 (TC, TE and TH are reset if EL1 can use AArch32), and PMCNTEN,
 *   PMINTEN and PMOVS, except F0
 */
void pmuv3_reset(struct pmuv3 *pmu);

/*
 * Sets the state of a thread from now on, between two Processor cycles. The parameters must have
 * the state (pmuv3_pe_wrong). The cycle that counts waiting software increments judges them by its
 * own state, so do not change the state while some wait. A waiting PMU_SNAPSHOT is judged by that
 * state, too.
 */
void pmuv3_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe);

/*
 * A register write between two Processor cycles. It has the rights of the highest implemented
 * Exception level, and reaches everything but the counters of an external agent (EXTPMN). Writes of
 * RES0 bits, read-only bits and the bits of unimplemented counters are ignored.
 *
 * A write of PMSWINC_EL0 waits for the next cycle. At most 255 increments wait for a counter;
 * further ones are lost. In Debug state the write counts nothing.
 */
enum pmuv3_access pmuv3_write(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);

/* Reads a register, without side effects. *value is 0 unless the result is PMUV3_ACCESS_OK. */
enum pmuv3_access pmuv3_read(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                             uint64_t *value);

/*
 * MSR and MRS, or MCR and MRC, between two Processor cycles. The thread's state judges the access
 * (D13.11, the accessors in D24.5). AArch64 registers exist in AArch64 state, AArch32 registers in
 * AArch32 state. Unless the result is PMUV3_DONE, the access has no effect and reads 0. With
 * PMUV3_DONE it may reach only a part of the register.
 */
enum pmuv3_result pmuv3_msr(struct pmuv3 *pmu, unsigned thread, uint16_t reg, uint64_t value);
enum pmuv3_result pmuv3_mrs(const struct pmuv3 *pmu, unsigned thread, uint16_t reg,
                            uint64_t *value);

/*
 * How an access would end in the thread's state, and the exception that would end it (I-4). The
 * access does not take place.
 *
 *   struct pmuv3_trap trap;
 *   if (pmuv3_trap_of(&pmu, 0, PMUV3_PMCR, true, &trap) == PMUV3_TRAP_EL2)
 *     take_exception(trap.el, trap.ec, trap.iss);
 */
enum pmuv3_result pmuv3_trap_of(const struct pmuv3 *pmu, unsigned thread, uint16_t reg, bool writes,
                                struct pmuv3_trap *trap);

/*
 * An access of a word in the external view of a thread's PMU, between two Processor cycles (I3.1,
 * external.def). `ss` is the physical address space of the access. `offset` is below 0x1000.
 * Returns false for an error response, as at an offset that is no multiple of 4 (I3.1.1): then the
 * access has no effect, and *value is 0. Reads have no side effects.
 */
bool pmuv3_external_write(struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                          uint16_t offset, uint32_t value);
bool pmuv3_external_read(const struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                         uint16_t offset, uint32_t *value);

/* Whether the Software Lock ignores writes of this word now (E.9/PMLAR). They get no error
 * response. */
bool pmuv3_external_locked(const struct pmuv3 *pmu, unsigned thread, uint16_t offset);

/*
 * One Processor cycle. It counts the occurrences with the registers as they are, then applies the
 * writes of the same clock. A write wins over the increment of the same counter, and no overflow is
 * lost (formats.md section 4).
 *
 * A capture request does what a write of PMSSCR_EL1.SS = 1 in this clock does. The registers as
 * they are decide whether it captures. It saves the counters as the cycle and the writes of the
 * clock leave them. A successful capture is a PMU_SNAPSHOT event of the next cycle.
 *
 * If a thread has a System register write in this clock, its external write waits for the next
 * clock: then the flags that the cycle raised are set before the external write.
 *
 * A write that pmuv3_register_writable refuses has no effect. The caller makes sure that nothing is
 * wrong with the cycle (pmuv3_cycle_wrong).
 */
void pmuv3_tick(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle);

/*
 * The same as `cycles` calls of pmuv3_tick: the first with this cycle, the others with its
 * occurrences and contexts, but without its writes and requests to capture. 0 cycles are none.
 * Exact in everything, thresholds, edges and links too. The time that it takes grows with the
 * number of overflows, not with the number of cycles.
 *
 *   const struct pmuv3_cycle idle = {.num_occurrences = 0};
 *   pmuv3_repeat(&pmu, &idle, 1000000);
 */
void pmuv3_repeat(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle, uint64_t cycles);

/*
 * As pmuv3_repeat, but the first cycle in which a counter of any thread overflows is the last one.
 * Returns how many cycles it made: `cycles` if no counter overflowed.
 *
 *   const struct pmuv3_cycle idle = {.num_occurrences = 0};
 *   const uint64_t made = pmuv3_repeat_to_overflow(&pmu, &idle, 1000000);
 */
uint64_t pmuv3_repeat_to_overflow(struct pmuv3 *pmu, const struct pmuv3_cycle *cycle,
                                  uint64_t cycles);

/*
 * Runs `cycles` Processor cycles in which events occur at these rates and nothing is written. The
 * result is exactly that of pmuv3_tick with these cycles. Where it matters in which cycles the
 * events really occurred (a threshold, an edge or a link on an event with a remainder, a freeze on
 * overflow), the result is that of the rates' spread.
 *
 * Returns NULL, or what pmuv3_rates_wrong says. Then nothing has changed.
 *
 *   const struct pmuv3_rate rates[] = {{.event = PMUV3_EVENT_INST_RETIRED, .total = 15000}};
 *   const char *why = pmuv3_run(&pmu, 10000, rates, 1);
 */
const char *pmuv3_run(struct pmuv3 *pmu, uint64_t cycles, const struct pmuv3_rate rates[],
                      unsigned num_rates);

/*
 * The first cycle, as pmuv3_run would make them, in which a counter of any thread overflows: 1 is
 * the next cycle. 0: none of these cycles overflows, or something is wrong with the rates.
 */
uint64_t pmuv3_next_overflow(const struct pmuv3 *pmu, uint64_t cycles,
                             const struct pmuv3_rate rates[], unsigned num_rates);

/*
 * Whether a counter of the thread is configured to count for other threads, too
 * (PMEVTYPER<n>_EL0.MT = 1, in a processor with several threads). As long as none is, nothing of
 * this thread's PMU follows from the other threads: neither from their states and occurrences nor
 * from their PMUs.
 */
bool pmuv3_depends(const struct pmuv3 *pmu, unsigned thread);

/* How the writes in the clock of the last Processor cycle ended. */
struct pmuv3_ends pmuv3_written(const struct pmuv3 *pmu);

/*
 * Saves the whole state into a buffer, with the version of its layout and a digest of the
 * parameters. Returns how many bytes that takes. If `size` is less, nothing is written, and the
 * buffer may be NULL. The bytes are for this host, and for this version of the library.
 *
 *   const size_t size = pmuv3_save(&pmu, NULL, 0);
 *   void *bytes = malloc(size);
 *   pmuv3_save(&pmu, bytes, size);
 *   const char *wrong = pmuv3_restore(&pmu, bytes, size);
 */
size_t pmuv3_save(const struct pmuv3 *pmu, void *buffer, size_t size);

/*
 * Restores a saved state into a PMU with the same parameters. Returns NULL, or says in words why it
 * refuses: other bytes, another version or host, other parameters, bytes that are missing or were
 * changed. Then nothing has changed.
 */
const char *pmuv3_restore(struct pmuv3 *pmu, const void *buffer, size_t size);

/* PMUIRQ of a thread, a level (D13.3-1). It is 0 while the PMU Profiling exception is enabled. */
bool pmuv3_irq(const struct pmuv3 *pmu, unsigned thread);

/* The overflow trigger to a thread's CTI, a level: PMUIRQ as if there were no PMEE (D13.3-2). */
bool pmuv3_cti(const struct pmuv3 *pmu, unsigned thread);

/*
 * The PMU Profiling exception of a thread (EBEP), a level. 0: it is disabled or masked, or no
 * counter has one pending. Bit 0: a counter without SYNC has one pending. Bit 1: an enabled counter
 * in synchronous mode has one pending (SEBEP). Bits [3:2]: the Exception level that takes it.
 */
unsigned pmuv3_exception(const struct pmuv3 *pmu, unsigned thread);

/*
 * The request to halt of a thread, a level (I-10): EDECR.PME, and the overflow trigger to its CTI.
 * Whether the thread may halt is not the PMU's.
 */
bool pmuv3_halt(const struct pmuv3 *pmu, unsigned thread);

/*
 * The overflow condition that freezes a thread's BRBE, a level for each range of counters (I-11).
 * Bit 0: a counter of the first range, or the instruction counter. Bit 1: a counter of the second
 * range. BRBCR_EL1.FZP and BRBCR_EL2.FZP, which choose among the ranges, are not the PMU's.
 */
unsigned pmuv3_brbe(const struct pmuv3 *pmu, unsigned thread);

/*
 * The counters that overflowed in the last Processor cycle, as in PMOVSSET_EL0. A counter is among
 * them even if its flag was 1 before, or a write of the same clock cleared the flag. 0 after a
 * reset.
 */
uint64_t pmuv3_pulses(const struct pmuv3 *pmu, unsigned thread);

/* All these outputs at once. */
struct pmuv3_outputs pmuv3_outputs(const struct pmuv3 *pmu, unsigned thread);

/* Everything that can be seen of a thread's PMU: see struct pmuv3_probe. */
void pmuv3_probe(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_probe *probe);

#ifdef __cplusplus
}
#endif

#endif
