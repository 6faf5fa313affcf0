#!/usr/bin/env bash
# Proves the RTL's properties that are written from the rules (pmuv3_rules_*.sv), inductively, with
# yosys-smtbmc; and that none is vacuous.
#
#   properties.sh             every property, of 1 thread with 2 counters and of 2 threads with 1
#   properties.sh --sample    a few of each kind of rule, of 1 thread with 2 counters
#   properties.sh NAME...     these, with their lemmas; * in a name stands for anything
#   properties.sh --self-test makes mistakes in copies of the table, the properties and the RTL, and
#                             expects each to be seen
#
#   --size TxC        threads and counters, instead of those above; may be given again
#   --rtl DIR         proves the RTL that is there (default rtl/)
#   --rules DIR       takes the properties that are there (default: beside this script)
#   --solver NAME     z3 (default) or cvc5
#   --timeout SECONDS of one property (default 600)
#   --jobs N          proofs at a time (default: processors)
#   --work DIR        keeps what is made there
#   --json FILE       writes the results, with the digest of the sources if it is their RTL and properties
#   --check-arguments checks the arguments, and does nothing else
#
# What is proved: with any legal configuration (pmuv3_legal.sv says what that is), any inputs in any
# clock. A property holds in the clock after reset, and if the lemmas and it hold in a clock, then
# it holds in the next. Lemmas (INV_*, D13_4_3, C_5_lookup) are proved first, by themselves.
# A cover is a clock in which there is what a property says something of, and the clock before it,
# in states that the lemmas allow. It is asked of one counter for each property, in the first size
# that has it. What is x in Verilog can be anything.
#
# REFUTED says that there is such a step: from a state that the lemmas allow, reached or not.
#
# A run is no proof where properties are lost on the way to the solver: each that the sources have
# must be there by its name. Exit status: 0 all proved, 1 some property is refuted, vacuous or
# unknown, or properties.txt, the sources and docs/reference/rules.md differ; 2 unusable; 3 no
# verdict: a command died unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
root=$(realpath "$here/../../..")
# shellcheck source=../equivalence/yosys.sh
. "$here/../equivalence/yosys.sh"

# Of a group one solver run proves all. Larger ones take longer than their members one by one.
readonly group_size=8
readonly lemmas='INV_[^.]*|D13_4_3|C_5_lookup'

main() {
  end_without_verdict
  parse_arguments "$@"
  [ "$check" = 0 ] || return 0
  [ -z "$json" ] || begin_json
  expect_tools
  check_table || end_as $?
  make_work
  told prove_or_try
}

# An earlier result would pass for that of a run that ends without one. Where a full disk takes no other, it goes.
begin_json() {
  (write_whole "$json" no_result) || {
    ended=$?
    if is_earlier && lacks_room; then rm -f -- "$(realpath -- "$json")"; fi
    exit "$ended"
  }
}

# lacks_room: whether a file beside the result cannot be written for want of room.
lacks_room() {
  local file status=0
  file=$(mktemp -p "$(dirname -- "$(realpath -m -- "$json")")" 2>/dev/null) || return 0
  (no_result >"$file") 2>/dev/null || status=$?
  rm -f -- "$file"
  [ "$status" != 0 ]
}

# is_earlier: whether the file is a result, as programs look at it (cli.c).
is_earlier() {
  local earlier='^[{[].*("properties"|no verdict)'
  [ -f "$json" ] && [[ $(head -c 512 -- "$json" | tr -d '\0') =~ $earlier ]]
}

no_result() {
  echo '{"verdict": "no verdict", "reason": "properties.sh ended early; its standard error says why"}'
}

prove_or_try() {
  end_without_verdict
  if [ "$self_test" = 1 ]; then
    try_mistakes
  else
    prove_all
  fi
}

# ---- Arguments ----

parse_arguments() {
  rtl=$root/rtl rules=$here solver=z3 timeout=600 jobs=$(nproc) work='' json='' sample=0 self_test=0
  check=0
  sizes=() names=()
  while [ $# -gt 0 ]; do
    [ "$1" = --size ] || once "$1"
    case $1 in
      --check-arguments) check=1 ;;
      --sample) sample=1 ;;
      --self-test) self_test=1 ;;
      --size | --rtl | --rules | --solver | --timeout | --jobs | --work | --json)
        [ $# -gt 1 ] || unusable "$1: expected a value"
        option "$1" "$2"
        shift
        ;;
      -*) unusable "$1: unknown argument" ;;
      *) names+=("$1") ;;
    esac
    shift
  done
  if [ "$self_test" = 1 ] && { [ -n "$json" ] || [ "$sample" = 1 ] || [ ${#names[@]} -gt 0 ]; }; then
    unusable "--self-test takes no --json, no --sample and no names"
  fi
  [ "$sample" = 0 ] || [ ${#names[@]} = 0 ] || unusable "${names[0]}: --sample takes no names"
  expect_no_input "$json"
  [ -z "$work" ] || expect_work
  if [ ${#sizes[@]} = 0 ]; then
    sizes=(1x2)
    if [ "$sample" = 0 ]; then sizes+=(2x1); fi
  fi
  expect_names
  if [ "$sample" = 1 ]; then mapfile -t names < <(sample_names); fi
}

# Each name is that of a property in one of the sizes: else only its lemmas would be proved.
expect_names() {
  local name size known=''
  [ ${#names[@]} -gt 0 ] || return 0
  for size in "${sizes[@]}"; do
    known+=$(expected_properties "${size%x*}" "${size#*x}" | sed 's/.*[.]//')$'\n'
  done
  for name in "${names[@]}"; do
    if [[ ! $name =~ ^[A-Za-z0-9_*]+$ ]] || ! grep -qxE "${name//\*/.*}" <<<"$known"; then
      unusable "$name: no such property in size ${sizes[*]}"
    fi
  done
}

expect_work() {
  expect_own_folder --work "$work"
  expect_outside "$work" --rtl "$rtl"
  expect_outside "$work" --rules "$rules"
  [ -z "$json" ] || expect_outside "$work" --json "$json"
}

# expect_no_input FILE: an output is none of the files that are proved.
expect_no_input() {
  local input
  [ -e "$1" ] || return 0
  for input in "$rtl"/* "$rules"/*; do
    [ ! "$1" -ef "$input" ] || unusable "--json: cannot write '$1': it is an input, too"
  done
}

option() {
  case $1 in
    --size)
      [[ $2 =~ ^[1-4]x([1-9]|[12][0-9]|3[01])$ ]] || unusable "$2: expected a size such as 1x2"
      [[ " ${sizes[*]-} " != *" $2 "* ]] || unusable "--size $2: is given twice"
      sizes+=("$2")
      ;;
    --rtl)
      [ -f "$2/pmuv3.sv" ] || unusable "$2: no RTL there"
      rtl=$(realpath "$2")
      ;;
    --rules)
      [ -f "$2/pmuv3_proof.sv" ] || unusable "$2: no properties there"
      rules=$(realpath "$2")
      ;;
    --solver)
      [ "$2" = z3 ] || [ "$2" = cvc5 ] || unusable "$2: expected z3 or cvc5"
      solver=$2
      ;;
    --timeout | --jobs)
      [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || unusable "$1: $2: expected a number from 1 to 9999"
      printf -v "${1#--}" %s "$2"
      ;;
    --json)
      expect_output --json "$2"
      json=$2
      ;;
    *) printf -v "${1#--}" %s "$2" ;;
  esac
}

# Of each kind of rule: whose occurrences, multithreading's reset of it, filters, the threshold and
# its edges, what is added and overflows, prohibitions, freezes, the counters of cycles and
# instructions.
sample_names() {
  printf '%s\n' D13_4_1 D13_4_11 D13_6_4 D13_7_2 D13_7_4 D13_7_13 RYWWSV 'RJJRJQ_*' RNXPYM RHBWBB \
    RXFGYS ILQXJZ_6 C_1 C_2 C_3_V C_4_CP C_4_reset C_5_sum C_5_cycle C_6_3 CYC_1 CYC_4 CYC_4__flag \
    CHAIN_2 D_2_EL3 D_2_NS_EL2 D_4_pS D_4_pM D_4_pH D_5_frozen_fzo D_5_global C_6_5 C_6_6 \
    D_6_CCNT D_6_ICNTR
}

expect_tools() {
  local tool
  for tool in yosys yosys-smtbmc "$solver"; do
    command -v "$tool" >/dev/null || unusable "$tool: not found, expected Debian's packages yosys and $solver"
  done
}

make_work() {
  if [ -z "$work" ]; then
    work=$(temporary_folder) || exit $?
    trap 'rm -rf "$work"' EXIT
  fi
  own_folder --work "$work"
  work=$(realpath "$work")
  mkdir -p "$work/bin"
  solver_front >"$work/bin/$solver"
  chmod +x "$work/bin/$solver"
}

# z3 4.8 expands a define-fun at every use of it, which takes ages where each uses others. As a
# constant with an equation it is one term. After a check-sat only values are asked for. sed must not
# hold the solver's output open: smtbmc waits for its end if the solver dies.
solver_front() {
  cat <<END_FRONT
#!/usr/bin/env bash
exec "$(command -v "$solver")" "\$@" < <(exec stdbuf -oL sed -E '1,/^\\(check-sat\\)/s/^\\(define-fun (\\|[^|]*\\|) \\(\\) (Bool|\\(_ BitVec [0-9]+\\)) (.*)\\)\$/(declare-fun \\1 () \\2) (assert (= \\1 \\3))/' 2>/dev/null)
END_FRONT
}

# ---- Sources, and the table ----

# expected_properties THREADS COUNTERS: every property that a design of this size must have, by its name in the
# design.
expected_properties() { "$here/sources.py" expected "$rules" "$1" "$2"; }

# Every rule of B, C and D that says MUST is in the table, and the table names existing properties.
check_table() { "$here/sources.py" check "$rules" "$root/docs/reference/rules.md" >&2; }

# ---- Elaboration ----

# elaborate THREADS COUNTERS OUT.smt2
elaborate() {
  elaboration "$1" "$2" "$3" >"$3.ys"
  # -e: a warning is an error
  local ended=0
  (yosys_in "$work/rtl" "../${3##*/}.ys" -e .) >"$3.log" 2>&1 || ended=$?
  [ "$ended" -lt 128 ] || end_with 3 "no verdict: Yosys was killed"
  [ "$ended" = 0 ] || unusable "$(grep -m 1 '^ERROR' "$3.log" || tail -n 1 "$3.log")"
  expect_properties "$1" "$2" "$3"
}

elaboration() {
  local source
  local made=../${3##*/}
  for source in $(sources "$root/rtl"); do
    echo "read_verilog -sv -formal -DPMUV3_PROBE $source"
  done
  for source in rules_pkg rules_lane rules_thread legal proof; do
    echo "read_verilog -sv -formal ../rules/pmuv3_$source.sv"
  done
  echo "hierarchy -check -top pmuv3_proof -chparam NumThreads $1 -chparam NumCounters $2"
  printf '%s\n' proc flatten
  see_registers "$1" "$2"
  part_select >"$3.v"
  cat <<END_SCRIPT
setattr -set keep 1 t:\$assert t:\$assume t:\$cover
check -assert
async2sync
dffunmap
opt_clean
read_verilog $made.v
chtype -set part_select t:\$shiftx
hierarchy -check
proc
flatten
setundef -anyseq
opt -fast -nosdff -nodffe
opt_clean -purge
check -assert
pmuxtree
write_smt2 -nomem $made
END_SCRIPT
}

# Yosys drops some properties without a word (bind). Each must have come through, and its cover.
expect_properties() {
  local lost
  expected_properties "$1" "$2" >"$3.expected"
  [ -s "$3.expected" ] || unusable "there are no properties in size $1x$2"
  properties_in "$3" >"$3.properties"
  sed 's/$/_seen/' "$3.expected" | sort >"$3.to_see"
  covers_in "$3" | grep '[.]u_rules[.]' >"$3.covers" || [ $? = 1 ]
  lost=$(comm -3 "$3.expected" "$3.properties" && comm -3 "$3.to_see" "$3.covers")
  [ -z "$lost" ] || unusable "$(head -n 1 <<<"$lost" | tr -d '\t'): not both in the sources and in what is proved"
}

properties_in() { "$here/smt2.py" asserts "$1"; }
covers_in() { "$here/smt2.py" covers "$1"; }

# ---- Proof ----

# select_properties SMT2 LEMMAS <NAMES: the file with only these to be proved, and the lemmas assumed.
select_properties() { "$here/smt2.py" select "$1" "$2"; }

# Where smtbmc dies it kills its process group; timeout gives it one of its own.
smtbmc() {
  PATH=$work/bin:$PATH timeout "$timeout" yosys-smtbmc --noprogress -s "$solver" --noincr --unroll \
    --logic QF_BV "$@" 2>&1 || true
}

# Whether what smtbmc says is that all holds: proved, refuted or unknown
verdict() {
  case $1 in
    *"Status: PASSED"*) echo proved ;;
    *"Status: FAILED"*) echo refuted ;;
    *) echo unknown ;;
  esac
}

# prove SIZE GROUP: the properties of the file GROUP. Where they are not all proved together, each is
# tried alone.
prove() {
  local size=$1 group=$2 started result covered number=0 name
  started=$(now)
  select_properties "$work/$size.smt2" "$lemmas" <"$group" >"$group.smt2"
  result=$(proof "$group.smt2")
  if [ "$result" = proved ] || [ "$(wc -l <"$group")" = 1 ]; then
    covered=$(covers "$size" "$group")
    results "$size" "$group" "$result" "$covered" "$(since "$started")"
  else
    while read -r name; do
      number=$((number + 1))
      echo "$name" >"$group.$number"
      prove "$size" "$group.$number"
    done <"$group"
  fi
  rm -f "$group.smt2"
}

# All lemmas at once: one may need any other of the clock before. If they fail then those are refuted
# that the counterexample breaks.
prove_lemmas() {
  local size=$1 group=$work/$1.lemmas started covered
  started=$(now)
  select_properties "$work/$size.smt2" '' <"$group" >"$group.smt2"
  if [ "$(proof "$group.smt2")" = proved ]; then
    covered=$(covers "$size" "$group")
    results "$size" "$group" proved "$covered" "$(since "$started")"
  else
    { smtbmc -i -t 1 "$group.smt2" && smtbmc -t 1 "$group.smt2"; } |
      sed -n 's/.*Assert failed in pmuv3_proof: \([^ ]*\).*/\1/p' | sort -u >"$group.refuted"
    comm -23 <(sort "$group") "$group.refuted" >"$group.unknown"
    results "$size" "$group.refuted" refuted "" "$(since "$started")"
    results "$size" "$group.unknown" unknown "" "$(since "$started")"
  fi
}

# By induction: from a clock in which it holds to the next one, and in the first clock. If all hold
# in that, nobody need ask again.
proof() {
  local result
  result=$(verdict "$(smtbmc --noinfo -i -t 1 "$1")")
  if [ "$result" = proved ] && [ "$base" != proved ]; then result=$(base_of "$1"); fi
  echo "$result"
}
base_of() { verdict "$(smtbmc --noinfo -t 1 "$1")"; }

# covers SIZE GROUP: of those of the group that are to be covered, which are
covers() {
  grep -Fxf "$work/$1.to_cover" "$2" >"$2.names" || return 0
  "$here/smt2.py" cover "$work/$1.smt2" "$lemmas" <"$2.names" >"$2.cover"
  smtbmc -c -t 2 "$2.cover"
  rm -f "$2.cover"
}

# prove_groups SIZE KIND: the properties of the file SIZE.KIND, side by side
prove_groups() {
  local groups=$work/$1.$2.groups
  rm -rf "$groups"
  mkdir "$groups"
  split -l "$group_size" -a 4 "$work/$1.$2" "$groups/group."
  find "$groups" -type f -print0 | sort -z | xargs -r -0 -P "$jobs" -n1 bash -euo pipefail -c 'prove "$@"' prove "$1"
}

# results SIZE GROUP VERDICT COVERS SECONDS: lines "size property verdict cover seconds members"
results() {
  local name cover members
  members=$(wc -l <"$2")
  while read -r name; do
    cover=elsewhere
    if grep -qFx "$name" "$work/$1.to_cover"; then
      case $4 in
        *"Reached cover statement at ${name}_seen "*) cover=covered ;;
        *"Status: "*) cover=vacuous ;;
        *) cover=unknown ;;
      esac
    fi
    echo "$1 $name $3 $cover $5 $members"
  done <"$2"
}

now() { date +%s%N; }
since() { printf '%.1f' "$((10#$(now) - 10#$1))e-9"; }

# ---- All of them ----

prove_all() {
  local size started source times lost=0
  started=$(now)
  times=$(source_times "$root" C)
  source=$(source_that_is_proved)
  : >"$work/results"
  copy_files "$rtl" "$work/rtl"
  copy_files "$rules" "$work/rules"
  for size in "${sizes[@]}"; do
    elaborate "${size%x*}" "${size#*x}" "$work/$size.smt2"
    prove_size "$size" >"$work/$size.results"
    cat "$work/$size.results" >>"$work/results"
    unsaid "$here/results.py" show <"$work/$size.results" || lost=$?
  done
  [ -z "$source" ] || [ "$(source_times "$root" C)" = "$times" ] ||
    unusable "the sources were changed while they were proved"
  if [ -n "$json" ]; then
    (write_whole "$json" unsaid "$here/results.py" json "$work/results" "$(since "$started")" "$solver" \
      ${source:+"$source"}) || lost=$?
  fi
  unsaid "$here/results.py" summary "$work/results" "$(since "$started")" || end_as $?
  end_as "$lost"
}

# The digest of the sources, if it is their RTL and their properties.
source_that_is_proved() {
  if [ "$rtl" = "$root/rtl" ] && [ "$rules" = "$here" ]; then source_digest "$root"; fi
}

# Without its lemmas a property says nothing.
prove_size() {
  local all=$work/$1.smt2.properties found
  only_label "$lemmas" <"$all" >"$work/$1.lemmas"
  only_label "$lemmas" -v <"$all" >"$work/$1.rest"
  sort "$work/$1".{lemmas,rest} | cmp -s - <(sort "$all") || end_with 3 "no verdict: properties of size $1 are lost"
  only_named <"$work/$1.rest" >"$work/$1.others"
  cat "$work/$1.lemmas" "$work/$1.others" | "$here/results.py" to-cover "$work/results" >"$work/$1.to_cover"
  base=$(base_of "$work/$1.smt2")
  export -f prove proof base_of covers results verdict smtbmc select_properties now since grep end_with complain
  export here work solver timeout lemmas base called
  found=$(prove_lemmas "$1")
  echo "$found"
  if [[ $found != *" refuted "* && $found != *" unknown "* ]]; then prove_groups "$1" others; fi
}

# only_label PATTERN [-v] <NAMES: the names whose labels match the whole pattern; with -v those that do not.
only_label() { grep -E "${@:2}" "(^|[.])($1)\$" || [ $? = 1 ]; }

only_named() {
  local name pattern=''
  if [ ${#names[@]} = 0 ]; then
    cat
    return
  fi
  for name in "${names[@]}"; do
    pattern+="|${name//\*/[^.]*}"
  done
  only_label "${pattern#|}"
}

# ---- The proof itself ----

# Prints a line for each mistake.
try_mistakes() {
  local missed=0
  try_table 'has no line in properties.txt' '/^D13[.]4-11 /d' || missed=1
  try_table 'is not in properties.txt' 's/ D13_4_11$/ D13_4_1/' || missed=1
  try_table 'no such rule in B, C or D of docs/reference/rules.md' 's/^D13[.]4-11 /D13.4-99 /' || missed=1
  try_table 'no such property' 's/ D13_4_11$/&__no/' || missed=1
  try_table 'is there twice' 's/ D13_4_11$/& D13_4_11/' || missed=1
  plant_defects
  export -f try
  export here work solver timeout
  trials | xargs -P "$jobs" -L1 bash -euo pipefail -c 'try "$@"' try || missed=1
  [ "$missed" = 0 ] || exit 1
}

# try_table MISTAKE EXPRESSION: the table that sed makes with it has the mistake
try_table() {
  local copy=$work/table mistakes
  mkdir -p "$copy"
  cp "$here"/pmuv3_*.sv "$copy"
  sed "$2" "$here/properties.txt" >"$copy/properties.txt"
  mistakes=$(rules=$copy check_table 2>&1) || true
  if [[ $mistakes == *": $1"* ]]; then
    echo "properties.txt: $1: is seen"
  else
    echo "properties.txt: $1: is NOT SEEN"
    return 1
  fi
}

# Lines "name size property verdict option folder": a run with the option, and that folder of $work, proves the
# property, and must come to the verdict.
trials() {
  local defect size property
  spoil vacuous "s/(D13_4_1, plain/(D13_4_1, 1'b0 \&\& plain/" pmuv3_rules_lane.sv
  echo "a-property-that-is-vacuous 1x2 D13_4_1 vacuous --rules vacuous"
  spoil lost 's/^  label: assert (.*;/  ;/' pmuv3_rules_pkg.sv
  echo "properties-that-are-lost 1x2 D13_4_1 lost --rules lost"
  while read -r defect size property; do
    echo "$defect $size $property refuted --rtl $defect"
  done < <(planted)
}

# spoil NAME EXPRESSION FILE: a copy of the properties of which sed changes the file
spoil() {
  mkdir -p "$work/$1"
  cp "$here"/pmuv3_*.sv "$here/properties.txt" "$work/$1"
  sed "$2" "$here/$3" >"$work/$1/$3"
  if cmp -s "$here/$3" "$work/$1/$3"; then unusable "$1: $3 has no place for it"; fi
}

try() {
  local name=$1 size=$2 property=$3 expected=$4 run=$work/run.$1 status=0
  # What is exported here is no variable of that run.
  env -u here -u work -u solver -u timeout \
    "$here/properties.sh" --size "$size" "$5" "$work/$6" --solver "$solver" --timeout "$timeout" --jobs 1 \
    --work "$run" "$property" >"$run.log" 2>&1 || status=$?
  if [ "$expected" = lost ] && [ $status = 2 ] && grep -q 'not both in' "$run.log"; then
    echo "$name: are seen"
  elif [ $status = 1 ] && grep -q "^$size [^ ]*[.]$property .*\<$expected\>" "$run/results"; then
    echo "$name: $property is $expected"
  else
    echo "$name: $property is NOT ${expected^^}: $(tail -n 1 "$run.log")"
    return 1
  fi
}

# Defects of testbench/signoff/defects/defects.txt, the size and the property that must be refuted of a copy
# of the RTL with it.
planted() {
  cat <<'END_PLANTED'
rtl-threshold-ct-not-allowed    1x2  RJJRJQ_DIS
rtl-threshold-cp-not-cleared    1x2  RJJRJQ_CP
rtl-counter-v-width             1x2  CYC_4
rtl-attribution-count-width     1x2  D13_7_4
rtl-registers-TLC-even          1x2  INV_fields
rtl-filter-now-prohibited-SS    2x1  D13_6_10
rtl-filter-own-MT               2x1  D13_4_9__own
END_PLANTED
}

# A copy of the RTL for each, with its defect alone: of plant.sh's copy, which has all of them, with
# the selectors made constants.
plant_defects() {
  local defects=$root/testbench/signoff/defects copy=$work/planted number=0 name names
  mapfile -t names < <(planted | cut -d' ' -f1)
  "$defects/table.py" blocks "$defects/defects.txt" "${names[@]}" >"$work/defects.txt"
  "$defects/plant.sh" "$work/defects.txt" "$copy" || unusable "the defects cannot be planted"
  while read -r name _; do
    number=$((number + 1))
    copy_files "$copy/rtl" "$work/$name"
    sed -i "1,$(wc -l <"$defects/selector.sv")d" "$work/$name/pmuv3_pkg.sv"
    sed -i "s/pmuv3_defect_pkg::selected != $number ?/1'b0 ?/
            s/pmuv3_defect_pkg::selected != [0-9]* ?/1'b1 ?/" "$work/$name"/*.sv
  done < <(planted)
  rm -rf "$copy"
}

main "$@"
