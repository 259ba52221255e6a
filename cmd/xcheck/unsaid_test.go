package main

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

// A night has a folder of its own, with a history and reports.
type unsaid struct {
	*testing.T
	self string
}

// tool writes the configuration of one translator with some bugs.
func (u *unsaid) tool(name, program, bugs string) {
	u.Helper()
	if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
		u.Fatal(err)
	}
	os.Remove(program)
	if err := os.Symlink(u.self, program); err != nil {
		u.Fatal(err)
	}
	config := fmt.Sprintf("[[translators]]\nname = '%s'\nmode = 'stream'\ncommand = './%s -'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n", name, program, seeded.Variable, bugs)
	if err := os.WriteFile("night.toml", []byte(config), 0o666); err != nil {
		u.Fatal(err)
	}
}

// run runs a night, with flags and formulas.
func (u *unsaid) run(args ...string) (int, string) {
	status, out, errs := invoke("", append([]string{"run", "-c", "night.toml", "--no-builtin", "--no-found", "--history=h.db", "--fail-on-new", "--json=night.json", "--junit=night.xml"}, args...)...)
	return status, out + errs
}

// sqlExec changes the history by hand.
func sqlExec(u *unsaid, text string) (int, string) {
	u.Helper()
	db, err := sql.Open("sqlite", "h.db")
	if err == nil {
		_, err = db.Exec(text)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		u.Fatal(err)
	}
	return 0, ""
}

const known, second = "-fG(c | (a U b))", "-fG(c | XXa)"

// TestNothingUnsaid is the matrix of causes and commands: in each case the run, and what shows it again, ends
// with the status, and says why.
func TestNothingUnsaid(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first := func(u *unsaid, args ...string) {
		u.tool("mine", "mine", "U is W")
		u.run(append(args, known)...)
	}
	shard := func(u *unsaid, part, file string) {
		must(u.T, []int{0, 1, 3}, "run", "-c", "night.toml", "--no-builtin", "--no-found", "--history="+file, "--fail-on-new", "--name=n", "--shard="+part, "-fGa", "-fFa", "-fXa")
	}
	type cell struct {
		status int
		says   string // in the last lines
	}
	for _, c := range []struct {
		cause string
		night func(u *unsaid) (int, string)
		// of the run or merge itself, and of report, report --fail-on-new, history show; then JSON and JUnit
		run, report, onlyNew, show cell
		json, junit                string
	}{
		{"first run", func(u *unsaid) (int, string) { u.tool("mine", "mine", "none"); return u.run(known) },
			cell{0, "first run: nothing to replay"}, cell{0, ""}, cell{0, "first run: nothing to replay"}, cell{0, ""}, `"first_run":true`, `errors="0"`},
		{"same bug again", func(u *unsaid) (int, string) { first(u); return u.run("-fX(c | G(c | (a U b)))") },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`},
		{"same bug, shrunk now", func(u *unsaid) (int, string) { first(u); return u.run("--grind", known) },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`},
		{"same bug, shrunk before", func(u *unsaid) (int, string) { first(u, "--grind"); return u.run(known) },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`},
		{"second bug", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run(known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `},
		{"second bug, no calls left", func(u *unsaid) (int, string) {
			first(u, "--grind", "--grind-calls=1")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run("--grind", "--grind-calls=1", known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `},
		{"second bug, shrunk", func(u *unsaid) (int, string) {
			first(u, "--grind")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run("--grind", known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `},
		{"repaired, and another one", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine", "mine", "X is ignored")
			return u.run(known, second)
		}, cell{1, "1 new, 1 fixed"}, cell{0, ""}, cell{1, "1 new, 1 fixed"}, cell{0, "fixed"}, `"exit_status":1`, `new: `},
		{"renamed, with a second bug", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine-2.0", "mine", "U is W, X is ignored")
			return u.run("-fGa", second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `},
		{"renamed", func(u *unsaid) (int, string) { first(u); u.tool("mine-2.0", "mine", "U is W"); return u.run("-fGa") },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`},
		{"another directory", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine-2.0", "opt/mine", "none")
			return u.run("-fGa")
		}, cell{0, "1 fixed"}, cell{0, ""}, cell{0, "1 fixed"}, cell{0, "fixed"}, `"exit_status":0`, `failures="0"`},
		{"another program", func(u *unsaid) (int, string) { first(u); u.tool("other", "other", "none"); return u.run("-fGa") },
			cell{3, "known failures of mine belong to no translator"}, cell{3, "known failures of mine"}, cell{3, "known failures of mine"}, cell{0, ""}, `"gone_translators":["mine"]`, `known failures of mine`},
		{"empty input", func(u *unsaid) (int, string) {
			first(u)
			os.WriteFile("empty", nil, 0o666)
			return u.run("-Fempty")
		}, cell{3, "nothing was checked but earlier failures"}, cell{3, "nothing was"}, cell{3, "nothing was"}, cell{0, ""}, `"exit_status":3`, "nothing was"},
		{"two of three shards", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "none")
			shard(u, "1/3", "1.db")
			shard(u, "2/3", "2.db")
			status, out, errs := invoke("", "merge", "--into", "h.db", "1.db", "2.db")
			return status, out + errs
		}, cell{1, "shard 3 of 3 is missing"}, cell{3, "shard 3"}, cell{3, "shard 3"}, cell{3, ""}, "", ""},
		{"two of three shards, merged twice", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "none")
			shard(u, "1/3", "1.db")
			shard(u, "2/3", "2.db")
			must(u.T, []int{1}, "merge", "--into", "h.db", "1.db", "2.db")
			status, out, errs := invoke("", "merge", "--into", "h.db", "1.db", "2.db")
			return status, out + errs
		}, cell{1, "shard 3 of 3 is missing"}, cell{3, "INTERRUPTED"}, cell{3, "INTERRUPTED"}, cell{3, ""}, "", ""},
		{"interrupted", func(u *unsaid) (int, string) {
			first(u)
			return sqlExec(u, "UPDATE runs SET ended = NULL, status = NULL, totals = NULL")
		}, cell{0, ""}, cell{3, "INTERRUPTED"}, cell{2, "does not say what is new"}, cell{3, ""}, "", ""},
		{"interrupted, merged", func(u *unsaid) (int, string) {
			first(u)
			sqlExec(u, "UPDATE runs SET ended = NULL, status = NULL, totals = NULL")
			status, out, errs := invoke("", "merge", "--into", "all.db", "h.db")
			return status, out + errs
		}, cell{1, "run 1 is unfinished"}, cell{-1, ""}, cell{-1, ""}, cell{-1, ""}, "", ""},
		{"replay cut short", func(u *unsaid) (int, string) { first(u); return u.run("--for=1ms", "--seed=1") },
			cell{2, "no formula finished"}, cell{3, "not replayed"}, cell{3, "not replayed"}, cell{3, ""}, `"unreplayed":1`, "not replayed"},
		{"history missing", func(u *unsaid) (int, string) {
			first(u)
			for _, name := range []string{"h.db", "h.db-wal", "h.db-shm"} {
				os.Remove(name)
			}
			return u.run("-fGa")
		}, cell{0, "first run: nothing to replay"}, cell{0, ""}, cell{0, "first run"}, cell{0, ""}, `"first_run":true`, `errors="0"`},
		{"history cut", func(u *unsaid) (int, string) {
			first(u)
			os.Remove("h.db-wal")
			if err := os.Truncate("h.db", 20000); err != nil {
				u.Fatal(err)
			}
			return u.run("-fGa")
		}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, "", ""},
		{"clock back", func(u *unsaid) (int, string) {
			first(u)
			sqlExec(u, "UPDATE runs SET started = '2099-01-01T00:00:00.000000000Z'")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run(known, second)
		}, cell{1, "new"}, cell{-1, ""}, cell{-1, ""}, cell{-1, ""}, `"exit_status":1`, "new: "},
		{"one shard", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "none")
			shard(u, "1/3", "h.db")
			return 0, ""
		}, cell{0, ""}, cell{3, "shard 1/3 only"}, cell{3, "shard 1/3 only"}, cell{0, "1/3"}, "", ""},
	} {
		t.Run(c.cause, func(t *testing.T) {
			t.Chdir(t.TempDir())
			u := &unsaid{t, self}
			check := func(command string, status int, text string, want cell) {
				t.Helper()
				lines := strings.Split(strings.TrimSpace(text), "\n")
				if last := strings.Join(lines[max(0, len(lines)-4):], "\n"); status != want.status || !strings.Contains(last, want.says) {
					t.Errorf("%s: status %d, want %d with %q:\n%s", command, status, want.status, want.says, last)
				}
			}
			status, text := c.night(u)
			check("run", status, text, c.run)
			for _, x := range []struct {
				want cell
				args []string
			}{{c.report, []string{"report", "--history=h.db"}}, {c.onlyNew, []string{"report", "--history=h.db", "--fail-on-new"}}, {c.show, []string{"history", "show", "last", "--history=h.db"}}} {
				if x.want.status >= 0 { // otherwise the command is not for it
					status, out, errs := invoke("", x.args...)
					check(strings.Join(x.args, " "), status, out+errs, x.want)
				}
			}
			for name, want := range map[string]string{"night.json": c.json, "night.xml": c.junit} {
				if text, err := os.ReadFile(name); want != "" && (err != nil || !strings.Contains(string(text), want)) {
					t.Errorf("%s does not have %q", name, want)
				}
			}
		})
	}
}
