#!/usr/bin/env bash
# Writes a derived file.
#
#   write.sh FILE COMMAND...
#
# What the command prints becomes the file when it is whole. What is the same is not written again, so nothing is
# built again of it.
# Exit status: 0 the file is what the command prints; 2 it is not, and is as it was.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=../../testbench/common.sh
. "$here/../../testbench/common.sh"
called='ninja derive'

file=$1
shift
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$@" >"$new" || unusable "$1 failed: '$file' stays as it was"
cmp -s "$new" "$file" || write_whole "$file" cat "$new"
