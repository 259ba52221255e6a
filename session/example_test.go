package session_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// lazy is a translator that prints the same automaton for each formula, which accepts all words.
const lazy = `{lazy} echo 'HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--'; : %f`

// plan returns the plan of a stored run that checks lazy on some formulas.
func plan(file string, formulas ...string) *session.Plan {
	config := configs.Default()
	config.Formulas = configs.Formulas{Inline: formulas}
	config.History = configs.History{File: file, Name: "example"}
	plan := &session.Plan{Config: config}
	if err := plan.Choose(&session.Choice{Commands: []string{lazy}, NoBuiltin: true}); err != nil {
		log.Fatal(err)
	}
	return plan
}

// temporary returns a folder for the histories of an example.
func temporary() string {
	dir, err := os.MkdirTemp("", "session-")
	if err != nil {
		log.Fatal(err)
	}
	return dir
}

// interruption is a sink that interrupts the run after its first case.
type interruption struct{ interrupt func() }

func (s interruption) Case(*outcome.Case, report.News) error { s.interrupt(); return nil }

func (s interruption) End(*report.Summary) error { return nil }

// A run that was interrupted resumes: what was checked is not checked again, but the report has
// all of it.
func ExampleRun() {
	dir := temporary()
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "history.db")

	ctx, cancel := context.WithCancel(context.Background())
	result, err := session.Run(ctx, plan(file, "Ga", "Fa", "a U b"), interruption{cancel})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit status", result.Status)

	again := plan(file, "Ga", "Fa", "a U b")
	again.Resume = true
	again.Note = func(text string) { fmt.Println(text[:len("resuming run 1")]) }
	result, err = session.Run(context.Background(), again)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit status", result.Status)
	fmt.Println(result.Summary.Counts.Formulas, "formulas checked")
	// Output:
	// exit status 130
	// resuming run 1
	// exit status 1
	// 3 formulas checked
}

// Two processes, perhaps on two machines, check one half of the formulas each.
func ExampleMerge() {
	dir := temporary()
	defer os.RemoveAll(dir)
	var files []string
	for i := 1; i <= 2; i++ {
		file := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		part := plan(file, "Ga", "Fa", "a U b")
		part.Shard = session.Shard{Part: i, Parts: 2}
		result, err := session.Run(context.Background(), part)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("shard %v: %d formulas checked\n", &part.Shard, result.Summary.Counts.Formulas)
		files = append(files, file)
	}
	merged, err := session.Merge(context.Background(), filepath.Join(dir, "all.db"), files...)
	if err != nil {
		log.Fatal(err)
	}
	run := merged.Unions[0]
	fmt.Printf("run %d: %d formulas checked, exit status %d\n", run.Info.Run, run.Cases, *run.Status)
	// Output:
	// shard 1/2: 2 formulas checked
	// shard 2/2: 1 formulas checked
	// run 1: 3 formulas checked, exit status 1
}

// A run that writes reports, and checks first that its tools can be started.
func ExamplePlan_Choose() {
	ctx := context.Background()
	config := configs.Default()
	config.Formulas = configs.Formulas{Inline: []string{"Ga"}}
	plan := &session.Plan{Config: config}
	mine := &session.Choice{Commands: []string{lazy}, NoBuiltin: true}
	if err := cmp.Or(plan.Choose(mine), plan.CheckTools(ctx, false)); err != nil {
		log.Fatal(err)
	}
	result, err := session.Run(ctx, plan, &report.Text{W: os.Stdout, Quiet: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit status", result.Status)
	// Output:
	// 1 problem
	// problem  translator  kind         formulas  smallest formula  word
	//       1  lazy        extra words         1  Ga                cycle{!a} (shortest: 1 letter)
	//
	// disagreement: extra word
	//   formula 0:  Ga
	//   word:       cycle{!a}   (shortest: 1 letter, accepted by automata that should reject it)
	//   settled by: !a   (bad prefix: the formula is false whatever follows)
	//   the word does not satisfy the formula
	//     translator  formula  negation
	//     lazy        accepts  accepts   wrong (formula)
	//     builtin     rejects  accepts
	//   command:    echo 'HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--'; : 'G(a)'
	//   reproduce:  xcheck run -t '{lazy} echo '\''HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--'\''; : %f' --only 'lazy' -f 'Ga'
	// FAIL: 1 formula checked, disagreement on 1 formula; wrong: lazy
	// exit status 1
}

// The program of docs/go.md: a run that is stored, and resumes. It is not run here.
func Example_guide() {
	ctx := context.Background()
	config := configs.Default()
	config.History.File = "xcheck.db"
	config.Output.Report("html", "report.html")
	plan := &session.Plan{Config: config, Resume: true}
	mine := &session.Choice{Commands: []string{"{mine} mytool %f"}, NoBuiltin: true}
	if err := cmp.Or(plan.Choose(mine), plan.CheckTools(ctx, false)); err != nil {
		log.Fatal(err)
	}
	result, err := session.Run(ctx, plan, &report.Text{W: os.Stdout})
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(int(result.Status))
}
