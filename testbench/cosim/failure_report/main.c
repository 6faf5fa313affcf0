/* pmuv3 report: makes the failure report of a stimulus file. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/failure_report/report.h"
#include "testbench/cosim/shrink/arguments.h"
#include "testbench/cosim/shrink/files.h"

struct arguments {
  const char *out;
  bool shrinks;
  struct pmuv3_shrink_arguments shrink;
};

enum { OPT_OUT = 0x100, OPT_NO_SHRINK };

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct arguments *arguments = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &arguments->shrink;
      return 0;
    case OPT_OUT:
      arguments->out = arg;
      return 0;
    case OPT_NO_SHRINK:
      arguments->shrinks = false;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct arguments parse_arguments(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"out", OPT_OUT, "DIR", 0, "make the report in DIR (default divergence)", 0},
      {"no-shrink", OPT_NO_SHRINK, 0, 0, "take FILE as it is", 0},
      {0},
  };
  static const struct argp_child children[] = {{.argp = &pmuv3_shrink_argp}, {0}};
  static const struct argp argp = {
      .options = options,
      .parser = parse_argument,
      .children = children,
      .args_doc = "FILE",
      .doc =
          "Makes the failure report of a stimulus file on which the C model and the RTL "
          "differ (docs/reference/failure_report.md).\v"
          "Exit status: 1 the sides differ, even if the report cannot be written; 2 the sides do "
          "not differ, or unusable arguments, input or output; 3 no verdict.",
  };
  struct arguments arguments = {
      .out = "divergence", .shrinks = true, .shrink = pmuv3_shrink_arguments_default()};
  pmuv3_cli_parse(&argp, "pmuv3 report", argc, argv, &arguments);
  if (!arguments.shrinks && pmuv3_cli_given("seconds"))
    pmuv3_cli_unusable("--seconds: with --no-shrink nothing is shrunk");
  return arguments;
}

static void note_divergence(const char *file, const struct pmuv3_divergence *divergence) {
  char words[PMUV3_DIVERGENCE_WORDS];
  pmuv3_cli_note_divergence("%s: %s", file, pmuv3_divergence_words(divergence, words));
}

/* Returns the text of the stimulus file. The program ends if the sides do not differ on it. */
static char *read_diverging(const struct pmuv3_shrink_arguments *arguments,
                            struct pmuv3_divergence *divergence) {
  struct pmuv3_stimulus stimulus;
  struct pmuv3_played play = {0};
  char *text = pmuv3_shrink_read_stimulus(&stimulus, arguments->file);
  if (!pmuv3_play(&play, &stimulus, arguments->options.x_seed))
    pmuv3_cli_no_verdict("out of memory");
  pmuv3_stimulus_free(&stimulus);
  *divergence = play.divergence;
  if (play.diverged) return text;
  if (play.wrong) pmuv3_cli_unusable("%s:%u: %s", arguments->file, (unsigned)play.line, play.wrong);
  pmuv3_cli_unusable("%s does not diverge, so there is nothing to report", arguments->file);
}

static void path_in(char path[PATH_MAX], const char *folder, const char *name) {
  if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
    pmuv3_cli_unusable("--out: cannot write '%s': %s", folder, strerror(ENAMETOOLONG));
}

/* FILE may be the report's own stimulus.stim, which then stays as it is. It may be no other file of
 * the report. */
static bool is_in_place(const struct arguments *arguments) {
  struct stat file, kept;
  char path[PATH_MAX];
  path_in(path, arguments->out, "stimulus.stim");
  return stat(arguments->shrink.file, &file) == 0 && stat(path, &kept) == 0 &&
         file.st_dev == kept.st_dev && file.st_ino == kept.st_ino;
}

/* The files to remove. A stimulus in place stays, and with it the divergence.txt of `run`. */
static const char *const *files_of(const struct arguments *arguments) {
  return is_in_place(arguments) ? pmuv3_report_files : pmuv3_failure_files;
}

static void check_files(const struct arguments *arguments) {
  pmuv3_cli_note_input(arguments->shrink.file);
  pmuv3_cli_check_folder("--out", arguments->out, files_of(arguments));
}

/* A report is whole or not there. */
static _Noreturn void give_up(const struct arguments *arguments, const char *why) {
  pmuv3_own_remove_all(arguments->out, files_of(arguments));
  pmuv3_cli_unusable("no failure report in %s: %s", arguments->out, why);
}

static bool write_text(FILE *out, const void *text) {
  return fputs(text, out) >= 0;
}

static void save_stimulus(const struct arguments *arguments, const char *text) {
  char path[PATH_MAX];
  path_in(path, arguments->out, "stimulus.stim");
  if (!is_in_place(arguments)) pmuv3_cli_write_own("--out", path, write_text, text);
}

/* Returns whether the folder has a minimal.stim now. */
static bool save_shrunk(const struct arguments *arguments, const char *text,
                        struct pmuv3_shrunk *shrunk) {
  char path[PATH_MAX], test[PATH_MAX];
  if (!arguments->shrinks || pmuv3_shrink(shrunk, text, &arguments->shrink.options) != PMUV3_SHRUNK)
    return false;
  path_in(path, arguments->out, "minimal.stim");
  path_in(test, arguments->out, "minimal_test.cc");
  const char *why = pmuv3_shrink_save(shrunk, path, PMUV3_FILE_OWN);
  if (!why)
    why = pmuv3_shrink_save_test(shrunk, test, PMUV3_FILE_OWN, arguments->shrink.options.x_seed);
  if (why) give_up(arguments, why);
  free(shrunk->text);
  return true;
}

static void print_shrunk(const struct arguments *arguments, const struct pmuv3_shrunk *shrunk) {
  char path[PATH_MAX];
  path_in(path, arguments->out, "minimal.stim");
  char *quoted = pmuv3_cli_quoted(path);
  printf("%s: %zu lines, of %zu\n", quoted, shrunk->lines_after, shrunk->lines_before);
  free(quoted);
}

int main(int argc, char **argv) {
  const struct arguments arguments = parse_arguments(argc, argv);
  check_files(&arguments);
  struct pmuv3_divergence divergence;
  char *text = read_diverging(&arguments.shrink, &divergence);
  note_divergence(arguments.shrink.file, &divergence);
  pmuv3_cli_begin_folder("--out", arguments.out, files_of(&arguments));
  save_stimulus(&arguments, text);
  struct pmuv3_shrunk shrunk;
  struct pmuv3_failure_report report = {.folder = arguments.out,
                                        .is_shrunk = save_shrunk(&arguments, text, &shrunk),
                                        .x_seed = arguments.shrink.options.x_seed};
  free(text);
  if (pmuv3_failure_report_make(&report) != PMUV3_REPORTED) give_up(&arguments, report.why);
  if (report.is_shrunk) print_shrunk(&arguments, &shrunk);
  char *folder = pmuv3_cli_quoted_name(arguments.out);
  printf("the chain points to: %s\nsee %s/chain.txt and window.svg%s\n",
         pmuv3_stage_name(report.points_to), folder,
         report.has_wave ? ", and gtkwave window.fst window.gtkw" : "");
  free(folder);
  return 1;
}
