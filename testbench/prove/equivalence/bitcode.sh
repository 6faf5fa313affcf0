#!/usr/bin/env bash
# Compiles a file of the C model to LLVM's bitcode, as it is proved.
#
#   bitcode.sh [--traps] ROOT SOURCE OUT.bc [OPTION...]
#
# ROOT is where the sources are; --traps and OPTION are those of engine/symex/bitcode.sh. OUT.bc.sources has the
# digests of what was read of ROOT, and of what says how to compile: lines of sha256sum, as in a build's source.list.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

traps=()
if [ "${1-}" = --traps ]; then
  shift
  traps=(--traps)
fi
if [ $# -lt 3 ]; then
  echo "bitcode.sh: expected [--traps] ROOT SOURCE OUT.bc [OPTION...]" >&2
  exit 2
fi
root=$1 source=$2 out=$3
shift 3

# What was read must not be newer.
began=$(mktemp)
trap 'rm -f "$began"' EXIT
"$here/../engine/symex/bitcode.sh" "${traps[@]}" "$source" "$out" -DPMUV3_NO_CLONES \
  -ffile-prefix-map="$root"/= -I"$root" -I"$root/cmodel/include" -I"$root/cmodel/src" "$@"
mapfile -t files < <(sed 's/^[^ ]*: *//; s/\\$//' "$out.d" | tr -s ' ' '\n' | grep -F "$root/" |
  xargs -r realpath -ms --relative-to="$root" | sort -u)
shopt -s inherit_errexit
digests=$(
  cd "$root"
  for file in "${files[@]}"; do sha256sum -- "$file"; done
  cd "$here/../../.."
  sha256sum testbench/prove/CMakeLists.txt testbench/prove/equivalence/{CMakeLists.txt,bitcode.sh} \
    testbench/prove/engine/symex/{bitcode.sh,llvm.cmake}
)
for file in "${files[@]}"; do
  if [ "$root/$file" -nt "$began" ]; then
    echo "bitcode.sh: $file was changed while it was compiled" >&2
    exit 2
  fi
done
echo "$digests" >"$out.sources"
