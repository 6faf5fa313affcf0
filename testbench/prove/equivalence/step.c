#include "testbench/prove/equivalence/step.h"

#include <string.h>

#include "internal.h"

bool step_legal_params(const struct pmuv3_params *params) {
  return pmuv3_params_wrong_besides_events(params) == NULL;
}

/* ---- Inputs ---- */

static unsigned most(const struct pmuv3_event *event, unsigned origin) {
  if (!pmuv3_event_has(event, origin)) return 0;
  switch (event->event_class) {
    case PMUV3_EVENT_CLASS_COUNT:
    case PMUV3_EVENT_CLASS_SLOTS:
      return UINT8_MAX;
    default:
      return 1;
  }
}

static bool legal_counts(const struct pmuv3_params *params, const struct step_inputs *inputs,
                         unsigned thread) {
  for (unsigned e = 0; e < STEP_EVENTS; e++) {
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
      if (inputs->count[e][thread][o] > most(&params->events.event[e], o)) return false;
  }
  return true;
}

static bool legal_thread(const struct pmuv3 *pmu, const struct step_inputs *inputs,
                         unsigned thread) {
  const struct pmuv3_pe *pe = &pmu->pe[thread];
  const struct pmuv3_context *other = &inputs->other[thread];
  const struct step_access *access = &inputs->access[thread];
  return pmuv3_pe_wrong(&pmu->params, pe) == NULL &&
         pmuv3_context_wrong(&pmu->params, other->el, other->ss) == NULL &&
         pe->fgt >> PMUV3_NUM_FGT == 0 && !(access->write && access->read) &&
         legal_counts(&pmu->params, inputs, thread);
}

bool step_legal_inputs(const struct pmuv3 *pmu, const struct step_inputs *inputs) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (!legal_thread(pmu, inputs, t)) return false;
  return true;
}

/* ---- State ---- */

void step_decode(struct pmuv3 *pmu) {
  pmuv3_registers_identify(pmu);
  pmuv3_registers_decode(pmu);
}

uint64_t step_mask(const struct pmuv3 *pmu, uint16_t reg) {
  return pmuv3_register_mask(&pmu->params, reg);
}

/* ---- Answers ---- */

static bool has_access(const struct step_inputs *inputs, unsigned thread) {
  return inputs->access[thread].write || inputs->access[thread].read;
}

static uint32_t syndrome_of(const struct pmuv3 *pmu, unsigned t, const struct step_access *access) {
  struct pmuv3_trap trap;
  const enum pmuv3_result result = pmuv3_trap_of(pmu, t, access->reg, access->write, &trap);
  return pmuv3_syndrome(result, trap);
}

static void answer_write(const struct pmuv3 *pmu, unsigned t, const struct step_access *access,
                         struct step_answers *answers) {
  struct pmuv3 then = *pmu;
  answers->syndrome[t] = syndrome_of(pmu, t, access);
  if (access->checked)
    answers->result[t] = (uint8_t)pmuv3_msr(&then, t, access->reg, access->value);
  else
    answers->error[t] = pmuv3_write(&then, t, access->reg, access->value) != PMUV3_ACCESS_OK;
}

static void answer_read(const struct pmuv3 *pmu, unsigned t, const struct step_access *access,
                        struct step_answers *answers) {
  answers->syndrome[t] = syndrome_of(pmu, t, access);
  if (access->checked)
    answers->result[t] = (uint8_t)pmuv3_mrs(pmu, t, access->reg, &answers->value[t]);
  else
    answers->error[t] = pmuv3_read(pmu, t, access->reg, &answers->value[t]) != PMUV3_ACCESS_OK;
}

static enum pmuv3_security_state space_of(const struct step_transfer *transfer) {
  return (enum pmuv3_security_state)transfer->ss;
}

/* There is a page, and it is a word that is accessed. */
static bool is_good(const struct pmuv3 *pmu, const struct step_transfer *transfer) {
  return transfer->page < pmu->params.threads && transfer->offset % 4 == 0 &&
         (!transfer->write || transfer->strobes == 15);
}

/* Thread t's page is written in this clock: otherwise the transfer waits for the port, is a read or
 * an error. */
static bool writes_page(const struct pmuv3 *pmu, const struct step_inputs *inputs, unsigned t) {
  const struct step_transfer *transfer = &inputs->transfer;
  return transfer->select && transfer->write && transfer->page == t && is_good(pmu, transfer) &&
         !has_access(inputs, t);
}

static bool transfers(const struct pmuv3 *pmu, const struct step_transfer *transfer, unsigned t,
                      uint32_t *word) {
  struct pmuv3 then = *pmu;
  if (transfer->write)
    return pmuv3_external_write(&then, t, space_of(transfer), transfer->offset, transfer->value);
  return pmuv3_external_read(pmu, t, space_of(transfer), transfer->offset, word);
}

static void answer_transfer(const struct pmuv3 *pmu, const struct step_inputs *inputs,
                            struct step_answers *answers) {
  const struct step_transfer *transfer = &inputs->transfer;
  answers->ready = true;
  answers->transfer_error = transfer->select;
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    if (!transfer->select || transfer->page != t) continue;
    answers->ready = !has_access(inputs, t);
    if (!answers->ready)
      answers->transfer_error = false;
    else if (is_good(pmu, transfer))
      answers->transfer_error = !transfers(pmu, transfer, t, &answers->word);
    answers->transfer_writes = writes_page(pmu, inputs, t);
  }
}

void step_answer(const struct pmuv3 *pmu, const struct step_inputs *inputs,
                 struct step_answers *answers) {
  memset(answers, 0, sizeof *answers);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    if (inputs->access[t].write) answer_write(pmu, t, &inputs->access[t], answers);
    if (inputs->access[t].read) answer_read(pmu, t, &inputs->access[t], answers);
  }
  answer_transfer(pmu, inputs, answers);
}

/* ---- The edge ---- */

enum { STEP_OCCURRENCES = STEP_EVENTS * PMUV3_MAX_THREADS * PMUV3_NUM_ORIGINS };

/* All of them, whatever the classes: what an event cannot have occurs 0 times. */
static uint16_t list(const struct pmuv3_params *params, const struct step_inputs *inputs,
                     struct pmuv3_occurrence occurrences[STEP_OCCURRENCES]) {
  uint16_t length = 0;
  for (unsigned e = 0; e < STEP_EVENTS; e++)
    for (unsigned t = 0; t < params->threads; t++)
      for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
        occurrences[length++] = (struct pmuv3_occurrence){
            params->events.event[e].number, inputs->count[e][t][o], (uint8_t)t, (uint8_t)o};
  return length;
}

static struct pmuv3_external external_of(const struct step_transfer *transfer, unsigned t) {
  return (struct pmuv3_external){(uint8_t)t, transfer->ss, transfer->offset, transfer->value};
}

static void processor_cycle(struct pmuv3 *pmu, const struct step_inputs *inputs) {
  struct pmuv3_occurrence occurrences[STEP_OCCURRENCES];
  struct pmuv3_cycle cycle = {.occurrences = occurrences};
  cycle.num_occurrences = list(&pmu->params, inputs, occurrences);
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    const struct step_access *access = &inputs->access[t];
    cycle.has_write |= (uint8_t)(access->write << t);
    cycle.write[t] = (struct pmuv3_write){access->reg, access->checked, access->value};
    cycle.other[t] = inputs->other[t];
    cycle.capture |= (uint8_t)(inputs->capture[t] << t);
  }
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    if (!writes_page(pmu, inputs, t)) continue;
    cycle.has_external = true;
    cycle.external = external_of(&inputs->transfer, t);
  }
  pmuv3_tick(pmu, &cycle);
}

static void accesses(struct pmuv3 *pmu, const struct step_inputs *inputs) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    const struct step_access *access = &inputs->access[t];
    const struct step_transfer *transfer = &inputs->transfer;
    if (access->write && access->checked) pmuv3_msr(pmu, t, access->reg, access->value);
    if (access->write && !access->checked) pmuv3_write(pmu, t, access->reg, access->value);
    if (writes_page(pmu, inputs, t))
      pmuv3_external_write(pmu, t, space_of(transfer), transfer->offset, transfer->value);
  }
}

void step_clock(struct pmuv3 *pmu, const struct step_inputs *inputs) {
  if (inputs->cycle)
    processor_cycle(pmu, inputs);
  else
    accesses(pmu, inputs);
}

/* ---- A transfer that waits ---- */

void step_both(const struct step_inputs *inputs, unsigned t, uint16_t reg,
               struct pmuv3_cycle *cycle) {
  enum { OFFSET_PMCNTENSET = 0xC00, OFFSET_PMOVSCLR = 0xC80 };
  const struct step_access *access = &inputs->access[t];
  memset(cycle, 0, sizeof *cycle);
  for (unsigned of = 0; of < PMUV3_MAX_THREADS; of++)
    cycle->capture |= (uint8_t)(inputs->capture[of] << of);
  cycle->has_write = (uint8_t)(1u << t);
  cycle->write[t] = (struct pmuv3_write){reg, access->checked, access->value};
  cycle->has_external = true;
  cycle->external = external_of(&inputs->transfer, t);
  cycle->external.offset = reg == PMUV3_PMSWINC ? OFFSET_PMOVSCLR : OFFSET_PMCNTENSET;
}

bool step_wait(struct pmuv3 *pmu, const struct step_inputs *inputs, unsigned t, uint16_t reg,
               bool at_once) {
  struct pmuv3_cycle cycle;
  step_both(inputs, t, reg, &cycle);
  cycle.has_external = at_once;
  pmuv3_tick(pmu, &cycle);
  if (at_once) return pmuv3_written(pmu).external_error;
  return !pmuv3_external_write(pmu, t, space_of(&inputs->transfer), cycle.external.offset,
                               cycle.external.value);
}
