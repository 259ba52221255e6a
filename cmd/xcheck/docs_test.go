package main

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestDocs follows each page of docs/, in order and in one folder: it runs the commands, compares what
// they print with what the page shows, saves the files and makes the changes (see docpage_test.go).
// Some pages need jq.
func TestDocs(t *testing.T) {
	t.Parallel()
	pages := must.Get(filepath.Glob("../../docs/*.md"))
	ran, followed := make(map[string]int), 0
	for i, page := range pages {
		steps := readPage(t, page)
		ran[filepath.Base(page)] = len(docCommands(steps))
		if !inWhole() && (i%2 > 0 || slices.Contains(longPages, filepath.Base(page))) {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			followed++
			t.Parallel()
			if filepath.Base(page) == "tutorial.md" {
				followTutorial(t, steps)
				return
			}
			if slices.ContainsFunc(docCommands(steps), usesJQ) {
				campaign.Needs(t, "jq")
			}
			dir := t.TempDir()
			link(t, dir)
			follow(t, steps, dir)
		})
	}
	if len(ran) < 20 || ran["commands.md"] < 20 || followed == 0 {
		t.Errorf("%d pages followed; commands found: %v", followed, ran)
	}
}

// inWhole reports whether nothing is left out that takes long: in a campaign, or if -run names a subtest.
func inWhole() bool {
	return campaign.Whole() || strings.Contains(flag.Lookup("test.run").Value.String(), "/")
}

func usesJQ(c *docCommand) bool { return strings.HasPrefix(c.Text, "jq ") }

// longPages check so many formulas that only a campaign follows them. Without one, every other page
// that is left is followed.
var longPages = []string{"causes.md", "commands.md", "configuration.md", "disagreement.md", "nightly.md", "paper.md", "regression.md", "reports.md",
	"sharding.md", "tight.md", "tutorial.md", "validate.md"}

func readPage(t *testing.T, page string) []docStep {
	t.Helper()
	text := must.Get(os.ReadFile(page))
	steps, err := readSteps(string(text))
	if err != nil {
		t.Errorf("%s: %v", page, err)
	}
	return steps
}

// follow does the steps of a page in a folder that has xcheck.
func follow(t *testing.T, steps []docStep, dir string) {
	t.Helper()
	s := &docSession{Dir: dir, Env: docsEnv(dir)}
	for _, step := range steps {
		if err := step.Do(s); err != nil {
			t.Error(err)
		}
	}
}

// docsEnv is the environment of a command in a folder that has xcheck.
func docsEnv(dir string) []string {
	return append(os.Environ(), asMain+"="+checked, "GORACE=atexit_sleep_ms=0", "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestDocsComplete looks for each command in the page on commands,
// and for each command without JSON in the page on JSON.
func TestDocsComplete(t *testing.T) {
	list := (&app{}).root(nil).Commands()
	for _, c := range list {
		list = append(list, c.Commands()...)
	}
	commands := pageText(t, "commands.md")
	var without []string
	for _, c := range list {
		name := strings.TrimPrefix(c.CommandPath(), "xcheck ")
		if c.HasSubCommands() || name == "help" {
			continue
		}
		if !strings.Contains(commands, "`"+name+"`") && !strings.Contains(commands, "xcheck "+name) {
			t.Errorf("docs/commands.md misses %s", name)
		}
		if c.Flags().Lookup("json") == nil {
			without = append(without, "`"+name+"`")
		}
	}
	sentence := "Only " + strings.Replace(strings.Join(without, " and "), " and ", ", ", len(without)-2) + " have no `--json`."
	if !strings.Contains(pageText(t, "json.md"), sentence) {
		t.Errorf("docs/json.md lacks: %s", sentence)
	}
}

// pageText returns a page with a space for each line break.
func pageText(t *testing.T, page string) string {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/" + page))
	return strings.Join(strings.Fields(string(text)), " ")
}
