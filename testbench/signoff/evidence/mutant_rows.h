/* Rows of the table `mutant` (schema.sql): one for each mutant of the sources. */
#ifndef PMUV3_MUTANT_ROWS_H
#define PMUV3_MUTANT_ROWS_H

#include "testbench/signoff/evidence/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a mutant. The table describes the fields. */
struct pmuv3_database_mutant {
  const char *source, *side, *name, *module, *place, *change;
  const char *verdict;
  const char *reason; /* or NULL */
  uint64_t cycles;
  double seconds;
};

/*
 * Records a mutant, unless the database knows as much. A kill stays, and replaces what is not
 * one. A proof stays until a kill, and replaces a survivor. What survived more cycles replaces what
 * survived fewer, and a reason replaces none. Another mutant that has the name replaces the one
 * before it.
 */
void pmuv3_database_record_mutant(sqlite3 *database, const struct pmuv3_database_mutant *mutant);

/* Records the answer of a proof: `verdict` is equivalent, or survived where `reason` is why there
 * is no proof. It is of a survivor of which nothing more is known: whatever another campaign found
 * out meanwhile stays, as does another mutant that has the name. `cycles` and `seconds` stay, too.
 */
void pmuv3_database_record_proof(sqlite3 *database, const struct pmuv3_database_mutant *mutant);

/* Records all mutants of another database, in one transaction. */
void pmuv3_database_merge_mutants(sqlite3 *database, sqlite3 *from);

#ifdef __cplusplus
}
#endif

#endif
