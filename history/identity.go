package history

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A standing is a failure of earlier runs, or a new one, and what a run shows of it.
type standing struct {
	failure
	formula string        // the smallest of earlier runs
	before  outcome.State // what became of it last; "" if it is new
	replays []string
	causes  []*outcome.Cause // of the run that belong to it
	shown   []*ltl.Formula   // formulas that show it in this run; nil of automata
}

// A suspect is a failure of one translator in a run, before it is known which one it is.
type suspect struct {
	outcome.Group
	cause *outcome.Cause
	f     *ltl.Formula // nil of an automaton
	is    *standing
}

// A matcher recognizes known failures in a run. Nothing else does. A failure is known by one of three
// rules:
//
//  1. They have one key: the same category, and the same formula after shrinking.
//  2. A known failure that still shows explains a formula that was not shrunk and can shrink to its own.
//     One that has a message explains all with this message, and one that reached a limit explains
//     larger formulas. On automata, a failure explains others with all that a tool may get wrong in its own.
//  3. A known formula has shrunk to another one. If it was a smallest one, a smaller one was right.
//     Where a limit ended the shrinking, any formula that is replayed for the known failure may be
//     the one: it led to 1 & 1 & a then, and to a & b & c now.
//
// All else is new:
//
//	known a U b, which fails      G(c U Xd): known     Xd: new
//	known a U b, which is right   G(c U Xd): new
type matcher struct {
	decided *Decided
	store   *ltl.Store
	list    []*standing // known failures, the oldest first, then new ones
}

// matcher returns the failures of earlier runs of the translators of this run.
func (r *Run) matcher(ctx context.Context, tx *sql.Tx, decided *Decided) (*matcher, error) {
	m := &matcher{decided: decided, store: ltl.NewStore()}
	known, err := failures(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, f := range known {
		if _, ours := r.places[f.translator]; !ours { // a translator of other runs
			continue
		}
		k := &standing{failure: f, formula: f.group.Formula}
		k.group.Translators = []string{f.translator}
		if k.before, k.group.First, k.group.Last, err = r.earlier(ctx, tx, f.id); err != nil {
			return nil, err
		}
		if k.replays, err = texts(ctx, tx, "SELECT formula FROM replays WHERE failure = ?", f.id); err != nil {
			return nil, err
		}
		if m.list = append(m.list, k); k.before == "" || m.right(k, k.formula) {
			continue // its other formulas may fail for another reason
		}
		for _, text := range k.replays {
			if f := m.parse(text); decided.still(k.translator, k.group.Class, text) {
				k.shown = append(k.shown, f)
			}
		}
	}
	return m, nil
}

// parse returns a formula, or nil for an automaton.
func (m *matcher) parse(text string) *ltl.Formula {
	f, err := m.store.Parse(text, ltl.Spot)
	if err != nil {
		return nil
	}
	return f
}

// right reports whether the run has shown that a formula of a failure is right now.
func (m *matcher) right(k *standing, formula string) bool {
	return !m.decided.still(k.translator, k.group.Class, formula) && m.decided.could(k.translator, k.group.Class, formula)
}

// failing returns the failures of causes, the smallest input first, since it may explain others.
func (m *matcher) failing(causes []*outcome.Cause) (list []*suspect) {
	for _, c := range causes {
		for _, translator := range c.Translators {
			for _, g := range c.Split(translator) {
				list = append(list, &suspect{Group: g, cause: c, f: m.parse(g.Formula)})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y *suspect) int {
		if x.f == nil { // a key lists what may go wrong
			return cmp.Or(cmp.Compare(strings.Count(x.Key, ", "), strings.Count(y.Key, ", ")), cmp.Compare(len(x.Formula), len(y.Formula)))
		}
		return cmp.Compare(ltl.TextSize(x.Formula), ltl.TextSize(y.Formula))
	})
	return list
}

// find returns the failure that a suspect is, or nil if it is new.
func (m *matcher) find(x *suspect) *standing {
	for _, rule := range []func(*suspect, *standing) bool{ // in the order of the three rules
		func(x *suspect, k *standing) bool { return k.group.Key == x.Key },
		m.explains, m.shrank,
	} {
		for _, k := range m.list {
			if k.translator == x.Translators[0] && k.group.Class.Category() == x.Class.Category() && rule(x, k) {
				return k
			}
		}
	}
	return nil
}

func (m *matcher) explains(x *suspect, k *standing) bool {
	if x.f == nil {
		return len(k.shown) > 0 && !x.Class.Speaks() && outcome.Explains(k.group.Key, x.Key)
	}
	// With other options it may be another failure.
	if options := strings.Join(x.cause.Options, " "); x.cause.Ground && !strings.HasSuffix(k.group.Key, options) {
		return false
	}
	// A formula that was shrunk is explained only by one of the same size.
	return slices.ContainsFunc(k.shown, func(f *ltl.Formula) bool {
		return ltl.Embeds(f, x.f) && (!x.Shrunk || f.Size() == x.f.Size()) || !x.Shrunk && (x.Class.Speaks() || x.Class.Exhausted() && f.Size() <= x.f.Size())
	})
}

// shrank reports whether the formula of a failure has shrunk to the formula of a suspect. It
// shrinks to one suspect only: another suspect is another failure, unless a limit ended its shrinking.
func (m *matcher) shrank(x *suspect, k *standing) bool {
	if x.cause.Unfinished { // a formula on the way, which may have another shape than the smallest
		return len(k.shown) > 0 && slices.ContainsFunc(x.cause.Indexes, func(i int32) bool { return slices.Contains(k.replays, m.decided.replayed[i]) })
	}
	f := m.parse(k.formula)
	return f != nil && x.cause.Ground && len(k.causes) == 0 && len(k.shown) > 0 && !(k.group.Shrunk && x.f.Size() < f.Size()) &&
		slices.ContainsFunc(x.cause.Indexes, func(i int32) bool { return m.decided.replayed[i] == k.formula })
}

// meet notes that a suspect is this failure.
func (k *standing) meet(x *suspect) {
	x.cause.Groups = append(x.cause.Groups, k.group.Key)
	if x.is = k; !slices.Contains(k.causes, x.cause) {
		k.causes = append(k.causes, x.cause)
	}
	k.group.Formulas += x.Formulas
	k.shown = append(k.shown, x.f)
}

// alike reports whether one cause of two translators is both failures, and the same became of them.
func (k *standing) alike(o *standing) bool {
	return k.translator != o.translator && len(k.causes) > 0 && slices.Equal(k.causes, o.causes) && k.group.Formula == o.group.Formula &&
		k.group.State == o.group.State && sameRun(k.group.First, o.group.First) && sameRun(k.group.Last, o.group.Last)
}

func sameRun(a, b *outcome.RunID) bool { return a == b || a != nil && b != nil && a.Run == b.Run }

// order returns the failures by the order of their causes, and then those that the run has not met.
// Several may occur more than once.
func (m *matcher) order(causes []*outcome.Cause, suspects []*suspect) (list []*standing) {
	for _, c := range causes {
		for _, x := range suspects {
			if x.cause == c {
				list = append(list, x.is)
			}
		}
	}
	return append(list, m.list...)
}

// now returns what becomes of a failure in the run; "" if there is nothing to say of it.
func (m *matcher) now(k *standing) outcome.State {
	switch {
	case len(k.causes) > 0 && k.before == "":
		return outcome.StateNew
	case len(k.causes) > 0 && k.before == outcome.StateFixed:
		return outcome.StateBackAgain
	case len(k.causes) > 0:
		return outcome.StateKnown
	case k.before == outcome.StateFixed || k.before == "":
		return ""
	}
	state := outcome.StateFixed
	for _, formula := range k.replays {
		switch {
		case m.decided.still(k.translator, k.group.Class, formula):
			if m.right(k, k.formula) && m.other(k, formula) {
				continue
			}
			state = outcome.StateKnown // the run counts it with failures of another cause
			k.group.Formulas++
		case state == outcome.StateFixed && !m.decided.could(k.translator, k.group.Class, formula):
			state = outcome.StateUnseen // nobody knows
		}
	}
	return state
}

// other reports whether another failure that the run has met explains a formula.
func (m *matcher) other(k *standing, formula string) bool {
	f := m.parse(formula)
	return f != nil && slices.ContainsFunc(m.list, func(o *standing) bool {
		return o != k && o.translator == k.translator && o.group.Class.Category() == k.group.Class.Category() && len(o.causes) > 0 &&
			slices.ContainsFunc(o.shown, func(g *ltl.Formula) bool { return g == f || ltl.Embeds(g, f) })
	})
}
