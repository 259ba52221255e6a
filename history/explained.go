package history

import (
	"context"
	"database/sql"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A replay is a formula by which failures of a translator are looked for.
type replay struct {
	translator string
	category   outcome.Class
	formula    string
}

// there returns the replays of the groups that were there when last seen, if some cause is of formulas
// that were not shrunk.
func (r *Run) there(ctx context.Context, tx *sql.Tx, causes []*outcome.Cause) (map[replay]bool, error) {
	if !slices.ContainsFunc(causes, func(c *outcome.Cause) bool { return !c.Ground }) {
		return nil, nil
	}
	known, err := failures(ctx, tx)
	if err != nil {
		return nil, err
	}
	there := map[replay]bool{}
	for _, k := range known {
		before, _, _, err := r.earlier(ctx, tx, k.id)
		if err != nil {
			return nil, err
		}
		if before == outcome.StateFixed || before == "" {
			continue
		}
		formulas, err := texts(ctx, tx, "SELECT formula FROM replays WHERE failure = ?", k.id)
		if err != nil {
			return nil, err
		}
		for _, formula := range formulas {
			there[replay{k.translator, k.group.Class.Category(), formula}] = true
		}
	}
	return there, nil
}

// unexplained returns a cause without the translators for which it is only what groups show that are
// still there. These groups come from runs that shrank formulas. If this run does not, the failures of
// their replays become one cause with another key:
//
//	before    a | words | Xp0, replayed by X(p0 & p1); a | words | p0 U p1, replayed by p0 U p1
//	this run  a | words, of X(p0 & p1) and p0 U p1
//
// A cause that has another formula, too, stays as it is. So does one whose key was met before and is
// not fixed.
func (r *Run) unexplained(ctx context.Context, tx *sql.Tx, c *outcome.Cause, there map[replay]bool, decided *Decided) (*outcome.Cause, error) {
	if c.Ground || len(c.Indexes) == 0 {
		return c, nil
	}
	rest := *c
	rest.Translators = nil
	for _, translator := range c.Translators {
		explained := true
		for _, i := range c.Indexes {
			formula, ok := decided.replayed[i]
			explained = explained && ok && there[replay{translator, c.Class.Category(), formula}]
		}
		if explained {
			var id int64
			err := tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM failures WHERE key = ?", c.Group([]string{translator}).Key).Scan(&id)
			if err != nil {
				return nil, err
			}
			before, _, _, err := r.earlier(ctx, tx, id)
			if err != nil {
				return nil, err
			}
			explained = before == "" || before == outcome.StateFixed
		}
		if !explained {
			rest.Translators = append(rest.Translators, translator)
		}
	}
	return &rest, nil
}
