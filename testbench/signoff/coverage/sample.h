/*
 * What coverpoints are declared in terms of: what the registers of a thread say, a
 * Processor cycle of it, an access to it. In masks bit n is event counter n's.
 *
 * All of it is worked out from what was observed by the rules of the architecture:
 * rules.md D, as a person would who watches. No side is asked why.
 */
#ifndef PMUV3_SAMPLE_H
#define PMUV3_SAMPLE_H

#include "pmuv3/cycle.h"
#include "pmuv3/events.h"
#include "pmuv3/registers.h"
#include "testbench/cosim/scoreboard/observer.h"

#define has(params, feature) pmuv3_has((params), PMUV3_FEATURE_##feature)

/* The cycle counter and the instruction counter in fixed_overflow and its like of a probe. */
enum { FIXED_C = 1, FIXED_F0 = 2 };

/* The bits of a filter: of all event counters, or bit 0 that of the cycle or instruction counter.
 */
enum filter_bit { P, U, NSK, NSU, NSH, M, SH, RLK, RLU, RLH, NUM_FILTER_BITS };

/* Where they are; PMEVTYPER, PMCCFILTR and PMICFILTR have them in the same places. */
extern const uint64_t pmuv3_filter_masks[NUM_FILTER_BITS];

struct filter {
  uint32_t bit[NUM_FILTER_BITS];
  uint32_t vs[4]; /* by the value of VS */
};

/* What the registers say. Fields of PMEVTYPER are Effective values but for MT. */
struct settings {
  uint64_t type[PMUV3_LANES]; /* the registers that this is of */
  uint32_t all, even, odd, last;
  uint32_t r1, r2, r3; /* ranges */
  unsigned hpmn, epmn; /* their Effective bounds */
  uint32_t tc0, tc1, tc2, tc_any, te;
  uint32_t tlc0, link_false, link_true, tlc3; /* TLC = 00, 01, 10, 11; of odd ones with TH2 */
  uint32_t unlinkable;                        /* even, or without TH2 */
  uint32_t th0, th_largest;
  uint32_t plain;    /* threshold, edge and link are off */
  uint32_t reserved; /* {TC, TE, TLC} is */
  struct filter filter;
  const uint32_t *vs;   /* of that */
  uint32_t mt, grouped; /* MT as stored; its Effective value */
  uint32_t mt_chain;    /* CHAIN with MT that is not disabled, which CHAIN ignores */
  uint32_t sync, mute;  /* SYNC; SYNC on an event that cannot be synchronous */
  uint32_t sel[PMUV3_NUM_EVENTS + 1];
  uint32_t count, stall, second, condition, slots, swincr, chain, cycles; /* classes of events */
  uint32_t core, memory, shared, trace;                                   /* their attribution */
  uint32_t exact;                                                         /* but for SW_INCR */
  uint32_t cnten, global, on; /* enabled, by its range, and counting if nothing is against it */
  uint32_t lp;                /* overflows from bit 63, were it not for PMU Profiling exceptions */
  bool enabled_r1, enabled_r2, enabled_r3;
  bool spme, mpmx, hpmd, suniden, fzs, wide;
  struct filter cycle_filter, instruction_filter;
};

/* What is against counting in a context. */
struct judgement {
  uint32_t filtered_el, filtered;
  uint32_t prohibited_s, prohibited_el2, prohibited_el3, prohibited;
  uint32_t would_be; /* prohibited, were it not for external authentication */
  uint32_t relieved; /* prohibited, were it not for SUNIDEN */
};

/* A thread as it was observed up to now. */
struct thread {
  struct pmuv3_pe pe;
  struct pmuv3_probe now;
  struct settings c;
  uint32_t swi, swi_twice; /* waiting software increments: some, more than one */
  uint32_t was_allowed, ct_before, gap_after_ct;
  uint32_t retyped_threshold, retyped_event, disabled; /* since the last cycle */
  bool after_reset, ct_before_reset;
};

/* A thread in a Processor cycle. */
struct sample {
  const struct pmuv3_params *p;
  const struct settings *c;
  const struct pmuv3_pe *pe;
  const struct pmuv3_probe *before, *after;

  /* What may count: enabled; also not frozen and not in Debug state; also not filtered or
   * prohibited in the thread's state. */
  uint32_t on, running, free;
  uint32_t halted; /* all ones, or 0 */
  uint32_t frozen, frozen_fzo, frozen_spe;
  uint32_t filtered, filtered_el, blocked;
  uint32_t prohibited, prohibited_s, prohibited_el2, relieved, would_be_prohibited;
  bool fzo_r1, fzo_r2, frozen_by_f0, spe_r1, r1_prohibited;

  /* Counters whose event occurred: of the thread in its state, in another context, of another
   * agent, of a debugger. */
  uint32_t own, oth, unattr, dbg;
  uint32_t related; /* unattr, related to activity in the other context */
  uint32_t twins;   /* ... that another counter has, too */
  uint32_t oth_free, oth_filtered, oth_prohibited_s, oth_prohibited_el2, oth_prohibited_el3;
  uint32_t oth_s, oth_el2, oth_el3; /* prohibited in the other context, whatever occurred in it */
  unsigned oth_el;                  /* 4: none */
  struct judgement other;           /* of the other context */
  unsigned retired;                 /* INST_RETIRED of the thread, in its state */
  bool retired_otherwise;           /* ... and of another origin */
  unsigned num_events;
  bool took_exception;

  /* Likewise of siblings; by the sibling's state, what is for and against counting it. */
  uint32_t sib, sib_dbg, sib_unattr, sib_free, sib_blocked, sib_filtered;
  uint32_t sib_prohibited_s, sib_prohibited_el2;
  uint32_t sib_secure, sib_el2, sib_elsewhere; /* it is in Secure state, at EL2, not as this one */
  uint32_t sib_swi;
  uint32_t sib_chained; /* its CHAIN would be raised */
  unsigned awake;       /* threads that run: neither halted nor in WFx */
  bool all_in_wfx;
  bool mtpme_of_siblings; /* MTPME is 1 in this thread and 0 in another */

  uint32_t swi, swi_twice;

  /* What was seen of it. */
  uint32_t allowed, vb, vb_many, vb_wide, ct, cp, ce, vt, vt_many, vt_is_vb, vt_is_link;
  uint32_t ve, ve_many, v, link, link_is_not_vb, condition;
  uint32_t equal, below1, above1; /* VB to TH */
  uint32_t carry31, carry63, overflow, overshoot, high_half;
  uint32_t flags, lp, chained; /* before; overflows from bit 63; CHAIN from n-1 to n */
  uint32_t was_allowed, gap_after_ct, retyped_threshold, retyped_event;
  uint32_t disabled_in_clock, disabled_before;
  bool stopped_in_clock, after_reset, ct_before_reset, was_heard;
  bool written; /* some register, in the clock of the cycle */
  /* Such a write that takes effect: of a System register, in the external view. */
  bool write_done, external_done;

  /* The cycle counter and the instruction counter. */
  bool cc_enabled, cc_on, cc_counted, cc_filtered, cc_filtered_el, cc_lc, cc_divides;
  bool cc_carry31, cc_overflow, cc_dp, cc_dp_prohibited, cc_spe, cc_sccd, cc_hccd, cc_mccd;
  bool ic_enabled, ic_on, ic_counted, ic_filtered, ic_filtered_el, ic_prohibited;
  bool ic_carry31, ic_overflow;

  /* The thread's state, further. */
  bool aa32, el3_aa64, highest_aa32, secure_el2;
  bool profiles, pmee_el1; /* the exception is enabled; PMECR_EL1 decides */
  unsigned pmee, target;   /* PMEE as it was decided; where the exception goes */
};

/* An access, and the thread before it. */
struct access {
  const struct pmuv3_params *p;
  const struct settings *c;
  const struct pmuv3_pe *pe;
  const struct pmuv3_probe *before;
  bool writes, checked, external, done;
  bool view, selected; /* of an AArch32 register; by PMSELR */
  uint16_t reg;        /* the AArch64 register, of n = 0; 0: none */
  unsigned n;          /* of which one; PMUV3_LANES: there is only one */
  uint32_t counter;    /* the event counter that it is of alone */
  uint32_t bits;       /* event counters that a value of a bit per counter names */
  uint32_t beyond;     /* event counters that the thread cannot reach by a checked access */
  bool is_of_bits;
  uint64_t value;
  unsigned result;
  bool most_secure;        /* of an external one */
  bool by_counter;         /* refused, and would be done of an implemented counter of range R1 */
  bool by_user;            /* refused, and would be done if PMUSERENR permitted it */
  bool el2on, el2_enabled; /* ... and the access is from below it */
  bool aa32, el3_aa64;
  bool uen, en, er, cr, ir, sw, tid; /* PMUSERENR; uen: at EL0, in effect */
  bool captures;                     /* a write of PMSSCR.SS = 1 */
  unsigned sse, sse_by;              /* what is decided of captures, and by which level */
};

/* What the registers of a probe say; only what changed is worked out again. */
void pmuv3_settings_update(struct settings *settings, const struct pmuv3_params *params,
                           const struct pmuv3_probe *probe);

/* What is against counting in a context, by a thread's filters and controls; `source` is the thread
 * that is in it. */
struct judgement pmuv3_judge(const struct pmuv3_params *params, const struct thread *thread,
                             const struct pmuv3_pe *source, unsigned el, unsigned ss);

/* Counters whose filter is against a context, but for VS. */
uint32_t pmuv3_filtered_by_el(const struct filter *filter, bool el3_aa32, unsigned el, unsigned ss);

/* The samples of all threads in a cycle, after which the threads are as they were before it. */
void pmuv3_sample(const struct pmuv3_params *params, const struct thread *threads,
                  const struct pmuv3_cycle *cycle, const struct pmuv3_probe *after,
                  struct sample *samples);

/* An access to a thread. */
struct access pmuv3_access_sample(const struct pmuv3_params *params, const struct thread *thread,
                                  const struct pmuv3_observed *observed);

/* The System register of a word in the external view, of n = 0, its n, and which half of it; 0:
 * none. */
uint16_t pmuv3_register_at(const struct pmuv3_params *params, unsigned offset, unsigned *n,
                           unsigned *lsb);

/* The AArch64 register that an encoding is of, of n = 0, and its n; 0: none. */
uint16_t pmuv3_register_of(uint16_t reg, unsigned *n, bool *view);

#endif
