package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Replays returns the formulas on which one of the translators failed in earlier runs, the
// shortest first. They come from all groups, fixed ones included, and from killed runs, which
// have no groups. When a later run with the translator has completed and replayed the formulas
// of a killed run, its groups have what still fails.
func (s *Store) Replays(ctx context.Context, translators []string) (formulas []string, err error) {
	seen := map[string]bool{}
	add := func(formula, translator string) {
		if slices.Contains(translators, translator) && !seen[formula] {
			seen[formula] = true
			formulas = append(formulas, formula)
		}
	}
	rows, err := s.reads().QueryContext(ctx, "SELECT replays.formula, failures.translator FROM replays JOIN failures ON failures.id = failure")
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var formula, translator string
		if err := rows.Scan(&formula, &translator); err != nil {
			return nil, s.failed(err)
		}
		add(formula, translator)
	}
	if err := rows.Err(); err != nil {
		return nil, s.failed(err)
	}
	if err := s.killed(ctx, add); err != nil {
		return nil, err
	}
	slices.SortFunc(formulas, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return formulas, nil
}

// killed calls add for the formulas on which something failed in runs that were killed, and the
// translators of these runs, unless a later run of the translator that ended has replayed them.
func (s *Store) killed(ctx context.Context, add func(formula, translator string)) error {
	rows, err := s.reads().QueryContext(ctx, `SELECT DISTINCT runs.id, text, translators.name FROM runs JOIN cases ON cases.run = runs.id
		JOIN formulas ON formulas.id = formula JOIN translators ON translators.run = runs.id WHERE totals IS NULL AND cases.failed ORDER BY runs.id`)
	if err != nil {
		return s.failed(err)
	}
	defer rows.Close()
	var done map[string]map[string]int64 // for each formula and translator: the last run that replayed it
	for rows.Next() {
		var run int64
		var formula, translator string
		if err := rows.Scan(&run, &formula, &translator); err != nil {
			return s.failed(err)
		}
		if done == nil {
			if done, err = s.replayed(ctx, run); err != nil {
				return err
			}
		}
		if done[formula][translator] <= run {
			add(formula, translator)
		}
	}
	return s.failed(rows.Err())
}

// replayed returns for formulas and translators the last of the runs after a given one that has
// come to its end and has replayed the formula: a shard has only some, and so has a run that
// reached its deadline.
func (s *Store) replayed(ctx context.Context, after int64) (map[string]map[string]int64, error) {
	last := map[string]map[string]int64{}
	rows, err := s.reads().QueryContext(ctx, `SELECT DISTINCT runs.id, text, translators.name FROM runs JOIN cases ON cases.run = runs.id
			AND number < json_array_length(runs.replayed) AND cases.replayed
		JOIN formulas ON formulas.id = formula JOIN translators ON translators.run = runs.id WHERE runs.id > ?1 AND ended IS NOT NULL
		UNION SELECT runs.id, value, translators.name FROM runs JOIN json_each(runs.replayed) JOIN translators ON translators.run = runs.id
			WHERE runs.id > ?1 AND ended IS NOT NULL AND pruned AND key % shards = shard - 1 ORDER BY 1`, after)
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var run int64
		var formula, translator string
		if err := rows.Scan(&run, &formula, &translator); err != nil {
			return nil, s.failed(err)
		}
		if last[formula] == nil {
			last[formula] = map[string]int64{}
		}
		last[formula][translator] = run
	}
	return last, s.failed(rows.Err())
}

// replaysOfOne is by how many formulas one failure of a translator is replayed at most.
const replaysOfOne = 3

// Compare records the groups of failures in the run, and says which are new, known, back again
// or fixed. causes are those of the whole run. again returns a command that shows a cause
// alone. Call Compare once more after the run was resumed.
func (r *Run) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	regression := &outcome.Regression{RunID: r.RunID, Groups: []outcome.Group{}, Changes: []outcome.Change{}}
	err := r.store.writes(ctx, func(tx *sql.Tx) error {
		regression.Groups = regression.Groups[:0]
		if _, err := tx.ExecContext(ctx, "DELETE FROM sightings WHERE run = ?", r.RunID.Run); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM failures WHERE NOT EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id)"); err != nil {
			return err
		}
		met := map[int64]bool{}
		for _, c := range causes {
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
		if _, err := tx.ExecContext(ctx, "INSERT INTO sightings VALUES (?, ?, ?, ?)", id, r.RunID.Run, g.State, g.Formulas); err != nil {
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

func sameRun(a, b *outcome.RunID) bool { return a == b || a != nil && b != nil && a.Run == b.Run }

// note returns the number of a failure, of which it keeps the smallest formula.
func (r *Run) note(ctx context.Context, tx *sql.Tx, g *outcome.Group, c *outcome.Cause) (id int64, err error) {
	var formula string
	err = tx.QueryRowContext(ctx, "SELECT id, formula FROM failures WHERE key = ?", g.Key).Scan(&id, &formula)
	args := []any{g.Class.String(), g.Formula, g.Polarity, g.Word, g.Size, g.Shortest, g.Command}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		var result sql.Result
		result, err = tx.ExecContext(ctx, "INSERT INTO failures (class, formula, negated, word, size, shortest, command, key, translator) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			append(args, g.Key, g.Translators[0])...)
		if err == nil {
			id, err = result.LastInsertId()
		}
	case err == nil && len(g.Formula) <= len(formula): // the newest of those as short
		_, err = tx.ExecContext(ctx, "UPDATE failures SET class = ?, formula = ?, negated = ?, word = ?, size = ?, shortest = ?, command = ? WHERE id = ?", append(args, id)...)
	}
	if err != nil {
		return 0, err
	}
	for _, formula := range []string{c.Formula, c.Original} {
		if _, err := tx.ExecContext(ctx, "INSERT INTO replays VALUES (?, ?) ON CONFLICT DO NOTHING", id, formula); err != nil {
			return 0, err
		}
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM replays WHERE failure = ? AND formula NOT IN
		(SELECT formula FROM replays WHERE failure = ? ORDER BY length(formula), formula LIMIT ?)`, id, id, replaysOfOne)
	return id, err
}

// earlier returns what became of a failure last, in runs that began before this one, and those in
// which it was met first and last; "" if it never was. Those that began later don't count when
// a run goes on, or it would not end in the same report.
func (r *Run) earlier(ctx context.Context, tx *sql.Tx, id int64) (state outcome.State, first, last *outcome.RunID, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT state, run, name, started, seed FROM sightings JOIN runs ON runs.id = run
		WHERE failure = ?1 AND (started, run) < (?2, ?3) ORDER BY started, run`, id, toText(r.RunID.Started), r.RunID.Run)
	if err != nil {
		return "", nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n outcome.RunID
		if err := scanRun(rows, &n, &state); err != nil {
			return "", nil, nil, err
		}
		if state == outcome.StateFixed {
			continue
		}
		if last = &n; first == nil {
			first = &n
		}
	}
	return state, first, last, rows.Err()
}

// scanRun reads a row of some values and then run, name, started and seed.
func scanRun(rows *sql.Rows, n *outcome.RunID, values ...any) (err error) {
	var seed sql.NullString
	var started string
	if err = rows.Scan(append(values, &n.Run, &n.Name, &started, &seed)...); err != nil {
		return err
	}
	if n.Started, err = toTime(started); err != nil {
		return err
	}
	n.Seed, err = parseSeed(seed)
	return err
}

// miss returns the groups that were met in earlier runs and not in this one, but for those
// that were fixed before, and notes those that are fixed now.
func (r *Run) miss(ctx context.Context, tx *sql.Tx, met map[int64]bool, decided *Decided) (groups []outcome.Group, err error) {
	known, err := r.failures(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		translator := k.group.Translators[0]
		if _, ours := r.places[translator]; met[k.id] || !ours {
			continue
		}
		g := k.group
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
			if _, err := tx.ExecContext(ctx, "INSERT INTO sightings VALUES (?, ?, ?, ?)", k.id, r.RunID.Run, g.State, g.Formulas); err != nil {
				return nil, err
			}
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// A failure is a row of the table.
type failure struct {
	id    int64
	group outcome.Group // as far as it does not depend on a run
}

func (r *Run) failures(ctx context.Context, tx *sql.Tx) (list []failure, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, key, translator, class, formula, negated, word, size, shortest, command FROM failures ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f failure
		g := &f.group
		g.Translators = make([]string, 1)
		var class string
		if err := rows.Scan(&f.id, &g.Key, &g.Translators[0], &class, &g.Formula, (*bool)(&g.Polarity), &g.Word, &g.Size, &g.Shortest, &g.Command); err != nil {
			return nil, err
		}
		g.Class = outcome.ParseClass(class)
		list = append(list, f)
	}
	return list, rows.Err()
}

// texts returns the single column of a query.
func texts(ctx context.Context, q querier, query string, args ...any) (list []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("%s: %w", query, err)
		}
		list = append(list, text)
	}
	return list, rows.Err()
}
