# shellcheck shell=bash
# Whether two evidence databases, or two proofs, say the same. Sourced by tests.

# rows_of DATABASE: all rows of all tables, but for seconds and the digests of rows. Fails if there is no table.
rows_of() {
  local tables table columns
  tables=$(sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") || return
  [ -n "$tables" ] || return
  for table in $tables; do
    columns=$(sqlite3 "$1" "SELECT group_concat(name, ', ') FROM pragma_table_info('$table')
      WHERE name NOT IN ('seconds', 'digest')") || return
    [ -n "$columns" ] || return
    sqlite3 "$1" "SELECT '$table', $columns FROM \"$table\" ORDER BY $columns" || return
  done
}

# same_rows A B WHAT
same_rows() { same_of "$@" rows_of; }

# proof_in JSON: what does not depend on who proved what first. Solvers are asked nothing that was proved before.
proof_in() {
  jq -S 'del(.. | .seconds?, .solver_seconds?, .by_memory?, .by_structure?, .by_solvers?,
      .by_certificate?, .by_two_solvers?, .by_both_ways?) |
         .sizes[].cases |= sort_by(.case)' "$1"
}
