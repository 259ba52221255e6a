package omega_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

func TestNamedAcceptance(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"all", "0 t"},
		{"none", "0 f"},
		{"Buchi", "1 Inf(0)"},
		{"co-Buchi", "1 Fin(0)"},
		{"generalized-Buchi 3", "3 Inf(0) & Inf(1) & Inf(2)"},
		{"generalized-co-Buchi 2", "2 Fin(0) | Fin(1)"},
		{"Rabin 2", "4 Fin(0) & Inf(1) | Fin(2) & Inf(3)"},
		{"Streett 2", "4 (Fin(0) | Inf(1)) & (Fin(2) | Inf(3))"},
		{"generalized-Rabin 2 3 2", "7 Fin(0) & Inf(1) & Inf(2) & Inf(3) | Fin(4) & Inf(5) & Inf(6)"},
		{"parity min odd 5", "5 Fin(0) & (Inf(1) | Fin(2) & (Inf(3) | Fin(4)))"},
		{"parity min even 4", "4 Inf(0) | Fin(1) & (Inf(2) | Fin(3))"},
		{"parity max odd 5", "5 Fin(4) & (Inf(3) | Fin(2) & (Inf(1) | Fin(0)))"},
		{"parity max odd 6", "6 Inf(5) | Fin(4) & (Inf(3) | Fin(2) & (Inf(1) | Fin(0)))"},
		{"parity max even 3", "3 Inf(2) | Fin(1) & Inf(0)"},
		{"parity min even 3", "3 Inf(0) | Fin(1) & Inf(2)"},
	} {
		a, err := omega.NamedAcceptance(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if a.String() != c.want {
			t.Errorf("%s = %s, want %s", c.name, a, c.want)
		}
		if a.Name() != c.name {
			t.Errorf("%s is written as %q: a second name needs an exception here", c.name, a.Name())
		}
	}
	for _, name := range []string{"", "Buchi 1", "Rabin", "parity min", "parity min even", "generalized-Rabin 2 1",
		"Streett -1", "generalized-Buchi 9999999999", "Büchi"} {
		if a, err := omega.NamedAcceptance(name); err == nil {
			t.Errorf("%q = %s, want an error", name, a)
		}
	}
}

// TestSame compares conditions with each other in all ways to write them, and by all sets of marks.
func TestSame(t *testing.T) {
	// alternatives returns c as a disjunction of conjunctions.
	var alternatives func(c *omega.Condition) [][]*omega.Condition
	alternatives = func(c *omega.Condition) (list [][]*omega.Condition) {
		switch c.Op {
		case omega.CondOr:
			for _, d := range c.Args {
				list = append(list, alternatives(d)...)
			}
		case omega.CondAnd:
			list = [][]*omega.Condition{nil}
			for _, d := range c.Args {
				var longer [][]*omega.Condition
				for _, x := range list {
					for _, y := range alternatives(d) {
						longer = append(longer, slices.Concat(x, y))
					}
				}
				list = longer
			}
		default:
			list = [][]*omega.Condition{{c}}
		}
		return list
	}
	written := func(a omega.Acceptance) omega.Acceptance {
		var list []*omega.Condition
		for _, x := range alternatives(a.Condition) {
			list = append(list, omega.AllOf(x...))
		}
		return omega.Acceptance{Sets: a.Sets, Condition: omega.AnyOf(list...)}
	}
	for _, name := range []string{"parity min even 12", "parity max odd 12", "Streett 6", "generalized-Rabin 3 2 1 3", "generalized-Buchi 9"} {
		a := must.Get(omega.NamedAcceptance(name))
		if b := written(a); !a.Same(b) || a.Differs(b) {
			t.Errorf("%s is not %s", name, b)
		}
	}
	n, seed := campaign.Seeded(t, 2000, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		a := omega.Acceptance{Sets: 4, Condition: random.Condition(r, 4, 0.5)}
		b := omega.Acceptance{Sets: 4, Condition: random.Condition(r, 4, 0.5)}
		if r.IntN(2) == 0 {
			b = written(a)
		}
		table, same := omega.NewMarkTable(4), true
		for m := range omega.Marks(16) {
			same = same && a.Condition.Eval(table, m) == b.Condition.Eval(table, m)
		}
		if a.Same(b) != same || a.Differs(b) == same {
			t.Fatalf("seed %d: %s and %s: same is %v", seed, a, b, !same)
		}
	}
}

// TestParity compares the four parity conditions with their definition, for
// every set of marks.
func TestParity(t *testing.T) {
	for _, name := range []string{"parity min even", "parity min odd", "parity max even", "parity max odd"} {
		for n := 1; n <= 6; n++ {
			a := omega.Parity(name, n)
			table := omega.NewMarkTable(n)
			for m := omega.Marks(1); m < 1<<n; m++ {
				list := table.AppendTo(nil, m)
				mark := list[0]
				if name[7:10] == "max" {
					mark = list[len(list)-1]
				}
				want := mark%2 == 0
				if name[11:] == "odd" {
					want = !want
				}
				if a.Condition.Eval(table, m) != want {
					t.Errorf("%s %d on marks %v: want %v", name, n, list, want)
				}
			}
		}
	}
}

// TestConditions checks parsing, dual, simplification and assumptions on every
// set of marks for random conditions.
func TestConditions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	const n = 5
	table := omega.NewMarkTable(n)
	for range campaign.Inputs(t, 2000) {
		c := random.Condition(r, 1+r.IntN(9), 0).Renumber(func(i int) int { return i % n })
		back, err := omega.ParseCondition(c.String())
		if err != nil || back.String() != c.String() {
			t.Fatalf("%s is read as %v, %v", c, back, err)
		}
		d, s := c.Dual(), c.Simplify()
		if len(s.String()) > len(c.String()) {
			t.Fatalf("Simplify made %s of %s", s, c)
		}
		seen := omega.Marks(r.IntN(1 << n))
		assumed := c.Assume(func(i int) int {
			if i < 2 && table.Has(seen, i) {
				return 1
			} else if i < 2 {
				return -1
			}
			return 0
		})
		for m := omega.Marks(0); m < 1<<n; m++ {
			want := c.Eval(table, m)
			if d.Eval(table, m) == want {
				t.Fatalf("dual of %s is wrong on %b", c, m)
			}
			if s.Eval(table, m) != want {
				t.Fatalf("%s simplified to %s is wrong on %b", c, s, m)
			}
			if m&3 == seen&3 && assumed.Eval(table, m) != want {
				t.Fatalf("%s with %b assumed is %s, wrong on %b", c, seen&3, assumed, m)
			}
		}
	}
}

func TestSimplify(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Inf(0) & Inf(0)", "Inf(0)"},
		{"Inf(0) & Fin(0)", "f"},
		{"Inf(0) | Fin(0)", "t"},
		{"Inf(0) | Inf(0) & Fin(1)", "Inf(0)"},
		{"Inf(0) & (Inf(0) | Fin(1))", "Inf(0)"},
		{"Fin(0) & (Inf(0) | Inf(1))", "Fin(0) & Inf(1)"},
		{"(Fin(0) | Inf(1)) & (Inf(1) | Fin(0))", "Fin(0) | Inf(1)"},
	} {
		in := must.Get(omega.ParseCondition(c.in))
		if got := in.Simplify().String(); got != c.want {
			t.Errorf("Simplify(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestParseConditionErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `acceptance condition "": at 1: expected Inf(…), Fin(…), t, f or '(', found the end`},
		{"Inf(0) &", `acceptance condition "Inf(0) &": at 9: expected Inf(…), Fin(…), t, f or '(', found the end`},
		{"Inf(x)", `acceptance condition "Inf(x)": at 5: expected the number of a mark, at most 65536, found "x"`},
		{"(Inf(0)", `acceptance condition "(Inf(0)": at 8: expected ')', found the end`},
		{"Inf(0) Fin(1)", `acceptance condition "Inf(0) Fin(1)": at 8: expected '&', '|' or the end, found "F"`},
	} {
		if _, err := omega.ParseCondition(c.in); err == nil || err.Error() != c.want {
			t.Errorf("ParseCondition(%q): %v, want %s", c.in, err, c.want)
		}
	}
}

// TestMarkTable compares sets of up to 200 marks with maps.
func TestMarkTable(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for _, n := range []int{1, 64, 65, 200} {
		table := omega.NewMarkTable(n)
		type known struct {
			marks omega.Marks
			set   map[int]bool
		}
		pool := []known{{0, map[int]bool{}}}
		for range 300 {
			x, y := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
			k := known{set: map[int]bool{}}
			common := false
			switch r.IntN(3) {
			case 0:
				i := r.IntN(n)
				k.marks, k.set[i] = table.Of(i), true
			case 1:
				k.marks = table.Union(x.marks, y.marks)
				for i := range x.set {
					k.set[i] = true
				}
				for i := range y.set {
					k.set[i] = true
				}
			case 2:
				k.marks = table.Minus(x.marks, y.marks)
				for i := range x.set {
					if !y.set[i] {
						k.set[i] = true
					}
				}
			}
			for i := range x.set {
				common = common || y.set[i]
			}
			if table.Common(x.marks, y.marks) != common {
				t.Fatalf("%d marks: Common is not %v", n, common)
			}
			list := table.AppendTo(nil, k.marks)
			if len(list) != len(k.set) {
				t.Fatalf("%d marks: %v, want %v", n, list, k.set)
			}
			for i := range n {
				if table.Has(k.marks, i) != k.set[i] {
					t.Fatalf("%d marks: Has(%d) is not %v", n, i, k.set[i])
				}
			}
			if again := table.Of(list...); again != k.marks {
				t.Fatalf("%d marks: equal sets %v are different", n, list)
			}
			pool = append(pool, k)
		}
	}
}

func FuzzParseCondition(f *testing.F) {
	for _, s := range []string{"t", "f", "Inf(0)&Fin(1)", "(Inf(0)|Fin(1))&Inf(2)", "Inf( 3 ) | ( t )"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := omega.ParseCondition(s)
		if err != nil {
			return
		}
		d, err := omega.ParseCondition(c.String())
		if err != nil || d.String() != c.String() {
			t.Errorf("%q is read as %s, which is read as %v, %v", s, c, d, err)
		}
	})
}
