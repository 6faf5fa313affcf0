/*
 * What a call did, kept so that it need not be executed again: what it read, what it left in
 * memory, its result and its obligations. A call like it does the same if its arguments and every
 * byte that it reads are the identical terms.
 *
 * Not kept is a call on a path with conditions, one in which a function was watched, and one that
 * made a new variable, which may stand for one undefined value alone.
 */
#ifndef ENGINE_SYMEX_MEMO_H
#define ENGINE_SYMEX_MEMO_H

#include "engine/symex/activation.h"

/* Executes a call without a condition, or does again what a call like it did. */
term *memo_call(struct symex *symex, struct function *function, const term *arguments,
                struct memory **memory);

/* An obligation of a call that is executed now. */
void memo_note(struct symex *symex, const struct noted *noted);

void memo_free(struct memo *memos);

#endif
