/*
 * Imports results of other programs as rows of the evidence database. Each result carries the
 * digest of its sources in "source", a folder in its file `source`. A result of other sources is
 * unusable, and so is a result in another format. A file holds one run. The run replaces the
 * earlier rows of its item. The table `replaced` keeps the red rows.
 */
#ifndef PMUV3_IMPORTS_H
#define PMUV3_IMPORTS_H

#include "testbench/signoff/evidence/database.h"

/* All imports are one transaction: one that is unusable ends the program, and nothing is imported.
 */
void pmuv3_imports_commit(sqlite3 *database);

/* Imports `prove --json`: cases and places as theorems equivalence and interference, and the sizes
 * of their sets. A theorem without results in the file keeps its rows. So does every theorem if the
 * file was only `found`, and was read in before: rows that were read in later stay. And so does a
 * theorem that is known as a whole, if the file was only found, and is a part that proves all that
 * it asks. */
void pmuv3_import_prove(sqlite3 *database, const char *source, const char *path, bool found);

/* Imports `properties --json` as theorem properties, likewise. A vacuous property is not proved. */
void pmuv3_import_properties(sqlite3 *database, const char *source, const char *path, bool found);

/* Imports `ctest --output-junit` of a preset. */
void pmuv3_import_tests(sqlite3 *database, const char *source, const char *preset,
                        const char *path);

/* Imports `ctest --show-only=json-v1`: the registered tests of a preset. */
void pmuv3_import_registered(sqlite3 *database, const char *source, const char *preset,
                             const char *path);

/* Imports a folder of testbench/signoff/defects/campaign.sh and testbench/cosim/shrink/measure.sh:
 * its red results, or the others. Each defect is a run of its own. Red results of all folders come
 * first. */
void pmuv3_import_defects(sqlite3 *database, const char *source, const char *folder, bool red);

#endif
