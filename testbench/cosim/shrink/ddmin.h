/*
 * Delta debugging: leaves out of a row of elements what can be left out. What
 * they are, and what must hold of them, is the caller's.
 */
#ifndef PMUV3_DDMIN_H
#define PMUV3_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_row {
  size_t (*count)(void *row);
  /* Leaves out elements first to first + length - 1 if it can, and more if it likes; else changes
   * nothing and returns false. */
  bool (*leave_out)(void *row, size_t first, size_t length);
};

/* Leaves out in chunks, first to last, of half the row and then of half that each; in the end none
 * of the elements can be left out alone. Returns whether any was left out. */
bool pmuv3_ddmin(const struct pmuv3_row *ddmin, void *row);

#ifdef __cplusplus
}
#endif

#endif
