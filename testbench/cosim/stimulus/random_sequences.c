/*
 * Sequences: items that meet at a corner in the next cycle, of one thread. And what
 * is rare: reads, accesses to be refused, resets.
 */
#include "testbench/cosim/stimulus/random_internal.h"

/* ---- Parts of a sequence ---- */

/* Whether a register is in part the external agent's: of a counter of its range, or with a bit for
 * one. */
static bool is_agents(const struct pmuv3_random *random, const struct thread *thread,
                      uint16_t reg) {
  unsigned epmn = random_epmn(random, thread);
  if (epmn == random->params.counters) return false;
  if (is_count(reg)) return reg >= PMUV3_PMEVCNTRn(epmn);
  if (is_type(reg)) return reg >= PMUV3_PMEVTYPERn(epmn);
  return reg == PMUV3_PMCNTENSET || reg == PMUV3_PMCNTENCLR || reg == PMUV3_PMOVSCLR ||
         reg == PMUV3_PMOVSSET || reg == PMUV3_PMINTENSET;
}

/* A write between cycles; of what System registers do not reach, through the page as well. No
 * counter ever holds more pending increments than it can. */
static void push(struct pmuv3_random *random, struct thread *thread, struct pmuv3_write write) {
  if (is_increment(write.reg)) {
    if (thread->pending == MAX_PENDING) return;
    thread->pending++;
  }
  queue_up(random, thread, PMUV3_ITEM_WRITE)->access = write;
  random_note_write(random, thread, &write);
  if (is_agents(random, thread, write.reg)) random_push_through_page(random, thread, &write);
}

static void push_value(struct pmuv3_random *random, struct thread *thread, uint16_t reg,
                       uint64_t value) {
  push(random, thread, write_of(reg, value));
}

/* A new value for a register, if there is such a register. */
static void push_new(struct pmuv3_random *random, struct thread *thread, enum target target) {
  if (random->is_there[target]) push(random, thread, random_aimed_write(random, thread, target, 0));
}

/* A field of a register that keeps what is written. */
static void push_field(struct pmuv3_random *random, struct thread *thread, enum target target,
                       uint64_t mask, uint64_t placed) {
  if (random->is_there[target])
    push_value(random, thread, random_target_reg[target], (thread->held[target] & ~mask) | placed);
}

/* Sets bits of a register that keeps what is written. */
static void push_bits(struct pmuv3_random *random, struct thread *thread, enum target target,
                      uint64_t bits) {
  push_value(random, thread, random_target_reg[target], thread->held[target] | bits);
}

/* A write in the clock of the next cycle. */
static void sequence_inline(struct pmuv3_random *random, const struct thread *thread,
                            struct pmuv3_write write) {
  random->cycle_is_planned = true;
  random->has_write |= (uint8_t)(1u << thread->number);
  random->write[thread->number] = write;
}

/* Likewise of the external view. */
static void sequence_inline_external(struct pmuv3_random *random, struct pmuv3_external write) {
  random->cycle_is_planned = true;
  random->has_external = true;
  random->external = write;
}

/* A write in the clock of the next cycle, by one of the ways there are. */
static void sequence_meeting(struct pmuv3_random *random, const struct thread *thread,
                             struct pmuv3_write write) {
  struct pmuv3_external external;
  unsigned way = (unsigned)(draw(random) >> 60);
  if (way < 3 && random_as_external(random, thread, &write, &external))
    sequence_inline_external(random, external);
  else
    sequence_inline(random, thread, way < 6 ? random_checked(random, thread, write) : write);
}

/* Makes the next cycle list an event of the thread, if it can be listed. */
static void sequence_focus(struct pmuv3_random *random, struct thread *thread, unsigned event,
                           uint64_t count) {
  random->cycle_is_planned = true;
  if (!is_listable(random, event)) return;
  thread->focus = event;
  thread->focus_count = (uint8_t)smaller(count, random->event[event].most);
}

/* A counter that can be made to count in a cycle, if a few tries find one. */
static unsigned counting_counter(struct pmuv3_random *random, const struct thread *thread) {
  unsigned n = any_counter(random);
  for (int tries = 0; tries < 4; tries++) {
    unsigned event = event_of(thread, n);
    bool occurs = is_listable(random, event) || event == random->cpu_cycles;
    if ((thread->enabled >> n & 1) && occurs) break;
    n = any_counter(random);
  }
  return n;
}

unsigned random_kind_of_counter(struct pmuv3_random *random) {
  bool is_fixed = chance(random, 48) || random->params.counters == 0;
  if (!is_fixed) return any_counter(random);
  bool is_instructions = has(random, PMUV3_FEATURE_ICNTR) && chance(random, 128);
  return is_instructions ? INSTRUCTION_COUNTER : CYCLE_COUNTER;
}

/* ---- Overflows, and writes in their clock ---- */

/* The register write that meets an overflow of counter n in its clock. */
static struct pmuv3_write clashing_write(struct pmuv3_random *random, const struct thread *thread,
                                         unsigned n) {
  uint64_t bits = draw(random);
  uint64_t one = UINT64_C(1) << n;
  bool is_event_counter = n < random->params.counters;
  switch (bits & 15) {
    case 0:
    case 1:
    case 2:
      return random_aimed_write(random, thread, TO_PMOVSCLR, n);
    case 3:
      return random_aimed_write(random, thread, TO_PMOVSSET, n);
    case 4:
    case 5:
      if (n == CYCLE_COUNTER) return random_aimed_write(random, thread, TO_PMCCNTR, n);
      if (n == INSTRUCTION_COUNTER) return random_aimed_write(random, thread, TO_PMICNTR, n);
      return random_counter_write(random, thread, n);
    case 6:
    case 7: /* P of event counters, C of the cycle counter */
      return write_of(PMUV3_PMCR, thread->held[TO_PMCR] | (is_event_counter ? PMUV3_MASK(PMCR, P)
                                                                            : PMUV3_MASK(PMCR, C)));
    case 8:
      return write_of(PMUV3_PMCNTENCLR, one);
    case 9:
      if (!is_event_counter) return random_aimed_write(random, thread, TO_PMCR, n);
      return random_type_write(random, n, random_tweaked_type(random, thread, n));
    case 11: /* PMCR.P of some counters, with PMUv3p9 */
      return random_aimed_write(random, thread, random->is_there[TO_PMZR] ? TO_PMZR : TO_PMCR, n);
    case 12: /* a capture of what the cycle leaves, with SS */
      return random_aimed_write(random, thread,
                                random->is_there[TO_PMSSCR] ? TO_PMSSCR : TO_PMOVSCLR, n);
    case 10: /* the neighbour, which may be linked or chained */
      return random_any_write(random, thread, (n ^ 1) < random->params.counters ? n ^ 1 : n);
    default:
      return random_any_write(random, thread, n);
  }
}

/* Counter n overflows in the cycle to come, if it counts as its shadow suggests. */
static void sequence_overflow(struct pmuv3_random *random, struct thread *thread, unsigned n) {
  unsigned count = random_likely_count(random, thread, n);
  push(random, thread, random_arming_write(random, thread, n, count));
  sequence_focus(random, thread, event_of(thread, n), count);
}

/* Likewise the cycle or the instruction counter. */
static void sequence_fixed_overflow(struct pmuv3_random *random, struct thread *thread,
                                    unsigned n) {
  uint64_t count = 1;
  uint16_t reg = PMUV3_PMCCNTR;
  if (n == INSTRUCTION_COUNTER) {
    count = random->counts[random->inst_retired][below(random, COUNTS)];
    if (count == 0) count = 1;
    sequence_focus(random, thread, random->inst_retired, count);
    reg = PMUV3_PMICNTR;
  }
  if (chance(random, 24)) count++;
  push_value(random, thread, reg, random_near_overflow(random, thread, n, count));
}

/* A counter overflows and a register write meets it in the same clock. */
static void sequence_clash(struct pmuv3_random *random, struct thread *thread) {
  unsigned n = random_kind_of_counter(random);
  bool is_event_counter = n < random->params.counters;
  if (is_event_counter) n = counting_counter(random, thread);
  if (chance(random, 96)) push_value(random, thread, PMUV3_PMOVSCLR, random->implemented);
  if (is_event_counter)
    sequence_overflow(random, thread, n);
  else
    sequence_fixed_overflow(random, thread, n);
  if (chance(random, 224)) sequence_meeting(random, thread, clashing_write(random, thread, n));
}

/* Many counters overflow at about the same time, flags cleared before. */
static void sequence_arming(struct pmuv3_random *random, struct thread *thread) {
  uint64_t chosen = draw(random);
  if (chance(random, 64)) chosen = ~UINT64_C(0);
  push_value(random, thread, PMUV3_PMOVSCLR, random->implemented);
  for (unsigned n = 0; n < random->params.counters; n++)
    if (chosen >> n & 1) push(random, thread, random_counter_write(random, thread, n));
  random->cycle_is_planned = true;
  if (chosen >> 63)
    sequence_inline(random, thread,
                    random_any_write(random, thread, random_kind_of_counter(random)));
}

/* A flag that freezes, of a counter in synchronous mode at times; it is cleared soon. */
static void sequence_freeze(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  unsigned n = random_kind_of_counter(random);
  if (n < random->params.counters && (bits & 1)) {
    uint64_t type = thread->type[n] ^ PMUV3_MASK(PMEVTYPER, SYNC);
    push(random, thread, random_type_write(random, n, type));
  }
  push_value(random, thread, PMUV3_PMOVSCLR, random->implemented);
  if (bits >> 1 & 3)
    push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, FZO) | PMUV3_MASK(PMCR, E));
  if (bits >> 3 & 1) push_bits(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPMFZO));
  struct pmuv3_write flag = write_of(PMUV3_PMOVSSET, UINT64_C(1) << n);
  if (n < random->params.counters && (bits >> 4 & 3) == 0)
    sequence_overflow(random, thread, n);
  else if (bits >> 4 & 1)
    sequence_inline(random, thread, flag);
  else
    push(random, thread, flag);
  thread->thaw = 2 + (bits >> 6 & 7);
}

/* ---- Pairs ---- */

/* A pair of counters anew: what is linked, and what the even one is. */
static void sequence_pair(struct pmuv3_random *random, struct thread *thread) {
  unsigned even = any_counter(random) & ~1u;
  uint64_t bits = draw(random);
  push(random, thread, random_type_write(random, even, random_new_type(random, thread, even)));
  if (even + 1 < random->params.counters) {
    uint64_t type = random_new_type(random, thread, even + 1) & ~PMUV3_MASK(PMEVTYPER, TLC);
    type |= PLACED(1 + (bits & 1), PMEVTYPER, TLC);
    push(random, thread, random_type_write(random, even + 1, type));
  }
  uint16_t enable = (bits >> 1 & 3) == 0 ? PMUV3_PMCNTENCLR : PMUV3_PMCNTENSET;
  push_value(random, thread, enable, UINT64_C(1) << even);
  push_value(random, thread, PMUV3_PMCNTENSET, UINT64_C(2) << even & random->implemented);
}

/* The odd counter of a pair, one that counts CHAIN already unless a new one is due. */
static unsigned chained_counter(struct pmuv3_random *random, const struct thread *thread) {
  uint32_t chained = thread->users[random->chain] & UINT32_C(0xAAAAAAAA);
  if (chained && !chance(random, 48)) return any_bit(chained, below(random, 32));
  return any_counter(random) | 1;
}

/* Makes counter n overflow from bit 31, whatever its range. */
static void push_short_overflow(struct pmuv3_random *random, struct thread *thread, unsigned n) {
  if (!random_overflows_long(random, thread, n)) return;
  if (n < random_hpmn(random, thread))
    push_value(random, thread, PMUV3_PMCR, thread->held[TO_PMCR] & ~PMUV3_MASK(PMCR, LP));
  else
    push_value(random, thread, PMUV3_MDCR_EL2,
               thread->held[TO_MDCR_EL2] & ~PMUV3_MASK(MDCR_EL2, HLP));
}

/* The odd counter counts an overflow of the even one, at times across the ranges' border. */
static void sequence_chain(struct pmuv3_random *random, struct thread *thread) {
  unsigned odd = chained_counter(random, thread);
  unsigned even = odd - 1;
  uint64_t bits = draw(random);
  if (odd < random->params.counters) {
    if (event_of(thread, odd) != random->chain) {
      uint64_t type = bits & 1 ? thread->type[even] : random_new_type(random, thread, odd);
      type &= ~UINT64_C(0xFFFF);
      if (bits & 1) type &= UINT32_MAX; /* neither threshold nor link */
      type |= PMUV3_EVENT_CHAIN;
      push(random, thread, random_type_write(random, odd, type));
    }
    if (bits & 2)
      push_value(random, thread, PMUV3_PMEVCNTRn(odd),
                 random_near_overflow(random, thread, odd, 1));
  }
  if ((bits >> 2 & 15) == 0) {
    uint64_t hpmn_mask = PMUV3_MASK(MDCR_EL2, HPMN);
    push_value(random, thread, PMUV3_MDCR_EL2, (thread->held[TO_MDCR_EL2] & ~hpmn_mask) | odd);
  }
  if ((bits >> 6 & 3) != 0) push_short_overflow(random, thread, even);
  sequence_overflow(random, thread, even);
  if (bits >> 8 & 1) sequence_meeting(random, thread, clashing_write(random, thread, even));
}

/* ---- Everything anew ---- */

/* The Software Lock open, and range R3 anew. */
static void push_agents(struct pmuv3_random *random, struct thread *thread) {
  if (has(random, PMUV3_FEATURE_EXT32))
    random_push_external(random, random_agent_write(random, thread, PAGE_PMLAR, PAGE_KEY));
  if (has(random, PMUV3_FEATURE_EXTPMN))
    random_push_external(
        random, random_agent_write(random, thread, PAGE_PMCCR, (uint32_t)random_pmccr(random)));
}

/* A thread's registers anew, and counting. */
static void push_restart(struct pmuv3_random *random, struct thread *thread) {
  static const uint8_t targets[] = {TO_PMCR,      TO_MDCR_EL2,  TO_MDCR_EL3,  TO_SDER32_EL3,
                                    TO_PMECR,     TO_PMUSERENR, TO_PMUACR,    TO_PMSELR,
                                    TO_PMCCFILTR, TO_PMCCNTR,   TO_PMICFILTR, TO_PMICNTR};
  push_agents(random, thread);
  for (unsigned i = 0; i < LENGTH(targets); i++) push_new(random, thread, (enum target)targets[i]);
  push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E));
  push_bits(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPME));
  for (unsigned n = 0; n < random->params.counters; n++) {
    push(random, thread, random_type_write(random, n, random_new_type(random, thread, n)));
    push(random, thread, random_counter_write(random, thread, n));
  }
  push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
  push_value(random, thread, PMUV3_PMINTENSET, draw(random) & random->implemented);
}

static void sequence_restart(struct pmuv3_random *random) {
  for (unsigned t = 0; t < random->params.threads; t++) push_restart(random, &random->threads[t]);
}

void random_sequence_start(struct pmuv3_random *random) {
  random->restart_is_due = chance(random, 128);
  if (!random->restart_is_due) {
    sequence_restart(random);
    return;
  }
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct thread *thread = &random->threads[t];
    push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
    push_value(random, thread, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
  }
}

/* A Warm reset, which software increments that wait do not survive. */
static void push_reset(struct pmuv3_random *random) {
  queue_up(random, &random->threads[0], PMUV3_ITEM_RESET)->access = (struct pmuv3_write){0};
  random_note_reset(random);
  random_sequence_start(random);
}

/* ---- Software increments ---- */

/* Increments of counter n, which wait for the next cycle. */
static void push_increments(struct pmuv3_random *random, struct thread *thread, unsigned n,
                            uint64_t times) {
  uint64_t counters = random_counters(random, n) | UINT64_C(1) << n;
  while (times-- > 0) push_value(random, thread, PMUV3_PMSWINC, counters);
}

/*
 * A few, about a threshold, some tens, or many: as many as a counter holds, or not quite, and one
 * more inline. At times something else is written while they wait, or another thread makes some,
 * too.
 */
static void sequence_increments(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  unsigned n = any_counter(random);
  if (thread->users[random->sw_incr])
    n = any_bit(thread->users[random->sw_incr], (unsigned)(bits >> 8));
  else if ((bits >> 4 & 3) == 0)
    push(random, thread, random_type_write(random, n, thread->type[n] & ~UINT64_C(0xFFFF)));

  bool most = (bits >> 16 & 0xFF) == 0;
  uint64_t times = 1 + (bits & 3);
  if ((bits >> 2 & 1) == 0)
    times = smaller(random_count_near(threshold_of(random, thread, n), bits >> 13 & 3), 9);
  if (most)
    times = bits >> 36 & 1 ? MAX_PENDING : 64 + (bits >> 37 & 127);
  else if ((bits >> 16 & 31) == 1)
    times = 10 + (bits >> 36 & 63);
  push_increments(random, thread, n, times);
  if (bits >> 33 & 1)
    push_increments(random, any_thread(random), n, most ? times : 1 + (bits >> 34 & 3));

  if ((bits >> 27 & 63) == 0)
    push_reset(random);
  else if ((bits >> 24 & 7) == 0)
    push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, P));
  else if ((bits >> 24 & 7) == 1)
    push(random, thread, random_any_write(random, thread, n));
  if (most || (bits >> 3 & 1))
    sequence_inline(random, thread, write_of(PMUV3_PMSWINC, random_counters(random, n)));
}

/* ---- Reads ---- */

static void sequence_read(struct pmuv3_random *random, struct thread *thread) {
  uint16_t reg = random->readable[below(random, random->num_readable)];
  queue_up(random, thread, PMUV3_ITEM_READ)->access = write_of(reg, 0);
}

/* The next register of a sweep over all that can be read, of all threads. */
static void sequence_sweep(struct pmuv3_random *random) {
  struct thread *thread = &random->threads[random->next_readable % random->params.threads];
  uint16_t reg = random->readable[random->next_readable / random->params.threads];
  random->next_readable++;
  if (random->next_readable == random->num_readable * random->params.threads)
    random->next_readable = 0;
  queue_up(random, thread, PMUV3_ITEM_READ)->access = write_of(reg, 0);
}

/* ---- Accesses to be refused ---- */

/* System registers that are none of this model's. */
static const uint16_t foreign_regs[] = {
    PMUV3_SYSREG(3, 4, 1, 1, 0),   /* HCR_EL2 */
    PMUV3_SYSREG(3, 4, 1, 1, 2),   /* CPTR_EL2 */
    PMUV3_SYSREG(3, 3, 14, 0, 0),  /* CNTFRQ_EL0 */
    PMUV3_SYSREG(3, 3, 14, 3, 1),  /* CNTV_CTL_EL0 */
    PMUV3_SYSREG(3, 0, 0, 0, 0),   /* MIDR_EL1 */
    PMUV3_SYSREG(3, 0, 9, 11, 0),  /* PMSCR_EL1 */
    PMUV3_SYSREG(3, 0, 9, 14, 0),  /* beside PMUSERENR_EL0 */
    PMUV3_SYSREG(3, 3, 9, 15, 0),  /* beside the PMU's */
    PMUV3_SYSREG(3, 7, 1, 3, 1),   /* beside MDCR_EL3 */
    PMUV3_SYSREG(0, 0, 9, 13, 4),  /* PMZR has no view */
    PMUV3_SYSREG(0, 0, 14, 15, 6), /* beside PMCCFILTR */
};

/* The encoding of a register of counter n, which for n = 31 is none. */
static uint16_t reg_of_counter(unsigned n, unsigned kind) {
  static const uint16_t first[] = {PMUV3_PMEVTYPER_AA32, PMUV3_PMEVTYPER, PMUV3_PMEVCNTR,
                                   PMUV3_PMEVCNTR_AA32, PMUV3_PMEVCNTSVR};
  return (uint16_t)(first[kind % LENGTH(first)] + n);
}

/* Registers that are read-only or write-only, where they are there. */
static const uint16_t read_only[] = {PMUV3_PMCEID0, PMUV3_PMCEID1,   PMUV3_PMCEID2,
                                     PMUV3_PMCEID3, PMUV3_PMMIR,     PMUV3_PMMIR_AA32,
                                     PMUV3_PMMIR,   PMUV3_PMCCNTSVR, PMUV3_PMICNTSVR};
static const uint16_t write_only[] = {PMUV3_PMSWINC, PMUV3_PMSWINC_AA32, PMUV3_PMZR};

static bool is_one_of(uint16_t reg, const uint16_t *regs, size_t num_regs) {
  for (size_t i = 0; i < num_regs; i++)
    if (regs[i] == reg) return true;
  return false;
}

static uint16_t one_way_reg(struct pmuv3_random *random) {
  if (chance(random, 64)) return write_only[below(random, LENGTH(write_only))];
  return read_only[below(random, LENGTH(read_only))];
}

uint16_t random_odd_encoding(struct pmuv3_random *random, uint64_t bits) {
  unsigned kind = (unsigned)(bits >> 3 & 15);
  uint64_t more = bits >> 7;
  unsigned counters = random->params.counters;
  switch (bits & 7) {
    case 0:
    case 1:
      return reg_of_counter(counters, kind);
    case 2:
      return reg_of_counter(30 + (more & 1), kind);
    case 3:
      return reg_of_counter(counters + below(random, PMUV3_LANES - counters), kind);
    case 4:
      return one_way_reg(random);
    case 5: { /* a register that is not there with these parameters, or else one bit beside one;
               * beside a counter's it is often a register as well */
      uint16_t reg = random_regs[below(random, NUM_REGS)];
      if (copies_of(reg) > 1) reg |= more >> 4 & (PMUV3_LANES - 1);
      if (pmuv3_register_readable(&random->params, reg) == PMUV3_ACCESS_UNKNOWN) return reg;
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
  bool goes_one_way = is_write ? is_one_of(reg, read_only, LENGTH(read_only))
                               : is_one_of(reg, write_only, LENGTH(write_only));
  if (goes_one_way) return true;
  enum pmuv3_access access = is_write ? pmuv3_register_writable(&random->params, reg)
                                      : pmuv3_register_readable(&random->params, reg);
  return access != PMUV3_ACCESS_OK;
}

/* An access that must be refused, if a few tries find one. */
static void sequence_refused(struct pmuv3_random *random) {
  struct thread *thread = any_thread(random);
  for (int tries = 0; tries < 4; tries++) {
    uint64_t bits = draw(random);
    bool is_write = bits >> 63;
    uint16_t reg = random_odd_encoding(random, bits);
    if (!is_refused(random, is_write, reg)) is_write = !is_write;
    if (!is_refused(random, is_write, reg)) continue;
    if (is_write) {
      uint64_t value = bits >> 62 & 1 ? ~UINT64_C(0) : draw(random);
      queue_up(random, thread, PMUV3_ITEM_REFUSED_WRITE)->access = write_of(reg, value);
    } else {
      queue_up(random, thread, PMUV3_ITEM_REFUSED_READ)->access = write_of(reg, 0);
    }
    return;
  }
}

/* ---- Who may access what, snapshots, the PMU Profiling exception, ranges ---- */

/* Some accesses at EL0, and what PMUSERENR and PMUACR say of them. */
static void sequence_user(struct pmuv3_random *random, struct thread *thread) {
  push_new(random, thread, TO_PMUSERENR);
  push_new(random, thread, TO_PMUACR);
  if (chance(random, 128)) push_new(random, thread, TO_PMSELR);
  random_sequence_user(random, thread);
  for (unsigned i = 1 + below(random, 4); i > 0; i--) random_sequence_checked(random, thread);
}

/* Accesses of a guest, of which fine-grained traps, HSTR and NV trap some, and nothing else. */
static void sequence_guest(struct pmuv3_random *random, struct thread *thread) {
  const uint64_t enables = PMUV3_MASK(MDCR_EL3, EnPM2) | PMUV3_MASK(MDCR_EL3, EnPMSS);
  push_field(random, thread, TO_MDCR_EL3, enables | PMUV3_MASK(MDCR_EL3, TPM), enables);
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, TPM), 0);
  push_new(random, thread, TO_PMUSERENR);
  if (chance(random, 64)) push_value(random, thread, PMUV3_PMSELR, PMUV3_MAX_COUNTERS);
  random_sequence_guest(random, thread, true);
  for (unsigned i = 0; i < 8; i++) random_sequence_checked(random, thread);
  random_sequence_guest(random, thread, false);
  push_new(random, thread, TO_MDCR_EL3);
}

/* A request to capture in the clock of the next cycle. */
static void sequence_request(struct pmuv3_random *random, const struct thread *thread) {
  random->cycle_is_planned = true;
  random->capture |= (uint8_t)(1u << thread->number);
}

/* A running counter of a thread that counts PMU_SNAPSHOT from now on. */
static void push_snapshot_counter(struct pmuv3_random *random, struct thread *thread) {
  const unsigned n = counting_counter(random, thread);
  const uint64_t event = PMUV3_MASK(PMEVTYPER, evtCount_hi) | PMUV3_MASK(PMEVTYPER, evtCount);
  push(random, thread,
       random_type_write(random, n, (thread->type[n] & ~event) | PMUV3_EVENT_PMU_SNAPSHOT));
}

/* A capture, which is mostly enabled, while a counter is about to overflow. A write of PMSSCR asks
 * for it, or a request from outside, or both. */
static void sequence_snapshot(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  uint64_t el3 = bits & 1 ? 1 : 3;
  uint64_t el2 = bits & 2 ? 1 : 3;
  unsigned n = random_kind_of_counter(random);
  push_field(random, thread, TO_MDCR_EL3, PMUV3_MASK(MDCR_EL3, PMSSE),
             PLACED(el3, MDCR_EL3, PMSSE));
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, PMSSE),
             PLACED(el2, MDCR_EL2, PMSSE));
  push_field(random, thread, TO_PMECR, PMUV3_MASK(PMECR, SSE),
             PLACED(2 + (bits >> 2 & 1), PMECR, SSE));
  if (n < random->params.counters) sequence_overflow(random, thread, n);
  if (random->params.counters > 0 && (bits >> 3 & 1))
    push_snapshot_counter(random, any_thread(random));
  if ((bits >> 4 & 3) != 0)
    sequence_meeting(random, thread, random_aimed_write(random, thread, TO_PMSSCR, n));
  if ((bits >> 4 & 3) < 2) sequence_request(random, thread);
}

/* The flag of a counter in synchronous mode that is not enabled: it makes no exception at all. */
static void push_idle_sync(struct pmuv3_random *random, struct thread *thread) {
  unsigned n = any_counter(random);
  uint64_t type = random_new_type(random, thread, n) | PMUV3_MASK(PMEVTYPER, SYNC);
  push(random, thread, random_type_write(random, n, type));
  push_value(random, thread, PMUV3_PMCNTENCLR, UINT64_C(1) << n);
  push_value(random, thread, PMUV3_PMOVSSET, UINT64_C(1) << n);
}

/* The exception is enabled at one of the levels, and a counter that may interrupt overflows. */
static void sequence_profiling(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  uint64_t el3 = (bits & 7) == 0 ? 3 : 1;
  uint64_t el2 = bits & 8 ? 3 : 1;
  push_field(random, thread, TO_MDCR_EL3, PMUV3_MASK(MDCR_EL3, PMEE), PLACED(el3, MDCR_EL3, PMEE));
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, PMEE), PLACED(el2, MDCR_EL2, PMEE));
  push_field(random, thread, TO_PMECR, PMUV3_MASK(PMECR, PMEE) | PMUV3_MASK(PMECR, KPME),
             PLACED(3, PMECR, PMEE) | PLACED(bits >> 4 & 1, PMECR, KPME));
  push_value(random, thread, PMUV3_PMINTENSET, random->implemented);
  if (bits >> 5 & 1) push_value(random, thread, PMUV3_PMOVSCLR, random->implemented);
  if (has(random, PMUV3_FEATURE_SEBEP) && random->params.counters > 0 && (bits >> 12 & 1))
    push_idle_sync(random, thread);
  else
    sequence_clash(random, thread);
  thread->calm = 8 + (bits >> 6 & 63);
}

/* HPMN, and EPMN, which are drawn so that they often meet. */
static void sequence_ranges(struct pmuv3_random *random, struct thread *thread) {
  push_new(random, thread, TO_MDCR_EL2);
  push_agents(random, thread);
  if (chance(random, 128)) {
    uint64_t hpmn = (random_epmn(random, thread) + below(random, 3) + 31) & 31;
    push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPMN), hpmn);
  }
  if (random_epmn(random, thread) < random->params.counters)
    push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
  sequence_clash(random, thread);
}

/* One of them, if its feature is there. */
static void sequence_rights(struct pmuv3_random *random, struct thread *thread) {
  unsigned kind = below(random, 4);
  if (kind == 0 && has(random, PMUV3_FEATURE_SS))
    sequence_snapshot(random, thread);
  else if (kind == 1 && has(random, PMUV3_FEATURE_EBEP))
    sequence_profiling(random, thread);
  else if (kind == 2)
    sequence_ranges(random, thread);
  else
    sequence_user(random, thread);
}

/* ---- What is planned, and how often ---- */

void random_sequence_repair(struct pmuv3_random *random) {
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct thread *thread = &random->threads[t];
    uint64_t doubt = thread->doubt;
    thread->doubt = 0;
    for (unsigned n = 0; n < random->params.counters; n++)
      if (doubt >> n & 1) push_value(random, thread, PMUV3_PMEVTYPERn(n), thread->type[n]);
    for (unsigned target = 0; target < NUM_HELD; target++)
      if (doubt >> (32 + target) & 1 && random->is_there[target])
        push_value(random, thread, random_target_reg[target], thread->held[target]);
  }
}

/* Clears flags of a thread that freezes on them, so that it does not stay frozen. */
static void sequence_thaw(struct pmuv3_random *random, struct thread *thread) {
  if (!PMUV3_GET(thread->held[TO_PMCR], PMCR, FZO) &&
      !PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, HPMFZO))
    return;
  if (thread->thaw > 1) {
    thread->thaw--;
    return;
  }
  uint64_t bits = draw(random);
  thread->thaw = 1 + (bits & 15);
  uint64_t some = bits >> 6 & random->implemented;
  push_value(random, thread, PMUV3_PMOVSCLR, (bits >> 61 & 3) == 0 ? some : random->implemented);
}

/* Disables the exception that a sequence enabled: while it is enabled no counter overflows from
 * bit 31.
 */
static void sequence_calm(struct pmuv3_random *random, struct thread *thread) {
  if (thread->calm == 0 || --thread->calm > 0) return;
  push_field(random, thread, TO_MDCR_EL3, PMUV3_MASK(MDCR_EL3, PMEE), 0);
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, PMEE), 0);
  push_field(random, thread, TO_PMECR, PMUV3_MASK(PMECR, PMEE), 0);
}

void random_sequence_rarities(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  unsigned resets = random->after_planned ? 48 : 12; /* of 65536 */
  if ((bits & 15) == 0) sequence_sweep(random);
  if ((bits >> 4 & 63) == 0) sequence_refused(random);
  if ((bits >> 26 & 15) == 0) random_sequence_checked(random, any_thread(random));
  if ((bits >> 30 & 15) == 0) random_sequence_external(random);
  if ((bits >> 34 & 255) == 0) sequence_guest(random, any_thread(random));
  for (unsigned t = 0; t < random->params.threads; t++) {
    sequence_thaw(random, &random->threads[t]);
    sequence_calm(random, &random->threads[t]);
  }
  if (random->restart_is_due) {
    random->restart_is_due = false;
    sequence_restart(random);
  } else if ((bits >> 10 & UINT16_MAX) < resets) {
    push_reset(random);
  }
}

/* Opens the Software Lock again, or enables the external agent's counters. False: it is, they are.
 */
static bool sequence_agents_recovery(struct pmuv3_random *random, struct thread *thread) {
  uint64_t enable = UINT64_C(1) << 7; /* PMCCR.EPME */
  if (thread->locked && chance(random, 64)) {
    const uint32_t key = random_any_key(random);
    random_push_external(random, random_agent_write(random, thread, PAGE_PMLAR, key));
    return true;
  }
  if (random_epmn(random, thread) == random->params.counters || thread->pmccr & enable)
    return false;
  uint32_t value = (uint32_t)(thread->pmccr | enable);
  random_push_external(random, random_agent_write(random, thread, PAGE_PMCCR, value));
  return true;
}

/* Enables again what keeps most counters from counting. False: nothing does. */
static bool sequence_recovery(struct pmuv3_random *random, struct thread *thread) {
  if (sequence_agents_recovery(random, thread)) return true;
  unsigned counters = random->params.counters;
  unsigned enabled = (unsigned)__builtin_popcountll(thread->enabled);
  unsigned all = (unsigned)__builtin_popcountll(random->implemented);
  if (!PMUV3_GET(thread->held[TO_PMCR], PMCR, E))
    push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E));
  else if (random_hpmn(random, thread) < counters &&
           !PMUV3_GET(thread->held[TO_MDCR_EL2], MDCR_EL2, HPME))
    push_bits(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPME));
  else if (4 * enabled <= 3 * all)
    push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
  else
    return false;
  return true;
}

/* ---- What coverage has left open ---- */

/* Borders of the ranges at an odd counter, so that they split a pair. */
static void push_border(struct pmuv3_random *random, struct thread *thread, unsigned odd,
                        uint64_t bits) {
  const uint64_t enable = UINT64_C(1) << 7;
  const bool is_agents_border = bits & 1, meet = bits >> 1 & 1;
  if (has(random, PMUV3_FEATURE_EXTPMN)) {
    const uint64_t epmn = is_agents_border ? odd : random->params.counters;
    random_push_external(random, random_agent_write(random, thread, PAGE_PMCCR,
                                                    (uint32_t)(epmn | (bits & 12 ? enable : 0))));
  }
  const uint64_t hpmn = is_agents_border && !meet ? odd / 2 : odd;
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPMN) | PMUV3_MASK(MDCR_EL2, HPME),
             PLACED(hpmn, MDCR_EL2, HPMN) | PLACED((bits >> 4 & 3) != 0, MDCR_EL2, HPME));
  push_field(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E), (bits >> 6 & 3) != 0);
}

/* A pair across a border. What the even one is: anything, or off, or filtered. */
static void bias_pairs(struct pmuv3_random *random, struct thread *thread) {
  if (random->params.counters < 2) return;
  uint64_t bits = draw(random);
  unsigned odd = 1 + 2 * below(random, random->params.counters / 2u);
  uint64_t type = random_new_type(random, thread, odd) & ~PMUV3_MASK(PMEVTYPER, TLC);
  type |= PLACED(1 + (bits >> 16 & 1), PMEVTYPER, TLC);
  if (bits >> 17 & 1) type &= ~PMUV3_MASK(PMEVTYPER, TE);
  if (bits >> 18 & 1) type &= ~(PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, SYNC));
  push_border(random, thread, odd, bits);
  push(random, thread, random_type_write(random, odd, type));
  push(random, thread,
       random_type_write(random, odd - 1, random_new_type(random, thread, odd - 1)));
  push_value(random, thread, PMUV3_PMCNTENSET, UINT64_C(3) << (odd - 1));
  if ((bits >> 19 & 3) == 0) push_value(random, thread, PMUV3_PMCNTENCLR, UINT64_C(1) << (odd - 1));
  if ((bits >> 21 & 3) == 0) push_value(random, thread, PMUV3_PMOVSSET, UINT64_C(1) << (odd - 1));
  sequence_focus(random, thread, event_of(thread, bits >> 23 & 1 ? odd : odd - 1),
                 1 + below(random, 3));
}

/* Every control that prohibits, while filters are open, flags clear and all counters enabled. */
static void bias_prohibitions(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  const uint64_t open = PMUV3_MASK(PMCCFILTR, NSH);
  const uint64_t el3 = PMUV3_MASK(MDCR_EL3, SPME) | PMUV3_MASK(MDCR_EL3, MPMX) |
                       PMUV3_MASK(MDCR_EL3, SCCD) | PMUV3_MASK(MDCR_EL3, MCCD);
  const uint64_t el2 = PMUV3_MASK(MDCR_EL2, HPMD) | PMUV3_MASK(MDCR_EL2, HCCD);
  push_field(random, thread, TO_MDCR_EL3, el3, draw(random) & el3);
  push_field(random, thread, TO_MDCR_EL2, el2 | PMUV3_MASK(MDCR_EL2, HPME),
             (draw(random) & el2) | PMUV3_MASK(MDCR_EL2, HPME));
  push_field(random, thread, TO_PMCR,
             PMUV3_MASK(PMCR, DP) | PMUV3_MASK(PMCR, D) | PMUV3_MASK(PMCR, E),
             PLACED(bits & 1, PMCR, DP) | PMUV3_MASK(PMCR, E));
  push_field(random, thread, TO_SDER32_EL3, PMUV3_MASK(SDER32_EL3, SUNIDEN),
             PLACED(bits >> 1 & 1, SDER32_EL3, SUNIDEN));
  push_value(random, thread, PMUV3_PMCCFILTR, open);
  if (random->is_there[TO_PMICFILTR]) push_value(random, thread, PMUV3_PMICFILTR, open);
  if (random->params.counters > 0) {
    unsigned n = any_counter(random);
    uint64_t type = PMUV3_EVENT_INST_RETIRED | PMUV3_MASK(PMEVTYPER, NSH);
    push(random, thread, random_type_write(random, n, type));
  }
  push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
  push_value(random, thread, PMUV3_PMOVSCLR, random->implemented);
  random_sequence_anywhere(random, thread);
  sequence_focus(random, thread, random->inst_retired, 1 + below(random, 3));
}

/* Every combination of the ranges' enables, and of a counter's. */
static void bias_enables(struct pmuv3_random *random, struct thread *thread) {
  if (random->params.counters == 0) return;
  uint64_t bits = draw(random);
  unsigned n = any_counter(random);
  if (has(random, PMUV3_FEATURE_EXTPMN)) {
    uint32_t pmccr = (uint32_t)(random_pmccr(random) & ~UINT64_C(0x80)) | (bits & 1 ? 0x80 : 0);
    random_push_external(random, random_agent_write(random, thread, PAGE_PMCCR, pmccr));
  }
  push_new(random, thread, TO_MDCR_EL2);
  push_field(random, thread, TO_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPME),
             PLACED(bits >> 1 & 1, MDCR_EL2, HPME));
  push_field(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E), bits >> 2 & 1);
  push_value(random, thread, bits >> 3 & 1 ? PMUV3_PMCNTENSET : PMUV3_PMCNTENCLR, UINT64_C(1) << n);
  sequence_focus(random, thread, event_of(thread, n), 1);
}

/* What may meet a cycle, by any interface. */
static void bias_collisions(struct pmuv3_random *random, struct thread *thread) {
  static const uint8_t targets[] = {TO_PMCNTENSET, TO_PMCNTENCLR, TO_PMOVSSET, TO_PMOVSCLR,
                                    TO_PMINTENSET, TO_PMZR,       TO_PMCR,     TO_MDCR_EL2,
                                    TO_MDCR_EL3,   TO_PMCCNTR,    TO_PMICNTR,  TO_PMCCFILTR,
                                    TO_PMICFILTR,  TO_PMSWINC};
  struct pmuv3_external external;
  uint64_t bits = draw(random);
  enum target target = (enum target)targets[below(random, LENGTH(targets))];
  if (!random->is_there[target]) return;
  const bool is_cycles = target == TO_PMCCNTR || target == TO_PMCCFILTR;
  const bool is_instructions = target == TO_PMICNTR || target == TO_PMICFILTR;
  unsigned n = is_cycles ? CYCLE_COUNTER : INSTRUCTION_COUNTER;
  if (!is_cycles && !is_instructions && random->params.counters == 0) return;
  push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E) | (bits & 1 ? PMUV3_MASK(PMCR, FZO) : 0));
  push_value(random, thread, PMUV3_PMCNTENSET, random->implemented);
  push_value(random, thread, bits >> 1 & 1 ? PMUV3_PMOVSSET : PMUV3_PMOVSCLR, random->implemented);
  if (is_cycles || is_instructions) {
    sequence_fixed_overflow(random, thread, n);
    if (random->params.counters > 0 && (bits >> 2 & 1))
      sequence_overflow(random, thread, counting_counter(random, thread));
  } else {
    n = counting_counter(random, thread);
    sequence_overflow(random, thread, n);
  }
  thread->thaw = 2;
  struct pmuv3_write write = random_aimed_write(random, thread, target, n);
  if ((bits >> 3 & 3) == 0) write = random_checked(random, thread, write);
  const bool paged = random_as_external(random, thread, &write, &external);
  if (paged && (bits >> 5 & 3) != 0) sequence_inline_external(random, external);
  if (!paged || (bits >> 5 & 3) != 1) sequence_inline(random, thread, write);
}

/* Every combination of the fields of three levels, which say who decides. */
static void push_levels(struct pmuv3_random *random, struct thread *thread, bool captures) {
  uint64_t bits = draw(random);
  push_field(random, thread, TO_MDCR_EL3,
             captures ? PMUV3_MASK(MDCR_EL3, PMSSE) : PMUV3_MASK(MDCR_EL3, PMEE),
             captures ? PLACED(bits & 3, MDCR_EL3, PMSSE) : PLACED(bits & 3, MDCR_EL3, PMEE));
  push_field(
      random, thread, TO_MDCR_EL2,
      captures ? PMUV3_MASK(MDCR_EL2, PMSSE) : PMUV3_MASK(MDCR_EL2, PMEE),
      captures ? PLACED(bits >> 2 & 3, MDCR_EL2, PMSSE) : PLACED(bits >> 2 & 3, MDCR_EL2, PMEE));
  push_field(random, thread, TO_PMECR, captures ? PMUV3_MASK(PMECR, SSE) : PMUV3_MASK(PMECR, PMEE),
             captures ? PLACED(bits >> 4 & 3, PMECR, SSE) : PLACED(bits >> 4 & 3, PMECR, PMEE));
}

static void bias_exceptions(struct pmuv3_random *random, struct thread *thread) {
  push_levels(random, thread, false);
  push_value(random, thread, PMUV3_PMINTENSET, random->implemented);
  push_value(random, thread, PMUV3_PMOVSSET, UINT64_C(1) << random_kind_of_counter(random));
  push_bits(random, thread, TO_PMCR, PMUV3_MASK(PMCR, E));
  random_sequence_anywhere(random, thread);
  thread->calm = 4;
}

static void bias_captures(struct pmuv3_random *random, struct thread *thread) {
  if (!random->is_there[TO_PMSSCR]) return;
  push_levels(random, thread, true);
  if (chance(random, 64)) random_sequence_user(random, thread);
  if (chance(random, 128))
    push_value(random, thread, PMUV3_PMSSCR, 1);
  else
    sequence_request(random, thread);
}

void random_sequence_biased(struct pmuv3_random *random) {
  struct thread *thread = any_thread(random);
  uint32_t left = below(random, random->bias_sum);
  unsigned sequence = 0;
  while (left >= random->bias.weights[sequence]) left -= random->bias.weights[sequence++];
  switch ((enum pmuv3_sequence)sequence) {
    case PMUV3_SEQUENCE_PAIRS:
      bias_pairs(random, thread);
      break;
    case PMUV3_SEQUENCE_PROHIBITIONS:
      bias_prohibitions(random, thread);
      break;
    case PMUV3_SEQUENCE_ENABLES:
      bias_enables(random, thread);
      break;
    case PMUV3_SEQUENCE_COLLISIONS:
      bias_collisions(random, thread);
      break;
    case PMUV3_SEQUENCE_STATES:
      random_sequence_rest(random);
      break;
    case PMUV3_SEQUENCE_EXCEPTIONS:
      bias_exceptions(random, thread);
      break;
    case PMUV3_SEQUENCE_CAPTURES:
      bias_captures(random, thread);
      break;
    case PMUV3_NUM_SEQUENCES:
      break;
  }
}

/* ---- What is done, and how often ---- */

/* Of what random_sequence_operation draws: below it are operations on event counters. */
enum { FOR_EVENT_COUNTERS = 50 };

void random_sequence_operation(struct pmuv3_random *random) {
  struct thread *thread = any_thread(random);
  if (chance(random, 128) && sequence_recovery(random, thread)) return;
  unsigned kind = (unsigned)(draw(random) >> 56);
  if (kind > 0 && kind < FOR_EVENT_COUNTERS && !random->params.counters) return;
  if (kind >= 244) {
    sequence_read(random, thread);
  } else if (kind >= 212) {
    sequence_rights(random, thread);
  } else if (kind >= 140) {
    struct pmuv3_write write = random_any_write(random, thread, random_kind_of_counter(random));
    if (kind % 4 == 0)
      push(random, thread, write);
    else
      sequence_meeting(random, thread, write);
  } else if (kind >= 64) {
    sequence_clash(random, thread);
  } else if (kind >= FOR_EVENT_COUNTERS) {
    sequence_freeze(random, thread);
  } else if (kind == 0) {
    push_restart(random, thread);
  } else if (kind >= 34) {
    sequence_chain(random, thread);
  } else if (kind >= 24) {
    sequence_pair(random, thread);
  } else if (kind >= 4) {
    sequence_increments(random, thread);
  } else {
    sequence_arming(random, thread);
  }
}

void random_sequence_company(struct pmuv3_random *random) {
  for (unsigned t = 0; t < random->params.threads; t++) {
    const struct thread *thread = &random->threads[t];
    if ((random->has_write >> t & 1) || !chance(random, 96)) continue;
    struct pmuv3_write write = random_any_write(random, thread, random_kind_of_counter(random));
    sequence_inline(random, thread,
                    chance(random, 64) ? random_checked(random, thread, write) : write);
  }
  if (!random->has_external && chance(random, random_has_page(random) ? 32 : 1))
    sequence_inline_external(random, random_any_external(random));
}
