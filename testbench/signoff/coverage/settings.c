/* Settings of each counter, derived from a thread's registers when these change. */
#include <string.h>

#include "testbench/signoff/coverage/sample.h"

static uint32_t below(unsigned n) {
  return (uint32_t)((UINT64_C(1) << n) - 1);
}

static void put(uint32_t *mask, unsigned n, uint64_t condition) {
  *mask = (*mask & ~(UINT32_C(1) << n)) | (uint32_t)(condition != 0) << n;
}

/* ---- PMEVTYPER ---- */

const uint64_t pmuv3_filter_masks[NUM_FILTER_BITS] = {
    PMUV3_MASK(PMEVTYPER, P),   PMUV3_MASK(PMEVTYPER, U),   PMUV3_MASK(PMEVTYPER, NSK),
    PMUV3_MASK(PMEVTYPER, NSU), PMUV3_MASK(PMEVTYPER, NSH), PMUV3_MASK(PMEVTYPER, M),
    PMUV3_MASK(PMEVTYPER, SH),  PMUV3_MASK(PMEVTYPER, RLK), PMUV3_MASK(PMEVTYPER, RLU),
    PMUV3_MASK(PMEVTYPER, RLH)};

static void put_filter(struct filter *filter, unsigned n, uint64_t type) {
  for (unsigned bit = 0; bit < NUM_FILTER_BITS; bit++)
    put(&filter->bit[bit], n, type & pmuv3_filter_masks[bit]);
  for (unsigned vs = 0; vs < 4; vs++) put(&filter->vs[vs], n, PMUV3_GET(type, PMEVTYPER, VS) == vs);
}

static void put_threshold(struct settings *c, const struct pmuv3_params *p, unsigned n,
                          uint64_t type) {
  const uint64_t tc = PMUV3_GET(type, PMEVTYPER, TC), te = PMUV3_GET(type, PMEVTYPER, TE);
  const uint64_t tlc = PMUV3_GET(type, PMEVTYPER, TLC), th = PMUV3_GET(type, PMEVTYPER, TH);
  const bool unlinkable = n % 2 == 0 || !has(p, TH2);
  put(&c->tc0, n, tc & 1);
  put(&c->tc1, n, tc & 2);
  put(&c->tc2, n, tc & 4);
  put(&c->tc_any, n, tc);
  put(&c->te, n, te);
  put(&c->tlc0, n, tlc == 0);
  put(&c->link_false, n, tlc == 1);
  put(&c->link_true, n, tlc == 2);
  put(&c->tlc3, n, tlc == 3);
  put(&c->unlinkable, n, unlinkable);
  put(&c->th0, n, th == 0);
  put(&c->th_largest, n, has(p, TH) && th == below(p->th_width));
  put(&c->plain, n, tc == 0 && te == 0 && th == 0 && tlc == 0);
  put(&c->reserved, n,
      tlc == 3 || (tlc == 2 && te == 0 && (tc & 1)) || (tlc == 1 && te) || (te && (tc & 3) == 0));
}

static void put_event(struct settings *c, const struct pmuv3_params *p, unsigned n, uint64_t type) {
  const uint16_t number = has(p, PMUv3p1) ? type & 0xFFFF : type & 0x3FF;
  const unsigned row = pmuv3_events_index(&p->events, number);
  const bool none = row == PMUV3_NO_EVENT;
  const struct pmuv3_event *event = &p->events.event[none ? 0 : row];
  const unsigned class = none ? PMUV3_EVENT_CLASS_SELF : event->event_class;
  const int attribution = none ? -1 : event->attribution;
  const unsigned traits = none ? 0 : event->traits;
  const bool sync = PMUV3_GET(type, PMEVTYPER, SYNC);
  put(&c->sel[c->event[n]], n, false);
  put(&c->sel[row], n, true);
  c->event[n] = (uint16_t)row;
  put(&c->none, n, none);
  put(&c->l1d_cache_wb, n, !none && number == PMUV3_EVENT_L1D_CACHE_WB);
  put(&c->bus_access, n, !none && number == PMUV3_EVENT_BUS_ACCESS);
  put(&c->exc_taken, n, !none && number == PMUV3_EVENT_EXC_TAKEN);
  put(&c->exc_return, n, !none && number == PMUV3_EVENT_EXC_RETURN);
  put(&c->cid_write_retired, n, !none && number == PMUV3_EVENT_CID_WRITE_RETIRED);
  put(&c->inst_retired, n, !none && number == PMUV3_EVENT_INST_RETIRED);
  put(&c->beyond_10_bits, n, !none && number >= 0x400);
  put(&c->count, n, class == PMUV3_EVENT_CLASS_COUNT);
  put(&c->stall, n, class == PMUV3_EVENT_CLASS_STALL);
  put(&c->second, n, class == PMUV3_EVENT_CLASS_SECOND);
  put(&c->condition, n, class == PMUV3_EVENT_CLASS_CONDITION);
  put(&c->slots, n, class == PMUV3_EVENT_CLASS_SLOTS);
  put(&c->swincr, n, number == PMUV3_EVENT_SW_INCR);
  put(&c->chain, n, number == PMUV3_EVENT_CHAIN);
  put(&c->cycles, n, number == PMUV3_EVENT_CPU_CYCLES);
  put(&c->snapshot, n, number == PMUV3_EVENT_PMU_SNAPSHOT);
  put(&c->core, n, attribution == PMUV3_EVENT_ATTRIBUTION_CORE);
  put(&c->memory, n, attribution == PMUV3_EVENT_ATTRIBUTION_MEMORY);
  put(&c->shared, n, attribution == PMUV3_EVENT_ATTRIBUTION_SHARED);
  put(&c->own, n, attribution == PMUV3_EVENT_ATTRIBUTION_OWN);
  put(&c->trace, n, attribution == PMUV3_EVENT_ATTRIBUTION_TRACE);
  put(&c->exact, n, (traits & PMUV3_EVENT_TRAIT_EXACT) && number != PMUV3_EVENT_SW_INCR);
  put(&c->sync, n, sync);
  put(&c->mute, n, sync && !(traits & PMUV3_EVENT_TRAIT_SYNC));
  put(&c->mt, n, PMUV3_GET(type, PMEVTYPER, MT));
}

static void update_type(struct settings *c, const struct pmuv3_params *p, unsigned n,
                        uint64_t type) {
  c->type[n] = type;
  put_filter(&c->filter, n, type);
  put_threshold(c, p, n, type);
  put_event(c, p, n, type);
}

/* ---- Ranges, enables ---- */

static unsigned epmn(const struct pmuv3_params *p, const struct pmuv3_probe *probe) {
  const unsigned written = probe->pmccr & 31;
  return has(p, EXTPMN) && written < p->counters ? written : p->counters;
}

/* K-HPMN-RES, RMFYQC */
static unsigned hpmn(const struct pmuv3_params *p, unsigned written, unsigned epmn) {
  if (!p->el2 || written > epmn || (written == 0 && !has(p, HPMN0))) return epmn;
  return written;
}

static void update_ranges(struct settings *c, const struct pmuv3_params *p,
                          const struct pmuv3_probe *probe) {
  c->all = below(p->counters);
  c->even = c->all & 0x55555555;
  c->odd = c->all & 0xAAAAAAAA;
  c->last = p->counters ? UINT32_C(1) << (p->counters - 1) : 0;
  c->epmn = epmn(p, probe);
  c->hpmn = hpmn(p, (unsigned)PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMN), c->epmn);
  c->r1 = below(c->hpmn);
  c->r2 = below(c->epmn) & ~c->r1;
  c->r3 = c->all & ~below(c->epmn);
}

static void update_enables(struct settings *c, const struct pmuv3_params *p,
                           const struct pmuv3_probe *probe) {
  c->enabled_r1 = PMUV3_GET(probe->pmcr, PMCR, E);
  c->enabled_r2 = PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPME);
  c->enabled_r3 = probe->pmccr >> 7 & 1;
  c->cnten = probe->cnten;
  c->global =
      (c->enabled_r1 ? c->r1 : 0) | (c->enabled_r2 ? c->r2 : 0) | (c->enabled_r3 ? c->r3 : 0);
  c->on = c->cnten & c->global & ~c->mute;
  c->wide = has(p, PMUv3p5) && p->aa64;
  /* Counters of 32 bits overflow at bit 31, in range R3, too (C.0/LP). */
  const uint32_t lp = (PMUV3_GET(probe->pmcr, PMCR, LP) ? c->r1 : 0) |
                      (PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HLP) ? c->r2 : 0) | c->r3;
  c->lp = c->wide ? lp : 0;
}

static void update_controls(struct settings *c, const struct pmuv3_probe *probe) {
  c->spme = PMUV3_GET(probe->mdcr_el3, MDCR_EL3, SPME);
  c->mpmx = PMUV3_GET(probe->mdcr_el3, MDCR_EL3, MPMX);
  c->hpmd = PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMD);
  c->suniden = PMUV3_GET(probe->sder, SDER32_EL3, SUNIDEN);
  c->fzs = PMUV3_GET(probe->pmcr, PMCR, FZS);
  put_filter(&c->cycle_filter, 0, probe->pmccfiltr);
  put_filter(&c->instruction_filter, 0, probe->pmicfiltr);
}

void pmuv3_settings_update(struct settings *settings, const struct pmuv3_params *params,
                           const struct pmuv3_probe *probe) {
  const bool first = settings->vs == NULL;
  settings->vs = settings->filter.vs;
  for (unsigned n = 0; n < params->counters; n++)
    if (first || settings->type[n] != probe->evtyper[n])
      update_type(settings, params, n, probe->evtyper[n]);
  update_ranges(settings, params, probe);
  update_enables(settings, params, probe);
  update_controls(settings, probe);
}

/* ---- Reasons against counting (rules.md D.2 to D.4) ---- */

uint32_t pmuv3_filtered_by_el(const struct filter *filter, bool el3_aa32, unsigned el,
                              unsigned ss) {
  const uint32_t *bit = filter->bit;
  switch (4 * el + ss) {
    case 4 * 0 + PMUV3_NS:
      return bit[U] ^ bit[NSU];
    case 4 * 0 + PMUV3_S:
      return bit[U];
    case 4 * 0 + PMUV3_RL:
      return bit[U] ^ bit[RLU];
    case 4 * 1 + PMUV3_NS:
      return bit[P] ^ bit[NSK];
    case 4 * 1 + PMUV3_S:
      return bit[P];
    case 4 * 1 + PMUV3_RL:
      return bit[P] ^ bit[RLK];
    case 4 * 2 + PMUV3_NS:
      return ~bit[NSH];
    case 4 * 2 + PMUV3_S:
      return ~(bit[NSH] ^ bit[SH]);
    case 4 * 2 + PMUV3_RL:
      return ~(bit[NSH] ^ bit[RLH]);
    default:
      return bit[P] ^ (el3_aa32 ? 0 : bit[M]);
  }
}

uint32_t pmuv3_filtered_by_vs(const struct pmuv3_params *params, const struct filter *filter,
                              bool sm) {
  const unsigned as = params->k_vs_res; /* 00, 01, 10, both */
  const bool reserved = sm ? as == 1 || as == 3 : as == 2 || as == 3;
  return filter->vs[sm ? 1 : 2] | (reserved ? filter->vs[3] : 0);
}

struct judgement pmuv3_judge(const struct pmuv3_params *params, const struct thread *thread,
                             const struct pmuv3_pe *source, unsigned el, unsigned ss) {
  const struct settings *c = &thread->c;
  const bool el3_aa32 = !params->aa64 || thread->pe.a32el3;
  const bool el1_aa32 = !params->aa64 || source->a32el1 || source->a32el3;
  const bool mpmx = c->mpmx && !el3_aa32;
  const bool root = el == 3 && has(params, RME);
  const bool neither = params->el3 && !c->spme && !mpmx;
  const bool secure = neither && !root && (ss == PMUV3_S || el == 3);
  const bool relieved = secure && el == 0 && el1_aa32 && c->suniden;
  const uint32_t both = c->r1 | c->r2;
  struct judgement judgement = {
      .filtered_el = pmuv3_filtered_by_el(&c->filter, el3_aa32, el, ss) & c->all,
      .prohibited_s = secure && !relieved ? both : 0,
      .prohibited_el3 = (mpmx && el == 3) || (neither && root) ? (c->spme ? c->r1 : both) : 0,
      .prohibited_el2 = c->hpmd && el == 2 ? c->r1 : 0,
      .relieved = relieved ? both : 0,
  };
  judgement.filtered = judgement.filtered_el | pmuv3_filtered_by_vs(params, &c->filter, source->sm);
  judgement.prohibited =
      judgement.prohibited_s | judgement.prohibited_el3 | judgement.prohibited_el2;
  if (params->debugv8p2 || !thread->pe.snid) return judgement;
  judgement.would_be = judgement.prohibited;
  judgement.prohibited = judgement.prohibited_s = judgement.prohibited_el2 =
      judgement.prohibited_el3 = judgement.relieved = 0;
  return judgement;
}
