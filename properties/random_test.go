package properties_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// few returns a random automaton of up to eight edges, some of the shapes that properties
// are about.
func few(r *rand.Rand) *omega.Automaton {
	alphabet := omega.NewAlphabet("a")
	sets := r.IntN(3)
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)})
	n := 1 + r.IntN(4)
	b.AddStates(n)
	for range 1 + r.IntN(6)/5 {
		b.AddStart(omega.State(r.IntN(n)))
	}
	labels := []omega.Label{alphabet.True(), alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))}
	forward, uniform, alternating := r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(6) == 0
	marks := func() omega.Marks {
		if sets == 0 || r.IntN(2) == 0 {
			return 0
		}
		return b.Marks().Of(r.IntN(sets))
	}
	all := marks()
	for range r.IntN(9) {
		s, t := r.IntN(n), r.IntN(n)
		if forward && s > t {
			s, t = t, s
		}
		m := marks()
		if uniform {
			m = all
		}
		dst := omega.State(t)
		if alternating && r.IntN(2) == 0 {
			dst = b.Universal([]omega.State{dst, omega.State(r.IntN(n))})
		}
		b.AddEdge(omega.State(s), labels[r.IntN(3)], m, dst)
	}
	return b.Automaton()
}

// arc is an edge without letters, to one state.
type arc struct {
	src, dst omega.State
	marks    omega.Marks
}

// brute is an automaton as a list of arcs, with the closed walks in it as sets of them.
type brute struct {
	a     *omega.Automaton
	arcs  []arc
	walks []uint
}

func newBrute(a *omega.Automaton) *brute {
	b := &brute{a: a}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			for _, t := range a.Universal(e.Dst) {
				b.arcs = append(b.arcs, arc{s, t, e.Marks})
			}
		}
	}
	if len(b.arcs) > 10 {
		return nil // too many walks
	}
	for set := uint(1); set < 1<<len(b.arcs); set++ {
		if b.closed(set) {
			b.walks = append(b.walks, set)
		}
	}
	return b
}

// reach reports whether arcs of a set lead from s to t, by one at least.
func (b *brute) reach(set uint, s, t omega.State) bool {
	seen := make([]bool, b.a.NumStates())
	queue := []omega.State{s}
	for ; len(queue) > 0; queue = queue[1:] {
		for i, x := range b.arcs {
			if set>>i&1 != 0 && x.src == queue[0] && !seen[x.dst] {
				seen[x.dst] = true
				queue = append(queue, x.dst)
			}
		}
	}
	return seen[t]
}

func (b *brute) closed(set uint) bool {
	for i, x := range b.arcs {
		for j, y := range b.arcs {
			if set>>i&1 != 0 && set>>j&1 != 0 && x.dst != y.src && !b.reach(set, x.dst, y.src) {
				return false
			}
		}
	}
	return true
}

// every reports whether f is true of all walks, each given by its set, its first state and
// whether it is accepting.
func (b *brute) every(f func(set uint, s omega.State, accepting bool) bool) bool {
	for _, set := range b.walks {
		marks, at := omega.Marks(0), omega.State(-1)
		for i, x := range b.arcs {
			if set>>i&1 != 0 {
				marks, at = b.a.Marks().Union(marks, x.marks), x.src
			}
		}
		if !f(set, at, b.a.Acceptance().Condition.Eval(b.a.Marks(), marks)) {
			return false
		}
	}
	return true
}

// letters returns how many edges a state has on each of the two letters.
func (b *brute) letters(s omega.State) (n [2]int) {
	p := b.a.Alphabet().Prop(0)
	for _, e := range b.a.Edges(s) {
		for i, l := range []omega.Label{p, b.a.Alphabet().Not(p)} {
			if b.a.Alphabet().Meet(e.Label, l) {
				n[i]++
			}
		}
	}
	return n
}

// has decides properties by their definitions.
func (b *brute) has(name string) bool {
	const whole = ^uint(0)
	states := func(f func(s omega.State, n [2]int) bool) bool {
		for s := range omega.State(b.a.NumStates()) {
			if !f(s, b.letters(s)) {
				return false
			}
		}
		return true
	}
	same := func(s, t omega.State) bool { return s == t || b.reach(whole, s, t) && b.reach(whole, t, s) }
	switch name {
	case "deterministic":
		return len(b.a.Initial()) <= 1 && states(func(_ omega.State, n [2]int) bool { return max(n[0], n[1]) <= 1 })
	case "complete":
		return b.a.NumStates() > 0 && states(func(_ omega.State, n [2]int) bool { return min(n[0], n[1]) >= 1 })
	case "colored":
		return !slices.ContainsFunc(b.arcs, func(x arc) bool { return len(b.a.Marks().AppendTo(nil, x.marks)) != 1 })
	case "weak":
		return b.every(func(set uint, _ omega.State, _ bool) bool {
			marks := make(map[omega.Marks]bool)
			for i, x := range b.arcs {
				if set>>i&1 != 0 {
					marks[x.marks] = true
				}
			}
			return len(marks) == 1
		})
	case "very-weak":
		return b.has("weak") && b.every(func(set uint, s omega.State, _ bool) bool {
			return !slices.ContainsFunc(b.arcs, func(x arc) bool { return x.src != x.dst && same(x.src, x.dst) })
		})
	case "inherently-weak":
		return b.every(func(_ uint, s omega.State, yes bool) bool {
			return b.every(func(_ uint, t omega.State, too bool) bool { return yes == too || !same(s, t) })
		})
	case "terminal":
		return b.has("weak") && b.every(func(_ uint, s omega.State, yes bool) bool {
			return !yes || b.every(func(_ uint, t omega.State, too bool) bool { return too || !b.reach(whole, s, t) }) &&
				states(func(t omega.State, n [2]int) bool { return !same(s, t) || min(n[0], n[1]) >= 1 })
		})
	case "semi-deterministic":
		return b.every(func(_ uint, s omega.State, yes bool) bool {
			return !yes || states(func(t omega.State, n [2]int) bool { return s != t && !b.reach(whole, s, t) || max(n[0], n[1]) <= 1 })
		})
	}
	panic("no brute force for " + name)
}

// TestRandom compares all structural properties with their definitions.
func TestRandom(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	n, count := campaign.Inputs(t, 840), make(map[string]int)
	for i := range n {
		a := few(r)
		b := newBrute(a)
		if b == nil {
			continue
		}
		for _, name := range []string{"deterministic", "complete", "colored", "weak", "very-weak", "inherently-weak", "terminal", "semi-deterministic"} {
			want := b.has(name)
			if x := decide(t, a, name); x.Holds != want || x.Undecided != nil || x.Holds != (x.Reason == "") {
				t.Fatalf("seed %d, case %d: %s, %v: %+v, expected %v", seed, i, a.Acceptance(), b.arcs, x, want)
			}
			count[fmt.Sprint(name, " ", want)]++
		}
		for name, got := range map[string]bool{"weak": a.IsWeak(), "inherently-weak": must.Get(a.IsInherentlyWeak(context.Background()))} {
			if got != b.has(name) {
				t.Fatalf("seed %d, case %d: %s, %v: omega says that %s is %v", seed, i, a.Acceptance(), b.arcs, name, got)
			}
		}
	}
	for _, name := range []string{"deterministic", "complete", "colored", "weak", "very-weak", "inherently-weak", "terminal", "semi-deterministic"} {
		if count[name+" true"] < n/25 || count[name+" false"] < n/25 {
			t.Errorf("seed %d: %v", seed, count)
			break
		}
	}
}

// TestDeclared: random declarations are found false exactly where they are.
func TestDeclared(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	lies := 0
	for i := range 150 {
		a := few(r)
		for _, name := range properties.Names() {
			switch r.IntN(6) {
			case 0:
				a.Declared.Properties = append(a.Declared.Properties, name, name)
			case 1:
				a.Declared.Properties = append(a.Declared.Properties, "!"+name, "unheard-of")
			}
		}
		answers, err := checker.CheckDeclared(t.Context(), a)
		if err != nil {
			t.Fatalf("seed %d, case %d: %v", seed, i, err)
		}
		var want []string
		for k, name := range a.Declared.Properties {
			if name == "unheard-of" || slices.Contains(a.Declared.Properties[:k], name) {
				continue
			}
			if x := decide(t, a, name); !x.Holds {
				want = append(want, name)
			}
		}
		var got []string
		for _, x := range answers {
			got = append(got, x.Property)
			if x.Undecided == nil && !strings.HasPrefix(x.Message(), "declared "+x.Property+", but ") {
				t.Errorf("%s", x.Message())
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, case %d: %v, expected %v", seed, i, got, want)
		}
		lies += len(got)
	}
	if lies < 100 {
		t.Errorf("seed %d: %d lies", seed, lies)
	}
}

// TestAccName: the name of a condition must fit.
func TestAccName(t *testing.T) {
	a := read(t, "HOA: v1 AP: 0\nacc-name: Streett 1 Acceptance: 2 Fin(0) & Inf(1) --BODY-- --END--")
	list, err := checker.CheckDeclared(t.Context(), a)
	if err != nil || len(list) != 1 || list[0].Message() != "acc-name: Streett 1 stands for 2 Fin(0) | Inf(1), but the acceptance is 2 Fin(0) & Inf(1)" ||
		list[0].Place(a) != (omega.Place{Line: 2, Column: 1}) {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"Rabin 1", "my-own 17"} {
		if list, err = checker.CheckDeclared(t.Context(), read(t, "HOA: v1 AP: 0 acc-name: "+name+" Acceptance: 2 Inf(1) & Fin(0) --BODY-- --END--")); err != nil || len(list) > 0 {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
}

// TestLimits: past a limit a property is undecided, and says so; it is not false.
func TestLimits(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	// No walk is accepting, since each loop has both marks of a pair; but there are two
	// ways to try for each.
	acceptance := omega.Acceptance{Sets: 60}
	var pairs []*omega.Condition
	for i := range 30 {
		pairs = append(pairs, omega.AnyOf(omega.Fin(2*i), omega.Fin(2*i+1)))
	}
	acceptance.Condition = omega.AllOf(pairs...)
	hard := omega.NewBuilder(alphabet, acceptance)
	hard.AddStart(hard.AddState())
	for i := range 30 {
		hard.AddEdge(0, alphabet.True(), hard.Marks().Of(2*i, 2*i+1), 0)
	}
	cycles := hard.Automaton()
	words := random.Automaton(rand.New(rand.NewPCG(1, 0)), alphabet, omega.Buchi(), random.Options{States: 40, Density: 0.1, Marks: 0.05})
	c := properties.Checker{Decider: &productcheck.Decider{Algorithm: "modular", Limits: omega.Limits{Time: 20 * time.Millisecond, Macrostates: 60}}}
	for name, a := range map[string]*omega.Automaton{"inherently-weak": cycles, "!inherently-weak": cycles, "semi-deterministic": cycles,
		"stutter-invariant": words} {
		x, err := c.Decide(t.Context(), a, name)
		if err != nil || x.Holds || x.Undecided == nil || !strings.Contains(x.Undecided.Error(), "limit of ") {
			t.Errorf("%s: %+v (%v)", name, x, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range properties.Names() {
		if _, err := c.Decide(ctx, words, name); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, canceled: %v", name, err)
		}
	}
	if _, err := c.Decide(t.Context(), words, "!!weak"); err == nil || !strings.Contains(err.Error(), `unknown property "!!weak"; did you mean weak?`) {
		t.Errorf("unknown name: %v", err)
	}
}

// The header declares three properties. CheckDeclared returns the false one.
func ExampleChecker_CheckDeclared() {
	ctx := context.Background()
	a, _, err := hoa.ReadOne(ctx, []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		properties: deterministic trans-labels weak
		--BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := properties.Checker{Decider: &productcheck.Decider{}}
	for _, x := range must.Get(c.CheckDeclared(ctx, a)) {
		fmt.Printf("%s: %t\n%s\n", x.Property, x.Holds, x.Reason)
	}
	// Output:
	// deterministic: false
	// state 0 has two edges on a
}
