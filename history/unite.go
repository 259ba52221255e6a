package history

import (
	"cmp"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A shardKey is what the shards of one run have in common.
type shardKey struct {
	hash, file, name, seed, replayed, tools, version string
	shards                                           int
}

func (info *Info) shardKey(shards int) shardKey {
	replayed, err := json.Marshal(info.Replayed)
	tools, err2 := json.Marshal(info.Tools)
	if err != nil || err2 != nil {
		panic("lists of texts have a JSON")
	}
	seed, _ := seedText(info.Seed).(string)
	return shardKey{info.Hash, info.File, info.Name, seed, string(replayed), string(tools), info.Version, shards}
}

// differs says what two shards that might be of one run do not have in common.
func (k shardKey) differs(other shardKey) string {
	var list []string
	for _, x := range []struct{ what, a, b string }{
		{"configurations", k.hash, other.hash}, {"names of the configuration", k.file, other.file}, {"names", k.name, other.name},
		{"seeds", k.seed, other.seed}, {"formulas of earlier failures (they did not begin with the same history)", k.replayed, other.replayed},
		{"translators or versions of them", k.tools, other.tools}, {"versions of xcheck", k.version, other.version},
	} {
		if x.a != x.b {
			list = append(list, x.what)
		}
	}
	return strings.Join(list, ", ")
}

// unite makes runs of the shards.
func (m *merge) unite() error {
	slices.SortStableFunc(m.shards, func(a, b *piece) int { return a.Started.Compare(b.Started) })
	var keys []shardKey
	groups := map[shardKey][]*piece{}
	unions, err := m.unions()
	if err != nil {
		return err
	}
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
			if other != key && other.hash == key.hash && other.name == key.name && other.shards == key.shards {
				u.Notes = append(u.Notes, fmt.Sprintf("%s is no shard of the same run: other %s", groups[other][0].name(m.into), key.differs(other)))
			}
		}
	}
	return nil
}

// unions returns the unions that are there.
func (m *merge) unions() (list []*Info, err error) {
	here, err := m.into.Runs(m.ctx)
	return slices.DeleteFunc(here, func(info *Info) bool { return len(info.Parts) == 0 }), err
}

// repeated reports whether a shard did not end, and was begun once more: then a union has the
// one that did.
func (p *piece) repeated(key shardKey, unions []*Info) bool {
	return !p.Finished && slices.ContainsFunc(unions, func(info *Info) bool {
		return info.shardKey(p.Shards) == key && slices.ContainsFunc(info.Parts, func(part Part) bool {
			return part.Shard == p.Shard && part.Shards == p.Shards && part.Finished && !part.Started.Before(p.Started)
		})
	})
}

// single leaves one run for each shard: the one that has ended. The error says that there are
// several.
func (m *merge) single(pieces []*piece) (list []*piece, err error) {
	for _, p := range pieces {
		i := slices.IndexFunc(list, func(other *piece) bool { return other.Shard == p.Shard })
		switch {
		case i < 0:
			list = append(list, p)
		case list[i].Finished == p.Finished:
			return nil, fmt.Errorf("shard %d/%d is there twice, as %s and as %s: expected one; give the shards of each run a --name of their own, or leave out the older file",
				p.Shard, p.Shards, list[i].name(m.into), p.name(m.into))
		case p.Finished:
			list[i] = p
		}
	}
	return list, nil
}

// union makes a run of shards, or adds them to one that lacks them, and returns its number.
func (m *merge) union(key shardKey, pieces []*piece, unions []*Info) (run int64, err error) {
	i := slices.IndexFunc(unions, func(info *Info) bool {
		return !info.Finished && info.shardKey(info.Parts[0].Shards) == key && !slices.ContainsFunc(info.Parts, func(part Part) bool {
			return slices.ContainsFunc(pieces, func(p *piece) bool { return p.Shard == part.Shard })
		})
	})
	if i >= 0 {
		run = unions[i].Run
	} else if run, err = m.copyRun(pieces[0], 0); err != nil {
		return 0, err
	}
	m.change(run, i >= 0)
	for _, p := range pieces {
		if err := m.addPart(run, p); err != nil {
			return 0, err
		}
		if p.from == nil {
			if err := m.delete(p.Run); err != nil {
				return 0, err
			}
		}
	}
	return run, nil
}

// finish completes the unions, the one that was begun first first, as those after it are
// compared with it.
func (m *merge) finish(finish func(*Union) (int, []byte, error)) error {
	for _, u := range m.changed {
		if err := m.complete(u); err != nil {
			return err
		}
		m.merged.Unions = append(m.merged.Unions, u)
	}
	slices.SortFunc(m.merged.Unions, func(a, b *Union) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Run, b.Run))
	})
	for _, u := range m.merged.Unions {
		status, totals, err := finish(u)
		if err != nil {
			return err
		}
		if err := m.end(u, status, totals); err != nil {
			return err
		}
	}
	return nil
}

// complete finds out what is known of a union from its parts.
func (m *merge) complete(u *Union) error {
	run := u.Night.Run
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
	for i := 1; i <= info.Parts[0].Shards; i++ {
		if !there[i] {
			u.Missing = append(u.Missing, i)
		}
	}
	_, err = m.tx.ExecContext(m.ctx, "UPDATE runs SET started = ?, alive = ?, spent = ?, cases = NULL WHERE id = ?", toText(started), alive, spent, run)
	if err != nil {
		return err
	}
	if info, err = m.into.Info(m.ctx, run); err == nil {
		u.Info = *info
	}
	return err
}

// end notes how a union ended: it has, if all its shards have, with the last of them.
func (m *merge) end(u *Union, status int, totals []byte) error {
	var ended sql.NullString
	if u.Whole() {
		for _, part := range u.Parts {
			ended.Valid, ended.String = true, max(ended.String, part.ended.String)
		}
	}
	run := u.Night.Run
	_, err := m.tx.ExecContext(m.ctx, `UPDATE runs SET ended = ?, status = ?, totals = ?,
		good = ? AND NOT EXISTS (SELECT 1 FROM sightings WHERE run = runs.id AND state IN (?, ?)) WHERE id = ?`,
		ended, status, string(totals), u.Whole(), New, BackAgain, run)
	if err != nil {
		return err
	}
	if err := sumUp(m.ctx, m.tx, run); err != nil {
		return err
	}
	info, err := m.into.Info(m.ctx, run)
	if err == nil {
		u.Info = *info
	}
	return err
}

// newUID names a run.
func newUID() string {
	uid := make([]byte, 16)
	rand.Read(uid) // never fails
	return hex.EncodeToString(uid)
}
