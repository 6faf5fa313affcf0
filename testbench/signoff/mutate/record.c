#include "testbench/signoff/mutate/record.h"

#include "testbench/cosim/cli/source.h"
#include "testbench/signoff/evidence/mutant_rows.h"
#include "testbench/signoff/evidence/run_rows.h"

/* The proof of a mutant of the RTL is of the whole model. That of a mutant of the C model is of few
 * threads and counters, so the mutant must survive the regression, too. */
bool pmuv3_record_has(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      uint64_t cycles) {
  sqlite3_stmt *statement =
      pmuv3_database_ask(record->database,
                         "SELECT 1 FROM mutant WHERE source = ?1 AND side = ?2 AND name = ?3"
                         " AND module = ?4 AND place = ?5 AND change = ?6"
                         " AND (verdict IN ('killed', 'unusable') OR cycles >= ?7"
                         "  OR (verdict = 'equivalent' AND side = 'rtl'))",
                         "tttttti", record->source, record->side, mutant->name, mutant->module,
                         mutant->place, mutant->change, (int64_t)cycles);
  const bool has = pmuv3_database_next(statement);
  if (has) sqlite3_finalize(statement);
  return has;
}

void pmuv3_record_add(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      const struct pmuv3_trial *trial) {
  const struct pmuv3_database_mutant row = {
      .source = record->source,
      .side = record->side,
      .name = mutant->name,
      .module = mutant->module,
      .place = mutant->place,
      .change = mutant->change,
      .verdict = trial->killed ? "killed" : "survived",
      .reason = trial->killed ? trial->reason : NULL,
      .cycles = trial->cycles,
      .seconds = trial->seconds,
  };
  pmuv3_database_record_versions(record->database, record->source, pmuv3_versions);
  pmuv3_database_record_mutant(record->database, &row);
}
