#include "testbench/cosim/failure_report/chain.h"

#include <string.h>

#include "testbench/cosim/failure_report/ask.h"

const struct pmuv3_probe *pmuv3_chain_after(const struct pmuv3_chain *chain, size_t step,
                                            int side) {
  return &chain->observation->steps[step].probe[side][chain->thread];
}

/* What a window begins with has nothing before it; what it shows stands for that. */
const struct pmuv3_probe *pmuv3_chain_before(const struct pmuv3_chain *chain, int side) {
  return pmuv3_chain_after(chain, chain->first > 0 ? chain->first - 1 : 0, side);
}

/* ---- The first difference ---- */

/* Whether the sides differ in a signal after the chain's first step; if so, it is noted. */
static bool note_difference(struct pmuv3_chain *chain, enum pmuv3_signal signal, int counter) {
  uint64_t values[PMUV3_NUM_SIDES];
  for (int s = 0; s < PMUV3_NUM_SIDES; s++)
    values[s] = pmuv3_signal_value(signal, pmuv3_chain_after(chain, chain->first, s), counter);
  if (values[PMUV3_CMODEL] == values[PMUV3_RTL]) return false;
  memcpy(chain->values, values, sizeof values);
  chain->signal = (int)signal;
  chain->counter = counter;
  chain->stage = pmuv3_signal_stage(signal);
  snprintf(chain->name, sizeof chain->name, "%s", pmuv3_signal_name(signal));
  return true;
}

/* What a counter's stages and registers show, in data flow. */
static bool find_in_counter(struct pmuv3_chain *chain, int counter) {
  for (int s = 0; s < PMUV3_NUM_SIGNALS; s++)
    if (pmuv3_signal_is_of_counter((enum pmuv3_signal)s) &&
        note_difference(chain, (enum pmuv3_signal)s, counter))
      return true;
  return false;
}

/* What is not of one counter: outputs last, which depend on all else. */
static bool find_in_rest(struct pmuv3_chain *chain, bool outputs) {
  for (int s = 0; s < PMUV3_NUM_SIGNALS; s++) {
    const enum pmuv3_signal signal = (enum pmuv3_signal)s;
    if (pmuv3_signal_is_of_counter(signal)) continue;
    if ((pmuv3_signal_stage(signal) == PMUV3_STAGE_EXCEPTION) != outputs) continue;
    if (note_difference(chain, signal, -1)) return true;
  }
  return false;
}

static bool find_in_thread(struct pmuv3_chain *chain) {
  for (int n = 0; n < chain->observation->stimulus->params.counters; n++)
    if (find_in_counter(chain, n)) return true;
  return find_in_rest(chain, false) || find_in_rest(chain, true);
}

/* The flags of the two fixed counters are in one signal. */
static void tell_fixed_flags_apart(struct pmuv3_chain *chain) {
  if (chain->signal != PMUV3_SIGNAL_fixed_overflow) return;
  if (!pmuv3_step_is_cycle(&chain->observation->steps[chain->first])) return;
  const bool is_F0 = ((chain->values[PMUV3_CMODEL] ^ chain->values[PMUV3_RTL]) & 1) == 0;
  chain->stage = is_F0 ? PMUV3_STAGE_INSTRUCTION_COUNTER : PMUV3_STAGE_CYCLE_COUNTER;
}

static bool find_in_probes(struct pmuv3_chain *chain) {
  const struct pmuv3_observation *observation = chain->observation;
  for (chain->first = 0; chain->first < observation->num_steps; chain->first++)
    for (chain->thread = 0; chain->thread < observation->stimulus->params.threads; chain->thread++)
      if (find_in_thread(chain)) return true;
  return false;
}

/* An answer, which is only the lockstep's to tell. */
static void take_answer(struct pmuv3_chain *chain) {
  const struct pmuv3_divergence *divergence = &chain->observation->divergence;
  const char *name = divergence->signal;
  chain->first = chain->observation->num_steps - 1;
  chain->thread = divergence->thread;
  chain->counter = divergence->counter;
  chain->signal = -1;
  chain->values[PMUV3_CMODEL] = divergence->cmodel;
  chain->values[PMUV3_RTL] = divergence->rtl;
  chain->stage = pmuv3_divergence_is_end(divergence) ? PMUV3_STAGE_ACCESS : PMUV3_STAGE_REGISTERS;
  if (strncmp(name, "result of ext", 13) == 0 || strncmp(name, "ext", 3) == 0)
    chain->stage = PMUV3_STAGE_EXTERNAL;
  snprintf(chain->name, sizeof chain->name, "%s", name);
}

void pmuv3_chain_find(struct pmuv3_chain *chain, const struct pmuv3_observation *observation) {
  *chain = (struct pmuv3_chain){.observation = observation};
  if (!find_in_probes(chain)) take_answer(chain);
  tell_fixed_flags_apart(chain);
  pmuv3_chain_ask(chain);
}

/* ---- What is shown ---- */

bool pmuv3_chain_is_in_datapath(const struct pmuv3_chain *chain) {
  return chain->signal >= PMUV3_SIGNAL_allowed && chain->signal <= PMUV3_SIGNAL_overflow;
}

bool pmuv3_chain_differs(const struct pmuv3_chain *chain, enum pmuv3_signal signal, int counter) {
  for (size_t i = 0; i < chain->observation->num_steps; i++)
    if (pmuv3_signal_value(signal, pmuv3_chain_after(chain, i, PMUV3_CMODEL), counter) !=
        pmuv3_signal_value(signal, pmuv3_chain_after(chain, i, PMUV3_RTL), counter))
      return true;
  return false;
}

struct list {
  struct pmuv3_shown *shown;
  size_t count;
};

static void show(struct list *list, enum pmuv3_signal signal, int counter) {
  for (size_t i = 0; i < list->count; i++)
    if (list->shown[i].signal == signal && list->shown[i].counter == counter) return;
  if (list->count < PMUV3_MAX_SHOWN)
    list->shown[list->count++] = (struct pmuv3_shown){signal, counter};
}

static void show_counter(struct list *list, int counter) {
  for (int s = PMUV3_SIGNAL_allowed; s <= PMUV3_SIGNAL_overflow; s++)
    show(list, (enum pmuv3_signal)s, counter);
}

/* Whether an odd counter takes something from the even one: a link or CHAIN. */
static bool is_linked(const struct pmuv3_chain *chain) {
  const uint64_t type = pmuv3_chain_before(chain, PMUV3_CMODEL)->evtyper[chain->counter];
  return chain->counter % 2 == 1 &&
         (PMUV3_GET(type, PMEVTYPER, TLC) != 0 || (type & 0xFFFF) == PMUV3_EVENT_CHAIN);
}

/* The registers that the stage goes by. */
static void show_inputs(struct list *list, const struct pmuv3_chain *chain) {
  for (size_t i = 0; i < pmuv3_num_inputs; i++) {
    const struct pmuv3_input *input = &pmuv3_inputs[i];
    if (input->stage != chain->stage || pmuv3_signal_is_of_counter(input->signal)) continue;
    show(list, input->signal, -1);
  }
}

size_t pmuv3_chain_shown(const struct pmuv3_chain *chain, struct pmuv3_shown *shown) {
  struct list list = {shown, 0};
  if (pmuv3_chain_is_in_datapath(chain)) {
    if (is_linked(chain)) {
      show(&list, PMUV3_SIGNAL_V, chain->counter - 1);
      show(&list, PMUV3_SIGNAL_value, chain->counter - 1);
      show(&list, PMUV3_SIGNAL_overflow, chain->counter - 1);
    }
    show_counter(&list, chain->counter);
  } else {
    show_inputs(&list, chain);
    if (chain->signal == PMUV3_SIGNAL_svr) show(&list, PMUV3_SIGNAL_value, chain->counter);
  }
  if (chain->signal >= 0) show(&list, (enum pmuv3_signal)chain->signal, chain->counter);
  for (int s = 0; s < PMUV3_NUM_SIGNALS; s++) {
    const enum pmuv3_signal signal = (enum pmuv3_signal)s;
    const int counter = pmuv3_signal_is_of_counter(signal) ? chain->counter : -1;
    if (pmuv3_signal_is_of_counter(signal) && counter < 0) continue;
    if (pmuv3_chain_differs(chain, signal, counter)) show(&list, signal, counter);
  }
  return list.count;
}
