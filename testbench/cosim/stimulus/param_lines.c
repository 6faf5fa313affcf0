#include "testbench/cosim/stimulus/param_lines.h"

#include <limits.h>
#include <string.h>

#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/events_text.h"

static const char *const param_names[] = {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) #name,
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) name,
#include "pmuv3/params.def"
    "features",
    "events",
};

_Static_assert(sizeof param_names / sizeof *param_names <= 64, "a bit each in `seen`");

/* An unknown one is left to pmuv3_params_set. */
bool pmuv3_param_is_new(uint64_t *seen, const char *name) {
  for (unsigned i = 0; i < sizeof param_names / sizeof *param_names; i++) {
    if (strcmp(name, param_names[i]) != 0) continue;
    if (*seen >> i & 1) return false;
    *seen |= UINT64_C(1) << i;
  }
  return true;
}

static const char events_late[] = "events= after event=; expected it before every event=";

/* A row that is no row is new, too: pmuv3_param_set says what is wrong with it. */
static bool is_new_row(struct pmuv3_events *listed, const char *row, uint16_t *number) {
  const uint16_t before = listed->num;
  char copy[256];
  if (strlen(row) >= sizeof copy) return true;
  return pmuv3_events_add_row(listed, strcpy(copy, row), number) || listed->num > before;
}

const char *pmuv3_param_note(struct pmuv3_params_given *given, const char *name,
                             const char *value) {
  static char text[96];
  uint16_t number;
  if (strcmp(name, "event") == 0) {
    if (is_new_row(&given->listed, value, &number)) return NULL;
    snprintf(text, sizeof text, "event 0x%04x is given twice", number);
    return text;
  }
  if (strcmp(name, "events") == 0 && given->listed.num != 0) return events_late;
  if (pmuv3_param_is_new(&given->seen, name)) return NULL;
  snprintf(text, sizeof text, "%s is given twice", name);
  return text;
}

bool pmuv3_path_beside(char *path, size_t size, const char *file, const char *value) {
  const char *slash = strrchr(file, '/');
  const int folder = slash && value[0] != '/' ? (int)(slash + 1 - file) : 0;
  const int length = snprintf(path, size, "%.*s%s", folder, file, value);
  return length >= 0 && (size_t)length < size;
}

/* `core=NAME` or `core=FILE`, before what overrides it. */
static bool read_core(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex, const char *value) {
  if (lines->is_core)
    return pmuv3_lex_error(lex, "core= in a preset; expected parameters of the core itself");
  if (lines->any)
    return pmuv3_lex_error(lex, "core= after other parameters; expected it before them");
  return pmuv3_core_read_value(lines->params, value, lex);
}

/* `events=FILE` or `events=none`, before the `event=` that add to it. */
static bool read_events(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex, const char *value) {
  struct pmuv3_events *events = &lines->params->events;
  if (lines->events_given) return pmuv3_lex_error(lex, "%s", events_late);
  lines->events_given = true;
  if (strcmp(value, "none") == 0) {
    *events = pmuv3_events_smallest();
    return true;
  }
  char path[PATH_MAX];
  if (!pmuv3_lex_may_name(lex, "events", value)) return false;
  if (!pmuv3_path_beside(path, sizeof path, lex->name, value))
    return pmuv3_lex_error(lex, "the path of events= is too long; expected a file of events");
  const char *why;
  FILE *in = pmuv3_events_open(path, &why);
  if (!in)
    return pmuv3_lex_error(lex, "events=%.200s cannot be opened: %s; expected a file of events",
                           value, why);
  const bool good = pmuv3_events_read(events, in, path, lex->error, lex->error_size);
  fclose(in);
  return good;
}

/* `event=ROW`: the set so far, and one event more or one otherwise. */
static bool read_event_row(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex, char *value) {
  lines->events_given = true;
  const uint16_t before = lines->listed.num;
  uint16_t number;
  const char *wrong = pmuv3_events_add_row(&lines->listed, value, &number);
  if (wrong)
    return pmuv3_lex_error(lex, "%s; expected event=NUMBER[,MNEMONIC][,KEY=VALUE]...", wrong);
  if (lines->listed.num == before)
    return pmuv3_lex_error(lex, "event 0x%04x is given twice; expected it once", (unsigned)number);
  const struct pmuv3_event *event = pmuv3_events_find(&lines->listed, number);
  wrong = pmuv3_events_add(&lines->params->events, *event);
  return wrong ? pmuv3_lex_error(lex, "%s; expected fewer events", wrong) : true;
}

static bool read_one(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex, char *word) {
  char *equals = strchr(word, '=');
  if (!equals) return pmuv3_lex_error(lex, "\"%.40s\" has no value; expected NAME=VALUE", word);
  *equals = '\0';
  if (strcmp(word, "core") == 0) return read_core(lines, lex, equals + 1);
  if (!pmuv3_param_is_new(&lines->seen, word))
    return pmuv3_lex_error(lex, "%s is given twice; expected it once", word);
  if (strcmp(word, "events") == 0) return read_events(lines, lex, equals + 1);
  if (strcmp(word, "event") == 0) return read_event_row(lines, lex, equals + 1);
  const char *wrong = pmuv3_params_set(lines->params, word, equals + 1);
  return !wrong ||
         pmuv3_lex_error(lex, "%s; expected NAME=VALUE of docs/reference/parameters.md", wrong);
}

bool pmuv3_param_line(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex) {
  char *word = pmuv3_lex_word(lex);
  if (!word) return pmuv3_lex_error(lex, "the line ends too early; expected param NAME=VALUE...");
  lines->line = lex->line;
  for (; word; word = pmuv3_lex_word(lex)) {
    if (!read_one(lines, lex, word)) return false;
    lines->any = true;
  }
  return true;
}

bool pmuv3_param_lines_end(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex) {
  const char *wrong = pmuv3_params_complete(lines->params);
  if (!wrong) return true;
  if (lines->line > 0) lex->line = lines->line;
  return pmuv3_lex_error(lex, "%s; expected parameters that can be together", wrong);
}
