#include "testbench/explore/command/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/scoreboard/lockstep.h"
#include "testbench/cosim/stimulus/prng.h"
#include "testbench/explore/command/sampling.h"
#include "tlm_wrapper/side_rtl.h"

enum { ERROR_SIZE = 1024, MOST_CYCLES = 3000 };

/* What counters can hold, and what they counted: event counters, the cycle counter, the instruction
 * counter, by their bit in PMCNTEN. */
typedef uint64_t values[EXPLORE_BITS];

/* Some cycles of a block, in which a PMU of the configuration counts from its beginning on. Its
 * counters may start close to their overflow, as they are in a long run. */
struct window {
  const struct explore_config *config;
  const struct explore_config_pmu *pmu;
  unsigned number; /* the PMU's */
  const struct pmt_header *header;
  struct pmt_block *block;
  uint32_t from, to;
  values starts;    /* the counters' first values */
  uint64_t sampled; /* the sampled counters, by their bits */
};

/* What was compared. */
struct compared {
  uint64_t cycles, samples, comparisons;
};

static uint16_t register_of(unsigned bit) {
  if (bit == EXPLORE_CYCLES) return PMUV3_PMCCNTR;
  return bit == EXPLORE_INSTRUCTIONS ? PMUV3_PMICNTR : PMUV3_PMEVCNTRn(bit);
}

static bool has_counter(const struct pmuv3_params *params, unsigned bit) {
  if (bit == EXPLORE_INSTRUCTIONS) return pmuv3_has(params, PMUV3_FEATURE_ICNTR);
  return bit == EXPLORE_CYCLES || bit < params->counters;
}

/* ---- What happens in a window ---- */

/* The states of threads before the window. */
static void first_states(const struct window *window, struct pmuv3_pe states[PMUV3_MAX_THREADS]) {
  for (uint32_t c = 0; c < window->block->num_changes; c++)
    if (window->block->changes[c].cycle <= window->from)
      states[window->block->changes[c].thread] = window->block->changes[c].pe;
}

/* A column of w bits may have more than `most`, of which the engine counts all. */
static void check_most(const struct window *window, uint32_t cycle, const struct pmuv3_event *event,
                       const struct pmuv3_occurrence *occurrence) {
  if (!event || event->event_class == PMUV3_EVENT_CLASS_SELF || occurrence->count <= event->most)
    return;
  pmuv3_cli_unusable("the trace has event 0x%04X %u times in cycle %" PRIu64
                     ", but with these parameters it occurs %u times a cycle at most",
                     event->number, occurrence->count, window->block->first + cycle, event->most);
}

/* The RTL has no input for an event that is not implemented, or that the PMU makes itself. */
static unsigned occurrences_of(const struct window *window, uint32_t cycle,
                               struct pmuv3_occurrence *occurrences) {
  unsigned kept = 0;
  const unsigned num = explore_occurrences(window->header, window->block, cycle, occurrences);
  for (unsigned o = 0; o < num; o++) {
    const struct pmuv3_event *event =
        pmuv3_events_find(&window->config->params.events, occurrences[o].event);
    check_most(window, cycle, event, &occurrences[o]);
    if (!pmuv3_occurrence_wrong(&window->config->params, event, &occurrences[o]))
      occurrences[kept++] = occurrences[o];
  }
  return kept;
}

static const struct explore_counter *sampled_counter(const struct window *window, unsigned bit) {
  return explore_sampled(window->config, window->number, bit);
}

/* ---- On the engine ---- */

struct sampling {
  const struct window *window;
  bool failed; /* out of memory */
};

static void watch(void *context, struct explore_pmu *pmu, unsigned thread, uint64_t flags,
                  uint64_t cycle) {
  struct sampling *sampling = context;
  const struct window *window = sampling->window;
  (void)thread;
  for (; flags != 0; flags &= flags - 1)
    if (!explore_handle_sample(
            window->config, sampled_counter(window, (unsigned)__builtin_ctzll(flags)), pmu, cycle))
      sampling->failed = true;
}

static bool count_window(const struct window *window, const struct explore_kernels *kernels,
                         struct pmuv3 *pmu_after, values counted) {
  const struct explore_config_pmu *given = window->pmu;
  struct pmuv3 pmu = given->pmu;
  struct pmuv3_pe states[PMUV3_MAX_THREADS];
  first_states(window, states);
  for (unsigned t = 0; t < pmu.params.threads; t++) pmuv3_set_pe(&pmu, t, &states[t]);
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++)
    if (has_counter(&pmu.params, bit))
      pmuv3_write(&pmu, given->thread, register_of(bit), window->starts[bit]);
  struct explore_engine *engine = explore_engine_new(window->header, kernels);
  struct explore_pmu *added = engine ? explore_engine_add(engine, &pmu) : NULL;
  struct sampling sampling = {.window = window};
  bool done = added != NULL;
  if (done) added->watched[given->thread] = window->sampled;
  if (done) explore_engine_watch(engine, watch, &sampling);
  for (size_t a = 0; done && a < given->num_actions; a++)
    if (given->actions[a].cycle >= window->block->first + window->from)
      done = explore_pmu_act(added, &given->actions[a]);
  done = done && explore_engine_run(engine, window->block, window->from, window->to) &&
         !sampling.failed;
  if (done) *pmu_after = added->pmu;
  if (done) memcpy(counted, added->counts.counted[given->thread], sizeof(values));
  explore_engine_free(engine);
  return done;
}

/* ---- On the C model and the RTL ---- */

static void set_up(const struct window *window, struct pmuv3_side *side) {
  const struct explore_config_pmu *pmu = window->pmu;
  struct pmuv3_pe states[PMUV3_MAX_THREADS];
  first_states(window, states);
  for (size_t w = 0; w < pmu->num_setup; w++)
    pmuv3_side_write(side, pmu->thread, pmu->setup[w].reg, pmu->setup[w].value);
  for (unsigned t = 0; t < side->params.threads; t++) pmuv3_side_set_pe(side, t, &states[t]);
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++)
    if (has_counter(&side->params, bit))
      pmuv3_side_write(side, pmu->thread, register_of(bit), window->starts[bit]);
}

/* What the counters hold: of the C model, which the lockstep compares with the RTL. */
static void read_values(const struct window *window, struct pmuv3_side *side, values held) {
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++) {
    held[bit] = 0;
    if (has_counter(&side->params, bit))
      pmuv3_side_read(side, window->pmu->thread, register_of(bit), &held[bit]);
  }
}

/* What the counters added in a cycle. A write between two cycles is no count. */
static void count_cycle(const struct window *window, const values before, const values after,
                        values counted) {
  const uint64_t width = window->pmu->pmu.identity.width;
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++)
    counted[bit] += (after[bit] - before[bit]) & (bit < EXPLORE_CYCLES ? width : UINT64_MAX);
}

/* The handlers of samples: each clears its flag and starts the next period. */
static void handle_samples(const struct window *window, struct pmuv3_side *side, uint32_t sampled) {
  for (; sampled != 0; sampled &= sampled - 1) {
    const unsigned bit = (unsigned)__builtin_ctz(sampled);
    pmuv3_side_write(side, window->pmu->thread, PMUV3_PMOVSCLR, UINT64_C(1) << bit);
    pmuv3_side_write(side, window->pmu->thread, PMUV3_PMEVCNTRn(bit),
                     explore_period_start(window->config, sampled_counter(window, bit)));
  }
}

/* Notes when the handlers of the cycle's overflows come. Returns the number of these overflows. */
static unsigned note_samples(const struct window *window, struct pmuv3_side *side, uint32_t cycle,
                             uint32_t handlers[MOST_CYCLES]) {
  const uint64_t overflows = pmuv3_side_outputs(side, window->pmu->thread).pulses & window->sampled;
  for (uint64_t left = overflows; left != 0; left &= left - 1) {
    const unsigned bit = (unsigned)__builtin_ctzll(left);
    const uint64_t handled = cycle + 1 + sampled_counter(window, bit)->skid;
    if (handled < MOST_CYCLES) handlers[handled] |= UINT32_C(1) << bit;
  }
  return (unsigned)__builtin_popcountll(overflows);
}

/* Returns the number of samples. */
static uint64_t run_window(const struct window *window, struct pmuv3_side *side,
                           struct pmuv3_occurrence *occurrences, values counted) {
  uint32_t handlers[MOST_CYCLES] = {0}; /* by cycle: the counters whose handlers come before it */
  uint64_t samples = 0;
  const struct pmt_block *block = window->block;
  values before, after;
  uint32_t c = 0;
  size_t a = 0;
  memset(counted, 0, sizeof(values));
  set_up(window, side);
  for (uint32_t at = window->from; at < window->to; at++) {
    for (; c < block->num_changes && block->changes[c].cycle <= at; c++)
      if (block->changes[c].cycle > window->from)
        pmuv3_side_set_pe(side, block->changes[c].thread, &block->changes[c].pe);
    for (; a < window->pmu->num_actions && window->pmu->actions[a].cycle <= block->first + at; a++)
      if (window->pmu->actions[a].cycle == block->first + at)
        pmuv3_side_write(side, window->pmu->thread, window->pmu->actions[a].write.reg,
                         window->pmu->actions[a].write.value);
    handle_samples(window, side, handlers[at - window->from]);
    struct pmuv3_cycle cycle = {.occurrences = occurrences};
    cycle.num_occurrences = (uint16_t)occurrences_of(window, at, occurrences);
    read_values(window, side, before);
    pmuv3_side_cycle(side, &cycle);
    read_values(window, side, after);
    count_cycle(window, before, after, counted);
    samples += note_samples(window, side, at - window->from, handlers);
  }
  return samples;
}

/* ---- Comparison ---- */

_Noreturn static void differ(const struct window *window, const char *what, uint64_t engine,
                             uint64_t model) {
  printf("PMU %s, cycles %" PRIu64 " to %" PRIu64 ": %s is 0x%" PRIx64 " on the engine, 0x%" PRIx64
         " on the C model\n",
         window->pmu->name, window->block->first + window->from,
         window->block->first + window->to - 1, what, engine, model);
  exit(1);
}

static void compare_register(const struct window *window, const struct pmuv3 *counted,
                             struct pmuv3_side *side, unsigned thread, uint16_t reg) {
  uint64_t engine, model;
  char name[24];
  if (pmuv3_read(counted, thread, reg, &engine) != PMUV3_ACCESS_OK) return;
  pmuv3_side_read(side, thread, reg, &model);
  if (engine != model) differ(window, pmuv3_register_name(reg, name), engine, model);
}

static void compare_counts(const struct window *window, const values engine, const values model) {
  char name[24], what[64];
  for (unsigned bit = 0; bit < EXPLORE_BITS; bit++) {
    snprintf(what, sizeof what, "what %s counted", pmuv3_register_name(register_of(bit), name));
    if (engine[bit] != model[bit]) differ(window, what, engine[bit], model[bit]);
  }
}

static void compare(const struct window *window, const struct pmuv3 *counted,
                    struct pmuv3_side *side) {
  for (unsigned t = 0; t < counted->params.threads; t++) {
    for (unsigned n = 0; n < counted->params.counters; n++)
      compare_register(window, counted, side, t, PMUV3_PMEVCNTRn(n));
    compare_register(window, counted, side, t, PMUV3_PMCCNTR);
    compare_register(window, counted, side, t, PMUV3_PMICNTR);
    compare_register(window, counted, side, t, PMUV3_PMOVSSET);
  }
}

static void check_window(const struct window *window, const struct explore_options *options,
                         struct compared *compared) {
  const struct pmuv3_params *params = &window->config->params;
  struct pmuv3 pmu;
  values engine, model;
  struct pmuv3_occurrence *occurrences =
      calloc(window->header->num_columns + 1u, sizeof *occurrences);
  struct pmuv3_side *side =
      pmuv3_side_lockstep(pmuv3_side_cmodel(params), pmuv3_side_rtl(params, 1));
  if (!occurrences || !side || !count_window(window, options->kernels, &pmu, engine))
    pmuv3_cli_no_verdict("out of memory");
  compared->samples += run_window(window, side, occurrences, model);
  const char *wrong = pmuv3_lockstep_wrong(side);
  if (wrong) pmuv3_cli_no_verdict("--check: %s", wrong);
  if (pmuv3_lockstep_divergence(side)) {
    printf("PMU %s: the C model and the RTL diverge in cycles %" PRIu64 " to %" PRIu64 "\n",
           window->pmu->name, window->block->first + window->from,
           window->block->first + window->to - 1);
    exit(1);
  }
  compare_counts(window, engine, model);
  compare(window, &pmu, side);
  compared->cycles += window->to - window->from;
  compared->comparisons += pmuv3_lockstep_comparisons(side);
  pmuv3_side_destroy(side);
  free(occurrences);
}

/* ---- Windows ---- */

/* In every other window the counters overflow soon. In the others a sampled one starts a period. */
static void draw_starts(struct window *window, struct pmuv3_prng *prng) {
  const struct pmuv3_thread *thread = &window->pmu->pmu.thread[window->pmu->thread];
  const bool soon = pmuv3_prng_chance(prng, 128);
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    const uint64_t top = thread->config.top[pmuv3_lane(n)];
    window->starts[n] = soon ? 2 * top - 1 - pmuv3_prng_below(prng, MOST_CYCLES)
                             : thread->state.value[pmuv3_lane(n)];
    if (!soon && (window->sampled >> n & 1))
      window->starts[n] = explore_period_start(window->config, sampled_counter(window, n));
  }
  /* Whether they have 32 or 64 bits. */
  window->starts[EXPLORE_CYCLES] =
      soon ? UINT64_MAX - pmuv3_prng_below(prng, MOST_CYCLES) : thread->state.cycles;
  window->starts[EXPLORE_INSTRUCTIONS] =
      soon ? UINT64_MAX - pmuv3_prng_below(prng, MOST_CYCLES) : thread->state.instructions;
}

static void draw_window(struct window *window, const struct pmt_reader *reader,
                        struct pmuv3_prng *prng) {
  char error[ERROR_SIZE];
  const uint64_t blocks = pmt_reader_blocks(reader);
  window->number = pmuv3_prng_below(prng, window->config->num_pmus);
  window->pmu = &window->config->pmus[window->number];
  window->sampled = explore_all_sampled(window->config, window->number);
  if (!pmt_reader_read(reader, pmuv3_prng_next(prng) % blocks, NULL, window->block, error,
                       sizeof error))
    pmuv3_cli_failed(error);
  window->from = pmuv3_prng_below(prng, window->block->cycles);
  const uint32_t left = window->block->cycles - window->from;
  const uint32_t length = 1 + pmuv3_prng_below(prng, MOST_CYCLES);
  window->to = window->from + (length < left ? length : left);
  draw_starts(window, prng);
}

void explore_check(const struct explore_options *options, const struct pmt_reader *reader,
                   const struct explore_config *config) {
  struct window window = {
      .config = config, .header = pmt_reader_header(reader), .block = pmt_block_new(reader)};
  struct pmuv3_prng prng;
  struct compared compared = {0};
  if (!window.block) pmuv3_cli_no_verdict("out of memory");
  pmuv3_prng_seed(&prng, options->seed);
  for (unsigned w = 0; w < options->check; w++) {
    draw_window(&window, reader, &prng);
    check_window(&window, options, &compared);
  }
  printf("checked: %u windows, %" PRIu64 " cycles, %" PRIu64
         " samples; engine, C model and RTL are equal (%" PRIu64 " values compared)\n",
         options->check, compared.cycles, compared.samples, compared.comparisons);
  pmt_block_free(window.block);
}
