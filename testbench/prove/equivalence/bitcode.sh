#!/usr/bin/env bash
# Compiles a file of the C model to LLVM's bitcode, as it is proved.
#
#   bitcode.sh [--traps] ROOT SOURCE OUT.bc [OPTION...]
#
# ROOT is where the sources are; --traps and OPTION are those of engine/symex/bitcode.sh. OUT.bc.sources has the
# digests of what was read of ROOT, and of what says how to compile: lines of sha256sum, as in a build's source.list.
#
# Exit status: 0; 2 after one line, or clang's; 3 a command died unforeseen.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"

traps=()
if [ "${1-}" = --traps ]; then
  shift
  traps=(--traps)
fi
[ $# -ge 3 ] || unusable "expected [--traps] ROOT SOURCE OUT.bc [OPTION...]"
end_without_verdict
root=$1 source=$2 out=$3
shift 3

# What was read must not be newer.
began=$(temporary_file) || exit $?
trap 'rm -f "$began"' EXIT
status=0
"$here/../engine/symex/bitcode.sh" "${traps[@]}" "$source" "$out" -DPMUV3_NO_CLONES \
  -ffile-prefix-map="$root"/= -I"$root" -I"$root/cmodel/include" -I"$root/cmodel/src" "$@" || status=$?
case $status in
  0) ;;
  1 | 2) exit 2 ;;
  *) no_verdict "$LINENO" ;;
esac
files=$(sed 's/^[^ ]*: *//; s/\\$//' "$out.d" | tr -s ' ' '\n' | grep -F "$root/" |
  xargs realpath -ms --relative-to="$root" | sort -u)
mapfile -t files <<<"$files"
shopt -s inherit_errexit
digests=$(
  cd "$root"
  for file in "${files[@]}"; do sha256sum -- "$file"; done
  cd "$here/../../.."
  sha256sum testbench/{common,settings}.sh testbench/prove/CMakeLists.txt \
    testbench/prove/equivalence/{CMakeLists.txt,bitcode.sh} testbench/prove/engine/symex/{bitcode.sh,llvm.cmake}
)
for file in "${files[@]}"; do
  [ ! "$root/$file" -nt "$began" ] || unusable "$file was changed while it was compiled"
done
echo "$digests" >"$out.sources"
