package random_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
)

func ExampleMixer() {
	s := ltl.NewStore()
	o := random.MixOptions{Formulas: []*ltl.Formula{s.Globally(s.Finally(s.Prop("a"))), s.Until(s.Prop("a"), s.Prop("b"))}}
	o.MinSize, o.MaxSize, o.Boolean, o.Props = 5, 5, true, []string{"p", "q", "r"}
	m, err := random.NewMixer(o)
	for k := 0; k < 3 && err == nil; k++ {
		var f *ltl.Formula
		if f, err = m.Next(context.Background()); err == nil {
			fmt.Println(f)
		}
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// !GFq <-> !(r U q)
	// !(p U q) | !GFr
	// GFq | r U p & q U p
}

// mixed returns the first n combinations of some formulas.
func mixed(t *testing.T, o random.MixOptions, n int, formulas ...string) (list []*ltl.Formula) {
	t.Helper()
	for _, text := range formulas {
		o.Formulas = append(o.Formulas, parse(t, text))
	}
	m, err := random.NewMixer(o)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		f, err := m.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

func parse(t *testing.T, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.NewStore().Parse(text, ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// cut replaces what looks like one of the operands by f, the longest first.
func cut(f *ltl.Formula, operands ...string) string {
	text := f.String()
	for _, operand := range operands {
		text = strings.ReplaceAll(text, operand, "f")
	}
	return text
}

func TestMixer(t *testing.T) {
	n, seed := campaign.Seeded(t, 500, 1)
	t.Logf("seed %d", seed)
	o := random.MixOptions{}
	o.Seed, o.MinSize, o.MaxSize, o.Boolean = seed, 5, 9, true

	t.Run("operands", func(t *testing.T) {
		seen := map[string]bool{}
		for k, f := range mixed(t, o, n, "GFa", "b U c") {
			// What is left is a Boolean formula of the given size.
			pattern := parse(t, cut(f, "(b U c)", "b U c", "GFa"))
			if pattern.Size() < 5 || pattern.Size() > 9 || pattern.Ops()&ltl.Ops(ltl.OpFinally, ltl.OpUntil, ltl.OpTrue, ltl.OpFalse) != 0 {
				t.Fatalf("formula %d: %s", k, f)
			}
			if seen[f.String()] {
				t.Fatalf("formula %d: %s again", k, f)
			}
			seen[f.String()] = true
			if op := ltl.NewStore().Simplify(f).Op(); op == ltl.OpTrue || op == ltl.OpFalse {
				t.Fatalf("formula %d: %s is trivial", k, f)
			}
		}
	})
	t.Run("first of more", func(t *testing.T) {
		few, more := mixed(t, o, 5, "GFa", "b U c"), mixed(t, o, 20, "GFa", "b U c")
		for k, f := range few {
			if f.String() != more[k].String() {
				t.Errorf("formula %d: %s and %s", k, f, more[k])
			}
		}
	})
	t.Run("propositions", func(t *testing.T) {
		o := o
		o.MinSize, o.MaxSize, o.Props, o.KeepDuplicates, o.KeepTrivial = 1, 1, []string{"x", "y", "z"}, true, true
		count := map[string]int{}
		for _, f := range mixed(t, o, n, "a U b") {
			count[f.String()]++
		}
		if len(count) != 6 {
			t.Errorf("two of three propositions in %d ways, want 6: %v", len(count), count)
		}
		for text, k := range count {
			if k < n/12 {
				t.Errorf("%s: %d of %d", text, k, n)
			}
		}
		o.Props = []string{"x"}
		if f := mixed(t, o, 1, "a U b")[0]; f.String() != "x U x" {
			t.Errorf("one proposition for two: %s", f)
		}
		o.Negated, count = true, map[string]int{}
		for _, f := range mixed(t, o, n, "a U b & a") {
			count[f.String()]++
		}
		if len(count) != 4 {
			t.Errorf("%d ways to negate one proposition for two, want 4: %v", len(count), count)
		}
		o.MaxSize = 6
		for _, f := range mixed(t, o, n, "!a U {b;!a}") {
			if strings.Contains(f.String(), "!!") {
				t.Errorf("%s: a negation of a negated proposition", f)
			}
		}
	})
	t.Run("temporal", func(t *testing.T) {
		o := o
		o.Boolean, o.Weights = false, map[ltl.Op]int{ltl.OpUntil: 5}
		list := mixed(t, o, 50, "p")
		if !slices.ContainsFunc(list, func(f *ltl.Formula) bool { return f.Ops().Has(ltl.OpUntil) }) {
			t.Errorf("no U in %v", list)
		}
	})
}

func TestMixerErrors(t *testing.T) {
	var o random.MixOptions
	o.MinSize, o.MaxSize, o.Boolean = 1, 1, true
	if _, err := random.NewMixer(o); err == nil || err.Error() != "no formulas to combine" {
		t.Error(err)
	}
	o.Formulas = []*ltl.Formula{parse(t, "Fa")}
	m, err := random.NewMixer(o)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := m.Next(context.Background()); err != nil || f.String() != "Fa" {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := m.Next(context.Background()); !errors.Is(err, ltl.ErrExhausted) {
		t.Errorf("one formula in two ways: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	o.MinSize = 2
	if _, err := random.NewMixer(o); err == nil {
		t.Error("a bad range of sizes was taken")
	}
}
