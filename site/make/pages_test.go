package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHelpPage makes a page of help that has all that help can have.
func TestHelpPage(t *testing.T) {
	h := parseHelp([]string{"xcheck", "merge"}, `Merges histories, and
the shards of runs:
  a  <first>

Then it ends.

Usage:
  xcheck merge [flags]
    FILE…

Examples:
  xcheck merge a b

Files:
  -f, --file FILE  write FILE,
                   or <none> (default all)
      --with-options NAME=-B -D
                   run NAME

Commands:
  improvements Measure them
  list         List all

Exit status:
  0    success

Use "xcheck merge --help" to see more.
`)
	want := `---
made: Help
weight: 7
about: The help of xcheck merge, with all flags.
---
# xcheck merge

<p>Merges histories, and the shards of runs:</p>

<pre>  a  &lt;first&gt;</pre>

<p>Then it ends.</p>

## Usage

` + "```text" + `
xcheck merge [flags]
  FILE…
` + "```" + `

## Examples

` + "```text" + `
xcheck merge a b
` + "```" + `

## Files

<dl>
<dt id="--file">-f, --file FILE</dt><dd>write FILE, or &lt;none&gt; (default all)</dd>
<dt id="--with-options">--with-options NAME=-B -D</dt><dd>run NAME</dd>
</dl>

## Commands

<dl>
<dt><a href="xcheck-merge-improvements.html">improvements</a></dt><dd>Measure them</dd>
<dt><a href="xcheck-merge-list.html">list</a></dt><dd>List all</dd>
</dl>

## Exit status

` + "```text" + `
0    success
` + "```" + `

`
	if got := h.page(7); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPages writes the pages of the program itself: each command that has a manual page has one
// here, and xcheck run has its flags.
func TestPages(t *testing.T) {
	folder, manual := t.TempDir(), t.TempDir()
	program := filepath.Join(folder, "xcheck")
	t.Chdir("../..")
	for _, command := range [][]string{{"go", "build", "-ldflags=-s -w", "-o", program, "./cmd/xcheck"}, {program, "man", "--folder", manual}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	made := filepath.Join(folder, "made")
	if err := run([]string{"pages", program, made}); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(manual)
	if err != nil || len(names) < 30 {
		t.Fatalf("%d manual pages: %v", len(names), err)
	}
	for _, name := range names {
		page := strings.TrimSuffix(name.Name(), ".1") + ".md"
		if _, err := os.Stat(filepath.Join(made, page)); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{"xcheck-run.md": `<dt id="--fail-on-new">`, "xcheck.md": `<a href="xcheck-run.html">`, "schema.md": "### `outcome.Case` {#outcome.Case}"} {
		if text, err := os.ReadFile(filepath.Join(made, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s: %v", name, want, err)
		}
	}
	for _, args := range [][]string{nil, {"pages", "no-such-program", made}, {"check", t.TempDir()}} {
		if run(args) == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// TestSchemaPage makes tables of types.
func TestSchemaPage(t *testing.T) {
	page, err := schemaPage([]byte(`{"$defs": {
		"run": {"title": "xcheck run --json", "anyOf": [{"description": "All <of> it.", "required": ["v", "t"], "properties": {
			"v": {"const": 1}, "t": {"$ref": "#/$defs/p.T", "description": "a|b"}, "many": {"type": "array", "items": {"$ref": "#/$defs/p.T"}},
			"map": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}}}, {"type": "null"}]},
		"p.T": {"properties": {"when": {"type": "string", "format": "date-time"}, "kind": {"enum": ["x", "y"]}, "any": {}, "or": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(page, "## Documents\n\n")
	want := "### `xcheck run --json` {#run}\n\n<p>All &lt;of&gt; it.</p>\n\n" + `| field | type | meaning |
|---|---|---|
| ` + "`many`" + ` | array of <a href="#p.T">p.T</a>, <i>optional</i> | <span></span> |
| ` + "`map`" + ` | object of integer, <i>optional</i> | <span></span> |
| ` + "`t`" + ` | <a href="#p.T">p.T</a> | <span>a&#124;b</span> |
| ` + "`v`" + ` | <code>1</code> | <span></span> |

<p>Or:</p>

<p>null</p>

## Types

### ` + "`p.T` {#p.T}" + `

| field | type | meaning |
|---|---|---|
| ` + "`any`" + ` | any value, <i>optional</i> | <span></span> |
| ` + "`kind`" + ` | <code>x</code>, <code>y</code>, <i>optional</i> | <span></span> |
| ` + "`or`" + ` | string or null, <i>optional</i> | <span></span> |
| ` + "`when`" + ` | date and time, <i>optional</i> | <span></span> |

`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, wrong := range []string{"{", `{"$defs": {"run": {"title": "x", "properties": {"a": {"$ref": "#/$defs/none"}}}}}`} {
		if _, err := schemaPage([]byte(wrong)); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}
