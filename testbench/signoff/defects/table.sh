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

# digest_of_table FILE: a planted copy has that of its table in its file `of`, line 2 (campaign.sh).
digest_of_table() { sha256sum <"$1" | cut -c1-16; }

# is_of_table WORK FILE: whether the planted copy has the defects of that table. There a defect is known by its
# number in the table alone.
is_of_table() { [ "$(sed -n 2p "$1/of" 2>/dev/null)" = "$(digest_of_table "$2")" ]; }
