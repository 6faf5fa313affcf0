#!/usr/bin/env bash
# Proves mutants of the RTL equivalent to it.
#
#   prove_rtl.sh BUILD DIR [NUMBER]...
#
# Without a number it makes what all proofs share. DIR is what rtl.sh made, BUILD has pmuv3-miter. What is proved of a mutant, by SAT: from the same values of
# all registers, and with the same inputs, all that a legal integration presents
# (testbench/prove/properties/pmuv3_legal.sv), all outputs and all registers' next values are the same
# as without it, but for registers that no output ever depends on, the probes of threads that are not there, and
# what is read where nothing is.
# So the two are seen to do the same for ever, in DIR's size, after a first reset.
#
# Of the registers' values the lemmas are assumed that the properties have (pmuv3_rules_*.sv), but for
# the one that speaks of inputs. That they hold of the RTL is proved first, in DIR's size: after both resets, whatever
# was before, and after a clock, or after a reset without one, if they held before. The configuration is static.
#
# Limits are numbers of conflicts, so an answer does not depend on the machine.
#
# Prints a line a mutant: its number and `equivalent`, or why not. Exit status: 0; 2 after one line; 3 a command
# died unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../prove/equivalence/yosys.sh
. "$here/../../prove/equivalence/yosys.sh"

main() {
  end_without_verdict
  if [ $# -lt 2 ] || [ ! -f "$2/apply.ys" ]; then unusable "expected BUILD DIR [NUMBER]..., DIR made by rtl.sh"; fi
  miter=$1/bin/pmuv3-miter
  [ -x "$miter" ] || unusable "$miter: not there, build it first"
  dir=$(realpath "$2")
  shift 2
  run=$(temporary_folder) || exit $? # of this run alone: others may prove mutants of DIR at the same time
  trap 'rm -rf "$run"' EXIT
  cut_once
  local number
  for number; do prove "$number"; done
}

# ---- Answers ----

# ask DESIGN QUESTION SWEEP PROVER: `answer` is yes, no, or nothing.
ask() {
  local question=$run/ask.$2
  "$miter" "$1" "$2" "$question.aig" 2>"$question.log" || unusable "$(tail -n 1 "$question.log")"
  (cd "$run" && yosys-abc -q "&read ask.$2.aig; $3 &put; $4") >"$question.log" 2>&1 || true
  rm "$question.aig"
  case $(grep -o '^[A-Z]*SATISFIABLE' "$question.log" || true) in
    SATISFIABLE) answer=yes ;;
    UNSATISFIABLE) answer=no ;;
    *) answer='' ;;
  esac
}

# What is the same on both sides is one node already. Sweeping finds what else is, from the inputs on, and the
# prover is left with little.
prove() {
  [ "$1" -le "$(wc -l <"$dir/mutants.list")" ] || unusable "$1: no such mutant"
  ask "$dir/cut.aig" "$1" "&fraig -x -C 1000;" "iprove -M 100000"
  case $answer in
    no) echo "$1 equivalent" ;;
    yes) echo "$1 differs in a clock from some state that the lemmas allow, reached or not" ;;
    *) echo "$1 no answer: $(tail -n 1 "$run/ask.$1.log")" ;;
  esac
}

# ---- The cut design ----

# For all who prove mutants of it side by side.
cut_once() {
  open_lock 9 "$dir/cut.lock"
  flock 9
  if [ ! -f "$dir/cut.aig" ]; then
    (cut) >"$dir/cut.log" 2>&1 || unusable "$(tail -n 1 "$dir/cut.log"); see $dir/cut.log"
    expect assumptions yes "what is assumed cannot be met"
    expect reset no "a lemma is not proved of the state after reset"
    expect_lemmas
    mv "$dir/cut.aig.new" "$dir/cut.aig"
  fi
  exec 9>&-
}

# Each after a clock from all of them. How many there are is in the header.
expect_lemmas() {
  local lemmas lemma
  read -r _ _ _ _ _ _ lemmas _ < <(head -n 1 "$dir/cut.aig.new")
  for ((lemma = 0; lemma < lemmas; lemma++)); do
    expect "lemma-$lemma" no "lemma $lemma is not proved inductive"
  done
}

# A lemma says what a search through the set of events finds, so little in the two clocks is the same: plain SAT.
expect() {
  ask "$dir/cut.aig.new" "$1" '' "dsat -p -C 1000000"
  [ "$answer" = "$2" ] || unusable "$3: $(tail -n 1 "$run/ask.$1.log")"
}

# All mutants behind an input, and the lemmas beside the RTL. Registers are latches, and what each is given is an
# output. Where Verilog has x there is an input, too, which both sides share: what differs for some value of it
# is not the same. Nothing merges registers, and of a mutant's clock and reset nothing is taken for granted.
cut() {
  local threads counters events
  read -r threads counters events <"$dir/size"
  { register && selection && part_select; } >"$dir/cells.v"
  cat >"$dir/cut.ys" <<END
read_ilang rtl.il
read_verilog -sv -formal rtl/pmuv3_pkg.sv
$(for source in rules_pkg rules_lane rules_thread legal proof; do
    echo "read_verilog -sv -formal rules/pmuv3_$source.sv"
  done)
chparam -set NumThreads $threads -set NumCounters $counters -set NumEvents $events pmuv3_proof
setparam -unset NumThreads -unset NumCounters -unset NumEvents pmuv3_proof/c:u_pmuv3
script apply.ys
hierarchy -check -top pmuv3_proof
proc
expose -input pmuv3_proof/w:cfg pmuv3_proof/w:events
delete t:\$anyconst
setattr -set pmuv3_output 1 pmuv3/o:* pmuv3/w:present pmuv3/w:reg_read_i
flatten
cd pmuv3_proof
$(see_registers "$threads" "$counters")
select -assert-min 20 a:pmuv3_output
expose a:pmuv3_output
chformal -cover -remove
delete c:*legal_start
delete t:\$assert c:*.INV_* %d c:*.D13_4_3 %d
select -assert-count $((threads * (11 + 6 * counters))) t:\$assert
opt_clean -purge
cd ..
read_verilog -sv cells.v
chtype -set part_select t:\$shiftx
chtype -set selection t:\$pmux
chtype -set register t:\$adff
select -assert-none pmuv3_proof/t:\$*ff*
hierarchy -check -top pmuv3_proof
proc
flatten
expose -evert pmuv3_proof/t:compared
select -assert-none pmuv3_proof/t:compared
cd pmuv3_proof
setundef -anyseq
delete t:\$anyseq
setundef -undriven -expose
opt_clean -purge
check -assert
aigmap
$(for _ in shifts sums; do
    echo "select -set mapped t:\$_* t:\$assert t:\$assume t:\$dff"
    echo "techmap @mapped %n"
  done)
simplemap t:\$dff
aigmap
setundef -anyseq
select -assert-none t:\$anyseq
write_aiger -symbols cut.aig.new
END
  yosys_in "$dir" cut.ys
}

# Yosys' cell $adff. A clock need not have an edge of it: a reset alone does what it does. Its clock and reset are
# compared, too; what it is given is by what it holds after the clock.
register() {
  cat <<'END'
(* blackbox *)
module compared (A);
  input A;
endmodule

module register (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 1;
  parameter [WIDTH-1:0] ARST_VALUE = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output reg [WIDTH-1:0] Q;
  compared clock (.A(CLK));
  compared reset (.A(ARST));
  always @(posedge CLK) Q <= ARST == ARST_POLARITY ? ARST_VALUE : CLK ? D : Q;
endmodule
END
}

# Yosys' cell $pmux as the netlist has it that is simulated: the lowest bit that is set selects. Yosys itself
# takes for granted that one alone is set, which a mutant may change.
selection() {
  cat <<'END'
module selection (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output reg [WIDTH-1:0] Y;
  integer i;
  always @* begin
    Y = A;
    for (i = S_WIDTH - 1; i >= 0; i = i - 1)
      if (S[i]) Y = B[WIDTH*i+:WIDTH];
  end
endmodule
END
}

main "$@"
