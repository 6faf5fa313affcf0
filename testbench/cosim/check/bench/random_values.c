/* Random stimulus: what is written. */
#include "testbench/cosim/check/bench/random_internal.h"

/* Few bits. */
static uint64_t sparse(struct random *random) {
  const uint64_t a = draw(random);
  const uint64_t b = draw(random);
  const uint64_t c = draw(random);
  return a & b & c;
}

static uint64_t sparse_or_any(struct random *random) {
  return chance(random, 128) ? sparse(random) : draw(random);
}

/* Small, mostly very small. */
static uint64_t small(struct random *random) {
  const unsigned bits = below(random, 7);
  return below(random, 1u << bits);
}

uint64_t random_mask(struct random *random) {
  switch (below(random, 4)) {
    case 0:
      return UINT64_C(1) << below(random, 33);
    case 1:
      return UINT64_MAX;
    case 2:
      return sparse(random);
    default:
      return draw(random);
  }
}

/* ---- Values ---- */

/* Close below a carry into any bit: some bits of the value are all ones but for a few. */
static uint64_t below_carry(struct random *random, uint64_t near) {
  const uint64_t above = draw(random);
  const uint64_t ones = UINT64_MAX >> below(random, 64);
  return (above & ~ones) | (ones - (near & ones));
}

uint64_t random_with_wrong_bit(struct random *random, uint64_t value, unsigned bits) {
  return value ^ UINT64_C(1) << below(random, bits);
}

/* Mostly close below a wrap of 32 or 64 bits. */
static uint64_t plain_counter_value(struct random *random,
                                    const struct pmuv3_device_register *reg) {
  const uint64_t top = reg->half == PMUV3_WHOLE ? UINT64_MAX : UINT32_MAX;
  const uint64_t near = small(random);
  const uint64_t any = draw(random);
  switch (below(random, 8)) {
    case 0:
      return 0;
    case 1:
      return near;
    case 2:
    case 3:
      return below_carry(random, near) & top;
    case 4:
      return top - near;
    default:
      return reg->half == PMUV3_HIGH ? (near & 1 ? top : near)
                                     : ((any & top & ~(uint64_t)UINT32_MAX) | (UINT32_MAX - near));
  }
}

static uint64_t counter_value(struct random *random, const struct pmuv3_device_register *reg) {
  const uint64_t value = plain_counter_value(random, reg);
  if (!chance(random, 64)) return value;
  return random_with_wrong_bit(random, value, reg->half == PMUV3_WHOLE ? 64 : 32);
}

static uint16_t draw_event(struct random *random) {
  const struct pmuv3_device *device = random->profile->device;
  const bool increments = random->profile->writable[CLASS_INCREMENT].count > 0;
  const unsigned kind = below(random, 16);
  if (kind < 9 && device->num_events)
    return device->events[below(random, (unsigned)device->num_events)].number;
  if (kind == 9) return PMUV3_EVENT_CHAIN;
  if (kind == 10)
    return pmuv3_has(&device->params, PMUV3_FEATURE_SS) ? PMUV3_EVENT_PMU_SNAPSHOT
                                                        : PMUV3_EVENT_CHAIN;
  if (kind < 13) return PMUV3_EVENT_CPU_CYCLES;
  if (kind < 15 && increments) return PMUV3_EVENT_SW_INCR;
  const uint64_t any = draw(random);
  return chance(random, 128) ? (uint16_t)(any & 0x3FF) : (uint16_t)any;
}

/* At times with a wrong bit: that is no event, or another one, or before PMUv3p1 the same one. */
static uint16_t draw_number(struct random *random) {
  const uint16_t number = draw_event(random);
  return chance(random, 32) ? (uint16_t)random_with_wrong_bit(random, number, 16) : number;
}

/* Bits that no event, filter or threshold has. */
#define TYPE_RESERVED (UINT64_C(0x3FF) << 44 | UINT64_C(1) << 59)

/* The largest count of a pin of the event; at least a few. */
static unsigned largest_count(const struct random *random, uint16_t number) {
  const struct pmuv3_device *device = random->profile->device;
  unsigned largest = 7;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    const unsigned max = event->is_any ? 1 : random->profile->max[event->source];
    if (event->number == number && max > largest) largest = max;
  }
  return largest;
}

/* A threshold that counts meet; or with a wrong bit: then counts meet it where a comparison leaves
 * the bit out. */
static uint64_t likely_threshold(struct random *random, uint16_t number) {
  const unsigned bits = PMUV3_PMEVTYPER_TH_MSB - PMUV3_PMEVTYPER_TH_LSB + 1;
  const uint64_t threshold = below(random, largest_count(random, number) + 1);
  return chance(random, 64) ? random_with_wrong_bit(random, threshold, bits) : threshold;
}

/* Comparisons and edges. Without thresholds, the bits must do nothing. */
static uint64_t threshold_bits(struct random *random, uint16_t number) {
  const uint64_t th = PMUV3_MASK(PMEVTYPER, TH);
  const uint64_t fields =
      PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) | PMUV3_MASK(PMEVTYPER, TLC) | th;
  const uint64_t value = draw(random) & fields;
  const bool has_any_threshold = chance(random, 32);
  if (has_any_threshold || !pmuv3_has(&random->profile->device->params, PMUV3_FEATURE_TH))
    return value;
  const uint64_t threshold = likely_threshold(random, number);
  return (value & ~th) | threshold << PMUV3_PMEVTYPER_TH_LSB;
}

/* The event is in the low half; a filter or a threshold that is never met silences a counter. */
static uint64_t type_value(struct random *random) {
  const uint16_t number = draw_number(random);
  uint64_t value = number;
  if (chance_or(random, 64, FOCUS_FILTERS, 224)) /* one of them, or several */
    value |= sparse_or_any(random) & UINT64_C(0xFFFF0000);
  if (random->profile->device->params.threads > 1 && chance(random, 96))
    value |= PMUV3_MASK(PMEVTYPER, MT);
  if (chance_or(random, 128, FOCUS_THRESHOLDS, 255)) value |= threshold_bits(random, number);
  if (chance_or(random, 24, FOCUS_FILTERS, 96)) value |= draw(random) & PMUV3_MASK(PMEVTYPER, VS);
  if (chance(random, 32)) value |= PMUV3_MASK(PMEVTYPER, SYNC);
  if (chance(random, 8)) value |= draw(random) & TYPE_RESERVED;
  return value;
}

uint64_t random_control(struct random *random) {
  uint64_t value = sparse(random) & ~UINT64_C(7);
  if (!chance_or(random, 24, FOCUS_ENABLES, 96)) value |= PMUV3_MASK(PMCR, E);
  if (chance(random, 32)) value |= PMUV3_MASK(PMCR, P);
  if (chance(random, 32)) value |= PMUV3_MASK(PMCR, C);
  if (chance(random, 96)) value |= PMUV3_MASK(PMCR, LC);
  if (chance(random, 64)) value |= PMUV3_MASK(PMCR, LP);
  return value;
}

/* The key of PMLAR, or another that locks. */
static uint64_t lock_key(struct random *random) {
  const uint64_t wrong = UINT64_C(1) << below(random, 32);
  return UINT64_C(0xC5ACCE55) ^ (chance(random, 64) ? wrong : 0);
}

/* A number of counters for R1: reserved ones are CONSTRAINED UNPREDICTABLE. */
static unsigned any_hpmn(struct random *random) {
  const struct pmuv3_params *params = &random->profile->device->params;
  const unsigned least = profile_least_hpmn(params);
  return least + below(random, params->counters + 1u - least);
}

/* The PMU Profiling exception: at times EL3 and EL2 leave it to EL1, and EL1 takes it. Only then
 * does it matter what EL1 says (Table D13-1). */
static uint64_t with_profiling(struct random *random, uint64_t value, uint64_t fields,
                               uint64_t wanted) {
  const bool has_exception = pmuv3_has(&random->profile->device->params, PMUV3_FEATURE_EBEP);
  return has_exception && chance(random, 64) ? (value & ~fields) | wanted : value;
}

static uint64_t mdcr_el2_value(struct random *random) {
  uint64_t bits = sparse(random) & ~UINT64_C(0x9F);
  bits |= any_hpmn(random);
  if (chance(random, 64)) bits |= draw(random) & PMUV3_MASK(MDCR_EL2, PMSSE);
  bits |= chance(random, 16) ? 0 : PMUV3_MASK(MDCR_EL2, HPME);
  return with_profiling(random, bits, PMUV3_MASK(MDCR_EL2, PMEE),
                        UINT64_C(1) << PMUV3_MDCR_EL2_PMEE_LSB);
}

static uint64_t mdcr_el3_value(struct random *random) {
  uint64_t bits = sparse(random);
  const uint64_t captures = draw(random);
  if (chance(random, 128))
    bits |= (captures & 1 ? UINT64_MAX : captures) & PMUV3_MASK(MDCR_EL3, PMSSE);
  const unsigned without_spme = bits & PMUV3_MASK(MDCR_EL3, MPMX) ? 128 : 16;
  bits |= chance(random, without_spme) ? 0 : PMUV3_MASK(MDCR_EL3, SPME);
  return with_profiling(random, bits, PMUV3_MASK(MDCR_EL3, PMEE),
                        UINT64_C(1) << PMUV3_MDCR_EL3_PMEE_LSB);
}

static uint64_t pmecr_value(struct random *random) {
  const uint64_t taken = PMUV3_MASK(PMECR, PMEE) | PMUV3_MASK(PMECR, KPME);
  return with_profiling(random, sparse_or_any(random), taken, taken);
}

/* Registers of other classes: most bits low, and enables up. */
static uint64_t other_value(struct random *random, const struct pmuv3_device_register *reg) {
  const struct pmuv3_device *device = random->profile->device;
  if (reg->is_page && reg->offset == 0xFB0) return lock_key(random);
  switch (pmuv3_device_viewed(reg->reg)) {
    case PMUV3_PMSELR: {
      const uint64_t bits = sparse(random) & ~UINT64_C(0x1F);
      const unsigned beyond = below(random, 32);
      return bits | (chance(random, 32) ? beyond : below(random, device->params.counters + 1u));
    }
    case PMUV3_MDCR_EL2:
      return mdcr_el2_value(random);
    case PMUV3_MDCR_EL3:
      return mdcr_el3_value(random);
    case PMUV3_PMECR:
      return pmecr_value(random);
    default:
      return sparse_or_any(random);
  }
}

static uint64_t half_of(const struct pmuv3_device_register *reg, uint64_t value) {
  return reg->half == PMUV3_HIGH ? value >> 32 : value;
}

static uint64_t draw_value(struct random *random, const struct pmuv3_device_register *reg) {
  switch (profile_class(reg)) {
    case CLASS_COUNTER:
      return counter_value(random, reg);
    case CLASS_TYPE:
      return half_of(reg, type_value(random));
    case CLASS_CONTROL:
      return reg->half == PMUV3_HIGH ? sparse(random) : random_control(random);
    case CLASS_ENABLE:
    case CLASS_INTERRUPT:
    case CLASS_FLAG:
    case CLASS_INCREMENT:
      return half_of(reg, random_mask(random));
    case CLASS_CAPTURE:
      return sparse(random) | !chance(random, 64);
    default:
      return half_of(reg, other_value(random, reg));
  }
}

/* Several tries to find data that no bar has. */
uint64_t random_value(struct random *random, const struct pmuv3_device_register *reg) {
  uint64_t value = draw_value(random, reg);
  for (unsigned tries = 0; tries < 16; tries++) {
    if (!profile_is_barred(random->profile->device, reg, value)) break;
    value = draw_value(random, reg);
  }
  return value;
}
