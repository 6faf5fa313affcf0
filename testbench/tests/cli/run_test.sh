#!/usr/bin/env bash
# `pmuv3 run` for a user. Usage: run_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

unusable '^pmuv3 run: ' --cycles 0
unusable '^pmuv3 run: ' --cycles -5
unusable '^pmuv3 run: ' --cycles 1e6
unusable '^pmuv3 run: ' --cycles
unusable '^pmuv3 run: ' --seed x
unusable '^pmuv3 run: ' --counters 32
unusable '^pmuv3 run: ' --counters -1
unusable '^pmuv3 run: ' --threads 0
unusable '^pmuv3 run: ' --threads 5
unusable '^pmuv3 run: ' --features TH,NOPE
unusable '^pmuv3 run: ' --features ''
unusable '^pmuv3 run: ' --param th_width
unusable '^pmuv3 run: ' --param th_width=13
unusable '^pmuv3 run: ' --param K-RESTC=c
unusable '^pmuv3 run: ' --param K-MT-LEGACY=rw --features MTPMU
unusable '^pmuv3 run: ' --jobs 0
unusable '^pmuv3 run: --events: cannot open .absent.: ' --events absent
unusable '^pmuv3 run: --events: cannot open ./dev/null.: not a regular file' --events /dev/null
unusable '^pmuv3 run: .* is no key of an event' --param event=0x00c5,IMP_A,width=3
unusable '^pmuv3 run: event 0x00c5 is given twice' --param event=0x00c5,IMP_A --param event=0x00c5,IMP_B
unusable '^pmuv3 run: counters is given twice' --counters 1 --param counters=2
unusable '^pmuv3 run: ICNTR needs INST_RETIRED' --param events=none
unusable '^pmuv3 run: events= after event=; expected it before every event=$' --param event=0x0008 --param events=none
unusable '^pmuv3 run: events= after event=; expected it before every event=$' --param event=0x0008 --events bad.events

# A core's preset, and what overrides it.
status 0 --core neoverse-v2 --counters 3 --cycles 500 --json core.json
jq -e '.runs[0] | .counters == 3 and .slots == 8 and .events == 156 and .aa32 == "none"' core.json >/dev/null ||
  fail "core: $(cat core.json)"
grep -q '^ID_AA64DFR0_EL1  0x0000000000000600 PMUVer=6 ' out || fail "ID registers: $(cat out)"
status 0 --param core=cortex-a53 --cycles 500
grep -q '^ID_DFR0_EL1      0x0000000003000000 PerfMon=3$' out || fail "ID registers: $(cat out)"
unusable '^pmuv3 run: core "neoverse-2" is unknown; expected one that ./pmuv3 cores lists, as neoverse-n2, neoverse-v2 or neoverse-n1$' --core neoverse-2
unusable '^pmuv3 run: the core comes before the parameters that override it$' --counters 3 --core neoverse-v2
unusable "^pmuv3 run: --core './absent.core': cannot open it: No such file" --core ./absent.core
printf 'pmuv3-core 1\nparam counters=32\n' >bad.core
unusable '^./bad.core:2: counters must be 0..31, not 32; ' --core ./bad.core
printf 'pmuv3-events 1\nevent 0x0008\nevent 0x400d\n' >bad.events
unusable '^bad.events:3: event 0x400D is exported, but never counted' --events bad.events
unusable '^bad.events:3: event 0x400D is exported, but never counted' --param events=bad.events
unusable '^pmuv3 run: ' --json absent/directory/file.json
unusable '^pmuv3 run: ' --wave wave.fst
unusable '^pmuv3 run: --wave shows one co-simulation, so --jobs is 1, not 4$' --wave wave.fst --counters 1 --jobs 4
unusable '^pmuv3 run: ' --wave absent/directory/wave.fst --counters 1
unusable '^pmuv3 run: ' --no-such-option
unusable '^pmuv3 run: ' stray

# A message names the wrong word and the reason.
unusable "^pmuv3 run: unusable option '--c': it is ambiguous" --c 1000
unusable "^pmuv3 run: unusable option '--c': it is ambiguous" --c=1000
unusable "^pmuv3 run: unusable option '--no-such'; see" --no-such=1 --cycles 5
unusable "^pmuv3 run: unusable option '--no-shrink': it takes no value" --no-shrink=yes
unusable "^pmuv3 run: unusable option '--json': its value, FILE, is missing" --counters 1 --json
unusable "^pmuv3 run: unusable option '-j': its value, N, is missing" --counters 1 -j
unusable "^pmuv3 run: unusable option '-q'" -q --counters 1
unusable "^pmuv3 run: unusable option '-q'" --counters 1 -qj 4
unusable "^pmuv3 run: unusable option '--'" --=4
unusable "^pmuv3 run: --cycles takes a number" --cycles= --counters 1
unusable "^pmuv3 run: --jobs takes a number" -jx
unusable "^pmuv3 run: unusable argument '--cycles'" -- --cycles 5
unusable "^pmuv3 run: unusable argument '-'" -
unusable "^pmuv3 run: --param takes NAME=VALUE, not 'two.lines'" --param $'two\nlines'
unusable "^pmuv3 run: unusable option '--seed': it is given twice" --cycles 100 --counters 1 --seed 1 --seed 2
unusable "^pmuv3 run: unusable option '--jobs': it is given twice" -j2 --jobs 2
status 0 --cyc 100 --cou=1 -j2 --seed 2 --param slots=4 --param th_width=8 --json --help
[ "$(jq .seed ./--help)" = 2 ] || fail "short options"
status 0 --help
grep -q 'Exit status: 0 equivalent, 1 diverged, 2 unusable .*3 no verdict' <(tr -s ' \n' ' ' <out) || fail "no help: $(cat out)"

# ---- Outputs: all are checked before anything runs ----
: >out
refuses_others --json out --cycles 1000000000
refuses_others --wave out --counters 1 --cycles 1000000000
refuses_streams --wave --counters 1 --cycles 1000000000
echo kept >file
mkdir -p strange/stimulus.stim odd
mkdir listed
mkfifo odd/chain.txt listed/.pmuv3.list # nobody waits for a pipe
echo kept >listed/chain.txt
longest=$(printf '/%.0s' {1..4085})new # a folder may have this name, but no file in it
for other in file file/folder absent/folder strange odd listed "$(printf '%5000s' x)" ".$longest" ''; do
  unusable "^pmuv3 run: --out: cannot (write|make) '.*': " --cycles 1000000000 --out "$other"
done
unusable "^pmuv3 run: --out: cannot write 'same': it is --json, too" \
  --cycles 1000000000 --json same --out same/
if [ "$(cat file)" != kept ] || [ ! -d strange/stimulus.stim ] || [ ! -p odd/chain.txt ]; then
  fail "--out: something was changed"
fi
left same new

# A file with the name of a temporary file belongs to another user.
echo kept >precious
ln -s precious result.json.tmp
mkfifo pipe
cat pipe >piped &
status 0 --cycles 100 --counters 1 --json result.json
status 0 --cycles 100 --counters 1 --json pipe
wait $!
[ "$(cat precious)" = kept ] || fail "a temporary file was written through a link"
[ "$(jq -c 'keys' piped)" = "$(jq -c 'keys' result.json)" ] || fail "JSON in a pipe: $(cat piped)"
# (Standard error is a pipe, since sanitizers print more than the limit allows in a file.)
(ulimit -f 1; "$program" --cycles 100 --counters 1 --json result.json 2>&1 >/dev/null; echo "status $?") | cat >err
grep -qx "status 2" err || fail "a full disk: $(tail -n 1 err)"
grep -qx "pmuv3 run: --json: cannot write 'result.json': File too large" err || fail "a full disk: $(cat err)"
jq -e .verdict result.json >/dev/null || fail "half a result was written"
(ulimit -f 0; "$program" --cycles 100 --counters 1 --json result.json 2>&1 >/dev/null; echo "status $?") | cat >err
grep -qx "status 2" err || fail "a disk that takes nothing: $(tail -n 1 err)"
[ ! -e result.json ] || fail "the result of an earlier run, on a disk that takes nothing: $(cat result.json)"
status 0 --cycles 100 --counters 1 --json result.json
checks_stdout 0 --cycles 100 --counters 1

# ---- No verdict ----
# A killed co-simulation gives no verdict.
cp result.json killed.json
child_killed --cycles 1000000000 --counters 31 --json killed.json
[ "$(grep -c '^pmuv3 run: .*: no verdict$' err) $(wc -l <err)" = "1 1" ] || fail "a co-simulation was killed: $(cat err)"
finds_none -qE 'equivalent|diverged' out || fail "a verdict: $(cat out)"
jq -e '.verdict == "no verdict" and (.reason | test(" ended early: no verdict$"))' killed.json >/dev/null ||
  fail "the result of an earlier run: $(cat killed.json)"

# One configuration. The JSON has the contents of docs/reference/formats.md.
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --json a.json
[ "$(tail -n 1 out)" = equivalent ] || fail "last line: $(tail -n 1 out)"
jq -e '.verdict == "equivalent" and .seed == 7 and .cycles == 20000 and .comparisons > 20000
       and .seconds > 0 and .cycles_per_second > 0 and (.runs | length) == 1
       and (.runs[0] | .counters == 3 and .threads == 1 and .features == "TH,EDGE"
            and .verdict == "equivalent" and .cycles == 20000 and .comparisons > 20000
            and .seconds > 0 and .cycles_per_second > 0)
       and (has("first_divergence") | not)' a.json >/dev/null ||
  fail "JSON: $(cat a.json)"

# The same seed gives the same result on any number of processors. Another seed gives another stream.
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --jobs 1 --json b.json
same_of a.json b.json "not deterministic" jq 'del(.. | .seconds?, .cycles_per_second?)'
status 0 --cycles 20000 --seed 8 --counters 3 --features TH,EDGE --json c.json
[ "$(jq .comparisons a.json)" != "$(jq .comparisons c.json)" ] ||
  fail "the seed has no effect"

# Several threads.
status 0 --cycles 20000 --threads 2 --counters 4 --json t.json
jq -e '.verdict == "equivalent" and .runs[0].threads == 2' t.json >/dev/null ||
  fail "JSON of two threads: $(cat t.json)"

# Few cycles. No configuration is equivalent after 0 cycles.
status 0 --cycles 1 --counters 2
configurations=$(sed -n 's/^#define PMUV3_NUM_CONFIGURATIONS //p' "$here/../../cosim/run/configurations.h")
unusable "^pmuv3 run: --cycles: $configurations configurations take a cycle each" --cycles 1
unusable "^pmuv3 run: --cycles: $configurations configurations take a cycle each" --cycles $((configurations - 1))
status 0 --cycles "$configurations" --json few.json
jq -e '(.runs | length) == '"$configurations"' and all(.runs[]; .cycles == 1)' few.json >/dev/null || fail "cycles: $(cat few.json)"
status 0 --cycles 1000 --counters 0
status 0 --cycles 40000 --json d.json
jq -e '(.runs | length) >= 5 and ([.runs[].cycles] | add) == 40000' d.json >/dev/null ||
  fail "cycles: $(jq -c '[.runs[].cycles]' d.json)"

all_held
