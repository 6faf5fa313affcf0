/* `pmuv3 check --recorded`: a recording of a simulator against the C model. */
#include <inttypes.h>
#include <stdlib.h>

#include "testbench/cosim/check/bench/calibrate.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/wave/wave.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"

/* A divergence comes a few clocks after its own, so the times of the last clocks are kept. */
enum { TIMES = 256 };

struct run {
  const struct options *options;
  const struct pmuv3_device *device;
  struct wave *wave;
  struct pmuv3_record record;
  const struct pmuv3_pin *wrong; /* of which there is no record; NULL: none */
  uint64_t clocks;
  uint64_t times[TIMES];
};

/* ---- Records ---- */

/* Clocks of which nobody knows what they are end the recording. */
static void expect_end(const struct run *run) {
  const struct pmuv3_pin *pin = run->wrong;
  char text[300], wrong[100];
  wave_expect_end(run->wave);
  if (!pin) return;
  const size_t p = (size_t)(pin - run->device->pins);
  pmuv3_cli_unusable("%s: %s of '%s' %s at time %" PRIu64 " (timescale %s), clock %" PRIu64,
                     run->options->recorded, pmuv3_pin_text(pin, text, sizeof text),
                     wave_scope(run->wave),
                     pmuv3_record_wrong(pin, wave_values(run->wave)[p], wave_unknown(run->wave)[p],
                                        wrong, sizeof wrong),
                     wave_time(run->wave), wave_timescale(run->wave), run->clocks);
}

/* Before a reset nothing is compared. */
static void expect_reset(const struct run *run) {
  if (run->record.was_reset) return;
  pmuv3_cli_no_verdict("%s: no reset of '%s' in %" PRIu64
                       " clocks, so nothing was compared: no verdict",
                       run->options->recorded, wave_scope(run->wave), run->clocks);
}

/* The next record. False: there is no other. */
static bool next(struct run *run) {
  if (!wave_next(run->wave)) return false;
  run->wrong =
      pmuv3_record_pins(&run->record, run->device, wave_values(run->wave), wave_unknown(run->wave));
  if (run->wrong) return false;
  run->times[run->clocks++ % TIMES] = wave_time(run->wave);
  return true;
}

/* ---- Check ---- */

static void diverge(const struct run *run, struct outcome *outcome,
                    const struct pmuv3_check *check) {
  const struct met met = met_of(check);
  outcome_diverge(outcome, &met);
  outcome->time = run->times[met.divergence.clock % TIMES];
}

static void check_records(struct run *run, struct outcome *outcome) {
  struct pmuv3_check *check = pmuv3_check_create(run->device);
  struct cover *cover =
      check ? cover_create(run->device, check, outcome->totals.reached, false) : NULL;
  if (!cover) pmuv3_cli_no_verdict("out of memory");
  bool holds = true;
  while (holds && next(run)) holds = pmuv3_check_clock(check, &run->record);
  if (holds) holds = pmuv3_check_end(check); /* of the clocks that are known */
  if (holds) expect_end(run);
  expect_reset(run);
  outcome_count(outcome, check);
  if (!holds) diverge(run, outcome, check);
  cover_destroy(cover);
  pmuv3_check_destroy(check);
}

static void say_recording(const struct run *run) {
  char *shown = pmuv3_cli_shown(run->options->recorded);
  printf("%s: '%s', timescale %s\n", shown, wave_scope(run->wave), wave_timescale(run->wave));
  free(shown);
}

static const struct wave *profiled;

static unsigned width(size_t pin) {
  return wave_width(profiled, pin);
}

static int check(struct run *run) {
  const double start = pmuv3_now();
  static struct profile profile;
  profiled = run->wave;
  profile_find(&profile, run->device, width);
  struct outcome outcome = outcome_begin(run->options, &profile);
  check_records(run, &outcome);
  outcome.seconds = pmuv3_now() - start;
  outcome_expect_verdict(&outcome);
  say_recording(run);
  report_print(stdout, &outcome);
  const int status = outcome_end(&outcome);
  totals_free(&outcome.totals);
  return status;
}

/* ---- Calibrate ---- */

static int calibrate_records(struct run *run) {
  struct recording recording = {0};
  while (recording.count < run->options->cycles && next(run))
    if (!recording_add(&recording, &run->record)) pmuv3_cli_no_verdict("out of memory");
  expect_end(run);
  expect_reset(run);
  say_recording(run);
  const bool is_unique = calibrate(run->options, run->device, &recording);
  free(recording.records);
  return is_unique ? 0 : 1;
}

int main(int argc, char **argv) {
  static struct run run;
  const struct options options = options_parse(argc, argv);
  results_name(&options);
  struct pmuv3_device *device = read_device(&options);
  run.options = &options;
  run.device = device;
  run.wave = wave_open(options.recorded, device, options.scope);
  pmuv3_record_init(&run.record, device);
  const int status = options.calibrates ? calibrate_records(&run) : check(&run);
  wave_close(run.wave);
  pmuv3_device_free(device);
  return status;
}
