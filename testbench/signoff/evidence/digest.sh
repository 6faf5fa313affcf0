#!/usr/bin/env bash
# The digest of the sources, for the programs built from these sources. Every build runs this script before it
# compiles.
#
#   digest.sh ROOT BUILD
#
# Writes BUILD/source.c (constants: the digest and the versions of the tools; unchanged if these are unchanged),
# BUILD/source.list (the digest's files) and BUILD/versions.list. A build compares only times. So a build would
# miss a changed source that is not newer than the last build, a new or removed header, and another version of a
# tool. Each of these is an error. Exit status: 0; 2 after one line; 3 a command died unforeseen.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../build.sh
. "$here/../../build.sh"

main() {
  [ $# = 2 ] || unusable "expected ROOT BUILD"
  [ -f "$2/CMakeCache.txt" ] || unusable "'$2' is no folder that CMake made"
  build=$2
  trap 'rm -f "$build"/{source.list,versions.list,source.c}.new' EXIT
  end_without_verdict
  local list=$build/source.list versions=$build/versions.list code=$build/source.c file
  for file in "$list" "$versions" "$code"; do begin_own "$file.new"; done
  source_list "$1" >>"$list.new"
  if [ -f "$list" ]; then expect_seen "$1" "$list"; fi
  tools >>"$versions.new"
  if [ -f "$versions" ]; then expect_versions "$versions"; fi
  write_code "$list.new" "$versions.new" >>"$code.new"
  { [ -f "$code" ] && cmp -s "$code.new" "$code"; } || mv "$code.new" "$code"
  mv "$list.new" "$list"
  mv "$versions.new" "$versions"
}

# write_code LIST VERSIONS
write_code() {
  printf '#include "testbench/cosim/cli/source.h"\n\nconst char pmuv3_source[] = "%s";\n' "$(digest_of_list <"$1")"
  printf 'const char pmuv3_versions[] =\n    ""\n'
  sed 's/.*/    "&\\n"/' "$2"
  echo '    ;'
}

# A new tool is no error: nothing was built with it.
expect_versions() {
  local other
  other=$(comm -23 "$1" "$1.new")
  [ -z "$other" ] || unusable "it was built with ${other%%$'\n'*}, which is gone; remove ${1%/*} and build again"
}

expect_seen() {
  local missed
  missed=$(unseen_changes "$1" "$2" "$2.new" "$2")
  [ -z "$missed" ] ||
    unusable "${missed%%$'\n'*} changed, and a build does not see that by its time; remove ${2%/*} and build again"
}

main "$@"
