/* What a stimulus can do with a device: its events, registers, bits and states. */
#ifndef PMUV3_CHECK_PROFILE_H
#define PMUV3_CHECK_PROFILE_H

#include "pmuv3/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of registers that the stimulus treats alike. */
enum register_class {
  CLASS_COUNTER,
  CLASS_TYPE,
  CLASS_CONTROL, /* PMCR */
  CLASS_ENABLE,  /* PMCNTENSET, PMCNTENCLR */
  CLASS_INTERRUPT,
  CLASS_FLAG,
  CLASS_INCREMENT,
  CLASS_CAPTURE, /* PMSSCR */
  CLASS_OTHER,
  NUM_CLASSES
};

struct class_list {
  uint16_t of[1024]; /* indices in device.registers */
  unsigned count;
};

struct profile {
  const struct pmuv3_device *device;
  struct class_list readable[NUM_CLASSES], writable[NUM_CLASSES];
  unsigned readable_classes, writable_classes; /* a bit for each that has some */
  /* Registers of which no bit can be written, or read. Such accesses must do nothing. */
  struct class_list unwritable, unreadable;
  uint8_t max[PMUV3_DEVICE_MAX_EVENTS];     /* the largest count of each event */
  bool is_limited[PMUV3_DEVICE_MAX_EVENTS]; /* the pin can say more */
  struct state_pin {
    uint8_t thread, key, num_values;
    uint8_t values[PMUV3_DEVICE_MAX_VALUES];
    bool is_limited; /* the pin can say more */
  } states[PMUV3_MAX_THREADS * PMUV3_NUM_STATE_KEYS];
  unsigned num_states;
  struct state_pin others[PMUV3_MAX_THREADS][2]; /* el, ss of origin `other`; no values: no pin */
  struct pmuv3_pe highest[PMUV3_MAX_THREADS]; /* at the highest Exception level that pins can say */
  uint8_t address_bits[PMUV3_DEVICE_MAX_PORTS];
  bool has_warm_reset, has_cold_reset, has_checked_port;
  const struct pmuv3_dut_bits *unnamed; /* of pmuv3_dut_unnamed; NULL: of a recording */
};

/* width: the bits of each pin of the device. */
void profile_find(struct profile *profile, const struct pmuv3_device *device,
                  unsigned (*width)(size_t pin));

/* A state in which a port that judges the thread's state takes a write of the register after a
 * reset. If pins can say none, the state after a reset. */
struct pmuv3_pe profile_writer(const struct profile *profile,
                               const struct pmuv3_device_register *reg);

/* What the model has at a register's address after a reset, as on the port. */
uint64_t profile_reset_value(const struct profile *profile,
                             const struct pmuv3_device_register *reg);

enum register_class profile_class(const struct pmuv3_device_register *reg);

/* Whether writes set HPMN, or the counter that PMSELR selects, through a view of AArch32, too. */
bool profile_sets_hpmn(const struct pmuv3_device_register *reg);
bool profile_selects(const struct pmuv3_device_register *reg);

/* The least value of HPMN that is not reserved. The largest is the number of counters. */
unsigned profile_least_hpmn(const struct pmuv3_params *params);

/* Written data that neither stimulus nor proof has, since devices may take it in different ways:
 * these bits of it are below a number, equal to it, or above it. */
struct profile_bar {
  uint64_t bits;
  enum { BAR_BELOW, BAR_EQUAL, BAR_ABOVE } than;
  unsigned number;
};

enum { PROFILE_MAX_BARS = PMUV3_DEVICE_MAX_ABSENT + 3 };

/* The bars of a register: `absent` events, reserved values of HPMN, and the cycle counter in PMSELR
 * if it is absent. A bit that the register does not take (`write=`) is in none of them. Gives how
 * many. */
unsigned profile_bars(const struct pmuv3_device *device, const struct pmuv3_device_register *reg,
                      struct profile_bar bars[PROFILE_MAX_BARS]);

/* Whether the data meets a bar of the register. */
bool profile_is_barred(const struct pmuv3_device *device, const struct pmuv3_device_register *reg,
                       uint64_t data);

#ifdef __cplusplus
}
#endif

#endif
