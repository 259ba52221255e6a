package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/bench/suite"
	"github.com/xcheck-ltl/xcheck/internal/test/typeschema"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

var updateSchema = flag.Bool("update-schema", false, "write docs/schema.json")

const (
	schemaFile = "../../docs/schema.json"
	schemaID   = "https://github.com/xcheck-ltl/xcheck/docs/schema.json"
)

// A runDocument is the JSON of run, aut and report. It is what report.JSON writes.
type runDocument struct {
	// the results of each formula, or of each automaton if these are the inputs
	Cases       []*outcome.Case     `json:"cases"`
	Translators []*report.ToolStats `json:"translators"` // totals of each translator
	// calls that failed alike, and outputs that are odd in the same way, the most frequent first
	Groups []*report.Group `json:"groups"`
	// causes, grouped by who fails and how, the most frequent first
	Problems []outcome.Problem `json:"problems"`
	// failures of one cause, the most frequent first
	Causes []report.Cause `json:"causes"`
	// what was tried, and what one more formula is likely to show
	Power *report.Power `json:"power,omitempty"`
	// what became of the failures of earlier runs; missing without a history
	Regression *outcome.Regression `json:"regression,omitempty"`
	// totals of each run of the history, this one last; missing without a history
	Trend []outcome.Trend `json:"trend,omitempty"`
	// sums over formulas that cases leaves out, of a compacted run; missing otherwise
	Compacted *report.Compacted `json:"compacted,omitempty"`
	// the processes that made the results, in the order in which they started
	Provenance []report.Process `json:"provenance,omitempty"`
	Summary    *report.Counts   `json:"summary,omitempty"` // totals of the run
}

// A failureDocument says who fails, and how.
type failureDocument struct {
	Translators []string `json:"translators"` // names of the translators
	Class       string   `json:"class"`       // what is wrong
}

// documentTypes are the documents of each command, by its name with hyphens.
var documentTypes = map[string][]any{
	"run": {runDocument{}}, "aut": {runDocument{}}, "report": {runDocument{}}, "report-compare": {pairsAnswer{}},
	"run-list-translators": {translatorsAnswer{}}, "aut-list-shorthands": {toolsAnswer{}},
	"eval": {evalAnswer{}, tableAnswer{}}, "accepts": {acceptsAnswer{}, outcome.Explanation{}},
	"empty": {emptyAnswer{}, wordsAnswer{}}, "intersect": {emptyAnswer{}}, "compare": {compareAnswer{}},
	"translate": {automatonAnswer{}}, "complement": {automatonAnswer{}}, "convert": {formatAnswer{}},
	"lint": {lintFinding{}, lintProperties{}}, "grind": {session.Shrunk{}, smallerAnswer{}}, "bisect": {bisected{}},
	"random":   {formulaAnswer{}, weightAnswer{}, automatonAnswer{}, formatAnswer{}},
	"patterns": {pattern{}, patternSet{}}, "merge": {mergedAnswer{}}, "version": {version.Build{}},
	"history-list": {historyList{}}, "history-show": {historyRun{}}, "history-compare": {historyComparison{}},
	"history-groups": {historyGroups{}}, "history-prune": {historyPruned{}}, "history-check": {historyCheck{}}, "history-site": {session.WrittenSite{}},
	"bench-complement": {bench.Row{}, suite.Result{}, suite.Row{}}, "bench-inclusion": {bench.InclusionRow{}, suite.Result{}, suite.Row{}},
	"bench-emptiness": {bench.EmptinessRow{}}, "bench-product": {bench.ProductRow{}}, "bench-improvements": {bench.EffectRow{}},
	"bench-minimal": {bench.MinimalRow{}}, "bench-translate": {bench.TranslationRow{}}, "bench-tight": {bench.TightRow{}}, "bench-order": {bench.OrderRow{}},
}

// makeSchema returns the text of docs/schema.json, as the types have it, with the comments as
// descriptions. Without comments, it needs no sources and can run in any folder.
func makeSchema(comments *typeschema.Comments) ([]byte, error) {
	b := &typeschema.Builder{
		Comments: comments,
		As:       map[reflect.Type]reflect.Type{reflect.TypeFor[outcome.Failure](): reflect.TypeFor[failureDocument]()},
		Enums: map[reflect.Type][]string{
			reflect.TypeFor[outcome.Status]():  enumOf(append(slices.Clone(outcome.Statuses), outcome.Unasked)),
			reflect.TypeFor[outcome.State]():   enumOf(outcome.States),
			reflect.TypeFor[outcome.Verdict](): enumOf([]outcome.Verdict{outcome.Passed, outcome.Failed, outcome.NotDecided}),
			reflect.TypeFor[outcome.Kind]():    enumOf([]outcome.Kind{outcome.Missing, outcome.Extra}),
		},
	}
	documents, all := typeschema.Object{}, []typeschema.Object{}
	for _, name := range slices.Sorted(maps.Keys(documentTypes)) {
		shapes := []typeschema.Object{}
		for _, value := range documentTypes[name] {
			shape := b.Struct(reflect.TypeOf(value))
			shape["properties"].(typeschema.Object)["schema_version"] = typeschema.Object{
				"const": report.SchemaVersion, "description": "Version of this schema. It changes if a field is renamed or removed, or gets another type."}
			shape["required"] = append([]string{"schema_version"}, shape["required"].([]string)...)
			shapes = append(shapes, shape)
		}
		documents[name] = typeschema.Object{"title": "xcheck " + strings.Replace(name, "-", " ", 1) + " --json", "anyOf": shapes}
		all = append(all, typeschema.Object{"$ref": "#/$defs/" + name})
	}
	maps.Copy(documents, b.Defs)
	if len(b.Undescribed) > 0 {
		return nil, fmt.Errorf("types and fields without a comment, which describes them in docs/schema.json: %q", b.Undescribed)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(typeschema.Object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": schemaID,
		"title":       "The JSON of xcheck",
		"description": "The documents that xcheck prints as JSON. #/$defs/COMMAND is the document of one command; docs/json.md explains how to use them.",
		"anyOf":       all, "$defs": documents,
	})
	return text.Bytes(), err
}

func enumOf[T ~string](list []T) (texts []string) {
	for _, x := range list {
		texts = append(texts, string(x))
	}
	return texts
}

// TestSchema: docs/schema.json is what the types of the documents say, with their comments as
// descriptions. After a change, write it with -update-schema. Each command that has --json has a document.
func TestSchema(t *testing.T) {
	got, err := makeSchema(typeschema.NewComments("github.com/xcheck-ltl/xcheck", "../.."))
	if err != nil {
		t.Fatal(err)
	}
	if *updateSchema {
		if err := os.WriteFile(schemaFile, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/schema.json is not what the types say (%v): run go test ./cmd/xcheck -run TestSchema -update-schema", err)
	}
	list := (&app{}).root(nil).Commands()
	for _, c := range list {
		list = append(list, c.Commands()...)
	}
	for _, c := range list {
		name := strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), "xcheck "), " ", "-")
		if c.Flags().Lookup("json") != nil && !c.HasSubCommands() && documentTypes[name] == nil {
			t.Errorf("documentTypes misses %s", name)
		}
	}
	for name := range documentTypes {
		if _, err := documentSchema(name); err != nil {
			t.Error(err)
		}
	}
}

// TestSchemaRefuses: documents that are not as the schema says are found.
func TestSchemaRefuses(t *testing.T) {
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
		if err := checkDocuments(strings.Fields(args), []byte(text), true); err == nil {
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
		if err := checkDocuments(strings.Fields(args), []byte(text), true); err != nil {
			t.Errorf("%s: %s: %v", args, text, err)
		}
	}
}

// compiled is docs/schema.json without other properties than those that it names.
var compiled = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	text, err := makeSchema(nil)
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return c, c.AddResource(schemaID, typeschema.Close(schema))
})

func documentSchema(name string) (*jsonschema.Schema, error) {
	c, err := compiled()
	if err != nil {
		return nil, err
	}
	return c.Compile(schemaID + "#/$defs/" + name)
}

// documentName returns the name in documentTypes of what a command line prints.
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

// checkDocuments checks the documents that a command line has printed. If it came to no end, the
// last one may be cut off.
func checkDocuments(args []string, text []byte, ended bool) error {
	name := documentName(args)
	schema, err := documentSchema(name)
	if err != nil {
		return fmt.Errorf("no schema of %q: %w", name, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		var document any
		switch err := d.Decode(&document); {
		case errors.Is(err, io.EOF) || err != nil && !ended:
			return nil
		case err != nil:
			return fmt.Errorf("xcheck %s: %w", strings.Join(args, " "), err)
		}
		if err := schema.Validate(document); err != nil {
			return fmt.Errorf("xcheck %s prints JSON that docs/schema.json does not allow: %w", strings.Join(args, " "), err)
		}
	}
}

// A recorder keeps what is written, unless that is much.
type recorder struct {
	io.Writer
	text bytes.Buffer
	lost bool
}

func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	const much = 8 << 20
	if r.lost = r.lost || err != nil || r.text.Len()+n > much; !r.lost {
		r.text.Write(p[:n])
	}
	return n, err
}

// runChecked is run for tests: it also checks the JSON against the schema. Other JSON than the
// schema's has status 99.
func runChecked(args []string, in io.Reader, out, errw io.Writer) int {
	file, printed := "", false
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "--json="); ok && name != "-" {
			file = name
		} else if arg == "--json" || ok {
			printed = true
		}
	}
	r := &recorder{Writer: out}
	if printed {
		out = r
	}
	status := run(args, in, out, errw)
	ended := status != outcome.ExitInterrupted && status != outcome.ExitBroken
	text := r.text.Bytes()
	if info, err := os.Stat(file); file != "" && ended && err == nil && info.Mode().IsRegular() && info.Size() < 8<<20 {
		text, _ = os.ReadFile(file)
	} else if !printed || r.lost {
		return int(status)
	}
	if err := checkDocuments(args, text, ended); err != nil {
		fmt.Fprintln(errw, err)
		return 99
	}
	return int(status)
}
