package history

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

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
		s, err := Open(ctx, file(fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		p := plan("night")
		p.Shard, p.Shards = i+1, shards
		if i == 1 { // it was too slow
			p.Tools[0].Version = ""
		}
		r, err := s.Begin(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		for k := i; k < number; k += shards {
			if err := errors.Join(r.Add(all.cases[k]), r.Reported(k)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(r.End(0, true, []byte("{}")), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	merge := func(into string, names ...string) (*Store, *Union) {
		s, err := Open(ctx, file(into))
		if err != nil {
			t.Fatal(err)
		}
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
	other, err := Open(ctx, file("copy"))
	if err != nil {
		t.Fatal(err)
	}
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
		if err := errors.Join(r.Add(sample(i-1)), r.End(0, true, []byte("{}"))); err != nil {
			t.Fatal(err)
		}
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
