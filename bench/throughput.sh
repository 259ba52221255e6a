#!/usr/bin/env bash
# How long a run takes, compared with the translators alone.
#
#	bench/throughput.sh [FORMULAS [ROUNDS]]
#
# 1. The same calls, one process each, as many at a time as there are cores: by
#    xargs, which does nothing with the automata, and by xcheck run, which reads and
#    checks them all. The bar: at most 1.10 times the time.
# 2. xcheck run with the built-in translators kept alive (mode = "stream"), and with a
#    process for each formula. The bar: 8 times as fast.
#
# The translators are the built-in ones, and (1) spin, ltl2ba, ltl3ba and ltl2tgba where
# they are on PATH. Rounds alternate, as the same command may take twice as long a minute
# later; what counts is the median.
set -euo pipefail
cd "$(dirname "$0")/.."

number=${1:-1000}
rounds=${2:-5}
jobs=$(nproc)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

step() { printf '+ %s\n' "$*" >&2; "$@"; }
# seconds prints the time that a command takes, and the processor time of it and all
# that it has started. Status 3 is that some translator has failed.
seconds() {
	local status=0 TIMEFORMAT='%R %U %S'
	{ time "$@" >"$dir/out" 2>"$dir/errors"; } 2>"$dir/time" || status=$?
	if [ "$status" != 0 ] && [ "$status" != 3 ]; then
		printf '%s: status %s\n' "$*" "$status" >&2
		cat "$dir/errors" >&2
		return 1
	fi
	awk '{ print $1, $2 + $3 }' "$dir/time"
}
# compare runs two commands in turn, and prints how many times as long the first one
# takes.
compare() {
	local first=$1 second=$2 a b round
	: >first
	: >second
	for round in $(seq "$rounds"); do
		a=$(seconds "$first")
		b=$(seconds "$second")
		echo "$a" >>first
		echo "$b" >>second
		printf '   round %d: %s %.2f s (processor %.2f s), %s %.2f s (%.2f s), ratio %.2f (%.2f)\n' \
			"$round" "$first" $a "$second" $b $(ratio $a $b)
	done
	a=$(medians <first)
	b=$(medians <second)
	printf '   medians: %s %.2f s (processor %.2f s), %s %.2f s (%.2f s), ratio %.2f (%.2f); median of the ratios %.2f\n' \
		"$first" $a "$second" $b $(ratio $a $b) "$(paste -d ' ' first second | awk '{ print $1 / $3, 0 }' | medians | cut -d ' ' -f 1)"
}
medians() { printf '%s %s\n' "$(tee column | cut -d ' ' -f 1 | median)" "$(cut -d ' ' -f 2 column | median)"; }
median() { sort -n | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR+1)/2] : (x[NR/2] + x[NR/2+1]) / 2 }'; }
# Of four numbers: the first by the third, the second by the fourth.
ratio() { awk "BEGIN { print $1 / $3, $2 / $4 }"; }

step go build -o "$dir/xcheck" ./cmd/xcheck
cd "$dir"

# config prints a configuration with the built-in translators in that mode, which
# take formulas as the second argument says.
config() {
	local algorithm
	for algorithm in gpvw gastin-oddoux couvreur; do
		printf '[[translators]]\nname = "%s"\nmode = "%s"\ncommand = "%s translate --algorithm %s %s"\n\n' \
			"$algorithm" "$1" "$dir/xcheck" "$algorithm" "$2"
	done
}
config spawn %f >spawn.toml
config stream '-F -' >stream.toml
cp spawn.toml all.toml
for tool in spin ltl2ba ltl3ba ltl2tgba; do
	if command -v "$tool" >/dev/null; then
		printf '[[translators]]\ntool = "%s"\nmode = "spawn"\n\n' "$tool" >>all.toml
	fi
done

# What some translator does not end with in a second would only measure the
# timeout: those formulas are left out.
step ./xcheck random -n "$number" --seed 1 --size 1..12 >all.ltl
status=0
step ./xcheck run -c all.toml -F all.ltl -T 1s --quiet --json=all.json >/dev/null || status=$?
[ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
grep '"results":' all.json | grep -v '"status":"timeout"' >cases.json
# A string in JSON is one for printf, but for the quotes around it.
strings() { grep -o "\"$1\":\"\\([^\"\\\\]\\|\\\\.\\)*\"" | sed 's/^[^:]*:"//; s/"$//' | while IFS= read -r text; do printf '%b\n' "$text"; done; }
strings formula <cases.json >formulas.ltl
strings command <cases.json >calls
# xargs takes the quotes away as a shell would, and gives each line to the program
# itself: a file for each program.
while read -r program; do
	name=$(eval "printf %s $program")
	file=calls.$(basename "$name")
	printf '%s\n' "$name" >"$file.program"
	awk -v p="$program" '$1 == p { sub(/^[^ ]+ /, ""); print }' calls >"$file"
	printf '%6d calls of %s\n' "$(wc -l <"$file")" "$name"
done < <(awk '!seen[$1]++ { print $1 }' calls)

printf '\n1. %d formulas and their negations, %d calls, %d at a time\n' "$(wc -l <formulas.ltl)" "$(wc -l <calls)" "$jobs"
alone() {
	local file
	for file in calls.*.program; do
		xargs -P "$jobs" -L 1 "$(cat "$file")" <"${file%.program}"
	done
}
run() { ./xcheck run -c all.toml -F formulas.ltl -j "$jobs" -T 60s --quiet; }
printf '   alone: xargs -P %d -L 1 PROGRAM <calls.PROGRAM >/dev/null, for each program\n' "$jobs"
printf '   run:   xcheck run -c all.toml -F formulas.ltl -j %d -T 60s --quiet\n' "$jobs"
compare run alone
printf '   The bar: at most 1.10.\n'

printf '\n2. The same formulas, built-in translators only\n'
spawn() { ./xcheck run -c spawn.toml -F formulas.ltl -j "$jobs" --quiet; }
stream() { ./xcheck run -c stream.toml -F formulas.ltl -j "$jobs" --quiet; }
sed -n 's/^command = /   /p' spawn.toml stream.toml | sed "s|$dir/||"
compare spawn stream
printf '   The bar: at least 8.\n'
