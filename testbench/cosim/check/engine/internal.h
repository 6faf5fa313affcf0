/*
 * The checker, a file a part:
 *
 *   check.c    records in, and clock by clock through the parts
 *   port.c     what ports carry: accesses and answers
 *   model.c    inputs, delayed, into the C model
 *   compare.c  outputs, delayed, against the C model
 *   quiet.c    what the model cannot know in modes that are not exact
 *   observe.c  what the model does, for coverage
 *   words.c    a divergence in words
 *   calibrate.c  a checker for each combination of latencies
 *
 * Clocks are numbered by the device's records. `now` is the next record; `model` is the next clock
 * of the C model, which stands in the state before that clock.
 */
#ifndef PMUV3_CHECK_ENGINE_INTERNAL_H
#define PMUV3_CHECK_ENGINE_INTERNAL_H

#include "pmuv3/check.h"
#include "pmuv3/pmuv3.h"

struct pmuv3_observer;

enum {
  RING = 128, /* records that are kept: the longest input delay and output window fit */
  SHOTS = PMUV3_DEVICE_MAX_WINDOW + 1, /* states of the model that are kept for windows */
  OUTSTANDING = 64,
  PENDING = 512, /* reads that wait for the model */
  HELD = PMUV3_DEVICE_MAX_LATENCY + 1,
  ALL_COUNTERS = PMUV3_RECORD_COUNTERS
};

#define EVERY_COUNTER ((UINT64_C(1) << ALL_COUNTERS) - 1)

/* A write that the device accepted. */
struct write {
  const struct pmuv3_device_register *reg; /* NULL: none */
  uint64_t data;                           /* only bits that the device has */
};

/* A clock. */
struct slot {
  struct write writes[PMUV3_DEVICE_MAX_PORTS];
  bool has_write;
  bool has_event;
  struct pmuv3_record record;
};

/* The inputs of a Processor cycle, which flip-flops of the core's clock hold while it is stopped.
 */
struct held {
  uint8_t count[PMUV3_DEVICE_MAX_EVENTS];
  struct pmuv3_pe state[PMUV3_MAX_THREADS];
  struct pmuv3_context other[PMUV3_MAX_THREADS];
};

/* A read that has no answer yet. */
struct outstanding {
  size_t reg;
  uint64_t due; /* of ports without a response pin */
  unsigned log; /* its place in the log of accesses */
};

struct queue {
  struct outstanding of[OUTSTANDING];
  unsigned first, count;
  unsigned waited; /* Processor cycles in which it neither took a request nor answered one */
};

/* A read that has its answer, and waits for the model to be where it was sampled. */
struct pending {
  uint64_t clock; /* of the answer */
  size_t reg;
  uint64_t value;
  bool error;
  bool knows_value, knows_error; /* else X */
  bool is_right;
  bool is_error;        /* the model's */
  uint64_t expected;    /* likewise, the last that was looked at */
  uint64_t right_flags; /* flags that may rise apart: each that was right in some clock */
  uint64_t steady;      /* bits that could be compared in each clock that was looked at */
  uint64_t wrapped;     /* as of struct pmuv3_check, in each of these clocks */
  bool has_carried;     /* likewise */
};

/* An output that is looked at `min` to `max` clocks after the model had it. */
struct window {
  uint8_t min, max;
};

/* Outputs of the model in a clock. */
struct shot {
  bool irq, cti;
  uint8_t exception;
  uint64_t overflow;
};
struct lanes {
  uint64_t counter[ALL_COUNTERS];
  uint16_t V[ALL_COUNTERS];
};

/* What is not known of a thread's counters; bit n is counter n's (quiet.c). */
struct doubt {
  uint64_t last_event, last_change; /* in the model's clocks, plus 1; 0: never */
  uint64_t counters;
  uint64_t flags;
  uint64_t known_low, known_high; /* of those in doubt, what was written since */
  uint64_t cyclic;                /* counters that count in quiet clocks */
  uint64_t unmet;                 /* of those, the ones that events on pins stop */
  uint64_t recent;                /* in doubt until a moment ago */
  uint64_t recent_until;
  uint64_t recent_flags; /* likewise */
  uint64_t recent_flags_until;
  uint64_t wrapping;           /* flags in doubt since their counters are, or were, near a wrap */
  uint64_t near[ALL_COUNTERS]; /* of those, when last, in the model's clocks */
  uint64_t before_wide;        /* counters that overflow at bit 63 */
  uint64_t before_cycles, before_flags;
  uint64_t overflows; /* flags that rose until the last overflow, in clocks near it */
  uint64_t last_overflow;
  uint32_t boundaries[ALL_COUNTERS];      /* since the counter was written */
  uint64_t saved;                         /* values that a capture saved */
  uint64_t saved_tolerance[ALL_COUNTERS]; /* of its counter, in the capture */
};

struct pmuv3_check {
  struct pmuv3 pmu;
  const struct pmuv3_device *device;

  /* From the description, once. */
  struct window interrupts, reads, visible;
  uint8_t lag; /* of the model behind the device */
  uint8_t event_slack, change_slack;
  bool is_stop_unsure; /* whether a clock near a stop is a Processor cycle */
  bool is_exact;
  bool has_other;                         /* some event is of another context */
  uint8_t group[PMUV3_DEVICE_MAX_EVENTS]; /* pins of the same event, thread and origin */
  struct pmuv3_occurrence groups[PMUV3_DEVICE_MAX_EVENTS];
  uint8_t limit[PMUV3_DEVICE_MAX_EVENTS];
  unsigned num_groups;
  uint8_t event_cycles[PMUV3_DEVICE_MAX_EVENTS], state_cycles; /* pmuv3_device_cycles */
  uint16_t *places; /* of registers by address: index + 1, or 0 */
  size_t places_mask;

  struct slot ring[RING];
  struct held held[HELD]; /* of the last Processor cycles, where a pin says which clocks are some */
  uint64_t num_cycles;    /* since the reset */
  uint64_t now, model;
  uint64_t start; /* the first clock after the last reset, of the model */
  bool is_ended;
  struct queue queues[PMUV3_DEVICE_MAX_PORTS];
  struct pending pending[PENDING];
  unsigned first_pending, num_pending;
  struct shot shots[PMUV3_MAX_THREADS][SHOTS];
  struct lanes *lanes;                      /* [thread][SHOTS], where internals are visible */
  uint64_t raised[PMUV3_MAX_THREADS][RING]; /* flags that wait for their latency */
  uint64_t rise[PMUV3_MAX_THREADS];         /* of those, the ones that rise in this clock */
  struct doubt doubts[PMUV3_MAX_THREADS];

  /* Flags that are 1 for no other reason than that their counters wrapped. Of those, event counters
   * of CPU_CYCLES. All flags. */
  uint64_t wrapped[PMUV3_MAX_THREADS], cycles_wrapped[PMUV3_MAX_THREADS];
  uint64_t before_flags[PMUV3_MAX_THREADS];

  /* Counters whose last wrap was one of 64 bits. Flags that such a wrap raised. */
  uint64_t last_wide[PMUV3_MAX_THREADS], wide_wrapped[PMUV3_MAX_THREADS];

  bool has_carried[PMUV3_MAX_THREADS]; /* the cycle counter's upper half is as a carry left it */

  struct pmuv3_observer *observer;       /* NULL: none */
  bool counted[PMUV3_DEVICE_MAX_EVENTS]; /* pmuv3_check_counted */
  struct pmuv3_check_access log[PMUV3_CHECK_ACCESSES];
  uint64_t num_logged;
  struct pmuv3_check_divergence divergence;
  bool diverged;
  struct pmuv3_check_counts counts;
  struct pmuv3_check_port ports[PMUV3_DEVICE_MAX_PORTS];
  struct pmuv3_check_register *registers; /* of the description */
};

static inline struct slot *slot_of(struct pmuv3_check *check, uint64_t clock) {
  return &check->ring[clock % RING];
}

static inline const struct slot *slot_at(const struct pmuv3_check *check, uint64_t clock) {
  return &check->ring[clock % RING];
}

/* Whether a reset begins behind clock t, or goes on there, up to clock `until`. */
static inline bool is_reset_after(const struct pmuv3_check *check, uint64_t t, uint64_t until) {
  for (uint64_t clock = t + 1; clock <= until; clock++)
    if (slot_at(check, clock)->record.reset != PMUV3_NO_RESET) return true;
  return false;
}

/* The clock whose input of this latency acts in clock t. False: a reset was in between. */
static inline bool input_of(const struct pmuv3_check *check, uint64_t t, unsigned latency,
                            uint64_t *clock) {
  *clock = t - latency;
  return t >= check->start + latency;
}

/* The inputs so many Processor cycles before the next one, or NULL: a reset was in between. */
static inline const struct held *held_at(const struct pmuv3_check *check, unsigned cycles) {
  return cycles <= check->num_cycles ? &check->held[(check->num_cycles - cycles) % HELD] : NULL;
}

/* Counts a comparison, or why there was none: of its kind, and at its place (check.h). */
static inline void count_at(uint64_t kinds[PMUV3_NUM_COMPARED], uint64_t places[PMUV3_CHECK_PLACES],
                            enum pmuv3_compared what, unsigned of, unsigned counter) {
  kinds[what]++;
  places[pmuv3_check_place(what, of, counter)]++;
}

/* ---- port.c ---- */

size_t pmuv3_check_find(const struct pmuv3_check *check, unsigned port, uint64_t address);
void pmuv3_check_ports(struct pmuv3_check *check, struct slot *slot);
void pmuv3_check_forget_accesses(struct pmuv3_check *check);
void pmuv3_check_count_access(struct pmuv3_check_port *counts, uint64_t address, bool is_matched);

/* ---- model.c ---- */

void pmuv3_model_reset(struct pmuv3_check *check, enum pmuv3_reset_kind kind);

/* The states that hold in clock t. They judge the accesses that are sampled in it. */
void pmuv3_model_states(struct pmuv3_check *check, uint64_t t);

/* One clock of the model: the inputs that act in clock t. */
void pmuv3_model_step(struct pmuv3_check *check, uint64_t t);

/* Whether it is PMSWINC. */
bool pmuv3_model_is_increment(const struct pmuv3_device_register *reg);

/* Does a write in a model: the checker's, or a copy. Returns whether the model took it. */
bool pmuv3_model_write(const struct pmuv3_check *check, struct pmuv3 *pmu,
                       const struct write *write);

/* How often an event occurred on its pin, of those that act in the cycle of clock t. */
unsigned pmuv3_model_occurred(const struct pmuv3_check *check, uint64_t t, size_t event);

/* Whether clock t is a Processor cycle of the model. */
bool pmuv3_model_is_cycle(const struct pmuv3_check *check, uint64_t t);

uint64_t pmuv3_model_counter(const struct pmuv3 *pmu, unsigned thread, unsigned n);

/* The same, as the last capture saved it. */
uint64_t pmuv3_model_saved(const struct pmuv3 *pmu, unsigned thread, unsigned n);

/* Counters that overflow at bit 63. */
uint64_t pmuv3_model_wide(const struct pmuv3 *pmu, unsigned thread);

/* ---- compare.c ---- */

/* Compares what shows the model as it stands before clock t. */
void pmuv3_compare(struct pmuv3_check *check, uint64_t t);

/* ---- observe.c: for an observer, if there is one ---- */

void pmuv3_observe_state(struct pmuv3_check *check);
void pmuv3_observe_reset(struct pmuv3_check *check);
void pmuv3_observe_pe(struct pmuv3_check *check, unsigned thread);
void pmuv3_observe_cycle(struct pmuv3_check *check, const struct pmuv3_cycle *cycle);

/* Which events the cycle of clock t counted, before its writes. `instructions` are the instruction
 * counters before the cycle. */
void pmuv3_observe_counting(struct pmuv3_check *check, uint64_t t, const struct pmuv3_cycle *cycle,
                            const uint64_t instructions[PMUV3_MAX_THREADS]);

/* An access that changes nothing now: a read, or a write that pmuv3_observe_cycle will show. */
void pmuv3_observe_access(struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                          bool writes, uint64_t value, bool is_done);

/* A write between two cycles, after it. */
void pmuv3_observe_write(struct pmuv3_check *check, const struct pmuv3_device_register *reg,
                         uint64_t value, bool is_done);

/* ---- quiet.c ---- */

/* An event that counts, or a write or a change of state that acts, in clock t. */
void pmuv3_quiet_event(struct pmuv3_check *check, uint64_t t);
void pmuv3_quiet_write(struct pmuv3_check *check, uint64_t t, const struct write *write);
void pmuv3_quiet_state(struct pmuv3_check *check, uint64_t t);

/* After a Processor cycle. */
void pmuv3_quiet_cycle(struct pmuv3_check *check, unsigned thread, uint64_t t);

/* In a clock in which the core's clock is stopped. */
void pmuv3_quiet_pause(struct pmuv3_check *check, unsigned thread, uint64_t t);
void pmuv3_quiet_reset(struct pmuv3_check *check);

/* Counters, and flags, that cannot be compared in clock t. */
uint64_t pmuv3_quiet_counters(const struct pmuv3_check *check, unsigned thread, uint64_t t);
uint64_t pmuv3_quiet_flags(const struct pmuv3_check *check, unsigned thread);

/* Whether the device's counter n may be on the other side of a wrap of 32 bits, or of 64. */
bool pmuv3_quiet_is_near_wrap(const struct pmuv3_check *check, unsigned thread, unsigned n);

/* How far counter n may be off. */
uint64_t pmuv3_quiet_tolerance(const struct pmuv3_check *check, unsigned thread, unsigned n);

/* The same of the values that the last capture saved. */
uint64_t pmuv3_quiet_saved(const struct pmuv3_check *check, unsigned thread);
bool pmuv3_quiet_is_saved_near_wrap(const struct pmuv3_check *check, unsigned thread, unsigned n);
uint64_t pmuv3_quiet_saved_tolerance(const struct pmuv3_check *check, unsigned thread, unsigned n);

#endif
