#!/bin/sh
# Runs one shard of a night.
#
#	shard.sh I/N CONFIG HISTORY NIGHT [FLAG OF xcheck run]...
#
# I/N      the shard, from 1/N to N/N: the cases whose index is I-1 modulo N
# CONFIG   the configuration of xcheck
# HISTORY  the file with all nights before; it is only read, and need not be there yet
# NIGHT    a folder for this night, the same for all its shards. It is made if it is not
#          there. Its name is the name of the run.
#
# The shards may run at the same time or one after the other, on any machines that have these
# files. A shard that was stopped is called again, and goes on; one that has come to its end
# does nothing. The status is 0 if it has come to its end, whatever it has found: that is in
# its history, and report.sh tells.
set -eu

if [ $# -lt 4 ]; then
	echo 'usage: shard.sh I/N CONFIG HISTORY NIGHT [FLAG OF xcheck run]...' >&2
	exit 2
fi
part=$1 config=$2 history=$3 night=$4
shift 4
shard=$night/shard-${part%/*}

if [ -e "$shard.done" ]; then
	echo "shard $part of $night has come to its end before"
	exit 0
fi

# copy FROM TO makes TO whole or not at all, and leaves it alone if it is there.
copy() {
	[ ! -e "$2" ] || return 0
	folder=$(mktemp -d "$2.XXXXXX")
	if [ -s "$1" ]; then
		xcheck merge --into "$folder/copy" "$1" >/dev/null || [ $? -eq 1 ] # some shards of old are missing
	else
		: >"$folder/copy"
	fi
	ln "$folder/copy" "$2" 2>/dev/null || [ -e "$2" ] # another shard was faster
	rm -r "$folder"
}

# All shards have to know the same nights before, or they would replay other failures, and
# count their cases differently. So the first one keeps a copy of the history for all.
mkdir -p "$night"
copy "$history" "$night/before.db"
copy "$night/before.db" "$shard.db"

# A scheduler that takes the machine away sends SIGTERM, perhaps only to this shell. xcheck
# ends at once then, and keeps what it has.
xcheck run -c "$config" --history="$shard.db" --resume --shard "$part" --name "$(basename "$night")" "$@" &
trap 'kill -TERM $! 2>/dev/null || :' TERM INT HUP
status=0
wait $! || status=$?
while kill -0 $! 2>/dev/null; do # the wait ended by a signal
	status=0
	wait $! || status=$?
done

case $status in
0 | 1 | 3) # it has come to its end: all agree, or not, or some could not be checked
	echo "$status" >"$shard.done"
	exit 0
	;;
esac
exit "$status"
