package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// planted are bugs of one translator, in an order in which none changes what another one does, each
// with a formula that shows no other bug.
var planted = []struct{ bug, formula string }{
	{"U is W", "G(c | (a U b))"}, {"R is its dual", "F(c & (a R b))"}, {"M is R", "c W (a M b)"}, {"X is ignored", "G(c | XXa)"},
	{"xor is <->", "G(c W (a xor b))"}, {"implication turned round", "F(c & G(a -> b))"}, {"FG is GF", "c | FGa"}, {"third conjunct lost", "F(a & b & c)"},
}

// writeNight writes the configuration of a translator with some bugs.
func writeNight(t *testing.T, bugs ...string) {
	t.Helper()
	self, err := os.Executable()
	if err == nil {
		config := fmt.Sprintf("[[translators]]\nname = 'mine'\nmode = 'stream'\ncommand = '%s -'\nenv = { %s = '%s', GORACE = 'atexit_sleep_ms=0' }\n", self, seeded.Variable, strings.Join(bugs, ", "))
		err = os.WriteFile("night.toml", []byte(config), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTenNights: a translator has five bugs. Each night one is repaired, and another one comes. Both are
// announced on this night, and nothing else, whether formulas are shrunk or there are no calls left for
// that. By default there are four nights.
func TestTenNights(t *testing.T) {
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
				writeNight(t, bugs...)
				for again := range 2 {
					if again == 1 {
						if want[outcome.StateKnown] = 5; night%5 != 1 {
							break // it costs as much as a night
						}
						want[outcome.StateNew], want[outcome.StateBackAgain], want[outcome.StateFixed] = 0, 0, 0
					}
					ends(t, []int{1 - again}, args...)
					text, err := os.ReadFile("night.json")
					var document struct{ Regression *outcome.Regression }
					if err == nil {
						err = json.Unmarshal(text, &document)
					}
					if err != nil {
						t.Fatal(err)
					}
					for _, state := range outcome.States() {
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
			text := must.Get(os.ReadFile(name))
			reports[name] = string(text)
		}
		for name, text := range reports {
			// The first night has none before it, and the second one found nothing new.
			if got := strings.Contains(text, "sizes and times not compared"); got != (night == 1) {
				t.Errorf("night %d: %s: says that nothing was compared: %t: %s", night, name, got, text[:min(len(text), 2000)])
			}
		}
	}
}

// TestStoppedStored: a run that stops on the first error has those cases in the history that
// its report has, and no others that were done meanwhile.
func TestStoppedStored(t *testing.T) {
	t.Chdir(t.TempDir())
	writeNight(t, "U is W")
	var out, errs bytes.Buffer
	args := []string{"run", "-c", "night.toml", "--history=history.db", "--json=night.json", "--stop-on-error", "-f", "Ga", "-f", "a U b", "-n", "200", "--seed", "1"}
	if s := run(args, nil, &out, &errs); s != outcome.ExitFailed {
		t.Fatalf("status %d: %s", s, errs.String())
	}
	var document struct{ Cases []outcome.Case }
	readJSON(t, "night.json", &document)
	s := must.Get(history.OpenExisting(t.Context(), "history.db"))
	defer s.Close()
	var stored []int
	must.Do(s.Cases(t.Context(), 1, func(c *outcome.Case) error { stored = append(stored, c.Index); return nil }))
	var reported []int
	for _, c := range document.Cases {
		reported = append(reported, c.Index)
	}
	slices.Sort(reported)
	if !slices.Equal(stored, reported) || len(stored) == 0 {
		t.Errorf("stored: %v, reported: %v", stored, reported)
	}
}

// TestReportOfNothing: a night in which a translator fails on each formula, as in the night before,
// has no new failures, but its report does not succeed.
func TestReportOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []int{1, 3} {
		night := []string{"run", "--no-builtin", "-t", "{mine} exit 3; echo %f", "-f", "a U b", "--history=h.db", "--fail-on-new"}
		ends(t, []int{want}, night...)
		ends(t, []int{want}, "report", "--history", "h.db", "--fail-on-new")
	}
}
