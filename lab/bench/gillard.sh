#!/usr/bin/env bash
# The use case of Gillard 2019, section 4.7.2 (examples/gillard.toml), and how much
# memory it takes: of xcheck and all processes that it has started, together.
#
#	lab/bench/gillard.sh [TIMEOUT [FLAG...]]
#
# TIMEOUT is that of a translation: 60s by default. Flags are those of xcheck run. Every
# call must have a status, and every formula must be checked, or be said not to be. The
# bar: 4 GiB.
set -euo pipefail
cd "$(dirname "$0")/../.."

timeout=${1:-60s}
shift || true
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

go build -o "$dir/xcheck" ./cmd/xcheck
command=("$dir/xcheck" run -c examples/gillard.toml --timeout "$timeout" "--json=$dir/result.json" "$@")
printf '+ %s\n' "${command[*]}"
start=$EPOCHREALTIME
"${command[@]}" &
pid=$!
# Every 0.2 s the resident memory of the process and its descendants, in KiB.
while kill -0 "$pid" 2>/dev/null; do
	ps -A -o pid=,ppid=,rss= | awk -v root="$pid" '
		{ parent[$1] = $2; rss[$1] = $3 }
		END {
			for (p in rss) {
				for (q = p; q != "" && q != root && q in parent; q = parent[q]);
				if (q == root) sum += rss[p]
			}
			print rss[root] + 0, sum + 0
		}'
	sleep 0.2
done >"$dir/samples"
status=0
wait "$pid" || status=$?
awk "BEGIN { printf \"status $status after %.0f s\\n\", $EPOCHREALTIME - $start }"

# Each case is on a line of its own.
grep '"results":' "$dir/result.json" >"$dir/cases"
printf '%d cases, %d of them checked, %d with undecided checks\n' "$(wc -l <"$dir/cases")" \
	"$(grep -c '"checked":true' "$dir/cases")" "$(grep -vc '"undecided":\[\]' "$dir/cases" || true)"
printf 'Calls by translator and status:\n'
grep -o '"translator":"[^"]*","negated":[a-z]*,"status":"[^"]*"' "$dir/cases" |
	sed 's/"translator":"\([^"]*\)".*"status":"\([^"]*\)"/\1 \2/' | sort | uniq -c
printf 'Undecided checks by reason:\n'
grep -o '"why":"[^"]*"' "$dir/cases" | sed 's/[0-9][0-9.]*/N/g' | sort | uniq -c | sort -rn || true
awk '{ if ($1 > own) own = $1; if ($2 > sum) sum = $2 }
	END { printf "peak of resident memory: xcheck %.0f MiB, all processes together %.0f MiB (the bar: 4096)\n", own / 1024, sum / 1024 }' "$dir/samples"
[ "$status" -ne 2 ] && [ "$status" -lt 128 ]
