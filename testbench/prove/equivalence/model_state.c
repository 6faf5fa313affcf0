#include "testbench/prove/equivalence/model_run.h"

/* ---- State ---- */

term *state_member(struct thread_state *state, size_t offset) {
  return (term *)((char *)state + offset);
}
uint64_t state_thread_address(const struct run *run, uint64_t pmu, unsigned t) {
  (void)run;
  return pmu + offsetof(struct pmuv3, thread) + t * sizeof(struct pmuv3_thread);
}
uint64_t state_array_address(const struct array *array, unsigned i) {
  return array->in_thread + i * (array->width / 8);
}
unsigned state_index_of(const struct array *array, unsigned n) {
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

term state_allowed(struct run *run, const struct place *place) {
  const struct model *model = run->model;
  const term ss = inputs_feature(model, PMUV3_FEATURE_SS);
  const term icntr = inputs_feature(model, PMUV3_FEATURE_ICNTR);
  const uint64_t all = place->bits == 64 ? UINT64_MAX : (UINT64_C(1) << place->bits) - 1;
  if (place->reg == PMUV3_PMCR)
    return term_and(mask_of(run, PMUV3_PMCR),
                    constant(64, ~(uint64_t)(PMUV3_MASK(PMCR, P) | PMUV3_MASK(PMCR, C))));
  if (place->reg != 0) return mask_of(run, place->reg);
  if (place->in_model == offsetof(struct thread_state, pmsscr))
    return if_bits(ss, PMUV3_MASK(PMSSCR, NC), 64);
  if (place->in_model == offsetof(struct thread_state, pmccr))
    return if_bits(inputs_feature(model, PMUV3_FEATURE_EXTPMN),
                   PMUV3_PMCCR_OSLO | PMUV3_PMCCR_EPME | PMUV3_PMCCR_EPMN, 64);
  if (place->in_model == offsetof(struct thread_state, locked))
    return model_has_software_lock(model);
  if (place->in_model == offsetof(struct thread_state, captured)) return ss;
  if (place->in_model == offsetof(struct thread_state, instructions))
    return if_bits(icntr, all, 64);
  if (place->in_model == offsetof(struct thread_state, saved_cycles)) return if_bits(ss, all, 64);
  if (place->in_model == offsetof(struct thread_state, saved_instructions))
    return if_bits(term_and(ss, icntr), all, 64);
  return constant(place->width == 8 && place->bits == 1 ? 1 : place->width, all);
}

term state_allowed_in(struct run *run, const struct array *array, unsigned n) {
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
    return term_ite(term_and(there, inputs_feature(model, PMUV3_FEATURE_SS)), width, none);
  return term_ite(there, all, none);
}

/* evtCount apart, and assumed to have no other bits than it may: proofs go through its values. */
static term event_register(struct model *model, unsigned t, unsigned n, term bits) {
  const term high = run_variable(model, 48, "t%u.PMEVTYPER%u", t, n);
  const term selected = run_variable(model, 16, "t%u.evtCount%u", t, n);
  run_assume(model, term_not(term_any(term_and(selected, term_not(field(bits, 15, 0))))));
  return term_concat(term_and(high, field(bits, 63, 16)), selected);
}

/* What was copied before, or is to be copied of a counter. */
static term saved_counter(struct run *run, unsigned t, unsigned n, term bits) {
  struct copy_state *copies = &run->model->copies[t];
  const term copied = term_and(run_variable(run->model, 64, "t%u.svr%u", t, n), bits);
  copies->values = n == 0 ? copied : term_concat(copied, copies->values);
  return term_ite(copies->copying, run->model->now[t].value[n], copied);
}

/* Any value that an array's place may have, in some variables. */
static term any_in(struct run *run, const struct array *array, unsigned t, unsigned n) {
  struct model *model = run->model;
  const term bits = state_allowed_in(run, array, n);
  const term waiting = model->now[t].waiting;
  if (n >= model->size.counters) return bits;
  if (array == &arrays[EVTYPER]) return event_register(model, t, n, bits);
  if (array == &arrays[SAVED]) return saved_counter(run, t, n, bits);
  if (array == &arrays[CP])
    return term_and(term_sext(run_variable(model, 1, "t%u.CP%u", t, n), 16), bits);
  if (array == &arrays[PENDING])
    return term_and(
        zext(term_ite(waiting, run_variable(model, 8, "t%u.pending%u", t, n), constant(8, 0)), 16),
        bits);
  return term_and(run_variable(model, array->width, "t%u.%s%u", t, array->name, n), bits);
}

/* Whether a byte of struct pmuv3_thread is of an array's lanes, of a place, or of a row of what is
 * derived; or the cycle before left it (leave_values). */
static bool has_name(size_t at) {
  for (size_t p = 0; p < LENGTH(places); p++)
    if (at - places[p].in_thread < places[p].width / 8) return true;
  for (size_t a = 0; a < LENGTH(arrays); a++)
    if (at - arrays[a].in_thread < PMUV3_LANES * arrays[a].width / 8) return true;
  return at - offsetof(struct pmuv3_thread, values) < sizeof(struct pmuv3_values) ||
         claims_has_row(at);
}

/* Any other byte may be anything: what matters of a member that was forgotten is then not proved.
 */
static void free_rest(struct run *run, unsigned t) {
  for (size_t at = 0; at < sizeof(struct pmuv3_thread); at++) {
    if (has_name(at)) continue;
    const term any = run_variable(run->model, 8, "t%u.byte%zu", t, at);
    store(run, state_thread_address(run, run->pmu, t) + at, any);
    store(run, state_thread_address(run, run->copy, t) + at, any);
  }
}

static void make_thread(struct run *run, unsigned t) {
  struct model *model = run->model;
  const uint64_t at = state_thread_address(run, run->pmu, t);
  struct copy_state *copies = &model->copies[t];
  copies->copying =
      term_and(run_variable(model, 1, "t%u.copying", t), inputs_feature(model, PMUV3_FEATURE_SS));
  copies->values = term_const(64, 0); /* where no counter is */
  for (size_t p = 0; p < LENGTH(places); p++) {
    const struct place *place = &places[p];
    const term bits = state_allowed(run, place);
    const uint32_t width = term_width(bits);
    term any =
        term_and(zext(run_variable(model, place->bits, "t%u.%s", t, place->name), width), bits);
    if (place->in_model == offsetof(struct thread_state, captured))
      any = term_and(any, model->now[t].waiting);
    if (place->in_model == offsetof(struct thread_state, saved_cycles)) {
      copies->cycles = any;
      any = term_ite(copies->copying, model->now[t].cycles, any);
    }
    if (place->in_model == offsetof(struct thread_state, saved_instructions)) {
      copies->instructions = any;
      any = term_ite(copies->copying, model->now[t].instructions, any);
    }
    *state_member(&model->now[t], place->in_model) = any;
    store_in(run, at + place->in_thread, place->width, any);
  }
  for (size_t a = 0; a < LENGTH(arrays); a++) {
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
      const term any = any_in(run, &arrays[a], t, n);
      state_member(&model->now[t], arrays[a].in_model)[n] = any;
      store(run, at + state_array_address(&arrays[a], state_index_of(&arrays[a], n)), any);
    }
  }
}

void state_decode(struct run *run, uint64_t pmu) {
  const term pointer = address_of(pmu);
  call(run, "step_decode", &pointer, 1);
}

term state_is_source(struct run *run, uint64_t thread, unsigned source) {
  if (source >= run->model->size.threads) return TERM_FALSE;
  const uint64_t at = thread + offsetof(struct pmuv3_thread, decoded.sources);
  return term_extract(load(run, at, 8), source, 1);
}

/* What is derived of a thread that does not may be anything. */
static void free_counts(struct run *run, unsigned t, unsigned source) {
  const uint64_t thread = state_thread_address(run, run->pmu, t);
  for (unsigned attributable = 0; attributable < 2; attributable++) {
    for (unsigned lane = 0; lane < PMUV3_LANES; lane++) {
      const size_t place = (attributable * PMUV3_MAX_THREADS + source) * PMUV3_LANES + lane;
      const uint64_t at = thread + offsetof(struct pmuv3_thread, config.counts) + 2 * place;
      const term any =
          run_variable(run->model, 16, "t%u.stale%u.%u.%u", t, source, attributable, lane);
      store(run, at, term_ite(state_is_source(run, thread, source), load(run, at, 16), any));
    }
  }
}

void state_make_model(struct run *run) {
  const unsigned threads = run->model->size.threads;
  for (unsigned t = 0; t < threads; t++) free_rest(run, t);
  for (unsigned t = 0; t < threads; t++) make_thread(run, t);
  state_decode(run, run->pmu);
  for (unsigned t = 0; t < threads; t++)
    for (unsigned source = 0; source < threads; source++)
      if (source != t) free_counts(run, t, source);
}

void state_fix_selection(struct run *run) {
  struct model *model = run->model;
  const unsigned t = model->which.thread;
  char name[32];
  if (!inputs_go_through_selection(&model->which)) return;
  term *pmselr = &model->now[t].pmselr;
  struct term_map *map = term_map_new();
  term_map_put(map, model_variable(model, inputs_selection_name(t, name)),
               constant(64, model->which.sel));
  *pmselr = term_replace(*pmselr, map);
  term_map_free(map);
  store(run,
        state_thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, registers.pmselr),
        *pmselr);
}
