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
// or fixed. causes are those of the whole run. again returns a command that shows a cause
// alone. Call Compare once more after the run was resumed.
func (r *Run) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	regression := &outcome.Regression{RunID: r.RunID, Groups: []outcome.Group{}, Changes: []outcome.Change{}}
	err := r.store.writes(ctx, func(tx *sql.Tx) error {
		regression.Groups = regression.Groups[:0]
		if err := execute(ctx, tx, `DELETE FROM sightings WHERE run = ?;
			DELETE FROM failures WHERE NOT EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id)`, r.RunID.Run); err != nil {
			return err
		}
		there, err := r.there(ctx, tx, causes)
		if err != nil {
			return err
		}
		met := map[int64]bool{}
		for _, c := range causes {
			if c, err = r.unexplained(ctx, tx, c, there, decided); err != nil {
				return err
			}
			if len(c.Translators) == 0 {
				continue
			}
			groups, err := r.meet(ctx, tx, c, again(c), met)
			if err != nil {
				return err
			}
			regression.Groups = append(regression.Groups, groups...)
		}
		groups, err := r.miss(ctx, tx, met, decided)
		regression.Groups = append(regression.Groups, groups...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(regression.Groups, func(a, b outcome.Group) int {
		return slices.Index(outcome.States, a.State) - slices.Index(outcome.States, b.State)
	})
	return regression, nil
}

// meet notes a cause of the run. It is one group for each of its translators, and these are
// reported as one if the same became of them.
func (r *Run) meet(ctx context.Context, tx *sql.Tx, c *outcome.Cause, command string, met map[int64]bool) (groups []outcome.Group, err error) {
	for _, translator := range c.Translators {
		g := c.Group([]string{translator})
		g.Command = command
		id, err := r.note(ctx, tx, &g, c)
		if err != nil {
			return nil, err
		}
		met[id] = true
		before, first, last, err := r.earlier(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		g.First, g.Last = first, last
		switch before {
		case "":
			g.State = outcome.StateNew
		case outcome.StateFixed:
			g.State = outcome.StateBackAgain
		default:
			g.State = outcome.StateKnown
		}
		if err := r.sight(ctx, tx, id, &g); err != nil {
			return nil, err
		}
		same := func(other outcome.Group) bool {
			return other.State == g.State && sameRun(other.First, g.First) && sameRun(other.Last, g.Last)
		}
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i].Translators = append(groups[i].Translators, translator)
		} else {
			groups = append(groups, g)
		}
	}
	return groups, nil
}

func (r *Run) sight(ctx context.Context, tx *sql.Tx, failure int64, g *outcome.Group) error {
	return execute(ctx, tx, "INSERT INTO sightings VALUES (?, ?, ?, ?)", failure, r.RunID.Run, g.State, g.Formulas)
}

func sameRun(a, b *outcome.RunID) bool { return a == b || a != nil && b != nil && a.Run == b.Run }

// putFailure adds a failure, or replaces one with the same key if a condition holds.
const putFailure = `INSERT INTO failures (key, translator, class, formula, negated, word, size, shortest, command) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (key) DO UPDATE SET class = excluded.class, formula = excluded.formula, negated = excluded.negated, word = excluded.word,
		size = excluded.size, shortest = excluded.shortest, command = excluded.command WHERE `

// note returns the number of a failure, of which it keeps the smallest formula; of those as short,
// the newest.
func (r *Run) note(ctx context.Context, tx *sql.Tx, g *outcome.Group, c *outcome.Cause) (id int64, err error) {
	if err := execute(ctx, tx, putFailure+"octet_length(excluded.formula) <= octet_length(failures.formula)",
		g.Key, g.Translators[0], g.Class.String(), g.Formula, g.Polarity, g.Word, g.Size, g.Shortest, g.Command); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, "SELECT id FROM failures WHERE key = ?", g.Key).Scan(&id); err != nil {
		return 0, err
	}
	return id, execute(ctx, tx, `INSERT INTO replays VALUES (?1, ?2), (?1, ?3) ON CONFLICT DO NOTHING;
		DELETE FROM replays WHERE failure = ?1 AND formula NOT IN
			(SELECT formula FROM replays WHERE failure = ?1 ORDER BY length(formula), formula LIMIT ?4)`, id, c.Formula, c.Original, replaysOfOne)
}

// earlier returns what became of a failure last, in runs that began before this one, and those in
// which it was met first and last; "" if it never was. Those that began later don't count when
// a run goes on, or it would not end in the same report.
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

// miss returns the groups that were met in earlier runs and not in this one, but for those
// that were fixed before, and notes those that are fixed now.
func (r *Run) miss(ctx context.Context, tx *sql.Tx, met map[int64]bool, decided *Decided) (groups []outcome.Group, err error) {
	known, err := failures(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		g, translator := k.group, k.translator
		if _, ours := r.places[translator]; met[k.id] || !ours {
			continue
		}
		g.Translators = []string{translator}
		before, first, last, err := r.earlier(ctx, tx, k.id)
		if err != nil {
			return nil, err
		}
		if before == outcome.StateFixed || before == "" {
			continue
		}
		g.First, g.Last = first, last
		replays, err := texts(ctx, tx, "SELECT formula FROM replays WHERE failure = ?", k.id)
		if err != nil {
			return nil, err
		}
		g.State = outcome.StateFixed
		for _, formula := range replays {
			switch {
			case decided.still(translator, g.Class, formula):
				g.State = outcome.StateKnown // the run counts it with failures of another cause
				g.Formulas++
			case g.State == outcome.StateFixed && !decided.could(translator, g.Class, formula):
				g.State = outcome.StateUnseen
			}
		}
		if g.State != outcome.StateUnseen {
			if err := r.sight(ctx, tx, k.id, &g); err != nil {
				return nil, err
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
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
		return []any{&f.id, &g.Key, &f.translator, aClass(&g.Class), &g.Formula, (*bool)(&g.Polarity), &g.Word, &g.Size, &g.Shortest, &g.Command}
	}, "SELECT id, key, translator, class, formula, negated, word, size, shortest, command FROM failures ORDER BY id")
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
	if !c.Replayed {
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
		if r.Status != outcome.OK || slices.ContainsFunc(c.Undecided, about) {
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
	if err := s.bisections(ctx, byID); err != nil {
		return nil, s.failed(err)
	}
	return list, nil
}
