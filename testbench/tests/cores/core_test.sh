#!/usr/bin/env bash
# A preset runs in lockstep, and counts its core's own events. Usage: core_test.sh RUN REPLAY NAME
set -euo pipefail
here=$(dirname "$(realpath "$0")")
run=$1 replay=$2 core=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "FAILED: $1"
  exit 1
}

"$run" --core "$core" --cycles 2000 --jobs 1 >out 2>&1 || fail "run --core $core: $(cat out)"
grep -q '^equivalent$' out || fail "not equivalent: $(cat out)"
grep -q '^ID_AA64DFR0_EL1 .*PMUVer=' out || fail "no ID registers: $(cat out)"

"$here/litmus.py" "$core" >"$core.stim"
"$replay" "$core.stim" >out 2>&1 || fail "replay: $(cat out)"
events=$(grep -c '^param event=' "$here/../../../cmodel/cores/$core.core")
grep -q " $((events + 5)) expectations held$" out || fail "expectations: $(cat out)"

# An expectation that is wrong is seen: the file is looked at.
sed '0,/^expect PMEVCNTR0_EL0/s/^\(expect PMEVCNTR0_EL0\).*/\1 99/' "$core.stim" >wrong.stim
status=0
"$replay" wrong.stim >out 2>&1 || status=$?
[ "$status" = 1 ] || fail "a wrong count has status $status: $(cat out)"
echo "all held"
