package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Call is one call of a translator, for a formula or for its negation, that gave an
// automaton.
type Call struct {
	// Place orders the calls of a run: calls with near places ran at about the same time, on
	// the same machine. The number of the formula will do. In a merged run, the calls of one
	// shard come before those of the next.
	Place         int64
	States, Edges int
	// Seconds is wall-clock time, CPU is processor time; 0 means unknown.
	Seconds, CPU float64
}

// A Comparison collects the calls of translators for the same formulas in an earlier and a
// later run, and finds significant changes. The zero value is empty. It keeps 48 bytes for
// each pair of calls.
type Comparison struct {
	Inputs string // what the calls are for, if not "formulas"

	tools  []*toolCalls
	byName map[string]*toolCalls
}

// toolCalls is a translator in both runs.
type toolCalls struct {
	name, inputs                string
	versionBefore, versionAfter string
	pairs                       int
	states, edges               sizeSums
	resized                     int // pairs with other states or edges
	times                       []timePair
}

// sizeSums add up a size of the automata in both runs.
type sizeSums struct {
	before, after int
	changes       []float64 // logarithms of ratios, where it is not 1
}

// add adds the sizes of a pair, and reports whether they differ.
func (s *sizeSums) add(before, after int) (differ bool) {
	before, after = max(0, before), max(0, after)
	s.before += before
	s.after += after
	if before != after {
		s.changes = append(s.changes, logRatio(float64(before+1), float64(after+1)))
	}
	return before != after
}

// What a change has to be so that it is one. See docs/regression.md for measurements.
const (
	// level is the probability that a comparison reports a change that is none, of all
	// translators and measures together (by Holm's method).
	level = 0.01
	// leastPairs is how many pairs there must be.
	leastPairs = 20
	// leastSize is the least change of a sum of states, or of edges. These have no noise, but
	// a change of one formula in a hundred says little about the next hundred.
	leastSize = 0.01
)

// Translator sets the versions of a translator in both runs.
func (c *Comparison) Translator(name, versionBefore, versionAfter string) {
	t := c.tool(name)
	t.versionBefore, t.versionAfter = versionBefore, versionAfter
}

// Add adds two calls of a translator for the same formula, in any order of pairs. A time that
// is not positive, or impossibly long, counts as unknown.
func (c *Comparison) Add(translator string, before, after Call) {
	t := c.tool(translator)
	t.pairs++
	states, edges := t.states.add(before.States, after.States), t.edges.add(before.Edges, after.Edges)
	if states || edges {
		t.resized++
	}
	t.times = append(t.times, timePair{before.Place, after.Place, before.Seconds, after.Seconds, before.CPU, after.CPU})
}

func (c *Comparison) tool(name string) *toolCalls {
	t := c.byName[name]
	if t == nil {
		t = &toolCalls{name: name, inputs: cmp.Or(c.Inputs, "formulas")}
		if c.byName == nil {
			c.byName = map[string]*toolCalls{}
		}
		c.byName[name] = t
		c.tools = append(c.tools, t)
	}
	return t
}

// logRatio returns ln(after/before) of positive numbers, so that two that are inverse to each
// other have the same magnitude to the last bit, and so the same rank.
func logRatio(before, after float64) float64 {
	if after < before {
		return -math.Log(before / after)
	}
	return math.Log(after / before)
}

// A finding is a change with its test: it is reported if the test allows it, and it is
// enough.
type finding struct {
	change  outcome.Change
	testing bool // it could be significant at all; only these share the level
	enough  bool
}

// Changes returns the significant changes, in the order of the translators. The notes say what
// could not be compared, and what all translators have in common.
//
// Sizes are the sums of states and of edges. A size has changed if the sums differ by at least
// leastSize, and the signed-rank test says that the differences have a direction. For times,
// see [Comparison.times]. Holm's method (Scandinavian Journal of Statistics 6, 1979) corrects
// the p-values of all translators and measures. If nothing has changed, any change is reported
// with a probability of at most level, provided that the parts of a run are independent.
func (c *Comparison) Changes() (changes []outcome.Change, notes []string) {
	times, notes := c.times()
	var all []finding
	for i, t := range c.tools {
		if t.pairs < leastPairs {
			notes = append(notes, fmt.Sprintf("sizes of %s not compared: both runs have its automata for only %d %s, need %d", t.name, t.pairs, t.inputs, leastPairs))
			continue
		}
		if t.resized > 0 && !t.upgraded() {
			notes = append(notes, t.resizedNote())
		}
		all = append(all, t.size("states", &t.states), t.size("edges", &t.edges), times[i])
	}
	holm(all)
	for _, f := range all {
		if f.enough && f.change.P <= level {
			changes = append(changes, f.change)
		}
	}
	return changes, notes
}

// resizedNote says that a translator makes other automata though nothing is known of another
// version.
func (t *toolCalls) resizedNote() string {
	though := "though its version is the same"
	if !t.steady() {
		though = "its version is unknown"
	}
	return fmt.Sprintf("sizes of %s changed for %d of %d %s, %s", t.name, t.resized, t.pairs, t.inputs, though)
}

// steady reports whether the translator is known to be the same in both runs. Builds of a
// working copy all have the same name for a version.
func (t *toolCalls) steady() bool {
	return t.versionBefore == t.versionAfter && t.versionBefore != "" && !strings.Contains(t.versionBefore, "(devel)")
}

func (t *toolCalls) upgraded() bool {
	return t.versionBefore != "" && t.versionAfter != "" && t.versionBefore != t.versionAfter
}

func (t *toolCalls) size(measure string, s *sizeSums) finding {
	p, n := signedRanks(s.changes)
	f := finding{change: t.change(measure, float64(s.before), float64(s.after)), testing: leastP(n) <= level}
	f.change.P = p
	f.change.Ratio = float64(s.after) / float64(max(s.before, 1))
	f.enough = math.Abs(f.change.Ratio-1) >= leastSize &&
		cmp.Compare(hodgesLehmann(s.changes), 0) == cmp.Compare(s.after, s.before) // most of the ranks
	return f
}

func (t *toolCalls) change(measure string, before, after float64) outcome.Change {
	return outcome.Change{Translator: t.name, Measure: measure, Formulas: t.pairs, Before: before, After: after,
		Ratio: 1, P: 1, VersionBefore: t.versionBefore, VersionAfter: t.versionAfter}
}

// holm adjusts the p-values, so that each can be compared with the level of all: the least is
// multiplied by the number of tests, the next by one less, and so on, and none becomes less
// than one before it. Tests that could not be significant, whatever the signs, have no share
// (Tarone, Biometrics 46, 1990).
func holm(all []finding) {
	var order []int
	for i := range all {
		if all[i].testing {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[i].change.P, all[j].change.P) })
	least := 0.0
	for k, i := range order {
		least = max(least, min(1, all[i].change.P*float64(len(order)-k)))
		all[i].change.P = least
	}
}
