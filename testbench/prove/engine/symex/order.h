/* An order of a function's blocks: each after those that lead to it, but for the way back in a
 * loop, whose blocks are together and its header first. Blocks that nothing leads to are not in it.
 */
#ifndef ENGINE_SYMEX_ORDER_H
#define ENGINE_SYMEX_ORDER_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* To be freed. */
LLVMBasicBlockRef *symex_order(LLVMValueRef function, size_t *count);

#endif
