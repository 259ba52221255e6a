package history

import (
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A timePair is the times of two calls for the same formula, with their places.
type timePair struct {
	placeBefore, placeAfter int64
	before, after           float64 // seconds on the wall
	cpuBefore, cpuAfter     float64
}

const (
	// cpuKnown is the share of pairs that have both processor times so that these are
	// compared. A clock that ticks a hundred times a second has 0 too often.
	cpuKnown = 0.95
	// blocks is into how many parts a run is divided, at most, and blockPlaces how many places
	// are in one at least. blockPairs is how many pairs of a translator are in one at least, so
	// that the part is used.
	blocks      = 20
	blockPlaces = 3
	blockPairs  = 3
	// leastTime is the least typical ratio of times, where there are enough translators to know
	// the machine from.
	leastTime = 1.05
	// spreads is how many standard deviations of the translators from each other one has to be
	// away from what they have in common.
	spreads = 3
	// noises is how many standard deviations of the ratios of a translator the typical one must
	// be away: three standard errors of the mean of 144 calls. However many calls there are, as
	// they depend on each other, they are not taken for more.
	noises = 0.25
	// leastSeconds is what a change must make of a mean call. Below it are page faults, caches
	// and a process woken a bit later: the time of what the system does, not the translator.
	leastSeconds = 0.0002
	// shortest and longest are seconds that no call takes.
	shortest, longest = 1e-12, 1e9
)

// leastOf is the least typical ratio where there are only so many translators.
var leastOf = [...]float64{1: 1.5, 2: 1.25, 3: 1.1}

// timeRatios are the logarithms of the ratios of a translator, all by the same clock.
type timeRatios struct {
	tool          *toolCalls
	all           []float64
	before, after []int64 // their places
	sumBefore     float64
	sumAfter      float64
	typical       float64 // the Hodges–Lehmann estimate
}

// times tests for each translator whether it has become slower or faster. The times are
// processor times, which are less noisy, if they are known for nearly all calls; otherwise
// wall times.
//
// What has to be told apart is the translator and the machine. A machine is slower for a
// whole night, or for an hour while somebody else has a job. Both are seen from the other
// translators, which have the same formulas at the same time:
//
//   - What all have in common is the median of their typical ratios. If some versions are
//     known to be the same as before, only their translators count. But a machine is not
//     slower by the same factor for everything: where the built-in translators, which are
//     asked through a pipe, take 15 % longer, a process that is started for each formula need
//     not. So nothing between it and no change at all is taken for the translator's doing.
//   - A run is divided into parts of the same length. From the ratios of a part is taken what
//     the other translators have in common there beyond their own typical ratios.
//   - How far the translators are from each other says how differently the machine treats
//     them. One that has changed must be away by spreads times that, and by a share of the
//     noise of its own calls.
//
// Calls that are made at about the same time are noisy together, so that the signed-rank test
// alone, for which they are independent, finds too much. It is made of all ratios, and of the
// typical ratios of the parts, which hardly depend on each other. The greater p counts. If the
// formulas had another order in the earlier run, the parts of its order count as well.
func (c *Comparison) times() (findings []finding, notes []string) {
	findings = make([]finding, len(c.tools)) // without a test, but for those that follow
	all := make([]*timeRatios, len(c.tools))
	var known []*timeRatios
	for i, t := range c.tools {
		findings[i].change = t.change("time", 0, 0)
		if r := t.timeRatios(); len(r.all) >= leastPairs {
			all[i] = r
			known = append(known, r)
		} else if t.pairs >= leastPairs {
			notes = append(notes, fmt.Sprintf("times of %s not compared: both runs have them for only %d %s, need %d", t.name, len(r.all), t.inputs, leastPairs))
		}
	}
	if len(known) == 0 {
		return findings, notes
	}
	common := machine(known)
	notes = append(notes, machineNotes(known, common)...)
	orders := []*parts{divide(known, func(r *timeRatios) []int64 { return r.after })}
	if slices.ContainsFunc(known, func(r *timeRatios) bool { return !slices.Equal(r.before, r.after) }) {
		orders = append(orders, divide(known, func(r *timeRatios) []int64 { return r.before }))
	}
	for i, r := range all {
		if r == nil {
			continue
		}
		findings[i] = r.finding(known, common, orders)
		if !findings[i].testing {
			notes = append(notes, fmt.Sprintf("times of %s not compared: %d %s are too few for a significant change", r.tool.name, len(r.all), r.tool.inputs))
		}
	}
	return findings, notes
}

// timeRatios returns the ratios of the tool's calls, by processor times if nearly all pairs have both,
// and otherwise by the clock on the wall.
func (t *toolCalls) timeRatios() *timeRatios {
	cpu := 0
	for _, p := range t.times {
		if p.cpuBefore > 0 && p.cpuAfter > 0 {
			cpu++
		}
	}
	byCPU := float64(cpu) >= cpuKnown*float64(len(t.times))
	r := &timeRatios{tool: t}
	for _, p := range t.times {
		x, y := p.before, p.after
		if byCPU {
			x, y = p.cpuBefore, p.cpuAfter
		}
		// A time of 0 was too short for its clock, and has no ratio.
		if min(x, y) > shortest && max(x, y) < longest {
			r.all = append(r.all, logRatio(x, y))
			r.before = append(r.before, p.placeBefore)
			r.after = append(r.after, p.placeAfter)
			r.sumBefore += x
			r.sumAfter += y
		}
	}
	r.typical = hodgesLehmann(r.all)
	return r
}

// machine estimates what translators have in common: the median of the typical ratios of all
// translators known to be the same program as before. If there are none, it is the median of
// all. If two are in the middle, "no change" decides between them. One translator alone has
// nothing in common with others.
func machine(known []*timeRatios) float64 {
	if len(known) == 1 {
		return 0
	}
	steady := typical(known, (*toolCalls).steady)
	if len(steady) == 0 {
		steady = typical(known, nil)
	}
	if len(steady)%2 == 0 {
		steady = append(steady, 0)
	}
	return median(steady)
}

// spread estimates how differently the machine treats translators: the standard deviation of
// their typical ratios, of which less than half may have changed. Those of another version
// are left out if there are three others: they may all have changed. Two don't say which of
// them has.
func spread(known []*timeRatios) float64 {
	if same := typical(known, func(t *toolCalls) bool { return !t.upgraded() }); len(same) >= 3 {
		return deviation(same)
	}
	if len(known) >= 3 {
		return deviation(typical(known, nil))
	}
	return 0
}

// typical returns the typical ratios of translators, of all if are is nil.
func typical(known []*timeRatios, are func(*toolCalls) bool) (list []float64) {
	for _, r := range known {
		if are == nil || are(r.tool) {
			list = append(list, r.typical)
		}
	}
	return list
}

// deviation estimates the standard deviation by the median of the distances from the median,
// times the factor that is right where the numbers are normal.
func deviation(numbers []float64) float64 {
	x := slices.Clone(numbers)
	middle := median(x)
	for i := range x {
		x[i] = math.Abs(x[i] - middle)
	}
	return 1.4826 * median(x)
}

// median sorts the numbers, of which there must be some.
func median(numbers []float64) float64 {
	slices.Sort(numbers)
	n := len(numbers)
	return (numbers[(n-1)/2] + numbers[n/2]) / 2
}

// parts are the parts of a run: the last place of each, and for each translator the typical
// ratio of each part, NaN where there are too few of its pairs.
type parts struct {
	places  func(*timeRatios) []int64
	last    []int64
	typical map[*timeRatios][]float64
}

// divide divides a run into parts with as many places each.
func divide(known []*timeRatios, places func(*timeRatios) []int64) *parts {
	var all []int64
	for _, r := range known {
		all = append(all, places(r)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	n := max(1, min(blocks, len(all)/blockPlaces))
	p := &parts{places: places, typical: map[*timeRatios][]float64{}}
	for i := range n {
		p.last = append(p.last, all[(i+1)*len(all)/n-1])
	}
	for _, r := range known {
		in := make([][]float64, n)
		for i, place := range places(r) {
			k := p.part(place)
			in[k] = append(in[k], r.all[i])
		}
		p.typical[r] = make([]float64, n)
		for k := range in {
			p.typical[r][k] = math.NaN()
			if len(in[k]) >= blockPairs {
				p.typical[r][k] = hodgesLehmann(in[k])
			}
		}
	}
	return p
}

// part returns in which part a place is.
func (p *parts) part(place int64) int {
	k, _ := slices.BinarySearch(p.last, place)
	return k
}

// load returns for each part what all translators but one have in common there beyond their
// typical ratios, in the median. It takes two others.
func (p *parts) load(known []*timeRatios, but *timeRatios) []float64 {
	load := make([]float64, len(p.last))
	for k := range load {
		var others []float64
		for _, r := range known {
			if x := p.typical[r][k]; r != but && !math.IsNaN(x) {
				others = append(others, x-r.typical)
			}
		}
		if len(others) >= 2 {
			load[k] = median(others)
		}
	}
	return load
}

// test judges a translator's ratios without the load and what is common.
func (p *parts) test(r *timeRatios, load []float64, common float64) (t ratioTest) {
	var of []float64
	for k, x := range p.typical[r] {
		if !math.IsNaN(x) {
			of = append(of, x-load[k]-common)
		}
	}
	each := make([]float64, len(r.all))
	for i, place := range p.places(r) {
		each[i] = r.all[i] - load[p.part(place)] - common
	}
	ofParts, n := signedRanks(of)
	ofAll, _ := signedRanks(each)
	return ratioTest{p: max(ofParts, ofAll), parts: n, typical: hodgesLehmann(of), noise: deviation(each)}
}

// A ratioTest is what a division of a run says of a translator.
type ratioTest struct {
	p       float64
	parts   int     // that say something
	typical float64 // ratio of the parts, its logarithm
	noise   float64 // standard deviation of a single one
}

func (r *timeRatios) finding(known []*timeRatios, common float64, orders []*parts) finding {
	f := finding{change: r.tool.change("time", r.sumBefore, r.sumAfter), testing: true}
	f.change.Formulas = len(r.all)
	least := max(math.Log(leastTime), spreads*spread(known))
	if len(known) < len(leastOf) {
		least = max(least, math.Log(leastOf[len(known)]))
	}
	// The nearest to it of what the machine may have done.
	common = min(max(r.typical, min(common, 0)), max(common, 0))
	beyond := r.typical - common
	f.change.Ratio = math.Exp(beyond)
	f.change.P = 0                            // the greatest p of the tests counts
	mean := r.sumBefore / float64(len(r.all)) // of the calls before, in seconds
	f.enough = math.Abs(f.change.Ratio-1)*math.Exp(common)*mean >= leastSeconds
	for _, p := range orders {
		test := p.test(r, p.load(known, r), common)
		f.change.P = max(f.change.P, test.p)
		f.testing = f.testing && leastP(test.parts) <= level // too few parts can't show anything
		f.enough = f.enough && test.typical*beyond > 0 && math.Abs(beyond) >= max(least, noises*test.noise)
	}
	return f
}

// machineNotes says how far the machine explains changes: whether it has become slower or faster for
// all translators, and which changes are too small to tell. common is the logarithm of a ratio.
func machineNotes(known []*timeRatios, common float64) (notes []string) {
	if len(known) == 1 { // finding takes the same limit
		return []string{fmt.Sprintf("times of %s: with no other translator to compare, a change below a factor of %v counts as the machine's", known[0].tool.name, leastOf[1])}
	}
	if math.Abs(common) >= math.Log(leastTime) {
		of := "the translators"
		if steady := slices.ContainsFunc(known, func(r *timeRatios) bool { return r.tool.steady() }); steady {
			of = "the translators of unchanged version"
		}
		notes = append(notes, fmt.Sprintf("%s took %s: the machine has changed, not they", of, outcome.Percent(math.Exp(common), "more time", "less time")))
	}
	// A smaller spread is not worth a note.
	if least := math.Exp(spreads * spread(known)); least >= leastOf[3] {
		notes = append(notes, fmt.Sprintf("the translators' times vary in different ways: changes below %.0f %% are not significant", 100*(least-1)))
	}
	return notes
}
