package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestUsersLose runs what users of ltlcross 2.12 lose today: each subtest is a case in
// which ltlcross gives up, is silent or is wrong. docs/ltlcross-options.md has a row for each.
func TestUsersLose(t *testing.T) {
	t.Parallel()

	// A tool declares weak what is not: the declaration is found out, and is not
	// believed, so that the wrong automaton is found as well.
	t.Run("false weak", func(t *testing.T) {
		t.Parallel()
		r := crossed(t, map[string]string{"wrong.hoa": `HOA: v1 States: 2 Start: 0 AP: 1 "a" acc-name: Buchi Acceptance: 1 Inf(0)
			properties: weak --BODY-- State: 0 [0] 1 [!0] 0 {0} State: 1 [0] 1 {0} [!0] 0 --END--`},
			outcome.ExitFailed, "-f", "GFa", "--no-builtin", "-t", "{liar} "+polar("cat wrong.hoa", "xcheck translate %f"))
		r.wrong(t, 0, "liar")
		if !slices.ContainsFunc(r.Cases[0].Findings, func(f finding) bool {
			return f.Translator == "liar" && !f.Negated && f.Class == "property" && strings.Contains(f.Text, "weak")
		}) {
			t.Errorf("the false weak is not among the findings %v", r.Cases[0].Findings)
		}
	})

	// Two automata with 20 sets each: their product has 40, and is decided.
	t.Run("many sets", func(t *testing.T) {
		t.Parallel()
		files := map[string]string{
			"right.hoa":    manySets("State: 0 [0] 0 {SETS} [!0] 0"),
			"wrong.hoa":    manySets("State: 0 [!0] 0 {SETS} [0] 0"),
			"negation.hoa": manySets("State: 0 [t] 0 [!0] 1 State: 1 [!0] 1 {SETS}"),
		}
		r := crossed(t, files, outcome.ExitFailed, "-f", "GFa", "--no-builtin", "--no-reference", "--all-pairs",
			"-t", "{right} "+polar("cat right.hoa", "cat negation.hoa"), "-t", "{wrong} "+polar("cat wrong.hoa", "cat negation.hoa"))
		r.wrong(t, 0, "wrong")
		c := r.Cases[0]
		for _, result := range c.Results {
			if result.Acc != 20 {
				t.Errorf("%s has %d sets, want 20", result.Translator, result.Acc)
			}
		}
		at := slices.IndexFunc(c.Checks, func(c check) bool { return c.Check == "P wrong & N right" })
		if at < 0 || c.Checks[at].Verdict != "failed" || len(c.Undecided) > 0 {
			t.Errorf("the product with 40 sets was not decided: checks %v, undecided %v", c.Checks, c.Undecided)
		}
	})

	// An alternating automaton that can't be checked, a tool that fails and a line that is no
	// formula are failures of their own: everything else is checked.
	t.Run("the run goes on", func(t *testing.T) {
		t.Parallel()
		files := map[string]string{
			"alternating.hoa": `HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
				--BODY-- State: 0 [0] 0&1 {0} [!0] 0 State: 1 [0] 0 {0} [!0] 1 --END--`,
			"list": "GFa\nG(a ->\na U b\n",
		}
		r := crossed(t, files, outcome.ExitFailed, "-F", "list", "--no-builtin", "-t", "{alternating} cat alternating.hoa; : %f",
			"-t", "{missing} exit 127 # %f", "-t", "{liar} xcheck translate a # %f", "-t", "{fine} xcheck translate %f")
		if len(r.Cases) != 3 || !strings.Contains(r.Cases[1].Error, "list:2:7: expected a formula") {
			t.Fatalf("want three cases, of which the second is no formula: %+v", r.Cases)
		}
		for _, i := range []int{0, 2} {
			r.wrong(t, i, "liar")
			for _, result := range r.Cases[i].Results {
				want := map[string]string{"alternating": "unsupported", "missing": "exit"}[result.Translator]
				if want == "" {
					want = "ok"
				}
				if result.Status != want {
					t.Errorf("formula %d: %s is %s, want %s", i, result.Translator, result.Status, want)
				}
			}
		}
	})

	// The lines of a formula are in a CSV file that is appended to while the next one is
	// being translated, and stay there when the run is interrupted.
	t.Run("CSV while the run goes on", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		cmd := self(t, dir, "run", "-f", "Ga", "-f", "Fb", "-j", "4", "--no-builtin", "--no-found", "--csv=>>out.csv",
			"-t", "{slow} case %f in *b*) sleep 600;; esac; xcheck translate %f")
		must.Do(cmd.Start())
		var rows [][]string
		for end := time.Now().Add(2 * time.Minute); len(rows) < 3 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			rows = readCSV(t, filepath.Join(dir, "out.csv"))
		}
		must.Do(cmd.Process.Signal(os.Interrupt))
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != int(outcome.ExitInterrupted) {
			t.Errorf("the interrupted run ends with status %d", got)
		}
		rows = readCSV(t, filepath.Join(dir, "out.csv"))
		if len(rows) < 3 || rows[0][0] != "formula" || rows[1][1] != "slow" || rows[1][2] != "ok" || rows[2][2] != "ok" {
			t.Fatalf("of the formula that was done, the file has the lines %q", rows)
		}
	})

	// Words speak of the user's propositions, whatever the tool was given.
	t.Run("the user's names", func(t *testing.T) {
		t.Parallel()
		r := crossed(t, nil, outcome.ExitFailed, "-f", "G(request -> F grant)", "--no-builtin",
			"-t", "{lbt} xcheck translate --syntax lbt 'i p0 F p1' # %l")
		r.wrong(t, 0, "lbt")
		for _, d := range r.Cases[0].Disagreements {
			if !strings.Contains(d.Word, "request") || !strings.Contains(d.Word, "grant") || strings.Contains(d.Word, "p0") {
				t.Errorf("the word is %s", d.Word)
			}
		}
	})

	// A tool takes every U for a W, and crashes on formulas without X. Grinding the
	// wrong automaton ends at a formula on which it is wrong, and at no crash.
	t.Run("grind keeps to the failure", func(t *testing.T) {
		t.Parallel()
		tool := `{liar} case %f in *X*) xcheck translate "$(printf %%s %f | sed 's/ U / W /g')";; *) exit 7;; esac`
		dir := t.TempDir()
		cmd := self(t, dir, "run", "--no-found", "--no-builtin", "-q", "-f", "G(c -> X(a U b)) | Fd", "-t", tool, "--grind=small.ltl")
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != int(outcome.ExitFailed) {
			t.Fatalf("%v:\n%s", err, out)
		}
		text := must.Get(os.ReadFile(filepath.Join(dir, "small.ltl")))
		wrong := 0
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			f := must.Get(ltl.NewStore().Parse(line, ltl.Spot))
			if f.Ops().Has(ltl.OpUntil) {
				wrong++
				if f.Size() > 4 || !f.Ops().Has(ltl.OpNext) {
					t.Errorf("the formula with the wrong automaton shrinks to %s", f)
				}
				r := crossed(t, nil, outcome.ExitFailed, "-f", line, "--no-builtin", "-t", tool)
				r.wrong(t, 0, "liar")
			}
		}
		if wrong == 0 {
			t.Errorf("no small formula has a wrong automaton:\n%s", text)
		}
	})

	// Two tools take every U for a W. They agree with each other, and are both wrong.
	t.Run("a shared bug", func(t *testing.T) {
		t.Parallel()
		bug := `xcheck translate "$(printf %%s %f | sed 's/ U / W /g')"`
		args := []string{"-f", "a U b", "--no-builtin", "-t", "{one} " + bug, "-t", "{two} " + bug}
		r := crossed(t, nil, outcome.ExitFailed, args...)
		r.wrong(t, 0, "one", "two")
		// As ltlcross has it, and as it never shows.
		if r := crossed(t, nil, outcome.ExitPassed, append(args, "--no-reference", "-c", "no.toml", "--prove=none")...); len(r.Cases[0].Disagreements) > 0 {
			t.Errorf("without a reference there is the disagreement %v", r.Cases[0].Disagreements)
		}
	})

	// The report says who is wrong, and why: the word, the truth of the formula on
	// it, and what each automaton says. eval and accepts say the same.
	t.Run("who is wrong", func(t *testing.T) {
		t.Parallel()
		r := crossed(t, nil, outcome.ExitFailed, "-f", "Fa & Fb", "--no-builtin", "-t", "{fine} xcheck translate %f",
			"-t", "{liar} "+polar("xcheck translate 'F(a & b)'", "xcheck translate %f"))
		r.wrong(t, 0, "liar")
		for _, d := range r.Cases[0].Disagreements {
			if got := printed(t, "eval", "Fa & Fb", d.Word); got != fmt.Sprint(d.Truth) {
				t.Errorf("%s: the truth is %v, but eval says %s", d.Word, d.Truth, got)
			}
			for _, a := range d.Accepts {
				if (a.Accepts == (d.Truth != a.Negated)) != a.Right {
					t.Errorf("%s: truth %v, but %+v", d.Word, d.Truth, a)
				}
				if a.Translator == "liar" && !a.Negated && a.Right {
					t.Errorf("%s: the liar is right", d.Word)
				}
			}
		}
	})

	// A script needs the exit status, or one field of the JSON, and no pattern for
	// messages: which tool is wrong on which formula, in which polarity.
	t.Run("no grep", func(t *testing.T) {
		t.Parallel()
		r := crossed(t, nil, outcome.ExitFailed, "-f", "Ga", "-f", "Fa", "--no-builtin", "-t", "{fine} xcheck translate %f",
			"-t", "{liar} "+polar("xcheck translate %f", "xcheck translate Ga"))
		for i, want := range []string{"Ga", "Fa"} {
			if r.Cases[i].Formula != want {
				t.Fatalf("case %d is %s, want %s", i, r.Cases[i].Formula, want)
			}
			r.wrong(t, i, "liar")
			for _, d := range r.Cases[i].Disagreements {
				for _, b := range d.Blamed {
					if !b.Negated {
						t.Errorf("%s: blamed for the formula, not for its negation: %+v", want, d)
					}
				}
			}
		}
		// An agreement is status 0, and a failure of a tool is neither.
		crossed(t, nil, outcome.ExitPassed, "-f", "Ga", "--no-builtin", "-t", "xcheck translate %f")
		crossed(t, nil, outcome.ExitIncomplete, "-f", "Ga", "--no-builtin", "-t", "xcheck translate %f", "-t", "exit 1; %f")
	})
}

// manySets returns an automaton over a with 20 Büchi sets, where {SETS} in the body is
// all of them.
func manySets(body string) string {
	var marks, inf []string
	for i := range 20 {
		marks = append(marks, fmt.Sprint(i))
		inf = append(inf, fmt.Sprintf("Inf(%d)", i))
	}
	states := strings.Count(body, "State:")
	return fmt.Sprintf("HOA: v1 States: %d Start: 0 AP: 1 \"a\" Acceptance: 20 %s --BODY-- %s --END--",
		states, strings.Join(inf, "&"), strings.ReplaceAll(body, "SETS", strings.Join(marks, " ")))
}

// polar is a command that does one thing for formulas, and another for those that start
// with a negation.
func polar(positive, negative string) string {
	return fmt.Sprintf("case %%f in !*) %s;; *) %s;; esac", negative, positive)
}

// The parts of a report that these tests look at.
type (
	crossReport struct {
		Cases   []crossCase
		Summary struct {
			ExitStatus int `json:"exit_status"`
		}
	}
	crossCase struct {
		Formula, Error string
		Results        []struct {
			Translator, Status string
			Negated            bool
			Acc                int
		}
		Checks        []check
		Undecided     []map[string]any
		Findings      []finding
		Disagreements []struct {
			Word    string
			Truth   bool
			Accepts []struct {
				Translator              string
				Negated, Accepts, Right bool
			}
			Blamed []struct {
				Translator string
				Negated    bool
			}
		}
	}
	check   struct{ Check, Verdict string }
	finding struct {
		Translator, Class, Text string
		Negated                 bool
	}
)

// crossed runs the formulas and translators of args in a folder with the files, and
// returns the report. The run must end with the status.
func crossed(t *testing.T, files map[string]string, want outcome.ExitStatus, args ...string) crossReport {
	t.Helper()
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "no.toml"), []byte("[checks]\nreference = \"none\"\nwords = 0\nexhaustive = 0\n"), 0o666))
	for name, text := range files {
		must.Do(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	cmd := self(t, dir, append([]string{"run", "--no-found", "--json"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	var r crossReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, stdout.Bytes(), stderr.Bytes())
	}
	if got := cmd.ProcessState.ExitCode(); got != int(want) || r.Summary.ExitStatus != got {
		t.Fatalf("%v: status %d, and %d in the report, want %d\n%s%s", args, got, r.Summary.ExitStatus, want, stdout.Bytes(), stderr.Bytes())
	}
	return r
}

// wrong checks that on formula i exactly the named translators are blamed, each for
// something.
func (r *crossReport) wrong(t *testing.T, i int, names ...string) {
	t.Helper()
	var blamed []string
	for _, d := range r.Cases[i].Disagreements {
		for _, b := range d.Blamed {
			blamed = append(blamed, b.Translator)
		}
	}
	slices.Sort(blamed)
	if blamed = slices.Compact(blamed); !slices.Equal(blamed, names) {
		t.Fatalf("%s: %v are blamed, want %v; disagreements: %+v", r.Cases[i].Formula, blamed, names, r.Cases[i].Disagreements)
	}
}

// self returns xcheck as a command that finds itself on PATH.
func self(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	bin := t.TempDir()
	cmd := exec.Command(link(t, bin), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// link makes xcheck in a folder: a link to the test binary, whose path it returns.
func link(t *testing.T, folder string) string {
	t.Helper()
	executable := program()
	must.Do(os.Symlink(executable, filepath.Join(folder, "xcheck")))
	return executable
}

// printed returns what a command prints, without the end of the line.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := self(t, t.TempDir(), args...).Output() // the status is part of the answer
	return strings.TrimSpace(string(out))
}

// readCSV returns the lines of a CSV file that are complete, if it is there.
func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return rows
}
