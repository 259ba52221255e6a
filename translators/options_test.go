package translators_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestParseOptionGroup(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"-B", []string{"-B"}},
		{" -B | -M|-D ", []string{"-B", "-M", "-D"}},
		{"-x gf-guarantee={0,1}", []string{"-x gf-guarantee=0", "-x gf-guarantee=1"}},
		{"--{low,high}{,er}|-C", []string{"--low", "--lower", "--high", "--higher", "-C"}},
		{"--parity='{min,max} odd'", []string{"--parity='min odd'", "--parity='max odd'"}},
	} {
		got, err := translators.ParseOptionGroup(test.text)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	for text, want := range map[string]int{
		"": 0, "-B|": 3, "-B| |-D": 3, "-x {0,1": 3, "-x 0,1}": 6, "-x {0|1}": 3, "{{a}}": 0, "-B|-a > x": 3, "-B `a`": 0,
		strings.Repeat("{0,1}", 10): 0,
	} {
		group, err := translators.ParseOptionGroup(text)
		var bad *translators.CommandError
		if !errors.As(err, &bad) || bad.Offset != want {
			t.Errorf("%s: got %q, %v, want an error at %d", text, group, err, want)
		}
	}
}

// TestWith: options stand at {options}, or behind the first word, which may be quoted.
func TestWith(t *testing.T) {
	for text, want := range map[string]string{
		"mine %f":                     "mine -B -x a=1 'f'",
		"mine":                        "mine -B -x a=1",
		"{name} mine -q < %F":         "mine -B -x a=1 -q < 'f'",
		"owl ltl2dpa {options} -f %f": "owl ltl2dpa -B -x a=1 -f 'f'",
		"'my tool'/bin %f":            "'my tool'/bin -B -x a=1 'f'",
		"mine|filter %f":              "mine -B -x a=1|filter 'f'",
	} {
		mode := translators.Spawn
		if !strings.Contains(text, "%") {
			mode = translators.Stream
		}
		command, err := translators.ParseCommand(text, mode)
		if err != nil {
			t.Fatal(err)
		}
		tool, err := (&translators.Tool{Command: command, Mode: mode}).With([]string{"-B", "-x a=1"})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := translators.Expansions(tool.Command, "f"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if tool.Command.Text() != text {
			t.Errorf("%s: the text is %s", text, tool.Command.Text())
		}
	}
}

// TestDraw: what a formula draws depends on its text and the name of the tool, and each
// combination is drawn.
func TestDraw(t *testing.T) {
	command, err := translators.ParseCommand("mine {options} %f", translators.Spawn)
	if err != nil {
		t.Fatal(err)
	}
	tool := &translators.Tool{Name: "mine", Command: command, Options: []translators.OptionGroup{{"-B", "-D"}, {"--low", "--high"}}}
	other := *tool
	other.Name = "other"
	drawn := map[string]int{}
	differ := false
	for i := range 300 {
		formula := fmt.Sprintf("p%d", i)
		a, errA := tool.Draw(formula)
		b, errB := tool.Draw(formula)
		c, errC := other.Draw(formula)
		if err := errors.Join(errA, errB, errC); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Drawn, b.Drawn) {
			t.Errorf("%s draws %q and %q", formula, a.Drawn, b.Drawn)
		}
		differ = differ || !slices.Equal(a.Drawn, c.Drawn)
		drawn[strings.Join(a.Drawn, " ")]++
	}
	if len(drawn) != 9 || !differ {
		t.Errorf("combinations are %v; another name draws others: %v", drawn, differ)
	}
}

// TestKeptCombinations: only so many combinations of options have processes that are kept alive.
// All are right, also one that has given way to others.
func TestKeptCombinations(t *testing.T) {
	r := translators.NewTestRunner(t, 2)
	command, err := translators.ParseCommand(`sh -c 'while read f; do echo HOA: v1; echo name: \"$1\"; echo States: 0; echo Acceptance: 0 t; echo --BODY--; echo --END--; done' -- {options}`, translators.Stream)
	if err != nil {
		t.Fatal(err)
	}
	tool := &translators.Tool{Name: "sh", Mode: translators.Stream, Command: command}
	f := ltl.NewStore().Prop("p")
	for _, n := range []int{12, 3} { // four times each, and some again
		for k := range n {
			option := fmt.Sprintf("-%d", k)
			with, err := tool.With([]string{option})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				out, err := with.Translate(context.Background(), r, f, 0)
				if err != nil || out.Automaton == nil || out.Automaton.Name != option {
					t.Fatalf("%s: %v, %+v", option, err, out)
				}
			}
		}
	}
	if n := r.Kept(); n != 8 {
		t.Errorf("%d combinations have processes, want 8", n)
	}
}
