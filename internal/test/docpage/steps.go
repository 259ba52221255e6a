package docpage

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A Session is what the reader of a page works in.
type Session struct {
	Dir string   // the current folder; the command cd changes it
	Env []string // the environment of commands
}

// A Command is a command for a shell, and the output that the page shows.
type Command struct {
	Line         int // of the page
	Text, Output string
}

// Do runs the command, and compares its standard output, or standard error if there is no other
// output. A command without output ends with status 0 or 1: an error would not show.
//
// The command `cd FOLDER` changes the folder of the session.
func (c *Command) Do(s *Session) error {
	if folder, ok := strings.CutPrefix(c.Text, "cd "); ok && !strings.ContainsAny(folder, ` &|;$'"`) {
		s.Dir = filepath.Join(s.Dir, folder)
		_, err := os.Stat(s.Dir)
		return err
	}
	cmd := exec.Command("sh", "-c", c.Text)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	got, err := cmd.Output()
	if len(got) == 0 && c.Output != "" {
		got, errs = errs.Bytes(), bytes.Buffer{}
	}
	if !shows(c.Output, string(got)) || c.Output == "" && cmd.ProcessState.ExitCode() > 1 {
		return fmt.Errorf("%s\nprints\n%s%s\n(%v), but the page says\n%s", c.Text, got, &errs, err, c.Output)
	}
	return nil
}

var (
	elidedLines = regexp.MustCompile(`(?m)^\\\.\\\.\\\.\n`) // a line with three dots, quoted
	varying     = regexp.MustCompile(`\b\d+(\.\d+)? ?(ns|µs|ms|s|min)\b|\bseed \d+|; \d+(\.\d)? % proved|(/[\w.+-]+){2,}`)
)

// shows reports whether a page shows the output. A line of three dots stands for any lines, and three
// dots in a line for any text. Times, seeds and absolute paths may differ.
func shows(page, output string) bool {
	plain := func(text string) string {
		return varying.ReplaceAllString(strings.TrimRight(text, "\n"), "#") + "\n"
	}
	pattern := elidedLines.ReplaceAllString(regexp.QuoteMeta(plain(page)), `(?:.*\n)*`)
	pattern = strings.ReplaceAll(pattern, `\.\.\.`, `.*`)
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(plain(output))
}

// A File is a file that the reader saves.
type File struct {
	Line       int
	Name, Text string
}

// Do writes the file. A script (#!) is executable.
func (f *File) Do(s *Session) error {
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

// A Change is a change of a file, as a diff: lines with a space in front stay, lines with a minus
// go, and lines with a plus come. A line that begins with @@ separates two places.
type Change struct {
	Line       int
	Name, Diff string
}

// Do makes the change.
func (c *Change) Do(s *Session) error {
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
func (c *Change) apply(text string) (string, error) {
	text = "\n" + text // so that a place is one of whole lines
	for _, p := range c.places() {
		switch n := count(text, "\n"+p.before); {
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

// count returns how often part occurs in text. Occurrences may overlap.
func count(text, part string) (n int) {
	for i := range text {
		if strings.HasPrefix(text[i:], part) {
			n++
		}
	}
	return n
}

// A place is a part of a file, before a change and after it.
type place struct {
	before, after string
	bad           string // a line of the diff that has no sign, or ""
}

func (c *Change) places() []place {
	list := []place{{}}
	for line := range strings.Lines(c.Diff) {
		p := &list[len(list)-1]
		switch {
		case strings.HasPrefix(line, "@@"):
			if *p != (place{}) {
				list = append(list, place{})
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
