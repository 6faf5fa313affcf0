#include "testbench/prove/equivalence/theorem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/text.h"
#include "testbench/prove/equivalence/theorem_internal.h"

void theorem_wrong(struct making *making, const char *text, ...) {
  va_list args;
  va_start(args, text);
  fputs("pmuv3-prove: ", stderr);
  vfprintf(stderr, text, args);
  fputc('\n', stderr);
  va_end(args);
  making->is_whole = false;
}

/* The rest of the theorem still holds or fails for any value of the cut. A defect may remove the
 * signal. */
void theorem_lacks(struct making *making, const char *signal) {
  if (making->missing == NULL) making->missing = text_format("%s", signal);
}

/* The condition with the comparisons that are false in this case put in. */
static term in_case(const struct model *model, term condition) {
  const struct model_denials denials = model_denials(model);
  if (denials.number == 0) return condition;
  struct term_map *map = term_map_new();
  for (size_t d = 0; d < denials.number; d++) term_map_put(map, denials.conditions[d], TERM_FALSE);
  const term simplified = term_replace(condition, map);
  term_map_free(map);
  return simplified;
}

struct assertion *theorem_add(struct theorem *theorem, const struct model *model, char *name,
                              term condition) {
  theorem->assertions =
      realloc(theorem->assertions, (theorem->num_assertions + 1) * sizeof *theorem->assertions);
  if (theorem->assertions == NULL) abort();
  struct assertion *assertion = &theorem->assertions[theorem->num_assertions++];
  *assertion = (struct assertion){
      .name = name, .condition = in_case(model, condition), .thread = -1, .counter = -1};
  return assertion;
}

struct assertion *theorem_claim(struct making *making, char *name, term condition) {
  return theorem_add(making->theorem, making->model, name, condition);
}

struct assertion *theorem_of_part(struct assertion *assertion) {
  assertion->is_of_part = true;
  return assertion;
}

void theorem_by_event(struct assertion *assertion, unsigned t, unsigned n, enum events events) {
  assertion->thread = (int)t;
  assertion->counter = (int)n;
  assertion->events = events;
}

struct assertion *theorem_equal(struct making *making, char *name, term cmodel, term rtl) {
  if (cmodel == TERM_NONE || rtl == TERM_NONE || term_width(cmodel) != term_width(rtl)) {
    theorem_wrong(making, "%s: the C model and the RTL cannot be compared", name);
    return theorem_claim(making, name, TERM_FALSE);
  }
  struct assertion *assertion = theorem_claim(making, name, term_eq(cmodel, rtl));
  assertion->sides[0] = in_case(making->model, cmodel);
  assertion->sides[1] = in_case(making->model, rtl);
  return assertion;
}

/* ---- The RTL in terms of the C model ---- */

static bool is_in_map(struct making *making, const char *kind, const char *name, term from,
                      term to) {
  if (to == TERM_NONE)
    theorem_wrong(making, "%s %s is not in the map", kind, name);
  else if (term_width(to) != term_width(from))
    theorem_wrong(making, "%s %s has %u bits, %u in the map", kind, name, term_width(from),
                  term_width(to));
  return to != TERM_NONE && term_width(to) == term_width(from);
}

void theorem_map(struct making *making, const char *kind, const char *name, term from, term to) {
  if (is_in_map(making, kind, name, from, to)) term_map_put(making->to_c, from, to);
}

/* An input that stands for an undefined value (x), which must not matter. */
static bool is_open(const char *input) {
  return strncmp(input, "x!", 2) == 0;
}

static void count_variable(term a, void *bits) {
  if (term_node(a)->op == TERM_VAR) *(size_t *)bits += term_width(a);
}

static void map_inputs(struct making *making) {
  for (size_t i = 0; i < making->netlist->num_inputs; i++) {
    const struct netlist_signal *input = &making->netlist->inputs[i];
    if (is_open(input->name)) continue;
    const term to = map_input(making->model, input->name);
    theorem_map(making, "input", input->name, input->value, to);
    if (to != TERM_NONE) term_walk(&to, 1, count_variable, &making->theorem->input_bits);
    making->theorem->num_inputs++;
  }
}

/* Before a Cold reset a register may hold anything, even where the map has a constant. */
static void map_states(struct making *making) {
  const struct model *model = making->model;
  const bool is_known = model->which.access != MODEL_COLD_RESET;
  for (size_t s = 0; s < making->netlist->num_states; s++) {
    const struct netlist_state *state = &making->netlist->states[s];
    if (map_is_absent(model, state->name)) continue;
    const term to = map_state(model, model->now, model->copies, state->name);
    if (is_in_map(making, "register", state->name, state->value, to) && is_known)
      term_map_put(making->to_c, state->value, to);
    making->theorem->state_bits += term_width(state->value);
    making->theorem->num_states++;
  }
}

/* ---- All of it ---- */

static void claim_all(struct making *making) {
  const struct model *model = making->model;
  struct copy_state copies[PMUV3_MAX_THREADS];
  for (unsigned t = 0; t < model->size.threads; t++) {
    if (model->which.cycle && model_has_sums(model->size)) theorem_claim_groups(making, t);
    for (unsigned n = 0; n < model->size.counters && model->which.cycle; n++) {
      if (model_has_sums(model->size)) theorem_claim_parts(making, t, n);
      for (int c = 0; c < CUTS; c++) theorem_claim_cut(making, t, n, (enum cut)c);
      theorem_claim_cut_values(making, t, n);
      theorem_claim_probes(making, t, n);
    }
    for (unsigned n = model->size.counters; n < map_lanes(model) && model->which.cycle; n++)
      theorem_claim_empty_lane(making, t, n);
    if (!theorem_claim_saved(making, t, &copies[t])) return;
    if (model_is_clock(&model->which)) theorem_claim_answers(making, t);
  }
  theorem_claim_states(making, copies);
  if (model_is_clock(&model->which)) theorem_claim_transfer(making);
}

/* This assertion is the last one: a counterexample is of another assertion if there is one. */
static void claim_missing(struct making *making) {
  if (making->missing == NULL) return;
  theorem_claim(making, text_format("the RTL has the signal %s", making->missing), TERM_FALSE);
  free(making->missing);
}

static void claim_invariants(struct making *making) {
  const struct model *model = making->model;
  for (size_t c = 0; c < model->num_claims; c++)
    theorem_claim(making, text_format("%s", model->claims[c].name), model->claims[c].condition);
}

bool theorem_make(struct theorem *theorem, const struct model *model,
                  const struct netlist *netlist) {
  *theorem = (struct theorem){0};
  struct making making = {.theorem = theorem,
                          .model = model,
                          .netlist = netlist,
                          .to_c = term_map_new(),
                          .parts = term_map_new(),
                          .combined = term_map_new(),
                          .whole = term_map_new(),
                          .is_whole = true};
  map_inputs(&making);
  map_states(&making);
  theorem_map_cuts(&making);
  theorem_map_sums(&making);
  const bool is_of_rtl = model_is_clock(&model->which) || model_is_reset(&model->which);
  if (making.is_whole && is_of_rtl) claim_all(&making);
  if (making.is_whole) claim_invariants(&making);
  claim_missing(&making);
  term_map_free(making.whole);
  term_map_free(making.combined);
  term_map_free(making.parts);
  term_map_free(making.to_c);
  return making.is_whole;
}

void theorem_free(struct theorem *theorem) {
  for (size_t a = 0; a < theorem->num_assertions; a++) free(theorem->assertions[a].name);
  free(theorem->assertions);
}