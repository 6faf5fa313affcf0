#include "testbench/prove/equivalence/counterexample_file.h"

#include <inttypes.h>
#include <string.h>

/* ---- What files do not have ---- */

/* A key that must be 0, and does not matter. */
static void fit_pe(struct file *file, const struct clock *clock, unsigned t, struct pmuv3_pe *pe) {
  if (!pe->snid || !clock->before.params.debugv8p2) return;
  file_differs(file, "thread %u: snid is 0, not 1", t);
  pe->snid = false;
}

static bool is_elsewhere(const struct clock *clock, unsigned t) {
  const struct pmuv3_context *other = &clock->inputs.other[t];
  return other->el != clock->before.pe[t].el || other->ss != clock->before.pe[t].ss;
}

/* What cannot occur in a thread, and is left out. */
struct lost {
  unsigned unfit, of_debugger, joined;
};

void clock_lose(uint8_t *count, unsigned *lost) {
  *lost += *count;
  *count = 0;
}

/* What occurs in an other context that is the current one occurs there. */
static void join(uint8_t counts[PMUV3_NUM_ORIGINS], unsigned *joined) {
  const unsigned sum = (unsigned)counts[PMUV3_CURRENT] + counts[PMUV3_OTHER];
  clock_lose(&counts[PMUV3_OTHER], joined);
  counts[PMUV3_CURRENT] = (uint8_t)(sum <= UINT8_MAX ? sum : UINT8_MAX);
}

static struct lost fit_counts(struct clock *clock, unsigned t) {
  const struct pmuv3 *before = &clock->before;
  struct lost lost = {0, 0, 0};
  for (unsigned e = 0; e < STEP_EVENTS; e++) {
    uint8_t *counts = clock->inputs.count[e][t];
    const bool fits = pmuv3_event_fits(&before->params, &before->params.events.event[e]);
    for (unsigned o = 0; o < PMUV3_NUM_ORIGINS && !fits; o++) clock_lose(&counts[o], &lost.unfit);
    if (!before->pe[t].halted) clock_lose(&counts[PMUV3_DEBUGGER], &lost.of_debugger);
    if (!is_elsewhere(clock, t)) join(counts, &lost.joined);
  }
  return lost;
}

static void fit_occurrences(struct file *file, struct clock *clock, unsigned t) {
  const struct lost lost = fit_counts(clock, t);
  if (lost.unfit != 0)
    file_differs(file, "thread %u: without %u occurrences of events that need PMUv3p1", t,
                 lost.unfit);
  if (lost.of_debugger != 0)
    file_differs(file, "thread %u: without %u occurrences of a debugger: it is not halted", t,
                 lost.of_debugger);
  if (lost.joined != 0)
    file_differs(file,
                 "thread %u: %u occurrences of its other context are of the current one, which "
                 "it is",
                 t, lost.joined);
}

/* A view has 32 bits. */
static void fit_value(struct file *file, struct step_access *access) {
  if (!access->write || pmuv3_register_bits(access->reg) == 64 || access->value <= UINT32_MAX)
    return;
  file_differs(file, "the written value is without its upper half, 0x%" PRIx64,
               access->value >> 32);
  access->value = (uint32_t)access->value;
}

static bool is_write_refused(const struct pmuv3_params *params, const struct step_access *access) {
  return access->write && !access->checked &&
         pmuv3_register_writable(params, access->reg) != PMUV3_ACCESS_OK;
}

/* Whether a file can have such an access. A cycle has writes of words, and reads come after it.
 * Beside the thread's own write in a cycle, an access may wait. */
static bool has_transfer(const struct clock *clock, bool beside) {
  const struct step_transfer *transfer = &clock->inputs.transfer;
  const bool in_cycle = clock->inputs.cycle && transfer->write;
  if (transfer->page >= clock->before.params.threads) return false;
  if (transfer->write && transfer->strobes != 15) return false;
  if (in_cycle && transfer->offset % 4 != 0) return false;
  return !beside || (in_cycle && clock->inputs.access[transfer->page].write);
}

static void fit_transfer(struct file *file, struct clock *clock, bool beside) {
  struct step_transfer *transfer = &clock->inputs.transfer;
  if (!transfer->select || has_transfer(clock, beside)) return;
  file_differs(file, "no transfer: %s page %u, offset 0x%03x, strobes 0x%x%s",
               transfer->write ? "write to" : "read of", transfer->page, transfer->offset,
               transfer->strobes, beside ? ", which waits" : "");
  transfer->select = false;
}

/* A file changes no state of a thread whose software increments wait. */
static void fit_waiting(struct file *file, struct clock *clock, unsigned t) {
  struct pmuv3_state *state = &clock->before.thread[t].state;
  if (!state->waiting || pmuv3_pe_equal(&clock->before.pe[t], &clock->next_pe)) return;
  file_differs(file, "thread %u: no software increments wait while its state changes", t);
  memset(state->pending, 0, sizeof state->pending);
  state->waiting = false;
}

void clock_fit(struct file *file, struct clock *clock, const struct model_case *which) {
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    fit_pe(file, clock, t, &clock->before.pe[t]);
    fit_value(file, &clock->inputs.access[t]);
    if (which->cycle) fit_occurrences(file, clock, t);
  }
  fit_pe(file, clock, which->thread, &clock->next_pe);
  if (which->access == MODEL_SET_PE) fit_waiting(file, clock, which->thread);
  fit_transfer(file, clock, which->access != MODEL_TRANSFER);
}

/* ---- Accesses ---- */

/* No more than 255 increments of a counter wait. */
static void fit_increments(struct file *file, unsigned t, struct pmuv3_item *item) {
  if (!file_is_pmswinc(item->access.reg) || item->result != PMUV3_DONE) return;
  for (unsigned n = 0; n < file->now.params.counters; n++) {
    const uint64_t bit = UINT64_C(1) << n;
    if (file->increments[t][n] < UINT8_MAX || (item->access.value & bit) == 0) continue;
    file_differs(file, "the software increment of counter %u, of which 255 wait, is left out", n);
    item->access.value &= ~bit;
  }
}

static void put_checked_write(struct file *file, unsigned t, struct pmuv3_item *item) {
  struct pmuv3 then = file->now;
  item->kind = PMUV3_ITEM_MSR;
  item->has_result = true;
  item->result = (uint8_t)pmuv3_msr(&then, t, item->access.reg, item->access.value);
}

static void put_register_write(struct file *file, unsigned t, const struct step_access *access) {
  struct pmuv3_item item = {.kind = is_write_refused(&file->now.params, access)
                                        ? PMUV3_ITEM_REFUSED_WRITE
                                        : PMUV3_ITEM_WRITE,
                            .thread = (uint8_t)t,
                            .access = {access->reg, access->checked, access->value}};
  if (access->checked) put_checked_write(file, t, &item);
  if (item.kind == PMUV3_ITEM_REFUSED_WRITE)
    file_differs(file, "the refused write has no clock");
  else
    fit_increments(file, t, &item);
  file_put(file, &item);
}

static void put_transfer(struct file *file, const struct step_transfer *transfer) {
  struct pmuv3 then = file->now;
  struct pmuv3_item item = {
      .kind = transfer->write ? PMUV3_ITEM_EXTERNAL_WRITE : PMUV3_ITEM_EXTERNAL_READ,
      .thread = transfer->page,
      .has_result = true,
      .external = {transfer->page, transfer->ss, transfer->offset, transfer->value}};
  const enum pmuv3_security_state ss = (enum pmuv3_security_state)transfer->ss;
  uint32_t word;
  if (transfer->write) {
    item.result =
        !pmuv3_external_write(&then, transfer->page, ss, transfer->offset, transfer->value);
  } else {
    item.result = !pmuv3_external_read(&then, transfer->page, ss, transfer->offset, &word);
    item.has_value = item.result == 0;
    item.external.value = word;
  }
  file_put(file, &item);
}

/* A clock without a transfer is that in which one is set up. */
static void put_nothing(struct file *file) {
  put_transfer(file, &(struct step_transfer){.offset = OFFSET_PMCIDR3});
}

static void put_accesses(struct file *file, const struct clock *clock) {
  bool any = clock->inputs.transfer.select;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &clock->inputs.access[t];
    if (access->read) file_put_read(file, t, access);
    if (access->write) put_register_write(file, t, access);
    any |= access->read || access->write;
  }
  if (clock->inputs.transfer.select) put_transfer(file, &clock->inputs.transfer);
  if (!any) put_nothing(file);
}

/* ---- A Processor cycle ---- */

void clock_occur(struct occurrences *occurrences, uint16_t event, uint8_t count, unsigned t,
                 enum pmuv3_origin origin) {
  occurrences->list[occurrences->number++] =
      (struct pmuv3_occurrence){event, count, (uint8_t)t, (uint8_t)origin};
  occurrences->has[t][origin] = true;
}

/* The other context is there also where nothing occurs in it. */
static void occur_nowhere(const struct clock *clock, unsigned t, struct occurrences *occurrences) {
  const bool *has = occurrences->has[t];
  const bool related = clock->inputs.other[t].related;
  const uint16_t any = PMUV3_EVENT_INST_RETIRED;
  if (related && !has[PMUV3_UNATTRIBUTABLE])
    clock_occur(occurrences, any, 0, t, PMUV3_UNATTRIBUTABLE);
  if (!related && is_elsewhere(clock, t) && !has[PMUV3_OTHER])
    clock_occur(occurrences, any, 0, t, PMUV3_OTHER);
}

static void list_occurrences(const struct clock *clock, struct occurrences *occurrences) {
  for (unsigned e = 0; e < STEP_EVENTS; e++) {
    for (unsigned t = 0; t < clock->before.params.threads; t++) {
      const uint8_t *counts = clock->inputs.count[e][t];
      for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++)
        if (counts[o] != 0)
          clock_occur(occurrences, model_event_number(e), counts[o], t, (enum pmuv3_origin)o);
    }
  }
  for (unsigned t = 0; t < clock->before.params.threads; t++) occur_nowhere(clock, t, occurrences);
}

/* Of reads in a cycle, and writes in it that must be refused, there is but the access before it. A
 * write whose result is in question comes before it, too: what replay compares of one in it is what
 * it does. */
static void put_before(struct file *file, const struct clock *clock, bool asks_result) {
  const struct step_transfer *transfer = &clock->inputs.transfer;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &clock->inputs.access[t];
    const bool refused = is_write_refused(&file->now.params, access);
    const bool asked = asks_result && access->write;
    if (access->read) file_put_read(file, t, access);
    if (refused || asked) put_register_write(file, t, access);
    if (access->read || refused) file_differs(file, "the access is before the cycle, not in it");
    if (asked && !refused) file_differs(file, "the access is before the cycle, too");
  }
  if (!transfer->select || transfer->write) return;
  put_transfer(file, transfer);
  file_differs(file, "the transfer is before the cycle, not in it");
}

static void put_cycle(struct file *file, const struct clock *clock) {
  const struct step_inputs *inputs = &clock->inputs;
  struct occurrences occurrences = {.number = 0};
  struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
  struct pmuv3_cycle *cycle = &item.cycle;
  list_occurrences(clock, &occurrences);
  cycle->occurrences = occurrences.list;
  cycle->num_occurrences = occurrences.number;
  for (unsigned t = 0; t < clock->before.params.threads; t++) {
    const struct step_access *access = &inputs->access[t];
    cycle->other[t] = inputs->other[t];
    cycle->capture |= (uint8_t)(inputs->capture[t] << t);
    if (!access->write || is_write_refused(&file->now.params, access)) continue;
    cycle->has_write |= (uint8_t)(1u << t);
    cycle->write[t] = (struct pmuv3_write){access->reg, access->checked, access->value};
  }
  cycle->has_external = inputs->transfer.select && inputs->transfer.write;
  cycle->external = (struct pmuv3_external){inputs->transfer.page, inputs->transfer.ss,
                                            inputs->transfer.offset, inputs->transfer.value};
  file_put(file, &item);
}

void clock_put(struct file *file, const struct clock *clock, const struct model_case *which,
               bool asks_result) {
  fputs("# The clock:\n", file->out);
  if (which->access == MODEL_RESET) {
    file_put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_RESET});
  } else if (which->access == MODEL_SET_PE) {
    file_put_pe(file, which->thread, &clock->next_pe);
  } else if (which->access == MODEL_COLD_RESET) {
    return;
  } else if (which->access == MODEL_WAIT) {
    struct pmuv3_item item = {.kind = PMUV3_ITEM_CYCLE};
    step_both(&clock->inputs, which->thread, which->place, &item.cycle);
    file_put(file, &item);
  } else if (clock->inputs.cycle) {
    put_before(file, clock, asks_result);
    put_cycle(file, clock);
  } else {
    put_accesses(file, clock);
  }
}
