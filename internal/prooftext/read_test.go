package prooftext_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/prooftext"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

// written returns texts of proofs about formulas and about two automata.
func written(t testing.TB) (texts []string) {
	ctx := context.Background()
	for _, text := range []string{"1", "F a", "a U \"b & c\"", "G(a -> O \"true\")", "GFa & GF!b", "{a;b[*]}<>-> c", "Xa xor \"\\\"\\\\\""} {
		s := ltl.NewStore()
		f := must.Get(s.Parse(text, ltl.Spot))
		var as []*certify.Automaton
		for _, by := range []string{"couvreur", "gpvw"} {
			a, err := translate.With(ctx, by, s, f)
			if err != nil { // of past formulas and PSL
				a = must.Get(translate.Of(ctx, s, f))
			}
			as = append(as, a.Plain())
			var b bytes.Buffer
			must.Do(prove.Write(ctx, &b, must.Get(prove.New(s, f).Prove(ctx, true, a.Plain()))))
			texts = append(texts, b.String())
		}
		if proof, err := prove.Equivalence(ctx, as[0], as[1], prove.MaxEffort); err == nil {
			var b bytes.Buffer
			must.Do(prove.Write(ctx, &b, proof))
			texts = append(texts, b.String())
		}
	}
	return texts
}

// alike fails unless what is read of a proof is what package hoa reads of it.
func alike(t *testing.T, text string) {
	ctx := context.Background()
	p, err := prooftext.Read(ctx, strings.NewReader(text), 1<<16)
	if err != nil {
		return
	}
	rest := text
	for _, a := range []*certify.Automaton{p.Given, p.Automaton} {
		if a == nil {
			continue
		}
		_, rest, _ = strings.Cut(rest, "\nHOA: v1\n")
		body, after, _ := strings.Cut(rest, "--END--")
		rest = "--END--" + after
		read, _, err := hoa.ReadOne(ctx, []byte("HOA: v1\n"+body+"--END--\n"))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		want := read.Plain()
		if a.States != want.States || !slices.Equal(a.Props, want.Props) || !reflect.DeepEqual(a.Acceptance, want.Acceptance) ||
			!reflect.DeepEqual(a.Start, want.Start) || !reflect.DeepEqual(a.List(), want.List()) {
			t.Fatalf("%+v, and by package hoa %+v\n%s", a, want, text)
		}
	}
}

func TestRead(t *testing.T) {
	for _, text := range written(t) {
		alike(t, text)
		alike(t, strings.Replace(text, "AP: 1 \"a\"", "AP: 2 \"a\" \"a\"", 1))
		if _, err := prooftext.Read(context.Background(), strings.NewReader(text), prove.MaxEffort); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// FuzzRead: whatever is read of an automaton, package hoa reads too.
func FuzzRead(f *testing.F) {
	for _, text := range written(f) {
		f.Add(text)
	}
	f.Fuzz(alike)
}
