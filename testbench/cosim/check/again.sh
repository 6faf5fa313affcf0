# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of check.sh
# A second simulator: Icarus Verilog plays random stimulus, or that of --replay, on the device, and compares it with the
# model. It reads the RTL by its own parser, and has x and another order of processes. Sourced by check.sh.
# docs/design/check.md, "A second simulator", says why.

again_clocks=50000
again_limit=600 # seconds of any of its programs

# simulate_again: sets `second`, what the program of the device is told: what was compared there, why nothing was, or
# that the device `differs`. Empty: a run that has no second simulator.
second=() unread='' differs='' again='' reader=''
simulate_again() {
  local described=$description
  [ "$plays_again" = 1 ] || return 0
  if [ "$one_simulator" = 1 ]; then
    unread=--one-simulator
  elif [[ " ${options[*]} " == *" --mode"[\ =]* ]]; then
    unread='--mode is not the mode of the description'
  elif [ -n "$replayed" ] && ! is_lasting "$replayed"; then
    unread='--replay of what can be read once'
  else
    install_missing iverilog
    rm -rf "$folder/again"
    if make_player && compile_player; then play_again; fi
  fi
  second=(${again:+"--again=$again"} ${unread:+"--unread=$unread"} ${differs:+"--differs=$differs"})
}

is_lasting() { [ -f "$1" ] && ! leads_to_proc "$1"; }

# within_limit LOG COMMAND...: its output goes to the log, and it reads nothing. It ends when we are told to end. Bash
# reports a killed process in a line of its own, to the standard error of the braces.
within_limit() {
  { until_ended timeout "$again_limit" "${@:2}" </dev/null >"$1" 2>&1; } 2>/dev/null
  [ "$ended" = 0 ]
}

# The player drives the inputs that the Verilated device had.
make_player() {
  local -a stimulus=(--cycles "$again_clocks" --seed "$seed")
  [ -z "$replayed" ] || stimulus=(--replay "$replayed")
  within_limit "$folder/again.log" "$folder/check" --module "$top" --emit "$folder/again" "${stimulus[@]}" -- \
    "$description" "${device[@]}" && return
  unread="there is no player: $(tail -n 1 "$folder/again.log")"
  return 1
}

# What is preprocessed once is the same text for both simulators. Where Icarus Verilog does not take it, slang reads it,
# and Yosys writes a netlist. Elements of arrays are not compared there.
compile_player() {
  compile_with "$folder/model/expanded" && return
  unread="Icarus Verilog does not take the RTL: $(icarus_error)"
  if ! read_by_slang "$folder/again/netlist.v"; then
    unread+="; $not_by_slang"
    return 1
  fi
  if ! compile_with -DPMUV3_NETLIST "$folder/again/netlist.v"; then
    unread+="; nor what slang reads: $(icarus_error)"
    return 1
  fi
  unread='' reader=', of what slang reads' described=$folder/again/netlist.pmu
  sed -E "/$of_element/d" "$description" >"$described"
}

compile_with() {
  within_limit "$folder/again/iverilog.log" iverilog -g2012 -gsupported-assertions -s pmuv3_player \
    -o "$folder/again/player.vvp" "$folder/again/pmuv3_player.sv" "$@"
}

# Its first error; the text has the places of the user's files.
icarus_error() {
  local error
  error=$(grep -m1 -E 'error|sorry|assert' "$folder/again/iverilog.log") || true
  echo "${error:-it ended without an answer}"
}

# No wave of the RTL's is written (-none): Verilator writes none either. The verdict is in a file of its own, since the
# RTL may print as it likes.
play_again() {
  local words='' clocks
  within_limit "$folder/again/vvp.log" vvp -n -M "$root/build/release/testbench/cosim/check" -m pmuv3_vpi \
    "$folder/again/player.vvp" -none "+pmuv3=$described" "+pmuv3_top=$top" \
    "+inputs=$folder/again/pmuv3_player.hex" "+pmuv3_words=$folder/again/words" || true
  [ ! -f "$folder/again/words" ] || words=$(<"$folder/again/words")
  clocks=$(($(wc -l <"$folder/again/pmuv3_player.hex") - 1))
  case $ended:$words in
    0:"equivalent: $clocks clocks, "*) again=${words#equivalent: }$reader ;;
    *:equivalent:*) differs="the device ends the simulation: ${words#equivalent: }$reader" ;;
    *:diverged:*) differs=${words#diverged: }$reader ;;
    124:*) unread="Icarus Verilog was not done in $again_limit s" ;;
    *) unread="Icarus Verilog has no verdict: ${words:-it ended with status $ended}" ;;
  esac
}
