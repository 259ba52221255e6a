package suite

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Kind is what the problems of a suite ask.
type Kind int

const (
	Inclusion  Kind = iota // is the first automaton's language included in the second's?
	Complement             // make an automaton for the other words
)

// A Problem is one question of a suite.
type Problem struct {
	Name     string   // its files, relative to the suite's folder
	Files    []string // one, or for an inclusion two
	Expected Answer   // as published; "" if it is not known
}

// An Answer says whether an inclusion holds. It is "" where nothing is answered.
type Answer string

// The answers.
const (
	True  Answer = "true"
	False Answer = "false"
)

// answerOf returns the answer for a truth value.
func answerOf(holds bool) Answer {
	if holds {
		return True
	}
	return False
}

// suffixes are the endings of files with automata. A file may have several of them.
var suffixes = []string{".hoa", ".ba", ".autfilt"}

// Problems returns the problems of the list file. Without such a file, it returns those in the
// folder, in the order of their names. In a folder, files whose names end in A and B before the
// suffix are a pair, as in x_A.hoa and x_B.hoa, and make a problem for each direction.
func (s *Suite) Problems() ([]Problem, error) {
	var list []Problem
	var err error
	if s.List != "" {
		list, err = s.listed()
	} else {
		list, err = s.found()
	}
	if err == nil && len(list) == 0 {
		expected := "files that end in " + strings.Join(suffixes, ", ")
		if s.Kind == Inclusion && s.List == "" {
			expected = "pairs of files such as x_A.hoa and x_B.hoa"
		}
		err = fmt.Errorf("no problems in %s: expected %s", cmp.Or(s.List, s.Folder), expected)
	}
	return list, err
}

// listed reads the list file: a problem on each line, FILE for a complement, and LEFT;RIGHT or
// LEFT;RIGHT;EXPECTED for an inclusion.
func (s *Suite) listed() (list []Problem, err error) {
	text, err := os.ReadFile(s.List)
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, ";")
		expected := Answer("")
		if s.Kind == Inclusion && len(fields) == 3 { // the third field is optional
			expected, fields = Answer(fields[2]), fields[:2]
		}
		switch {
		case expected != "" && expected != True && expected != False:
			return nil, fmt.Errorf("%s:%d: answer %q: expected true or false", s.List, number, expected)
		case s.Kind == Inclusion && len(fields) != 2:
			return nil, fmt.Errorf("%s:%d: expected LEFT;RIGHT or LEFT;RIGHT;ANSWER", s.List, number)
		case s.Kind == Complement && len(fields) != 1:
			return nil, fmt.Errorf("%s:%d: expected the name of one file", s.List, number)
		}
		list = append(list, s.problem(expected, fields...))
	}
	return list, nil
}

// problem makes a problem of names relative to the folder.
func (s *Suite) problem(expected Answer, names ...string) Problem {
	p := Problem{Name: strings.Join(names, ";"), Expected: expected}
	for _, name := range names {
		p.Files = append(p.Files, filepath.Join(s.Folder, name))
	}
	return p
}

// found looks for automata in the folder and the folders in it.
func (s *Suite) found() (list []Problem, err error) {
	var names []string
	err = filepath.WalkDir(s.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.Folder, path)
		if stem, _ := splitName(name); stem != name {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names) // by whole names, while folders are walked one by one
	for _, name := range names {
		if s.Kind == Complement {
			list = append(list, s.problem("", name))
			continue
		}
		stem, suffix := splitName(name)
		left, ok := strings.CutSuffix(stem, "A")
		// A problem for each direction.
		if right := left + "B" + suffix; ok && slices.Contains(names, right) {
			list = append(list, s.problem("", name, right), s.problem("", right, name))
		}
	}
	return list, err
}

// splitName splits a name such as x_A.ba.hoa into x_A and .ba.hoa.
func splitName(name string) (stem, suffix string) {
	stem = name
	for cut := true; cut; {
		cut = false
		for _, s := range suffixes {
			if rest, ok := strings.CutSuffix(stem, s); ok {
				stem, cut = rest, true
			}
		}
	}
	return stem, name[len(stem):]
}
