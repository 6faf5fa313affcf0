/* Reads configurations: lines, then the counters' places in PMUs, then the PMUs' registers. */
#define _GNU_SOURCE
#include "testbench/explore/command/config.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/lex.h"
#include "testbench/cosim/stimulus/param_lines.h"
#include "testbench/explore/command/reserved.h"
#include "testbench/explore/command/spec.h"

/* A register write of the configuration. */
struct write {
  uint32_t line;
  unsigned pmu;
  bool has_cycle;
  uint64_t cycle;
  uint16_t reg;
  uint64_t value;
};

/* Names that counters have: a hash table, which is at most half full. */
struct names {
  struct named {
    unsigned counter; /* 1 + its number; 0: the place is free */
    unsigned next;    /* the number that an equal name may get */
  } * places;
  unsigned num, room;
};

struct reading {
  struct explore_config *config;
  const struct pmt_header *header;
  const char *trace; /* its path */
  uint64_t cycles;   /* of the trace */
  struct pmuv3_lex lex;
  struct pmuv3_param_lines params;
  struct names names; /* of the counters */
  struct write *writes;
  size_t num_writes;
  uint32_t params_line; /* the last param line; 0: there is none */
  bool is_complete;     /* the parameters are: a line that needs them came */
  bool is_packed;       /* counters go to PMUs of their own, as many as they need */
};

static bool fail(struct reading *reading, const char *why) {
  return pmuv3_lex_error(&reading->lex, "%s", why);
}

/* Errors that come up after their line have the line of what they are about. */
static bool fail_at(struct reading *reading, uint32_t line, const char *why) {
  reading->lex.line = line;
  return fail(reading, why);
}

/* An array with one more place. There is room for a power of two. */
static void *grown(void *array, size_t num, size_t size) {
  const bool is_full = (num & (num - 1)) == 0;
  void *bigger = is_full ? realloc(array, (num ? 2 * num : 1) * size) : array;
  if (!bigger) return NULL;
  memset((char *)bigger + num * size, 0, size);
  return bigger;
}

/* ---- Parameters ---- */

/* Adds an event that the parameters lack: it is a count of the core's. The architecture's row is
 * that of an event that cannot be such a count. */
static const char *add_event(struct pmuv3_params *params, uint16_t number) {
  const struct pmuv3_event event = {
      .number = number, .event_class = PMUV3_EVENT_CLASS_COUNT, .most = UINT8_MAX};
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  const char *why = pmuv3_events_add(&params->events, event);
  return why && row ? pmuv3_events_add(&params->events, *row) : why;
}

static void add_events(struct reading *reading) {
  struct pmuv3_params *params = &reading->config->params;
  for (unsigned c = 0; c < reading->header->num_columns; c++) {
    const struct pmt_column *column = &reading->header->columns[c];
    const char *why =
        pmuv3_events_find(&params->events, column->event) ? NULL : add_event(params, column->event);
    if (why) pmuv3_cli_unusable("%s: column %s: %s", reading->trace, column->name, why);
  }
}

/* A column whose counts do not fit would be another event than the PMU's. */
static void check_columns(const struct reading *reading) {
  for (unsigned c = 0; c < reading->header->num_columns; c++) {
    const struct pmt_column *column = &reading->header->columns[c];
    const struct pmuv3_event *event =
        pmuv3_events_find(&reading->config->params.events, column->event);
    if (!event || event->event_class == PMUV3_EVENT_CLASS_SELF ||
        1u << (column->width - 1) <= event->most)
      continue;
    pmuv3_cli_unusable(
        "%s: column %s has counts of %u bits, but with these parameters event 0x%04X occurs %u "
        "times a cycle at most",
        reading->trace, column->name, column->width, column->event, event->most);
  }
}

/* The parameters are those of the command line, the trace and the param lines. */
static bool complete(struct reading *reading) {
  if (reading->is_complete) return true;
  reading->is_complete = true;
  reading->config->params.threads = (uint8_t)reading->header->threads;
  add_events(reading);
  const char *why = pmuv3_params_complete(&reading->config->params);
  if (why && reading->params_line == 0) pmuv3_cli_unusable("%s", why);
  if (why) return fail_at(reading, reading->params_line, why);
  check_columns(reading);
  return true;
}

static bool read_params(struct reading *reading) {
  if (reading->is_complete) return fail(reading, "param lines come before all others");
  reading->params_line = reading->lex.line;
  if (!pmuv3_param_line(&reading->params, &reading->lex)) return false;
  uint64_t seen = reading->params.seen;
  return pmuv3_param_is_new(&seen, "threads") ||
         fail(reading, "the trace says how many threads there are");
}

/* ---- PMUs ---- */

static struct explore_config_pmu *add_pmu(struct reading *reading) {
  struct explore_config *config = reading->config;
  void *pmus = grown(config->pmus, config->num_pmus, sizeof *config->pmus);
  if (!pmus) return NULL;
  config->pmus = pmus;
  struct explore_config_pmu *pmu = &config->pmus[config->num_pmus];
  pmuv3_init(&pmu->pmu, &config->params);
  snprintf(pmu->name, sizeof pmu->name, "pmu%u", config->num_pmus++);
  return pmu;
}

static bool has_pmu(const struct explore_config *config, const char *name) {
  for (unsigned p = 0; p < config->num_pmus; p++)
    if (strcmp(config->pmus[p].name, name) == 0) return true;
  return false;
}

static bool read_pmu(struct reading *reading) {
  const char *word = pmuv3_lex_word(&reading->lex);
  bool has_thread = false;
  if (reading->is_packed) return fail(reading, "a counter without a PMU came before this one");
  if (word && has_pmu(reading->config, word))
    return pmuv3_lex_error(&reading->lex, "there is a PMU %.47s already; expected another name",
                           word);
  struct explore_config_pmu *pmu = add_pmu(reading);
  if (!pmu) return fail(reading, "out of memory");
  if (!word) return fail(reading, "expected the name of the PMU");
  if (strlen(word) >= sizeof pmu->name)
    return pmuv3_lex_error(&reading->lex, "%.40s...: expected a name of at most %zu characters",
                           word, sizeof pmu->name - 1);
  snprintf(pmu->name, sizeof pmu->name, "%s", word);
  while ((word = pmuv3_lex_word(&reading->lex))) {
    uint64_t thread;
    if (strncmp(word, "thread=", 7) != 0)
      return pmuv3_lex_error(&reading->lex, "\"%.60s\": expected thread=T", word);
    if (!pmuv3_lex_once(&reading->lex, "thread=", &has_thread)) return false;
    if (!pmuv3_lex_number(&reading->lex, "the thread", word + 7, &thread)) return false;
    if (thread >= reading->config->params.threads)
      return fail(reading, "the trace has no such thread");
    pmu->thread = (unsigned)thread;
  }
  return true;
}

/* The PMU that the current line belongs to. */
static struct explore_config_pmu *current_pmu(struct reading *reading) {
  struct explore_config *config = reading->config;
  if (config->num_pmus != 0) return &config->pmus[config->num_pmus - 1];
  reading->is_packed = true;
  return add_pmu(reading);
}

/* ---- Register writes ---- */

static bool selects_event(uint16_t reg) {
  return (reg >= PMUV3_PMEVTYPERn(0) && reg <= PMUV3_PMEVTYPERn(PMUV3_MAX_COUNTERS - 1)) ||
         (reg >= PMUV3_PMEVTYPERn_AA32(0) &&
          reg <= PMUV3_PMEVTYPERn_AA32(PMUV3_MAX_COUNTERS - 1)) ||
         reg == PMUV3_PMXEVTYPER || reg == PMUV3_PMXEVTYPER_AA32;
}

static const char *write_wrong(const struct reading *reading, const struct write *write) {
  const struct pmuv3_params *params = &reading->config->params;
  const uint64_t bits = pmuv3_has(params, PMUV3_FEATURE_PMUv3p1) ? UINT16_MAX : 0x3FF;
  if (!selects_event(write->reg)) return NULL;
  return explore_event_untraced((uint16_t)(write->value & bits),
                                PMUV3_GET(write->value, PMEVTYPER, MT) != 0,
                                reading->config->pmus[write->pmu].thread, params, reading->header);
}

static bool read_write(struct reading *reading) {
  struct write write = {.line = reading->lex.line};
  const char *word = pmuv3_lex_word(&reading->lex);
  if (word && *word == '@') {
    if (!pmuv3_lex_number(&reading->lex, "the cycle", word + 1, &write.cycle)) return false;
    if (write.cycle >= reading->cycles)
      return pmuv3_lex_error(&reading->lex, "the trace has no cycle %llu: its last one is %llu",
                             (unsigned long long)write.cycle,
                             (unsigned long long)reading->cycles - 1);
    write.has_cycle = true;
    word = pmuv3_lex_word(&reading->lex);
  }
  const char *value = pmuv3_lex_word(&reading->lex);
  if (!word || !value) return fail(reading, "expected write [@CYCLE] REGISTER VALUE");
  if (!pmuv3_register_find(word, &write.reg))
    return pmuv3_lex_error(&reading->lex, "unknown register \"%.40s\"", word);
  if (!pmuv3_lex_number(&reading->lex, "the value", value, &write.value)) return false;
  const enum pmuv3_access access = pmuv3_register_writable(&reading->config->params, write.reg);
  if (access != PMUV3_ACCESS_OK)
    return pmuv3_lex_error(&reading->lex, "%s: %s", word, pmuv3_access_text(access));
  if (!current_pmu(reading)) return fail(reading, "out of memory");
  if (reading->is_packed) return fail(reading, "a write belongs to a PMU: a pmu line comes first");
  write.pmu = reading->config->num_pmus - 1;
  const char *untraced = write_wrong(reading, &write);
  if (untraced) return fail(reading, untraced);
  void *writes = grown(reading->writes, reading->num_writes, sizeof *reading->writes);
  if (!writes) return fail(reading, "out of memory");
  reading->writes = writes;
  reading->writes[reading->num_writes++] = write;
  reading->config->has_writes = true;
  return pmuv3_lex_end(&reading->lex);
}

/* ---- Counters ---- */

/* Whatever is made of the text fits, since the text does: one threshold is shorter than a range. */
static void name_counter(struct explore_counter *counter, const struct explore_spec *spec,
                         const char *written, uint64_t threshold) {
  if (spec->threshold.first == spec->threshold.last) {
    snprintf(counter->name, sizeof counter->name, "%s", *spec->name ? spec->name : written);
    return;
  }
  if (*spec->name) {
    snprintf(counter->name, sizeof counter->name, "%.150s%llu", spec->name,
             (unsigned long long)threshold);
    return;
  }
  /* The range's place gets the one threshold. */
  const char *range = strstr(written, "threshold="), *end = range;
  while (*end && *end != ',' && *end != '/') end++;
  snprintf(counter->name, sizeof counter->name, "%.*sthreshold=%llu%s", (int)(range - written),
           written, (unsigned long long)threshold, end);
}

/* The place of a name, or the free one where it would be. */
static struct named *find_name(const struct reading *reading, const char *name) {
  const struct names *names = &reading->names;
  uint32_t hash = 2166136261;
  for (const char *c = name; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619;
  for (;; hash++) {
    struct named *place = &names->places[hash & (names->room - 1)];
    if (place->counter == 0 ||
        strcmp(reading->config->counters[place->counter - 1].name, name) == 0)
      return place;
  }
}

static bool make_room(struct reading *reading) {
  const struct names before = reading->names;
  if (before.num < before.room / 2) return true;
  struct names *names = &reading->names;
  names->room = before.room ? 2 * before.room : 64;
  names->places = calloc(names->room, sizeof *names->places);
  for (unsigned i = 0; names->places && i < before.room; i++)
    if (before.places[i].counter != 0)
      *find_name(reading, reading->config->counters[before.places[i].counter - 1].name) =
          before.places[i];
  free(before.places);
  return names->places != NULL;
}

/* Gives a counter that has its place among the others a name of its own: equal names get numbers,
 * so that columns of a table differ. */
static bool make_unique(struct reading *reading, unsigned c) {
  char *name = reading->config->counters[c].name, wanted[EXPLORE_NAME_SIZE], number[16];
  if (!make_room(reading)) return false;
  snprintf(wanted, sizeof wanted, "%s", name);
  struct named *first = find_name(reading, name), *place = first;
  while (place->counter != 0) {
    snprintf(number, sizeof number, "#%u", first->next++);
    snprintf(name, EXPLORE_NAME_SIZE, "%.140s%s", wanted, number);
    place = find_name(reading, name);
  }
  *place = (struct named){.counter = c + 1, .next = 2};
  reading->names.num++;
  return true;
}

static bool add_counter(struct reading *reading, const struct explore_spec *spec,
                        const char *written, uint64_t threshold) {
  struct explore_config *config = reading->config;
  void *counters = grown(config->counters, config->num_counters, sizeof *config->counters);
  if (!counters || !current_pmu(reading)) return fail(reading, "out of memory");
  config->counters = counters;
  const unsigned c = config->num_counters++;
  config->counters[c] = (struct explore_counter){
      .line = reading->lex.line,
      .pmu = config->num_pmus - 1,
      .bit = spec->bit,
      .event = spec->number,
      .type = explore_spec_type(spec, threshold),
      .period = spec->period,
      .skid = spec->skid,
      .is_linked = spec->link != 0 || spec->number == PMUV3_EVENT_CHAIN,
  };
  name_counter(&config->counters[c], spec, written, threshold);
  return make_unique(reading, c) || fail(reading, "out of memory");
}

static bool read_spec(struct reading *reading, char *word) {
  struct explore_spec spec;
  char written[EXPLORE_NAME_SIZE];
  if (strlen(word) >= sizeof written)
    return pmuv3_lex_error(&reading->lex, "%.40s...: expected a counter of at most %d characters",
                           word, EXPLORE_NAME_SIZE - 1);
  snprintf(written, sizeof written, "%s", word);
  const struct explore_config *config = reading->config;
  const unsigned thread = config->num_pmus != 0 ? config->pmus[config->num_pmus - 1].thread : 0;
  const char *why = explore_spec_read(&spec, word, thread, &config->params, reading->header);
  if (why) return pmuv3_lex_error(&reading->lex, "%.80s: %s", written, why);
  for (uint64_t th = spec.threshold.first; th <= spec.threshold.last; th++)
    if (!add_counter(reading, &spec, written, th)) return false;
  return true;
}

/* Commas outside of terms separate counters, as in perf's lists. */
static bool read_counters(struct reading *reading, char *word) {
  for (; word; word = pmuv3_lex_word(&reading->lex)) {
    bool in_terms = false;
    char *begin = word;
    for (char *at = word; *at; at++) {
      if (*at == '/') in_terms = !in_terms;
      if (*at != ',' || in_terms) continue;
      *at = '\0';
      if (!read_spec(reading, begin)) return false;
      begin = at + 1;
    }
    if (!read_spec(reading, begin)) return false;
  }
  return true;
}

static bool read_line(struct reading *reading, char *word) {
  if (strcmp(word, "param") == 0) return read_params(reading);
  if (!complete(reading)) return false;
  if (strcmp(word, "pmu") == 0) return read_pmu(reading);
  if (strcmp(word, "write") == 0) return read_write(reading);
  return read_counters(reading, word);
}

/* ---- Places ---- */

/* Whether the next counter is linked to this one: the pair stays together. */
static bool has_partner(const struct explore_config *config, unsigned c) {
  return c + 1 < config->num_counters && config->counters[c + 1].is_linked &&
         config->counters[c].bit == EXPLORE_BITS;
}

/* A PMU has one cycle counter, and one instruction counter. */
static bool place_fixed(struct reading *reading, const struct explore_counter *counter) {
  const struct explore_config *config = reading->config;
  for (const struct explore_counter *other = config->counters; other < counter; other++)
    if (other->bit == counter->bit && other->pmu == counter->pmu)
      return fail_at(reading, counter->line, "pmccntr, pmicntr: each is once in a PMU");
  if (counter->bit != EXPLORE_INSTRUCTIONS || pmuv3_has(&config->params, PMUV3_FEATURE_ICNTR))
    return true;
  return fail_at(reading, counter->line, "pmicntr: there is none without ICNTR");
}

/* Gives each event counter the next place in its PMU; a linked one takes the odd place behind its
 * partner. A packed list goes on in further PMUs. */
static bool place_counters(struct reading *reading) {
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
    if (counter->is_linked && next % 2 == 0)
      return fail_at(reading, counter->line, "a linked counter needs a counter before it");
    if (pair && next % 2 == 1) next++;
    if (next + pair >= most) {
      if (!reading->is_packed || most < 1u + pair)
        return fail_at(reading, counter->line, "the PMU has no counter left (param counters)");
      if (!add_pmu(reading)) return fail_at(reading, counter->line, "out of memory");
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
  void *setup = grown(pmu->setup, pmu->num_setup, sizeof *pmu->setup);
  if (!setup) return fail(reading, "out of memory");
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
    return fail_at(reading, counter->line,
                   "the parameters lack a term's feature: thresholds need TH, edge EDGE, link TH2, "
                   "mt MTPMU, events from 0x0400 on PMUv3p1");
  const char *why = explore_reserved(&pmu->pmu, pmu->thread, counter->bit);
  if (!why) return true;
  reading->lex.line = counter->line;
  return pmuv3_lex_error(&reading->lex, "%.80s: %s", counter->name, why);
}

/* In the order of their cycles; those of one cycle stay in the order of their lines. */
static bool add_action(struct explore_config_pmu *pmu, const struct write *write) {
  void *actions = grown(pmu->actions, pmu->num_actions, sizeof *pmu->actions);
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
  return add_action(pmu, write) || fail_at(reading, write->line, "out of memory");
}

static bool configure(struct reading *reading) {
  struct explore_config *config = reading->config;
  for (unsigned p = 0; p < config->num_pmus; p++)
    if (!enable(reading, &config->pmus[p])) return false;
  for (unsigned c = 0; c < config->num_counters; c++)
    if (!configure_counter(reading, &config->counters[c])) return false;
  for (size_t w = 0; w < reading->num_writes; w++)
    if (!configure_write(reading, &reading->writes[w])) return false;
  return true;
}

/* ---- The file ---- */

static bool read_all(struct reading *reading) {
  if (!pmuv3_lex_head(&reading->lex, "pmuv3-explore", "a configuration")) return false;
  while (pmuv3_lex_line(&reading->lex)) {
    char *word = pmuv3_lex_word(&reading->lex);
    if (word && !read_line(reading, word)) return false;
  }
  if (!complete(reading)) return false;
  if (reading->config->num_counters == 0) return fail(reading, "there is no counter");
  return place_counters(reading) && configure(reading);
}

bool explore_config_read(struct explore_config *config, const struct pmuv3_params *params,
                         const struct pmt_reader *trace, bool counts_everywhere, FILE *in,
                         const char *name, char *error, size_t error_size) {
  *config = (struct explore_config){.params = *params, .counts_everywhere = counts_everywhere};
  struct reading reading = {
      .config = config,
      .header = pmt_reader_header(trace),
      .trace = pmt_reader_path(trace),
      .cycles = pmt_reader_cycles(trace),
      .params = {.params = &config->params},
  };
  const bool done = pmuv3_lex_open(&reading.lex, in, name, error, error_size) && read_all(&reading);
  pmuv3_lex_close(&reading.lex);
  free(reading.writes);
  free(reading.names.places);
  if (!done) explore_config_free(config);
  return done;
}

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
