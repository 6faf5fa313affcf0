/* Inputs, delayed as in the device, into the C model. */
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

/* ---- Reset ---- */

void pmuv3_model_reset(struct pmuv3_check *check, enum pmuv3_reset_kind kind) {
  const struct pmuv3_device *device = check->device;
  if (kind == PMUV3_WARM_RESET)
    pmuv3_reset(&check->pmu);
  else
    pmuv3_init(&check->pmu, &device->params);
  for (unsigned t = 0; t < device->params.threads; t++)
    pmuv3_set_pe(&check->pmu, t, &device->pe[t]);
  for (size_t i = 0; i < device->num_initials; i++) {
    const struct pmuv3_device_initial *initial = &device->initials[i];
    pmuv3_write(&check->pmu, initial->thread, initial->reg, initial->value);
  }
  memset(check->raised, 0, sizeof check->raised);
  memset(check->wrapped, 0, sizeof check->wrapped);
  memset(check->cycles_wrapped, 0, sizeof check->cycles_wrapped);
  memset(check->has_carried, 0, sizeof check->has_carried);
  for (unsigned t = 0; t < device->params.threads; t++)
    check->before_flags[t] = check->pmu.thread[t].registers.overflow;
  check->num_cycles = 0;
  pmuv3_observe_reset(check);
}

/* ---- States ---- */

/* The state on the pins that acts in clock t, or NULL: a reset was in between. */
static const struct pmuv3_pe *state_at(const struct pmuv3_check *check, uint64_t t,
                                       unsigned thread) {
  if (check->state_cycles > 0) {
    const struct held *held = held_at(check, check->state_cycles);
    return held ? &held->state[thread] : NULL;
  }
  uint64_t clock;
  if (!input_of(check, t, check->device->latency[PMUV3_LATENCY_STATE].min, &clock)) return NULL;
  return &slot_at(check, clock)->record.thread[thread].state;
}

void pmuv3_model_states(struct pmuv3_check *check, uint64_t t) {
  bool any = false;
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    const struct pmuv3_pe *pe = state_at(check, t, thread);
    if (!pe || pmuv3_pe_equal(pe, &check->pmu.pe[thread])) continue;
    pmuv3_set_pe(&check->pmu, thread, pe);
    pmuv3_observe_pe(check, thread);
    any = true;
  }
  if (any && !check->is_exact) pmuv3_quiet_state(check, t);
}

/* ---- Writes ---- */

bool pmuv3_model_is_increment(const struct pmuv3_device_register *reg) {
  return !reg->is_page && pmuv3_device_viewed(reg->reg) == PMUV3_PMSWINC;
}

/* What a register, or a word of the page, holds in a model. */
static uint64_t value_in(const struct pmuv3_check *check, const struct pmuv3 *pmu,
                         const struct pmuv3_device_register *reg) {
  const struct pmuv3_device_port *port = &check->device->ports[reg->port];
  uint64_t value;
  uint32_t word;
  if (reg->is_page) {
    pmuv3_external_read(pmu, reg->thread, (enum pmuv3_security_state)port->ss, reg->offset, &word);
    return word;
  }
  /* RMFYQC: a read may give less of HPMN than what was written. */
  if (pmuv3_device_viewed(reg->reg) == PMUV3_MDCR_EL2)
    return pmu->thread[reg->thread].registers.mdcr_el2;
  pmuv3_read(pmu, reg->thread, reg->reg, &value);
  return value;
}

/* What the model is to write: what the device does not write stays as it is now in a model. */
static uint64_t value_of(const struct pmuv3_check *check, const struct pmuv3 *pmu,
                         const struct write *write) {
  const struct pmuv3_device_register *reg = write->reg;
  const unsigned lsb = !reg->is_page && reg->half == PMUV3_HIGH ? 32 : 0;
  const uint64_t now = reg->kept ? value_in(check, pmu, reg) & reg->kept : 0;
  return now | write->data << lsb;
}

static bool is_checked(const struct pmuv3_check *check, const struct pmuv3_device_register *reg) {
  return check->device->ports[reg->port].is_checked;
}

/* Does a write in a model, the checker's or a copy. Returns whether the model took it. */
static bool do_write(const struct pmuv3_check *check, struct pmuv3 *pmu,
                     const struct pmuv3_device_register *reg, uint64_t value) {
  const struct pmuv3_device_port *port = &check->device->ports[reg->port];
  if (reg->is_page)
    return pmuv3_external_write(pmu, reg->thread, (enum pmuv3_security_state)port->ss, reg->offset,
                                (uint32_t)value);
  if (port->is_checked) return pmuv3_msr(pmu, reg->thread, reg->reg, value) == PMUV3_DONE;
  pmuv3_write(pmu, reg->thread, reg->reg, value);
  return true;
}

bool pmuv3_model_write(const struct pmuv3_check *check, struct pmuv3 *pmu,
                       const struct write *write) {
  return do_write(check, pmu, write->reg, value_of(check, pmu, write));
}

/* Whether a write sets bits of the cycle counter's upper half, to whatever value: they are the same
 * afterwards in two models in which they were not. */
static bool sets_upper_cycles(const struct pmuv3_check *check, const struct write *write) {
  const unsigned thread = write->reg->thread;
  struct pmuv3 one = check->pmu, other = check->pmu;
  other.thread[thread].state.cycles = ~other.thread[thread].state.cycles;
  pmuv3_model_write(check, &one, write);
  pmuv3_model_write(check, &other, write);
  return (one.thread[thread].state.cycles ^ other.thread[thread].state.cycles) >> 32 != UINT32_MAX;
}

/* Does a write of the device in the checker's model. Returns whether the model took it. What the
 * Software Lock ignores ends well, too. */
static bool act(struct pmuv3_check *check, const struct write *write, uint64_t value) {
  const struct pmuv3_device_register *reg = write->reg;
  struct pmuv3_check_register *counts = &check->registers[reg - check->device->registers];
  bool *has_carried = &check->has_carried[reg->thread];
  *has_carried = *has_carried && !sets_upper_cycles(check, write);
  const bool is_done = do_write(check, &check->pmu, reg, value);
  if (!is_done)
    counts->refused++;
  else if (reg->is_page && pmuv3_external_locked(&check->pmu, reg->thread, reg->offset))
    counts->ignored++;
  else
    counts->writes++;
  return is_done;
}

/* The same, for an observer to see. */
static bool write_seen(struct pmuv3_check *check, const struct write *write) {
  const uint64_t value = value_of(check, &check->pmu, write);
  const bool is_done = act(check, write, value);
  pmuv3_observe_write(check, write->reg, value, is_done);
  return !is_done;
}

/* ---- The clock of a cycle ---- */

/* The writes that act in a clock, in the order in which they act. */
struct acting {
  const struct write *writes[2 * PMUV3_DEVICE_MAX_PORTS];
  bool failed[2 * PMUV3_DEVICE_MAX_PORTS];
  unsigned count;
};

/* Writes act in the order of the ports, and those of the page behind the others. */
static void add_writes(struct pmuv3_check *check, uint64_t t, enum pmuv3_latency latency,
                       struct acting *acting) {
  const size_t ports = check->device->num_ports;
  uint64_t clock;
  if (!input_of(check, t, check->device->latency[latency].min, &clock)) return;
  const struct slot *slot = slot_at(check, clock);
  for (size_t w = 0; slot->has_write && w < 2 * ports; w++) {
    const struct write *write = &slot->writes[w % ports];
    const bool is_of_pages = w >= ports;
    if (!write->reg || write->reg->is_page != is_of_pages ||
        pmuv3_model_is_increment(write->reg) != (latency == PMUV3_LATENCY_SWINC))
      continue;
    acting->writes[acting->count++] = write;
    if (!check->is_exact) pmuv3_quiet_write(check, t, write);
  }
}

/* Software increments wait for the cycle, so they are written before it. */
static void write_before(struct pmuv3_check *check, struct acting *acting) {
  for (unsigned w = 0; w < acting->count; w++) {
    if (!pmuv3_model_is_increment(acting->writes[w]->reg)) continue;
    acting->failed[w] = write_seen(check, acting->writes[w]);
  }
}

static void write_after(struct pmuv3_check *check, struct acting *acting) {
  for (unsigned w = 0; w < acting->count; w++) {
    const struct write *write = acting->writes[w];
    if (!pmuv3_model_is_increment(write->reg))
      acting->failed[w] = !act(check, write, value_of(check, &check->pmu, write));
  }
}

/* The writes of a clock, for an observer: as accesses before the cycle, and as writes in the clock
 * of the cycle. A copy of the model says how each ends. */
static void show_writes(struct pmuv3_check *check, const struct acting *acting,
                        struct pmuv3_cycle *seen) {
  for (unsigned w = 0; w < acting->count; w++) {
    const struct pmuv3_device_register *reg = acting->writes[w]->reg;
    if (pmuv3_model_is_increment(reg)) continue;
    const uint64_t value = value_of(check, &check->pmu, acting->writes[w]);
    struct pmuv3 copy = check->pmu;
    pmuv3_observe_access(check, reg, true, value, do_write(check, &copy, reg, value));
    if (reg->is_page) {
      seen->has_external = true;
      seen->external = (struct pmuv3_external){.thread = reg->thread,
                                               .ss = check->device->ports[reg->port].ss,
                                               .offset = reg->offset,
                                               .value = (uint32_t)value};
    } else {
      seen->has_write |= (uint8_t)(1u << reg->thread);
      seen->write[reg->thread] =
          (struct pmuv3_write){.reg = reg->reg, .checked = is_checked(check, reg), .value = value};
    }
  }
}

/* ---- Events ---- */

unsigned pmuv3_model_occurred(const struct pmuv3_check *check, uint64_t t, size_t e) {
  const struct pmuv3_device_event *event = &check->device->events[e];
  if (check->event_cycles[e] > 0) {
    const struct held *held = held_at(check, check->event_cycles[e]);
    return held ? held->count[event->source] : 0;
  }
  uint64_t clock;
  if (!input_of(check, t, event->latency, &clock)) return 0;
  const struct slot *slot = slot_at(check, clock);
  return slot->has_event ? slot->record.count[event->source] : 0;
}

static unsigned find_occurrences(const struct pmuv3_check *check, uint64_t t,
                                 struct pmuv3_occurrence *occurrences) {
  const struct pmuv3_device *device = check->device;
  unsigned counts[PMUV3_DEVICE_MAX_EVENTS] = {0};
  unsigned count = 0;
  bool any = false;
  for (unsigned e = 0; e < device->num_events; e++) {
    const unsigned times = pmuv3_model_occurred(check, t, e);
    counts[check->group[e]] += times;
    any |= times != 0;
  }
  for (unsigned g = 0; any && g < check->num_groups; g++) {
    if (!counts[g]) continue;
    occurrences[count] = check->groups[g];
    occurrences[count++].count =
        (uint8_t)(counts[g] < check->limit[g] ? counts[g] : check->limit[g]);
  }
  return count;
}

/* A thread's context comes with its events, as late as they do. */
static void set_context(const struct pmuv3_check *check, uint64_t t, size_t e,
                        struct pmuv3_cycle *cycle) {
  const struct pmuv3_device_event *event = &check->device->events[e];
  const struct held *held = held_at(check, check->event_cycles[e]);
  uint64_t clock;
  if (check->event_cycles[e] > 0 && held)
    cycle->other[event->thread] = held->other[event->thread];
  else if (check->event_cycles[e] == 0 && input_of(check, t, event->latency, &clock))
    cycle->other[event->thread] = slot_at(check, clock)->record.thread[event->thread].other;
}

static void set_contexts(const struct pmuv3_check *check, uint64_t t, struct pmuv3_cycle *cycle) {
  const struct pmuv3_device *device = check->device;
  for (size_t e = 0; e < device->num_events; e++)
    if (device->events[e].origin == PMUV3_OTHER) set_context(check, t, e, cycle);
  for (unsigned thread = 0; thread < PMUV3_MAX_THREADS; thread++)
    cycle->other[thread].related = false;
}

/* The inputs that meet the clock enable in the cycle of clock t. */
static void hold(struct pmuv3_check *check, uint64_t t) {
  const struct pmuv3_device *device = check->device;
  struct held *held = &check->held[check->num_cycles++ % HELD];
  const struct pmuv3_record *record =
      &slot_at(check, t - device->latency[PMUV3_LATENCY_CLOCK].min)->record;
  memcpy(held->count, record->count, device->num_events);
  for (unsigned thread = 0; thread < device->params.threads; thread++) {
    held->state[thread] = record->thread[thread].state;
    held->other[thread] = record->thread[thread].other;
  }
}

/* ---- Flags that rise late ---- */

uint64_t pmuv3_model_counter(const struct pmuv3 *pmu, unsigned thread, unsigned n) {
  const struct pmuv3_state *state = &pmu->thread[thread].state;
  return n == 31 ? state->cycles : n == 32 ? state->instructions : state->value[pmuv3_lane(n)];
}

uint64_t pmuv3_model_saved(const struct pmuv3 *pmu, unsigned thread, unsigned n) {
  const struct pmuv3_saved *saved = &pmu->thread[thread].saved;
  return n == 31 ? saved->cycles : n == 32 ? saved->instructions : saved->value[n];
}

/* A cycle without writes, which does not raise flags but says which it would have raised. So the
 * writes of the clock override the counting of the cycle, and no write clears a new flag
 * (formats.md section 4), however many there are. Counting changes the upper half of the cycle
 * counter by a carry alone. */
static void tick_without_flags(struct pmuv3_check *check, const struct pmuv3_cycle *cycle,
                               uint64_t raised[PMUV3_MAX_THREADS]) {
  uint64_t flags[PMUV3_MAX_THREADS], cycles[PMUV3_MAX_THREADS];
  const unsigned threads = check->device->params.threads;
  for (unsigned thread = 0; thread < threads; thread++) {
    flags[thread] = check->pmu.thread[thread].registers.overflow;
    cycles[thread] = check->pmu.thread[thread].state.cycles;
  }
  pmuv3_tick(&check->pmu, cycle);
  for (unsigned thread = 0; thread < threads; thread++) {
    struct pmuv3_thread *model = &check->pmu.thread[thread];
    raised[thread] = pmuv3_pulses(&check->pmu, thread);
    model->registers.overflow = flags[thread];
    check->has_carried[thread] |= model->state.cycles >> 32 != cycles[thread] >> 32;
  }
}

/* What was raised `latency` clocks before is raised now, and no write of this clock clears it.
 * Flags that stop with the core's clock wait for as many Processor cycles. */
static void raise_late(struct pmuv3_check *check, uint64_t t,
                       const uint64_t raised[PMUV3_MAX_THREADS]) {
  const unsigned latency = check->device->latency[PMUV3_LATENCY_FLAG].min;
  const uint64_t now = check->device->stops[PMUV3_LATENCY_FLAG] ? check->num_cycles : t;
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    check->raised[thread][now % RING] = raised[thread];
    check->rise[thread] = check->raised[thread][(now - latency) % RING];
    check->pmu.thread[thread].registers.overflow |= check->rise[thread];
  }
}

static uint32_t counters_of_cycles(const struct pmuv3_thread *thread) {
  uint32_t counters = 0;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    counters |= (uint32_t)(thread->config.event[pmuv3_lane(n)] == PMUV3_EVENT_CPU_CYCLES) << n;
  return counters;
}

static bool sets_flags(const struct pmuv3_device_register *reg) {
  return pmuv3_device_viewed(reg->reg) == PMUV3_PMOVSSET;
}

/* What a write sets is 1 whether the counter wrapped or not. */
static void forget_set(struct pmuv3_check *check, const struct acting *acting) {
  for (unsigned w = 0; w < acting->count; w++) {
    const struct pmuv3_device_register *reg = acting->writes[w]->reg;
    if (!sets_flags(reg)) continue;
    const uint64_t set = acting->writes[w]->data << (reg->half == PMUV3_HIGH ? 32 : 0);
    check->wrapped[reg->thread] &= ~set;
    check->cycles_wrapped[reg->thread] &= ~set;
  }
}

/* Counters that overflow at bit 63. */
uint64_t pmuv3_model_wide(const struct pmuv3 *pmu, unsigned thread) {
  const struct pmuv3_thread *of = &pmu->thread[thread];
  return of->decoded.lp | (of->cycle_config.top >> 63 ? PMUV3_MASK(PMOVSSET, C) : 0);
}

/* Which flags are 1 because their counters wrapped, and for no other reason. `wide` are the
 * counters that overflowed at bit 63 before the writes of the clock. */
static void note_wraps(struct pmuv3_check *check, bool cycle,
                       const uint64_t wide[PMUV3_MAX_THREADS]) {
  for (unsigned thread = 0; thread < check->device->params.threads; thread++) {
    const uint64_t flags = check->pmu.thread[thread].registers.overflow;
    const uint64_t pulses = cycle ? pmuv3_pulses(&check->pmu, thread) : 0;
    const uint64_t risen = check->rise[thread] & ~check->before_flags[thread];
    check->last_wide[thread] &= ~pulses;
    check->last_wide[thread] |= pulses & wide[thread];
    if (risen != 0) {
      const uint32_t of_cycles = counters_of_cycles(&check->pmu.thread[thread]);
      check->wrapped[thread] |= risen;
      check->cycles_wrapped[thread] &= ~risen;
      check->cycles_wrapped[thread] |= risen & of_cycles;
      check->wide_wrapped[thread] &= ~risen;
      check->wide_wrapped[thread] |= risen & check->last_wide[thread];
    }
    check->wrapped[thread] &= flags;
    check->cycles_wrapped[thread] &= flags;
    check->before_flags[thread] = flags;
  }
}

/* ---- A clock ---- */

static void tick(struct pmuv3_check *check, uint64_t t, struct acting *acting) {
  struct pmuv3_occurrence occurrences[PMUV3_DEVICE_MAX_EVENTS];
  struct pmuv3_cycle cycle = {.occurrences = occurrences};
  cycle.num_occurrences = (uint16_t)find_occurrences(check, t, occurrences);
  if (check->has_other) set_contexts(check, t, &cycle);
  if (!check->is_exact && cycle.num_occurrences > 0) pmuv3_quiet_event(check, t);
  check->counts.cycles++;
  struct pmuv3_cycle seen = cycle;
  uint64_t raised[PMUV3_MAX_THREADS], instructions[PMUV3_MAX_THREADS];
  if (check->observer) show_writes(check, acting, &seen);
  for (unsigned thread = 0; thread < check->device->params.threads; thread++)
    instructions[thread] = check->pmu.thread[thread].state.instructions;
  tick_without_flags(check, &cycle, raised);
  pmuv3_observe_counting(check, t, &cycle, instructions);
  write_after(check, acting);
  raise_late(check, t, raised);
  pmuv3_observe_cycle(check, &seen);
}

/* With the core's clock stopped, writes act and late flags rise, if they do not stop, too. */
static void pause(struct pmuv3_check *check, uint64_t t, struct acting *acting) {
  static const uint64_t none[PMUV3_MAX_THREADS];
  memset(check->rise, 0, sizeof check->rise);
  for (unsigned w = 0; w < acting->count; w++)
    if (!pmuv3_model_is_increment(acting->writes[w]->reg))
      acting->failed[w] = write_seen(check, acting->writes[w]);
  if (check->device->latency[PMUV3_LATENCY_FLAG].min == 0) return;
  if (check->device->stops[PMUV3_LATENCY_FLAG]) return;
  raise_late(check, t, none);
  pmuv3_observe_state(check);
}

bool pmuv3_model_is_cycle(const struct pmuv3_check *check, uint64_t t) {
  uint64_t clock;
  return input_of(check, t, check->device->latency[PMUV3_LATENCY_CLOCK].min, &clock) &&
         slot_at(check, clock)->record.clock;
}

/* The error of a write, where it is known when it comes. A reset before its answer ends the write.
 */
static void compare_error(struct pmuv3_check *check, const struct write *write, uint64_t t,
                          bool failed) {
  const struct pmuv3_device_register *reg = write->reg;
  const struct pmuv3_device_port *port = &check->device->ports[reg->port];
  if (!port->has_error || port->has_response || check->diverged) return;
  const enum pmuv3_latency kind =
      pmuv3_model_is_increment(reg) ? PMUV3_LATENCY_SWINC : PMUV3_LATENCY_WRITE;
  const unsigned latency = check->device->latency[kind].min;
  const uint64_t clock = t - latency + port->response;
  if (clock >= check->now || is_reset_after(check, t, clock)) return;
  const struct pmuv3_record_port *pins = &slot_at(check, clock)->record.port[reg->port];
  struct pmuv3_check_counts *counts = &check->counts;
  if (!pins->knows_error) {
    count_at(counts->unknown, counts->unknown_at, PMUV3_COMPARED_ERROR, reg->port, 0);
    return;
  }
  count_at(counts->compared, counts->compared_at, PMUV3_COMPARED_ERROR, reg->port, 0);
  if (pins->error == failed) return;
  check->diverged = true;
  check->divergence = (struct pmuv3_check_divergence){
      .clock = clock,
      .what = PMUV3_COMPARED_ERROR,
      .thread = reg->thread,
      .counter = -1,
      .reg = (size_t)(reg - check->device->registers),
      .mask = 1,
      .expected = failed,
      .seen = pins->error,
  };
}

void pmuv3_model_step(struct pmuv3_check *check, uint64_t t) {
  struct acting acting;
  acting.count = 0;
  add_writes(check, t, PMUV3_LATENCY_SWINC, &acting);
  add_writes(check, t, PMUV3_LATENCY_WRITE, &acting);
  write_before(check, &acting);
  const bool cycle = pmuv3_model_is_cycle(check, t);
  uint64_t wide[PMUV3_MAX_THREADS] = {0};
  for (unsigned thread = 0; thread < check->device->params.threads; thread++)
    wide[thread] = pmuv3_model_wide(&check->pmu, thread);
  if (cycle)
    tick(check, t, &acting);
  else
    pause(check, t, &acting);
  note_wraps(check, cycle, wide);
  forget_set(check, &acting);
  if (cycle && check->device->has_clock_enable) hold(check, t);
  if (!check->is_exact)
    for (unsigned thread = 0; thread < check->device->params.threads; thread++)
      (cycle ? pmuv3_quiet_cycle : pmuv3_quiet_pause)(check, thread, t);
  for (unsigned w = 0; w < acting.count; w++)
    compare_error(check, acting.writes[w], t, acting.failed[w]);
}
