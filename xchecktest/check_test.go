package xchecktest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/xchecktest"
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
	r, err := xchecktest.Check(ctx, translate, xchecktest.Options{
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
	//       * marks the cycle
	//      look at the edge 0 -> 1 [!a | b]: the automaton is right with label b
	//   builtin (negation), right: accepting run: every infinite run is accepting
	//           letter  state   must hold from here
	//       1   !a&!b   0 -> 1  !(a U b)
	//       2*  !a&!b   1 -> 1  1
	//       truth at letter  1*
	//       a                 0
	//       b                 0
	//       a U b             0
	// 1 wrong
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
	few := xchecktest.Options{Random: 3, Seed: 5}
	var group sync.WaitGroup
	for _, x := range []struct {
		name, want string
		failed     bool
		check      func() (*xchecktest.Report, error)
	}{
		{"right", "PASS: 3 formulas checked, no disagreement; 100 % proved", false, func() (*xchecktest.Report, error) { return xchecktest.Check(ctx, right, few) }},
		{"right text", "seed 5", false, func() (*xchecktest.Report, error) {
			var calls atomic.Int32
			return xchecktest.Check(ctx, func(f string) (string, error) {
				defer calls.Add(-1)
				if calls.Add(1) > 1 {
					t.Error("two calls at a time")
				}
				return text(f)
			}, few)
		}},
		{"without U", "PASS", false, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(f string) (string, error) {
				if strings.Contains(f, "U") {
					return "", errors.New("no U")
				}
				return text(f)
			}, xchecktest.Options{Random: 20, Without: ltl.Ops(ltl.OpUntil)})
		}},
		{"wrong", "FAIL", true, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(*ltl.Formula) (*omega.Automaton, error) { return right(must.Get(xcheck.ParseLTL("p0"))) }, few)
		}},
		{"error", "aborted: translate: no idea", true, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(string) (string, error) { return "", errors.New("no idea") }, few)
		}},
		{"nil", "3 formulas not checked", true, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(string) (*omega.Automaton, error) { return nil, nil }, few)
		}},
		{"panic", "panic: oh", true, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(string) (string, error) { panic("oh") }, few)
		}},
		{"no end", "INCOMPLETE", true, func() (*xchecktest.Report, error) {
			return xchecktest.Check(ctx, func(string) (string, error) { <-ctx.Done(); return "", nil }, xchecktest.Options{Time: 20 * time.Millisecond})
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
		if r := must.Get(xchecktest.Check(ctx, right, xchecktest.Options{Random: -1})); r.Seed != x.seed {
			t.Errorf("-shuffle=%s: seed %d", x.shuffle, r.Seed)
		}
		flag.Set("test.shuffle", old)
	}
	if r, err := xchecktest.Check(ctx, right, xchecktest.Options{Formulas: []*ltl.Formula{nil}}); err == nil {
		t.Errorf("a formula that is nil: %s", r)
	}
}
