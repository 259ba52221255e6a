package complement

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// ranks refutes runs in any components by guessing a ranking of all runs (Kupferman and Vardi 2001,
// "Weak alternating automata are not that weak"). Each state of the block has a rank. Ranks do not
// increase along a run, and no marked edge leads from an odd rank to an odd rank. If no run keeps
// an even rank forever, each run ends in an odd rank, and so sees finitely many marks. Such a
// ranking exists if and only if all runs are rejecting.
//
// Finally the ranks are tight: the greatest one is an odd number r, and all smaller odd numbers
// occur (Friedgut, Kupferman, Vardi 2006, "Büchi complementation made tighter"). Here r itself need
// not occur: states that enter from outside have it. The part is empty until the ranking is
// guessed. Then it has r, an even number i < r, and for each state its rank and whether it is due.
// A state is due if its run has kept rank i since the states of rank i were last collected. When
// none is due, the edge carries the mark, and i becomes the next rank that has states.
//
// The successors are as in Schewe 2009, "Büchi complementation made tight", section 4. Only the
// greatest tight rankings are guessed: one state has each of the ranks 1, 3, … , r-2, and all
// others have r. Each ranking has the greatest successor, and the one in which the ranks of the due
// states are one less.
//
// For example, this automaton accepts the words in which a is true infinitely often:
//
//	State: 0  [1] 0   [a] 1
//	State: 1  [a] 1 {0}   [!a] 1
//
// The block has the state 1. The ranking is guessed after some letter, here with r = 1, so that
// state 1 gets rank 1. On !a it keeps this rank. The edge on a has the mark, so that the rank falls
// to 0, and the state is due. It keeps rank 0 and stays due, and no later edge carries the mark:
//
//	({0}) on a to ({0,1}, r 1, i 0, 1 has rank 1, due {})
//	({0,1}, r 1, i 0, 1 has rank 1, due {}) on !a to ({0,1}, r 1, i 0, 1 has rank 1, due {}), mark 0
//	({0,1}, r 1, i 0, 1 has rank 1, due {}) on a to ({0,1}, r 1, i 0, 1 has rank 0, due {1}), mark 0
//	({0,1}, r 1, i 0, 1 has rank 0, due {1}) on 1 to ({0,1}, r 1, i 0, 1 has rank 0, due {1})
type ranks struct {
	allowance *allowance
	rank      []int32 // scratch, by state: in the part, plus 1
	next      []int32 // scratch, by state: in the next part, plus 1
	due       stamps  // in the part
	still     stamps  // in the next part
	list      []int32
}

var rankings = &blockKind{block: func(m *allowance, _ *Subject, of []int32, _ int32) block {
	n := len(of)
	return &ranks{
		allowance: m,
		rank:      make([]int32, n),
		next:      make([]int32, n),
		due:       newStamps(n),
		still:     newStamps(n),
	}
}}

func (r *ranks) acceptance() omega.Acceptance { return omega.Buchi() }
func (r *ranks) deterministic() bool          { return false }

// start adds the part before the guess.
func (r *ranks) start(_ []int32, to *choices) { to.add(-1) }

func (r *ranks) step(part []int32, in *moves, to *choices) error {
	r.list = r.list[:0]
	if len(part) == 0 {
		// The ranking is not guessed yet. It may be now, or on a later letter.
		r.still.next()
		for _, m := range in.list {
			if r.still.add(m.dst) {
				r.list = append(r.list, m.dst)
			}
		}
		slices.Sort(r.list)
		to.add(-1) // not yet
		return r.guess(to)
	}
	top, turn := part[0], part[1]
	r.due.next()
	for k := 2; k < len(part); k += 2 {
		q := part[k]
		r.rank[q] = part[k+1]>>1 + 1
		if part[k+1]&1 != 0 {
			r.due.add(q)
		}
	}
	r.succeed(top, in)
	r.emit(top, turn, false, to)
	// Due states may have the next lower rank, unless they have rank 0.
	if turn > 0 && slices.ContainsFunc(r.list, r.still.has) {
		r.emit(top, turn, true, to)
	}
	for k := 2; k < len(part); k += 2 {
		r.rank[part[k]] = 0
	}
	for _, q := range r.list {
		r.next[q] = 0
	}
	return nil
}

// succeed computes the greatest successor of the ranking in r.next. It puts the states in r.list,
// and the ones that come from due states in r.still.
func (r *ranks) succeed(top int32, in *moves) {
	r.still.next()
	for _, m := range in.list {
		rank := top
		if m.inside {
			// No marked edge leads from an odd rank to an odd one, so the rank falls to the even
			// one below.
			if rank = r.rank[m.src] - 1; m.marked {
				rank &^= 1
			}
		}
		switch old := r.next[m.dst]; {
		case old == 0:
			r.list = append(r.list, m.dst)
			r.next[m.dst] = rank + 1
		default:
			// Several runs meet in the state. Ranks never rise along a run, so the least one counts.
			r.next[m.dst] = min(old, rank+1)
		}
	}
	slices.Sort(r.list)
	for _, m := range in.list {
		if m.inside && r.due.has(m.src) {
			r.still.add(m.dst)
		}
	}
}

// emit adds the part with the ranks of r.next, unless it is not tight. If lower is set, the ranks
// of due states are one less.
func (r *ranks) emit(top, turn int32, lower bool, to *choices) {
	base := len(to.words)
	to.words = append(to.words, top, turn)
	odd := make([]bool, top+1)
	left := false // some state is due
	for _, q := range r.list {
		rank, due := r.next[q]-1, int32(0)
		if r.still.has(q) && rank == turn {
			if lower {
				rank--
			} else {
				left, due = true, 1
			}
		}
		odd[rank] = true
		to.words = append(to.words, q, rank<<1|due)
	}
	// A right guess stays tight, so a ranking that does not is dropped.
	for k := int32(1); k < top; k += 2 {
		if !odd[k] {
			to.words = to.words[:base]
			return
		}
	}
	mark := -1
	if !left {
		mark = 0
		r.turn(to.words[base:])
	}
	to.add(mark)
}

// turn makes the states of the next even rank due, if there are any.
func (r *ranks) turn(part []int32) {
	top := part[0]
	// As many even ranks as there are below top, the present one last.
	for range (top + 1) / 2 {
		part[1] = (part[1] + 2) % (top + 1)
		found := false
		for k := 2; k < len(part); k += 2 {
			if part[k+1]>>1 == part[1] {
				part[k+1] |= 1
				found = true
			}
		}
		if found {
			return
		}
	}
	part[1] = 0
}

// guess adds the greatest tight rankings of the states in r.list.
func (r *ranks) guess(to *choices) error {
	n := int32(len(r.list))
	// Each of n states has at most one of the odd ranks below top.
	for top := int32(1); top <= 2*n+1; top += 2 {
		if err := r.assign(1, top, to); err != nil {
			return err
		}
	}
	for _, q := range r.list {
		r.next[q] = 0
	}
	return nil
}

// assign gives each odd rank from rank to top-2 to one state, in all ways, and top to the others.
func (r *ranks) assign(rank, top int32, to *choices) error {
	if err := r.allowance.poll(); err != nil {
		return err
	}
	if rank >= top {
		if len(to.ends) >= maxChoices {
			return &omega.LimitError{What: "successors of a macrostate on one letter", Limit: maxChoices}
		}
		to.words = append(to.words, top, 0)
		for _, q := range r.list {
			k := r.next[q] - 1
			if k < 0 {
				k = top
			}
			to.words = append(to.words, q, k<<1)
		}
		to.add(-1)
		return nil
	}
	for _, q := range r.list {
		if r.next[q] != 0 {
			continue
		}
		r.next[q] = rank + 1
		err := r.assign(rank+2, top, to)
		r.next[q] = 0
		if err != nil {
			return err
		}
	}
	return nil
}
