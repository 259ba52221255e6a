package simulation

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A part is a set of letters for which Duplicator has the same edges.
type part struct {
	label   omega.Label
	reached []reached
}

// longer appends the demands that are one move longer than d. It leaves out demands that are met
// whenever another one is.
func (g *game) longer(list []demand, d *demand) []demand {
	base := len(list)
	for _, e := range g.a.Edges(d.at) {
		marked := d.marked || e.Marks != 0
		for _, p := range g.split(e, d.reached) {
			next := demand{at: e.Dst, marked: marked, reached: merged(p.reached)}
			if slices.ContainsFunc(list[base:], func(x demand) bool { return g.w.Stop() || next.implied(&x) }) {
				continue
			}
			// Spoiler need not make demands that are met whenever this one is.
			list = append(list[:base], slices.DeleteFunc(list[base:], func(x demand) bool { return x.implied(&next) })...)
			next.options = slices.Clone(d.options)
			for _, r := range next.reached {
				o := option{g.position(e.Dst, r.state), r.priority}
				if g.rounds.kind == Fair && marked { // Spoiler has seen a mark
					o.priority = max(o.priority, 1)
				}
				next.options = append(next.options, o)
			}
			list = append(list, next)
		}
		if g.w.Stop() {
			break
		}
	}
	return list
}

// split divides the letters of Spoiler's edge by the edges that Duplicator has from some states.
func (g *game) split(e omega.Edge, from []reached) []part {
	labels := g.a.Alphabet()
	parts := append(g.parts[:0], part{label: e.Label})
	for _, r := range from {
		for _, f := range g.b.Edges(r.state) {
			if g.w.Stop() {
				return nil
			}
			p, ok := g.rounds.answers(e.Marks, f.Marks)
			if !ok || !labels.Meet(e.Label, f.Label) {
				continue
			}
			if p < 2 {
				p = 0 // longer adds what depends on Spoiler
			}
			parts = g.add(parts, f.Label, reached{f.Dst, max(p, r.priority)})
		}
	}
	g.parts = parts
	return parts
}

// add notes where Duplicator can get on the letters of l.
func (g *game) add(parts []part, l omega.Label, to reached) []part {
	labels := g.a.Alphabet()
	for i := range len(parts) { // the parts that are added don't meet l
		if g.w.Stop() {
			return parts
		}
		p := &parts[i]
		if !labels.Meet(p.label, l) {
			continue
		}
		if rest := labels.And(p.label, labels.Not(l)); rest != omega.False {
			parts = append(parts, part{rest, slices.Clone(p.reached)})
			p = &parts[i] // append may have moved it
			p.label = labels.And(p.label, l)
		}
		p.reached = append(p.reached, to)
	}
	return parts
}

// merged returns the states in order, each once, with its greatest priority.
func merged(list []reached) []reached {
	slices.SortFunc(list, func(x, y reached) int {
		if x.state != y.state {
			return cmp.Compare(x.state, y.state)
		}
		return cmp.Compare(y.priority, x.priority)
	})
	return slices.CompactFunc(list, func(x, y reached) bool { return x.state == y.state })
}

// implied reports whether d is met whenever x is: Spoiler is in the same state, and Duplicator can
// get at least to the same states, with priorities at least as good.
func (d *demand) implied(x *demand) bool {
	return x.at == d.at && (x.marked || !d.marked) && covers(d.reached, x.reached)
}

// covers reports whether each state of y is in x, with a priority as great. Both are in order.
func covers(x, y []reached) bool {
	for _, r := range y {
		for len(x) > 0 && x[0].state < r.state {
			x = x[1:]
		}
		if len(x) == 0 || x[0].state != r.state || x[0].priority < r.priority {
			return false
		}
	}
	return true
}
