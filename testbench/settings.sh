# shellcheck shell=bash
# The user's own files and folders do not change what tools say. Sourced by common.sh, and by tests in bash.

# To Yosys, Verilator and make a name ends at a blank, and a script that goes to another folder would not find a
# relative name.
if [[ ${TMPDIR-/tmp} != /* || ${TMPDIR-} == *[[:space:]]* || ! -d ${TMPDIR-/tmp} || ! -w ${TMPDIR-/tmp} ]]; then
  unset TMPDIR
fi

jq() { HOME=/proc/none command jq "$@"; }
# SQLite's shell asks the system for the home, not HOME. On a terminal it says which file it reads, but for -batch.
sqlite3() { command sqlite3 -batch -init /dev/null "$@"; }
yosys-abc() { HOME=/proc/none command yosys-abc "$@"; }
export -f jq sqlite3 # a script may start another bash
