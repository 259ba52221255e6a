package builtin_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators/builtin"
)

// campaign returns how many random inputs there are: n, or n times the number
// in XCHECK_CAMPAIGN.
func campaign(t testing.TB, n int) int {
	text := os.Getenv("XCHECK_CAMPAIGN")
	if text == "" {
		return n
	}
	times, err := strconv.Atoi(text)
	if err != nil || times < 1 {
		t.Fatalf("XCHECK_CAMPAIGN=%q: expected a number", text)
	}
	return n * times
}

// equality counts what came out of the comparisons with one algorithm.
type equality struct{ equal, undecided int }

// equalities compares the automata of all algorithms with those of the first one,
// which is the default.
type equalities struct {
	t       *testing.T
	decider productcheck.Decider
	counts  map[string]*equality
}

func newEqualities(t *testing.T) *equalities {
	limits := productcheck.DefaultLimits
	limits.Time = 10 * time.Second
	return &equalities{t: t, decider: productcheck.Decider{Limits: limits}, counts: map[string]*equality{}}
}

// check proves that each algorithm's automata of f and of its negation have the
// languages of the default's, which are complements.
func (e *equalities) check(s *ltl.Store, f *ltl.Formula) {
	e.t.Helper()
	alphabet := omega.NewAlphabet(f.Props()...)
	pos, neg := e.languages(builtin.Default, alphabet, s, f)
	if pos == nil {
		e.t.Errorf("%s: no automaton by %s", f, builtin.Default)
		return
	}
	if !e.empty(f, builtin.Default, pos, true, neg, true) || !e.empty(f, builtin.Default, pos, false, neg, false) {
		return
	}
	pos.SetDual(neg)
	neg.SetDual(pos)
	for _, a := range builtin.Algorithms() {
		if a.Name == builtin.Default {
			continue
		}
		p, n := e.languages(a.Name, alphabet, s, f)
		if p != nil && e.empty(f, a.Name, p, true, neg, true) && e.empty(f, a.Name, n, true, pos, true) &&
			e.empty(f, a.Name, pos, true, p, false) && e.empty(f, a.Name, neg, true, n, false) {
			e.count(a.Name).equal++
		}
	}
}

func (e *equalities) count(algorithm string) *equality {
	if e.counts[algorithm] == nil {
		e.counts[algorithm] = &equality{}
	}
	return e.counts[algorithm]
}

// languages translates f and its negation; nil if that takes too long.
func (e *equalities) languages(algorithm string, alphabet *omega.Alphabet, s *ltl.Store, f *ltl.Formula) (pos, neg *productcheck.Language) {
	ctx, cancel := context.WithTimeout(e.t.Context(), 10*time.Second)
	defer cancel()
	var both [2]*productcheck.Language
	for i, g := range []*ltl.Formula{f, s.Not(f)} {
		a, err := builtin.Translate(ctx, algorithm, s, g)
		switch {
		case ctx.Err() != nil:
			e.undecided(algorithm, g, err)
			return nil, nil
		case err != nil:
			e.t.Fatalf("%s: %s: %v", algorithm, g, err)
		}
		both[i] = productcheck.NewLanguage(a.Over(alphabet))
	}
	return both[0], both[1]
}

// empty reports that no word is in x (or not) and in y (or not).
func (e *equalities) empty(f *ltl.Formula, algorithm string, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool) bool {
	d, err := e.decider.Decide(e.t.Context(), x, inX, y, inY)
	switch {
	case err != nil:
		e.t.Fatal(err)
	case d.Undecided != nil:
		e.undecided(algorithm, f, d.Undecided)
	case !d.Empty():
		e.t.Errorf("%s and %s differ for %s on %s", builtin.Default, algorithm, f, d.Word)
	}
	return d.Undecided == nil && d.Empty()
}

func (e *equalities) undecided(algorithm string, f *ltl.Formula, why error) {
	e.count(algorithm).undecided++
	e.t.Logf("%s: %s: %v", algorithm, f, why)
}

// end logs the counts.
func (e *equalities) end() {
	for _, a := range builtin.Algorithms() {
		if c := e.counts[a.Name]; c != nil {
			e.t.Logf("%-14s equal to %s: %d formulas, undecided: %d", a.Name, builtin.Default, c.equal, c.undecided)
		}
	}
}

// TestEqualFuture compares all algorithms on random formulas of size up to 20.
func TestEqualFuture(t *testing.T) {
	equalRandom(t, campaign(t, 500), ltl.RandomOptions{Seed: 21, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 20})
}

// TestEqualPast compares all algorithms on random formulas with past, of size up
// to 12.
func TestEqualPast(t *testing.T) {
	equalRandom(t, campaign(t, 200), ltl.RandomOptions{Seed: 22, Props: []string{"a", "b", "c"}, MinSize: 2, MaxSize: 12, Past: true})
}

// TestEqualPatterns compares all algorithms on the published lists of formulas,
// and on the first members of the families: in a campaign also on the second ones.
func TestEqualPatterns(t *testing.T) {
	e := newEqualities(t)
	n, more := 0, 0
	if campaign(t, 1) != 1 {
		e.decider.Limits.Time = 2 * time.Minute
		more = 1
	}
	for _, set := range patterns.Sets() {
		text := set.Name
		for _, p := range set.Parameters {
			text += fmt.Sprintf(" %d..%d", p.Least, p.Least+more)
		}
		request, err := patterns.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for f := range request.All() {
			s := ltl.NewStore()
			e.check(s, s.Import(f.Formula))
			n++
		}
	}
	t.Logf("%d formulas", n)
	e.end()
}

func equalRandom(t *testing.T, n int, o ltl.RandomOptions) {
	t.Logf("seed %d, %d formulas", o.Seed, n)
	g, err := ltl.NewGenerator(o)
	if err != nil {
		t.Fatal(err)
	}
	e := newEqualities(t)
	for range n {
		f, err := g.Next()
		for err == nil && o.Past && !f.Ops().HasPast() {
			f, err = g.Next()
		}
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		e.check(s, s.Import(f))
	}
	e.end()
}
