#include "testbench/cosim/check/dpi/pmuv3_dpi.h"

#include <stdlib.h>

#include "testbench/cosim/check/monitor/monitor.h"

struct checker {
  struct monitor *monitor;
  unsigned *widths; /* of each pin */
};

/* Why there is no checker. */
static char refusal[600];

/* ---- Open ---- */

static bool read_widths(struct checker *checker, const char *widths) {
  const size_t pins = monitor_device(checker->monitor)->num_pins;
  for (size_t p = 0; p < pins; p++) {
    char *end;
    const unsigned long width = strtoul(widths, &end, 10);
    if (end == widths || width < 1 || width > 64) return false;
    checker->widths[p] = (unsigned)width;
    widths = end;
  }
  return *widths == '\0';
}

static bool open_all(struct checker *checker, const char *description, const char *widths) {
  checker->monitor = monitor_open(description, refusal, sizeof refusal);
  if (!checker->monitor) return false;
  snprintf(refusal, sizeof refusal, "out of memory");
  checker->widths = calloc(monitor_device(checker->monitor)->num_pins, sizeof *checker->widths);
  if (!checker->widths) return false;
  snprintf(refusal, sizeof refusal, "'%.400s' has other pins than when the monitor was made",
           description);
  return read_widths(checker, widths);
}

void *pmuv3_dpi_open(const char *description, const char *widths) {
  struct checker *checker = calloc(1, sizeof *checker);
  snprintf(refusal, sizeof refusal, "out of memory");
  if (checker && open_all(checker, description, widths)) return checker;
  pmuv3_dpi_close(checker);
  return NULL;
}

void pmuv3_dpi_close(void *closed) {
  struct checker *checker = closed;
  if (!checker) return;
  monitor_close(checker->monitor);
  free(checker->widths);
  free(checker);
}

/* ---- Clock by clock ---- */

svBit pmuv3_dpi_clock(void *clocked, const svLogicVecVal *pins) {
  struct checker *checker = clocked;
  const size_t count = monitor_device(checker->monitor)->num_pins;
  size_t lsb = 0;
  for (size_t p = 0; p < count; p++) {
    monitor_bits(checker->monitor, p, (const uint32_t *)pins, lsb, checker->widths[p]);
    lsb += checker->widths[p];
  }
  return monitor_clock(checker->monitor);
}

svBit pmuv3_dpi_end(void *checker) {
  return monitor_end(((struct checker *)checker)->monitor);
}

const char *pmuv3_dpi_words(void *checker) {
  return checker ? monitor_words(((struct checker *)checker)->monitor) : refusal;
}
