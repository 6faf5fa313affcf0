# shellcheck shell=bash
# Tables of planted defects (defects.txt says how one is written). Sourced by a script that has sourced common.sh.

# expect_table FILE: a defect's name is that of the files in which its results are kept, and what it changes is a
# file of the copy. Neither leads to other folders.
expect_table() {
  local mistake
  [ -f "$1" ] || unusable "$1: no such file"
  mistake=$(awk '
    { key = $1; value = $0; sub(/^[ \t]*[^ \t]+[ \t]*/, "", value); sub(/[ \t]+$/, "", value) }
    key == "defect" && value !~ /^[A-Za-z0-9_][A-Za-z0-9._-]*$/ { print value ": no name of a defect"; exit }
    key == "file" && ("/" value "/" ~ /\/[.][.]\// || value ~ /^\//) { print value ": no file of the sources"; exit }
  ' "$1")
  [ -z "$mistake" ] || unusable "$1: $mistake"
}
