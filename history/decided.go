package history

import (
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Decided records what the replays of a run have shown: for which formulas translators gave
// automata that could be checked, and for which they were called at all.
type Decided struct {
	// NoLanguages and NoProperties are set if the run does not compare languages, or does not
	// check declared properties. Then it can't decide these.
	NoLanguages, NoProperties bool

	checked, compared, asked map[[2]string]bool            // translator, formula
	failed                   map[[2]string][]outcome.Class // categories of failures that are still there
}

// Add records a case of the run. Only replayed cases count.
func (d *Decided) Add(c *outcome.Case) {
	if !c.Replayed {
		return
	}
	if d.checked == nil {
		d.checked, d.compared, d.asked = map[[2]string]bool{}, map[[2]string]bool{}, map[[2]string]bool{}
		d.failed = map[[2]string][]outcome.Class{}
	}
	for i := range c.Results {
		key := [2]string{c.Results[i].Translator, c.Formula}
		d.checked[key], d.asked[key] = c.Checked, true
		d.compared[key] = compared(c, key[0])
	}
	for i := range c.Results {
		r := &c.Results[i]
		key := [2]string{r.Translator, c.Formula}
		about := func(u outcome.Undecided) bool {
			return strings.Contains(u.Check, r.Subject.Symbol())
		}
		if r.Status != outcome.OK || slices.ContainsFunc(c.Undecided, about) {
			d.checked[key] = false
		}
		if r.Status == outcome.Skipped || !r.Asked() {
			d.asked[key] = false
		}
	}
	for _, f := range c.Failures() {
		for _, translator := range f.Translators {
			key := [2]string{translator, c.Formula}
			d.failed[key] = append(d.failed[key], f.Class.Category())
		}
	}
}

// compared reports whether a translator's automata were compared with others that would show again
// what these have shown: those of the reference, or of all other translators, as nobody knows which
// of them it was. If some were late on a busy machine, the translator may be as wrong as before.
func compared(c *outcome.Case, translator string) bool {
	ofReference := func(u outcome.Undecided) bool {
		return strings.Contains(u.Check, outcome.Subject{Translator: c.Reference}.Symbol()) ||
			strings.Contains(u.Check, outcome.Subject{Translator: c.Reference, Polarity: outcome.Negation}.Symbol())
	}
	if c.Reference != "" && c.Reference != translator && !slices.ContainsFunc(c.Undecided, ofReference) {
		return true
	}
	others := 0
	for i := range c.Results {
		r := &c.Results[i]
		switch {
		case r.Translator == translator || !r.Asked() || r.Status == outcome.Skipped:
		case r.Status != outcome.OK:
			return false
		default:
			others++
		}
	}
	return others > 0
}

// still reports whether a failure of that kind is there.
func (d *Decided) still(translator string, class outcome.Class, formula string) bool {
	return slices.Contains(d.failed[[2]string{translator, formula}], class.Category())
}

// could reports whether the run could tell that a failure is not there any more.
func (d *Decided) could(translator string, class outcome.Class, formula string) bool {
	key := [2]string{translator, formula}
	switch {
	case class.Words:
		return d.checked[key] && d.compared[key] && !d.NoLanguages
	case class.IsProperty():
		return d.checked[key] && !d.NoProperties
	}
	return d.asked[key] // of a call that failed it is enough that it does not
}
