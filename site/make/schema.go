package main

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

// A schema is a JSON Schema, as far as docs/schema.json uses them.
type schema struct {
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Ref         string             `json:"$ref"`
	Type        string             `json:"type"`
	Format      string             `json:"format"`
	Const       any                `json:"const"`
	Enum        []string           `json:"enum"`
	AnyOf       []schema           `json:"anyOf"`
	Items       *schema            `json:"items"`
	Values      *schema            `json:"additionalProperties"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Defs        map[string]*schema `json:"$defs"`
}

// defsPrefix is what a reference to a type has before its name.
const defsPrefix = "#/$defs/"

// schemaPage returns the page of a schema, in Markdown: a table of fields for each document that a
// command prints, and for each type in them. Anchors are the names in $defs: schema.html#run.
func schemaPage(text []byte) (string, error) {
	var all schema
	if err := json.Unmarshal(text, &all); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`---
made: Reference
weight: 1
about: Which fields does the JSON of each command have?
---
# Fields of JSON

All fields of what xcheck prints as JSON, made from [schema.json](schema.json). [JSON](json.md) explains
how to use them. A field that is *optional* may be missing.

## Documents

`)
	names := slices.Sorted(maps.Keys(all.Defs))
	for _, documents := range []bool{true, false} {
		if !documents {
			b.WriteString("## Types\n\n")
		}
		for _, name := range names {
			s := all.Defs[name]
			if (s.Title != "") != documents {
				continue
			}
			title := s.Title
			if !documents {
				title = name
			}
			fmt.Fprintf(&b, "### `%s` {#%s}\n\n", title, name)
			if err := s.describe(&b, all.Defs); err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return b.String(), nil
}

// describe writes what a type is, with a table of its fields. Of alternatives it writes each.
func (s *schema) describe(b *strings.Builder, defs map[string]*schema) error {
	if s.Description != "" {
		fmt.Fprintf(b, "<p>%s</p>\n\n", html.EscapeString(s.Description))
	}
	for i, x := range s.AnyOf {
		if i > 0 {
			b.WriteString("<p>Or:</p>\n\n")
		}
		if err := x.describe(b, defs); err != nil {
			return err
		}
	}
	if s.Properties == nil {
		if len(s.AnyOf) > 0 {
			return nil
		}
		text, err := s.text(defs)
		fmt.Fprintf(b, "<p>%s</p>\n\n", text)
		return err
	}
	b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		text, err := p.text(defs)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !slices.Contains(s.Required, name) {
			text += ", <i>optional</i>"
		}
		about := strings.ReplaceAll(html.EscapeString(p.Description), "|", "&#124;")
		fmt.Fprintf(b, "| `%s` | %s | <span>%s</span> |\n", name, strings.ReplaceAll(text, "|", "&#124;"), about)
	}
	b.WriteString("\n")
	return nil
}

// text returns a type in words, as HTML. References are links.
func (s *schema) text(defs map[string]*schema) (string, error) {
	list := func(schemas []schema) (string, error) {
		var texts []string
		for _, x := range schemas {
			text, err := x.text(defs)
			if err != nil {
				return "", err
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, " or "), nil
	}
	switch {
	case s.Ref != "":
		name, ok := strings.CutPrefix(s.Ref, defsPrefix)
		if !ok || defs[name] == nil {
			return "", fmt.Errorf("no type %s", s.Ref)
		}
		return fmt.Sprintf(`<a href="#%s">%s</a>`, name, name), nil
	case s.Const != nil:
		value, err := json.Marshal(s.Const)
		return fmt.Sprintf("<code>%s</code>", html.EscapeString(string(value))), err
	case len(s.Enum) > 0:
		var values []string
		for _, value := range s.Enum {
			values = append(values, "<code>"+html.EscapeString(value)+"</code>")
		}
		return strings.Join(values, ", "), nil
	case len(s.AnyOf) > 0:
		return list(s.AnyOf)
	case s.Type == "array" && s.Items != nil:
		text, err := list([]schema{*s.Items})
		return "array of " + text, err
	case s.Type == "object" && s.Values != nil:
		text, err := list([]schema{*s.Values})
		return "object of " + text, err
	case s.Format == "date-time":
		return "date and time", nil
	case s.Type == "":
		return "any value", nil
	}
	return html.EscapeString(s.Type), nil
}
