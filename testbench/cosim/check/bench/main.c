/* `pmuv3 check` of one device, whose glue this program is linked with. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/calibrate.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/emit.h"
#include "testbench/cosim/check/bench/page.h"
#include "testbench/cosim/check/bench/recorded.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/bench/shrink.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"

static void *or_no_verdict(void *memory) {
  if (!memory) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

/* ---- A divergence ---- */

static void find_divergence(struct outcome *outcome, const struct pmuv3_check *check) {
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
static void explain(struct outcome *outcome, const struct profile *profile,
                    const struct diverged *diverged) {
  const struct options *options = outcome->options;
  struct pmuv3_check *check = or_no_verdict(pmuv3_check_create(profile->device));
  struct player *player = or_no_verdict(player_create(profile->device, check));
  struct stimulus stimulus = {0};
  size_t at;
  if (!task_record(player, options, profile, diverged, &stimulus))
    pmuv3_cli_no_verdict("the divergence of task %" PRIu64 " did not happen again", diverged->task);
  find_divergence(outcome, check);
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
    find_divergence(outcome, check);
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

/* ---- Replay ---- */

static void check_wave(const struct options *options, bool is_written) {
  if (!is_written) pmuv3_cli_unusable("--wave: cannot write '%s'", options->wave);
}

/* NULL: no wave. */
static struct pmuv3_file *begin_wave(struct player *player, const struct options *options) {
  if (!options->wave) return NULL;
  struct pmuv3_file *wave = pmuv3_cli_begin_named("--wave", options->wave);
  check_wave(options, pmuv3_dut_wave(player_dut(player), pmuv3_file_name(wave)));
  return wave;
}

static void end_wave(struct player *player, const struct options *options,
                     struct pmuv3_file *wave) {
  if (!wave) return;
  check_wave(options, pmuv3_dut_wave_end(player_dut(player)));
  pmuv3_cli_end("--wave", options->wave, wave);
}

static void replay(struct outcome *outcome, const struct profile *profile) {
  const struct options *options = outcome->options;
  const struct pmuv3_device *device = profile->device;
  struct stimulus stimulus = read_stimulus(options, profile);
  struct pmuv3_check *check = or_no_verdict(pmuv3_check_create(device));
  struct player *player = or_no_verdict(player_create(device, check));
  if (!player_renew(player, stimulus.seed)) pmuv3_cli_no_verdict("out of memory");
  struct pmuv3_file *wave = begin_wave(player, options);
  player_reset(player);
  size_t played;
  const bool held = player_play_all(player, &stimulus, &played);
  outcome_count(outcome, check);
  if (!held) find_divergence(outcome, check);
  end_wave(player, options, wave);
  stimulus_free(&stimulus);
  player_destroy(player);
  pmuv3_check_destroy(check);
}

/* ---- Other simulators ---- */

static void emit(const struct options *options, const struct profile *profile) {
  struct player *player = or_no_verdict(player_create(profile->device, NULL));
  char *description = or_no_verdict(realpath(options->description, NULL));
  const struct emitted emitted = {.device = profile->device,
                                  .description = description,
                                  .module = options->module,
                                  .width = pmuv3_dut_width,
                                  .range = pmuv3_dut_range,
                                  .recording = recorded(player, options, profile)};
  static pmuv3_file_writer *const writers[] = {emit_monitor, emit_player, emit_inputs};
  char path[4096];
  pmuv3_cli_begin_folder("--emit", options->emit, emit_files);
  for (unsigned f = 0; emit_files[f] != NULL; f++) {
    snprintf(path, sizeof path, "%s/%s", options->emit, emit_files[f]);
    pmuv3_cli_write_own("--emit", path, writers[f], &emitted);
    printf("%s\n", path);
  }
  free(description);
  player_destroy(player);
}

/* ---- Evidence ---- */

/* What was checked must be what the digests say. The device may read a file whenever it starts. */
static void expect_unchanged(const struct options *options, const char *done) {
  char line[8];
  const char *const command[] = {"/usr/bin/sha256sum", "--check", "--status", options->sources,
                                 NULL};
  if (options->sources && !pmuv3_cli_first_line(command, line, sizeof line))
    pmuv3_cli_unusable("the RTL was changed while it was %s", done);
}

static void write_page(sqlite3 *database, const struct outcome *outcome) {
  struct outcome all = *outcome;
  all.totals = totals_create(outcome->device);
  evidence_sum(database, outcome->options, outcome->device, &all.totals);
  pmuv3_cli_write("--page", outcome->options->page, page_write, &(struct page){database, &all});
  totals_free(&all.totals);
}

static void record(const struct outcome *outcome) {
  sqlite3 *database = pmuv3_database_open(outcome->options->database);
  evidence_record(database, outcome);
  if (outcome->options->page) write_page(database, outcome);
  sqlite3_close(database);
}

/* ---- Calibration ---- */

static bool calibrate_device(const struct options *options, const struct profile *profile) {
  struct player *player = or_no_verdict(player_create(profile->device, NULL));
  const bool is_unique = calibrate(options, profile->device, recorded(player, options, profile));
  player_destroy(player);
  return is_unique;
}

int main(int argc, char **argv) {
  static struct profile profile;
  const struct options options = options_parse(argc, argv);
  struct pmuv3_device *device = read_device(&options);
  expect_unchanged(&options, "built");
  const double start = pmuv3_now();
  profile_find(&profile, device, pmuv3_dut_width);
  if (options.emit) return emit(&options, &profile), 0;
  if (options.calibrates) return calibrate_device(&options, &profile) ? 0 : 1;
  struct outcome outcome = outcome_begin(&options, &profile);
  struct diverged first;
  bool diverged = false;
  if (options.replay)
    replay(&outcome, &profile);
  else
    diverged = tasks_run(&options, &profile, &outcome.totals, &first);
  outcome.seconds = pmuv3_now() - start;
  if (!diverged) outcome_expect_verdict(&outcome);
  if (diverged) explain(&outcome, &profile, &first);
  expect_unchanged(&options, "checked");
  if (options.database) record(&outcome); /* nothing is "equivalent" that cannot be recorded */
  if (!diverged) report_print(stdout, &outcome);
  const int status = outcome_end(&outcome);
  totals_free(&outcome.totals);
  pmuv3_device_free(device);
  return status;
}
