package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	values := map[string]string{"github.run_id": strconv.Itoa(a.run), "github.run_attempt": strconv.Itoa(a.attempt)}
	needed := &result{}
	for _, need := range job.Needs {
		needed.failed = needed.failed || done[need.Value].failed
		for name, value := range done[need.Value].outputs {
			values["needs."+need.Value+".outputs."+name] = value
		}
	}
	all := &result{outputs: map[string]string{}}
	if !a.goesOn(job.If, needed.failed) {
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
		if err := errors.Join(os.RemoveAll(a.workspace), os.Mkdir(a.workspace, 0o777)); err != nil {
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
		for _, step := range job.Steps {
			if i.goesOn(step.If, i.failed) {
				i.step(step)
			}
		}
		for name, output := range job.Outputs {
			all.outputs[name] = i.expand(output.Value.Value, i.values)
		}
		all.failed = all.failed || i.failed
		all.summary += i.summary
		all.log += i.log.String()
	}
	return all
}

// goesOn reports whether a job or a step is run, if something before it has failed or not.
func (a *actions) goesOn(condition *actionlint.String, failed bool) bool {
	if condition == nil {
		return !failed
	}
	switch strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(condition.Value, "${{"), "}}")) {
	case "always()", "!cancelled()":
		return true
	case "failure()":
		return failed
	}
	a.t.Fatalf("if: %s: what does it say?", condition.Value)
	return false
}

var expression = regexp.MustCompile(`\$\{\{\s*(?:fromJSON\()?([\w.-]+)\)?\s*\}\}`)

// expand puts the values of expressions in their places.
func (a *actions) expand(text string, values map[string]string) string {
	expanded := expression.ReplaceAllStringFunc(text, func(x string) string {
		name := expression.FindStringSubmatch(x)[1]
		value, ok := values[name]
		if !ok {
			a.t.Fatalf("%s: nobody knows its value", x)
		}
		return value
	})
	if strings.Contains(expanded, "${{") {
		a.t.Fatalf("%s: what does it say?", expanded)
	}
	return expanded
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
		action, _, _ := strings.Cut(exec.Uses.Value, "@")
		inputs := map[string]string{}
		for name, input := range exec.Inputs {
			inputs[name] = i.expand(input.Value.Value, i.values)
		}
		err = i.action(action, inputs)
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
		i.set("PATH", folder+":"+os.Getenv("PATH"))
	}
	for _, line := range strings.Split(i.file(files, "GITHUB_OUTPUT"), "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			i.values["steps."+step.ID.Value+".outputs."+name] = value
		}
	}
	i.summary += i.file(files, "GITHUB_STEP_SUMMARY")
	return err
}

func (i *instance) file(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		i.t.Fatal(err)
	}
	return string(text)
}

// action does what a published action does.
func (i *instance) action(name string, in map[string]string) error {
	path := filepath.Join(i.workspace, in["path"])
	switch name {
	case "actions/checkout":
		if in["repository"] == "xcheck-ltl/xcheck" {
			root, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			return os.Symlink(root, path)
		}
		return copyAll(i.repository, path)
	case "actions/setup-go":
		_, err := os.Stat(filepath.Join(i.workspace, in["go-version-file"]))
		return err
	case "actions/cache/restore":
		// The newest of those that fit best; none is no failure.
		for _, key := range append([]string{in["key"]}, strings.Fields(in["restore-keys"])...) {
			for k := len(i.saved) - 1; k >= 0; k-- {
				if i.saved[k] == in["key"] || key != in["key"] && strings.HasPrefix(i.saved[k], key) {
					return copyAll(filepath.Join(i.caches, i.saved[k]), filepath.Dir(path))
				}
			}
		}
		return nil
	case "actions/cache/save":
		for _, key := range i.saved {
			if key == in["key"] {
				return fmt.Errorf("%s was saved before", key)
			}
		}
		i.actions.saved = append(i.saved, in["key"])
		return copyFiles(path, filepath.Join(i.caches, in["key"]))
	case "actions/upload-artifact":
		folder := filepath.Join(i.artifacts, in["name"])
		if _, err := os.Stat(folder); err == nil {
			if in["overwrite"] != "true" {
				return fmt.Errorf("there is an artifact %s already", in["name"])
			}
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
		}
		return copyFiles(path, folder)
	case "actions/download-artifact":
		if in["name"] != "" {
			return copyAll(filepath.Join(i.artifacts, in["name"]), path)
		}
		found, err := filepath.Glob(filepath.Join(i.artifacts, in["pattern"]))
		for _, folder := range found {
			to := path
			if in["merge-multiple"] != "true" {
				to = filepath.Join(path, filepath.Base(folder))
			}
			if err := copyAll(folder, to); err != nil {
				return err
			}
		}
		return err
	}
	i.t.Fatalf("%s: what does it do?", name)
	return nil
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
