/*
 * The generator of random numbers behind all random stimulus: xoshiro256**
 * (Blackman, Vigna), seeded by splitmix64. 64-bit integer arithmetic only, so
 * a seed gives the same numbers on any machine.
 */
#ifndef PMUV3_PRNG_H
#define PMUV3_PRNG_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_prng {
  uint64_t s[4];
};

/* splitmix64: steps *state, whatever it is, and returns 64 well-mixed bits. */
static inline uint64_t pmuv3_splitmix64(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static inline void pmuv3_prng_seed(struct pmuv3_prng *prng, uint64_t seed) {
  for (int i = 0; i < 4; i++) prng->s[i] = pmuv3_splitmix64(&seed);
}

static inline uint64_t pmuv3_prng_rotate(uint64_t x, unsigned k) {
  return x << k | x >> (64 - k);
}

/* 64 random bits. */
static inline uint64_t pmuv3_prng_next(struct pmuv3_prng *prng) {
  uint64_t *s = prng->s;
  uint64_t result = pmuv3_prng_rotate(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = pmuv3_prng_rotate(s[3], 45);
  return result;
}

/* A number in 0..n-1, by multiplication instead of division; n of at most 32 bits. */
static inline uint32_t pmuv3_prng_below(struct pmuv3_prng *prng, uint32_t n) {
  return (uint32_t)((pmuv3_prng_next(prng) >> 32) * n >> 32);
}

/* True in `share` of 256 draws. */
static inline bool pmuv3_prng_chance(struct pmuv3_prng *prng, unsigned share) {
  return (pmuv3_prng_next(prng) >> 56) < share;
}

#ifdef __cplusplus
}
#endif

#endif
