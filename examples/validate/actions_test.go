// Package validate checks the example files that spread a night over several machines.
//
// The Kubernetes manifests go through the API server's own parser and validation, and through the
// admission checks of a restricted namespace. actionlint checks the GitHub Actions workflow.
//
// The tests also run both examples, without Kubernetes and without GitHub. Local processes do the
// work of the containers and steps, with the same environment, volumes and artifacts.
package validate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"sigs.k8s.io/yaml"
)

// actions runs a workflow as GitHub Actions would: each job in a folder of its own, with
// the steps' scripts run by bash, and what the few actions do that the example uses.
type actions struct {
	t          *testing.T
	repository string // what checkout gets, if it is not told another one
	artifacts  string // of this run of the workflow, one folder each
	caches     string // of all runs, one folder each
	workspace  string // in which each job begins with nothing, as it has the same path on all machines
	saved      []string
	run        int
	attempt    int
	// before, if not nil, is called before each script.
	before func(job, step string, cmd *exec.Cmd)
}

// An instance is a job, with one choice of its matrix.
type instance struct {
	*actions
	name    string
	values  map[string]string // of expressions
	env     map[string]string
	failed  bool
	summary string
	log     strings.Builder
}

// A result is what a job came to.
type result struct {
	failed  bool
	outputs map[string]string
	summary string
	log     string
}

// start runs all jobs of a workflow, each when those that it needs are done.
func (a *actions) start(w *actionlint.Workflow) map[string]*result {
	a.t.Helper()
	done := map[string]*result{}
	for len(done) < len(w.Jobs) {
		before := len(done)
	jobs:
		for id, job := range w.Jobs {
			if done[id] != nil {
				continue
			}
			for _, need := range job.Needs {
				if done[need.Value] == nil {
					continue jobs
				}
			}
			done[id] = a.job(w, job, done)
		}
		if len(done) == before {
			a.t.Fatal("the jobs need each other")
		}
	}
	return done
}

// job runs a job once for each choice of its matrix.
func (a *actions) job(w *actionlint.Workflow, job *actionlint.Job, done map[string]*result) *result {
	a.t.Helper()
	values := map[string]string{
		"github.run_id": strconv.Itoa(a.run), "github.run_attempt": strconv.Itoa(a.attempt),
		"runner.temp": a.temp(), "runner.os": "Linux", "runner.arch": "X64",
	}
	needed := &result{}
	for _, need := range job.Needs {
		needed.failed = needed.failed || done[need.Value].failed
		for name, value := range done[need.Value].outputs {
			values["needs."+need.Value+".outputs."+name] = value
		}
	}
	all := &result{outputs: map[string]string{}}
	if !a.goesOn(job.If, values, needed.failed) {
		all.failed = true
		return all
	}
	shards := []int{0}
	if job.Strategy != nil {
		text := a.expand(job.Strategy.Matrix.Rows["shard"].Expression.Value, values)
		if err := json.Unmarshal([]byte(text), &shards); err != nil {
			a.t.Fatalf("matrix %q: %v", text, err)
		}
	}
	for _, shard := range shards {
		if err := errors.Join(os.RemoveAll(a.workspace), os.RemoveAll(a.temp()), os.Mkdir(a.workspace, 0o777), os.Mkdir(a.temp(), 0o777)); err != nil {
			a.t.Fatal(err)
		}
		i := &instance{actions: a, name: job.ID.Value, values: map[string]string{}, env: map[string]string{}}
		for name, value := range values {
			i.values[name] = value
		}
		if shard > 0 {
			i.name = fmt.Sprintf("%s %d", job.ID.Value, shard)
			i.values["matrix.shard"] = strconv.Itoa(shard)
		}
		i.add(w.Env)
		i.add(job.Env)
		i.steps(job.Steps)
		for name, output := range job.Outputs {
			all.outputs[name] = i.expand(output.Value.Value, i.values)
		}
		all.failed = all.failed || i.failed
		all.summary += i.summary
		all.log += i.log.String()
	}
	return all
}

// add puts variables into the environment.
func (i *instance) add(env *actionlint.Env) {
	if env == nil {
		return
	}
	for _, v := range env.Vars {
		i.set(v.Name.Value, i.expand(v.Value.Value, i.values))
	}
}

func (i *instance) set(name, value string) {
	i.env[name] = value
	i.values["env."+name] = value
}

// temp is the folder for temporary files of a job.
func (a *actions) temp() string { return filepath.Join(filepath.Dir(a.workspace), "temp") }

func (i *instance) steps(steps []*actionlint.Step) {
	for _, step := range steps {
		if i.goesOn(step.If, i.values, i.failed) {
			i.step(step)
		}
	}
}

func (i *instance) step(step *actionlint.Step) {
	name := step.Pos.String()
	if step.Name != nil {
		name = step.Name.Value
	}
	var err error
	switch exec := step.Exec.(type) {
	case *actionlint.ExecRun:
		err = i.script(step, name, exec.Run.Value)
	case *actionlint.ExecAction:
		action, version, _ := strings.Cut(exec.Uses.Value, "@")
		inputs := map[string]string{}
		for name, input := range exec.Inputs {
			inputs[name] = i.expand(input.Value.Value, i.values)
		}
		if action == ours {
			err = i.composite(version, inputs)
			break
		}
		var outputs map[string]string
		outputs, err = i.action(action, inputs)
		for name, value := range outputs {
			i.output(step, name, value)
		}
	}
	if err != nil {
		fmt.Fprintf(&i.log, "%s: %s: %v\n", i.name, name, err)
		i.failed = true
	}
}

// script runs a step's script, and reads the files by which it says something.
func (i *instance) script(step *actionlint.Step, name, text string) error {
	files := i.t.TempDir()
	cmd := exec.Command("bash", "-e", "-c", i.expand(text, i.values))
	cmd.Dir = i.workspace
	cmd.Env = append(os.Environ(), "GITHUB_WORKSPACE="+i.workspace)
	for name, value := range i.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if step.Env != nil {
		for _, v := range step.Env.Vars {
			cmd.Env = append(cmd.Env, v.Name.Value+"="+i.expand(v.Value.Value, i.values))
		}
	}
	for _, name := range []string{"GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		file := filepath.Join(files, name)
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			return err
		}
		cmd.Env = append(cmd.Env, name+"="+file)
	}
	cmd.Stdout, cmd.Stderr = &i.log, &i.log
	if i.before != nil {
		i.before(i.name, name, cmd)
	}
	err := cmd.Run()
	for _, folder := range strings.Fields(i.file(files, "GITHUB_PATH")) {
		i.set("PATH", folder+":"+cmp.Or(i.env["PATH"], os.Getenv("PATH")))
	}
	for _, line := range strings.Split(i.file(files, "GITHUB_OUTPUT"), "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			i.output(step, name, value)
		}
	}
	i.summary += i.file(files, "GITHUB_STEP_SUMMARY")
	return err
}

// output sets an output of a step that has a name.
func (i *instance) output(step *actionlint.Step, name, value string) {
	if step.ID != nil {
		i.values["steps."+step.ID.Value+".outputs."+name] = value
	}
}

func (i *instance) file(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		i.t.Fatal(err)
	}
	return string(text)
}

// action does what a published action does, and returns its outputs.
func (i *instance) action(name string, in map[string]string) (outputs map[string]string, err error) {
	path := in["path"]
	if !filepath.IsAbs(path) {
		path = filepath.Join(i.workspace, path)
	}
	switch name {
	case "actions/checkout":
		return nil, copyAll(i.repository, path)
	case "actions/setup-go":
		if in["go-version"] == "" {
			return nil, errors.New("no version of Go")
		}
		return nil, nil
	case "actions/cache/restore":
		// The newest of the caches that fit best; it is no failure if none fits.
		for _, key := range append([]string{in["key"]}, strings.Fields(in["restore-keys"])...) {
			for k := len(i.saved) - 1; k >= 0; k-- {
				if i.saved[k] == in["key"] || key != in["key"] && strings.HasPrefix(i.saved[k], key) {
					return map[string]string{"cache-hit": fmt.Sprint(i.saved[k] == in["key"])}, restore(filepath.Join(i.caches, i.saved[k]), path)
				}
			}
		}
		return nil, nil
	case "actions/cache/save":
		for _, key := range i.saved {
			if key == in["key"] {
				return nil, fmt.Errorf("%s was saved before", key)
			}
		}
		i.actions.saved = append(i.saved, in["key"])
		return nil, copyFiles(contents(path), filepath.Join(i.caches, in["key"]))
	case "actions/upload-artifact":
		folder := filepath.Join(i.artifacts, in["name"])
		if _, err := os.Stat(folder); err == nil {
			if in["overwrite"] != "true" {
				return nil, fmt.Errorf("there is an artifact %s already", in["name"])
			}
			if err := os.RemoveAll(folder); err != nil {
				return nil, err
			}
		}
		return nil, copyFiles(contents(path), folder)
	case "actions/download-artifact":
		if in["name"] != "" {
			return nil, copyAll(filepath.Join(i.artifacts, in["name"]), path)
		}
		found, err := filepath.Glob(filepath.Join(i.artifacts, in["pattern"]))
		for _, folder := range found {
			to := path
			if in["merge-multiple"] != "true" {
				to = filepath.Join(path, filepath.Base(folder))
			}
			if err := copyAll(folder, to); err != nil {
				return nil, err
			}
		}
		return nil, err
	}
	i.t.Fatalf("%s: what does it do?", name)
	return nil, nil
}

// contents returns the pattern of what is saved of a path: of a folder, its files.
func contents(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "*")
	}
	return path
}

// restore copies what was saved of a path, a file with a pattern or a folder, to its place.
func restore(from, path string) error {
	if filepath.Ext(strings.TrimSuffix(path, "*")) == "" {
		return copyAll(from, path)
	}
	return copyAll(from, filepath.Dir(path))
}

// copyFiles copies the files that fit a pattern into a folder.
func copyFiles(pattern, folder string) error {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(file)), text, 0o777); err != nil {
			return err
		}
	}
	return nil
}

// copyAll copies the files of one folder into another.
func copyAll(from, to string) error {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	return copyFiles(filepath.Join(from, "*"), to)
}

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

func TestAction(t *testing.T) {
	text := read(t, "../../action.yml")
	for _, e := range lint(t, readMetadata(t, text).workflow(t)) {
		t.Error(e)
	}
	for name := range readMetadata(t, text).Inputs {
		if !strings.Contains(string(text), "inputs."+name) {
			t.Errorf("nothing uses the input %s", name)
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

// lint has actionlint check a workflow, and shellcheck the scripts in it.
func lint(t *testing.T, text []byte) []*actionlint.Error {
	t.Helper()
	shellcheck, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Fatal("expected shellcheck to be installed: ", err)
	}
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{Shellcheck: shellcheck})
	if err != nil {
		t.Fatal(err)
	}
	project, err := actionlint.NewProject("../..")
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint("nightly.yml", text, project)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestWorkflows has actionlint compare the workflows with our action, too: it reads the metadata
// of an action that is in the same repository.
func TestWorkflows(t *testing.T) {
	for _, name := range []string{"nightly.yml", "proofs.yml", "shards.yml"} {
		text := string(read(t, "../github/"+name))
		for _, e := range lint(t, []byte(text)) {
			t.Errorf("%s: %v", name, e)
		}
		local := regexp.MustCompile(ours+`@[\w.]+`).ReplaceAllString(text, "./")
		for _, e := range lint(t, []byte(local)) {
			t.Errorf("%s, with action.yml: %v", name, e)
		}
		wrong := regexp.MustCompile(`install-only: true|time: 5h`).ReplaceAllString(local, "until: 06:00")
		if errs := lint(t, []byte(wrong)); len(errs) == 0 || !strings.Contains(errs[0].Message, `input "until" is not defined`) {
			t.Errorf("%s: a wrong input: %v", name, errs)
		}
	}
}
