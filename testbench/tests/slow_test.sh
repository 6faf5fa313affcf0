#!/usr/bin/env bash
# slow.txt: each line is a preset, a regular expression of names, and a reason; the expression matches a test
# of that preset. ctest, whose regular expressions are its own, leaves out exactly these tests. No two tests have one
# name, since the evidence of a test is by its name.
#
#   slow_test.sh BUILD PRESET
#   slow_test.sh --self-test BUILD    wrong lines are seen; of the preset release
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# names OPTION...: of tests, as ctest lists them.
names() {
  ctest --test-dir "$build" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'
}

# check PRESET <TABLE: says what is wrong, a line each.
check() {
  local line preset regex all expressions='' form='^(release|sanitize) +([^ ]+) +[^ ]'
  all=$(names)
  while read -r line; do
    [[ $line =~ $form ]] || echo "'$line' is no preset, expression and reason"
    preset=${BASH_REMATCH[1]-} regex=${BASH_REMATCH[2]-}
    [ "$preset" = "$1" ] || continue
    expressions+=${expressions:+|}$regex
    # Tests of programs that are not built have no names yet.
    [[ $regex == *_NOT_BUILT* || $all == *_NOT_BUILT* ]] || grep -qE -e "$regex" <<<"$all" ||
      echo "'$regex' matches no test"
  done < <(grep -vE '^ *(#|$)')
  sort <<<"$all" | uniq -d | sed "s/.*/two tests are called '&'/"
  [ "$(names -E "${expressions:-^$}")" = "$(grep -vE -e "${expressions:-^$}" <<<"$all")" ] ||
    echo "ctest leaves out other tests than the expressions match"
}

# said LINE SAID: a table of that line alone is wrong, in these words; '' for a line that is well.
said() {
  local actual
  actual=$(check release <<<"$1")
  [[ $actual == *"$2"* && -n $2 || $actual == "$2" ]] || wrong+="$1: expected '$2', got '$actual'"$'\n'
}

self_test() {
  said 'release ^unit\. a reason' ''
  said 'debug ^unit\. a reason' 'is no preset, expression and reason'
  said 'release ^unit\.' 'is no preset, expression and reason'
  said 'release ^nothing\. a reason' 'matches no test'
  said 'release ^((((((((((((((u))))))))))))))nit a reason' 'ctest leaves out other tests'
}

wrong=''
if [ "$1" = --self-test ]; then
  build=$2
  self_test
else
  build=$1
  wrong=$(check "$2" <"$here/slow.txt")
fi
[ -z "$wrong" ] || { echo "$wrong" >&2 && exit 1; }
