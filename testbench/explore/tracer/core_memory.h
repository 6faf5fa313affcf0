/* Accesses of the core model to its caches. Only core.c includes this: its loop inlines them. */
#ifndef PMUV3_TRACE_CORE_MEMORY_H
#define PMUV3_TRACE_CORE_MEMORY_H

#include "testbench/explore/tracer/core.h"

/* Inlined in the loop over instructions, so that the pipeline stays in registers. */
#define HOT static inline __attribute__((always_inline))

/* Which way the loop is laid out for. */
#define RARELY(condition) __builtin_expect((condition), 0)

/* Stays out of the loop. */
#define COLD static __attribute__((noinline))

static inline uint64_t max(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static inline void book(struct core *core, enum trace_column column, uint64_t cycle,
                        unsigned count) {
  *columns_at(&core->columns, column, cycle) += columns_counts(column, count);
}

/* L1 writes a line to L2, or L2 to memory. */
static inline void write_back_l2(struct core *core, uint64_t cycle) {
  book(core, COLUMN_L2D_CACHE_WB, cycle, 1);
  book(core, COLUMN_BUS_ACCESS, cycle, 1);
}

/* Returns when the data is there. */
COLD uint64_t access_l2(struct core *core, uint64_t cycle, uint64_t number, bool is_write) {
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

static inline void write_back_l1d(struct core *core, uint64_t cycle, uint64_t number) {
  book(core, COLUMN_L1D_CACHE_WB, cycle, 1);
  access_l2(core, cycle, number, true);
}

/* The cycle in which a port is free. */
HOT uint64_t port_free(const struct core *core, uint64_t cycle) {
  const unsigned ports = core->params.memory_ports;
  while (columns_count(&core->columns, COLUMN_L1D_CACHE, cycle) >= ports) cycle++;
  return cycle;
}

COLD void walk(struct core *core, const struct cache *tlb, enum trace_column refill, uint64_t cycle,
               uint64_t page) {
  book(core, refill, cycle, 1);
  *cache_replace(tlb, page) = (struct cache_line){.holds = page + 1};
}

/* Returns when the address is translated. */
HOT uint64_t translate(struct core *core, const struct cache *tlb, enum trace_column refill,
                       uint64_t cycle, uint64_t address) {
  const uint64_t page = address / 4096;
  if (cache_find(tlb, page)) return cycle;
  walk(core, tlb, refill, cycle, page);
  return cycle + core->params.walk_cycles;
}

COLD struct cache_line *refill_l1d(struct core *core, uint64_t cycle, uint64_t number) {
  struct cache_line *line = cache_replace(&core->l1d, number);
  if (line->is_dirty) write_back_l1d(core, cycle, line->holds - 1);
  *line = (struct cache_line){.holds = number + 1, .ready = access_l2(core, cycle, number, false)};
  return line;
}

/* Returns when the data is there. */
HOT uint64_t hit_l1d(struct core *core, struct cache_line *line, uint64_t cycle, bool is_write) {
  const uint64_t hit = cycle + core->params.l1d_cycles;
  line->is_dirty |= is_write;
  core->last_booked = max(core->last_booked, hit);
  return max(hit, line->ready);
}

/* Accesses the lines of an access, one behind the other. */
COLD uint64_t access_l1d_lines(struct core *core, uint64_t can_begin, uint64_t address,
                               uint64_t last, bool is_write) {
  uint64_t ready = 0;
  for (; address <= last; address = (address & core->line_mask) + core->params.line_bytes) {
    const uint64_t number = address >> core->line_shift;
    const uint64_t begin = port_free(core, can_begin);
    book(core, COLUMN_L1D_CACHE, begin, 1);
    const uint64_t cycle = translate(core, &core->dtlb, COLUMN_L1D_TLB_REFILL, begin, address);
    struct cache_line *line = cache_find(&core->l1d, number);
    if (!line) {
      book(core, COLUMN_L1D_CACHE_REFILL, cycle, 1);
      line = refill_l1d(core, cycle + core->params.l1d_cycles, number);
    }
    ready = max(ready, hit_l1d(core, line, cycle, is_write));
  }
  return ready;
}

/* The usual access is in one line, and finds its page and its line first in their sets. */
COLD uint64_t access_l1d(struct core *core, uint64_t can_begin, uint64_t address, unsigned bytes,
                         bool is_write) {
  const uint64_t last = address + bytes - 1, number = address >> core->line_shift;
  struct cache_line *line = cache_set(&core->l1d, number);
  if (((address ^ last) & core->line_mask) != 0 || line->holds != number + 1 ||
      !cache_is_first(&core->dtlb, address / 4096))
    return access_l1d_lines(core, can_begin, address, last, is_write);
  const uint64_t begin = port_free(core, can_begin);
  book(core, COLUMN_L1D_CACHE, begin, 1);
  return hit_l1d(core, line, begin, is_write);
}

COLD struct cache_line *refill_l1i(struct core *core, uint64_t cycle, uint64_t number) {
  struct cache_line *line = cache_replace(&core->l1i, number);
  book(core, COLUMN_L1I_CACHE_REFILL, cycle, 1);
  *line = (struct cache_line){.holds = number + 1, .ready = access_l2(core, cycle, number, false)};
  return line;
}

/* Returns when the line is there. */
HOT uint64_t access_l1i(struct core *core, uint64_t begin, uint64_t pc) {
  const uint64_t number = pc >> core->line_shift;
  book(core, COLUMN_L1I_CACHE, begin, 1);
  const uint64_t cycle = translate(core, &core->itlb, COLUMN_L1I_TLB_REFILL, begin, pc);
  struct cache_line *line = cache_find(&core->l1i, number);
  if (!line) line = refill_l1i(core, cycle, number);
  return max(cycle, line->ready);
}

#endif
