package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// repositoryTests are the sources of test functions and scripts, by name.
type repositoryTests map[string]string

// find returns the source of a test, of a subtest such as TestX/name, of a script such
// as TestScripts/name, or the commands of a page, as of TestDocs/name.md. It is "" if there
// is none.
func (r repositoryTests) find(name string) string {
	if text := r[name]; text != "" {
		return text
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
	// Names of subtests, and of cases of tables, are strings.
	if text := r[function]; strings.Contains(text, strconv.Quote(sub)) || strings.Contains(text, "`"+sub+"`") {
		return text
	}
	return ""
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
var testsOfRepository = sync.OnceValue(func() repositoryTests {
	tests := repositoryTests{}
	must.Do(filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		script := strings.HasSuffix(path, ".txtar")
		if err != nil || d.IsDir() || !script && !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if script {
			tests["TestScripts/"+strings.TrimSuffix(d.Name(), ".txtar")] = string(text)
			return err
		}
		for _, m := range testFunction().FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] += m[0]
		}
		return err
	}))
	return tests
})

var testFunction = lazy(`(?ms)^func ((?:Test|Example|Fuzz)\w*)\(.*?^}$`)
