package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

// sharded writes a configuration with translators that are wrong, fail, declare what is
// false, and take too long for the checks of some formulas, in a folder of its own, which
// becomes the working one.
func sharded(t *testing.T, number int, seed uint64) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv(asMain, "1") // of the built-in translator
	must.Do(os.WriteFile("tool", selfScript(), 0o777))
	var config strings.Builder
	fmt.Fprintf(&config, `[formulas]
inline = ['X(a) U (b & F(c U (a U b)))', 'b & FG(a) & c', 'c U 1 xor 0', 'a U b', '!(a U X b)', 'a U b']
[formulas.random]
number = %d
seed = %d
propositions = ['a', 'b', 'c']
size = '1..12'
[checks]
prove = 'none'
[limits]
macrostates = 3
[[translators]]
builtin = "couvreur"
`, number, seed)
	for _, bug := range []string{seeded.Bugs()[0].Name, "crash on nested untils", "false deterministic"} {
		fmt.Fprintf(&config, "[[translators]]\nname = '%s'\ncommand = './tool -'\nmode = 'stream'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n",
			bug, seeded.Variable, bug)
	}
	must.Do(os.WriteFile("nightly.toml", []byte(config.String()), 0o666))
}

// ends runs a command that ends with one of some statuses, and returns its output.
func ends(t *testing.T, want []int, args ...string) string {
	t.Helper()
	got, out, errs := invoke("", args...)
	if !slices.Contains(want, got) {
		t.Fatalf("xcheck %s: status %d, want %v: %s", strings.Join(args, " "), got, want, errs)
	}
	return out + errs
}

// measured are the fields of the JSON document that say how long something took, or when it
// was, or how much memory; and which processes made it.
var measured = []string{"time", "cpu_time", "max_rss", "started", "elapsed", "provenance", "proved", "unproved"}

func comparableJSON(text []byte, more ...string) (any, error) {
	var document any
	err := json.Unmarshal(text, &document)
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range append(more, measured...) {
				delete(value, name)
			}
			for _, v := range value {
				walk(v)
			}
		case []any:
			for _, v := range value {
				walk(v)
			}
		}
	}
	walk(document)
	return document, err
}

// difference says where two documents differ, or "".
func difference(want, got any) string {
	lines, others := indented(want), indented(got)
	for i := range max(len(lines), len(others)) {
		if i >= len(lines) || i >= len(others) || lines[i] != others[i] {
			return fmt.Sprintf("line %d is\n%.2000q\nnot\n%.2000q", i+1, others[min(i, len(others)):], lines[min(i, len(lines)):])
		}
	}
	return ""
}

func indented(value any) []string {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(string(text), "\n")
}

// withoutTimes returns a document without what depends on the load of the machine, and numbers of runs.
func withoutTimes(t *testing.T, file string) any {
	t.Helper()
	text := must.Get(os.ReadFile(file))
	return must.Get(comparableJSON(text, "run"))
}

// TestMerge: four shards that are merged have the report of the undivided run, but for times, on the first night,
// and on a second one after it. They need not come at once, nor in order, and may come twice.
func TestMerge(t *testing.T) {
	number, seed := campaign.Seeded(t, 14, 1)
	sharded(t, number, seed)
	before := ""
	for night, name := range []string{"monday", "tuesday"} {
		file := func(name string) string { return fmt.Sprintf("%d-%s", night, name) }
		for _, db := range []string{"whole.db", "1.db", "2.db", "3.db", "4.db", "merged.db"} {
			if before != "" {
				ends(t, []int{0}, "merge", "--into", file(db), before)
			}
		}
		args := []string{"run", "-c", "nightly.toml", "-q", "--name", name, "--seed", fmt.Sprint(seed + uint64(night))}
		ends(t, []int{1}, append(args, "--history", file("whole.db"), "--json="+file("whole.json"))...)
		for i := 1; i <= 4; i++ {
			ends(t, []int{0, 1, 3}, append(args, "--shard", fmt.Sprintf("%d/4", i), "--history", file(fmt.Sprintf("%d.db", i)))...)
		}
		for range 2 {
			out := ends(t, []int{1}, "merge", "--into", file("merged.db"), file("3.db"), file("1.db"))
			if !strings.Contains(out, "shards 2, 4 of 4 are missing") {
				t.Error(out)
			}
		}
		out := ends(t, []int{0}, "merge", "--into", file("merged.db"), file("2.db"), file("4.db"), file("3.db"))
		if !strings.Contains(out, "merged from shards 1, 2, 3, 4 of 4") {
			t.Error(out)
		}
		ends(t, []int{0}, "report", "--history", file("whole.db"), "--run", name, "--json="+file("stored.json"))
		whole, stored := ends(t, []int{0}, "report", file("whole.json"), "-q"), ends(t, []int{0}, "report", file("stored.json"), "-q")
		if whole != stored {
			t.Errorf("%s\nand as stored\n%s", whole, stored)
		}
		ends(t, []int{0}, "report", "--history", file("merged.db"), "--json="+file("merged.json"))
		news := 0
		if text, err := os.ReadFile(file("merged.json")); err != nil || strings.Contains(string(text), `"state":"new"`) {
			news = 1
		}
		ends(t, []int{news}, "report", "--history", file("merged.db"), "--fail-on-new", "--format", "csv")
		ends(t, []int{news}, "report", file("merged.json"), "--fail-on-new")
		if night == 0 && news == 0 {
			t.Error("nothing is new on the first night")
		}
		document := withoutTimes(t, file("whole.json"))
		for _, name := range []string{"stored.json", "merged.json"} {
			if where := difference(document, withoutTimes(t, file(name))); where != "" {
				t.Fatalf("%s: %s", name, where)
			}
		}
		lines := strings.Join(indented(document), "\n")
		for _, part := range []string{`"verdict": "failed"`, `"class": "property"`, "\"undecided\": [\n", `"status": "exit"`, `"regression"`} {
			if !strings.Contains(lines, part) {
				t.Errorf("no %s in the document: nothing was tested", part)
			}
		}
		if again := ends(t, []int{0}, "merge", "--into", file("merged.db"), file("1.db"), file("2.db"), file("3.db"), file("4.db")); strings.Contains(again, "merged from") {
			t.Error(again)
		}
		ends(t, []int{0}, "merge", "--into", file("both.db"), file("3.db"), file("merged.db")) // a shard beside what has it
		before = file("merged.db")
	}
}

// TestMergeOfMachines: shards unite also if xcheck is in another folder on each machine. Of one
// that does not belong to them, it is said what it has otherwise.
func TestMergeOfMachines(t *testing.T) {
	self := program()
	program := must.Get(os.ReadFile(self))
	t.Chdir(t.TempDir())
	t.Setenv(asMain, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	for i, size := range []string{"1..4", "1..4", "1..5"} {
		folder := fmt.Sprint("machine ", i+1)
		xcheck := filepath.Join(folder, "xcheck")
		must.Do(errors.Join(os.Mkdir(folder, 0o777), os.WriteFile(xcheck, program, 0o777)))
		out, err := exec.Command(xcheck, "run", "--no-found", "-n", "6", "--size", size, "--seed", "1", "-q",
			"--name", "monday", "--shard", fmt.Sprintf("%d/3", i+1), "--history", fmt.Sprint(i+1, ".db")).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	out := ends(t, []int{1}, "merge", "1.db", "2.db", "3.db")
	for _, want := range []string{"merged from shards 1, 2 of 3", "belongs to another run: different configurations (Formulas.Random.MaxSize)"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in\n%s", want, out)
		}
	}
}
