/* Cycles in stimulus files, and what occurs in them. */
#include <inttypes.h>
#include <string.h>

#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/reader.h"

/* ---- Occurrences ---- */

/* The suffixes of an occurrence, for a bit each of those that were given. */
enum suffix { SUFFIX_THREAD = 1, SUFFIX_CONTEXT = 2, SUFFIX_UNATTR = 4, SUFFIX_DBG = 8 };

/* EVENT:COUNT and suffixes as they stand there. */
struct occurrence {
  const struct pmuv3_event *event; /* its row */
  uint64_t count;
  unsigned suffixes; /* bits of enum suffix */
  uint8_t thread;
  bool has_context;
  struct pmuv3_context context; /* of /elE,SS; related: of /unattr,elE,SS */
};

#define CAPTURE "capture"

/* A cycle while its line is read. */
struct cycle_line {
  struct pmuv3_cycle cycle;
  struct pmuv3_expected_ends expected;
  uint8_t has_other;  /* bit t: cycle.other[t] is given */
  uint8_t has_unattr; /* bit t: thread t has an Unattributable occurrence */
};

static bool read_event(struct reader *reader, const char *word, const struct pmuv3_event **event) {
  struct pmuv3_lex *lex = &reader->lex;
  uint64_t number;
  if (!pmuv3_lex_number(lex, "the event", word, &number)) return false;
  if (number > UINT16_MAX)
    return pmuv3_lex_error(lex, "event %.40s is out of range; expected at most 0xffff", word);
  const struct pmuv3_params *params = &reader->stimulus->params;
  *event = pmuv3_events_find(&params->events, (uint16_t)number);
  if (!*event)
    return pmuv3_lex_error(lex, "event %.40s is not implemented; expected one of %s", word,
                           pmuv3_events_are_default(&reader->stimulus->params.events)
                               ? "docs/reference/events.md"
                               : "the file's set of events");
  if ((*event)->event_class == PMUV3_EVENT_CLASS_SELF)
    return pmuv3_lex_error(lex, "event %.40s is made by the PMU itself; expected another event",
                           word);
  if (!pmuv3_event_fits(params, *event))
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
  else if (!reader_security_state(reader, "the context's Security state", text + 4, &context->ss))
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

  if (suffix == SUFFIX_THREAD) return reader_thread(reader, text, &occurrence->thread);
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
  bool is_count = occurrence->event->event_class == PMUV3_EVENT_CLASS_COUNT;
  if (!is_count && suffixes & (SUFFIX_CONTEXT | SUFFIX_UNATTR))
    return pmuv3_lex_error(
        lex, "event 0x%04x takes no context and no /unattr; expected EVENT:COUNT[@T][/dbg]",
        (unsigned)occurrence->event->number);
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
                             struct pmuv3_occurrence occurrence, uint64_t count, unsigned most) {
  struct pmuv3_occurrence *same = find_same(reader, cycle, &occurrence);
  uint64_t already = same ? same->count : 0;
  if (count > most - already)
    return pmuv3_lex_error(&reader->lex,
                           "event 0x%04x occurs more than %u times in a cycle (%" PRIu64
                           " + %" PRIu64 "); expected 0..%u",
                           (unsigned)occurrence.event, most, already, count, most);
  occurrence.count = (uint8_t)(already + count);
  if (same) {
    *same = occurrence;
    return true;
  }
  cycle->num_occurrences++;
  return reader_add_occurrence(reader, occurrence);
}

static bool keep_occurrence(struct reader *reader, struct cycle_line *line,
                            const struct occurrence *occurrence) {
  enum pmuv3_origin origin = origin_of(reader, occurrence);
  if (origin != PMUV3_DEBUGGER && !set_other(reader, line, occurrence)) return false;
  if (origin == PMUV3_UNATTRIBUTABLE && !set_related(reader, line, occurrence)) return false;
  return merge_occurrence(reader, &line->cycle,
                          (struct pmuv3_occurrence){.event = occurrence->event->number,
                                                    .thread = occurrence->thread,
                                                    .origin = (uint8_t)origin},
                          occurrence->count, occurrence->event->most);
}

/* EVENT:COUNT and suffixes; `colon` is where the word's colon stands. */
static bool read_occurrence(struct reader *reader, char *word, char *colon,
                            struct cycle_line *line) {
  struct occurrence occurrence = {0};
  *colon = '\0';
  return read_event(reader, word, &occurrence.event) &&
         read_suffixes(reader, colon + 1, &occurrence) &&
         pmuv3_lex_number(&reader->lex, "the count", colon + 1, &occurrence.count) &&
         check_suffixes(reader, &occurrence) && keep_occurrence(reader, line, &occurrence);
}

/* ---- cycle ---- */

static bool is_capture(const char *word) {
  const size_t length = strlen(CAPTURE);
  return strncmp(word, CAPTURE, length) == 0 && (word[length] == '\0' || word[length] == '@');
}

/* capture or capture@T: a request from outside to capture. */
static bool read_capture(struct reader *reader, const char *word, struct pmuv3_cycle *cycle) {
  const char *at = strchr(word, '@');
  uint8_t thread = 0;
  if (at && !reader_thread(reader, at + 1, &thread)) return false;
  const bool given_before = cycle->capture >> thread & 1;
  cycle->capture |= (uint8_t)(1u << thread);
  return reader_check_once(reader, word, given_before);
}

bool reader_cycle(struct reader *reader) {
  struct cycle_line line = {0};
  for (char *word; (word = pmuv3_lex_word(&reader->lex)) != NULL;) {
    char *equals = strchr(word, '=');
    char *colon = strchr(word, ':');
    bool good;
    if (is_capture(word))
      good = read_capture(reader, word, &line.cycle);
    else if (equals)
      good = reader_inline_write(reader, word, equals, &line.cycle, &line.expected);
    else if (colon)
      good = read_occurrence(reader, word, colon, &line);
    else
      good = pmuv3_lex_error(
          &reader->lex,
          "\"%.40s\" is no item of a cycle; expected EVENT:COUNT, REGISTER=VALUE or capture", word);
    if (!good) return false;
  }
  reader_consume_pending(reader);
  return reader_add_item(
      reader, (struct pmuv3_item){
                  .kind = PMUV3_ITEM_CYCLE, .cycle = line.cycle, .expected = line.expected});
}
