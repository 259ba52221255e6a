#!/bin/sh
# Unites the shards of a night, and writes its reports.
#
#	report.sh N HISTORY NIGHT
#
# The N shards that shard.sh has made in the folder NIGHT become one run of HISTORY, and
# report.txt, report.junit.xml, report.md, report.html and report.json are written to NIGHT; the first
# is printed, too. They have also what a shard has done that did not come to its end. Once
# it has, by another call of shard.sh, this can be called again.
#
# The status is 1 if a failure is new, or back again; otherwise 4 if shards are missing, or have
# not come to their ends; otherwise 0.
set -eu

if [ $# -ne 3 ]; then
	echo 'usage: report.sh N HISTORY NIGHT' >&2
	exit 2
fi
shards=$1 history=$2 night=$3
name=$(basename "$night")

missing=''
set --
for i in $(seq "$shards"); do
	[ -e "$night/shard-$i.done" ] || missing="$missing $i"
	[ ! -s "$night/shard-$i.db" ] || set -- "$@" "$night/shard-$i.db"
done
if [ $# -gt 0 ]; then
	xcheck merge --into "$history" "$@"
fi

show() { xcheck report --history "$history" --run "$name" "$@"; }
show >"$night/report.txt"
show --format junit >"$night/report.junit.xml"
show --format markdown >"$night/report.md"
show --format html >"$night/report.html"
show --quiet --json="$night/report.json" >/dev/null
cat "$night/report.txt"

# The history has all that the shards have.
if [ -z "$missing" ]; then
	rm -f "$night"/shard-*.db* "$night"/before.db*
else
	echo "not at their ends: shards$missing of $shards" | tee -a "$night/report.txt" "$night/report.md"
fi

# Quotes within a text have a backslash before them in JSON, so that this is found in no
# formula and no message.
if grep -Eq '"state": *"(new|back again)"' "$night/report.json"; then
	exit 1
fi
[ -z "$missing" ] || exit 4
