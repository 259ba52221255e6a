#!/bin/sh
# Runs one shard of a night.
#
#	shard.sh I/N CONFIG HISTORY NIGHT [FLAG OF xcheck run]...
#
# I/N      the shard, from 1/N to N/N: the cases whose index is I-1 modulo N
# CONFIG   the configuration of xcheck
# HISTORY  the file of earlier nights; it is only read, and may be missing
# NIGHT    a folder for this night, the same for all its shards; made if it is missing. Its
#          name becomes the name of the run.
#
# The shards may run at the same time or one after the other, on any machines that have these
# files. Call this again for a shard that was stopped, and it resumes; a finished one does
# nothing. The status is 0 if the shard is finished, whatever it found: report.sh shows that.
set -eu

if [ $# -lt 4 ]; then
	echo 'usage: shard.sh I/N CONFIG HISTORY NIGHT [FLAG OF xcheck run]...' >&2
	exit 2
fi
part=$1 config=$2 history=$3 night=$4
shift 4
shard=$night/shard-${part%/*}

# last prints the last run of a history: its number, its start, and how it ended, or its state.
last() { xcheck history show last --history "$1" 2>/dev/null | head -n 1; }

# ended leaves this script if the shard has ended. The history says so, at the very moment when it has: a
# mark of our own would come later. Results that were lost before report.sh had the whole night are made
# again.
ended() {
	[ -e "$night/merged" ] || case $(last "$shard.db") in
	"$(last "$night/before.db")") return 0 ;; # it has not begun
	'' | *': running' | *': unfinished') return 0 ;;
	esac
	echo "shard $part of $night has come to its end before"
	exit 0
}
ended

# copy FROM TO makes TO whole or not at all, and leaves it alone if it is there.
copy() {
	[ ! -e "$2" ] || return 0
	folder=$(mktemp -d "$2.XXXXXX")
	if [ -s "$1" ] || [ -s "$1-wal" ]; then
		failed=0
		xcheck merge --into "$folder/copy" "$1" >/dev/null || failed=$?
		case $failed in
		0 | 1 | 3) ;; # 1: some shards of old are missing; 3: nothing of a translator was checked
		*)
			rm -r "$folder"
			exit "$failed"
			;;
		esac
	else
		: >"$folder/copy"
	fi
	ln "$folder/copy" "$2" 2>/dev/null || [ -e "$2" ] # another shard was faster
	rm -r "$folder"
}

# All shards must know the same earlier nights, or they would replay other failures and number
# their cases differently. So the first one keeps a copy of the history for all.
mkdir -p "$night"
copy "$history" "$night/before.db"
copy "$night/before.db" "$shard.db"

# A scheduler that takes the machine away sends SIGTERM, perhaps only to this shell. Pass it on:
# xcheck then ends at once, and keeps its results.
xcheck run -c "$config" --history="$shard.db" --resume --shard "$part" --name "$(basename "$night")" "$@" &
trap 'kill -TERM $! 2>/dev/null || :' TERM INT HUP
status=0
wait $! || status=$?
while kill -0 $! 2>/dev/null; do # the wait ended by a signal
	status=0
	wait $! || status=$?
done

case $status in
0 | 1 | 3) exit 0 ;; # finished: all agree, or not, or some could not be checked
esac
ended # by what another call has left at work
exit "$status"
