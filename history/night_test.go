package history

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

const (
	nightShards = 1000
	nightCases  = 100_000 // of a shard
	nightFailed = 50      // of these
	nightTools  = 5
)

// A nightMaker makes shards as runs leave them. What a compaction has left of their plain cases is
// made from sums of thousands of them.
type nightMaker struct {
	rng  *rand.Rand
	plan Plan
	part sums.Sums
}

// nightCase is a case of five translators, as it is on average.
func (m *nightMaker) nightCase(index int) *outcome.Case {
	c := outcome.NewCase(index, fmt.Sprintf("G(a%d -> F(b%d & X(c U d%d)))", m.rng.IntN(1000), m.rng.IntN(1000), m.rng.IntN(1000)), m.plan.Seed)
	c.Checked, c.Reference = true, "couvreur"
	for _, tool := range m.plan.Tools {
		for _, p := range outcome.BothPolarities {
			n := int(2 + 5*m.rng.ExpFloat64())
			c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: tool.Name, Polarity: p}, Status: outcome.OK,
				Command: tool.Name + " -f 'G(a -> F(b & X(c U d)))'", Seconds: 0.004 * m.rng.ExpFloat64(), CPU: 0.003, MaxRSS: 12 << 20,
				Props: 4, States: n, Edges: 3 * n, Transitions: float64(40 * n), Sets: m.rng.IntN(3), Components: m.rng.IntN(4), Largest: n / 2,
				Deterministic: n < 4, Acceptance: "Büchi"})
			c.Checks = append(c.Checks, outcome.Check{Check: "P " + tool.Name + " & N couvreur", Verdict: outcome.Passed, Constructions: []string{}, ProductStates: 5 * n})
		}
	}
	return c
}

// shard writes the file of a shard.
func (m *nightMaker) shard(path string, i int) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	m.plan.Shard = i
	r, err := s.Begin(ctx, &m.plan)
	if err != nil {
		return err
	}
	number := func(k int) int { return k*nightShards + i - 1 }
	kept := sampleOf(nightShards) + nightFailed
	for k := range kept {
		c := m.nightCase(number(k * (nightCases / kept)))
		if k < nightFailed {
			c.Results[0].Status = outcome.Timeout
		}
		if err := r.Add(c); err != nil {
			return err
		}
	}
	if err := r.Flush(); err != nil {
		return err
	}
	info, err := s.Info(ctx, r.RunID.Run)
	if err != nil {
		return err
	}
	k, err := s.compactor(ctx, info)
	if err != nil {
		return err
	}
	if _, err := k.slice(ctx, 1<<62); err != nil {
		return err
	}
	all := sumsRow{shards: nightShards, shard: i}
	all.Merge(&m.part)
	for range nightCases/m.part.Cases - 1 {
		all.Merge(&m.part)
	}
	all.Cases = nightCases - kept
	// Signatures that few shards have: about a hundred of each.
	for range 100 {
		all.Shown.Add([]outcome.Signature{outcome.Signature(m.rng.Uint64())}, 1+m.rng.IntN(nightCases))
	}
	if err := s.writeSums(ctx, info, &all); err != nil {
		return err
	}
	return r.End(1, true, []byte("{}"))
}

// writeSums stores the sums of a run.
func (s *Store) writeSums(ctx context.Context, info *Info, x *sumsRow) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(writeSums(ctx, tx, info.Run, places(info.Tools), x), tx.Commit())
}

// TestNight merges shards of 100,000 cases each, and says what it takes: 3 of 1,000, or all in
// the folder XCHECK_NIGHT. Files that are there are used, so another process can merge them.
func TestNight(t *testing.T) {
	shards, summed, folder := nightShards, 10_000, os.Getenv("XCHECK_NIGHT")
	if folder == "" {
		shards, summed, folder = 3, 1000, t.TempDir()
	}
	seed := uint64(2026)
	m := &nightMaker{rng: rand.New(rand.NewPCG(seed, 1))}
	m.plan = *plan("night")
	m.plan.Shards, m.plan.Tools, m.plan.Configuration = nightShards, nil, []byte(`{"a": 1}`)
	for i := range nightTools {
		m.plan.Tools = append(m.plan.Tools, Tool{Name: fmt.Sprintf("tool%d", i), Command: "tool %f", Version: "1.0"})
	}
	for k := range summed {
		m.part.Add(m.nightCase(k), k+1)
	}
	t.Logf("%d signatures of %d cases", len(m.part.Shown), summed)
	var names []string
	begin := time.Now()
	size := int64(0)
	for i := 1; i <= shards; i++ {
		name := filepath.Join(folder, fmt.Sprintf("shard-%d.db", i))
		if _, err := os.Stat(name); err != nil {
			if err := m.shard(name, i); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, name)
		size += fileSize(name)
	}
	t.Logf("%d shards of %d kB on average, made in %v", shards, size/int64(shards)>>10, time.Since(begin).Round(time.Second))
	into := filepath.Join(folder, "night.db")
	s, err := Open(ctx, into)
	if err != nil {
		t.Fatal(err)
	}
	begin = time.Now()
	merged, err := s.Merge(ctx, names, nil, func(u *Union) (int, []byte, error) {
		all, _, err := u.Store.Sums(ctx, &u.Info)
		if err != nil {
			return 0, nil, err
		}
		t.Logf("%d cases in sums of %d kept, %d signatures, median time of %s %.4f s", all.Cases, u.Cases-all.Cases, len(all.Shown),
			all.Tools[0].Name, all.Tools[0].Sketches.Seconds.Quantile(0.5))
		failed := 0
		err = u.Store.Cases(ctx, u.Info.Run, func(c *outcome.Case) error {
			if len(c.Failures()) > 0 {
				failed++
			}
			return nil
		})
		if failed != shards*nightFailed {
			t.Errorf("%d failing cases", failed)
		}
		return 1, []byte("{}"), err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("merged in %v, %d MB, peak of memory %d MiB", time.Since(begin).Round(time.Second), fileSize(into)>>20, peak(t)>>20)
	if u := merged.Unions[0]; len(merged.Unions) != 1 || u.Whole() != (shards == nightShards) || u.Cases != shards*nightCases {
		t.Errorf("%d cases", u.Cases)
	}
	if peak := peak(t); peak > 2<<30 {
		t.Errorf("it took %d bytes of memory", peak)
	}
	s.Close()
}

// peak returns the most memory that the process has had, in bytes.
func peak(t *testing.T) int {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			if err != nil {
				t.Error(err)
			}
			return n << 10
		}
	}
	return 0
}
