# shellcheck shell=bash
# Tables of planted defects (defects.txt describes the format). A script sources this file after common.sh.

# expect_table FILE: a defect's name is also the name of its result files, and its `file` is a file in the copy.
# Neither may lead to another folder.
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

# digest_of_table FILE: line 2 of the copy's file `of` has this digest of the copy's table (campaign.sh).
digest_of_table() { sha256sum <"$1" | cut -c1-16; }

# is_of_table WORK FILE: whether the copy has the defects of this table. The copy knows a defect only by its
# number in the table.
is_of_table() { [ "$(sed -n 2p "$1/of" 2>/dev/null)" = "$(digest_of_table "$2")" ]; }
