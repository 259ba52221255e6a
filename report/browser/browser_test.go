// Package browser tests the HTML report of package report and the site of a history in a browser.
// It is a module of its own, so that only this test depends on what drives Chromium.
//
// The test needs the programs chromium and dot (Debian packages chromium and graphviz):
//
//	cd report/browser && go test ./...
//
// With XCHECK_SCREENSHOTS=FOLDER it saves screenshots there: dark and light, desktop and phone.
package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// A browser is a tab of Chromium, and what it complains of.
type browser struct {
	ctx context.Context

	mu    sync.Mutex
	wrong []string // messages on the console, exceptions, requests
}

// start starts Chromium, with an empty profile.
func start(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v: install Debian's package chromium", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	noError(t, chromedp.Listen(ctx, b.hear))
	b.ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	call(t, b, network.Enable, network.EnableParams{})
	call(t, b, log.Enable, cdp.Empty{})
	return b
}

// hear notes what the browser complains of, and what it asks the network for.
func (b *browser) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("console: %s", e.Type)
		for _, a := range e.Args {
			text += fmt.Sprintf(" %s", a.Value)
		}
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Exception.Description
	case *log.EventEntryAdded:
		text = fmt.Sprintf("log: %s: %s", e.Entry.Level, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if strings.HasPrefix(e.Request.URL, "file:") || strings.HasPrefix(e.Request.URL, "data:") {
			return
		}
		text = "request: " + e.Request.URL
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, text)
}

func call[P, R any](t *testing.T, b *browser, command cdp.Command[P, R], parameters P) {
	t.Helper()
	if _, err := chromedp.Call(b.ctx, command, parameters); err != nil {
		t.Fatal(err)
	}
}

func (b *browser) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	noError(t, chromedp.Do(b.ctx, steps...))
}

// quiet fails if the browser has complained.
func (b *browser) quiet(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.wrong {
		t.Error(text)
	}
	b.wrong = nil
}

// open opens a page.
func (b *browser) open(t *testing.T, file string) {
	t.Helper()
	b.do(t, chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
}

// eval returns the value of an expression. It waits for a promise and returns its value.
func eval[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// press presses keys, one after the other.
func (b *browser) press(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		b.do(t, chromedp.KeyEvent(key))
	}
}

// focused describes the element that has the focus.
func (b *browser) focused(t *testing.T) string {
	t.Helper()
	return eval[string](t, b, `(e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className ? "." + e.className : ""))(document.activeElement)`)
}

// TestKeyboard goes through a page by keys alone: to the content, to the filters, to a group
// that they leave, into it, along its run and out again.
func TestKeyboard(t *testing.T) {
	b := start(t)
	b.open(t, pageOf(t, nightly(t)))
	b.press(t, kb.Tab)
	if at := b.focused(t); at != "a.skip" {
		t.Errorf("the first stop is %s", at)
	}
	if seen := eval[bool](t, b, `document.activeElement.getBoundingClientRect().left >= 0 && getComputedStyle(document.activeElement).outlineStyle !== "none"`); !seen {
		t.Error("the focus cannot be seen")
	}
	b.press(t, kb.Enter)
	if at := b.focused(t); at != "main#main" {
		t.Errorf("the link to the content leads to %s", at)
	}
	// As a key, and not as a character: a page that takes the key prevents the character.
	call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "/", Code: "Slash"})
	if at := b.focused(t); at != "input#by-text" {
		t.Errorf("/ leads to %s", at)
	}
	all := eval[int](t, b, `document.querySelectorAll("#failures .group").length`)
	b.press(t, "X")
	shown := eval[int](t, b, `document.querySelectorAll("#failures .group:not([hidden])").length`)
	if shown == 0 || shown >= all {
		t.Errorf("with X in the formula: %d of %d groups", shown, all)
	}
	if status := eval[string](t, b, `document.getElementById("shown").textContent`); !strings.HasPrefix(status, fmt.Sprintf("%d of %d groups of failures", shown, all)) {
		t.Errorf("the filter says %q", status)
	}
	b.press(t, kb.Tab, kb.Tab, kb.Tab) // clear, open all, the first group
	if at := b.focused(t); at != "summary" {
		t.Fatalf("behind the filters is %s", at)
	}
	for _, key := range []string{kb.Enter, kb.Enter, " "} {
		before := eval[bool](t, b, `document.activeElement.parentElement.open`)
		b.press(t, key)
		if after := eval[bool](t, b, `document.activeElement.parentElement.open`); after == before {
			t.Errorf("%q does not open or close a group", key)
		}
	}
	for i := 0; b.focused(t) != "tr.prefix.lit" && b.focused(t) != "tr.prefix lit" && b.focused(t) != "tr.cycle lit"; i++ {
		if i == 20 {
			t.Fatalf("no step of the run is reached, but %s", b.focused(t))
		}
		b.press(t, kb.Tab)
	}
	lit := func() string {
		return eval[string](t, b, `[...document.querySelectorAll(".drawing .lit")].map(e => e.dataset.steps).join("|")`)
	}
	first := lit()
	b.press(t, kb.ArrowDown)
	if second := lit(); first == "" || second == "" {
		t.Errorf("steps in the picture: %q, then %q", first, second)
	}
	b.quiet(t)
}

// filled is whether all groups that are open have their details. These come after a while.
const filled = `[...document.querySelectorAll(".group[open]")].every(g => g.dataset.ready && (!g.dataset.later || g.children.length > 2))`

// TestLook opens the page on a desk and on a phone, dark and light: nothing is wider than the
// screen, every text can be read on what is behind it, and the theme can be changed.
func TestLook(t *testing.T) {
	page := pageOf(t, nightly(t))
	b := start(t)
	for _, s := range looks {
		b.look(t, s)
		b.open(t, page)
		b.screenshot(t, s.name+"-top")
		eval[bool](t, b, `(() => { for (const g of [...document.querySelectorAll(".group")].slice(0, 60)) g.open = true; return true })()`)
		b.until(t, filled)
		b.readable(t, "page", s)
		b.screenshot(t, s.name+"-all")
	}
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})
	for _, selector := range []string{"header", "#filters", ".copy", ".controls"} {
		if eval[bool](t, b, fmt.Sprintf("document.querySelector(%q).checkVisibility()", selector)) {
			t.Errorf("%s is printed", selector)
		}
	}
	b.screenshot(t, "print")
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	background := func() string { return eval[string](t, b, `getComputedStyle(document.body).backgroundColor`) }
	dark := background()
	b.do(t, chromedp.Click("button.state[data-state=fixed]"))
	if shown := eval[int](t, b, `document.querySelectorAll(".group:not([hidden])").length`); shown != 1 {
		t.Errorf("%d groups are fixed", shown)
	}
	b.do(t, chromedp.Click("#theme")) // light
	if light := background(); light == dark {
		t.Errorf("the theme does not change: %s", light)
	}
	b.quiet(t)
}

// TestTwoThousand opens a page of two thousand groups with pictures, and says how long that takes:
// on a machine with nothing else to do it is below a second, but a busy one may take
// longer, and fails only far above.
func TestTwoThousand(t *testing.T) {
	page := pageOf(t, twoThousand(t))
	info := must.Get(os.Stat(page))
	b := start(t)
	least := b.opened(t, page, func() {
		if groups := eval[int](t, b, `document.querySelectorAll(".group").length`); groups != 2000 {
			t.Fatalf("%d groups", groups)
		}
	})
	t.Logf("a page of 2000 groups, %d KiB: opened in %v", info.Size()>>10, least.Round(time.Millisecond))
	if least > 20*time.Second || info.Size() > 6<<20 {
		t.Errorf("it takes %v, and has %d bytes", least, info.Size())
	}
	// The details of the last group are made when it is opened.
	last := `[...document.querySelectorAll(".group")].at(-1)`
	if n := eval[int](t, b, last+`.querySelectorAll(".drawing svg").length`); n != 0 {
		t.Errorf("%d pictures in a group that is closed", n)
	}
	eval[string](t, b, `location.hash = "#" + `+last+`.id`)
	b.until(t, last+`.querySelector(".drawing svg")?.checkVisibility() ?? false`)
	begin := time.Now()
	eval[bool](t, b, `(field => { field.value = "extra words"; return field.dispatchEvent(new Event("input")) })(document.getElementById("by-kind"))`)
	t.Logf("filtered in %v", time.Since(begin).Round(time.Millisecond))
	if shown := eval[int](t, b, `document.querySelectorAll(".group:not([hidden])").length`); shown != 1000 {
		t.Errorf("%d groups with extra words", shown)
	}
	b.quiet(t)
}

// TestWithoutScripts: where scripts are not run, the page says so, and has the groups with the
// details of the first ones.
func TestWithoutScripts(t *testing.T) {
	b := start(t)
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(t, pageOf(t, nightly(t)))
	b.screenshot(t, "without-scripts")
	for selector, want := range map[string]bool{"#filters": false, "#scatter": false, "#theme": false, ".copy": false, "noscript .note": true, ".group > summary": true, "#translators table": true} {
		if visible := eval[bool](t, b, fmt.Sprintf("document.querySelector(%q)?.checkVisibility() ?? false", selector)); visible != want {
			t.Errorf("%s can be seen: %v", selector, visible)
		}
	}
	eval[bool](t, b, `document.querySelector(".group").open = true`)
	if !eval[bool](t, b, `document.querySelector(".group .drawing svg").checkVisibility()`) {
		t.Error("the automaton of the first group is not drawn")
	}
	b.quiet(t)
}

// TestHarmless: text that is markup or a script stays text, wherever it comes from.
func TestHarmless(t *testing.T) {
	b := start(t)
	b.open(t, pageOf(t, hostile(t)))
	eval[bool](t, b, `(() => { for (const g of document.querySelectorAll(".group")) g.open = true; return true })()`)
	b.until(t, filled)
	if eval[bool](t, b, `"hacked" in window`) {
		t.Error("a script of the data was run")
	}
	for _, selector := range []string{"img", "iframe", "a[href^=javascript]", "[onerror]", "[onload]", "main script:not([type])"} {
		if n := eval[int](t, b, fmt.Sprintf("document.querySelectorAll(%q).length", selector)); n != 0 {
			t.Errorf("%d elements %s", n, selector)
		}
	}
	if n := eval[int](t, b, `[...document.querySelectorAll(".stderr")].filter(e => e.textContent.includes("</script><img src=x onerror=")).length`); n == 0 {
		t.Error("standard error is not shown as it is")
	}
	b.quiet(t)
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
