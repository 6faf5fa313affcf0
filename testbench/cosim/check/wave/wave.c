#include "testbench/cosim/check/wave/wave.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/wave/signals.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/wave/stream.h"

struct pins {
  uint64_t *values, *unknown;
};

struct wave {
  const char *file;
  struct wave_stream *stream;
  struct signals *signals;
  size_t num_pins, clock;
  struct pins before, now; /* the last step of time, and after its changes */
  uint64_t time;           /* of the step */
  bool has_changed, is_over;
  bool is_lost;            /* the next edge: the clock is X at this time, or nothing is recorded */
  bool has_level, is_high; /* the clock was 0 or 1, and this is its last level */
  bool is_off;
  uint64_t off_since;
  bool has_risen;
  uint64_t edge; /* when the last rising edge was */
};

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

static struct wave_stream *open_stream(const char *file) {
  const char *why;
  FILE *in = pmuv3_file_open(file, &why);
  if (!in) pmuv3_cli_unusable("cannot read '%s': %s", file, why);
  return wave_stream_open(in, file);
}

/* Of an FST, only the pins' changes are read. */
static void choose_pins(const struct wave *wave) {
  size_t count;
  const char *const *ids = signals_ids(wave->signals, &count);
  wave_stream_choose(wave->stream, ids, count);
}

struct wave *wave_open(const char *file, const struct pmuv3_device *device, const char *scope) {
  struct wave *wave = allocate(1, sizeof *wave);
  wave->file = file;
  wave->stream = open_stream(file);
  wave->signals = signals_find(wave->stream, file, device, scope);
  wave->num_pins = device->num_pins;
  while (device->pins[wave->clock].role != PMUV3_ROLE_CLOCK) wave->clock++;
  wave->before = new_pins(wave);
  wave->now = new_pins(wave);
  choose_pins(wave);
  return wave;
}

void wave_close(struct wave *wave) {
  wave_stream_close(wave->stream);
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

static void take(struct wave *wave, const struct vcd_item *item) {
  wave->has_changed |= signals_take(wave->signals, item, wave->now.values, wave->now.unknown);
}

/* Reads the changes of one step. The time of the next is known then. */
static void read_step(struct wave *wave, uint64_t *next) {
  struct vcd_item item;
  for (;;) {
    switch (wave_stream_next(wave->stream, &item)) {
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
        wave->is_over = true;
        return;
      default:
        break;
    }
  }
}

void wave_expect_end(const struct wave *wave) {
  if (wave->is_lost && wave->is_off)
    pmuv3_cli_unusable(
        "%s: nothing was recorded from time %llu (timescale %s) on ($dumpoff), and clocks are "
        "missing before time %llu",
        wave->file, (unsigned long long)wave->off_since, wave_timescale(wave),
        (unsigned long long)wave->time);
  if (wave->is_lost)
    pmuv3_cli_unusable("%s: the clock of '%s' is X at time %llu (timescale %s)", wave->file,
                       wave_scope(wave), (unsigned long long)wave->time, wave_timescale(wave));
  if (!wave->has_risen)
    pmuv3_cli_unusable("%s: the clock of '%s' never rises from 0 to 1", wave->file,
                       wave_scope(wave));
}

/* Whether the clock rises in this step. What was not recorded is unknown, and is no X. */
static bool rises(struct wave *wave) {
  const bool is_unknown = wave->now.unknown[wave->clock] & 1;
  wave->is_lost = is_unknown && wave->has_level && !wave->is_off;
  if (is_unknown) return false;
  const bool is_high = wave->now.values[wave->clock] & 1;
  const bool is_edge = wave->has_level && is_high && !wave->is_high;
  wave->has_level = true;
  wave->is_high = is_high;
  wave->is_lost = is_edge && wave->is_off;
  return is_edge && !wave->is_off;
}

/* What was so before the edge is in `before`, until the next step. */
bool wave_next(struct wave *wave) {
  uint64_t next = wave->time;
  while (!wave->is_over && !wave->is_lost) {
    if (wave->has_changed) copy(wave, &wave->before, &wave->now);
    wave->has_changed = false;
    wave->time = next;
    read_step(wave, &next);
    if (!rises(wave)) continue;
    wave->has_risen = true;
    wave->edge = wave->time;
    wave->time = next;
    return true;
  }
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
