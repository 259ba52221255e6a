package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// A page of docs/ is read as a reader follows it: the commands that it shows, the files that it has
// the reader save, and the changes that it has the reader make to them.
//
// A page such as
//
//	Save this as `hello.txt`:
//
//	```
//	good morning
//	```
//
//	Change `hello.txt`:
//
//	```diff
//	-good morning
//	+good night
//	```
//
//	    $ cat hello.txt
//	    good night
//
// has three steps: a [docFile], a [docChange] and a [docCommand]. A command stands after four spaces and a
// dollar sign; its output follows, without the dollar sign. Output may have blank lines, and three
// dots in place of lines, or of the rest of a line.

// A docStep is something that the reader of a page does.
type docStep interface {
	// Do does the step, and returns an error if it cannot be done, or does not show what the page
	// says.
	Do(*docSession) error
}

// readSteps returns the steps of a page, in its order.
func readSteps(text string) ([]docStep, error) {
	r := &docReader{}
	for line := range strings.Lines(text) {
		r.line++
		if err := r.read(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	switch {
	case r.fence != nil:
		return nil, fmt.Errorf("line %d: the block is not closed", r.fence.line)
	case r.save != "":
		return nil, fmt.Errorf("line %d: the page does not show %s", r.line, r.save)
	}
	return r.steps, nil
}

// docCommands returns the commands among the steps.
func docCommands(steps []docStep) (list []*docCommand) {
	for _, s := range steps {
		if c, ok := s.(*docCommand); ok {
			list = append(list, c)
		}
	}
	return list
}

// A docReader reads a page line by line.
type docReader struct {
	line  int // of the page, from 1
	steps []docStep

	paragraph string      // the last one, on one line
	ended     bool        // there was a blank line after the paragraph
	save      string      // the file that the next block has, or ""
	fence     *docFence   // the fenced block that the line is in, or nil
	command   *docCommand // the command whose output may follow, or nil
	blank     string      // blank lines since the last line
}

// A docFence is a fenced block that is being read.
type docFence struct {
	mark string // what closes it
	line int
	text strings.Builder
	step func(text string) docStep // what the reader does with the text, or nil
}

var (
	fenceMark   = regexp.MustCompile("^(```+|~~~+) *([^`]*)$")
	saveThis    = regexp.MustCompile("[Ss]ave this as `([^`]+)`:$")
	fileAtEnd   = regexp.MustCompile("`([^`]+)`:$")
	commandLike = regexp.MustCompile(`^[ \t>]*\$ `)
)

func (r *docReader) read(line string) error {
	if r.fence != nil {
		return r.inFence(line)
	}
	code, isCode := strings.CutPrefix(line, "    ")
	m := fenceMark.FindStringSubmatch(line)
	switch {
	case strings.TrimSpace(line) == "":
		r.ended = true
		r.blank += "\n"
		return nil
	case r.save != "" && m == nil:
		return fmt.Errorf("expected the block with the text of %s", r.save)
	case m != nil:
		return r.openFence(m[1], m[2])
	case isCode:
		r.code(code)
		return nil
	case commandLike.MatchString(line):
		return fmt.Errorf("looks like a command, but would not be run: %s", line)
	}
	r.command = nil
	r.prose(line)
	return nil
}

// prose reads a line of a paragraph.
func (r *docReader) prose(line string) {
	if r.ended {
		r.paragraph, r.ended = "", false
	}
	r.paragraph = strings.TrimSpace(r.paragraph + " " + strings.TrimSpace(line))
	r.save = ""
	if m := saveThis.FindStringSubmatch(r.paragraph); m != nil {
		r.save = m[1]
	}
}

// code reads a line of an indented block, without its indentation.
func (r *docReader) code(line string) {
	r.paragraph = ""
	if text, ok := strings.CutPrefix(line, "$ "); ok {
		r.command = &docCommand{Line: r.line, Text: strings.TrimSpace(text)}
		r.steps = append(r.steps, r.command)
	} else if r.command != nil {
		r.command.Output += r.blank + line + "\n"
	}
	r.blank = ""
}

// openFence begins a fenced block: a file to save, a change, or something to look at.
func (r *docReader) openFence(mark, language string) error {
	r.fence = &docFence{mark: mark, line: r.line}
	paragraph, name, line := r.paragraph, r.save, r.line
	r.paragraph, r.save, r.command = "", "", nil
	m := fileAtEnd.FindStringSubmatch(paragraph)
	switch {
	case name != "":
		r.fence.step = func(text string) docStep { return &docFile{Line: line, Name: name, Text: text} }
	case strings.TrimSpace(language) != "diff":
		return nil
	case m == nil:
		return fmt.Errorf("a diff without a file: expected a paragraph before it that ends with the name in backquotes and a colon")
	default:
		name = m[1]
		r.fence.step = func(text string) docStep { return &docChange{Line: line, Name: name, Diff: text} }
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s is not inside the folder of the page", name)
	}
	return nil
}

// inFence reads a line of a fenced block, or its end.
func (r *docReader) inFence(line string) error {
	f := r.fence
	switch {
	case strings.HasPrefix(line, f.mark) && strings.Trim(line, f.mark[:1]+" ") == "":
		r.fence = nil
		if f.step != nil {
			r.steps = append(r.steps, f.step(f.text.String()))
		}
	case f.step == nil && commandLike.MatchString(line):
		return fmt.Errorf("looks like a command, but would not be run: %s", line)
	default:
		f.text.WriteString(line + "\n")
	}
	return nil
}

// A docSession is what the reader of a page works in.
type docSession struct {
	Dir string   // the current folder; the command cd changes it
	Env []string // the environment of commands
}

// A docCommand is a command for a shell, and the output that the page shows.
type docCommand struct {
	Line         int // of the page
	Text, Output string
}

// Do runs the command, and compares what a terminal would show: standard output and standard error. A
// command without output ends with status 0 or 1: an error would not show.
//
// The command `cd FOLDER` changes the folder of the session.
func (c *docCommand) Do(s *docSession) error {
	if folder, ok := strings.CutPrefix(c.Text, "cd "); ok && !strings.ContainsAny(folder, ` &|;$'"`) {
		s.Dir = filepath.Join(s.Dir, folder)
		_, err := os.Stat(s.Dir)
		return err
	}
	cmd := exec.Command("sh", "-c", c.Text)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	got, err := cmd.CombinedOutput()
	if !pageShows(c.Output, string(got)) || c.Output == "" && cmd.ProcessState.ExitCode() > 1 {
		return fmt.Errorf("%s\nprints\n%s\n(%v), but the page says\n%s", c.Text, got, err, c.Output)
	}
	return nil
}

var (
	elidedLines = regexp.MustCompile(`(?m)^\\\.\\\.\\\.\n`) // a line with three dots, quoted
	varying     = regexp.MustCompile(`\b\d+(\.\d+)? ?(ns|µs|ms|s|min)\b|\bseed \d+|(/[\w.+-]+){2,}`)
)

// pageShows reports whether a page shows the output. A line of three dots stands for any lines, and three
// dots in a line for any text. Times, seeds and absolute paths may differ.
func pageShows(page, output string) bool {
	plain := func(text string) string {
		return varying.ReplaceAllString(strings.TrimRight(text, "\n"), "#") + "\n"
	}
	pattern := elidedLines.ReplaceAllString(regexp.QuoteMeta(plain(page)), `(?:.*\n)*`)
	pattern = strings.ReplaceAll(pattern, `\.\.\.`, `.*`)
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(plain(output))
}

// A docFile is a file that the reader saves.
type docFile struct {
	Line       int
	Name, Text string
}

// Do writes the file. A script (#!) is executable.
func (f *docFile) Do(s *docSession) error {
	name := filepath.Join(s.Dir, f.Name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if strings.HasPrefix(f.Text, "#!") {
		mode = 0o777
	}
	return os.WriteFile(name, []byte(f.Text), mode)
}

// A docChange is a change of a file, as a diff: lines with a space in front stay, lines with a minus
// go, and lines with a plus come. A line that begins with @@ separates two places.
type docChange struct {
	Line       int
	Name, Diff string
}

// Do makes the change.
func (c *docChange) Do(s *docSession) error {
	name := filepath.Join(s.Dir, c.Name)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	changed, err := c.apply(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return os.WriteFile(name, []byte(changed), 0o666)
}

// apply returns the changed text. Each place must be there exactly once.
func (c *docChange) apply(text string) (string, error) {
	text = "\n" + text // so that a place is one of whole lines
	for _, p := range c.places() {
		switch n := occurrences(text, "\n"+p.before); {
		case p.before == p.after:
			return "", fmt.Errorf("nothing changes at\n%s", p.before)
		case p.before == "":
			return "", fmt.Errorf("no lines say where to add\n%s", p.after)
		case p.bad != "":
			return "", fmt.Errorf("a line begins with no space, minus or plus: %s", p.bad)
		case n != 1:
			return "", fmt.Errorf("found %d times instead of once:\n%s", n, p.before)
		}
		text = strings.Replace(text, "\n"+p.before, "\n"+p.after, 1)
	}
	return text[1:], nil
}

// occurrences returns how often part occurs in text. Occurrences may overlap.
func occurrences(text, part string) (n int) {
	for i := range text {
		if strings.HasPrefix(text[i:], part) {
			n++
		}
	}
	return n
}

// A docPlace is a part of a file, before a change and after it.
type docPlace struct {
	before, after string
	bad           string // a line of the diff that has no sign, or ""
}

func (c *docChange) places() []docPlace {
	list := []docPlace{{}}
	for line := range strings.Lines(c.Diff) {
		p := &list[len(list)-1]
		switch {
		case strings.HasPrefix(line, "@@"):
			if *p != (docPlace{}) {
				list = append(list, docPlace{})
			}
		case line == "\n": // editors remove the space of a blank line
			p.before, p.after = p.before+line, p.after+line
		case line[0] == ' ':
			p.before, p.after = p.before+line[1:], p.after+line[1:]
		case line[0] == '-':
			p.before += line[1:]
		case line[0] == '+':
			p.after += line[1:]
		default:
			p.bad = strings.TrimSpace(line)
		}
	}
	return list
}

// follow does the steps of a page in a folder.
func followText(page, dir string) error {
	steps, err := readSteps(page)
	if err != nil {
		return err
	}
	s := &docSession{Dir: dir, Env: os.Environ()}
	for _, step := range steps {
		if err := step.Do(s); err != nil {
			return err
		}
	}
	return nil
}

// TestFollow: what a page shows is done in its order.
func TestFollow(t *testing.T) {
	for name, page := range map[string]string{
		"command":      "Text.\n\n    $ echo a\n    a\n    $ printf 'b\\n\\n\\nc\\n'\n    b\n\n\n    c\n\nText.\n",
		"blank first":  "    $ printf '\\na\\n'\n    \n    a\n",
		"elided":       "    $ printf '1\\n2\\n3\\n4: a b\\n'\n    ...\n    3\n    4: ...\n    $ printf '1\\n2\\n3\\n'\n    1\n    ...\n    $ echo a\n    ...\n    a\n",
		"varying":      "    $ echo '0.31 s, 12ms; seed 7 /home/me/x'\n    4.00 s, 3ms; seed 11 /tmp/x\n",
		"an error":     "    $ echo a >&2; exit 2\n    a\n",
		"no output":    "    $ true\n\n    $ exit 1\n\n    $ echo a\n    a\n",
		"other code":   "    $ echo a\n    a\n\nText:\n\n    not output\n\n```text\n    not output\n```\n",
		"file":         "A file. Save this\nas `sub/a.txt`:\n\n```text\n$ one\n\n    two\n```\n\n    $ tr '$' '#' <sub/a.txt\n    # one\n\n        two\n",
		"cd":           "    $ mkdir sub\n    $ cd sub\n    $ basename \"$PWD\"\n    sub\n",
		"script":       "Save this as `say`:\n```sh\n#!/bin/sh\necho \"$1\"\n```\n\n    $ ./say hello\n    hello\n",
		"longer fence": "Save this as `a`:\n\n````\n```\nx\n```\n````\n\n    $ cat a\n    ```\n    x\n    ```\n",
		"change": "Save this as `a`:\n\n```\none\ntwo\n\nthree\ntwo\n```\n\n    $ grep -c two a\n    2\n\nNow change `a`:\n\n" +
			"```diff\n-one\n+1\n+I\n two\n\n three\n@@\n three\n-two\n```\n\n    $ cat a\n    1\n    I\n    two\n\n    three\n",
		"change twice": "Save this as `a`:\n\n```\none\n```\n\nIn `a`:\n\n```diff\n-one\n+two\n```\n\nIn `a`:\n\n```diff\n-two\n+three\n```\n\n    $ cat a\n    three\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := followText(page, t.TempDir()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFollowFails: a page that is wrong fails, and says why.
func TestFollowFails(t *testing.T) {
	const file = "Save this as `a`:\n\n```\none\ntwo\ntwo\n```\n\n"
	for name, test := range map[string]struct{ page, want string }{
		"other output":      {"    $ echo a\n    b\n", "but the page says"},
		"blank line":        {"    $ printf 'a\\n\\nb\\n'\n    a\n    b\n", "but the page says"},
		"elided, other":     {"    $ printf '1\\n2\\n3\\n'\n    ...\n    2\n", "but the page says"},
		"elided, order":     {"    $ printf '1\\n2\\n3\\n'\n    ...\n    3\n    ...\n    2\n    ...\n", "but the page says"},
		"elided line":       {"    $ printf '1\\n2\\n'\n    1...\n", "but the page says"},
		"other number":      {"    $ echo '7 seeds'\n    8 seeds\n", "but the page says"},
		"other share":       {"    $ echo 'PASS; 91.6 % proved'\n    PASS; 100 % proved\n", "but the page says"},
		"a note":            {"    $ echo a; echo note >&2\n    a\n", "but the page says"},
		"lacks output":      {"    $ echo a\n", "but the page says"},
		"error":             {"    $ exit 2\n", "exit status 2"},
		"no folder":         {"    $ cd sub\n", "no such file"},
		"indented by two":   {"  $ echo a\n", "line 1: looks like a command"},
		"fenced command":    {"```sh\n$ echo a\n```\n", "line 2: looks like a command"},
		"no block":          {"Save this as `a`:\n\nText.\n", "line 3: expected the block with the text of a"},
		"indented block":    {"Save this as `a`:\n\n    one\n", "expected the block"},
		"nothing more":      {"Save this as `a`:\n", "does not show a"},
		"not closed":        {"Save this as `a`:\n\n```\none\n", "line 3: the block is not closed"},
		"outside":           {"Save this as `../a`:\n\n```\none\n```\n", "../a is not inside the folder"},
		"change of nothing": {"Change this:\n\n```diff\n-one\n```\n", "a diff without a file"},
		"earlier paragraph": {file + "Change `a`:\n\nLike this.\n\n```diff\n-one\n```\n", "a diff without a file"},
		"no file":           {"Change `b`:\n\n```diff\n-one\n```\n", "no such file"},
		"not found":         {file + "Change `a`:\n\n```diff\n-three\n```\n", "a: found 0 times"},
		"found twice":       {file + "Change `a`:\n\n```diff\n-two\n```\n", "a: found 2 times"},
		"part of a line":    {file + "Change `a`:\n\n```diff\n-ne\n```\n", "a: found 0 times"},
		"no sign":           {file + "Change `a`:\n\n```diff\n-one\n+1\ntwo\n```\n", "no space, minus or plus: two"},
		"nowhere":           {file + "Change `a`:\n\n```diff\n+three\n```\n", "no lines say where"},
		"no change":         {file + "Change `a`:\n\n```diff\n one\n```\n", "nothing changes"},
		"changed before":    {file + strings.Repeat("Change `a`:\n\n```diff\n-one\n+1\n```\n\n", 2), "a: found 0 times"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := followText(test.page, t.TempDir()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: expected %s", err, test.want)
			}
		})
	}
}

// TestMode: only scripts are executable.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	must.Do(followText("Save this as `a`:\n\n```\n#!/bin/sh\n```\n\nSave this as `b`:\n\n```\n# text\n```\n", dir))
	for name, executable := range map[string]bool{"a": true, "b": false} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode()&0o100 != 0 != executable {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
