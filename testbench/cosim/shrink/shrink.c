#define _GNU_SOURCE
#include "testbench/cosim/shrink/shrink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/shrink/form.h"
#include "testbench/cosim/shrink/passes.h"

/* ---- One try ---- */

/* The lines of a text that were needed to diverge, a byte for each line. */
struct trial {
  struct pmuv3_played play;
  size_t num_lines;
  bool *taken;
  bool starved;    /* out of memory */
  bool unreadable; /* the reader refuses the text */
};

static void take_head(struct trial *trial, const char *text) {
  const char *line = text;
  for (size_t n = 0; n < trial->num_lines && (n == 0 || pmuv3_form_is_param(line)); n++) {
    trial->taken[n] = true;
    line = pmuv3_lines_at(line, 1);
  }
}

static void take_items(struct trial *trial, const struct pmuv3_stimulus *stimulus) {
  for (size_t i = 0; i < stimulus->num_items; i++) {
    const uint32_t line = stimulus->items[i].line;
    if (line <= trial->play.line) trial->taken[line - 1] = true;
  }
}

/* Notes the lines that were needed to diverge. */
static void take(struct trial *trial, const char *text, const struct pmuv3_stimulus *stimulus) {
  trial->num_lines = pmuv3_lines_count(text);
  trial->taken = calloc(trial->num_lines, sizeof *trial->taken);
  trial->starved = !trial->taken;
  if (trial->taken) take_head(trial, text);
  if (trial->taken) take_items(trial, stimulus);
}

/* Reads a text, without the lines that its reader refuses. */
static bool read_legal(struct trial *trial, struct pmuv3_stimulus *stimulus, const char *text) {
  errno = 0;
  FILE *in = fmemopen((char *)text, strlen(text), "r");
  const bool legal = in && pmuv3_stimulus_read_legal(stimulus, in);
  trial->starved = !legal && errno == ENOMEM;
  trial->unreadable = !legal && !trial->starved;
  if (in) fclose(in);
  return legal;
}

/* Plays a text. False: it does not diverge, or memory ran out. */
static bool diverges(struct trial *trial, const char *text,
                     const struct pmuv3_shrink_options *options) {
  pmuv3_player *play = options->play ? options->play : pmuv3_play;
  struct pmuv3_stimulus stimulus;
  if (!read_legal(trial, &stimulus, text)) return false;
  trial->play.diverged = false;
  trial->starved = !play(&trial->play, &stimulus, options->x_seed);
  if (!trial->starved && trial->play.diverged) take(trial, text, &stimulus);
  pmuv3_stimulus_free(&stimulus);
  return trial->taken != NULL;
}

/* The text with only the taken lines. An idle in the last one ends at the difference. */
static char *taken_lines(const struct trial *trial, const char *text) {
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  for (size_t n = 0; n < trial->num_lines; n++) {
    const char *next = pmuv3_lines_at(text, 1);
    if (trial->taken[n] && trial->play.idle > 0 && n + 1 == trial->play.line)
      fprintf(builder.out, "idle %" PRIu64 "\n", trial->play.idle);
    else if (trial->taken[n])
      fwrite(text, 1, (size_t)(next - text), builder.out);
    text = next;
  }
  return pmuv3_builder_take(&builder);
}

static bool is_wanted(const struct pmuv3_shrinking *shrinking, const struct trial *trial) {
  return !shrinking->options->same || !shrinking->divergence.signal[0] ||
         strcmp(trial->play.divergence.signal, shrinking->divergence.signal) == 0;
}

static bool try_text(struct pmuv3_shrinking *shrinking, const char *candidate, double deadline) {
  struct trial trial = {.play.deadline = deadline};
  shrinking->tries++;
  const bool wanted =
      diverges(&trial, candidate, shrinking->options) && is_wanted(shrinking, &trial);
  if (wanted) {
    free(shrinking->text);
    shrinking->text = taken_lines(&trial, candidate);
    shrinking->divergence = trial.play.divergence;
  }
  shrinking->starved = trial.starved;
  shrinking->unreadable = trial.unreadable;
  shrinking->wrong = trial.play.wrong;
  free(trial.taken);
  return wanted;
}

bool pmuv3_shrinking_is_late(struct pmuv3_shrinking *shrinking) {
  shrinking->late = shrinking->late || pmuv3_now() > shrinking->deadline;
  return shrinking->late;
}

bool pmuv3_shrinking_has_line(struct pmuv3_shrinking *shrinking, size_t n) {
  return !pmuv3_shrinking_is_late(shrinking) && *pmuv3_lines_at(shrinking->text, n) != '\0';
}

bool pmuv3_shrinking_try(struct pmuv3_shrinking *shrinking, char *candidate) {
  const bool is_new =
      !pmuv3_shrinking_is_late(shrinking) && strcmp(candidate, shrinking->text) != 0;
  const bool taken = is_new && try_text(shrinking, candidate, shrinking->deadline);
  free(candidate);
  return taken;
}

bool pmuv3_shrinking_try_line(struct pmuv3_shrinking *shrinking, size_t n, char *line) {
  char *candidate = pmuv3_lines_replace(shrinking->text, n, line);
  free(line);
  return pmuv3_shrinking_try(shrinking, candidate);
}

size_t pmuv3_shrinking_body(const struct pmuv3_shrinking *shrinking) {
  size_t n = 1;
  const char *line = pmuv3_lines_at(shrinking->text, 1);
  for (; pmuv3_form_is_param(line); line = pmuv3_lines_at(line, 1)) n++;
  return n;
}

/* ---- Shrinking ---- */

static void run_passes(struct pmuv3_shrinking *shrinking) {
  static bool (*const passes[])(struct pmuv3_shrinking *) = {
      pmuv3_pass_last_lines, pmuv3_pass_threads, pmuv3_pass_lines,
      pmuv3_pass_join,       pmuv3_pass_params,  pmuv3_pass_features,
      pmuv3_pass_words,      pmuv3_pass_plain,   pmuv3_pass_numbers};
  bool any;
  do {
    any = false;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) any |= passes[i](shrinking);
  } while (any);
}

/* Why the text cannot be shrunk. This plays the text as given, so that line numbers are those of
 * the text. */
static enum pmuv3_shrink_end why_not(struct pmuv3_shrunk *shrunk, const char *text,
                                     const struct pmuv3_shrinking *shrinking) {
  struct trial trial = {0};
  if (shrinking->starved) return PMUV3_SHRINK_NO_MEMORY;
  if (shrinking->unreadable) return PMUV3_SHRINK_UNREADABLE;
  if (!shrinking->wrong) return PMUV3_NOTHING_TO_SHRINK;
  diverges(&trial, text, shrinking->options);
  free(trial.taken);
  shrunk->wrong = shrinking->wrong;
  shrunk->line = trial.play.line;
  return PMUV3_SHRINK_WRONG;
}

enum pmuv3_shrink_end pmuv3_shrink(struct pmuv3_shrunk *shrunk, const char *text,
                                   const struct pmuv3_shrink_options *options) {
  const double start = pmuv3_now();
  struct pmuv3_shrinking shrinking = {.options = options, .deadline = start + options->seconds};
  *shrunk = (struct pmuv3_shrunk){0};
  char *whole = pmuv3_form_spread(text);
  const bool diverged = try_text(&shrinking, whole, 0); /* it is played in any case, to its end */
  free(whole);
  if (!diverged) return why_not(shrunk, text, &shrinking);
  run_passes(&shrinking);
  shrunk->text = pmuv3_form_write(shrinking.text, &shrinking.divergence);
  shrunk->lines_before = pmuv3_form_lines(text);
  shrunk->lines_after = pmuv3_form_lines(shrunk->text);
  shrunk->tries = shrinking.tries;
  shrunk->seconds = pmuv3_now() - start;
  shrunk->in_time = !shrinking.late;
  shrunk->divergence = shrinking.divergence;
  free(shrinking.text);
  return PMUV3_SHRUNK;
}
