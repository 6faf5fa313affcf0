/* An access for coverpoints: its register and counters, its origin, and its rights. */
#include "testbench/signoff/coverage/sample.h"

#include <string.h>

/* ---- The register ---- */

struct view {
  uint16_t reg, of;
};

static const struct view views[] = {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  {PMUV3_##id, PMUV3_##of},
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) {PMUV3_##id, PMUV3_##of},
#include "pmuv3/registers.def"
};

/* Registers with an n: the encoding with n = 0. */
static const uint16_t of_counters[] = {PMUV3_PMEVCNTR, PMUV3_PMEVTYPER, PMUV3_PMEVCNTSVR,
                                       PMUV3_PMEVCNTR_AA32, PMUV3_PMEVTYPER_AA32};

/* The AArch64 register of an encoding, with n = 0. Gives its n. */
static uint16_t register_of(uint16_t reg, unsigned *n, bool *view) {
  *n = PMUV3_LANES;
  *view = reg >> 14 == 0;
  for (size_t i = 0; i < sizeof of_counters / sizeof of_counters[0]; i++) {
    if (reg < of_counters[i] || reg >= of_counters[i] + PMUV3_MAX_COUNTERS) continue;
    *n = (unsigned)(reg - of_counters[i]);
    reg = of_counters[i];
    break;
  }
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
    if (views[i].reg == reg) return views[i].of;
  return reg;
}

/* Whether the register exists, by its encoding. */
static bool exists(const struct pmuv3_params *params, uint16_t reg) {
  return pmuv3_register_readable(params, reg) == PMUV3_ACCESS_OK ||
         pmuv3_register_writable(params, reg) == PMUV3_ACCESS_OK;
}

/* The System register of a word in the external view, with n = 0. Gives its n and the half. 0:
 * none. */
static uint16_t register_at(const struct pmuv3_params *params, uint16_t offset, unsigned *n,
                            unsigned *lsb) {
  bool view;
  const uint16_t reg = pmuv3_register_external(params, offset, lsb);
  *n = PMUV3_LANES;
  return reg != 0 && exists(params, reg) ? register_of(reg, n, &view) : 0;
}

/* ---- Fine-grained traps ---- */

/* A register with the fine-grained traps of its reads and its writes. 0: there is none. */
struct trapped {
  uint16_t reg;
  uint64_t reads, writes;
};

#define BOTH(reg, id) \
  { PMUV3_##reg, PMUV3_FGT_MASK(id##_READ), PMUV3_FGT_MASK(id##_WRITE) }
#define READS(reg, id) \
  { PMUV3_##reg, PMUV3_FGT_MASK(id##_READ), 0 }
#define WRITES(reg, id) \
  { PMUV3_##reg, 0, PMUV3_FGT_MASK(id##_WRITE) }
static const struct trapped trapped[] = {
    BOTH(PMICFILTR, PMICFILTR), BOTH(PMICNTR, PMICNTR),     BOTH(PMEVCNTR, PMEVCNTR),
    BOTH(PMXEVCNTR, PMEVCNTR),  BOTH(PMEVTYPER, PMEVTYPER), BOTH(PMXEVTYPER, PMEVTYPER),
    BOTH(PMCCFILTR, PMCCFILTR), BOTH(PMCCNTR, PMCCNTR),     BOTH(PMCNTENSET, PMCNTEN),
    BOTH(PMCNTENCLR, PMCNTEN),  BOTH(PMINTENSET, PMINTEN),  BOTH(PMINTENCLR, PMINTEN),
    BOTH(PMOVSSET, PMOVS),      BOTH(PMOVSCLR, PMOVS),      BOTH(PMSELR, PMSELR),
    BOTH(PMUACR, PMUACR),       BOTH(PMECR, PMECR),         BOTH(PMIAR, PMIAR),
    BOTH(PMSSCR, PMSSCR),       BOTH(PMUSERENR, PMUSERENR), READS(PMCEID0, PMCEID),
    READS(PMCEID1, PMCEID),     READS(PMMIR, PMMIR),        READS(PMEVCNTSVR, PMSSDATA),
    READS(PMCCNTSVR, PMSSDATA), READS(PMICNTSVR, PMSSDATA), WRITES(PMCR, PMCR),
    WRITES(PMSWINC, PMSWINC),   WRITES(PMZR, PMZR),
};

/* The fine-grained traps that name the register, where PMSELR has selected nothing yet. */
static uint64_t fine_grained(uint16_t reg, bool writes) {
  for (size_t i = 0; i < sizeof trapped / sizeof trapped[0]; i++)
    if (trapped[i].reg == reg) return writes ? trapped[i].writes : trapped[i].reads;
  return 0;
}

/* ---- Properties of the access ---- */

static bool is_of_bits(uint16_t reg) {
  return reg == PMUV3_PMCNTENSET || reg == PMUV3_PMCNTENCLR || reg == PMUV3_PMINTENSET ||
         reg == PMUV3_PMINTENCLR || reg == PMUV3_PMOVSSET || reg == PMUV3_PMOVSCLR ||
         reg == PMUV3_PMSWINC || reg == PMUV3_PMZR;
}

/* PMXEVTYPER and PMXEVCNTR belong to the counter that PMSELR selects. */
static void resolve_selection(struct access *a) {
  a->selected = a->reg == PMUV3_PMXEVTYPER || a->reg == PMUV3_PMXEVCNTR;
  if (!a->selected) return;
  a->n = (unsigned)PMUV3_GET(a->before->pmselr, PMSELR, SEL);
  if (a->n < PMUV3_MAX_COUNTERS)
    a->reg = a->reg == PMUV3_PMXEVTYPER ? PMUV3_PMEVTYPER : PMUV3_PMEVCNTR;
  else if (a->reg == PMUV3_PMXEVTYPER)
    a->reg = PMUV3_PMCCFILTR;
}

static void find_register(struct access *a, const struct pmuv3_observed *observed) {
  unsigned lsb = 0;
  a->value = observed->value;
  if (observed->external) {
    a->reg = register_at(a->p, observed->offset, &a->n, &lsb);
    a->value <<= lsb;
  } else {
    a->reg = register_of(observed->reg, &a->n, &a->view);
    a->fgt = a->pe->fgt & fine_grained(a->reg, a->writes);
    resolve_selection(a);
  }
  a->counter = a->n < PMUV3_MAX_COUNTERS ? UINT32_C(1) << a->n & a->c->all : 0;
  a->is_of_bits = is_of_bits(a->reg);
  a->bits = a->is_of_bits ? (uint32_t)a->value & a->c->all : 0;
}

static bool is_done(const struct pmuv3_observed *observed) {
  if (observed->external) return observed->result;
  return observed->checked ? observed->result == PMUV3_DONE : observed->result == PMUV3_ACCESS_OK;
}

static void look_at_rights(struct access *a) {
  const uint64_t pmuserenr = a->before->pmuserenr;
  const struct pmuv3_pe *pe = a->pe;
  const bool a32el3 = !a->p->aa64 || pe->a32el3;
  a->aa32 = pe->aa32 || a32el3 || (pe->el <= 2 && pe->a32el2) || (pe->el <= 1 && pe->a32el1);
  a->el3_aa64 = a->p->el3 && !a32el3;
  a->el2_enabled = pmuv3_el2_enabled(a->p, pe);
  a->el2on = pe->el <= 1 && a->el2_enabled;
  a->beyond = a->el2on ? a->c->r2 | a->c->r3 : a->c->r3;
  a->uen = pe->el == 0 && PMUV3_GET(pmuserenr, PMUSERENR, UEN) && !pe->a32el1 && !a32el3;
  a->en = PMUV3_GET(pmuserenr, PMUSERENR, EN);
  a->er = PMUV3_GET(pmuserenr, PMUSERENR, ER);
  a->cr = PMUV3_GET(pmuserenr, PMUSERENR, CR);
  a->ir = PMUV3_GET(pmuserenr, PMUSERENR, IR);
  a->sw = PMUV3_GET(pmuserenr, PMUSERENR, SW);
  a->tid = PMUV3_GET(pmuserenr, PMUSERENR, TID);
}

/* Table D13-10 */
static void look_at_capture(struct access *a) {
  enum { DELEGATED = 1 };
  const uint64_t el3 = PMUV3_GET(a->before->mdcr_el3, MDCR_EL3, PMSSE);
  const uint64_t el2 = PMUV3_GET(a->before->mdcr_el2, MDCR_EL2, PMSSE);
  a->captures = a->done && a->writes && a->reg == PMUV3_PMSSCR && (a->value & 1);
  if (!a->captures) return;
  if (a->p->el3 && el3 != DELEGATED) {
    a->sse = (unsigned)el3;
    a->sse_by = 3;
  } else if (a->p->el2 && el2 != DELEGATED) {
    a->sse = (unsigned)el2;
    a->sse_by = 2;
  } else {
    a->sse = (unsigned)PMUV3_GET(a->before->pmecr, PMECR, SSE);
    a->sse_by = 1;
  }
}

/* Without RME a Root access is as a Secure one. Without EL3 the thread's Security state is that of
 * the implementation. */
static bool is_most_secure(const struct pmuv3_params *params, const struct thread *thread,
                           enum pmuv3_security_state ss) {
  if (has(params, RME)) return ss == PMUV3_RT;
  return ss == PMUV3_S || ss == PMUV3_RT || (!params->el3 && thread->pe.ss != PMUV3_S);
}

struct access pmuv3_access_sample(const struct pmuv3_params *params, const struct thread *thread,
                                  const struct pmuv3_observed *observed) {
  struct access access = {
      .p = params,
      .c = &thread->c,
      .pe = &thread->pe,
      .before = &thread->now,
      .writes = observed->writes,
      .checked = observed->checked,
      .external = observed->external,
      .done = is_done(observed),
      .result = observed->result,
      .encoding = observed->reg,
      .ec = observed->syndrome >> 26,
      .most_secure = is_most_secure(params, thread, (enum pmuv3_security_state)observed->ss),
  };
  find_register(&access, observed);
  look_at_rights(&access);
  look_at_capture(&access);
  return access;
}
