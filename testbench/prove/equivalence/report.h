/* What was proved, as a table and as JSON. */
#ifndef PMUV3_PROVE_REPORT_H
#define PMUV3_PROVE_REPORT_H

#include "testbench/prove/equivalence/cases.h"
#include "testbench/prove/equivalence/options.h"
#include "testbench/prove/equivalence/prover.h"
#include "testbench/prove/interference/interference_run.h"

enum { CASE_NAME_SIZE = 96, SHORTFALL_SIZE = 200 };

/* Of a case, as a worker sends it: at most PIPE_BUF, so that it arrives whole. */
struct case_report {
  unsigned size; /* its number in the options */
  struct model_case which;
  struct tally tally;
  size_t state_bits, registers, input_bits, inputs, assumptions, instructions;
  double model_seconds, seconds;
  char shortfall[SHORTFALL_SIZE]; /* the first; "": none */
};

struct report;
struct report *report_new(const struct prove_options *options);

/* How many cases of a size, and how many places of all sizes, are to be proved. A report that lacks
 * one does not say "proved". */
void report_expect(struct report *report, unsigned size, size_t num_cases);
void report_expect_places(struct report *report, size_t num_places);

void report_add(struct report *report, const struct case_report *of_case);
void report_add_place(struct report *report, const struct place_report *of_place);

/* Whether a report of this case, or place, was added. */
bool report_has(const struct report *report, const struct case_report *of_case);
bool report_has_place(const struct report *report, const struct place_report *of_place);

/* What was added. */
const struct case_report *report_cases(const struct report *report, size_t *number);
const struct place_report *report_places(const struct report *report, size_t *number);

/* Cases and places that were expected, and not added. */
size_t report_missing(const struct report *report);

/* Whether something that was added is not proved. */
bool report_is_refuted(const struct report *report);

/* Whether what is proved is of the sources of the program, from before the first question until
 * now. */
bool report_is_of_sources(const struct report *report);

/* The table, the verdict and the JSON. Whether everything was proved. */
bool report_end(struct report *report);

#endif
