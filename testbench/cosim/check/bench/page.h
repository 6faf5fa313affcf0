/* The sign-off page of a device: one file of HTML with everything in it, without a script. */
#ifndef PMUV3_CHECK_PAGE_H
#define PMUV3_CHECK_PAGE_H

#include "testbench/cosim/check/bench/evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

struct page {
  sqlite3 *database;
  const struct outcome *outcome;            /* whose totals are of all recorded runs */
  const struct outcome *by_mode[NUM_MODES]; /* likewise, of the runs of a mode; NULL: none ran */
};

/* Writes the page of a struct page. False: a write failed. */
bool page_write(FILE *out, const void *page);

#ifdef __cplusplus
}
#endif

#endif
