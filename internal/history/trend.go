package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Trend returns what a run adds to curves over many, and those before it that can be
// compared with it, the newest most of them, the oldest first: runs of a configuration file
// of the same name, with a translator in common. A shard is not among them.
//
// It reads one row for each run and each of its translators, where the sums over their cases
// are; only of runs that were killed it adds up the results.
func (s *Store) Trend(ctx context.Context, run int64, most int) (trend []outcome.Trend, err error) {
	type row struct {
		outcome.Trend
		summed bool
	}
	columns := func(x *row) []any { return aRun(&x.RunID, &x.summed, &x.Formulas, &x.Disagreeing, &x.Failures, &x.New) }
	list, err := query(ctx, s.reads(), columns, `SELECT cases IS NOT NULL, ifnull(formulas, 0), ifnull(disagreeing, 0), ifnull(failures, 0),
			(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN (?3, ?4)), id, name, started, seed
		FROM runs, (SELECT file AS this_file FROM runs WHERE id = ?1)
		WHERE id = ?1 OR file = this_file AND shards = 1 AND id < ?1
			AND EXISTS (SELECT 1 FROM translators JOIN translators AS ours USING (name) WHERE translators.run = runs.id AND ours.run = ?1)
		ORDER BY id DESC LIMIT ?2`, run, most, outcome.StateNew, outcome.StateBackAgain)
	if err != nil {
		return nil, s.failed(err)
	}
	for _, x := range slices.Backward(list) {
		if err := s.trendTools(ctx, &x.Trend, x.summed); err != nil {
			return nil, s.failed(err)
		}
		trend = append(trend, x.Trend)
	}
	return trend, nil
}

// trendTools adds what is known of the translators: by the stored sums, if there are any.
func (s *Store) trendTools(ctx context.Context, t *outcome.Trend, summed bool) error {
	var tools []toolSums
	if summed {
		var err error
		tools, err = query(ctx, s.reads(), (*toolSums).columns, `SELECT place, name, version, 0, 0, ifnull(made, 0), ifnull(states, 0), ifnull(edges, 0), ifnull(seconds, 0.0)
			FROM translators WHERE run = ? ORDER BY place`, t.Run)
		if err != nil {
			return err
		}
	} else {
		sums, err := aggregate(ctx, s.reads(), t.Run)
		if err != nil {
			return err
		}
		tools, t.Formulas, t.Disagreeing, t.Failures = sums.tools, sums.formulas, sums.disagreeing, sums.failures
	}
	for _, of := range tools {
		total := outcome.TrendTotal{Name: of.name, Version: of.version, Made: of.made}
		if n := float64(of.made); n > 0 {
			total.States, total.Edges, total.Seconds = float64(of.states)/n, float64(of.edges)/n, of.seconds/n
		}
		t.Tools = append(t.Tools, total)
	}
	return nil
}

// sumUp stores the sums over the cases of a run: they are asked for more often than they
// change, and are left when the cases are deleted. It takes one pass over the results.
func sumUp(ctx context.Context, tx *sql.Tx, run int64) error {
	sums, err := aggregate(ctx, tx, run)
	if err != nil {
		return err
	}
	err = execute(ctx, tx, `UPDATE runs SET cases = (SELECT count(*) FROM cases WHERE run = runs.id),
		failed = (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed),
		formulas = ?, disagreeing = ?, failures = ? WHERE id = ?`, sums.formulas, sums.disagreeing, sums.failures, run)
	for _, t := range sums.tools {
		err = errors.Join(err, execute(ctx, tx, "UPDATE translators SET made = ?, states = ?, edges = ?, seconds = ? WHERE run = ? AND place = ?",
			t.made, t.states, t.edges, t.seconds, run, t.place))
	}
	return err
}

// runSums are sums over the cases of a run, and over the automata of its translators.
type runSums struct {
	formulas, disagreeing, failures int
	tools                           []toolSums // in their order
}

type toolSums struct {
	place                                   int
	name, version                           string
	formulas, failures, made, states, edges int
	seconds                                 float64
}

func (t *toolSums) columns() []any {
	return []any{&t.place, &t.name, &t.version, &t.formulas, &t.failures, &t.made, &t.states, &t.edges, &t.seconds}
}

func aggregate(ctx context.Context, q querier, run int64) (*runSums, error) {
	sums := &runSums{}
	if err := q.QueryRowContext(ctx, "SELECT count(DISTINCT number) FROM witnesses WHERE run = ?", run).Scan(&sums.disagreeing); err != nil {
		return nil, err
	}
	var err error
	sums.tools, err = query(ctx, q, (*toolSums).columns, `SELECT place, name, version, ifnull(asked, 0), ifnull(failures, 0),
			ifnull(sums.made, 0), ifnull(sums.states, 0), ifnull(sums.edges, 0), ifnull(sums.seconds, 0.0)
		FROM translators LEFT JOIN (SELECT translator, count(DISTINCT number) AS asked, sum(status NOT IN ('ok', 'skipped')) AS failures, sum(status = 'ok') AS made,
			sum(iif(status = 'ok', states, 0)) AS states, sum(iif(status = 'ok', edges, 0)) AS edges, sum(iif(status = 'ok', time, 0.0)) AS seconds
			FROM results WHERE run = ?1 GROUP BY translator) AS sums ON sums.translator = place WHERE run = ?1 ORDER BY place`, run)
	for _, t := range sums.tools {
		sums.formulas = max(sums.formulas, t.formulas)
		sums.failures += t.failures
	}
	return sums, err
}

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
		if err := s.reads().QueryRowContext(ctx, `WITH of_run AS `+ofRun+` SELECT (SELECT count(*) FROM of_run),
				(SELECT count(DISTINCT number) FROM witnesses JOIN of_run USING (number) WHERE run = ?1),
				(SELECT count(*) FROM results JOIN of_run USING (number) WHERE run = ?1 AND status NOT IN ('ok', 'skipped'))`, run.Run, ids).
			Scan(&run.Formulas, &run.Disagreeing, &run.Failures); err != nil {
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
			if len(list) == 0 {
				continue // too few answers
			}
			total := outcome.TrendTotal{Name: name, Version: versions[i][name], Made: len(list)}
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
			t.Runs[i].Tools = append(t.Runs[i].Tools, total)
		}
	}
	return t, nil
}

// ofRun selects the cases of a run with some formulas, given as a list of their numbers, each once.
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
