package main

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/internal/test/docpage"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// TestLtlcrossTable reads the tables of docs/ltlcross.md. They have all options of
// Spot's tools; what they say of xcheck's commands are flags that these have, the tests
// that they name are there, and use these flags. An option without a counterpart has a
// reason.
func TestLtlcrossTable(t *testing.T) {
	options := spotOptions(t)
	tests := testsOfRepository(t)
	root := (&app{}).root(nil)
	// The command that a flag is of, unless another one stands before it.
	command := map[string]string{"ltlcross": "run", "autcross": "aut", "ltlgrind": "grind", "randltl": "random", "randaut": "random",
		"genltl": "patterns", "ltlmix": "random", "autdo": "aut", "autwords": "empty"}
	seen := map[string]map[string]bool{}
	for _, row := range tableRows(t, "../../docs/ltlcross.md") {
		if command[row.tool] == "" {
			continue // a table of another kind
		}
		if seen[row.tool] == nil {
			seen[row.tool] = map[string]bool{}
		}
		for _, option := range codes(row.option) {
			if !options[row.tool][option] {
				t.Errorf("line %d: %s has no option %s", row.line, row.tool, option)
			}
			if seen[row.tool][option] {
				t.Errorf("line %d: %s %s is there twice", row.line, row.tool, option)
			}
			seen[row.tool][option] = true
		}
		if reason, ok := strings.CutPrefix(row.xcheck, "none: "); ok {
			if len(strings.Fields(reason)) < 4 {
				t.Errorf("line %d: %s: %q is no reason", row.line, row.option, reason)
			}
			if row.test != "" {
				t.Errorf("line %d: %s: what is not there has a test", row.line, row.option)
			}
			continue
		}
		text := tests.of(t, row)
		for _, code := range codes(row.xcheck) {
			for _, flag := range rowFlags(t, root, row, command[row.tool], code) {
				if !strings.Contains(text, flag) {
					t.Errorf("line %d: no test of %s has the flag %s", row.line, row.option, flag)
				}
			}
		}
	}
	for tool, list := range options {
		for option := range list {
			if !seen[tool][option] {
				t.Errorf("docs/ltlcross.md misses %s %s", tool, option)
			}
		}
	}
}

// TestUsersLoseTable: what users of ltlcross lose is in a table of its own, with a test
// each.
func TestUsersLoseTable(t *testing.T) {
	tests := testsOfRepository(t)
	n := 0
	for _, row := range tableRows(t, "../../docs/ltlcross.md") {
		if row.tool != "What ltlcross loses" {
			continue
		}
		n++
		tests.of(t, row)
	}
	if n < 9 {
		t.Errorf("only %d rows found", n)
	}
}

// TestGenltlNames: what genltl takes as an option is the name of a list or a family, if the table
// says so.
func TestGenltlNames(t *testing.T) {
	names := map[string]bool{}
	for _, s := range patterns.Sets() {
		for _, name := range append([]string{s.Name}, s.Also...) {
			names["--"+name] = true
		}
	}
	n := 0
	for _, row := range tableRows(t, "../../docs/ltlcross.md") {
		if row.tool != "genltl" || row.xcheck != "the same names" {
			continue
		}
		for _, option := range codes(row.option) {
			if n++; !names[option] {
				t.Errorf("line %d: xcheck patterns has no %s", row.line, option)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d names found", n)
	}
}

// TestNewsTable: each row of what is new in Spot has a test or a reason.
func TestNewsTable(t *testing.T) {
	tests := testsOfRepository(t)
	n := 0
	for _, row := range tableRows(t, "../../docs/ltlcross.md") {
		if row.tool != "Since Spot 2.12" {
			continue
		}
		n++
		if reason, ok := strings.CutPrefix(row.xcheck, "none: "); !ok {
			tests.of(t, row)
		} else if len(strings.Fields(reason)) < 4 || row.test != "" {
			t.Errorf("line %d: %q is no reason, or has a test", row.line, reason)
		}
	}
	if n < 10 {
		t.Errorf("only %d rows found", n)
	}
}

// spotOptions returns all spellings of the options of each tool.
func spotOptions(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/spot-options.txt")
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if options[fields[0]] == nil {
			options[fields[0]] = map[string]bool{}
		}
		for _, option := range fields[1:] {
			options[fields[0]][option] = true
		}
	}
	return options
}

// A tableRow is a row with three columns of a table in a page.
type tableRow struct {
	tool                 string // the heading that it stands below
	line                 int
	option, xcheck, test string
}

func tableRows(t *testing.T, page string) []tableRow {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var rows []tableRow
	heading, line := "", 0
	for text := range strings.Lines(string(text)) {
		line++
		text = strings.TrimSpace(text)
		if name, ok := strings.CutPrefix(text, "## "); ok {
			heading = name
		}
		cells := strings.Split(strings.ReplaceAll(text, `\|`, "\x00"), "|")
		if len(cells) != 5 || strings.HasPrefix(text, "|---") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "\x00", "|"))
		}
		if cells[3] == "test" {
			continue // the head of the table
		}
		rows = append(rows, tableRow{tool: heading, line: line, option: cells[1], xcheck: cells[2], test: cells[3]})
	}
	return rows
}

var codePattern = regexp.MustCompile("`([^`]+)`")

// codes returns what stands in backquotes.
func codes(text string) []string {
	var list []string
	for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

var flagPattern = regexp.MustCompile(`^--?[A-Za-z0-9][A-Za-z0-9-]*`)

// rowFlags returns the flags of a piece of a command line in a row, having looked for
// them among those of the command: that with which it starts, or else the usual one.
func rowFlags(t *testing.T, root *cobra.Command, row tableRow, usual, code string) []string {
	t.Helper()
	fields := strings.Fields(code)
	c, _, err := root.Find(fields)
	if err != nil || c == root {
		if !strings.HasPrefix(code, "-") {
			return nil // a placeholder, a value, a key of the configuration, another program
		}
		if c, _, err = root.Find([]string{usual}); err != nil {
			t.Errorf("line %d: %v", row.line, err)
			return nil
		}
	}
	c.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	var flags []string
	for _, field := range fields {
		name := flagPattern.FindString(field)
		if name == "" {
			continue
		}
		long, ok := strings.CutPrefix(name, "--")
		if !ok {
			name = name[:2]
		}
		if ok && c.Flags().Lookup(long) == nil && (long != "version" || root.Flags().Lookup(long) == nil) ||
			!ok && c.Flags().ShorthandLookup(name[1:]) == nil {
			t.Errorf("line %d: %s has no flag %s", row.line, c.CommandPath(), name)
		}
		flags = append(flags, name)
	}
	return flags
}

// repositoryTests are the test functions and scripts, by name.
type repositoryTests map[string]*repositoryTest

type repositoryTest struct {
	text     string   // the source
	literals []string // the strings in it: names of subtests, and of cases of tables
}

// find returns the source of a test, of a subtest such as TestX/name, of a script such
// as TestScripts/name, or the commands of a page, as of TestDocs/name.md. It is "" if there
// is none.
func (r repositoryTests) find(name string) string {
	if test := r[name]; test != nil {
		return test.text
	}
	function, sub, _ := strings.Cut(name, "/")
	if function == "TestDocs" {
		page, _ := os.ReadFile("../../docs/" + sub)
		steps, _ := docpage.Read(string(page)) // TestDocs tells of errors
		var commands strings.Builder
		for _, c := range docpage.Commands(steps) {
			fmt.Fprintln(&commands, c.Text)
		}
		return commands.String()
	}
	test := r[function]
	if test == nil || !slices.Contains(test.literals, sub) {
		return ""
	}
	return test.text
}

// of returns the sources of the tests of a row, all of which must be there.
func (r repositoryTests) of(t *testing.T, row tableRow) string {
	t.Helper()
	var text strings.Builder
	for _, name := range codes(row.test) {
		if r.find(name) == "" {
			t.Errorf("line %d: %s: there is no test %s", row.line, row.option, name)
		}
		text.WriteString(r.find(name))
	}
	if len(codes(row.test)) == 0 {
		t.Errorf("line %d: %s has no test", row.line, row.option)
	}
	return text.String()
}

// testsOfRepository reads all test files.
func testsOfRepository(t *testing.T) repositoryTests {
	t.Helper()
	tests := repositoryTests{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(path, ".txtar"):
			text, err := os.ReadFile(path)
			tests["TestScripts/"+strings.TrimSuffix(d.Name(), ".txtar")] = &repositoryTest{text: string(text)}
			return err
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := goparser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !testName.MatchString(f.Name.Name) {
				continue
			}
			if tests[f.Name.Name] == nil {
				tests[f.Name.Name] = &repositoryTest{}
			}
			test := tests[f.Name.Name]
			test.text += string(text[f.Pos()-file.FileStart : f.End()-file.FileStart])
			test.literals = append(test.literals, literals(f)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

var testName = regexp.MustCompile("^(Test|Example|Fuzz)")

// literals returns the strings that stand in a function.
func literals(f *ast.FuncDecl) []string {
	var list []string
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				list = append(list, text)
			}
		}
		return true
	})
	return list
}
