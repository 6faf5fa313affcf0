/* Outputs of the device against the model, as it was when the device sampled it. */
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

static void diverge(struct pmuv3_check *check, struct pmuv3_check_divergence divergence) {
  if (check->diverged) return;
  check->diverged = true;
  check->divergence = divergence;
}

/* ---- What the model has in a clock ---- */

static void take_shots(struct pmuv3_check *check, uint64_t t) {
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    const unsigned seen = check->device->seen[thread];
    struct shot *shot = &check->shots[thread][t % SHOTS];
    if (seen & PMUV3_SEEN_IRQ) shot->irq = pmuv3_irq(&check->pmu, thread);
    if (seen & PMUV3_SEEN_CTI) shot->cti = pmuv3_cti(&check->pmu, thread);
    if (seen & PMUV3_SEEN_EXCEPTION)
      shot->exception = (uint8_t)pmuv3_exception(&check->pmu, thread);
    shot->overflow = check->pmu.thread[thread].registers.overflow;
  }
}

/* What the model added in its last cycle, the device has as V in the clock before. */
static void take_lanes(struct pmuv3_check *check, uint64_t t) {
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    struct lanes *lanes = &check->lanes[thread * SHOTS + t % SHOTS];
    const struct pmuv3_values *values = &check->pmu.thread[thread].values;
    for (unsigned n = 0; n < ALL_COUNTERS; n++)
      lanes->counter[n] = pmuv3_model_counter(&check->pmu, thread, n);
    struct lanes *before = &check->lanes[thread * SHOTS + (t - 1) % SHOTS];
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) before->V[n] = values->V[pmuv3_lane(n)];
  }
}

/* ---- Windows ---- */

/* The clocks whose values the record of clock `clock` may show. */
struct look {
  uint64_t clock;
  uint64_t first, last;
};

/* False: it is not to be compared yet, or not at all. A reset empties the delays of outputs, so no
 * record shows what was so before it. */
static bool looks(const struct pmuv3_check *check, uint64_t t, struct window window,
                  struct look *look) {
  const unsigned width = (unsigned)(window.max - window.min);
  look->clock = t + window.min;
  look->last = t;
  look->first = t - width;
  return look->clock < check->now && t >= check->start + width &&
         !is_reset_after(check, t, look->clock);
}

/* Whether a count is at most `tolerance` off. A count wraps at the end of the bits that are
 * compared; of bits with a gap only those below the gap count. Bits below the lowest may have any
 * value. */
static bool is_close(uint64_t expected, uint64_t seen, uint64_t bits, uint64_t tolerance) {
  if (bits == 0) return true;
  const uint64_t below = (bits & -bits) - 1;
  const uint64_t all = bits | below;
  const uint64_t wrap = all & ~(all + 1);
  const uint64_t span = 2 * tolerance + below;
  return span >= wrap || ((expected - (seen & ~below) + tolerance) & wrap) <= span;
}

/* A value of a record, and how it is told. */
struct value {
  enum pmuv3_compared what;
  unsigned thread;
  int counter;
  uint64_t mask, seen, tolerance;
};

static void tell(struct pmuv3_check *check, const struct value *value, const struct look *look,
                 uint64_t expected) {
  diverge(check, (struct pmuv3_check_divergence){
                     .clock = look->clock,
                     .what = (uint8_t)value->what,
                     .thread = (uint8_t)value->thread,
                     .counter = (int8_t)value->counter,
                     .mask = value->mask,
                     .expected = expected,
                     .seen = value->seen & value->mask,
                     .from = (uint8_t)(look->clock - look->last),
                     .to = (uint8_t)(look->clock - look->first),
                     .tolerance = value->tolerance,
                 });
}

/* ---- Flags that are 1 ---- */

/* Counts the comparisons of those of `flags` that are 1 because their counters wrapped. */
static void count_wrapped(struct pmuv3_check *check, unsigned thread, uint64_t flags) {
  for (uint64_t left = flags & check->wrapped[thread]; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    check->counts.flags[thread][n]++;
    check->counts.wide_flags[thread][n] += check->wide_wrapped[thread] >> n & 1;
  }
  check->counts.cycle_flags[thread] += (flags & check->cycles_wrapped[thread]) != 0;
}

/* Counts a comparison of counter n, if it has bits of the upper half that a carry has changed. */
static void count_carried(struct pmuv3_check *check, unsigned thread, int n, uint64_t bits) {
  check->counts.carries[thread] += n == 31 && check->has_carried[thread] && bits >> 32 != 0;
}

/* What the outputs were in each clock of a window. */
static struct shot steady_shot(const struct pmuv3_check *check, unsigned thread,
                               const struct look *look) {
  const struct shot *shots = check->shots[thread];
  struct shot steady = shots[look->last % SHOTS];
  for (uint64_t at = look->first; at < look->last; at++) {
    const struct shot *shot = &shots[at % SHOTS];
    steady.irq &= shot->irq;
    steady.cti &= shot->cti;
    if (shot->exception == 0) steady.exception = 0;
    steady.overflow &= shot->overflow;
  }
  return steady;
}

/* An output shows a flag that alone asserts it. `seen` are the outputs that were compared. */
static void count_asserting(struct pmuv3_check *check, unsigned thread, unsigned seen,
                            const struct look *look) {
  const struct pmuv3_thread *model = &check->pmu.thread[thread];
  const uint64_t flags = model->registers.overflow & model->registers.inten;
  if ((flags & check->wrapped[thread]) == 0 || (flags & (flags - 1)) != 0) return;
  const struct shot shot = steady_shot(check, thread, look);
  if (((seen & PMUV3_SEEN_IRQ) && shot.irq) || ((seen & PMUV3_SEEN_CTI) && shot.cti) ||
      ((seen & PMUV3_SEEN_EXCEPTION) && shot.exception != 0))
    count_wrapped(check, thread, flags);
}

/* ---- Interrupts ---- */

static uint64_t output_of(const struct shot *shot, enum pmuv3_compared what) {
  switch (what) {
    case PMUV3_COMPARED_IRQ:
      return shot->irq;
    case PMUV3_COMPARED_CTI:
      return shot->cti;
    case PMUV3_COMPARED_EXCEPTION:
      return shot->exception;
    case PMUV3_COMPARED_OVERFLOW:
      return shot->overflow;
    default:
      return 0;
  }
}

/* Whether two flags may be late by different numbers of clocks. Then each is right by itself. */
static bool flags_rise_apart(const struct pmuv3_check *check) {
  return check->event_slack != 0;
}

static void compare_output(struct pmuv3_check *check, const struct value *value,
                           const struct look *look) {
  const struct shot *shots = check->shots[value->thread];
  const bool each_alone = value->what == PMUV3_COMPARED_OVERFLOW && flags_rise_apart(check);
  uint64_t wrong = value->mask;
  if (value->what == PMUV3_COMPARED_OVERFLOW && (value->mask & check->wrapped[value->thread]))
    count_wrapped(check, value->thread,
                  value->mask & steady_shot(check, value->thread, look).overflow);
  for (uint64_t at = look->first; at <= look->last; at++) {
    const uint64_t differ = output_of(&shots[at % SHOTS], value->what) ^ value->seen;
    wrong = differ & (each_alone ? wrong : value->mask);
    if (wrong == 0) return;
  }
  tell(check, value, look, output_of(&shots[look->last % SHOTS], value->what) & value->mask);
}

/* Whether the model asserted an output in each clock of a window. */
static bool is_asserted(const struct pmuv3_check *check, unsigned thread, enum pmuv3_compared what,
                        const struct look *look) {
  for (uint64_t at = look->first; at <= look->last; at++)
    if (output_of(&check->shots[thread][at % SHOTS], what) == 0) return false;
  return true;
}

static void compare_interrupts(struct pmuv3_check *check, unsigned thread,
                               const struct look *look) {
  static const struct {
    enum pmuv3_seen seen;
    enum pmuv3_compared what;
    uint64_t mask;
  } outputs[PMUV3_CHECK_OUTPUTS] = {{PMUV3_SEEN_IRQ, PMUV3_COMPARED_IRQ, 1},
                                    {PMUV3_SEEN_CTI, PMUV3_COMPARED_CTI, 1},
                                    {PMUV3_SEEN_EXCEPTION, PMUV3_COMPARED_EXCEPTION, 15}};
  struct pmuv3_check_counts *counts = &check->counts;
  const struct pmuv3_record_thread *pins = &slot_at(check, look->clock)->record.thread[thread];
  const uint64_t values[] = {pins->irq, pins->cti, pins->exception};
  const unsigned has = check->device->seen[thread];
  if (!(has & (PMUV3_SEEN_IRQ | PMUV3_SEEN_CTI | PMUV3_SEEN_EXCEPTION))) return;
  const bool in_doubt = !check->is_exact && (pmuv3_quiet_flags(check, thread) &
                                             check->pmu.thread[thread].registers.inten) != 0;
  for (unsigned o = 0; o < PMUV3_CHECK_OUTPUTS; o++) {
    const enum pmuv3_compared what = outputs[o].what;
    if (!(has & outputs[o].seen)) continue;
    if (!(pins->seen & outputs[o].seen)) {
      count_at(counts->unknown, counts->unknown_at, what, thread, 0);
    } else if (in_doubt) {
      count_at(counts->uncertain, counts->uncertain_at, what, thread, 0);
    } else {
      count_at(counts->compared, counts->compared_at, what, thread, 0);
      counts->asserted[thread][o] += is_asserted(check, thread, what, look);
      compare_output(check, &(struct value){what, thread, -1, outputs[o].mask, values[o], 0}, look);
    }
  }
  if (!in_doubt) count_asserting(check, thread, pins->seen & has, look);
}

/* ---- Internals ---- */

static uint64_t lane_of(const struct pmuv3_check *check, const struct value *value, uint64_t t) {
  const struct lanes *lanes = &check->lanes[value->thread * SHOTS + t % SHOTS];
  return value->what == PMUV3_COMPARED_V ? lanes->V[value->counter]
                                         : lanes->counter[value->counter];
}

static void compare_lane(struct pmuv3_check *check, const struct value *value,
                         const struct look *look) {
  count_at(check->counts.compared, check->counts.compared_at, value->what, value->thread,
           (unsigned)value->counter);
  if (value->what == PMUV3_COMPARED_COUNTER)
    count_carried(check, value->thread, value->counter, value->mask);
  for (uint64_t at = look->first; at <= look->last; at++)
    if (is_close(lane_of(check, value, at), value->seen, value->mask, value->tolerance)) return;
  tell(check, value, look, lane_of(check, value, look->last) & value->mask);
}

/* Whose counter, flag or V a record has. */
static uint64_t known_counters(const struct pmuv3_record_thread *pins, enum pmuv3_compared what) {
  switch (what) {
    case PMUV3_COMPARED_COUNTER:
      return pins->seen & PMUV3_SEEN_COUNTERS ? pins->counters_seen : 0;
    case PMUV3_COMPARED_OVERFLOW:
      return pins->seen & PMUV3_SEEN_OVERFLOW ? pins->flags_seen : 0;
    default:
      return pins->seen & PMUV3_SEEN_V ? pins->V_seen : 0;
  }
}

/* Without 64-bit counters the model's have 32 bits, and so may the device's signal. */
static uint64_t counter_bits(const struct pmuv3_check *check, unsigned n) {
  return n >= PMUV3_MAX_COUNTERS ? UINT64_MAX : check->pmu.identity.width;
}

static void compare_lanes(struct pmuv3_check *check, unsigned thread, const struct look *look,
                          bool of_V) {
  const struct pmuv3_device *device = check->device;
  struct pmuv3_check_counts *counts = &check->counts;
  const struct pmuv3_record_thread *pins = &slot_at(check, look->clock)->record.thread[thread];
  const enum pmuv3_compared what = of_V ? PMUV3_COMPARED_V : PMUV3_COMPARED_COUNTER;
  const uint64_t visible = of_V ? device->V_seen[thread] : device->counters_seen[thread];
  if (visible == 0) return;
  const uint64_t known = known_counters(pins, what);
  const uint64_t doubt = of_V ? 0 : pmuv3_quiet_counters(check, thread, look->last);
  for (uint64_t left = visible; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left);
    if (!(known >> n & 1)) {
      count_at(counts->unknown, counts->unknown_at, what, thread, n);
      continue;
    }
    if (doubt >> n & 1) {
      count_at(counts->uncertain, counts->uncertain_at, what, thread, n);
      continue;
    }
    compare_lane(check,
                 &(struct value){what, thread, (int)n, of_V ? UINT16_MAX : counter_bits(check, n),
                                 of_V ? pins->V[n] : pins->counter[n],
                                 of_V ? 0 : pmuv3_quiet_tolerance(check, thread, n)},
                 look);
  }
}

static void count_flags(uint64_t places[PMUV3_CHECK_PLACES], unsigned thread, uint64_t flags) {
  for (uint64_t left = flags; left; left &= left - 1)
    places[pmuv3_check_place(PMUV3_COMPARED_OVERFLOW, thread, (unsigned)__builtin_ctzll(left))]++;
}

static void compare_flags(struct pmuv3_check *check, unsigned thread, const struct look *look) {
  struct pmuv3_check_counts *counts = &check->counts;
  const struct pmuv3_record_thread *pins = &slot_at(check, look->clock)->record.thread[thread];
  const uint64_t visible = check->device->flags_seen[thread];
  const uint64_t known = visible & known_counters(pins, PMUV3_COMPARED_OVERFLOW);
  const uint64_t mask = known & ~pmuv3_quiet_flags(check, thread);
  counts->unknown[PMUV3_COMPARED_OVERFLOW] += known != visible;
  count_flags(counts->unknown_at, thread, visible & ~known);
  if (known == 0) return;
  count_flags(counts->uncertain_at, thread, known & ~mask);
  if (mask == 0) {
    counts->uncertain[PMUV3_COMPARED_OVERFLOW]++;
    return;
  }
  counts->compared[PMUV3_COMPARED_OVERFLOW]++;
  count_flags(counts->compared_at, thread, mask);
  compare_output(
      check, &(struct value){PMUV3_COMPARED_OVERFLOW, thread, -1, mask, pins->overflow, 0}, look);
}

static void compare_internals(struct pmuv3_check *check, unsigned thread, const struct look *look) {
  compare_lanes(check, thread, look, false);
  compare_flags(check, thread, look);
}

/* A clock without a Processor cycle has no V. */
static void compare_V(struct pmuv3_check *check, uint64_t t) {
  struct look look;
  if (!looks(check, t, check->visible, &look)) return;
  for (uint64_t at = look.first; at <= look.last; at++)
    if (!pmuv3_model_is_cycle(check, at)) return;
  for (unsigned thread = 0; thread < check->device->params.threads; thread++)
    compare_lanes(check, thread, &look, true);
}

/* ---- Reads ---- */

static uint64_t half_of(const struct pmuv3_device_register *reg, uint64_t value) {
  return reg->half == PMUV3_HIGH ? value >> 32 : reg->half == PMUV3_LOW ? (uint32_t)value : value;
}

/* What a read gives now. Returns whether it fails. */
static bool read_now(const struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                     uint64_t *value) {
  const struct pmuv3_device_port *port = &check->device->ports[reg->port];
  if (reg->is_page) {
    uint32_t word;
    const bool done = pmuv3_external_read(&check->pmu, reg->thread,
                                          (enum pmuv3_security_state)port->ss, reg->offset, &word);
    *value = word;
    return !done;
  }
  if (port->is_checked) {
    const bool failed = pmuv3_mrs(&check->pmu, reg->thread, reg->reg, value) != PMUV3_DONE;
    *value = half_of(reg, *value);
    return failed;
  }
  pmuv3_read(&check->pmu, reg->thread, reg->reg, value);
  *value = half_of(reg, *value);
  return false;
}

/* What of a read can be compared. */
struct certainty {
  uint64_t mask, tolerance;
};

/* The counter that a register shows now. -1: none. */
static int shown_counter(const struct pmuv3_check *check, const struct pmuv3_device_register *reg) {
  if (pmuv3_device_viewed(reg->reg) != PMUV3_PMXEVCNTR) return pmuv3_device_counter(reg->reg);
  const uint64_t pmselr = check->pmu.thread[reg->thread].registers.pmselr;
  const unsigned selected = (unsigned)PMUV3_GET(pmselr, PMSELR, SEL);
  return selected < check->device->params.counters ? (int)selected : -1;
}

_Static_assert(PMUV3_PMEVCNTSVRn(31) == PMUV3_PMCCNTSVR && PMUV3_PMEVCNTSVRn(32) == PMUV3_PMICNTSVR,
               "saved values have encodings in the order of their counters");

/* The counter whose saved value a register shows. -1: none. */
static int saved_counter(const struct pmuv3_device_register *reg) {
  return reg->reg >> 14 == 2 ? reg->reg - PMUV3_PMEVCNTSVR : -1;
}

/* The high half of a count is compared where the low half is not near a wrap. */
static struct certainty of_count(const struct pmuv3_device_register *reg, bool in_doubt,
                                 uint64_t tolerance, bool is_near_wrap) {
  const bool is_high = reg->half == PMUV3_HIGH;
  const bool is_unsure = is_high && tolerance > 0 && is_near_wrap;
  return (struct certainty){.mask = in_doubt || is_unsure ? 0 : reg->read,
                            .tolerance = is_high ? 0 : tolerance};
}

static struct certainty certainty_of(const struct pmuv3_check *check,
                                     const struct pmuv3_device_register *reg, uint64_t t) {
  struct certainty certainty = {.mask = reg->read};
  const unsigned thread = reg->thread;
  if (check->is_exact) return certainty;
  const int saved = saved_counter(reg), now = shown_counter(check, reg);
  const unsigned n = (unsigned)(saved >= 0 ? saved : now);
  if (saved >= 0)
    return of_count(reg, pmuv3_quiet_saved(check, thread) >> n & 1,
                    pmuv3_quiet_saved_tolerance(check, thread, n),
                    pmuv3_quiet_is_saved_near_wrap(check, thread, n));
  if (now >= 0)
    return of_count(reg, pmuv3_quiet_counters(check, thread, t) >> n & 1,
                    pmuv3_quiet_tolerance(check, thread, n),
                    pmuv3_quiet_is_near_wrap(check, thread, n));
  if (pmuv3_device_shows_flags(reg->reg))
    certainty.mask &= ~half_of(reg, pmuv3_quiet_flags(check, thread));
  return certainty;
}

/* The bits of the register that are at this address, as the register has them. */
static uint64_t bits_of(const struct pmuv3_check *check, const struct pmuv3_device_register *reg) {
  const uint64_t all = pmuv3_register_mask(&check->device->params, reg->reg);
  return reg->half == PMUV3_LOW ? (uint32_t)all : all;
}

/* The bits of a count that a register shows. */
static uint64_t count_bits(const struct pmuv3_check *check,
                           const struct pmuv3_device_register *reg) {
  const int saved = saved_counter(reg);
  const uint64_t bits = pmuv3_register_mask(&check->device->params, reg->reg);
  if (saved >= 0) return counter_bits(check, (unsigned)saved); /* nobody can write them */
  return pmuv3_device_viewed(reg->reg) == PMUV3_PMXEVCNTR ? bits & counter_bits(check, 0) : bits;
}

/* Bits that the counter does not have are 0, however far the count is off. */
static bool is_near(const struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                    uint64_t expected, uint64_t seen, const struct certainty *certainty) {
  const uint64_t differ = (expected ^ seen) & certainty->mask;
  if (differ == 0 || certainty->tolerance == 0) return differ == 0;
  const uint64_t bits = half_of(reg, count_bits(check, reg));
  return (differ & ~bits) == 0 &&
         is_close(expected, seen, certainty->mask & bits, certainty->tolerance);
}

/* Whether the port says how a read ended. */
static bool knows_error(const struct pmuv3_check *check, const struct pending *read) {
  const struct pmuv3_device_register *reg = &check->device->registers[read->reg];
  return check->device->ports[reg->port].has_error && read->knows_error;
}

/* A value that is X is as good as a right one: it is not compared. */
static void look_at_read(struct pmuv3_check *check, struct pending *read, uint64_t t) {
  const struct pmuv3_device_register *reg = &check->device->registers[read->reg];
  const struct certainty certainty = certainty_of(check, reg, t);
  read->steady &= certainty.mask;
  read->wrapped &= check->wrapped[reg->thread];
  read->has_carried &= check->has_carried[reg->thread];
  if (read->is_right) return;
  read->is_error = read_now(check, reg, &read->expected);
  if (knows_error(check, read) && read->error != read->is_error) return;
  if (pmuv3_device_shows_flags(reg->reg) && flags_rise_apart(check))
    read->right_flags |= ~(read->expected ^ read->value);
  read->is_right = read->is_error || !read->knows_value ||
                   is_near(check, reg, read->expected, read->value, &certainty) ||
                   (certainty.mask & ~read->right_flags) == 0;
}

/* What a read shows, whatever clock of its window it is of. */
static void count_shown(struct pmuv3_check *check, const struct pending *read) {
  const struct pmuv3_device_register *reg = &check->device->registers[read->reg];
  const uint64_t bits = (read->steady & reg->read) << (reg->half == PMUV3_HIGH ? 32 : 0);
  if (pmuv3_device_shows_flags(reg->reg)) count_wrapped(check, reg->thread, bits & read->wrapped);
  if (read->has_carried)
    count_carried(check, reg->thread, pmuv3_device_counter(reg->reg), bits & bits_of(check, reg));
}

static void count_error(struct pmuv3_check *check, const struct pending *read) {
  const unsigned port = check->device->registers[read->reg].port;
  struct pmuv3_check_counts *counts = &check->counts;
  if (!check->device->ports[port].has_error) return;
  if (read->knows_error)
    count_at(counts->compared, counts->compared_at, PMUV3_COMPARED_ERROR, port, 0);
  else
    count_at(counts->unknown, counts->unknown_at, PMUV3_COMPARED_ERROR, port, 0);
}

/* A read of bits that any value may have in a clock of the window compares nothing. One that the
 * model refuses has no value, so X on the value is none that hides something. */
static void count_value(struct pmuv3_check *check, const struct pending *read, uint64_t mask) {
  struct pmuv3_check_counts *counts = &check->counts;
  struct pmuv3_check_register *of = &check->registers[read->reg];
  if (read->is_error) {
    counts->refused++;
  } else if (check->device->registers[read->reg].read == 0) {
    return;
  } else if (!read->knows_value) {
    counts->unknown[PMUV3_COMPARED_READ]++;
  } else if (mask != 0) {
    counts->compared[PMUV3_COMPARED_READ]++;
    of->reads++;
    count_shown(check, read);
  } else {
    counts->uncertain[PMUV3_COMPARED_READ]++;
    of->doubts++;
  }
}

static void end_read(struct pmuv3_check *check, const struct pending *read, uint64_t t) {
  const struct pmuv3_device_register *reg = &check->device->registers[read->reg];
  if (!reg->is_read) return;
  const struct certainty certainty = certainty_of(check, reg, t);
  const bool is_error = knows_error(check, read) && read->error != read->is_error;
  count_error(check, read);
  pmuv3_observe_access(check, reg, false, read->expected, !read->is_error);
  count_value(check, read, read->steady & certainty.mask);
  if (read->is_right || (certainty.mask == 0 && !is_error)) return;
  diverge(check, (struct pmuv3_check_divergence){
                     .clock = read->clock,
                     .what = is_error ? PMUV3_COMPARED_ERROR : PMUV3_COMPARED_READ,
                     .thread = reg->thread,
                     .counter = (int8_t)pmuv3_device_counter(reg->reg),
                     .reg = read->reg,
                     .mask = is_error ? 1 : certainty.mask,
                     .expected = is_error ? read->is_error : read->expected & certainty.mask,
                     .seen = is_error ? read->error : read->value & certainty.mask,
                     .carried = read->value,
                     .from = check->reads.min,
                     .to = check->reads.max,
                     .tolerance = certainty.tolerance,
                 });
}

/* Whether the answer of a read may show the model as it stands before clock t. */
static bool may_show(const struct pmuv3_check *check, const struct pending *read, uint64_t t) {
  return read->clock >= t + check->reads.min && read->clock >= check->start + check->reads.max &&
         !is_reset_after(check, t, read->clock);
}

/* Reads wait in the order of their answers. */
static void compare_reads(struct pmuv3_check *check, uint64_t t) {
  const struct window window = check->reads;
  for (unsigned r = 0; r < check->num_pending; r++) {
    struct pending *read = &check->pending[(check->first_pending + r) % PENDING];
    if (read->clock > t + window.max) break;
    if (may_show(check, read, t)) look_at_read(check, read, t);
  }
  while (check->num_pending > 0) {
    const struct pending *read = &check->pending[check->first_pending];
    if (read->clock > t + window.min) break;
    if (may_show(check, read, t)) end_read(check, read, t);
    check->first_pending = (check->first_pending + 1) % PENDING;
    check->num_pending--;
  }
}

void pmuv3_compare(struct pmuv3_check *check, uint64_t t) {
  struct look look;
  take_shots(check, t);
  if (check->lanes) take_lanes(check, t);
  const bool interrupts = looks(check, t, check->interrupts, &look);
  for (unsigned thread = 0; interrupts && thread < check->device->params.threads; thread++)
    compare_interrupts(check, thread, &look);
  const bool visible = looks(check, t, check->visible, &look);
  for (unsigned thread = 0; visible && thread < check->device->params.threads; thread++)
    compare_internals(check, thread, &look);
  if (check->lanes && t > check->start) compare_V(check, t - 1);
  if (check->num_pending > 0) compare_reads(check, t);
}
