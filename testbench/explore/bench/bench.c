/*
 * `pmuv3 explore --bench`: the speed of the engine, of the C model on the same cycles, and of
 * reading memory, side by side. One thread. The trace is in memory, and larger than the caches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/stimulus/prng.h"
#include "testbench/explore/engine/engine.h"

enum { COLUMNS = 16, BLOCKS = 512, REPETITIONS = 5, ERROR_SIZE = 512, MOST_PMUS = 33 };

/* Widths and shares of 256 cycles like those of a core that retires four instructions a cycle. */
static const struct {
  struct pmt_column column;
  unsigned share;
} events[COLUMNS] = {
    {{0x0008, 0, PMUV3_CURRENT, 3, "INST_RETIRED"}, 150},
    {{0x001B, 0, PMUV3_CURRENT, 3, "INST_SPEC"}, 160},
    {{0x0023, 0, PMUV3_CURRENT, 1, "STALL_FRONTEND"}, 30},
    {{0x0024, 0, PMUV3_CURRENT, 1, "STALL_BACKEND"}, 70},
    {{0x0004, 0, PMUV3_CURRENT, 2, "L1D_CACHE"}, 70},
    {{0x0003, 0, PMUV3_CURRENT, 1, "L1D_CACHE_REFILL"}, 4},
    {{0x0014, 0, PMUV3_CURRENT, 1, "L1I_CACHE"}, 60},
    {{0x0001, 0, PMUV3_CURRENT, 1, "L1I_CACHE_REFILL"}, 2},
    {{0x0016, 0, PMUV3_CURRENT, 1, "L2D_CACHE"}, 6},
    {{0x0017, 0, PMUV3_CURRENT, 1, "L2D_CACHE_REFILL"}, 1},
    {{0x0021, 0, PMUV3_CURRENT, 1, "BR_RETIRED"}, 40},
    {{0x0022, 0, PMUV3_CURRENT, 1, "BR_MIS_PRED_RETIRED"}, 2},
    {{0x0005, 0, PMUV3_CURRENT, 1, "L1D_TLB_REFILL"}, 1},
    {{0x0006, 0, PMUV3_CURRENT, 2, "LD_RETIRED"}, 60},
    {{0x0007, 0, PMUV3_CURRENT, 1, "ST_RETIRED"}, 30},
    {{0x003F, 0, PMUV3_CURRENT, 3, "STALL_SLOT"}, 110},
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- The trace ---- */

struct trace {
  struct pmt_reader *reader;
  struct pmt_block *blocks[BLOCKS];
  double bytes; /* of all planes */
};

static void write_trace(FILE *file) {
  struct pmt_column columns[COLUMNS];
  for (unsigned c = 0; c < COLUMNS; c++) columns[c] = events[c].column;
  const struct pmt_header header = {.threads = 1,
                                    .num_columns = COLUMNS,
                                    .columns = columns,
                                    .generator = "bench",
                                    .command = "",
                                    .core = ""};
  const char *why;
  struct pmt_writer *writer = pmt_writer_open(file, &header, &why);
  struct pmuv3_prng prng;
  pmuv3_prng_seed(&prng, 1);
  for (unsigned i = 0; writer && i < 4 * PMT_DEFAULT_BLOCK; i++) {
    for (unsigned c = 0; c < COLUMNS; c++)
      if (pmuv3_prng_chance(&prng, events[c].share))
        pmt_writer_add(writer, c, 1 + pmuv3_prng_below(&prng, (1u << events[c].column.width) - 1));
    pmt_writer_next(writer);
  }
  if (!writer || pmt_writer_close(writer)) pmuv3_cli_no_verdict("cannot make the trace");
}

/* A file that has no name from the beginning, so that nothing is left however the program ends. */
static FILE *nameless_file(char path[64]) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  char *name;
  if (asprintf(&name, "%s/pmuv3-bench.XXXXXX", folder) < 0) pmuv3_cli_no_verdict("out of memory");
  const int descriptor = mkostemp(name, O_CLOEXEC);
  if (descriptor < 0)
    pmuv3_cli_unusable("cannot make a file in '%s' (TMPDIR): %s", folder, strerror(errno));
  remove(name);
  free(name);
  snprintf(path, 64, "/proc/self/fd/%d", descriptor);
  return fdopen(descriptor, "wb");
}

/* The same four blocks fill the memory, each in a room of its own. */
static struct trace *make_trace(void) {
  char path[64], error[ERROR_SIZE];
  struct trace *trace = calloc(1, sizeof *trace);
  FILE *file = nameless_file(path);
  if (!trace || !file) pmuv3_cli_no_verdict("out of memory");
  write_trace(file);
  trace->reader = pmt_reader_open(path, error, sizeof error);
  fclose(file);
  for (unsigned b = 0; trace->reader && b < BLOCKS; b++) {
    trace->blocks[b] = pmt_block_new(trace->reader);
    if (!trace->blocks[b] ||
        !pmt_reader_read(trace->reader, b % 4, NULL, trace->blocks[b], error, sizeof error))
      pmuv3_cli_no_verdict("%s", error);
    for (unsigned c = 0; c < COLUMNS; c++)
      trace->bytes += trace->blocks[b]->num_planes[c] * trace->blocks[b]->words * 8.0;
  }
  if (!trace->reader) pmuv3_cli_no_verdict("%s", error);
  return trace;
}

/* ---- Configurations ---- */

/* A plain counter; or a threshold, an edge, or a linked pair, of which a fifth are plain, too. */
static uint64_t any_type(struct pmuv3_prng *prng, unsigned n, bool is_mixed) {
  const uint64_t event = events[pmuv3_prng_below(prng, COLUMNS)].column.event;
  const unsigned kind = is_mixed ? pmuv3_prng_below(prng, 5) : 0;
  const uint64_t th = 1 + pmuv3_prng_below(prng, 4);
  const uint64_t TH = th << PMUV3_PMEVTYPER_TH_LSB;
  const uint64_t at_least = UINT64_C(4) << PMUV3_PMEVTYPER_TC_LSB;
  const uint64_t count = UINT64_C(1) << PMUV3_PMEVTYPER_TC_LSB;
  const uint64_t edge = UINT64_C(1) << PMUV3_PMEVTYPER_TE_LSB;
  const uint64_t link = UINT64_C(2) << PMUV3_PMEVTYPER_TLC_LSB;
  switch (kind) {
    case 1:
      return event | TH | at_least;
    case 2:
      return event | TH | at_least | count;
    case 3:
      return event | TH | at_least | count | edge;
    case 4:
      return event | TH | at_least | (n % 2 == 1 ? link : 0);
    default:
      return event;
  }
}

static unsigned make_pmus(struct pmuv3 pmus[MOST_PMUS], unsigned counters, bool is_mixed) {
  struct pmuv3_params params = pmuv3_params_default();
  struct pmuv3_prng prng;
  params.counters = PMUV3_MAX_COUNTERS;
  pmuv3_params_complete(&params);
  pmuv3_prng_seed(&prng, 2);
  unsigned num = 0;
  for (unsigned made = 0; made < counters; num++) {
    pmuv3_init(&pmus[num], &params);
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS && made < counters; n++, made++)
      pmuv3_write(&pmus[num], 0, PMUV3_PMEVTYPERn(n), any_type(&prng, n, is_mixed));
    pmuv3_write(&pmus[num], 0, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, P));
    pmuv3_write(&pmus[num], 0, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LP));
  }
  return num;
}

/* ---- Measurements: cycles a second ---- */

static double measure_engine(const struct trace *trace, const struct explore_kernels *kernels,
                             const struct pmuv3 *pmus, unsigned num, unsigned blocks) {
  struct explore_engine *engine = explore_engine_new(pmt_reader_header(trace->reader), kernels);
  for (unsigned p = 0; p < num; p++)
    if (!explore_engine_add(engine, &pmus[p])) pmuv3_cli_no_verdict("out of memory");
  explore_engine_run(engine, trace->blocks[0], 0, trace->blocks[0]->cycles);
  const double start = now();
  for (unsigned b = 0; b < blocks; b++)
    explore_engine_run(engine, trace->blocks[b], 0, trace->blocks[b]->cycles);
  const double seconds = now() - start;
  explore_engine_free(engine);
  return blocks * (double)PMT_DEFAULT_BLOCK / seconds;
}

/* The occurrences are made beforehand, as a simulator presents them. */
static double measure_cmodel(const struct trace *trace, const struct pmuv3 *given) {
  enum { CYCLES = 8192 };
  static struct pmuv3_occurrence occurrences[CYCLES][COLUMNS];
  static struct pmuv3_cycle cycles[CYCLES];
  static struct pmuv3 pmu;
  pmu = *given;
  for (uint32_t c = 0; c < CYCLES; c++) {
    cycles[c].occurrences = occurrences[c];
    cycles[c].num_occurrences = (uint16_t)explore_occurrences(pmt_reader_header(trace->reader),
                                                              trace->blocks[0], c, occurrences[c]);
  }
  const double start = now();
  for (unsigned lap = 0; lap < 100; lap++)
    for (uint32_t c = 0; c < CYCLES; c++) pmuv3_tick(&pmu, &cycles[c]);
  return 100.0 * CYCLES / (now() - start);
}

static double measure_memory(const struct trace *trace) {
  volatile uint64_t sink = 0;
  const double start = now();
  for (unsigned b = 0; b < BLOCKS; b++) {
    const struct pmt_block *block = trace->blocks[b];
    for (unsigned c = 0; c < COLUMNS; c++) {
      uint64_t sums[8] = {0};
      const uint64_t *plane = block->planes[c];
      for (size_t w = 0; w < (size_t)block->num_planes[c] * block->words; w += 8)
        for (unsigned i = 0; i < 8; i++) sums[i] += plane[w + i];
      for (unsigned i = 0; i < 8; i++) sink += sums[i];
    }
  }
  return trace->bytes / (now() - start);
}

/* ---- Results ---- */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double rates[REPETITIONS]) {
  qsort(rates, REPETITIONS, sizeof *rates, ascending);
  return rates[REPETITIONS / 2];
}

struct row {
  const char *name;
  unsigned counters;
  bool is_mixed;
  unsigned blocks;
};

static const struct row rows[] = {
    {"31 plain counters", 31, false, BLOCKS},
    {"31 mixed counters", 31, true, BLOCKS},
    {"1000 mixed counters", 1000, true, BLOCKS / 8},
};
enum { NUM_ROWS = sizeof rows / sizeof *rows, MOST_SETS = 3 };

int main(int argc, char **argv) {
  pmuv3_cli_begin("pmuv3 explore");
  if (argc > 1 && strcmp(argv[1], "--bench") != 0)
    pmuv3_cli_unusable("--bench stands alone, without '%s'", argv[1]);
  if (argc > 2) pmuv3_cli_unusable("--bench stands alone, without '%s'", argv[2]);
  const struct trace *trace = make_trace();
  static struct pmuv3 pmus[NUM_ROWS][MOST_PMUS];
  unsigned num[NUM_ROWS];
  double engine[NUM_ROWS][MOST_SETS][REPETITIONS], cmodel[REPETITIONS], memory[REPETITIONS];
  for (unsigned r = 0; r < NUM_ROWS; r++)
    num[r] = make_pmus(pmus[r], rows[r].counters, rows[r].is_mixed);
  const struct explore_kernels *const *sets = explore_kernels_all();
  for (unsigned i = 0; i < REPETITIONS; i++) {
    memory[i] = measure_memory(trace);
    cmodel[i] = measure_cmodel(trace, &pmus[1][0]);
    for (unsigned r = 0; r < NUM_ROWS; r++)
      for (unsigned s = 0; sets[s]; s++)
        engine[r][s][i] = measure_engine(trace, sets[s], pmus[r], num[r], rows[r].blocks);
  }
  const double bytes = trace->bytes / BLOCKS / PMT_DEFAULT_BLOCK, bandwidth = median(memory);
  printf("medians of %d, one thread; a cycle has %.2f bytes in planes\n", REPETITIONS, bytes);
  printf("%-34s %8.2f GB/s\n", "memory, read", bandwidth / 1e9);
  printf("%-34s %8.1f M cycles/s\n", "C model, 31 mixed counters", median(cmodel) / 1e6);
  for (unsigned r = 0; r < NUM_ROWS; r++)
    for (unsigned s = 0; sets[s]; s++) {
      const double rate = median(engine[r][s]);
      printf("engine, %-19s %-6s %8.0f M cycles/s %8.2f GB/s, %3.0f %% of memory\n", rows[r].name,
             sets[s]->name, rate / 1e6, rate * bytes / 1e9, 100 * rate * bytes / bandwidth);
    }
  return 0;
}
