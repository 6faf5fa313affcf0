#include "testbench/cosim/shrink/ddmin.h"

/* Tries each chunk of `length` elements once. */
static bool sweep(const struct pmuv3_row *ddmin, void *row, size_t length) {
  bool any = false;
  for (size_t first = 0, count; first < (count = ddmin->count(row));) {
    const size_t rest = count - first;
    if (ddmin->leave_out(row, first, rest < length ? rest : length))
      any = true;
    else
      first += length;
  }
  return any;
}

bool pmuv3_ddmin(const struct pmuv3_row *ddmin, void *row) {
  bool any = false;
  for (size_t length = (ddmin->count(row) + 1) / 2; length > 1; length = (length + 1) / 2)
    any |= sweep(ddmin, row, length);
  while (sweep(ddmin, row, 1)) any = true;
  return any;
}
