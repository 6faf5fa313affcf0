/* The counters' places in PMUs, and the PMUs' registers. */
#include "testbench/explore/command/reading.h"
#include "testbench/explore/command/reserved.h"

/* ---- Places ---- */

/* Whether the next counter is linked to this one: the pair stays together. */
static bool has_partner(const struct explore_config *config, unsigned c) {
  const struct explore_counter *counter = &config->counters[c];
  return c + 1 < config->num_counters && counter[1].is_linked && !counter->is_linked &&
         counter->bit == EXPLORE_BITS;
}

/* Whether the counter before it in the list has the even place before `next`. */
static bool is_behind_partner(const struct explore_config *config, unsigned c, unsigned next) {
  return next % 2 == 1 && c > 0 && config->counters[c - 1].bit == next - 1;
}

/* A PMU has one cycle counter, and one instruction counter. */
static bool place_fixed(struct reading *reading, const struct explore_counter *counter) {
  const struct explore_config *config = reading->config;
  for (const struct explore_counter *other = config->counters; other < counter; other++)
    if (other->bit == counter->bit && other->pmu == counter->pmu)
      return reading_fail_at(reading, counter->line, "pmccntr, pmicntr: each is once in a PMU");
  if (counter->bit != EXPLORE_INSTRUCTIONS || pmuv3_has(&config->params, PMUV3_FEATURE_ICNTR))
    return true;
  return reading_fail_at(reading, counter->line, "pmicntr: there is none without ICNTR");
}

/* Gives each event counter the next place in its PMU; a linked one takes the odd place behind its
 * partner. A packed list goes on in further PMUs. */
bool reading_place(struct reading *reading) {
  struct explore_config *config = reading->config;
  const unsigned most = config->params.counters;
  unsigned next = 0, pmu = 0;
  for (unsigned c = 0; c < config->num_counters; c++) {
    struct explore_counter *counter = &config->counters[c];
    const bool pair = has_partner(config, c);
    if (!reading->is_packed && counter->pmu != pmu) next = 0, pmu = counter->pmu;
    counter->pmu = pmu;
    if (counter->bit != EXPLORE_BITS) {
      if (!place_fixed(reading, counter)) return false;
      continue;
    }
    if (counter->is_linked && !is_behind_partner(config, c, next))
      return reading_fail_at(reading, counter->line,
                             "a linked counter needs an event counter of its own before it");
    if (pair && next % 2 == 1) next++;
    if (next + pair >= most) {
      if (!reading->is_packed || most < 1u + pair)
        return reading_fail_at(reading, counter->line,
                               "the PMU has no counter left (param counters)");
      if (!reading_add_pmu(reading))
        return reading_fail_at(reading, counter->line, "out of memory");
      next = 0;
      counter->pmu = pmu = config->num_pmus - 1;
    }
    counter->bit = next++;
  }
  return true;
}

/* ---- Registers ---- */

/* A write that configures a PMU, which is kept. */
static bool set_up(struct reading *reading, struct explore_config_pmu *pmu, uint16_t reg,
                   uint64_t value) {
  void *setup = reading_grown(pmu->setup, pmu->num_setup, sizeof *pmu->setup);
  if (!setup) return reading_fail(reading, "out of memory");
  pmu->setup = setup;
  pmu->setup[pmu->num_setup++] = (struct pmuv3_write){.reg = reg, .value = value};
  pmuv3_write(&pmu->pmu, pmu->thread, reg, value);
  return true;
}

/* After reset SPME is 0, which prohibits counting in Secure state and at EL3. */
static bool permit(struct reading *reading, struct explore_config_pmu *pmu) {
  uint64_t mdcr;
  if (!reading->config->counts_everywhere || !reading->config->params.el3) return true;
  pmuv3_read(&pmu->pmu, pmu->thread, PMUV3_MDCR_EL3, &mdcr);
  return set_up(reading, pmu, PMUV3_MDCR_EL3, mdcr | PMUV3_MASK(MDCR_EL3, SPME));
}

/* The PMU counts 64 bits where it can. */
static bool enable(struct reading *reading, struct explore_config_pmu *pmu) {
  const uint64_t pmcr = PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LP) | PMUV3_MASK(PMCR, LC);
  return set_up(reading, pmu, PMUV3_PMCR, pmcr) && permit(reading, pmu);
}

/* The cycle counter and the instruction counter have only NSH. */
static bool configure_fixed(struct reading *reading, const struct explore_counter *counter) {
  const bool cycles = counter->bit == EXPLORE_CYCLES;
  const uint64_t filters = cycles ? PMUV3_MASK(PMCCFILTR, NSH) : PMUV3_MASK(PMICFILTR, NSH);
  return !reading->config->params.el2 ||
         set_up(reading, &reading->config->pmus[counter->pmu],
                cycles ? PMUV3_PMCCFILTR : PMUV3_PMICFILTR, filters);
}

static bool configure_counter(struct reading *reading, const struct explore_counter *counter) {
  struct explore_config_pmu *pmu = &reading->config->pmus[counter->pmu];
  if (!set_up(reading, pmu, PMUV3_PMCNTENSET, UINT64_C(1) << counter->bit)) return false;
  if (counter->bit >= PMUV3_MAX_COUNTERS) return configure_fixed(reading, counter);
  const uint16_t reg = PMUV3_PMEVTYPERn(counter->bit);
  uint64_t kept;
  /* NSH is for EL2, which may be missing. Any other field that is lost was asked for. */
  const uint64_t type =
      counter->type & (reading->config->params.el2 ? UINT64_MAX : ~PMUV3_MASK(PMEVTYPER, NSH));
  if (!set_up(reading, pmu, reg, type)) return false;
  pmuv3_read(&pmu->pmu, pmu->thread, reg, &kept);
  if (kept != type)
    return reading_fail_at(
        reading, counter->line,
        "the parameters lack a term's feature: thresholds need TH, edge EDGE, link TH2, "
        "mt MTPMU, events from 0x0400 on PMUv3p1");
  const char *why = explore_reserved(&pmu->pmu, pmu->thread, counter->bit);
  if (!why) return true;
  reading->lex.line = counter->line;
  return pmuv3_lex_error(&reading->lex, "%.80s: %s", counter->name, why);
}

/* In the order of their cycles; those of one cycle stay in the order of their lines. */
static bool add_action(struct explore_config_pmu *pmu, const struct write *write) {
  void *actions = reading_grown(pmu->actions, pmu->num_actions, sizeof *pmu->actions);
  if (!actions) return false;
  pmu->actions = actions;
  size_t place = pmu->num_actions++;
  for (; place > 0 && pmu->actions[place - 1].cycle > write->cycle; place--)
    pmu->actions[place] = pmu->actions[place - 1];
  pmu->actions[place] = (struct explore_action){
      .cycle = write->cycle,
      .kind = EXPLORE_WRITE,
      .thread = (uint8_t)pmu->thread,
      .write = {.reg = write->reg, .value = write->value},
  };
  return true;
}

static bool configure_write(struct reading *reading, const struct write *write) {
  struct explore_config_pmu *pmu = &reading->config->pmus[write->pmu];
  if (!write->has_cycle) return set_up(reading, pmu, write->reg, write->value);
  return add_action(pmu, write) || reading_fail_at(reading, write->line, "out of memory");
}

bool reading_configure(struct reading *reading) {
  struct explore_config *config = reading->config;
  for (unsigned p = 0; p < config->num_pmus; p++)
    if (!enable(reading, &config->pmus[p])) return false;
  for (unsigned c = 0; c < config->num_counters; c++)
    if (!configure_counter(reading, &config->counters[c])) return false;
  for (size_t w = 0; w < reading->num_writes; w++)
    if (!configure_write(reading, &reading->writes[w])) return false;
  return true;
}
