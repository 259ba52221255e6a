package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// JSON Schemas (draft 2020-12) are derived from the Go types that encoding/json writes.

// An object is an object of JSON.
type object = map[string]any

// A schemaBuilder derives schemas. The zero schemaBuilder knows only what types say.
type schemaBuilder struct {
	// Enums are the values of types of strings.
	Enums map[reflect.Type][]string
	// As are types that are written as another type is.
	As map[reflect.Type]reflect.Type

	// Comments describe types and their fields; nil for schemas without descriptions.
	Comments *typeComments

	// Defs are the schemas of all structs that were met, by the names of their types.
	Defs object
	// Undescribed are the types and fields that have no comment.
	Undescribed []string
}

var (
	aText = reflect.TypeFor[encoding.TextMarshaler]()
	aTime = reflect.TypeFor[time.Time]()
	raw   = reflect.TypeFor[json.RawMessage]()
)

// Of returns the schema of the values of a type. That of a struct is a reference to Defs, where a
// type is called package.Type.
func (b *schemaBuilder) Of(t reflect.Type) object {
	if as := b.As[t]; as != nil {
		t = as
	}
	switch {
	case t == aTime:
		return object{"type": "string", "format": "date-time"}
	case t == raw:
		return object{}
	case len(b.Enums[t]) > 0:
		return object{"type": "string", "enum": b.Enums[t]}
	case t.Kind() == reflect.Pointer:
		return b.Of(t.Elem())
	case t.Implements(aText) || reflect.PointerTo(t).Implements(aText):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": b.Of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": b.Of(t.Elem())}
	case reflect.Struct:
		return object{"$ref": "#/$defs/" + b.define(t)}
	}
	panic(fmt.Sprintf("typeschema: no schema of %v", t))
}

// define adds a struct to Defs and returns its name there.
func (b *schemaBuilder) define(t reflect.Type) string {
	name := t.String()
	if b.Defs == nil {
		b.Defs = object{}
	}
	if b.Defs[name] == nil {
		b.Defs[name] = object{} // it may contain itself
		b.Defs[name] = b.Struct(t)
	}
	return name
}

// Struct returns the schema of a struct itself. Fields without omitempty or omitzero are required.
func (b *schemaBuilder) Struct(t reflect.Type) object {
	properties, required := object{}, []string{}
	b.fields(t, true, properties, &required)
	schema := object{"type": "object", "properties": properties, "required": required}
	b.describe(schema, t, "")
	return schema
}

// describe adds the comment of a field, or of the type itself if field is empty.
func (b *schemaBuilder) describe(schema object, t reflect.Type, field string) {
	if b.Comments == nil {
		return
	}
	text := b.Comments.Of(t, field)
	if text == "" {
		b.Undescribed = append(b.Undescribed, strings.TrimSuffix(t.String()+"."+field, "."))
	}
	schema["description"] = text
}

func (b *schemaBuilder) fields(t reflect.Type, always bool, properties object, required *[]string) {
	for f := range fieldsOf(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "": // a struct, whose fields are its own; a nil pointer has none
			under := f.Type
			if under.Kind() == reflect.Pointer {
				under = under.Elem()
			}
			b.fields(under, always && f.Type.Kind() != reflect.Pointer, properties, required)
			continue
		case name == "-" || !f.IsExported():
			continue
		case name == "":
			panic(fmt.Sprintf("typeschema: %v.%s has no name in JSON", t, f.Name))
		}
		schema := b.Of(f.Type)
		optional := strings.Contains(options, "omit")
		if f.Type.Kind() == reflect.Pointer && !optional {
			schema = object{"anyOf": []object{schema, {"type": "null"}}}
		}
		b.describe(schema, t, f.Name)
		properties[name] = schema
		if always && !optional {
			*required = append(*required, name)
		}
	}
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// typeComments are the comments of types and of their fields, as the sources of a module have them.
// A field has its comment above it, or at the end of its line.
type typeComments struct {
	module, root string
	packages     map[string]map[string]string // by import path: by Type or Type.Field
}

// newTypeComments returns the comments of the module of that path, whose sources are in the folder
// root.
func newTypeComments(module, root string) *typeComments {
	return &typeComments{module: module, root: root, packages: make(map[string]map[string]string)}
}

// Of returns the comment of a field, or of the type itself if field is empty, as a sentence. Of a
// type, that is the first sentence of its comment, without the name of the type.
func (c *typeComments) Of(t reflect.Type, field string) string {
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
func (c *typeComments) parse(path string) map[string]string {
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
