#include "testbench/prove/equivalence/model_run.h"

#include "testbench/prove/equivalence/text.h"

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
    answers->syndrome[t] = load(run, at + offsetof(struct step_answers, syndrome) + 4 * t, 32);
    answers->irq[t] = term_extract(call(run, "pmuv3_irq", arguments, 2), 0, 1);
    answers->cti[t] = term_extract(call(run, "pmuv3_cti", arguments, 2), 0, 1);
    answers->exception[t] = term_extract(call(run, "pmuv3_exception", arguments, 2), 0, 4);
    answers->halt[t] = term_extract(call(run, "pmuv3_halt", arguments, 2), 0, 1);
    answers->brbe[t] = call(run, "pmuv3_brbe", arguments, 2);
  }
  answers->ready = load_bool(run, at + offsetof(struct step_answers, ready));
  answers->transfer_error = load_bool(run, at + offsetof(struct step_answers, transfer_error));
  answers->transfer_writes = load_bool(run, at + offsetof(struct step_answers, transfer_writes));
  answers->word = load(run, at + offsetof(struct step_answers, word), 32);
}

/* How an access ends, and the trap if it is not done. */
struct end_terms {
  term result, el, ec, iss;
};

static struct end_terms end_terms(struct run *run, uint16_t reg, bool writes, uint64_t trap) {
  const term arguments[] = {address_of(run->pmu), constant(32, run->model->which.thread),
                            constant(16, reg), writes ? TERM_TRUE : TERM_FALSE, address_of(trap)};
  const term result = call(run, "pmuv3_trap_of", arguments, LENGTH(arguments));
  return (struct end_terms){.result = result,
                            .el = load(run, trap + offsetof(struct pmuv3_trap, el), 8),
                            .ec = load(run, trap + offsetof(struct pmuv3_trap, ec), 8),
                            .iss = load(run, trap + offsetof(struct pmuv3_trap, iss), 32)};
}

static term same_end(const struct end_terms *a, const struct end_terms *b) {
  const term same_trap =
      term_and(term_eq(a->el, b->el), term_and(term_eq(a->ec, b->ec), term_eq(a->iss, b->iss)));
  return term_and(term_eq(a->result, b->result), same_trap);
}

/* Everything that the C model does with a register's encoding begins with these. */
struct access_terms {
  term readable, writable;
  struct end_terms reads, writes;
};

static struct access_terms access_terms(struct run *run, uint16_t reg, uint64_t trap) {
  const term exists[] = {address_of(run->params), constant(16, reg)};
  struct symex_mark *mark = symex_mark(run->symex);
  const struct access_terms terms = {.readable = call(run, "pmuv3_register_readable", exists, 2),
                                     .writable = call(run, "pmuv3_register_writable", exists, 2),
                                     .reads = end_terms(run, reg, false, trap),
                                     .writes = end_terms(run, reg, true, trap)};
  symex_back(run->symex, mark); /* the next one starts from the same memory */
  symex_mark_free(mark);
  return terms;
}

/* Each of the four cases takes a fourth of the encodings, so that they can be side by side. */
void claims_unknown_alike(struct run *run) {
  struct model *model = run->model;
  const unsigned writes = model->which.access == MODEL_WRITE, cycle = model->which.cycle;
  const uint64_t trap = symex_object(run->symex, "trap", sizeof(struct pmuv3_trap));
  const struct access_terms first = access_terms(run, model->which.place, trap);
  term alike = TERM_TRUE;
  for (unsigned reg = 2 * writes + cycle; reg < 1 << 16; reg += 4) {
    if (model_knows_register((uint16_t)reg)) continue;
    const struct access_terms one = access_terms(run, (uint16_t)reg, trap);
    alike = term_and(alike, term_eq(one.readable, first.readable));
    alike = term_and(alike, term_eq(one.writable, first.writable));
    alike = term_and(alike, same_end(&one.reads, &first.reads));
    alike = term_and(alike, same_end(&one.writes, &first.writes));
  }
  model_claim(model, text_format("t%u unknown registers: all alike", model->which.thread), alike);
}

void claims_make_answers(struct run *run) {
  const term pointers[] = {address_of(run->pmu), address_of(run->inputs), address_of(run->answers)};
  call(run, "step_answer", pointers, 3);
  read_answers(run);
}

void claims_read_thread(struct run *run, uint64_t pmu, unsigned t, struct thread_state *state) {
  const uint64_t at = state_thread_address(run, pmu, t);
  for (size_t p = 0; p < LENGTH(places); p++) {
    const struct place *place = &places[p];
    term value = load(run, at + place->in_thread, place->width);
    if (place->width == 8 && place->bits == 1) value = term_extract(value, 0, 1);
    *state_member(state, place->in_model) = value;
  }
  for (size_t a = 0; a < LENGTH(arrays); a++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      state_member(state, arrays[a].in_model)[n] =
          load(run, at + state_array_address(&arrays[a], state_index_of(&arrays[a], n)),
               arrays[a].width);
}

static term pulses_of(struct run *run, unsigned t) {
  const term arguments[] = {address_of(run->pmu), constant(32, t)};
  return call(run, "pmuv3_pulses", arguments, 2);
}

void claims_make_pulses(struct run *run) {
  for (unsigned t = 0; t < run->model->size.threads; t++)
    run->model->answers.pulses[t] = run->model->which.cycle ? pulses_of(run, t) : constant(64, 0);
}

void claims_no_pulses(struct run *run) {
  for (unsigned t = 0; t < run->model->size.threads; t++)
    model_claim(run->model, text_format("t%u pulses: none", t),
                term_eq(pulses_of(run, t), constant(64, 0)));
}

/* ---- What holds after it ---- */

static void claim_within(struct run *run, unsigned t, const char *name, int n, term value,
                         term bits) {
  struct model *model = run->model;
  const term outside = term_and(value, term_not(bits));
  char *what = n < 0 ? text_format("t%u %s: only what is implemented", t, name)
                     : text_format("t%u %s[%d]: only what is implemented", t, name, n);
  model_claim(model, what, term_eq(outside, constant(term_width(value), 0)));
}

/* Beyond the last counter. */
static void claim_spare_lanes(struct run *run, unsigned t) {
  const uint64_t thread = state_thread_address(run, run->pmu, t);
  for (size_t a = 0; a < LENGTH(arrays); a++) {
    const unsigned lane = state_index_of(&arrays[a], PMUV3_MAX_COUNTERS);
    const uint32_t width = arrays[a].width;
    claim_within(run, t, arrays[a].name, PMUV3_MAX_COUNTERS,
                 load(run, thread + state_array_address(&arrays[a], lane), width),
                 constant(width, 0));
  }
}

void claims_invariants(struct run *run, unsigned t) {
  struct model *model = run->model;
  struct thread_state *next = &model->next[t];
  for (size_t p = 0; p < LENGTH(places); p++)
    claim_within(run, t, places[p].name, -1, *state_member(next, places[p].in_model),
                 state_allowed(run, &places[p]));
  for (size_t a = 0; a < LENGTH(arrays); a++)
    for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
      claim_within(run, t, arrays[a].name, (int)n, state_member(next, arrays[a].in_model)[n],
                   state_allowed_in(run, &arrays[a], n));
  claim_spare_lanes(run, t);
  model_claim(model, text_format("t%u captured: only while something waits", t),
              term_implies(next->captured, next->waiting));
  for (unsigned n = 0; n < model->size.counters; n++) {
    const term cp = next->CP[n];
    model_claim(model, text_format("t%u CP[%u]: all bits alike", t, n),
                term_eq(cp, term_sext(term_extract(cp, 0, 1), 16)));
    model_claim(model, text_format("t%u pending[%u]: only while some wait", t, n),
                term_or(next->waiting, term_eq(next->pending[n], constant(16, 0))));
  }
}

/* What is derived of threads that do not count in a PMU is left as it was, and not looked at. */
static term is_used(struct run *run, uint64_t thread, size_t derived, size_t place) {
  if (derived != offsetof(struct pmuv3_thread, config.counts)) return TERM_TRUE;
  return state_is_source(run, thread, (unsigned)(place / PMUV3_LANES % PMUV3_MAX_THREADS));
}

static void claim_told(struct run *run, const char *what, int t, size_t at, term expected) {
  char *name = t < 0 ? text_format("what is told of a write in the clock: %s", what)
                     : text_format("t%d what is told of a write in the clock: %s", t, what);
  const term told = load(run, run->pmu + offsetof(struct pmuv3, ends) + at, term_width(expected));
  model_claim(run->model, name, term_eq(told, expected));
}

/* pmuv3_written(): of a thread without a write, and of a page without one, as if it were done. */
void claims_written(struct run *run) {
  const struct model *model = run->model;
  const struct model_answers *answers = &model->answers;
  const term done = constant(3, PMUV3_DONE), undefined = constant(3, PMUV3_UNDEFINED);
  for (unsigned t = 0; t < model->size.threads; t++) {
    const struct thread_inputs *inputs = &model->inputs.thread[t];
    const term unchecked = term_ite(answers->error[t], undefined, done);
    const term written = term_ite(inputs->checked, answers->result[t], unchecked);
    const term result = term_ite(inputs->write, written, done);
    const term syndrome =
        term_ite(term_and(inputs->write, inputs->checked), answers->syndrome[t], constant(32, 0));
    claim_told(run, "result", (int)t, offsetof(struct pmuv3_ends, result) + t, zext(result, 8));
    claim_told(run, "syndrome", (int)t, offsetof(struct pmuv3_ends, syndrome) + 4 * t, syndrome);
  }
  const term fails = term_and(answers->transfer_writes, answers->transfer_error);
  claim_told(run, "PSLVERR", -1, offsetof(struct pmuv3_ends, external_error), zext(fails, 8));
}

static void claim_kept(struct run *run, const struct symex_mark *before, char *what, size_t at,
                       size_t size) {
  const bool is_kept = symex_is_as_marked(run->symex, before, run->pmu + at, size);
  model_claim(run->model, what, is_kept ? TERM_TRUE : TERM_FALSE);
}

void claims_kept(struct run *run, const struct symex_mark *before) {
  const struct model_case *which = &run->model->which;
  const bool are_kept = symex_globals_are_as_marked(run->symex, before);
  model_claim(run->model, text_format("global variables: as before"),
              are_kept ? TERM_TRUE : TERM_FALSE);
  if (which->access == MODEL_COLD_RESET) return;
#define CLAIM_KEPT(member)                                                                    \
  claim_kept(run, before, text_format(#member ": as before"), offsetof(struct pmuv3, member), \
             sizeof(((struct pmuv3 *)0)->member))
  CLAIM_KEPT(params);
  CLAIM_KEPT(identity);
#undef CLAIM_KEPT
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (which->access != MODEL_SET_PE || which->thread != t)
      claim_kept(run, before, text_format("t%u pe: as before", t),
                 offsetof(struct pmuv3, pe) + t * sizeof(struct pmuv3_pe), sizeof(struct pmuv3_pe));
}

/* All of config, with the width of each element. */
#define OF_CONFIG(ROW)    \
  ROW(top, 64)            \
  ROW(event, 16)          \
  ROW(event_class, 16)    \
  ROW(attributed, 16)     \
  ROW(traits, 16)         \
  ROW(grouped, 16)        \
  ROW(range, 16)          \
  ROW(running, 16)        \
  ROW(filtered, 16)       \
  ROW(unattributable, 16) \
  ROW(eligible, 16)       \
  ROW(counts, 16)         \
  ROW(cpu_cycles, 16)     \
  ROW(stopped, 16)        \
  ROW(TH, 16)             \
  ROW(TC, 16)             \
  ROW(link_true, 16)      \
  ROW(link_false, 16)     \
  ROW(adds_VE, 16)        \
  ROW(adds_VB, 16)        \
  ROW(adds_own, 16)       \
  ROW(chain, 16)
#define SIZE_IN_CONFIG(member, width) +sizeof(((struct pmuv3_config *)0)->member)
_Static_assert((0 OF_CONFIG(SIZE_IN_CONFIG)) == sizeof(struct pmuv3_config),
               "each member of struct pmuv3_config has a row");

static const struct {
  const char *name;
  size_t at, size;
  unsigned width;
} derived[] = {
#define DERIVED(name, width) \
  { #name, offsetof(struct pmuv3_thread, name), sizeof(((struct pmuv3_thread *)0)->name), width }
#define DERIVED_CONFIG(member, width) DERIVED(config.member, width),
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
    OF_CONFIG(DERIVED_CONFIG)
#undef DERIVED_CONFIG
#undef DERIVED
};

bool claims_has_row(size_t at) {
  for (size_t d = 0; d < LENGTH(derived); d++)
    if (at >= derived[d].at && at - derived[d].at < derived[d].size) return true;
  return false;
}

/* Of a byte in struct pmuv3_thread. */
static bool is_derived(size_t at) {
#define IS_IN(member) \
  (at - offsetof(struct pmuv3_thread, member) < sizeof(((struct pmuv3_thread *)0)->member))
  return IS_IN(config) || IS_IN(decoded) || IS_IN(cycle_config) || IS_IN(instruction_config);
#undef IS_IN
}

static void claim_row(struct run *run, unsigned t, size_t d) {
  const uint64_t kept = state_thread_address(run, run->pmu, t);
  const uint64_t again = state_thread_address(run, run->copy, t);
  const unsigned bytes = derived[d].width / 8;
  for (size_t i = 0; i < derived[d].size / bytes; i++) {
    const uint64_t at = derived[d].at + i * bytes;
    const term is_same =
        term_eq(load(run, kept + at, derived[d].width), load(run, again + at, derived[d].width));
    model_claim(run->model, text_format("t%u %s+%zu: as derived anew", t, derived[d].name, i),
                term_implies(is_used(run, again, derived[d].at, i), is_same));
  }
}

/* A byte without a row is beside members, or of one that was forgotten. */
static void claim_byte(struct run *run, unsigned t, size_t at) {
  const term kept = load(run, state_thread_address(run, run->pmu, t) + at, 8);
  const term again = load(run, state_thread_address(run, run->copy, t) + at, 8);
  if (kept == TERM_NONE || again == TERM_NONE) return;
  model_claim(run->model, text_format("t%u byte %zu: as derived anew", t, at),
              term_eq(kept, again));
}

void claims_derived(struct run *run, unsigned t) {
  for (size_t d = 0; d < LENGTH(derived); d++) claim_row(run, t, d);
  for (size_t at = 0; at < sizeof(struct pmuv3_thread); at++)
    if (is_derived(at) && !claims_has_row(at)) claim_byte(run, t, at);
}

void claims_derive_again(struct run *run) {
  /* A Cold reset leaves 0 where nothing is derived. */
  if (run->model->which.access == MODEL_COLD_RESET) zero(run, run->copy, sizeof(struct pmuv3));
  for (size_t i = 0; i < sizeof(struct pmuv3_params); i++) {
    const uint64_t at = offsetof(struct pmuv3, params) + i;
    store(run, run->copy + at, load(run, run->pmu + at, 8));
  }
  for (size_t i = 0; i < sizeof(((struct pmuv3 *)0)->pe); i++) {
    const uint64_t at = offsetof(struct pmuv3, pe) + i;
    store(run, run->copy + at, load(run, run->pmu + at, 8));
  }
  for (unsigned t = 0; t < run->model->size.threads; t++) {
    const uint64_t from = state_thread_address(run, run->pmu, t),
                   to = state_thread_address(run, run->copy, t);
    for (size_t p = 0; p < LENGTH(places); p++)
      store(run, to + places[p].in_thread, load(run, from + places[p].in_thread, places[p].width));
    for (size_t a = 0; a < LENGTH(arrays); a++) {
      for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
        const uint64_t at = state_array_address(&arrays[a], state_index_of(&arrays[a], n));
        store(run, to + at, load(run, from + at, arrays[a].width));
      }
    }
  }
  state_decode(run, run->copy);
}
