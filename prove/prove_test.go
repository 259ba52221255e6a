package prove_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/expressions"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// automata calls each with automata of random formulas and of their negations, made in several ways. Every
// fourth formula has regular expressions.
func automata(t *testing.T, n int, seed uint64, each func(f *ltl.Formula, p *prove.Prover, truth bool, a *certify.Automaton)) {
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 5, MaxSize: 12}))
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		s := ltl.NewStore()
		f, names := s.Import(must.Get(g.Next())), []string{"gpvw", "gastin-oddoux", "couvreur"}
		if i%8 > 5 { // of both truths
			f, names = expressions.Formula(r, s), names[2:]
		}
		p := prove.New(s, f)
		for _, name := range names {
			truth, h := true, f
			if i%2 == 1 {
				truth, h = false, s.Not(f)
			}
			a := must.Get(translate.With(context.Background(), name, s, h))
			read := a.Plain()
			m := &certify.Automaton{Props: read.Props, States: read.States, Start: read.Start, Acceptance: read.Acceptance}
			for _, e := range slices.Backward(read.List()) { // a text may list states in any order
				m.AddEdge(e.From, e.Label, e.Marks, e.To...)
			}
			each(f, p, truth, m)
		}
	}
}

// Nearly all automata of our own translations have proofs, and nodes are few.
func TestProve(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	proved, all, nodes, states := 0, 0, 0, 0
	automata(t, n, seed, func(f *ltl.Formula, p *prove.Prover, truth bool, a *certify.Automaton) {
		all++
		proof, err := p.Prove(context.Background(), truth, a)
		switch {
		case err == nil:
			proved++
			nodes += len(proof.Nodes)
			states += a.States
			rereads(t, proof)
		case !errors.Is(err, prove.ErrLost):
			t.Errorf("%s, %v: %v", f, truth, err)
		}
	})
	t.Logf("%d of %d automata proved, %d nodes for %d states", proved, all, nodes, states)
	if 100*proved < 97*all {
		t.Errorf("%d of %d automata are proved: expected 97 %%", proved, all)
	}
}

// rereads fails unless the text of the proof is read as the same proof.
func rereads(t *testing.T, proof *certify.Proof) {
	var text, again bytes.Buffer
	must.Do(prove.Write(context.Background(), &text, proof))
	read, err := prove.Read(context.Background(), bytes.NewReader(text.Bytes()))
	if err == nil {
		err = prove.Write(context.Background(), &again, read) // checks it
	}
	if err != nil || text.String() != again.String() {
		t.Errorf("%s: read as\n%s\n%v", &text, &again, err)
	}
}

// TestAnswers: answers for all of an edge of the tableau and for all of a class of letters do not get in each other's
// way.
func TestAnswers(t *testing.T) {
	s := ltl.NewStore()
	for _, text := range []string{"(p2 xor Gp2) W (p3 & (!p1 | p7 -> Gp5)) W (!p6 <-> p9 -> p1)", "G(GFp1 U (F(p9 | Gp2 M p8) <-> p1 W p0))", "F((p0 | p1) & (p2 | p3) & (p4 | p5))"} {
		f := must.Get(s.Parse(text, ltl.Spot))
		for _, by := range []string{"gpvw", "gastin-oddoux", "couvreur"} {
			for truth, g := range map[bool]*ltl.Formula{true: f, false: s.Not(f)} {
				a := must.Get(translate.With(t.Context(), by, s, g))
				if _, err := prove.New(s, f).Prove(t.Context(), truth, a.Plain()); err != nil && !errors.Is(err, prove.ErrLost) {
					t.Errorf("%s, %v, %s: %v", text, truth, by, err)
				}
			}
		}
	}
}

// TestGuesses: an automaton of Fa may guess that a does not come again before b, and one of 1 what comes next. No part
// of the formula tells.
func TestGuesses(t *testing.T) {
	s := ltl.NewStore()
	for formula, text := range map[string]string{
		"Fa": `HOA: v1 States: 4 Start: 0 AP: 2 "a" "b" acc-name: Buchi Acceptance: 1 Inf(0) --BODY--
State: 0 [t] 0 [0] 1 [0] 3 State: 1 [!0&!1] 1 [1] 2 State: 2 [t] 2 {0} State: 3 [!1] 3 {0} --END--`,
		"1": `HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 [0] 1 State: 1 [!0] 0 [!0] 1 --END--`,
	} {
		a := must.First(hoa.ReadOne(t.Context(), []byte(text)))
		proof, err := prove.New(s, must.Get(s.Parse(formula, ltl.Spot))).Prove(t.Context(), true, a.Plain())
		if err != nil || len(proof.Tableau.Kernel) <= strings.Count(formula, "F") {
			t.Errorf("%s: %v, or a tableau that tracks no guess", formula, err)
		}
	}
}

// mutant returns the automaton with one edge left out, or with another label, destination or marks.
func mutant(r *rand.Rand, a *certify.Automaton) *certify.Automaton {
	m := &certify.Automaton{Props: a.Props, States: a.States, Start: a.Start, Acceptance: a.Acceptance}
	list := a.List()
	at, kind := r.IntN(len(list)), r.IntN(4)
	for i, e := range list {
		label, marks, to := e.Label, e.Marks, e.To[0]
		if i == at {
			switch kind {
			case 0:
				continue
			case 1:
				label = &certify.Label{Op: certify.Not, Args: []*certify.Label{label}}
			case 2:
				to = r.IntN(a.States)
			case 3:
				if len(marks) > 0 {
					marks = marks[1:]
				} else {
					marks = []int{0}
				}
			}
		}
		m.AddEdge(e.From, label, marks, to)
	}
	return m
}

// A changed automaton is proved only if its language is the same: here, on all words over two propositions
// of at most four letters.
func TestMutants(t *testing.T) {
	n, seed := campaign.Seeded(t, 200, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	words := words(4)
	wrong, right, proved := 0, 0, 0
	automata(t, n, seed, func(f *ltl.Formula, p *prove.Prover, truth bool, a *certify.Automaton) {
		if len(a.List()) == 0 {
			return
		}
		m := mutant(r, a)
		equal := true
		for i := 0; i < len(words) && equal; i++ {
			holds := must.Get(certify.Holds(ctx, f, words[i]))
			accepted := must.Get(certify.Accepts(ctx, m, words[i]))
			equal = accepted == (holds == truth)
		}
		_, err := p.Prove(ctx, truth, m)
		switch {
		case !equal && !errors.Is(err, prove.ErrLost) && !errors.Is(err, certify.ErrTooMuch) && !errors.Is(err, certify.ErrLarge):
			t.Errorf("%s, %v: an automaton that is wrong on a word: %v", f, truth, err)
		case !equal:
			wrong++
		case err == nil:
			proved++
		default:
			right++
		}
	})
	t.Logf("%d mutants are wrong, none of which is proved; of %d others %d are proved", wrong, right+proved, proved)
}

// A damaged proof is refused, or it is still a proof: of the same formula, for the same automaton.
func TestDamaged(t *testing.T) {
	n, seed := campaign.Seeded(t, 200, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	refused, kept := 0, 0
	automata(t, n, seed, func(f *ltl.Formula, p *prove.Prover, truth bool, a *certify.Automaton) {
		proof, err := p.Prove(context.Background(), truth, a)
		if err != nil {
			return
		}
		more, still := damage(t, r, proof)
		refused, kept = refused+more, kept+still
	})
	t.Logf("%d damaged proofs are refused, %d are still proofs", refused, kept)
	if refused < 2*kept {
		t.Errorf("%d damaged proofs are refused, and %d are not: expected fewer", refused, kept)
	}
}

// damage changes a proof in ten places. It returns how many of them are refused, and how many are still proofs.
func damage(t *testing.T, r *rand.Rand, proof *certify.Proof) (refused, kept int) {
	for range 10 {
		d := *proof
		nodes, right, states := &d.Nodes, d.Automaton, 0
		switch {
		case d.Tableau != nil:
			states = len(d.Tableau.States)
		case r.IntN(2) == 0:
			nodes, right, states = &d.Back, d.Given, d.Automaton.States
		default:
			states = d.Given.States
		}
		before := *nodes
		*nodes = slices.Clone(before)
		place := r.IntN(len(*nodes))
		node := &(*nodes)[place]
		node.Answers = slices.Clone(node.Answers)
		if len(node.Answers) == 0 {
			continue
		}
		at := r.IntN(len(node.Answers))
		answer := &node.Answers[at]
		switch r.IntN(6) {
		case 0:
			node.Answers = slices.Delete(node.Answers, at, at+1)
		case 1:
			answer.Edge = r.IntN(len(right.List())+2) - 1
		case 2:
			answer.Next = r.IntN(len(*nodes)+2) - 1
		case 3:
			answer.To = r.IntN(states)
		case 4:
			answer.Cube.Pos, answer.Cube.Neg = answer.Cube.Neg, answer.Cube.Pos
		case 5:
			node.Right = r.IntN(right.States)
		}
		if slices.Equal(node.Answers, before[place].Answers) && node.Right == before[place].Right {
			continue // nothing has changed
		}
		err := d.Check(context.Background(), 1<<20)
		var refusal *certify.Refusal
		switch {
		case err == nil:
			kept++
		case errors.As(err, &refusal):
			refused++
		default:
			t.Error(err)
		}
	}
	return refused, kept
}

// Random automata are equivalent to themselves, and to a mutant only if they accept the same words of at
// most four letters. The text of each proof is read as the same, and damaged proofs are refused.
func TestEquivalence(t *testing.T) {
	n, seed := campaign.Seeded(t, 400, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	words := words(4)
	equals, wrong, right, proved, refused, kept := 0, 0, 0, 0, 0, 0
	for range n {
		sets, states := 1+r.IntN(3), 1+r.IntN(4)
		a := random.Automaton(r, omega.NewAlphabet("a", "b"), omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: states, Density: 2.5 / float64(states), Marks: 0.4}).Plain()
		if len(a.List()) == 0 {
			continue
		}
		if _, err := prove.Equivalence(ctx, a, a, prove.MaxEffort); err == nil {
			equals++
		} else if !errors.Is(err, prove.ErrLost) {
			t.Fatal(err)
		}
		m := mutant(r, a)
		equal := !slices.ContainsFunc(words, func(w *certify.Word) bool {
			return must.Get(certify.Accepts(ctx, a, w)) != must.Get(certify.Accepts(ctx, m, w))
		})
		proof, err := prove.Equivalence(ctx, a, m, prove.MaxEffort)
		switch {
		case err != nil && !errors.Is(err, prove.ErrLost) || err == nil && !equal:
			t.Errorf("mutant with equal words %v: %v", equal, err)
		case !equal:
			wrong++
		case err != nil:
			right++
		default:
			proved++
			rereads(t, proof)
			more, still := damage(t, r, proof)
			refused, kept = refused+more, kept+still
		}
	}
	t.Logf("%d of %d are equivalent to themselves by a proof; %d mutants are wrong, none of which is proved; of %d others %d are proved; %d damaged proofs are refused, %d are still proofs",
		equals, n, wrong, right+proved, proved, refused, kept)
	if 10*equals < 9*n || 2*proved < right || refused < kept {
		t.Error("expected more")
	}
}

// words returns all words over a and b of at most so many letters.
func words(most int) (list []*certify.Word) {
	for size := 1; size <= most; size++ {
		for code := range 1 << (2 * size) {
			var letters []certify.Letter
			for i := range size {
				letters = append(letters, certify.Letter{"a": code>>(2*i)&1 != 0, "b": code>>(2*i+1)&1 != 0})
			}
			for prefix := range size {
				list = append(list, &certify.Word{Prefix: letters[:prefix], Cycle: letters[prefix:]})
			}
		}
	}
	return list
}

// A proof that is wrong in memory is not written.
func TestWriteWrong(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse("F a", ltl.Spot))
	a := must.Get(translate.With(context.Background(), "couvreur", s, f))
	proof := must.Get(prove.New(s, f).Prove(context.Background(), true, a.Plain()))
	proof.Nodes[0].Answers = proof.Nodes[0].Answers[1:]
	var text bytes.Buffer
	var refusal *certify.Refusal
	if err := prove.Write(context.Background(), &text, proof); !errors.As(err, &refusal) || text.Len() > 0 {
		t.Errorf("%v\n%s", err, &text)
	}
	proof.Truth = false
	if err := prove.Write(context.Background(), &text, proof); err == nil || text.Len() > 0 {
		t.Errorf("other truth: %v\n%s", err, &text)
	}
}

// The format has lines, and so no names with line breaks, whether in the formula or the automaton.
func TestLineBreak(t *testing.T) {
	ctx := context.Background()
	s := ltl.NewStore()
	f := must.Get(s.Parse("1", ltl.Spot))
	var text, none bytes.Buffer
	a, _, err := hoa.ReadOne(ctx, []byte("HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--"))
	must.Do(err)
	proof := must.Get(prove.New(s, f).Prove(ctx, true, a.Plain()))
	must.Do(prove.Write(ctx, &text, proof))
	var syntax *prove.SyntaxError
	if _, err := prove.Read(ctx, strings.NewReader(strings.Replace(text.String(), `"a"`, "\"a\nb\"", 1))); !errors.As(err, &syntax) || syntax.Line != 7 {
		t.Errorf("read: %v", err)
	}
	proof.Automaton.Props[0] = "a\nb"
	if err := prove.Write(ctx, &none, proof); !errors.Is(err, prove.ErrLineBreak) || none.Len() > 0 {
		t.Errorf("written: %v\n%s", err, &none)
	}
}

// A context that is done, at whatever point, is no fault of the proof.
func TestWriteCanceled(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse("G(a -> F b) & GF c", ltl.Spot))
	a := must.Get(translate.With(context.Background(), "gpvw", s, f))
	proof := must.Get(prove.New(s, f).Prove(context.Background(), true, a.Plain()))
	all := canceled.Never(context.Background())
	must.Do(prove.Write(all, io.Discard, proof))
	for n := range all.Asked {
		var text bytes.Buffer
		if err := prove.Write(canceled.At(context.Background(), n), &text, proof); !errors.Is(err, context.Canceled) || text.Len() > 0 {
			t.Errorf("canceled at %d of %d: %v", n, all.Asked, err)
		}
	}
}

// A text in any other spelling than the one that is written is refused, with its line.
func TestOtherSpellings(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse("F a", ltl.Spot))
	a := must.Get(translate.With(context.Background(), "couvreur", s, f))
	var text bytes.Buffer
	must.Do(prove.Write(context.Background(), &text, must.Get(prove.New(s, f).Prove(context.Background(), true, a.Plain()))))
	for _, edit := range [][2]string{
		{"formula: Fa", "formula: F a"}, {"formula: Fa", "formula: <>a"}, {"kernel: Fa", "kernel: F(a)"}, {"truth: true", "truth: true "},
		{"HOA: v1\n", "HOA: v1.1\n"}, {"HOA: v1\n", "HOA: v1\nname: \"x\"\n"}, {"HOA: v1\n", "HOA: v1\nUNKNOWN: 1\n"}, {"AP: 1", "Alphabet: 2\nAP: 1"},
		{"--BODY--", "/* */ --BODY--"}, {"[!0] 0", "[ !0 ] 0"}, {"[t] 1 {0}", "[0 | !0] 1 {0}"}, {"State: 1\n", "State: 1 {0}\n"},
		{"node 1: 0, state 1", "node 1: 0 state 1"}, {"node 1: 0, state 1", "node 1: 0, state 1 & node 7"}, {"state 1\n", "state +1\n"}, {"state 1\n", "state 1.5\n"},
		{"edge 1, node 1, on 1", "edge 01, node 1, on 1"}, {"on a\n", "on (a)\n"}, {"on 1\n", "on t\n"}, {"  to 0", "\tto 0"}, {"end\n", "end"}, {"end\n", "end\n\n"}, {"\n", "\r\n"},
	} {
		other := strings.Replace(text.String(), edit[0], edit[1], 1)
		_, err := prove.Read(context.Background(), strings.NewReader(other))
		var syntax *prove.SyntaxError
		if other == text.String() || !errors.As(err, &syntax) {
			t.Errorf("%q for %q: %v\n%s", edit[1], edit[0], err, other)
		}
	}
}
