package validate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
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
		// The newest of those that fit best; none is no failure.
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
