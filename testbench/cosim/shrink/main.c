/* pmuv3 shrink: the smallest stimulus file on which the C model and the RTL still differ. */
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/shrink/arguments.h"
#include "testbench/cosim/shrink/files.h"

struct arguments {
  const char *out; /* NULL: FILE with .min.stim */
  const char *test;
  struct pmuv3_shrink_arguments shrink;
};

enum { OPT_TEST = 0x100, OPT_SAME };

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct arguments *arguments = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &arguments->shrink;
      return 0;
    case 'o':
      arguments->out = arg;
      return 0;
    case OPT_TEST:
      arguments->test = arg;
      return 0;
    case OPT_SAME:
      arguments->shrink.options.same = true;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct arguments parse_arguments(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"out", 'o', "OUT", 0, "write the smallest file to OUT (default FILE as *.min.stim)", 0},
      {"test", OPT_TEST, "OUT.cc", 0, "write a GoogleTest with it, too", 0},
      {"same", OPT_SAME, 0, 0, "the first divergence stays one of the same signal", 0},
      {0},
  };
  static const struct argp_child children[] = {{.argp = &pmuv3_shrink_argp}, {0}};
  static const struct argp argp = {
      .options = options,
      .parser = parse_argument,
      .children = children,
      .args_doc = "FILE",
      .doc =
          "Shrinks a stimulus file on which the C model and the RTL differ "
          "(docs/howto/shrink.md).\v"
          "Exit status: 0 they do not differ, and nothing is written; 1 they differ, and the "
          "smallest file is written; 2 unusable arguments, input or output; 3 no verdict.",
  };
  struct arguments arguments = {.shrink = pmuv3_shrink_arguments_default()};
  pmuv3_cli_parse(&argp, "pmuv3 shrink", argc, argv, &arguments);
  return arguments;
}

/* FILE with .min.stim instead of .stim. */
static const char *default_out(const char *file) {
  static char out[4096];
  size_t length = strlen(file);
  if (length > 5 && strcmp(file + length - 5, ".stim") == 0) length -= 5;
  if (snprintf(out, sizeof out, "%.*s.min.stim", (int)length, file) >= (int)sizeof out)
    pmuv3_cli_unusable("the name of FILE is too long; give -o OUT");
  return out;
}

/* Returns the text of a stimulus file. */
static char *read_stimulus(const char *name) {
  struct pmuv3_stimulus stimulus;
  char *text = pmuv3_shrink_read_stimulus(&stimulus, name);
  pmuv3_stimulus_free(&stimulus);
  return text;
}

static void print_shrunk(const struct pmuv3_shrunk *shrunk, const struct arguments *arguments) {
  char *file = pmuv3_cli_shown(arguments->shrink.file), *out = pmuv3_cli_shown(arguments->out);
  printf("%s: %zu lines\n%s: %zu lines, after %u tries in %.1f s%s\n", file, shrunk->lines_before,
         out, shrunk->lines_after, shrunk->tries, shrunk->seconds,
         shrunk->in_time ? "" : "; out of time, so it may be larger than need be");
  free(file);
  free(out);
  pmuv3_divergence_print(stdout, &shrunk->divergence);
}

static void print_nothing(const char *file) {
  char *shown = pmuv3_cli_shown(file);
  printf("%s: no divergence, so nothing to shrink\n", shown);
  free(shown);
}

/* A name that nobody gave must not cost a file that somebody made. */
static void check_default_out(const char *out) {
  const char *why = pmuv3_own_wrong(out);
  if (why) pmuv3_cli_unusable("cannot write '%s': %s; give -o OUT", out, why);
}

static void save(const struct pmuv3_shrunk *shrunk, const struct arguments *arguments,
                 enum pmuv3_file_kind kind) {
  const char *why = pmuv3_shrink_save(shrunk, arguments->out, kind);
  if (why) pmuv3_cli_unusable("-o: cannot write '%s': %s", arguments->out, why);
  why = pmuv3_shrink_save_test(shrunk, arguments->test, PMUV3_FILE_REGULAR,
                               arguments->shrink.options.x_seed);
  if (why) pmuv3_cli_unusable("--test: cannot write '%s': %s", arguments->test, why);
}

int main(int argc, char **argv) {
  struct arguments arguments = parse_arguments(argc, argv);
  const bool is_named = arguments.out != NULL;
  if (!is_named) arguments.out = default_out(arguments.shrink.file);
  char *text = read_stimulus(arguments.shrink.file);
  pmuv3_cli_note_input(arguments.shrink.file);
  pmuv3_cli_check_file("-o", arguments.out);
  pmuv3_cli_check_file("--test", arguments.test);
  if (!is_named) check_default_out(arguments.out);

  struct pmuv3_shrunk shrunk;
  const enum pmuv3_shrink_end end = pmuv3_shrink(&shrunk, text, &arguments.shrink.options);
  free(text);
  if (end == PMUV3_SHRINK_NO_MEMORY) pmuv3_cli_no_verdict("out of memory");
  if (end == PMUV3_SHRINK_UNREADABLE)
    pmuv3_cli_no_verdict("%s, without the files that it names, is no stimulus file: no verdict",
                         arguments.shrink.file);
  if (end == PMUV3_SHRINK_WRONG)
    pmuv3_cli_unusable("%s:%u: %s", arguments.shrink.file, (unsigned)shrunk.line, shrunk.wrong);
  if (end == PMUV3_NOTHING_TO_SHRINK) {
    print_nothing(arguments.shrink.file);
    return 0;
  }
  save(&shrunk, &arguments, is_named ? PMUV3_FILE_REGULAR : PMUV3_FILE_OWN);
  print_shrunk(&shrunk, &arguments);
  free(shrunk.text);
  return 1;
}
