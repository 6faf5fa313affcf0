#!/usr/bin/env bash
# Demands that the proof refutes planted defects, and that each counterexample diverges when it is
# replayed.
#
#   defects.sh --campaign DIR --program FILE [NAME...]
#
#   --campaign DIR  where testbench/signoff/defects/campaign.sh made and built its copy, with all defects
#   --program FILE  pmuv3-prove
#   --size TxC[+A]  threads and counters, and threads that are elaborated but not implemented
#                   (default 1x2, 1x3, 2x1 and 2x1+1); may be given again
#   --set SET       the cases, ci or standard (default both, one after the other); may be given again
#   --proved FILE   what of them without a defect is proved already (pmuv3-prove --proved)
#   --table FILE    the table of defects, of which the copy must be (default testbench/signoff/defects/defects.txt)
#   --work DIR      keeps what is made there, and does not ask again for what was found with the same sources
#                   and sizes (default: nothing is kept)
#   --limit S       seconds for what is asked of a size at once, which may be twice (default 600)
#   --jobs N        defects side by side (default: processors)
#   --check-arguments  sees whether these can be used, and does nothing
#   NAME            the defects; default: the sample of defects.txt; --all: all of them
#
# The copy must be proved equal while no defect is selected. Then a defect is looked for where the campaign
# met it, if testbench/cosim/shrink/measure.sh has left a shrunk stimulus there (by default with 1x8, 1x31, 2x2 and 3x1, too),
# then in the cases of the sample (ci), then in the standard set, stopped at the first that is not proved; if
# its counterexample does not diverge, all of them are asked.
# What is proved without a defect is not proved again: only what a defect changes is asked.
#
# A defect that the table says to be outside of the proof is not asked for.
#
# Exit status: 0 all well; 1 a defect is not refuted, or its counterexample does not diverge, and
# the RTL with it is not refused either (elaborate.sh); 2 unusable arguments; 3 no verdict on a defect: the prover
# or the replay was killed or could not do it, or had no answer in time.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../signoff/defects/table.sh
. "$here/../../signoff/defects/table.sh"

main() {
  end_without_verdict
  parse_arguments "$@"
  if [ "$check" = 1 ]; then
    # The entry point makes its copy and the program after this, of the table of the sources.
    if is_given --program; then expect_program; fi
    if is_given --campaign || ! cmp -s "$table" "$here/../../signoff/defects/defects.txt"; then expect_campaign; fi
    return
  fi
  expect_campaign
  expect_program
  [ ! -f "$campaign/.pmuv3" ] || hold_folder --shared --campaign "$campaign"
  make_work
  unset PMUV3_SOURCE # the copy is of other sources
  told refute
}

refute() {
  end_without_verdict
  prove_without_defect
  local name running=0 lost=0
  missed=0 untold=0
  for name in "${names[@]}"; do
    if [ "$running" = "$jobs" ]; then
      end_one
      running=$((running - 1))
    fi
    try "$name" &
    running=$((running + 1))
  done
  for (( ; running > 0; running--)); do end_one; done
  results_of refuted "$work/results" "${names[@]}" || lost=$?
  if [ "$missed" = 1 ]; then end_with 1 "not every defect was refuted and replayed"; fi
  if [ "$untold" = 1 ]; then end_with 3 "no verdict on every defect"; fi
  end_as "$lost"
}

# Waits for one of those that are tried.
end_one() {
  local status=0
  wait -n || status=$?
  case $status in
    0) ;;
    1) missed=1 ;;
    *) untold=1 ;;
  esac
}

parse_arguments() {
  table=$here/../../signoff/defects/defects.txt campaign='' program='' proved='' jobs=$(nproc)
  unset work
  sizes=() larger=() sets=() limit=600
  local all=0 name chosen=()
  check=0
  while [[ ${1:-} == --* ]]; do
    [[ $1 == --@(size|set|defaults-end) ]] || once "$1"
    case $1 in
      --all) all=1 ;;
      --check-arguments) check=1 ;;
      --defaults-end) given='' ;;
      --size)
        is_size "${2-}" ||
          end_with 2 "--size: expected THREADSxCOUNTERS or THREADSxCOUNTERS+ABSENT, up to 4 threads and 31 counters"
        [[ " ${sizes[*]-} " != *" $2 "* ]] || end_with 2 "--size $2: is given twice"
        sizes+=("$2")
        shift
        ;;
      --set)
        [[ ${2-} =~ ^(ci|standard)$ ]] || end_with 2 "--set: expected ci or standard"
        [[ " ${sets[*]-} " != *" $2 "* ]] || end_with 2 "--set $2: is given twice"
        sets+=("$2")
        shift
        ;;
      --campaign | --program | --proved | --table | --work | --limit | --jobs)
        [ $# -gt 1 ] || end_with 2 "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      *) end_with 2 "$1: unknown argument" ;;
    esac
    shift
  done
  [ -z "${work+set}" ] || expect_own_folder --work "$work"
  [ ${#sizes[@]} -gt 0 ] || sizes=(1x2 1x3 2x1 2x1+1) larger=(1x8 2x2 3x1 1x31)
  [ ${#sets[@]} -gt 0 ] || sets=(ci standard)
  source=$campaign/source replay=$campaign/build/bin/pmuv3-replay
  expect_table "$table"
  [[ $limit =~ ^[1-9][0-9]{0,4}$ ]] || end_with 2 "--limit: expected seconds"
  [[ $jobs =~ ^[1-9][0-9]{0,2}$ ]] || end_with 2 "--jobs: expected a number of 1 or more"
  names=("$@")
  [ "$all" = 0 ] || [ $# = 0 ] || end_with 2 "$1: --all takes no names"
  if [ $# = 0 ]; then
    if [ "$all" = 0 ]; then chosen=(sample); fi
    name=$(table_of names "$table" "${chosen[@]}") || end_as $?
    mapfile -t names <<<"$name"
  fi
  for name in "${names[@]}"; do
    [ -n "$(number_of "$name")" ] || end_with 2 "$name: no such defect"
  done
  name=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
  [ -z "$name" ] || end_with 2 "${name%%$'\n'*}: is given twice"
  [ -z "$proved" ] || [ -f "$proved" ] || end_with 2 "--proved: cannot read '$proved'"
  [ -z "${work+set}" ] || expect_inputs_outside
}

expect_inputs_outside() {
  local option
  for option in campaign program proved table; do
    [ -z "${!option}" ] || expect_outside "$work" "--$option" "${!option}"
  done
}

# is_size TEXT: a size of which there is a netlist.
is_size() {
  local threads counters absent
  [[ $1 =~ ^[1-4]x(0|[1-9][0-9]?)(\+[1-3])?$ ]] || return
  IFS=x+ read -r threads counters absent <<<"$1"
  [ $((threads + ${absent:-0})) -le 4 ] && [ "$counters" -le 31 ]
}

# is_given OPTION: by the caller, or by the user of the entry point.
is_given() { [[ "$given " == *" $1 "* ]]; }

expect_campaign() {
  if [ ! -d "$source" ] || [ ! -x "$replay" ]; then
    end_with 2 "--campaign: no planted copy; run campaign.sh"
  fi
  is_of_table "$campaign" "$table" ||
    end_with 2 "--table: $campaign is not of this table; run campaign.sh --build --table with another --work, and give it as --campaign"
}

expect_program() {
  if [ ! -f "$program" ] || [ ! -x "$program" ]; then end_with 2 "--program: expected pmuv3-prove"; fi
}

number_of() { table_of number "$table" "$1"; }

make_work() {
  if [ -z "${work+set}" ]; then
    work=$(temporary_folder) || exit $?
    trap 'rm -rf "$work"' EXIT
  fi
  own_folder --work "$work"
  work=$(realpath "$work")
  what_is_tried >"$work/tried.now"
  if [ ! -f "$work/tried" ] || ! cmp -s "$work/tried.now" "$work/tried"; then
    rm -rf "${work:?}"/{none,proved,results}
    if [ -n "$proved" ]; then cp "$proved" "$work/proved"; fi
  fi
  mv "$work/tried.now" "$work/tried"
  mkdir -p "$work/results"
}

# Results are of these sources, program, sizes and sets.
what_is_tried() {
  (cd "$source" && find cmodel rtl testbench/prove/equivalence/step.c -type f -print0 | sort -z |
    xargs -0 sha256sum)
  sha256sum <"$program"
  echo "${sizes[*]} ${larger[*]} ${sets[*]} $limit"
}

# ---- The two sides ----

# The C model with all defects, but for the one that is selected.
compile_model() {
  local file
  for file in "$source"/cmodel/src/*.c "$source/testbench/prove/equivalence/step.c"; do
    if [[ $file == */selector.c ]]; then continue; fi
    "$here/bitcode.sh" --traps "$source" "$file" "$work/model/$(basename "$file" .c).bc" \
      -w -include "$source/cmodel/src/selector.h"
  done
}

# select_model NUMBER DIR: the C model with one defect, or with none (0).
select_model() {
  echo "const int pmuv3_defect = $1;" >"$2/selected.c"
  clang-14 -O1 -emit-llvm -c "$2/selected.c" -o "$2/selected.bc"
  llvm-link-14 "$work"/model/*.bc "$2/selected.bc" -o "$2/pmuv3_ub.bc"
}

# select_rtl NUMBER DIR: the RTL likewise, where the number is a constant.
select_rtl() {
  copy_files "$source/rtl" "$2/rtl"
  sed -i -e '/import "DPI-C" function int pmuv3_defect_number/d' \
    -e "s/int selected = pmuv3_defect_number()/localparam int selected = $1/" "$2/rtl/pmuv3_pkg.sv"
}

# elaborate DIR SIZE: the netlist, unless it is there.
elaborate() {
  local threads counters absent netlist
  IFS=x+ read -r threads counters absent <<<"$2"
  threads=$((threads + ${absent:-0}))
  netlist=$1/${threads}_$counters.btor
  [ -f "$netlist" ] ||
    "$here/elaborate.sh" --rtl "$1/rtl" --define PMUV3_PROBE "$threads" "$counters" "$netlist"
}

# Once for all the defects that are tried in a folder.
prove_without_defect() {
  local size status
  [ ! -f "$work/none/proved" ] || return 0
  rm -rf "${work:?}"/{model,none}
  mkdir "$work"/{model,none}
  compile_model
  select_model 0 "$work/none"
  select_rtl 0 "$work/none"
  for size in "${sizes[@]}"; do
    elaborate_without_defect "$size"
    status=0
    "$program" --bitcode "$work/none/pmuv3_ub.bc" --netlists "$work/none" --theorem equivalence \
      --size "$size" --set ci --proved "$work/proved" --out "$work/good" >"$work/good.log" 2>&1 || status=$?
    [ "$status" -le 1 ] || end_with 3 "without a defect: no verdict: $(tail -n 1 "$work/good.log")"
    [ "$status" = 0 ] || end_with 1 "without a defect: not proved: $(tail -n 1 "$work/good.log")"
  done
  for size in "${larger[@]}"; do elaborate_without_defect "$size"; done
  touch "$work/none/proved"
}

# Only a refusal says something of the sources.
elaborate_without_defect() {
  ! elaborate "$work/none" "$1" 2>"$work/good.log" || return 0
  [[ $(refusal "$work/good.log") != refused* ]] || end_with 1 "without a defect: not elaborated: $(tail -n 1 "$work/good.log")"
  end_with 3 "without a defect: no verdict: $(tail -n 1 "$work/good.log")"
}

# ---- A defect ----

# try NAME: status 0 it is found, 1 it is not, 3 no verdict. What was not found is asked for again: by now the table may
# say that it is outside, or a stimulus where it was met.
try() {
  local name=$1 row=$work/results/$1.row start=$SECONDS outside what where seconds
  outside=$(table_of outside "$table" "$name")
  if [ -n "$outside" ] || ! is_found "$row"; then
    rm -rf "${work:?}/$name" "$row"
    mkdir -p "$work/$name"
    if [ -n "$outside" ]; then
      what="outside ${outside// /_}"
    else
      what=$(become "$name" "$(number_of "$name")" "$work/$name") || exit 3
    fi
    printf '%s %s %d\n' "$name" "$what" $((SECONDS - start)) >"$row.new"
    rm -rf "${work:?}/$name"
    if is_verdict "$row.new"; then mv "$row.new" "$row"; fi
  fi
  read -r _ what where seconds < <(cat "$row"*)
  printf '%-44s %-14s %4d s  %s\n' "$name" "$what" "$seconds" "$where"
  is_verdict "$row" || exit 3
  [ -n "$outside" ] || is_found "$row" || exit 1
}

is_found() { [ -f "$1" ] && grep -Eq '^[^ ]+ (replayed|refused) ' "$1"; }

is_verdict() {
  [ -f "$1" ] && grep -Eq '^[^ ]+ (replayed|refused|outside|refuted|proved) ' "$1"
}

# become NAME NUMBER DIR: prints what becomes of the defect, and where.
become() {
  if [[ $1 == rtl-* ]]; then
    select_rtl "$2" "$3"
    ln -s "$work/none/pmuv3_ub.bc" "$3"
  else
    select_model "$2" "$3"
    ln -s "$work"/none/*.btor "$3"
  fi
  find_it "$2" "$3" "$campaign/results/$1/minimal.stim"
}

# find_it NUMBER DIR STIMULUS: prints what became of it, and where.
find_it() {
  local size set cases only what='proved everywhere'
  if [ -f "$3" ]; then
    for size in $(sizes_met "$3"); do
      cases=$(cases_met "$3" "$size") || exit 3
      mapfile -t only <<<"$cases"
      if look_for_it "$1" "$2" "$size" --set all "${only[@]/#/--among=}"; then return; fi
    done
  fi
  for set in "${sets[@]}"; do
    for size in "${sizes[@]}"; do
      if look_for_it "$1" "$2" "$size" --set "$set"; then return; fi
    done
  done
  echo "$what"
}

# The cases of what a stimulus does, and of what diverged, by parts of their names. Event counters are the
# first two, in either layout of the page, and those that PMSELR selects. Each begins with a reset, and one
# without any line shows what that left; of a cycle with two writes there is a case for all. Of 31 counters
# the clock without an access is left out, and what waits for a cycle but with a register that was met: they
# take minutes.
cases_met() {
  local sel
  {
    sed 's/^param[^#]*//' "$1" |
      grep -oE '[A-Z][A-Z0-9]{3,}(_EL[0-3])?|ext([rw] (@[0-9] )?([A-Z]+ )?|\.[A-Z]+:)0x[0-9a-f]+|^pe |^refused ' ||
      [ $? = 1 ] || exit 3
    grep -oE 'PMSELR(_EL0)?[ =]0x[0-9a-f]+' "$1" | while IFS=' =' read -r _ sel; do
      printf 'SEL %d\n' $((sel & 31))
    done || [ $? = 1 ] || exit 3
    [ "$2" = 1x31 ] || printf 'idle\npage waits\n'
    echo reset
  } | sed -E 's/(PMEV[A-Z]+)[0-9]*(_EL.)?/\10\2\n\11\2/; s/(PMXEV[A-Z]+(_EL0)?)/\1, SEL 0\n\1, SEL 1/
              s/^ext.*0x0.[08]$/offset 0x000\noffset 0x008/; s/^ext.*0x0.[4c]$/offset 0x004\noffset 0x00C/
              s/^ext.*0x4..$/offset 0x400\noffset 0x404\nPMEVTYPER0_EL0/; s/^ext.*0xa..$/offset 0xA00\noffset 0xA04/
              s/^ext.*0x(.*)/offset 0x\U\1/; s/^pe $/changes its state/
              s/^refused $/PMEVCNTR0_EL0\nPMEVCNTR1_EL0\nunknown register/' | sort -u
}

# The sizes of one thread; first those of more, if the stimulus has more.
sizes_met() {
  local size
  if grep -q '^param .*threads=' "$1"; then
    for size in "${sizes[@]}" "${larger[@]}"; do [[ $size == 1x* ]] || echo "$size"; done
  fi
  for size in "${sizes[@]}" "${larger[@]}"; do [[ $size != 1x* ]] || echo "$size"; done
}

# look_for_it NUMBER DIR SIZE OPTION...: whether it is refuted there, or Yosys refuses it, which is then
# printed; else `what` says what became of it, unless it is proved. The first counterexample may not diverge,
# and one of another question: all are asked then.
look_for_it() {
  local number=$1 dir=$2 size=$3 answer
  shift 3
  if elaborate "$dir" "$size" 2>"$dir/log"; then
    cp "$work/proved" "$dir/proved"
    answer=$(ask "$number" "$dir" "$size" "$@" --stop)
    if [[ $answer == refuted* ]]; then answer=$(ask "$number" "$dir" "$size" "$@"); fi
  else
    answer=$(refusal "$dir/log")
  fi
  [[ $answer == '' || $what == refuted* ]] || what=$answer
  [[ $answer == @(replayed|refused)* ]] && echo "$answer"
}

# What is said of it, in one word and one more.
unusable_of() { echo "unusable $1" | tr ' ' _ | sed 's/_/ /'; }

# ask NUMBER DIR SIZE OPTION...: prints what becomes of it, unless it is proved.
ask() {
  local number=$1 dir=$2 size=$3 status=0
  shift 3
  rm -rf "$dir/refuted"
  timeout "$limit" "$program" --bitcode "$dir/pmuv3_ub.bc" --netlists "$dir" --theorem equivalence \
    --size "$size" "$@" --jobs 1 --seconds 20 --patience 60 --proved "$dir/proved" \
    --out "$dir/refuted" >"$dir/log" 2>&1 || status=$?
  case $status in
    0) ;;
    1) replay_all "$number" "$dir" ;;
    124) replay_all "$number" "$dir" | sed "s/^unknown.*/late $size/" ;;
    *) unusable_of "status $status: $(tail -n 1 "$dir/log")" ;;
  esac
}

# refusal LOG: Yosys refuses RTL with a latch, or a register without a reset; anything else is ours.
refusal() {
  local said
  said=$(tail -n 1 "$1" | tr ' ' _)
  local what='Assertion_failed|Found_[0-9]+_problems|Identifier|Async_reset_value'
  if [[ $said =~ ^elaborate\.sh:_ERROR:_($what) ]]; then echo "refused $said"; else echo "unusable $said"; fi
}

# Whether a counterexample diverges, and does not without the defect; and which. A replay that died says nothing.
replay_all() {
  local file what with without
  what="unknown $(grep -m 1 ': unknown' "$2/log" | tr ' ' _ || true)"
  for file in "$2"/refuted/*.stim; do
    [ -f "$file" ] || break
    with=$(replay_one "$1" "$file") without=$(replay_one 0 "$file")
    if [ "$with" -gt 2 ] || [ "$without" -gt 2 ]; then
      unusable_of "replay of $(basename "$file"): status $with, without the defect $without"
      return
    fi
    if [ "$with $without" = "1 0" ]; then
      echo "replayed $(basename "$file" .stim)"
      return
    fi
    what="refuted $(basename "$file" .stim)"
    cp "$file" "$work/results/$(basename "$2").stim"
  done
  if grep -q 'refuted$' "$2/log"; then what=${what/#unknown/refuted}; fi
  echo "$what"
}

# replay_one NUMBER FILE: prints the exit status. Of an access that must be refused the C model is asked while the file
# is read. One that says otherwise differs from the RTL, which refused it.
replay_one() {
  local status=0 said
  said=$(PMUV3_DEFECT=$1 "$replay" "$2" 2>&1 >/dev/null) || status=$?
  if [[ $status = 2 && $said == *' is not refused; expected one that must be' ]]; then status=1; fi
  echo "$status"
}

main "$@"
