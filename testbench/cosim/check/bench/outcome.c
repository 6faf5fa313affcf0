/* What a run gives, from the description to the exit status. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/bench/unmatched.h"
#include "testbench/cosim/cli/cli.h"

/* ---- Results ---- */

static const struct options *of_run;
static const char *mode_of_run = "check"; /* until the description is read */

static bool write_no_junit(FILE *out, const void *context) {
  const struct pmuv3_cli_no_result *no_result = context;
  return report_junit_case(out, &(struct report_case){.description = of_run->description,
                                                      .name = mode_of_run,
                                                      .failure = no_result->diverged,
                                                      .error = !no_result->diverged,
                                                      .why = no_result->why});
}

/* Shards that are listed are no run, and a shard has no report. */
void results_name(const struct options *options) {
  const enum pmuv3_shards_mode mode = options->shards.mode;
  if (mode == PMUV3_SHARDS_LIST || mode == PMUV3_SHARDS_ONE) return;
  of_run = options;
  pmuv3_cli_name_result(options->json, "\"verdict\"", pmuv3_cli_no_result_json);
  pmuv3_cli_name_result(options->junit, "<testsuite", write_no_junit);
}

/* ---- The description ---- */

static void set_mode(struct pmuv3_device *device, const char *name) {
  enum pmuv3_mode mode = PMUV3_MODE_EXACT;
  while (strcmp(name, pmuv3_mode_name(mode)) != 0) mode++;
  const char *wrong = pmuv3_device_set_mode(device, mode);
  if (wrong) pmuv3_cli_unusable("--mode: %s", wrong);
}

struct pmuv3_device *read_device(const struct options *options) {
  char error[600];
  FILE *in = pmuv3_cli_open_input("the description", options->description);
  struct pmuv3_device *device = pmuv3_device_read(in, options->description, error, sizeof error);
  fclose(in);
  if (!device) pmuv3_cli_failed_at(error);
  if (options->mode) set_mode(device, options->mode);
  mode_of_run = pmuv3_mode_name(device->mode);
  return device;
}

/* ---- The outcome ---- */

void *or_no_verdict(void *memory) {
  if (!memory) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

struct totals totals_create(const struct pmuv3_device *device) {
  return (struct totals){.registers = or_no_verdict(
                             calloc(device->num_registers, sizeof(struct pmuv3_check_register))),
                         .reached = or_no_verdict(calloc(cover_size(device), sizeof(uint64_t)))};
}

void totals_free(struct totals *totals) {
  free(totals->registers);
  free(totals->reached);
}

struct outcome outcome_begin(const struct options *options, const struct profile *profile) {
  return (struct outcome){.options = options,
                          .device = profile->device,
                          .profile = profile,
                          .totals = totals_create(profile->device)};
}

void outcome_count(struct outcome *outcome, const struct pmuv3_check *check) {
  pmuv3_check_count(check, &outcome->totals.counts);
  for (size_t r = 0; r < outcome->device->num_registers; r++)
    pmuv3_check_count_register(check, r, &outcome->totals.registers[r]);
  for (unsigned p = 0; p < outcome->device->num_ports; p++)
    pmuv3_check_count_port(check, p, &outcome->totals.ports[p]);
}

struct met met_of(const struct pmuv3_check *check) {
  const struct pmuv3_check_divergence *divergence = pmuv3_check_diverged(check);
  struct met met = {.num_accesses = 0};
  met.num_accesses = pmuv3_check_accesses(check, met.accesses);
  if (divergence) met.divergence = *divergence;
  pmuv3_check_words(check, met.words, sizeof met.words);
  return met;
}

void outcome_diverge(struct outcome *outcome, const struct met *met) {
  outcome->diverged = true;
  outcome->met = *met;
  pmuv3_cli_note_divergence("diverged: %s", met->words);
}

void outcome_expect_verdict(const struct outcome *outcome) {
  if (outcome->diverged) return;
  unmatched_expect_verdict(outcome->device, outcome->totals.ports);
  if (report_comparisons(outcome) == 0)
    pmuv3_cli_no_verdict("nothing was compared in %" PRIu64 " clocks: no verdict",
                         outcome->totals.counts.clocks);
  if (outcome->options->differs)
    pmuv3_cli_no_verdict("equivalent in Verilator, but not in Icarus Verilog: %s: no verdict",
                         outcome->options->differs);
}

int outcome_end(const struct outcome *outcome) {
  const struct options *options = outcome->options;
  printf("%s\n", outcome->diverged ? "diverged" : "equivalent");
  if (options->json) pmuv3_cli_write("--json", options->json, report_json, outcome);
  if (options->junit) pmuv3_cli_write("--junit", options->junit, report_junit, outcome);
  return outcome->diverged ? 1 : 0;
}
