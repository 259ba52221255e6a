#!/bin/sh
# Runs a command with a Slurm of its own: controller and one node with two CPUs on this
# machine, without systemd and control groups, by any user, with all that belongs to it in a
# temporary folder.
#
#	cluster.sh COMMAND [ARGUMENT]...
#
# When the command ends, everything is taken down, and the folder removed. It needs the
# packages munge and slurm-wlm of Debian.
set -eu

dir=$(mktemp -d "${TMPDIR:-/tmp}/xcheck-slurm.XXXXXX")
munged='' controller='' node=''
down() {
	status=$?
	trap '' TERM INT HUP
	set +e
	if [ -n "$node" ]; then
		scancel --user="$user" --signal=KILL --full 2>/dev/null
		scancel --user="$user" 2>/dev/null
		for _ in $(seq 100); do
			[ -n "$(squeue --noheader 2>/dev/null)" ] || break
			sleep 0.1
		done
	fi
	# A job has processes of its own, which a node that ends leaves behind.
	for pid in "$node" "$controller" "$munged"; do
		[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
	done
	rm -rf "$dir"
	exit "$status"
}
trap down EXIT
trap 'exit 130' TERM INT HUP

user=$(id -un)
host=$(hostname -s)
mkdir "$dir/munge" "$dir/state" "$dir/spool" "$dir/run" "$dir/log"
# munge wants folders that nobody else can write to, and a key that nobody else can read; its
# socket is for all.
chmod 755 "$dir" "$dir/run"
chmod 700 "$dir/munge"
(umask 077 && head -c 128 /dev/urandom >"$dir/munge/key")

# free_port prints a port on which nobody listens.
free_port() {
	while port=$(shuf -i 20000-32000 -n 1) && ss -Hltn "sport = :$port" | grep -q .; do :; done
	echo "$port"
}

cat >"$dir/slurm.conf" <<END
ClusterName=xcheck
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
KillWait=2
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) State=UNKNOWN
PartitionName=night Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$dir/slurm.conf"

munged --foreground --key-file="$dir/munge/key" --socket="$dir/run/munge" \
	--pid-file="$dir/run/munged.pid" --seed-file="$dir/munge/seed" --log-file="$dir/munge/log" >"$dir/log/munged" 2>&1 &
munged=$!
for _ in $(seq 100); do
	[ ! -S "$dir/run/munge" ] || break
	sleep 0.1
done
slurmctld -D >"$dir/log/slurmctld.out" 2>&1 &
controller=$!
slurmd -D >"$dir/log/slurmd.out" 2>&1 &
node=$!
for _ in $(seq 300); do
	[ "$(sinfo --noheader --format=%T 2>/dev/null)" != idle ] || break
	sleep 0.1
done
if [ "$(sinfo --noheader --format=%T)" != idle ]; then
	tail -n 20 "$dir"/log/* >&2
	echo 'cluster.sh: the node did not become idle' >&2
	exit 1
fi

"$@"
