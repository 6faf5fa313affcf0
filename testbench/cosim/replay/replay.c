/*
 * pmuv3 replay: runs stimulus files on the C model, on the RTL or on both in lockstep, checks the
 * expectations of the files and writes a trace.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/replay/trace.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"
#include "tlm_wrapper/side.h"

/* Exit statuses. The worst is last. */
enum status { HELD, FAILED };

/* ---- The sides ---- */

struct side_kind {
  const char *name;
  bool has_cmodel;
  bool has_rtl;
};

static const struct side_kind side_kinds[] = {
    {"both", true, true}, {"cmodel", true, false}, {"rtl", false, true}};

static const struct side_kind *find_side_kind(const char *name) {
  for (size_t i = 0; i < sizeof side_kinds / sizeof *side_kinds; i++)
    if (strcmp(name, side_kinds[i].name) == 0) return &side_kinds[i];
  return NULL;
}

/* ---- Arguments ---- */

struct arguments {
  const struct side_kind *side_kind;
  const char *trace;
  const char *wave;
  uint64_t wave_last; /* number of last cycles in the wave; 0: all cycles */
  uint32_t x_seed;    /* seed of values that the RTL's reset does not set */
  char **files;
  int num_files;
};

enum { OPT_SIDE = 0x100, OPT_TRACE, OPT_WAVE, OPT_WAVE_LAST, OPT_X_SEED };

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct arguments *arguments = state->input;
  switch (key) {
    case OPT_SIDE:
      arguments->side_kind = find_side_kind(arg);
      if (!arguments->side_kind)
        pmuv3_cli_unusable("--side takes cmodel, rtl or both, not '%s'", arg);
      return 0;
    case OPT_TRACE:
      arguments->trace = arg;
      return 0;
    case OPT_WAVE:
      arguments->wave = arg;
      return 0;
    case OPT_WAVE_LAST:
      arguments->wave_last = pmuv3_cli_number("--wave-last", arg, 1, UINT64_MAX);
      return 0;
    case OPT_X_SEED:
      arguments->x_seed = (uint32_t)pmuv3_cli_number("--x-seed", arg, 1, INT32_MAX);
      return 0;
    case ARGP_KEY_ARGS:
      arguments->files = state->argv + state->next;
      arguments->num_files = state->argc - state->next;
      return 0;
    case ARGP_KEY_NO_ARGS:
      pmuv3_cli_unusable("a stimulus FILE is missing; see ./pmuv3 help");
    case ARGP_KEY_SUCCESS:
      if (arguments->trace && arguments->num_files > 1)
        pmuv3_cli_unusable("--trace takes one FILE, not %d", arguments->num_files);
      if (arguments->wave && arguments->num_files > 1)
        pmuv3_cli_unusable("--wave takes one FILE, not %d", arguments->num_files);
      if (arguments->wave && !arguments->side_kind->has_rtl)
        pmuv3_cli_unusable("--wave is of the RTL, which --side cmodel does without");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct arguments parse_arguments(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"side", OPT_SIDE, "SIDE", 0, "what to run on: cmodel, rtl or both in lockstep (default)", 0},
      {"trace", OPT_TRACE, "OUT.csv", 0, "write every counter's values in every cycle; one FILE",
       0},
      {"wave", OPT_WAVE, "OUT.fst", 0, "write an FST of the RTL; one FILE", 0},
      {"wave-last", OPT_WAVE_LAST, "N", 0, "of the last N cycles (default all)", 0},
      {"x-seed", OPT_X_SEED, "N", 0, "seed of the RTL's random initial values (default 1)", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse_argument,
      .args_doc = "FILE...",
      .doc =
          "Runs stimulus files and checks what they expect (docs/reference/formats.md).\v"
          "Exit status: 0 all held, 1 a divergence or a failed expectation, 2 unusable "
          "arguments, input or output, 3 no verdict.",
  };
  struct arguments arguments = {.side_kind = find_side_kind("both"), .x_seed = 1};
  pmuv3_cli_parse(&argp, "pmuv3 replay", argc, argv, &arguments);
  if (arguments.wave_last > 0 && !arguments.wave)
    pmuv3_cli_unusable("--wave-last: there is no --wave");
  for (int i = 0; i < arguments.num_files; i++) pmuv3_cli_check_input(arguments.files[i]);
  pmuv3_cli_check_output("--trace", arguments.trace);
  pmuv3_cli_check_file("--wave", arguments.wave);
  return arguments;
}

/* ---- Running a file ---- */

/* The outputs for the one file. */
struct outputs {
  const struct arguments *arguments;
  struct pmuv3_file *trace; /* NULL: no trace; same for wave */
  struct pmuv3_file *wave;
  bool has_wave; /* the wave has begun */
};

struct run {
  const char *name; /* the file's name, as messages show it */
  struct outputs *outputs;
  struct pmuv3_side *cmodel; /* NULL: the file does not run on this side; same for rtl */
  struct pmuv3_side *rtl;
  struct pmuv3_side *side; /* cmodel, rtl, or the lockstep that owns both */
  FILE *trace;             /* NULL: no trace */
  uint64_t wave_from;      /* the first cycle of the wave */
  uint64_t cycles;
  uint64_t held;
  uint64_t failed;
  bool diverged;
};

static bool create_sides(struct run *run, const struct arguments *arguments,
                         const struct pmuv3_params *params) {
  const struct side_kind *kind = arguments->side_kind;
  if (kind->has_cmodel) run->cmodel = pmuv3_side_cmodel(params);
  if (kind->has_rtl) run->rtl = pmuv3_side_rtl(params, arguments->x_seed);
  run->side = kind->has_cmodel && kind->has_rtl ? pmuv3_side_lockstep(run->cmodel, run->rtl)
              : kind->has_cmodel                ? run->cmodel
                                                : run->rtl;
  return run->side != NULL;
}

static void check_wave(const struct run *run, bool is_written) {
  if (!is_written) pmuv3_cli_unusable("--wave: cannot write '%s'", run->outputs->arguments->wave);
}

/* Opens the wave at its first cycle. */
static void begin_wave(const struct run *run) {
  struct outputs *outputs = run->outputs;
  if (!outputs->wave || outputs->has_wave || run->cycles < run->wave_from) return;
  check_wave(run, pmuv3_side_rtl_wave(run->rtl, pmuv3_file_name(outputs->wave)));
  outputs->has_wave = true;
}

static void trace_cycle(const struct run *run) {
  const struct pmuv3_params *params = &run->side->params;
  struct pmuv3_probe probe;
  for (unsigned t = 0; t < params->threads; t++) {
    pmuv3_side_probe(run->side, t, &probe);
    pmuv3_trace_rows(run->trace, run->cycles, t, &probe, params->counters);
  }
}

static void run_cycle(struct run *run, const struct pmuv3_cycle *cycle) {
  begin_wave(run);
  pmuv3_side_cycle(run->side, cycle);
  if (run->trace) trace_cycle(run);
  run->cycles++;
}

static void run_idle(struct run *run, uint64_t cycles) {
  const struct pmuv3_cycle nothing = {0};
  for (; cycles > 0; cycles--) run_cycle(run, &nothing);
}

/* The item's register as a file writes it. "@T " comes first if the thread is not 0. */
static const char *register_text(const struct pmuv3_item *item, char text[32]) {
  char name[24];
  pmuv3_register_name(item->access.reg, name);
  if (item->thread == 0)
    snprintf(text, 32, "%s", name);
  else
    snprintf(text, 32, "@%u %s", (unsigned)item->thread, name);
  return text;
}

static void run_write(struct run *run, const struct pmuv3_item *item) {
  enum pmuv3_access access =
      pmuv3_side_write(run->side, item->thread, item->access.reg, item->access.value);
  if (access == PMUV3_ACCESS_OK) return;
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": write of %s refused: %s\n", run->name, item->line,
          register_text(item, text), pmuv3_access_text(access));
  run->failed++;
}

/* An expected refusal is an expectation that holds. */
static void check_refused(struct run *run, const struct pmuv3_item *item, const char *what,
                          enum pmuv3_access access) {
  if (access != PMUV3_ACCESS_OK) {
    run->held++;
    return;
  }
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": %s of %s was not refused\n", run->name, item->line, what,
          register_text(item, text));
  run->failed++;
}

static void run_refused_write(struct run *run, const struct pmuv3_item *item) {
  check_refused(run, item, "write",
                pmuv3_side_write(run->side, item->thread, item->access.reg, item->access.value));
}

static void run_refused_read(struct run *run, const struct pmuv3_item *item) {
  uint64_t value;
  check_refused(run, item, "read",
                pmuv3_side_read(run->side, item->thread, item->access.reg, &value));
}

static void run_expect(struct run *run, const struct pmuv3_item *item) {
  uint64_t value;
  enum pmuv3_access access = pmuv3_side_read(run->side, item->thread, item->access.reg, &value);
  if (access == PMUV3_ACCESS_OK && value == item->access.value) {
    run->held++;
    return;
  }
  run->failed++;
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": expected %s 0x%" PRIx64 ", got ", run->name, item->line,
          register_text(item, text), item->access.value);
  if (access == PMUV3_ACCESS_OK)
    fprintf(stderr, "0x%" PRIx64 "\n", value);
  else
    fprintf(stderr, "%s\n", pmuv3_access_text(access));
}

/* ---- Checked accesses, and outputs ---- */

/* The item's word of the page as a file writes it, with "@T " as above. */
static const char *offset_text(const struct pmuv3_item *item, char text[32]) {
  const struct pmuv3_external *external = &item->external;
  const char *ss = pmuv3_security_state_name((enum pmuv3_security_state)external->ss);
  if (item->thread == 0)
    snprintf(text, 32, "%s 0x%03x", ss, (unsigned)external->offset);
  else
    snprintf(text, 32, "@%u %s 0x%03x", (unsigned)item->thread, ss, (unsigned)external->offset);
  return text;
}

/* Checks the result of an access, if the item expects one. */
static void check_result(struct run *run, const struct pmuv3_item *item, const char *what,
                         const char *expected, const char *result) {
  if (!item->has_result) return;
  if (strcmp(expected, result) == 0) {
    run->held++;
    return;
  }
  run->failed++;
  fprintf(stderr, "%s:%" PRIu32 ": expected %s: %s, got %s\n", run->name, item->line, what,
          expected, result);
}

/* Checks the value of a read, if the item expects one. */
static void check_value(struct run *run, const struct pmuv3_item *item, const char *what,
                        uint64_t expected, uint64_t value) {
  if (value == expected) {
    run->held++;
    return;
  }
  run->failed++;
  fprintf(stderr, "%s:%" PRIu32 ": expected %s 0x%" PRIx64 ", got 0x%" PRIx64 "\n", run->name,
          item->line, what, expected, value);
}

static void run_checked(struct run *run, const struct pmuv3_item *item) {
  bool is_write = item->kind == PMUV3_ITEM_MSR;
  uint64_t value = item->access.value;
  enum pmuv3_result result =
      is_write ? pmuv3_side_msr(run->side, item->thread, item->access.reg, value)
               : pmuv3_side_mrs(run->side, item->thread, item->access.reg, &value);
  char text[32], what[40];
  snprintf(what, sizeof what, "%s %s", is_write ? "msr" : "mrs", register_text(item, text));
  if (item->has_value && result == PMUV3_DONE)
    check_value(run, item, what, item->access.value, value);
  else
    check_result(run, item, what, pmuv3_result_name((enum pmuv3_result)item->result),
                 pmuv3_result_name(result));
}

static void run_external(struct run *run, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  enum pmuv3_security_state ss = (enum pmuv3_security_state)external->ss;
  bool is_write = item->kind == PMUV3_ITEM_EXTERNAL_WRITE;
  uint32_t value = external->value;
  bool done = is_write
                  ? pmuv3_side_external_write(run->side, item->thread, ss, external->offset, value)
                  : pmuv3_side_external_read(run->side, item->thread, ss, external->offset, &value);
  char text[32], what[40];
  snprintf(what, sizeof what, "%s %s", is_write ? "extw" : "extr", offset_text(item, text));
  if (item->has_value && done)
    check_value(run, item, what, external->value, value);
  else
    check_result(run, item, what, pmuv3_external_result_name(item->result),
                 pmuv3_external_result_name(!done));
}

/* Checks the writes in the clock of a cycle. Each is an item of its own. */
static void check_ends(struct run *run, const struct pmuv3_item *item) {
  const struct pmuv3_expected_ends *expected = &item->expected;
  if (!expected->known) return;
  const struct pmuv3_ends ends = pmuv3_side_written(run->side);
  char text[32], what[40];
  for (uint8_t t = 0; t < PMUV3_MAX_THREADS; t++) {
    if (!(expected->known >> t & 1)) continue;
    const struct pmuv3_item write = {
        .line = item->line, .thread = t, .has_result = true, .access = item->cycle.write[t]};
    snprintf(what, sizeof what, "msr %s", register_text(&write, text));
    check_result(run, &write, what, pmuv3_result_name((enum pmuv3_result)expected->ends.result[t]),
                 pmuv3_result_name((enum pmuv3_result)ends.result[t]));
  }
  if (!(expected->known >> PMUV3_MAX_THREADS & 1)) return;
  const struct pmuv3_item write = {.line = item->line,
                                   .thread = item->cycle.external.thread,
                                   .has_result = true,
                                   .external = item->cycle.external};
  snprintf(what, sizeof what, "extw %s", offset_text(&write, text));
  check_result(run, &write, what, pmuv3_external_result_name(expected->ends.external_error),
               pmuv3_external_result_name(ends.external_error));
}

static unsigned output_level(struct pmuv3_side *side, unsigned thread,
                             enum pmuv3_output_kind output) {
  switch (output) {
    case PMUV3_OUTPUT_PMUIRQ:
      return pmuv3_side_irq(side, thread);
    case PMUV3_OUTPUT_CTI:
      return pmuv3_side_cti(side, thread);
    default:
      return pmuv3_side_exception(side, thread);
  }
}

static void run_expect_output(struct run *run, const struct pmuv3_item *item) {
  enum pmuv3_output_kind output = (enum pmuv3_output_kind)item->output.kind;
  char what[24];
  if (item->thread == 0)
    snprintf(what, sizeof what, "%s", pmuv3_output_name(output));
  else
    snprintf(what, sizeof what, "@%u %s", (unsigned)item->thread, pmuv3_output_name(output));
  check_value(run, item, what, item->output.level, output_level(run->side, item->thread, output));
}

/* ---- Items ---- */

/* Reports a divergence once, with the line of the file that caused it. */
static void check_divergence(struct run *run, const struct pmuv3_item *item) {
  if (!run->cmodel || !run->rtl || run->diverged) return;
  if (pmuv3_lockstep_wrong(run->side))
    pmuv3_cli_unusable("%s:%" PRIu32 ": %s", run->name, item ? item->line : 1,
                       pmuv3_lockstep_wrong(run->side));
  const struct pmuv3_divergence *divergence = pmuv3_lockstep_divergence(run->side);
  if (!divergence) return;
  run->diverged = true;
  fprintf(stderr, "%s:%" PRIu32 ": ", run->name, item ? item->line : 1);
  pmuv3_divergence_print(stderr, divergence);
}

static void run_item(struct run *run, const struct pmuv3_item *item) {
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      run_write(run, item);
      break;
    case PMUV3_ITEM_EXPECT:
      run_expect(run, item);
      break;
    case PMUV3_ITEM_CYCLE:
      run_cycle(run, &item->cycle);
      check_ends(run, item);
      break;
    case PMUV3_ITEM_IDLE:
      run_idle(run, item->idle);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      run_refused_write(run, item);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      run_refused_read(run, item);
      break;
    case PMUV3_ITEM_RESET:
      pmuv3_side_reset(run->side);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_side_set_pe(run->side, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_MSR:
    case PMUV3_ITEM_MRS:
      run_checked(run, item);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      run_external(run, item);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT:
      run_expect_output(run, item);
      break;
    case PMUV3_NUM_ITEM_KINDS:
    case PMUV3_ITEM_READ: /* not in files */
      break;
  }
  check_divergence(run, item);
}

static void print_summary(const struct run *run) {
  printf("%s: %" PRIu64 " cycles, %" PRIu64 " expectations held", run->name, run->cycles,
         run->held);
  if (run->failed) printf(", %" PRIu64 " failed", run->failed);
  puts(run->diverged ? ", diverged" : "");
}

static uint64_t first_waved_cycle(const struct arguments *arguments,
                                  const struct pmuv3_stimulus *stimulus) {
  uint64_t cycles = 0;
  for (size_t i = 0; i < stimulus->num_items; i++) {
    const struct pmuv3_item *item = &stimulus->items[i];
    if (item->kind == PMUV3_ITEM_CYCLE) cycles++;
    if (item->kind == PMUV3_ITEM_IDLE) cycles += item->idle;
  }
  const bool is_cut = arguments->wave_last > 0 && cycles > arguments->wave_last;
  return is_cut ? cycles - arguments->wave_last : 0;
}

static enum status run_file(const struct arguments *arguments, const char *name,
                            const struct pmuv3_stimulus *stimulus, struct outputs *outputs) {
  struct run run = {.name = name, .outputs = outputs};
  if (outputs->trace) run.trace = pmuv3_file_stream(outputs->trace);
  run.wave_from = first_waved_cycle(arguments, stimulus);
  if (!create_sides(&run, arguments, &stimulus->params))
    pmuv3_cli_no_verdict("%s: out of memory", name);
  check_divergence(&run, NULL);
  for (size_t i = 0; i < stimulus->num_items; i++) run_item(&run, &stimulus->items[i]);
  if (outputs->has_wave) check_wave(&run, pmuv3_side_rtl_wave_end(run.rtl));
  pmuv3_side_destroy(run.side);
  print_summary(&run);
  return run.failed || run.diverged ? FAILED : HELD;
}

/* ---- Files ---- */

static void read_file(const char *file, const char *name, struct pmuv3_stimulus *stimulus) {
  char error[4096 + 512]; /* a path and an error message */
  FILE *in = fopen(file, "rb");
  if (!in) {
    fprintf(stderr, "%s:1: cannot be opened: %s; expected a stimulus file\n", name,
            strerror(errno));
    exit(PMUV3_UNUSABLE);
  }
  if (!pmuv3_stimulus_read(stimulus, in, name, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    exit(PMUV3_UNUSABLE);
  }
  fclose(in);
}

/* Reads all files before any is run, so that bad input leaves nothing half-done. */
static struct pmuv3_stimulus *read_files(const struct arguments *arguments) {
  struct pmuv3_stimulus *stimuli = calloc((size_t)arguments->num_files, sizeof *stimuli);
  if (!stimuli) pmuv3_cli_no_verdict("out of memory");
  for (int i = 0; i < arguments->num_files; i++) {
    char *name = pmuv3_cli_shown(arguments->files[i]);
    read_file(arguments->files[i], name, &stimuli[i]);
    free(name);
  }
  return stimuli;
}

static enum status run_files(const struct arguments *arguments, struct pmuv3_stimulus *stimuli,
                             struct outputs *outputs) {
  enum status worst = HELD;
  for (int i = 0; i < arguments->num_files; i++) {
    char *name = pmuv3_cli_shown(arguments->files[i]);
    const enum status status = run_file(arguments, name, &stimuli[i], outputs);
    if (status > worst) worst = status;
    pmuv3_stimulus_free(&stimuli[i]);
    free(name);
  }
  return worst;
}

static struct outputs begin_outputs(const struct arguments *arguments) {
  struct outputs outputs = {.arguments = arguments};
  if (arguments->trace) {
    outputs.trace = pmuv3_cli_begin_output("--trace", arguments->trace);
    pmuv3_trace_head(pmuv3_file_stream(outputs.trace));
  }
  if (arguments->wave) outputs.wave = pmuv3_cli_begin_named("--wave", arguments->wave);
  return outputs;
}

/* Ends the outputs. They are complete even if expectations failed. */
static void end_outputs(const struct outputs *outputs) {
  if (outputs->trace) pmuv3_cli_end("--trace", outputs->arguments->trace, outputs->trace);
  if (!outputs->wave) return;
  if (outputs->has_wave) {
    pmuv3_cli_end("--wave", outputs->arguments->wave, outputs->wave);
    return;
  }
  pmuv3_file_drop(outputs->wave);
  pmuv3_cli_warn("--wave: '%s' is not written: there is no cycle", outputs->arguments->wave);
}

int main(int argc, char **argv) {
  const struct arguments arguments = parse_arguments(argc, argv);
  struct pmuv3_stimulus *stimuli = read_files(&arguments);
  struct outputs outputs = begin_outputs(&arguments);
  const enum status status = run_files(&arguments, stimuli, &outputs);
  end_outputs(&outputs);
  free(stimuli);
  return (int)status;
}
