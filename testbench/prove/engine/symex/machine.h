/*
 * A machine that runs LLVM IR on terms: C functions as the compiler sees them,
 * with values that are not known. Paths that part meet again: what they leave
 * in registers and memory is picked by the condition of the branch.
 *
 * Memory is objects of bytes at addresses that the machine gives them. An address
 * that depends on what is not known is looked up in all the places where it can
 * point. Loops run as often as their conditions, which mostly are constant then,
 * can be true.
 *
 * IR may assume that nothing undefined happens. Everything that it may assume is
 * kept as an obligation: a condition that must be true.
 */
#ifndef PMUV3_PROVE_MACHINE_H
#define PMUV3_PROVE_MACHINE_H

#include "testbench/prove/engine/term/term.h"

/* Something undefined (an overflow of a signed number, a shift by too much, an
 * access beyond an object, a call of __builtin_unreachable) does not happen. */
struct machine_obligation {
  term condition;  /* must be true whenever it is reached */
  char *what;      /* "FUNCTION: add nsw", with FILE:LINE where there is debug information */
  bool is_promise; /* of a value, which the machine makes without it: no access, no path */
};

struct machine;

/* Reads a module of bitcode. NULL, with a line on stderr, if it cannot. Global
 * variables are objects with their initial values, constants cannot be written. */
struct machine *machine_new(const char *bitcode);
void machine_free(struct machine *machine);

/* A new object of so many bytes, all of them undefined: they may not be used before they are
 * written. Returns its address. */
uint64_t machine_object(struct machine *machine, const char *name, size_t size);

/* The address of a global variable of the module; 0: it has none of this name. */
uint64_t machine_global(const struct machine *machine, const char *name);

/* What an object holds at an address, which is known: little-endian, width a multiple of 8. */
void machine_store(struct machine *machine, uint64_t address, term value);
term machine_load(struct machine *machine, uint64_t address, uint32_t width);

/* Calls a function with arguments: integers and addresses, of their widths. TERM_NONE: it returns
 * nothing. An instruction that the machine does not know, or a loop that does not end, makes it
 * stop the process with a line on stderr and exit status 2. */
term machine_call(struct machine *machine, const char *function, const term *arguments,
                  size_t num_arguments);

/* Calls `around` whenever a function is called, and again when it has returned. In it, machine_load
 * and machine_store are of the memory at that point; it may change what the function finds and
 * leaves. The function must be called without a condition. */
typedef void machine_around(void *with, const term *arguments, bool after);
void machine_watch(struct machine *machine, const char *function, machine_around *around,
                   void *with);

/* All of them since the machine was made; those that are constant true are not kept, but counted.
 */
size_t machine_obligations(const struct machine *machine,
                           const struct machine_obligation **obligations, size_t *trivial);
/* Instructions executed. */
size_t machine_steps(const struct machine *machine);

#endif
