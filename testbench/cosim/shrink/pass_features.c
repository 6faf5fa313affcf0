/* Features: removes features. A feature implies others, so the pass removes from all present
 * features, not only from the listed ones. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/ddmin.h"
#include "testbench/cosim/shrink/passes.h"

#define FEATURES "param features="

const char *pmuv3_shrinking_features(const struct pmuv3_shrinking *shrinking) {
  const char *line = pmuv3_lines_at(shrinking->text, pmuv3_shrinking_body(shrinking) - 1);
  return strncmp(line, FEATURES, strlen(FEATURES)) == 0 ? line + strlen(FEATURES) : NULL;
}

/* The features and those that they imply. */
static uint32_t complete(uint32_t features) {
  struct pmuv3_params params = pmuv3_params_default();
  params.features = features;
  pmuv3_params_complete(&params);
  return params.features;
}

/* All present features. 0: the file does not list features. */
static uint32_t present(const struct pmuv3_shrinking *shrinking) {
  const char *list = pmuv3_shrinking_features(shrinking);
  if (!list) return 0;
  struct pmuv3_words words = pmuv3_words_of(list);
  struct pmuv3_params params = pmuv3_params_default();
  if (words.count == 0 || pmuv3_params_set(&params, "features", words.word[0])) params.features = 0;
  pmuv3_words_free(&words);
  return complete(params.features);
}

/* A features line that lists only features which no other listed feature implies. */
static char *name(uint32_t features) {
  uint32_t named = features;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    const uint32_t without = named & ~(UINT32_C(1) << f);
    if (complete(without) == features) named = without;
  }
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  const char *separator = FEATURES;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    if (!(named >> f & 1)) continue;
    fprintf(builder.out, "%s%s", separator, pmuv3_feature_name((enum pmuv3_feature)f));
    separator = ",";
  }
  if (!named) fputs(FEATURES "none", builder.out);
  return pmuv3_builder_take(&builder);
}

static size_t count_features(void *row) {
  return pmuv3_shrinking_is_late(row) ? 0 : (size_t)__builtin_popcount(present(row));
}

static bool leave_out_features(void *row, size_t first, size_t length) {
  struct pmuv3_shrinking *shrinking = row;
  const uint32_t features = present(shrinking);
  uint32_t left = features;
  size_t i = 0;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    if (!(features >> f & 1)) continue;
    if (i >= first && i < first + length) left &= ~(UINT32_C(1) << f);
    i++;
  }
  left = complete(left);
  return left != features &&
         pmuv3_shrinking_try_line(shrinking, pmuv3_shrinking_body(shrinking) - 1, name(left));
}

bool pmuv3_pass_features(struct pmuv3_shrinking *shrinking) {
  return pmuv3_ddmin(&(struct pmuv3_row){count_features, leave_out_features}, shrinking);
}
