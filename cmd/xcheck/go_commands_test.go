package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// A goTest is a command that runs tests, benchmarks or a fuzz target.
type goTest struct {
	folders  []string            // of its packages, such as ./omega/...
	patterns map[string][]string // by kind: Test, Benchmark or Fuzz
	subtests []string            // such as TestDocs/running
}

var (
	goTestWord = lazy(`'[^']*'|\S+`)
	testOfKind = map[string]string{"-run": "Test", "-bench": "Benchmark", "-fuzz": "Fuzz"}
)

// parseGoTest reads a command such as XCHECK_CAMPAIGN=x1 go test -run 'A|B' ./hoa. A pattern such
// as ^(A|B)$ counts as two.
func parseGoTest(command string) *goTest {
	g := &goTest{patterns: make(map[string][]string)}
	kind := ""
	for _, word := range goTestWord().FindAllString(command, -1) {
		word = strings.Trim(word, "'")
		switch {
		case kind != "" && word != "^$":
			for _, part := range strings.Split(strings.NewReplacer("^(", "", ")$", "").Replace(word), "|") {
				function, _, sub := strings.Cut(part, "/")
				g.patterns[kind] = append(g.patterns[kind], function)
				if sub {
					g.subtests = append(g.subtests, part)
				}
			}
		case strings.HasPrefix(word, "./"):
			g.folders = append(g.folders, word)
		}
		kind = testOfKind[word]
	}
	return g
}

// has reports whether a package of the command has a test of a kind that matches the pattern.
func (g *goTest) has(t *testing.T, kind, pattern string) bool {
	t.Helper()
	name := must.Get(regexp.Compile(pattern))
	function := regexp.MustCompile(`(?m)^func (` + kind + `\w+)\(`)
	for _, folder := range g.folders {
		folder, all := strings.CutSuffix(folder, "/...")
		files := must.Get(filepath.Glob(filepath.Join("../..", folder, "*_test.go")))
		if all {
			below, _ := filepath.Glob(filepath.Join("../..", folder, "*", "*_test.go"))
			files = append(files, below...)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))
			for _, m := range function.FindAllStringSubmatch(string(text), -1) {
				if name.MatchString(m[1]) {
					return true
				}
			}
		}
	}
	return false
}

// TestGoCommands: the tests, benchmarks and fuzz targets that the pages name exist, and go doc has
// what they say. CI runs the tests and benchmarks in other ways.
func TestGoCommands(t *testing.T) {
	t.Parallel()
	tests, all := 0, testsOfRepository()
	for file, p := range readPages(t) {
		for _, command := range shownCommands(p.text, "") {
			switch _, args, found := strings.Cut(command, "go test "); {
			case strings.HasPrefix(command, "go doc ."):
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir = "../.."
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%s", file, command, err, out)
				}
			case found:
				tests++
				g := parseGoTest(args)
				for _, folder := range g.folders {
					if _, err := os.Stat(filepath.Join("../..", strings.TrimSuffix(folder, "..."))); err != nil {
						t.Errorf("%s: %s: %v", file, command, err)
					}
				}
				for _, name := range g.subtests {
					if all.find(name)+all.find(name+".md") == "" {
						t.Errorf("%s: %s: no subtest %s", file, command, name)
					}
				}
				for kind, patterns := range g.patterns {
					for _, pattern := range patterns {
						if !g.has(t, kind, pattern) {
							t.Errorf("%s: %s: no %s matches %s", file, command, kind, pattern)
						}
					}
				}
			}
		}
	}
	if tests < 30 {
		t.Errorf("%d commands", tests)
	}
}

// TestFuzzScript: .ci/fuzz fuzzes each target for the time that it gets. The go command is a
// stand-in.
func TestFuzzScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file(t, "#!/bin/sh\ncase $* in *-list*) echo FuzzThis ;; *) echo \"go $*\" ;; esac\n", 0o755, dir, "go")
	cmd := exec.Command("bash", "-c", ".ci/fuzz 10m")
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if want := "go test -run ^$ -fuzz ^FuzzThis$ -fuzztime 10m -fuzzminimizetime 10x ./hoa\n"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, want %s in\n%s", err, want, out)
	}
}
