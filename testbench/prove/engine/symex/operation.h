/* Arithmetic of LLVM's IR as terms, and what it promises about it. */
#ifndef ENGINE_SYMEX_OPERATION_H
#define ENGINE_SYMEX_OPERATION_H

#include "engine/symex/code.h"

/* TERM_NONE: the operation is not known. */
term operation_binary(LLVMOpcode opcode, term a, term b);
term operation_compare(LLVMIntPredicate predicate, term a, term b);
term operation_cast(LLVMOpcode opcode, term a, uint32_t width);

/* "umin", "fshl" and the like, by the name without its types. TERM_NONE: not
 * known. */
term operation_intrinsic(const char *name, const term *arguments, size_t num_arguments);

/* A promise of an operation: the condition, and what it is called. Returns how many there are. */
struct promise {
  term condition;
  const char *what;
};
enum { MAX_PROMISES = 3 };
/* Of a shift, that of its amount is the last one. */
bool operation_is_shift(LLVMOpcode opcode);
size_t operation_promises(LLVMOpcode opcode, unsigned promises, term a, term b,
                          struct promise made[MAX_PROMISES]);
size_t operation_intrinsic_promises(const char *name, const term *arguments, size_t num_arguments,
                                    struct promise made[MAX_PROMISES]);

#endif
