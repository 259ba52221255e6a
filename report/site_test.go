package report

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestPageNames: names of pages can be read, are those of pages, and differ where keys do.
func TestPageNames(t *testing.T) {
	used := map[string]string{}
	for key, start := range map[string]string{
		"mine | words | Fa":                       "causes/mine-words-fa-",
		"mine | words | !Fa":                      "causes/mine-words-fa-",
		"ltl2tgba -B | exit 3: assertion | a U b": "causes/ltl2tgba-b-exit-3-assertion-a-u-b-",
		"../../etc/passwd | words":                "causes/etc-passwd-words-",
		"é | 語":                                   "causes/cause-",
		"":                                        "causes/cause-",
		strings.Repeat("a long name ", 9) + "| X": "causes/a-long-name-a-long-name-a-long-name-a-long-name-a-",
	} {
		c := &SiteCause{Timeline: &outcome.Timeline{Key: key}}
		name := c.Page()
		if !strings.HasPrefix(name, start) || len(name) != len(start)+len("0123456789abcdef.html") || !IsPage(path.Base(name)) {
			t.Errorf("the page of %q is %q, expected %q and a hash", key, name, start)
		}
		if used[name] != "" {
			t.Errorf("%q and %q have the same page", key, used[name])
		}
		used[name] = key
	}
	for _, name := range []string{"", "index.html", "0123456789abcdef.html", "-0123456789abcdef.html", "x-0123456789abcdeg.html", "x-0123456789abcdef.htm", "x-0123456789abcdef0.html"} {
		if IsPage(name) {
			t.Errorf("%q is the name of a page", name)
		}
	}
}

// TestOccurrencePicture: bars where the cause was met, lines where it is fixed, also in runs that
// are not told of it any more, and gaps where a run could not tell.
func TestOccurrencePicture(t *testing.T) {
	told := map[int]outcome.State{2: outcome.StateNew, 3: outcome.StateKnown, 5: outcome.StateFixed, 7: outcome.StateBackAgain}
	var runs []causeRun
	for i := range 9 {
		run := causeRun{SiteRun: &SiteRun{RunID: outcome.RunID{Run: int64(i), Started: time.Unix(int64(86400*i), 0).UTC()}}, Version: map[bool]string{true: "2"}[i > 5]}
		if state := told[i]; state != "" {
			run.Told = &outcome.Occurrence{RunID: run.RunID, State: state, Formulas: i}
		}
		runs = append(runs, run)
	}
	text := string(occurrencePicture(runs, "formula"))
	for want, n := range map[string]int{`class="bar"`: 5, `data-state="new"`: 1, `data-state="known"`: 1, `data-state="fixed"`: 2, `data-state="back again"`: 1, `class="version"`: 1,
		"run 5, 1970-01-06 00:00: fixed": 1, "run 6, 1970-01-07 00:00: fixed": 1, "run 3, 1970-01-04 00:00: known, 3 formulas": 1, "last 9 runs, at most 7": 1, "run 4": 0, "run 8": 0} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q is there %d times, expected %d: %s", want, got, n, text)
		}
	}
	versions := causeVersions(runs)
	if len(versions) != 2 || versions[0].Runs != 6 || versions[0].Met != 2 || versions[0].State != outcome.StateFixed || versions[1].Met != 1 || versions[1].First.Run != 6 {
		t.Errorf("%+v", versions)
	}
}

// TestCauseBisected: the page of a cause says in which version the translator broke.
func TestCauseBisected(t *testing.T) {
	b := &outcome.Bisection{FirstBad: &outcome.VersionChange{Version: "1.3", Before: "1.2"}, FirstGood: &outcome.VersionChange{Version: "1.5", Before: "1.4"}}
	c := &SiteCause{Timeline: &outcome.Timeline{Translator: "mine", Key: "mine | words", Formula: "Fa", Bisection: b}}
	text, err := c.page(&Site{Noun: "formula"}, siteFrame{Noun: "formula"}, nil, c.evidence())
	if err != nil {
		t.Fatal(err)
	}
	if want := "<dt>bisected</dt><dd>broke in 1.3; fixed in 1.5</dd>"; !strings.Contains(string(text), want) {
		t.Errorf("the page does not have %q: %s", want, text)
	}
}
