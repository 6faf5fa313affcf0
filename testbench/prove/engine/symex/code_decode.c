#include <string.h>

#include "engine/symex/code_internal.h"
#include "engine/symex/order.h"
#include "engine/symex/util.h"

/* ---- Operands ---- */

/* A function while it is decoded. */
struct decoder {
  const struct code *code;
  struct function *function;
  struct numbers slots;
  struct numbers blocks; /* places in the order of execution */
};

static uint32_t new_slots(struct decoder *decoder, LLVMValueRef value, const struct scalars *type) {
  struct function *function = decoder->function;
  const uint32_t first = function->num_slots;
  function->num_slots += (uint32_t)type->count;
  function->widths =
      checked(realloc(function->widths, (function->num_slots + 1) * sizeof *function->widths));
  for (uint32_t s = 0; s < type->count; s++) function->widths[first + s] = type->scalars[s].width;
  numbers_put(&decoder->slots, value, first);
  return first;
}

static struct operand operand_of(struct decoder *decoder, LLVMValueRef value) {
  struct operand operand = {.type = code_scalars(decoder->code, LLVMTypeOf(value))};
  if (numbers_get(&decoder->slots, value, &operand.slot)) return operand;
  term *terms = NULL;
  operand.is_constant = true;
  if (!code_constant(decoder->code, value, &terms)) operand.unknown = "an unknown constant";
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
  uint32_t number = UINT32_MAX; /* the block is unreachable */
  numbers_get(&decoder->blocks, block, &number);
  return number;
}

/* ---- Instructions ---- */

static unsigned promises_in(const char *line) {
  unsigned promises = 0;
  const char *end = line + strcspn(line, ",\n");
  const char *found = strstr(line, " = ");
  for (; found != NULL && found < end; found = strchr(found + 1, ' ')) {
    if (strncmp(found, " nuw ", 5) == 0) promises |= NO_UNSIGNED_WRAP;
    if (strncmp(found, " nsw ", 5) == 0) promises |= NO_SIGNED_WRAP;
    if (strncmp(found, " exact ", 7) == 0) promises |= EXACT;
  }
  return promises;
}

/* The line of the next instruction. Lines that go on are indented further, or close a bracket. */
static const char *next_instruction(const char *line) {
  while ((line = strstr(line, "\n  ")) != NULL) {
    line += 3;
    if (*line != ' ' && *line != ']') return line;
  }
  return NULL;
}

/* Reads those of a function's instructions, from a text that begins with it. Returns what follows.
 */
static const char *read_promises(struct code *code, LLVMValueRef function, const char *line) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if ((line = next_instruction(line)) == NULL) abort();
      numbers_put(&code->promises, i, promises_in(line));
    }
  }
  return line;
}

/* The C API of LLVM 14 does not have the promises: they are read from the module's text, where a
 * function begins with "define". */
void code_read_promises(struct code *code) {
  char *text = LLVMPrintModuleToString(code->module);
  const char *next = text;
  for (size_t f = 0; f < code->num_functions; f++) {
    const LLVMValueRef function = code->functions[f].value;
    if (LLVMCountBasicBlocks(function) == 0) continue;
    next = strstr(next, "\ndefine ");
    if (next == NULL) abort();
    next = read_promises(code, function, next);
    const char *further = next_instruction(next);
    if (further != NULL && further < strstr(next, "\n}\n")) abort();
  }
  LLVMDisposeMessage(text);
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
    instruction->offset += code_step_into(decoder->code, &type, i, at, &scale);
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
    instruction->offset += code_scalars_before(decoder->code, type, indices[i], &element);
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
  numbers_get(&code->function_numbers, callee, &number);
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
      numbers_get(&decoder->code->promises, instruction->value, &instruction->promises);
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

/* ---- Functions ---- */

/* Calls that have no effect on execution. */
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
    instruction->type = code_scalars(decoder->code, LLVMTypeOf(i));
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
    numbers_put(&decoder.blocks, order[b], (uint32_t)b);
  function->blocks = symex_allocate(function->num_blocks, sizeof *function->blocks);
  for (size_t b = 0; b < function->num_blocks; b++)
    number_block(&decoder, &function->blocks[b], order[b]);
  for (size_t b = 0; b < function->num_blocks; b++)
    for (size_t i = 0; i < function->blocks[b].num_instructions; i++)
      decode_instruction(&decoder, &function->blocks[b], &function->blocks[b].instructions[i]);
  code_find_live(function);
  free(order);
  numbers_free(&decoder.slots);
  numbers_free(&decoder.blocks);
}
