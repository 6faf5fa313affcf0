#include "testbench/explore/command/lost.h"

#include "internal.h"
#include "testbench/cosim/stimulus/stimulus.h"

/* Whether the counters count in a state of their thread, as the C model decodes it. All counters of
 * a question have the same filter and the same controls. */
static bool counts_in(const struct explore_config *config, const struct pmuv3_pe *pe) {
  const struct explore_counter *counter = &config->counters[0];
  const struct explore_config_pmu *pmu = &config->pmus[counter->pmu];
  struct pmuv3 trial = pmu->pmu;
  pmuv3_set_pe(&trial, pmu->thread, pe);
  return trial.thread[pmu->thread].config.eligible[pmuv3_lane(counter->bit)] != 0;
}

static bool is_asked(const struct explore_config *config, const struct pmt_column *column,
                     unsigned thread) {
  if (column->thread != thread) return false;
  for (unsigned c = 0; c < config->num_counters; c++)
    if (config->counters[c].event == column->event) return true;
  return false;
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
  snprintf(text, sizeof text,
           "%s occurs in cycle %llu, in a state in which no counter counts: el=%u ss=%s halted=%d",
           column->name, (unsigned long long)cycle, pe->el,
           pmuv3_security_state_name((enum pmuv3_security_state)pe->ss), pe->halted);
  return text;
}

const char *explore_lost(const struct explore_config *config, const struct pmt_header *header,
                         const struct pmt_block *block, uint32_t change) {
  const struct pmt_change *state = &block->changes[change];
  const unsigned thread = config->pmus[config->counters[0].pmu].thread;
  if (state->thread != thread || counts_in(config, &state->pe)) return NULL;
  const uint32_t end = end_of(block, change);
  const struct pmt_column *lost = NULL;
  uint32_t first = end;
  for (unsigned c = 0; c < header->num_columns; c++) {
    if (!is_asked(config, &header->columns[c], thread)) continue;
    const uint32_t cycle = first_of(block, c, state->cycle, first);
    if (cycle < first) lost = &header->columns[c];
    first = cycle;
  }
  return lost ? text_of(lost, block->first + first, &state->pe) : NULL;
}
