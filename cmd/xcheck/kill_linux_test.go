package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestKill kills runs with signal 9 at random moments, several times each, and goes on with
// them. What was stored before is there afterwards as it was, the file is whole, nothing is
// left of the processes, and in the end all reports are the same as for a run that nobody
// killed, but for times. With XCHECK_CAMPAIGN=200 there are so many kills, with a new seed.
func TestKill(t *testing.T) {
	t.Parallel()
	kills, seed := campaign.Seeded(t, 2, 1)
	kinds := campaign.Alternate(0,
		killed{name: "plain", flags: []string{"--save-automata=automata", "--save-bogus=bogus"}},
		killed{name: "grind", flags: []string{"--grind=ground"}},
	)
	for i, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k := &k
			k.T, k.random = t, rand.New(rand.NewPCG(seed, uint64(i)))
			k.prepare(seed)
			k.undisturbed()
			for run := 1; k.kills < max(1, kills/len(kinds)); run++ {
				k.campaign(run)
			}
			t.Logf("%d kills: %v; they left 0 cases to %d of %d", k.kills, k.moments, k.most, k.formulas)
		})
	}
}

// killed is one kind of run that is killed.
type killed struct {
	*testing.T
	name     string
	flags    []string
	random   *rand.Rand
	self     string // the command, started faster in a campaign
	dir      string
	marker   string
	formulas int
	takes    time.Duration // undisturbed
	want     map[string]any
	kills    int
	moments  map[string]int
	most     int // cases that a kill has left
}

// killedReports are the files of a run, with what makes them comparable.
var killedReports = map[string]func([]byte) (any, error){
	"json": func(text []byte) (any, error) { return comparableJSON(text) }, "csv": comparableCSV, "text": comparableText,
	"bogus":  func(text []byte) (any, error) { return string(text), nil },
	"ground": func(text []byte) (any, error) { return string(text), nil },
}

// prepare writes the configuration: translators of which one is right and kept alive, and
// one is wrong, one fails and one declares what is false.
func (k *killed) prepare(seed uint64) {
	k.dir, k.moments = k.TempDir(), map[string]int{}
	k.marker = fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(k.T.Name(), "/", "-"), os.Getpid(), time.Now().UnixNano())
	self := program()
	translator := self
	k.self = self
	if campaign.Long() {
		k.self, translator = filepath.Join(k.dir, "xcheck"), filepath.Join(k.dir, "translator")
		for file, pkg := range map[string]string{k.self: "cmd/xcheck", translator: "internal/test/seeded/translator"} {
			if out, err := exec.Command("go", "build", "-o", file, "github.com/xcheck-ltl/xcheck/"+pkg).CombinedOutput(); err != nil {
				k.Fatalf("%v\n%s", err, out)
			}
		}
	}
	k.formulas = 8
	if campaign.Long() {
		k.formulas = 62
	}
	var config strings.Builder
	fmt.Fprintf(&config, `
[formulas]
inline = ['X(a) U (b & F(c U (a U b)))', '(b M a) W (c -> !c)']
[formulas.random]
number = %d
seed = %d
propositions = ['a', 'b']
size = '1..9'
`, k.formulas-2, seed)
	for _, x := range []struct{ name, mode, bug string }{
		{"kept", "stream", seeded.None.Name}, {"spawned", "spawn", "U is W"},
		{"failing", "stream", "crash on nested untils"}, {"declaring", "stream", "false deterministic"},
	} {
		argument := "-"
		if x.mode == "spawn" {
			argument = "%f"
		}
		fmt.Fprintf(&config, "[[translators]]\nname = '%s'\nmode = '%s'\ncommand = '''%s %s'''\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n",
			x.name, x.mode, translators.Quote(translator), argument, seeded.Variable, x.bug)
	}
	if err := os.WriteFile(filepath.Join(k.dir, "config.toml"), []byte(config.String()), 0o666); err != nil {
		k.Fatal(err)
	}
}

// start starts a run in a folder of its own. The configuration is beside it, so that commands
// in reports are the same.
func (k *killed) start(folder string, more ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	if err := os.MkdirAll(filepath.Join(k.dir, folder, "tmp"), 0o777); err != nil {
		k.Fatal(err)
	}
	text, err := os.Create(filepath.Join(k.dir, folder, "text"))
	if err != nil {
		k.Fatal(err)
	}
	defer text.Close()
	args := append([]string{"run", "-c", "../config.toml", "--history=history.db", "--json=json", "--csv=csv"}, k.flags...)
	cmd, stderr = exec.Command(k.self, append(args, more...)...), new(bytes.Buffer)
	cmd.Dir = filepath.Join(k.dir, folder)
	cmd.Stdout, cmd.Stderr = text, stderr
	cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "XCHECK_TEST_MARKER="+k.marker, "TMPDIR="+filepath.Join(cmd.Dir, "tmp"))
	if err := cmd.Start(); err != nil {
		k.Fatal(err)
	}
	return cmd, stderr
}

// undisturbed makes the run that the others are compared with.
func (k *killed) undisturbed() {
	begin := time.Now()
	cmd, stderr := k.start("undisturbed")
	if cmd.Wait(); cmd.ProcessState.ExitCode() != int(outcome.ExitFailed) {
		k.Fatalf("the run ended with %v: %s", cmd.ProcessState, stderr)
	}
	k.takes = time.Since(begin)
	k.want = k.reports("undisturbed")
	if len(k.want) < 3 || k.formulas != len(k.stored("undisturbed")) {
		k.Fatalf("%d reports of %d formulas", len(k.want), len(k.stored("undisturbed")))
	}
}

// campaign kills one run until it comes to its end, at least once.
func (k *killed) campaign(run int) {
	folder := fmt.Sprint("run", run)
	times := 1 + k.random.IntN(4)
	before := map[int]string{}
	for kill := 1; ; kill++ {
		cmd, stderr := k.start(folder, "--resume")
		if kill > times {
			if cmd.Wait(); cmd.ProcessState.ExitCode() != int(outcome.ExitFailed) {
				k.Fatalf("%s ended with %v: %s", folder, cmd.ProcessState, stderr)
			}
			break
		}
		moment := k.wait(folder)
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			k.Fatal(err)
		}
		cmd.Wait()
		if cmd.ProcessState.ExitCode() == int(outcome.ExitFailed) {
			break // it was faster
		}
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL {
			k.Fatalf("%s, stopped %s, ended with %v: %s", folder, moment, cmd.ProcessState, stderr)
		}
		k.kills++
		k.moments[moment]++
		k.nothingLeft(folder)
		before = k.kept(folder, before)
		k.most = max(k.most, len(before))
		if k.ended(folder) {
			break // it was killed when it had stored that it ended: then all reports are whole
		}
		k.reports(folder) // a report that is there already is whole, too
	}
	k.nothingLeft(folder)
	if now := k.kept(folder, before); len(now) != k.formulas {
		k.Errorf("%s: %d cases, want %d", folder, len(now), k.formulas)
	}
	k.compare(folder)
	if k.Failed() {
		k.FailNow()
	}
	os.RemoveAll(filepath.Join(k.dir, folder))
}

// wait waits for a random moment of a run that goes on: any, or one at its start, or at its
// end, when all cases are reported.
func (k *killed) wait(folder string) (moment string) {
	part := k.random.Float64()
	switch k.random.IntN(4) {
	case 0:
		time.Sleep(time.Duration(part * float64(k.takes) / 8))
		return "at the start"
	case 1:
		for range 1000 {
			if k.written(folder) == k.formulas {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(part * float64(k.takes) / 16))
		return "at the end"
	}
	time.Sleep(time.Duration(part * float64(k.takes)))
	return "at any time"
}

// written returns how many cases are in the JSON document that is being written.
func (k *killed) written(folder string) (most int) {
	names, _ := filepath.Glob(filepath.Join(k.dir, folder, ".xcheck-json-*"))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		most = max(most, bytes.Count(text, []byte("\n{\"index\":")))
	}
	return most
}

// stored returns the cases of the only run in a history, by their indexes.
func (k *killed) stored(folder string) map[int]string {
	path := filepath.Join(k.dir, folder, "history.db")
	cases := map[int]string{}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return cases // it was killed before there was one
	}
	ctx := context.Background()
	s, err := history.Open(ctx, path)
	if err != nil {
		k.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		k.Error(err)
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		k.Fatal(err)
	}
	if len(runs) == 0 {
		return cases
	}
	if len(runs) > 1 {
		k.Errorf("%s: %d runs, want one", folder, len(runs))
	}
	err = s.Cases(ctx, runs[0].Run, func(c *outcome.Case) error {
		text, err := json.Marshal(c)
		if _, twice := cases[c.Index]; twice {
			k.Errorf("%s: case %d is there twice", folder, c.Index)
		}
		cases[c.Index] = string(text)
		return err
	})
	if err != nil {
		k.Error(err)
	}
	if len(cases) != runs[0].Cases {
		k.Errorf("%s: %d cases, and it says %d", folder, len(cases), runs[0].Cases)
	}
	k.foreignKeys(path)
	return cases
}

// ended reports whether a history says that its run has ended.
func (k *killed) ended(folder string) bool {
	path := filepath.Join(k.dir, folder, "history.db")
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return false
	}
	s, err := history.Open(context.Background(), path)
	if err != nil {
		k.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs(context.Background())
	if err != nil {
		k.Fatal(err)
	}
	return len(runs) > 0 && runs[0].Finished
}

// foreignKeys looks for results and other rows that belong to nothing.
func (k *killed) foreignKeys(path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		k.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT count(*) FROM pragma_foreign_key_check").Scan(&n); err != nil || n > 0 {
		k.Errorf("%s: %d rows belong to nothing, %v", path, n, err)
	}
	var lost int
	err = db.QueryRow("SELECT count(*) FROM cases WHERE (SELECT count(*) FROM results WHERE results.run = cases.run AND results.number = cases.number) <> 8").Scan(&lost)
	if err != nil || lost > 0 {
		k.Errorf("%s: %d cases don't have their eight results, %v", path, lost, err)
	}
}

// kept checks that all cases are there which were before, and the same.
func (k *killed) kept(folder string, before map[int]string) map[int]string {
	now := k.stored(folder)
	for index, was := range before {
		if now[index] != was {
			k.Errorf("%s: case %d was\n%s\nand is\n%s", folder, index, was, now[index])
		}
	}
	for index := range now {
		if index < 0 || index >= k.formulas {
			k.Errorf("%s: case %d of %d", folder, index, k.formulas)
		}
	}
	return now
}

// nothingLeft looks for processes and temporary files that the run has left. Of one that was
// killed, a guard takes a moment to remove them.
func (k *killed) nothingLeft(folder string) {
	var left []string
	for range 600 {
		left = nil
		names, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range names {
			if environment, _ := os.ReadFile(name); bytes.Contains(environment, []byte(k.marker)) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
				left = append(left, fmt.Sprintf("%s %q", name, line))
			}
		}
		files, err := os.ReadDir(filepath.Join(k.dir, folder, "tmp"))
		if err != nil {
			k.Fatal(err)
		}
		for _, file := range files {
			left = append(left, file.Name())
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	k.Errorf("%s: left: %q", folder, left)
}

// reports reads the reports of a run as far as they are to be equal.
func (k *killed) reports(folder string) map[string]any {
	reports := map[string]any{}
	for name, comparable := range killedReports {
		text, err := os.ReadFile(filepath.Join(k.dir, folder, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			reports[name], err = comparable(text)
		}
		if err != nil {
			k.Errorf("%s/%s: %v", folder, name, err)
		}
	}
	automata, _ := filepath.Glob(filepath.Join(k.dir, folder, "automata", "*"))
	for _, name := range automata {
		text, err := os.ReadFile(name)
		if err != nil {
			k.Error(err)
		}
		reports[filepath.Base(name)] = string(text)
	}
	return reports
}

// compare compares the reports with the reports of the undisturbed run. On a slow machine,
// cases may have overtaken others: then only the JSON document is the same, but for its order.
func (k *killed) compare(folder string) {
	want, got := k.want, k.reports(folder)
	if !inOrder(want["json"]) || !inOrder(got["json"]) {
		k.Logf("%s: cases have overtaken others", folder)
		want, got = map[string]any{"json": sorted(want["json"])}, map[string]any{"json": sorted(got["json"])}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if where := difference(want[name], got[name]); where != "" {
			k.Errorf("%s/%s differs from the undisturbed run: %s", folder, name, where)
		}
		delete(got, name)
	}
	for name := range got {
		k.Errorf("%s/%s: a run that nobody stopped has no such file", folder, name)
	}
}

func caseIndex(c any) float64 { return c.(map[string]any)["index"].(float64) }

func inOrder(document any) bool {
	return slices.IsSortedFunc(document.(map[string]any)["cases"].([]any), func(a, b any) int { return int(caseIndex(a) - caseIndex(b)) })
}

// sorted returns the cases and the summary, which do not depend on the order.
func sorted(document any) any {
	cases := slices.Clone(document.(map[string]any)["cases"].([]any))
	slices.SortFunc(cases, func(a, b any) int { return int(caseIndex(a) - caseIndex(b)) })
	return []any{cases, document.(map[string]any)["translators"], document.(map[string]any)["summary"]}
}

// comparableCSV leaves out the column of times.
func comparableCSV(text []byte) (any, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	column := slices.Index(lines[0], "time")
	for i := range lines {
		lines[i] = slices.Delete(lines[i], column, column+1)
	}
	return lines, nil
}

var spaces = lazy(`(?m) +| +$`)

// comparableText leaves out the last columns of the translators' table, which are times and
// memory, and with it the width of columns.
func comparableText(text []byte) (any, error) {
	lines := strings.Split(spaces().ReplaceAllString(string(text), " "), "\n")
	columns := 0 // to keep, in the table
	for i, line := range lines {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "translator calls ") {
			fields = fields[:slices.Index(fields, "time")]
			lines[i], columns = strings.Join(fields, " "), len(fields)-1 // wrong negations is one
		} else if columns > len(fields) {
			columns = 0
		} else if columns > 0 {
			lines[i] = strings.Join(fields[:columns], " ")
		}
	}
	return lines, nil
}
