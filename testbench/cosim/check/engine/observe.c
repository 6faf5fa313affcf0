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
