package cross

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/translators"
)

// grinder returns the Grinder for some translators.
func (t *Triage) grinder(names ...string) *Grinder {
	key := fmt.Sprintf("%q", names)
	g := t.grinders[key]
	if g == nil {
		some := t.options
		some.Tools = slices.DeleteFunc(slices.Clone(some.Tools), func(tool *translators.Tool) bool { return !slices.Contains(names, tool.Name) })
		g = NewGrinder(some)
		t.grinders[key] = g
	}
	return g
}

// Calls returns the number of calls of translators for shrinking.
func (t *Triage) Calls() int {
	n := 0
	for _, g := range t.grinders {
		n += g.Calls()
	}
	return n
}

// left returns how many calls of a translator are left.
func (t *Triage) left(translator string) int {
	if t.MaxCalls == 0 {
		return unlimited
	}
	n := 0
	for _, g := range t.grinders {
		if g.asks(translator) {
			n += g.Calls() / len(g.run.Tools)
		}
	}
	return t.MaxCalls - n
}
