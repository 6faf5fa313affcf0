#!/bin/bash
# Elaborates the RTL with Yosys into BTOR2, as it is: no register is merged, narrowed or removed.
#
#   elaborate.sh [--define NAME]... [--rtl DIR] THREADS COUNTERS OUT.btor
#
# There are as many event inputs as the proof has events (model_events.h).
#
# OUT.btor.sources has the digests of OUT.btor, of the RTL that was read, and of what says how to elaborate it:
# lines of sha256sum, as in a build's source.list.
#
# Inputs, outputs and states have the RTL's names, with the dots of the hierarchy. One clock of the
# BTOR2 is one rising edge of clk_i, which itself is an input that nothing depends on.
#
# Resets are asynchronous: what a register shows is its reset value for as long as its reset is
# asserted, and the state takes it at the edge. What is proved of a clock is therefore proved of one
# throughout which the resets are stable.
#
# Where Verilog has x (a variable before it is assigned, a part select beyond the vector), there is
# an input "x!<number>", which can be anything. What is proved with them is proved whatever a
# simulator or synthesis makes of them.
#
# A latch, an undriven or multiply driven wire, a combinational loop, a register of another clock or
# without an asynchronous reset, and any warning are errors. Exit status: 0; 2 after one line; 3 a command
# died unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
rtl=$(realpath "$here/../../../rtl")
# shellcheck source=yosys.sh
. "$here/yosys.sh"
defines=()
num_events=4

main() {
  end_without_verdict
  while [ $# -gt 0 ]; do
    [ "$1" = --define ] || once "$1"
    case $1 in
      --define)
        [ $# -gt 1 ] || unusable "--define: expected a name"
        defines+=("-D$2")
        shift 2
        ;;
      --rtl)
        [ -f "${2-}/CMakeLists.txt" ] || unusable "--rtl: expected a directory of the RTL"
        rtl=$(realpath "$2")
        shift 2
        ;;
      --*) unusable "$1: unknown option, expected --define NAME or --rtl DIR" ;;
      *) break ;;
    esac
  done
  [ $# = 3 ] || unusable "expected [--define NAME]... [--rtl DIR] THREADS COUNTERS OUT.btor"
  expect_number "$1" 1 4
  expect_number "$2" 0 31
  expect_output OUT "$3"
  command -v yosys >/dev/null || unusable "yosys: not found, expected Debian's package yosys"

  work=$(temporary_folder) || exit $?
  trap 'rm -rf "$work"' EXIT
  script "$1" "$2" >"$work/elaborate.ys"
  copy_files "$rtl" "$work/rtl"
  # Sources are read by their names alone: they are in the output. -e: a warning is an error.
  local ended=0
  (yosys_in "$work/rtl" ../elaborate.ys -e .) >"$work/log" 2>&1 || ended=$?
  [ "$ended" -lt 128 ] || end_with 3 "no verdict: Yosys was killed"
  [ "$ended" = 0 ] || unusable "$(grep -m 1 '^ERROR' "$work/log" || tail -n 1 "$work/log")"
  sed 's|\.\./||g' "$work/unnamed.btor" | name_all >"$work/named.btor"
  expect_registers
  expect_whole_variables
  write_whole "$3.sources" source_digests_of "$work/named.btor"
  write_whole "$3" cat "$work/named.btor"
}

# source_digests_of NETLIST: its digest, and those of what it was made of.
source_digests_of() {
  sha256sum <"$1"
  (cd "$work/rtl" && sources . | xargs sha256sum CMakeLists.txt | sed 's|  |&rtl/|')
  (cd "$here/../../.." &&
    sha256sum testbench/{common,settings}.sh testbench/prove/equivalence/{CMakeLists.txt,elaborate.sh,yosys.sh})
}

expect_number() {
  [[ $1 =~ ^[0-9]{1,2}$ && $((10#$1)) -ge $2 && $((10#$1)) -le $3 ]] ||
    unusable "$1: expected a number from $2 to $3"
}

# proc makes the registers, and rename calls a register's cell after it. Registers are kept even if
# nothing reads them; but for what functions' locals are at the edge, which nothing can read.
#
# A module that was made for its parameters is called $paramod and a digest, which may have dff in it.
#
# Of the names of a net Yosys keeps the one with the most attributes: a stage's port, where the proof cuts.
#
# Of a net that is read in part, opt_clean leaves the other bits without what drives them. The last check says
# that nothing reads them, and setundef makes them x.
#
# opt_muxtree takes away most of the x: those that a condition selects and the same one further on
# deselects, once opt_merge has made conditions the same.
script() {
  local source
  for source in $(sources "$rtl"); do
    echo "read_verilog -sv ${defines[*]} $source"
  done
  cat <<END_SCRIPT
chparam -set NumThreads $1 -set NumCounters $2 -set NumEvents $num_events pmuv3
hierarchy -check -top pmuv3
proc
check -assert
select -assert-none t:\$*dff* t:\$adff %d t:\$paramod* %d t:\$ff t:\$*latch* t:\$sr t:\$mem*
select -assert-none t:\$any* t:\$all* t:\$initstate
rename -wire t:\$adff
tee -q -o ../modules dump t:\$adff
opt_merge * t:\$adff %d
opt_muxtree
setattr -set pmuv3_port 1 */w:*_i */w:*_o pmuv3/w:* %d
flatten
check -assert
tee -q -o ../registers select -list t:\$adff
setattr -set keep 1 t:\$adff c:*\$func\$* %d
opt_clean
select -assert-none t:\$adff w:clk_i %co1:+\$adff[CLK] %d

read_verilog ../cells.v
chtype -set register t:\$adff
chtype -set part_select t:\$shiftx
hierarchy -check
proc
flatten
opt_clean -purge
check -assert
setundef -undriven -undef
pmuxtree
write_btor ../unnamed.btor
END_SCRIPT
  { register && part_select; } >"$work/cells.v"
}

# What Yosys' cell of a register is. Its async2sync does the same, but takes away their names.
register() {
  cat <<'END_MODULE'
module register (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 1;
  parameter ARST_VALUE = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire reset;
  (* keep *) reg [WIDTH-1:0] state;
  assign reset = ARST == ARST_POLARITY;
  assign Q = reset ? ARST_VALUE : state;
  generate
    if (CLK_POLARITY) always @(posedge CLK) state <= reset ? ARST_VALUE : D;
    else a_register_of_the_falling_edge unknown ();
  endgenerate
endmodule
END_MODULE
}

# States by the names of their registers; and what has no name is x.
name_all() {
  awk '$2 == "state" { sub(/\$adff\.state$/, "", $4) }
       $2 == "input" && ($4 == "" || $4 == ";") { $3 = $3 " x!" $1 }
       { print }'
}

# Every register is a state, and nothing else is.
expect_registers() {
  local register
  # shellcheck disable=SC2016  # Yosys' names have a $
  sed 's|^[^/]*/||; s/\$adff$//; /\$func\$/d' "$work/registers" | sort >"$work/expected"
  awk '$2 == "state" { print $4 }' "$work/named.btor" | sort >"$work/states"
  register=$(comm -3 "$work/expected" "$work/states" | sed -n '1s/^\t*//p')
  [ -z "$register" ] || unusable "$register: not both a register and a state"
}

# A register is called after the whole variable that it drives, not after a part of it.
expect_whole_variables() {
  local cell
  cell=$(awk '$1 == "cell" { cell = $3; variable = $3; sub(/\$adff$/, "", variable) }
              $1 == "connect" && $2 == "\\Q" && ($3 != variable || NF > 3) { print cell; exit }' \
    "$work/modules")
  [ -z "$cell" ] || unusable "$cell: a register of a part of a variable"
}

main "$@"
