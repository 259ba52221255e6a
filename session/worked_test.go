package session

import (
	"context"
	"io"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedShards runs the examples in the comments on shards.
func TestWorkedShards(t *testing.T) {
	shard := Shard{2, 4}
	if n := shard.Count(10); n != 3 {
		t.Errorf("%d of 10 inputs", n)
	}
	union := &history.Union{Missing: []int{2}, Unfinished: []int{3, 4}}
	union.Parts = []history.Part{{Shards: 4}}
	worked.Shows(t, "merge.go", Lacks(union))

	left := 10
	f := &feed{ctx: t.Context(), shard: shard, number: -1, period: &period{}, inputs: func(context.Context) (cross.Input, error) {
		if left--; left < 0 {
			return cross.Input{}, io.EOF
		}
		return cross.Input{}, nil
	}}
	for _, want := range []struct{ number, skipped int }{{1, 1}, {5, 3}, {9, 3}} {
		in, err := f.ofShard()
		if err != nil || f.number != want.number || in.Skipped != want.skipped {
			t.Errorf("input %d, %d skipped, %v; want %d", f.number, in.Skipped, err, want)
		}
	}
	if _, err := f.ofShard(); err != io.EOF {
		t.Error(err)
	}
}

// TestWorkedRules runs the examples in the comment of wrong: a timeout counts if it is an error.
func TestWorkedRules(t *testing.T) {
	c := outcome.NewCase(0, "F a", nil)
	c.Results = []outcome.Result{{Status: outcome.Timeout}}
	c.Undecided = []outcome.Undecided{{}}
	for timeouts, want := range map[configs.Timeouts]bool{configs.TimeoutsFail: false, configs.TimeoutsIgnore: false, configs.TimeoutsError: true} {
		l := &rules{}
		l.Timeouts = timeouts
		if got := l.wrong(c); got != want {
			t.Errorf("%v: wrong is %v", timeouts, got)
		}
	}
}
