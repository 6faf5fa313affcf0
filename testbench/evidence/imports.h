/*
 * Results of other programs as rows of the evidence database. They speak of the
 * sources as they are now only if they are not older than these: a result that
 * is older is unusable, and so is one that is not as the program writes it.
 */
#ifndef PMUV3_IMPORTS_H
#define PMUV3_IMPORTS_H

#include "testbench/evidence/database.h"

/* What `prove --json` wrote: its cases and places, as theorems equivalence and interference. */
void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path);

/* What `properties --json` wrote, as theorem properties. One that is vacuous is not proved. */
void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path);

/* What `ctest --output-junit` wrote of a preset. */
void pmuv3_import_tests(sqlite3 *database, const char *source, const char *preset,
                        const char *path);

/* What testbench/defects/campaign.sh and testbench/shrink/measure.sh left in a folder. */
void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder);

#endif
