#!/usr/bin/env bash
# `pmuv3 check --recorded`: recordings, well or badly made, against what the architecture says; and Icarus Verilog,
# where the monitor has the same verdict as the recording. Usage: recorded_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
# shellcheck disable=SC2034 # of check.sh
name=check
program=$root/build/release/bin/pmuv3-check-recorded # what check.sh becomes
check=$root/testbench/cosim/check
export PMUV3_CORES=$root/cmodel/cores
unset PMUV3_SOURCE

cat >tap.pmu <<'PMU'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1
top tap
clock clk
reset rst_n low
event 0x0008 ev[1:0]
port csr request=req write=we address=addr data=wdata value=rdata response=0 width=32
register 0x00 PMCR_EL0 write=0x7 read=0x7
register 0x04 PMCNTENSET_EL0
register 0x20 PMEVCNTR0_EL0
register 0x40 PMEVTYPER0_EL0 write=0xFFFF
PMU

# One counter, which counts the event 8: two occurrences, then three. It reads 2, and then 5.
columns='rst_n:1 ev:2 req:1 we:1 addr:8 wdata:32 rdata:32'
cat >rows <<ROWS
$columns
0 0 0 0 0 0 x
0 x x 0 0 x x
1 0 1 1 40 8 0
1 0 1 1 4 1 0
1 0 1 1 0 1 0
1 2 0 0 x x x
1 3 1 0 20 x 2
1 0 1 0 20 x 5
1 0 1 0 40 x 8
ROWS

# row N TEXT FILE: prints the rows with another clock N
row() { sed "$(($1 + 2))s/.*/$2/" "$3"; }

# recorded STATUS FILE [OPTION]...
recorded() { status "$1" tap.pmu --recorded "$2" "${@:3}" --json out.json; }

# holds FILTER: of the JSON
holds() { jq -e "$1" out.json >/dev/null || fail "$1: $(jq -c . out.json)"; }

# vcd [NAME=VALUE]... <ROWS: a VCD, whose clock N rises at time 10 * N + 5
#   header=FILE  another header; a signal's id is its column's name
#   late=1       pins change with the rising edge before, as flip-flops do
#   bitwise=NAME a column whose bits have ids of their own: NAME0, NAME1
# A row `off` stops the recording.
vcd() {
  awk -v header= -v late=0 -v bitwise= "${@/#/-v}" '
    function bits(value, width, text, b) {
      if (value == "x") return value
      for (b = 0; b < 4 * length(value); b++)
        text = int((index("0123456789abcdef", substr(value, length(value) - int(b / 4), 1)) - 1) / 2 ^ (b % 4)) % 2 text
      while (length(text) < width) text = "0" text
      return substr(text, length(text) - width + 1)
    }
    function change(name, text, b) {
      if (name == bitwise) for (b = 1; b <= width[name]; b++) print (text == "x" ? text : substr(text, b, 1)) name width[name] - b
      else if (width[name] == 1) print text name
      else print "b" text, name
    }
    function head(c) {
      if (header) { while ((getline line <header) > 0) print line; return }
      print "$timescale 1 ns $end\n$scope module tb $end\n$scope module dut $end\n$var wire 1 clk clk $end"
      for (c = 1; c <= NF; c++) print "$var wire", width[names[c]], names[c], names[c], "[" width[names[c]] - 1 ":0] $end"
      print "$upscope $end\n$upscope $end\n$enddefinitions $end"
    }
    NR == 1 {
      for (c = 1; c <= NF; c++) { split_at = index($c, ":"); names[c] = substr($c, 1, split_at - 1); width[names[c]] = substr($c, split_at + 1) }
      head()
      print "#0\n$dumpvars\n0clk"
      next
    }
    $1 == "off" { print "$dumpoff"; next }
    {
      if (!late || !clock) print "#" 10 * clock "\n0clk"
      for (c = 1; c <= NF; c++) change(names[c], bits($c, width[names[c]]))
      if (late && clock) print "#" 10 * clock "\n0clk"
      print "#" 10 * clock++ + 5 "\n1clk"
    }
    END { print "#" 10 * clock "\n0clk" }'
}

# ---- Verdicts ----
vcd <rows >good.vcd
recorded 0 good.vcd
holds '.verdict == "equivalent" and .cycles == 9 and .comparisons == 3 and .compared.read == 3 and .unknown.read == 0'
grep -qx "good.vcd: 'tb.dut', timescale 1ns" out || fail "the instance: $(cat out)"

row 7 '1 0 1 0 20 x 6' rows | vcd >bad.vcd
recorded 1 bad.vcd
holds '.first_divergence | .clock == 7 and .time == 75 and .words == "clock 7, thread 0: PMEVCNTR0_EL0 reads 6, expected 5 (mode exact)"'
grep -qx 'at time 75' out || fail "the time: $(cat out)"

# An event that never occurred is listed. Stimulus that a bench could have driven is not.
# never TEXT: how often it is in the list
never() { jq --arg text "$1" '[.never_compared[] | select(contains($text))] | length' out.json; }
sed 's/^1 2 .*/1 0 0 0 0 0 0/; s/^1 3 .*/1 0 1 0 20 x 0/; s/20 x 5$/20 x 0/' rows | vcd >quiet.vcd
recorded 0 quiet.vcd
[ "$(never 'event 0x0008 of thread 0: no counter counted it')" = 1 ] || fail "the event: $(cat out.json)"
recorded 0 good.vcd
[ "$(never 'event 0x0008')" = 0 ] || fail "the event occurred: $(cat out.json)"
[ "$(never stimulus)" = 0 ] || fail "stimulus of nobody: $(cat out.json)"
[ "$(never 'latency event')" = 0 ] || fail "the latency of events: $(cat out.json)"

# Flip-flops change with the edge: the value before it counts.
vcd late=1 <rows >late.vcd
recorded 0 late.vcd
holds '.cycles == 9 and .comparisons == 3'
row 7 '1 0 1 0 20 x 6' rows | vcd late=1 >late.vcd
recorded 1 late.vcd
holds '.first_divergence.clock == 7'

# As a user gives it, and through a pipe.
"$check/check.sh" --built tap.pmu --recorded <(cat good.vcd) >out 2>err || fail "through a pipe: $(cat err)"
grep -qx equivalent out || fail "through a pipe: $(cat out)"

# ---- Accesses that no line names ----
# What the device does on such an access the model does not know, so it is counted. If none of a port's accesses has a
# line, the device may be wrong in everything: an interrupt that stays low says nothing then.
{ cat tap.pmu; echo 'irq irq'; } >known.pmu
sed -E 's/^(register 0x.)0/\11/; s/^(register 0x0)4/\15/' known.pmu >elsewhere.pmu
sed '/PMEVCNTR0/d' known.pmu >uncounted.pmu
sed '/PMEVTYPER0/d' known.pmu >untyped.pmu
with_irq() { sed '1s/$/ irq:1/; 2,$s/$/ 0/' "$1" | vcd; }
# went UNMATCHED ACCESSES FIRST [PORT]: what is said of a port
went() {
  echo "$1 of $2 accesses of port ${4-0} went to addresses without a line in the description, the first to 0x$3"
}
# counted UNMATCHED ACCESSES FIRST: the same in the report and in JSON
counted() {
  grep -qxF "$(went "$@")" out || fail "expected '$(went "$@")': $(cat out)"
  holds ".unmatched_accesses == [{port: 0, accesses: $2, unmatched: $1, first_address: $((16#$3))}]"
}
row 7 '1 0 1 0 20 x 6' rows >bad.rows
with_irq bad.rows >irq.vcd
for calibrate in '' --calibrate; do
  status 3 elsewhere.pmu --recorded irq.vcd ${calibrate:+"$calibrate"} --json out.json
  [ "$(cat err)" = "pmuv3 check: $(went 6 6 40): no verdict" ] || fail "no access has a line: $(cat err)"
  holds ".verdict == \"no verdict\" and .reason == \"$(went 6 6 40): no verdict\""
done
with_irq rows >irq.vcd
status 0 known.pmu --recorded irq.vcd --json out.json
holds '.unmatched_accesses == []'
finds_none 'without a line' out || fail "each access has a line"
status 0 uncounted.pmu --recorded irq.vcd --json out.json
counted 2 6 20
status 1 uncounted.pmu --recorded irq.vcd --calibrate --json out.json
counted 2 6 20
# The counter counts another event than the model knows.
status 1 untyped.pmu --recorded irq.vcd --json out.json
holds '.first_divergence.words == "clock 6, thread 0: PMEVCNTR0_EL0 reads 2, expected 0 (mode exact)"'
counted 1 4 40
# An access before the first reset, or in a reset, is none.
{ echo "$columns"; echo '1 0 1 0 99 0 0'; echo '0 0 1 0 99 0 0'; sed 1d rows; } >early.rows
with_irq early.rows >irq.vcd
status 0 known.pmu --recorded irq.vcd --json out.json
holds '.unmatched_accesses == []'
# A port whose accesses have lines does not speak for another one.
{ cat known.pmu; echo 'port csr request=r1 address=a1 value=v1 response=0 width=32'; } >port.pmu
awk 'NR == 1 { print $0, "irq:1 r1:1 a1:8 v1:32"; next } { print $0, 0, NR == 9, 44, 0 }' rows | vcd >port.vcd
status 3 port.pmu --recorded port.vcd
[ "$(cat err)" = "pmuv3 check: $(went 1 1 44 1): no verdict" ] || fail "the other port: $(cat err)"

# ---- X ----
row 7 '1 0 1 0 20 x x' rows | vcd >x.vcd
recorded 0 x.vcd
holds '.compared.read == 2 and .unknown.read == 1'
grep -qxE '  read +2   and 1 that were X' out || fail "X is not said: $(cat out)"
for input in '5|1 x 0 0 x x x|ev\[1:0\]' '6|1 3 1 0 x x 2|addr' '4|1 0 1 1 0 x 0|wdata' '5|1 2 x 0 0 0 x|req'; do
  IFS='|' read -r clock pins pin <<<"$input"
  row "$clock" "$pins" rows | vcd >x.vcd
  unusable "^pmuv3 check: x.vcd: $pin of 'tb.dut' is X at time ${clock}5 \(timescale 1ns\), clock $clock" \
    tap.pmu --recorded x.vcd
done
# Before the first reset, and on the reset itself, X is as good as a reset.
{ echo "$columns"; echo '1 x x x x x x'; echo 'x x x x x x x'; sed 1d rows; } | vcd >early.vcd
recorded 0 early.vcd
holds '.cycles == 11 and .comparisons == 3'
# But perhaps the X is none, so it is not the first one.
# first LEVEL SED STATUS: of rows with the X in front, whose reset is active at this level
first() {
  sed "s/^reset rst_n low/reset rst_n $1/" tap.pmu >first.pmu
  { echo "$columns"; echo 'x 0 0 0 0 0 x'; echo '1 0 1 0 0 0 7'; sed 1d rows; } | sed "2,\$ { $2 }" | vcd >first.vcd
  status "$3" first.pmu --recorded first.vcd --json out.json
}
invert='s/^0/-/; s/^1/0/; s/^-/1/'
for level in low high; do
  active=''
  [ "$level" = low ] || active=$invert
  first $level "$active" 0
  holds '.cycles == 11 and .comparisons == 3'
  first $level "s/^0/x/; $active" 3
  [ "$(cat err)" = "pmuv3 check: first.vcd: no reset of 'tb.dut' in 11 clocks, so nothing was compared: no verdict" ] ||
    fail "reset $level: X as the first reset: $(cat err)"
done
# So is all else before the first reset, since nobody knows what the device holds: an interrupt that is low, a read.
{ cat tap.pmu; echo 'irq irq low'; } >low.pmu
{ echo "$columns irq:1"; echo '1 0 0 0 0 0 0 0'; echo '1 0 1 0 20 0 7 0'; sed '1d; s/$/ 1/' rows; } | vcd >low.vcd
status 0 low.pmu --recorded low.vcd --json out.json
holds '.cycles == 11 and .compared.read == 3 and .compared.irq == 7'
# A Warm reset leaves some of it, so of a device that has both the Cold one counts.
{ cat low.pmu; echo 'reset warm_n low warm'; } >warm.pmu
{ echo "$columns irq:1 warm_n:1"; printf '1 0 0 0 0 0 0 0 %d\n' 0 1; sed '1d; s/$/ 1 1/' rows; } | vcd >warm.vcd
status 0 warm.pmu --recorded warm.vcd --json out.json
holds '.cycles == 11 and .compared.read == 3 and .compared.irq == 7'
sed 's/^reset rst_n low/& warm/' tap.pmu >warm.pmu
status 0 warm.pmu --recorded good.vcd --json out.json
holds '.cycles == 9 and .comparisons == 3'
# Without a reset nothing is compared. A recording that begins behind the reset has a description without one.
sed '3d; 2,$s/^0/1/' rows | vcd >behind.vcd
for calibrate in '' --calibrate; do
  status 3 tap.pmu --recorded behind.vcd ${calibrate:+"$calibrate"} --json out.json
  none="behind.vcd: no reset of 'tb.dut' in 8 clocks, so nothing was compared: no verdict"
  [ "$(cat err)" = "pmuv3 check: $none" ] || fail "no reset: $(cat err)"
  holds ".verdict == \"no verdict\" and .reason == \"$none\""
done
sed 's/^reset rst_n low/tie rst_n 1/' tap.pmu >tied.pmu
status 0 tied.pmu --recorded behind.vcd --json out.json
holds '.cycles == 8 and .comparisons == 3'
# Nothing but X.
sed -E '2,$s/[^ ]+$/x/' rows | vcd >x.vcd
status 3 tap.pmu --recorded x.vcd
grep -qx 'pmuv3 check: nothing was compared in 9 clocks: no verdict' err || fail "no verdict: $(cat err)"
status 0 tap.pmu --recorded good.vcd --json out.json
status 3 tap.pmu --recorded x.vcd --json out.json
holds '.verdict == "no verdict" and .reason == "nothing was compared in 9 clocks: no verdict"'

# In doubt: an event in the clock of a write, in mode `within`. From then on nobody knows the counts and the flags.
sed '/^latency/d' tap.pmu >doubt.pmu
cat >>doubt.pmu <<'PMU'
register 0x44 PMINTENSET_EL1
irq irq
latency event 0..1 interrupt 8
mode within
PMU
sed 's/rdata:32/& irq:1/; 2,$s/$/ 0/' rows | sed '4,$d' >doubts
cat >>doubts <<'ROWS'
1 1 1 1 44 1 0 0
1 0 0 0 x x x 0
1 0 1 0 20 x 0 0
1 0 1 0 40 x 0 0
ROWS
for _ in {1..8}; do echo '1 0 0 0 x x x 0'; done >>doubts
vcd <doubts >doubt.vcd
status 0 doubt.pmu --recorded doubt.vcd --json out.json
holds '.in_doubt.read == 1 and .in_doubt.irq > 0 and .compared.irq == 0'
for what in PMEVCNTR0_EL0 'the interrupt'; do
  [ "$(never "$what: in doubt each time")" = 1 ] || fail "$what: $(jq -c .never_compared out.json)"
done
[ "$(never 'PMEVTYPER0_EL0: never written')" = "$(never PMEVTYPER0_EL0:)" ] ||
  fail "PMEVTYPER0_EL0 was compared: $(jq -c .never_compared out.json)"

# Of two threads, the interrupt of one is X for good.
{
  sed 's/counters=2/& threads=2/' tap.pmu
  printf '%s\n' 'irq@0 i0' 'irq@1 i1'
} >two.pmu
awk 'NR == 1 { print $0, "i0:1 i1:1"; next } { print $0, "0 x" }' rows | sed '6,$d' | vcd >two.vcd
status 0 two.pmu --recorded two.vcd --json out.json
holds '.compared.irq == 2 and .unknown.irq == 2'
holds '[.never_compared[] | select(contains("the interrupt:"))] == ["thread 1: the interrupt: X in each clock"]'

# What the model would compare only later, since outputs are late, is compared before an X ends the recording.
{ cat tap.pmu; echo 'latency interrupt 2'; } >behind.pmu
# behind STATUS: of behind.vcd, where clock 7 is the last that is known
behind() {
  status "$1" behind.pmu --recorded behind.vcd --json out.json
  [ "$1" = 2 ] || holds '.first_divergence | .clock == 7 and .time == 75'
}
for read in 2:5 1:6; do
  row 7 "1 0 1 0 20 x ${read#*:}" rows >behind.rows
  row 8 '1 x 0 0 x x x' behind.rows | vcd >behind.vcd
  behind "${read%:*}"
  vcd <behind.rows | sed '/^#80$/{n;s/^0/x/}' >behind.vcd
  behind "${read%:*}"
  sed '$a off\n1 0 0 0 0 0 x' behind.rows | vcd >behind.vcd # recorded up to this edge
  behind "${read%:*}"
done

# Z is as unknown as X.
row 7 '1 0 1 0 20 x x' rows | vcd | sed 's/^bx rdata/bz rdata/' >z.vcd
recorded 0 z.vcd
holds '.compared.read == 2 and .unknown.read == 1'

# ---- Values without a meaning ----
# An input that is tied to another value, and a state that the map lacks. Reset does not need either.
{ cat tap.pmu; echo 'tie scan 0'; echo 'state el level 0=0 1=1'; } >tied.pmu
# tied CLOCK PINS: the rows with both pins, which are PINS in one clock and 0 in the others
tied() { awk -v at="$1" -v pins="$2" 'NR == 1 { print $0, "scan:1 level:2"; next } { print $0, NR == at + 2 ? pins : "0 0" }' rows | vcd; }
tied 1 '1 3' >tied.vcd
status 0 tied.pmu --recorded tied.vcd --json out.json
holds '.comparisons == 3'
for input in '1 0|scan of .tb.dut. is 0x1, but its line says 0x0' '0 2|level of .tb.dut. is 0x2, which its line does not name' \
  'x 0|scan of .tb.dut. is X' '0 x|level of .tb.dut. is X'; do
  tied 5 "${input%|*}" >tied.vcd
  unusable "^pmuv3 check: tied.vcd: ${input#*|} at time 55 \(timescale 1ns\), clock 5" tied.pmu --recorded tied.vcd
done
# More occurrences than a cycle can have, a value that is no state, and a state of an Exception level that is not there.
# untold LINE CLOCK PINS WORDS: of a description with the line
untold() {
  { cat tap.pmu; echo 'tie scan 0'; echo "$1"; } >untold.pmu
  tied "$2" "$3" >untold.vcd
  unusable "^pmuv3 check: untold.vcd: $4 at time [0-9]+ " untold.pmu --recorded untold.vcd
}
untold 'event 0x0024 level' 5 '0 2' 'level of .tb.dut. is 0x2, which cannot occur in this cycle'
untold 'event 0x001B level max=1' 5 '0 2' 'level of .tb.dut. is 0x2, which cannot occur in this cycle'
untold 'state el level' 5 '0 2' 'level of .tb.dut. is 0x2: no PE has the state that the pins make'
untold 'state halted level' 5 '0 2' 'level of .tb.dut. is 0x2: no PE has the state that the pins make'
untold 'other el level' 5 '0 3' 'level of .tb.dut. is 0x3: no PE has the state that the pins make'
tied 5 '0 0' >tied.vcd
for line in 's/^tie scan 0/tie scan 2/|2 does not fit into the 1 bits of "scan"' 's/1=1/4=1/|4 does not fit into the 2 bits of "level"' \
  's/0x40 /0x140 /|address 0x140 does not fit into the 8 bits of "addr"'; do
  sed "${line%%|*}" tied.pmu >other.pmu
  unusable "^pmuv3 check: other.pmu:[0-9]+: 'tb.dut' in tied.vcd: ${line#*|}" other.pmu --recorded tied.vcd
done

# ---- Names ----
# Vectors by their bits, ranges that touch the name, names with a backslash, a scope that is there twice.
cat >header <<'VCD'
$comment made by hand $end $timescale 10ps $end
$scope module tb $end $scope begin \u(1) $end
$var wire 1 clk clk $end $var reg 1 rst_n rst_n $end
$var wire 1 ev1 ev [1] $end $var wire 1 ev0 ev[0] $end
$upscope $end $var real 64 ev ev $end $scope module u[1] $end
$var wire 1 req \req $end $var wire 1 we we $end $var wire 8 addr addr[0:7] $end
$var wire 32 wdata wdata[31:0] $end $var wire 32 rdata rdata [31:0] $end
$upscope $end $upscope $end $enddefinitions $end
VCD
vcd header=header bitwise=ev <rows >split.vcd
recorded 0 split.vcd
holds '.cycles == 9 and .comparisons == 3'
grep -qx "split.vcd: 'tb.u\[1\]', timescale 10ps" out || fail "the instance: $(cat out)"
recorded 0 split.vcd --scope 'tb.u[1]'
sed -E 's/ev1 ev \[1\]/ev1 ev [2]/' split.vcd >gap.vcd
unusable "^pmuv3 check: tap.pmu:6: 'tb.u\[1\]' in gap.vcd: \"ev\" has bits \[2:0\]; \[1:0\] are not all there" tap.pmu --recorded gap.vcd

# In `[0:1]` ev[0] is the bit on the left.
sed 's/ev\[1:0\]/ev[0]/' tap.pmu >upwards.pmu
# shellcheck disable=SC2016 # commands of a VCD
vcd <rows | sed -E 's/ ev (\[1:0\] )?\$end/ ev [0:1] $end/' >upwards.vcd
unusable "^pmuv3 check: upwards.pmu:6: .* in upwards.vcd: the lowest index of \"ev\" is on the left" upwards.pmu --recorded upwards.vcd

# shellcheck disable=SC2016 # commands of a VCD
# A pin in more parts than anybody records, where a part too many would shift or hide the bits that count.
{
  echo '$timescale 1ns $end $scope module tb $end $scope module dut $end'
  for column in clk:1 $columns; do
    [ "$column" = ev:2 ] || echo "\$var wire ${column#*:} ${column%:*} ${column%:*} \$end"
  done
  for ((bit = 299; bit >= 0; bit--)); do echo "\$var wire 1 ev$bit ev [$bit] \$end"; done
  echo '$upscope $end $upscope $end $enddefinitions $end'
} >header
vcd header=header bitwise=ev <rows >many.vcd
unusable "^pmuv3 check: tap.pmu:6: 'tb.dut' in many.vcd: \"ev\" is recorded in more than 256 parts; record it as a vector" tap.pmu --recorded many.vcd

# A scope twice is one instance, and of two others nobody knows which. Icarus Verilog below has one in the other.
# shellcheck disable=SC2016 # commands of a VCD
scopes() {
  echo '$timescale 1ns $end $scope module tb $end'
  for ids in "$@"; do
    echo "\$scope module $ids \$end"
    for column in clk:1 $columns; do echo "\$var wire ${column#*:} ${column%:*}${ids#dut} ${column%:*} \$end"; done
    echo '$upscope $end'
  done
  echo '$upscope $end $enddefinitions $end'
}
scopes dut dut >header
vcd header=header <rows >same.vcd
recorded 0 same.vcd
scopes dut dut2 >header
vcd header=header <rows >two.vcd
unusable "^pmuv3 check: two.vcd: 'tb.dut' has all pins, and so has 'tb.dut2'; name one of them by --scope" tap.pmu --recorded two.vcd
recorded 0 two.vcd --scope tb.dut
unusable "^pmuv3 check: --scope: two.vcd has no instance 'tb.dut3'" tap.pmu --recorded two.vcd --scope tb.dut3
unusable "^pmuv3 check: tap.pmu:4: 'tb' in two.vcd: there is no signal \"clk\"" tap.pmu --recorded two.vcd --scope tb
sed 's/wdata/data/' tap.pmu >other.pmu
unusable "^pmuv3 check: other.pmu:7: 'tb.dut' in good.vcd: there is no signal \"data\"" other.pmu --recorded good.vcd
sed 's/width=32/width=64/' tap.pmu >other.pmu
unusable "^pmuv3 check: other.pmu:7: 'tb.dut' in good.vcd: \"wdata\" has 32 bits, the port 64" other.pmu --recorded good.vcd
# ---- Damaged files ----
size=$(wc -c <good.vcd)
for ((cut = 0; cut < size; cut += 67)); do
  head -c "$cut" good.vcd >cut.vcd
  actual=0
  "$program" tap.pmu --recorded cut.vcd >out 2>err || actual=$?
  # Cut between two lines of the changes, a recording is a shorter one.
  [ "$(tail -c 1 cut.vcd)" ] || [ "$actual" != 0 ] || continue
  [ "$(wc -l <err)" = 1 ] && [ "$actual" = 2 ] || [ "$actual" = 3 ] || fail "cut after $cut: status $actual: $(cat err)"
done
unusable "^pmuv3 check: empty.vcd:1: the header is not whole" tap.pmu --recorded "$(: >empty.vcd; echo empty.vcd)"
unusable '^pmuv3 check: tap.pmu:1: "pmuv3-device" is nothing of a header; expected a VCD or an FST' tap.pmu --recorded tap.pmu
unusable "^pmuv3 check: --recorded: cannot read 'absent'" tap.pmu --recorded absent
sed 's/^1clk/0clk/' good.vcd >still.vcd
unusable "^pmuv3 check: still.vcd: the clock of 'tb.dut' never rises from 0 to 1" tap.pmu --recorded still.vcd
unusable "^pmuv3 check: still.vcd: the clock of 'tb.dut' never rises from 0 to 1" tap.pmu --recorded still.vcd --calibrate
sed '/ clk clk /d; /clk$/d' good.vcd >still.vcd
unusable "^pmuv3 check: tap.pmu:4: 'tb.dut' in still.vcd: there is no signal \"clk\"" tap.pmu --recorded still.vcd
sed 's/^0clk/xclk/' good.vcd >x.vcd # it is known from the first edge on
unusable "^pmuv3 check: x.vcd: the clock of 'tb.dut' is X at time [0-9]+ " tap.pmu --recorded x.vcd
sed -E 's/^b([01]+) wdata$/b111111111111111111111111111111111\1 wdata/' good.vcd >wide.vcd
unusable '^pmuv3 check: wide.vcd: a value of "wdata" has more bits than the signal' tap.pmu --recorded wide.vcd
sed '/ clk clk /{p;s/ clk / other /}' good.vcd >two.vcd
unusable "^pmuv3 check: tap.pmu:4: 'tb.dut' in two.vcd: there are two signals \"clk\"" tap.pmu --recorded two.vcd
sed 's/^#35/#3/' good.vcd >back.vcd
unusable '^pmuv3 check: back.vcd:[0-9]+: time goes back from 30 to 3: the file is damaged' tap.pmu --recorded back.vcd
sed 's/^#35/#3x/' good.vcd >back.vcd
unusable '^pmuv3 check: back.vcd:[0-9]+: "#3x" is no time' tap.pmu --recorded back.vcd
{ cat good.vcd; echo 'pD 6 6 <0'; } >ports.vcd
# shellcheck disable=SC2016 # likewise
unusable 'an extended VCD \(\$dumpports\)' tap.pmu --recorded ports.vcd
row 5 'off' rows | sed '8a 1 3 1 0 20 x 0' | vcd >off.vcd
unusable '^pmuv3 check: off.vcd: nothing was recorded from time 45 \(timescale 1ns\) on' tap.pmu --recorded off.vcd
printf '\0\0\0\0' >bad.fst
unusable 'bad.fst: the header is not whole' tap.pmu --recorded bad.fst

# ---- Options ----
unusable "^pmuv3 check: --recorded takes no RTL, but 'rows' is given" tap.pmu rows --recorded good.vcd
unusable "^pmuv3 check: --recorded takes no --replay" tap.pmu --recorded good.vcd --jobs 2
unusable "^pmuv3 check: --recorded takes no --seed" tap.pmu --recorded good.vcd --seed 1
unusable "^pmuv3 check: --scope needs --recorded" tap.pmu rows --scope tb
program=$check/check.sh
unusable "^pmuv3 check: --recorded takes no RTL, but 'rows' is given" --built tap.pmu rows --recorded good.vcd
unusable "^pmuv3 check: unusable option '--recorded': its value is missing" --built tap.pmu --recorded
program=$root/build/release/bin/pmuv3-check-recorded
unusable "^pmuv3 check: --json: cannot write 'good.vcd': it is an input, too" tap.pmu --recorded good.vcd --json good.vcd
status 0 tap.pmu --recorded good.vcd --mode within
status 1 tap.pmu --recorded good.vcd --calibrate # too short to tell latencies
grep -qx ambiguous out || fail "calibrate: $(cat out)"
grep -qx 'a longer recording may decide' out || fail "no advice: $(cat out)"
status 1 tap.pmu --recorded good.vcd --calibrate --cycles 8 # which leaves a clock out
grep -qx 'more of this recording, or a longer one, may decide: --cycles 80' out || fail "no advice: $(cat out)"

# ---- Which state judges an event, when a read shows a write, whether a flag rose ----
# The counter wraps. Events are a clock late. Writes may be two clocks late.
cat >apart.rows <<ROWS
$columns el:1
0 0 0 0 0 0 x 1
1 0 1 1 40 8 0 1
1 0 1 1 20 ffffffff 0 1
1 0 1 1 4 1 0 1
1 0 1 1 0 1 0 1
1 0 0 0 0 0 x 1
1 0 0 0 0 0 x 1
1 2 0 0 0 0 x 1
1 0 1 0 20 0 ffffffff 1
1 0 1 0 20 0 1 1
1 0 1 0 8 0 1 0
ROWS
apart() { # LINES [OPTION]...: the description with these lines; the recording explains it
  sed 's/^port/state el el 0=0 1=1\n&/' tap.pmu >apart.pmu
  printf '%b\n' "registers 0x08 PMOVSCLR_EL0 PMOVSSET_EL0\n$1" >>apart.pmu
  status 0 apart.pmu --recorded apart.vcd --json out.json "${@:2}"
}
# lists COUNT TEXT: the list has it so often
lists() { [ "$(never "$2")" = "$1" ] || fail "$(never "$2") times '$2': $(jq -c .never_compared out.json)"; }
later='the state 1 clock later' rules='D13.7-10, D13.7-11' shows='whether reads through port 0 show a write'
vcd <apart.rows >apart.vcd
apart 'latency event 1'
lists 1 "events by the state of their own clock ($rules): the latencies let $later judge them"
lists 0 "$shows"
lists 0 'latency flag'
lists 0 'counter 0 raised'
for one in 'counter 1' '32 bits of the cycle counter' '64 bits of the cycle counter' 'a counter of CPU_CYCLES'; do
  lists 1 "the flag that a wrap of $one raised: no comparison saw it at 1"
done
lists 1 'bits [63:32] of the cycle counter after a carry: no comparison saw them'
apart 'latency event 1 state 1 write 2'
lists 0 'by the state of their own clock'
lists 1 "$shows 1 to 2 clocks before: the latencies let them show what was before it"
apart 'latency event 1..1 state 0..0 swinc 0..0 write 0..0 flag 0..0 read 0..0' --calibrate
grep -qx "# $later judges events, instead of their own ($rules)" out || fail "no remark: $(cat out)"
grep -qx unique out || fail "calibrate: $(cat out)"
holds ".judged_by_others == [[\"$later judges events\"]]"
apart 'latency event 1..1 state 1..1 swinc 0..0 write 0..0 flag 0..0 read 0..0' --calibrate
if grep judges out; then fail "a remark: $(cat out)"; fi
holds '.judged_by_others == [[]]'
# Software sets the flag, and the counter does not wrap.
sed '0,/^1 0 0/s/^1 0 0 0 0 0 x/1 0 1 1 c 1 0/; s/20 ffffffff/20 0/; s/0 ffffffff 1$/0 0 1/; s/20 0 1 1$/20 0 2 1/' apart.rows | vcd >apart.vcd
apart 'latency event 1'
lists 1 'latency flag: no flag that was compared had risen'
lists 1 'counter 0 raised'

# ---- What a bench left out ----
# A clock enable that is never low, a pin of an event that is never 1, registers that nobody writes, and what `write=`
# leaves out: nothing shows whether the device has it.
# drives RUN OTHER: the rows with two more pins, which have these values in the clock of two occurrences
drives() {
  awk -v pins="$1 $2" 'NR == 1 { print $0, "run:1 other:1"; next } { print $0, /^1 2/ ? pins : "1 0" }' left.rows | vcd >left.vcd
  status 0 left.pmu --recorded left.vcd --json out.json
}
{
  sed 's/^event.*/&\nevent 0x0008 other\nclock_enable run/' tap.pmu
  echo 'register 0x08 PMOVSCLR_EL0 write=0'
  echo 'registers 0x0C PMCNTENCLR_EL0 PMINTENSET_EL1'
} >left.pmu
# What the counter has depends on these pins.
sed 's/20 x [25]$/20 x x/; $a 1 0 1 0 c x 1' rows >left.rows
drives 1 0
lists 1 'the clock enable, low: no clock had it low'
lists 1 'latency clock: the clock enable was never low'
lists 1 'event 0x0008 of thread 0 on other: no counter counted it in an observed clock'
lists 0 'on ev[1:0]'
lists 1 'what writes do in PMCNTENCLR_EL0: never written'
lists 1 'PMINTENSET_EL1: no value was read, and never written'
lists 1 'PMCNTENSET_EL0: no value was read'
lists 1 'PMOVSCLR_EL0: no value was read'
lists 1 ': never written'
lists 2 'and never written'
lists 1 'PMOVSCLR_EL0, bits 0x80000003: outside'
lists 1 'PMCR_EL0, bits 0x48: outside'
lists 0 'PMCNTENSET_EL0, bits'
drives 0 0
lists 0 'the clock enable'
drives 1 1
lists 0 'on other'

# ---- Icarus Verilog ----
# The rows above, on a device that does what they say. BUG: an occurrence too many.
cat >tap.v <<'RTL'
module tap(input clk, rst_n, input [1:0] ev, input req, we, input [7:0] addr, input [31:0] wdata,
           output [31:0] rdata, output irq);
  reg e;
  reg enable;
  reg [15:0] number;
  reg [31:0] cnt [0:0];
`ifdef LATE
  initial e = 1; // as two states may begin
`endif
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {e, enable} <= 0;
    else begin
`ifdef BUG
      if (e && enable && number == 8) cnt[0] <= cnt[0] + ev + (ev == 3);
`else
      if (e && enable && number == 8) cnt[0] <= cnt[0] + ev;
`endif
      if (req && we && addr == 8'h00) e <= wdata[0];
      if (req && we && addr == 8'h04) enable <= enable | wdata[0];
      if (req && we && addr == 8'h20) cnt[0] <= wdata;
      if (req && we && addr == 8'h40) number <= wdata[15:0];
    end
  assign irq = 0;
  assign rdata = addr == 8'h20 ? cnt[0] : addr == 8'h40 ? number : addr == 8'h04 ? enable : e;
endmodule
module bench;
  reg clk = 0, rst_n = `FIRST, req = 0, we = 0;
  reg [1:0] ev = 0;
  reg [7:0] addr = 0;
  reg [31:0] wdata = 0;
  wire [31:0] rdata;
  wire irq;
  tap dut(clk, rst_n, ev, req, we, addr, wdata, rdata, irq);
  always #5 clk = `CLOCK;
  initial #1000 $finish;
  task go(input r, w, input [7:0] a, input [31:0] d, input [1:0] e);
    begin {req, we, addr, wdata, ev} <= {r, w, a, d, e}; @(posedge clk); end
  endtask
  initial begin
    $dumpfile("dump");
    $dumpvars(0, bench);
    $dumpvars(0, dut.cnt[0]);
`ifdef LATE
    req = 1;
    @(posedge clk) {rst_n, req} <= 0;
`endif
    @(posedge clk);
    rst_n <= `RESET;
    go(1, 1, 8'h40, 8, 0);
    go(1, 1, 8'h20, 0, 0);
    go(1, 1, 8'h04, 1, 0);
    go(1, 1, 8'h00, 1, 0);
    go(0, 0, 8'hxx, 32'hx, 2);
    go(1, 0, 8'h20, 32'hx, 3);
    go(1, 0, 8'h20, 32'hx, 0);
    go(0, 0, 0, 0, `X);
    go(0, 0, 0, 0, 0);
    $finish;
  end
endmodule
RTL
{ cat tap.pmu; echo 'visible counter 0 cnt[0]'; } >inside.pmu

# simulated STATUS FORMAT DESCRIPTION [MACRO]...: `rtl` in Icarus Verilog, which also writes dump.FORMAT
rtl=tap.v
simulated() {
  local expected=$1 format=$2 description=$3 actual=0
  iverilog -g2012 "-DCLOCK=!clk" -DX=0 -DFIRST=0 -DRESET=1 "${@:4}" -s bench -o bench.vvp "$rtl" || fail "iverilog"
  vvp -M "$root/build/release/testbench/cosim/check" -m pmuv3_vpi bench.vvp "-$format" "+pmuv3=$description" >vpi.out || actual=$?
  [ "$actual" = "$expected" ] || fail "vvp: exit status $actual, expected $expected: $(cat vpi.out)"
}

# agrees LINE: the monitor has this verdict
agrees() { grep -qxF "pmuv3: $1" vpi.out || fail "expected '$1': $(cat vpi.out)"; }

# both_diverge DESCRIPTION WORDS [MACRO]...: the monitor and the recording do so
both_diverge() {
  local counts
  simulated 1 fst "$1" "${@:3}"
  status 1 "$1" --recorded dump.fst --json out.json
  [ "$(jq -r .first_divergence.words out.json)" = "$2" ] || fail "expected '$2': $(jq -c . out.json)"
  counts=$(jq -r '"after \(.cycles) clocks and \(.comparisons) comparisons"' out.json)
  agrees "diverged: $2, $counts"
}

# both_hold DESCRIPTION CLOCKS COMPARISONS X [MACRO]...: the same of what is equivalent; X: the values that were X
both_hold() {
  simulated 0 fst "$1" "${@:5}"
  status 0 "$1" --recorded dump.fst --json out.json
  holds ".cycles == $2 and .comparisons == $3 and ([.unknown[]] | add) == $4"
  if [ "$4" = 0 ]; then agrees "equivalent: $2 clocks, $3 comparisons"; else
    agrees "equivalent: $2 clocks, $3 comparisons; $4 were X, and not compared"
  fi
}

for format in vcd fst; do
  simulated 0 $format tap.pmu
  agrees 'equivalent: 10 clocks, 2 comparisons'
  recorded 0 dump.$format
  holds '.cycles == 10 and .comparisons == 2 and .compared.read == 2'
  simulated 1 $format tap.pmu -DBUG
  recorded 1 dump.$format
  agrees "diverged: $(jq -r '"\(.first_divergence.words), after \(.cycles) clocks and \(.comparisons) comparisons"' out.json)"
  holds '.first_divergence.words == "clock 7, thread 0: PMEVCNTR0_EL0 reads 6, expected 5 (mode exact)"'
done
# Accesses that no line names.
simulated 1 fst elsewhere.pmu -DBUG
agrees "no verdict: 10 clocks, 9 comparisons; $(went 6 6 40)"
simulated 0 fst uncounted.pmu
agrees "equivalent: 10 clocks, 9 comparisons; $(went 3 6 20)"
simulated 1 fst untyped.pmu
wrong='clock 6, thread 0: PMEVCNTR0_EL0 reads 2, expected 0 (mode exact)'
agrees "diverged: $wrong, after 7 clocks and 7 comparisons; $(went 1 5 40)"
# A counter without a reset is X until it is written.
simulated 0 fst inside.pmu
agrees 'equivalent: 10 clocks, 9 comparisons; 2 were X, and not compared'
status 0 inside.pmu --recorded dump.fst --json out.json
holds '.cycles == 10 and .comparisons == 9 and .unknown.counter == 2'
simulated 1 fst tap.pmu "-DX=2'bx"
agrees 'no verdict: clock 8: ev[1:0] is X'
unusable "^pmuv3 check: dump.fst: ev\[1:0\] of 'bench.dut' is X at time 85" tap.pmu --recorded dump.fst
# What is compared later is compared before that.
simulated 1 fst behind.pmu -DBUG "-DX=2'bx"
agrees 'diverged: clock 7, thread 0: PMEVCNTR0_EL0 reads 6, expected 5 (mode exact), after 8 clocks and 2 comparisons'
# shellcheck disable=SC2016 # of Verilog
simulated 1 fst behind.pmu -DBUG '-DCLOCK=($time>80?1'"'bx:!clk)"
agrees 'diverged: clock 7, thread 0: PMEVCNTR0_EL0 reads 6, expected 5 (mode exact), after 8 clocks and 2 comparisons'
# A clock that was 0, and is X.
# shellcheck disable=SC2016 # of Verilog
simulated 1 fst tap.pmu '-DCLOCK=($time>50?1'"'bx:!clk)"
agrees 'no verdict: clock 5: clk is X'
unusable "^pmuv3 check: dump.fst: the clock of 'bench.dut' is X at time 55 " tap.pmu --recorded dump.fst
head -c -20 dump.fst >cut.fst
unusable '^pmuv3 check: cut.fst: ' tap.pmu --recorded cut.fst

# A device that stands before its reset as the model does not; and one without a reset.
both_hold tap.pmu 11 2 0 -DFIRST=1 -DLATE
simulated 1 fst tap.pmu -DFIRST=1
agrees 'no verdict: no reset in 10 clocks, so nothing was compared'
status 3 tap.pmu --recorded dump.fst
[ "$(cat err)" = "pmuv3 check: dump.fst: no reset of 'bench.dut' in 10 clocks, so nothing was compared: no verdict" ] ||
  fail "no reset: $(cat err)"

# An X is not the first reset, whatever level the reset has.
sed 's/^reset rst_n low/reset rst_n high/' tap.pmu >high.pmu
for first in 'tap.pmu 1' 'high.pmu 0'; do
  simulated 1 fst "${first% *}" "-DFIRST=1'bx" "-DRESET=${first#* }"
  agrees 'no verdict: no reset in 10 clocks, so nothing was compared'
  status 3 "${first% *}" --recorded dump.fst
done

# X on the data hides no error, also of a write, and X on the error hides no data. A port that judges the Exception
# level has X where nothing is to be read.
cat >judge.pmu <<'PMU'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1
top judge
clock clk
reset rst_n low
state el el 0=0 1=1
port csr request=req write=we address=addr data=wdata value=rdata error=err response=0 width=32 checked
register 0x00 PMUSERENR_EL0 write=1 read=1
register 0x04 PMCNTENSET_EL0
PMU
cat >judge.v <<'RTL'
module judge(input clk, rst_n, el, req, we, input [7:0] addr, input [31:0] wdata, output [31:0] rdata, output err);
  reg en;
  reg [31:0] enables;
  wire ok = el || `ALLOWED && addr == 4;
  wire [31:0] mux = addr == 4 ? enables : en;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {en, enables} <= 0;
    else if (req && we && ok && addr == 0) en <= wdata[0];
    else if (req && we && ok && addr == 4) enables <= enables | wdata & 32'h80000003;
  assign rdata = `VALUE;
  assign err = `ERROR;
endmodule
module bench;
  reg clk = 0, rst_n = 0, el = 1, req = 0, we = 0;
  reg [7:0] addr = 0;
  reg [31:0] wdata = 0;
  wire [31:0] rdata;
  wire err;
  judge dut(clk, rst_n, el, req, we, addr, wdata, rdata, err);
  always #5 clk = !clk;
  task go(input level, r, w, input [7:0] a, input [31:0] d);
    begin {el, req, we, addr, wdata} <= {level, r, w, a, d}; @(posedge clk); end
  endtask
  initial begin
    $dumpfile("dump");
    $dumpvars(0, bench);
    @(posedge clk);
    rst_n <= 1;
    go(1, 1, 1, 4, 3);
    go(0, 1, 0, 4, 0);
    go(0, 1, 1, 4, 32'h80000000);
    go(1, 1, 0, 4, 0);
    go(1, 1, 1, 0, 1);
    go(0, 1, 0, 4, 0);
    go(1, 0, 0, 0, 0);
    $finish;
  end
endmodule
RTL
rtl=judge.v
right=(-DALLOWED=en "-DVALUE=ok?mux:32'bx" '-DERROR=!ok')
both_hold judge.pmu 8 8 0 "${right[@]}"
holds '.refused_reads == 1 and .compared.error == 6 and .compared.read == 2'
ends='thread 0: the error of an access of PMCNTENSET_EL0 is'
both_diverge judge.pmu "clock 2, $ends 0, expected 1 (mode exact)" "${right[@]}" "-DERROR=1'b0"
both_diverge judge.pmu "clock 3, $ends 0, expected 1 (mode exact)" "${right[@]}" '-DERROR=!we&&!ok'
both_diverge judge.pmu "clock 6, $ends 1, expected 0 (mode exact)" "${right[@]}" "-DALLOWED=1'b0"
# Of a read that the model refuses, X on the data hides nothing.
both_hold judge.pmu 8 6 2 "${right[@]}" "-DVALUE=32'bx"
both_hold judge.pmu 8 2 6 "${right[@]}" "-DERROR=1'bx"
holds '.unknown.error == 6 and .refused_reads == 1'
both_diverge judge.pmu 'clock 4, thread 0: PMCNTENSET_EL0 reads 2, expected 3 (mode exact)' "${right[@]}" \
  "-DERROR=1'bx" "-DVALUE=ok?mux^1:32'bx"

# An APB port has X on PRDATA in each write.
cat >locked.pmu <<'PMU'
pmuv3-device 1
param counters=2 el2=0 el3=0 features=PMUv3p1,EXT32 K-SOFTWARE-LOCK=absent
top locked
clock clk
reset rst_n low
state oslk oslk
port apb select=psel enable=penable write=pwrite address=paddr data=pwdata value=prdata error=pslverr
register 0xC40 page.0xC40
PMU
cat >locked.v <<'RTL'
module locked(input clk, rst_n, oslk, psel, penable, pwrite, input [11:0] paddr, input [31:0] pwdata,
              output [31:0] prdata, output pslverr);
  reg [31:0] enables;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) enables <= 0;
    else if (psel && penable && pwrite && !oslk) enables <= enables | pwdata & 32'h80000003;
  assign prdata = psel && !pwrite ? enables : 32'bx;
  assign pslverr = `ERROR;
endmodule
module bench;
  reg clk = 0, rst_n = 0, oslk = 0, psel = 0, penable = 0, pwrite = 0;
  reg [31:0] pwdata = 0;
  wire [31:0] prdata;
  wire pslverr;
  locked dut(clk, rst_n, oslk, psel, penable, pwrite, 12'hC40, pwdata, prdata, pslverr);
  always #5 clk = !clk;
  task transfer(input lock, write, input [31:0] data);
    begin
      {oslk, psel, penable, pwrite, pwdata} <= {lock, 1'b1, 1'b0, write, data};
      @(posedge clk) penable <= 1;
      @(posedge clk) {psel, penable} <= 0;
    end
  endtask
  initial begin
    $dumpfile("dump");
    $dumpvars(0, bench);
    @(posedge clk);
    rst_n <= 1;
    transfer(0, 1, 3);
    transfer(1, 1, 32'h80000000);
    transfer(0, 0, 0);
    @(posedge clk);
    $finish;
  end
endmodule
RTL
rtl=locked.v
both_hold locked.pmu 8 4 0 -DERROR=oslk
both_diverge locked.pmu 'clock 4, thread 0: the error of an access of page.0xC40 is 0, expected 1 (mode exact)' \
  "-DERROR=pwrite?1'b0:oslk"
rtl=tap.v

# A monitor that sees nothing to compare has no verdict: the clock stands, or the reset does.
simulated 1 fst tap.pmu -DCLOCK=clk
agrees 'no verdict: 0 clocks, 0 comparisons'
unusable "^pmuv3 check: dump.fst: the clock of 'bench.dut' never rises from 0 to 1" tap.pmu --recorded dump.fst
simulated 1 fst tap.pmu -DRESET=0
agrees 'no verdict: 10 clocks, 0 comparisons'
status 3 tap.pmu --recorded dump.fst
grep -qx 'pmuv3 check: nothing was compared in 10 clocks: no verdict' err || fail "no verdict: $(cat err)"

# What the monitor refuses.
refused() {
  local actual=0
  vvp -M "$root/build/release/testbench/cosim/check" -m pmuv3_vpi bench.vvp "${@:2}" >vpi.out || actual=$?
  [ "$actual" = 1 ] || fail "vvp $*: exit status $actual"
  agrees "$1"
}
refused 'the description is missing; expected +pmuv3=FILE'
refused "cannot read the description 'absent.pmu': No such file or directory" +pmuv3=absent.pmu
mkfifo pipe.pmu
refused "cannot read the description 'pipe.pmu': not a regular file" +pmuv3=pipe.pmu
refused "the simulation has no instance of the module 'other'" +pmuv3=tap.pmu +pmuv3_top=other
sed 's/wdata/data/' tap.pmu >other.pmu
refused 'other.pmu:7: bench.dut has no "data"' +pmuv3=other.pmu
sed 's/width=32/width=64/' tap.pmu >other.pmu
refused 'other.pmu:7: "wdata" has 32 bits, the port 64; expected width=32 in its line, or other bits' +pmuv3=other.pmu
sed 1d tap.pmu >other.pmu
refused 'other.pmu:1: not a description of a device; expected "pmuv3-device 1" in the first line' +pmuv3=other.pmu
all_held
