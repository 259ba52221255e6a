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

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

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
