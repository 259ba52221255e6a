package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// docs returns the folder of the site of docs/: that of the environment, or one that it builds.
func docs(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("XCHECK_SITE"); built != "" {
		return built
	}
	folder := filepath.Join(t.TempDir(), "docs")
	build := exec.Command("../../site/build", folder)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		t.Fatalf("site/build: %v", err)
	}
	return folder
}

// TestDocs opens the pages of docs/ as files, on a desk and on a phone, dark and light: nothing is
// wider than the screen, and all text can be read. Search is used by keys alone, and without
// scripts the pages are read without it.
func TestDocs(t *testing.T) {
	folder := docs(t)
	pages, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(pages) < 60 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	b := start(t)
	for i, l := range looks {
		b.look(t, l)
		for _, page := range pages {
			name := strings.TrimSuffix(filepath.Base(page), ".html")
			shown := slices.Contains([]string{"index", "tutorial", "nightly", "papers", "checks", "xcheck-run", "schema", "glossary"}, name)
			if !shown && i != 1 && i != 2 { // two looks have both screens and both themes
				continue
			}
			b.open(t, page)
			b.readable(t, name, l)
			if shown {
				b.screenshot(t, "docs-"+name+"-"+l.name)
			}
		}
	}
	b.quiet(t)
	for _, l := range looks[1:3] {
		t.Run("search on "+l.name, func(t *testing.T) { b.look(t, l); searchDocs(t, b, folder) })
	}
	t.Run("copy", func(t *testing.T) { copyOfDocs(t, b, folder) })
	t.Run("menu", func(t *testing.T) { menuOfDocs(t, b, folder) })
	t.Run("print", func(t *testing.T) { printDocs(t, b, folder) })
	t.Run("without scripts", func(t *testing.T) { docsWithoutScripts(t, folder) })
}

// searchDocs finds a page, a section and a flag by keys alone.
func searchDocs(t *testing.T, b *browser, folder string) {
	for _, x := range []struct{ query, want string }{
		{"glossary", "glossary.html"},
		{"signature", "glossary.html#signature"},
		{"--fail-on-new", "xcheck-run.html#--fail-on-new"},
	} {
		b.open(t, filepath.Join(folder, "tutorial.html"))
		call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "/", Code: "Slash"})
		if at := b.focused(t); at != "input#_query" {
			t.Fatalf("/ leads to %s", at)
		}
		b.press(t, strings.Split(x.query, "")...)
		b.until(t, `document.querySelectorAll("#_results a").length > 0`)
		for i := 0; !strings.HasSuffix(eval[string](t, b, `document.querySelector("#_results [aria-selected=true]").href`), "/"+x.want); i++ {
			if i == 3 {
				t.Fatalf("%s: %s is not among the first results: %s", x.query, x.want, eval[string](t, b, `[...document.querySelectorAll("#_results a")].map(a => a.getAttribute("href")).join(" ")`))
			}
			b.press(t, kb.ArrowDown)
		}
		if x.query == "signature" {
			b.screenshot(t, "docs-search")
		}
		if active := eval[bool](t, b, `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).getAttribute("aria-selected") === "true"`); !active {
			t.Error("the field does not name the selected result")
		}
		if hidden := eval[string](t, b, covered); hidden != "" {
			t.Errorf("something covers the result %s", hidden)
		}
		for _, text := range eval[[]string](t, b, contrast) {
			t.Errorf("results: %s", text)
		}
		b.press(t, kb.Enter)
		b.until(t, fmt.Sprintf(`location.href.endsWith(%q) && document.readyState === "complete"`, "/"+x.want))
	}
	b.press(t, "/", "n", "o", "s", "u", "c", "h", "w", "o", "r", "d")
	b.until(t, `document.querySelector("#_results").textContent === "Nothing found."`)
	b.press(t, kb.Escape)
	if !eval[bool](t, b, `document.querySelector("#_results").hidden && document.querySelector("#_query").value === ""`) {
		t.Error("Escape does not close the search")
	}
	b.quiet(t)
}

// covered is a result that is on the screen, but below something else.
const covered = `[...document.querySelectorAll("#_results a")].filter(a => {
	const box = a.getBoundingClientRect();
	const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
	return at && !a.contains(at) && at !== document.getElementById("_results");
}).map(a => a.textContent).join("; ")`

// copyOfDocs copies a command without its output, by keys alone.
func copyOfDocs(t *testing.T, b *browser, folder string) {
	b.look(t, looks[0])
	b.open(t, filepath.Join(folder, "tutorial.html"))
	for i := 0; b.focused(t) != "button" || eval[string](t, b, `document.activeElement.textContent`) != "Copy"; i++ {
		if i == 200 {
			t.Fatal("no button to copy is reached")
		}
		b.press(t, kb.Tab)
	}
	if !eval[bool](t, b, `getComputedStyle(document.activeElement).opacity === "1"`) {
		t.Error("the button cannot be seen")
	}
	b.press(t, kb.Enter)
	b.until(t, `["Copied", "Selected"].includes(document.activeElement.textContent)`)
	b.quiet(t)
}

// menuOfDocs opens the list of pages on a phone, and a page from it.
func menuOfDocs(t *testing.T, b *browser, folder string) {
	b.look(t, looks[2])
	b.open(t, filepath.Join(folder, "index.html"))
	list := func() bool { return eval[bool](t, b, `document.querySelector("#_pages").checkVisibility()`) }
	if list() {
		t.Error("the menu is open")
	}
	eval[bool](t, b, `document.querySelector(".menu").focus() ?? true`)
	b.press(t, kb.Enter)
	if !list() {
		t.Fatal("the menu does not open")
	}
	b.screenshot(t, "docs-menu")
	b.press(t, kb.Tab)
	if at := eval[string](t, b, `document.activeElement.getAttribute("href")`); at != "tutorial.html" {
		t.Errorf("the first page of the menu is %s", at)
	}
	b.press(t, kb.Enter)
	b.until(t, `location.pathname.endsWith("/tutorial.html") && document.readyState === "complete"`)
	b.quiet(t)
}

// printDocs looks at a page as it is printed.
func printDocs(t *testing.T, b *browser, folder string) {
	b.look(t, looks[0])
	b.open(t, filepath.Join(folder, "tutorial.html"))
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	for _, selector := range []string{"header", "#_pages", "footer"} {
		if eval[bool](t, b, fmt.Sprintf("document.querySelector(%q).checkVisibility()", selector)) {
			t.Errorf("%s is printed", selector)
		}
	}
	b.screenshot(t, "docs-print")
	b.quiet(t)
}

// docsWithoutScripts goes from page to page by links.
func docsWithoutScripts(t *testing.T, folder string) {
	b := start(t)
	b.look(t, looks[0])
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(t, filepath.Join(folder, "index.html"))
	for selector, want := range map[string]bool{"#_search": false, "#_pages": true, "article ul": true, "footer [rel=next]": true} {
		if is := eval[bool](t, b, fmt.Sprintf("document.querySelector(%q)?.checkVisibility() ?? false", selector)); is != want {
			t.Errorf("%s can be seen: %v", selector, is)
		}
	}
	b.press(t, kb.Tab, kb.Enter)
	if at := b.focused(t); at != "main#_main" {
		t.Errorf("the link to the content leads to %s", at)
	}
	for range 3 {
		next := eval[string](t, b, `document.querySelector("footer [rel=next]").href`)
		eval[bool](t, b, `document.querySelector("footer [rel=next]").focus() ?? true`)
		b.press(t, kb.Enter)
		b.until(t, fmt.Sprintf(`location.href === %q && document.readyState === "complete"`, next))
	}
	b.quiet(t)
}
