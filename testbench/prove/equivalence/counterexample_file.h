/*
 * How a counterexample becomes a stimulus file: what its clock is, the lines of the file, those
 * that bring about its state, its clock, and those that show a difference.
 */
#ifndef PMUV3_PROVE_COUNTEREXAMPLE_FILE_H
#define PMUV3_PROVE_COUNTEREXAMPLE_FILE_H

#include <stdio.h>

#include "testbench/cosim/stimulus/stimulus.h"
#include "testbench/prove/equivalence/counterexample.h"

static inline uint64_t low_bits(uint64_t from, unsigned number) {
  return from & ((UINT64_C(1) << number) - 1);
}

/* ---- Its clock (counterexample.c) ---- */

/* A clock, and the state before it. */
struct clock {
  struct pmuv3 before;             /* nothing in it is derived */
  bool copying[PMUV3_MAX_THREADS]; /* a snapshot was taken in the clock before */
  struct pmuv3_pe next_pe;         /* of the thread of the case, if that changes its state */
  struct step_inputs inputs;
};

struct pmuv3_params clock_get_params(const struct counterexample *counterexample);
void clock_get(const struct counterexample *counterexample, const struct pmuv3_params *params,
               struct clock *clock);

/* Whether software increments of the thread wait before the clock. */
bool clock_has_increments(const struct clock *clock, unsigned t);

/* ---- The file (counterexample_file.c) ---- */

struct file {
  FILE *out;
  struct pmuv3 now; /* the C model after the lines so far */
  /* Software increments that the reader takes for waiting, whether they reached the counter or not:
   * no more than 255, and none when the state changes. */
  uint8_t increments[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
  bool exact;
};

/* Words of the page that are at the same place in both layouts, or in one of them alone. */
enum {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  OFFSET_##id = (lo32),
#include "pmuv3/external.def"
};

/* Where it is another state or clock. */
__attribute__((format(printf, 2, 3))) void file_differs(struct file *file, const char *format, ...);
bool file_is_pmswinc(uint16_t reg);
bool file_waits(const struct file *file, unsigned t);
/* Writes a line, and does what it says. */
void file_put(struct file *file, const struct pmuv3_item *item);
void file_put_write(struct file *file, unsigned t, uint16_t reg, uint64_t written);
void file_put_read(struct file *file, unsigned t, const struct step_access *access);
void file_put_expect(struct file *file, unsigned t, uint16_t reg);
void file_put_idle(struct file *file, uint64_t cycles);
void file_put_pe(struct file *file, unsigned t, const struct pmuv3_pe *pe);
void file_put_external(struct file *file, unsigned t, uint16_t offset, uint64_t word);
/* Writes a register that has another value. One that is not there has none. */
void file_set(struct file *file, unsigned t, uint16_t reg, uint64_t to);
/* Likewise of one that has a bit a counter. */
void file_set_bits(struct file *file, unsigned t, uint16_t set_reg, uint16_t clear_reg,
                   uint64_t to);

/* ---- The state (counterexample_state.c) ---- */

/* It takes counters from System registers: those are ready. */
void state_make_pmccr(struct file *file, unsigned t, uint64_t pmccr);
void state_make(struct file *file, struct clock *clock, const struct model_case *which);

/* ---- The clock in the file (counterexample_clock.c) ---- */

/* Occurrences of a cycle, with two more for each thread that count nothing. */
struct occurrences {
  struct pmuv3_occurrence
      list[STEP_EVENTS * PMUV3_NUM_ORIGINS * PMUV3_MAX_THREADS + 2 * PMUV3_MAX_THREADS];
  uint16_t number;
  bool has[PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS];
};

void clock_lose(uint8_t *count, unsigned *lost);
/* Makes it one that can be in a file. */
void clock_fit(struct file *file, struct clock *clock, const struct model_case *which);
void clock_occur(struct occurrences *occurrences, uint16_t event, uint8_t count, unsigned t,
                 enum pmuv3_origin origin);
/* A clock; or what the case has instead. A Cold reset is where a file begins. */
void clock_put(struct file *file, const struct clock *clock, const struct model_case *which,
               bool asks_result);

/* ---- What shows a difference (counterexample_difference.c) ---- */

/* Increments first, when they are what it is about: other cycles lose them. So does a change of the
 * thread's state, after which what it makes of events shows at once. */
void difference_show(struct file *file, const struct clock *clock, const struct model_case *which);

#endif
