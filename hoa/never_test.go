package hoa_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestOneInitial: formats with one initial state keep the language of an automaton with several.
func TestOneInitial(t *testing.T) {
	ctx, r, alphabet := context.Background(), rand.New(rand.NewPCG(4, 0)), omega.NewAlphabet("a", "b")
	for i := range 30 {
		a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 4, Density: 0.4, Marks: 0.4, StateMarks: i%2 == 0})
		a = must.Get(a.From(0, 1, 2))
		for name, write := range map[string]func(context.Context, io.Writer, *omega.Automaton) error{"never": hoa.WriteNever, "lbtt": hoa.WriteLBTT} {
			var text bytes.Buffer
			if err := write(ctx, &text, a); err != nil {
				t.Fatal(err)
			}
			b, _, err := hoa.ReadOne(ctx, text.Bytes())
			if err != nil || len(b.Initial()) != 1 {
				t.Fatalf("%s: %v\n%s", name, err, &text)
			}
			for range 20 {
				w := random.Word(r, alphabet, 3, 3)
				if must.Get(a.Accepts(ctx, w)) != must.Get(b.Accepts(ctx, w.Over(b.Alphabet()))) {
					t.Errorf("%s, automaton %d: %v\n%s", name, i, w, &text)
				}
			}
		}
	}
}
