/* The reader of stimulus files: a function for each kind of line, over the words of lex.h. Nothing
 * is ignored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/stimulus/reader.h"

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

bool reader_add_item(struct reader *reader, struct pmuv3_item item) {
  struct pmuv3_stimulus *stimulus = reader->stimulus;
  struct pmuv3_item *items =
      with_room(stimulus->items, stimulus->num_items, &reader->items_capacity, sizeof *items);
  if (!items) return out_of_memory(reader);
  stimulus->items = items;
  item.line = reader->lex.line;
  items[stimulus->num_items++] = item;
  return true;
}

bool reader_add_occurrence(struct reader *reader, struct pmuv3_occurrence occurrence) {
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

bool reader_check_once(struct reader *reader, const char *name, bool given_before) {
  return pmuv3_lex_once(&reader->lex, name, &given_before);
}

bool reader_expect_end(struct reader *reader) {
  return pmuv3_lex_end(&reader->lex);
}

bool reader_ends_too_early(struct reader *reader, const char *form) {
  return pmuv3_lex_error(&reader->lex, "the line ends too early; expected %s", form);
}

bool reader_thread(struct reader *reader, const char *text, uint8_t *thread) {
  unsigned threads = reader->stimulus->params.threads;
  uint64_t number;
  if (!pmuv3_lex_number(&reader->lex, "the thread", text, &number)) return false;
  if (number >= threads)
    return pmuv3_lex_error(&reader->lex, "thread %" PRIu64 " does not exist; expected 0..%u",
                           number, threads - 1);
  *thread = (uint8_t)number;
  return true;
}

bool reader_word_of_thread(struct reader *reader, uint8_t *thread, char **word) {
  *word = pmuv3_lex_word(&reader->lex);
  if (!*word || **word != '@') return true;
  if (!reader_thread(reader, *word + 1, thread)) return false;
  *word = pmuv3_lex_word(&reader->lex);
  return true;
}

bool reader_small(struct reader *reader, const char *key, const char *text, uint8_t max,
                  uint8_t *number) {
  uint64_t value;
  if (!pmuv3_lex_number(&reader->lex, key, text, &value)) return false;
  if (value > max)
    return pmuv3_lex_error(&reader->lex, "%s is %.40s; expected 0..%u", key, text, (unsigned)max);
  *number = (uint8_t)value;
  return true;
}

bool reader_security_state(struct reader *reader, const char *what, const char *name, uint8_t *ss) {
  for (uint8_t s = PMUV3_NS; s <= PMUV3_RT; s++) {
    if (strcmp(name, pmuv3_security_state_name((enum pmuv3_security_state)s)) != 0) continue;
    *ss = s;
    return true;
  }
  return pmuv3_lex_error(&reader->lex, "%s is \"%.40s\"; expected NS, S, RL or RT", what, name);
}

/* ---- idle ---- */

static bool read_idle(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_IDLE};
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return reader_ends_too_early(reader, "idle N");
  if (!pmuv3_lex_number(&reader->lex, "the number of cycles", word, &item.idle)) return false;
  if (item.idle > 0) reader_consume_pending(reader);
  return reader_expect_end(reader) && reader_add_item(reader, item);
}

/* ---- param ---- */

static bool read_param(struct reader *reader) {
  struct pmuv3_lex *lex = &reader->lex;
  if (reader->params_done)
    return pmuv3_lex_error(lex, "param after other lines; expected it before everything else");
  return pmuv3_param_line(&reader->param_lines, lex);
}

/* After the last param line, which is to blame when they cannot be together. */
static bool finish_params(struct reader *reader) {
  if (reader->params_done) return true;
  reader->params_done = true;
  return pmuv3_param_lines_end(&reader->param_lines, &reader->lex);
}

/* ---- repeat ---- */

static bool read_item(struct reader *reader, const char *word);

/* The rest of the line, so often; words are cut in place, so each time of another copy. */
static bool read_times(struct reader *reader, uint8_t times) {
  char *next_word = reader->lex.next_word;
  const size_t size = strlen(next_word) + 1;
  char *rest = malloc(size);
  if (!rest) return out_of_memory(reader);
  memcpy(rest, next_word, size);
  bool good = true;
  for (; good && times > 0; times--) {
    memcpy(next_word, rest, size);
    reader->lex.next_word = next_word;
    good = read_item(reader, pmuv3_lex_word(&reader->lex));
  }
  free(rest);
  return good;
}

static bool read_repeat(struct reader *reader) {
  static const char form[] = "repeat N LINE";
  uint8_t times = 0;
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return reader_ends_too_early(reader, form);
  if (!reader_small(reader, "the number of times", word, UINT8_MAX, &times)) return false;
  const char *line = reader->lex.next_word + strspn(reader->lex.next_word, " \t");
  if (!*line) return reader_ends_too_early(reader, form);
  if (times == 0 || strncmp(line, "repeat", 6) == 0)
    return pmuv3_lex_error(&reader->lex, "%s; expected %s with N from 1 to 255",
                           times == 0 ? "0 times" : "repeat within repeat", form);
  return read_times(reader, times);
}

/* ---- Lines and the file ---- */

/* A line after the params, which begins with `word`. */
static bool read_item(struct reader *reader, const char *word) {
  static const struct {
    const char *keyword;
    bool (*read)(struct reader *reader);
  } lines[] = {{"write", reader_write}, {"expect", reader_expect}, {"pe", reader_pe},
               {"cycle", reader_cycle}, {"idle", read_idle},       {"refused", reader_refused},
               {"reset", reader_reset}, {"msr", reader_msr},       {"mrs", reader_mrs},
               {"read", reader_read},   {"extw", reader_extw},     {"extr", reader_extr},
               {"repeat", read_repeat}};
  static const char keywords[] =
      "param, write, expect, read, msr, mrs, extw, extr, pe, cycle, idle, refused, reset or "
      "repeat";

  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (strcmp(word, lines[i].keyword) == 0) return lines[i].read(reader);
  return pmuv3_lex_error(&reader->lex, "unknown word \"%.40s\"; expected %s", word, keywords);
}

/* Likewise; a wrong one was never there. */
static bool read_item_if_right(struct reader *reader, const char *word) {
  const struct reader before = *reader;
  const size_t num_items = reader->stimulus->num_items;
  if (read_item(reader, word)) return true;
  reader->stimulus->num_items = num_items;
  reader->num_occurrences = before.num_occurrences;
  memcpy(reader->pe, before.pe, sizeof reader->pe);
  memcpy(reader->pending, before.pending, sizeof reader->pending);
  return true;
}

static bool read_line(struct reader *reader) {
  const char *word = pmuv3_lex_word(&reader->lex);
  if (!word) return true;
  if (strcmp(word, "param") == 0) return read_param(reader);
  if (!finish_params(reader)) return false;
  return reader->leaves_out ? read_item_if_right(reader, word) : read_item(reader, word);
}

static bool read_file(struct reader *reader) {
  if (!pmuv3_lex_head(&reader->lex, "pmuv3-stimulus", "a stimulus file")) return false;
  while (pmuv3_lex_line(&reader->lex))
    if (!read_line(reader)) return false;
  if (!finish_params(reader)) return false;
  attach_occurrences(reader->stimulus);
  return true;
}

static bool read_stimulus(struct pmuv3_stimulus *stimulus, FILE *in, const char *name, char *error,
                          size_t error_size, bool leaves_out) {
  struct reader reader = {
      .stimulus = stimulus, .leaves_out = leaves_out, .param_lines = {.params = &stimulus->params}};
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) reader.pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  *stimulus = (struct pmuv3_stimulus){.params = pmuv3_params_default()};
  bool good = pmuv3_lex_open(&reader.lex, in, name, error, error_size) && read_file(&reader);
  pmuv3_lex_close(&reader.lex);
  if (!good) pmuv3_stimulus_free(stimulus);
  return good;
}

bool pmuv3_stimulus_read(struct pmuv3_stimulus *stimulus, FILE *in, const char *name, char *error,
                         size_t error_size) {
  return read_stimulus(stimulus, in, name, error, error_size, false);
}

bool pmuv3_stimulus_read_legal(struct pmuv3_stimulus *stimulus, FILE *in) {
  return read_stimulus(stimulus, in, "", NULL, 0, true);
}

void pmuv3_stimulus_free(struct pmuv3_stimulus *stimulus) {
  free(stimulus->items);
  free(stimulus->occurrences);
  *stimulus = (struct pmuv3_stimulus){0};
}
