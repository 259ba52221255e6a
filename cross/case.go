package cross

import (
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// newUndecided returns a check that was given up. The format has a %s for each subject.
func newUndecided(why, format string, subjects ...outcome.Subject) outcome.Undecided {
	var symbols, names []any
	for _, s := range subjects {
		symbols = append(symbols, s.Symbol())
		names = append(names, s.String())
	}
	return outcome.Undecided{Check: fmt.Sprintf(format, symbols...), Text: fmt.Sprintf(format, names...), Why: why}
}

// seconds returns how long the call took that made an automaton; 0 if there was none.
func seconds(c *outcome.Case, s outcome.Subject) float64 {
	i := slices.IndexFunc(c.Results, func(r outcome.Result) bool { return r.Subject == s })
	if i < 0 {
		return 0
	}
	return c.Results[i].Seconds
}
