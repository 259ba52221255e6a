package hoa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
)

// loopOn returns a text with a loop on a label over n propositions; the header has some
// more lines.
func loopOn(n int, label string, more ...string) string {
	var names strings.Builder
	for i := range n {
		fmt.Fprintf(&names, " \"p%d\"", i)
	}
	return fmt.Sprintf("HOA: v1\nStates: 1\nStart: 0\nAP: %d%s\nAcceptance: 1 Inf(0)\n%s--BODY--\nState: 0\n[%s] 0 {0}\n--END--\n",
		n, &names, strings.Join(more, ""), label)
}

// parity returns an automaton whose label is the parity of n propositions, by aliases.
func parity(n int) string {
	more := []string{"Alias: @x0 0\n"}
	for i := 1; i < n; i++ {
		more = append(more, fmt.Sprintf("Alias: @x%d (@x%d&!%d)|(!@x%d&%d)\n", i, i-1, i, i-1, i))
	}
	return loopOn(n, fmt.Sprintf("@x%d", n-1), more...)
}

// pairs returns a disjunction of conjunctions of propositions that are far from each other.
func pairs(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%d&%d", i, i+n))
	}
	return loopOn(2*n, strings.Join(list, " | "))
}

// TestLabelLimit: a label that is too large is an error with its place and advice, be it
// written out or by aliases that double.
func TestLabelLimit(t *testing.T) {
	doubling := []string{"Alias: @d0 0&30\n"}
	for i := 1; i < 30; i++ {
		doubling = append(doubling, fmt.Sprintf("Alias: @d%d @d%d&@d%d | %d&%d\n", i, i-1, i-1, i, i+30))
	}
	for _, text := range []string{pairs(30), loopOn(60, "@d29", doubling...)} {
		_, _, err := hoa.ReadOne(t.Context(), []byte(text))
		var limit *hoa.LimitError
		var over *omega.LimitError
		if !errors.As(err, &limit) || limit.Line < 6 || limit.Column < 2 || !errors.As(err, &over) {
			t.Errorf("%v", err)
		} else if !strings.Contains(err.Error(), "reorder the propositions") {
			t.Errorf("no advice: %v", err)
		}
	}
}

// TestReadCanceled: reading ends when the context is done, and so does writing.
func TestReadCanceled(t *testing.T) {
	a := parsed(t, parity(30))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := hoa.ReadOne(ctx, []byte(pairs(10))); err != context.Canceled {
		t.Errorf("ReadOne: %v", err)
	}
	if _, err := hoa.NewReader(strings.NewReader(pairs(10))).Next(ctx); err != context.Canceled {
		t.Errorf("Reader: %v", err)
	}
	var b bytes.Buffer
	if err := hoa.Write(ctx, &b, a); err != context.Canceled {
		t.Errorf("Write: %v", err)
	}
	if err := hoa.WriteNever(ctx, &b, a); err != context.Canceled {
		t.Errorf("WriteNever: %v", err)
	}
	if err := hoa.WriteDot(ctx, &b, a); err != context.Canceled {
		t.Errorf("WriteDot: %v", err)
	}
}

// formats are those that read what they write.
var formats = map[string]func(context.Context, *bytes.Buffer, *omega.Automaton) error{
	"hoa":   func(ctx context.Context, b *bytes.Buffer, a *omega.Automaton) error { return hoa.Write(ctx, b, a) },
	"never": func(ctx context.Context, b *bytes.Buffer, a *omega.Automaton) error { return hoa.WriteNever(ctx, b, a) },
	"lbtt":  func(ctx context.Context, b *bytes.Buffer, a *omega.Automaton) error { return hoa.WriteLBTT(ctx, b, a) },
}

// TestReadReleases: once an automaton is read, the limits of reading do not apply to its labels,
// whatever format it has. A label that is too large is an error in never claims, too.
func TestReadReleases(t *testing.T) {
	a := parsed(t, loopOn(12, "0&!11"))
	for name, write := range formats {
		var b bytes.Buffer
		must.Do(write(t.Context(), &b, a))
		ctx, cancel := context.WithCancel(t.Context())
		again, _, err := hoa.ReadOne(ctx, b.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cancel()
		all := again.Alphabet()
		for range 20_000 {
			letter, _ := all.Letter(all.True())
			for i := range letter {
				letter[i] = rand.IntN(2) == 0
			}
			all.LetterLabel(letter)
		}
	}
	var order, pairs []string
	for i := range 60 {
		order = append(order, fmt.Sprintf("p%d", i))
	}
	for i := range 30 {
		pairs = append(pairs, fmt.Sprintf("(p%d && p%d)", i, i+30))
	}
	text := fmt.Sprintf("never {\nT0_init:\n\tif\n\t:: (%s) -> goto T0_init\n\t:: (%s) -> goto T0_init\n\tfi;\n}\n",
		strings.Join(order, " && "), strings.Join(pairs, " || "))
	var over *omega.LimitError
	if _, _, err := hoa.ReadOne(t.Context(), []byte(text)); !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
}

// writesBack fails if what is written of an automaton with a loop, in any format, does not
// read as a loop on the same label. It returns the length of the HOA.
func writesBack(t *testing.T, a *omega.Automaton) int {
	t.Helper()
	size := 0
	for name, write := range formats {
		var b bytes.Buffer
		if err := write(t.Context(), &b, a); err != nil {
			if name == "hoa" || !strings.Contains(err.Error(), "too large") {
				t.Fatalf("%s: %v", name, err)
			}
			continue
		}
		if name == "hoa" {
			size = b.Len()
		}
		again, _, err := hoa.ReadOne(t.Context(), b.Bytes())
		if err != nil {
			t.Fatalf("%s: %v in\n%.1000s", name, err, b.String())
		}
		over, err := again.Over(t.Context(), a.Alphabet())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(over.Edges(0)) != 1 || over.Edges(0)[0].Label != a.Edges(0)[0].Label {
			t.Fatalf("%s: another label in\n%.1000s", name, b.String())
		}
	}
	return size
}

// TestWriteLargeLabels: labels without a small cover are written in every format such that
// they read as the same.
func TestWriteLargeLabels(t *testing.T) {
	for _, n := range []int{7, 10, 30, 60} {
		a := parsed(t, parity(n))
		if size := writesBack(t, a); n >= 30 && size > 100*n {
			t.Errorf("parity of %d propositions: %d bytes of HOA", n, size)
		}
	}
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 12) {
		a := parsed(t, loopOn(14, randomExpression(r, 14, 5+i%4)))
		if a.NumEdges() == 1 {
			writesBack(t, a)
		}
	}
}

// randomExpression returns a label with nested operators.
func randomExpression(r *rand.Rand, n, depth int) string {
	if depth == 0 {
		return fmt.Sprintf("%s%d", []string{"", "!"}[r.IntN(2)], r.IntN(n))
	}
	x, y := randomExpression(r, n, depth-1), randomExpression(r, n, depth-1)
	if r.IntN(2) == 0 {
		return fmt.Sprintf("!((%s)&(%s) | !(%s)&!(%s))", x, y, x, y)
	}
	return fmt.Sprintf("(%s) %c (%s)", x, "&|"[r.IntN(2)], y)
}

// FuzzLabel: a label that is read is written in every format such that it reads as the same.
func FuzzLabel(f *testing.F) {
	for _, label := range []string{"t", "0&!8", "!(0 | 1&(2|!3)) | 8", "!(!(0&!1|!0&1)&2|(0&!1|!0&1)&!2)"} {
		f.Add(label)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if strings.ContainsAny(label, "]/-\"@") || len(label) > 1000 {
			return
		}
		a, _, err := hoa.ReadOne(t.Context(), []byte(loopOn(9, label)))
		if err == nil && a.NumStates() == 1 && a.NumEdges() == 1 {
			writesBack(t, a)
		}
	})
}

// TestNegatedMarks: an edge has the fresh mark of a negated one if it does not have that mark,
// whether it is written on the edge or on its state.
func TestNegatedMarks(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		sets, states := 1+r.IntN(150), 1+r.IntN(5)
		negated := r.Perm(sets)[:1+r.IntN(sets)]
		var condition []string
		for _, i := range negated {
			condition = append(condition, fmt.Sprintf("Inf(!%d)", i))
		}
		some := func() (list []int) {
			for range r.IntN(1 + r.IntN(2*sets)) {
				list = append(list, r.IntN(sets))
			}
			return list
		}
		var text strings.Builder
		fmt.Fprintf(&text, "HOA: v1.1\nStates: %d\nStart: 0\nAP: 0\nAcceptance: %d %s\n--BODY--\n", states, sets, strings.Join(condition, "&"))
		given := make([][]int, states)
		for s := range states {
			own, marks := some(), some()
			given[s] = append(own, marks...)
			fmt.Fprintf(&text, "State: %d {%s}\n[t] %d {%s}\n", s, strings.Trim(fmt.Sprint(own), "[]"), r.IntN(states), strings.Trim(fmt.Sprint(marks), "[]"))
		}
		text.WriteString("--END--\n")
		a := parsed(t, text.String())
		for s, list := range given {
			edge := a.Edges(omega.State(s))[0]
			for i := range sets {
				if got, want := a.Marks().Has(edge.Marks, i), slices.Contains(list, i); got != want {
					t.Fatalf("seed %d: state %d has mark %d: %v, want %v\n%s", seed, s, i, got, want, &text)
				}
			}
			for k, i := range negated {
				if got, want := a.Marks().Has(edge.Marks, sets+k), !slices.Contains(list, i); got != want {
					t.Fatalf("seed %d: state %d lacks mark %d: %v, want %v\n%s", seed, s, i, got, want, &text)
				}
			}
		}
	}
}

// TestManyNegatedMarks: reading edges without many negated marks ends when the context does.
func TestManyNegatedMarks(t *testing.T) {
	const n = 60000
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1.1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: %d Inf(!0)", n)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&text, "&Inf(!%d)", i)
	}
	text.WriteString("\n--BODY--\nState: 0\n")
	for i := range n {
		fmt.Fprintf(&text, "[t] 0 {%d}\n", i)
	}
	text.WriteString("--END--\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err := hoa.ReadOne(ctx, []byte(text.String()))
	if !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, new(*hoa.LimitError)) {
		t.Errorf("got %v", err)
	}
}
