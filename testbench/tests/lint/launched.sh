#!/usr/bin/env bash
# Every command of a build has the environment of ./pmuv3: launch.sh executes it. Usage: launched.sh BUILD
set -euo pipefail
cd "$1"
found=$(
  awk '/^rule .*__/ { rule = $2 } rule && /^ *command = / { if (!/\/testbench\/launch[.]sh /) print rule; rule = "" }' \
    CMakeFiles/rules.ninja
  grep -E '^ *(COMMAND|PRE_LINK|POST_BUILD) = ' build.ninja | grep -vE '= :$|/testbench/launch[.]sh ' || true
)
[ -z "$found" ] || { echo "without launch.sh: $found" && exit 1; }
