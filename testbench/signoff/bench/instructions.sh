#!/usr/bin/env bash
# The instructions of an access of the TLM module, beside those of a target that does nothing, as Callgrind counts
# them. Usage: instructions.sh PROGRAM
#
# Exit status: 0; 1 an access takes more than its aim (docs/design/speed.md); 2 unusable arguments; 3 no verdict:
# the accesses were not counted.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
if [ $# != 1 ] || [ ! -x "$1" ]; then unusable "expected the program that makes the accesses"; fi
end_without_verdict
times=1000
work=$(temporary_folder) || exit $?
trap 'rm -rf "$work"' EXIT

valgrind --tool=callgrind --callgrind-out-file="$work/profile" "$1" "$times" >"$work/log" 2>&1 ||
  end_with 3 "no verdict: $(tail -n 1 "$work/log")"
callgrind_annotate --inclusive=yes --threshold=100 "$work/profile" >"$work/functions"

# instructions FUNCTION: of one of its accesses.
instructions() {
  local all
  all=$(sed -nE "s/^ *([0-9,]+) .*:$1( .*)?$/\1/p" "$work/functions" | tr -d ,)
  [[ $all =~ ^[0-9]+$ ]] || end_with 3 "no verdict: Callgrind counted no $1"
  echo $((all / times))
}

# row NAME FUNCTION [AIM]: of the table. AIM: at most so many times a call that does nothing.
row() {
  local count
  count=$(instructions "$2")
  printf '%-13s | %12d | %2d.%02d | %7s\n' "$1" "$count" $((count / nothing)) $((count * 100 / nothing % 100)) "${3-}"
  [ -z "${3-}" ] || ((count <= $3 * nothing)) || wrong+=" $1"
}

nothing=$(instructions does_nothing) wrong=''
printf '%-13s | %12s | %5s | %7s\n' access instructions times 'at most'
row 'does nothing' does_nothing
row read read_counter 3
row write write_counter 6
row 'checked read' checked_read
row 'checked write' checked_write
[ -z "$wrong" ] || end_with 1 "more than the aim:$wrong"
