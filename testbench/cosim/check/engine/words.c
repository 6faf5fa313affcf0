/* Counts and a divergence in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "testbench/cosim/check/engine/internal.h"

const char *pmuv3_compared_name(enum pmuv3_compared what) {
  static const char *const names[] = {"read",      "error",   "irq",      "cti",
                                      "exception", "counter", "overflow", "V"};
  return names[what];
}

struct text {
  char *buf;
  size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...) {
  va_list args;
  if (text->length >= text->size) return;
  va_start(args, format);
  const int length = vsnprintf(text->buf + text->length, text->size - text->length, format, args);
  va_end(args);
  if (length > 0) text->length += (size_t)length;
}

static const char *counter_name(int n, char buf[24]) {
  if (n == 31) return "the cycle counter";
  if (n == 32) return "the instruction counter";
  snprintf(buf, 24, "counter %d", n);
  return buf;
}

static void say_what(struct text *text, const struct pmuv3_check *check) {
  const struct pmuv3_check_divergence *d = &check->divergence;
  char name[40];
  switch ((enum pmuv3_compared)d->what) {
    case PMUV3_COMPARED_READ:
      say(text, "%s reads", pmuv3_device_register_name(&check->device->registers[d->reg], name));
      return;
    case PMUV3_COMPARED_ERROR:
      say(text, "the error of an access of %s is",
          pmuv3_device_register_name(&check->device->registers[d->reg], name));
      return;
    case PMUV3_COMPARED_COUNTER:
      say(text, "%s is", counter_name(d->counter, name));
      return;
    case PMUV3_COMPARED_V:
      say(text, "V of %s is", counter_name(d->counter, name));
      return;
    case PMUV3_COMPARED_OVERFLOW:
      say(text, "the overflow flags are");
      return;
    default:
      say(text, "%s is", pmuv3_compared_name((enum pmuv3_compared)d->what));
      return;
  }
}

/* Which values of the model would have been right. */
static void say_window(struct text *text, const struct pmuv3_check *check) {
  const struct pmuv3_check_divergence *d = &check->divergence;
  const char *mode = pmuv3_mode_name(check->device->mode);
  if (check->is_exact || d->to == 0)
    say(text, " (mode %s)", mode);
  else if (d->from == d->to)
    say(text, ", the model's value %u clock%s before (mode %s)", d->from, d->from > 1 ? "s" : "",
        mode);
  else
    say(text, " or another value that the model had %u to %u clocks before (mode %s)", d->from,
        d->to, mode);
}

const char *pmuv3_check_words(const struct pmuv3_check *check, char *buf, size_t size) {
  const struct pmuv3_check_divergence *d = &check->divergence;
  struct text text = {.buf = buf, .size = size};
  if (size > 0) buf[0] = '\0';
  if (!check->diverged) return buf;
  if (d->hangs) {
    say(&text, "clock %" PRIu64 ": port %u has not answered for %d Processor cycles", d->clock,
        d->port, PMUV3_CHECK_PATIENCE);
    return buf;
  }
  say(&text, "clock %" PRIu64 ", thread %u: ", d->clock, d->thread);
  say_what(&text, check);
  const uint64_t full = d->expected | d->seen;
  const char *const format = full > 9 ? " 0x%" PRIX64 : " %" PRIu64;
  say(&text, format, d->seen);
  if (d->what == PMUV3_COMPARED_READ && d->carried != d->seen)
    say(&text, " (the bus carried 0x%" PRIX64 ")", d->carried);
  say(&text, ", expected");
  say(&text, format, d->expected);
  if (d->tolerance) say(&text, " within %" PRIu64, d->tolerance);
  say_window(&text, check);
  return buf;
}

const char *pmuv3_check_port_words(const struct pmuv3_check_port *counts, unsigned port, char *buf,
                                   size_t size) {
  snprintf(buf, size,
           "%" PRIu64 " of %" PRIu64
           " accesses of port %u went to addresses without a line in "
           "the description, the first to 0x%" PRIX64,
           counts->unmatched, counts->accesses, port, counts->first_unmatched);
  return buf;
}
