/* Feedback of coverage: the open bins decide what phases of the stimulus do more of. */
#include <fnmatch.h>

#include "testbench/cosim/check/bench/cover.h"
#include "testbench/signoff/coverage/coverage.h"

static const struct {
  const char *pattern; /* of bins (fnmatch); the first that fits */
  enum focus focus;
} rows[] = {
    {"collision.*", FOCUS_CLASHES},     {"overflow.*", FOCUS_OVERFLOWS},
    {"C.6*", FOCUS_OVERFLOWS},          {"*SW*INC*", FOCUS_INCREMENTS},
    {"SWI-*", FOCUS_INCREMENTS},        {"D13.7-1[345].*", FOCUS_INCREMENTS},
    {"thread*", FOCUS_STATES}, /* threads, thread_and_sibling; threshold is below */
    {"prohibition*", FOCUS_STATES},     {"D13.10*", FOCUS_STATES},
    {"D14.4*", FOCUS_STATES},           {"*ilter*", FOCUS_FILTERS},
    {"D13.7*", FOCUS_FILTERS},          {"thresh*", FOCUS_THRESHOLDS},
    {"comparison.*", FOCUS_THRESHOLDS}, {"pair.*", FOCUS_THRESHOLDS},
    {"C.[0-5]*", FOCUS_THRESHOLDS},     {"D13-4.*", FOCUS_ENABLES},
    {"D13.4-11.*", FOCUS_ENABLES},
};

static enum focus focus_of(const char *name) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (fnmatch(rows[r].pattern, name, 0) == 0) return rows[r].focus;
  return FOCUS_NONE;
}

struct foci cover_foci(const struct lacks *lacks, const uint64_t *numbers) {
  struct foci foci = {{0}};
  for (size_t bin = 0; bin < pmuv3_coverage_num_bins(); bin++) {
    if (numbers[bin] || cover_left_out(lacks, bin)) continue;
    foci.weights[focus_of(pmuv3_coverage_name(bin))]++;
  }
  foci.weights[FOCUS_NONE] = 0;
  return foci;
}
