package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xcheck-ltl/xcheck/internal/faulty"
	"github.com/xcheck-ltl/xcheck/internal/seeded"
)

// asMain makes the test binary the command itself, also where the command runs
// itself as a translator.
const asMain = "XCHECK_TEST_MAIN"

func TestMain(m *testing.M) {
	faulty.Main()
	seeded.Main()
	if os.Getenv(asMain) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestScripts runs the scripts of testdata: what users type, and what they see.
func TestScripts(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			bin := filepath.Join(e.WorkDir, ".bin")
			if err := os.Mkdir(bin, 0o777); err != nil {
				return err
			}
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("EXAMPLES", examples)
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, ".tmp"))
			e.Setenv(asMain, "1")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // or each process sleeps for a second at its end
			return os.Symlink(self, filepath.Join(bin, "xcheck"))
		},
	})
}

// quoted are the arguments of a line that are in quotes.
var quoted = regexp.MustCompile(`'[^']*'`)

// TestHelp: each command prints its help, with examples whose flags it has.
func TestHelp(t *testing.T) {
	root := (&app{}).root(nil)
	commands := root.Commands()
	for _, c := range commands {
		commands = append(commands, c.Commands()...) // the tables of bench
	}
	for _, c := range commands {
		path := strings.Fields(c.CommandPath())[1:]
		if path[0] == "help" {
			continue
		}
		status, out, errs := xcheck("", append(path, "--help")...)
		if status != 0 || errs != "" || !strings.Contains(out, "Usage:\n") || !strings.Contains(out, "--help") {
			t.Errorf("%v --help: status %d, %q, %q", path, status, out, errs)
		}
		if !c.HasSubCommands() && !c.HasParent() && !c.HasExample() {
			t.Errorf("%v has no examples", path)
		}
		for _, line := range strings.Split(c.Example, "\n") {
			for _, part := range strings.Split(quoted.ReplaceAllString(line, "…"), "|") {
				words := strings.Fields(part)
				if len(words) == 0 || words[0] != "xcheck" {
					continue
				}
				of, _, err := root.Find(words[1:])
				if err != nil {
					t.Errorf("%v: the example %s: %v", path, line, err)
					continue
				}
				for _, word := range words {
					name, _, _ := strings.Cut(word, "=")
					if long, ok := strings.CutPrefix(name, "--"); ok && of.Flags().Lookup(long) == nil && of.InheritedFlags().Lookup(long) == nil {
						t.Errorf("%v: the example %s: %s has no flag %s", path, line, of.CommandPath(), name)
					}
				}
			}
		}
	}
}
