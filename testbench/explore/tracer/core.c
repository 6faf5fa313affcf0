#include "testbench/explore/tracer/core.h"

#include <stdlib.h>

static uint64_t max(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static unsigned min(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static void book(struct core *core, enum trace_column column, uint64_t cycle, unsigned count) {
  *columns_at(&core->columns, column, cycle) += columns_counts(column, count);
}

/* ---- Dispatch ---- */

/* Why slots stay empty. */
static const struct cause {
  enum trace_column stall, slots;
} frontend = {COLUMN_STALL_FRONTEND, COLUMN_STALL_SLOT_FRONTEND},
  backend = {COLUMN_STALL_BACKEND, COLUMN_STALL_SLOT_BACKEND};

static void next_cycle(struct core *core) {
  core->cycle++;
  core->slots = core->params.width;
}

static void lose_slots(struct core *core, const struct cause *cause) {
  if (core->slots == core->params.width) book(core, cause->stall, core->cycle, 1);
  book(core, cause->slots, core->cycle, core->slots);
  next_cycle(core);
}

/* The slots before a cycle stay empty. */
static void wait_until(struct core *core, uint64_t cycle, const struct cause *cause) {
  while (core->cycle < cycle) lose_slots(core, cause);
}

/* Gives a slot and an entry of the window to an operation. */
static void dispatch(struct core *core, uint64_t can_begin) {
  wait_until(core, max(can_begin, core->free_from[core->entry]), &backend);
  wait_until(core, core->fetched, &frontend);
  if (core->slots == 0) next_cycle(core);
  core->slots--;
}

/* ---- Retirement ---- */

static void retire(struct core *core, uint64_t complete) {
  const bool is_full = core->retired_ops == core->params.width;
  const uint64_t cycle = max(complete, core->retired + is_full);
  if (cycle != core->retired) core->retired_ops = 0;
  core->retired = cycle;
  core->retired_ops++;
  core->free_from[core->entry] = cycle + 1;
  if (++core->entry == core->params.window) core->entry = 0;
  core->last_booked = max(core->last_booked, cycle);
}

/* ---- Caches ---- */

/* L1 writes a line to L2, or L2 to memory. */
static void write_back_l2(struct core *core, uint64_t cycle) {
  book(core, COLUMN_L2D_CACHE_WB, cycle, 1);
  book(core, COLUMN_BUS_ACCESS, cycle, 1);
}

/* Returns when the data is there. */
static uint64_t access_l2(struct core *core, uint64_t cycle, uint64_t number, bool is_write) {
  const uint64_t hit = cycle + core->params.l2_cycles;
  book(core, COLUMN_L2D_CACHE, cycle, 1);
  struct cache_line *line = cache_find(&core->l2, number);
  if (!line) {
    book(core, COLUMN_L2D_CACHE_REFILL, cycle, 1);
    book(core, COLUMN_BUS_ACCESS, cycle, 1);
    line = cache_replace(&core->l2, number);
    if (line->is_dirty) write_back_l2(core, cycle);
    *line = (struct cache_line){.holds = number + 1, .ready = hit + core->params.memory_cycles};
  }
  line->is_dirty |= is_write;
  return max(hit, line->ready);
}

static void write_back_l1d(struct core *core, uint64_t cycle, uint64_t number) {
  book(core, COLUMN_L1D_CACHE_WB, cycle, 1);
  access_l2(core, cycle, number, true);
}

/* The cycle in which a port is free. */
static uint64_t port_free(const struct core *core, uint64_t cycle) {
  const unsigned ports = core->params.memory_ports;
  while (columns_count(&core->columns, COLUMN_L1D_CACHE, cycle) >= ports) cycle++;
  return cycle;
}

/* Returns the cycles that a walk takes. */
static unsigned translate(struct core *core, const struct cache *tlb, enum trace_column refill,
                          uint64_t cycle, uint64_t address) {
  const uint64_t page = address / 4096;
  if (cache_find(tlb, page)) return 0;
  book(core, refill, cycle, 1);
  *cache_replace(tlb, page) = (struct cache_line){.holds = page + 1};
  return core->params.walk_cycles;
}

/* Returns when the data is there. */
static uint64_t access_l1d_line(struct core *core, uint64_t can_begin, uint64_t address,
                                bool is_write) {
  const uint64_t number = address >> core->line_shift;
  uint64_t cycle = port_free(core, can_begin);
  book(core, COLUMN_L1D_CACHE, cycle, 1);
  cycle += translate(core, &core->dtlb, COLUMN_L1D_TLB_REFILL, cycle, address);
  const uint64_t hit = cycle + core->params.l1d_cycles;
  struct cache_line *line = cache_find(&core->l1d, number);
  if (!line) {
    book(core, COLUMN_L1D_CACHE_REFILL, cycle, 1);
    line = cache_replace(&core->l1d, number);
    if (line->is_dirty) write_back_l1d(core, hit, line->holds - 1);
    *line = (struct cache_line){.holds = number + 1, .ready = access_l2(core, hit, number, false)};
  }
  line->is_dirty |= is_write;
  core->last_booked = max(core->last_booked, hit);
  return max(hit, line->ready);
}

/* An access that crosses lines accesses each. */
static uint64_t access_l1d(struct core *core, uint64_t can_begin, uint64_t address, unsigned bytes,
                           bool is_write) {
  const uint64_t line_bytes = core->params.line_bytes;
  const uint64_t last = address + bytes - 1;
  uint64_t ready = access_l1d_line(core, can_begin, address, is_write);
  for (uint64_t next = (address | (line_bytes - 1)) + 1; next <= last; next += line_bytes)
    ready = max(ready, access_l1d_line(core, can_begin, next, is_write));
  return ready;
}

/* ---- Fetch ---- */

/* Fetch follows dispatch: it does not run ahead. */
static void fetch(struct core *core, uint64_t pc) {
  const uint64_t number = pc >> core->line_shift;
  if (number == core->line) return;
  core->line = number;
  uint64_t cycle = max(core->cycle, core->fetched);
  book(core, COLUMN_L1I_CACHE, cycle, 1);
  cycle += translate(core, &core->itlb, COLUMN_L1I_TLB_REFILL, cycle, pc);
  struct cache_line *line = cache_find(&core->l1i, number);
  if (!line) {
    book(core, COLUMN_L1I_CACHE_REFILL, cycle, 1);
    line = cache_replace(&core->l1i, number);
    *line =
        (struct cache_line){.holds = number + 1, .ready = access_l2(core, cycle, number, false)};
  }
  core->fetched = max(cycle, line->ready);
}

static void redirect(struct core *core, uint64_t fetched) {
  core->fetched = max(core->fetched, fetched);
  core->line = UINT64_MAX;
}

/* ---- Branches ---- */

static unsigned free_entries(const struct core *core) {
  unsigned count = 0;
  for (unsigned i = 0; i < core->params.window; i++) count += core->free_from[i] <= core->cycle;
  return count;
}

/* Until the branch completes, operations of the wrong path take slots and entries. */
static void follow_wrong_path(struct core *core, uint64_t complete) {
  unsigned room = free_entries(core);
  while (core->cycle < complete && room > 0) {
    const unsigned ops = min(room, core->slots);
    book(core, COLUMN_OP_SPEC, core->cycle, ops);
    book(core, COLUMN_INST_SPEC, core->cycle, ops);
    room -= ops;
    core->slots -= ops;
    if (core->slots == 0) next_cycle(core);
  }
  wait_until(core, complete, &backend);
}

/* A branch that has retired, and whose operation completed in a cycle. */
static void resolve(struct core *core, const struct core_step *step, uint64_t complete) {
  const struct branch branch = {.pc = step->pc,
                                .next = step->next,
                                .is_taken = step->next != step->pc + 4,
                                .flags = step->inst->flags};
  book(core, COLUMN_BR_PRED, core->cycle, 1);
  if (branch.is_taken) book(core, COLUMN_PC_WRITE_SPEC, core->cycle, 1);
  if (branch.flags & TRACE_RETURN) book(core, COLUMN_BR_RETURN_RETIRED, core->retired, 1);
  if (!predictor_learn(&core->predictor, &branch)) {
    book(core, COLUMN_BR_MIS_PRED, complete, 1);
    book(core, COLUMN_BR_MIS_PRED_RETIRED, core->retired, 1);
    follow_wrong_path(core, complete);
    redirect(core, complete + core->params.refill_cycles);
  } else if (branch.is_taken) {
    redirect(core, core->cycle + core->params.taken_cycles);
  }
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

static void targets_ready(struct core *core, const struct trace_instruction *inst, uint64_t begin,
                          uint64_t complete) {
  core->ready[inst->targets[0]] = core->ready[inst->targets[1]] = complete;
  core->ready[inst->base] = begin + core->params.alu_cycles;
  if (has_many_registers(inst))
    core->ready[inst->targets[2]] = core->ready[inst->targets[3]] = complete;
}

/* Returns when the instruction completes. A store does not wait for L1D. */
static uint64_t perform(struct core *core, const struct core_step *step, uint64_t begin) {
  const struct trace_instruction *inst = step->inst;
  const uint64_t complete = begin + core->latencies[inst->kind];
  if (!step->has_address) return complete;
  const bool is_load = inst->kind == TRACE_LOAD;
  const uint64_t ready = access_l1d(core, begin, step->address, inst->bytes, !is_load);
  return is_load || inst->kind == TRACE_ATOMIC ? ready : complete;
}

/* Only a Store-Exclusive that wrote is a store. */
static void end_store_exclusive(struct core *core, const struct core_step *step) {
  if (step->has_address) book(core, COLUMN_ST_RETIRED, core->retired, 1);
}

static void end_system(struct core *core, const struct core_step *step) {
  const unsigned flags = step->inst->flags;
  if (flags & TRACE_EXCEPTION) book(core, COLUMN_EXC_TAKEN, core->retired, 1);
  if (flags & TRACE_SERIALIZES) redirect(core, core->retired + 1);
}

/* The cycles before the current one are done, since fetch and dispatch never look back. */
static void hand_on(struct core *core) {
  if (core->cycle < core->columns.block_done) return;
  columns_hand_on(&core->columns, core->cycle, core->last_booked + 1);
}

/* The further operations of an instruction. What a class books has the first one's dispatch and the
 * last one's retirement. */
static void more_operations(struct core *core, unsigned count, uint64_t complete) {
  for (; count > 0; count--) {
    book(core, COLUMN_OP_RETIRED, core->retired, 1);
    dispatch(core, 0);
    book(core, COLUMN_OP_SPEC, core->cycle, 1);
    retire(core, complete);
  }
}

void core_execute(struct core *core, const struct core_step *step) {
  const struct trace_instruction *inst = step->inst;
  const bool is_in_order = core->params.in_order;
  hand_on(core);
  fetch(core, step->pc);
  const uint64_t sources = sources_ready(core, inst);
  dispatch(core, is_in_order ? sources : 0);
  *columns_at(&core->columns, COLUMN_INST_SPEC, core->cycle) += core->dispatched[inst->kind];
  const uint64_t begin = max(core->cycle + !is_in_order, sources);
  const uint64_t complete = perform(core, step, begin);
  targets_ready(core, inst, begin, complete);
  retire(core, complete);
  if (inst->ops > 1) more_operations(core, inst->ops - 1u, complete);
  *columns_at(&core->columns, COLUMN_INST_RETIRED, core->retired) += core->retires[inst->kind];
  if (inst->kind == TRACE_BRANCH) resolve(core, step, complete);
  if (inst->kind == TRACE_STORE_EXCLUSIVE) end_store_exclusive(core, step);
  if (inst->kind == TRACE_SYSTEM) end_system(core, step);
}

/* ---- Begin and end ---- */

/* A class: its latency, and the columns that it books beside INST_SPEC and OP_SPEC, and beside
 * INST_RETIRED and OP_RETIRED. */
static void set_class(struct core *core, enum trace_class kind, unsigned latency,
                      uint64_t dispatched, uint64_t retires) {
  core->latencies[kind] = latency;
  core->dispatched[kind] =
      dispatched + columns_counts(COLUMN_INST_SPEC, 1) + columns_counts(COLUMN_OP_SPEC, 1);
  core->retires[kind] =
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

bool core_init(struct core *core, const struct core_params *params, columns_sink *sink,
               void *context) {
  const uint64_t lines_of_kib = 1024 / params->line_bytes;
  *core = (struct core){.params = *params, .slots = params->width, .line = UINT64_MAX};
  core->line_shift = (unsigned)__builtin_ctz(params->line_bytes);
  core->free_from = calloc(params->window, sizeof *core->free_from);
  set_classes(core);
  return core->free_from && columns_init(&core->columns, sink, context) &&
         predictor_init(&core->predictor, params) &&
         cache_init(&core->l1i, params->l1i_kib * lines_of_kib, params->l1i_ways) &&
         cache_init(&core->l1d, params->l1d_kib * lines_of_kib, params->l1d_ways) &&
         cache_init(&core->l2, params->l2_kib * lines_of_kib, params->l2_ways) &&
         cache_init(&core->itlb, params->tlb_entries, params->tlb_ways) &&
         cache_init(&core->dtlb, params->tlb_entries, params->tlb_ways);
}

void core_free(struct core *core) {
  free(core->free_from);
  columns_free(&core->columns);
  predictor_free(&core->predictor);
  cache_free(&core->l1i);
  cache_free(&core->l1d);
  cache_free(&core->l2);
  cache_free(&core->itlb);
  cache_free(&core->dtlb);
}

void core_finish(struct core *core) {
  const uint64_t end = core->last_booked + 1;
  wait_until(core, end, &frontend);
  columns_finish(&core->columns, end);
}
