package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"one/x", "two/x", "two/y", "z", "one/y/inner"} {
		os.MkdirAll(filepath.Dir(name), 0o700)
		if err := os.WriteFile(name, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("one/w", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/nowhere", "PATH=" + dir + "/one:two:", "XPATH=/"}
	for program, want := range map[string]string{
		"x": dir + "/one/x", "y": "two/y", "z": "./z", "w": "", "nobody": "", "./w": "./w", "/a/b": "/a/b",
	} {
		if got := LookPath(program, env); got != want {
			t.Errorf("%s is %q, want %q", program, got, want)
		}
	}
	if got := LookPath("x", nil); got != "" {
		t.Errorf("without a PATH: %q", got)
	}
}

// TestOpen: what may keep one waiting, or is not there, is left to the shell.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []Redirect{
		{FD: 0, Flag: os.O_RDONLY, File: filepath.Join(dir, "missing"), From: -1},
		{FD: 1, Flag: os.O_WRONLY | os.O_CREATE, File: dir, From: -1},
		{FD: 1, Flag: os.O_WRONLY | os.O_CREATE, File: filepath.Join(dir, "no", "folder"), From: -1},
		{FD: 1, Flag: os.O_WRONLY | os.O_CREATE, File: "/dev/tty", From: -1},
		{FD: 1, Flag: os.O_WRONLY | os.O_CREATE, File: "", From: -1},
	} {
		good := Redirect{FD: 2, Flag: os.O_WRONLY | os.O_CREATE, File: filepath.Join(dir, "new"), From: -1}
		var files [3]*os.File
		if opened, err := OpenRedirects([]Redirect{good, r}, &files); err == nil || opened != nil {
			t.Errorf("%s: opened %v", r.File, opened)
		}
		if _, err := files[2].Stat(); err == nil {
			t.Errorf("%s: the file before is left open", r.File)
		}
	}
}
