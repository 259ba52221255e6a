package messages

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/test/prose"
)

// root is the directory of the module.
const root = "../../.."

// rules has the phrases that no message may have.
const rules = root + "/.ci/phrases.yml"

// notRead are directories whose texts no user sees.
var notRead = []string{".git", ".ci", "docs", "examples", "internal/test", "report/browser"}

// tables are files with texts that only the program reads.
var tables = []string{"history/schema.go", "ltl/rules.go", "translators/failure_frames.go", "translators/failure_kinds.go", "translators/guard.go"}

// TestStyle checks the rules of style that a program can check.
func TestStyle(t *testing.T) {
	phrases := prose.Phrases(t, rules)
	for file, list := range collect(t) {
		for _, m := range list {
			for _, problem := range problems(phrases, m) {
				t.Errorf("%s: %s: %s", file, problem, strconv.Quote(m.text))
			}
		}
	}
}

func TestProblems(t *testing.T) {
	phrases := prose.Phrases(t, rules)
	for _, test := range []struct {
		m    message
		want int
	}{
		{message{text: "cannot read %s: %w", isError: true}, 0},
		{message{text: "HOA: no version", isError: true}, 0},
		{message{text: "Cannot read %s: %w", isError: true}, 1},
		{message{text: "cannot read the file.", isError: true}, 1},
		{message{text: "two words, and more of them…", isError: true}, 0},
		{message{text: "trouble of " + "our own"}, 1},
		{message{text: strings.Repeat("word ", 31)}, 1},
		{message{text: strings.Repeat("word ", 29) + "end. " + strings.Repeat("word ", 29)}, 0},
	} {
		if got := problems(phrases, test.m); len(got) != test.want {
			t.Errorf("%+v has %d problems %q, want %d", test.m, len(got), got, test.want)
		}
	}
}

// maxWords is how long a sentence may be.
const maxWords = 30

// problems returns which rules of style a message breaks.
func problems(phrases []prose.Phrase, m message) (list []string) {
	text := strings.Join(strings.Fields(m.text), " ")
	if found, instead := prose.Find(phrases, text); found != "" {
		list = append(list, fmt.Sprintf("%q: write %q", found, instead))
	}
	// An empty line, an item of a list and a colon at the end of a line end a sentence, too.
	for _, sentence := range sentenceEnd.Split(m.text, -1) {
		if n := len(wordLike.FindAllString(sentence, -1)); n > maxWords {
			list = append(list, fmt.Sprintf("a sentence of %d words", n))
		}
	}
	if !m.isError {
		return list
	}
	first, _, _ := strings.Cut(text, " ")
	if r := []rune(first); len(r) > 1 && unicode.IsUpper(r[0]) && !strings.ContainsFunc(string(r[1:]), unicode.IsUpper) {
		list = append(list, "an error that begins with a capital letter")
	}
	if strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "...") {
		list = append(list, "an error that ends with a full stop")
	}
	return list
}

var (
	sentenceEnd = regexp.MustCompile(`[.?!;:]\s|\n\s*\n|\n\s+|\n- `)
	wordLike    = regexp.MustCompile(`[\pL%{][\pL\pN'{}-]*`)
)

// A message is a text for people.
type message struct {
	text    string
	isError bool // an argument of fmt.Errorf or errors.New
}

type list []message

// messages is what collect returns, after its first call.
var messages = map[string]list{}

// collect returns the messages of each file, whose name is relative to the root.
func collect(t *testing.T) map[string]list {
	t.Helper()
	if len(messages) > 0 {
		return messages
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if slices.Contains(notRead, name) || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		var found list
		switch {
		case strings.HasSuffix(name, "_test.go"), slices.Contains(tables, name):
			return nil
		case strings.HasSuffix(name, ".go"):
			found, err = ofGo(path)
		case strings.HasPrefix(name, "report/page/"):
			found, err = ofPage(path)
		}
		if len(found) > 0 {
			messages[name] = found
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// ofGo returns the messages of a Go file.
func ofGo(path string) (list, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	c := &collector{}
	for _, decl := range file.Decls {
		ast.Walk(c.in(context{}), decl)
	}
	return c.found, nil
}

// A context says what the nodes below one are for.
type context struct {
	isError  bool // an argument of a function that makes an error
	printed  bool // texts of one word count, too
	internal bool // nothing counts
}

type collector struct {
	found list
	context
}

func (c *collector) in(ctx context) visitor { return visitor{c, ctx} }

type visitor struct {
	c   *collector
	ctx context
}

// Visit implements [ast.Visitor].
func (v visitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.Field: // it may have a tag
		ast.Walk(v, n.Type)
		return nil
	case *ast.BasicLit:
		v.add(n)
		return nil
	case *ast.BinaryExpr:
		switch n.Op {
		case token.ADD:
			if v.add(n) {
				return nil
			}
		case token.EQL, token.NEQ:
			return v.c.in(context{internal: true})
		}
	case *ast.CaseClause:
		for _, e := range n.List {
			ast.Walk(v.c.in(context{internal: true}), e)
		}
		for _, s := range n.Body {
			ast.Walk(v, s)
		}
		return nil
	case *ast.FuncLit, *ast.FuncDecl:
		return v.c.in(context{})
	case *ast.IndexExpr:
		ast.Walk(v, n.X)
		ast.Walk(v.c.in(context{internal: true}), n.Index)
		return nil
	case *ast.CallExpr:
		ctx := ofCall(n, v.ctx)
		ast.Walk(v.c.in(context{internal: v.ctx.internal}), n.Fun)
		for _, arg := range n.Args {
			ast.Walk(v.c.in(ctx), arg)
		}
		return nil
	case *ast.AssignStmt:
		ctx := v.ctx
		if len(n.Lhs) > 0 && printedNames.MatchString(nameOf(n.Lhs[0])) {
			ctx.printed = true
		}
		for _, e := range n.Rhs {
			ast.Walk(v.c.in(ctx), e)
		}
		return nil
	case *ast.ValueSpec:
		ctx := v.ctx
		if len(n.Names) > 0 && printedNames.MatchString(n.Names[0].Name) {
			ctx.printed = true
		}
		for _, e := range n.Values {
			ast.Walk(v.c.in(ctx), e)
		}
		return nil
	case *ast.KeyValueExpr:
		// The key of a map may be a text; the name of a field is none.
		ast.Walk(v.c.in(context{internal: v.ctx.internal}), n.Key)
		ctx := v.ctx
		ctx.printed = ctx.printed || printedNames.MatchString(nameOf(n.Key))
		ast.Walk(v.c.in(ctx), n.Value)
		return nil
	}
	return v
}

// printedNames match variables and fields that hold texts for people.
var printedNames = regexp.MustCompile(`(?i)^(why|message|text|short|long|example|usage|use|expected|detail|header|head|title|about|hint|note|reason|label|caption|missing)s?$`)

// silent match functions whose arguments nobody reads: they compare, look up or match.
var silent = regexp.MustCompile(`^(strings\.(Has.*|Contains.*|Cut.*|Trim.*|Split.*|Index.*|Replace.*|NewReplacer|EqualFold|Fields.*|Count|Last.*)|` +
	`bytes\..*|regexp\..*|expression|panic|.*\.(Query|QueryRow|QueryContext|QueryRowContext|Exec|ExecContext|Prepare|PrepareContext|exec|query|queryRow|Format|Lookup|Getenv|LookupEnv|Changed|GetBool|GetString|MarkHidden|MarkFlags.*)|` +
	`slices\.Contains|slices\.Index|os\.(Getenv|LookupEnv|Setenv|Open|Create|ReadFile|MkdirTemp|CreateTemp)|exec\.(Command|CommandContext|LookPath)|filepath\..*|must\..*)$`)

// prints match functions that print, or make what is printed.
var prints = regexp.MustCompile(`(?i)^(fmt\.(sprint|fprint|print).*|.*\.?(errorf|errorat|fail|failf|warn|warnf|warning|printf|println|sayf|say|notef|note|usage|usagef|problem|problemf|invalid|unexpected|cells|number|add|keep|paint|line|cut|clause|expected(at)?|expect|unsupported|syntax)|write.?string|.*\.writestring|io\.writestring|.*\.enter)$`)

func ofCall(call *ast.CallExpr, outer context) context {
	name := callee(call.Fun)
	switch {
	case outer.internal || silent.MatchString(name):
		return context{internal: true}
	case name == "fmt.Errorf" || name == "errors.New":
		return context{isError: true, printed: true}
	case prints.MatchString(name):
		return context{printed: true}
	}
	return context{printed: outer.printed && (name == "append" || name == "cmp.Or" || strings.HasPrefix(name, "slices.") || strings.HasPrefix(name, "strings."))}
}

func callee(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return nameOf(e.X) + "." + e.Sel.Name
	}
	return ""
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return nameOf(e.X)
	}
	return ""
}

// add adds the text of a literal, or of a chain of them, if it is for people. It reports whether
// the node is done with.
func (v visitor) add(n ast.Expr) bool {
	if v.ctx.internal {
		return true
	}
	text, rest, literal := joined(n)
	if !literal {
		return false
	}
	if isText(text, v.ctx.printed) {
		v.c.found = append(v.c.found, message{text, v.ctx.isError})
	}
	for _, e := range rest {
		ast.Walk(v.c.in(context{printed: v.ctx.printed}), e)
	}
	return true
}

// joined returns the text of a chain of literals with {} for what is no literal, which it returns,
// too; and whether there is a literal.
func joined(e ast.Expr) (text string, rest []ast.Expr, literal bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", nil, false
		}
		text, err := strconv.Unquote(e.Value)
		return text, nil, err == nil
	case *ast.ParenExpr:
		return joined(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			x, restX, literalX := joined(e.X)
			y, restY, literalY := joined(e.Y)
			return x + y, append(restX, restY...), literalX || literalY
		}
	}
	return "{}", []ast.Expr{e}, false
}

var (
	sql       = regexp.MustCompile(`(?s)^(; )?\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|ALTER|DROP|BEGIN|VACUUM|ATTACH|DETACH|REINDEX|ANALYZE|AND|FROM|WHERE|JOIN|ORDER|VALUES)\b`)
	twoWords  = regexp.MustCompile(`\pL{2,}[,:;.)"']* [("'%]*\pL`)
	oneWord   = regexp.MustCompile(`\pL{3,}`)
	verbsOnly = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)
	addition  = regexp.MustCompile(`^ \(\pL{3,}.*\)$`) // to a name
	drawing   = regexp.MustCompile(`\[(shape|label|style)=|^digraph |^(node|edge) \[|--\w+: #`)
	technical = regexp.MustCompile(`^[a-z0-9]+([_./-][a-z0-9.]+)+$`)
)

// isText reports whether a literal is a text for people: two words, or one that is printed.
func isText(text string, printed bool) bool {
	if sql.MatchString(text) || drawing.MatchString(text) {
		return false
	}
	text = tag.ReplaceAllString(text, " ")
	bare := strings.ReplaceAll(verbsOnly.ReplaceAllString(text, ""), "{}", "")
	if addition.MatchString(bare) {
		return true
	}
	if twoWords.MatchString(text) && oneWord.MatchString(bare) {
		return true
	}
	return printed && oneWord.MatchString(bare) && !technical.MatchString(text)
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
	attribute = regexp.MustCompile(`(?:title|aria-label|placeholder|alt)="([^"]*)"`)
	jsText    = regexp.MustCompile("'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
)

// ofPage returns the texts of the HTML page: of its template and of its script.
func ofPage(path string) (list, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found list
	add := func(text string, printed bool) {
		if text = strings.Join(strings.Fields(text), " "); isText(text, printed) {
			found = append(found, message{text: text})
		}
	}
	switch filepath.Ext(path) {
	case ".html":
		page := action.ReplaceAllString(string(b), "{}")
		for _, m := range attribute.FindAllStringSubmatch(page, -1) {
			add(m[1], true)
		}
		for _, text := range tag.Split(page, -1) {
			add(text, true)
		}
	case ".js":
		for _, text := range jsText.FindAllString(string(b), -1) {
			add(text[1:len(text)-1], false)
		}
	}
	return found, nil
}
