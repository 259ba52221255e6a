package sums

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// randomCase returns a plain case.
func randomCase(rng *rand.Rand, index int) *outcome.Case {
	c := outcome.NewCase(index, fmt.Sprintf("a U (b%d & Xc)", rng.IntN(5)), nil)
	c.Checked = rng.IntN(4) > 0
	for _, name := range []string{"one", "two"} {
		for _, p := range outcome.BothPolarities {
			r := outcome.Result{Subject: outcome.Subject{Translator: name, Polarity: p}, Status: outcome.OK,
				Sizes: omega.Sizes{States: rng.IntN(20), Edges: rng.IntN(50), Totals: omega.Totals{Transitions: float64(rng.IntN(1000)), Sets: rng.IntN(3)}}, Seconds: float64(rng.IntN(1e6)) / 1e9,
				CPU: float64(rng.IntN(1e6)) / 1e9, MaxRSS: rng.Int64N(1e8)}
			if n := rng.IntN(4); n > 0 {
				r.Excess = &n
			}
			if rng.IntN(9) == 0 {
				r = outcome.Result{Subject: r.Subject, Status: outcome.Skipped, Detail: "no X"}
			}
			c.Results = append(c.Results, r)
		}
	}
	for range rng.IntN(4) {
		c.Checks = append(c.Checks, outcome.Check{Verdict: outcome.Passed})
	}
	if size := rng.IntN(4); size > 0 {
		c.Exhaustive = &outcome.Exhaustive{Size: size, Words: rng.IntN(100)}
	}
	return c
}

// TestMerge cuts cases into parts, and merges their sums in any order, some of them through JSON.
func TestMerge(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		var all Sums
		parts := make([]*Sums, 1+rng.IntN(5))
		for i := range parts {
			parts[i] = &Sums{}
		}
		for place := 1; place < 1+rng.IntN(200); place++ {
			c := randomCase(rng, place-1)
			if !Plain(c) {
				t.Fatal("a case is not plain")
			}
			all.Add(c, place)
			parts[rng.IntN(len(parts))].Add(c, place)
		}
		rng.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		merged := Sums{Tools: []*Tool{{Name: "one"}, {Name: "two"}}}
		for _, part := range parts {
			text, err := json.Marshal(part)
			read := &Sums{}
			if err == nil {
				err = json.Unmarshal(text, read)
			}
			if err != nil {
				t.Fatal(err)
			}
			merged.Merge(read)
		}
		all.Of("one")
		all.Of("two")
		got, _ := json.Marshal(merged)
		want, _ := json.Marshal(all)
		if string(got) != string(want) {
			t.Fatalf("%s\ninstead of\n%s", got, want)
		}
		var shown Shown
		form, _ := all.Shown.MarshalBinary()
		if err := shown.UnmarshalBinary(form); err != nil || len(shown) > 0 && !reflect.DeepEqual(shown, all.Shown) {
			t.Fatal(err, shown, all.Shown)
		}
	}
}

// TestPlain spoils a plain case in each way.
func TestPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i, spoil := range []func(*outcome.Case){
		func(c *outcome.Case) { c.Replayed = true },
		func(c *outcome.Case) { c.Error = "1:1: expected a formula" },
		func(c *outcome.Case) { c.Errors = []string{"a word"} },
		func(c *outcome.Case) { c.Disagreements = append(c.Disagreements, outcome.Disagreement{}) },
		func(c *outcome.Case) { c.Undecided = append(c.Undecided, outcome.Undecided{}) },
		func(c *outcome.Case) { c.Findings = append(c.Findings, outcome.Finding{}) },
		func(c *outcome.Case) { c.Contradictions = append(c.Contradictions, outcome.Contradiction{}) },
		func(c *outcome.Case) { c.Checks = append(c.Checks, outcome.Check{Verdict: outcome.NotDecided}) },
		func(c *outcome.Case) { c.Results[2].Status = outcome.Unsupported },
	} {
		c := randomCase(rng, 0)
		if spoil(c); Plain(c) {
			t.Errorf("case %d is plain", i)
		}
	}
}

// FuzzShown reads any bytes: what is accepted can be written and read again.
func FuzzShown(f *testing.F) {
	f.Add([]byte{1})
	f.Add([]byte{1, 0, 2, 1, 5})
	f.Add([]byte{1, 0x80})
	f.Fuzz(func(t *testing.T, text []byte) {
		var s, again Shown
		if s.UnmarshalBinary(text) != nil {
			return
		}
		form, _ := s.MarshalBinary()
		if err := again.UnmarshalBinary(form); err != nil || !reflect.DeepEqual(s, again) {
			t.Fatal(err, s, again)
		}
	})
}

// TestWorkedExamples runs the examples in the comments on signatures.
func TestWorkedExamples(t *testing.T) {
	var s, other Shown
	s.Add([]outcome.Signature{5}, 3)
	other.Add([]outcome.Signature{5}, 5)
	other.Add([]outcome.Signature{300}, 7)
	s.Merge(other)
	if got := s[5]; got != (By{First: 3, Again: true}) {
		t.Errorf("%+v", got)
	}
	if form, err := s.MarshalBinary(); err != nil || hex.EncodeToString(form) != "010507a7020e" {
		t.Errorf("%x, %v", form, err)
	}
}
