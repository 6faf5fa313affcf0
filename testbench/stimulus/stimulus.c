/*
 * The reader of stimulus files: a function for each kind of line, over the
 * words of lex.h. Nothing is ignored: what the format has and the model does
 * not have yet is an error of its own.
 */
#include "testbench/stimulus/stimulus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/stimulus/lex.h"

struct reader {
  struct pmuv3_lex lex;
  struct pmuv3_stimulus *stimulus;
  size_t items_capacity;
  size_t num_occurrences;
  size_t occurrences_capacity;
  uint32_t params_seen;                /* a bit per param_names */
  bool params_done;                    /* past the param lines */
  uint8_t pending[PMUV3_MAX_COUNTERS]; /* software increments that wait for the next cycle */
};

/* ---- Arrays that grow ---- */

/* The array with room for one more element; NULL when out of memory. */
static void *with_room(void *array, size_t count, size_t *capacity, size_t element_size) {
  if (count < *capacity) return array;
  size_t larger = *capacity ? *capacity * 2 : 16;
  if (larger > SIZE_MAX / element_size) return NULL;
  array = realloc(array, larger * element_size);
  if (array) *capacity = larger;
  return array;
}

static bool out_of_memory(struct reader *reader) {
  return pmuv3_lex_error(&reader->lex, "out of memory");
}

static bool add_item(struct reader *reader, struct pmuv3_item item) {
  struct pmuv3_stimulus *stimulus = reader->stimulus;
  struct pmuv3_item *items =
      with_room(stimulus->items, stimulus->num_items, &reader->items_capacity, sizeof *items);
  if (!items) return out_of_memory(reader);
  stimulus->items = items;
  item.line = reader->lex.line;
  items[stimulus->num_items++] = item;
  return true;
}

static bool add_occurrence(struct reader *reader, struct pmuv3_occurrence occurrence) {
  struct pmuv3_stimulus *stimulus = reader->stimulus;
  struct pmuv3_occurrence *occurrences =
      with_room(stimulus->occurrences, reader->num_occurrences, &reader->occurrences_capacity,
                sizeof *occurrences);
  if (!occurrences) return out_of_memory(reader);
  stimulus->occurrences = occurrences;
  occurrences[reader->num_occurrences++] = occurrence;
  return true;
}

/* Items point to their occurrences only once these move no more. */
static void attach_occurrences(struct pmuv3_stimulus *stimulus) {
  const struct pmuv3_occurrence *next = stimulus->occurrences;
  for (size_t i = 0; i < stimulus->num_items; i++) {
    struct pmuv3_item *item = &stimulus->items[i];
    if (item->kind != PMUV3_ITEM_CYCLE || item->cycle.num_occurrences == 0) continue;
    item->cycle.occurrences = next;
    next += item->cycle.num_occurrences;
  }
}

/* ---- Pieces of a line ---- */

static bool not_yet(struct reader *reader, const char *what, const char *expected) {
  return pmuv3_lex_error(&reader->lex, "%.40s is not supported yet; expected %s", what, expected);
}

static bool expect_end(struct reader *reader) {
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return true;
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is left over; expected the end of the line",
                         word);
}

/* The T of @T, which must exist. There is one thread, so nothing else is done with it. */
static bool check_thread(struct reader *reader, const char *text) {
  unsigned threads = reader->stimulus->params.threads;
  uint64_t thread;
  if (!pmuv3_lex_number(&reader->lex, "the thread after @", text, &thread)) return false;
  if (thread < threads) return true;
  return pmuv3_lex_error(&reader->lex, "thread %" PRIu64 " does not exist; expected 0..%u", thread,
                         threads - 1);
}

/* ---- Registers ---- */

/* Registers of the architecture that registers.def does not have yet. */
static bool is_later_register(const char *name) {
  static const char *const names[] = {
      "PMCCNTR_EL0",    "PMCCFILTR_EL0", "PMICNTR_EL0",   "PMICFILTR_EL0", "PMSELR_EL0",
      "PMXEVTYPER_EL0", "PMXEVCNTR_EL0", "PMUSERENR_EL0", "PMUACR_EL1",    "PMZR_EL0",
      "PMECR_EL1",      "PMIAR_EL1",     "PMSSCR_EL1",    "PMCCNTSVR_EL1", "PMICNTSVR_EL1",
      "MDCR_EL3",       "SDER32_EL3",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return strncmp(name, "PMEVCNTSVR", strlen("PMEVCNTSVR")) == 0;
}

static bool check_access(struct reader *reader, const char *name, enum pmuv3_access access) {
  struct pmuv3_lex *lex = &reader->lex;
  switch (access) {
    case PMUV3_ACCESS_OK:
      return true;
    case PMUV3_ACCESS_READ_ONLY:
      return pmuv3_lex_error(lex, "%s is read-only; expected a register that can be written", name);
    case PMUV3_ACCESS_WRITE_ONLY:
      return pmuv3_lex_error(lex, "%s is write-only; expected a register that can be read", name);
    case PMUV3_ACCESS_UNKNOWN:
      break;
  }
  return pmuv3_lex_error(lex,
                         "%s does not exist with these parameters (counters=%u); "
                         "expected a register that does",
                         name, (unsigned)reader->stimulus->params.counters);
}

/* A register's name and value, of a write or of an expected read. */
static bool read_access(struct reader *reader, const char *name, const char *value, bool is_write,
                        struct pmuv3_write *access) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  struct pmuv3_lex *lex = &reader->lex;
  if (!pmuv3_register_find(name, &access->reg)) {
    if (is_later_register(name)) return not_yet(reader, name, "a register of docs/registers.md");
    return pmuv3_lex_error(
        lex, "unknown register \"%.40s\"; expected an architectural name such as PMEVTYPER0_EL0",
        name);
  }
  enum pmuv3_access possible = is_write ? pmuv3_register_writable(params, access->reg)
                                        : pmuv3_register_readable(params, access->reg);
  if (!check_access(reader, name, possible)) return false;
  if (!pmuv3_lex_number(lex, "the value", value, &access->value)) return false;

  const char *field = pmuv3_register_unsupported(params, access->reg, access->value);
  if (!field) return true;
  return pmuv3_lex_error(lex, "%s.%s is not supported yet; expected 0 there, value is 0x%" PRIx64,
                         name, field, access->value);
}

/* Counts the software increments that wait for the next cycle. */
static bool count_pending(struct reader *reader, const struct pmuv3_write *write) {
  if (write->reg != PMUV3_PMSWINC) return true;
  for (unsigned n = 0; n < reader->stimulus->params.counters; n++) {
    if ((write->value >> n & 1) == 0) continue;
    if (reader->pending[n] == UINT8_MAX)
      return pmuv3_lex_error(&reader->lex,
                             "more than 255 software increments are pending for counter %u; "
                             "expected a cycle before this one",
                             n);
    reader->pending[n]++;
  }
  return true;
}

/* By a cycle or a reset. */
static void consume_pending(struct reader *reader) {
  memset(reader->pending, 0, sizeof reader->pending);
}

/* ---- write and expect ---- */

static bool ends_too_early(struct reader *reader, const char *form) {
  return pmuv3_lex_error(&reader->lex, "the line ends too early; expected %s", form);
}

/* The register's name after an optional @T, to *name; NULL: the line ends before it. */
static bool read_register_word(struct reader *reader, const char **name) {
  *name = pmuv3_lex_word(&reader->lex);
  if (!*name || **name != '@') return true;
  if (!check_thread(reader, *name + 1)) return false;
  *name = pmuv3_lex_word(&reader->lex);
  return true;
}

static bool read_access_line(struct reader *reader, enum pmuv3_item_kind kind, const char *form) {
  struct pmuv3_item item = {.kind = kind};
  bool is_write = kind == PMUV3_ITEM_WRITE;
  const char *name;
  if (!read_register_word(reader, &name)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!name || !value) return ends_too_early(reader, form);
  if (!read_access(reader, name, value, is_write, &item.access)) return false;
  if (is_write && !count_pending(reader, &item.access)) return false;
  return expect_end(reader) && add_item(reader, item);
}

static bool read_write(struct reader *reader) {
  return read_access_line(reader, PMUV3_ITEM_WRITE, "write [@T] REGISTER VALUE");
}

static bool read_expect(struct reader *reader) {
  return read_access_line(reader, PMUV3_ITEM_EXPECT, "expect [@T] REGISTER VALUE");
}

/* ---- refused and reset ---- */

/* A register's name, or any System register encoding. */
static bool read_encoding(struct reader *reader, const char *word, uint16_t *reg) {
  struct pmuv3_lex *lex = &reader->lex;
  uint64_t number;
  if (pmuv3_register_find(word, reg)) return true;
  if (is_later_register(word)) return not_yet(reader, word, "a register of docs/registers.md");
  if (*word < '0' || *word > '9')
    return pmuv3_lex_error(
        lex, "unknown register \"%.40s\"; expected an architectural name or an encoding", word);
  if (!pmuv3_lex_number(lex, "the encoding", word, &number)) return false;
  if (number > UINT16_MAX)
    return pmuv3_lex_error(lex, "encoding %.40s is out of range; expected at most 0xffff", word);
  *reg = (uint16_t)number;
  return true;
}

static bool check_refused(struct reader *reader, const char *name, bool is_write, uint16_t reg) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  enum pmuv3_access possible =
      is_write ? pmuv3_register_writable(params, reg) : pmuv3_register_readable(params, reg);
  if (possible != PMUV3_ACCESS_OK) return true;
  return pmuv3_lex_error(&reader->lex, "a %s of %.40s is not refused; expected one that must be",
                         is_write ? "write" : "read", name);
}

static bool read_refused(struct reader *reader) {
  static const char form[] = "refused write [@T] REGISTER VALUE or refused read [@T] REGISTER";
  struct pmuv3_lex *lex = &reader->lex;
  struct pmuv3_item item = {.kind = PMUV3_ITEM_REFUSED_READ};
  const char *word = pmuv3_lex_word(lex);
  if (!word) return ends_too_early(reader, form);
  bool is_write = strcmp(word, "write") == 0;
  if (!is_write && strcmp(word, "read") != 0)
    return pmuv3_lex_error(lex, "\"%.40s\" is no access; expected %s", word, form);

  const char *name;
  if (!read_register_word(reader, &name)) return false;
  if (!name) return ends_too_early(reader, form);
  if (!read_encoding(reader, name, &item.access.reg)) return false;
  if (!check_refused(reader, name, is_write, item.access.reg)) return false;
  if (is_write) {
    item.kind = PMUV3_ITEM_REFUSED_WRITE;
    const char *value = pmuv3_lex_word(lex);
    if (!value) return ends_too_early(reader, form);
    if (!pmuv3_lex_number(lex, "the value", value, &item.access.value)) return false;
  }
  return expect_end(reader) && add_item(reader, item);
}

static bool read_reset(struct reader *reader) {
  consume_pending(reader);
  return expect_end(reader) && add_item(reader, (struct pmuv3_item){.kind = PMUV3_ITEM_RESET});
}

/* ---- cycle ---- */

static bool read_event(struct reader *reader, const char *word, enum pmuv3_event *event) {
  struct pmuv3_lex *lex = &reader->lex;
  uint64_t number;
  if (!pmuv3_lex_number(lex, "the event", word, &number)) return false;
  if (number > UINT16_MAX)
    return pmuv3_lex_error(lex, "event %.40s is out of range; expected at most 0xffff", word);
  *event = pmuv3_event_find((uint16_t)number);
  if (*event == PMUV3_EVENT_NONE)
    return pmuv3_lex_error(lex, "event %.40s is not implemented; expected one of docs/events.md",
                           word);
  if (pmuv3_event_class_of(*event) == PMUV3_EVENT_CLASS_SELF)
    return pmuv3_lex_error(lex, "event %.40s is made by the PMU itself; expected another event",
                           word);
  if (!pmuv3_event_fits(&reader->stimulus->params, *event))
    return pmuv3_lex_error(lex, "event %.40s needs PMUv3p1; expected at most 0x3ff without it",
                           word);
  return true;
}

/* A suffix of an occurrence; `kind` is the character before it. */
static bool read_suffix(struct reader *reader, char kind, const char *suffix) {
  if (kind == '@') return check_thread(reader, suffix);
  if (strcmp(suffix, "unattr") == 0) return not_yet(reader, "/unattr", "no such suffix");
  if (strcmp(suffix, "dbg") == 0) return not_yet(reader, "/dbg", "no such suffix");
  if (strncmp(suffix, "el", 2) == 0 && suffix[2] >= '0' && suffix[2] <= '3' &&
      (suffix[3] == ',' || suffix[3] == '\0'))
    return not_yet(reader, "a context (/elE,SS)", "no such suffix");
  return pmuv3_lex_error(
      &reader->lex, "unknown suffix \"/%.40s\"; expected EVENT:COUNT[@T][/elE,SS][/unattr][/dbg]",
      suffix);
}

/* Cuts the suffixes off an occurrence and reads them, in any order, each at most once. */
static bool read_suffixes(struct reader *reader, char *text) {
  static const char marks[] = "@/";
  bool thread_seen = false;
  char *mark = text + strcspn(text, marks);
  while (*mark) {
    char kind = *mark;
    *mark = '\0';
    char *suffix = mark + 1;
    mark = suffix + strcspn(suffix, marks);
    char next_kind = *mark;
    *mark = '\0';
    if (kind == '@' && thread_seen)
      return pmuv3_lex_error(&reader->lex, "a second @%.40s; expected one thread", suffix);
    if (!read_suffix(reader, kind, suffix)) return false;
    thread_seen |= kind == '@';
    *mark = next_kind;
  }
  return true;
}

/* Adds an occurrence to those of this cycle, which are the last ones; items of one event add up. */
static bool merge_occurrence(struct reader *reader, struct pmuv3_cycle *cycle,
                             enum pmuv3_event event, uint64_t count) {
  unsigned limit = pmuv3_event_limit(event);
  size_t first = reader->num_occurrences - cycle->num_occurrences;
  struct pmuv3_occurrence *same = NULL;
  for (size_t i = first; i < reader->num_occurrences; i++)
    if (reader->stimulus->occurrences[i].event == event) same = &reader->stimulus->occurrences[i];

  uint64_t already = same ? same->count : 0;
  if (count > limit - already)
    return pmuv3_lex_error(&reader->lex,
                           "event 0x%04x occurs more than %u times in a cycle (%" PRIu64
                           " + %" PRIu64 "); expected 0..%u",
                           (unsigned)pmuv3_event_number(event), limit, already, count, limit);
  if (same) {
    same->count = (uint8_t)(already + count);
    return true;
  }
  cycle->num_occurrences++;
  return add_occurrence(reader, (struct pmuv3_occurrence){(uint8_t)event, (uint8_t)count});
}

/* EVENT:COUNT and suffixes; `colon` is where the word's colon stands. */
static bool read_occurrence(struct reader *reader, char *word, char *colon,
                            struct pmuv3_cycle *cycle) {
  enum pmuv3_event event = PMUV3_EVENT_NONE;
  uint64_t count = 0;
  *colon = '\0';
  return read_event(reader, word, &event) && read_suffixes(reader, colon + 1) &&
         pmuv3_lex_number(&reader->lex, "the count", colon + 1, &count) &&
         merge_occurrence(reader, cycle, event, count);
}

/* [@T:]REGISTER=VALUE; `equals` is where the word's equals sign stands. */
static bool read_inline_write(struct reader *reader, char *word, char *equals,
                              struct pmuv3_cycle *cycle) {
  *equals = '\0';
  if (*word == '@') {
    char *colon = strchr(word, ':');
    if (!colon)
      return pmuv3_lex_error(&reader->lex, "\"%.40s\" has no colon; expected @T:REGISTER=VALUE",
                             word);
    *colon = '\0';
    if (!check_thread(reader, word + 1)) return false;
    word = colon + 1;
  }
  if (cycle->has_write)
    return pmuv3_lex_error(&reader->lex,
                           "a second register write in a cycle; expected at most one a thread");
  cycle->has_write = true;
  return read_access(reader, word, equals + 1, true, &cycle->write);
}

static bool read_cycle(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
  for (char *word; (word = pmuv3_lex_word(&reader->lex)) != NULL;) {
    char *equals = strchr(word, '=');
    char *colon = strchr(word, ':');
    bool good;
    if (equals)
      good = read_inline_write(reader, word, equals, &item.cycle);
    else if (colon)
      good = read_occurrence(reader, word, colon, &item.cycle);
    else
      good = pmuv3_lex_error(
          &reader->lex, "\"%.40s\" is no item of a cycle; expected EVENT:COUNT or REGISTER=VALUE",
          word);
    if (!good) return false;
  }
  consume_pending(reader);
  return add_item(reader, item);
}

/* ---- idle ---- */

static bool read_idle(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_IDLE};
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return ends_too_early(reader, "idle N");
  if (!pmuv3_lex_number(&reader->lex, "the number of cycles", word, &item.idle)) return false;
  if (item.idle > 0) consume_pending(reader);
  return expect_end(reader) && add_item(reader, item);
}

/* ---- param ---- */

static const char *const param_names[] = {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) #name,
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) name,
#include "pmuv3/params.def"
    "features",
};

/* Refuses a parameter that was given before; an unknown one is left to pmuv3_params_set. */
static bool check_first_time(struct reader *reader, const char *name) {
  for (unsigned i = 0; i < sizeof param_names / sizeof *param_names; i++) {
    if (strcmp(name, param_names[i]) != 0) continue;
    if (reader->params_seen >> i & 1)
      return pmuv3_lex_error(&reader->lex, "%s is given twice; expected each parameter once", name);
    reader->params_seen |= UINT32_C(1) << i;
  }
  return true;
}

static bool read_one_param(struct reader *reader, char *word) {
  struct pmuv3_lex *lex = &reader->lex;
  struct pmuv3_params *params = &reader->stimulus->params;
  char *equals = strchr(word, '=');
  if (!equals) return pmuv3_lex_error(lex, "\"%.40s\" has no value; expected NAME=VALUE", word);
  *equals = '\0';
  if (!check_first_time(reader, word)) return false;
  const char *wrong = pmuv3_params_set(params, word, equals + 1);
  if (wrong) return pmuv3_lex_error(lex, "%s; expected NAME=VALUE of docs/parameters.md", wrong);
  if (params->threads != 1) return not_yet(reader, "threads above 1", "threads=1");
  return true;
}

static bool read_param(struct reader *reader) {
  struct pmuv3_lex *lex = &reader->lex;
  if (reader->params_done)
    return pmuv3_lex_error(lex, "param after other lines; expected it before everything else");
  char *word = pmuv3_lex_word(lex);
  if (!word) return ends_too_early(reader, "param NAME=VALUE...");
  for (; word; word = pmuv3_lex_word(lex))
    if (!read_one_param(reader, word)) return false;
  return true;
}

static void finish_params(struct reader *reader) {
  if (reader->params_done) return;
  pmuv3_params_complete(&reader->stimulus->params);
  reader->params_done = true;
}

/* ---- Lines and the file ---- */

/* The first line names the format and its version. */
static bool read_head(struct reader *reader) {
  struct pmuv3_lex *lex = &reader->lex;
  const char *form = "expected \"pmuv3-stimulus 1\" in the first line";
  if (!pmuv3_lex_line(lex)) {
    lex->line = 1;
    return pmuv3_lex_error(lex, "the file is empty; %s", form);
  }
  const char *word = pmuv3_lex_word(lex);
  if (!word || strcmp(word, "pmuv3-stimulus") != 0)
    return pmuv3_lex_error(lex, "not a stimulus file; %s", form);
  word = pmuv3_lex_word(lex);
  if (!word || strcmp(word, "1") != 0)
    return pmuv3_lex_error(lex, "the format's version is \"%.40s\"; %s", word ? word : "", form);
  return expect_end(reader);
}

static bool read_line(struct reader *reader) {
  static const struct {
    const char *keyword;
    bool (*read)(struct reader *reader);
  } lines[] = {{"write", read_write}, {"expect", read_expect},   {"cycle", read_cycle},
               {"idle", read_idle},   {"refused", read_refused}, {"reset", read_reset}};
  static const char *const later[] = {"pe", "msr", "mrs"};
  static const char keywords[] = "param, write, expect, cycle, idle, refused or reset";

  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return true;
  if (strcmp(word, "param") == 0) return read_param(reader);
  finish_params(reader);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (strcmp(word, lines[i].keyword) == 0) return lines[i].read(reader);
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(word, later[i]) == 0) return not_yet(reader, word, keywords);
  return pmuv3_lex_error(&reader->lex, "unknown word \"%.40s\"; expected %s", word, keywords);
}

static bool read_file(struct reader *reader) {
  if (!read_head(reader)) return false;
  while (pmuv3_lex_line(&reader->lex))
    if (!read_line(reader)) return false;
  finish_params(reader);
  attach_occurrences(reader->stimulus);
  return true;
}

bool pmuv3_stimulus_read(struct pmuv3_stimulus *stimulus, FILE *in, const char *name, char *error,
                         size_t error_size) {
  struct reader reader = {.stimulus = stimulus};
  *stimulus = (struct pmuv3_stimulus){.params = pmuv3_params_default()};
  bool good = pmuv3_lex_open(&reader.lex, in, name, error, error_size) && read_file(&reader);
  pmuv3_lex_close(&reader.lex);
  if (!good) pmuv3_stimulus_free(stimulus);
  return good;
}

void pmuv3_stimulus_free(struct pmuv3_stimulus *stimulus) {
  free(stimulus->items);
  free(stimulus->occurrences);
  *stimulus = (struct pmuv3_stimulus){0};
}
