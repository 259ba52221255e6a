package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// nobody returns a function that runs xcheck as a user who is not root, in a folder that such a user
// can read, and the folder. Root may write what nobody else may.
func nobody(t *testing.T) (invoke func(args ...string) (out, errs string, status int), dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		must.Do(os.Chmod(folder, 0o755))
	}
	self := program()
	program := filepath.Join(dir, "xcheck.bin")
	if err := os.Link(self, program); err != nil {
		copyProgram(t, self, program)
	}
	temporary := filepath.Join(dir, "tmp")
	must.Do(errors.Join(os.Mkdir(temporary, 0o777), os.Chmod(temporary, 0o777)))
	return func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
		cmd.Env = append(os.Environ(), asMain+"="+checked, "TMPDIR="+temporary, "GORACE=atexit_sleep_ms=0")
		if os.Getuid() == 0 {
			const user = 65534
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
		}
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}, dir
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	in := must.Get(os.Open(from))
	defer in.Close()
	out := must.Get(os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755))
	must.Get(io.Copy(out, in))
	must.Do(out.Close())
}

// TestReadOnlyHistory reads a history of another user's in a folder that can't be written: what only
// reads works, and what writes says what to do.
func TestReadOnlyHistory(t *testing.T) {
	xcheck, dir := nobody(t)
	t.Setenv(asMain, "1") // of the built-in translator
	media := filepath.Join(dir, "media")
	must.Do(os.Mkdir(media, 0o755))
	file := filepath.Join(media, "h.db")
	for range 2 {
		ends(t, []int{0}, "run", "-f", "a U b", "--no-found", "--only", "gpvw", "-q", "--history", file)
	}
	before := must.Get(os.ReadFile(file))
	must.Do(errors.Join(os.Chmod(file, 0o444), os.Chmod(media, 0o555)))
	defer os.Chmod(media, 0o755)
	into := filepath.Join(dir, "tmp", "all.db")
	for _, args := range []string{
		"history list", "history list --json", "history show last", "history compare 1 2", "history groups", "history check",
		"history site " + filepath.Join(dir, "tmp", "site"),
		"report", "report --json", "report --format html", "report --compare", "merge --into " + into + " " + file,
	} {
		words := strings.Fields(args)
		if words[0] != "merge" {
			words = append(words, "--history", file)
		}
		if args == "report --compare" {
			words = append(words, "--run", "1", "--run", "2", "--by-file")
		}
		if out, errs, status := xcheck(words...); status != 0 || out == "" {
			t.Errorf("%s: status %d: %s%s", args, status, out, errs)
		}
	}
	for args, want := range map[string]string{
		"history prune --keep 0":                    "history " + file + ": opened for reading only: copy it to a folder that you can write to",
		"run -f a --no-found --only gpvw --dry-run": "history " + file + ": cannot write to it: the folder, and the file if it exists, must be writable",
		"run -f a --no-found --only gpvw":           "history " + file + ": cannot write to it: the folder, and the file if it exists, must be writable",
	} {
		if _, errs, status := xcheck(append(strings.Fields(args), "--history", file)...); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, want 2: %s", args, status, errs)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the history has changed (%v)", err)
	}
	if list, err := os.ReadDir(media); err != nil || len(list) != 1 {
		t.Errorf("files beside the history: %v, %v", list, err)
	}
}
