#include "testbench/explore/tracer/core.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/explore/tracer/core_memory.h"

static unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* ---- Dispatch ---- */

/* Why slots stay empty. Both columns are in one group. */
static const struct cause {
  enum trace_column stall, slots;
} frontend = {COLUMN_STALL_FRONTEND, COLUMN_STALL_SLOT_FRONTEND},
  backend = {COLUMN_STALL_BACKEND, COLUMN_STALL_SLOT_BACKEND};

/* Loses the slots that are left in the current cycle, and all slots of the further ones. */
COLD void lose_slots(struct core *core, uint64_t from, unsigned left, uint64_t cycle,
                     const struct cause *cause) {
  const unsigned width = core->params.width;
  const uint64_t whole = columns_counts(cause->stall, 1) + columns_counts(cause->slots, width);
  if (left < width) book(core, cause->slots, from++, left);
  for (; from < cycle; from++) *columns_at(&core->columns, cause->stall, from) += whole;
}

HOT void begin_cycle(const struct core *core, struct pipeline *now, uint64_t cycle) {
  now->cycle = cycle;
  now->slots = core->params.width;
}

/* The slots before a cycle stay empty. */
HOT void wait_until(struct core *core, struct pipeline *now, uint64_t cycle,
                    const struct cause *cause) {
  if (now->cycle >= cycle) return;
  lose_slots(core, now->cycle, now->slots, cycle, cause);
  begin_cycle(core, now, cycle);
}

/* Gives a slot and an entry of the window to an operation. */
HOT void dispatch(struct core *core, struct pipeline *now, uint64_t can_begin) {
  const uint64_t has_room = max(can_begin, now->left[core->window_back]);
  if (now->cycle < has_room) wait_until(core, now, has_room, &backend);
  if (now->cycle < now->fetched) wait_until(core, now, now->fetched, &frontend);
  if (now->slots == 0) begin_cycle(core, now, now->cycle + 1);
  now->slots--;
}

/* ---- Retirement ---- */

/* Not before the latest operation, and later than the one `width` operations before. */
HOT void retire(struct core *core, struct pipeline *now, uint64_t complete) {
  const uint64_t has_room = now->left[core->width_back];
  now->retired = max(max(complete, now->retired), has_room);
  *now->left++ = now->retired + 1;
}

/* ---- Fetch ---- */

/* Fetch follows dispatch: it does not run ahead. */
HOT void fetch(struct core *core, struct pipeline *now, uint64_t pc) {
  const uint64_t line = pc & core->line_mask;
  if (line == now->line) return;
  now->line = line;
  now->fetched = access_l1i(core, max(now->cycle, now->fetched), pc);
}

/* Fetch begins anew, and accesses its line again. */
HOT void redirect(struct pipeline *now, uint64_t fetched) {
  now->fetched = max(now->fetched, fetched);
  now->line = UINT64_MAX;
}

/* ---- Branches ---- */

/* Operations are in flight from the latest one back to the first that has left the window. */
HOT const uint64_t *oldest_in_flight(const struct core *core, const struct pipeline *now) {
  const uint64_t *const first = now->left + core->window_back, *oldest = now->left;
  while (oldest > first && oldest[-1] > now->cycle) oldest--;
  return oldest;
}

/* Until the branch completes, operations of the wrong path take slots and entries of the window.
 * Older operations leave the window meanwhile. The branch itself is in flight. */
HOT void follow_wrong_path(struct core *core, struct pipeline *now, uint64_t complete) {
  const uint64_t *oldest = oldest_in_flight(core, now);
  unsigned wrong = 0;
  while (now->cycle < complete) {
    while (*oldest <= now->cycle) oldest++;
    const unsigned room = core->params.window - (unsigned)(now->left - oldest) - wrong;
    const unsigned ops = min(room, now->slots);
    book(core, COLUMN_OP_SPEC, now->cycle, ops);
    book(core, COLUMN_INST_SPEC, now->cycle, ops);
    wrong += ops;
    now->slots -= ops;
    if (now->slots == 0)
      begin_cycle(core, now, now->cycle + 1);
    else
      wait_until(core, now, *oldest < complete ? *oldest : complete, &backend);
  }
}

HOT void mispredict(struct core *core, struct pipeline *now, uint64_t complete) {
  book(core, COLUMN_BR_MIS_PRED, complete, 1);
  book(core, COLUMN_BR_MIS_PRED_RETIRED, now->retired, 1);
  follow_wrong_path(core, now, complete);
  redirect(now, complete + core->params.refill_cycles);
}

/* A branch ends a block. It has retired, and its operation completed in a cycle. */
HOT void resolve(struct core *core, struct pipeline *now, const struct core_block *block,
                 uint64_t complete) {
  const uint32_t last = block->count - 1;
  const uint64_t pc = block->pc + 4 * last;
  const struct branch branch = {.pc = pc,
                                .next = block->next,
                                .is_taken = block->next != pc + 4,
                                .flags = block->instructions[last].flags};
  book(core, COLUMN_BR_PRED, now->cycle, 1);
  book(core, COLUMN_PC_WRITE_SPEC, now->cycle, 1);
  if (branch.flags & TRACE_RETURN) book(core, COLUMN_BR_RETURN_RETIRED, now->retired, 1);
  if (!predictor_learn(&core->predictor, &branch))
    mispredict(core, now, complete);
  else if (branch.is_taken)
    redirect(now, now->cycle + core->params.taken_cycles);
}

/* ---- Instructions ---- */

/* An instruction's sources are its first ones. Few instructions have more than three. */
static bool has_many_sources(const struct trace_instruction *inst) {
  return RARELY(inst->sources[3] != TRACE_NO_SOURCE);
}

/* Only instructions of three operations and more have more targets than two. */
static bool has_many_targets(const struct trace_instruction *inst) {
  return RARELY(inst->ops > 2);
}

static uint64_t sources_ready(const struct core *core, const struct trace_instruction *inst) {
  const uint64_t *ready = core->ready;
  const uint64_t three =
      max(max(ready[inst->sources[0]], ready[inst->sources[1]]), ready[inst->sources[2]]);
  if (!has_many_sources(inst)) return three;
  uint64_t all = three;
  for (unsigned i = 3; i < TRACE_NUM_SOURCES; i++) all = max(all, ready[inst->sources[i]]);
  return all;
}

/* Only instructions of two operations and more write back their base. */
HOT void targets_ready(struct core *core, const struct trace_instruction *inst, uint64_t begin,
                       uint64_t complete) {
  core->ready[inst->targets[0]] = core->ready[inst->targets[1]] = complete;
  if (!RARELY(inst->ops > 1)) return;
  core->ready[inst->base] = begin + core->params.alu_cycles;
  if (has_many_targets(inst))
    core->ready[inst->targets[2]] = core->ready[inst->targets[3]] = complete;
}

/* Returns when the instruction completes. A store does not wait for L1D. */
HOT uint64_t perform_access(struct core *core, const struct trace_instruction *inst, uint64_t begin,
                            uint64_t complete, uint64_t address) {
  const bool is_load = inst->kind == TRACE_LOAD;
  const uint64_t ready = access_l1d(core, begin, address, inst->bytes, !is_load);
  return is_load || inst->kind == TRACE_ATOMIC ? ready : complete;
}

HOT void serialize(struct core *core, struct pipeline *now, unsigned flags) {
  if (flags & TRACE_EXCEPTION) book(core, COLUMN_EXC_TAKEN, now->retired, 1);
  redirect(now, now->retired + 1);
}

/* The first cycle in which the operation that dispatched last can begin. */
HOT uint64_t can_execute(const struct pipeline *now, bool is_in_order) {
  return now->cycle + !is_in_order;
}

/* The further operations of an instruction. None is complete before the first one. What a class
 * books has the first one's dispatch and the last one's retirement. */
HOT void more_operations(struct core *core, struct pipeline *now,
                         const struct trace_instruction *inst, uint64_t complete,
                         bool is_in_order) {
  for (unsigned left = inst->ops - 1u; left > 0; left--) {
    book(core, COLUMN_OP_RETIRED, now->retired, 1);
    dispatch(core, now, 0);
    book(core, COLUMN_OP_SPEC, now->cycle, 1);
    retire(core, now, max(complete, can_execute(now, is_in_order) + core->latency[inst->kind]));
  }
}

/* Returns when the instruction completes. */
HOT uint64_t execute(struct core *core, struct pipeline *now, const struct trace_instruction *inst,
                     bool has_access, uint64_t address, bool is_in_order) {
  const uint64_t sources = sources_ready(core, inst);
  dispatch(core, now, is_in_order ? sources : 0);
  *columns_at(&core->columns, COLUMN_INST_SPEC, now->cycle) += core->dispatched[inst->kind];
  const uint64_t begin = max(can_execute(now, is_in_order), sources);
  uint64_t complete = begin + core->latency[inst->kind];
  if (has_access) complete = perform_access(core, inst, begin, complete, address);
  targets_ready(core, inst, begin, complete);
  retire(core, now, complete);
  if (RARELY(inst->ops > 1)) more_operations(core, now, inst, complete, is_in_order);
  *columns_at(&core->columns, COLUMN_INST_RETIRED, now->retired) += core->retires[inst->kind];
  if (has_access && inst->kind == TRACE_STORE_EXCLUSIVE)
    book(core, COLUMN_ST_RETIRED, now->retired, 1);
  return complete;
}

/* The last instruction of a block has retired. */
HOT void end_block(struct core *core, struct pipeline *now, const struct core_block *block,
                   uint64_t complete) {
  const struct trace_instruction *last = &block->instructions[block->count - 1];
  if (last->kind == TRACE_BRANCH)
    resolve(core, now, block, complete);
  else if (last->kind == TRACE_SERIALIZING)
    serialize(core, now, last->flags);
}

/* ---- Room ---- */

/* The cycles before the current one are done, since fetch and dispatch never look back. An
 * operation retires behind the cycle in which it dispatched. */
COLD void hand_on(struct core *core, uint64_t cycle, uint64_t retired) {
  columns_hand_on(&core->columns, cycle, max(core->last_booked, max(cycle, retired)) + 1);
}

/* The latest operations become the first ones. Returns the place of the next one. */
COLD uint64_t *shift_window(struct core *core, const uint64_t *left) {
  memcpy(core->left_window, left - CORE_MAX_WINDOW, CORE_MAX_WINDOW * sizeof *left);
  return core->left_window + CORE_MAX_WINDOW;
}

/* The instructions of a line will find room for their cycles and their operations. */
HOT void make_room(struct core *core, struct pipeline *now) {
  if (now->cycle >= core->columns.block_done) hand_on(core, now->cycle, now->retired);
  if (now->left >= core->left_window + CORE_LEFT_WINDOW - CORE_MAX_LINE_OPS)
    now->left = shift_window(core, now->left);
}

/* ---- Blocks ---- */

/* Line by line. What an access needs stays out of the way of the other instructions. */
HOT void execute_all(struct core *core, const struct core_block *block, bool is_in_order) {
  const struct trace_instruction *inst = block->instructions;
  const uint64_t *access = block->accesses;
  const struct trace_instruction *accessing = inst + trace_access_index(*access);
  struct pipeline now = core->pipeline;
  uint64_t complete = 0, pc = block->pc;
  for (uint32_t left = block->count; left > 0;) {
    const uint64_t next_line = (pc & core->line_mask) + core->params.line_bytes;
    const unsigned count = min(left, (unsigned)(next_line - pc) / 4);
    const struct trace_instruction *const line_end = inst + count;
    make_room(core, &now);
    fetch(core, &now, pc);
    for (; inst < line_end; inst++) {
      if (inst != accessing) {
        complete = execute(core, &now, inst, false, 0, is_in_order);
        continue;
      }
      const uint64_t address = trace_access_address(*access);
      complete = execute(core, &now, inst, inst->bytes != 0, address, is_in_order);
      while (inst == accessing) accessing = block->instructions + trace_access_index(*++access);
    }
    pc = next_line;
    left -= count;
  }
  if (block->count > 0) end_block(core, &now, block, complete);
  core->pipeline = now;
}

/* The compiler makes a loop for each order. */
void core_execute(struct core *core, const struct core_block *block) {
  if (core->params.in_order)
    execute_all(core, block, true);
  else
    execute_all(core, block, false);
}

/* ---- Begin and end ---- */

/* A class: its latency, and the columns that it books beside INST_SPEC and OP_SPEC, and beside
 * INST_RETIRED and OP_RETIRED. */
static void set_class(struct core *core, enum trace_class kind, unsigned latency,
                      uint64_t dispatched, uint64_t retires) {
  core->latency[kind] = latency;
  core->dispatched[kind] =
      dispatched + columns_counts(COLUMN_INST_SPEC, 1) + columns_counts(COLUMN_OP_SPEC, 1);
  core->retires[kind] =
      retires + columns_counts(COLUMN_INST_RETIRED, 1) + columns_counts(COLUMN_OP_RETIRED, 1);
}

/* DP_SPEC counts what no other event of a class counts (D14.3). So it counts SVC, BRK and ISB: with
 * PMUv3p9 they are no software change of the PC, and without it they need not be one
 * (PC_WRITE_RETIRED). DC ZVA is a Memory-writing instruction (D14.1). */
static void set_classes(struct core *core) {
  const struct core_params *params = &core->params;
  const uint64_t dp = columns_counts(COLUMN_DP_SPEC, 1), vfp = columns_counts(COLUMN_VFP_SPEC, 1),
                 ase = columns_counts(COLUMN_ASE_SPEC, 1), load = columns_counts(COLUMN_LD_SPEC, 1),
                 store = columns_counts(COLUMN_ST_SPEC, 1),
                 branch_retired = columns_counts(COLUMN_BR_RETIRED, 1),
                 load_retired = columns_counts(COLUMN_LD_RETIRED, 1),
                 store_retired = columns_counts(COLUMN_ST_RETIRED, 1);
  set_class(core, TRACE_ALU, params->alu_cycles, dp, 0);
  set_class(core, TRACE_MULTIPLY, params->multiply_cycles, dp, 0);
  set_class(core, TRACE_DIVIDE, params->divide_cycles, dp, 0);
  set_class(core, TRACE_FP, params->fp_cycles, vfp, 0);
  set_class(core, TRACE_FP_DIVIDE, params->fp_divide_cycles, vfp, 0);
  set_class(core, TRACE_VECTOR, params->vector_cycles, ase, 0);
  set_class(core, TRACE_CRYPTO, params->crypto_cycles, columns_counts(COLUMN_CRYPTO_SPEC, 1), 0);
  set_class(core, TRACE_SYSTEM, params->system_cycles, dp, 0);
  set_class(core, TRACE_SERIALIZING, params->system_cycles, dp, 0);
  set_class(core, TRACE_BRANCH, params->branch_cycles, 0, branch_retired);
  set_class(core, TRACE_CLEAR, params->alu_cycles, store, store_retired);
  set_class(core, TRACE_LOAD, params->alu_cycles, load, load_retired);
  set_class(core, TRACE_STORE, params->alu_cycles, store, store_retired);
  set_class(core, TRACE_STORE_EXCLUSIVE, params->alu_cycles, store, 0);
  set_class(core, TRACE_ATOMIC, params->alu_cycles, load + store, load_retired + store_retired);
}

bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context) {
  const uint64_t lines_of_kib = 1024 / params->line_bytes;
  *core =
      (struct core){.params = *params, .pipeline = {.slots = params->width, .line = UINT64_MAX}};
  core->line_shift = (unsigned)__builtin_ctz(params->line_bytes);
  core->line_mask = ~(uint64_t)(params->line_bytes - 1);
  core->left_window = calloc(CORE_LEFT_WINDOW, sizeof *core->left_window);
  core->pipeline.left = core->left_window + CORE_MAX_WINDOW;
  core->window_back = -(ptrdiff_t)params->window;
  core->width_back = -(ptrdiff_t)params->width;
  set_classes(core);
  return core->left_window && columns_init(&core->columns, sink, context) &&
         predictor_init(&core->predictor, params) &&
         cache_init(&core->l1i, params->l1i_kib * lines_of_kib, params->l1i_ways) &&
         cache_init(&core->l1d, params->l1d_kib * lines_of_kib, params->l1d_ways) &&
         cache_init(&core->l2, params->l2_kib * lines_of_kib, params->l2_ways) &&
         cache_init(&core->itlb, params->tlb_entries, params->tlb_ways) &&
         cache_init(&core->dtlb, params->tlb_entries, params->tlb_ways);
}

void core_free(struct core *core) {
  free(core->left_window);
  columns_free(&core->columns);
  predictor_free(&core->predictor);
  cache_free(&core->l1i);
  cache_free(&core->l1d);
  cache_free(&core->l2);
  cache_free(&core->itlb);
  cache_free(&core->dtlb);
}

void core_finish(struct core *core) {
  const uint64_t end = max(core->last_booked, core->pipeline.retired) + 1;
  wait_until(core, &core->pipeline, end, &frontend);
  columns_finish(&core->columns, end);
}
