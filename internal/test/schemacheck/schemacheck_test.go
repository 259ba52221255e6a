package schemacheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// An object is an object of JSON.
type object = map[string]any

// An output is what a command line has printed as JSON. If it came to no end, the last document may be
// cut off.
type output struct {
	Args  []string
	Text  string
	Ended bool
}

// schemas are compiled schemas of documents.
type schemas struct {
	*jsonschema.Compiler
	id string
}

// compiler reads docs/schema.json, without other properties than those that it names.
func compiler(file string) (*schemas, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	id := schema.(map[string]any)["$id"].(string)
	return &schemas{c, id}, c.AddResource(id, closed(schema))
}

func (s *schemas) document(name string) (*jsonschema.Schema, error) {
	return s.Compile(s.id + "#/$defs/" + name)
}

// documentName returns the name of the document that a command line prints.
func documentName(args []string) string {
	var words []string
	for i, word := range args {
		if !strings.HasPrefix(word, "-") && (i == 0 || args[i-1] != "--history") {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return ""
	}
	name := words[0]
	switch {
	case slices.Contains(args, "--list-translators"):
		return name + "-list-translators"
	case slices.Contains(args, "--list-shorthands"):
		return name + "-list-shorthands"
	case name == "report" && slices.Contains(args, "--compare"):
		return name + "-compare"
	case name == "history" && len(words) > 1:
		return name + "-" + words[1]
	}
	return name
}

// check checks the documents of an output.
func (o *output) check(s *schemas) error {
	name := documentName(o.Args)
	schema, err := s.document(name)
	if err != nil {
		return fmt.Errorf("no schema of %q: %w", name, err)
	}
	d := json.NewDecoder(strings.NewReader(o.Text))
	d.UseNumber()
	for {
		var document any
		switch err := d.Decode(&document); {
		case errors.Is(err, io.EOF) || err != nil && !o.Ended:
			return nil
		case err != nil:
			return fmt.Errorf("xcheck %s: %w", strings.Join(o.Args, " "), err)
		}
		if err := schema.Validate(document); err != nil {
			return fmt.Errorf("xcheck %s prints JSON that docs/schema.json does not allow: %w", strings.Join(o.Args, " "), err)
		}
	}
}

// closed returns a copy of a schema in which no object has other properties than those that are
// named.
func closed(schema any) any {
	switch x := schema.(type) {
	case object:
		only := object{}
		for key, value := range x {
			only[key] = closed(value)
		}
		if _, ok := x["properties"]; ok {
			only["additionalProperties"] = false
		}
		return only
	case []any:
		list := []any{}
		for _, value := range x {
			list = append(list, closed(value))
		}
		return list
	}
	return schema
}

const file = "../../../docs/schema.json"

func schema(t *testing.T) *schemas {
	t.Helper()
	return must.Get(compiler(file))
}

// TestMain checks the outputs in the folder $XCHECK_TEST_JSON, which the tests of cmd/xcheck leave
// there, instead of the tests.
func TestMain(m *testing.M) {
	folder := os.Getenv("XCHECK_TEST_JSON")
	if folder == "" {
		os.Exit(m.Run())
	}
	if err := check(file, folder); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func check(schema, folder string) error {
	c, err := compiler(schema)
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	var wrong []error
	for _, name := range names {
		var o output
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &o)
		}
		if err == nil {
			err = o.check(c)
		}
		wrong = append(wrong, err)
	}
	return errors.Join(wrong...)
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
