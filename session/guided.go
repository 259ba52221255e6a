package session

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/session/guide"
)

// guides returns the random formulas of the plan if a guide makes them, or nil.
func (p *Plan) guides() *configs.Random {
	if r := p.random(); p.Automata == nil && r != nil && !r.NoGuide && r.Profile != "" {
		return r
	}
	return nil
}

// guided returns guided formulas, or nil if the plan has none. They start from the corpus of the
// stored run.
func (f *feed) guided(p *Plan) (Inputs, error) {
	r := p.guides()
	if r == nil {
		return nil, nil
	}
	var start []*ltl.Formula
	if f.stored != nil {
		for _, text := range f.stored.plan.Start {
			formula, err := ltl.NewStore().Parse(text, ltl.Spot)
			if err != nil {
				return nil, fmt.Errorf("history %s: corpus: %w", f.stored.store.Path(), err)
			}
			start = append(start, formula)
		}
	}
	f.guide = guide.New(r.Profile, shardSeed(r.Seed, p.Shard), start)
	if f.stored != nil {
		f.stored.guide = f.guide
		f.stored.run.Learns(f.guide.Digest)
	}
	seed := r.Seed
	return func(ctx context.Context) (cross.Input, error) {
		if !f.shard.Has(f.number + 1) {
			return cross.Input{}, nil
		}
		formula, parents, err := f.guide.Next(ctx, f.number+1)
		in := cross.Input{Formula: formula, Seed: &seed}
		for _, parent := range parents {
			in.Parents = append(in.Parents, parent.String())
		}
		return in, err
	}, nil
}

// shardSeed returns the seed of the guided formulas of a shard. Shards know nothing of each
// other's answers, so each has formulas of its own. The seeds of other nights are near the seed,
// and far from the seeds of shards.
func shardSeed(seed uint64, s Shard) uint64 {
	return seed + uint64(max(0, s.Part-1))<<48
}

// keep stores the formulas that showed something new, for later runs.
func (n *storedRun) keep() error {
	if n.guide == nil {
		return nil
	}
	var list []history.Kept
	for _, k := range n.guide.Kept() {
		list = append(list, history.Kept(k))
	}
	return n.run.Keep(list)
}
