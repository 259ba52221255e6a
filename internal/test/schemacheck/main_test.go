package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const file = "../../../docs/schema.json"

func schema(t *testing.T) *schemas {
	t.Helper()
	s, err := compiler(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemas: docs/schema.json is a JSON schema, and so is each of its documents.
func TestSchemas(t *testing.T) {
	var all struct {
		Defs map[string]any `json:"$defs"`
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all.Defs) < 40 {
		t.Fatalf("%d documents, %v", len(all.Defs), err)
	}
	s := schema(t)
	for name := range all.Defs {
		if _, err := s.document(name); err != nil {
			t.Error(err)
		}
	}
}

// TestRefuses: documents that are not as the schema says are found.
func TestRefuses(t *testing.T) {
	s := schema(t)
	for args, text := range map[string]string{
		"eval":           `{"schema_version":1,"holds":"yes"}`,
		"eval f":         `{"schema_version":1}`,
		"eval g":         `{"holds":true}`,
		"eval h":         `{"schema_version":1,"holds":true,"more":1}`,
		"eval i":         `{"schema_version":1,"holds":true}{`,
		"history list":   `{"schema_version":1,"runs":[{}]}`,
		"run":            `{"schema_version":2,"cases":[],"translators":[],"groups":[],"problems":[],"causes":[]}`,
		"no-such":        `{}`,
		"report --x=y z": `{"schema_version":1,"pairs":[]}`,
	} {
		if err := (&output{strings.Fields(args), text, true}).check(s); err == nil {
			t.Errorf("%s: %s is valid", args, text)
		}
	}
	for args, text := range map[string]string{
		"eval":                         `{"schema_version":1,"holds":true}` + "\n",
		"eval f":                       "",
		"report --compare --x=y z":     `{"schema_version":1,"pairs":[]}`,
		"run --list-translators":       `{"schema_version":1,"translators":[]}`,
		"random":                       `{"schema_version":1,"formula":"a","size":1}{"schema_version":1,"operator":"U","weight":2}`,
		"history --history h.db check": `{"schema_version":1,"history":"h.db","whole":true}`,
	} {
		if err := (&output{strings.Fields(args), text, true}).check(s); err != nil {
			t.Errorf("%s: %s: %v", args, text, err)
		}
	}
}
