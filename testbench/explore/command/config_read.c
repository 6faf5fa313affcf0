/* Reads configurations: lines, then the counters' places in PMUs, then the PMUs' registers. */
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/explore/command/reading.h"
#include "testbench/explore/command/spec.h"

bool reading_fail(struct reading *reading, const char *why) {
  return pmuv3_lex_error(&reading->lex, "%s", why);
}

bool reading_fail_at(struct reading *reading, uint32_t line, const char *why) {
  reading->lex.line = line;
  return reading_fail(reading, why);
}

void *reading_grown(void *array, size_t num, size_t size) {
  const bool is_full = (num & (num - 1)) == 0;
  void *bigger = is_full ? realloc(array, (num ? 2 * num : 1) * size) : array;
  if (!bigger) return NULL;
  memset((char *)bigger + num * size, 0, size);
  return bigger;
}

/* ---- Parameters ---- */

/* Adds an event that the parameters lack: it is a count of the core's, with the architecture's
 * traits. The architecture's row is that of an event that cannot be such a count. */
static const char *add_event(struct pmuv3_params *params, uint16_t number) {
  const struct pmuv3_event *row = pmuv3_event_of_architecture(number);
  const struct pmuv3_event event = {.number = number,
                                    .event_class = PMUV3_EVENT_CLASS_COUNT,
                                    .traits = row ? row->traits : PMUV3_EVENT_TRAIT_NONE,
                                    .most = UINT8_MAX};
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
  if (why) return reading_fail_at(reading, reading->params_line, why);
  check_columns(reading);
  return true;
}

static bool read_params(struct reading *reading) {
  if (reading->is_complete) return reading_fail(reading, "param lines come before all others");
  if (pmuv3_cli_given("core") || pmuv3_cli_given("param"))
    return reading_fail(reading, "a param line beside --core or --param; expected one of both");
  reading->params_line = reading->lex.line;
  if (!pmuv3_param_line(&reading->params, &reading->lex)) return false;
  uint64_t seen = reading->params.seen;
  return pmuv3_param_is_new(&seen, "threads") ||
         reading_fail(reading, "the trace says how many threads there are");
}

/* ---- PMUs ---- */

struct explore_config_pmu *reading_add_pmu(struct reading *reading) {
  struct explore_config *config = reading->config;
  void *pmus = reading_grown(config->pmus, config->num_pmus, sizeof *config->pmus);
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
  if (reading->is_packed)
    return reading_fail(reading, "a counter without a PMU came before this one");
  if (word && has_pmu(reading->config, word))
    return pmuv3_lex_error(&reading->lex, "there is a PMU %.47s already; expected another name",
                           word);
  struct explore_config_pmu *pmu = reading_add_pmu(reading);
  if (!pmu) return reading_fail(reading, "out of memory");
  if (!word || strncmp(word, "thread=", 7) == 0)
    return reading_fail(reading, "expected the name of the PMU");
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
      return reading_fail(reading, "the trace has no such thread");
    pmu->thread = (unsigned)thread;
  }
  return true;
}

struct explore_config_pmu *reading_current_pmu(struct reading *reading) {
  struct explore_config *config = reading->config;
  if (config->num_pmus != 0) return &config->pmus[config->num_pmus - 1];
  reading->is_packed = true;
  return reading_add_pmu(reading);
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
  if (!word || !value) return reading_fail(reading, "expected write [@CYCLE] REGISTER VALUE");
  if (!pmuv3_register_find(word, &write.reg))
    return pmuv3_lex_error(&reading->lex, "unknown register \"%.40s\"", word);
  if (!pmuv3_lex_number(&reading->lex, "the value", value, &write.value)) return false;
  const enum pmuv3_access access = pmuv3_register_writable(&reading->config->params, write.reg);
  if (access != PMUV3_ACCESS_OK)
    return pmuv3_lex_error(&reading->lex, "%s: %s", word, pmuv3_access_text(access));
  if (!reading_current_pmu(reading)) return reading_fail(reading, "out of memory");
  if (reading->is_packed)
    return reading_fail(reading, "a write belongs to a PMU: a pmu line comes first");
  write.pmu = reading->config->num_pmus - 1;
  const char *untraced = write_wrong(reading, &write);
  if (untraced) return reading_fail(reading, untraced);
  void *writes = reading_grown(reading->writes, reading->num_writes, sizeof *reading->writes);
  if (!writes) return reading_fail(reading, "out of memory");
  reading->writes = writes;
  reading->writes[reading->num_writes++] = write;
  reading->config->has_writes = true;
  return pmuv3_lex_end(&reading->lex);
}

/* ---- The file ---- */

static bool read_line(struct reading *reading, char *word) {
  if (strcmp(word, "param") == 0) return read_params(reading);
  if (!complete(reading)) return false;
  if (strcmp(word, "pmu") == 0) return read_pmu(reading);
  if (strcmp(word, "write") == 0) return read_write(reading);
  return reading_counters(reading, word);
}

static bool read_all(struct reading *reading) {
  if (!pmuv3_lex_head(&reading->lex, "pmuv3-explore", "a configuration")) return false;
  while (pmuv3_lex_line(&reading->lex)) {
    char *word = pmuv3_lex_word(&reading->lex);
    if (word && !read_line(reading, word)) return false;
  }
  if (!complete(reading)) return false;
  if (reading->config->num_counters == 0) return reading_fail(reading, "there is no counter");
  return reading_place(reading) && reading_configure(reading);
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
