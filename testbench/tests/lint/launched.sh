#!/usr/bin/env bash
# Every command of a build has the environment of ./pmuv3: launch.sh executes it. Usage: launched.sh BUILD
set -euo pipefail
cd "$1"
rules=$(
  awk '/^rule .*__/ { rule = $2 } rule && /^ *command = / { if (!/\/testbench\/launch[.]sh /) print rule; rule = "" }' \
    CMakeFiles/rules.ninja
)
commands=$(grep -E '^ *(COMMAND|PRE_LINK|POST_BUILD) = ' build.ninja)
commands=$(grep -vE '= :$|/testbench/launch[.]sh ' <<<"$commands") || [ $? = 1 ]
[ -z "$rules$commands" ] || { echo "without launch.sh: $rules $commands" && exit 1; }
