#!/usr/bin/env bash
# `pmuv3 run` reports a divergence, whatever happens to the other co-simulations. Usage: run_killed_test.sh
# PROGRAM, where PROGRAM is pmuv3-run with cosim_stand_in.c.
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

# '1 counter' comes before 'no counters' in the order of tasks, and is killed after 'no counters' diverged.
status 1 --cycles 24000 --jobs 24 --no-shrink --json found.json
[ "$(tail -n 1 out)" = diverged ] || fail "last line: $(tail -n 1 out)"
grep -qx "pmuv3 run: a co-simulation of '1 counter' ended early" err || fail "not told: $(cat err)"
[ -s divergence/stimulus.stim ] || fail "the divergence was not kept"
jq -e '.verdict == "diverged" and .first_divergence.configuration == "no counters"
       and (.runs[] | select(.name == "1 counter") | .verdict) == "not finished"' found.json >/dev/null ||
  fail "JSON: $(cat found.json)"

# A name that is not UTF-8 is converted to UTF-8 in JSON.
status 1 --counters 0 --cycles 1000 --no-shrink --out $'odd\xff\xc3\xa9' --json odd.json
[ -s $'odd\xff\xc3\xa9/stimulus.stim' ] || fail "the divergence was not kept"
iconv -f UTF-8 -t UTF-8 odd.json >/dev/null || fail "the JSON is not UTF-8"
[ "$(jq -r .first_divergence.stimulus odd.json)" = $'odd\xef\xbf\xbd\xc3\xa9/stimulus.stim' ] || fail "JSON: $(cat odd.json)"

# The commands that are printed are for a shell, whatever the name of the folder is. The JSON has the name.
name_of=$'a b\001\nc'
status 1 --counters 0 --cycles 1000 --no-shrink --out "$name_of" --json odd.json
replay=$(sed -n 's|^  ./pmuv3 replay \(.*\) --x-seed.*|\1|p' out)
eval "[ -s $replay ]" || fail "no file is named: $(cat out)"
[ "$(jq -r .first_divergence.stimulus odd.json)" = "$name_of/stimulus.stim" ] || fail "JSON: $(cat odd.json)"

# A divergence is one, also if the result cannot be written.
status 1 --counters 0 --cycles 1000 --no-shrink --json /dev/full
[ "$(tail -n 1 out)" = diverged ] || fail "--json /dev/full: $(cat out)"
grep -qx "pmuv3 run: --json: cannot write '/dev/full': No space left on device" err || fail "--json /dev/full: $(cat err)"

# Only what a program made in a folder is replaced there, as it was made.
diverges=(--counters 0 --cycles 1000 --no-shrink)
status 1 "${diverges[@]}" --out made
status 1 "${diverges[@]}" --out made --seed 2
mkdir mine
for file in stimulus.stim minimal.stim minimal_test.cc divergence.txt chain.txt window.svg window.fst window.gtkw report.json; do
  echo mine >mine/$file
  unusable "^pmuv3 run: --out: cannot write 'mine/$file': it is not as pmuv3 made it" "${diverges[@]}" --out mine
  [ "$(cat mine/$file)" = mine ] || fail "mine/$file is gone"
  rm mine/$file
done
cp made/stimulus.stim mine/stimulus.stim
unusable "^pmuv3 run: --out: cannot write 'mine/stimulus.stim'" "${diverges[@]}" --out mine
cp -r made copied
status 1 "${diverges[@]}" --out copied
echo '# edited' >>made/stimulus.stim
cp made/stimulus.stim edited
unusable "^pmuv3 run: --out: cannot write 'made/stimulus.stim': it is not as pmuv3 made it" "${diverges[@]}" --out made
cmp edited made/stimulus.stim || fail "the user's edit is gone"
left mine/divergence.txt

# What the user puts there while it runs stays, too; the divergence is one.
mkdir late
(sleep 1; echo mine >late/divergence.txt) &
status 1 --cycles 24000 --jobs 24 --no-shrink --out late
wait $!
grep -q '^pmuv3 run: cannot keep the stimulus in late: it is not as pmuv3 made it' err || fail "late: $(cat err)"
[ "$(ls -A late; cat late/divergence.txt)" = $'.pmuv3.list\ndivergence.txt\nmine' ] || fail "late: $(ls -A late)"

# A folder is of one program at a time.
: >made/.pmuv3.list
rm made/*
exec 9>>made/.pmuv3.list
flock 9
status 1 "${diverges[@]}" --out made
grep -q '^pmuv3 run: cannot keep the stimulus in made: another program writes there now' err || fail "a folder of another: $(cat err)"
[ "$(ls made)" = '' ] || fail "a folder of another: $(ls made)"
exec 9>&-
status 1 "${diverges[@]}" --out made
for list in 'ln -s ../edited' 'ln edited' mkdir mkfifo; do
  rm -rf strange
  mkdir strange
  $list strange/.pmuv3.list
  status 1 "${diverges[@]}" --out strange
  grep -q '^pmuv3 run: cannot keep the stimulus in strange: ' err || fail "a strange list: $(cat err)"
done
grep -q '^# edited' edited || fail "a file of the user was written to"

# If the only co-simulation is killed, there is no verdict.
status 3 --counters 1 --cycles 1000
[ "$(cat err)" = "pmuv3 run: a co-simulation of '1 counters, 1 threads, as asked for' ended early: no verdict" ] ||
  fail "no verdict: $(cat err)"

# An unusable output of one co-simulation does not hide the divergence of another.
export STAND_IN_UNUSABLE=1
status 1 --cycles 24000 --jobs 24 --no-shrink --out unusable --json unusable.json
[ "$(tail -n 1 out)" = diverged ] || fail "last line: $(tail -n 1 out)"
grep -qx "pmuv3 run: an output is unusable" err || fail "not told: $(cat err)"
[ -s unusable/stimulus.stim ] || fail "the divergence was not kept"
cmp -s <(jq .first_divergence.configuration unusable.json) <(echo '"no counters"') || fail "JSON: $(cat unusable.json)"
status 2 --counters 1 --cycles 1000 --jobs 1
[ "$(cat err)" = "pmuv3 run: an output is unusable" ] || fail "unusable: $(cat err)"
unset STAND_IN_UNUSABLE

# If the run ends, its co-simulation ends too, and incomplete files are removed.
for signal in TERM HUP KILL; do
  "$program" --counters 2 --cycles 1000 --jobs 1 >out 2>err &
  for _ in {1..500}; do
    [ -z "$(find . -name '.pmuv3-*')" ] || break
    sleep 0.01
  done
  [ -n "$(find . -name '.pmuv3-*')" ] || fail "nothing is written"
  kill -$signal $!
  wait $! 2>/dev/null
  for _ in {1..500}; do
    [ -n "$(find . -name '.pmuv3-*')" ] || break
    sleep 0.01
  done
  nothing_grows
done

all_held
