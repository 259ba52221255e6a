package main

import (
	"fmt"
	"strconv"

	"github.com/xcheck-ltl/xcheck/internal/quantile"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// A compactedRun says what a history has of the formulas that a compacted run only counts.
type compactedRun struct {
	Cases int `json:"cases"` // number of formulas that are only counted
	// distributions of sizes and times, of each translator
	Translators []quantilesLine `json:"translators"`
}

// A quantilesLine has the distributions over the calls of one translator.
type quantilesLine struct {
	Name    string    `json:"name"`   // name of the translator
	Calls   int       `json:"calls"`  // number of calls that gave an automaton
	States  quantiles `json:"states"` // numbers of states
	Edges   quantiles `json:"edges"`  // numbers of edges
	Seconds quantiles `json:"time"`   // times in seconds
}

// quantiles are the quantiles of a distribution, within 1 %.
type quantiles struct {
	Median float64 `json:"median"` // the median
	P90    float64 `json:"p90"`    // nine of ten are at most this
	P99    float64 `json:"p99"`    // 99 of 100 are at most this
	Most   float64 `json:"max"`    // the greatest
}

func newQuantiles(s *quantile.Sketch) quantiles {
	return quantiles{s.Quantile(0.5), s.Quantile(0.9), s.Quantile(0.99), s.Quantile(1)}
}

// newCompactedRun returns nil for a run that has all its cases.
func newCompactedRun(s *sums.Sums) *compactedRun {
	if s == nil {
		return nil
	}
	x := &compactedRun{Cases: s.Cases, Translators: []quantilesLine{}}
	for _, t := range s.Tools {
		if t.OK > 0 {
			x.Translators = append(x.Translators, quantilesLine{t.Name, t.OK, newQuantiles(&t.Sketches.States), newQuantiles(&t.Sketches.Edges), newQuantiles(&t.Sketches.Seconds)})
		}
	}
	return x
}

// text returns a table for people, "" for a run that has all its cases.
func (x *compactedRun) text(inputs string) string {
	if x == nil {
		return ""
	}
	rows := [][]string{{"translator", "calls", "states: median", "99 %", "seconds: median", "99 %"}}
	for _, t := range x.Translators {
		size := func(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) }
		time := func(n float64) string { return strconv.FormatFloat(n, 'g', 3, 64) }
		rows = append(rows, []string{t.Name, strconv.Itoa(t.Calls), size(t.States.Median), size(t.States.P99), time(t.Seconds.Median), time(t.Seconds.P99)})
	}
	return fmt.Sprintf("\n%d %s are kept as sums only:\n%s", x.Cases, inputs, aligned(rows))
}
