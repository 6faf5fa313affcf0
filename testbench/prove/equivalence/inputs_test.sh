#!/usr/bin/env bash
# What is proved is made again after a change of any script that makes it, or that such a script sources.
#
#   inputs_test.sh BUILD   a build folder
build=$1
set -- inputs
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
root=$(realpath "$here/../../..")

# sourced SCRIPT: it, and what it sources.
sourced() {
  local file
  realpath "$1"
  sed -n 's/^# shellcheck source=//p' "$1" | while read -r file; do sourced "$(dirname "$1")/$file"; done
}

# made_by TARGET: what Ninja runs for it, and for what it is made of.
made_by() {
  ninja -C "$build" -t commands "$1" | grep -oE "[^ ]*/testbench/[^ ]*\.sh" | sort -u
}

# depends TARGET SCRIPT: on each script that makes it.
depends() {
  local script file inputs scripts
  inputs=$(ninja -C "$build" -t inputs "$1" | sed "s|^[^/]|$build/&|" | xargs -d '\n' realpath -ms)
  scripts=$(made_by "$1" | grep -vE '/testbench/launch.sh$|/digest.sh$')
  grep -qF "$2" <<<"$scripts" || fail "$1: is not made by $2: $scripts"
  for script in $scripts; do
    for file in $(sourced "$script"); do
      grep -qxF "$file" <<<"$inputs" || fail "$1: does not depend on ${file#"$root"/}"
    done
  done
}

build=$(realpath "$build")
depends prove/1_2.btor elaborate.sh
depends prove/4_8.btor elaborate.sh
depends prove/pmuv3_ub.bc bitcode.sh
depends prove/pmuv3_ub.bc link.sh

all_held
