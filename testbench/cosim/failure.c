#define _GNU_SOURCE
#include "testbench/cosim/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/shrink/files.h"
#include "testbench/stimulus/random.h"

/* Whether the item is the read in which the sides differed. */
static bool is_diverging_read(const struct pmuv3_item *item, uint64_t cycles,
                              const struct pmuv3_divergence *divergence) {
  char name[24];
  return item->kind == PMUV3_ITEM_READ && cycles == divergence->cycle &&
         item->thread == divergence->thread &&
         strcmp(pmuv3_register_name(item->access.reg, name), divergence->signal) == 0;
}

static void write_expect(FILE *out, const struct pmuv3_divergence *divergence) {
  fprintf(out, "expect ");
  if (divergence->thread > 0) fprintf(out, "@%u ", divergence->thread);
  fprintf(out, "%s 0x%" PRIx64 "\n", divergence->signal, divergence->cmodel);
}

/* The generator makes the same items again; a read that differed becomes what the C model says to
 * it. */
static void write_items(FILE *out, struct pmuv3_random *random,
                        const struct pmuv3_divergence *divergence) {
  for (uint64_t cycles = 0; cycles <= divergence->cycle;) {
    const struct pmuv3_item *item = pmuv3_random_next(random);
    if (is_diverging_read(item, cycles, divergence)) {
      write_expect(out, divergence);
      return;
    }
    pmuv3_stimulus_write_item(out, item);
    cycles += item->kind == PMUV3_ITEM_CYCLE;
  }
}

static FILE *open_in(const char *folder, const char *name) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
    return fopen(path, "w");
  errno = ENAMETOOLONG;
  return NULL;
}

static bool close_written(FILE *out) {
  bool good = !ferror(out);
  return fclose(out) == 0 && good;
}

static bool save_stimulus(const char *folder, const struct pmuv3_cosim_task *task,
                          const struct pmuv3_divergence *divergence) {
  struct pmuv3_random *random = pmuv3_random_create(&task->params, task->seed);
  FILE *out = random ? open_in(folder, "stimulus.stim") : NULL;
  if (out) {
    pmuv3_random_lean(random, &task->lean);
    pmuv3_stimulus_write_head(out, &task->params);
    write_items(out, random, divergence);
  }
  pmuv3_random_destroy(random);
  return out && close_written(out);
}

static bool save_explanation(const char *folder, const struct pmuv3_cosim_task *task,
                             const struct pmuv3_divergence *divergence) {
  FILE *out = open_in(folder, "divergence.txt");
  if (!out) return false;
  pmuv3_divergence_print(out, divergence);
  pmuv3_divergence_explain(out, divergence, &task->params);
  return close_written(out);
}

bool pmuv3_failure_save(const char *folder, const struct pmuv3_cosim_task *task,
                        const struct pmuv3_divergence *divergence) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return false;
  return save_stimulus(folder, task, divergence) && save_explanation(folder, task, divergence);
}

bool pmuv3_failure_shrink(const char *folder, const struct pmuv3_cosim_task *task,
                          struct pmuv3_shrunk *shrunk) {
  const struct pmuv3_shrink_options options = {.x_seed = task->x_seed, .seconds = 60};
  char stimulus[4096], minimal[4096], test[4096];
  snprintf(stimulus, sizeof stimulus, "%s/stimulus.stim", folder);
  snprintf(minimal, sizeof minimal, "%s/minimal.stim", folder);
  snprintf(test, sizeof test, "%s/minimal_test.cc", folder);
  char *text = pmuv3_shrink_read(stimulus);
  const bool diverged = text && pmuv3_shrink(shrunk, text, &options);
  free(text);
  if (!diverged) return false;
  const bool saved = pmuv3_shrink_save(shrunk, minimal, test, task->x_seed);
  free(shrunk->text);
  shrunk->text = NULL;
  return saved;
}

bool pmuv3_failure_capsule(const char *folder, const struct pmuv3_cosim_task *task, bool is_shrunk,
                           struct pmuv3_capsule *capsule) {
  capsule->folder = folder;
  capsule->stimulus = is_shrunk ? "minimal.stim" : "stimulus.stim";
  capsule->x_seed = task->x_seed;
  return pmuv3_capsule_make(capsule) == PMUV3_ENCAPSULATED;
}
