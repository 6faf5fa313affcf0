/*
 * Code: functions of LLVM's IR, decoded for execution. Values of a function are
 * numbered slots; one of a struct or an array type has a slot for each scalar in it.
 */
#ifndef ENGINE_SYMEX_CODE_H
#define ENGINE_SYMEX_CODE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "engine/term/term.h"

/* A scalar of a type: an integer or an address. */
struct scalar {
  uint32_t width;
  uint64_t offset; /* in memory */
};

struct scalars {
  struct scalar *scalars;
  size_t count;
  bool unknown; /* there are others: floating point, vectors */
};

struct operand {
  bool is_constant;
  uint32_t slot;   /* the first */
  term *constants; /* TERM_NONE: undefined */
  struct scalars type;
  const char *unknown; /* why it cannot be used; NULL: it can be */
};

/* Of IR's promises. */
enum { NO_UNSIGNED_WRAP = 1, NO_SIGNED_WRAP = 2, EXACT = 4 };

struct function;

struct instruction {
  LLVMValueRef value;
  LLVMOpcode opcode;
  const char *unknown; /* why it cannot be executed; NULL: it can be */
  uint32_t slot;       /* the first that it defines */
  struct scalars type;
  struct operand *operands;
  size_t num_operands;
  unsigned promises;
  LLVMIntPredicate predicate;
  uint64_t offset;   /* GEP: constant part; extractvalue, insertvalue: the first scalar */
  uint64_t *scales;  /* GEP: of operands[1 ..] */
  uint64_t size;     /* alloca */
  uint64_t range[2]; /* load: values in [0] .. [1] - 1; both 0: any */
  uint32_t *targets; /* br, switch: blocks; of operands[i + 1] at [i + 1], the default at [0] */
  struct function *callee; /* NULL: none that is known, or */
  const char *intrinsic;   /* "memcpy.p0i8.p0i8.i64" */
};

struct block {
  struct instruction *instructions; /* phis first */
  size_t num_instructions;
  size_t num_phis;
  uint32_t *live; /* slots that are used in this block or later, phis too */
  size_t num_live;
};

/* Blocks are in an order in which they can be executed: those of a loop together, its header first.
 */
struct function {
  const char *name;
  LLVMValueRef value;
  bool is_decoded;
  struct block *blocks;
  size_t num_blocks;
  uint32_t num_slots;
  uint32_t *widths; /* of slots */
  size_t num_parameters;
  struct scalars *parameters; /* their slots are the first ones */
  uint64_t *copied;           /* parameters that are addresses of copies: their size; else 0 */
  struct scalars result;
  bool is_pure; /* it depends on its arguments alone, and changes nothing */
};

struct code;

/* NULL, with a line on stderr, if it cannot be read. */
struct code *code_read(const char *bitcode);
void code_free(struct code *code);

/* NULL: there is none of this name with a body. */
struct function *code_function(struct code *code, const char *name);
/* Before it is executed for the first time. */
void code_decode(struct code *code, struct function *function);

/* Global variables are the objects from 1; after them functions have numbers, too. Scalars are
 * written at their offsets; with TERM_NONE what is undefined. */
size_t code_num_objects(const struct code *code);
size_t code_num_globals(const struct code *code);
const char *code_global_name(const struct code *code, size_t global);
uint64_t code_global_size(const struct code *code, size_t global);
bool code_global_is_constant(const struct code *code, size_t global);
void code_initialize(struct code *code, size_t global,
                     void (*write)(uint64_t offset, term value, void *with), void *with);

/* "FILE:LINE: FUNCTION", or "FUNCTION". To be freed. */
char *code_place(const struct function *function, const struct instruction *instruction);

#endif
