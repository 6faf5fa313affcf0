#!/usr/bin/env bash
# `pmuv3 run` as a user meets it. Usage: run_test.sh PROGRAM
set -u
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# status EXPECTED ARGUMENT...: runs, and keeps what was printed.
status() {
  local expected=$1 actual=0
  shift
  "$program" "$@" >"$scratch/out" 2>"$scratch/err" || actual=$?
  [ "$actual" -eq "$expected" ] || fail "run $*: exit status $actual, expected $expected"
}

# unusable ARGUMENT...: exit status 2 and one line that begins with the program's name.
unusable() {
  status 2 "$@"
  [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "run $*: not one line: $(cat "$scratch/err")"
  grep -q '^pmuv3 run: ' "$scratch/err" || fail "run $*: $(cat "$scratch/err")"
  [ ! -s "$scratch/out" ] || fail "run $*: something was done"
}

unusable --cycles 0
unusable --cycles -5
unusable --cycles 1e6
unusable --cycles
unusable --seed x
unusable --counters 32
unusable --counters -1
unusable --threads 0
unusable --threads 5
unusable --features TH,NOPE
unusable --features ''
unusable --param th_width
unusable --param th_width=13
unusable --param K-RESTC=c
unusable --param K-MT-LEGACY=rw --features MTPMU
unusable --jobs 0
unusable --json /nonexistent/directory/file.json
unusable --wave wave.fst
unusable --wave /nonexistent/directory/wave.fst --counters 1
unusable --no-such-option
unusable stray

# One configuration; the JSON holds what docs/formats.md says.
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --json "$scratch/a.json"
[ "$(tail -n 1 "$scratch/out")" = equivalent ] || fail "last line: $(tail -n 1 "$scratch/out")"
jq -e '.verdict == "equivalent" and .seed == 7 and .cycles == 20000 and .comparisons > 20000
       and .seconds > 0 and .cycles_per_second > 0 and (.runs | length) == 1
       and (.runs[0] | .counters == 3 and .threads == 1 and .features == "TH,EDGE"
            and .verdict == "equivalent" and .cycles == 20000 and .comparisons > 20000
            and .seconds > 0 and .cycles_per_second > 0)
       and (has("first_divergence") | not)' "$scratch/a.json" >/dev/null ||
  fail "JSON: $(cat "$scratch/a.json")"

# The same seed gives the same, on any number of processors; another seed another stream.
figures='del(.. | .seconds?, .cycles_per_second?)'
status 0 --cycles 20000 --seed 7 --counters 3 --features TH,EDGE --jobs 1 --json "$scratch/b.json"
diff <(jq "$figures" "$scratch/a.json") <(jq "$figures" "$scratch/b.json") || fail "not deterministic"
status 0 --cycles 20000 --seed 8 --counters 3 --features TH,EDGE --json "$scratch/c.json"
[ "$(jq .comparisons "$scratch/a.json")" != "$(jq .comparisons "$scratch/c.json")" ] ||
  fail "the seed has no effect"

# Several threads.
status 0 --cycles 20000 --threads 2 --counters 4 --json "$scratch/t.json"
jq -e '.verdict == "equivalent" and .runs[0].threads == 2' "$scratch/t.json" >/dev/null ||
  fail "JSON of two threads: $(cat "$scratch/t.json")"

# Small numbers of cycles, and every configuration.
status 0 --cycles 1
status 0 --cycles 1000 --counters 0
status 0 --cycles 40000 --json "$scratch/d.json"
jq -e '(.runs | length) >= 5 and ([.runs[].cycles] | add) == 40000' "$scratch/d.json" >/dev/null ||
  fail "cycles: $(jq -c '[.runs[].cycles]' "$scratch/d.json")"

[ "$failures" -eq 0 ] && echo "all held"
exit "$((failures > 0))"
