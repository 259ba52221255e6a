package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/nights"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/session"
	"github.com/xcheck-ltl/xcheck/translators"
)

// siteCauses is how many causes the history of siteOf has, and siteRows how many translators have
// them: each has a row.
const siteCauses, siteRows = 40, 59

// siteOf writes the site of a history of 30 nights of five translators with bugs, and returns its
// index. Each cause is a formula of a run on which one of them is wrong, with what the run explains.
func siteOf(t *testing.T) string {
	t.Helper()
	tools := []string{"X is ignored", "U is W", "mark lost", "edge to the wrong state", "false deterministic"}
	run := run(t, tools, 90, 5, 12)
	n := &nights.Nights{Number: 30, Tools: tools, Command: func(c *outcome.Cause) string {
		return fmt.Sprintf("xcheck run -c nightly.toml --only %s -f %s", translators.Quote(c.Translators[0]), translators.Quote(c.Formula))
	}}
	count := map[string]int{}
	for _, c := range run.cases {
		list := c.Failures()
		if len(list) == 0 || len(n.Causes) == siteCauses {
			continue
		}
		rarest := slices.MinFunc(list, func(f, g outcome.Failure) int { return count[f.Translators[0]] - count[g.Translators[0]] })
		count[rarest.Translators[0]]++
		n.Causes = append(n.Causes, causeOf(c, rarest))
	}
	if len(n.Causes) < siteCauses {
		t.Fatalf("%d causes: %v", len(n.Causes), count)
	}
	file := filepath.Join(t.TempDir(), "nights.db")
	noError(t, n.Write(t.Context(), file))
	store := must.Get(history.OpenExisting(t.Context(), file))
	defer store.Close()
	begin := time.Now()
	w := must.Get(session.WriteSite(t.Context(), store, filepath.Join(t.TempDir(), "site"), func(text string) { t.Errorf("%s: install Debian's package graphviz", text) }))
	t.Logf("%d causes, %d runs: %d pages written in %v", w.Causes, w.Runs, w.Written, time.Since(begin).Round(time.Millisecond))
	return w.Index
}

// causeOf returns a failure on a formula as a cause that shrank to it.
func causeOf(c *outcome.Case, f outcome.Failure) *outcome.Cause {
	x := &outcome.Cause{Record: outcome.Record{Translators: f.Translators, Class: f.Class, Formula: c.Formula, Key: f.Class.Category().String() + " | " + c.Formula}, Ground: true, Original: "F(" + c.Formula + ")", Index: c.Index, Seed: c.Seed}
	part := *c
	part.Disagreements, part.Results, part.Findings = nil, nil, nil
	for _, d := range c.Disagreements {
		i := slices.IndexFunc(d.Blamed, func(s outcome.Subject) bool { return s.Translator == f.Translators[0] })
		if f.Class.Shows(d.Kind) && i >= 0 {
			part.Disagreements = append(part.Disagreements, d)
			x.Word, x.Size, x.Shortest, x.Polarity = d.Word, d.Size, d.Shortest, d.Blamed[i].Polarity
		}
	}
	for _, r := range c.Results {
		if r.Translator == f.Translators[0] && r.Failed() {
			part.Results = append(part.Results, r)
		}
	}
	for _, finding := range c.Findings {
		if finding.Translator == f.Translators[0] {
			part.Findings = append(part.Findings, finding)
		}
	}
	x.Case = &part
	return x
}

// firstCause returns the page of the first cause with a state.
func (b *browser) firstCause(t *testing.T, state string) string {
	t.Helper()
	return eval[string](t, b, fmt.Sprintf(`document.querySelector('.causes tr[data-state=%q] a.row').href`, state))
}

// TestSite opens the index and pages of causes on a desk and on a phone, dark and light: quickly,
// with no message on the console, nothing wider than the screen, and text that can be read. It is
// used by keys alone.
func TestSite(t *testing.T) {
	index := siteOf(t)
	b := start(t)
	least := b.opened(t, index, func() {
		rows := eval[int](t, b, `document.querySelectorAll(".causes tbody tr").length`)
		if columns := eval[int](t, b, `document.querySelectorAll(".causes thead .n").length`); rows != siteRows || columns != 2 {
			t.Fatalf("%d causes of %d translators", rows, columns)
		}
	})
	t.Logf("the index opened in %v", least.Round(time.Millisecond))
	if least > 10*time.Second { // a second on a machine with nothing else to do
		t.Errorf("it takes %v", least)
	}
	pages := map[string]string{"index": index}
	for name, state := range map[string]string{"known": "known", "fixed": "fixed", "back": "back again"} {
		pages[name] = strings.TrimPrefix(b.firstCause(t, state), "file://")
	}
	for _, l := range looks {
		b.look(t, l)
		for page, file := range pages {
			b.open(t, file)
			b.readable(t, page, l)
			b.screenshot(t, "site-"+page+"-"+l.name)
		}
	}
	t.Run("keys", func(t *testing.T) { b.keysOfSite(t, index) })
	b.quiet(t)
	t.Run("without scripts", func(t *testing.T) { siteWithoutScripts(t, index) })
}

// keysOfSite goes from the index to a cause and back by keys alone.
func (b *browser) keysOfSite(t *testing.T, index string) {
	b.open(t, index)
	b.press(t, kb.Tab, kb.Enter)
	if at := b.focused(t); at != "main#main" {
		t.Errorf("the link to the content leads to %s", at)
	}
	b.press(t, kb.Tab)
	if at := b.focused(t); at != "button.state" {
		t.Fatalf("the first filter is %s", at)
	}
	shown := func() int {
		return eval[int](t, b, `document.querySelectorAll(".causes tbody tr:not([hidden])").length`)
	}
	all := shown()
	for !eval[bool](t, b, `document.activeElement.dataset.state === "fixed"`) {
		b.press(t, kb.Tab)
	}
	b.press(t, " ")
	fixed := shown()
	if fixed == 0 || fixed >= all || !eval[bool](t, b, `document.activeElement.getAttribute("aria-pressed") === "true"`) {
		t.Errorf("%d of %d causes are fixed", fixed, all)
	}
	if status := eval[string](t, b, `document.getElementById("shown").textContent`); status != fmt.Sprintf("%d of %d causes", fixed, all) {
		t.Errorf("the filter says %q", status)
	}
	b.press(t, " ")
	call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "/", Code: "Slash"})
	if at := b.focused(t); at != "input#by-text" {
		t.Errorf("/ leads to %s", at)
	}
	b.press(t, "U")
	if n := shown(); n == 0 || n >= all {
		t.Errorf("with U: %d of %d causes", n, all)
	}
	b.press(t, kb.Tab, kb.Tab) // clear, the first cause
	if at := b.focused(t); at != "a.row" {
		t.Fatalf("behind the filters is %s", at)
	}
	b.press(t, kb.Enter)
	b.until(t, `location.pathname.includes("/causes/") && document.readyState === "complete"`)
	for i := 0; b.focused(t) != "button.copy"; i++ {
		if i == 20 {
			t.Fatalf("no button to copy is reached, but %s", b.focused(t))
		}
		b.press(t, kb.Tab)
	}
	b.press(t, kb.Enter)
	b.until(t, `["Copied", "Selected"].includes(document.activeElement.textContent)`)
	for i := 0; !eval[bool](t, b, `document.activeElement.textContent === "All causes"`); i++ {
		if i == 40 {
			t.Fatal("no link to the index is reached")
		}
		call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9, Modifiers: 8})
	}
	b.press(t, kb.Enter)
	b.until(t, `location.pathname.endsWith("/index.html") && document.readyState === "complete"`)
}

// TestSiteBack: the number of a filter is how many causes it shows, and a reader who goes back
// from a cause finds the filters as they were.
func TestSiteBack(t *testing.T) {
	b := start(t)
	b.open(t, siteOf(t))
	shown := func() string { return eval[string](t, b, `document.getElementById("shown").textContent`) }
	for i := range eval[int](t, b, `document.querySelectorAll("button.state").length`) {
		button := fmt.Sprintf(`document.querySelectorAll("button.state")[%d]`, i)
		want := eval[string](t, b, button+`.textContent.split(" ")[0]`) + fmt.Sprintf(" of %d causes", siteRows)
		eval[bool](t, b, `(`+button+`.click(), true)`)
		if got := shown(); got != want {
			t.Errorf("filter %d shows %q, expected %q", i, got, want)
		}
	}
	eval[bool](t, b, `(document.querySelector("button.state[data-state=known]").click(), true)`)
	b.do(t, chromedp.Click("#by-text"))
	b.press(t, "X")
	before := shown()
	eval[bool](t, b, `(document.querySelector(".causes tbody tr:not([hidden]) a.row").click(), true)`)
	b.until(t, `location.pathname.includes("/causes/") && document.readyState === "complete"`)
	eval[bool](t, b, `(window.history.back(), true)`)
	b.until(t, `location.pathname.endsWith("/index.html") && document.readyState === "complete"`)
	if after := shown(); after != before || !eval[bool](t, b, `document.querySelector("button.state[data-state=known]").ariaPressed === "true"`) {
		t.Errorf("first %q, and after going back %q", before, after)
	}
	b.quiet(t)
}

// until waits for a condition.
func (b *browser) until(t *testing.T, condition string) {
	t.Helper()
	for range 200 {
		// While a page is left, nothing can be evaluated.
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](condition, chromedp.EvalAwaitPromise)); err == nil && ok {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("never: %s", condition)
}

// siteWithoutScripts: all causes are there, and their pages with commands and explanations.
func siteWithoutScripts(t *testing.T, index string) {
	b := start(t)
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(t, index)
	visible := func(selector string, want bool) {
		t.Helper()
		if is := eval[bool](t, b, fmt.Sprintf("document.querySelector(%q)?.checkVisibility() ?? false", selector)); is != want {
			t.Errorf("%s can be seen: %v", selector, is)
		}
	}
	for selector, want := range map[string]bool{"#filters": false, "#theme": false, ".causes a.row": true, ".nights": true} {
		visible(selector, want)
	}
	b.open(t, strings.TrimPrefix(b.firstCause(t, "known"), "file://"))
	for selector, want := range map[string]bool{"#theme": false, ".copy": false, ".command pre": true, "#explanation": true} {
		visible(selector, want)
	}
	b.quiet(t)
}

// A look is a screen with a theme.
type look struct {
	name          string
	width, height int64
	scale         float64
	phone         bool
	theme         string
}

// looks are a desk and a phone, light and dark.
var looks = []look{
	{"desk-light", 1280, 900, 1, false, "light"},
	{"desk-dark", 1280, 900, 1, false, "dark"},
	{"phone-light", 390, 844, 2, true, "light"},
	{"phone-dark", 390, 844, 2, true, "dark"},
}

// look gives the browser a screen and a theme.
func (b *browser) look(t *testing.T, l look) {
	t.Helper()
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: l.width, Height: l.height, DeviceScaleFactor: l.scale, Mobile: l.phone})
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.theme}}})
}

// readable fails if the page that is open is wider than the screen, or has text that is hard to read.
func (b *browser) readable(t *testing.T, page string, l look) {
	t.Helper()
	if width := eval[int64](t, b, `document.documentElement.scrollWidth`); width > l.width {
		t.Errorf("%s, %s: %d pixels wide: %s", page, l.name, width, eval[string](t, b, widest))
	}
	for _, text := range eval[[]string](t, b, contrast) {
		t.Errorf("%s, %s: %s", page, l.name, text)
	}
}

// opened opens a page, and returns how long that takes at least. Each time, check looks at it.
func (b *browser) opened(t *testing.T, page string, check func()) time.Duration {
	t.Helper()
	b.open(t, page) // the program's own start is none of the page's
	var least time.Duration
	for range 3 {
		begin := time.Now()
		b.open(t, page)
		check()
		eval[int](t, b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))`)
		if took := time.Since(begin); least == 0 || took < least {
			least = took
		}
	}
	return least
}

// widest names the elements that make the page too wide.
const widest = `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".wide, pre")).slice(0, 5).map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40)).join("; ")`

// contrast lists texts whose contrast with the background is below 4.5 (WCAG 2.1, 1.4.3).
const contrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgb = color => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const luminance = c => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
		const v = c[i] / 255;
		return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	}, 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c[3] === 255) return c;
		}
		return [255, 255, 255];
	};
	const bad = new Map();
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest("script, style, noscript, [hidden]") || !e.checkVisibility()) continue;
		const svg = e.closest("svg"), style = getComputedStyle(e);
		const a = luminance(rgb(svg ? style.fill : style.color)), b = luminance(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) bad.set(e.tagName + "." + (e.getAttribute("class") ?? ""), e.textContent.slice(0, 30) + ": " + ratio.toFixed(2));
	}
	return [...bad].map(([k, v]) => k + " " + v).slice(0, 10);
})()`

// screenshot leaves one of the whole page, if that is asked for.
func (b *browser) screenshot(t *testing.T, name string) {
	folder := os.Getenv("XCHECK_SCREENSHOTS")
	if folder == "" {
		return
	}
	// Groups that are not on the screen are left out by the browser: they would be blank.
	eval[bool](t, b, `(() => { for (const g of document.querySelectorAll(".group")) g.style.contentVisibility = "visible"; return true })()`)
	time.Sleep(200 * time.Millisecond)
	image := must.Get(chromedp.Run(b.ctx, chromedp.FullScreenshot(100)))
	noError(t, os.MkdirAll(folder, 0o777))
	noError(t, os.WriteFile(filepath.Join(folder, name+".png"), image, 0o666))
}

// TestPictures keeps the pictures of a page and of a site in docs/pictures. They are what the browser
// has made of the HTML of a run, as text within SVG. With XCHECK_PICTURES=1 it writes them.
func TestPictures(t *testing.T) {
	b := start(t)
	for name, file := range map[string]string{"page": pageOf(t, run(t, []string{"U is W", "none"}, 20, 4, 9)), "site": siteOf(t)} {
		b.look(t, looks[0])
		b.open(t, file)
		text := eval[string](t, b, picture)
		kept := filepath.Join("..", "..", "docs", "pictures", name+".svg")
		if os.Getenv("XCHECK_PICTURES") != "" {
			noError(t, os.WriteFile(kept, []byte(text), 0o666))
		}
		if is := string(must.Get(os.ReadFile(kept))); !strings.HasPrefix(is, text[:strings.Index(text, "<table")]) {
			t.Errorf("%s shows another page: use XCHECK_PICTURES=1", kept)
		}
	}
	b.quiet(t)
}

// picture makes an SVG of the first part of a page, with its first group open and without scripts.
const picture = `(() => {
	const group = document.querySelector(".group");
	if (group) group.open = true;
	for (const e of document.querySelectorAll("script, noscript, .skip, #theme, title, meta, .nights, #filters")) e.remove();
	for (const e of [...document.querySelectorAll("section")].slice(1)) e.remove();
	for (const e of [...document.querySelectorAll(".causes tbody tr, .group")].slice(14)) e.remove();
	for (const e of document.querySelectorAll(".command")) { // calls of this test say nothing to others
		if (e.previousElementSibling?.matches(".label")) { e.previousElementSibling.remove(); e.remove(); }
	}
	const style = document.querySelector("style").textContent, text = new XMLSerializer().serializeToString(document.body);
	return '<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="760" viewBox="0 0 1100 760"><style>/*<![CDATA[*/' + style + '/*]]>*/</style><foreignObject width="1100" height="760">' + text + '</foreignObject></svg>\n';
})()`
