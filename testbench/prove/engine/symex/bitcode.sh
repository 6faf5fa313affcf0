#!/usr/bin/env bash
# Compiles a file of C to LLVM's bitcode, for symbolic execution.
#
#   bitcode.sh [--traps] SOURCE OUT.bc [OPTION...]
#
# OPTION is clang's. OUT.bc.d is a depfile. Loops stay loops and lanes stay scalars, which is less to
# translate. --traps: a trap where something undefined would happen; that none is reached can be proved.
# Whether pointers are good is not asked for: symbolic execution sees that.
set -euo pipefail

undefined=()
if [ "${1-}" = --traps ]; then
  shift
  undefined=(-fno-pic -fsanitize=undefined -fsanitize=bounds -fno-sanitize=alignment
    -fno-sanitize=null -fno-sanitize=object-size -fno-sanitize=pointer-overflow -fsanitize-trap=all)
fi
if [ $# -lt 2 ]; then
  echo "bitcode.sh: expected [--traps] SOURCE OUT.bc [OPTION...]" >&2
  exit 2
fi
source=$1 out=$2
if [ -e "$out" ] && { [ ! -f "$out" ] || [ "$out" -ef "$source" ]; }; then
  echo "bitcode.sh: cannot write '$out': it is SOURCE, or no regular file" >&2
  exit 2
fi
shift 2
exec clang-14 -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -g -std=gnu11 \
  "${undefined[@]}" -emit-llvm -c "$source" -o "$out" -MD -MF "$out.d" -MT "$out" "$@"
