package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Replays returns the formulas on which one of the translators failed in earlier runs, the
// shortest first. They come from all groups, fixed ones included, and from killed runs, which
// have no groups. When a later run with the translator has completed and replayed the formulas
// of a killed run, its groups have what still fails.
func (s *Store) Replays(ctx context.Context, translators []string) ([]string, error) {
	names, err := json.Marshal(translators)
	if err != nil {
		return nil, err
	}
	formulas, err := texts(ctx, s.reads(), replays, string(names))
	return formulas, s.failed(err)
}

// replays selects what Replays returns, for a list of translators. again has the formulas that runs
// after the first one that was killed have replayed, if they ended: a shard replays only some, and so
// does a run that reached its deadline. CROSS JOIN has SQLite look at the runs first.
const replays = `WITH
	killed(run, formula, translator) AS (
		SELECT runs.id, text, translators.name FROM runs CROSS JOIN cases ON cases.run = runs.id
		JOIN formulas ON formulas.id = formula JOIN translators ON translators.run = runs.id WHERE totals IS NULL AND cases.failed),
	again(run, formula, translator) AS (
		SELECT runs.id, text, translators.name FROM runs
		CROSS JOIN cases ON cases.run = runs.id AND number < json_array_length(runs.replayed) AND cases.replayed
		JOIN formulas ON formulas.id = formula JOIN translators ON translators.run = runs.id
		WHERE runs.id > (SELECT min(id) FROM runs WHERE totals IS NULL) AND ended IS NOT NULL
		UNION ALL SELECT runs.id, value, translators.name FROM runs
		JOIN json_each(runs.replayed) JOIN translators ON translators.run = runs.id
		WHERE runs.id > (SELECT min(id) FROM runs WHERE totals IS NULL) AND ended IS NOT NULL AND pruned AND key % shards = shard - 1),
	still(formula, translator) AS (
		SELECT formula, translator FROM (SELECT run AS lost, 0 AS done, * FROM killed UNION ALL SELECT 0, run, * FROM again)
		GROUP BY formula, translator HAVING max(lost) >= max(done)),
	found(formula, translator) AS (
		SELECT replays.formula, translator FROM replays JOIN failures ON failures.id = failure UNION ALL SELECT * FROM still)
	SELECT DISTINCT formula FROM found WHERE translator IN (SELECT value FROM json_each(?)) ORDER BY octet_length(formula), formula`

// replaysOfOne is by how many formulas one failure of a translator is replayed at most.
const replaysOfOne = 3

// Compare records the groups of failures in the run, and says which are new, known, back again
// or fixed. causes are all causes of the run: Compare sets their Groups. again returns a command that
// shows one cause alone. Call Compare once more after the run was resumed.
func (r *Run) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	regression := &outcome.Regression{RunID: r.RunID, Groups: []outcome.Group{}, Changes: []outcome.Change{}}
	err := r.store.writes(ctx, func(tx *sql.Tx) error {
		regression.Groups = regression.Groups[:0]
		if err := execute(ctx, tx, `DELETE FROM sightings WHERE run = ?;
			DELETE FROM failures WHERE NOT EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id)`, r.RunID.Run); err != nil {
			return err
		}
		m, err := r.matcher(ctx, tx, decided)
		if err != nil {
			return err
		}
		for _, c := range causes {
			c.Groups = nil
		}
		suspects := m.failing(causes)
		for _, x := range suspects {
			if err := r.identify(ctx, tx, m, x, again); err != nil {
				return err
			}
		}
		var told []*standing // as the groups
		done := map[*standing]bool{}
		for _, k := range m.order(causes, suspects) {
			if done[k] { // order may have it twice
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
		return slices.Index(outcome.States, a.State) - slices.Index(outcome.States, b.State)
	})
	return regression, nil
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
			k = &standing{failure: failure{translator: x.Translators[0]}}
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
	k.meet(x)
	return nil
}

// failureColumns are the columns of a failure that do not depend on the file.
const failureColumns = "key, translator, class, formula, negated, word, size, shortest, command, shrunk"

// putFailure adds a failure. Of one with the same key it keeps the smaller formula.
const putFailure = `INSERT INTO failures (` + failureColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (key) DO UPDATE SET class = excluded.class, formula = excluded.formula, negated = excluded.negated, word = excluded.word,
		size = excluded.size, shortest = excluded.shortest, command = excluded.command, shrunk = max(shrunk, excluded.shrunk)
	WHERE octet_length(excluded.formula) <= octet_length(failures.formula)`

// earlier returns what became of a failure in the last run before this one, "" if no run met it, and
// the first and last run that did. Later runs don't count when a run resumes: it ends in the report
// that it would have had.
func (r *Run) earlier(ctx context.Context, tx *sql.Tx, id int64) (state outcome.State, first, last *outcome.RunID, err error) {
	columns := func(x *outcome.Occurrence) []any { return aRun(&x.RunID, &x.State) }
	seen, err := query(ctx, tx, columns, `SELECT state, run, name, started, seed FROM sightings JOIN runs ON runs.id = run
		WHERE failure = ?1 AND run < ?2 ORDER BY run`, id, r.RunID.Run)
	for i := range seen {
		if state = seen[i].State; state != outcome.StateFixed {
			last = &seen[i].RunID
			first = cmp.Or(first, last)
		}
	}
	return state, first, last, err
}

// A failure is a row of the table.
type failure struct {
	id         int64
	translator string
	group      outcome.Group // as far as it does not depend on a run
}

// failures returns all failures, the oldest first.
func failures(ctx context.Context, q querier) ([]failure, error) {
	return query(ctx, q, func(f *failure) []any {
		g := &f.group
		return []any{&f.id, &g.Key, &f.translator, aClass(&g.Class), &g.Formula, (*bool)(&g.Polarity), &g.Word, &g.Size, &g.Shortest, &g.Command, &g.Shrunk}
	}, "SELECT id, "+failureColumns+" FROM failures ORDER BY id")
}

// A Decided records what the replays of a run have shown: for which formulas translators gave
// automata that could be checked, and for which they were called at all.
type Decided struct {
	// NoLanguages and NoProperties are set if the run does not compare languages, or does not
	// check declared properties. Then it can't decide these.
	NoLanguages, NoProperties bool

	checked, compared, asked map[[2]string]bool            // translator, formula
	failed                   map[[2]string][]outcome.Class // categories of failures that are still there
	replayed                 map[int32]string              // formulas of the cases, by their indexes
}

// Add records a case of the run. Only replayed cases count.
func (d *Decided) Add(c *outcome.Case) {
	if c == nil || !c.Replayed {
		return
	}
	if d.checked == nil {
		d.checked, d.compared, d.asked = map[[2]string]bool{}, map[[2]string]bool{}, map[[2]string]bool{}
		d.failed, d.replayed = map[[2]string][]outcome.Class{}, map[int32]string{}
	}
	text := c.Text()
	d.replayed[int32(c.Index)] = text
	for i := range c.Results {
		key := [2]string{c.Results[i].Translator, text}
		d.checked[key], d.asked[key] = c.Checked, true
		d.compared[key] = compared(c, key[0])
	}
	for i := range c.Results {
		r := &c.Results[i]
		key := [2]string{r.Translator, text}
		about := func(u outcome.Undecided) bool {
			return strings.Contains(u.Check, r.Subject.Symbol())
		}
		if r.Status != outcome.OK || slices.ContainsFunc(c.Undecided, about) { // it is not known to be right
			d.checked[key] = false
		}
		if r.Status == outcome.Skipped || !r.Asked() {
			d.asked[key] = false
		}
	}
	for _, f := range c.Failures() {
		for _, translator := range f.Translators {
			key := [2]string{translator, text}
			d.failed[key] = append(d.failed[key], f.Class.Category())
		}
	}
}

// Replayed returns the number of replayed cases.
func (d *Decided) Replayed() int { return len(d.replayed) }

// compared reports whether a translator's automata are proved, or were compared with automata that would show
// the failure again.
func compared(c *outcome.Case, translator string) bool {
	ofReference := func(u outcome.Undecided) bool {
		return strings.Contains(u.Check, outcome.Subject{Translator: c.Reference}.Symbol()) ||
			strings.Contains(u.Check, outcome.Subject{Translator: c.Reference, Polarity: outcome.Negation}.Symbol())
	}
	unproved := func(r outcome.Result) bool { return r.Translator == translator && !r.Proved }
	if !slices.ContainsFunc(c.Results, unproved) || c.Reference != "" && c.Reference != translator && !slices.ContainsFunc(c.Undecided, ofReference) {
		return true
	}
	// The automaton of the reference would have been enough. Otherwise all others must have answered, as nobody
	// knows which of them showed it: if some were late on a busy machine, the translator may be as wrong as before.
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

// Timelines returns all groups, the oldest first.
func (s *Store) Timelines(ctx context.Context) ([]*outcome.Timeline, error) {
	known, err := failures(ctx, s.reads())
	if err != nil {
		return nil, s.failed(err)
	}
	list := []*outcome.Timeline{}
	byID := map[int64]*outcome.Timeline{}
	for _, k := range known {
		g := &k.group
		t := &outcome.Timeline{Translator: k.translator, Class: g.Class, Formula: g.Formula, Polarity: g.Polarity, Word: g.Word, Command: g.Command,
			Key: g.Key, Occurrences: []outcome.Occurrence{}}
		if t.Replays, err = texts(ctx, s.reads(), "SELECT formula FROM replays WHERE failure = ? ORDER BY length(formula), formula", k.id); err != nil {
			return nil, s.failed(err)
		}
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

// Show stores the signatures that the run has shown, and returns how many of them no other run of
// the history has shown before. A signature is stored once, with the first run that showed it.
func (r *Run) Show(ctx context.Context, list []outcome.Signature) (fresh int, err error) {
	err = r.store.writes(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, "INSERT INTO signatures (signature, run) VALUES (?, ?) ON CONFLICT DO NOTHING")
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, s := range list {
			if _, err := insert.ExecContext(ctx, int64(s), r.RunID.Run); err != nil {
				return err
			}
		}
		return tx.QueryRowContext(ctx, "SELECT count(*) FROM signatures WHERE run = ?", r.RunID.Run).Scan(&fresh)
	})
	return fresh, err
}

// Show is [Run.Show] of the union.
func (u *Union) Show(ctx context.Context, list []outcome.Signature) (fresh int, err error) {
	r := &Run{RunID: u.RunID, store: u.Store}
	return r.Show(ctx, list)
}

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

// Rename looks for known failures of translators that earlier runs of a configuration file had, and that a
// run has no more. If one new translator of the run has the same program, they become its failures, and
// moved says whose; otherwise the translator is gone, if the last run had it. A file in another folder is
// the same. run is the number of the run, or 0 before it begins.
//
//	last run: {mine} build/mine %f    this run: {mine-2.0} /opt/mine -x %f    moved: mine to mine-2.0
func (s *Store) Rename(ctx context.Context, run int64, file string, tools []Tool) (moved map[string]string, gone []string, err error) {
	moved = map[string]string{}
	err = s.writes(ctx, func(tx *sql.Tx) error {
		// SQLite takes the command from the row with the maximum.
		type earlier struct {
			Tool
			run int64
		}
		before, err := query(ctx, tx, func(t *earlier) []any { return []any{&t.Name, &t.Command, &t.run} }, `SELECT translators.name, command, max(run) FROM translators
			JOIN runs ON id = run WHERE id <> ?1 AND (file = ?2 OR file = ?3 OR ?3 <> '' AND file LIKE '%/' || ?3) GROUP BY translators.name`, run, file, base(file))
		if err != nil {
			return err
		}
		last := int64(0)
		for _, t := range before {
			last = max(last, t.run)
		}
		failing, err := texts(ctx, tx, `SELECT DISTINCT translator FROM failures WHERE (SELECT state FROM sightings WHERE failure = failures.id ORDER BY run DESC LIMIT 1) <> ?`, outcome.StateFixed)
		if err != nil {
			return err
		}
		has := func(list []Tool, name string) bool {
			return slices.ContainsFunc(list, func(t Tool) bool { return t.Name == name })
		}
		for _, was := range before {
			if has(tools, was.Name) || !slices.Contains(failing, was.Name) {
				continue
			}
			same := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
				old := slices.ContainsFunc(before, func(was earlier) bool { return was.Name == t.Name })
				return old || slices.Contains(failing, t.Name) || program(t.Command) != program(was.Command)
			})
			if len(same) != 1 { // none, or it is not clear which
				if was.run == last {
					gone = append(gone, was.Name)
				}
				continue
			}
			moved[was.Name] = same[0].Name
			// A key begins with the name of its translator.
			if err := execute(ctx, tx, "UPDATE OR IGNORE failures SET translator = ?2, key = ?2 || substr(key, length(?1) + 1) WHERE translator = ?1", was.Name, same[0].Name); err != nil {
				return err
			}
		}
		return nil
	})
	return moved, gone, err
}

// base is the name of a file without its folder; "" for none.
func base(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(filepath.ToSlash(file))
}

// launchers are programs that run another one.
var launchers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(|-.*|\{.*\}|env|exec|nice|timeout|time|sh|bash|dash|ksh|zsh|python[0-9.]*|perl|ruby|node|java|\w+=.*)$`)
})

// program returns the name of the program that a command runs, or of its script.
func program(command string) string {
	words := strings.Fields(command)
	i := slices.IndexFunc(words, func(word string) bool { return !launchers().MatchString(path.Base(word)) })
	if i < 0 {
		return command
	}
	return path.Base(words[i])
}
