/* The report of `pmuv3 regress`, from the evidence database. */
#ifndef PMUV3_REGRESS_REPORT_H
#define PMUV3_REGRESS_REPORT_H

#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/regress_options.h"

/* The values are exit statuses (docs/reference/formats.md). */
enum pmuv3_regress_verdict {
  PMUV3_REGRESS_EQUIVALENT = 0,
  PMUV3_REGRESS_DIVERGED = 1,
  PMUV3_REGRESS_NO_VERDICT = 3 /* no divergence, but a crash, or no run */
};

/* Names the JUnit file (cli.h), once the options are accepted. */
void pmuv3_regress_name_results(const struct pmuv3_regress_options *options);

/*
 * Prints a line for each configuration and for each divergence, and writes the JUnit file if asked
 * for.
 */
enum pmuv3_regress_verdict pmuv3_regress_report(sqlite3 *database, const char *source,
                                                const struct pmuv3_regress_options *options);

#endif
