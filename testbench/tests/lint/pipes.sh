#!/usr/bin/env bash
# No script with pipefail pipes into a command that ends before its input does: what writes would die of SIGPIPE at
# times, and the pipe would fail. `reader < <(writer)` does not ask how the writer ended. Usage: pipes.sh ROOT
set -euo pipefail
cd "$1"

# Tests check each command by themselves, but for those that say pipefail. Files that are sourced do not say it.
mapfile -t scripts < <(
  find . -path ./build -prune -o \( -name '*.sh' -o -path ./pmuv3 -o -path ./.ci/run \) -type f -print |
    sort | grep -v -e '_test\.sh$' -e '/tests/'
)
mapfile -t tests < <(find testbench -name '*.sh' ! -name pipes.sh -type f -exec grep -l '^set -.*pipefail' {} + | sort)

if [ ${#scripts[@]} = 0 ] || [ ${#tests[@]} = 0 ]; then echo "pipes.sh: there are no scripts" && exit 2; fi

early='[^|]\| *(\bgrep +(-[A-Za-z]+ +)*-[A-Za-z]*[qm]|\bhead\b|\bsed +[^|]*[0-9;{ /]q\b|\bawk +[^|]*\bexit\b)'
status=0
for planted in 'a | grep -q b' 'a | grep -v -m 1 b' 'a | head -n 1' 'a | sed 5q' "a | sed '/b/{p;q}'" \
  "a | awk '{ exit }'"; do
  grep -qE "$early" <<<"$planted" || { echo "pipes.sh: '$planted' is not seen" && status=1; }
done
found=$(grep -nHE "$early" "${scripts[@]}" "${tests[@]}") || [ $? = 1 ]
found=$(sed '/< <(/d' <<<"$found")
[ -z "$found" ] || { echo "$found" && status=1; }
exit $status
