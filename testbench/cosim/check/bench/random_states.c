/* Random stimulus: the states that threads are in. */
#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/random_internal.h"

/* If it is a state at all. */
static void enter(struct random *random, unsigned thread, const struct pmuv3_pe *pe) {
  if (pmuv3_pe_wrong(&random->profile->device->params, pe)) return;
  random->pe[thread] = *pe;
  struct item *item = random_queue(random, ITEM_STATE);
  item->thread = (uint8_t)thread;
  item->pe = *pe;
}

static void move(struct random *random) {
  const struct profile *profile = random->profile;
  if (profile->num_states == 0) return;
  const unsigned thread = below(random, profile->device->params.threads);
  struct pmuv3_pe pe = random->pe[thread];
  for (unsigned s = 0; s < profile->num_states; s++) {
    const struct state_pin *state = &profile->states[s];
    if (state->thread != thread || !chance(random, 128)) continue;
    const uint8_t value = state->values[below(random, state->num_values)];
    pmuv3_state_set(&pe, (enum pmuv3_state_key)state->key, value);
  }
  enter(random, thread, &pe);
}

void random_rise(struct random *random) {
  if (random->profile->num_states == 0) return;
  for (unsigned t = 0; t < random->profile->device->params.threads; t++)
    enter(random, t, &random->profile->highest[t]);
}

/* Threads may move in the same clock. */
void random_move(struct random *random) {
  move(random);
  if (random->profile->device->params.threads > 1 && chance(random, 128)) move(random);
}

void random_move_other(struct random *random) {
  const struct profile *profile = random->profile;
  const unsigned thread = below(random, profile->device->params.threads);
  const struct state_pin *pins = profile->others[thread];
  if (pins[0].num_values + pins[1].num_values == 0) return;
  uint8_t values[2] = {0};
  for (unsigned key = 0; key < 2; key++)
    if (pins[key].num_values) values[key] = pins[key].values[below(random, pins[key].num_values)];
  if (pmuv3_context_wrong(&profile->device->params, values[0], values[1])) return;
  struct item *item = random_queue(random, ITEM_OTHER);
  item->thread = (uint8_t)thread;
  item->other = (struct pmuv3_context){.el = values[0], .ss = values[1]};
}
