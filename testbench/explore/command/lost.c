#include "testbench/explore/command/lost.h"

#include "internal.h"
#include "testbench/cosim/stimulus/stimulus.h"

/* Whether a counter counts in a state of its thread, as the C model decodes it. */
static bool counts_in(const struct explore_config *config, const struct explore_counter *counter,
                      const struct pmuv3_pe *pe) {
  const struct explore_config_pmu *pmu = &config->pmus[counter->pmu];
  const unsigned lane = pmuv3_lane(counter->bit);
  struct pmuv3 trial = pmu->pmu;
  pmuv3_set_pe(&trial, pmu->thread, pe);
  const struct pmuv3_config *decoded = &trial.thread[pmu->thread].config;
  return decoded->eligible[lane] != 0 && (config->keeps_to_cycles || !decoded->stopped[lane]);
}

/* Whether the states in which a counter counts depend on its event (K-STALL-CYCLES). Otherwise they
 * are those of all counters: a question's have the same filter and the same controls. */
static bool depends_on_event(const struct explore_config *config) {
  return config->params.k_stall_cycles != 0 && !config->keeps_to_cycles;
}

/* A counter that was asked about the column. NULL: none. */
static const struct explore_counter *counter_of(const struct explore_config *config,
                                                const struct pmt_column *column, unsigned thread) {
  if (column->thread != thread) return NULL;
  for (unsigned c = 0; c < config->num_counters; c++)
    if (config->counters[c].event == column->event) return &config->counters[c];
  return NULL;
}

/* The cycle in which the thread's state ends, or the block does. */
static uint32_t end_of(const struct pmt_block *block, uint32_t change) {
  for (uint32_t next = change + 1; next < block->num_changes; next++)
    if (block->changes[next].thread == block->changes[change].thread)
      return block->changes[next].cycle;
  return block->cycles;
}

/* The first cycle from `from` on in which a column occurs. `to`: there is none. */
static uint32_t first_of(const struct pmt_block *block, unsigned column, uint32_t from,
                         uint32_t to) {
  if (!block->planes[column] || block->sums[column] == 0) return to;
  while (from < to && pmt_block_count(block, column, from) == 0) from++;
  return from;
}

static const char *text_of(const struct pmt_column *column, uint64_t cycle,
                           const struct pmuv3_pe *pe) {
  static _Thread_local char text[160];
  snprintf(
      text, sizeof text,
      "%s occurs in cycle %llu, in a state in which no counter counts it: el=%u ss=%s halted=%d "
      "active=%d wfx=%d",
      column->name, (unsigned long long)cycle, pe->el,
      pmuv3_security_state_name((enum pmuv3_security_state)pe->ss), pe->halted, pe->active,
      pe->wfx);
  return text;
}

const char *explore_lost(const struct explore_config *config, const struct pmt_header *header,
                         const struct pmt_block *block, uint32_t change) {
  const struct pmt_change *state = &block->changes[change];
  const unsigned thread = config->pmus[config->counters[0].pmu].thread;
  if (state->thread != thread) return NULL;
  if (!depends_on_event(config) && counts_in(config, &config->counters[0], &state->pe)) return NULL;
  const uint32_t end = end_of(block, change);
  const struct pmt_column *lost = NULL;
  uint32_t first = end;
  for (unsigned c = 0; c < header->num_columns; c++) {
    const struct explore_counter *counter = counter_of(config, &header->columns[c], thread);
    if (!counter || counts_in(config, counter, &state->pe)) continue;
    const uint32_t cycle = first_of(block, c, state->cycle, first);
    if (cycle < first) lost = &header->columns[c];
    first = cycle;
  }
  return lost ? text_of(lost, block->first + first, &state->pe) : NULL;
}
