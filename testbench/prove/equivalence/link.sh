#!/usr/bin/env bash
# Links bitcode, as it is proved.
#
#   link.sh LLVM_LINK OUT.bc MODULE...   modules that bitcode.sh made
#
# OUT.bc.sources has the digest of OUT.bc, and those of what the modules were made of.
set -euo pipefail
if [ $# -lt 3 ]; then
  echo "link.sh: expected LLVM_LINK OUT.bc MODULE..." >&2
  exit 2
fi
here=$(dirname "$(realpath "$0")")
linker=$1 out=$2
shift 2
: >"$out.sources"
"$linker" "$@" -o "$out"
{
  sha256sum <"$out"
  cat "${@/%/.sources}" <(cd "$here/../../.." && sha256sum testbench/prove/equivalence/link.sh) | sort -u
} >"$out.sources"
