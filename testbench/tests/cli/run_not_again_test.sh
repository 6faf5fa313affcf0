#!/usr/bin/env bash
# `pmuv3 run`, `regress` and `report` on a divergence that does not happen again: each says so in one line, and
# nothing that it says is wrong. Usage: run_not_again_test.sh RUN REGRESS REPORT, the programs with rtl_stand_in.c.
# shellcheck disable=SC2034  # by name
run=$1 regress=$2 report=$3
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"
unset PMUV3 PMUV3_SOURCE
cat >wrong.stim <<'STIM'
pmuv3-stimulus 1
param counters=1
write PMSELR_EL0 0
cycle
write PMCR_EL0 1
cycle
STIM

# as NAME: the program of the tests below, the folder of its failure report, and what it is given
as() {
  name=$1 program=${!1} folder=found
  case $name in
    run) arguments=(--counters 1 --cycles 1000 --out found --json found.json) ;;
    regress)
      arguments=(--configurations '1 counter' --seeds 1 --cycles 1000 --out found --db found/evidence.db)
      folder=found/1-counter-seed-1
      ;;
    report) arguments=(wrong.stim --out found) ;;
  esac
}

# diverges: the program finds the divergence, and makes a new folder
diverges() {
  rm -rf found
  mkdir found
  status 1 "${arguments[@]}"
}

# says LINE: so does standard error. `report` adds the divergence, which is its result.
says() {
  [ "$(grep -v ': diverged at cycle ' err)" = "pmuv3 $name: $1" ] || fail "$name: $(cat err)"
}

# replays FILE: that is what the report is of
replays() {
  [[ "$(jq -r .reproduce.replay "$folder/report.json")" == "./pmuv3 replay $1 "* ]] ||
    fail "$name: the report is of another stimulus: $(cat "$folder/report.json")"
}

# json_has MINIMAL: so it is named in the JSON of `run`, which alone has one
json_has() {
  [ "$name" != run ] || [ "$(jq -r .first_divergence.minimal found.json)" = "$1" ] || fail "JSON: $(cat found.json)"
}

# no_minimal: there is no reproducer, and no user is told of one
no_minimal() {
  left "$folder"/minimal{.stim,_test.cc}
  finds_none minimal.stim out || fail "$name: $(cat out)"
  json_has null
}

for each in run regress report; do
  as $each

  # It happens each time.
  unset RIGHT_WITH STAYS_RIGHT
  diverges
  [ ! -s err ] || fail "$name: $(cat err)"
  replays minimal.stim
  [ "$name" = regress ] || grep -qF found/minimal.stim out || fail "$name: $(cat out)"
  json_has found/minimal.stim

  # The reproducer does not diverge again, the whole stimulus does.
  export RIGHT_WITH=$folder/minimal.stim
  diverges
  says "$folder/minimal.stim does not diverge again: the report is of stimulus.stim"
  replays stimulus.stim
  no_minimal

  # Neither does. What `run` and `regress` found is kept all the same.
  export STAYS_RIGHT=1
  diverges
  says "no failure report in $folder: it does not happen again"
  no_minimal
  finds_none 'happens again' out || fail "$name: $(cat out)"
  left "$folder"/{chain.txt,window.svg,window.gtkw,report.json}
  if [ "$name" = report ]; then
    left found/stimulus.stim
  else
    [ -s "$folder/stimulus.stim" ] || fail "$name: the stimulus is gone"
  fi
done

all_held
