package bench

import (
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"golang.org/x/sync/errgroup"
)

// A Row has the results of a construction on a family.
type Row struct {
	Family string `json:"family" table:"family"` // family of the inputs
	// the construction; empty for the one that xcheck chooses
	Algorithm complement.Algorithm `json:"algorithm" table:"construction"`
	Automata  int                  `json:"automata" table:"automata"` // number of automata of the family
	Fits      int                  `json:"fits" table:"fits"`         // number of automata that the construction can complement
	Done      int                  `json:"done" table:"done"`         // number that ended within the limits
	States    int                  `json:"states" table:"states"`     // median number of states of the complement
	Reduced   int                  `json:"reduced" table:"reduced"`   // median number of states of the reduced complement
	Largest   int                  `json:"largest" table:"largest"`   // number of states of the largest complement
	// time of all complements, in seconds, without their reduction
	Seconds float64 `json:"seconds" table:"seconds,1"`
}

// ComplementOptions are the options of Complement.
type ComplementOptions struct {
	Families    []Family
	Algorithms  []complement.Algorithm // "" for the one that is chosen
	Seed        uint64
	Each        int
	Time        time.Duration // for each automaton
	Macrostates int           // 0: no limit
	Memory      int64         // bytes, of one construction; 0: no limit
	Jobs        int
}

// Complement complements the automata of each family by each construction, and passes each row
// to emit. It fails when ctx is done.
func Complement(ctx context.Context, o ComplementOptions, emit func(Row) error) error {
	for _, f := range o.Families {
		automata, err := f.Make(ctx, o.Seed, o.Each)
		if err != nil {
			return err
		}
		err = emitEach(o.Algorithms, emit, func(by complement.Algorithm) (Row, error) { return o.row(ctx, f.Name, by, automata) })
		if err != nil {
			return err
		}
	}
	return nil
}

// result is of one automaton. States is 0 if it is not done.
type result struct {
	unfit           bool
	states, reduced int
	time            time.Duration
}

func (o *ComplementOptions) row(ctx context.Context, family string, algorithm complement.Algorithm, automata []*omega.Automaton) (Row, error) {
	results := make([]result, len(automata))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Jobs))
	for i, a := range automata {
		g.Go(func() error {
			var err error
			results[i], err = o.one(inner, algorithm, a) // each goroutine has its own element
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return Row{}, err
	}
	row := Row{Family: family, Algorithm: algorithm, Automata: len(automata)}
	var states, reduced []int
	for _, r := range results {
		if !r.unfit {
			row.Fits++
		}
		row.Seconds += r.time.Seconds() // also of those that met a limit
		if r.states > 0 {               // otherwise the automaton was unfit, or met a limit
			row.Done++
			states = append(states, r.states)
		}
		if r.reduced > 0 {
			reduced = append(reduced, r.reduced)
		}
		row.Largest = max(row.Largest, r.states)
	}
	row.States, row.Reduced = median(states), median(reduced)
	return row, nil
}

// one complements an automaton. Limits are results, not errors.
func (o *ComplementOptions) one(ctx context.Context, algorithm complement.Algorithm, a *omega.Automaton) (r result, err error) {
	var c *omega.Automaton
	took, done, err := measured(ctx, o.Time, func(limited context.Context) (err error) {
		c, _, err = complement.Whole(limited, algorithm, a, omega.Limits{Macrostates: o.Macrostates, Memory: o.Memory}.Or(omega.NoLimits()))
		return err
	})
	r.time = took
	if errors.Is(err, complement.ErrUnfit) { // a result, too: the row counts what fits
		r.unfit, err = true, nil
	}
	if !done {
		return r, err
	}
	r.states = c.NumStates()
	// The reduction has as much time again, which does not count.
	limited, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	if c, err = reduce.Reduce(limited, c); err == nil {
		r.reduced = max(1, c.NumStates()) // no states at all are one
	}
	return r, ctx.Err()
}
