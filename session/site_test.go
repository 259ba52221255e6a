package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/nights"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// storeOf writes a history, and opens it.
func storeOf(t *testing.T, n *nights.Nights) *history.Store {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nights.db")
	must.Do(n.Write(t.Context(), file))
	store := must.Get(history.OpenExisting(t.Context(), file))
	t.Cleanup(func() { store.Close() })
	return store
}

// nightsOf describes nights with causes of some translators.
func nightsOf(t *testing.T, number, causes int, tools ...string) *nights.Nights {
	t.Helper()
	list := must.Get(nights.Causes(t.Context(), causes, tools))
	return &nights.Nights{Number: number, Tools: tools, Causes: list}
}

func siteOf(t *testing.T, store *history.Store, folder string) *WrittenSite {
	t.Helper()
	return must.Get(WriteSite(t.Context(), store, folder, func(string) {}))
}

// filesIn returns the files of a folder, by their names.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		short, _ := filepath.Rel(folder, name)
		files[filepath.ToSlash(short)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestSiteAgain: the same history makes the same pages, which are not touched; and in a longer
// history the pages of the same causes have the same names.
func TestSiteAgain(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "site")
	nights := func(number int) *history.Store {
		n := nightsOf(t, number, 8, "one", "two")
		n.Present = func(cause, night int) bool { return cause <= night+2 }
		return storeOf(t, n)
	}
	short := siteOf(t, nights(4), folder)
	before := filesIn(t, folder)
	store := nights(6)
	long := siteOf(t, store, folder)
	after := filesIn(t, folder)
	if short.Causes < 6 || long.Causes <= short.Causes || long.Removed != 0 || len(after) != long.Written+long.Same {
		t.Errorf("%+v, then %+v, %d files", short, long, len(after))
	}
	for name := range before {
		if after[name] == "" {
			t.Errorf("%s is not there in the longer history", name)
		}
	}
	if again := siteOf(t, store, folder); again.Written != 0 || again.Same != len(after) {
		t.Errorf("again: %+v", again)
	}
	other := t.TempDir() // no site of ours, so nothing in it is removed
	foreign := filepath.Join(other, report.SiteCauses, "mine-0123456789abcdef.html")
	must.Do(errors.Join(os.Mkdir(filepath.Dir(foreign), 0o700), os.WriteFile(foreign, nil, 0o600)))
	if third := siteOf(t, store, other); third.Written != len(after) || third.Removed != 0 {
		t.Errorf("elsewhere: %+v", third)
	}
}

// TestSiteLife: a cause is new, known, fixed and back again, and its page says when.
func TestSiteLife(t *testing.T) {
	n := nightsOf(t, 8, 1, "mine")
	n.Present = func(_, night int) bool { return night > 0 && night != 3 && night != 4 && night != 7 }
	folder := t.TempDir()
	siteOf(t, storeOf(t, n), folder)
	files := filesIn(t, folder)
	page := ""
	for name, text := range files {
		if strings.HasPrefix(name, "causes/mine-words-a-u-b-") {
			page = text
		}
	}
	for _, want := range []string{
		`<h1 class="verdict good"><span class="state" data-state="fixed">fixed</span> mine: extra words</h1>`,
		"<dt>first seen</dt><dd>nightly, 2026-10-02 22:00</dd>", "<dt>last seen</dt><dd>nightly, 2026-10-07 22:00</dd>",
		"<dt>met in</dt><dd>4 of 8 runs</dd>",
		`<pre tabindex="0" aria-label="smallest formula">(a U b)</pre>`, `>cycle{!a&amp;!b}</pre>`, "shortest: 1 letter", "xcheck run -c nightly.toml --only mine",
		`<a href="../index.html">`, "accepts, wrong", "accepting run sees {0} infinitely often",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	for _, want := range []string{"No open causes, 1 fixed", `">extra words</a><td>mine<td class="code"><span class="formula">(a U b)</span><td>2026-10-02<td>2026-10-07<td class="n">4<td class="n">16</tr>`, "<dd>8, from 2026-10-01 22:00 to 2026-10-08 22:00</dd>"} {
		if !strings.Contains(files["index.html"], want) {
			t.Errorf("the index does not have %q", want)
		}
	}
	if t.Failed() {
		t.Log(page, files["index.html"])
	}
}

// TestSiteHostile: markup in names, formulas, words and messages stays text, and no name of a page
// leaves the folder.
func TestSiteHostile(t *testing.T) {
	number, seed := campaign.Seeded(t, 5, 1)
	parts := []string{"<script>alert(1)</script>", `"><img src=x onerror="alert(1)">`, "</pre>", "<!--", "-->", "../../etc", "/", `\`, "{{.}}", "&lt;", "'", "`", "\x01", "\u2028", "]]>", "a b", "é", "</title>", "</svg>", ".html", "|", "\n", "\xff"}
	for k := range number {
		rng := rand.New(rand.NewPCG(seed, uint64(k)))
		text := func() (s string) {
			for range 1 + rng.IntN(4) {
				s += parts[rng.IntN(len(parts))]
			}
			return strings.ToValidUTF8(s, "\uFFFD")
		}
		n := nightsOf(t, 2, 3, text(), text()+"2")
		n.Present = func(int, int) bool { return true }
		for i, c := range n.Causes {
			c.Formula, c.Original, c.Word, c.Key = text()+fmt.Sprint(i), text(), text(), text()+fmt.Sprint(i)
			c.Case.Formula = c.Formula
			c.Class = outcome.ParseClass("exit 3: " + text())
			for j := range c.Case.Results {
				c.Case.Results[j].Stderr, c.Case.Results[j].Command = text(), text()
			}
			for j := range c.Case.Disagreements {
				c.Case.Disagreements[j].Word, c.Case.Disagreements[j].General = text(), text()
			}
		}
		n.Command = func(*outcome.Cause) string { return text() }
		folder := t.TempDir()
		w := siteOf(t, storeOf(t, n), filepath.Join(folder, "site"))
		files := filesIn(t, folder)
		if len(files) != w.Causes+1 {
			t.Errorf("seed %d, %d: %d causes, %d files", seed, k, w.Causes, len(files))
		}
		for name, page := range files {
			if dir, base := filepath.Split(name); dir != "site/" && dir != "site/causes/" || len(base) > 80 || strings.Trim(base, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
				t.Errorf("seed %d, %d: a page is called %q", seed, k, name)
			}
			for _, bad := range []string{"<script>alert", "<img", "<!--"} {
				if strings.Contains(page, bad) {
					t.Errorf("seed %d, %d: %s has %q", seed, k, name, bad)
				}
			}
			for _, tag := range []string{"script", "pre", "title", "svg", "a", "table", "section"} {
				if begins, ends := strings.Count(page, "<"+tag+">")+strings.Count(page, "<"+tag+" "), strings.Count(page, "</"+tag+">"); begins != ends {
					t.Errorf("seed %d, %d: %s: <%s> begins %d times and ends %d times", seed, k, name, tag, begins, ends)
				}
			}
		}
	}
}

// TestSiteFails: a site that can't be written leaves the old one, and pages of others are kept.
func TestSiteFails(t *testing.T) {
	store := storeOf(t, nightsOf(t, 3, 4, "one"))
	write := func(ctx context.Context, folder string) (*WrittenSite, error) {
		return WriteSite(ctx, store, folder, func(string) {})
	}
	folder := t.TempDir()
	siteOf(t, store, folder)
	before := filesIn(t, folder)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := write(ctx, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	// A page of a cause that is gone is removed, and files of others stay.
	gone, mine := filepath.Join(folder, "causes", "gone-0123456789abcdef.html"), filepath.Join(folder, "causes", "mine.html")
	for _, name := range []string{gone, mine} {
		must.Do(os.WriteFile(name, nil, 0o666))
	}
	if w, err := write(t.Context(), folder); err != nil || w.Removed != 1 || w.Written != 0 {
		t.Errorf("%+v, %v", w, err)
	}
	if err := os.Remove(mine); err != nil {
		t.Error(err)
	}
	if after := filesIn(t, folder); len(after) != len(before) {
		t.Errorf("%d files, and then %d", len(before), len(after))
	}

	foreign := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(foreign, "index.html"), []byte("<html>my page</html>"), 0o666))
	if _, err := write(t.Context(), foreign); err == nil || !strings.Contains(err.Error(), "another program wrote this page") {
		t.Errorf("a page of another program: %v", err)
	}
	if files := filesIn(t, foreign); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
	if _, err := write(t.Context(), filepath.Join(foreign, "index.html")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a file for a folder: %v", err)
	}
}

// TestSiteEmpty: a history without failures, and one without runs, have an index.
func TestSiteEmpty(t *testing.T) {
	for _, number := range []int{0, 1, 3} {
		folder := t.TempDir()
		siteOf(t, storeOf(t, &nights.Nights{Number: number, Tools: []string{"one"}}), folder)
		files := filesIn(t, folder)
		if text := files["index.html"]; len(files) != 1 || !strings.Contains(text, "No failures in any run") {
			t.Errorf("%d runs: %s", number, text)
		}
	}
}
