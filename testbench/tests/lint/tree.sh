#!/usr/bin/env bash
# What the checkout has beside build/: at the top level what CONTRIBUTING.md says, and no file that a program made.
# Exit status: 0; 1 there is more; 2 the checkout cannot be read.
# Usage: tree.sh CHECKOUT
set -euo pipefail
cd "$1"

expected='.ci .clang-format .gitignore CMakeLists.txt CMakePresets.json CONTRIBUTING.md README.md cmodel docs pmuv3 rtl
testbench tlm_wrapper waves'
names=$(find . -mindepth 1 -maxdepth 1 ! -name build ! -name .git -printf '%f\n')
beside=$(grep -vxF "$(xargs -n1 <<<"$expected")" <<<"$names") || [ $? = 1 ]
# The corpora of the fuzzers are bytes; a picture in docs is small.
files=$(find . -path ./build -prune -o -path ./.git -prune -o -path ./testbench/tests/fuzz/corpus -prune -o \
  -type f -size +0 ! -path './docs/*.png' -print)
[ -n "$files" ] || { echo "tree.sh: '$1' has no files" >&2 && exit 2; }
text=$(tr '\n' '\0' <<<"$files" | xargs -0 grep -Il '' --)
binary=$(printf '%s\n' "$files" "$text" | sort | uniq -u)

for name in $beside; do echo "tree.sh: '$name' does not belong into the checkout" >&2; done
for name in $binary; do echo "tree.sh: '$name' is not text" >&2; done
[ -z "$beside$binary" ]
