/*
 * The samples that coverpoints are declared with: settings of a thread's registers, a Processor
 * cycle, an access. In masks, bit n is event counter n. All values follow from observed values by
 * the rules of the architecture (rules.md D). The collector asks neither side for a reason.
 */
#ifndef PMUV3_SAMPLE_H
#define PMUV3_SAMPLE_H

#include "pmuv3/cycle.h"
#include "pmuv3/events.h"
#include "pmuv3/registers.h"
#include "testbench/cosim/scoreboard/observer.h"

#define has(params, feature) pmuv3_has((params), PMUV3_FEATURE_##feature)

/* Bits of the cycle counter and the instruction counter, in fixed_overflow and similar fields of a
 * probe. */
enum { FIXED_C = 1, FIXED_F0 = 2 };

/* Bits of a filter. In a mask, bit n is event counter n; for the cycle counter or the instruction
 * counter, bit 0. */
enum filter_bit { P, U, NSK, NSU, NSH, M, SH, RLK, RLU, RLH, NUM_FILTER_BITS };

/* The bits' masks. PMEVTYPER, PMCCFILTR and PMICFILTR have them in the same places. */
extern const uint64_t pmuv3_filter_masks[NUM_FILTER_BITS];

/* What masks the PMU Profiling exception (RKBPMJ). */
enum mask {
  MASKED_IN_DEBUG_STATE = 1,
  MASKED_ABOVE_TARGET = 2,
  MASKED_BY_PM = 4,
  MASKED_BY_KPME = 8,
  MASKED_AT_EL2 = 16,
};

struct filter {
  uint32_t bit[NUM_FILTER_BITS];
  uint32_t vs[4]; /* by the value of VS */
};

/* Settings of a thread's registers. Fields of PMEVTYPER are Effective values, except MT. */
struct settings {
  uint64_t type[PMUV3_LANES]; /* the PMEVTYPER values of these settings */
  uint32_t all, even, odd, last;
  uint32_t r1, r2, r3; /* ranges */
  unsigned hpmn, epmn; /* Effective bounds of the ranges */
  uint32_t tc0, tc1, tc2, tc_any, te;
  uint32_t tlc0, link_false, link_true, tlc3; /* TLC = 00, 01, 10, 11; only odd counters with TH2 */
  uint32_t unlinkable;                        /* even counters, or all without TH2 */
  uint32_t th0, th_largest;
  uint32_t plain;    /* threshold, edge and link are off */
  uint32_t reserved; /* {TC, TE, TLC} is reserved */
  struct filter filter;
  const uint32_t *vs;                 /* filter.vs */
  uint32_t mt, grouped;               /* MT as stored; Effective MT */
  uint32_t mt_chain;                  /* CHAIN with MT = 1, and MT not disabled */
  uint32_t sync, mute;                /* SYNC; SYNC with an event that cannot be synchronous */
  uint16_t event[PMUV3_LANES];        /* index of the selected event's row; PMUV3_NO_EVENT: none */
  uint32_t sel[PMUV3_MAX_EVENTS + 1]; /* counters that select a row; none (the last) */
  uint32_t none;                      /* no event of the set is selected */
  uint32_t l1d_cache_wb, bus_access, exc_taken, exc_return, cid_write_retired, inst_retired;
  uint32_t beyond_10_bits; /* a number that 10 bits of evtCount do not hold */
  uint32_t count, stall, second, condition, slots, swincr, chain, cycles, snapshot; /* events */
  uint32_t core, memory, shared, own, trace; /* attributions of events */
  uint32_t attributable_only; /* what is Unattributable never counts (D13.4-9, MT-SHARED-1) */
  uint32_t exact;             /* exact, without SW_INCR */
  uint32_t cnten, global, on; /* own enable; range's enable; enabled and able to count */
  uint32_t lp;                /* overflow at bit 63, without PMU Profiling exceptions */
  bool enabled_r1, enabled_r2, enabled_r3;
  bool spme, mpmx, hpmd, suniden, fzs, wide;
  struct filter cycle_filter, instruction_filter;
};

/* Reasons against counting in a context. */
struct judgement {
  uint32_t filtered_el, filtered;
  uint32_t prohibited_s, prohibited_el2, prohibited_el3, prohibited;
  uint32_t would_be; /* prohibited without external authentication */
  uint32_t relieved; /* prohibited without SUNIDEN */
};

/* A thread, with its history. */
struct thread {
  struct pmuv3_pe pe;
  struct pmuv3_probe now;
  struct settings c;
  uint32_t swi, swi_twice; /* one or more increments wait; two or more wait */
  uint32_t was_allowed, ct_before, gap_after_ct;
  uint32_t retyped_threshold, retyped_event, disabled; /* changed since the last cycle */
  bool after_reset, ct_before_reset;
};

/* A thread in a Processor cycle. */
struct sample {
  const struct pmuv3_params *p;
  const struct settings *c;
  const struct pmuv3_pe *pe;
  const struct pmuv3_probe *before, *after;

  /* enabled; also not frozen and not in Debug state; also not filtered or prohibited in the
   * thread's state */
  uint32_t on, running, free;
  uint32_t halted; /* all ones, or 0 */
  uint32_t frozen, frozen_fzo, frozen_spe;
  uint32_t filtered, filtered_el, blocked;
  uint32_t prohibited, prohibited_s, prohibited_el2, relieved, would_be_prohibited;
  bool fzo_r1, fzo_r2, frozen_by_f0, spe_r1, r1_prohibited;

  /* Counters whose event occurred: in the thread's state, in another context, Unattributable, by a
   * debugger. */
  uint32_t own, oth, unattr, dbg;
  uint32_t related; /* unattr, and related to activity in the other context */
  uint32_t twins;   /* the event occurred somewhere, and another counter selects it */
  uint32_t oth_free, oth_filtered, oth_prohibited_s, oth_prohibited_el2, oth_prohibited_el3;
  uint32_t oth_s, oth_el2, oth_el3; /* the other context is prohibited, with or without events */
  unsigned oth_el;                  /* 4: no other context */
  struct judgement other;           /* reasons against counting in the other context */
  unsigned retired;                 /* INST_RETIRED in the thread's state */
  bool retired_otherwise;           /* INST_RETIRED of another origin */
  unsigned num_events;
  bool took_exception;

  /* The same for siblings, split by reasons against counting in the sibling's state. */
  uint32_t sib, sib_dbg, sib_unattr, sib_free, sib_blocked, sib_filtered;
  uint32_t sib_prohibited_s, sib_prohibited_el2;
  uint32_t sib_secure, sib_el2, sib_elsewhere; /* Secure state, EL2, another Security state */
  uint32_t sib_swi;
  uint32_t sib_chained; /* the sibling overflows, so that its CHAIN would count */
  unsigned awake;       /* threads neither halted nor in WFx */
  bool all_in_wfx;
  bool mtpme_of_siblings; /* MTPME is 1 in this thread and 0 in a sibling */

  /* Of counters that run with MT = 1, by threads of the group. A thread is eligible if it is not
   * halted and nothing is against counting in its state (C.5/cycle). */
  uint32_t sib_eligible, sib_swi_eligible; /* an eligible sibling; its increments wait */
  uint32_t eligible_awake;                 /* an eligible thread is not in WFx */
  uint32_t on_some, on_several; /* the event occurs on an eligible thread; on two or more */
  uint32_t not_on_all;          /* the event does not occur on an eligible thread */
  uint32_t not_stalled;         /* an eligible thread has no STALL_BACKEND */

  uint32_t swi, swi_twice;

  /* Values of the cycle. */
  uint32_t allowed, vb, vb_many, vb_wide, ct, cp, ce, vt, vt_many, vt_is_vb, vt_is_link;
  uint32_t ve, ve_many, v, link, link_is_not_vb, condition;
  uint32_t equal, below1, above1; /* VB relative to TH */
  uint32_t carry31, carry63, overflow, overshoot, high_half;
  uint32_t flags, lp, chained; /* flags before the cycle; overflow at bit 63; CHAIN from n-1 to n */
  uint32_t was_allowed, gap_after_ct, retyped_threshold, retyped_event;
  uint32_t disabled_in_clock, disabled_before;
  bool stopped_in_clock, after_reset, ct_before_reset, was_heard;
  bool written;                    /* a register write in the clock of the cycle */
  bool requested, requested_twice; /* a request to capture; a write of PMSSCR.SS, too */
  /* A write in the clock of the cycle takes effect: System register, external view. */
  bool write_done, external_done;

  /* The cycle counter and the instruction counter. */
  bool cc_enabled, cc_on, cc_counted, cc_filtered, cc_filtered_el, cc_lc, cc_divides;
  bool cc_carry31, cc_overflow, cc_dp, cc_dp_prohibited, cc_spe, cc_sccd, cc_hccd, cc_mccd;
  bool ic_enabled, ic_on, ic_counted, ic_filtered, ic_filtered_el, ic_prohibited;
  bool ic_free;        /* counts what retires in the thread's state */
  bool ic_counted_own; /* counted what retired in the thread's state */
  bool ic_carry31, ic_overflow;

  /* More of the thread's state. */
  bool aa32, el3_aa64, highest_aa32, secure_el2;
  bool profiles, pmee_el1; /* the PMU Profiling exception is enabled; PMECR_EL1 decides */
  unsigned pmee, target;   /* the deciding PMEE; the exception's target */
  unsigned masks;          /* all that masks the exception: enum mask */
  bool raises;             /* a flag makes the exception, but for masks */
};

/* An access, and the thread before the access. */
struct access {
  const struct pmuv3_params *p;
  const struct settings *c;
  const struct pmuv3_pe *pe;
  const struct pmuv3_probe *before;
  bool writes, checked, external, done;
  bool view, selected; /* through an AArch32 register; through PMSELR */
  uint16_t reg;        /* the AArch64 register with n = 0; 0: none */
  unsigned n;          /* the register's n; PMUV3_LANES: the register has no n */
  uint32_t counter;    /* the one event counter that the register belongs to */
  uint32_t bits;       /* event counters whose bits are written as 1 */
  uint32_t beyond;     /* event counters out of reach of a checked access */
  bool is_of_bits;
  uint64_t value;
  unsigned result;
  uint16_t encoding;       /* of the register that the access names */
  unsigned ec;             /* the exception class of one that is refused */
  bool most_secure;        /* external access: most secure */
  bool by_counter;         /* refused, but would be done for an implemented counter in R1 */
  bool by_user;            /* refused, but would be done if PMUSERENR permitted it */
  uint64_t fgt;            /* the fine-grained traps in effect that name the register */
  uint64_t by_fgt;         /* the fine-grained traps without which it would be done */
  bool by_hstr;            /* refused, but would be done without HSTR.T9 */
  unsigned without_sdd;    /* enum pmuv3_result as it would be without EDSCR.SDD */
  unsigned without_el2;    /* also without fine-grained traps, HSTR and what MDCR_EL2 traps */
  bool by_tpm3;            /* would trap to EL3 without SDD, but be done without MDCR_EL3.TPM */
  bool el2on, el2_enabled; /* EL2 is enabled and the access is from below EL2; EL2 is enabled */
  bool aa32, el3_aa64;
  bool uen, en, er, cr, ir, sw, tid; /* fields of PMUSERENR; uen: in effect, from EL0 */
  bool captures;                     /* a write with PMSSCR.SS = 1 */
  unsigned sse, sse_by; /* the captures' deciding value; the Exception level that decides */
};

/* Derives settings from a probe's registers. Only changed registers are decoded. */
void pmuv3_settings_update(struct settings *settings, const struct pmuv3_params *params,
                           const struct pmuv3_probe *probe);

/* The reasons against counting in a context, by a thread's filters and controls. `source` is the
 * state of the thread in that context. */
struct judgement pmuv3_judge(const struct pmuv3_params *params, const struct thread *thread,
                             const struct pmuv3_pe *source, unsigned el, unsigned ss);

/* Counters whose filter excludes a context, without VS. */
uint32_t pmuv3_filtered_by_el(const struct filter *filter, bool el3_aa32, unsigned el, unsigned ss);

/* Counters whose VS excludes Streaming mode or Non-streaming mode (K-VS-RES). */
uint32_t pmuv3_filtered_by_vs(const struct pmuv3_params *params, const struct filter *filter,
                              bool sm);

/* Samples all threads in a cycle. `threads` are the threads before the cycle. `rows` are the
 * indexes of the occurrences' events. */
void pmuv3_sample(const struct pmuv3_params *params, const struct thread *threads,
                  const struct pmuv3_cycle *cycle, const uint16_t *rows,
                  const struct pmuv3_probe *after, struct sample *samples);

/* Samples an access to a thread. */
struct access pmuv3_access_sample(const struct pmuv3_params *params, const struct thread *thread,
                                  const struct pmuv3_observed *observed);

#endif
