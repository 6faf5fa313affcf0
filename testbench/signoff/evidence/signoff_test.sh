#!/usr/bin/env bash
# `pmuv3 signoff` on made-up evidence: signed off if all evidence exists, and not signed off if any one piece is
# missing, red or of other sources. Also imports, and the page in a browser. Usage: signoff_test.sh PROGRAM
# EVIDENCE STAND_IN, which is the program for the sources in ./sources. With --full-disk after these, that alone
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
evidence=$2 stand_in=$3
source=$("$evidence" --source)
unset PMUV3_SOURCE

# holds FILTER [FILE]: jq's FILTER is true for the JSON file
holds() { jq -e "$1" "${2:-signoff/signoff.json}" >/dev/null || fail "not so: $1"; }

# ---- A full disk ----

# An earlier page would pass for one that cannot be written. It goes first, which gives room for one.
full_disk() {
  expect_mounts
  export -f status fail
  export program name failures
  mkdir small
  # shellcheck disable=SC2016
  unshare -rm bash -c 'mount -t tmpfs -o size=4m none small
    for _ in 1 2; do status 1 --db page.db --out small/page; done
    exit "$failures"' || failures=$((failures + 1))
}

if [ "${4-}" = --full-disk ]; then
  full_disk
  all_held
fi

# ---- Complete evidence: a row for each thing that an empty database lacks ----

# Prints statements that complete the empty database of a JSON file.
complete() {
  jq -r --arg source "$source" '
    def text: "\u0027" + gsub("\u0027"; "\u0027\u0027") + "\u0027";
    ($source | text) as $of
    | ([.choices[] | .choice + "=" + .value] | join(" ") | text) as $params
    | (.configurations[] | .configuration as $name | range(1; 9)
       | "INSERT INTO run VALUES (\($of), \($name | text), \(.), \($params), 100000, 5000000, \("equivalent" | text), NULL, NULL, NULL, 1.5);"),
      (.holes[] | "INSERT INTO hit VALUES (\($of), \(.configuration | text), \(.bin | text), 7);"),
      (["unit.none"] + [.rules[].test_names | scan("`([A-Za-z0-9]+\\.[A-Za-z0-9_*?]+)`")[0]
        | if test("[*?]") then "unit." + gsub("[*?]"; "x") else "unit.Side/\(.)/Cmodel" end] + ["litmus.cmodel", "litmus.rtl", "litmus.both"]
       | unique[] | text as $test | ("release", "sanitize")
       | "INSERT INTO test VALUES (\($of), \(text), \($test), 1, 0.1);",
         "INSERT INTO registered VALUES (\($of), \(text), \($test));"),
      (range(100) | "INSERT INTO mutant VALUES (\($of), \("rtl" | text), \("2x4:m\(.)" | text), \("pmuv3_filter" | text), \("pmuv3_filter.sv:1" | text), \("a <b> & c" | text), \("killed" | text), NULL, 10, 0.1);"),
      (range(50) | "INSERT INTO mutant VALUES (\($of), \("cmodel" | text), \("m\(.)" | text), \("filter.c" | text), \("filter.c:1" | text), \("c" | text), \("killed" | text), NULL, 10, 0.1);"),
      (("equivalence", "interference") | "INSERT INTO proof VALUES (\($of), \(text), \("all" | text), \("1x2" | text), \("proved" | text), 9, 1.0);",
         "INSERT INTO extent VALUES (\($of), \(text), \("1x2" | text), \("ci" | text), 79);"),
      (["cmodel/src/filter.c", "line"], ["cmodel/src/filter.c", "branch"],
       ["rtl/pmuv3.sv", "line"], ["rtl/pmuv3.sv", "branch"], ["rtl/pmuv3.sv", "toggle"]
       | "INSERT INTO code VALUES (\($of), \(.[0] | text), \(.[1] | text), 90, 100);"),
      "INSERT INTO version VALUES (\($of), \("verilator" | text), \("5.006-3" | text));"
  ' "$1"
  sed 's/#.*//; s/^[^ ]* *//; /^none:/d' "$here/../../prove/properties/properties.txt" | tr -s ' ' '\n' |
    awk -v source="'$source'" 'NF { size = ++n % 2 ? "1x2" : "2x1"
      print "INSERT INTO proof VALUES (" source ", \047properties\047, \047g_thread[0].u_rules." $1 "\047, \047" size "\047, \047proved\047, 1, 0.1);" }'
  awk -v source="'$source'" '
    $1 == "defect" { name = $2 }
    $1 == "sample" { print "INSERT INTO defect VALUES (" source ", \047" name "\047, 1, 100, 2000, 6, NULL, 1.0);" }
  ' "$here/../defects/defects.txt"
}

status 1 --db empty.db
[ "$(tail -n 1 out | cut -d: -f1)" = "not signed off" ] || fail "last line: $(tail -n 1 out)"
holds '.verdict == "not signed off" and (.reasons | length) > 10 and .source == "'"$source"'"'
holds '[.not_verified[] | select(.kind == "outside")] | length > 5'
# What makes the rest, each command once.
[ "$(grep -c '^ .*  ./pmuv3 ' out)" = 6 ] || fail "commands: $(cat out)"
holds '[.to_do[].command] | length == 6 and index("mutate --db '"$PWD"'/empty.db") and index("test --all")'
grep -q "^./pmuv3 signoff --run --db $PWD/empty.db makes what is missing" out || fail "another database: $(cat out)"
[ "$(grep -c " --db $PWD/empty.db$" out)" = 3 ] || fail "commands fill another database: $(cat out)"
[ "$("$program" --db empty.db --missing --defaults-end | cut -f1 | sort)" = "$(jq -r '.to_do[].command' signoff/signoff.json | sort)" ] || fail "--missing"
complete signoff/signoff.json >evidence.sql
cp empty.db complete.db
{ echo 'BEGIN;' && cat evidence.sql && echo 'COMMIT;'; } | "$evidence" --db complete.db || fail "the evidence is not well made"

start=$SECONDS
status 0 --db complete.db --out green
[ "$(tail -n 1 out)" = "signed off" ] || fail "complete, and $(cat out)"
holds '.verdict == "signed off" and .reasons == [] and .to_do == [] and all(.checks[]; .state == "green")' green/signoff.json
[ $((SECONDS - start)) -lt 60 ] || fail "it took $((SECONDS - start)) s"
holds 'all(.rules[]; .mark != "behaviour" or .state == "green")' green/signoff.json
holds '.totals[0].runs == 8 * (.configurations | length) and ([.configurations[].comparisons] | add) == .totals[0].comparisons' green/signoff.json
holds '[.rules[] | select(.mutants > 0 and .killed == .mutants)] | length > 10' green/signoff.json

# ---- Each piece of evidence turns the verdict ----

# One of all is missing, however many there are.
has='(?<has>[0-9]+)' all='(?<all>[0-9]+)'
configurations=$(jq '.configurations | length' green/signoff.json)

# turns PATTERN SQL: with that done to the complete database it is not signed off, for that reason alone
# or for what follows from it
turns() {
  rm -f turned.db*
  cp complete.db turned.db
  "$evidence" --db turned.db <<<"$2" || fail "$2"
  status 1 --db turned.db --out turned
  jq -e --arg pattern "$1" '.verdict == "not signed off" and
    any(.reasons[] | capture($pattern); .has == null or (.has | tonumber) + 1 == (.all | tonumber))' \
    turned/signoff.json >/dev/null || fail "$2: expected '$1' among: $(jq -c .reasons turned/signoff.json)"
  grep -q '<strong>Not signed off' turned/signoff.html || fail "$2: the page does not say so"
}

turns "^Lockstep regression: 1 of $configurations configurations lack runs" "DELETE FROM run WHERE configuration = '1 counter' AND seed = 3"
turns "^Lockstep regression: 1 of $configurations configurations lack runs" "UPDATE run SET cycles = 9 WHERE configuration = '1 counter' AND seed = 3"
turns '^Lockstep regression: 1 diverged' "UPDATE run SET verdict = 'diverged', difference = 'V' WHERE configuration = '1 counter' AND seed = 3"
turns '^Lockstep regression: 0 diverged, 1 crashed' "UPDATE run SET verdict = 'crashed' WHERE configuration = '1 counter' AND seed = 3"
turns '^Coverage of the code: not measured' 'DELETE FROM code'
turns '^Coverage of the code: .*; not measured: C line$' "DELETE FROM code WHERE file GLOB 'cmodel/*' AND metric = 'line'"
turns '^Coverage of the code: .*; not measured: RTL branch, RTL line, RTL toggle$' "DELETE FROM code WHERE file GLOB 'rtl/*'"
turns '^Coverage of the code: .*; nothing was reached of RTL toggle$' "UPDATE code SET covered = 0 WHERE metric = 'toggle'"
turns '^Mutants of the RTL: .*100' "DELETE FROM mutant WHERE side = 'rtl' AND name = '2x4:m7'"
turns '^Mutants of the C model: .*50' "DELETE FROM mutant WHERE side = 'cmodel' AND name = 'm7'"
equivalent="UPDATE mutant SET verdict = 'equivalent', reason = 'proved', cycles"
for side in rtl cmodel; do
  turns '^Mutants of the .*: 0 of 0 killed; a campaign that kills none is no evidence$' "$equivalent = 1000000 WHERE side = '$side'"
done
turns '^Mutants of the C model: 49 of 49 killed; 50 mutants are required$' "$equivalent = 999999 WHERE side = 'cmodel' AND name = 'm7'"
holds '.equivalents[0].cycles == 999999' turned/signoff.json
holds '[.not_verified[] | select(.topic == "Mutants") | .says] ==
  ["1 mutants that are proved equivalent ran for less than 1000000 cycles, and do not count"]' turned/signoff.json
cp complete.db equivalent.db
"$evidence" --db equivalent.db <<<"$equivalent = 1000000 WHERE side = 'cmodel' AND name = 'm7'; $equivalent = 1 WHERE side = 'rtl' AND name = '2x4:m7'"
status 0 --db equivalent.db --out equivalent
for size in 1x4 2x3; do
  turns '^Mutants of the RTL: 99 of 99 killed; 100 mutants are required$' \
    "UPDATE mutant SET name = '$size:m7' WHERE side = 'rtl' AND name = '2x4:m7'"
  holds '[.not_verified[] | select(.topic == "Mutants") | .says] ==
    ["1 mutants of an RTL that is smaller than 2x4 do not count"]' turned/signoff.json
done
turns '^Mutants of the RTL: 99 of 100' "UPDATE mutant SET verdict = 'survived' WHERE side = 'rtl' AND name = '2x4:m7'"
turns '^Planted defects: .*1 of the sample not tried' "DELETE FROM defect WHERE name = 'rtl-filter-U'"
turns "^Planted defects: $has of $all tried defects found" "UPDATE defect SET found = 0 WHERE name = 'rtl-filter-U'"
turns '^Planted defects: .*1 not shrunk' "UPDATE defect SET lines_after = NULL WHERE name = 'rtl-filter-U'"
turns '^Planted defects: .*more than 15 lines' "UPDATE defect SET lines_after = 16 WHERE name = 'rtl-filter-U'"
holds '[.defects[] | select(.state == "red") | .defect, .verdict] == ["rtl-filter-U", "shrunk too little"]' turned/signoff.json
for theorem in equivalence interference properties; do
  turns '^Proof: .*nothing was proved' "DELETE FROM proof WHERE theorem = '$theorem'"
done
for theorem in equivalence interference; do
  turns '^Proof: .*0 of 1 proved' "UPDATE proof SET verdict = 'refuted' WHERE theorem = '$theorem'"
  turns '^Proof: .*only a part of the set' "UPDATE extent SET chosen = 'part' WHERE theorem = '$theorem'"
  turns '^Proof: .*the full set is unknown' "DELETE FROM extent WHERE theorem = '$theorem'"
  turns '^Proof: .*none of size 1x2' "UPDATE extent SET size = '1x0' WHERE theorem = '$theorem';
                                 UPDATE proof SET size = '1x0' WHERE theorem = '$theorem'"
done
one="theorem = 'properties' AND name = 'g_thread[0].u_rules.D13_4_1'"
turns '^Proof: RTL .* assertions proved' "UPDATE proof SET verdict = 'refuted' WHERE $one"
turns "^Proof: RTL .*for $has of $all properties" "DELETE FROM proof WHERE $one"
turns "^Rules: $has of $all" "DELETE FROM proof WHERE $one"
jq -e '.rules[] | select(.rule == "D13.4-1") | .state == "missing" and .lacks == "properties were not asked"' \
  turned/signoff.json >/dev/null || fail "a rule is green whose property was not asked"
turns '^Proof: RTL .*sizes 1x2 and 2x1 are required' "UPDATE proof SET size = '1x2' WHERE theorem = 'properties'"
turns '^Tests, sanitize: no test was run' "DELETE FROM test WHERE preset = 'sanitize'"
turns '^Tests, sanitize: .*; the number of registered tests is unknown' "DELETE FROM registered WHERE preset = 'sanitize'"
turns '^Tests, release: .*, 1 of [0-9]+ were not run' "DELETE FROM test WHERE name = 'unit.none' AND preset = 'release'"
turns '^Tests, release: .* passed' "UPDATE test SET passed = 0 WHERE name = 'unit.none' AND preset = 'release'"
turns '^Rules: ' "UPDATE test SET passed = 0 WHERE name GLOB '*AttributionTest.EachEvent*'"
turns '^Rules: ' "DELETE FROM test WHERE name GLOB '*AttributionTest.EachEvent*'"
turns '^Rules: ' "DELETE FROM test WHERE name = 'litmus.rtl'"
turns "^Choices: $has of $all" "UPDATE run SET params = replace(params, 'K-RESTC=b', '')"
turns '^Tools: ' 'DELETE FROM version'
for table in run mutant defect proof code test version; do
  turns . "UPDATE $table SET source = 'fedcba9876543210'"
done
turns '^Functional coverage: ' 'DELETE FROM hit WHERE bin = (SELECT min(bin) FROM hit)'
turns '^Functional coverage: no coverpoint' 'DELETE FROM hit'

# A hit of an unreachable bin does not count, and is reported: in one of several configurations; in an unknown
# configuration; of an unknown bin.
impossible() {
  turns '^Functional coverage: 1 bins hit in configurations that cannot' \
    "INSERT INTO hit VALUES ('$source', '$1', '$2', 1)"
  holds ".impossible == [{bin: \"$2\", configuration: \"$1\", hits: 1, why: .impossible[0].why}] and (.impossible[0].why | length) > 0" turned/signoff.json
}
impossible '1 counter' RHXHZC.TLC_01
impossible 'no such configuration' RHXHZC.TLC_01
impossible '1 counter' RHXHZC.TLC_99
impossible '1 counter' 'pair.TLC=01,TE=0,off,false,same_range'
grep -q 'fill="#8e24aa"' turned/signoff.html || fail "what cannot be hit and was is painted as if it could"
turns '^Functional coverage: 1 bins hit' "UPDATE hit SET configuration = '1 counter' WHERE bin = 'RHXHZC.TLC_01'"
holds '[.holes[].bin] == ["RHXHZC.TLC_01"]' turned/signoff.json

# ---- Duties of rules, on made-up sources ----

# rules_of STATEMENTS: prints "rule state lacks" of the rules of behaviour after the statements
rules_of() {
  rm -f rules.db
  {
    cat "$here/expected.sql"
    echo "
    INSERT INTO subject VALUES ('s');
    INSERT INTO configuration VALUES (0, 'one', '', 1, 1);
    INSERT INTO test VALUES ('s', 'release', 'unit.T', 1, 0.1);
    INSERT INTO rule VALUES
      (0, 'R', 'B.1: one', 'MUST', 'behaviour', '', '', '', '', '', NULL, NULL),
      (1, 'REG', 'E: registers', 'MUST', 'behaviour', '', '', '', '', '', NULL, NULL);
    INSERT INTO link VALUES ('R', 'tests', 'T'), ('REG', 'tests', 'T'), ('R', 'property', 'R_1');
    INSERT INTO proof VALUES ('s', 'properties', 'g.R_1', '1x2', 'proved', 1, 1);
    INSERT INTO bin VALUES (0, 'R.a', 'R', NULL);
    INSERT INTO hit VALUES ('s', 'one', 'R.a', 1);
    $1;"
    cat "$here/signoff.sql"
    echo 'SELECT rule, state, lacks FROM rules;'
  } | "$evidence" --db rules.db | tr '\t' ' ' | sed 's/ *$//' | tr '\n' '|'
}
# expect STATEMENTS ROWS: rules_of STATEMENTS prints ROWS
expect() { [ "$(rules_of "$1")" = "$2" ] || fail "$1: $(rules_of "$1")"; }
expect '' 'R green|REG green|'
expect "UPDATE bin SET unreachable = 'why'; DELETE FROM hit; INSERT INTO barred VALUES ('R.a', 'one', 'why')" \
  'R missing no configuration can reach its bins|REG green|'
expect "INSERT INTO barred VALUES ('R.a', 'one', 'why')" 'R missing bins were not hit|REG green|'
expect 'DELETE FROM bin' 'R missing no coverpoint|REG green|'
expect "DELETE FROM bin; UPDATE rule SET no_coverpoint = 'why'" 'R green|REG green|'
expect 'DELETE FROM proof' 'R missing properties were not asked|REG green|'
expect "DELETE FROM link WHERE kind = 'property'" 'R missing no property|REG green|'
expect "DELETE FROM link WHERE kind = 'property'; UPDATE rule SET no_property = 'why'" 'R green|REG green|'
expect "INSERT INTO link VALUES ('R', 'property', 'R_2')" 'R missing properties were not asked|REG green|'
expect "UPDATE proof SET verdict = 'unknown'" 'R red|REG green|'
tests="INSERT INTO link VALUES ('R', 'tests', 'U.*'); INSERT INTO test VALUES ('s', 'release'"
for as in unit.U.a unit.U.a/0 unit.Side/U.a/Rtl; do expect "$tests, '$as', 1, 0.1)" 'R green|REG green|'; done
expect "$tests, 'unit.Ua', 1, 0.1)" 'R missing tests were not run|REG green|'
expect "$tests, 'unit.U.a', 0, 0.1)" 'R red|REG green|'
# Of several sides each was run, in each preset that has it.
sides="$tests, 'unit.Side/U.a/Cmodel', 1, 0.1); INSERT INTO registered VALUES ('s'"
expect "$sides, 'release', 'unit.Side/U.a/Cmodel')" 'R green|REG green|'
expect "$sides, 'release', 'unit.Side/U.a/Rtl')" 'R missing tests were not run|REG green|'
expect "$sides, 'sanitize', 'unit.Side/U.a/Cmodel')" 'R missing tests were not run|REG green|'
expect "$sides, 'sanitize', 'unit.Side/U.a/Cmodel'); UPDATE test SET passed = 0 WHERE name GLOB '*U.a*'" 'R red|REG green|'

# ---- Imports ----

cat >prove.json <<'JSON'
{"source": "SOURCE", "proved": false, "asked_sizes": 1, "asked_places": 1, "set": "ci", "whole": true, "sizes": [{"threads": 1, "counters": 2, "set": "ci",
  "standard_cases": 9, "asked_cases": 2, "proved": false,
  "state_bits": 99, "input_bits": 9, "assertions": 11, "cases": [
  {"case": "idle", "proved": true, "state_bits": 99, "input_bits": 9, "assertions": 5, "by_structure": 3, "by_memory": 0, "by_solvers": 2, "refuted": 0, "unknown": 0, "disagreed": 0, "seconds": 0.5},
  {"case": "reset", "proved": false, "state_bits": 99, "input_bits": 9, "assertions": 6, "by_structure": 4, "by_memory": 0, "by_solvers": 1, "refuted": 1, "unknown": 0, "disagreed": 0, "seconds": 0.5}]}],
 "interference": [{"threads": 1, "counters": 2, "places": 7, "place": "EL2", "proved": true, "questions": 7, "questions_proved": 7,
  "must_fail": 3, "must_fail_refuted": 3, "seconds": 1}]}
JSON
cat >properties.json <<'JSON'
{"source": "SOURCE", "properties": [{"size": "1x2", "property": "t.A", "verdict": "proved", "cover": "covered", "seconds": 3.0, "of_group": 3},
 {"size": "1x2", "property": "t.B", "verdict": "proved", "cover": "vacuous", "seconds": 3.0, "of_group": 3},
 {"size": "1x2", "property": "t.C", "verdict": "refuted", "cover": "elsewhere", "seconds": 3.0, "of_group": 1}]}
JSON
cat >tests.xml <<'XML'
<?xml version="1.0"?><testsuite source="SOURCE" preset="release" name="x" tests="2" failures="1" disabled="0" skipped="0">
<testcase name="unit.a" status="run" time="0.5"/><testcase name="unit.b" status="fail"><failure/></testcase></testsuite>
XML
echo '{"source": "SOURCE", "preset": "release", "kind": "ctestInfo", "tests": [{"name": "unit.a"}, {"name": "unit.b"}, {"name": "unit.c"}]}' >tests.json
mkdir defects
echo "$source" >defects/source
sed -i "s/SOURCE/$source/" {prove,properties,tests}.json tests.xml
touch defects/rtl-filter-{P,U,M}.log
printf 'rtl-filter-P\t77\tV\t0\n' >defects/rtl-filter-P.row
printf 'rtl-filter-U\t78\tV\t0\n' >defects/rtl-filter-U.row
printf 'rtl-filter-P\t1000\t5\t90\t0.1\n' >defects/rtl-filter-P.shrunk
all=(--prove prove.json --properties properties.json --tests release=tests.xml --registered release=tests.json --defects defects)
rows() { sqlite3 read.db "$1" | tr '\n' ' '; }
# A proof is of the whole set only if it says so.
sed 's/"whole": true, //' prove.json >silent.json
status 1 --db silent.db --prove silent.json
[ "$(sqlite3 silent.db "SELECT DISTINCT chosen FROM extent")" = part ] || fail "a proof that does not say of what it is"
# One that was stopped is a part: what has no answer is not refuted.
cp prove.json whole.json
sed 's/"asked_places": 1/"asked_places": 2/; s/"asked_cases": 2/"asked_cases": 3/; s/"whole": true/"whole": false/' \
  prove.json >stopped.json
status 1 --db stopped.db --prove stopped.json
[ "$(sqlite3 stopped.db "SELECT DISTINCT chosen FROM extent")" = part ] || fail "a proof that was stopped is not a part"
[ "$(sqlite3 stopped.db "SELECT name FROM proof WHERE verdict <> 'proved'")" = reset ] ||
  fail "a proof that was stopped: what has no answer is red"
status 1 --db read.db "${all[@]}"
[ "$(rows "SELECT theorem, name, size, verdict, assertions FROM proof")" = \
  "equivalence|idle|1x2|proved|5 equivalence|reset|1x2|not proved|6 equivalence|the size|1x2|not proved| interference|EL2|1x2|proved|7 properties|t.A|1x2|proved|1 properties|t.B|1x2|vacuous|1 properties|t.C|1x2|refuted|1 " ] ||
  fail "proofs: $(rows "SELECT * FROM proof")"
[ "$(rows "SELECT preset, name, passed FROM test")" = "release|unit.a|1 release|unit.b|0 " ] ||
  fail "tests: $(rows "SELECT name FROM test")"
[ "$(rows "SELECT name, found, cycles, lines_before, lines_after FROM defect")" = \
  "rtl-filter-M|0||| rtl-filter-P|1|77|1000|5 rtl-filter-U|1|78|| " ] || fail "defects: $(rows "SELECT * FROM defect")"

[ "$(rows "SELECT theorem, size, chosen, total FROM extent")" = "equivalence|1x2|ci|9 interference|1x2|ci|7 " ] ||
  fail "extents: $(rows "SELECT * FROM extent")"
holds '.failed_tests == [{preset: "release", name: "unit.b", verdict: "failed"}, {preset: "release", name: "unit.c", verdict: "not run"}]'
holds '[.not_verified[] | select(.kind == "sample") | .says] == ["1 of 7 of 1x2 were asked", "3 of 9 of 1x2 were asked"] or
  [.not_verified[] | select(.kind == "sample") | .says] == ["3 of 9 of 1x2 were asked", "1 of 7 of 1x2 were asked"]'
# What is read in again was not done again.
status 1 --db read.db "${all[@]}"
holds '.replacements == [] and all(.not_verified[]; .kind != "replaced")'

# A defect that is found again, and not shrunk, keeps what it was shrunk to.
cp -r defects found
rm found/rtl-filter-P.shrunk
status 1 --db read.db --defects found
[ "$(rows "SELECT found, cycles, lines_after FROM defect WHERE name = 'rtl-filter-P'")" = "1|77|5 " ] ||
  fail "a result that is not shrunk: $(rows "SELECT * FROM defect")"
# Of two folders, the red result counts, in whichever order they are read in.
cp -r found not_found
rm not_found/rtl-filter-P.row
for order in "found not_found" "not_found found"; do
  cp read.db two.db
  status 1 --db two.db --defects "${order% *}" --defects "${order#* }"
  [ "$(sqlite3 two.db "SELECT found FROM defect WHERE name = 'rtl-filter-P'")" = 0 ] || fail "$order: a red result is lost"
done
holds '.replacements == []'
# A stimulus that is too long is red, too. Without a red result, the shrunk one counts.
cp -r found long
printf 'rtl-filter-P\t1000\t16\t90\t0.1\n' >long/rtl-filter-P.shrunk
for order in "found long 16" "long found 16" "found defects 5" "defects found 5"; do
  read -r first second lines <<<"$order"
  rm -f two.db
  status 1 --db two.db --defects "$first" --defects "$second"
  [ "$(sqlite3 two.db "SELECT lines_after FROM defect WHERE name = 'rtl-filter-P'")" = "$lines" ] || fail "$order: not these lines"
done
cp read.db two.db
status 1 --db two.db --defects not_found
# A later call reads in what was made since.
status 1 --db two.db --defects found
[ "$(sqlite3 two.db "SELECT found FROM defect WHERE name = 'rtl-filter-P'")" = 1 ] || fail "a red result stays for good"

# Another run replaces all rows of an item, and replaced red rows are listed. The row of a defect that is not
# found keeps nothing of the old one.
sed -i 's/"proved": false/"proved": true/g; s/"refuted": 1/"refuted": 0/; s/"whole": true/"whole": false, "part": "1\/3"/' prove.json
echo '{"source": "SOURCE", "properties": [{"size": "1x2", "property": "t.A", "verdict": "proved", "cover": "covered", "seconds": 3.0, "of_group": 3}]}' >properties.json
echo '<testsuite source="SOURCE" preset="release" name="x" tests="1" failures="0" disabled="0" skipped="0"><testcase name="unit.a" status="run" before="fail" time="0.5"/></testsuite>' >tests.xml
sed -i "s/SOURCE/$source/" properties.json tests.xml
rm -f defects/rtl-filter-P.* defects/rtl-filter-M.*
touch defects/rtl-filter-{P,M}.log
printf 'rtl-filter-M\t5\tV\t0\n' >defects/rtl-filter-M.row
status 1 --db read.db "${all[@]}"
[ "$(rows "SELECT theorem, name, verdict FROM proof")" = \
  "equivalence|idle|proved equivalence|reset|proved interference|EL2|proved properties|t.A|proved " ] ||
  fail "proofs, again: $(rows "SELECT * FROM proof")"
[ "$(rows "SELECT chosen FROM extent")" = "part part " ] || fail "a part of the set: $(rows "SELECT * FROM extent")"
[ "$(rows "SELECT name, passed FROM test")" = "unit.a|1 " ] || fail "tests, again: $(rows "SELECT name FROM test")"
[ "$(rows "SELECT name, found, cycles, lines_after FROM defect")" = "rtl-filter-M|1|5| rtl-filter-P|0|| rtl-filter-U|1|78| " ] ||
  fail "defects, again: $(rows "SELECT * FROM defect")"
[ "$(rows "SELECT item, name, verdict FROM replaced")" = \
  "Planted defects|rtl-filter-M|not found Proof: equivalence|reset, 1x2|not proved Proof: equivalence|the size, 1x2|not proved Proof: properties|t.B, 1x2|vacuous Proof: properties|t.C, 1x2|refuted Tests, release|unit.a|failed Tests, release|unit.b|failed " ] ||
  fail "what was red: $(rows "SELECT * FROM replaced")"
holds '.replacements | length == 7'
grep -q 'replaced verdict' signoff/signoff.html || fail "the page does not list the replaced verdicts"

# What was red is listed where it is red no more, whether it passed or was left out.
# replaces OPTION= ITEM NAME FILE...: reads in the files one by one. It is listed unless the last one is red*.
replaces() {
  local file expected
  rm -f replaces.db*
  for file in "${@:4}"; do
    status 1 --db replaces.db "$1$file"
    expected="$2|$3"
    if [[ $file = red* ]]; then expected=''; fi
    [ "$(jq -r '.replacements[] | .item + "|" + .name' signoff/signoff.json)" = "$expected" ] ||
      fail "$file of ${*:4}: $(jq -c .replacements signoff/signoff.json)"
  done
}
cat >red.xml <<XML
<testsuite source="$source" preset="release" name="x" tests="2" failures="1" disabled="0" skipped="0">
<testcase name="unit.a" status="run"/>
<testcase name="unit.b" status="fail"><failure message=""/></testcase>
</testsuite>
XML
sed '/unit.b/ s/status/before="fail" &/' red.xml >red_again.xml
sed '/unit.b/ s/.*/<testcase name="unit.b" status="run"\/>/; s/failures="1"/failures="0"/' red.xml >green.xml
sed '/unit.b/d; s/tests="2" failures="1"/tests="1" failures="0"/' red.xml >part.xml
sed '/unit.b/ s/.*/<testcase name="unit.b" before="fail" status="notrun"><skipped\/><\/testcase>/
  s/failures="1"/failures="0"/; s/skipped="0"/skipped="1"/' red.xml >not_run.xml
replaces --tests=release= 'Tests, release' unit.b red.xml red.xml green.xml red_again.xml part.xml red.xml
replaces --tests=release= 'Tests, release' unit.b not_run.xml red_again.xml
cp stopped.json red.json
replaces --prove= 'Proof: equivalence' 'reset, 1x2' red.json red.json prove.json red.json
jq '.properties[0].verdict = "refuted"' properties.json >red_properties.json
replaces --properties= 'Proof: properties' 't.A, 1x2' red_properties.json red_properties.json properties.json
turns '^Lockstep regression: 0 diverged, 1 crashed' "
  INSERT INTO replaced VALUES ('$source', 'Lockstep regression', '1 counter, seed 3', 'crashed'),
    ('$source', 'Planted defects', 'rtl-filter-U', 'not found');
  UPDATE run SET verdict = 'crashed' WHERE configuration = '1 counter' AND seed = 3;
  UPDATE defect SET found = 0 WHERE name = 'rtl-filter-U'"
holds '.replacements == []' turned/signoff.json

# What is found takes the place of what is known once: whatever came after it stays.
status 1 --db found.db --found-prove prove.json --found-properties properties.json --defaults-end
[ "$(sqlite3 found.db "SELECT count(DISTINCT theorem) FROM proof")" = 3 ] || fail "what was found is not read in"
sed 's/"idle"/"busy"/; s/"EL2"/"EL1"/' prove.json >found.json
sed 's/t\.A/t.Z/' properties.json >found_properties.json
later() { sqlite3 found.db "SELECT count(*) FROM proof WHERE name IN ('busy', 'EL1', 't.Z')"; }
status 1 --db found.db --found-prove found.json --found-properties found_properties.json --defaults-end
[ "$(later)" = 3 ] || fail "what was found is not read in, since something is known"
status 1 --db found.db --found-prove prove.json --found-properties properties.json --defaults-end
[ "$(later)" = 3 ] || fail "what was read in before took the place of what came after it"
status 1 --db found.db --prove prove.json --properties properties.json
[ "$(later)" = 0 ] || fail "what was named did not take the place of what was known"
status 1 --db found.db --found-prove found.json --found-properties found_properties.json --defaults-end
[ "$(later)" = 0 ] || fail "what was found took the place of what was named after it"
# A proof that refutes a case is read in, though another one proved all.
jq '.proved = false | .sizes[0].proved = false | .sizes[0].cases[1] |= (.proved = false | .refuted = 1)' prove.json >refuted.json
status 1 --db found.db --found-prove refuted.json --defaults-end
[ "$(sqlite3 found.db "SELECT verdict FROM proof WHERE name = 'reset'")" = 'not proved' ] || fail "a refutation was passed over"

# A part that proves all it asks does not take the place of a whole, unless it is named.
jq '.whole = true' prove.json >whole_proof.json
jq '.properties += [.properties[0] | .property = "t.D"]' properties.json >more_properties.json
part() { sqlite3 whole.db "SELECT DISTINCT chosen FROM extent UNION ALL SELECT name FROM proof WHERE theorem = 'properties'" | xargs; }
status 1 --db whole.db --prove whole_proof.json --properties more_properties.json
status 1 --db whole.db --found-prove prove.json --found-properties properties.json --defaults-end
[ "$(part)" = 'ci t.A t.D' ] || fail "a part that was found took the place of a whole: $(part)"
status 1 --db whole.db --prove prove.json --properties properties.json
[ "$(part)" = 'part t.A' ] || fail "a part that was named did not take the place of a whole: $(part)"
status 1 --db whole.db --prove whole_proof.json --properties more_properties.json
jq '.properties[0].verdict = "refuted"' properties.json >refuted_properties.json
status 1 --db whole.db --found-prove refuted.json --found-properties refuted_properties.json --defaults-end
[ "$(sqlite3 whole.db "SELECT name FROM proof WHERE verdict IN ('not proved', 'refuted')" | xargs)" = 'reset t.A' ] ||
  fail "a part that refutes was passed over"

unusable "^pmuv3 signoff: unusable argument 'stray'" stray
unusable "^pmuv3 signoff: --tests takes PRESET=FILE" --db read.db --tests tests.xml
unusable "^pmuv3 signoff: --registered takes PRESET=FILE" --db read.db --registered tests.json
unusable "^pmuv3 signoff: --prove: cannot read 'missing.json': No such file" --db read.db --prove missing.json
unusable "^pmuv3 signoff: --defects: cannot read 'missing': No such file" --db read.db --defects missing
mkfifo result.pipe
unusable "^pmuv3 signoff: --prove: cannot read 'result.pipe': not a regular file" --db read.db --prove result.pipe
unusable "^pmuv3 signoff: --tests: cannot read 'result.pipe': not a regular file" --db read.db --tests release=result.pipe
# A name that is mistyped is refused before any measurement.
unusable "^pmuv3 signoff: --registered: cannot read 'missing.json': No such file" --check-arguments --defaults-end \
  --db read.db --registered release=missing.json
# Of several results all are read in, or none.
known="SELECT name, verdict FROM proof UNION ALL SELECT name, passed FROM test UNION ALL SELECT name, found FROM defect"
before=$(rows "$known")
mkdir unsaid
for last in --prove=tests.xml --properties=prove.json --tests=release=prove.json --registered=other=tests.json --defects=unsaid; do
  unusable . --db read.db --prove whole.json --tests release=tests.xml "$last"
  [ "$(rows "$known")" = "$before" ] || fail "$last is unusable: the results before it were read in: $(rows "$known")"
done
unusable "^pmuv3 signoff: tests.xml: it is not JSON" --db read.db --prove tests.xml
unusable "^pmuv3 signoff: properties.json: the file has no proof" --db read.db --prove properties.json
unusable "^pmuv3 signoff: prove.json: it is not what ctest" --db read.db --tests release=prove.json
unusable "^pmuv3 signoff: prove.json: the results are from preset ''" --db read.db --registered release=prove.json
for option in --tests=sanitize=tests.xml --registered=other=tests.json; do
  unusable ": the results are from preset 'release', not " --db read.db "$option"
done

# contradicts OPTION FILE EXPRESSION...: each sed EXPRESSION makes a sound file contradict itself. Nothing of
# such a file is imported.
contradicts() {
  local option=$1 file=$2 expression
  for expression in "${@:3}"; do
    sed -E "$expression" "$file" >contradicts
    ! cmp -s "$file" contradicts || fail "$file: nothing is changed by $expression"
    unusable '^pmuv3 signoff: contradicts: the result contradicts itself: .*; make it again$' --db read.db "$option"contradicts
  done
}
contradicts --prove= prove.json '1 s/"proved": true/"proved": false/' '1 s/"proved": true/"proved": 7/' '1 s/"proved": true,//' \
  '2 s/"proved": true/"proved": false/' '/reset/ s/"proved": true/"proved": false/' \
  '/idle/ s/"refuted": 0/"refuted": 1/' '/idle/ s/"unknown": 0/"unknown": 1/' '/idle/ s/"disagreed": 0/"disagreed": 1/' \
  '/idle/ s/"assertions": 5/"assertions": 0/' 's/"assertions": 11/"assertions": 12/' \
  '/idle/ s/"state_bits": 99/"state_bits": 0/' '/idle/ s/"input_bits": 9/"input_bits": 0/' '/idle/ s/"input_bits": 9, //' \
  '/"case"/! s/"state_bits": 99/"state_bits": 98/' '/"case"/! s/"input_bits": 9/"input_bits": 0/' \
  '/"case": "idle"/ d' 's/"questions_proved": 7/"questions_proved": 6/' 's/"must_fail_refuted": 3/"must_fail_refuted": 2/' \
  '/EL2/ s/"proved": true/"proved": false/'
# What was asked is there: each size, each case of it, each place.
contradicts --prove= prove.json '/"case": "idle"/ s/,$/]}],/; /"case": "reset"/ d; s/"assertions": 11/"assertions": 5/' \
  's/"asked_cases": 2/"asked_cases": 3/' 's/"asked_cases": 2, //' 's/"asked_sizes": 1/"asked_sizes": 2/' \
  's/"whole": false/"whole": true/; s/"set": "ci",$/"set": "standard",/' '/"interference"/ s/\[.*/[]}/; /must_fail/ d'
# A size that was asked is not left out, though none of its cases has an answer.
contradicts --prove= prove.json \
  '2 s/"proved": true/"proved": false/; s/"(assertions|state_bits|input_bits)": (11|99|9)/"\1": 0/g; /"case": "idle"/ s/.*/]}],/; /"reset"/ d'
# What says that it is whole has all that was asked, even if something is refuted.
contradicts --prove= whole.json 's/"asked_places": 1/"asked_places": 2/' 's/"asked_cases": 2/"asked_cases": 3/' \
  '/"interference"/ s/\[.*/[]}/; /must_fail/ d'
contradicts --properties= properties.json 's/"verdict": "proved"/"verdict": "prove"/' 's/"verdict": "proved", //' \
  's/"cover": "covered"/"cover": ""/' 's/(\{"size.*\})\].*/\1, \1]}/'
cat >two.xml <<XML
<testsuite source="$source" preset="release" name="x" tests="4" failures="1" disabled="1" skipped="1">
<testcase name="unit.a" status="run"/>
<testcase name="unit.b" status="fail"><failure message=""/></testcase>
<testcase name="unit.c" status="notrun"><skipped message=""/></testcase>
<testcase name="unit.d" status="disabled"/>
</testsuite>
XML
# A test that was not run is missing, and did not fail.
echo "{\"source\": \"$source\", \"preset\": \"release\", \"tests\": [{\"name\": \"unit.a\"}, {\"name\": \"unit.c\"}]}" >two.json
sed '/unit.b/d; s/tests="4" failures="1"/tests="4" failures="0"/; s/^<testcase name="unit.d"/<testcase name="unit.a" status="notrun"><skipped message=""\/><\/testcase>\n&/; s/skipped="1"/skipped="2"/' two.xml >skipped.xml
status 1 --db skipped.db --out skipped --tests release=skipped.xml --registered release=two.json
[ "$(jq -c '[.tests[] | select(.preset == "release") | .passed, .not_run], [.failed_tests[] | .name, .verdict]' skipped/signoff.json | xargs)" = \
  '[0,2] [unit.a,not run,unit.c,not run]' ] || fail "tests that were not run: $(jq -c '.tests, .failed_tests' skipped/signoff.json)"
contradicts --tests=release= two.xml 's/tests="4"/tests="5"/' 's/tests="4"//' 's/failures="1"/failures="0"/' 's/skipped="1"/skipped="0"/' \
  's/disabled="1"/disabled="0"/' '/unit.a/ d' '/unit.a/ s/run/passed/' '/unit.a/ s/status="run"//' '/unit.a/ s/name="unit.a"//' \
  '/unit.b/ s/status="fail"/status="run"/' '/unit.b/ s/<failure message=""\/>//' '/unit.c/ s/notrun/run/' \
  '/unit.a/ s/"run"\/>/"run"><failure\/><\/testcase>/' '/unit.a/ s/"run"\/>/"run"><error\/><\/testcase>/' \
  '/unit.a/ s/"run"\/>/"run"><skipped\/><\/testcase>/'
cp -r defects odd
printf 'rtl-filter-U\t78\tV\t0\n' >odd/rtl-filter-M.row
unusable '^pmuv3 signoff: odd/rtl-filter-M.row: it is no result of the defect rtl-filter-M; make it again' --db read.db --defects odd
rm odd/rtl-filter-M.row
printf 'rtl-filter-M\t9\t5\n' >odd/rtl-filter-M.shrunk
unusable '^pmuv3 signoff: odd/rtl-filter-M.shrunk: the result contradicts itself: the defect was not found' --db read.db --defects odd
printf 'rtl-filter-M\t5\tV\t0\n' >odd/rtl-filter-M.row
printf 'rtl-filter-M\t5\t9\n' >odd/rtl-filter-M.shrunk
unusable '^pmuv3 signoff: odd/rtl-filter-M.shrunk: the result contradicts itself: more lines' --db read.db --defects odd

# A name is shown in one line.
status 1 --db name.db --out $'a\tb'
[ "$(head -n 1 out)" = 'a?b/signoff.html, a?b/signoff.json' ] || fail "a control character: $(head -n 1 out)"
rm name.db*

# The name of a folder is no pattern.
cp -r found 'ci[1]'
status 1 --db name.db --defects 'ci[1]'
[ "$(sqlite3 name.db "SELECT count(*) FROM defect")" = 3 ] || fail "a folder's name is a pattern"

mkdir none
echo "$source" >none/source
unusable "^pmuv3 signoff: none: no results" --db read.db --defects none
unusable "^pmuv3 signoff: --out: cannot make 'absent/out'" --db read.db --out absent/out
unusable "^pmuv3 signoff: --out: cannot write 'read.db': Not a directory" --db read.db --out read.db
unusable "^pmuv3 signoff: --prove: cannot read 'missing.json'" --db read.db --prove missing.json --out made
left made
mkdir -p strange/signoff.json piped read
mkfifo piped/signoff.html
cp prove.json read/signoff.json
for other in strange piped read; do
  unusable "^pmuv3 signoff: --out: cannot write '$other/signoff\..*': " --db read.db --prove read/signoff.json --out "$other"
done
cmp prove.json read/signoff.json || fail "an input was replaced"
: >out
refuses_streams --db --out made
left made
status 0 --check-arguments --defaults-end --db untouched.db --out untouched
for option in --check-arguments --missing --found-prove=prove.json; do
  unusable "^pmuv3 signoff: unusable option '${option%=*}'" --defaults-end --db untouched.db --out untouched $option
done
left untouched untouched.db

# Results of other sources, or without a digest, are refused. Nothing of them is imported.
for of in fedcba9876543210 ''; do
  sed "s/$source/$of/" prove.json >other.json
  sed "s/$source/$of/" properties.json >other_properties.json
  sed "s/$source/$of/" tests.json >other_tests.json
  sed "s/$source/$of/" tests.xml >other.xml
  rm -rf other
  cp -r defects other
  echo "$of" >other/source
  why=${of:+": the result is from sources $of, not from these"}
  for option in --prove=other.json --properties=other_properties.json --tests=release=other.xml \
    --registered=release=other_tests.json --defects=other; do
    unusable "${why:-: the file does not name its sources}" --db read.db "$option"
  done
done
[ "$(rows "SELECT count(*) FROM proof WHERE theorem = 'equivalence'")" = "2 " ] || fail "half a file was read in"

# ---- Damage is reported, and damaged evidence does not count ----

# Flips bits of the file. Each flip is reported, or the result stays the same. Where the bits lie depends on the
# file, so any number of the flips may be harmless.
jq -S . green/signoff.json >sound.json
cp complete.db damaged.db
size=$(stat -c %s complete.db)
RANDOM=24
for _ in {1..16}; do
  at=$(((RANDOM * 32768 + RANDOM) % size)) bit=$((RANDOM % 8))
  byte=$(od -An -tu1 -j "$at" -N 1 complete.db)
  printf '%b' "\\x$(printf %02x $((byte ^ 1 << bit)))" | dd of=damaged.db bs=1 seek="$at" conv=notrunc status=none
  ! cmp -s complete.db damaged.db || fail "bit $bit of $at was not flipped"
  rm -rf damaged
  actual=0
  "$program" --db damaged.db --out damaged >out 2>err || actual=$?
  case $actual in
    0) jq -S . damaged/signoff.json | cmp -s - sound.json || fail "bit $bit of $at is not seen" ;;
    2) [ "$(wc -l <err)" = 1 ] || fail "bit $bit of $at: $(cat err)" ;;
    *) fail "bit $bit of $at: exit status $actual: $(cat err)" ;;
  esac
  cp complete.db damaged.db
  rm -f damaged.db-*
done

# A changed value that SQLite does not detect.
grep -c 'VALUES' evidence.sql >/dev/null || fail "no rows"
LC_ALL=C sed 's/pmuv3_filter[.]sv:1/pmuv3_filter.sv:2/' complete.db >damaged.db
unusable "^pmuv3 signoff: damaged.db: it is damaged: [0-9]+ rows of the table mutant are not as they were written" --db damaged.db
sqlite3 old.db "CREATE TABLE run (source TEXT)"
unusable "^pmuv3 signoff: old.db: the tables are not those of this version" --db old.db

# ---- The page ----

# The page is well-formed, and one file without a script.
xmllint --noout green/signoff.html turned/signoff.html 2>err || fail "not well-formed: $(head -n 3 err)"
if grep -nEi '<script|<link|<img|src=|href="[^#]|url\(|@import|https?:' green/signoff.html; then fail "not self-contained"; fi
grep -q 'a &lt;b&gt; &amp; c' green/signoff.html && fail "killed mutants are not listed one by one"
grep -oE 'href="#[a-z-]+' green/signoff.html | cut -d'#' -f2 | while read -r id; do
  grep -q "id=\"$id\"" green/signoff.html || echo "$id"
done >lost
[ ! -s lost ] || fail "parts that are not there: $(cat lost)"

# ---- Sources that change while the page is made, and are put back ----
mkdir sources
(set -euo pipefail && . "$here/../../common.sh" && cd "$here/../../.." && find_sources -print0 |
  xargs -0 cp -pL --parents -t "$scratch/sources") || fail "the sources were not copied"
cp complete.db copied.db
program=$stand_in
status 0 --db copied.db --out copied
# The database that commands fill without being told.
mkdir sources/build
cp empty.db sources/build/evidence.db
status 1 --db sources/build/evidence.db --out told
finds_none -e --db out || fail "the default database is named: $(cat out)"
rm -r sources/build
# The program has looked at the sources when there is a database.
stand_in changes <<'END'
#!/usr/bin/env bash
table=sources/testbench/signoff/defects/defects.txt
until [ -s amid.db ]; do sleep 0.1; done
mv $table kept
touch $table
cp -p kept $table
cat properties.json
END
unusable '^pmuv3 signoff: the sources in sources were changed while the page was made$' --db amid.db --out amid --properties <(timeout 60 ./changes)
left amid
# The program reads the required evidence from the sources. If these are not the program's, there is no page.
for file in docs/reference/rules.md testbench/{tests/rules/rules,prove/properties/properties}.txt \
  testbench/signoff/{defects/defects,evidence/outside,evidence/measures}.txt; do
  cp -p "sources/$file" kept
  echo '# another table' >>"sources/$file"
  unusable "^pmuv3 signoff: the program was built from sources $source, and the sources in sources are now " --db copied.db \
    --out elsewhere
  cp -p kept "sources/$file"
done
left elsewhere

# browse PAGE OPTION FILE: chromium makes the file of the page. On a loaded machine its processes may give up on each
# other. Then it ends without the file, and is asked again.
browse() {
  for _ in {1..5}; do
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --hide-scrollbars \
      --window-size=1280,3000 "$2=$PWD/$3" "$1" >browser 2>&1
    [ ! -s "$3" ] || return 0
  done
  fail "$1: no $3: $(cat browser)"
}
# A browser shows the page: not blank, and not wider than the window.
echo '<html></html>' >blank.html
if command -v chromium >/dev/null; then
  browse blank.html --screenshot blank.png
  browse green/signoff.html --screenshot page.png
  [ "$(stat -c %s page.png)" -gt $((5 * $(stat -c %s blank.png))) ] || fail "the page is blank: $(cat browser)"
  browse green/signoff.html --print-to-pdf page.pdf
  if [ -n "${KEEP-}" ]; then cp -r page.png page.pdf green turned complete.db "$KEEP"; fi
else
  fail "no chromium"
fi

all_held
