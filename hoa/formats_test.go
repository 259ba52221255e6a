package hoa_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// minterms writes a label in prefix notation: the disjunction of its letters.
func minterms(a *omega.Alphabet, label omega.Label, quote bool) string {
	text := "f"
	for v := range 1 << a.Len() {
		letter := make(omega.Letter, a.Len())
		cube := "t"
		for i, p := range a.Props() {
			if quote {
				p = `"` + p + `"`
			}
			if letter[i] = v>>i&1 == 1; letter[i] {
				cube = "& " + p + " " + cube
			} else {
				cube = "& ! " + p + " " + cube
			}
		}
		if a.Eval(label, letter) {
			text = "| " + text + " " + cube
		}
	}
	return text
}

// lbtt writes a generalized Büchi automaton in LBTT format, with the sets on edges
// (t), on states (s or nothing) or on both, and the states numbered in some order.
func lbtt(r *rand.Rand, a *omega.Automaton, where string) string {
	n := a.NumStates()
	number := r.Perm(n)
	for i := range number {
		number[i] *= 3
	}
	space := func() string { return []string{" ", "\n", "\r\n", "\t "}[r.IntN(4)] }
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d%s\n", n, a.Acceptance().Sets, where)
	for _, s := range r.Perm(n) {
		edges := a.Edges(omega.State(s))
		fmt.Fprintf(&b, "%d %d", number[s], map[bool]int{true: 1}[slices.Contains(a.Initial(), omega.State(s))])
		onEdges := strings.Contains(where, "t")
		if !onEdges || strings.Contains(where, "s") {
			if !onEdges && len(edges) > 0 {
				for _, i := range a.Marks().AppendTo(nil, edges[0].Marks) {
					fmt.Fprintf(&b, "%s%d", space(), i)
				}
			}
			b.WriteString(" -1")
		}
		for _, e := range edges {
			fmt.Fprintf(&b, "%s%d ", space(), number[e.Dst])
			if onEdges {
				for _, i := range a.Marks().AppendTo(nil, e.Marks) {
					fmt.Fprintf(&b, "%d%s", i, space())
				}
				b.WriteString("-1 ")
			}
			b.WriteString(minterms(a.Alphabet(), e.Label, r.IntN(2) == 0))
		}
		fmt.Fprintf(&b, "%s-1\n", space())
	}
	return b.String()
}

// readOne reads a text as it is, and within a stream that is cut byte by byte.
func readOne(t *testing.T, text string) *omega.Automaton {
	t.Helper()
	a := parsed(t, text)
	cuts := make([]int, len(text))
	for i := range cuts {
		cuts[i] = i
	}
	list := pieces(text+"\n"+text, cuts...)
	if len(list) != 2 || !list[0].Complete || !list[1].Complete {
		t.Fatalf("%d pieces of\n%s", len(list), text)
	}
	b, _, err := list[1].Automaton(context.Background())
	if err != nil || show(a) != show(b) {
		t.Fatalf("%s\nis read as\n%s\nand as\n%s\n%v", text, show(a), show(b), err)
	}
	return a
}

// TestLBTT writes random generalized Büchi automata in LBTT format and compares
// membership of random words.
func TestLBTT(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 400 {
		alphabet := omega.NewAlphabet([]string{"p0", "p1", "p12"}[:i%4]...)
		n := 1 + i%5
		where := []string{"", "s", "t", "st", "ts"}[r.IntN(5)]
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(i%3), random.Options{States: n, Density: 2 / float64(n), Marks: 0.4, StateMarks: !strings.Contains(where, "t")})
		text := lbtt(r, a, where)
		back := readOne(t, text)
		if back.NumStates() != n || back.Acceptance().String() != a.Acceptance().String() || back.StateMarks != !strings.Contains(where, "t") {
			t.Fatalf("seed %d: %s\nis read as\n%s", seed, text, show(back))
		}
		for range 10 {
			w := random.Word(r, alphabet, 3, 3)
			x, _ := a.Accepts(context.Background(), w)
			y, _ := back.Accepts(context.Background(), w)
			if x != y {
				t.Fatalf("seed %d: word %s: %v, read from LBTT format %v\n%s", seed, w, x, y, text)
			}
		}
	}
}

// rabin is a random deterministic automaton, as ltl2dstar's documentation defines
// them: for each state the destinations of the letters, and for each pair whether the
// state is in L and in U.
type rabin struct {
	streett bool
	props   []string
	start   int
	next    [][]int
	l, u    [][]bool
}

func randomRabin(r *rand.Rand) *rabin {
	n, pairs := 1+r.IntN(6), r.IntN(3)
	a := &rabin{streett: r.IntN(2) == 0, props: []string{"a", "b c", "\"\\"}[:r.IntN(4)], start: r.IntN(n)}
	for range n {
		var next []int
		for range 1 << len(a.props) {
			next = append(next, r.IntN(n))
		}
		l, u := make([]bool, pairs), make([]bool, pairs)
		for i := range pairs {
			l[i], u[i] = r.IntN(3) == 0, r.IntN(3) == 0
		}
		a.next, a.l, a.u = append(a.next, next), append(a.l, l), append(a.u, u)
	}
	return a
}

func (a *rabin) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "D%cA v2 explicit\nComment: \"Safra[NBA=1]\"\nStates: %d\nAcceptance-Pairs: %d\nStart: %d\nAP: %d",
		map[bool]rune{false: 'R', true: 'S'}[a.streett], len(a.next), len(a.l[0]), a.start, len(a.props))
	for _, p := range a.props {
		fmt.Fprintf(&b, " %q", p)
	}
	b.WriteString("\n---\n")
	for s := range a.next {
		fmt.Fprintf(&b, "State: %d\nAcc-Sig:", s)
		for i := range a.l[s] {
			if a.l[s][i] {
				fmt.Fprintf(&b, " +%d", i)
			}
			if a.u[s][i] {
				fmt.Fprintf(&b, " -%d", i)
			}
		}
		for _, t := range a.next[s] {
			fmt.Fprintf(&b, "\n%d", t)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// accepts runs the automaton, and tests the condition as it is defined: for some
// pair, the states seen again and again meet L and not U; for Streett, for all
// pairs, not L or U.
func (a *rabin) accepts(w *omega.Word) bool {
	s := a.start
	step := func(label omega.Label) {
		letter, _ := w.Alphabet.Letter(label)
		v := 0
		for i, set := range letter {
			if set {
				v |= 1 << i
			}
		}
		s = a.next[s][v]
	}
	for _, l := range w.Prefix {
		step(l)
	}
	seen := make([]bool, len(a.next))
	for round := range 2 * len(a.next) {
		for _, l := range w.Cycle {
			if round >= len(a.next) { // on the cycle of the run by now
				seen[s] = true
			}
			step(l)
		}
	}
	some, every := false, true
	for i := range a.l[0] {
		meetsL, meetsU := false, false
		for s, inf := range seen {
			meetsL = meetsL || inf && a.l[s][i]
			meetsU = meetsU || inf && a.u[s][i]
		}
		some = some || meetsL && !meetsU
		every = every && (!meetsL || meetsU)
	}
	if a.streett {
		return every
	}
	return some
}

// TestDSTAR writes random Rabin and Streett automata in ltl2dstar's format and
// compares membership of random words with a run of the automaton.
func TestDSTAR(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	accepted := 0
	for range 400 {
		a := randomRabin(r)
		back := readOne(t, a.String())
		if back.NumStates() != len(a.next) || !back.IsDeterministic() || !back.IsComplete() {
			t.Fatalf("seed %d: %s\nis read as\n%s", seed, a, show(back))
		}
		alphabet := omega.NewAlphabet(a.props...)
		for range 10 {
			w := random.Word(r, alphabet, 3, 3)
			x := a.accepts(w)
			if y, _ := back.Accepts(context.Background(), w); x != y {
				t.Fatalf("seed %d: word %s: %v, read %v\n%s", seed, w, x, y, a)
			}
			if x {
				accepted++
			}
		}
	}
	if accepted < 400 || accepted > 3600 {
		t.Errorf("%d of 4000 words accepted", accepted)
	}
}

// TestGuards writes random guards with all operators and parentheses of Promela,
// and compares them with what they mean.
func TestGuards(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"p", "q", "x==1"}
	alphabet := omega.NewAlphabet(props...)
	for range 500 {
		text, label := randomGuard(r, alphabet, 4, 0)
		other, otherLabel := randomGuard(r, alphabet, 2, 0)
		claim := fmt.Sprintf("never { /* p */\nT0_init:\n\tdo\n\t:: %s -> goto accept_all\n\t:: else -> goto accept_all\n\t:: %s\n\tod;\naccept_all:\n\tskip\n}\n", text, other)
		a := must.Get(readOne(t, claim).Over(context.Background(), alphabet))
		want := []omega.Label{label, alphabet.Not(alphabet.Or(label, otherLabel)), otherLabel}
		var got []omega.Label
		for _, l := range want {
			if l == omega.False {
				continue // such edges are dropped
			}
			got = append(got, l)
		}
		edges := a.Edges(0)
		for i, l := range got {
			if len(edges) != len(got) || edges[i].Label != l {
				t.Fatalf("seed %d: %s\nis read as\n%s", seed, claim, show(a))
			}
		}
	}
}

// randomGuard returns a random guard and its meaning. The level bounds how loosely its
// outermost operator may bind: ||, &&, | and &, from 0.
func randomGuard(r *rand.Rand, a *omega.Alphabet, depth, level int) (string, omega.Label) {
	space := []string{"", " ", "\n", "/* x */", "// )\n"}[r.IntN(5)]
	if depth == 0 || r.IntN(6) == 0 {
		i := r.IntN(a.Len() + 2)
		switch {
		case i == a.Len():
			return []string{"1", "true"}[r.IntN(2)] + " ", a.True()
		case i > a.Len():
			return []string{"0", "false"}[r.IntN(2)] + " ", omega.False
		}
		return a.Props()[i] + space, a.Prop(i)
	}
	op := level + r.IntN(6-level)
	if op >= 4 {
		text, label := randomGuard(r, a, depth-1, 0)
		text = space + "(" + text + ")"
		if op == 5 {
			return "!" + space + text, a.Not(label)
		}
		return text, label
	}
	left, x := randomGuard(r, a, depth-1, op+1)
	right, y := randomGuard(r, a, depth-1, op+1)
	text := left + space + []string{"||", "&&", "|", "&"}[op] + right
	if op%2 == 0 {
		return text, a.Or(x, y)
	}
	return text, a.And(x, y)
}

// TestLimits: what a text has very much of is refused, or does not take more than its
// share of time.
func TestLimits(t *testing.T) {
	const n = 10_000
	many := func(text func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(text(i))
		}
		return b.String()
	}
	const end = " Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--"
	for _, c := range []struct {
		name, text, want string
		warnings         int
	}{
		{"headers", "HOA: v1 Start: 0" + strings.Repeat("\nA:", n) + end, "", 20},
		{"aliases", "HOA: v1 Start: 0" + many(func(i int) string { return fmt.Sprintf("\nAlias: @x%d t", i) }) + end, "", 0},
		{"else", "never { " + many(func(i int) string { return fmt.Sprintf("T%d: if :: else -> goto T0 fi\n", i) }) + "}", "", 0},
		{"propositions of a claim", "never { T: if " + many(func(i int) string { return fmt.Sprintf(":: p%d -> goto T\n", i) }) + "fi }", "1:1: 10000 propositions, more than 1000", 0},
		{"propositions in LBTT format", "1 0t\n0 1\n" + many(func(i int) string { return fmt.Sprintf("0 -1 p%d\n", i) }) + "-1", "1:1: 10000 propositions, more than 1000", 0},
	} {
		_, warnings, err := hoa.ReadOne(context.Background(), []byte(c.text))
		if got := fmt.Sprint(err); len(warnings) != c.warnings || c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%s: %v, %d warnings; want %q and %d", c.name, got, len(warnings), c.want, c.warnings)
		}
	}
}

// TestUnwritable: messages name what a format lacks.
func TestUnwritable(t *testing.T) {
	for text, want := range map[string]string{
		"HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 1 Fin(0) --BODY-- State: 0 --END--":                   "Büchi acceptance, not 1 Fin(0)",
		"HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&1 State: 1 [t] 1 --END--": "alternating",
	} {
		a := parsed(t, text)
		for _, write := range []func(context.Context, io.Writer, *omega.Automaton) error{hoa.WriteNever, hoa.WriteLBTT} {
			if err := write(t.Context(), io.Discard, a); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
		}
	}
}
