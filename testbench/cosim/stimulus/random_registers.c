/* Values for registers, and writes of them. */
#include "testbench/cosim/stimulus/random_internal.h"

const uint16_t random_target_reg[NUM_TARGETS] = {
#define PMUV3_HELD(id, member) [TO_##id] = PMUV3_##id,
#include "pmuv3/registers.def"
    [TO_PMCR] = PMUV3_PMCR,
    [TO_MDCR_EL2] = PMUV3_MDCR_EL2,
    [TO_PMICFILTR] = PMUV3_PMICFILTR,
    [TO_PMUACR] = PMUV3_PMUACR,
    [TO_PMCCNTR] = PMUV3_PMCCNTR,
    [TO_PMICNTR] = PMUV3_PMICNTR,
    [TO_PMCNTENSET] = PMUV3_PMCNTENSET,
    [TO_PMCNTENCLR] = PMUV3_PMCNTENCLR,
    [TO_PMINTENSET] = PMUV3_PMINTENSET,
    [TO_PMINTENCLR] = PMUV3_PMINTENCLR,
    [TO_PMOVSSET] = PMUV3_PMOVSSET,
    [TO_PMOVSCLR] = PMUV3_PMOVSCLR,
    [TO_PMSWINC] = PMUV3_PMSWINC,
    [TO_PMXEVTYPER] = PMUV3_PMXEVTYPER,
    [TO_PMXEVCNTR] = PMUV3_PMXEVCNTR,
    [TO_PMSSCR] = PMUV3_PMSSCR,
    [TO_PMZR] = PMUV3_PMZR,
    [TO_EVTYPER_EVEN] = PMUV3_PMEVTYPERn(0),
    [TO_EVTYPER_ODD] = PMUV3_PMEVTYPERn(1),
};

/* A register that can be written and has no target does not compile. These two have functions of
 * their own. */
enum { TO_PMEVCNTR, TO_PMEVTYPER };
enum {
#define TARGET_RW(id) TARGET_OF_##id = TO_##id,
#define TARGET_WO(id) TARGET_OF_##id = TO_##id,
#define TARGET_RO(id)
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) TARGET_##access(id)
#include "pmuv3/registers.def"
};

const struct view random_views[NUM_VIEWS] = {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  {PMUV3_##id, PMUV3_##of, mask},
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  {PMUV3_##id, PMUV3_##of, UINT64_MAX},
#include "pmuv3/registers.def"
};

const uint16_t random_regs[NUM_REGS] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
};

/* ---- Events ---- */

unsigned random_special_event(struct pmuv3_random *random) {
  if (random->num_kinds == 0) return any_listable(random);
  const uint16_t *kind = &random->kinds[below(random, random->num_kinds)];
  return random->of_kind[kind[0] + below(random, kind[1] - kind[0])];
}

/* An event that can be listed, of those that this phase prefers. */
static uint16_t favourite_number(struct pmuv3_random *random) {
  unsigned i = below(random, FAVOURITES);
  return random->event[random->favourite[i]].number;
}

static uint16_t implemented_number(struct pmuv3_random *random) {
  return random->event[below(random, random->params.events.num)].number;
}

/* evtCount for counter n. */
static uint16_t any_event_number(struct pmuv3_random *random, const struct thread *thread,
                                 unsigned n) {
  uint64_t bits = draw(random);
  switch (bits & 15) {
    case 0:
      return has(random, PMUV3_FEATURE_SS) && (bits >> 4 & 1) ? PMUV3_EVENT_PMU_SNAPSHOT
                                                              : PMUV3_EVENT_SW_INCR;
    case 1:
      return PMUV3_EVENT_CPU_CYCLES;
    case 2: /* which an even counter must not count */
      return n % 2 == 1 || (bits >> 4 & 3) == 0 ? PMUV3_EVENT_CHAIN : favourite_number(random);
    case 3:
    case 4: /* what the other counter of the pair counts */
      return (uint16_t)thread->type[n ^ 1];
    case 5: { /* one bit beside an implemented number, or anything */
      uint16_t flip = (uint16_t)(1u << (bits >> 5 & 15));
      return bits >> 4 & 1 ? (uint16_t)(bits >> 16) : implemented_number(random) ^ flip;
    }
    case 6:
    case 7:
      return implemented_number(random);
    case 8:
    case 9:
    case 10:
      return random->event[random_special_event(random)].number;
    default:
      return favourite_number(random);
  }
}

/* ---- Filters: PMEVTYPER<n>, PMCCFILTR and PMICFILTR have the same bits ---- */

/* NSH = 1 and all else 0 filters nothing. */
#define FILTER_NOTHING PMUV3_MASK(PMEVTYPER, NSH)

static const uint8_t filter_bits[] = {
    PMUV3_PMEVTYPER_P_LSB,   PMUV3_PMEVTYPER_U_LSB,   PMUV3_PMEVTYPER_NSK_LSB,
    PMUV3_PMEVTYPER_NSU_LSB, PMUV3_PMEVTYPER_NSH_LSB, PMUV3_PMEVTYPER_M_LSB,
    PMUV3_PMEVTYPER_SH_LSB,  PMUV3_PMEVTYPER_RLK_LSB, PMUV3_PMEVTYPER_RLU_LSB,
    PMUV3_PMEVTYPER_RLH_LSB,
};

static uint64_t one_filter_bit(struct pmuv3_random *random) {
  return UINT64_C(1) << filter_bits[below(random, LENGTH(filter_bits))];
}

/* Filter bits, mostly such that most is counted: random ones would filter half of it. */
static uint64_t any_filter(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  switch (bits & 15) {
    case 0:
    case 1:
      return FILTER_NOTHING ^ one_filter_bit(random);
    case 2: /* user alone */
      return PMUV3_MASK(PMEVTYPER, P);
    case 3: /* all but user */
      return FILTER_NOTHING | PMUV3_MASK(PMEVTYPER, U);
    case 4: /* P the other way round, which is against Secure EL1 alone; or one bit from it */
      return FILTER_NOTHING | PMUV3_MASK(PMEVTYPER, P) | PMUV3_MASK(PMEVTYPER, NSK) |
             PMUV3_MASK(PMEVTYPER, M) | PMUV3_MASK(PMEVTYPER, RLK) |
             (bits >> 4 & 1 ? one_filter_bit(random) : 0);
    case 5: /* likewise U, against Secure EL0 alone */
      return FILTER_NOTHING | PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, NSU) |
             PMUV3_MASK(PMEVTYPER, RLU);
    case 6: /* likewise NSH, against Non-secure EL2 alone */
      return PMUV3_MASK(PMEVTYPER, SH) | PMUV3_MASK(PMEVTYPER, RLH);
    case 7: { /* anything */
      uint64_t filter = 0;
      for (size_t i = 0; i < LENGTH(filter_bits); i++)
        filter |= (bits >> (8 + i) & 1) << filter_bits[i];
      return filter;
    }
    default:
      return FILTER_NOTHING;
  }
}

/* VS, mostly without an effect. */
static uint64_t any_vs(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  return (bits & 7) == 0 ? PLACED(bits >> 3 & 3, PMEVTYPER, VS) : 0;
}

/* ---- Thresholds ---- */

static uint64_t any_threshold(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  uint64_t more = bits >> 5;
  uint64_t max = random->th_max;
  uint64_t threshold;
  switch (bits & 31) {
    case 0:
    case 1:
    case 2:
    case 3:
      threshold = 0;
      break;
    case 4:
      threshold = max;
      break;
    case 5:
      threshold = max - 1;
      break;
    case 6: /* a power of two */
      threshold = UINT64_C(1) << (more & 15);
      break;
    case 7: /* around the largest count */
      threshold = 254 + (more & 3);
      break;
    case 8:
      threshold = more & 0xFF;
      break;
    case 9:
      threshold = more;
      break;
    case 10:
    case 11:
    case 12:
      threshold = 2 + (more & 15);
      break;
    default:
      threshold = 1 + (more & 3);
  }
  return threshold & max;
}

/* ---- PMEVTYPER<n> ---- */

uint64_t random_new_type(struct pmuv3_random *random, const struct thread *thread, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t type = any_event_number(random, thread, n);
  type |= any_filter(random);
  type |= any_vs(random);
  type |= PLACED((bits & 7) < 5, PMEVTYPER, MT);
  type |= PLACED((bits >> 3 & 15) == 0, PMEVTYPER, SYNC);
  if ((bits >> 7 & 3) == 0) return type; /* threshold counting disabled */
  type |= PLACED(bits >> 9 & 7, PMEVTYPER, TC);
  type |= PLACED((bits >> 12 & 7) < 3, PMEVTYPER, TE);
  if (bits >> 15 & 1) type |= PLACED(bits >> 16 & 3, PMEVTYPER, TLC);
  type |= PLACED(any_threshold(random), PMEVTYPER, TH);
  return type;
}

uint64_t random_tweaked_type(struct pmuv3_random *random, const struct thread *thread, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t more = bits >> 4;
  uint64_t type = thread->type[n];
  uint64_t th_mask = PMUV3_MASK(PMEVTYPER, TH);
  switch (bits & 15) {
    case 0:
    case 1:
    case 2:
      return type ^ PLACED(1 + more % 8 % 7, PMEVTYPER, TC);
    case 3:
      return type ^ PLACED(1, PMEVTYPER, TE);
    case 4:
      return type ^ PLACED(1 + (more & 1), PMEVTYPER, TLC);
    case 5: {
      uint64_t step = more & 1 ? 1 : random->th_max; /* up or down by one */
      uint64_t threshold = (threshold_of(random, thread, n) + step) & random->th_max;
      return (type & ~th_mask) | PLACED(threshold, PMEVTYPER, TH);
    }
    case 6:
      return (type & ~th_mask) | PLACED(any_threshold(random), PMEVTYPER, TH);
    case 7:
    case 8:
      return type ^ PLACED(1, PMEVTYPER, MT);
    case 9:
      return type ^ PLACED(1, PMEVTYPER, SYNC);
    case 10:
      return type ^ one_filter_bit(random);
    case 11:
      return (type & ~PMUV3_MASK(PMEVTYPER, VS)) | any_vs(random);
    default:
      return (type & ~UINT64_C(0xFFFF)) | any_event_number(random, thread, n);
  }
}

/* ---- Values of the other registers ---- */

/* So far below a carry into this bit. */
static uint64_t below_carry(struct pmuv3_random *random, unsigned bit, uint64_t distance) {
  uint64_t carried = UINT64_C(1) << bit;
  return (draw(random) & ~(carried | (carried - 1))) | ((carried - distance) & (carried - 1));
}

uint64_t random_near_overflow(struct pmuv3_random *random, const struct thread *thread, unsigned n,
                              uint64_t distance) {
  uint64_t bits = draw(random);
  bool is_long = random_overflows_long(random, thread, n);
  bool other = (bits & 7) == 0; /* at times near the bit that must not count */
  uint64_t value = 0 - distance;
  if ((bits >> 5 & 15) == 0) /* or the carry into the top bit, which must not count */
    value ^= UINT64_C(1) << (is_long ? 63 : 31);
  if ((bits >> 5 & 15) == 1) /* or into any other */
    value = below_carry(random, bits >> 9 & 63, distance);
  if (is_long != other || (bits >> 3 & 3) == 0) return value;
  return (value & UINT32_MAX) | (draw(random) & ~(uint64_t)UINT32_MAX);
}

uint64_t random_counters(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t one = UINT64_C(1) << n;
  switch (bits & 7) {
    case 0:
      return random->implemented;
    case 1:
      return bits >> 3 & random->implemented;
    case 2:
    case 3: /* the pair */
      return UINT64_C(3) << (n & ~1u) & random->implemented;
    default:
      return one & random->implemented;
  }
}

static uint64_t any_hpmn(struct pmuv3_random *random) {
  unsigned counters = random->params.counters;
  uint64_t bits = draw(random);
  unsigned any = (unsigned)(bits >> 3 & 31);
  switch (bits & 7) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2: /* a pair split between the ranges */
      return counters > 1 ? (below(random, counters) | 1) : 1;
    case 3:
      return counters + 1 < 32 ? counters + 1 : counters;
    case 4:
      return any;
    case 5:
      return (counters + 1) / 2;
    default:
      return counters;
  }
}

/* True with a chance of one in 2^width: takes that many bits of a draw, from `shift`. */
#define RARELY(bits, shift, width) (((bits) >> (shift) & ((1u << (width)) - 1)) == 0)

static uint64_t any_pmcr(struct pmuv3_random *random, const struct thread *thread) {
  uint64_t bits = draw(random);
  uint64_t kept = PMUV3_MASK(PMCR, LP) | PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, D);
  uint64_t value = thread->held[TO_PMCR] & kept;
  value |= PLACED(!RARELY(bits, 0, 3), PMCR, E);
  value |= PLACED(RARELY(bits, 3, 3), PMCR, P);
  value |= PLACED(RARELY(bits, 6, 3), PMCR, C);
  value |= PLACED(RARELY(bits, 9, 1), PMCR, DP);
  value |= PLACED(RARELY(bits, 10, 2), PMCR, FZO);
  value |= PLACED(RARELY(bits, 17, 1), PMCR, FZS);
  value ^= PLACED(RARELY(bits, 12, 1), PMCR, LP);
  value ^= PLACED(RARELY(bits, 13, 2), PMCR, LC);
  value ^= PLACED(RARELY(bits, 15, 2), PMCR, D);
  return value;
}

/* Of fields of two bits, whose values mean 0b11 on, 0b00 off, 0b01 as a lower Exception level says,
 * for the three levels from EL1 on. */
static uint64_t any_pmee(struct pmuv3_random *random, unsigned level) {
  static const uint8_t values[3][8] = {
      {0, 0, 0, 0, 3, 3, 3, 2}, {0, 0, 0, 1, 1, 1, 3, 2}, {0, 0, 0, 0, 1, 1, 3, 2}};
  return values[level][below(random, 8)];
}

/* Likewise of PMSSE, which says 0b11 more often. */
static uint64_t any_pmsse(struct pmuv3_random *random, unsigned level) {
  static const uint8_t values[3][8] = {
      {3, 3, 3, 3, 3, 2, 0, 1}, {3, 3, 1, 1, 1, 1, 0, 2}, {3, 3, 1, 1, 1, 1, 0, 2}};
  return values[level][below(random, 8)];
}

static uint64_t any_mdcr_el2(struct pmuv3_random *random, const struct thread *thread) {
  uint64_t bits = draw(random);
  uint64_t hpmn_mask = PMUV3_MASK(MDCR_EL2, HPMN);
  uint64_t value = thread->held[TO_MDCR_EL2] & (PMUV3_MASK(MDCR_EL2, HLP) | hpmn_mask);
  value |= PLACED(!RARELY(bits, 0, 3), MDCR_EL2, HPME);
  value |= PLACED(!RARELY(bits, 3, 4), MDCR_EL2, MTPME);
  value |= PLACED(RARELY(bits, 7, 2), MDCR_EL2, HPMFZO);
  value |= PLACED(RARELY(bits, 9, 2), MDCR_EL2, HCCD);
  value |= PLACED(RARELY(bits, 11, 3), MDCR_EL2, HPMD);
  value |= PLACED(RARELY(bits, 14, 3), MDCR_EL2, TPM);
  value |= PLACED(RARELY(bits, 17, 3), MDCR_EL2, TPMCR);
  value |= PLACED(RARELY(bits, 20, 1), MDCR_EL2, HPMFZS);
  value |= PLACED(any_pmee(random, 1), MDCR_EL2, PMEE);
  value |= PLACED(any_pmsse(random, 1), MDCR_EL2, PMSSE);
  value ^= PLACED(RARELY(bits, 21, 1), MDCR_EL2, HLP);
  if (bits >> 22 & 1) value = (value & ~hpmn_mask) | any_hpmn(random);
  return value;
}

static uint64_t any_mdcr_el3(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  uint64_t value = 0;
  value |= PLACED(!RARELY(bits, 0, 2), MDCR_EL3, SPME);
  value |= PLACED(RARELY(bits, 2, 2), MDCR_EL3, MPMX);
  value |= PLACED(!RARELY(bits, 4, 4), MDCR_EL3, MTPME);
  value |= PLACED(RARELY(bits, 8, 2), MDCR_EL3, SCCD);
  value |= PLACED(RARELY(bits, 10, 2), MDCR_EL3, MCCD);
  value |= PLACED(!RARELY(bits, 12, 2), MDCR_EL3, EnPM2);
  value |= PLACED(RARELY(bits, 14, 3), MDCR_EL3, TPM);
  value |= PLACED(!RARELY(bits, 17, 2), MDCR_EL3, EnPMSS);
  value |= PLACED(bits >> 19 & 3, MDCR_EL3, EPMSSAD);
  value |= PLACED(RARELY(bits, 21, 1), MDCR_EL3, EPMAD);
  value |= PLACED(RARELY(bits, 22, 1), MDCR_EL3, EPMADE);
  value |= PLACED(any_pmee(random, 2), MDCR_EL3, PMEE);
  value |= PLACED(any_pmsse(random, 2), MDCR_EL3, PMSSE);
  return value;
}

static uint64_t any_pmecr(struct pmuv3_random *random) {
  uint64_t value = PLACED(any_pmee(random, 0), PMECR, PMEE);
  value |= PLACED(any_pmsse(random, 0), PMECR, SSE);
  return value | PLACED(chance(random, 192), PMECR, KPME);
}

/* What EL0 may do: one bit, all, or any. */
static uint64_t any_pmuserenr(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  switch (bits & 3) {
    case 0:
      return PMUV3_MASK(PMUSERENR, EN);
    case 1:
      return PMUV3_MASK(PMUSERENR, UEN) | (UINT64_C(1) << (bits >> 2 & 7));
    case 2:
      return UINT64_C(1) << (bits >> 2 & 7);
    default:
      return bits >> 2 & 0x7F;
  }
}

/* Which counters EL0 may access: all, any, all but one, or a few. */
static uint64_t any_pmuacr(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  switch (bits & 3) {
    case 0:
      return random->implemented;
    case 1:
      return bits >> 2;
    case 2:
      return random->implemented & ~(UINT64_C(1) << n);
    default:
      return random_counters(random, n);
  }
}

/* A counter, the cycle counter's filter (31), or one at a border of what there is. */
static uint64_t any_selection(struct pmuv3_random *random, const struct thread *thread) {
  uint64_t bits = draw(random);
  unsigned counters = random->params.counters;
  switch (bits & 7) {
    case 0:
      return 31;
    case 1:
      return bits >> 3 & 31;
    case 2:
      return random_hpmn(random, thread) & 31;
    case 3:
      return random_epmn(random, thread) & 31;
    default:
      return counters > 0 ? below(random, counters) : 0;
  }
}

uint64_t random_pmccr(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  uint64_t epmn = random->params.counters;
  if (bits & 1) epmn = any_hpmn(random);
  return epmn | (uint64_t)!RARELY(bits, 1, 3) << 7 | (uint64_t)RARELY(bits, 4, 1) << 8;
}

static uint64_t any_fixed_filter(struct pmuv3_random *random) {
  uint64_t filter = any_filter(random);
  filter |= any_vs(random);
  filter |= PLACED(chance(random, 64), PMICFILTR, SYNC);
  return filter;
}

/* For PMXEVTYPER; PMXEVCNTR. */
static uint64_t selected_type(struct pmuv3_random *random, const struct thread *thread) {
  unsigned selected = (unsigned)thread->held[TO_PMSELR];
  if (selected >= random->params.counters) return any_fixed_filter(random);
  return random_new_type(random, thread, selected);
}

static uint64_t selected_count(struct pmuv3_random *random, const struct thread *thread) {
  unsigned selected = (unsigned)thread->held[TO_PMSELR];
  if (selected >= random->params.counters) return draw(random);
  return random_counter_write(random, thread, selected).value;
}

uint64_t random_value(struct pmuv3_random *random, const struct thread *thread, enum target target,
                      unsigned n) {
  switch (target) {
    case TO_PMSELR:
      return any_selection(random, thread);
    case TO_PMUSERENR:
      return any_pmuserenr(random);
    case TO_PMUACR:
      return any_pmuacr(random, n);
    case TO_PMECR:
      return any_pmecr(random);
    case TO_PMXEVTYPER:
      return selected_type(random, thread);
    case TO_PMXEVCNTR:
      return selected_count(random, thread);
    case TO_PMSSCR:
      return !chance(random, 32);
    case TO_PMCR:
      return any_pmcr(random, thread);
    case TO_MDCR_EL2:
      return any_mdcr_el2(random, thread);
    case TO_MDCR_EL3:
      return any_mdcr_el3(random);
    case TO_SDER32_EL3:
      return draw(random) & PMUV3_MASK(SDER32_EL3, SUNIDEN);
    case TO_PMCCFILTR:
    case TO_PMICFILTR:
      return any_fixed_filter(random);
    case TO_PMCCNTR:
      return random_near_overflow(random, thread, CYCLE_COUNTER, 1 + below(random, 3));
    case TO_PMICNTR:
      return random_near_overflow(random, thread, INSTRUCTION_COUNTER, 1 + below(random, 16));
    default:
      return target < NUM_HELD ? draw(random) : random_counters(random, n);
  }
}

/* ---- Writes ---- */

/* Now and then with any bits as ones: those that do nothing, too. */
static uint64_t with_spare(struct pmuv3_random *random, uint64_t value) {
  return chance(random, 16) ? value | draw(random) : value;
}

bool random_as_view(struct pmuv3_random *random, struct pmuv3_write *write) {
  const unsigned first = below(random, NUM_VIEWS); /* some registers have two views */
  for (unsigned i = 0; i < NUM_VIEWS; i++) {
    const struct view *view = &random_views[(first + i) % NUM_VIEWS];
    unsigned n = (unsigned)(write->reg - view->of);
    if (n >= copies_of(view->of)) continue;
    write->reg = (uint16_t)(view->reg + n);
    if (view->mask <= UINT32_MAX) write->value &= UINT32_MAX;
    return true;
  }
  return false;
}

/* Now and then through the AArch32 view of the register, if there is one. */
static struct pmuv3_write through_view(struct pmuv3_random *random, struct pmuv3_write write) {
  struct pmuv3_write view = write;
  const bool through = chance(random, 32) && random_as_view(random, &view) &&
                       pmuv3_register_writable(&random->params, view.reg) == PMUV3_ACCESS_OK;
  return through ? view : write;
}

struct pmuv3_write random_aimed_write(struct pmuv3_random *random, const struct thread *thread,
                                      enum target target, unsigned n) {
  uint64_t value = random_value(random, thread, target, n);
  value = with_spare(random, value);
  return through_view(random, write_of(random_target_reg[target], value));
}

struct pmuv3_write random_type_write(struct pmuv3_random *random, unsigned n, uint64_t type) {
  uint64_t value = with_spare(random, type);
  return through_view(random, write_of(PMUV3_PMEVTYPERn(n), value));
}

struct pmuv3_write random_arming_write(struct pmuv3_random *random, const struct thread *thread,
                                       unsigned n, unsigned count) {
  uint64_t distance = random_likely_increment(random, thread, n, count);
  if (distance == 0) distance = 1;
  if (chance(random, 24)) distance++;
  return write_of(PMUV3_PMEVCNTRn(n), random_near_overflow(random, thread, n, distance));
}

struct pmuv3_write random_counter_write(struct pmuv3_random *random, const struct thread *thread,
                                        unsigned n) {
  if (chance(random, 8))
    return write_of(PMUV3_PMEVCNTRn(n), random_near_overflow(random, thread, n, 0));
  return random_arming_write(random, thread, n, random_likely_count(random, thread, n));
}

struct pmuv3_write random_any_write(struct pmuv3_random *random, const struct thread *thread,
                                    unsigned n) {
  static const uint8_t targets[32] = {
      TO_PMOVSCLR,   TO_PMOVSCLR,   TO_PMOVSCLR,   TO_PMOVSCLR,   TO_PMOVSSET,   TO_PMCNTENSET,
      TO_PMCNTENSET, TO_PMCNTENSET, TO_PMCNTENSET, TO_PMCNTENCLR, TO_PMCNTENCLR, TO_PMCR,
      TO_PMCR,       TO_PMCR,       TO_PMCR,       TO_MDCR_EL2,   TO_MDCR_EL2,   TO_MDCR_EL2,
      TO_MDCR_EL3,   TO_MDCR_EL3,   TO_MDCR_EL3,   TO_SDER32_EL3, TO_PMINTENSET, TO_PMINTENCLR,
      TO_PMSWINC,    TO_PMCCFILTR,  TO_PMCCFILTR,  TO_PMCCNTR,    TO_PMCCNTR,    TO_PMICNTR,
      TO_PMICFILTR,  TO_PMICFILTR,
  };
  static const uint8_t about_access[16] = {
      TO_PMSELR,    TO_PMSELR,    TO_PMXEVTYPER, TO_PMXEVTYPER, TO_PMXEVCNTR, TO_PMXEVCNTR,
      TO_PMUSERENR, TO_PMUSERENR, TO_PMUACR,     TO_PMUACR,     TO_PMECR,     TO_PMIAR,
      TO_PMSSCR,    TO_PMSSCR,    TO_PMZR,       TO_PMZR,
  };
  static const uint8_t held[] = {
#define PMUV3_HELD(id, member) TO_##id,
#include "pmuv3/registers.def"
  };
  uint64_t bits = draw(random);
  unsigned kind = n < random->params.counters ? (unsigned)(bits & 7) : 7;
  if (kind < 2) return through_view(random, random_counter_write(random, thread, n));
  if (kind == 2) return random_type_write(random, n, random_new_type(random, thread, n));
  if (kind == 3) return random_type_write(random, n, random_tweaked_type(random, thread, n));
  enum target target = (enum target)targets[bits >> 3 & 31];
  if ((bits >> 8 & 3) == 0) target = (enum target)about_access[bits >> 10 & 15];
  if ((bits >> 14 & 63) == 0) target = (enum target)held[(bits >> 20) % LENGTH(held)];
  if (!random->is_there[target]) target = target == TO_PMICNTR ? TO_PMCCNTR : TO_PMCCFILTR;
  return random_aimed_write(random, thread, target, n);
}
