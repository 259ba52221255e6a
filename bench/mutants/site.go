//go:build unix

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// A Mutation is one small change of a source file.
type Mutation struct {
	File string `json:"file"` // relative to the module
	Line int    `json:"line"`
	Kind Kind   `json:"kind"`
	Old  string `json:"old"`
	New  string `json:"new"`

	source     []byte
	start, end int // of Old in source
}

// A Kind says what a mutation changes.
type Kind string

// The kinds, after the operators that mutation testing has used since Mothra (King and Offutt 1991).
const (
	Operator  Kind = "operator"
	Constant  Kind = "constant"
	Condition Kind = "condition"
	Statement Kind = "statement"
	Arguments Kind = "arguments"
	Rule      Kind = "rule" // of the tables of rewriting rules
)

func (m *Mutation) String() string {
	return fmt.Sprintf("%s:%d: %s: %s → %s", m.File, m.Line, m.Kind, strconv.Quote(m.Old), strconv.Quote(m.New))
}

// text returns the source with the change.
func (m *Mutation) text() []byte {
	return fmt.Appendf(nil, "%s%s%s", m.source[:m.start], m.New, m.source[m.end:])
}

// swaps are the operators that stand for another in a mutant.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
	token.AND: {token.OR}, token.OR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
}

// mutations returns all of a file, in the order of their places. Some may not compile.
func mutations(path, name string) ([]*Mutation, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{files: files, source: source, name: name}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				ast.Inspect(d.Body, f.visit)
			}
		case *ast.GenDecl:
			ast.Inspect(d, f.rules)
		}
	}
	return f.list, nil
}

// A finder collects the mutations of a file.
type finder struct {
	files  *token.FileSet
	source []byte
	name   string
	list   []*Mutation
}

// text returns the source between two places.
func (f *finder) text(from, to token.Pos) string {
	return string(f.source[f.files.Position(from).Offset:f.files.Position(to).Offset])
}

// add adds the mutation that replaces a part of the source.
func (f *finder) add(kind Kind, from, to token.Pos, text string) {
	at := f.files.Position(from)
	f.list = append(f.list, &Mutation{f.name, at.Line, kind, f.text(from, to), text, f.source, at.Offset, f.files.Position(to).Offset})
}

// visit adds the mutations of one node.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, other := range swaps[n.Op] {
			f.add(Operator, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
		}
	case *ast.BasicLit:
		if value, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			f.add(Constant, n.Pos(), n.End(), strconv.Itoa(value+1))
		}
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(Constant, n.Pos(), n.End(), other)
		}
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.CallExpr:
		for i := range max(0, len(n.Args)-1) {
			a, b := n.Args[i], n.Args[i+1]
			if x, y := f.text(a.Pos(), a.End()), f.text(b.Pos(), b.End()); x != y {
				f.add(Arguments, a.Pos(), b.End(), y+f.text(a.End(), b.Pos())+x)
			}
		}
	}
	return true
}

// rules changes an operator of a rewriting rule, which is a name, an equation and a condition, or
// leaves its condition out.
func (f *finder) rules(n ast.Node) bool {
	c, ok := n.(*ast.CompositeLit)
	if !ok || len(c.Elts) != 3 || !strings.Contains(f.text(c.Elts[1].Pos(), c.Elts[1].End()), " = ") {
		return true
	}
	equation, condition := c.Elts[1], c.Elts[2]
	if text := f.text(condition.Pos(), condition.End()); text != `""` {
		f.add(Rule, condition.Pos(), condition.End(), `""`)
	}
	for i, letter := range f.text(equation.Pos(), equation.End()) {
		if other, ok := likeness[letter]; ok {
			at := equation.Pos() + token.Pos(i)
			f.add(Rule, at, at+1, string(other))
		}
	}
	return false
}

// likeness has operators that are easily taken for another.
var likeness = map[rune]rune{'U': 'W', 'W': 'U', 'R': 'M', 'M': 'R', 'F': 'G', 'G': 'F', '&': '|', '|': '&'}

// condition negates a condition. Comparisons have operators of their own.
func (f *finder) condition(c ast.Expr) {
	if _, ok := c.(*ast.BinaryExpr); c != nil && !ok {
		f.add(Condition, c.Pos(), c.End(), "!("+f.text(c.Pos(), c.End())+")")
	}
}

// statements leaves out one of them.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil {
				continue
			}
		default:
			continue
		}
		f.add(Statement, s.Pos(), s.End(), "")
	}
}
