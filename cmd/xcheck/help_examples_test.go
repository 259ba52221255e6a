package main

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// exampleFolder has the files that the examples of --help need.
//
//go:embed testdata/examples.txtar
var exampleFolder []byte

var (
	exampleText = lazy(`\s{2,}.*$`)       // what an example is for
	manyInputs  = lazy(` -n \d{2,}`)      // more than nine
	untilTime   = lazy(` --until [\d:]+`) // hours from now
)

// helpExamples returns the examples of all commands, as a reader types them.
func helpExamples() (commands []string) {
	all := allCommands()
	for _, c := range append(all, all[0].Root()) {
		for line := range strings.Lines(c.Example) {
			commands = append(commands, exampleText().ReplaceAllString(strings.TrimSpace(line), ""))
		}
	}
	return commands
}

// TestHelpExamples runs the examples of --help, each in a folder of its own, with few inputs.
// (TestMeasurements runs the examples of bench.)
func TestHelpExamples(t *testing.T) {
	campaign.Only(t)
	campaign.Needs(t, "bash", "git")
	files := t.TempDir()
	for _, f := range txtar.Parse(exampleFolder).Files {
		file(t, string(f.Data), 0o755, files, f.Name)
	}
	link(t, files)
	if out, err := exampleCommand(files, ". ./prepare").CombinedOutput(); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	examples := slices.DeleteFunc(helpExamples(), func(command string) bool { return strings.HasPrefix(command, "xcheck bench ") })
	slices.Sort(examples)
	examples = slices.Compact(examples)
	for _, command := range examples {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must.Do(os.CopyFS(dir, os.DirFS(files)))
			few := untilTime().ReplaceAllString(manyInputs().ReplaceAllString(command, " -n 3"), " --max-time 1s")
			if strings.HasPrefix(command, "xcheck run") && !givenInputs().MatchString(few) {
				few += " -n 3 --no-found"
			}
			cmd := exampleCommand(dir, few)
			if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode()&^1 != 0 {
				t.Errorf("%s: %v\n%s", few, err, out)
			}
		})
	}
	if len(examples) < 80 {
		t.Errorf("%d examples", len(examples))
	}
}

// givenInputs matches what says which formulas are checked, or that none are.
var givenInputs = lazy(` -(n|f|F|c|-patterns|-list-translators) ?|\|`)

// exampleCommand returns a command for bash. fpath is a variable of zsh.
func exampleCommand(dir, command string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", "set -o pipefail; fpath=(. .)\n"+command)
	cmd.Dir = dir
	cmd.Env = append(docsEnv(dir), "HOME="+filepath.ToSlash(dir))
	return cmd
}
