#include "engine/symex/activation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/symex/operation.h"
#include "engine/symex/util.h"

/* ---- Values ---- */

term operand_value(const struct state *state, const struct operand *operand, size_t scalar) {
  return operand->is_constant ? operand->constants[scalar] : state->values[operand->slot + scalar];
}

/* For an operation, which needs to have one. */
term operand_defined(const struct activation *activation, const struct state *state,
                     size_t operand) {
  const term value = operand_value(state, &activation->at->operands[operand], 0);
  if (value == TERM_NONE) activation_stop(activation, "an operation on an undefined value");
  return value;
}

static void define(const struct activation *activation, struct state *state, term value) {
  if (value == TERM_NONE) activation_stop(activation, "an unknown operation");
  state->values[activation->at->slot] = value;
}

/* ---- Instructions ---- */

static bool is_division(LLVMOpcode opcode) {
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

/* A division that is not defined is no matter of its value alone. */
static void oblige_promises(struct activation *activation, const struct state *state,
                            const struct promise *promises, size_t count) {
  const bool is_promise = !is_division(activation->at->opcode);
  for (size_t p = 0; p < count; p++)
    obligation_add(activation, state->path, promises[p].condition, promises[p].what, is_promise);
}

static void execute_binary(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term a = operand_defined(activation, state, 0), b = operand_defined(activation, state, 1);
  struct promise promises[MAX_PROMISES];
  size_t count = operation_promises(at->opcode, at->promises, a, b, promises);
  term result = operation_binary(at->opcode, a, b);
  /* A shift by too much is any value, and only wrong where it matters: compilers make one that does
   * not, of a switch. */
  if (count > 0 && operation_is_shift(at->opcode)) {
    const term is_kept = path_known(state->path, promises[--count].condition);
    if (!term_is_true(is_kept))
      result = term_ite(is_kept, result, term_fresh(term_width(result), "shift"));
  }
  oblige_promises(activation, state, promises, count);
  define(activation, state, result);
}

static void execute_select(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term condition = path_known(state->path, operand_defined(activation, state, 0));
  for (size_t s = 0; s < at->type.count; s++) {
    const term if_true = operand_value(state, &at->operands[1], s);
    const term if_false = operand_value(state, &at->operands[2], s);
    term *value = &state->values[at->slot + s];
    if (term_is_true(condition))
      *value = if_true;
    else if (term_is_false(condition))
      *value = if_false;
    else
      *value = access_either(condition, if_true, if_false);
  }
}

static void oblige_range(struct activation *activation, const struct state *state, term value) {
  const uint64_t *range = activation->at->range;
  if (value == TERM_NONE || (range[0] == 0 && range[1] == 0)) return;
  const uint32_t width = term_width(value);
  const term offset = term_sub(value, term_const(width, range[0]));
  obligation_promise(activation, state->path,
                     term_ult(offset, term_const(width, range[1] - range[0])), "range of a load");
}

static void execute_load(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const term address = operand_defined(activation, state, 0);
  for (size_t s = 0; s < at->type.count; s++) {
    const struct scalar *scalar = &at->type.scalars[s];
    term value = access_load(activation, state, block_offset(address, scalar->offset),
                             size_of_width(scalar->width));
    if (value != TERM_NONE) value = operation_cast(LLVMTrunc, value, scalar->width);
    state->values[at->slot + s] = value;
    oblige_range(activation, state, value);
  }
}

static void execute_store(struct activation *activation, struct state *state) {
  const struct operand *stored = &activation->at->operands[0];
  const term address = operand_defined(activation, state, 1);
  for (size_t s = 0; s < stored->type.count; s++) {
    const struct scalar *scalar = &stored->type.scalars[s];
    const size_t size = size_of_width(scalar->width);
    term value = operand_value(state, stored, s);
    if (value != TERM_NONE) value = operation_cast(LLVMZExt, value, (uint32_t)size * BYTE_BITS);
    access_store(activation, state, block_offset(address, scalar->offset), value, size);
  }
}

static void execute_address(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  term address = block_offset(operand_defined(activation, state, 0), at->offset);
  for (size_t o = 1; o < at->num_operands; o++) {
    const term index = operand_defined(activation, state, o);
    const term wide = operation_cast(LLVMSExt, index, ADDRESS_WIDTH);
    const term scale = term_const(ADDRESS_WIDTH, at->scales[o]);
    address = operation_binary(LLVMAdd, address, operation_binary(LLVMMul, wide, scale));
  }
  define(activation, state, address);
}

static void copy_scalars(struct state *state, uint32_t to, const struct operand *from, size_t first,
                         size_t count) {
  for (size_t s = 0; s < count; s++) state->values[to + s] = operand_value(state, from, first + s);
}

static void execute_insert(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  copy_scalars(state, at->slot, &at->operands[0], 0, at->type.count);
  copy_scalars(state, at->slot + (uint32_t)at->offset, &at->operands[1], 0,
               at->operands[1].type.count);
}

/* What is undefined becomes something, no matter what. */
static void execute_freeze(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  for (size_t s = 0; s < at->type.count; s++) {
    const term value = operand_value(state, &at->operands[0], s);
    state->values[at->slot + s] =
        value != TERM_NONE ? value : term_fresh(at->type.scalars[s].width, "undefined");
  }
}

static bool starts(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void execute_overflow(struct activation *activation, struct state *state) {
  const char *name = activation->at->intrinsic;
  const LLVMOpcode opcode = name[1] == 'a' ? LLVMAdd : name[1] == 's' ? LLVMSub : LLVMMul;
  const term a = operand_defined(activation, state, 0), b = operand_defined(activation, state, 1);
  struct promise promises[MAX_PROMISES];
  operation_promises(opcode, name[0] == 'u' ? NO_UNSIGNED_WRAP : NO_SIGNED_WRAP, a, b, promises);
  state->values[activation->at->slot] = operation_binary(opcode, a, b);
  state->values[activation->at->slot + 1] = term_not(promises[0].condition);
}

static void execute_pure_intrinsic(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  term *arguments = symex_allocate(at->num_operands, sizeof *arguments);
  for (size_t a = 0; a < at->num_operands; a++)
    arguments[a] = operand_defined(activation, state, a);
  const term result = operation_intrinsic(at->intrinsic, arguments, at->num_operands);
  struct promise promises[MAX_PROMISES];
  const size_t count =
      operation_intrinsic_promises(at->intrinsic, arguments, at->num_operands, promises);
  oblige_promises(activation, state, promises, count);
  free(arguments);
  if (result == TERM_NONE) activation_stop(activation, "an unknown intrinsic");
  define(activation, state, result);
}

static void execute_intrinsic(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  const char *name = at->intrinsic;
  if (starts(name, "memcpy.") || starts(name, "memmove.")) {
    const uint64_t size = block_size(activation, operand_value(state, &at->operands[2], 0));
    block_copy(activation, state, operand_value(state, &at->operands[0], 0),
               operand_value(state, &at->operands[1], 0), size);
  } else if (starts(name, "memset.")) {
    const uint64_t size = block_size(activation, operand_value(state, &at->operands[2], 0));
    block_fill(activation, state, operand_value(state, &at->operands[0], 0),
               operand_value(state, &at->operands[1], 0), size);
  } else if (starts(name, "lifetime.")) {
    block_undefine(state, operand_value(state, &at->operands[1], 0));
  } else if (starts(name, "ubsantrap") || starts(name, "trap")) {
    obligation_claim(activation, state->path, TERM_FALSE, "undefined behaviour");
  } else if (starts(name, "assume")) {
    obligation_promise(activation, state->path, operand_defined(activation, state, 0),
                       "assumption");
  } else if (strstr(name, ".with.overflow.") != NULL) {
    execute_overflow(activation, state);
  } else if (starts(name, "va_start") || starts(name, "va_end")) {
    return; /* who takes the further arguments puts them into text alone */
  } else if (starts(name, "expect.")) {
    define(activation, state, operand_defined(activation, state, 0));
  } else {
    execute_pure_intrinsic(activation, state);
  }
}

/* Messages are made with it. Nothing but their address, which is not NULL, is looked at
          here. */
static bool makes_text(LLVMValueRef function) {
  size_t length;
  return strcmp(LLVMGetValueName2(function, &length), "vsnprintf") == 0;
}

static void execute_call(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  if (at->intrinsic != NULL) {
    execute_intrinsic(activation, state);
    return;
  }
  if (makes_text(at->callee->value)) {
    define(activation, state, term_fresh(32, "length"));
    return;
  }
  if (LLVMCountBasicBlocks(at->callee->value) == 0)
    activation_stop(activation, "a call of a function without a body");
  const size_t num_arguments = at->callee->num_parameters;
  size_t count = 0;
  for (size_t o = 0; o < num_arguments; o++) count += at->operands[o].type.count;
  term *arguments = symex_allocate(count, sizeof *arguments);
  count = 0;
  for (size_t o = 0; o < num_arguments; o++)
    for (size_t s = 0; s < at->operands[o].type.count; s++)
      arguments[count++] = operand_value(state, &at->operands[o], s);
  term *result =
      call_function(activation->symex, at->callee, arguments, state->path, &state->memory);
  for (size_t s = 0; s < at->type.count; s++) state->values[at->slot + s] = result[s];
  free(result);
  free(arguments);
}

void execute_instruction(struct activation *activation, struct state *state) {
  const struct instruction *at = activation->at;
  activation->symex->steps++;
  if (at->unknown != NULL) activation_stop(activation, at->unknown);
  switch (at->opcode) {
    case LLVMICmp:
      define(activation, state,
             path_known(state->path,
                        operation_compare(at->predicate, operand_defined(activation, state, 0),
                                          operand_defined(activation, state, 1))));
      return;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
      define(activation, state,
             operation_cast(at->opcode, operand_defined(activation, state, 0),
                            at->type.scalars[0].width));
      return;
    case LLVMSelect:
      execute_select(activation, state);
      return;
    case LLVMLoad:
      execute_load(activation, state);
      return;
    case LLVMStore:
      execute_store(activation, state);
      return;
    case LLVMGetElementPtr:
      execute_address(activation, state);
      return;
    case LLVMExtractValue:
      copy_scalars(state, at->slot, &at->operands[0], at->offset, at->type.count);
      return;
    case LLVMInsertValue:
      execute_insert(activation, state);
      return;
    case LLVMFreeze:
      execute_freeze(activation, state);
      return;
    case LLVMCall:
      execute_call(activation, state);
      return;
    case LLVMAlloca:
      define(activation, state,
             term_const(ADDRESS_WIDTH, object_new_local(activation, &state->memory, at->size)));
      return;
    default:
      if (at->num_operands != 2) activation_stop(activation, "an unknown instruction");
      execute_binary(activation, state);
      return;
  }
}
