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
#include "testbench/cosim/replay/player.h"
#include "testbench/cosim/replay/trace.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/stimulus.h"
#include "tlm_wrapper/side_rtl.h"

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
        pmuv3_cli_unusable(
            "--wave writes the RTL's signals, and --side cmodel runs without the RTL");
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
  if (arguments.wave_last > 0 && !arguments.wave) pmuv3_cli_unusable("--wave-last needs --wave");
  for (int i = 0; i < arguments.num_files; i++) pmuv3_cli_note_input(arguments.files[i]);
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
  struct pmuv3_player player;
  struct outputs *outputs;
  struct pmuv3_side *rtl; /* NULL: the file does not run on the RTL */
  uint64_t wave_from;     /* the first cycle of the wave */
};

static bool create_sides(struct run *run, const struct arguments *arguments,
                         const struct pmuv3_params *params) {
  const struct side_kind *kind = arguments->side_kind;
  struct pmuv3_side *cmodel = kind->has_cmodel ? pmuv3_side_cmodel(params) : NULL;
  if (kind->has_rtl) run->rtl = pmuv3_side_rtl(params, arguments->x_seed);
  run->player.is_lockstep = kind->has_cmodel && kind->has_rtl;
  run->player.side = run->player.is_lockstep ? pmuv3_side_lockstep(cmodel, run->rtl)
                     : kind->has_cmodel      ? cmodel
                                             : run->rtl;
  return run->player.side != NULL;
}

static void check_wave(const struct outputs *outputs, bool is_written) {
  if (!is_written) pmuv3_cli_unusable("--wave: cannot write '%s'", outputs->arguments->wave);
}

/* Opens the wave at its first cycle. */
static void begin_wave(void *context, uint64_t cycles) {
  const struct run *run = context;
  struct outputs *outputs = run->outputs;
  if (!outputs->wave || outputs->has_wave || cycles < run->wave_from) return;
  check_wave(outputs, pmuv3_side_rtl_wave(run->rtl, pmuv3_file_name(outputs->wave)));
  outputs->has_wave = true;
}

static void print_summary(const struct pmuv3_player *player) {
  printf("%s: %" PRIu64 " cycles, %" PRIu64 " expectations held", player->name, player->cycles,
         player->held);
  if (player->failed) printf(", %" PRIu64 " failed", player->failed);
  puts(player->diverged ? ", diverged" : "");
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
  struct run run = {.player = {.name = name, .before_cycle = begin_wave, .context = &run},
                    .outputs = outputs,
                    .wave_from = first_waved_cycle(arguments, stimulus)};
  struct pmuv3_player *player = &run.player;
  if (outputs->trace) player->trace = pmuv3_file_stream(outputs->trace);
  if (!create_sides(&run, arguments, &stimulus->params))
    pmuv3_cli_no_verdict("%s: out of memory", name);
  pmuv3_player_begin(player);
  for (size_t i = 0; i < stimulus->num_items; i++) pmuv3_player_item(player, &stimulus->items[i]);
  if (player->failed || player->diverged)
    pmuv3_cli_note_divergence("%s: %s", name,
                              player->diverged ? "it diverged" : "an expectation failed");
  if (outputs->has_wave) check_wave(outputs, pmuv3_side_rtl_wave_end(run.rtl));
  pmuv3_side_destroy(player->side);
  print_summary(player);
  return player->failed || player->diverged ? FAILED : HELD;
}

/* ---- Files ---- */

static void read_file(const char *file, const char *name, struct pmuv3_stimulus *stimulus) {
  char error[4096 + 512]; /* a path and an error message */
  const char *why;
  FILE *in = pmuv3_file_open(file, &why);
  if (!in) {
    fprintf(stderr, "%s:1: cannot be opened: %s; expected a stimulus file\n", name, why);
    exit(PMUV3_UNUSABLE);
  }
  errno = 0;
  if (!pmuv3_stimulus_read(stimulus, in, file, error, sizeof error)) {
    const int status = errno == ENOMEM ? PMUV3_NO_VERDICT : PMUV3_UNUSABLE;
    fprintf(stderr, "%s\n", error);
    exit(status);
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
  pmuv3_cli_warn("--wave: '%s' is not written: the stimulus has no cycle",
                 outputs->arguments->wave);
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
