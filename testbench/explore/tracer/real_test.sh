#!/usr/bin/env bash
# Three programs of Debian: INST_RETIRED of their traces is what QEMU's own log of executed instructions has.
# Usage: real_test.sh PROGRAM TOTALS
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
totals=$2
root=$here/../../../build/trace/root
seq 1 700 >input

# traced NAME ARGUMENT...: installs and traces a program, and compares its count
traced() {
  local made=$1 file logged counted
  shift
  PMUV3_TRACER=$program "$here/trace.sh" "$made.pmt" -- "$made" "$@" >out 2>err || {
    fail "$made: $(cat err)"
    return
  }
  file=$(realpath "$(find "$root"/{usr/bin,bin} -name "$made")")
  # The same environment and the same output for both: programs look at them.
  env -i "$program" "$made.pmt" --root "$root" --program "$file" --events INST_RETIRED -- "$made" "$@" >/dev/null 2>err ||
    fail "$made: $(cat err)"
  counted=$("$totals" "$made.pmt" | sed -n 's|^INST_RETIRED@0/0 ||p')
  # One instruction a block, and a line for each block that begins.
  logged=$(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C setarch -R qemu-aarch64 -L "$root" -cpu neoverse-n1 -seed 1 -singlestep -d nochain,exec -D /dev/fd/3 \
    -0 "$made" "$file" "$@" 3>&1 >/dev/null | grep -c '^Trace ')
  echo "$made: $counted instructions"
  [ "$counted" -gt 100000 ] || fail "$made: only $counted instructions"
  [ "$counted" = "$logged" ] || fail "$made: INST_RETIRED is $counted, QEMU's log has $logged"
}

traced gzip -c input
traced sha256sum input
# shellcheck disable=SC2016 # mawk's own
traced mawk '{ s += $1 * $1 } END { print s }' input
all_held
