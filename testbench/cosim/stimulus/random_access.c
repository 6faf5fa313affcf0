/*
 * Accesses that are judged: by the thread's state, and by the address space in
 * the external view. Nothing here asks what becomes of them: the sides must
 * agree about it, whatever it is.
 */
#include <stdio.h>

#include "testbench/cosim/stimulus/random_internal.h"

/* ---- The page of the external view ---- */

/* Of n = 0; RESERVED: the layout does not have it. */
static const struct {
  const char *name;
  uint16_t lo32, hi32, off64;
  uint8_t stride32, stride64;
} rows[NUM_ROWS] = {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  {name, lo32, hi32, off64, stride32, stride64},
#include "pmuv3/external.def"
};

/* Turns begin anywhere: a short stream has not time for all of them. */
void random_find_page(struct pmuv3_random *random) {
  for (unsigned row = 0; row < NUM_ROWS; row++) {
    char name[24];
    snprintf(name, sizeof name, rows[row].name, 0u);
    if (!pmuv3_register_find(name, &random->page_reg[row])) random->page_reg[row] = 0;
  }
  random->next_row = below(random, NUM_ROWS);
  random->next_key_bit = below(random, 32);
}

static unsigned offset_in(bool is_32, enum page_row row, unsigned n, unsigned half) {
  unsigned first = !is_32 ? rows[row].off64 : half ? rows[row].hi32 : rows[row].lo32;
  if (first == RESERVED) return RESERVED;
  return is_32 ? first + n * rows[row].stride32 : first + n * rows[row].stride64 + 4 * half;
}

unsigned random_offset(const struct pmuv3_random *random, enum page_row row, unsigned n,
                       unsigned half) {
  return offset_in(has(random, PMUV3_FEATURE_EXT32), row, n, half);
}

bool random_has_page(const struct pmuv3_random *random) {
  return has(random, PMUV3_FEATURE_EXT32) || has(random, PMUV3_FEATURE_EXT64);
}

/* Mostly the most secure address space, which reaches most. */
static uint8_t any_space(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  bool is_any = (bits & 7) < 3;
  return (uint8_t)(is_any ? bits >> 3 & 3 : pmuv3_el3_state(&random->params));
}

/* A row of the page that a write can do something to. */
static enum page_row any_row(struct pmuv3_random *random) {
  static const uint8_t often[16] = {
      PAGE_PMEVCNTR, PAGE_PMEVCNTR, PAGE_PMEVTYPER, PAGE_PMEVTYPER,  PAGE_PMCNTENSET, PAGE_PMCNTEN,
      PAGE_PMOVSCLR, PAGE_PMOVS,    PAGE_PMINTEN,   PAGE_PMINTENSET, PAGE_PMZR,       PAGE_PMCR,
      PAGE_PMSSCR,   PAGE_PMSSCR,   PAGE_PMCCR,     PAGE_PMLAR};
  uint64_t bits = draw(random);
  if (bits & 3) return (enum page_row)often[bits >> 2 & 15];
  return (enum page_row)below(random, NUM_ROWS);
}

/* n of a row with several; at times one that is not implemented. */
static unsigned any_index(struct pmuv3_random *random, enum page_row row) {
  if (rows[row].stride64 == 0) return 0;
  if (random->params.counters == 0 || chance(random, 24)) return below(random, PMUV3_LANES);
  return any_counter(random);
}

/* Anywhere in the page, or where one of the layouts has a word, which the other may not have. */
static unsigned any_offset(struct pmuv3_random *random) {
  const uint64_t bits = draw(random);
  const enum page_row row = (enum page_row)((bits >> 16 & 0xFFFF) % NUM_ROWS);
  const unsigned word = offset_in(bits >> 1 & 1, row, 0, bits >> 2 & 1);
  if (bits & 1 && word < PAGE_SIZE) return word;
  return (bits >> 32 & (PAGE_SIZE - 1)) & ~3u;
}

/* ---- What is written there ---- */

/* The target that a row's register is; NUM_TARGETS: none. */
static enum target target_of(const struct pmuv3_random *random, enum page_row row) {
  unsigned target = 0;
  while (target < NUM_TARGETS && random_target_reg[target] != random->page_reg[row]) target++;
  return (enum target)target;
}

/* Enables as one value: mostly all, or all but a few. */
static uint64_t any_enables(struct pmuv3_random *random, unsigned n) {
  if (chance(random, 192)) return random->implemented;
  return random->implemented & ~random_counters(random, n);
}

uint32_t random_any_key(struct pmuv3_random *random) {
  if (chance(random, 128)) return PAGE_KEY;
  uint64_t bits = draw(random);
  return bits & 3 ? PAGE_KEY ^ UINT32_C(1) << (random->next_key_bit++ & 31)
                  : (uint32_t)(bits >> 32);
}

/* A value of 64 bits for a row. */
static uint64_t any_value(struct pmuv3_random *random, const struct thread *thread,
                          enum page_row row, unsigned n) {
  enum target target = target_of(random, row);
  bool is_counter = n < random->params.counters;
  switch (row) {
    case PAGE_PMEVCNTR:
      return is_counter ? random_counter_write(random, thread, n).value : draw(random);
    case PAGE_PMEVTYPER:
      return is_counter ? random_new_type(random, thread, n) : draw(random);
    case PAGE_PMCNTEN:
      return any_enables(random, random_kind_of_counter(random));
    case PAGE_PMINTEN:
      return draw(random);
    case PAGE_PMOVS:
      return random_counters(random, random_kind_of_counter(random));
    case PAGE_PMCCR:
      return random_pmccr(random);
    case PAGE_PMLAR:
      return random_any_key(random);
    default:
      if (target == NUM_TARGETS) return draw(random);
      return random_value(random, thread, target, random_kind_of_counter(random));
  }
}

static uint32_t half_of(uint64_t value, unsigned half) {
  return (uint32_t)(value >> 32 * half);
}

struct pmuv3_external random_any_external(struct pmuv3_random *random) {
  const struct thread *thread = any_thread(random);
  enum page_row row = any_row(random);
  unsigned n = any_index(random, row);
  unsigned half = chance(random, 64);
  unsigned offset = random_offset(random, row, n, half);
  uint64_t value = any_value(random, thread, row, n);
  if (offset >= PAGE_SIZE || chance(random, 16)) offset = any_offset(random);
  return (struct pmuv3_external){.thread = thread->number,
                                 .ss = any_space(random),
                                 .offset = (uint16_t)offset,
                                 .value = half_of(value, half)};
}

struct pmuv3_external random_agent_write(struct pmuv3_random *random, const struct thread *thread,
                                         enum page_row row, uint32_t value) {
  unsigned offset = random_offset(random, row, 0, 0);
  return (struct pmuv3_external){.thread = thread->number,
                                 .ss = (uint8_t)pmuv3_el3_state(&random->params),
                                 .offset = (uint16_t)(offset & (PAGE_SIZE - 4)),
                                 .value = value};
}

/* The row and n of a System register; NUM_ROWS: the page does not have it. */
static enum page_row row_of(const struct pmuv3_random *random, uint16_t reg, unsigned *n) {
  unsigned row = 0;
  for (; row < NUM_ROWS; row++) {
    *n = (unsigned)(reg - random->page_reg[row]);
    if (random->page_reg[row] && *n < copies_of(random->page_reg[row])) break;
  }
  return (enum page_row)row;
}

/* A half of a write; false: there is no such word. */
static bool make_word(const struct pmuv3_random *random, const struct thread *thread,
                      const struct pmuv3_write *write, unsigned half,
                      struct pmuv3_external *external) {
  unsigned n;
  enum page_row row = row_of(random, write->reg, &n);
  unsigned offset = row == NUM_ROWS ? RESERVED : random_offset(random, row, n, half);
  *external = (struct pmuv3_external){.thread = thread->number,
                                      .ss = (uint8_t)pmuv3_el3_state(&random->params),
                                      .offset = (uint16_t)offset,
                                      .value = half_of(write->value, half)};
  return random_has_page(random) && offset < PAGE_SIZE;
}

bool random_as_external(struct pmuv3_random *random, const struct thread *thread,
                        const struct pmuv3_write *write, struct pmuv3_external *external) {
  unsigned half = chance(random, write->value >> 32 ? 128 : 16);
  if (!make_word(random, thread, write, half, external)) return false;
  if (chance(random, 64)) external->ss = any_space(random);
  return true;
}

void random_push_external(struct pmuv3_random *random, struct pmuv3_external write) {
  const struct thread *thread = &random->threads[write.thread];
  queue_up(random, thread, PMUV3_ITEM_EXTERNAL_WRITE)->external = write;
  random_note_external(random, &write);
}

/* Of what has a bit per counter, the high half has none of the event counters. */
void random_push_through_page(struct pmuv3_random *random, const struct thread *thread,
                              const struct pmuv3_write *write) {
  unsigned halves = is_count(write->reg) || is_type(write->reg) ? 2 : 1;
  for (unsigned half = 0; half < halves; half++) {
    struct pmuv3_external word;
    if (make_word(random, thread, write, half, &word)) random_push_external(random, word);
  }
}

/* The rows take turns, so that none stays unread for long. */
static struct pmuv3_external any_external_read(struct pmuv3_random *random) {
  struct pmuv3_external read = random_any_external(random);
  enum page_row row = (enum page_row)random->next_row;
  random->next_row = (random->next_row + 1) % NUM_ROWS;
  unsigned n = any_index(random, row);
  unsigned offset = random_offset(random, row, n, chance(random, 96));
  if (offset >= PAGE_SIZE) offset = random_offset(random, row, n, 0);
  read.offset = (uint16_t)(offset < PAGE_SIZE && !chance(random, 64) ? offset : any_offset(random));
  read.value = 0;
  return read;
}

static void push_external_read(struct pmuv3_random *random, struct pmuv3_external read) {
  queue_up(random, &random->threads[read.thread], PMUV3_ITEM_EXTERNAL_READ)->external = read;
}

/* A few reads of one thread's page while locks may block it: of some words they are errors, and
 * where there is no word they are none. */
static void read_under_locks(struct pmuv3_random *random) {
  enum { READS = 4 };
  struct thread *thread = any_thread(random);
  random_sequence_locks(random, thread);
  for (unsigned i = 0; i < READS; i++) {
    struct pmuv3_external read = any_external_read(random);
    read.thread = thread->number;
    push_external_read(random, read);
  }
}

/* Rarely where there is no page: every access is an error. So is one at no multiple of 4 (I3.1.1).
 */
void random_sequence_external(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  if (!random_has_page(random) && (bits & 15)) return;
  if ((bits >> 11 & 31) == 0) {
    read_under_locks(random);
    return;
  }
  const bool reads = bits >> 4 & 1;
  struct pmuv3_external access = reads ? any_external_read(random) : random_any_external(random);
  if ((bits >> 5 & 15) == 0) access.offset |= bits >> 9 & 3;
  if (reads)
    push_external_read(random, access);
  else
    random_push_external(random, access);
}

/* ---- Checked accesses ---- */

/* A counter, of 31: mostly one at a border of the ranges. */
static unsigned any_number(struct pmuv3_random *random, const struct thread *thread) {
  uint64_t bits = draw(random);
  unsigned hpmn = random_hpmn(random, thread);
  unsigned epmn = random_epmn(random, thread);
  unsigned n = (unsigned)(bits >> 3 & 31);
  switch (bits & 7) {
    case 0:
    case 1:
      n = hpmn;
      break;
    case 2:
      n = epmn;
      break;
    case 3:
      n = random->params.counters;
      break;
    case 4:
      n = hpmn + 31;
      break;
    default:
      if (random->params.counters > 0) n %= random->params.counters;
  }
  return n % PMUV3_MAX_COUNTERS;
}

/* A register as software may name it: mostly one of the thread's Execution state. */
static uint16_t any_reg(struct pmuv3_random *random, const struct thread *thread) {
  uint64_t bits = draw(random);
  if ((bits & 15) == 0) return random_odd_encoding(random, bits >> 4);
  /* HCR_EL2.NV traps what EL1 may not access; in Secure state that is SDER32_EL2, too (I-7). */
  if (thread->pe.nv && thread->pe.el == 1 && (bits >> 4 & 3) == 0)
    return thread->pe.ss == PMUV3_S ? PMUV3_SDER32_EL2 : PMUV3_MDCR_EL2;
  /* FGWTE3_EL3 traps a write at EL3 itself. */
  if (thread->pe.fgwte3 && thread->pe.el == 3 && (bits >> 4 & 3) == 0) return PMUV3_MDCR_EL3;
  uint16_t reg = random_regs[below(random, NUM_REGS)];
  for (int tries = 0; tries < 3 && is_view(reg) != pmuv3_pe_is_aa32(&random->params, &thread->pe);
       tries++)
    reg = random_regs[below(random, NUM_REGS)];
  if (copies_of(reg) == 1) return reg;
  return (uint16_t)(reg + any_number(random, thread));
}

struct pmuv3_write random_checked(struct pmuv3_random *random, const struct thread *thread,
                                  struct pmuv3_write write) {
  bool is_matching = is_view(write.reg) == pmuv3_pe_is_aa32(&random->params, &thread->pe);
  if (!is_matching && !chance(random, 32)) random_as_view(random, &write);
  write.checked = true;
  return write;
}

void random_push_checked(struct pmuv3_random *random, struct thread *thread,
                         struct pmuv3_write write) {
  if (is_increment(write.reg)) {
    if (thread->pending == MAX_PENDING) return;
    thread->pending++;
  }
  write.checked = true;
  queue_up(random, thread, PMUV3_ITEM_MSR)->access = write;
  random_note_write(random, thread, &write);
}

/* A value that makes sense, or anything, in any register. */
static struct pmuv3_write any_checked_write(struct pmuv3_random *random,
                                            const struct thread *thread) {
  uint64_t bits = draw(random);
  if (bits & 3) {
    unsigned n = random_kind_of_counter(random);
    return random_checked(random, thread, random_any_write(random, thread, n));
  }
  uint16_t reg = any_reg(random, thread);
  uint64_t value = bits & 4 ? draw(random) : bits >> 3 & 15;
  return write_of(reg, pmuv3_register_bits(reg) == 32 ? value & UINT32_MAX : value);
}

void random_sequence_checked(struct pmuv3_random *random, struct thread *thread) {
  if (chance(random, 128)) {
    random_push_checked(random, thread, any_checked_write(random, thread));
    return;
  }
  struct pmuv3_item *item = queue_up(random, thread, PMUV3_ITEM_MRS);
  item->access = (struct pmuv3_write){.reg = any_reg(random, thread), .checked = true};
}
