package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/omega"
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
	Causes []*outcome.Cause `json:"causes"`
	// what was tried, and what one more formula is likely to show
	Power *report.Power `json:"power,omitempty"`
	// what became of the failures of earlier runs; missing without a history
	Regression *outcome.Regression `json:"regression,omitempty"`
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
	"eval": {evalAnswer{}}, "accepts": {acceptsAnswer{}, outcome.Explanation{}}, "prove": {proofAnswer{}}, "verify": {proofAnswer{}},
	"empty": {emptyAnswer{}, wordsAnswer{}}, "intersect": {emptyAnswer{}}, "compare": {compareAnswer{}},
	"translate": {automatonAnswer{}}, "complement": {automatonAnswer{}}, "convert": {formatAnswer{}},
	"lint": {lintFinding{}, lintProperties{}}, "grind": {session.Shrunk{}, smallerAnswer{}},
	"random":   {formulaAnswer{}, weightAnswer{}, automatonAnswer{}, formatAnswer{}},
	"patterns": {pattern{}, patternSet{}}, "merge": {mergedAnswer{}}, "version": {version.Build{}},
	"history-list": {historyList{}}, "history-show": {historyRun{}}, "history-compare": {historyComparison{}},
	"history-groups": {historyGroups{}}, "history-prune": {historyPruned{}}, "history-check": {historyCheck{}}, "history-site": {session.WrittenSite{}},
}

// makeSchema returns the text of docs/schema.json, as the types have it, with the comments as
// descriptions. Without comments, it needs no sources and can run in any folder.
func makeSchema(comments *typeComments) ([]byte, error) {
	b := &schemaBuilder{
		Comments: comments,
		As:       map[reflect.Type]reflect.Type{reflect.TypeFor[outcome.Failure](): reflect.TypeFor[failureDocument]()},
		Enums: map[reflect.Type][]string{
			reflect.TypeFor[outcome.Status]():  enumOf(append(slices.Clone(outcome.Statuses()), outcome.Unasked)),
			reflect.TypeFor[outcome.State]():   enumOf(outcome.States()),
			reflect.TypeFor[outcome.Verdict](): enumOf([]outcome.Verdict{outcome.Passed, outcome.Failed, outcome.NotDecided}),
			reflect.TypeFor[outcome.Kind]():    enumOf([]outcome.Kind{outcome.Missing, outcome.Extra}),
		},
	}
	documents, all := object{}, []object{}
	for _, name := range slices.Sorted(maps.Keys(documentTypes)) {
		shapes := []object{}
		for _, value := range documentTypes[name] {
			shape := b.Struct(reflect.TypeOf(value))
			shape["properties"].(object)["schema_version"] = object{
				"const": 1, "description": "Version of this schema. It changes if a field is renamed or removed, or gets another type."}
			shape["required"] = append([]string{"schema_version"}, shape["required"].([]string)...)
			shapes = append(shapes, shape)
		}
		documents[name] = object{"title": "xcheck " + strings.Replace(name, "-", " ", 1) + " --json", "anyOf": shapes}
		all = append(all, object{"$ref": "#/$defs/" + name})
	}
	if comments != nil { // of automata that are summed up
		for f := range fieldsOf(reflect.TypeFor[omega.Totals]()) {
			x := b.Defs["report.ToolStats"].(object)["properties"].(object)[f.Tag.Get("json")].(object)
			text := strings.Replace(x["description"].(string), "edges, each counted once for each letter", "transitions", 1)
			x["description"] = strings.TrimSuffix(text, ".") + " of all automata."
		}
	}
	maps.Copy(documents, b.Defs)
	if len(b.Undescribed) > 0 {
		return nil, fmt.Errorf("types and fields without a comment, which describes them in docs/schema.json: %q", b.Undescribed)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(object{
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
	got := must.Get(makeSchema(newTypeComments("github.com/xcheck-ltl/xcheck", "../..")))
	if *updateSchema {
		must.Do(os.WriteFile(schemaFile, got, 0o666))
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
		if c.Flags().Lookup("json") != nil && !c.HasSubCommands() && documentTypes[name] == nil && name != "ltlcross" { // its JSON is Spot's
			t.Errorf("documentTypes misses %s", name)
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

// jsonFolder is the variable with the folder in which run for tests leaves the JSON that it has
// written, for the test of package schemacheck.
const jsonFolder = "XCHECK_TEST_JSON"

// runChecked is run for tests: it also keeps the JSON.
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
	if len(text) == 0 {
		return int(status)
	}
	kept, err := json.Marshal(map[string]any{"Args": args, "Text": string(text), "Ended": ended})
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Getenv(jsonFolder), fmt.Sprintf("%x", rand.Uint64())), kept, 0o666)
	}
	if err != nil {
		fmt.Fprintln(errw, err)
		return 99
	}
	return int(status)
}

// checkJSON runs the tests with a folder for JSON, and then compares what is in it with
// docs/schema.json. That is a test of another package: the library for schemas takes longer to start
// than xcheck, and the tests start xcheck hundreds of times.
func checkJSON(tests func() int) int {
	dir, err := os.MkdirTemp("", "xcheck-json-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o777) // some tests run as somebody else
	os.Setenv(jsonFolder, dir)
	code := tests()
	check := exec.Command("go", "test", "-count=1", "github.com/xcheck-ltl/xcheck/internal/test/schemacheck")
	if text, err := check.CombinedOutput(); err != nil {
		fmt.Printf("FAIL: %v\n%s", err, text)
		return max(code, 1)
	}
	return code
}
