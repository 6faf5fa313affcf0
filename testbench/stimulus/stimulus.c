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
  uint64_t params_seen; /* a bit per param_names */
  uint32_t params_line; /* the last param line so far */
  bool params_done;     /* past the param lines */

  /* Each thread as the lines so far leave it: its state, and software increments that wait. */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  uint8_t pending[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
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

static bool check_once(struct reader *reader, const char *name, bool given_before) {
  if (!given_before) return true;
  return pmuv3_lex_error(&reader->lex, "%s is given twice; expected it once", name);
}

static bool expect_end(struct reader *reader) {
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return true;
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is left over; expected the end of the line",
                         word);
}

static bool ends_too_early(struct reader *reader, const char *form) {
  return pmuv3_lex_error(&reader->lex, "the line ends too early; expected %s", form);
}

/* The number of a thread that exists. */
static bool read_thread(struct reader *reader, const char *text, uint8_t *thread) {
  unsigned threads = reader->stimulus->params.threads;
  uint64_t number;
  if (!pmuv3_lex_number(&reader->lex, "the thread", text, &number)) return false;
  if (number >= threads)
    return pmuv3_lex_error(&reader->lex, "thread %" PRIu64 " does not exist; expected 0..%u",
                           number, threads - 1);
  *thread = (uint8_t)number;
  return true;
}

/* A Security state's name; `what` it is of is for the message. */
static bool read_security_state(struct reader *reader, const char *what, const char *name,
                                uint8_t *ss) {
  for (uint8_t s = PMUV3_NS; s <= PMUV3_RT; s++) {
    if (strcmp(name, pmuv3_security_state_name((enum pmuv3_security_state)s)) != 0) continue;
    *ss = s;
    return true;
  }
  return pmuv3_lex_error(&reader->lex, "%s is \"%.40s\"; expected NS, S, RL or RT", what, name);
}

/* ---- Registers ---- */

/* Whether the name is stem<n>tail for an event counter n. */
static bool is_numbered(const char *name, const char *stem, const char *tail) {
  char numbered[24];
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    snprintf(numbered, sizeof numbered, "%s%u%s", stem, n, tail);
    if (strcmp(name, numbered) == 0) return true;
  }
  return false;
}

/* Registers of the architecture that registers.def does not have yet, and AArch32 names of others.
 */
static bool is_later_register(const char *name) {
  static const char *const names[] = {
      "PMSELR_EL0", "PMXEVTYPER_EL0", "PMXEVCNTR_EL0", "PMUSERENR_EL0", "PMUACR_EL1", "PMZR_EL0",
      "PMECR_EL1",  "PMIAR_EL1",      "PMSSCR_EL1",    "PMCCNTSVR_EL1", "PMCR",       "PMCNTENSET",
      "PMCNTENCLR", "PMOVSR",         "PMICNTSVR_EL1", "PMOVSSET",      "PMSWINC",    "PMSELR",
      "PMCEID0",    "PMCEID1",        "PMCEID2",       "PMCEID3",       "PMCCNTR",    "PMXEVTYPER",
      "PMXEVCNTR",  "PMUSERENR",      "PMINTENSET",    "PMINTENCLR",    "PMMIR",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return is_numbered(name, "PMEVCNTR", "") || is_numbered(name, "PMEVCNTSVR", "_EL1");
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
  if (pmuv3_register_bits(access->reg) == 32 && access->value > UINT32_MAX)
    return pmuv3_lex_error(lex, "%s has 32 bits; expected at most 0xffffffff, value is 0x%" PRIx64,
                           name, access->value);

  const char *field = pmuv3_register_unsupported(params, access->reg, access->value);
  if (!field) return true;
  return pmuv3_lex_error(lex, "%s.%s is not supported yet; expected 0 there, value is 0x%" PRIx64,
                         name, field, access->value);
}

/* Counts the software increments that wait for the next cycle; in Debug state there are none. */
static bool count_pending(struct reader *reader, unsigned thread, const struct pmuv3_write *write) {
  uint8_t *pending = reader->pending[thread];
  if (write->reg != PMUV3_PMSWINC || reader->pe[thread].halted) return true;
  for (unsigned n = 0; n < reader->stimulus->params.counters; n++) {
    if ((write->value >> n & 1) == 0) continue;
    if (pending[n] == UINT8_MAX)
      return pmuv3_lex_error(&reader->lex,
                             "more than 255 software increments are pending for counter %u; "
                             "expected a cycle before this one",
                             n);
    pending[n]++;
  }
  return true;
}

static bool has_pending(const struct reader *reader, unsigned thread) {
  static const uint8_t none[PMUV3_MAX_COUNTERS];
  return memcmp(reader->pending[thread], none, sizeof none) != 0;
}

/* By a cycle or a reset. */
static void consume_pending(struct reader *reader) {
  memset(reader->pending, 0, sizeof reader->pending);
}

/* ---- write and expect ---- */

/* The register's name after an optional @T, to *name; NULL: the line ends before it. */
static bool read_register_word(struct reader *reader, uint8_t *thread, const char **name) {
  *name = pmuv3_lex_word(&reader->lex);
  if (!*name || **name != '@') return true;
  if (!read_thread(reader, *name + 1, thread)) return false;
  *name = pmuv3_lex_word(&reader->lex);
  return true;
}

static bool read_access_line(struct reader *reader, enum pmuv3_item_kind kind, const char *form) {
  struct pmuv3_item item = {.kind = kind};
  bool is_write = kind == PMUV3_ITEM_WRITE;
  const char *name;
  if (!read_register_word(reader, &item.thread, &name)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!name || !value) return ends_too_early(reader, form);
  if (!read_access(reader, name, value, is_write, &item.access)) return false;
  if (is_write && !count_pending(reader, item.thread, &item.access)) return false;
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
  if (!read_register_word(reader, &item.thread, &name)) return false;
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

/* ---- pe ---- */

/* The value of a key, at most `max`. */
static bool read_small(struct reader *reader, const char *key, const char *text, uint8_t max,
                       uint8_t *number) {
  uint64_t value;
  if (!pmuv3_lex_number(&reader->lex, key, text, &value)) return false;
  if (value > max)
    return pmuv3_lex_error(&reader->lex, "%s is %.40s; expected 0..%u", key, text, (unsigned)max);
  *number = (uint8_t)value;
  return true;
}

/* The member of a state that a key with the values 0 and 1 is; NULL: there is no such key. */
static bool *flag_of(struct pmuv3_pe *pe, const char *key) {
#define FLAG(flag) \
  if (strcmp(key, #flag) == 0) return &pe->flag;
  PMUV3_PE_FLAGS(FLAG)
#undef FLAG
  return NULL;
}

/* KEY=VALUE; `given` is a state whose members are not 0 where their keys were given before. */
static bool read_key(struct reader *reader, char *word, struct pmuv3_pe *given,
                     struct pmuv3_pe *pe) {
  char *equals = strchr(word, '=');
  if (!equals)
    return pmuv3_lex_error(&reader->lex, "\"%.40s\" has no value; expected KEY=VALUE", word);
  *equals = '\0';
  const char *value = equals + 1;
  if (strcmp(word, "el") == 0)
    return check_once(reader, word, given->el++) && read_small(reader, word, value, 3, &pe->el);
  if (strcmp(word, "ss") == 0)
    return check_once(reader, word, given->ss++) &&
           read_security_state(reader, word, value, &pe->ss);

  bool *flag = flag_of(pe, word);
  bool *flag_given = flag_of(given, word);
  uint8_t number = 0;
  if (!flag)
    return pmuv3_lex_error(&reader->lex,
                           "unknown key \"%.40s\"; expected el, ss, sm, halted, aa32, active, wfx, "
                           "a32el1, a32el3 or snid",
                           word);
  if (!check_once(reader, word, *flag_given) || !read_small(reader, word, value, 1, &number))
    return false;
  *flag_given = true;
  *flag = number == 1;
  return true;
}

/* Without ss, EL3 is in its own Security state, and what comes from there is Non-secure. */
static void follow_el3(const struct pmuv3_params *params, const struct pmuv3_pe *before,
                       struct pmuv3_pe *pe) {
  if (pe->el == 3)
    pe->ss = (uint8_t)pmuv3_el3_state(params);
  else if (before->el == 3)
    pe->ss = PMUV3_NS;
}

/* The state must be one that there is, and may change only when no software increment waits. */
static bool check_pe(struct reader *reader, unsigned thread, const struct pmuv3_pe *pe) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  struct pmuv3_lex *lex = &reader->lex;
  const char *wrong = pmuv3_pe_wrong(params, pe);
  if (wrong) return pmuv3_lex_error(lex, "%s; expected a state that these parameters have", wrong);
  if (pe->snid && params->debugv8p2)
    return pmuv3_lex_error(lex, "snid=1 with debugv8p2=1; expected snid=0, or param debugv8p2=0");
  if (memcmp(pe, &reader->pe[thread], sizeof *pe) != 0 && has_pending(reader, thread))
    return pmuv3_lex_error(lex,
                           "the state of thread %u changes while its software increments are "
                           "pending; expected a cycle before this line",
                           thread);
  return true;
}

static bool read_pe(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_PE};
  const char *thread = pmuv3_lex_word(&reader->lex);
  if (!thread) return ends_too_early(reader, "pe T [KEY=VALUE]...");
  if (!read_thread(reader, thread, &item.thread)) return false;

  struct pmuv3_pe *before = &reader->pe[item.thread];
  struct pmuv3_pe given = {0};
  item.pe = *before;
  for (char *word; (word = pmuv3_lex_word(&reader->lex)) != NULL;)
    if (!read_key(reader, word, &given, &item.pe)) return false;
  if (!given.ss) follow_el3(&reader->stimulus->params, before, &item.pe);
  if (!check_pe(reader, item.thread, &item.pe)) return false;
  *before = item.pe;
  return add_item(reader, item);
}

/* ---- Occurrences ---- */

/* The suffixes of an occurrence, for a bit each of those that were given. */
enum suffix { SUFFIX_THREAD = 1, SUFFIX_CONTEXT = 2, SUFFIX_UNATTR = 4, SUFFIX_DBG = 8 };

/* EVENT:COUNT and suffixes as they stand there. */
struct occurrence {
  enum pmuv3_event event;
  uint64_t count;
  unsigned suffixes; /* bits of enum suffix */
  uint8_t thread;
  bool has_context;
  struct pmuv3_context context; /* of /elE,SS; related: of /unattr,elE,SS */
};

/* A cycle while its line is read. */
struct cycle_line {
  struct pmuv3_cycle cycle;
  uint8_t has_other;  /* bit t: cycle.other[t] is given */
  uint8_t has_unattr; /* bit t: thread t has an Unattributable occurrence */
};

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

/* elE,SS; at EL3, SS may be left out. */
static bool read_context(struct reader *reader, const char *text, struct occurrence *occurrence) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  struct pmuv3_lex *lex = &reader->lex;
  struct pmuv3_context *context = &occurrence->context;
  if (strncmp(text, "el", 2) != 0 || text[2] < '0' || text[2] > '3' ||
      (text[3] != ',' && text[3] != '\0'))
    return pmuv3_lex_error(lex, "\"%.40s\" is no context; expected elE,SS with E from 0 to 3",
                           text);
  context->el = (uint8_t)(text[2] - '0');
  if (text[3] == '\0' && context->el != 3)
    return pmuv3_lex_error(lex, "context %s has no Security state; expected elE,SS", text);
  if (text[3] == '\0')
    context->ss = (uint8_t)pmuv3_el3_state(params);
  else if (!read_security_state(reader, "the context's Security state", text + 4, &context->ss))
    return false;
  occurrence->has_context = true;

  const char *wrong = pmuv3_context_wrong(params, context->el, context->ss);
  if (!wrong) return true;
  return pmuv3_lex_error(lex, "%s; expected a context that these parameters have", wrong);
}

/* Which suffix it is, by the mark before it and its first characters; 0: none. */
static unsigned suffix_of(char mark, const char *text) {
  static const char unattr[] = "unattr";
  size_t length = strlen(unattr);
  if (mark == '@') return SUFFIX_THREAD;
  if (strcmp(text, "dbg") == 0) return SUFFIX_DBG;
  if (strncmp(text, "el", 2) == 0) return SUFFIX_CONTEXT;
  if (strncmp(text, unattr, length) == 0 && (text[length] == '\0' || text[length] == ','))
    return SUFFIX_UNATTR;
  return 0;
}

/* A suffix, each kind at most once. */
static bool read_suffix(struct reader *reader, char mark, const char *text,
                        struct occurrence *occurrence) {
  struct pmuv3_lex *lex = &reader->lex;
  unsigned suffix = suffix_of(mark, text);
  if (suffix == 0)
    return pmuv3_lex_error(
        lex, "unknown suffix \"/%.40s\"; expected EVENT:COUNT[@T][/elE,SS][/unattr][/dbg]", text);
  if (occurrence->suffixes & suffix)
    return pmuv3_lex_error(lex, "a second %c%.40s; expected each suffix once", mark, text);
  occurrence->suffixes |= suffix;

  if (suffix == SUFFIX_THREAD) return read_thread(reader, text, &occurrence->thread);
  if (suffix == SUFFIX_CONTEXT) return read_context(reader, text, occurrence);
  const char *comma = strchr(text, ',');
  if (!comma) return true;
  occurrence->context.related = true;
  return read_context(reader, comma + 1, occurrence);
}

/* Cuts the suffixes off an occurrence and reads them, in any order. */
static bool read_suffixes(struct reader *reader, char *text, struct occurrence *occurrence) {
  static const char marks[] = "@/";
  char *next = text + strcspn(text, marks);
  while (*next) {
    char mark = *next;
    *next = '\0';
    char *suffix = next + 1;
    next = suffix + strcspn(suffix, marks);
    char next_mark = *next;
    *next = '\0';
    if (!read_suffix(reader, mark, suffix, occurrence)) return false;
    *next = next_mark;
  }
  return true;
}

/* Whether these suffixes can stand together, at this event and at this thread. */
static bool check_suffixes(struct reader *reader, const struct occurrence *occurrence) {
  struct pmuv3_lex *lex = &reader->lex;
  unsigned suffixes = occurrence->suffixes;
  bool is_count = pmuv3_event_class_of(occurrence->event) == PMUV3_EVENT_CLASS_COUNT;
  if (!is_count && suffixes & (SUFFIX_CONTEXT | SUFFIX_UNATTR))
    return pmuv3_lex_error(
        lex, "event 0x%04x takes no context and no /unattr; expected EVENT:COUNT[@T][/dbg]",
        (unsigned)pmuv3_event_number(occurrence->event));
  if (suffixes & SUFFIX_CONTEXT && suffixes & SUFFIX_UNATTR)
    return pmuv3_lex_error(lex, "/unattr beside /elE,SS; expected one of them, or /unattr,elE,SS");
  if (suffixes & SUFFIX_DBG && !reader->pe[occurrence->thread].halted)
    return pmuv3_lex_error(lex,
                           "/dbg while thread %u is not halted; expected pe %u halted=1 before",
                           (unsigned)occurrence->thread, (unsigned)occurrence->thread);
  return true;
}

/* Whether the occurrence's context is not just its thread's current state. */
static bool is_elsewhere(const struct reader *reader, const struct occurrence *occurrence) {
  const struct pmuv3_pe *pe = &reader->pe[occurrence->thread];
  return occurrence->has_context &&
         (occurrence->context.el != pe->el || occurrence->context.ss != pe->ss);
}

static enum pmuv3_origin origin_of(const struct reader *reader,
                                   const struct occurrence *occurrence) {
  if (occurrence->suffixes & SUFFIX_DBG) return PMUV3_DEBUGGER;
  if (occurrence->suffixes & SUFFIX_UNATTR) return PMUV3_UNATTRIBUTABLE;
  return is_elsewhere(reader, occurrence) ? PMUV3_OTHER : PMUV3_CURRENT;
}

/* Makes the occurrence's context the thread's other one of this cycle; it may not have another. */
static bool set_other(struct reader *reader, struct cycle_line *line,
                      const struct occurrence *occurrence) {
  struct pmuv3_context *other = &line->cycle.other[occurrence->thread];
  if (!occurrence->context.related && !is_elsewhere(reader, occurrence)) return true;
  if (line->has_other >> occurrence->thread & 1 &&
      (other->el != occurrence->context.el || other->ss != occurrence->context.ss))
    return pmuv3_lex_error(&reader->lex,
                           "a second context of thread %u in a cycle; expected at most one",
                           (unsigned)occurrence->thread);
  line->has_other |= (uint8_t)(1u << occurrence->thread);
  other->el = occurrence->context.el;
  other->ss = occurrence->context.ss;
  return true;
}

/* A thread's Unattributable occurrences of a cycle are all related to its other context or none. */
static bool set_related(struct reader *reader, struct cycle_line *line,
                        const struct occurrence *occurrence) {
  bool *related = &line->cycle.other[occurrence->thread].related;
  if (line->has_unattr >> occurrence->thread & 1 && *related != occurrence->context.related)
    return pmuv3_lex_error(&reader->lex,
                           "/unattr with a context and without one for thread %u in a cycle; "
                           "expected all of them alike",
                           (unsigned)occurrence->thread);
  line->has_unattr |= (uint8_t)(1u << occurrence->thread);
  *related = occurrence->context.related;
  return true;
}

/* The same event's occurrences of that thread and origin in this cycle; NULL: none so far. */
static struct pmuv3_occurrence *find_same(const struct reader *reader,
                                          const struct pmuv3_cycle *cycle,
                                          const struct pmuv3_occurrence *occurrence) {
  size_t first = reader->num_occurrences - cycle->num_occurrences;
  for (size_t i = first; i < reader->num_occurrences; i++) {
    struct pmuv3_occurrence *same = &reader->stimulus->occurrences[i];
    if (same->event == occurrence->event && same->thread == occurrence->thread &&
        same->origin == occurrence->origin)
      return same;
  }
  return NULL;
}

/* Adds an occurrence to those of this cycle, which are the last ones; the same ones add up. */
static bool merge_occurrence(struct reader *reader, struct pmuv3_cycle *cycle,
                             struct pmuv3_occurrence occurrence, uint64_t count) {
  enum pmuv3_event event = (enum pmuv3_event)occurrence.event;
  unsigned limit = pmuv3_event_limit(event);
  struct pmuv3_occurrence *same = find_same(reader, cycle, &occurrence);
  uint64_t already = same ? same->count : 0;
  if (count > limit - already)
    return pmuv3_lex_error(&reader->lex,
                           "event 0x%04x occurs more than %u times in a cycle (%" PRIu64
                           " + %" PRIu64 "); expected 0..%u",
                           (unsigned)pmuv3_event_number(event), limit, already, count, limit);
  occurrence.count = (uint8_t)(already + count);
  if (same) {
    *same = occurrence;
    return true;
  }
  cycle->num_occurrences++;
  return add_occurrence(reader, occurrence);
}

static bool keep_occurrence(struct reader *reader, struct cycle_line *line,
                            const struct occurrence *occurrence) {
  enum pmuv3_origin origin = origin_of(reader, occurrence);
  if (!set_other(reader, line, occurrence)) return false;
  if (origin == PMUV3_UNATTRIBUTABLE && !set_related(reader, line, occurrence)) return false;
  return merge_occurrence(reader, &line->cycle,
                          (struct pmuv3_occurrence){.event = (uint8_t)occurrence->event,
                                                    .thread = occurrence->thread,
                                                    .origin = (uint8_t)origin},
                          occurrence->count);
}

/* EVENT:COUNT and suffixes; `colon` is where the word's colon stands. */
static bool read_occurrence(struct reader *reader, char *word, char *colon,
                            struct cycle_line *line) {
  struct occurrence occurrence = {.event = PMUV3_EVENT_NONE};
  *colon = '\0';
  return read_event(reader, word, &occurrence.event) &&
         read_suffixes(reader, colon + 1, &occurrence) &&
         pmuv3_lex_number(&reader->lex, "the count", colon + 1, &occurrence.count) &&
         check_suffixes(reader, &occurrence) && keep_occurrence(reader, line, &occurrence);
}

/* ---- cycle ---- */

/* [@T:]REGISTER=VALUE; `equals` is where the word's equals sign stands. */
static bool read_inline_write(struct reader *reader, char *word, char *equals,
                              struct pmuv3_cycle *cycle) {
  uint8_t thread = 0;
  *equals = '\0';
  if (*word == '@') {
    char *colon = strchr(word, ':');
    if (!colon)
      return pmuv3_lex_error(&reader->lex, "\"%.40s\" has no colon; expected @T:REGISTER=VALUE",
                             word);
    *colon = '\0';
    if (!read_thread(reader, word + 1, &thread)) return false;
    word = colon + 1;
  }
  if (cycle->has_write >> thread & 1)
    return pmuv3_lex_error(&reader->lex,
                           "a second register write of thread %u in a cycle; expected one a thread",
                           (unsigned)thread);
  cycle->has_write |= (uint8_t)(1u << thread);
  return read_access(reader, word, equals + 1, true, &cycle->write[thread]);
}

static bool read_cycle(struct reader *reader) {
  struct cycle_line line = {0};
  for (char *word; (word = pmuv3_lex_word(&reader->lex)) != NULL;) {
    char *equals = strchr(word, '=');
    char *colon = strchr(word, ':');
    bool good;
    if (equals)
      good = read_inline_write(reader, word, equals, &line.cycle);
    else if (colon)
      good = read_occurrence(reader, word, colon, &line);
    else
      good = pmuv3_lex_error(
          &reader->lex, "\"%.40s\" is no item of a cycle; expected EVENT:COUNT or REGISTER=VALUE",
          word);
    if (!good) return false;
  }
  consume_pending(reader);
  return add_item(reader, (struct pmuv3_item){.kind = PMUV3_ITEM_CYCLE, .cycle = line.cycle});
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

_Static_assert(sizeof param_names / sizeof *param_names <= 64, "a bit each in params_seen");

/* Refuses a parameter that was given before; an unknown one is left to pmuv3_params_set. */
static bool check_first_time(struct reader *reader, const char *name) {
  for (unsigned i = 0; i < sizeof param_names / sizeof *param_names; i++) {
    if (strcmp(name, param_names[i]) != 0) continue;
    if (!check_once(reader, name, reader->params_seen >> i & 1)) return false;
    reader->params_seen |= UINT64_C(1) << i;
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
  return true;
}

static bool read_param(struct reader *reader) {
  struct pmuv3_lex *lex = &reader->lex;
  if (reader->params_done)
    return pmuv3_lex_error(lex, "param after other lines; expected it before everything else");
  char *word = pmuv3_lex_word(lex);
  if (!word) return ends_too_early(reader, "param NAME=VALUE...");
  reader->params_line = lex->line;
  for (; word; word = pmuv3_lex_word(lex))
    if (!read_one_param(reader, word)) return false;
  return true;
}

/* After the last param line, which is to blame when they cannot be together. */
static bool finish_params(struct reader *reader) {
  if (reader->params_done) return true;
  reader->params_done = true;
  const char *wrong = pmuv3_params_complete(&reader->stimulus->params);
  if (!wrong) return true;
  if (reader->params_line > 0) reader->lex.line = reader->params_line;
  return pmuv3_lex_error(&reader->lex, "%s; expected parameters that can be together", wrong);
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
  } lines[] = {{"write", read_write}, {"expect", read_expect}, {"pe", read_pe},
               {"cycle", read_cycle}, {"idle", read_idle},     {"refused", read_refused},
               {"reset", read_reset}};
  static const char *const later[] = {"msr", "mrs"};
  static const char keywords[] = "param, write, expect, pe, cycle, idle, refused or reset";

  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return true;
  if (strcmp(word, "param") == 0) return read_param(reader);
  if (!finish_params(reader)) return false;
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
  if (!finish_params(reader)) return false;
  attach_occurrences(reader->stimulus);
  return true;
}

bool pmuv3_stimulus_read(struct pmuv3_stimulus *stimulus, FILE *in, const char *name, char *error,
                         size_t error_size) {
  struct reader reader = {.stimulus = stimulus};
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) reader.pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
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
