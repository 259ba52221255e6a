package ltl_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestProgressPSL: along every word, what remains of a formula with expressions is as true of the
// rest of the word as the formula of the word. It may become too large to be evaluated.
func TestProgressPSL(t *testing.T) {
	const seed = 14
	g := pslGenerator(t, seed, 2, 16)
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := map[ltl.SEREOp]int{}
	for i := range campaign.Inputs(t, 500) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		f = s.Import(f)
		for _, h := range f.Subformulas() {
			if h.SERE() != nil {
				countSERE(h.SERE(), kinds)
			}
		}
		// The word is a prefix of 7 letters and a cycle of one to three.
		bits, cycle := r.Uint64(), 1+r.IntN(3)
		const prefix = 7
		value := func(prop string, pos int) bool { return bits>>(3*pos+int(prop[0]-'a'))&1 != 0 }
		want := holds(t, f, prefix, cycle, value)
		rest := f
		for pos := 1; pos <= prefix && rest.Size() <= 100; pos++ {
			before := rest
			var ok bool
			rest, ok = s.Progress(before, func(prop string) bool { return value(prop, pos-1) })
			if !ok {
				t.Fatalf("%s has no past", f)
			}
			later := func(prop string, i int) bool { return value(prop, pos+i) }
			got, err := rest.Holds(prefix-pos, cycle, later)
			if errors.Is(err, ltl.ErrLarge) {
				break
			}
			if err != nil || got != want {
				t.Fatalf("seed %d, formula %d: %s is %v; letter %d makes %s of %s", seed, i, f, want, pos, rest, before)
			}
		}
	}
	if len(kinds) != 10 {
		t.Errorf("seed %d: %d operators of expressions", seed, len(kinds))
	}
}

// TestProgressExpressions reads one letter after the other.
func TestProgressExpressions(t *testing.T) {
	for _, c := range []struct{ in, letters, want string }{
		{"{a;b}|->c", "a", "{b}[]-> c"},
		{"{a;b}|->c", "b", "1"},
		{"{a[*];b}|->Xc", "aa", "{a[*];b}[]-> Xc"},
		{"{a[*];b}|->Xc", "ab", "c"},
		{"{{a;b}[*];c}!", "aba", "{b;{a;b}[*];c}!"},
		{"{{a;b}[*];c}!", "c", "1"},
		{"{a[*3];b[*];c}!", "aa", "{a;b[*];c}!"},
		{"{a[*2..4];b}!", "aa", "{a[*0..2];b}!"},
		{"{a[*2..];b}!", "aaaaa", "{a[*];b}!"},
		{"{{a;b}[:*3];c}!", "a", "{b:{a;b}[:*2];c}!"},
		{"{{a;b} && {1;1;c}}!", "ab", "0"},
		{"{first_match(a;b[*];c);a}!", "ab", "{first_match(b[*];c);a}!"},
		{"{a;b[*];c}", "ab", "{b[*];c}"},
		{"{a;b}", "ab", "1"},
		{"{a;b}", "b", "0"},
		{"{a[*]}", "b", "0"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, ltl.Spot)
		for _, letter := range c.letters {
			f, _ = s.Progress(f, func(prop string) bool { return prop == string(letter) })
		}
		if f.String() != c.want {
			t.Errorf("%s after %s: got %s, want %s", c.in, c.letters, f, c.want)
		}
	}
}
