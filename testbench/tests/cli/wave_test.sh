#!/usr/bin/env bash
# The FST of a replay has every signal of the view in waves/. The FST is complete or does not exist. Usage:
# wave_test.sh REPLAY-WAVE RUN-WAVE VIEW STIMULUS [--full-disk]
# With --full-disk: on file systems that are full, and nothing else. Exit status: 77 if none can be mounted.
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"
replay=$1 run=$2 view=$3
cp "$4" stimulus.stim

# as NAME PROGRAM: the program of the tests below
as() { name=$1 program=$2; }

# ---- A full disk ----
# no_room WHERE: WHERE has no room for the wave, or for the writer's temporary file beside the wave
no_room() {
  as replay "$replay"
  unusable "^pmuv3 replay: --wave: cannot write '$1': No space left on device" --wave "$1" stimulus.stim
  as run "$run"
  status 2 --wave "$1" --cycles 1000 --counters 2 --json "$1.json"
  [ "$(cat err)" = "pmuv3 run: --wave: cannot write '$1': No space left on device" ] ||
    fail "run, no room in $1: $(cat err)"
  finds_none -qE 'equivalent|diverged' out || fail "run, no room in $1: a verdict: $(cat out)"
  [ "$(jq -r .verdict "$1.json")" = 'no verdict' ] || fail "run, no room in $1: $(cat "$1.json")"
  rm -f "$1.json"
  left "$1" "$1".*
  nothing_grows
}
full_disk() {
  expect_mounts
  export -f no_room as status unusable fail left nothing_grows finds_none
  export replay run failures scratch
  mkdir small
  # shellcheck disable=SC2016
  unshare -rm bash -c 'mount -t tmpfs -o size=64k none small; no_room small/wave.fst; exit "$failures"' ||
    failures=$((failures + 1))
  cp "$replay" replay # the original may be in /tmp
  cp "$run" run
  # shellcheck disable=SC2016
  replay=./replay run=./run unshare -rm bash -c 'mount --bind . /mnt; cd /mnt; mount -t tmpfs -o size=8k none /tmp; no_room wave2.fst; exit "$failures"' ||
    failures=$((failures + 1))
}

if [ "${5-}" = --full-disk ]; then
  full_disk
  all_held
fi

# The full names of a VCD's variables, with their ranges.
names() {
  awk '$1 == "$scope" { path = path $3 "." }
       $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
       $1 == "$var" { name = $5; if ($6 != "$end") name = name $6; print path name }
       $1 == "$enddefinitions" { exit }'
}

# ---- Contents ----
as replay "$replay"
status 0 --wave wave.fst --wave-last 3 stimulus.stim
fst2vcd wave.fst >wave.vcd || fail "not an FST"
names <wave.vcd | sort -u >have
sed 's/@t@/0/g; s/@n@/1/g; s/@even@/0/g' "$view" | grep '^TOP' | sort -u >want
[ "$(wc -l <want)" -gt 10 ] || fail "the view has hardly a signal"
missing=$(comm -13 have want)
[ -z "$missing" ] || fail "not in the FST: $missing"

# Three Processor cycles give three clocks with two evaluations each, and no more.
[ "$(grep -c '^#' wave.vcd)" -eq 6 ] || fail "not 3 clocks"

# ---- Outputs ----
refuses_others --wave stimulus.stim stimulus.stim
refuses_streams --wave stimulus.stim
mkdir folder
echo old >folder/target
echo kept >link.hier
ln -s folder/target link
status 0 --wave link stimulus.stim
[ -L link ] || fail "a link was replaced"
fst2vcd folder/target >/dev/null || fail "what a link points to is no FST"
[ "$(cat link.hier)" = kept ] || fail "a file beside the wave was replaced"
echo old >kept.fst
printf 'pmuv3-stimulus 1\n' >nothing.stim
status 0 --wave kept.fst nothing.stim
[ "$(cat kept.fst)" = old ] || fail "a wave without a cycle"
grep -qx "pmuv3 replay: --wave: 'kept.fst' is not written: the stimulus has no cycle" err || fail "no wave: $(cat err)"

as run "$run"
status 0 --wave run.fst --cycles 100 --counters 1
fst2vcd run.fst >/dev/null || fail "run: not an FST"

# The limit of open files is too low.
(
  ulimit -n 8
  unusable "^pmuv3 run: --wave: cannot write the FST" --wave few.fst --cycles 100 --counters 1
  as replay "$replay"
  unusable "^pmuv3 replay: --wave: cannot write 'few.fst'" --wave few.fst stimulus.stim
  exit "$failures"
) || failures=$((failures + 1))
left few.fst few.fst.hier
nothing_grows

# The limit of files' sizes is too low.
(ulimit -f 1; no_room limited.fst; exit "$failures") || failures=$((failures + 1))

all_held
