package history

import (
	"context"
	"database/sql"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/outcome"
)

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
