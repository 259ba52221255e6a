#!/bin/sh
# Merges the shards of a night, and writes its reports.
#
#	report.sh HISTORY NIGHT
#
# The shards that shard.sh has made in the folder NIGHT become one run of HISTORY. Then it writes
# report.txt, report.junit.xml, report.md, report.html and report.json to NIGHT, and prints the
# first. An unfinished shard counts as far as it went: finish it with shard.sh, then call this
# again.
#
# The status is 1 if a failure is new or back again; otherwise 4 if shards are missing or
# unfinished; otherwise 3 if nothing, or nothing of some translator, was checked; otherwise 0.
set -eu

if [ $# -ne 2 ]; then
	echo 'usage: report.sh HISTORY NIGHT' >&2
	exit 2
fi
history=$1 night=$2

set --
for shard in "$night"/shard-*.db; do
	[ ! -s "$shard" ] || set -- "$@" "$shard"
done
lacking=0
if [ $# -gt 0 ]; then
	xcheck merge --into "$history" "$@" || lacking=$?
	case $lacking in
	0 | 1) ;;
	3) lacking=0 ;; # nothing of a translator was checked: the report says so
	*) exit "$lacking" ;;
	esac
fi

show() { xcheck report --history "$history" --run "$(basename "$night")" "$@"; }
new=0
show --fail-on-new >"$night/.report" || new=$?
case $new in
0 | 1 | 3) ;; # nothing is new, something is, or nothing was compared
*) [ "$lacking" -ne 0 ] || exit "$new" ;; # a run that is unfinished does not say what is new
esac
mv "$night/.report" "$night/report.txt"
# write FILE FORMAT replaces the file by a whole one.
write() {
	show --format "$2" >"$night/.report" || [ $? -eq 3 ] || exit 2 # 3: incomplete, which the status above says
	mv "$night/.report" "$night/$1"
}
write report.junit.xml junit
write report.md markdown
write report.html html
show --json="$night/report.json" >/dev/null || [ $? -eq 3 ] || exit 2
cat "$night/report.txt"

if [ $# -gt 0 ] && [ "$lacking" -eq 0 ]; then # the run is whole in the history, and reported
	: >"$night/merged"
	rm -rf "$night"/shard-*.db* "$night"/before.db* # with folders of a shard.sh that was killed while it copied
fi

[ "$new" -ne 1 ] || exit 1
[ "$lacking" -eq 0 ] || exit 4
exit "$new"
