/* The parts of code.h's implementation. */
#ifndef ENGINE_SYMEX_CODE_INTERNAL_H
#define ENGINE_SYMEX_CODE_INTERNAL_H

#include "engine/symex/code.h"
#include "engine/symex/numbers.h"

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
  struct numbers promises; /* of instructions */
  unsigned range_kind, byval_kind, readnone_kind;
};

/* ---- Types and constants (code_constant.c) ---- */

enum { ADDRESS_WIDTH = 64 };

/* The scalars of a type. The caller frees them. */
struct scalars code_scalars(const struct code *code, LLVMTypeRef type);

/* The number of scalars before an element of a struct or an array, and the element's type. */
size_t code_scalars_before(const struct code *code, LLVMTypeRef type, unsigned element,
                           LLVMTypeRef *element_type);

/* Steps into an element of a GEP's path. Returns the constant part of the offset; `scale` is that
 * of the index, or 0. */
uint64_t code_step_into(const struct code *code, LLVMTypeRef *type, unsigned index, LLVMValueRef at,
                        uint64_t *scale);

/* The scalars of a constant, which the caller frees. False: the constant is unknown, and execution
 * fails if it is used. */
bool code_constant(const struct code *code, LLVMValueRef value, term **terms);

/* ---- Instructions (code_decode.c) ---- */

/* Once the functions are declared. */
void code_read_promises(struct code *code);

/* ---- Liveness (code_live.c) ---- */

/* Sets the live slots of each block of a decoded function. */
void code_find_live(struct function *function);

#endif
