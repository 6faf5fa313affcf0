#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/text.h"
#include "testbench/prove/equivalence/theorem_internal.h"

static const char sum_stage[] = "u_attribution.", group_name[] = "mt_i", sum_name[] = "count",
                  eligible_name[] = "eligible_i";

/* Each signal has a bit for each source thread: which occurrences may count, by enum pmuv3_origin;
 * and whether the thread is eligible. */
static const char *const source_names[] = {"counts_current_i", "counts_other_i",
                                           "counts_unattributable_i", eligible_name};
enum { SOURCE_NAMES = sizeof source_names / sizeof *source_names, MAP_NAMES = SOURCE_NAMES - 1 };

bool theorem_is_of_sum(const char *name, struct size size) {
  const size_t stage = sizeof sum_stage - 1;
  if (!model_has_sums(size) || strncmp(name, sum_stage, stage) != 0) return false;
  for (int s = 0; s < SOURCE_NAMES; s++)
    if (strcmp(name + stage, source_names[s]) == 0) return true;
  return (size.counters == 1 && strcmp(name + stage, group_name) == 0) ||
         strcmp(name + stage, sum_name) == 0;
}

/* With several lanes Yosys keeps the filter's name, of one signal for all lanes. */
static const char groups_name[] = "u_filter.mt_i";

bool theorem_is_groups(const char *name, struct size size) {
  const char *signal = strstr(name, groups_name);
  return model_has_sums(size) && size.counters > 1 && signal != NULL &&
         strcmp(signal, groups_name) == 0;
}

/* The piece of a signal that begins with this bit: Yosys may have split the signal. Takes the
 * name. */
static const struct netlist_cut *piece_of(struct making *making, char *name, unsigned bit) {
  char *piece = text_format("%s[%u]", name, bit);
  const struct netlist_cut *cut = netlist_cut(making->netlist, piece);
  if (cut == NULL && bit == 0) cut = netlist_cut(making->netlist, name);
  if (cut == NULL) theorem_lacks(making, piece);
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

/* Whether a set of contexts contains an origin's context. */
static term looked_up(const struct model *model, term map, unsigned source, int origin) {
  return term_any(term_and(map, model->contexts[source][origin]));
}

/* Maps a signal, and the variable of the C model's cut to the term that drives it. */
static void put_part(struct making *making, const struct netlist_cut *cut, term to, term any,
                     term made) {
  if (cut == NULL) return;
  theorem_map(making, "signal", cut->name, cut->value, to);
  term_map_put(making->parts, any, made);
  term_map_put(making->whole, any, made);
}

static void put_absent(struct making *making, const struct netlist_cut *cut) {
  if (cut != NULL) theorem_map(making, "signal", cut->name, cut->value, TERM_FALSE);
}

/* Replaces the signals of this name by the terms that drive them. */
static void resolve(struct making *making, const char *signal) {
  for (size_t c = 0; c < making->netlist->num_cuts; c++) {
    const struct netlist_cut *cut = &making->netlist->cuts[c];
    if (strstr(cut->name, signal) == NULL) continue;
    const term made = term_replace(cut->driven, making->parts);
    term_map_put(making->parts, cut->value, made);
    term_map_put(making->whole, cut->value, made);
    /* Combined events depend on the eligible threads alone. */
    if (strncmp(signal, "counts_", 7) == 0) term_map_put(making->combined, cut->value, made);
  }
}

/* The order matters: each part depends only on the parts before. */
static void resolve_parts(struct making *making) {
  resolve(making, group_name);
  resolve(making, eligible_name);
  for (int o = 0; o < MAP_NAMES; o++) resolve(making, source_names[o]);
}

/* The term that drives a part, with no cuts in it. */
static term made_part(struct making *making, const struct netlist_cut *cut) {
  return term_replace(term_replace(cut->driven, making->parts), making->to_c);
}

/* The piece of the lanes' signal that begins with this lane. */
static const struct netlist_cut *rtl_groups(struct making *making, unsigned t, unsigned from) {
  if (making->model->size.counters == 1) return rtl_piece(making, t, 0, group_name, 0);
  return piece_of(making, text_format("g_thread[%u].u_thread.%s", t, groups_name), from);
}

/* The groups of some lanes: their cuts, or the terms that drive them. */
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
    theorem_map(making, "signal", cut->name, cut->value,
                groups_of(model, t, from, term_width(cut->value), true));
    /* K-STALL-CYCLES reads the groups beside the sum. */
    term_map_put(making->combined, cut->value,
                 groups_of(model, t, from, term_width(cut->value), false));
  }
  for (unsigned n = 0; n < model->size.counters; n++) {
    term_map_put(making->combined, model->groups[t][n].any, model->groups[t][n].driven);
    term_map_put(making->parts, model->groups[t][n].any, model->groups[t][n].driven);
    term_map_put(making->whole, model->groups[t][n].any, model->groups[t][n].driven);
  }
}

void theorem_claim_groups(struct making *making, unsigned t) {
  const struct model *model = making->model;
  const struct netlist_cut *cut;
  for (unsigned from = 0; from < map_lanes(model); from += term_width(cut->value)) {
    cut = rtl_groups(making, t, from);
    if (cut == NULL) return;
    theorem_of_part(theorem_equal(making, text_format("t%u grouped from counter %u", t, from),
                                  groups_of(model, t, from, term_width(cut->value), false),
                                  made_part(making, cut)));
  }
}

/* A source thread that is not implemented: its signals are 0. */
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
                 term_and(term_sext(term_replace(is_eligible, making->combined), 16),
                          model->contexts[source][PMUV3_CURRENT]));
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
    theorem_map(making, "signal", cut->name, cut->value, term_extract(sum->any, bit, width));
    term_map_put(making->whole, cut->value, term_replace(cut->driven, making->parts));
    term_map_put(making->combined, cut->value, term_replace(cut->driven, making->combined));
  }
  term_map_put(making->combined, sum->any, term_replace(driven, making->combined));
  term_map_put(making->whole, sum->any, term_replace(driven, making->parts));
}

void theorem_map_sums(struct making *making) {
  const struct model *model = making->model;
  if (!model->which.cycle || !model_has_sums(model->size)) return;
  resolve_parts(making);
  for (unsigned t = 0; t < model->size.threads; t++) map_groups(making, t);
  for (unsigned t = 0; t < model->size.threads; t++)
    for (unsigned n = 0; n < model->size.counters; n++) map_parts_of(making, t, n);
  for (unsigned t = 0; t < model->size.threads; t++)
    for (unsigned n = 0; n < model->size.counters; n++) map_sum(making, t, n);
}

/* Of each source thread the same occurrences count on both sides. They count only if the counter
 * adds the thread up. */
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
  theorem_by_event(theorem_of_part(theorem_equal(making, name, cmodel, made_part(making, cut))), t,
                   n, EVENTS_COUNT);
  theorem_by_event(
      theorem_claim(making, text_format("%s, if added up", name), term_implies(counts, adds)), t, n,
      EVENTS_COUNT);
}

/* The same threads are eligible on both sides. A combined event depends on nothing else. */
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
  theorem_of_part(theorem_equal(making, name, is_eligible, made_part(making, cut)));
  theorem_claim(making, text_format("%s, if added up", name), term_implies(is_eligible, adds));
  theorem_by_event(theorem_of_part(theorem_equal(making, text_format("%s, as looked up", name),
                                                 is_eligible, counts)),
                   t, n, EVENTS_COMBINED);
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
  theorem_by_event(theorem_of_part(theorem_equal(making, text_format("t%u counter %u: sum", t, n),
                                                 cmodel, term_zext(rtl, 16))),
                   t, n, EVENTS_COUNT);
  const term above = term_extract(cmodel, MODEL_VALUE_WIDTH, 16 - MODEL_VALUE_WIDTH);
  theorem_by_event(
      theorem_claim(making,
                    text_format("t%u counter %u: a sum has %u bits", t, n, MODEL_VALUE_WIDTH),
                    term_not(term_any(above))),
      t, n, EVENTS_ALL);
}

static void claim_none(struct making *making, unsigned t, unsigned n, const char *signal,
                       unsigned source) {
  const struct netlist_cut *cut = rtl_piece(making, t, n, signal, source);
  if (cut == NULL) return;
  theorem_of_part(theorem_claim(making,
                                text_format("t%u counter %u: no %s of t%u", t, n, signal, source),
                                term_not(term_any(made_part(making, cut)))));
}

static void claim_absent(struct making *making, unsigned t, unsigned n, unsigned source) {
  for (int s = 0; s < SOURCE_NAMES; s++) claim_none(making, t, n, source_names[s], source);
}

void theorem_claim_parts(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const uint32_t threads = model->size.threads;
  for (unsigned a = 0; a < model->size.absent; a++) claim_absent(making, t, n, threads + a);
  theorem_claim(
      making, text_format("t%u counter %u: threads that there are are eligible", t, n),
      term_not(term_any(term_extract(model->eligible[t][n].driven, threads, 16 - threads))));
  for (unsigned source = 0; source < making->model->size.threads; source++) {
    claim_eligible(making, t, n, source);
    for (int o = 0; o < MAP_NAMES; o++) claim_map(making, t, n, source, o);
  }
  claim_sum(making, t, n);
}
