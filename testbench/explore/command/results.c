/* Runs a configuration over a trace, and collects what was counted. */
#include "testbench/explore/command/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/explore/command/collect.h"
#include "testbench/explore/command/lost.h"
#include "testbench/explore/command/sampling.h"
#include "testbench/explore/engine/pass.h"

/* An engine's intervals of the current round: `width` values each, of its counters. */
struct rows {
  uint64_t *values;
  size_t num, room;
  size_t intervals;
};

struct run {
  const struct explore_run *given;
  const struct explore_config *config;
  struct explore_results *results;
  unsigned num_engines;
  struct explore_engine *engines[64];
  struct explore_pmu **pmus; /* by the configuration's number */
  unsigned *engine_of;       /* likewise */
  unsigned *counters[64];    /* of each engine: numbers of its counters */
  unsigned num_counters[64];
  struct rows rows[64];
  struct explore_collector collector;
  int percent;
  bool failed; /* out of memory */
};

/* ---- Rows ---- */

static uint64_t *grow_rows(struct rows *rows, size_t values) {
  if (rows->num + values >= rows->room) {
    const size_t room = (rows->num + values + 1) * 2;
    uint64_t *bigger = realloc(rows->values, room * sizeof *bigger);
    if (!bigger) return NULL;
    rows->values = bigger;
    rows->room = room;
  }
  rows->num += values;
  return rows->values + rows->num - values;
}

/* Keeps what an engine's counters counted in the interval, and begins the next. */
static void end_interval(struct run *run, unsigned e) {
  uint64_t *row = grow_rows(&run->rows[e], run->num_counters[e]);
  run->rows[e].intervals++;
  if (!row) {
    run->failed = true;
    return;
  }
  for (unsigned i = 0; i < run->num_counters[e]; i++) {
    const unsigned c = run->counters[e][i];
    const struct explore_counter *counter = &run->config->counters[c];
    const unsigned thread = run->config->pmus[counter->pmu].thread;
    struct explore_counts *counts = &run->pmus[counter->pmu]->counts;
    row[i] = counts->counted[thread][counter->bit];
    counts->counted[thread][counter->bit] = 0;
    run->results->overflows[c] += counts->overflows[thread][counter->bit];
    counts->overflows[thread][counter->bit] = 0;
  }
}

static void counted(void *context, unsigned e, const struct pmt_block *block, uint32_t to,
                    bool ends_interval) {
  struct run *run = context;
  if (run->given->block && to == block->cycles) run->given->block(run->given->context, e, block);
  if (ends_interval) end_interval(run, e);
}

/* Joins the engines' parts of an interval. */
static void join_row(struct run *run, size_t interval, uint64_t *row) {
  for (unsigned e = 0; e < run->num_engines; e++)
    for (unsigned i = 0; i < run->num_counters[e]; i++)
      row[run->counters[e][i]] = run->rows[e].values[interval * run->num_counters[e] + i];
}

/* Takes the intervals that ended in the round. */
static bool take_rows(struct run *run) {
  const uint64_t end = pmt_reader_cycles(run->given->reader), interval = run->given->interval;
  uint64_t *row = calloc(run->config->num_counters, sizeof *row);
  if (!row) return false;
  for (size_t i = 0; i < run->rows[0].intervals; i++) {
    const uint64_t left = end - run->results->cycles;
    const uint64_t cycles = interval != 0 && interval < left ? interval : left;
    join_row(run, i, row);
    explore_collect_row(&run->collector, cycles, row);
    if (run->given->row) run->given->row(run->given->context, cycles, row);
  }
  for (unsigned e = 0; e < run->num_engines; e++) run->rows[e].num = run->rows[e].intervals = 0;
  free(row);
  return true;
}

/* ---- Progress ---- */

static void show_progress(struct run *run, uint64_t cycles) {
  const int percent = (int)(cycles * 100 / pmt_reader_cycles(run->given->reader));
  if (!run->given->shows_progress || percent == run->percent) return;
  run->percent = percent;
  fprintf(stderr, "\r%3d %%  %" PRIu64 " M cycles%s", percent, cycles / 1000000,
          percent == 100 ? "\n" : "");
}

static bool progress(void *context, uint64_t cycles) {
  struct run *run = context;
  run->failed |= !take_rows(run);
  show_progress(run, cycles);
  return !run->failed;
}

/* ---- States ---- */

static const char *refused(void *context, const struct pmt_block *block, uint32_t change) {
  const struct run *run = context;
  return explore_lost(run->config, pmt_reader_header(run->given->reader), block, change);
}

/* ---- Samples ---- */

static unsigned number_of(const struct run *run, const struct explore_pmu *pmu) {
  unsigned p = 0;
  while (run->pmus[p] != pmu) p++;
  return p;
}

static void watch(void *context, struct explore_pmu *pmu, unsigned thread, uint64_t flags,
                  uint64_t cycle) {
  struct run *run = context;
  const unsigned p = number_of(run, pmu);
  (void)thread;
  for (; flags != 0; flags &= flags - 1) {
    const struct explore_counter *counter =
        explore_sampled(run->config, p, (unsigned)__builtin_ctzll(flags));
    if (!explore_handle_sample(run->config, counter, pmu, cycle)) run->failed = true;
    if (run->given->sampled)
      run->given->sampled(run->given->context, (unsigned)(counter - run->config->counters), cycle);
  }
}

static void start_periods(struct run *run) {
  for (unsigned p = 0; p < run->config->num_pmus; p++) {
    const unsigned thread = run->config->pmus[p].thread;
    const uint64_t sampled = explore_all_sampled(run->config, p);
    run->pmus[p]->watched[thread] = sampled;
    for (uint64_t left = sampled; left != 0; left &= left - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(left);
      pmuv3_write(&run->pmus[p]->pmu, thread, PMUV3_PMEVCNTRn(bit),
                  explore_period_start(run->config, explore_sampled(run->config, p, bit)));
    }
  }
}

/* ---- A run ---- */

/* PMUs are dealt to as many engines as there are jobs. */
static bool deal_pmus(struct run *run) {
  const struct explore_config *config = run->config;
  const unsigned jobs = run->given->jobs < 64 ? run->given->jobs : 64;
  run->num_engines = config->num_pmus < jobs ? config->num_pmus : jobs;
  for (unsigned e = 0; e < run->num_engines; e++) {
    run->engines[e] =
        explore_engine_new(pmt_reader_header(run->given->reader), run->given->kernels);
    run->counters[e] = calloc(config->num_counters, sizeof *run->counters[e]);
    if (!run->engines[e] || !run->counters[e]) return false;
    explore_engine_watch(run->engines[e], watch, run);
  }
  for (unsigned p = 0; p < config->num_pmus; p++) {
    run->engine_of[p] = p % run->num_engines;
    run->pmus[p] = explore_engine_add(run->engines[run->engine_of[p]], &config->pmus[p].pmu);
    if (!run->pmus[p]) return false;
    for (size_t a = 0; a < config->pmus[p].num_actions; a++)
      if (!explore_pmu_act(run->pmus[p], &config->pmus[p].actions[a])) return false;
  }
  for (unsigned c = 0; c < config->num_counters; c++) {
    const unsigned e = run->engine_of[config->counters[c].pmu];
    run->counters[e][run->num_counters[e]++] = c;
  }
  return true;
}

static bool begin(struct run *run) {
  run->pmus = calloc(run->config->num_pmus + 1, sizeof *run->pmus);
  run->engine_of = calloc(run->config->num_pmus + 1, sizeof *run->engine_of);
  run->collector = (struct explore_collector){run->config, run->results, run->given->csv};
  if (!run->pmus || !run->engine_of || !deal_pmus(run) || !explore_collect_begin(&run->collector))
    return false;
  start_periods(run);
  return true;
}

static void end(struct run *run) {
  struct explore_results *results = run->results;
  for (unsigned p = 0; run->pmus && p < run->config->num_pmus; p++)
    for (unsigned r = 0; run->pmus[p] && r < EXPLORE_NUM_REASONS; r++)
      results->ticked[r] += run->pmus[p]->ticked[r];
  for (unsigned e = 0; e < run->num_engines; e++) {
    unsigned nodes = 0, sums = 0;
    if (run->engines[e]) explore_engine_size(run->engines[e], &nodes, &sums);
    results->nodes += nodes;
    results->sums += sums;
    explore_engine_free(run->engines[e]);
    free(run->counters[e]);
    free(run->rows[e].values);
  }
  free(run->pmus);
  free(run->engine_of);
}

bool explore_run(const struct explore_run *given, const struct explore_config *config,
                 struct explore_results *results, char *error, size_t error_size) {
  const struct pmt_header *header = pmt_reader_header(given->reader);
  *results = (struct explore_results){.config = config};
  struct run *run = calloc(1, sizeof *run);
  bool *wanted = calloc(header->num_columns + 1u, sizeof *wanted);
  snprintf(error, error_size, "out of memory");
  bool done = false;
  if (run && wanted) {
    *run = (struct run){.given = given, .config = config, .results = results, .percent = -1};
    explore_config_wanted(config, header, wanted);
    if (begin(run)) {
      const struct explore_pass pass = {.reader = given->reader,
                                        .engines = run->engines,
                                        .num_engines = run->num_engines,
                                        .jobs = given->jobs,
                                        .wanted = wanted,
                                        .interval = given->interval,
                                        .params = &config->params,
                                        .refused = config->counts_everywhere ? refused : NULL,
                                        .counted = counted,
                                        .progress = progress,
                                        .context = run};
      done = explore_pass_run(&pass, error, error_size);
      if (run->failed) snprintf(error, error_size, "out of memory");
      done &= !run->failed;
    }
    end(run);
  }
  free(run);
  free(wanted);
  return done;
}

void explore_results_free(struct explore_results *results) {
  free(results->totals);
  free(results->overflows);
  free(results->series.cycles);
  free(results->series.values);
  *results = (struct explore_results){0};
}
