/* What a device's description leaves no way to be hit (needs.def). */
#include <fnmatch.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/cover.h"
#include "testbench/signoff/coverage/coverage.h"

/* ---- What a description has ---- */

static bool takes(const struct profile *profile, enum pmuv3_state_key key, unsigned thread,
                  unsigned value) {
  bool has_pin = false;
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    if (state->thread != thread || state->key != key) continue;
    has_pin = true;
    for (unsigned v = 0; v < state->num_values; v++)
      if (state->values[v] == value) return true;
  }
  return !has_pin && pmuv3_state_get(&profile->device->pe[thread], key) == value;
}

/* Whether a thread can be in a state. */
static bool takes_any(const struct profile *profile, enum pmuv3_state_key key, unsigned value) {
  for (unsigned t = 0; t < profile->device->params.threads; t++)
    if (takes(profile, key, t, value)) return true;
  return false;
}
#define is(profile, key, value) takes_any(profile, PMUV3_STATE_##key, value)

/* Without AArch64 a thread is in AArch32, whatever its pins say. */
static bool is_aarch32(const struct profile *profile) {
  return is(profile, aa32, 1) || is(profile, a32el1, 1) || is(profile, a32el2, 1) ||
         is(profile, a32el3, 1) || !profile->device->params.aa64;
}

static bool in(const struct profile *profile, unsigned el, unsigned ss) {
  for (unsigned t = 0; t < profile->device->params.threads; t++)
    if (takes(profile, PMUV3_STATE_el, t, el) && takes(profile, PMUV3_STATE_ss, t, ss)) return true;
  return false;
}

static bool comes(const struct pmuv3_device *d, enum pmuv3_origin origin) {
  for (size_t e = 0; e < d->num_events; e++)
    if (d->events[e].origin == origin) return true;
  return false;
}

static const struct pmuv3_event *event_of(const struct pmuv3_device *d, size_t e) {
  return pmuv3_events_find(&d->params.events, d->events[e].number);
}

static bool brings_class(const struct pmuv3_device *d, enum pmuv3_event_class class) {
  for (size_t e = 0; e < d->num_events; e++)
    if (event_of(d, e)->event_class == class) return true;
  return false;
}

static bool brings_attribution(const struct pmuv3_device *d,
                               enum pmuv3_event_attribution attribution) {
  for (size_t e = 0; e < d->num_events; e++)
    if (event_of(d, e)->attribution == attribution) return true;
  return false;
}

static bool comes_unattributable(const struct pmuv3_device *d,
                                 enum pmuv3_event_attribution attribution) {
  for (size_t e = 0; e < d->num_events; e++)
    if (d->events[e].origin == PMUV3_UNATTRIBUTABLE && event_of(d, e)->attribution == attribution)
      return true;
  return false;
}

/* `core` and `memory` of K-UNATTR-*: what is Unattributable of these can count. That of a shared
 * structure can with MT = 1 alone (MT-SHARED-1). */
static bool comes_of_core(const struct pmuv3_device *d) {
  return comes_unattributable(d, PMUV3_EVENT_ATTRIBUTION_CORE) ||
         comes_unattributable(d, PMUV3_EVENT_ATTRIBUTION_TRACE);
}

static bool comes_of_memory(const struct pmuv3_device *d) {
  const bool is_shared_counted = d->params.threads > 1 && d->params.k_shared_other;
  return comes_unattributable(d, PMUV3_EVENT_ATTRIBUTION_MEMORY) ||
         (is_shared_counted && comes_unattributable(d, PMUV3_EVENT_ATTRIBUTION_SHARED));
}

/* PMU_SNAPSHOT has such a number, too. */
static bool brings_beyond_10_bits(const struct pmuv3_device *d) {
  for (size_t e = 0; e < d->num_events; e++)
    if (d->events[e].number >= 0x400) return true;
  return pmuv3_has(&d->params, PMUV3_FEATURE_SS);
}

static bool has_page(const struct pmuv3_device *d) {
  for (size_t r = 0; r < d->num_registers; r++)
    if (d->registers[r].is_page && d->registers[r].write && d->registers[r].reg) return true;
  return false;
}

/* A port of System registers that the thread's state judges, or not. */
static bool has_port(const struct pmuv3_device *d, bool is_checked) {
  for (size_t r = 0; r < d->num_registers; r++)
    if (!d->registers[r].is_page && d->ports[d->registers[r].port].is_checked == is_checked)
      return true;
  return false;
}

static bool is_view(const struct pmuv3_device_register *reg) {
  return !reg->is_page && reg->reg >> 14 == 0;
}

static bool has_view(const struct pmuv3_device *d) {
  for (size_t r = 0; r < d->num_registers; r++)
    if (is_view(&d->registers[r])) return true;
  return false;
}

/* Whether a register is written at all, by whatever name. `reg` has n = 0. Writes that must do
 * nothing are made, too. */
static bool writes_to(const struct pmuv3_device *d, uint16_t reg) {
  for (size_t r = 0; r < d->num_registers; r++)
    if (pmuv3_device_viewed(d->registers[r].reg) == reg && d->ports[d->registers[r].port].can_write)
      return true;
  return false;
}

static bool writes_at(const struct pmuv3_device *d, const struct pmuv3_device_register *at,
                      uint16_t reg, uint64_t mask) {
  return pmuv3_device_viewed(at->reg) == reg && (at->write << pmuv3_device_lsb(at) & mask) != 0 &&
         d->ports[at->port].can_write;
}

static bool writes(const struct pmuv3_device *d, uint16_t reg, uint64_t mask) {
  for (size_t r = 0; r < d->num_registers; r++)
    if (writes_at(d, &d->registers[r], reg, mask)) return true;
  return false;
}

/* Likewise, or the description says that the device has it after a reset. */
static bool sets(const struct pmuv3_device *d, uint16_t reg, uint64_t mask) {
  for (size_t i = 0; i < d->num_initials; i++)
    if (pmuv3_device_viewed(d->initials[i].reg) == reg && (d->initials[i].value & mask))
      return true;
  return writes(d, reg, mask);
}

static bool writes_type(const struct pmuv3_device *d, uint64_t mask) {
  return writes(d, PMUV3_PMEVTYPER, mask) || writes(d, PMUV3_PMXEVTYPER, mask);
}

#define FILTERS UINT64_C(0xFFFF0000)

/* Bits of PMEVTYPER<n>_EL0 that are RES0 in the AArch32 register, through that register (H-29). */
static bool writes_a32_res0(const struct pmuv3_device *d) {
  const uint64_t res0 = PMUV3_MASK(PMEVTYPER, M) | PMUV3_MASK(PMEVTYPER, SH) |
                        PMUV3_MASK(PMEVTYPER, RLK) | PMUV3_MASK(PMEVTYPER, RLH);
  for (size_t r = 0; r < d->num_registers; r++)
    if (is_view(&d->registers[r]) && writes_at(d, &d->registers[r], PMUV3_PMEVTYPER, res0))
      return true;
  return false;
}

/* After a reset nothing counts at EL2: NSH is 0. */
static bool filters_events(const struct profile *profile) {
  return writes_type(profile->device, FILTERS) || is(profile, el, 2);
}

static bool filters_cycles(const struct profile *profile) {
  return writes(profile->device, PMUV3_PMCCFILTR, FILTERS) || is(profile, el, 2);
}

static bool writes_in_a_pause(const struct pmuv3_device *d) {
  return d->has_clock_enable || d->num_ports > 1;
}

/* Whether no pin before is of the same event, thread and origin. */
static bool is_first_pin(const struct pmuv3_device *d, size_t event) {
  size_t first = 0;
  while (!pmuv3_device_is_same_event(&d->events[first], &d->events[event])) first++;
  return first == event;
}

/* The most that a counter of one thread adds of an event's occurrences, whatever their origin. All
 * pins of a line with | are one occurrence. */
static unsigned most_of(const struct profile *profile, const struct pmuv3_device_event *event) {
  const struct pmuv3_device *d = profile->device;
  unsigned most = 0;
  for (size_t e = 0; e < d->num_events; e++) {
    if (d->events[e].number != event->number || d->events[e].thread != event->thread) continue;
    most += d->events[e].is_any ? (unsigned)is_first_pin(d, e) : profile->max[d->events[e].source];
  }
  return most;
}

/* Whether a counter can add more than 1 in a cycle. */
static bool occurs_often(const struct profile *profile) {
  const struct pmuv3_device *d = profile->device;
  if (d->params.threads > 1 || writes_in_a_pause(d)) return true;
  for (size_t e = 0; e < d->num_events; e++)
    if (most_of(profile, &d->events[e]) > 1) return true;
  return false;
}

/* Whether a thread has one of these outputs (enum pmuv3_seen). */
static bool sees(const struct pmuv3_device *d, unsigned outputs) {
  for (unsigned t = 0; t < d->params.threads; t++)
    if (d->seen[t] & outputs) return true;
  return false;
}

/* ---- Needs ---- */

#define PMUV3_NEEDS(pattern, has, why) +1
#define PMUV3_SHOWS(pattern, has, why) +1
enum {
  NUM_NEEDS = 0
#include "testbench/cosim/check/bench/needs.def"
};

_Static_assert((int)NUM_NEEDS <= (int)COVER_MAX_NEEDS, "lacks.has is too short");

static const struct need {
  const char *pattern, *why;
  bool is_shown; /* a row of PMUV3_SHOWS */
} needs[NUM_NEEDS] = {
#define PMUV3_NEEDS(pattern, has, why) {pattern, why, false},
#define PMUV3_SHOWS(pattern, has, why) {pattern, why, true},
#include "testbench/cosim/check/bench/needs.def"
};

void cover_find_lacks(struct lacks *lacks, const struct profile *profile) {
  const struct pmuv3_device *d = profile->device;
  bool *has = lacks->has;
#define PMUV3_NEEDS(pattern, condition, why) *has++ = (condition);
#define PMUV3_SHOWS(pattern, condition, why) *has++ = (condition);
#include "testbench/cosim/check/bench/needs.def"
  lacks->device = d;
}

static const char *lacks_of(const struct lacks *lacks, size_t bin, bool is_shown) {
  const char *name = pmuv3_coverage_name(bin);
  for (size_t n = 0; n < NUM_NEEDS; n++)
    if (!lacks->has[n] && needs[n].is_shown == is_shown && fnmatch(needs[n].pattern, name, 0) == 0)
      return needs[n].why;
  return NULL;
}

const char *cover_unreachable(const struct lacks *lacks, size_t bin) {
  const char *why = pmuv3_coverage_unreachable(bin, &lacks->device->params);
  return why ? why : lacks_of(lacks, bin, false);
}

const char *cover_left_out(const struct lacks *lacks, size_t bin) {
  const char *why = cover_unreachable(lacks, bin);
  return why ? why : lacks_of(lacks, bin, true);
}
