package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestCheck: each mistake in a site is found, and nothing else.
func TestCheck(t *testing.T) {
	const other = `<!DOCTYPE html><html lang=en><meta charset="utf-8"><h1 id="top">Other</h1><p id=a hidden>1 &lt; 2&nbsp;</p></html>`
	for _, x := range []struct{ page, want string }{
		{`<a href="other.html">a</a><a href="other.html#top">b</a><a href="#here" id="here">c</a><img src="pictures/p.svg">`, ""},
		{`<a href="https://example.org/x#y">outside</a><link rel="icon" href="data:,"><a href="mailto:a@example.org">m</a>`, ""},
		{`<a href="https://github.com/xcheck-ltl/xcheck/blob/main/LICENSE">file</a>`, ""},
		{`<a href="none.html">a</a>`, `page.html: "none.html": no such file`},
		{`<a href="other.html#none">a</a>`, `page.html: "other.html#none": no such anchor`},
		{`<a href="#none">a</a>`, `page.html: "#none": no such anchor`},
		{`<p id="a"></p><p id="a"></p>`, `page.html: two elements have the id "a"`},
		{`<picture><source srcset="pictures/p.svg, pictures/q.svg 2x"></picture>`, `page.html: "pictures/q.svg": no such file`},
		{`<script src="https://example.org/x.js"></script>`, `page.html: "https://example.org/x.js": loaded from outside`},
		{`<img src="//example.org/x.png">`, `page.html: "//example.org/x.png": loaded from outside`},
		{`<link rel="stylesheet" href="http://example.org/x.css">`, `page.html: "http://example.org/x.css": loaded from outside`},
		{`<p style="background: url('http://example.org/x.png')"></p>`, `page.html: "http://example.org/x.png": loaded from outside`},
		{`<a href="javascript:x">a</a>`, `page.html: "javascript:x": not a link for a browser`},
		{`<a href="https://github.com/xcheck-ltl/xcheck/tree/main/none">a</a>`, `page.html: "https://github.com/xcheck-ltl/xcheck/tree/main/none": no such file in the repository`},
	} {
		built := fstest.MapFS{
			"page.html":      {Data: []byte("<html>" + x.page + "</html>")},
			"other.html":     {Data: []byte(other)},
			"pictures/p.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><text id="a">p</text></svg>`)},
		}
		root := fstest.MapFS{
			"LICENSE":      {Data: []byte("MIT")},
			"docs/page.md": {Data: []byte("[this is for Hugo](none.md)")},
			"README.md":    {Data: []byte("[a](docs/other.md#top) [b](LICENSE) [c](https://example.org) `[`\n\n    [code](none)\n\n```\n[code](none)\n```\n")},
		}
		if got := problems(t, built, root); got != x.want {
			t.Errorf("%s: got %q, want %q", x.page, got, x.want)
		}
	}
}

// TestCheckMarkdown: the links of the README and its like lead to pages, anchors and files.
func TestCheckMarkdown(t *testing.T) {
	built := fstest.MapFS{"a.html": {Data: []byte(`<h1 id="top">A</h1>`)}, "index.html": {}, "site.css": {Data: []byte(`@import "http://example.org/x.css"; a { background: url(x.png) }`)}}
	root := fstest.MapFS{
		"README.md":       {Data: []byte("[a](docs/a.md#none) [b](none) <img src=\"none.svg\"> [index](docs/README.md)")},
		"examples/e/a.md": {Data: []byte("[a](../../docs/none.md) [b](../../docs/a.md#top)")},
		".git/a.md":       {Data: []byte("[a](none)")},
		"testdata/a.md":   {Data: []byte("[a](none)")},
	}
	want := `README.md: "a.html#none": no such anchor
README.md: "https://github.com/xcheck-ltl/xcheck/blob/main/none": no such file in the repository
README.md: "https://github.com/xcheck-ltl/xcheck/blob/main/none.svg": no such file in the repository
examples/e/a.md: "none.html": no such file
site.css: "http://example.org/x.css": loaded from outside
site.css: "x.png": no such file`
	if got := problems(t, built, root); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCheckFails: the command fails on a site with a broken link, and else it does not.
func TestCheckFails(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("built", 0o777); err != nil {
		t.Fatal(err)
	}
	for page, wrong := range map[string]bool{`<a href="#top" id="top">a</a>`: false, `<a href="#none">a</a>`: true, `<a href="none.html">a</a>`: true, `<p>`: true} {
		if err := os.WriteFile("built/page.html", []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"check", "built"}); (err != nil) != wrong {
			t.Errorf("%s: %v", page, err)
		}
	}
}

// problems returns what is wrong with a site, sorted.
func problems(t *testing.T, built, root fstest.MapFS) string {
	t.Helper()
	s, err := readSite(built, root)
	if err != nil {
		t.Fatal(err)
	}
	s.check()
	slices.Sort(s.problems)
	return strings.Join(s.problems, "\n")
}
