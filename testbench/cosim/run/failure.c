#define _GNU_SOURCE
#include "testbench/cosim/run/failure.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cosim/cli/file.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/cosim/shrink/files.h"
#include "testbench/cosim/stimulus/random.h"

/* The generator makes the same items again, up to the end of the cycle. The divergence's name does
 * not tell a read that differed from a probe that did: many probes have a register's name. */
static void write_items(FILE *out, struct pmuv3_random *random, uint64_t last_cycle) {
  for (uint64_t cycles = 0; cycles <= last_cycle;) {
    const struct pmuv3_item *item = pmuv3_random_next(random);
    pmuv3_stimulus_write_item(out, item);
    cycles += item->kind == PMUV3_ITEM_CYCLE;
  }
}

/* The contents of stimulus.stim and divergence.txt. */
struct told {
  const struct pmuv3_cosim_task *task;
  const struct pmuv3_divergence *divergence;
};

static bool write_stimulus(FILE *out, const void *context) {
  const struct told *told = context;
  const struct pmuv3_cosim_task *task = told->task;
  struct pmuv3_random *random = pmuv3_random_create(&task->params, task->seed);
  if (!random) return false;
  pmuv3_random_bias(random, &task->bias);
  pmuv3_stimulus_write_head(out, &task->params);
  write_items(out, random, told->divergence->cycle);
  pmuv3_random_destroy(random);
  return true;
}

static bool write_explanation(FILE *out, const void *context) {
  const struct told *told = context;
  pmuv3_divergence_print(out, told->divergence);
  pmuv3_divergence_explain(out, told->divergence, &told->task->params);
  return true;
}

/* False: the path is too long. */
static bool path_in(char path[PATH_MAX], const char *folder, const char *name) {
  return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static const char *save_as(const char *folder, const char *name, pmuv3_file_writer *write,
                           const struct told *told) {
  char path[PATH_MAX];
  if (!path_in(path, folder, name)) return strerror(ENAMETOOLONG);
  return pmuv3_file_write(path, PMUV3_FILE_OWN, write, told);
}

const char *pmuv3_failure_save(const char *folder, const struct pmuv3_cosim_task *task,
                               const struct pmuv3_divergence *divergence) {
  const struct told told = {task, divergence};
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return strerror(errno);
  const char *why = pmuv3_own_lock(folder);
  if (!why) why = pmuv3_own_remove_all(folder, pmuv3_failure_files);
  if (why) return why;
  why = save_as(folder, "stimulus.stim", write_stimulus, &told);
  if (!why) why = save_as(folder, "divergence.txt", write_explanation, &told);
  if (why) pmuv3_own_remove_all(folder, pmuv3_failure_files);
  return why;
}

bool pmuv3_failure_shrink(const char *folder, const struct pmuv3_cosim_task *task,
                          struct pmuv3_shrunk *shrunk) {
  const struct pmuv3_shrink_options options = {.x_seed = task->x_seed, .seconds = 60};
  char stimulus[PATH_MAX], minimal[PATH_MAX], test[PATH_MAX];
  if (!path_in(stimulus, folder, "stimulus.stim") || !path_in(minimal, folder, "minimal.stim") ||
      !path_in(test, folder, "minimal_test.cc"))
    return false;
  const char *why;
  char *text = pmuv3_shrink_read(stimulus, NULL, &why);
  const bool diverged = text && pmuv3_shrink(shrunk, text, &options) == PMUV3_SHRUNK;
  free(text);
  if (!diverged) return false;
  const bool saved = !pmuv3_shrink_save(shrunk, minimal, PMUV3_FILE_OWN) &&
                     !pmuv3_shrink_save_test(shrunk, test, PMUV3_FILE_OWN, task->x_seed);
  if (!saved) pmuv3_own_remove(minimal); /* the report is of stimulus.stim then */
  free(shrunk->text);
  shrunk->text = NULL;
  return saved;
}

const char *pmuv3_failure_make_report(const char *folder, const struct pmuv3_cosim_task *task,
                                      struct pmuv3_failure_report *report) {
  report->folder = folder;
  report->x_seed = task->x_seed;
  return pmuv3_failure_report_make(report) == PMUV3_REPORTED ? NULL : report->why;
}
