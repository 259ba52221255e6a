//go:build unix

package wholefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// child makes the test binary one that writes a file, says so, and waits to be killed.
const child = "XCHECK_TEST_WHOLEFILE"

func TestMain(m *testing.M) {
	if name := os.Getenv(child); name != "" {
		f, err := Create(name)
		if err == nil {
			_, err = io.WriteString(f, "half")
		}
		if err != nil {
			io.WriteString(os.Stdout, err.Error())
			os.Exit(1)
		}
		io.WriteString(os.Stdout, "ready")
		time.Sleep(time.Minute)
	}
	os.Exit(m.Run())
}

func content(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(name))
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must.Do(os.WriteFile(name, []byte(text), 0o644))
}

func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// replace writes a file, and checks that it is as it was until it is closed.
func replace(t *testing.T, name, text string) {
	t.Helper()
	before, missing := os.ReadFile(name)
	f := must.Get(Create(name))
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(name); string(now) != string(before) || (err != nil) != (missing != nil) {
		t.Errorf("%s has %q before it is closed, %v", name, now, err)
	}
	must.Do(f.Close())
	if got := content(t, name); got != text {
		t.Errorf("%s has %q, want %q", name, got, text)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report")
	replace(t, name, "one")
	must.Do(os.Chmod(name, 0o640))
	replace(t, name, "two")
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// Symbolic links stay, also those to nothing.
	link, loose := filepath.Join(dir, "link"), filepath.Join(dir, "loose")
	must.Do(errors.Join(os.Symlink("report", link), os.Symlink(filepath.Join("sub", "later"), loose), os.Mkdir(filepath.Join(dir, "sub"), 0o777)))
	replace(t, link, "three")
	replace(t, loose, "four")
	if content(t, name) != "three" || content(t, filepath.Join(dir, "sub", "later")) != "four" {
		t.Error("the link was replaced, and not the file")
	}
	if got := strings.Join(names(t, dir), " "); got != "link loose report sub" {
		t.Errorf("in the folder: %s", got)
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report")
	write(t, name, "old")
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "new")
	if err := f.Discard(); err != nil || content(t, name) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("%v, %q, %q", err, content(t, name), names(t, dir))
	}
	// A write that failed is as good as none.
	if f, err = Create(name); err != nil {
		t.Fatal(err)
	}
	f.Spoil()
	if err := f.Close(); err != nil || content(t, name) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("%v, %q, %q", err, content(t, name), names(t, dir))
	}
	fault := errors.New("disk broken")
	if err := Write(name, func(w io.Writer) error { io.WriteString(w, "x"); return fault }); !errors.Is(err, fault) || content(t, name) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("%v, %q, %q", err, content(t, name), names(t, dir))
	}
	if err := Write(name, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil || content(t, name) != "x" || len(names(t, dir)) != 1 {
		t.Errorf("%v, %q, %q", err, content(t, name), names(t, dir))
	}
}

// TestCopied: where nothing can be renamed, what is written is copied.
func TestCopied(t *testing.T) {
	defer func() { rename = os.Rename }()
	rename = func(from, to string) error { return &os.LinkError{Op: "rename", Old: from, New: to, Err: unix.EBUSY} }
	dir := t.TempDir()
	name := filepath.Join(dir, "report")
	write(t, name, "an old and longer text")
	replace(t, name, "new")
	if len(names(t, dir)) != 1 {
		t.Errorf("in the folder: %q", names(t, dir))
	}
	f := must.Get(Create(filepath.Join(dir, "other")))
	if err := f.Close(); !errors.Is(err, unix.EBUSY) || !strings.Contains(err.Error(), f.temp) {
		t.Errorf("got %v, and what was written is in %s", err, f.temp)
	}
}

// descriptors returns how many descriptors of this process are of a file.
func descriptors(t *testing.T, name string) (n int) {
	t.Helper()
	file := must.Get(os.Stat(name))
	list, err := filepath.Glob("/dev/fd/*")
	if err != nil || len(list) == 0 {
		t.Fatal("no descriptors", err)
	}
	for _, fd := range list {
		if info, err := os.Stat(fd); err == nil && os.SameFile(info, file) {
			n++
		}
	}
	return n
}

// TestDirect: what is no regular file is written at once, and so is what is appended to.
func TestDirect(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	must.Do(unix.Mkfifo(fifo, 0o666))
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(fifo)
		read <- string(text)
	}()
	file, empty := filepath.Join(dir, "appended"), filepath.Join(dir, "empty")
	write(t, file, "line\npart")
	write(t, empty, "")
	for _, c := range []struct {
		create     func(string) (*File, error)
		name, want string
	}{{Create, os.DevNull, ""}, {Create, fifo, ""}, {Append, file, "line\npart\ntext\n"}, {Append, empty, "text\n"}} {
		f, err := c.create(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if c.want != "" {
			err = f.EndLine()
		}
		io.WriteString(f, "text\n")
		if c.want != "" && content(t, c.name) != c.want {
			t.Errorf("appended: %q, want %q", content(t, c.name), c.want)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(err)
		}
		if n := descriptors(t, c.name); c.want != "" && n > 0 {
			t.Errorf("%s is open %d times after Close", c.name, n)
		}
	}
	if got := <-read; got != "text\n" {
		t.Errorf("from the pipe: %q", got)
	}
	if got := strings.Join(names(t, dir), " "); got != "appended empty fifo" {
		t.Errorf("in the folder: %s", got)
	}
	f := must.Get(Create("/dev/full"))
	if _, err := io.WriteString(f, "x"); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	f.Close()
}

// TestCannot: what can't be written is said when it is begun.
func TestCannot(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "")
	for _, name := range []string{"", dir, filepath.Join(dir, "none", "x"), filepath.Join(dir, "file", "x"), "/proc/none"} {
		if f, err := Create(name); err == nil {
			t.Errorf("%q can be written: %+v", name, f)
		}
	}
}

// TestIs: a file is known by all its names.
func TestIs(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "x"), filepath.Join(dir, "link")
	must.Do(os.Symlink("x", link))
	f := must.Get(Create(name))
	defer f.Discard()
	for other, want := range map[string]bool{name: true, link: true, filepath.Join(dir, ".", "x"): true, filepath.Join(dir, "y"): false} {
		if f.Is(other) != want {
			t.Errorf("%s: %v, want %v", other, !want, want)
		}
	}
}

// TestLinks: link/.. is the folder above the link's target, as it is for the system.
func TestLinks(t *testing.T) {
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))
	t.Chdir(dir)
	must.Do(errors.Join(os.MkdirAll(filepath.Join("far", "deep"), 0o777), os.Symlink(filepath.Join("far", "deep"), "link"),
		os.Symlink("link/../there", "file"), os.Mkdir("near", 0o777), os.Symlink("near", "same")))
	for name, want := range map[string]string{"link/../x": "far/x", "link/x": "far/deep/x", "file": "far/there", "near/../x": "x", "x": "x"} {
		if got, err := Absolute(name); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s is %s, %v", name, got, err)
		}
		replace(t, name, name)
		if content(t, want) != name {
			t.Errorf("%s was not written to %s", name, want)
		}
	}
	for _, x := range [][3]string{{"link/..", "x", "link/../x"}, {"link", "../x", "link/../x"}, {"near", "../x", "x"}, {"same", "../x", "x"}, {"./near/", "x", "near/x"}, {"", "x", "x"}} {
		if got := In(x[0], x[1]); got != filepath.FromSlash(x[2]) {
			t.Errorf("%s in %s is %s", x[1], x[0], got)
		}
	}
}

// TestKilled: a process that is killed leaves the file as it was; the next one removes what it
// has left, but nothing that another one is writing.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report")
	write(t, name, "old")
	self := must.Get(os.Executable())
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), child+"="+name)
	stdout := must.Get(cmd.StdoutPipe())
	must.Do(cmd.Start())
	ready := make([]byte, 100)
	if n, _ := stdout.Read(ready); string(ready[:n]) != "ready" {
		t.Fatalf("the other process says %q", ready[:n])
	}
	replace(t, filepath.Join(dir, "mine"), "mine")
	temporary := fmt.Sprintf(`^\.xcheck-report-%d-[0-9a-f]+\.tmp$`, cmd.Process.Pid)
	if list := names(t, dir); len(list) != 3 || !regexp.MustCompile(temporary).MatchString(list[0]) {
		t.Errorf("what is being written is gone: %q", list)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if content(t, name) != "old" || len(names(t, dir)) != 3 {
		t.Errorf("%q, %q", content(t, name), names(t, dir))
	}
	replace(t, filepath.Join(dir, "mine"), "again")
	if got := strings.Join(names(t, dir), " "); got != "mine report" || content(t, name) != "old" {
		t.Errorf("in the folder: %s", got)
	}
}
