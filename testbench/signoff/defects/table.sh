# shellcheck shell=bash
# Tables of planted defects and of their results. A script sources this file after common.sh.

# table_of COMMAND FILE ARGUMENT...: reads a table (table.py).
defects_here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
table_of() { "$defects_here/table.py" "$@"; }

# results_of COMMAND RESULTS ARGUMENT...: a table of results (results.py).
# shellcheck disable=SC2317 # of the scripts that source this
results_of() { unsaid "$defects_here/results.py" "$@"; }

# expect_table FILE: a defect's name is also the name of its result files, and its `file` is a file in the copy.
# Neither may lead to another folder.
expect_table() {
  local mistake
  [ -f "$1" ] || unusable "$1: no such file"
  mistake=$(table_of check "$1")
  [ -z "$mistake" ] || unusable "$1: $mistake"
}

# digest_of_table FILE: line 2 of the copy's file `of` has this digest of the copy's table (campaign.sh).
digest_of_table() { sha256sum <"$1" | cut -c1-16; }

# is_of_table WORK FILE: whether the copy has the defects of this table. The copy knows a defect only by its
# number in the table.
is_of_table() { [ -f "$1/of" ] && [ "$(sed -n 2p "$1/of" 2>/dev/null)" = "$(digest_of_table "$2")" ]; }
