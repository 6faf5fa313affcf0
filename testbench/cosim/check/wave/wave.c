#include "testbench/cosim/check/wave/wave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/wave/fst.h"
#include "testbench/cosim/check/wave/signals.h"
#include "testbench/cosim/check/wave/vcd.h"
#include "testbench/cosim/cli/cli.h"

struct pins {
  uint64_t *values, *unknown;
};

struct wave {
  const char *file;
  FILE *in;
  bool is_fst;
  struct vcd *vcd;
  struct signals *signals;
  size_t num_pins, clock;
  struct pins before, now; /* the last step of time, and after its changes */
  uint64_t time;           /* of the step */
  bool has_before, has_changed, is_over;
  bool is_off;
  uint64_t off_since;
  bool has_risen;
  uint64_t edge; /* when the last rising edge was */
};

_Noreturn static void damaged(const struct wave *wave) {
  pmuv3_cli_unusable("%s: no FST, or a damaged one", wave->file);
}

/* ---- Open ---- */

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

static struct pins new_pins(const struct wave *wave) {
  const struct pins pins = {allocate(wave->num_pins, sizeof(uint64_t)),
                            allocate(wave->num_pins, sizeof(uint64_t))};
  signals_start(wave->signals, pins.unknown);
  return pins;
}

static void open_file(struct wave *wave) {
  wave->in = fopen(wave->file, "r");
  const int first = wave->in ? getc(wave->in) : EOF;
  if (!wave->in || (first == EOF && ferror(wave->in)))
    pmuv3_cli_unusable("cannot read '%s': %s", wave->file, strerror(errno));
  wave->is_fst = fst_is(first);
  if (wave->is_fst) {
    fclose(wave->in);
    wave->in = fst_header(wave->file);
  } else if (first != EOF) {
    ungetc(first, wave->in);
  }
}

static void close_stream(struct wave *wave) {
  if (!wave->in) return;
  if (!wave->is_fst)
    fclose(wave->in);
  else if (!fst_close(wave->in))
    damaged(wave);
  wave->in = NULL;
}

/* Of an FST, only the pins' changes are read. */
static void go_on(struct wave *wave) {
  size_t count;
  if (!wave->is_fst) return;
  close_stream(wave);
  const char *const *ids = signals_ids(wave->signals, &count);
  wave->in = fst_changes(wave->file, ids, count);
  vcd_go_on(wave->vcd, wave->in);
}

struct wave *wave_open(const char *file, const struct pmuv3_device *device, const char *scope) {
  struct wave *wave = allocate(1, sizeof *wave);
  wave->file = file;
  open_file(wave);
  wave->vcd = vcd_open(wave->in, file, !wave->is_fst);
  wave->signals = signals_find(wave->vcd, file, wave->is_fst, device, scope);
  wave->num_pins = device->num_pins;
  while (device->pins[wave->clock].role != PMUV3_ROLE_CLOCK) wave->clock++;
  wave->before = new_pins(wave);
  wave->now = new_pins(wave);
  go_on(wave);
  return wave;
}

/* A reader that is not at its end dies of the closed pipe. */
void wave_close(struct wave *wave) {
  if (wave->in && wave->is_fst)
    fst_close(wave->in);
  else if (wave->in)
    fclose(wave->in);
  vcd_close(wave->vcd);
  signals_free(wave->signals);
  free(wave->before.values);
  free(wave->before.unknown);
  free(wave->now.values);
  free(wave->now.unknown);
  free(wave);
}

/* ---- Steps of time ---- */

static void copy(const struct wave *wave, struct pins *to, const struct pins *from) {
  memcpy(to->values, from->values, wave->num_pins * sizeof(uint64_t));
  memcpy(to->unknown, from->unknown, wave->num_pins * sizeof(uint64_t));
}

static bool is_high(const struct wave *wave, const struct pins *pins) {
  return pins->values[wave->clock] & ~pins->unknown[wave->clock] & 1;
}

static void take(struct wave *wave, const struct vcd_item *item) {
  wave->has_changed |= signals_take(wave->signals, item, wave->now.values, wave->now.unknown);
}

/* Reads the changes of one step. The time of the next is known then. */
static void read_step(struct wave *wave, uint64_t *next) {
  struct vcd_item item;
  for (;;) {
    switch (vcd_next(wave->vcd, &item)) {
      case VCD_VALUE:
        take(wave, &item);
        break;
      case VCD_OTHER:
        if (signals_have(wave->signals, item.id))
          pmuv3_cli_unusable("%s: a pin has a value that is no vector", wave->file);
        break;
      case VCD_OFF:
        if (!wave->is_off) wave->off_since = wave->time;
        wave->is_off = true;
        break;
      case VCD_TIME:
        if (item.time == wave->time) break;
        *next = item.time;
        return;
      case VCD_END:
        close_stream(wave);
        wave->is_over = true;
        return;
      default:
        break;
    }
  }
}

static void expect_on(const struct wave *wave) {
  if (wave->is_off)
    pmuv3_cli_unusable(
        "%s: nothing was recorded from time %llu (timescale %s) on ($dumpoff), and clocks are "
        "missing before time %llu",
        wave->file, (unsigned long long)wave->off_since, wave_timescale(wave),
        (unsigned long long)wave->time);
}

static void expect_clock(const struct wave *wave) {
  if (!wave->has_risen)
    pmuv3_cli_unusable("%s: the clock of '%s' never rises from 0 to 1", wave->file,
                       wave_scope(wave));
}

/* What was so before the edge is in `before`, until the next step. */
bool wave_next(struct wave *wave) {
  uint64_t next = wave->time;
  while (!wave->is_over) {
    if (wave->has_changed) copy(wave, &wave->before, &wave->now);
    wave->has_changed = false;
    wave->time = next;
    read_step(wave, &next);
    const bool rises =
        wave->has_before && is_high(wave, &wave->now) && !is_high(wave, &wave->before);
    wave->has_before |= wave->has_changed;
    if (!rises) continue;
    expect_on(wave);
    wave->has_risen = true;
    wave->edge = wave->time;
    wave->time = next;
    return true;
  }
  expect_clock(wave);
  return false;
}

const uint64_t *wave_values(const struct wave *wave) {
  return wave->before.values;
}

const uint64_t *wave_unknown(const struct wave *wave) {
  return wave->before.unknown;
}

uint64_t wave_time(const struct wave *wave) {
  return wave->edge;
}

unsigned wave_width(const struct wave *wave, size_t pin) {
  return signals_width(wave->signals, pin);
}

const char *wave_scope(const struct wave *wave) {
  return signals_scope(wave->signals);
}

const char *wave_timescale(const struct wave *wave) {
  return signals_timescale(wave->signals);
}
