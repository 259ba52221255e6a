package history

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// MaxShards is how many shards a run may have.
const MaxShards = 10_000

// A Part is a shard of a merged run.
type Part struct {
	Shard, Shards int
	UID           string
	Started       time.Time
	Spent         float64 // seconds at work
	Finished      bool    // it came to its end
	Ended         time.Time
	// Totals is the part of the shard's JSON document beside its cases. It is nil for a killed shard.
	Totals []byte

	alive string
}

// A Union is a run merged from shards. Its cases are stored. Whatever depends on all of them
// must be computed again.
type Union struct {
	Info
	// Store is the history with the union in it. Do not use it later.
	Store *Store
	// Missing are the shards that are not there, Unfinished those that have not ended.
	Missing, Unfinished []int
	// Notes say why shards that seem to be missing were not merged.
	Notes []string
	// Mixed are the translators whose programs are not the same in all shards.
	Mixed []string
}

// Whole reports whether all shards are there and have ended.
func (u *Union) Whole() bool { return len(u.Missing)+len(u.Unfinished) == 0 }

// Compare is [Run.Compare] of the union.
func (u *Union) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	r := &Run{RunID: u.RunID, store: u.Store, places: places(u.Tools)}
	return r.Compare(ctx, causes, again, decided)
}

// Unreplayed returns how many formulas on which a translator of the union failed in earlier runs its
// shards have not replayed.
func (u *Union) Unreplayed(ctx context.Context) (n int, err error) {
	if err := u.Store.check(); err != nil {
		return 0, err
	}
	err = u.Store.reads().QueryRowContext(ctx, `SELECT count(DISTINCT replays.formula) FROM replays JOIN failures ON failures.id = failure
		JOIN translators ON translators.run = ?1 AND translators.name = failures.translator
		WHERE EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id AND run < ?1)
			AND replays.formula NOT IN (SELECT value FROM runs JOIN json_each(replayed) WHERE runs.id = ?1)`, u.Run).Scan(&n)
	return n, u.Store.failed(err)
}

func (m *merge) addPart(run int64, p *piece) error {
	m.parts = append(m.parts, p)
	if err := m.copyCases(p, run); err != nil {
		return err
	}
	var totals, ended any
	if p.Totals != nil {
		totals = string(p.Totals)
	}
	if p.Finished {
		ended = toText(p.Ended)
	}
	return execute(m.ctx, m.tx, "INSERT INTO parts (run, shard, shards, uid, started, spent, ended, alive, totals) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		run, p.Shard, p.Shards, p.uid, toText(p.Started), p.Spent, ended, p.alive, totals)
}

// parts returns the shards that a run was united from, in order.
func (s *Store) parts(ctx context.Context, run int64) ([]Part, error) {
	columns := func(p *Part) []any {
		return []any{&p.Shard, &p.Shards, &p.UID, aTime(&p.Started), &p.Spent, &p.Finished, aTime(&p.Ended), &p.alive, &p.Totals}
	}
	parts, err := query(ctx, s.reads(), columns, "SELECT shard, shards, uid, started, spent, ended IS NOT NULL, ended, alive, totals FROM parts WHERE run = ? ORDER BY shard", run)
	return parts, s.failed(err)
}

// A shardKey is what the shards of one run have in common.
type shardKey struct {
	hash, file, name, seed, replayed, versions, version string
	shards                                              int
}

func (info *Info) shardKey(shards int) shardKey {
	// The hash covers the commands, except for the path of a built-in translator.
	var tools []string
	for _, t := range info.Tools {
		tools = append(tools, t.Name, t.Version)
	}
	return shardKey{info.Hash, info.File, info.Name, fmt.Sprint(seedText(info.Seed)), fmt.Sprintf("%q", info.Replayed), fmt.Sprintf("%q", tools), info.Version, shards}
}

// differs says what two shards that may have been meant to be of one run do not have in common.
func (p *piece) differs(other *piece) string {
	k, l := p.shardKey(p.Shards), other.shardKey(other.Shards)
	var list []string
	for _, x := range []struct{ what, a, b string }{
		{"configurations (" + difference(p.Configuration, other.Configuration) + ")", k.hash, l.hash}, {"paths of the configuration", k.file, l.file},
		{"seeds", k.seed, l.seed}, {"replayed failures (the shards started from different histories)", k.replayed, l.replayed},
		{"versions of the translators", k.versions, l.versions}, {"versions of xcheck", k.version, l.version},
	} {
		if x.a != x.b {
			list = append(list, x.what)
		}
	}
	return strings.Join(list, ", ")
}

// unite makes runs of the shards.
func (m *merge) unite() error {
	var keys []shardKey
	groups := map[shardKey][]*piece{}
	unions, err := m.into.Runs(m.ctx)
	if err != nil {
		return err
	}
	unions = slices.DeleteFunc(unions, func(info *Info) bool { return len(info.Parts) == 0 })
	m.agree(unions)
	for _, p := range m.shards {
		key := p.shardKey(p.Shards)
		if p.repeated(key, unions) {
			m.merged.Known++
			continue
		}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	for _, key := range keys {
		pieces, err := m.single(groups[key])
		if err != nil {
			return err
		}
		run, err := m.union(key, pieces, unions)
		if err != nil {
			return err
		}
		u := m.changed[run]
		for _, other := range keys {
			// Shards of the same name, or without one of the same configuration, may have been meant for one run.
			if key != other && key.name == other.name && key.shards == other.shards && (key.name != "" || key.hash == other.hash) {
				u.Notes = append(u.Notes, fmt.Sprintf("%s belongs to another run: different %s", groups[other][0].name(m.into), pieces[0].differs(groups[other][0])))
			}
		}
	}
	return nil
}

// agree lets shards whose host was too slow to find out the version of a translator have the version
// that the others have.
func (m *merge) agree(unions []*Info) {
	known := map[shardKey][]string{}
	list := slices.Clone(m.shards)
	for _, info := range unions {
		list = append(list, &piece{Info: info})
	}
	for range 2 { // what the last one knows is for the first one, too
		for _, p := range list {
			shards := p.Shards
			if len(p.Parts) > 0 {
				shards = p.Parts[0].Shards
			}
			key := p.shardKey(shards)
			key.versions = "" // all else must agree
			if known[key] == nil {
				known[key] = make([]string, len(p.Tools))
			}
			for i, version := range known[key] {
				p.Tools[i].Version = cmp.Or(p.Tools[i].Version, version)
				known[key][i] = cmp.Or(version, p.Tools[i].Version)
			}
		}
	}
}

// repeated reports whether a shard did not end, and was begun once more: then a union has the one that did.
func (p *piece) repeated(key shardKey, unions []*Info) bool {
	return !p.Finished && slices.ContainsFunc(unions, func(info *Info) bool {
		return info.shardKey(p.Shards) == key && slices.ContainsFunc(info.Parts, func(part Part) bool {
			return part.Shard == p.Shard && part.Shards == p.Shards && part.Finished && !part.Started.Before(p.Started)
		})
	})
}

// single leaves one run for each shard: the one that has ended. The error says that there are several.
func (m *merge) single(pieces []*piece) (list []*piece, err error) {
	for _, p := range pieces {
		i := slices.IndexFunc(list, func(other *piece) bool { return other.Shard == p.Shard })
		switch {
		case i < 0:
			list = append(list, p)
		case list[i].Finished == p.Finished:
			return nil, fmt.Errorf("shard %d/%d occurs twice, as %s and as %s: leave out the older file, or give each run its own --name",
				p.Shard, p.Shards, list[i].name(m.into), p.name(m.into))
		case p.Finished:
			list[i] = p
		}
	}
	return list, nil
}

// union makes a run of shards, or adds them to one that lacks them, and returns its number.
func (m *merge) union(key shardKey, pieces []*piece, unions []*Info) (run int64, err error) {
	// A union that lacks all of these shards takes them.
	i := slices.IndexFunc(unions, func(info *Info) bool {
		return !info.Finished && info.shardKey(info.Parts[0].Shards) == key && !slices.ContainsFunc(info.Parts, func(part Part) bool {
			return slices.ContainsFunc(pieces, func(p *piece) bool { return p.Shard == part.Shard })
		})
	})
	first := pieces[0].Info
	if i >= 0 {
		first, run = unions[i], unions[i].Run
	} else if run, err = m.copyRun(pieces[0], 0); err != nil {
		return 0, err
	}
	m.change(run)
	u, programs := m.changed[run], m.Programs(first)
	for _, p := range pieces {
		is := m.Programs(p.Info)
		for name, was := range programs {
			if is[name] != "" && is[name] != was && !slices.Contains(u.Mixed, name) {
				u.Mixed = append(u.Mixed, name)
			}
		}
		if err := m.addPart(run, p); err != nil {
			return 0, err
		}
		if p.from == "" { // the shard itself was a run of this history
			if err := m.delete(p.Run); err != nil {
				return 0, err
			}
		}
	}
	return run, nil
}

// finish ends the unions, in the order of their numbers, as Finish compares each with those before it.
func (m *merge) finish() error {
	for run, u := range m.changed {
		if err := m.summarize(run, u); err != nil {
			return err
		}
		m.merged.Unions = append(m.merged.Unions, u)
	}
	slices.SortFunc(m.merged.Unions, func(a, b *Union) int { return cmp.Compare(a.Run, b.Run) })
	for _, u := range m.merged.Unions {
		status, totals, err := m.Finish(u)
		if err != nil {
			return cmp.Or(m.damaged(), err)
		}
		if err := m.end(u, status, totals); err != nil {
			return err
		}
	}
	return nil
}

// damaged returns why the file of some shard can't be read: cases and totals are copied as they are,
// and the error of the union would name the history that they are copied to.
func (m *merge) damaged() error {
	for _, p := range m.parts {
		from, err := m.source(p)
		if err == nil {
			err = from.Cases(m.ctx, p.Run, func(*outcome.Case) error { return nil })
		}
		if err == nil && p.Totals != nil && !json.Valid(p.Totals) {
			err = from.failed(fmt.Errorf("run %d: damaged totals", p.Run))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// summarize finds out what is known of a union from its parts.
func (m *merge) summarize(run int64, u *Union) error {
	info, err := m.into.Info(m.ctx, run)
	if err != nil {
		return err
	}
	started, alive, spent := info.Parts[0].Started, "", 0.0
	there := map[int]bool{}
	for _, part := range info.Parts {
		there[part.Shard] = true
		if !part.Finished {
			u.Unfinished = append(u.Unfinished, part.Shard)
		}
		if part.Started.Before(started) {
			started = part.Started
		}
		alive = max(alive, part.alive)
		spent += part.Spent
	}
	for i := 1; i <= min(info.Parts[0].Shards, MaxShards); i++ {
		if !there[i] {
			u.Missing = append(u.Missing, i)
		}
	}
	// The cases are counted again at the end.
	err = execute(m.ctx, m.tx, "UPDATE runs SET started = ?, alive = ?, spent = ?, cases = NULL WHERE id = ?", toText(started), alive, spent, run)
	return errors.Join(err, m.reload(run, u))
}

// reload reads what the history now has of a union.
func (m *merge) reload(run int64, u *Union) error {
	info, err := m.into.Info(m.ctx, run)
	if err == nil {
		u.Info = *info
	}
	return err
}

// end notes how a union ended: it has, if all its shards have, with the last of them.
func (m *merge) end(u *Union, status int, totals []byte) error {
	var ended any
	if u.Whole() {
		last := slices.MaxFunc(u.Parts, func(a, b Part) int { return a.Ended.Compare(b.Ended) })
		ended = toText(last.Ended)
	}
	if err := endRun(m.ctx, m.tx, u.RunID.Run, ended, status, totals); err != nil {
		return err
	}
	return m.reload(u.RunID.Run, u)
}

// difference names the first value that differs between two JSON texts, such as Tools[1].Command.
// It returns "" if none does.
func difference(a, b []byte) string {
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		return err.Error()
	}
	path, _ := differ(x, y)
	return strings.TrimPrefix(path, ".")
}

// differ returns where two JSON values differ, and whether they do.
func differ(a, b any) (path string, ok bool) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if path, differs := differ(x[key], y[key]); ok && differs {
				return "." + key + path, true
			}
		}
		return "", !ok || len(x) != len(y)
	case []any:
		y, ok := b.([]any)
		for i := range min(len(x), len(y)) {
			if path, differs := differ(x[i], y[i]); differs {
				return fmt.Sprintf("[%d]%s", i, path), true
			}
		}
		return "", !ok || len(x) != len(y)
	}
	return "", a != b
}
