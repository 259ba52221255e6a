package explain_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A tally counts what Repair says of mutants.
type tally struct{ right, wrong, none int }

// count adds what Repair says of a mutant whose language is wrong. Repair is right if it names the edges
// in which the mutant differs from the original, or the states of such edges.
func (n *tally) count(t *testing.T, formula string, original, mutant *omega.Automaton) {
	t.Helper()
	ctx := t.Context()
	store := ltl.NewStore()
	spec := must.Get(translate.Of(ctx, store, must.Get(store.Parse(formula, ltl.Spot))))
	all := omega.Union(mutant.Alphabet(), spec.Alphabet())
	mutant, original = must.Get(mutant.Over(ctx, all)), must.Get(original.Over(ctx, all))
	right, l := productcheck.NewLanguage(must.Get(spec.Over(ctx, all))), productcheck.NewLanguage(mutant)
	var word *omega.Word
	for _, extra := range []bool{true, false} {
		if d := must.Get(new(productcheck.Decider).Decide(ctx, productcheck.Side{Language: l, In: extra}, productcheck.Side{Language: right, In: !extra})); d.Undecided == nil && !d.Empty() {
			word = d.Word.Concrete()
		}
	}
	if word == nil {
		return
	}
	p := must.Get(explain.Repair(ctx, mutant, right, word))
	if p == nil {
		n.none++
		return
	}
	edges := func(a *omega.Automaton, s int) (list []string) {
		for _, e := range a.Edges(omega.State(s)) {
			list = append(list, fmt.Sprint(all.Text(e.Label), a.Marks().AppendTo(nil, e.Marks), e.Dst))
		}
		return list
	}
	ok := len(p.States) > 0 || !slices.Equal(original.Initial(), mutant.Initial())
	for i, s := range p.States {
		before, after := edges(original, s), edges(mutant, s)
		if ok = ok && !slices.Equal(before, after); p.Edges != nil && len(p.States) == len(p.Edges) {
			ok = ok && !slices.Contains(before, after[p.Edges[i]])
		}
	}
	if ok {
		n.right++
		return
	}
	n.wrong++
	t.Errorf("%s: %s\n%s", formula, p.Text, must.Get(text(ctx, mutant)))
}

func text(ctx context.Context, a *omega.Automaton) (string, error) {
	var b bytes.Buffer
	err := hoa.Write(ctx, &b, a)
	return b.String(), err
}

// TestRepairCorpus: of the recorded automata after one mutation, the place that Repair names is the
// place of the mutation.
func TestRepairCorpus(t *testing.T) {
	originals := make(map[[2]string]string)
	for r := range corpus.Records[struct {
		Formula, Tool, Output string
		Negated               bool
	}](t, "recorded.jsonl.gz") {
		if !r.Negated {
			originals[[2]string{r.Formula, r.Tool}] = r.Output
		}
	}
	read := func(s string) *omega.Automaton {
		a := must.First(hoa.ReadOne(t.Context(), []byte(s)))
		return a
	}
	var n tally
	for m := range campaign.Sample(corpus.Records[struct {
		Formula, Tool, HOA string
		Equivalent         bool
	}](t, "mutants.jsonl.gz"), 16) {
		if !m.Equivalent {
			n.count(t, m.Formula, read(originals[[2]string{m.Formula, m.Tool}]), read(m.HOA))
		}
	}
	t.Logf("%+v", n)
	if want := map[bool]int{false: 29, true: 442}[campaign.Whole()]; n.right < want {
		t.Errorf("%d places are right, want %d", n.right, want)
	}
}

// TestRepairRandom: the same for mutants of our own translations of random formulas.
func TestRepairRandom(t *testing.T) {
	inputs, seed := campaign.Seeded(t, 100, 1)
	profile := must.Get(random.ParseProfile("default"))
	formulas, r := random.New(profile, seed), rand.New(rand.NewPCG(seed, 0))
	var n tally
	for i := range inputs {
		f := must.Get(formulas.Next(t.Context()))
		store := ltl.NewStore()
		a, err := translate.With(t.Context(), []string{"couvreur", "gpvw", "gastin-oddoux"}[i%3], store, store.Import(f))
		if err != nil || a.NumEdges() == 0 {
			continue
		}
		n.count(t, f.String(), a, mutate(a, r))
	}
	t.Logf("%+v", n)
	if n.right < 2*n.none {
		t.Errorf("%d places are right, and %d are not named", n.right, n.none)
	}
}

// mutate returns a copy in which one edge is missing, or has another mark, destination, or label.
func mutate(a *omega.Automaton, r *rand.Rand) *omega.Automaton {
	b := a.NewBuilder()
	at := r.IntN(a.NumEdges())
	b.Copy(a, budget.Free(), func(_ omega.State, e omega.Edge) omega.Edge {
		if at--; at != -1 {
			return e
		}
		switch kind := r.IntN(4); {
		case kind == 0:
			e.Label = omega.False
		case kind == 1 && a.Acceptance().Sets > 0:
			m := r.IntN(a.Acceptance().Sets)
			if a.Marks().Has(e.Marks, m) {
				e.Marks = a.Marks().Changed(e.Marks, []int{m}, nil)
			} else {
				e.Marks = a.Marks().Changed(e.Marks, nil, []int{m})
			}
		case kind == 2 && a.Alphabet().Len() > 0:
			p := a.Alphabet().Prop(r.IntN(a.Alphabet().Len()))
			e.Label = []omega.Label{a.Alphabet().Xor(e.Label, p), a.Alphabet().And(e.Label, p), a.Alphabet().Or(e.Label, p)}[r.IntN(3)]
		default:
			e.Dst = omega.State(r.IntN(a.NumStates()))
		}
		return e
	})
	return b.Automaton()
}

// TestManyStates: of the states of an alternating automaton that accept the rest of a word, 20 are
// listed and the others counted.
func TestManyStates(t *testing.T) {
	text := `HOA: v1 States: 24 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1&2`
	for s := 1; s < 24; s++ {
		text += fmt.Sprintf(" State: %d [t] %[1]d", s)
	}
	a := must.Get(hoa.NewReader(strings.NewReader(text + " --END--")).Next(t.Context()))
	w := must.Get(omega.ParseWord(t.Context(), "cycle{1}"))
	e, err := explain.Acceptance(t.Context(), a, w)
	if err != nil || len(e.From) != 1 || len(e.From[0].States) != 20 || e.From[0].StatesLeftOut != 4 {
		t.Errorf("%+v, %v", e, err)
	}
}

// An automaton that should accept the words of G(a -> X a) has no way on after a; !a. That is right.
func ExampleAcceptance() {
	ctx := context.Background()
	a := must.Get(hoa.NewReader(strings.NewReader(`HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 0 t
		--BODY-- State: 0 [!0] 0 [0] 1 State: 1 [0] 1 --END--`)).Next(ctx))
	for _, text := range []string{"a; cycle{!a}", "!a; cycle{a}"} {
		fmt.Println(must.Get(explain.Acceptance(ctx, a, must.Get(omega.ParseWord(ctx, text)))))
	}
	// Output:
	// stuck at letter 2: state 1 has no edge for !a, only for a
	// accepting run: every infinite run is accepting
}

// If G(a -> X b) holds on the word, b must hold after the first letter.
func ExampleProgression() {
	s := ltl.NewStore()
	f := must.Get(s.Parse("G(a -> X b)", ltl.Spot))
	w := must.Get(omega.ParseWord(context.Background(), "a&!b; cycle{!a&b; !a&!b}"))
	fmt.Println(strings.Join(explain.Progression(s, f, w).Formulas, "\n"))
	// Output:
	// G(a -> Xb)
	// b & G(a -> Xb)
	// G(a -> Xb)
	// G(a -> Xb)
}
