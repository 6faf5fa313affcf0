/* What `pmuv3 regress` tells of its tasks, as the evidence database has them. */
#ifndef PMUV3_REGRESS_REPORT_H
#define PMUV3_REGRESS_REPORT_H

#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/regress_options.h"

/* Their values are exit statuses (docs/reference/formats.md). */
enum pmuv3_regress_verdict {
  PMUV3_REGRESS_EQUIVALENT = 0,
  PMUV3_REGRESS_DIVERGED = 1,
  PMUV3_REGRESS_NO_VERDICT = 3 /* nothing diverged, but something crashed or nothing was run */
};

/*
 * Prints a line a configuration and one a divergence, and writes the JUnit file
 * that was asked for.
 */
enum pmuv3_regress_verdict pmuv3_regress_report(sqlite3 *database, const char *source,
                                                const struct pmuv3_regress_options *options);

#endif
