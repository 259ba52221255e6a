package omega_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/runs"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

func TestParseWord(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a&!b; b; cycle{!a; 1}", "a&!b; b; cycle{!a; 1}"},
		{"cycle{a}", "cycle{a}"},
		{" cycle { a | b ; } ", ""},
		{"cycle; cycle{cycle & !x}", "cycle; cycle{cycle&!x}"},
		{`"a;b}" & "c{"; cycle{"\"" }`, `"a;b}"&"c{"; cycle{"\""}`},
		{"a -> b; cycle{a xor b};", "!a | b; cycle{!a&b | a&!b}"},
		{"a; cycle{}", ""},
		{"a", ""},
		{"", ""},
		{"; cycle{a}", ""},
		{"cycle{a}; b", ""},
		{"cycle{a", ""},
		{"cycle a}", ""},
		{"a; cycle{cycle{a}}", ""},
		{"0; cycle{a}", ""},
		{"Xa; cycle{a}", ""},
	} {
		w, err := omega.ParseWord(context.Background(), c.in)
		switch {
		case err != nil && c.want != "":
			t.Errorf("%q: %v", c.in, err)
		case err == nil && w.String() != c.want:
			t.Errorf("%q is read as %s, want %q", c.in, w, c.want)
		}
	}
}

// TestConcrete: the word that is chosen fits, and is as short as the same word
// can be written.
func TestConcrete(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a|b; cycle{1}", "!a&b; cycle{!a&!b}"},
		{"a; b; cycle{a; b; a; b}", "cycle{a&!b; !a&b}"},
		{"a; b; b; cycle{a; b}", "a&!b; !a&b; cycle{!a&b; a&!b}"},
		{"a; cycle{a; a; a}", "cycle{a}"},
		{"b; a; cycle{b; b; a}", "cycle{b&!a; !b&a; b&!a}"},
	} {
		w := must.Get(omega.ParseWord(context.Background(), c.in))
		got := w.Concrete().String()
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

// TestAccepts compares membership under every acceptance condition with package certify.
func TestAccepts(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 1200) {
		alphabet := omega.NewAlphabet(sample.Props([]int{1, 2, 7}[i%3])...)
		n := 1 + r.IntN(6)
		acceptance := omega.Buchi()
		if sets := r.IntN(5); sets > 0 {
			acceptance = omega.Acceptance{sets, random.Condition(r, sets, 0)}
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: n, Density: 2.5 / float64(n), Marks: 0.3})
		for range 8 {
			w := random.Word(r, alphabet, 3, 4)
			got := must.Get(a.Accepts(context.Background(), w))
			if err := a.Certify(context.Background(), w, got); err != nil {
				t.Fatalf("seed %d, automaton %d: membership of %s is %v: %v", seed, i, w, got, err)
			}
			if short, _ := a.Accepts(context.Background(), w.Concrete()); short != got {
				t.Fatalf("seed %d, automaton %d: %s written as %s is another word", seed, i, w, w.Concrete())
			}
		}
	}
}

// TestManyPairs: membership in Rabin and Streett automata does not take time
// exponential in the number of pairs.
func TestManyPairs(t *testing.T) {
	const k = 40
	for name, want := range map[string]bool{"Rabin 40": false, "Streett 40": true} {
		acceptance := must.Get(omega.NamedAcceptance(name))
		b := omega.NewBuilder(omega.NewAlphabet("a"), acceptance)
		b.AddStates(k)
		b.AddStart(0)
		for s := range omega.State(k) {
			for d := range omega.State(k) {
				b.AddEdge(s, b.Alphabet().True(), b.Marks().Of(2*int(d), 2*int(d)+1), d)
			}
		}
		w, _ := omega.ParseWord(context.Background(), "cycle{a}")
		if got, err := b.Automaton().Accepts(context.Background(), w); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func FuzzParseWord(f *testing.F) {
	for _, s := range []string{"a&!b; b; cycle{!a; 1}", `"a;" ; cycle{"}"}`, "cycle{", "a->b;cycle{c}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, err := omega.ParseWord(context.Background(), s)
		if err != nil || w.Alphabet.Len() > 12 {
			return
		}
		back, err := omega.ParseWord(context.Background(), w.String())
		if err != nil || back.Size() != w.Size() {
			t.Errorf("%q is read as %s, which is read: %v", s, w, err)
		}
	})
}

func ExampleAutomaton_Accepts() {
	// Infinitely many a: one state, the edges with a are marked.
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0), 0)
	b.AddEdge(0, alphabet.Not(alphabet.Prop(0)), 0, 0)
	automaton := b.Automaton()
	for _, text := range []string{"cycle{a; !a}", "a; cycle{!a}"} {
		w, _ := omega.ParseWord(context.Background(), text)
		ok, _ := automaton.Accepts(context.Background(), w)
		fmt.Println(w, ok)
	}
	// Output:
	// cycle{a; !a} true
	// a; cycle{!a} false
}

// TestFrom: an automaton with chosen initial states accepts the words that it accepts from these.
func TestFrom(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	alphabet := omega.NewAlphabet("a")
	both := [2]int{}
	for i := range n {
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1+r.IntN(2)), random.Options{States: 1 + r.IntN(6), Density: 2, Marks: 0.5})
		s, u := omega.State(r.IntN(a.NumStates())), omega.State(r.IntN(a.NumStates()))
		b := must.Get(a.From(s, u))
		for range 10 {
			w := random.Word(r, alphabet, 3, 3)
			from := must.Get(a.AcceptedFrom(ctx, w))
			got := must.Get(b.Accepts(ctx, w))
			if want := from[int(s)*w.Size()] || from[int(u)*w.Size()]; got != want {
				t.Fatalf("seed %d, automaton %d: from %d and %d, %s is accepted: %v, want %v", seed, i, s, u, w, got, want)
			}
			both[map[bool]int{false: 0, true: 1}[got]]++
			if concrete := w.Concrete(); b.Certify(ctx, concrete, accepts(b, concrete)) != nil {
				t.Fatalf("seed %d, automaton %d: %s is not certified", seed, i, concrete)
			}
		}
	}
	if both[0] < 50 || both[1] < 50 {
		t.Errorf("%d words rejected, %d accepted: the test is one-sided", both[0], both[1])
	}
	a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1), random.Options{States: 3})
	for _, s := range []omega.State{-1, 3} {
		if _, err := a.From(s); err == nil {
			t.Errorf("state %d of 3: no error", s)
		}
	}
	if _, err := (*omega.Automaton)(nil).From(0); err != omega.ErrNoAutomaton {
		t.Errorf("no automaton: %v", err)
	}
}

func accepts(a *omega.Automaton, w *omega.Word) bool {
	return must.Get(a.Accepts(context.Background(), w))
}

// ring returns three states in a ring, with edges that carry a mark each and a condition of
// random clauses of three literals.
func ring(marks, clauses int) *omega.Automaton {
	r := rand.New(rand.NewPCG(1, 0))
	var all []*omega.Condition
	for range clauses {
		var any []*omega.Condition
		for range 3 {
			leaf := omega.Inf
			if r.IntN(2) == 0 {
				leaf = omega.Fin
			}
			any = append(any, leaf(r.IntN(marks)))
		}
		all = append(all, omega.AnyOf(any...))
	}
	b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Sets: marks, Condition: omega.AllOf(all...)})
	b.AddStates(3)
	b.AddStart(0)
	for i := range marks {
		b.AddEdge(omega.State(i%3), b.Alphabet().True(), b.Marks().Of(i), omega.State((i+1)%3))
	}
	return b.Automaton()
}

// related returns a state with a loop whose label relates each of n propositions to one
// that is far away from it: with this order, its diagram has 2^n nodes.
func related(n int) (near, far []string, a *omega.Automaton) {
	for i := range n {
		near = append(near, fmt.Sprint("a", i), fmt.Sprint("b", i))
		far = append(far, fmt.Sprint("a", i))
	}
	for i := range n {
		far = append(far, fmt.Sprint("b", i))
	}
	alphabet := omega.NewAlphabet(near...)
	label := omega.False
	for i := range n {
		label = alphabet.Or(label, alphabet.And(alphabet.Prop(2*i), alphabet.Prop(2*i+1)))
	}
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddState()
	b.AddStart(0)
	b.AddEdge(0, label, b.Marks().Of(0), 0)
	return near, far, b.Automaton()
}

// TestCanceled: what can take long ends when its context is done.
func TestCanceled(t *testing.T) {
	hard := ring(120, 640)
	word := must.Get(omega.ParseWord(context.Background(), "cycle{a; !a; 1; a}"))
	_, far, wide := related(30)
	other := omega.NewAlphabet(far...)
	for name, f := range map[string]func(ctx context.Context) error{
		"Accepts":          func(ctx context.Context) error { _, err := hard.Accepts(ctx, word); return err },
		"AcceptedFrom":     func(ctx context.Context) error { _, err := hard.AcceptedFrom(ctx, word); return err },
		"Explain":          func(ctx context.Context) error { _, err := runs.Explain(ctx, hard, word); return err },
		"Kinds":            func(ctx context.Context) error { _, err := hard.Kinds(ctx, hard.Components()); return err },
		"IsInherentlyWeak": func(ctx context.Context) error { _, err := hard.IsInherentlyWeak(ctx); return err },
		"Strength":         func(ctx context.Context) error { _, err := hard.Strength(ctx); return err },
		"Over": func(ctx context.Context) error {
			_, err := wide.Over(budget.WithMemory(ctx, 64<<30), other)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- f(ctx) }()
			select {
			case err := <-done:
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v", err)
				}
			case <-time.After(time.Minute):
				t.Error("goes on")
			}
		})
	}
}

// TestReduceHard: reducing an automaton takes bounded time, whatever the condition, and keeps the
// parts that it can't decide.
func TestReduceHard(t *testing.T) {
	a := ring(60, 320)
	b, err := reduce.Reduce(t.Context(), a)
	if err != nil || b.NumStates() == 0 {
		t.Errorf("%v", err)
	}
}

// TestOverLimit: labels that take too much memory over another alphabet are an error, and
// do no harm to those that there are.
func TestOverLimit(t *testing.T) {
	_, far, wide := related(30)
	alphabet := omega.NewAlphabet(far...)
	_, err := wide.Over(budget.WithMemory(t.Context(), 8<<20), alphabet)
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("%v", err)
	}
	if alphabet.Memory() > 64<<20 {
		t.Errorf("%d bytes", alphabet.Memory())
	}
	x, y := alphabet.Prop(0), alphabet.Prop(59)
	if and := alphabet.And(x, y); !alphabet.Implies(and, x) || !alphabet.Implies(and, y) || alphabet.Or(and, alphabet.And(x, alphabet.Not(y))) != x {
		t.Error("labels are wrong after a limit was hit")
	}
}

// TestExpression: the text of any label reads as the same label, whether it has a small
// cover or not; parity is printed in a text of moderate size.
func TestExpression(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprint("p", i))
	}
	alphabet := omega.NewAlphabet(names...)
	nested, n := 0, campaign.Inputs(t, 300)
	for i := range n {
		l := randomLabel(r, alphabet, 6+i%25)
		if i == 0 {
			l = randomParity(alphabet, 30)
		}
		text := alphabet.Text(l)
		if _, ok := alphabet.Cover(l); !ok {
			nested++
		}
		if len(text) > 1<<20 {
			t.Fatalf("seed %d, label %d: %d characters", seed, i, len(text))
		}
		if l == omega.False || strings.Contains(text, "too large") {
			continue
		}
		w := must.Get(omega.ParseWord(context.Background(), "cycle{"+text+"}"))
		if w.Over(alphabet).Cycle[0] != l {
			t.Fatalf("seed %d, label %d: reads as another label: %.200s", seed, i, text)
		}
	}
	if nested < n/15 {
		t.Errorf("only %d labels have no small cover", nested)
	}
}

func randomParity(alphabet *omega.Alphabet, n int) omega.Label {
	l := omega.False
	for i := range n {
		l = alphabet.Xor(l, alphabet.Prop(i))
	}
	return l
}

// randomLabel returns a label of some random propositions, with many exclusive ors.
func randomLabel(r *rand.Rand, alphabet *omega.Alphabet, n int) omega.Label {
	props := r.Perm(alphabet.Len())[:n]
	slices.Sort(props)
	l := omega.False
	for _, p := range slices.Backward(props) {
		x := alphabet.Prop(p)
		if r.IntN(4) == 0 {
			x = alphabet.Not(x)
		}
		switch k := r.IntN(8); {
		case k == 0:
			l = alphabet.And(l, x)
		case k == 1:
			l = alphabet.Or(l, x)
		default:
			l = alphabet.Xor(l, x)
		}
	}
	return l
}

// TestWordProps: a word of as many propositions as one may have can be certified; one more is an error.
func TestWordProps(t *testing.T) {
	for _, n := range []int{2048, 2049} {
		w, err := omega.ParseWord(t.Context(), "cycle{"+strings.Join(sample.Props(n), "&")+"}")
		if n > 2048 {
			if want := "expected at most 2048 propositions, found 2049"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			continue
		}
		if _, err := certify.ParseWord(must.Get(w, err).String()); err != nil {
			t.Error(err)
		}
	}
}
