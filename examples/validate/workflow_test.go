package validate

import (
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

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
	for _, name := range []string{"nightly.yml", "shards.yml"} {
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

// TestWorkflowMistakes puts one mistake after the other into the workflow.
func TestWorkflowMistakes(t *testing.T) {
	text := string(read(t, "../github/shards.yml"))
	for _, x := range []struct{ old, new, want string }{
		{"runs-on:", "run-on:", "unexpected key \"run-on\""},
		{"needs: history", "needs: histories", "does not exist"},
		{"matrix.shard }}", "matrix.shards }}", "property \"shards\" is not defined"},
		{"steps.list.outputs", "steps.lists.outputs", "property \"lists\" is not defined"},
		{"needs.history.outputs.shards", "needs.history.outputs.parts", "property \"parts\" is not defined"},
		{"upload-artifact@v7", "upload-artifact@v3", "too old"},
		{"merge-multiple:", "merge-several:", "input \"merge-several\" is not defined"},
		{"17 1 * * *", "17 25 * * *", "invalid CRON"},
		{"if: ${{ !cancelled() }}", "if: ${{ !canceled() }}", "undefined function"},
		{"fail-fast: false", "fail-fast: never", "or boolean literal"},
		{`cat "$NIGHT/report.md"`, `cat $NIGHT/report.md`, "SC2086"},
		{"contents: read", "contents: reads", "is invalid as permission"},
	} {
		if !strings.Contains(text, x.old) {
			t.Errorf("no %q", x.old)
			continue
		}
		var messages []string
		for _, e := range lint(t, []byte(strings.Replace(text, x.old, x.new, 1))) {
			messages = append(messages, e.Message)
		}
		if all := strings.Join(messages, "\n"); !strings.Contains(all, x.want) {
			t.Errorf("%q for %q: got %q, want %q", x.new, x.old, all, x.want)
		}
	}
}
