package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestExpired: what was written before a stream expires is read, even if nobody
// came to read until then; what would be written later is not waited for.
func TestExpired(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		tail  bool
		want  string
		over  bool
	}{
		{"an automaton", 100, false, "an automaton", false},
		{strings.Repeat("x", 30000), 1 << 20, false, strings.Repeat("x", 30000), false},
		{"too much", 3, false, "", true},
		{"the end is kept", 4, true, "th\n…\nkept", false},
		{"start+end", 6, true, "start+end", false},
		{"start and end", 6, true, "sta\n…\nnd end", false},
		{"first line\n" + strings.Repeat("x", 100) + "\nlast", 80, true, "first line\n" + strings.Repeat("x", 100) + "\nlast", false},
		{"first line\n" + strings.Repeat("x", 1000) + "\nlast", 80, true, "first line\n" + strings.Repeat("x", 29) + "\n…\n" + strings.Repeat("x", 75) + "\nlast", false},
		{"", 100, false, "", false},
	} {
		s, err := newPipe(c.limit, c.tail)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.WriteString(c.text); err != nil {
			t.Fatal(err)
		}
		s.expire()
		done := make(chan bool, 1)
		go func() { done <- s.fill() }()
		select {
		case over := <-done:
			got := string(s.Data)
			if c.tail {
				got = s.Ends()
			}
			if got != c.want || over != c.over {
				t.Errorf("%.20q: got %.20q, over %v", c.text, got, over)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%.20q: the stream does not end", c.text)
		}
		s.close()
	}
}

// TestFill: all of what comes is read, whether it is there before or comes later, and more than a
// pipe holds.
func TestFill(t *testing.T) {
	for _, early := range []int{0, 1, 5000} {
		for _, late := range []int{0, 1, 200_000} {
			s, err := newPipe(1<<20, false)
			if err != nil {
				t.Fatal(err)
			}
			s.write.WriteString(strings.Repeat("x", early))
			go func() {
				time.Sleep(time.Millisecond)
				s.write.WriteString(strings.Repeat("y", late))
				s.write.Close()
			}()
			if s.fill() || string(s.Data) != strings.Repeat("x", early)+strings.Repeat("y", late) {
				t.Errorf("%d bytes early, %d late: read %d", early, late, len(s.Data))
			}
			s.close()
		}
	}
}

func ExampleClip() {
	fmt.Println(Clip([]byte("abcdefgh"), 4))
	// Output:
	// ab
	// …
	// efgh
}
