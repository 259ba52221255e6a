package bench

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/omega"
)

// An OrderRow says how much the cost of a search depends on the order of edges. Gastin and Moro
// 2007, section 5, claim that theirs does not depend on it.
type OrderRow struct {
	Input    string  `json:"input" table:"input"`       // the inputs that are searched
	Search   string  `json:"search" table:"search"`     // name of the search
	Automata int     `json:"automata" table:"automata"` // number of automata
	Orders   int     `json:"orders" table:"orders"`     // number of orders of the edges that were tried
	Done     int     `json:"done" table:"done,ends"`    // number of automata for which the search ended in every order
	Length   float64 `json:"length" table:"length,1"`   // average length of the run that was found
	// edges that the search asked for in the best order, on average
	Least float64 `json:"least" table:"least,0"`
	// edges that the search asked for, on average over all orders
	Mean float64 `json:"mean" table:"mean,0"`
	// edges that the search asked for in the worst order, on average
	Greatest float64 `json:"greatest" table:"greatest,0"`
	Spread   float64 `json:"spread" table:"spread,2"`   // geometric mean of greatest / least
	Seconds  float64 `json:"seconds" table:"seconds,4"` // average time in seconds
}

// Orders runs each search on each input with its edges in random orders, and passes each row to
// emit. It fails when ctx is done, and if an exact search finds runs of two lengths for one
// automaton.
func Orders(ctx context.Context, o SearchOptions, emit func(OrderRow) error) error {
	for _, in := range o.Inputs {
		err := emitEach(o.Searches, emit, func(s Search) (OrderRow, error) {
			row := OrderRow{Input: in.Name, Search: s.Name, Automata: in.number(o.Each), Orders: o.Orders}
			for src, err := range o.automata(ctx, in) {
				var a *omega.Automaton
				if err == nil {
					a, err = omega.Explore(ctx, src, omega.NoLimits()) // to shuffle the edges, all must be there
				}
				if err == nil {
					err = o.search(ctx, &row, s, a)
				}
				if err != nil {
					return row, err
				}
			}
			average(row.Done, &row.Length, &row.Least, &row.Mean, &row.Greatest, &row.Spread, &row.Seconds)
			row.Spread = math.Exp(row.Spread) // search has added up logarithms
			return row, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// search adds an automaton to a row.
func (o *SearchOptions) search(ctx context.Context, row *OrderRow, s Search, a *omega.Automaton) error {
	// The orders of the edges are the same for each search.
	r := rand.New(rand.NewPCG(o.Seed, 3))
	length, lengths, least, sum, greatest, seconds := 0, 0, math.Inf(1), 0.0, 0.0, 0.0
	for range o.Orders {
		got, took, done, err := o.run(ctx, s, shuffled(r, a))
		if !done {
			return err // an automaton counts only if all orders are done
		}
		if n := got.Run.Size(); length != 0 && length != n && s.exact {
			return errLengths
		}
		length = got.Run.Size()
		lengths += length
		edges := float64(got.Edges)
		least, sum, greatest = min(least, edges), sum+edges, max(greatest, edges)
		seconds += took.Seconds()
	}
	n := float64(o.Orders)
	row.Done++
	row.Length += float64(lengths) / n
	row.Least += least
	row.Mean += sum / n
	row.Greatest += greatest
	row.Spread += math.Log(greatest / least) // for the geometric mean
	row.Seconds += seconds / n
	return nil
}

// shuffled returns an automaton with the edges of each state in random order.
func shuffled(r *rand.Rand, a *omega.Automaton) *omega.Automaton {
	b := a.NewBuilder()
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	for s := range omega.State(a.NumStates()) {
		edges := a.Edges(s)
		for _, i := range r.Perm(len(edges)) {
			b.AddEdge(s, edges[i].Label, edges[i].Marks, edges[i].Dst)
		}
	}
	return b.Automaton()
}
