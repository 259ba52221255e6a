package cross_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/translators"
)

// dotage is a tool in the shell's language that is right on the first formula of each
// process, and then has its mind on other things: what it answers from formula $1 on
// is for the formula $2.
const dotage = `n=0
while read -r f; do
	n=$((n+1))
	[ $n -lt "$1" ] || f=$2
	"$SELF" "$f" || exit 1
done
`

// kept returns such a tool in a mode.
func kept(t *testing.T, name string, mode translators.Mode, from int, formula string) *translators.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(file, []byte(dotage), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := translators.ParseCommand(fmt.Sprintf("sh %s %d '%s'", file, from, formula), mode)
	if err != nil {
		t.Fatal(err)
	}
	return &translators.Tool{Name: name, Mode: mode, Command: c, Processes: 1, Limits: translators.Limits{Timeout: time.Minute},
		Env: []string{"SELF=" + self, asTranslator + "=gastin-oddoux", "GORACE=atexit_sleep_ms=0"}}
}

// TestNoFalseBlame: a tool that is wrong only after other formulas is not blamed for
// its automata, but found to be unstable; one that is always wrong is blamed.
func TestNoFalseBlame(t *testing.T) {
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		tools := []*translators.Tool{
			tool(t, "gpvw"),
			kept(t, "good", mode, 1000, "1"),
			kept(t, "old", mode, 2, "F(a & b & c)"),
			kept(t, "wrong", mode, 1, "F(a & b & c)"),
		}
		cases := run(t, cross.Options{Tools: tools}, these(t, "a U b", "G(a | c)", "FGc", "Xa & b"))
		unstable := 0
		for _, c := range cases {
			for i, r := range c.Results {
				if r.Status != "ok" {
					t.Errorf("%s, %s: result %d: %s: %s", mode, c.Formula, i, r.Status, r.Detail)
				}
			}
			for name := range blamed(c) {
				if !strings.HasSuffix(name, " wrong") {
					t.Errorf("%s, %s: %s is blamed", mode, c.Formula, name)
				}
			}
			if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
				t.Errorf("%s, %s: only %v are blamed", mode, c.Formula, blamed(c))
			}
			var odd []string
			for _, f := range c.Findings {
				odd = append(odd, f.Translator+" "+string(f.Class))
				if f.Translator == "old" && f.Class == "unstable" {
					unstable++
				}
			}
			if slices.ContainsFunc(odd, func(s string) bool { return s != "old unstable" && !strings.HasPrefix(s, "wrong proposition") }) {
				t.Errorf("%s, %s: findings %q", mode, c.Formula, odd)
			}
		}
		if unstable < 5 {
			t.Errorf("%s: %d answers are found to be unstable", mode, unstable)
		}
	}
}

// TestNumbering: a tool that writes the same automaton in another way each time is
// blamed if it is wrong, but not unstable.
func TestNumbering(t *testing.T) {
	script := `n=0
		while read -r f; do
			n=$((n+1)); a=$((n%2)); b=$((1-a))
			printf 'HOA: v1 States: 2 Start: %d AP: 3 "a" "b" "c" Acceptance: 1 Inf(0) --BODY--
				State: %d [t] %d [0&1&2] %d State: %d {0} [t] %d --END--\n' $a $a $a $b $b $b
		done`
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		c, err := translators.ParseCommand("sh -c "+translators.Quote(strings.ReplaceAll(script, "%", "%%")), mode)
		if err != nil {
			t.Fatal(err)
		}
		wrong := &translators.Tool{Name: "wrong", Mode: mode, Command: c, Processes: 1}
		cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), wrong}}, these(t, "a & b & c", "a U (b & c)", "G(a | b & c)"))
		for _, c := range cases {
			if !blamed(c)["P wrong"] || !blamed(c)["N wrong"] {
				t.Errorf("%s, %s: only %v are blamed", mode, c.Formula, blamed(c))
			}
			if len(c.Findings) > 0 {
				t.Errorf("%s, %s: %v", mode, c.Formula, c.Findings)
			}
		}
	}
}
