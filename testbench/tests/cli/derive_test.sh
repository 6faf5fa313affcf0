#!/usr/bin/env bash
# Derived files are written whole, or stay as they were. Usage: derive_test.sh PROGRAM WRITE_SH
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"
write=$2

# write_ends EXPECTED COMMAND...: write.sh ends with that status
write_ends() {
  local expected=$1 actual=0
  shift
  "$write" derived "$@" >out 2>err || actual=$?
  [ "$actual" = "$expected" ] || fail "write.sh derived $*: exit status $actual, expected $expected: $(cat err)"
  [ "$expected" = 0 ] || grep -q "^ninja derive: $1 failed: 'derived' stays as it was" err || fail "write.sh derived $*: $(cat err)"
}

# stays NAME: the file holds what it held, and was not written again
stays() {
  [ "$(cat derived) $(stat -c %i derived)" = "kept $inode" ] || fail "$1: the file was changed"
}

for what in rtl parameters events registers external ipxact; do
  "$program" "$what" >/dev/full 2>err && fail "$what: full standard output"
  grep -q 'cannot write to standard output' err || fail "$what, full standard output: $(cat err)"
  "$program" "$what" >&- 2>err && fail "$what: closed standard output"
done
status 2 no-such-file
status 2

echo kept >derived
inode=$(stat -c %i derived)
write_ends 2 sh -c 'echo half; exit 1'
write_ends 2 sh -c 'echo half; kill -9 $$'
stays "a program that fails"
write_ends 0 echo kept
stays "the same contents"
"$write" --check derived echo kept >out || fail "--check, the same contents: $(cat out)"
"$write" --check derived echo new >out && fail "--check, other contents"
grep -qx '+new' out || fail "--check, other contents: $(cat out)"
stays "--check"
write_ends 0 echo new
[ "$(cat derived)" = new ] || fail "the file was not written"

all_held
