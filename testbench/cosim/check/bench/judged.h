/*
 * The states that judge what goes into a device. Its own state judges an input: the one that the
 * pins carry in the input's clock. The latencies of a description can let another state judge it.
 */
#ifndef PMUV3_CHECK_JUDGED_H
#define PMUV3_CHECK_JUDGED_H

#include "pmuv3/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct judged {
  const char *what;  /* "events" */
  const char *rules; /* that ask for their own state, or "" */
  const char *by;    /* "the state 1 clock later" */
};
typedef void judged_sayer(void *context, const struct judged *judged);

/* Calls `say` with each kind of input that another state judges than its own. */
void judged_by_others(const struct pmuv3_device *device, judged_sayer *say, void *context);

#ifdef __cplusplus
}
#endif

#endif
