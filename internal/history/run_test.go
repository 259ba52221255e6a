package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestUnfinished: a run that did not end is found by its configuration, name and shard, if it
// is the last one of these.
func TestUnfinished(t *testing.T) {
	s := openTemporary(t)
	found := func(p *Plan) int64 {
		t.Helper()
		info := must.Get(s.Unfinished(ctx, p))
		if info == nil {
			return 0
		}
		return info.Run
	}
	start := func(p *Plan) *Run {
		t.Helper()
		return must.Get(s.Begin(ctx, p))
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
	must.Do(second.End(130, false, []byte("{}")))
	if got := found(plan("")); got != second.RunID.Run {
		t.Errorf("run %d, want the interrupted one, %d", got, second.RunID.Run)
	}
	must.Do(second.End(0, true, []byte("{}")))
	if got := found(plan("")); got != 0 {
		t.Errorf("run %d, want none: the last one has ended", got)
	}
	third := start(plan(""))
	must.Do(third.Discard())
	if got := found(plan("")); got != 0 {
		t.Errorf("run %d, want none: the last one was discarded", got)
	}
}

// TestResume: a run that goes on has the cases that it had, and takes no other ones for them.
func TestResume(t *testing.T) {
	s := openTemporary(t)
	r := must.Get(s.Begin(ctx, plan("night")))
	for _, i := range []int{0, 5, 2} {
		must.Do(r.Add(sample(i)))
	}
	must.Do(r.End(130, false, []byte(`{"x": 1}`)))
	info, err := s.Find(ctx, "night")
	if err != nil || info.Finished || *info.Status != 130 || info.Cases != 3 || info.Failed != 3 || string(info.Totals) != `{"x": 1}` || info.Good {
		t.Fatalf("%+v; %v", info, err)
	}
	r = must.Get(s.Resume(ctx, info))
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
		must.Do(r.Add(c))
	}
	must.Do(r.End(0, true, nil))
	complete(t, s, info.Run, 6)
	if info, err = s.Find(ctx, "last"); err != nil || !info.Finished || !info.Good || info.Cases != 6 {
		t.Errorf("%+v; %v", info, err)
	}
}

// TestTwice: a case that comes twice in one run is an error, and no case is lost by it that was committed.
func TestTwice(t *testing.T) {
	s := openTemporary(t)
	r := must.Get(s.Begin(ctx, plan("")))
	for i := range 3 {
		must.Do(errors.Join(r.Add(sample(i)), r.Flush()))
	}
	if err := errors.Join(r.Add(sample(1)), r.Flush()); err == nil || !strings.Contains(err.Error(), "case 1") {
		t.Errorf("got %v, want an error of case 1", err)
	}
	complete(t, s, r.RunID.Run, 3)
}

// TestOnce: of two processes that begin the same shard, one does.
func TestOnce(t *testing.T) {
	s, p := openTemporary(t), plan("night")
	p.Shard, p.Shards, p.Once = 1, 2, true
	must.Do(must.Get(s.Begin(ctx, p)).End(0, true, nil))
	if _, err := s.Begin(ctx, p); err == nil || !strings.Contains(err.Error(), "shard 1/2 of night has ended") {
		t.Errorf("got %v", err)
	}
	p.Shard = 2
	must.Get(s.Begin(ctx, p))
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
	must.Do(cmd.Process.Kill())
	// It has ended, and nobody has asked how: its number is still taken.
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err = s.Unfinished(ctx, plan("night")); err == nil {
			break
		}
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
		{"elsewhere 1 12", silence - time.Second, true},
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
		must.Get(s.Begin(ctx, plan(name)))
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
	r := must.Get(s.Begin(ctx, plan("")))
	must.Do(errors.Join(r.Add(sample(0)), r.Flush(), r.Discard()))
	left := map[string]int{}
	for _, table := range []string{"runs", "translators", "cases", "results", "sightings"} {
		var n int
		must.Do(s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&n))
		left[table] = n
	}
	if slices.Max(slices.Collect(maps.Values(left))) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestMigrate: a file opens with one migration more, with all that it has; when that fails, or the process is
// killed in it, the file is as it was.
func TestMigrate(t *testing.T) {
	released := migrations
	defer func() { migrations = released }()
	path := filepath.Join(t.TempDir(), "history.db")
	must.Do(write(path, "", 5))
	migrations = append(slices.Clone(released), "CREATE TABLE half (x); INSERT INTO half VALUES (1); INSERT INTO nothing VALUES (1)")
	if _, err := Open(ctx, path); err == nil {
		t.Fatal("a migration that fails is no error")
	}
	migrations = released
	all(t, path, 1, 5)
	killedIn(t, path, "ALTER TABLE runs ADD COLUMN more TEXT; CREATE TABLE half (x)")
	all(t, path, 1, 5)
	migrations = append(slices.Clone(released), "ALTER TABLE runs ADD COLUMN more TEXT NOT NULL DEFAULT 'more'; CREATE TABLE half (x)")
	for range 2 {
		all(t, path, 1, 5)
	}
	migrations = released
	for version, want := range map[int]string{newest() + 1: "use that version", oldest - 1: "begin a new history"} {
		db := must.Get(connect(path, nil))
		must.Get(db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version)))
		must.Do(db.Close())
		if _, err := Open(ctx, path); !errors.As(err, new(*VersionError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("version %d: got %v, want a VersionError with %q", version, err, want)
		}
	}
}

// killedIn kills a process that is about to commit a migration.
func killedIn(t *testing.T, path, script string) {
	t.Helper()
	cmd := process(path, "")
	cmd.Env = append(cmd.Env, writer+"_SCRIPT="+script)
	says(t, cmd, "done\n")
	must.Do(cmd.Process.Kill())
	cmd.Wait()
}

// says starts a process, which stays until it is killed, and waits for what it says first.
func says(t *testing.T, cmd *exec.Cmd, want string) (stdout io.Reader) {
	t.Helper()
	stdin := must.Get(cmd.StdinPipe())
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
	must.Get(s.db.Exec("UPDATE runs SET process = 'gone 1 1', alive = '2020-01-01T00:00:00.000000000Z'"))
	info := must.Get(s.Info(ctx, r.RunID.Run))
	first := must.Get(s.Resume(ctx, info))
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
		must.Do(os.Remove(s.path))
		if replace {
			must.Do(os.WriteFile(s.path, nil, 0o666))
		}
		if err := r.End(0, true, []byte("{}")); err == nil || !strings.Contains(err.Error(), "deleted") {
			t.Errorf("replaced: %t: %v", replace, err)
		}
	}
}

// TestStopped: of a run on another host it is not known whether it was killed a moment ago;
// but when it was stopped and said so, it goes on at once.
func TestStopped(t *testing.T) {
	ctx := t.Context()
	s := must.Get(Open(ctx, filepath.Join(t.TempDir(), "xcheck.db")))
	defer s.Close()
	plan := &Plan{Configuration: []byte("{}"), Shard: 1, Shards: 1}
	run := must.Get(s.Begin(ctx, plan))
	must.Get(s.db.ExecContext(ctx, "UPDATE runs SET process = 'elsewhere 1 2'"))
	if _, err := s.Unfinished(ctx, plan); !errors.As(err, new(*RunningError)) {
		t.Fatalf("a run on another host: got %v, want a RunningError", err)
	}
	must.Do(run.End(130, false, []byte("{}")))
	info, err := s.Unfinished(ctx, plan)
	if err != nil || info == nil || info.Run != run.RunID.Run {
		t.Fatalf("a run that was stopped: got %v, %v", info, err)
	}
	run = must.Get(s.Resume(ctx, info))
	must.Do(run.Leave())
	var process string
	if err := s.db.QueryRowContext(ctx, "SELECT process FROM runs").Scan(&process); err != nil || process != "" {
		t.Errorf("a run that was left: process %q, %v", process, err)
	}
}

var update = flag.Bool("update", false, "write the files of testdata")

// TestRows: what a run stores, row for row, but for times and what is random. A change of the file is
// a change of the format.
func TestRows(t *testing.T) {
	s := openTemporary(t)
	command := func(c *outcome.Cause) string { return "xcheck run -f " + c.Formula }
	for night, causes := range [][]*outcome.Cause{
		{
			{Record: outcome.Record{Translators: []string{"bad", "good"}, Class: outcome.ParseClass("extra and missing words"), Formula: "Ga", Word: "cycle{a}", Size: 1, Shortest: true, Formulas: 3, Key: "words | Ga"}, Ground: true, Original: "G(a & b)"},
			{Record: outcome.Record{Translators: []string{"bad"}, Class: outcome.ParseClass("crash 11: assertion failed: …"), Formula: "Fa", Formulas: 1, Key: "crash 11: assertion failed: …"}, Original: "Fa"},
			{Record: outcome.Record{Translators: []string{"bad"}, Class: outcome.ParseClass("property: deterministic, of the negation only"), Formula: "a U b0", Polarity: outcome.Negation, Formulas: 1, Key: "property: deterministic | Fa"}, Original: "a U b0"},
		},
		{{Record: outcome.Record{Translators: []string{"bad"}, Class: outcome.ParseClass("missing words, of the negation only"), Formula: "Xa", Polarity: outcome.Negation, Formulas: 1, Key: "words | Xa"}, Ground: true, Original: "Xa"}},
	} {
		p := plan(fmt.Sprintf("night %d", night))
		p.Replayed = must.Get(s.Replays(ctx, []string{"bad"}))
		r := must.Get(s.Begin(ctx, p))
		var decided Decided
		for i, formula := range append(p.Replayed, "a U b", "F(a & b)") {
			c := sample(i)
			c.Formula, c.Replayed = formula, i < len(p.Replayed)
			switch i % 3 {
			case 0:
				c.Disagreements = []outcome.Disagreement{}
			case 1:
				c.Results[2] = outcome.Result{Subject: c.Results[2].Subject, Status: "crash", ExitCode: 11, Detail: "killed by SIGSEGV", Failure: outcome.ParseClass("crash 11: assertion failed: …")}
				c.Results[3] = outcome.Result{Subject: c.Results[3].Subject, Status: "skipped", Detail: "X is not supported"}
				c.Findings = []outcome.Finding{{Subject: c.Results[0].Subject, Class: "property", Property: "deterministic", Text: "state 0 has two edges on a"}}
			}
			must.Do(r.Add(c))
			decided.Add(c)
		}
		must.Get(r.Compare(ctx, causes, command, &decided))
		must.Do(r.End(1, true, []byte("{}")))
	}
	const file = "testdata/rows.txt"
	got := rows(t, s)
	if *update {
		must.Do(os.WriteFile(file, []byte(got), 0o666))
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%s (%v) is not what is stored; if it should be, run with -update:\n%s", file, err, got)
	}
}

// rows returns all rows of all tables. A case is shown as its document.
func rows(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	tables := must.Get(texts(ctx, s.db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"))
	for _, table := range tables {
		columns := must.Get(texts(ctx, s.db, "SELECT name FROM pragma_table_info(?)", table))
		lines := must.Get(texts(ctx, s.db, "SELECT concat_ws(', ', quote("+strings.Join(columns, "), quote(")+")) FROM "+table))
		fmt.Fprintf(&b, "%s (%s)\n", table, strings.Join(columns, ", "))
		for _, line := range lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	dump := regexp.MustCompile(`X'[0-9A-F]*'`).ReplaceAllString(b.String(), "…") // packed, see TestPack
	dump = regexp.MustCompile(`'\d{4}-\d\d-\d\dT[^']*'`).ReplaceAllString(dump, "TIME")
	dump = regexp.MustCompile(`'[0-9a-f]{32}'`).ReplaceAllString(dump, "UID")
	dump = regexp.MustCompile(`TIME, TIME, [0-9.e-]+`).ReplaceAllString(dump, "TIME, TIME, SPENT")
	all := "cases, as documents\n"
	documents := must.Get(s.db.Query("SELECT document FROM cases ORDER BY run, number"))
	defer documents.Close()
	for documents.Next() {
		var document []byte
		must.Do(documents.Scan(&document))
		c := must.Get(unpack(document))
		all += "  " + text(t, c) + "\n"
	}
	return dump + all
}

// inner are the tables that only xcheck needs.
var inner = []string{"configurations", "parts", "replays"}

// TestDocs: docs/history.md names each table, with its columns if users query it, and its queries can be run.
func TestDocs(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/history.md"))
	s := must.Get(Open(t.Context(), filepath.Join(t.TempDir(), "history.db")))
	defer s.Close()
	tables := must.Get(texts(t.Context(), s.reads(), "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"))
	for _, table := range tables {
		columns := must.Get(texts(t.Context(), s.reads(), "SELECT name FROM pragma_table_info(?) ORDER BY cid", table))
		row := fmt.Sprintf("| `%s` | `%s` |", table, strings.Join(columns, "`, `"))
		if slices.Contains(inner, table) {
			row = "`" + table + "`"
		}
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/history.md misses\n%s", row)
		}
	}
	queries := strings.Split(string(page), "```sql\n")[1:]
	if len(queries) < 1 {
		t.Errorf("%d queries", len(queries))
	}
	for _, text := range queries {
		query, _, _ := strings.Cut(text, "```")
		rows, err := s.reads().QueryContext(t.Context(), query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestDictionary: what was packed needs the very same dictionary for ever.
func TestDictionary(t *testing.T) {
	const want = "4c202a74fe48c0498d92a9d525651cfb67c019e4ca942765e803de5474a76b50"
	if sum := sha256.Sum256(dictionary1); hex.EncodeToString(sum[:]) != want {
		t.Errorf("dictionary1.json has changed: files that were written with it can't be read any more")
	}
}

// TestPack: what is stored of a case is all of it, whatever its fields hold.
func TestPack(t *testing.T) {
	number, seed := campaign.Seeded(t, 200, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for range number {
		c := new(outcome.Case)
		fill(r, reflect.ValueOf(c).Elem(), 0)
		document := must.Get(pack(c))
		got := must.Get(unpack(document))
		if a, b := text(t, c), text(t, got); a != b {
			t.Fatalf("packed:\n%s\nunpacked:\n%s", a, b)
		}
	}
}

// fill sets all exported fields to random values: also to none, where that is possible.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i), depth)
			}
		}
	case reflect.Slice:
		if r.IntN(5) == 0 {
			return // null
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.String:
		runes := make([]rune, r.IntN(12))
		for i := range runes {
			runes[i] = []rune("abU&!<->\"\\\n\t\x00é∞\u2028\ufffd😀")[r.IntN(18)]
		}
		v.SetString(string(runes))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2)))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat(r.ExpFloat64() * float64(int64(1)<<r.IntN(62)))
	default:
		panic(fmt.Sprintf("a case has a field of kind %s: expected a way to fill it", v.Kind()))
	}
}

func text(t testing.TB, value any) string {
	t.Helper()
	line := must.Get(json.Marshal(value))
	return string(line)
}

// FuzzUnpack: damaged cases are errors, and what can be read can be packed again.
func FuzzUnpack(f *testing.F) {
	document := must.Get(pack(sample(3)))
	f.Add(document)
	f.Add(document[:len(document)/2])
	f.Add([]byte{})
	f.Add([]byte{packed1})
	f.Add(append([]byte{packed1 + 1}, document[1:]...))
	f.Fuzz(func(t *testing.T, document []byte) {
		c, err := unpack(document)
		if err != nil {
			return
		}
		again := must.Get(pack(c))
		d := must.Get(unpack(again))
		if a, b := text(t, c), text(t, d); !bytes.Equal([]byte(a), []byte(b)) {
			t.Errorf("%s, packed again: %s", a, b)
		}
	})
}

// TestUnpackDamaged: a bit that has changed is an error or another case, and one that is cut off is an error.
func TestUnpackDamaged(t *testing.T) {
	document := must.Get(pack(sample(3)))
	for i := range document {
		if _, err := unpack(document[:i]); err == nil {
			t.Errorf("the first %d of %d bytes can be read", i, len(document))
		}
		damaged := bytes.Clone(document)
		damaged[i] ^= 0x10
		unpack(damaged) // does not panic
	}
}
