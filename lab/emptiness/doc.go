// Package emptiness has all emptiness checks of the papers behind one interface, so that each can be
// compared with any other. No run of xcheck uses the rivals of the product's checks:
//
//   - the nested depth-first searches that Schwoon and Esparza compare
//   - the nested search of Tauriainen, for several acceptance sets
//   - the searches of Tarjan, and of Geldenhuys and Valmari
//   - Figure 5 of Schwoon and Esparza as printed, and their search for components
//   - simple searches for weak and for terminal automata
//   - DFS_MIN of Gastin, Moro and Zeitoun, and liveness to safety, for shortest runs
//
// They use accepting edges where the papers have accepting states. [Algorithm.Check] fails with
// [ErrUnfit] if the search can't handle the automaton.
package emptiness

import (
	"context"
	"fmt"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

type (
	// Limits, Result, Minimal, Run, Step and Improvements are the product's.
	Limits       = omega.Limits
	Result       = product.Result
	Minimal      = product.Minimal
	Run          = product.Run
	Step         = product.Step
	Improvements = product.Improvements
)

// The product's improvements of gm-min, and its length of no run.
const (
	FirstRun     = product.FirstRun
	ShorterHead  = product.ShorterHead
	SkipBlack    = product.SkipBlack
	ShortLoops   = product.ShortLoops
	CloseEarly   = product.CloseEarly
	NeedLoop     = product.NeedLoop
	FewerEntries = product.FewerEntries
	All          = product.All
	NoRun        = product.NoRun
)

// dead marks the states of components that are complete.
const dead = -1

// A Minimizer looks for shortest accepting runs by a given algorithm. The zero value of each
// option is the best choice.
//
// gm-min is the product's. l2s (Schuppan and Biere 2005, section 5) is one breadth-first search over
// the present state, the state where the cycle began, and the marks seen since: O(n·m) time and O(n²)
// memory for n states and m edges, up to 2^k times as much for k marks. gmz-min (Gastin, Moro and Zeitoun 2004, Algorithm 2, DFS_MIN)
// is for Büchi acceptance, and for other conditions that hold for a cycle if they hold for one of
// its edges: constants, Inf and "or". It takes 8 bytes per state and the edges of one path. With n
// states, the time is exponential in n at worst.
type Minimizer struct {
	Algorithm Algorithm // gm-min if empty
	Limits    Limits    // States counts the automaton's, not pairs of them
	Bound     int       // only runs shorter than this are looked for; 0: of any length

	// Fresh makes gmz-min start without the run and the black states of the colour DFS
	// (Gastin, Moro and Zeitoun 2004, Algorithm 1 and section 3.4).
	Fresh bool
	// Continue makes gmz-min go on from the path of the colour DFS, up to its first accepting
	// edge (section 4), instead of beginning again with the initial states. It takes no fewer
	// steps; see bench/results/shortest-runs.md.
	Continue bool
	// Without are the improvements that gm-min leaves out, and Forward makes it find runs from
	// distances alone.
	Without Improvements
	Forward bool

	// Found, if set, gets each run that is found. Each is shorter than the one before.
	Found func(*Run)
}

func (m *Minimizer) product() *product.Minimizer {
	var tracer product.Tracer
	if m.Forward {
		tracer = new(forwards)
	}
	return &product.Minimizer{Limits: m.Limits, Bound: m.Bound, Without: m.Without, Tracer: tracer, Found: m.Found,
		First: func(h *product.Hunt) (first *Run, black []bool, err error) {
			if !h.Simple {
				return h.First()
			}
			c, first, err := colour(h, false)
			if err != nil {
				return nil, nil, err
			}
			for s := range c.colouring {
				black = append(black, c.black(omega.State(s)))
			}
			return first, black, nil
		}}
}

// Run returns a shortest run. It fails if src does, with ErrUnfit, when the context is done,
// or with an omega.LimitError. Then the Run is the shortest one found so far, if any.
func (m *Minimizer) Run(ctx context.Context, src omega.Source) (*Minimal, error) {
	switch m.Algorithm {
	case ByGMZMin:
		return product.Search(ctx, src, m.product(), func(h *product.Hunt) error { return byDepth(h, !m.Fresh, m.Continue) })
	case ByL2S:
		return product.Search(ctx, src, m.product(), bySaving)
	case ByGMMin, "":
		return m.product().Run(ctx, src)
	}
	return &Minimal{}, fmt.Errorf("unknown algorithm %q for shortest runs", m.Algorithm)
}

// Each finds a shortest run for every pivot of gm-min, nearest first, and passes it to found
// (Gastin and Moro 2007, section 5: the bound of one pivot does not hold for the others). For
// Büchi acceptance, the pivots are the states that an accepting edge leaves, and the run takes
// such an edge. For other conditions, see the product's Minimizer. A pivot that is on no accepting run
// has none.
//
// The Run of the result is one of the shortest of all. Each fails as Run does, and with ErrUnfit if the
// Algorithm is not gm-min. What it has passed to found before an error is right. Improvements that bound
// runs by the runs of other pivots do not apply, and Found is not called.
func (m *Minimizer) Each(ctx context.Context, src omega.Source, found func(pivot omega.State, r *Run)) (*Minimal, error) {
	if m.Algorithm != ByGMMin && m.Algorithm != "" {
		return &Minimal{}, fmt.Errorf("%w: %s finds no run for each pivot: use gm-min", ErrUnfit, m.Algorithm)
	}
	p := m.product()
	p.Found = nil
	return product.Search(ctx, src, p, func(h *product.Hunt) error {
		bound := h.Bound
		var best *Run
		err := h.ByPivots(All&^m.Without&^(FirstRun|ShorterHead), func(r omega.State, distance int, search func() error) error {
			if best == nil {
				h.Least = distance
			}
			// Each pivot has the first bound: the runs of others say nothing about its own.
			h.Bound, h.Result.Run = bound, nil
			err := search()
			if err == nil && h.Result.Run != nil {
				if found != nil {
					found(r, h.Result.Run)
				}
				if best == nil || h.Result.Run.Size() < best.Size() {
					best = h.Result.Run
				}
			}
			return err
		})
		if h.Bound, h.Result.Run = bound, best; best != nil {
			h.Bound = best.Size()
		}
		return err
	})
}
