package hoa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// A plainBA is a Büchi automaton as the text in BA says it, with nothing encoded.
type plainBA struct {
	initial   string
	edges     [][3]string // label, source, destination
	accepting map[string]bool
}

// randomBA returns a random automaton in BA, and its text.
func randomBA(r *rand.Rand) (*plainBA, string) {
	states := []string{"[0]", "1", "s 2", "[3][4]", "%"}[:1+r.IntN(5)]
	symbols := []string{"a", "1", "x := y", "é", "\"q\"", "true", "b", "cycle{"}[:1+r.IntN(8)]
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	b := &plainBA{accepting: map[string]bool{}}
	space := func() string { return pick([]string{"", "", " ", "\t"}) }
	var text strings.Builder
	line := func(s string) {
		text.WriteString(space() + s + space() + pick([]string{"\n", "\r\n", "\n\n"}))
	}
	if r.IntN(2) == 0 {
		b.initial = pick(states)
		line(b.initial)
	}
	for range 1 + r.IntN(4*len(states)) {
		e := [3]string{pick(symbols), pick(states), pick(states)}
		b.edges = append(b.edges, e)
		line(e[0] + space() + "," + space() + e[1] + space() + "->" + space() + e[2])
	}
	if b.initial == "" {
		b.initial = b.edges[0][1]
	}
	for range 1 + r.IntN(2) {
		s := pick(states)
		b.accepting[s] = true
		line(s)
	}
	return b, text.String()
}

// symbols returns those that occur, sorted.
func (b *plainBA) symbols() (list []string) {
	for _, e := range b.edges {
		list = append(list, e[0])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// accepts says whether the word of symbols u v v v … is accepted, by a search in the graph of
// states and letters: from some place with an accepting state, that place is reached again.
func (b *plainBA) accepts(u, v []string) bool {
	type place struct {
		state string
		at    int
	}
	word := slices.Concat(u, v)
	reach := func(from place) map[place]bool {
		seen := map[place]bool{}
		stack := []place{from}
		for len(stack) > 0 {
			p := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, e := range b.edges {
				next := place{e[2], p.at + 1}
				if next.at == len(word) {
					next.at = len(u)
				}
				if e[1] == p.state && e[0] == word[p.at] && !seen[next] {
					seen[next] = true
					stack = append(stack, next)
				}
			}
		}
		return seen
	}
	for p := range reach(place{b.initial, 0}) {
		if b.accepting[p.state] && reach(p)[p] {
			return true
		}
	}
	return false
}

// symbolWord returns a word of symbols and what it says.
func symbolWord(r *rand.Rand, a *omega.Alphabet) (w *omega.Word, u, v []string) {
	w = random.Word(r, a, 3, 3)
	for i := range w.Size() {
		list, _ := a.SymbolsOf(w.At(i))
		if s := a.Symbols()[list[0]]; i < len(w.Prefix) {
			u = append(u, s)
		} else {
			v = append(v, s)
		}
	}
	return w, u, v
}

// TestBA: an automaton in BA accepts what its text says, whatever codes its symbols have; so do
// what is written of it in BA and HOA, over the same symbols.
func TestBA(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	accepted := 0
	for i := range campaign.Inputs(t, 400) {
		plain, text := randomBA(r)
		a := parsed(t, text)
		if !slices.Equal(a.Alphabet().Symbols(), plain.symbols()) {
			t.Fatalf("symbols %q, want %q", a.Alphabet().Symbols(), plain.symbols())
		}
		others := []*omega.Automaton{a}
		for _, write := range []func(context.Context, *bytes.Buffer, *omega.Automaton) error{
			func(ctx context.Context, b *bytes.Buffer, a *omega.Automaton) error { return hoa.WriteBA(ctx, b, a) },
		} {
			var out bytes.Buffer
			if err := write(t.Context(), &out, a); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			b, warnings, err := hoa.ReadOne(t.Context(), out.Bytes())
			if err != nil || len(warnings) > 0 || omega.SameSymbols(a.Alphabet(), b.Alphabet()) != nil || b.Alphabet().Symbols() == nil {
				t.Fatalf("seed %d: %v, %v, symbols %q\n%s\nis written as\n%s", seed, err, warnings, b.Alphabet().Symbols(), text, &out)
			}
			others = append(others, b)
		}
		for range 10 {
			w, u, v := symbolWord(r, a.Alphabet())
			want := plain.accepts(u, v)
			if want {
				accepted++
			}
			for k, b := range others {
				if got, err := b.Accepts(t.Context(), w); err != nil || got != want {
					t.Fatalf("seed %d, automaton %d, reading %d: word %s: %v, %v, want %v\n%s", seed, i, k, w, got, err, want, text)
				}
			}
			if err := a.Certify(t.Context(), w, want); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d words were accepted", accepted)
	}
}

// TestBAUnlisted: a file without accepting states is an error that names the choice, and means
// what is chosen. If no word can be accepted, there is nothing to choose.
func TestBAUnlisted(t *testing.T) {
	const text = "[0]\na,[0]->[0]\nb,[0]->[1]\n"
	_, _, err := hoa.ReadOne(t.Context(), []byte(text))
	if err == nil || !strings.Contains(err.Error(), "--ba-accepting") || !strings.HasPrefix(err.Error(), "4:1: ") {
		t.Errorf("got %v", err)
	}
	for u, want := range map[hoa.Unlisted]bool{hoa.AllUnlisted: true, hoa.NoneUnlisted: false} {
		a := must.First(hoa.ReadFile(t.Context(), "x", []byte(text), u))
		w := omega.NewWord(a.Alphabet(), nil, []omega.Label{a.Alphabet().Symbol(0)})
		if got, _ := a.Accepts(t.Context(), w); got != want {
			t.Errorf("%v: cycle{a} is accepted: %v", u, got)
		}
		var out bytes.Buffer
		must.Do(hoa.WriteBA(t.Context(), &out, a))
		b, _, err := hoa.ReadOne(t.Context(), out.Bytes()) // which asks for nothing
		if err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if got, _ := b.Accepts(t.Context(), w); got != want {
			t.Errorf("%v: written as\n%s", u, &out)
		}
	}
	for _, text := range []string{"[0]", "[0]\n[1]\n"} {
		if a, _, err := hoa.ReadFile(t.Context(), "x.ba", []byte(text), hoa.AskUnlisted); err != nil || a.NumEdges() > 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBAErrors: messages have the place, and say what was expected.
func TestBAErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "1:1: expected an edge, label,source->destination, or an initial state, found the end",
		"0\n\na 0->1\n0\n":  "3:1: expected an edge, label,source->destination: no comma before the arrow",
		"0\n a,0->1,2\n0\n": "2:2: expected an edge, label,source->destination: a second comma, which no name can have",
		"0\na,0->1->2\n0\n": "2:1: expected an edge, label,source->destination: a second arrow, which no name can have",
		"0\na,b,0->1\n0\n":  "2:1: expected an edge, label,source->destination: a second comma, which no name can have",
		"0\n,0->1\n0\n":     "2:1: expected an edge, label,source->destination: the label is empty",
		"0\na,->1\n0\n":     "2:1: expected an edge, label,source->destination: the source is empty",
		"0\na,0->\n0\n":     "2:1: expected an edge, label,source->destination: the destination is empty",
		"0\n1\na,0->1\n1\n": "2:1: second state in front of the first edge: to some tools it is initial, to others accepting; name one initial state, and accepting ones after the edges",
		"0\na,0->0\n":       "3:1: no accepting state is listed: to RABIT all states accept then, to other tools none; choose with --ba-accepting=all or --ba-accepting=none",
		"0\na\x00b,0->0\n0": "2:2: NUL byte, which no text has",
		"0\ra,0->0\r0":      "1:2: carriage return within a line: lines end with a line feed",
		"0\na,0->0\n\n" + strings.Repeat("x", 1<<20+1): "4:1: expected a line of at most 1048576 bytes",
	} {
		_, _, err := hoa.ReadFile(t.Context(), "x.ba", []byte(text), hoa.AskUnlisted)
		var syntax *hoa.SyntaxError
		if err == nil || err.Error() != want || !errors.As(err, &syntax) {
			t.Errorf("%.40q: got %v\nwant %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"0\na,0->0\n1\n":         `3:1: accepting state "1" has no edge`,
		"0\na,0->0\n1\na,0->1\n": "", // an edge behind it
		"0\na,[0]->[0]\n0":       `1:1: the initial state "0" is not the state with other brackets: they are part of a name`,
	} {
		_, warnings, err := hoa.ReadFile(t.Context(), "x.ba", []byte(text), hoa.AskUnlisted)
		var got string
		for _, w := range warnings {
			got += w.String()
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, warnings, err)
		}
	}
}

// TestWriteBAErrors: what BA can't express is an error that says why.
func TestWriteBAErrors(t *testing.T) {
	edge := func(alphabet *omega.Alphabet, acceptance omega.Acceptance, starts int) *omega.Automaton {
		b := omega.NewBuilder(alphabet, acceptance)
		b.AddStates(2)
		for s := range starts {
			b.AddStart(omega.State(s))
		}
		b.AddEdge(0, alphabet.Prop(0), 0, 0)
		return b.Automaton()
	}
	var props []string
	for i := range 11 {
		props = append(props, fmt.Sprintf("p%d", i))
	}
	symbols := omega.NewSymbolAlphabet
	for want, a := range map[string]*omega.Automaton{
		"has Büchi acceptance, not 2 Inf(0) & Inf(1)": edge(omega.NewAlphabet("a"), omega.GeneralizedBuchi(2), 1),
		"11 propositions are more than 10":            edge(omega.NewAlphabet(props...), omega.Buchi(), 1),
		`BA cannot write the symbol "a,b"`:            edge(symbols("a,b", "c"), omega.Buchi(), 1),
		`BA cannot write the symbol "x->y"`:           edge(symbols("x->y", "c"), omega.Buchi(), 1),
		"one of two codes of a symbol":                edge(symbols("a", "b", "c", "d", "e"), omega.Buchi(), 1).Renamed(func(p string) string { return p }),
		"unsupported: universal branching (alternati": alternatingLoop(),
	} {
		if want == "one of two codes of a symbol" {
			alphabet := a.Alphabet()
			b := omega.NewBuilder(alphabet, omega.Buchi())
			b.AddStates(1)
			b.AddStart(0)
			b.AddEdge(0, alphabet.Prop(2), 0, 0)
			a = b.Automaton()
		}
		if err := hoa.WriteBA(t.Context(), &bytes.Buffer{}, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// alternatingLoop returns an automaton with universal branching.
func alternatingLoop() *omega.Automaton {
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	b.AddEdge(0, alphabet.True(), 1, b.Universal([]omega.State{0, 1}))
	return b.Automaton()
}

// TestRecognizeBA: only a stream that begins as BA does is read as BA, however it is cut.
func TestRecognizeBA(t *testing.T) {
	const automaton = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0 {0}\n--END--\n"
	for text, want := range map[string]string{
		"a,0->0\n0\n":                               "ba",
		"\uFEFF\n\n 0 \r\n a , 0 -> 0\r\n0":         "ba",
		"[0|0 0][1]\n0,[0|0 0][1]->[2]\n[2]":        "ba",
		automaton:                                   "hoa",
		"warning\n" + automaton:                     "text",
		"warning: a->b\n" + automaton:               "text",
		"loaded x, y and z\n" + automaton:           "text",
		"2 1\n0 1 0 -1\n1 t\n-1\n1 0 -1\n1 t\n-1\n": "lbtt",
	} {
		for chunk := 1; chunk < 40; chunk += 13 {
			r := hoa.NewReader(t.Context(), &chunked{text: text, n: chunk})
			_, err := r.Next()
			got := "text"
			if f := r.Piece().Format; f != nil {
				got = f.Name
			}
			if got != want || err != nil && want != "text" {
				t.Errorf("%q in parts of %d bytes is read as %s, %v", text, chunk, got, err)
			}
		}
	}
}

// chunked is a reader of a few bytes a time.
type chunked struct {
	text string
	n    int
}

func (c *chunked) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), c.n)], c.text)
	c.text = c.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestHostileBA: reading obeys limits of memory and ends when the context does.
func TestHostileBA(t *testing.T) {
	var text strings.Builder
	n := 30_000
	for i := range n {
		fmt.Fprintf(&text, "a%d,%d->%d\n", i%1000, i, (i*7919)%n)
	}
	text.WriteString("0\n")
	data := []byte(text.String())
	a, _, err := hoa.ReadOne(t.Context(), data)
	if err != nil || a.NumStates() != n || a.NumEdges() != n {
		t.Fatalf("%v", err)
	}
	ctx := canceled.At(t.Context(), 3)
	if _, _, err = hoa.ReadOne(ctx, data); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := hoa.WriteBA(ctx, &bytes.Buffer{}, a); err != context.Canceled {
		t.Errorf("WriteBA: %v", err)
	}
	small := budget.WithMemory(t.Context(), 1<<20)
	var limit *hoa.LimitError
	if _, _, err := hoa.ReadOne(small, data); !errors.As(err, &limit) || limit.Line < 2 {
		t.Errorf("in little memory: %v", err)
	}
	var symbols strings.Builder
	for i := range omega.MaxSymbols + 1 {
		fmt.Fprintf(&symbols, "%d,0->0\n", i)
	}
	if _, _, err := hoa.ReadOne(t.Context(), []byte(symbols.String())); err == nil || !strings.Contains(err.Error(), "65537:1: more than 65536 symbols") {
		t.Errorf("got %v", err)
	}
}

// FuzzBA: whatever is read of a text is written such that it reads as the same.
func FuzzBA(f *testing.F) {
	for _, text := range []string{"[0]\na,[0]->[1]\nb,[1]->[0]\n[1]\n", "a,0->0\n", "0\n0\n", "\uFEFF0\r\n x y,0 -> 0\r\n\r\n0", "0\na,b,0->0", "a,0->0->"} {
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, all bool) {
		u := hoa.NoneUnlisted
		if all {
			u = hoa.AllUnlisted
		}
		a, _, err := hoa.ReadFile(t.Context(), "x.ba", text, u)
		if err != nil || len(a.Alphabet().Symbols()) == 0 {
			return
		}
		var out bytes.Buffer
		if err := hoa.WriteBA(t.Context(), &out, a); err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		b, _, err := hoa.ReadFile(t.Context(), "x.ba", out.Bytes(), hoa.AskUnlisted)
		if err != nil || !slices.Equal(a.Alphabet().Symbols(), b.Alphabet().Symbols()) {
			t.Fatalf("%v\n%q is written as\n%s", err, text, &out)
		}
		r := rand.New(rand.NewPCG(uint64(len(text)), 1))
		for range 3 {
			w := random.Word(r, a.Alphabet(), 2, 2)
			x, _ := a.Accepts(t.Context(), w)
			if y, _ := b.Accepts(t.Context(), w); x != y {
				t.Fatalf("word %s: %v, then %v\n%q is written as\n%s", w, x, y, text, &out)
			}
		}
	})
}
