package history

import (
	"slices"
	"testing"
	"time"
)

// TestCorpus: a run starts from what runs of the same translators kept, the last first. Prune keeps
// that, and deletes what runs started from.
func TestCorpus(t *testing.T) {
	s := openTemporary(t)
	names := func(p *Plan) (list []string) {
		for _, tool := range p.Tools {
			list = append(list, tool.Name)
		}
		slices.Reverse(list) // their order does not matter
		return list
	}
	corpus := func(p *Plan, want ...string) {
		t.Helper()
		if got, err := s.Corpus(ctx, names(p)); err != nil || !slices.Equal(got, want) {
			t.Errorf("corpus %q, %v; want %q", got, err, want)
		}
	}
	night := func(p *Plan, kept ...Kept) *Run {
		t.Helper()
		r, err := s.Begin(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		// A resumed run stores them once more.
		for range 2 {
			if err := r.Keep(kept); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.End(0, true, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := plan("monday")
	corpus(first)
	night(first, Kept{3, "a", 1}, Kept{5, "F a", 2}, Kept{9, "G a", 1})
	corpus(first, "G a", "F a", "a")

	other := plan("other")
	other.Tools = append(slices.Clone(other.Tools), Tool{Name: "one more"})
	night(other, Kept{1, "X a", 1})
	corpus(other, "X a")

	second := plan("tuesday")
	second.Start = []string{"G a", "F a", "a"}
	r := night(second, Kept{2, "F a", 1}, Kept{4, "b", 1})
	corpus(first, "b", "F a", "G a", "a")
	starts := func(want ...string) {
		t.Helper()
		if got, err := s.Starts(ctx, r.RunID.Run); err != nil || !slices.Equal(got, want) {
			t.Errorf("started from %q, %v; want %q", got, err, want)
		}
	}
	starts("G a", "F a", "a")
	if _, err := s.Prune(ctx, 0, time.Time{}, false); err != nil {
		t.Fatal(err)
	}
	starts()
	corpus(first, "b", "F a", "G a", "a")
}
