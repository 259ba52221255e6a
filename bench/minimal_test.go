package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestProtocols: two processes are never in their critical sections at once, but
// for Hyman's algorithm.
func TestProtocols(t *testing.T) {
	for _, p := range protocols() {
		p.watch = []watchEdge{{}}
		src := p.source()
		both := 0
		var buf []omega.Edge
		for s := 0; s < src.states.Len(); s++ {
			in := 0
			for i := range p.processes {
				if place := uint8(src.states.At(int32(s)) >> (4 * i) & 15); p.first <= place && place <= p.last {
					in++
				}
			}
			if in > 1 {
				both++
			}
			var err error
			if buf, err = src.AppendEdges(buf[:0], omega.State(s)); err != nil || len(buf) == 0 {
				t.Fatalf("%s: state %d: %d edges, %v", p.name, s, len(buf), err)
			}
		}
		t.Logf("%s: %d states", p.name, src.states.Len())
		if (both > 0) != (p.name == "hyman") {
			t.Errorf("%s: %d of %d states with two in the critical section", p.name, both, src.states.Len())
		}
	}
}

// TestMinimal: exact searches agree, on random graphs and on protocols, and find
// runs of the lengths that were found before; and spin's are not shorter.
func TestMinimal(t *testing.T) {
	o := MinimalOptions{Searches: Searches(), Random: DefaultGraphs, Each: 20, Time: time.Minute}
	for _, in := range Inputs() {
		switch in.Name {
		case "random-20", "random-100", "peterson", "dekker", "dekker-starves", "hyman":
			o.Inputs = append(o.Inputs, in)
		}
	}
	lengths := map[string]float64{}
	rows := 0
	err := Minimal(context.Background(), o, func(r MinimalRow) error {
		rows++
		if r.Done != r.Automata || r.Runs < 1 || r.States < 1 || r.Memory < 1 {
			t.Errorf("%+v", r)
		}
		if r.Search == "gm-min" {
			lengths[r.Input] = r.Length
			return nil
		}
		if was, ok := lengths[r.Input]; ok && was != r.Length {
			t.Errorf("%+v: length %v, want %v", r, r.Length, was)
		}
		return nil
	})
	if err != nil || rows != len(o.Inputs)*len(o.Searches) {
		t.Fatalf("%d rows, %v", rows, err)
	}
	for name, want := range map[string]float64{"peterson": 9, "dekker": 11, "dekker-starves": 15, "hyman": 8} {
		if lengths[name] != want {
			t.Errorf("%s: a run of length %v, want %v", name, lengths[name], want)
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Minimal(canceled, o, func(MinimalRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestMinimalUnfit: where a search does not fit, none is done.
func TestMinimalUnfit(t *testing.T) {
	o := MinimalOptions{Random: DefaultGraphs, Each: 1, Time: time.Minute}
	for _, in := range Inputs() {
		if in.Name == "streett" {
			o.Inputs = append(o.Inputs, in)
		}
	}
	for _, s := range Searches() {
		switch s.Name {
		case "spin-i", "nested+gmz-min", "gmz-min", "gm-min", "l2s":
			o.Searches = append(o.Searches, s)
		}
	}
	err := Minimal(context.Background(), o, func(r MinimalRow) error {
		if fits := r.Search == "gm-min" || r.Search == "l2s"; (r.Done == 1) != fits {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTable1: on protocols, DFS_MIN finds runs of the lengths of Gastin, Moro, Zeitoun 2004, Table 1,
// and SPIN -i longer ones with less work. On Dijkstra's, SPIN -i would take a thousand times longer.
func TestTable1(t *testing.T) {
	for _, p := range protocols()[:4] {
		shortest, err := afterNested(context.Background(), p.source(), emptiness.Limits{})
		if want := map[string]int{"peterson": 9, "dekker": 11, "dijkstra": 2, "hyman": 8}[p.name]; err != nil || shortest.Run.Size() != want {
			t.Errorf("%s: %+v, %v; want a run of %d edges", p.name, shortest, err, want)
		}
		if p.name == "dijkstra" {
			continue
		}
		spins, err := spin(context.Background(), p.source(), emptiness.Limits{}, spinning{})
		if err != nil || spins.Run.Size() <= shortest.Run.Size() || spins.Matched >= shortest.Matched {
			t.Errorf("%s: %+v, %v; DFS_MIN: %+v", p.name, spins, err, shortest)
		}
	}
}

// TestTable2: on random graphs, SPIN -i finds runs that are not shorter than shortest ones. If its
// outer search closes all cycles, it meets fewer known states than DFS_MIN, as in Gastin, Moro,
// Zeitoun 2004, Table 2. Otherwise it meets more at 1000 states.
func TestTable2(t *testing.T) {
	for k, in := range Inputs()[:3] {
		o := MinimalOptions{Inputs: []Input{in}, Searches: Searches()[:3], Random: DefaultGraphs, Each: 30, Time: time.Minute}
		var rows []MinimalRow
		if err := Minimal(context.Background(), o, func(r MinimalRow) error {
			rows = append(rows, r)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		asPrinted, cycles, shortest := rows[0], rows[1], rows[2]
		if asPrinted.Length <= shortest.Length || cycles.Length <= shortest.Length {
			t.Errorf("lengths %v", rows)
		}
		if cycles.Matched >= shortest.Matched || k == 2 && asPrinted.Matched <= shortest.Matched {
			t.Errorf("known states %v", rows)
		}
	}
}

// replay reports what is wrong with a run of a Büchi automaton.
func replay(a *omega.Automaton, r *emptiness.Run) error {
	at, accepting := a.Initial()[0], false
	for i := range r.Size() {
		step := r.At(i)
		if step.From != at || !slices.Contains(a.Edges(at), step.Edge) {
			return fmt.Errorf("step %d: no edge %+v from state %d", i, step, at)
		}
		at = step.Edge.Dst
		accepting = accepting || i >= len(r.Prefix) && step.Edge.Marks != 0
	}
	if at != r.Cycle[0].From || !accepting {
		return fmt.Errorf("the cycle ends in state %d, and accepts: %t", at, accepting)
	}
	return nil
}

// TestSpin: SPIN's search finds an accepting run, if there is any, and on the automata of Gastin,
// Moro, Zeitoun 2004, Figures 3 and 4, not the shortest one.
func TestSpin(t *testing.T) {
	variants := []spinning{{}, {cycles: true}, {once: true}, {once: true, cycles: true}}
	r := rand.New(rand.NewPCG(3, 0))
	empty, number := 0, campaign.Inputs(t, 3000)
	for i := range number {
		n := 1 + r.IntN(12)
		a := random.Automaton(r, omega.NewAlphabet("a"), omega.Buchi(), random.Options{
			States: n, Density: (1 + r.Float64()) / float64(n), Marks: 0.15, StateMarks: i%2 == 0})
		want, err := emptiness.ShortestRun(context.Background(), a, emptiness.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if want.Empty() {
			empty++
		}
		for _, how := range variants {
			got, err := spin(context.Background(), a, emptiness.Limits{}, how)
			if err == nil && got.Run != nil {
				err = replay(a, got.Run)
			}
			if err != nil || got.Empty() != want.Empty() || !want.Empty() && got.Run.Size() < want.Run.Size() {
				t.Fatalf("automaton %d, %+v: %+v, %v", i, how, got, err)
			}
		}
	}
	if empty < number/10 || empty > 9*number/10 {
		t.Errorf("%d of %d automata are empty: the test is one-sided", empty, number)
	}
	// The states are numbered as in the paper, but from 0. The marks are on the
	// edges of one state.
	for _, figure := range []struct {
		edges                     [][2]omega.State
		accepting                 omega.State
		first, spinning, shortest int
	}{
		{[][2]omega.State{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 2}, {0, 4}}, 3, 6, 6, 5}, // Figure 3
		{[][2]omega.State{{0, 3}, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 0}}, 1, 4, 4, 3},         // Figure 4
	} {
		b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
		b.AddStart(0)
		for _, e := range figure.edges {
			b.AddStates(int(max(e[0], e[1])) + 1)
			var marks omega.Marks
			if e[0] == figure.accepting {
				marks = b.Marks().Of(0)
			}
			b.AddEdge(e[0], b.Alphabet().True(), marks, e[1])
		}
		a := b.Automaton()
		for _, how := range variants {
			want := figure.spinning
			if how.once {
				want = figure.first
			}
			r, err := spin(context.Background(), a, emptiness.Limits{}, how)
			if err != nil || r.Run == nil || r.Run.Size() != want {
				t.Errorf("%+v: %+v, %v: want a run of %d edges", how, r, err, want)
			}
		}
		r, err := emptiness.ShortestRun(context.Background(), a, emptiness.Limits{})
		if err != nil || r.Run.Size() != figure.shortest {
			t.Errorf("%+v, %v: want a run of %d edges", r, err, figure.shortest)
		}
	}
}

// TestNoRun: no random automaton has a run, or the search for one is canceled.
func TestNoRun(t *testing.T) {
	o := MinimalOptions{Inputs: Inputs()[:1], Searches: Searches()[:1], Each: 1, Time: time.Minute, Random: RandomGraphs{Degree: 2}}
	none := func(r MinimalRow) error {
		t.Errorf("%+v", r)
		return nil
	}
	if err := Minimal(context.Background(), o, none); err == nil || !strings.Contains(err.Error(), "accept no word") {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Minimal(canceled, o, none); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// SmallConditions is the part of Product for conditions, with automata of so many states.
func SmallConditions(ctx context.Context, o ProductOptions, states int, emit func(ProductRow) error) error {
	return o.measure(ctx, o.conditions(states, states), emit)
}
