/* A Processor cycle for coverpoints: the counters that may count, the occurrences, the values. */
#include "testbench/signoff/coverage/sample.h"

#include <string.h>

#define ALL_IF(condition) ((condition) ? UINT32_MAX : 0)

/* ---- The thread's state ---- */

/* RGWLVY: the Exception level that decides about PMU Profiling exceptions. */
static void decide_profiling(struct sample *s) {
  const uint64_t el3 = PMUV3_GET(s->before->mdcr_el3, MDCR_EL3, PMEE);
  const uint64_t el2 = PMUV3_GET(s->before->mdcr_el2, MDCR_EL2, PMEE);
  const bool has_el2 = pmuv3_el2_enabled(s->p, s->pe);
  enum { DELEGATED = 1, EXCEPTION = 3 };
  if (s->p->el3 && el3 != DELEGATED) {
    s->pmee = (unsigned)el3;
    s->target = 3;
  } else if (has_el2 && el2 != DELEGATED) {
    s->pmee = (unsigned)el2;
    s->target = 2;
  } else {
    s->pmee = (unsigned)PMUV3_GET(s->before->pmecr, PMECR, PMEE);
    s->pmee_el1 = true;
    s->target = has_el2 && s->pe->tge ? 2 : 1;
  }
  s->profiles = has(s->p, EBEP) && s->pmee == EXCEPTION;
}

/* RKBPMJ. If EL1 decides, MDCR_EL2.PMEE is not 11. */
static unsigned masks(const struct sample *s) {
  unsigned masks = 0;
  if (s->halted) masks |= MASKED_IN_DEBUG_STATE;
  if (s->pe->el > s->target) masks |= MASKED_ABOVE_TARGET;
  if (s->pe->el != s->target) return masks;
  if (s->pe->pm) masks |= MASKED_BY_PM;
  if (!PMUV3_GET(s->before->pmecr, PMECR, KPME)) masks |= MASKED_BY_KPME;
  if (s->target == 2 && s->pmee_el1) masks |= MASKED_AT_EL2;
  return masks;
}

/* RKBPMJ, RNZLVW: whether a flag makes the exception, but for masks. A write in the clock of the
 * cycle may change what the flags do. */
static bool raises(const struct sample *s) {
  const struct settings *c = s->c;
  const struct pmuv3_probe *r = s->before;
  if (!s->profiles || s->written) return false;
  const uint32_t flags = s->after->overflow & s->after->inten & c->global;
  const uint64_t fixed = c->enabled_r1 ? s->after->fixed_overflow & s->after->fixed_inten : 0;
  const bool f0_is_idle = PMUV3_GET(r->pmicfiltr, PMICFILTR, SYNC) && !(r->fixed_cnten & FIXED_F0);
  return (flags & (~c->sync | c->on)) || (fixed & FIXED_C) || ((fixed & FIXED_F0) && !f0_is_idle);
}

static void look_at_state(struct sample *s) {
  const struct pmuv3_params *p = s->p;
  const struct pmuv3_pe *pe = s->pe;
  const bool a32el3 = !p->aa64 || pe->a32el3;
  s->halted = ALL_IF(pe->halted);
  s->el3_aa64 = p->el3 && !a32el3;
  s->aa32 = pe->aa32 || a32el3 || (pe->el <= 2 && pe->a32el2) || (pe->el <= 1 && pe->a32el1);
  s->highest_aa32 = a32el3 || (!p->el3 && (p->el2 ? pe->a32el2 : pe->a32el1));
  s->secure_el2 = p->el3 && pe->el == 2 && pe->ss == PMUV3_S;
  decide_profiling(s);
}

/* ---- What may count ---- */

/* D.5: the flags and the profiling buffer that freeze ranges. */
static void freeze(struct sample *s) {
  const struct settings *c = s->c;
  const struct pmuv3_probe *r = s->before;
  const bool f0 = (r->fixed_overflow & FIXED_F0) && !PMUV3_GET(r->pmicfiltr, PMICFILTR, SYNC);
  const uint32_t flags = s->flags & ~c->sync;
  const bool stopped = s->pe->spe && !s->highest_aa32;
  s->frozen_by_f0 = f0 && !(flags & c->r1);
  s->fzo_r1 = PMUV3_GET(r->pmcr, PMCR, FZO) && ((flags & c->r1) || f0);
  s->fzo_r2 = PMUV3_GET(r->mdcr_el2, MDCR_EL2, HPMFZO) && (flags & c->r2);
  s->spe_r1 = stopped && c->fzs;
  const bool spe_r2 = stopped && PMUV3_GET(r->mdcr_el2, MDCR_EL2, HPMFZS);
  s->frozen_fzo = (s->fzo_r1 ? c->r1 : 0) | (s->fzo_r2 ? c->r2 : 0);
  s->frozen_spe = (s->spe_r1 ? c->r1 : 0) | (spe_r2 ? c->r2 : 0);
  s->frozen = s->frozen_fzo | s->frozen_spe;
}

static void look_at_event_counters(struct sample *s, const struct thread *thread) {
  const struct judgement judgement = pmuv3_judge(s->p, thread, s->pe, s->pe->el, s->pe->ss);
  s->filtered_el = judgement.filtered_el;
  s->filtered = judgement.filtered;
  s->prohibited = judgement.prohibited;
  s->prohibited_s = judgement.prohibited_s;
  s->prohibited_el2 = judgement.prohibited_el2;
  s->relieved = judgement.relieved;
  s->would_be_prohibited = judgement.would_be;
  s->r1_prohibited = (judgement.prohibited & s->c->r1) != 0;
  s->blocked = s->filtered | s->prohibited;
  s->on = s->c->on;
  s->running = s->on & ~s->frozen & ~s->halted;
  s->free = s->running & ~s->blocked;
  s->lp = s->profiles && s->c->wide ? s->c->all : s->c->lp;
}

/* ---- The fixed counters ---- */

static bool is_written(const struct pmuv3_cycle *cycle, unsigned thread) {
  return (cycle->has_write >> thread & 1) ||
         (cycle->has_external && cycle->external.thread == thread);
}

/* Whether a write of a System register with PMSSCR.SS = 1 is in the clock of the cycle. */
static bool is_capturing(const struct pmuv3_cycle *cycle, unsigned thread) {
  return (cycle->has_write >> thread & 1) && cycle->write[thread].reg == PMUV3_PMSSCR &&
         (cycle->write[thread].value & 1);
}

/* D.4. If the configuration has no counter in range R1, DP follows the rules of such a counter. */
static bool is_r1_prohibited(const struct sample *s, const struct thread *thread) {
  struct thread as_if = {.pe = thread->pe};
  as_if.c.r1 = 1;
  as_if.c.spme = s->c->spme;
  as_if.c.mpmx = s->c->mpmx;
  as_if.c.hpmd = s->c->hpmd;
  as_if.c.suniden = s->c->suniden;
  return pmuv3_judge(s->p, &as_if, s->pe, s->pe->el, s->pe->ss).prohibited;
}

static void look_at_cycle_counter(struct sample *s, const struct thread *thread) {
  const struct pmuv3_probe *r = s->before;
  const struct pmuv3_pe *pe = s->pe;
  const bool dp = PMUV3_GET(r->pmcr, PMCR, DP);
  const bool secure = s->p->el3 && (pe->ss == PMUV3_S || pe->el == 3);
  s->cc_enabled = s->c->enabled_r1 && (r->fixed_cnten & FIXED_C);
  s->cc_on = s->cc_enabled && !pe->halted;
  s->cc_filtered_el = pmuv3_filtered_by_el(&s->c->cycle_filter, !s->el3_aa64, pe->el, pe->ss) & 1;
  s->cc_filtered =
      s->cc_filtered_el || (pmuv3_filtered_by_vs(s->p, &s->c->cycle_filter, pe->sm) & 1);
  s->cc_sccd = secure && PMUV3_GET(r->mdcr_el3, MDCR_EL3, SCCD);
  s->cc_mccd = s->el3_aa64 && pe->el == 3 && PMUV3_GET(r->mdcr_el3, MDCR_EL3, MCCD);
  s->cc_hccd = pe->el == 2 && PMUV3_GET(r->mdcr_el2, MDCR_EL2, HCCD);
  s->cc_dp_prohibited = dp && is_r1_prohibited(s, thread);
  s->cc_spe = dp && has(s->p, DPFZS) && s->spe_r1;
  s->cc_dp = s->cc_dp_prohibited || (dp && s->fzo_r1) || s->cc_spe;
  s->cc_lc = PMUV3_GET(r->pmcr, PMCR, LC) || s->profiles;
  s->cc_divides = !s->cc_lc && PMUV3_GET(r->pmcr, PMCR, D);
  s->cc_counted = !s->written && s->after->pmccntr == r->pmccntr + 1;
  s->cc_carry31 = s->cc_counted && (uint32_t)s->after->pmccntr == 0;
  s->cc_overflow = s->cc_carry31 && (!s->cc_lc || s->after->pmccntr == 0);
}

static void look_at_instruction_counter(struct sample *s) {
  const struct pmuv3_probe *r = s->before;
  const struct pmuv3_pe *pe = s->pe;
  const bool spme = s->c->spme && s->el3_aa64, mpmx = s->c->mpmx && s->el3_aa64;
  const bool el3 = s->p->el3 && pe->el == 3 && !(spme && !mpmx);
  const bool secure = s->p->el3 && pe->el < 3 && pe->ss == PMUV3_S && !(spme || mpmx);
  s->ic_enabled = s->c->enabled_r1 && (r->fixed_cnten & FIXED_F0) && !pe->halted;
  s->ic_on = s->ic_enabled && !s->fzo_r1 && !s->spe_r1;
  s->ic_filtered_el =
      pmuv3_filtered_by_el(&s->c->instruction_filter, !s->el3_aa64, pe->el, pe->ss) & 1;
  s->ic_filtered =
      s->ic_filtered_el || (pmuv3_filtered_by_vs(s->p, &s->c->instruction_filter, pe->sm) & 1);
  s->ic_prohibited = el3 || secure || (pe->el == 2 && s->c->hpmd);
  s->ic_free = s->ic_on && !s->ic_filtered && !s->ic_prohibited;
  s->ic_counted = !s->written && s->after->pmicntr != r->pmicntr;
  s->ic_overflow = s->ic_counted && s->after->pmicntr < r->pmicntr;
  s->ic_carry31 = s->ic_counted && s->after->pmicntr >> 32 != r->pmicntr >> 32;
}

/* ---- Occurrences ---- */

static void add_own(struct sample *s, const struct pmuv3_occurrence *occurrence, unsigned row,
                    const struct pmuv3_context *other) {
  const uint32_t selected = s->c->sel[row];
  s->num_events++;
  if (selected & (selected - 1)) s->twins |= selected;
  if (occurrence->event == PMUV3_EVENT_INST_RETIRED && occurrence->origin != PMUV3_CURRENT)
    s->retired_otherwise = true;
  switch (occurrence->origin) {
    case PMUV3_CURRENT:
      s->own |= selected;
      if (occurrence->event == PMUV3_EVENT_INST_RETIRED) s->retired = occurrence->count;
      break;
    case PMUV3_OTHER:
      s->oth |= selected;
      break;
    case PMUV3_UNATTRIBUTABLE:
      s->unattr |= selected;
      if (other->related) s->related |= selected;
      break;
    default:
      s->dbg |= selected;
  }
  if (occurrence->event == PMUV3_EVENT_EXC_TAKEN && occurrence->origin <= PMUV3_OTHER)
    s->took_exception = true;
}

static void add_of_sibling(struct sample *s, const struct pmuv3_occurrence *occurrence,
                           uint32_t selected) {
  if (occurrence->origin == PMUV3_UNATTRIBUTABLE)
    s->sib_unattr |= selected;
  else if (occurrence->origin == PMUV3_DEBUGGER)
    s->sib_dbg |= selected;
}

/* A sibling's occurrences, judged by the sibling's state. */
static void judge_sibling(struct sample *s, const struct thread *thread,
                          const struct thread *sibling, uint32_t occurred) {
  const struct pmuv3_pe *pe = &sibling->pe;
  const struct judgement judgement = pmuv3_judge(s->p, thread, pe, pe->el, pe->ss);
  const uint32_t against = judgement.filtered | judgement.prohibited;
  s->sib |= occurred;
  if (pe->halted) return;
  s->sib_free |= occurred & ~against;
  s->sib_blocked |= occurred & against;
  s->sib_filtered |= occurred & judgement.filtered & ~judgement.prohibited;
  s->sib_prohibited_s |= occurred & judgement.prohibited_s;
  s->sib_prohibited_el2 |= occurred & judgement.prohibited_el2;
  if (pe->ss == PMUV3_S) s->sib_secure |= occurred & ~against;
  if (pe->el == 2) s->sib_el2 |= occurred & ~against;
  if (pe->ss != s->pe->ss) s->sib_elsewhere |= occurred & ~against;
}

/* A thread's occurrences in its other context. */
static void judge_other(struct sample *s, const struct thread *thread,
                        const struct pmuv3_context *other) {
  const struct judgement judgement = pmuv3_judge(s->p, thread, s->pe, other->el, other->ss);
  s->oth_el = other->el;
  s->other = judgement;
  s->oth_free = s->oth & ~judgement.filtered & ~judgement.prohibited;
  s->oth_filtered = s->oth & judgement.filtered;
  s->oth_s = judgement.prohibited_s;
  s->oth_el2 = judgement.prohibited_el2;
  s->oth_el3 = judgement.prohibited_el3;
  /* only one prohibition applies, so its choice decides */
  s->oth_prohibited_s = s->oth & s->oth_s & ~s->oth_el2 & ~s->oth_el3;
  s->oth_prohibited_el2 = s->oth & s->oth_el2 & ~s->oth_s & ~s->oth_el3;
  s->oth_prohibited_el3 = s->oth & s->oth_el3 & ~s->oth_s & ~s->oth_el2;
  s->oth_s &= ~(judgement.prohibited_el2 | judgement.prohibited_el3);
  s->oth_el2 &= ~(judgement.prohibited_s | judgement.prohibited_el3);
  s->oth_el3 &= ~(judgement.prohibited_s | judgement.prohibited_el2);
}

/* The threads of a group. `occurred`: by thread, the counters whose event occurs in its state. */
static void look_at_group(struct sample *s, const struct thread *threads, unsigned self,
                          const uint32_t occurred[PMUV3_MAX_THREADS],
                          const bool stalled[PMUV3_MAX_THREADS]) {
  const uint32_t counters = s->running & s->c->grouped;
  for (unsigned t = 0; counters && t < s->p->threads; t++) {
    const struct pmuv3_pe *pe = &threads[t].pe;
    const struct judgement judgement = pmuv3_judge(s->p, &threads[self], pe, pe->el, pe->ss);
    const uint32_t eligible =
        pe->halted ? 0 : counters & ~judgement.filtered & ~judgement.prohibited;
    s->on_several |= s->on_some & eligible & occurred[t];
    s->on_some |= eligible & occurred[t];
    s->not_on_all |= eligible & ~occurred[t];
    if (!stalled[t]) s->not_stalled |= eligible;
    if (!pe->wfx) s->eligible_awake |= eligible;
    if (t == self) continue;
    s->sib_eligible |= eligible;
    s->sib_swi_eligible |= eligible & threads[t].swi & s->c->swincr;
  }
}

static void look_at_occurrences(const struct pmuv3_params *p, const struct thread *threads,
                                const struct pmuv3_cycle *cycle, const uint16_t *rows,
                                struct sample *samples) {
  bool any[PMUV3_MAX_THREADS] = {false}, stalled[PMUV3_MAX_THREADS] = {false};
  uint32_t current[PMUV3_MAX_THREADS][PMUV3_MAX_THREADS] = {{0}}; /* by thread and sibling */
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    if (occurrence->count == 0) continue;
    const unsigned of = occurrence->thread;
    const bool is_current = occurrence->origin == PMUV3_CURRENT;
    add_own(&samples[of], occurrence, rows[o], &cycle->other[of]);
    any[of] |= is_current;
    stalled[of] |= is_current && occurrence->event == PMUV3_EVENT_STALL_BACKEND;
    for (unsigned t = 0; t < p->threads; t++) {
      const uint32_t selected = samples[t].c->sel[rows[o]];
      if (is_current)
        current[t][of] |= selected;
      else if (t != of)
        add_of_sibling(&samples[t], occurrence, selected);
    }
  }
  for (unsigned t = 0; t < p->threads; t++) {
    struct sample *s = &samples[t];
    s->oth_el = 4;
    s->ic_counted_own = s->ic_counted && s->ic_free && s->retired;
    if (s->oth | s->related) judge_other(s, &threads[t], &cycle->other[t]);
    for (unsigned sibling = 0; sibling < p->threads; sibling++)
      if (sibling != t && any[sibling])
        judge_sibling(s, &threads[t], &threads[sibling], current[t][sibling]);
    look_at_group(s, threads, t, current[t], stalled);
  }
}

/* ---- Observed values ---- */

static void look_at_values(struct sample *s) {
  const struct pmuv3_probe *after = s->after;
  const struct settings *c = s->c;
  const unsigned wide = 1u << (has(s->p, TH) ? s->p->th_width : 0);
  for (uint32_t left = after->allowed; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctz(left);
    const uint32_t bit = left & -left;
    const unsigned vb = after->VB[n], vt = after->VT[n], ve = after->VE[n], v = after->V[n];
    const unsigned link = n % 2 ? after->V[n - 1] : 0;
    const unsigned th = (unsigned)PMUV3_GET(c->type[n], PMEVTYPER, TH);
    if (vb) s->vb |= bit;
    if (vb > 1) s->vb_many |= bit;
    if (vb >= wide) s->vb_wide |= bit;
    if (vt) s->vt |= bit;
    if (vt > 1) s->vt_many |= bit;
    if (vt == vb) s->vt_is_vb |= bit;
    if (vt == link) s->vt_is_link |= bit;
    if (ve) s->ve |= bit;
    if (ve > 1) s->ve_many |= bit;
    if (v) s->v |= bit;
    if (link) s->link |= bit;
    if (n % 2 && link != after->VB[n - 1]) s->link_is_not_vb |= bit;
    if (vb == th) s->equal |= bit;
    if (vb + 1 == th) s->below1 |= bit;
    if (vb == th + 1) s->above1 |= bit;
    if (!v) continue;
    const uint64_t value = s->before->value[n];
    const bool carry31 = ((value & UINT32_MAX) + v) >> 32, carry63 = value + v < value;
    if (carry31) s->carry31 |= bit;
    if (carry63) s->carry63 |= bit;
    if (value >> 32) s->high_half |= bit;
    if ((uint32_t)(value + v)) s->overshoot |= bit;
  }
  s->allowed = after->allowed;
  s->ct = after->CT;
  s->cp = after->CP;
  s->ce = after->CE;
  s->condition = (c->te & s->ce) | (~c->te & s->ct);
  s->overflow = (s->lp & s->carry63) | (~s->lp & s->carry31);
  /* CHAIN-2 to CHAIN-4: both counters of the pair are in R1, or both in R2 */
  const uint32_t same = (c->r1 & c->r1 << 1) | (c->r2 & c->r2 << 1);
  s->chained = (s->overflow & ~s->lp & c->even) << 1 & same;
}

/* ---- A cycle ---- */

/* Counters that a write in the clock of the cycle disables. */
static void look_at_writes(struct sample *s, const struct pmuv3_cycle *cycle, unsigned thread) {
  if (!(cycle->has_write >> thread & 1) || cycle->write[thread].checked) return;
  const struct pmuv3_write *write = &cycle->write[thread];
  if (write->reg == PMUV3_PMCNTENCLR)
    s->disabled_in_clock = (uint32_t)write->value & s->c->cnten & ~s->c->r3;
  if (write->reg == PMUV3_PMCR)
    s->stopped_in_clock = s->c->enabled_r1 && !(write->value & PMUV3_MASK(PMCR, E));
}

static void look_back(struct sample *s, const struct thread *thread) {
  s->flags = s->before->overflow;
  s->swi = thread->swi;
  s->swi_twice = thread->swi_twice;
  s->was_allowed = thread->was_allowed;
  s->gap_after_ct = thread->gap_after_ct;
  s->retyped_threshold = thread->retyped_threshold;
  s->retyped_event = thread->retyped_event;
  s->disabled_before = thread->disabled & ~s->c->cnten;
  s->after_reset = thread->after_reset;
  s->ct_before_reset = thread->ct_before_reset;
  s->was_heard = s->before->cti;
}

static bool is_mtpme(const struct pmuv3_params *p, const struct pmuv3_probe *probe) {
  return p->el3 ? PMUV3_GET(probe->mdcr_el3, MDCR_EL3, MTPME)
                : PMUV3_GET(probe->mdcr_el2, MDCR_EL2, MTPME);
}

static void look_at_siblings(const struct pmuv3_params *p, const struct thread *threads,
                             struct sample *samples) {
  for (unsigned t = 0; t < p->threads; t++) {
    struct sample *s = &samples[t];
    s->all_in_wfx = true;
    for (unsigned i = 0; i < p->threads; i++) {
      s->awake += !threads[i].pe.wfx && !threads[i].pe.halted;
      s->all_in_wfx = s->all_in_wfx && threads[i].pe.wfx;
      if (i == t) continue;
      s->sib_chained |= samples[i].chained;
      s->sib_swi |= threads[i].swi & s->c->swincr;
      s->mtpme_of_siblings |= is_mtpme(p, s->before) && !is_mtpme(p, samples[i].before);
    }
  }
}

void pmuv3_sample(const struct pmuv3_params *params, const struct thread *threads,
                  const struct pmuv3_cycle *cycle, const uint16_t *rows,
                  const struct pmuv3_probe *after, struct sample *samples) {
  for (unsigned t = 0; t < params->threads; t++) {
    const struct thread *thread = &threads[t];
    struct sample *s = &samples[t];
    *s = (struct sample){.p = params,
                         .c = &thread->c,
                         .pe = &thread->pe,
                         .before = &thread->now,
                         .after = &after[t]};
    s->written = is_written(cycle, t);
    s->requested = cycle->capture >> t & 1;
    s->requested_twice = s->requested && is_capturing(cycle, t);
    look_back(s, thread);
    look_at_state(s);
    freeze(s);
    look_at_event_counters(s, thread);
    look_at_cycle_counter(s, thread);
    look_at_instruction_counter(s);
    look_at_values(s);
    look_at_writes(s, cycle, t);
    s->masks = masks(s);
    s->raises = raises(s);
  }
  look_at_occurrences(params, threads, cycle, rows, samples);
  if (params->threads > 1) look_at_siblings(params, threads, samples);
}
