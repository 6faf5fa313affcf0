/* What `pmuv3 regress` tells of its tasks, as the evidence database has them. */
#ifndef PMUV3_REGRESS_REPORT_H
#define PMUV3_REGRESS_REPORT_H

#include "testbench/evidence/database.h"
#include "testbench/evidence/regress_options.h"

/*
 * Prints a line a configuration and one a divergence, and writes the JUnit file
 * that was asked for. Returns whether no task diverged or crashed.
 */
bool pmuv3_regress_report(sqlite3 *database, const char *source,
                          const struct pmuv3_regress_options *options);

#endif
