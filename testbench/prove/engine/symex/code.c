#include "engine/symex/code.h"

#include <llvm-c/BitReader.h>
#include <string.h>

#include "engine/symex/memory.h"
#include "engine/symex/operation.h"
#include "engine/symex/order.h"
#include "engine/symex/util.h"

enum { ADDRESS_WIDTH = 64, BYTE_BITS = 8 };

/* From LLVM's pointers to numbers. */
struct numbers {
  const void **keys;
  uint32_t *values;
  size_t count, room;
};

struct code {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMValueRef *globals;
  size_t num_globals;
  struct numbers objects; /* of global variables and functions */
  struct function *functions;
  size_t num_functions;
  struct numbers function_numbers;
  unsigned range_kind, byval_kind, readnone_kind;
};

/* ---- Numbers ---- */

static size_t find_key(const struct numbers *numbers, const void *key) {
  size_t at = ((uintptr_t)key >> 4) * 0x9E3779B1u & (numbers->room - 1);
  while (numbers->keys[at] != NULL && numbers->keys[at] != key) at = (at + 1) & (numbers->room - 1);
  return at;
}

static void put_number(struct numbers *numbers, const void *key, uint32_t value) {
  if (2 * numbers->count >= numbers->room) {
    const struct numbers old = *numbers;
    numbers->room = old.room == 0 ? 64 : 2 * old.room;
    numbers->keys = symex_allocate(numbers->room, sizeof *numbers->keys);
    numbers->values = symex_allocate(numbers->room, sizeof *numbers->values);
    numbers->count = 0;
    for (size_t i = 0; i < old.room; i++)
      if (old.keys[i] != NULL) put_number(numbers, old.keys[i], old.values[i]);
    free(old.keys);
    free(old.values);
  }
  const size_t at = find_key(numbers, key);
  numbers->keys[at] = key;
  numbers->values[at] = value;
  numbers->count++;
}

static bool get_number(const struct numbers *numbers, const void *key, uint32_t *value) {
  if (numbers->room == 0) return false;
  const size_t at = find_key(numbers, key);
  if (numbers->keys[at] == NULL) return false;
  *value = numbers->values[at];
  return true;
}

static void free_numbers(struct numbers *numbers) {
  free(numbers->keys);
  free(numbers->values);
}

/* ---- Types ---- */

static void add_scalar(struct scalars *scalars, uint32_t width, uint64_t offset) {
  size_t room = scalars->count;
  scalars->scalars =
      symex_grow(scalars->scalars, &room, scalars->count + 1, sizeof *scalars->scalars);
  scalars->scalars[scalars->count++] = (struct scalar){width, offset};
}

static void add_scalars(const struct code *code, LLVMTypeRef type, uint64_t offset,
                        struct scalars *scalars) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      add_scalar(scalars, LLVMGetIntTypeWidth(type), offset);
      return;
    case LLVMPointerTypeKind:
      add_scalar(scalars, ADDRESS_WIDTH, offset);
      return;
    case LLVMStructTypeKind:
      if (LLVMIsOpaqueStruct(type)) break;
      for (unsigned e = 0; e < LLVMCountStructElementTypes(type); e++)
        add_scalars(code, LLVMStructGetTypeAtIndex(type, e),
                    offset + LLVMOffsetOfElement(code->layout, type, e), scalars);
      return;
    case LLVMArrayTypeKind:
      for (unsigned e = 0; e < LLVMGetArrayLength(type); e++)
        add_scalars(code, LLVMGetElementType(type),
                    offset + e * LLVMABISizeOfType(code->layout, LLVMGetElementType(type)),
                    scalars);
      return;
    case LLVMVoidTypeKind:
      return;
    default:
      break;
  }
  scalars->unknown = true;
}

static struct scalars scalars_of(const struct code *code, LLVMTypeRef type) {
  struct scalars scalars = {0};
  add_scalars(code, type, 0, &scalars);
  return scalars;
}

/* The scalars before an element of a struct or array. */
static size_t scalars_before(const struct code *code, LLVMTypeRef type, unsigned element,
                             LLVMTypeRef *element_type) {
  size_t before = 0;
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  for (unsigned e = 0; e <= element; e++) {
    *element_type = is_struct ? LLVMStructGetTypeAtIndex(type, e) : LLVMGetElementType(type);
    struct scalars scalars = scalars_of(code, *element_type);
    if (e < element) before += scalars.count;
    free(scalars.scalars);
  }
  return before;
}

/* ---- Constants ---- */

/* What cannot be one: execution fails when it is used. */
static bool constant_scalars(const struct code *code, LLVMValueRef value, term **terms);

/* An element of a GEP's path: a constant part of the offset, or the scale of the index. */
static uint64_t step_into(const struct code *code, LLVMTypeRef *type, unsigned index,
                          LLVMValueRef at, uint64_t *scale) {
  *scale = 0;
  if (index > 0 && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
    const unsigned element = (unsigned)LLVMConstIntGetZExtValue(at);
    const uint64_t offset = LLVMOffsetOfElement(code->layout, *type, element);
    *type = LLVMStructGetTypeAtIndex(*type, element);
    return offset;
  }
  if (index > 0) *type = LLVMGetElementType(*type);
  *scale = LLVMABISizeOfType(code->layout, *type);
  if (LLVMIsAConstantInt(at) == NULL) return 0;
  const uint64_t offset = (uint64_t)LLVMConstIntGetSExtValue(at) * *scale;
  *scale = 0;
  return offset;
}

static bool constant_scalar(const struct code *code, LLVMValueRef value, term *scalar) {
  term *terms = NULL;
  const bool known = constant_scalars(code, value, &terms);
  if (known) *scalar = terms[0];
  free(terms);
  return known && *scalar != TERM_NONE;
}

static bool constant_address(const struct code *code, LLVMValueRef value, term *address) {
  term base;
  if (!constant_scalar(code, LLVMGetOperand(value, 0), &base)) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  uint64_t offset = 0, scale;
  for (unsigned i = 0; i + 1 < (unsigned)LLVMGetNumOperands(value); i++) {
    const LLVMValueRef at = LLVMGetOperand(value, i + 1);
    if (LLVMIsAConstantInt(at) == NULL) return false;
    offset += step_into(code, &type, i, at, &scale);
  }
  *address = term_add(base, term_const(ADDRESS_WIDTH, offset));
  return true;
}

/* TERM_NONE: it is none that is known. */
static term constant_operation(LLVMValueRef value, uint32_t width, const term *operands,
                               int num_operands) {
  const LLVMOpcode opcode = LLVMGetConstOpcode(value);
  if (opcode == LLVMSelect) return term_ite(operands[0], operands[1], operands[2]);
  if (num_operands == 1) return operation_cast(opcode, operands[0], width);
  if (opcode == LLVMICmp)
    return operation_compare(LLVMGetICmpPredicate(value), operands[0], operands[1]);
  return operation_binary(opcode, operands[0], operands[1]);
}

static bool constant_expression(const struct code *code, LLVMValueRef value, term *result) {
  enum { MAX_OPERANDS = 3 };
  struct scalars type = scalars_of(code, LLVMTypeOf(value));
  const bool is_scalar = type.count == 1 && !type.unknown;
  const uint32_t width = is_scalar ? type.scalars[0].width : 0;
  free(type.scalars);
  if (!is_scalar) return false;
  if (LLVMGetConstOpcode(value) == LLVMGetElementPtr) return constant_address(code, value, result);
  term operands[MAX_OPERANDS];
  const int num_operands = LLVMGetNumOperands(value);
  if (num_operands > MAX_OPERANDS) return false;
  for (int o = 0; o < num_operands; o++)
    if (!constant_scalar(code, LLVMGetOperand(value, (unsigned)o), &operands[o])) return false;
  *result = constant_operation(value, width, operands, num_operands);
  return *result != TERM_NONE;
}

static bool constant_integer(LLVMValueRef value, term *result) {
  const uint32_t width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (width > 64) return false;
  *result = term_const(width, LLVMConstIntGetZExtValue(value));
  return true;
}

static LLVMValueRef element_of(LLVMValueRef value, unsigned element) {
  if (LLVMIsAConstantDataSequential(value) != NULL) return LLVMGetElementAsConstant(value, element);
  return LLVMGetOperand(value, element);
}

static unsigned count_elements(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                     : LLVMGetArrayLength(type);
}

static bool aggregate_scalars(const struct code *code, LLVMValueRef value, term *terms) {
  for (unsigned e = 0, done = 0; e < count_elements(LLVMTypeOf(value)); e++) {
    const LLVMValueRef element = element_of(value, e);
    term *of_element = NULL;
    if (!constant_scalars(code, element, &of_element)) return false;
    struct scalars type = scalars_of(code, LLVMTypeOf(element));
    memcpy(terms + done, of_element, type.count * sizeof *terms);
    done += (unsigned)type.count;
    free(type.scalars);
    free(of_element);
  }
  return true;
}

static bool constant_scalars(const struct code *code, LLVMValueRef value, term **terms) {
  struct scalars type = scalars_of(code, LLVMTypeOf(value));
  *terms = symex_allocate(type.count, sizeof **terms);
  uint32_t object;
  bool known = !type.unknown;
  if (!known || LLVMIsUndef(value)) {
    /* TERM_NONE */
  } else if (LLVMIsNull(value)) {
    for (size_t s = 0; s < type.count; s++) (*terms)[s] = term_const(type.scalars[s].width, 0);
  } else if (LLVMIsAConstantInt(value) != NULL) {
    known = constant_integer(value, *terms);
  } else if (get_number(&code->objects, value, &object)) {
    **terms = term_const(ADDRESS_WIDTH, MEMORY_ADDRESS(object, 0));
  } else if (LLVMIsAConstantExpr(value) != NULL) {
    known = constant_expression(code, value, *terms);
  } else if (LLVMIsAConstantStruct(value) != NULL || LLVMIsAConstantArray(value) != NULL ||
             LLVMIsAConstantDataSequential(value) != NULL) {
    known = aggregate_scalars(code, value, *terms);
  } else {
    known = false;
  }
  free(type.scalars);
  return known;
}

/* ---- Operands ---- */

/* A function while it is decoded. */
struct decoder {
  const struct code *code;
  struct function *function;
  struct numbers slots;
  struct numbers blocks; /* their places in the order */
};

static uint32_t new_slots(struct decoder *decoder, LLVMValueRef value, const struct scalars *type) {
  struct function *function = decoder->function;
  const uint32_t first = function->num_slots;
  function->num_slots += (uint32_t)type->count;
  function->widths =
      checked(realloc(function->widths, (function->num_slots + 1) * sizeof *function->widths));
  for (uint32_t s = 0; s < type->count; s++) function->widths[first + s] = type->scalars[s].width;
  put_number(&decoder->slots, value, first);
  return first;
}

static struct operand operand_of(struct decoder *decoder, LLVMValueRef value) {
  struct operand operand = {.type = scalars_of(decoder->code, LLVMTypeOf(value))};
  if (get_number(&decoder->slots, value, &operand.slot)) return operand;
  term *terms = NULL;
  operand.is_constant = true;
  if (!constant_scalars(decoder->code, value, &terms)) operand.unknown = "an unknown constant";
  operand.constants = terms;
  return operand;
}

static void add_operand(struct decoder *decoder, struct instruction *instruction,
                        LLVMValueRef value) {
  struct operand *operands = checked(realloc(
      instruction->operands, (instruction->num_operands + 1) * sizeof *instruction->operands));
  operands[instruction->num_operands] = operand_of(decoder, value);
  if (operands[instruction->num_operands].unknown != NULL)
    instruction->unknown = operands[instruction->num_operands].unknown;
  instruction->operands = operands;
  instruction->num_operands++;
}

static void add_operands(struct decoder *decoder, struct instruction *instruction) {
  for (int o = 0; o < LLVMGetNumOperands(instruction->value); o++)
    add_operand(decoder, instruction, LLVMGetOperand(instruction->value, (unsigned)o));
}

static uint32_t block_number(const struct decoder *decoder, LLVMBasicBlockRef block) {
  uint32_t number = UINT32_MAX; /* nothing leads to it */
  get_number(&decoder->blocks, block, &number);
  return number;
}

/* ---- Instructions ---- */

/* The C API of LLVM 14 does not tell them: they are read from the text. */
static unsigned promises_of(LLVMValueRef value) {
  unsigned promises = 0;
  char *text = LLVMPrintValueToString(value);
  const char *end = strchr(text, ',');
  const char *found = strstr(text, " = ");
  for (; found != NULL && found < end; found = strchr(found + 1, ' ')) {
    if (strncmp(found, " nuw ", 5) == 0) promises |= NO_UNSIGNED_WRAP;
    if (strncmp(found, " nsw ", 5) == 0) promises |= NO_SIGNED_WRAP;
    if (strncmp(found, " exact ", 7) == 0) promises |= EXACT;
  }
  LLVMDisposeMessage(text);
  return promises;
}

static void decode_address(struct decoder *decoder, struct instruction *instruction) {
  const LLVMValueRef value = instruction->value;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
  const unsigned count = (unsigned)LLVMGetNumOperands(value);
  instruction->scales = symex_allocate(count, sizeof *instruction->scales);
  add_operand(decoder, instruction, LLVMGetOperand(value, 0));
  for (unsigned i = 0; i + 1 < count; i++) {
    uint64_t scale;
    const LLVMValueRef at = LLVMGetOperand(value, i + 1);
    instruction->offset += step_into(decoder->code, &type, i, at, &scale);
    if (scale == 0) continue;
    add_operand(decoder, instruction, at);
    instruction->scales[instruction->num_operands - 1] = scale;
  }
}

static void decode_part(struct decoder *decoder, struct instruction *instruction) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction->value, 0));
  const unsigned *indices = LLVMGetIndices(instruction->value);
  for (unsigned i = 0; i < LLVMGetNumIndices(instruction->value); i++) {
    LLVMTypeRef element;
    instruction->offset += scalars_before(decoder->code, type, indices[i], &element);
    type = element;
  }
  add_operands(decoder, instruction);
}

static void decode_targets(struct decoder *decoder, struct instruction *instruction) {
  const unsigned count = LLVMGetNumSuccessors(instruction->value);
  instruction->targets = symex_allocate(count, sizeof *instruction->targets);
  for (unsigned s = 0; s < count; s++)
    instruction->targets[s] = block_number(decoder, LLVMGetSuccessor(instruction->value, s));
  if (instruction->opcode == LLVMBr && count == 1) return;
  add_operand(decoder, instruction, LLVMGetOperand(instruction->value, 0));
  if (instruction->opcode == LLVMSwitch)
    for (unsigned s = 1; s < count; s++)
      add_operand(decoder, instruction, LLVMGetOperand(instruction->value, 2 * s));
}

static void decode_range(const struct code *code, struct instruction *instruction) {
  const LLVMValueRef range = LLVMGetMetadata(instruction->value, code->range_kind);
  if (range == NULL || LLVMGetMDNodeNumOperands(range) != 2) return;
  LLVMValueRef limits[2];
  LLVMGetMDNodeOperands(range, limits);
  for (int i = 0; i < 2; i++) instruction->range[i] = LLVMConstIntGetZExtValue(limits[i]);
}

static void decode_call(struct decoder *decoder, struct instruction *instruction) {
  const struct code *code = decoder->code;
  const LLVMValueRef callee = LLVMGetCalledValue(instruction->value);
  if (LLVMIsAInlineAsm(callee) != NULL) {
    instruction->unknown = "inline assembly";
    return;
  }
  if (LLVMIsAFunction(callee) == NULL) {
    instruction->unknown = "a call through a pointer";
    return;
  }
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  uint32_t number = 0;
  get_number(&code->function_numbers, callee, &number);
  if (strncmp(name, "llvm.", 5) == 0)
    instruction->intrinsic = name + 5;
  else
    instruction->callee = &code->functions[number];
  for (unsigned a = 0; a < LLVMGetNumArgOperands(instruction->value); a++)
    add_operand(decoder, instruction, LLVMGetOperand(instruction->value, a));
}

static void decode_allocation(struct decoder *decoder, struct instruction *instruction) {
  const LLVMValueRef count = LLVMGetOperand(instruction->value, 0);
  const LLVMTypeRef type = LLVMGetAllocatedType(instruction->value);
  if (LLVMIsAConstantInt(count) == NULL)
    instruction->unknown = "an array of variable length";
  else
    instruction->size =
        LLVMABISizeOfType(decoder->code->layout, type) * LLVMConstIntGetZExtValue(count);
}

static void decode_phi(struct decoder *decoder, struct block *block,
                       struct instruction *instruction) {
  const unsigned count = LLVMCountIncoming(instruction->value);
  block->num_phis++;
  instruction->targets = symex_allocate(count, sizeof *instruction->targets);
  for (unsigned i = 0; i < count; i++) {
    add_operand(decoder, instruction, LLVMGetIncomingValue(instruction->value, i));
    instruction->targets[i] = block_number(decoder, LLVMGetIncomingBlock(instruction->value, i));
  }
}

static void decode_instruction(struct decoder *decoder, struct block *block,
                               struct instruction *instruction) {
  if (instruction->type.unknown) instruction->unknown = "an unknown type";
  switch (instruction->opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
      instruction->promises = promises_of(instruction->value);
      add_operands(decoder, instruction);
      return;
    case LLVMICmp:
      instruction->predicate = LLVMGetICmpPredicate(instruction->value);
      add_operands(decoder, instruction);
      return;
    case LLVMLoad:
      decode_range(decoder->code, instruction);
      add_operands(decoder, instruction);
      return;
    case LLVMGetElementPtr:
      decode_address(decoder, instruction);
      return;
    case LLVMExtractValue:
    case LLVMInsertValue:
      decode_part(decoder, instruction);
      return;
    case LLVMBr:
    case LLVMSwitch:
      decode_targets(decoder, instruction);
      return;
    case LLVMCall:
      decode_call(decoder, instruction);
      return;
    case LLVMAlloca:
      decode_allocation(decoder, instruction);
      return;
    case LLVMPHI:
      decode_phi(decoder, block, instruction);
      return;
    default:
      add_operands(decoder, instruction);
      return;
  }
}

/* ---- Liveness ---- */

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

/* What an edge to a block needs: what is live there, with phis' operands for phis. */
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

/* Before the block's own instructions, after its phis. */
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

static void find_live(struct function *function) {
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

/* ---- Functions ---- */

/* Says nothing that matters here. */
static bool is_ignored(LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMCall) return false;
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
  return strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.experimental.noalias", 25) == 0;
}

static void number_block(struct decoder *decoder, struct block *block, LLVMBasicBlockRef of) {
  size_t count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(of); i != NULL; i = LLVMGetNextInstruction(i))
    count++;
  block->instructions = symex_allocate(count, sizeof *block->instructions);
  for (LLVMValueRef i = LLVMGetFirstInstruction(of); i != NULL; i = LLVMGetNextInstruction(i)) {
    if (is_ignored(i)) continue;
    struct instruction *instruction = &block->instructions[block->num_instructions++];
    instruction->value = i;
    instruction->opcode = LLVMGetInstructionOpcode(i);
    instruction->type = scalars_of(decoder->code, LLVMTypeOf(i));
    instruction->slot = new_slots(decoder, i, &instruction->type);
  }
}

void code_decode(struct code *code, struct function *function) {
  if (function->is_decoded) return;
  function->is_decoded = true;
  struct decoder decoder = {.code = code, .function = function};
  for (unsigned p = 0; p < function->num_parameters; p++)
    new_slots(&decoder, LLVMGetParam(function->value, p), &function->parameters[p]);
  LLVMBasicBlockRef *order = symex_order(function->value, &function->num_blocks);
  for (size_t b = 0; b < function->num_blocks; b++)
    put_number(&decoder.blocks, order[b], (uint32_t)b);
  function->blocks = symex_allocate(function->num_blocks, sizeof *function->blocks);
  for (size_t b = 0; b < function->num_blocks; b++)
    number_block(&decoder, &function->blocks[b], order[b]);
  for (size_t b = 0; b < function->num_blocks; b++)
    for (size_t i = 0; i < function->blocks[b].num_instructions; i++)
      decode_instruction(&decoder, &function->blocks[b], &function->blocks[b].instructions[i]);
  find_live(function);
  free(order);
  free_numbers(&decoder.slots);
  free_numbers(&decoder.blocks);
}

struct function *code_function(struct code *code, const char *name) {
  const LLVMValueRef value = LLVMGetNamedFunction(code->module, name);
  uint32_t number;
  if (value == NULL || !get_number(&code->function_numbers, value, &number)) return NULL;
  return LLVMCountBasicBlocks(value) == 0 ? NULL : &code->functions[number];
}

/* ---- The module ---- */

static void declare_function(struct code *code, LLVMValueRef value) {
  struct function *function = &code->functions[code->num_functions];
  size_t length;
  function->name = LLVMGetValueName2(value, &length);
  function->value = value;
  function->num_parameters = LLVMCountParams(value);
  function->parameters = symex_allocate(function->num_parameters, sizeof *function->parameters);
  function->copied = symex_allocate(function->num_parameters, sizeof *function->copied);
  for (unsigned p = 0; p < function->num_parameters; p++) {
    function->parameters[p] = scalars_of(code, LLVMTypeOf(LLVMGetParam(value, p)));
    const LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(value, p + 1, code->byval_kind);
    if (byval != NULL)
      function->copied[p] = LLVMABISizeOfType(code->layout, LLVMGetTypeAttributeValue(byval));
  }
  function->is_pure = LLVMGetEnumAttributeAtIndex(value, (unsigned)LLVMAttributeFunctionIndex,
                                                  code->readnone_kind) != NULL;
  const LLVMTypeRef type = LLVMGlobalGetValueType(value);
  function->result = scalars_of(code, LLVMGetReturnType(type));
  put_number(&code->function_numbers, value, (uint32_t)code->num_functions++);
}

/* Global variables first; a function has an address, but no bytes. */
static void declare(struct code *code) {
  size_t count = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(code->module); g != NULL; g = LLVMGetNextGlobal(g))
    count++;
  code->globals = symex_allocate(count, sizeof *code->globals);
  for (LLVMValueRef g = LLVMGetFirstGlobal(code->module); g != NULL; g = LLVMGetNextGlobal(g)) {
    code->globals[code->num_globals++] = g;
    put_number(&code->objects, g, (uint32_t)code->num_globals);
  }
  count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f; f = LLVMGetNextFunction(f))
    put_number(&code->objects, f, (uint32_t)(code->num_globals + ++count));
  code->functions = symex_allocate(count, sizeof *code->functions);
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f; f = LLVMGetNextFunction(f))
    declare_function(code, f);
}

/* Without one, LLVM says what it finds and ends the process. */
static void be_silent(LLVMDiagnosticInfoRef diagnostic, void *with) {
  (void)diagnostic;
  (void)with;
}

struct code *code_read(const char *bitcode) {
  struct code *code = symex_allocate(1, sizeof *code);
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  code->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(code->context, be_silent, NULL);
  if (LLVMCreateMemoryBufferWithContentsOfFile(bitcode, &buffer, &message)) {
    fprintf(stderr, "symex: %s: %s\n", bitcode, message);
    LLVMDisposeMessage(message);
  } else if (LLVMParseBitcodeInContext2(code->context, buffer, &code->module)) {
    fprintf(stderr, "symex: %s: is not bitcode of LLVM 14\n", bitcode);
    LLVMDisposeMemoryBuffer(buffer);
  } else {
    LLVMDisposeMemoryBuffer(buffer);
    code->layout = LLVMGetModuleDataLayout(code->module);
    code->range_kind = LLVMGetMDKindIDInContext(code->context, "range", 5);
    code->readnone_kind = LLVMGetEnumAttributeKindForName("readnone", 8);
    code->byval_kind = LLVMGetEnumAttributeKindForName("byval", 5);
    declare(code);
    return code;
  }
  LLVMContextDispose(code->context);
  free(code);
  return NULL;
}

/* ---- Freed ---- */

static void free_instruction(struct instruction *instruction) {
  for (size_t o = 0; o < instruction->num_operands; o++) {
    free(instruction->operands[o].constants);
    free(instruction->operands[o].type.scalars);
  }
  free(instruction->operands);
  free(instruction->type.scalars);
  free(instruction->scales);
  free(instruction->targets);
}

static void free_function(struct function *function) {
  for (size_t b = 0; b < function->num_blocks; b++) {
    struct block *block = &function->blocks[b];
    for (size_t i = 0; i < block->num_instructions; i++) free_instruction(&block->instructions[i]);
    free(block->instructions);
    free(block->live);
  }
  for (size_t p = 0; p < function->num_parameters; p++) free(function->parameters[p].scalars);
  free(function->parameters);
  free(function->copied);
  free(function->result.scalars);
  free(function->blocks);
  free(function->widths);
}

void code_free(struct code *code) {
  for (size_t f = 0; f < code->num_functions; f++) free_function(&code->functions[f]);
  free(code->functions);
  free(code->globals);
  free_numbers(&code->objects);
  free_numbers(&code->function_numbers);
  LLVMDisposeModule(code->module);
  LLVMContextDispose(code->context);
  free(code);
}

/* ---- Global variables ---- */

size_t code_num_globals(const struct code *code) {
  return code->num_globals;
}

size_t code_num_objects(const struct code *code) {
  return code->objects.count;
}

const char *code_global_name(const struct code *code, size_t global) {
  size_t length;
  return LLVMGetValueName2(code->globals[global], &length);
}

uint64_t code_global_size(const struct code *code, size_t global) {
  return LLVMABISizeOfType(code->layout, LLVMGlobalGetValueType(code->globals[global]));
}

bool code_global_is_constant(const struct code *code, size_t global) {
  return LLVMIsGlobalConstant(code->globals[global]);
}

void code_initialize(struct code *code, size_t global,
                     void (*write)(uint64_t offset, term value, void *with), void *with) {
  const LLVMValueRef initial = LLVMGetInitializer(code->globals[global]);
  if (initial == NULL) return;
  struct scalars type = scalars_of(code, LLVMTypeOf(initial));
  term *terms = NULL;
  if (constant_scalars(code, initial, &terms))
    for (size_t s = 0; s < type.count; s++) write(type.scalars[s].offset, terms[s], with);
  free(terms);
  free(type.scalars);
}

/* ---- Places ---- */

char *code_place(const struct function *function, const struct instruction *instruction) {
  char place[512];
  unsigned length = 0;
  const char *file = LLVMGetDebugLocFilename(instruction->value, &length);
  if (file == NULL || length == 0)
    snprintf(place, sizeof place, "%s", function->name);
  else
    snprintf(place, sizeof place, "%.*s:%u: %s", (int)length, file,
             LLVMGetDebugLocLine(instruction->value), function->name);
  return checked(strdup(place));
}
