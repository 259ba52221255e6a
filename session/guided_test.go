package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// chain is a translator of lines that prints an automaton with a state for each three characters of
// the formula, and a few more sets if there is a U or an R.
const chain = `{chain} while IFS= read -r f; do
	case $f in *U*R*|*R*U*) m=3;; *U*) m=2;; *R*) m=1;; *) m=0;; esac
	n=$((${#f}/3)); b="HOA: v1 States: $((n+1)) Start: 0 AP: 0 Acceptance: $m t --BODY--"; i=0
	while [ $i -lt $n ]; do b="$b State: $i [t] $((i+1))"; i=$((i+1)); done
	echo "$b State: $i [t] $i --END--"
done`

// chained is chain within this process.
func chained(_ context.Context, f string, out io.Writer) error {
	n, sets := len(f)/3, 0
	if strings.Contains(f, "R") {
		sets = 1
	}
	if strings.Contains(f, "U") {
		sets += 2
	}
	fmt.Fprintf(out, "HOA: v1 States: %d Start: 0 AP: 0 Acceptance: %d t --BODY--", n+1, sets)
	for i := range n {
		fmt.Fprintf(out, " State: %d [t] %d", i, i+1)
	}
	_, err := fmt.Fprintf(out, " State: %d [t] %d --END--\n", n, n)
	return err
}

// guidedPlan returns a plan of n random formulas for chained, without checks.
func guidedPlan(t *testing.T, n int) *Plan {
	t.Helper()
	config := configs.Default()
	config.Formulas = configs.Formulas{Random: &configs.Random{Number: n, Seeded: true, Profile: random.Default, RandomOptions: ltl.RandomOptions{Seed: 7}}}
	config.Checks.Reference, config.Checks.NoChecks = false, true
	tools, err := Tools([]configs.Translator{{Command: chain, Mode: translators.Stream}}, config.Limits)
	if err != nil {
		t.Fatal(err)
	}
	tools[0].Builtin = chained
	return &Plan{Config: config, Tools: tools}
}

// cases runs a plan and returns what can be compared of its cases.
func cases(t *testing.T, p *Plan) []outcome.Case {
	t.Helper()
	var all recorder
	if _, err := Run(t.Context(), p, &all); err != nil {
		t.Fatal(err)
	}
	return comparable(all.cases)
}

// guided counts the cases whose formulas were made of others.
func guided(list []outcome.Case) (n int) {
	for _, c := range list {
		if len(c.Parents) > 0 {
			n++
		}
	}
	return n
}

var times = regexp.MustCompile(`"(time|cpu_time|max_rss|started|proved|unproved)":(?:[-+0-9.e]+|"[^"]*"|true|false)`)

// TestGuidedJobs: guided formulas, and so the whole report but for times, do not depend on how many
// processes there are. There may be more than formulas whose answers the guide can do without.
func TestGuidedJobs(t *testing.T) {
	const n = 300
	report := func(jobs int) string {
		p := guidedPlan(t, n)
		file := filepath.Join(t.TempDir(), "run.json")
		p.Config.Output.Report("json", file)
		p.Config.Limits.Jobs = jobs
		list := cases(t, p)
		if got := guided(list); got < n/5 {
			t.Errorf("-j %d: %d of %d formulas have parents", jobs, got, n)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return times.ReplaceAllString(string(text), `"$1":0`)
	}
	want := report(1)
	for _, jobs := range []int{2, 300} {
		if got := report(jobs); got != want {
			t.Errorf("-j %d: another report than with -j 1", jobs)
		}
	}
}

// TestGuidedBatch: a translator that gets many formulas at once has the same ones. A batch does not wait
// for formulas that wait for its answers. If it may use few processes, each takes many.
func TestGuidedBatch(t *testing.T) {
	const n = 300
	alone := guidedPlan(t, n)
	alone.Tools[0].Builtin = nil // which is asked with fewer parentheses
	want := cases(t, alone)
	for _, jobs := range []int{2, 300} {
		log := filepath.Join(t.TempDir(), "log")
		p := guidedPlan(t, n)
		p.Config.Limits.Jobs = jobs
		var err error
		if p.Tools, err = Tools([]configs.Translator{{Command: `{chain} echo >>` + log + `; ` + strings.TrimPrefix(chain, "{chain} "), Mode: translators.Batch}}, p.Config.Limits); err != nil {
			t.Fatal(err)
		}
		got := cases(t, p)
		for i := range min(len(got), len(want)) {
			if got[i].Formula != want[i].Formula || !slices.Equal(got[i].Parents, want[i].Parents) {
				t.Fatalf("-j %d: formula %d is %q, of %q, and one by one %q, of %q", jobs, i, got[i].Formula, got[i].Parents, want[i].Formula, want[i].Parents)
			}
		}
		starts, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != n || jobs == 2 && len(starts) > n/2 { // there are about 20
			t.Errorf("-j %d: %d cases in %d batches", jobs, len(got), len(starts))
		}
	}
}

// TestGuidedResume: a run starts from the corpus of the runs before it. When it resumes, it starts
// from the same, whatever has ended since, and becomes the run that was not interrupted.
func TestGuidedResume(t *testing.T) {
	const n = 320
	dir := t.TempDir()
	stored := func(name string, n int, file string) *Plan {
		p := guidedPlan(t, n)
		p.Config.History = configs.History{File: filepath.Join(dir, file), Name: name}
		return p
	}
	monday := cases(t, stored("monday", 220, "a.db"))
	if first := cases(t, guidedPlan(t, 220)); !reflect.DeepEqual(monday, first) {
		t.Error("the first run of a history has other formulas than one without")
	}
	if _, err := Merge(t.Context(), filepath.Join(dir, "b.db"), filepath.Join(dir, "a.db")); err != nil {
		t.Fatal(err)
	}
	want := cases(t, stored("tuesday", n, "b.db"))
	fromMonday := 0
	for _, c := range want {
		if slices.ContainsFunc(c.Parents, func(f string) bool {
			return slices.ContainsFunc(monday, func(c outcome.Case) bool { return c.Formula == f }) &&
				!slices.ContainsFunc(want, func(c outcome.Case) bool { return c.Formula == f })
		}) {
			fromMonday++
		}
	}
	if fromMonday == 0 {
		t.Error("no formula has a parent of the run before")
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun := &recorder{}
	begun.each = func() error {
		if len(begun.cases) == n*3/4 {
			cancel()
		}
		return nil
	}
	if result, err := Run(ctx, stored("tuesday", n, "a.db"), begun); err != nil || result.Status != outcome.ExitInterrupted {
		t.Fatalf("%v, %+v", err, result)
	}
	cases(t, stored("between", 50, "a.db"))
	p := stored("tuesday", n, "a.db")
	p.Resume = true
	if got := cases(t, p); !reflect.DeepEqual(got, want) {
		t.Error("the resumed run has other cases than the one that was not interrupted")
	}
}

// TestGuidedShards: shards without a guide are the undivided run. With a guide each shard has
// formulas of its own, the same ones each time, under the numbers that a shard has; a merge unites
// what they kept.
func TestGuidedShards(t *testing.T) {
	const n, few, parts = 580, 60, 2
	dir := t.TempDir()
	shard := func(i, n int, file string) []outcome.Case {
		p := guidedPlan(t, n)
		p.Config.Formulas.Random.NoGuide = n == few
		p.Shard = Shard{i, parts}
		if file != "" {
			p.Config.History = configs.History{File: filepath.Join(dir, file), Name: "monday"}
		}
		return cases(t, p)
	}
	p := guidedPlan(t, few)
	p.Config.Formulas.Random.NoGuide = true
	whole := cases(t, p)
	for i := 1; i <= parts; i++ {
		for k, c := range shard(i, few, "") {
			if !reflect.DeepEqual(c, whole[parts*k+i-1]) {
				t.Fatalf("without a guide, shard %d has %q where the run has %q", i, c.Formula, whole[parts*k+i-1].Formula)
			}
		}
	}

	first, second := shard(1, n, "1.db"), shard(2, n, "2.db")
	if again := shard(2, n, ""); !reflect.DeepEqual(again, second) {
		t.Error("shard 2 has other cases the second time")
	}
	same := 0
	for k := range first {
		if first[k].Index != 2*k || second[k].Index != 2*k+1 {
			t.Fatalf("case %d of the shards is case %d and %d of the run", k, first[k].Index, second[k].Index)
		}
		if first[k].Formula == second[k].Formula {
			same++
		}
	}
	if same > n/20 || guided(second) < n/parts/5 {
		t.Errorf("%d formulas are in both shards, %d of one are guided", same, guided(second))
	}
	merged, err := Merge(t.Context(), filepath.Join(dir, "all.db"), filepath.Join(dir, "1.db"), filepath.Join(dir, "2.db"))
	if err != nil || len(merged.Unions) != 1 || Lacks(merged.Unions[0]) != "" {
		t.Fatalf("%v, %+v", err, merged)
	}
	if got, want := corpusOf(t, dir, "all.db"), append(corpusOf(t, dir, "1.db"), corpusOf(t, dir, "2.db")...); !sameTexts(got, want) {
		t.Errorf("the corpus has %d formulas, those of the shards have %d", len(got), len(want))
	}
}

// corpusOf returns the formulas that the next run with a history starts from.
func corpusOf(t *testing.T, dir, file string) []string {
	t.Helper()
	s, err := history.Open(t.Context(), filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Corpus(t.Context(), []string{"chain"})
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: corpus of %d formulas, %v", file, len(list), err)
	}
	return list
}

// sameTexts reports whether two lists have the same texts, in any order and number.
func sameTexts(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}
