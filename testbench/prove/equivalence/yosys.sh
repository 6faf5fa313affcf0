# shellcheck shell=bash
# What those who read the RTL with Yosys share. Sourced.

# sources DIR: the RTL's files there, in the order of the build.
sources() { sed -n '/^set(PMUV3_RTL_SOURCES/,/)/s/^ *\([a-z0-9_]*\.sv\).*/\1/p' "$1/CMakeLists.txt"; }

# yosys_in DIR SCRIPT OPTION...: runs the script in the folder. To Yosys a name ends at a blank, and what it writes
# would go to the file that is named so far: so a script has no name of a folder of the user, but names from DIR.
# It is ended after yosys_limit seconds, if there is such a limit.
yosys_in() {
  local names=0
  cd "$1" || return
  grep -nE '(^|[ =])/' "$2" || names=$?
  [ "$names" = 1 ] || return 1 # grep has found none
  ${yosys_limit:+timeout "$yosys_limit"} yosys -q "${@:3}" -s "$2"
}

# A part select, with which Yosys' cell $shiftx is replaced: beyond its vector it is x, which Yosys
# would write as 0.
part_select() {
  cat <<'END_MODULE'
module part_select (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  wire within;
  wire [A_WIDTH-1:0] shifted;
  assign within = A_WIDTH >= Y_WIDTH && !(B_SIGNED && B[B_WIDTH-1]) && B <= A_WIDTH - Y_WIDTH;
  assign shifted = A >> B;
  assign Y = within ? shifted : {Y_WIDTH{1'bx}};
endmodule
END_MODULE
}

# see_registers THREADS COUNTERS: what the properties see of the RTL that no output shows, seen_* of pmuv3_proof,
# once all is flat.
see_registers() {
  local threads=$1 counters=$2 t n i width=$((32 * $1)) registers evtypers select lane bit name
  for ((t = 0; t < threads; t++)); do
    registers="\\u_pmuv3.g_thread[$t].u_thread.u_registers"
    evtypers=$registers.u_evtypers
    select=$evtypers.u_event_select
    see "seen_mtpme[$t]" "$registers.mtpme_q"
    see "seen_captured[$t]" "\\u_pmuv3.g_thread[$t].u_thread.u_snapshot.captured_q"
    see "seen_divider[$((6 * t + 5)):$((6 * t))]" "\\u_pmuv3.g_thread[$t].u_thread.u_cycle_counter.divider_q"
    for ((n = 0; n < counters; n++)); do
      i=$((counters * t + n))
      lane="\\u_pmuv3.g_thread[$t].u_thread.g_lane[$n].u_attribution"
      see "seen_pending[$((8 * (threads * n + t) + 7)):$((8 * (threads * n + t)))]" "$lane.pending_q"
      see "seen_lookup[$((width * i + width - 1)):$((width * i))]" "$lane.occurrence_i"
      see "seen_event[$((8 * i + 7)):$((8 * i))]" "$select.event_index_o[$((8 * n + 7)):$((8 * n))]"
      see "seen_class[$((3 * i + 2)):$((3 * i))]" "$select.g_event[$n].class_q"
      see "seen_rest[$((64 * i + 63)):$((64 * i))]" "$evtypers.g_evtyper[$n].rest_q"
      see "seen_threshold[$((64 * i + 63)):$((64 * i))]" "$evtypers.g_evtyper[$n].threshold_q"
      bit=$((20 * i + 19))
      for name in {p,u,nsk,nsu,nsh,m,mt,sh,rlk,rlu,rlh,sync,vs1,vs0} \
        u_event_select.{chain,sync_capable,memory,shared,own,trace}; do
        see "seen_decoded[$bit]" "$evtypers.${name}_q[$n]"
        bit=$((bit - 1))
      done
    done
  done
}
see() { echo "connect -nounset -set $1 $2"; }
