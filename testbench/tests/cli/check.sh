# shellcheck shell=bash
# Common functions of tests in bash: a scratch folder to work in, the report of a failure, and the program under
# test. NAME_test.sh [PROGRAM] sources this file, and ends with all_held.
set -u
# shellcheck source=../../settings.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../settings.sh"
# shellcheck disable=SC2034  # the tests' own files
here=$(cd "$(dirname "$0")" && pwd)
program=${1-}
name=${program##*/pmuv3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
# The folder `absent` does not exist, and nothing may make it. It is in the scratch folder, since a folder
# elsewhere on the machine might exist.

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# stand_in FILE: makes a program from standard input
stand_in() {
  cat >"$1"
  chmod +x "$1"
}

# counts EXPECTED: writes good.stim, eight lines that count 3 events and expect EXPECTED
counts() {
  cat >good.stim <<STIM
pmuv3-stimulus 1
param counters=2
write PMEVTYPER0_EL0 0x0008
write PMCNTENSET_EL0 3
write PMCR_EL0 1
cycle 0x0008:3
idle 1
expect PMEVCNTR0_EL0 $1
STIM
}

# status EXPECTED ARGUMENT...: runs the program, expects the exit status, and keeps the output
status() {
  local expected=$1 actual=0
  shift
  "$program" "$@" >out 2>err || actual=$?
  [ "$actual" -eq "$expected" ] || fail "$name $*: exit status $actual, expected $expected: $(cat err)"
}

# unusable PATTERN ARGUMENT...: expects exit status 2, and one line that matches
unusable() {
  local pattern=$1
  shift
  status 2 "$@"
  [ "$(wc -l <err)" -eq 1 ] || fail "$name $*: not one line: $(cat err)"
  grep -qE -e "$pattern" err || fail "$name $*: $(cat err)"
  [ ! -s out ] || fail "$name $*: something was done: $(cat out)"
}

# refuses_others OPTION INPUT ARGUMENT...: OPTION NAME ARGUMENT... must not replace anything but a regular file,
# and must not overwrite INPUT, which the program reads. Nothing changes.
refuses_others() {
  local option=$1 input=$2 before kept file locked=()
  shift 2
  mkdir -p others/full others/locked
  echo kept >others/locked/file
  chmod 500 others/locked
  [ "$(id -u)" -eq 0 ] || locked=(others/locked/file others/locked/new) # root can write to all folders
  echo kept >others/full/kept
  ln -sfn nowhere others/dangling
  ln -sfn loop others/loop
  ln -f "$input" others/hard
  echo kept >others/one
  ln -f others/one others/another
  ln -sfn /proc/self/fd/9 others/open
  ln -sf "$PWD/$input" others/symbolic
  before=$(find others "$input" -printf '%p %y %i %l\n' | sort)
  kept=$(cat "$input")
  exec 9>>others/full/kept
  for file in others/full others/full/. others/dangling others/loop others/new/ "$input" "./$input" others/hard \
    others/one others/open /proc/self/fd/9 /proc/thread-self/fd/9 /dev/../dev/fd/9 others/symbolic others/full/kept/file absent/directory/file '' "$(printf '%5000s' x)" \
    "others/$(printf '%300s' x)" $'absent/two\nlines' "${locked[@]}"; do
    unusable "^pmuv3 $name: $option: cannot (write|make) '.*': " "$@" "$option" "$file"
  done
  exec 9>&-
  [ "$(cat others/one others/full/kept)" = $'kept\nkept' ] || fail "$name $option: a file was changed"
  [ "$(find others "$input" -printf '%p %y %i %l\n' | sort)" = "$before" ] || fail "$name $option: something was changed"
  [ "$(cat "$input")" = "$kept" ] || fail "$name $option: an input was changed"
  chmod 700 others/locked
  rm -rf others
}

# refuses_streams OPTION ARGUMENT...: the program must refuse a device or a pipe where it needs a file. Root
# could remove the machine's device, so root uses a device of its own, if that is allowed.
refuses_streams() {
  local option=$1 file streams=(pipe /dev/fd/1)
  shift
  mkfifo pipe
  if [ "$(id -u)" -ne 0 ]; then streams+=(/dev/null); elif mknod null c 1 3 2>/dev/null; then streams+=(null); fi
  for file in "${streams[@]}"; do
    unusable "^pmuv3 $name: $option: cannot write '$file': not a regular file" "$@" "$option" "$file"
  done
  if [ ! -p pipe ] || [ -f null ]; then fail "$name $option: it was replaced"; fi
  rm -f null
  rm pipe
}

# checks_stdout STATUS ARGUMENT...: expects exit status 2 and one line if standard output is closed or full, and
# STATUS otherwise. With `diverges` set, a divergence or a failed expectation counts on a full one, too.
checks_stdout() {
  local expected=$1 full=${diverges:+1} actual
  shift
  status "$expected" "$@"
  actual=0
  "$program" "$@" >&- 2>err || actual=$?
  [ "$actual" -eq 2 ] || fail "$name $*, closed standard output: exit status $actual"
  [ "$(cat err)" = "pmuv3 $name: standard output is closed" ] || fail "$name $*, closed standard output: $(cat err)"
  actual=0
  "$program" "$@" >/dev/full 2>err || actual=$?
  [ "$actual" -eq "${full:-2}" ] || fail "$name $*, full standard output: exit status $actual"
  [ "$(grep -c 'cannot write to standard output: No space left on device' err)" = 1 ] ||
    fail "$name $*, full standard output: $(cat err)"
}

# loses_stdout STATUS SCRIPT ARGUMENT...: expects exit status 2 and one line if standard output is closed, and STATUS and
# that line if it is full
loses_stdout() {
  local actual=0
  "${@:2}" >/dev/full 2>err || actual=$?
  [ "$actual" -eq "$1" ] || fail "${*:2}, full standard output: exit status $actual, expected $1: $(cat err)"
  [ "$(grep -c 'cannot write to standard output' err)" = 1 ] || fail "${*:2}, full standard output: $(cat err)"
  [ "$1" != 2 ] || [ "$(wc -l <err)" = 1 ] || fail "${*:2}, full standard output: not one line: $(cat err)"
  actual=0
  "${@:2}" >&- 2>err || actual=$?
  [ "$actual" -eq 2 ] || fail "${*:2}, closed standard output: exit status $actual: $(cat err)"
  grep -qE '^[a-z_.]+: cannot write to standard output$' err || fail "${*:2}, closed standard output: $(cat err)"
}

# same_of A B WHAT COMMAND...: the command says the same of both files, and does say something
same_of() {
  local one=$scratch/one.said another=$scratch/another.said
  if ! "${@:4}" "$1" >"$one" || ! "${@:4}" "$2" >"$another" || [ ! -s "$one" ]; then
    fail "$3: nothing is said of $1 or of $2"
  else
    diff "$one" "$another" >"$scratch/difference" || fail "$3: $(head -n 5 "$scratch/difference")"
  fi
}

# finds_none ARGUMENT...: grep with these arguments has read all, and found nothing
finds_none() {
  local ended=0
  grep "$@" || ended=$?
  [ "$ended" = 1 ]
}

# expect_mounts: where nothing can be mounted, in a namespace of our own, the test is skipped
expect_mounts() {
  unshare -rm mount -t tmpfs none "$scratch" 2>/dev/null && return
  echo "not tested: no file system can be mounted"
  exit 77
}

# nothing_grows: no incomplete file is left
nothing_grows() {
  [ -z "$(find . -name '.pmuv3-*')" ] || fail "$name: left: $(find . -name '.pmuv3-*')"
}

# child_killed ARGUMENT...: runs the program, kills its first child, and expects no verdict
child_killed() {
  local actual=0 children
  "$program" "$@" >out 2>err &
  for _ in {1..500}; do
    read -ra children <"/proc/$!/task/$!/children" || true
    [ ${#children[@]} -eq 0 ] || break
    sleep 0.01
  done
  kill -9 "${children[0]}"
  wait $! || actual=$?
  [ "$actual" -eq 3 ] || fail "$name $*: a child was killed: exit status $actual, expected 3: $(cat err)"
}

# left FILE...: none of the files may exist
left() {
  local file
  for file; do [ ! -e "$file" ] || fail "$name: $file was left"; done
}

all_held() {
  nothing_grows
  left absent
  [ "$failures" -eq 0 ] && echo "all held"
  exit "$((failures > 0))"
}
