#include "testbench/prove/theorem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/map.h"
#include "testbench/prove/text.h"

/* The theorem while it is made. */
struct making {
  struct theorem *theorem;
  const struct model *model;
  const struct circuit *circuit;
  struct term_map *to_c; /* the RTL's registers, inputs and cuts in terms of the C model's */
  bool is_whole;
};

__attribute__((format(printf, 2, 3))) static void wrong(struct making *making, const char *text,
                                                        ...) {
  va_list args;
  va_start(args, text);
  fputs("pmuv3-prove: ", stderr);
  vfprintf(stderr, text, args);
  fputc('\n', stderr);
  va_end(args);
  making->is_whole = false;
}

/* As it is in this case. */
static term in_case(const struct making *making, term condition) {
  const struct model_denials denials = model_denials(making->model);
  if (denials.number == 0) return condition;
  struct term_map *map = term_map_new();
  for (size_t d = 0; d < denials.number; d++) term_map_put(map, denials.conditions[d], TERM_FALSE);
  const term simplified = term_replace(condition, map);
  term_map_free(map);
  return simplified;
}

static struct assertion *claim(struct making *making, char *name, term condition) {
  struct theorem *theorem = making->theorem;
  theorem->assertions =
      realloc(theorem->assertions, (theorem->num_assertions + 1) * sizeof *theorem->assertions);
  if (theorem->assertions == NULL) abort();
  struct assertion *assertion = &theorem->assertions[theorem->num_assertions++];
  *assertion = (struct assertion){name, in_case(making, condition), -1, -1};
  return assertion;
}

static struct assertion *equal(struct making *making, char *name, term cmodel, term rtl) {
  if (cmodel == TERM_NONE || rtl == TERM_NONE || term_width(cmodel) != term_width(rtl)) {
    wrong(making, "%s: the C model and the RTL cannot be compared", name);
    return claim(making, name, TERM_FALSE);
  }
  return claim(making, name, term_eq(cmodel, rtl));
}

/* ---- The RTL in terms of the C model ---- */

static void put(struct making *making, const char *kind, const char *name, term from, term to) {
  if (to == TERM_NONE)
    wrong(making, "%s %s is not in the map", kind, name);
  else if (term_width(to) != term_width(from))
    wrong(making, "%s %s has %u bits, %u in the map", kind, name, term_width(from), term_width(to));
  else
    term_map_put(making->to_c, from, to);
}

/* What Verilog leaves open, which must not matter. */
static bool is_open(const char *input) {
  return strncmp(input, "x!", 2) == 0;
}

static void count_variable(term a, void *bits) {
  if (term_node(a)->op == TERM_VAR) *(size_t *)bits += term_width(a);
}

static void map_inputs(struct making *making) {
  for (size_t i = 0; i < making->circuit->num_inputs; i++) {
    const struct circuit_signal *input = &making->circuit->inputs[i];
    if (is_open(input->name)) continue;
    const term to = map_input(making->model, input->name);
    put(making, "input", input->name, input->value, to);
    if (to != TERM_NONE) term_walk(&to, 1, count_variable, &making->theorem->input_bits);
    making->theorem->num_inputs++;
  }
}

static void map_states(struct making *making) {
  const struct model *model = making->model;
  for (size_t s = 0; s < making->circuit->num_states; s++) {
    const struct circuit_state *state = &making->circuit->states[s];
    put(making, "register", state->name, state->value,
        map_state(model, model->now, model->copies, state->name));
    making->theorem->state_bits += term_width(state->value);
    making->theorem->num_states++;
  }
}

/* ---- Cuts ---- */

static const char *const cut_names[CUTS] = {"u_attribution.allowed_o", "u_attribution.vb_o",
                                            "u_counter.v_i"};
static const char *const cut_labels[CUTS] = {"allowed", "VB", "V"};

/* With one lane in all it is an output as it is, and has no other name. */
static const char *const allowed_of_one = "probe_allowed_o";
static bool has_one_lane(struct size size) {
  return size.threads == 1 && size.counters <= 1;
}

bool theorem_is_cut(const char *name, void *size) {
  unsigned t, n;
  int used = 0;
  if (strcmp(name, allowed_of_one) == 0) return has_one_lane(*(const struct size *)size);
  if (sscanf(name, "g_thread[%u].g_lane[%u].%n", &t, &n, &used) != 2 || used == 0) return false;
  for (int c = 0; c < CUTS; c++)
    if (strcmp(name + used, cut_names[c]) == 0) return true;
  return false;
}

static const struct circuit_cut *rtl_cut(struct making *making, unsigned t, unsigned n,
                                         enum cut which) {
  char *name = which == CUT_ALLOWED && has_one_lane(making->model->size)
                   ? text_format("%s", allowed_of_one)
                   : text_format("g_thread[%u].g_lane[%u].%s", t, n, cut_names[which]);
  const struct circuit_cut *cut = circuit_cut(making->circuit, name);
  if (cut == NULL) wrong(making, "the RTL has no signal %s", name);
  free(name);
  return cut;
}

/* A value of 16 bits as the RTL has it. */
static term narrow(term value, const struct circuit_cut *cut) {
  return term_extract(value, 0, term_width(cut->value));
}

/* In a clock that is no Processor cycle the RTL makes them all the same, and nothing comes of it.
 */
static void map_cuts(struct making *making) {
  const struct model *model = making->model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < map_lanes(model); n++) {
      for (int c = 0; c < CUTS; c++) {
        const struct circuit_cut *cut = rtl_cut(making, t, n, (enum cut)c);
        if (cut == NULL || !model->which.cycle) continue;
        const term value =
            n < model->size.counters ? model->cuts[t][n][c].value : term_const(16, 0);
        put(making, "signal", cut->name, cut->value, narrow(value, cut));
      }
    }
  }
}

static term driven(struct making *making, unsigned t, unsigned n, enum cut which) {
  const struct circuit_cut *cut = rtl_cut(making, t, n, which);
  return cut == NULL ? TERM_FALSE : term_replace(cut->driven, making->to_c);
}

/* Best proved event by event. */
static void by_event(struct assertion *assertion, unsigned t, unsigned n) {
  assertion->thread = (int)t;
  assertion->counter = (int)n;
}

/* What is cut is equal on both sides. */
static void claim_cut(struct making *making, unsigned t, unsigned n, enum cut which) {
  const term cmodel = making->model->cuts[t][n][which].driven, rtl = driven(making, t, n, which);
  struct assertion *assertion =
      equal(making, text_format("t%u counter %u: %s", t, n, cut_labels[which]), cmodel,
            which == CUT_ALLOWED ? term_sext(rtl, 16) : term_zext(rtl, 16));
  if (which == CUT_V) return;
  by_event(assertion, t, n);
}

/* It has no other values than it is taken for. */
static void claim_cut_values(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const term counting = driven(making, t, n, CUT_ALLOWED);
  const term V_counting = term_extract(model->cuts[t][n][CUT_ALLOWED].value, 0, 1);
  const term is_there = term_ult(term_const(5, n), model->params[0]);
  by_event(claim(making, text_format("t%u counter %u: allowed only if it is there", t, n),
                 term_implies(counting, is_there)),
           t, n);
  by_event(claim(making, text_format("t%u counter %u: VB only where allowed", t, n),
                 term_or(counting, term_not(term_any(driven(making, t, n, CUT_VB))))),
           t, n);
  claim(making, text_format("t%u counter %u: V only where allowed", t, n),
        term_or(V_counting, term_not(term_any(driven(making, t, n, CUT_V)))));
}

/* A lane without a counter, where there is none at all, counts nothing. */
static void claim_empty_lane(struct making *making, unsigned t, unsigned n) {
  for (int c = 0; c < CUTS; c++)
    claim(making, text_format("t%u no counter: %s", t, cut_labels[c]),
          term_not(term_any(driven(making, t, n, (enum cut)c))));
}

/* ---- What is seen, and what is next ---- */

static term output(struct making *making, const char *name) {
  const struct circuit_signal *signal = circuit_output(making->circuit, name);
  if (signal == NULL) wrong(making, "the RTL has no output %s", name);
  return signal == NULL ? TERM_NONE : term_replace(signal->value, making->to_c);
}

/* A thread's part of an output. */
static term part(struct making *making, const char *name, uint32_t width, unsigned t) {
  const term whole = output(making, name);
  if (whole == TERM_NONE || term_width(whole) < width * (t + 1)) return TERM_NONE;
  return term_extract(whole, width * t, width);
}

static void claim_probes(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const struct lane_values *values = &model->values[t][n];
  const struct {
    const char *name, *probe;
    uint32_t width;
    term cmodel;
  } probes[] = {
      {"allowed", "probe_allowed_o", 1, values->allowed},
      {"VB", "probe_vb_o", 16, values->VB},
      {"CT", "probe_ct_o", 1, values->CT},
      {"CP", "probe_cp_o", 1, values->CP},
      {"CE", "probe_ce_o", 1, values->CE},
      {"VT", "probe_vt_o", 16, values->VT},
      {"VE", "probe_ve_o", 16, values->VE},
      {"V", "probe_v_o", 16, values->V},
  };
  for (size_t p = 0; p < sizeof probes / sizeof *probes; p++) {
    const term all = output(making, probes[p].probe);
    if (all == TERM_NONE) continue;
    const term rtl = map_lane(model, all, probes[p].width, t, n);
    equal(making, text_format("t%u counter %u: probe %s", t, n, probes[p].name), probes[p].cmodel,
          probes[p].width == 1 ? term_sext(rtl, 16) : rtl);
  }
}

static void claim_states(struct making *making, const struct copy_state *copies) {
  const struct model *model = making->model;
  for (size_t s = 0; s < making->circuit->num_states; s++) {
    const struct circuit_state *state = &making->circuit->states[s];
    if (map_is_copy(state->name)) continue;
    equal(making, text_format("next %s", state->name),
          map_state(model, model->next, copies, state->name),
          term_replace(state->next, making->to_c));
  }
}

static term next_copy(struct making *making, unsigned t, const char *name) {
  char *path = text_format("g_thread[%u].u_snapshot.%s", t, name);
  const struct circuit_state *state = circuit_state(making->circuit, path);
  if (state == NULL) wrong(making, "the RTL has no register %s", path);
  free(path);
  return state == NULL ? TERM_NONE : term_replace(state->next, making->to_c);
}

/* The snapshot's registers: what they read after the clock is what the C model has saved. */
static bool claim_saved(struct making *making, unsigned t, struct copy_state *copies) {
  const struct model *model = making->model;
  const struct thread_state *next = &model->next[t];
  *copies =
      (struct copy_state){next_copy(making, t, "copying_q"), next_copy(making, t, "svr_q"),
                          next_copy(making, t, "pmccntsvr_q"), next_copy(making, t, "pmicntsvr_q")};
  if (!making->is_whole) return false;
  const struct saved_values saved = map_saved(model, next, copies);
  const term ss = term_extract(model->features, PMUV3_FEATURE_SS, 1);
  claim(making, text_format("t%u copying: only with SS", t), term_implies(copies->copying, ss));
  for (unsigned n = 0; n < model->size.counters; n++)
    equal(making, text_format("t%u saved counter %u", t, n), next->saved[n],
          term_extract(saved.values, 64 * n, 64));
  equal(making, text_format("t%u saved cycle counter", t), next->saved_cycles, saved.cycles);
  equal(making, text_format("t%u saved instruction counter", t), next->saved_instructions,
        saved.instructions);
  return true;
}

static void claim_answers(struct making *making, unsigned t) {
  const struct model_answers *answers = &making->model->answers;
  const struct thread_inputs *inputs = &making->model->inputs.thread[t];
  const term access = term_or(inputs->write, inputs->read);
  const term error = part(making, "reg_error_o", 1, t);
  const term result = part(making, "reg_result_o", 3, t);
  const term value = part(making, "reg_rdata_o", 64, t);
  equal(making, text_format("t%u PMUIRQ", t), answers->irq[t], part(making, "irq_o", 1, t));
  equal(making, text_format("t%u CTI", t), answers->cti[t], part(making, "cti_o", 1, t));
  equal(making, text_format("t%u exception", t), answers->exception[t],
        part(making, "exception_o", 4, t));
  if (!making->is_whole) return;
  claim(
      making, text_format("t%u error of an access", t),
      term_implies(term_and(access, term_not(inputs->checked)), term_eq(answers->error[t], error)));
  claim(making, text_format("t%u result of an access", t),
        term_implies(term_and(access, inputs->checked), term_eq(answers->result[t], result)));
  claim(making, text_format("t%u value read", t),
        term_implies(inputs->read, term_eq(answers->value[t], value)));
}

static void claim_transfer(struct making *making) {
  const struct model *model = making->model;
  const term select = model->inputs.select;
  const term ready = output(making, "pready_o"), word = output(making, "prdata_o");
  equal(making, text_format("PSLVERR"), model->answers.transfer_error, output(making, "pslverr_o"));
  if (!making->is_whole) return;
  claim(making, text_format("PREADY"), term_implies(select, term_eq(model->answers.ready, ready)));
  claim(making, text_format("PRDATA"), term_implies(select, term_eq(model->answers.word, word)));
}

static void claim_all(struct making *making) {
  const struct model *model = making->model;
  struct copy_state copies[PMUV3_MAX_THREADS];
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < model->size.counters && model->which.cycle; n++) {
      for (int c = 0; c < CUTS; c++) claim_cut(making, t, n, (enum cut)c);
      claim_cut_values(making, t, n);
      claim_probes(making, t, n);
    }
    for (unsigned n = model->size.counters; n < map_lanes(model) && model->which.cycle; n++)
      claim_empty_lane(making, t, n);
    if (!claim_saved(making, t, &copies[t])) return;
    if (model_is_clock(&model->which)) claim_answers(making, t);
  }
  claim_states(making, copies);
  if (model_is_clock(&model->which)) claim_transfer(making);
}

static void claim_invariants(struct making *making) {
  const struct model *model = making->model;
  for (size_t c = 0; c < model->num_claims; c++)
    claim(making, text_format("%s", model->claims[c].name), model->claims[c].condition);
}

bool theorem_make(struct theorem *theorem, const struct model *model,
                  const struct circuit *circuit) {
  *theorem = (struct theorem){0};
  struct making making = {theorem, model, circuit, term_map_new(), true};
  map_inputs(&making);
  map_states(&making);
  map_cuts(&making);
  if (making.is_whole && model->which.access != MODEL_SET_PE) claim_all(&making);
  if (making.is_whole) claim_invariants(&making);
  term_map_free(making.to_c);
  return making.is_whole;
}

void theorem_free(struct theorem *theorem) {
  for (size_t a = 0; a < theorem->num_assertions; a++) free(theorem->assertions[a].name);
  free(theorem->assertions);
}
