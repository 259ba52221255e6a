package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

var ctx = context.Background()

// writer makes the binary of the test a process that adds cases to a history: see
// TestProcesses.
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

// plan is that of a run with two translators.
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
				Seconds: 0.25, States: index + 1, Edges: 2 * index, Transitions: 1e12})
		}
	}
	c.Disagreements = []outcome.Disagreement{{Word: "cycle{a}", Size: 1, Shortest: true, Kind: "extra", Accepts: []outcome.Answer{},
		Blamed: []outcome.Subject{{Translator: "bad"}}}}
	return c
}

func openTemporary(t testing.TB) *Store {
	t.Helper()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
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
	var results, witnesses int
	err = s.db.QueryRow("SELECT (SELECT count(*) FROM results WHERE run = ?1), (SELECT count(*) FROM witnesses WHERE run = ?1)", run).Scan(&results, &witnesses)
	if err != nil || results != 4*number || witnesses != number {
		t.Errorf("run %d: %d results and %d witnesses of %d cases; %v", run, results, witnesses, number, err)
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
	s, err := OpenExisting(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	damaged := filepath.Join(dir, "damaged.db")
	if err := write(damaged, "", 60); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.db")
	if err := write(newer, "", 1); err != nil {
		t.Fatal(err)
	}
	if db, err = sql.Open("sqlite", newer); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 1000"); err != nil {
		t.Fatal(err)
	}
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
		{filepath.Join(dir, "no", "folder", "x.db"), "the folder, and the file if it exists, must be writable"},
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
	if _, err := Open(ctx, newer); !errors.As(err, &version) || version.Found != 1000 || version.Newest != len(migrations) {
		t.Errorf("got %v, want a VersionError", err)
	}
	for _, path := range []string{filepath.Join(dir, "nothing.db"), file("empty", "")} {
		if _, err := OpenExisting(ctx, path); err == nil || !strings.Contains(err.Error(), "name one that xcheck run wrote with --history FILE") {
			t.Errorf("%s: got %v", path, err)
		}
	}
	// An empty file becomes a history. One that was killed before it had any table is such.
	s, err := Open(ctx, file("empty", ""))
	if err != nil {
		t.Fatal(err)
	}
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
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("PRAGMA max_page_count = 100"); err != nil {
		t.Fatal(err)
	}
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

// TestSlowWrite has one goroutine write for longer than a process waits for another one, as a
// compaction may on a busy machine. Others of the same process wait until it ends.
func TestSlowWrite(t *testing.T) {
	defer func(d time.Duration) { busy = d }(busy)
	busy = 10 * time.Millisecond
	s := must.Get(Open(ctx, filepath.Join(t.TempDir(), "h.db")))
	defer s.Close()
	writing, slow := make(chan struct{}), make(chan error)
	go func() {
		slow <- s.writes(ctx, func(tx *sql.Tx) error {
			close(writing)
			time.Sleep(20 * busy)
			return execute(ctx, tx, "UPDATE runs SET name = ''")
		})
	}()
	<-writing
	short, cancel := context.WithTimeout(ctx, busy)
	defer cancel()
	if err := s.writes(short, func(*sql.Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a canceled writer: %v", err)
	}
	if _, err := s.Begin(ctx, plan("")); err != nil {
		t.Errorf("the next writer: %v", err)
	}
	if err := <-slow; err != nil {
		t.Errorf("the slow writer: %v", err)
	}
}

// TestWay: which files beside a history decide how it is read.
func TestWay(t *testing.T) {
	for _, c := range []struct {
		log, index int64
		want       way
	}{
		{-1, -1, inPlace}, {0, -1, inPlace}, {-1, 32768, inPlace}, {0, 32768, inPlace},
		{4152, 32768, withLog}, {4152, -1, copied}, {4152, 0, copied},
	} {
		if got := wayTo(c.log, c.index); got != c.want {
			t.Errorf("log of %d bytes, index of %d: %d, want %d", c.log, c.index, got, c.want)
		}
	}
}

// TestReadOnly reads histories that were closed, are open, were left by a killed process, or are
// old. It leaves all files as they are, and no copy.
func TestReadOnly(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	dir := t.TempDir()
	name := func(name string) string { return filepath.Join(dir, name) }
	if err := write(name("closed"), "monday", 3); err != nil {
		t.Fatal(err)
	}
	live, err := Open(ctx, name("open"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	r, err := live.Begin(ctx, plan("monday"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(sample(0)), r.End(1, true, []byte(`{}`))); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"open": "killed", "open-wal": "killed-wal"} {
		if err := copyFile(ctx, name(from), name(to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(name("old"), "monday", 3); err != nil {
		t.Fatal(err)
	}
	older(t, name("old"), len(migrations)-1)
	before := contents(t, dir)
	for _, file := range []string{"closed", "open", "killed", "old"} {
		s, err := openReadOnly(ctx, name(file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if isCopy := s.folder != ""; isCopy != (file == "killed" || file == "old") {
			t.Errorf("%s: copied: %t", file, isCopy)
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
	if left := contents(t, temporary); len(left) > 0 {
		t.Errorf("%d copies are left", len(left))
	}
}

// contents returns what the files of a folder have.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
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
				return &outcome.Cause{Translators: []string{"a"}, Class: outcome.ParseClass(classes["words"]), Formula: formula, Ground: true,
					Formulas: 1, Original: original, Key: "words " + formula}
			}
			compare := func(causes []*outcome.Cause, decided *Decided) string {
				regression, err := r.Compare(ctx, causes, func(c *outcome.Cause) string { return c.Formula }, decided)
				if err != nil {
					t.Fatal(err)
				}
				var list []string
				for _, g := range regression.Groups {
					_, key, _ := strings.Cut(g.Key, " | ")
					list = append(list, fmt.Sprintf("%s %s: %s", g.Translators[0], key, g.State))
				}
				return strings.Join(list, ", ")
			}
			end := func() {
				if err := r.End(1, true, []byte("{}")); err != nil {
					t.Fatal(err)
				}
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
			all := &outcome.Cause{Translators: []string{"a"}, Class: outcome.ParseClass(classes[class]), Formula: "Ga", Original: "Ga", Key: class}
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

// TestUnfinished: a run that did not end is found by its configuration, name and shard, if it
// is the last one of these.
func TestUnfinished(t *testing.T) {
	s := openTemporary(t)
	found := func(p *Plan) int64 {
		t.Helper()
		info, err := s.Unfinished(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if info == nil {
			return 0
		}
		return info.Run
	}
	start := func(p *Plan) *Run {
		t.Helper()
		r, err := s.Begin(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if got := found(plan("")); got != 0 {
		t.Errorf("run %d of an empty history", got)
	}
	first := start(plan(""))
	// It is a run of this very process, which does not wait for itself.
	if got := found(plan("")); got != first.RunID.Run {
		t.Errorf("run %d, want %d", got, first.RunID.Run)
	}
	other, part, seed, setup := plan("other"), plan(""), plan(""), plan("")
	part.Shard, part.Shards = 2, 3
	setup.Configuration = []byte(`{"a": 2}`)
	seed.Seed = nil
	for _, p := range []*Plan{other, part, setup} {
		if got := found(p); got != 0 {
			t.Errorf("run %d of another plan", got)
		}
		start(p)
	}
	if got := found(seed); got != first.RunID.Run {
		t.Errorf("run %d with another seed, want %d", got, first.RunID.Run)
	}
	second := start(plan(""))
	if got := found(plan("")); got != second.RunID.Run {
		t.Errorf("run %d, want the last one, %d", got, second.RunID.Run)
	}
	if err := second.End(130, false, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got := found(plan("")); got != second.RunID.Run {
		t.Errorf("run %d, want the interrupted one, %d", got, second.RunID.Run)
	}
	if err := second.End(0, true, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got := found(plan("")); got != 0 {
		t.Errorf("run %d, want none: the last one has ended", got)
	}
	third := start(plan(""))
	if err := third.Discard(); err != nil {
		t.Fatal(err)
	}
	if got := found(plan("")); got != 0 {
		t.Errorf("run %d, want none: the last one was discarded", got)
	}
}

// TestResume: a run that goes on has the cases that it had, and takes no other ones for them.
func TestResume(t *testing.T) {
	s := openTemporary(t)
	r, err := s.Begin(ctx, plan("night"))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 5, 2} {
		if err := r.Add(sample(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(130, false, []byte(`{"x": 1}`)); err != nil {
		t.Fatal(err)
	}
	info, err := s.Find(ctx, "night")
	if err != nil || info.Finished || *info.Status != 130 || info.Cases != 3 || info.Failed != 3 || string(info.Totals) != `{"x": 1}` || info.Good {
		t.Fatalf("%+v; %v", info, err)
	}
	if r, err = s.Resume(ctx, info); err != nil {
		t.Fatal(err)
	}
	// Of one that is killed now, nothing is said that was true before.
	if info, err = s.Info(ctx, info.Run); err != nil || info.Status != nil || info.Totals != nil || info.Finished {
		t.Errorf("%+v; %v", info, err)
	}
	if r.Stored() != 3 || !r.Has(5) || r.Has(1) {
		t.Errorf("%d cases are stored", r.Stored())
	}
	c, err := r.Case(ctx, 5)
	if err != nil || text(t, c) != text(t, sample(5)) {
		t.Errorf("case 5: %s, %v", text(t, c), err)
	}
	changed := sample(5)
	changed.Formula = "another one"
	for _, c := range []*outcome.Case{changed, sample(4), sample(3), sample(1)} {
		if err := r.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(0, true, nil); err != nil {
		t.Fatal(err)
	}
	complete(t, s, info.Run, 6)
	if info, err = s.Find(ctx, "last"); err != nil || !info.Finished || !info.Good || info.Cases != 6 {
		t.Errorf("%+v; %v", info, err)
	}
}

// TestTwice: a case that comes twice in one run is an error, and no case is lost by it that was
// committed.
func TestTwice(t *testing.T) {
	s := openTemporary(t)
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := errors.Join(r.Add(sample(i)), r.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.Add(sample(1)), r.Flush()); err == nil || !strings.Contains(err.Error(), "case 1") {
		t.Errorf("got %v, want an error of case 1", err)
	}
	complete(t, s, r.RunID.Run, 3)
}

// TestForeignTranslator: nor is one of a translator that the run does not have.
func TestForeignTranslator(t *testing.T) {
	s := openTemporary(t)
	r := begin(t, s, "good")
	if err := errors.Join(r.Add(sample(0)), r.Flush()); err == nil || !strings.Contains(err.Error(), "bad, which is not of the run") {
		t.Errorf("got %v", err)
	}
}

// TestRunning: a run at which another process is at work is left to it, until that is killed.
func TestRunning(t *testing.T) {
	s := openTemporary(t)
	cmd := process(s.Path(), "night")
	cmd.Env = append(cmd.Env, writer+"_STAYS=1")
	stdout := says(t, cmd, "written\n")
	if _, err := s.Unfinished(ctx, plan("night")); !errors.As(err, new(*RunningError)) || !strings.Contains(err.Error(), "wait until it ends, or use another --name") {
		t.Errorf("got %v, want a RunningError", err)
	}
	if info, err := s.Unfinished(ctx, plan("day")); info != nil || err != nil {
		t.Errorf("another run: %+v, %v", info, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// It has ended, and nobody has asked how: its number is still taken.
	var err error
	for range campaign.Inputs(t, 1200) {
		if _, err = s.Unfinished(ctx, plan("night")); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		t.Error(err)
	}
	io.Copy(io.Discard, stdout)
	cmd.Wait()
	info, err := s.Unfinished(ctx, plan("night"))
	if err != nil || info == nil || info.Cases != 60 {
		t.Fatalf("%+v, %v", info, err)
	}
	complete(t, s, info.Run, 60)
}

// TestWorking: who is at work.
func TestWorking(t *testing.T) {
	host, _ := os.Hostname()
	host = strings.ReplaceAll(host, " ", "_")
	parent := os.Getppid()
	for _, c := range []struct {
		process string
		ago     time.Duration
		want    bool
	}{
		{"", 0, false},
		{"nonsense", 0, false},
		{thisProcess(), 0, false},
		{fmt.Sprintf("%s %d %s", host, parent, started(parent)), 24 * time.Hour, true},
		{fmt.Sprintf("%s %d %s", host, parent, "12"), 0, false}, // the number came again
		{fmt.Sprintf("%s %d %s", host, 1<<22+1, "12"), 0, false},
		{host + " -1 12", 0, false},
		{host + " 0 12", 0, false},
		{host + " x 12", 0, false},
		{"elsewhere 1 12", 0, true},
		{"elsewhere 1 12", silence - time.Minute, true},
		{"elsewhere 1 12", silence + time.Minute, false},
	} {
		if got := working(c.process, time.Now().Add(-c.ago)); got != c.want {
			t.Errorf("%q, %s ago: %v, want %v", c.process, c.ago, got, c.want)
		}
	}
}

// TestFind: runs are found by number and name, the last one of a name.
func TestFind(t *testing.T) {
	s := openTemporary(t)
	if _, err := s.Find(ctx, "last"); err == nil || !strings.Contains(err.Error(), "no runs stored") {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"a", "b", "a", ""} {
		if _, err := s.Begin(ctx, plan(name)); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]int64{"1": 1, "a": 3, "b": 2, "last": 4, "4": 4} {
		if info, err := s.Find(ctx, text); err != nil || info.Run != want {
			t.Errorf("%s: %+v, %v; want run %d", text, info, err, want)
		}
	}
	for _, text := range []string{"c", "5", "-1", "0"} {
		if _, err := s.Find(ctx, text); err == nil || !strings.Contains(err.Error(), "use a number or name") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// TestDiscard: nothing stays of a run that is removed.
func TestDiscard(t *testing.T) {
	s := openTemporary(t)
	r, err := s.Begin(ctx, plan(""))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(sample(0)), r.Flush(), r.Discard()); err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	for _, table := range []string{"runs", "translators", "cases", "results", "witnesses", "sightings"} {
		var n int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		left[table] = n
	}
	if slices.Max(slices.Collect(maps.Values(left))) > 0 {
		t.Errorf("left: %v", left)
	}
}

// undo makes what a file was before each version from the second one on.
var undo = []string{
	"DROP TABLE starts; DROP TABLE corpus",
	"DROP TABLE signatures",
	`DROP INDEX cases_of_formulas; DROP INDEX unsorted_cases; DROP INDEX sampled_cases; ALTER TABLE cases DROP COLUMN sample;
		DROP TABLE answers; DROP TABLE spans; DROP TABLE tool_sums; DROP TABLE sums`,
	"ALTER TABLE tool_sums DROP COLUMN excess; ALTER TABLE tool_sums DROP COLUMN excess_automata",
	"DROP TABLE bisections",
	"ALTER TABLE failures DROP COLUMN shrunk",
	"ALTER TABLE sums RENAME COLUMN proved TO audited; ALTER TABLE sums DROP COLUMN unproved",
}

// older makes a file one of an older version.
func older(t *testing.T, path string, version int) {
	t.Helper()
	db, err := connect(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for v := len(migrations); v > version; v-- {
		if _, err := db.Exec(fmt.Sprintf("%s; PRAGMA user_version = %d", undo[v-2], v-1)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMigrate: the file of each older version opens, with all that it has, and one migration
// more; when that fails, or the process is killed in it, the file is as it was.
func TestMigrate(t *testing.T) {
	released := migrations
	defer func() { migrations = released }()
	for version := 1; version <= len(released); version++ {
		s := openTemporary(t)
		s.Close()
		os.Remove(s.Path())
		if err := write(s.Path(), "", 5); err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		older(t, s.Path(), version)
		migrations = append(slices.Clone(released), "CREATE TABLE half (x); INSERT INTO half VALUES (1); INSERT INTO nothing VALUES (1)")
		if _, err := Open(ctx, s.Path()); err == nil {
			t.Fatalf("version %d: a migration that fails is no error", version)
		}
		migrations = released
		all(t, s.Path(), 1, 5)
		killedIn(t, s.Path(), "ALTER TABLE runs ADD COLUMN more TEXT; CREATE TABLE half (x)")
		all(t, s.Path(), 1, 5)
		migrations = append(slices.Clone(released), "ALTER TABLE runs ADD COLUMN more TEXT NOT NULL DEFAULT 'more'; CREATE TABLE half (x)")
		for range 2 {
			all(t, s.Path(), 1, 5)
		}
		migrations = released
		var newer *VersionError
		if _, err := Open(ctx, s.Path()); !errors.As(err, &newer) {
			t.Errorf("version %d: got %v, want a VersionError", version, err)
		}
	}
}

// killedIn kills a process that is about to commit a migration.
func killedIn(t *testing.T, path, script string) {
	t.Helper()
	cmd := process(path, "")
	cmd.Env = append(cmd.Env, writer+"_SCRIPT="+script)
	says(t, cmd, "done\n")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
}

// says starts a process, which stays until it is killed, and waits for what it says first.
func says(t *testing.T, cmd *exec.Cmd, want string) (stdout io.Reader) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	if n, err := out.Read(buf); err != nil || string(buf[:n]) != want {
		t.Fatalf("%q, %v, want %q", buf[:n], err, want)
	}
	return out
}

// TestResumeTwice: of two processes that go on with a run at the same time, one is told.
func TestResumeTwice(t *testing.T) {
	s := openTemporary(t)
	r := begin(t, s, "")
	r.rest()
	// It was killed, and two have seen that.
	if _, err := s.db.Exec("UPDATE runs SET process = 'gone 1 1', alive = '2020-01-01T00:00:00.000000000Z'"); err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(ctx, r.RunID.Run)
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Resume(ctx, info)
	if err != nil {
		t.Fatal(err)
	}
	defer first.rest()
	var running *RunningError
	if _, err := s.Resume(ctx, info); !errors.As(err, &running) {
		t.Errorf("the second one goes on as well: %v", err)
	}
}

// TestDeleted: a file that is deleted, or replaced, while a run is stored there is no history of
// it, and that is said.
func TestDeleted(t *testing.T) {
	for _, replace := range []bool{false, true} {
		s := openTemporary(t)
		r := begin(t, s, "")
		if err := os.Remove(s.path); err != nil {
			t.Fatal(err)
		}
		if replace {
			if err := os.WriteFile(s.path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.End(0, true, []byte("{}")); err == nil || !strings.Contains(err.Error(), "deleted") {
			t.Errorf("replaced: %t: %v", replace, err)
		}
	}
}

// TestVersion1: a file as the first version made it opens, whatever version there is now, and has
// all that it had. The file testdata/v1.sql must never change.
func TestVersion1(t *testing.T) {
	script, err := os.ReadFile("testdata/v1.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "history.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(script)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	all(t, path, 1, 3)
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	info, err := s.Find(ctx, "a night")
	if err != nil || info.Version != "0.1.0" || !info.Finished || len(info.Tools) != 2 {
		t.Errorf("got %+v, %v", info, err)
	}
}

// TestStopped: of a run on another host it is not known whether it was killed a moment ago;
// but when it was stopped and said so, it goes on at once.
func TestStopped(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "xcheck.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	plan := &Plan{Configuration: []byte("{}"), Shard: 1, Shards: 1}
	run, err := s.Begin(ctx, plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.ExecContext(ctx, "UPDATE runs SET process = 'elsewhere 1 2'"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unfinished(ctx, plan); !errors.As(err, new(*RunningError)) {
		t.Fatalf("a run on another host: got %v, want a RunningError", err)
	}
	if err := run.End(130, false, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	info, err := s.Unfinished(ctx, plan)
	if err != nil || info == nil || info.Run != run.RunID.Run {
		t.Fatalf("a run that was stopped: got %v, %v", info, err)
	}
	if run, err = s.Resume(ctx, info); err != nil {
		t.Fatal(err)
	}
	if err := run.Leave(); err != nil {
		t.Fatal(err)
	}
	var process string
	if err := s.db.QueryRowContext(ctx, "SELECT process FROM runs").Scan(&process); err != nil || process != "" {
		t.Errorf("a run that was left: process %q, %v", process, err)
	}
}
