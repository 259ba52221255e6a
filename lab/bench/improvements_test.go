package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestEffects: each improvement is compared with its absence for all 64 sets of the others, and
// what each is there for shows.
func TestEffects(t *testing.T) {
	o := SearchOptions{Each: 3, Time: time.Minute}
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
		edges := must.Get(src.AppendEdges(nil, s))
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
	e := &r.next
	r.load(e, 0)
	r.wake(e, 0)
	var phases []byte
	for _, i := range []int{1, 0, 1, 0} {
		r.receive(e, i)
		phases = append(phases, e.process[i].phase)
	}
	if !bytes.Equal(phases, []byte{lost, leader, asleep, asleep}) || r.state(e) != 0 {
		t.Errorf("phases %v, then state %d", phases, r.state(e))
	}
}

// TestOrders: exact searches find runs of the same length whatever the order of edges. Without
// improvements, the order does not matter to gm-min but for ties, and it matters to gmz-min.
func TestOrders(t *testing.T) {
	o := SearchOptions{Orders: 10, Each: 3, Time: time.Minute}
	for _, in := range Inputs() {
		if in.Name == "random-100" || in.Name == "peterson" {
			o.Inputs = append(o.Inputs, in)
		}
	}
	for _, s := range Searches() {
		if s.Name == "gm-plain" || s.Name == "gm-min" || s.Name == "gmz-min" || s.Name == "l2s" {
			o.Searches = append(o.Searches, s)
		}
	}
	spread := map[string]float64{}
	if err := Orders(t.Context(), o, func(r OrderRow) error {
		if r.Done != r.Automata || r.Least > r.Mean || r.Mean > r.Greatest || r.Spread < 1 {
			t.Errorf("%+v", r)
		}
		if r.Input == "peterson" && r.Length != 9 {
			t.Errorf("%+v, want length 9", r)
		}
		spread[r.Input+" "+r.Search] = r.Spread
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(spread)
	for _, in := range o.Inputs {
		if spread[in.Name+" gmz-min"] <= spread[in.Name+" gm-plain"] {
			t.Errorf("%s: spread %v", in.Name, spread)
		}
	}
}

// TestTight: the lengths of Schuppan and Biere 2005. Automata by tight need no run
// longer than the shortest counterexample, nor do those by cgh for formulas of the
// future (Theorem 2, Proposition 1); for figure 3 that by gpvw needs one more, and for
// the counters that by cgh about n²; and cgh stays within Proposition 2.
func TestTight(t *testing.T) {
	const each = 25
	var specifications []Specification
	for _, x := range Specifications() {
		if !slices.Contains([]string{"counter-6", "dme5-nv", "dme6-nv", "prod-cons-1"}, x.Name) { // take seconds
			specifications = append(specifications, x)
		}
	}
	o := TightOptions{Specifications: specifications, Algorithms: translate.Algorithms(), Each: each, Time: time.Minute}
	type key struct{ specification, algorithm string }
	rows := map[key]TightRow{}
	if err := Tight(t.Context(), o, func(r TightRow) error {
		rows[key{r.Specification, r.Algorithm}] = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[key][2]float64{ // shortest, length
		{"figure-3", "gpvw"}:   {1, 2},
		{"figure-3", "cgh"}:    {1, 1},
		{"figure-3", "tight"}:  {1, 1},
		{"counter-2", "cgh"}:   {2, 5},
		{"counter-3", "cgh"}:   {3, 10},
		{"counter-4", "cgh"}:   {4, 17},
		{"counter-5", "cgh"}:   {5, 26},
		{"counter-2", "tight"}: {2, 2},
		{"counter-3", "tight"}: {3, 3},
		{"counter-4", "tight"}: {4, 4},
		{"counter-5", "tight"}: {5, 5},

		{"counter-5", "unrolled"}: {5, 5},
		{"1394-0", "cgh"}:         {5, 6},
		{"1394-0", "tight"}:       {5, 5},
		{"1394-4-0", "cgh"}:       {6, 7},
		{"1394-4-0", "tight"}:     {6, 6},
		{"abp-L", "unrolled"}:     {8, 8},
		{"brp", "gpvw"}:           {1, 2},
		{"brp", "unrolled"}:       {1, 1},
		{"brp-nv", "cgh"}:         {6, 9},
		{"brp-nv", "tight"}:       {6, 6},
		{"dme2", "tight"}:         {1, 1},
		{"dme2-nv", "tight"}:      {4, 4},
		{"dme6", "gpvw"}:          {1, 2},
		{"prod-cons-0", "gpvw"}:   {3, 4},
		{"prod-cons-0", "tight"}:  {3, 3},
		{"prod-cons-3", "gpvw"}:   {2, 3},
		{"prod-cons-3", "cgh"}:    {2, 2},
	} {
		if r := rows[k]; r.Done != 1 || r.Shortest != want[0] || r.Length != want[1] {
			t.Errorf("%+v, want shortest %v, length %v", r, want[0], want[1])
		}
	}
	for k, r := range rows {
		tight := k.algorithm == "tight" || k.algorithm == "unrolled" || k.algorithm == "cgh" && (k.specification == "figure-3" || k.specification == "random-future")
		if tight && (r.Done != r.Violations || r.Longer != 0 || r.Excess != 0) {
			t.Errorf("not tight: %+v", r)
		}
		if k.algorithm == "cgh" && r.Length > r.Bound {
			t.Errorf("past the bound: %+v", r)
		}
	}
	if r := rows[key{"random-future", "gpvw"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	if r := rows[key{"random-past", "cgh"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	if r := rows[key{"random-past", "gpvw"}]; r.Done != each || r.Longer < each/5 {
		t.Errorf("%+v", r)
	}
	o.Specifications = slices.DeleteFunc(Specifications(), func(x Specification) bool {
		return !slices.Contains([]string{"dme5-nv", "prod-cons-1"}, x.Name)
	})
	o.Algorithms = slices.DeleteFunc(translate.Algorithms(), func(a translate.Algorithm) bool { return a.Name == "tight" })
	if err := Tight(t.Context(), o, func(r TightRow) error {
		shortest := map[string]float64{"dme5-nv": 7, "prod-cons-1": 5}[r.Specification]
		if r.Done != 1 || r.Shortest != shortest || r.Found < r.Length || r.Algorithm == "unrolled" && r.Excess != 0 {
			t.Errorf("%+v, want shortest %v", r, shortest)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Tight(canceled, o, func(TightRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

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
	defer func() {
		if recover() == nil {
			t.Error("16 in four bits")
		}
	}()
	protocol{initial: vars{16}}.source()
}

// TestMinimal: exact searches agree, on random graphs and on protocols, and find
// runs of the lengths that were found before; and spin's are not shorter.
func TestMinimal(t *testing.T) {
	o := SearchOptions{Searches: Searches(), Each: 20, Time: time.Minute}
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
	o := SearchOptions{Each: 1, Time: time.Minute}
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
		shortest, err := afterNested(context.Background(), p.source(), omega.Limits{})
		if want := map[string]int{"peterson": 9, "dekker": 11, "dijkstra": 2, "hyman": 8}[p.name]; err != nil || shortest.Run.Size() != want {
			t.Errorf("%s: %+v, %v; want a run of %d edges", p.name, shortest, err, want)
		}
		if p.name == "dijkstra" {
			continue
		}
		spins, err := spin(context.Background(), p.source(), omega.Limits{}, spinning{})
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
		o := SearchOptions{Inputs: []Input{in}, Searches: Searches()[:3], Each: 30, Time: time.Minute}
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
		want := must.Get(product.ShortestRun(context.Background(), a, omega.Limits{}))
		if want.Empty() {
			empty++
		}
		for _, how := range variants {
			got, err := spin(context.Background(), a, omega.Limits{}, how)
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
		b.AddStart(b.AddState())
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
			r, err := spin(context.Background(), a, omega.Limits{}, how)
			if err != nil || r.Run == nil || r.Run.Size() != want {
				t.Errorf("%+v: %+v, %v: want a run of %d edges", how, r, err, want)
			}
		}
		r, err := product.ShortestRun(context.Background(), a, omega.Limits{})
		if err != nil || r.Run.Size() != figure.shortest {
			t.Errorf("%+v, %v: want a run of %d edges", r, err, figure.shortest)
		}
	}
}

// TestNoRun: no random automaton has a run, or the search for one is canceled.
func TestNoRun(t *testing.T) {
	o := SearchOptions{Inputs: Inputs()[:1], Searches: Searches()[:1], Each: 1, Time: time.Minute, Random: RandomGraphs{Degree: 2}}
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
