#!/usr/bin/env bash
# Writes a derived file.
#
#   write.sh [--check] FILE COMMAND...
#
# What the command prints becomes the file when it is whole. What is the same is not written again, so nothing is
# built again of it.
#
#   --check   writes nothing, and shows what differs
#
# Exit status: 0 the file is what the command prints; 1 it is not, with --check; 2 the command failed, or the file
# cannot be written: it is as it was; 3 no verdict.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=../../testbench/common.sh
. "$here/../../testbench/common.sh"
called='ninja derive'

check=0
if [ "$1" = --check ]; then
  check=1
  shift
fi
file=$1
shift
new=$(temporary_file) || exit $?
trap 'rm -f "$new"' EXIT
"$@" >"$new" || unusable "$1 failed: '$file' stays as it was"
if [ "$check" = 1 ]; then
  diff -u -- "$file" "$new"
else
  cmp -s -- "$file" "$new" || write_whole "$file" cat "$new"
fi
