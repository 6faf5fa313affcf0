#include "testbench/cosim/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/stimulus/random.h"

/* Whether the item is the read in which the sides differed. */
static bool is_diverging_read(const struct pmuv3_item *item, uint64_t cycles,
                              const struct pmuv3_divergence *divergence) {
  char name[24];
  return item->kind == PMUV3_ITEM_READ && cycles == divergence->cycle &&
         strcmp(pmuv3_register_name(item->access.reg, name), divergence->signal) == 0;
}

/* The generator makes the same items again; a read that differed becomes what the C model says to
 * it. */
static void write_items(FILE *out, struct pmuv3_random *random,
                        const struct pmuv3_divergence *divergence) {
  for (uint64_t cycles = 0; cycles <= divergence->cycle;) {
    const struct pmuv3_item *item = pmuv3_random_next(random);
    if (is_diverging_read(item, cycles, divergence)) {
      fprintf(out, "expect %s 0x%" PRIx64 "\n", divergence->signal, divergence->cmodel);
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
