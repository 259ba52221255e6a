package history

import (
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
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

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
