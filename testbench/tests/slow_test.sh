#!/usr/bin/env bash
# slow.txt: every line is of a preset, gives a reason, and matches a test of that preset.
# Usage: slow_test.sh BUILD PRESET [TABLE]
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
names=$(ctest --test-dir "$1" -N | sed -n 's/^ *Test *#[0-9]*: //p')
wrong=0
# number: the line's, for messages
while read -r number preset regex reason; do
  says() {
    echo "slow.txt:$number: $1" >&2
    wrong=1
  }
  [[ $preset =~ ^(release|sanitize)$ ]] || says "'$preset' is no preset"
  [ -n "$reason" ] || says "there is no reason"
  # A fresh build has every program that its tests need, or none: then names end in _NOT_BUILT.
  [ "$preset" != "$2" ] || [[ $regex == *_NOT_BUILT* ]] || grep -qE -e "$regex" <<<"$names" ||
    says "'$regex' matches no test"
done < <(sed -E 's/#.*//' "${3-$here/slow.txt}" | grep -nE '[^ ]' | sed 's/:/ /')
exit "$wrong"
