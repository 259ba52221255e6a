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

// A failure is a failure of one translator over all runs, with what this run shows of it.
type failure struct {
	id         int64
	translator string
	group      outcome.Group // a new one gets its state at the end

	// Known from earlier runs:
	before  outcome.State // what became of it last; "" if it is new
	formula string        // the smallest that showed it
	replays []string      // formulas that every run replays to look for it

	// Known from this run:
	causes []*outcome.Cause // that belong to it
	shown  []*ltl.Formula   // formulas that show it; nil for automata
}

// A suspect is a failure of one translator in this run, before it is known which one it is.
type suspect struct {
	outcome.Group
	cause *outcome.Cause
	f     *ltl.Formula // nil for an automaton
	is    *failure
}

// Compare records the groups of failures in the run, and says which are new, known, back again
// or fixed. causes are all causes of the run: Compare sets their Groups. again returns a command that
// shows one cause alone. Call Compare once more after the run was resumed.
func (r *Run) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	regression := &outcome.Regression{RunID: r.RunID, Groups: []outcome.Group{}, Changes: []outcome.Change{}}
	err := r.store.writes(ctx, func(tx *sql.Tx) error {
		regression.Groups = regression.Groups[:0] // the transaction may be tried twice
		// A resumed run is compared anew.
		if err := execute(ctx, tx, `DELETE FROM sightings WHERE run = ?;
			DELETE FROM failures WHERE NOT EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id)`, r.RunID.Run); err != nil {
			return err
		}
		m, err := r.matcher(ctx, tx, decided)
		if err != nil {
			return err
		}
		// Each failure of this run becomes a known one, or a new one that later suspects may be, too.
		suspects := m.suspects(causes)
		for _, x := range suspects {
			if err := r.identify(ctx, tx, m, x, again); err != nil {
				return err
			}
		}
		// Failures of this run are listed by their causes. Then come those that it has not met.
		var order, told []*failure
		for _, c := range causes {
			for _, x := range suspects {
				if x.cause == c {
					order = append(order, x.is)
				}
			}
		}
		done := map[*failure]bool{}
		for _, k := range append(order, m.list...) {
			if done[k] {
				continue
			}
			done[k] = true
			if k.group.State = m.now(k); k.group.State == "" {
				continue
			}
			if k.group.State != outcome.StateUnseen { // the run has shown nothing of it
				if err := execute(ctx, tx, "INSERT INTO sightings VALUES (?, ?, ?, ?)", k.id, r.RunID.Run, k.group.State, k.group.Formulas); err != nil {
					return err
				}
			}
			if i := slices.IndexFunc(told, k.alike); i >= 0 { // one cause of several translators is one group
				regression.Groups[i].Translators = append(regression.Groups[i].Translators, k.translator)
				continue
			}
			told, regression.Groups = append(told, k), append(regression.Groups, k.group)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(regression.Groups, func(a, b outcome.Group) int {
		return slices.Index(outcome.States(), a.State) - slices.Index(outcome.States(), b.State)
	})
	return regression, nil
}

// A matcher recognizes known failures in a run. Nothing else does. A failure is known by one of three rules:
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
	list    []*failure // of earlier runs, the oldest first, then new ones
}

// matcher returns the failures of earlier runs of the translators of this run.
func (r *Run) matcher(ctx context.Context, tx *sql.Tx, decided *Decided) (*matcher, error) {
	m := &matcher{decided: decided, store: ltl.NewStore()}
	all, err := failures(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		if _, ours := r.places[k.translator]; !ours {
			continue
		}
		k.formula, k.group.Translators = k.group.Formula, []string{k.translator}
		// Later runs don't count when a run resumes: it ends in the report that it would have had.
		columns := func(x *outcome.Occurrence) []any { return aRun(&x.RunID, &x.State) }
		seen, err := query(ctx, tx, columns, `SELECT state, run, name, started, seed FROM sightings JOIN runs ON runs.id = run
			WHERE failure = ?1 AND run < ?2 ORDER BY run`, k.id, r.RunID.Run)
		if err != nil {
			return nil, err
		}
		for i := range seen {
			if k.before = seen[i].State; k.before != outcome.StateFixed {
				k.group.Last = &seen[i].RunID
				k.group.First = cmp.Or(k.group.First, k.group.Last)
			}
		}
		m.list = append(m.list, k)
		if k.before == "" || m.right(k, k.formula) {
			continue // its other formulas may fail for another reason
		}
		for _, text := range k.replays {
			if decided.still(k.translator, k.group.Class, text) {
				k.shown = append(k.shown, m.parse(text))
			}
		}
	}
	return m, nil
}

// failures returns all failures, the oldest first.
func failures(ctx context.Context, q querier) (list []*failure, err error) {
	columns := func(k *failure) []any {
		g := &k.group
		return []any{&k.id, &g.Key, &k.translator, aClass(&g.Class), &g.Formula, (*bool)(&g.Polarity), &g.Word, &g.Size, &g.Shortest, &g.Command, &g.Shrunk}
	}
	rows, err := query(ctx, q, columns, "SELECT id, "+failureColumns+" FROM failures ORDER BY id")
	for i := range rows {
		k := &rows[i]
		if k.replays, err = texts(ctx, q, "SELECT formula FROM replays WHERE failure = ? ORDER BY length(formula), formula", k.id); err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	return list, err
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
func (m *matcher) right(k *failure, formula string) bool {
	return !m.decided.still(k.translator, k.group.Class, formula) && m.decided.could(k.translator, k.group.Class, formula)
}

// suspects returns the failures of causes, the smallest input first, since it may explain others.
func (m *matcher) suspects(causes []*outcome.Cause) (list []*suspect) {
	for _, c := range causes {
		c.Groups = nil
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
func (m *matcher) find(x *suspect) *failure {
	sameKey := func(x *suspect, k *failure) bool { return k.group.Key == x.Key }
	for _, rule := range []func(*suspect, *failure) bool{sameKey, m.explains, m.shrank} {
		for _, k := range m.list {
			if k.translator == x.Translators[0] && k.group.Class.Category() == x.Class.Category() && rule(x, k) {
				return k
			}
		}
	}
	return nil
}

// explains is rule 2.
func (m *matcher) explains(x *suspect, k *failure) bool {
	if x.f == nil {
		return len(k.shown) > 0 && !x.Class.Speaks() && k.group.Explains(x.Key)
	}
	// With other options it may be another failure.
	if options := strings.Join(x.cause.Options, " "); x.cause.Ground && !strings.HasSuffix(k.group.Key, options) {
		return false
	}
	return slices.ContainsFunc(k.shown, func(f *ltl.Formula) bool {
		switch {
		case x.Shrunk: // only one of the same size explains it
			return ltl.Embeds(f, x.f) && f.Size() == x.f.Size()
		case x.Class.Speaks():
			return true
		}
		return ltl.Embeds(f, x.f) || x.Class.Exhausted() && f.Size() <= x.f.Size()
	})
}

// shrank is rule 3. A formula shrinks to one suspect only: another suspect is another failure, unless a
// limit ended its shrinking.
func (m *matcher) shrank(x *suspect, k *failure) bool {
	cameFrom := func(from func(formula string) bool) bool { // a replayed formula of the cause is such a formula
		return slices.ContainsFunc(x.cause.Indexes, func(i int32) bool { return from(m.decided.replayed[i]) })
	}
	if len(k.shown) == 0 {
		return false
	}
	if x.cause.Unfinished { // a formula on the way, which may have another shape than the smallest
		return cameFrom(func(formula string) bool { return slices.Contains(k.replays, formula) })
	}
	f := m.parse(k.formula)
	return f != nil && x.cause.Ground && len(k.causes) == 0 && !(k.group.Shrunk && x.f.Size() < f.Size()) &&
		cameFrom(func(formula string) bool { return formula == k.formula })
}

// identify finds out which failure a suspect is, and stores it if it is new. For a known failure it
// stores the smaller formula; if both are equally small, the newer one.
func (r *Run) identify(ctx context.Context, tx *sql.Tx, m *matcher, x *suspect, again func(*outcome.Cause) string) error {
	k := m.find(x)
	if k == nil || k.group.Key == x.Key || x.Shrunk && !k.group.Shrunk {
		c := *x.cause
		if c.Formula != x.Formula { // a sample of the cause
			c.Formula, c.Original, c.Polarity = x.Formula, x.Formula, x.Polarity
		}
		x.Command = again(&c)
		if k != nil {
			x.Key = k.group.Key // a known failure keeps its key
		}
		if err := execute(ctx, tx, putFailure, x.Key, x.Translators[0], x.Class.String(), x.Formula, x.Polarity, x.Word, x.Size, x.Shortest, x.Command, x.Shrunk); err != nil {
			return err
		}
		if k == nil {
			k = &failure{translator: x.Translators[0]}
			if err := tx.QueryRowContext(ctx, "SELECT id FROM failures WHERE key = ?", x.Key).Scan(&k.id); err != nil {
				return err
			}
			m.list = append(m.list, k)
		}
		g := x.Group
		g.First, g.Last, g.Formulas = k.group.First, k.group.Last, k.group.Formulas
		k.group = g
		if err := execute(ctx, tx, `INSERT INTO replays VALUES (?1, ?2), (?1, ?3) ON CONFLICT DO NOTHING;
			DELETE FROM replays WHERE failure = ?1 AND formula NOT IN
				(SELECT formula FROM replays WHERE failure = ?1 ORDER BY length(formula), formula LIMIT ?4)`, k.id, c.Formula, c.Original, replaysOfOne); err != nil {
			return err
		}
	}
	x.is, x.cause.Groups = k, append(x.cause.Groups, k.group.Key)
	if !slices.Contains(k.causes, x.cause) {
		k.causes = append(k.causes, x.cause)
	}
	k.group.Formulas += x.Formulas
	k.shown = append(k.shown, x.f)
	return nil
}

// failureColumns are the columns of a failure that do not depend on the file.
const failureColumns = "key, translator, class, formula, negated, word, size, shortest, command, shrunk"

// putFailure adds a failure. Of one with the same key it keeps the smaller formula.
const putFailure = `INSERT INTO failures (` + failureColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (key) DO UPDATE SET class = excluded.class, formula = excluded.formula, negated = excluded.negated, word = excluded.word,
		size = excluded.size, shortest = excluded.shortest, command = excluded.command, shrunk = max(shrunk, excluded.shrunk)
	WHERE octet_length(excluded.formula) <= octet_length(failures.formula)`

// now returns what becomes of a failure in the run; "" if there is nothing to say of it.
func (m *matcher) now(k *failure) outcome.State {
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
	// No cause belongs to it, so its replays decide: it is fixed if all of them are right.
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
func (m *matcher) other(k *failure, formula string) bool {
	f := m.parse(formula)
	return f != nil && slices.ContainsFunc(m.list, func(o *failure) bool {
		return o != k && o.translator == k.translator && o.group.Class.Category() == k.group.Class.Category() && len(o.causes) > 0 &&
			slices.ContainsFunc(o.shown, func(g *ltl.Formula) bool { return g == f || ltl.Embeds(g, f) })
	})
}

// alike reports whether one cause of two translators is both failures, and the same became of them.
func (k *failure) alike(o *failure) bool {
	same := func(a, b *outcome.RunID) bool { return a == b || a != nil && b != nil && a.Run == b.Run }
	return k.translator != o.translator && len(k.causes) > 0 && slices.Equal(k.causes, o.causes) && k.group.Formula == o.group.Formula &&
		k.group.State == o.group.State && same(k.group.First, o.group.First) && same(k.group.Last, o.group.Last)
}

// Timelines returns all groups, the oldest first.
func (s *Store) Timelines(ctx context.Context) ([]*outcome.Timeline, error) {
	all, err := failures(ctx, s.reads())
	if err != nil {
		return nil, s.failed(err)
	}
	list := []*outcome.Timeline{}
	byID := map[int64]*outcome.Timeline{}
	for _, k := range all {
		g := &k.group
		t := &outcome.Timeline{Translator: k.translator, Class: g.Class, Formula: g.Formula, Polarity: g.Polarity, Word: g.Word, Command: g.Command,
			Replays: k.replays, Key: g.Key, Occurrences: []outcome.Occurrence{}}
		byID[k.id] = t
		list = append(list, t)
	}
	type occurrence struct {
		failure int64
		outcome.Occurrence
	}
	columns := func(x *occurrence) []any { return aRun(&x.RunID, &x.failure, &x.State, &x.Formulas) }
	for x, err := range each(ctx, s.reads(), columns, "SELECT failure, state, sightings.formulas, run, name, started, seed FROM sightings JOIN runs ON runs.id = run ORDER BY run") {
		if err != nil {
			return nil, s.failed(err)
		}
		if t := byID[x.failure]; t != nil { // otherwise a run has met it just now
			t.Occurrences = append(t.Occurrences, x.Occurrence)
		}
	}
	return list, nil
}
