/* A recording of a device: what its pins carried, clock by clock. */
#ifndef PMUV3_CHECK_RECORDING_H
#define PMUV3_CHECK_RECORDING_H

#include "pmuv3/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recording {
  struct pmuv3_record *records;
  size_t count, room;
};

/* Adds a clock. False: no memory. */
bool recording_add(struct recording *recording, const struct pmuv3_record *record);

#ifdef __cplusplus
}
#endif

#endif
