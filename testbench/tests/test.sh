#!/usr/bin/env bash
# pmuv3 test: builds what the tests need, runs them, and keeps how they went.
#
#   test.sh [--all | --again] [-R REGEX] [-E REGEX] [-j N] [-V]
#
# Without --all, --again and -R: the fast tests, which are all but those of slow.txt.
# Exit status: 0 none failed; 1 one failed; 2 unusable arguments or output; 3 no verdict.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=../common.sh
. "$here/../common.sh"
# shellcheck source=../build.sh
. "$here/../build.sh"
called='pmuv3 test'

# parse OPTION...: what is asked for, `suite`, and ctest's own options, `asked`. ctest itself ignores what it
# does not know.
parse() {
  suite=fast asked=() only_check=0
  while [ $# -gt 0 ]; do
    once "$1"
    case $1 in
      --check-arguments) only_check=1 ;;
      --all) suite=all ;;
      --again) ;;
      -V) asked+=("$1") ;;
      -R | -E | -j)
        [ $# -gt 1 ] || unusable "$1 takes a value"
        expect_value "$1" "$2"
        [ "$1" != -R ] || suite=all
        asked+=("$1" "$2")
        shift
        ;;
      *) unusable "unusable option '$1'; see ./pmuv3 help" ;;
    esac
    shift
  done
  [[ "$given " == *' --again '* ]] || return 0
  [[ ! "$given " =~ \ -(-all|R|E)\  ]] || unusable "--again chooses the tests: it takes no --all, -R or -E"
  suite=again
}

expect_value() {
  if [ "$1" = -j ]; then
    [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || unusable "-j: '$2' is no number of tests"
  else
    is_regex "$2" || unusable "$1: '$2' is no regular expression"
  fi
}

# As ctest has them: it says what is wrong, and goes on; and it has neither {N} nor classes.
is_regex() {
  local said folder
  [ -n "$1" ] && [[ $1 != *$'\n'* && $1 != *\{* && $1 != *'[:'* && $1 != *\\[[:alnum:]\<\>]* ]] || return 1
  folder=$(temporary_folder) || exit $?
  said=$(cd "$folder" && { ctest -N -R "$1" 2>&1 || true; })
  rm -rf "$folder"
  [[ $said != *RegularExpression* ]]
}

build_all() {
  if [ "$suite" = fast ]; then
    install_missing "${build_packages[@]}" "${proof_packages[@]}" "${fast_test_packages[@]}"
    build sanitize pmuv3-fast
    build release pmuv3-fast
  else
    install_missing "${build_packages[@]}" "${proof_packages[@]}" "${test_packages[@]}"
    build sanitize all
    build release all
  fi
}

# slow PRESET: the regular expression of the tests that the fast suite leaves out.
slow() {
  sed -n "s/^$1 \+\([^ ]*\) .*/\1/p" "$here/slow.txt" | paste -sd '|'
}

# options_of PRESET: ctest's options, a line each.
options_of() {
  local i without
  without=$([ "$suite" != fast ] || slow "$1")
  [ "$suite" != again ] || printf '%s\n' -I "0,0,0,${numbers[$1]}"
  for ((i = 0; i < ${#asked[@]}; i++)); do
    if [ "${asked[i]}" = -E ]; then
      without+="${without:+|}${asked[i += 1]}"
    else
      printf '%s\n' "${asked[i]}"
    fi
  done
  [ -z "$without" ] || printf '%s\n' -E "$without"
}

# tests_in PRESET: how many tests there are that are asked for.
tests_in() {
  local options
  mapfile -t options < <(options_of "$1")
  ctest --test-dir "$root/build/$1" -N "${options[@]}" | sed -n 's/^Total Tests: //p'
}

# tests_of PRESET: runs them, and leaves which there are and how those went that were run.
tests_of() {
  local folder=$root/build/$1 options
  mapfile -t options < <(options_of "$1")
  list_tests "$1"
  # A test that outlives this script does not hold the lock, so ctest must not outlive it.
  until_ended setpriv --pdeathsig KILL ctest --no-tests=error --test-dir "$folder" -j "$(nproc)" --output-on-failure \
    --output-junit "$folder/tests.xml.$own" "${options[@]}" 8>&-
  case $ended in
    0 | 8) ;; # it has run the tests; 8: some failed
    *) rm -f "$folder/tests.xml.$own" ;;
  esac
}

# worse STATUS ENDED: the exit status after ctest ended so; 8 is that tests failed.
worse() {
  if [ "$1" = 1 ] || [ "$2" = 8 ]; then
    echo 1
  elif [ "$2" = 0 ]; then
    echo "$1"
  else
    echo 3
  fi
}

# Until results are whole they are in files of this call alone: tests.xml.$own, tests.json.$own.
own=$$.new

# choose DIGEST: sets `presets`. A regular expression may match tests of one preset alone.
choose() {
  local preset
  presets=()
  for preset in sanitize release; do
    rm -f "$root/build/$preset"/tests.{json,xml}.*new # of a call that was killed, too
    if [ "$suite" = again ]; then
      find_not_passed "$preset" "$1"
      [ -z "${numbers[$preset]}" ] || presets+=("$preset")
    elif [ "$(tests_in "$preset")" != 0 ]; then
      presets+=("$preset")
    fi
  done
}

# find_not_passed PRESET DIGEST: sets `numbers` of the preset: ctest's numbers of the tests that did not pass, or were
# not run.
declare -A numbers
find_not_passed() {
  local folder=$root/build/$1
  has_whole_tests "$folder" "$2" ||
    unusable "--again: build/$1 has no results of './pmuv3 test --all' of these sources"
  list_tests "$1"
  numbers[$1]=$("$here/again.py" numbers "$folder"/tests.{xml,json."$own"}) || end_as $?
}

# list_tests PRESET: leaves which tests there are.
list_tests() {
  begin_own "$root/build/$1/tests.json.$own"
  ctest --test-dir "$root/build/$1" --show-only=json-v1 >>"$root/build/$1/tests.json.$own"
}

# The sanitizers first, so that the last line is the closing line of everything.
run_tests() {
  local preset presets status=0 kept=0 times of=$PMUV3_SOURCE
  times=$(source_times "$root" C)
  of_sources
  forget_environment
  choose "$of"
  if [ ${#presets[@]} = 0 ]; then
    [ "$suite" = again ] || unusable "no test has such a name"
    rm -f "$root"/build/{sanitize,release}/tests.json."$own"
    say "every test passed"
    exit 0
  fi
  [ "$suite" = again ] || rm -f "$root"/build/{sanitize,release}/tests.{json,xml}
  for preset in "${presets[@]}"; do
    tests_of "$preset"
    status=$(worse "$status" "$ended")
  done
  (keep_results "$of" "$times") || kept=$? # results that cannot be written hide no failure
  [ "$status" != 0 ] || status=$kept
  exit "$status"
}

# No variable of the environment makes tests do more or less.
forget_environment() {
  local variable
  for variable in $(compgen -e PMUV3_); do [ "$variable" = PMUV3_STAND_INS ] || unset "$variable"; done
}

# keep_results DIGEST TIMES: tests.json and tests.xml say of which sources and preset they are, and whether all
# tests were run, unless the sources or what was built of them changed meanwhile.
keep_results() {
  local preset extent=part
  [[ $suite != all || " ${asked[*]-} " == *" -"[RE]" "* ]] || extent=all
  if ! is_unchanged "$@"; then
    complain "$called: the sources were changed while they were tested: the results are no evidence"
    rm -f "$root"/build/{sanitize,release}/tests.{json,xml}."$own"
    return
  fi
  for preset in sanitize release; do
    cd "$root/build/$preset" || exit 3
    [ ! -f "tests.json.$own" ] ||
      write_whole tests.json sed "0,/{/s//{\"source\": \"$1\", \"preset\": \"$preset\",/" "tests.json.$own"
    if [ "$suite" = again ] && [ -f "tests.xml.$own" ]; then
      write_whole tests.xml "$here/again.py" merged tests.xml "tests.xml.$own"
    elif [ -f "tests.xml.$own" ]; then
      write_whole tests.xml sed "0,/<testsuite/s//& source=\"$1\" preset=\"$preset\" suite=\"$extent\"/" \
        "tests.xml.$own"
    fi
    rm -f tests.{json,xml}."$own"
  done
}

# is_unchanged DIGEST TIMES: the sources, and the build folders, which may be those of another checkout, too.
is_unchanged() {
  local preset
  [ "$(source_times "$root" C)" = "$2" ] || return 1
  for preset in sanitize release; do
    [ -f "$root/build/$preset/source.list" ] &&
      [ "$(digest_of_list <"$root/build/$preset/source.list")" = "$1" ] &&
      [ "$(setting "$preset" CMAKE_HOME_DIRECTORY)" = "$root" ] || return 1
  done
}

end_without_verdict
parse "$@"
[ "$only_check" = 0 ] || exit 0
own_build
# Side by side they would take each other's results.
open_lock 8 "$root/build/tests.lock"
flock 8
build_all
run_tests
