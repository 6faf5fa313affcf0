#include <stdlib.h>

#include "testbench/prove/equivalence/text.h"
#include "testbench/prove/equivalence/theorem_internal.h"

static term output(struct making *making, const char *name) {
  const struct netlist_signal *signal = netlist_output(making->netlist, name);
  if (signal == NULL) theorem_wrong(making, "the RTL has no output %s", name);
  return signal == NULL ? TERM_NONE : term_replace(signal->value, making->to_c);
}

/* The bits of an output that belong to a thread. */
static term part(struct making *making, const char *name, uint32_t width, unsigned t) {
  const term whole = output(making, name);
  if (whole == TERM_NONE || term_width(whole) < width * (t + 1)) return TERM_NONE;
  return term_extract(whole, width * t, width);
}

void theorem_claim_probes(struct making *making, unsigned t, unsigned n) {
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
    theorem_equal(making, text_format("t%u counter %u: probe %s", t, n, probes[p].name),
                  probes[p].cmodel, probes[p].width == 1 ? term_sext(rtl, 16) : rtl);
  }
}

void theorem_claim_states(struct making *making, const struct copy_state *copies) {
  const struct model *model = making->model;
  for (size_t s = 0; s < making->netlist->num_states; s++) {
    const struct netlist_state *state = &making->netlist->states[s];
    if (map_is_copy(state->name) || map_is_absent(model, state->name)) continue;
    theorem_equal(making, text_format("next %s", state->name),
                  map_state(model, model->next, copies, state->name),
                  term_replace(state->next, making->to_c));
  }
}

static term next_copy(struct making *making, unsigned t, const char *name) {
  char *path = text_format("g_thread[%u].u_thread.u_snapshot.%s", t, name);
  const struct netlist_state *state = netlist_state(making->netlist, path);
  if (state == NULL) theorem_wrong(making, "the RTL has no register %s", path);
  free(path);
  return state == NULL ? TERM_NONE : term_replace(state->next, making->to_c);
}

bool theorem_claim_saved(struct making *making, unsigned t, struct copy_state *copies) {
  const struct model *model = making->model;
  const struct thread_state *next = &model->next[t];
  *copies =
      (struct copy_state){next_copy(making, t, "copying_q"), next_copy(making, t, "svr_q"),
                          next_copy(making, t, "pmccntsvr_q"), next_copy(making, t, "pmicntsvr_q")};
  if (!making->is_whole) return false;
  const struct saved_values saved = map_saved(model, next, copies);
  const term ss = term_extract(model->features, PMUV3_FEATURE_SS, 1);
  theorem_claim(making, text_format("t%u copying: only with SS", t),
                term_implies(copies->copying, ss));
  for (unsigned n = 0; n < model->size.counters; n++)
    theorem_equal(making, text_format("t%u saved counter %u", t, n), next->saved[n],
                  term_extract(saved.values, 64 * n, 64));
  theorem_equal(making, text_format("t%u saved cycle counter", t), next->saved_cycles,
                saved.cycles);
  theorem_equal(making, text_format("t%u saved instruction counter", t), next->saved_instructions,
                saved.instructions);
  return true;
}

/* A bit at a time, since each has a counter of its own. */
static void claim_pulses(struct making *making, unsigned t) {
  enum { PULSES = PMUV3_PMCNTENSET_F0_LSB + 1 };
  const term cmodel = making->model->answers.pulses[t], rtl = part(making, "pulse_o", PULSES, t);
  for (unsigned n = 0; n < PULSES; n++)
    theorem_equal(making, text_format("t%u pulse %u", t, n), term_extract(cmodel, n, 1),
                  rtl == TERM_NONE ? TERM_NONE : term_extract(rtl, n, 1));
}

void theorem_claim_answers(struct making *making, unsigned t) {
  const struct model_answers *answers = &making->model->answers;
  const struct thread_inputs *inputs = &making->model->inputs.thread[t];
  const term access = term_or(inputs->write, inputs->read);
  const term error = part(making, "reg_error_o", 1, t);
  const term result = part(making, "reg_result_o", 3, t);
  const term value = part(making, "reg_rdata_o", 64, t);
  const term syndrome = part(making, "reg_syndrome_o", 32, t);
  theorem_equal(making, text_format("t%u PMUIRQ", t), answers->irq[t], part(making, "irq_o", 1, t));
  theorem_equal(making, text_format("t%u CTI", t), answers->cti[t], part(making, "cti_o", 1, t));
  theorem_equal(making, text_format("t%u exception", t), answers->exception[t],
                part(making, "exception_o", 4, t));
  theorem_equal(making, text_format("t%u halt request", t), answers->halt[t],
                part(making, "halt_o", 1, t));
  theorem_equal(making, text_format("t%u BRBE freeze", t), term_extract(answers->brbe[t], 0, 2),
                part(making, "brbe_o", 2, t));
  claim_pulses(making, t);
  if (!making->is_whole) return;
  theorem_claim(
      making, text_format("t%u error of an access", t),
      term_implies(term_and(access, term_not(inputs->checked)), term_eq(answers->error[t], error)));
  theorem_claim(
      making, text_format("t%u result of an access", t),
      term_implies(term_and(access, inputs->checked), term_eq(answers->result[t], result)));
  theorem_claim(
      making, text_format("t%u syndrome of an access", t),
      term_implies(term_and(access, inputs->checked), term_eq(answers->syndrome[t], syndrome)));
  theorem_claim(making, text_format("t%u value read", t),
                term_implies(inputs->read, term_eq(answers->value[t], value)));
}

void theorem_claim_transfer(struct making *making) {
  const struct model *model = making->model;
  const term select = model->inputs.select;
  const term ready = output(making, "pready_o"), word = output(making, "prdata_o");
  theorem_equal(making, text_format("PSLVERR"), model->answers.transfer_error,
                output(making, "pslverr_o"));
  if (!making->is_whole) return;
  theorem_claim(making, text_format("PREADY"),
                term_implies(select, term_eq(model->answers.ready, ready)));
  theorem_claim(making, text_format("PRDATA"),
                term_implies(select, term_eq(model->answers.word, word)));
}
