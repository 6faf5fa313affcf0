/* `pmuv3 check` of one device, whose glue this program is linked with. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/calibrate.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/emit.h"
#include "testbench/cosim/check/bench/recorded.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/bench/seed.h"
#include "testbench/cosim/check/bench/seeds.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"

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
  struct player *player = or_no_verdict(player_create(profile, check));
  struct cover *cover = or_no_verdict(cover_create(device, check, outcome->totals.reached, false));
  if (!player_renew(player, stimulus.seed)) pmuv3_cli_no_verdict("out of memory");
  struct pmuv3_file *wave = begin_wave(player, options);
  player_reset(player);
  size_t played;
  const bool held = player_play_all(player, &stimulus, &played);
  outcome_count(outcome, check);
  if (!held) {
    const struct met met = met_of(check);
    outcome_diverge(outcome, &met);
  }
  end_wave(player, options, wave);
  stimulus_free(&stimulus);
  player_destroy(player);
  cover_destroy(cover);
  pmuv3_check_destroy(check);
}

/* ---- Other simulators ---- */

static void emit(const struct options *options, const struct profile *profile) {
  struct player *player = or_no_verdict(player_create(profile, NULL));
  char *description = or_no_verdict(realpath(options->description, NULL));
  const struct emitted emitted = {.device = profile->device,
                                  .description = description,
                                  .module = options->module,
                                  .words = options->device,
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

/* ---- Calibration ---- */

static bool calibrate_device(const struct options *options, const struct profile *profile) {
  struct player *player = or_no_verdict(player_create(profile, NULL));
  player_seek_latencies(player);
  const bool is_unique = calibrate(options, profile->device, recorded(player, options, profile));
  player_destroy(player);
  return is_unique;
}

/* One seed, or a replay. */
static int check_device(const struct options *options, const struct profile *profile) {
  const double start = pmuv3_now();
  struct outcome outcome = outcome_begin(options, profile);
  if (options->replay) {
    replay(&outcome, profile);
    outcome.seconds = pmuv3_now() - start;
    outcome_expect_verdict(&outcome);
    seed_expect_unchanged(options, "checked");
  } else {
    seed_run(&outcome);
  }
  if (*outcome.crash) pmuv3_cli_no_verdict("%s: no verdict", outcome.crash);
  if (!outcome.diverged || options->replay) report_print(stdout, &outcome);
  const int status = outcome_end(&outcome);
  totals_free(&outcome.totals);
  return status;
}

static int act(const struct options *options, const struct profile *profile) {
  if (options->emit) return emit(options, profile), 0;
  if (options->calibrates) return calibrate_device(options, profile) ? 0 : 1;
  return options->num_seeds ? seeds_run(options, profile) : check_device(options, profile);
}

int main(int argc, char **argv) {
  static struct profile profile;
  const struct options options = options_parse(argc, argv);
  results_name(&options);
  struct pmuv3_device *device = read_device(&options);
  seed_expect_unchanged(&options, "built");
  profile_find(&profile, device, pmuv3_dut_width);
  profile.unnamed = pmuv3_dut_unnamed();
  const int status = act(&options, &profile);
  pmuv3_device_free(device);
  return status;
}
