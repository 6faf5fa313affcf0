#include "testbench/prove/equivalence/model_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parameters ---- */

/* The bits that the largest number of counters needs: none are free beyond it. */
static term counters_variable(struct model *model) {
  unsigned bits = 0;
  while (model->size.counters >> bits != 0) bits++;
  if (bits == 0) return constant(5, 0);
  const term counters = zext(run_variable(model, bits, "counters"), 5);
  run_assume(model, term_ule(counters, constant(5, model->size.counters)));
  return counters;
}

static term parameter(struct model *model, const char *name, uint32_t bits) {
  if (strcmp(name, "threads") == 0) return constant(bits, model->size.threads);
  if (strcmp(name, "counters") == 0) return counters_variable(model);
  return run_variable(model, bits, "%s", name);
}

bool inputs_go_through_selection(const struct model_case *which) {
  return (which->access == MODEL_READ || which->access == MODEL_WRITE) && !which->is_unknown &&
         model_is_selected(which->place);
}
const char *inputs_selection_name(unsigned t, char name[32]) {
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
  if (!inputs_go_through_selection(which) ||
      strcmp(name, inputs_selection_name(which->thread, selection)) != 0)
    return fixes_layout(which, name, value);
  *value = which->sel;
  return true;
}

static term feature_parameter(struct model *model, const char *name, bool is_fixed) {
  uint64_t value;
  return is_fixed && fixes_layout(&model->which, name, &value) ? constant(1, value)
                                                               : run_variable(model, 1, "%s", name);
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

/* What a tick does not read is 0: how often an event can occur. */
static void make_events(struct run *run) {
  const uint64_t events = run->params + offsetof(struct pmuv3_params, events);
  model_events_make(run->model);
  store(run, events + offsetof(struct pmuv3_events, num), constant(16, MODEL_EVENTS));
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const struct event_terms *event = &run->model->events[e];
    const uint64_t at =
        events + offsetof(struct pmuv3_events, event) + e * sizeof(struct pmuv3_event);
    store(run, at + offsetof(struct pmuv3_event, number), constant(16, model_event_number(e)));
    store_in(run, at + offsetof(struct pmuv3_event, event_class), 8, event->event_class);
    store_in(run, at + offsetof(struct pmuv3_event, attribution), 8, event->attribution);
    store_in(run, at + offsetof(struct pmuv3_event, traits), 8, event->traits);
  }
}

static term are_legal(struct run *run) {
  const term pointer = address_of(run->params);
  return call(run, "step_legal_params", &pointer, 1);
}

void inputs_make_params(struct run *run) {
  struct model *model = run->model;
  const uint64_t params = run->params;
  zero(run, params, sizeof(struct pmuv3_params));
  term value;
#define PMUV3_PARAM(name, dflt, min, max, bits, text)                         \
  value = model->params[model->num_params++] = parameter(model, #name, bits); \
  store_in(run, params + offsetof(struct pmuv3_params, name),                 \
           8 * sizeof(((struct pmuv3_params *)0)->name), value);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) PMUV3_PARAM(id, 0, 0, 0, bits, text)
#include "pmuv3/params.def"
  make_events(run);
  const term all = make_features(run, false);
  run_assume(model, are_legal(run));
  model->features = make_features(run, true);
  if (model->features != all) run_assume_particular(model, are_legal(run));
}

term inputs_feature(const struct model *model, enum pmuv3_feature which) {
  return term_extract(model->features, which, 1);
}

/* ---- Inputs ---- */

term inputs_make_pe(struct run *run, uint64_t at, unsigned t, const char *pe) {
  struct model *model = run->model;
  zero(run, at, sizeof(struct pmuv3_pe));
  term packed = TERM_NONE;
#define FIELD(name, width)                                                                        \
  {                                                                                               \
    const term value = run_variable(model, width, "t%u.%s." #name, t, pe);                        \
    store_in(run, at + offsetof(struct pmuv3_pe, name), 8 * sizeof(((struct pmuv3_pe *)0)->name), \
             value);                                                                              \
    packed = packed == TERM_NONE ? value : term_concat(value, packed);                            \
  }
#define PMUV3_PE_NUMBER(name, bits, text) FIELD(name, bits)
#define PMUV3_PE_MASK(name, bits, text) FIELD(name, bits)
#define PMUV3_PE_FLAG(name, text) FIELD(name, 1)
#include "pmuv3/pe.def"
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
  const term el = run_variable(model, 2, "t%u.other.el", t);
  const term ss = run_variable(model, 2, "t%u.other.ss", t);
  const term related = run_variable(model, 1, "t%u.other.related", t);
  store_in(run, at + offsetof(struct pmuv3_context, el), 8, el);
  store_in(run, at + offsetof(struct pmuv3_context, ss), 8, ss);
  store_in(run, at + offsetof(struct pmuv3_context, related), 8, related);
  model->inputs.thread[t].other = term_concat(related, term_concat(ss, el));
}

static void make_count(struct run *run, unsigned t, unsigned e, unsigned o) {
  struct model *model = run->model;
  const uint32_t bits = model_event_bits(e, o);
  if (bits == 0) return;
  const term count =
      zext(run_variable(model, bits, "%s", term_name(model_event_count("", t, e, o))), 8);
  const size_t place = (e * PMUV3_MAX_THREADS + t) * PMUV3_NUM_ORIGINS + o;
  store(run, run->inputs + offsetof(struct step_inputs, count) + place, count);
  model->inputs.thread[t].count[e][o] = count;
}

static void make_counts(struct run *run, unsigned t) {
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) make_count(run, t, e, o);
}

/* Without a Processor cycle, the RTL ignores it. */
static void make_capture(struct run *run, unsigned t) {
  const term capture = run_variable(run->model, 1, "t%u.capture", t);
  store_in(run, run->inputs + offsetof(struct step_inputs, capture) + t, 8, capture);
  run->model->inputs.thread[t].capture = capture;
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
}

/* They are the last assumptions. */
static void assume_denials(struct model *model) {
  for (size_t d = 0; d < model->num_denials; d++) run_assume(model, term_not(model->denials[d]));
}

/* A register that is none of those that are a case each. There is one. */
static term unknown_register(struct model *model, unsigned t) {
  const term reg = run_variable(model, 16, "t%u.reg", t);
  for (unsigned one = 0; one < 1 << 16; one++)
    if (model_knows_register((uint16_t)one)) deny(model, term_eq(reg, constant(16, one)));
  if (model->num_denials == 1 << 16) abort();
  model->denied = reg;
  return reg;
}

static term register_of(struct model *model, unsigned t, bool is_accessed) {
  if (!is_accessed) return run_variable(model, 16, "t%u.reg", t);
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
  thread->checked = run_variable(model, 1, "t%u.checked", t);
  thread->reg = register_of(model, t, write || read);
  thread->value = run_variable(model, 64, "t%u.wdata", t);
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
      return run_variable(model, 1, "%s", name);
    default: /* what stays through a reset takes no transfer at its edge */
      return is_low ? TERM_FALSE : run_variable(model, 1, "%s", name);
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
  inputs->transfer_write = run_variable(model, 1, "apb.write");
  inputs->page =
      transfers || waits ? constant(2, which->thread) : run_variable(model, 2, "apb.page");
  inputs->space = run_variable(model, 2, "apb.space");
  inputs->offset = transfers && which->thread < model->size.threads
                       ? constant(12, which->place)
                       : run_variable(model, 12, "apb.offset");
  inputs->strobes = run_variable(model, 4, "apb.strobes");
  inputs->word = run_variable(model, 32, "apb.wdata");
  store_in(run, at + offsetof(struct step_transfer, select), 8, inputs->select);
  store_in(run, at + offsetof(struct step_transfer, write), 8, inputs->transfer_write);
  store_in(run, at + offsetof(struct step_transfer, page), 8, inputs->page);
  store_in(run, at + offsetof(struct step_transfer, ss), 8, inputs->space);
  store_in(run, at + offsetof(struct step_transfer, offset), 16, inputs->offset);
  store_in(run, at + offsetof(struct step_transfer, strobes), 8, inputs->strobes);
  store(run, at + offsetof(struct step_transfer, value), inputs->word);
}

void inputs_make(struct run *run) {
  zero(run, run->inputs, sizeof(struct step_inputs));
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    run->model->inputs.thread[t].pe = inputs_make_pe(run, pe_address(run, t), t, "pe");
    make_capture(run, t);
    make_other(run, t);
    make_counts(run, t);
  }
}

void inputs_make_accesses(struct run *run) {
  store_in(run, run->inputs + offsetof(struct step_inputs, cycle), 8,
           constant(1, run->model->which.cycle));
  for (unsigned t = 0; t < run->model->size.threads; t++) make_access(run, t);
  make_transfer(run);
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs)};
  run_assume(run->model, call(run, "step_legal_inputs", pointers, 2));
  assume_denials(run->model);
}
