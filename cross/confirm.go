package cross

import (
	"context"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translators"
)

// confirm asks the tools again, each in a process of its own, for the outputs that
// the case blames though other formulas came before them in their process: it may be
// that these, or an answer that came late, are to blame. It reports whether an
// output has changed, so that the case has to be checked again. Each output is asked
// for again at most once.
func (x *exam) confirm(ctx context.Context, c *Case) (again bool, err error) {
	for i, out := range x.outputs {
		if out.Alone || !c.blames(i) {
			continue
		}
		var fresh *translators.Output
		panicked, err := guarded(func() (err error) {
			fresh, err = x.alone(ctx, x.Tools[i/2], x.asked(i))
			return err
		})
		if err != nil {
			return false, err
		}
		if panicked != "" {
			// What has been said of the output is not confirmed.
			x.errors = append(x.errors, fmt.Sprintf("internal error: %s: %s", x.subject(i), panicked))
			fresh = unread()
		}
		x.flow.holds(x.index, fresh.Size)
		changed := different(out, fresh)
		again = again || changed
		x.outputs[i] = confirmed(out, fresh, changed)
	}
	return again, nil
}

// blames reports whether something is wrong with result i. (What else is odd about
// an output does not depend on its formula.)
func (c *Case) blames(i int) bool {
	r := &c.Results[i]
	return r.Failed() ||
		slices.ContainsFunc(c.Disagreements, func(d Disagreement) bool { return slices.Contains(d.Blamed, r.Subject) }) ||
		slices.ContainsFunc(c.Findings, func(f Finding) bool {
			return f.Subject == r.Subject && (f.Class == "property" || f.Class == "proposition" || f.Class == "proposition-case")
		})
}

// different reports whether two outputs for the same formula are not the same, up
// to names.
func different(x, y *translators.Output) bool {
	if x.Status != y.Status || (x.Automaton == nil) != (y.Automaton == nil) {
		return true
	}
	if x.Automaton == nil {
		return false
	}
	alphabet := omega.Union(x.Automaton.Alphabet(), y.Automaton.Alphabet())
	return identity(x.Automaton.Over(alphabet)) != identity(y.Automaton.Over(alphabet))
}

// confirmed returns what counts of the output of a process that was kept alive and
// that of a fresh one: the fresh one, with what was odd about the other. That they
// are different is odd as well, unless both are failures.
func confirmed(kept, fresh *translators.Output, changed bool) *translators.Output {
	out := *fresh
	out.Alone = true
	out.Oddities = slices.Clone(kept.Oddities)
	if changed && (kept.Automaton != nil || fresh.Automaton != nil) {
		out.Oddities = append(out.Oddities, translators.Oddity{Class: "unstable",
			Text: fmt.Sprintf("the kept-alive process gave %s, and a fresh one %s", describe(kept, "an automaton"), describe(fresh, "another one"))})
	}
	for _, o := range fresh.Oddities {
		if !slices.Contains(out.Oddities, o) {
			out.Oddities = append(out.Oddities, o)
		}
	}
	return &out
}

// describe says in a few words what an output is.
func describe(out *translators.Output, automaton string) string {
	if a := out.Automaton; a != nil {
		return fmt.Sprintf("%s (states %d, edges %d)", automaton, a.NumStates(), a.NumEdges())
	}
	return fmt.Sprintf("none (%s)", out.Status)
}
