/*
 * A side is the PMUs of a processor's threads behind one C interface, which drives them and looks
 * into them. The C model, the RTL under Verilator and a lockstep of two sides implement the
 * interface. You can add your own.
 *
 *   struct pmuv3_side *side = pmuv3_side_cmodel(&params);
 *   pmuv3_side_write(side, 0, PMUV3_PMCR, 1);
 *   pmuv3_side_cycle(side, &cycle);
 *   pmuv3_side_probe(side, 0, &probe);
 *   pmuv3_side_destroy(side);
 *
 * Every `thread` must be below params.threads.
 *
 * To add a side, fill a struct pmuv3_side_ops, and make struct pmuv3_side the first member of your
 * own struct.
 */
#ifndef PMUV3_SIDE_H
#define PMUV3_SIDE_H

#include <stddef.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"
#include "pmuv3/run.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_side;

/* The functions below call these, and state their contracts. */
struct pmuv3_side_ops {
  const char *name; /* "cmodel", "rtl", ... */
  void (*reset)(struct pmuv3_side *side);
  void (*set_pe)(struct pmuv3_side *side, unsigned thread, const struct pmuv3_pe *pe);
  enum pmuv3_access (*write)(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                             uint64_t value);
  enum pmuv3_access (*read)(struct pmuv3_side *side, unsigned thread, uint16_t reg,
                            uint64_t *value);
  enum pmuv3_result (*msr)(struct pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value);
  enum pmuv3_result (*mrs)(struct pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value);
  uint32_t (*syndrome)(struct pmuv3_side *side, unsigned thread);
  bool (*external_write)(struct pmuv3_side *side, unsigned thread, enum pmuv3_security_state ss,
                         uint16_t offset, uint32_t value);
  bool (*external_read)(struct pmuv3_side *side, unsigned thread, enum pmuv3_security_state ss,
                        uint16_t offset, uint32_t *value);
  void (*cycle)(struct pmuv3_side *side, const struct pmuv3_cycle *cycle);
  struct pmuv3_ends (*written)(struct pmuv3_side *side);
  void (*probe)(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe);
  struct pmuv3_outputs (*outputs)(struct pmuv3_side *side, unsigned thread);
  void (*destroy)(struct pmuv3_side *side);
  /* Optional: NULL in a side that makes its cycles one by one, or that cannot look ahead. */
  void (*repeat)(struct pmuv3_side *side, const struct pmuv3_cycle *cycle, uint64_t cycles);
  uint64_t (*next_overflow)(struct pmuv3_side *side, uint64_t cycles,
                            const struct pmuv3_rate rates[], unsigned num_rates);
  /* Optional, all or none. Another side in the same state, which is destroyed by itself; NULL:
   * memory ran out. Whether a counter of the thread counts for other threads (pmuv3_depends). So
   * many cycles, or those up to an overflow (pmuv3_repeat_to_overflow). */
  struct pmuv3_side *(*clone)(const struct pmuv3_side *side);
  bool (*depends)(const struct pmuv3_side *side, unsigned thread);
  uint64_t (*repeat_to_overflow)(struct pmuv3_side *side, const struct pmuv3_cycle *cycle,
                                 uint64_t cycles);
  /* Optional, both or none: contracts pmuv3_save, pmuv3_restore. */
  size_t (*save)(const struct pmuv3_side *side, void *buffer, size_t size);
  const char *(*restore)(struct pmuv3_side *side, const void *buffer, size_t size);
  /* Optional: a Cold reset; states of threads stay. */
  void (*cold_reset)(struct pmuv3_side *side);
  /* Optional: of a side that postpones what follows an access or a cycle. */
  void (*keep)(struct pmuv3_side *side, struct pmuv3_probe before[PMUV3_MAX_THREADS]);
};

struct pmuv3_side {
  const struct pmuv3_side_ops *ops;
  struct pmuv3_params params; /* pmuv3_params_wrong finds nothing wrong */
};

/* The C model as a side. NULL: the parameters are wrong (pmuv3_params_wrong says how), or memory
 * ran out. */
struct pmuv3_side *pmuv3_side_cmodel(const struct pmuv3_params *params);

/* Warm reset. A new side is as after a Cold reset. Contract: pmuv3_reset. */
static inline void pmuv3_side_reset(struct pmuv3_side *side) {
  side->ops->reset(side);
}

/* Cold reset: as a new side, but the states of threads stay. False: the side cannot do it. */
static inline bool pmuv3_side_cold_reset(struct pmuv3_side *side) {
  if (!side->ops->cold_reset) return false;
  side->ops->cold_reset(side);
  return true;
}

/* Saves and restores a side's state. Contracts: pmuv3_save, pmuv3_restore. A side that cannot be
 * saved takes 0 bytes. */
static inline size_t pmuv3_side_save(const struct pmuv3_side *side, void *buffer, size_t size) {
  return side->ops->save ? side->ops->save(side, buffer, size) : 0;
}
static inline const char *pmuv3_side_restore(struct pmuv3_side *side, const void *buffer,
                                             size_t size) {
  return side->ops->restore ? side->ops->restore(side, buffer, size)
                            : "this side cannot be restored";
}

/* Sets the state of a thread, between two Processor cycles. Contract: pmuv3_set_pe. */
static inline void pmuv3_side_set_pe(struct pmuv3_side *side, unsigned thread,
                                     const struct pmuv3_pe *pe) {
  side->ops->set_pe(side, thread, pe);
}

/* A register write between two Processor cycles, with the strobe low. Contract: pmuv3_write. */
static inline enum pmuv3_access pmuv3_side_write(struct pmuv3_side *side, unsigned thread,
                                                 uint16_t reg, uint64_t value) {
  return side->ops->write(side, thread, reg, value);
}

/* A register read, without side effects. Contract: pmuv3_read. */
static inline enum pmuv3_access pmuv3_side_read(struct pmuv3_side *side, unsigned thread,
                                                uint16_t reg, uint64_t *value) {
  return side->ops->read(side, thread, reg, value);
}

/* Accesses that the thread's state judges. Contracts: pmuv3_msr, pmuv3_mrs. */
static inline enum pmuv3_result pmuv3_side_msr(struct pmuv3_side *side, unsigned thread,
                                               uint16_t reg, uint64_t value) {
  return side->ops->msr(side, thread, reg, value);
}
static inline enum pmuv3_result pmuv3_side_mrs(struct pmuv3_side *side, unsigned thread,
                                               uint16_t reg, uint64_t *value) {
  return side->ops->mrs(side, thread, reg, value);
}

/* The syndrome of the thread's last checked access between two cycles. Contract: pmuv3_syndrome. */
static inline uint32_t pmuv3_side_syndrome(struct pmuv3_side *side, unsigned thread) {
  return side->ops->syndrome(side, thread);
}

/* A word of the external view. Contracts: pmuv3_external_write, pmuv3_external_read. */
static inline bool pmuv3_side_external_write(struct pmuv3_side *side, unsigned thread,
                                             enum pmuv3_security_state ss, uint16_t offset,
                                             uint32_t value) {
  return side->ops->external_write(side, thread, ss, offset, value);
}
static inline bool pmuv3_side_external_read(struct pmuv3_side *side, unsigned thread,
                                            enum pmuv3_security_state ss, uint16_t offset,
                                            uint32_t *value) {
  return side->ops->external_read(side, thread, ss, offset, value);
}

/* One Processor cycle. Contract: pmuv3_tick. */
static inline void pmuv3_side_cycle(struct pmuv3_side *side, const struct pmuv3_cycle *cycle) {
  side->ops->cycle(side, cycle);
}

/* So many Processor cycles. Contract: pmuv3_repeat. The time that it takes grows with the number of
 * cycles, but in the C model. */
static inline void pmuv3_side_repeat(struct pmuv3_side *side, const struct pmuv3_cycle *cycle,
                                     uint64_t cycles) {
  if (side->ops->repeat) {
    side->ops->repeat(side, cycle, cycles);
    return;
  }
  const struct pmuv3_cycle again = pmuv3_cycle_again(cycle);
  for (uint64_t c = 0; c < cycles; c++) side->ops->cycle(side, c == 0 ? cycle : &again);
}

/* Whether the side can tell the next overflow; and the next overflow. Contract:
 * pmuv3_next_overflow. */
static inline bool pmuv3_side_foresees(const struct pmuv3_side *side) {
  return side->ops->next_overflow != NULL;
}
static inline uint64_t pmuv3_side_next_overflow(struct pmuv3_side *side, uint64_t cycles,
                                                const struct pmuv3_rate rates[],
                                                unsigned num_rates) {
  return side->ops->next_overflow(side, cycles, rates, num_rates);
}

/* How the writes in the clock of the last cycle ended. Contract: pmuv3_written. */
static inline struct pmuv3_ends pmuv3_side_written(struct pmuv3_side *side) {
  return side->ops->written(side);
}

/* Fills every byte of *probe: the values of a thread's PMU in the last cycle, and its registers as
 * they are now. */
static inline void pmuv3_side_probe(struct pmuv3_side *side, unsigned thread,
                                    struct pmuv3_probe *probe) {
  side->ops->probe(side, thread, probe);
}

/*
 * Whether the side postpones: it makes what follows an access or a cycle together with the next
 * one, or when somebody asks for it. To ask after each cycle is slow. Instead, pmuv3_side_keep
 * makes such a side write the probe of each thread to `before` when an access or a cycle begins.
 * `before` must outlive the side, or be replaced. NULL ends it.
 */
static inline bool pmuv3_side_postpones(const struct pmuv3_side *side) {
  return side->ops->keep != NULL;
}
static inline void pmuv3_side_keep(struct pmuv3_side *side,
                                   struct pmuv3_probe before[PMUV3_MAX_THREADS]) {
  side->ops->keep(side, before);
}

/* The outputs of a thread's PMU. Contract: pmuv3_outputs. */
static inline struct pmuv3_outputs pmuv3_side_outputs(struct pmuv3_side *side, unsigned thread) {
  return side->ops->outputs(side, thread);
}

/* Frees the side; NULL is allowed. */
static inline void pmuv3_side_destroy(struct pmuv3_side *side) {
  if (side) side->ops->destroy(side);
}

#ifdef __cplusplus
}
#endif

#endif
