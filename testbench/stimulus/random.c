/*
 * Constrained-random stimulus, in the order in which it is made: a shadow of
 * what was programmed; counts that lean on the thresholds; writes; plans of
 * writes that meet at a corner; accesses to be refused and resets; phases; items.
 *
 * Every draw is a statement or an operand of && || ?: of its own: C leaves the
 * order of other operands open, and the same seed must give the same items.
 */
#include "testbench/stimulus/random.h"

#include <stdlib.h>

#include "testbench/stimulus/prng.h"

/* Registers written as wholes or by masks; PMEVCNTR and PMEVTYPER have functions of their own. */
enum target {
  TO_PMCR,
  TO_CNTENSET,
  TO_CNTENCLR,
  TO_INTENSET,
  TO_INTENCLR,
  TO_OVSSET,
  TO_OVSCLR,
  TO_SWINC,
  TO_MDCR,
  TO_EVTYPER_EVEN, /* for their spare bits only */
  TO_EVTYPER_ODD,
  NUM_TARGETS
};

static const uint16_t target_reg[NUM_TARGETS] = {
    [TO_PMCR] = PMUV3_PMCR,
    [TO_CNTENSET] = PMUV3_PMCNTENSET,
    [TO_CNTENCLR] = PMUV3_PMCNTENCLR,
    [TO_INTENSET] = PMUV3_PMINTENSET,
    [TO_INTENCLR] = PMUV3_PMINTENCLR,
    [TO_OVSSET] = PMUV3_PMOVSSET,
    [TO_OVSCLR] = PMUV3_PMOVSCLR,
    [TO_SWINC] = PMUV3_PMSWINC,
    [TO_MDCR] = PMUV3_MDCR_EL2,
    [TO_EVTYPER_EVEN] = PMUV3_PMEVTYPERn(0),
    [TO_EVTYPER_ODD] = PMUV3_PMEVTYPERn(1),
};

/* Every register of the model, of PMEVCNTR and PMEVTYPER n = 0. */
static const uint16_t known_regs[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
};

/* System registers that are none of this model's. */
static const uint16_t foreign_regs[] = {
    PMUV3_SYSREG(3, 3, 9, 12, 5),  /* PMSELR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 13, 0),  /* PMCCNTR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 13, 1),  /* PMXEVTYPER_EL0 */
    PMUV3_SYSREG(3, 3, 9, 13, 2),  /* PMXEVCNTR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 13, 4),  /* PMZR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 14, 0),  /* PMUSERENR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 4, 0),   /* PMICNTR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 6, 0),   /* PMICFILTR_EL0 */
    PMUV3_SYSREG(3, 0, 9, 13, 3),  /* PMSSCR_EL1 */
    PMUV3_SYSREG(3, 0, 9, 14, 4),  /* PMUACR_EL1 */
    PMUV3_SYSREG(3, 0, 9, 14, 5),  /* PMECR_EL1 */
    PMUV3_SYSREG(3, 0, 9, 14, 7),  /* PMIAR_EL1 */
    PMUV3_SYSREG(2, 0, 14, 8, 0),  /* PMEVCNTSVR0_EL1 */
    PMUV3_SYSREG(2, 0, 14, 11, 7), /* PMCCNTSVR_EL1 */
    PMUV3_SYSREG(3, 6, 1, 3, 1),   /* MDCR_EL3 */
    PMUV3_SYSREG(3, 4, 1, 1, 0),   /* HCR_EL2 */
    PMUV3_SYSREG(3, 4, 1, 1, 2),   /* CPTR_EL2 */
    PMUV3_SYSREG(3, 3, 14, 0, 0),  /* CNTFRQ_EL0 */
    PMUV3_SYSREG(3, 3, 14, 3, 1),  /* CNTV_CTL_EL0 */
    PMUV3_SYSREG(3, 0, 0, 0, 0),   /* MIDR_EL1 */
};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum {
  COUNTS = 16, /* counts to choose from, of each event */
  WILD = COUNTS - 1,
  FAVOURITES = 4,
  MAX_SWINCS = 255, /* pending software increments that a counter holds */
  QUEUE_SIZE = MAX_SWINCS + 4 * PMUV3_MAX_COUNTERS,
  MAX_READABLE = 2 * PMUV3_MAX_COUNTERS + LENGTH(known_regs)
};

/* How the stream behaves for a while. Shares are of 256 unless said otherwise. */
struct phase {
  uint8_t share;      /* of all phases */
  uint16_t length;    /* in cycles, about */
  uint8_t density;    /* share of 16: how many of the selected events are listed */
  uint16_t quiet;     /* event-less cycles */
  uint8_t operations; /* cycles with something done to registers before or in them */
};

struct pmuv3_random {
  struct pmuv3_prng prng;
  struct pmuv3_params params;
  uint32_t implemented;        /* a bit per counter */
  uint64_t th_max;             /* the largest TH; 0 without TH */
  uint64_t type_mask[2];       /* bits that PMEVTYPER<n> has, by n % 2 */
  uint64_t spare[NUM_TARGETS]; /* bits that may be written as ones, also RES0 and unimplemented */
  uint16_t readable[MAX_READABLE];
  unsigned num_readable;
  unsigned next_readable; /* of the sweep over them */

  /* The shadow: what was programmed. */
  uint64_t type[PMUV3_LANES];
  uint32_t enabled;
  uint64_t pmcr;
  uint64_t mdcr;

  /* Events that can be listed: the selected ones first, in order[0..num_selected-1]. */
  uint8_t order[PMUV3_NUM_EVENTS];
  uint8_t place[PMUV3_NUM_EVENTS];
  unsigned num_listable;
  unsigned num_selected;
  uint32_t users[PMUV3_NUM_EVENTS + 1]; /* counters that select an event, or none (the last) */
  uint8_t counts[PMUV3_NUM_EVENTS][COUNTS];
  uint8_t favourite[FAVOURITES]; /* events that several counters select */

  const struct phase *phase;
  unsigned phase_left;

  /* The plan: accesses that come first, and what the cycle after them must have. */
  struct pmuv3_item queue[QUEUE_SIZE];
  unsigned queue_next;
  unsigned queue_end;
  unsigned swincs; /* writes of PMSWINC since the last cycle */
  bool cycle_is_planned;
  bool after_planned; /* the last cycle was planned */
  bool after_cycle;   /* nothing was done since the last cycle */
  bool restart_is_due;
  bool has_write;
  struct pmuv3_write write;
  enum pmuv3_event focus; /* listed with focus_count; PMUV3_EVENT_NONE: nothing special */
  uint8_t focus_count;

  struct pmuv3_item item;
  struct pmuv3_occurrence occurrences[PMUV3_NUM_EVENTS];
};

/* ---- Draws ---- */

static uint64_t draw(struct pmuv3_random *random) {
  return pmuv3_prng_next(&random->prng);
}

static unsigned below(struct pmuv3_random *random, unsigned n) {
  return pmuv3_prng_below(&random->prng, n);
}

static bool chance(struct pmuv3_random *random, unsigned share) {
  return pmuv3_prng_chance(&random->prng, share);
}

static unsigned any_counter(struct pmuv3_random *random) {
  return below(random, random->params.counters);
}

/* One of the bits of a mask that has some. */
static unsigned any_bit(uint32_t mask, unsigned rotation) {
  rotation &= 31;
  uint32_t rotated = rotation ? mask >> rotation | mask << (32 - rotation) : mask;
  return ((unsigned)__builtin_ctz(rotated) + rotation) & 31;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* ---- The shadow ---- */

static bool has(const struct pmuv3_random *random, enum pmuv3_feature feature) {
  return pmuv3_has(&random->params, feature);
}

/* Counters below it are those of the first range (PMCR_EL0), the others of the second (MDCR_EL2).
 */
static unsigned effective_hpmn(const struct pmuv3_random *random) {
  unsigned counters = random->params.counters;
  unsigned hpmn = (unsigned)PMUV3_GET(random->mdcr, MDCR_EL2, HPMN);
  bool reserved = hpmn > counters || (hpmn == 0 && !has(random, PMUV3_FEATURE_HPMN0));
  return !random->params.el2 || reserved ? counters : hpmn;
}

static bool in_first_range(const struct pmuv3_random *random, unsigned n) {
  return n < effective_hpmn(random);
}

/* Whether counter n overflows from bit 63. */
static bool overflows_long(const struct pmuv3_random *random, unsigned n) {
  if (!has(random, PMUV3_FEATURE_PMUv3p5)) return false;
  return in_first_range(random, n) ? PMUV3_GET(random->pmcr, PMCR, LP) != 0
                                   : PMUV3_GET(random->mdcr, MDCR_EL2, HLP) != 0;
}

static unsigned threshold_of(const struct pmuv3_random *random, unsigned n) {
  return (unsigned)(PMUV3_GET(random->type[n], PMEVTYPER, TH) & random->th_max);
}

static enum pmuv3_event event_of(const struct pmuv3_random *random, unsigned n) {
  return pmuv3_event_find((uint16_t)random->type[n]);
}

static bool is_listable(const struct pmuv3_random *random, enum pmuv3_event event) {
  return event < PMUV3_NUM_EVENTS && random->place[event] < random->num_listable;
}

/* ---- Counts that lean on the thresholds of the counters that select the event ---- */

/* Around a threshold, by i % 3: below, equal, above. */
static uint64_t count_near(uint64_t threshold, unsigned i) {
  if (threshold == 0 && i % 3 == 0) return 2;
  return threshold + i % 3 - 1;
}

static void choose_counts(struct pmuv3_random *random, enum pmuv3_event event) {
  uint64_t limit = pmuv3_event_limit(event);
  uint64_t bits = draw(random);
  uint8_t *counts = random->counts[event];
  for (unsigned i = 0; i < COUNTS; i++) {
    uint64_t count;
    switch (i) {
      case 9:
      case 10:
        count = 0;
        break;
      case 11:
        count = 1;
        break;
      case 12: /* at and above 2^THWIDTH: VB must not be cut */
        count = random->th_max + (bits & 3);
        break;
      case 13:
        count = limit - (bits >> 2 & limit & 1);
        break;
      case 14:
        count = 1 + (bits >> 3 & 7);
        break;
      case WILD:
        count = bits >> 6 & 0xFF;
        break;
      default: { /* three of the counters, each around its threshold */
        unsigned n = any_bit(random->users[event], (unsigned)(bits >> (14 + 5 * (i / 3))));
        count = count_near(threshold_of(random, n), i);
      }
    }
    counts[i] = (uint8_t)smaller(count, limit);
  }
}

/* Swaps a listable event to another place of the order. */
static void move_event(struct pmuv3_random *random, enum pmuv3_event event, unsigned to) {
  unsigned from = random->place[event];
  uint8_t other = random->order[to];
  random->order[to] = (uint8_t)event;
  random->place[event] = (uint8_t)to;
  random->order[from] = other;
  random->place[other] = (uint8_t)from;
}

/* Takes note of what counter n counts now, and of nobody or somebody else selecting an event. */
static void change_users(struct pmuv3_random *random, enum pmuv3_event event, uint32_t users) {
  bool was_selected = random->users[event] != 0;
  random->users[event] = users;
  if (!is_listable(random, event)) return;
  if (!was_selected && users) move_event(random, event, random->num_selected++);
  if (was_selected && !users) move_event(random, event, --random->num_selected);
  if (users) choose_counts(random, event);
}

static void note_type(struct pmuv3_random *random, unsigned n, uint64_t value) {
  enum pmuv3_event before = event_of(random, n);
  random->type[n] = value & random->type_mask[n % 2];
  enum pmuv3_event after = event_of(random, n);
  uint32_t bit = UINT32_C(1) << n;
  if (before != after) change_users(random, before, random->users[before] & ~bit);
  change_users(random, after, random->users[after] | bit);
}

/* Keeps the shadow true to a write. */
static void note_write(struct pmuv3_random *random, const struct pmuv3_write *write) {
  uint32_t counters = (uint32_t)write->value & random->implemented;
  switch (write->reg) {
    case PMUV3_PMCR:
      random->pmcr = write->value & ~PMUV3_MASK(PMCR, P);
      break;
    case PMUV3_MDCR_EL2:
      random->mdcr = write->value;
      break;
    case PMUV3_PMCNTENSET:
      random->enabled |= counters;
      break;
    case PMUV3_PMCNTENCLR:
      random->enabled &= ~counters;
      break;
    default:
      if (write->reg >= PMUV3_PMEVTYPER && write->reg < PMUV3_PMEVTYPERn(PMUV3_MAX_COUNTERS))
        note_type(random, (unsigned)(write->reg - PMUV3_PMEVTYPER), write->value);
  }
}

/* Every register is as at the start; the one that is not, MTPME, has no effect. */
static void note_reset(struct pmuv3_random *random) {
  random->mdcr = random->params.counters; /* HPMN */
  random->pmcr = 0;
  random->enabled = 0;
  for (unsigned n = 0; n < random->params.counters; n++) note_type(random, n, 0);
}

/* ---- Values for registers ---- */

/* Now and then any bits as ones, also RES0 and those of counters that are not there. */
static uint64_t with_spare(struct pmuv3_random *random, enum target target, uint64_t value) {
  return chance(random, 32) ? value | (draw(random) & random->spare[target]) : value;
}

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

/* An event that can be listed, of those that this phase prefers. */
static uint16_t favourite_number(struct pmuv3_random *random) {
  unsigned i = below(random, FAVOURITES);
  return pmuv3_event_number((enum pmuv3_event)random->favourite[i]);
}

static uint16_t implemented_number(struct pmuv3_random *random) {
  return pmuv3_event_number((enum pmuv3_event)below(random, PMUV3_NUM_EVENTS));
}

/* evtCount for counter n. */
static uint16_t any_event_number(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  switch (bits & 15) {
    case 0:
      return pmuv3_event_number(PMUV3_EVENT_SW_INCR);
    case 1:
      return pmuv3_event_number(PMUV3_EVENT_CPU_CYCLES);
    case 2: /* which an even counter must not count */
      return n % 2 == 1 || (bits >> 4 & 3) == 0 ? pmuv3_event_number(PMUV3_EVENT_CHAIN)
                                                : favourite_number(random);
    case 3:
    case 4: /* what the other counter of the pair counts */
      return (uint16_t)random->type[n ^ 1];
    case 5: { /* one bit beside an implemented number, or anything */
      uint16_t flip = (uint16_t)(1u << (bits >> 5 & 15));
      return bits >> 4 & 1 ? (uint16_t)(bits >> 16) : implemented_number(random) ^ flip;
    }
    case 6:
    case 7:
    case 8:
      return implemented_number(random);
    default:
      return favourite_number(random);
  }
}

#define PLACED(value, reg, field) ((uint64_t)(value) << PMUV3_##reg##_##field##_LSB)

/* PMEVTYPER<n> from nothing. */
static uint64_t new_type(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t type = any_event_number(random, n);
  type |= PLACED(bits & 1, PMEVTYPER, MT);
  if ((bits >> 1 & 7) == 0) return type; /* threshold counting disabled */
  type |= PLACED(bits >> 4 & 7, PMEVTYPER, TC);
  type |= PLACED((bits >> 7 & 7) < 3, PMEVTYPER, TE);
  if (bits >> 10 & 1) type |= PLACED(bits >> 11 & 3, PMEVTYPER, TLC);
  type |= PLACED(any_threshold(random), PMEVTYPER, TH);
  return type;
}

/* PMEVTYPER<n> with one thing changed. */
static uint64_t tweaked_type(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t more = bits >> 3;
  uint64_t type = random->type[n];
  uint64_t th_mask = PMUV3_MASK(PMEVTYPER, TH);
  switch (bits & 7) {
    case 0:
    case 1:
      return type ^ PLACED(1 + more % 8 % 7, PMEVTYPER, TC);
    case 2:
      return type ^ PLACED(1, PMEVTYPER, TE);
    case 3:
      return type ^ PLACED(1 + (more & 1), PMEVTYPER, TLC);
    case 4: {
      uint64_t step = more & 1 ? 1 : random->th_max; /* up or down by one */
      uint64_t threshold = (threshold_of(random, n) + step) & random->th_max;
      return (type & ~th_mask) | PLACED(threshold, PMEVTYPER, TH);
    }
    case 5:
      return (type & ~th_mask) | PLACED(any_threshold(random), PMEVTYPER, TH);
    default:
      return (type & ~UINT64_C(0xFFFF)) | any_event_number(random, n);
  }
}

/* What counter n adds for `count` occurrences, were it neither linked nor waiting for an edge. */
static uint64_t likely_increment(const struct pmuv3_random *random, unsigned n, unsigned count) {
  unsigned tc = (unsigned)PMUV3_GET(random->type[n], PMEVTYPER, TC);
  unsigned threshold = threshold_of(random, n);
  bool meets[4] = {count != threshold, count == threshold, count >= threshold, count < threshold};
  if (!meets[tc >> 1]) return 0;
  return tc & 1 || PMUV3_GET(random->type[n], PMEVTYPER, TE) ? 1 : count;
}

/* Occurrences in one cycle by which counter n is likely to count. */
static unsigned any_count(struct pmuv3_random *random, unsigned n) {
  enum pmuv3_event event = event_of(random, n);
  if (!is_listable(random, event)) return 1;
  unsigned count = 0;
  for (int tries = 0; tries < 4; tries++) {
    count = random->counts[event][below(random, COUNTS)];
    if (likely_increment(random, n, count) > 0) break;
  }
  return count;
}

/* A value from which an increment of `distance` overflows counter n, as it is configured. */
static uint64_t near_overflow(struct pmuv3_random *random, unsigned n, uint64_t distance) {
  uint64_t bits = draw(random);
  bool other = (bits & 7) == 0; /* at times near the bit that must not count */
  uint64_t value = 0 - distance;
  if ((bits >> 5 & 7) == 0) /* or the carry into the top bit, which must not count */
    value ^= UINT64_C(1) << (overflows_long(random, n) ? 63 : 31);
  if (overflows_long(random, n) != other || (bits >> 3 & 3) == 0) return value;
  return (value & UINT32_MAX) | (draw(random) & ~(uint64_t)UINT32_MAX);
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
    default:
      return counters;
  }
}

static uint64_t any_pmcr(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  uint64_t value = random->pmcr & PMUV3_MASK(PMCR, LP);
  if (bits & 1) value ^= PMUV3_MASK(PMCR, LP);
  if ((bits >> 1 & 3) == 0) value |= PMUV3_MASK(PMCR, P);
  if ((bits >> 3 & 7) != 0) value |= PMUV3_MASK(PMCR, E);
  return value;
}

static uint64_t any_mdcr(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  uint64_t hpmn_mask = PMUV3_MASK(MDCR_EL2, HPMN);
  uint64_t value = random->mdcr & (PMUV3_MASK(MDCR_EL2, HLP) | hpmn_mask);
  if (bits & 1) value ^= PMUV3_MASK(MDCR_EL2, HLP);
  if (bits & 2) value |= PMUV3_MASK(MDCR_EL2, MTPME);
  if ((bits >> 2 & 7) != 0) value |= PMUV3_MASK(MDCR_EL2, HPME);
  if (bits >> 5 & 1) value = (value & ~hpmn_mask) | any_hpmn(random);
  return value;
}

/* A set of counters: mostly n and its neighbourhood. */
static uint64_t any_counters(struct pmuv3_random *random, unsigned n) {
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

/* A write of a register that is not of one counter, aimed at counter n all the same. */
static struct pmuv3_write aimed_write(struct pmuv3_random *random, enum target target, unsigned n) {
  uint64_t value;
  if (target == TO_PMCR)
    value = any_pmcr(random);
  else if (target == TO_MDCR)
    value = any_mdcr(random);
  else
    value = any_counters(random, n);
  return (struct pmuv3_write){target_reg[target], with_spare(random, target, value)};
}

/* PMEVCNTR<n> for an overflow by `count` occurrences, or at times one short of it. */
static struct pmuv3_write arming_write(struct pmuv3_random *random, unsigned n, unsigned count) {
  uint64_t distance = likely_increment(random, n, count);
  if (distance == 0) distance = 1;
  if (chance(random, 24)) distance++;
  return (struct pmuv3_write){PMUV3_PMEVCNTRn(n), near_overflow(random, n, distance)};
}

/* PMEVCNTR<n>, mostly close to an overflow. */
static struct pmuv3_write counter_write(struct pmuv3_random *random, unsigned n) {
  if (chance(random, 8))
    return (struct pmuv3_write){PMUV3_PMEVCNTRn(n), near_overflow(random, n, 0)};
  return arming_write(random, n, any_count(random, n));
}

static struct pmuv3_write type_write(struct pmuv3_random *random, unsigned n, uint64_t type) {
  enum target target = n % 2 ? TO_EVTYPER_ODD : TO_EVTYPER_EVEN;
  return (struct pmuv3_write){PMUV3_PMEVTYPERn(n), with_spare(random, target, type)};
}

/* A write of anything, aimed at counter n. */
static struct pmuv3_write any_write(struct pmuv3_random *random, unsigned n) {
  static const uint8_t targets[16] = {TO_OVSCLR,   TO_OVSCLR,   TO_OVSCLR,   TO_OVSSET,
                                      TO_CNTENSET, TO_CNTENSET, TO_CNTENSET, TO_CNTENCLR,
                                      TO_CNTENCLR, TO_PMCR,     TO_PMCR,     TO_MDCR,
                                      TO_MDCR,     TO_INTENSET, TO_INTENCLR, TO_SWINC};
  uint64_t bits = draw(random);
  unsigned kind = random->params.counters ? (unsigned)(bits & 7) : 7;
  if (kind < 2) return counter_write(random, n);
  if (kind == 2) return type_write(random, n, new_type(random, n));
  if (kind == 3) return type_write(random, n, tweaked_type(random, n));
  return aimed_write(random, (enum target)targets[bits >> 3 & 15], n);
}

/* ---- Plans ---- */

static void push_item(struct pmuv3_random *random, enum pmuv3_item_kind kind,
                      struct pmuv3_write access) {
  random->queue[random->queue_end++] = (struct pmuv3_item){.kind = kind, .access = access};
}

/* A write between cycles. No counter ever holds more pending increments than it can. */
static void push(struct pmuv3_random *random, struct pmuv3_write write) {
  if (write.reg == PMUV3_PMSWINC) {
    if (random->swincs == MAX_SWINCS) return;
    random->swincs++;
  }
  push_item(random, PMUV3_ITEM_WRITE, write);
  note_write(random, &write);
}

static void push_value(struct pmuv3_random *random, uint16_t reg, uint64_t value) {
  push(random, (struct pmuv3_write){reg, value});
}

/* A write in the clock of the next cycle. */
static void plan_inline(struct pmuv3_random *random, struct pmuv3_write write) {
  random->cycle_is_planned = true;
  random->has_write = true;
  random->write = write;
}

/* Makes the next cycle list what counter n counts, if it can be listed. */
static void plan_focus(struct pmuv3_random *random, unsigned n, uint64_t count) {
  enum pmuv3_event event = event_of(random, n);
  random->cycle_is_planned = true;
  if (!is_listable(random, event)) return;
  random->focus = event;
  random->focus_count = (uint8_t)smaller(count, pmuv3_event_limit(event));
}

/* The register write that meets an overflow of counter n in its clock. */
static struct pmuv3_write clashing_write(struct pmuv3_random *random, unsigned n) {
  uint64_t bits = draw(random);
  uint64_t one = UINT64_C(1) << n;
  switch (bits & 15) {
    case 0:
    case 1:
    case 2:
      return aimed_write(random, TO_OVSCLR, n);
    case 3:
      return aimed_write(random, TO_OVSSET, n);
    case 4:
    case 5:
      return counter_write(random, n);
    case 6:
    case 7:
      return (struct pmuv3_write){PMUV3_PMCR, random->pmcr | PMUV3_MASK(PMCR, P)};
    case 8:
      return (struct pmuv3_write){PMUV3_PMCNTENCLR, one};
    case 9:
      return type_write(random, n, tweaked_type(random, n));
    case 10: /* the neighbour, which may be linked or chained */
      return (n ^ 1) < random->params.counters ? counter_write(random, n ^ 1)
                                               : counter_write(random, n);
    default:
      return any_write(random, n);
  }
}

/* A counter that can be made to count in a cycle, if a few tries find one. */
static unsigned counting_counter(struct pmuv3_random *random) {
  unsigned n = any_counter(random);
  for (int tries = 0; tries < 4; tries++) {
    enum pmuv3_event event = event_of(random, n);
    bool occurs = is_listable(random, event) || event == PMUV3_EVENT_CPU_CYCLES;
    if ((random->enabled >> n & 1) && occurs) break;
    n = any_counter(random);
  }
  return n;
}

/* Counter n overflows in the cycle to come, if it counts as its shadow suggests. */
static void plan_overflow(struct pmuv3_random *random, unsigned n) {
  unsigned count = any_count(random, n);
  push(random, arming_write(random, n, count));
  plan_focus(random, n, count);
}

/* A counter overflows and a register write meets it in the same clock. */
static void plan_clash(struct pmuv3_random *random) {
  unsigned n = counting_counter(random);
  if (chance(random, 96)) push_value(random, PMUV3_PMOVSCLR, random->implemented);
  plan_overflow(random, n);
  if (chance(random, 224)) plan_inline(random, clashing_write(random, n));
}

/* A pair of counters anew: what is linked, and what the even one is. */
static void plan_pair(struct pmuv3_random *random) {
  unsigned even = any_counter(random) & ~1u;
  uint64_t bits = draw(random);
  push(random, type_write(random, even, new_type(random, even)));
  if (even + 1 < random->params.counters) {
    uint64_t type = new_type(random, even + 1) & ~PMUV3_MASK(PMEVTYPER, TLC);
    type |= PLACED(1 + (bits & 1), PMEVTYPER, TLC);
    push(random, type_write(random, even + 1, type));
  }
  uint16_t enable = (bits >> 1 & 3) == 0 ? PMUV3_PMCNTENCLR : PMUV3_PMCNTENSET;
  push_value(random, enable, UINT64_C(1) << even);
  push_value(random, PMUV3_PMCNTENSET, UINT64_C(2) << even & random->implemented);
}

/* The odd counter of a pair, one that counts CHAIN already unless a new one is due. */
static unsigned chained_counter(struct pmuv3_random *random) {
  uint32_t chained = random->users[PMUV3_EVENT_CHAIN] & UINT32_C(0xAAAAAAAA);
  if (chained && !chance(random, 48)) return any_bit(chained, below(random, 32));
  return any_counter(random) | 1;
}

/* Makes counter n overflow from bit 31, whatever its range. */
static void push_short_overflow(struct pmuv3_random *random, unsigned n) {
  if (!overflows_long(random, n)) return;
  if (in_first_range(random, n))
    push_value(random, PMUV3_PMCR, random->pmcr & ~PMUV3_MASK(PMCR, LP));
  else
    push_value(random, PMUV3_MDCR_EL2, random->mdcr & ~PMUV3_MASK(MDCR_EL2, HLP));
}

/* The odd counter counts an overflow of the even one, at times across the ranges' border. */
static void plan_chain(struct pmuv3_random *random) {
  unsigned odd = chained_counter(random);
  unsigned even = odd - 1;
  uint64_t bits = draw(random);
  if (odd < random->params.counters) {
    if (event_of(random, odd) != PMUV3_EVENT_CHAIN) {
      uint64_t type = bits & 1 ? 0 : new_type(random, odd) & ~UINT64_C(0xFFFF);
      type |= pmuv3_event_number(PMUV3_EVENT_CHAIN);
      push(random, type_write(random, odd, type));
    }
    if (bits & 2) push_value(random, PMUV3_PMEVCNTRn(odd), near_overflow(random, odd, 1));
  }
  if ((bits >> 2 & 15) == 0) {
    uint64_t hpmn_mask = PMUV3_MASK(MDCR_EL2, HPMN);
    push_value(random, PMUV3_MDCR_EL2, (random->mdcr & ~hpmn_mask) | odd);
  }
  if ((bits >> 6 & 3) != 0) push_short_overflow(random, even);
  plan_overflow(random, even);
  if (bits >> 8 & 1) plan_inline(random, clashing_write(random, even));
}

/* Everything anew, and counting. */
static void plan_restart(struct pmuv3_random *random) {
  uint64_t e = PMUV3_MASK(PMCR, E);
  push_value(random, PMUV3_PMCR, any_pmcr(random) | e | PMUV3_MASK(PMCR, P));
  push_value(random, PMUV3_MDCR_EL2, any_mdcr(random) | PMUV3_MASK(MDCR_EL2, HPME));
  for (unsigned n = 0; n < random->params.counters; n++) {
    push(random, type_write(random, n, new_type(random, n)));
    push(random, counter_write(random, n));
  }
  push_value(random, PMUV3_PMCNTENSET, random->implemented);
  push_value(random, PMUV3_PMINTENSET, draw(random) & random->implemented);
}

/*
 * A Warm reset, and what brings to light what it left behind: all counters count
 * in the first cycle after it, as the reset left them or with everything anew.
 */
static void push_reset(struct pmuv3_random *random) {
  push_item(random, PMUV3_ITEM_RESET, (struct pmuv3_write){0});
  note_reset(random);
  random->swincs = 0;
  random->restart_is_due = chance(random, 128);
  if (random->restart_is_due) {
    push_value(random, PMUV3_PMCNTENSET, random->implemented);
    push_value(random, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
  } else {
    plan_restart(random);
  }
}

/*
 * Software increments: a few, about a threshold, or as many as a counter holds
 * and one more inline. At times something else is written while they wait.
 */
static void plan_swincs(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  unsigned n = any_counter(random);
  if (random->users[PMUV3_EVENT_SW_INCR])
    n = any_bit(random->users[PMUV3_EVENT_SW_INCR], (unsigned)(bits >> 8));
  else if ((bits >> 4 & 3) == 0)
    push(random, type_write(random, n, random->type[n] & ~UINT64_C(0xFFFF)));

  bool most = (bits >> 16 & 0xFF) == 0;
  uint64_t times = 1 + (bits & 3);
  if ((bits >> 2 & 1) == 0) times = smaller(count_near(threshold_of(random, n), bits >> 13 & 3), 9);
  if (most) times = MAX_SWINCS;
  struct pmuv3_write increment = {PMUV3_PMSWINC, any_counters(random, n) | UINT64_C(1) << n};
  while (times-- > 0) push(random, increment);

  if ((bits >> 27 & 63) == 0)
    push_reset(random);
  else if ((bits >> 24 & 7) == 0)
    push_value(random, PMUV3_PMCR, random->pmcr | PMUV3_MASK(PMCR, P));
  else if ((bits >> 24 & 7) == 1)
    push(random, any_write(random, n));
  if (most || (bits >> 3 & 1)) plan_inline(random, increment);
}

/* Many counters overflow at about the same time, flags cleared before. */
static void plan_arming(struct pmuv3_random *random) {
  uint64_t chosen = draw(random);
  if (chance(random, 64)) chosen = ~UINT64_C(0);
  push_value(random, PMUV3_PMOVSCLR, random->implemented);
  for (unsigned n = 0; n < random->params.counters; n++)
    if (chosen >> n & 1) push(random, counter_write(random, n));
  random->cycle_is_planned = true;
  if (chosen >> 63) plan_inline(random, any_write(random, any_counter(random)));
}

static void plan_read(struct pmuv3_random *random) {
  uint16_t reg = random->readable[below(random, random->num_readable)];
  push_item(random, PMUV3_ITEM_READ, (struct pmuv3_write){reg, 0});
}

/* Enables again what keeps most counters from counting. False: nothing does. */
static bool plan_recovery(struct pmuv3_random *random) {
  unsigned counters = random->params.counters;
  unsigned hpmn = effective_hpmn(random);
  uint64_t e = PMUV3_MASK(PMCR, E);
  uint64_t hpme = PMUV3_MASK(MDCR_EL2, HPME);
  if (hpmn > 0 && !(random->pmcr & e))
    push_value(random, PMUV3_PMCR, random->pmcr | e);
  else if (hpmn < counters && !(random->mdcr & hpme))
    push_value(random, PMUV3_MDCR_EL2, random->mdcr | hpme);
  else if (2 * (unsigned)__builtin_popcount(random->enabled) <= counters)
    push_value(random, PMUV3_PMCNTENSET, random->implemented);
  else
    return false;
  return true;
}

/* Something done to registers, before or in the next cycle. */
static void plan_operation(struct pmuv3_random *random) {
  unsigned counters = random->params.counters;
  if (counters && chance(random, 128) && plan_recovery(random)) return;
  unsigned kind = (unsigned)(draw(random) >> 56);
  if (kind >= 244) {
    plan_read(random);
  } else if (kind >= 144 || !counters) {
    struct pmuv3_write write = any_write(random, counters ? any_counter(random) : 0);
    if (kind & 1)
      push(random, write);
    else
      plan_inline(random, write);
  } else if (kind >= 56) {
    plan_clash(random);
  } else if (kind >= 36) {
    plan_chain(random);
  } else if (kind >= 24) {
    plan_pair(random);
  } else if (kind >= 4) {
    plan_swincs(random);
  } else if (kind >= 1) {
    plan_arming(random);
  } else {
    plan_restart(random);
  }
}

/* ---- Beside the plans: reads, accesses to be refused, resets ---- */

/* The encoding of a register of counter n: PMEVCNTR<n> or PMEVTYPER<n>, which for n = 31 are none.
 */
static uint16_t reg_of_counter(unsigned n, bool is_type) {
  return (uint16_t)((is_type ? PMUV3_PMEVTYPER : PMUV3_PMEVCNTR) + n);
}

/* An encoding that is perhaps not of a register, or of one that cannot be accessed both ways. */
static uint16_t odd_encoding(struct pmuv3_random *random, uint64_t bits) {
  static const uint16_t one_way[] = {PMUV3_PMCEID0, PMUV3_PMCEID1, PMUV3_PMMIR, PMUV3_PMMIR,
                                     PMUV3_PMSWINC};
  bool is_type = bits >> 3 & 1;
  uint64_t more = bits >> 4;
  unsigned counters = random->params.counters;
  switch (bits & 7) {
    case 0:
    case 1:
      return reg_of_counter(counters, is_type);
    case 2:
      return reg_of_counter(30 + (more & 1), is_type);
    case 3:
      return reg_of_counter(counters + below(random, PMUV3_LANES - counters), is_type);
    case 4:
      return one_way[below(random, LENGTH(one_way))];
    case 5: { /* one bit beside a register; beside a counter's it is often a register as well */
      uint16_t reg = known_regs[below(random, LENGTH(known_regs))];
      if (reg == PMUV3_PMEVCNTR || reg == PMUV3_PMEVTYPER) reg |= more >> 4 & (PMUV3_LANES - 1);
      return reg ^ (uint16_t)(1u << (more & 15));
    }
    case 6:
      return foreign_regs[below(random, LENGTH(foreign_regs))];
    default:
      return (uint16_t)(more & UINT16_MAX);
  }
}

/* Known here of the registers that go one way, else as the C model says. */
static bool is_refused(const struct pmuv3_random *random, bool is_write, uint16_t reg) {
  bool goes_one_way = is_write ? reg == PMUV3_PMCEID0 || reg == PMUV3_PMCEID1 || reg == PMUV3_PMMIR
                               : reg == PMUV3_PMSWINC;
  if (goes_one_way) return true;
  enum pmuv3_access access = is_write ? pmuv3_register_writable(&random->params, reg)
                                      : pmuv3_register_readable(&random->params, reg);
  return access != PMUV3_ACCESS_OK;
}

/* An access that must be refused, if a few tries find one. */
static void plan_refused(struct pmuv3_random *random) {
  for (int tries = 0; tries < 4; tries++) {
    uint64_t bits = draw(random);
    bool is_write = bits >> 63;
    uint16_t reg = odd_encoding(random, bits);
    if (!is_refused(random, is_write, reg)) is_write = !is_write;
    if (!is_refused(random, is_write, reg)) continue;
    if (is_write) {
      uint64_t value = bits >> 62 & 1 ? ~UINT64_C(0) : draw(random);
      push_item(random, PMUV3_ITEM_REFUSED_WRITE, (struct pmuv3_write){reg, value});
    } else {
      push_item(random, PMUV3_ITEM_REFUSED_READ, (struct pmuv3_write){reg, 0});
    }
    return;
  }
}

/* The next register of a sweep over all that can be read. */
static void plan_sweep(struct pmuv3_random *random) {
  uint16_t reg = random->readable[random->next_readable++];
  if (random->next_readable == random->num_readable) random->next_readable = 0;
  push_item(random, PMUV3_ITEM_READ, (struct pmuv3_write){reg, 0});
}

/* After each cycle: rare things, resets above all where a plan just met its corner. */
static void plan_rarities(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  unsigned resets = random->after_planned ? 48 : 12; /* of 65536 */
  if ((bits & 15) == 0) plan_sweep(random);
  if ((bits >> 4 & 63) == 0) plan_refused(random);
  if (random->restart_is_due) {
    random->restart_is_due = false;
    plan_restart(random);
  } else if ((bits >> 10 & UINT16_MAX) < resets) {
    push_reset(random);
  }
}

/* ---- Phases ---- */

static const struct phase phases[] = {
    {100, 160, 12, 16, 24}, /* events flow */
    {48, 160, 4, 64, 24},   /* few events */
    {40, 100, 16, 0, 24},   /* every event in every cycle */
    {24, 24, 0, 256, 24},   /* idle */
    {24, 40, 12, 24, 128},  /* reprogramming */
    {20, 300, 10, 40, 4},   /* left alone */
};

static void begin_phase(struct pmuv3_random *random) {
  unsigned kind = (unsigned)(draw(random) >> 56);
  random->phase = phases;
  while (kind >= random->phase->share) kind -= random->phase++->share;
  random->phase_left = 1 + below(random, 2u * random->phase->length);
  unsigned changed = below(random, FAVOURITES);
  random->favourite[changed] = random->order[below(random, random->num_listable)];
}

/* ---- Cycles ---- */

/* Lists the selected events with counts of theirs. This is the inner loop of the generator. */
static unsigned list_selected(struct pmuv3_random *random) {
  unsigned density = random->phase->density;
  unsigned num = 0;
  uint64_t bits = 0;
  for (unsigned i = 0; i < random->num_selected; i++) {
    if (i % 8 == 0) bits = draw(random);
    unsigned event = random->order[i];
    random->occurrences[num].event = (uint8_t)event;
    random->occurrences[num].count = random->counts[event][bits & (COUNTS - 1)];
    num += (bits >> 4 & 15) < density;
    bits >>= 8;
  }
  return num;
}

/* Lists an event that no counter selects; it must not be counted. */
static unsigned list_other(struct pmuv3_random *random, unsigned num, uint64_t bits) {
  unsigned others = random->num_listable - random->num_selected;
  if (others == 0) return num;
  unsigned event = random->order[random->num_selected + below(random, others)];
  uint64_t count = smaller(bits & 0xFF, pmuv3_event_limit((enum pmuv3_event)event));
  random->occurrences[num] = (struct pmuv3_occurrence){(uint8_t)event, (uint8_t)count};
  return num + 1;
}

/* Lists the event in focus with its count, once. */
static unsigned list_focus(struct pmuv3_random *random, unsigned num) {
  unsigned i = 0;
  while (i < num && random->occurrences[i].event != random->focus) i++;
  random->occurrences[i] = (struct pmuv3_occurrence){(uint8_t)random->focus, random->focus_count};
  random->focus = PMUV3_EVENT_NONE;
  return i < num ? num : num + 1;
}

static unsigned list_occurrences(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  unsigned num = 0;
  if ((bits & 0xFF) >= random->phase->quiet) {
    num = list_selected(random);
    if ((bits >> 8 & 7) == 0) num = list_other(random, num, bits >> 16);
  }
  if (random->focus != PMUV3_EVENT_NONE) num = list_focus(random, num);
  unsigned refreshed = random->order[bits >> 40 & 15];
  random->counts[refreshed][WILD] =
      (uint8_t)smaller(bits >> 24 & 0xFF, pmuv3_event_limit((enum pmuv3_event)refreshed));
  return num;
}

static const struct pmuv3_item *make_cycle(struct pmuv3_random *random) {
  unsigned num = list_occurrences(random);
  random->item = (struct pmuv3_item){.kind = PMUV3_ITEM_CYCLE,
                                     .cycle = {.occurrences = random->occurrences,
                                               .num_occurrences = (uint8_t)num,
                                               .has_write = random->has_write,
                                               .write = random->write}};
  if (random->has_write) note_write(random, &random->write);
  random->after_cycle = true;
  random->after_planned = random->cycle_is_planned;
  random->cycle_is_planned = false;
  random->has_write = false;
  random->write = (struct pmuv3_write){0};
  random->swincs = 0;
  random->phase_left--;
  return &random->item;
}

/* ---- The generator ---- */

static const struct pmuv3_item *next_queued(struct pmuv3_random *random) {
  return &random->queue[random->queue_next++];
}

const struct pmuv3_item *pmuv3_random_next(struct pmuv3_random *random) {
  if (random->queue_next < random->queue_end) return next_queued(random);
  random->queue_next = random->queue_end = 0;
  if (random->after_cycle) {
    random->after_cycle = false;
    plan_rarities(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  if (random->phase_left == 0) begin_phase(random);
  if (!random->cycle_is_planned && chance(random, random->phase->operations)) {
    plan_operation(random);
    if (random->queue_end > 0) return next_queued(random);
  }
  return make_cycle(random);
}

static void find_registers(struct pmuv3_random *random) {
  const struct pmuv3_params *params = &random->params;
  for (size_t i = 0; i < LENGTH(known_regs); i++) {
    bool is_indexed = known_regs[i] == PMUV3_PMEVCNTR || known_regs[i] == PMUV3_PMEVTYPER;
    unsigned copies = is_indexed ? params->counters : 1;
    for (unsigned n = 0; n < copies; n++) {
      uint16_t reg = (uint16_t)(known_regs[i] + n);
      if (pmuv3_register_readable(params, reg) == PMUV3_ACCESS_OK)
        random->readable[random->num_readable++] = reg;
    }
  }
}

/* Bits of a register that may be written as ones, whether or not a side says that they exist. */
static uint64_t spare_bits(const struct pmuv3_params *params, uint16_t reg) {
  uint64_t spare = 0;
  for (unsigned i = 0; i < 64; i++) {
    uint64_t bit = UINT64_C(1) << i;
    if (!pmuv3_register_unsupported(params, reg, bit)) spare |= bit;
  }
  return spare;
}

static void find_spare_bits(struct pmuv3_random *random) {
  for (unsigned t = 0; t < NUM_TARGETS; t++) {
    uint16_t reg = target_reg[t];
    random->spare[t] = spare_bits(&random->params, reg);
  }
  random->type_mask[0] = pmuv3_register_mask(&random->params, PMUV3_PMEVTYPERn(0));
  random->type_mask[1] = pmuv3_register_mask(&random->params, PMUV3_PMEVTYPERn(1));
}

static void find_events(struct pmuv3_random *random) {
  unsigned num = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
      enum pmuv3_event event = (enum pmuv3_event)e;
      bool listable = pmuv3_event_class_of(event) != PMUV3_EVENT_CLASS_SELF &&
                      pmuv3_event_fits(&random->params, event);
      if (listable == (pass == 1)) continue;
      random->place[event] = (uint8_t)num;
      random->order[num++] = (uint8_t)event;
    }
    if (pass == 0) random->num_listable = num;
  }
  for (unsigned i = 0; i < FAVOURITES; i++)
    random->favourite[i] = random->order[below(random, random->num_listable)];
}

struct pmuv3_random *pmuv3_random_create(const struct pmuv3_params *params, uint64_t seed) {
  struct pmuv3_random *random = calloc(1, sizeof *random);
  if (!random) return NULL;
  pmuv3_prng_seed(&random->prng, seed);
  random->params = *params;
  random->implemented = (UINT32_C(1) << params->counters) - 1;
  random->th_max = has(random, PMUV3_FEATURE_TH) ? (UINT64_C(1) << params->th_width) - 1 : 0;
  random->focus = PMUV3_EVENT_NONE;
  find_registers(random);
  find_spare_bits(random);
  find_events(random);
  note_reset(random);
  plan_restart(random);
  return random;
}

void pmuv3_random_destroy(struct pmuv3_random *random) {
  free(random);
}
