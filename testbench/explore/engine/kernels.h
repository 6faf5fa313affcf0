/*
 * Loops over planes. They are compiled for several instruction sets, and one set is picked when the
 * program runs.
 *
 * A plane is `words` words, a multiple of EXPLORE_UNIT and at most EXPLORE_CHUNK, aligned to 64
 * bytes. The planes of a number are `stride` words apart, bit 0 first.
 */
#ifndef EXPLORE_KERNELS_H
#define EXPLORE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The words of the longest vector, and those that a loop has at most: 4,096 cycles. */
#define EXPLORE_UNIT 8u
#define EXPLORE_CHUNK 64u

/* VB is at most 12 bits wide: all threads' counts, each of 8 bits, in each origin. */
#define EXPLORE_MAX_PLANES 12u

/* A number in each cycle, as planes. Without planes it is 0. */
struct explore_number {
  const uint64_t *planes;
  size_t stride;
  unsigned num;
};

struct explore_kernels {
  const char *name; /* "AVX-512", "AVX2" or "none" */

  /* to = the number is not 0 */
  void (*nonzero)(uint64_t *to, struct explore_number number, size_t words);
  /* to = number >= th, th > 0; number != th; each negated if `negate` */
  void (*at_least)(uint64_t *to, struct explore_number number, unsigned th, bool negate,
                   size_t words);
  void (*unequal)(uint64_t *to, struct explore_number number, unsigned th, bool negate,
                  size_t words);
  /* to = a rising edge of ct, or any edge if `both`. The first bit of the first word has no cycle
   * before it: it is as if that were 0. */
  void (*edge)(uint64_t *to, const uint64_t *ct, bool both, size_t words);
  /* to = a & b; ~a & b; the number under a mask, planes EXPLORE_CHUNK words apart */
  void (*and_)(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words);
  void (*and_not)(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words);
  /* to |= a & mask */
  void (*or_masked)(uint64_t *to, const uint64_t *a, const uint64_t *mask, size_t words);
  /* to = a + b: a full adder of one plane. carry = the carry out, and is the carry in. */
  void (*add)(uint64_t *to, const uint64_t *a, const uint64_t *b, uint64_t *carry, size_t words);
  /* The sum of the number over all cycles, of which there may be more than a chunk's; over those of
   * a mask. */
  uint64_t (*sum)(struct explore_number number, size_t words);
  uint64_t (*sum_masked)(struct explore_number number, const uint64_t *mask, size_t words);
};

/* The fastest that this processor has. */
const struct explore_kernels *explore_kernels_best(void);

/* All that this processor has, the fastest first; NULL ends them. */
const struct explore_kernels *const *explore_kernels_all(void);

#ifdef __cplusplus
}
#endif

#endif
