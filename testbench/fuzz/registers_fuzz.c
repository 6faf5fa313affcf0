/*
 * The register interface of the C model under libFuzzer: bytes become
 * parameters and a sequence of writes, reads, cycles and resets, with arbitrary
 * encodings and values, each of them checked (checked.h).
 */
#include <string.h>

#include "testbench/fuzz/checked.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_OPERATIONS = 64 };

struct input {
  const uint8_t *next;
  const uint8_t *end;
};

/* The next byte; 0 past the end. */
static uint8_t take(struct input *input) {
  return input->next < input->end ? *input->next++ : 0;
}

static uint64_t take_bytes(struct input *input, unsigned count) {
  uint64_t value = 0;
  while (count-- > 0) value = value << 8 | take(input);
  return value;
}

static struct pmuv3_params take_params(struct input *input) {
  struct pmuv3_params params = pmuv3_params_default();
  params.counters = take(input) % (PMUV3_MAX_COUNTERS + 1);
  params.features = (uint32_t)take_bytes(input, 3) & ((UINT32_C(1) << PMUV3_NUM_FEATURES) - 1);
  uint8_t bits = take(input);
  params.th_width = (uint8_t)(1 + bits % 12);
  params.el2 = bits >> 4 & 1;
  params.el3 = bits >> 5 & 1;
  params.k_restc = bits >> 6 & 1;
  params.slots = take(input);
  pmuv3_params_complete(&params);
  return params;
}

/* An arbitrary encoding, or one of a register; n may be too large. */
static uint16_t take_reg(struct input *input) {
  static const uint16_t regs[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
  };
  enum { NUM_REGS = sizeof regs / sizeof *regs };
  uint8_t choice = take(input);
  if (choice == 0xFF) return (uint16_t)take_bytes(input, 2);
  if (choice < 64) return (uint16_t)(PMUV3_PMEVCNTR + choice % 32);
  if (choice < 128) return (uint16_t)(PMUV3_PMEVTYPER + choice % 32);
  return regs[choice % NUM_REGS];
}

/* A value of 64 bits, mostly where something may happen. */
static uint64_t take_value(struct input *input) {
  uint8_t kind = take(input);
  switch (kind % 8) {
    case 0:
      return take_bytes(input, 8);
    case 1:
      return UINT64_MAX;
    case 2:
      return (UINT64_MAX >> take(input) % 64) - take(input) % 16;
    case 3:
      return UINT32_MAX - (uint64_t)(take(input) % 16);
    case 4:
      return UINT64_C(1) << kind / 8 << take(input) % 33;
    case 5: /* of PMEVTYPER: the fields that count, and an event */
      return take_bytes(input, 2) << 48 | (uint64_t)take(input) << 32 |
             pmuv3_event_number((enum pmuv3_event)(take(input) % PMUV3_NUM_EVENTS));
    default:
      return take(input);
  }
}

static uint8_t take_occurrences(struct input *input, unsigned count,
                                struct pmuv3_occurrence occurrences[PMUV3_NUM_EVENTS]) {
  uint32_t seen = 0;
  uint8_t num = 0;
  while (count-- > 0) {
    unsigned number = take(input) % PMUV3_NUM_EVENTS;
    enum pmuv3_event event = (enum pmuv3_event)number;
    uint8_t limit = pmuv3_event_limit(event);
    uint8_t times = take(input);
    if (pmuv3_event_class_of(event) == PMUV3_EVENT_CLASS_SELF || seen >> number & 1) continue;
    seen |= UINT32_C(1) << number;
    occurrences[num++] = (struct pmuv3_occurrence){(uint8_t)number, times < limit ? times : limit};
  }
  return num;
}

static void tick(struct pmuv3 *pmu, struct input *input, unsigned occurrences, bool has_write) {
  struct pmuv3_occurrence list[PMUV3_NUM_EVENTS];
  struct pmuv3_cycle cycle = {.occurrences = list, .has_write = has_write};
  cycle.num_occurrences = take_occurrences(input, occurrences, list);
  if (has_write) cycle.write.reg = take_reg(input);
  if (has_write) cycle.write.value = take_value(input);
  checked_tick(pmu, &cycle);
}

static void operate(struct pmuv3 *pmu, struct input *input) {
  uint64_t value;
  uint8_t operation = take(input);
  if (operation == 0xFF) {
    checked_reset(pmu);
    return;
  }
  switch (operation % 4) {
    case 0: {
      uint16_t reg = take_reg(input);
      checked_write(pmu, reg, take_value(input));
      break;
    }
    case 1:
      checked_read(pmu, take_reg(input), &value);
      break;
    default:
      tick(pmu, input, operation / 4 % 8, operation / 32 % 2);
  }
}

/* So that little more is needed to see something happen. */
static void start_counting(struct pmuv3 *pmu) {
  checked_write(pmu, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LP));
  checked_write(pmu, PMUV3_PMCNTENSET, UINT64_MAX);
  checked_write(pmu, PMUV3_PMINTENSET, UINT64_MAX);
  uint64_t cycles = pmuv3_event_number(PMUV3_EVENT_CPU_CYCLES);
  for (unsigned n = 0; n < pmu->params.counters; n++)
    checked_write(pmu, PMUV3_PMEVTYPERn(n), cycles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {data, data + size};
  struct pmuv3_params params = take_params(&input);
  struct pmuv3 pmu;
  checked_init(&pmu, &params);
  if (take(&input) % 2) start_counting(&pmu);
  for (unsigned i = 0; i < MAX_OPERATIONS && input.next < input.end; i++) operate(&pmu, &input);
  return 0;
}
