/*
 * Stimulus: what is done to a PMU, item by item, whether it was read from a
 * file (format: docs/reference/formats.md) or made at random.
 */
#ifndef PMUV3_STIMULUS_H
#define PMUV3_STIMULUS_H

#include <stddef.h>
#include <stdio.h>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pmuv3_item_kind {
  PMUV3_ITEM_WRITE,          /* access: a register write between two cycles */
  PMUV3_ITEM_READ,           /* access.reg: a register read, for its comparison */
  PMUV3_ITEM_EXPECT,         /* access: what a read must give */
  PMUV3_ITEM_CYCLE,          /* cycle: one Processor cycle */
  PMUV3_ITEM_IDLE,           /* idle: that many cycles in which nothing happens */
  PMUV3_ITEM_REFUSED_WRITE,  /* access: a write between two cycles that must be refused */
  PMUV3_ITEM_REFUSED_READ,   /* access.reg: a read that must be refused */
  PMUV3_ITEM_RESET,          /* a Warm reset between two cycles; states of threads stay */
  PMUV3_ITEM_PE,             /* pe: the whole state of a thread from now on */
  PMUV3_ITEM_MSR,            /* access: a write that is judged by the thread's state */
  PMUV3_ITEM_MRS,            /* access: likewise a read */
  PMUV3_ITEM_EXTERNAL_WRITE, /* external: a write of the external view between two cycles */
  PMUV3_ITEM_EXTERNAL_READ,  /* external: likewise a read */
  PMUV3_ITEM_EXPECT_OUTPUT,  /* output: what an output must be now */
  PMUV3_NUM_ITEM_KINDS
};

/* Outputs of a thread's PMU: pmuv3_irq, pmuv3_cti, pmuv3_exception and so on. */
enum pmuv3_output_kind {
  PMUV3_OUTPUT_PMUIRQ,
  PMUV3_OUTPUT_CTI,
  PMUV3_OUTPUT_EXCEPTION,
  PMUV3_OUTPUT_HALT,
  PMUV3_OUTPUT_BRBE,
  PMUV3_OUTPUT_PULSES,
  PMUV3_NUM_OUTPUTS
};

struct pmuv3_output {
  uint8_t kind; /* enum pmuv3_output_kind */
  uint64_t level;
};

/* What is known of the syndrome of a checked access: these bits of pmuv3_syndrome. */
#define PMUV3_SYNDROME_EC UINT32_C(0xFC000000)
#define PMUV3_SYNDROME_ISS UINT32_C(0x01FFFFFF)
struct pmuv3_expected_syndrome {
  uint32_t mask; /* PMUV3_SYNDROME_EC and PMUV3_SYNDROME_ISS; 0: nothing */
  uint32_t bits;
};

/* How writes in the clock of a cycle must end, as far as it is known. */
struct pmuv3_expected_ends {
  uint8_t known;          /* bit t: of thread t's write; PMUV3_MAX_THREADS: of the external one */
  struct pmuv3_ends ends; /* but for the bits of syndromes that these masks lack */
  uint32_t syndrome_mask[PMUV3_MAX_THREADS];
};

struct pmuv3_item {
  enum pmuv3_item_kind kind;
  uint32_t line;   /* in its file; 0 when generated */
  uint8_t thread;  /* of an access or an output, or whose state it is */
  bool has_value;  /* of MRS and EXTERNAL_READ: the value is what it must give */
  bool has_result; /* of MSR, MRS and external ones: how it must end is known: */
  uint8_t result;  /* enum pmuv3_result; of an external one PMUV3_DONE, or 1: an error */
  struct pmuv3_expected_syndrome syndrome; /* of MSR and MRS */
  struct pmuv3_expected_ends expected;     /* of CYCLE */
  union {
    struct pmuv3_write access;
    struct pmuv3_external external;
    struct pmuv3_output output;
    struct pmuv3_pe pe;
    struct pmuv3_cycle cycle; /* its occurrences live as long as the item's owner says */
    uint64_t idle;
  };
};

/* A stimulus file, checked as a whole and ready to run. */
struct pmuv3_stimulus {
  struct pmuv3_params params; /* complete */
  struct pmuv3_item *items;
  size_t num_items;
  struct pmuv3_occurrence *occurrences; /* of all items */
};

/*
 * Reads a stimulus file from `in`. `name` is its path, which messages have. The
 * files that it names are beside it. On bad input returns false and writes one
 * line "FILE:LINE: what is wrong and what was expected" (no newline) to error;
 * *stimulus needs no freeing then.
 */
bool pmuv3_stimulus_read(struct pmuv3_stimulus *stimulus, FILE *in, const char *name, char *error,
                         size_t error_size);

/* Reads a text that is no file and names none, without its wrong lines after the params. */
bool pmuv3_stimulus_read_legal(struct pmuv3_stimulus *stimulus, FILE *in);

/* Frees what these allocated. */
void pmuv3_stimulus_free(struct pmuv3_stimulus *stimulus);

/* As files name them: a Security state: NS, S, RL or RT; a result: done, undefined, el1, el2 or
 * el3; that of an external access: done or error; an output: PMUIRQ, CTI... */
const char *pmuv3_security_state_name(enum pmuv3_security_state ss);
const char *pmuv3_result_name(enum pmuv3_result result);
const char *pmuv3_external_result_name(bool is_error);
/* A result with the parts of its syndrome that the mask has: "el2/ec0x03". */
const char *pmuv3_result_text(enum pmuv3_result result, uint32_t syndrome, uint32_t mask,
                              char text[32]);
const char *pmuv3_output_name(enum pmuv3_output_kind output);

/* The highest level that an output can have. */
uint64_t pmuv3_output_max(enum pmuv3_output_kind output);

/* Writes the first lines of a stimulus file, up to its param lines, for complete params. */
void pmuv3_stimulus_write_head(FILE *out, const struct pmuv3_params *params);

/* Writes an item as a line of a stimulus file. */
void pmuv3_stimulus_write_item(FILE *out, const struct pmuv3_item *item);

#ifdef __cplusplus
}
#endif

#endif
