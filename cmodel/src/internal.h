/*
 * The stages of the data flow. A stage has a step and a decode. The step runs in every Processor
 * cycle for each thread. The decode prepares the step's configuration when registers or states
 * change: decode_counter prepares what follows from PMEVTYPER<n>_EL0 alone, decode prepares the
 * rest.
 *
 * Steps are pure: they read the configuration and the values of the stages before them, and write
 * their own values. A step that depends on the other counter of the pair takes PMUV3_PAIRS lanes,
 * from `first`.
 */
#ifndef PMUV3_INTERNAL_H
#define PMUV3_INTERNAL_H

#include "pmuv3/pmuv3.h"

/*
 * Steps are faster with the vectors of AVX2. gcc compiles steps with and without AVX2, and the
 * loader picks one. This does not work under sanitizers, which start too late, nor with clang 14,
 * whose clones other files do not find.
 */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__ && \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !defined PMUV3_NO_CLONES
#define PMUV3_STEP __attribute__((target_clones("default", "avx2")))
#else
#define PMUV3_STEP
#endif

/* The bits of the cycle counter and the instruction counter in PMCNTEN, PMINTEN and PMOVS. */
#define PMUV3_BIT_C PMUV3_MASK(PMCNTENSET, C)
#define PMUV3_BIT_F0 PMUV3_MASK(PMCNTENSET, F0)

/* The ranges of event counters: of EL1, of EL2, of an external agent (DXWVNH). Nothing freezes R3
 * or prohibits it from counting, so arrays for freezing and prohibition have only R1 and R2. */
enum pmuv3_range { PMUV3_R1, PMUV3_R2, PMUV3_R3 };

/* Reads and sets bit n of a mask. */
static inline bool pmuv3_bit(uint32_t mask, unsigned n) {
  return (mask >> n & 1) != 0;
}
static inline uint32_t pmuv3_with_bit(uint32_t mask, unsigned n, bool bit) {
  return (mask & ~(UINT32_C(1) << n)) | (uint32_t)bit << n;
}

/* A mask of the counters 0..counters-1. */
static inline uint32_t pmuv3_counters_below(unsigned counters) {
  return (UINT32_C(1) << counters) - 1;
}

/* Formats an error message. The message stays valid until the calling thread's next error. */
__attribute__((format(printf, 1, 2))) const char *pmuv3_error(const char *format, ...);

/* D14.7, of an event's number: whether no implementation has the event with the trait SYNC; and
 * whether each that has SEBEP and the event has it with SYNC. */
bool pmuv3_event_is_never_sync(uint16_t number);
bool pmuv3_event_is_sync_with_sebep(uint16_t number);

/* What is wrong with a set where features has SEBEP, if the set is not wrong by itself. */
const char *pmuv3_events_wrong_with_sebep(const struct pmuv3_events *events);

/* pmuv3_params_wrong, of a set of events that is not wrong by itself, nor with SEBEP. */
const char *pmuv3_params_wrong_besides_events(const struct pmuv3_params *params);

/* pmuv3_init for parameters that are not wrong. */
void pmuv3_make(struct pmuv3 *pmu, const struct pmuv3_params *params);

/* Conditions in a lane: all ones or 0, so that they mask and pick without a branch. */
static inline uint16_t all_if(bool condition) {
  return condition ? UINT16_MAX : 0;
}
static inline uint16_t pick(uint16_t condition, uint16_t if_true, uint16_t if_false) {
  return (uint16_t)((if_true & condition) | (if_false & ~condition));
}

/* Conditions of all lanes to a mask, bit n for counter n; and the reverse. */
static inline uint32_t pmuv3_mask(const uint16_t lanes[PMUV3_LANES]) {
  uint32_t mask = 0;
  for (unsigned pair = 0; pair < PMUV3_PAIRS; pair++) {
    const uint32_t even = lanes[pair] & 1u;
    const uint32_t odd = lanes[PMUV3_PAIRS + pair] & 1u;
    mask |= (even | odd << 1) << 2 * pair;
  }
  return mask;
}
static inline void pmuv3_spread(uint32_t mask, uint16_t lanes[restrict PMUV3_LANES]) {
  for (unsigned pair = 0; pair < PMUV3_PAIRS; pair++)
    lanes[pair] = all_if((mask >> 2 * pair & 1) != 0);
  for (unsigned pair = 0; pair < PMUV3_PAIRS; pair++)
    lanes[PMUV3_PAIRS + pair] = all_if((mask >> (2 * pair + 1) & 1) != 0);
}

/* Whether a register has an <n>. Their encodings are in register_map.c, too. */
static inline bool pmuv3_register_is_indexed(uint16_t reg) {
  const uint16_t base = reg & 0xFFE0;
  return (base == PMUV3_PMEVCNTR || base == PMUV3_PMEVTYPER || base == PMUV3_PMEVCNTSVR ||
          base == PMUV3_PMEVCNTR_AA32 || base == PMUV3_PMEVTYPER_AA32) &&
         reg - base < PMUV3_MAX_COUNTERS;
}

/* Whether an encoding is that of an AArch32 register. */
static inline bool pmuv3_register_is_aa32(uint16_t reg) {
  return reg >> 14 == 0;
}

/* What an encoding names: an AArch64 register, or a view of bits of one. An AArch32 register is
 * such a view. Another name of an AArch64 register is a view of all of it, and so is the register.
 */
struct pmuv3_view {
  uint16_t encoding; /* with n = 0 */
  uint16_t of;       /* the AArch64 register, with n = 0 */
  uint8_t row;       /* of it */
  uint8_t lsb;       /* of the view in the AArch64 register */
  uint8_t present;   /* the condition for the view */
  uint64_t mask;     /* the view's bits of the AArch64 register */
  const char *name;  /* %u stands for n */
};
extern const struct pmuv3_view pmuv3_views[PMUV3_NUM_VIEWS];

/* Indices of views. */
enum {
  PMUV3_VIEW_UNKNOWN,
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_VIEW_OF_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_VIEW_OF_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) PMUV3_VIEW_OF_##id,
#include "pmuv3/registers.def"
};

/* The view of an encoding. An access looks it up, since a search takes longer. */
extern const uint8_t pmuv3_view_at[UINT16_MAX + 1];

/* What an encoding names. An access decodes its encoding once, and passes this on. */
struct pmuv3_register {
  uint16_t view; /* in pmuv3_views */
  uint16_t base; /* the AArch64 register that is accessed, with n = 0; unknown: 0 */
  uint16_t n;    /* unknown: the encoding */
};
static inline struct pmuv3_register pmuv3_register_decode(uint16_t encoding) {
  const uint8_t view = pmuv3_view_at[encoding];
  return (struct pmuv3_register){
      .view = view,
      .base = pmuv3_views[view].of,
      .n = (uint16_t)(encoding - pmuv3_views[view].encoding),
  };
}

/* The encoding of the AArch64 register that is accessed. */
uint16_t pmuv3_register_viewed(uint16_t encoding);

/* What of the AArch64 register's value a view shows; whether that has 32 bits. */
static inline uint64_t pmuv3_register_shown(const struct pmuv3 *pmu, struct pmuv3_register reg,
                                            uint64_t value) {
  return value >> pmuv3_views[reg.view].lsb & pmu->identity.presence[reg.view].shown;
}
static inline bool pmuv3_register_is_half(struct pmuv3_register reg) {
  return pmuv3_views[reg.view].mask <= UINT32_MAX;
}

/* Whether the AArch64 register exists with these parameters. */
bool pmuv3_register_exists(const struct pmuv3_params *params, struct pmuv3_register reg);

/* What the parameters leave of every register. */
void pmuv3_register_identify(const struct pmuv3_params *params,
                             struct pmuv3_presence presence[PMUV3_NUM_VIEWS]);

/* Whether the register has an n that the parameters do not have. */
static inline bool pmuv3_register_is_beyond(const struct pmuv3_params *params,
                                            struct pmuv3_register reg) {
  return reg.n >= params->counters && pmuv3_register_is_indexed(reg.base);
}

/* pmuv3_register_writable, pmuv3_register_readable. */
static inline enum pmuv3_access pmuv3_register_access(const struct pmuv3 *pmu,
                                                      struct pmuv3_register reg, bool writes) {
  const struct pmuv3_presence *presence = &pmu->identity.presence[reg.view];
  if (pmuv3_register_is_beyond(&pmu->params, reg)) return PMUV3_ACCESS_UNKNOWN;
  return (enum pmuv3_access)(writes ? presence->write : presence->read);
}

/* The bits that a write can change, of a register that exists. */
static inline uint64_t pmuv3_register_implemented(const struct pmuv3 *pmu,
                                                  struct pmuv3_register reg) {
  return pmu->identity.presence[reg.view].mask[reg.n % 2];
}

/* Maps of contexts: one; all of EL3; all of EL2; all of Secure state, where EL3 is without RME. */
#define PMUV3_CONTEXT(el, ss) (1u << (4 * (el) + (ss)))
#define PMUV3_CONTEXTS_EL3 (PMUV3_CONTEXT(3, PMUV3_S) | PMUV3_CONTEXT(3, PMUV3_RT))
#define PMUV3_CONTEXTS_EL2 \
  (PMUV3_CONTEXT(2, PMUV3_NS) | PMUV3_CONTEXT(2, PMUV3_S) | PMUV3_CONTEXT(2, PMUV3_RL))
#define PMUV3_CONTEXTS_SECURE                                                          \
  (PMUV3_CONTEXT(0, PMUV3_S) | PMUV3_CONTEXT(1, PMUV3_S) | PMUV3_CONTEXT(2, PMUV3_S) | \
   PMUV3_CONTEXT(3, PMUV3_S))

/* EL3 is never Non-secure: its bit stands for an Unattributable occurrence that is not related to
 * activity in any context. */
#define PMUV3_UNRELATED PMUV3_CONTEXT(3, PMUV3_NS)

/* The context that a thread is in. */
static inline uint16_t pmuv3_context_of(const struct pmuv3_pe *pe) {
  return (uint16_t)PMUV3_CONTEXT(pe->el, pe->ss);
}

/* `of`: the contexts in which a cycle's occurrences are judged, by thread and enum pmuv3_origin.
 * There are none for DEBUGGER, which never counts (D13.10-2). `stalled`: the threads with
 * STALL_BACKEND. */
struct pmuv3_contexts {
  uint16_t of[PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS];
  uint16_t stalled;
};

/* Whether the thread and origin of an occurrence are in bounds. One comparison makes the step safe
 * from a wrong cycle, at no cost. */
_Static_assert(PMUV3_MAX_THREADS == 4 && PMUV3_NUM_ORIGINS == 4, "both are two bits");
static inline bool pmuv3_has_place(const struct pmuv3_occurrence *occurrence) {
  return ((unsigned)occurrence->thread | occurrence->origin) < 4;
}

/* Whether EL3, EL2 or EL1 of a thread uses AArch32. All levels below a level in AArch32 do, too. */
static inline bool pmuv3_el3_aa32(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->pe[thread].a32el3 || !pmu->params.aa64;
}
static inline bool pmuv3_el2_aa32(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->pe[thread].a32el2 || pmuv3_el3_aa32(pmu, thread);
}
static inline bool pmuv3_el1_aa32(const struct pmuv3 *pmu, unsigned thread) {
  return pmu->pe[thread].a32el1 || pmuv3_el2_aa32(pmu, thread);
}

/* PMCR_EL0.LC. LC is RES1 if no Exception level can use AArch32 (I-2). */
static inline bool pmuv3_lc(const struct pmuv3 *pmu, unsigned thread) {
  return PMUV3_GET(pmu->thread[thread].registers.pmcr, PMCR, LC) ||
         !pmuv3_can_aa32(&pmu->params, 0);
}

/* attribution: occurrences, software increments, captures -> VB; then allowed, and VB where it is
 */
#define PMUV3_MAX_PENDING 255
void pmuv3_attribution_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n);
void pmuv3_attribution_decode(struct pmuv3 *pmu, unsigned thread);
void pmuv3_attribution(const struct pmuv3 *pmu, unsigned thread, const struct pmuv3_cycle *cycle,
                       const struct pmuv3_contexts *contexts, struct pmuv3_values *values);
void pmuv3_attribution_contexts(const struct pmuv3 *pmu, const struct pmuv3_cycle *cycle,
                                struct pmuv3_contexts *contexts);
void pmuv3_attribution_allow(const struct pmuv3_config *config, const uint16_t running[PMUV3_LANES],
                             struct pmuv3_values *values);

/* CPU_CYCLES follows from states, too: after the filter's decode_states. */
void pmuv3_attribution_decode_cycles(struct pmuv3 *pmu, unsigned thread);

/* A thread's software increment of `counters`, except those for which `most` or more wait. */
void pmuv3_attribution_increment(struct pmuv3 *pmu, unsigned thread, uint32_t counters,
                                 uint16_t most);
/* A successful capture: PMU_SNAPSHOT, which waits for the next cycle. */
void pmuv3_attribution_snapshot(struct pmuv3_state *state);
/* Drops what waited: it was counted. */
void pmuv3_attribution_consume(struct pmuv3_state *state);

/* filter: registers and states -> which counters run, and what may count in them */
void pmuv3_filter_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n);
void pmuv3_filter_decode(struct pmuv3 *pmu, unsigned thread);

/* What follows from the states of all threads that count in a thread's PMU, or of sibling t. */
void pmuv3_filter_decode_states(struct pmuv3 *pmu, unsigned thread);
void pmuv3_filter_decode_sibling(struct pmuv3 *pmu, unsigned thread, unsigned t);

/* The counters that run: those that are enabled, and not frozen with their range. */
void pmuv3_filter(const struct pmuv3_config *config, const bool frozen[2],
                  uint16_t running[PMUV3_LANES]);

/* Why the counters of range R1 or R2 are frozen in a thread's state. */
struct pmuv3_freeze {
  bool by_overflow;
  bool by_spe;
};
static inline struct pmuv3_freeze pmuv3_filter_freeze(const struct pmuv3_thread *thread,
                                                      const struct pmuv3_pe *pe,
                                                      enum pmuv3_range range) {
  const struct pmuv3_decoded *decoded = &thread->decoded;
  return (struct pmuv3_freeze){
      .by_overflow = (thread->registers.overflow & decoded->freezes[range]) != 0,
      .by_spe = pe->spe && decoded->stops[range],
  };
}
static inline bool pmuv3_is_frozen(struct pmuv3_freeze freeze) {
  return freeze.by_overflow || freeze.by_spe;
}

/* The contexts that a thread's PMEVTYPER, PMCCFILTR or PMICFILTR excludes, in Streaming SVE mode or
 * out of it. */
uint16_t pmuv3_filter_contexts(const struct pmuv3 *pmu, unsigned thread, uint64_t filter, bool sm);

/* The contexts in which range R1 or R2 of a thread's counters may not count occurrences of
 * `source`. */
struct pmuv3_prohibited pmuv3_filter_prohibited(const struct pmuv3 *pmu, unsigned thread,
                                                unsigned source, enum pmuv3_range range);
static inline uint16_t pmuv3_prohibited_any(struct pmuv3_prohibited prohibited) {
  return prohibited.secure | prohibited.el3 | prohibited.el2;
}

/* threshold: VB -> CT, CP, CE, VT, VE, V. `links`: V of the pairs' even counters */
void pmuv3_threshold_decode_counter(struct pmuv3 *pmu, unsigned thread, unsigned n);
void pmuv3_threshold(const struct pmuv3_config *config, size_t first,
                     const uint16_t links[PMUV3_PAIRS], struct pmuv3_state *state,
                     struct pmuv3_values *values);

/* counter: V -> value, carry. True: there is any carry */
void pmuv3_counter_decode(struct pmuv3_thread *thread);
bool pmuv3_counter(const struct pmuv3_config *config, uint64_t width, size_t first,
                   struct pmuv3_state *state, struct pmuv3_values *values);
void pmuv3_counter_zero(struct pmuv3_state *state, uint32_t counters);

/* overflow: carry of the even counters -> CHAIN, in VB of the odd counters; carry -> new flags.
 * `where` has the lanes that may count CHAIN (K-CHAIN-FILTER). */
void pmuv3_overflow_decode(struct pmuv3_thread *thread);
void pmuv3_overflow_chain(const struct pmuv3_config *config, const uint16_t where[PMUV3_LANES],
                          struct pmuv3_values *values);
uint32_t pmuv3_overflow(const struct pmuv3_values *values);

/* cycle_counter, instruction_counter: -> their value. True: it overflowed */
void pmuv3_cycle_counter_decode(struct pmuv3 *pmu, unsigned thread);
bool pmuv3_cycle_counter(const struct pmuv3_cycle_config *config, const struct pmuv3_pe *pe,
                         struct pmuv3_freeze freeze, struct pmuv3_state *state);
void pmuv3_instruction_counter_decode(struct pmuv3 *pmu, unsigned thread);
bool pmuv3_instruction_counter(const struct pmuv3 *pmu, unsigned thread,
                               const struct pmuv3_cycle *cycle,
                               const struct pmuv3_contexts *contexts, bool frozen,
                               struct pmuv3_state *state);

/* exception: flags -> PMUIRQ, the CTI trigger, the PMU Profiling exception.
 * pmuv3_exception_enabled: the exception is enabled in a thread's state; then all counters overflow
 * at bit 63 */
bool pmuv3_exception_enabled(const struct pmuv3 *pmu, unsigned thread);

/* snapshot: a capture, which PMSSCR_EL1.SS = 1 or a request asks for. The registers and states at
 * its start judge it. The values at its end are saved. */
enum pmuv3_capture { PMUV3_CAPTURE_DISABLED, PMUV3_CAPTURE_PROHIBITED, PMUV3_CAPTURE_ALLOWED };
enum pmuv3_capture pmuv3_snapshot_judge(const struct pmuv3 *pmu, unsigned thread);
void pmuv3_snapshot_end(struct pmuv3 *pmu, unsigned thread, enum pmuv3_capture capture);

/*
 * access: which part of a register an access may reach. A write changes, sets, clears and zeroes
 * nothing else. A read gives 0 for the rest.
 *
 * `counters` is as PMCNTENSET_EL0, with C and F0. Other counters are RAZ/WI: their bits in
 * registers with a bit for each counter, and their PMEVCNTR<n>_EL0, PMEVTYPER<n>_EL0 and the like
 * as a whole. PMCR_EL0.P zeroes the event counters among `counters`.
 */
struct pmuv3_reach {
  uint64_t bits;     /* of the register */
  uint64_t counters; /* see above */
  uint8_t n;         /* what PMCR_EL0.N reads */
};
/* The reach of System registers with the highest rights: everything but range R3. */
static inline struct pmuv3_reach pmuv3_access_highest(const struct pmuv3 *pmu, unsigned thread) {
  const uint8_t n = pmu->thread[thread].decoded.epmn;
  return (struct pmuv3_reach){
      .bits = UINT64_MAX,
      .counters = pmuv3_counters_below(n) | PMUV3_BIT_C | PMUV3_BIT_F0,
      .n = n,
  };
}
/* How MSR or MRS ends in the thread's state. *reach is what it reaches if it is done; *trap is the
 * exception that ends it if not. */
enum pmuv3_result pmuv3_access(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                               bool writes, struct pmuv3_reach *reach, struct pmuv3_trap *trap);

/* A value shifted to the place of a register's field. */
#define PMUV3_PUT(value, reg, field) ((uint64_t)(value) << PMUV3_##reg##_##field##_LSB)

/* registers, registers_identity: what follows from the parameters alone. */
void pmuv3_registers_identify(struct pmuv3 *pmu);

/*
 * registers, registers_decode: what follows from the registers and states: of all threads, of one,
 * of those that a control of MT of this one affects, of one PMEVTYPER<n>_EL0, and of a new state.
 */
void pmuv3_registers_decode(struct pmuv3 *pmu);
void pmuv3_registers_decode_thread(struct pmuv3 *pmu, unsigned thread);
void pmuv3_registers_decode_group(struct pmuv3 *pmu, unsigned thread);
void pmuv3_registers_decode_evtyper(struct pmuv3 *pmu, unsigned thread, unsigned n);
void pmuv3_registers_set_pe(struct pmuv3 *pmu, unsigned thread, const struct pmuv3_pe *pe);

/* registers, registers_reset: a Cold and a Warm reset of all threads. */
void pmuv3_registers_cold_reset(struct pmuv3 *pmu);
void pmuv3_registers_reset(struct pmuv3 *pmu);

/* registers: reads and writes a register that exists and allows the access. */
void pmuv3_registers_write(struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                           uint64_t value, const struct pmuv3_reach *reach);
uint64_t pmuv3_registers_read(const struct pmuv3 *pmu, unsigned thread, struct pmuv3_register reg,
                              const struct pmuv3_reach *reach);

/* The value of an AArch64 register that does not depend on PMSELR_EL0, by its encoding with n = 0.
 * Bits of counters out of reach read 0. */
uint64_t pmuv3_registers_value(const struct pmuv3 *pmu, unsigned thread, uint16_t base, unsigned n,
                               const struct pmuv3_reach *reach);

/* The register that an access reaches in the end, with PMSELR_EL0 applied. It may not exist. */
static inline struct pmuv3_register pmuv3_registers_target(const struct pmuv3 *pmu, unsigned thread,
                                                           struct pmuv3_register reg) {
  if (reg.base != PMUV3_PMXEVTYPER && reg.base != PMUV3_PMXEVCNTR) return reg;
  const unsigned sel = (unsigned)PMUV3_GET(pmu->thread[thread].registers.pmselr, PMSELR, SEL);
  return pmuv3_register_decode(reg.base == PMUV3_PMXEVTYPER ? PMUV3_PMEVTYPERn(sel)
                                                            : PMUV3_PMEVCNTRn(sel));
}

/* The one counter that a register belongs to, as in PMCNTENSET_EL0. 0: none. */
uint64_t pmuv3_registers_counter(struct pmuv3_register reg);

/* PMLSR, which only the external view has: whether there is a Software Lock, and it is locked. */
static inline uint32_t pmuv3_pmlsr(const struct pmuv3_params *params, bool locked) {
  return (uint32_t)locked << 1 | pmuv3_has_software_lock(params);
}

/* PMCCR, which only the external view has. */
#define PMUV3_PMCCR_OSLO (UINT64_C(1) << 8)
#define PMUV3_PMCCR_EPME (UINT64_C(1) << 7)
#define PMUV3_PMCCR_EPMN UINT64_C(0x1F)
void pmuv3_registers_write_pmccr(struct pmuv3 *pmu, unsigned thread, uint64_t value);

#endif
