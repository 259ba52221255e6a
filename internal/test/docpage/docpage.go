// Package docpage reads a page of docs/ as a reader follows it: the commands that it shows, the
// files that it has the reader save, and the changes that it has the reader make to them.
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
// has three steps: a [File], a [Change] and a [Command]. A command stands after four spaces and a
// dollar sign; its output follows, without the dollar sign. Output may have blank lines, and three
// dots in place of lines, or of the rest of a line.
package docpage

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// A Step is something that the reader of a page does.
type Step interface {
	// Do does the step, and returns an error if it cannot be done, or does not show what the page
	// says.
	Do(*Session) error
}

// Read returns the steps of a page, in its order.
func Read(text string) ([]Step, error) {
	r := &reader{}
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

// Commands returns the commands among the steps.
func Commands(steps []Step) (list []*Command) {
	for _, s := range steps {
		if c, ok := s.(*Command); ok {
			list = append(list, c)
		}
	}
	return list
}

// A reader reads a page line by line.
type reader struct {
	line  int // of the page, from 1
	steps []Step

	paragraph string   // the last one, on one line
	ended     bool     // there was a blank line after the paragraph
	save      string   // the file that the next block has, or ""
	fence     *fence   // the fenced block that the line is in, or nil
	command   *Command // the command whose output may follow, or nil
	blank     string   // blank lines since the last line
}

// A fence is a fenced block that is being read.
type fence struct {
	mark string // what closes it
	line int
	text strings.Builder
	step func(text string) Step // what the reader does with the text, or nil
}

var (
	fenceMark   = regexp.MustCompile("^(```+|~~~+) *([^`]*)$")
	saveThis    = regexp.MustCompile("[Ss]ave this as `([^`]+)`:$")
	fileAtEnd   = regexp.MustCompile("`([^`]+)`:$")
	commandLike = regexp.MustCompile(`^[ \t>]*\$ `)
)

func (r *reader) read(line string) error {
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
func (r *reader) prose(line string) {
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
func (r *reader) code(line string) {
	r.paragraph = ""
	if text, ok := strings.CutPrefix(line, "$ "); ok {
		r.command = &Command{Line: r.line, Text: strings.TrimSpace(text)}
		r.steps = append(r.steps, r.command)
	} else if r.command != nil {
		r.command.Output += r.blank + line + "\n"
	}
	r.blank = ""
}

// openFence begins a fenced block: a file to save, a change, or something to look at.
func (r *reader) openFence(mark, language string) error {
	r.fence = &fence{mark: mark, line: r.line}
	paragraph, name, line := r.paragraph, r.save, r.line
	r.paragraph, r.save, r.command = "", "", nil
	m := fileAtEnd.FindStringSubmatch(paragraph)
	switch {
	case name != "":
		r.fence.step = func(text string) Step { return &File{Line: line, Name: name, Text: text} }
	case strings.TrimSpace(language) != "diff":
		return nil
	case m == nil:
		return fmt.Errorf("a diff without a file: expected a paragraph before it that ends with the name in backquotes and a colon")
	default:
		name = m[1]
		r.fence.step = func(text string) Step { return &Change{Line: line, Name: name, Diff: text} }
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s is not inside the folder of the page", name)
	}
	return nil
}

// inFence reads a line of a fenced block, or its end.
func (r *reader) inFence(line string) error {
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
