package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

// sharded writes a configuration with translators that are wrong, fail, declare what is
// false, and take too long for the checks of some formulas, in a folder of its own, which
// becomes the working one.
func sharded(t *testing.T, number int, seed uint64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv(asMain, "1") // of the built-in translator
	var config strings.Builder
	fmt.Fprintf(&config, `[formulas]
inline = ['X(a) U (b & F(c U (a U b)))', 'b & FG(a) & c', 'c U 1 xor 0', 'a U b', '!(a U X b)', 'a U b']
[formulas.random]
number = %d
seed = %d
propositions = ['a', 'b', 'c']
size = '1..12'
[limits]
macrostates = 3
[[translators]]
builtin = "couvreur"
`, number, seed)
	for _, bug := range []string{seeded.Bugs()[0].Name, "crash on nested untils", "false deterministic"} {
		fmt.Fprintf(&config, "[[translators]]\nname = '%s'\ncommand = '%s -'\nmode = 'stream'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n",
			bug, self, seeded.Variable, bug)
	}
	if err := os.WriteFile("nightly.toml", []byte(config.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// must runs a command that ends with one of some statuses, and returns its output.
func must(t *testing.T, want []int, args ...string) string {
	t.Helper()
	got, out, errs := invoke("", args...)
	if !slices.Contains(want, got) {
		t.Fatalf("xcheck %s: status %d, want %v: %s", strings.Join(args, " "), got, want, errs)
	}
	return out + errs
}

// withoutTimes returns the lines of a document, with all that depends on the time or the load
// of the machine, and the numbers of runs, left out.
func withoutTimes(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		for _, key := range []string{"time", "cpu_time", "max_rss", "started", "run", "proved", "unproved"} {
			line = cut(line, `"`+key+`":`)
		}
		lines[i] = line
		if strings.HasPrefix(line, `"provenance": `) { // the processes of the shards
			lines[i] = ""
		}
	}
	return lines
}

// cut removes the numbers and texts behind a key.
func cut(line, key string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(line, key)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString(key)
		line = after[strings.IndexAny(after, ",}"):]
	}
}

func same(t *testing.T, whole, merged []string) {
	t.Helper()
	if len(whole) != len(merged) {
		t.Errorf("%d lines, and %d of the merged run", len(whole), len(merged))
	}
	for i := range min(len(whole), len(merged)) {
		if whole[i] != merged[i] {
			t.Fatalf("line %d:\n%s\nand of the merged run\n%s", i+1, whole[i], merged[i])
		}
	}
}

// TestMerge: four shards that are merged have the report of the undivided run, but for
// times, in the first night, and in a second one that begins with the first one's history.
// They need not come at once, nor in order, and may come twice.
func TestMerge(t *testing.T) {
	number, seed := campaign.Seeded(t, 14, 1)
	sharded(t, number, seed)
	before := ""
	for night, name := range []string{"monday", "tuesday"} {
		file := func(name string) string { return fmt.Sprintf("%d-%s", night, name) }
		for _, db := range []string{"whole.db", "1.db", "2.db", "3.db", "4.db", "merged.db"} {
			if before != "" {
				must(t, []int{0}, "merge", "--into", file(db), before)
			}
		}
		args := []string{"run", "-c", "nightly.toml", "-q", "--name", name, "--seed", fmt.Sprint(seed + uint64(night))}
		must(t, []int{1}, append(args, "--history", file("whole.db"), "--json="+file("whole.json"))...)
		for i := 1; i <= 4; i++ {
			must(t, []int{0, 1, 3}, append(args, "--shard", fmt.Sprintf("%d/4", i), "--history", file(fmt.Sprintf("%d.db", i)))...)
		}
		for range 2 {
			out := must(t, []int{1}, "merge", "--into", file("merged.db"), file("3.db"), file("1.db"))
			if !strings.Contains(out, "shards 2, 4 of 4 are missing") {
				t.Error(out)
			}
		}
		out := must(t, []int{0}, "merge", "--into", file("merged.db"), file("2.db"), file("4.db"), file("3.db"))
		if !strings.Contains(out, "merged from shards 1, 2, 3, 4 of 4") {
			t.Error(out)
		}
		must(t, []int{0}, "report", "--history", file("whole.db"), "--run", name, "--json="+file("stored.json"))
		whole, stored := must(t, []int{0}, "report", file("whole.json"), "-q"), must(t, []int{0}, "report", file("stored.json"), "-q")
		if whole != stored {
			t.Errorf("%s\nand as stored\n%s", whole, stored)
		}
		must(t, []int{0}, "report", "--history", file("merged.db"), "--json="+file("merged.json"))
		news := 0
		if text, err := os.ReadFile(file("merged.json")); err != nil || strings.Contains(string(text), `"state":"new"`) {
			news = 1
		}
		must(t, []int{news}, "report", "--history", file("merged.db"), "--fail-on-new", "--format", "csv")
		must(t, []int{news}, "report", file("merged.json"), "--fail-on-new")
		if night == 0 && news == 0 {
			t.Error("nothing is new on the first night")
		}
		lines := withoutTimes(t, file("whole.json"))
		same(t, lines, withoutTimes(t, file("stored.json")))
		same(t, lines, withoutTimes(t, file("merged.json")))
		for _, part := range []string{`"verdict":"failed"`, `"class":"property"`, `"undecided":[{`, `"status":"exit"`, `"regression"`, `"trend"`} {
			if !strings.Contains(strings.Join(lines, "\n"), part) {
				t.Errorf("no %s in the document: nothing was tested", part)
			}
		}
		if again := must(t, []int{0}, "merge", "--into", file("merged.db"), file("1.db"), file("2.db"), file("3.db"), file("4.db")); strings.Contains(again, "merged from") {
			t.Error(again)
		}
		before = file("merged.db")
	}
}

// TestMergeOfMachines: shards unite also if xcheck is in another folder on each machine. Of one
// that does not belong to them, it is said what it has otherwise.
func TestMergeOfMachines(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv(asMain, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	for i, size := range []string{"1..4", "1..4", "1..5"} {
		folder := fmt.Sprint("machine ", i+1)
		xcheck := filepath.Join(folder, "xcheck")
		if err := errors.Join(os.Mkdir(folder, 0o777), os.WriteFile(xcheck, program, 0o777)); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(xcheck, "run", "--no-found", "-n", "6", "--size", size, "--seed", "1", "-q",
			"--name", "monday", "--shard", fmt.Sprintf("%d/3", i+1), "--history", fmt.Sprint(i+1, ".db")).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	out := must(t, []int{1}, "merge", "1.db", "2.db", "3.db")
	for _, want := range []string{"merged from shards 1, 2 of 3", "belongs to another run: different configurations (Formulas.Random.MaxSize)"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in\n%s", want, out)
		}
	}
}
