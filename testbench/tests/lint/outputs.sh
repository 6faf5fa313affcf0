#!/usr/bin/env bash
# No script writes to a file of build/ that may be a link, a pipe, or another's file with a second name: a script that
# makes one calls begin_own, and then adds to it. Usage: outputs.sh ROOT
set -euo pipefail
cd "$1"
mapfile -t scripts < <(find . -path ./build -prune -o \( -name '*.sh' -o -path ./pmuv3 \) -type f ! -name '*_test.sh' \
  ! -path '*/tests/lint/*' -print | sort)

truncates='(^|[^>])>[|]? ?"?(\$\{?root\}?/)?(build/|\$\{?build\}?/)'
[ ${#scripts[@]} -gt 0 ] || { echo "outputs.sh: there are no scripts" && exit 2; }
status=0
# shellcheck disable=SC2016 # text
for planted in ': >build/a' 'echo x >"$root/build/$1.log"' 'echo x 2>&1 >"$build/x"' ': > "${build}/x"'; do
  grep -qE "$truncates" <<<"$planted" || { echo "outputs.sh: '$planted' is not seen" && status=1; }
done
found=$(grep -nHE "$truncates" "${scripts[@]}") || [ $? = 1 ]
[ -z "$found" ] || { echo "$found" && status=1; }
exit $status
