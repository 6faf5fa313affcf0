#!/usr/bin/env bash
# The engine stands alone: someone can lift its folder out.
#
#   alone_test.sh ENGINE               includes and words
#   alone_test.sh --self-test ENGINE   that each way to depend on the product is seen
#   alone_test.sh --build DIR ENGINE   a copy of the folder, built in DIR, proves its example
set -euo pipefail
# shellcheck source=../common.sh
. "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../common.sh"

fail() {
  echo "alone_test.sh: $*" >&2
  exit 1
}

# foreign_includes ENGINE: "FILE: NAME" of each quoted include that is not the engine's.
foreign_includes() {
  local file name
  while IFS=: read -r file name; do
    [[ $name != engine/*..* && $name == engine/* && -f $1/${name#engine/} ]] ||
      [[ $name != */* && -f ${file%/*}/$name ]] || echo "$file: $name"
  done < <(grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$1" |
    sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1:\2/')
}

# foreign_words ENGINE: lines that speak of the product, or reach out of the folder.
foreign_words() {
  grep -rniE 'pmuv3|\bpmus?\b|cmodel|tlm_wrapper|testbench|PROJECT_SOURCE_DIR\}/\.\./' "$1"
}

# alone ENGINE: whether it is, and why not on stderr.
alone() {
  local includes words
  includes=$(foreign_includes "$1")
  words=$(foreign_words "$1") || [ $? = 1 ]
  [ -z "$includes$words" ] || {
    printf '%s\n' "$includes" "$words" | grep . >&2
    return 1
  }
}

# plant ENGINE FILE LINE: a copy with one more line is not alone.
plant() {
  local copy=$scratch/engine
  rm -rf "$copy"
  cp -r "$1" "$copy"
  alone "$copy" 2>"$scratch/err" || fail "the copy is not alone: $(cat "$scratch/err")"
  [ -f "$copy/$2" ] || fail "$2: no such file"
  printf '%s\n' "$3" >>"$copy/$2"
  ! alone "$copy" 2>"$scratch/err" || fail "$2: not seen: $3"
  grep -qF "$2" "$scratch/err" || fail "$2: it is not said: $(cat "$scratch/err")"
}

self_test() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  plant "$1" smt/solver.c '#include "testbench/cosim/cli/now.h"'
  plant "$1" smt/solver.h '  #  include "equivalence/model.h"'
  plant "$1" term/term_test.cc '#include "engine/../equivalence/model.h"'
  plant "$1" term/term.c '#include "../../equivalence/text.h"'
  plant "$1" symex/symex.h '#include <pmuv3/pmuv3.h>'
  plant "$1" netlist/netlist.c 'int Pmuv3_x;'
  plant "$1" cache/digest.c '/* of a PMU */'
  # shellcheck disable=SC2016
  plant "$1" cache/CMakeLists.txt 'include_directories(${PROJECT_SOURCE_DIR}/../equivalence)'
}

build() {
  local dir=$1 launcher
  own_folder DIR "$dir"
  rm -rf "$dir"/{engine,build}
  cp -rp "$2" "$dir/engine"
  launcher=$(command -v ccache || :)
  export CMAKE_C_COMPILER_LAUNCHER=$launcher CMAKE_CXX_COMPILER_LAUNCHER=$launcher
  cmake -S "$dir/engine" -B "$dir/build" -G Ninja >"$dir/log" ||
    fail "cannot be configured alone: $dir/log"
  cmake --build "$dir/build" --target engine-example prove_cache >"$dir/log" ||
    fail "cannot be built alone: $dir/log"
  ctest --test-dir "$dir/build" -R '^prove\.engine-example$' --no-tests=error >"$dir/log" ||
    fail "the example fails alone: $dir/log"
}

case ${1-} in
  --self-test) self_test "$2" ;;
  --build) build "$2" "$3" ;;
  *) alone "$1" ;;
esac
