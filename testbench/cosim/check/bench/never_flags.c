/* What no comparison showed after a wrap: flags, and the upper half of the cycle counter. */
#include <stdarg.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/never.h"

struct speaker {
  const struct outcome *outcome;
  never_sayer *say;
  void *context;
  unsigned thread;
};

/* `format` makes which flag was never compared. */
__attribute__((format(printf, 3, 4))) static void say(const struct speaker *speaker,
                                                      const char *why, const char *format, ...) {
  const bool has_others = speaker->outcome->device->params.threads > 1;
  char flag[64], what[96];
  va_list values;
  va_start(values, format);
  vsnprintf(flag, sizeof flag, format, values);
  va_end(values);
  if (has_others)
    snprintf(what, sizeof what, "%s, of thread %u", flag, speaker->thread);
  else
    snprintf(what, sizeof what, "%s", flag);
  speaker->say(speaker->context, &(struct never){"flag", what, why});
}

/* Whether a register, an output or an internal of the description shows flags. */
static bool shows_flags(const struct pmuv3_device *device, unsigned thread) {
  const unsigned outputs =
      PMUV3_SEEN_IRQ | PMUV3_SEEN_CTI | PMUV3_SEEN_EXCEPTION | PMUV3_SEEN_OVERFLOW;
  if (device->seen[thread] & outputs) return true;
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    if (reg->thread == thread && reg->read != 0 && profile_class(reg) == CLASS_FLAG) return true;
  }
  return false;
}

/* A counter of CPU_CYCLES counts without a pin, so its flag is found in another way. */
static bool counts_cycles(const struct pmuv3_device *device) {
  for (size_t e = 0; e < device->num_absent_events; e++)
    if (device->absent_events[e] == PMUV3_EVENT_CPU_CYCLES) return false;
  return device->params.counters > 0;
}

static void say_thread(const struct speaker *speaker) {
  static const char why[] = "no comparison saw it at 1";
  const struct pmuv3_device *device = speaker->outcome->device;
  const struct pmuv3_check_counts *counts = &speaker->outcome->totals.counts;
  const uint64_t *flags = counts->flags[speaker->thread];
  if (!shows_flags(device, speaker->thread)) {
    say(speaker, "nothing shows the flags", "flags that a wrap raised");
    return;
  }
  for (unsigned n = 0; n < device->params.counters; n++)
    if (flags[n] == 0) say(speaker, why, "the flag that a wrap of counter %u raised", n);
  if (!device->has_no_cycles && flags[31] == 0)
    say(speaker, why, "the flag that a wrap of the cycle counter raised");
  if (pmuv3_has(&device->params, PMUV3_FEATURE_ICNTR) && flags[32] == 0)
    say(speaker, why, "the flag that a wrap of the instruction counter raised");
  if (counts_cycles(device) && counts->cycle_flags[speaker->thread] == 0)
    say(speaker, why, "the flag that a wrap of a counter of CPU_CYCLES raised");
}

static void say_carry(const struct speaker *speaker) {
  const struct outcome *outcome = speaker->outcome;
  if (!outcome->device->has_no_cycles && outcome->totals.counts.carries[speaker->thread] == 0)
    say(speaker, "no comparison saw them", "bits [63:32] of the cycle counter after a carry");
}

void never_flags(const struct outcome *outcome, never_sayer *sayer, void *context) {
  struct speaker speaker = {outcome, sayer, context, 0};
  for (; speaker.thread < outcome->device->params.threads; speaker.thread++) {
    say_thread(&speaker);
    say_carry(&speaker);
  }
}
