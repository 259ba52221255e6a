package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Call is one call of a translator, for a formula or for its negation, that gave an automaton.
type Call struct {
	// Place orders the calls of a run: calls with near places ran at about the same time, on
	// the same machine. The number of the formula will do. In a merged run, all calls of one
	// shard come before the calls of the next.
	Place         int64
	States, Edges int
	// Seconds is wall-clock time, CPU is processor time; 0 means unknown.
	Seconds, CPU float64
}

// A Comparison collects the calls of translators for the same formulas in an earlier and a later run, and
// finds significant changes. The zero value is empty. It keeps 48 bytes for each pair of calls.
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

// What counts as a change. docs/regression.md has measurements.
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

// A finding is a change with its test: it is reported if the test allows it, and it is enough.
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
		if t.resized > 0 && !t.upgraded() { // an upgrade explains it
			though := "though its version is the same"
			if !t.steady() {
				though = "its version is unknown"
			}
			notes = append(notes, fmt.Sprintf("sizes of %s changed for %d of %d %s, %s", t.name, t.resized, t.pairs, t.inputs, though))
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
// (Tarone, Biometrics 46, 1990). So 0.004, 0.02 and 0.001 become 0.008, 0.02 and 0.003.
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

// maxCompared is how many formulas of two runs are compared at most: the first ones. Beyond
// that, nothing is found that a tenth of them does not show.
const maxCompared = 100_000

// Measure compares the sizes and times of a run with another run, and adds the result to the regression.
// baseline is the number or name of the other run. With "", it is the last finished run that found nothing
// new and is comparable: it has the same configuration, a configuration file of the same name, or at least
// one translator in common. If no earlier run is comparable, a note says so. The time is linear in the
// formulas of both runs. inputs names what the runs check: "formulas" or "automata".
func (s *Store) Measure(ctx context.Context, r *outcome.Regression, baseline, inputs string) error {
	info, err := s.baseline(ctx, r, baseline)
	if info == nil || err != nil {
		return err
	}
	own, err := s.tools(ctx, r.Run)
	if err != nil {
		return err
	}
	r.Baseline = &info.RunID
	c := Comparison{Inputs: inputs}
	for _, is := range own {
		for _, was := range info.Tools {
			if is.Name == was.Name {
				c.Translator(is.Name, was.Version, is.Version)
			}
		}
	}
	if err := s.pairs(ctx, r.Run, info.Run, c.Add); err != nil {
		return err
	}
	changes, notes := c.Changes()
	for i := range changes {
		if inputs != "formulas" {
			changes[i].Inputs = inputs
		}
	}
	r.Changes = append([]outcome.Change{}, changes...) // never nil: [] in JSON
	r.Notes = append(r.Notes, notes...)
	return nil
}

// baseline returns the run to compare with. It is nil if there is none, and a note says so if a run
// of the same translators has ended before.
func (s *Store) baseline(ctx context.Context, r *outcome.Regression, text string) (*Info, error) {
	if text != "" {
		x, err := s.Other(ctx, text, r.Run)
		if x == nil && err == nil {
			err = s.failed(fmt.Errorf("no run %q to compare with: use a number or name from xcheck history list, or last", text))
		}
		return x, err
	}
	var id int64
	var good bool
	err := s.reads().QueryRowContext(ctx, `SELECT was.id, was.good FROM runs was JOIN runs own ON own.id = ?
		WHERE was.id < own.id AND was.ended IS NOT NULL AND EXISTS (
			SELECT 1 FROM translators a JOIN translators b ON a.name = b.name WHERE a.run = was.id AND b.run = own.id)
		ORDER BY was.good DESC, was.configuration = own.configuration DESC, was.file = own.file DESC, was.id DESC LIMIT 1`, r.Run).Scan(&id, &good)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, s.failed(err)
	case !good:
		r.Notes = append(r.Notes, "sizes and times not compared: no earlier run ended without new failures; use --baseline to choose one")
		return nil, nil
	}
	return s.Info(ctx, id)
}

// pairs calls use for every question that some translator answered in both runs. A formula that
// a run has several times counts as where it comes first.
func (s *Store) pairs(ctx context.Context, run, baseline int64, use func(translator string, before, after Call)) error {
	places, err := s.shardPlaces(ctx, run)
	if err != nil {
		return err
	}
	placesBefore, err := s.shardPlaces(ctx, baseline)
	if err != nil {
		return err
	}
	type pair struct {
		name          string
		before, after Call
	}
	columns := func(x *pair) []any {
		return []any{&x.name, &x.before.Place, &x.before.States, &x.before.Edges, &x.before.Seconds, &x.before.CPU,
			&x.after.Place, &x.after.States, &x.after.Edges, &x.after.Seconds, &x.after.CPU}
	}
	// CROSS JOIN has SQLite look things up in this order, by their keys.
	for x, err := range each(ctx, s.reads(), columns, `WITH
		own(formula, number) AS (SELECT formula, min(number) FROM cases WHERE run = ?1 GROUP BY formula),
		was(formula, number) AS (SELECT formula, min(number) FROM cases WHERE run = ?2 GROUP BY formula),
		both(own, was) AS (SELECT own.number, was.number FROM own JOIN was USING (formula) ORDER BY own.number LIMIT ?3)
		SELECT a.name, y.number, y.states, y.edges, y.time, y.cpu_time, x.number, x.states, x.edges, x.time, x.cpu_time
		FROM both
		CROSS JOIN results x ON x.run = ?1 AND x.number = both.own AND x.status = 'ok'
		CROSS JOIN translators a ON a.run = ?1 AND a.place = x.translator
		CROSS JOIN translators b ON b.run = ?2 AND b.name = a.name
		CROSS JOIN results y ON y.run = ?2 AND y.number = both.was AND y.translator = b.place AND y.negated = x.negated AND y.status = 'ok'`,
		run, baseline, maxCompared) {
		if err != nil {
			return s.failed(err)
		}
		x.before.Place, x.after.Place = placesBefore(x.before.Place), places(x.after.Place)
		use(x.name, x.before, x.after)
	}
	return nil
}

// shardPlaces returns a function from the index of a case to the place of its calls. In a united
// run, the cases of the first shard come first, then the cases of the second, and so on.
func (s *Store) shardPlaces(ctx context.Context, run int64) (func(int64) int64, error) {
	var shards sql.NullInt64
	if err := s.reads().QueryRowContext(ctx, "SELECT max(shards) FROM parts WHERE run = ?", run).Scan(&shards); err != nil {
		return nil, s.failed(err)
	}
	n := max(1, shards.Int64)
	return func(number int64) int64 { return number%n<<32 + number }, nil // the shard, then the place in it
}

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
	// blocks is into how many parts a run is divided, at most, and blockPlaces how many places are in one at
	// least. blockPairs is how many pairs of a translator are in one at least, so that the part is used.
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

// times tests for each translator whether it has become slower or faster, by processor times if nearly all
// are known. The machine must be told apart from the translators: it is slower for a whole night, or for an
// hour while somebody else has a job. Both are seen from the other translators, which have the same formulas
// at the same time.
func (c *Comparison) times() (findings []finding, notes []string) {
	findings = make([]finding, len(c.tools)) // not tested, unless there are enough times: see below
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
	// The machine explains a change that all translators have in common. But it does not slow all of them by
	// the same factor: built-in translators, which are asked through a pipe, may take 15 % longer, and a
	// process that is started for each formula not. So finding also wants a change to stand out from the
	// spread of the translators.
	common := machine(known)
	notes = append(notes, machineNotes(known, common)...)
	// A job of somebody else slows a part of a run. So finding compares a translator with the others in each
	// part of the later run, and of the earlier one too if that had another order. A change must show in both.
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

// machine estimates what translators have in common: the median of the typical ratios of the translators
// known to be the same program as before, or of all if there are none. One translator alone has nothing in
// common with others.
func machine(known []*timeRatios) float64 {
	if len(known) == 1 {
		return 0
	}
	steady := typical(known, (*toolCalls).steady)
	if len(steady) == 0 {
		steady = typical(known, nil)
	}
	if len(steady)%2 == 0 { // "no change" decides between the two in the middle
		steady = append(steady, 0)
	}
	return median(steady)
}

// spread estimates how differently the machine treats translators: the standard deviation of their typical
// ratios, of which less than half may have changed.
func spread(known []*timeRatios) float64 {
	// Translators of another version may all have changed. Two don't say which of them has.
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

// deviation estimates the standard deviation by the median of the distances from the median.
func deviation(numbers []float64) float64 {
	x := slices.Clone(numbers)
	middle := median(x)
	for i := range x {
		x[i] = math.Abs(x[i] - middle)
	}
	return 1.4826 * median(x) // the factor is right where the numbers are normal
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
	// Calls at about the same time are noisy together, so the test of all, for which they are independent,
	// finds too much. Parts hardly depend on each other. The greater p counts.
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

// finding judges the times of a translator. common is what the machine did to all, as a logarithm like least and
// beyond. A change counts if it is large enough beyond that, and goes the same way in each division of the run.
func (r *timeRatios) finding(known []*timeRatios, common float64, orders []*parts) finding {
	f := finding{change: r.tool.change("time", r.sumBefore, r.sumAfter), testing: true}
	f.change.Formulas = len(r.all)
	least := max(math.Log(leastTime), spreads*spread(known))
	if len(known) < len(leastOf) {
		least = max(least, math.Log(leastOf[len(known)]))
	}
	// The machine may have done anything from 0 to common to this translator: assume what explains most of its ratio.
	machine := min(max(r.typical, min(common, 0)), max(common, 0))
	beyond := r.typical - machine
	f.change.Ratio = math.Exp(beyond)
	f.change.P = 0                            // the greatest p of the tests counts
	mean := r.sumBefore / float64(len(r.all)) // of the calls before, in seconds
	f.enough = math.Abs(f.change.Ratio-1)*math.Exp(machine)*mean >= leastSeconds
	for _, order := range orders {
		test := order.test(r, order.load(known, r), machine)
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
		notes = append(notes, fmt.Sprintf("%s took %s: the machine has changed, not they", of, plural.Percent(math.Exp(common), "more time", "less time")))
	}
	// A smaller spread is not worth a note.
	if least := math.Exp(spreads * spread(known)); least >= leastOf[3] {
		notes = append(notes, fmt.Sprintf("the translators' times vary in different ways: changes below %.0f %% are not significant", 100*(least-1)))
	}
	return notes
}
