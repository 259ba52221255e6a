package configs

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// check checks what a Config means: commands and formulas can be parsed, the options have
// random formulas, and translators have different names.
func check(c *Config) Errors {
	var errs Errors
	formulas := path{}.field("formulas")
	c.Formulas.check(&errs, formulas)
	named := map[string]bool{}
	for i := range c.Translators {
		t := &c.Translators[i]
		p := path{}.field("translators").item(i)
		t.check(&errs, p)
		if named[t.Name] && t.Name != "" { // a missing name is another error
			errs.add(p.field("name"), atValue, "duplicate name %q: the names of translators must differ", t.Name)
		}
		named[t.Name] = true
	}
	checks := path{}.field("checks")
	if c.Checks.NoChecks && c.Checks.NoComplement {
		errs.add(checks.field("no-complement"), atValue, "no-checks already turns off all checks")
	}
	if c.Checks.Separate && c.Checks.Products.Number == 0 {
		errs.add(checks.field("separate-products"), atValue, "set the number of products, too")
	}
	if c.Output.Quiet && c.Output.Verbose {
		errs.add(path{}.field("output").field("verbose"), atValue, "use only one of quiet and verbose")
	}
	return errs
}

func (f *Formulas) check(errs *Errors, p path) {
	inline := p.field("inline")
	for i, text := range f.Inline {
		var syntax *ltl.SyntaxError
		if _, err := f.Parse(ltl.NewStore(), text, f.Syntax); errors.As(err, &syntax) {
			errs.add(inline.item(i), syntax.Offset, "%s", syntax.Reason)
		}
	}
	for i, text := range f.Patterns {
		var bad *patterns.Error
		if _, err := patterns.Parse(text); errors.As(err, &bad) {
			errs.add(p.field("patterns").item(i), bad.Offset, "%s", bad.Reason).Suggestion = bad.Suggestion
		}
	}
	if f.Random != nil { // ranges are checked by the generator
		if _, err := ltl.NewGenerator(f.Random.RandomOptions); err != nil {
			errs.add(p.field("random"), atValue, "%v", err)
		}
	}
}

// Parse reads a formula, leniently if Lenient is set.
func (f *Formulas) Parse(s *ltl.Store, text string, syntax ltl.Syntax) (*ltl.Formula, error) {
	if f.Lenient {
		return s.ParseLenient(text, syntax)
	}
	return s.Parse(text, syntax)
}

const noCommand = "expected a command, a tool or a builtin algorithm"

func (t *Translator) check(errs *Errors, p path) {
	name := p.field("name")
	switch {
	case t.Command == "" && t.Builtin == "": // there is nothing that the other keys could fit
		errs.add(p, atValue, noCommand)
		return
	case t.Command != "" && t.Builtin != "":
		errs.add(p.field("builtin"), atValue, "a builtin algorithm takes no command or tool")
	case t.Command != "":
		t.checkCommand(errs, p)
	default:
		var builtins []string
		for _, a := range translate.Algorithms() {
			builtins = append(builtins, a.Name)
		}
		if !slices.Contains(builtins, t.Builtin) {
			errs.unknown(p.field("builtin"), atValue, t.Builtin, "unknown algorithm", builtins)
		}
		if t.Syntax != ltl.Spot {
			errs.add(p.field("syntax"), atValue, "a builtin algorithm reads formulas only in Spot's syntax")
		}
	}
	if t.Processes > 0 && t.Mode != translators.Stream {
		errs.add(p.field("processes"), atValue, "only translators with mode = \"stream\" are kept alive")
	}
	if strings.TrimSpace(t.Name) == "" || !utf8.ValidString(t.Name) || strings.ContainsFunc(t.Name, unicode.IsControl) {
		errs.add(name, atValue, "expected a name, without newlines or other control characters")
	}
}

// checkCommand checks the command, and that what is said of formulas on standard input
// fits it.
func (t *Translator) checkCommand(errs *Errors, p path) {
	command, err := translators.ParseCommand(t.Command, t.Mode)
	var bad *translators.CommandError
	if errors.As(err, &bad) {
		errs.add(p.field("command"), bad.Offset, "%s", bad.Reason)
		return
	}
	if list := command.Syntaxes(); t.Syntax != ltl.Spot && len(list) > 0 && !slices.Equal(list, []ltl.Syntax{t.Syntax}) {
		errs.add(p.field("syntax"), atValue, "the placeholder of the command already selects %s syntax: remove syntax (it is for formulas on standard input)", list[0])
	}
}

// defaultName is the name of the algorithm, or the one in braces before the
// command, or else the command's first word without its folder.
func (t *Translator) defaultName() string {
	if t.Command == "" {
		return t.Builtin
	}
	name, line := translators.SplitName(t.Command)
	if name != "" {
		return name
	}
	if words := strings.Fields(line); len(words) > 0 {
		return filepath.Base(words[0])
	}
	return ""
}
