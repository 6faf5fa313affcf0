#include "testbench/signoff/evidence/mutant_rows.h"

#define IS_ANOTHER                                     \
  "(excluded.module, excluded.place, excluded.change)" \
  " <> (mutant.module, mutant.place, mutant.change)"

/* What a survivor gives way to. */
#define REPLACES_SURVIVOR                                               \
  "mutant.verdict = 'survived' AND"                                     \
  " (excluded.verdict <> 'survived' OR excluded.cycles > mutant.cycles" \
  " OR (excluded.cycles = mutant.cycles AND mutant.reason IS NULL AND excluded.reason NOT NULL))"

/* What a mutant that was proved equivalent gives way to: a kill, which the bound of the proof
 * allows. More cycles are noted. */
#define REPLACES_EQUIVALENT                                          \
  "mutant.verdict = 'equivalent' AND"                                \
  " (excluded.verdict = 'killed' OR (excluded.verdict <> 'unusable'" \
  " AND excluded.cycles > mutant.cycles))"
#define STAYS_EQUIVALENT "mutant.verdict = 'equivalent' AND excluded.verdict = 'survived'"

/* What was found out about a survivor stays when it survives more cycles. */
void pmuv3_database_record_mutant(sqlite3 *database, const struct pmuv3_database_mutant *mutant) {
  pmuv3_database_do(
      database,
      "INSERT INTO mutant VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
      " ON CONFLICT DO UPDATE SET module = excluded.module, place = excluded.place,"
      " change = excluded.change, cycles = excluded.cycles, seconds = excluded.seconds,"
      " verdict = iif(NOT " IS_ANOTHER " AND " STAYS_EQUIVALENT
      ", mutant.verdict, excluded.verdict),"
      " reason = iif(" IS_ANOTHER
      ", excluded.reason, ifnull(excluded.reason, mutant.reason))"
      " WHERE " IS_ANOTHER " OR (" REPLACES_SURVIVOR ") OR (" REPLACES_EQUIVALENT ")",
      "ttttttttid", mutant->source, mutant->side, mutant->name, mutant->module, mutant->place,
      mutant->change, mutant->verdict, mutant->reason, (int64_t)mutant->cycles, mutant->seconds);
}

void pmuv3_database_record_proof(sqlite3 *database, const struct pmuv3_database_mutant *mutant) {
  pmuv3_database_do(database,
                    "UPDATE mutant SET verdict = ?7, reason = ?8"
                    " WHERE source = ?1 AND side = ?2 AND name = ?3"
                    " AND (module, place, change) = (?4, ?5, ?6)"
                    " AND verdict = 'survived' AND reason IS NULL",
                    "tttttttt", mutant->source, mutant->side, mutant->name, mutant->module,
                    mutant->place, mutant->change, mutant->verdict, mutant->reason);
}

static const char *text(sqlite3_stmt *row, int column) {
  return (const char *)sqlite3_column_text(row, column);
}

void pmuv3_database_merge_mutants(sqlite3 *database, sqlite3 *from) {
  pmuv3_database_begin(database);
  sqlite3_stmt *row = pmuv3_database_ask(
      from,
      "SELECT source, side, name, module, place, change, verdict, reason, cycles, seconds"
      " FROM mutant",
      "");
  while (pmuv3_database_next(row)) {
    const struct pmuv3_database_mutant mutant = {
        .source = text(row, 0),
        .side = text(row, 1),
        .name = text(row, 2),
        .module = text(row, 3),
        .place = text(row, 4),
        .change = text(row, 5),
        .verdict = text(row, 6),
        .reason = text(row, 7),
        .cycles = (uint64_t)sqlite3_column_int64(row, 8),
        .seconds = sqlite3_column_double(row, 9),
    };
    pmuv3_database_record_mutant(database, &mutant);
  }
  pmuv3_database_commit(database);
}
