#include "testbench/cosim/failure_report/observe.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/play.h"
#include "tlm_wrapper/side_rtl.h"

void pmuv3_make_cmodel_rtl(struct pmuv3_side *sides[PMUV3_NUM_SIDES],
                           const struct pmuv3_params *params, uint32_t x_seed) {
  sides[PMUV3_CMODEL] = pmuv3_side_cmodel(params);
  sides[PMUV3_RTL] = pmuv3_side_rtl(params, x_seed);
}

bool pmuv3_step_is_cycle(const struct pmuv3_step *step) {
  return step->item &&
         (step->item->kind == PMUV3_ITEM_CYCLE || step->item->kind == PMUV3_ITEM_IDLE);
}

/* ---- Playing, a step at a time ---- */

struct player {
  const struct pmuv3_stimulus *stimulus;
  struct pmuv3_side *sides[PMUV3_NUM_SIDES];
  struct pmuv3_side *lockstep; /* of both, which it owns */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  size_t next;        /* item */
  uint64_t idle_done; /* cycles of it, if it is an idle one */
};

static bool open_player(struct player *player, const struct pmuv3_stimulus *stimulus,
                        pmuv3_make_sides *make, uint32_t x_seed) {
  *player = (struct player){.stimulus = stimulus};
  for (int t = 0; t < PMUV3_MAX_THREADS; t++) player->pe[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  make(player->sides, &stimulus->params, x_seed);
  player->lockstep = pmuv3_side_lockstep(player->sides[PMUV3_CMODEL], player->sides[PMUV3_RTL]);
  return player->lockstep != NULL;
}

static void close_player(struct player *player) {
  pmuv3_side_destroy(player->lockstep);
}

/* The item that is next, past idle ones that are done; NULL: none. */
static const struct pmuv3_item *next_item(struct player *player) {
  while (player->next < player->stimulus->num_items) {
    const struct pmuv3_item *item = &player->stimulus->items[player->next];
    if (item->kind != PMUV3_ITEM_IDLE || player->idle_done < item->idle) return item;
    player->next++;
    player->idle_done = 0;
  }
  return NULL;
}

static void play_step(struct player *player, const struct pmuv3_item *item) {
  if (item->kind == PMUV3_ITEM_IDLE) {
    pmuv3_side_cycle(player->lockstep, &(struct pmuv3_cycle){0});
    player->idle_done++;
    return;
  }
  if (item->kind == PMUV3_ITEM_PE) player->pe[item->thread] = item->pe;
  pmuv3_play_item(player->lockstep, item);
  player->next++;
}

/* ---- Observing ---- */

/* Keeps what is seen now, after an item. */
static bool keep_step(struct pmuv3_observation *observation, const struct player *player,
                      struct pmuv3_step step) {
  const size_t size = (observation->num_steps + 1) * sizeof *observation->steps;
  struct pmuv3_step *steps = realloc(observation->steps, size);
  if (!steps) return false;
  observation->steps = steps;
  memcpy(step.pe, player->pe, sizeof step.pe);
  for (unsigned t = 0; t < player->stimulus->params.threads; t++)
    for (int s = 0; s < PMUV3_NUM_SIDES; s++)
      pmuv3_side_probe(player->sides[s], t, &step.probe[s][t]);
  steps[observation->num_steps++] = step;
  return true;
}

static bool observe_from(struct pmuv3_observation *observation, struct player *player,
                         uint64_t first_cycle) {
  const struct pmuv3_item *item;
  bool good = first_cycle > 0 || keep_step(observation, player, (struct pmuv3_step){0});
  while (good && !pmuv3_lockstep_divergence(player->lockstep) && (item = next_item(player))) {
    const struct pmuv3_step step = {.item = item,
                                    .before = player->next,
                                    .idle_before = player->idle_done,
                                    .cycle = pmuv3_lockstep_cycles(player->lockstep)};
    play_step(player, item);
    if (step.cycle >= first_cycle) good = keep_step(observation, player, step);
  }
  return good;
}

/* One pass finds where they differ, and another keeps the window before that. */
enum pmuv3_observe_end pmuv3_observe(struct pmuv3_observation *observation,
                                     const struct pmuv3_stimulus *stimulus, pmuv3_make_sides *make,
                                     uint32_t x_seed) {
  struct player player;
  *observation = (struct pmuv3_observation){.stimulus = stimulus, .make = make, .x_seed = x_seed};
  if (!open_player(&player, stimulus, make, x_seed)) return PMUV3_OUT_OF_MEMORY;
  const struct pmuv3_item *item;
  while (!pmuv3_lockstep_divergence(player.lockstep) && (item = next_item(&player)))
    play_step(&player, item);
  const struct pmuv3_divergence *divergence = pmuv3_lockstep_divergence(player.lockstep);
  if (divergence) observation->divergence = *divergence;
  close_player(&player);
  if (!divergence) return PMUV3_SAME;

  const uint64_t cycle = observation->divergence.cycle;
  if (!open_player(&player, stimulus, make, x_seed)) return PMUV3_OUT_OF_MEMORY;
  const bool good =
      observe_from(observation, &player, cycle < PMUV3_WINDOW ? 0 : cycle - PMUV3_WINDOW + 1);
  close_player(&player);
  if (good) return PMUV3_OBSERVED;
  pmuv3_observation_free(observation);
  return PMUV3_OUT_OF_MEMORY;
}

void pmuv3_observation_free(struct pmuv3_observation *observation) {
  free(observation->steps);
  observation->steps = NULL;
}

/* ---- Something else instead of a step ---- */

/* Also before the lockstep compares, which it does after a cycle. */
static void see(struct pmuv3_seen *seen, const struct player *player) {
  struct pmuv3_divergence difference;
  seen->differ = pmuv3_lockstep_divergence(player->lockstep) != NULL;
  for (unsigned t = 0; t < player->stimulus->params.threads; t++) {
    for (int s = 0; s < PMUV3_NUM_SIDES; s++)
      pmuv3_side_probe(player->sides[s], t, &seen->probe[s][t]);
    if (pmuv3_divergence_find(&difference, &seen->probe[PMUV3_CMODEL][t],
                              &seen->probe[PMUV3_RTL][t]))
      seen->differ = true;
  }
}

bool pmuv3_replay_with(struct pmuv3_seen *seen, const struct pmuv3_observation *observation,
                       const struct pmuv3_step *step, const struct pmuv3_item *items,
                       size_t num_items) {
  struct player player;
  if (!open_player(&player, observation->stimulus, observation->make, observation->x_seed))
    return false;
  const struct pmuv3_item *item;
  while ((item = next_item(&player)) &&
         (player.next < step->before || player.idle_done < step->idle_before))
    play_step(&player, item);
  for (size_t i = 0; i < num_items; i++) pmuv3_play_item(player.lockstep, &items[i]);
  see(seen, &player);
  close_player(&player);
  return true;
}
