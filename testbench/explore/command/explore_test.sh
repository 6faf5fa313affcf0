#!/usr/bin/env bash
# `pmuv3 explore` for a user. Usage: explore_test.sh PROGRAM SAMPLE
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
sample=$2

# In 16,000 cycles: 10,000 instructions, 4,000 stalls of the front end in 1,000 episodes.
"$sample" t.pmt 16000 || fail "the sample"

cat >good.cfg <<'CFG'
pmuv3-explore 1
inst_retired,stall_frontend
stall_backend/threshold=1,threshold_compare=2,threshold_count=1,edge=1,name=episodes/
inst_retired/threshold=1..4,threshold_compare=2,threshold_count=1/
cpu_cycles r10 instructions:u instructions:k
CFG
status 0 t.pmt --config good.cfg --csv t.csv --json t.json --interval 1600
cat >expected.csv <<'CSV'
cycle,cycles,inst_retired,stall_frontend,episodes,"inst_retired/threshold=1,threshold_compare=2,threshold_count=1/","inst_retired/threshold=2,threshold_compare=2,threshold_count=1/","inst_retired/threshold=3,threshold_compare=2,threshold_count=1/","inst_retired/threshold=4,threshold_compare=2,threshold_count=1/",cpu_cycles,r10,instructions:u,instructions:k
0,1600,1000,400,100,400,300,200,100,1600,25,0,1000
CSV
head -2 t.csv | diff expected.csv - || fail "the CSV file"
[ "$(wc -l <t.csv)" -eq 11 ] || fail "10 intervals: $(cat t.csv)"
grep -qE '^inst_retired +10000 +0.6250 +0$' out || fail "the table: $(cat out)"
jq -e '.cycles == 16000 and .counters[0].count == 10000 and (.counters[0].values | add) == 10000' \
  t.json >/dev/null || fail "the JSON file"

# Commas, blanks, or both separate counters.
for list in 'inst_retired stall_backend' inst_retired,stall_backend 'inst_retired, stall_backend' 'inst_retired ,stall_backend' \
  'inst_retired , stall_backend'; do
  printf '%s\n' 'pmuv3-explore 1' "$list" >list.cfg
  status 0 t.pmt --config list.cfg --json list.json
  [ "$(jq -c '[.counters[].count]' list.json)" = '[10000,8000]' ] || fail "$list: $(jq -c .counters list.json)"
done

# Sampling, freezing, writes during the trace, links.
cat >more.cfg <<'CFG'
pmuv3-explore 1
pmu sampled
inst_retired/period=1000/
pmu frozen
inst_retired
write PMCR_EL0 0x201
write PMEVCNTR0_EL0 0xFFFFFF00
pmu stopped
cpu_cycles
write @1000 PMCNTENCLR_EL0 1
pmu pair
l1i_cache_refill
inst_retired/threshold=1,threshold_compare=3,link=true,name=refills_without_retirement/
CFG
status 0 t.pmt --config more.cfg
grep -qE '^inst_retired/period=1000/ +10000 +[0-9.]+ +10$' out || fail "sampling: $(cat out)"
# The 256th instruction is the last of a cycle; the counter is frozen from the next cycle on.
grep -qE '^inst_retired +256 +[0-9.]+ +1$' out || fail "freezing: $(cat out)"
grep -qE '^cpu_cycles +1000 ' out || fail "a write: $(cat out)"
grep -qE '^refills_without_retirement +1000 ' out || fail "a link: $(cat out)"
grep -q 'ticked on the C model' out || fail "what was ticked is not said: $(cat out)"

printf '%s\n' 'pmuv3-explore 1' 'pmu fixed' pmccntr pmicntr 'write @9000 PMCCNTR_EL0 5' 'write @9500 PMCNTENCLR_EL0 0x80000000' >fixed.cfg
status 0 t.pmt --config fixed.cfg --check 20
grep -qE '^pmccntr +9500 ' out || fail "the cycle counter: $(cat out)"
grep -qE '^pmicntr +10000 ' out || fail "the instruction counter: $(cat out)"
status 0 t.pmt --config more.cfg --check 20
grep -q '^checked: 20 windows, .*engine, C model and RTL are equal' out || fail "--check: $(cat out)"
# The windows sample, too: the handlers clear flags and start periods on the engine and on the lockstep.
printf 'pmuv3-explore 1\ninst_retired/period=100/\ninst_retired/period=70,skid=9,name=late/\n' >samples.cfg
status 0 t.pmt --config samples.cfg --check 20
grep -qE '^checked: 20 windows, [0-9]+ cycles, [1-9][0-9]+ samples; ' out || fail "--check of samples: $(cat out)"
# Writes act in the order of their cycles, whatever the order of their lines is.
printf 'pmuv3-explore 1\npmu p\nwrite @8000 PMCR_EL0 0x1\nwrite @2000 PMEVCNTR0_EL0 0x0\ninst_retired\n' >writes.cfg
status 0 t.pmt --config writes.cfg --check 20
unusable '--check needs --config' t.pmt --ask width --check 1

# Any number of jobs, and each set of vectors, counts the same.
for i in 1 2 3; do echo "pmu p$i"; echo "inst_retired stall_backend/threshold=1,edge=1,threshold_count=1/"; done |
  cat <(echo "pmuv3-explore 1") - >jobs.cfg
status 0 t.pmt --config jobs.cfg --csv one.csv --interval 100 --jobs 1 --vectors none
status 0 t.pmt --config jobs.cfg --csv two.csv --interval 100 --jobs 2
cmp one.csv two.csv || fail "jobs and vectors"

# Plots are whole files of their kind.
for kind in svg png; do
  status 0 t.pmt --config good.cfg --plot "p.$kind"
done
xmllint --noout p.svg || fail "the SVG file"
[ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "the PNG file"

# Settings of the user change no plot.
mkdir home
echo 'set xrange [0:10]' >home/.gnuplot
HOME=$PWD/home status 0 t.pmt --config good.cfg --plot home/p.svg
cmp -s p.svg home/p.svg || fail "a .gnuplot of the user changes a plot"

# A plot without a number says so: in 3 cycles no stall begins.
"$sample" short.pmt 3 || fail "the sample"
for kind in svg png; do status 0 short.pmt --ask episodes --event stall_frontend --plot "short.$kind"; done
grep -q 'no values' short.svg || fail "the plot does not say that it has no values"

# gnuplot is missing, is killed, fails, or draws a part: one line, and no plot but the old one.
no_plot() { # STATUS PATTERN WHAT
  echo old >old.svg
  for plot in old.svg new.svg new.png; do
    PATH=$PWD/tools:$PATH status "$1" t.pmt --config good.cfg --plot "$plot"
    # The run itself says its speed.
    [ "$(grep -vc 'cycles/s, vectors' err)" = 1 ] || fail "$3: not one line: $(cat err)"
    grep -qE "^pmuv3 explore: --plot: $2" err || fail "$3: $(cat err)"
  done
  [ "$(cat old.svg)" = old ] || fail "$3: the old plot was changed"
  left new.svg new.png
  nothing_grows
}
mkdir tools
printf '%s\n' '#!/bin/sh' 'kill -9 $$' | stand_in tools/gnuplot
no_plot 3 'gnuplot was ended by signal 9' 'gnuplot was killed'
printf '%s\n' '#!/bin/sh' 'cat >/dev/null' 'printf "\n\nline 3: no font\n\n" >&2' 'exit 1' | stand_in tools/gnuplot
no_plot 3 'gnuplot ended with status 1: line 3: no font$' 'gnuplot failed'
printf '%s\n' '#!/bin/sh' '/usr/bin/gnuplot -' 'truncate -s -1 .pmuv3-*/file' | stand_in tools/gnuplot
no_plot 2 "cannot write '.*': gnuplot's file is not whole" 'a part of a plot'
rm tools/gnuplot

# What a configuration or an option names is an input, too.
printf '%s\n' 'pmuv3-core 1' 'param counters=31 # assumed: for this test' >my.core
printf '%s\n' 'pmuv3-events 1' 'event 0x0008' >my.events
for line in core=./my.core events=my.events; do
  printf '%s\n' 'pmuv3-explore 1' "param $line" inst_retired >named.cfg
  unusable "^pmuv3 explore: --json: cannot write '${line#*=}': it is an input, too" t.pmt --config named.cfg --json "${line#*=}"
done
unusable "^pmuv3 explore: --csv: cannot write 'my.core': it is an input, too" t.pmt --config good.cfg --core ./my.core --csv my.core
ended=0
env PATH="$PWD/tools" "$program" t.pmt --config good.cfg --csv none.csv --plot new.svg >out 2>err || ended=$?
[ "$ended" = 2 ] || fail "gnuplot is missing: exit status $ended"
[ "$(cat err)" = 'pmuv3 explore: --plot: there is no gnuplot (package gnuplot-nox)' ] || fail "gnuplot is missing: $(cat err)"
left none.csv new.svg

# Questions.
status 0 t.pmt --ask width --csv width.csv
printf '%s\n' 'at least,cycles,"share, %"' 1,4000,25 2,3000,18.750 3,2000,12.500 4,1000,6.250 |
  diff - width.csv || fail "width"
status 0 t.pmt --ask episodes --csv episodes.csv
grep -qx 'STALL_FRONTEND,4000,1000,4,25' episodes.csv || fail "episodes: $(cat episodes.csv)"
status 0 t.pmt --ask coincide --csv coincide.csv --plot coincide.svg
grep -qx 'L1I_CACHE_REFILL,100,100,0,1000' coincide.csv || fail "coincide: $(cat coincide.csv)"
grep -qx 'INST_RETIRED,0,0,0,10000' coincide.csv || fail "coincide: $(cat coincide.csv)"

# Turns of 64 cycles have whole periods of the sample, so multiplexing costs nothing.
status 0 t.pmt --ask multiplex --csv multiplex.csv --plot multiplex.svg
grep -q '^INST_RETIRED,10000,0,' multiplex.csv || fail "multiplex: $(cat multiplex.csv)"
unusable 'has no column stall_slot_frontend, which topdown needs' t.pmt --ask topdown

# In 16 cycles of four Slots: 16 operations are sent and 12 retire; the front end loses 16 Slots, the
# back end 32. The trace says how many Slots a cycle has, and options must agree.
"$sample" slots.pmt 16000 slots || fail "the sample with Slots"
"$sample" stalls.pmt 16000 stalls || fail "the sample without OP_SPEC"
topdown() {
  status 0 "${@:2}" --ask topdown --csv topdown.csv
  printf '%s\n' "Slots,\"share, %\"" "$1" "frontend bound,25" "backend bound,50" | diff - topdown.csv ||
    fail "topdown ${*:2}"
}
topdown $'retiring,18.75\nbad speculation,6.25' slots.pmt
topdown $'retiring,18.75\nbad speculation,6.25' slots.pmt --param slots=4
# More operations retire than are sent, and both ends stall the same Slots: shares stay shares, and the
# text and the JSON file say what these do not show.
"$sample" surplus.pmt 6400 surplus || fail "the sample of which more retires than was sent"
note='OP_RETIRED (19200) is more than OP_SPEC (6400): bad speculation is shown as 0'
status 0 surplus.pmt --ask topdown --csv topdown.csv --json topdown.json
printf '%s\n' 'Slots,"share, %"' retiring,25 'bad speculation,0' 'frontend bound,37.50' 'backend bound,37.50' |
  diff - topdown.csv || fail "topdown of a surplus"
[ "$(tail -n 1 out)" = "$note" ] || fail "topdown: the surplus is not said: $(cat out)"
jq -e --arg note "$note" '.[4].note == $note and ([.[:4][]."share, %"] | add == 100)' topdown.json >/dev/null ||
  fail "topdown of a surplus: $(cat topdown.json)"
# Operations that retire in the interval after theirs: a plot's shares are not beyond 100 or below 0.
"$sample" late.pmt 16000 late || fail "the sample that retires late"
printf '%s\n' '#!/bin/sh' 'tee commands | /usr/bin/gnuplot -' | stand_in tools/gnuplot
PATH=$PWD/tools:$PATH status 0 late.pmt --ask topdown --interval 64 --csv topdown.csv --plot late.svg
rm tools/gnuplot
printf '%s\n' 'Slots,"share, %"' retiring,37.50 'bad speculation,12.50' 'frontend bound,0' 'backend bound,50' |
  diff - topdown.csv || fail "topdown of late retirement"
[ "$(grep -c 'is more than' out)" = 0 ] || fail "topdown: in all no more retires than is sent: $(cat out)"
grep -qx ' 0 0 75 75 100' commands || fail "topdown: the interval of dispatch: $(head -n 20 commands)"
grep -qx ' 64 25 25 25 100' commands || fail "topdown: the interval of retirement: $(head -n 20 commands)"
# A command may have any bytes, an SVG only the characters of XML.
"$sample" bytes.pmt 16000 bytes || fail "the sample with a command of any bytes"
status 0 bytes.pmt --ask topdown --plot bytes.svg
xmllint --noout bytes.svg || fail "the SVG file of a command that is not UTF-8"
grep -q $'[.]/s\xEF\xBF\xBD\xEF\xBF\xBD' bytes.svg || fail "its title"
topdown $'retiring,25\nbad speculation,0' stalls.pmt --param slots=4
"$sample" specs.pmt 16000 specs || fail "the sample without OP_RETIRED"
topdown $'retiring,25\nbad speculation,0' specs.pmt
unusable '^pmuv3 explore: slots.pmt: OP_SPEC and STALL_SLOT add up to 4 Slots a cycle, not 8' slots.pmt --ask topdown --param slots=8
# A core without PMMIR has slots=0, which says nothing of its Slots.
for slots in --core=neoverse-n1 --param=core=neoverse-n1 --param=slots=0; do
  topdown $'retiring,18.75\nbad speculation,6.25' slots.pmt $slots
  unusable '^pmuv3 explore: stalls.pmt: .*do not say how many Slots a cycle has: expected --param slots=N' stalls.pmt --ask topdown $slots
done
unusable '^pmuv3 explore: stalls.pmt: .*do not say how many Slots a cycle has: expected --param slots=N' stalls.pmt --ask topdown
unusable '^pmuv3 explore: stalls.pmt: .*add up to more than 2 Slots a cycle' stalls.pmt --ask topdown --param slots=2

# Ten instructions retire in 16 cycles, the tenth in the fourth cycle. So each sample of a period of
# ten is in the fourth cycle, or as many cycles behind it as the skid says.
status 0 t.pmt --ask bias --period 10 --csv bias.csv --json bias.json --plot bias.svg
grep -qx 'INST_RETIRED,100,100,0,0,100,100,100' bias.csv || fail "bias: $(cat bias.csv)"
grep -qx 'STALL_FRONTEND,0,0,100,100,0,0,0' bias.csv || fail "bias: $(cat bias.csv)"
grep -qx 'L1I_CACHE_REFILL,0,0,100,0,0,0,0' bias.csv || fail "bias: $(cat bias.csv)"
grep -qx 'BR_MIS_PRED,2.50,0,0,0,0,0,0' bias.csv || fail "bias: $(cat bias.csv)"
grep -q 'a sample every 10: 1000 samples at skid 0' out || fail "bias: $(cat out)"
jq -e '.[] | select(."% in cycles of" == "STALL_FRONTEND") | ."skid 1" == 100' bias.json >/dev/null ||
  fail "a question's JSON file: $(cat bias.json)"
# What occurs is looked up in all columns of an event, as it is counted.
"$sample" turns.pmt 16000 turns || fail "the sample of origins that take turns"
{ head -c -16 turns.pmt && printf garbage && tail -c 16 turns.pmt; } >longer.pmt
unusable '^pmuv3 explore: longer.pmt: its index is damaged' longer.pmt --verify
status 0 turns.pmt --ask bias --event l1d_cache --period 7 --csv bias.csv
grep -qx 'L1D_CACHE,100,100,0,100,100,100,100' bias.csv || fail "bias of both origins: $(cat bias.csv)"
# BR_RETIRED, which the parameters lack, supports synchronous mode as they have SEBEP.
"$sample" branches.pmt 16000 branches || fail "the sample of branches"
status 0 branches.pmt --param events=none --param event=0x0008 --ask width --event br_retired
# Events of others: questions are about the event that was asked for, and about all columns and counts.
"$sample" own.pmt 12800 own || fail "the sample of others' events"
status 0 own.pmt --param events=none --param event=0x0008 --ask width --event 0xC5 --csv width.csv
[ "$(wc -l <width.csv)" = 256 ] || fail "width: $(wc -l <width.csv) lines"
grep -qx '255,1600,12.500' width.csv || fail "width: $(tail -n 1 width.csv)"
status 0 own.pmt --param events=none --param event=0x0008 --ask width --event imp_0163 --csv width.csv
[ "$(cat width.csv)" = $'at least,cycles,"share, %"\n1,100,0.781' ] || fail "width: $(cat width.csv)"
status 0 own.pmt --param events=none --param event=0x0008 --ask episodes --csv episodes.csv
[ "$(grep -c '^IMP_01[0-9A-F]*,100,100,1,' episodes.csv)" = 99 ] || fail "episodes: $(cat episodes.csv)"
"$sample" both.pmt 16000 both || fail "the sample of both origins"
status 0 both.pmt --ask width --event l1d_cache --csv width.csv
[ "$(cat width.csv)" = $'at least,cycles,"share, %"\n1,4000,25\n2,4000,25' ] || fail "width: $(cat width.csv)"
"$sample" others.pmt 16000 others || fail "the sample of one origin, that of others"
status 0 others.pmt --ask width --event l1d_cache --csv width.csv
[ "$(cat width.csv)" = $'at least,cycles,"share, %"\n1,4000,25' ] || fail "width: $(cat width.csv)"
"$sample" stalls.pmt 16000 stalls || fail "the sample with Slots"
status 0 stalls.pmt --ask coincide --csv coincide.csv
[ "$(head -n 1 coincide.csv)" = '"event, % in cycles of",retires nothing,STALL_FRONTEND,STALL_BACKEND,occurrences' ] ||
  fail "coincide: $(head -n 1 coincide.csv)"
unusable '^pmuv3 explore: events= after event=; expected it before every event=$' own.pmt --param event=0x0008 --param events=none --ask width
unusable '^pmuv3 explore: --event: "instructions" is event 0x00C5 and event 0x0008; expected a number' own.pmt --param events=none --param event=0x0008 --ask width --event instructions
unusable '^pmuv3 explore: --event: unknown event "65536"; expected a mnemonic' own.pmt --param events=none --param event=0x0008 --ask width --event 65536
printf '%s\n' 'pmuv3-explore 1' 0xC5 r101 IMP_0102 >own.cfg
status 0 own.pmt --config own.cfg --param events=none --param event=0x0008
grep -qE '^0xC5 +408000 ' out || fail "events of others: $(cat out)"
# A count that fits the column, and not the event: it is no difference.
status 2 own.pmt --config own.cfg --param events=none --param event=0x0008 --param event=0x00C5,INSTRUCTIONS,most=200 --check 1
grep -qE '^pmuv3 explore: the trace has event 0x00C5 255 times in cycle [0-9]+, but with these parameters it occurs 200 times a cycle at most$' err ||
  fail "a count beyond the event's: $(cat err)"

# Cores without STALL_BACKEND: the event is as the architecture has it. A wider column would be another event,
# and no line of the configuration is to blame.
printf '%s\n' 'pmuv3-explore 1' inst_retired,stall_backend >core.cfg
for core in cortex-a35 cortex-a53 cortex-a72; do
  status 0 t.pmt --core $core --config core.cfg --csv core.csv --interval 16000
  [ "$(tail -n 1 core.csv)" = 0,16000,10000,8000 ] || fail "$core: $(cat core.csv)"
  status 0 slots.pmt --core $core --param slots=4 --ask topdown
  unusable '^pmuv3 explore: --ask width: the parameters lack a term.s feature: thresholds need TH' t.pmt --core $core --ask width
done
printf '%s\n' 'pmuv3-explore 1' 'param events=none event=0x0008,most=3' inst_retired >most.cfg
unusable '^pmuv3 explore: t.pmt: column INST_RETIRED has counts of 3 bits, but with these parameters event 0x0008 occurs 3 times a cycle at most$' t.pmt --config most.cfg
# Parameters that exclude each other: of the command line, or of the last param line.
unusable '^pmuv3 explore: debugv8p2=0 needs features without ' t.pmt --config core.cfg --param debugv8p2=0
printf '%s\n' 'pmuv3-explore 1' 'param counters=4' 'param debugv8p2=0' '# nothing' inst_retired >exclude.cfg
unusable '^exclude.cfg:3: debugv8p2=0 needs features without ' t.pmt --config exclude.cfg

unusable 'occurs too seldom' t.pmt --ask bias --event BR_MIS_PRED --period 5000
unusable '^pmuv3 explore: --ask width has no use for --period' t.pmt --ask width --period 10
unusable '^pmuv3 explore: --ask coincide has no use for --event' t.pmt --ask coincide --event 8

# Errors: one line, with file and line where there is one.
wrong() {
  printf '%s\n' 'pmuv3-explore 1' "$2" >bad.cfg
  unusable "$1" t.pmt --config bad.cfg
}
unusable '^pmuv3 explore: expected a trace'
unusable '^pmuv3 explore: expected --config or --ask' t.pmt
unusable '^pmuv3 explore: --ask: unknown question' t.pmt --ask why
unusable 'must end in .svg or .png' t.pmt --config good.cfg --plot p.gif
unusable "^pmuv3 explore: TRACE: cannot read 'missing.pmt': No such file" missing.pmt --config good.cfg
# A name that is mistyped changes no earlier result.
status 0 t.pmt --config good.cfg --json old.json
cp old.json kept.json
for names in 'missing.pmt --config good.cfg' 't.pmt --config missing.cfg' 'missing.pmt --ask width' \
  't.pmt --config good.cfg --merge missing'; do
  # shellcheck disable=SC2086 # the arguments of a call
  unusable "^pmuv3 explore: (TRACE|--config|--merge): cannot read 'missing[.a-z]*': No such file" $names --json old.json
  cmp -s old.json kept.json || fail "$names: an earlier result was changed: $(cat old.json)"
done
"$program" <(cat t.pmt) --config good.cfg --json old.json >out 2>err && fail "a trace through a pipe"
grep -qE "^pmuv3 explore: TRACE: cannot read '/dev/fd/[0-9]+': not a regular file" err || fail "a pipe: $(cat err)"
cmp -s old.json kept.json || fail "a trace through a pipe: an earlier result was changed: $(cat old.json)"
unusable '^pmuv3 explore: good.cfg: is not a .pmt trace' good.cfg --config good.cfg
wrong '^bad.cfg:2: no_such_event: unknown event "no_such_event"' no_such_event
for list in ',' ',inst_retired' 'inst_retired,' 'inst_retired ,' 'inst_retired,, stall_backend' 'inst_retired, ,stall_backend' 'inst_retired,,cycles'; do
  wrong '^bad.cfg:2: expected a counter before and after each comma$' "$list"
done
wrong '^bad.cfg:2: .*unknown term "tresh"' 'inst_retired/tresh=2/'
wrong '^bad.cfg:2: .*threshold is "5000"; expected a number from 0 to 4095' 'inst_retired/threshold=5000/'
wrong '^bad.cfg:2: .*the terms do not end' 'inst_retired/threshold=2'
wrong '^bad.cfg:2: .*unknown modifier "x"' inst_retired:ux
wrong '^bad.cfg:2: .*the range is empty' 'inst_retired/threshold=4..2/'
wrong '^bad.cfg:2: a linked counter needs an event counter of its own before it$' 'inst_retired/link=true/'
# A linked counter is behind an unlinked event counter: not behind another linked one, and not behind a fixed one.
for list in 'inst_retired stall_backend/threshold=1..2,threshold_compare=2,link=true/' 'inst_retired chain chain' \
  'inst_retired pmccntr stall_backend/threshold=1,link=true/' 'inst_retired pmicntr chain' chain; do
  wrong '^bad.cfg:2: a linked counter needs an event counter of its own before it$' "$list"
done
wrong '^bad.cfg:2: .*skid needs a period' 'inst_retired/skid=3/'
wrong '^bad.cfg:2: .*period is "0"; expected a number from 1 to 2147483647' 'inst_retired/period=0/'
wrong '^bad.cfg:2: .*only an event counter can have a period' 'pmccntr/period=100/'
wrong '^bad.cfg:3: pmccntr, pmicntr: each is once in a PMU' $'pmccntr\npmccntr'
wrong '^bad.cfg:2: .*threshold_compare and threshold_count need threshold, edge or link' 'inst_retired/threshold_compare=2,threshold_count=1/'
wrong '^bad.cfg:2: .*need threshold, edge or link' 'inst_retired/threshold_count=0,edge=0/'
# Conditions that the architecture reserves (ILQXJZ/3 to ILQXJZ/5), at even and odd places, with each choice.
# The terms that are expected are legal.
reserved() { # TERMS EXPECTED
  for counter in "stall_frontend/$1/" "instructions stall_frontend/$1/"; do
    case $1 in *link*) [ "$counter" = "stall_frontend/$1/" ] && continue ;; esac
    for choice in a b; do
      printf '%s\n' 'pmuv3-explore 1' "param K-RESTC=$choice" "$counter" >bad.cfg
      unusable "^bad.cfg:3: stall_frontend/$1/: the architecture reserves these terms together; expected one of $2\$" t.pmt --config bad.cfg
    done
  done
}
reserved edge 'threshold_count=1, threshold_compare=1, threshold_compare=3, edge=0'
reserved edge,threshold=1 'threshold_count=1, threshold_compare=1, threshold_compare=3, edge=0'
reserved edge,threshold=1,threshold_compare=2 'threshold_count=1, threshold_compare=1, threshold_compare=3, edge=0'
reserved threshold=1,threshold_count,link=true 'threshold_count=0, edge=1, link=false, no link'
reserved threshold=1,threshold_compare=2,threshold_count,link=true 'threshold_count=0, edge=1, link=false, no link'
reserved threshold=1,threshold_compare=3,edge,link=false 'edge=0, link=true, no link'
reserved threshold=1,threshold_compare=2,threshold_count,edge,link=false 'edge=0, link=true, no link'
reserved edge,link=false edge=0
reserved edge,link=true 'threshold_count=1, threshold_compare=1, threshold_compare=3, edge=0'
# Legal ones: in 1,000 episodes of stalls, 2,000 edges. The first cycle, which does not stall, has an edge of "less".
printf '%s\n' 'pmuv3-explore 1' stall_frontend/threshold=1,threshold_compare={1,3},edge/ \
  stall_frontend/threshold=1,threshold_compare=2,threshold_count,edge,name=begins/ >edges.cfg
status 0 t.pmt --config edges.cfg --csv edges.csv --interval 16000
[ "$(tail -n 1 edges.csv)" = 0,16000,2000,2001,1000 ] || fail "edges: $(cat edges.csv)"
# What the trace does not have would count 0.
wrong '^bad.cfg:2: L1D_CACHE: the trace has no column of event 0x0004 of thread 0' L1D_CACHE
wrong '^bad.cfg:3: .*the trace has no column of event 0x0004' $'sw_incr,chain\ninst_retired r4'
"$sample" own.pmt 100 own || fail "the sample of others' events"
printf '%s\n' 'pmuv3-explore 1' pmicntr >own.cfg
unusable '^own.cfg:2: pmicntr: the trace has no column of event 0x0008' own.pmt --config own.cfg --param events=none --param event=0x0008
"$sample" threads.pmt 100 threads || fail "the sample of two threads"
printf '%s\n' 'pmuv3-explore 1' stall_backend_mem inst_retired >threads.cfg
status 0 threads.pmt --config threads.cfg
for text in 'inst_retired: 0x0008 of thread 1' 'stall_backend_mem: 0x0024 of thread 0, which event 0x4005 needs with mt'; do
  printf '%s\n' 'pmuv3-explore 1' "${text%%:*}/mt/" >threads.cfg
  unusable "^threads.cfg:2: ${text%%:*}/mt/: the trace has no column of event ${text#*: }" threads.pmt --config threads.cfg
done
# MT needs nothing more if there is one thread, or all threads have a column.
for list in 'threads.pmt stall_frontend/mt/' 't.pmt stall_backend/mt/ inst_retired/mt/'; do
  printf '%s\n' 'pmuv3-explore 1' "${list#* }" >threads.cfg
  status 0 "${list%% *}" --config threads.cfg
done
# Nothing where something is expected.
for text in inst_retired: inst_retired//u inst_retired/edge,/; do wrong '^bad.cfg:2: .*: expected a (modifier|term)' "$text"; done
wrong '^bad.cfg:2: .*event= beside the event "inst_retired"; expected one of both' inst_retired/event=r11/
wrong '^bad.cfg:2: expected the name of the PMU' $'pmu thread=0\ninst_retired'
printf '%s\n' 'pmuv3-explore 1' 'param counters=4' inst_retired >params.cfg
for option in --param=counters=8 --core=neoverse-n1; do
  unusable '^params.cfg:2: a param line beside --core or --param; expected one of both' t.pmt --config params.cfg $option
done
unusable '^pmuv3 explore: --shard-pmus needs --shards' t.pmt --config good.cfg --shard-pmus 3
unusable '^pmuv3 explore: --shard-pmus needs --shards' t.pmt --verify --shard-pmus 3
# What is given twice.
for text in threshold=1,threshold=2 threshold=1,threshold=1 edge=1,edge=0 edge,edge event=r8,event=r8 name=a,name=b long,long; do
  wrong "^bad.cfg:2: .*${text%%[=,]*} is given twice; expected it once" "inst_retired/$text/"
done
wrong '^bad.cfg:2: .*modifier "u" is given twice; expected it once' inst_retired:uku
wrong '^bad.cfg:4: there is a PMU a already; expected another name' $'pmu a\ninst_retired\npmu a'
wrong '^bad.cfg:2: thread= is given twice; expected it once' 'pmu a thread=0 thread=0'
wrong '^bad.cfg:2: the line ends too early; expected param NAME=VALUE' param
wrong '^bad.cfg:2: counters is given twice; expected it once' 'param counters=4 counters=5'
wrong '^bad.cfg:3: counters is given twice; expected it once' $'param counters=4\nparam counters=4'
wrong '^bad.cfg:2: the trace says how many threads there are' 'param threads=1'
for option in --param=counters=2 --param=event=0x00C6,MINE; do
  unusable '^pmuv3 explore: (counters|event 0x00c6) is given twice' t.pmt --config good.cfg "$option" "$option"
done
# A core takes the place of all parameters, so it is the first of them, under each of its names.
for core in --core=cortex-a53 --param=core=cortex-a53; do
  for before in --param=counters=2 --param=core=neoverse-n1 --param=event=0x00C6,MINE; do
    unusable '^pmuv3 explore: a core comes before every other parameter, and once$' t.pmt --config good.cfg "$before" "$core"
  done
  status 0 t.pmt --config core.cfg "$core" --param counters=2 --json core.json
  [ "$(jq .params.counters core.json)" = 2 ] || fail "$core: $(jq -c .params core.json)"
done
unusable '^pmuv3 explore: a core comes before every other parameter, and once$' t.pmt --config good.cfg --core cortex-a53 --param core=neoverse-n1
unusable '^pmuv3 explore: --seed needs --check' t.pmt --config good.cfg --seed 2
for option in --interval=100 --core=neoverse-n1 --param=counters=2 --jobs=2 -j2 --vectors=none --csv=new.csv; do
  unusable '^pmuv3 explore: --(interval|core|param|jobs|vectors|csv) needs --config or --ask' t.pmt --verify "$option"
done
unusable '^pmuv3 explore: --seed needs --check' t.pmt --verify --seed 2
left new.csv
for text in pmccntr:k pmicntr/threshold=4,threshold_compare=1/ pmccntr/edge/ pmicntr/link=true/ pmccntr/threshold_count/; do
  wrong '^bad.cfg:2: .*pmccntr and pmicntr take no term but name, and no modifier' "$text"
done
wrong '^bad.cfg:2: a write belongs to a PMU' 'write PMCR_EL0 1'
wrong '^bad.cfg:4: the trace has no column of event 0x1234 of thread 0' $'pmu a\ninst_retired\nwrite PMEVTYPER0_EL0 0x1234'
wrong '^bad.cfg:2: pmccntr/edge=0/: pmccntr and pmicntr take no term' 'pmccntr/edge=0/'
wrong '^bad.cfg:2: there is no counter' '# nothing'
wrong '^bad.cfg:2: .*unknown parameter' 'param colour=blue'
printf '%s\n' 'pmuv3-explore 1' 'param features=PMUv3p9' 'inst_retired/threshold=2/' >old.cfg
unusable '^old.cfg:3: .*thresholds need TH' t.pmt --config old.cfg
# Texts of any length are taken whole, or refused.
long=$(printf '%3000s' x | tr ' ' x)
wrong '^bad.cfg:2: x{40}\.\.\.: expected a counter of at most 159 characters' "$long"
for text in "inst_retired/name=$long,threshold=1..4/" "inst_retired/event=$long/" "inst_retired/$long=1/" \
  "inst_retired/long=${long//x/0}1,threshold=1..4/" "inst_retired/threshold=$long/" "inst_retired/$(printf '%200s' , | tr ' ' ,)threshold=1..4/" "inst_retired:$long"; do
  wrong '^bad.cfg:2: .*: expected a counter of at most 159 characters' "$text"
done
wrong '^bad.cfg:2: x{40}\.\.\.: expected a name of at most 47 characters' "pmu $long"
for text in "write $long 1" "write PMCR_EL0 $long" "param $long=1" "param counters=$long" "pmu a thread=$long" "pmu a $long"; do
  wrong '^bad.cfg:2: ' "$text"
done
word=$(printf '%140s' x | tr ' ' x)
printf '%s\n' 'pmuv3-explore 1' "inst_retired/name=$word/" "inst_retired/name=$word/" >long.cfg
status 0 t.pmt --config long.cfg --csv long.csv
[ "$(head -1 long.csv)" = "cycle,cycles,$word,$word#2" ] || fail "long names: $(head -1 long.csv)"
wrong '^bad.cfg:3: the trace has no cycle 16000: its last one is 15999' $'pmu a\nwrite @16000 PMCR_EL0 0\ninst_retired'
printf 'pmuv3-explore 1\ninst_retired\nstall_frontend\0 stall_backend\n' >nul.cfg
unusable '^nul.cfg:3: a NUL byte' t.pmt --config nul.cfg

# Thousands of equal names are numbered in a moment; pairs of names that are compared would take minutes.
{ echo 'pmuv3-explore 1'; for _ in {1..20}; do echo 'inst_retired/threshold=0..4095/'; done; } >equal.cfg
timeout 30 "$program" t.pmt --config equal.cfg --csv equal.csv --interval 16000 >out 2>err || fail "equal names: $(cat err)"
[ "$(head -n 1 equal.csv | tr ',' '\n' | sort -u | wc -l)" = $((2 + 20 * 4096)) ] || fail "equal names are not numbered"
head -n 1 equal.csv | grep -q ',inst_retired/threshold=7/#20,' || fail "equal names: $(head -c 900 equal.csv)"
# A name may have any bytes; JSON and CSV are texts.
printf 'pmuv3-explore 1\npmu \xe4\ninst_retired/name=a\xff"b/\n' >bytes.cfg
status 0 t.pmt --config bytes.cfg --json bytes.json
iconv -f UTF-8 -t UTF-8 bytes.json >/dev/null || fail "the JSON file is no UTF-8"
jq -e '.counters[0].name == "a\ufffd\"b" and .counters[0].pmu == "\ufffd"' bytes.json >/dev/null || fail "the JSON file: $(grep name bytes.json)"
mkdir $'two\nlines'
ln -s $'two\nlines' linked
unusable "^pmuv3 explore: --plot: 'linked/p.svg' has the end of a line in its path" t.pmt --config good.cfg --plot linked/p.svg
unusable "^pmuv3 explore: --plot: 'two\?lines/p.svg' has the end of a line in its path" t.pmt --config good.cfg --plot $'two\nlines/p.svg'

# What is no file that ends.
mkdir folder
mkfifo pipe
for file in folder pipe /dev/zero /dev/tty; do
  unusable "^pmuv3 explore: --config: cannot read '$file': " t.pmt --config "$file"
done
for file in folder pipe /dev/zero; do unusable "^pmuv3 explore: TRACE: cannot read '$file': " "$file" --config good.cfg; done
rm pipe
"$program" t.pmt --config <(cat good.cfg) >out 2>err || fail "a configuration through a pipe: $(cat err)"
# Damage in a column that a question does not read: --verify finds it.
"$sample" noise.pmt 70000 noise || fail "the sample"
cp noise.pmt damaged.pmt
printf '\xFF' | dd of=damaged.pmt bs=1 seek=45000 conv=notrunc status=none
echo 'pmuv3-explore 1
inst_retired' >one.cfg
status 0 damaged.pmt --config one.cfg
unusable '^pmuv3 explore: damaged.pmt: block 0, from cycle 0 on, is damaged' damaged.pmt --config one.cfg --verify
unusable '^pmuv3 explore: damaged.pmt: block 0, from cycle 0 on, is damaged' damaged.pmt --verify
unusable '^pmuv3 explore: damaged.pmt: block 0, from cycle 0 on, is damaged' damaged.pmt --verify --ask width
status 0 noise.pmt --verify
[ "$(cat out)" = 'noise.pmt: 2 blocks of 5 columns are undamaged' ] || fail "--verify: $(cat out)"
unusable '^pmuv3 explore: --check needs --config' t.pmt --verify --check 1
unusable '^pmuv3 explore: --plot needs --config or --ask' t.pmt --verify --plot p.svg
head -c 800 t.pmt >cut.pmt
unusable '^pmuv3 explore: cut.pmt: is not whole' cut.pmt --config good.cfg
all_held
