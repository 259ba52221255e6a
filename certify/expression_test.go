package certify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/expressions"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A span is a finite word with an expression: matches decides by trying all ways to split it.
type span struct {
	letters []certify.Letter
	known   map[spanKey]bool
}

type spanKey struct {
	r         *ltl.SERE
	from, to  int
	low, high int
}

func (x *span) matches(r *ltl.SERE, from, to int) bool {
	low, high := r.Bounds()
	return x.iterated(r, from, to, low, high)
}

func (x *span) iterated(r *ltl.SERE, from, to, low, high int) bool {
	key := spanKey{r, from, to, low, high}
	v, ok := x.known[key]
	if !ok {
		v = x.decide(r, from, to, low, high)
		x.known[key] = v
	}
	return v
}

func (x *span) decide(r *ltl.SERE, from, to, low, high int) bool {
	some := func(p func(k int) bool) bool {
		for k := from; k <= to; k++ {
			if p(k) {
				return true
			}
		}
		return false
	}
	left := func(from, to int) bool { return x.matches(r.Left(), from, to) }
	right := func(from, to int) bool { return x.matches(r.Right(), from, to) }
	less := func(n int) int {
		if n == ltl.Unbounded {
			return n
		}
		return n - 1
	}
	switch r.Op() {
	case ltl.SERELetter:
		return to == from+1 && letterHolds(r.Letter(), x.letters[from])
	case ltl.SEREEmpty:
		return to == from
	case ltl.SEREOr:
		return left(from, to) || right(from, to)
	case ltl.SEREIntersection:
		return left(from, to) && right(from, to)
	case ltl.SEREAnd:
		return some(func(k int) bool { return left(from, to) && right(from, k) || left(from, k) && right(from, to) })
	case ltl.SEREConcat:
		return some(func(k int) bool { return left(from, k) && right(k, to) })
	case ltl.SEREFusion:
		return some(func(k int) bool { return k < to && left(from, k+1) && right(k, to) })
	case ltl.SEREStar:
		// A word of r that is empty does not help where low is 0, and otherwise counts.
		if low == 0 {
			return from == to || high != 0 && some(func(k int) bool {
				return k > from && left(from, k) && x.iterated(r, k, to, 0, less(high))
			})
		}
		return some(func(k int) bool { return left(from, k) && x.iterated(r, k, to, low-1, less(high)) })
	case ltl.SEREFusionStar:
		if low == 0 {
			return to == from+1 || high != 0 && some(func(k int) bool {
				return k > from && k < to && left(from, k+1) && x.iterated(r, k, to, 0, less(high))
			})
		}
		return some(func(k int) bool { return k < to && left(from, k+1) && x.iterated(r, k, to, low-1, less(high)) })
	}
	return left(from, to) && !some(func(k int) bool { return k < to && left(from, k) })
}

func letterHolds(f *ltl.Formula, l certify.Letter) bool {
	v, err := f.Holds(0, 1, func(prop string, _ int) bool { return l[prop] })
	return err == nil && v
}

func randomLetters(r *rand.Rand, n int) (list []certify.Letter) {
	for range n {
		list = append(list, certify.Letter{"a": r.IntN(2) == 0, "b": r.IntN(2) == 0, "end": false})
	}
	return list
}

// holdsBoth evaluates a formula in both ways.
func holdsBoth(t *testing.T, f *ltl.Formula, w *certify.Word) bool {
	t.Helper()
	x, err := certify.Holds(t.Context(), f, w)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	y, err := f.Holds(len(w.Prefix), len(w.Cycle), func(prop string, pos int) bool {
		if pos < len(w.Prefix) {
			return w.Prefix[pos][prop]
		}
		return w.Cycle[pos-len(w.Prefix)][prop]
	})
	if err != nil || x != y {
		t.Fatalf("%s on %v; cycle %v: certify %v, ltl %v (%v)", f, w.Prefix, w.Cycle, x, y, err)
	}
	return x
}

// TestExpressionSplits compares both evaluations with the definitions of the operators, on finite
// words: w is a word of r if {r}<>->(!end & X end) holds on w; cycle{end}.
func TestExpressionSplits(t *testing.T) {
	const seed = 31
	r := rand.New(rand.NewPCG(seed, 0))
	matched := 0
	for range campaign.Inputs(t, 1000) {
		s := ltl.NewStore()
		e := expressions.Random(r, s, 3)
		end := s.Prop("end")
		f := s.SuffixConjunction(e, s.And(s.Not(end), s.Next(end)))
		for n := 1; n <= 6; n++ {
			x := &span{randomLetters(r, n), map[spanKey]bool{}}
			last := certify.Letter{"a": r.IntN(2) == 0, "b": r.IntN(2) == 0, "end": true}
			want := x.matches(e, 0, n)
			if got := holdsBoth(t, f, &certify.Word{Prefix: x.letters, Cycle: []certify.Letter{last}}); got != want {
				t.Fatalf("seed %d: %v is a word of %s: %v, expected %v", seed, x.letters, f, got, want)
			}
			if want {
				matched++
			}
		}
		if x := (&span{nil, map[spanKey]bool{}}); x.matches(e, 0, 0) != e.Nullable() {
			t.Fatalf("seed %d: %s: nullable is %v", seed, f, e.Nullable())
		}
	}
	if matched < 50 {
		t.Errorf("seed %d: only %d words match", seed, matched)
	}
}

// TestExpressionsAgree compares both evaluations on lassos, for random formulas of PSL.
func TestExpressionsAgree(t *testing.T) {
	const seed = 32
	r := rand.New(rand.NewPCG(seed, 0))
	var count [2]int
	for range campaign.Inputs(t, 2000) {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		for range 3 {
			w := &certify.Word{Prefix: randomLetters(r, r.IntN(4)), Cycle: randomLetters(r, 1+r.IntN(4))}
			if holdsBoth(t, f, w) {
				count[1]++
			} else {
				count[0]++
			}
		}
	}
	if min(count[0], count[1]) < 100 {
		t.Errorf("seed %d: %d false, %d true", seed, count[0], count[1])
	}
}

// TestExpressionIdentities: laws of Spot's "Temporal Logic Formulas" and of IEEE 1850.
func TestExpressionIdentities(t *testing.T) {
	const seed = 33
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	for line := range strings.Lines(`
{1}[]->a                          a
{1}<>->a                          a
{[*0]}<>->a                       0
{[*0]}[]->a                       1
{[*0]}                            0
{b}[]->a                          b -> a
{b}                               b
{[*]}<>->a                        Fa
{[*]}[]->a                        Ga
{a[*];b}!                         a U b
{a;b}!                            a & X{b}!
{{a;b}[*];!a}!                    !a | a & X{b;{a;b}[*];!a}!
{a[*];b}                          a W b
{a[*]}[]->Xb                      a -> X(b R (a -> b)) & !a | a & Xb & X(a -> Xb) & X((a -> Xb) W !a)
{a;b}[]->0                        !(a & Xb)
{a:b}<>->1                        a & b
{a[*]:b[*]}!                      {a[*];a&&b;b[*]}!
{first_match(a[*];b)}<>->a        {(!b & a)[*];b}<>->a
{a & {b;a}}!                      {(a&&b);a}!
{a[->]}<>->b                      !a U (a & b)
{a[=1]}!                          Fa
{a[:*3]}!                         a
{{a;b}[:*2]}!                     {a;{a&&b};b}!
{{a;1}[:*]}[]->b                  b & (a -> X((a & b) W (b & !a)))
{a[+];!a}                         a
{a[*2..3]}!                       a & Xa
{{a;b} && {b;a}}!               a & b & X(a & b)
{(a[*];b) && 1[*3]}!              a & Xa & XXb
!{a;b}                            !a | X!b
!({a;b}<>->a)                     {a;b}[]->!a
`) {
		left, right, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			continue
		}
		f, err := s.Parse(left, ltl.Spot)
		g, err2 := s.Parse(strings.TrimSpace(right), ltl.Spot)
		if err := errors.Join(err, err2); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for range campaign.Inputs(t, 500) {
			w := &certify.Word{Prefix: randomLetters(r, r.IntN(5)), Cycle: randomLetters(r, 1+r.IntN(4))}
			if x, y := holdsBoth(t, f, w), holdsBoth(t, g, w); x != y {
				t.Errorf("%s is %v and %s is %v on %v; cycle %v", f, x, g, y, w.Prefix, w.Cycle)
				break
			}
		}
	}
}

// TestExpressionLarge: expressions with exponentially many states are given up, and canceled.
func TestExpressionLarge(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse("{first_match({1[*];a;1[*40]} & {1[*];b;1[*40]})}", ltl.Spot))
	w := word(t, "a&!b; cycle{a&b; !a&!b; a&!b}")
	if _, err := f.Holds(1, 3, func(string, int) bool { return true }); !errors.Is(err, ltl.ErrLarge) {
		t.Errorf("ltl: %v", err)
	}
	if _, err := certify.Holds(t.Context(), s.Not(f), w); err != nil && !errors.Is(err, certify.ErrLarge) {
		t.Errorf("certify: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := certify.Holds(ctx, f, w); !errors.Is(err, context.Canceled) {
		t.Errorf("certify, canceled: %v", err)
	}
}
