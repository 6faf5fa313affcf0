/*
 * The description of a device: a PMU in somebody's RTL, as docs/reference/check.md has its text
 * file. It says which pins carry what, where registers are, how late the device is, and how well it
 * must agree with the model.
 */
#ifndef PMUV3_DEVICE_H
#define PMUV3_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMUV3_DEVICE_MAX_EVENTS 240 /* of all threads, and of each pin */
#define PMUV3_DEVICE_MAX_PORTS 4
#define PMUV3_DEVICE_MAX_ABSENT 16 /* events */
#define PMUV3_DEVICE_MAX_ABSENT_FIELDS 64
#define PMUV3_DEVICE_MAX_LATENCY 31 /* clocks, of each kind */
#define PMUV3_DEVICE_MAX_WINDOW 63  /* clocks that an output may be late in mode within */
#define PMUV3_DEVICE_MAX_VALUES 16  /* values of a state pin that has a map */

/* What a pin carries. `index` and `thread` of struct pmuv3_pin say which one. */
enum pmuv3_role {
  PMUV3_ROLE_CLOCK,        /* the clock of the device */
  PMUV3_ROLE_RESET,        /* `value` is the active level; index 1: a Warm reset */
  PMUV3_ROLE_CLOCK_ENABLE, /* 1: this clock is a Processor cycle */
  PMUV3_ROLE_TIE,          /* an input that is always `value` */
  PMUV3_ROLE_EVENT,        /* index: of its first event in device.events */
  PMUV3_ROLE_STATE,        /* index: enum pmuv3_state_key */
  PMUV3_ROLE_OTHER,        /* where events of origin `other` occurred; index 0: el, 1: ss */
  PMUV3_ROLE_IRQ,          /* `value` is the active level */
  PMUV3_ROLE_CTI,          /* likewise */
  PMUV3_ROLE_EXCEPTION,    /* as pmuv3_exception */
  /* Pins of a port; index: of the port. */
  PMUV3_ROLE_REQUEST, /* PSEL of an APB port */
  PMUV3_ROLE_ENABLE,  /* PENABLE */
  PMUV3_ROLE_READY,
  PMUV3_ROLE_WRITE,
  PMUV3_ROLE_ADDRESS,
  PMUV3_ROLE_DATA,     /* written */
  PMUV3_ROLE_RESPONSE, /* the value, or the error, is there */
  PMUV3_ROLE_VALUE,    /* read */
  PMUV3_ROLE_ERROR,
  /* Internals. index: of the counter; 31 and 32 are the cycle and the instruction counter. */
  PMUV3_ROLE_SEEN_COUNTER,
  PMUV3_ROLE_SEEN_OVERFLOW, /* bit n: the flag of event counter n */
  PMUV3_ROLE_SEEN_FLAG,     /* the flag of one counter */
  PMUV3_ROLE_SEEN_V,
  PMUV3_NUM_ROLES
};

/* Keys of a thread's state: members of struct pmuv3_pe, but for fgt. */
enum pmuv3_state_key {
#define PMUV3_PE_NUMBER(name, bits, text) PMUV3_STATE_##name,
#define PMUV3_PE_FLAG(name, text) PMUV3_STATE_##name,
#include "pmuv3/pe.def"
  PMUV3_NUM_STATE_KEYS
};

/* A pin of the device, or bits of one, or a signal in the device. */
struct pmuv3_pin {
  char *name;
  int16_t msb, lsb; /* -1: all bits of the pin */
  uint32_t line;    /* in the description */
  uint8_t role;     /* enum pmuv3_role */
  uint8_t thread;
  uint8_t index;
  uint64_t value;     /* see enum pmuv3_role */
  uint8_t num_values; /* of a state pin's map; 0: the pin's value is the key's value */
  uint8_t from[PMUV3_DEVICE_MAX_VALUES]; /* values of the pin */
  uint8_t to[PMUV3_DEVICE_MAX_VALUES];   /* and of the key */
};

/* An event on a pin. Several pins of the same event add up, and a pin can carry several events. */
struct pmuv3_device_event {
  uint16_t number;
  uint8_t thread;
  uint8_t origin;  /* enum pmuv3_origin */
  uint8_t max;     /* the largest count; 0: as wide as the pin */
  uint8_t latency; /* of this pin; see PMUV3_LATENCY_EVENT */
  uint8_t source;  /* the first event of this pin, by which a record has its count */
  bool is_any;     /* occurs once if any of its pins is not 0 */
  bool adds_up;    /* with other pins of this event (pmuv3_device_excess) */
};

/* A port through which registers are reached. */
struct pmuv3_device_port {
  bool is_apb;
  bool is_checked;   /* the thread's state judges System register accesses */
  bool has_ready;    /* else every request is accepted at once */
  bool has_response; /* else a read is answered `response` clocks after its request */
  bool has_error;
  bool can_write;
  uint8_t response;
  uint8_t outstanding; /* with a response: so many reads at most wait for their answers */
  uint8_t ss;          /* enum pmuv3_security_state: address space of accesses of the page */
  uint8_t width;       /* bits of the data, 32 or 64 */
  uint8_t thread;
  uint32_t line;
};

/* Which bits of a register are at an address. */
enum pmuv3_half { PMUV3_WHOLE, PMUV3_LOW, PMUV3_HIGH };

/* A register at an address of a port. */
struct pmuv3_device_register {
  uint64_t address;
  uint64_t write;     /* bits, as they are on the port, that a write can change or act by */
  uint64_t read;      /* bits that a read must have right; beyond the register they are 0 */
  uint64_t unwritten; /* bits that the parameters make writable, and `write=` leaves out */
  uint64_t kept; /* bits of the register, or of the page's word, that a write leaves as they are */
  bool is_written; /* the model takes a write here; else nothing may come of it */
  bool is_read;    /* likewise a read, and how it ends is compared */
  bool is_unknown; /* after a reset: whoever drives the device writes it first */
  uint16_t reg;    /* its encoding; of a word of the page: of the most alike, or 0 */
  uint16_t offset; /* in the external page */
  bool is_page;    /* a word of the external page */
  uint8_t half;    /* enum pmuv3_half */
  bool names_half; /* the description says .low or .high */
  uint8_t port;
  uint8_t thread;
  uint32_t line;
};

/*
 * Latencies. An input with latency L counts, or acts, L clocks later than one that the next clock's
 * registers already show. An output with latency L shows what was so L clocks before.
 * docs/design/check.md draws them.
 */
enum pmuv3_latency {
  PMUV3_LATENCY_EVENT,     /* input: events */
  PMUV3_LATENCY_STATE,     /* input: the thread's state */
  PMUV3_LATENCY_CLOCK,     /* input: the clock enable */
  PMUV3_LATENCY_SWINC,     /* input: writes of PMSWINC */
  PMUV3_LATENCY_WRITE,     /* input: other writes */
  PMUV3_LATENCY_FLAG,      /* an overflow flag rises so much later than its counter wraps */
  PMUV3_LATENCY_INTERRUPT, /* output: irq, cti, exception */
  PMUV3_LATENCY_READ,      /* output: a read's value */
  PMUV3_LATENCY_VISIBLE,   /* output: internals */
  PMUV3_NUM_LATENCIES
};
struct pmuv3_range {
  uint8_t min, max;
};

/* How well device and model must agree (docs/design/check.md). */
enum pmuv3_mode { PMUV3_MODE_EXACT, PMUV3_MODE_WITHIN, PMUV3_MODE_SETTLED };

/* A value that the model gets after each reset, since the device has it there. */
struct pmuv3_device_initial {
  uint64_t value;
  uint32_t line; /* of the description, for messages */
  uint16_t reg;
  uint8_t thread;
};

/* A field of a register that the device lacks, although its parameters have the field. */
struct pmuv3_device_absent {
  const char *reg, *field; /* names */
  uint64_t mask;
  uint16_t encoding;
};

struct pmuv3_device {
  char *file; /* of the description, for messages */
  char *top;  /* the top module; NULL: the description does not say */
  struct pmuv3_params params;
  struct pmuv3_pin *pins;
  size_t num_pins;
  struct pmuv3_device_event events[PMUV3_DEVICE_MAX_EVENTS];
  size_t num_events;
  struct pmuv3_device_port ports[PMUV3_DEVICE_MAX_PORTS];
  size_t num_ports;
  struct pmuv3_device_register *registers; /* in the order of the description */
  size_t num_registers;
  struct pmuv3_device_initial *initials;
  size_t num_initials;
  struct pmuv3_pe pe[PMUV3_MAX_THREADS]; /* states where no pin says otherwise */
  struct pmuv3_range latency[PMUV3_NUM_LATENCIES];
  bool has_range[PMUV3_NUM_LATENCIES]; /* the line says A..B: calibration tries these */
  enum pmuv3_mode mode;
  uint8_t settle; /* clocks that are quiet around an access in mode settled */
  bool has_clock_enable;
  bool has_no_cycles;              /* no cycle counter */
  bool stops[PMUV3_NUM_LATENCIES]; /* flip-flops of this kind stop with the core's clock */
  uint16_t absent_events[PMUV3_DEVICE_MAX_ABSENT]; /* numbers that no stimulus selects */
  size_t num_absent_events;
  struct pmuv3_device_absent absent_fields[PMUV3_DEVICE_MAX_ABSENT_FIELDS];
  size_t num_absent_fields;
  uint8_t seen[PMUV3_MAX_THREADS];           /* enum pmuv3_seen (record.h) */
  uint64_t counters_seen[PMUV3_MAX_THREADS]; /* a bit for each counter that is visible */
  uint64_t flags_seen[PMUV3_MAX_THREADS];    /* likewise its flag */
  uint32_t V_seen[PMUV3_MAX_THREADS];        /* likewise its V */
};

/*
 * Reads a description. `name` is for messages. NULL: `error` has one line "FILE:LINE: what is
 * wrong", without a newline. Free the device with pmuv3_device_free; NULL is allowed.
 */
struct pmuv3_device *pmuv3_device_read(FILE *in, const char *name, char *error, size_t error_size);
void pmuv3_device_free(struct pmuv3_device *device);

/* Another mode than the description's. NULL, or in words why the device cannot have it. */
const char *pmuv3_device_set_mode(struct pmuv3_device *device, enum pmuv3_mode mode);

/*
 * In mode within: by how many clocks it is not known when an event counts and its flag rises, or
 * when registers and states change. 0 in the other modes.
 */
unsigned pmuv3_device_event_slack(const struct pmuv3_device *device);
unsigned pmuv3_device_change_slack(const struct pmuv3_device *device);

/* The first output that mode within would have to wait for longer than PMUV3_DEVICE_MAX_WINDOW,
 * with the ranges of the inputs. PMUV3_NUM_LATENCIES: none. */
enum pmuv3_latency pmuv3_device_too_late(const struct pmuv3_device *device);

/* So many clocks around a write and a change of state are without events in random stimulus: every
 * event is before it, or after it, whatever the latencies are. 0: none, since all is known. */
unsigned pmuv3_device_quiet_clocks(const struct pmuv3_device *device);

/* Whether the description has a pin of this role. */
bool pmuv3_device_has(const struct pmuv3_device *device, enum pmuv3_role role);

/* Whether the description has a pin of a Cold reset, or of a Warm one. */
bool pmuv3_device_has_reset(const struct pmuv3_device *device, bool is_warm);

/*
 * The number of Processor cycles that an input of this kind and latency waits. It passes as many
 * flip-flops as the clock enable has, whatever the enable is; those behind may stop with the clock.
 */
unsigned pmuv3_device_cycles(const struct pmuv3_device *device, enum pmuv3_latency kind,
                             unsigned latency);

/* Whether two pins count the same event, on one thread and of one origin. */
bool pmuv3_device_is_same_event(const struct pmuv3_device_event *a,
                                const struct pmuv3_device_event *b);

/*
 * By how many the counts of an event's pins add up to more than can occur in a cycle. `count` is of
 * each pin. 0 if the pins have several latencies, since they then count in different cycles; and of
 * a condition, which holds or does not, on however many pins.
 */
unsigned pmuv3_device_excess(const struct pmuv3_device *device, size_t event,
                             const uint8_t count[PMUV3_DEVICE_MAX_EVENTS]);

/* How many pins the event has, and whether all have one latency. */
unsigned pmuv3_device_event_pins(const struct pmuv3_device *device, size_t event,
                                 bool *have_one_latency);

/* How often the event can occur in a cycle, on all of its pins. */
unsigned pmuv3_device_most_together(const struct pmuv3_device *device, size_t event);

/* The set of threads whose debugger's operations an event's pin carries. They have to be halted. */
unsigned pmuv3_device_debugged(const struct pmuv3_device *device, size_t event);

/* For how many clocks after a reset the states on pins do not act yet. 0: no state has a pin. */
unsigned pmuv3_device_state_clocks(const struct pmuv3_device *device);

/* Whether some pin can say that a thread is halted. */
bool pmuv3_device_can_halt(const struct pmuv3_device *device, unsigned thread);

/* Whether the pins of a clock say if a thread is halted at its debugger's operations: both are as
 * late, and it is known how late. */
bool pmuv3_device_debugger_is_aligned(const struct pmuv3_device *device);

/* How many clocks of a reset empty all delays of the device, and a few more. */
unsigned pmuv3_device_reset_clocks(const struct pmuv3_device *device);

/* How often one of the device's events can occur in a cycle: the event's limit, or max= if that is
 * less. The pin may be narrower. */
unsigned pmuv3_device_event_most(const struct pmuv3_device *device, size_t event);

/* What is wrong with a line of the description. */
struct pmuv3_complaint {
  unsigned line;
  char text[300];
};

/* Whether a pin can have so many bits: for its role, and for the values that lines put on it. If it
 * cannot, `complaint` says why. */
bool pmuv3_pin_has_width(const struct pmuv3_device *device, const struct pmuv3_pin *pin,
                         unsigned width, struct pmuv3_complaint *complaint);

/* The index of the register at an address of a port; num_registers: there is none. */
size_t pmuv3_device_find(const struct pmuv3_device *device, unsigned port, uint64_t address);

/* A register as messages and stimulus files show it: PMCR_EL0, PMCCNTR_EL0.high, page.0x600.
 * Returns buf. */
const char *pmuv3_device_register_name(const struct pmuv3_device_register *reg, char buf[40]);

/*
 * A register has several encodings: its own, and those of AArch32. Whoever asks what an encoding is
 * for compares the register that the encoding shows, and not the encoding.
 */

/* The register that an encoding shows, with n = 0: of HDCR it is MDCR_EL2. */
uint16_t pmuv3_device_viewed(uint16_t reg);

/* The counter that an encoding shows: n of PMEVCNTR<n>, 31 of PMCCNTR, 32 of PMICNTR. -1: none, or
 * the one that PMSELR selects. */
int pmuv3_device_counter(uint16_t reg);

/* The bit of the register that is bit 0 at this address: 32 of PMCCNTR_EL0.high, and of PMCEID2. */
unsigned pmuv3_device_lsb(const struct pmuv3_device_register *reg);

/* Whether ones act in a register, and zeros do nothing, as in PMCNTENSET and PMSWINC. */
bool pmuv3_device_acts_by_ones(uint16_t reg);

/* Whether ones clear bits: PMCNTENCLR, PMINTENCLR, PMOVSCLR. */
bool pmuv3_device_clears(uint16_t reg);

/* Whether it shows the overflow flags: PMOVSCLR, PMOVSSET. */
bool pmuv3_device_shows_flags(uint16_t reg);

/* A pin as in the description: irq_o, ev_i[3:0]. Returns buf. */
const char *pmuv3_pin_text(const struct pmuv3_pin *pin, char *buf, size_t size);

/* Names as in the description. */
const char *pmuv3_latency_name(enum pmuv3_latency latency);
const char *pmuv3_mode_name(enum pmuv3_mode mode);
const char *pmuv3_state_key_name(enum pmuv3_state_key key);
const char *pmuv3_role_name(enum pmuv3_role role);

/* Whether the device's inputs have pins of this role: whoever drives the device drives them. */
bool pmuv3_role_is_input(enum pmuv3_role role);
bool pmuv3_role_is_internal(enum pmuv3_role role);

#ifdef __cplusplus
}
#endif

#endif
