#!/usr/bin/env bash
# `pmuv3 explore` of traces whose thread changes its state. Usage: states_test.sh PROGRAM SAMPLE
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
sample=$2
NS=0 S=1 RL=2 RT=3

questions=(width episodes coincide topdown multiplex 'bias --period 10')

# ask TRACE OPTION...: writes the table and the text of each question to TRACE.QUESTION.
ask() {
  local question
  for question in "${questions[@]}"; do
    # shellcheck disable=SC2086  # a question and its option
    status 0 "$1" --ask $question "${@:2}" --csv table.csv
    cat table.csv out >"$1.${question%% *}"
  done
}

# same TRACE OPTION...: the answers are those of all.pmt, whose thread never leaves Non-secure EL1.
same() {
  ask "$@"
  for question in "${questions[@]%% *}"; do
    cmp -s "all.pmt.$question" "$1.$question" ||
      fail "$*, $question: $(diff "all.pmt.$question" "$1.$question")"
  done
}

# A question is about all counts of the trace: no state is left out.
"$sample" all.pmt 16000 slots || fail "the sample"
ask all.pmt
grep -qx 'retiring,18.75' all.pmt.topdown || fail "topdown: $(cat all.pmt.topdown)"
for state in 0,$NS 2,$NS 0,$S 1,$S 2,$S 0,$RL 1,$RL 2,$RL 3,$RT; do
  "$sample" state.pmt 16000 slots "$state,0,2" || fail "the sample in state $state"
  same state.pmt
done
# EL3 without RME; without EL2; without Debugv8p2; in AArch32 alone.
"$sample" state.pmt 16000 slots 3,$S,0,2 || fail "the sample at EL3"
same state.pmt --param features=TH2,PMUv3p9,SEL2
"$sample" state.pmt 16000 slots 1,$S,0,2 || fail "the sample in Secure EL1"
same state.pmt --param el2=0
same state.pmt --param el3=0 --param features=TH2,PMUv3p9
questions=(topdown)
same state.pmt --param debugv8p2=0 --param features=PMUv3p1
"$sample" state.pmt 16000 slots 0,$S,0,2 || fail "the sample in Secure EL0"
same state.pmt --param aa64=0

# What is not attributable is not counted in Debug state either.
"$sample" halted.pmt 16000 turns 1,$NS,1,4 || fail "the sample that halts"
unusable '^pmuv3 explore: .*L1D_CACHE occurs in cycle 4, in a state in which no counter counts' halted.pmt --ask width --event l1d_cache

# Each kind of counter counts in EL0 to EL2.
for state in 2,$NS 0,$NS 1,$NS; do
  "$sample" state.pmt 16000 slots "$state,0,2" || fail "the sample in state $state"
  printf '%s\n' 'pmuv3-explore 1' inst_retired cpu_cycles pmccntr pmicntr >fixed.cfg
  status 0 state.pmt --config fixed.cfg --csv fixed.csv --interval 16000
  [ "$(tail -n 1 fixed.csv)" = 0,16000,10000,16000,16000,10000 ] || fail "EL,SS $state: $(cat fixed.csv)"
done
status 0 state.pmt --param el2=0 --config fixed.cfg

# A configuration has the controls that follow a reset, unless it writes others.
for state in 1,$S 3,$RT; do
  "$sample" state.pmt 16000 slots "$state,0,2" || fail "the sample in state $state"
  printf '%s\n' 'pmuv3-explore 1' 'pmu reset' inst_retired 'pmu permitted' inst_retired \
    inst_retired:u 'write MDCR_EL3 0x10020000' >controls.cfg
  status 0 state.pmt --config controls.cfg --csv controls.csv --interval 16000
  [ "$(tail -n 1 controls.csv)" = 0,16000,3000,10000,0 ] || fail "controls: $(cat controls.csv)"
done

# No counter counts in Debug state. Instructions retire in phases 0 to 3.
"$sample" halted.pmt 16000 slots 1,$NS,1,3 || fail "the sample in Debug state"
for question in width coincide topdown multiplex 'bias --period 10'; do
  # shellcheck disable=SC2086  # a question and its option
  unusable '^pmuv3 explore: halted.pmt: [A-Z_]+ occurs in cycle 3, in a state in which no counter counts it: el=1 ss=NS halted=1 active=1 wfx=0$' \
    halted.pmt --ask $question
done
unusable ': STALL_FRONTEND occurs in cycle 4, ' halted.pmt --ask width --event stall_frontend
# Stalls may count in the cycles of CPU_CYCLES alone. Here the thread is in WFx while the back end stalls.
keeps=(--param K-STALL-CYCLES=cpu_cycles)
"$sample" wfx.pmt 16000 slots 1,$NS,0,8,1 || fail "the sample in WFx"
for question in coincide multiplex 'bias --event stall_backend' 'width --event stall_backend' 'episodes --event stall_backend'; do
  # shellcheck disable=SC2086  # a question and its option
  unusable ': STALL_[A-Z_]+ occurs in cycle 8, in a state in which no counter counts it: .* wfx=1$' wfx.pmt "${keeps[@]}" --ask $question
  # shellcheck disable=SC2086
  status 0 wfx.pmt --ask $question
done
status 0 wfx.pmt "${keeps[@]}" --ask episodes --event stall_frontend
status 0 wfx.pmt "${keeps[@]}" --ask topdown
# What occurs elsewhere is answered.
"$sample" halted.pmt 16000 slots 1,$NS,1,4 || fail "the sample in Debug state"
status 0 halted.pmt --ask width --csv width.csv
printf '%s\n' 'at least,cycles,"share, %"' 1,4000,25 2,3000,18.750 3,2000,12.500 4,1000,6.250 |
  diff - width.csv || fail "width with idle Debug state"
unusable ': STALL_FRONTEND occurs in cycle 4, ' halted.pmt --ask episodes
status 0 halted.pmt --config <(printf '%s\n' 'pmuv3-explore 1' stall_frontend)
grep -qE '^stall_frontend +0 ' out || fail "a configuration counts by the rules: $(cat out)"

# A thread in WFx or in Debug state has no Slots: of 8 cycles in 16 that have them, operations fill
# 16 of 32, the front end loses 16.
for state in 1,$NS,0,8,1 1,$NS,1,8; do
  "$sample" idle.pmt 16000 idle "$state" || fail "the sample that idles"
  status 0 idle.pmt --ask topdown --csv topdown.csv --plot topdown.svg
  printf '%s\n' 'Slots,"share, %"' retiring,37.50 'bad speculation,12.50' 'frontend bound,50' 'backend bound,0' |
    diff - topdown.csv || fail "topdown in state $state"
  status 0 idle.pmt --ask topdown --interval 64 --plot topdown.svg
done
# Slots that a core presents in WFx are of no cycle, whatever the parameters make of them.
"$sample" waits.pmt 16000 slots "1,$NS,0,8,1" || fail "the sample that waits"
for options in '' '--param K-STALL-CYCLES=presented' '--core neoverse-n1' '--param event=0x003F,class=COUNT'; do
  # shellcheck disable=SC2086  # an option and its value, or none
  status 0 waits.pmt $options --ask topdown --csv topdown.csv
  printf '%s\n' 'Slots,"share, %"' retiring,37.50 'bad speculation,12.50' 'frontend bound,50' 'backend bound,0' |
    diff - topdown.csv || fail "topdown of Slots in WFx, $options"
done

# A state that the parameters do not have.
"$sample" wrong.pmt 160 slots 3,$NS,0,2 || fail "the sample in an impossible state"
says='^pmuv3 explore: wrong.pmt: the state of thread 0 in cycle 2 does not fit: el=3 is in ss=RT, with RME$'
unusable "$says" wrong.pmt --ask width
unusable "$says" wrong.pmt --config <(printf '%s\n' 'pmuv3-explore 1' inst_retired)
all_held
