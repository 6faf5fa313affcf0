#include "testbench/prove/equivalence/model_run.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/text.h"

static void read_values(struct run *run, unsigned t) {
  for (unsigned n = 0; n < run->model->size.counters; n++) {
    struct lane_values *values = &run->model->values[t][n];
#define VALUE_OF(name) \
  values->name = load(run, cuts_values_address(run, t, offsetof(struct pmuv3_values, name), n), 16);
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
    symex_watch(run->symex, "pmuv3_threshold", cuts_threshold, run);
  if (cuts_sums(run->model)) symex_watch(run->symex, "pmuv3_attribution", cuts_attribution, run);
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
  inputs_make_pe(run, pe, t, "next");
  const term arguments[] = {address_of(run->pmu), constant(32, t), address_of(pe)};
  call(run, "pmuv3_set_pe", arguments, 3);
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs)};
  run_assume(run->model, call(run, "step_legal_inputs", pointers, 2));
}

/* If it is not by structure, bit by bit: a register has a bit for each counter, and what decides
 * each is large. */
static void claim_same_place(struct model *model, unsigned t, const struct place *place, term a,
                             term b, const char *text) {
  const term same = term_eq(a, b);
  if (term_is_true(same)) {
    model_claim(model, text_format("t%u %s: %s", t, place->name, text), same);
    return;
  }
  for (uint32_t bit = 0; bit < term_width(a); bit++)
    model_claim(model, text_format("t%u %s, bit %u: %s", t, place->name, bit, text),
                term_eq(term_extract(a, bit, 1), term_extract(b, bit, 1)));
}

static void claim_same(struct model *model, unsigned t, struct thread_state *a,
                       struct thread_state *b, const char *text) {
  for (size_t p = 0; p < LENGTH(places); p++)
    claim_same_place(model, t, &places[p], *state_member(a, places[p].in_model),
                     *state_member(b, places[p].in_model), text);
  for (size_t i = 0; i < LENGTH(arrays); i++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      model_claim(
          model, text_format("t%u %s[%u]: %s", t, arrays[i].name, n, text),
          term_eq(state_member(a, arrays[i].in_model)[n], state_member(b, arrays[i].in_model)[n]));
}

/* Whether the page's write fails. */
static term wait_with_page(struct run *run, uint64_t pmu, bool at_once) {
  const struct model_case *which = &run->model->which;
  const term arguments[] = {address_of(pmu), address_of(run->inputs), constant(32, which->thread),
                            constant(16, which->place), constant(1, at_once)};
  return call(run, "step_wait", arguments, LENGTH(arguments));
}

/* What waits for the clock after a cycle is done in the call of that cycle. */
static void wait_for_cycle(struct run *run) {
  enum { WORD = sizeof(uint64_t) };
  const uint64_t twice = symex_object(run->symex, "twice", sizeof(struct pmuv3));
  for (size_t at = 0; at < sizeof(struct pmuv3); at += WORD)
    store(run, twice + at, load(run, run->pmu + at, 8 * WORD));
  const term fails = wait_with_page(run, twice, false);
  const term told = wait_with_page(run, run->pmu, true);
  model_claim(run->model, text_format("what is told of the page: as in two clocks"),
              term_eq(fails, told));
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    struct thread_state a, b;
    claims_read_thread(run, run->pmu, t, &a);
    claims_read_thread(run, twice, t, &b);
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
      if (model->which.is_unknown) claims_unknown_alike(run);
      claims_make_answers(run);
      make_clock(run);
      claims_make_pulses(run);
      if (model->which.cycle) claims_written(run);
      break;
  }
  for (unsigned t = 0; t < model->size.threads; t++) {
    claims_read_thread(run, run->pmu, t, &model->next[t]);
    if (model->which.cycle) read_values(run, t);
  }
  if (model_is_reset(&model->which)) claims_no_pulses(run);
  claims_derive_again(run);
  for (unsigned t = 0; t < model->size.threads; t++) {
    claims_invariants(run, t);
    claims_derived(run, t);
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
  model_claim(model, text_format("defined: %s", obligation->what), obligation->condition);
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
  zero(run, run->copy, sizeof(struct pmuv3));
}

/* What the clock before told of its writes may be anything. */
static void leave_ends(struct run *run) {
  for (unsigned at = 0; at < sizeof(struct pmuv3_ends); at++)
    store(run, run->pmu + offsetof(struct pmuv3, ends) + at,
          run_variable(run->model, 8, "left.ends%u", at));
}

/* What the cycle before left of its values may be anything: the next one is to make its own. */
static void leave_values(struct run *run) {
  enum { NARROW = offsetof(struct pmuv3_values, carry), CARRY = sizeof(uint64_t) };
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    const uint64_t values = cuts_values_address(run, t, 0, 0);
    for (unsigned at = 0; at < NARROW; at += 2)
      store(run, values + at, run_variable(run->model, 16, "t%u.left.%u", t, at));
    for (unsigned n = 0; n < PMUV3_LANES; n++)
      store(run, values + NARROW + CARRY * n,
            run_variable(run->model, 64, "t%u.left.carry%u", t, n));
    store(run, values + offsetof(struct pmuv3_values, pulses),
          run_variable(run->model, 64, "t%u.left.pulses", t));
  }
}

/* Of mutants of the model (testbench/signoff/mutate/cmodel.c): any of them. */
static void select_mutant(struct run *run) {
  const uint64_t selector = symex_global(run->symex, "pmuv3_mutant");
  if (selector == 0) return;
  run->model->mutant = run_variable(run->model, 32, "mutant");
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
  inputs_make_params(run);
  inputs_make(run);
  identify(run);
  state_make_model(run);
  leave_values(run);
  leave_ends(run);
  return model;
}

void model_finish(struct model *model, const struct model_case *which) {
  struct run *run = model->run;
  model->which = *which;
  inputs_make_accesses(run);
  state_fix_selection(run);
  struct symex_mark *before = symex_mark(run->symex);
  make_next(run);
  claims_kept(run, before);
  symex_mark_free(before);
  claim_defined(run);
  model->steps = symex_steps(run->symex);
}

/* What was appended to an array of the model stays there, beyond its end. */
void model_rehearse(struct model *model, const struct model_case *which) {
  struct model before = *model;
  struct symex_mark *mark = symex_mark(model->run->symex);
  symex_remember(model->run->symex, true);
  model_finish(model, which);
  symex_remember(model->run->symex, false);
  symex_drop(model->run->symex, mark);
  symex_mark_free(mark);
  while (model->num_claims > before.num_claims) free(model->claims[--model->num_claims].name);
  before.assumptions = model->assumptions;
  before.particulars = model->particulars;
  before.denials = model->denials;
  before.claims = model->claims;
  before.variables = model->variables;
  *model = before;
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

/* Some value of the denied variable is not denied, and nothing else is assumed of it. */
size_t model_num_needed(const struct model *model, term condition) {
  const bool needs_all = term_depends_on(condition, model->denied);
  return model->num_assumptions - (needs_all ? 0 : model->num_denials);
}

term model_variable(const struct model *model, const char *name) {
  for (size_t v = 0; v < model->num_variables; v++)
    if (strcmp(term_name(model->variables[v]), name) == 0) return model->variables[v];
  return TERM_NONE;
}

term model_param(const struct model *model, const char *name) {
  static const char *const names[] = {
#define PMUV3_PARAM(param, dflt, min, max, bits, text) #param,
#define PMUV3_CHOICE(id, choice, dflt, values, bits, text) #id,
#include "pmuv3/params.def"
  };
  for (unsigned p = 0; p < model->num_params; p++)
    if (strcmp(names[p], name) == 0) return model->params[p];
  return TERM_NONE;
}

term model_has_software_lock(const struct model *model) {
  return term_and(term_extract(model->features, PMUV3_FEATURE_EXT32, 1),
                  term_not(model_param(model, "k_software_lock")));
}
