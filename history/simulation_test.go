package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

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

// quiet is a machine of its own, shared one that others use as well: the noise of its calls is
// that of testdata/nights.txt.
var (
	quiet  = nights{formulas: 250, started: 3, asked: 3, noise: 0.1, apart: 0.01, machine: 1, tail: 0.01, slower: 1}
	shared = nights{formulas: 250, started: 3, asked: 3, noise: 0.3, apart: 0.02, machine: 1, tail: 0.05, slower: 1}
)

// scenario is a kind of pairs of runs, with the least share of those in which 12 % has
// to be found.
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

// realRuns reads processor times that were measured: of translators for the same 150 formulas
// and their negations, in several runs one after the other, on two cores that others used as
// well. The first line has the number of runs and the names, the others a place and for each
// translator the microseconds in each run.
func realRuns(t *testing.T, file string) (runs int, names []string, times map[string][][]float64) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(text), "\n")
	names = strings.Fields(head)
	if runs, err = strconv.Atoi(names[0]); err != nil {
		t.Fatal(err)
	}
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
					if of[i], err = strconv.ParseFloat(field, 64); err != nil {
						t.Fatal(err)
					}
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
