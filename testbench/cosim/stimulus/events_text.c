/* Sets of events as text. An event is a list of words: its number, its mnemonic, and keys. */
#define _GNU_SOURCE
#include "testbench/cosim/stimulus/events_text.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cosim/stimulus/core.h"
#include "testbench/cosim/stimulus/lex.h"

/* Formats an error message. The message stays valid until the calling thread's next error. */
__attribute__((format(printf, 1, 2))) static const char *wrong(const char *format, ...) {
  static _Thread_local char text[2 * PATH_MAX];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}

/* ---- Mnemonics ---- */

/* The mnemonics that texts gave to numbers that events.def lacks. */
static char *given_names[UINT16_MAX + 1];

const char *pmuv3_event_name(uint16_t number, char name[PMUV3_EVENT_NAME_SIZE]) {
  const char *known = pmuv3_event_mnemonic(number);
  if (!known) known = given_names[number];
  if (known)
    snprintf(name, PMUV3_EVENT_NAME_SIZE, "%s", known);
  else
    snprintf(name, PMUV3_EVENT_NAME_SIZE, "IMP_%04X", (unsigned)number);
  return name;
}

static bool is_mnemonic(const char *word) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const size_t length = strlen(word);
  return length > 0 && length < PMUV3_EVENT_NAME_SIZE && strchr(letters, word[0]) &&
         strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == length;
}

/* An event of the architecture has its mnemonic. */
static const char *name_wrong(uint16_t number, const char *word) {
  const char *known = pmuv3_event_mnemonic(number);
  if (!is_mnemonic(word))
    return wrong("\"%.48s\" is no mnemonic; expected up to %d capitals, digits and _", word,
                 PMUV3_EVENT_NAME_SIZE - 1);
  if (known && strcmp(word, known) != 0)
    return wrong("event 0x%04x is %s, not %s", (unsigned)number, known, word);
  return NULL;
}

static void keep_name(uint16_t number, const char *word) {
  if (pmuv3_event_mnemonic(number)) return;
  free(given_names[number]);
  given_names[number] = strdup(word);
}

/* ---- The words of an event ---- */

static const char *parse_number(const char *what, const char *word, unsigned max,
                                unsigned *number) {
  char *end;
  const int base = strncmp(word, "0x", 2) == 0 ? 16 : 10;
  errno = 0;
  const unsigned long value = strtoul(word, &end, base);
  if (errno || *word < '0' || *word > '9' || *end || value > max ||
      strlen(word) == 2u * (base > 10))
    return wrong("%s is \"%.40s\"; expected a number from 0 to %u", what, word, max);
  *number = (unsigned)value;
  return NULL;
}

static const char *parse_class(const char *value, struct pmuv3_event *event) {
  for (uint8_t class = 0; class < PMUV3_NUM_EVENT_CLASSES; class ++) {
    if (strcmp(value, pmuv3_event_class_name(class)) != 0) continue;
    event->event_class = class;
    return NULL;
  }
  return wrong("class is \"%.40s\"; expected COUNT, STALL, SECOND, CONDITION or SLOTS", value);
}

static const char *parse_attribution(const char *value, struct pmuv3_event *event) {
  for (uint8_t attribution = 0; attribution < PMUV3_NUM_EVENT_ATTRIBUTIONS; attribution++) {
    if (strcmp(value, pmuv3_event_attribution_name(attribution)) != 0) continue;
    event->attribution = attribution;
    return NULL;
  }
  return wrong("attribution is \"%.40s\"; expected CORE, MEMORY, SHARED, OWN or TRACE", value);
}

/* EXACT, SYNC, both with a comma or a plus between them, or NONE. */
static const char *parse_traits(const char *value, struct pmuv3_event *event) {
  static const struct {
    const char *word;
    uint8_t traits;
  } words[] = {{"NONE", PMUV3_EVENT_TRAIT_NONE},
               {"EXACT", PMUV3_EVENT_TRAIT_EXACT},
               {"SYNC", PMUV3_EVENT_TRAIT_SYNC},
               {"EXACT,SYNC", PMUV3_EVENT_TRAIT_EXACT | PMUV3_EVENT_TRAIT_SYNC},
               {"EXACT+SYNC", PMUV3_EVENT_TRAIT_EXACT | PMUV3_EVENT_TRAIT_SYNC}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(value, words[i].word) != 0) continue;
    event->traits = words[i].traits;
    return NULL;
  }
  return wrong("traits is \"%.40s\"; expected NONE, EXACT, SYNC or EXACT,SYNC", value);
}

static const char *parse_most(const char *value, struct pmuv3_event *event) {
  unsigned most = 0;
  const char *why = parse_number("most", value, UINT8_MAX, &most);
  if (!why) event->most = (uint8_t)most;
  return why;
}

/* The most occurrences of a class where a text does not say it. */
static uint8_t usual_most(unsigned event_class) {
  if (event_class == PMUV3_EVENT_CLASS_SELF) return 0;
  const bool is_number =
      event_class == PMUV3_EVENT_CLASS_COUNT || event_class == PMUV3_EVENT_CLASS_SLOTS;
  return is_number ? UINT8_MAX : 1;
}

static const char *parse_keys(char *const *words, size_t count, struct pmuv3_event *event) {
  static const struct {
    const char *key;
    const char *(*parse)(const char *value, struct pmuv3_event *event);
  } keys[] = {{"class", parse_class},
              {"attribution", parse_attribution},
              {"traits", parse_traits},
              {"most", parse_most}};
  enum { NUM_KEYS = sizeof keys / sizeof *keys, CLASS = 0, MOST = 3 };
  bool seen[NUM_KEYS] = {false};
  for (size_t i = 0; i < count; i++) {
    const char *equals = strchrnul(words[i], '=');
    size_t k = 0;
    while (k < NUM_KEYS && (strncmp(words[i], keys[k].key, (size_t)(equals - words[i])) != 0 ||
                            strlen(keys[k].key) != (size_t)(equals - words[i])))
      k++;
    if (k == NUM_KEYS || !*equals)
      return wrong(
          "\"%.40s\" is no key of an event; expected class=, attribution=, traits= or most=",
          words[i]);
    if (seen[k]) return wrong("%s is given twice; expected it once", keys[k].key);
    seen[k] = true;
    const char *why = keys[k].parse(equals + 1, event);
    if (why) return why;
  }
  if (seen[CLASS] && !seen[MOST]) event->most = usual_most(event->event_class);
  return NULL;
}

/* Events of events.def begin as their row there; others count occurrences of the thread. */
static const char *add_words(struct pmuv3_events *events, char *const *words, size_t count,
                             uint16_t *added) {
  unsigned number = 0;
  const char *why = parse_number("the event", words[0], UINT16_MAX, &number);
  if (why) return why;
  *added = (uint16_t)number;
  const struct pmuv3_event *row = pmuv3_event_of_architecture((uint16_t)number);
  struct pmuv3_event event = {.number = (uint16_t)number,
                              .event_class = PMUV3_EVENT_CLASS_COUNT,
                              .attribution = PMUV3_EVENT_ATTRIBUTION_CORE,
                              .most = UINT8_MAX};
  if (row) event = *row;
  const bool is_named = count > 1 && !strchr(words[1], '=');
  if (is_named && (why = name_wrong(event.number, words[1]))) return why;
  if (!is_named && !row && event.number != PMUV3_EVENT_NUMBER_PMU_OVFS &&
      event.number != PMUV3_EVENT_NUMBER_PMU_HOVFS)
    return wrong("event 0x%04x is not in docs/reference/events.md; expected its mnemonic",
                 (unsigned)event.number);
  const size_t first_key = is_named ? 2 : 1;
  if ((why = parse_keys(words + first_key, count - first_key, &event))) return why;
  if ((why = pmuv3_events_add(events, event))) return why;
  if (is_named) keep_name(event.number, words[1]);
  return NULL;
}

enum { MAX_WORDS = 8 };

/* ---- Rows ---- */

const char *pmuv3_events_add_row(struct pmuv3_events *events, char *row, uint16_t *number) {
  char *words[MAX_WORDS];
  size_t count = 0;
  for (char *word = row; word; count++) {
    if (count == MAX_WORDS) return wrong("an event of more than %d words", MAX_WORDS);
    words[count] = word;
    word = strchr(word, ',');
    if (word) *word++ = '\0';
  }
  return add_words(events, words, count, number);
}

static void write_row(FILE *out, const struct pmuv3_event *event) {
  static const char *const traits[] = {"NONE", "EXACT", "SYNC", "EXACT+SYNC"};
  char name[PMUV3_EVENT_NAME_SIZE];
  const struct pmuv3_event *row = pmuv3_event_of_architecture(event->number);
  fprintf(out, "event=0x%04x", (unsigned)event->number);
  if (!row) fprintf(out, ",%s", pmuv3_event_name(event->number, name));
  if (row && memcmp(row, event, sizeof *row) == 0) return;
  fprintf(out, ",class=%s,attribution=%s,traits=%s,most=%u",
          pmuv3_event_class_name(event->event_class),
          pmuv3_event_attribution_name(event->attribution), traits[event->traits & 3],
          (unsigned)event->most);
}

void pmuv3_events_write(FILE *out, const struct pmuv3_events *events, const char *between) {
  fputs("events=none", out);
  for (unsigned e = 0; e < events->num; e++) {
    if (events->event[e].event_class == PMUV3_EVENT_CLASS_SELF) continue;
    fputs(between, out);
    write_row(out, &events->event[e]);
  }
}

bool pmuv3_events_are_default(const struct pmuv3_events *events) {
  const struct pmuv3_events usual = pmuv3_events_default();
  return memcmp(&usual, events, sizeof usual) == 0;
}

/* ---- Files ---- */

/* `listed` has the events that lines listed. */
static bool read_event(struct pmuv3_lex *lex, struct pmuv3_events *events,
                       struct pmuv3_events *listed) {
  static const char form[] = "event NUMBER [MNEMONIC] [KEY=VALUE]...";
  char *words[MAX_WORDS];
  size_t count = 0;
  for (char *word; (word = pmuv3_lex_word(lex)); words[count++] = word)
    if (count == MAX_WORDS)
      return pmuv3_lex_error(lex, "\"%.40s\" is left over; expected the end of the line", word);
  if (count == 0) return pmuv3_lex_error(lex, "the line ends too early; expected %s", form);
  const unsigned before = listed->num;
  uint16_t number;
  const char *why = add_words(listed, words, count, &number);
  if (why) return pmuv3_lex_error(lex, "%s", why);
  if (listed->num == before)
    return pmuv3_lex_error(lex, "event 0x%04x is given twice; expected it once", (unsigned)number);
  why = pmuv3_events_add(events, *pmuv3_events_find(listed, number));
  return why ? pmuv3_lex_error(lex, "%s", why) : true;
}

static bool read_lines(struct pmuv3_lex *lex, struct pmuv3_events *events) {
  struct pmuv3_events listed = {0};
  if (!pmuv3_lex_head(lex, "pmuv3-events", "a file of events")) return false;
  while (pmuv3_lex_line(lex)) {
    const char *word = pmuv3_lex_word(lex);
    if (!word) continue;
    if (strcmp(word, "event") != 0)
      return pmuv3_lex_error(lex, "unknown word \"%.40s\"; expected event", word);
    if (!read_event(lex, events, &listed)) return false;
  }
  const char *why = pmuv3_events_wrong(events);
  return why ? pmuv3_lex_error(lex, "%s", why) : true;
}

bool pmuv3_events_read(struct pmuv3_events *events, FILE *in, const char *name, char *error,
                       size_t error_size) {
  struct pmuv3_lex lex;
  struct pmuv3_events read = pmuv3_events_smallest();
  const bool good = pmuv3_lex_open(&lex, in, name, error, error_size) && read_lines(&lex, &read);
  pmuv3_lex_close(&lex);
  if (good) *events = read;
  return good;
}

void (*pmuv3_named_input)(const char *path);

/* Devices and pipes are refused: they could block. */
FILE *pmuv3_events_open(const char *path, const char **why) {
  struct stat status;
  *why = NULL;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    *why = "not a regular file";
    return NULL;
  }
  FILE *in = fopen(path, "rb");
  if (!in) *why = strerror(errno);
  if (in && pmuv3_named_input) pmuv3_named_input(path);
  return in;
}

bool pmuv3_events_read_file(struct pmuv3_events *events, const char *path, char *error,
                            size_t error_size) {
  const char *why;
  FILE *in = pmuv3_events_open(path, &why);
  if (!in) {
    snprintf(error, error_size, "%s:1: cannot be opened: %s; expected a file of events", path, why);
    return false;
  }
  const bool good = pmuv3_events_read(events, in, path, error, error_size);
  fclose(in);
  return good;
}

/* ---- Parameters ---- */

const char *pmuv3_param_set(struct pmuv3_params *params, const char *name, const char *value) {
  if (strcmp(name, "core") == 0) return pmuv3_core_set(params, value);
  if (strcmp(name, "event") == 0) {
    char row[256];
    uint16_t number;
    if (strlen(value) >= sizeof row) return wrong("event=%.40s is too long", value);
    return pmuv3_events_add_row(&params->events, strcpy(row, value), &number);
  }
  if (strcmp(name, "events") != 0) return pmuv3_params_set(params, name, value);
  if (strcmp(value, "none") == 0) {
    params->events = pmuv3_events_smallest();
    return NULL;
  }
  static _Thread_local char error[PATH_MAX + 512];
  return pmuv3_events_read_file(&params->events, value, error, sizeof error) ? NULL : error;
}
