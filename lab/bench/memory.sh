#!/usr/bin/env bash
# The memory of a long run: is it the same after 100,000 formulas as after 10,000?
#
#	lab/bench/memory.sh [FORMULAS]
#
# Checks small random formulas, with built-in translators that are kept alive
# (mode = "stream"), and looks at the resident memory of xcheck once a second. It
# prints a line for each tenth of the run. The bar: from the first tenth on, it stays within
# 20 % of what it was then; status 1 if it does not.
set -euo pipefail
cd "$(dirname "$0")/../.."

number=${1:-100000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

go build -o "$dir/xcheck" ./cmd/xcheck
cd "$dir"
for algorithm in gastin-oddoux couvreur; do
	printf '[[translators]]\nname = "%s"\nmode = "stream"\ncommand = "%s translate --algorithm %s -F -"\n\n' \
		"$algorithm" "$dir/xcheck" "$algorithm"
done >stream.toml
command=(./xcheck run -c stream.toml -n "$number" --size 1..8 --progress=always)
printf '+ %s\n' "${command[*]}"
: >progress
"${command[@]}" >out 2>progress &
pid=$!
# A sample is the formulas done, of which xcheck's own line tells, and the memory in KiB.
while kill -0 "$pid" 2>/dev/null; do
	memory=$(awk '/^VmRSS:/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
	formulas=$(tail -c 300 progress | grep -ao "[0-9]*/$number" | tail -1 | cut -d / -f 1 || true)
	[ -z "$memory" ] || [ -z "$formulas" ] || echo "$formulas $memory"
	sleep 1
done >samples
status=0
wait "$pid" || status=$?
tail -1 out
[ "$status" = 0 ] || { printf 'status %s\n' "$status"; exit 1; }
awk -v number="$number" '
	BEGIN { printf "%10s %10s %10s %10s\n", "formulas", "samples", "least MiB", "most MiB" }
	{
		tenth = int(10 * $1 / number)
		if (!(tenth in n)) least[tenth] = $2
		n[tenth]++
		if ($2 < least[tenth]) least[tenth] = $2
		if ($2 > most[tenth]) most[tenth] = $2
	}
	END {
		for (t = 0; t < 10; t++) if (t in n)
			printf "%10d %10d %10.1f %10.1f\n", t * number / 10, n[t], least[t] / 1024, most[t] / 1024
		# What was used when the first tenth was done, and the most after that.
		base = most[1]
		for (t = 2; t < 10; t++) if (most[t] > top) top = most[t]
		if (!base || !top) { print "the run was too short for samples of each tenth"; exit 1 }
		printf "the most after the second tenth, by the most in it: %.2f (the bar: 1.20)\n", top / base
		exit top > 1.2 * base
	}' samples
