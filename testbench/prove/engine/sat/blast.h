/*
 * Terms as gates: a literal for each bit. Each term is made once.
 */
#ifndef ENGINE_SAT_BLAST_H
#define ENGINE_SAT_BLAST_H

#include "engine/sat/cnf.h"
#include "engine/term/term.h"

#ifdef __cplusplus
extern "C" {
#endif

struct blaster;
struct blaster *blaster_new(struct cnf *cnf);
void blaster_free(struct blaster *blaster);

/* The literals of a term's bits, the lowest first. They stay. */
const int *blast(struct blaster *blaster, term a);

/* Those of a term that was made before. NULL: it was not. */
const int *blasted(const struct blaster *blaster, term a);

#ifdef __cplusplus
}
#endif

#endif
