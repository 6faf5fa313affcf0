#!/usr/bin/env bash
# What `pmuv3 check` reads and writes: it replaces no input, a wave is whole or not there, and the command that it
# prints gives the same device. Usage: files_test.sh ROOT [--full-disk]
# With --full-disk: on file systems that are full, and nothing else. Exit status: 77 if none can be mounted.
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

printf 'pmuv3-check 1\nidle 200\nread PMINTENSET_EL1\n' >idle.check
wave=("$tiny.pmu" tiny.v -DVALUE=enables --replay idle.check)

# ---- A full disk ----
# build_checker: the program is then that of the device alone, since compilers need room
build_checker() {
  cp $tiny.pmu ${tiny}wave.pmu
  status 0 ${tiny}wave.pmu "${wave[@]:1}" --wave built.fst
  program=$(echo "$root/build/check/${tiny}wave"-*/check)
}
# no_room FILE: no room for the wave
no_room() {
  unusable "^pmuv3 check: --wave: cannot write '$1'" --replay idle.check --wave "$1" -- ${tiny}wave.pmu
  left "$1" "$1".*
  nothing_grows
}
full_disk() {
  expect_mounts
  build_checker
  export -f no_room unusable status fail left nothing_grows finds_none
  export program name failures scratch tiny
  mkdir small
  # shellcheck disable=SC2016
  unshare -rm bash -c 'mount -t tmpfs -o size=4k none small; no_room small/wave.fst; exit "$failures"' ||
    failures=$((failures + 1))
  # A database that had no room is none, and is no obstacle when there is room.
  # shellcheck disable=SC2016
  unshare -rm bash -c 'for size in 4k 12k 40k 64k 100k; do
      mount -t tmpfs -o size=$size none small
      status 2 --cycles 2000 --db small/e.db -- ${tiny}wave.pmu
      grep -qE "^pmuv3 check: .*(database or disk is full|disk I/O error)$" err || fail "$size: $(cat err)"
      finds_none -q equivalent out || fail "$size: equivalent, and not recorded"
      mount -o remount,size=4m small
      status 0 --cycles 2000 --db small/e.db -- ${tiny}wave.pmu
      umount small
    done; exit "$failures"' || failures=$((failures + 1))
}

if [ "${2-}" = --full-disk ]; then
  full_disk
  all_held
fi

# ---- RTL is an input, whoever names it ----
sed 's/^module/`include "part.vh"\n&/' tiny.v >whole.v
echo '// a part' >part.vh
cp tiny.v top.v
echo "$PWD/whole.v" >files.f
cat whole.v part.vh files.f top.v >before
for file in whole.v part.vh; do
  for option in --json --junit "--replay=idle.check --wave"; do
    # shellcheck disable=SC2086
    unusable "^pmuv3 check: ${option##* }: cannot write '$file': it is an input, too" $tiny.pmu whole.v -DVALUE=enables \
      $option $file
  done
done
unusable "^pmuv3 check: --json: cannot write 'whole.v': it is an input, too" $tiny.pmu -f files.f -DVALUE=enables --json whole.v
unusable "^pmuv3 check: --json: cannot write 'files.f': it is an input, too" $tiny.pmu -f files.f -DVALUE=enables --json files.f
unusable "^pmuv3 check: --json: cannot write 'top.v': it is an input, too" $tiny.pmu top.v -DVALUE=enables --calibrate --json top.v
cat whole.v part.vh files.f top.v | cmp - before || fail "RTL was changed"

# ---- So is what the device reads while it runs, by a name that a parameter or a macro may have ----
# shellcheck disable=SC2016 # of Verilog
sed 's/^  reg \[31:0\] enables;/  parameter ROM = "rom.hex";\n  reg [31:0] rom [0:0];\n  initial $readmemh(ROM, rom);\n&/' tiny.v >rom.v
for file in rom.hex 'a b.hex'; do echo 0 >"$file"; done
loads=("$tiny.pmu" rom.v '-DVALUE=enables^rom[0]')
unusable "^pmuv3 check: --json: cannot write 'rom.hex': it is an input, too" "${loads[@]}" --json rom.hex
unusable "^pmuv3 check: --json: cannot write './a b.hex': it is an input, too" "${loads[@]}" '-GROM="a b.hex"' --json './a b.hex'
[ "$(cat rom.hex 'a b.hex')" = $'0\n0' ] || fail "a file that the device reads was changed"
# devices: how many there are, by their digests
devices() { sqlite3 evidence.db 'SELECT count(DISTINCT source) FROM run'; }
status 0 "${loads[@]}" --cycles 2000
echo 00 >rom.hex
status 0 "${loads[@]}" --cycles 2000
[ "$(devices)" = 2 ] || fail "another file is the same device: $(devices)"
status 0 "${loads[@]}" --cycles 2000
[ "$(devices)" = 2 ] || fail "the same file is another device: $(devices)"

# Every macro, whatever it looks like, and every file of the description; the same words are the same device, and so is
# a copy in another folder.
printf 'pmuv3-core 1\nparam counters=3\n' >mine.core
with named 's/^param/& core=.\/mine.core/'
macro() { status 0 "$tiny.named.pmu" tiny.v -DVALUE=enables --cycles 2000 "$@"; }
before=$(devices)
another() {
  before=$((before + 1))
  [ "$(devices)" = "$before" ] || fail "$1: $(devices) devices, not $before"
}
# A file of -f has variables in paths. Without a value the wrong header would be taken, or none.
mkdir -p real/inc
echo '`define KEEP enables' >real/inc/keep.vh
echo '`define KEEP 0' >keep.vh
# shellcheck disable=SC2016 # of Verilog
sed 's/^module/`include "keep.vh"\n&/; s/`VALUE/`KEEP/' tiny.v >real/kept.v
# shellcheck disable=SC2016 # likewise
printf -- '%s\n' '+incdir+$TOP/inc' '-f ${TOP}/more.f' '-DTASK=$time' >list.f
# shellcheck disable=SC2016 # likewise
echo '$(TOP)/kept.v' >real/more.f
# shellcheck disable=SC2016 # likewise
for hides in '$' '$1' '$('; do
  echo "+incdir+$hides\$TOP/inc" >hidden.f
  TOP=real unusable "'hidden.f': .TOP has no value" $tiny.pmu -f hidden.f
done
TOP=real unusable "'list.f': .TOP has no value; expected --variable TOP=VALUE, or // before a comment" $tiny.pmu -f list.f
echo '--Mdir x' >>real/more.f
unusable "'real/more.f': '--Mdir' does not say how Verilator reads RTL" $tiny.pmu -f list.f --variable TOP=real
sed -i '$d' real/more.f
status 0 $tiny.pmu -f list.f --variable TOP=real --cycles 2000
another "a file of -f with a variable"
for wrong in TOP TOP= 'T OP=x' =x; do unusable "--variable: '$wrong': expected NAME=VALUE" $tiny.pmu -f list.f --variable "$wrong"; done
unusable "--variable: 'LD_PRELOAD' is a variable of tools" $tiny.pmu -f list.f --variable LD_PRELOAD=x
unusable "--variable: 'TOP' is given twice" $tiny.pmu -f list.f --variable TOP=real --variable TOP=none
# shellcheck disable=SC2016 # of Verilator
echo '$PWD/real/kept.v' >list.f
unusable "'list.f': .PWD is not substituted; expected a variable of another name" $tiny.pmu -f list.f
macro -DPART=a/b.v
another "a macro with a path"
macro -DPART=a/c.v
another "another path"
macro +define+PART=a/b.v
another "a macro in Verilator's words"
macro --verilator -DPART=a/d.sv
another "an option of Verilator"
macro -DPART=a/b.v
[ "$(devices)" = "$before" ] || fail "the same macro is another device"
printf 'pmuv3-core 1\nparam counters=4\n' >mine.core
macro -DPART=a/b.v
another "another preset"
mkdir copy
cp tiny.v copy
status 0 "$tiny.named.pmu" copy/tiny.v -DVALUE=enables --cycles 2000 -DPART=a/b.v -I copy
[ "$(devices)" = "$before" ] || fail "a copy is another device"
# Two headers of one name that change places; the one that is included last decides.
mkdir -p places/first/inc/{core,pmu} places/second/{zz/core,inc/pmu}
# shellcheck disable=SC2016 # of Verilog
printf '`undef KEEP\n`define KEEP 0\n' | tee places/first/inc/core/cfg.vh >places/second/inc/pmu/cfg.vh
echo '// nothing' | tee places/first/inc/pmu/cfg.vh >places/second/zz/core/cfg.vh
# shellcheck disable=SC2016 # of Verilog
{
  printf '%s\n' '`include "core/cfg.vh"' '`undef KEEP' '`define KEEP enables' '`include "pmu/cfg.vh"'
  sed 's/`VALUE/`KEEP/' tiny.v
} >places/placed.v
status 0 $tiny.pmu places/placed.v -I places/first/inc --cycles 2000
another "a device with two headers of one name"
status 1 $tiny.pmu places/placed.v -I places/second/zz -I places/second/inc --cycles 2000 --no-shrink --out places/out
another "headers that changed places"
# A top module that no line names; it and a port have names that Verilator's headers have in another form.
# shellcheck disable=SC2016 # of Verilog
sed -E 's/module tiny/module my__tiny__05F/; s/\breq\b/req___$1/g' tiny.v >odd.v
# shellcheck disable=SC2016 # likewise
sed -E '/^top/d; s/=req\b/=req___$1/' $tiny.pmu >odd.pmu
status 0 odd.pmu odd.v -DVALUE=enables --cycles 2000 --json odd.json
another "another top module"
echo 'module first; endmodule' >first.v
echo 'module second; endmodule' >second.v
macro first.v second.v
another "more RTL"
macro second.v first.v
another "another order"
rm evidence.db
status 0 "${loads[@]}" --cycles 2000
echo 0 >rom.hex
status 0 "${loads[@]}" --cycles 2000

# A name that is joined is known all the same, and so is that of a file that is opened.
# rom_of NAME: a device that reads the file while it runs
rom_of() { sed "s|readmemh(ROM, rom)|readmemh($1, rom)|" rom.v >joined.v; }
mkdir parts
echo 0 >parts/rom.hex
loads[1]=joined.v
# shellcheck disable=SC2016 # of Verilog
for rom in '{"parts/", ROM}' '$sformatf("%s/rom.hex", "parts")'; do
  rom_of "$rom"
  unusable "^pmuv3 check: --json: cannot write 'parts/rom.hex': it is an input, too" "${loads[@]}" --json parts/rom.hex
done
# shellcheck disable=SC2016 # likewise
sed 's|^  initial|  integer file;\n  initial file = $fopen({"parts/", ROM}, "r");\n&|' rom.v >joined.v
unusable "^pmuv3 check: --json: cannot write 'parts/rom.hex': it is an input, too" "${loads[@]}" --json parts/rom.hex
# The words of the task may be joined by the preprocessor.
# shellcheck disable=SC2016 # likewise
sed 's|\$readmemh|`LOAD(memh)|; 1i `define LOAD(what) $read``what' rom.v >joined.v
unusable "^pmuv3 check: --json: cannot write 'rom.hex': it is an input, too" "${loads[@]}" --json rom.hex
# A file that is not there now may be there while the device runs. A device file (/dev/null) has no digest.
for absent in absent.hex /dev/null; do
  # shellcheck disable=SC2016 # likewise
  sed "s|^  initial.*|  initial begin rom[0] = 0; \$readmemh(\"$absent\", rom); end|" rom.v >joined.v
  status 0 "${loads[@]}" --cycles 2000
  [ "$(grep '^pmuv3' err)" = "pmuv3 check: the RTL reads '$absent', which is no file: the run is not recorded as evidence" ] ||
    fail "no word of $absent: $(cat err)"
  [ "$(devices)" = 2 ] || fail "evidence of a device that may read $absent: $(devices)"
done
# A file that is only written is none.
# shellcheck disable=SC2016 # likewise
sed 's|^  initial|  integer file;\n  initial file = $fopen("log", "w");\n&|' rom.v >joined.v
status 0 "${loads[@]}" --cycles 2000
[ "$(devices)" = 3 ] || fail "a file that is written: $(cat err)"
# A name that is only known while the device runs: the run counts for nothing.
# shellcheck disable=SC2016 # likewise
sed 's|^  initial.*|  string name;\n  initial begin name = "parts/rom.hex"; $readmemh(name, rom); end|' rom.v >joined.v
status 0 "${loads[@]}" --cycles 2000
[ "$(cat err)" = "pmuv3 check: $PWD/joined.v:5 reads a file whose name is only known while the device runs: the run is not recorded as evidence" ] ||
  fail "no word of the name: $(cat err)"
[ "$(devices)" = 3 ] || fail "evidence of a device that is not known: $(devices)"
unusable "^pmuv3 check: --page: .*joined.v:5 reads a file whose name is only known .*: there is no evidence" "${loads[@]}" --cycles 2000 --page page.html

# So does a run whose RTL calls C.
sed 's|^  initial.*|  import "DPI-C" function int access(input string path, input int mode);\n  initial rom[0] = access("rom.hex", 0);|' rom.v >joined.sv
status 0 "${loads[@]/#joined.v/joined.sv}" --cycles 2000
[ "$(cat err)" = "pmuv3 check: the RTL calls C or a command, which may read any file: the run is not recorded as evidence" ] ||
  fail "no word of C: $(cat err)"
[ "$(devices)" = 3 ] || fail "evidence of a device that calls C: $(devices)"
# Whether it calls C is not known where the search for it is killed.
mkdir -p killed
# shellcheck disable=SC2016 # of the stand-in
printf '%s\n' '#!/bin/bash' '[[ $* != *VL_SYSTEM* ]] || kill -9 $$' 'exec /usr/bin/grep "$@"' | stand_in killed/grep
PMUV3_STAND_INS=$PWD/killed status 3 "${loads[@]/#joined.v/joined.sv}" --cycles 2000
[ "$(cat err)" = "pmuv3 check: no verdict: grep was killed" ] || fail "a grep that is killed: $(cat err)"
[ "$(devices)" = 3 ] || fail "evidence of a device whose C is not seen: $(devices)"
# Verilator's own C, too.
# shellcheck disable=SC2016 # of Verilog
for foreign in 'initial rom[0] = $c("access(\\"rom.hex\\", 0)");' 'initial begin rom[0] = 0; $c("access(\\"rom.hex\\", 0);"); end'; do
  sed "s#^  initial.*#  $foreign#" rom.v >joined.v
  status 0 "${loads[@]}" --cycles 2000
  [ "$(cat err)" = "pmuv3 check: $PWD/joined.v:4 has C, which may do anything: the run is not recorded as evidence" ] ||
    fail "no word of \$c: $(cat err)"
done
[ "$(devices)" = 3 ] || fail "evidence of a device with \$c: $(devices)"
# Names of files and strings may have what XML does not.
mkdir 'R&D'
# shellcheck disable=SC2016 # likewise
sed 's|^  initial|  always @(posedge clk) if (!rst_n) $display("\\033[31m\xb5\\033[0m & &amp;");\n&|' rom.v >'R&D/joined.v'
loads[1]='R&D/joined.v'
status 0 "${loads[@]}" --cycles 2000
loads[1]=joined.v
[ ! -s err ] || fail "what XML does not have: $(cat err)"
[ "$(devices)" = 4 ] || fail "what XML does not have: $(devices) devices"
# shellcheck disable=SC2016 # likewise
sed 's|"rom.hex"|"rom\\001.hex"|' 'R&D/joined.v' >joined.v
cp rom.hex $'rom\1.hex'
unusable "^pmuv3 check: --json: cannot write '.*': it is an input, too" "${loads[@]}" --json $'rom\1.hex'
# The standard input is no part of the device: it is empty. Verilator 5.006 loses a descriptor that is a constant.
# shellcheck disable=SC2016 # likewise
sed 's|^  initial.*|  integer from;\n  initial begin from = clk === 1 ? 0 : 32'"'"'h80000000; rom[0] = $fgetc(from) == 49; end|' rom.v >joined.v
status 0 "${loads[@]}" --cycles 2000 <<<1

# ---- Arguments are looked at before anything is made ----
find "$root/build/check" -maxdepth 1 -name "$tiny*" | sort >folders
unusable "^pmuv3 check: unusable option '--seed': it is given twice" $tiny.pmu tiny.v -DNEW --seed 1 --seed 2
unusable "^pmuv3 check: --mode takes" $tiny.pmu tiny.v -DNEW --mode fuzzy
unusable "^pmuv3 check: --json: cannot write 'tiny.v': it is an input, too" $tiny.pmu tiny.v -DNEW --json tiny.v
unusable "^pmuv3 check: --json: cannot write 'absent/x'" $tiny.pmu tiny.v -DNEW --json absent/x
find "$root/build/check" -maxdepth 1 -name "$tiny*" | sort | cmp - folders || fail "a folder was made"

# ---- Waves ----
refuses_others --wave idle.check "${wave[@]}"
refuses_streams --wave "${wave[@]}"
mkdir folder
echo old >folder/target
chmod 640 folder/target
echo kept >link.hier
ln -s folder/target link
status 0 "${wave[@]}" --wave link
[ -L link ] || fail "a link was replaced"
[ "$(stat -c %a folder/target)" = 640 ] || fail "rights were changed"
fst2vcd folder/target >/dev/null || fail "not an FST"
[ "$(cat link.hier)" = kept ] || fail "a file beside the wave was replaced"
# A wave of the RTL's own would take the place of a file.
# shellcheck disable=SC2016 # of Verilog
sed 's/^endmodule/initial begin $dumpfile("dump.vcd"); $dumpvars; end\n&/' tiny.v >dumps.v
echo mine >dump.vcd
unusable '^pmuv3 check: --wave: the RTL writes a wave of its own: it has .dumpvars$' $tiny.pmu dumps.v "${wave[@]:2}" --wave dumps.fst
[ "$(cat dump.vcd)" = mine ] || fail "the RTL wrote a wave"
left dumps.fst
# The limit of files' sizes is too low.
all=$program
build_checker
(ulimit -f 1; no_room limited.fst; exit "$failures") || failures=$((failures + 1))
program=$all
# A wave that cannot be written takes no divergence away.
status 1 $tiny.pmu tiny.v -DVALUE=clocks --replay idle.check --wave good.fst
fst2vcd good.fst >/dev/null || fail "a divergence: not an FST"
status 1 $tiny.pmu tiny.v -DVALUE=clocks --replay idle.check --json /dev/full

# ---- The command of a divergence ----
mkdir 'a b'
cp tiny.v 'a b/it'\''s.v'
cp $tiny.pmu "a b/$tiny.pmu"
sed -i '/^top/d' "a b/$tiny.pmu"
echo 'module other(input clk); endmodule' >other.v
status 1 "a b/$tiny.pmu" "a b/it's.v" other.v --top tiny --verilator '-DVALUE=enables & 1' --mode settled --cycles 20000 --out 'd d'
again=$(sed -n 's|^  \./pmuv3 check ||p' out | tail -n 1)
grep -q -- '--mode settled' <<<"$again" || fail "another mode: $again"
bash -c "$program $again" >out 2>err
[ $? -eq 1 ] || fail "it does not happen again with '$again': $(cat out err)"

all_held
