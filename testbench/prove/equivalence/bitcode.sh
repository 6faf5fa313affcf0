#!/usr/bin/env bash
# Compiles a file of the C model to LLVM's bitcode, as it is proved.
#
#   bitcode.sh [--traps] ROOT SOURCE OUT.bc [OPTION...]
#
# ROOT is where the sources are, OPTION is clang's. Loops stay loops and lanes stay scalars, which is
# less to translate. --traps: a trap where something undefined would happen; that none is reached
# can be proved. Whether pointers are good is not asked for: the machine that runs it sees that.
set -euo pipefail

undefined=()
if [ "${1-}" = --traps ]; then
  shift
  undefined=(-fno-pic -fsanitize=undefined -fsanitize=bounds -fno-sanitize=alignment
    -fno-sanitize=null -fno-sanitize=object-size -fno-sanitize=pointer-overflow -fsanitize-trap=all)
fi
if [ $# -lt 3 ]; then
  echo "bitcode.sh: expected [--traps] ROOT SOURCE OUT.bc [OPTION...]" >&2
  exit 2
fi
root=$1 source=$2 out=$3
if [ -e "$out" ] && { [ ! -f "$out" ] || [ "$out" -ef "$source" ]; }; then
  echo "bitcode.sh: cannot write '$out': it is SOURCE, or no regular file" >&2
  exit 2
fi
shift 3
exec clang-14 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -g -std=gnu11 \
  -DPMUV3_NO_CLONES "${undefined[@]}" -ffile-prefix-map="$root"/= -I"$root" \
  -I"$root/cmodel/include" -I"$root/cmodel/src" -emit-llvm -c "$source" -o "$out" "$@"
