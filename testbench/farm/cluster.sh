# shellcheck shell=bash
# A Slurm of its own for a test: munged, slurmctld, and several slurmd on this machine. Sourced by a test that
# apart() started: all processes end with the test, however it ends, and a Slurm of the machine is not touched.

# apart SCRIPT ARGUMENT...: becomes the script, in namespaces of its own for processes and for the network.
apart() {
  local user=()
  [ "$(id -u)" = 0 ] || user=(--user --map-root-user)
  exec unshare "${user[@]}" --pid --net --mount --fork --kill-child --mount-proc "$@"
}

# start_cluster DIR NUMBER: nodes n1, n2, ... of two processors each; $SLURM_CONF names the cluster.
start_cluster() {
  cluster=$1 nodes=$2
  mkdir -p "$cluster"/{state,log,spool}
  chmod 711 "$cluster" "${cluster%/*}" # munge asks for it
  note_login_shells
  ip link set lo up
  ip address add 10.0.0.1/32 dev lo # of a host that has 127.0.0.1 alone, no name is looked up
  head -c 1024 /dev/urandom >"$cluster/munge.key"
  chmod 400 "$cluster/munge.key"
  configuration >"$cluster/slurm.conf"
  export SLURM_CONF=$cluster/slurm.conf
  munged --foreground --force --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
    --pid-file="$cluster/munge.pid" --log-file="$cluster/log/munged" --seed-file="$cluster/munge.seed" \
    2>"$cluster/log/munged.err" &
  munge=$!
  disown
  wait_for "munged does not start" test -S "$cluster/munge.socket"
  start_controller -c
  local node
  for ((node = 1; node <= nodes; node++)); do start_node n$node; done
  wait_for "the nodes do not come" all_idle
}

# A login shell of the user leaves $cluster/login behind.
note_login_shells() {
  mkdir "$cluster/home"
  echo "touch '$cluster/login'" >"$cluster/home/.bash_profile"
  awk -F: -v OFS=: -v home="$cluster/home" '$3 == 0 { $6 = home; $7 = "/bin/bash" } 1' /etc/passwd >"$cluster/passwd"
  chmod 644 "$cluster/passwd"
  mount --bind "$cluster/passwd" /etc/passwd
}

# What a crash of a node takes: 10 s until the controller knows, and 5 until a shard may run again.
configuration() {
  local node
  cat <<END
ClusterName=farm
SlurmctldHost=$(hostname)(10.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=6817
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmdSpoolDir=$cluster/spool/%n
StateSaveLocation=$cluster/state
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdLogFile=$cluster/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SlurmdTimeout=10
KillWait=2
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=1,sched_interval=2
END
  for ((node = 1; node <= nodes; node++)); do
    echo "NodeName=n$node NodeAddr=10.0.0.1 NodeHostname=$(hostname) Port=$((6900 + node)) CPUs=2"
  done
  echo "PartitionName=main Nodes=n[1-$nodes] Default=YES MaxTime=60 State=UP"
}

# start_controller [-c]: with the jobs that it had, or (-c) without.
start_controller() {
  slurmctld -D "$@" >"$cluster/log/slurmctld.out" 2>&1 &
  controller=$!
  disown
  wait_for "slurmctld does not start" scontrol --quiet show partition main
}

# It saves what it has of jobs and nodes.
stop_controller() {
  kill "$controller"
  wait_for "slurmctld does not end" has_ended "$controller"
}

has_ended() { ! kill -0 "$1" 2>/dev/null; }

# Each node has a namespace of processes: when its slurmd is killed, what it started is, too.
declare -A node_process
start_node() {
  unshare --pid --fork --kill-child --mount-proc slurmd -D -N "$1" >"$cluster/log/slurmd.$1.out" 2>&1 &
  node_process[$1]=$!
  disown
}

kill_node() {
  kill -9 "${node_process[$1]}"
}

# So that nothing is left that uses the folder of the cluster.
stop_cluster() {
  kill -9 "$munge" "$controller" "${node_process[@]}" 2>/dev/null || true
}

all_idle() { [ "$(sinfo --noheader --Node --format=%T 2>/dev/null | grep -c '^idle$')" = "$nodes" ]; }

# wait_for WHAT COMMAND...: until it succeeds; two minutes at most.
wait_for() {
  local i
  for ((i = 0; i < 600; i++)); do
    if "${@:2}" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "FAILED: $1"
  tail -n 5 "$cluster"/log/* ./*.err
  exit 1
}
