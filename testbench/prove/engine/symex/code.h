/*
 * Code: functions of LLVM's IR, decoded for execution. The values of a function are in numbered
 * slots. A value of a struct or array type has a slot for each scalar in it.
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
  bool unknown; /* the type has other scalars: floating point, vectors */
};

struct operand {
  bool is_constant;
  uint32_t slot;   /* the first */
  term *constants; /* TERM_NONE: undefined */
  struct scalars type;
  const char *unknown; /* why it cannot be used; NULL: it can be */
};

/* Flags of an instruction: the program promises that this does not happen. */
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
  struct function *callee; /* NULL: unknown, or an intrinsic */
  const char *intrinsic;   /* "memcpy.p0i8.p0i8.i64" */
};

struct block {
  struct instruction *instructions; /* phis first */
  size_t num_instructions;
  size_t num_phis;
  uint32_t *live; /* slots that are used in this block or later, phis too */
  size_t num_live;
};

/* Blocks are in an order of execution: those of a loop together, its header first. */
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
  bool is_pure; /* the result depends only on the arguments, and nothing else changes */
};

struct code;

/* Reads bitcode. NULL: the file cannot be read; a line on stderr says why. */
struct code *code_read(const char *bitcode);
void code_free(struct code *code);

/* The function of this name. NULL: none has this name and a body. */
struct function *code_function(struct code *code, const char *name);

/* Decodes the function, unless it is decoded. Call this before the function is executed. */
void code_decode(struct code *code, struct function *function);

/* Objects have numbers from 1: global variables first, then functions. code_initialize writes each
 * scalar of a global variable at its offset; TERM_NONE is an undefined one. */
size_t code_num_objects(const struct code *code);
size_t code_num_globals(const struct code *code);
const char *code_global_name(const struct code *code, size_t global);
uint64_t code_global_size(const struct code *code, size_t global);
bool code_global_is_constant(const struct code *code, size_t global);
void code_initialize(struct code *code, size_t global,
                     void (*write)(uint64_t offset, term value, void *with), void *with);

/* "FILE:LINE: FUNCTION", or "FUNCTION". The caller frees it. */
char *code_place(const struct function *function, const struct instruction *instruction);

#endif
