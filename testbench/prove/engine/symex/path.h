/*
 * Paths: the conditions under which an instruction is executed, one after the
 * other as the branches were taken. What follows from them alone is known on the
 * path, and branches that they exclude are not taken. Paths stay for as long as
 * the process.
 */
#ifndef ENGINE_SYMEX_PATH_H
#define ENGINE_SYMEX_PATH_H

#include "engine/term/term.h"

struct path;

/* The one without a condition. */
struct path *path_root(void);

/* The path on which a condition holds, too. NULL: it cannot. */
struct path *path_push(struct path *path, term condition);

/* All conditions in one. */
term path_condition(struct path *path);

/* A condition as it is known on a path: constant, if it follows. */
term path_known(struct path *path, term condition);

/* A term as it is on a path: of alternatives that depend on what is known, the right one. */
term path_simplified(struct path *path, term a);

/* The path that two different ones, of which one at most is taken, are together; and a
 * condition that tells the first from the second. */
struct path *path_merged(struct path *a, struct path *b, term *is_first);

/* How many conditions two paths share. */
size_t path_shared(const struct path *a, const struct path *b);
bool path_continues(const struct path *path, const struct path *before);
size_t path_length(const struct path *path);

#endif
