/*
 * Symbolic execution: LLVM IR, which is C functions as the compiler sees them,
 * runs on terms, which are values that are not known. Paths that part meet again: what they leave
 * in registers and memory is picked by the condition of the branch.
 *
 * Memory is objects of bytes at addresses that are given to them. An address
 * that depends on what is not known is looked up in all the places where it can
 * point. Loops run as often as their conditions, which mostly are constant then,
 * can be true.
 *
 * IR may assume that nothing undefined happens. Everything that it may assume is
 * kept as an obligation: a condition that must be true.
 */
#ifndef ENGINE_SYMEX_SYMEX_H
#define ENGINE_SYMEX_SYMEX_H

#include "engine/term/term.h"

/* Something undefined (an overflow of a signed number, a shift by too much, an
 * access beyond an object, a call of __builtin_unreachable) does not happen. */
struct symex_obligation {
  term condition;  /* must be true whenever it is reached */
  char *what;      /* "FUNCTION: add nsw", with FILE:LINE where there is debug information */
  bool is_promise; /* of a value, which is made without it: no access, no path */
};

struct symex;

/* Reads a module of bitcode. NULL, with a line on stderr, if it cannot. Global
 * variables are objects with their initial values, constants cannot be written. */
struct symex *symex_new(const char *bitcode);
void symex_free(struct symex *symex);

/* A new object of so many bytes, all of them undefined: they may not be used before they are
 * written. Returns its address. */
uint64_t symex_object(struct symex *symex, const char *name, size_t size);

/* The address of a global variable of the module; 0: it has none of this name. */
uint64_t symex_global(const struct symex *symex, const char *name);

/* What an object holds at an address, which is known: little-endian, width a multiple of 8. */
void symex_store(struct symex *symex, uint64_t address, term value);
term symex_load(struct symex *symex, uint64_t address, uint32_t width);

/* Calls a function with arguments: integers and addresses, of their widths. TERM_NONE: it returns
 * nothing. An unknown instruction, or a loop that does not end, ends the
 * process with a line on stderr and exit status 2. */
term symex_call(struct symex *symex, const char *function, const term *arguments,
                size_t num_arguments);

/* Calls `around` whenever a function is called, and again when it has returned. In it, symex_load
 * and symex_store are of the memory at that point; it may change what the function finds and
 * leaves. The function must be called without a condition. */
typedef void symex_around(void *with, const term *arguments, bool after);
void symex_watch(struct symex *symex, const char *function, symex_around *around, void *with);

/*
 * What further calls do is kept, or no more. A call that is kept is not executed again: where its
 * arguments and every byte that it read are the identical terms, what it wrote is written, and its
 * obligations and its result are those that it had. Both ways give the same terms.
 */
void symex_remember(struct symex *symex, bool remembers);

/*
 * Marks. symex_back: memory is as it was at the mark, and calls have the same addresses for what is
 * their own. symex_drop: obligations, steps and what is watched are as at the mark, too. What is
 * kept of calls stays.
 */
struct symex_mark;
struct symex_mark *symex_mark(const struct symex *symex);
void symex_back(struct symex *symex, const struct symex_mark *mark);
void symex_drop(struct symex *symex, const struct symex_mark *mark);
void symex_mark_free(struct symex_mark *mark);
/* Whether bytes of an object are the terms that they were at the mark; and those of all global
 * variables. */
bool symex_is_as_marked(const struct symex *symex, const struct symex_mark *mark, uint64_t address,
                        size_t size);
bool symex_globals_are_as_marked(const struct symex *symex, const struct symex_mark *mark);

/* All of them since symex_new(); those that are constant true are not kept, but counted.
 */
size_t symex_obligations(const struct symex *symex, const struct symex_obligation **obligations,
                         size_t *trivial);
/* Instructions executed; those of a call that was not executed again count, too. */
size_t symex_steps(const struct symex *symex);
/* Calls that were not executed again. */
size_t symex_recalled(const struct symex *symex);

#endif
