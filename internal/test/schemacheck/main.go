// Command schemacheck compares JSON that xcheck has printed in tests with docs/schema.json. It is called
// with that file and with a folder of outputs.
package main

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

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/xcheck-ltl/xcheck/internal/test/typeschema"
)

// An output is what a command line has printed as JSON. If it came to no end, the last document may be
// cut off.
type output struct {
	Args  []string
	Text  string
	Ended bool
}

func main() {
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
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
	return &schemas{c, id}, c.AddResource(id, typeschema.Close(schema))
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
	case (name == "history" || name == "bench") && len(words) > 1:
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
