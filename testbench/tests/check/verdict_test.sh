#!/usr/bin/env bash
# `pmuv3 check` says "equivalent" only of what it compared, and of the RTL that it was given.
# Usage: verdict_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

right=(tiny.v -DVALUE=enables)
junk=(-DVALUE="32'hdeadbeef" --cycles 2000 --json junk.json)

# has_none REASON ARGUMENT...: expects no verdict, and one line that says why
has_none() {
  local why=$1
  shift
  status 3 "$@"
  [ "$(grep -c . err)" -eq 1 ] || fail "$name $*: not one line: $(cat err)"
  grep -qE -e "^pmuv3 check: $why" err || fail "$name $*: not '$why': $(cat err)"
  ! grep -qE 'equivalent|unique' out || fail "$name $*: a verdict: $(cat out)"
}

status 0 $tiny.pmu "${right[@]}" --cycles 150000 --jobs 2

# ---- A process that cannot start ----
cat >no_fork.c <<'C'
#include <errno.h>
#include <unistd.h>
pid_t _Fork(void);
pid_t fork(void) {
  static int forks;
  return forks++ == 0 ? _Fork() : (errno = EAGAIN, -1);
}
C
cc -shared -fPIC -o no_fork.so no_fork.c
built=("$root/build/check/$tiny"-*/check)
few=$scratch/few
stand_in "$few" <<SCRIPT
#!/bin/sh
exec env LD_PRELOAD="$scratch/no_fork.so" timeout 60 "${built[0]}" "\$@"
SCRIPT
all=$program program=$few
has_none 'cannot start a process: Resource temporarily unavailable: no verdict' --cycles 250000 --jobs 2 -- $tiny.pmu
program=$all

# ---- Verilator is killed ----
mkdir killed
# shellcheck disable=SC2016 # the stand-in's own process
stand_in killed/verilator <<<'#!/bin/sh
kill -9 $$'
PMUV3_STAND_INS=$scratch/killed has_none 'Verilator ended without an answer; ' $tiny.pmu "${right[@]}" --cycles 2000

# ---- A wrong device ----
status 1 $tiny.pmu tiny.v -DVALUE='enables&1' --cycles 150000 --no-shrink

# ---- A register at two addresses ----
sed 's/req & we/req \& we \& addr != 16/' tiny.v >alias.v
with alias 's/^register.*/&\nregister 0x10 PMINTENSET_EL1/'
status 1 $tiny.alias.pmu alias.v "${right[@]:1}" --cycles 150000 --out alias
grep -q '^write PMINTENSET_EL1:0x10 ' alias/minimal.check || fail "no address: $(cat alias/minimal.check)"
status 1 $tiny.alias.pmu alias.v "${right[@]:1}" --replay alias/minimal.check
printf 'pmuv3-check 1\nread PMINTENSET_EL1:0x20\n' >nowhere.check
unusable 'nowhere.check:2: "PMINTENSET_EL1" is no register of the description at this address' $tiny.alias.pmu alias.v \
  "${right[@]:1}" --replay nowhere.check

# ---- A device that ends the simulation ----
printf 'pmuv3-check 1\nidle 100\nread PMINTENSET_EL1\n' >idle.check
for end in finish stop fatal; do
  ends=("${right[@]}" "-DENDS=\$$end")
  has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --cycles 250000 --jobs 2 --json ended.json
  has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --replay idle.check --json ended.json
done
has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --calibrate --json ended.json
has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --emit ended.json
left ended.json

# ---- RTL that changed, whatever the time is ----
cp tiny.v changed.v
status 0 $tiny.pmu changed.v "${right[@]:1}" --cycles 2000
find "$root/build/check/$tiny"* -exec touch -d '+1 hour' {} +
sed -i 's/80000003/80000001/' changed.v
status 1 $tiny.pmu changed.v "${right[@]:1}" --cycles 2000 --no-shrink

# ---- What was not compared ----
with refused 's/^(port.*)/state el 0\n\1 checked/'
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.refused.pmu tiny.v "${junk[@]}"
left junk.json
sed 's/input clk/input clk, output irq/; s/\(assign rdata\)/assign irq = 0; \1/' tiny.v >irq.v
sed 's/^clock/irq irq\n&/' $tiny.refused.pmu >$tiny.irq.pmu
status 0 $tiny.irq.pmu irq.v "${junk[@]}"
jq -e '.compared.read == 0 and .refused_reads > 10 and .compared.irq > 100 and
  (.never_compared | any(startswith("PMINTENSET_EL1: no value")))' junk.json >/dev/null || fail "$(cat junk.json)"
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.pmu "${right[@]}" --cycles 4
with unread 's/^register.*/& read=0/'
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.unread.pmu "${right[@]}" --cycles 2000
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.unread.pmu "${right[@]}" --calibrate
printf 'pmuv3-check 1\nidle 1\n' >short.check
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.pmu "${right[@]}" --replay short.check --json short.json
left short.json

all_held
