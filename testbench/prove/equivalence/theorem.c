#include "testbench/prove/equivalence/theorem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/map.h"
#include "testbench/prove/equivalence/text.h"

/* The theorem while it is made. */
struct making {
  struct theorem *theorem;
  const struct model *model;
  const struct netlist *netlist;
  struct term_map *to_c; /* the RTL's registers, inputs and cuts in terms of the C model's */
  struct term_map
      *parts; /* what sums are made of, where it is cut, on either side: as it is made */
  struct term_map *combined; /* sums as they are made of what is eligible */
  struct term_map *whole;    /* sums and their parts, as they are made */
  char *missing;             /* a signal that is to be cut, and is none; NULL: they are all there */
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

/* What is made of the signal is proved for any value of the C model's cut, or refuted; the theorem
 * does not hold without it. A defect may leave nothing of it. */
static void lacks(struct making *making, const char *signal) {
  if (making->missing == NULL) making->missing = text_format("%s", signal);
}

/* As it is in this case. */
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

static struct assertion *claim(struct making *making, char *name, term condition) {
  return theorem_add(making->theorem, making->model, name, condition);
}

/* Likewise of a part of a sum over threads. */
static struct assertion *of_part(struct assertion *assertion) {
  assertion->is_of_part = true;
  return assertion;
}

static struct assertion *equal(struct making *making, char *name, term cmodel, term rtl) {
  if (cmodel == TERM_NONE || rtl == TERM_NONE || term_width(cmodel) != term_width(rtl)) {
    wrong(making, "%s: the C model and the RTL cannot be compared", name);
    return claim(making, name, TERM_FALSE);
  }
  struct assertion *assertion = claim(making, name, term_eq(cmodel, rtl));
  assertion->sides[0] = in_case(making->model, cmodel);
  assertion->sides[1] = in_case(making->model, rtl);
  return assertion;
}

/* ---- The RTL in terms of the C model ---- */

/* Whether the map has it. */
static bool is_in_map(struct making *making, const char *kind, const char *name, term from,
                      term to) {
  if (to == TERM_NONE)
    wrong(making, "%s %s is not in the map", kind, name);
  else if (term_width(to) != term_width(from))
    wrong(making, "%s %s has %u bits, %u in the map", kind, name, term_width(from), term_width(to));
  return to != TERM_NONE && term_width(to) == term_width(from);
}

static void put(struct making *making, const char *kind, const char *name, term from, term to) {
  if (is_in_map(making, kind, name, from, to)) term_map_put(making->to_c, from, to);
}

/* What Verilog leaves open, which must not matter. */
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
    put(making, "input", input->name, input->value, to);
    if (to != TERM_NONE) term_walk(&to, 1, count_variable, &making->theorem->input_bits);
    making->theorem->num_inputs++;
  }
}

/* Before a Cold reset they may be anything: not even what the map has as constant is known. */
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

/* ---- Cuts ---- */

static const char *const cut_names[CUTS] = {"u_attribution.allowed_o", "u_attribution.vb_o",
                                            "u_counter.v_i"};
static const char *const cut_labels[CUTS] = {"allowed", "VB", "V"};

/* With one lane in all it is an output as it is, and has no other name. */
static const char *const allowed_of_one = "probe_allowed_o";
static bool has_one_lane(struct size size) {
  return size.threads + size.absent == 1 && size.counters <= 1;
}

static const char sum_stage[] = "u_attribution.", group_name[] = "mt_i", sum_name[] = "count",
                  eligible_name[] = "eligible_i";

/* A bit for each source thread: what the filter lets count of it, by enum pmuv3_origin, and whether
 * it is eligible. */
static const char *const source_names[] = {"counts_current_i", "counts_other_i",
                                           "counts_unattributable_i", eligible_name};
enum { SOURCE_NAMES = sizeof source_names / sizeof *source_names, MAP_NAMES = SOURCE_NAMES - 1 };

static bool is_of_sum(const char *name, struct size size) {
  const size_t stage = sizeof sum_stage - 1;
  if (!model_has_sums(size) || strncmp(name, sum_stage, stage) != 0) return false;
  for (int s = 0; s < SOURCE_NAMES; s++)
    if (strcmp(name + stage, source_names[s]) == 0) return true;
  return (size.counters == 1 && strcmp(name + stage, group_name) == 0) ||
         strcmp(name + stage, sum_name) == 0;
}

/* With several lanes the signal of them all is the filter's. */
static const char groups_name[] = "u_filter.mt_i";

static bool is_groups(const char *name, struct size size) {
  const char *signal = strstr(name, groups_name);
  return model_has_sums(size) && size.counters > 1 && signal != NULL &&
         strcmp(signal, groups_name) == 0;
}

bool theorem_is_cut(const char *name, void *size) {
  unsigned t, n;
  int used = 0;
  if (is_groups(name, *(const struct size *)size)) return true;
  if (strcmp(name, allowed_of_one) == 0) return has_one_lane(*(const struct size *)size);
  if (sscanf(name, "g_thread[%u].u_thread.g_lane[%u].%n", &t, &n, &used) != 2 || used == 0)
    return false;
  for (int c = 0; c < CUTS; c++)
    if (strcmp(name + used, cut_names[c]) == 0) return true;
  return is_of_sum(name + used, *(const struct size *)size);
}

static const struct netlist_cut *rtl_cut(struct making *making, unsigned t, unsigned n,
                                         enum cut which) {
  char *name = which == CUT_ALLOWED && has_one_lane(making->model->size)
                   ? text_format("%s", allowed_of_one)
                   : text_format("g_thread[%u].u_thread.g_lane[%u].%s", t, n, cut_names[which]);
  const struct netlist_cut *cut = netlist_cut(making->netlist, name);
  if (cut == NULL) lacks(making, name);
  free(name);
  return cut;
}

/* A value of 16 bits as the RTL has it. */
static term narrow(term value, const struct netlist_cut *cut) {
  return term_extract(value, 0, term_width(cut->value));
}

/* In a clock that is no Processor cycle the RTL makes them all the same, and nothing comes of it.
 */
static void map_cuts(struct making *making) {
  const struct model *model = making->model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < map_lanes(model); n++) {
      for (int c = 0; c < CUTS; c++) {
        const struct netlist_cut *cut = rtl_cut(making, t, n, (enum cut)c);
        if (cut == NULL || !model->which.cycle) continue;
        const term value =
            n < model->size.counters ? model->cuts[t][n][c].value : term_const(16, 0);
        put(making, "signal", cut->name, cut->value, narrow(value, cut));
      }
    }
  }
}

/* The piece of a signal that begins with a bit: all of it, or one that is cut apart. Takes the
 * name. */
static const struct netlist_cut *piece_of(struct making *making, char *name, unsigned bit) {
  char *piece = text_format("%s[%u]", name, bit);
  const struct netlist_cut *cut = netlist_cut(making->netlist, piece);
  if (cut == NULL && bit == 0) cut = netlist_cut(making->netlist, name);
  if (cut == NULL) lacks(making, piece);
  free(piece);
  free(name);
  return cut;
}

static const struct netlist_cut *rtl_piece(struct making *making, unsigned t, unsigned n,
                                           const char *signal, unsigned bit) {
  return piece_of(
      making, text_format("g_thread[%u].u_thread.g_lane[%u].%s%s", t, n, sum_stage, signal), bit);
}

static const struct model_map *c_map(const struct model *model, unsigned t, unsigned n,
                                     unsigned source, int origin) {
  return &model->maps[t][n][source][origin == PMUV3_UNATTRIBUTABLE];
}

/* Whether a set of contexts has that of an origin. */
static term looked_up(const struct model *model, term map, unsigned source, int origin) {
  return term_any(term_and(map, model->contexts[source][origin]));
}

/* A signal is `to`, and the variable of the C model's cut is what is made there. */
static void put_part(struct making *making, const struct netlist_cut *cut, term to, term any,
                     term made) {
  if (cut == NULL) return;
  put(making, "signal", cut->name, cut->value, to);
  term_map_put(making->parts, any, made);
  term_map_put(making->whole, any, made);
}

static void put_absent(struct making *making, const struct netlist_cut *cut) {
  if (cut != NULL) put(making, "signal", cut->name, cut->value, TERM_FALSE);
}

/* The signals of this name, whatever they are made of that is known. */
static void resolve(struct making *making, const char *signal) {
  for (size_t c = 0; c < making->netlist->num_cuts; c++) {
    const struct netlist_cut *cut = &making->netlist->cuts[c];
    if (strstr(cut->name, signal) == NULL) continue;
    const term made = term_replace(cut->driven, making->parts);
    term_map_put(making->parts, cut->value, made);
    term_map_put(making->whole, cut->value, made);
    /* Events that are combined are looked up by what is eligible alone: of these bits, as made. */
    if (strncmp(signal, "counts_", 7) == 0) term_map_put(making->combined, cut->value, made);
  }
}

/* What counts depends on what is grouped; on no other part. */
static void resolve_parts(struct making *making) {
  resolve(making, group_name);
  resolve(making, eligible_name);
  for (int o = 0; o < MAP_NAMES; o++) resolve(making, source_names[o]);
}

/* As it is made, with nothing of it cut. */
static term made_part(struct making *making, const struct netlist_cut *cut) {
  return term_replace(term_replace(cut->driven, making->parts), making->to_c);
}

/* The signal from a lane on: up to where it is cut. */
static const struct netlist_cut *rtl_groups(struct making *making, unsigned t, unsigned from) {
  if (making->model->size.counters == 1) return rtl_piece(making, t, 0, group_name, 0);
  return piece_of(making, text_format("g_thread[%u].u_thread.%s", t, groups_name), from);
}

/* Lanes' groups, as they are cut or as they are made. */
static term groups_of(const struct model *model, unsigned t, unsigned from, uint32_t width,
                      bool is_cut) {
  term groups = TERM_NONE;
  for (unsigned n = from; n < from + width; n++) {
    const struct model_part *group = &model->groups[t][n];
    const term one = n >= model->size.counters ? TERM_FALSE : is_cut ? group->any : group->driven;
    groups = groups == TERM_NONE ? one : term_concat(one, groups);
  }
  return groups;
}

static void map_groups(struct making *making, unsigned t) {
  const struct model *model = making->model;
  const struct netlist_cut *cut;
  for (unsigned from = 0; from < map_lanes(model); from += term_width(cut->value)) {
    cut = rtl_groups(making, t, from);
    if (cut == NULL) return;
    put(making, "signal", cut->name, cut->value,
        groups_of(model, t, from, term_width(cut->value), true));
  }
  for (unsigned n = 0; n < model->size.counters; n++) {
    term_map_put(making->parts, model->groups[t][n].any, model->groups[t][n].driven);
    term_map_put(making->whole, model->groups[t][n].any, model->groups[t][n].driven);
  }
}

static void claim_groups(struct making *making, unsigned t) {
  const struct model *model = making->model;
  const struct netlist_cut *cut;
  for (unsigned from = 0; from < map_lanes(model); from += term_width(cut->value)) {
    cut = rtl_groups(making, t, from);
    if (cut == NULL) return;
    of_part(equal(making, text_format("t%u grouped from counter %u", t, from),
                  groups_of(model, t, from, term_width(cut->value), false),
                  made_part(making, cut)));
  }
}

/* What is cut of a source thread that is not implemented, which nothing is counted of. */
static void map_absent(struct making *making, unsigned t, unsigned n, unsigned source) {
  for (int s = 0; s < SOURCE_NAMES; s++)
    put_absent(making, rtl_piece(making, t, n, source_names[s], source));
}

static void map_parts_of(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const struct model_cut *eligible = &model->eligible[t][n];
  for (unsigned a = 0; a < model->size.absent; a++)
    map_absent(making, t, n, model->size.threads + a);
  for (unsigned source = 0; source < model->size.threads; source++) {
    const term is_eligible = term_extract(eligible->value, source, 1);
    put_part(making, rtl_piece(making, t, n, eligible_name, source), is_eligible, eligible->any,
             term_extract(eligible->driven, 0, model->size.threads));
    term_map_put(making->combined, c_map(model, t, n, source, PMUV3_CURRENT)->any,
                 term_and(term_sext(is_eligible, 16), model->contexts[source][PMUV3_CURRENT]));
    for (int o = 0; o < MAP_NAMES; o++) {
      const struct model_map *map = c_map(model, t, n, source, o);
      put_part(making, rtl_piece(making, t, n, source_names[o], source),
               looked_up(model, map->value, source, o), map->any, map->driven);
    }
  }
}

static void map_sum(struct making *making, unsigned t, unsigned n) {
  const struct model_part *sum = &making->model->sums[t][n];
  const term driven = term_extract(sum->driven, 0, MODEL_VALUE_WIDTH);
  const struct netlist_cut *cut;
  for (uint32_t bit = 0; bit < MODEL_VALUE_WIDTH; bit += term_width(cut->value)) {
    cut = rtl_piece(making, t, n, sum_name, bit);
    if (cut == NULL) return;
    const uint32_t width = term_width(cut->value);
    put(making, "signal", cut->name, cut->value, term_extract(sum->any, bit, width));
    term_map_put(making->whole, cut->value, term_replace(cut->driven, making->parts));
    term_map_put(making->combined, cut->value, term_replace(cut->driven, making->combined));
  }
  term_map_put(making->combined, sum->any, term_replace(driven, making->combined));
  term_map_put(making->whole, sum->any, term_replace(driven, making->parts));
}

static void map_sums(struct making *making) {
  const struct model *model = making->model;
  if (!model->which.cycle || !model_has_sums(model->size)) return;
  resolve_parts(making);
  for (unsigned t = 0; t < model->size.threads; t++) map_groups(making, t);
  for (unsigned t = 0; t < model->size.threads; t++)
    for (unsigned n = 0; n < model->size.counters; n++) map_parts_of(making, t, n);
  for (unsigned t = 0; t < model->size.threads; t++)
    for (unsigned n = 0; n < model->size.counters; n++) map_sum(making, t, n);
}

static term driven(struct making *making, unsigned t, unsigned n, enum cut which) {
  const struct netlist_cut *cut = rtl_cut(making, t, n, which);
  return cut == NULL ? TERM_FALSE : term_replace(cut->driven, making->to_c);
}

/* Best proved event by event. */
static void by_event(struct assertion *assertion, unsigned t, unsigned n, enum events events) {
  assertion->thread = (int)t;
  assertion->counter = (int)n;
  assertion->events = events;
}

/* As 16 bits. */
static term widened(term rtl, enum cut which) {
  return which == CUT_ALLOWED ? term_sext(rtl, 16) : term_zext(rtl, 16);
}

/* With sums as they are made. */
static struct assertion *claim_with_sums(struct making *making, unsigned t, unsigned n,
                                         enum cut which, struct term_map *sums,
                                         enum events events) {
  const term cmodel = making->model->cuts[t][n][which].driven;
  const struct netlist_cut *cut = rtl_cut(making, t, n, which);
  const term rtl = term_replace(term_replace(cut->driven, sums), making->to_c);
  struct assertion *assertion =
      equal(making, text_format("t%u counter %u: %s", t, n, cut_labels[which]),
            term_replace(cmodel, sums), widened(rtl, which));
  by_event(assertion, t, n, events);
  return assertion;
}

/* What is cut is equal on both sides. Where sums are cut, too: for any sum, of an event that is
 * added up; of others as it is made. */
static void claim_cut(struct making *making, unsigned t, unsigned n, enum cut which) {
  const bool has_sums = which != CUT_V && model_has_sums(making->model->size);
  const term cmodel = making->model->cuts[t][n][which].driven;
  const struct netlist_cut *cut = rtl_cut(making, t, n, which);
  if (cut == NULL) return;
  struct assertion *assertion =
      equal(making, text_format("t%u counter %u: %s", t, n, cut_labels[which]), cmodel,
            widened(driven(making, t, n, which), which));
  if (which == CUT_V) return;
  by_event(assertion, t, n, has_sums ? EVENTS_COUNT : EVENTS_ALL);
  if (!has_sums) return;
  claim_with_sums(making, t, n, which, making->combined, EVENTS_COMBINED);
  claim_with_sums(making, t, n, which, making->whole, EVENTS_OWN)->is_whole_sum = true;
}

/* Of each source, what is looked up is what the RTL has; and nothing counts but what is added up.
 */
static void claim_map(struct making *making, unsigned t, unsigned n, unsigned source, int origin) {
  const struct model *model = making->model;
  const struct model_map *map = c_map(model, t, n, source, origin);
  const struct netlist_cut *cut = rtl_piece(making, t, n, source_names[origin], source);
  if (cut == NULL) return;
  const term is_used = term_extract(model->sources[t], source, 1);
  const term counts = term_and(is_used, term_any(map->driven));
  const term cmodel = term_and(is_used, looked_up(model, map->driven, source, origin));
  const term adds = source == t ? TERM_TRUE : model->groups[t][n].driven;
  char *name = text_format("t%u counter %u: %s of t%u", t, n, source_names[origin], source);
  by_event(of_part(equal(making, name, cmodel, made_part(making, cut))), t, n, EVENTS_COUNT);
  by_event(claim(making, text_format("%s, if added up", name), term_implies(counts, adds)), t, n,
           EVENTS_COUNT);
}

/* Likewise the threads that are eligible; what is looked up of an event that is combined is
 * just that. */
static void claim_eligible(struct making *making, unsigned t, unsigned n, unsigned source) {
  const struct model *model = making->model;
  const struct netlist_cut *cut = rtl_piece(making, t, n, eligible_name, source);
  if (cut == NULL) return;
  const term is_eligible = term_extract(model->eligible[t][n].driven, source, 1);
  const term adds = source == t ? TERM_TRUE : model->groups[t][n].driven;
  const term map = c_map(model, t, n, source, PMUV3_CURRENT)->driven;
  const term counts = term_and(term_extract(model->sources[t], source, 1),
                               looked_up(model, map, source, PMUV3_CURRENT));
  char *name = text_format("t%u counter %u: t%u is eligible", t, n, source);
  of_part(equal(making, name, is_eligible, made_part(making, cut)));
  claim(making, text_format("%s, if added up", name), term_implies(is_eligible, adds));
  by_event(of_part(equal(making, text_format("%s, as looked up", name), is_eligible, counts)), t, n,
           EVENTS_COMBINED);
}

static void claim_sum(struct making *making, unsigned t, unsigned n) {
  const term cmodel = making->model->sums[t][n].driven;
  const struct netlist_cut *cut;
  term rtl = TERM_NONE;
  for (uint32_t bit = 0; bit < MODEL_VALUE_WIDTH; bit += term_width(cut->value)) {
    cut = rtl_piece(making, t, n, sum_name, bit);
    if (cut == NULL) return;
    const term piece = term_replace(cut->driven, making->to_c);
    rtl = rtl == TERM_NONE ? piece : term_concat(piece, rtl);
  }
  by_event(
      of_part(equal(making, text_format("t%u counter %u: sum", t, n), cmodel, term_zext(rtl, 16))),
      t, n, EVENTS_COUNT);
  const term above = term_extract(cmodel, MODEL_VALUE_WIDTH, 16 - MODEL_VALUE_WIDTH);
  by_event(claim(making, text_format("t%u counter %u: a sum has %u bits", t, n, MODEL_VALUE_WIDTH),
                 term_not(term_any(above))),
           t, n, EVENTS_ALL);
}

static void claim_none(struct making *making, unsigned t, unsigned n, const char *signal,
                       unsigned source) {
  const struct netlist_cut *cut = rtl_piece(making, t, n, signal, source);
  if (cut == NULL) return;
  of_part(claim(making, text_format("t%u counter %u: no %s of t%u", t, n, signal, source),
                term_not(term_any(made_part(making, cut)))));
}

static void claim_absent(struct making *making, unsigned t, unsigned n, unsigned source) {
  for (int s = 0; s < SOURCE_NAMES; s++) claim_none(making, t, n, source_names[s], source);
}

static void claim_parts(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const uint32_t threads = model->size.threads;
  for (unsigned a = 0; a < model->size.absent; a++) claim_absent(making, t, n, threads + a);
  claim(making, text_format("t%u counter %u: threads that there are are eligible", t, n),
        term_not(term_any(term_extract(model->eligible[t][n].driven, threads, 16 - threads))));
  for (unsigned source = 0; source < making->model->size.threads; source++) {
    claim_eligible(making, t, n, source);
    for (int o = 0; o < MAP_NAMES; o++) claim_map(making, t, n, source, o);
  }
  claim_sum(making, t, n);
}

/* It has no other values than it is taken for. */
static void claim_cut_values(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const term counting = driven(making, t, n, CUT_ALLOWED);
  const term V_counting = term_extract(model->cuts[t][n][CUT_ALLOWED].value, 0, 1);
  const term is_there = term_ult(term_const(5, n), model->params[0]);
  by_event(claim(making, text_format("t%u counter %u: allowed only if it is there", t, n),
                 term_implies(counting, is_there)),
           t, n, EVENTS_ALL);
  by_event(claim(making, text_format("t%u counter %u: VB only where allowed", t, n),
                 term_or(counting, term_not(term_any(driven(making, t, n, CUT_VB))))),
           t, n, EVENTS_ALL);
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
  const struct netlist_signal *signal = netlist_output(making->netlist, name);
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
  for (size_t s = 0; s < making->netlist->num_states; s++) {
    const struct netlist_state *state = &making->netlist->states[s];
    if (map_is_copy(state->name) || map_is_absent(model, state->name)) continue;
    equal(making, text_format("next %s", state->name),
          map_state(model, model->next, copies, state->name),
          term_replace(state->next, making->to_c));
  }
}

static term next_copy(struct making *making, unsigned t, const char *name) {
  char *path = text_format("g_thread[%u].u_thread.u_snapshot.%s", t, name);
  const struct netlist_state *state = netlist_state(making->netlist, path);
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
    if (model->which.cycle && model_has_sums(model->size)) claim_groups(making, t);
    for (unsigned n = 0; n < model->size.counters && model->which.cycle; n++) {
      if (model_has_sums(model->size)) claim_parts(making, t, n);
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

/* The last, so that a counterexample is of another. */
static void claim_missing(struct making *making) {
  if (making->missing == NULL) return;
  claim(making, text_format("the RTL has the signal %s", making->missing), TERM_FALSE);
  free(making->missing);
}

static void claim_invariants(struct making *making) {
  const struct model *model = making->model;
  for (size_t c = 0; c < model->num_claims; c++)
    claim(making, text_format("%s", model->claims[c].name), model->claims[c].condition);
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
  map_cuts(&making);
  map_sums(&making);
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
