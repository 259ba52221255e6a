package typeschema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// Comments are the comments of types and of their fields, as the sources of a module have them.
// The comment of a field stands above it, or behind it on its line.
type Comments struct {
	module, root string
	packages     map[string]map[string]string // by import path: by Type or Type.Field
}

// NewComments returns the comments of the module of that path, whose sources are in the folder
// root.
func NewComments(module, root string) *Comments {
	return &Comments{module: module, root: root, packages: make(map[string]map[string]string)}
}

// Of returns the comment of a field, or of the type itself if field is empty, as a sentence. Of a
// type, that is the first sentence of its comment, without the name of the type.
func (c *Comments) Of(t reflect.Type, field string) string {
	texts := c.packages[t.PkgPath()]
	if texts == nil {
		texts = c.parse(t.PkgPath())
		c.packages[t.PkgPath()] = texts
	}
	if field == "" {
		return texts[t.Name()]
	}
	return texts[t.Name()+"."+field]
}

// parse returns the comments of a package. Of a type of another module there are none.
func (c *Comments) parse(path string) map[string]string {
	texts := make(map[string]string)
	below, ok := strings.CutPrefix(path, c.module)
	if !ok {
		return texts
	}
	files, err := filepath.Glob(filepath.Join(c.root, filepath.FromSlash(below), "*.go"))
	if err != nil || len(files) == 0 {
		panic(fmt.Sprintf("typeschema: no sources of %s: %v", path, err))
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					addType(texts, d, spec.(*ast.TypeSpec))
				}
			}
			return true
		})
	}
	return texts
}

// addType adds the comments of a type and of its fields.
func addType(texts map[string]string, d *ast.GenDecl, spec *ast.TypeSpec) {
	doc := spec.Doc
	if doc == nil && len(d.Specs) == 1 {
		doc = d.Doc
	}
	named := regexp.MustCompile(`^(An? )?` + spec.Name.Name + ` ((is|are|has|have) )?`)
	first, _, _ := strings.Cut(sentence(named.ReplaceAllString(doc.Text(), "")), ". ")
	texts[spec.Name.Name] = sentence(first)
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		text := f.Doc.Text()
		if text == "" {
			text = f.Comment.Text()
		}
		for _, name := range f.Names {
			texts[spec.Name.Name+"."+name.Name] = sentence(text)
		}
	}
}

// sentence returns a comment on one line, with a capital and a full stop.
//
//	number of [State]s → Number of States.
func sentence(comment string) string {
	words := linked.ReplaceAllString(strings.Join(strings.Fields(comment), " "), "$1")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + strings.TrimRight(words[1:], ".?") + "."
}

var linked = regexp.MustCompile(`\[\*?([\w.]+)\]`)
