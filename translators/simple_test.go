package translators

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// TestSimple: what is one simple command does the same with "exec" before it.
func TestSimple(t *testing.T) {
	for line, want := range map[string]bool{
		"ltl2tgba -H 'a'":              true,
		"  ltl2tgba 'a;b' > /tmp/x":    true,
		"'/a b/c' x":                   false, // a program with a space in its name
		"'/opt/x' translate 'G a' ":    true,
		"spin -f '!(a)' 2>&1":          true,
		`x "a;b|c" \; \&`:              true,
		`x "$HOME/y"`:                  true,
		`x "$(y)"`:                     false,
		"x `y`":                        false,
		"x 'a'; y":                     false,
		"x 'a' & y":                    false,
		"x 'a' && y":                   false,
		"x | y":                        false,
		"(x)":                          false,
		"x\ny":                         false,
		"A=b x":                        false,
		"> /tmp/x y":                   false,
		"cd /tmp":                      false,
		"/bin/echo":                    true,
		"echo a":                       false,
		"! x":                          false,
		"{ x; }":                       false,
		"if x":                         false,
		"'cd' x":                       false,
		"":                             false,
		"''":                           false,
		"x 'a":                         false,
		`x "a'`:                        false,
		"$HOME/x y":                    false,
		"x 'it'\\''s' 'a' \"b\" c\\'d": true,
	} {
		if got := readShell([]part{{text: line}}).single(); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}

	dir := t.TempDir()
	script := filepath.Join(dir, "show")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a; do echo \"<$a>\"; done\necho err >&2\nexit $#\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	words := []string{script, Quote(script), "'a b'", "b", "''", "\"x y\"", "\"$PWD\"", "'", "\"", "2>&1", ">&2", "> " + dir + "/out",
		"< /dev/null", ";", "&", "&&", "|", "(", ")", "`echo c`", "$(echo d)", "# e", "\\;", "\\ ", "\\'", "\\\\", "*", "!", "{", "}", "a=b", "\n", "exit", "echo"}
	tries, seed := campaign.Seeded(t, 100, 1)
	random := rand.New(rand.NewPCG(seed, 0))
	tried := 0
	for tried < tries {
		line := words[random.IntN(2)]
		for range random.IntN(8) {
			if random.IntN(4) > 0 {
				line += " "
			}
			line += words[random.IntN(len(words))]
		}
		if !readShell([]part{{text: line}}).single() {
			continue
		}
		tried++
		one, oneErr := exec.Command("/bin/sh", "-c", line).CombinedOutput()
		two, twoErr := exec.Command("/bin/sh", "-c", "exec "+line).CombinedOutput()
		if strings.ReplaceAll(string(two), "exec: ", "") != string(one) || fmt.Sprint(oneErr) != fmt.Sprint(twoErr) {
			t.Fatalf("seed %d: %q: %q, %v; with exec %q, %v", seed, line, one, oneErr, two, twoErr)
		}
	}
}
