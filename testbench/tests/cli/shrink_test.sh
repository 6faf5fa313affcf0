#!/usr/bin/env bash
# `pmuv3 shrink` for a user, on files that do not diverge. testbench/cosim/shrink/measure.sh tests divergences.
# Usage: shrink_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

counts 4

# A pipe is read like a file. A NUL byte is refused.
status 0 <(cat good.stim) -o piped.stim
unusable '^/dev/fd/[0-9]+:[0-9]+: ' <(cat good.stim; printf 'cycle\0\n') -o piped.stim
sed 's/cycle 0x0008:3/cycle 0x0008/' good.stim >bad.stim

unusable '^pmuv3 shrink: '
unusable '^pmuv3 shrink: ' --no-such-option good.stim
unusable '^pmuv3 shrink: ' good.stim good.stim
unusable '^pmuv3 shrink: ' --seconds 0 good.stim
unusable '^pmuv3 shrink: ' --seconds soon good.stim
unusable '^pmuv3 shrink: ' --x-seed 0 good.stim
unusable '^pmuv3 shrink: ' good.stim -o
unusable '^pmuv3 shrink: ' good.stim -o absent/directory/out.stim
unusable '^pmuv3 shrink: ' good.stim --test absent/directory/test.cc
unusable '^missing.stim:1: ' missing.stim
unusable '^bad.stim:6: ' bad.stim
unusable '^\.:1: ' .
left good.min.stim test.cc

# A failed expectation is no divergence.
status 0 good.stim --seconds 5 --same --test test.cc
left good.min.stim test.cc
grep -qx 'good.stim: no divergence, so nothing to shrink' out || fail "what it says: $(cat out)"
status 0 --help
grep -q 'docs/howto/shrink.md' out || fail "no help: $(cat out)"


# ---- Outputs ----
for option in -o --test; do
  refuses_others "$option" good.stim good.stim
  refuses_streams "$option" good.stim
done
printf 'pmuv3-events 1\nevent 0x0008\n' >some.events
cp some.events before
sed 's/^param counters=2/& events=some.events event=0x0009/' good.stim >named.stim
status 0 named.stim -o other.stim
for option in -o --test; do
  unusable "^pmuv3 shrink: $option: cannot write 'some.events': it is an input, too" named.stim "$option" some.events
done
cmp -s some.events before || fail "a file of events was replaced"
# A core's preset is beside the stimulus, and is read once: what is shrunk has its parameters.
mkdir beside
printf 'pmuv3-core 1\nparam counters=8\n' >beside/my.core
printf 'pmuv3-stimulus 1\nparam core=./my.core\nwrite PMEVCNTR7_EL0 1\ncycle\n' >beside/core.stim
status 0 beside/core.stim -o other.stim
grep -qx 'beside/core.stim: no divergence, so nothing to shrink' out || fail "a preset beside the stimulus: $(cat out)"
unusable "^pmuv3 shrink: --test: cannot write 'good.min.stim': it is -o, too" good.stim --test good.min.stim
ln -s good.stim good.min.stim
unusable "^pmuv3 shrink: -o: cannot write 'good.min.stim': it is an input, too" good.stim
# Nobody gave the default name: a file of somebody else stays, and what a link leads to.
ln -sf mine good.min.stim
echo precious >mine
unusable "^pmuv3 shrink: cannot write 'good.min.stim': not a regular file; give -o OUT" good.stim
mv mine good.min.stim
unusable "^pmuv3 shrink: cannot write 'good.min.stim': it is not as pmuv3 made it; give -o OUT" good.stim
status 0 good.stim -o good.min.stim
[ "$(cat good.min.stim)" = precious ] || fail "good.min.stim was changed"
rm good.min.stim
# The list of what was made there is looked at before anything runs, too.
for list in 'ln -s mine' 'ln other.list' mkdir mkfifo; do
  mkdir -p listed
  : >other.list
  cp good.stim listed
  (cd listed && ${list/other/../other} .pmuv3.list)
  unusable "^pmuv3 shrink: cannot write 'listed/good.min.stim': the .pmuv3.list beside it is not as pmuv3 made it; give -o OUT" listed/good.stim
  rm -rf listed
done
checks_stdout 0 good.stim -o other.stim
# A name is shown in one line.
cp good.stim $'a\tb.stim'
status 0 $'a\tb.stim'
[ "$(cat out)" = 'a?b.stim: no divergence, so nothing to shrink' ] || fail "a control character: $(cat out)"
unusable "^pmuv3 shrink: unusable option '--se': its value" good.stim --se
unusable "^pmuv3 shrink: unusable option '--same': it takes no value" good.stim --same=1
unusable "^pmuv3 shrink: unusable option '--s': it is ambiguous" good.stim --s
left other.stim

# A pipe with a name could wait forever, and a device never end.
mkfifo named.pipe
for file in named.pipe /dev/zero; do unusable "^$file:1: cannot be read: not a regular file; expected a stimulus file$" "$file"; done

# Memory that runs out is no verdict, also on a file without an end.
# Sanitizers reserve more memory than the limit.
grep -q __asan_init "$program" ||
  (ulimit -v 400000; status 3 <(cat /dev/zero); exit "$failures") || failures=$((failures + 1))

all_held
