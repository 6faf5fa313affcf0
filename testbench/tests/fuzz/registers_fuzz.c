/*
 * Fuzzes the register interface of the C model with libFuzzer. Bytes become parameters and a
 * sequence of writes, reads, states, cycles and resets, with arbitrary encodings and values. Each
 * step is checked (checked.h).
 */
#include <string.h>

#include "testbench/tests/fuzz/checked.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_OPERATIONS = 64, MAX_OCCURRENCES = 7 };

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

/* The number of words of a choice, which | separates. */
static unsigned count_words(const char *words) {
  unsigned count = 1;
  for (; *words; words++) count += *words == '|';
  return count;
}

static void take_choices(struct input *input, struct pmuv3_params *params) {
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  params->id = (uint8_t)(take(input) % count_words(values));
#include "pmuv3/params.def"
}

static struct pmuv3_params take_params(struct input *input) {
  struct pmuv3_params params = pmuv3_params_default();
  params.counters = take(input) % (PMUV3_MAX_COUNTERS + 1);
  params.features = (uint32_t)take_bytes(input, 4) & ((UINT32_C(1) << PMUV3_NUM_FEATURES) - 1);
  uint8_t bits = take(input);
  params.threads = (uint8_t)(1 + bits % PMUV3_MAX_THREADS);
  params.el2 = bits >> 2 & 1;
  params.el3 = bits >> 3 & 1;
  params.aa64 = bits >> 4 != 0xF;
  params.debugv8p2 = bits >> 4 != 0xE;
  params.th_width = (uint8_t)(1 + bits % 12);
  params.slots = take(input);
  if (take(input) % 2) take_choices(input, &params);
  if (pmuv3_params_complete(&params)) { /* the features contradict other parameters */
    params.k_mt_legacy = 0;
    params.debugv8p2 = 1;
    if (pmuv3_has(&params, PMUV3_FEATURE_EXT32))
      params.features &= ~(UINT32_C(1) << PMUV3_FEATURE_EXT64);
    CHECK(!pmuv3_params_complete(&params));
  }
  return params;
}

/* An arbitrary encoding, or the encoding of a register. n may be too large. */
static uint16_t take_reg(struct input *input) {
  static const uint16_t regs[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_##id,
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
  };
  enum { NUM_REGS = sizeof regs / sizeof *regs };
  uint8_t choice = take(input);
  if (choice == 0xFF) return (uint16_t)take_bytes(input, 2);
  if (choice < 32) return (uint16_t)(PMUV3_PMEVCNTR + choice % 32);
  if (choice < 96) return (uint16_t)(PMUV3_PMEVTYPER + choice % 32);
  if (choice < 128) return (uint16_t)(PMUV3_PMEVTYPER_AA32 + choice % 32);
  if (choice < 136) return (uint16_t)(PMUV3_PMEVCNTR_AA32 + choice % 32);
  if (choice < 144) return (uint16_t)(PMUV3_PMEVCNTSVR + choice % 32);
  return regs[choice % NUM_REGS];
}

/* A value of 64 bits, mostly with bits that have an effect. */
/* An event of the set. */
static const struct pmuv3_event *take_event(const struct pmuv3 *pmu, struct input *input) {
  return &pmu->params.events.event[take(input) % pmu->params.events.num];
}

static uint64_t take_value(const struct pmuv3 *pmu, struct input *input) {
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
    case 5: /* PMEVTYPER: threshold fields and an event */
      return take_bytes(input, 2) << 48 | (uint64_t)take(input) << 32 |
             take_event(pmu, input)->number;
    case 6: /* PMEVTYPER: MT and the filter */
      return take_bytes(input, 2) << 16 | take_event(pmu, input)->number;
    default:
      return take(input);
  }
}

static uint8_t take_thread(const struct pmuv3 *pmu, struct input *input) {
  return take(input) % pmu->params.threads;
}

/* Any legal state. False: the bytes gave an illegal state. */
static bool take_pe(const struct pmuv3 *pmu, struct input *input, struct pmuv3_pe *pe) {
  uint8_t context = take(input);
  uint8_t flags = take(input);
  uint8_t rights = context & 0x80 ? take(input) : 0;
  uint8_t traps = rights & 0x80 ? take(input) : 0;
  *pe = (struct pmuv3_pe){
      .el = context & 3,
      .ss = context >> 2 & 3,
      .snid = context >> 4 & 1 && !pmu->params.debugv8p2,
      .sm = flags & 1,
      .halted = flags >> 1 & 1,
      .active = flags >> 2 & 1,
      .wfx = flags >> 3 & 1,
      .aa32 = flags >> 4 & 1,
      .a32el1 = flags >> 5 & 1,
      .a32el3 = flags >> 6 & 1,
      .eel2 = context >> 5 & 1,
      .tge = rights & 1,
      .e2h = rights >> 1 & 1,
      .pm = rights >> 2 & 1,
      .spe = rights >> 3 & 1,
      .oslk = rights >> 4 & 1,
      .dlk = rights >> 5 & 1,
      .a32el2 = traps & 1,
      .hstr = traps >> 1 & 1,
      .nv = traps >> 2 & 1,
      .sdd = traps >> 3 & 1,
      .fgwte3 = traps >> 4 & 1,
      .fgt = rights & 0x40 ? take_bytes(input, 5) & ((UINT64_C(1) << PMUV3_NUM_FGT) - 1) : 0,
  };
  return !pmuv3_pe_wrong(&pmu->params, pe);
}

/* Another context of a thread. False: the cycle has none. */
static bool take_context(const struct pmuv3 *pmu, struct input *input,
                         struct pmuv3_context *context) {
  uint8_t bits = take(input);
  *context = (struct pmuv3_context){.el = bits & 3, .ss = bits >> 2 & 3, .related = bits >> 4 & 1};
  if (!pmuv3_context_wrong(&pmu->params, context->el, context->ss)) return true;
  *context = (struct pmuv3_context){0};
  return false;
}

/* An origin that is legal for the event. */
static enum pmuv3_origin take_origin(const struct pmuv3 *pmu, struct input *input,
                                     const struct pmuv3_event *event, unsigned thread,
                                     bool has_other) {
  enum pmuv3_origin origin = (enum pmuv3_origin)(take(input) % PMUV3_NUM_ORIGINS);
  bool is_count = event->event_class == PMUV3_EVENT_CLASS_COUNT;
  if (origin == PMUV3_DEBUGGER && !pmu->pe[thread].halted) return PMUV3_CURRENT;
  if (origin == PMUV3_UNATTRIBUTABLE && !is_count) return PMUV3_CURRENT;
  if (origin == PMUV3_OTHER && (!is_count || !has_other)) return PMUV3_CURRENT;
  return origin;
}

/* Up to `most` occurrences and their contexts. Each event, thread and origin occurs once. */
static void take_occurrences(const struct pmuv3 *pmu, struct input *input, unsigned most,
                             struct pmuv3_cycle *cycle, struct pmuv3_occurrence *list) {
  bool seen[PMUV3_MAX_EVENTS][PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS] = {0};
  bool has_other[PMUV3_MAX_THREADS] = {false};
  for (unsigned t = 0; most > 0 && t < pmu->params.threads; t++)
    has_other[t] = take_context(pmu, input, &cycle->other[t]);
  for (; most > 0; most--) {
    const struct pmuv3_event *event = take_event(pmu, input);
    uint8_t count = take(input);
    uint8_t thread = take_thread(pmu, input);
    enum pmuv3_origin origin = take_origin(pmu, input, event, thread, has_other[thread]);
    bool *is_seen = &seen[event - pmu->params.events.event][thread][origin];
    if (event->event_class == PMUV3_EVENT_CLASS_SELF || *is_seen) continue;
    *is_seen = true;
    list[cycle->num_occurrences++] = (struct pmuv3_occurrence){
        event->number, count < event->most ? count : event->most, thread, (uint8_t)origin};
  }
}

/* A word of the page, and a value to write, mostly from the most secure address space. */
static struct pmuv3_external take_external(const struct pmuv3 *pmu, struct input *input) {
  uint8_t bits = take(input);
  uint8_t ss = bits & 4 ? bits & 3 : (uint8_t)pmuv3_el3_state(&pmu->params);
  uint8_t thread = take_thread(pmu, input);
  uint16_t offset = (uint16_t)(take_bytes(input, 2) & 0xFFC);
  uint64_t value = bits & 8 ? 0xC5ACCE55 : take_value(pmu, input);
  return (struct pmuv3_external){thread, ss, offset, (uint32_t)(bits & 16 ? value >> 32 : value)};
}

static void access_external(struct pmuv3 *pmu, struct input *input, bool is_write) {
  struct pmuv3_external access = take_external(pmu, input);
  uint32_t value;
  if (is_write)
    checked_external_write(pmu, &access);
  else
    checked_external_read(pmu, &access, &value);
}

static void access_checked(struct pmuv3 *pmu, struct input *input, bool is_write) {
  uint8_t thread = take_thread(pmu, input);
  uint16_t reg = take_reg(input);
  uint64_t value;
  if (is_write)
    checked_msr(pmu, thread, reg, take_value(pmu, input));
  else
    checked_mrs(pmu, thread, reg, &value);
}

static void tick(struct pmuv3 *pmu, struct input *input, unsigned occurrences, bool has_write) {
  struct pmuv3_occurrence list[MAX_OCCURRENCES];
  struct pmuv3_cycle cycle = {.occurrences = list};
  take_occurrences(pmu, input, occurrences, &cycle, list);
  if (has_write) cycle.has_write = take(input) & (uint8_t)((1u << pmu->params.threads) - 1);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    if (!(cycle.has_write >> t & 1)) continue;
    cycle.write[t].reg = take_reg(input);
    cycle.write[t].value = take_value(pmu, input);
    cycle.write[t].checked = take(input) & 1;
  }
  cycle.has_external = has_write && take(input) & 1;
  if (cycle.has_external) cycle.external = take_external(pmu, input);
  if (has_write) cycle.capture = take(input) & (uint8_t)((1u << pmu->params.threads) - 1);
  checked_tick(pmu, &cycle);
}

static void operate(struct pmuv3 *pmu, struct input *input) {
  uint64_t value;
  uint8_t operation = take(input);
  if (operation == 0xFF) {
    checked_reset(pmu);
    return;
  }
  bool is_write = operation & 8;
  switch (operation % 8) {
    case 0:
    case 4: {
      uint8_t thread = take_thread(pmu, input);
      uint16_t reg = take_reg(input);
      checked_write(pmu, thread, reg, take_value(pmu, input));
      break;
    }
    case 2:
      access_checked(pmu, input, is_write);
      break;
    case 6:
      access_external(pmu, input, is_write);
      break;
    case 1:
    case 5: {
      uint8_t thread = take_thread(pmu, input);
      struct pmuv3_pe pe;
      if (operation >= 0x80)
        checked_read(pmu, thread, take_reg(input), &value);
      else if (take_pe(pmu, input, &pe))
        checked_set_pe(pmu, thread, &pe);
      break;
    }
    default:
      tick(pmu, input, operation / 4 % (MAX_OCCURRENCES + 1), operation / 32 % 2);
  }
}

/* A value a few steps below an overflow of the register, or of its bits below bit 63. */
static uint64_t near_overflow(unsigned n) {
  return (UINT64_MAX >> n % 2) - n / 2;
}

/* Makes all counters count, and overflow soon, so that short inputs already show effects. */
static void start_counting(struct pmuv3 *pmu, unsigned thread, uint64_t pmcr) {
  uint64_t cycles = PMUV3_EVENT_CPU_CYCLES;
  checked_write(pmu, thread, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | pmcr);
  checked_write(pmu, thread, PMUV3_PMCNTENSET, UINT64_MAX);
  checked_write(pmu, thread, PMUV3_PMINTENSET, UINT64_MAX);
  checked_write(pmu, thread, PMUV3_PMCCNTR, near_overflow(thread + 2));
  checked_write(pmu, thread, PMUV3_PMICNTR, UINT64_MAX);
  for (unsigned n = 0; n < pmu->params.counters; n++) {
    checked_write(pmu, thread, PMUV3_PMEVTYPERn(n), cycles);
    checked_write(pmu, thread, PMUV3_PMEVCNTRn(n), near_overflow(n));
  }
}

/* Starts counting by one byte: which threads count, and how. */
static void start(struct pmuv3 *pmu, uint8_t bits) {
  uint64_t pmcr =
      (bits >> 4 & 1 ? PMUV3_MASK(PMCR, LP) : 0) | (bits >> 5 & 1 ? PMUV3_MASK(PMCR, LC) : 0) |
      (bits >> 6 & 1 ? PMUV3_MASK(PMCR, FZO) : 0) | (bits >> 7 & 1 ? PMUV3_MASK(PMCR, D) : 0);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (bits >> t & 1) start_counting(pmu, t, pmcr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {data, data + size};
  struct pmuv3_params params = take_params(&input);
  struct pmuv3 pmu;
  checked_init(&pmu, &params);
  start(&pmu, take(&input));
  for (unsigned i = 0; i < MAX_OPERATIONS && input.next < input.end; i++) operate(&pmu, &input);
  check_derived(&pmu);
  return 0;
}
