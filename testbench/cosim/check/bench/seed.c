#define _GNU_SOURCE
#include "testbench/cosim/check/bench/seed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/page.h"
#include "testbench/cosim/check/bench/shrink.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"

void *or_no_verdict(void *memory) {
  if (!memory) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

/* ---- A divergence ---- */

void seed_diverge(struct outcome *outcome, const struct pmuv3_check *check) {
  outcome_diverge(outcome, check);
  pmuv3_cli_note_divergence("diverged: %s", outcome->words);
}

struct kept {
  const struct stimulus *stimulus;
  const struct outcome *outcome;
};

static bool write_stimulus(FILE *out, const void *context) {
  const struct kept *kept = context;
  stimulus_write(out, kept->stimulus, kept->outcome->device);
  fprintf(out, "# %s\n", kept->outcome->words);
  return fflush(out) == 0 && !ferror(out);
}

static bool write_words(FILE *out, const void *context) {
  report_print(out, context);
  return fflush(out) == 0 && !ferror(out);
}

static void keep(const struct outcome *outcome, const char *name, const struct stimulus *stimulus) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", outcome->options->out, name);
  pmuv3_cli_write_own("--out", path, stimulus ? write_stimulus : write_words,
                      stimulus ? (const void *)&(struct kept){stimulus, outcome} : outcome);
}

static void say_word(const char *before, const char *word) {
  char *quoted = pmuv3_cli_quoted(word);
  printf("%s%s", before, quoted);
  free(quoted);
}

static void say_replay(const struct options *options, const char *name, size_t lines) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", options->out, name);
  say_word("", path);
  printf(", %zu lines; it happens again with\n  ./pmuv3 check", lines);
  say_word(" ", options->description);
  for (char **word = options->device; *word; word++) say_word(" ", *word);
  if (options->mode) say_word(" --mode ", options->mode);
  say_word(" --replay ", path);
  printf("\n");
}

/* Plays the task again, notes its stimulus, and shrinks it. */
static void explain(struct outcome *outcome, const struct diverged *diverged) {
  const struct options *options = outcome->options;
  const struct profile *profile = outcome->profile;
  struct pmuv3_check *check = or_no_verdict(pmuv3_check_create(profile->device));
  struct player *player = or_no_verdict(player_create(profile, check));
  struct stimulus stimulus = {0};
  size_t at;
  if (!task_record(player, options, profile, diverged, &stimulus))
    pmuv3_cli_no_verdict("the divergence of task %" PRIu64 " did not happen again", diverged->task);
  seed_diverge(outcome, check);
  outcome->lines_before = outcome->lines_after = stimulus_lines(&stimulus);
  report_print(stdout, outcome);
  fflush(stdout);
  pmuv3_cli_begin_folder("--out", options->out, divergence_files);
  keep(outcome, "stimulus.check", &stimulus);
  keep(outcome, "divergence.txt", NULL);
  printf("\n");
  say_replay(options, "stimulus.check", outcome->lines_before);
  if (options->shrinks) {
    const struct shrunk shrunk =
        stimulus_shrink(player, &stimulus, profile->device, options->seconds);
    stimulus_diverges(player, &stimulus, &at);
    seed_diverge(outcome, check);
    outcome->lines_after = stimulus_lines(&stimulus);
    outcome->is_shrunk = true;
    keep(outcome, "minimal.check", &stimulus);
    printf("shrunk in %u tries%s: ", shrunk.tries, shrunk.in_time ? "" : ", out of time");
    say_replay(options, "minimal.check", outcome->lines_after);
    printf("\n");
    stimulus_write(stdout, &stimulus, profile->device);
    printf("# %s\n", outcome->words);
  }
  stimulus_free(&stimulus);
  player_destroy(player);
  pmuv3_check_destroy(check);
}

/* ---- Its tasks ---- */

void seed_run(struct outcome *outcome) {
  const double start = pmuv3_now();
  struct diverged first;
  const bool diverged = tasks_run(outcome->options, outcome->profile, &outcome->totals, &first);
  outcome->seconds = pmuv3_now() - start;
  if (diverged)
    explain(outcome, &first);
  else
    outcome_expect_verdict(outcome);
}

/* ---- Evidence ---- */

void seed_expect_unchanged(const struct options *options, const char *done) {
  char line[8];
  const char *const command[] = {"/usr/bin/sha256sum", "--check", "--status", options->sources,
                                 NULL};
  const bool is_same = !options->sources || pmuv3_cli_first_line(command, line, sizeof line);
  if (!is_same || options_last_change(options) != options->last_change)
    pmuv3_cli_unusable("the RTL was changed while it was %s", done);
}

/* The recorded runs of a mode. */
struct of_mode {
  struct pmuv3_device device; /* in this mode */
  struct outcome outcome;
};

/* Sums the runs of a mode, and adds them to those of all modes. Returns how many there are. */
static uint64_t sum_mode(sqlite3 *database, enum pmuv3_mode mode, struct of_mode *of,
                         struct outcome *all) {
  of->device = *all->device;
  of->device.mode = mode;
  of->outcome = *all;
  of->outcome.device = &of->device;
  of->outcome.totals = totals_create(&of->device);
  evidence_sum(database, all->options, &of->device, &all->totals);
  return evidence_sum(database, all->options, &of->device, &of->outcome.totals);
}

void seed_write_page(sqlite3 *database, const struct outcome *outcome) {
  struct outcome all = *outcome;
  struct of_mode modes[NUM_MODES];
  struct page page = {.database = database, .outcome = &all};
  uint64_t runs = 0;
  all.totals = totals_create(outcome->device);
  for (unsigned m = 0; m < NUM_MODES; m++) {
    const uint64_t of_mode = sum_mode(database, (enum pmuv3_mode)m, &modes[m], &all);
    if (of_mode > 0) page.by_mode[m] = &modes[m].outcome;
    runs += of_mode;
  }
  if (runs == 0) page.by_mode[outcome->device->mode] = &modes[outcome->device->mode].outcome;
  pmuv3_cli_write("--page", outcome->options->page, page_write, &page);
  for (unsigned m = 0; m < NUM_MODES; m++) totals_free(&modes[m].outcome.totals);
  totals_free(&all.totals);
}
