#!/usr/bin/env bash
# The sizes of our automata, compared with those of Spot's ltl2tgba.
#
#	lab/bench/sizes.sh [FORMULAS…]
#
# FORMULAS are lists, and families with parameters, as xcheck patterns takes them; without any,
# all. Each formula and its negation is translated by xcheck translate and by ltl2tgba, both to
# transition-based generalized Büchi acceptance, in a process of its own with a limit of 10 s.
# For each list or family, a row has the number of formulas that both translate, the states and
# edges of these, and the ratio of states. An empty automaton counts as one state. With
# SIZES=FILE, each formula has a line in that file.
set -euo pipefail
cd "$(dirname "$0")/../.."

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/xcheck" ./cmd/xcheck
sizes=${SIZES:-$dir/sizes}
: >"$sizes"

if [ $# = 0 ]; then
	# modulo-counter and schuppan-biere have formulas of the past, which ltl2tgba does not read.
	mapfile -t all < <("$dir/xcheck" patterns | awk '
		/^ / || $1 == "modulo-counter" || $1 == "schuppan-biere" { next }
		$2 == "n" && $3 == "m" { print $1, "1..3 1..3"; next }
		$2 == "n" { print $1, "1..5"; next }
		{ print $1 }')
	set -- "${all[@]}"
fi

# ours and spots print the states and edges of a formula's automaton.
ours() {
	local json
	json=$(timeout 10 "$dir/xcheck" translate --json "$1") || return 1
	[[ $json =~ \"states\":([0-9]+) ]] || return 1
	printf '%s ' "${BASH_REMATCH[1]}"
	[[ $json =~ \"edges\":([0-9]+) ]] || return 1
	printf '%s\n' "${BASH_REMATCH[1]}"
}
spots() { timeout 10 ltl2tgba --stats='%s %e' -f "$1"; }

printf '| formulas | number | states | of Spot | ratio | edges | of Spot |\n'
printf '|---|---:|---:|---:|---:|---:|---:|\n'
for set; do
	# shellcheck disable=SC2086 # the name and the parameters
	"$dir/xcheck" patterns --negations $set >"$dir/formulas"
	while IFS= read -r f; do
		if a=$(ours "$f") && b=$(spots "$f"); then
			printf '%s\t%s\t%s\t%s\n' "$set" "$a" "$b" "$f" | tr ' ' '\t'
		else
			printf '%s\tnot done\t%s\n' "$set" "$f" >&2
		fi
	done <"$dir/formulas" >"$dir/set"
	cat "$dir/set" >>"$sizes"
	awk -F'\t' -v set="$set" -v fields="$(wc -w <<<"$set")" '
		{ i = fields; s += $(i+1) ? $(i+1) : 1; e += $(i+2); t += $(i+3) ? $(i+3) : 1; f += $(i+4); n++ }
		END { if (n) printf "| %s | %d | %d | %d | %.2f | %d | %d |\n", set, n, s, t, s/t, e, f }' "$dir/set"
done
