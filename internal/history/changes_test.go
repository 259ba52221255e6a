package history

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// addTimes adds the calls of one translator with the given ratio of times, and no noise but a little.
func addTimes(c *Comparison, rng *rand.Rand, name string, formulas int, seconds, ratio float64) {
	for place := range formulas {
		x := seconds * math.Exp(rng.NormFloat64())
		y := x * ratio * math.Exp(0.02*rng.NormFloat64())
		c.Add(name, Call{int64(place), 2, 3, 2 * x, x}, Call{int64(place), 2, 3, 2 * y, y})
	}
}

// changed returns the changes of times as "name ratio".
func changed(changes []outcome.Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%s %s %.2f", c.Translator, c.Measure, c.Ratio))
	}
	return strings.Join(all, ", ")
}

// Who has changed, and who has the machine to thank.
func TestChangesMachine(t *testing.T) {
	type tool struct {
		name          string
		ratio         float64
		before, after string // versions
	}
	for _, test := range []struct {
		tools []tool
		want  string // changes
		note  string
	}{
		{[]tool{{"a", 1, "", ""}, {"b", 1.3, "", ""}, {"c", 1, "", ""}, {"d", 1, "", ""}}, "b time 1.30", ""},
		{[]tool{{"a", 1, "", ""}, {"b", 0.8, "", ""}, {"c", 1, "", ""}, {"d", 1, "", ""}}, "b time 0.80", ""},
		// All take longer, and one beyond that.
		{[]tool{{"a", 1.2, "", ""}, {"b", 1.2, "", ""}, {"c", 1.2, "", ""}, {"d", 1.2, "", ""}}, "", "the translators took 20 % more time: the machine has changed, not they"},
		{[]tool{{"a", 1.2, "", ""}, {"b", 1.8, "", ""}, {"c", 1.2, "", ""}, {"d", 1.2, "", ""}}, "b time 1.50", "20 % more time"},
		// What did not become slower on a slower machine has not become faster.
		{[]tool{{"a", 1.2, "", ""}, {"b", 1, "", ""}, {"c", 1.2, "", ""}, {"d", 1.2, "", ""}}, "", "20 % more time"},
		// Two of three are new versions of one program: the third is the measure, not they.
		{[]tool{{"a", 1, "1.0", "1.0"}, {"b", 1.3, "1.0", "1.1"}, {"c", 1.3, "1.0", "1.1"}}, "b time 1.30, c time 1.30", ""},
		{[]tool{{"a", 1.3, "1.0", "1.0"}, {"b", 1.3, "1.0", "1.1"}, {"c", 1.3, "1.0", "1.1"}}, "", "the translators of unchanged version took 30 % more time"},
		// So are half of the translators, and more of them.
		{[]tool{{"a", 1, "1.0", "1.0"}, {"b", 1.01, "1.0", "1.0"}, {"c", 1, "1.0", "1.0"}, {"d", 1.3, "1", "2"}, {"e", 1.3, "1", "2"}, {"f", 1.3, "1", "2"}, {"g", 1, "1", "2"}}, "d time 1.30, e time 1.30, f time 1.30", ""},
		// Builds of a working copy say nothing.
		{[]tool{{"a", 1, "(devel)", "(devel)"}, {"b", 1.3, "", ""}, {"c", 1.3, "", ""}}, "", "the translators took 30 % more time"},
		// Of two, what they have in common is the less of both.
		{[]tool{{"a", 1, "", ""}, {"b", 1.3, "", ""}}, "b time 1.30", ""},
		{[]tool{{"a", 1.3, "", ""}, {"b", 1.3, "", ""}}, "", "30 % more time"},
		{[]tool{{"a", 1, "", ""}, {"b", 1.2, "", ""}}, "", ""},
		// One that is alone.
		{[]tool{{"a", 1.4, "", ""}}, "", "times of a: with no other translator to compare, a change below a factor of 1.5 counts as the machine's"},
		{[]tool{{"a", 1.7, "", ""}}, "a time 1.70", "no other translator"},
		// All over the place.
		{[]tool{{"a", 1, "", ""}, {"b", 1.3, "", ""}, {"c", 0.7, "", ""}, {"d", 1.1, "", ""}, {"e", 0.85, "", ""}}, "", "vary in different ways"},
	} {
		var c Comparison
		rng := rand.New(rand.NewPCG(1, 0))
		for _, tool := range test.tools {
			c.Translator(tool.name, tool.before, tool.after)
			addTimes(&c, rng, tool.name, 200, 0.01, tool.ratio)
		}
		changes, notes := c.Changes()
		if got := changed(changes); got != test.want {
			t.Errorf("%v: %q, want %q", test.tools, got, test.want)
		}
		if all := strings.Join(notes, "\n"); !strings.Contains(all, test.note) || test.note == "" && all != "" {
			t.Errorf("%v: notes %q, want %q", test.tools, all, test.note)
		}
	}
}

// Three built-in translators that did not change are there to compare with; of one more, only
// some things are a change.
func TestChangesLeast(t *testing.T) {
	for _, test := range []struct {
		what     string
		formulas int
		seconds  float64
		ratio    float64
		want     string
		note     string
	}{
		{"enough", 200, 0.01, 1.12, "mine time 1.12", ""},
		{"4 % is too little", 200, 0.01, 1.04, "", ""},
		{"0.05 ms a call is too little", 200, 0.0003, 1.1, "", ""},
		{"twice as long is enough of little", 200, 0.0003, 2, "mine time 2.00", ""},
		{"too few formulas", 19, 0.01, 2, "", "sizes of mine not compared: both runs have its automata for only 19 formulas, need 20"},
		{"too few to be sure", 23, 0.01, 2, "", "times of mine not compared: 23 formulas are too few for a significant change"},
		{"no times", 200, 0, 1, "", "times of mine not compared: both runs have them for only 0 formulas, need 20"},
	} {
		var c Comparison
		rng := rand.New(rand.NewPCG(2, 0))
		for _, name := range []string{"gpvw", "gastin-oddoux", "couvreur"} {
			c.Translator(name, "1.0", "1.0")
			if test.formulas >= 24 {
				addTimes(&c, rng, name, test.formulas, 0.0003, 1)
			}
		}
		addTimes(&c, rng, "mine", test.formulas, test.seconds, test.ratio)
		changes, notes := c.Changes()
		if got := changed(changes); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
		if all := strings.Join(notes, "\n"); !strings.Contains(all, test.note) {
			t.Errorf("%s: notes %q, want %q", test.what, all, test.note)
		}
	}
}

// Sizes have no noise. But a change must be one of the sum, and not one by a few formulas.
func TestChangesSizes(t *testing.T) {
	for _, test := range []struct {
		what    string
		after   func(formula, states int) int
		upgrade bool
		want    string
		note    string
	}{
		{"nothing", func(_, s int) int { return s }, false, "", ""},
		{"one state more, each", func(_, s int) int { return s + 1 }, true, "mine states 1.18", ""},
		{"the same, of the same version", func(_, s int) int { return s + 1 }, false, "mine states 1.18", "sizes of mine changed for 300 of 300 formulas, though its version is the same"},
		{"a fifth is smaller", func(f, s int) int { return s - bit(f%5 == 0) }, true, "mine states 0.96", ""},
		{"as much to one side as to the other", func(f, s int) int { return s + 1 - 2*(f%2) }, true, "", ""},
		{"of five formulas", func(f, s int) int { return s + 50*bit(f < 5) }, true, "", ""},
		{"less than one in a hundred", func(f, s int) int { return s + bit(f%20 == 0) }, false, "", "for 15 of 300 formulas"},
		// Most become smaller, but the sum is larger: nothing that can be said in a line.
		{"a sum that says otherwise", func(f, s int) int { return s - 1 + 1000*bit(f == 7) }, true, "", ""},
		{"automata without states", func(_, s int) int { return 0 }, true, "mine states 0.00", ""},
	} {
		var c Comparison
		c.Translator("mine", "1.0", "1.0")
		if test.upgrade {
			c.Translator("mine", "1.0", "1.1")
		}
		for f := range 300 {
			states := 3 + f%6
			c.Add("mine", Call{Place: int64(f), States: states, Edges: 4}, Call{Place: int64(f), States: test.after(f, states), Edges: 4})
		}
		changes, notes := c.Changes()
		if got := changed(changes); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
		if all := strings.Join(notes, "\n"); !strings.Contains(all, test.note) || test.note == "" && strings.Contains(all, "size") {
			t.Errorf("%s: notes %q, want %q", test.what, all, test.note)
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The order in which pairs are added doesn't matter, and changing the runs for each other
// inverts the changes.
func TestChangesSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	type pair struct {
		name          string
		before, after Call
	}
	for range 20 {
		var pairs []pair
		for k, name := range []string{"a", "b", "c", "d"} {
			for f := range 60 {
				x := math.Exp(rng.NormFloat64()) / 100
				y := x * math.Exp(0.1*rng.NormFloat64()+0.4*float64(k/3))
				pairs = append(pairs, pair{name, Call{int64(f), 3, 4 + rng.IntN(3), x, x}, Call{int64(59 - f), 3, 5 + rng.IntN(3), y, y}})
			}
		}
		compare := func(swap bool) []outcome.Change {
			var c Comparison
			for _, name := range []string{"a", "b", "c", "d"} {
				c.Translator(name, "", "")
			}
			for _, p := range pairs {
				if swap {
					p.before, p.after = p.after, p.before
				}
				c.Add(p.name, p.before, p.after)
			}
			changes, _ := c.Changes()
			return changes
		}
		first := compare(false)
		if len(first) < 5 {
			t.Fatalf("only %v", first)
		}
		back := compare(true)
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		for i, again := range compare(false) {
			if again.Translator != first[i].Translator || again.Measure != first[i].Measure || math.Abs(again.Ratio-first[i].Ratio) > 1e-9 || math.Abs(again.P-first[i].P) > 1e-9 {
				t.Errorf("%+v in another order is %+v", first[i], again)
			}
		}
		for i, other := range back {
			if math.Abs(math.Log(other.Ratio*first[i].Ratio)) > 1e-9 || other.Before != first[i].After || math.Abs(other.P-first[i].P) > 1e-9 {
				t.Errorf("%+v the other way is %+v", first[i], other)
			}
		}
	}
}

// Nothing that could be in a file makes a comparison panic, or report what is no number.
func TestChangesHostile(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	odd := []float64{0, math.Copysign(0, -1), -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-9, 1, 1e8}
	sizes := []int{0, -1, 1, 7, math.MaxInt32, math.MinInt32}
	for range 200 {
		var c Comparison
		for range rng.IntN(200) {
			call := func() Call {
				return Call{rng.Int64N(100) - 50, sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], odd[rng.IntN(len(odd))], odd[rng.IntN(len(odd))]}
			}
			c.Add(string(rune('a'+rng.IntN(4))), call(), call())
		}
		changes, _ := c.Changes()
		for _, change := range changes {
			if math.IsNaN(change.Ratio) || math.IsInf(change.Ratio, 0) || !(change.P >= 0 && change.P <= level) {
				t.Errorf("%+v", change)
			}
		}
	}
	var c Comparison
	if changes, notes := c.Changes(); changes != nil || notes != nil {
		t.Errorf("nothing: %v, %v", changes, notes)
	}
}

// Holm's method on a known example: 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02. One
// that is no test has no share.
func TestHolm(t *testing.T) {
	all := make([]finding, 5)
	for i, p := range []float64{0.01, 0.04, 1, 0.03, 0.005} {
		all[i].change.P = p
		all[i].testing = i != 2
	}
	holm(all)
	for i, want := range []float64{0.03, 0.06, 1, 0.06, 0.02} {
		if math.Abs(all[i].change.P-want) > 1e-12 {
			t.Errorf("test %d: %v, want %v", i, all[i].change.P, want)
		}
	}
}

func TestSentence(t *testing.T) {
	tuesday := &outcome.RunID{Run: 7, Started: time.Date(2026, 11, 17, 22, 0, 0, 0, time.UTC)}
	for _, test := range []struct {
		change outcome.Change
		since  *outcome.RunID
		want   string
	}{
		{outcome.Change{Translator: "ltl3ba", Measure: "time", Formulas: 812, Ratio: 1.12, P: 1e-9}, tuesday, "ltl3ba became 12 % slower since Tue 2026-11-17 (time, 812 formulas, p < 0.0001)"},
		{outcome.Change{Translator: "ltl3ba", Measure: "time", Formulas: 812, Ratio: 0.88, P: 0.00024}, tuesday, "ltl3ba became 12 % faster since Tue 2026-11-17 (time, 812 formulas, p = 0.0002)"},
		{outcome.Change{Translator: "ltl3ba", Measure: "time", Formulas: 812, Ratio: 2.31, P: 0.0041}, tuesday, "ltl3ba became 2.3 times as slow since Tue 2026-11-17 (time, 812 formulas, p = 0.004)"},
		{outcome.Change{Translator: "ltl3ba", Measure: "time", Formulas: 812, Ratio: 0.05, P: 0}, &outcome.RunID{Run: 7}, "ltl3ba became 20 times as fast since run 7 (time, 812 formulas, p < 0.0001)"},
		{outcome.Change{Translator: "gpvw", Measure: "states", Formulas: 600, Ratio: 0.97, P: 0.001, VersionBefore: "1.0", VersionAfter: "1.1"}, tuesday, "gpvw makes automata with 3 % fewer states since Tue 2026-11-17 (states, 600 formulas, p = 0.001); it was 1.0 and is 1.1"},
		{outcome.Change{Translator: "gpvw", Measure: "edges", Formulas: 600, Ratio: 1.013, P: 0.001}, nil, "gpvw makes automata with 1.3 % more edges (edges, 600 formulas, p = 0.001)"},
		{outcome.Change{Translator: "gpvw", Measure: "edges", Formulas: 600, Ratio: 3, P: 0.001, VersionBefore: "1.0", VersionAfter: "1.0"}, nil, "gpvw makes 3.0 times as many edges (edges, 600 formulas, p = 0.001)"},
	} {
		if got := test.change.Sentence(test.since); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
}

// A simulated pair of runs: three translators that are asked through a pipe, of a fraction of
// a millisecond and very noisy, and some that are started for each formula.
type nights struct {
	formulas int
	started  int     // translators that are started
	asked    int     // translators that are asked, of a known version
	noise    float64 // standard deviation of the logarithm of a ratio; twice as much for those asked
	apart    float64 // standard deviation of how differently the machine treats translators in a night
	load     float64 // the machine is so much slower in one of the nights, for a part of it
	part     float64 // how long that part is, of the night
	machine  float64 // all of the later night takes so many times as long
	tail     float64 // share of calls that take much longer
	tick     float64 // granularity of the clock of the processors, in seconds
	shuffled bool    // the later run has another order
	slower   float64 // the first one that is started takes so many times as long
}

// compare draws the times.
func (n nights) compare(rng *rand.Rand) *Comparison {
	c := &Comparison{}
	tools := n.started + n.asked
	places := rng.Perm(n.formulas)
	if !n.shuffled {
		slices.Sort(places)
	}
	// Loads of both nights, with an hour that is different, and waves that last some formulas.
	var loads [2][]float64
	for night := range loads {
		loads[night] = make([]float64, n.formulas)
		wave, from, to := 0.0, -1, -1
		if n.part > 0 && rng.IntN(2) == night {
			from = rng.IntN(n.formulas)
			to = from + int(n.part*float64(n.formulas))
		}
		for f := range loads[night] {
			wave = 0.9*wave + 0.4*n.noise*rng.NormFloat64()*math.Sqrt(1-0.9*0.9)
			loads[night][f] = wave
			if f >= from && f < to {
				loads[night][f] += math.Log(n.load)
			}
		}
	}
	sizes := make([]float64, 2*n.formulas)
	for i := range sizes {
		sizes[i] = rng.NormFloat64()
	}
	for k := range tools {
		name, base, grows, noise, factor := fmt.Sprintf("started%d", k), 0.005, 0.3, n.noise, n.machine
		if k >= n.started {
			name, base, grows, noise = fmt.Sprintf("asked%d", k), 0.0003, 1, 2*n.noise
			c.Translator(name, "1.0", "1.0")
		}
		factor *= math.Exp(n.apart * rng.NormFloat64())
		if k == 0 {
			factor *= n.slower
		}
		for i, size := range sizes {
			draw := func(load float64) Call {
				x := base * math.Exp(grows*size+load+noise*0.9/math.Sqrt2*rng.NormFloat64())
				if rng.Float64() < n.tail {
					x *= math.Exp(3 * rng.Float64())
				}
				wall := x * math.Exp(0.3+math.Abs(n.noise*rng.NormFloat64()))
				return Call{Place: int64(i / 2), States: 3, Edges: 5, Seconds: wall, CPU: x}
			}
			before := draw(loads[0][i/2])
			after := draw(loads[1][places[i/2]])
			after.CPU *= factor
			after.Seconds *= factor
			if n.tick > 0 {
				before.CPU = math.Floor(before.CPU/n.tick+rng.Float64()) * n.tick
				after.CPU = math.Floor(after.CPU/n.tick+rng.Float64()) * n.tick
			}
			after.Place = int64(places[i/2])
			c.Add(name, before, after)
		}
	}
	return c
}

// quiet is a machine that runs nothing else. shared is a machine that others use as well: its
// calls are as noisy as in testdata/nights.txt.
var (
	quiet  = nights{formulas: 250, started: 3, asked: 3, noise: 0.1, apart: 0.01, machine: 1, tail: 0.01, slower: 1}
	shared = nights{formulas: 250, started: 3, asked: 3, noise: 0.3, apart: 0.02, machine: 1, tail: 0.05, slower: 1}
)

// A scenario is a kind of pair of runs. A slowdown by 12 % must be found in at least the
// share least of the pairs.
type scenario struct {
	name   string
	nights nights
	least  float64
	quick  bool // part of the short test
	unfair bool // there are more false alarms than promised
}

func scenarios() (all []scenario) {
	add := func(name string, of nights, quick bool, least float64, change func(*nights)) {
		if change != nil {
			change(&of)
		}
		all = append(all, scenario{name: name, nights: of, quick: quick, least: least})
	}
	add("quiet", quiet, true, 0.95, nil)
	add("quiet, 60 formulas", quiet, false, 0.6, func(n *nights) { n.formulas = 60 })
	add("quiet, one translator and the built-in ones", quiet, true, 0.75, func(n *nights) { n.started = 1 })
	add("quiet, no built-in ones", quiet, false, 0.2, func(n *nights) { n.asked = 0 })
	add("quiet, one translator and one built-in one", quiet, false, 0, func(n *nights) { n.started, n.asked = 1, 1 })
	add("quiet, one translator alone", quiet, false, 0, func(n *nights) { n.started, n.asked = 1, 0 })
	add("quiet, a machine 20 % slower", quiet, true, 0.8, func(n *nights) { n.machine = 1.2 })
	add("quiet, an eighth of the night 1.5 times slower", quiet, true, 0.9, func(n *nights) { n.load, n.part = 1.5, 0.125 })
	add("quiet, half of the night 1.5 times slower", quiet, false, 0.4, func(n *nights) { n.load, n.part = 1.5, 0.5 })
	add("quiet, the same, in another order", quiet, true, 0.3, func(n *nights) { n.load, n.part, n.shuffled = 1.5, 0.5, true })
	add("quiet, a clock of 10 ms", quiet, false, 0.5, func(n *nights) { n.tick = 0.01 })
	add("shared", shared, true, 0.1, nil)
	add("shared, an eighth of the night twice as slow", shared, false, 0, func(n *nights) { n.load, n.part = 2, 0.125 })
	add("shared, half of the night twice as slow", shared, false, 0, func(n *nights) { n.load, n.part = 2, 0.5 })
	add("shared, a machine 30 % slower", shared, false, 0.1, func(n *nights) { n.machine = 1.3 })
	add("shared, the machine treats translators by 5 % differently", shared, false, 0, func(n *nights) { n.apart = 0.05 })
	all[len(all)-1].unfair = true
	return all
}

// TestChangesSimulated counts false alarms and true ones. With XCHECK_CAMPAIGN=2000 there
// are so many pairs of runs of each kind, and the table of bench/results/regressions.md is printed.
func TestChangesSimulated(t *testing.T) {
	runs, seed := campaign.Seeded(t, 60, 1)
	var table strings.Builder
	for _, s := range scenarios() {
		if !s.quick && !campaign.Long() {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			alarms, naive := 0, 0
			for range runs {
				c := s.nights.compare(rng)
				if changes, _ := c.Changes(); len(changes) > 0 {
					alarms++
				}
				if campaign.Long() && rankedAlone(c) {
					naive++
				}
			}
			if allowed := level*float64(runs) + 3*math.Sqrt(level*float64(runs)); float64(alarms) > allowed && !s.unfair {
				t.Errorf("%d false alarms in %d pairs of runs; at a level of %v there are no more than %.0f (seed %d)", alarms, runs, level, allowed, seed)
			}
			tried := min(runs, 200)
			found := s.found(rng, tried, 1.12)
			if expected := s.least * float64(tried); float64(found) < expected-3*math.Sqrt(expected*(1-s.least)) {
				t.Errorf("12 %% was found in %d of %d pairs of runs (seed %d)", found, tried, seed)
			}
			if campaign.Long() {
				fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", s.name, share(naive, runs), share(alarms, runs), share(found, tried), share(s.found(rng, tried, 1.25), tried))
			}
		})
	}
	t.Log("\n" + table.String())
}

// found counts the pairs of runs in which a translator that became slower is found.
func (s scenario) found(rng *rand.Rand, runs int, slower float64) (found int) {
	s.nights.slower = slower
	for range runs {
		changes, _ := s.nights.compare(rng).Changes()
		if slices.ContainsFunc(changes, func(c outcome.Change) bool { return c.Translator == "started0" && c.Ratio > 1 }) {
			found++
		}
	}
	return found
}

func share(n, of int) string {
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

// rankedAlone is what a comparison would say by the signed-rank test of all ratios, with
// Holm's method, and 5 %.
func rankedAlone(c *Comparison) bool {
	var all []finding
	for _, t := range c.tools {
		r := t.timeRatios()
		p, _ := signedRanks(r.all)
		all = append(all, finding{testing: true, change: outcome.Change{P: p}, enough: math.Abs(r.typical) > math.Log(leastTime)})
	}
	holm(all)
	return slices.ContainsFunc(all, func(f finding) bool { return f.enough && f.change.P <= level })
}

// realRuns reads processor times that were measured: of translators for the same 150 formulas and their
// negations, in several runs one after the other, on two cores that others used as well. The first line has
// the number of runs and the names, the others a place and for each translator the microseconds in each run.
func realRuns(t *testing.T, file string) (runs int, names []string, times map[string][][]float64) {
	text := must.Get(os.ReadFile(file))
	head, body, _ := strings.Cut(string(text), "\n")
	names = strings.Fields(head)
	runs = must.Get(strconv.Atoi(names[0]))
	names = names[1:]
	times = map[string][][]float64{}
	for line := range strings.Lines(body) {
		fields := strings.Fields(line)
		if len(fields) != 1+runs*len(names) {
			t.Fatalf("%s: %q", file, line)
		}
		for k, name := range names {
			of := make([]float64, runs) // 0 where there was no automaton
			for i := range of {
				if field := fields[1+k*runs+i]; field != "-" {
					of[i] = must.Get(strconv.ParseFloat(field, 64))
				}
			}
			times[name] = append(times[name], of)
		}
	}
	return runs, names, times
}

// Runs of the same translators, as they were measured, are compared with each other, each pair
// in both directions. Nothing had changed. What one translator does is then made longer.
func TestChangesMeasured(t *testing.T) {
	runs, names, times := realRuns(t, "testdata/nights.txt")
	compare := func(i, j int, slower float64) []outcome.Change {
		var c Comparison
		for k, name := range names {
			if k < 3 { // the built-in ones
				c.Translator(name, "1.0", "1.0")
			}
			for place, of := range times[name] {
				x, y := of[i]/1e6, of[j]/1e6
				if name == "own" {
					y *= slower
				}
				if x > 0 && y > 0 {
					c.Add(name, Call{Place: int64(place / 2), Seconds: x, CPU: x}, Call{Place: int64(place / 2), Seconds: y, CPU: y})
				}
			}
		}
		changes, _ := c.Changes()
		return changes
	}
	found := map[float64]int{}
	alarms := 0
	for i := range runs {
		for j := range runs {
			if i == j {
				continue
			}
			for _, change := range compare(i, j, 1) {
				alarms++
				t.Errorf("runs %d and %d: %s", i, j, change.Sentence(nil))
			}
			for _, slower := range []float64{1.12, 1.25, 1.5} {
				if slices.ContainsFunc(compare(i, j, slower), func(c outcome.Change) bool { return c.Translator == "own" && c.Ratio > 1 }) {
					found[slower]++
				}
			}
		}
	}
	pairs := runs * (runs - 1)
	t.Logf("%d pairs of runs: %d false alarms; found: %v", pairs, alarms, found)
	if alarms > 0 {
		t.Errorf("%d false alarms", alarms)
	}
	if found[1.5] < pairs/2 {
		t.Errorf("1.5 times as long was found in %d of %d pairs", found[1.5], pairs)
	}
}

// countedRanks returns twice the mid-ranks of the numbers that are not 0, found by counting, and their sum
// over the positive ones.
func countedRanks(numbers []float64) (ranks []int, positive int) {
	for _, v := range numbers {
		if v == 0 {
			continue
		}
		rank := 1
		for _, w := range numbers {
			if w != 0 && math.Abs(w) <= math.Abs(v) {
				rank++
			}
			if w != 0 && math.Abs(w) < math.Abs(v) {
				rank++
			}
		}
		if ranks = append(ranks, rank); v > 0 {
			positive += rank
		}
	}
	return ranks, positive
}

// enumeratedSignedRanks tries all signs of the numbers: the probability of a rank sum that is at least as
// far from its mean.
func enumeratedSignedRanks(numbers []float64) float64 {
	ranks, observed := countedRanks(numbers)
	total := 0
	for _, r := range ranks {
		total += r
	}
	as := 0
	for signs := range 1 << len(ranks) {
		sum := 0
		for i, r := range ranks {
			sum += r * (signs >> i & 1)
		}
		if max(2*sum-total, total-2*sum) >= max(2*observed-total, total-2*observed) {
			as++
		}
	}
	return float64(as) / float64(int(1)<<len(ranks))
}

// The exact test is compared with all signs of up to 11 numbers, with many ties and zeros.
func TestSignedRanksEnumerated(t *testing.T) {
	tests, seed := campaign.Seeded(t, 300, 1)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range tests {
		numbers := make([]float64, rng.IntN(12))
		values := 1 + rng.IntN(12) // few: many ties
		for j := range numbers {
			numbers[j] = float64(rng.IntN(2*values+1) - values)
		}
		p, _ := signedRanks(numbers)
		if want := enumeratedSignedRanks(numbers); math.Abs(p-want) > 1e-12 {
			t.Fatalf("seed %d, input %d: %v: p = %v, by enumeration %v", seed, i, numbers, p, want)
		}
	}
}

// Where the approximation begins, it is close to the exact distribution, also with ties.
func TestSignedRanksNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		numbers := make([]float64, exactRanks+1)
		shift, values := rng.Float64(), 1+rng.IntN(100)
		for j := range numbers {
			numbers[j] = float64(1 + rng.IntN(values))
			if rng.Float64() < 0.5+0.4*shift {
				numbers[j] = -numbers[j]
			}
		}
		approximated, n := signedRanks(numbers)
		ranks, extreme := countedRanks(numbers)
		exact := exactTail(ranks, min(extreme, n*(n+1)-extreme))
		// Far out, the approximation is conservative; p is then compared in magnitude only.
		if exact > 1e-4 && math.Abs(approximated-exact) > 0.004+0.1*exact || exact <= 1e-4 && approximated > 1e-3 {
			t.Fatalf("%v: p = %v, exactly %v", numbers, approximated, exact)
		}
	}
}

func TestSignedRanksNothing(t *testing.T) {
	for _, numbers := range [][]float64{nil, {0}, {0, math.Copysign(0, -1), 0}} {
		if p, n := signedRanks(numbers); p != 1 || n != 0 {
			t.Errorf("signedRanks(%v) = %v, %d; want 1, 0", numbers, p, n)
		}
	}
	if p, n := signedRanks([]float64{1, 2, 0, 3, 4}); p != leastP(4) || n != 4 {
		t.Errorf("p = %v of %d numbers; the least of 4 is %v", p, n, leastP(4))
	}
}

// TestHodgesLehmann: quantiles stand for many numbers, and their negatives have the negative median.
func TestHodgesLehmann(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	numbers, negative := make([]float64, 20_011), make([]float64, 20_011)
	for i := range numbers {
		numbers[i] = 5 + rng.NormFloat64()
		if i%5 == 0 { // somebody else's job
			numbers[i] += 1000
		}
		negative[i] = -numbers[i]
	}
	// 64 % of the pairs are of small numbers: the median of all is the 78 % quantile of their averages.
	if m := hodgesLehmann(numbers); math.Abs(m-5.546) > 0.03 || hodgesLehmann(negative) != -m {
		t.Errorf("%v, and %v of the negatives", m, hodgesLehmann(negative))
	}
	if x := hodgesLehmann(nil); !math.IsNaN(x) {
		t.Errorf("of no number: %v", x)
	}
}

// TestWorkedExamples runs the examples in the comments of the statistics and of joined.
func TestWorkedExamples(t *testing.T) {
	if p, n := signedRanks([]float64{1, -2, 3, 4}); p != 2.0*3/16 || n != 4 {
		t.Errorf("signedRanks: %v of %d", p, n)
	}
	if m := hodgesLehmann([]float64{1, 1, 1, 1, 100}); m != 1 {
		t.Errorf("hodgesLehmann: %v", m)
	}
	var all []finding
	for _, p := range []float64{0.004, 0.02, 0.001} {
		f := finding{testing: true}
		f.change.P = p
		all = append(all, f)
	}
	holm(all)
	for i, want := range []float64{0.008, 0.02, 0.003} {
		if math.Abs(all[i].change.P-want) > 1e-12 {
			t.Errorf("holm: %v, want %v", all[i].change.P, want)
		}
	}
}

// BenchmarkAdd stores cases: their number a second, and the bytes of the file for each.
func BenchmarkAdd(b *testing.B) {
	s := openTemporary(b)
	r := must.Get(s.Begin(ctx, plan("")))
	i := 0
	for b.Loop() {
		must.Do(r.Add(sample(i)))
		i++
	}
	must.Do(errors.Join(r.Flush(), s.Close()))
	info := must.Get(os.Stat(s.Path()))
	b.ReportMetric(float64(info.Size())/float64(i), "bytes/case")
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "cases/s")
}

// BenchmarkResume finds out which of 100,000 cases are there, and reads all of them.
func BenchmarkResume(b *testing.B) {
	s := openTemporary(b)
	r := must.Get(s.Begin(ctx, plan("")))
	const number = 100000
	for i := range number {
		must.Do(r.Add(sample(i)))
	}
	must.Do(r.Flush())
	for b.Loop() {
		info, err := s.Unfinished(ctx, plan(""))
		if err != nil {
			b.Fatal(err)
		}
		if r, err = s.Resume(ctx, info); err != nil || r.Stored() != number {
			b.Fatal(r.Stored(), err)
		}
		for i := range number {
			if _, err := r.Case(ctx, i); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/number, "µs/case")
}
