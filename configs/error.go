package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
)

// An Error is one error in a configuration.
type Error struct {
	File         string
	Line, Column int    // from 1, columns count characters; 0 if it is not written in a file
	Key          string // "translators.timeout"; "" if the file is no TOML
	Message      string
	Suggestion   string // what may have been meant, or ""

	path   path
	offset int // in the string at path; -1 for the whole value; atKey for its key
}

const (
	atValue = -1
	atKey   = -2
)

// Error returns "file:line:column: key: message; did you mean this?"
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s:", e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
		}
		b.WriteByte(' ')
	}
	if e.Key != "" {
		fmt.Fprintf(&b, "%s: ", e.Key)
	}
	b.WriteString(e.Message)
	b.WriteString(spelling.DidYouMean(e.Suggestion))
	return b.String()
}

// Errors are all errors in a configuration, in the order of the file.
type Errors []*Error

// Error returns one line for each error.
func (list Errors) Error() string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors.
func (list Errors) Unwrap() []error {
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errs
}

func (list *Errors) add(p path, offset int, format string, args ...any) *Error {
	e := &Error{Key: p.key, Message: fmt.Sprintf(format, args...), path: p, offset: offset}
	*list = append(*list, e)
	return e
}

// unknown notes a name that is none of names.
func (list *Errors) unknown(p path, offset int, name, message string, names []string) {
	e := list.add(p, offset, "%s", message)
	if e.Suggestion = spelling.Nearest(name, names); e.Suggestion == "" {
		e.Message += ": expected one of " + strings.Join(names, ", ")
	}
}

func (list Errors) faulty(p path) bool {
	return slices.ContainsFunc(list, func(e *Error) bool { return e.path.within(p) })
}

// position fills in where the errors are, and sorts them by that.
func (list Errors) position(file string, l *locator) {
	for _, e := range list {
		e.File = file
		here, ok := l.places[e.path.id]
		for id := e.path.id; !ok && id != ""; {
			// What is missing is where its table is.
			id = id[:max(0, strings.LastIndexAny(id, ".["))]
			here, ok = l.places[id]
			here.value = -1
		}
		at := here.value
		switch {
		case at < 0 || e.offset == atKey:
			at = here.key
		case e.offset >= 0 && strings.IndexByte(`"'`, l.text[at]) >= 0:
			at = inString(l.text, at, e.offset)
		}
		e.Line, e.Column = lineColumn(l.text, at)
	}
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
