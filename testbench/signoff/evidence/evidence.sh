# shellcheck shell=bash
# Functions to fill the evidence database. A script sources this file after common.sh, and sets $db and $build.

# open_evidence: sets $source, the digest of the built sources. The evidence belongs to these sources.
open_evidence() {
  # shellcheck disable=SC2154
  evidence=$build/bin/pmuv3-evidence
  [ -x "$evidence" ] || unusable "$evidence: there is no such program; build it first"
  # shellcheck disable=SC2034
  source=$("$evidence" --source)
  ask </dev/null || { [ $? != 2 ] || exit 2; false; } # it has said why
}

# ask: executes statements from standard input, and prints rows with tabs. Other programs may write at the same
# time.
ask() {
  # shellcheck disable=SC2154
  "$evidence" --db "$db"
}

# show SQL: prints rows for a person.
show() {
  sqlite3 -readonly -cmd '.timeout 60000' -cmd '.mode column' -cmd '.headers on' "$db" "$1"
}

# quoted NAME: the name as SQL text.
quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}
