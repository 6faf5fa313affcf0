/*
 * libpmuv3_check: whether a PMU in somebody's RTL does what the C model does.
 *
 *   struct pmuv3_device *device = pmuv3_device_read(in, "my.pmu", error, sizeof error);
 *   struct pmuv3_check *check = pmuv3_check_create(device);
 *   struct pmuv3_record record;
 *   pmuv3_record_init(&record, device);
 *   ... for each clock: fill in the record ...
 *   if (!pmuv3_check_clock(check, &record)) ... pmuv3_check_diverged(check) ...
 *   pmuv3_check_end(check);
 *
 * The checker delays the inputs of a record as the description says, ticks the C model, and
 * compares what can be seen of the device. The checker never takes a value of the device over into
 * the model. It does not print, exit, or allocate after pmuv3_check_create.
 */
#ifndef PMUV3_CHECK_H
#define PMUV3_CHECK_H

#include "pmuv3/device.h"
#include "pmuv3/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3;
struct pmuv3_check;

/* A checker for a device, which must live as long. The model is as after a Cold reset. NULL: memory
 * ran out. */
struct pmuv3_check *pmuv3_check_create(const struct pmuv3_device *device);
void pmuv3_check_destroy(struct pmuv3_check *check);

/* Starts again: as a new checker, but counts go on. */
void pmuv3_check_restart(struct pmuv3_check *check);

/*
 * One clock of the device. False: there is a divergence. Then the checker takes no more records.
 * The model runs some clocks behind the device, as many as the outputs are late, so a divergence
 * comes up to that many clocks after its own clock.
 */
bool pmuv3_check_clock(struct pmuv3_check *check, const struct pmuv3_record *record);

/* Compares what is left after the last record. Outputs that would come later are not compared. */
bool pmuv3_check_end(struct pmuv3_check *check);

/* What is compared. */
enum pmuv3_compared {
  PMUV3_COMPARED_READ,  /* the value of a register that was read */
  PMUV3_COMPARED_ERROR, /* how an access ended */
  PMUV3_COMPARED_IRQ,
  PMUV3_COMPARED_CTI,
  PMUV3_COMPARED_EXCEPTION,
  PMUV3_COMPARED_COUNTER,  /* an internal: a counter */
  PMUV3_COMPARED_OVERFLOW, /* an internal: all overflow flags */
  PMUV3_COMPARED_V,        /* an internal: V of a counter */
  PMUV3_NUM_COMPARED
};
const char *pmuv3_compared_name(enum pmuv3_compared what);

/* A device that keeps an access waiting for more Processor cycles hangs: that is a divergence, too.
 * Its port may stop with the core's clock, so other clocks do not count. */
#define PMUV3_CHECK_PATIENCE 1000

/* The first difference. */
struct pmuv3_check_divergence {
  uint64_t clock; /* of the device, from 0: the record that has the wrong value */
  uint8_t what;   /* enum pmuv3_compared */
  uint8_t thread;
  int8_t counter;     /* -1: none */
  size_t reg;         /* of READ and ERROR: index in device.registers */
  uint64_t mask;      /* bits that are compared */
  uint64_t expected;  /* as the model has it; with a window: in its last clock */
  uint64_t seen;      /* of the device, the bits that are compared */
  uint64_t carried;   /* of a READ: all bits that the port carried */
  uint8_t from, to;   /* expected is what was so `from` to `to` clocks before */
  uint64_t tolerance; /* how far a count may be off, see docs/design/check.md */
  bool hangs;         /* `port`, of `thread`, keeps an access waiting: nothing was compared */
  uint8_t port;
};

/* NULL: there is none. */
const struct pmuv3_check_divergence *pmuv3_check_diverged(const struct pmuv3_check *check);

/* The divergence in one sentence. Returns buf. */
const char *pmuv3_check_words(const struct pmuv3_check *check, char *buf, size_t size);

/* The accesses before a divergence, the last first. */
struct pmuv3_check_access {
  uint64_t clock; /* in which the device accepted it */
  size_t reg;     /* index in device.registers; num_registers: nothing is at that address */
  uint64_t address;
  uint64_t value; /* written, or read */
  bool is_write;
  bool is_answered;
};
#define PMUV3_CHECK_ACCESSES 16
size_t pmuv3_check_accesses(const struct pmuv3_check *check,
                            struct pmuv3_check_access accesses[PMUV3_CHECK_ACCESSES]);

/* Where a kind but READ is compared: an error at its port, an output at its thread, an internal at
 * a counter of its thread. */
#define PMUV3_CHECK_PLACES \
  (PMUV3_DEVICE_MAX_PORTS + 3 * PMUV3_MAX_THREADS * (1 + PMUV3_RECORD_COUNTERS))

/* `of` is the port or the thread; `counter` is of an internal. */
static inline size_t pmuv3_check_place(enum pmuv3_compared what, unsigned of, unsigned counter) {
  const size_t outputs = PMUV3_DEVICE_MAX_PORTS, internals = outputs + 3 * PMUV3_MAX_THREADS;
  if (what == PMUV3_COMPARED_ERROR) return of;
  if (what < PMUV3_COMPARED_COUNTER)
    return outputs + (size_t)(what - PMUV3_COMPARED_IRQ) * PMUV3_MAX_THREADS + of;
  const size_t thread = (size_t)(what - PMUV3_COMPARED_COUNTER) * PMUV3_MAX_THREADS + of;
  return internals + thread * PMUV3_RECORD_COUNTERS + counter;
}

/* Outputs of a thread: irq, cti and exception. */
#define PMUV3_CHECK_OUTPUTS 3

/* How often each thing was compared since pmuv3_check_create. Each member has numbers of 64 bits
 * alone, so counts of several checkers add up. */
struct pmuv3_check_counts {
  uint64_t clocks;
  uint64_t cycles;  /* Processor cycles */
  uint64_t stopped; /* clocks with the clock enable low, and without a reset */
  uint64_t compared[PMUV3_NUM_COMPARED];
  uint64_t uncertain[PMUV3_NUM_COMPARED]; /* not compared, since the model cannot know: a mode that
                                             is not exact, and stimulus that was not quiet */
  uint64_t unknown[PMUV3_NUM_COMPARED];   /* not compared, since the device showed X */
  /* The same at each place. Each overflow flag counts, and above all flags of a thread as one: they
   * were X if one of them was. */
  uint64_t compared_at[PMUV3_CHECK_PLACES];
  uint64_t uncertain_at[PMUV3_CHECK_PLACES];
  uint64_t unknown_at[PMUV3_CHECK_PLACES];
  uint64_t refused; /* reads that the model refuses: they have no value */
  uint64_t resets;
  /* Comparisons of a flag that was 1 because its counter had wrapped. */
  uint64_t flags[PMUV3_MAX_THREADS][PMUV3_RECORD_COUNTERS];
  uint64_t wide_flags[PMUV3_MAX_THREADS][PMUV3_RECORD_COUNTERS]; /* of those, of wraps of 64 bits */
  uint64_t cycle_flags[PMUV3_MAX_THREADS]; /* of those, of event counters of CPU_CYCLES */
  uint64_t carries[PMUV3_MAX_THREADS]; /* of the cycle counter's upper half after a carry into it */
  /* Of irq, cti and exception, in this order, while they were asserted in the model. */
  uint64_t asserted[PMUV3_MAX_THREADS][PMUV3_CHECK_OUTPUTS];
};
void pmuv3_check_count(const struct pmuv3_check *check, struct pmuv3_check_counts *counts);

/* All comparisons together. */
uint64_t pmuv3_check_comparisons(const struct pmuv3_check_counts *counts);

/* What became of the accesses of a register of the description. A write counts when it acts. */
struct pmuv3_check_register {
  uint64_t reads;   /* that were compared */
  uint64_t doubts;  /* reads in doubt */
  uint64_t writes;  /* that the model did, or whose bits the description leaves out (`write=`) */
  uint64_t refused; /* writes that the model refuses */
  uint64_t ignored; /* writes that the Software Lock ignores */
};
void pmuv3_check_count_register(const struct pmuv3_check *check, size_t reg,
                                struct pmuv3_check_register *counts);

/* Accesses that the device accepted at a port. Those of addresses without a register in the
 * description are unmatched: the model does not do them, and nothing of them is compared. */
struct pmuv3_check_port {
  uint64_t accesses;
  uint64_t unmatched;
  uint64_t first_unmatched; /* its address */
};
void pmuv3_check_count_port(const struct pmuv3_check *check, unsigned port,
                            struct pmuv3_check_port *counts);

/* Whether the port was accessed, and no access matched. Then there is no verdict, whatever else was
 * compared: an interrupt that stays low is right in any PMU that nobody programs. */
static inline bool pmuv3_check_matches_none(const struct pmuv3_check_port *counts) {
  return counts->accesses > 0 && counts->unmatched == counts->accesses;
}

/* The unmatched accesses of a port in words. Returns buf. */
const char *pmuv3_check_port_words(const struct pmuv3_check_port *counts, unsigned port, char *buf,
                                   size_t size);

/* The model, as it is now: for benches that show it. */
const struct pmuv3 *pmuv3_check_model(const struct pmuv3_check *check);

#ifdef __cplusplus
}
#endif

#endif
