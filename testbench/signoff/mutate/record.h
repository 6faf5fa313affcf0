/* The table `mutant` of the evidence database (evidence/schema.sql). */
#ifndef PMUV3_RECORD_H
#define PMUV3_RECORD_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "testbench/signoff/mutate/mutants.h"
#include "testbench/signoff/mutate/trial.h"

/* Where verdicts on the mutants of one side of the sources with a digest go. */
struct pmuv3_record {
  sqlite3 *database; /* of pmuv3_database_open() */
  const char *source, *side;
};

/*
 * Whether there is a verdict on a mutant, this one in all of its fields: killed, equivalent, or
 * survived at least so many cycles.
 */
bool pmuv3_record_has(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      uint64_t cycles);

/* Writes the verdict on a mutant; once this returns, it is there for good. */
void pmuv3_record_add(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      const struct pmuv3_trial *trial);

#endif
