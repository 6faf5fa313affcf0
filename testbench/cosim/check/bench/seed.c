#define _GNU_SOURCE
#include "testbench/cosim/check/bench/seed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/page.h"
#include "testbench/cosim/check/bench/shrink.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"

/* ---- Evidence ---- */

static bool is_unchanged(const struct options *options) {
  char line[8];
  const char *const command[] = {"/usr/bin/sha256sum", "--check", "--status", options->sources,
                                 NULL};
  return (!options->sources || pmuv3_cli_first_line(command, line, sizeof line)) &&
         options_last_change(options) == options->last_change;
}

void seed_expect_unchanged(const struct options *options, const char *done) {
  if (!is_unchanged(options)) pmuv3_cli_unusable("the RTL was changed while it was %s", done);
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

/* Does it in the database, if the run is recorded, and writes the page of what is there then. NULL:
 * the page alone. Nothing is "equivalent" that cannot be. */
static void in_evidence(const struct outcome *outcome,
                        void (*act)(sqlite3 *, const struct outcome *)) {
  const struct options *options = outcome->options;
  if (!options->database || !is_unchanged(options)) return;
  sqlite3 *database = pmuv3_database_open(options->database);
  if (act) act(database, outcome);
  if (options->page) seed_write_page(database, outcome);
  sqlite3_close(database);
}

/* ---- A divergence ---- */

struct kept {
  const struct stimulus *stimulus;
  const struct pmuv3_device *device;
  const char *words;
};

static bool write_stimulus(FILE *out, const void *context) {
  const struct kept *kept = context;
  stimulus_write(out, kept->stimulus, kept->device);
  fprintf(out, "# %s\n", kept->words);
  return fflush(out) == 0 && !ferror(out);
}

static bool write_words(FILE *out, const void *context) {
  report_print(out, context);
  return fflush(out) == 0 && !ferror(out);
}

static void path_of(const struct options *options, const char *name, char path[4096]) {
  snprintf(path, 4096, "%s/%s", options->out, name);
}

static void keep_words(const struct outcome *outcome) {
  char path[4096];
  path_of(outcome->options, "divergence.txt", path);
  pmuv3_cli_write_own("--out", path, write_words, outcome);
}

static void keep_stimulus(const struct outcome *outcome, const char *name,
                          const struct stimulus *stimulus, const struct met *met) {
  const struct kept kept = {stimulus, outcome->device, met->words};
  char path[4096];
  path_of(outcome->options, name, path);
  pmuv3_cli_write_own("--out", path, write_stimulus, &kept);
}

/* A word as a shell takes it. */
static void say(const char *before, char *quoted) {
  printf("%s%s", before, quoted);
  free(quoted);
}

static void say_replay(const struct options *options, const char *name, size_t lines) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", options->out, name);
  say("", pmuv3_cli_quoted_name(path));
  printf(", %zu lines; it happens again with\n  ./pmuv3 check", lines);
  say(" ", pmuv3_cli_quoted_name(options->description));
  for (char **word = options->device; *word; word++) say(" ", pmuv3_cli_quoted(*word));
  if (options->mode) say(" --mode ", pmuv3_cli_quoted(options->mode));
  say(" --replay ", pmuv3_cli_quoted_name(path));
  printf("\n");
}

static void shrink(struct outcome *outcome, struct player *player, struct pmuv3_check *check,
                   struct stimulus *stimulus) {
  const struct options *options = outcome->options;
  size_t at;
  const struct shrunk shrunk = stimulus_shrink(player, stimulus, outcome->device, options->seconds);
  if (!stimulus_diverges(player, stimulus, &at)) {
    printf("the shrunk stimulus does not diverge again\n");
    return;
  }
  outcome->shrunk = met_of(check);
  outcome->lines_after = stimulus_lines(stimulus);
  outcome->is_shrunk = true;
  keep_stimulus(outcome, "minimal.check", stimulus, &outcome->shrunk);
  printf("shrunk in %u tries%s", shrunk.tries, shrunk.in_time ? "" : ", out of time");
  if (shrunk.ended) printf("; on %u of them the device ended", shrunk.ended);
  printf(": ");
  say_replay(options, "minimal.check", outcome->lines_after);
  printf("\n");
  stimulus_write(stdout, stimulus, outcome->device);
  printf("# %s\n", outcome->shrunk.words);
}

/* Plays the task again, notes its stimulus, and shrinks it. */
static void reproduce(struct outcome *outcome, const struct diverged *diverged) {
  const struct options *options = outcome->options;
  const struct profile *profile = outcome->profile;
  struct pmuv3_check *check = or_no_verdict(pmuv3_check_create(profile->device));
  struct player *player = or_no_verdict(player_create(profile, check));
  struct stimulus stimulus = {0};
  if (task_record(player, options, profile, diverged, &stimulus)) {
    const struct met again = met_of(check);
    outcome->lines_before = outcome->lines_after = stimulus_lines(&stimulus);
    keep_stimulus(outcome, "stimulus.check", &stimulus, &again);
    in_evidence(outcome, evidence_name_folder);
    say_replay(options, "stimulus.check", outcome->lines_before);
    if (options->shrinks) shrink(outcome, player, check, &stimulus);
  } else {
    printf("it did not happen again, so there is no stimulus of it\n");
  }
  stimulus_free(&stimulus);
  player_destroy(player);
  pmuv3_check_destroy(check);
}

static void tell(struct outcome *outcome, const struct met *met) {
  outcome_diverge(outcome, met);
  report_print(stdout, outcome);
  fflush(stdout);
}

static void explain(struct outcome *outcome, const struct diverged *diverged) {
  pmuv3_cli_begin_folder("--out", outcome->options->out, divergence_files);
  in_evidence(outcome, NULL); /* the page may have named another run's stimulus there */
  keep_words(outcome);
  printf("\n");
  reproduce(outcome, diverged);
}

/* ---- Its tasks ---- */

/* The run is recorded before the device plays again: whatever ends this process then, the
 * divergence is known. */
void seed_run(struct outcome *outcome) {
  const double start = pmuv3_now();
  struct diverged first;
  const bool diverged =
      tasks_run(outcome->options, outcome->profile, &outcome->totals, &first, outcome->crash);
  outcome->seconds = pmuv3_now() - start;
  if (diverged)
    tell(outcome, &first.met);
  else if (!*outcome->crash)
    outcome_expect_verdict(outcome);
  in_evidence(outcome, evidence_record);
  if (diverged) explain(outcome, &first);
  seed_expect_unchanged(outcome->options, "checked");
}
