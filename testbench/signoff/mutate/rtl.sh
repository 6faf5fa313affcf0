#!/usr/bin/env bash
# Makes mutants of the RTL, all of them in one Verilated model behind a selector.
#
#   rtl.sh THREADS COUNTERS NUMBER SEED DIR
#
# DIR/mutants.so is the model as a side, DIR/mutants.list its mutants (mutants.h). Yosys draws them
# evenly over modules, cells, wires and source lines: a bit of a cell's port, or of a connection of
# two modules, is inverted, stuck, or inverted where another bit of the port is 0 or 1. A mutant is in
# every instance of its module of the same parameters.
#
# DIR/size, apply.ys, rtl.il, rtl and rules are for the proof of what survives (prove_rtl.sh). Exit status: 0; 2
# unusable arguments; 3 no verdict: no mutants could be made.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
root=$(realpath "$here/../../..")
# shellcheck source=library.sh
. "$here/library.sh"
# shellcheck source=../../prove/equivalence/yosys.sh
. "$here/../../prove/equivalence/yosys.sh"

main() {
  end_without_verdict
  [ $# = 5 ] || unusable "expected THREADS COUNTERS NUMBER SEED DIR"
  threads=$1 counters=$2 number=$3 seed=$4
  events=12 # NumEvents: one of each kind (mutants.c)
  own_folder DIR "$5"
  dir=$(realpath "$5")
  echo "$threads $counters $events" >"$dir/size"
  copy_files "$root/rtl" "$dir/rtl"
  copy_files "$root/testbench/prove/properties" "$dir/rules"
  step yosys draw
  name_mutants <"$dir/drawn" >"$dir/mutants.list"
  step yosys apply
  step model verilate
  step library link
}

# step WHAT FUNCTION: says where to look if it fails. The sources were built before, so this says nothing of them.
# A process of its own, as bash does not stop at what fails in a function whose status is looked at.
step() {
  "$2" >"$dir/$2.log" 2>&1 &
  wait $! || end_with 3 "no verdict: $1: $(tail -n 1 "$dir/$2.log"); see $dir/$2.log"
}

# A warning is an error. Nothing is optimized: what is mutated is what is written.
draw() {
  local source
  {
    for source in $(sources "$dir/rtl"); do echo "read_verilog -sv -DPMUV3_PROBE $source"; done
    cat <<END
chparam -set NumThreads $threads -set NumCounters $counters -set NumEvents $events pmuv3
hierarchy -check -top pmuv3
proc
opt_clean
rename -top pmuv3
rename -wire t:\$adff
write_ilang ../rtl.il
mutate -list $number -seed $seed -o ../drawn
END
  } >"$dir/draw.ys"
  yosys_in "$dir/rtl" ../draw.ys -e .
}

# A line of Yosys' list becomes one of ours. A module's parameters are part of its name where it has
# any; of the places in the source the last that is one is the cell's.
name_mutants() {
  awk -v OFS='\t' -v size="${threads}x$counters" '
    function readable(module) {
      gsub(/[0-9]+\047s?0*/, "", module) # constants are binary
      if (module ~ /^\$paramod\\/) {
        split(substr(module, 10), part, "\\")
        return part[1] "(" part[2] ")"
      }
      if (match(module, /\\/)) return substr(module, RSTART + 1) "(" substr(module, 9, 6) ")"
      return module
    }
    {
      delete option
      place = "?"
      for (i = 2; i < NF; i += 2) {
        option[$i] = $(i + 1)
        if ($i == "-src" && $(i + 1) !~ /:0\./) place = $(i + 1)
      }
      if (match(place, /^[^:]*:[0-9]+/)) place = substr(place, 1, RLENGTH)
      module = readable(option["-module"])
      bit = option["-port"] "[" option["-portbit"] "]"
      mode = option["-mode"]
      cell = option["-cell"]
      change = mode == "inv" ? "inverted" : mode == "const0" ? "stuck at 0" : \
               mode == "const1" ? "stuck at 1" : "inverted where " option["-port"] "[" \
               option["-ctrlbit"] "] is " substr(mode, 5)
      wire = "-wire" in option ? " (" option["-wire"] "[" option["-wirebit"] "])" : ""
      short = module
      sub(/\(.*/, "", short)
      by = "-ctrlbit" in option ? option["-ctrlbit"] : ""
      print NR, size ":" module "/" cell "." bit " " mode by, short, place, bit " of " cell wire " " change
    }'
}

# The top module has no port for the selector, but a wire that with_selector() drives. A vector of which
# a mutant drives a bit becomes several: to Verilator it would be a loop. The few loops that are left, from one
# bit of an output to another, it settles. A select that a mutant leads out of its vector gives x, as in the proof
# of what survives: Verilator ignores the bits of an index that the vector does not need.
apply() {
  awk '{ sub(/^mutate/, "mutate -ctrl mutant 16 " NR); sub(/ -(wire|src) .*/, ""); print }' \
    "$dir/drawn" >"$dir/apply.ys"
  part_select >"$dir/part_select.v"
  cat >"$dir/write.ys" <<END
read_ilang rtl.il
script apply.ys
read_verilog part_select.v
chtype -set part_select t:\$shiftx
hierarchy -top pmuv3
delete -input pmuv3/w:mutant
splitnets -driver
opt_clean
write_verilog -noattr netlist.v
END
  yosys_in "$dir" write.ys -e .
}

with_selector() {
  cat "$here/selector.sv"
  awk '/^  wire \[15:0\] mutant;/ && before !~ /input/ {
         sub(/mutant/, "mutant = pmuv3_mutant_pkg::selected")
         driven++
       }
       { print; before = $0 }
       END { exit driven != 1 }' "$dir/netlist.v"
}

# As rtl/CMakeLists.txt has it, with sampled inputs, but compiled in a hurry: it does not run for long. The netlist is
# of one size, so it has no parameters. If two bits of a vector depend on other bits of it, Verilator 5.006 can make a
# wrong model. Without its graph of the data flow (DFG) it does not.
verilate() {
  with_selector >"$dir/mutants.sv"
  cd "$dir"
  rtl/sampled.sh rtl/pmuv3.sv sampled.sv
  sed -i 's/ pmuv3 #(.*) u_pmuv3/ pmuv3 u_pmuv3/' sampled.sv
  verilator --cc -DPMUV3_PROBE rtl/pmuv3_pkg.sv mutants.sv sampled.sv --top-module pmuv3_sampled \
    -GNumThreads="$threads" -GNumCounters="$counters" -GNumEvents="$events" --prefix Vpmuv3_mutants -Mdir model \
    -Wno-lint -Wno-style -Wno-UNOPTFLAT -O3 -fno-dfg --x-assign unique --x-initial unique --noassert
  make -C model -j "$(nproc)" -f Vpmuv3_mutants.mk OPT_FAST=-O1 CXXFLAGS=-fPIC \
    CXX="$(command -v ccache || true) g++" \
    Vpmuv3_mutants__ALL.a verilated.o verilated_dpi.o verilated_threads.o
}

link() {
  local size=(-DPMUV3_MUTANTS_THREADS="$threads" -DPMUV3_MUTANTS_COUNTERS="$counters" -DPMUV3_MUTANTS_EVENTS="$events")
  local verilator=/usr/share/verilator/include
  cd "$dir"
  make_library "$root"
  gcc -O2 -fPIC "${size[@]}" -c "$here/selector.c" -o selector.o
  g++ -std=c++17 -O2 -fPIC -shared -Wl,-Bsymbolic,--no-undefined "${size[@]}" -Imodel -isystem "$verilator" \
    -isystem "$verilator/vltstd" -I"$root" -I"$root/cmodel/include" -o mutants.so.new \
    "$root/tlm_wrapper/side_rtl.cc" selector.o library.a model/Vpmuv3_mutants__ALL.a \
    model/verilated.o model/verilated_dpi.o model/verilated_threads.o
  mv mutants.so.new mutants.so
}

main "$@"
