/* What is done to a device, item by item, and files of it (docs/reference/check.md). */
#ifndef PMUV3_CHECK_ITEM_H
#define PMUV3_CHECK_ITEM_H

#include <stdio.h>

#include "testbench/cosim/check/bench/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

enum item_kind {
  ITEM_WRITE, /* reg, value: the access begins; it takes the clocks that the device takes */
  ITEM_READ,  /* reg, value: of the data pins */
  ITEM_CYCLE, /* count, clocks: so many clocks, each with these events */
  ITEM_IDLE,  /* clocks: so many without events */
  ITEM_STOP,  /* count, clocks: so many with the clock enable low, each with these events */
  ITEM_STATE, /* thread, pe */
  ITEM_OTHER, /* thread, other: where events of origin `other` occur from now on */
  ITEM_RESET, /* clocks */
  ITEM_RESET_WARM,
  ITEM_CARRY, /* carried, value: what the port's pins carry from now on, if no access is under way
               */
  NUM_ITEM_KINDS
};

struct item {
  uint8_t kind; /* enum item_kind */
  uint8_t thread;
  uint16_t reg; /* index in device.registers */
  uint32_t clocks;
  uint64_t value;
  union {
    struct pmuv3_pe pe;
    struct pmuv3_context other;
    uint8_t count[PMUV3_DEVICE_MAX_EVENTS]; /* of device.events */
    struct {
      uint64_t address;
      uint8_t port;
      bool is_write;
      bool enable; /* of APB: PENABLE, as in a transfer of another slave */
    } carried;
  };
};

/* A stimulus: items that grow. */
struct stimulus {
  struct item *items;
  size_t count, capacity;
  uint32_t seed; /* of the device's initial values */
};

/* False: no memory. */
bool stimulus_add(struct stimulus *stimulus, const struct item *item);
void stimulus_free(struct stimulus *stimulus);

/* Lines of a file, without comments and with equal idle clocks as one. */
size_t stimulus_lines(const struct stimulus *stimulus);
void stimulus_write(FILE *out, const struct stimulus *stimulus, const struct pmuv3_device *device);

/* Reads what the device's pins can carry. False: `error` has one line FILE:LINE. Then nothing needs
 * to be freed. */
bool stimulus_read(struct stimulus *stimulus, FILE *in, const char *name,
                   const struct profile *profile, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
