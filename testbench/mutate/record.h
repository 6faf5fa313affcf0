/* The table `mutant` of the evidence database (testbench/evidence/schema.sql). */
#ifndef PMUV3_RECORD_H
#define PMUV3_RECORD_H

#include <stdbool.h>

#include "testbench/mutate/mutants.h"
#include "testbench/mutate/trial.h"

struct pmuv3_record;

/* Opens a database that has the table, for the mutants of one side of the sources with a digest.
 * Anything wrong with it, here or later, is unusable input: one line, exit status 2. */
struct pmuv3_record *pmuv3_record_open(const char *path, const char *source, const char *side);

/* Whether it has a verdict on a mutant. */
bool pmuv3_record_has(struct pmuv3_record *record, const struct pmuv3_mutant *mutant);

/* Writes the verdict on a mutant; once this returns, it is there for good. */
void pmuv3_record_add(struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      const struct pmuv3_trial *trial);

void pmuv3_record_close(struct pmuv3_record *record);

#endif
