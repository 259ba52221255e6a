package main

import (
	"bufio"
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

var updateLtlcross = flag.Bool("update-ltlcross", false, "write testdata/ltlcross.txtar")

// ltlcrossLog has the files of TestLtlcrossLog, which have a dot in their names, and what is printed.
const ltlcrossLog = "testdata/ltlcross.txtar"

type ltlcrossRun struct {
	name  string
	args  []string
	shown string // files
}

// ltlcrossRuns are command lines of ltlcross and autcross. What each of them prints and writes is what ltlcross
// 2.12 does on the same files, but for the suffixes of temporary files, the words of errors in a
// formula or an automaton, and shorter words.
var ltlcrossRuns = []ltlcrossRun{
	// All else is done, and the status is 2. Slow calls change no order.
	{"a line that is no formula", []string{"-F", "f.ltl", "{right}./stub.sh slow %f >%O", "./stub.sh wrong %f>%O", "{fails} ./stub.sh fails %f >%O"}, ""},
	{"files", []string{"-F", "g.ltl", "{right} ./stub.sh right %f >%O", "./stub.sh wrong %f>%O", "{fails} ./stub.sh fails %f >%O",
		"--csv=out.csv", "--products=0", "--save-bogus=bogus.ltl"}, "out.csv bogus.ltl"},
	{"more in the files", []string{"-q", "-f", "Ga", "{x} ./stub.sh wrong %f>%O", "{x} ./stub.sh right %f >%O",
		"--csv=>>out.csv", "--products=0", "--save-bogus=>>bogus.ltl"}, "out.csv bogus.ltl"},
	{"new files", []string{"-q", "-f", "a", "./stub.sh right %f >%O", "--csv=>out.csv", "--products=0", "--save-bogus=>bogus.ltl"}, "out.csv bogus.ltl"},
	{"missing words", []string{"-f", "Ga", "bin.d/ltl2tgba", "{x}./stub.sh short %f >%O"}, ""},
	{"references", []string{"--verb", "-f", "Ga", "{x} ./stub.sh short %f >%O", "--ref", "{r}./stub.sh wrong %f >%O", "--reference=./stub.sh right %f >%O"}, ""},
	{"half", []string{"--verbose", "-f", "Ga", "./stub.sh positive %f >%O", "./stub.sh negative %f >%O"}, ""},
	{"state spaces", []string{"--no-complement", "--products=2", "-f", "Ga", "{y}./stub.sh right %f >%O", "{x}./stub.sh none %f >%O"}, ""},
	{"the first error", []string{"--stop-on-error", "-F", "g.ltl", "./stub.sh slow %f >%O", "./stub.sh fails %f >%O", "--json", "--products=0"}, ""},
	{"exit statuses", []string{"--ignore-execution-failures", "-f", "X a", "exit 3; : %f %O", "{x} ./stub.sh right %f >%O"}, ""},
	{"a timeout", []string{"-T", "0.2", "-f", "a", "sleep 60; : %f >%O"}, ""},
	{"a timeout as an error", []string{"-q", "--time=0.2", "--fail-on-timeout", "-f", "a", "sleep 60; : %f >%O"}, ""},
	{"no checks", []string{"--no-checks", "-f", "a", "-f", "!a", "-f", "!!a", "./stub.sh right %f >%O"}, ""},
	// LBT has no name S, and Spot no past.
	{"sources", []string{"-F", "t.csv/-2", "-f", "F\"x y\" & S", "-F", "-", "-f", "b S a", "{r}echo %l %F %O; exit 1"}, ""},
	{"Spin's syntax", []string{"-f", "a W b", "{r}: %s %O; exit 1"}, ""},
	{"grind", []string{"-f", "!Ga & !Ga", "-f", "a", "./stub.sh right %f >%O", "./stub.sh short %f >%O", "--grind=small.ltl", "--save-bogus=bogus.ltl", "--csv=out.csv"}, "small.ltl bogus.ltl out.csv"},
	// Only the first error is ground.
	{"grind and stop", []string{"-q", "--stop-on-error", "-f", "Ga | Ga", "-f", "a", "./stub.sh wrong %f >%O", "--grind=small.ltl"}, "small.ltl"},
	{"no states", []string{"-q", "-f", "a", "echo 'HOA: v1 States: 0 AP: 0 Acceptance: 0 t --BODY-- --END--' >%O; : %f", "./stub.sh right %f >%O", "--csv", "--strength", "--automata"}, ""},
	{"skipped", []string{"-f", "{(a;a)[*];b}[]->a", "./stub.sh right %s >%O", "./stub.sh right %f >%O", "--csv"}, ""},
	{"duplicates", []string{"--allow-dups", "-f", "a", "-f", "a", "./stub.sh right %f >%O"}, ""},
	{"LBT's syntax", []string{"--color=always", "--lbt-input", "-f", "G a", "./stub.sh wrong %f >%O"}, ""},
	{"nothing", []string{"./stub.sh right %f >%O"}, ""},
	{"no formula in a command", []string{"-f", "a", "foo bar >%O"}, ""},
	{"no output of a command", []string{"-f", "a", "foo %f"}, ""},
	{"no program", []string{"-f", "a", "./none %f >%O", "./stub.sh right %f >%O"}, ""},
	{"no file", []string{"-F", "none.ltl", "./stub.sh right %f >%O"}, ""},
	{"no translator", []string{"-f", "a"}, ""},
	{"two limits", []string{"-f", "a", "bin.d/ltl2tgba", "-D", "--determinize-max-states=3"}, ""},
	{"autcross", []string{"-F", "in.hoa", "--language-preserved", "{same} ./aut.sh same %H >%O", "./aut.sh wrong %H>%O", "{same}./aut.sh fails %H %[none]M >%O",
		"--csv=out.csv", "--save-bogus=bogus.hoa", "--low"}, "out.csv bogus.hoa"},
	{"autcross that complements", []string{"--verbose", "-F", "in.hoa", "--language-complemented", "./aut.sh same %H >%O", "./aut.sh wrong %H %H>%O", "--stop-on-error"}, ""},
	{"autcross without the input", []string{"-q", "-F", "in.hoa", "./aut.sh wrong %H >%O", "./aut.sh same %H >%O", "./aut.sh wrong %H >%O"}, ""},
	{"autcross without checks", []string{"--no-checks", "-F", "in.hoa", "-T0.2", "./aut.sh hangs %H %[none]M >%O"}, ""},
	{"autcross of no automaton", []string{"-F", "bad.hoa", "--language-pres", "./aut.sh same %H >%O"}, ""},
	{"autcross of one tool", []string{"-F", "in.hoa", "./aut.sh same %H >%O"}, ""},
	{"autcross of no tool", []string{"-"}, ""},
	{"autcross both ways", []string{"-F", "in.hoa", "./aut.sh same %H >%O", "--language-preserved", "--language-complemented"}, ""},
}

var callTime = lazy(`("(ok|timeout|signal|exit code|parse error|aborted)",-?\d+),[^,]*`)

// TestLtlcrossLog fixes the log, the files and the status. A link to the program named ltlcross does
// the same.
func TestLtlcrossLog(t *testing.T) {
	golden := must.Get(txtar.ParseFile(ltlcrossLog))
	self := program()
	written := must.Get(filepath.Abs(ltlcrossLog))
	t.Chdir(t.TempDir())
	must.Do(os.Mkdir("bin.d", 0o777))
	want, files := map[string]string{}, &txtar.Archive{Comment: golden.Comment}
	for _, f := range golden.Files {
		want[f.Name] = string(f.Data)
		if strings.Contains(f.Name, ".") {
			files.Files = append(files.Files, f)
			must.Do(os.WriteFile(f.Name, f.Data, 0o777))
		}
	}
	for _, r := range ltlcrossRuns {
		var out, errs bytes.Buffer
		in, program := want["stdin.ltl"], "ltlcross"
		if r.name == "nothing" {
			in = ""
		}
		if strings.HasPrefix(r.name, "autcross") {
			program = "autcross"
		}
		status := int(runAs(program, append([]string{program}, r.args...), strings.NewReader(in), &out, &errs))
		got := errs.String() + section("standard output", out.String())
		for name := range strings.FieldsSeq(r.shown) {
			text := must.Get(os.ReadFile(name))
			got += section(name, string(text)+" ")
		}
		got += section("status", string(rune('0'+status)))
		files.Files = append(files.Files, txtar.File{Name: r.name, Data: []byte(got)})
		if got != want[r.name] && !*updateLtlcross {
			t.Errorf("%s: %q:\n%s\nwant:\n%s", r.name, r.args, got, want[r.name])
		}
	}
	if *updateLtlcross {
		must.Do(os.WriteFile(written, txtar.Format(files), 0o666))
	}
	for link, name := range map[string]string{"ltlcross": "duplicates", "autcross": "autcross without checks"} {
		must.Do(os.Symlink(self, link))
		i := slices.IndexFunc(ltlcrossRuns, func(r ltlcrossRun) bool { return r.name == name })
		cmd := exec.Command("./"+link, ltlcrossRuns[i].args...)
		cmd.Env = append(os.Environ(), asMain+"=1", "GORACE=atexit_sleep_ms=0")
		if text, err := cmd.CombinedOutput(); err != nil || string(text)+section("status", "0") != want[name] {
			t.Errorf("by a link: %v, %s", err, text)
		}
	}
}

// TestLtlcrossUnderway: the last line of the log is the command that runs, in ltlcross's order.
func TestLtlcrossUnderway(t *testing.T) {
	t.Parallel()
	cmd := self(t, t.TempDir(), "ltlcross", "-f", "a U b", "-f", "b", "{quick} xcheck translate %f >%O", "{hang} case %f in !*) sleep 600;; esac; xcheck translate %f >%O")
	log := bufio.NewScanner(must.Get(cmd.StderrPipe()))
	must.Do(cmd.Start())
	var got []string
	for log.Scan() && len(got) < 5 {
		line, _, _ := strings.Cut(log.Text(), "]")
		if got = append(got, line); line == "Running [N1: hang" {
			break
		}
	}
	must.Do(cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	if want := []string{"(a) U (b)", "Running [P0: quick", "Running [P1: hang", "Running [N0: quick", "Running [N1: hang"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// section shows a text that is not empty, without the times of calls.
func section(name, text string) string {
	if text == "" {
		return ""
	}
	text = callTime().ReplaceAllString(text, "$1,TIME")
	return "== " + name + "\n" + strings.TrimSuffix(strings.TrimSuffix(text, " "), "\n") + "\n"
}
