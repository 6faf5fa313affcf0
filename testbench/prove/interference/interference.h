/*
 * Non-interference: what happens where counting is prohibited, or filtered, is
 * not counted. A proof on two copies of a clock, which differ in nothing else.
 * What the architecture permits to leak is listed, with the choices that do it,
 * and each of them must be seen to leak: the list is exact, and nothing is proved
 * of what never happens.
 */
#ifndef PMUV3_PROVE_INTERFERENCE_H
#define PMUV3_PROVE_INTERFERENCE_H

#include "testbench/prove/interference/interference_copies.h"

/* A part of it: a condition under assumptions. */
struct interference {
  char *name;     /* "t0 counter 1, L1D_CACHE" */
  bool must_fail; /* a permitted leak; a control that is needed; or, of a false condition,
                     assumptions that can be met */
  term condition;
  term *assumptions;
  size_t num_assumptions;
};

/* The case that it is proved of: a Processor cycle without an access, whose model is cut. */
extern const struct model_case interference_case;

/* Of a place, which is there. */
size_t interference_make(const struct model *model, enum place place, struct interference **all);
void interference_free(struct interference *all, size_t number);

#endif
