#!/usr/bin/env bash
# The digest of the sources, for the programs that are built of them. Part of every build, before anything
# is compiled.
#
#   digest.sh ROOT BUILD
#
# Writes BUILD/source.c, the digest as a constant, which stays as it is while the digest does, and
# BUILD/source.list, what it was taken of. A build looks at times alone. It would miss a source that changed
# and is no newer than the last build there, and a header that came or went: that is an error. Exit status: 0, or 2 after one line.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"

main() {
  [ $# = 2 ] || unusable "expected ROOT BUILD"
  [ -f "$2/CMakeCache.txt" ] || unusable "'$2' is no folder that CMake made"
  local list=$2/source.list code=$2/source.c
  source_list "$1" >"$list.new"
  if [ -f "$list" ]; then expect_seen "$1" "$list"; fi
  printf '#include "testbench/cosim/cli/source.h"\n\nconst char pmuv3_source[] = "%s";\n' \
    "$(digest_of_list <"$list.new")" >"$code.new"
  if cmp -s "$code.new" "$code"; then rm "$code.new"; else mv "$code.new" "$code"; fi
  mv "$list.new" "$list"
}

expect_seen() {
  local missed
  missed=$(unseen_changes "$1" "$2" "$2.new" "$2")
  [ -z "$missed" ] ||
    unusable "${missed%%$'\n'*} changed, and a build does not see that by its time; remove ${2%/*} and build again"
}

main "$@"
