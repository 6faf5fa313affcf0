#include "engine/symex/code.h"

#include <llvm-c/BitReader.h>
#include <string.h>

#include "engine/symex/code_internal.h"
#include "engine/symex/util.h"

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
    function->parameters[p] = code_scalars(code, LLVMTypeOf(LLVMGetParam(value, p)));
    const LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(value, p + 1, code->byval_kind);
    if (byval != NULL)
      function->copied[p] = LLVMABISizeOfType(code->layout, LLVMGetTypeAttributeValue(byval));
  }
  function->is_pure = LLVMGetEnumAttributeAtIndex(value, (unsigned)LLVMAttributeFunctionIndex,
                                                  code->readnone_kind) != NULL;
  const LLVMTypeRef type = LLVMGlobalGetValueType(value);
  function->result = code_scalars(code, LLVMGetReturnType(type));
  numbers_put(&code->function_numbers, value, (uint32_t)code->num_functions++);
}

/* Numbers the objects: global variables first, then functions, which have an address but no bytes.
 */
static void declare(struct code *code) {
  size_t count = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(code->module); g != NULL; g = LLVMGetNextGlobal(g))
    count++;
  code->globals = symex_allocate(count, sizeof *code->globals);
  for (LLVMValueRef g = LLVMGetFirstGlobal(code->module); g != NULL; g = LLVMGetNextGlobal(g)) {
    code->globals[code->num_globals++] = g;
    numbers_put(&code->objects, g, (uint32_t)code->num_globals);
  }
  count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f; f = LLVMGetNextFunction(f))
    numbers_put(&code->objects, f, (uint32_t)(code->num_globals + ++count));
  code->functions = symex_allocate(count, sizeof *code->functions);
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f; f = LLVMGetNextFunction(f))
    declare_function(code, f);
}

/* Without a handler LLVM prints each error and ends the process. */
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
    code_read_promises(code);
    return code;
  }
  LLVMContextDispose(code->context);
  free(code);
  return NULL;
}

/* ---- Functions ---- */

struct function *code_function(struct code *code, const char *name) {
  const LLVMValueRef value = LLVMGetNamedFunction(code->module, name);
  uint32_t number;
  if (value == NULL || !numbers_get(&code->function_numbers, value, &number)) return NULL;
  return LLVMCountBasicBlocks(value) == 0 ? NULL : &code->functions[number];
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
  struct scalars type = code_scalars(code, LLVMTypeOf(initial));
  term *terms = NULL;
  if (code_constant(code, initial, &terms))
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
  numbers_free(&code->objects);
  numbers_free(&code->function_numbers);
  numbers_free(&code->promises);
  LLVMDisposeModule(code->module);
  LLVMContextDispose(code->context);
  free(code);
}
