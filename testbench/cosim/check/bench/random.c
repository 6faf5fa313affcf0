/*
 * Random stimulus within the profile of a device. It never looks at the device.
 *
 * A phase programs counters, and goes on with events, reads, and writes that disturb the counting.
 * Every draw is a statement of its own: C leaves the order of operands open.
 */
#include "testbench/cosim/check/bench/random.h"

#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/random_internal.h"
#include "testbench/cosim/check/bench/run.h"

/* ---- Items ---- */

struct item *random_queue(struct random *random, enum item_kind kind) {
  static struct item spare;
  const bool has_room = random->end < QUEUE;
  struct item *item = has_room ? &random->queue[random->end++] : &spare;
  if (has_room && kind == ITEM_CYCLE) random->waiting = 0;
  memset(item, 0, sizeof *item);
  item->kind = (uint8_t)kind;
  return item;
}

static uint64_t data_bits(const struct random *random, const struct pmuv3_device_register *reg) {
  return random->profile->device->ports[reg->port].width == 32 ? UINT32_MAX : UINT64_MAX;
}

static bool is_low(const struct pmuv3_device_register *reg) {
  return reg->half != PMUV3_HIGH;
}

/* Of PMEVCNTR<n> and PMEVTYPER<n>: n is in the low bits of an encoding, AArch32 or not. */
static unsigned counter_number(const struct pmuv3_device_register *reg, uint16_t viewed) {
  const bool has_number = pmuv3_device_viewed(reg->reg) == viewed && is_low(reg);
  return has_number ? reg->reg % 32u : PMUV3_MAX_COUNTERS;
}

static void note_type(struct random *random, const struct pmuv3_device_register *reg,
                      uint64_t value) {
  const unsigned n = counter_number(reg, PMUV3_PMEVTYPER);
  if (n < PMUV3_MAX_COUNTERS) random->event[reg->thread][n] = (uint16_t)value;
}

/* Writes of other values into counters. */
static bool sets_counters(const struct pmuv3_device_register *reg) {
  return profile_class(reg) == CLASS_COUNTER || pmuv3_device_viewed(reg->reg) == PMUV3_PMZR;
}

/* What is written has bits beyond the register's, too: they must do nothing. */
static void queue_write(struct random *random, size_t r, uint64_t value) {
  const struct pmuv3_device_register *reg = &random->profile->device->registers[r];
  const bool keeps = random->lasts && !random->fresh;
  if (keeps && sets_counters(reg)) return;
  if (profile_is_barred(random->profile->device, reg, value)) return;
  if (profile_class(reg) == CLASS_INCREMENT && random->waiting++ >= MOST_WAITING) return;
  if (keeps && profile_class(reg) == CLASS_CONTROL)
    value &= ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
  struct item *item = random_queue(random, ITEM_WRITE);
  item->reg = (uint16_t)r;
  item->value = value & data_bits(random, reg);
  note_type(random, reg, item->value);
}

/* The data of a read, and what pins carry without an access, must not matter. */
static void queue_read(struct random *random, size_t r) {
  const struct pmuv3_device *device = random->profile->device;
  const struct pmuv3_device_register *reg = &device->registers[r];
  struct item *item = random_queue(random, ITEM_READ);
  item->reg = (uint16_t)r;
  item->value = data_bits(random, reg);
  if (!device->ports[reg->port].can_write) return;
  if (chance(random, 64)) item->value &= draw(random);
}

static void carry(struct random *random) {
  const struct pmuv3_device *device = random->profile->device;
  const struct pmuv3_device_register *reg =
      &device->registers[below(random, (unsigned)device->num_registers)];
  if (!device->ports[reg->port].can_write) return;
  struct item *item = random_queue(random, ITEM_CARRY);
  item->carried.port = reg->port;
  item->carried.address = reg->address;
  item->carried.is_write = chance(random, 192);
  item->carried.enable = device->ports[reg->port].is_apb && chance(random, 128);
  item->value = random_mask(random) & data_bits(random, reg);
}

static unsigned any_class(struct random *random, unsigned classes, unsigned wanted) {
  if (classes >> wanted & 1) return wanted;
  unsigned class = below(random, NUM_CLASSES);
  while (!(classes >> class & 1)) class = (class + 1) % NUM_CLASSES;
  return class;
}

static size_t any_of(struct random *random, const struct class_list *list) {
  return list->of[below(random, list->count)];
}

/* Counters are what can be wrong unseen; a wrong bit of another register shows only when it is
 * read. */
static void read_something(struct random *random) {
  const struct profile *profile = random->profile;
  if (profile->readable_classes == 0) return;
  const unsigned kind = below(random, 8);
  const unsigned wanted = kind < 4    ? CLASS_COUNTER
                          : kind == 4 ? CLASS_FLAG
                                      : below(random, NUM_CLASSES);
  const unsigned class = any_class(random, profile->readable_classes, wanted);
  queue_read(random, any_of(random, &profile->readable[class]));
}

static void write_something(struct random *random) {
  static const uint8_t wanted[16] = {
      CLASS_COUNTER, CLASS_COUNTER, CLASS_COUNTER,   CLASS_TYPE,     CLASS_TYPE,      CLASS_CONTROL,
      CLASS_ENABLE,  CLASS_ENABLE,  CLASS_FLAG,      CLASS_FLAG,     CLASS_INTERRUPT, CLASS_OTHER,
      CLASS_OTHER,   CLASS_CAPTURE, CLASS_INCREMENT, CLASS_INCREMENT};
  const struct profile *profile = random->profile;
  if (profile->writable_classes == 0) return;
  const unsigned class = any_class(random, profile->writable_classes, wanted[below(random, 16)]);
  const size_t r = any_of(random, &profile->writable[class]);
  queue_write(random, r, random_value(random, &profile->device->registers[r]));
}

static void access_something(struct random *random) {
  if (chance(random, random->writes))
    write_something(random);
  else
    read_something(random);
}

/* ---- Sequences ---- */

/* What a phase counted and did not read. */
static void read_all(struct random *random, enum register_class class) {
  const struct class_list *list = &random->profile->readable[class];
  for (unsigned i = 0; i < list->count; i++) queue_read(random, list->of[i]);
}

static void read_counter(struct random *random, unsigned thread, unsigned n) {
  const struct class_list *list = &random->profile->readable[CLASS_COUNTER];
  for (unsigned i = 0; i < list->count; i++) {
    const struct pmuv3_device_register *reg = &random->profile->device->registers[list->of[i]];
    if (reg->thread != thread || counter_number(reg, PMUV3_PMEVCNTR) != n) continue;
    queue_read(random, list->of[i]);
    return;
  }
}

static struct item *queue_events(struct random *random, unsigned share) {
  const struct profile *profile = random->profile;
  struct item *item = random_queue(random, ITEM_CYCLE);
  item->clocks = 1;
  for (unsigned e = 0; e < profile->device->num_events; e++)
    if (chance(random, share)) item->count[e] = profile->max[e];
  return item;
}

/* Of other ports, so in the same clock. A counter of several threads counts all of them. */
static void increment_elsewhere(struct random *random, uint8_t port, uint64_t counters) {
  const struct pmuv3_device *device = random->profile->device;
  const struct class_list *list = &random->profile->writable[CLASS_INCREMENT];
  for (unsigned i = 0; i < list->count && device->num_ports > 1; i++)
    if (device->registers[list->of[i]].port != port && chance(random, 96))
      queue_write(random, list->of[i], counters);
}

/* While the clock is stopped, increments wait. */
static void increment_while_stopped(struct random *random, size_t r, uint64_t counters) {
  if (!random->profile->device->has_clock_enable || !chance(random, 48)) return;
  const unsigned times = 1u << below(random, 8);
  for (unsigned i = 0; i < times; i++) {
    queue_write(random, r, counters);
    random_queue(random, ITEM_STOP)->clocks = 1;
  }
}

/* A counter that a software increment counts in, read at once. */
static void increment(struct random *random) {
  const struct class_list *list = &random->profile->writable[CLASS_INCREMENT];
  if (list->count == 0) return;
  const size_t r = any_of(random, list);
  const unsigned thread = random->profile->device->registers[r].thread;
  const unsigned first = below(random, PMUV3_MAX_COUNTERS);
  for (unsigned i = 0; i < PMUV3_MAX_COUNTERS; i++) {
    const unsigned n = (first + i) % PMUV3_MAX_COUNTERS;
    const bool counts = n < random->profile->device->params.counters &&
                        random->event[thread][n] == PMUV3_EVENT_SW_INCR;
    if (!counts) continue;
    const uint64_t counters = random_mask(random) | UINT64_C(1) << n;
    increment_while_stopped(random, r, counters);
    queue_write(random, r, counters);
    increment_elsewhere(random, random->profile->device->registers[r].port, counters);
    const unsigned clocks = below(random, 4);
    for (unsigned c = 0; c < clocks; c++) queue_events(random, random->density);
    read_counter(random, thread, n);
    return;
  }
}

/* Whether both are of one counter, and the other is its other half. In AArch32 the lower half of
 * the cycle counter is a register of its own. */
static bool is_other_half(const struct pmuv3_device_register *reg,
                          const struct pmuv3_device_register *other) {
  return other->thread == reg->thread &&
         pmuv3_device_viewed(other->reg) == pmuv3_device_viewed(reg->reg) &&
         pmuv3_device_counter(other->reg) == pmuv3_device_counter(reg->reg) &&
         pmuv3_device_lsb(other) != pmuv3_device_lsb(reg);
}

/* The other half of a counter gets all ones, so that all of it is about to wrap; or nearly all. */
static void fill_other_half(struct random *random, const struct pmuv3_device_register *reg) {
  const struct class_list *list = &random->profile->writable[CLASS_COUNTER];
  const bool is_half = reg->half != PMUV3_WHOLE || pmuv3_register_bits(reg->reg) == 32;
  for (unsigned i = 0; i < list->count && is_half; i++) {
    if (!is_other_half(reg, &random->profile->device->registers[list->of[i]])) continue;
    queue_write(random, list->of[i],
                chance(random, 128) ? UINT32_MAX : random_with_wrong_bit(random, UINT32_MAX, 32));
    return;
  }
}

/* A counter that wraps about when flags, it, or its neighbours are written. */
static void clash(struct random *random) {
  const struct profile *profile = random->profile;
  const struct class_list *list = &profile->writable[CLASS_COUNTER];
  if (list->count == 0) return;
  const size_t r = any_of(random, list);
  const struct pmuv3_device_register *reg = &profile->device->registers[r];
  const uint64_t distance = below(random, 4);
  const uint64_t high = draw(random);
  const uint64_t top = reg->half != PMUV3_WHOLE || high & 1 ? UINT64_MAX : UINT32_MAX;
  if (chance(random, 64)) fill_other_half(random, reg);
  queue_write(random, r, top - distance);
  const unsigned before = below(random, 5);
  for (unsigned c = 0; c < before; c++) queue_events(random, 192);
  write_something(random);
  const unsigned after = below(random, 4);
  for (unsigned c = 0; c < after; c++) queue_events(random, 192);
  const struct class_list *flags = &profile->readable[CLASS_FLAG];
  const unsigned n = counter_number(reg, PMUV3_PMEVCNTR);
  if (flags->count) queue_read(random, any_of(random, flags));
  if (n < PMUV3_MAX_COUNTERS) read_counter(random, reg->thread, n);
  if (n + 1 < PMUV3_MAX_COUNTERS) read_counter(random, reg->thread, n + 1);
}

static void write_all(struct random *random, enum register_class class, unsigned share) {
  const struct class_list *list = &random->profile->writable[class];
  for (unsigned i = 0; i < list->count; i++) {
    const struct pmuv3_device_register *reg = &random->profile->device->registers[list->of[i]];
    if (chance(random, share)) queue_write(random, list->of[i], random_value(random, reg));
  }
}

/* Sets what counting needs, in registers that set. */
static void enable(struct random *random, enum register_class class) {
  const struct class_list *list = &random->profile->writable[class];
  for (unsigned i = 0; i < list->count; i++) {
    if (pmuv3_device_clears(random->profile->device->registers[list->of[i]].reg)) continue;
    const uint64_t control = random_control(random) | 1;
    queue_write(random, list->of[i], class == CLASS_CONTROL ? control : UINT64_MAX);
  }
}

static void enable_all(struct random *random) {
  enable(random, CLASS_CONTROL);
  enable(random, CLASS_ENABLE);
}

/* ---- Phases ---- */

/* What goes on when a reset comes. */
static void stay_busy(struct random *random, bool with_accesses) {
  if (chance(random, 64)) random_move(random);
  if (with_accesses) access_something(random);
  if (with_accesses && chance(random, 64)) access_something(random);
  const unsigned clocks = below(random, 6);
  for (unsigned c = 0; c < clocks; c++) queue_events(random, 128);
}

/* A Warm reset of a device that has a Cold one, too, waits for accesses (player.c). */
static void reset(struct random *random) {
  const struct profile *profile = random->profile;
  if (random->lasts) return;
  const bool warm = profile->has_warm_reset && (!profile->has_cold_reset || chance(random, 128));
  if (!warm && !profile->has_cold_reset) return;
  if (chance(random, 160)) stay_busy(random, !warm || !profile->has_cold_reset);
  random_queue(random, warm ? ITEM_RESET_WARM : ITEM_RESET)->clocks =
      pmuv3_device_reset_clocks(profile->device) + below(random, 4);
  random->fresh = true;
}

/* Half of the phases have no focus. */
static enum focus any_focus(struct random *random) {
  unsigned sum = 0;
  for (unsigned f = 0; f < NUM_FOCUSES; f++) sum += random->foci.weights[f];
  if (sum == 0 || chance(random, 128)) return FOCUS_NONE;
  unsigned left = below(random, sum), focus = FOCUS_NONE;
  while (left >= random->foci.weights[focus]) left -= random->foci.weights[focus++];
  return (enum focus)focus;
}

/* Software may leave a PMU alone for long: what a device does then may depend on how long. */
static void leave_alone(struct random *random) {
  random->alone = chance(random, 8);
  if (!random->alone) return;
  random->left = 256u << below(random, 5);
  if (chance(random, 128)) random->quiet = 255;
}

static void draw_phase(struct random *random) {
  random->focus = any_focus(random);
  random->left = 40u << below(random, 6);
  random->accesses = (uint8_t)(16u << below(random, 4));
  random->writes = (uint8_t)(16u << below(random, 4));
  random->density = (uint8_t)(32u << below(random, 3));
  random->quiet = (uint8_t)(below(random, 2) ? below(random, 256) : 0);
  random->full = chance_or(random, 64, FOCUS_OVERFLOWS, 255);
  leave_alone(random);
}

static void program(struct random *random) {
  const unsigned share = chance_or(random, 128, FOCUS_OVERFLOWS, 255) ? 255 : 64;
  write_all(random, CLASS_TYPE, share);
  write_all(random, CLASS_COUNTER, share);
  write_all(random, CLASS_INTERRUPT, 128);
  if (chance(random, 128)) write_all(random, CLASS_OTHER, 64);
  enable_all(random);
}

/* What a reset leaves is read, or acts on: each class of registers is programmed or not. */
static void program_fresh(struct random *random) {
  if (chance(random, 128))
    for (unsigned class = 0; class < NUM_CLASSES; class ++) read_all(random, class);
  for (unsigned class = 0; class < NUM_CLASSES; class ++)
    if (class != CLASS_CONTROL && class != CLASS_ENABLE && chance(random, 128))
      write_all(random, class, 192);
  if (chance(random, 128)) enable(random, CLASS_ENABLE);
  if (chance(random, 128)) enable(random, CLASS_CONTROL);
}

static void occur(struct random *random, struct item *item) {
  const struct profile *profile = random->profile;
  if (chance(random, random->quiet)) return;
  for (unsigned e = 0; e < profile->device->num_events; e++) {
    if (!chance(random, random->density)) continue;
    const unsigned max = profile->max[e];
    item->count[e] = (uint8_t)(random->full || max == 1 ? max : below(random, max + 1));
  }
}

static void cycles(struct random *random, bool is_long) {
  struct item *item = random_queue(random, ITEM_CYCLE);
  item->clocks = is_long ? 1u << below(random, LONGEST_STRETCH_BITS + 1) : 1;
  occur(random, item);
}

static void new_phase(struct random *random) {
  draw_phase(random);
  if (chance(random, 8)) reset(random);
  const bool rests = random->fresh && chance(random, 64); /* software takes its time */
  if (rests) cycles(random, true);
  if (chance(random, 128)) random_move(random);
  if (random->profile->has_checked_port && chance(random, 96)) random_rise(random);
  if (random->fresh && chance(random, 128))
    program_fresh(random);
  else
    program(random);
  random->fresh = false;
}

/* Where latencies are exact events go on meanwhile, and must not count. */
static void stop(struct random *random) {
  struct item *item = random_queue(random, ITEM_STOP);
  item->clocks =
      chance(random, 4) ? 1u << below(random, LONGEST_STOP_BITS + 1) : 1 + below(random, 4);
  if (random->profile->device->mode == PMUV3_MODE_EXACT) occur(random, item);
}

/* The clock of an access may be a stopped one, too. */
static void one_clock(struct random *random) {
  const bool can_stop = random->profile->device->has_clock_enable;
  if (can_stop && chance_or(random, 8, FOCUS_STATES, 48))
    stop(random);
  else
    cycles(random, chance(random, 1) && chance(random, 16)); /* a long stall, one in 4096 */
}

/* What the description gives an address no bits for must do nothing. */
static void access_in_vain(struct random *random) {
  const struct profile *profile = random->profile;
  const uint64_t value = random_mask(random);
  if (chance(random, 128)) {
    if (profile->unwritable.count) queue_write(random, any_of(random, &profile->unwritable), value);
  } else if (profile->unreadable.count) {
    queue_read(random, any_of(random, &profile->unreadable));
  }
}

/* Two accesses are in one clock if they are of two ports. */
static void use(struct random *random) {
  const unsigned clashes = random->accesses / 8u, increments = random->accesses / 16u;
  if (chance_or(random, 2, FOCUS_ENABLES, 0)) enable_all(random);
  if (chance_or(random, clashes, FOCUS_CLASHES, 4 * clashes)) clash(random);
  if (chance_or(random, increments, FOCUS_INCREMENTS, 8 * increments)) increment(random);
  if (chance(random, 8) && random->profile->device->num_registers > 0) carry(random);
  if (chance(random, 4)) access_in_vain(random);
  if (!chance(random, random->accesses)) return;
  access_something(random);
  if (random->profile->device->num_ports > 1 && chance(random, 64)) access_something(random);
}

/* What comes first after a pause may be a write. */
static void end_phase(struct random *random) {
  if (random->alone && chance(random, 128)) write_something(random);
  read_all(random, CLASS_COUNTER);
  read_all(random, CLASS_FLAG);
}

static void next_items(struct random *random) {
  random->first = random->end = 0;
  if (random->left == 0) new_phase(random);
  if (chance_or(random, 4, FOCUS_STATES, 48)) random_move(random);
  if (chance_or(random, 4, FOCUS_STATES, 48)) random_move_other(random);
  if (!random->alone) use(random);
  one_clock(random);
  if (--random->left == 0) end_phase(random);
}

/* ---- What others ask ---- */

struct random *random_create(const struct profile *profile, uint64_t seed) {
  struct random *random = calloc(1, sizeof *random);
  if (!random) return NULL;
  random->profile = profile;
  random->fresh = true;
  random->lasts = seed % 16 == 15;
  memcpy(random->pe, profile->device->pe, sizeof random->pe);
  pmuv3_prng_seed(&random->prng, seed);
  return random;
}

void random_set_foci(struct random *random, const struct foci *foci) {
  random->foci = *foci;
}

void random_destroy(struct random *random) {
  free(random);
}

/* Between the items of a phase's programming, events go on. */
const struct item *random_next(struct random *random) {
  while (random->first == random->end) next_items(random);
  return &random->queue[random->first++];
}
