#!/usr/bin/env bash
# `pmuv3 run` as a user meets it. Usage: run_test.sh PROGRAM
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
unusable '^pmuv3 run: ' --json /nonexistent/directory/file.json
unusable '^pmuv3 run: ' --wave wave.fst
unusable '^pmuv3 run: ' --wave /nonexistent/directory/wave.fst --counters 1
unusable '^pmuv3 run: ' --no-such-option
unusable '^pmuv3 run: ' stray

# One configuration; the JSON holds what docs/reference/formats.md says.
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --json a.json
[ "$(tail -n 1 out)" = equivalent ] || fail "last line: $(tail -n 1 out)"
jq -e '.verdict == "equivalent" and .seed == 7 and .cycles == 20000 and .comparisons > 20000
       and .seconds > 0 and .cycles_per_second > 0 and (.runs | length) == 1
       and (.runs[0] | .counters == 3 and .threads == 1 and .features == "TH,EDGE"
            and .verdict == "equivalent" and .cycles == 20000 and .comparisons > 20000
            and .seconds > 0 and .cycles_per_second > 0)
       and (has("first_divergence") | not)' a.json >/dev/null ||
  fail "JSON: $(cat a.json)"

# The same seed gives the same, on any number of processors; another seed another stream.
figures='del(.. | .seconds?, .cycles_per_second?)'
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --jobs 1 --json b.json
diff <(jq "$figures" a.json) <(jq "$figures" b.json) || fail "not deterministic"
status 0 --cycles 20000 --seed 8 --counters 3 --features TH,EDGE --json c.json
[ "$(jq .comparisons a.json)" != "$(jq .comparisons c.json)" ] ||
  fail "the seed has no effect"

# Several threads.
status 0 --cycles 20000 --threads 2 --counters 4 --json t.json
jq -e '.verdict == "equivalent" and .runs[0].threads == 2' t.json >/dev/null ||
  fail "JSON of two threads: $(cat t.json)"

# Small numbers of cycles, and every configuration.
status 0 --cycles 1
status 0 --cycles 1000 --counters 0
status 0 --cycles 40000 --json d.json
jq -e '(.runs | length) >= 5 and ([.runs[].cycles] | add) == 40000' d.json >/dev/null ||
  fail "cycles: $(jq -c '[.runs[].cycles]' d.json)"

all_held
