package docpage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// follow does the steps of a page in a folder.
func follow(page, dir string) error {
	steps, err := Read(page)
	if err != nil {
		return err
	}
	s := &Session{Dir: dir, Env: os.Environ()}
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
			if err := follow(page, t.TempDir()); err != nil {
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
			if err := follow(test.page, t.TempDir()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: expected %s", err, test.want)
			}
		})
	}
}

// TestMode: only scripts are executable.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	if err := follow("Save this as `a`:\n\n```\n#!/bin/sh\n```\n\nSave this as `b`:\n\n```\n# text\n```\n", dir); err != nil {
		t.Fatal(err)
	}
	for name, executable := range map[string]bool{"a": true, "b": false} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode()&0o100 != 0 != executable {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
