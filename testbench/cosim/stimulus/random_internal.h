/*
 * The generator of random stimulus, a file a part:
 *
 *   random.c             phases, and one item after the other
 *   random_shadow.c      what was programmed, and what follows for counts and overflows
 *   random_registers.c   values for registers, and writes of them
 *   random_access.c      accesses that are judged: checked ones, and of the external view
 *   random_states.c      states of threads, and other contexts
 *   random_sequences.c   writes and occurrences that meet at a corner; what is rare
 *   random_occurrences.c what occurs in a cycle
 *
 * Every draw is a statement or an operand of && || ?: of its own: C leaves the
 * order of other operands open, and the same seed must give the same items.
 */
#ifndef PMUV3_RANDOM_INTERNAL_H
#define PMUV3_RANDOM_INTERNAL_H

#include "pmuv3/pmuv3.h"
#include "testbench/cosim/stimulus/prng.h"
#include "testbench/cosim/stimulus/random.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define PLACED(value, reg, field) ((uint64_t)(value) << PMUV3_##reg##_##field##_LSB)

/* Registers written as wholes or by masks; PMEVCNTR and PMEVTYPER have functions of their own. */
enum target {
#define PMUV3_HELD(id, member) TO_##id,
#include "pmuv3/registers.def"
  TO_PMCR,
  TO_MDCR_EL2,
  TO_PMICFILTR,
  TO_PMUACR,
  NUM_HELD, /* those above keep what is written */
  TO_PMCCNTR = NUM_HELD,
  TO_PMICNTR,
  TO_PMCNTENSET,
  TO_PMCNTENCLR,
  TO_PMINTENSET,
  TO_PMINTENCLR,
  TO_PMOVSSET,
  TO_PMOVSCLR,
  TO_PMSWINC,
  TO_PMXEVTYPER,
  TO_PMXEVCNTR,
  TO_PMSSCR,
  TO_PMZR,
  TO_EVTYPER_EVEN, /* for their bits only */
  TO_EVTYPER_ODD,
  NUM_TARGETS
};

/* A view of another register, or another name of it: see registers.def. */
struct view {
  uint16_t reg;
  uint16_t of;
  uint64_t mask;
};

/* Lengths of the tables of registers. */
enum {
  NUM_VIEWS = 0
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) +1
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) +1
#include "pmuv3/registers.def"
  ,
  NUM_REGS = NUM_VIEWS
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) +1
#include "pmuv3/registers.def"
};

/* Rows of the external view. */
enum page_row {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present, \
                       high, text)                                                               \
  PAGE_##id,
#include "pmuv3/external.def"
  NUM_ROWS
};

enum {
  PAGE_SIZE = 0x1000,
  RESERVED = 0xFFFF,  /* not an offset in the page */
  CYCLE_COUNTER = 31, /* as PMOVS and its like number them */
  INSTRUCTION_COUNTER = 32,
  COUNTS = 16, /* counts to choose from, of each event */
  WILD = COUNTS - 1,
  FAVOURITES = 4,
  MAX_PENDING = 255,
  MAX_CONTEXTS = 16,
  MAX_KINDS = PMUV3_NUM_EVENT_CLASSES * PMUV3_NUM_EVENT_ATTRIBUTIONS * 4, /* two traits */
  MAX_READABLE = 5 * PMUV3_MAX_COUNTERS + NUM_REGS,
  QUEUE_SIZE = MAX_PENDING + PMUV3_MAX_THREADS * (6 * PMUV3_MAX_COUNTERS + 128)
};

/* What unlocks the Software Lock. */
#define PAGE_KEY UINT32_C(0xC5ACCE55)

/* How the stream behaves for a while. Shares are of 256 unless said otherwise. */
struct phase {
  uint8_t share;      /* of all phases */
  uint16_t length;    /* in cycles, about */
  uint8_t density;    /* share of 16: how many of the selected events are listed */
  uint16_t quiet;     /* event-less cycles */
  uint8_t operations; /* cycles with something done to registers before or in them */
  uint8_t moves;      /* of a thread in a cycle: its state changes before it */
};

/* A thread: its state, the shadow of its registers, and what is planned for its next cycle. */
struct thread {
  uint8_t number;
  struct pmuv3_pe pe;
  struct pmuv3_context left; /* where it was before the last change */
  bool moved;                /* it changed since the last cycle */

  uint64_t type[PMUV3_LANES];
  uint64_t held[NUM_HELD];
  uint64_t enabled;
  uint64_t pmccr; /* of the external view, as is the Software Lock */
  bool locked;
  uint64_t doubt; /* bit n: type[n] may be wrong, bit 32 + target: held[target]: an access that was
                     perhaps not done went there */
  uint16_t event[PMUV3_LANES];          /* index of what type[n] selects, or PMUV3_NO_EVENT */
  uint32_t users[PMUV3_MAX_EVENTS + 1]; /* counters that select an event, or none (the last) */

  unsigned pending; /* writes of PMSWINC since the last cycle */
  unsigned thaw;    /* cycles until flags that may freeze are cleared */
  unsigned calm;    /* cycles until the PMU Profiling exception is disabled again; 0: it may stay */
  unsigned focus;   /* listed with focus_count; PMUV3_NO_EVENT: nothing special */
  uint8_t focus_count;
};

struct pmuv3_random {
  struct pmuv3_prng prng;
  struct pmuv3_params params;
  uint64_t implemented;        /* a bit per counter, of all kinds */
  uint64_t th_max;             /* the largest TH; 0 without TH */
  uint64_t mask[NUM_TARGETS];  /* bits of a register that do something */
  bool is_there[NUM_TARGETS];  /* the register can be written */
  uint16_t page_reg[NUM_ROWS]; /* the System register of a row; 0: it is of the page alone */
  uint16_t readable[MAX_READABLE];
  unsigned num_readable;
  unsigned next_readable; /* of the sweep over them */
  unsigned next_row;      /* of the page, to be read */
  unsigned next_key_bit;  /* to be wrong in the key of the Software Lock */
  struct pmuv3_context contexts[MAX_CONTEXTS];
  unsigned num_contexts;

  struct thread threads[PMUV3_MAX_THREADS];

  /* Events, by the indexes of their rows. Those that can be listed come first in `order`, and of
   * them the selected ones, order[0..num_selected-1]. */
  const struct pmuv3_event *event; /* params.events.event, at hand */
  uint8_t order[PMUV3_MAX_EVENTS];
  uint16_t place[PMUV3_MAX_EVENTS];
  unsigned num_listable;
  unsigned num_selected;
  uint16_t selectors[PMUV3_MAX_EVENTS + 1]; /* counters of any thread that select it */
  uint8_t counts[PMUV3_MAX_EVENTS][COUNTS];
  unsigned sw_incr, cpu_cycles, chain, inst_retired; /* their indexes, or PMUV3_NO_EVENT */
  /* Kinds of events that can be listed: those of kind k are of_kind[kinds[k]..kinds[k + 1] - 1]. */
  uint8_t of_kind[PMUV3_MAX_EVENTS];
  uint16_t kinds[MAX_KINDS + 1];
  unsigned num_kinds;
  uint8_t favourite[FAVOURITES]; /* events that several counters select */

  struct pmuv3_bias bias;
  uint32_t bias_sum; /* of its weights */

  const struct phase *phase;
  unsigned phase_left;

  /* The sequence: items that come first, and what the cycle after them must have. */
  struct pmuv3_item queue[QUEUE_SIZE];
  unsigned queue_next;
  unsigned queue_end;
  bool cycle_is_planned;
  bool after_planned; /* the last cycle was planned */
  bool after_cycle;   /* nothing was done since the last cycle */
  bool restart_is_due;
  uint8_t has_write; /* in the clock of the next cycle, a bit per thread */
  struct pmuv3_write write[PMUV3_MAX_THREADS];
  bool has_external; /* likewise */
  struct pmuv3_external external;
  uint8_t capture; /* likewise: requests to capture, a bit per thread */

  struct pmuv3_item item;
  struct pmuv3_occurrence
      occurrences[PMUV3_MAX_OCCURRENCES + 1]; /* one is put without being kept */
};

/* ---- Draws ---- */

static inline uint64_t draw(struct pmuv3_random *random) {
  return pmuv3_prng_next(&random->prng);
}

static inline unsigned below(struct pmuv3_random *random, unsigned n) {
  return pmuv3_prng_below(&random->prng, n);
}

static inline bool chance(struct pmuv3_random *random, unsigned share) {
  return pmuv3_prng_chance(&random->prng, share);
}

static inline struct thread *any_thread(struct pmuv3_random *random) {
  return &random->threads[below(random, random->params.threads)];
}

static inline unsigned any_counter(struct pmuv3_random *random) {
  return below(random, random->params.counters);
}

/* One of the bits of a mask that has some. */
static inline unsigned any_bit(uint32_t mask, unsigned rotation) {
  rotation &= 31;
  uint32_t rotated = rotation ? mask >> rotation | mask << (32 - rotation) : mask;
  return ((unsigned)__builtin_ctz(rotated) + rotation) & 31;
}

static inline uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* ---- The queue ---- */

/* An item before the next cycle, yet without what it is of its kind. */
static inline struct pmuv3_item *queue_up(struct pmuv3_random *random, const struct thread *thread,
                                          enum pmuv3_item_kind kind) {
  struct pmuv3_item *item = &random->queue[random->queue_end++];
  *item = (struct pmuv3_item){.kind = kind, .thread = thread->number};
  return item;
}

/* ---- The shadow ---- */

static inline bool has(const struct pmuv3_random *random, enum pmuv3_feature feature) {
  return pmuv3_has(&random->params, feature);
}

static inline unsigned event_of(const struct thread *thread, unsigned n) {
  return thread->event[n];
}

static inline bool is_listable(const struct pmuv3_random *random, unsigned event) {
  return event < random->params.events.num && random->place[event] < random->num_listable;
}

/* An event that can be listed; any, if there is none. */
static inline unsigned any_listable(struct pmuv3_random *random) {
  return random->order[random->num_listable ? below(random, random->num_listable) : 0];
}

static inline unsigned threshold_of(const struct pmuv3_random *random, const struct thread *thread,
                                    unsigned n) {
  return (unsigned)(PMUV3_GET(thread->type[n], PMEVTYPER, TH) & random->th_max);
}

/* Counters below epmn are the System registers', the others the external agent's; of the former,
 * those below hpmn are of the first range (PMCR_EL0), the others of the second (MDCR_EL2). */
unsigned random_epmn(const struct pmuv3_random *random, const struct thread *thread);
unsigned random_hpmn(const struct pmuv3_random *random, const struct thread *thread);

/* Whether counter n, of any kind, overflows from bit 63. */
bool random_overflows_long(const struct pmuv3_random *random, const struct thread *thread,
                           unsigned n);

/* What counter n adds for `count` occurrences, were it neither linked nor waiting for an edge. */
uint64_t random_likely_increment(const struct pmuv3_random *random, const struct thread *thread,
                                 unsigned n, unsigned count);

/* Occurrences in one cycle by which counter n is likely to count. */
unsigned random_likely_count(struct pmuv3_random *random, const struct thread *thread, unsigned n);

/* Around a threshold, by i % 3: below, equal, above. */
uint64_t random_count_near(uint64_t threshold, unsigned i);

/* One counter more (+1) or less (-1) selects an event, or another one (0). */
void random_note_selector(struct pmuv3_random *random, unsigned event, int by);

/* The offset of a word of the page in the layout that the parameters have; RESERVED: it has none.
 */
unsigned random_offset(const struct pmuv3_random *random, enum page_row row, unsigned n,
                       unsigned half);

/* Keeps the shadow true to a write, and to a Warm reset. */
void random_note_write(struct pmuv3_random *random, struct thread *thread,
                       const struct pmuv3_write *write);
void random_note_external(struct pmuv3_random *random, const struct pmuv3_external *write);
void random_note_reset(struct pmuv3_random *random);

/* ---- Registers: values and writes ---- */

/* The register of each target; the views; and every register of the model, of counters n = 0. */
extern const uint16_t random_target_reg[NUM_TARGETS];
extern const struct view random_views[NUM_VIEWS];
extern const uint16_t random_regs[NUM_REGS];

/* How many registers one of the tables' encodings stands for. */
static inline unsigned copies_of(uint16_t reg) {
  bool is_of_counter = reg == PMUV3_PMEVCNTR || reg == PMUV3_PMEVTYPER || reg == PMUV3_PMEVCNTSVR ||
                       reg == PMUV3_PMEVCNTR_AA32 || reg == PMUV3_PMEVTYPER_AA32;
  return is_of_counter ? PMUV3_MAX_COUNTERS : 1;
}

/* Whether an encoding is that of PMEVCNTR<n>; of PMEVTYPER<n>; of an AArch32 register. */
static inline bool is_count(uint16_t reg) {
  return reg >= PMUV3_PMEVCNTR && reg < PMUV3_PMEVCNTRn(PMUV3_MAX_COUNTERS);
}

static inline bool is_type(uint16_t reg) {
  return reg >= PMUV3_PMEVTYPER && reg < PMUV3_PMEVTYPERn(PMUV3_MAX_COUNTERS);
}

static inline bool is_view(uint16_t reg) {
  return reg >> 14 == 0;
}

/* Whether a write of it makes software increments. */
static inline bool is_increment(uint16_t reg) {
  return reg == PMUV3_PMSWINC || reg == PMUV3_PMSWINC_AA32;
}

/* An unchecked write. */
static inline struct pmuv3_write write_of(uint16_t reg, uint64_t value) {
  return (struct pmuv3_write){.reg = reg, .value = value};
}

/* An event of any kind (class, attribution and traits), each as likely as any other. */
unsigned random_special_event(struct pmuv3_random *random);

/* PMEVTYPER<n> from nothing, and with one thing changed. */
uint64_t random_new_type(struct pmuv3_random *random, const struct thread *thread, unsigned n);
uint64_t random_tweaked_type(struct pmuv3_random *random, const struct thread *thread, unsigned n);

/* A value for a register that is not of one counter, aimed at counter n all the same. */
uint64_t random_value(struct pmuv3_random *random, const struct thread *thread, enum target target,
                      unsigned n);

/* PMCCR, in the external view. */
uint64_t random_pmccr(struct pmuv3_random *random);

/* A value from which an increment of `distance` overflows counter n, as it is configured. */
uint64_t random_near_overflow(struct pmuv3_random *random, const struct thread *thread, unsigned n,
                              uint64_t distance);

/* A set of counters of all kinds: mostly n and its neighbourhood. */
uint64_t random_counters(struct pmuv3_random *random, unsigned n);

/* Writes: of a register that is not of one counter, aimed at counter n all the same; PMEVTYPER<n>;
 * PMEVCNTR<n> for an overflow by `count` occurrences; mostly close to an overflow; anything, aimed
 * at counter n. */
struct pmuv3_write random_aimed_write(struct pmuv3_random *random, const struct thread *thread,
                                      enum target target, unsigned n);
struct pmuv3_write random_type_write(struct pmuv3_random *random, unsigned n, uint64_t type);
struct pmuv3_write random_arming_write(struct pmuv3_random *random, const struct thread *thread,
                                       unsigned n, unsigned count);
struct pmuv3_write random_counter_write(struct pmuv3_random *random, const struct thread *thread,
                                        unsigned n);
struct pmuv3_write random_any_write(struct pmuv3_random *random, const struct thread *thread,
                                    unsigned n);

/* The same write as that of the AArch32 view of its register; false: there is none. */
bool random_as_view(struct pmuv3_random *random, struct pmuv3_write *write);

/* ---- Accesses that are judged ---- */

/* Whether there is an external view. */
bool random_has_page(const struct pmuv3_random *random);

/* What the rows of the page are, before everything else. */
void random_find_page(struct pmuv3_random *random);

/* The write as software makes it in the thread's state, checked. */
struct pmuv3_write random_checked(struct pmuv3_random *random, const struct thread *thread,
                                  struct pmuv3_write write);

/* One half of the write as one of the page, mostly of the half where there is more. False: the page
 * does not have the register. */
bool random_as_external(struct pmuv3_random *random, const struct thread *thread,
                        const struct pmuv3_write *write, struct pmuv3_external *external);

/* The key of the Software Lock; at times one that is not, mostly by a single bit. */
uint32_t random_any_key(struct pmuv3_random *random);

/* A write of a row of one word from the most secure address space. */
struct pmuv3_external random_agent_write(struct pmuv3_random *random, const struct thread *thread,
                                         enum page_row row, uint32_t value);

/* Any checked access between two cycles; any of the external view. */
void random_sequence_checked(struct pmuv3_random *random, struct thread *thread);
void random_sequence_external(struct pmuv3_random *random);

/* Writes between two cycles: checked; of the external view; the whole value through the external
 * view from the most secure address space. */
void random_push_checked(struct pmuv3_random *random, struct thread *thread,
                         struct pmuv3_write write);
void random_push_external(struct pmuv3_random *random, struct pmuv3_external write);
void random_push_through_page(struct pmuv3_random *random, const struct thread *thread,
                              const struct pmuv3_write *write);

/* Any write of the external view. */
struct pmuv3_external random_any_external(struct pmuv3_random *random);

/* ---- States ---- */

/* Locks what blocks the page, or unlocks it. */
void random_sequence_locks(struct pmuv3_random *random, struct thread *thread);

/* Moves the thread to EL0. */
void random_sequence_user(struct pmuv3_random *random, struct thread *thread);

/* A thread in a guest, mostly a Non-secure one, with traps to EL2 or without. */
void random_sequence_guest(struct pmuv3_random *random, struct thread *thread, bool traps);

/* Moves the thread to any state, EL3 and EL1 in either Execution state. */
void random_sequence_anywhere(struct pmuv3_random *random, struct thread *thread);

/* Threads all wait, are halted, or issue nothing; or each does something of that. */
void random_sequence_rest(struct pmuv3_random *random);

/* Changes states of threads, of some several times. */
void random_sequence_moves(struct pmuv3_random *random);

/* A context that is not the thread's current one, mostly that which it just left. */
struct pmuv3_context random_other_context(struct pmuv3_random *random, const struct thread *thread);

/* ---- Sequences ---- */

/*
 * After a reset, what brings to light what it left: all counters count in the
 * first cycle, as the reset left them or with everything anew.
 */
void random_sequence_start(struct pmuv3_random *random);

/* An encoding that is perhaps not of a register, or of one that cannot be accessed both ways. */
uint16_t random_odd_encoding(struct pmuv3_random *random, uint64_t bits);

/* A counter of any kind. */
unsigned random_kind_of_counter(struct pmuv3_random *random);

/* Writes anew what accesses went to that were perhaps not done. */
void random_sequence_repair(struct pmuv3_random *random);

/* After each cycle: rare things, resets above all where a sequence just met its corner. */
void random_sequence_rarities(struct pmuv3_random *random);

/* Something done to a thread's registers, before or in the next cycle. */
void random_sequence_operation(struct pmuv3_random *random);

/* A sequence, drawn by the weights of the bias. */
void random_sequence_biased(struct pmuv3_random *random);

/* Writes of other threads in the clock of a cycle that has one. */
void random_sequence_company(struct pmuv3_random *random);

/* ---- Occurrences ---- */

/* What occurs in the next cycle, into random->occurrences; their number. */
unsigned random_list(struct pmuv3_random *random, struct pmuv3_context other[PMUV3_MAX_THREADS]);

#endif
