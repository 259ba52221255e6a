package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/emptiness"
)

// paperHead is the first row of each table of docs/papers.md.
var paperHead = []string{"what", "code", "command", "test", "paper", "ours", "reproduced"}

// A paperRow is a row of docs/papers.md, without the backquotes of its code.
type paperRow struct {
	paper, what      string
	code, tests      []string
	command, takes   string
	ours, reproduced string
}

var (
	cellEnd    = regexp.MustCompile(` \| `)
	quotedCode = regexp.MustCompile("`([^`]+)`")
	commandOf  = regexp.MustCompile("^`([^`]+)`(?: \\((\\d+ (?:s|min|h))\\))?$")
	answerOf   = regexp.MustCompile(`^(?:yes|(?:in part|no): .+)$`)
)

// paperRows returns the rows of docs/papers.md.
func paperRows(t *testing.T, text string) (rows []paperRow) {
	t.Helper()
	paper := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			paper = name
		}
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := cellEnd.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), -1)
		if len(cells) != len(paperHead) {
			t.Errorf("%s: %d cells, want %d: %s", paper, len(cells), len(paperHead), line)
			continue
		}
		if slices.Equal(cells, paperHead) {
			continue
		}
		r := paperRow{paper: paper, what: cells[0], ours: cells[5], reproduced: cells[6]}
		r.code, r.tests = quotes(cells[1]), quotes(cells[3])
		if m := commandOf.FindStringSubmatch(cells[2]); m != nil {
			r.command, r.takes = strings.ReplaceAll(m[1], `\|`, "|"), m[2]
		}
		rows = append(rows, r)
	}
	return rows
}

// quotes returns what stands in backquotes.
func quotes(text string) (list []string) {
	for _, m := range quotedCode.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestPapers checks the page on papers. Each row has a command, a test and a file that exist, and says
// whether the claim was reproduced. The page has a command for each algorithm of a paper.
func TestPapers(t *testing.T) {
	text, err := os.ReadFile("../../docs/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := paperRows(t, string(text))
	papers := make(map[string]int)
	words := make(map[string]bool)
	for _, r := range rows {
		papers[r.paper]++
		for _, word := range strings.FieldsFunc(r.command, func(c rune) bool { return c == ' ' || c == ',' }) {
			words[word] = true
		}
		r.check(t)
	}
	if len(papers) != 5 || len(rows) < 80 {
		t.Errorf("%d rows of %v: want 5 papers and 80 rows", len(rows), papers)
	}
	for _, name := range paperAlgorithms() {
		if !words[name] {
			t.Errorf("docs/papers.md has no command with %s", name)
		}
	}
}

// paperAlgorithms lists the algorithms of the five papers: what empty and bench minimal list,
// and the translations that say something about tight automata.
func paperAlgorithms() (names []string) {
	for _, a := range slices.Concat(emptiness.Algorithms(), emptiness.Minimizers()) {
		names = append(names, string(a))
	}
	for _, s := range bench.Searches() {
		names = append(names, s.Name)
	}
	return append(names, "gpvw", "cgh", "tight", "unrolled")
}

// check reports what the row lacks.
func (r *paperRow) check(t *testing.T) {
	t.Helper()
	if r.command == "" {
		t.Errorf("%s: %s: no command, or not as `COMMAND` or `COMMAND` (TIME)", r.paper, r.what)
	}
	if !answerOf.MatchString(r.reproduced) {
		t.Errorf("%s: %s: reproduced %q: want yes, or in part or no with the reason", r.paper, r.what, r.reproduced)
	}
	if len(r.code) == 0 || len(r.tests) == 0 || r.ours == "" {
		t.Errorf("%s: %s: no code, no test or no figure of ours", r.paper, r.what)
	}
	for _, file := range r.code {
		if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
			t.Errorf("%s: %s: %v", r.paper, r.what, err)
		}
	}
	for _, test := range r.tests {
		if !testExists(test) {
			t.Errorf("%s: %s: no test %s", r.paper, r.what, test)
		}
	}
}

// testExists reports whether there is a test with this name, which has the folder of its package
// before it.
func testExists(name string) bool {
	folder, test, _ := strings.Cut(name, ".")
	files, _ := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+test+"(t *testing.T)")
	})
}

// TestPapersCommands runs the quick commands of the page on papers, in a folder with the automata
// that the page makes.
func TestPapersCommands(t *testing.T) {
	text, err := os.ReadFile("../../docs/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	link(t, dir)
	follow(t, readPage(t, "../../docs/papers.md"), dir)
	ran := make(map[string]bool)
	for _, r := range paperRows(t, string(text)) {
		if r.takes != "" || ran[r.command] {
			continue
		}
		ran[r.command] = true
		t.Run(r.command, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("sh", "-c", r.command)
			cmd.Dir = dir
			cmd.Env = docsEnv(dir)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if len(ran) < 40 {
		t.Errorf("%d quick commands", len(ran))
	}
}
