#define _GNU_SOURCE
#include "testbench/explore/tracer/columns.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <string.h>
#include <sys/mman.h>

static const size_t memory_size = (size_t)NUM_GROUPS * COLUMNS_STRIDE * sizeof(uint64_t);

/* The first word of each group becomes that of a cycle. */
static void set_first(struct columns *columns, uint64_t cycle) {
  columns->first = cycle;
  columns->origin = (uintptr_t)columns->words - cycle * sizeof *columns->words;
  columns->block_done = cycle + COLUMNS_BLOCK;
}

bool columns_init(struct columns *columns, columns_sink *sink, void *context) {
  *columns = (struct columns){.sink = sink, .context = context};
  columns->words = mmap(NULL, memory_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  set_first(columns, 0);
  return columns->words != MAP_FAILED;
}

void columns_free(struct columns *columns) {
  munmap(columns->words, memory_size);
}

/* ---- Handing on ---- */

/* The cycles behind become the first ones. The place that they leave becomes 0. */
static void shift(struct columns *columns, uint32_t cycles, uint64_t end) {
  const uint64_t used = end - columns->first;
  const size_t behind = used > cycles ? used - cycles : 0;
  for (unsigned group = 0; group < NUM_GROUPS; group++) {
    uint64_t *words = columns->words + (size_t)group * COLUMNS_STRIDE;
    memmove(words, words + cycles, behind * sizeof *words);
    memset(words + behind, 0, cycles * sizeof *words);
  }
  set_first(columns, columns->first + cycles);
}

static void hand_on(struct columns *columns, uint32_t cycles, uint64_t end) {
  const uint64_t *words[NUM_GROUPS];
  for (size_t group = 0; group < NUM_GROUPS; group++)
    words[group] = columns->words + group * COLUMNS_STRIDE;
  columns->sink(columns->context, words, cycles);
  shift(columns, cycles, end);
}

void columns_hand_on(struct columns *columns, uint64_t done, uint64_t end) {
  while (columns->block_done <= done) hand_on(columns, COLUMNS_BLOCK, end);
}

void columns_finish(struct columns *columns, uint64_t end) {
  columns_hand_on(columns, end, end);
  if (end > columns->first) hand_on(columns, (uint32_t)(end - columns->first), end);
}

/* ---- Words become columns ---- */

/* Byte b of word w becomes byte w of word b. */
#ifdef __SSE2__
static void transpose(const uint64_t words[COLUMNS_GROUP], uint64_t bytes[COLUMNS_GROUP]) {
  __m128i pairs[4], fours[4];
  for (unsigned i = 0; i < 4; i++) {
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)&words[2 * i]);
    const __m128i high = _mm_loadl_epi64((const __m128i *)(const void *)&words[2 * i + 1]);
    pairs[i] = _mm_unpacklo_epi8(low, high);
  }
  for (unsigned i = 0; i < 2; i++) {
    fours[2 * i] = _mm_unpacklo_epi16(pairs[2 * i], pairs[2 * i + 1]);
    fours[2 * i + 1] = _mm_unpackhi_epi16(pairs[2 * i], pairs[2 * i + 1]);
  }
  for (unsigned i = 0; i < 2; i++) {
    __m128i *at = (__m128i *)(void *)&bytes[4 * i];
    _mm_storeu_si128(at, _mm_unpacklo_epi32(fours[i], fours[i + 2]));
    _mm_storeu_si128(at + 1, _mm_unpackhi_epi32(fours[i], fours[i + 2]));
  }
}
#else
static void transpose(const uint64_t words[COLUMNS_GROUP], uint64_t bytes[COLUMNS_GROUP]) {
  for (unsigned b = 0; b < COLUMNS_GROUP; b++) {
    bytes[b] = 0;
    for (unsigned w = 0; w < COLUMNS_GROUP; w++)
      bytes[b] |= (words[w] >> 8 * b & UINT8_MAX) << 8 * w;
  }
}
#endif

/* Words behind `cycles` may be there, and make counts that nobody takes. */
static void split_group(struct columns_block *block, unsigned group, const uint64_t *words,
                        uint32_t cycles) {
  for (uint32_t cycle = 0; cycle < cycles; cycle += COLUMNS_GROUP) {
    uint64_t bytes[COLUMNS_GROUP];
    transpose(words + cycle, bytes);
    for (unsigned i = 0; i < COLUMNS_GROUP; i++)
      memcpy(&block->of[group * COLUMNS_GROUP + i][cycle], &bytes[i], sizeof bytes[i]);
  }
}

static void complete_stalls(struct columns_block *block) {
  const uint8_t *frontend = block->of[COLUMN_STALL_FRONTEND];
  const uint8_t *backend = block->of[COLUMN_STALL_BACKEND];
  const uint8_t *frontend_slots = block->of[COLUMN_STALL_SLOT_FRONTEND];
  const uint8_t *backend_slots = block->of[COLUMN_STALL_SLOT_BACKEND];
  uint8_t *stall = block->of[COLUMN_STALL], *slots = block->of[COLUMN_STALL_SLOT];
  for (uint32_t i = 0; i < COLUMNS_BLOCK; i++) stall[i] = frontend[i] | backend[i];
  for (uint32_t i = 0; i < COLUMNS_BLOCK; i++)
    slots[i] = (uint8_t)(frontend_slots[i] + backend_slots[i]);
}

static void complete_accesses(struct columns_block *block) {
  memcpy(block->of[COLUMN_MEM_ACCESS], block->of[COLUMN_L1D_CACHE], COLUMNS_BLOCK);
}

void columns_split(struct columns_block *block, const uint64_t *const words[NUM_GROUPS],
                   uint32_t cycles) {
  for (unsigned group = 0; group < NUM_GROUPS; group++)
    if (words[group]) split_group(block, group, words[group], cycles);
  if (words[COLUMN_STALL / COLUMNS_GROUP]) complete_stalls(block);
  if (words[COLUMN_MEM_ACCESS / COLUMNS_GROUP]) complete_accesses(block);
}
