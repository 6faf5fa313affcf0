#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/text.h"
#include "testbench/prove/equivalence/theorem_internal.h"

static const char *const cut_names[CUTS] = {"u_attribution.allowed_o", "u_attribution.vb_o",
                                            "u_counter.v_i"};
static const char *const cut_labels[CUTS] = {"allowed", "VB", "V"};

/* With one lane in all, Yosys keeps only the name of the output. */
static const char *const allowed_of_one = "probe_allowed_o";
static bool has_one_lane(struct size size) {
  return size.threads + size.absent == 1 && size.counters <= 1;
}

bool theorem_is_cut(const char *name, void *size) {
  unsigned t, n;
  int used = 0;
  if (theorem_is_groups(name, *(const struct size *)size)) return true;
  if (strcmp(name, allowed_of_one) == 0) return has_one_lane(*(const struct size *)size);
  if (sscanf(name, "g_thread[%u].u_thread.g_lane[%u].%n", &t, &n, &used) != 2 || used == 0)
    return false;
  for (int c = 0; c < CUTS; c++)
    if (strcmp(name + used, cut_names[c]) == 0) return true;
  return theorem_is_of_sum(name + used, *(const struct size *)size);
}

const struct netlist_cut *theorem_rtl_cut(struct making *making, unsigned t, unsigned n,
                                          enum cut which) {
  char *name = which == CUT_ALLOWED && has_one_lane(making->model->size)
                   ? text_format("%s", allowed_of_one)
                   : text_format("g_thread[%u].u_thread.g_lane[%u].%s", t, n, cut_names[which]);
  const struct netlist_cut *cut = netlist_cut(making->netlist, name);
  if (cut == NULL) theorem_lacks(making, name);
  free(name);
  return cut;
}

/* The bits of a 16-bit value that the RTL has. */
static term narrow(term value, const struct netlist_cut *cut) {
  return term_extract(value, 0, term_width(cut->value));
}

/* Outside a Processor cycle the RTL drives the signals, too, but nothing uses them. */
void theorem_map_cuts(struct making *making) {
  const struct model *model = making->model;
  for (unsigned t = 0; t < model->size.threads; t++) {
    for (unsigned n = 0; n < map_lanes(model); n++) {
      for (int c = 0; c < CUTS; c++) {
        const struct netlist_cut *cut = theorem_rtl_cut(making, t, n, (enum cut)c);
        if (cut == NULL || !model->which.cycle) continue;
        const term value =
            n < model->size.counters ? model->cuts[t][n][c].value : term_const(16, 0);
        theorem_map(making, "signal", cut->name, cut->value, narrow(value, cut));
      }
    }
  }
}

static term driven(struct making *making, unsigned t, unsigned n, enum cut which) {
  const struct netlist_cut *cut = theorem_rtl_cut(making, t, n, which);
  return cut == NULL ? TERM_FALSE : term_replace(cut->driven, making->to_c);
}

/* A value of the RTL in the 16 bits of the C model. */
static term widened(term rtl, enum cut which) {
  return which == CUT_ALLOWED ? term_sext(rtl, 16) : term_zext(rtl, 16);
}

/* The cut is equal on both sides, with the terms of `sums` for the sums. */
static struct assertion *claim_with_sums(struct making *making, unsigned t, unsigned n,
                                         enum cut which, struct term_map *sums,
                                         enum events events) {
  const term cmodel = making->model->cuts[t][n][which].driven;
  const struct netlist_cut *cut = theorem_rtl_cut(making, t, n, which);
  const term mapped = term_replace(term_replace(cut->driven, sums), making->to_c),
             rtl = term_replace(mapped, sums);
  struct assertion *assertion =
      theorem_equal(making, text_format("t%u counter %u: %s", t, n, cut_labels[which]),
                    term_replace(cmodel, sums), widened(rtl, which));
  theorem_by_event(assertion, t, n, events);
  return assertion;
}

/* The cut is equal on both sides. Where sums are cut, too: for any sum, if the event is added up;
 * for the sum as it is driven, if it is not. */
void theorem_claim_cut(struct making *making, unsigned t, unsigned n, enum cut which) {
  const bool has_sums = which != CUT_V && model_has_sums(making->model->size);
  const term cmodel = making->model->cuts[t][n][which].driven;
  const struct netlist_cut *cut = theorem_rtl_cut(making, t, n, which);
  if (cut == NULL) return;
  struct assertion *assertion =
      theorem_equal(making, text_format("t%u counter %u: %s", t, n, cut_labels[which]), cmodel,
                    widened(driven(making, t, n, which), which));
  if (which == CUT_V) return;
  theorem_by_event(assertion, t, n, has_sums ? EVENTS_COUNT : EVENTS_ALL);
  if (!has_sums) return;
  claim_with_sums(making, t, n, which, making->combined, EVENTS_COMBINED);
  claim_with_sums(making, t, n, which, making->whole, EVENTS_OWN)->is_whole_sum = true;
}

/* The value that stands for a cut covers every value that drives it. */
void theorem_claim_cut_values(struct making *making, unsigned t, unsigned n) {
  const struct model *model = making->model;
  const term counting = driven(making, t, n, CUT_ALLOWED);
  const term V_counting = term_extract(model->cuts[t][n][CUT_ALLOWED].value, 0, 1);
  const term is_there = term_ult(term_const(5, n), model->params[0]);
  theorem_by_event(
      theorem_claim(making, text_format("t%u counter %u: allowed only if it is there", t, n),
                    term_implies(counting, is_there)),
      t, n, EVENTS_ALL);
  theorem_by_event(
      theorem_claim(making, text_format("t%u counter %u: VB only where allowed", t, n),
                    term_or(counting, term_not(term_any(driven(making, t, n, CUT_VB))))),
      t, n, EVENTS_ALL);
  theorem_claim(making, text_format("t%u counter %u: V only where allowed", t, n),
                term_or(V_counting, term_not(term_any(driven(making, t, n, CUT_V)))));
}

/* With no counters there is still one lane, which counts nothing. */
void theorem_claim_empty_lane(struct making *making, unsigned t, unsigned n) {
  for (int c = 0; c < CUTS; c++)
    theorem_claim(making, text_format("t%u no counter: %s", t, cut_labels[c]),
                  term_not(term_any(driven(making, t, n, (enum cut)c))));
}
