/* Shrinks a stimulus: fewer items, then plainer ones. A try is a new device. */
#define _GNU_SOURCE
#include "testbench/cosim/check/bench/shrink.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/bench/watchdog.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/shrink/ddmin.h"

/* What a try hands back. */
struct tried {
  bool diverges;
  size_t at;
};

struct shrinker {
  struct player *player;
  const struct pmuv3_device *device;
  struct stimulus *best;
  struct stimulus trial; /* as large as the best */
  struct tried *tried;   /* shared with the process of a try */
  double deadline;
  struct shrunk result;
};

bool stimulus_diverges(struct player *player, const struct stimulus *stimulus, size_t *at) {
  *at = 0;
  return player_start(player, stimulus->seed) && !player_play_all(player, stimulus, at);
}

static bool out_of_time(struct shrinker *shrinker) {
  if (pmuv3_now() < shrinker->deadline) return false;
  shrinker->result.in_time = false;
  return true;
}

static void say_nothing(const char *why) {
  (void)why;
}

_Noreturn static void play_trial(struct shrinker *shrinker, pid_t parent) {
  struct tried *tried = shrinker->tried;
  pmuv3_cli_end_with(parent);
  watchdog_tell(say_nothing);
  tried->diverges = stimulus_diverges(shrinker->player, &shrinker->trial, &tried->at);
  _exit(0);
}

/* Plays the trial in a process of its own, which the device may end. */
static bool diverges_apart(struct shrinker *shrinker) {
  const pid_t parent = getpid();
  int status;
  *shrinker->tried = (struct tried){.diverges = false};
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0) play_trial(shrinker, parent);
  if (process < 0 || waitpid(process, &status, 0) != process) return false;
  shrinker->result.ended += status != 0;
  return status == 0 && shrinker->tried->diverges;
}

/* Takes the trial if it diverges. What comes after the divergence is not needed. */
static bool attempt(struct shrinker *shrinker) {
  if (out_of_time(shrinker)) return false;
  shrinker->result.tries++;
  if (!diverges_apart(shrinker)) return false;
  const size_t count = shrinker->tried->at;
  memcpy(shrinker->best->items, shrinker->trial.items, count * sizeof *shrinker->trial.items);
  shrinker->best->count = count;
  return true;
}

/* The trial is the best without some items. */
static void leave_out(struct shrinker *shrinker, size_t first, size_t length) {
  const struct stimulus *best = shrinker->best;
  struct item *items = shrinker->trial.items;
  memcpy(items, best->items, first * sizeof *items);
  memcpy(items + first, best->items + first + length,
         (best->count - first - length) * sizeof *items);
  shrinker->trial.count = best->count - length;
}

static struct item *trial_item(struct shrinker *shrinker, size_t i) {
  leave_out(shrinker, 0, 0);
  return &shrinker->trial.items[i];
}

/* ---- Fewer items ---- */

static void take_tail(struct shrinker *shrinker) {
  for (size_t length = 16; length < shrinker->best->count; length *= 4) {
    leave_out(shrinker, 0, shrinker->best->count - length);
    if (attempt(shrinker)) return;
  }
}

static size_t row_count(void *row) {
  return ((struct shrinker *)row)->best->count;
}

static bool row_leave_out(void *row, size_t first, size_t length) {
  leave_out(row, first, length);
  return attempt(row);
}

static const struct pmuv3_row row_of_items = {row_count, row_leave_out};

/* ---- All of a kind at once ---- */

/* The trial is the best without the items that `is_out` names; the last item stays. */
static bool leave_out_all(struct shrinker *shrinker,
                          bool (*is_out)(const struct item *item, unsigned which), unsigned which) {
  const struct stimulus *best = shrinker->best;
  struct stimulus *trial = &shrinker->trial;
  trial->count = 0;
  for (size_t i = 0; i < best->count; i++)
    if (i + 1 == best->count || !is_out(&best->items[i], which))
      trial->items[trial->count++] = best->items[i];
  return trial->count < best->count && attempt(shrinker);
}

static bool is_kind(const struct item *item, unsigned kind) {
  return item->kind == kind;
}

static bool is_access_of(const struct item *item, unsigned reg) {
  return (item->kind == ITEM_WRITE || item->kind == ITEM_READ) && item->reg == reg;
}

/* No item has the event. */
static bool without_event(struct shrinker *shrinker, unsigned event) {
  bool any = false;
  leave_out(shrinker, 0, 0);
  for (size_t i = 0; i < shrinker->trial.count; i++) {
    struct item *item = &shrinker->trial.items[i];
    if ((item->kind != ITEM_CYCLE && item->kind != ITEM_STOP) || !item->count[event]) continue;
    item->count[event] = 0;
    any = true;
  }
  return any && attempt(shrinker);
}

static bool can_join(const struct item *a, const struct item *b) {
  if (a->kind != b->kind) return false;
  return a->kind == ITEM_IDLE ||
         (a->kind == ITEM_CYCLE && memcmp(a->count, b->count, sizeof a->count) == 0);
}

/* All equal neighbours become one. */
static bool join_all(struct shrinker *shrinker) {
  const struct stimulus *best = shrinker->best;
  struct stimulus *trial = &shrinker->trial;
  trial->count = 0;
  for (size_t i = 0; i < best->count; i++) {
    struct item *last = trial->count ? &trial->items[trial->count - 1] : NULL;
    if (last && can_join(last, &best->items[i]))
      last->clocks += best->items[i].clocks;
    else
      trial->items[trial->count++] = best->items[i];
  }
  return trial->count < best->count && attempt(shrinker);
}

static void leave_out_kinds(struct shrinker *shrinker) {
  for (unsigned kind = 0; kind < NUM_ITEM_KINDS; kind++) leave_out_all(shrinker, is_kind, kind);
  for (unsigned r = 0; r < shrinker->device->num_registers; r++)
    leave_out_all(shrinker, is_access_of, r);
  for (unsigned e = 0; e < shrinker->device->num_events; e++) without_event(shrinker, e);
  join_all(shrinker);
}

/* ---- Plainer items ---- */

static bool is_idle(const struct item *item) {
  for (unsigned e = 0; e < PMUV3_DEVICE_MAX_EVENTS; e++)
    if (item->count[e]) return false;
  return true;
}

static bool try_number(struct shrinker *shrinker, size_t i, uint32_t clocks) {
  if (shrinker->best->items[i].clocks <= clocks) return false;
  trial_item(shrinker, i)->clocks = clocks;
  return attempt(shrinker);
}

static bool fewer_clocks(struct shrinker *shrinker, size_t i, uint32_t least) {
  bool any = try_number(shrinker, i, least);
  while (shrinker->best->count > i && shrinker->best->items[i].clocks >= 2 * least &&
         try_number(shrinker, i, shrinker->best->items[i].clocks / 2))
    any = true;
  while (shrinker->best->count > i && shrinker->best->items[i].clocks <= 64 &&
         shrinker->best->items[i].clocks > least &&
         try_number(shrinker, i, shrinker->best->items[i].clocks - 1))
    any = true;
  return any;
}

static bool lower_count(struct shrinker *shrinker, size_t i, unsigned e, uint8_t count) {
  if (shrinker->best->count <= i || shrinker->best->items[i].count[e] <= count) return false;
  trial_item(shrinker, i)->count[e] = count;
  return attempt(shrinker);
}

static bool to_idle(struct shrinker *shrinker, size_t i) {
  struct item *item = trial_item(shrinker, i);
  *item = (struct item){.kind = ITEM_IDLE, .clocks = item->clocks};
  return attempt(shrinker);
}

static bool plainer_cycle(struct shrinker *shrinker, size_t i) {
  bool any = false;
  if (to_idle(shrinker, i)) return true;
  for (unsigned e = 0; e < shrinker->device->num_events; e++)
    any |= lower_count(shrinker, i, e, 0) || lower_count(shrinker, i, e, 1);
  return any;
}

static const struct pmuv3_device_register *written_register(const struct shrinker *shrinker,
                                                            size_t i) {
  return &shrinker->device->registers[shrinker->best->items[i].reg];
}

/* What differs must be a mistake, so no try has data that the stimulus may not have. */
static bool try_value(struct shrinker *shrinker, size_t i, uint64_t value) {
  if (shrinker->best->count <= i || shrinker->best->items[i].value == value) return false;
  if (profile_is_barred(shrinker->device, written_register(shrinker, i), value)) return false;
  trial_item(shrinker, i)->value = value;
  return attempt(shrinker);
}

static bool plainer_value(struct shrinker *shrinker, size_t i) {
  if (shrinker->best->items[i].value == 0) return false;
  if (try_value(shrinker, i, 0)) return true;
  bool any = false;
  for (unsigned half = 32; half; half /= 2) {
    const uint64_t keep = (UINT64_C(1) << half) - 1;
    any |= try_value(shrinker, i, shrinker->best->items[i].value & keep);
  }
  for (unsigned bit = 64; bit-- > 0;) {
    if (shrinker->best->count <= i) return any;
    const uint64_t value = shrinker->best->items[i].value;
    if (value >> bit & 1) any |= try_value(shrinker, i, value & ~(UINT64_C(1) << bit));
  }
  return any;
}

static bool plainer_state(struct shrinker *shrinker, size_t i) {
  bool any = false;
  for (unsigned key = 0; key < PMUV3_NUM_STATE_KEYS && shrinker->best->count > i; key++) {
    const struct item *item = &shrinker->best->items[i];
    const uint64_t plain =
        pmuv3_state_get(&shrinker->device->pe[item->thread], (enum pmuv3_state_key)key);
    if (pmuv3_state_get(&item->pe, (enum pmuv3_state_key)key) == plain) continue;
    struct item *trial = trial_item(shrinker, i);
    pmuv3_state_set(&trial->pe, (enum pmuv3_state_key)key, plain);
    if (!pmuv3_pe_wrong(&shrinker->device->params, &trial->pe)) any |= attempt(shrinker);
  }
  return any;
}

/* Equal neighbours become one. */
static bool join(struct shrinker *shrinker, size_t i) {
  const struct item *items = shrinker->best->items;
  if (i + 1 >= shrinker->best->count || !can_join(&items[i], &items[i + 1])) return false;
  const uint32_t clocks = items[i].clocks + items[i + 1].clocks;
  leave_out(shrinker, i + 1, 1);
  shrinker->trial.items[i].clocks = clocks;
  return attempt(shrinker);
}

/* An access that only takes time. */
static bool access_to_idle(struct shrinker *shrinker, size_t i) {
  for (uint32_t clocks = 1; clocks <= 3; clocks++) {
    *trial_item(shrinker, i) = (struct item){.kind = ITEM_IDLE, .clocks = clocks};
    if (attempt(shrinker)) return true;
  }
  return false;
}

static bool plainer(struct shrinker *shrinker, size_t i) {
  bool any = false;
  while (join(shrinker, i)) any = true;
  if (i >= shrinker->best->count) return any;
  switch ((enum item_kind)shrinker->best->items[i].kind) {
    case ITEM_WRITE:
      return access_to_idle(shrinker, i) || plainer_value(shrinker, i) || any;
    case ITEM_CYCLE:
      any |=
          !is_idle(&shrinker->best->items[i]) ? plainer_cycle(shrinker, i) : to_idle(shrinker, i);
      return (i < shrinker->best->count && fewer_clocks(shrinker, i, 1)) || any;
    case ITEM_STATE:
      return plainer_state(shrinker, i) || any;
    case ITEM_READ:
      return access_to_idle(shrinker, i) || any;
    case ITEM_RESET:
    case ITEM_RESET_WARM: /* no shorter than the stimulus has them */
      return fewer_clocks(shrinker, i, pmuv3_device_reset_clocks(shrinker->device)) || any;
    default:
      return fewer_clocks(shrinker, i, 1) || any;
  }
}

static bool make_plainer(struct shrinker *shrinker) {
  bool any = false;
  for (size_t i = shrinker->best->count; i-- > 0;) {
    if (i >= shrinker->best->count) continue;
    any |= plainer(shrinker, i);
  }
  return any;
}

static void shrink(struct shrinker *shrinker) {
  player_drop_device(shrinker->player);
  take_tail(shrinker);
  leave_out_kinds(shrinker);
  bool any = true;
  while (any && shrinker->result.in_time) {
    any = pmuv3_ddmin(&row_of_items, shrinker);
    any |= make_plainer(shrinker);
    any |= join_all(shrinker);
  }
}

struct shrunk stimulus_shrink(struct player *player, struct stimulus *stimulus,
                              const struct pmuv3_device *device, double seconds) {
  struct shrinker shrinker = {.player = player,
                              .device = device,
                              .best = stimulus,
                              .deadline = pmuv3_now() + seconds,
                              .result = {.in_time = true}};
  shrinker.trial = *stimulus;
  shrinker.trial.items = malloc(stimulus->count * sizeof *stimulus->items);
  shrinker.tried =
      mmap(NULL, sizeof *shrinker.tried, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const bool has_memory = shrinker.trial.items && shrinker.tried != MAP_FAILED;
  if (has_memory) shrink(&shrinker);
  shrinker.result.in_time &= has_memory;
  if (shrinker.tried != MAP_FAILED) munmap(shrinker.tried, sizeof *shrinker.tried);
  free(shrinker.trial.items);
  return shrinker.result;
}
