package validate

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

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
