#include "testbench/explore/command/config.h"

#include <stdlib.h>
#include <string.h>

static void free_pmus(struct explore_config_pmu *pmus, unsigned num) {
  for (unsigned p = 0; p < num; p++) {
    free(pmus[p].actions);
    free(pmus[p].setup);
  }
}

void explore_config_keep(struct explore_config *config, unsigned first, unsigned end) {
  unsigned kept = 0;
  for (unsigned c = 0; c < config->num_counters; c++) {
    struct explore_counter *counter = &config->counters[c];
    if (counter->pmu < first || counter->pmu >= end) continue;
    counter->pmu -= first;
    config->counters[kept++] = *counter;
  }
  free_pmus(config->pmus, first);
  free_pmus(config->pmus + end, config->num_pmus - end);
  memmove(config->pmus, config->pmus + first, (end - first) * sizeof *config->pmus);
  config->num_pmus = end - first;
  config->num_counters = kept;
}

void explore_config_free(struct explore_config *config) {
  free_pmus(config->pmus, config->num_pmus);
  free(config->pmus);
  free(config->counters);
  *config = (struct explore_config){0};
}

static bool counts(const struct explore_config *config, uint16_t event) {
  for (unsigned c = 0; c < config->num_counters; c++)
    if (config->counters[c].bit < PMUV3_MAX_COUNTERS && config->counters[c].event == event)
      return true;
  return false;
}

void explore_config_wanted(const struct explore_config *config, const struct pmt_header *header,
                           bool *wanted) {
  bool stalls = false;
  for (unsigned c = 0; c < config->num_counters; c++)
    stalls |= (config->counters[c].type & PMUV3_MASK(PMEVTYPER, MT)) != 0;
  for (unsigned c = 0; c < header->num_columns; c++) {
    const uint16_t event = header->columns[c].event;
    wanted[c] = config->has_writes || counts(config, event) || event == PMUV3_EVENT_INST_RETIRED ||
                (stalls && event == PMUV3_EVENT_STALL_BACKEND);
  }
}
