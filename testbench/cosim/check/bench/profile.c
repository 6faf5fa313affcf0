/* What a stimulus can do with a device. */
#include "testbench/cosim/check/bench/profile.h"

#include <string.h>

#include "pmuv3/pmuv3.h"
#include "pmuv3/record.h"

enum register_class profile_class(const struct pmuv3_device_register *reg) {
  switch (pmuv3_device_viewed(reg->reg)) {
    case PMUV3_PMEVCNTR:
    case PMUV3_PMCCNTR:
    case PMUV3_PMICNTR:
    case PMUV3_PMXEVCNTR:
      return CLASS_COUNTER;
    case PMUV3_PMEVTYPER:
    case PMUV3_PMXEVTYPER:
      return CLASS_TYPE;
    case PMUV3_PMCR:
      return CLASS_CONTROL;
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
      return CLASS_ENABLE;
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
      return CLASS_INTERRUPT;
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
      return CLASS_FLAG;
    case PMUV3_PMSWINC:
      return CLASS_INCREMENT;
    case PMUV3_PMSSCR:
      return CLASS_CAPTURE;
    default:
      return CLASS_OTHER;
  }
}

static bool sets(const struct pmuv3_device_register *reg, uint16_t viewed, uint64_t field) {
  return !reg->is_page && reg->half != PMUV3_HIGH && pmuv3_device_viewed(reg->reg) == viewed &&
         (reg->write & field) != 0;
}

bool profile_sets_hpmn(const struct pmuv3_device_register *reg) {
  return sets(reg, PMUV3_MDCR_EL2, PMUV3_MASK(MDCR_EL2, HPMN));
}

bool profile_selects(const struct pmuv3_device_register *reg) {
  return sets(reg, PMUV3_PMSELR, PMUV3_MASK(PMSELR, SEL));
}

unsigned profile_least_hpmn(const struct pmuv3_params *params) {
  return !pmuv3_has(params, PMUV3_FEATURE_HPMN0) && params->counters > 0;
}

/* Before PMUv3p1 an event has 10 bits (evtCount). The high half of PMEVTYPER has none. */
static unsigned bars_of_events(const struct pmuv3_device *device,
                               const struct pmuv3_device_register *reg,
                               struct profile_bar bars[PROFILE_MAX_BARS]) {
  const uint64_t bits = pmuv3_has(&device->params, PMUV3_FEATURE_PMUv3p1) ? 0xFFFF : 0x3FF;
  if (profile_class(reg) != CLASS_TYPE || reg->half == PMUV3_HIGH || !(reg->write & bits)) return 0;
  for (size_t e = 0; e < device->num_absent_events; e++)
    bars[e] =
        (struct profile_bar){.bits = bits, .than = BAR_EQUAL, .number = device->absent_events[e]};
  return (unsigned)device->num_absent_events;
}

unsigned profile_bars(const struct pmuv3_device *device, const struct pmuv3_device_register *reg,
                      struct profile_bar bars[PROFILE_MAX_BARS]) {
  unsigned count = bars_of_events(device, reg, bars);
  if (profile_sets_hpmn(reg)) {
    const uint64_t hpmn = PMUV3_MASK(MDCR_EL2, HPMN);
    bars[count++] = (struct profile_bar){hpmn, BAR_BELOW, profile_least_hpmn(&device->params)};
    bars[count++] = (struct profile_bar){hpmn, BAR_ABOVE, device->params.counters};
  }
  if (device->has_no_cycles && profile_selects(reg))
    bars[count++] = (struct profile_bar){PMUV3_MASK(PMSELR, SEL), BAR_EQUAL, 31};
  for (unsigned b = 0; b < count; b++) bars[b].bits &= reg->write;
  return count;
}

bool profile_is_barred(const struct pmuv3_device *device, const struct pmuv3_device_register *reg,
                       uint64_t data) {
  struct profile_bar bars[PROFILE_MAX_BARS];
  const unsigned count = profile_bars(device, reg, bars);
  for (unsigned b = 0; b < count; b++) {
    const uint64_t value = data & bars[b].bits;
    if (bars[b].than == BAR_BELOW   ? value < bars[b].number
        : bars[b].than == BAR_ABOVE ? value > bars[b].number
                                    : value == bars[b].number)
      return true;
  }
  return false;
}

static void add(struct class_list *list, size_t r) {
  if (list->count < sizeof list->of / sizeof list->of[0]) list->of[list->count++] = (uint16_t)r;
}

static unsigned classes_of(const struct class_list lists[NUM_CLASSES]) {
  unsigned classes = 0;
  for (unsigned class = 0; class < NUM_CLASSES; class ++)
    classes |= (unsigned)(lists[class].count > 0) << class;
  return classes;
}

static void find_registers(struct profile *profile) {
  const struct pmuv3_device *device = profile->device;
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const enum register_class class = profile_class(reg);
    add(reg->read ? &profile->readable[class] : &profile->unreadable, r);
    if (device->ports[reg->port].can_write)
      add(reg->write ? &profile->writable[class] : &profile->unwritable, r);
  }
  profile->readable_classes = classes_of(profile->readable);
  profile->writable_classes = classes_of(profile->writable);
}

static void find_state(struct state_pin *state, const struct pmuv3_pin *pin, unsigned width) {
  *state = (struct state_pin){.thread = pin->thread, .key = pin->index};
  if (pin->num_values) {
    state->num_values = pin->num_values;
    memcpy(state->values, pin->to, sizeof state->values);
    return;
  }
  const unsigned max = pin->index <= PMUV3_STATE_ss ? 4 : 2;
  while (state->num_values < max && state->num_values < 1u << width) {
    state->values[state->num_values] = state->num_values;
    state->num_values++;
  }
  state->is_limited = width > (max == 4 ? 2 : 1);
}

/* Pins of several latencies have a share of what can occur in a cycle; of one latency, the player
 * sees to the sum. */
static unsigned share_of(const struct pmuv3_device *device, unsigned pin) {
  unsigned least = UINT8_MAX;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    const unsigned most = pmuv3_device_most_together(device, e);
    bool have_one_latency;
    const unsigned pins = pmuv3_device_event_pins(device, e, &have_one_latency);
    if (event->source != pin || event->is_any || have_one_latency || most == 1) continue;
    if (most / pins < least) least = most / pins;
  }
  return least;
}

static void find_event(struct profile *profile, const struct pmuv3_pin *pin, unsigned width) {
  const unsigned share = share_of(profile->device, pin->index);
  const unsigned alone = pmuv3_device_event_most(profile->device, pin->index);
  const unsigned most = alone < share ? alone : share;
  const unsigned widest = width < 8 ? (1u << width) - 1 : UINT8_MAX;
  profile->max[pin->index] = (uint8_t)(most < widest ? most : widest);
  profile->is_limited[pin->index] = most < widest;
}

static bool can_be(const struct profile *profile, unsigned thread, enum pmuv3_state_key key,
                   uint8_t value) {
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    if (state->thread == thread && state->key == key)
      return memchr(state->values, value, state->num_values);
  }
  return pmuv3_state_get(&profile->device->pe[thread], key) == value;
}

/* Whether a thread can be in a state that is as after a reset but for these keys. */
static bool can_enter(const struct profile *profile, unsigned thread,
                      const enum pmuv3_state_key *keys, size_t num_keys,
                      const struct pmuv3_pe *pe) {
  for (size_t k = 0; k < num_keys; k++)
    if (!can_be(profile, thread, keys[k], (uint8_t)pmuv3_state_get(pe, keys[k]))) return false;
  return !pmuv3_pe_wrong(&profile->device->params, pe);
}

/* The first state that fits: from the highest Exception level down, from the most secure state,
 * with each use of AArch32. If none fits, the state after a reset. */
static struct pmuv3_pe find_state_that(const struct profile *profile, unsigned thread,
                                       bool (*fits)(void *context, const struct pmuv3_pe *pe),
                                       void *context) {
  static const enum pmuv3_state_key keys[] = {PMUV3_STATE_a32el1, PMUV3_STATE_a32el2,
                                              PMUV3_STATE_a32el3, PMUV3_STATE_aa32,
                                              PMUV3_STATE_el,     PMUV3_STATE_ss};
  static const uint8_t spaces[] = {PMUV3_RT, PMUV3_S, PMUV3_RL, PMUV3_NS};
  enum { NUM_KEYS = sizeof keys / sizeof *keys, NUM_FLAGS = NUM_KEYS - 2 };
  const struct pmuv3_pe *start = &profile->device->pe[thread];
  for (unsigned el = 4; el-- > 0;)
    for (size_t s = 0; s < sizeof spaces; s++)
      for (unsigned flags = 0; flags < 1u << NUM_FLAGS; flags++) {
        struct pmuv3_pe pe = *start;
        pe.el = (uint8_t)el;
        pe.ss = spaces[s];
        for (unsigned k = 0; k < NUM_FLAGS; k++)
          pmuv3_state_set(&pe, keys[k], pmuv3_state_get(start, keys[k]) ^ (flags >> k & 1));
        if (can_enter(profile, thread, keys, NUM_KEYS, &pe) && fits(context, &pe)) return pe;
      }
  return *start;
}

static bool fits_always(void *context, const struct pmuv3_pe *pe) {
  (void)context;
  (void)pe;
  return true;
}

struct write_after_reset {
  const struct pmuv3_device *device;
  const struct pmuv3_device_register *reg;
  struct pmuv3 *pmu;
};

static bool takes_write(void *context, const struct pmuv3_pe *pe) {
  const struct write_after_reset *write = context;
  pmuv3_init(write->pmu, &write->device->params);
  pmuv3_set_pe(write->pmu, write->reg->thread, pe);
  return pmuv3_msr(write->pmu, write->reg->thread, write->reg->reg, 0) == PMUV3_DONE;
}

struct pmuv3_pe profile_writer(const struct profile *profile,
                               const struct pmuv3_device_register *reg) {
  struct pmuv3 pmu;
  struct write_after_reset write = {profile->device, reg, &pmu};
  return find_state_that(profile, reg->thread, takes_write, &write);
}

uint64_t profile_reset_value(const struct profile *profile,
                             const struct pmuv3_device_register *reg) {
  const struct pmuv3_device *device = profile->device;
  struct pmuv3 pmu;
  uint64_t value;
  pmuv3_init(&pmu, &device->params);
  for (size_t i = 0; i < device->num_initials; i++)
    pmuv3_write(&pmu, device->initials[i].thread, device->initials[i].reg,
                device->initials[i].value);
  pmuv3_read(&pmu, reg->thread, reg->reg, &value);
  return reg->half == PMUV3_HIGH ? value >> 32 : reg->half == PMUV3_LOW ? (uint32_t)value : value;
}

void profile_find(struct profile *profile, const struct pmuv3_device *device,
                  unsigned (*width)(size_t pin)) {
  memset(profile, 0, sizeof *profile);
  profile->device = device;
  profile->has_cold_reset = pmuv3_device_has_reset(device, false);
  for (size_t p = 0; p < device->num_ports; p++)
    profile->has_checked_port |= device->ports[p].is_checked;
  profile->has_warm_reset = pmuv3_device_has_reset(device, true);
  find_registers(profile);
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    if (pin->role == PMUV3_ROLE_EVENT) find_event(profile, pin, width(p));
    if (pin->role == PMUV3_ROLE_ADDRESS) profile->address_bits[pin->index] = (uint8_t)width(p);
    if (pin->role == PMUV3_ROLE_STATE) /* a key of a thread: once */
      find_state(&profile->states[profile->num_states++], pin, width(p));
    if (pin->role == PMUV3_ROLE_OTHER)
      find_state(&profile->others[pin->thread][pin->index], pin, width(p));
  }
  for (unsigned t = 0; t < device->params.threads; t++)
    profile->highest[t] = find_state_that(profile, t, fits_always, NULL);
}
