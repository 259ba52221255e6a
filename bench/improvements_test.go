package bench

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestEffects: each improvement is compared with its absence for all 64 sets of the others, and
// what each is there for shows.
func TestEffects(t *testing.T) {
	o := EffectOptions{Each: 3, Time: time.Minute}
	for _, in := range Inputs() {
		if in.Name == "random-100" || in.Name == "hyman" {
			o.Inputs = append(o.Inputs, in)
		}
	}
	rows := map[string]EffectRow{}
	var adds emptiness.Improvements
	for _, x := range improvements {
		adds |= x.adds
	}
	if adds != emptiness.All {
		t.Errorf("improvements %b, want %b", adds, emptiness.All)
	}
	err := Effects(context.Background(), o, func(r EffectRow) error {
		rows[r.Input+" "+r.Improvement] = r
		pairs := 64
		if r.Improvement == "all" {
			pairs = 1
		}
		if r.Pairs != r.Automata*pairs || r.Least > r.Edges || r.Edges > r.Greatest {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil || len(rows) != 2*(len(improvements)+1) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for row, ratio := range map[string]float64{
		"random-100 short-loops":   rows["random-100 short-loops"].Edges,
		"random-100 fewer-entries": rows["random-100 fewer-entries"].Queued,
		"random-100 all":           rows["random-100 all"].Edges,
	} {
		if ratio <= 0 || ratio >= 1 {
			t.Errorf("%s: ratio %v", row, ratio)
		}
	}
}

// TestCommentEffect: the example of an effect.
func TestCommentEffect(t *testing.T) {
	edges := func(n int) *emptiness.Minimal {
		m := &emptiness.Minimal{}
		m.Edges, m.States = n, 1
		return m
	}
	var x EffectRow
	x.add(edges(100), edges(50))
	x.add(edges(80), edges(60))
	if got := fmt.Sprintf("%.3f", x.mean().Edges); got != "0.612" {
		t.Errorf("the effect is %s", got)
	}
}

// TestCommentModels: the examples of layers, and of an election.
func TestCommentModels(t *testing.T) {
	var text []string
	src := layered(2, 2)
	for s := range omega.State(5) {
		edges, err := src.AppendEdges(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			mark := ""
			if e.Marks != 0 {
				mark = " {0}"
			}
			text = append(text, fmt.Sprintf("%d→%d%s", s, e.Dst, mark))
		}
	}
	const want = "0→1, 0→2, 1→3 {0}, 1→4 {0}, 2→3 {0}, 2→4 {0}, 3→4, 3→1, 3→2, 4→1, 4→2"
	if got := strings.Join(text, ", "); got != want {
		t.Errorf("layers %s", got)
	}

	r := NewRing(2, false)
	var e execution
	r.load(&e, 0)
	r.wake(&e, 0)
	var phases []byte
	for _, i := range []int{1, 0, 1, 0} {
		r.receive(&e, i)
		phases = append(phases, e.process[i].phase)
	}
	if !bytes.Equal(phases, []byte{lost, leader, asleep, asleep}) || r.state(&e) != 0 {
		t.Errorf("phases %v, then state %d", phases, r.state(&e))
	}
}
