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

static const char why[] = "no comparison saw it at 1";

/* The flag of counter n. Where a bit of PMCR chooses between 32 and 64 bits, each is a matter of
 * its own. */
static void say_wraps(const struct speaker *speaker, const char *counter, unsigned n,
                      uint64_t chooses) {
  const struct pmuv3_params *params = &speaker->outcome->device->params;
  const struct pmuv3_check_counts *counts = &speaker->outcome->totals.counts;
  const uint64_t all = counts->flags[speaker->thread][n];
  const uint64_t wide = counts->wide_flags[speaker->thread][n];
  if (!(pmuv3_register_mask(params, PMUV3_PMCR) & chooses)) {
    if (all == 0) say(speaker, why, "the flag that a wrap of %s raised", counter);
    return;
  }
  if (all == wide) say(speaker, why, "the flag that a wrap of 32 bits of %s raised", counter);
  if (wide == 0) say(speaker, why, "the flag that a wrap of 64 bits of %s raised", counter);
}

static void say_thread(const struct speaker *speaker) {
  const struct pmuv3_device *device = speaker->outcome->device;
  const struct pmuv3_check_counts *counts = &speaker->outcome->totals.counts;
  const uint64_t *flags = counts->flags[speaker->thread];
  if (!shows_flags(device, speaker->thread)) {
    say(speaker, "nothing shows the flags", "flags that a wrap raised");
    return;
  }
  for (unsigned n = 0; n < device->params.counters; n++) {
    char counter[16];
    snprintf(counter, sizeof counter, "counter %u", n);
    say_wraps(speaker, counter, n, PMUV3_MASK(PMCR, LP));
  }
  if (!device->has_no_cycles) say_wraps(speaker, "the cycle counter", 31, PMUV3_MASK(PMCR, LC));
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
