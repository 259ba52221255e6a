package omega

import "fmt"

// checkable are the properties of the HOA format that FalseProperties tests.
// Those that are missing here are hints about the text (trans-labels), negations
// that promise nothing, or about the language rather than the automaton
// (stutter-invariant).
var checkable = []struct {
	name  string
	holds func(*Automaton) bool
}{
	{"deterministic", (*Automaton).IsDeterministic},
	{"complete", (*Automaton).IsComplete},
	{"state-acc", (*Automaton).HasStateMarks},
	{"colored", (*Automaton).IsColored},
	{"weak", (*Automaton).IsWeak},
	{"very-weak", (*Automaton).IsVeryWeak},
	{"inherently-weak", (*Automaton).IsInherentlyWeak},
	{"terminal", (*Automaton).IsTerminal},
	{"univ-branch", (*Automaton).Alternating},
	{"no-univ-branch", func(a *Automaton) bool { return !a.Alternating() }},
}

// FalseProperties returns what the header of the automaton declares and the
// automaton does not have: properties (those that can be decided from the
// automaton alone, without asking for its language), and an acceptance name
// that is not that of the condition. Each string is a sentence.
func (a *Automaton) FalseProperties() []string {
	var list []string
	if name := a.Declared.AccName; name != "" {
		if b, err := NamedAcceptance(name); err == nil && !a.acceptance.Same(b) {
			list = append(list, fmt.Sprintf("acc-name: %s stands for %s, but the acceptance is %s", name, b, a.acceptance))
		}
	}
	for _, p := range a.Declared.Properties {
		for _, c := range checkable {
			if c.name == p && !c.holds(a) {
				list = append(list, fmt.Sprintf("declared %s, but it is not", p))
			}
		}
	}
	return list
}

// Same reports whether two acceptances have as many marks and the same
// condition up to the order of arguments and what Simplify does.
func (a Acceptance) Same(b Acceptance) bool {
	return a.Sets == b.Sets && a.Condition.Simplify().shape() == b.Condition.Simplify().shape()
}

// Automaton returns an automaton that accepts the words that w stands for, and
// no others.
func (w *Word) Automaton() *Automaton {
	b := NewBuilder(w.Alphabet, Acceptance{0, condTrue})
	n := w.Size()
	b.AddStates(n)
	b.AddStart(0)
	for i := range n {
		next := i + 1
		if next == n {
			next = len(w.Prefix)
		}
		b.AddEdge(State(i), w.At(i), 0, State(next))
	}
	return b.Automaton()
}
