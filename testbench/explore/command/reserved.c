#include "testbench/explore/command/reserved.h"

#include <stdio.h>
#include <string.h>

#include "internal.h"

/* K-RESTC has two words. Each marks a reserved condition in a mask of its own. */
static bool is_reserved(const struct pmuv3 *pmu, unsigned thread, unsigned n) {
  const struct pmuv3_config *config = &pmu->thread[thread].config;
  const unsigned i = pmuv3_lane(n);
  return (config->adds_VB[i] | config->adds_own[i]) != 0;
}

/* What one other term makes of PMEVTYPER. */
static const struct change {
  const char *term;
  uint64_t mask, value;
} changes[] = {
#define CHANGE(term, field, bits, value)                     \
  {                                                          \
    term, (uint64_t)(bits) << PMUV3_PMEVTYPER_##field##_LSB, \
        (uint64_t)(value) << PMUV3_PMEVTYPER_##field##_LSB   \
  }
    CHANGE("threshold_count=0", TC, 1, 0),
    CHANGE("threshold_count=1", TC, 1, 1),
    CHANGE("threshold_compare=0", TC, 6, 0),
    CHANGE("threshold_compare=1", TC, 6, 2),
    CHANGE("threshold_compare=2", TC, 6, 4),
    CHANGE("threshold_compare=3", TC, 6, 6),
    CHANGE("edge=0", TE, 1, 0),
    CHANGE("edge=1", TE, 1, 1),
    CHANGE("link=false", TLC, 3, 1),
    CHANGE("link=true", TLC, 3, 2),
    CHANGE("no link", TLC, 3, 0),
};

static bool makes_legal(const struct pmuv3 *pmu, unsigned thread, unsigned n,
                        const struct change *change) {
  struct pmuv3 trial = *pmu;
  uint64_t type;
  pmuv3_read(&trial, thread, PMUV3_PMEVTYPERn(n), &type);
  pmuv3_write(&trial, thread, PMUV3_PMEVTYPERn(n), (type & ~change->mask) | change->value);
  return !is_reserved(&trial, thread, n);
}

const char *explore_reserved(const struct pmuv3 *pmu, unsigned thread, unsigned n) {
  static _Thread_local char text[256];
  if (!is_reserved(pmu, thread, n)) return NULL;
  strcpy(text, "the architecture reserves these terms together; expected one of");
  const char *separator = " ";
  for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
    if (!makes_legal(pmu, thread, n, &changes[c])) continue;
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s", separator, changes[c].term);
    separator = ", ";
  }
  return text;
}
