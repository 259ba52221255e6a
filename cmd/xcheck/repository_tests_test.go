package main

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

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
		var commands strings.Builder
		steps, _ := readSteps(string(page)) // TestDocs tells of errors
		for _, c := range docCommands(steps) {
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

// text returns the sources of the named tests of an option or a row. Each test must exist.
func (r repositoryTests) text(t *testing.T, what string, names []string) string {
	t.Helper()
	var text strings.Builder
	for _, name := range names {
		if r.find(name) == "" {
			t.Errorf("%s: there is no test %s", what, name)
		}
		text.WriteString(r.find(name))
	}
	if len(names) == 0 {
		t.Errorf("%s has no test", what)
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
			if !ok || f.Recv != nil || !testName().MatchString(f.Name.Name) {
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

var testName = lazy("^(Test|Example|Fuzz)")

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
