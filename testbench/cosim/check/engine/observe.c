/* Tells an observer what the model does. */
#include "testbench/cosim/check/engine/observe.h"

#include "testbench/cosim/check/engine/internal.h"

static void probe_all(const struct pmuv3_check *check,
                      struct pmuv3_probe probes[PMUV3_MAX_THREADS]) {
  for (unsigned t = 0; t < check->device->params.threads; t++)
    pmuv3_probe(&check->pmu, t, &probes[t]);
}

void pmuv3_check_observe(struct pmuv3_check *check, struct pmuv3_observer *observer) {
  check->observer = observer;
  pmuv3_observe_state(check);
}

/* Threads' states, and all that was set by no access. */
void pmuv3_observe_state(struct pmuv3_check *check) {
  struct pmuv3_probe probes[PMUV3_MAX_THREADS];
  if (!check->observer) return;
  probe_all(check, probes);
  check->observer->start(check->observer, check->pmu.pe, probes);
}

void pmuv3_observe_reset(struct pmuv3_check *check) {
  struct pmuv3_probe probes[PMUV3_MAX_THREADS];
  if (!check->observer) return;
  pmuv3_observe_state(check);
  probe_all(check, probes);
  check->observer->reset(check->observer, probes);
}

void pmuv3_observe_pe(struct pmuv3_check *check, unsigned thread) {
  if (check->observer) check->observer->set_pe(check->observer, thread, &check->pmu.pe[thread]);
}

void pmuv3_observe_cycle(struct pmuv3_check *check, const struct pmuv3_cycle *cycle) {
  struct pmuv3_probe probes[PMUV3_MAX_THREADS];
  if (!check->observer) return;
  probe_all(check, probes);
  check->observer->cycle(check->observer, cycle, probes);
}

/* ---- Events ---- */

static uint16_t bit_of(unsigned el, unsigned ss) {
  return (uint16_t)(1u << (4 * el + ss));
}

/* The contexts that decide on occurrences of an event. Unattributable ones are related to none, so
 * a counter that takes any of them takes these. */
static uint16_t contexts_of(const struct pmuv3_check *check, const struct pmuv3_cycle *cycle,
                            const struct pmuv3_device_event *event) {
  const struct pmuv3_pe *pe = &check->pmu.pe[event->thread];
  const struct pmuv3_context *other = &cycle->other[event->thread];
  switch ((enum pmuv3_origin)event->origin) {
    case PMUV3_CURRENT:
      return bit_of(pe->el, pe->ss);
    case PMUV3_OTHER:
      return bit_of(other->el, other->ss) & check->pmu.identity.contexts;
    case PMUV3_UNATTRIBUTABLE:
      return UINT16_MAX;
    default:
      return 0; /* a debugger's operations never count */
  }
}

static bool counter_counted(const struct pmuv3_thread *counting, unsigned n,
                            const struct pmuv3_device_event *event, uint16_t contexts) {
  const struct pmuv3_config *config = &counting->config;
  const unsigned lane = pmuv3_lane(n);
  const unsigned kind =
      event->origin == PMUV3_UNATTRIBUTABLE ? PMUV3_IS_UNATTRIBUTABLE : PMUV3_IS_ATTRIBUTABLE;
  return counting->values.V[lane] != 0 && config->event[lane] == event->number &&
         (config->counts[kind][event->thread][lane] & contexts) != 0;
}

/* The instruction counter counts nothing but INST_RETIRED of its thread. */
static bool instructions_counted(const struct pmuv3_check *check, uint64_t before,
                                 const struct pmuv3_device_event *event, uint16_t contexts) {
  const struct pmuv3_thread *thread = &check->pmu.thread[event->thread];
  const struct pmuv3_instruction_config *config = &thread->instruction_config;
  const struct pmuv3_pe *pe = &check->pmu.pe[event->thread];
  if (event->number != PMUV3_EVENT_INST_RETIRED || thread->state.instructions == before)
    return false;
  return event->origin == PMUV3_UNATTRIBUTABLE
             ? (config->unattributable[pe->sm] & bit_of(pe->el, pe->ss)) != 0
             : (config->counts[pe->sm] & contexts) != 0;
}

static bool any_counted(const struct pmuv3_check *check, const struct pmuv3_cycle *cycle,
                        const struct pmuv3_device_event *event, uint64_t instructions) {
  const struct pmuv3_params *params = &check->device->params;
  const uint16_t contexts = contexts_of(check, cycle, event);
  for (unsigned t = 0; t < params->threads; t++) {
    const struct pmuv3_thread *counting = &check->pmu.thread[t];
    const bool is_source = counting->decoded.sources >> event->thread & 1; /* MT */
    for (unsigned n = 0; is_source && n < params->counters; n++)
      if (counter_counted(counting, n, event, contexts)) return true;
  }
  return instructions_counted(check, instructions, event, contexts);
}

void pmuv3_observe_counting(struct pmuv3_check *check, uint64_t t, const struct pmuv3_cycle *cycle,
                            const uint64_t instructions[PMUV3_MAX_THREADS]) {
  const struct pmuv3_device *device = check->device;
  if (!check->observer) return;
  for (size_t e = 0; e < device->num_events; e++) {
    const struct pmuv3_device_event *event = &device->events[e];
    check->counted[e] = cycle->num_occurrences > 0 && pmuv3_model_occurred(check, t, e) > 0 &&
                        any_counted(check, cycle, event, instructions[event->thread]);
  }
}

bool pmuv3_check_counted(const struct pmuv3_check *check, size_t event) {
  return check->counted[event];
}

/* ---- Accesses ---- */

/* How a checked access ended. A refused access has changed nothing, so the model answers again. */
static void judge(const struct pmuv3_check *check, struct pmuv3_observed *observed) {
  struct pmuv3_trap trap;
  const enum pmuv3_result result =
      pmuv3_trap_of(&check->pmu, observed->thread, observed->reg, observed->writes, &trap);
  observed->result = result;
  observed->syndrome = pmuv3_syndrome(result, trap);
}

static struct pmuv3_observed access_of(const struct pmuv3_check *check,
                                       const struct pmuv3_device_register *reg, bool writes,
                                       uint64_t value, bool is_done) {
  const struct pmuv3_device_port *port = &check->device->ports[reg->port];
  struct pmuv3_observed observed = {.thread = reg->thread,
                                    .writes = writes,
                                    .checked = port->is_checked && !reg->is_page,
                                    .external = reg->is_page,
                                    .ss = port->ss,
                                    .offset = reg->offset,
                                    .reg = reg->is_page ? 0 : reg->reg,
                                    .value = value};
  if (observed.external)
    observed.result = is_done;
  else if (observed.checked && !is_done)
    judge(check, &observed);
  else
    observed.result = observed.checked ? (unsigned)PMUV3_DONE : (unsigned)PMUV3_ACCESS_OK;
  return observed;
}

void pmuv3_observe_access(struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                          bool writes, uint64_t value, bool is_done) {
  if (!check->observer) return;
  const struct pmuv3_observed observed = access_of(check, reg, writes, value, is_done);
  check->observer->access(check->observer, &observed, NULL);
}

void pmuv3_observe_write(struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                         uint64_t value, bool is_done) {
  struct pmuv3_probe probe;
  if (!check->observer) return;
  const struct pmuv3_observed observed = access_of(check, reg, true, value, is_done);
  pmuv3_probe(&check->pmu, reg->thread, &probe);
  check->observer->access(check->observer, &observed, &probe);
}
