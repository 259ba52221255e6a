package report

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// nounOf is what an input is.
func nounOf(automaton bool) string {
	if automaton {
		return "automaton"
	}
	return "formula"
}

func noun(c *outcome.Case) string { return nounOf(c.Automaton != nil) }
func (t *Summary) noun() string   { return nounOf(t.Automata) }

func (t *Summary) plural() string {
	if t.Automata {
		return "automata"
	}
	return "formulas"
}

// inputs counts inputs.
func (t *Summary) inputs(n int) string { return t.counted(n, "") }

func (t *Summary) unreadable(n int) string { return t.counted(n, "invalid ") }

func (t *Summary) counted(n int, adjective string) string {
	if n == 1 {
		return "1 " + adjective + t.noun()
	}
	return fmt.Sprintf("%d %s%s", n, adjective, t.plural())
}

// automatonDisagreement prints a disagreement on an automaton that tools were given: what
// each says on the word, and what the input does.
func (t *Text) automatonDisagreement(c *outcome.Case, list []outcome.Disagreement) {
	d, about := together(list)
	name := ""
	if c.Automaton.Name != "" {
		name = ", " + line(c.Automaton.Name, 80)
	}
	t.printf("  automaton %d:  %s%s\n  word:         %s   (%s)\n  the input %s it\n", c.Index, c.Automaton.Source, name, d.Word, about, says(d.Truth))
	var rows [][]string
	for _, r := range c.Results {
		row := []string{"  ", r.Translator, string(r.Status), ""}
		for _, a := range d.Accepts {
			if a.Subject != r.Subject {
				continue
			}
			row[2] = says(a.Accepts)
			if !a.Right {
				row[3] = t.paint(red, "wrong")
			}
		}
		rows = append(rows, row)
	}
	answer := "answer"
	if c.Results[0].Polarity == outcome.Negation {
		answer = "complement"
	}
	t.table([]string{"  ", "tool", answer, ""}, rows)
	t.explanations(d)
}
