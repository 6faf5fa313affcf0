/*
 * A record: what the pins of a device carried at one rising edge of its clock, just before it.
 * Every bench makes records; the checker (check.h) takes them. Records have what the description
 * names; the other members are ignored.
 */
#ifndef PMUV3_RECORD_H
#define PMUV3_RECORD_H

#include "pmuv3/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What can be seen of a thread. A record says what it has of it: a simulator's X cannot be
 * compared. Of internals it says which counters' it has, too. */
enum pmuv3_seen {
  PMUV3_SEEN_IRQ = 1,
  PMUV3_SEEN_CTI = 2,
  PMUV3_SEEN_EXCEPTION = 4,
  PMUV3_SEEN_COUNTERS = 8,
  PMUV3_SEEN_OVERFLOW = 16,
  PMUV3_SEEN_V = 32,
};

enum pmuv3_reset_kind { PMUV3_NO_RESET, PMUV3_WARM_RESET, PMUV3_COLD_RESET };

/* Lanes of counters in a record: 0..30 event counters, the cycle and the instruction counter. */
#define PMUV3_RECORD_COUNTERS 33

/* The pins of a port. A pin that the port does not have: see pmuv3_record_init. */
struct pmuv3_record_port {
  bool request; /* of APB: PSEL */
  bool enable;  /* of APB: PENABLE */
  bool ready;
  bool write;
  bool response;
  bool error;
  bool knows_value; /* else `value` is X */
  bool knows_error;
  uint64_t address;
  uint64_t data;
  uint64_t value;
};

struct pmuv3_record_thread {
  struct pmuv3_pe state;
  struct pmuv3_context other; /* where events of origin `other` occurred */
  bool irq;
  bool cti;
  uint8_t exception;
  uint8_t seen;           /* enum pmuv3_seen */
  uint64_t counters_seen; /* of COUNTERS: a bit for each counter */
  uint64_t flags_seen;    /* of OVERFLOW: likewise its flag */
  uint32_t V_seen;        /* of V: likewise its V */
  uint64_t overflow;      /* bit n: the flag of counter n, as in PMOVSSET_EL0 */
  uint64_t counter[PMUV3_RECORD_COUNTERS];
  uint16_t V[PMUV3_RECORD_COUNTERS];
};

struct pmuv3_record {
  bool clock;                             /* this is a Processor cycle */
  uint8_t reset;                          /* enum pmuv3_reset_kind */
  uint8_t count[PMUV3_DEVICE_MAX_EVENTS]; /* of device.events */
  struct pmuv3_record_port port[PMUV3_DEVICE_MAX_PORTS];
  struct pmuv3_record_thread thread[PMUV3_MAX_THREADS];
  bool was_reset; /* pmuv3_record_pins has seen the first reset, or the device has none */
  uint32_t reads[PMUV3_DEVICE_MAX_PORTS]; /* that wait for a response pin: pmuv3_record_pins */
};

/* A record in which nothing happens: the clock runs, ports are ready, states are the description's.
 */
void pmuv3_record_init(struct pmuv3_record *record, const struct pmuv3_device *device);

/* Before the pins of each clock are set: no reset, and all that the device shows is known. */
void pmuv3_record_begin(struct pmuv3_record *record, const struct pmuv3_device *device);

/* The pin carries X. What an output or an internal shows is not compared in this clock. */
void pmuv3_record_unknown(struct pmuv3_record *record, const struct pmuv3_pin *pin);

/*
 * Sets what a pin carries: levels are made positive, maps of states are applied. For benches that
 * look at pins by name. `value` is that of the pin's bits. pmuv3_record_get is the inverse, for
 * whoever drives the device from a record.
 */
void pmuv3_record_set(struct pmuv3_record *record, const struct pmuv3_pin *pin, uint64_t value);
uint64_t pmuv3_record_get(const struct pmuv3_record *record, const struct pmuv3_pin *pin);

/*
 * All pins of a clock, in the order of the description: their values, and which of their bits are X
 * or Z. An output that is X is not seen. X on a reset is a reset, but not the first one. NULL, or
 * an input that the device looks at in this clock, and that is X or has a value without a meaning:
 * another than that of its `tie`, one that its map lacks, more occurrences than a cycle can have,
 * or a state that no PE has. An output that says whether the port goes on, such as `ready`, is like
 * an input. Then there is no record.
 *
 * Before the first reset nobody knows what the device holds. So each clock is one of a reset then:
 * up to the first Cold reset, or of a device that has only Warm ones the first of these.
 */
const struct pmuv3_pin *pmuv3_record_pins(struct pmuv3_record *record,
                                          const struct pmuv3_device *device, const uint64_t *values,
                                          const uint64_t *unknown);

/* What is wrong with such an input: "is X", "is 1, but its line says 0". Returns buf. */
const char *pmuv3_record_wrong(const struct pmuv3_pin *pin, uint64_t value, uint64_t unknown,
                               char *buf, size_t size);

/* Whether the device accepts an access in this clock. */
static inline bool pmuv3_record_accepts(const struct pmuv3_device_port *port,
                                        const struct pmuv3_record_port *pins) {
  return pins->request && pins->ready && (!port->is_apb || pins->enable);
}

/* A state's member by its key; a flag is 0 or 1. */
void pmuv3_state_set(struct pmuv3_pe *pe, enum pmuv3_state_key key, uint64_t value);
uint64_t pmuv3_state_get(const struct pmuv3_pe *pe, enum pmuv3_state_key key);

#ifdef __cplusplus
}
#endif

#endif
