#include "testbench/cosim/replay/player.h"

#include <inttypes.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/replay/trace.h"
#include "testbench/cosim/scoreboard/lockstep.h"

/* ---- Cycles ---- */

static void trace_cycle(const struct pmuv3_player *player) {
  const struct pmuv3_params *params = &player->side->params;
  struct pmuv3_probe probe;
  for (unsigned t = 0; t < params->threads; t++) {
    pmuv3_side_probe(player->side, t, &probe);
    pmuv3_trace_rows(player->trace, player->cycles, t, &probe, params->counters);
  }
}

static void run_cycle(struct pmuv3_player *player, const struct pmuv3_cycle *cycle) {
  player->before_cycle(player->context, player->cycles);
  pmuv3_side_cycle(player->side, cycle);
  if (player->trace) trace_cycle(player);
  player->cycles++;
}

static void run_idle(struct pmuv3_player *player, uint64_t cycles) {
  const struct pmuv3_cycle nothing = {0};
  for (; cycles > 0; cycles--) run_cycle(player, &nothing);
}

/* ---- Unchecked accesses ---- */

/* The item's register as a file writes it. "@T " comes first if the thread is not 0. */
static const char *register_text(const struct pmuv3_item *item, char text[32]) {
  char name[24];
  pmuv3_register_name(item->access.reg, name);
  if (item->thread == 0)
    snprintf(text, 32, "%s", name);
  else
    snprintf(text, 32, "@%u %s", (unsigned)item->thread, name);
  return text;
}

static void run_write(struct pmuv3_player *player, const struct pmuv3_item *item) {
  enum pmuv3_access access =
      pmuv3_side_write(player->side, item->thread, item->access.reg, item->access.value);
  if (access == PMUV3_ACCESS_OK) return;
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": write of %s refused: %s\n", player->name, item->line,
          register_text(item, text), pmuv3_access_text(access));
  player->failed++;
}

/* An expected refusal is an expectation that holds. */
static void check_refused(struct pmuv3_player *player, const struct pmuv3_item *item,
                          const char *what, enum pmuv3_access access) {
  if (access != PMUV3_ACCESS_OK) {
    player->held++;
    return;
  }
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": %s of %s was not refused\n", player->name, item->line, what,
          register_text(item, text));
  player->failed++;
}

static void run_refused_write(struct pmuv3_player *player, const struct pmuv3_item *item) {
  check_refused(player, item, "write",
                pmuv3_side_write(player->side, item->thread, item->access.reg, item->access.value));
}

static void run_refused_read(struct pmuv3_player *player, const struct pmuv3_item *item) {
  uint64_t value;
  check_refused(player, item, "read",
                pmuv3_side_read(player->side, item->thread, item->access.reg, &value));
}

static void run_read(struct pmuv3_player *player, const struct pmuv3_item *item) {
  uint64_t value;
  pmuv3_side_read(player->side, item->thread, item->access.reg, &value);
}

static void run_expect(struct pmuv3_player *player, const struct pmuv3_item *item) {
  uint64_t value;
  enum pmuv3_access access = pmuv3_side_read(player->side, item->thread, item->access.reg, &value);
  if (access == PMUV3_ACCESS_OK && value == item->access.value) {
    player->held++;
    return;
  }
  player->failed++;
  char text[32];
  fprintf(stderr, "%s:%" PRIu32 ": expected %s 0x%" PRIx64 ", got ", player->name, item->line,
          register_text(item, text), item->access.value);
  if (access == PMUV3_ACCESS_OK)
    fprintf(stderr, "0x%" PRIx64 "\n", value);
  else
    fprintf(stderr, "%s\n", pmuv3_access_text(access));
}

/* ---- Checked accesses, and outputs ---- */

/* The item's word of the page as a file writes it, with "@T " as above. */
static const char *offset_text(const struct pmuv3_item *item, char text[32]) {
  const struct pmuv3_external *external = &item->external;
  const char *ss = pmuv3_security_state_name((enum pmuv3_security_state)external->ss);
  if (item->thread == 0)
    snprintf(text, 32, "%s 0x%03x", ss, (unsigned)external->offset);
  else
    snprintf(text, 32, "@%u %s 0x%03x", (unsigned)item->thread, ss, (unsigned)external->offset);
  return text;
}

/* Checks the result of an access, if the item expects one. */
static void check_result(struct pmuv3_player *player, const struct pmuv3_item *item,
                         const char *what, const char *expected, const char *result) {
  if (!item->has_result) return;
  if (strcmp(expected, result) == 0) {
    player->held++;
    return;
  }
  player->failed++;
  fprintf(stderr, "%s:%" PRIu32 ": expected %s: %s, got %s\n", player->name, item->line, what,
          expected, result);
}

/* Checks the value of a read, if the item expects one. */
static void check_value(struct pmuv3_player *player, const struct pmuv3_item *item,
                        const char *what, uint64_t expected, uint64_t value) {
  if (value == expected) {
    player->held++;
    return;
  }
  player->failed++;
  fprintf(stderr, "%s:%" PRIu32 ": expected %s 0x%" PRIx64 ", got 0x%" PRIx64 "\n", player->name,
          item->line, what, expected, value);
}

static void run_checked(struct pmuv3_player *player, const struct pmuv3_item *item) {
  bool is_write = item->kind == PMUV3_ITEM_MSR;
  uint64_t value = item->access.value;
  enum pmuv3_result result =
      is_write ? pmuv3_side_msr(player->side, item->thread, item->access.reg, value)
               : pmuv3_side_mrs(player->side, item->thread, item->access.reg, &value);
  const uint32_t syndrome = pmuv3_side_syndrome(player->side, item->thread);
  const uint32_t mask = item->syndrome.mask;
  char text[32], what[40], expected[32], got[32];
  snprintf(what, sizeof what, "%s %s", is_write ? "msr" : "mrs", register_text(item, text));
  if (item->has_value && result == PMUV3_DONE)
    check_value(player, item, what, item->access.value, value);
  else
    check_result(
        player, item, what,
        pmuv3_result_text((enum pmuv3_result)item->result, item->syndrome.bits, mask, expected),
        pmuv3_result_text(result, syndrome, mask, got));
}

static void run_external(struct pmuv3_player *player, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  enum pmuv3_security_state ss = (enum pmuv3_security_state)external->ss;
  bool is_write = item->kind == PMUV3_ITEM_EXTERNAL_WRITE;
  uint32_t value = external->value;
  bool done =
      is_write ? pmuv3_side_external_write(player->side, item->thread, ss, external->offset, value)
               : pmuv3_side_external_read(player->side, item->thread, ss, external->offset, &value);
  char text[32], what[40];
  snprintf(what, sizeof what, "%s %s", is_write ? "extw" : "extr", offset_text(item, text));
  if (item->has_value && done)
    check_value(player, item, what, external->value, value);
  else
    check_result(player, item, what, pmuv3_external_result_name(item->result),
                 pmuv3_external_result_name(!done));
}

/* Checks the writes in the clock of a cycle. Each is an item of its own. */
static void check_ends(struct pmuv3_player *player, const struct pmuv3_item *item) {
  const struct pmuv3_expected_ends *expected = &item->expected;
  if (!expected->known) return;
  const struct pmuv3_ends ends = pmuv3_side_written(player->side);
  char text[32], what[40], wanted[32], got[32];
  for (uint8_t t = 0; t < PMUV3_MAX_THREADS; t++) {
    if (!(expected->known >> t & 1)) continue;
    const struct pmuv3_item write = {
        .line = item->line, .thread = t, .has_result = true, .access = item->cycle.write[t]};
    snprintf(what, sizeof what, "msr %s", register_text(&write, text));
    const uint32_t mask = expected->syndrome_mask[t];
    check_result(player, &write, what,
                 pmuv3_result_text((enum pmuv3_result)expected->ends.result[t],
                                   expected->ends.syndrome[t], mask, wanted),
                 pmuv3_result_text((enum pmuv3_result)ends.result[t], ends.syndrome[t], mask, got));
  }
  if (!(expected->known >> PMUV3_MAX_THREADS & 1)) return;
  const struct pmuv3_item write = {.line = item->line,
                                   .thread = item->cycle.external.thread,
                                   .has_result = true,
                                   .external = item->cycle.external};
  snprintf(what, sizeof what, "extw %s", offset_text(&write, text));
  check_result(player, &write, what, pmuv3_external_result_name(expected->ends.external_error),
               pmuv3_external_result_name(ends.external_error));
}

static uint64_t output_level(struct pmuv3_side *side, unsigned thread,
                             enum pmuv3_output_kind output) {
  const struct pmuv3_outputs outputs = pmuv3_side_outputs(side, thread);
  switch (output) {
    case PMUV3_OUTPUT_PMUIRQ:
      return outputs.irq;
    case PMUV3_OUTPUT_CTI:
      return outputs.cti;
    case PMUV3_OUTPUT_HALT:
      return outputs.halt;
    case PMUV3_OUTPUT_BRBE:
      return outputs.brbe;
    case PMUV3_OUTPUT_PULSES:
      return outputs.pulses;
    default:
      return outputs.exception;
  }
}

static void run_expect_output(struct pmuv3_player *player, const struct pmuv3_item *item) {
  enum pmuv3_output_kind output = (enum pmuv3_output_kind)item->output.kind;
  char what[24];
  if (item->thread == 0)
    snprintf(what, sizeof what, "%s", pmuv3_output_name(output));
  else
    snprintf(what, sizeof what, "@%u %s", (unsigned)item->thread, pmuv3_output_name(output));
  check_value(player, item, what, item->output.level,
              output_level(player->side, item->thread, output));
}

/* ---- Items ---- */

/* Reports a divergence once, with the line of the file that caused it. */
static void check_divergence(struct pmuv3_player *player, const struct pmuv3_item *item) {
  if (!player->is_lockstep || player->diverged) return;
  if (pmuv3_lockstep_wrong(player->side))
    pmuv3_cli_unusable("%s:%" PRIu32 ": %s", player->name, item ? item->line : 1,
                       pmuv3_lockstep_wrong(player->side));
  const struct pmuv3_divergence *divergence = pmuv3_lockstep_divergence(player->side);
  if (!divergence) return;
  player->diverged = true;
  fprintf(stderr, "%s:%" PRIu32 ": ", player->name, item ? item->line : 1);
  pmuv3_divergence_print(stderr, divergence);
}

void pmuv3_player_item(struct pmuv3_player *player, const struct pmuv3_item *item) {
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      run_write(player, item);
      break;
    case PMUV3_ITEM_EXPECT:
      run_expect(player, item);
      break;
    case PMUV3_ITEM_CYCLE:
      run_cycle(player, &item->cycle);
      check_ends(player, item);
      break;
    case PMUV3_ITEM_IDLE:
      run_idle(player, item->idle);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      run_refused_write(player, item);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      run_refused_read(player, item);
      break;
    case PMUV3_ITEM_RESET:
      pmuv3_side_reset(player->side);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_side_set_pe(player->side, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_MSR:
    case PMUV3_ITEM_MRS:
      run_checked(player, item);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      run_external(player, item);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT:
      run_expect_output(player, item);
      break;
    case PMUV3_ITEM_READ:
      run_read(player, item);
      break;
    case PMUV3_NUM_ITEM_KINDS:
      break;
  }
  check_divergence(player, item);
}

void pmuv3_player_begin(struct pmuv3_player *player) {
  check_divergence(player, NULL);
}
