package history

import (
	"path/filepath"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestShow: a signature is new in the first run that shows it, also when that run is resumed, and when
// histories are merged.
func TestShow(t *testing.T) {
	s := openTemporary(t)
	night := func(s *Store, want int, list ...outcome.Signature) {
		t.Helper()
		r, err := s.Begin(ctx, plan("night"))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // once more, as if it was resumed
			if got, err := r.Show(ctx, list); err != nil || got != want {
				t.Errorf("run %d shows %d new signatures, want %d; %v", r.RunID.Run, got, want, err)
			}
		}
		if err := r.End(0, true, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	night(s, 3, 1, 2, 1<<63+5)
	night(s, 1, 2, 4, 1<<63+5)
	night(s, 0)

	other, err := Open(ctx, filepath.Join(t.TempDir(), "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	night(other, 2, 1, 7)
	if _, err := other.Merge(ctx, []string{s.Path()}, nil, nil); err != nil {
		t.Fatal(err)
	}
	night(other, 1, 1, 2, 4, 7, 8)
	if err := other.Check(ctx); err != nil {
		t.Error(err)
	}
}
