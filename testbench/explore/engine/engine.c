/* The engine: counts ranges of cycles by a plan that all PMUs share, single PMUs alone where
 * something happens to them, and ticks the cycles that planes cannot decide. */
#include "testbench/explore/engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct explore_engine {
  const struct pmt_header *header;
  const struct explore_kernels *kernels;
  struct explore_pmu **pmus;
  unsigned num_pmus;
  struct explore_plan *shared;
  unsigned *members;    /* each PMU's number in the shared plan */
  bool *alone;          /* by number in the shared plan: counted alone in this range */
  bool *was_alone;      /* by PMU: counted alone in the last range */
  bool shared_is_stale; /* a PMU has changed, or there is none yet */
  unsigned waited;      /* ranges since the shared plan became stale */
  struct pmuv3_occurrence *occurrences;
  explore_watcher *watcher;
  void *context;
  bool failed;
};

const char *explore_reason_text(enum explore_reason reason) {
  static const char *const texts[EXPLORE_NUM_REASONS] = {
      [EXPLORE_TICKED_WRITE] = "a register write in the clock of the cycle",
      [EXPLORE_TICKED_WAITING] = "software increments waited",
      [EXPLORE_TICKED_OVERFLOW] = "an overflow froze counters, was counted by CHAIN or sampled",
      [EXPLORE_TICKED_COMBINED] = "a counter combines the values of threads",
  };
  return texts[reason];
}

/* ---- PMUs ---- */

struct explore_engine *explore_engine_new(const struct pmt_header *header,
                                          const struct explore_kernels *kernels) {
  struct explore_engine *engine = calloc(1, sizeof *engine);
  if (!engine) return NULL;
  engine->header = header;
  engine->kernels = kernels;
  engine->shared = explore_plan_new(header, kernels);
  engine->occurrences = calloc(header->num_columns + 1u, sizeof *engine->occurrences);
  engine->shared_is_stale = true;
  if (engine->shared && engine->occurrences) return engine;
  explore_engine_free(engine);
  return NULL;
}

void explore_engine_free(struct explore_engine *engine) {
  if (!engine) return;
  for (unsigned p = 0; p < engine->num_pmus; p++) {
    explore_plan_free(engine->pmus[p]->plan);
    free(engine->pmus[p]->actions);
    free(engine->pmus[p]);
  }
  explore_plan_free(engine->shared);
  free(engine->pmus);
  free(engine->members);
  free(engine->alone);
  free(engine->was_alone);
  free(engine->occurrences);
  free(engine);
}

/* There is room for a power of two. */
static bool grow(struct explore_engine *engine) {
  if ((engine->num_pmus & (engine->num_pmus - 1)) != 0) return true;
  const unsigned num = engine->num_pmus ? 2 * engine->num_pmus : 1;
  struct explore_pmu **pmus = realloc(engine->pmus, num * sizeof *pmus);
  if (pmus) engine->pmus = pmus;
  unsigned *members = realloc(engine->members, num * sizeof *members);
  if (members) engine->members = members;
  bool *alone = realloc(engine->alone, num * sizeof *alone);
  if (alone) engine->alone = alone;
  bool *was_alone = realloc(engine->was_alone, num * sizeof *was_alone);
  if (was_alone) engine->was_alone = was_alone;
  return pmus && members && alone && was_alone;
}

/* The freezes follow from flags, which an overflow sets. Returns whether one changed. Each cause
 * counts by itself: the cycle counter does not obey both alike. */
static bool note_freezes(struct explore_pmu *pmu) {
  uint32_t freezes = 0;
  for (unsigned t = 0; t < pmu->pmu.params.threads; t++) {
    for (unsigned range = 0; range < 2; range++) {
      const struct pmuv3_freeze freeze =
          pmuv3_filter_freeze(&pmu->pmu.thread[t], &pmu->pmu.pe[t], (enum pmuv3_range)range);
      freezes = freezes << 2 | (uint32_t)freeze.by_overflow << 1 | (uint32_t)freeze.by_spe;
    }
  }
  const bool changed = freezes != pmu->freezes;
  pmu->freezes = freezes;
  return changed;
}

struct explore_pmu *explore_engine_add(struct explore_engine *engine, const struct pmuv3 *pmu) {
  struct explore_pmu *added = calloc(1, sizeof *added);
  if (!added || !grow(engine)) {
    free(added);
    return NULL;
  }
  added->pmu = *pmu;
  added->changes = 1;
  note_freezes(added);
  engine->was_alone[engine->num_pmus] = true;
  engine->pmus[engine->num_pmus++] = added;
  engine->shared_is_stale = true;
  return added;
}

void explore_engine_watch(struct explore_engine *engine, explore_watcher *watcher, void *context) {
  engine->watcher = watcher;
  engine->context = context;
}

/* ---- Actions ---- */

/* Samples add actions as long as the trace is, so those that are done make room. */
static void forget_done(struct explore_pmu *pmu) {
  if (pmu->next_action <= pmu->num_actions / 2) return;
  pmu->num_actions -= pmu->next_action;
  memmove(pmu->actions, pmu->actions + pmu->next_action, pmu->num_actions * sizeof *pmu->actions);
  pmu->next_action = 0;
}

bool explore_pmu_act(struct explore_pmu *pmu, const struct explore_action *action) {
  if (pmu->num_actions == pmu->actions_room) forget_done(pmu);
  if (pmu->num_actions == pmu->actions_room) {
    const size_t room = pmu->actions_room == 0 ? 16 : pmu->actions_room * 2;
    struct explore_action *actions = realloc(pmu->actions, room * sizeof *actions);
    if (!actions) return false;
    pmu->actions = actions;
    pmu->actions_room = room;
  }
  size_t place = pmu->num_actions++;
  for (; place > pmu->next_action && pmu->actions[place - 1].cycle > action->cycle; place--)
    pmu->actions[place] = pmu->actions[place - 1];
  pmu->actions[place] = *action;
  return true;
}

/* Everything that a plan is made of. */
struct configuration {
  struct pmuv3_config config;
  struct pmuv3_decoded decoded;
  struct pmuv3_cycle_config cycle_config;
  struct pmuv3_instruction_config instruction_config;
};

static struct configuration configuration_of(const struct pmuv3_thread *thread) {
  struct configuration configuration;
  memset(&configuration, 0, sizeof configuration);
  memcpy(&configuration.config, &thread->config, sizeof thread->config);
  memcpy(&configuration.decoded, &thread->decoded, sizeof thread->decoded);
  memcpy(&configuration.cycle_config, &thread->cycle_config, sizeof thread->cycle_config);
  memcpy(&configuration.instruction_config, &thread->instruction_config,
         sizeof thread->instruction_config);
  return configuration;
}

/* Notes whether the configuration of a PMU is another than `before`. */
static void note_changes(struct explore_pmu *pmu,
                         const struct configuration before[PMUV3_MAX_THREADS]) {
  bool changed = note_freezes(pmu);
  for (unsigned t = 0; t < pmu->pmu.params.threads; t++) {
    const struct configuration now = configuration_of(&pmu->pmu.thread[t]);
    changed |= memcmp(&now, &before[t], sizeof now) != 0;
  }
  if (changed) pmu->changes++;
}

static void configurations_of(const struct explore_pmu *pmu,
                              struct configuration configurations[PMUV3_MAX_THREADS]) {
  for (unsigned t = 0; t < pmu->pmu.params.threads; t++)
    configurations[t] = configuration_of(&pmu->pmu.thread[t]);
}

static void act(struct pmuv3 *pmu, const struct explore_action *action) {
  switch (action->kind) {
    case EXPLORE_WRITE:
      pmuv3_write(pmu, action->thread, action->write.reg, action->write.value);
      return;
    case EXPLORE_MSR:
      pmuv3_msr(pmu, action->thread, action->write.reg, action->write.value);
      return;
    case EXPLORE_EXTERNAL:
      pmuv3_external_write(pmu, action->external.thread,
                           (enum pmuv3_security_state)action->external.ss, action->external.offset,
                           action->external.value);
      return;
    case EXPLORE_RESET:
      pmuv3_reset(pmu);
      return;
    case EXPLORE_CLOCKED:
      return; /* in the tick of its cycle */
  }
}

/* The next action if it is of this cycle, else NULL. */
static const struct explore_action *action_of(const struct explore_pmu *pmu, uint64_t cycle) {
  if (pmu->next_action == pmu->num_actions) return NULL;
  const struct explore_action *action = &pmu->actions[pmu->next_action];
  return action->cycle == cycle ? action : NULL;
}

void explore_pmu_settle(struct explore_pmu *pmu, uint64_t cycle) {
  const struct explore_action *action = action_of(pmu, cycle);
  if (!action || action->kind == EXPLORE_CLOCKED) return;
  struct configuration before[PMUV3_MAX_THREADS];
  configurations_of(pmu, before);
  while ((action = action_of(pmu, cycle)) && action->kind != EXPLORE_CLOCKED) {
    act(&pmu->pmu, action);
    pmu->next_action++;
  }
  note_changes(pmu, before);
}

/* The cycle of the next action. */
static uint64_t next_cycle(const struct explore_pmu *pmu) {
  return pmu->next_action == pmu->num_actions ? UINT64_MAX : pmu->actions[pmu->next_action].cycle;
}

static bool waits(const struct explore_pmu *pmu) {
  for (unsigned t = 0; t < pmu->pmu.params.threads; t++)
    if (pmu->pmu.thread[t].state.waiting) return true;
  return false;
}

/* ---- Cycles on the C model ---- */

unsigned explore_occurrences(const struct pmt_header *header, const struct pmt_block *block,
                             uint32_t cycle, struct pmuv3_occurrence *occurrences) {
  unsigned num = 0;
  for (unsigned c = 0; c < header->num_columns; c++) {
    const unsigned count = block->planes[c] ? pmt_block_count(block, c, cycle) : 0;
    if (count == 0) continue;
    const struct pmt_column *column = &header->columns[c];
    occurrences[num++] = (struct pmuv3_occurrence){.event = column->event,
                                                   .count = (uint8_t)count,
                                                   .thread = column->thread,
                                                   .origin = column->origin};
  }
  return num;
}

/* What the cycle counter and the instruction counter add in a cycle, and whether they overflow:
 * asked of the C model's own steps, since a write in the clock may hide it. */
static uint64_t count_fixed(const struct pmuv3 *pmu, unsigned t, const struct pmuv3_cycle *cycle,
                            uint64_t counted[EXPLORE_BITS]) {
  const struct pmuv3_thread *thread = &pmu->thread[t];
  const struct pmuv3_freeze freeze = pmuv3_filter_freeze(thread, &pmu->pe[t], PMUV3_R1);
  struct pmuv3_state state = thread->state;
  struct pmuv3_contexts contexts;
  uint64_t flags = 0;
  pmuv3_attribution_contexts(pmu, cycle, &contexts);
  if ((thread->decoded.running & PMUV3_BIT_C) != 0 &&
      pmuv3_cycle_counter(&thread->cycle_config, &pmu->pe[t], freeze, &state))
    flags |= PMUV3_BIT_C;
  if ((thread->decoded.running & PMUV3_BIT_F0) != 0 &&
      pmuv3_instruction_counter(pmu, t, cycle, &contexts, pmuv3_is_frozen(freeze), &state))
    flags |= PMUV3_BIT_F0;
  counted[EXPLORE_CYCLES] += state.cycles - thread->state.cycles;
  counted[EXPLORE_INSTRUCTIONS] += state.instructions - thread->state.instructions;
  return flags;
}

static uint64_t count_ticked(struct explore_pmu *pmu, unsigned t, uint64_t flags) {
  const struct pmuv3_values *values = &pmu->pmu.thread[t].values;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    pmu->counts.counted[t][n] += values->V[pmuv3_lane(n)];
    if (values->carry[pmuv3_lane(n)] != 0) flags |= UINT64_C(1) << n;
  }
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++)
    pmu->counts.overflows[t][bit] += flags >> bit & 1;
  return flags;
}

/* Counts a cycle on the C model. flags[t] gets what overflowed in thread t. */
static void tick_cycle(struct explore_pmu *pmu, const struct pmuv3_cycle *cycle,
                       uint64_t flags[PMUV3_MAX_THREADS]) {
  const unsigned threads = pmu->pmu.params.threads;
  for (unsigned t = 0; t < threads; t++)
    flags[t] = count_fixed(&pmu->pmu, t, cycle, pmu->counts.counted[t]);
  pmuv3_tick(&pmu->pmu, cycle);
  for (unsigned t = 0; t < threads; t++) flags[t] = count_ticked(pmu, t, flags[t]);
}

/* Likewise a cycle with writes in its clock, which may change anything. Without writes, only flags
 * change what counts. */
static void tick_writes(struct explore_pmu *pmu, struct pmuv3_cycle *cycle,
                        const struct explore_action *action, uint64_t flags[PMUV3_MAX_THREADS]) {
  const struct pmuv3_cycle occurrences = *cycle;
  struct configuration before[PMUV3_MAX_THREADS];
  *cycle = action->clocked;
  cycle->occurrences = occurrences.occurrences;
  cycle->num_occurrences = occurrences.num_occurrences;
  pmu->next_action++;
  configurations_of(pmu, before);
  tick_cycle(pmu, cycle, flags);
  note_changes(pmu, before);
}

static void tick(struct explore_engine *engine, struct explore_pmu *pmu,
                 const struct pmt_block *block, uint32_t at, enum explore_reason reason) {
  const uint64_t number = block->first + at;
  const struct explore_action *action = action_of(pmu, number);
  struct pmuv3_cycle cycle = {.occurrences = engine->occurrences};
  uint64_t flags[PMUV3_MAX_THREADS];
  cycle.num_occurrences =
      (uint16_t)explore_occurrences(engine->header, block, at, engine->occurrences);
  if (action) {
    tick_writes(pmu, &cycle, action, flags);
  } else {
    tick_cycle(pmu, &cycle, flags);
    if (note_freezes(pmu)) pmu->changes++;
  }
  pmu->ticked[reason]++;
  for (unsigned t = 0; engine->watcher && t < pmu->pmu.params.threads; t++)
    if ((flags[t] & pmu->watched[t]) != 0)
      engine->watcher(engine->context, pmu, t, flags[t] & pmu->watched[t], number);
}

/* ---- A PMU alone ---- */

static struct explore_member member_of(struct explore_pmu *pmu) {
  return (struct explore_member){.pmu = &pmu->pmu, .counts = &pmu->counts, .watched = pmu->watched};
}

/* Makes a PMU's own plan, unless it has one that still holds. */
static bool plan_alone(struct explore_engine *engine, struct explore_pmu *pmu) {
  if (!pmu->plan) pmu->plan = explore_plan_new(engine->header, engine->kernels);
  if (!pmu->plan) return false;
  if (pmu->plan_changes == pmu->changes && explore_plan_continue(pmu->plan)) return true;
  const struct explore_member member = member_of(pmu);
  explore_plan_clear(pmu->plan);
  explore_plan_add(pmu->plan, &member);
  pmu->plan_changes = pmu->changes;
  return explore_plan_end(pmu->plan);
}

/* Whether the cycle must be ticked, whatever occurs in it. */
static bool must_tick(const struct explore_pmu *pmu, uint64_t cycle, enum explore_reason *reason) {
  *reason = action_of(pmu, cycle) ? EXPLORE_TICKED_WRITE
            : waits(pmu)          ? EXPLORE_TICKED_WAITING
                                  : EXPLORE_TICKED_COMBINED;
  return *reason != EXPLORE_TICKED_COMBINED || !explore_plan_can_have(&pmu->pmu);
}

static uint32_t smaller(uint64_t a, uint32_t b) {
  return a < b ? (uint32_t)a : b;
}

/* Counts cycles in which nothing is done to the PMU, up to the first that must be ticked. Returns
 * the cycle behind the last that was counted. */
static uint32_t count_stretch(struct explore_engine *engine, struct explore_pmu *pmu,
                              const struct pmt_block *block, uint32_t from, uint32_t to) {
  if (!plan_alone(engine, pmu)) {
    engine->failed = true;
    return to;
  }
  explore_plan_evaluate(pmu->plan, block, from, to);
  const uint32_t first = explore_plan_first(pmu->plan, to);
  if (first == from) return from;
  if (first != to) explore_plan_evaluate(pmu->plan, block, from, first);
  explore_plan_commit(pmu->plan, NULL);
  return first;
}

/* A stretch is at most one chunk, so that a cycle in it is found without much ado. */
static uint32_t end_of_stretch(const struct explore_pmu *pmu, const struct pmt_block *block,
                               uint32_t from, uint32_t to) {
  const uint32_t chunk = (from / (64 * EXPLORE_CHUNK) + 1) * (64 * EXPLORE_CHUNK);
  return smaller(next_cycle(pmu) - block->first, smaller(chunk, to));
}

static void count_alone(struct explore_engine *engine, struct explore_pmu *pmu,
                        const struct pmt_block *block, uint32_t from, uint32_t to) {
  while (from < to && !engine->failed) {
    enum explore_reason reason;
    explore_pmu_settle(pmu, block->first + from);
    if (must_tick(pmu, block->first + from, &reason)) {
      tick(engine, pmu, block, from++, reason);
      continue;
    }
    const uint32_t end = end_of_stretch(pmu, block, from, to);
    from = count_stretch(engine, pmu, block, from, end);
    if (from < end) tick(engine, pmu, block, from++, EXPLORE_TICKED_OVERFLOW);
  }
}

/* ---- All PMUs ---- */

static const unsigned no_member = ~0u;

static void plan_shared(struct explore_engine *engine) {
  unsigned num = 0;
  explore_plan_clear(engine->shared);
  for (unsigned p = 0; p < engine->num_pmus; p++) {
    struct explore_pmu *pmu = engine->pmus[p];
    engine->members[p] = no_member;
    if (!explore_plan_can_have(&pmu->pmu)) continue;
    const struct explore_member member = member_of(pmu);
    explore_plan_add(engine->shared, &member);
    engine->members[p] = num++;
    pmu->shared_changes = pmu->changes;
  }
  engine->failed |= !explore_plan_end(engine->shared);
  engine->shared_is_stale = false;
  engine->waited = 0;
}

/* Whether a PMU can be counted by the shared plan, as far as is known before the range is
 * evaluated.
 */
static bool is_shared(struct explore_engine *engine, unsigned p, uint64_t to) {
  const struct explore_pmu *pmu = engine->pmus[p];
  if (engine->members[p] == no_member || next_cycle(pmu) < to || waits(pmu)) return false;
  if (pmu->shared_changes != pmu->changes) {
    engine->shared_is_stale = true;
    return false;
  }
  return !engine->was_alone[p] || explore_plan_continues(engine->shared, engine->members[p]);
}

/* Making the shared plan costs more than counting one PMU alone, so a stale plan is used for a few
 * ranges more. */
enum { STALE_RANGES = 8 };

static void count_range(struct explore_engine *engine, const struct pmt_block *block, uint32_t from,
                        uint32_t to) {
  if (engine->shared_is_stale && engine->waited++ % STALE_RANGES == 0) plan_shared(engine);
  if (engine->failed) return;
  for (unsigned p = 0; p < engine->num_pmus; p++) {
    const bool shared = is_shared(engine, p, block->first + to);
    if (engine->members[p] != no_member) engine->alone[engine->members[p]] = !shared;
  }
  explore_plan_evaluate(engine->shared, block, from, to);
  explore_plan_attend(engine->shared, engine->alone);
  explore_plan_commit(engine->shared, engine->alone);
  for (unsigned p = 0; p < engine->num_pmus; p++) {
    const unsigned member = engine->members[p];
    engine->was_alone[p] = member == no_member || engine->alone[member];
    if (engine->was_alone[p]) count_alone(engine, engine->pmus[p], block, from, to);
  }
}

/* Steps read the states, too, so a change of state always is a change of configuration. */
static void set_state(struct explore_engine *engine, const struct pmt_change *change) {
  for (unsigned p = 0; p < engine->num_pmus; p++) {
    struct explore_pmu *pmu = engine->pmus[p];
    if (change->thread >= pmu->pmu.params.threads ||
        pmuv3_pe_equal(&pmu->pmu.pe[change->thread], &change->pe))
      continue;
    pmuv3_set_pe(&pmu->pmu, change->thread, &change->pe);
    note_freezes(pmu);
    pmu->changes++;
    engine->shared_is_stale = true;
    engine->waited = 0;
  }
}

bool explore_engine_run(struct explore_engine *engine, const struct pmt_block *block, uint32_t from,
                        uint32_t to) {
  uint32_t c = 0;
  while (c < block->num_changes && block->changes[c].cycle < from) c++;
  while (from < to && !engine->failed) {
    for (; c < block->num_changes && block->changes[c].cycle == from; c++)
      set_state(engine, &block->changes[c]);
    uint32_t end = smaller((uint64_t)from + EXPLORE_MOST_CYCLES, to);
    if (c < block->num_changes) end = smaller(block->changes[c].cycle, end);
    count_range(engine, block, from, end);
    from = end;
  }
  return !engine->failed;
}

void explore_engine_size(const struct explore_engine *engine, unsigned *nodes, unsigned *sums) {
  explore_plan_size(engine->shared, nodes, sums);
}
