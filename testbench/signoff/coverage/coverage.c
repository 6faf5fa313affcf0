#define _GNU_SOURCE
/* The names of all bins, from coverpoints.def and crosses.def. */
#include "testbench/signoff/coverage/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/signoff/coverage/bins.h"

/* ---- Crosses ---- */

struct axis {
  unsigned size;
  const char *words;
};

enum axis_id {
#define PMUV3_AXIS(id, size, words) AXIS_##id,
#include "testbench/signoff/coverage/crosses.def"
};

/* Axes whose words are not in crosses.def. */
#define MNEMONICS "event"
#define EXACT_MNEMONICS "exact"
#define ROW_NUMBERS "row"
static const struct axis axes[] = {
#define PMUV3_AXIS(id, size, words) {size, words},
#include "testbench/signoff/coverage/crosses.def"
};

struct cross_table {
  const char *name;
  enum axis_id axes[MAX_AXES];
  unsigned num_axes;
};

#define AXIS_OF(id) AXIS_##id
#define COUNT(_1, _2, _3, _4, _5, _6, _7, count, ...) count
#define NUM_AXES(...) COUNT(__VA_ARGS__, 7, 6, 5, 4, 3, 2, 1, )
#define AXES_1(a) AXIS_OF(a)
#define AXES_2(a, b) AXIS_OF(a), AXIS_OF(b)
#define AXES_3(a, ...) AXIS_OF(a), AXES_2(__VA_ARGS__)
#define AXES_4(a, ...) AXIS_OF(a), AXES_3(__VA_ARGS__)
#define AXES_5(a, ...) AXIS_OF(a), AXES_4(__VA_ARGS__)
#define AXES_6(a, ...) AXIS_OF(a), AXES_5(__VA_ARGS__)
#define AXES_7(a, ...) AXIS_OF(a), AXES_6(__VA_ARGS__)
#define JOIN(a, b) a##b
#define AXES_N(count, ...) JOIN(AXES_, count)(__VA_ARGS__)

static const struct cross_table crosses[NUM_CROSSES] = {
#define PMUV3_CROSS(id, name, ...) \
  {name, {AXES_N(NUM_AXES(__VA_ARGS__), __VA_ARGS__)}, NUM_AXES(__VA_ARGS__)},
#include "testbench/signoff/coverage/crosses.def"
};

static size_t size_of(const struct cross_table *cross) {
  size_t size = 1;
  for (unsigned i = 0; i < cross->num_axes; i++) size *= axes[cross->axes[i]].size;
  return size;
}

size_t pmuv3_cross_first(enum cross cross) {
  size_t first = NUM_RULE_BINS;
  for (unsigned i = 0; i < cross; i++) first += size_of(&crosses[i]);
  return first;
}

size_t pmuv3_coverage_num_bins(void) {
  return pmuv3_cross_first(NUM_CROSSES);
}

bool pmuv3_cross_of(size_t bin, enum cross *cross, unsigned values[MAX_AXES]) {
  if (bin < NUM_RULE_BINS) return false;
  size_t cell = bin - NUM_RULE_BINS;
  unsigned i = 0;
  while (cell >= size_of(&crosses[i])) cell -= size_of(&crosses[i++]);
  *cross = (enum cross)i;
  for (unsigned a = crosses[i].num_axes; a-- > 0; cell /= axes[crosses[i].axes[a]].size)
    values[a] = (unsigned)(cell % axes[crosses[i].axes[a]].size);
  return true;
}

/* ---- Names ---- */

static const char *const rule_names[] = {
#define PMUV3_COVER_CYCLE(rule, bin, when) rule "." bin,
#include "testbench/signoff/coverage/coverpoints.def"
#define PMUV3_COVER_GROUP(rule, bin, when) rule "." bin,
#include "testbench/signoff/coverage/coverpoints.def"
#define PMUV3_COVER_ACCESS(rule, bin, when) rule "." bin,
#include "testbench/signoff/coverage/coverpoints.def"
};

static const struct pmuv3_event rows[NUM_EVENTS] = {
#define NONE PMUV3_EVENT_TRAIT_NONE
#define EXACT PMUV3_EVENT_TRAIT_EXACT
#define SYNC PMUV3_EVENT_TRAIT_SYNC
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits, most) \
  {number, PMUV3_EVENT_CLASS_##class, PMUV3_EVENT_ATTRIBUTION_##attribution, traits, most},
#include "pmuv3/events.def"
#undef NONE
#undef EXACT
#undef SYNC
};

uint16_t pmuv3_event_of_value(unsigned value) {
  return rows[value].number;
}

uint16_t pmuv3_exact_event_of_value(unsigned value) {
  const struct pmuv3_event *row = rows;
  for (;; row++) {
    const bool exact = (row->traits & PMUV3_EVENT_TRAIT_EXACT) != 0;
    if (!exact || row->event_class == PMUV3_EVENT_CLASS_SELF) continue;
    if (value-- == 0) return row->number;
  }
}

static void put_word(FILE *out, const struct axis *axis, unsigned value) {
  const char *word = axis->words;
  if (strcmp(word, MNEMONICS) == 0) {
    fputs(pmuv3_event_mnemonic(pmuv3_event_of_value(value)), out);
    return;
  }
  if (strcmp(word, EXACT_MNEMONICS) == 0) {
    fputs(pmuv3_event_mnemonic(pmuv3_exact_event_of_value(value)), out);
    return;
  }
  if (strcmp(word, ROW_NUMBERS) == 0) {
    fprintf(out, "row_%u", value);
    return;
  }
  for (; value > 0; value--) word = strchr(word, '|') + 1;
  fwrite(word, strcspn(word, "|"), 1, out);
}

static char *cross_name(size_t bin) {
  unsigned values[MAX_AXES];
  enum cross id;
  char *name = NULL;
  size_t length;
  FILE *out = open_memstream(&name, &length);
  if (!out || !pmuv3_cross_of(bin, &id, values)) abort();
  const struct cross_table *cross = &crosses[id];
  const bool of_first = cross->name[strlen(cross->name) - 1] == '/';
  fputs(cross->name, out);
  for (unsigned a = 0; a < cross->num_axes; a++) {
    const bool begins = a == (of_first ? 1u : 0u);
    if (begins)
      putc('.', out);
    else if (a > 0)
      putc(',', out);
    put_word(out, &axes[cross->axes[a]], values[a]);
  }
  if (fclose(out) != 0) abort();
  return name;
}

/* Names are made at the first call, and kept for the life of the program. */
const char *pmuv3_coverage_name(size_t bin) {
  static char **names;
  if (bin < NUM_RULE_BINS) return rule_names[bin];
  if (!names) names = calloc(pmuv3_coverage_num_bins(), sizeof *names);
  if (!names) abort();
  if (!names[bin]) names[bin] = cross_name(bin);
  return names[bin];
}
