/* The groups are those of the Arm Architecture Reference Manual, C4.1 "A64 instruction set
 * encoding". */
#include "testbench/explore/tracer/decode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ---- */

static uint32_t field(uint32_t opcode, unsigned high, unsigned low) {
  return opcode >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static bool bit(uint32_t opcode, unsigned n) {
  return opcode >> n & 1;
}

static unsigned rd(uint32_t opcode) {
  return field(opcode, 4, 0);
}

static unsigned rn(uint32_t opcode) {
  return field(opcode, 9, 5);
}

static unsigned ra(uint32_t opcode) {
  return field(opcode, 14, 10);
}

static unsigned rm(uint32_t opcode) {
  return field(opcode, 20, 16);
}

/* ---- What an instruction is made of ---- */

/* Puts a register in the first place of `room` that has none. A register without a place would be
 * one that nobody waits for. */
static void add_register(uint8_t *registers, unsigned room, uint8_t none, unsigned reg) {
  unsigned place = 0;
  while (place < room && registers[place] != none) place++;
  if (place == room) abort();
  registers[place] = (uint8_t)reg;
}

static void reads(struct trace_instruction *inst, unsigned reg) {
  add_register(inst->sources, TRACE_NUM_SOURCES, TRACE_NO_SOURCE, reg);
}

static void writes(struct trace_instruction *inst, unsigned reg) {
  add_register(inst->targets, TRACE_NUM_TARGETS, TRACE_NO_TARGET, reg);
}

/* Of general registers, number 31 is the zero register: nothing is read or written. */
static void reads_x(struct trace_instruction *inst, unsigned reg) {
  if (reg != 31) reads(inst, reg);
}

static void writes_x(struct trace_instruction *inst, unsigned reg) {
  if (reg != 31) writes(inst, reg);
}

static void reads_v(struct trace_instruction *inst, unsigned reg) {
  reads(inst, TRACE_V0 + reg);
}

static void writes_v(struct trace_instruction *inst, unsigned reg) {
  writes(inst, TRACE_V0 + reg);
}

static void sets_flags_if(struct trace_instruction *inst, bool sets) {
  if (sets) writes(inst, TRACE_NZCV);
}

/* ---- Data processing -- immediate ---- */

/* Here number 31 of Rn and Rd is SP, which the numbering of registers has. */
static void add_immediate(struct trace_instruction *inst, uint32_t opcode) {
  const bool sets_flags = bit(opcode, 29);
  reads(inst, rn(opcode));
  if (sets_flags)
    writes_x(inst, rd(opcode));
  else
    writes(inst, rd(opcode));
  sets_flags_if(inst, sets_flags);
}

static void logical_immediate(struct trace_instruction *inst, uint32_t opcode) {
  const bool sets_flags = field(opcode, 30, 29) == 3;
  reads_x(inst, rn(opcode));
  if (sets_flags)
    writes_x(inst, rd(opcode));
  else
    writes(inst, rd(opcode));
  sets_flags_if(inst, sets_flags);
}

/* MOVK keeps bits of its target. */
static void move_wide(struct trace_instruction *inst, uint32_t opcode) {
  if (field(opcode, 30, 29) == 3) reads_x(inst, rd(opcode));
  writes_x(inst, rd(opcode));
}

/* BFM keeps bits of its target. */
static void bitfield(struct trace_instruction *inst, uint32_t opcode) {
  reads_x(inst, rn(opcode));
  if (field(opcode, 30, 29) == 1) reads_x(inst, rd(opcode));
  writes_x(inst, rd(opcode));
}

static void extract(struct trace_instruction *inst, uint32_t opcode) {
  reads_x(inst, rn(opcode));
  reads_x(inst, rm(opcode));
  writes_x(inst, rd(opcode));
}

static void data_immediate(struct trace_instruction *inst, uint32_t opcode) {
  switch (field(opcode, 25, 23)) {
    case 0: /* ADR, ADRP */
    case 1:
      writes_x(inst, rd(opcode));
      return;
    case 2:
    case 3:
      add_immediate(inst, opcode);
      return;
    case 4:
      logical_immediate(inst, opcode);
      return;
    case 5:
      move_wide(inst, opcode);
      return;
    case 6:
      bitfield(inst, opcode);
      return;
    default:
      extract(inst, opcode);
      return;
  }
}

/* ---- Data processing -- register ---- */

static void two_sources(struct trace_instruction *inst, uint32_t opcode, bool sets_flags) {
  reads_x(inst, rn(opcode));
  reads_x(inst, rm(opcode));
  writes_x(inst, rd(opcode));
  sets_flags_if(inst, sets_flags);
}

/* ADD and SUB with an extended register take SP, as number 31 of Rn and Rd. */
static void add_extended(struct trace_instruction *inst, uint32_t opcode) {
  add_immediate(inst, opcode);
  reads_x(inst, rm(opcode));
}

static void multiply_add(struct trace_instruction *inst, uint32_t opcode) {
  inst->kind = TRACE_MULTIPLY;
  two_sources(inst, opcode, false);
  reads_x(inst, ra(opcode));
}

/* UDIV and SDIV are 00001x. */
static void data_2_source(struct trace_instruction *inst, uint32_t opcode) {
  if (field(opcode, 15, 11) == 1) inst->kind = TRACE_DIVIDE;
  two_sources(inst, opcode, bit(opcode, 29));
}

static void data_1_source(struct trace_instruction *inst, uint32_t opcode) {
  reads_x(inst, rn(opcode));
  writes_x(inst, rd(opcode));
}

/* ADC and SBC. RMIF, SETF8 and SETF16 write flags alone. */
static void with_carry(struct trace_instruction *inst, uint32_t opcode) {
  reads(inst, TRACE_NZCV);
  reads_x(inst, rn(opcode));
  if (field(opcode, 15, 10) == 0) {
    reads_x(inst, rm(opcode));
    writes_x(inst, rd(opcode));
  }
  sets_flags_if(inst, bit(opcode, 29));
}

static void conditional_compare(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_immediate = bit(opcode, 11);
  reads(inst, TRACE_NZCV);
  reads_x(inst, rn(opcode));
  if (!is_immediate) reads_x(inst, rm(opcode));
  writes(inst, TRACE_NZCV);
}

static void conditional_select(struct trace_instruction *inst, uint32_t opcode) {
  reads(inst, TRACE_NZCV);
  two_sources(inst, opcode, false);
}

static void data_register(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned group = field(opcode, 24, 21);
  if (!bit(opcode, 28)) {
    const bool is_logical = !bit(opcode, 24);
    if (is_logical)
      two_sources(inst, opcode, field(opcode, 30, 29) == 3);
    else if (bit(opcode, 21))
      add_extended(inst, opcode);
    else
      two_sources(inst, opcode, bit(opcode, 29));
  } else if (group >= 8) {
    multiply_add(inst, opcode);
  } else if (group == 6) {
    if (bit(opcode, 30))
      data_1_source(inst, opcode);
    else
      data_2_source(inst, opcode);
  } else if (group == 4) {
    conditional_select(inst, opcode);
  } else if (group == 2) {
    conditional_compare(inst, opcode);
  } else {
    with_carry(inst, opcode);
  }
}

/* ---- Branches, exceptions, System instructions ---- */

static void branch(struct trace_instruction *inst, unsigned flags) {
  inst->kind = TRACE_BRANCH;
  inst->flags = (uint8_t)flags;
  if (flags & TRACE_CALL) writes(inst, 30);
}

/* BR, BLR and RET, also those that authenticate. ERET is not for EL0. */
static void branch_register(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned which = field(opcode, 22, 21);
  branch(inst, TRACE_INDIRECT | (which == 1 ? TRACE_CALL : 0u) | (which == 2 ? TRACE_RETURN : 0u));
  reads_x(inst, rn(opcode));
}

/* SVC and BRK. HVC, SMC, HLT and DCPS are not for EL0. */
static void exception(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_svc = (opcode & 0xFFE0001F) == 0xD4000001;
  const bool is_brk = (opcode & 0xFFE0001F) == 0xD4200000;
  inst->kind = TRACE_SYSTEM;
  if (!is_svc && !is_brk) return;
  inst->kind = TRACE_SERIALIZING;
  inst->flags = TRACE_EXCEPTION;
}

static enum trace_class system_class(uint32_t opcode) {
  const bool is_isb = (opcode & 0xFFFFF0FF) == 0xD50330DF;
  const bool is_dc_zva = (opcode & 0xFFFFFFE0) == 0xD50B7420;
  if (is_isb) return TRACE_SERIALIZING;
  return is_dc_zva ? TRACE_CLEAR : TRACE_SYSTEM;
}

/* NZCV is the one System register whose value is waited for. */
static void system_instruction(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_hint = field(opcode, 31, 12) == 0xD5032;
  const bool is_read = bit(opcode, 21); /* MRS, SYSL */
  const bool is_nzcv = (opcode & 0xFFDFFFE0) == 0xD51B4200;
  if (is_hint) return;
  inst->kind = (uint8_t)system_class(opcode);
  if (is_read) {
    if (is_nzcv) reads(inst, TRACE_NZCV);
    writes_x(inst, rd(opcode));
  } else {
    reads_x(inst, rd(opcode));
    sets_flags_if(inst, is_nzcv);
  }
}

static void branch_or_system(struct trace_instruction *inst, uint32_t opcode) {
  if (field(opcode, 30, 26) == 0x05) { /* B, BL */
    branch(inst, bit(opcode, 31) ? TRACE_CALL : 0);
  } else if (field(opcode, 30, 25) == 0x1A || field(opcode, 30, 25) == 0x1B) { /* CBZ, TBZ, ... */
    branch(inst, TRACE_CONDITIONAL);
    reads_x(inst, rd(opcode));
  } else if (field(opcode, 31, 25) == 0x2A) { /* B.cond, BC.cond */
    branch(inst, TRACE_CONDITIONAL);
    reads(inst, TRACE_NZCV);
  } else if (field(opcode, 31, 25) == 0x6B) {
    branch_register(inst, opcode);
  } else if (field(opcode, 31, 24) == 0xD4) {
    exception(inst, opcode);
  } else {
    system_instruction(inst, opcode);
  }
}

/* ---- Loads and stores ---- */

/* The register with the address. To write it back takes a further operation. */
static void base(struct trace_instruction *inst, uint32_t opcode, bool is_written_back) {
  reads(inst, rn(opcode));
  if (!is_written_back) return;
  inst->base = (uint8_t)rn(opcode);
  inst->ops++;
}

static void memory(struct trace_instruction *inst, enum trace_class kind, unsigned bytes) {
  inst->kind = (uint8_t)kind;
  inst->bytes = (uint8_t)bytes;
}

/* A register that is loaded or stored. */
static void transfers(struct trace_instruction *inst, unsigned reg, bool is_vector, bool is_load) {
  if (reg == 31 && !is_vector) return;
  if (is_vector) reg += TRACE_V0;
  if (is_load)
    writes(inst, reg);
  else
    reads(inst, reg);
}

/* CAS and CASP. The registers of a pair are an even one and the next one. */
static void compare_and_swap(struct trace_instruction *inst, uint32_t opcode, bool is_pair) {
  const unsigned bytes = is_pair ? (bit(opcode, 30) ? 16 : 8) : 1u << field(opcode, 31, 30);
  memory(inst, TRACE_ATOMIC, bytes);
  for (unsigned i = 0; i <= is_pair; i++) {
    reads_x(inst, rm(opcode) | i);
    reads_x(inst, rd(opcode) | i);
    writes_x(inst, rm(opcode) | i);
  }
}

/* LDXR, STXR, LDAR, STLR, CAS and their pairs. */
static void exclusive(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_load = bit(opcode, 22), is_ordered = bit(opcode, 23);
  const bool is_compare_and_swap =
      is_ordered ? bit(opcode, 21) : bit(opcode, 21) && !bit(opcode, 31);
  const bool is_pair = !is_ordered && bit(opcode, 21) && !is_compare_and_swap;
  const unsigned bytes = 1u << field(opcode, 31, 30);
  reads(inst, rn(opcode));
  if (is_compare_and_swap) {
    compare_and_swap(inst, opcode, !is_ordered);
    return;
  }
  memory(inst, is_load ? TRACE_LOAD : TRACE_STORE, is_pair ? 2 * bytes : bytes);
  transfers(inst, rd(opcode), false, is_load);
  if (is_pair) transfers(inst, ra(opcode), false, is_load);
  if (is_load || is_ordered) return;
  inst->kind = TRACE_STORE_EXCLUSIVE;
  writes_x(inst, rm(opcode)); /* whether the store succeeded */
}

/* By the opcode. Those that are 0 are not allocated. */
static const uint8_t whole_structure_registers[16] = {
    [0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};

static unsigned single_structure_registers(uint32_t opcode) {
  return 1 + bit(opcode, 21) + 2u * bit(opcode, 13);
}

/* LD1R and others load the same element into all places of a register. */
static bool is_replicated(uint32_t opcode) {
  return field(opcode, 15, 14) == 3;
}

static unsigned element_bytes(uint32_t opcode) {
  if (is_replicated(opcode)) return 1u << field(opcode, 11, 10);
  if (field(opcode, 15, 14) == 2) return bit(opcode, 10) ? 8 : 4;
  return 1u << field(opcode, 15, 14);
}

/* LD1 to LD4 and ST1 to ST4: an operation for each register. The load of one element keeps the
 * others. Rm is the index behind the access; number 31 stands for an immediate one. */
static void vector_structures(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_single = bit(opcode, 24), is_load = bit(opcode, 22),
             is_written_back = bit(opcode, 23);
  const bool keeps_elements = is_single && is_load && !is_replicated(opcode);
  const unsigned registers = is_single ? single_structure_registers(opcode)
                                       : whole_structure_registers[field(opcode, 15, 12)];
  const unsigned bytes = is_single ? element_bytes(opcode) : bit(opcode, 30) ? 16 : 8;
  memory(inst, is_load ? TRACE_LOAD : TRACE_STORE, registers * bytes);
  inst->ops = (uint8_t)registers;
  for (unsigned i = 0; i < registers; i++) {
    const unsigned reg = (rd(opcode) + i) % 32;
    transfers(inst, reg, true, is_load);
    if (keeps_elements) reads_v(inst, reg);
  }
  base(inst, opcode, is_written_back);
  if (is_written_back) reads_x(inst, rm(opcode));
}

static void literal(struct trace_instruction *inst, uint32_t opcode) {
  static const uint8_t bytes[2][4] = {{4, 8, 4, 0}, {4, 8, 16, 0}};
  const bool is_vector = bit(opcode, 26);
  const unsigned size = field(opcode, 31, 30);
  const bool is_prefetch = !is_vector && size == 3;
  if (is_prefetch) return;
  memory(inst, TRACE_LOAD, bytes[is_vector][size]);
  transfers(inst, rd(opcode), is_vector, true);
}

/* LDP and STP: two operations. */
static void pair(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_vector = bit(opcode, 26), is_load = bit(opcode, 22);
  const unsigned size = field(opcode, 31, 30);
  const unsigned bytes = is_vector ? 4u << size : size & 2 ? 8 : 4;
  const bool is_written_back = bit(opcode, 23); /* post-index, pre-index */
  memory(inst, is_load ? TRACE_LOAD : TRACE_STORE, 2 * bytes);
  inst->ops = 2;
  transfers(inst, rd(opcode), is_vector, is_load);
  transfers(inst, ra(opcode), is_vector, is_load);
  base(inst, opcode, is_written_back);
}

/* LDADD, SWP and others. Those that return no value, such as STADD, are stores (D14.1,
 * Memory-reading instructions). LDAPR only loads. */
static void atomic(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_other = bit(opcode, 15), is_acquire = bit(opcode, 23);
  const bool is_ldapr = is_other && field(opcode, 14, 12) == 4;
  const bool is_store = !is_other && !is_acquire && rd(opcode) == 31;
  const enum trace_class kind = is_ldapr ? TRACE_LOAD : is_store ? TRACE_STORE : TRACE_ATOMIC;
  memory(inst, kind, 1u << field(opcode, 31, 30));
  reads(inst, rn(opcode));
  if (!is_ldapr) reads_x(inst, rm(opcode));
  writes_x(inst, rd(opcode));
}

static void single(struct trace_instruction *inst, uint32_t opcode, bool is_written_back) {
  const bool is_vector = bit(opcode, 26);
  const unsigned size = field(opcode, 31, 30), kind = field(opcode, 23, 22);
  const bool is_prefetch = !is_vector && size == 3 && kind == 2;
  const bool is_load = is_vector ? kind & 1 : kind != 0;
  if (is_prefetch) return;
  memory(inst, is_load ? TRACE_LOAD : TRACE_STORE, is_vector && kind & 2 ? 16 : 1u << size);
  transfers(inst, rd(opcode), is_vector, is_load);
  base(inst, opcode, is_written_back);
}

/* LDAPUR and STLUR. Instructions that access tags or copy memory are not modelled. */
static void ordered_unscaled(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_tag_or_copy = bit(opcode, 21) || field(opcode, 11, 10) != 0;
  if (!is_tag_or_copy) single(inst, opcode, false);
}

/* LDRAA and LDRAB. */
static void authenticated(struct trace_instruction *inst, uint32_t opcode) {
  memory(inst, TRACE_LOAD, 8);
  writes_x(inst, rd(opcode));
  base(inst, opcode, bit(opcode, 11));
}

static void load_store_register(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned form = field(opcode, 11, 10);
  const bool is_unsigned_immediate = bit(opcode, 24);
  if (is_unsigned_immediate) {
    single(inst, opcode, false);
  } else if (!bit(opcode, 21)) {
    single(inst, opcode, form == 1 || form == 3);
  } else if (form == 0) {
    atomic(inst, opcode);
  } else if (form == 2) {
    single(inst, opcode, false);
    if (inst->kind != TRACE_ALU) reads_x(inst, rm(opcode));
  } else {
    authenticated(inst, opcode);
  }
}

static void load_store(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_late = bit(opcode, 24);
  switch (field(opcode, 29, 28)) {
    case 0:
      if (bit(opcode, 26))
        vector_structures(inst, opcode);
      else
        exclusive(inst, opcode);
      return;
    case 1:
      if (is_late)
        ordered_unscaled(inst, opcode);
      else
        literal(inst, opcode);
      return;
    case 2:
      pair(inst, opcode);
      return;
    default:
      load_store_register(inst, opcode);
      return;
  }
}

/* ---- Scalar floating-point ---- */

/* FMOV, FCVTZS, SCVTF and others between general and vector registers. The opcodes 0, 1, 4, 5 and
 * the FMOV 6 make a general register of a vector register; 2, 3 and 7 the other way. An FMOV to the
 * top half of a register keeps the other half. */
static void convert(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned kind = field(opcode, 18, 16);
  const bool from_general = kind == 2 || kind == 3 || kind == 7;
  const bool is_top_half = field(opcode, 23, 22) == 2;
  if (from_general) {
    reads_x(inst, rn(opcode));
    if (is_top_half) reads_v(inst, rd(opcode));
    writes_v(inst, rd(opcode));
  } else {
    reads_v(inst, rn(opcode));
    writes_x(inst, rd(opcode));
  }
}

/* FDIV, FSQRT. */
static bool is_fp_divide(uint32_t opcode) {
  const bool is_divide = field(opcode, 15, 10) == 0x06;
  const bool is_root = field(opcode, 20, 15) == 0x03 && field(opcode, 14, 10) == 0x10;
  return bit(opcode, 21) && (is_divide || is_root);
}

static void scalar_fp(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_fused = bit(opcode, 24);
  const unsigned low = field(opcode, 11, 10);
  inst->kind = is_fp_divide(opcode) && !is_fused ? TRACE_FP_DIVIDE : TRACE_FP;
  const bool is_immediate = field(opcode, 12, 10) == 4;
  if (is_fused) { /* FMADD and others */
    reads_v(inst, ra(opcode));
  } else if (!bit(opcode, 21) || field(opcode, 15, 10) == 0) {
    convert(inst, opcode);
    return;
  } else if (field(opcode, 15, 10) == 0x08) { /* FCMP */
    const bool is_with_zero = bit(opcode, 3);
    reads_v(inst, rn(opcode));
    if (!is_with_zero) reads_v(inst, rm(opcode));
    writes(inst, TRACE_NZCV);
    return;
  } else if (low == 1) { /* FCCMP */
    reads(inst, TRACE_NZCV);
    reads_v(inst, rn(opcode));
    reads_v(inst, rm(opcode));
    writes(inst, TRACE_NZCV);
    return;
  } else if (low == 3) { /* FCSEL */
    reads(inst, TRACE_NZCV);
  }
  if (is_fused || !is_immediate) reads_v(inst, rn(opcode));
  if (is_fused || low >= 2) reads_v(inst, rm(opcode));
  writes_v(inst, rd(opcode));
}

/* ---- Advanced SIMD ---- */

/* Rn and Rd are vectors. Rd is a source, too, if the instruction adds to it or keeps bits of it. */
static void of_one_vector(struct trace_instruction *inst, uint32_t opcode, bool reads_target) {
  reads_v(inst, rn(opcode));
  if (reads_target) reads_v(inst, rd(opcode));
  writes_v(inst, rd(opcode));
}

static void of_two_vectors(struct trace_instruction *inst, uint32_t opcode, bool reads_target) {
  reads_v(inst, rm(opcode));
  of_one_vector(inst, opcode, reads_target);
}

/* Of instructions that narrow: XTN2 and others write the upper half of Rd, and keep the lower one.
 * Scalar instructions have no such form. */
static bool is_upper_half(uint32_t opcode) {
  const bool is_scalar = bit(opcode, 28);
  return bit(opcode, 30) && !is_scalar;
}

/* DUP, INS, SMOV and UMOV move between vector and general registers. INS keeps other elements. */
static void copy(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned kind = field(opcode, 14, 11);
  const bool is_ins_element = bit(opcode, 29), is_ins_general = !is_ins_element && kind == 3;
  const bool from_general = is_ins_general || (!is_ins_element && kind == 1),
             to_general = !is_ins_element && (kind == 5 || kind == 7);
  if (from_general)
    reads_x(inst, rn(opcode));
  else
    reads_v(inst, rn(opcode));
  if (is_ins_element || is_ins_general) reads_v(inst, rd(opcode));
  if (to_general)
    writes_x(inst, rd(opcode));
  else
    writes_v(inst, rd(opcode));
}

/* TBL and TBX: a table of one to four registers. TBX keeps elements whose index is out of range. */
static void table_lookup(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned more = field(opcode, 14, 13);
  const bool is_tbx = bit(opcode, 12);
  of_two_vectors(inst, opcode, is_tbx);
  for (unsigned i = 1; i <= more; i++) reads_v(inst, (rn(opcode) + i) % 32);
}

/* Three same, also of half precision: FMLA and FMLS, which are 001. */
static bool half_reads_target(uint32_t opcode) {
  return field(opcode, 13, 11) == 1 && !bit(opcode, 29);
}

/* Three-register extension: all but FCADD, which is 11x0, add to Rd. */
static bool extension_reads_target(uint32_t opcode) {
  return field(opcode, 14, 13) != 3 || bit(opcode, 11);
}

/* Three same: MLA, SABA, FMLA and FMLAL add to Rd. BSL, BIT and BIF select bits of it. */
static bool three_same_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 15, 11);
  const bool has_u = bit(opcode, 29), is_mla = kind == 0x12, is_saba = kind == 0x0F,
             is_fmla = kind == 0x19, is_fmlal = kind == 0x1D && !has_u,
             is_select = kind == 0x03 && has_u && field(opcode, 23, 22) != 0;
  return is_mla || is_saba || is_fmla || is_fmlal || is_select;
}

/* Three different: SMLAL, SQDMLAL and their subtractions are 10xx. */
static bool three_different_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 15, 12);
  const bool is_mlal = (kind & 0xC) == 0x8, is_sabal = kind == 0x5,
             is_addhn = (kind & 0xD) == 0x4; /* SUBHN, too */
  return is_mlal || is_sabal || (is_addhn && is_upper_half(opcode));
}

/* Two-register miscellaneous: XTN, SQXTN and FCVTN narrow. */
static bool miscellaneous_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 16, 12);
  const bool is_suqadd = kind == 0x03, is_sadalp = kind == 0x06,
             narrows = kind == 0x12 || kind == 0x14 || kind == 0x16;
  return is_suqadd || is_sadalp || (narrows && is_upper_half(opcode));
}

/* AESE and AESD; SHA1SU1 and SHA256SU0. AESMC, AESIMC and SHA1H read Rn alone. */
static bool crypto_pair_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 16, 12);
  return kind == 0x04 || kind == 0x05 || kind == 0x01 || kind == 0x02;
}

/* Groups of one register. Those that are not named here, such as across lanes, write all of Rd. */
static bool one_register_reads_target(uint32_t opcode) {
  switch (field(opcode, 20, 17)) {
    case 0x0:
      return miscellaneous_reads_target(opcode);
    case 0x4:
      return crypto_pair_reads_target(opcode);
    default:
      return false;
  }
}

/* Shift by immediate: SSRA and SRSRA add to Rd, SRI and SLI keep bits of it. 100xx narrows. */
static bool shift_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 15, 11);
  const bool is_ssra = kind == 0x02 || kind == 0x06, is_sri = kind == 0x08,
             is_sli = kind == 0x0A && bit(opcode, 29), narrows = (kind & 0x1C) == 0x10;
  return is_ssra || is_sri || is_sli || (narrows && is_upper_half(opcode));
}

/* MOVI, MVNI and FMOV; ORR and BIC keep bits of Rd. */
static void modified_immediate(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned cmode = field(opcode, 15, 12);
  const bool is_logical = cmode < 0xC && cmode & 1;
  if (is_logical) reads_v(inst, rd(opcode));
  writes_v(inst, rd(opcode));
}

/* By element: FMUL, MUL, SMULL, SQDMULL, SQDMULH only multiply. All others add to Rd. */
static bool element_reads_target(uint32_t opcode) {
  const unsigned kind = field(opcode, 15, 12);
  const bool only_multiplies =
      bit(opcode, 29) ? kind >= 0x9 && kind <= 0xB : kind >= 0x8 && kind <= 0xD;
  return !only_multiplies;
}

/* By element: an index of halfwords takes the fifth bit of Rm. SDOT, USDOT, BFDOT and FCMLA have
 * wider elements. BFMLALB has BFDOT's opcode and size 3. */
static bool is_index_of_halfwords(uint32_t opcode) {
  const bool has_u = bit(opcode, 29);
  const unsigned size = field(opcode, 23, 22), kind = field(opcode, 15, 12);
  const bool is_dot = kind == 0xE || (kind == 0xF && !has_u), is_fcmla = has_u && (kind & 0x9) == 1,
             is_fmlal = size == 2 && (kind & 0xB) == (has_u ? 0x8 : 0x0);
  if (is_dot) return size == 3;
  return (size < 2 && !is_fcmla) || is_fmlal;
}

static void by_element(struct trace_instruction *inst, uint32_t opcode) {
  reads_v(inst, rm(opcode) & (is_index_of_halfwords(opcode) ? 0xF : 0x1F));
  of_one_vector(inst, opcode, element_reads_target(opcode));
}

/* AES and the SHA instructions of two registers. */
static bool is_crypto_pair(uint32_t opcode) {
  const uint32_t fixed = opcode & 0xFF3E0C00;
  return fixed == 0x4E280800 || fixed == 0x5E280800;
}

/* SHA512, SHA3, SM3, SM4. */
static bool is_late_crypto(uint32_t opcode) {
  return field(opcode, 31, 24) == 0xCE;
}

static bool is_crypto(uint32_t opcode) {
  const bool is_sha_of_three = (opcode & 0xFF208C00) == 0x5E000000;
  return is_crypto_pair(opcode) || is_sha_of_three || is_late_crypto(opcode);
}

/* Bits 23:21 are the group: 0 to 3 with bit 15 = 0 have four registers, 2 is SM3TT1A and others, 3
 * is SHA512H and others, 4 is XAR, and 6 is SHA512SU0 and SM4E, of two registers. */
static void late_crypto(struct trace_instruction *inst, uint32_t opcode) {
  const unsigned group = field(opcode, 23, 21), kind = field(opcode, 11, 10);
  const bool is_of_four = group < 4 && !bit(opcode, 15);
  const bool is_rax1 = !bit(opcode, 14) && kind == 3, is_sm4ekey = bit(opcode, 14) && kind == 2;
  const bool is_new = is_of_four || group == 4 || (group == 3 && (is_rax1 || is_sm4ekey));
  if (is_of_four) reads_v(inst, ra(opcode));
  if (group == 6)
    of_one_vector(inst, opcode, true);
  else
    of_two_vectors(inst, opcode, !is_new);
}

/* Bit 24 is 1. */
static void element_or_immediate(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_scalar = bit(opcode, 28);
  if (!bit(opcode, 10))
    by_element(inst, opcode);
  else if (!is_scalar && field(opcode, 22, 19) == 0)
    modified_immediate(inst, opcode);
  else
    of_one_vector(inst, opcode, shift_reads_target(opcode));
}

/* Bit 24 is 0 and bit 21 is 1. */
static void arithmetic(struct trace_instruction *inst, uint32_t opcode) {
  if (bit(opcode, 10))
    of_two_vectors(inst, opcode, three_same_reads_target(opcode));
  else if (!bit(opcode, 11))
    of_two_vectors(inst, opcode, three_different_reads_target(opcode));
  else
    of_one_vector(inst, opcode, one_register_reads_target(opcode));
}

/* Bits 24 and 21 are 0. Without bit 10: SHA1C and others of three registers, tables, ZIP1 and EXT.
 */
static void other_vectors(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_table = !bit(opcode, 29) && !bit(opcode, 11);
  if (bit(opcode, 10) && bit(opcode, 15))
    of_two_vectors(inst, opcode, extension_reads_target(opcode));
  else if (bit(opcode, 10) && bit(opcode, 22))
    of_two_vectors(inst, opcode, half_reads_target(opcode));
  else if (bit(opcode, 10))
    copy(inst, opcode);
  else if (is_crypto(opcode))
    of_two_vectors(inst, opcode, true);
  else if (is_table)
    table_lookup(inst, opcode);
  else
    of_two_vectors(inst, opcode, false);
}

/* Scalar instructions have the opcodes of the vectors' group. */
static void vector(struct trace_instruction *inst, uint32_t opcode) {
  inst->kind = is_crypto(opcode) ? TRACE_CRYPTO : TRACE_VECTOR;
  if (is_late_crypto(opcode))
    late_crypto(inst, opcode);
  else if (bit(opcode, 24))
    element_or_immediate(inst, opcode);
  else if (bit(opcode, 21))
    arithmetic(inst, opcode);
  else
    other_vectors(inst, opcode);
}

static void simd_fp(struct trace_instruction *inst, uint32_t opcode) {
  const bool is_scalar_fp = (field(opcode, 30, 24) & 0x7E) == 0x1E && !bit(opcode, 29);
  if (is_scalar_fp)
    scalar_fp(inst, opcode);
  else
    vector(inst, opcode);
}

/* ---- All ---- */

struct trace_instruction trace_decode(uint32_t opcode) {
  struct trace_instruction inst = {
      .kind = TRACE_ALU,
      .ops = 1,
      .base = TRACE_NO_TARGET,
  };
  memset(inst.sources, TRACE_NO_SOURCE, sizeof inst.sources);
  memset(inst.targets, TRACE_NO_TARGET, sizeof inst.targets);
  const unsigned group = field(opcode, 28, 25);
  if ((group & 0xE) == 0x8)
    data_immediate(&inst, opcode);
  else if ((group & 0xE) == 0xA)
    branch_or_system(&inst, opcode);
  else if ((group & 0x5) == 0x4)
    load_store(&inst, opcode);
  else if ((group & 0x7) == 0x5)
    data_register(&inst, opcode);
  else if ((group & 0x7) == 0x7)
    simd_fp(&inst, opcode);
  return inst;
}
