#include "testbench/prove/equivalence/counterexample_file.h"

/* Lets everything count that a thread's event counters select, in any state, without profiling. */
static void let_count(struct file *file, unsigned t) {
  const struct pmuv3_params *params = &file->now.params;
  const uint64_t all = pmuv3_register_mask(params, PMUV3_PMCNTENSET);
  const uint64_t hpmn = params->counters;
  if (pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) state_make_pmccr(file, t, params->counters);
  file_set(file, t, PMUV3_MDCR_EL3,
           (PMUV3_MASK(MDCR_EL3, MTPME) | PMUV3_MASK(MDCR_EL3, SPME)) &
               pmuv3_register_mask(params, PMUV3_MDCR_EL3));
  file_set(file, t, PMUV3_MDCR_EL2,
           (PMUV3_MASK(MDCR_EL2, MTPME) | hpmn << PMUV3_MDCR_EL2_HPMN_LSB) &
               pmuv3_register_mask(params, PMUV3_MDCR_EL2));
  file_set(file, t, PMUV3_PMECR, 0);
  file_set_bits(file, t, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, 0);
  file_set_bits(file, t, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, all);
  file_put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E));
}

static void let_all_count(struct file *file) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    file_put_pe(file, t, &pe);
    let_count(file, t);
  }
}

/* All counters count software increments, or captures: VB of the next cycle is those that wait, and
 * that of the cycle after another increment of counter 0 those that stayed, too. Where none should
 * wait, the thread leaves its state, which may drop them. */
static void show_waiting(struct file *file, uint16_t event) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  const uint64_t everywhere = file->now.params.el2 ? PMUV3_MASK(PMEVTYPER, NSH) : 0;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    if (!file_waits(file, t)) file_put_pe(file, t, &pe);
    let_count(file, t);
    for (unsigned n = 0; n < file->now.params.counters; n++)
      file_set(file, t, PMUV3_PMEVTYPERn(n), everywhere | event);
  }
  file_put_idle(file, 1);
  for (unsigned t = 0; t < file->now.params.threads && file->now.params.counters > 0; t++)
    file_put_write(file, t, PMUV3_PMSWINC, 1);
  file_put_idle(file, 1);
}

/* A cycle with some of every event in every thread. */
static void put_all_events(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  struct occurrences occurrences = {.number = 0};
  struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
  for (unsigned e = 0; e < params->events.num; e++) {
    const struct pmuv3_event *event = &params->events.event[e];
    if (!pmuv3_event_has(event, PMUV3_CURRENT) || !pmuv3_event_fits(params, event)) continue;
    const uint8_t count = event->most == 1 ? 1 : (uint8_t)(e + 1);
    for (unsigned t = 0; t < params->threads; t++) {
      clock_occur(&occurrences, event->number, count, t, PMUV3_CURRENT);
      if (pmuv3_event_has(event, PMUV3_UNATTRIBUTABLE))
        clock_occur(&occurrences, event->number, 1, t, PMUV3_UNATTRIBUTABLE);
    }
  }
  item.cycle.occurrences = occurrences.list;
  item.cycle.num_occurrences = occurrences.number;
  file_put(file, &item);
}

static void put_increments(struct file *file, unsigned t) {
  const unsigned counters = file->now.params.counters;
  if (counters > 0) file_put_write(file, t, PMUV3_PMSWINC, (UINT64_C(1) << counters) - 1);
}

static void put_at_all_levels(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (pe.el = 0; pe.el < 4; pe.el++) {
    pe.ss = pe.el == 3 ? (uint8_t)pmuv3_el3_state(params) : PMUV3_NS;
    if (pmuv3_pe_wrong(params, &pe) != NULL) continue;
    for (unsigned t = 0; t < params->threads; t++) {
      file_put_pe(file, t, &pe);
      put_increments(file, t);
    }
    put_all_events(file);
  }
}

/* What the counters select shows where everything occurs, software increments, too, at an Exception
 * level that they do not filter; what of it depends on MT, with MT = 1. */
static void show_events(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  let_all_count(file);
  put_at_all_levels(file);
  if (!pmuv3_has(params, PMUV3_FEATURE_MTPMU)) return;
  for (unsigned t = 0; t < params->threads; t++)
    for (unsigned n = 0; n < params->counters; n++)
      file_set(file, t, PMUV3_PMEVTYPERn(n),
               file->now.thread[t].registers.evtyper[n] | PMUV3_MASK(PMEVTYPER, MT));
  put_at_all_levels(file);
}

/* Where the divider stands shows when the cycle counter counts. */
static void show_divider(struct file *file) {
  const struct pmuv3_pe pe = PMUV3_PE_RESET;
  for (unsigned t = 0; t < file->now.params.threads; t++) {
    file_put_pe(file, t, &pe);
    file_set(file, t, PMUV3_PMCCFILTR, 0);
    file_put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, D));
  }
  file_put_idle(file, 64);
}

/* An overflow that both sides come to have may hide a flag that one of them had. */
static void show_flags(struct file *file) {
  for (unsigned t = 0; t < file->now.params.threads; t++) file_put_expect(file, t, PMUV3_PMOVSSET);
}

/* Counters that are about to overflow do not without a Processor cycle, do in the next one, and
 * CHAIN does not count it again in the one after. */
static void show_overflows(struct file *file) {
  const struct pmuv3_params *params = &file->now.params;
  let_all_count(file);
  for (unsigned t = 0; t < params->threads; t++) {
    for (unsigned n = 0; n < params->counters; n++) {
      file_set(file, t, PMUV3_PMEVTYPERn(n),
               n % 2 == 0 ? PMUV3_EVENT_CPU_CYCLES : PMUV3_EVENT_CHAIN);
      file_set(file, t, PMUV3_PMEVCNTRn(n), pmuv3_register_mask(params, PMUV3_PMEVCNTRn(n)));
    }
    file_put_write(file, t, PMUV3_PMCR, PMUV3_MASK(PMCR, E)); /* one more clock without a cycle */
  }
  show_flags(file);
  file_put_idle(file, 2);
}

static bool has_increments(const struct clock *clock, unsigned t) {
  const struct step_access *access = &clock->inputs.access[t];
  return (access->write && file_is_pmswinc(access->reg)) || clock_has_increments(clock, t);
}

static bool has_captures(const struct clock *clock, unsigned t) {
  const struct step_access *access = &clock->inputs.access[t];
  const struct step_transfer *transfer = &clock->inputs.transfer;
  return clock->before.thread[t].state.captured || clock->inputs.capture[t] ||
         (access->write && access->reg == PMUV3_PMSSCR) ||
         (transfer->select && transfer->write && transfer->page == t &&
          transfer->offset == OFFSET_PMSSCR);
}

void difference_show(struct file *file, const struct clock *clock, const struct model_case *which) {
  bool increments = false, captures = false;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    increments |= has_increments(clock, t);
    captures |= has_captures(clock, t);
  }
  fputs("# What it left behind:\n", file->out);
  show_flags(file);
  if (which->access == MODEL_SET_PE) put_all_events(file);
  if (increments) show_waiting(file, PMUV3_EVENT_SW_INCR);
  if (captures) show_waiting(file, PMUV3_EVENT_PMU_SNAPSHOT);
  if (!increments && !captures) file_put_idle(file, 1);
  show_events(file);
  show_overflows(file);
  show_divider(file);
  if (!increments) show_waiting(file, PMUV3_EVENT_SW_INCR);
}
