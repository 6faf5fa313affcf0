#!/usr/bin/env bash
# `pmuv3 trace` for a user. The programs' counts are typed from programs/*.s.
# Usage: trace_test.sh PROGRAM TOTALS
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
totals=$2

for file in "$here"/programs/*.s; do
  made=${file##*/} made=${made%.s}
  { aarch64-linux-gnu-as -march=armv8.2-a+crypto -o "$made.o" "$file" && aarch64-linux-gnu-ld -o "$made" "$made.o"; } ||
    fail "$made is not assembled"
done

# has TRACE "EVENT COUNT"...: the totals of a trace
has() {
  local trace=$1 event count seen
  shift
  "$totals" "$trace" >sums || fail "$trace cannot be read"
  while read -r event count; do
    seen=$(sed -n "s|^$event@0/0 ||p" sums)
    [ "$seen" = "$count" ] || fail "$trace: $event is $seen, expected $count"
  done < <(printf '%s\n' "$@")
}

# log_of PROGRAM: how many instructions QEMU executes by its own log, one instruction a block
log_of() {
  setarch -R qemu-aarch64 -cpu neoverse-n1 -seed 1 -singlestep -d nochain,exec -D /dev/fd/3 "./$1" 3>&1 >/dev/null 2>&1 |
    grep -c '^Trace '
}

# child_of PROCESS: its first child, once there is one
child_of() {
  local child=''
  for _ in {1..500}; do
    read -r child _ <"/proc/$1/task/$1/children" || true
    [ -z "$child" ] || break
    sleep 0.01
  done 2>/dev/null
  echo "$child"
}

# find_program: the process that the tracer $traced started, in `qemu`, and what that one forked, in `forked`
find_program() {
  qemu=$(child_of "$traced")
  [ -z "$qemu" ] || forked=$(child_of "$qemu")
  [ -z "$qemu" ] || [ -z "$forked" ] || return
  fail "no program was started"
  all_held
}

# has_ended PROCESS: in ten seconds; else the process is killed. A process that nobody waits for has no memory.
has_ended() {
  for _ in {1..500}; do
    grep -q '^VmSize' "/proc/$1/status" 2>/dev/null || return 0
    sleep 0.02
  done
  kill -9 "$1"
  return 1
}

# ---- Counts ----

status 0 counts.pmt -- ./counts
has counts.pmt "INST_RETIRED 1668" "LD_RETIRED 302" "ST_RETIRED 204" "BR_RETIRED 401" "BR_RETURN_RETIRED 100" \
  "EXC_TAKEN 1" "OP_RETIRED 2168" "LD_SPEC 302" "ST_SPEC 205" "VFP_SPEC 100" "ASE_SPEC 100" "CRYPTO_SPEC 100" \
  "DP_SPEC 461"
grep -qx 'command ./counts' sums || fail "the command: $(head -n 1 sums)"
grep -qx 'state 0 thread=0 el=0 ss=0 active=1' sums || fail "the state: $(grep state sums)"
[ "$(sed -n 1p err)" = 'pmuv3 trace: ./counts ended with status 3' ] || fail "the status of the program: $(cat err)"
grep -qx 'pmuv3 trace: ./counts executed 1 DC ZVA: stores whose accesses are not in the trace' err ||
  fail "DC ZVA: $(cat err)"

status 0 fault.pmt -- ./fault
has fault.pmt "INST_RETIRED 20" "LD_RETIRED 1" "ST_RETIRED 2" "EXC_TAKEN 3"

# Each instruction counts, or none of its parts does.
status 0 faults.pmt -- ./faults
has faults.pmt "INST_RETIRED 275" "LD_RETIRED 40" "ST_RETIRED 39" "EXC_TAKEN 43"
status 0 accesses.pmt -- ./accesses
has accesses.pmt "INST_RETIRED 105" "LD_RETIRED 37" "ST_RETIRED 18" "MEM_ACCESS 50"
status 3 undefined.pmt -- ./undefined
has undefined.pmt "INST_RETIRED 2"
status 3 trapped.pmt -- ./trapped
has trapped.pmt "INST_RETIRED 2"

status 0 family.pmt -- ./family
has family.pmt "INST_RETIRED 21" "LD_RETIRED 0" "EXC_TAKEN 4"

# QEMU's log has a line for an instruction that faults, too.
[ "$(log_of counts)" = 1668 ] || fail "counts: QEMU's log has $(log_of counts)"
[ "$(log_of fault)" = 21 ] || fail "fault: QEMU's log has $(log_of fault)"
[ "$(log_of faults)" = $((275 + 38)) ] || fail "faults: QEMU's log has $(log_of faults)"
[ "$(log_of accesses)" = 105 ] || fail "accesses: QEMU's log has $(log_of accesses)"

status 0 become.pmt -- ./become /bin/true
has become.pmt "INST_RETIRED 5"
grep -qx 'pmuv3 trace: ./become became another program (execve): the trace ends there' err || fail "execve: $(cat err)"

# ---- The same in every run, and what is asked for ----

# The environment of the program is the same in every run, but for what the user gives.
environment() { tr '\0' '\n' <out | sort | paste -sd ' '; }
FOO=bar status 0 environment.pmt -- ./environment
[ "$(environment)" = 'LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin' ] || fail "the environment: $(environment)"
status 0 environment.pmt --variable LC_ALL=C.UTF-8 --variable LD_LIBRARY_PATH=/none --variable 'FOO=a b' -- ./environment
[ "$(environment)" = 'FOO=a b LC_ALL=C.UTF-8 LD_LIBRARY_PATH=/none PATH=/usr/sbin:/usr/bin:/sbin:/bin' ] ||
  fail "the environment: $(environment)"
has environment.pmt
grep -qxF "command LC_ALL=C.UTF-8 LD_LIBRARY_PATH=/none FOO=\$'a b' ./environment" sums || fail "the command: $(head -n 1 sums)"
for wrong in FOO =x ''; do unusable "--variable: '$wrong': expected NAME=VALUE" environment.pmt --variable "$wrong" -- ./environment; done
# What the program writes is not in the trace, also if this goes to standard output, under whatever name.
status 0 environment.pmt -- ./environment
for stream in /dev/stdout /dev/fd/1 /dev/fd/3; do
  "$program" "$stream" -- ./environment >out 3>&1 2>err || fail "$stream: $(cat err)"
  cmp -s out environment.pmt || fail "$stream: the program's output is in the trace"
  grep -qa 'PATH=/usr/sbin' err || fail "$stream: the program's output is lost: $(cat err)"
done
"$program" /dev/stdout -- ./environment >both 2>&1 && fail "a trace to standard error"
[ "$(cat both)" = "pmuv3 trace: cannot write '/dev/stdout': standard error goes there, too" ] || fail "a trace to standard error"
unusable "--variable: 'FOO=a,b': expected no comma" environment.pmt --variable FOO=a,b -- ./environment
unusable "--variable: 'FOO' is given twice" environment.pmt --variable FOO=a --variable FOO=b -- ./environment

status 0 again.pmt -- ./counts
cmp -s counts.pmt again.pmt || fail "two traces of the same program differ"
status 0 few.pmt --events BR_RETIRED,INST_RETIRED --param width=1 -- ./counts
[ "$("$totals" few.pmt | grep -c @)" = 2 ] || fail "--events: $("$totals" few.pmt)"
has few.pmt "INST_RETIRED 1668" "BR_RETIRED 401"
[ "$("$totals" few.pmt | sed -n 's/^cycles //p')" -ge 2168 ] || fail "width=1: an operation a cycle"
printf 'pmuv3-core-model 1\n# a comment\nwidth=1\nmemory_cycles=10 # another\n' >model
status 0 few.pmt --core-model model -- ./counts
status 0 again.pmt --param width=4 --core-model model -- ./counts
status 0 few.pmt --core-model model --param width=4 -- ./counts
cmp -s again.pmt few.pmt || fail "--param before --core-model is lost"
cmp -s <("$program" /dev/stdout --core-model model -- ./counts 2>err) few.pmt && fail "--param has no effect"
unusable "^pmuv3 trace: --param: width is given twice" few.pmt --param width=4 --param width=8 -- ./counts
printf 'pmuv3-core-model 1\nwidth=2\nwidth=3\n' >model
unusable "^pmuv3 trace: model:3: width is given twice" few.pmt --core-model model -- ./counts
printf 'pmuv3-core-model 1\nwidth=none\n' >model
unusable "^pmuv3 trace: model:2: width takes a number from 1 to 16, not 'none'" few.pmt --core-model model -- ./counts

# ---- CSV ----

cat >events.csv <<'CSV'
# of two threads
cycles,INST_RETIRED,STALL_BACKEND@1,L1D_CACHE@1/unattr,0x00C5:MINE,el,ss@1
10,3,1,,,0,
5,,,7,2,,1

1,255,0,1,255,3,
CSV
status 0 csv.pmt --from events.csv
"$totals" csv.pmt >sums
diff - sums <<'TOTALS' || fail "the trace of a CSV"
command --from events.csv
cycles 16
INST_RETIRED@0/0 285
STALL_BACKEND@1/0 10
L1D_CACHE@1/2 36
MINE@0/0 265
state 0 thread=0 el=1 ss=0 active=1
state 0 thread=1 el=1 ss=0 active=1
state 0 thread=0 el=0 ss=0 active=1
state 10 thread=1 el=1 ss=1 active=1
state 15 thread=0 el=3 ss=0 active=1
TOTALS
# csv PATTERN LINE...: a CSV that cannot be used
csv() {
  printf '%s\n' "${@:2}" >wrong.csv
  unusable "$1" new.pmt --from wrong.csv
}
printf 'INST_RETIRED\n1\n1' >wrong.csv
unusable 'wrong.csv:3: the line has no end: the file may be cut off' new.pmt --from wrong.csv
csv '^pmuv3 trace: wrong.csv:1: unknown column "INST"; expected an event or a state' INST
csv 'wrong.csv:1: CPU_CYCLES: the PMU makes this event itself' CPU_CYCLES
csv 'wrong.csv:1: "@4" is no thread; expected @0 to @3' INST_RETIRED@4
csv 'wrong.csv:1: column "el" is given twice' el,el
csv 'wrong.csv:1: ' INST_RETIRED,INST_RETIRED
csv 'wrong.csv:3: "256" is no number from 0 to 255' INST_RETIRED 1 256
csv 'wrong.csv:2: "2" is no number from 0 to 1' STALL 2
csv 'wrong.csv:2: "4" is no number from 0 to 3' el,STALL 4,0
csv 'wrong.csv:2: expected 2 cells' INST_RETIRED,el 1,1,1
csv 'wrong.csv:2: expected 2 cells, not 1' INST_RETIRED,el 1
csv 'wrong.csv:2: "-1" is no number of cycles' cycles,INST_RETIRED -1,1
csv 'wrong.csv:1: there is no line' '# nothing'
csv 'wrong.csv:1: "x{40}\.\.\." is too long; expected a name of at most 47 characters' "0x00C5:$(printf '%48s' x | tr ' ' x)"
csv 'wrong.csv:1: .*a mnemonic: capital letters' 0x00C5:mine
csv 'wrong.csv:1: .*a mnemonic: capital letters, digits and _, no digit first' 0x00C5:8
csv 'wrong.csv:1: event 0x0008 cannot be named FOO: INST_RETIRED is event 0x0008' 0x8:FOO
csv 'wrong.csv:1: event 0x00C5 cannot be named INST_RETIRED: INST_RETIRED is event 0x0008' 0x00C5:INST_RETIRED,INST_RETIRED
csv 'wrong.csv:1: event 0x00C6 cannot be named AB: another column has event 0x00C5' 0x00C5:AB,0x00C6:AB
csv 'wrong.csv:1: PMCCNTR is no name for an event' 0x00C5:PMCCNTR
csv 'wrong.csv:1: el: a state has no /unattr behind' el/unattr,STALL
csv 'wrong.csv:1: STALL cannot be unattributable' STALL/unattr
csv 'wrong.csv:1: there is no event' cycles 5
csv 'wrong.csv:1: there is no event' cycles,el 5,1
csv 'wrong.csv:1: there is no row; expected the counts of a cycle' INST_RETIRED
csv 'wrong.csv:3: there is no row' cycles,INST_RETIRED '' '# nothing'
printf 'INST_RETIRED\r\n3\r\n4\r\n' >ends.csv
status 0 ends.pmt --from ends.csv
has ends.pmt "INST_RETIRED 7"
printf 'INST_RETIRED\n1\r2\r3\n4\n' >cr.csv
unusable '^pmuv3 trace: cr.csv:2: a carriage return within the line' new.pmt --from cr.csv
printf 'INST_RETIRED\r1\r2\r' >cr.csv # every line of an old Mac
unusable '^pmuv3 trace: cr.csv:1: a carriage return within the line' new.pmt --from cr.csv
printf 'INST_RETIRED,STALL\n1,0\n2\0,3,1\n' >nul.csv
unusable '^pmuv3 trace: nul.csv:3: a NUL byte; expected text' new.pmt --from nul.csv
printf 'INST_RETIRED\0,STALL\n1\n' >nul.csv
unusable '^pmuv3 trace: nul.csv:1: a NUL byte; expected text' new.pmt --from nul.csv
# A line for which there is no memory. Sanitizers reserve more than the limit.
{ printf 'INST_RETIRED\n1\n'; head -c 70M /dev/zero | tr '\0' 1; } >large.csv
grep -q __asan_init "$program" ||
  (ulimit -v 100000; unusable '^pmuv3 trace: large.csv:3: cannot be read: Cannot allocate memory' new.pmt --from large.csv
   exit "$failures") || failures=$((failures + 1))
rm large.csv
mkdir folder
mkfifo fifo
for file in folder fifo /dev/zero /dev/tty; do
  unusable "^pmuv3 trace: --from: cannot read '$file': " new.pmt --from "$file"
  unusable "^pmuv3 trace: --pins: cannot read '$file': " new.pmt --from events.csv --pins "$file"
  unusable "^pmuv3 trace: --core-model: cannot read '$file': " new.pmt --core-model "$file" -- ./counts
  unusable "^pmuv3 trace: cannot trace '$file': " new.pmt -- "$file"
done
rm fifo
"$program" piped.pmt --from <(cat events.csv) >out 2>err || fail "a CSV through a pipe: $(cat err)"
cmp -s <("$totals" piped.pmt | sed 1d) <("$totals" csv.pmt | sed 1d) || fail "a CSV through a pipe is another trace"
unusable "^pmuv3 trace: --from: cannot read 'absent.csv'" new.pmt --from absent.csv
unusable '^pmuv3 trace: --from and a program: expected one of them' new.pmt --from events.csv -- ./counts
unusable "it is an input, too" events.csv --from events.csv
status 2 /dev/full --from events.csv
left new.pmt

for option in --events=STALL --param=width=2 --core-model=model --package=gzip --root=.; do
  word=${option#--} word=${word%%=*}
  unusable "^pmuv3 trace: (--from has no use for --$word|model:2: )" new.pmt --from events.csv "$option"
done

# ---- The script, which reads no options itself ----

# script STATUS ARGUMENT...: without packages, which need the network
script() {
  local ended=0
  PMUV3_TRACER=$program "$here/trace.sh" "${@:2}" >out 2>err || ended=$?
  [ "$ended" = "$1" ] || fail "trace.sh ${*:2}: exit status $ended: $(cat err)"
}
script 0 piped.pmt --fro events.csv
cmp -s <("$totals" piped.pmt | sed 1d) <("$totals" csv.pmt | sed 1d) || fail "trace.sh --fro: another trace"
script 2 new.pmt --fro=absent.csv
[ "$(cat err)" = "pmuv3 trace: --from: cannot read 'absent.csv': No such file or directory" ] || fail "trace.sh: $(cat err)"
script 2 new.pmt --pack=mawk -- ./counts
[ "$(cat err)" = "pmuv3 trace: --package: './counts' is a path" ] || fail "trace.sh --pack: $(cat err)"
# Nothing of the script's own environment, such as its functions, is in the program's.
script 0 environment.pmt -- ./environment
[ "$(environment)" = 'LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin' ] || fail "trace.sh: the environment: $(environment)"
# A file of the user's takes the place of what the script found.
for root in '' '--root .'; do
  # shellcheck disable=SC2086 # two words, or none
  script 0 named.pmt $root --program ./counts -- ./fault
  has named.pmt "INST_RETIRED 1668"
  # shellcheck disable=SC2086 # likewise
  script 2 new.pmt $root --program ./counts --program ./counts -- ./fault
  [ "$(cat err)" = "pmuv3 trace: unusable option '--program': it is given twice" ] ||
    fail "trace.sh --program: $(cat err)"
done
for word in '' A a/b $'mawk\nx'; do
  unusable "^pmuv3 trace: --package: '.*' is no name of a package" new.pmt "--pack=$word" -- ls
done
status 0 --plan --pack mawk --roo . new.pmt -- ls
[ "$(cat out)" = 'plan root=1 from=0 package=mawk' ] || fail "--plan: $(cat out)"
for option in --columns --parameters --help; do
  script 0 "$option"
  cmp -s out <("$program" "$option") || fail "trace.sh $option: $(head -n 2 out)"
  ended=0
  PMUV3_TRACER=$program "$here/trace.sh" "$option" >/dev/full 2>err || ended=$?
  [ "$ended $(cat err)" = "2 pmuv3 trace: cannot write to standard output" ] || fail "trace.sh $option, full: $ended $(cat err)"
  ended=0
  PMUV3_TRACER=$program "$here/trace.sh" "$option" >&- 2>err || ended=$?
  [ "$ended $(cat err)" = "2 pmuv3 trace: cannot write to standard output" ] || fail "trace.sh $option, closed: $ended $(cat err)"
done
left new.pmt

# ---- VCD and FST ----

# The clock rises at 5, 15, 25, ... A pin has the value before the edge: what changes at 15 is seen at 25.
cat >wave.vcd <<'VCD'
$date today $end
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clk $end
$scope module core $end
$var wire 3 "r retired [2:0] $end
$var wire 4 #l loads[3:0] $end
$var wire 1 $ stall $end
$var reg 8 % status [0:7] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
0!
bx "r
b0 #l
0$
b01000000 %
$end
#5
1!
b11 "r
#10
0!
#15
1!
b100 "r
b1011 #l
1$
#20
0!
#25
1!
b0 "r
b00001000 %
#30
0!
#35
1!
0$
VCD
# At 5 a pin is unknown; then the cycles are of 15, 25 and 35. Bit 1 of status is its second highest.
cat >pins <<'PINS'
pmuv3-pins 1
clock top.clk
INST_RETIRED top.core.retired
LD_RETIRED top.core.loads ones # a pin for each port
ST_RETIRED top.core.loads[1:0]
L1D_CACHE@1/unattr top.core.stall
el@0 top.core.status[0:1]
PINS
waves() {
  "$totals" wave.pmt >sums
  diff - sums <<TOTALS || fail "the trace of $1"
command --from $1 --pins pins
cycles 3
INST_RETIRED@0/0 7
LD_RETIRED@0/0 6
ST_RETIRED@0/0 6
L1D_CACHE@1/2 2
state 0 thread=0 el=1 ss=0 active=1
state 0 thread=1 el=1 ss=0 active=1
state 2 thread=0 el=0 ss=0 active=1
TOTALS
  grep -qx "pmuv3 trace: $1: no cycles of the first 1 edges: a pin had no value yet" err || fail "$1: $(cat err)"
}
status 0 wave.pmt --from wave.vcd --pins pins
waves wave.vcd
tr '\n' ' ' <wave.vcd >line.vcd
status 0 wave.pmt --from line.vcd --pins pins
waves line.vcd
vcd2fst wave.vcd wave.fst >fst.log 2>&1 || fail "vcd2fst: $(cat fst.log)"
status 0 wave.pmt --from wave.fst --pins pins
waves wave.fst
sed 's/b1011 #l/bH0HH #l/; s/^1\$$/h$/; s/^0\$$/l$/' wave.vcd >weak.vcd # of VHDL
status 0 wave.pmt --from weak.vcd --pins pins
waves weak.vcd
# Nothing is missing behind the last cycle, or before the first.
# shellcheck disable=SC2016 # of a VCD
sed '/^#5/i #2 $dumpoff x! x$ $end #3 $dumpon 0! 0$ $end' wave.vcd >off.vcd
echo "#40 \$dumpoff x! bx \"r \$end #50" >>off.vcd
status 0 wave.pmt --from off.vcd --pins pins
waves off.vcd

# Names of scopes and of signals can have indexes and dots of their own.
cat >index.vcd <<'VCD'
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clk $end
$scope begin g[0] $end
$var wire 3 " x [2:0] $end
$upscope $end
$scope begin g[1] $end
$var wire 3 # x [2:0] $end
$upscope $end
$scope module u.v $end
$var wire 1 $ y $end
$upscope $end
$var reg 4 % \memory[1] [3:0] $end
$var reg 4 & memory[2] [3:0] $end
$var reg 1 ' \b[0].c $end
$upscope $end
$enddefinitions $end
#0
0!
b101 "
b010 #
1$
b1010 %
b0110 &
1'
#5
1!
VCD
cat >index.pins <<'PINS'
pmuv3-pins 1
clock top.clk
INST_RETIRED top.g[0].x
LD_RETIRED top.g[0].x[2:1]
ST_RETIRED top.g[1].x
BR_RETIRED top.u.v.y
L1D_CACHE top.memory[1]
L1I_CACHE top.memory[1][0]
L2D_CACHE top.\memory[1][3:1]
BUS_ACCESS top.memory[2][2:1]
MEM_ACCESS top.b[0].c
OP_SPEC top.\b[0].c
PINS
vcd2fst index.vcd index.fst >fst.log 2>&1 || fail "vcd2fst: $(cat fst.log)"
for wave in index.vcd index.fst; do
  status 0 index.pmt --from "$wave" --pins index.pins
  has index.pmt "INST_RETIRED 5" "LD_RETIRED 2" "ST_RETIRED 2" "BR_RETIRED 1" "L1D_CACHE 10" "L1I_CACHE 0" \
    "L2D_CACHE 5" "BUS_ACCESS 3" "MEM_ACCESS 1" "OP_SPEC 1"
done

# pins PATTERN LINE...: a pins file that cannot be used
pins() {
  printf '%s\n' 'pmuv3-pins 1' "${@:2}" >wrong.pins
  unusable "$1" new.pmt --from wave.vcd --pins wrong.pins
}
pins '^pmuv3 trace: wrong.pins:2: there is no clock' 'STALL top.core.stall'
pins '^pmuv3 trace: wrong.pins:2: there is no event' 'clock top.clk'
pins 'wrong.pins:3: the clock is given twice' 'clock top.clk' 'clock top.clk'
pins 'wrong.pins:2: expected NAME SIGNAL' STALL
pins 'wrong.pins:2: unknown column "stall"; expected an event or a state' 'stall top.core.stall'
pins 'wrong.pins:2: unknown word "zeros"; expected ones' 'STALL top.core.stall zeros'
pins 'wrong.pins:3: top.core.absent: the wave has no such signal' 'clock top.clk' 'STALL top.core.absent'
pins 'wrong.pins:3: top.stall: the wave has no such signal' 'clock top.clk' 'STALL top.stall'
pins 'wrong.pins:3: top.core\[0\].stall: the wave has no such signal' 'clock top.clk' 'STALL top.core[0].stall'
pins 'wrong.pins:3: top.core.loads\[4\]: the signal has no such bits' 'clock top.clk' 'STALL top.core.loads[4]'
for bits in a 99999999999999999999 -2147483648:2147483647 1:0x; do
  pins "wrong.pins:3: top.core.loads\\[$bits\\]: unknown bits" 'clock top.clk' "STALL top.core.loads[$bits]"
done
pins 'wrong.pins:2: top.core.loads: a clock has one bit' 'clock top.core.loads' 'STALL top.core.stall'
pins 'wrong.pins:2: top.core.status\[7\]: the clock never rises' 'clock top.core.status[7]' 'STALL top.core.stall'
pins '^pmuv3 trace: wave.vcd: at time 25: top.core.loads: "11" is no number from 0 to 1' 'clock top.clk' 'STALL top.core.loads'
pins 'wrong.pins:4: two columns have the same event' 'clock top.clk' 'STALL top.core.stall' 'STALL top.core.loads'
pins 'wrong.pins:2: event 0x00C5 cannot be named STALL' '0xC5:STALL top.core.stall'
unusable "^pmuv3 trace: --from: 'wave.vcd' is a wave: expected --pins FILE, too" new.pmt --from wave.vcd
unusable '^pmuv3 trace: --pins: expected --from FILE, too' new.pmt --pins pins -- ./counts
unusable "^pmuv3 trace: wave.vcd:1: not a pins file" new.pmt --from wave.vcd --pins wave.vcd
unusable "^pmuv3 trace: events.csv:1: .*expected a VCD or an FST" new.pmt --from events.csv --pins pins
# vcd PATTERN SED: a wave that cannot be used
vcd() {
  sed "$2" wave.vcd >wrong.vcd
  unusable "$1" new.pmt --from wrong.vcd --pins pins
}
vcd '^pmuv3 trace: wrong.vcd: at time 25: top.core.retired: the value is X or Z' 's/b100 "r/b1z "r/'
vcd '^pmuv3 trace: wrong.vcd: at time 35: top.core.retired: the value is X or Z at every edge' '/^b[01]* "r/d; s/b0 "r//'
vcd '^pmuv3 trace: wrong.vcd: at time 5: top.core.retired: the value is X or Z at every edge' '/^b11 "r/q'
vcd '^pmuv3 trace: wrong.vcd:6: retired\[2:0\] has 8 bits, and another range' 's/wire 3/wire 8/'
vcd '^pmuv3 trace: wrong.vcd:6: retired\[-2147483648:2147483647\] has 3 bits, and another range' 's/\[2:0\]/[-2147483648:2147483647]/'
vcd '^pmuv3 trace: wrong.vcd: at time 15: top.core.loads(\[1:0\])?: a value of more bits than the signal has' 's/b1011 #l/b00001011 #l/'
vcd '^pmuv3 trace: wrong.vcd: at time 15: top.core.loads(\[1:0\])?: a value that is no vector' 's/b1011 #l/r5.5 #l/'
vcd '^pmuv3 trace: wrong.vcd: at time 20: top.clk: the clock is X or Z' '/^#20/{n;s/0!/x!/}'
vcd '^pmuv3 trace: .*: the wave has two such signals' '/wire 3 "r/{p;s/"r/"q/}'
# shellcheck disable=SC2016 # of a VCD
vcd '^pmuv3 trace: wrong.vcd: nothing was recorded from time 20 on \(\$dumpoff\), and cycles are missing before time 35' \
  's/#20/#20 $dumpoff x! bx "r bx #l x$ bx % $end #28 $dumpon 1! b0 "r b0 #l 1$ b0 % $end/; /^#25/,/%$/d'
vcd '^pmuv3 trace: wrong.vcd:[0-9]*: time goes back from 30 to 20' 's/#35/#20/'
vcd '^pmuv3 trace: wrong.vcd:12: the header is not whole' 11q
vcd '^pmuv3 trace: wrong.vcd:18: "8\$" is no change of a value' 's/0\$/8$/'
vcd '^pmuv3 trace: wrong.vcd:6: "three" is no width' 's/wire 3/wire three/'
head -c 300 wave.fst >wrong.fst
unusable '^pmuv3 trace: wrong.fst: .*no FST|wrong.fst: .*neither VCD nor FST' new.pmt --from wrong.fst --pins pins
{ head -c 330 wave.fst; head -c 3000 /dev/zero; } >wrong.fst
unusable '^pmuv3 trace: wrong.fst: ' new.pmt --from wrong.fst --pins pins
left new.pmt

# ---- What cannot be traced ----

unusable "^pmuv3 trace: cannot trace './absent': No such file" new.pmt -- ./absent
unusable "^pmuv3 trace: cannot trace './model': it is no ELF" new.pmt -- ./model
unusable "^pmuv3 trace: cannot trace '/bin/true': it is no aarch64 ELF" new.pmt -- /bin/true
aarch64-linux-gnu-ld -pie -dynamic-linker /absent/loader -o loaded counts.o
unusable "^pmuv3 trace: cannot trace './loaded': its loader '/absent/loader' is not in '/'" new.pmt -- ./loaded
unusable "^pmuv3 trace: cannot trace './loaded': its loader '/absent/loader' is not in '.'" new.pmt --root . -- ./loaded
head -c 40 counts >short
unusable "^pmuv3 trace: cannot trace './short': it is no ELF" new.pmt -- ./short
unusable "^pmuv3 trace: cannot trace './counts.o': it is no executable" new.pmt -- ./counts.o
unusable "^pmuv3 trace: expected -- PROGRAM ARGUMENT..., or --from FILE" new.pmt
unusable "^pmuv3 trace: expected OUT.pmt -- PROGRAM" -- ./counts
unusable "^pmuv3 trace: --events: the core model has no event 'CPU_CYCLES'" --events CPU_CYCLES new.pmt -- ./counts
unusable "^pmuv3 trace: --events: STALL is given twice" --events STALL,STALL new.pmt -- ./counts
unusable "^pmuv3 trace: --param: there is no parameter 'depth'" --param depth=3 new.pmt -- ./counts
unusable "^pmuv3 trace: the core model: L1D: lines / ways is no power of 2" --param l1d_ways=3 new.pmt -- ./counts
unusable "^pmuv3 trace: OUT.pmt: cannot write 'absent/new.pmt'" absent/new.pmt -- ./counts
unusable "^pmuv3 trace: .*'./counts'.* it is an input, too" ./counts -- ./counts
left new.pmt

# Without its plugin.
cp "$program" alone
status_alone=0
./alone new.pmt -- ./counts >out 2>err || status_alone=$?
[ "$status_alone" = 2 ] || fail "without the plugin: exit status $status_alone"
grep -q "^pmuv3 trace: cannot trace './counts': QEMU does not take the plugin" err || fail "without the plugin: $(cat err)"
left new.pmt

# A full disk ends the program, too.
status 2 /dev/full -- ./counts
grep -qx "pmuv3 trace: cannot write '/dev/full': No space left on device" err || fail "a full disk: $(tail -n 1 err)"
status 2 /dev/full -- ./forever
[ "$(cat err)" = "pmuv3 trace: cannot write '/dev/full': No space left on device" ] || fail "a full disk: $(cat err)"

# A trace that is interrupted leaves no file, and no process. setpriv ends the trace if this test is killed.
echo old >new.pmt
for signal in HUP TERM KILL; do # bash has its children ignore INT
  setpriv --pdeathsig KILL "$program" new.pmt -- ./forever >out 2>err &
  traced=$!
  find_program
  # The program has no descriptor of the file that grows.
  readlink /proc/"$qemu"/fd/* >descriptors
  grep -F .pmuv3- descriptors && fail "the program can write into the trace"
  kill -s "$signal" "$traced"
  wait "$traced" 2>/dev/null && fail "$signal: exit status 0"
  [ "$(cat new.pmt)" = old ] || fail "$signal: the old file was changed"
  has_ended "$qemu" || fail "$signal: the program goes on"
  has_ended "$forked" || fail "$signal: what the program forked goes on"
  [ "$signal" != KILL ] || rm -rf .pmuv3-*
  nothing_grows
done

# The program is killed: what it executed is the trace, which nobody knows to be whole.
setpriv --pdeathsig KILL "$program" killed.pmt -- ./forever >out 2>err &
traced=$!
find_program
sleep 0.3
kill -9 "$qemu"
ended=0
wait "$traced" || ended=$?
[ "$ended" = 3 ] || fail "a killed program: exit status $ended"
has_ended "$forked" || fail "a killed program: what it forked goes on"
grep -qx 'pmuv3 trace: ./forever was ended by signal 9: the trace ends there, and may not be whole' err || fail "a killed program: $(cat err)"
"$totals" killed.pmt >sums || fail "a killed program: the trace cannot be read"

all_held
