package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// asMain makes the test binary the command itself.
const asMain = "LAB_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		main()
	}
	os.Exit(m.Run())
}

// programs fills a folder with lab, and with xcheck, which is built once.
func programs(_ *testing.T, dir string) {
	must.Do(os.Symlink(must.Get(os.Executable()), filepath.Join(dir, "lab")))
	write := exec.Command("sh", "-c", "cat >xcheck && chmod +x xcheck") // not here: a child of another test would have it open
	write.Dir, write.Stdin = dir, bytes.NewReader(must.Get(xcheck()))
	must.Do(write.Run())
}

var xcheck = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "xcheck")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "xcheck")
	if out, err := exec.Command("go", "build", "-o", name, "github.com/xcheck-ltl/xcheck/cmd/xcheck").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return os.ReadFile(name)
})

// shell runs a command in a folder with the programs, and returns what a terminal would show.
func shell(dir, command string) (string, *exec.Cmd) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asMain+"=1", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, _ := cmd.CombinedOutput() // the caller looks at the status
	return string(out), cmd
}

// TestScripts runs the scripts of testdata: what users type, and what they see. The condition whole is
// true in a campaign.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(name string) (bool, error) {
			if name != "whole" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return campaign.Whole(), nil
		},
		Setup: func(e *testscript.Env) error {
			bin := filepath.Join(e.WorkDir, ".bin")
			if err := os.Mkdir(bin, 0o777); err != nil {
				return err
			}
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv(asMain, "1")
			return os.Symlink(must.Get(os.Executable()), filepath.Join(bin, "lab"))
		},
	})
}

// shown matches a command of a page, after four spaces and a dollar sign, and its output.
var shown = regexp.MustCompile(`(?m)^    \$ (.*)\n((?:    [^$].*\n)*)`)

// saved matches a file that a page has the reader save.
var saved = regexp.MustCompile("Save this as `([^`]+)`:\n\n```\n((?s:.*?))```\n")

// followPage saves the files of a page in a folder, and runs the commands. A line of three dots stands for any lines, and three
// dots in a line for any text.
func followPage(t *testing.T, text, dir string) {
	t.Helper()
	for _, m := range saved.FindAllStringSubmatch(text, -1) {
		must.Do(os.WriteFile(filepath.Join(dir, m[1]), []byte(m[2]), 0o666))
	}
	for _, m := range shown.FindAllStringSubmatch(text, -1) {
		command, want := m[1], strings.ReplaceAll("\n"+m[2], "\n    ", "\n")[1:]
		got, cmd := shell(dir, command)
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`+"\n", `(?:.*\n)*`)
		pattern = strings.ReplaceAll(pattern, `\.\.\.`, `.*`)
		if !regexp.MustCompile("^"+pattern+"$").MatchString(got) || want == "" && cmd.ProcessState.ExitCode() > 1 {
			t.Errorf("%s\nprints\n%s\nbut the page says\n%s", command, got, want)
		}
	}
}

// TestDocs follows the pages of the laboratory.
func TestDocs(t *testing.T) {
	t.Parallel()
	pages := must.Get(filepath.Glob("../../docs/*.md"))
	if len(pages) < 3 {
		t.Errorf("%d pages", len(pages))
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			programs(t, dir)
			followPage(t, string(must.Get(os.ReadFile(page))), dir)
		})
	}
}

// TestExamples runs the examples of the tables of bench, made small, in a campaign.
func TestExamples(t *testing.T) {
	campaign.Only(t)
	small := map[string]string{
		"complement":   "--each 1 --max-macrostates 100 --time 10ms",
		"inclusion":    "-n 2 --time 100ms",
		"emptiness":    "--each 1 --time 20ms",
		"minimal":      "--each 1 --time 20ms",
		"improvements": "--each 1 --time 20ms",
		"order":        "--each 1 --orders 2 --time 20ms",
		"product":      "--automata 2 --states 50 --formulas 1 --conditions 1 --time 100ms",
		"tight":        "--each 1 --time 20ms",
		"translate":    "-n 2 --time 20ms",
	}
	dir := t.TempDir()
	programs(t, dir)
	tables := (&app{}).benchCommand().Commands()
	if len(tables) != len(small) {
		t.Errorf("%d tables, and %d of them made small", len(tables), len(small))
	}
	for _, c := range tables {
		for example := range strings.Lines(c.Example) {
			example = strings.TrimSpace(example)
			if strings.Contains(example, "--folder") { // TestScripts has suites
				continue
			}
			t.Run(example, func(t *testing.T) {
				t.Parallel()
				if out, cmd := shell(dir, example+" "+small[c.Name()]); cmd.ProcessState.ExitCode() != 0 {
					t.Error(out)
				}
			})
		}
	}
}

// TestRecords: the list of records has each of them.
func TestRecords(t *testing.T) {
	folder := "../../bench/results"
	text := must.Get(os.ReadFile(filepath.Join(folder, "README.md")))
	records := must.Get(filepath.Glob(filepath.Join(folder, "*.md")))
	if len(records) < 10 {
		t.Errorf("%d records", len(records))
	}
	for _, file := range records {
		if name := filepath.Base(file); name != "README.md" && !strings.Contains(string(text), "]("+name+")") {
			t.Errorf("bench/results/README.md has no link to %s", name)
		}
	}
}
