# shellcheck shell=bash
# Whether two evidence databases say the same. Sourced by tests.

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
