/* Counters of a configuration, as their lines say, with names of their own. */
#include <stdlib.h>
#include <string.h>

#include "testbench/explore/command/reading.h"
#include "testbench/explore/command/spec.h"

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
  void *counters = reading_grown(config->counters, config->num_counters, sizeof *config->counters);
  if (!counters || !reading_current_pmu(reading)) return reading_fail(reading, "out of memory");
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
  return make_unique(reading, c) || reading_fail(reading, "out of memory");
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

/* Ends the first counter of a list at its comma, outside of terms. Returns what comes after the
 * comma; NULL: there is none. */
static char *split(char *list) {
  bool in_terms = false;
  for (; *list && (*list != ',' || in_terms); list++) in_terms ^= *list == '/';
  if (!*list) return NULL;
  *list = '\0';
  return list + 1;
}

/* Commas, blanks, or both separate counters. */
bool reading_counters(struct reading *reading, char *word) {
  static const char missing[] = "expected a counter before and after each comma";
  bool is_due = true; /* at the start, and after a comma */
  for (; word; word = pmuv3_lex_word(&reading->lex)) {
    if (*word == ',' && !is_due) {
      is_due = true;
      word++;
    }
    for (char *next; word && *word; word = next) {
      next = split(word);
      if (!*word) return reading_fail(reading, missing);
      if (!read_spec(reading, word)) return false;
      is_due = next != NULL;
    }
  }
  return !is_due || reading_fail(reading, missing);
}
