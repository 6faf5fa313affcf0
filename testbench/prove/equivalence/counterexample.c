#include "testbench/prove/equivalence/counterexample.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "testbench/cosim/stimulus/stimulus.h"

/* ---- The counterexample ---- */

/* A clock, and the state before it. */
struct clock {
  struct pmuv3 before;             /* nothing in it is derived */
  bool copying[PMUV3_MAX_THREADS]; /* a snapshot was taken in the clock before */
  struct pmuv3_pe next_pe;         /* of the thread of the case, if that changes its state */
  struct step_inputs inputs;
};

__attribute__((format(printf, 2, 3))) static uint64_t value(
    const struct counterexample *counterexample, const char *format, ...) {
  char name[96];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  return counterexample->value(name, counterexample->with);
}

static uint64_t bits(uint64_t from, unsigned number) {
  return from & ((UINT64_C(1) << number) - 1);
}

/* Out of range is only what does not matter. */
static uint8_t within(uint64_t given, uint64_t min, uint64_t max, uint64_t otherwise) {
  return (uint8_t)(given < min || given > max ? otherwise : given);
}

static struct pmuv3_params get_params(const struct counterexample *counterexample) {
  struct pmuv3_params params = {.features = 0};
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  params.name = within(value(counterexample, #name), min, max, dflt);
#define PMUV3_CHOICE(id, name, dflt, values, number, text) \
  params.id = (uint8_t)bits(value(counterexample, #id), number);
#include "pmuv3/params.def"
#define PMUV3_FEATURE(id, implies, dflt, text) \
  params.features |= (uint32_t)bits(value(counterexample, "FEAT_" #id), 1) << PMUV3_FEATURE_##id;
#include "pmuv3/params.def"
  params.threads = (uint8_t)counterexample->size.threads;
  if (params.counters > counterexample->size.counters)
    params.counters = (uint8_t)counterexample->size.counters;
  return params;
}

/* ---- Its state ---- */

/* The thread's state, "pe"; or that which it changes to, "next". */
static struct pmuv3_pe get_pe(const struct counterexample *counterexample,
                              const struct pmuv3_params *params, unsigned t, const char *which) {
  struct pmuv3_pe pe = PMUV3_PE_RESET;
  pe.el = (uint8_t)bits(value(counterexample, "t%u.%s.el", t, which), 2);
  pe.ss = (uint8_t)bits(value(counterexample, "t%u.%s.ss", t, which), 2);
  pe.fgt = (uint8_t)bits(value(counterexample, "t%u.%s.fgt", t, which), 4);
#define FLAG(flag) pe.flag = bits(value(counterexample, "t%u.%s." #flag, t, which), 1) != 0;
  PMUV3_PE_FLAGS(FLAG)
#undef FLAG
  if (pmuv3_pe_wrong(params, &pe) == NULL) return pe;
  return (struct pmuv3_pe)PMUV3_PE_RESET;
}

static uint64_t all_if(bool condition) {
  return condition ? UINT64_MAX : 0;
}

/* Registers that hold what is written to them, but for bits that are not there. */
#define REGISTERS(REGISTER)      \
  REGISTER(pmcr, PMCR)           \
  REGISTER(mdcr_el2, MDCR_EL2)   \
  REGISTER(mdcr_el3, MDCR_EL3)   \
  REGISTER(sder, SDER32_EL3)     \
  REGISTER(pmccfiltr, PMCCFILTR) \
  REGISTER(pmicfiltr, PMICFILTR) \
  REGISTER(cnten, PMCNTENSET)    \
  REGISTER(inten, PMINTENSET)    \
  REGISTER(overflow, PMOVSSET)   \
  REGISTER(pmselr, PMSELR)       \
  REGISTER(pmuserenr, PMUSERENR) \
  REGISTER(pmuacr, PMUACR)       \
  REGISTER(pmecr, PMECR)         \
  REGISTER(pmiar, PMIAR)

static void get_registers(const struct counterexample *counterexample,
                          const struct pmuv3_params *params, unsigned t,
                          struct pmuv3_registers *registers) {
#define GET(name, reg) \
  registers->name =    \
      value(counterexample, "t%u.registers." #name, t) & pmuv3_register_mask(params, PMUV3_##reg);
  REGISTERS(GET)
#undef GET
  registers->pmcr &= ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
  const uint64_t ss = all_if(pmuv3_has(params, PMUV3_FEATURE_SS));
  registers->pmsscr =
      value(counterexample, "t%u.registers.pmsscr", t) & PMUV3_MASK(PMSSCR, NC) & ss;
  const uint64_t extpmn = all_if(pmuv3_has(params, PMUV3_FEATURE_EXTPMN));
  registers->pmccr = value(counterexample, "t%u.registers.pmccr", t) & UINT64_C(0x19F) & extpmn;
  const bool lock = pmuv3_has(params, PMUV3_FEATURE_EXT32);
  registers->locked = lock && bits(value(counterexample, "t%u.registers.locked", t), 1) != 0;
}

static void get_counters(const struct counterexample *counterexample, const struct pmuv3 *pmu,
                         unsigned t, struct pmuv3_thread *thread) {
  struct pmuv3_state *state = &thread->state;
  const bool waiting = bits(value(counterexample, "t%u.state.waiting", t), 1) != 0;
  for (unsigned n = 0; n < pmu->params.counters; n++) {
    const unsigned lane = pmuv3_lane(n);
    const uint64_t pending = value(counterexample, "t%u.pending%u", t, n);
    const uint64_t evtyper = value(counterexample, "t%u.PMEVTYPER%u", t, n) << 16 |
                             bits(value(counterexample, "t%u.evtCount%u", t, n), 16);
    thread->registers.evtyper[n] = evtyper & pmuv3_register_mask(&pmu->params, PMUV3_PMEVTYPERn(n));
    state->value[lane] = value(counterexample, "t%u.state.value%u", t, n) & pmu->identity.width;
    state->CP[lane] = (uint16_t)all_if(bits(value(counterexample, "t%u.CP%u", t, n), 1) != 0);
    state->pending[lane] = waiting ? (uint16_t)bits(pending, 8) : 0;
    state->waiting |= state->pending[lane] != 0;
  }
  state->cycles = value(counterexample, "t%u.state.cycles", t);
  state->divider = (uint8_t)bits(value(counterexample, "t%u.state.divider", t), 6);
  state->instructions = value(counterexample, "t%u.state.instructions", t) &
                        all_if(pmuv3_has(&pmu->params, PMUV3_FEATURE_ICNTR));
}

/* Until it is copied, what is saved is what the counters are. */
static void get_saved(const struct counterexample *counterexample, const struct pmuv3 *pmu,
                      unsigned t, bool copying, struct pmuv3_thread *thread) {
  const uint64_t icntr = all_if(pmuv3_has(&pmu->params, PMUV3_FEATURE_ICNTR));
  struct pmuv3_saved *saved = &thread->saved;
  for (unsigned n = 0; n < pmu->params.counters; n++)
    saved->value[n] = copying ? thread->state.value[pmuv3_lane(n)]
                              : value(counterexample, "t%u.svr%u", t, n) & pmu->identity.width;
  saved->cycles = copying ? thread->state.cycles : value(counterexample, "t%u.saved.cycles", t);
  saved->instructions = copying ? thread->state.instructions
                                : value(counterexample, "t%u.saved.instructions", t) & icntr;
}

static void get_thread(const struct counterexample *counterexample, unsigned t,
                       struct clock *clock) {
  struct pmuv3 *pmu = &clock->before;
  struct pmuv3_thread *thread = &pmu->thread[t];
  const bool ss = pmuv3_has(&pmu->params, PMUV3_FEATURE_SS);
  pmu->pe[t] = get_pe(counterexample, &pmu->params, t, "pe");
  get_registers(counterexample, &pmu->params, t, &thread->registers);
  get_counters(counterexample, pmu, t, thread);
  clock->copying[t] = ss && bits(value(counterexample, "t%u.copying", t), 1) != 0;
  if (ss) get_saved(counterexample, pmu, t, clock->copying[t], thread);
}

/* ---- Its inputs ---- */

static void get_other(const struct counterexample *counterexample, unsigned t,
                      struct clock *clock) {
  const struct pmuv3_pe *pe = &clock->before.pe[t];
  struct pmuv3_context *other = &clock->inputs.other[t];
  other->el = (uint8_t)bits(value(counterexample, "t%u.other.el", t), 2);
  other->ss = (uint8_t)bits(value(counterexample, "t%u.other.ss", t), 2);
  other->related = bits(value(counterexample, "t%u.other.related", t), 1) != 0;
  if (pmuv3_context_wrong(&clock->before.params, other->el, other->ss) != NULL)
    *other = (struct pmuv3_context){pe->el, pe->ss, false};
}

static void get_counts(const struct counterexample *counterexample, unsigned t,
                       struct clock *clock) {
  static const char *const origins[] = {"current", "other", "unattributable", "debugger"};
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    const enum pmuv3_event_index event = (enum pmuv3_event_index)e;
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      if (!pmuv3_event_has(event, (enum pmuv3_origin)o)) continue;
      const uint64_t count =
          value(counterexample, "t%u.%s.%s", t, pmuv3_event_mnemonic(event), origins[o]);
      clock->inputs.count[e][t][o] = (uint8_t)(count & pmuv3_event_limit(event));
    }
  }
}

static void get_access(const struct counterexample *counterexample, struct clock *clock) {
  const struct model_case *which = &counterexample->which;
  const unsigned t = which->thread;
  const bool write = which->access == MODEL_WRITE || which->access == MODEL_WAIT;
  if (which->access != MODEL_READ && !write) return;
  clock->inputs.access[t] = (struct step_access){
      .write = write,
      .read = which->access == MODEL_READ,
      .checked = bits(value(counterexample, "t%u.checked", t), 1) != 0,
      .reg = which->place,
      .value = value(counterexample, "t%u.wdata", t),
  };
}

/* Beside an access, a transfer may be there that waits. */
static void get_transfer(const struct counterexample *counterexample, struct clock *clock) {
  const struct model_case *which = &counterexample->which;
  const bool transfers = which->access == MODEL_TRANSFER;
  const bool waits =
      !transfers && which->access != MODEL_NO_ACCESS && counterexample->size.threads > 1;
  const bool has_place = transfers && which->thread < counterexample->size.threads;
  const bool select = value(counterexample, "apb.psel") & value(counterexample, "apb.penable") &
                      value(counterexample, "apb.pclken") & 1;
  clock->inputs.transfer = (struct step_transfer){
      .select = transfers || (select && model_is_clock(which) && which->access != MODEL_NO_ACCESS),
      .write = bits(value(counterexample, "apb.write"), 1) != 0,
      .page = (uint8_t)(transfers || waits ? which->thread
                                           : bits(value(counterexample, "apb.page"), 2)),
      .ss = (uint8_t)bits(value(counterexample, "apb.space"), 2),
      .offset =
          (uint16_t)(has_place ? which->place : bits(value(counterexample, "apb.offset"), 12)),
      .strobes = (uint8_t)bits(value(counterexample, "apb.strobes"), 4),
      .value = (uint32_t)value(counterexample, "apb.wdata"),
  };
}

static void get_clock(const struct counterexample *counterexample,
                      const struct pmuv3_params *params, struct clock *clock) {
  memset(clock, 0, sizeof *clock);
  pmuv3_init(&clock->before, params);
  clock->inputs.cycle = counterexample->which.cycle;
  for (unsigned t = 0; t < params->threads; t++) {
    get_thread(counterexample, t, clock);
    get_other(counterexample, t, clock);
    get_counts(counterexample, t, clock);
  }
  get_access(counterexample, clock);
  if (model_is_clock(&counterexample->which) || counterexample->which.access == MODEL_WAIT)
    get_transfer(counterexample, clock);
  if (counterexample->which.access == MODEL_SET_PE)
    clock->next_pe = get_pe(counterexample, params, counterexample->which.thread, "next");
}

/* ---- The file ---- */

struct file {
  FILE *out;
  struct pmuv3 now; /* the C model after the lines so far */
  /* Software increments that the reader takes for waiting, whether they reached the counter or not:
   * no more than 255, and none when the state changes. */
  uint8_t increments[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
  bool exact;
};

/* Where it is another state or clock. */
__attribute__((format(printf, 2, 3))) static void differ(struct file *file, const char *format,
                                                         ...) {
  va_list args;
  va_start(args, format);
  fputs("# Differs: ", file->out);
  vfprintf(file->out, format, args);
  fputc('\n', file->out);
  va_end(args);
  file->exact = false;
}

static void idle(struct pmuv3 *pmu, uint64_t cycles) {
  const struct pmuv3_cycle nothing = {0};
  for (; cycles > 0; cycles--) pmuv3_tick(pmu, &nothing);
}

static bool is_pmswinc(uint16_t reg) {
  return reg == PMUV3_PMSWINC || reg == PMUV3_PMSWINC_AA32;
}

static void count_increments(struct file *file, const struct pmuv3_item *item) {
  if (!is_pmswinc(item->access.reg) || item->result != PMUV3_DONE) return;
  if (file->now.pe[item->thread].halted) return;
  for (unsigned n = 0; n < file->now.params.counters; n++)
    if (item->access.value >> n & 1) file->increments[item->thread][n]++;
}

static bool waits_in_file(const struct file *file, unsigned t) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    if (file->increments[t][n] != 0) return true;
  return false;
}

/* Writes a line, and does what it says. */
static void put(struct file *file, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  struct pmuv3 *pmu = &file->now;
  pmuv3_stimulus_write_item(file->out, item);
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      count_increments(file, item);
      pmuv3_write(pmu, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_MSR:
      count_increments(file, item);
      pmuv3_msr(pmu, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      pmuv3_external_write(pmu, item->thread, (enum pmuv3_security_state)external->ss,
                           external->offset, external->value);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_set_pe(pmu, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_RESET:
      memset(file->increments, 0, sizeof file->increments);
      pmuv3_reset(pmu);
      break;
    case PMUV3_ITEM_IDLE:
      memset(file->increments, 0, sizeof file->increments);
      idle(pmu, item->idle);
      break;
    case PMUV3_ITEM_CYCLE:
      memset(file->increments, 0, sizeof file->increments);
      pmuv3_tick(pmu, &item->cycle);
      break;
    default: /* changes nothing */
      break;
  }
}

static void put_write(struct file *file, unsigned t, uint16_t reg, uint64_t written) {
  put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_WRITE,
                                 .thread = (uint8_t)t,
                                 .access = {.reg = reg, .value = written}});
}

static void put_read(struct file *file, unsigned t, const struct step_access *access) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_EXPECT,
                            .thread = (uint8_t)t,
                            .access = {.reg = access->reg, .checked = access->checked}};
  uint64_t *read = &item.access.value;
  if (access->checked) {
    item.kind = PMUV3_ITEM_MRS;
    item.has_result = true;
    item.result = (uint8_t)pmuv3_mrs(&file->now, t, access->reg, read);
    item.has_value = item.result == PMUV3_DONE;
  } else if (pmuv3_read(&file->now, t, access->reg, read) != PMUV3_ACCESS_OK) {
    item.kind = PMUV3_ITEM_REFUSED_READ;
  }
  put(file, &item);
}

static void put_expect(struct file *file, unsigned t, uint16_t reg) {
  put_read(file, t, &(struct step_access){.reg = reg});
}

static void put_idle(struct file *file, uint64_t cycles) {
  put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_IDLE, .idle = cycles});
}

static void put_pe(struct file *file, unsigned t, const struct pmuv3_pe *pe) {
  if (memcmp(&file->now.pe[t], pe, sizeof *pe) == 0) return;
  put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_PE, .thread = (uint8_t)t, .pe = *pe});
}

/* Words of the page that are at the same place in both layouts, or in one of them alone. */
enum {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  OFFSET_##id = (lo32),
#include "pmuv3/external.def"
};

static void put_external(struct file *file, unsigned t, uint16_t offset, uint64_t word) {
  put(file,
      &(struct pmuv3_item){.kind = PMUV3_ITEM_EXTERNAL_WRITE,
                           .thread = (uint8_t)t,
                           .external = {(uint8_t)t, (uint8_t)pmuv3_el3_state(&file->now.params),
                                        offset, (uint32_t)word}});
}

/* Writes a register that has another value. One that is not there has none. */
static void set(struct file *file, unsigned t, uint16_t reg, uint64_t to) {
  uint64_t is;
  if (pmuv3_read(&file->now, t, reg, &is) != PMUV3_ACCESS_OK) return;
  if (is != to) put_write(file, t, reg, to);
}

/* Likewise of one that has a bit a counter. */
static void set_bits(struct file *file, unsigned t, uint16_t set_reg, uint16_t clear_reg,
                     uint64_t to) {
  uint64_t is;
  pmuv3_read(&file->now, t, set_reg, &is);
  if ((is & ~to) != 0) put_write(file, t, clear_reg, is & ~to);
  if ((to & ~is) != 0) put_write(file, t, set_reg, to & ~is);
}

/* ---- From a reset to the state: what cycles leave behind ---- */

/* The divider counts cycles, and the cycle counter does not before it has 64. */
static void make_divider(struct file *file, unsigned t, uint8_t divider) {
  if (divider == 0) return;
  put_write(file, t, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C));
  put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, D));
  put_idle(file, divider);
  put_write(file, t, PMUV3_PMCR, 0);
  put_write(file, t, PMUV3_PMCNTENCLR, PMUV3_MASK(PMCNTENSET, C));
}

/* Where CP is to be 1. */
static uint64_t crossed(const struct pmuv3 *pmu, unsigned t) {
  uint64_t counters = 0;
  for (unsigned n = 0; n < pmu->params.counters; n++)
    counters |= (uint64_t)(pmu->thread[t].state.CP[pmuv3_lane(n)] & 1) << n;
  return counters;
}

/* A cycle in which the counters that are enabled count CPU_CYCLES, which is more than a TH of 0. */
static void make_CP(struct file *file, const struct clock *clock) {
  uint64_t any = 0;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    const uint64_t counters = crossed(&clock->before, t);
    any |= counters;
    if (counters == 0) continue;
    for (unsigned n = 0; n < file->now.params.counters; n++)
      if ((counters >> n & 1) != 0) put_write(file, t, PMUV3_PMEVTYPERn(n), 0x0011);
    put_write(file, t, PMUV3_PMCNTENSET, counters);
    put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
  }
  if (any == 0) return;
  put_idle(file, 1);
  for (unsigned t = 0; t < file->now.params.threads; t++) set(file, t, PMUV3_PMCR, 0);
  for (unsigned t = 0; t < file->now.params.threads; t++)
    set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, 0);
}

/* ---- What was saved ---- */

/* Table D13-10, of all Exception levels. */
enum { PROHIBITED = 2, ALLOWED = 3 };

static void control_captures(struct file *file, unsigned t, uint64_t control) {
  const struct pmuv3_registers *registers = &file->now.thread[t].registers;
  set(file, t, PMUV3_MDCR_EL3,
      (registers->mdcr_el3 & ~PMUV3_MASK(MDCR_EL3, PMSSE)) |
          (file->now.params.el3 ? control << PMUV3_MDCR_EL3_PMSSE_LSB : 0));
  set(file, t, PMUV3_MDCR_EL2,
      (registers->mdcr_el2 & ~PMUV3_MASK(MDCR_EL2, PMSSE)) |
          (file->now.params.el2 ? control << PMUV3_MDCR_EL2_PMSSE_LSB : 0));
  set(file, t, PMUV3_PMECR, control << PMUV3_PMECR_SSE_LSB);
}

static bool is_saved(const struct pmuv3_saved *is, const struct pmuv3_saved *wanted) {
  return memcmp(is, wanted, sizeof *is) == 0;
}

/* A capture, and what it saved: on both sides. */
static void put_capture(struct file *file, unsigned t) {
  const struct pmuv3_params *params = &file->now.params;
  control_captures(file, t, ALLOWED);
  put_write(file, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  for (unsigned n = 0; n < params->counters; n++) put_expect(file, t, PMUV3_PMEVCNTSVRn(n));
  put_expect(file, t, PMUV3_PMCCNTSVR);
  if (pmuv3_has(params, PMUV3_FEATURE_ICNTR)) put_expect(file, t, PMUV3_PMICNTSVR);
}

/* Captures what the counters are to have saved; then one that is prohibited says so. */
static void make_saved(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_thread *is = &file->now.thread[t];
  const uint64_t nc = wanted->registers.pmsscr;
  if (is->registers.pmsscr == nc && is_saved(&is->saved, &wanted->saved)) return;
  for (unsigned n = 0; n < file->now.params.counters; n++)
    set(file, t, PMUV3_PMEVCNTRn(n), wanted->saved.value[n]);
  set(file, t, PMUV3_PMCCNTR, wanted->saved.cycles);
  set(file, t, PMUV3_PMICNTR, wanted->saved.instructions);
  put_capture(file, t);
  if (nc == 0) return;
  control_captures(file, t, PROHIBITED);
  put_write(file, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
}

/* ---- Registers ---- */

static void make_counters(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    set(file, t, PMUV3_PMEVTYPERn(n), wanted->registers.evtyper[n]);
    set(file, t, PMUV3_PMEVCNTRn(n), wanted->state.value[pmuv3_lane(n)]);
  }
  set(file, t, PMUV3_PMCCNTR, wanted->state.cycles);
  set(file, t, PMUV3_PMICNTR, wanted->state.instructions);
}

/* In an order in which none changes another one; what enables is last. */
static void make_registers(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_registers *registers = &wanted->registers;
  uint64_t pmicfiltr;
  make_counters(file, t, wanted);
  set(file, t, PMUV3_PMCCFILTR, registers->pmccfiltr);
  pmuv3_read(&file->now, t, PMUV3_PMICFILTR, &pmicfiltr);
  set(file, t, PMUV3_PMICFILTR,
      registers->pmicfiltr | (pmicfiltr & PMUV3_MASK(PMICFILTR, evtCount)));
  set(file, t, PMUV3_PMSELR, registers->pmselr);
  set(file, t, PMUV3_PMUSERENR, registers->pmuserenr);
  set(file, t, PMUV3_PMUACR, registers->pmuacr);
  set(file, t, PMUV3_PMIAR, registers->pmiar);
  set(file, t, PMUV3_SDER32_EL3, registers->sder);
  set(file, t, PMUV3_PMECR, registers->pmecr);
  set(file, t, PMUV3_MDCR_EL3, registers->mdcr_el3);
  set_bits(file, t, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, registers->overflow);
  set_bits(file, t, PMUV3_PMINTENSET, PMUV3_PMINTENCLR, registers->inten);
  set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, registers->cnten);
  set(file, t, PMUV3_MDCR_EL2, registers->mdcr_el2);
  uint64_t pmcr;
  pmuv3_read(&file->now, t, PMUV3_PMCR, &pmcr);
  set(file, t, PMUV3_PMCR, registers->pmcr | (pmcr & PMUV3_MASK(PMCR, N)));
}

static void make_lock(struct file *file, unsigned t, bool locked) {
  if (file->now.thread[t].registers.locked == locked) return;
  put_external(file, t, OFFSET_PMLAR, locked ? 0 : 0xC5ACCE55);
}

/* It takes counters from System registers: those are ready. */
static void make_pmccr(struct file *file, unsigned t, uint64_t pmccr) {
  if (file->now.thread[t].registers.pmccr != pmccr) put_external(file, t, OFFSET_PMCCR, pmccr);
}

/* ---- The last clocks: software increments, a snapshot, states ---- */

/* Increments are to wait, and can: they are made in the state in which they are counted. */
static bool has_increments(const struct clock *clock, unsigned t) {
  return clock->before.thread[t].state.waiting && !clock->before.pe[t].halted;
}

static void make_increments(struct file *file, unsigned t, const struct pmuv3_state *wanted) {
  for (unsigned made = 0; made < UINT8_MAX; made++) {
    uint64_t counters = 0;
    for (unsigned n = 0; n < file->now.params.counters; n++)
      counters |= (uint64_t)(wanted->pending[pmuv3_lane(n)] > made) << n;
    if (counters == 0) return;
    put_write(file, t, PMUV3_PMSWINC, counters);
  }
}

/* Whether a capture in the last clock leaves the state as it is to be. */
static bool captures_last(const struct clock *clock, unsigned t) {
  struct pmuv3 then = clock->before;
  struct pmuv3_thread *thread = &then.thread[t];
  if (!clock->copying[t]) return false;
  if (!has_increments(clock, t)) then.pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  step_decode(&then);
  thread->registers.pmsscr = PMUV3_MASK(PMSSCR, NC);
  memset(&thread->saved, 0, sizeof thread->saved);
  pmuv3_write(&then, t, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  return thread->registers.pmsscr == clock->before.thread[t].registers.pmsscr &&
         is_saved(&thread->saved, &clock->before.thread[t].saved);
}

/* The thread whose snapshot is taken in the last clock, that of the access rather than another;
 * none: PMUV3_MAX_THREADS. */
static unsigned last_capture(const struct clock *clock, const struct model_case *which) {
  const unsigned threads = clock->before.params.threads;
  if (which->thread < threads && captures_last(clock, which->thread)) return which->thread;
  for (unsigned t = 0; t < threads; t++)
    if (captures_last(clock, t)) return t;
  return PMUV3_MAX_THREADS;
}

/* PMCCR takes no increments from counters of range R3, but cannot be written behind a Double Lock.
 */
static bool is_pmccr_last(const struct clock *clock, unsigned t) {
  return has_increments(clock, t) && !clock->before.pe[t].dlk;
}

/* A change of state is no clock. */
static void make_last(struct file *file, const struct clock *clock, unsigned capture) {
  const struct pmuv3 *wanted = &clock->before;
  const unsigned threads = wanted->params.threads;
  for (unsigned t = 0; t < threads; t++)
    if (!is_pmccr_last(clock, t)) make_pmccr(file, t, wanted->thread[t].registers.pmccr);
  for (unsigned t = 0; t < threads; t++) {
    if (!has_increments(clock, t)) continue;
    put_pe(file, t, &wanted->pe[t]);
    make_increments(file, t, &wanted->thread[t].state);
  }
  for (unsigned t = 0; t < threads; t++)
    if (is_pmccr_last(clock, t)) make_pmccr(file, t, wanted->thread[t].registers.pmccr);
  if (capture < threads) put_write(file, capture, PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
  for (unsigned t = 0; t < threads; t++) put_pe(file, t, &wanted->pe[t]);
}

/* ---- Where it is not that state ---- */

static void compare(struct file *file, unsigned t, const char *name, uint64_t wanted, uint64_t is) {
  if (wanted == is) return;
  differ(file, "thread %u: %s is 0x%" PRIx64 ", not 0x%" PRIx64, t, name, is, wanted);
}

static void compare_counter(struct file *file, unsigned t, unsigned n, const char *name,
                            uint64_t wanted, uint64_t is) {
  char text[40];
  snprintf(text, sizeof text, "%s of counter %u", name, n);
  compare(file, t, text, wanted, is);
}

static void compare_registers(struct file *file, unsigned t, const struct pmuv3_registers *wanted,
                              const struct pmuv3_registers *is) {
#define COMPARE(name, reg) compare(file, t, #reg, wanted->name, is->name);
  REGISTERS(COMPARE)
  COMPARE(pmsscr, PMSSCR)
  COMPARE(pmccr, PMCCR)
  COMPARE(locked, the Software Lock)
#undef COMPARE
}

static void compare_thread(struct file *file, unsigned t, const struct pmuv3_thread *wanted) {
  const struct pmuv3_thread *is = &file->now.thread[t];
  compare_registers(file, t, &wanted->registers, &is->registers);
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    const unsigned lane = pmuv3_lane(n);
#define COMPARE(name, place) compare_counter(file, t, n, name, wanted->place, is->place);
    COMPARE("PMEVTYPER", registers.evtyper[n])
    COMPARE("the value", state.value[lane])
    COMPARE("CP", state.CP[lane])
    COMPARE("waiting increments", state.pending[lane])
    COMPARE("the saved value", saved.value[n])
#undef COMPARE
  }
  compare(file, t, "PMCCNTR", wanted->state.cycles, is->state.cycles);
  compare(file, t, "the divider", wanted->state.divider, is->state.divider);
  compare(file, t, "PMICNTR", wanted->state.instructions, is->state.instructions);
  compare(file, t, "PMCCNTSVR", wanted->saved.cycles, is->saved.cycles);
  compare(file, t, "PMICNTSVR", wanted->saved.instructions, is->saved.instructions);
}

static void compare_state(struct file *file, const struct clock *clock, unsigned capture) {
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    compare_thread(file, t, &clock->before.thread[t]);
    if (clock->copying[t] && (t != capture || clock->inputs.transfer.select))
      differ(file, "thread %u: its snapshot was not taken in the clock before", t);
  }
}

static void make_state(struct file *file, struct clock *clock, const struct model_case *which) {
  const unsigned threads = clock->before.params.threads;
  const unsigned capture = last_capture(clock, which);
  for (unsigned t = 0; t < threads; t++)
    make_divider(file, t, clock->before.thread[t].state.divider);
  make_CP(file, clock);
  for (unsigned t = 0; t < threads; t++) {
    const struct pmuv3_thread *wanted = &clock->before.thread[t];
    if (t != capture) make_saved(file, t, wanted);
    make_registers(file, t, wanted);
    make_lock(file, t, wanted->registers.locked);
  }
  make_last(file, clock, capture);
  compare_state(file, clock, capture);
}

/* ---- What files do not have ---- */

/* A key that must be 0, and does not matter. */
static void fit_pe(struct file *file, const struct clock *clock, unsigned t, struct pmuv3_pe *pe) {
  if (!pe->snid || !clock->before.params.debugv8p2) return;
  differ(file, "thread %u: snid is 0, not 1", t);
  pe->snid = false;
}

static bool is_elsewhere(const struct clock *clock, unsigned t) {
  const struct pmuv3_context *other = &clock->inputs.other[t];
  return other->el != clock->before.pe[t].el || other->ss != clock->before.pe[t].ss;
}

/* What cannot occur in a thread, and is left out. */
struct lost {
  unsigned unfit, of_debugger, joined;
};

static void lose(uint8_t *count, unsigned *lost) {
  *lost += *count;
  *count = 0;
}

/* What occurs in an other context that is the current one occurs there. */
static void join(uint8_t counts[PMUV3_NUM_ORIGINS], unsigned *joined) {
  const unsigned sum = (unsigned)counts[PMUV3_CURRENT] + counts[PMUV3_OTHER];
  lose(&counts[PMUV3_OTHER], joined);
  counts[PMUV3_CURRENT] = (uint8_t)(sum <= UINT8_MAX ? sum : UINT8_MAX);
}

static struct lost fit_counts(struct clock *clock, unsigned t) {
  const struct pmuv3 *before = &clock->before;
  struct lost lost = {0, 0, 0};
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    uint8_t *counts = clock->inputs.count[e][t];
    const bool fits = pmuv3_event_fits(&before->params, (enum pmuv3_event_index)e);
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS && !fits; o++) lose(&counts[o], &lost.unfit);
    if (!before->pe[t].halted) lose(&counts[PMUV3_DEBUGGER], &lost.of_debugger);
    if (!is_elsewhere(clock, t)) join(counts, &lost.joined);
  }
  return lost;
}

static void fit_occurrences(struct file *file, struct clock *clock, unsigned t) {
  const struct lost lost = fit_counts(clock, t);
  if (lost.unfit != 0)
    differ(file, "thread %u: without %u occurrences of events that need PMUv3p1", t, lost.unfit);
  if (lost.of_debugger != 0)
    differ(file, "thread %u: without %u occurrences of a debugger: it is not halted", t,
           lost.of_debugger);
  if (lost.joined != 0)
    differ(file,
           "thread %u: %u occurrences of its other context are of the current one, which "
           "it is",
           t, lost.joined);
}

/* A view has 32 bits. */
static void fit_value(struct file *file, struct step_access *access) {
  if (!access->write || pmuv3_register_bits(access->reg) == 64 || access->value <= UINT32_MAX)
    return;
  differ(file, "the written value is without its upper half, 0x%" PRIx64, access->value >> 32);
  access->value = (uint32_t)access->value;
}

static bool is_write_refused(const struct pmuv3_params *params, const struct step_access *access) {
  return access->write && !access->checked &&
         pmuv3_register_writable(params, access->reg) != PMUV3_ACCESS_OK;
}

/* Whether there is such an access beside others: in a cycle, where a write waits with the thread's
 * own one. */
static bool has_transfer(const struct clock *clock, bool beside) {
  const struct step_transfer *transfer = &clock->inputs.transfer;
  const bool is_word = transfer->page < clock->before.params.threads && transfer->offset % 4 == 0;
  if (!is_word || (transfer->write && transfer->strobes != 15)) return false;
  return !beside ||
         (clock->inputs.cycle && transfer->write && clock->inputs.access[transfer->page].write);
}

static void fit_transfer(struct file *file, struct clock *clock, bool beside) {
  struct step_transfer *transfer = &clock->inputs.transfer;
  if (!transfer->select || has_transfer(clock, beside)) return;
  differ(file, "no transfer: %s page %u, offset 0x%03x, strobes 0x%x%s",
         transfer->write ? "write to" : "read of", transfer->page, transfer->offset,
         transfer->strobes, beside ? ", which waits" : "");
  transfer->select = false;
}

/* A file changes no state of a thread whose software increments wait. */
static void fit_waiting(struct file *file, struct clock *clock, unsigned t) {
  struct pmuv3_state *state = &clock->before.thread[t].state;
  if (!state->waiting || memcmp(&clock->before.pe[t], &clock->next_pe, sizeof clock->next_pe) == 0)
    return;
  differ(file, "thread %u: no software increments wait while its state changes", t);
  memset(state->pending, 0, sizeof state->pending);
  state->waiting = false;
}

/* Makes it one that can be in a file. */
static void fit(struct file *file, struct clock *clock, const struct model_case *which) {
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    fit_pe(file, clock, t, &clock->before.pe[t]);
    fit_value(file, &clock->inputs.access[t]);
    if (which->cycle) fit_occurrences(file, clock, t);
  }
  fit_pe(file, clock, which->thread, &clock->next_pe);
  if (which->access == MODEL_SET_PE) fit_waiting(file, clock, which->thread);
  fit_transfer(file, clock, which->access != MODEL_TRANSFER);
}

/* ---- The clock: accesses ---- */

/* No more than 255 increments of a counter wait. */
static void fit_increments(struct file *file, unsigned t, struct pmuv3_item *item) {
  if (!is_pmswinc(item->access.reg) || item->result != PMUV3_DONE) return;
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    const uint64_t bit = UINT64_C(1) << n;
    if (file->increments[t][n] < UINT8_MAX || (item->access.value & bit) == 0) continue;
    differ(file, "the software increment of counter %u, of which 255 wait, is left out", n);
    item->access.value &= ~bit;
  }
}

static void put_checked_write(struct file *file, unsigned t, struct pmuv3_item *item) {
  struct pmuv3 then = file->now;
  item->kind = PMUV3_ITEM_MSR;
  item->has_result = true;
  item->result = (uint8_t)pmuv3_msr(&then, t, item->access.reg, item->access.value);
}

static void put_register_write(struct file *file, unsigned t, const struct step_access *access) {
  struct pmuv3_item item = {.kind = is_write_refused(&file->now.params, access)
                                        ? PMUV3_ITEM_REFUSED_WRITE
                                        : PMUV3_ITEM_WRITE,
                            .thread = (uint8_t)t,
                            .access = {access->reg, access->checked, access->value}};
  if (access->checked) put_checked_write(file, t, &item);
  if (item.kind == PMUV3_ITEM_REFUSED_WRITE)
    differ(file, "the refused write has no clock");
  else
    fit_increments(file, t, &item);
  put(file, &item);
}

static void put_transfer(struct file *file, const struct step_transfer *transfer) {
  struct pmuv3 then = file->now;
  struct pmuv3_item item = {
      .kind = transfer->write ? PMUV3_ITEM_EXTERNAL_WRITE : PMUV3_ITEM_EXTERNAL_READ,
      .thread = transfer->page,
      .has_result = true,
      .external = {transfer->page, transfer->ss, transfer->offset, transfer->value}};
  const enum pmuv3_security_state ss = (enum pmuv3_security_state)transfer->ss;
  uint32_t word;
  if (transfer->write) {
    item.result =
        !pmuv3_external_write(&then, transfer->page, ss, transfer->offset, transfer->value);
  } else {
    item.result = !pmuv3_external_read(&then, transfer->page, ss, transfer->offset, &word);
    item.has_value = item.result == 0;
    item.external.value = word;
  }
  put(file, &item);
}

/* A clock without a transfer is that in which one is set up. */
static void put_nothing(struct file *file) {
  put_transfer(file, &(struct step_transfer){.offset = OFFSET_PMCIDR3});
}

static void put_accesses(struct file *file, const struct clock *clock) {
  bool any = clock->inputs.transfer.select;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &clock->inputs.access[t];
    if (access->read) put_read(file, t, access);
    if (access->write) put_register_write(file, t, access);
    any |= access->read || access->write;
  }
  if (clock->inputs.transfer.select) put_transfer(file, &clock->inputs.transfer);
  if (!any) put_nothing(file);
}

/* ---- The clock: a Processor cycle ---- */

/* Occurrences of a cycle, with two more for each thread that count nothing. */
struct occurrences {
  struct pmuv3_occurrence list[PMUV3_MAX_OCCURRENCES + 2 * PMUV3_MAX_THREADS];
  uint16_t number;
  bool has[PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS];
};

static void occur(struct occurrences *occurrences, enum pmuv3_event_index event, uint8_t count,
                  unsigned t, enum pmuv3_origin origin) {
  occurrences->list[occurrences->number++] =
      (struct pmuv3_occurrence){pmuv3_event_number(event), count, (uint8_t)t, (uint8_t)origin};
  occurrences->has[t][origin] = true;
}

/* The other context is there also where nothing occurs in it. */
static void occur_nowhere(const struct clock *clock, unsigned t, struct occurrences *occurrences) {
  const bool *has = occurrences->has[t];
  const bool related = clock->inputs.other[t].related;
  const enum pmuv3_event_index any = PMUV3_INDEX_INST_RETIRED;
  if (related && !has[PMUV3_UNATTRIBUTABLE]) occur(occurrences, any, 0, t, PMUV3_UNATTRIBUTABLE);
  if (!related && is_elsewhere(clock, t) && !has[PMUV3_OTHER])
    occur(occurrences, any, 0, t, PMUV3_OTHER);
}

static void list_occurrences(const struct clock *clock, struct occurrences *occurrences) {
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    for (unsigned t = 0; t < clock->before.params.threads; t++) {
      const uint8_t *counts = clock->inputs.count[e][t];
      for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
        if (counts[o] != 0)
          occur(occurrences, (enum pmuv3_event_index)e, counts[o], t, (enum pmuv3_origin)o);
    }
  }
  for (unsigned t = 0; t < clock->before.params.threads; t++) occur_nowhere(clock, t, occurrences);
}

/* Of reads in a cycle, and writes in it that must be refused, there is but the access before it. A
 * write whose result is in question comes before it, too: what replay compares of one in it is what
 * it does. */
static void put_before(struct file *file, const struct clock *clock, bool asks_result) {
  const struct step_transfer *transfer = &clock->inputs.transfer;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &clock->inputs.access[t];
    const bool refused = is_write_refused(&file->now.params, access);
    const bool asked = asks_result && access->write;
    if (access->read) put_read(file, t, access);
    if (refused || asked) put_register_write(file, t, access);
    if (access->read || refused) differ(file, "the access is before the cycle, not in it");
    if (asked && !refused) differ(file, "the access is before the cycle, too");
  }
  if (!transfer->select || transfer->write) return;
  put_transfer(file, transfer);
  differ(file, "the transfer is before the cycle, not in it");
}

static void put_cycle(struct file *file, const struct clock *clock) {
  const struct step_inputs *inputs = &clock->inputs;
  struct occurrences occurrences = {.number = 0};
  struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
  struct pmuv3_cycle *cycle = &item.cycle;
  list_occurrences(clock, &occurrences);
  cycle->occurrences = occurrences.list;
  cycle->num_occurrences = occurrences.number;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &inputs->access[t];
    cycle->other[t] = inputs->other[t];
    if (!access->write || is_write_refused(&file->now.params, access)) continue;
    cycle->has_write |= (uint8_t)(1u << t);
    cycle->write[t] = (struct pmuv3_write){access->reg, access->checked, access->value};
  }
  cycle->has_external = inputs->transfer.select && inputs->transfer.write;
  cycle->external = (struct pmuv3_external){inputs->transfer.page, inputs->transfer.ss,
                                            inputs->transfer.offset, inputs->transfer.value};
  put(file, &item);
}

/* A clock; or what the case has instead. A Cold reset is where a file begins. */
static void put_clock(struct file *file, const struct clock *clock, const struct model_case *which,
                      bool asks_result) {
  fputs("# The clock:\n", file->out);
  if (which->access == MODEL_RESET) {
    put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_RESET});
  } else if (which->access == MODEL_SET_PE) {
    put_pe(file, which->thread, &clock->next_pe);
  } else if (which->access == MODEL_COLD_RESET) {
    return;
  } else if (which->access == MODEL_WAIT) {
    struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
    step_both(&clock->inputs, which->thread, which->place, &item.cycle);
    put(file, &item);
  } else if (clock->inputs.cycle) {
    put_before(file, clock, asks_result);
    put_cycle(file, clock);
  } else {
    put_accesses(file, clock);
  }
}

/* ---- What shows a difference ---- */

/* Lets everything count that a thread's event counters select, in any state, without profiling. */
static void let_count(struct file *file, unsigned t) {
  const struct pmuv3_params *params = &file->now.params;
  const uint64_t all = pmuv3_register_mask(params, PMUV3_PMCNTENSET);
  const uint64_t hpmn = params->counters;
  if (pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) make_pmccr(file, t, params->counters);
  set(file, t, PMUV3_MDCR_EL3,
      (PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, SPME)) &
          pmuv3_register_mask(params, PMUV3_MDCR_EL3));
  set(file, t, PMUV3_MDCR_EL2,
      (PMUV3_MASK(MDCR_EL2, MTPME) | hpmn << PMUV3_MDCR_EL2_HPMN_LSB) &
          pmuv3_register_mask(params, PMUV3_MDCR_EL2));
  set(file, t, PMUV3_PMECR, 0);
  set_bits(file, t, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, 0);
  set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, all);
  put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
}

static void let_all_count(struct file *file) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    put_pe(file, t, &pe);
    let_count(file, t);
  }
}

/* All counters count software increments: VB of the next cycle is those that wait, and that of the
 * cycle after another one of counter 0 those that stayed, too. Where none should wait, the thread
 * leaves its state, which may drop them. */
static void show_increments(struct file *file) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  const uint64_t everywhere = file->now.params.el2 ? PMUV3_MASK(PMEVTYPER, NSH) : 0;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    if (!waits_in_file(file, t)) put_pe(file, t, &pe);
    let_count(file, t);
    for (unsigned n = 0; n < file->now.params.counters; n++)
      set(file, t, PMUV3_PMEVTYPERn(n), everywhere);
  }
  put_idle(file, 1);
  for (unsigned t = 0; t < file->now.params.threads && file->now.params.counters > 0; t++)
    put_write(file, t, PMUV3_PMSWINC, 1);
  put_idle(file, 1);
}

/* A cycle with some of every event in every thread. */
static void put_all_events(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  struct occurrences occurrences = {.number = 0};
  struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    const enum pmuv3_event_index event = (enum pmuv3_event_index)e;
    if (!pmuv3_event_has(event, PMUV3_CURRENT) || !pmuv3_event_fits(params, event)) continue;
    const uint8_t count = pmuv3_event_limit(event) == 1 ? 1 : (uint8_t)(e + 1);
    for (unsigned t = 0; t < params->threads; t++) {
      occur(&occurrences, event, count, t, PMUV3_CURRENT);
      if (pmuv3_event_has(event, PMUV3_UNATTRIBUTABLE))
        occur(&occurrences, event, 1, t, PMUV3_UNATTRIBUTABLE);
    }
  }
  item.cycle.occurrences = occurrences.list;
  item.cycle.num_occurrences = occurrences.number;
  put(file, &item);
}

static void put_at_all_levels(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (pe.el = 0; pe.el < 4; pe.el++) {
    pe.ss = pe.el == 3 ? (uint8_t)pmuv3_el3_state(params) : PMUV3_NS;
    if (pmuv3_pe_wrong(params, &pe) != NULL) continue;
    for (unsigned t = 0; t < params->threads; t++) put_pe(file, t, &pe);
    put_all_events(file);
  }
}

/* What the counters select shows where everything occurs, at an Exception level that they do not
 * filter; what of it depends on MT, with MT = 1. */
static void show_events(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  let_all_count(file);
  put_at_all_levels(file);
  if (!pmuv3_has(params, PMUV3_FEATURE_MTPMU)) return;
  for (unsigned t = 0; t < params->threads; t++)
    for (unsigned n = 0; n < params->counters; n++)
      set(file, t, PMUV3_PMEVTYPERn(n),
          file->now.thread[t].registers.evtyper[n] | PMUV3_MASK(PMEVTYPER, MT));
  put_at_all_levels(file);
}

/* Where the divider stands shows when the cycle counter counts. */
static void show_divider(struct file *file) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    put_pe(file, t, &pe);
    set(file, t, PMUV3_PMCCFILTR, 0);
    put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, D));
  }
  put_idle(file, 64);
}

/* An overflow that both sides come to have may hide a flag that one of them had. */
static void show_flags(struct file *file) {
  for (unsigned t = 0; t < file->now.params.threads; t++) put_expect(file, t, PMUV3_PMOVSSET);
}

/* Counters that are about to overflow do not without a Processor cycle, do in the next one, and
 * CHAIN does not count it again in the one after. */
static void show_overflows(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  let_all_count(file);
  for (unsigned t = 0; t < params->threads; t++) {
    for (unsigned n = 0; n < params->counters; n++) {
      set(file, t, PMUV3_PMEVTYPERn(n),
          pmuv3_event_number(n % 2 == 0 ? PMUV3_INDEX_CPU_CYCLES : PMUV3_INDEX_CHAIN));
      set(file, t, PMUV3_PMEVCNTRn(n), pmuv3_register_mask(params, PMUV3_PMEVCNTRn(n)));
    }
    put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E)); /* one more clock without a cycle */
  }
  show_flags(file);
  put_idle(file, 2);
}

/* Increments first, when they are what it is about: other cycles lose them. So does a change of the
 * thread's state, after which what it makes of events shows at once. */
static void show_difference(struct file *file, const struct clock *clock,
                            const struct model_case *which) {
  bool increments = false;
  for (unsigned t = 0; t < clock->before.params.threads; t++)
    increments |= clock->before.thread[t].state.waiting ||
                  (clock->inputs.access[t].write && is_pmswinc(clock->inputs.access[t].reg));
  fputs("# What it left behind:\n", file->out);
  show_flags(file);
  if (which->access == MODEL_SET_PE) put_all_events(file);
  if (increments)
    show_increments(file);
  else
    put_idle(file, 1);
  show_events(file);
  show_overflows(file);
  show_divider(file);
  if (!increments) show_increments(file);
}

/* ---- The whole ---- */

static void write_case(FILE *out, const struct counterexample *counterexample) {
  static const char *const accesses[] = {[MODEL_NO_ACCESS] = "no access",
                                         [MODEL_READ] = "read",
                                         [MODEL_WRITE] = "write",
                                         [MODEL_TRANSFER] = "transfer",
                                         [MODEL_RESET] = "Warm reset",
                                         [MODEL_COLD_RESET] = "Cold reset",
                                         [MODEL_SET_PE] = "change of a thread's state",
                                         [MODEL_WAIT] = "write while the page waits"};
  const struct model_case *which = &counterexample->which;
  if (counterexample->claim != NULL) fprintf(out, "# Does not hold: %s\n", counterexample->claim);
  char size[SIZE_NAME];
  fprintf(out, "# %s; ", size_name(counterexample->size, size));
  if (model_is_clock(which))
    fprintf(out, "a clock %s a Processor cycle; ", which->cycle ? "of" : "without");
  fputs(accesses[which->access], out);
  if (model_is_clock(which) && which->access != MODEL_NO_ACCESS)
    fprintf(out, ", thread %u, 0x%04x", which->thread, which->place);
  fputc('\n', out);
}

enum counterexample_result counterexample_write(FILE *out,
                                                const struct counterexample *counterexample) {
  const struct model_case *which = &counterexample->which;
  const struct pmuv3_params params = get_params(counterexample);
  struct file file = {.out = out, .exact = true};
  struct clock clock;
  if (!step_legal_params(&params)) {
    fprintf(stderr, "pmuv3 prove: the counterexample is of no implementation that there is\n");
    return COUNTEREXAMPLE_UNUSABLE;
  }
  get_clock(counterexample, &params, &clock);
  pmuv3_init(&file.now, &params);
  pmuv3_stimulus_write_head(out, &params);
  write_case(out, counterexample);
  if (which->access != MODEL_COLD_RESET) {
    fit(&file, &clock, which);
    make_state(&file, &clock, which);
  }
  put_clock(&file, &clock, which,
            counterexample->claim != NULL && strstr(counterexample->claim, "of an access") != NULL);
  show_difference(&file, &clock, which);
  return file.exact ? COUNTEREXAMPLE_EXACT : COUNTEREXAMPLE_NEAR;
}
