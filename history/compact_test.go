package history

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
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
		r := &c.Results[i]
		r.States, r.Sets, r.Seconds, r.CPU, r.MaxRSS = rng.IntN(100), rng.IntN(4), float64(rng.IntN(1000))/512, float64(rng.IntN(1000))/1024, rng.Int64N(1<<30)
		if n := rng.IntN(5); n > 0 {
			r.Excess = &n
		}
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
	info := must.Get(s.Info(ctx, run))
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
	s := must.Get(Open(ctx, path))
	r := must.Get(s.Begin(ctx, plan("")))
	learned := func(c *outcome.Case) []byte { return fmt.Appendf(nil, "%d", 7*c.Index) }
	r.Learns(learned)
	var all known
	first, last := 31_000/by, 42_000/by
	for i := range first {
		all.add(plainOr(rng, i))
		must.Do(errors.Join(r.Add(all.cases[i]), r.Reported(i)))
	}
	must.Do(r.compacted())
	r.Flush()
	r.rest() // as if it was killed
	all.check(t, s, r.RunID.Run)
	s.Close()

	s = must.Get(Open(ctx, path))
	defer s.Close()
	info, err := s.Unfinished(ctx, plan(""))
	if err != nil || info == nil {
		t.Fatal(info, err)
	}
	r = must.Get(s.Resume(ctx, info))
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
		must.Do(errors.Join(r.Add(all.cases[i]), r.Reported(i)))
	}
	must.Do(r.End(0, true, []byte("{}")))
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

// TestCompactLater: runs that were killed when they had ended, before or while they were compacted, are
// compacted when another one ends.
func TestCompactLater(t *testing.T) {
	by := fewer(t)
	rng := rand.New(rand.NewPCG(1, 0))
	s := openTemporary(t)
	end := func(number int, compact func(*Run)) (*Run, *known) {
		all := &known{}
		r := must.Get(s.Begin(ctx, plan("")))
		for i := range number {
			all.add(plainOr(rng, i))
			must.Do(r.Add(all.cases[i]))
		}
		must.Do(r.Flush())
		r.rest()
		must.Do(s.writes(ctx, func(tx *sql.Tx) error { return endRun(ctx, tx, r.RunID.Run, toText(time.Now()), 0, []byte("{}")) }))
		compact(r)
		return r, all
	}
	first, before := end(21_000/by, func(*Run) {})
	second, while := end(31_000/by, func(r *Run) {
		k := must.Get(s.compactor(ctx, must.Get(s.Info(ctx, r.RunID.Run))))
		must.Get(k.slice(ctx, 31_000/by))
	})
	must.Do(must.Get(s.Begin(ctx, plan(""))).End(0, true, []byte("{}")))
	before.check(t, s, first.RunID.Run)
	while.check(t, s, second.RunID.Run)
}

// TestCompactShards: shards that were compacted, merged at once and in groups, are the undivided run.
func TestCompactShards(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const shards = 2
	number := 24_000 / fewer(t)
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	var all known
	for i := range number {
		all.add(plainOr(rng, i))
	}
	for i := range shards { // each keeps a sample of its own
		s := must.Get(Open(ctx, file(fmt.Sprint(i))))
		p := plan("night")
		p.Shard, p.Shards = i+1, shards
		if i == 1 { // it was too slow
			p.Tools[0].Version = ""
		}
		r := must.Get(s.Begin(ctx, p))
		for k := i; k < number; k += shards {
			must.Do(errors.Join(r.Add(all.cases[k]), r.Reported(k)))
		}
		must.Do(errors.Join(r.End(0, true, []byte("{}")), s.Close()))
	}
	merge := func(into string, names ...string) (*Store, *Union) {
		s := must.Get(Open(ctx, file(into)))
		t.Cleanup(func() { s.Close() })
		for i := range names {
			names[i] = file(names[i])
		}
		merged, err := s.Merge(ctx, names, nil, func(*Union) (int, []byte, error) { return 0, []byte("{}"), nil })
		if err != nil || len(merged.Unions) != 1 {
			t.Fatal(merged, err)
		}
		return s, merged.Unions[0]
	}
	s, u := merge("all", "0", "1")
	all.check(t, s, u.Info.Run)
	merge("odd", "1")
	merge("even", "0")
	s, u = merge("groups", "even", "odd")
	if !u.Whole() {
		t.Error("shards are missing")
	}
	all.check(t, s, u.Info.Run)
	// A copy has all of it.
	other := must.Get(Open(ctx, file("copy")))
	defer other.Close()
	merged, err := other.Merge(ctx, []string{file("groups")}, nil, nil)
	if err != nil || len(merged.Added) != 1 {
		t.Fatal(merged, err)
	}
	all.check(t, other, merged.Added[0].Run)
}

// TestMergeDamaged: the error of a merge names the file that is damaged, though its cases are read where
// they were copied to.
func TestMergeDamaged(t *testing.T) {
	folder := t.TempDir()
	file := func(i int) string { return filepath.Join(folder, fmt.Sprint(i)) }
	for i := 1; i <= 2; i++ {
		s := must.Get(Open(ctx, file(i)))
		p := plan("night")
		p.Shard, p.Shards = i, 2
		r := must.Get(s.Begin(ctx, p))
		must.Do(errors.Join(r.Add(sample(i-1)), r.End(0, true, []byte("{}"))))
		if i == 2 {
			must.Get(s.db.Exec("UPDATE cases SET document = x'0203'"))
		}
		s.Close()
	}
	s := must.Get(Open(ctx, file(0)))
	defer s.Close()
	_, err := s.Merge(ctx, []string{file(1), file(2)}, nil, func(u *Union) (int, []byte, error) {
		return 0, nil, u.Store.Cases(ctx, u.Info.Run, func(*outcome.Case) error { return nil })
	})
	if want := "history " + file(2) + ": case 1 of run 1: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}
