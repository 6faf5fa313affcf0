#!/usr/bin/env bash
# `pmuv3 replay` for a user. Usage: replay_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

counts 3
sed 's/expect PMEVCNTR0_EL0 3/expect PMEVCNTR0_EL0 4/' good.stim >wrong.stim
sed 's/idle 1/idle one/' good.stim >bad.stim
sed 's/idle 1/cycle ext:0xE02=1/' good.stim >offset.stim
sed 's/idle 1/mrs PMCR_EL0 undefined/' good.stim >judged.stim
sed 's/counters=2/counters=2 K-MT-LEGACY=rw/' good.stim >together.stim
sed 's/idle 1/pe 0 el=3 ss=NS/' good.stim >state.stim

unusable '^pmuv3 replay: '
unusable '^pmuv3 replay: ' --no-such-option good.stim
unusable '^pmuv3 replay: ' --side neither good.stim
unusable '^pmuv3 replay: ' --trace
unusable '^pmuv3 replay: ' --trace trace.csv good.stim good.stim
unusable '^pmuv3 replay: --wave-last needs --wave' --wave-last 3 good.stim
unusable '^pmuv3 replay: ' --trace absent/directory/trace.csv good.stim
unusable '^missing.stim:1: ' missing.stim
unusable '^bad.stim:7: ' bad.stim
unusable '^bad.stim:7: ' good.stim bad.stim
unusable '^bad.stim:7: ' --trace trace.csv bad.stim
unusable '^offset.stim:7: .*multiple of 4' offset.stim
unusable '^together.stim:2: .*K-MT-LEGACY' together.stim
unusable '^state.stim:7: ' state.stim
left trace.csv

# The trace, written by hand from the rules. Counter 1 counts SW_INCR, which does not occur.
cat >expected.csv <<'TRACE'
cycle,thread,counter,allowed,VB,CT,CP,CE,VT,VE,V,value,overflow,pulse
0,0,0,1,3,1,0,0,3,0,3,3,0,0
0,0,1,1,0,0,0,0,0,0,0,0,0,0
1,0,0,1,0,0,1,0,0,0,0,3,0,0
1,0,1,1,0,0,0,0,0,0,0,0,0,0
TRACE
for side in cmodel rtl both; do
  status 0 --side "$side" --trace trace.csv good.stim
  diff expected.csv trace.csv || fail "the trace of $side"
  status 1 --side "$side" wrong.stim good.stim
  grep -q '^wrong.stim:8: .*PMEVCNTR0_EL0' out err || fail "the failed expectation: $(cat out err)"
  grep -q '^good.stim: 2 cycles, 1 expectations held' out || fail "the summary: $(cat out)"
  status 1 --side "$side" judged.stim
  grep -q '^judged.stim:7: expected mrs PMCR_EL0: undefined, got done$' err ||
    fail "the failed result of an access: $(cat err)"
done

# Two threads. Thread 0 counts both threads' instructions. Thread 1 counts its own until it halts.
cat >threads.stim <<'STIM'
pmuv3-stimulus 1
param counters=1 threads=2
write PMEVTYPER0_EL0 0x02000008
write PMCNTENSET_EL0 1
write PMCR_EL0 1
write @1 PMEVTYPER0_EL0 0x00000008
write @1 PMCNTENSET_EL0 1
write @1 PMCR_EL0 1
pe 1 el=0
cycle 0x0008:3 0x0008:2@1
pe 1 halted=1
cycle 0x0008:1 0x0008:4@1
idle 1
expect PMEVCNTR0_EL0 6
expect @1 PMEVCNTR0_EL0 2
STIM
sed 's/expect @1 PMEVCNTR0_EL0 2/expect @1 PMEVCNTR0_EL0 6/' threads.stim >threads_wrong.stim
cat >expected_threads.csv <<'TRACE'
cycle,thread,counter,allowed,VB,CT,CP,CE,VT,VE,V,value,overflow,pulse
0,0,0,1,5,1,0,0,5,0,5,5,0,0
0,1,0,1,2,1,0,0,2,0,2,2,0,0
1,0,0,1,1,1,1,0,1,0,1,6,0,0
1,1,0,0,0,0,1,0,0,0,0,2,0,0
2,0,0,1,0,0,1,0,0,0,0,6,0,0
2,1,0,0,0,0,0,0,0,0,0,2,0,0
TRACE
for side in cmodel rtl both; do
  status 0 --side "$side" --trace trace.csv threads.stim
  diff expected_threads.csv trace.csv || fail "the trace of two threads of $side"
  status 1 --side "$side" threads_wrong.stim
  grep -q '^threads_wrong.stim:15: expected @1 PMEVCNTR0_EL0 0x6, got 0x2$' err ||
    fail "the failed expectation of thread 1: $(cat err)"
done

printf 'pmuv3-stimulus 1\nparam counters=0 threads=2\nidle 3\n' >none.stim
status 0 --trace none.csv none.stim
diff <(head -n 1 expected.csv) none.csv || fail "with no counters the header alone"

# ---- Outputs ----
refuses_others --trace good.stim good.stim
refuses_others --wave good.stim good.stim
refuses_streams --wave good.stim
unusable "^pmuv3 replay: --wave: cannot write './same': it is --trace, too" --trace same --wave ./same good.stim
left same

# The target of a symbolic link is replaced, and keeps its mode. A name may contain a newline, and may have the
# maximal length.
mkdir folder
echo old >folder/target
chmod 640 folder/target
ln -s folder/target link
status 0 --trace link good.stim
diff expected.csv folder/target || fail "what a link points to"
[ -L link ] || fail "a link was replaced"
[ "$(stat -c %a folder/target)" = 640 ] || fail "the rights of a file: $(stat -c %a folder/target)"
long=$(printf '%255s' '' | tr ' ' x)
for name_of in $'two\nlines' "$long"; do
  status 0 --trace "$name_of" good.stim
  diff expected.csv "$name_of" || fail "the trace in a file of a strange name"
  rm "$name_of"
done
cp bad.stim $'two\nlines'
unusable '^two.lines:7: ' $'two\nlines'

# A file of events is beside the stimulus, whatever the folder's name is. No other folder is taken for that one.
mkdir $'a\tb' 'a?b'
printf 'pmuv3-events 1\nevent 0x0008\n' >$'a\tb/x.events'
sed 's/^param counters=2/& events=x.events/' good.stim >$'a\tb/s.stim'
status 0 $'a\tb/s.stim'
mv $'a\tb/x.events' 'a?b'
unusable '^a\?b/s.stim:2: events=x.events cannot be opened: No such file' $'a\tb/s.stim'

# A pipe with a name could wait forever, and a device never end.
mkfifo named.pipe
for file in named.pipe /dev/zero; do unusable "^$file:1: cannot be opened: not a regular file; expected a stimulus file$" "$file"; done
status 0 <(cat good.stim)

# Devices, pipes and open descriptors are written in place.
mkfifo pipe
cat pipe >piped &
status 0 --trace pipe good.stim
wait $!
diff expected.csv piped || fail "the trace in a pipe"
[ -p pipe ] || fail "a pipe was replaced"
status 0 --trace /dev/null good.stim
[ -c /dev/null ] || fail "a device was replaced"
for stdout in /dev/stdout /dev/fd/1; do
  status 0 --trace "$stdout" good.stim
  (cat expected.csv && echo 'good.stim: 2 cycles, 1 expectations held') | diff - out ||
    fail "the trace on standard output"
done
[ -L /dev/stdout ] || fail "/dev/stdout was replaced"
for other in --trace --wave; do
  # shellcheck disable=SC2094
  "$program" "$other" out good.stim >out 2>err && fail "$other is standard output"
  grep -q "^pmuv3 replay: $other: cannot write 'out': it is standard output, too" err || fail "$other is standard output: $(cat err)"
done
cp good.stim kept.stim
# shellcheck disable=SC2094
"$program" kept.stim >>kept.stim 2>err && fail "standard output is the input"
diff good.stim kept.stim || fail "the input was changed by standard output"

# A file that a stimulus names is an input, too.
printf 'pmuv3-events 1\nevent 0x0008\nevent 012\n' >some.events
cp some.events before
sed 's/^param counters=2/& events=some.events/' good.stim >named.stim
status 0 named.stim
for option in --trace --wave; do
  for file in some.events ./some.events; do
    unusable "^pmuv3 replay: $option: cannot write '.*': it is an input, too" "$option" "$file" named.stim
    cmp -s some.events before || fail "$option $file: a file of events was replaced"
  done
done
unusable '^pmuv3 replay: --trace: .*: it is an input, too' named.stim --trace some.events
# A leading zero does not make a number octal.
sed 's/^param counters=2/& event=012/' good.stim >zero.stim
status 0 zero.stim

# The disk is full, or becomes full: no file is left, and no old file is lost.
printf 'pmuv3-stimulus 1\nparam counters=31\nidle 1000\n' >long.stim
echo old >kept.csv
status 2 --trace /dev/full good.stim
grep -qx "pmuv3 replay: --trace: cannot write '/dev/full': No space left on device" err || fail "a full device: $(cat err)"
(ulimit -f 8; status 2 --trace kept.csv long.stim; exit "$failures") || failures=$((failures + 1))
grep -qx "pmuv3 replay: --trace: cannot write 'kept.csv': File too large" err || fail "a file too large: $(cat err)"
[ "$(cat kept.csv)" = old ] || fail "half a trace was written"
nothing_grows
checks_stdout 0 good.stim
diverges=1 checks_stdout 1 wrong.stim

# A killed program leaves no file.
printf 'pmuv3-stimulus 1\nparam counters=31\nidle 1000000000\n' >endless.stim
for signal in TERM INT HUP; do
  env --default-signal=INT "$program" --side cmodel --trace kept.csv endless.stim >out 2>err &
  for _ in {1..500}; do
    [ -z "$(find . -path './.pmuv3-*/*' -size +0)" ] || break
    sleep 0.01
  done
  kill -s "$signal" $!
  wait $! 2>/dev/null && fail "it survived SIG$signal"
  nothing_grows
  [ "$(cat kept.csv)" = old ] || fail "half a trace was written before SIG$signal"
done

# Memory that runs out is no verdict.
# Sanitizers reserve more memory than the limit.
grep -q __asan_init "$program" ||
  (ulimit -v 400000; status 3 <(cat /dev/zero); exit "$failures") || failures=$((failures + 1))

# ---- Messages ----
unusable "^pmuv3 replay: unusable option '--wave': its value, OUT.fst, is missing" good.stim --wave
unusable "^pmuv3 replay: unusable option '--wav': it is ambiguous" --wav x good.stim
unusable "^pmuv3 replay: unusable option '-x'" -x good.stim
for second in '--trace b' '--trace=b' '--tr b'; do
  # shellcheck disable=SC2086
  unusable "^pmuv3 replay: unusable option '--trace': it is given twice" --trace a $second good.stim
done
status 0 --trace a --defaults-end --trace b good.stim
left a
cp good.stim ./--help
status 0 -- --help
grep -q '^--help: 2 cycles' out || fail "a file behind --: $(cat out)"
POSIXLY_CORRECT=1 status 0 good.stim --side cmodel
POSIXLY_CORRECT=1 unusable "--side takes" good.stim --side neither

all_held
