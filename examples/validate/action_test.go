package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"sigs.k8s.io/yaml"
)

// ours is the name of the action at the root of the repository.
const ours = "xcheck-ltl/xcheck"

// metadata is what action.yml says of its inputs and steps.
type metadata struct {
	Inputs map[string]struct {
		Default string `json:"default"`
	} `json:"inputs"`
	Runs struct {
		Steps []any `json:"steps"`
	} `json:"runs"`
}

func readMetadata(t *testing.T, text []byte) (m metadata) {
	t.Helper()
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// workflow returns a workflow with the steps of the action and the same inputs.
func (m metadata) workflow(t *testing.T) []byte {
	t.Helper()
	inputs := map[string]any{}
	for name := range m.Inputs {
		inputs[name] = map[string]any{"type": "string"}
	}
	text, err := yaml.Marshal(map[string]any{
		"on":   map[string]any{"workflow_call": map[string]any{"inputs": inputs}},
		"jobs": map[string]any{"action": map[string]any{"runs-on": "ubuntu-latest", "steps": m.Runs.Steps}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// composite runs our action. It has one version, main.
func (i *instance) composite(version string, in map[string]string) error {
	m := readMetadata(i.t, read(i.t, "../../action.yml"))
	w, errs := actionlint.Parse(m.workflow(i.t))
	if len(errs) > 0 {
		i.t.Fatal(errs)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	inside := *i
	inside.values = map[string]string{"github.action_path": root}
	for name, value := range i.values {
		if !strings.HasPrefix(name, "steps.") && !strings.HasPrefix(name, "inputs.") {
			inside.values[name] = value
		}
	}
	for name, input := range m.Inputs {
		inside.values["inputs."+name] = input.Default
	}
	for name, value := range in {
		if _, ok := m.Inputs[name]; !ok {
			i.t.Fatalf("the action has no input %s", name)
		}
		inside.values["inputs."+name] = value
	}
	if version != "main" {
		i.t.Errorf("the action has no version %s", version)
	}
	inside.steps(w.Jobs["action"].Steps)
	i.log.WriteString(inside.log.String()[i.log.Len():])
	i.summary = inside.summary
	if inside.failed {
		return fmt.Errorf("the action failed")
	}
	return nil
}

// lintSteps has actionlint check the steps of an action.
func lintSteps(t *testing.T, action []byte) []*actionlint.Error {
	t.Helper()
	return lint(t, readMetadata(t, action).workflow(t))
}

func TestAction(t *testing.T) {
	text := read(t, "../../action.yml")
	for _, e := range lintSteps(t, text) {
		t.Error(e)
	}
	for name := range readMetadata(t, text).Inputs {
		if !strings.Contains(string(text), "inputs."+name) {
			t.Errorf("nothing uses the input %s", name)
		}
	}
}

// TestActionMistakes puts one mistake after the other into the action.
func TestActionMistakes(t *testing.T) {
	text := string(read(t, "../../action.yml"))
	for _, x := range []struct{ old, new, want string }{
		{"inputs.reports }}", "inputs.report }}", "property \"report\" is not defined"},
		{"go-version: '1.26'", "go-versions: '1.26'", "input \"go-versions\" is not defined"},
		{"upload-artifact@v7", "upload-artifact@v3", "too old"},
		{"if: always() &&", "if: alway() &&", "undefined function"},
		{`>>"$GITHUB_PATH"`, ">>$GITHUB_PATH", "SC2086"},
		{"github.action_path", "github.action_folder", "not defined"},
	} {
		if !strings.Contains(text, x.old) {
			t.Errorf("no %q", x.old)
			continue
		}
		var messages []string
		for _, e := range lintSteps(t, []byte(strings.ReplaceAll(text, x.old, x.new))) {
			messages = append(messages, e.Message)
		}
		if all := strings.Join(messages, "\n"); !strings.Contains(all, x.want) {
			t.Errorf("%q for %q: got %q, want %q", x.new, x.old, all, x.want)
		}
	}
}

// TestActionNights runs the workflow with one job for four nights: something is new, it is known,
// there is no history, and the arguments are wrong.
func TestActionNights(t *testing.T) {
	build(t)
	s := newSite(t)
	text := string(read(t, "../github/nightly.yml"))
	// A run draws operators at random: without a seed, one run in twenty has no xor,
	// which is what this translator fails on.
	for _, x := range []struct{ old, new string }{
		{"./mytool --ltl %f", s.config[:len(s.config)-len("nightly.toml")] + "mine %f"},
		{"          time: 5h\n", ""},
		{"            --fail-on-new\n", "            --fail-on-new\n            -n\n            40\n            --seed=1\n"},
	} {
		if !strings.Contains(text, x.old) {
			t.Fatalf("no %q", x.old)
		}
		text = strings.Replace(text, x.old, x.new, 1)
	}
	a := &actions{t: t, repository: s.folder, caches: t.TempDir(), artifacts: t.TempDir(), workspace: filepath.Join(t.TempDir(), "work"), attempt: 1}
	night := func(old, new string) *result {
		w, errs := actionlint.Parse([]byte(strings.Replace(text, old, new, 1)))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		a.run, a.artifacts = a.run+1, t.TempDir()
		return a.start(w)["night"]
	}
	first := night("", "")
	if !first.failed || !strings.Contains(first.summary, "new") {
		t.Errorf("something is new in the first night, and the job does not fail\n%s", first.log)
	}
	for _, file := range []string{"report.md", "report.html", "report.junit.xml", "report.json"} {
		if len(read(t, filepath.Join(a.artifacts, "xcheck-reports", file))) == 0 {
			t.Errorf("%s is empty", file)
		}
	}
	second := night("translators: |", "time: 2s\n          translators: |")
	if !strings.Contains(second.summary, "known") {
		t.Errorf("nothing is known in the second night\n%s\n%s", second.summary, second.log)
	}
	third := night("          translators: |", "          config: nightly.toml\n          history: ''\n          artifact: ''\n          translators: |")
	if !third.failed || strings.Contains(third.summary, "known") {
		t.Errorf("the third night has no history\n%s", third.log)
	}
	if _, err := os.Stat(filepath.Join(a.artifacts, "xcheck-reports")); err == nil {
		t.Error("the third night has an artifact")
	}
	fourth := night("--grind", "--grin")
	if !fourth.failed || !strings.Contains(fourth.log, "--grin") {
		t.Errorf("wrong arguments\n%s", fourth.log)
	}
	if len(a.saved) != 3 { // the history of three nights
		t.Errorf("saved %q", a.saved)
	}
}
