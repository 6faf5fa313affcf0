#include "testbench/prove/equivalence/model.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "testbench/prove/equivalence/text.h"

enum { EXIT_UNUSABLE = 2 };

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The symbolic execution of the C model, while the terms are made. */
struct run {
  struct model *model;
  struct symex *symex;
  uint64_t pmu, params, inputs, answers, copy; /* objects */
};

/* ---- Names, variables ---- */

__attribute__((format(printf, 3, 4))) static term variable(struct model *model, uint32_t width,
                                                           const char *text, ...) {
  char name[96];
  va_list args;
  va_start(args, text);
  vsnprintf(name, sizeof name, text, args);
  va_end(args);
  const term made = term_var(width, name);
  model->variables =
      realloc(model->variables, (model->num_variables + 1) * sizeof *model->variables);
  if (model->variables == NULL) abort();
  model->variables[model->num_variables++] = made;
  return made;
}

static term constant(uint32_t width, uint64_t value) {
  return term_const(width, value);
}

static term zext(term a, uint32_t width) {
  return term_zext(a, width);
}

static void assume(struct model *model, term condition) {
  model->assumptions =
      realloc(model->assumptions, (model->num_assumptions + 1) * sizeof *model->assumptions);
  model->assumptions[model->num_assumptions++] = condition;
}

static void assume_particular(struct model *model, term condition) {
  model->particulars =
      realloc(model->particulars, (model->num_particulars + 1) * sizeof *model->particulars);
  if (model->particulars == NULL) abort();
  model->particulars[model->num_particulars++] = condition;
}

static void claim(struct model *model, char *name, term condition) {
  model->claims = realloc(model->claims, (model->num_claims + 1) * sizeof *model->claims);
  model->claims[model->num_claims++] = (struct claim){name, condition, false};
}

/* ---- Memory ---- */

static void store(struct run *run, uint64_t address, term value) {
  symex_store(run->symex, address, value);
}
static term load(struct run *run, uint64_t address, uint32_t width) {
  return symex_load(run->symex, address, width);
}

/* A bool or a narrow number, in a field that is wider. */
static void store_in(struct run *run, uint64_t address, uint32_t width, term value) {
  store(run, address, zext(value, width));
}

static void zero(struct run *run, uint64_t address, size_t size) {
  for (size_t i = 0; i < size; i++) store(run, address + i, constant(8, 0));
}

static term call(struct run *run, const char *function, const term *arguments, size_t number) {
  return symex_call(run->symex, function, arguments, number);
}
static term address_of(uint64_t address) {
  return constant(64, address);
}

/* ---- Parameters ---- */

/* The bits that the largest number of counters needs: none are free beyond it. */
static term counters_variable(struct model *model) {
  unsigned bits = 0;
  while (model->size.counters >> bits != 0) bits++;
  if (bits == 0) return constant(5, 0);
  const term counters = zext(variable(model, bits, "counters"), 5);
  assume(model, term_ule(counters, constant(5, model->size.counters)));
  return counters;
}

static term parameter(struct model *model, const char *name, uint32_t bits) {
  if (strcmp(name, "threads") == 0) return constant(bits, model->size.threads);
  if (strcmp(name, "counters") == 0) return counters_variable(model);
  return variable(model, bits, "%s", name);
}

/* The variable of PMSELR_EL0 of the thread that goes through it. */
static bool goes_through_selection(const struct model_case *which) {
  return (which->access == MODEL_READ || which->access == MODEL_WRITE) && !which->is_unknown &&
         model_is_selected(which->place);
}
static const char *selection_name(unsigned t, char name[32]) {
  snprintf(name, 32, "t%u.registers.pmselr", t);
  return name;
}

/* The layout of the page, which a transfer is of. */
static bool fixes_layout(const struct model_case *which, const char *name, uint64_t *value) {
  const bool is_ext32 = strcmp(name, "FEAT_EXT32") == 0;
  if (which->access != MODEL_TRANSFER || (!is_ext32 && strcmp(name, "FEAT_EXT64") != 0))
    return false;
  *value = which->layout == (is_ext32 ? MODEL_EXT32 : MODEL_EXT64);
  return true;
}

bool model_fixes(const struct model *model, const char *name, uint64_t *value) {
  const struct model_case *which = &model->which;
  char selection[32];
  if (!goes_through_selection(which) || strcmp(name, selection_name(which->thread, selection)) != 0)
    return fixes_layout(which, name, value);
  *value = which->sel;
  return true;
}

static term feature_parameter(struct model *model, const char *name, bool is_fixed) {
  uint64_t value;
  return is_fixed && fixes_layout(&model->which, name, &value) ? constant(1, value)
                                                               : variable(model, 1, "%s", name);
}

/* As the case fixes them, or all of them free. */
static term make_features(struct run *run, bool is_fixed) {
  term features = TERM_NONE;
#define PMUV3_FEATURE(id, implies, dflt, text)                               \
  {                                                                          \
    const term value = feature_parameter(run->model, "FEAT_" #id, is_fixed); \
    features = features == TERM_NONE ? value : term_concat(value, features); \
  }
#include "pmuv3/params.def"
  store_in(run, run->params + offsetof(struct pmuv3_params, features), 32, features);
  return features;
}

static term are_legal(struct run *run) {
  const term pointer = address_of(run->params);
  return call(run, "step_legal_params", &pointer, 1);
}

static void make_params(struct run *run) {
  struct model *model = run->model;
  const uint64_t params = run->params;
  zero(run, params, sizeof(struct pmuv3_params));
  term value;
#define PMUV3_PARAM(name, dflt, min, max, bits, text)                         \
  value = model->params[model->num_params++] = parameter(model, #name, bits); \
  store_in(run, params + offsetof(struct pmuv3_params, name), 8, value);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) PMUV3_PARAM(id, 0, 0, 0, bits, text)
#include "pmuv3/params.def"
  const term all = make_features(run, false);
  assume(model, are_legal(run));
  model->features = make_features(run, true);
  if (model->features != all) assume_particular(model, are_legal(run));
}

static term feature(const struct model *model, enum pmuv3_feature which) {
  return term_extract(model->features, which, 1);
}

/* ---- Inputs ---- */

/* A thread's state at an address, of variables "t0.<pe>.el". pe_t, in the order of pmuv3_pkg.sv:
 * the last is on top. */
static term make_pe(struct run *run, uint64_t at, unsigned t, const char *pe) {
  struct model *model = run->model;
  zero(run, at, sizeof(struct pmuv3_pe));
  term packed = TERM_NONE;
#define FIELD(name, width)                                             \
  {                                                                    \
    const term value = variable(model, width, "t%u.%s." #name, t, pe); \
    store_in(run, at + offsetof(struct pmuv3_pe, name), 8, value);     \
    packed = packed == TERM_NONE ? value : term_concat(value, packed); \
  }
  FIELD(el, 2)
  FIELD(ss, 2)
  FIELD(sm, 1)
  FIELD(halted, 1)
  FIELD(active, 1)
  FIELD(wfx, 1)
  FIELD(aa32, 1)
  FIELD(a32el1, 1)
  FIELD(a32el3, 1)
  FIELD(snid, 1)
  FIELD(tge, 1)
  FIELD(e2h, 1)
  FIELD(eel2, 1)
  FIELD(pm, 1)
  FIELD(spe, 1)
  FIELD(oslk, 1)
  FIELD(dlk, 1)
  FIELD(fgt, 4)
#undef FIELD
  return packed;
}

static uint64_t pe_address(const struct run *run, unsigned t) {
  return run->pmu + offsetof(struct pmuv3, pe) + t * sizeof(struct pmuv3_pe);
}

static void make_other(struct run *run, unsigned t) {
  struct model *model = run->model;
  const uint64_t at =
      run->inputs + offsetof(struct step_inputs, other) + t * sizeof(struct pmuv3_context);
  const term el = variable(model, 2, "t%u.other.el", t);
  const term ss = variable(model, 2, "t%u.other.ss", t);
  const term related = variable(model, 1, "t%u.other.related", t);
  store_in(run, at + offsetof(struct pmuv3_context, el), 8, el);
  store_in(run, at + offsetof(struct pmuv3_context, ss), 8, ss);
  store_in(run, at + offsetof(struct pmuv3_context, related), 8, related);
  model->inputs.thread[t].other = term_concat(related, term_concat(ss, el));
}

static void make_counts(struct run *run, unsigned t) {
  struct model *model = run->model;
  static const char *const origins[] = {"current", "other", "unattributable", "debugger"};
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      const enum pmuv3_event_index event = (enum pmuv3_event_index)e;
      if (!pmuv3_event_has(event, (enum pmuv3_origin)o)) continue;
      const unsigned width = pmuv3_event_limit(event) == 1 ? 1 : 8;
      const term count =
          zext(variable(model, width, "t%u.%s.%s", t, pmuv3_event_mnemonic(event), origins[o]), 8);
      const size_t place = (e * PMUV3_MAX_THREADS + t) * PMUV3_NUM_ORIGINS + o;
      store(run, run->inputs + offsetof(struct step_inputs, count) + place, count);
      model->inputs.thread[t].count[e][o] = count;
    }
  }
}

bool model_is_selected(uint16_t reg) {
  const uint16_t of = pmuv3_register_viewed(reg);
  return of == PMUV3_PMXEVTYPER || of == PMUV3_PMXEVCNTR;
}

bool model_knows_register(uint16_t reg) {
  char name[24];
  return strncmp(pmuv3_register_name(reg, name), "0x", 2) != 0;
}

static void deny(struct model *model, term condition) {
  model->denials = realloc(model->denials, (model->num_denials + 1) * sizeof *model->denials);
  if (model->denials == NULL) abort();
  model->denials[model->num_denials++] = condition;
  assume(model, term_not(condition));
}

/* A register that is none of those that are a case each. */
static term unknown_register(struct model *model, unsigned t) {
  const term reg = variable(model, 16, "t%u.reg", t);
  for (unsigned one = 0; one < 1 << 16; one++)
    if (model_knows_register((uint16_t)one)) deny(model, term_eq(reg, constant(16, one)));
  return reg;
}

static term register_of(struct model *model, unsigned t, bool is_accessed) {
  if (!is_accessed) return variable(model, 16, "t%u.reg", t);
  return model->which.is_unknown ? unknown_register(model, t) : constant(16, model->which.place);
}

static void make_access(struct run *run, unsigned t) {
  struct model *model = run->model;
  const struct model_case *which = &model->which;
  struct thread_inputs *thread = &model->inputs.thread[t];
  const uint64_t at =
      run->inputs + offsetof(struct step_inputs, access) + t * sizeof(struct step_access);
  const bool write = which->access == MODEL_WRITE && which->thread == t;
  const bool read = which->access == MODEL_READ && which->thread == t;
  thread->write = constant(1, write);
  thread->read = constant(1, read);
  thread->checked = variable(model, 1, "t%u.checked", t);
  thread->reg = register_of(model, t, write || read);
  thread->value = variable(model, 64, "t%u.wdata", t);
  store_in(run, at + offsetof(struct step_access, write), 8, thread->write);
  store_in(run, at + offsetof(struct step_access, read), 8, thread->read);
  store_in(run, at + offsetof(struct step_access, checked), 8, thread->checked);
  store(run, at + offsetof(struct step_access, reg),
        which->is_unknown ? constant(16, which->place) : thread->reg);
  store(run, at + offsetof(struct step_access, value), thread->value);
}

/* 1 or 0 where the case says so. */
static term apb_pin(struct model *model, const char *name, bool is_low) {
  switch (model->which.access) {
    case MODEL_TRANSFER:
      return TERM_TRUE;
    case MODEL_READ:
    case MODEL_WRITE:
      return variable(model, 1, "%s", name);
    default: /* what stays through a reset takes no transfer at its edge */
      return is_low ? TERM_FALSE : variable(model, 1, "%s", name);
  }
}

static void make_transfer(struct run *run) {
  struct model *model = run->model;
  struct model_inputs *inputs = &model->inputs;
  const struct model_case *which = &model->which;
  const bool transfers = which->access == MODEL_TRANSFER;
  const bool waits = !transfers && which->access != MODEL_NO_ACCESS && model->size.threads > 1;
  const uint64_t at = run->inputs + offsetof(struct step_inputs, transfer);
  inputs->psel = apb_pin(model, "apb.psel", which->place == MODEL_NO_PSEL);
  inputs->penable = apb_pin(model, "apb.penable", which->place == MODEL_NO_PENABLE);
  inputs->pclken = apb_pin(model, "apb.pclken", which->place == MODEL_NO_PCLKEN);
  inputs->select = term_and(inputs->psel, term_and(inputs->penable, inputs->pclken));
  inputs->transfer_write = variable(model, 1, "apb.write");
  inputs->page = transfers || waits ? constant(2, which->thread) : variable(model, 2, "apb.page");
  inputs->space = variable(model, 2, "apb.space");
  inputs->offset = transfers && which->thread < model->size.threads
                       ? constant(12, which->place)
                       : variable(model, 12, "apb.offset");
  inputs->strobes = variable(model, 4, "apb.strobes");
  inputs->word = variable(model, 32, "apb.wdata");
  store_in(run, at + offsetof(struct step_transfer, select), 8, inputs->select);
  store_in(run, at + offsetof(struct step_transfer, write), 8, inputs->transfer_write);
  store_in(run, at + offsetof(struct step_transfer, page), 8, inputs->page);
  store_in(run, at + offsetof(struct step_transfer, ss), 8, inputs->space);
  store_in(run, at + offsetof(struct step_transfer, offset), 16, inputs->offset);
  store_in(run, at + offsetof(struct step_transfer, strobes), 8, inputs->strobes);
  store(run, at + offsetof(struct step_transfer, value), inputs->word);
}

/* Threads' states and what occurs. */
static void make_inputs(struct run *run) {
  zero(run, run->inputs, sizeof(struct step_inputs));
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    run->model->inputs.thread[t].pe = make_pe(run, pe_address(run, t), t, "pe");
    make_other(run, t);
    make_counts(run, t);
  }
}

/* What the case says. */
static void make_accesses(struct run *run) {
  store_in(run, run->inputs + offsetof(struct step_inputs, cycle), 8,
           constant(1, run->model->which.cycle));
  for (unsigned t = 0; t < run->model->size.threads; t++) make_access(run, t);
  make_transfer(run);
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs)};
  assume(run->model, call(run, "step_legal_inputs", pointers, 2));
}

/* ---- State ---- */

/* A place in struct pmuv3 that holds state of a thread. */
struct place {
  const char *name;
  size_t in_model;  /* the term, in struct thread_state */
  size_t in_thread; /* in struct pmuv3_thread */
  uint32_t width;   /* as stored */
  uint32_t bits;    /* that it has at most */
  uint16_t reg;     /* whose implemented bits it has; 0: see allowed() */
};

#define PLACE(model, thread, width, bits, reg)                                                   \
  {                                                                                              \
#thread, offsetof(struct thread_state, model), offsetof(struct pmuv3_thread, thread), width, \
        bits, reg                                                                                \
  }
#define REGISTER(name, reg) PLACE(name, registers.name, 64, 64, PMUV3_##reg)

static const struct place places[] = {
    REGISTER(pmcr, PMCR),
    REGISTER(mdcr_el2, MDCR_EL2),
    REGISTER(mdcr_el3, MDCR_EL3),
    REGISTER(sder, SDER32_EL3),
    REGISTER(pmccfiltr, PMCCFILTR),
    REGISTER(pmicfiltr, PMICFILTR),
    REGISTER(cnten, PMCNTENSET),
    REGISTER(inten, PMINTENSET),
    REGISTER(overflow, PMOVSSET),
    REGISTER(pmselr, PMSELR),
    REGISTER(pmuserenr, PMUSERENR),
    REGISTER(pmuacr, PMUACR),
    REGISTER(pmecr, PMECR),
    REGISTER(pmiar, PMIAR),
    PLACE(pmsscr, registers.pmsscr, 64, 64, 0),
    PLACE(pmccr, registers.pmccr, 64, 64, 0),
    PLACE(locked, registers.locked, 8, 1, 0),
    PLACE(cycles, state.cycles, 64, 64, 0),
    PLACE(instructions, state.instructions, 64, 64, 0),
    PLACE(waiting, state.waiting, 8, 1, 0),
    PLACE(divider, state.divider, 8, 6, 0),
    PLACE(saved_cycles, saved.cycles, 64, 64, 0),
    PLACE(saved_instructions, saved.instructions, 64, 64, 0),
};

/* Arrays with a place for each counter, at its number or in its lane. */
struct array {
  const char *name;
  size_t in_model, in_thread;
  uint32_t width;
  bool in_lanes;
};
#define ARRAY(model, thread, width, in_lanes)                                                    \
  {                                                                                              \
#thread, offsetof(struct thread_state, model), offsetof(struct pmuv3_thread, thread), width, \
        in_lanes                                                                                 \
  }

enum { EVTYPER, VALUE, CP, PENDING, SAVED };
static const struct array arrays[] = {
    [EVTYPER] = ARRAY(evtyper, registers.evtyper, 64, false),
    [VALUE] = ARRAY(value, state.value, 64, true),
    [CP] = ARRAY(CP, state.CP, 16, true),
    [PENDING] = ARRAY(pending, state.pending, 16, true),
    [SAVED] = ARRAY(saved, saved.value, 64, false),
};

static term *member(struct thread_state *state, size_t offset) {
  return (term *)((char *)state + offset);
}
static uint64_t thread_address(const struct run *run, uint64_t pmu, unsigned t) {
  (void)run;
  return pmu + offsetof(struct pmuv3, thread) + t * sizeof(struct pmuv3_thread);
}
static uint64_t array_address(const struct array *array, unsigned i) {
  return array->in_thread + i * (array->width / 8);
}
/* The number of the counter in a lane, and the reverse. */
static unsigned index_of(const struct array *array, unsigned n) {
  return array->in_lanes ? pmuv3_lane(n) : n;
}

/* A mutant (select_mutant) starts from the states of the model, whatever it takes to be a bit. */
static term without_mutant(const struct model *model, term a) {
  if (model->mutant == TERM_NONE) return a;
  struct term_map *map = term_map_new();
  term_map_put(map, model->mutant, constant(term_width(model->mutant), 0));
  const term replaced = term_replace(a, map);
  term_map_free(map);
  return replaced;
}

static term mask_of(struct run *run, uint16_t reg) {
  const term arguments[] = {address_of(run->pmu), constant(16, reg)};
  return without_mutant(run->model, call(run, "step_mask", arguments, 2));
}

static term if_bits(term condition, uint64_t bits, uint32_t width) {
  return term_ite(condition, constant(width, bits), constant(width, 0));
}

/* The bits that a place may have: every state that is reached has no other ones. */
static term allowed(struct run *run, const struct place *place) {
  const struct model *model = run->model;
  const term ss = feature(model, PMUV3_FEATURE_SS);
  const term icntr = feature(model, PMUV3_FEATURE_ICNTR);
  const uint64_t all = place->bits == 64 ? UINT64_MAX : (UINT64_C(1) << place->bits) - 1;
  if (place->reg == PMUV3_PMCR)
    return term_and(mask_of(run, PMUV3_PMCR),
                    constant(64, ~(uint64_t)(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C))));
  if (place->reg != 0) return mask_of(run, place->reg);
  if (place->in_model == offsetof(struct thread_state, pmsscr))
    return if_bits(ss, PMUV3_MASK(PMSSCR, NC), 64);
  if (place->in_model == offsetof(struct thread_state, pmccr))
    return if_bits(feature(model, PMUV3_FEATURE_EXTPMN),
                   PMUV3_PMCCR_OSLO | PMUV3_PMCCR_EPME | PMUV3_PMCCR_EPMN, 64);
  if (place->in_model == offsetof(struct thread_state, locked))
    return feature(model, PMUV3_FEATURE_EXT32);
  if (place->in_model == offsetof(struct thread_state, instructions))
    return if_bits(icntr, all, 64);
  if (place->in_model == offsetof(struct thread_state, saved_cycles)) return if_bits(ss, all, 64);
  if (place->in_model == offsetof(struct thread_state, saved_instructions))
    return if_bits(term_and(ss, icntr), all, 64);
  return constant(place->width == 8 && place->bits == 1 ? 1 : place->width, all);
}

/* Likewise of an array. */
static term allowed_in(struct run *run, const struct array *array, unsigned n) {
  const struct model *model = run->model;
  if (n >= model->size.counters) return constant(array->width, 0);
  const term there = term_ult(constant(5, n), model->params[0]);
  const term all = constant(array->width, UINT64_MAX);
  const term none = constant(array->width, 0);
  const term width = load(run, run->pmu + offsetof(struct pmuv3, identity.width), 64);
  if (array == &arrays[EVTYPER]) return mask_of(run, (uint16_t)PMUV3_PMEVTYPERn(n));
  if (array == &arrays[VALUE]) return term_ite(there, width, none);
  if (array == &arrays[PENDING]) return term_ite(there, constant(16, PMUV3_MAX_PENDING), none);
  if (array == &arrays[SAVED])
    return term_ite(term_and(there, feature(model, PMUV3_FEATURE_SS)), width, none);
  return term_ite(there, all, none);
}

/* evtCount apart, and assumed to have no other bits than it may: proofs go through its values. */
static term event_register(struct model *model, unsigned t, unsigned n, term bits) {
  const term high = variable(model, 48, "t%u.PMEVTYPER%u", t, n);
  const term selected = variable(model, 16, "t%u.evtCount%u", t, n);
  assume(model, term_not(term_any(term_and(selected, term_not(field(bits, 15, 0))))));
  return term_concat(term_and(high, field(bits, 63, 16)), selected);
}

/* What was copied before, or is to be copied of a counter. */
static term saved_counter(struct run *run, unsigned t, unsigned n, term bits) {
  struct copy_state *copies = &run->model->copies[t];
  const term copied = term_and(variable(run->model, 64, "t%u.svr%u", t, n), bits);
  copies->values = n == 0 ? copied : term_concat(copied, copies->values);
  return term_ite(copies->copying, run->model->now[t].value[n], copied);
}

/* Any value that an array's place may have, in some variables. */
static term any_in(struct run *run, const struct array *array, unsigned t, unsigned n) {
  struct model *model = run->model;
  const term bits = allowed_in(run, array, n);
  const term waiting = model->now[t].waiting;
  if (n >= model->size.counters) return bits;
  if (array == &arrays[EVTYPER]) return event_register(model, t, n, bits);
  if (array == &arrays[SAVED]) return saved_counter(run, t, n, bits);
  if (array == &arrays[CP])
    return term_and(term_sext(variable(model, 1, "t%u.CP%u", t, n), 16), bits);
  if (array == &arrays[PENDING])
    return term_and(
        zext(term_ite(waiting, variable(model, 8, "t%u.pending%u", t, n), constant(8, 0)), 16),
        bits);
  return term_and(variable(model, array->width, "t%u.%s%u", t, array->name, n), bits);
}

static void make_thread(struct run *run, unsigned t) {
  struct model *model = run->model;
  const uint64_t at = thread_address(run, run->pmu, t);
  struct copy_state *copies = &model->copies[t];
  copies->copying =
      term_and(variable(model, 1, "t%u.copying", t), feature(model, PMUV3_FEATURE_SS));
  copies->values = term_const(64, 0); /* where no counter is */
  for (size_t p = 0; p < LENGTH(places); p++) {
    const struct place *place = &places[p];
    const term bits = allowed(run, place);
    const uint32_t width = term_width(bits);
    term any = term_and(zext(variable(model, place->bits, "t%u.%s", t, place->name), width), bits);
    if (place->in_model == offsetof(struct thread_state, saved_cycles)) {
      copies->cycles = any;
      any = term_ite(copies->copying, model->now[t].cycles, any);
    }
    if (place->in_model == offsetof(struct thread_state, saved_instructions)) {
      copies->instructions = any;
      any = term_ite(copies->copying, model->now[t].instructions, any);
    }
    *member(&model->now[t], place->in_model) = any;
    store_in(run, at + place->in_thread, place->width, any);
  }
  for (size_t a = 0; a < LENGTH(arrays); a++) {
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
      const term any = any_in(run, &arrays[a], t, n);
      member(&model->now[t], arrays[a].in_model)[n] = any;
      store(run, at + array_address(&arrays[a], index_of(&arrays[a], n)), any);
    }
  }
}

static void decode(struct run *run, uint64_t pmu) {
  const term pointer = address_of(pmu);
  call(run, "step_decode", &pointer, 1);
}

/* Whether a thread counts in another one's PMU. */
static term is_source(struct run *run, uint64_t thread, unsigned source) {
  if (source >= run->model->size.threads) return TERM_FALSE;
  const uint64_t at = thread + offsetof(struct pmuv3_thread, decoded.sources);
  return term_extract(load(run, at, 8), source, 1);
}

/* What is derived of a thread that does not may be anything. */
static void free_counts(struct run *run, unsigned t, unsigned source) {
  const uint64_t thread = thread_address(run, run->pmu, t);
  for (unsigned attributable = 0; attributable < 2; attributable++) {
    for (unsigned lane = 0; lane < PMUV3_LANES; lane++) {
      const size_t place = (attributable * PMUV3_MAX_THREADS + source) * PMUV3_LANES + lane;
      const uint64_t at = thread + offsetof(struct pmuv3_thread, config.counts) + 2 * place;
      const term any = variable(run->model, 16, "t%u.stale%u.%u.%u", t, source, attributable, lane);
      store(run, at, term_ite(is_source(run, thread, source), load(run, at, 16), any));
    }
  }
}

static void make_state(struct run *run) {
  const unsigned threads = run->model->size.threads;
  for (unsigned t = 0; t < threads; t++) make_thread(run, t);
  decode(run, run->pmu);
  for (unsigned t = 0; t < threads; t++)
    for (unsigned source = 0; source < threads; source++)
      if (source != t) free_counts(run, t, source);
}

/* The selection that the case is of, which nothing is derived from. */
static void fix_selection(struct run *run) {
  struct model *model = run->model;
  const unsigned t = model->which.thread;
  char name[32];
  if (!goes_through_selection(&model->which)) return;
  term *pmselr = &model->now[t].pmselr;
  struct term_map *map = term_map_new();
  term_map_put(map, model_variable(model, selection_name(t, name)), constant(64, model->which.sel));
  *pmselr = term_replace(*pmselr, map);
  term_map_free(map);
  store(run, thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, registers.pmselr),
        *pmselr);
}

/* ---- The clock ---- */

static term load_bool(struct run *run, uint64_t address) {
  return term_extract(load(run, address, 8), 0, 1);
}

static void read_answers(struct run *run) {
  struct model_answers *answers = &run->model->answers;
  const uint64_t at = run->answers;
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    const term arguments[] = {address_of(run->pmu), constant(32, t)};
    answers->error[t] = load_bool(run, at + offsetof(struct step_answers, error) + t);
    answers->result[t] =
        term_extract(load(run, at + offsetof(struct step_answers, result) + t, 8), 0, 3);
    answers->value[t] = load(run, at + offsetof(struct step_answers, value) + 8 * t, 64);
    answers->irq[t] = term_extract(call(run, "pmuv3_irq", arguments, 2), 0, 1);
    answers->cti[t] = term_extract(call(run, "pmuv3_cti", arguments, 2), 0, 1);
    answers->exception[t] = term_extract(call(run, "pmuv3_exception", arguments, 2), 0, 4);
  }
  answers->ready = load_bool(run, at + offsetof(struct step_answers, ready));
  answers->transfer_error = load_bool(run, at + offsetof(struct step_answers, transfer_error));
  answers->word = load(run, at + offsetof(struct step_answers, word), 32);
}

/* Everything that the C model does with a register's encoding begins with these. */
struct access_terms {
  term readable, writable, reads, writes;
};

static struct access_terms access_terms(struct run *run, uint16_t reg, uint64_t reach) {
  const unsigned t = run->model->which.thread;
  const term exists[] = {address_of(run->params), constant(16, reg)};
  term access[] = {address_of(run->pmu), constant(32, t), constant(16, reg), TERM_FALSE,
                   address_of(reach)};
  struct access_terms terms = {.readable = call(run, "pmuv3_register_readable", exists, 2),
                               .writable = call(run, "pmuv3_register_writable", exists, 2),
                               .reads = call(run, "pmuv3_access", access, 5)};
  access[3] = TERM_TRUE;
  terms.writes = call(run, "pmuv3_access", access, 5);
  return terms;
}

/* What is proved with one encoding that is no register's is proved with all. */
static void claim_unknown_alike(struct run *run) {
  struct model *model = run->model;
  const uint64_t reach = symex_object(run->symex, "reach", sizeof(struct pmuv3_reach));
  const struct access_terms first = access_terms(run, model->which.place, reach);
  term alike = TERM_TRUE;
  for (unsigned reg = 0; reg < 1 << 16; reg++) {
    if (model_knows_register((uint16_t)reg)) continue;
    const struct access_terms one = access_terms(run, (uint16_t)reg, reach);
    alike = term_and(alike, term_eq(one.readable, first.readable));
    alike = term_and(alike, term_eq(one.writable, first.writable));
    alike = term_and(alike, term_eq(one.reads, first.reads));
    alike = term_and(alike, term_eq(one.writes, first.writes));
  }
  claim(model, text_format("t%u unknown registers: all alike", model->which.thread), alike);
}

static void make_answers(struct run *run) {
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs), address_of(run->answers)};
  call(run, "step_answer", pointers, 3);
  read_answers(run);
}

static void read_thread(struct run *run, uint64_t pmu, unsigned t, struct thread_state *state) {
  const uint64_t at = thread_address(run, pmu, t);
  for (size_t p = 0; p < LENGTH(places); p++) {
    const struct place *place = &places[p];
    term value = load(run, at + place->in_thread, place->width);
    if (place->width == 8 && place->bits == 1) value = term_extract(value, 0, 1);
    *member(state, place->in_model) = value;
  }
  for (size_t a = 0; a < LENGTH(arrays); a++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      member(state, arrays[a].in_model)[n] =
          load(run, at + array_address(&arrays[a], index_of(&arrays[a], n)), arrays[a].width);
}

/* ---- What holds after it ---- */

static void claim_within(struct run *run, unsigned t, const char *name, int n, term value,
                         term bits) {
  struct model *model = run->model;
  const term outside = term_and(value, term_not(bits));
  char *what = n < 0 ? text_format("t%u %s: only what is implemented", t, name)
                     : text_format("t%u %s[%d]: only what is implemented", t, name, n);
  claim(model, what, term_eq(outside, constant(term_width(value), 0)));
}

static void claim_invariants(struct run *run, unsigned t) {
  struct model *model = run->model;
  struct thread_state *next = &model->next[t];
  for (size_t p = 0; p < LENGTH(places); p++)
    claim_within(run, t, places[p].name, -1, *member(next, places[p].in_model),
                 allowed(run, &places[p]));
  for (size_t a = 0; a < LENGTH(arrays); a++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      claim_within(run, t, arrays[a].name, (int)n, member(next, arrays[a].in_model)[n],
                   allowed_in(run, &arrays[a], n));
  for (unsigned n = 0; n < model->size.counters; n++) {
    const term cp = next->CP[n];
    claim(model, text_format("t%u CP[%u]: all bits alike", t, n),
          term_eq(cp, term_sext(term_extract(cp, 0, 1), 16)));
    claim(model, text_format("t%u pending[%u]: only while some wait", t, n),
          term_or(next->waiting, term_eq(next->pending[n], constant(16, 0))));
  }
}

/* What is derived of threads that do not count in a PMU is left as it was, and not looked at. */
static term is_used(struct run *run, uint64_t thread, size_t derived, size_t place) {
  if (derived != offsetof(struct pmuv3_thread, config.counts)) return TERM_TRUE;
  return is_source(run, thread, (unsigned)(place / PMUV3_LANES % PMUV3_MAX_THREADS));
}

/* A checked write in the clock of a cycle ends as the same access between two cycles, of which the
 * theorem speaks. */
static void claim_written(struct run *run, unsigned t) {
  const struct thread_inputs *inputs = &run->model->inputs.thread[t];
  const uint64_t at = run->pmu + offsetof(struct pmuv3, ends.result) + t;
  const term told = term_extract(load(run, at, 8), 0, 3);
  claim(run->model, text_format("t%u what is told of a write in the clock", t),
        term_implies(term_and(inputs->write, inputs->checked),
                     term_eq(told, run->model->answers.result[t])));
}

/* Everything that the C model derives from its state when that changes is what it derives from the
 * state after the clock. */
static void claim_derived(struct run *run, unsigned t) {
  static const struct {
    const char *name;
    size_t at, size;
    unsigned width;
  } derived[] = {
#define DERIVED(name, width) \
  {#name, offsetof(struct pmuv3_thread, name), sizeof(((struct pmuv3_thread *)0)->name), width}
      DERIVED(config.top, 64),
      DERIVED(config.event, 16),
      DERIVED(config.event_class, 16),
      DERIVED(config.attributed, 16),
      DERIVED(config.grouped, 16),
      DERIVED(config.range, 16),
      DERIVED(config.running, 16),
      DERIVED(config.filtered, 16),
      DERIVED(config.unattributable, 16),
      DERIVED(config.eligible, 16),
      DERIVED(config.counts, 16),
      DERIVED(config.cpu_cycles, 16),
      DERIVED(config.TH, 16),
      DERIVED(config.TC, 16),
      DERIVED(config.link_true, 16),
      DERIVED(config.link_false, 16),
      DERIVED(config.adds_VE, 16),
      DERIVED(config.adds_VB, 16),
      DERIVED(config.adds_own, 16),
      DERIVED(config.chain, 16),
      DERIVED(decoded.hpmn, 8),
      DERIVED(decoded.epmn, 8),
      DERIVED(decoded.range, 32),
      DERIVED(decoded.profiles, 8),
      DERIVED(decoded.enabled, 64),
      DERIVED(decoded.running, 64),
      DERIVED(decoded.lp, 32),
      DERIVED(decoded.sync, 32),
      DERIVED(decoded.mute, 32),
      DERIVED(decoded.mt, 32),
      DERIVED(decoded.grouped, 32),
      DERIVED(decoded.combining, 32),
      DERIVED(decoded.chain, 32),
      DERIVED(decoded.freezes, 64),
      DERIVED(decoded.stops, 8),
      DERIVED(decoded.sources, 8),
      DERIVED(decoded.prohibited, 16),
      DERIVED(cycle_config.freezes, 8),
      DERIVED(cycle_config.stops, 8),
      DERIVED(cycle_config.divides, 8),
      DERIVED(cycle_config.top, 64),
      DERIVED(cycle_config.counts, 16),
      DERIVED(instruction_config, 16),
#undef DERIVED
  };
  const uint64_t kept = thread_address(run, run->pmu, t);
  const uint64_t again = thread_address(run, run->copy, t);
  for (size_t d = 0; d < LENGTH(derived); d++) {
    const unsigned bytes = derived[d].width / 8;
    for (size_t i = 0; i < derived[d].size / bytes; i++) {
      const uint64_t at = derived[d].at + i * bytes;
      const term is_same =
          term_eq(load(run, kept + at, derived[d].width), load(run, again + at, derived[d].width));
      claim(run->model, text_format("t%u %s+%zu: as derived anew", t, derived[d].name, i),
            term_implies(is_used(run, again, derived[d].at, i), is_same));
    }
  }
}

/* A copy of the state alone, from which everything else is derived. */
static void derive_again(struct run *run) {
  const size_t size = sizeof(struct pmuv3);
  zero(run, run->copy, size);
  for (size_t i = 0; i < sizeof(struct pmuv3_params); i++) {
    const uint64_t at = offsetof(struct pmuv3, params) + i;
    store(run, run->copy + at, load(run, run->pmu + at, 8));
  }
  for (size_t i = 0; i < sizeof(((struct pmuv3 *)0)->pe); i++) {
    const uint64_t at = offsetof(struct pmuv3, pe) + i;
    store(run, run->copy + at, load(run, run->pmu + at, 8));
  }
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    const uint64_t from = thread_address(run, run->pmu, t), to = thread_address(run, run->copy, t);
    for (size_t p = 0; p < LENGTH(places); p++)
      store(run, to + places[p].in_thread, load(run, from + places[p].in_thread, places[p].width));
    for (size_t a = 0; a < LENGTH(arrays); a++) {
      for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
        const uint64_t at = array_address(&arrays[a], index_of(&arrays[a], n));
        store(run, to + at, load(run, from + at, arrays[a].width));
      }
    }
  }
  decode(run, run->copy);
}

/* ---- Cuts ---- */

static uint64_t values_address(const struct run *run, unsigned t, size_t field, unsigned n) {
  return thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, values) + field +
         2 * pmuv3_lane(n);
}

/* A second cut in a clock would take the place of the first, which nobody would look at. */
static void cut_once(term driven) {
  if (driven == TERM_NONE) return;
  fputs("pmuv3-prove: a value is cut twice in a clock\n", stderr);
  exit(EXIT_UNUSABLE);
}

/* From here on, a variable. */
static void cut_at(struct run *run, unsigned t, unsigned n, enum cut which) {
  static const char *const names[] = {"allowed", "VB", "V"};
  static const size_t fields[] = {offsetof(struct pmuv3_values, allowed),
                                  offsetof(struct pmuv3_values, VB),
                                  offsetof(struct pmuv3_values, V)};
  struct model *model = run->model;
  struct model_cut *cut = &model->cuts[t][n][which];
  const uint64_t at = values_address(run, t, fields[which], n);
  const uint32_t width = which == CUT_ALLOWED ? 1 : MODEL_VALUE_WIDTH;
  const term any = variable(model, width, "t%u.cut.%s%u", t, names[which], n);
  cut->any = any;
  cut_once(cut->driven);
  cut->driven = load(run, at, 16);
  cut->value = which == CUT_ALLOWED
                   ? term_sext(term_and(any, term_ult(constant(5, n), model->params[0])), 16)
                   : term_and(zext(any, 16), model->cuts[t][n][CUT_ALLOWED].value);
  store(run, at, cut->value);
}

/* pmuv3_threshold(config, first, links, state, values), which is called for the even counters and
 * then for the odd ones: before, what it starts from is cut, and afterwards V. */
static uint64_t eligible_address(const struct run *run, unsigned t, unsigned n) {
  return thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, config.eligible) +
         2 * pmuv3_lane(n);
}

/* Until it is known what is allowed. */
static void uncut_eligible(struct run *run, unsigned t) {
  for (unsigned n = 0; n < run->model->size.counters; n++)
    store(run, eligible_address(run, t, n), run->model->eligible[t][n].driven);
}

static bool cuts_sums(const struct model *model) {
  return model->cut_at == MODEL_CUT_SUMS && model_has_sums(model->size);
}

static void cut_threshold(void *with, const term *arguments, bool after) {
  struct run *run = with;
  const struct model *model = run->model;
  uint64_t config = 0, first = 0;
  if (!term_is_const(arguments[0], &config) || !term_is_const(arguments[1], &first)) abort();
  const unsigned t = (unsigned)((config - run->pmu - offsetof(struct pmuv3, thread)) /
                                sizeof(struct pmuv3_thread));
  const unsigned odd = first != 0;
  if (!after && !odd && cuts_sums(model)) uncut_eligible(run, t);
  for (unsigned n = odd; n < model->size.counters; n += 2) {
    if (!after) cut_at(run, t, n, CUT_ALLOWED);
    cut_at(run, t, n, after ? CUT_V : CUT_VB);
  }
}

const char *size_name(struct size size, char name[SIZE_NAME]) {
  const int used = snprintf(name, SIZE_NAME, "%ux%u", size.threads, size.counters);
  if (size.absent > 0) snprintf(name + used, SIZE_NAME - (size_t)used, "+%u", size.absent);
  return name;
}

bool model_has_sums(struct size size) {
  return size.threads > 1;
}

/* Where the C model has it, in struct pmuv3_thread. */
static size_t map_place(unsigned source, unsigned attributability, unsigned lane) {
  const size_t place = (attributability * PMUV3_MAX_THREADS + source) * PMUV3_LANES + lane;
  return offsetof(struct pmuv3_thread, config.counts) + place * sizeof(uint16_t);
}

static uint64_t map_address(const struct run *run, unsigned t, unsigned n, unsigned source,
                            unsigned attributability) {
  return thread_address(run, run->pmu, t) + map_place(source, attributability, pmuv3_lane(n));
}

static uint64_t decoded_address(const struct run *run, unsigned t, size_t field) {
  return thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, decoded) + field;
}
static uint64_t groups_address(const struct run *run, unsigned t) {
  return decoded_address(run, t, offsetof(struct pmuv3_decoded, grouped));
}
static uint64_t group_address(const struct run *run, unsigned t, unsigned n) {
  return thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, config.grouped) +
         2 * pmuv3_lane(n);
}
static uint64_t sources_address(const struct run *run, unsigned t) {
  return decoded_address(run, t, offsetof(struct pmuv3_decoded, sources));
}

/* The threads that a PMU counts, where some of its counters are grouped. */
static term sources_of(const struct run *run, unsigned t, term groups) {
  const unsigned all = (1u << run->model->size.threads) - 1;
  return term_ite(term_any(groups), constant(8, all), constant(8, 1u << t));
}

/* What follows from which counters are grouped does. */
static void claim_groups(struct run *run, unsigned t) {
  const term groups = load(run, groups_address(run, t), 32);
  term is_so = term_eq(load(run, sources_address(run, t), 8), sources_of(run, t, groups));
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    is_so = term_and(is_so, term_eq(load(run, group_address(run, t, n), 16),
                                    term_sext(term_extract(groups, n, 1), 16)));
  const unsigned counters = run->model->size.counters;
  is_so = term_and(is_so, term_not(term_any(term_extract(groups, counters, 32 - counters))));
  claim(run->model, text_format("t%u groups: what follows from them", t), is_so);
}

static void store_groups(struct run *run, unsigned t, term groups) {
  store(run, groups_address(run, t), groups);
  store(run, sources_address(run, t), sources_of(run, t, groups));
  for (unsigned n = 0; n < run->model->size.counters; n++)
    store(run, group_address(run, t, n), term_sext(term_extract(groups, n, 1), 16));
}

static void cut_groups(struct run *run, unsigned t) {
  struct model *model = run->model;
  const term driven = load(run, groups_address(run, t), 32);
  term groups = constant(32, 0);
  for (unsigned n = 0; n < model->size.counters; n++) {
    struct model_part *group = &model->groups[t][n];
    group->any = variable(model, 1, "t%u.cut.grouped%u", t, n);
    cut_once(group->driven);
    group->driven = term_extract(driven, n, 1);
    groups = term_or(groups, term_shl(zext(group->any, 32), constant(32, n)));
  }
  claim_groups(run, t);
  model->sources[t] = load(run, sources_address(run, t), 8);
  store_groups(run, t, groups);
}

static void uncut_groups(struct run *run, unsigned t) {
  term groups = constant(32, 0);
  for (unsigned n = 0; n < run->model->size.counters; n++)
    groups = term_or(groups, term_shl(zext(run->model->groups[t][n].driven, 32), constant(32, n)));
  store_groups(run, t, groups);
}

static void cut_map(struct run *run, unsigned t, unsigned n, unsigned source,
                    unsigned attributability) {
  struct model *model = run->model;
  struct model_map *map = &model->maps[t][n][source][attributability];
  const uint64_t at = map_address(run, t, n, source, attributability);
  const term adds = source == t ? TERM_TRUE : model->groups[t][n].any;
  const term is_used = is_source(run, thread_address(run, run->pmu, t), source);
  const term none = constant(16, 0);
  map->any = variable(model, 16, "t%u.cut.map%u.%u.%u", t, n, source, attributability);
  map->stale = variable(model, 16, "t%u.cut.unused%u.%u.%u", t, n, source, attributability);
  cut_once(map->driven);
  map->driven = load(run, at, 16);
  map->value = term_ite(adds, map->any, none);
  store(run, at, term_ite(adds, map->any, term_ite(is_used, none, map->stale)));
}

/* Threads that are eligible are added up. */
static void cut_eligible(struct run *run, unsigned t, unsigned n) {
  struct model *model = run->model;
  struct model_cut *cut = &model->eligible[t][n];
  const uint32_t threads = model->size.threads;
  const term self = constant(threads, 1u << t), all = constant(threads, (1u << threads) - 1);
  cut->any = variable(model, threads, "t%u.cut.eligible%u", t, n);
  cut_once(cut->driven);
  cut->driven = load(run, eligible_address(run, t, n), 16);
  cut->value = term_and(zext(cut->any, 16), zext(term_ite(model->groups[t][n].any, all, self), 16));
  store(run, eligible_address(run, t, n), cut->value);
}

static void uncut_map(struct run *run, unsigned t, unsigned n, unsigned source,
                      unsigned attributability) {
  store(run, map_address(run, t, n, source, attributability),
        run->model->maps[t][n][source][attributability].driven);
}

static void read_contexts(struct run *run, uint64_t contexts) {
  for (unsigned t = 0; t < run->model->size.threads; t++)
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
      const size_t place = t * PMUV3_NUM_ORIGINS + o;
      run->model->contexts[t][o] =
          load(run, contexts + offsetof(struct pmuv3_contexts, of) + 2 * place, 16);
    }
}

static void cut_sum(struct run *run, unsigned t, unsigned n) {
  struct model_part *sum = &run->model->sums[t][n];
  const uint64_t at = values_address(run, t, offsetof(struct pmuv3_values, VB), n);
  sum->any = variable(run->model, MODEL_VALUE_WIDTH, "t%u.cut.sum%u", t, n);
  cut_once(sum->driven);
  sum->driven = load(run, at, 16);
  store(run, at, zext(sum->any, 16));
}

/* pmuv3_attribution(pmu, thread, cycle, contexts, values): while it runs, what it is given by the
 * filter is cut; and then what it has added up. */
static void cut_attribution(void *with, const term *arguments, bool after) {
  struct run *run = with;
  const struct model *model = run->model;
  uint64_t thread = 0, contexts = 0;
  if (!term_is_const(arguments[1], &thread) || !term_is_const(arguments[3], &contexts)) abort();
  const unsigned t = (unsigned)thread;
  read_contexts(run, contexts);
  (after ? uncut_groups : cut_groups)(run, t);
  for (unsigned n = 0; n < model->size.counters; n++) {
    (after ? cut_sum : cut_eligible)(run, t, n);
    for (unsigned source = 0; source < model->size.threads; source++)
      for (unsigned attributability = 0; attributability < MODEL_MAPS; attributability++)
        (after ? uncut_map : cut_map)(run, t, n, source, attributability);
  }
}

static void read_values(struct run *run, unsigned t) {
  for (unsigned n = 0; n < run->model->size.counters; n++) {
    struct lane_values *values = &run->model->values[t][n];
#define VALUE_OF(name) \
  values->name = load(run, values_address(run, t, offsetof(struct pmuv3_values, name), n), 16);
    VALUE_OF(allowed)
    VALUE_OF(VB)
    VALUE_OF(CT)
    VALUE_OF(CP)
    VALUE_OF(CE)
    VALUE_OF(VT)
    VALUE_OF(VE)
    VALUE_OF(V)
#undef VALUE_OF
  }
}

static void make_clock(struct run *run) {
  if (run->model->cut_at != MODEL_CUT_NOWHERE)
    symex_watch(run->symex, "pmuv3_threshold", cut_threshold, run);
  if (cuts_sums(run->model)) symex_watch(run->symex, "pmuv3_attribution", cut_attribution, run);
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs)};
  call(run, "step_clock", pointers, 2);
}

static void reset(struct run *run) {
  const term pointer = address_of(run->pmu);
  call(run, "pmuv3_reset", &pointer, 1);
}

/* pmuv3_init, after its check of the parameters: that nothing is wrong with them is assumed. */
static void cold_reset(struct run *run) {
  const uint64_t params = symex_object(run->symex, "params", sizeof(struct pmuv3_params));
  for (size_t i = 0; i < sizeof(struct pmuv3_params); i++)
    store(run, params + i, load(run, run->params + i, 8));
  const term pointers[] = {address_of(run->pmu), address_of(params)};
  call(run, "pmuv3_make", pointers, 2);
}

/* From any legal state of the thread to any other. */
static void set_pe(struct run *run) {
  const unsigned t = run->model->which.thread;
  const uint64_t pe = symex_object(run->symex, "pe", sizeof(struct pmuv3_pe));
  make_pe(run, pe, t, "next");
  const term arguments[] = {address_of(run->pmu), constant(32, t), address_of(pe)};
  call(run, "pmuv3_set_pe", arguments, 3);
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs)};
  assume(run->model, call(run, "step_legal_inputs", pointers, 2));
}

/* If it is not by structure, bit by bit: a register has a bit for each counter, and what decides
 * each is large. */
static void claim_same_place(struct model *model, unsigned t, const struct place *place, term a,
                             term b, const char *text) {
  const term same = term_eq(a, b);
  if (term_is_true(same)) {
    claim(model, text_format("t%u %s: %s", t, place->name, text), same);
    return;
  }
  for (uint32_t bit = 0; bit < term_width(a); bit++)
    claim(model, text_format("t%u %s, bit %u: %s", t, place->name, bit, text),
          term_eq(term_extract(a, bit, 1), term_extract(b, bit, 1)));
}

static void claim_same(struct model *model, unsigned t, struct thread_state *a,
                       struct thread_state *b, const char *text) {
  for (size_t p = 0; p < LENGTH(places); p++)
    claim_same_place(model, t, &places[p], *member(a, places[p].in_model),
                     *member(b, places[p].in_model), text);
  for (size_t i = 0; i < LENGTH(arrays); i++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      claim(model, text_format("t%u %s[%u]: %s", t, arrays[i].name, n, text),
            term_eq(member(a, arrays[i].in_model)[n], member(b, arrays[i].in_model)[n]));
}

static void wait_with_page(struct run *run, uint64_t pmu, bool at_once) {
  const struct model_case *which = &run->model->which;
  const term arguments[] = {address_of(pmu), address_of(run->inputs), constant(32, which->thread),
                            constant(16, which->place), constant(1, at_once)};
  call(run, "step_wait", arguments, LENGTH(arguments));
}

/* What waits for the clock after a cycle is done in the call of that cycle. */
static void wait_for_cycle(struct run *run) {
  enum { WORD = sizeof(uint64_t) };
  const uint64_t twice = symex_object(run->symex, "twice", sizeof(struct pmuv3));
  for (size_t at = 0; at < sizeof(struct pmuv3); at += WORD)
    store(run, twice + at, load(run, run->pmu + at, 8 * WORD));
  wait_with_page(run, twice, false);
  wait_with_page(run, run->pmu, true);
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    struct thread_state a, b;
    read_thread(run, run->pmu, t, &a);
    read_thread(run, twice, t, &b);
    claim_same(run->model, t, &a, &b, "as in two clocks");
  }
}

static void make_next(struct run *run) {
  struct model *model = run->model;
  switch (model->which.access) {
    case MODEL_RESET:
      reset(run);
      break;
    case MODEL_COLD_RESET:
      cold_reset(run);
      break;
    case MODEL_SET_PE:
      set_pe(run);
      break;
    case MODEL_WAIT:
      wait_for_cycle(run);
      break;
    default:
      if (model->which.is_unknown && model->which.access == MODEL_READ && !model->which.cycle)
        claim_unknown_alike(run);
      make_answers(run);
      make_clock(run);
      for (unsigned t = 0; model->which.cycle && t < model->size.threads; t++)
        claim_written(run, t);
      break;
  }
  for (unsigned t = 0; t < model->size.threads; t++) {
    read_thread(run, run->pmu, t, &model->next[t]);
    if (model->which.cycle) read_values(run, t);
  }
  derive_again(run);
  for (unsigned t = 0; t < model->size.threads; t++) {
    claim_invariants(run, t);
    claim_derived(run, t);
    if (model->which.access == MODEL_SET_PE)
      claim_same(model, t, &model->now[t], &model->next[t], "the same");
  }
}

bool model_is_reset(const struct model_case *which) {
  return which->access == MODEL_RESET || which->access == MODEL_COLD_RESET;
}
bool model_is_clock(const struct model_case *which) {
  return which->access < MODEL_RESET;
}

static void claim_obligation(struct model *model, const struct symex_obligation *obligation) {
  claim(model, text_format("defined: %s", obligation->what), obligation->condition);
  model->claims[model->num_claims - 1].is_promise = obligation->is_promise;
}

static void claim_defined(struct run *run) {
  const struct symex_obligation *obligations;
  const size_t number = symex_obligations(run->symex, &obligations, &run->model->trivial);
  for (size_t i = 0; i < number; i++) claim_obligation(run->model, &obligations[i]);
}

static void make_objects(struct run *run) {
  run->pmu = symex_object(run->symex, "pmu", sizeof(struct pmuv3));
  run->copy = symex_object(run->symex, "copy", sizeof(struct pmuv3));
  run->inputs = symex_object(run->symex, "inputs", sizeof(struct step_inputs));
  run->answers = symex_object(run->symex, "answers", sizeof(struct step_answers));
  run->params = run->pmu + offsetof(struct pmuv3, params);
  zero(run, run->pmu, sizeof(struct pmuv3));
}

/* What the cycle before left of its values may be anything: the next one is to make its own. */
static void leave_values(struct run *run) {
  enum { NARROW = offsetof(struct pmuv3_values, carry), CARRY = sizeof(uint64_t) };
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    const uint64_t values = values_address(run, t, 0, 0);
    for (unsigned at = 0; at < NARROW; at += 2)
      store(run, values + at, variable(run->model, 16, "t%u.left.%u", t, at));
    for (unsigned n = 0; n < PMUV3_LANES; n++)
      store(run, values + NARROW + CARRY * n, variable(run->model, 64, "t%u.left.carry%u", t, n));
  }
}

/* Of mutants of the model (testbench/signoff/mutate/cmodel.c): any of them. */
static void select_mutant(struct run *run) {
  const uint64_t selector = symex_global(run->symex, "pmuv3_mutant");
  if (selector == 0) return;
  run->model->mutant = variable(run->model, 32, "mutant");
  store(run, selector, run->model->mutant);
}

static void identify(struct run *run) {
  const term pointer = address_of(run->pmu);
  call(run, "pmuv3_registers_identify", &pointer, 1);
}

bool model_begin_alike(const struct model_case *a, const struct model_case *b) {
  const bool transfers = a->access == MODEL_TRANSFER;
  return transfers == (b->access == MODEL_TRANSFER) && (!transfers || a->layout == b->layout);
}

struct model *model_begin(const char *bitcode, struct size size, const struct model_case *which,
                          enum model_cut_at cut_at) {
  struct model *model = calloc(1, sizeof *model);
  struct run *run = calloc(1, sizeof *run);
  if (model == NULL || run == NULL) abort();
  *run = (struct run){.model = model, .symex = symex_new(bitcode)};
  model->size = size;
  model->which = *which;
  model->cut_at = cut_at;
  model->run = run;
  if (run->symex == NULL) {
    model_free(model);
    return NULL;
  }
  make_objects(run);
  select_mutant(run);
  make_params(run);
  make_inputs(run);
  identify(run);
  make_state(run);
  leave_values(run);
  return model;
}

void model_finish(struct model *model, const struct model_case *which) {
  struct run *run = model->run;
  model->which = *which;
  make_accesses(run);
  fix_selection(run);
  make_next(run);
  claim_defined(run);
  model->steps = symex_steps(run->symex);
}

struct model *model_new(const char *bitcode, struct size size, const struct model_case *which,
                        enum model_cut_at cut_at) {
  struct model *model = model_begin(bitcode, size, which, cut_at);
  if (model != NULL) model_finish(model, which);
  return model;
}

void model_free(struct model *model) {
  if (model->run->symex != NULL) symex_free(model->run->symex);
  free(model->run);
  for (size_t c = 0; c < model->num_claims; c++) free(model->claims[c].name);
  free(model->claims);
  free(model->assumptions);
  free(model->particulars);
  free(model->variables);
  free(model->denials);
  free(model);
}

struct model_denials model_denials(const struct model *model) {
  return (struct model_denials){model->denials, model->num_denials};
}

term model_variable(const struct model *model, const char *name) {
  for (size_t v = 0; v < model->num_variables; v++)
    if (strcmp(term_name(model->variables[v]), name) == 0) return model->variables[v];
  return TERM_NONE;
}
