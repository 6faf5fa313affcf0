#include "testbench/prove/equivalence/counterexample.h"

#include <stdarg.h>
#include <string.h>

#include "testbench/prove/equivalence/counterexample_file.h"

/* ---- The counterexample ---- */

__attribute__((format(printf, 2, 3))) static uint64_t value(
    const struct counterexample *counterexample, const char *format, ...) {
  char name[96];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  return counterexample->value(name, counterexample->with);
}

/* Out of range is only what does not matter. */
static uint8_t within(uint64_t given, uint64_t min, uint64_t max, uint64_t otherwise) {
  return (uint8_t)(given < min || given > max ? otherwise : given);
}

static struct pmuv3_event get_event(const struct counterexample *counterexample, unsigned row) {
  const uint16_t number = model_event_number(row);
  const char *name = model_event_name(row);
  struct pmuv3_event event = *pmuv3_event_of_architecture(number);
  if (model_event_is_self(row)) return event;
  if (!model_event_is_core(row))
    event.attribution =
        within(value(counterexample, "%s.attribution", name), PMUV3_EVENT_ATTRIBUTION_CORE,
               PMUV3_EVENT_ATTRIBUTION_TRACE, PMUV3_EVENT_ATTRIBUTION_CORE);
  event.traits = (uint8_t)low_bits(value(counterexample, "%s.traits", name), 2);
  const uint64_t event_class = value(counterexample, "%s.class", name);
  if (model_event_may_be(row, PMUV3_EVENT_CLASS_SLOTS))
    event.event_class = within(event_class, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_CLASS_SLOTS,
                               PMUV3_EVENT_CLASS_COUNT);
  const bool counts =
      event.event_class == PMUV3_EVENT_CLASS_COUNT || event.event_class == PMUV3_EVENT_CLASS_SLOTS;
  event.most = counts ? UINT8_MAX : 1;
  if (event.event_class != PMUV3_EVENT_CLASS_COUNT &&
      event.attribution == PMUV3_EVENT_ATTRIBUTION_TRACE)
    event.attribution = PMUV3_EVENT_ATTRIBUTION_CORE;
  return event;
}

struct pmuv3_params clock_get_params(const struct counterexample *counterexample) {
  struct pmuv3_params params = {.features = 0};
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  params.name = within(value(counterexample, #name), min, max, dflt);
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  params.name = value(counterexample, #name) & UINT64_C(mask);
#define PMUV3_CHOICE(id, name, dflt, values, number, text) \
  params.id = (uint8_t)low_bits(value(counterexample, #id), number);
#include "pmuv3/params.def"
#define PMUV3_FEATURE(id, implies, dflt, text)                                 \
  params.features |= (uint32_t)low_bits(value(counterexample, "FEAT_" #id), 1) \
                     << PMUV3_FEATURE_##id;
#include "pmuv3/params.def"
  params.events.num = MODEL_EVENTS;
  const bool sebep = pmuv3_has(&params, PMUV3_FEATURE_SEBEP);
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    struct pmuv3_event *event = &params.events.event[e];
    *event = get_event(counterexample, e);
    event->traits = model_event_traits(e, event->traits, sebep);
  }
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
  pe.el = (uint8_t)low_bits(value(counterexample, "t%u.%s.el", t, which), 2);
  pe.ss = (uint8_t)low_bits(value(counterexample, "t%u.%s.ss", t, which), 2);
  pe.fgt = low_bits(value(counterexample, "t%u.%s.fgt", t, which), PMUV3_NUM_FGT);
#define PMUV3_PE_FLAG(name, text) \
  pe.name = low_bits(value(counterexample, "t%u.%s." #name, t, which), 1) != 0;
#include "pmuv3/pe.def"
  if (pmuv3_pe_wrong(params, &pe) == NULL) return pe;
  return (struct pmuv3_pe)PMUV3_PE_RESET;
}

static uint64_t all_if(bool condition) {
  return condition ? UINT64_MAX : 0;
}

static void get_registers(const struct counterexample *counterexample,
                          const struct pmuv3_params *params, unsigned t,
                          struct pmuv3_registers *registers) {
#define REGISTER(member, id)                                               \
  registers->member = value(counterexample, "t%u.registers." #member, t) & \
                      pmuv3_register_mask(params, PMUV3_##id);
#include "testbench/prove/equivalence/state_registers.def"
  registers->pmcr &= ~(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C));
  const uint64_t ss = all_if(pmuv3_has(params, PMUV3_FEATURE_SS));
  registers->pmsscr =
      value(counterexample, "t%u.registers.pmsscr", t) & PMUV3_MASK(PMSSCR, NC) & ss;
  const uint64_t extpmn = all_if(pmuv3_has(params, PMUV3_FEATURE_EXTPMN));
  registers->pmccr = value(counterexample, "t%u.registers.pmccr", t) & UINT64_C(0x19F) & extpmn;
  const bool lock = pmuv3_has_software_lock(params);
  registers->locked = lock && low_bits(value(counterexample, "t%u.registers.locked", t), 1) != 0;
}

static void get_counters(const struct counterexample *counterexample, const struct pmuv3 *pmu,
                         unsigned t, struct pmuv3_thread *thread) {
  struct pmuv3_state *state = &thread->state;
  const bool waiting = low_bits(value(counterexample, "t%u.state.waiting", t), 1) != 0;
  for (unsigned n = 0; n < pmu->params.counters; n++) {
    const unsigned lane = pmuv3_lane(n);
    const uint64_t pending = value(counterexample, "t%u.pending%u", t, n);
    const uint64_t evtyper = value(counterexample, "t%u.PMEVTYPER%u", t, n) << 16 |
                             low_bits(value(counterexample, "t%u.evtCount%u", t, n), 16);
    thread->registers.evtyper[n] = evtyper & pmuv3_register_mask(&pmu->params, PMUV3_PMEVTYPERn(n));
    state->value[lane] = value(counterexample, "t%u.state.value%u", t, n) & pmu->identity.width;
    state->CP[lane] = (uint16_t)all_if(low_bits(value(counterexample, "t%u.CP%u", t, n), 1) != 0);
    state->pending[lane] = waiting ? (uint16_t)low_bits(pending, 8) : 0;
    state->waiting |= state->pending[lane] != 0;
  }
  state->captured = waiting && pmuv3_has(&pmu->params, PMUV3_FEATURE_SS) &&
                    low_bits(value(counterexample, "t%u.state.captured", t), 1) != 0;
  state->waiting |= state->captured;
  state->cycles = value(counterexample, "t%u.state.cycles", t);
  state->divider = (uint8_t)low_bits(value(counterexample, "t%u.state.divider", t), 6);
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
  clock->copying[t] = ss && low_bits(value(counterexample, "t%u.copying", t), 1) != 0;
  if (ss) get_saved(counterexample, pmu, t, clock->copying[t], thread);
}

/* ---- Its inputs ---- */

static void get_other(const struct counterexample *counterexample, unsigned t,
                      struct clock *clock) {
  const struct pmuv3_pe *pe = &clock->before.pe[t];
  struct pmuv3_context *other = &clock->inputs.other[t];
  other->el = (uint8_t)low_bits(value(counterexample, "t%u.other.el", t), 2);
  other->ss = (uint8_t)low_bits(value(counterexample, "t%u.other.ss", t), 2);
  other->related = low_bits(value(counterexample, "t%u.other.related", t), 1) != 0;
  if (pmuv3_context_wrong(&clock->before.params, other->el, other->ss) != NULL)
    *other = (struct pmuv3_context){pe->el, pe->ss, false};
}

static void get_counts(const struct counterexample *counterexample, unsigned t,
                       struct clock *clock) {
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const struct pmuv3_event *event = &clock->before.params.events.event[e];
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      if (!pmuv3_event_has(event, o)) continue;
      const uint64_t count = value(counterexample, "%s", term_name(model_event_count("", t, e, o)));
      clock->inputs.count[e][t][o] = (uint8_t)(count & event->most);
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
      .checked = low_bits(value(counterexample, "t%u.checked", t), 1) != 0,
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
      .write = low_bits(value(counterexample, "apb.write"), 1) != 0,
      .page = (uint8_t)(transfers || waits ? which->thread
                                           : low_bits(value(counterexample, "apb.page"), 2)),
      .ss = (uint8_t)low_bits(value(counterexample, "apb.space"), 2),
      .offset =
          (uint16_t)(has_place ? which->place : low_bits(value(counterexample, "apb.offset"), 12)),
      .strobes = (uint8_t)low_bits(value(counterexample, "apb.strobes"), 4),
      .value = (uint32_t)value(counterexample, "apb.wdata"),
  };
}

bool clock_has_increments(const struct clock *clock, unsigned t) {
  for (unsigned n = 0; n < clock->before.params.counters; n++)
    if (clock->before.thread[t].state.pending[pmuv3_lane(n)] != 0) return true;
  return false;
}

void clock_get(const struct counterexample *counterexample, const struct pmuv3_params *params,
               struct clock *clock) {
  memset(clock, 0, sizeof *clock);
  pmuv3_init(&clock->before, params);
  clock->inputs.cycle = counterexample->which.cycle;
  for (unsigned t = 0; t < params->threads; t++) {
    get_thread(counterexample, t, clock);
    get_other(counterexample, t, clock);
    get_counts(counterexample, t, clock);
    clock->inputs.capture[t] =
        clock->inputs.cycle && low_bits(value(counterexample, "t%u.capture", t), 1) != 0;
  }
  get_access(counterexample, clock);
  if (model_is_clock(&counterexample->which) || counterexample->which.access == MODEL_WAIT)
    get_transfer(counterexample, clock);
  if (counterexample->which.access == MODEL_SET_PE)
    clock->next_pe = get_pe(counterexample, params, counterexample->which.thread, "next");
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

static void note_traits(struct file *file, const struct counterexample *counterexample,
                        const struct pmuv3_params *params) {
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    if (params->events.event[e].traits != get_event(counterexample, e).traits)
      file_differs(file, "%s %s the trait SYNC, as D14.7 demands", model_event_name(e),
                   params->events.event[e].traits & PMUV3_EVENT_TRAIT_SYNC ? "has" : "lacks");
}

enum counterexample_result counterexample_write(FILE *out,
                                                const struct counterexample *counterexample) {
  const struct model_case *which = &counterexample->which;
  const struct pmuv3_params params = clock_get_params(counterexample);
  struct file file = {.out = out, .exact = true};
  struct clock clock;
  if (pmuv3_params_wrong(&params) != NULL) {
    fprintf(stderr, "pmuv3 prove: the counterexample is of no implementation that there is\n");
    return COUNTEREXAMPLE_UNUSABLE;
  }
  clock_get(counterexample, &params, &clock);
  pmuv3_init(&file.now, &params);
  pmuv3_stimulus_write_head(out, &params);
  write_case(out, counterexample);
  note_traits(&file, counterexample, &params);
  if (which->access != MODEL_COLD_RESET) {
    clock_fit(&file, &clock, which);
    state_make(&file, &clock, which);
  }
  clock_put(&file, &clock, which,
            counterexample->claim != NULL && strstr(counterexample->claim, "of an access") != NULL);
  difference_show(&file, &clock, which);
  return file.exact ? COUNTEREXAMPLE_EXACT : COUNTEREXAMPLE_NEAR;
}
