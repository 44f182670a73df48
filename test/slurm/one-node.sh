#!/usr/bin/env bash
# Slurm on this machine alone, from Debian's packages, with accounting: munge, MariaDB, slurmdbd, slurmctld and slurmd, started as
# root in a container without systemd. Everything lies in one folder, nothing under /etc, and `stop` ends it all.
#
#   one-node.sh start FOLDER    installs what is missing, starts it, and writes FOLDER/environment to be sourced
#   one-node.sh stop FOLDER     ends what runs there and removes FOLDER
set -euo pipefail

PACKAGES=(slurm-wlm slurmdbd munge mariadb-server)
# Beside the usual 6817 to 6819, so that a Slurm that is here already is left alone.
CONTROL_PORT=16817 NODE_PORT=16818 ACCOUNTING_PORT=16819
PATIENCE_SECONDS=30

say() { printf 'one-node: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

install_missing() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# until_true WHAT COMMAND...: tries until it succeeds, or says what did not come.
until_true() {
  local what=$1 end=$((SECONDS + PATIENCE_SECONDS))
  shift
  until timeout 5 "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what did not come within $PATIENCE_SECONDS s; see $folder/log"
    sleep 0.2
  done
}

# background NAME COMMAND...: starts a daemon that stays in the foreground of its own process, and keeps its id.
background() {
  local name=$1
  shift
  setsid "$@" >"$folder/log/$name.out" 2>&1 </dev/null &
  echo $! >"$folder/pid/$name"
}

write_configuration() {
  local cpus memory
  cpus=$(nproc)
  memory=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
  cat >"$folder/etc/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$CONTROL_PORT
SlurmdPort=$NODE_PORT
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
# A container lets nobody make control groups: processes are found by their parents, and memory is watched by sampling.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
KillWait=2
MinJobAge=300
MaxArraySize=2001
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$ACCOUNTING_PORT
AccountingStoragePass=$folder/run/munge.socket
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  # Slurm wants one named; of version 1, nothing is touched as long as nothing about it is used.
  printf 'CgroupPlugin=cgroup/v1\n' >"$folder/etc/cgroup.conf"
  cat >"$folder/etc/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$ACCOUNTING_PORT
SlurmUser=root
LogFile=$folder/log/slurmdbd.log
PidFile=$folder/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
StorageLoc=slurm_acct_db
CONF
  chmod 600 "$folder/etc/slurmdbd.conf"
}

start_munge() {
  mungekey --create --keyfile "$folder/etc/munge.key" >/dev/null
  background munged munged --foreground --force --key-file "$folder/etc/munge.key" --socket "$folder/run/munge.socket" \
    --pid-file "$folder/run/munged.pid" --log-file "$folder/log/munged.log" --seed-file "$folder/state/munge.seed"
  until_true munged munge --no-input --socket "$folder/run/munge.socket"
}

start_database() {
  chown -R mysql:mysql "$folder/database" "$folder/run"
  mariadb-install-db --no-defaults --user=mysql --datadir="$folder/database" --auth-root-authentication-method=socket \
    --auth-root-socket-user=root >"$folder/log/database-install.out" 2>&1
  background mariadbd mariadbd --no-defaults --user=mysql --datadir="$folder/database" --socket="$folder/run/database.socket" \
    --skip-networking --pid-file="$folder/run/mariadbd.pid" --innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900
  until_true mariadbd mariadb-admin --no-defaults --socket="$folder/run/database.socket" ping
}

node_is_idle() { [[ $(sinfo --noheader --format=%T) == idle ]]; }
export -f node_is_idle

start() {
  [[ $(id -u) == 0 ]] || fail 'root is needed: daemons change users'
  [[ ! -e $folder ]] || fail "$folder is there already; stop it first"
  install_missing
  mkdir -p "$folder"/{etc,log,pid,run,state,spool,database}
  chmod 755 "$folder" "$folder"/*
  write_configuration
  printf 'export SLURM_CONF=%q\n' "$folder/etc/slurm.conf" >"$folder/environment"
  export SLURM_CONF=$folder/etc/slurm.conf
  start_database
  start_munge
  # The client's library looks for the socket here.
  MYSQL_UNIX_PORT=$folder/run/database.socket background slurmdbd slurmdbd -D
  until_true slurmdbd sacctmgr --immediate --noheader list cluster
  sacctmgr --immediate --quiet list cluster --noheader --parsable2 format=cluster | grep -qx one ||
    sacctmgr --immediate --quiet add cluster one >/dev/null
  background slurmctld slurmctld -D -c
  until_true slurmctld scontrol ping
  background slurmd slurmd -D
  until_true slurmd bash -c node_is_idle
  say "ready: $(sinfo --noheader --format='%N %c CPUs, %m MiB, %T'); source $folder/environment"
}

stop() {
  [[ -d $folder/pid ]] || fail "$folder holds no Slurm"
  local name pid
  for name in slurmd slurmctld slurmdbd munged mariadbd; do
    [[ -f $folder/pid/$name ]] || continue
    pid=$(<"$folder/pid/$name")
    kill "$pid" 2>/dev/null || continue
    for _ in {1..100}; do
      kill -0 "$pid" 2>/dev/null || continue 2
      sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
  say 'ended'
}

[[ $# == 2 && ($1 == start || $1 == stop) ]] || fail 'usage: one-node.sh start|stop FOLDER'
folder=$(realpath -m "$2")
"$1"
