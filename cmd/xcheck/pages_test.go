package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestPages reads all pages: what they link to or name exists, their prose is wrapped, the index has
// a question for each page of docs/, and their commands are ones that xcheck has and tests run. No sentence has more than 30 words. (TestDocs runs the commands.)
func TestPages(t *testing.T) {
	t.Parallel()
	pages := readPages(t)
	for file, p := range pages {
		for _, problem := range p.problems(pages) {
			t.Errorf("%s:%s", file, problem)
		}
	}
	index := pages["docs/README.md"]
	asked := make(map[string]bool)
	for _, m := range question().FindAllStringSubmatch(index.text, -1) {
		asked["docs/"+m[1]] = true
	}
	for file := range pages {
		if strings.HasPrefix(file, "docs/") && file != "docs/README.md" && !asked[file] {
			t.Errorf("docs/README.md has no line \"- [Title](%s): Question?\"", filepath.Base(file))
		}
	}
}

// TestPagesNotice: each rule finds its mistake.
func TestPagesNotice(t *testing.T) {
	pages := map[string]page{"docs/other.md": {"docs/other.md", "# Other: `a` & b\n"}}
	for _, x := range []struct{ text, want string }{
		{"prose\n", "1: no title"},
		{"# T\n[a](b.md)\n", "2: no file docs/b.md"},
		{"# T\n[a](other.md#no)\n", "2: docs/other.md has no heading #no"},
		{"# T\n[a](#no)\n", "2: docs/p.md has no heading #no"},
		{"# T\n" + strings.Repeat("word ", 21) + "\n", "2: 105 columns"},
		{"# T\n`xcheck rnu`\n", `2: xcheck rnu: unknown command`},
		{"# T\n`xcheck run --no-such`\n", `2: xcheck run --no-such: xcheck run has no flag --no-such`},
		{"# T\n\n    xcheck walk\n", "3: \"xcheck walk\" is not run"},
		{"# T\n```sh\nsudo rm\n```\n", "3: \"sudo rm\" is not run"},
		{"# T\n`sudo rm`\n", "2: \"sudo rm\" is not run"},
		{"# T\n`docs/no`\n", "2: no test or file docs/no"},
		{"# T\n`no_test.go`\n", "2: no test or file no_test.go"},
		{"# T\n`hoa.TestNo`\n", "2: no test or file hoa.TestNo"},
		{"# T\n`nowhere` in `omega/doc.go`\n", "2: no nowhere in omega/doc.go"},
		{"# T\n`omega` in `omega/doc.go`, `hoa/NAME.go`, `testdata/script`, `a/b`, `TestScripts/run`\n", ""},
		{"# T\nSave this as `a`:\n```sh\nsudo rm\n```\n\n    sudo rm\n", "7: \"sudo rm\" is not run"},
		{"# T\n[a](other.md#other-a--b) [b](#t) `xcheck run -n 3`\n\n    $ xcheck version\n", ""},
	} {
		p := page{"docs/p.md", x.text}
		pages["docs/p.md"] = p
		got := strings.Join(p.problems(pages), "\n")
		if !strings.HasPrefix(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%q: got %q, want %q", x.text, got, x.want)
		}
	}
}

// A page is a file of Markdown. Its name is a path from the root of the repository.
type page struct{ file, text string }

// readPages returns all pages by name.
func readPages(t *testing.T) map[string]page {
	t.Helper()
	pages := make(map[string]page)
	for _, pattern := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "lab/*.md", "lab/docs/*.md", "lab/bench/results/*.md"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))
			name := filepath.ToSlash(strings.TrimPrefix(file, "../../"))
			pages[name] = page{name, string(text)}
		}
	}
	return pages
}

var (
	question  = lazy(`(?m)^- \[[^]]+\]\(([a-z-]+\.md)\): .*\?$`)
	linkTo    = lazy(`(?:\]\(|src="|srcset=")([^)"\s]+)`)
	spanOf    = lazy("`(xcheck [^`]+)`")
	headingOf = lazy(`^#+ +(.*)$`)
	numbered  = lazy(`^\d+\. `)
	heavy     = lazy(`(?i)\b(and nothing else|shall|(is|are) to be|that which|those of which|(of|for) which there|where there is none|it is said|(leaves|left|stays|kept|keeps|counts|returned|automaton) (it )?as it is)\b`)
	nameIn    = lazy("`(\\w+)` in `([\\w/]+\\.go)`")
	oneName   = lazy(`^\.?\w[\w./-]*$`)
	testNamed = lazy(`^(?:[\w/]+\.)?((?:Test|Example|Fuzz)[A-Z]\w*)(?:/\S+)?$`)
	notSlug   = lazy(`[^\p{L}\p{N}_ -]`)
	// startsCommand matches code that a reader would type.
	startsCommand = lazy(`^(?:[A-Z_]+=\S+ )*(?:xcheck|go|git|sudo|apt|apt-get|docker|kubectl|sbatch|jq|(?:\.|\.ci|lab/bench|examples|release|site)/[\w./-]+) `)
	// mentioned matches the name of a command, of one of its flags, or of a file.
	mentioned = lazy(`^(?:xcheck( [a-z]+)*( --[a-z-]+)?|xcheck COMMAND .*|go [a-z]+( -[a-z]+)?|\S+)$`)
)

// A line of a page knows whether it is code.
type pageLine struct {
	number int // from 1
	text   string
	code   bool
}

// lines returns the lines of the page but for the fences of code.
func (p page) lines() (list []pageLine) {
	fenced, number := false, 0
	for line := range strings.Lines(p.text) {
		number++
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		list = append(list, pageLine{number, line, fenced || strings.HasPrefix(line, "    ")})
	}
	return list
}

// saved returns the lines of files that the reader saves: what a script runs is no command of the page.
func (p page) saved() map[int]bool {
	lines := make(map[int]bool)
	steps, _ := readSteps(p.text) // TestDocs tells of errors
	for _, s := range steps {
		if f, ok := s.(*docFile); ok {
			for i := range strings.Count(f.Text, "\n") {
				lines[f.Line+1+i] = true
			}
		}
	}
	return lines
}

// anchors returns the anchors of the headings, as GitHub makes them.
func (p page) anchors() map[string]bool {
	anchors := make(map[string]bool)
	for _, line := range p.lines() {
		if m := headingOf().FindStringSubmatch(line.text); m != nil && !line.code {
			slug := strings.ReplaceAll(notSlug().ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
			for n, name := 1, slug; ; n++ {
				if !anchors[slug] {
					anchors[slug] = true
					break
				}
				slug = fmt.Sprintf("%s-%d", name, n)
			}
		}
	}
	return anchors
}

// paragraphs returns the texts of the page, each with the number of its first line.
func (p page) paragraphs() (list []pageLine) {
	open := false
	for _, line := range p.lines() {
		text := strings.TrimSpace(line.text)
		switch {
		case line.code || text == "" || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "#"):
			open = false
		case open && !strings.HasPrefix(text, "- ") && !numbered().MatchString(text):
			list[len(list)-1].text += " " + text
		default:
			list, open = append(list, pageLine{number: line.number, text: text}), true
		}
	}
	return list
}

// problems returns what is wrong with a page, each with its line.
func (p page) problems(pages map[string]page) (list []string) {
	for _, paragraph := range p.paragraphs() {
		for _, sentence := range sentences(codeSpan().ReplaceAllString(paragraph.text, "")) {
			if n := len(strings.Fields(sentence)); n > 30 {
				list = append(list, fmt.Sprintf("%d: a sentence of %d words: %s", paragraph.number, n, sentence))
			}
			if words := heavy().FindString(sentence); words != "" {
				list = append(list, fmt.Sprintf("%d: write a plainer sentence without %q", paragraph.number, words))
			}
		}
	}
	saved := p.saved()
	for i, line := range p.lines() {
		add := func(format string, args ...any) {
			list = append(list, fmt.Sprintf("%d: ", line.number)+fmt.Sprintf(format, args...))
		}
		switch {
		case i == 0 && !strings.HasPrefix(line.text, "# "):
			add("no title")
		case line.code:
			command, _, _ := strings.Cut(strings.TrimSpace(line.text), "  #")
			if command = strings.TrimSpace(command); startsCommand().MatchString(command+" ") && !saved[line.number] && !isRun(command) {
				add("%q is not run: write it as \"$ %s\", or add it to testdata/elsewhere.txt", command, command)
			}
			continue
		}
		for _, m := range codeSpan().FindAllStringSubmatch(line.text, -1) {
			command := strings.TrimSuffix(strings.ReplaceAll(m[1], `\|`, "|"), " …")
			if startsCommand().MatchString(command+" ") && !mentioned().MatchString(command) && !isRun(command) && p.file != "docs/ltlcross-options.md" && p.file != "docs/papers.md" {
				add("%q is not run: add it to testdata/elsewhere.txt", command)
			}
			if !exists(m[1]) {
				add("no test or file %s", m[1])
			}
		}
		for _, m := range nameIn().FindAllStringSubmatch(line.text, -1) {
			if text, err := os.ReadFile("../../" + m[2]); err == nil && !regexp.MustCompile(`\b`+m[1]+`\b`).Match(text) {
				add("no %s in %s", m[1], m[2])
			}
		}
		if n := utf8.RuneCountInString(line.text); n > 100 && !strings.HasPrefix(line.text, "|") && !strings.Contains(line.text, "<img ") && strings.Count(line.text, " ") > 3 {
			add("%d columns: expected at most 100", n)
		}
		for _, m := range linkTo().FindAllStringSubmatch(line.text, -1) {
			if problem := p.link(m[1], pages); problem != "" {
				add("%s", problem)
			}
		}
		for _, m := range spanOf().FindAllStringSubmatch(line.text, -1) {
			if _, err := commandsOf((&app{}).root(nil), strings.ReplaceAll(m[1], `\|`, "|")); err != nil {
				add("%s: %v", m[1], err)
			}
		}
	}
	return list
}

// repositoryNames has the tests of the repository, and its files and folders with any part of their paths in front.
var repositoryNames = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	must.Do(filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if d.Name() == ".git" && d.IsDir() {
			return filepath.SkipDir
		}
		for name := filepath.ToSlash(path); name != ""; _, name, _ = strings.Cut(name, "/") {
			names[name] = true
		}
		return err
	}))
	return names
})

// exists reports whether code that names a test, a file of Go, or what is in a folder of the repository does so rightly.
func exists(code string) bool {
	if m := testNamed().FindStringSubmatch(code); m != nil {
		return testsOfRepository().find(m[1]) != ""
	}
	name := strings.TrimSuffix(code, "/")
	folder, _, inFolder := strings.Cut(name, "/")
	ours := strings.HasSuffix(name, ".go") || inFolder && repositoryNames()["../../"+folder]
	return !ours || !oneName().MatchString(name) || strings.Contains(name, "NAME") || repositoryNames()[name]
}

// isRun reports whether a test runs a command that stands on a page without a dollar sign.
// (TestPapersCommands and TestLtlcrossTable see to their pages.)
func isRun(command string) bool {
	_, ok := small(strings.TrimPrefix(command, "go run ./cmd/"))                                   // TestMeasurements
	return ok || strings.Contains(command, "go test ") || strings.HasPrefix(command, "go doc ") || // TestGoCommands
		elsewhere(command) || slices.Contains(helpExamples(), command)
}

// link returns what is wrong with a link of the page, or "".
func (p page) link(to string, pages map[string]page) string {
	if strings.Contains(to, "://") {
		return ""
	}
	path, anchor, _ := strings.Cut(to, "#")
	file := p.file
	if path != "" {
		file = filepath.ToSlash(filepath.Join(filepath.Dir(p.file), path))
	}
	target, ok := pages[file]
	if !ok {
		if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
			return "no file " + file
		}
		return ""
	}
	if anchor != "" && !target.anchors()[anchor] {
		return fmt.Sprintf("%s has no heading #%s", file, anchor)
	}
	return ""
}
