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

	"github.com/xcheck-ltl/xcheck/outcome"
)

// replaysOfOne is by how many formulas one failure of a translator is replayed at most.
const replaysOfOne = 3

// A question is a formula that a translator got.
type question struct{ formula, translator string }

// Replays returns the formulas on which one of the translators failed in earlier runs, the
// shortest first. They come from all groups, fixed ones included, and from killed runs, which
// have no groups. When a later run with the translator has completed and replayed the formulas
// of a killed run, its groups have what still fails.
func (s *Store) Replays(ctx context.Context, translators []string) (list []string, err error) {
	err = s.Snapshot(ctx, func(s *Store) error { // a killed run may be resumed, and end, at any moment
		list, err = s.replays(ctx, translators)
		return err
	})
	return list, err
}

func (s *Store) replays(ctx context.Context, translators []string) ([]string, error) {
	names, err := json.Marshal(translators)
	if err != nil {
		return nil, err
	}
	list, err := texts(ctx, s.reads(), "SELECT DISTINCT replays.formula FROM replays JOIN failures ON failures.id = failure WHERE translator IN (SELECT value FROM json_each(?))", string(names))
	if err != nil {
		return nil, s.failed(err)
	}
	type lost struct {
		question
		run int64
	}
	// CROSS JOIN has SQLite look at the runs first.
	killed, err := query(ctx, s.reads(), func(x *lost) []any { return []any{&x.run, &x.formula, &x.translator} }, `SELECT runs.id, text, translators.name
		FROM runs CROSS JOIN cases ON cases.run = runs.id JOIN formulas ON formulas.id = formula JOIN translators ON translators.run = runs.id
		WHERE totals IS NULL AND cases.failed AND translators.name IN (SELECT value FROM json_each(?)) ORDER BY runs.id`, string(names))
	if err != nil {
		return nil, s.failed(err)
	}
	if len(killed) > 0 {
		replayed, err := s.replayed(ctx, killed[0].run)
		if err != nil {
			return nil, err
		}
		for _, x := range killed {
			if replayed[x.question] <= x.run { // no later run
				list = append(list, x.formula)
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	return slices.Compact(list), nil
}

// replayed returns the last of the runs after some run that has replayed a question and has ended. A shard
// and a run that reached its deadline replay only some formulas, and their cases tell which. A pruned run has no
// cases, so it counts as one that replayed all.
func (s *Store) replayed(ctx context.Context, after int64) (map[question]int64, error) {
	runs, err := s.infos(ctx, "WHERE runs.id > ? AND ended IS NOT NULL", after)
	if err != nil {
		return nil, err
	}
	last := map[question]int64{}
	for _, x := range runs {
		var formulas []string
		if x.Pruned {
			for i, formula := range x.Replayed {
				if i%x.Shards == x.Shard-1 {
					formulas = append(formulas, formula)
				}
			}
		} else if formulas, err = texts(ctx, s.reads(), `SELECT text FROM cases JOIN formulas ON formulas.id = formula
			WHERE run = ? AND number < ? AND cases.replayed`, x.Run, len(x.Replayed)); err != nil {
			return nil, s.failed(err)
		}
		for _, t := range x.Tools {
			for _, formula := range formulas {
				last[question{formula, t.Name}] = x.Run
			}
		}
	}
	return last, nil
}

// A Decided records what the replays of a run have shown: for which formulas translators gave
// automata that could be checked, and for which they were called at all.
type Decided struct {
	// NoLanguages and NoProperties are set if the run does not compare languages, or does not
	// check declared properties. Then it can't decide these.
	NoLanguages, NoProperties bool

	answers  map[question]*replay
	replayed map[int32]string // formulas of the cases, by their indexes
}

// A replay is what became of a formula that a translator got again.
type replay struct {
	checked  bool            // all its automata were checked, so a false property would show
	compared bool            // with what would show wrong words
	asked    bool            // it was called for the formula and its negation
	failed   []outcome.Class // categories of failures that are still there
}

// Add records a case of the run. Only replayed cases count.
func (d *Decided) Add(c *outcome.Case) {
	if c == nil || !c.Replayed {
		return
	}
	if d.answers == nil {
		d.answers, d.replayed = map[question]*replay{}, map[int32]string{}
	}
	text := c.Text()
	d.replayed[int32(c.Index)] = text
	of := map[string]*replay{}
	for i := range c.Results {
		r := &c.Results[i]
		x := of[r.Translator]
		if x == nil {
			x = &replay{checked: c.Checked, compared: compared(c, r.Translator), asked: true}
			of[r.Translator], d.answers[question{text, r.Translator}] = x, x
		}
		about := func(u outcome.Undecided) bool { return strings.Contains(u.Check, r.Subject.Symbol()) }
		x.checked = x.checked && r.Status == outcome.OK && !slices.ContainsFunc(c.Undecided, about) // otherwise it is not known to be right
		x.asked = x.asked && r.Status != outcome.Skipped && r.Asked()
	}
	for _, f := range c.Faults() {
		if x := of[f.Translator]; x != nil {
			x.failed = append(x.failed, f.Class.Category())
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
	x := d.answers[question{formula, translator}]
	return x != nil && slices.Contains(x.failed, class.Category())
}

// could reports whether the run could tell that a failure is not there any more.
func (d *Decided) could(translator string, class outcome.Class, formula string) bool {
	x := d.answers[question{formula, translator}]
	switch {
	case x == nil:
		return false
	case class.Words:
		return x.checked && x.compared && !d.NoLanguages
	case class.IsProperty():
		return x.checked && !d.NoProperties
	}
	return x.asked // a call that failed is fixed if the translator was called and did not fail
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
