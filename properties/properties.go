// Package properties decides the properties that the header of an HOA file may declare, on the
// automaton itself. HOA is the Hanoi Omega-Automata format (Babiak et al., CAV 2015).
//
// Tools trust declared properties and choose their algorithms by them. A false property therefore
// makes the next tool wrong, and not the tool that declared it.
//
// [Checker.CheckDeclared] decides everything a header declares, and returns the properties that are
// false or undecided. [Checker.Decide] decides one property. If it does not hold, the [Answer]
// names a state, an edge, a component or a word:
//
//	deterministic: false, state 3 has two edges on a
//
// There are four kinds of properties, by what they cost:
//
//   - Of the text: state-labels, trans-labels, implicit-labels, explicit-labels, state-acc and
//     trans-acc. They say how the text writes labels and marks.
//   - Of the graph: deterministic, complete, colored, univ-branch, no-univ-branch, weak and
//     very-weak. They take linear time. Unreachable states count, as in the format's definitions.
//   - Of cycles: inherently-weak, terminal and semi-deterministic. They can take time exponential
//     in the number of marks, but not for conditions that have a name.
//   - Of words: unambiguous takes quadratic time for named conditions, stutter-invariant needs a
//     complement, and tight can take time exponential in the number of states.
//
// A property that takes too long is undecided, and the Answer says which limit was hit.
//
// The negations (!weak), stutter-sensitive, semi-deterministic and exist-branch come from the draft
// of version 1.1 and from Spot. An alternating automaton can be deterministic in the sense of the
// format: no two edges of a state share a letter.
package properties

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// An Answer says whether an automaton has a property.
type Answer struct {
	Property string // as it was asked for, with '!' if it is negated
	Holds    bool
	// Reason says why the property does not hold, as a clause: "state 3 has two edges on a".
	Reason string
	// Words are the words in the reason. There is one for unambiguous and tight. For
	// stutter-invariant there are an accepted and a rejected word.
	Words []*omega.Word
	// Undecided is the limit that was reached, or what is not supported. Then Holds is false.
	Undecided error
}

// AccName is the Property of an Answer about the acc-name.
const AccName = "acc-name"

// Message returns a clause that says what was declared, and why it does not hold.
func (a *Answer) Message() string {
	if a.Property == AccName {
		return a.Reason
	}
	return "declared " + a.Property + ", but " + a.Reason
}

// A Checker decides properties.
type Checker struct {
	// Decider makes complements, and has the limits. Those of time and memory apply to each
	// property.
	Decider *productcheck.Decider
	// Language is the language of the automaton, if already known, or nil.
	Language *productcheck.Language
}

// property is an entry of the table of properties.
type property struct {
	name string
	test func(*question) error // fails with a *no if the property does not hold
	// opposite is set for the names of negations.
	opposite bool
	// twin is set for names of the draft that say the opposite of another name.
	twin bool
	// positive is why the negation does not hold, if that is not "it is " and the name.
	positive string
}

var table = []property{
	{name: "state-labels", test: (*question).stateLabels},
	{name: "trans-labels", test: (*question).transLabels},
	{name: "implicit-labels", test: (*question).implicitLabels},
	{name: "explicit-labels", test: (*question).explicitLabels},
	{name: "state-acc", test: (*question).stateMarks},
	{name: "trans-acc", test: (*question).transMarks},
	{name: "univ-branch", test: (*question).universal, positive: "there is universal branching"},
	{name: "no-univ-branch", test: (*question).universal, opposite: true, positive: "there is universal branching"},
	{name: "deterministic", test: (*question).deterministic},
	{name: "complete", test: (*question).complete},
	{name: "unambiguous", test: (*question).unambiguous},
	{name: "stutter-invariant", test: (*question).stutterInvariant},
	{name: "weak", test: (*question).weak},
	{name: "very-weak", test: (*question).veryWeak},
	{name: "inherently-weak", test: (*question).inherentlyWeak},
	{name: "terminal", test: (*question).terminal},
	{name: "tight", test: (*question).tight},
	{name: "colored", test: (*question).colored},
	{name: "stutter-sensitive", test: (*question).stutterInvariant, opposite: true, twin: true, positive: "it is stutter-invariant"},
	{name: "semi-deterministic", test: (*question).semiDeterministic},
	{name: "exist-branch", test: (*question).choices, opposite: true, twin: true, positive: "no two edges of a state meet"},
}

// Names returns the properties of version 1 of the format, in the order of its description, and
// semi-deterministic.
func Names() (list []string) {
	for _, p := range table {
		if !p.twin {
			list = append(list, p.name)
		}
	}
	return list
}

// find returns a property, with the opposite question if the name starts with '!'. Other properties
// in a header are ignored.
func find(name string) (p property, ok bool) {
	bare, negated := strings.CutPrefix(name, "!")
	i := slices.IndexFunc(table, func(p property) bool { return p.name == bare })
	if i < 0 {
		return property{}, false
	}
	p = table[i]
	p.opposite = p.opposite != negated
	return p, true
}

// no says that a property does not hold.
type no struct {
	reason string
	words  []*omega.Word
}

func (n *no) Error() string { return n.reason }

func because(format string, args ...any) error { return &no{reason: fmt.Sprintf(format, args...)} }

// question is whether an automaton has a property.
type question struct {
	*Checker
	ctx    context.Context
	budget *budget.Budget
	a      *omega.Automaton
}

// Decide decides a property of an automaton. For an unknown name, the error lists the names.
// Decide also fails when ctx is done, and with an internal error.
func (c *Checker) Decide(ctx context.Context, a *omega.Automaton, name string) (_ *Answer, err error) {
	p, ok := find(name)
	if !ok {
		return nil, fmt.Errorf("unknown property %q%s", name, spelling.Of(name, Names()))
	}
	answer := &Answer{Property: name}
	inner, cancel := ctx, context.CancelFunc(func() {})
	if limit := c.Decider.Limits.Time; limit > 0 {
		inner, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	err = c.test(inner, p, a)
	var why *no
	switch {
	case ctx.Err() != nil: // the caller's end, not the limit of the property
		return nil, ctx.Err()
	case errors.As(err, &why):
		// The test is for the property without '!'. Its reason says nothing if the opposite was asked for.
		if answer.Holds = p.opposite; !answer.Holds {
			answer.Reason, answer.Words = why.reason, why.words
		}
	case err == nil:
		if answer.Holds = !p.opposite; !answer.Holds {
			answer.Reason = cmp.Or(p.positive, "it is "+p.name)
		}
	case errors.Is(err, omega.ErrInternal):
		return nil, err
	case errors.Is(err, context.DeadlineExceeded):
		answer.Undecided = &budget.TimeError{Limit: c.Decider.Limits.Time}
	default:
		answer.Undecided = err
	}
	return answer, nil
}

// test decides a property on a budget.
func (c *Checker) test(ctx context.Context, p property, a *omega.Automaton) (err error) {
	b := budget.New(c.Decider.Limits.WithMemory(ctx))
	defer a.Alphabet().Bind(b).Release(&err)
	return p.test(&question{c, ctx, b, a})
}

// CheckDeclared decides everything that the header of an automaton declares: each known
// property once, and whether the condition is the one of acc-name. It returns the answers that
// do not hold or are undecided. It fails as Decide does, with the answers so far.
func (c *Checker) CheckDeclared(ctx context.Context, a *omega.Automaton) (list []*Answer, err error) {
	if a.Alphabet() == nil {
		return nil, omega.ErrNoAutomaton
	}
	if x := accName(a); x != nil {
		list = append(list, x)
	}
	asked := map[string]bool{}
	for _, name := range a.Declared.Properties {
		if _, known := find(name); asked[name] || !known { // unknown properties promise nothing
			continue
		}
		asked[name] = true // a header may repeat it
		answer, err := c.Decide(ctx, a, name)
		if err != nil {
			return list, err
		}
		if !answer.Holds {
			list = append(list, answer)
		}
	}
	return list, nil
}

// accName returns why the acceptance is not what its name says, or nil.
func accName(a *omega.Automaton) *Answer {
	name := a.Declared.AccName
	if name == "" {
		return nil
	}
	named := omega.NamedAcceptance
	if b, err := named(name); a.Declared.Draft && (err != nil || a.Acceptance().Differs(b)) {
		named = draftAcceptance // the draft has its own names; tools also use the names of version 1
	}
	if b, err := named(name); err == nil && a.Acceptance().Differs(b) {
		return &Answer{Property: AccName, Reason: fmt.Sprintf("acc-name: %s stands for %s, but the acceptance is %s", name, b, a.Acceptance())}
	}
	return nil
}

// Place returns the position of the declaration in the header of the automaton.
func (a *Answer) Place(x *omega.Automaton) omega.Place {
	x = x.OrEmpty()
	if a.Property == AccName {
		return x.Declared.AccNameAt
	}
	if i := slices.Index(x.Declared.Properties, a.Property); i >= 0 && i < len(x.Declared.PropertiesAt) {
		return x.Declared.PropertiesAt[i]
	}
	return omega.Place{}
}

// draftAcceptance is omega.NamedAcceptance for the draft of version 1.1 of HOA. There "Streett 2" has the
// pairs in the other order, (Inf(0)|Fin(1))&(Inf(2)|Fin(3)), as the dual of "Rabin 2"; and there is
// "generalized-Streett 2 1 2", the dual of "generalized-Rabin 2 1 2".
func draftAcceptance(name string) (omega.Acceptance, error) {
	dual := name
	if rest, ok := strings.CutPrefix(name, "Streett "); ok {
		dual = "Rabin " + rest
	} else if rest, ok := strings.CutPrefix(name, "generalized-Streett "); ok {
		dual = "generalized-Rabin " + rest
	}
	a, err := omega.NamedAcceptance(dual)
	if err != nil {
		return omega.NamedAcceptance(name)
	}
	if dual != name {
		a = a.Dual()
	}
	return a, nil
}
