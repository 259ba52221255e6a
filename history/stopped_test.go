package history

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestStopped: of a run on another host it is not known whether it was killed a moment ago;
// but when it was stopped and said so, it goes on at once.
func TestStopped(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "xcheck.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	plan := &Plan{Configuration: []byte("{}"), Shard: 1, Shards: 1}
	run, err := s.Begin(ctx, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, "UPDATE runs SET process = 'elsewhere 1 2'"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unfinished(ctx, plan); !errors.As(err, new(*RunningError)) {
		t.Fatalf("a run on another host: got %v, want a RunningError", err)
	}
	if err := run.End(130, false, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	info, err := s.Unfinished(ctx, plan)
	if err != nil || info == nil || info.Run != run.RunID.Run {
		t.Fatalf("a run that was stopped: got %v, %v", info, err)
	}
	if run, err = s.Resume(ctx, info); err != nil {
		t.Fatal(err)
	}
	if err := run.Leave(); err != nil {
		t.Fatal(err)
	}
	var process string
	if err := s.db.QueryRowContext(ctx, "SELECT process FROM runs").Scan(&process); err != nil || process != "" {
		t.Errorf("a run that was left: process %q, %v", process, err)
	}
}
