/*
 * The evidence that must exist: configurations, coverpoints, rules, choices and planted defects.
 * They are loaded from the sources into tables beside those of the evidence.
 */
#ifndef PMUV3_EXPECTED_H
#define PMUV3_EXPECTED_H

#include "testbench/signoff/evidence/database.h"

/* Makes the temporary tables of expected.sql, and fills them. */
void pmuv3_expected_load(sqlite3 *database, const char *source);

#endif
