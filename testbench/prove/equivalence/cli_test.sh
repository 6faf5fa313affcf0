#!/usr/bin/env bash
# `pmuv3-prove` as a user meets it: what it looks at before it begins, which takes long; and that a process which
# dies proves nothing. Usage: cli_test.sh PROGRAM [BITCODE CIRCUITS]
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

# Nothing is proved here: what is no bitcode is seen as soon as it begins.
mkdir netlists
touch model.bc netlists/{1_2,2_1}.btor
prove=(--bitcode model.bc --netlists netlists --set ci --out made --size 1x2 --defaults-end)

unusable '^pmuv3 prove: --bitcode and --netlists are needed'
unusable "^pmuv3 prove: --bitcode: cannot read 'missing.bc': No such file" "${prove[@]}" --bitcode missing.bc
unusable "^pmuv3 prove: --netlists: cannot read 'netlists/4_4.btor': No such file" "${prove[@]}" --size 4x4
mkfifo netlists/3_3.btor
unusable "^pmuv3 prove: --netlists: cannot read 'netlists/3_3.btor': " "${prove[@]}" --size 3x3
unusable '^pmuv3 prove: --size takes a number' "${prove[@]}" --size 5x1
unusable "^pmuv3 prove: unusable option '--se': it is ambiguous" "${prove[@]}" --se
unusable '^pmuv3 prove: --seed takes a number' "${prove[@]}" --seed x
unusable '^pmuv3 prove: no case and no place matches' "${prove[@]}" --only 'no such case'
unusable '^pmuv3 prove: no case and no place matches' "${prove[@]}" --only 'no such case' --theorem interference
for size in 1x0 1x1+1; do
  unusable '^pmuv3 prove: --theorem interference asks nothing of a size' "${prove[@]/1x2/$size}" --theorem interference
done
for other in interference both; do
  unusable '^pmuv3 prove: --mutants takes no other --theorem' "${prove[@]}" --mutants 3 --theorem $other
  unusable '^pmuv3 prove: --mutants takes no other --theorem' "${prove[@]}" --theorem $other --mutants 3
done
unusable '^symex: model.bc: is not bitcode' "${prove[@]}" --theorem equivalence --mutants 3
unusable "^pmuv3 prove: no case and no place matches .* --only 'misspelt'" "${prove[@]}" --only idle --only misspelt
# What one --only matches may be in another part. A part has something.
unusable '^symex: model.bc: ' "${prove[@]}" --only 'cold reset' --only idle --part 2/2
unusable '^pmuv3 prove: --part: no case and no place is in part 2 of 2$' "${prove[@]}" --theorem equivalence \
  --only 'cold reset' --part 2/2
unusable "^pmuv3 prove: no case and no place matches .* --only 'misspelt'" "${prove[@]}" --only misspelt --only idle --part 2/2
left made

: >out
refuses_others --json out "${prove[@]}"
refuses_others --proved out "${prove[@]}"
refuses_streams --proved "${prove[@]}"
unusable "^pmuv3 prove: --json: cannot write './model.bc': it is an input, too" "${prove[@]}" --json ./model.bc
unusable "^pmuv3 prove: --proved: cannot write 'x': it is --json, too" "${prove[@]}" --json x --proved x
for option in --out --keep; do
  for other in model.bc model.bc/folder absent/folder ''; do
    unusable "^pmuv3 prove: $option: cannot (write|make) '$other': " "${prove[@]}" "$option" "$other"
  done
done
mkdir kept
echo mine >kept/query.smt2
unusable "^pmuv3 prove: --keep: 'kept' has files in it: expected a new or an empty folder" "${prove[@]}" --keep kept
rm -r kept
unusable '^pmuv3 prove: --size: a size is given twice' "${prove[@]}" --size 1x2 --size 2x1 --size 01x02
unusable '^pmuv3 prove: --shard-cases needs --shards' "${prove[@]}" --shard-cases 3
echo 'mine' >mine
unusable "^mine: not a file of what is proved" "${prove[@]}" --proved mine
[ "$(cat mine)" = mine ] || fail "a file of somebody else was changed"
left made x
"$program" "${prove[@]}" >&- 2>err && fail "closed standard output"
[ "$(cat err)" = "pmuv3 prove: standard output is closed" ] || fail "closed standard output: $(cat err)"

# ends_early PROCESS WHAT: expects no verdict, and the line that says so. `actual` is its exit status.
ends_early() {
  actual=0
  wait "$1" || actual=$?
  [ "$actual" -eq 3 ] || fail "$2: exit status $actual: $(cat err)"
  [ "$(cat err)" = "pmuv3 prove: a process ended early: no verdict" ] || fail "$2: $(cat err)"
}

# last_of PROCESS DEPTH: the process that is so deep in the chain of those that it started.
last_of() {
  local child children=()
  [ "$2" -gt 0 ] || { echo "$1"; return; }
  read -ra children <"/proc/$1/task/$1/children" || true # which ends without a line's end
  for child in "${children[@]}"; do
    if [ "$(cat "/proc/$child/comm" 2>/dev/null)" = pmuv3-prove ]; then
      last_of "$child" $(($2 - 1))
      return
    fi
  done
}

# A case is proved by the process of a group of cases. One process starts all groups; it is the program's child. The
# program has another child that it did not start: that one's end says nothing of a case.
if [ $# -gt 1 ]; then
  cat >heartbeat <<'SCRIPT'
true &
exec "$@"
SCRIPT
  bash heartbeat "$program" --bitcode "$2" --netlists "$3" --theorem equivalence --set ci --size 1x2 --jobs 1 \
    --json killed.json >out 2>err &
  for _ in {1..1000}; do
    of_case=$(last_of $! 3 2>/dev/null)
    [ -z "$of_case" ] || break
    sleep 0.01
  done
  kill -9 "$of_case"
  ends_early $! "a process was killed"
  jq -e '.verdict == "no verdict"' killed.json >/dev/null || fail "JSON of no verdict: $(cat killed.json)"
  rm -rf refuted

  # A group waits for the first of its size, unless that one has died.
  timeout 60 "$program" --bitcode "$2" --netlists "$3" --theorem equivalence --set ci --size 1x2 --jobs 2 >out 2>err &
  for _ in {1..1000}; do
    prover=$(pgrep -P $! || true)
    group=$(last_of "${prover:-$!}" 2 2>/dev/null)
    [ -z "$group" ] || break
    sleep 0.01
  done
  kill -9 "$group"
  ends_early $! "a group was killed"
  rm -rf refuted

  # When the program ends, its cases end: they do not wait for their next report. Whoever inherits a case may look
  # late at how it ended.
  goes_on() { grep -qE '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null; }
  for signal in TERM KILL; do
    "$program" --bitcode "$2" --netlists "$3" --theorem equivalence --set ci --size 1x2 --jobs 1 >out 2>err &
    for _ in {1..1000}; do
      of_case=$(last_of $! 3 2>/dev/null)
      [ -z "$of_case" ] || break
      sleep 0.01
    done
    kill -STOP "$of_case" # or it might report
    kill -$signal $!
    wait $! 2>/dev/null
    kill -CONT "$of_case" 2>/dev/null
    for _ in {1..200}; do
      goes_on "$of_case" || break
      sleep 0.01
    done
    ! goes_on "$of_case" || fail "SIG$signal: a case goes on"
  done

  # A result is evidence of these sources only if nothing came from a kept cache: whether it is filled, or used.
  idle=(--bitcode "$2" --netlists "$3" --theorem equivalence --set ci --size 1x1 --only idle)
  status 0 "${idle[@]}" --json asked.json
  jq -e '.proved and has("source")' asked.json >/dev/null || fail "no source, though everything was asked: $(cat out err)"
  # How it was proved is told: in the set ci, z3 and cvc5 have a say in everything; in others, in a sample.
  told='.sizes[0] | .by_certificate + .by_two_solvers + .by_both_ways == .by_solvers'
  jq -e "($told) and .sizes[0].by_both_ways > 0 and .sampled_one_in == 1" asked.json >/dev/null ||
    fail "how it was proved: $(cat asked.json)"
  status 0 "${idle[@]/#ci/standard}" --seed 3 --json sampled.json
  jq -e "($told) and .sizes[0].by_certificate > 0 and .sampled_one_in > 1 and .sample_seed == 3" sampled.json \
    >/dev/null || fail "how it was proved: $(cat sampled.json)"
  # A result says whether all of the set was asked, or what of it.
  jq -e '(.whole | not) and .only == ["idle"] and (has("part") | not)' asked.json >/dev/null ||
    fail "chosen by --only: $(cat asked.json)"
  part=("${idle[@]:0:6}" --set ci --size 1x1)
  status 0 "${part[@]}" --part 1/200 --json part.json
  jq -e '(.whole | not) and .part == "1/200" and (has("only") | not)' part.json >/dev/null ||
    fail "chosen by --part: $(cat part.json)"
  status 0 "${part[@]/#equivalence/interference}" --json whole.json
  jq -e '.whole and (has("part") or has("only") | not)' whole.json >/dev/null || fail "the whole set: $(cat whole.json)"
  # Without counters there is nothing to keep from anybody.
  status 0 --bitcode "$2" --netlists "$3" --set ci --size 1x0 --only idle --json none.json
  jq -e '.proved and .interference == []' none.json >/dev/null || fail "no counters: $(cat none.json)"
  # Who starts it may ignore SIGCHLD.
  (failures=0; trap '' CHLD; status 0 "${idle[@]}"; exit "$failures") || fail "SIGCHLD is ignored"
  for asked in '> 0' '== 0'; do
    status 0 "${idle[@]}" --proved cache --json cached.json
    jq -e ".proved and .sizes[0].by_solvers $asked" cached.json >/dev/null || fail "by solvers: not $asked: $(cat cached.json)"
    left refuted # there is nothing to put into it
    jq -e 'has("source") | not' cached.json >/dev/null || fail "a source, though a cache was given"
  done
fi

all_held
