# shellcheck shell=bash
# Whether two evidence databases, or two proofs, say the same. Sourced by tests.

# rows_of DATABASE: all rows of all tables, but for seconds and the digests of rows.
rows_of() {
  local table columns
  for table in $(sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"); do
    columns=$(sqlite3 "$1" "SELECT group_concat(name, ', ') FROM pragma_table_info('$table')
      WHERE name NOT IN ('seconds', 'digest')")
    sqlite3 "$1" "SELECT '$table', $columns FROM \"$table\" ORDER BY $columns"
  done
}

# same_rows A B WHAT
same_rows() {
  diff <(rows_of "$1") <(rows_of "$2") >difference || fail "$3: $(head -n 5 difference)"
}

# proof_in JSON: what does not depend on who proved what first. Solvers are asked nothing that was proved before.
proof_in() {
  jq -S 'del(.. | .seconds?, .solver_seconds?, .by_memory?, .by_structure?, .by_solvers?,
      .by_certificate?, .by_two_solvers?, .by_both_ways?) |
         .sizes[].cases |= sort_by(.case)' "$1"
}
