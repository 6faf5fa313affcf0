#!/usr/bin/env bash
# Makes mutants of the C model, all of them in one library behind a selector.
#
#   cmodel.sh PROGRAM NUMBER SEED DIR
#
# PROGRAM is pmuv3-mutants. DIR/mutants.so is the C model as a side, DIR/mutants.list its mutants
# (mutants.h). Exit status: 0; 2 unusable arguments; 3 no verdict: no mutants could be made.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=library.sh
. "$here/library.sh"
root=$(realpath "$here/../../..")
llvm=$(llvm-config-14 --bindir 2>/dev/null) || llvm=''

main() {
  [ $# = 4 ] || unusable "expected PROGRAM NUMBER SEED DIR"
  [ -n "$llvm" ] || unusable "llvm-config-14: not found, expected Debian's package llvm-14-dev"
  end_without_verdict
  mkdir -p "$4/bitcode"
  dir=$(realpath "$4")
  local status=0
  # A process of its own, as bash does not stop at what fails in a function whose status is looked at.
  make_mutants "$1" "$2" "$3" >"$dir/log" 2>&1 &
  wait $! || status=$?
  case $status in
    0) ;;
    2) unusable "$(tail -n 1 "$dir/log")" ;; # more mutants than there are
    *) end_with 3 "no verdict: $(tail -n 1 "$dir/log"); see $dir/log" ;;
  esac
}

# The bitcode is that of the proof (testbench/prove/CMakeLists.txt), so that a mutant has the same
# name in it; nothing of the rest of the program is in it, so that a mutant is of this side alone.
make_mutants() {
  local source
  cd "$root"
  for source in cmodel/src/*.c tlm_wrapper/side_cmodel.c; do
    case $source in # these decide nothing in a cycle, or the lockstep does not call them: no mutants
      cmodel/src/params.c | cmodel/src/id_registers.c | cmodel/src/legal.c | cmodel/src/save.c | cmodel/src/run.c)
        continue
        ;;
    esac
    "$here/../../prove/equivalence/bitcode.sh" "$root" "$root/$source" "$dir/bitcode/$(basename "$source" .c).bc" -fPIC
  done
  "$llvm/llvm-link" "$dir"/bitcode/*.bc -o "$dir/cmodel.bc"
  # The probe shows what is compared. The proof does not execute it, so none of its mutants could be proved equal.
  # What makes the side is called once, and has no clock. The lockstep makes no copies of it, and `run` no Cold reset.
  local function without=()
  for function in pmuv3_probe pmuv3_side_cmodel cmodel_{clone,depends,save,restore,cold_reset}; do
    without+=(--without "$function")
  done
  "$1" "$dir/cmodel.bc" --number "$2" --seed "$3" --keep pmuv3_side_cmodel "${without[@]}" --poison \
    -o "$dir/mutants.bc" --list "$dir/mutants.list" || end_as $?
  (cd "$dir" && make_library "$root")
  "$llvm/clang" -O2 -fPIC -shared -Wl,--no-undefined "$dir/mutants.bc" "$dir/library.a" -o "$dir/mutants.so.new"
  mv "$dir/mutants.so.new" "$dir/mutants.so"
}

main "$@"
