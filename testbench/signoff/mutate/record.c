#include "testbench/signoff/mutate/record.h"

#include "testbench/signoff/evidence/database.h"

bool pmuv3_record_has(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      uint64_t cycles) {
  sqlite3_stmt *statement =
      pmuv3_database_ask(record->database,
                         "SELECT 1 FROM mutant WHERE source = ?1 AND side = ?2 AND name = ?3"
                         " AND module = ?4 AND place = ?5 AND change = ?6"
                         " AND (verdict <> 'survived' OR cycles >= ?7)",
                         "tttttti", record->source, record->side, mutant->name, mutant->module,
                         mutant->place, mutant->change, (int64_t)cycles);
  const bool has = pmuv3_database_next(statement);
  if (has) sqlite3_finalize(statement);
  return has;
}

/* What was found out about one that survived before stays. */
void pmuv3_record_add(const struct pmuv3_record *record, const struct pmuv3_mutant *mutant,
                      const struct pmuv3_trial *trial) {
  pmuv3_database_do(record->database,
                    "INSERT OR REPLACE INTO mutant VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,"
                    " ifnull(?8, (SELECT reason FROM mutant WHERE source = ?1 AND side = ?2"
                    "             AND name = ?3 AND change = ?6)), ?9, ?10)",
                    "ttttttttid", record->source, record->side, mutant->name, mutant->module,
                    mutant->place, mutant->change, trial->killed ? "killed" : "survived",
                    trial->killed ? trial->reason : NULL, (int64_t)trial->cycles, trial->seconds);
}
