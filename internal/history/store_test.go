package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

var ctx = context.Background()

// writer makes the binary of the test a process that adds cases to a history: see TestProcesses.
const writer = "XCHECK_TEST_HISTORY"

func TestMain(m *testing.M) {
	if path, script := os.Getenv(writer), os.Getenv(writer+"_SCRIPT"); script != "" {
		fmt.Fprintln(os.Stderr, stay(path, script))
		os.Exit(1)
	} else if path != "" {
		if err := write(path, os.Getenv(writer+"_NAME"), 60); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if os.Getenv(writer+"_STAYS") != "" {
			fmt.Println("written")
			os.Stdin.Read(make([]byte, 1)) // until somebody kills it, or closes
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// plan returns the plan of a run with two translators.
func plan(name string) *Plan {
	seed := uint64(1)<<63 + 5
	return &Plan{Configuration: []byte(`{"a": 1}`), Name: name, Shard: 1, Shards: 1, Seed: &seed, Version: "1.0",
		Tools: []Tool{{"good", "good %f", "3.1"}, {"bad", "bad %f", ""}}}
}

// sample is a case with a result of each translator and a disagreement.
func sample(index int) *outcome.Case {
	seed := uint64(7)
	c := &outcome.Case{Index: index, Formula: fmt.Sprintf("a U b%d", index), Seed: &seed, Reference: "builtin", Checked: true,
		Checks: []outcome.Check{}, Undecided: []outcome.Undecided{}, Findings: []outcome.Finding{}}
	for _, name := range []string{"good", "bad"} {
		for _, negated := range []bool{false, true} {
			c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: name, Polarity: outcome.Polarity(negated)}, Status: "ok",
				Seconds: 0.25, Sizes: omega.Sizes{States: index + 1, Edges: 2 * index, Totals: omega.Totals{Transitions: 1e12}}})
		}
	}
	c.Disagreements = []outcome.Disagreement{{Word: "cycle{a}", Size: 1, Shortest: true, Kind: "extra", Accepts: []outcome.Answer{},
		Blamed: []outcome.Subject{{Translator: "bad"}}}}
	return c
}

func openTemporary(t testing.TB) *Store {
	t.Helper()
	s := must.Get(Open(ctx, filepath.Join(t.TempDir(), "history.db")))
	t.Cleanup(func() { s.Close() })
	return s
}

// write adds a run with so many cases to a file, as a process of its own would.
func write(path, name string, number int) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Begin(ctx, plan(name))
	if err != nil {
		return err
	}
	for i := range number {
		if err := r.Add(sample(i)); err != nil {
			return err
		}
		if i%10 == 9 {
			if err := r.Flush(); err != nil {
				return err
			}
		}
	}
	if os.Getenv(writer+"_STAYS") != "" {
		return r.Flush()
	}
	return r.End(1, true, []byte("{}"))
}

// stay makes changes, and does not commit them until somebody kills the process.
func stay(path, script string) error {
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	return s.writes(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(script); err != nil {
			return err
		}
		fmt.Println("done")
		os.Stdin.Read(make([]byte, 1))
		return errors.New("nobody has killed it")
	})
}

// complete checks that a run has all its cases, and each as it was.
func complete(t *testing.T, s *Store, run int64, number int) {
	t.Helper()
	next := 0
	err := s.Cases(ctx, run, func(c *outcome.Case) error {
		if got, want := text(t, c), text(t, sample(next)); got != want {
			t.Errorf("run %d, case %d: got %s\nwant %s", run, next, got, want)
		}
		next++
		return nil
	})
	if err != nil || next != number {
		t.Errorf("run %d: %d cases, want %d; %v", run, next, number, err)
	}
	var results int
	if err := s.db.QueryRow("SELECT count(*) FROM results WHERE run = ?", run).Scan(&results); err != nil || results != 4*number {
		t.Errorf("run %d: %d results of %d cases; %v", run, results, number, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestWriters: several runs write into one file at once, each with a store of its own, and
// the file is made by all of them at once.
func TestWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	const writers, number = 4, 60
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			if err := write(path, fmt.Sprint("run ", i), number); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	all(t, path, writers, number)
}

// TestProcesses: so do several processes.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	const writers, number = 3, 60
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			if out, err := process(path, fmt.Sprint("run ", i)).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	group.Wait()
	all(t, path, writers, number)
}

func process(path, name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writer+"="+path, writer+"_NAME="+name)
	return cmd
}

// all checks that a file has so many complete runs.
func all(t *testing.T, path string, writers, number int) {
	t.Helper()
	s := must.Get(OpenExisting(ctx, path))
	defer s.Close()
	runs, err := s.Runs(ctx)
	if err != nil || len(runs) != writers {
		t.Fatalf("%d runs, want %d; %v", len(runs), writers, err)
	}
	for _, info := range runs {
		if !info.Finished || info.Cases != number || *info.Status != 1 || *info.Seed != 1<<63+5 {
			t.Errorf("%+v", info)
		}
		complete(t, s, info.Run, number)
	}
}

// TestOpenErrors: what is no history is left as it is, and the error says what was expected.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	other := filepath.Join(dir, "other.db")
	db := must.Get(sql.Open("sqlite", other))
	must.Get(db.Exec("CREATE TABLE t (x)"))
	db.Close()
	damaged := filepath.Join(dir, "damaged.db")
	must.Do(write(damaged, "", 60))
	whole := must.Get(os.ReadFile(damaged))
	newer := filepath.Join(dir, "newer.db")
	must.Do(write(newer, "", 1))
	db = must.Get(sql.Open("sqlite", newer))
	must.Get(db.Exec("PRAGMA user_version = 1000"))
	db.Close()
	hot := openTemporary(t)
	if r := must.Get(hot.Begin(ctx, plan(""))); errors.Join(r.Add(sample(1)), r.Flush()) != nil {
		t.Fatal("no log")
	}
	file("hot.db-wal", string(must.Get(os.ReadFile(hot.path+"-wal"))))
	file("gone.db-wal", "x")
	file("rolled.db-journal", "x")
	for _, c := range []struct{ path, want string }{
		{file("hot.db", string(whole)), "hot.db-wal belongs to the file that "},
		{file("rolled.db", string(whole)), "rolled.db-journal belongs to the file that "},
		{file("cut.db", string(whole[:len(whole)/2])), "damaged or cut: restore a backup"},
		{filepath.Join(dir, "gone.db"), "its log " + filepath.Join(dir, "gone.db-wal") + " is there"},
		{"", "expected the name of a file"},
		{dir, "expected a file, found a directory"},
		{os.DevNull, "expected a regular file"},
		{filepath.Join(dir, "no", "folder", "x.db"), "its folder does not exist"},
		{filepath.Join(dir, strings.Repeat("x", 250)), "its name is too long"},
		{filepath.Join(dir, strings.Repeat("x", 300)), "file name too long"},
		{file("text", "formulas and other things, but no database"), "not even a SQLite database"},
		{file("short", "SQL"), "not even a SQLite database"},
		{other, "another SQLite database"},
		{newer, "a newer xcheck wrote this file (schema version 1000"},
		{file("header", string(whole[:100])), "damaged"},
		{file("torn.db", string(whole[:100])+strings.Repeat("x", 5000)), "damaged"},
	} {
		before, _ := os.ReadFile(c.path)
		s, err := Open(ctx, c.path)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "history "+c.path+": ") {
			t.Errorf("%s: got %v, want %s", c.path, err, c.want)
		}
		if after, _ := os.ReadFile(c.path); string(after) != string(before) {
			t.Errorf("%s: the file has changed", c.path)
		}
	}
	var version *VersionError
	if _, err := Open(ctx, newer); !errors.As(err, &version) || version.Found != 1000 || version.Newest != newest() {
		t.Errorf("got %v, want a VersionError", err)
	}
	for _, path := range []string{filepath.Join(dir, "nothing.db"), file("empty", "")} {
		if _, err := OpenExisting(ctx, path); err == nil || !strings.Contains(err.Error(), "name one that xcheck run wrote with --history FILE") {
			t.Errorf("%s: got %v", path, err)
		}
	}
	// An empty file becomes a history. One that was killed before it had any table is such.
	s := must.Get(Open(ctx, file("empty", "")))
	s.Close()
}

// TestOddNames: the name of a file may have anything in it that has a meaning in addresses.
func TestOddNames(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=memory", "a#b", "100%25.db", ":memory:", "ä;'\".db", "file:x"} {
		path := filepath.Join(t.TempDir(), name)
		if err := write(path, "", 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestFull: when there is no more room, the run is told, and what was committed is there.
func TestFull(t *testing.T) {
	s := openTemporary(t)
	s.db.SetMaxOpenConns(1) // the limit is one of the connection
	r := must.Get(s.Begin(ctx, plan("")))
	must.Get(s.db.Exec("PRAGMA max_page_count = 100"))
	committed, failed := 0, error(nil)
	for i := 0; failed == nil && i < 100000; i++ {
		c := sample(i)
		if failed = r.Add(c); failed == nil {
			failed = r.Flush()
		}
		if failed == nil {
			committed++
		}
	}
	if failed == nil || !strings.Contains(failed.Error(), "disk is full") || !strings.Contains(failed.Error(), "--resume") {
		t.Errorf("got %v, want that the disk is full, and what to do", failed)
	}
	if !r.Lost() {
		t.Error("it is not known that the run is lost")
	}
	if err := r.Add(sample(committed + 1)); err != nil {
		t.Errorf("the error is told twice: %v", err)
	}
	complete(t, s, r.RunID.Run, committed)
}

// TestSlowWrite has one goroutine write for longer than a process waits for another one. Others of the same process wait until it ends.
func TestSlowWrite(t *testing.T) {
	defer func(d time.Duration) { busy = d }(busy)
	busy = 10 * time.Millisecond
	s := must.Get(Open(ctx, filepath.Join(t.TempDir(), "h.db")))
	defer s.Close()
	writing, end, slow := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		slow <- s.writes(ctx, func(tx *sql.Tx) error {
			close(writing)
			<-end
			return execute(ctx, tx, "UPDATE runs SET name = ''")
		})
	}()
	<-writing
	short, cancel := context.WithTimeout(ctx, busy)
	defer cancel()
	if err := s.writes(short, func(*sql.Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a canceled writer: %v", err)
	}
	time.AfterFunc(20*busy, func() { close(end) })
	if _, err := s.Begin(ctx, plan("")); err != nil {
		t.Errorf("the next writer: %v", err)
	}
	if err := <-slow; err != nil {
		t.Errorf("the slow writer: %v", err)
	}
}

// TestLocked has another process write for longer than SQLite waits. A run says so and waits, and
// nothing of it is lost; once it is interrupted, it waits no longer than SQLite.
func TestLocked(t *testing.T) {
	defer func(a, b time.Duration) { busy, silent = a, b }(busy, silent)
	busy, silent = 10*time.Millisecond, 0
	path, notes := filepath.Join(t.TempDir(), "h.db"), make(chan string, 9)
	opened, interrupt := context.WithCancel(Noting(ctx, func(text string) { notes <- text }))
	s := must.Get(Open(opened, path))
	defer s.Close()
	r := must.Get(s.Begin(ctx, plan("")))
	other := must.Get(must.Get(connect(path, nil)).Conn(ctx))
	for len(notes) > 0 {
		<-notes // as silent is zero
	}
	must.Get(other.ExecContext(ctx, "BEGIN IMMEDIATE"))
	must.Do(r.Add(sample(0)))
	flushed := make(chan error)
	go func() { flushed <- r.Flush() }()
	if text := <-notes; text != "history "+path+": waiting for another process that writes to it" {
		t.Error(text)
	}
	time.Sleep(5 * busy)
	must.Get(other.ExecContext(ctx, "ROLLBACK"))
	must.Do(<-flushed)
	complete(t, s, r.RunID.Run, 1)
	must.Get(other.ExecContext(ctx, "BEGIN IMMEDIATE"))
	interrupt()
	if err := s.writes(ctx, func(*sql.Tx) error { return nil }); !isBusy(err) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestReadOnly reads histories that were closed, are open, were left by a killed process, or are
// old. It leaves all files as they are, and no copy.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	name := func(name string) string { return filepath.Join(dir, name) }
	must.Do(write(name("closed"), "monday", 3))
	live := must.Get(Open(ctx, name("open")))
	defer live.Close()
	r := must.Get(live.Begin(ctx, plan("monday")))
	must.Do(errors.Join(r.Add(sample(0)), r.End(1, true, []byte(`{}`))))
	for from, to := range map[string]string{"open": "killed", "open-wal": "killed-wal"} {
		must.Do(os.WriteFile(name(to), must.Get(os.ReadFile(name(from))), 0o600))
	}
	before := contents(t, dir)
	if _, err := openReadOnly(ctx, name("killed")); err != errUnclosed {
		t.Errorf("one that was not closed: %v", err)
	}
	for _, file := range []string{"closed", "open"} {
		s, err := openReadOnly(ctx, name(file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		x, err := s.Find(ctx, "last")
		if err != nil || x.Name != "monday" || x.Cases == 0 || s.Path() != name(file) {
			t.Errorf("%s: %+v, %v", file, x, err)
		}
		if _, err := s.Timelines(ctx); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := s.Check(ctx); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if _, err := s.Begin(ctx, plan("tuesday")); !errors.Is(err, errReadOnly) {
			t.Errorf("%s: a run begins: %v", file, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file, text := range contents(t, dir) {
		// The index of the open one has the marks of its readers.
		if file != "open-shm" && text != before[file] {
			t.Errorf("%s has changed", file)
		}
	}
}

// contents returns what the files of a folder have.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := must.Get(os.ReadDir(dir))
	files := map[string]string{}
	for _, file := range list {
		text, _ := os.ReadFile(filepath.Join(dir, file.Name())) // nothing, of a folder
		files[file.Name()] = string(text)
	}
	return files
}

// TestUnexplained: a first night shrinks formulas, and meets Ga and Fb, shrunk from G(a&b) and
// F(b&c). The second night does not shrink any: its failures are one cause.
func TestUnexplained(t *testing.T) {
	const known, unseen = "a words Ga: known", "a words Fb: unseen"
	for _, x := range []struct {
		name     string
		replayed []string // the formulas that are wrong in the second night
		fresh    bool     // a formula that is not replayed is wrong, too
		class    string   // of the cause of the second night, if it is not words
		between  string   // a formula that is right in a night between the two
		want     string
	}{
		{"known", []string{"Ga"}, false, "", "", known + ", " + unseen},
		{"several groups", []string{"Ga", "G(a&b)", "F(b&c)"}, false, "", "", known + ", a words Fb: known"},
		{"one is new", []string{"Ga"}, true, "", "", "a words b U c: new, " + known + ", " + unseen},
		{"all are new", nil, true, "", "", "a words b U c: new, a words Ga: unseen, " + unseen},
		{"explained", []string{"Ga", "GFa"}, false, "", "", known + ", " + unseen},
		{"of no group", []string{"Ga", "Xa"}, false, "", "", "a words Xa: new, " + known + ", " + unseen},
		{"another failure", []string{"Ga"}, false, "exit", "", "a exit Ga: new, a words Ga: unseen, " + unseen},
		{"fixed, and back again", []string{"Ga"}, false, "", "Ga", "a words Ga: back again, " + unseen},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := openTemporary(t)
			r := begin(t, s, "")
			cause := func(formula, original string) *outcome.Cause {
				return &outcome.Cause{Record: outcome.Record{Translators: []string{"a"}, Class: outcome.ParseClass(classes["words"]), Formula: formula, Formulas: 1, Key: "words " + formula}, Ground: true, Original: original}
			}
			compare := func(causes []*outcome.Cause, decided *Decided) string {
				regression := must.Get(r.Compare(ctx, causes, func(c *outcome.Cause) string { return c.Formula }, decided))
				var list []string
				for _, g := range regression.Groups {
					_, key, _ := strings.Cut(g.Key, " | ")
					list = append(list, fmt.Sprintf("%s %s: %s", g.Translators[0], key, g.State))
				}
				return strings.Join(list, ", ")
			}
			end := func() {
				must.Do(r.End(1, true, []byte("{}")))
			}
			compare([]*outcome.Cause{cause("Ga", "G(a&b)"), cause("Fb", "F(b&c)")}, &Decided{})
			end()
			if x.between != "" {
				r = begin(t, s, "")
				var decided Decided
				decided.Add(replayed("a", "Ga", "ok"))
				decided.Add(replayed("a", "G(a&b)", "ok"))
				compare(nil, &decided)
				end()
			}
			class := "words"
			if x.class != "" {
				class = x.class
			}
			r = begin(t, s, "")
			var decided Decided
			all := &outcome.Cause{Record: outcome.Record{Translators: []string{"a"}, Class: outcome.ParseClass(classes[class]), Formula: "Ga", Key: class}, Original: "Ga"}
			failing := x.replayed
			for _, formula := range failing {
				decided.Add(replayed("a", formula, class))
			}
			if x.fresh {
				failing = append(failing, "b U c")
			}
			for _, formula := range failing {
				all.Samples = append(all.Samples, outcome.Sample{Formula: formula, Class: all.Class, Formulas: 1, Key: class + " " + formula})
			}
			for range 2 { // it can be called again
				if got := compare([]*outcome.Cause{all}, &decided); got != x.want {
					t.Errorf("got %q, want %q", got, x.want)
				}
			}
		})
	}
}

// TestFailingCase: the newest case of the formula in which the translator fails.
func TestFailingCase(t *testing.T) {
	s := openTemporary(t)
	for range 2 {
		r := must.Get(s.Begin(ctx, plan("")))
		for index := range 3 {
			c := sample(index)
			c.Disagreements[0].Size = int(r.RunID.Run)
			must.Do(r.Add(c))
		}
		must.Do(r.End(1, true, []byte("{}")))
	}
	c, err := s.FailingCase(ctx, "a U b1", "bad")
	if err != nil || c == nil || c.Formula != "a U b1" || c.Disagreements[0].Size != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, x := range [][2]string{{"a U b1", "good"}, {"a U b9", "bad"}} {
		if c, err := s.FailingCase(ctx, x[0], x[1]); c != nil || err != nil {
			t.Errorf("%q: %+v, %v", x, c, err)
		}
	}
}
