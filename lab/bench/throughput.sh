#!/usr/bin/env bash
# How long a run takes, compared with the translators alone.
#
#	lab/bench/throughput.sh [FORMULAS [ROUNDS]]
#
# 1. The same calls, one process each: by xargs, which runs as many at a time as there are
#    cores and does nothing with the automata, and by xcheck run as it is by default, which
#    reads and checks them all. Of three mixes of translators: the built-in ones; those of
#    other projects on PATH; and both with a synthetic one that takes 1 ms to 10 s. Alone on
#    the machine, and beside a program that uses one core. The bar: 1.03 times the time in
#    the median, 1.10 at worst.
# 2. xcheck run with the built-in translators kept alive (mode = "stream"), and with a
#    process for each formula. The bar: 8 times as fast.
#
# The translators of other projects are ltl2ba, ltl3ba, ltl3ba -M0, ltl2tgba and
# ltl2tgba -B -D. Rounds alternate, as the same command may take twice as long a minute later;
# what counts is the median.
set -euo pipefail
cd "$(dirname "$0")/../.."

number=${1:-1000}
rounds=${2:-5}
jobs=$(nproc)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

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

go build -o "$dir/xcheck" ./cmd/xcheck
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
config spawn %f >builtin.toml
config stream '-F -' >stream.toml

# real prints a configuration with those translators of other projects that are there.
real() {
	local command
	for command in 'ltl2ba -f %s' 'ltl3ba -f %s' 'ltl3ba -M0 -f %s' 'ltl2tgba %f' 'ltl2tgba -B -D %f'; do
		if command -v "${command%% *}" >/dev/null; then
			printf '[[translators]]\nname = "%s"\nmode = "spawn"\ncommand = "%s"\n\n' "${command% *}" "$command"
		fi
	done
}
real >real.toml

# The synthetic one uses a core for 1 ms to 10 s before it translates, as the formula says:
# nine in ten take less than 10 ms, one in a thousand more than a second.
cat >slow <<-EOF
	#!/bin/sh
	awk -v f="\$1" 'BEGIN {
		for (i = 1; i <= length(f); i++) h = (h * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789!&|()<->", substr(f, i, 1))) % 999983
		for (n = 20000 / (h / 999983 + 0.0001); n > 0; n--);
	}'
	exec "$dir/xcheck" translate --algorithm couvreur "\$1"
EOF
chmod +x slow
{
	cat builtin.toml real.toml
	printf '[[translators]]\nname = "slow"\nmode = "spawn"\ncommand = "%s/slow %%f"\n' "$dir"
} >mixed.toml

# strings prints the values of a key of JSON. Each is one for printf, but for the quotes.
strings() { grep -o "\"$1\":\"\\([^\"\\\\]\\|\\\\.\\)*\"" | sed 's/^[^:]*:"//; s/"$//' | while IFS= read -r text; do printf '%b\n' "$text"; done; }

# prepare makes the formulas and calls of a mix, in a folder of its own. What some translator
# does not end with in a second would only measure the timeout: those formulas are left out,
# but not those on which the synthetic one is slow.
prepare() {
	local mix=$1 status=0 program name file
	mkdir "$mix"
	cd "$mix"
	../xcheck random -n "$number" --seed 1 --size 1..12 --ap 3 >all.ltl
	../xcheck run --no-builtin --no-found -c "../$mix.toml" -F all.ltl -T 12s --quiet --json=all.json >/dev/null || status=$?
	[ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
	grep '"results":' all.json | grep -v '"status":"timeout"' >cases.json
	strings formula <cases.json >formulas.ltl
	strings command <cases.json >calls
	# xargs takes the quotes away as a shell would, and gives each line to the program
	# itself: a file for each program.
	while read -r program; do
		name=$(eval "printf %s $program")
		file=calls.$(basename "$name")
		printf '%s\n' "$name" >"$file.program"
		awk -v p="$program" '$1 == p { sub(/^[^ ]+ /, ""); print }' calls >"$file"
		printf '%6d calls of %s\n' "$(wc -l <"$file")" "$(basename "$name")"
	done < <(awk '!seen[$1]++ { print $1 }' calls)
	cd ..
}

alone() {
	local file
	for file in "$mix"/calls.*.program; do
		xargs -P "$jobs" -L 1 "$(cat "$file")" <"${file%.program}"
	done
}
run() { ./xcheck run -c "$mix.toml" -F "$mix/formulas.ltl" -T 60s --quiet; }

printf '1. alone: xargs -P %d -L 1 PROGRAM <calls.PROGRAM >/dev/null, for each program\n' "$jobs"
printf '   run:   xcheck run -c MIX.toml -F formulas.ltl -T 60s --quiet\n'
printf '   The bar: 1.03 in the median, 1.10 at worst.\n'
for mix in builtin real mixed; do
	printf '\n%s\n' "$mix"
	if [ ! -s "$mix.toml" ]; then
		printf '   not measured: no translator of another project is on PATH\n'
		continue
	fi
	prepare "$mix"
	printf '   alone on the machine\n'
	compare run alone
	printf '   beside a program that uses one core\n'
	while :; do :; done &
	busy=$!
	compare run alone
	kill "$busy"
done

printf '\n2. The same formulas, built-in translators only\n'
spawn() { ./xcheck run -c builtin.toml -F builtin/formulas.ltl --quiet; }
stream() { ./xcheck run -c stream.toml -F builtin/formulas.ltl --quiet; }
compare spawn stream
printf '   The bar: at least 8.\n'
