/*
 * A64 instructions as the core model sees them: a class, registers, accesses to memory. The decoder
 * takes an instruction as executable; QEMU decides whether the instruction is UNDEFINED. QEMU runs
 * the program as a Neoverse N1, which has no CFINV, AXFLAG, XAFLAG, FJCVTZS and RNDR. The decoder
 * does not know that these access flags.
 */
#ifndef PMUV3_TRACE_DECODE_H
#define PMUV3_TRACE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* What an instruction does. */
enum trace_class {
  TRACE_ALU,
  TRACE_MULTIPLY,
  TRACE_DIVIDE,
  TRACE_FP,
  TRACE_FP_DIVIDE,
  TRACE_VECTOR,
  TRACE_CRYPTO,
  TRACE_SYSTEM,
  TRACE_SERIALIZING, /* SVC, BRK, ISB: the next instruction waits until it has retired */
  TRACE_BRANCH,
  TRACE_CLEAR, /* DC ZVA: a store, but QEMU does not tell where */
  TRACE_LOAD,
  TRACE_STORE,
  TRACE_STORE_EXCLUSIVE, /* a store that may fail, and then does not access memory */
  TRACE_ATOMIC,          /* a load and a store */
  TRACE_NUM_CLASSES
};

enum trace_flag {
  /* Of branches. */
  TRACE_CONDITIONAL = 1 << 0,
  TRACE_INDIRECT = 1 << 1, /* the target is in a register */
  TRACE_CALL = 1 << 2,     /* writes the link register */
  TRACE_RETURN = 1 << 3,
  /* Of TRACE_SERIALIZING. */
  TRACE_EXCEPTION = 1 << 4, /* all of them but ISB */
};

/* Registers: 0..30 are X0..X30. */
enum trace_register {
  TRACE_SP = 31,
  TRACE_V0 = 32, /* 32..63 are V0..V31 */
  TRACE_NZCV = 64,
  TRACE_NO_SOURCE, /* always ready */
  TRACE_NO_TARGET, /* nobody reads it */
  TRACE_NUM_REGISTERS
};

/* ST4 reads four vectors, its base and, post-indexed, the index. */
enum { TRACE_NUM_SOURCES = 6, TRACE_NUM_TARGETS = 4 };

struct trace_instruction {
  uint8_t kind; /* enum trace_class */
  uint8_t flags;
  uint8_t ops;   /* operations, 1..5 */
  uint8_t bytes; /* of its access to memory */
  uint8_t sources[TRACE_NUM_SOURCES];
  uint8_t targets[TRACE_NUM_TARGETS];
  uint8_t base;   /* written back: ready before what is loaded */
  uint8_t unused; /* an index becomes an address by a shift */
};

/* An access to memory in a word: the index of its instruction in a block, whether the instruction
 * needs more accesses, and the address. */
enum { TRACE_ADDRESS_BITS = 51, TRACE_INDEX_PLACE = 52 };
#define TRACE_NEEDS_MORE (UINT64_C(1) << TRACE_ADDRESS_BITS)

static inline uint64_t trace_access_index(uint64_t access) {
  return access >> TRACE_INDEX_PLACE;
}

static inline uint64_t trace_access_address(uint64_t access) {
  return access & ((UINT64_C(1) << TRACE_ADDRESS_BITS) - 1);
}

struct trace_instruction trace_decode(uint32_t opcode);

/* Whether the instruction accesses memory, unless it faults. Others may do so. */
static inline bool trace_must_access(const struct trace_instruction *inst) {
  return inst->kind == TRACE_LOAD || inst->kind == TRACE_STORE || inst->kind == TRACE_ATOMIC;
}

#endif
