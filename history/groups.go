package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

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

// compared reports whether a translator's automata were compared with automata that would show the
// failure again. The automaton of the reference is enough. Otherwise all other translators must
// have answered, as nobody knows which of them showed it. If some were late on a busy machine, the
// translator may be as wrong as before.
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
