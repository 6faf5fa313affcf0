#!/usr/bin/env bash
# The proof must fail of RTL with a thread that is not implemented and yet has a page, or is not
# reset; and of RTL that leaves nothing of a signal that is to be cut: there is none, or it is another
# one.
#
#   broken_test.sh PMUV3_PROVE BITCODE WORK
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
program=$1 bitcode=$2 work=$3

main() {
  rm -rf "$work"
  broken absent 1x1+1 rtl/pmuv3.sv 's/apb_bad || !present\[t\]/apb_bad/' --only 'page 1 ' --stop
  refuted absent 'PSLVERR'
  broken unreset 1x1+1 rtl/pmuv3.sv \
    '/u_registers/,/);/s/\.rst_cold_ni,/.rst_cold_ni(rst_cold_ni || !present[t]),/' --only reset
  refuted unreset 'cold reset: next g_thread.1.*mtpme_q'
  broken ungrouped 2x1 rtl/pmuv3.sv \
    's/mt & ~is_chain & {Lanes{mt_enable\[t\]}}/{Lanes{1'"'b0"'}}/' --only 'idle, cycle' --stop
  refuted ungrouped 'counts_.* of t'
  broken unseen 1x2 rtl/pmuv3_attribution.sv \
    's/assign allowed_o *= .*;/assign allowed_o = 1'"'b0"';/' --only 'idle, cycle'
  refuted unseen 'the RTL has the signal .*allowed_o'
}

fail() {
  echo "broken_test.sh: $1" >&2
  exit 1
}

# broken NAME SIZE FILE SED OPTION...: what the proof says of the RTL with a change.
broken() {
  local copy=$work/$1 threads counters absent status=0
  IFS=x+ read -r threads counters absent <<<"$2"
  mkdir -p "$copy"
  cp -r "$here/../../rtl" "$copy"
  sed -i "$4" "$copy/$3"
  ! cmp -s "$copy/$3" "$here/../../$3" || fail "$1: nothing is changed"
  threads=$((threads + ${absent:-0}))
  "$here/elaborate.sh" --rtl "$copy/rtl" --define PMUV3_PROBE "$threads" "$counters" \
    "$copy/${threads}_$counters.btor"
  "$program" --bitcode "$bitcode" --circuits "$copy" --theorem equivalence --size "$2" --set ci \
    "${@:5}" --out "$copy/refuted" >"$copy/log" 2>&1 || status=$?
  [ "$status" = 1 ] || fail "$1: exit status $status: $(tail -n 3 "$copy/log")"
}

refuted() {
  grep -Eq "$2.*: refuted" "$work/$1/log" || fail "$1: $(grep refuted "$work/$1/log")"
}

main
echo "all held"
