#include <string.h>

#include "engine/symex/code_internal.h"
#include "engine/symex/util.h"

static bool get_bit(const uint64_t *set, uint32_t bit) {
  return (set[bit / 64] >> bit % 64 & 1) != 0;
}
static void set_bit(uint64_t *set, uint32_t bit) {
  set[bit / 64] |= UINT64_C(1) << bit % 64;
}
static void clear_bit(uint64_t *set, uint32_t bit) {
  set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static void use(uint64_t *set, const struct operand *operand) {
  if (operand->is_constant) return;
  for (uint32_t s = 0; s < operand->type.count; s++) set_bit(set, operand->slot + s);
}

/* The slots live on an edge to a block: those live in the block, with the operands of its phis for
 * the phis. */
static void add_live_on_edge(const struct block *to, const uint64_t *live_there, size_t words,
                             uint32_t from, uint64_t *live) {
  uint64_t *edge = symex_allocate(words, sizeof *edge);
  memcpy(edge, live_there, words * sizeof *edge);
  for (size_t p = 0; p < to->num_phis; p++)
    for (uint32_t s = 0; s < to->instructions[p].type.count; s++)
      clear_bit(edge, to->instructions[p].slot + s);
  for (size_t p = 0; p < to->num_phis; p++) {
    const struct instruction *phi = &to->instructions[p];
    for (size_t o = 0; o < phi->num_operands; o++)
      if (phi->targets[o] == from) use(edge, &phi->operands[o]);
  }
  for (size_t w = 0; w < words; w++) live[w] |= edge[w];
  free(edge);
}

static size_t count_targets(const struct instruction *last) {
  if (last->opcode != LLVMBr && last->opcode != LLVMSwitch) return 0;
  return LLVMGetNumSuccessors(last->value);
}

/* Adds the slots live after the block's phis, before its own instructions. */
static void add_live_in(const struct function *function, uint32_t b, uint64_t *const *live,
                        size_t words, uint64_t *set) {
  const struct block *block = &function->blocks[b];
  const struct instruction *last = &block->instructions[block->num_instructions - 1];
  for (size_t t = 0; t < count_targets(last); t++)
    add_live_on_edge(&function->blocks[last->targets[t]], live[last->targets[t]], words, b, set);
  for (size_t i = block->num_instructions; i-- > block->num_phis;) {
    const struct instruction *instruction = &block->instructions[i];
    for (uint32_t s = 0; s < instruction->type.count; s++) clear_bit(set, instruction->slot + s);
    for (size_t o = 0; o < instruction->num_operands; o++) use(set, &instruction->operands[o]);
  }
}

static void list_live(const struct function *function, const uint64_t *set, struct block *block) {
  block->live = symex_allocate(function->num_slots, sizeof *block->live);
  for (uint32_t slot = 0; slot < function->num_slots; slot++)
    if (get_bit(set, slot)) block->live[block->num_live++] = slot;
}

void code_find_live(struct function *function) {
  const size_t words = function->num_slots / 64 + 1;
  uint64_t **live = symex_allocate(function->num_blocks, sizeof *live);
  for (size_t b = 0; b < function->num_blocks; b++) live[b] = symex_allocate(words, 8);
  uint64_t *set = symex_allocate(words, sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = function->num_blocks; b-- > 0;) {
      memset(set, 0, words * sizeof *set);
      add_live_in(function, (uint32_t)b, live, words, set);
      changed |= memcmp(set, live[b], words * sizeof *set) != 0;
      memcpy(live[b], set, words * sizeof *set);
    }
  }
  for (size_t b = 0; b < function->num_blocks; b++) {
    list_live(function, live[b], &function->blocks[b]);
    free(live[b]);
  }
  free(live);
  free(set);
}
