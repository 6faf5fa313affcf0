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
  finds_none -qE 'equivalent|unique' out || fail "$name $*: a verdict: $(cat out)"
}

# The files of a result: those of an earlier run, which was well.
result=(--json old.json --junit old.xml)
status 0 $tiny.pmu "${right[@]}" --cycles 150000 --jobs 2 "${result[@]}"
mkdir good
cp old.json old.xml good
old() { cp good/* .; }
# says_none REASON: they have no verdict, and the reason
says_none() {
  jq -e --arg why "$1" '.verdict == "no verdict" and (.reason | test($why))' old.json >/dev/null ||
    fail "not '$1': $(cat old.json)"
  xmllint --xpath '//testsuite[@failures=0 and @errors=1]/testcase/error' old.xml >/dev/null 2>&1 ||
    fail "JUnit of no verdict: $(cat old.xml)"
  xmllint --xpath 'string(//error/@message)' old.xml | grep -E -e "$1" >/dev/null || fail "not '$1': $(cat old.xml)"
}
# in_none REASON ARGUMENT...: has_none, and the files of an earlier result say so, too
in_none() {
  old
  has_none "$@" "${result[@]}"
  says_none "$1"
}

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
old
has_none 'cannot start a process: Resource temporarily unavailable: no verdict' --cycles 250000 --jobs 2 \
  "${result[@]}" -- $tiny.pmu
says_none 'cannot start a process: Resource temporarily unavailable'
program=$all

# ---- Verilator is killed ----
mkdir killed
# shellcheck disable=SC2016 # the stand-in's own process
stand_in killed/verilator <<<'#!/bin/sh
kill -9 $$'
PMUV3_STAND_INS=$scratch/killed in_none 'Verilator ended without an answer; ' $tiny.pmu "${right[@]}" --cycles 2000

# ---- A device that cannot be built ----
old
echo 'module tiny(' >broken.v
unusable '^pmuv3 check: the RTL: ' $tiny.pmu broken.v --cycles 2000 "${result[@]}"
says_none '^the RTL: '
old
with nowhere 's/^clock.*/clock nowhere/'
unusable "^$tiny.nowhere.pmu:4: " $tiny.nowhere.pmu "${right[@]}" --cycles 2000 "${result[@]}"
says_none "^$tiny.nowhere.pmu:4: "
old
with wrong 's/^clock.*/clocks clk/'
unusable "^$tiny.wrong.pmu:4: " $tiny.wrong.pmu "${right[@]}" --cycles 2000 "${result[@]}"
says_none "^$tiny.wrong.pmu:4: "
# Arguments that cannot be used change nothing. Nor does a list of shards.
old
unusable '^pmuv3 check: --mode takes exact' $tiny.pmu "${right[@]}" --mode none "${result[@]}"
unusable '^pmuv3 check: cannot read' $tiny.pmu absent.v "${result[@]}"
unusable "^pmuv3 check: --replay: cannot read 'absent.check': No such file" $tiny.pmu "${right[@]}" --replay absent.check "${result[@]}"
unusable "^pmuv3 check: --recorded: cannot read 'absent.vcd': No such file" $tiny.pmu --recorded absent.vcd "${result[@]}"
PMUV3_SOURCE=$("$root/build/release/bin/pmuv3-evidence" --source) \
  status 0 $tiny.pmu "${right[@]}" --seeds 2 --cycles 2000 --shards --farm listed "${result[@]}"
cmp old.json good/old.json || fail "a result was changed: $(cat old.json)"
cmp old.xml good/old.xml || fail "a result was changed: $(cat old.xml)"

# ---- A wrong device ----
status 1 $tiny.pmu tiny.v -DVALUE='enables&1' --cycles 150000 --no-shrink
# Its files have a folder of their own, beside that of `run`.
for file in stimulus.check divergence.txt; do [ -s divergence-check/$file ] || fail "no $file: $(cat out)"; done
left divergence

# ---- What is told of a divergence is of the run, whatever the shrunk stimulus shows ----
late='-DVALUE=(clocks>1500?0:enables)'
status 1 $tiny.pmu tiny.v "$late" --cycles 20000 --out found --json found.json --db found.db
words=$(jq -r .first_divergence.words found.json)
grep -qxF "$words" found/divergence.txt || fail "'$words' is not of the run: $(cat found/divergence.txt)"
[ "$(sqlite3 found.db 'SELECT difference FROM run')" = "$words" ] || fail "'$words' is not recorded"
[ "$(tail -1 found/minimal.check)" = "# $(jq -r .first_divergence.shrunk_words found.json)" ] ||
  fail "another divergence is in minimal.check: $(cat found.json found/minimal.check)"

# ---- A port that keeps an access waiting ----
sed 's/rdata);/rdata, output ready);/; s/assign rdata/assign ready = clocks < 500; &/' tiny.v >hangs.v
with hangs 's/^port.*/& ready=ready/'
status 1 $tiny.hangs.pmu hangs.v "${right[@]:1}" --cycles 20000 --no-shrink --out hangs --json hangs.json
jq -e '.first_divergence | .what == "hang" and .port == 0 and .thread == 0 and (has("counter") or has("seen") | not)' \
  hangs.json >/dev/null || fail "a port that hangs: $(cat hangs.json)"

# ---- A divergence that does not happen again is one ----
sed '/^  reg \[31:0\] enables;/r /dev/stdin' tiny.v >once.v <<'RTL'
  integer file;
  reg first = 0;
  initial begin
    file = $fopen("once.txt", "r");
    first = file == 0;
    file = $fopen("once.txt", "w");
  end
RTL
once=("$tiny.pmu" once.v '-DVALUE=(first?0:enables)' --cycles 20000 --jobs 1)
status 1 "${once[@]}" --out once --json once.json
grep -qx 'it did not happen again, so there is no stimulus of it' out || fail "again: $(cat out)"
jq -e '.first_divergence.words | test("PMINTENSET_EL1 reads 0x0, expected")' once.json >/dev/null || fail "$(cat once.json)"

# ---- A register at two addresses ----
sed 's/req & we/req \& we \& addr != 16/' tiny.v >alias.v
with alias 's/^register.*/&\nregister 0x10 PMINTENSET_EL1/'
status 1 $tiny.alias.pmu alias.v "${right[@]:1}" --cycles 150000 --out=-alias
grep -q '^write PMINTENSET_EL1:0x10 ' ./-alias/minimal.check || fail "no address: $(cat ./-alias/minimal.check)"
# A folder that looks like an option has a command that can be called all the same.
grep -q ' --replay ./-alias/minimal.check$' out || fail "the command that replays: $(cat out)"
status 1 $tiny.alias.pmu alias.v "${right[@]:1}" --replay ./-alias/minimal.check
printf 'pmuv3-check 1\nread PMINTENSET_EL1:0x20\n' >nowhere.check
unusable 'nowhere.check:2: "PMINTENSET_EL1" is no register of the description at this address' $tiny.alias.pmu alias.v \
  "${right[@]:1}" --replay nowhere.check

# ---- A device that ends the simulation ----
printf 'pmuv3-check 1\nidle 100\nread PMINTENSET_EL1\n' >idle.check
for end in finish stop fatal; do
  ends=("${right[@]}" "-DENDS=\$$end")
  in_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --cycles 250000 --jobs 2
  in_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --replay idle.check
done
has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --calibrate --json old.json
says_none 'the device ended the simulation'
has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --emit ended
left ended
old
status 3 $tiny.pmu "${ends[@]}" --seeds 2 --cycles 2000 --db ended.db "${result[@]}"
says_none '^2 of 2 seeds have no verdict$'
# Without an earlier result, too.
rm old.json old.xml
has_none 'the device ended the simulation: .*tiny.v:12: ' $tiny.pmu "${ends[@]}" --cycles 2000 "${result[@]}"
says_none 'the device ended the simulation'

# Before its first reset a register has any value, so what the RTL asserts of it says nothing.
cat >asserts.v <<'RTL'
module asserts(input clk, input rst_n, input req, input we, input [7:0] addr, input [31:0] wdata,
               output [31:0] rdata);
  reg [31:0] state;
  always @(posedge clk or negedge rst_n) state <= rst_n ? ~state : 32'h5A5A5A5A;
  always @* if (rst_n && state != 32'h5A5A5A5A && state != 32'hA5A5A5A5) $fatal(1, "%x", state);
  tiny t(.*);
endmodule
RTL
with asserts 's/^top.*/top asserts/'
status 0 $tiny.asserts.pmu asserts.v "${right[@]}" --cycles 20000
# Before the first reset registers are random, and nothing that depends on them ends. What an initial block says of
# parameters does.
for end in finish stop fatal; do
  sed "s/^endmodule/  initial if (\$bits(enables) == 32) \$$end;\n&/" tiny.v >initial.v
  status 3 $tiny.pmu initial.v "${right[@]:1}" --cycles 20000
  grep -qE "the device ended the simulation: .*initial.v:14: " err || fail "an initial \$$end: $(cat out err)"
  sed "s/^endmodule/  initial assert (\$bits(enables) != 32) else \$$end;\n&/" tiny.v >initial.sv
  status 3 $tiny.pmu initial.sv "${right[@]:1}" --cycles 20000
  grep -qE "the device ended the simulation: .*initial.sv:14: " err || fail "an assertion, \$$end: $(cat out err)"
  sed "s/^endmodule/  task over; \$$end; endtask initial if (\$bits(enables) == 32) over;\n&/" tiny.v >initial.v
  status 3 $tiny.pmu initial.v "${right[@]:1}" --cycles 20000
done
# shellcheck disable=SC2016 # a task of Verilog
statement='reg running; always @(posedge clk) begin running <= rst_n; if (running \&\& enables[30:2] != 0) $fatal; end'
sed "s/^endmodule/  $statement\n&/" tiny.v >delayed.v
status 0 $tiny.pmu delayed.v "${right[@]:1}" --cycles 20000
# So is an assertion, unless the user leaves them out: that of a unique case, too, of which two items match.
for assertion in 'always @(posedge clk) assert (!(rst_n \&\& req \&\& we));' \
  'reg two; always @* unique casez ({req, we}) 2'"'b1?: two = 1; 2'b?1: two = 0; default: two = 0; endcase" \
  'reg two; always @* casez ({req, we}) \/\/ synopsys parallel_case\n'"2'b1?: two = 1; 2'b?1: two = 0; default: two = 0; endcase"; do
  sed "s/^endmodule/  $assertion\n&/" tiny.v >asserted.v
  has_none 'the device ended the simulation: .*asserted.v:14: ' $tiny.pmu asserted.v "${right[@]:1}" --cycles 20000
  status 0 $tiny.pmu asserted.v "${right[@]:1}" --cycles 20000 --verilator --no-assert
done
# The time goes on: 10 ns a clock.
for is_late in '< 200:0' '>= 200:3'; do
  statement="always @(posedge clk) if (clocks == 20 \&\& \$time ${is_late%:*}) \$stop;"
  sed "s/^endmodule/  $statement\n&/; 1i \`timescale 1ns/1ps" tiny.v >timed.v
  status "${is_late#*:}" $tiny.pmu timed.v "${right[@]:1}" --cycles 20000
done
status 3 $tiny.asserts.pmu asserts.v "${right[@]}" --cycles 20000 "-DENDS=\$stop"

# ---- A run that is killed ----
old
"$program" $tiny.pmu "${right[@]}" --jobs 1 --cycles 400000000 "${result[@]}" >out 2>err &
until [[ $(readlink "/proc/$!/exe") == */check ]] || ! kill -0 $!; do sleep 0.05; done
sleep 1
kill -9 $!
wait $!
says_none 'was ended'

# ---- A replay says so ----
status 0 $tiny.pmu "${right[@]}" --replay idle.check --json replayed.json
jq -e '.replay == "idle.check" and (has("seed") | not)' replayed.json >/dev/null || fail "a replay: $(cat replayed.json)"

# ---- RTL that changed, whatever the time is ----
cp tiny.v changed.v
status 0 $tiny.pmu changed.v "${right[@]:1}" --cycles 2000
find "$root/build/check/$tiny"* -exec touch -d '+1 hour' {} +
sed -i 's/80000003/80000001/' changed.v
status 1 $tiny.pmu changed.v "${right[@]:1}" --cycles 2000 --no-shrink

# ---- RTL, or what else the device is made of, that changes meanwhile ----
printf 'pmuv3-core 1\nparam counters=3\n' >mine.core
with named 's/^param/& core=.\/mine.core/'
sed 's/^module/`include "part.vh"\n&/' tiny.v >whole.v
echo >part.vh
echo "$PWD/whole.v" >whole.f
named=("$tiny.named.pmu" -f whole.f -DVALUE=enables --cycles 2000)
runs() { sqlite3 evidence.db 'SELECT count(*) FROM run'; }
mkdir meanwhile
# changes TOOL FILE: the tool changes the file whenever it has ended
changes() {
  rm -f meanwhile/*
  stand_in "meanwhile/$1" <<SCRIPT
#!/bin/sh
"$(command -v "$1")" "\$@"
status=\$?
case "\$*" in *device.vlt*|*Vdut.mk*) echo '$([[ $2 == *.@(pmu|core|f) ]] || echo //)' >>'$scratch/$2' ;; esac
exit \$status
SCRIPT
}
status 0 "${named[@]}"
before=$(runs)
for tool in verilator make; do
  for file in whole.v part.vh whole.f mine.core "$tiny.named.pmu"; do
    changes "$tool" "$file"
    PMUV3_STAND_INS=$scratch/meanwhile unusable "^pmuv3 check: the RTL was changed while it was built: .*$file$" "${named[@]}"
  done
done
# A change that was taken back is one.
stand_in meanwhile/make <<SCRIPT
#!/bin/sh
cp '$scratch/whole.v' '$scratch/kept.v'
echo // >>'$scratch/whole.v'
cp '$scratch/kept.v' '$scratch/whole.v'
exec "$(command -v make)" "\$@"
SCRIPT
PMUV3_STAND_INS=$scratch/meanwhile unusable '^pmuv3 check: the RTL was changed while it was built: .*whole.v$' "${named[@]}"
# So is one of what a link leads to, and another target of a link to a file or to a folder.
sed 's/^module/`include "deep.vh"\n&/' tiny.v >deep.v
mkdir linked one two
touch one/deep.vh two/deep.vh
time=0
for link in linked/deep.vh linked; do
  rm -r linked
  [ $link = linked ] || mkdir linked
  ln -s "$scratch/one${link#linked}" $link
  for change in "echo >>one/deep.vh; : >one/deep.vh" \
    "ln -nsf '$scratch/two${link#linked}' $link; ln -nsf '$scratch/one${link#linked}' $link"; do
    stand_in meanwhile/make <<SCRIPT
#!/bin/sh
(cd '$scratch'; $change)
exec "$(command -v make)" "\$@"
SCRIPT
    time=$((time + 1))
    PMUV3_STAND_INS=$scratch/meanwhile unusable "^pmuv3 check: the RTL was changed while it was built: .*linked.*" \
      "$tiny.named.pmu" deep.v -DVALUE=enables --cycles 2000 -I linked "-DTIME=$time"
  done
done
# Whoever knows no file that Verilator reads yet does not record one that changed meanwhile either.
changes verilator part.vh
cp "$tiny.named.pmu" "$tiny.first.pmu"
PMUV3_STAND_INS=$scratch/meanwhile unusable "^pmuv3 check: the RTL was changed while it was built: .*part.vh$" "$tiny.first.pmu" "${named[@]:1}"
[ "$(runs)" = "$before" ] || fail "RTL is recorded that did not run"
# While the device runs.
long=("${named[@]:0:4}" --jobs 1 --cycles 4000000)
"$program" "${long[@]}" >out 2>err &
until [[ $(readlink "/proc/$!/exe") == */check ]] || ! kill -0 $!; do sleep 0.05; done
sleep 1
kill -0 $! || fail "the run was too short"
echo >>part.vh
actual=0
wait $! || actual=$?
[ "$actual $(cat err)" = "2 pmuv3 check: the RTL was changed while it was checked" ] || fail "while it ran: $actual $(cat err)"
finds_none -q equivalent out || fail "a verdict of RTL that changed"
[ "$(runs)" = "$before" ] || fail "RTL is recorded that changed while it ran"
# A file that the device reads, too, whether the change is taken back or not.
# shellcheck disable=SC2016 # of Verilog
sed 's/^  reg \[31:0\] enables;/  reg [31:0] rom [0:0];\n  initial $readmemh("rom.hex", rom);\n&/' tiny.v >whole.v
echo 00 >rom.hex
status 0 "${named[@]}"
before=$(runs)
"$program" "${long[@]}" >out 2>err &
until [[ $(readlink "/proc/$!/exe") == */check ]] || ! kill -0 $!; do sleep 0.05; done
sleep 1
kill -0 $! || fail "the run was too short"
echo 01 >rom.hex
echo 00 >rom.hex
actual=0
wait $! || actual=$?
[ "$actual $(cat err)" = "2 pmuv3 check: the RTL was changed while it was checked" ] || fail "what it reads: $actual $(cat err)"
[ "$(runs)" = "$before" ] || fail "a file is recorded that changed meanwhile"

# ---- What was not compared ----
with refused 's/^(port.*)/state el 0\n\1 checked/'
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.refused.pmu tiny.v "${junk[@]}"
jq -e '.verdict == "no verdict"' junk.json >/dev/null || fail "nothing was compared: $(cat junk.json)"
sed 's/input clk/input clk, output irq/; s/\(assign rdata\)/assign irq = 0; \1/' tiny.v >irq.v
sed 's/^clock/irq irq\n&/' $tiny.refused.pmu >$tiny.irq.pmu
status 0 $tiny.irq.pmu irq.v "${junk[@]}"
jq -e '.compared.read == 0 and .refused_reads > 10 and .compared.irq > 100 and
  (.registers | length == 1 and .[0].writes == 0 and .[0].refused_writes > 10) and
  (.never_compared | contains(["PMINTENSET_EL1: no value was read, and each write refused",
    "latency write: no register was written"]))' junk.json >/dev/null || fail "$(cat junk.json)"
# The database keeps all that the list follows from.
status 0 $tiny.irq.pmu irq.v "${junk[@]:0:3}" --db summed.db --seeds 1 --json summed.json
same_of junk.json summed.json "the list of a recorded run" jq .never_compared
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.pmu "${right[@]}" --cycles 4
with unread 's/^register.*/& read=0/'
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.unread.pmu "${right[@]}" --cycles 2000
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.unread.pmu "${right[@]}" --calibrate
printf 'pmuv3-check 1\nidle 1\n' >short.check
has_none 'nothing was compared in [0-9]+ clocks: no verdict' $tiny.pmu "${right[@]}" --replay short.check --json short.json
jq -e '.verdict == "no verdict"' short.json >/dev/null || fail "nothing was compared: $(cat short.json)"

# A clock of the device that does not end.
sed 's/^  reg \[31:0\] enables;/&\n  reg [2:0] i;/; s/^ *clocks <= clocks + 1;/for (i = 0; i <= 7; i = i + 1) &/' tiny.v >endless.v
status 3 $tiny.pmu endless.v "$late" --cycles 2000
[ "$(cat err)" = 'pmuv3 check: a clock of the device does not end: no verdict' ] || fail "a clock that does not end: $(cat err)"
printf 'pmuv3-check 1\nidle 2000\n' >endless.check
stand_in limited <<SCRIPT
#!/bin/sh
exec timeout 300 "$program" "\$@"
SCRIPT
program=$scratch/limited has_none 'a clock of the device does not end: no verdict' $tiny.pmu endless.v "$late" \
  --replay endless.check

all_held
