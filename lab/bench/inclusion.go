package bench

import (
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// An InclusionRow compares two ways to decide the same inclusions: complements made on
// request, and complements made first.
type InclusionRow struct {
	Family string        `json:"family"` // family of the inputs
	Checks int           `json:"checks"` // number of inclusions that both ways decided
	Empty  int           `json:"empty"`  // number of these inclusions that hold
	Failed int           `json:"failed"` // number of inclusions for which a way met a limit
	Demand InclusionCost `json:"demand"` // costs with complements made on request
	Whole  InclusionCost `json:"whole"`  // costs with complements made first
}

// An InclusionCost is the total cost of the checks.
type InclusionCost struct {
	Seconds float64 `json:"seconds"` // time in seconds
	// number of states of complements that were made for this check
	Macrostates int `json:"macrostates"`
	// number of pairs of states that were visited
	ProductStates int `json:"product_states"`
}

// InclusionOptions are the options of Inclusion.
type InclusionOptions struct {
	Seed     uint64
	Formulas int
	Time     time.Duration // for one check, either way
}

// Inclusion decides inclusions between automata of random formulas, which two built-in
// translators make, and passes each row to emit.
func Inclusion(ctx context.Context, o InclusionOptions, emit func(InclusionRow) error) error {
	formulas, err := Formulas(o.Seed, o.Formulas)
	if err != nil || emit == nil {
		return err
	}
	same, next := InclusionRow{Family: "same formula"}, InclusionRow{Family: "next formula"}
	automata := map[string][]*omega.Automaton{}
	alphabet := omega.NewAlphabet(letters...)
	for _, name := range plain {
		list, err := translateAll(ctx, name, formulas)
		if err != nil {
			return err
		}
		for _, x := range list {
			if x, err = x.Over(ctx, alphabet); err != nil {
				return err
			}
			automata[name] = append(automata[name], x)
		}
	}
	for i := range formulas {
		for _, names := range [][2]string{{"gpvw", "gastin-oddoux"}, {"gastin-oddoux", "gpvw"}} {
			// With the same formula, a search must see everything; with the next one, it usually finds a word.
			x := automata[names[0]][i]
			if err := same.add(ctx, o.Time, x, automata[names[1]][i]); err != nil {
				return err
			}
			if err := next.add(ctx, o.Time, x, automata[names[1]][(i+1)%len(formulas)]); err != nil {
				return err
			}
		}
	}
	return emitEach([]InclusionRow{same, next}, emit, func(r InclusionRow) (InclusionRow, error) { return r, nil })
}

// add decides whether x is in y both ways.
func (r *InclusionRow) add(ctx context.Context, limit time.Duration, x, y *omega.Automaton) error {
	// Reduction and Büchi acceptance are not measured: both ways need them.
	x, err := reduce.Reduce(ctx, x)
	if err != nil {
		return err
	}
	s, err := complement.Prepare(ctx, y, omega.Limits{})
	if err != nil {
		return err
	}
	var costs [2]InclusionCost
	var empty [2]bool
	for i, whole := range []bool{false, true} {
		if costs[i], empty[i], err = decide(ctx, limit, x, s, whole); err != nil {
			r.Failed++ // the other way is not compared then
			return ctx.Err()
		}
	}
	if empty[0] != empty[1] {
		return errors.New("internal error: the complement on demand and the whole complement differ: please report")
	}
	r.Demand.add(costs[0])
	r.Whole.add(costs[1])
	if r.Checks++; empty[0] {
		r.Empty++
	}
	return nil
}

func (c *InclusionCost) add(d InclusionCost) {
	c.Seconds += d.Seconds
	c.Macrostates += d.Macrostates
	c.ProductStates += d.ProductStates
}

// decide looks for a word of x that is in the complement of what is prepared.
func decide(ctx context.Context, limit time.Duration, x *omega.Automaton, s *complement.Subject, whole bool) (cost InclusionCost, empty bool, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	co, err := s.Complement(limited, s.Candidates()[0], omega.Limits{}) // states are made on demand
	if err != nil {
		return cost, false, err
	}
	var src omega.Source = co
	if whole {
		if src, err = omega.Explore(limited, co, omega.NoLimits()); err != nil {
			return cost, false, err
		}
	}
	result, err := productcheck.Intersect(limited, x, src, omega.NoLimits())
	if err != nil {
		return cost, false, err
	}
	return InclusionCost{time.Since(start).Seconds(), co.Macrostates(), result.Pairs}, result.Empty(), nil
}
