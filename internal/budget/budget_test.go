package budget

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestSteps: a budget of n steps ends with step n+1, however they are counted, and so does
// the whole of a part.
func TestSteps(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range campaign.Inputs(t, 2000) {
		limit := r.IntN(3 * Interval)
		whole := New(t.Context())
		whole.LimitSteps(limit)
		b := whole
		if r.IntN(2) == 0 {
			b = whole.Part(Unlimited)
		}
		taken := 0
		for !b.Stop() {
			if taken++; r.IntN(4) > 0 {
				continue
			}
			n := r.IntN(2 * Interval)
			if taken += n; b.Spend(n) {
				break
			}
		}
		over := &LimitError{}
		if !errors.As(b.Err(), &over) || over.What != "steps" || over.Limit != limit {
			t.Fatalf("seed %d, limit %d: %v", seed, limit, b.Err())
		}
		if b == whole && (taken+1 < limit || b.Spent() <= limit) {
			t.Fatalf("seed %d, limit %d: ended after %d steps, of which %d were counted", seed, limit, taken, b.Spent())
		}
		if b != whole && (whole.Err() != b.Err() || taken+Interval < limit) {
			t.Fatalf("seed %d, limit %d: the part ended after %d steps with %v, the whole with %v", seed, limit, taken, b.Err(), whole.Err())
		}
		if !b.Stop() || !b.Spend(1) || b.Check() != b.Err() {
			t.Fatal("a budget that has ended goes on")
		}
	}
}

// TestPart: when a part ends, the whole goes on. It is the example in the comment of the package.
func TestPart(t *testing.T) {
	whole := New(t.Context())
	part := whole.Part(3)
	for range 3 {
		if part.Stop() {
			t.Fatal("ended early")
		}
	}
	if !part.Stop() || part.Err() == nil || part.Err().Error() != "limit of 3 steps" || whole.Stop() || whole.Err() != nil || whole.Spent() != 5 {
		t.Errorf("part %v, whole %v after %d steps", part.Err(), whole.Err(), whole.Spent())
	}
	if err := (&TimeError{Limit: 5 * time.Second}); err.Error() != "time limit of 5s" {
		t.Error(err)
	}
}

// TestCancel: cancellation is noticed within Interval steps, and the context is not asked
// any more after that.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	whole := New(ctx)
	part := whole.Part(Unlimited)
	cancel()
	steps := 0
	for !part.Stop() {
		if steps++; steps > 2*Interval {
			t.Fatal("not noticed")
		}
	}
	if part.Err() != context.Canceled || whole.Err() != context.Canceled {
		t.Errorf("part %v, whole %v", part.Err(), whole.Err())
	}
	whole.Watch(context.Background())
	if whole.Stop() || whole.Err() != nil {
		t.Errorf("with another context: %v", whole.Err())
	}
	if err := New(ctx).Err(); err != context.Canceled {
		t.Errorf("made too late: %v", err)
	}
}

// TestMemory: the limit holds for what is held, and is found in the context.
func TestMemory(t *testing.T) {
	held := int64(0)
	b := New(WithMemory(t.Context(), 5<<20))
	b.LimitMemory(b.Part(1).MemoryLimit(), func() int64 { return held })
	if b.Check() != nil {
		t.Fatal(b.Err())
	}
	held = 5<<20 + 1
	if err := b.Check(); err == nil || err.Error() != "memory limit of 5 MiB" {
		t.Errorf("%v", err)
	}
	own := errors.New("own")
	if b = Free(); b.MemoryLimit() != 0 {
		t.Error("a limit from nowhere")
	}
	b.Fail(own)
	if !b.Stop() || b.Err() != own {
		t.Errorf("%v", b.Err())
	}
}
