package complement_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// forms are all options that don't exclude each other.
func forms() []complement.Form {
	var list []complement.Form
	for i := range 16 {
		o := complement.Form{Buchi: i&1 != 0, StateBased: i&2 != 0, Deterministic: i&4 != 0, Complete: i&8 != 0}
		if o.Check() == nil {
			list = append(list, o)
		}
	}
	return list
}

// wrongForm says what is not as the options promise, letter by letter.
func wrongForm(o complement.Form, a *omega.Automaton) string {
	name := a.Acceptance().Name()
	if o.Buchi && name != "Buchi" {
		return "acceptance " + a.Acceptance().String()
	}
	if o.Deterministic {
		var n int
		var kind, parity string
		if k, _ := fmt.Sscanf(name, "parity %s %s %d", &kind, &parity, &n); k != 3 && name != "all" && name != "none" && name != "Buchi" && name != "co-Buchi" {
			return "acceptance " + a.Acceptance().String()
		}
		if len(a.Initial()) > 1 {
			return "several initial states"
		}
	}
	if o.Complete && len(a.Initial()) == 0 {
		return "no initial state"
	}
	if o.StateBased != a.StateMarks && o.StateBased {
		return "not said to have marks on states"
	}
	letter := make(omega.Letter, a.Alphabet().Len())
	for s := range omega.State(a.NumStates()) {
		for v := range 1 << len(letter) {
			for i := range letter {
				letter[i] = v>>i&1 != 0
			}
			n := 0
			for _, e := range a.Edges(s) {
				if a.Alphabet().Eval(e.Label, letter) {
					n++
				}
				if o.StateBased && e.Marks != a.Edges(s)[0].Marks {
					return fmt.Sprintf("state %d: edges with different marks", s)
				}
			}
			if n > 1 && o.Deterministic || n == 0 && o.Complete {
				return fmt.Sprintf("state %d: %d edges on the letter %v", s, n, letter)
			}
		}
	}
	return ""
}

func inLanguage(a *omega.Automaton, w *omega.Word) bool {
	return must.Get(a.Accepts(context.Background(), w))
}

func text(t testing.TB, a *omega.Automaton) string {
	t.Helper()
	var b strings.Builder
	must.Do(hoa.Write(context.Background(), &b, a))
	return b.String()
}

// unequal returns a word that exactly one of the automata accepts, if there is one.
// It does not decide what is hard to decide.
func unequal(t testing.TB, a, b *omega.Automaton) (w *omega.Word, decided bool) {
	t.Helper()
	d := productcheck.Decider{}
	d.Limits.Macrostates = 1000
	x, y := productcheck.NewLanguage(a), productcheck.NewLanguage(b)
	for range 2 {
		got := must.Get(d.Decide(t.Context(), x.In(), y.Out()))
		if got.Undecided != nil {
			return nil, false
		}
		if !got.Empty() {
			return got.Word, true
		}
		x, y = y, x
	}
	return nil, true
}

// randomForm returns one with a random acceptance condition.
func randomForm(r *rand.Rand, alphabet *omega.Alphabet) *omega.Automaton {
	names := []string{"all", "none", "Buchi", "Buchi", "generalized-Buchi 2", "generalized-Buchi 3", "generalized-Buchi 5", "co-Buchi",
		"generalized-co-Buchi 2", "Rabin 1", "Rabin 2", "Streett 1", "Streett 2", "parity max even 3", "parity min odd 4",
		"parity max odd 5", "parity min even 2", "generalized-Rabin 2 1 2"}
	acceptance, _ := omega.NamedAcceptance(names[r.IntN(len(names))])
	if r.IntN(4) == 0 {
		n := 1 + r.IntN(4)
		acceptance = omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
	}
	n := 1 + r.IntN(5)
	o := random.Options{States: n, Density: (0.5 + 2*r.Float64()) / float64(n), Marks: 0.1 + 0.5*r.Float64(),
		StateMarks: r.IntN(4) == 0, Deterministic: r.IntN(3) == 0}
	if o.Deterministic {
		o.States += r.IntN(4)
		o.Density = []float64{1, 0.9}[r.IntN(2)]
	}
	return random.Automaton(r, alphabet, acceptance, o)
}

// TestFormRandom brings automata to all forms: random automata, alternating automata and automata of formulas.
// The language and the name stay the same, and the form is what was asked for.
func TestFormRandom(t *testing.T) {
	cases, seed := campaign.Seeded(t, 100, 1)
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 14}))
	large := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		alphabet := omega.NewAlphabet([]string{"a", "b"}[:1+r.IntN(2)]...)
		a := randomForm(r, alphabet)
		switch i % 4 {
		case 1:
			a = structured(r, alphabet)
		case 2:
			a = alternating(r, alphabet, i%8 == 2)
		case 3:
			s := ltl.NewStore()
			a = must.Get(translate.Of(t.Context(), s, s.Import(must.Get(g.Next()))))
		}
		for _, o := range forms() {
			b, err := o.Apply(t.Context(), a, omega.Limits{Macrostates: 100})
			var over *omega.LimitError
			if errors.As(err, &over) {
				large++
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, automaton %d, %+v: %v", seed, i, o, err)
			}
			if wrong := wrongForm(o, b); wrong != "" || b.Name != a.Name {
				t.Fatalf("seed %d, automaton %d (%s), %+v: %s, name %q, want %q\n%s%s", seed, i, a.Acceptance(), o, wrong, b.Name, a.Name, text(t, a), text(t, b))
			}
			for range 10 {
				w := random.Word(r, a.Alphabet(), 3, 4)
				if x, y := inLanguage(a, w), inLanguage(b, w); x != y {
					t.Fatalf("seed %d, automaton %d (%s), %+v: %s is accepted: %v, afterwards %v\n%s%s", seed, i, a.Acceptance(), o, w, x, y, text(t, a), text(t, b))
				}
			}
			w, decided := unequal(t, a, b)
			if !decided {
				large++
			}
			if w != nil {
				t.Fatalf("seed %d, automaton %d (%s), %+v: %s is accepted by only one\n%s%s", seed, i, a.Acceptance(), o, w, text(t, a), text(t, b))
			}
		}
	}
	if large > cases*len(forms())/10 {
		t.Errorf("%d of %d automata were too large", large, cases*len(forms()))
	}
}

// TestParityLimits: a determinization that would take much ends at its limits.
func TestParityLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 30, Density: 0.1, Marks: 0.2})
	var over *omega.LimitError
	if _, err := (complement.Form{Deterministic: true}.Apply(ctx, a, omega.Limits{Macrostates: 1000})); !errors.As(err, &over) || over.What != "macrostates" {
		t.Errorf("limit of macrostates: %v", err)
	}
	if _, err := (complement.Form{Deterministic: true}.Apply(ctx, a, omega.Limits{Memory: 1 << 20})); !errors.As(err, &over) || over.What != "memory" {
		t.Errorf("limit of memory: %v", err)
	}
	soon := canceled.At(ctx, 201)
	if _, err := (complement.Form{Deterministic: true}.Apply(soon, a, omega.Limits{})); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
