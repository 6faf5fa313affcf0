#!/usr/bin/env bash
# The proof must fail of RTL with a thread that is not implemented and yet has a page, or is not
# reset; of RTL that leaves nothing of a signal that is to be cut: there is none, or it is another
# one; and of a C model that keeps something where the proof does not know of it, that tells wrongly
# how a write in a cycle ended, that loses an external write which waits for a cycle, or does it before the
# cycle's overflows, whose syndrome of one unknown register is not that of the others, whose software
# sees flags of counters that it does not reach, whose instruction counter does not filter what
# arrives late, or whose cycle counter is frozen by counters of EL2's range.
#
#   broken_test.sh PMUV3_PROVE BITCODE WORK
#
# BITCODE is the C model's, beside the netlists of the RTL.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
program=$1 bitcode=$2 work=$3

main() {
  own_folder WORK "$work"
  rm -rf "${work:?}"/*
  broken absent 1x1+1 rtl/pmuv3.sv 's/apb_bad || !present\[t\]/apb_bad/' --only 'page 1 ' --stop
  refuted absent 'PSLVERR'
  broken unreset 1x1+1 rtl/pmuv3_thread.sv \
    '/u_registers/,/);/s/\.rst_cold_ni,/.rst_cold_ni(rst_cold_ni || !self.present),/' --only reset
  refuted unreset 'cold reset: next g_thread.1.*mtpme_q'
  broken ungrouped 2x1 rtl/pmuv3_thread.sv \
    's/evtypers\.mt & ~evtypers\.chain & {Lanes{mt_enable_i}}/{Lanes{1'"'b0"'}}/' --only 'idle, cycle' --stop
  refuted ungrouped 'counts_.* of t'
  broken unseen 1x2 rtl/pmuv3_attribution.sv \
    's/assign allowed_o *= .*;/assign allowed_o = 1'"'b0"';/' --only 'idle, cycle'
  refuted unseen 'the RTL has the signal .*allowed_o'
  broken_count hidden 'overflow_q' \
    'uint8_t *kept = (uint8_t *)\&thread->registers.locked + 1; if (*kept) overflow = 0; *kept = overflow != 0;'
  broken_count static 'global variables: as before' \
    'static uint8_t kept; if (kept) overflow = 0; kept = overflow != 0;'
  stopped static 1x2
  broken_count derived 'byte .*: as derived anew' '((uint8_t *)\&thread->decoded.epmn)[1] = overflow != 0;'
  broken_count state 't0 pe: as before' 'pmu->pe[t].pm = overflow != 0;'
  broken_model error cmodel/src/pmuv3.c 'EXT32, page 0 offset 0x400, cycle' \
    's/pmu->ends.external_error = !/pmu->ends.external_error = 0 \& !/'
  refuted error 'told of a write in the clock: PSLVERR'
  broken_model syndrome cmodel/src/pmuv3.c 't0 writes PMCR_EL0, cycle' \
    's/= pmuv3_syndrome(result, trap)/= 0/'
  refuted syndrome 'told of a write in the clock: syndrome'
  local waits='if (external_waits(pmu, cycle)) apply_external(pmu, cycle);'
  broken_model lost cmodel/src/pmuv3.c 'page waits' "s/$waits//"
  refuted lost 'PMCNTENCLR_EL0 .*cnten, bit .*: as in two clocks'
  broken_model early cmodel/src/pmuv3.c 'page waits' "s/$waits//
    s/apply(pmu, cycle, t);/{ & if (cycle->has_external \&\& cycle->external.thread == t) apply_external(pmu, cycle); }/"
  refuted early 'PMSWINC_EL0 .*overflow, bit .*: as in two clocks'
  local untrapped='return (struct pmuv3_trap){.el = el'
  broken_model unlike cmodel/src/traps.c 'an unknown register' \
    "s/$untrapped}/$untrapped, .iss = access->reg == 0xFFFF}/"
  refuted unlike 'unknown registers: all alike'
  broken_model reached cmodel/src/access.c 'reads PMOVSCLR_EL0, cycle' \
    's/pmuv3_counters_below(n) | PMUV3_BIT_C/UINT64_MAX | PMUV3_BIT_C/'
  refuted reached 't0 software: no interference'
  broken_model unfiltered cmodel/src/instruction_counter.c 'reads PMCR_EL0, cycle' \
    's/= ~(prohibits | filters);/= ~prohibits;/'
  refuted unfiltered 't0 instruction counter: no interference'
  broken_model frozen cmodel/src/filter.c 'reads PMCR_EL0, cycle' \
    's/fzo ? (decoded->range\[PMUV3_R1\] &/fzo ? ((decoded->range[PMUV3_R1] | decoded->range[PMUV3_R2]) \&/'
  refuted frozen 't0 cycle counter: no interference'
}

fail() {
  echo "broken_test.sh: $1" >&2
  exit 1
}

# change NAME FILE SED
change() {
  mkdir -p "$(dirname "$work/$1/$2")"
  sed "$3" "$here/../../../$2" >"$work/$1/$2"
  ! cmp -s "$work/$1/$2" "$here/../../../$2" || fail "$1: nothing is changed"
}

# not_proved NAME OPTION...: that is what the proof must say.
not_proved() {
  local status=0
  "$program" --theorem equivalence --set ci "${@:2}" --out "$work/$1/refuted" >"$work/$1/log" 2>&1 || status=$?
  [ "$status" = 1 ] || fail "$1: exit status $status: $(tail -n 3 "$work/$1/log")"
}

# broken NAME SIZE FILE SED OPTION...: of the RTL with a change.
broken() {
  local copy=$work/$1 threads counters absent
  IFS=x+ read -r threads counters absent <<<"$2"
  mkdir -p "$copy"
  copy_files "$here/../../../rtl" "$copy/rtl"
  change "$1" "$3" "$4"
  threads=$((threads + ${absent:-0}))
  "$here/elaborate.sh" --rtl "$copy/rtl" --define PMUV3_PROBE "$threads" "$counters" \
    "$copy/${threads}_$counters.btor"
  not_proved "$1" --bitcode "$bitcode" --netlists "$copy" --size "$2" "${@:5}"
}

# broken_model NAME FILE CASES SED: of the C model with a change in one of its files.
broken_model() {
  local root
  root=$(realpath "$here/../../..")
  change "$1" "$2" "$4"
  "$here/bitcode.sh" --traps "$root" "$work/$1/$2" "$work/$1/changed.bc"
  llvm-link-14 "$bitcode" -override="$work/$1/changed.bc" -o "$work/$1/model.bc"
  not_proved "$1" --bitcode "$work/$1/model.bc" --netlists "$(dirname "$bitcode")" --size 1x2 --only "$3"
}

# broken_count NAME CLAIM TEXT: with TEXT at the end of a thread's cycle, the claim is refuted.
broken_count() {
  broken_model "$1" cmodel/src/pmuv3.c 'idle, cycle' "s/  return overflow;/  $3 &/"
  refuted "$1" "$2"
}

# stopped NAME SIZE: --stop ends the proof of the copy at the first case, and the result is not one of the whole set.
stopped() {
  not_proved "$1" --bitcode "$work/$1/model.bc" --netlists "$(dirname "$bitcode")" --size "$2" --stop \
    --json "$work/$1/stopped.json"
  jq -e '(.whole | not) and (.sizes[0] | .asked_cases > (.cases | length))' "$work/$1/stopped.json" >/dev/null ||
    fail "$1: --stop: $(head -c 2000 "$work/$1/stopped.json")"
}

refuted() {
  grep -Eq "$2.*: refuted" "$work/$1/log" || fail "$1: $(grep refuted "$work/$1/log")"
}

main
echo "all held"
