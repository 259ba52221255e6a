package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

// A night has a folder of its own, with a history and reports. Some are run by hand, some by the scripts of
// examples/nightly, some by the script of action.yml.
type unsaid struct {
	*testing.T
	root, by string
	nights   int
}

const scripts, action = "scripts", "action"

// sh runs a script, and returns its status and output.
func (u *unsaid) sh(env []string, name string, args ...string) (int, string) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), append(env, asMain+"=1", "GORACE=atexit_sleep_ms=0")...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		u.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// file is where a shard has its history.
func (u *unsaid) file(part, file string) string {
	if u.by == scripts {
		return fmt.Sprintf("nights/night-%d/shard-%s.db", u.nights, part[:1])
	}
	return file
}

// shard runs a shard of a night.
func (u *unsaid) shard(part, file string, args ...string) (int, string) {
	if u.by == scripts {
		return u.sh(nil, u.root+"/examples/nightly/shard.sh", append([]string{part, "night.toml", "h.db", fmt.Sprint("nights/night-", u.nights), "--no-builtin", "--no-found"}, args...)...)
	}
	status, out, errs := invoke("", append([]string{"run", "-c", "night.toml", "--no-builtin", "--no-found", "--history=" + file, "--fail-on-new", "--name=n", "--shard=" + part}, args...)...)
	return status, out + errs
}

// merge merges shards and reports the night. Only a shard that is whole in the history may be deleted.
func (u *unsaid) merge(into string, files ...string) (int, string) {
	u.Helper()
	if u.by != scripts {
		status, out, errs := invoke("", append([]string{"merge", "--into", into}, files...)...)
		return status, out + errs
	}
	night := fmt.Sprint("nights/night-", u.nights)
	before, _ := filepath.Glob(night + "/shard-*.db")
	status, text := u.sh(nil, u.root+"/examples/nightly/report.sh", "h.db", night)
	if after, _ := filepath.Glob(night + "/shard-*.db"); len(after) < len(before) {
		if shown := ends(u.T, []int{0, 3}, "history", "show", filepath.Base(night), "--history=h.db"); strings.Contains(shown, "unfinished") {
			u.Errorf("shards are deleted before the history has them: %s", shown)
		}
	}
	return status, text
}

// tool writes the configuration of one translator with some bugs.
func (u *unsaid) tool(name, program, bugs string) {
	u.Helper()
	if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
		u.Fatal(err)
	}
	if err := os.WriteFile(program, selfScript(), 0o777); err != nil {
		u.Fatal(err)
	}
	config := fmt.Sprintf("[[translators]]\nname = '%s'\nmode = 'stream'\ncommand = './%s -'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n", name, program, seeded.Variable, bugs)
	if err := os.WriteFile("night.toml", []byte(config), 0o666); err != nil {
		u.Fatal(err)
	}
}

// run runs a night, with flags and formulas.
func (u *unsaid) run(args ...string) (int, string) {
	u.nights++
	switch u.by {
	case scripts:
		_, first := u.shard("1/1", "", args...)
		status, text := u.merge("h.db")
		return status, first + text
	case action:
		text, err := os.ReadFile(u.root + "/action.yml")
		_, script, found := strings.Cut(string(text), "github.run_attempt }}\n      run: |\n")
		if err != nil || !found {
			u.Fatal(err, found)
		}
		script, _, _ = strings.Cut(script, "    - name:")
		attempt := 1
		if args[0] == "--resume" {
			attempt, args = 2, args[1:]
		}
		args = append([]string{"--no-builtin", "--no-found", "--fail-on-new"}, args...)
		return u.sh([]string{"CONFIG=night.toml", "HISTORY=h.db", "REPORTS=.", "TRANSLATORS=", "TIME=", fmt.Sprint("ATTEMPT=", attempt), "GITHUB_OUTPUT=output", "ARGS=" + strings.Join(args, "\n")}, "bash", "-c", script)
	}
	status, out, errs := invoke("", append([]string{"run", "-c", "night.toml", "--no-builtin", "--no-found", "--history=h.db", "--fail-on-new", "--json=night.json", "--junit=night.xml"}, args...)...)
	return status, out + errs
}

// sqlExec changes a history by hand, and returns its log.
func sqlExec(u *unsaid, file, text string) (log []byte) {
	u.Helper()
	db, err := sql.Open("sqlite", file)
	if err == nil {
		_, err = db.Exec(text)
		log, _ = os.ReadFile(file + "-wal")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		u.Fatal(err)
	}
	return log
}

const interrupt = "UPDATE runs SET ended = NULL, status = NULL, totals = NULL"

const known, second = "-fG(c | (a U b))", "-fG(c | XXa)"

// TestScriptsAgain: a night is repaired by running the scripts again, whenever they were killed.
func TestScriptsAgain(t *testing.T) {
	bin := t.TempDir()
	must.Do(os.Symlink(program(), filepath.Join(bin, "xcheck")))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	u := &unsaid{T: t, root: must.Get(filepath.Abs("../..")), by: scripts}
	t.Chdir(t.TempDir())
	u.tool("mine", "mine", "none")
	u.run("-fGa") // the shards have the history of this night
	u.tool("mine", "mine", "U is W")
	u.nights++
	shard := func(part, says string) {
		t.Helper()
		if status, text := u.shard(part, "", known, "-fGa"); status != 0 || !strings.Contains(text, says) {
			t.Errorf("shard %s: status %d: %s", part, status, text)
		}
	}
	shard("1/2", "starting run 2")
	sqlExec(u, u.file("1/2", ""), interrupt+" WHERE id = 2")
	shard("1/2", "resuming run 2")
	shard("1/2", "has come to its end before")
	shard("2/2", "starting run 2")
	for _, copied := range []string{".x", "-wal.x"} { // when a script was killed
		must.Do(os.MkdirAll(u.file("1/2", "")+copied+"/copy", 0o777))
	}
	for range 2 {
		if status, text := u.merge("h.db"); status != 1 || !strings.Contains(text, "1 new") {
			t.Errorf("report.sh: status %d: %s", status, text)
		}
	}
	shard("2/2", "has come to its end before")
	if left := must.Get(filepath.Glob("nights/night-2/*.db*")); left != nil {
		t.Errorf("left: %q", left)
	}
}

// TestNothingUnsaid is the matrix of causes and commands: in each case the run, and what shows it again, ends
// with the status, and says why.
func TestNothingUnsaid(t *testing.T) {
	bin := t.TempDir()
	root := must.Get(filepath.Abs("../.."))
	must.Do(os.Symlink(program(), filepath.Join(bin, "xcheck")))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	first := func(u *unsaid, args ...string) {
		u.tool("mine", "mine", "U is W")
		u.run(append(args, known)...)
	}
	// shards runs two shards of three.
	shards := func(u *unsaid) (int, string) {
		u.tool("mine", "mine", "none")
		u.nights++
		for _, part := range []string{"1/3", "2/3"} {
			if status, text := u.shard(part, part[:1]+".db", "-fGa", "-fFa", "-fXa"); status != 0 && status != 3 {
				u.Fatal(status, text)
			}
		}
		return u.merge("h.db", "1.db", "2.db")
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
		script                     cell // of report.sh after shard.sh
	}{
		{"first run", func(u *unsaid) (int, string) { u.tool("mine", "mine", "none"); return u.run(known) },
			cell{0, "first run: nothing to replay"}, cell{0, ""}, cell{0, "first run: nothing to replay"}, cell{0, ""}, `"first_run":true`, `errors="0"`, cell{0, ""}},
		{"same bug again", func(u *unsaid) (int, string) { first(u); return u.run("-fX(c | G(c | (a U b)))") },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"same bug, shrunk now", func(u *unsaid) (int, string) { first(u); return u.run("--grind", known) },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"same bug, shrunk before", func(u *unsaid) (int, string) { first(u, "--grind"); return u.run(known) },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"second bug", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run(known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `, cell{1, ""}},
		{"second bug, no calls left", func(u *unsaid) (int, string) {
			first(u, "--grind", "--grind-calls=1")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run("--grind", "--grind-calls=1", known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `, cell{1, ""}},
		{"second bug, shrunk", func(u *unsaid) (int, string) {
			first(u, "--grind")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run("--grind", known, second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `, cell{1, ""}},
		{"repaired, and another one", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine", "mine", "X is ignored")
			return u.run(known, second)
		}, cell{1, "1 new, 1 fixed"}, cell{0, ""}, cell{1, "1 new, 1 fixed"}, cell{0, "fixed"}, `"exit_status":1`, `new: `, cell{1, ""}},
		{"renamed, with a second bug", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine-2.0", "mine", "U is W, X is ignored")
			return u.run("-fGa", second)
		}, cell{1, "1 known, 1 new"}, cell{0, ""}, cell{1, "1 known, 1 new"}, cell{0, "new"}, `"exit_status":1`, `new: `, cell{1, ""}},
		{"renamed", func(u *unsaid) (int, string) { first(u); u.tool("mine-2.0", "mine", "U is W"); return u.run("-fGa") },
			cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"renamed after a run without it", func(u *unsaid) (int, string) {
			first(u)
			u.tool("other", "other", "none")
			u.run("-fGa")
			u.tool("mine-2.0", "mine", "U is W")
			return u.run("-fGa")
		}, cell{0, "1 known"}, cell{0, ""}, cell{0, "1 known"}, cell{0, "known"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"another directory", func(u *unsaid) (int, string) {
			first(u)
			u.tool("mine-2.0", "opt/mine", "none")
			return u.run("-fGa")
		}, cell{0, "1 fixed"}, cell{0, ""}, cell{0, "1 fixed"}, cell{0, "fixed"}, `"exit_status":0`, `failures="0"`, cell{0, ""}},
		{"another program", func(u *unsaid) (int, string) { first(u); u.tool("other", "other", "none"); return u.run("-fGa") },
			cell{3, "known failures of mine belong to no translator"}, cell{3, "known failures of mine"}, cell{3, "known failures of mine"}, cell{3, ""}, `"gone_translators":["mine"]`, `known failures of mine`, cell{3, ""}},
		{"empty input", func(u *unsaid) (int, string) {
			first(u)
			os.WriteFile("empty", nil, 0o666)
			return u.run("-Fempty")
		}, cell{3, "nothing was checked but earlier failures"}, cell{3, "nothing was"}, cell{3, "nothing was"}, cell{3, ""}, `"exit_status":3`, "nothing was", cell{3, ""}},
		{"two of three shards", shards, cell{1, "shard 3 of 3 is missing"}, cell{3, "shard 3"}, cell{3, "shard 3"}, cell{3, ""}, "", "", cell{4, "shard 3"}},
		{"two of three shards, merged twice", func(u *unsaid) (int, string) { shards(u); return u.merge("h.db", "1.db", "2.db") },
			cell{1, "shard 3 of 3 is missing"}, cell{3, "INTERRUPTED"}, cell{3, "INTERRUPTED"}, cell{3, ""}, "", "", cell{4, "shard 3"}},
		{"interrupted", func(u *unsaid) (int, string) {
			first(u)
			sqlExec(u, "h.db", interrupt)
			return 0, ""
		}, cell{0, ""}, cell{3, "INTERRUPTED"}, cell{2, "does not say what is new"}, cell{3, ""}, "", "", cell{0, ""}},
		{"interrupted, merged", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "U is W")
			u.nights++
			u.shard("1/1", "h.db", known)
			sqlExec(u, u.file("1/1", "h.db"), interrupt)
			return u.merge("all.db", "h.db")
		}, cell{1, "run 1 is unfinished"}, cell{-1, ""}, cell{-1, ""}, cell{-1, ""}, "", "", cell{4, "INTERRUPTED"}},
		{"version asked in vain", func(u *unsaid) (int, string) {
			first(u)
			sqlExec(u, "h.db", interrupt+", process = ''; UPDATE translators SET version = '1.0'")
			return u.run("--resume", known)
		}, cell{1, "1 new"}, cell{0, ""}, cell{1, "1 new"}, cell{0, "new"}, `"exit_status":1`, "new: ", cell{-1, ""}},
		{"history from yesterday beside a stale -wal", func(u *unsaid) (int, string) {
			first(u)
			yesterday, err := os.ReadFile("h.db")
			u.run("-fXa", "-fFa")
			log := sqlExec(u, "h.db", "UPDATE runs SET name = 'today'")
			if err := errors.Join(err, os.WriteFile("h.db", yesterday, 0o666), os.WriteFile("h.db-wal", log, 0o666)); err != nil || len(log) == 0 {
				u.Fatal(err, len(log))
			}
			return u.run("-fGa")
		}, cell{2, "belongs to the file that"}, cell{2, "belongs to"}, cell{2, "belongs to"}, cell{2, "belongs to"}, "", "", cell{2, "belongs to"}},
		{"history gone, but its -wal is there", func(u *unsaid) (int, string) {
			first(u)
			log := sqlExec(u, "h.db", "UPDATE runs SET name = 'today'")
			if err := errors.Join(os.Remove("h.db"), os.WriteFile("h.db-wal", log, 0o666)); err != nil || len(log) == 0 {
				u.Fatal(err, len(log))
			}
			return u.run("-fGa")
		}, cell{2, "gone or empty"}, cell{2, "no such file"}, cell{2, "no such file"}, cell{2, "no such file"}, "", "", cell{2, "no such file"}},
		{"a damaged shard", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "none")
			u.nights++
			u.shard("1/2", "1.db", "-fGa", "-fFa")
			u.shard("2/2", "2.db", "-fGa", "-fFa")
			file, err := os.OpenFile(u.file("2/2", "2.db"), os.O_RDWR, 0)
			if err == nil {
				_, err = file.WriteAt(bytes.Repeat([]byte{0xff}, 3<<12), 7<<12)
				err = errors.Join(err, file.Close())
			}
			if err != nil {
				u.Fatal(err)
			}
			return u.merge("h.db", "1.db", "2.db")
		}, cell{2, "2.db: the file is damaged"}, cell{2, "no such file"}, cell{2, ""}, cell{2, ""}, "", "", cell{2, "the file is damaged"}},
		{"history missing for the shards only", func(u *unsaid) (int, string) {
			first(u)
			u.nights++
			if u.by == scripts {
				os.Mkdir(fmt.Sprint("nights/night-", u.nights), 0o777)
				os.WriteFile(fmt.Sprintf("nights/night-%d/before.db", u.nights), nil, 0o666)
			}
			u.shard("1/2", "1.db", "-fGa", "-fFa")
			u.shard("2/2", "2.db", "-fGa", "-fFa")
			return u.merge("h.db", "1.db", "2.db")
		}, cell{3, "not replayed"}, cell{3, "1 formula of earlier failures not replayed"}, cell{3, "not replayed"}, cell{3, ""}, "", "", cell{3, "not replayed"}},
		{"replay cut short", func(u *unsaid) (int, string) { first(u); return u.run("--for=1ms", "--seed=1") },
			cell{2, "no formula finished"}, cell{3, "not replayed"}, cell{3, "not replayed"}, cell{3, ""}, `"unreplayed":1`, "not replayed", cell{4, "not replayed"}},
		{"history missing", func(u *unsaid) (int, string) {
			first(u)
			for _, name := range []string{"h.db", "h.db-wal", "h.db-shm"} {
				os.Remove(name)
			}
			return u.run("-fGa")
		}, cell{0, "first run: nothing to replay"}, cell{0, ""}, cell{0, "first run"}, cell{0, ""}, `"first_run":true`, `errors="0"`, cell{0, "first run"}},
		{"history cut", func(u *unsaid) (int, string) {
			first(u)
			os.Remove("h.db-wal")
			if err := os.Truncate("h.db", 20000); err != nil {
				u.Fatal(err)
			}
			return u.run("-fGa")
		}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, cell{2, "damaged or cut"}, "", "", cell{2, ""}},
		{"clock back", func(u *unsaid) (int, string) {
			first(u)
			sqlExec(u, "h.db", "UPDATE runs SET started = '2099-01-01T00:00:00.000000000Z'")
			u.tool("mine", "mine", "U is W, X is ignored")
			return u.run(known, second)
		}, cell{1, "new"}, cell{-1, ""}, cell{-1, ""}, cell{-1, ""}, `"exit_status":1`, "new: ", cell{1, ""}},
		{"one shard", func(u *unsaid) (int, string) {
			u.tool("mine", "mine", "none")
			u.nights++
			return u.shard("1/3", u.file("1/3", "h.db"), "-fGa", "-fFa", "-fXa")
		}, cell{0, ""}, cell{3, "shard 1/3 only"}, cell{3, "shard 1/3 only"}, cell{3, "1/3"}, "", "", cell{0, ""}},
	} {
		for _, by := range []string{"", scripts, action} {
			want := map[string]cell{"": c.run, scripts: c.script, action: c.run}[by]
			// A script takes processes: by default, only where it has an answer of its own.
			if want.status < 0 || by != "" && !campaign.Whole() && (by == action || want.status < 4) {
				continue
			}
			t.Run(strings.TrimSpace(c.cause+" "+by), func(t *testing.T) {
				t.Chdir(t.TempDir())
				u := &unsaid{T: t, root: root, by: by}
				check := func(command string, status int, text string, want cell) {
					t.Helper()
					lines := strings.Split(strings.TrimSpace(text), "\n")
					if last := strings.Join(lines[max(0, len(lines)-8):], "\n"); status != want.status || !strings.Contains(last, want.says) {
						t.Errorf("%s: status %d, want %d with %q:\n%s", command, status, want.status, want.says, last)
					}
				}
				status, text := c.night(u)
				if by == scripts && want.says == "" {
					want.says = c.run.says
				}
				check("run", status, text, want)
				if by != "" {
					return
				}
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
}
