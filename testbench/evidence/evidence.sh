# shellcheck shell=bash
# How scripts fill the evidence database. Sourced by one that has fail, $db and a folder $work.

# The sources that it speaks of.
source=${PMUV3_SOURCE-}

expect_source() {
  [ -n "$source" ] || fail "PMUV3_SOURCE, the digest of the sources, is not set; ./pmuv3 sets it"
}

# Statements from standard input; rows with tabs. Other programs may be writing.
ask() {
  # shellcheck disable=SC2154
  sqlite3 -bail -cmd '.timeout 60000' -cmd '.mode tabs' "$db" 2>"$work/sqlite.log" ||
    fail "$db: $(tail -n 1 "$work/sqlite.log")"
}
