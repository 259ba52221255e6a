package xcheck_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// This translator has a wrong label on an automaton: [!0 | 1] for [1].
func ExampleCheck() {
	ctx := context.Background()
	translate := func(f *ltl.Formula) (*omega.Automaton, error) {
		if f.String() != "a U b" {
			return xcheck.Translate(ctx, f)
		}
		return xcheck.ReadHOA(strings.NewReader(`HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0)
			--BODY-- State: 0 [0 & !1] 0 [!0 | 1] 1 State: 1 [t] 1 {0} --END--`))
	}
	r, err := xcheck.Check(ctx, translate, xcheck.CheckOptions{
		Formulas: []*ltl.Formula{must.Get(xcheck.ParseLTL("a U b"))},
		Random:   -1,
	})
	fmt.Println(r.Failed(), err)
	fmt.Println(r)
	// Output:
	// true <nil>
	// 1 problem
	// problem  translator  kind         formulas  smallest formula  word
	//       1  translate   extra words         1  a U b             cycle{!a&!b} (shortest: 1 letter)
	//
	// disagreement: extra word
	//   formula:    a U b
	//   word:       cycle{!a&!b}   (shortest: 1 letter, accepted by automata that should reject it)
	//   settled by: !a&!b   (bad prefix: the formula is false whatever follows)
	//   the word does not satisfy the formula
	//     translator  formula  negation
	//     translate   accepts  accepts   wrong (formula)
	//     builtin     rejects  accepts
	//   translate: accepting run sees {0} infinitely often, which satisfies Inf(0)
	//           letter  state   marks  must hold from here
	//       1   !a&!b   0 -> 1         a U b
	//       2*  !a&!b   1 -> 1  {0}    0
	//      look at the edge 0 -> 1 [!a | b]: the automaton is right with label b
	//   builtin (negation), right: accepting run: every infinite run is accepting
	//           letter  state   must hold from here
	//       1   !a&!b   0 -> 1  !(a U b)
	//       2*  !a&!b   1 -> 1  1
	//       truth at letter  1*
	//       a                 0
	//       b                 0
	//       a U b             0
	// FAIL: 1 formula checked, disagreement on 1 formula; wrong: translate
}

// TestCheck: what a translator does wrong is a failure of the report, and it is called by one
// goroutine at a time, also while other goroutines call Check.
func TestCheck(t *testing.T) {
	ctx := t.Context()
	right := func(f *ltl.Formula) (*omega.Automaton, error) { return xcheck.Translate(ctx, f) }
	text := func(f string) (string, error) {
		var b strings.Builder
		err := xcheck.WriteHOA(&b, must.Get(right(must.Get(xcheck.ParseLTL(f)))))
		return b.String(), err
	}
	few := xcheck.CheckOptions{Random: 3, Seed: 5}
	var group sync.WaitGroup
	for _, x := range []struct {
		name, want string
		failed     bool
		check      func() (*xcheck.CheckReport, error)
	}{
		{"right", "PASS: 3 formulas checked", false, func() (*xcheck.CheckReport, error) { return xcheck.Check(ctx, right, few) }},
		{"right text", "seed 5", false, func() (*xcheck.CheckReport, error) {
			var calls atomic.Int32
			return xcheck.Check(ctx, func(f string) (string, error) {
				defer calls.Add(-1)
				if calls.Add(1) > 1 {
					t.Error("two calls at a time")
				}
				return text(f)
			}, few)
		}},
		{"without U", "PASS", false, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(f string) (string, error) {
				if strings.Contains(f, "U") {
					return "", errors.New("no U")
				}
				return text(f)
			}, xcheck.CheckOptions{Random: 20, Without: ltl.Ops(ltl.OpUntil)})
		}},
		{"wrong", "FAIL", true, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(*ltl.Formula) (*omega.Automaton, error) { return right(must.Get(xcheck.ParseLTL("p0"))) }, few)
		}},
		{"error", "it gave up: no idea", true, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(string) (string, error) { return "", errors.New("no idea") }, few)
		}},
		{"nil", "3 formulas not checked", true, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(string) (*omega.Automaton, error) { return nil, nil }, few)
		}},
		{"panic", "panic: oh", true, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(string) (string, error) { panic("oh") }, few)
		}},
		{"no end", "INCOMPLETE", true, func() (*xcheck.CheckReport, error) {
			return xcheck.Check(ctx, func(string) (string, error) { <-ctx.Done(); return "", nil }, xcheck.CheckOptions{Time: 20 * time.Millisecond})
		}},
	} {
		group.Go(func() {
			r, err := x.check()
			if err != nil || r.Failed() != x.failed || !strings.Contains(r.String(), x.want) {
				t.Errorf("%s: %v\n%s", x.name, err, r)
			}
		})
	}
	group.Wait()
	for _, x := range []struct {
		shuffle string
		seed    uint64
	}{{"7", 7}, {"off", 0}} {
		old := flag.Lookup("test.shuffle").Value.String()
		flag.Set("test.shuffle", x.shuffle)
		if r := must.Get(xcheck.Check(ctx, right, xcheck.CheckOptions{Random: -1})); r.Seed != x.seed {
			t.Errorf("-shuffle=%s: seed %d", x.shuffle, r.Seed)
		}
		flag.Set("test.shuffle", old)
	}
	if r, err := xcheck.Check(ctx, right, xcheck.CheckOptions{Formulas: []*ltl.Formula{nil}}); err == nil {
		t.Errorf("a formula that is nil: %s", r)
	}
}

// sequence returns the first letters of a word, which tell words of at most five letters apart.
func sequence(text string) string {
	w := must.Get(certify.ParseWord(text))
	var letters []string
	for i := range 20 {
		if n := len(w.Prefix); i < n {
			letters = append(letters, fmt.Sprint(w.Prefix[i]))
		} else {
			letters = append(letters, fmt.Sprint(w.Cycle[(i-n)%len(w.Cycle)]))
		}
	}
	return strings.Join(letters, "; ")
}

// TestWords compares the words of automata with all words up to a size, tried one by one.
func TestWords(t *testing.T) {
	n, seed := campaign.Seeded(t, 40, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	checker := &xcheck.Checker{Limits: productcheck.DefaultLimits}
	for k := range n {
		props, size := []string{"a"}, 4
		if k%3 == 0 {
			props, size = []string{"a", "b"}, 2
		}
		text := randomHOA(r, props)
		a := must.Get(xcheck.ReadHOA(strings.NewReader(text)))
		want := map[string]int{} // the sizes
		for _, w := range words(props, size) {
			x := must.Get(certify.ParseWord(w))
			if key := sequence(w); must.Get(certify.Accepts(t.Context(), a.Plain(), x)) && want[key] == 0 {
				want[key] = len(x.Prefix) + len(x.Cycle)
			}
		}
		got, last := map[string]int{}, 0
		for answer, err := range checker.Words(t.Context(), a) {
			if err != nil {
				t.Fatalf("seed %d, automaton %d: %v\n%s", seed, k, err, text)
			}
			if !answer.Shortest() || answer.Word.Size() < last {
				t.Fatalf("seed %d, automaton %d: %s of %d letters comes after one of %d\n%s", seed, k, answer.Word, answer.Word.Size(), last, text)
			}
			if last = answer.Word.Size(); last > size {
				break
			}
			key := sequence(answer.Word.String())
			if got[key] != 0 {
				t.Fatalf("seed %d, automaton %d: %s again\n%s", seed, k, answer.Word, text)
			}
			got[key] = last
		}
		for key, size := range want {
			if got[key] != size {
				t.Fatalf("seed %d, automaton %d: %s has size %d, want %d\n%s", seed, k, key, got[key], size, text)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d, automaton %d: %d words, want %d\n%s", seed, k, len(got), len(want), text)
		}
	}
}

// TestAllWords: the sequence ends if there are no more words.
func TestAllWords(t *testing.T) {
	for formula, want := range map[string][]string{
		"a & XG!a | Ga":         {"cycle{a}", "a; cycle{!a}"},
		"a & !a":                nil,
		"G(a <-> X!a)":          {"cycle{!a; a}", "cycle{a; !a}"},
		"!a & X(a & XG(!a))":    {"!a; a; cycle{!a}"},
		"Ga | a & G(a <-> X!a)": {"cycle{a}", "cycle{a; !a}"},
	} {
		a := must.Get(xcheck.Translate(t.Context(), must.Get(xcheck.ParseLTL(formula))))
		var got []string
		for answer, err := range (&xcheck.Checker{}).Words(t.Context(), a) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, answer.Word.String())
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, want %q", formula, got, want)
		}
	}
}

// FuzzCompare: no text of two automata makes a comparison panic, or fail with an internal error.
func FuzzCompare(f *testing.F) {
	f.Add(gfa, gfa)
	for _, text := range hostile() {
		if len(text) < 1000 {
			f.Add(gfa, text)
			f.Add(text, `HOA: v1 States: 1 Start: 0 AP: 1 "b" Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`)
		}
	}
	checker := xcheck.Checker{Limits: productcheck.Limits{
		Macrostates: 2000, ProductStates: 20_000, Memory: 64 << 20, Time: 100 * time.Millisecond, WordSteps: 200_000}}
	f.Fuzz(func(t *testing.T, left, right string) {
		a, err := xcheck.ReadHOA(strings.NewReader(left))
		if err != nil {
			return
		}
		b, err := xcheck.ReadHOA(strings.NewReader(right))
		if err != nil {
			return
		}
		c, err := checker.Compare(t.Context(), a, b)
		if err != nil && strings.Contains(err.Error(), "internal error") {
			t.Fatal(err)
		}
		if (c == nil || c.Verdict() == xcheck.Undecided) != (err != nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}
