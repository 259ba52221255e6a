package cross

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// confirm asks the tools again, each in a process of its own, for the outputs that
// the case blames though other formulas came before them in their process: it may be
// that these, or an answer that came late, are to blame. It reports whether an
// output has changed, so that the case has to be checked again. Each output is asked
// for again at most once, and once more with other names of propositions. Kinds of
// failures that fresh processes show, too, are believed; see kinds.
func (x *caseRun) confirm(ctx context.Context, c *outcome.Case) (again bool, err error) {
	for i := range x.calls {
		call := &x.calls[i]
		out := call.out
		if !blames(c, i) {
			continue
		}
		if !out.Alone && x.kinds.doubts(c, call.Subject) {
			fresh, err := x.fresh(ctx, call)
			if err != nil {
				return false, err
			}
			x.flow.holds(x.index, fresh.Size)
			atomic.AddInt64(&x.read, fresh.Size)
			changed := different(ctx, out, fresh)
			unstable := changed && !x.alike(ctx, c, call.Subject, out, fresh)
			if unstable {
				out.Distrust()
			}
			x.kinds.note(c, call.Subject, !unstable)
			call.out = confirmed(out, fresh, unstable)
			if changed {
				again = true
				continue
			}
		}
		changed, err := x.renamed(ctx, c, call)
		if err != nil {
			return false, err
		}
		again = again || changed
	}
	return again, nil
}

// kinds has the kinds of failures that fresh processes have shown, and how often each was met since.
// A tool that is wrong on a tenth of the formulas would need a fresh process for each. So one is asked
// at the first, second, fourth, eighth … failure of a kind, and again at each if one differs.
type kinds struct {
	mu  sync.Mutex
	met map[outcome.Key]int
}

// doubts reports whether a fresh process has to show that something is wrong with an automaton.
func (k *kinds) doubts(c *outcome.Case, s outcome.Subject) (doubts bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range c.Faults() {
		key := outcome.Key{Translator: f.Translator, Class: f.Class}
		if f.Subject != s {
			continue
		}
		n := k.met[key]
		if n > 0 {
			n++
			k.met[key] = n
		}
		doubts = doubts || n&(n-1) == 0
	}
	return doubts || !slices.ContainsFunc(c.Faults(), func(f outcome.Fault) bool { return f.Subject == s })
}

// note notes whether a fresh process has shown the same.
func (k *kinds) note(c *outcome.Case, s outcome.Subject, same bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range c.Faults() {
		key := outcome.Key{Translator: f.Translator, Class: f.Class}
		switch {
		case f.Subject != s:
		case !same:
			delete(k.met, key)
		default:
			if k.met == nil {
				k.met = map[outcome.Key]int{}
			}
			k.met[key] = max(k.met[key], 1)
		}
	}
}

// blames reports whether something is wrong with result i. (What else is odd about
// an output does not depend on its formula.)
func blames(c *outcome.Case, i int) bool {
	r := &c.Results[i]
	return r.Failed() ||
		slices.ContainsFunc(c.Disagreements, func(d outcome.Disagreement) bool { return slices.Contains(d.Blamed, r.Subject) }) ||
		slices.ContainsFunc(c.Findings, func(f outcome.Finding) bool {
			return f.Subject == r.Subject && (f.Class == outcome.FalseProperty || f.Class == outcome.UnknownProposition || f.Class == outcome.PropositionCase)
		})
}

// different reports whether two outputs for the same formula are not the same: other
// automata up to names, or automata of which other things are said.
func different(ctx context.Context, kept, fresh *translators.Output) bool {
	x, y := kept.Automaton, fresh.Automaton
	if kept.Status != fresh.Status || (x == nil) != (y == nil) {
		return true
	}
	if x == nil {
		return false
	}
	// A process may number propositions in the order in which it has met them.
	if !slices.Equal(claims(x), claims(y)) {
		return true
	}
	alphabet := omega.Union(x.Alphabet(), y.Alphabet())
	x, errX := x.Over(ctx, alphabet)
	y, errY := y.Over(ctx, alphabet)
	return errX != nil || errY != nil || identity(x) != identity(y)
}

// alike reports whether two outputs are the same but for the numbers of states and other
// things that a tool may choose at random: whether they agree on the words that the case
// blames the first for, and on random ones.
func (x *caseRun) alike(ctx context.Context, c *outcome.Case, s outcome.Subject, kept, fresh *translators.Output) bool {
	a, b := kept.Automaton, fresh.Automaton
	if a == nil || b == nil || kept.Status != fresh.Status || !slices.Equal(claims(a), claims(b)) {
		return false
	}
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		if !slices.Contains(d.Blamed, s) {
			continue
		}
		word := x.words[d.Word]
		w := word.Over(omega.Union(word.Alphabet, a.Alphabet()))
		inA, errA := a.Accepts(ctx, w)
		inB, errB := b.Accepts(ctx, w)
		if errA != nil || errB != nil || inA != inB {
			return false
		}
	}
	return kept.Same(ctx, fresh)
}

// claims returns what an automaton declares of itself and its propositions, sorted.
func claims(a *omega.Automaton) []string {
	list := slices.Sorted(slices.Values(a.Alphabet().Props()))
	return append(append(list, a.Declared.AccName), a.Declared.Properties...)
}

// confirmed returns the output of a fresh process, with the oddities of the output of a
// process that was kept alive. A difference between the two outputs is odd as well if it is
// not due to chance, unless both are failures.
func confirmed(kept, fresh *translators.Output, odd bool) *translators.Output {
	out := *fresh
	out.Alone = true
	out.Oddities = slices.Clone(kept.Oddities)
	if text := unstable(kept, fresh); odd && text != "" {
		out.Oddities = append(out.Oddities, translators.Oddity{Class: outcome.Unstable, Text: text})
	}
	for _, o := range fresh.Oddities {
		if !slices.Contains(out.Oddities, o) {
			out.Oddities = append(out.Oddities, o)
		}
	}
	return &out
}

// unstable says how two outputs differ; "" if neither is an automaton.
func unstable(kept, fresh *translators.Output) string {
	x, y := kept.Automaton, fresh.Automaton
	switch {
	case x != nil && y != nil:
		return fmt.Sprintf("the kept-alive process and a fresh one gave different automata (%d states and %d edges, %d states and %d edges)",
			x.NumStates(), x.NumEdges(), y.NumStates(), y.NumEdges())
	case x != nil:
		return fmt.Sprintf("the kept-alive process gave an automaton, but a fresh one failed (%s)", fresh.Status)
	case y != nil:
		return fmt.Sprintf("the kept-alive process failed (%s), but a fresh one gave an automaton", kept.Status)
	}
	return ""
}
