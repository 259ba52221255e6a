package validate

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// dockerfile reads a Dockerfile as docker build does, and returns what its linter says as an
// error.
func dockerfile(text []byte) ([]instructions.Stage, error) {
	file, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var warnings []string
	l := linter.New(&linter.Config{Warn: func(name, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, name+": "+message)
	}})
	stages, _, err := instructions.Parse(file.AST, l)
	if err == nil && len(warnings) > 0 {
		err = fmt.Errorf("%s", strings.Join(warnings, "\n"))
	}
	return stages, err
}

// TestDockerfile copies and builds what the Dockerfile says, without its base images: the
// files that it copies are there, and the binary needs no library.
func TestDockerfile(t *testing.T) {
	stages, err := dockerfile(read(t, "../kubernetes/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "xcheck")
	copied, ran := 0, 0
	for _, stage := range stages {
		for _, command := range stage.Commands {
			switch command := command.(type) {
			case *instructions.CopyCommand:
				for _, source := range command.SourcePaths {
					if command.From != "" {
						if source != "/xcheck" {
							t.Errorf("%s: nothing makes it", source)
						}
						continue
					}
					if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
						t.Error(err)
					}
					copied++
				}
			case *instructions.RunCommand:
				line := strings.Join(command.CmdLine, " ")
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, " /xcheck ", " "+binary+" "))
				cmd.Dir = "../.."
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", line, err, out)
				}
				ran++
			}
		}
	}
	if copied < 4 || ran < 2 {
		t.Errorf("%d files copied, %d commands run", copied, ran)
	}
	file, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary is linked dynamically")
		}
	}
}

// TestImage reads the Dockerfile of the image: what it copies is there. release/try uses the root
// that it makes.
func TestImage(t *testing.T) {
	stages, err := dockerfile(read(t, "../../Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	if last := stages[len(stages)-1]; last.BaseName != "scratch" {
		t.Errorf("the image is made from %s, want scratch", last.BaseName)
	}
	copied := 0
	for _, stage := range stages {
		for _, command := range stage.Commands {
			copying, ok := command.(*instructions.CopyCommand)
			if !ok || copying.From != "" {
				continue
			}
			for _, source := range copying.SourcePaths {
				if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
					t.Error(err)
				}
				copied++
			}
		}
	}
	if copied != 4 {
		t.Errorf("%d files copied, want 4", copied)
	}
}

func TestDockerfileMistakes(t *testing.T) {
	text := string(read(t, "../kubernetes/Dockerfile"))
	for _, x := range []struct{ old, new, want string }{
		{"USER", "USERS", "unknown instruction"},
		{"COPY --from=build", "COPY --form=build", "unknown flag"},
		{"USER 65532:65532", "USER 65532:65532\nMAINTAINER me", "MaintainerDeprecated"},
		{"AS build", "as Build", "StageNameCasing"},
		{"FROM debian:12-slim", "FROM", "FROM requires"},
	} {
		if !strings.Contains(text, x.old) {
			t.Errorf("no %q", x.old)
			continue
		}
		_, err := dockerfile([]byte(strings.Replace(text, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q for %q: got %v, want %q", x.new, x.old, err, x.want)
		}
	}
}
