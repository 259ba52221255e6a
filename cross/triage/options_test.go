package triage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestOptions: a cause has the options that it needs and no others, and failures that need different
// ones have two causes. A failure with all the options of a cause belongs to it, and takes no calls.
func TestOptions(t *testing.T) {
	command, err := translators.ParseCommand(`sh -c 'case " $* " in *" -S "* | *" -B "*"--high "*) echo no edge >&2; exit 3;; esac; echo HOA: v1 States: 0 Acceptance: 0 t --BODY-- --END--' -- {options} %f`, translators.Spawn)
	if err != nil {
		t.Fatal(err)
	}
	runner, err := translators.NewRunner(2, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer runner.Close()
	groups := []translators.OptionGroup{{"-B"}, {"-C"}, {"--high"}, {"-U"}, {"-S"}}
	tool := &translators.Tool{Name: "mine", Command: command, Options: groups}
	failures := triage.New(grind(cross.Options{Tools: []*translators.Tool{tool}, Runner: runner}))
	for i, options := range []string{"-B -C --high -U", "-C -U -S", "-B --high -U", "-S"} {
		c := outcome.NewCase(i, "p0 U p1", nil)
		c.Results = []outcome.Result{{
			Subject: outcome.Subject{Translator: "mine"},
			Options: strings.Fields(options),
			Status:  outcome.Exit,
			Failure: outcome.ParseClass("exit 3: no edge"),
		}}
		before := failures.Calls()
		if _, err := failures.Add(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if calls := failures.Calls() - before; i >= 2 && calls > 0 {
			t.Errorf("%s: %d calls, though the cause is known", options, calls)
		}
	}
	causes, err := failures.Causes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range causes {
		got = append(got, fmt.Sprintf("%s: %s with %s (%d)", c.Class, c.Formula, strings.Join(c.Options, " "), c.Formulas))
	}
	want := "exit 3: no edge: p0 with -B --high (2)\nexit 3: no edge: p0 with -S (2)"
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if causes[0].Key == causes[1].Key {
		t.Errorf("both causes have the key %s", causes[0].Key)
	}
}

// TestSharedOptions: without a search, a cause has the options that all its failures have.
func TestSharedOptions(t *testing.T) {
	failures := triage.New(triage.Options{})
	for i, options := range []string{"-B -C --high", "-B --high -U", "-D -B --high"} {
		c := outcome.NewCase(i, "p0 U p1", nil)
		c.Results = []outcome.Result{{
			Subject: outcome.Subject{Translator: "mine"},
			Options: strings.Fields(options),
			Status:  outcome.Exit,
			Failure: outcome.ParseClass("exit 3"),
		}}
		if _, err := failures.Add(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	if err != nil || len(causes) != 1 || strings.Join(causes[0].Options, " ") != "-B --high" {
		t.Errorf("got %v, %+v", err, causes)
	}
	if got := causes[0].DrawnOptions(); got != "-B -C --high" {
		t.Errorf("the formula has %q", got)
	}
}

// Without translators, failures are grouped by class. A group shows its smallest formula.
func ExampleTriage() {
	failures := triage.New(triage.Options{})
	for i, formula := range []string{"G(a -> X b)", "X a", "a U X b"} {
		c := outcome.NewCase(i, formula, nil)
		c.Results = []outcome.Result{{
			Subject: outcome.Subject{Translator: "mine"},
			Status:  outcome.Crash,
			Failure: outcome.ParseClass("crash 11: no edge"),
		}}
		if _, err := failures.Add(context.Background(), c); err != nil {
			fmt.Println(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	for _, c := range causes {
		fmt.Printf("%s: %s on %d formulas, such as %s\n", c.Translators[0], c.Class, c.Formulas, c.Formula)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// mine: crash 11: no edge on 3 formulas, such as X a
}
