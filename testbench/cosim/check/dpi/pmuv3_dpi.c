#include "testbench/cosim/check/dpi/pmuv3_dpi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/check.h"

struct checker {
  struct pmuv3_device *device;
  struct pmuv3_check *check;
  struct pmuv3_record record;
  unsigned *widths; /* of each pin */
  char words[600];
};

/* Why there is no checker. */
static char refusal[600];

/* ---- Open ---- */

static void *refuse(struct checker *checker, const char *format, const char *what) {
  snprintf(refusal, sizeof refusal, format, what);
  pmuv3_dpi_close(checker);
  return NULL;
}

static struct pmuv3_device *read_device(const char *description) {
  FILE *in = fopen(description, "r");
  if (!in) {
    refuse(NULL, "cannot read the description '%.400s'", description);
    return NULL;
  }
  struct pmuv3_device *device = pmuv3_device_read(in, description, refusal, sizeof refusal);
  fclose(in);
  return device;
}

static bool read_widths(struct checker *checker, const char *widths) {
  for (size_t p = 0; p < checker->device->num_pins; p++) {
    char *end;
    const unsigned long width = strtoul(widths, &end, 10);
    if (end == widths || width < 1 || width > 64) return false;
    checker->widths[p] = (unsigned)width;
    widths = end;
  }
  return *widths == '\0';
}

void *pmuv3_dpi_open(const char *description, const char *widths) {
  struct checker *checker = calloc(1, sizeof *checker);
  if (!checker) return refuse(checker, "%s", "out of memory");
  checker->device = read_device(description);
  if (!checker->device) return pmuv3_dpi_close(checker), NULL;
  checker->check = pmuv3_check_create(checker->device);
  checker->widths = calloc(checker->device->num_pins, sizeof *checker->widths);
  if (!checker->check || !checker->widths) return refuse(checker, "%s", "out of memory");
  if (!read_widths(checker, widths))
    return refuse(checker, "'%.400s' has other pins than when the monitor was made", description);
  pmuv3_record_init(&checker->record, checker->device);
  return checker;
}

void pmuv3_dpi_close(void *closed) {
  struct checker *checker = closed;
  if (!checker) return;
  pmuv3_check_destroy(checker->check);
  pmuv3_device_free(checker->device);
  free(checker->widths);
  free(checker);
}

/* ---- A clock ---- */

/* Bits of a vector, at most 64, from `lsb` on: of the values, or of what is X or Z. */
static uint64_t bits_of(const svLogicVecVal *pins, size_t lsb, unsigned width, bool unknown) {
  uint64_t bits = 0;
  for (unsigned b = 0; b < width;) {
    const svLogicVecVal *word = &pins[(lsb + b) / 32];
    const unsigned at = (lsb + b) % 32;
    bits |= (uint64_t)((unknown ? word->bval : word->aval) >> at) << b;
    b += 32 - at;
  }
  return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

svBit pmuv3_dpi_clock(void *clocked, const svLogicVecVal *pins) {
  struct checker *checker = clocked;
  const struct pmuv3_device *device = checker->device;
  size_t lsb = 0;
  pmuv3_record_begin(&checker->record, device);
  for (size_t p = 0; p < device->num_pins; p++) {
    const uint64_t unknown = bits_of(pins, lsb, checker->widths[p], true);
    const uint64_t value = bits_of(pins, lsb, checker->widths[p], false);
    pmuv3_record_set(&checker->record, &device->pins[p], value & ~unknown);
    if (unknown != 0) pmuv3_record_unknown(&checker->record, &device->pins[p]);
    lsb += checker->widths[p];
  }
  if (pmuv3_check_clock(checker->check, &checker->record)) return 1;
  pmuv3_check_words(checker->check, checker->words, sizeof checker->words);
  return 0;
}

/* ---- The end ---- */

svBit pmuv3_dpi_end(void *ended) {
  struct checker *checker = ended;
  struct pmuv3_check_counts counts;
  const bool good = pmuv3_check_end(checker->check);
  pmuv3_check_count(checker->check, &counts);
  const uint64_t comparisons = pmuv3_check_comparisons(&counts);
  if (!good) {
    const size_t length = (size_t)snprintf(checker->words, sizeof checker->words, "diverged: ");
    pmuv3_check_words(checker->check, checker->words + length, sizeof checker->words - length);
  } else {
    snprintf(checker->words, sizeof checker->words,
             "%s: %" PRIu64 " clocks, %" PRIu64 " comparisons",
             comparisons ? "equivalent" : "no verdict", counts.clocks, comparisons);
  }
  return good && comparisons != 0;
}

const char *pmuv3_dpi_words(void *checker) {
  return checker ? ((struct checker *)checker)->words : refusal;
}
