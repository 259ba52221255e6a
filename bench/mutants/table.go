//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/columns"
)

// print prints what each generator found: how many mutants with at least one seed and with all,
// the share of trials, the median of seconds and formulas to the first finding, and the seconds of
// all trials together, found or not.
func (e *experiment) print(w io.Writer) {
	found := map[int]bool{} // mutants, by anything
	for _, t := range e.trials {
		if t.Found {
			found[t.mutant] = true
		}
	}
	fmt.Fprintf(w, "%d mutants, %d found by some generator; seeds 1 to %d, %v each\n\n", len(e.mutants), len(found), e.seeds, e.limit)
	rows := [][]string{{"generator", "found", "with every seed", "trials", "formulas (median)", "seconds (median)", "seconds, all trials"}}
	for g, x := range e.generators {
		ever, hits, formulas, seconds, all := map[int]int{}, 0, []float64{}, []float64{}, 0.0
		for _, t := range e.trials {
			if t.generator != g || !found[t.mutant] {
				continue
			}
			all += t.Seconds
			if t.Found {
				hits++
				ever[t.mutant]++
				formulas, seconds = append(formulas, float64(t.Formulas)), append(seconds, t.Seconds)
			}
		}
		always := 0
		for _, n := range ever {
			if n == e.seeds {
				always++
			}
		}
		rows = append(rows, []string{x.name, fmt.Sprint(len(ever)), fmt.Sprint(always), fmt.Sprintf("%d of %d", hits, len(found)*e.seeds),
			fmt.Sprintf("%.0f", median(formulas)), fmt.Sprintf("%.2f", median(seconds)), fmt.Sprintf("%.0f", all)})
	}
	io.WriteString(w, columns.Format(rows, 1, 2, 3, 4, 5, 6))
	e.survival(w)
}

// survival prints the share of trials in which a mutant is not found after some seconds, of those
// that some generator found.
func (e *experiment) survival(w io.Writer) {
	var times []float64
	for s := e.limit.Seconds(); len(times) < 8; s /= 2 {
		times = append(times, s)
	}
	slices.Reverse(times)
	found := map[int]bool{}
	for _, t := range e.trials {
		found[t.mutant] = found[t.mutant] || t.Found
	}
	fmt.Fprint(w, "\nshare of trials without a finding after so many seconds\n\n")
	rows := [][]string{{"generator"}}
	for _, s := range times {
		rows[0] = append(rows[0], fmt.Sprintf("%.2g", s))
	}
	rows[0] = append(rows[0], "")
	for g, x := range e.generators {
		row := []string{x.name}
		var curve strings.Builder
		for _, s := range times {
			left, n := 0, 0
			for _, t := range e.trials {
				if t.generator == g && found[t.mutant] {
					n++
					if !t.Found || t.Seconds > s {
						left++
					}
				}
			}
			share := float64(left) / float64(max(1, n))
			row = append(row, fmt.Sprintf("%.2f", share))
			curve.WriteRune([]rune("▁▂▃▄▅▆▇█")[int(math.Round(share*7))])
		}
		rows = append(rows, append(row, curve.String()))
	}
	io.WriteString(w, columns.Format(rows))
}

// median returns the middle of some numbers, or NaN.
func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
