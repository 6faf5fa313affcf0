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

/* Whether all assertions of the case are proved. A case without a bit of state, or without an input
 * that is free, says nothing of the RTL, whatever other cases have. */
bool report_is_case_proved(const struct case_report *of_case);

struct report;
struct report *report_new(const struct prove_options *options);

/* What is to be proved: the cases of a size, and a place. A report that lacks one of them does not
 * say "proved", whatever else it has. */
void report_expect(struct report *report, unsigned size, const struct cases *cases);
void report_expect_place(struct report *report, unsigned size, enum place place);

void report_add(struct report *report, const struct case_report *of_case);
void report_add_place(struct report *report, const struct place_report *of_place);

/* Whether a case, or a place, is expected, and was added. */
enum expectation { NOT_EXPECTED, MISSING, ADDED };
enum expectation report_expects(const struct report *report, const struct case_report *of_case);
enum expectation report_expects_place(const struct report *report,
                                      const struct place_report *of_place);

/* What was added. */
const struct case_report *report_cases(const struct report *report, size_t *number);
const struct place_report *report_places(const struct report *report, size_t *number);

/* Cases and places that were expected, and not added. */
size_t report_missing(const struct report *report);

/* Whether nothing is missing, or something that was added is not proved: what is not proved is not
 * proved, whatever is missing. */
bool report_has_verdict(const struct report *report);

/* Whether what is proved is of the sources of the program, from before the first question until
 * now. */
bool report_is_of_sources(const struct report *report);

/* The table, the verdict and, if there is a verdict, the JSON. Whether everything was proved. */
bool report_end(struct report *report);

#endif
