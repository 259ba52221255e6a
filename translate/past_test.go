package translate

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// pastFormulas returns n random formulas with operators of the past, over the
// first props propositions.
func pastFormulas(t testing.TB, s *ltl.Store, seed uint64, n, props, minSize, maxSize int) []*ltl.Formula {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: seed, Props: []string{"a", "b", "past0", "c"}[:props], MinSize: minSize, MaxSize: maxSize,
		Past: true, KeepTrivial: true, KeepDuplicates: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []*ltl.Formula
	for len(list) < n {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		if f.Ops().HasPast() {
			list = append(list, s.Import(f))
		}
	}
	return list
}

// TestPast compares the automata of random formulas with past with the truth of
// these on random words. One of the propositions has the name that a tester would
// have.
func TestPast(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for props := 1; props <= 3; props++ {
		s := ltl.NewStore()
		alphabet := omega.NewAlphabet("a", "b", "past0")
		for i, f := range pastFormulas(t, s, seed, campaign.Inputs(t, 100), props, 2, 12) {
			var words []*omega.Word
			for range 12 {
				words = append(words, randomWord(r, alphabet))
			}
			checkWords(t, s, f, words)
			if t.Failed() {
				t.Fatalf("seed %d, %d propositions, formula %d", seed, props, i)
			}
		}
	}
}

// TestWithoutPast pins the line of each operator in the table.
func TestWithoutPast(t *testing.T) {
	for _, test := range []struct {
		formula, future string
	}{
		{"Y a", "past0 & !past0 & G(a <-> Xpast0)"},
		{"FZ a", "Fpast0 & past0 & G(a <-> Xpast0)"},
		{"FO a", "F(a | past0) & !past0 & G((a | past0) <-> Xpast0)"},
		{"GH past0", "G(past0 & past1) & past1 & G((past0 & past1) <-> Xpast1)"},
		{"X(a S b)", "X(b | a & past0) & !past0 & G((b | a & past0) <-> Xpast0)"},
		{"X(a T b)", "X(b & (a | past0)) & past0 & G((b & (a | past0)) <-> Xpast0)"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, test.formula)
		want := s.Simplify(parse(t, s, test.future))
		if got := s.Simplify(withoutPast(s, f, omega.NewAlphabet(f.Props()...))); got != want {
			t.Errorf("%s: got %s, want %s", f, got, want)
		}
	}
}
