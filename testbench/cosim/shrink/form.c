#define _GNU_SOURCE
#include "testbench/cosim/shrink/form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/lines.h"
#include "testbench/cosim/stimulus/stimulus.h"

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

#define BLANKS " \t"
#define ENDS BLANKS "\r\n#"

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* The preset of a core, or a file of events. */
static bool names_file(const char *word) {
  static const char none[] = "events=none";
  if (begins_with(word, "core=")) return true;
  return begins_with(word, "events=") &&
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

/* Whether a line of params names a file. */
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

/* One line of all parameters, without its end. */
static char *line_of_params(const struct pmuv3_params *params) {
  struct pmuv3_builder head, line;
  pmuv3_builder_open(&head);
  pmuv3_stimulus_write_head(head.out, params);
  char *lines = pmuv3_builder_take(&head);
  pmuv3_builder_open(&line);
  fputs("param", line.out);
  for (const char *next = pmuv3_lines_at(lines, 1); *next; next = pmuv3_lines_at(next, 1)) {
    const char *words = next + strlen("param");
    fwrite(words, 1, strcspn(words, "\n"), line.out);
  }
  free(lines);
  return pmuv3_builder_take(&line);
}

/* The blanks before a line's comment or its end. */
static const char *end_of_words(const char *line) {
  const char *end = line + strcspn(line, "\r\n#");
  while (end > line && strchr(BLANKS, end[-1])) end--;
  return end;
}

/* The first line of params gets all of them. The others get none, so that lines keep their
 * numbers. */
static char *with_params(const char *text, const struct pmuv3_params *params) {
  char *line = line_of_params(params);
  const char *left = line;
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  while (*text) {
    const char *next = pmuv3_lines_at(text, 1);
    if (first_param(text)) {
      fputs(left, builder.out);
      left = "";
      text = end_of_words(text);
    }
    fwrite(text, 1, (size_t)(next - text), builder.out);
    text = next;
  }
  free(line);
  return pmuv3_builder_take(&builder);
}

char *pmuv3_form_alone(const char *text, const struct pmuv3_params *params) {
  if (has_file(text)) return with_params(text, params);
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  fputs(text, builder.out);
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

/* The line of the divergence expects the C model's value of a read. If the read ended differently,
 * there is no such value, and nothing is expected. */
static void expect_cmodel(struct pmuv3_words *words, const struct pmuv3_divergence *divergence,
                          char value[24]) {
  if (strcmp(words->word[0], "expect") != 0) return;
  if (pmuv3_divergence_is_end(divergence)) {
    words->word[0] = "read";
    words->count--;
    return;
  }
  snprintf(value, 24, "0x%" PRIx64, divergence->cmodel);
  words->word[words->count - 1] = value;
}

/* Writes a line. NULL: the divergence is in another line. */
static void write_line(FILE *out, const char *line, const struct pmuv3_divergence *divergence) {
  struct pmuv3_words words = pmuv3_words_of(line);
  char value[24];
  if (divergence) expect_cmodel(&words, divergence, value);
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
