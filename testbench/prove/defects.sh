#!/usr/bin/env bash
# Demands that the proof refutes planted defects, and that each counterexample diverges when it is
# replayed.
#
#   defects.sh --campaign DIR --program FILE --good DIR [NAME...]
#
#   --campaign DIR  where testbench/defects/campaign.sh made and built its copy, with all defects
#   --program FILE  pmuv3-prove
#   --good DIR      what it proves: the C model's bitcode and the circuits
#   --size TxC      threads and counters (default 1x2, then 1x3); may be given again
#   --proved FILE   what of the good ones is proved already (pmuv3-prove --proved)
#   --work DIR      keeps what is made there and takes up again what is (default: nothing is kept)
#   --jobs N        defects side by side (default: processors)
#   NAME            the defects; default: the sample of defects.txt; --all: all of them
#
# A defect is looked for in the cases of the sample first, then in the standard set, stopped at the
# first that is not proved. What of the good ones is proved is kept and not proved again: only what a
# defect changes is asked.
#
# Exit status: 0 all well; 1 a defect is not refuted, or its counterexample does not diverge, and
# the RTL with it is not refused either (elaborate.sh); 2 unusable arguments.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
table=$here/../defects/defects.txt

main() {
  parse_arguments "$@"
  make_work
  prove_good
  compile_all
  local name running=0 missed=0
  for name in "${names[@]}"; do
    if [ "$running" = "$jobs" ]; then
      wait -n || missed=1
      running=$((running - 1))
    fi
    try "$name" &
    running=$((running + 1))
  done
  for (( ; running > 0; running--)); do wait -n || missed=1; done
  print_count
  if [ "$missed" = 1 ]; then fail 1 "not every defect was refuted and replayed"; fi
}

fail() {
  echo "defects.sh: $2" >&2
  exit "$1"
}

parse_arguments() {
  campaign='' program='' good='' proved='' work='' jobs=$(nproc)
  sizes=()
  local all=0
  while [[ ${1:-} == --* ]]; do
    case $1 in
      --all) all=1 ;;
      --size)
        [[ ${2-} =~ ^[1-4]x[0-9]+$ ]] || fail 2 "--size: expected THREADSxCOUNTERS"
        sizes+=("$2")
        shift
        ;;
      --campaign | --program | --good | --proved | --work | --jobs)
        [ $# -gt 1 ] || fail 2 "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      *) fail 2 "$1: unknown argument" ;;
    esac
    shift
  done
  [ ${#sizes[@]} -gt 0 ] || sizes=(1x2 1x3)
  source=$campaign/source replay=$campaign/build/bin/pmuv3-replay
  if [ ! -d "$source" ] || [ ! -x "$replay" ]; then
    fail 2 "--campaign: no planted copy; run campaign.sh"
  fi
  [ -x "$program" ] || fail 2 "--program: expected pmuv3-prove"
  [ -f "$good/pmuv3_ub.bc" ] || fail 2 "--good: expected a directory with pmuv3_ub.bc"
  [[ $jobs =~ ^[1-9][0-9]{0,2}$ ]] || fail 2 "--jobs: expected a number of 1 or more"
  names=("$@")
  if [ "$all" = 1 ]; then
    mapfile -t names < <(awk '$1 == "defect" { print $2 }' "$table")
  elif [ $# = 0 ]; then
    mapfile -t names < <(awk '$1 == "defect" { name = $2 } $1 == "sample" { print name }' "$table")
  fi
  local name
  for name in "${names[@]}"; do
    [ -n "$(number_of "$name")" ] || fail 2 "$name: no such defect"
  done
}

number_of() {
  awk -v name="$1" '$1 == "defect" { n++; if ($2 == name) print n }' "$table"
}

make_work() {
  if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
  fi
  mkdir -p "$work"/{model,results}
}

# ---- What has no defect ----

prove_good() {
  if [ -n "$proved" ]; then cp "$proved" "$work/proved"; fi
  "$program" --bitcode "$good/pmuv3_ub.bc" --circuits "$good" --size "${sizes[0]}" --set ci \
    --proved "$work/proved" --out "$work/good" >"$work/good.log" ||
    fail 1 "without a defect: not proved: $(tail -n 1 "$work/good.log")"
}

# The C model with all defects, but for the one that is selected.
compile_all() {
  local file
  for file in "$source"/cmodel/src/*.c "$source/testbench/prove/step.c"; do
    [[ $file == */selector.c ]] || compile "$file" "$work/model/$(basename "$file" .c).bc"
  done
}

compile() {
  clang-14 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -g -std=gnu11 \
    -DPMUV3_NO_CLONES -fno-pic -fsanitize=undefined,bounds \
    -fno-sanitize=alignment,null,object-size,pointer-overflow -fsanitize-trap=all -w -I"$source" \
    -I"$source/cmodel/include" -I"$source/cmodel/src" -include "$source/cmodel/src/selector.h" \
    -emit-llvm -c "$1" -o "$2"
}

# ---- A defect ----

try() {
  local name=$1 number what row=$work/results/$1.row start=$SECONDS
  number=$(number_of "$name")
  if [ ! -f "$row" ]; then
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name/inputs"
    case $name in
      rtl-*) what=$({ select_rtl "$number" "$work/$name" || true; } 2>&1 | tail -n 1 | tr " " _) ;;
      *) select_model "$number" "$work/$name" && what='' ;;
    esac
    if [ -n "$what" ]; then what="refused $what"; else what=$(find_it "$number" "$work/$name"); fi
    printf '%s %s %d\n' "$name" "$what" $((SECONDS - start)) >"$row"
    rm -rf "${work:?}/$name"
  fi
  awk '{ printf "%-44s %-14s %4d s  %s\n", $1, $2, $4, $3 }' "$row"
  grep -Eq ' (replayed|refused) ' "$row"
}

# The RTL with one defect, whose number is a constant. Prints why the elaboration refuses it, if it
# does: a defect may make a latch, or a register without a reset.
select_rtl() {
  local size
  cp -r "$source/rtl" "$2/rtl"
  sed -i -e '/import "DPI-C" function int pmuv3_defect_number/d' \
    -e "s/int selected = pmuv3_defect_number()/localparam int selected = $1/" "$2/rtl/pmuv3_pkg.sv"
  for size in "${sizes[@]}"; do
    "$here/elaborate.sh" --rtl "$2/rtl" --define PMUV3_PROBE "${size%x*}" "${size#*x}" \
      "$2/inputs/${size/x/_}.btor"
  done
  cp "$good/pmuv3_ub.bc" "$2/inputs"
}

# The C model with one defect, likewise.
select_model() {
  local size
  echo "const int pmuv3_defect = $1;" >"$2/selected.c"
  clang-14 -O1 -emit-llvm -c "$2/selected.c" -o "$2/selected.bc"
  llvm-link-14 "$work"/model/*.bc "$2/selected.bc" -o "$2/inputs/pmuv3_ub.bc"
  for size in "${sizes[@]}"; do cp "$good/${size/x/_}.btor" "$2/inputs"; done
}

# Prints what became of it, and where.
find_it() {
  local size set status what='proved everywhere'
  for size in "${sizes[@]}"; do
    for set in ci standard; do
      status=0
      cp "$work/proved" "$2/proved"
      "$program" --bitcode "$2/inputs/pmuv3_ub.bc" --circuits "$2/inputs" --size "$size" \
        --set "$set" --stop --jobs 1 --seconds 20 --patience 60 --proved "$2/proved" \
        --out "$2/refuted" >"$2/log" 2>&1 || status=$?
      case $status in
        0) continue ;;
        1) what=$(replay_all "$1" "$2") ;;
        *) what="unusable $(tail -n 1 "$2/log" | tr ' ' _)" ;;
      esac
      [[ $what != replayed* ]] || break 2
    done
  done
  echo "$what"
}

# Whether a counterexample diverges, and which.
replay_all() {
  local file status what
  what="unknown $(awk '/: unknown/ { gsub(" ", "_"); print; exit }' "$2/log")"
  for file in "$2"/refuted/*.stim; do
    [ -f "$file" ] || break
    status=0
    PMUV3_DEFECT=$1 "$replay" "$file" >"$2/replay.log" 2>&1 || status=$?
    if [ "$status" = 1 ]; then
      echo "replayed $(basename "$file" .stim)"
      return
    fi
    what="refuted $(basename "$file" .stim)"
    cp "$file" "$work/results/$(basename "$2").stim"
  done
  if grep -q 'refuted$' "$2/log"; then what=${what/#unknown/refuted}; fi
  echo "$what"
}

print_count() {
  cat "$work"/results/*.row | awk '{ n++; count[$2]++ } END {
    for (what in count) printf "%d %s, ", count[what], what
    printf "of %d\n", n }'
}

main "$@"
