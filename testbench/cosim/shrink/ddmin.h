/*
 * Delta debugging: removes elements of a row. The caller defines the elements, and the condition
 * that must keep holding.
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
  /* Removes elements first to first + length - 1 if the condition allows it; may remove more.
   * Otherwise changes nothing and returns false. */
  bool (*leave_out)(void *row, size_t first, size_t length);
};

/* Tries chunks of half the row, then of half that length, and so on. In the end no single element
 * can be removed. Returns whether any element was removed. */
bool pmuv3_ddmin(const struct pmuv3_row *ddmin, void *row);

#ifdef __cplusplus
}
#endif

#endif
