package translate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	product "github.com/xcheck-ltl/xcheck/translate"
)

// equality counts what came out of the comparisons with one algorithm. Automata
// that are too large to be complemented are only known to have no word that they
// should not have.
type equality struct{ equal, noExtra, undecided int }

// equalities compares the automata of all algorithms with the default algorithm's, the first.
type equalities struct {
	t       *testing.T
	decider productcheck.Decider
	early   time.Duration // for the complement of an automaton made on demand
	largest int           // states of one
	checked int           // formulas
	counts  map[string]*equality
}

func newEqualities(t *testing.T) *equalities {
	e := &equalities{t: t, decider: productcheck.Decider{}, counts: map[string]*equality{}}
	e.decider.Limits.Time, e.early, e.largest = time.Minute, time.Minute, 100 // none is reached
	switch {
	case campaign.Long():
		e.decider.Limits.Time, e.early, e.largest = 2*time.Minute, 2*time.Second, 1000
	case campaign.Whole():
		e.decider.Limits.Time, e.early = 500*time.Millisecond, 100*time.Millisecond
	}
	return e
}

// check proves that each algorithm's automata of f and of its negation have the
// languages of the default's, which are complements.
func (e *equalities) check(s *ltl.Store, f *ltl.Formula) {
	e.t.Helper()
	e.checked++
	alphabet := omega.NewAlphabet(f.Props()...)
	pos, neg := e.languages(product.Default, alphabet, s, f)
	if pos == nil {
		e.t.Errorf("%s: no automaton by %s", f, product.Default)
		return
	}
	if !e.empty(f, product.Default, pos, true, neg, true) || !e.empty(f, product.Default, pos, false, neg, false) {
		return
	}
	pos.SetDual(neg)
	neg.SetDual(pos)
	for _, a := range Algorithms() {
		if a.Name == product.Default {
			continue
		}
		if a.OnDemand {
			switch {
			case !e.noExtra(a.Name, alphabet, s, f, pos, neg):
			case e.whole(a, alphabet, s, f, pos, neg):
				e.count(a.Name).equal++
			default:
				e.count(a.Name).noExtra++
			}
			continue
		}
		p, n := e.languages(a.Name, alphabet, s, f)
		if p != nil && e.empty(f, a.Name, p, true, neg, true) && e.empty(f, a.Name, n, true, pos, true) &&
			e.empty(f, a.Name, pos, true, p, false) && e.empty(f, a.Name, neg, true, n, false) {
			e.count(a.Name).equal++
		}
	}
}

// noExtra checks on demand that no word is in the automaton of f and in the default's
// of the negation, or the other way round. It reports whether that is so.
func (e *equalities) noExtra(algorithm string, alphabet *omega.Alphabet, s *ltl.Store, f *ltl.Formula, pos, neg *productcheck.Language) bool {
	ctx, cancel := context.WithTimeout(e.t.Context(), e.decider.Limits.Time)
	defer cancel()
	for i, g := range []*ltl.Formula{f, s.Not(f)} {
		src, err := sourceOver(ctx, algorithm, s, g, alphabet)
		var word *omega.Word
		if err == nil {
			word, err = common(ctx, src, []*productcheck.Language{neg, pos}[i].Automaton())
		}
		switch {
		case err != nil && ctx.Err() != nil:
			e.undecided(algorithm, g, err)
			return false
		case err != nil:
			e.t.Fatalf("%s: %s: %v", algorithm, g, err)
		case word != nil:
			e.t.Errorf("%s accepts %s for %s", algorithm, word, g)
			return false
		}
	}
	return true
}

// whole decides on the complements of automata made on demand, if these are small
// enough, that no word is missing; it gives up early.
func (e *equalities) whole(a Algorithm, alphabet *omega.Alphabet, s *ltl.Store, f *ltl.Formula, pos, neg *productcheck.Language) bool {
	ctx, cancel := context.WithTimeout(e.t.Context(), e.early)
	defer cancel()
	for i, g := range []*ltl.Formula{f, s.Not(f)} {
		src, err := a.Source(ctx, s, g)
		if err != nil {
			return false
		}
		x, err := omega.Explore(ctx, src, omega.Limits{Macrostates: e.largest})
		if err != nil {
			return false
		}
		y := []*productcheck.Language{pos, neg}[i]
		d, err := e.decider.Decide(ctx, y.In(), productcheck.NewLanguage(must.Get(x.Over(context.Background(), alphabet))).Out())
		if err != nil || d.Undecided != nil {
			return false
		}
		if !d.Empty() {
			e.t.Errorf("%s does not accept %s for %s", a.Name, d.Word, g)
			return false
		}
	}
	return true
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
		a, err := With(ctx, algorithm, s, g)
		switch {
		case ctx.Err() != nil:
			e.undecided(algorithm, g, err)
			return nil, nil
		case err != nil:
			e.t.Fatalf("%s: %s: %v", algorithm, g, err)
		}
		both[i] = productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet)))
	}
	return both[0], both[1]
}

// empty reports that no word is in x (or not) and in y (or not).
func (e *equalities) empty(f *ltl.Formula, algorithm string, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool) bool {
	d, err := e.decider.Decide(e.t.Context(), productcheck.Side{Language: x, In: inX}, productcheck.Side{Language: y, In: inY})
	switch {
	case err != nil:
		e.t.Fatal(err)
	case d.Undecided != nil:
		e.undecided(algorithm, f, d.Undecided)
	case !d.Empty():
		e.t.Errorf("%s and %s differ for %s on %s", product.Default, algorithm, f, d.Word)
	}
	return d.Undecided == nil && d.Empty()
}

func (e *equalities) undecided(algorithm string, f *ltl.Formula, why error) {
	e.count(algorithm).undecided++
	e.t.Logf("%s: %s: %v", algorithm, f, why)
}

// end logs the counts. Each algorithm must be known to agree on most of the formulas,
// also if the machine is slow.
func (e *equalities) end() {
	for _, a := range Algorithms() {
		if a.Name == product.Default {
			continue
		}
		c := e.count(a.Name)
		e.t.Logf("%-14s equal to %s: %d of %d formulas, no extra word: %d, undecided: %d", a.Name, product.Default, c.equal, e.checked, c.noExtra, c.undecided)
		if 2*c.equal < e.checked || 10*(c.equal+c.noExtra) < 8*e.checked {
			e.t.Errorf("%s: too few of %d formulas are decided", a.Name, e.checked)
		}
	}
}

// TestEqualFuture compares all algorithms on random formulas of size up to 20.
func TestEqualFuture(t *testing.T) {
	n, seed := campaign.Seeded(t, 100, 1)
	equalRandom(t, n, ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 20})
}

// TestEqualPast compares all algorithms on random formulas with past, of size up
// to 12.
func TestEqualPast(t *testing.T) {
	n, seed := campaign.Seeded(t, 150, 1)
	equalRandom(t, 2*n/5, ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 2, MaxSize: 12, Past: true})
}

// TestEqualPatterns compares all algorithms on some formulas of the published lists and first
// members of the families: in a campaign on all, and in a long one also on the second members.
func TestEqualPatterns(t *testing.T) {
	e := newEqualities(t)
	n, more := 0, 0
	if campaign.Long() {
		more = 1
	}
	for set := range campaign.Sample(slices.Values(patterns.Sets()), 3) {
		if strings.HasPrefix(set.Name, "kr-n") && !campaign.Whole() {
			continue // algorithms that work on demand reach the time limit, or nearly
		}
		text := set.Name
		for _, p := range set.Parameters {
			text += fmt.Sprintf(" %d..%d", p.Least, p.Least+more)
		}
		request := must.Get(patterns.Parse(text))
		for f := range campaign.Sample(request.All(), 72) {
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
	g := must.Get(ltl.NewGenerator(o))
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
