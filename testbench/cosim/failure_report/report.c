#define _GNU_SOURCE
#include "testbench/cosim/failure_report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/failure_report/diagram.h"
#include "testbench/cosim/shrink/files.h"

/* ---- Files of the folder ---- */

enum { PATH = 4096 };

#define MADE_FILES "chain.txt", "window.svg", "window.gtkw", "window.fst", "report.json"
#define SHRUNK_FILES "minimal.stim", "minimal_test.cc"
#define REPORT_FILES SHRUNK_FILES, MADE_FILES
const char *const pmuv3_report_files[] = {REPORT_FILES, NULL};
const char *const pmuv3_failure_files[] = {REPORT_FILES, "stimulus.stim", "divergence.txt", NULL};

static void path_in(char path[PATH], const struct pmuv3_failure_report *report, const char *name) {
  snprintf(path, PATH, "%s/%s", report->folder, name);
}

/* What the files tell. */
struct told {
  const struct pmuv3_failure_report *report;
  const struct pmuv3_chain *chain;
};

static bool write_chain(FILE *out, const void *told) {
  pmuv3_chain_print(out, ((const struct told *)told)->chain);
  return true;
}

static bool write_diagram(FILE *out, const void *told) {
  pmuv3_diagram_write(out, ((const struct told *)told)->chain);
  return true;
}

static bool write_json(FILE *out, const void *context) {
  const struct told *told = context;
  return pmuv3_failure_report_write_json(out, told->report, told->chain);
}

/* ---- The wave's view ---- */

/* A number to be put in for a mark. */
struct mark {
  const char *text;
  int number;
};

/* Writes what stands at `next`, a mark's number or a character, and returns what follows it. */
static const char *write_next(FILE *out, const char *next, const struct mark *marks,
                              size_t num_marks) {
  for (size_t i = 0; i < num_marks; i++) {
    const size_t length = strlen(marks[i].text);
    if (strncmp(next, marks[i].text, length) != 0) continue;
    fprintf(out, "%d", marks[i].number);
    return next + length;
  }
  fputc(*next, out);
  return next + 1;
}

/* The view of one thread's counter, with its numbers put in, and the even one of its pair. */
static void write_view(FILE *out, FILE *view, const struct pmuv3_chain *chain) {
  const int n = chain->counter < 0 || chain->counter >= PMUV3_MAX_COUNTERS ? 0 : chain->counter;
  const struct mark marks[] = {{"@t@", (int)chain->thread}, {"@n@", n}, {"@even@", n & ~1}};
  char line[256];
  while (fgets(line, sizeof line, view))
    for (const char *next = line; *next;)
      next = write_next(out, next, marks, sizeof marks / sizeof *marks);
}

static bool write_whole_view(FILE *out, const void *told) {
  FILE *view = fopen(PMUV3_WAVES "/counter.gtkw", "r");
  if (!view) return false;
  write_view(out, view, ((const struct told *)told)->chain);
  const bool is_whole = !ferror(view);
  fclose(view);
  return is_whole;
}

/* ---- The wave ---- */

/* The replay ends with us. */
static _Noreturn void replay(pid_t parent, const char *pmuv3, const char *const *arguments) {
  pmuv3_cli_end_with(parent);
  /* What it says was said already. */
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
  execv(pmuv3, (char *const *)arguments);
  _exit(2);
}

/* Replays the stimulus with waves; whether it diverged there, too, as it must, and there is one:
 * a wave begins with a cycle. */
static bool save_wave(const struct pmuv3_failure_report *report) {
  const char *pmuv3 = getenv("PMUV3");
  if (!pmuv3) return false;
  char stimulus[PATH], wave[PATH], x_seed[16], cycles[16];
  const char *here = *report->folder == '-' ? "./" : ""; /* a name is no option */
  snprintf(stimulus, PATH, "%s%s/%s", here, report->folder, report->stimulus);
  snprintf(wave, PATH, "%s%s/window.fst", here, report->folder);
  snprintf(x_seed, sizeof x_seed, "%u", report->x_seed);
  snprintf(cycles, sizeof cycles, "%d", 4 * PMUV3_WINDOW);
  if (!pmuv3_own_remove(wave)) return false;
  fflush(NULL);
  const char *const arguments[] = {pmuv3,    "replay", stimulus,      "--x-seed", x_seed,
                                   "--wave", wave,     "--wave-last", cycles,     NULL};
  const pid_t parent = getpid(), process = fork();
  if (process == 0) replay(parent, pmuv3, arguments);
  int status;
  return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) &&
         WEXITSTATUS(status) == 1 && access(wave, F_OK) == 0 && !pmuv3_own_add(wave, wave);
}

/* ---- All of it ---- */

/* Whether it could; else report->why. */
static bool save_as(struct pmuv3_failure_report *report, const char *name, pmuv3_file_writer *write,
                    const struct pmuv3_chain *chain) {
  char path[PATH];
  path_in(path, report, name);
  report->why = pmuv3_file_write(path, PMUV3_FILE_OWN, write, &(struct told){report, chain});
  return !report->why;
}

static bool save(struct pmuv3_failure_report *report, const struct pmuv3_observation *observation) {
  struct pmuv3_chain chain;
  pmuv3_chain_find(&chain, observation);
  report->points_to = chain.stage;
  if (!save_as(report, "chain.txt", write_chain, &chain) ||
      !save_as(report, "window.svg", write_diagram, &chain) ||
      !save_as(report, "window.gtkw", write_whole_view, &chain))
    return false;
  report->has_wave = save_wave(report);
  return save_as(report, "report.json", write_json, &chain);
}

static void remove_files(const struct pmuv3_failure_report *report, const char *const *names) {
  char path[PATH];
  for (const char *const *name = names; *name; name++) {
    path_in(path, report, *name);
    pmuv3_own_remove(path);
  }
}

/* A report is whole or not there. */
static void remove_made(const struct pmuv3_failure_report *report) {
  static const char *const names[] = {MADE_FILES, NULL};
  remove_files(report, names);
}

static enum pmuv3_reported make_of(struct pmuv3_failure_report *report,
                                   const struct pmuv3_stimulus *stimulus, const char *text) {
  struct pmuv3_observation observation;
  pmuv3_make_sides *make = report->make ? report->make : pmuv3_make_cmodel_rtl;
  const enum pmuv3_observe_end observed =
      pmuv3_observe(&observation, stimulus, make, report->x_seed);
  if (observed == PMUV3_SAME) {
    report->why = "it does not happen again";
    return PMUV3_NOT_DIVERGED;
  }
  if (observed == PMUV3_OUT_OF_MEMORY) {
    report->why = strerror(ENOMEM);
    return PMUV3_NOT_WRITTEN;
  }
  observation.text = text;
  const bool saved = save(report, &observation);
  pmuv3_observation_free(&observation);
  if (!saved) remove_made(report);
  return saved ? PMUV3_REPORTED : PMUV3_NOT_WRITTEN;
}

static enum pmuv3_reported make_of_file(struct pmuv3_failure_report *report, const char *file) {
  char path[PATH], error[PATH + 512];
  struct pmuv3_stimulus stimulus;
  report->stimulus = file;
  path_in(path, report, file);
  char *text = pmuv3_shrink_read(path, NULL, &report->why);
  FILE *in = text ? fmemopen(text, strlen(text), "r") : NULL;
  enum pmuv3_reported made = PMUV3_NOT_WRITTEN;
  if (text) report->why = strerror(in ? EINVAL : errno);
  if (in) {
    if (pmuv3_stimulus_read(&stimulus, in, path, error, sizeof error)) {
      made = make_of(report, &stimulus, text);
      pmuv3_stimulus_free(&stimulus);
    }
    fclose(in);
  }
  free(text);
  return made;
}

enum pmuv3_reported pmuv3_failure_report_make(struct pmuv3_failure_report *report) {
  static const char *const names[] = {SHRUNK_FILES, NULL};
  if (!report->is_shrunk) return make_of_file(report, "stimulus.stim");
  const enum pmuv3_reported minimal = make_of_file(report, "minimal.stim");
  if (minimal != PMUV3_NOT_DIVERGED) return minimal;
  remove_files(report, names);
  report->is_shrunk = false;
  const enum pmuv3_reported whole = make_of_file(report, "stimulus.stim");
  if (whole == PMUV3_REPORTED)
    pmuv3_cli_warn("%s/minimal.stim does not diverge again: the report is of stimulus.stim",
                   report->folder);
  return whole;
}
