#include <string.h>

#include "engine/symex/code_internal.h"
#include "engine/symex/memory.h"
#include "engine/symex/operation.h"
#include "engine/symex/util.h"

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

struct scalars code_scalars(const struct code *code, LLVMTypeRef type) {
  struct scalars scalars = {0};
  add_scalars(code, type, 0, &scalars);
  return scalars;
}

/* The scalars before an element of a struct or array. */
size_t code_scalars_before(const struct code *code, LLVMTypeRef type, unsigned element,
                           LLVMTypeRef *element_type) {
  size_t before = 0;
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  for (unsigned e = 0; e <= element; e++) {
    *element_type = is_struct ? LLVMStructGetTypeAtIndex(type, e) : LLVMGetElementType(type);
    struct scalars scalars = code_scalars(code, *element_type);
    if (e < element) before += scalars.count;
    free(scalars.scalars);
  }
  return before;
}

/* ---- Constants ---- */

uint64_t code_step_into(const struct code *code, LLVMTypeRef *type, unsigned index, LLVMValueRef at,
                        uint64_t *scale) {
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
  const bool known = code_constant(code, value, &terms);
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
    offset += code_step_into(code, &type, i, at, &scale);
  }
  *address = term_add(base, term_const(ADDRESS_WIDTH, offset));
  return true;
}

/* TERM_NONE: the operation is unknown. */
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
  struct scalars type = code_scalars(code, LLVMTypeOf(value));
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
    if (!code_constant(code, element, &of_element)) return false;
    struct scalars type = code_scalars(code, LLVMTypeOf(element));
    memcpy(terms + done, of_element, type.count * sizeof *terms);
    done += (unsigned)type.count;
    free(type.scalars);
    free(of_element);
  }
  return true;
}

bool code_constant(const struct code *code, LLVMValueRef value, term **terms) {
  struct scalars type = code_scalars(code, LLVMTypeOf(value));
  *terms = symex_allocate(type.count, sizeof **terms);
  uint32_t object;
  bool known = !type.unknown;
  if (!known || LLVMIsUndef(value)) {
    /* TERM_NONE */
  } else if (LLVMIsNull(value)) {
    for (size_t s = 0; s < type.count; s++) (*terms)[s] = term_const(type.scalars[s].width, 0);
  } else if (LLVMIsAConstantInt(value) != NULL) {
    known = constant_integer(value, *terms);
  } else if (numbers_get(&code->objects, value, &object)) {
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
