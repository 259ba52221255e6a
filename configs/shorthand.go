package configs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Shorthand is a known tool: how to run it, and what it prints. In a file, tool =
// "spin" stands for it. A command without a percent sign, such as "ltl3ba -M0", is completed
// from the shorthand of its program.
type Shorthand struct {
	// Name is the name of the program, followed by the subcommand if it has several: "owl
	// ltl2dpa".
	Name string
	// Format is the format of the output, as in Translator.
	Format string
	// Without are the operators that it does not support. Past operators are left out if its
	// syntax has none.
	Without ltl.OpSet
	// Mode is its best mode.
	Mode translators.Mode
	// VersionFlag makes the program print its version; "" if unknown.
	VersionFlag string
	// Example is a command, if the tool needs arguments, or "".
	Example string

	// arguments are added in each mode that it has. Without any, it translates no formulas.
	arguments arguments
	// automaton is the argument with which xcheck aut gives it an automaton. A tool without one
	// reads it from standard input.
	automaton string
}

// xcheckTranslate is the shorthand for this program.
const xcheckTranslate = "xcheck translate"

// Shorthands returns all known translators of formulas.
func Shorthands() []Shorthand { return slices.Clone(shorthands) }

// Has reports whether the tool supports a mode.
func (s *Shorthand) Has(mode translators.Mode) bool {
	_, ok := s.arguments[mode]
	return ok
}

// Program returns the name of the program in PATH, or "" for a tool that another program runs,
// or xcheck.
func (s *Shorthand) Program() string {
	program, _, _ := strings.Cut(s.Name, " ")
	if s.Name == xcheckTranslate || s.Example != "" && !strings.HasPrefix(s.Example, program) {
		return ""
	}
	return program
}

// line returns the command of which text is the start, in a mode that the tool has.
func (s *Shorthand) line(text string, mode translators.Mode) string {
	return strings.TrimRight(strings.TrimRight(text, " \t")+" "+s.arguments[mode], " ")
}

// Translator returns the tool in a mode, by its name alone, or by its example if it needs
// arguments.
func (s *Shorthand) Translator(mode translators.Mode) Translator {
	text := s.Name
	switch {
	case s.Example != "":
		text = s.Example
	case s.Name == xcheckTranslate:
		text = Self() + " translate"
	}
	return Translator{Name: s.Name, Command: s.line(text, mode), Format: s.Format, Without: s.Without, Mode: mode}
}

// Self returns this program as a word of a command.
func Self() string {
	self, err := os.Executable()
	if err != nil {
		return "xcheck"
	}
	return strings.ReplaceAll(translators.Quote(self), "%", "%%")
}

// Found returns the shorthands that are in PATH and need no arguments.
func Found() []Translator {
	var found []Translator
	for i := range shorthands {
		s := &shorthands[i]
		if s.Program() == "" || s.Example != "" {
			continue
		}
		if _, err := exec.LookPath(s.Program()); err == nil {
			found = append(found, s.Translator(s.Mode))
		}
	}
	return found
}

// VersionFlag returns the flag with which a program prints its version, or "" if that is
// unknown.
func VersionFlag(name string) string {
	for i := range shorthands {
		s := &shorthands[i]
		rest, ok := strings.CutPrefix(filepath.Base(name), s.Program())
		// Behind the name there may be a version: ltl3ba-1.1.3.
		if s.VersionFlag != "" && ok && strings.IndexFunc(rest, unicode.IsLetter) != 0 {
			return s.VersionFlag
		}
	}
	return ""
}
