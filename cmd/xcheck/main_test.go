package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
)

// asMain makes the test binary the command itself, also where the command runs
// itself as a translator.
const asMain = "XCHECK_TEST_MAIN"

// checked is the value of asMain if the JSON that is written is kept for checkJSON.
const checked = "checked"

// program returns the file of the tests, which is xcheck if asMain is in its environment.
func program() string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return self
}

// selfScript returns a script that becomes program. Each night with a history hashes its translators,
// and the file of the tests is large.
func selfScript() []byte { return fmt.Appendf(nil, "#!/bin/sh\nexec '%s' \"$@\"\n", program()) }

// readJSON reads a document.
func readJSON(t *testing.T, file string, to any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMain(m *testing.M) {
	seeded.Main()
	if os.Getenv(asMain) != "" {
		if os.Getenv(asMain) == checked && slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "--json") }) {
			os.Exit(runChecked(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		}
		main()
	}
	os.Setenv("GOGC", "400")                                       // most of the processes end soon
	flag.Set("test.parallel", fmt.Sprint(4*runtime.GOMAXPROCS(0))) // many wait for what they have started
	known := slices.DeleteFunc(configs.Shorthands(), func(s configs.Shorthand) bool { return s.Program() == "" })
	os.Exit(campaign.Shadow(func() int { return checkJSON(m.Run) }, cli.Names(known, func(s configs.Shorthand) string { return s.Program() })))
}

// lazy compiles a regular expression when it is first used: most processes of this binary are
// the command or a translator.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// longScripts take at least a second of processor time each. Only a campaign runs them.
var longScripts = strings.Fields("drawn explained interrupt interrupt_input joined listing period problems profiles pslrun randaut " +
	"randltl reproduce stored stops version")

// TestScripts runs the scripts of testdata: what users type, and what they see. The condition
// whole is true in a campaign.
func TestScripts(t *testing.T) {
	t.Parallel()
	self := program()
	examples := must.Get(filepath.Abs("../../examples"))
	cache := os.Getenv("GOCACHE") // for scripts that build a translator
	if user, err := os.UserCacheDir(); cache == "" && err == nil {
		cache = filepath.Join(user, "go-build")
	}
	scripts := must.Get(filepath.Glob("testdata/script/*.txtar"))
	if !inWhole() {
		scripts = slices.DeleteFunc(scripts, func(script string) bool {
			return slices.Contains(longScripts, strings.TrimSuffix(filepath.Base(script), ".txtar"))
		})
	}
	testscript.Run(t, testscript.Params{
		Files: scripts,
		Condition: func(name string) (bool, error) {
			if name != "whole" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return inWhole(), nil
		},
		Setup: func(e *testscript.Env) error {
			bin := filepath.Join(e.WorkDir, ".bin")
			if err := os.Mkdir(bin, 0o777); err != nil {
				return err
			}
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("EXAMPLES", examples)
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, ".tmp"))
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOFLAGS", os.Getenv("GOFLAGS"))
			e.Setenv(asMain, checked)
			e.Setenv(jsonFolder, os.Getenv(jsonFolder))
			e.Setenv("GORACE", "atexit_sleep_ms=0") // or each process sleeps for a second at its end
			return os.Symlink(self, filepath.Join(bin, "xcheck"))
		},
	})
}
