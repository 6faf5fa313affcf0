/* The kernels for one instruction set. CMakeLists.txt compiles this file once for each, with the
 * compiler's options for the set, and the set's name in EXPLORE_ISA. */
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "testbench/explore/engine/kernels.h"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

#if defined __AVX512F__
enum { BYTES = 64 };
static const char name[] = "AVX-512";
#elif defined __AVX2__
enum { BYTES = 32 };
static const char name[] = "AVX2";
#else
enum { BYTES = 16 };
static const char name[] = "none";
#endif

/* A vector of words; the compiler makes it of what the instruction set has. */
typedef uint64_t vector __attribute__((vector_size(BYTES), may_alias));
enum { WORDS = BYTES / 8 };

/* Memory is read in lines, this many bytes ahead of what is summed. */
enum { LINE = 64, AHEAD = 4096 };

static vector at(const uint64_t *plane, size_t word) {
  return *(const vector *)(plane + word);
}
static void set(uint64_t *plane, size_t word, vector value) {
  *(vector *)(plane + word) = value;
}
static const uint64_t *plane(struct explore_number number, unsigned k) {
  return number.planes + k * number.stride;
}

/* ---- Numbers to bits ---- */

static void nonzero(uint64_t *to, struct explore_number number, size_t words) {
  for (size_t w = 0; w < words; w += WORDS) {
    vector any = {0};
    for (unsigned k = 0; k < number.num; k++) any |= at(plane(number, k), w);
    set(to, w, any);
  }
}

/* From the lowest bit up: a 1 in the threshold needs the bit, a 0 is satisfied by it. */
static void at_least(uint64_t *to, struct explore_number number, unsigned th, bool negate,
                     size_t words) {
  const vector zero = {0}, flip = negate ? ~zero : zero;
  for (size_t w = 0; w < words; w += WORDS) {
    vector reached = ~zero;
    for (unsigned k = 0; k < number.num; k++) {
      const vector bit = at(plane(number, k), w);
      reached = (th >> k & 1) != 0 ? reached & bit : reached | bit;
    }
    set(to, w, reached ^ flip);
  }
}

static void unequal(uint64_t *to, struct explore_number number, unsigned th, bool negate,
                    size_t words) {
  const vector zero = {0}, flip = negate ? ~zero : zero;
  for (size_t w = 0; w < words; w += WORDS) {
    vector differs = zero;
    for (unsigned k = 0; k < number.num; k++) {
      const vector bit = at(plane(number, k), w);
      differs |= (th >> k & 1) != 0 ? ~bit : bit;
    }
    set(to, w, differs ^ flip);
  }
}

/* ---- Bits to bits ---- */

/* The word is a loop-carried value, so this loop has no vectors of the project's own. */
static void edge(uint64_t *restrict to, const uint64_t *restrict ct, bool both, size_t words) {
  to[0] = both ? ct[0] ^ ct[0] << 1 : ct[0] & ~(ct[0] << 1);
  if (both) {
    for (size_t w = 1; w < words; w++) to[w] = ct[w] ^ (ct[w] << 1 | ct[w - 1] >> 63);
  } else {
    for (size_t w = 1; w < words; w++) to[w] = ct[w] & ~(ct[w] << 1 | ct[w - 1] >> 63);
  }
}

static void and_(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w += WORDS) set(to, w, at(a, w) & at(b, w));
}

static void and_not(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w += WORDS) set(to, w, ~at(a, w) & at(b, w));
}

static void or_masked(uint64_t *to, const uint64_t *a, const uint64_t *mask, size_t words) {
  for (size_t w = 0; w < words; w += WORDS) set(to, w, at(to, w) | (at(a, w) & at(mask, w)));
}

static void add(uint64_t *to, const uint64_t *a, const uint64_t *b, uint64_t *carry, size_t words) {
  for (size_t w = 0; w < words; w += WORDS) {
    const vector x = at(a, w), y = at(b, w), c = at(carry, w);
    set(to, w, x ^ y ^ c);
    set(carry, w, (x & y) | ((x ^ y) & c));
  }
}

/* ---- Sums ---- */

#if defined __AVX512F__
static vector add_ones(vector so_far, vector bits) {
  return so_far + (vector)_mm512_popcnt_epi64((__m512i)bits);
}
static vector widened(vector counts) {
  return counts;
}
#elif defined __AVX2__
/* In bytes. Each has at most 8 ones in a vector, and a chunk at most 16 vectors. */
_Static_assert(8 * EXPLORE_CHUNK / WORDS <= UINT8_MAX, "a byte holds the ones of its column");
static vector add_ones(vector so_far, vector bits) {
  const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                        1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i nibble = _mm256_set1_epi8(15), all = (__m256i)bits;
  const __m256i low = _mm256_shuffle_epi8(ones, _mm256_and_si256(all, nibble));
  const __m256i high =
      _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(all, 4), nibble));
  return (vector)_mm256_add_epi8((__m256i)so_far, _mm256_add_epi8(low, high));
}
static vector widened(vector counts) {
  return (vector)_mm256_sad_epu8((__m256i)counts, _mm256_setzero_si256());
}
#else
static vector add_ones(vector so_far, vector bits) {
  for (unsigned i = 0; i < WORDS; i++) so_far[i] += (uint64_t)__builtin_popcountll(bits[i]);
  return so_far;
}
static vector widened(vector counts) {
  return counts;
}
#endif

static uint64_t total(vector ones) {
  uint64_t total = 0;
  for (unsigned i = 0; i < WORDS; i++) total += ones[i];
  return total;
}

static uint64_t sum(struct explore_number number, size_t words) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < number.num; k++) {
    const uint64_t *bits = plane(number, k);
    vector all = {0};
    for (size_t first = 0; first < words; first += EXPLORE_CHUNK) {
      const size_t end = words - first < EXPLORE_CHUNK ? words : first + EXPLORE_CHUNK;
      vector ones = {0};
      for (size_t w = first; w < end; w += WORDS) {
        if (w % (LINE / 8) == 0) __builtin_prefetch(bits + w + AHEAD / 8);
        ones = add_ones(ones, at(bits, w));
      }
      all += widened(ones);
    }
    sum += total(all) << k;
  }
  return sum;
}

static uint64_t sum_masked(struct explore_number number, const uint64_t *mask, size_t words) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < number.num; k++) {
    const uint64_t *bits = plane(number, k);
    vector ones = {0};
    for (size_t w = 0; w < words; w += WORDS) ones = add_ones(ones, at(bits, w) & at(mask, w));
    sum += total(widened(ones)) << k;
  }
  return sum;
}

extern const struct explore_kernels NAMED(explore_kernels_, EXPLORE_ISA);
const struct explore_kernels NAMED(explore_kernels_, EXPLORE_ISA) = {
    name, nonzero, at_least, unequal, edge, and_, and_not, or_masked, add, sum, sum_masked,
};
