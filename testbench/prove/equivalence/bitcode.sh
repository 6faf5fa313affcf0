#!/usr/bin/env bash
# Compiles a file of the C model to LLVM's bitcode, as it is proved.
#
#   bitcode.sh [--traps] ROOT SOURCE OUT.bc [OPTION...]
#
# ROOT is where the sources are; --traps and OPTION are those of engine/symex/bitcode.sh.
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
exec "$here/../engine/symex/bitcode.sh" "${traps[@]}" "$source" "$out" -DPMUV3_NO_CLONES \
  -ffile-prefix-map="$root"/= -I"$root" -I"$root/cmodel/include" -I"$root/cmodel/src" "$@"
