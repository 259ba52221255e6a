package validate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rhysd/actionlint"
)

// TestKubernetes runs three nights: in the second a translator is broken, in the third it still is.
func TestKubernetes(t *testing.T) {
	bin := build(t)
	nightly, err := filepath.Abs("../nightly")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "kubectl")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+nightly+":"+os.Getenv("PATH"))
	folder := t.TempDir()
	t.Setenv(asKubectl, folder)
	t.Setenv("XCHECK_POLL", "0.1")
	s := newSite(t)
	volume := cluster(folder).object("volume", "xcheck")
	history := filepath.Join(volume, "xcheck.db")

	for _, night := range []struct {
		name, seed string
		broken     bool
		status     int
		say        string
	}{
		{"2026-11-20", "20261120", false, 1, "1 new"},
		{"2026-11-21", "20261121", true, 1, "1 new"},
		{"2026-11-22", "20261122", true, 0, "2 known"},
		{"2026-11-23", "20261123", false, 0, "1 fixed"},
	} {
		os.Remove(s.broken)
		if night.broken {
			s.write(s.broken, "")
		}
		before := filepath.Join(t.TempDir(), "xcheck.db")
		if _, err := os.Stat(history); err == nil {
			if out, err := exec.Command("xcheck", "merge", "--into", before, history).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		cmd := exec.Command("../kubernetes/submit.sh", s.config, night.name, night.seed)
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != night.status || !strings.Contains(string(out), night.say) {
			t.Fatalf("night %s: status %d, want %d and %q\n%s", night.name, status, night.status, night.say, out)
		}
		same(t, read(t, filepath.Join(volume, "nights", night.name, "report.json")), s.alone("xcheck", filepath.Join(cluster(folder).object("mounted", "xcheck-night"), "nightly.toml"), before, night.name, night.seed))
	}
}

// TestShardStops takes the machine away from a shard: the second call goes on.
func TestShardStops(t *testing.T) {
	build(t)
	s := newSite(t)
	shard := func() (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command("../nightly/shard.sh", "2/3", s.config, filepath.Join(s.folder, "xcheck.db"), filepath.Join(s.folder, "night"), "--seed", "7")
		out := new(bytes.Buffer)
		cmd.Stdout, cmd.Stderr = out, out
		return cmd, out
	}
	s.write(s.stuck, "") // the first call cannot come to its end before it is stopped
	first, out := shard()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 {
		if info, err := os.Stat(s.stuck); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	os.Remove(s.stuck)
	if status := first.ProcessState.ExitCode(); status != 130 {
		t.Fatalf("status %d of a shard that is stopped, want 130\n%s", status, out)
	}
	for _, want := range []string{"resuming run", "has come to its end before"} {
		again, out := shard()
		if err := again.Run(); err != nil || !strings.Contains(out.String(), want) {
			t.Fatalf("%v, want %q\n%s", err, want, out)
		}
	}
}

// TestActions runs the workflow on two nights, and the first once more after a shard was cut
// off.
func TestActions(t *testing.T) {
	build(t)
	w, errs := actionlint.Parse(read(t, "../github/shards.yml"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := newSite(t)
	a := &actions{t: t, repository: s.folder, caches: t.TempDir(), artifacts: t.TempDir(), workspace: filepath.Join(t.TempDir(), "work"), run: 19570000001, attempt: 1}

	// The job of shard 2 is cut off before it begins.
	a.before = func(job, step string, cmd *exec.Cmd) {
		if job == "shards 2" && step == "Run the shard" {
			*cmd = *exec.Command("false")
		}
	}
	done := a.start(w)
	if !done["shards"].failed || !done["report"].failed || !strings.Contains(done["report"].log, "shard 2 of 4 is missing") {
		t.Fatalf("a shard is missing, and nobody says so\n%s", done["report"].log)
	}
	a.attempt, a.before = 2, nil
	done = a.start(w)
	if !strings.Contains(done["shards"].log, "shard 1/4 of nights/night-19570000001 has come to its end before") {
		t.Errorf("shard 1 was not kept\n%s", done["shards"].log)
	}
	report := func() []byte { return read(t, filepath.Join(a.artifacts, "report", "report.json")) }
	same(t, report(), s.alone(filepath.Join(a.temp(), "xcheck-program", "xcheck"), "nightly.toml", filepath.Join(t.TempDir(), "xcheck.db"), "night-19570000001", "19570000001"))
	if !done["report"].failed || !strings.Contains(done["report"].summary, "new") {
		t.Errorf("something is new, and the report does not fail\n%s", done["report"].log)
	}
	for _, file := range []string{"report.md", "report.html", "report.junit.xml", "report.txt"} {
		if len(read(t, filepath.Join(a.artifacts, "report", file))) == 0 {
			t.Errorf("%s is empty", file)
		}
	}

	// Nothing is new in the next night.
	a.run, a.attempt, a.artifacts = a.run+1, 1, t.TempDir()
	done = a.start(w)
	for name, result := range done {
		if result.failed {
			t.Errorf("%s fails in the second night\n%s", name, result.log)
		}
	}
	if !regexp.MustCompile(`(?i)known`).MatchString(done["report"].summary) {
		t.Errorf("the summary of the second night is\n%s", done["report"].summary)
	}
}
