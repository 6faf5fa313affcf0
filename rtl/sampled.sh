#!/usr/bin/env bash
# Writes the module pmuv3_sampled: pmuv3, which sees its inputs change only where sample_i changes.
# Two inputs are large, and each has a strobe of its own: configure_i for events_i, which is static,
# and occur_i for occurrence_i, which only a Processor cycle changes. Clock and resets pass through.
#
#   sampled.sh PMUV3_SV OUTPUT
#
# Verilator has three copies of the logic between inputs and registers: one to settle it at first,
# one for inputs that change, one for registers that change, and each evaluation of the model runs
# the second copy. If no input of that logic can change outside of an event, there is no second
# copy. So the models are smaller, compile faster, and simulate faster.
set -euo pipefail
exec >"$2"
header=$(sed -n '/^module pmuv3 /,/^);/p' "$1")
mapfile -t inputs < <(sed -nE 's|//.*||; s/^ *input wire (.*[^ ,]),? *$/\1/p' <<<"$header" |
  grep -vE ' (clk_i|rst_ni|rst_cold_ni)$')
names=("${inputs[@]##* }")

header=${header/module pmuv3 /module pmuv3_sampled }
echo '`default_nettype none'
echo "${header/$'\n) (\n'/$'\n) (\n  input wire logic sample_i,\n  input wire logic configure_i,\n  input wire logic occur_i,\n'}"
printf '  %s_sampled;\n' "${inputs[@]}"
echo '  always_ff @(sample_i) begin'
for name in "${names[@]}"; do
  [[ $name =~ ^(events|occurrence)_i$ ]] || echo "    ${name}_sampled <= $name;"
done
echo '  end'
echo '  always_ff @(configure_i) events_i_sampled <= events_i;'
echo '  always_ff @(occur_i) occurrence_i_sampled <= occurrence_i;'
echo '  pmuv3 #(.NumThreads(NumThreads), .NumCounters(NumCounters), .NumEvents(NumEvents)) u_pmuv3 ('
for name in "${names[@]}"; do echo "    .$name(${name}_sampled),"; done
echo '    .*'
echo '  );'
echo 'endmodule'
