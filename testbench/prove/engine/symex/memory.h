/*
 * Memory: objects of bytes, and what they hold. A memory is a value: copies are
 * cheap and share what is the same in both.
 *
 * A byte is a byte of a term, or undefined. What is written as one term is read
 * as this term again, wherever it was copied to.
 */
#ifndef ENGINE_SYMEX_MEMORY_H
#define ENGINE_SYMEX_MEMORY_H

#include "engine/term/term.h"

/* An address is an object's number, from 1, and an offset in it: nothing is beside an object that
 * a wrong index could reach. */
#define MEMORY_ADDRESS(object, offset) ((uint64_t)(object) << 32 | (offset))
#define MEMORY_OBJECT(address) ((uint32_t)((address) >> 32))
#define MEMORY_OFFSET(address) ((uint32_t)(address))

struct memory;

/* A byte of a term, or undefined. */
struct memory_byte {
  term value; /* TERM_NONE: undefined */
  uint32_t byte;
};

struct memory *memory_new(void);
struct memory *memory_copy(struct memory *memory);
void memory_free(struct memory *memory);

/* An object, undefined as a whole, with a number larger than all others. It is removed again. */
void memory_add(struct memory **memory, uint32_t object, size_t size);
void memory_remove(struct memory **memory, uint32_t object);

/* Whether these bytes are all of one object. */
bool memory_has(const struct memory *memory, uint64_t address, size_t size);

/* Bytes, which are there, as a term. TERM_NONE: all of them are undefined. Where only some are,
 * these can have any value. */
term memory_load(const struct memory *memory, uint64_t address, size_t size);
void memory_store(struct memory **memory, uint64_t address, term value);
void memory_undefine(struct memory **memory, uint64_t address, size_t size);

void memory_fill(struct memory **memory, uint64_t address, term byte, size_t size);

/*
 * What was stored last at an address that is not known, and lies somewhere from low to before high:
 * it is still there until something else is stored in between. TERM_NONE: nothing is known to be
 * there.
 */
void memory_remember(struct memory **memory, term address, uint64_t low, uint64_t high, term value);
term memory_recall(const struct memory *memory, term address, size_t size);

/* As memmove does, from one memory to another that may be the same. */
void memory_move(struct memory **to, uint64_t to_address, const struct memory *from,
                 uint64_t from_address, size_t size);

/* What one memory holds if a condition is true, else the other, which has the same objects. A byte
 * that is undefined in one of them can have any value then. */
struct memory *memory_merged(term condition, const struct memory *a, const struct memory *b);

/* ---- Bytes as they are, for what is kept of a call (memo.h) ---- */

/* Bytes of an object that is there. */
bool memory_is_same(const struct memory *memory, uint64_t address, const struct memory_byte *bytes,
                    size_t size);
void memory_read(const struct memory *memory, uint64_t address, struct memory_byte *bytes,
                 size_t size);
void memory_write(struct memory **memory, uint64_t address, const struct memory_byte *bytes,
                  size_t size);

#define MEMORY_NO_OBJECT SIZE_MAX
size_t memory_size(const struct memory *memory, uint32_t object);

/* What memory_recall() finds. */
bool memory_recalls_same(const struct memory *a, const struct memory *b);
void memory_recall_as(struct memory **memory, const struct memory *as);

#endif
