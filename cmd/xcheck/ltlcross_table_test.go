package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// optionsPage accounts for every option of Spot's tools. A section lists the options that work
// unchanged, in a block of code, and the others in a table with two columns.
const optionsPage = "../../docs/ltlcross-options.md"

// A spotTool is one of Spot's tools, with the start of the command line that replaces it.
type spotTool struct{ name, command string }

var spotTools = []spotTool{{"ltlcross", "run"}, {"autcross", "aut"}, {"ltlgrind", "grind"}, {"randltl", "random"},
	{"randaut", "random --automata"}, {"genltl", "patterns"}, {"autdo", "aut"}, {"autwords", "empty"}}

// toolsOf returns the tools that a section of the page is about.
func toolsOf(heading string) []spotTool {
	named := func(names ...string) []spotTool {
		return slices.DeleteFunc(slices.Clone(spotTools), func(tool spotTool) bool { return !slices.Contains(names, tool.name) })
	}
	switch heading {
	case "Every tool":
		return spotTools
	case "Formulas that are printed":
		return named("ltlgrind", "randltl", "genltl")
	}
	return named(heading)
}

// TestLtlcrossTable reads the page. It has all options of Spot's tools, each once. An option that
// works unchanged is understood by xcheck, in each of its spellings. What the tables say of xcheck's
// commands are flags that these have. The tests that testdata/spot-options.txt names exist, and use
// these flags. An option without a counterpart has a reason.
func TestLtlcrossTable(t *testing.T) {
	t.Parallel()
	options, tests := spotOptions(t), testsOfRepository()
	root := (&app{}).root(nil)
	for _, section := range optionSections(t) {
		for _, tool := range toolsOf(section.heading) {
			o := optionTest{t, tool, root, tests, options[tool.name]}
			for _, e := range section.entries {
				o.entry(e)
			}
		}
		for _, e := range section.entries {
			for _, spelling := range e.spellings {
				if tools := toolsOf(section.heading); len(tools) > 0 && !slices.ContainsFunc(tools, func(tool spotTool) bool { return find(options[tool.name], spelling) != nil }) {
					t.Errorf("line %d: %s has no option %s", e.line, section.heading, spelling)
				}
			}
		}
	}
	families := familyOptions()
	for _, tool := range spotTools {
		for _, o := range options[tool.name] {
			if tool.name == "genltl" && o.seen == 0 && !slices.ContainsFunc(o.spellings, func(s string) bool { return !families[s] }) {
				o.seen = 1 // the page says that all families have the same names
				tests.text(t, o.spellings[0], o.tests)
			}
			if o.seen != 1 {
				t.Errorf("%s accounts for %s %s %d times", optionsPage, tool.name, o.spellings, o.seen)
			}
		}
	}
}

// TestLtlcrossHelp: xcheck ltlcross --help has every option of ltlcross under its own name, but for one that
// it does not take, and no limit of time that there is not without -T. So does autcross, but for options
// that change nothing.
func TestLtlcrossHelp(t *testing.T) {
	t.Parallel()
	options, root := spotOptions(t), (&app{}).root(nil)
	for _, name := range []string{"ltlcross", "autcross"} {
		c := must.First(root.Find([]string{name}))
		if limit := c.Flags().Lookup("timeout").DefValue; limit != "" {
			t.Errorf("%s --help: the default of --timeout is %s", name, limit)
		}
		for _, o := range options[name] {
			long, ok := strings.CutPrefix(o.spellings[len(o.spellings)-1], "--")
			if f := c.Flags().Lookup(long); ok && f == nil && !slices.Contains([]string{"save-inclusion-products", "high", "trust-hoa", "help"}, long) || f != nil && f.Hidden {
				t.Errorf("%s --help does not have --%s", name, long)
			}
		}
	}
}

// familyOptions returns the names of lists and families, as options of genltl.
func familyOptions() map[string]bool {
	names := map[string]bool{}
	for _, s := range patterns.Sets() {
		for _, name := range append([]string{s.Name}, s.Also...) {
			names["--"+name] = true
		}
	}
	return names
}

// An optionTest looks at what the page says of the options of one tool.
type optionTest struct {
	*testing.T
	tool    spotTool
	root    *cobra.Command
	tests   repositoryTests
	options []*spotOption
}

// entry looks at an item of a list, or a row of a table.
func (t optionTest) entry(e optionEntry) {
	var about []*spotOption
	for _, spelling := range e.spellings {
		if o := find(t.options, spelling); o != nil && !slices.Contains(about, o) {
			about = append(about, o)
		}
	}
	for _, o := range about {
		if !e.same || !o.same {
			o.seen++ // several placeholders of one option count once
		}
		o.same = e.same
		if reason, ok := strings.CutPrefix(e.xcheck, "none: "); ok {
			if len(strings.Fields(reason)) < 3 || len(o.tests) > 0 {
				t.Errorf("line %d: %q is no reason, or %s has a test", e.line, reason, o.spellings)
			}
			continue
		}
		text := t.tests.text(t.T, o.spellings[0], o.tests)
		if e.same || strings.HasPrefix(e.xcheck, "the same") {
			t.unchanged(e, o, text)
		}
		for _, code := range codes(e.xcheck) {
			for _, flag := range t.flags(e, code) {
				if !strings.Contains(text, flag) {
					t.Errorf("line %d: no test of %s has the flag %s", e.line, o.spellings, flag)
				}
			}
		}
	}
}

// unchanged looks for the spellings of an option among the flags, and for one of them in the tests.
func (t optionTest) unchanged(e optionEntry, o *spotOption, text string) {
	fields := strings.Fields(t.tool.command)
	c, _, err := t.root.Find(fields[:1])
	if err != nil {
		t.Fatal(err)
	}
	c.InitDefaultHelpFlag()
	p := &pasting{flags: c.Flags()}
	p.foreign = foreignOptions(c.Name(), fields[1:])
	if !strings.HasPrefix(o.spellings[0], "-") || o.spellings[0] == "-" {
		return // a placeholder or an argument
	}
	used := slices.Clone(o.spellings)
	for _, spelling := range o.spellings {
		ours := understood(p, strings.TrimLeft(spelling, "-"))
		if ours == nil {
			t.Errorf("line %d: xcheck %s does not understand %s", e.line, t.tool.command, spelling)
		}
		used = append(used, ours...)
	}
	if !slices.ContainsFunc(used, func(s string) bool { return strings.Contains(text, s) }) {
		t.Errorf("line %d: no test of %s has one of %s", e.line, t.tool.name, used)
	}
}

// understood returns the flags that stand for a name or a letter, or nil.
func understood(p *pasting, name string) (ours []string) {
	if o := p.option(name); o != nil {
		args, err := o.ours("")
		if err != nil {
			if args, err = o.ours("1"); err != nil {
				return nil
			}
		}
		for _, arg := range args {
			arg, _, _ = strings.Cut(arg, "=")
			ours = append(ours, arg)
		}
		return append(ours, "-"+name)
	}
	f := p.flags.Lookup(name)
	if len(name) == 1 {
		f = p.flags.ShorthandLookup(name)
	}
	switch {
	case f == nil:
		return nil
	case f.Shorthand != "":
		return []string{"--" + f.Name, "-" + f.Shorthand}
	}
	return []string{"--" + f.Name}
}

var flagPattern = lazy(`^--?[A-Za-z0-9][A-Za-z0-9-]*`)

// flags returns the flags of a piece of a command line in a row. It fails the test if the command
// does not have them. The command is the one that starts the piece, or else the one in place of the
// tool.
func (t optionTest) flags(e optionEntry, code string) []string {
	fields := strings.Fields(strings.TrimPrefix(code, "xcheck "))
	c, _, err := t.root.Find(fields)
	switch {
	case strings.HasPrefix(code, "-"):
		if c, _, err = t.root.Find(strings.Fields(t.tool.command)[:1]); err != nil {
			t.Fatal(err)
		}
	case !strings.HasPrefix(code, "xcheck "):
		return nil // a placeholder, a value, a key of the configuration, another program
	case err != nil:
		t.Errorf("line %d: %s: %v", e.line, code, err)
		return nil
	}
	c.InitDefaultHelpFlag()
	t.root.InitDefaultVersionFlag()
	var flags []string
	for _, field := range fields {
		name := flagPattern().FindString(field)
		if name == "" {
			continue
		}
		long, ok := strings.CutPrefix(name, "--")
		if !ok {
			name = name[:2]
		}
		if ok && c.Flags().Lookup(long) == nil || !ok && c.Flags().ShorthandLookup(name[1:]) == nil {
			t.Errorf("line %d: %s has no flag %s", e.line, c.CommandPath(), name)
		}
		flags = append(flags, name)
	}
	return flags
}

// A spotOption is an option of one of Spot's tools, or a placeholder.
type spotOption struct {
	spellings []string
	tests     []string // that use it, or what stands for it
	seen      int      // how often the page speaks of it
	same      bool     // it works unchanged
}

// find returns the option with a spelling, or nil.
func find(options []*spotOption, spelling string) *spotOption {
	i := slices.IndexFunc(options, func(o *spotOption) bool { return slices.Contains(o.spellings, spelling) })
	if i < 0 {
		return nil
	}
	return options[i]
}

// spotOptions returns the options of each tool.
func spotOptions(t *testing.T) map[string][]*spotOption {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/spot-options.txt"))
	options := map[string][]*spotOption{}
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSpace(line), "; ")
		fields := strings.Fields(parts[0])
		if len(fields) > 0 && fields[0] != "#" {
			options[fields[0]] = append(options[fields[0]], &spotOption{spellings: fields[1:], tests: parts[1:]})
		}
	}
	return options
}

// An optionSection is a section of the page.
type optionSection struct {
	heading string
	entries []optionEntry
}

// An optionEntry is a row of a table, or one of the options that work unchanged.
type optionEntry struct {
	line      int
	spellings []string // of options
	xcheck    string   // the second cell of a row
	same      bool
}

// optionSections reads the page.
func optionSections(t *testing.T) []optionSection {
	t.Helper()
	text := must.Get(os.ReadFile(optionsPage))
	list := []optionSection{{}}
	number, head := 0, true
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\n")
		section := &list[len(list)-1]
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			list = append(list, optionSection{heading: heading})
			continue
		}
		if same, ok := strings.CutPrefix(line, "    "); ok {
			for _, spelling := range strings.Fields(same) {
				section.entries = append(section.entries, optionEntry{line: number, spellings: []string{spelling}, same: true})
			}
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if row := strings.HasPrefix(line, "|"); !row || head || strings.HasPrefix(line, "|---") {
			head = !row
			continue
		}
		first, second := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		section.entries = append(section.entries, optionEntry{line: number, spellings: codes(first), xcheck: strings.ReplaceAll(second, "\x00", "|")})
	}
	return list
}

var codePattern = lazy("`([^`]+)`")

// codes returns what stands in backquotes.
func codes(text string) []string {
	var list []string
	for _, m := range codePattern().FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}
