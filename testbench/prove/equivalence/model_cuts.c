#include "testbench/prove/equivalence/model_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "testbench/prove/equivalence/text.h"

enum { EXIT_UNUSABLE = 2 };

uint64_t cuts_values_address(const struct run *run, unsigned t, size_t field, unsigned n) {
  return state_thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, values) + field +
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
  const uint64_t at = cuts_values_address(run, t, fields[which], n);
  const uint32_t width = which == CUT_ALLOWED ? 1 : MODEL_VALUE_WIDTH;
  const term any = run_variable(model, width, "t%u.cut.%s%u", t, names[which], n);
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
  return state_thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, config.eligible) +
         2 * pmuv3_lane(n);
}

/* Until it is known what is allowed. */
static void uncut_eligible(struct run *run, unsigned t) {
  for (unsigned n = 0; n < run->model->size.counters; n++)
    store(run, eligible_address(run, t, n), run->model->eligible[t][n].driven);
}

bool cuts_sums(const struct model *model) {
  return model->cut_at == MODEL_CUT_SUMS && model_has_sums(model->size);
}

void cuts_threshold(void *with, const term *arguments, bool after) {
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
  return state_thread_address(run, run->pmu, t) + map_place(source, attributability, pmuv3_lane(n));
}

static uint64_t decoded_address(const struct run *run, unsigned t, size_t field) {
  return state_thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, decoded) + field;
}
static uint64_t groups_address(const struct run *run, unsigned t) {
  return decoded_address(run, t, offsetof(struct pmuv3_decoded, grouped));
}
static uint64_t group_address(const struct run *run, unsigned t, unsigned n) {
  return state_thread_address(run, run->pmu, t) + offsetof(struct pmuv3_thread, config.grouped) +
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
  model_claim(run->model, text_format("t%u groups: what follows from them", t), is_so);
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
    group->any = run_variable(model, 1, "t%u.cut.grouped%u", t, n);
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
  const term is_used = state_is_source(run, state_thread_address(run, run->pmu, t), source);
  const term none = constant(16, 0);
  map->any = run_variable(model, 16, "t%u.cut.map%u.%u.%u", t, n, source, attributability);
  map->stale = run_variable(model, 16, "t%u.cut.unused%u.%u.%u", t, n, source, attributability);
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
  cut->any = run_variable(model, threads, "t%u.cut.eligible%u", t, n);
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
  const uint64_t at = cuts_values_address(run, t, offsetof(struct pmuv3_values, VB), n);
  sum->any = run_variable(run->model, MODEL_VALUE_WIDTH, "t%u.cut.sum%u", t, n);
  cut_once(sum->driven);
  sum->driven = load(run, at, 16);
  store(run, at, zext(sum->any, 16));
}

void cuts_attribution(void *with, const term *arguments, bool after) {
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
