package history

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestBisections: a group has its latest bisection, also in a union and after a prune.
func TestBisections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := begin(t, s, "")
	night := told{causes: []string{"a words Ga", "a words Fb"}}
	night.tell(t, r)
	if err := r.End(1, true, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := s.PutBisection(ctx, "a | nobody", &outcome.Bisection{}); err == nil {
		t.Error("stored with a group that does not exist")
	}
	first := &outcome.Bisection{Versions: 1, Tests: []outcome.VersionTest{}, Formulas: []string{"Ga"}}
	last := &outcome.Bisection{Started: time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC), Translator: "a", Class: "words", Formulas: []string{"Ga"},
		Versions: 5, Oldest: "1", Newest: "5", Tests: []outcome.VersionTest{{Version: "3", Verdict: "skipped", Why: "<no compiler>"}},
		FirstBad:  &outcome.VersionChange{Version: "4", Before: "2", Open: []string{"3"}},
		FirstGood: &outcome.VersionChange{Version: "5", Before: "4"}}
	for _, b := range []*outcome.Bisection{first, last} {
		if err := s.PutBisection(ctx, "a | words Ga", b); err != nil {
			t.Fatal(err)
		}
	}
	check := func(s *Store) {
		t.Helper()
		list, err := s.Timelines(ctx)
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		if got := list[0].Bisection; !reflect.DeepEqual(got, last) || list[1].Bisection != nil {
			t.Errorf("got %+v and %v, want %+v", got, list[1].Bisection, last)
		}
	}
	check(s)
	if _, err := s.Prune(ctx, 0, time.Time{}, false); err != nil {
		t.Fatal(err)
	}
	check(s)
}

// TestBisectionText: what a group says of a bisection.
func TestBisectionText(t *testing.T) {
	change := func(before, version string, open ...string) *outcome.VersionChange {
		return &outcome.VersionChange{Version: version, Before: before, Open: open}
	}
	for _, x := range []struct {
		bad, good *outcome.VersionChange
		want      string
	}{
		{nil, nil, "no bad version found"},
		{change("1", "2"), nil, "broke in 2"},
		{change("1", "2"), change("3", "4"), "broke in 2; fixed in 4"},
		{change("1", "4", "2", "3"), nil, "broke in one of 2, 3, 4"},
		{change("1", "6", "2", "3", "4", "5"), change("6", "8", "7"), "broke in one of 5 versions from 2 to 6; fixed in one of 7, 8"},
		{change("", "1"), nil, "bad since 1, the oldest"},
		{change("", "3", "1", "2"), change("3", "4"), "bad since 3 or before; fixed in 4"},
	} {
		if got := (&outcome.Bisection{FirstBad: x.bad, FirstGood: x.good}).String(); got != x.want {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
}
