/* A trace for the tests of `pmuv3 explore`, whose counts follow from the cycle's number:
 * sample FILE CYCLES [KIND [STATE]]. KIND is noise, slots, idle, bytes, surplus, late, stalls,
 * specs, own, both, turns, others, branches or threads. `slots` has the columns of Slots, too,
 * `stalls` has these without OP_SPEC, and `specs` without OP_RETIRED. `bytes` is `slots` with a
 * command that is not UTF-8, and `idle` is `slots` without the stalls of the back end. `surplus`
 * and `late` have counts of Slots that do not add up. STATE is EL,SS,HALTED,PHASE[,WFX]: the
 * thread's state from this phase of each 16 cycles to their end. */
#include <stdlib.h>
#include <string.h>

#include "testbench/explore/pmt/pmt.h"

/* In 16 cycles: four retire 1, 2, 3 and 4 instructions, then the front end stalls for 4 cycles,
 * with a refill in the first, then the back end for 8. A branch is mispredicted in each 64th cycle.
 * Of four Slots a cycle, all are taken in the first four cycles, and three operations retire.
 */
enum {
  INST_RETIRED,
  STALL_FRONTEND,
  STALL_BACKEND,
  L1I_CACHE_REFILL,
  BR_MIS_PRED,
  NUM_PLAIN,
  STALL_SLOT_FRONTEND = NUM_PLAIN,
  STALL_SLOT_BACKEND,
  STALL_SLOT,
  OP_RETIRED,
  OP_SPEC,
  NUM_COLUMNS
};

static const struct pmt_column columns[NUM_COLUMNS] = {
    {0x0008, 0, PMUV3_CURRENT, 3, "INST_RETIRED"},
    {0x0023, 0, PMUV3_CURRENT, 1, "STALL_FRONTEND"},
    {0x0024, 0, PMUV3_CURRENT, 1, "STALL_BACKEND"},
    {0x0001, 0, PMUV3_CURRENT, 1, "L1I_CACHE_REFILL"},
    {0x0010, 0, PMUV3_CURRENT, 1, "BR_MIS_PRED"},
    {0x003E, 0, PMUV3_CURRENT, 3, "STALL_SLOT_FRONTEND"},
    {0x003D, 0, PMUV3_CURRENT, 3, "STALL_SLOT_BACKEND"},
    {0x003F, 0, PMUV3_CURRENT, 3, "STALL_SLOT"},
    {0x003A, 0, PMUV3_CURRENT, 2, "OP_RETIRED"},
    {0x003B, 0, PMUV3_CURRENT, 3, "OP_SPEC"},
};

static void count_phases(unsigned long cycle, uint8_t counts[NUM_COLUMNS]) {
  const unsigned phase = cycle % 16;
  counts[INST_RETIRED] = phase < 4 ? (uint8_t)(phase + 1) : 0;
  counts[STALL_FRONTEND] = phase >= 4 && phase < 8;
  counts[STALL_BACKEND] = phase >= 8;
  counts[L1I_CACHE_REFILL] = phase == 4;
  counts[BR_MIS_PRED] = cycle % 64 == 0;
  counts[STALL_SLOT_FRONTEND] = phase >= 4 && phase < 8 ? 4 : 0;
  counts[STALL_SLOT_BACKEND] = phase >= 8 ? 4 : 0;
  counts[STALL_SLOT] = phase >= 4 ? 4 : 0;
  counts[OP_RETIRED] = phase < 4 ? 3 : 0;
  counts[OP_SPEC] = phase < 4 ? 4 : 0;
}

/* In phases 8 to 15 nothing occurs. */
static void count_idle(unsigned long cycle, uint8_t counts[NUM_COLUMNS]) {
  if (cycle % 16 >= 8) counts[STALL_BACKEND] = counts[STALL_SLOT_BACKEND] = counts[STALL_SLOT] = 0;
}

/* Of four Slots a cycle, an operation takes one. In each cycle three operations retire, and each
 * end says that it stalls the other three Slots. */
static void count_surplus(uint8_t counts[NUM_COLUMNS]) {
  counts[STALL_SLOT_FRONTEND] = counts[STALL_SLOT_BACKEND] = counts[STALL_SLOT] = 3;
  counts[OP_RETIRED] = 3;
  counts[OP_SPEC] = 1;
}

/* Operations retire in the 64 cycles that follow the 64 in which they were sent. */
static void count_late(unsigned long cycle, uint8_t counts[NUM_COLUMNS]) {
  const bool is_sent = cycle / 64 % 2 == 0;
  counts[STALL_SLOT_FRONTEND] = 0;
  counts[STALL_SLOT_BACKEND] = counts[STALL_SLOT] = is_sent ? 1 : 3;
  counts[OP_RETIRED] = is_sent ? 0 : 3;
  counts[OP_SPEC] = is_sent ? 3 : 1;
}

/* Counts that zstd cannot compress, so that a file is as large as can be. */
static void count_noise(uint64_t *state, uint8_t counts[NUM_COLUMNS]) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  for (unsigned c = 0; c < NUM_PLAIN; c++)
    counts[c] = (uint8_t)(*state >> (20 + 8 * c) & ((1u << columns[c].width) - 1));
}

/* A trace of others' events: INSTRUCTIONS, which perf has for another event, occurs 255 times in
 * each eighth cycle. Condition IMP_0101 occurs in cycle 1 of 128, IMP_0102 in cycle 2, and so on.
 */
enum { NUM_OWN = 100 };
static struct pmt_column own[NUM_OWN] = {{0x00C5, 0, PMUV3_CURRENT, 8, "INSTRUCTIONS"}};

static void name_own(void) {
  for (unsigned c = 1; c < NUM_OWN; c++) {
    own[c] = (struct pmt_column){.event = (uint16_t)(0x100 + c), .width = 1};
    snprintf(own[c].name, sizeof own[c].name, "IMP_%04X", own[c].event);
  }
}

static void count_own(unsigned long cycle, uint8_t counts[NUM_OWN]) {
  counts[0] = cycle % 8 == 0 ? 255 : 0;
  for (unsigned c = 1; c < NUM_OWN; c++) counts[c] = cycle % 128 == c;
}

/* An event with both origins. Each of them occurs in each fourth cycle, or they take turns
 * (`turns`). `others` has the second alone. */
static void name_both(void) {
  own[0] = (struct pmt_column){0x0004, 0, PMUV3_CURRENT, 1, "L1D_CACHE"};
  own[1] = (struct pmt_column){0x0004, 0, PMUV3_UNATTRIBUTABLE, 1, "L1D_CACHE"};
}

/* Two threads, of which the second has no INST_RETIRED. Everything occurs in each fourth cycle. */
enum { NUM_OF_THREADS = 5 };
static void name_threads(void) {
  own[0] = (struct pmt_column){0x4005, 0, PMUV3_CURRENT, 1, "STALL_BACKEND_MEM"};
  own[1] = (struct pmt_column){0x4005, 1, PMUV3_CURRENT, 1, "STALL_BACKEND_MEM"};
  own[2] = (struct pmt_column){0x0008, 0, PMUV3_CURRENT, 1, "INST_RETIRED"};
  own[3] = (struct pmt_column){0x0023, 0, PMUV3_CURRENT, 1, "STALL_FRONTEND"};
  own[4] = (struct pmt_column){0x0023, 1, PMUV3_CURRENT, 1, "STALL_FRONTEND"};
}

/* OP_SPEC stands in the place of OP_RETIRED. */
static void name_specs(void) {
  memcpy(own, columns, OP_SPEC * sizeof *own);
  own[OP_RETIRED] = columns[OP_SPEC];
}

static uint16_t columns_of(const char *kind) {
  static const char *const with_slots[] = {"slots", "bytes", "idle", "surplus", "late"};
  if (strcmp(kind, "own") == 0) return NUM_OWN;
  for (size_t k = 0; k < sizeof with_slots / sizeof *with_slots; k++)
    if (strcmp(kind, with_slots[k]) == 0) return NUM_COLUMNS;
  if (strcmp(kind, "both") == 0 || strcmp(kind, "turns") == 0) return 2;
  if (strcmp(kind, "others") == 0 || strcmp(kind, "branches") == 0) return 1;
  if (strcmp(kind, "threads") == 0) return NUM_OF_THREADS;
  return strcmp(kind, "stalls") == 0 || strcmp(kind, "specs") == 0 ? OP_SPEC : NUM_PLAIN;
}

/* Another state than after reset. */
struct state {
  struct pmuv3_pe pe;
  unsigned phase;
};

static bool read_state(const char *text, struct state *state) {
  unsigned el, ss, halted, wfx = 0;
  if (sscanf(text, "%u,%u,%u,%u,%u", &el, &ss, &halted, &state->phase, &wfx) < 4) return false;
  state->pe = (struct pmuv3_pe)PMUV3_PE_RESET;
  state->pe.el = (uint8_t)el;
  state->pe.ss = (uint8_t)ss;
  state->pe.halted = halted != 0;
  state->pe.wfx = wfx != 0;
  return true;
}

static void change_state(struct pmt_writer *writer, const struct state *state,
                         unsigned long cycle) {
  static const struct pmuv3_pe reset = PMUV3_PE_RESET;
  if (cycle % 16 == 0) pmt_writer_state(writer, 0, &reset);
  if (cycle % 16 == state->phase) pmt_writer_state(writer, 0, &state->pe);
}

int main(int argc, char **argv) {
  struct state other;
  const bool has_other = argc == 5 && read_state(argv[4], &other);
  const bool is_usable = argc == 3 || argc == 4 || has_other;
  const char *why = NULL, *kind = argc > 3 ? argv[3] : "";
  const bool is_noise = strcmp(kind, "noise") == 0, is_own = strcmp(kind, "own") == 0;
  const bool is_specs = strcmp(kind, "specs") == 0, is_both = columns_of(kind) == 2;
  const bool is_others = strcmp(kind, "others") == 0, is_branches = strcmp(kind, "branches") == 0;
  const bool is_turns = strcmp(kind, "turns") == 0;
  const bool is_bytes = strcmp(kind, "bytes") == 0, is_threads = strcmp(kind, "threads") == 0;
  FILE *file = is_usable ? fopen(argv[1], "wb") : NULL;
  const struct pmt_header header = {
      .block_cycles = is_noise ? PMT_DEFAULT_BLOCK : 4096,
      .threads = is_threads ? 2 : 1,
      .num_columns = columns_of(kind),
      .columns =
          is_own || is_specs || is_both || columns_of(kind) == 1 || is_threads ? own : columns,
      .generator = "sample",
      .command = is_bytes ? "./s\xFF\x01'" : "./sample",
      .core = ""};
  if (is_own) name_own();
  if (is_specs) name_specs();
  if (is_both) name_both();
  if (is_others) own[0] = (struct pmt_column){0x0004, 0, PMUV3_UNATTRIBUTABLE, 1, "L1D_CACHE"};
  if (is_branches) own[0] = (struct pmt_column){0x0021, 0, PMUV3_CURRENT, 1, "BR_RETIRED"};
  if (is_threads) name_threads();
  struct pmt_writer *writer = file ? pmt_writer_open(file, &header, &why) : NULL;
  if (!writer) return 2;
  const unsigned long cycles = strtoul(argv[2], NULL, 10);
  uint64_t state = 1;
  for (unsigned long c = 0; c < cycles; c++) {
    uint8_t counts[NUM_OWN];
    if (has_other) change_state(writer, &other, c);
    if (is_noise)
      count_noise(&state, counts);
    else if (is_own)
      count_own(c, counts);
    else if (is_turns)
      counts[0] = c % 8 == 0, counts[1] = c % 8 == 4;
    else if (is_both || is_others || is_branches)
      counts[0] = counts[1] = c % 4 == 0;
    else if (is_threads)
      memset(counts, c % 4 == 0, NUM_OF_THREADS);
    else
      count_phases(c, counts);
    if (strcmp(kind, "idle") == 0) count_idle(c, counts);
    if (strcmp(kind, "surplus") == 0) count_surplus(counts);
    if (strcmp(kind, "late") == 0) count_late(c, counts);
    if (is_specs) counts[OP_RETIRED] = counts[OP_SPEC];
    pmt_writer_cycle(writer, counts);
  }
  why = pmt_writer_close(writer);
  return fclose(file) == 0 && !why ? 0 : 2;
}
