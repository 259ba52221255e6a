package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A nightly is one job that runs every night: three translators in one history, each a
// script of which only the content changes when it breaks.
type nightly struct {
	*testing.T
	dir    string
	flags  []string
	nights int
}

// broken are the translators' bugs, with what is wrong then.
var broken = []struct{ name, bug, class string }{
	{"wrong", "U is W", "words"},
	{"failing", "crash on nested untils", "exit"},
	{"declaring", "false deterministic", "property: deterministic"},
}

// write writes the scripts, with their bugs or without.
func (n *nightly) write(bugs ...bool) {
	self, err := os.Executable()
	if err != nil {
		n.Fatal(err)
	}
	for i, x := range broken {
		bug := seeded.None.Name
		if bugs[i] {
			bug = x.bug
		}
		script := fmt.Sprintf("#!/bin/sh\n%s='%s' GORACE=atexit_sleep_ms=0 exec %s -\n", seeded.Variable, bug, translators.Quote(self))
		if err := os.WriteFile(filepath.Join(n.dir, x.name), []byte(script), 0o777); err != nil {
			n.Fatal(err)
		}
	}
	var config strings.Builder
	for _, x := range broken {
		fmt.Fprintf(&config, "[[translators]]\nname = '%s'\nmode = 'stream'\ncommand = \"sh ./%s\"\n", x.name, x.name)
	}
	if err := os.WriteFile(filepath.Join(n.dir, "night.toml"), []byte(config.String()), 0o666); err != nil {
		n.Fatal(err)
	}
}

// night runs the job, and returns what became of the groups of each translator.
func (n *nightly) night(want outcome.ExitStatus, formulas ...string) map[string][]outcome.State {
	n.Helper()
	n.nights++
	n.Chdir(n.dir)
	args := append([]string{"run", "-c", "night.toml", "--history=history.db", "--fail-on-new", "--json=night.json",
		"--junit=night.xml", "--markdown=night.md", "--html=night.html"}, n.flags...)
	var out, errs bytes.Buffer
	got := run(append(args, formulas...), nil, &out, &errs)
	if got != want {
		n.Errorf("night %d: status %d, want %d: %s%s", n.nights, got, want, errs.String(), out.String())
	}
	var document struct {
		Regression *outcome.Regression
		Summary    struct {
			Status int `json:"exit_status"`
		}
	}
	text, err := os.ReadFile("night.json")
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil || document.Regression == nil {
		n.Fatalf("night %d: %v: %s", n.nights, err, text)
	}
	if document.Summary.Status != int(want) {
		n.Errorf("night %d: the document says status %d, want %d", n.nights, document.Summary.Status, want)
	}
	// The other reports say so as well, each in its own way.
	for _, name := range []string{"night.xml", "night.md", "night.html"} {
		text, err := os.ReadFile(name)
		if err != nil {
			n.Fatal(err)
		}
		for _, g := range document.Regression.Groups {
			if !shows(name, html.UnescapeString(string(text)), &g) {
				n.Errorf("night %d: %s does not say that this is %s: %+v\n%s", n.nights, name, g.State, g, text[:min(len(text), 3000)])
			}
		}
	}
	states := map[string][]outcome.State{}
	for _, g := range document.Regression.Groups {
		for _, name := range g.Translators {
			states[name] = append(states[name], g.State)
		}
		// The table has a row for it.
		row := func(line string) bool {
			return strings.Contains(line, " "+string(g.State)+" ") && strings.Contains(line, strings.Join(g.Translators, ", ")) && strings.Contains(line, g.Formula)
		}
		if !slices.ContainsFunc(strings.Split(out.String(), "\n"), row) {
			n.Errorf("night %d: the table does not have %+v:\n%s", n.nights, g, out.String())
		}
		if first := g.First; (first == nil) != (g.State == outcome.StateNew) || first != nil && first.Run >= int64(n.nights) || g.Last != nil && g.Last.Run >= int64(n.nights) {
			n.Errorf("night %d: %+v was met first in %+v, last in %+v", n.nights, g, g.First, g.Last)
		}
	}
	return states
}

// shows reports whether a report says what became of a group: in the line of it, or in JUnit's
// suite of the translator.
func shows(name, text string, g *outcome.Group) bool {
	if name == "night.xml" {
		_, suite, _ := strings.Cut(text, `<testsuite name="`+g.Translators[0]+`"`)
		suite, _, _ = strings.Cut(suite, "</testsuite>")
		state := strings.Contains(suite, string(g.State)+":") || strings.Contains(suite, "\n"+string(g.State)+"\n")
		return state && strings.Contains(suite, g.Formula)
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, string(g.State)) && strings.Contains(line, g.Translators[0]) && strings.Contains(line, g.Formula) {
			return true
		}
	}
	return false
}

// want checks what became of the groups: each translator has one in the first of these
// states, and perhaps others in the same one.
func (n *nightly) want(got map[string][]outcome.State, want ...outcome.State) {
	n.Helper()
	for i, x := range broken {
		for _, state := range got[x.name] {
			if state != want[i] {
				n.Errorf("night %d: %s: got %q, want %q", n.nights, x.name, state, want[i])
			}
		}
		if (len(got[x.name]) == 0) != (want[i] == "") {
			n.Errorf("night %d: %s: %d groups, want %q", n.nights, x.name, len(got[x.name]), want[i])
		}
	}
}

// Formulas on which all the bugs show, and others on which none does: then only the replays
// tell.
var (
	telling = []string{"-f", "a U b", "-f", "(a U b) U c", "-f", "FGa", "-f", "X(a) U (b & F(c U (a U b)))"}
	silent  = func(seed int) []string {
		return []string{"-n", "3", "--size", "1..1", "--keep-trivial", "--seed", fmt.Sprint(seed)}
	}
)

// TestNights: a translator breaks, stays broken, is fixed, and breaks again, without and
// with --grind.
func TestNights(t *testing.T) {
	campaign.Only(t)
	for _, flags := range [][]string{nil, {"--grind"}} {
		t.Run(fmt.Sprint(flags), func(t *testing.T) {
			n := &nightly{T: t, dir: t.TempDir(), flags: flags}
			good, bad := []bool{false, false, false}, []bool{true, true, true}
			all := func(s outcome.State) []outcome.State { return []outcome.State{s, s, s} }
			n.write(good...)
			n.want(n.night(outcome.ExitPassed, telling...), all("")...)
			n.write(bad...)
			n.want(n.night(outcome.ExitFailed, telling...), all(outcome.StateNew)...)
			n.want(n.night(outcome.ExitPassed, silent(3)...), all(outcome.StateKnown)...)
			n.write(good...)
			n.want(n.night(outcome.ExitPassed, silent(4)...), all(outcome.StateFixed)...)
			n.want(n.night(outcome.ExitPassed, silent(5)...), all("")...) // no news
			n.write(bad...)
			n.want(n.night(outcome.ExitFailed, silent(6)...), all(outcome.StateBackAgain)...)
			if len(flags) > 0 {
				return
			}
			n.write(false, true, false)
			n.want(n.night(outcome.ExitPassed, silent(7)...), outcome.StateFixed, outcome.StateKnown, outcome.StateFixed)
			n.write(false, false, true)
			n.want(n.night(outcome.ExitFailed, silent(8)...), "", outcome.StateFixed, outcome.StateBackAgain)
			n.write(true, false, true)
			n.want(n.night(outcome.ExitFailed, telling...), outcome.StateBackAgain, "", outcome.StateKnown)
		})
	}
}

// planted are bugs of one translator, in an order in which none changes what another one does, each
// with a formula that shows no other bug.
var planted = []struct{ bug, formula string }{
	{"U is W", "G(c | (a U b))"}, {"R is its dual", "F(c & (a R b))"}, {"M is R", "c W (a M b)"}, {"X is ignored", "G(c | XXa)"},
	{"xor is <->", "G(c W (a xor b))"}, {"implication turned round", "F(c & G(a -> b))"}, {"FG is GF", "c | FGa"}, {"third conjunct lost", "F(a & b & c)"},
}

// TestTenNights: a translator has five bugs. Each night one is repaired, and another one comes. Both are
// announced on this night, and nothing else, whether formulas are shrunk or there are no calls left for
// that. By default there are four nights.
func TestTenNights(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range campaign.Alternate(0, nil, []string{"--grind", "--grind-calls=0"}, []string{"--grind"}, []string{"--grind", "--grind-calls=80"}, []string{"--grind", "--grind-calls=1"}) {
		t.Run(fmt.Sprint(flags), func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := append([]string{"run", "--no-builtin", "--no-found", "--history=h.db", "--fail-on-new", "--json=night.json", "-c", "night.toml"}, flags...)
			for _, x := range planted {
				args = append(args, "-f", x.formula)
			}
			met := map[int]bool{}
			nights := 10
			if !campaign.Whole() {
				nights = 4
			}
			for night := range nights {
				var bugs []string
				want := map[outcome.State]int{}
				for i, x := range planted {
					switch place := (i - night + 80) % len(planted); {
					case place < 5:
						bugs = append(bugs, x.bug)
						switch {
						case place < 4 && night > 0:
							want[outcome.StateKnown]++
						case met[i]:
							want[outcome.StateBackAgain]++
						default:
							want[outcome.StateNew]++
						}
						met[i] = true
					case place == 7 && night > 0:
						want[outcome.StateFixed]++
					}
				}
				config := fmt.Sprintf("[[translators]]\nname = 'mine'\nmode = 'stream'\ncommand = '%s -'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n", self, seeded.Variable, strings.Join(bugs, ", "))
				if err := os.WriteFile("night.toml", []byte(config), 0o666); err != nil {
					t.Fatal(err)
				}
				for again := range 2 {
					if again == 1 {
						if want[outcome.StateKnown] = 5; night%5 != 1 {
							break // it costs as much as a night
						}
						want[outcome.StateNew], want[outcome.StateBackAgain], want[outcome.StateFixed] = 0, 0, 0
					}
					must(t, []int{1 - again}, args...)
					text, err := os.ReadFile("night.json")
					var document struct{ Regression *outcome.Regression }
					if err == nil {
						err = json.Unmarshal(text, &document)
					}
					if err != nil {
						t.Fatal(err)
					}
					for _, state := range outcome.States {
						if got := document.Regression.Count(state); got != want[state] {
							t.Errorf("night %d.%d, %s: %d groups are %s, want %d: %s", night, again, bugs, got, state, want[state], states(document.Regression))
						}
					}
				}
			}
		})
	}
}

func states(r *outcome.Regression) (list []string) {
	for _, g := range r.Groups {
		list = append(list, fmt.Sprintf("%s is %s", g.Key, g.State))
	}
	return list
}

// TestStoppedStored: a run that stops on the first error has those cases in the history that
// its report has, and no others that were done meanwhile.
func TestStoppedStored(t *testing.T) {
	n := &nightly{T: t, dir: t.TempDir()}
	n.write(true, false, false)
	n.Chdir(n.dir)
	var out, errs bytes.Buffer
	args := []string{"run", "-c", "night.toml", "--history=history.db", "--json=night.json", "--stop-on-error", "-f", "Ga", "-f", "a U b", "-n", "200", "--seed", "1"}
	if s := run(args, nil, &out, &errs); s != outcome.ExitFailed {
		t.Fatalf("status %d: %s", s, errs.String())
	}
	var document struct{ Cases []outcome.Case }
	text, err := os.ReadFile("night.json")
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := history.OpenExisting(t.Context(), "history.db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var stored []int
	if err := s.Cases(t.Context(), 1, func(c *outcome.Case) error { stored = append(stored, c.Index); return nil }); err != nil {
		t.Fatal(err)
	}
	var reported []int
	for _, c := range document.Cases {
		reported = append(reported, c.Index)
	}
	slices.Sort(reported)
	if !slices.Equal(stored, reported) || len(stored) == 0 {
		t.Errorf("stored: %v, reported: %v", stored, reported)
	}
}

// Sizes and times that are compared with no run, as all before it found something new, are not
// passed over: all reports say so.
func TestNoBaseline(t *testing.T) {
	t.Chdir(t.TempDir())
	for night := range 3 {
		var out, errs bytes.Buffer
		run([]string{"run", "--history=history.db", "--no-builtin", "--no-found", "-t", "{failing} false %f", "-f", "a",
			"--json=night.json", "--markdown=night.md", "--html=night.html", "--color=never"}, nil, &out, &errs)
		if errs.Len() > 0 {
			t.Fatal(errs.String())
		}
		reports := map[string]string{"text": out.String()}
		for _, name := range []string{"night.json", "night.md", "night.html"} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			reports[name] = string(text)
		}
		for name, text := range reports {
			// The first night has none before it, and the second one found nothing new.
			if got := strings.Contains(text, "sizes and times not compared"); got != (night == 1) {
				t.Errorf("night %d: %s: a note that there is nothing to compare with: %t: %s", night, name, got, text[:min(len(text), 2000)])
			}
		}
	}
}

// TestReportOfNothing: a night in which a translator fails on each formula, as in the night before,
// has no new failures, but its report does not succeed.
func TestReportOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []int{1, 3} {
		night := []string{"run", "--no-builtin", "-t", "{mine} exit 3; echo %f", "-f", "a U b", "--history=h.db", "--fail-on-new"}
		must(t, []int{want}, night...)
		must(t, []int{want}, "report", "--history", "h.db", "--fail-on-new")
	}
}
