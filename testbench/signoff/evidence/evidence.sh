# shellcheck shell=bash
# How scripts fill the evidence database. Sourced by one that has sourced common.sh, and has $db and $build.

# open_evidence: $source is the digest of the sources that were built, of which the evidence is.
open_evidence() {
  # shellcheck disable=SC2154
  evidence=$build/bin/pmuv3-evidence
  [ -x "$evidence" ] || unusable "$evidence: there is no such program; build it first"
  # shellcheck disable=SC2034
  source=$("$evidence" --source)
  ask </dev/null
}

# Statements from standard input; rows with tabs. Other programs may be writing.
ask() {
  # shellcheck disable=SC2154
  "$evidence" --db "$db"
}

# show SQL: rows for a person.
show() {
  sqlite3 -readonly -cmd '.timeout 60000' -cmd '.mode column' -cmd '.headers on' "$db" "$1"
}

# SQL's text of a name.
quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}
