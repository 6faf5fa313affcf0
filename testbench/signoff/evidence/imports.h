/*
 * Results of other programs as rows of the evidence database. Each says of which
 * sources it is, in "source" (a folder: in its file `source`). A result of others
 * is unusable, and so is one that is not as the program writes it.
 *
 * A file is one run, and takes the place of what was read in of its item before;
 * what was red of that is kept in the table `replaced`.
 */
#ifndef PMUV3_IMPORTS_H
#define PMUV3_IMPORTS_H

#include "testbench/signoff/evidence/database.h"

/* What `prove --json` wrote: its cases and places, as theorems equivalence and interference, and of
 * how many. A theorem that it has nothing of stays as it is. */
void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path);

/* What `properties --json` wrote, as theorem properties. One that is vacuous is not proved. */
void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path);

/* What `ctest --output-junit` wrote of a preset. */
void pmuv3_import_tests(sqlite3 *database, const char *source, const char *preset,
                        const char *path);

/* The tests that there are of a preset: what `ctest --show-only=json-v1` wrote. */
void pmuv3_import_registered(sqlite3 *database, const char *source, const char *preset,
                             const char *path);

/* What testbench/signoff/defects/campaign.sh and testbench/cosim/shrink/measure.sh left in a
 * folder: each defect is a run of its own. */
void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder);

#endif
