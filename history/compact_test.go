package history

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// plainOr is a case of two translators, plain but for some.
func plainOr(rng *rand.Rand, index int) *outcome.Case {
	c := sample(index)
	c.Formula = fmt.Sprintf("a U b%d", rng.IntN(1_000_000))
	c.Checks = []outcome.Check{{Check: "P good & N bad", Verdict: outcome.Passed}}
	for i := range c.Results {
		c.Results[i].States, c.Results[i].Seconds = rng.IntN(100), float64(rng.IntN(1000))/512
	}
	switch rng.IntN(100) {
	case 0: // the disagreement remains
	case 1:
		c.Disagreements = nil
		c.Results[1].Status = outcome.Timeout
	case 2:
		c.Disagreements, c.Replayed = nil, true
	default:
		c.Disagreements = []outcome.Disagreement{}
	}
	return c
}

// known are all cases of a run, as they should be.
type known struct {
	cases []*outcome.Case
	sums  sums.Sums // of the plain ones
}

func (k *known) add(c *outcome.Case) {
	k.cases = append(k.cases, c)
	if sums.Plain(c) {
		k.sums.Add(c, c.Index+1)
	}
}

// check compares what is stored of a run with all cases: those that are not plain are there, and so
// is the sample; sums and sample together are all plain ones.
func (k *known) check(t *testing.T, s *Store, run int64) {
	t.Helper()
	info, err := s.Info(ctx, run)
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := s.Sums(ctx, info)
	if err != nil || all == nil {
		t.Fatal("no sums", err)
	}
	var plain []*outcome.Case
	there := map[int]bool{}
	if err := s.Cases(ctx, run, func(c *outcome.Case) error {
		if there[c.Index] = true; sums.Plain(c) {
			plain = append(plain, c)
			all.Add(c, c.Index+1)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var hashes []int64
	for _, c := range k.cases {
		if sums.Plain(c) {
			hashes = append(hashes, sampleHash(c.Text()))
		} else if !there[c.Index] {
			t.Errorf("case %d is gone", c.Index)
		}
	}
	slices.Sort(hashes)
	if info.Finished {
		if want := min(len(hashes), sampleOf(info.Shards)); len(plain) != want {
			t.Errorf("the sample has %d cases instead of %d", len(plain), want)
		}
		for _, c := range plain {
			if sampleHash(c.Text()) > hashes[len(plain)-1] {
				t.Errorf("case %d should not be in the sample", c.Index)
			}
		}
	}
	if info.Cases != len(k.cases) {
		t.Errorf("%d cases instead of %d", info.Cases, len(k.cases))
	}
	want, got := k.sums, *all
	form, _ := want.Shown.MarshalBinary()
	other, _ := got.Shown.MarshalBinary()
	if string(form) != string(other) {
		t.Error("other signatures")
	}
	want.Shown, got.Shown = nil, nil
	for _, name := range []string{"good", "bad"} { // in any order
		a, b := *want.Of(name), *got.Of(name)
		form, other := fmt.Sprint(bytesOf(&a.Sketches.States, &a.Sketches.Seconds)), fmt.Sprint(bytesOf(&b.Sketches.States, &b.Sketches.Seconds))
		if a.Sketches, b.Sketches = (sums.Sketches{}), (sums.Sketches{}); fmt.Sprint(a) != fmt.Sprint(b) || form != other {
			t.Errorf("%s: %+v instead of %+v", name, b, a)
		}
	}
	if want.Cases != got.Cases || want.Passed != got.Passed || want.Unchecked != got.Unchecked || fmt.Sprint(want.Sizes, want.Classes) != fmt.Sprint(got.Sizes, got.Classes) {
		t.Errorf("%+v instead of %+v", got, want)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// fewer makes compactions small for a test, and returns the factor by which the numbers of cases are
// smaller: 1 in a campaign.
func fewer(t *testing.T) int {
	if campaign.Whole() {
		return 1
	}
	const by = 50
	numbers := []*int{&wholeCases, &sliceCases, &sampleCases}
	for _, n := range numbers {
		was := *n
		*n /= by
		t.Cleanup(func() { *n = was })
	}
	return by
}

// TestCompact adds cases, is killed in the middle, resumes, and ends.
func TestCompact(t *testing.T) {
	by := fewer(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		t.Fatal(err)
	}
	learned := func(c *outcome.Case) []byte { return fmt.Appendf(nil, "%d", 7*c.Index) }
	r.Learns(learned)
	var all known
	first, last := 31_000/by, 42_000/by
	for i := range first {
		all.add(plainOr(rng, i))
		if err := errors.Join(r.Add(all.cases[i]), r.Reported(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.compacted(); err != nil {
		t.Fatal(err)
	}
	r.Flush()
	r.rest() // as if it was killed
	all.check(t, s, r.RunID.Run)
	s.Close()

	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, err := s.Unfinished(ctx, plan(""))
	if err != nil || info == nil {
		t.Fatal(info, err)
	}
	if r, err = s.Resume(ctx, info); err != nil {
		t.Fatal(err)
	}
	r.Learns(learned)
	if r.Stored() != first || r.Last() != first-1 || r.summed == 0 {
		t.Fatalf("%d cases up to %d, %d summed", r.Stored(), r.Last(), r.summed)
	}
	summed := 0
	for i := range first {
		switch {
		case r.Has(i):
			if r.Summed(i) {
				t.Fatalf("case %d is there twice", i)
			}
			err = r.Reported(i)
		case r.Summed(i):
			summed++
			var answer []byte
			if answer, err = r.Answer(ctx, i); string(answer) != fmt.Sprint(7*i) {
				t.Fatalf("the answer for case %d is %q", i, answer)
			}
		default:
			t.Fatalf("case %d is gone", i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if summed != r.summed {
		t.Fatalf("%d cases have only sums, and %d are in them", summed, r.summed)
	}
	for i := first; i < last; i++ {
		all.add(plainOr(rng, i))
		if err := errors.Join(r.Add(all.cases[i]), r.Reported(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(0, true, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	all.check(t, s, r.RunID.Run)
	for _, table := range []string{"spans", "answers"} {
		var n int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n > 0 {
			t.Errorf("%d rows of %s are left (%v)", n, table, err)
		}
	}
	if size := fileSize(path); size > 20<<20 {
		t.Errorf("the file has %d bytes", size)
	}
}
