#!/usr/bin/env bash
# The folder of arm64's packages, build/trace: trace.sh uses only one that it made. Usage: folder_test.sh
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

# A copy, whose build folder is in the scratch folder. The tracer says its arguments.
mkdir -p testbench/explore/tracer
cp "$here"/../../{common,settings,build}.sh testbench
cp "$here/trace.sh" testbench/explore/tracer
stand_in tracer <<'TRACER'
#!/bin/sh
package=
case " $* " in *' --package gzip '*) package=gzip ;; esac
if [ "$1" = --plan ]; then echo "plan root=0 from=0 package=$package"; else echo "$@"; fi
TRACER
export PMUV3_TRACER=$PWD/tracer
program=$PWD/testbench/explore/tracer/trace.sh
name=trace
: >static # needs no loader

# refused: a program of Debian, with the folder as it is, which stays so
refused() {
  local before
  before=$(find build -printf '%p %y %T@ %l\n' | sort)
  unusable "^pmuv3 trace: '.*/build/trace' was not made here, and is in the way" new.pmt -- gzip
  [ "$(find build/trace -printf '%p %y %T@ %l\n' | sort)" = "$(grep '^build/trace[ /]' <<<"$before")" ] ||
    fail "the folder was changed: $(find build/trace)"
  status 0 new.pmt -- ./static
  [ "$(cat out)" = "--program ./static --defaults-end new.pmt -- ./static" ] || fail "the folder was used: $(cat out)"
}

mkdir -p build/trace/root/usr/bin build/trace/unpacked
echo 'pmuv3 made this folder and may empty it' >build/.pmuv3
echo mine >build/trace/root/usr/bin/gzip
refused
echo 'another mark' >build/trace/.pmuv3
refused
rm -r build/trace
echo mine >build/trace
refused
rm build/trace
mkdir elsewhere
ln -s ../elsewhere build/trace
refused
[ -z "$(ls -A elsewhere)" ] || fail "a link was followed: $(ls -A elsewhere)"
rm build/trace

# One that was made here: a program in it is found, by --package, without a download.
mkdir build/trace
mkdir -p stand_ins
printf '%s\n' '#!/bin/sh' 'exit 100' | stand_in stand_ins/apt-get
PMUV3_STAND_INS=$PWD/stand_ins status 2 new.pmt -- gzip
grep -q "cannot read the lists of arm64's packages" err || fail "an empty folder: $(cat err)"
[ "$(cat build/trace/.pmuv3)" = 'pmuv3 made this folder and may empty it' ] || fail "the folder has no mark"
mkdir -p build/trace/root/usr/bin
echo >build/trace/root/usr/bin/gzip
status 0 new.pmt --package gzip -- gzip
[ "$(cat out)" = "--program $PWD/build/trace/root/usr/bin/gzip --root $PWD/build/trace/root --defaults-end new.pmt --package gzip -- gzip" ] ||
  fail "a folder that was made here: $(cat out)"

# The lock is a file: a pipe would never be opened, and a link leads to a file of somebody's. So may the log.
stand_in limited <<SCRIPT
#!/bin/sh
PMUV3_STAND_INS=$PWD/stand_ins exec timeout 30 "$program" "\$@"
SCRIPT
echo mine >mine
for make in 'mkfifo' 'mkdir' "ln -s $PWD/mine" "ln -s $PWD/absent"; do
  rm -rf build/trace.lock
  $make build/trace.lock
  program=$PWD/limited \
    unusable "^pmuv3 trace: '.*/build/trace.lock' is no regular file, and in the way$" new.pmt -- gzip
done
rm build/trace.lock
ln -sf "$PWD/mine" build/trace/apt/log
program=$PWD/limited status 2 new.pmt -- bzip2
[ "$(cat mine)" = mine ] || fail "a link was followed"

# A package of which nothing has to be downloaded.
rm -f build/trace/installed/gzip build/trace/apt/cache/archives/*.deb
printf '%s\n' '#!/bin/sh' 'exit 0' | stand_in stand_ins/apt-get
printf '%s\n' '#!/bin/sh' 'printf "%s\n" gzip gzip-more tool xa.outer' | stand_in stand_ins/apt-cache
PMUV3_STAND_INS=$PWD/stand_ins status 0 new.pmt --package gzip -- gzip

# apt-get would take a name that no package has for a pattern of names.
printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>'$PWD/asked'" | stand_in stand_ins/apt-get
for word in a.out too.; do
  PMUV3_STAND_INS=$PWD/stand_ins status 2 new.pmt -- $word
  grep -q "^pmuv3 trace: no package is known for program '$word'" err || fail "$word: $(cat err)"
done
! grep -qs install asked || fail "apt-get was asked: $(cat asked)"

# Unpacking is interrupted when the program is there, and its library is not. The next call goes on.
stand_in stand_ins/apt-get <<'APT'
#!/bin/sh
case " $* " in *' --download-only '*) touch build/trace/apt/cache/archives/a.deb build/trace/apt/cache/archives/b.deb ;; esac
APT
stand_in stand_ins/dpkg-deb <<'UNPACKED'
#!/bin/sh
case $2 in
  *a.deb) echo >"$3/usr/bin/tool" ;;
  *b.deb) if [ "$STAND_IN_KILLED" ]; then kill -KILL $PPID; else echo >"$3/libtool.so"; fi ;;
esac
UNPACKED
export PMUV3_STAND_INS=$PWD/stand_ins
STAND_IN_KILLED=1 status 137 new.pmt -- tool
[ -f build/trace/root/usr/bin/tool ] || fail "nothing was unpacked"
status 0 new.pmt -- tool
[ -f build/trace/root/libtool.so ] || fail "a program without its library was used"
left build/trace/unpacking
all_held
