#define _GNU_SOURCE
#include "testbench/cosim/shrink/form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/stimulus/events_text.h"

#define REPEAT "repeat "
#define MOST_TIMES 255 /* repetitions of a line */

bool pmuv3_form_is_param(const char *line) {
  return strncmp(line, "param ", 6) == 0;
}

size_t pmuv3_form_lines(const char *text) {
  size_t count = 0;
  for (; *text; text = pmuv3_lines_at(text, 1))
    count += strchr("#\r\n", text[strspn(text, " \t")]) == NULL;
  return count;
}

/* ---- Without other files ---- */

#define EVENTS "events="
#define EVENT "event="
#define BLANKS " \t"
#define ENDS BLANKS "\r\n#"

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* `events=` that names a file. */
static bool names_file(const char *word) {
  static const char none[] = EVENTS "none";
  return begins_with(word, EVENTS) &&
         !(strcspn(word, ENDS) == strlen(none) && begins_with(word, none));
}

/* The first word of a line that is one of params; NULL: the line is another one. */
static const char *first_param(const char *line) {
  const char *word = line + strspn(line, BLANKS);
  const size_t length = strcspn(word, ENDS);
  if (length != strlen("param") || !begins_with(word, "param")) return NULL;
  return word + length + strspn(word + length, BLANKS);
}

static bool is_word(const char *at) {
  return *at && !strchr("\r\n#", *at);
}

/* Whether a line of params names a file of events. */
static bool has_file(const char *text) {
  for (; *text; text = pmuv3_lines_at(text, 1)) {
    const char *word = first_param(text);
    for (; word && is_word(word); word += strspn(word, BLANKS)) {
      if (names_file(word)) return true;
      word += strcspn(word, ENDS);
    }
  }
  return false;
}

/* Writes the words of a line of params, the first of which is `word`. The set of events stands
 * where its file stood, and has what `event=` added. Nothing is written if no other word is left:
 * then the line is empty, so that lines keep their numbers. Returns the end of the last word. */
static const char *write_params(FILE *out, const char *line, const char *word,
                                const struct pmuv3_events *events) {
  const char *from = line, *end = word;
  for (; is_word(word); word = end + strspn(end, BLANKS)) {
    end = word + strcspn(word, ENDS);
    if (begins_with(word, EVENT)) {
      if (from != line) from = end;
      continue;
    }
    const char *before_end = from == line ? first_param(line) : word;
    fwrite(from, 1, (size_t)(before_end - from), out);
    if (names_file(word))
      pmuv3_events_write(out, events, " ");
    else
      fwrite(word, 1, (size_t)(end - word), out);
    from = end;
  }
  return end;
}

char *pmuv3_form_alone(const char *text, const struct pmuv3_events *events) {
  struct pmuv3_builder builder;
  const bool is_named = has_file(text);
  pmuv3_builder_open(&builder);
  while (*text) {
    const char *next = pmuv3_lines_at(text, 1), *word = first_param(text);
    if (is_named && word) text = write_params(builder.out, text, word, events);
    fwrite(text, 1, (size_t)(next - text), builder.out);
    text = next;
  }
  return pmuv3_builder_take(&builder);
}

/* ---- The form of the passes ---- */

/* Puts each word of a param line on its own line. Features go to `features`. */
static void spread_params(const struct pmuv3_words *words, FILE *out, FILE *features) {
  for (size_t i = 1; i < words->count; i++)
    fprintf(strncmp(words->word[i], "features=", 9) == 0 ? features : out, "param %s\n",
            words->word[i]);
}

/* Removes `repeat N` from a line. Returns N, or 1 without `repeat`. */
static unsigned long unfold(char *line) {
  char *rest = line;
  unsigned long times = 1;
  if (strncmp(line, REPEAT, strlen(REPEAT)) == 0)
    times = pmuv3_lines_number(line + strlen(REPEAT), &rest);
  if (*rest != ' ' || times > MOST_TIMES) return 1;
  memmove(line, rest + 1, strlen(rest));
  return times;
}

static void spread_line(const struct pmuv3_words *words, FILE *out) {
  char *line = pmuv3_words_join(words);
  for (unsigned long times = unfold(line); times > 0; times--) fprintf(out, "%s\n", line);
  free(line);
}

char *pmuv3_form_spread(const char *text) {
  struct pmuv3_builder head, features, body, whole;
  pmuv3_builder_open(&head);
  pmuv3_builder_open(&features);
  pmuv3_builder_open(&body);
  bool in_head = true;
  for (; *text; text = pmuv3_lines_at(text, 1)) {
    struct pmuv3_words words = pmuv3_words_of(text);
    if (words.count > 0 && strcmp(words.word[0], "param") == 0)
      spread_params(&words, head.out, features.out);
    else if (words.count > 0)
      spread_line(&words, in_head ? head.out : body.out);
    in_head = in_head && words.count == 0;
    pmuv3_words_free(&words);
  }
  char *parts[] = {pmuv3_builder_take(&head), pmuv3_builder_take(&features),
                   pmuv3_builder_take(&body)};
  pmuv3_builder_open(&whole);
  for (size_t i = 0; i < 3; i++) {
    fputs(parts[i], whole.out);
    free(parts[i]);
  }
  return pmuv3_builder_take(&whole);
}

/* ---- The form for a person ---- */

/* Writes a line. If `divergence` is in this line, a read expects the C model's value. */
static void write_line(FILE *out, const char *line, const struct pmuv3_divergence *divergence) {
  struct pmuv3_words words = pmuv3_words_of(line);
  char value[24];
  snprintf(value, sizeof value, "0x%" PRIx64, divergence ? divergence->cmodel : 0);
  if (divergence && strcmp(words.word[0], "expect") == 0) words.word[words.count - 1] = value;
  char *written = pmuv3_words_join(&words);
  fputs(written, out);
  free(written);
  pmuv3_words_free(&words);
}

/* The number of equal lines from this line on that one `repeat` can hold. */
static unsigned count_same(const char *text) {
  const size_t length = strcspn(text, "\n") + 1;
  unsigned count = 1;
  const char *next = pmuv3_lines_at(text, 1);
  for (; count < MOST_TIMES && strncmp(next, text, length) == 0; next = pmuv3_lines_at(next, 1))
    count++;
  return count;
}

char *pmuv3_form_write(const char *text, const struct pmuv3_divergence *divergence) {
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  bool continues = false; /* the last line was a line of params */
  for (const char *next; *text; text = next) {
    const unsigned same = count_same(text);
    next = pmuv3_lines_at(text, same > 2 ? same : 1);
    if (continues) fputc(' ', builder.out);
    if (same > 2) fprintf(builder.out, REPEAT "%u ", same);
    write_line(builder.out, continues ? text + strlen("param ") : text, *next ? NULL : divergence);
    continues = pmuv3_form_is_param(text) && pmuv3_form_is_param(next);
    if (*next && !continues) fputc('\n', builder.out);
  }
  fputs("  # ", builder.out);
  pmuv3_divergence_print(builder.out, divergence);
  return pmuv3_builder_take(&builder);
}
