package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Snapshot calls use with the present state of the history: what other processes write in the meantime is
// not seen.
func (s *Store) Snapshot(ctx context.Context, use func(*Store) error) error {
	if err := s.check(); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.failed(err)
	}
	defer tx.Rollback()
	return use(s.within(tx))
}

// A FixedTrend has curves over runs that all check the same formulas, so that they change only if
// the translators do.
type FixedTrend struct {
	File     string // of the configuration of the runs, as it was named; "" for none
	Formulas int    // that all the runs have
	// Runs are the oldest first. Their counts and means are over these formulas, except New.
	// Translators without enough answers in a run are left out there.
	Runs []outcome.Trend
}

// FixedTrend returns the curves over the newest runs, most at most. It is nil if there are less
// than two that can be compared.
//
// The runs are finished, whole, not pruned, and of a configuration file of the same name as the
// last one. A formula counts if all of them have it beside their replays. Most runs share what is
// not random. One that has less than half as much in common with the last run as another one has
// is left out, since the formulas were others then, or it was cut short.
//
// In the same way, the sizes and times of a translator are over the automata that it made in all of
// its runs, except those in which it made less than half as many as in its best one. Times are
// processor times, if all are known.
//
// It takes a lookup for each run and formula, and for each translator memory for all its answers.
func (s *Store) FixedTrend(ctx context.Context, most int) (*FixedTrend, error) {
	t, ids, err := s.sharing(ctx, most)
	if err != nil || t == nil {
		return nil, s.failed(err)
	}
	var names []string
	versions := make([]map[string]string, len(t.Runs))
	for i := range t.Runs {
		run := &t.Runs[i]
		if err := s.fixedCounts(ctx, run, ids); err != nil {
			return nil, s.failed(err)
		}
		tools, err := s.tools(ctx, run.Run)
		if err != nil {
			return nil, err
		}
		versions[i] = map[string]string{}
		for _, tool := range tools {
			versions[i][tool.Name] = tool.Version
			if !slices.Contains(names, tool.Name) {
				names = append(names, tool.Name)
			}
		}
	}
	for _, name := range names {
		answers, err := s.fixedAnswers(ctx, t.Runs, ids, name)
		if err != nil {
			return nil, s.failed(err)
		}
		clocked := sharedAnswers(answers)
		for i, list := range answers {
			if len(list) > 0 {
				t.Runs[i].Tools = append(t.Runs[i].Tools, meanAnswer(name, versions[i][name], list, clocked))
			}
		}
	}
	return t, nil
}

// ofRun selects the cases of a run with some formulas, given as a list of their numbers, each
// once.
const ofRun = `(SELECT max(number) AS number, formula FROM cases
	WHERE formula IN (SELECT value FROM json_each(?2)) AND run = ?1 AND NOT replayed GROUP BY formula)`

// sharing returns the runs that share formulas, and the numbers of these as JSON. It is nil if
// there are none.
func (s *Store) sharing(ctx context.Context, most int) (*FixedTrend, string, error) {
	t := &FixedTrend{}
	columns := func(x *outcome.Trend) []any { return aRun(&x.RunID, &t.File, &x.New) }
	runs, err := query(ctx, s.reads(), columns, `WITH whole AS (SELECT * FROM runs WHERE totals IS NOT NULL AND ended IS NOT NULL AND shards = 1 AND NOT pruned)
		SELECT file, (SELECT count(*) FROM sightings WHERE run = whole.id AND state IN (?, ?)), id, name, started, seed FROM whole
		WHERE file = (SELECT file FROM whole ORDER BY id DESC LIMIT 1) ORDER BY id DESC LIMIT ?`,
		outcome.StateNew, outcome.StateBackAgain, most)
	if err != nil || len(runs) < 2 {
		return nil, "", err
	}
	common := map[int64]int{} // how many runs have a formula of the last one
	have := make([][]int64, len(runs))
	best := 0
	for i, run := range runs {
		have[i], err = query(ctx, s.reads(), column[int64], `SELECT DISTINCT formula FROM cases WHERE run = ?1 AND NOT replayed
			AND formula IN (SELECT formula FROM cases WHERE run = ?2 AND NOT replayed)`, run.Run, runs[0].Run)
		if err != nil {
			return nil, "", err
		}
		if i > 0 { // all but the last run itself
			best = max(best, len(have[i]))
		}
	}
	for i, run := range slices.Backward(runs) {
		if best == 0 || i > 0 && 2*len(have[i]) < best {
			continue
		}
		t.Runs = append(t.Runs, run)
		for _, formula := range have[i] {
			common[formula]++
		}
	}
	ids := []int64{}
	for formula, n := range common {
		if n == len(t.Runs) { // all have it
			ids = append(ids, formula)
		}
	}
	if t.Formulas = len(ids); t.Formulas == 0 || len(t.Runs) < 2 {
		return nil, "", nil
	}
	slices.Sort(ids)
	list, err := json.Marshal(ids)
	return t, string(list), err
}

// fixedCounts sets the counts of a run over some formulas.
func (s *Store) fixedCounts(ctx context.Context, t *outcome.Trend, ids string) error {
	return s.reads().QueryRowContext(ctx, `WITH of_run AS `+ofRun+` SELECT (SELECT count(*) FROM of_run),
			(SELECT count(DISTINCT number) FROM witnesses JOIN of_run USING (number) WHERE run = ?1),
			(SELECT count(*) FROM results JOIN of_run USING (number) WHERE run = ?1 AND status NOT IN ('ok', 'skipped'))`, t.Run, ids).
		Scan(&t.Formulas, &t.Disagreeing, &t.Failures)
}

// A fixedAnswer is an automaton that a translator made of a formula of all runs.
type fixedAnswer struct {
	fixedInput
	states, edges int
	seconds, cpu  float64
}

type fixedInput struct {
	formula int64
	negated bool
}

// fixedAnswers returns the automata that a translator made in each run, ordered by their inputs.
func (s *Store) fixedAnswers(ctx context.Context, runs []outcome.Trend, ids, name string) ([][]fixedAnswer, error) {
	columns := func(x *fixedAnswer) []any {
		return []any{&x.formula, &x.negated, &x.states, &x.edges, &x.seconds, &x.cpu}
	}
	answers := make([][]fixedAnswer, len(runs))
	for i, run := range runs {
		var err error
		answers[i], err = query(ctx, s.reads(), columns, `SELECT of_run.formula, negated, states, edges, time, cpu_time FROM `+ofRun+` AS of_run
			JOIN results ON results.run = ?1 AND results.number = of_run.number
				AND translator = (SELECT place FROM translators WHERE run = ?1 AND name = ?3)
			WHERE status = 'ok' ORDER BY 1, 2`, run.Run, ids, name)
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// sharedAnswers leaves only answers for inputs that all runs have, and none of runs that have less
// than half as many as another one. It reports whether the processor times of all are known.
func sharedAnswers(answers [][]fixedAnswer) (clocked bool) {
	best, enough := 0, 0
	for _, list := range answers {
		best = max(best, len(list))
	}
	count := map[fixedInput]int{}
	for i, list := range answers {
		if 2*len(list) < best {
			answers[i] = nil
			continue
		}
		enough++
		for _, x := range list {
			count[x.fixedInput]++
		}
	}
	clocked = true
	for i, list := range answers {
		answers[i] = slices.DeleteFunc(list, func(x fixedAnswer) bool { return count[x.fixedInput] < enough }) // some run has no answer
		clocked = clocked && !slices.ContainsFunc(answers[i], func(x fixedAnswer) bool { return x.cpu <= 0 })
	}
	return clocked
}

// meanAnswer returns the means over some answers.
func meanAnswer(name, version string, list []fixedAnswer, clocked bool) outcome.TrendTotal {
	total := outcome.TrendTotal{Name: name, Version: version, Made: len(list)}
	n := float64(len(list))
	for _, x := range list {
		total.States += float64(x.states) / n
		total.Edges += float64(x.edges) / n
		if clocked {
			total.Seconds += x.cpu / n
		} else {
			total.Seconds += x.seconds / n
		}
	}
	return total
}
