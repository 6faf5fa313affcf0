#include "testbench/cosim/check/dpi/pmuv3_dpi.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/dpi/bits.h"
#include "testbench/cosim/check/monitor/monitor.h"

enum { CALL_WORDS = PMUV3_DPI_BITS / 32 };

struct checker {
  struct monitor *monitor;
  unsigned *widths;      /* of each pin */
  svLogicVecVal *vector; /* what all pins carry */
  size_t words;
};

/* Why there is no checker. */
static char refusal[600];

/* ---- Open ---- */

static bool refuse(const char *file, unsigned line, const char *why) {
  snprintf(refusal, sizeof refusal, "%.200s:%u: %s", file, line, why);
  return false;
}

/* A pin as the monitor has it, "4:ev[3:0]"; `pins` goes on behind it. Pins of one width in another
 * order would be taken for each other, so names count. */
static bool read_pin(struct checker *checker, size_t p, const char **pins) {
  const struct pmuv3_device *device = monitor_device(checker->monitor);
  const struct pmuv3_pin *pin = &device->pins[p];
  struct pmuv3_complaint complaint;
  char *end, name[300];
  checker->widths[p] = (unsigned)strtoul(*pins, &end, 10);
  pmuv3_pin_text(pin, name, sizeof name);
  const size_t length = strcspn(end, " ");
  if (*end != ':' || strlen(name) != length - 1 || strncmp(end + 1, name, length - 1) != 0)
    return refuse(device->file, pin->line, "other pins than when the monitor was made: emit again");
  if (checker->widths[p] == 0)
    return refuse(device->file, pin->line, "another width than when the monitor was made");
  if (!pmuv3_pin_has_width(device, pin, checker->widths[p], &complaint))
    return refuse(device->file, complaint.line, complaint.text);
  *pins = end + length + (end[length] == ' ');
  return true;
}

/* Descriptions of two modules may have the same pins. */
static bool read_top(const struct pmuv3_device *device, const char **pins) {
  const char *top = device->top ? device->top : "-";
  const size_t length = strcspn(*pins, " ");
  if (strlen(top) != length || strncmp(*pins, top, length) != 0)
    return refuse(device->file, 1, "another top module than when the monitor was made: emit again");
  *pins += length + ((*pins)[length] == ' ');
  return true;
}

static bool read_pins(struct checker *checker, const char *pins) {
  const struct pmuv3_device *device = monitor_device(checker->monitor);
  if (!read_top(device, &pins)) return false;
  for (size_t p = 0; p < device->num_pins; p++)
    if (!read_pin(checker, p, &pins)) return false;
  return *pins == '\0' || refuse(device->file, device->pins[device->num_pins - 1].line,
                                 "the monitor has more pins: emit again");
}

static bool allocate_vector(struct checker *checker) {
  size_t bits = 0;
  for (size_t p = 0; p < monitor_device(checker->monitor)->num_pins; p++)
    bits += checker->widths[p];
  checker->words = (bits + PMUV3_DPI_BITS - 1) / PMUV3_DPI_BITS * CALL_WORDS;
  checker->vector = calloc(checker->words, sizeof *checker->vector);
  return checker->vector != NULL;
}

static bool open_all(struct checker *checker, const char *description, const char *pins) {
  checker->monitor = monitor_open(description, refusal, sizeof refusal);
  if (!checker->monitor) return false;
  snprintf(refusal, sizeof refusal, "out of memory");
  checker->widths = calloc(monitor_device(checker->monitor)->num_pins, sizeof *checker->widths);
  return checker->widths && read_pins(checker, pins) && allocate_vector(checker);
}

void *pmuv3_dpi_open(const char *description, const char *pins) {
  struct checker *checker = calloc(1, sizeof *checker);
  snprintf(refusal, sizeof refusal, "out of memory");
  if (checker && open_all(checker, description, pins)) return checker;
  pmuv3_dpi_close(checker);
  return NULL;
}

void pmuv3_dpi_close(void *closed) {
  struct checker *checker = closed;
  if (!checker) return;
  monitor_close(checker->monitor);
  free(checker->widths);
  free(checker->vector);
  free(checker);
}

/* ---- Clock by clock ---- */

void pmuv3_dpi_pins(void *given, unsigned lsb, const svLogicVecVal *pins) {
  struct checker *checker = given;
  const size_t first = lsb / 32;
  if (first + CALL_WORDS <= checker->words)
    memcpy(&checker->vector[first], pins, CALL_WORDS * sizeof *pins);
}

svBit pmuv3_dpi_clock(void *clocked) {
  struct checker *checker = clocked;
  const struct pmuv3_device *device = monitor_device(checker->monitor);
  size_t lsb = 0;
  for (size_t p = 0; p < device->num_pins; p++) {
    const bool is_unknown = checker->vector[lsb / 32].bval >> lsb % 32 & 1;
    if (device->pins[p].role == PMUV3_ROLE_CLOCK && is_unknown) return 1;
    monitor_bits(checker->monitor, p, (const uint32_t *)checker->vector, lsb, checker->widths[p]);
    lsb += checker->widths[p];
  }
  return monitor_clock(checker->monitor);
}

void pmuv3_dpi_lose_clock(void *checker) {
  monitor_lose_clock(((struct checker *)checker)->monitor);
}

svBit pmuv3_dpi_end(void *checker) {
  return monitor_end(((struct checker *)checker)->monitor);
}

const char *pmuv3_dpi_words(void *checker) {
  return checker ? monitor_words(((struct checker *)checker)->monitor) : refusal;
}
