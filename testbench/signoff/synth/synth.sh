#!/bin/bash
# Synthesizes the RTL with Yosys, once for each setting of settings.txt. The setting ties the configuration
# input.
#
#   synth.sh [SETTING]...          these settings (default: all); writes docs/reference/synthesis.md
#   synth.sh --check [SETTING]...  these settings (default: those of docs/reference/synthesis.md); fails if the flops
#                                  differ from that page's
#
# A setting fails on any Yosys warning, latch, undriven or multiply driven wire, combinational loop,
# or flop without an asynchronous reset. Exit status: 0 all well, 1 a setting failed, 2 unusable
# arguments, 3 no verdict: a command died unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../prove/equivalence/yosys.sh
. "$here/../../prove/equivalence/yosys.sh"
root=$(realpath "$here/../../..")
params_def=$root/cmodel/include/pmuv3/params.def
events_def=$root/cmodel/include/pmuv3/events.def
page=$root/docs/reference/synthesis.md

main() {
  end_without_verdict
  check=0
  if [ "${1-}" = --check ]; then
    check=1
    shift
  fi
  command -v yosys >/dev/null || unusable "yosys: not found, expected Debian's package yosys"

  local name
  name=$("$here/ties.py" names "$here/settings.txt") || end_as $?
  mapfile -t all <<<"$name"
  names=("$@")
  if [ $# = 0 ] && [ $check = 1 ]; then
    name=$(flops_of "$page" | cut -d' ' -f2 | grep -Fx -f <(printf '%s\n' "${all[@]}")) ||
      unusable "docs/reference/synthesis.md has no row of a setting"
    mapfile -t names <<<"$name"
  elif [ $# = 0 ]; then
    names=("${all[@]}")
  fi
  name=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
  [ -z "$name" ] || unusable "${name%%$'\n'*}: is given twice"
  for name in "${names[@]}"; do
    setting "$name" >/dev/null || unusable "$name: unknown setting, expected one of settings.txt"
    expect_known_words "$name"
  done

  work=$(temporary_folder) || exit $?
  trap 'rm -rf "$work"' EXIT
  told synthesize_all
}

synthesize_all() {
  end_without_verdict
  local name other
  export -f synthesize yosys_in sources setting wrapper tied ties of_events script row
  export here root params_def events_def work
  copy_files "$root/rtl" "$work/rtl"
  # shellcheck disable=SC2016  # the inner shell expands it
  printf '%s\n' "${names[@]}" |
    xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'synthesize "$1"' synthesize {} ||
    { [ ! -e "$work/failed" ] || exit 1; false; }

  for name in "${names[@]}"; do cat "$work/$name.row"; done >"$work/rows"
  say "$(<"$work/rows")"
  if [ $check = 1 ]; then
    other=$(other_flops)
    [ -n "$other" ] || return 0
    echo "$other"
    echo "docs/reference/synthesis.md lacks these rows, or has other flops" >&2
    exit 1
  fi
  write_whole "$page" write_page
}

# setting NAME: the words of a setting.
setting() { "$here/ties.py" words "$here/settings.txt" "$1"; }

# Every word must be in params.def. Otherwise a misspelt word would silently mean the default.
expect_known_words() {
  local word feature
  for word in $(setting "$1"); do
    case $word in
      features=*)
        for feature in $(tr , ' ' <<<"${word#features=}"); do
          [ "$feature" = none ] || grep -q "^PMUV3_FEATURE($feature," "$params_def" ||
            unusable "$1: $feature: unknown feature, expected one of params.def"
        done
        ;;
      *)
        [[ $word =~ ^events=[1-9][0-9]{0,2}$ ]] || grep -Eq "^PMUV3_(PARAM|CHOICE)\(${word%%=*}," "$params_def" ||
          unusable "$1: $word: unknown parameter, expected one of params.def"
        ;;
    esac
  done
}

synthesize() {
  local name=$1 status=0
  wrapper "$name" >"$work/$name.sv"
  script "$name" >"$work/$name.ys"
  # -e: warnings are errors
  (yosys_in "$work/rtl" "../$name.ys" -e .) >"$work/$name.log" 2>&1 || status=$?
  if [ $status -ge 124 ]; then
    echo "synth.sh: $name: yosys was killed, or took too long" >&2
    exit 1
  elif [ $status != 0 ]; then
    echo "synth.sh: $name failed:" >&2
    tail -n 20 "$work/$name.log" >&2
    : >"$work/failed"
    exit 1
  fi
  row "$name" >"$work/$name.row"
}

# pmuv3 with its configuration inputs tied to the setting.
wrapper() {
  local words threads counters events
  words=$(setting "$1")
  threads=$(tied threads "$words")
  counters=$(tied counters "$words")
  events=$(of_events inputs "$words")
  cat <<END
\`default_nettype none
module pmuv3_synth (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire logic rst_cold_ni,
  input wire logic cycle_i,
  input wire logic [pmuv3_pkg::PeWidth*$threads-1:0] pe_i,
  input wire logic [pmuv3_pkg::ContextWidth*$threads-1:0] other_i,
  input wire logic [pmuv3_pkg::OccurrenceWidth*$threads*$events-1:0] occurrence_i,
  input wire logic [$threads-1:0] reg_write_i,
  input wire logic [$threads-1:0] reg_read_i,
  input wire logic [$threads-1:0] reg_checked_i,
  input wire logic [16*$threads-1:0] reg_addr_i,
  input wire logic [64*$threads-1:0] reg_wdata_i,
  output logic [64*$threads-1:0] reg_rdata_o,
  output logic [$threads-1:0] reg_error_o,
  output logic [3*$threads-1:0] reg_result_o,
  output logic [32*$threads-1:0] reg_syndrome_o,
  input wire logic [$threads-1:0] capture_i,
  input wire logic pclken_i,
  input wire logic psel_i,
  input wire logic penable_i,
  input wire logic pwrite_i,
  input wire logic [13:0] paddr_i,
  input wire logic pnse_i,
  input wire logic [2:0] pprot_i,
  input wire logic [31:0] pwdata_i,
  input wire logic [3:0] pstrb_i,
  output logic [31:0] prdata_o,
  output logic pready_o,
  output logic pslverr_o,
  output logic [$threads-1:0] irq_o,
  output logic [$threads-1:0] cti_o,
  output logic [4*$threads-1:0] exception_o,
  output logic [$threads-1:0] halt_o,
  output logic [2*$threads-1:0] brbe_o,
  output logic [33*$threads-1:0] pulse_o
);
  pmuv3_pkg::config_t cfg_i;
$(ties "$words")
  logic [pmuv3_pkg::EventWidth*$events-1:0] events_i;
$(of_events events "$words")
  pmuv3 #(.NumThreads($threads), .NumCounters($counters), .NumEvents($events)) u_pmuv3 (.*);
endmodule
END
}

# The value of a parameter in a setting.
tied() { ties "$2" | sed -n "s/.*cfg_i.$1 = \(.*\);/\1/p"; }

# ties WORDS: assigns every parameter, choice and feature.
ties() {
  # shellcheck disable=SC2086  # words
  "$here/ties.py" ties "$params_def" $1
}

# of_events inputs|events WORDS: how many events have an input, or assigns each of these its row.
of_events() {
  # shellcheck disable=SC2086  # words
  "$here/ties.py" "$1" "$events_def" $2
}

script() {
  local source
  for source in $(sources "$work/rtl"); do
    echo "read_verilog -sv $source"
  done
  cat <<END
read_verilog -sv ../$1.sv
hierarchy -check -top pmuv3_synth
proc
check -assert
synth -flatten -top pmuv3_synth
check -assert
select -assert-none t:\$_*LATCH* t:\$_SR_*
select -assert-none t:\$_*FF* t:\$_DFF_PN?_ %d t:\$_DFFE_PN??_ %d
tee -q -o ../$1.stat stat
END
}

# A row of the table, from the output of stat.
row() {
  # shellcheck disable=SC2046  # words
  "$here/ties.py" row "$1" "$work/$1.stat" $(setting "$1")
}

# The rows that the page has not. Cell counts are not compared, since they vary with the order of the source.
other_flops() {
  flops_of "$page" >"$work/of_page"
  flops_of "$work/rows" >"$work/of_rows"
  [ -s "$work/of_rows" ]
  grep -Fvx -f "$work/of_page" "$work/of_rows" || [ $? = 1 ]
}
flops_of() { sed -nE 's/^\|([^|]*)\|([^|]*)\|[^|]*\|([^|]*)\|$/\1\2\3/p' "$1"; }

write_page() {
  local events inputs few missing
  missing=$(printf '%s\n' "${all[@]}" | grep -Fvx -f <(printf '%s\n' "${names[@]}") | paste -sd ' ') || [ $? = 1 ]
  events=$(grep -c '^PMUV3_EVENT(0x' "$events_def")
  inputs=$(of_events inputs '')
  few=$(of_events inputs events=38)
  cat <<END
# Synthesis

\`testbench/signoff/synth/synth.sh\` writes this page. Each row is the RTL with \`NumCounters\` =
\`counters\`. The setting ties its configuration inputs.
\`testbench/signoff/synth/settings.txt\` says in what a setting differs from the defaults of
\`cmodel/include/pmuv3/params.def\`. What a setting does not implement folds away.

Cells are the generic gates of \`synth -flatten\` of $(yosys -V | cut -d' ' -f1,2), before any technology mapping.
They vary by a percent with the order of the source.

An event has an input unless the PMU makes the event itself: all events but $((events - inputs)) have one. An
input costs gates, but no flop of its own. Each counter keeps the index and the properties of its
event:

- The index has as many bits as the number of inputs needs: 4 for the 11 inputs of \`events=12\`, 6
  for the $few of \`events=38\`, 8 for $inputs.
- The class has 3 bits. With \`events=12\` one bit remains: all 11 events are of class COUNT.
- Attribution to a shared structure is one bit, attribution to the PE alone (OWN) is one bit, and
  support of synchronous mode is one bit. The other properties fold away where no feature or choice
  uses them.

Every row was made without a warning. It has no latch, no undriven or multiply driven wire, no
combinational loop, and no flop without an asynchronous reset.

| setting | differs in | cells | of which flops |
|---|---|---:|---:|
$(cat "$work/rows")
END
  [ -z "$missing" ] || printf '\nThese settings have not been synthesized: %s.\n' "$missing" | fold -sw 100 | sed 's/ *$//'
}

main "$@"
