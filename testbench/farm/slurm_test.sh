#!/usr/bin/env bash
# A regression of 200 shards on a real Slurm of four nodes: a node is killed in the middle, the controller is
# stopped and started again, a shard hangs, and the submitting process is killed and started again. The database is
# that of one machine. Then mutants, a device and a trace. Usage: slurm_test.sh PROGRAM
# shellcheck source=cluster.sh
. "$(dirname "$0")/cluster.sh"
if [ "$1" != --apart ]; then apart "$0" --apart "$@"; fi
shift
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
trap 'stop_cluster; sleep 1; rm -rf "$scratch"' EXIT
regress=$(realpath "$program")
PMUV3_SOURCE=$("${regress%regress}evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")
cd "$scratch" || exit 1
start_cluster "$scratch/cluster" 4

# The program, but some shards hang when they run for the first time, or whenever they run.
mkdir bin
stand_in bin/pmuv3-regress <<END
#!/usr/bin/env bash
if [[ \$* == *" --shard "* ]]; then
  sleep 0.2
  if [[ \$* == *"--configurations 1 counter --first-seed 7 "* ]]; then
    if mkdir '$scratch/hung' 2>/dev/null; then
      echo "\$SLURMD_NODENAME" >'$scratch/hung/node'
      sleep 1000
    fi
  fi
  if [[ \$* == *" --first-seed 666 "* ]]; then sleep 1000; fi
  if [[ \$* == *" --cycles 77 "* ]]; then sleep 20; fi
fi
exec '$regress' "\$@"
END
stand_in farm <<<"exec '$here/farm.py' \"\$@\""
farm=f%a # Slurm replaces %a in the name of a file
split() {
  "$here/farm.py" run regress "$scratch/bin/pmuv3-regress" --db all.db --defaults-end --farm "$farm" --shard-seeds 1 "$@"
}
few=(--configurations '1 counter,no counters,31 counters, everything,Cortex-A53' --seeds 50 --cycles 100)
# shellcheck disable=SC2317 # of functions that wait_for calls
recorded() { sqlite3 all.db 'SELECT count(*) FROM run' 2>/dev/null || echo 0; }
# shellcheck disable=SC2317 # wait_for calls it
has_recorded() { [ "$(recorded)" -ge "$1" ]; }
runs_on() { [ -n "$(squeue --noheader --nodelist="$1" --states=RUNNING --format=%A 2>/dev/null)" ]; }
is_empty() { [ -z "$(squeue --noheader)" ]; }

# ---- Arguments ----
program='split'
unusable "^pmuv3 farm: --slurm: there is no partition 'absent'" "${few[@]}" --slurm absent
unusable "^pmuv3 farm: --limit: the partition 'main' ends a shard after 1:00:00, and 63 minutes are asked for" \
  "${few[@]}" --slurm --limit 3600
unusable '^pmuv3 regress: --seeds takes a number' --slurm --seeds 0
farm='f\x' unusable '^pmuv3 farm: --slurm: Slurm cannot write a log in .*, which has a \\ in its name' --slurm
left "$farm" 'f\x' all.db

# ---- 200 shards ----
split "${few[@]}" --slurm main --limit 15 >first.out 2>first.err &
submitter=$!
wait_for "no shard ends" has_recorded 20
# The shard that hangs has to meet its time limit, so its node lives. When the other node dies, a shard runs on it. Some
# seconds later the controller has read the node's last messages. If it still says that a shard runs, none had ended.
wait_for "no shard hangs" test -s hung/node
dies=n2
[ "$(cat hung/node)" != n2 ] || dies=n3
for _ in {1..20}; do
  wait_for "no shard runs on $dies" runs_on $dies
  kill_node $dies
  sleep 3
  if runs_on $dies; then break; fi
  start_node $dies
done
wait_for "nothing goes on after a node was killed" has_recorded 60
stop_controller
sleep 3
start_controller
wait_for "nothing goes on after the controller was started again" has_recorded 100
# The submitting process, and what it started.
pkill -9 -P "$submitter"
kill -9 "$submitter" 2>/dev/null
wait "$submitter" 2>/dev/null
split "${few[@]}" --slurm main --limit 15 >out 2>err
ended=$?
[ "$ended" = 0 ] || fail "exit status $ended: $(cat first.err err)"
[ "$(tail -n 1 out)" = equivalent ] || fail "last line: $(tail -n 1 out)"
[ -d hung ] || fail "no shard hung"
# Its limit may end the shard while nobody looks. Then it is submitted again without a word.
grep -rhqx 'ended by its time limit of 15 s' "$farm"/regress-*/log || fail "no shard was ended: $(cat first.err err)"
grep -q 'requeue job JobId=.* due to failure of node '$dies cluster/log/slurmctld ||
  fail "no shard of the dead node did run again: $(grep -i requeue cluster/log/slurmctld)"
"$regress" "${few[@]}" --db one.db >/dev/null || fail "one machine"
same_rows one.db all.db "200 shards"
[ "$(recorded)" = 200 ] || fail "$(recorded) runs are recorded"
# Only the shard that hung was submitted again: all others were found in the queue.
[ "$(cat "$farm"/regress-*/jobs/* | wc -l)" = 201 ] || fail "submitted: $(wc -l "$farm"/regress-*/jobs/*)"
[ -z "$(find "$farm" -name '*.refused')" ] || fail "refused: $(find "$farm" -name '*.refused')"
[ ! -e cluster/login ] || fail "a shard started a login shell of the user"

# ---- A shard that hangs always is said ----
rm -r "$farm"
program='split'
status 3 --configurations '1 counter' --first-seed 665 --seeds 3 --cycles 100 --slurm --limit 1
[ "$(grep -c '^pmuv3 farm: 1-counter-seeds-666-666-cycles-100: run again: ' err)" = 2 ] ||
  fail "not run again: $(cat err)"
grep -q '^pmuv3 farm: 1-counter-seeds-666-666-cycles-100: failed 3 times: .*its time limit of 1 s; see ' err ||
  fail "not said that it failed: $(cat err)"
[ "$(sqlite3 all.db 'SELECT group_concat(seed) FROM run WHERE seed > 600')" = 665,667 ] || fail "the others did not run"
grep -q '1 not run' out || fail "report: $(cat out)"

# ---- Cancelling ----
rm -r "$farm"
split --configurations '1 counter' --first-seed 700 --seeds 20 --cycles 77 --slurm >out 2>err &
submitter=$!
wait_for "nothing runs" runs_on n1
program=./farm
status 0 list --farm "$farm"
grep -qE '^regress-[0-9a-f]{12}: [1-9][0-9]* run, ' out || fail "list: $(cat out)"
kill -9 "$submitter"
wait "$submitter" 2>/dev/null
sleep 1
! is_empty || fail "the shards did not go on"
status 0 cancel --all --farm "$farm"
wait_for "something is left in the queue" is_empty

# ---- Cancelling while the command goes on: it submits nothing again ----
rm -r "$farm"
split --configurations '1 counter' --first-seed 800 --seeds 20 --cycles 77 --slurm >cancelled.out 2>cancelled.err &
submitter=$!
wait_for "nothing runs" runs_on n1
status 0 cancel --all --farm "$farm"
wait "$submitter"
ended=$?
[ "$ended" = 3 ] || fail "a cancelled command: exit status $ended: $(cat cancelled.err)"
grep -qx 'pmuv3 farm: was cancelled' cancelled.err || fail "not said that it was cancelled: $(cat cancelled.err)"
wait_for "something is left in the queue" is_empty
sleep 5
is_empty || fail "a cancelled command submitted shards again: $(squeue)"

# ---- The other commands ----
export PMUV3_TEST_SLURM=1
bin=${regress%/*}
"$here/mutants_test.sh" "$bin/pmuv3-mutate" cc >other.out || fail "mutants: $(cat other.out)"
"$here/devices_test.sh" "$here/../.." >other.out || fail "devices: $(cat other.out)"
"$here/traces_test.sh" "$bin/pmuv3-explore" "$bin/explore-sample" >other.out || fail "traces: $(cat other.out)"
if [ -x "$bin/pmuv3-prove" ]; then
  proof=$bin/../prove
  "$here/proofs_test.sh" "$bin/pmuv3-prove" "$proof/pmuv3_ub.bc" "$proof" >other.out || fail "proofs: $(cat other.out)"
fi

all_held
