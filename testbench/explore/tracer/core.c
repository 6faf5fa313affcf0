#include "testbench/explore/tracer/core.h"

#include <stdlib.h>

#include "testbench/explore/tracer/core_memory.h"

static unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* An instruction that executes. */
struct step {
  uint64_t pc;
  const struct trace_instruction *inst;
  bool has_address;
  uint64_t address; /* of its first access to memory */
  uint64_t next;    /* of branches: the address of the next instruction that executes */
};

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

/* The slots before a cycle stay empty. */
HOT void wait_until(struct core *core, struct pipeline *now, uint64_t cycle,
                    const struct cause *cause) {
  if (now->cycle >= cycle) return;
  lose_slots(core, now->cycle, now->slots, cycle, cause);
  now->cycle = cycle;
  now->slots = core->params.width;
}

/* Of the operation that is `back` operations before the next one. */
HOT uint64_t *left_window(const struct core *core, const struct pipeline *now, unsigned back) {
  return &core->left_window[(now->ops - back) & core->ring_mask];
}

/* Gives a slot and an entry of the window to an operation. */
HOT void dispatch(struct core *core, struct pipeline *now, uint64_t can_begin) {
  const uint64_t has_room = max(can_begin, *left_window(core, now, core->params.window));
  if (now->cycle < has_room) wait_until(core, now, has_room, &backend);
  if (now->cycle < now->fetched) wait_until(core, now, now->fetched, &frontend);
  const bool is_full = now->slots == 0;
  now->cycle += is_full;
  now->slots = (is_full ? core->params.width : now->slots) - 1;
}

/* ---- Retirement ---- */

/* Not before the latest operation, and later than the one `width` operations before. */
HOT void retire(struct core *core, struct pipeline *now, uint64_t complete) {
  const uint64_t has_room = *left_window(core, now, core->params.width);
  now->retired = max(max(complete, now->retired), has_room);
  *left_window(core, now, 0) = now->retired + 1;
  now->ops++;
}

/* ---- Fetch ---- */

/* Fetch follows dispatch: it does not run ahead. */
HOT void fetch(struct core *core, struct pipeline *now, uint64_t pc) {
  const uint64_t line = pc & core->line_mask;
  if (line == now->line) return;
  now->line = line;
  now->fetched = access_l1i(core, max(now->cycle, now->fetched), pc);
}

HOT void redirect(struct pipeline *now, uint64_t fetched) {
  now->fetched = max(now->fetched, fetched);
  now->line = UINT64_MAX;
}

/* ---- Branches ---- */

/* Operations are in flight from the latest one back to the first that has left the window. */
HOT unsigned free_entries(const struct core *core, const struct pipeline *now) {
  unsigned room = core->params.window;
  for (unsigned back = 1; room > 0; back++, room--)
    if (*left_window(core, now, back) <= now->cycle) break;
  return room;
}

/* Until the branch completes, operations of the wrong path take slots and entries. */
HOT void follow_wrong_path(struct core *core, struct pipeline *now, uint64_t complete) {
  unsigned room = free_entries(core, now);
  while (now->cycle < complete && room > 0) {
    const unsigned ops = min(room, now->slots);
    book(core, COLUMN_OP_SPEC, now->cycle, ops);
    book(core, COLUMN_INST_SPEC, now->cycle, ops);
    room -= ops;
    now->slots -= ops;
    if (now->slots == 0) {
      now->cycle++;
      now->slots = core->params.width;
    }
  }
  wait_until(core, now, complete, &backend);
}

HOT void mispredict(struct core *core, struct pipeline *now, uint64_t complete) {
  book(core, COLUMN_BR_MIS_PRED, complete, 1);
  book(core, COLUMN_BR_MIS_PRED_RETIRED, now->retired, 1);
  follow_wrong_path(core, now, complete);
  redirect(now, complete + core->params.refill_cycles);
}

/* A branch that has retired, and whose operation completed in a cycle. */
HOT void resolve(struct core *core, struct pipeline *now, const struct step *step,
                 uint64_t complete) {
  const struct branch branch = {.pc = step->pc,
                                .next = step->next,
                                .is_taken = step->next != step->pc + 4,
                                .flags = step->inst->flags};
  book(core, COLUMN_BR_PRED, now->cycle, 1);
  if (branch.is_taken) book(core, COLUMN_PC_WRITE_SPEC, now->cycle, 1);
  if (branch.flags & TRACE_RETURN) book(core, COLUMN_BR_RETURN_RETIRED, now->retired, 1);
  if (!predictor_learn(&core->predictor, &branch))
    mispredict(core, now, complete);
  else if (branch.is_taken)
    redirect(now, now->cycle + core->params.taken_cycles);
}

/* ---- Instructions ---- */

/* Only instructions of three operations and more have the fourth source, and more targets than
 * two. */
static bool has_many_registers(const struct trace_instruction *inst) {
  return inst->ops > 2;
}

static uint64_t sources_ready(const struct core *core, const struct trace_instruction *inst) {
  const uint64_t *ready = core->ready;
  const uint64_t three =
      max(max(ready[inst->sources[0]], ready[inst->sources[1]]), ready[inst->sources[2]]);
  return has_many_registers(inst) ? max(three, ready[inst->sources[3]]) : three;
}

/* Only instructions of two operations and more write back their base. */
HOT void targets_ready(struct core *core, const struct trace_instruction *inst, uint64_t begin,
                       uint64_t complete) {
  core->ready[inst->targets[0]] = core->ready[inst->targets[1]] = complete;
  if (inst->ops == 1) return;
  core->ready[inst->base] = begin + core->params.alu_cycles;
  if (has_many_registers(inst))
    core->ready[inst->targets[2]] = core->ready[inst->targets[3]] = complete;
}

/* Returns when the instruction completes. A store does not wait for L1D. */
HOT uint64_t perform(struct core *core, const struct step *step, uint64_t begin) {
  const struct trace_instruction *inst = step->inst;
  const uint64_t complete = begin + core->classes[inst->kind].latency;
  if (!step->has_address) return complete;
  const bool is_load = inst->kind == TRACE_LOAD;
  const uint64_t ready = access_l1d(core, begin, step->address, inst->bytes, !is_load);
  return is_load || inst->kind == TRACE_ATOMIC ? ready : complete;
}

HOT void end_system(struct core *core, struct pipeline *now, unsigned flags) {
  if (flags & TRACE_EXCEPTION) book(core, COLUMN_EXC_TAKEN, now->retired, 1);
  if (flags & TRACE_SERIALIZES) redirect(now, now->retired + 1);
}

/* What classes do when they have retired. Only a Store-Exclusive that wrote is a store. */
HOT void end(struct core *core, struct pipeline *now, const struct step *step, uint64_t complete) {
  switch (step->inst->kind) {
    case TRACE_BRANCH:
      resolve(core, now, step, complete);
      break;
    case TRACE_SYSTEM:
      end_system(core, now, step->inst->flags);
      break;
    case TRACE_STORE_EXCLUSIVE:
      if (step->has_address) book(core, COLUMN_ST_RETIRED, now->retired, 1);
      break;
    default:
      break;
  }
}

/* The cycles before the current one are done, since fetch and dispatch never look back. */
HOT void hand_on(struct core *core, const struct pipeline *now) {
  if (now->cycle < core->columns.block_done) return;
  columns_hand_on(&core->columns, now->cycle, max(core->last_booked, now->retired) + 1);
}

/* The further operations of an instruction. What a class books has the first one's dispatch and the
 * last one's retirement. */
HOT void more_operations(struct core *core, struct pipeline *now, unsigned count,
                         uint64_t complete) {
  for (; count > 0; count--) {
    book(core, COLUMN_OP_RETIRED, now->retired, 1);
    dispatch(core, now, 0);
    book(core, COLUMN_OP_SPEC, now->cycle, 1);
    retire(core, now, complete);
  }
}

HOT void execute(struct core *core, struct pipeline *now, const struct step *step,
                 bool is_in_order) {
  const struct trace_instruction *inst = step->inst;
  hand_on(core, now);
  fetch(core, now, step->pc);
  const uint64_t sources = sources_ready(core, inst);
  dispatch(core, now, is_in_order ? sources : 0);
  *columns_at(&core->columns, COLUMN_INST_SPEC, now->cycle) += core->classes[inst->kind].dispatched;
  const uint64_t begin = max(now->cycle + !is_in_order, sources);
  const uint64_t complete = perform(core, step, begin);
  targets_ready(core, inst, begin, complete);
  retire(core, now, complete);
  if (inst->ops > 1) more_operations(core, now, inst->ops - 1u, complete);
  *columns_at(&core->columns, COLUMN_INST_RETIRED, now->retired) +=
      core->classes[inst->kind].retires;
  end(core, now, step, complete);
}

HOT void execute_all(struct core *core, const struct core_block *block, bool is_in_order) {
  const struct core_access *access = block->accesses;
  struct pipeline now = core->pipeline;
  for (uint32_t i = 0; i < block->count; i++) {
    const struct step step = {.pc = block->pc + 4 * i,
                              .inst = &block->instructions[i],
                              .has_address = access->instruction == i,
                              .address = access->address,
                              .next = block->next};
    execute(core, &now, &step, is_in_order);
    access += step.has_address;
  }
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
  core->classes[kind].latency = latency;
  core->classes[kind].dispatched =
      dispatched + columns_counts(COLUMN_INST_SPEC, 1) + columns_counts(COLUMN_OP_SPEC, 1);
  core->classes[kind].retires =
      retires + columns_counts(COLUMN_INST_RETIRED, 1) + columns_counts(COLUMN_OP_RETIRED, 1);
}

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
  set_class(core, TRACE_SYSTEM, params->system_cycles, 0, 0);
  set_class(core, TRACE_BRANCH, params->branch_cycles, 0, branch_retired);
  set_class(core, TRACE_LOAD, params->alu_cycles, load, load_retired);
  set_class(core, TRACE_STORE, params->alu_cycles, store, store_retired);
  set_class(core, TRACE_STORE_EXCLUSIVE, params->alu_cycles, store, 0);
  set_class(core, TRACE_ATOMIC, params->alu_cycles, load + store, load_retired + store_retired);
}

/* A ring has the operations that were in the window, and those that retired in one cycle. */
static unsigned ring_size(const struct core_params *params) {
  unsigned size = 1;
  while (size < params->window || size < params->width) size *= 2;
  return size;
}

bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context) {
  const uint64_t lines_of_kib = 1024 / params->line_bytes;
  *core =
      (struct core){.params = *params, .pipeline = {.slots = params->width, .line = UINT64_MAX}};
  core->line_shift = (unsigned)__builtin_ctz(params->line_bytes);
  core->line_mask = ~(uint64_t)(params->line_bytes - 1);
  core->ring_mask = ring_size(params) - 1;
  core->left_window = calloc(ring_size(params), sizeof *core->left_window);
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
