# shellcheck shell=bash
# ./pmuv3 check --prove: the device against rtl/, by Yosys and ABC (docs/design/check.md, Proof). check.sh sources
# this, and has compiled the device.
# shellcheck disable=SC2154 # variables of check.sh
here_prove=$root/testbench/cosim/check/prove
# shellcheck source=../../../prove/equivalence/yosys.sh
. "$root/testbench/prove/equivalence/yosys.sh"

# ---- From the device to graphs ----

# The clock and resets, threads, counters, inputs of events, and clocks of a reset.
read_facts() {
  local facts
  facts=$("$bin/pmuv3-check-glue" facts "$description") || exit $?
  read -r threads counters events clocks clock resets <<<"$facts"
}

say_step() { echo "$(($(date +%s) - start)) s: $*" >&2; }

# The device as Verilator reads it, in Verilog that Yosys reads. Only with --debugi does Verilator leave the
# preprocessed RTL: of files that it finds as well, but of one with each name. -E writes those that are given.
flatten_device() {
  local -a names
  read -ra names <<<"$resets"
  xml_of "$work/device.xml" "$work/xml" --flatten --debugi 1 --dumpi-tree 0 >"$work/xml.log" 2>&1 ||
    undecided "Verilator ended without an answer"
  expect_inputs "$work/xml"
  verilator -E --MMD --prefix Vdut --Mdir "$work/given" "${verilator[@]}" "${rtl[@]}" >"$work/xml/given.vpp" 2>>"$work/xml.log" ||
    undecided "Verilator ended without an answer"
  expect_inputs "$work/given"
  expect_no_pragma
  "$here_prove/floating.py" "$folder/model/modules.xml" 2>"$work/elaborated.log" || refuse_proof "$work/elaborated.log"
  "$here_prove/elaborated.py" "$work/device.xml" "$work/xml" "$top" "$clock" "${names[@]}" >"$work/device.v" \
    2>"$work/elaborated.log" || { [ $? = 4 ] && read_otherwise; } || refuse_proof "$work/elaborated.log"
}

# What the script cannot write, slang may read. In its netlist a unique case that is not unique has a value, and so has
# what is divided by 0.
read_otherwise() {
  unwritten=$(tail -n 1 "$work/elaborated.log")
  ! grep -qwE 'unique0?|priority|parallel_case|full_case' "$folder/model/expanded" || return 1
  ! grep -qE "$of_element" "$description" || return 1
  expect_time "before slang read the RTL"
  if ! again_limit=$left read_by_slang "$work/device.v" --no-implicit-memories; then
    unwritten+="; $not_by_slang"
  elif grep -qE ' [/%] ([$]signed\()?[^0-9$]' "$work/device.v"; then
    unwritten+=', and a division by what may be 0'
  else
    return 0
  fi
  echo "$unwritten" >"$work/elaborated.log"
  return 1
}

# Of `synopsys parallel_case` in a comment Verilator knows only where it makes assertions.
expect_no_pragma() {
  verilator -E --assert "${verilator[@]}" "${rtl[@]}" >"$work/asserted" 2>>"$work/xml.log" ||
    undecided "Verilator ended without an answer"
  ! grep -qE '/\*verilator (parallel|full)_case\*/' "$work/asserted" || {
    echo 'the comment "synopsys parallel_case" or "full_case"; expected an attribute, or unique' >"$work/elaborated.log"
    refuse_proof "$work/elaborated.log"
  }
}

refuse_proof() {
  echo "$called: --prove does not know $(tail -n 1 "$1"): no verdict" >&2
  exit 3
}

# rtl/ of this size, flat. Wires `raised` and `halves` are ports: the miter delays flags, and reaches halves of
# registers.
rtl_script() {
  local source
  for source in $(sources "$work/rtl"); do echo "read_verilog -sv -DPMUV3_PROBE $source"; done
  cat <<END
rename pmuv3_access pmuv3_whole_access
read_verilog -sv ../access.v
chparam -set NumThreads $threads -set NumCounters $counters -set NumEvents $events pmuv3
hierarchy -check -top pmuv3
proc -norom
flatten
opt_clean
expose -cut pmuv3/w:*.raised
expose -input pmuv3/w:*.u_access.halves
write_ilang ../rtl.il
END
}

# No pass takes registers away or merges them: Yosys would choose the values that a reset leaves open.
#
# What nothing drives in the device is anything: `any_N` of device.v and nets that the RTL leaves open become inputs
# before the miter is there, so that all of the miter needs a driver.
#
# Resets of what slang reads are asynchronous. `sim` ends the reset before its last edge, at which such a register would
# count.
#
# The registers' values after a reset become their initial values, and there is no reset any more. All x become
# inputs, and so do initial values that are x. The second graph has no planted defect.
# What a reset does not reach keeps its value at a later one, so initial values count only where there is no reset.
miter_script() {
  cat <<END
read_verilog -sv ../device.v
hierarchy -auto-top
rename -top pmuv3_device_under_proof
setattr -mod -unset top pmuv3_device_under_proof
proc -norom
async2sync
setundef -undriven -anyseq
read_ilang ../rtl.il
read_verilog -sv ../cells.v
read_verilog -sv pmuv3_pkg.sv
read_verilog -sv ../miter.v
hierarchy -check -top pmuv3_miter
proc -norom
select -assert-none t:\$*latch*
flatten
$(sees)
tee -q -o ../faults.txt check
opt_clean -purge
${resets:+setattr -unset init t:\$*ff* %co1:+[Q] w:* %i}
setundef -undriven -anyseq
setundef -anyseq
opt_expr
opt_clean -purge
sim -clock clk -reset reset -rstlen $clocks -n $clocks -w
delete -input w:reset
connect -set reset 1'b0
async2sync
opt_expr
opt_muxtree
opt_expr
opt_clean -purge
techmap
dffunmap
opt_clean -purge
setundef -anyseq
aigmap
select -assert-none t:\$_DFF_N_ t:\$_DLATCH*
write_aiger -zinit -map ../reached.map ../reached.aig
connect -set any_plant 16'd0
write_aiger -zinit -map ../differs.map ../differs.aig
END
}

# Internals that the description shows.
sees() {
  sed -n 's|^// see ||p' "$work/miter.v" | while read -r pin signal; do
    echo "delete -input w:$pin"
    echo "connect -nounset -set $pin $signal"
  done
}

# yosys_of SCRIPT: in the folder of rtl/. What Yosys refuses is no verdict.
yosys_of() {
  local log=$work/$1.log
  is_time_left && { (yosys_limit=$left yosys_in "$work/rtl" "../$1.ys") >"$log" 2>&1; } 2>/dev/null && return
  expect_time "while Yosys made the graphs"
  echo "$called: --prove: Yosys: $(grep -m1 '^ERROR' "$log" || echo "ended without an answer; see $log"): no verdict" >&2
  exit 3
}

# A wire without a driver, two drivers, a loop or a port of another width is a mistake of the miter.
expect_no_fault() {
  local fault
  fault=$(awk '/^Warning/ && /driver|loop|Resizing cell port/ { print; exit }' "$work/faults.txt" "$work/miter.log")
  [ -z "$fault" ] || undecided "the miter has a fault: ${fault#Warning: }"
}

make_graphs() {
  rm -rf "$work"
  mkdir -p "$work"
  copy_files "$root/rtl" "$work/rtl"
  cp "$here_prove/access.v" "$here_prove/cells.v" "$work"
  flatten_device
  "$bin/pmuv3-check-glue" miter "$description" "$top" "$folder/model" >"$work/miter.v" || exit $?
  rtl_script >"$work/rtl.ys"
  yosys_of rtl
  miter_script >"$work/miter.ys"
  yosys_of miter
  expect_no_fault
  "$here_prove/aiger.py" cone "$work/differs.aig" "$work/differs.map" "$work/prove.aig" differs hints
  "$here_prove/aiger.py" cone "$work/reached.aig" "$work/reached.map" "$work/witness.aig" reached
}

# ---- Proof ----

# abc_of NAME COMMANDS: in the proof's folder, where ABC finds no settings of the user. If ABC is
# killed, the log lacks its last line. ABC's own limits are of processor time, so on a busy machine it is killed at
# the limit: each line that it wrote counts then.
abc_of() {
  { (cd "$work" && HOME=/proc/none exec timeout "$((left + 20))" stdbuf -oL yosys-abc -q "$2; echo ended") >"$work/$1.log" 2>&1; } 2>/dev/null
}

has_ended() { [[ $(tail -n 1 "$work/$1.log" 2>/dev/null) == 'ended '* ]]; }

# What is over at the limit is out of time, whoever ended it.
expect_time() { is_time_left || undecided "out of time after $((limit - left)) s, $1"; }

is_time_left() {
  left=$((limit - ($(date +%s) - start)))
  [ "$left" -gt 0 ]
}

undecided() {
  echo "no verdict: $1"
  exit 3
}

# What is the same on both sides becomes one (scorr), by induction. The hints are outputs, so that scorr has their
# nodes; nothing is assumed of them, and `cone` takes them away. A mistake is among the little that is left. Two ways
# look at that side by side: property directed reachability to prove, bounded model checking to refute.
search() {
  local -a searches=()
  answer=''
  abc_of reduction "read_aiger prove.aig; strash; scleanup; dc2; scorr; cone -s -O 0; scorr; dc2; write_aiger reduced.aig" || true
  if ! has_ended reduction || ! is_time_left; then return; fi
  (abc_of induction "read_aiger reduced.aig; strash; print_stats; pdr -T $left; write_cex induction.cex") &
  searches+=($!)
  (look_for_mistake || look_for_mistake -g) &
  searches+=($!)
  while [ -z "$answer" ] && is_any_alive "${searches[@]}"; do
    sleep 0.2
    look_for_answer
  done
  look_for_answer
  end_searches "${searches[@]}"
}

# look_for_mistake [-g]: ABC's own solver dies of some graphs; Glucose (-g) does not, and is slower.
look_for_mistake() {
  abc_of bounded "read_aiger reduced.aig; strash; print_stats; bmc3 $* -F 200 -T $left; write_cex bounded.cex" || ! is_time_left
}

is_any_alive() {
  local search
  for search; do if kill -0 "$search" 2>/dev/null; then return 0; fi; done
  return 1
}

# ABC's words count if ABC came to its end, and spoke of one output. A counterexample is replayed, so it counts more
# than a proof.
look_for_answer() {
  local way
  if has_proved induction; then answer=proved; fi
  for way in induction bounded; do
    if has_refuted "$way"; then answer=$way; fi
  done
}

has_proved() { has_ended "$1" && speaks_of_one "$1" && grep -qE '^Property proved\.' "$work/$1.log"; }

has_refuted() {
  has_ended "$1" && speaks_of_one "$1" && grep -q 'was asserted in frame' "$work/$1.log" && [ -s "$work/$1.cex" ]
}

speaks_of_one() { grep -qE 'i/o = *[0-9]+/ *1 ' "$work/$1.log"; }

# What was tried, and for how long.
say_undecided() {
  local way
  expect_time "neither proved by scorr and pdr nor refuted by bmc3"
  for way in reduction bounded induction; do
    has_ended "$way" || undecided "undecided: ABC ended without an answer"
  done
  undecided "undecided: neither scorr and pdr proved it, nor bmc3 refuted it"
}

end_searches() {
  local search
  for search; do end_all "$search"; done
  wait "$@" || true
}

# ---- What must be reached ----

# Each comparison happens, and each defect that is planted into the miter's own model is refuted. Otherwise the
# proof would say nothing of it.
reach=40 # clocks
look_for_witnesses() {
  abc_of witness "read_aiger witness.aig; strash; scleanup; bmc3 -g -a -F $reach -T $left" || true # -g: as above
}

expect_witnesses() {
  local number text far=time missing=0
  if is_time_left; then
    has_ended witness || undecided "ABC ended without an answer"
    [ -e "$work/alone.log" ] || far="$reach clocks"
  fi
  while read -r number text; do
    if is_reached "$number"; then continue; fi
    echo "$called: --prove: not reached in $far: $text" >&2
    missing=$((missing + 1))
  done < <(to_reach)
  [ "$missing" = 0 ] || expect_time "before all was reached"
  [ "$missing" = 0 ] || say_nothing_of
}

say_nothing_of() { undecided "the proof would say nothing of what is never reached"; }

# A search among all clocks takes long to find nothing. What it has not reached in the time that the proof took is
# most often never reached, and that is proved as fast as the whole.
expect_reachable() {
  local number text never=0
  wait_for_witnesses "$1" "$2"
  is_any_alive "$1" || has_ended witness || look_for_each
  while read -r number text; do
    if is_reached "$number" || ! is_unreachable "$number" "$text"; then continue; fi
    echo "$called: --prove: never reached: $text" >&2
    never=$((never + 1))
  done < <(to_reach)
  [ "$never" != 0 ] || return 0
  end_searches "$1"
  say_nothing_of
}

# wait_for_witnesses SEARCH SECONDS
wait_for_witnesses() {
  local until=$(($(date +%s) + $2))
  while is_any_alive "$1" && is_time_left && [ "$(date +%s)" -lt "$until" ]; do sleep 0.2; done
}

# ABC dies of some graphs of many outputs. What it has not reached then is asked for one by one.
look_for_each() {
  local number text
  while read -r number text; do
    if is_reached "$number"; then continue; fi
    write_only "$number" "$text" alone || return 0
    abc_of alone "read_aiger alone.aig; strash; scleanup; print_stats; bmc3 -g -F $reach -T $((left < 60 ? left : 60))" || true
    if ! has_ended alone || ! speaks_of_one alone; then return 0; fi
    if grep -q 'was asserted in frame' "$work/alone.log"; then
      echo "Output $number was asserted alone" >>"$work/witness.log"
    fi
  done < <(to_reach)
  echo 'ended alone' >>"$work/witness.log"
}

# write_only NUMBER TEXT NAME: NAME.aig, of what has this number. A defect is planted from the first clock on, so
# its number is a constant there.
write_only() {
  local planted=0
  if [[ $2 == defect:* ]]; then planted=$(($1 + 1)); fi
  is_time_left || return
  "$here_prove/aiger.py" only "$work/reached.aig" "$work/reached.map" "$work/$3.aig" reached "$1" any_plant "$planted"
}

# is_unreachable NUMBER TEXT: by the same ways as the proof.
is_unreachable() {
  write_only "$1" "$2" never || return
  abc_of never "read_aiger never.aig; strash; scleanup; dc2; scorr; dc2; strash; print_stats; pdr -T $((left < 20 ? left : 20))" || return
  has_proved never
}

# The number of each output of the graph, and its text.
to_reach() { sed -nE 's/^ *assign reached\[([0-9]+)\] = .*; \/\/ (.*)$/\1 \2/p' "$work/miter.v"; }

is_reached() { grep -qE "^Output +$1 .*was asserted" "$work/witness.log"; }

# ---- Counterexamples ----

# Plays the counterexample on the Verilated device against the C model. What the device has at its start, and
# what Verilog leaves open, depends on the seed. What ports carry without an access matters to few mistakes.
replay() {
  local seed status last carry
  read -r last < <(sed -nE 's/.*was asserted in frame +([0-9]+).*/\1/p' "$work/$answer.log")
  "$here_prove/aiger.py" trace "$work/differs.aig" "$work/differs.map" t "$work/$answer.cex" "$last" >"$work/trace"
  for carry in '' carry; do for seed in 1 2 3 4; do
    "$bin/pmuv3-check-glue" stimulus "$description" "$seed" ${carry:+carry} <"$work/trace" >"$work/counterexample.check"
    status=0
    "$folder/check" --module "$top" --replay "$work/counterexample.check" -- "$description" "${device[@]}" \
      >"$work/replay.log" 2>&1 || status=$?
    if [ "$status" = 1 ]; then
      status=0
      keep_counterexample || status=$?
      (
        say "$(<"$work/replay.log")"
        [ "$status" != 0 ] || say_counterexample
        echo refuted
      ) || true
      exit 1 # refuted, whether that can be kept and written or not
    fi
  done; done
  say "$(<"$work/replay.log")"
  keep_counterexample || exit $?
  say_counterexample
  undecided "the counterexample does not diverge in simulation"
}

# In a folder of the user's, in which the program knows its own files.
keep_counterexample() { "$bin/pmuv3-check-glue" keep "$out" counterexample.check <"$work/counterexample.check"; }

say_counterexample() {
  echo "$out/counterexample.check, $(wc -l <"$out/counterexample.check") lines; play it with"
  printf '  ./pmuv3 check %q' "$description"
  printf ' %q' "${device[@]}" --replay "$out/counterexample.check"
  echo
}

# ---- A second opinion ----

# The simulation comes to the device by another way: neither the script that writes Verilog nor Yosys is on it.
expect_no_divergence() {
  local status=0
  is_time_left || expect_time "before the device was simulated"
  { timeout "$left" "$folder/check" --module "$top" --cycles 1000000 --out "$out" -- "$description" "${device[@]}" \
    >"$work/simulation.log" 2>&1; } 2>/dev/null || status=$?
  if [ "$status" = 0 ]; then
    expect_time "before Icarus Verilog simulated it"
    again_limit=$left simulate_again
    expect_time "while Icarus Verilog simulated it"
    [ -z "$differs" ] || undecided "not equivalent in Icarus Verilog: $differs"
    return
  fi
  expect_time "while the device was simulated"
  if [ "$status" != 1 ]; then
    say "$(<"$work/simulation.log")"
    undecided "the simulation of what was proved ended without a verdict"
  fi
  echo "$called: --prove: proved, but it diverges in simulation: the proof has a fault" >&2
  (say "$(<"$work/simulation.log")" && echo refuted) || true
  exit 1
}

say_uncovered() {
  if [ -n "$unwritten" ]; then echo "slang read the RTL, which has $unwritten"; fi
  echo 'the proof does not cover:'
  sed -n 's|^// uncovered: |  |p' "$work/miter.v"
  if [ -n "$variant" ]; then echo "  the RTL without Verilator's own macros: $variant"; fi
  if [ -n "$unread" ]; then echo "  the RTL as a second simulator reads it: $unread"; fi
}

# ---- Main ----

prove() {
  local witnesses began unwritten=''
  work=$folder/proof
  read_facts
  say_step "from the device and rtl/ to graphs"
  make_graphs
  expect_time "before there was a graph"
  expect_unchanged built
  say_step "proof, and what must be reached"
  began=$(date +%s)
  look_for_witnesses &
  witnesses=$!
  search
  case $answer in
    proved) expect_reachable "$witnesses" $(($(date +%s) - began + 5)) ;;
    *) end_searches "$witnesses" ;;
  esac
  wait "$witnesses" || true
  expect_unchanged proved
  case $answer in
    proved)
      expect_witnesses
      say_step "simulation of what is proved"
      expect_no_divergence
      echo "$(($(date +%s) - start)) s, $counters event counters, $threads threads"
      say_uncovered
      echo proved
      exit 0
      ;;
    '') say_undecided ;;
    *)
      ! has_proved induction || echo "$called: --prove: ABC proved it, too: ABC has a fault" >&2
      replay
      ;;
  esac
}
