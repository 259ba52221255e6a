package cross

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/exhaustive"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Tools get a parenthesis around each operand and names that they can read, so that a correct tool
// is not blamed for its grammar. This file looks for what is special in the grammar: how it groups
// operators, and which propositions it can't read. Each is a finding, not a failure.

// sparse are formulas whose grouping is up to the grammar. Each case asks for one, after the first few
// cases: a run of a few formulas takes no longer. Shards ask for different ones, and a run that resumes
// asks for each once. At most maxCompared of them take a second call, which makes a dozen.
var sparse = [...]string{"a & b -> c", "a U b U c", "a | b & c", "a & b | c", "a & b U c", "!a U b", "Fa | b", "a -> b -> c", "a <-> b | c"}

const (
	unasked     = 5 // cases
	remedy      = ": write all parentheses, as this run does"
	maxCompared = 3               // how many of sparse are also asked for with all parentheses
	sparseTime  = 5 * time.Second // of a call
)

// readings asks each tool for one formula of sparse, chosen by the number of the case, and adds a finding if it
// misreads it.
func (x *caseRun) readings(ctx context.Context, c *outcome.Case) error {
	if !x.Readings || x.given != nil || x.NoChecks || x.index < unasked || x.index >= unasked+len(sparse) || x.abandoned {
		return nil
	}
	for i := range x.calls {
		call := &x.calls[i]
		if call.Polarity == outcome.Negation || call.tool.Builtin != nil || call.out.Status != outcome.OK {
			continue
		}
		formula, text, err := x.reading(ctx, call.tool)
		if err != nil {
			return err
		}
		if text != "" {
			c.Findings = append(c.Findings, outcome.Finding{Subject: call.Subject, Class: outcome.Reading, Text: text, Formula: formula})
		}
	}
	return nil
}

// reading says which formula a tool misreads, and how; "" if it does not, or fails.
func (x *caseRun) reading(ctx context.Context, tool *translators.Tool) (formula, how string, err error) {
	syntax := tool.Syntax
	if list := tool.Command.Syntaxes(); len(list) > 0 {
		syntax = list[0]
	}
	f, err := x.store.Parse(sparse[x.index-unasked], syntax)
	if err != nil || syntax == ltl.LBT || f.Ops()&(tool.Without|syntax.Missing()) != 0 {
		return "", "", nil
	}
	ask := func(sparse bool) (a *omega.Automaton, err error) {
		t := *tool
		t.Sparse = sparse
		panicked, err := guard.Call(func() error {
			out, err := x.alone(&t, ctx, x.Runner, f, sparseTime)
			if err == nil && out.Status == outcome.OK {
				a = out.Automaton
			}
			return err
		})
		if panicked != "" {
			a = nil // it will on other formulas, too
		}
		return a, err
	}
	a, err := ask(true)
	if a == nil || matches(ctx, a, f) {
		return "", "", err
	}
	text := func(f *ltl.Formula, around ltl.Parentheses) string {
		text, _ := f.Parenthesized(syntax, around)
		return text
	}
	for _, g := range grouped(x.store, inOrder(f)) {
		if matches(ctx, a, g) {
			return f.String(), fmt.Sprintf("reads %q as %q%s", text(f, ltl.Fewest), text(g, ltl.Fewest), remedy), nil
		}
	}
	if x.index-unasked >= maxCompared {
		return "", "", nil
	}
	if a, err = ask(false); a == nil || !matches(ctx, a, f) {
		return "", "", err // it is wrong, whatever it reads
	}
	return f.String(), fmt.Sprintf("reads %q otherwise than %q%s", text(f, ltl.Fewest), text(f, ltl.Every), remedy), nil
}

// matches reports whether an automaton accepts the same short words as satisfy a formula: that tells
// the readings of a short formula apart.
func matches(ctx context.Context, a *omega.Automaton, f *ltl.Formula) bool {
	props := omega.Union(omega.NewAlphabet(f.Props()...), a.Alphabet()).Props()
	answer, err := exhaustive.Check(ctx, &exhaustive.Question{Props: props, Formula: f, Size: 4, Steps: dearSteps,
		Automata: []exhaustive.Automaton{{Automaton: a.Plain()}}})
	return err == nil && answer.Size > 1 && len(answer.Wrong) == 0
}

// inOrder returns the subformulas from left to right, as their operators stand in a text.
func inOrder(f *ltl.Formula) []*ltl.Formula {
	switch f.Op().Arity() {
	case 0:
		return []*ltl.Formula{f}
	case 1:
		return append([]*ltl.Formula{f}, inOrder(f.Left())...)
	}
	return append(append(inOrder(f.Left()), f), inOrder(f.Right())...)
}

// grouped returns all formulas whose text without parentheses has these operators and propositions.
func grouped(s *ltl.Store, text []*ltl.Formula) (list []*ltl.Formula) {
	if len(text) == 1 {
		return text
	}
	if text[0].Op().Arity() == 1 {
		for _, f := range grouped(s, text[1:]) {
			list = append(list, s.WithOperands(text[0], f, nil))
		}
	}
	for i, f := range text {
		if i == 0 || f.Op().Arity() != 2 { // no operands on both sides
			continue
		}
		for _, left := range grouped(s, text[:i]) {
			for _, right := range grouped(s, text[i+1:]) {
				list = append(list, s.Binary(f.Op(), left, right))
			}
		}
	}
	return list
}

// plainName matches names of propositions that no grammar is known to have trouble with.
var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[abcdpqr][0-9]*$`) })

// renamed asks a tool again for an output that the case blames, with the propositions p0, p1, …
// If nothing is wrong with the answer, it replaces the output, and the names are a finding.
func (x *caseRun) renamed(ctx context.Context, c *outcome.Case, call *call) (again bool, err error) {
	if x.given != nil || call.renamed || call.tool.Relabel || call.tool.Builtin != nil || !x.Properties {
		return false, nil
	}
	odd := slices.DeleteFunc(x.formula.Props(), plainName().MatchString)
	switch call.out.Status {
	case outcome.OK, outcome.Exit, outcome.Crash, outcome.Syntax, outcome.NoOutput:
	default:
		return false, nil // a limit was reached
	}
	if len(odd) == 0 {
		return false, nil
	}
	call.renamed = true // only once
	tool, other := *call.tool, *call
	tool.Relabel, other.tool = true, &tool
	out, err := x.fresh(ctx, &other)
	if err != nil || out.Status != outcome.OK {
		return false, err
	}
	// The new output must be right where the old one was wrong.
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		if !slices.Contains(d.Blamed, call.Subject) {
			continue
		}
		w := x.words[d.Word]
		in, err := out.Automaton.Accepts(ctx, w.Over(omega.Union(w.Alphabet, out.Automaton.Alphabet())))
		if err != nil || in != (d.Truth != bool(call.Polarity)) {
			return false, ctx.Err()
		}
	}
	// It may have failed by chance: then it does not fail again with its own names, or not alike.
	if fresh, err := x.fresh(ctx, call); err != nil || different(ctx, call.out, fresh) {
		return false, err
	}
	out.Oddities = append(out.Oddities, translators.Oddity{Class: outcome.Names,
		Text: fmt.Sprintf("fails with propositions called %s, but not if they are called p0, p1, …", strings.Join(odd, ", "))})
	call.out = out
	return true, nil
}
