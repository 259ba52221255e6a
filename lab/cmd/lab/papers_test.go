package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/lab/bench"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
)

// paperHead is the first row of each table of docs/papers.md.
var paperHead = []string{"what", "code, test", "command", "paper", "ours", "reproduced"}

// paperItems lists what each of the papers numbers.
var paperItems = map[string]string{
	"Gastin, Moro, Zeitoun 2004": "Algorithms 1, 2, Corollary 5, Fact 1, Figures 1 to 4, Lemmas 1, 4, 8 to 11, " +
		"Propositions 3, 6, 7, Remark 2, Tables 1, 2",
	"Gastin, Moro 2007":     "Algorithms 1 to 7, Figures 1 to 3, Lemmas 1 to 3",
	"Schwoon, Esparza 2005": "Figures 1 to 7, Table 1",
	"Gillard 2019":          "Algorithms 4.1, 4.2, 5.1, 5.2, Figures 1.1 to 1.3, 2.1, 3.1, 4.1 to 4.6, Tables 1.1, 4.1",
	"Schuppan, Biere 2005":  "Definitions 1, 2, Figures 1 to 4, Lemmas 1 to 5, Propositions 1, 2, Tables 1 to 3, Theorems 1, 2",
}

// A paperRow is a row of docs/papers.md, without the backquotes of its code.
type paperRow struct {
	paper, what             string
	code, tests             []string
	command, takes          string
	claim, ours, reproduced string
}

var (
	cellEnd    = regexp.MustCompile(` \| `)
	quotedCode = regexp.MustCompile("`([^`]+)`")
	commandOf  = regexp.MustCompile("^`([^`]+)`(?: \\((\\d+ (?:s|min|h))\\))?$")
	answerOf   = regexp.MustCompile(`^(?:yes|(?:in part|no): .+)$`)
	itemsOf    = regexp.MustCompile(`(Algorithm|Corollary|Definition|Fact|Figure|Lemma|Proposition|Remark|Table|Theorem)s? ([\d.]+(?:(?:, | to )[\d.]+)*)`)
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
		r := paperRow{paper: paper, what: cells[0], claim: cells[3], ours: cells[4], reproduced: cells[5]}
		for _, m := range quotedCode.FindAllStringSubmatch(cells[1], -1) {
			r.addCode(m[1])
		}
		if m := commandOf.FindStringSubmatch(cells[2]); m != nil {
			r.command, r.takes = strings.ReplaceAll(m[1], `\|`, "|"), m[2]
		}
		rows = append(rows, r)
	}
	return rows
}

// addCode adds a file or a test. Those without a folder are of package emptiness of the laboratory.
func (r *paperRow) addCode(name string) {
	folder, test, ok := strings.Cut(name, ".Test")
	switch {
	case ok:
		r.tests = append(r.tests, folder+".Test"+test)
	case strings.HasPrefix(name, "Test"):
		r.tests = append(r.tests, "lab/emptiness."+name)
	case !strings.Contains(name, "/"):
		r.code = append(r.code, "lab/emptiness/"+name)
	default:
		r.code = append(r.code, name)
	}
}

// itemsIn lists the numbered items that a text names: "Figure 8" to "Figure 11" for "Figures 8 to 11".
func itemsIn(text string) (items []string) {
	for _, m := range itemsOf.FindAllStringSubmatch(text, -1) {
		for _, numbers := range strings.Split(m[2], ", ") {
			first, last, ok := strings.Cut(numbers, " to ")
			items = append(items, m[1]+" "+first)
			for number := first; ok && number != last && len(items) < 1000; {
				number = numberAfter(number)
				items = append(items, m[1]+" "+number)
			}
		}
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// numberAfter returns the number after one such as 3 or 4.2.
func numberAfter(number string) string {
	dot := strings.LastIndexByte(number, '.') + 1
	n, err := strconv.Atoi(number[dot:])
	if err != nil {
		panic(err)
	}
	return number[:dot] + strconv.Itoa(n+1)
}

// TestPapers checks the page on papers. Each row has a command, a test and a file that exist, and says
// whether the claim was reproduced. The rows name all that the papers number, and the page has a
// command for each algorithm of a paper.
func TestPapers(t *testing.T) {
	text := must.Get(os.ReadFile("../../../docs/papers.md"))
	named := make(map[string]string)
	words := make(map[string]bool)
	for _, r := range paperRows(t, string(text)) {
		named[r.paper] += r.what + "\n"
		for _, word := range strings.FieldsFunc(r.command, func(c rune) bool { return c == ' ' || c == ',' }) {
			words[word] = true
		}
		r.check(t)
	}
	for paper, items := range paperItems {
		if got, want := itemsIn(named[paper]), itemsIn(items); !slices.Equal(got, want) {
			t.Errorf("%s: rows of\n%s\nwant\n%s", paper, got, want)
		}
	}
	if len(named) != len(paperItems) {
		t.Errorf("rows of %d papers, want %d", len(named), len(paperItems))
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
	if len(r.code) == 0 || len(r.tests) == 0 || r.claim == "" || r.ours == "" {
		t.Errorf("%s: %s: no code, no test, no claim or no figure of ours", r.paper, r.what)
	}
	for _, file := range r.code {
		if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
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
	files, _ := filepath.Glob(filepath.Join("../../..", folder, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+test+"(t *testing.T)")
	})
}

// TestPapersCommands runs a fifth of the quick commands of the page on papers, or in a campaign all, in a folder with the automata
// that the page makes.
func TestPapersCommands(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile("../../../docs/papers.md"))
	dir := t.TempDir()
	programs(t, dir)
	followPage(t, string(text), dir)
	var quick []string
	for _, r := range paperRows(t, string(text)) {
		if r.takes == "" && !slices.Contains(quick, r.command) {
			quick = append(quick, r.command)
		}
	}
	for command := range campaign.Sample(slices.Values(quick), 5) {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			if out, cmd := shell(dir, command); cmd.ProcessState.ExitCode() > 1 {
				t.Error(out)
			}
		})
	}
	if len(quick) < 40 {
		t.Errorf("%d quick commands", len(quick))
	}
}
