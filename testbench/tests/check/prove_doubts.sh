# shellcheck shell=bash
# Of prove_test.sh: what must give no verdict.
# shellcheck disable=SC2154 # variables of prove_test.sh
# ---- No verdict, and whose word does not count ----
# What a user's settings of ABC say is not ABC's answer.
mkdir home
printf 'alias pdr "echo Property proved."\nalias bmc3 "echo"\n' >home/.abc.rc
of_size 2
right=("${sized[@]}")
HOME=$scratch/home proves "${right[@]}"
# Without the registers that select events no event is counted.
sed '/PMEVTYPER/d' "${sized[0]}" >"$tiny.unseen.pmu"
has_none 'never reached.*: defect: ev_retired does not count$' "$tiny.unseen.pmu" "${sized[@]:1}"
# Without EL3 there is one Security state, so a pin can say no other.
sed 's/input  wire        csr_req,/input wire ss, &/' "$small" >secure.v
sed '$a state ss ss' "${sized[0]}" >"$tiny.secure.pmu"
has_none 'never reached.*: another value of ss$' "$tiny.secure.pmu" secure.v -GN=2

# ---- Tools that end without an answer ----
mkdir dead liar
# shellcheck disable=SC2016 # the stand-in's own process
stand_in dead/yosys <<<'#!/bin/sh
kill -9 $$'
PMUV3_STAND_INS=$scratch/dead has_none 'Yosys: ended without an answer' "${right[@]}"
stand_in liar/yosys-abc <<SCRIPT
#!/bin/sh
case \$2 in
  *witness*) exec "$(command -v yosys-abc)" "\$@" ;;
esac
echo 'prove : i/o = 10/ 1 lat = 1'
echo 'Property proved.  Time = 0.01 sec'
kill -9 \$\$
SCRIPT
PMUV3_STAND_INS=$scratch/liar has_none 'undecided: ABC ended without an answer' "${right[@]}"
