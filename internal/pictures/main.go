// Command pictures makes the pictures of the README: a run of xcheck as a terminal shows it,
// in light and in dark colors. From the root of the repository,
//
//	go run ./internal/pictures
//
// builds xcheck, runs docs/pictures/mytool, a translator with a bug, and writes the SVG files
// next to it.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// command is what the picture shows above its output.
const command = `xcheck run --no-builtin -f 'G(req -> F ack)' -t '{mine} ./mytool %f'`

// times is the table of translators, with the line in parentheses below it. It is not part of
// the picture, since its times differ from run to run.
var times = regexp.MustCompile(`(?m)^translator .*time \(s\).*\n(.*\n)*?\(.*\n`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	pictures, err := draw(filepath.Join("docs", "pictures"))
	if err != nil {
		log.Fatal(err)
	}
	for name, svg := range pictures {
		if err := os.WriteFile(name, svg, 0o666); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name)
	}
}

// draw runs the command in the folder, and returns the SVG files by name.
func draw(folder string) (map[string][]byte, error) {
	bin, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-o", bin, "github.com/xcheck-ltl/xcheck/cmd/xcheck")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	run := exec.Command("sh", "-c", command+" --color=always")
	run.Dir = folder
	run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	run.Stderr = os.Stderr
	output, err := run.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		return nil, fmt.Errorf("%s: expected exit status 1, found %v", command, err)
	}
	if !times.Match(output) {
		return nil, fmt.Errorf("%s: no table with times, which the picture leaves out: change the pattern for it\n%s", command, output)
	}
	screen := "$ " + command + "\n" + strings.TrimSpace(times.ReplaceAllString(string(output), ""))
	pictures := map[string][]byte{}
	for _, t := range themes {
		var b bytes.Buffer
		if err := writeSVG(&b, screen, t); err != nil {
			return nil, err
		}
		pictures[filepath.Join(folder, "disagreement-"+t.name+".svg")] = b.Bytes()
	}
	return pictures, nil
}
