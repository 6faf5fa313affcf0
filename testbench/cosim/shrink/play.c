#define _GNU_SOURCE
#include "testbench/cosim/shrink/play.h"

#include <string.h>

#include "testbench/cosim/cli/now.h"
#include "tlm_wrapper/side_rtl.h"

/* The deadline is looked at now and then, as the clock takes longer than a cycle. */
static bool is_over(double deadline, uint64_t cycle) {
  return deadline > 0 && cycle % 1024 == 1023 && pmuv3_now() > deadline;
}

/* Returns how many cycles were played. */
static uint64_t play_idle(struct pmuv3_side *side, uint64_t cycles, double deadline) {
  const struct pmuv3_cycle nothing = {0};
  uint64_t cycle = 0;
  for (; cycle < cycles && !pmuv3_lockstep_divergence(side) && !is_over(deadline, cycle); cycle++)
    pmuv3_side_cycle(side, &nothing);
  return cycle;
}

static void play_external(struct pmuv3_side *side, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  const enum pmuv3_security_state ss = (enum pmuv3_security_state)external->ss;
  uint32_t value = external->value;
  if (item->kind == PMUV3_ITEM_EXTERNAL_WRITE)
    pmuv3_side_external_write(side, item->thread, ss, external->offset, value);
  else
    pmuv3_side_external_read(side, item->thread, ss, external->offset, &value);
}

void pmuv3_play_item(struct pmuv3_side *side, const struct pmuv3_item *item) {
  uint64_t value;
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
    case PMUV3_ITEM_REFUSED_WRITE:
      pmuv3_side_write(side, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_READ:
    case PMUV3_ITEM_EXPECT:
    case PMUV3_ITEM_REFUSED_READ:
      pmuv3_side_read(side, item->thread, item->access.reg, &value);
      break;
    case PMUV3_ITEM_CYCLE:
      pmuv3_side_cycle(side, &item->cycle);
      break;
    case PMUV3_ITEM_IDLE:
      play_idle(side, item->idle, 0);
      break;
    case PMUV3_ITEM_RESET:
      pmuv3_side_reset(side);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_side_set_pe(side, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_MSR:
      pmuv3_side_msr(side, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_MRS:
      pmuv3_side_mrs(side, item->thread, item->access.reg, &value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      play_external(side, item);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT: /* the lockstep compares outputs itself */
    case PMUV3_NUM_ITEM_KINDS:
      break;
  }
}

/* Notes the divergence or the wrong cycle, if there is one. */
static bool has_ended(struct pmuv3_played *play, struct pmuv3_side *side, uint32_t line) {
  const struct pmuv3_divergence *divergence = pmuv3_lockstep_divergence(side);
  play->wrong = pmuv3_lockstep_wrong(side);
  play->line = line;
  play->diverged = !play->wrong && divergence;
  if (play->diverged) play->divergence = *divergence;
  return play->wrong || play->diverged;
}

static void play_item(struct pmuv3_played *play, struct pmuv3_side *side,
                      const struct pmuv3_item *item) {
  play->idle = 0;
  if (item->kind != PMUV3_ITEM_IDLE) {
    pmuv3_play_item(side, item);
    return;
  }
  play->idle = play_idle(side, item->idle, play->deadline);
  play->is_cut = play->idle < item->idle && !pmuv3_lockstep_divergence(side);
}

bool pmuv3_play(struct pmuv3_played *play, const struct pmuv3_stimulus *stimulus, uint32_t x_seed) {
  struct pmuv3_side *side = pmuv3_side_lockstep(pmuv3_side_cmodel(&stimulus->params),
                                                pmuv3_side_rtl(&stimulus->params, x_seed));
  if (!side) return false;
  bool ended = has_ended(play, side, 0);
  for (size_t i = 0; i < stimulus->num_items && !ended; i++) {
    play_item(play, side, &stimulus->items[i]);
    ended = has_ended(play, side, stimulus->items[i].line) || play->is_cut;
  }
  pmuv3_side_destroy(side);
  return true;
}

/* ---- Texts ---- */

static void explain(const struct pmuv3_played *play, const struct pmuv3_params *params,
                    char *message, size_t message_size) {
  FILE *out = fmemopen(message, message_size, "w");
  if (!out) return;
  fprintf(out, "line %u: ", (unsigned)play->line);
  pmuv3_divergence_print(out, &play->divergence);
  pmuv3_divergence_explain(out, &play->divergence, params);
  fclose(out);
}

bool pmuv3_play_text(const char *text, uint32_t x_seed, char *message, size_t message_size) {
  struct pmuv3_stimulus stimulus;
  FILE *in = fmemopen((char *)text, strlen(text), "r");
  if (!in) return false;
  bool good = pmuv3_stimulus_read(&stimulus, in, "stimulus", message, message_size);
  fclose(in);
  if (!good) return false;
  struct pmuv3_played play = {0};
  snprintf(message, message_size, "out of memory");
  good = pmuv3_play(&play, &stimulus, x_seed) && !play.diverged && !play.wrong;
  if (play.wrong) snprintf(message, message_size, "line %u: %s", (unsigned)play.line, play.wrong);
  if (play.diverged) explain(&play, &stimulus.params, message, message_size);
  pmuv3_stimulus_free(&stimulus);
  return good;
}
