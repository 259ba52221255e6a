#!/bin/bash
# Runs a night of four shards on a Slurm of its own (cluster.sh), puts one of them back into the
# queue while it is at work, and compares the report with that of a run without shards: all
# but the times and the provenance has to be the same. Then no process and no file is left.
#
# It needs Go, and installs munge and slurm-wlm if they are not there.
set -Eeuo pipefail
trap 'echo "$0:$LINENO: failed: $BASH_COMMAND" >&2' ERR # nothing fails in silence
cd "$(dirname "$0")"

# wait_for WHAT COMMAND... waits until a command succeeds, for two minutes; or until there is no
# job any more.
wait_for() {
	local what=$1
	shift
	for _ in $(seq 1200); do
		if "$@"; then
			return
		fi
		if idle; then
			! "$@" || return 0 # it may have succeeded with the last job
			break
		fi
		sleep 0.1
	done
	echo "waited in vain for $what" >&2
	return 1
}
in_queue() { squeue --noheader --job="$1" --states=PENDING | grep -q .; }
asked_often() { [ -e "$1" ] && [ "$(wc -l <"$1")" -ge 10 ]; }
idle() { [ -z "$(squeue --noheader)" ]; }

if [ -n "${XCHECK_SLURM_TEST:-}" ]; then # called by itself, with Slurm
	work=$XCHECK_SLURM_TEST
	night=$work/nights/2026-11-20
	./submit.sh 4 "$work/nightly.toml" "$work/xcheck.db" "$night" --seed 20261120 | tee "$work/submitted"
	array=$(sed -n 's/^array \([0-9]*\),.*/\1/p' "$work/submitted")
	wait_for 'some cases of shard 1' asked_often "$work/asked-1"
	squeue
	scontrol requeue "${array}_1"
	wait_for 'shard 1 to be in the queue again' in_queue "${array}_1"
	# Slurm would leave it there for two minutes.
	scontrol update JobId="${array}_1" StartTime=now
	wait_for 'the end of all jobs' idle
	exit
fi

missing() { ! command -v slurmctld || ! command -v slurmd || ! command -v munged || ! command -v ss; } >/dev/null
if missing; then
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge iproute2 >/dev/null
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/xcheck-nights.XXXXXX")
gone() {
	status=$?
	if [ "$status" -ne 0 ]; then
		tail -n 30 "$work"/nights/*/*.log >&2 || :
	fi
	rm -rf "$work"
	exit "$status"
}
trap gone EXIT
trap 'exit 130' TERM INT HUP
go build -o "$work/bin/xcheck" ../../cmd/xcheck
export PATH="$work/bin:$PATH"

# One translator is right and slow, one wrong, and one fails.
cat >"$work/nightly.toml" <<END
[formulas]
patterns = ["eh"]

[formulas.random]
number = 40
size   = "2..8"

[[translators]]
name    = "slow"
command = "sleep 0.1; echo %f >> $work/asked-\$SLURM_ARRAY_TASK_ID; xcheck translate %f"

[[translators]]
name    = "wrong"
command = "case %f in *M*) xcheck translate 0;; *) xcheck translate %f;; esac"

[[translators]]
name    = "failing"
command = "case %f in *xor*) exit 7;; *) xcheck translate %f;; esac"
END

XCHECK_SLURM_TEST=$work ./cluster.sh ./test.sh
night=$work/nights/2026-11-20
cat "$night/report.log"

# expect TEXT FILE
expect() {
	if ! grep -q -- "$1" "$2"; then
		printf 'expected %s in %s:\n' "$1" "$2" >&2
		cat "$2" >&2
		exit 1
	fi
}
expect 'DUE TO JOB REQUEUE' "$night/shard-1.log"
expect 'resuming run 1 of .*shard-1.db: [1-9][0-9]* formula' "$night/shard-1.log"
expect 'merged from shards 1, 2, 3, 4 of 4: 52 formulas' "$night/report.log"
expect '<testcase' "$night/report.junit.xml"
expect 'new' "$night/report.md"
expect '<html' "$night/report.html"

# The same without shards. What differs is how long it all took, when, and the command.
status=0
xcheck run -c "$work/nightly.toml" --history="$work/alone.db" --name 2026-11-20 --seed 20261120 --json="$work/alone.json" >/dev/null || status=$?
[ "$status" -eq 1 ]
timeless() {
	sed -E '/^"provenance": /d; s/"(time|cpu_time|max_rss|started|ended|seconds)": ?("[^"]*"|[0-9.e+-]+)/"\1": 0/g' "$1"
}
diff <(timeless "$night/report.json") <(timeless "$work/alone.json") | cut -c 1-1000
echo "the report of four shards is that of one run: $(wc -c <"$work/alone.json") bytes, but for times and provenance"

if pgrep -fa "$work|xcheck-slurm" | grep -v "^$$ "; then
	echo 'processes are left' >&2
	exit 1
fi
