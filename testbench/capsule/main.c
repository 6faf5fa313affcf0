/* pmuv3 capsule: all that is needed of a divergence, in one folder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/capsule/capsule.h"
#include "testbench/cli/cli.h"
#include "testbench/shrink/files.h"

struct arguments {
  const char *file;
  const char *out;
  bool shrinks;
  struct pmuv3_shrink_options shrink;
};

enum { OPT_OUT = 0x100, OPT_NO_SHRINK, OPT_SECONDS, OPT_X_SEED };

static error_t parse_argument(int key, char *arg, struct argp_state *state) {
  struct arguments *arguments = state->input;
  switch (key) {
    case OPT_OUT:
      arguments->out = arg;
      return 0;
    case OPT_NO_SHRINK:
      arguments->shrinks = false;
      return 0;
    case OPT_SECONDS:
      arguments->shrink.seconds = (double)pmuv3_cli_number("--seconds", arg, 1, 1000000);
      return 0;
    case OPT_X_SEED:
      arguments->shrink.x_seed = (uint32_t)pmuv3_cli_number("--x-seed", arg, 1, INT32_MAX);
      return 0;
    case ARGP_KEY_ARG:
      if (arguments->file) pmuv3_cli_unusable("'%s' is a second FILE; one is expected", arg);
      arguments->file = arg;
      return 0;
    case ARGP_KEY_NO_ARGS:
      pmuv3_cli_unusable("a stimulus FILE is missing; see ./pmuv3 help");
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static struct arguments parse_arguments(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"out", OPT_OUT, "DIR", 0, "make the capsule in DIR (default divergence)", 0},
      {"no-shrink", OPT_NO_SHRINK, 0, 0, "take FILE as it is", 0},
      {"seconds", OPT_SECONDS, "N", 0, "shrink for N seconds at most (default 60)", 0},
      {"x-seed", OPT_X_SEED, "N", 0, "seed of the RTL's random initial values (default 1)", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse_argument,
      .args_doc = "FILE",
      .doc =
          "Makes the failure capsule of a stimulus file on which the C model and the RTL "
          "differ (docs/capsule.md).\v"
          "Exit status: 1 they differ, and the capsule is there; 2 they do not, or unusable "
          "arguments or input.",
  };
  struct arguments arguments = {
      .out = "divergence", .shrinks = true, .shrink = {.x_seed = 1, .seconds = 60}};
  pmuv3_cli_parse(&argp, "pmuv3 capsule", argc, argv, &arguments);
  return arguments;
}

static _Noreturn void unusable_input(const char *error) {
  fprintf(stderr, "%s\n", error);
  exit(PMUV3_UNUSABLE);
}

/* Its text, when it is a stimulus file on which the sides differ. */
static char *read_diverging(const struct arguments *arguments) {
  char error[4096 + 512]; /* a path and what is wrong */
  struct pmuv3_stimulus stimulus;
  struct pmuv3_played play;
  const char *name = arguments->file;
  char *text = pmuv3_shrink_read(name);
  FILE *in = text ? fopen(name, "rb") : NULL;
  if (!in) {
    snprintf(error, sizeof error, "%s:1: cannot be read: %s; expected a stimulus file", name,
             strerror(errno));
    unusable_input(error);
  }
  if (!pmuv3_stimulus_read(&stimulus, in, name, error, sizeof error)) unusable_input(error);
  fclose(in);
  if (!pmuv3_play(&play, &stimulus, arguments->shrink.x_seed)) pmuv3_cli_unusable("out of memory");
  pmuv3_stimulus_free(&stimulus);
  if (play.diverged) return text;
  pmuv3_cli_unusable("%s does not diverge, so there is nothing to tell", name);
}

static void make_folder(const char *folder) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    pmuv3_cli_unusable("--out: cannot make '%s': %s", folder, strerror(errno));
}

static void save_stimulus(const struct arguments *arguments, const char *text) {
  char path[4096];
  snprintf(path, sizeof path, "%s/stimulus.stim", arguments->out);
  FILE *out = fopen(path, "w");
  if (out) fputs(text, out);
  if (!out || fclose(out) != 0)
    pmuv3_cli_unusable("--out: cannot write '%s': %s", path, strerror(errno));
}

/* Whether there is a minimal.stim now. */
static bool save_shrunk(const struct arguments *arguments, const char *text) {
  struct pmuv3_shrunk shrunk;
  char path[4096], test[4096];
  if (!arguments->shrinks || !pmuv3_shrink(&shrunk, text, &arguments->shrink)) return false;
  snprintf(path, sizeof path, "%s/minimal.stim", arguments->out);
  snprintf(test, sizeof test, "%s/minimal_test.cc", arguments->out);
  if (!pmuv3_shrink_save(&shrunk, path, test, arguments->shrink.x_seed))
    pmuv3_cli_unusable("--out: cannot write '%s': %s", path, strerror(errno));
  printf("%s: %zu lines, of %zu\n", path, shrunk.lines_after, shrunk.lines_before);
  free(shrunk.text);
  return true;
}

int main(int argc, char **argv) {
  const struct arguments arguments = parse_arguments(argc, argv);
  char *text = read_diverging(&arguments);
  make_folder(arguments.out);
  save_stimulus(&arguments, text);
  struct pmuv3_capsule capsule = {
      .folder = arguments.out, .stimulus = "stimulus.stim", .x_seed = arguments.shrink.x_seed};
  if (save_shrunk(&arguments, text)) capsule.stimulus = "minimal.stim";
  free(text);
  if (pmuv3_capsule_make(&capsule) != PMUV3_ENCAPSULATED)
    pmuv3_cli_unusable("--out: cannot write to '%s': %s", arguments.out, strerror(errno));
  printf("the chain points to: %s\nsee %s/chain.txt and window.svg%s\n",
         pmuv3_stage_name(capsule.points_to), arguments.out,
         capsule.has_wave ? ", and gtkwave window.fst window.gtkw" : "");
  return 1;
}
