#include "testbench/explore/command/sampling.h"

const struct explore_counter *explore_sampled(const struct explore_config *config, unsigned pmu,
                                              unsigned bit) {
  for (unsigned c = 0; c < config->num_counters; c++) {
    const struct explore_counter *counter = &config->counters[c];
    if (counter->pmu == pmu && counter->bit == bit && counter->period != 0) return counter;
  }
  return NULL;
}

uint64_t explore_all_sampled(const struct explore_config *config, unsigned pmu) {
  uint64_t sampled = 0;
  for (unsigned c = 0; c < config->num_counters; c++)
    if (config->counters[c].pmu == pmu && config->counters[c].period != 0)
      sampled |= UINT64_C(1) << config->counters[c].bit;
  return sampled;
}

uint64_t explore_period_start(const struct explore_config *config,
                              const struct explore_counter *counter) {
  const struct explore_config_pmu *pmu = &config->pmus[counter->pmu];
  const uint64_t top = pmu->pmu.thread[pmu->thread].config.top[pmuv3_lane(counter->bit)];
  return (2 * top - counter->period) & pmu->pmu.identity.width;
}

static bool add_write(struct explore_pmu *pmu, unsigned thread, uint64_t cycle, uint16_t reg,
                      uint64_t value) {
  const struct explore_action action = {.cycle = cycle,
                                        .kind = EXPLORE_WRITE,
                                        .thread = (uint8_t)thread,
                                        .write = {.reg = reg, .value = value}};
  return explore_pmu_act(pmu, &action);
}

bool explore_handle_sample(const struct explore_config *config,
                           const struct explore_counter *counter, struct explore_pmu *pmu,
                           uint64_t cycle) {
  const unsigned thread = config->pmus[counter->pmu].thread;
  const uint64_t handled = cycle + 1 + counter->skid;
  return add_write(pmu, thread, handled, PMUV3_PMOVSCLR, UINT64_C(1) << counter->bit) &&
         add_write(pmu, thread, handled, PMUV3_PMEVCNTRn(counter->bit),
                   explore_period_start(config, counter));
}
