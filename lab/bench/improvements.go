package bench

import (
	"context"
	"errors"
	"math"

	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// improvements lists the improvements of gm-min.
var improvements = []struct {
	name, about string
	adds, needs emptiness.Improvements
}{
	{"first-run", "the bound of a first run", emptiness.FirstRun, 0},
	{"shorter-head", "that, and a shortest path to its prefix", emptiness.ShorterHead, emptiness.FirstRun},
	{"skip-black", "black states left out", emptiness.SkipBlack, 0},
	{"short-loops", "no cycles that are too long", emptiness.ShortLoops, 0},
	{"close-early", "runs of the first search", emptiness.CloseEarly, 0},
	{"need-loop", "no second search without a cycle", emptiness.NeedLoop, 0},
	{"fewer-entries", "fewer entries in the queue", emptiness.FewerEntries, 0},
}

// An EffectRow is the main effect of an improvement of gm-min: how its costs with the
// improvement compare with those without, as the geometric mean over all choices of the others.
// The last row compares all improvements with none.
//
// Let two improvements x and y be all. If the search asks for 100 edges without them, for 50 with
// x, for 80 with y and for 60 with both, the effect of x is √(50/100 · 60/80) = 0.612.
type EffectRow struct {
	Input string `json:"input" table:"input"` // the inputs that are searched
	// the improvement that is left out, or all of them
	Improvement string `json:"improvement" table:"improvement"`
	Automata    int    `json:"automata" table:"automata"` // number of automata
	// number of pairs of searches, with and without the improvement, that ended within the limits
	Pairs int `json:"pairs" table:"pairs"`
	// ratio of the edges that the search asked for, with the improvement and without it
	Edges    float64 `json:"edges" table:"edges,3"`
	Least    float64 `json:"least" table:"least,3"`       // least ratio of the edges
	Greatest float64 `json:"greatest" table:"greatest,3"` // greatest ratio of the edges
	States   float64 `json:"states" table:"states,3"`     // ratio of the states that the search visited
	Queued   float64 `json:"queued" table:"queued,3"`     // ratio of the entries of priority queues
}

// Effects runs gm-min with each of the 2^7 sets of improvements on each input, and passes the
// main effects to emit. It fails when ctx is done, and if two searches differ.
func Effects(ctx context.Context, o SearchOptions, emit func(EffectRow) error) error {
	for _, in := range o.Inputs {
		rows := make([]EffectRow, len(improvements)+1)
		for i := range rows {
			rows[i] = EffectRow{Input: in.Name, Improvement: "all", Automata: in.number(o.Each), Least: math.Inf(1)}
			if i < len(improvements) {
				rows[i].Improvement = improvements[i].name
			}
		}
		for src, err := range o.automata(ctx, in) {
			if err != nil {
				return err
			}
			costs, err := o.costs(ctx, src)
			if err != nil {
				return err
			}
			// A set without an improvement is compared with the same set and the improvement.
			for set, without := range costs {
				for i, x := range improvements {
					if set := emptiness.Improvements(set); set&x.adds == 0 { // sets with x are the other side
						rows[i].add(without, costs[set|x.adds])
					}
				}
			}
			rows[len(improvements)].add(costs[0], costs[emptiness.All])
		}
		for _, row := range rows {
			if err := emit(row.mean()); err != nil {
				return err
			}
		}
	}
	return nil
}

// costs returns what each set of improvements costs on an automaton, nil if it took too long.
func (o *SearchOptions) costs(ctx context.Context, src omega.Source) (costs [emptiness.All + 1]*emptiness.Minimal, err error) {
	length := 0
	for set := range costs {
		s := Search{run: minimizer(emptiness.Minimizer{Without: emptiness.All &^ emptiness.Improvements(set)})}
		got, _, done, err := o.run(ctx, s, src)
		switch {
		case err != nil && !errors.Is(err, emptiness.ErrUnfit):
			return costs, err
		case !done:
			continue
		case length != 0 && got.Run.Size() != length: // improvements never change the length
			return costs, errLengths
		}
		costs[set], length = got, got.Run.Size()
	}
	return costs, nil
}

// add adds the ratios of a pair of searches, as logarithms.
func (r *EffectRow) add(without, with *emptiness.Minimal) {
	if without == nil || with == nil {
		return
	}
	r.Pairs++
	edges := float64(with.Edges) / float64(without.Edges)
	r.Least, r.Greatest = min(r.Least, edges), max(r.Greatest, edges)
	r.Edges += math.Log(edges)
	r.States += math.Log(float64(with.States) / float64(without.States))
	r.Queued += math.Log(float64(with.Queued+1) / float64(without.Queued+1)) // there may be none
}

// mean turns sums of logarithms into geometric means.
func (r EffectRow) mean() EffectRow {
	if r.Pairs == 0 {
		r.Least = 0 // JSON has no infinity
		return r
	}
	for _, x := range []*float64{&r.Edges, &r.States, &r.Queued} {
		*x = math.Exp(*x / float64(r.Pairs))
	}
	return r
}
