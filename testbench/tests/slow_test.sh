#!/usr/bin/env bash
# slow.txt: every line is of a preset, gives a reason, and matches a test of that preset; and ctest, whose
# regular expressions are its own, leaves out what they match.
# Usage: slow_test.sh BUILD PRESET [TABLE]
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
table=${3-$here/slow.txt}
wrong=0

says() {
  echo "slow.txt: $1" >&2
  wrong=1
}

# names OPTION...: of tests, as ctest lists them.
names() {
  ctest --test-dir "$build" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'
}

build=$1
all=$(names)
expressions=''
while read -r preset regex reason; do
  [[ $preset =~ ^(release|sanitize)$ ]] || says "'$preset' is no preset"
  [ -n "$reason" ] || says "'$regex' has no reason"
  [ "$preset" = "$2" ] || continue
  expressions+=${expressions:+|}$regex
  # Tests of programs that are not built have no names yet.
  [[ $regex == *_NOT_BUILT* || $all == *_NOT_BUILT* ]] || grep -qE -e "$regex" <<<"$all" ||
    says "'$regex' matches no test"
done < <(sed -E 's/#.*//; /^ *$/d' "$table")
[ "$(names -E "$expressions")" = "$(grep -vE -e "$expressions" <<<"$all")" ] ||
  says "ctest leaves out other tests than the expressions match"
exit "$wrong"
