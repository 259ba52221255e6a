// Package typeschema derives JSON Schemas (draft 2020-12) from the Go types that encoding/json
// writes, for tests.
package typeschema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// An Object is an object of JSON.
type Object = map[string]any

// A Builder derives schemas. The zero Builder knows only what types say.
type Builder struct {
	// Enums are the values of types of strings.
	Enums map[reflect.Type][]string
	// As are types that are written as another type is.
	As map[reflect.Type]reflect.Type

	// Comments describe types and their fields; nil for schemas without descriptions.
	Comments *Comments

	// Defs are the schemas of all structs that were met, by the names of their types.
	Defs Object
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
func (b *Builder) Of(t reflect.Type) Object {
	if as := b.As[t]; as != nil {
		t = as
	}
	switch {
	case t == aTime:
		return Object{"type": "string", "format": "date-time"}
	case t == raw:
		return Object{}
	case len(b.Enums[t]) > 0:
		return Object{"type": "string", "enum": b.Enums[t]}
	case t.Kind() == reflect.Pointer:
		return b.Of(t.Elem())
	case t.Implements(aText) || reflect.PointerTo(t).Implements(aText):
		return Object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return Object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Object{"type": "integer", "minimum": 0}
	case reflect.Slice, reflect.Array:
		return Object{"type": "array", "items": b.Of(t.Elem())}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": b.Of(t.Elem())}
	case reflect.Struct:
		return Object{"$ref": "#/$defs/" + b.define(t)}
	}
	panic(fmt.Sprintf("typeschema: no schema of %v", t))
}

// define adds a struct to Defs and returns its name there.
func (b *Builder) define(t reflect.Type) string {
	name := t.String()
	if b.Defs == nil {
		b.Defs = Object{}
	}
	if b.Defs[name] == nil {
		b.Defs[name] = Object{} // it may contain itself
		b.Defs[name] = b.Struct(t)
	}
	return name
}

// Struct returns the schema of a struct itself. Fields without omitempty or omitzero are required.
func (b *Builder) Struct(t reflect.Type) Object {
	properties, required := Object{}, []string{}
	b.fields(t, true, properties, &required)
	schema := Object{"type": "object", "properties": properties, "required": required}
	b.describe(schema, t, "")
	return schema
}

// describe adds the comment of a field, or of the type itself if field is empty.
func (b *Builder) describe(schema Object, t reflect.Type, field string) {
	if b.Comments == nil {
		return
	}
	text := b.Comments.Of(t, field)
	if text == "" {
		b.Undescribed = append(b.Undescribed, strings.TrimSuffix(t.String()+"."+field, "."))
	}
	schema["description"] = text
}

func (b *Builder) fields(t reflect.Type, always bool, properties Object, required *[]string) {
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
			schema = Object{"anyOf": []Object{schema, {"type": "null"}}}
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

// Close returns a copy of a schema in which no object has other properties than those that are
// named.
func Close(schema any) any {
	switch x := schema.(type) {
	case Object:
		closed := Object{}
		for key, value := range x {
			closed[key] = Close(value)
		}
		if _, ok := x["properties"]; ok {
			closed["additionalProperties"] = false
		}
		return closed
	case []any:
		list := []any{}
		for _, value := range x {
			list = append(list, Close(value))
		}
		return list
	}
	return schema
}
