package validate

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(asKubectl); folder != "" && filepath.Base(os.Args[0]) == "kubectl" {
		if err := cluster(folder).kubectl(os.Args[1:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A site has a translator of its own, which can be broken.
type site struct {
	t      *testing.T
	folder string
	config string // file
	broken string // file: the translator is wrong while it is there
	stuck  string // file: the translator writes into it, and does not end, while it is there
}

func newSite(t *testing.T) *site {
	folder := t.TempDir()
	s := &site{t, folder, filepath.Join(folder, "nightly.toml"), filepath.Join(folder, "broken"), filepath.Join(folder, "stuck")}
	mine := filepath.Join(folder, "mine")
	s.write(mine, fmt.Sprintf(`#!/bin/sh
case $1 in
*M*) test ! -e %[1]s || exec xcheck translate 0 ;;
*xor*)
	while test -e %[2]s; do
		echo waiting >>%[2]s
		sleep 0.1
	done
	exit 7
	;;
esac
exec xcheck translate "$1"
`, s.broken, s.stuck))
	s.write(s.config, fmt.Sprintf(`[formulas.random]
number = 40
size   = "2..6"

[[translators]]
builtin = "couvreur"

[[translators]]
name    = "mine"
command = "%s %%f"

[triage]
grind = true
`, mine))
	return s
}

func (s *site) write(file, text string) {
	s.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		s.t.Fatal(err)
	}
}

// build makes xcheck as the Dockerfile says, in a folder that comes first on PATH.
func build(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(folder, "xcheck"), "./cmd/xcheck")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("CGO_ENABLED", "0") // for steps that build it again
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return folder
}

// alone runs a night without shards, with the same history before it and the same paths of
// xcheck and the configuration, and returns its document.
func (s *site) alone(xcheck, config, history, name, seed string) []byte {
	s.t.Helper()
	json := filepath.Join(s.t.TempDir(), "alone.json")
	cmd := exec.Command(xcheck, "run", "-c", config, "--history="+history, "--name", name, "--seed", seed, "--json="+json)
	cmd.Dir = s.folder
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode()&^3 != 0 {
		s.t.Fatalf("%v\n%s", err, out)
	}
	return read(s.t, json)
}

// same compares two documents byte for byte, but for times and what else another run has
// otherwise: its number, its file of history, its memory and its processes.
func same(t *testing.T, got, want []byte) {
	t.Helper()
	a, b := timeless(got), timeless(want)
	if bytes.Equal(a, b) {
		return
	}
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for k := range min(len(x), len(y)) {
		if x[k] != y[k] {
			at := 0
			for at < min(len(x[k]), len(y[k])) && x[k][at] == y[k][at] {
				at++
			}
			at = max(0, at-100)
			t.Fatalf("line %d of the report of the shards has\n%.400s\nwhere that of the run without shards has\n%.400s", k+1, x[k][min(at, len(x[k])):], y[k][min(at, len(y[k])):])
		}
	}
	t.Fatalf("the report of the shards has %d lines, and that of the run without shards %d", len(x), len(y))
}

var times = regexp.MustCompile(`"(time|cpu_time|max_rss|started|ended|seconds|grind_calls|proved|unproved)":\s*("[^"]*"|[0-9.e+-]+|true|false)`)

// What is said of changes of times, and of the machine, depends on times.
var timings = regexp.MustCompile(`(?m)^"provenance": .*,$|\{"translator":"[^"]*","measure":"time"[^}]*\},?|,?"notes":\[[^\]]*\]`)

func timeless(document []byte) []byte {
	return timings.ReplaceAll(times.ReplaceAll(document, []byte(`"$1":0`)), nil)
}

// TestCIPage runs what docs/ci.md shows for GitLab and Azure: the run passes, and its JUnit report
// is in the file that the job gives to the CI. (TestActionNights runs the action.)
func TestCIPage(t *testing.T) {
	folder := build(t)
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(read(t, "../../docs/ci.md")), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of YAML, want 3", len(blocks))
	}
	for _, block := range blocks[1:] {
		var document any
		if err := yaml.UnmarshalStrict([]byte(block[1]), &document); err != nil {
			t.Fatal(err)
		}
		s := newSite(t)
		s.write(filepath.Join(s.folder, "mytool"), "#!/bin/sh\n[ \"$1\" = --ltl ] && exec xcheck translate \"$2\"\n")
		ran := false
		for _, script := range scripts(document) {
			script = strings.ReplaceAll(script, "~/go/bin", folder)
			if !strings.Contains(script, "xcheck run") {
				continue
			}
			ran = true
			cmd := exec.Command("sh", "-c", script)
			cmd.Dir = s.folder
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", script, err, out)
			}
		}
		if !ran || !strings.Contains(string(read(t, filepath.Join(s.folder, "xcheck.xml"))), `name="mine`) {
			t.Errorf("no report of mine by\n%s", block[1])
		}
	}
}

// scripts returns the commands of a document: what stands below "script".
func scripts(node any) (list []string) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			list = append(list, scripts(child)...)
		}
	case map[string]any:
		for key, child := range node {
			switch lines := child.(type) {
			case string:
				if key == "script" {
					list = append(list, lines)
				}
			case []any:
				for _, line := range lines {
					if text, ok := line.(string); ok && key == "script" {
						list = append(list, text)
					}
				}
				list = append(list, scripts(lines)...)
			default:
				list = append(list, scripts(child)...)
			}
		}
	}
	return list
}
